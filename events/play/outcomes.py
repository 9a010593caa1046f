"""What a game came to: how it ended, what that is worth and who won. The one place where rows become results."""

from dataclasses import dataclass, replace
from typing import Literal

from events.play.figures import Ending as Unplayed
from events.play.figures import Result
from events.play.rulings import won_by_card
from models.endings import Awarded, Ending
from models.event import Event
from models.play import Absent, Game, GameState, Report
from validators import SYSTEMS
from validators.scenario import Answers, Outcome, Scenario, Score

ENDINGS: dict[Ending, str] = {
    Ending.CONCEDED_A: "A conceded",
    Ending.CONCEDED_B: "B conceded",
    Ending.NOT_PLAYED: "Not played",
    Ending.UNFINISHED: "Unfinished",
    Ending.DECIDED: "Decided by a judge",
}
"""How a game ended, in as few words as a badge has room for; a game that was played out has none."""


@dataclass(frozen=True)
class Ended:
    """How a game ended, as one report or the game itself has it; by itself: it was played out."""

    how: Ending | None = None
    awarded: Awarded | None = None
    """Whom the judge gave it to."""
    reason: str = ""
    """The judge's."""


PLAYED_OUT = Ended()


def ended(row: Game | Report) -> Ended:
    """How the game ended by what counts or waits, or by one report of it."""
    return Ended(row.ending, row.awarded, row.ending_reason)


def ending_words(how: Ending | None) -> str:
    """How a game ended, to stand within a sentence: "A conceded", "not played"; "" for one that was played out."""
    told = ENDINGS[how] if how is not None else ""
    return told if told[1:2] == " " else told[:1].lower() + told[1:]


def in_short(figures: Score | None, how: Ended) -> str:
    """A result in a line of the journal: "5 : 3, A conceded"."""
    told = f"{figures.a} : {figures.b}" if figures is not None else ""
    return ", ".join(part for part in (told, ending_words(how.how)) if part)


def set_ended(row: Game | Report, how: Ended) -> None:
    """Store how it ended."""
    row.ending, row.awarded, row.ending_reason = how.how, how.awarded, how.reason


def score(
    event: Event,
    scenario: Scenario,
    answers: Answers,
    how: Ended = PLAYED_OUT,
    card: Literal["a", "b"] | None = None,
) -> Score | None:
    """The victory points of a report and who won by it; None of a game that was not played.

    Whoever lost it by a card has not won it: ``card`` is then the other one (``rulings.won_by_card``). Who gave up has
    lost, whatever the figures say; a judge's word goes before them as well. An unfinished game goes by what was scored
    so far, as its scenario counts it.
    """
    if how.how == Ending.NOT_PLAYED:
        return None
    counted = SYSTEMS[event.system].score(scenario, answers)
    won = {Ending.CONCEDED_A: Awarded.B, Ending.CONCEDED_B: Awarded.A}.get(how.how) if how.how else None
    won = Awarded(card) if card else won or how.awarded
    return counted if won is None else replace(counted, decided=won.value)


def score_of(event: Event, number: int, scenario: Scenario | None, game: Game) -> Score | None:
    """The score of a game of round ``number`` by what counts or waits; None where nothing does, or without figures.

    Its outcome is who won, cards and all: a page that has it need not ask any further.
    """
    if game.b_id is None or game.answers is None or scenario is None:
        return None
    return score(event, scenario, game.answers, ended(game), won_by_card(event, number, game))


def winning_side(event: Event, number: int, scenario: Scenario | None, game: Game) -> Outcome | None:
    """Who won a game of round ``number`` by what counts, or was there alone; None while nothing does, and of a bye.

    Whoever loses it by a card has not won it. A game that was not played, by whosever absence or none, is a
    draw to a knockout: nobody has won it.
    """
    if game.state == GameState.CONFIRMED and (winner := won_by_card(event, number, game)):
        return winner
    if game.absent is not None:
        return {Absent.A: Awarded.B, Absent.B: Awarded.A}.get(game.absent, Awarded.DRAW).value
    if game.b_id is None or game.state != GameState.CONFIRMED:
        return None
    if game.ending == Ending.NOT_PLAYED:
        return "draw"
    found = score_of(event, number, scenario, game)
    return None if found is None else found.outcome


def result_of(event: Event, number: int, scenario: Scenario | None, game: Game) -> Result | None:
    """A game of round ``number`` as the standings count it; None while it has no counting result."""
    if game.b_id is None:
        return Result(number, str(game.a_id), None, asked=game.asked)
    if game.absent is not None:
        return Result(number, str(game.a_id), str(game.b_id), absent=game.absent.value)
    if game.state != GameState.CONFIRMED:
        return None
    if scenario is None or (game.answers is None and game.ending != Ending.NOT_PLAYED):
        return None
    return result_by(event, number, scenario, game, game.answers or {}, ended(game))


def result_by(event: Event, number: int, scenario: Scenario, game: Game, answers: Answers, how: Ended) -> Result:
    """What the standings would count for a game of two by these answers and this ending."""
    a, b = str(game.a_id), str(game.b_id)
    ending: Unplayed | None = None if how.how is None else how.how.value
    found = score(event, scenario, answers, how, won_by_card(event, number, game))
    if found is None:
        return Result(number, a, b, ending=ending)
    return Result(number, a, b, found.a, found.b, game.table_number, found.decided, scenario=scenario.id, ending=ending)
