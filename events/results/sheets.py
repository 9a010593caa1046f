"""Results from paper: typed by the scorekeeper, verified by another person; and the sheets opened in a browser.

A signed cookie keeps each opened sheet for a day, while the game has the same code.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from events.play.act import Act
from events.play.editions import system_of
from events.play.errors import Refused, Stale
from events.play.games import scenario_in
from events.play.journal import note
from events.play.outcomes import ended, result_words
from events.play.players import players_by_id
from events.play.rounds import games_of
from events.results import actions
from events.results.actions import Claim, Doubtful
from events.results.reports import SHEET, latest
from events.tournament.scores import PLAYED_OUT, Ended, doubts_about, score
from events.web.parsing import LENGTH, code_typed, table_typed
from languages.stated import stated
from languages.words import gettext, noted
from models.endings import Ending
from models.event import Event, Round, RoundState
from models.play import Game, GameState, Report, ReportSide
from models.sheet_reading import SheetReading
from validators.readings import differing
from validators.scenario import Answers, Doubt, Scenario

ABSENT = noted("This game has a no-show. If it was played, enter the result on the game’s page.")
DISPUTED = noted("The two players reported different results: a judge decides this table.")


def scenario_of(s: Session, event: Event, game: Game) -> Scenario:
    """The scenario of the game."""
    scenario = scenario_in(s, event, s.get_one(Round, game.round_id), game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    return scenario


def enter_sheet(act: Act, game: Game, claim: Claim) -> None:
    """Store a result from a sheet that both players signed, so it counts at once.

    If it differs from a player's report, it must be confirmed like an unusual answer. Rejects disputes and no-shows,
    which a judge decides. Raises Stale if the game has another confirmed result, and as ``actions.report`` does.
    """
    if game.absent is not None:
        raise Refused(gettext(ABSENT))
    if game.state == GameState.DISPUTED:
        raise Refused(gettext(DISPUTED))
    if actions.corrects(game, claim.answers, claim.how):
        raise Stale(gettext("This table has another result now. Compare both before you change it."))
    at, confirmed = actions.current(act.s, game), replace(claim, sure=True)
    scenario = actions.check(act.s, act.event, at, confirmed)
    if not claim.sure:
        unusual: tuple[Doubt, ...] = ()
        try:
            actions.check(act.s, act.event, at, claim)
        except Doubtful as doubtful:
            unusual = doubtful.doubts
        if asked := (*unusual, *_contradicted(act.s, act.event, game, scenario, claim)):
            raise Doubtful(asked)
    actions.report(act, game, confirmed)


def _contradicted(s: Session, event: Event, game: Game, scenario: Scenario, claim: Claim) -> tuple[Doubt, ...]:
    """A doubt for each report that differs from the sheet."""
    answers, how = claim.answers, claim.how
    names = {p: who.name for p, who in players_by_id(s, event).items()}
    reports = latest(s, game)
    sides = names[game.a_id], names[game.b_id or game.a_id]
    whose: dict[str, str] = {ReportSide.A: sides[0], ReportSide.B: sides[1]}
    if not whose.keys() & reports.keys():
        whose = {SHEET: gettext("The phone with the sheet’s code")}
    typed = result_words(score(system_of(event), scenario, answers, how), how, sides)
    doubts = []
    for side, name in whose.items():
        theirs = reports.get(side)
        differ = differing(scenario, theirs.answers, answers) if theirs else []
        if theirs and (differ or ended(theirs) != how):
            reported = result_words(
                score(system_of(event), scenario, theirs.answers, ended(theirs)), ended(theirs), sides
            )
            words = gettext(
                "%(name)s reported %(reported)s, the sheet says %(typed)s. Is the sheet right?",
                name=name,
                reported=reported,
                typed=typed,
            )
            doubts.append(Doubt(tuple(question.key for question in differ), words, False))
    return tuple(doubts)


def why_not_verified_by(s: Session, event: Event, game: Game, account_id: int) -> str:
    """The reason why this account cannot verify this game; "" if it can."""
    counting = latest(s, game).get(ReportSide.ORGANISER)
    return _why_not_verified(event, game, counting.account_id if counting else None, account_id)


def _why_not_verified(event: Event, game: Game, entered_by: int | None, account_id: int) -> str:
    """As above; ``entered_by`` is the account of the organiser's newest report."""
    if game.absent is not None or game.ending == Ending.NOT_PLAYED:
        return gettext("This game was not played: there is nothing to verify.")
    if game.ending == Ending.DECIDED:
        return gettext("A judge decided this game: there is no sheet to compare.")
    if game.state != GameState.CONFIRMED or game.answers is None:
        return gettext("This table has no confirmed result yet: enter it first.")
    if entered_by == account_id and not event.second_pass_alone:
        return gettext("You entered this table. Another person must do the second entry.")
    return ""


