"""Results from paper: typed by the scorekeeper, then a second time by another, without seeing the first."""

from datetime import datetime

from sqlmodel import Session

from events.actions import results
from events.actions.journal import note
from events.actions.results import Doubtful, Word, latest, report
from events.errors import Refused, Stale
from events.outcomes import PLAYED_OUT, Ended, ended, in_short, score
from events.reading import players_by_id, scenario_in, system_of
from models.endings import Ending
from models.event import Event, Round
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
    if results.corrects(game, answers, how):
        raise Stale("This table has another result by now: look at both before you change it.")
    scenario = results.judged(s, event, game, ReportSide.ORGANISER, answers, version=version, sure=True, how=how)
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
        results.judged(s, event, game, ReportSide.ORGANISER, answers, version=game.version, sure=False, how=how)
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
        whose = {results.SHEET: "The phone with the sheet’s code"}
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
