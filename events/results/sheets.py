"""Results from paper, typed by the scorekeeper; and the sheets opened in a browser.

A signed cookie keeps each opened sheet for a day, while the game has the same code.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, select

from events.results import actions
from events.results.actions import Claim, Doubtful
from events.results.reports import SHEET, latest
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused, Stale
from events.store.games import scenario_in
from events.store.outcomes import ended, result_words
from events.store.players import players_by_id
from events.store.rounds import games_of
from events.tournament.scores import score
from events.web.parsing import LENGTH, code_typed, table_typed
from languages.words import N_, gettext
from models.event import Event, Round, RoundState
from models.play import Game, GameState, ReportSide
from validators.readings import differing
from validators.scenario import Doubt, Scenario

ABSENT = N_("This game has a no-show. If it was played, enter the result on the game’s page.")
DISPUTED = N_("The two players reported different results: a judge decides this table.")


def scenario_of(s: Session, event: Event, game: Game) -> Scenario:
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
    names = {p: who.name for p, who in players_by_id(event).items()}
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


COOKIE = "sheets"
LASTS = timedelta(days=1)
"""How long a browser remembers an opened sheet."""
MOST = 12
"""The most sheets a browser remembers; a new one replaces the oldest."""


def with_sheet(cookie: Mapping[str, Any], game: Game, now: datetime) -> dict[str, list[str | int]]:
    """The new value of ``COOKIE`` after opening this game's sheet."""
    others = [(id_, row) for id_, row in _held(cookie, now).items() if id_ != str(game.id)]
    others.sort(key=lambda held: int(held[1][1]))  # the cookie's order is not kept
    return dict([*others[1 - MOST :], (str(game.id), [game.code, int(now.timestamp())])])


def code_from_cookie(cookie: Mapping[str, Any], game_id: int, now: datetime) -> str:
    """The code of this game's opened sheet; "" if the browser did not open it within the last day."""
    return str(_held(cookie, now).get(str(game_id), [""])[0])


def _held(cookie: Mapping[str, Any], now: datetime) -> dict[str, list[Any]]:
    after = (now - LASTS).timestamp()
    return {id_: opened for id_, opened in cookie.get(COOKIE, {}).items() if opened[1] > after}


def find_sheet(s: Session, event: Event, the_round: Round, typed: str) -> tuple[Game, Round]:
    """The game and round of the sheet with this table number or code. Raises Refused at ``table``."""
    if (table := table_typed(typed)) is not None:
        return _at_table(the_round, table), the_round
    game = game_with_code(s, typed)
    other = s.get_one(Round, game.round_id) if game is not None else None
    if game is None or other is None or other.state != RoundState.PUBLISHED:
        advice = gettext("Type the table’s number, or the code printed on its sheet.")
        if len(code_typed(typed)) == LENGTH:
            advice = gettext("No game has the code %(code)s: its round may be drawn again since.", code=typed.strip())
        raise Refused(advice, "table")
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


def _at_table(the_round: Round, number: int) -> Game:
    games = [game for game in games_of(the_round) if game.table_number is not None]
    at_table = next((game for game in games if game.table_number == number), None)
    if at_table is None:
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
    return at_table