def verifiable(s: Session, event: Event, games: Iterable[Game], account_id: int) -> frozenset[int]:
    """The ids of the games with a result that this account may verify."""
    by_id = {game.id: game for game in games}
    query = select(Report).where(col(Report.game_id).in_(by_id), Report.side == ReportSide.ORGANISER)
    reports = s.exec(query.where(col(Report.withdrawn_at).is_(None)).order_by(col(Report.id)))
    entered = {report.game_id: report.account_id for report in reports}
    return frozenset(
        id_ for id_, game in by_id.items() if not _why_not_verified(event, game, entered.get(id_), account_id)
    )


def verify(act: Act, game: Game, answers: Answers, *, account_id: int, how: Ended = PLAYED_OUT) -> SheetReading:
    """Compare a blindly typed sheet with the confirmed result, and store the comparison.

    Raises Refused if there is nothing to verify or the same person entered the result, Doubtful for impossible figures.
    """
    if reason := why_not_verified_by(act.s, act.event, game, account_id):
        raise Refused(reason)
    scenario = scenario_of(act.s, act.event, game)
    if how.how == Ending.NOT_PLAYED:
        raise Refused(gettext("This game is stored as played. Check its page."), "ending")
    refused = tuple(doubt for doubt in doubts_about(system_of(act.event), scenario, answers) if doubt.refused)
    if refused:
        raise Doubtful(refused)
    agrees = not differing(scenario, game.answers or {}, answers) and game.ending == how.how
    reading = SheetReading(
        game_id=game.id, version=game.version, answers=dict(answers), ending=how.how,
        agrees=agrees, by=act.actor[:120], account_id=account_id, at=act.now,
    )  # fmt: skip
    act.s.add(reading)
    number = act.s.get_one(Round, game.round_id).number
    same = noted("Round %(round)s, table %(table)s: the second entry agrees: verified")
    text = same if agrees else noted("Round %(round)s, table %(table)s: the second entry differs")
    note(
        act,
        "second-pass",
        stated(text, round=number, table=game.table_number),
        game=game.id,
        answers=dict(answers),
        agrees=agrees,
    )
    return reading


def allow_alone(act: Act, allowed: bool) -> None:
    """Set whether the same person may enter and verify a result."""
    if act.event.second_pass_alone == allowed:
        return
    act.event.second_pass_alone = allowed
    same = stated("The same person may do the second entry of sheets")
    another = stated("Another person must do the second entry of sheets")
    note(act, "second-pass-rule", same if allowed else another, allowed=allowed)


COOKIE = "sheets"
LASTS = timedelta(days=1)
"""How long a browser remembers an opened sheet."""
MOST = 12
"""The most sheets a browser remembers; a new one replaces the oldest."""


def with_sheet(cookie: Mapping[str, Any], game: Game, now: datetime) -> dict[str, list[str | int]]:
    """The new value of ``COOKIE`` after opening this game's sheet."""
    others = [(id_, one) for id_, one in _held(cookie, now).items() if id_ != str(game.id)]
    others.sort(key=lambda held: int(held[1][1]))  # the cookie's order is not kept
    return dict([*others[1 - MOST :], (str(game.id), [game.code, int(now.timestamp())])])


def code_held(cookie: Mapping[str, Any], game_id: int, now: datetime) -> str:
    """The code of this game's opened sheet; "" if the browser did not open it within the last day."""
    return str(_held(cookie, now).get(str(game_id), [""])[0])


def _held(cookie: Mapping[str, Any], now: datetime) -> dict[str, list[Any]]:
    after = (now - LASTS).timestamp()
    return {id_: one for id_, one in cookie.get(COOKIE, {}).items() if one[1] > after}


def find_sheet(s: Session, event: Event, the_round: Round, typed: str) -> tuple[Game, Round]:
    """The game and round of the sheet with this table number or code, possibly of another round.

    Raises Refused at ``table``.
    """
    if (table := table_typed(typed)) is not None:
        return _at_table(s, the_round, table), the_round
    game = game_with_code(s, typed)
    other = s.get_one(Round, game.round_id) if game is not None else None
    if game is None or other is None or other.state != RoundState.PUBLISHED:
        known = gettext("Type the table’s number, or the code printed on its sheet.")
        if len(code_typed(typed)) == LENGTH:
            known = gettext("No game has the code %(code)s: its round may be drawn again since.", code=typed.strip())
        raise Refused(known, "table")
    if other.event_id != event.id:
        raise Refused(gettext("This sheet belongs to another event."), "table")
    if game.b_id is None:
        raise Refused(gettext("This is a bye: it has no sheet."), "table")
    return game, other


def game_with_code(s: Session, typed: str) -> Game | None:
    """The game whose sheet has this code, in any event and round; None if there is none."""
    code = code_typed(typed)
    could_be = code.isascii() and code.isalnum()
    return s.exec(select(Game).where(Game.code == code)).first() if could_be else None


def _at_table(s: Session, the_round: Round, number: int) -> Game:
    games = [game for game in games_of(s, the_round) if game.table_number is not None]
    found = next((game for game in games if game.table_number == number), None)
    if found is None:
        last = max((game.table_number or 0 for game in games), default=0)
        raise Refused(
            gettext(
                "There is no game at table %(number)s in round %(the_round)s. The last table is %(last)s.",
                number=number,
                the_round=the_round.number,
                last=last,
            ),
            "table",
        )
    return found
