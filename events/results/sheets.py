"""Results from paper: typed by the scorekeeper, then verified by another person; and the sheets opened in a browser.

The signed cookie of a browser names each opened sheet for a day, and only while the game has the same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, select

from events.play.errors import Refused, Stale
from events.play.journal import note
from events.play.outcomes import PLAYED_OUT, Ended, ended, in_short, score
from events.play.parsing import code_typed, table_typed
from events.play.queries import games_of, players_by_id, scenario_in, system_of
from events.results import actions
from events.results.actions import Doubtful, Word, latest, report
from models.endings import Ending
from models.event import Event, Round, RoundState
from models.play import Game, GameState, ReportSide
from models.sheet_reading import SheetReading
from validators.readings import differing
from validators.scenario import Answers, Doubt, Scenario

ABSENT = "Somebody did not come to this game. If they played after all, enter it on the game’s page."
DISPUTED = "The two players reported different results: a judge decides this table."


def scenario_of(s: Session, event: Event, game: Game) -> Scenario:
    """What was played at the game's table."""
    scenario = scenario_in(s, event, s.get_one(Round, game.round_id), game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    return scenario


def enter(
    s: Session,
    event: Event,
    game: Game,
    answers: Answers,
    *,
    version: int,
    sure: bool,
    by: str,
    word: Word,
    now: datetime,
    how: Ended = PLAYED_OUT,
) -> None:
    """Store a result from its sheet, which both players have signed: it counts. ``how`` the game ended.

    What a player reported otherwise is asked about like what is odd. A dispute and a no-show are a judge's, and a
    confirmed result is corrected and not entered anew. Raises as ``results.report`` does; Refused and Stale for these.
    """
    if game.absent is not None:
        raise Refused(ABSENT)
    if game.state == GameState.DISPUTED:
        raise Refused(DISPUTED)
    if actions.corrects(game, answers, how):
        raise Stale("This table has another result by now: look at both before you change it.")
    scenario = actions.judged(s, event, game, ReportSide.ORGANISER, answers, version=version, sure=True, how=how)
    if not sure:
        asked = (*_odd(s, event, game, answers, how), *_otherwise(s, event, game, scenario, answers, how))
        if asked:
            raise Doubtful(asked)
    report(
        s, event, game, ReportSide.ORGANISER, answers,
        version=version, sure=True, by=by, now=now, how=how,
        word=word,
    )  # fmt: skip


def _odd(s: Session, event: Event, game: Game, answers: Answers, how: Ended) -> tuple[Doubt, ...]:
    try:
        actions.judged(s, event, game, ReportSide.ORGANISER, answers, version=game.version, sure=False, how=how)
    except Doubtful as doubtful:
        return doubtful.doubts
    return ()


def _otherwise(
    s: Session, event: Event, game: Game, scenario: Scenario, answers: Answers, how: Ended
) -> tuple[Doubt, ...]:
    """What was reported that the sheet does not say."""
    names = {p: who.name for p, who in players_by_id(s, event).items()}
    reports = latest(s, game)
    whose: dict[str, str] = {ReportSide.A: names[game.a_id], ReportSide.B: names[game.b_id or game.a_id]}
    if not whose.keys() & reports.keys():
        whose = {actions.SHEET: "The phone with the sheet’s code"}
    typed = in_short(score(event, scenario, answers, how), how)
    told = []
    for side, name in whose.items():
        theirs = reports.get(side)
        differ = differing(scenario, theirs.answers, answers) if theirs else []
        if theirs and (differ or ended(theirs) != how):
            reported = in_short(score(event, scenario, theirs.answers, ended(theirs)), ended(theirs))
            words = f"{name} reported {reported}, the sheet says {typed}. Is it as the sheet says?"
            told.append(Doubt(tuple(question.key for question in differ), words, False))
    return tuple(told)


def why_not_verified_by(s: Session, event: Event, game: Game, account_id: int) -> str:
    """Why this account's second pass does not verify this game, in a sentence; "" where it does."""
    if game.absent is not None or game.ending == Ending.NOT_PLAYED:
        return "This game was not played: there is nothing to verify."
    if game.ending == Ending.DECIDED:
        return "A judge decided this game: its sheet does not say how."
    if game.state != GameState.CONFIRMED or game.answers is None:
        return "This table has no confirmed result yet: enter it first."
    counting = latest(s, game).get(ReportSide.ORGANISER)
    if counting is not None and counting.account_id == account_id and not event.second_pass_alone:
        return "You entered this table yourself: the second pass is for somebody else."
    return ""


def verify(
    s: Session,
    event: Event,
    game: Game,
    answers: Answers,
    *,
    by: str,
    account_id: int,
    now: datetime,
    how: Ended = PLAYED_OUT,
) -> SheetReading:
    """Hold a sheet that was typed blind against the result that counts, and keep what came of it.

    Raises Refused where there is nothing to verify or the same person typed it first, Doubtful for what cannot be.
    """
    if reason := why_not_verified_by(s, event, game, account_id):
        raise Refused(reason)
    scenario = scenario_of(s, event, game)
    if how.how == Ending.NOT_PLAYED:
        raise Refused("This game was played, as it is stored. Look at its page.", "ending")
    refused = tuple(doubt for doubt in system_of(event).check_answers(scenario, answers) if doubt.refused)
    if refused:
        raise Doubtful(refused)
    agrees = not differing(scenario, game.answers or {}, answers) and game.ending == how.how
    reading = SheetReading(
        game_id=game.id, version=game.version, answers=dict(answers), ending=how.how,
        agrees=agrees, by=by[:120], account_id=account_id, at=now,
    )  # fmt: skip
    s.add(reading)
    number = s.get_one(Round, game.round_id).number
    said = "the second pass says the same: verified" if agrees else "the second pass says otherwise"
    note(
        s, event, by, now, "second-pass", f"Round {number}, table {game.table_number}: {said}",
        game=game.id, answers=dict(answers), agrees=agrees,
    )  # fmt: skip
    return reading


def allow_alone(s: Session, event: Event, allowed: bool, actor: str, now: datetime) -> None:
    """Whether whoever typed a result may verify it too."""
    if event.second_pass_alone == allowed:
        return
    event.second_pass_alone = allowed
    said = "may be the same person’s" if allowed else "must be another person’s"
    note(s, event, actor, now, "second-pass-rule", f"The second pass over sheets {said}", allowed=allowed)


COOKIE = "sheets"
LASTS = timedelta(days=1)
"""So long a phone may report from a sheet without its code being opened again."""
MOST = 12
"""Sheets of one browser; of more the one that was opened the longest ago is forgotten."""


def with_sheet(cookie: Mapping[str, Any], game: Game, now: datetime) -> dict[str, list[str | int]]:
    """What ``COOKIE`` holds once this game's sheet was opened."""
    others = [(id_, one) for id_, one in _held(cookie, now).items() if id_ != str(game.id)]
    others.sort(key=lambda held: int(held[1][1]))  # a cookie keeps no order of its own
    return dict([*others[1 - MOST :], (str(game.id), [game.code, int(now.timestamp())])])


def code_held(cookie: Mapping[str, Any], game_id: int, now: datetime) -> str:
    """The code with which this game's sheet was opened; "" where it was not, or too long ago."""
    return str(_held(cookie, now).get(str(game_id), [""])[0])


def _held(cookie: Mapping[str, Any], now: datetime) -> dict[str, list[Any]]:
    after = (now - LASTS).timestamp()
    return {id_: one for id_, one in cookie.get(COOKIE, {}).items() if one[1] > after}


@dataclass(frozen=True)
class Sheet:
    """The sheet that is meant: its game, and the round, which is another than that at hand where the code says so."""

    game: Game
    round: Round


def find_sheet(s: Session, event: Event, the_round: Round, typed: str) -> Sheet:
    """The game of this sheet. Raises Refused at the field ``table``, in words."""
    if (table := table_typed(typed)) is not None:
        return Sheet(_at_table(s, the_round, table), the_round)
    game = game_with_code(s, typed)
    other = s.get_one(Round, game.round_id) if game is not None else None
    if game is None or other is None or other.state != RoundState.PUBLISHED:
        raise Refused("Type the table’s number, or the code beside the square on its sheet.", "table")
    if other.event_id != event.id:
        raise Refused("This sheet is of another event.", "table")
    if game.b_id is None:
        raise Refused("This is a bye: it has no sheet.", "table")
    return Sheet(game, other)


def game_with_code(s: Session, typed: str) -> Game | None:
    """The game whose sheet has this code, of whatever event and round."""
    code = code_typed(typed)
    could_be = code.isascii() and code.isalnum()
    return s.exec(select(Game).where(Game.code == code)).first() if could_be else None


def _at_table(s: Session, the_round: Round, number: int) -> Game:
    games = [game for game in games_of(s, the_round) if game.table_number is not None]
    found = next((game for game in games if game.table_number == number), None)
    if found is None:
        last = max((game.table_number or 0 for game in games), default=0)
        raise Refused(f"Nobody plays at table {number} in round {the_round.number}: the last is {last}.", "table")
    return found
