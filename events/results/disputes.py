"""Two reports that differ, shown side by side with the likely readings; and opening a game again."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from events.play.errors import Refused, Stale
from events.play.journal import note
from events.play.outcomes import Ended, ended, score
from events.play.queries import reports_of, round_view, rounds_of, scenario_in, system_of
from events.play.rulings import won_by_card
from events.results import actions
from events.results.actions import Word, bounds_of, latest, stand
from models.endings import Ending
from models.event import Event, EventState, Round, RoundState
from models.play import Game, GameState, Player, Report, ReportSide
from validators.bounds import outside
from validators.readings import Compared, Reading, compare
from validators.scenario import Answers, Doubt, Scenario, Score

CHANGED = "The reports changed while you looked at them. Look again before you decide."


@dataclass(frozen=True)
class Dispute:
    """What a judge looks at."""

    compared: Compared
    a: Report
    b: Report
    readings: tuple[tuple[Reading, Ended, Score | None], ...]
    """Each with how the game ended by it, and what it comes to."""

    @property
    def endings_differ(self) -> bool:
        """The two also say differently how it ended."""
        return ended(self.a) != ended(self.b)


def dispute_of(s: Session, event: Event, game: Game, scenario: Scenario, a: Player, b: Player) -> Dispute | None:
    """The dispute that the game is in; None for a game that is in none."""
    reports = actions.latest(s, game)
    ours, theirs = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if game.state != GameState.DISPUTED or ours is None or theirs is None:
        return None
    system, bounds = system_of(event), bounds_of(s, event, game, scenario)
    card = won_by_card(event, s.get_one(Round, game.round_id).number, game)

    def check(asked: Scenario, answers: Answers) -> tuple[Doubt, ...]:
        doubts = system.check_answers(asked, answers)
        return doubts if any(doubt.refused for doubt in doubts) else (*doubts, *outside(bounds, answers))

    compared = compare(
        scenario, ours.answers, theirs.answers, {"a": a.name, "b": b.name}, check,
        lambda asked, answers: system.score(asked, answers),
    )  # fmt: skip
    found = []
    for reading in compared.readings:
        if reading.report is None and Ending.NOT_PLAYED in (ours.ending, theirs.ending):
            continue
        # What is made of both ended as both say; where they differ in that, each ending is its report's.
        if reading.report is None and ended(ours) != ended(theirs):
            continue
        how = ended(theirs if reading.report == "b" else ours)
        found.append((reading, how, score(event, scenario, reading.answers, how, card)))
    return Dispute(compared, ours, theirs, tuple(found))


def take(
    s: Session,
    event: Event,
    game: Game,
    key: str,
    *,
    people: tuple[Player, Player],
    version: int,
    by: str,
    word: Word,
    now: datetime,
) -> GameState:
    """Make a reading of the dispute the result: "a" or "b" for that side's report, else the reading's key.

    Without a reason of the judge's own it says what was taken. Raises Stale where the reports are others by now, and
    as ``results.report`` does.
    """
    view = round_view(s, event, s.get_one(Round, game.round_id))
    scenario = view.scenario_at(game)
    found = dispute_of(s, event, game, scenario, *people) if scenario is not None else None
    chosen = [one for one in (found.readings if found else ()) if key == (one[0].report or one[0].key)]
    if found is None or not chosen or scenario is None:
        raise Stale(CHANGED)
    reading, how, _ = chosen[0]
    name = {"a": people[0].name, "b": people[1].name}.get(reading.report or "", "")
    why = word.reason or (f"As {name} reported it." if name else " ".join(reading.why))
    return actions.report(
        s, event, game, ReportSide.ORGANISER, reading.answers,
        version=version, sure=True, by=by, now=now, how=how, word=replace(word, reason=why[:500]),
    )  # fmt: skip


def why_not_opened(s: Session, event: Event, game: Game) -> str:
    """Why this game cannot be opened again, in a sentence; "" where it can."""
    the_round = s.get_one(Round, game.round_id)
    if event.state == EventState.FINISHED:
        return "The event is closed; open it again for a correction."
    if the_round.state != RoundState.PUBLISHED or game.b_id is None:
        return "This is no game that waits for its players."
    later = [one for one in rounds_of(s, event) if one.number > the_round.number and one.state == RoundState.PUBLISHED]
    if later:
        return (
            f"Round {later[0].number} is published: without this result the standings would end before round "
            f"{the_round.number}. Correct the result instead."
        )
    if not reports_of(s, game) and game.absent is None:
        return "Nothing was reported of this game: it is open."
    return ""


def open_again(s: Session, event: Event, game: Game, *, version: int, reason: str, actor: str, now: datetime) -> None:
    """Take every report of a game back, so that it waits for new ones; the round is not complete then.

    ``version`` is the game's that was looked at. A drawn round after it becomes out of date by itself. Raises Refused,
    and Stale where somebody was quicker.
    """
    if why_not := why_not_opened(s, event, game):
        raise Refused(why_not)
    if not reason:
        raise Refused("Say why the game is opened again: both players read it.")
    if game.version != version:
        raise Stale("Somebody else changed this game while you looked at it. Look at it again.")
    before = game.state
    the_round = s.get_one(Round, game.round_id)
    for report in reports_of(s, game):
        report.withdrawn_at = now
    s.flush()  # they do not count in what follows
    scenario = scenario_in(s, event, the_round, game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    game.absent, game.goes_through = None, None
    stand(game, scenario, latest(s, game))
    game.version += 1
    note(
        s, event, actor, now, "open-again",
        f"Round {the_round.number}, table {game.table_number}: opened again for new reports",
        game=game.id, before=before, after=game.state, why=reason,
    )  # fmt: skip
