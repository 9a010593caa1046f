"""The outcome of a game: how it ended, its score, and the winner; and the same from one player's side.

Only this module turns rows into results.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from events.play.rulings import won_by_card
from events.tournament import figures
from events.tournament.figures import Result, why_missed
from events.tournament.season import arranged_in
from languages.stated import Stated, stated, strung, worded
from languages.words import capital, gettext, labelled, noted
from models.endings import Awarded, Ending
from models.event import Event
from models.play import Absent, Game, GameState, Player, PlayerState, Report
from models.settings import ReportDetail
from validators import SYSTEMS, report_detail
from validators.scenario import Answers, Detail, Doubt, Outcome, Scenario, Score, Side

ENDINGS: dict[Ending, str] = {
    Ending.NOT_PLAYED: noted("Not played"),
    Ending.UNFINISHED: noted("Unfinished"),
    Ending.DECIDED: noted("Decided by a judge"),
}
"""How a game ended that nobody conceded, short enough for a badge. Games played to the end have no entry."""

CONCEDED: dict[Ending, Side] = {Ending.CONCEDED_A: "a", Ending.CONCEDED_B: "b"}
"""The side that conceded."""


@dataclass(frozen=True)
class Ended:
    """How a game ended, by one report or by the game's result. By default it was played to the end."""

    how: Ending | None = None
    awarded: Awarded | None = None
    """The side to which the judge awarded the game."""
    reason: str = ""
    """The judge's reason."""


PLAYED_OUT = Ended()


def ended(row: Game | Report) -> Ended:
    """How the game ended, by its result or by one report."""
    return Ended(row.ending, row.awarded, row.ending_reason)


def ending_by_name(how: Ending | None, a: str, b: str, reader: Side | None = None) -> str:
    """How a game ended, with the name of the player who conceded: "Ada conceded"; "" if it was played to the end.

    ``reader`` is the side of the player who reads it.
    """
    side = CONCEDED.get(how) if how is not None else None
    if side:
        return gettext("You conceded") if side == reader else gettext("%(name)s conceded", name=a if side == "a" else b)
    return gettext(ENDINGS[how]) if how is not None else ""


def ending_words(how: Ending | None, a: str = "A", b: str = "B") -> str:
    """The same within a sentence: "A conceded", "not played"."""
    return result_words(None, Ended(how), (a, b))


def result_words(figures: Score | None, how: Ended, names: tuple[str, str] = ("A", "B")) -> str:
    """A result in words, with the players' ``names``: "5 : 3, Ada conceded"."""
    return worded(result_stated(figures, how, names))


def result_stated(figures: Score | None, how: Ended, names: tuple[str, str]) -> Stated:
    """As ``result_words``, to be stored as a figure."""
    parts: list[object] = [figures.figures] if figures is not None and figures.figures else []
    side = CONCEDED.get(how.how) if how.how is not None else None
    if side:
        parts.append(stated("%(name)s conceded", name=names[0] if side == "a" else names[1]))
    elif how.how is not None:
        parts.append(strung([stated(ENDINGS[how.how])], form="in_sentence"))
    return strung(parts)


def set_ended(row: Game | Report, how: Ended) -> None:
    """Store how the game ended in its row."""
    row.ending, row.awarded, row.ending_reason = how.how, how.awarded, how.reason


def as_reported(event: Event, scenario: Scenario) -> Scenario:
    """A scenario with the questions that the event's reports answer."""
    if event.report_detail == ReportDetail.FULL:
        return scenario
    detail: Detail = "outcome" if event.report_detail == ReportDetail.OUTCOME else "totals"
    return report_detail.detailed(SYSTEMS[event.system], scenario, detail)


def doubts_about(event: Event, scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Every answer that is impossible or unusual by the scenario alone."""
    system = SYSTEMS[event.system]
    if scenario.detail == "full":
        return system.scoring.check(scenario, answers)
    return report_detail.check(system, scenario, answers)


def figures_of(event: Event, scenario: Scenario, answers: Answers) -> Score:
    """The score by the answers alone; the ending is ignored."""
    system = SYSTEMS[event.system]
    if scenario.detail == "full":
        return system.scoring.score(scenario, answers)
    return report_detail.score(system, scenario, answers)


def completed(scenario: Scenario, answers: Answers, how: Ended) -> dict[str, int | str]:
    """The answers of a report, completed by its ending.

    An ending that names a winner answers who won. In a game that ended early, a missing total counts as 0.
    """
    won = won_by_ending(how)
    if scenario.detail == "totals" and how.how not in (None, Ending.NOT_PLAYED):
        return {**dict.fromkeys(report_detail.TOTALS, 0), **answers}
    if scenario.detail != "outcome" or won is None:
        return dict(answers)
    return {**answers, report_detail.WON: report_detail.answer_of(won.value)}


def won_by_ending(how: Ended) -> Awarded | None:
    """The winner that an ending names; None if the figures decide."""
    return {Ending.CONCEDED_A: Awarded.B, Ending.CONCEDED_B: Awarded.A}.get(how.how, how.awarded) if how.how else None


def score(
    event: Event,
    scenario: Scenario,
    answers: Answers,
    how: Ended = PLAYED_OUT,
    card: Literal["a", "b"] | None = None,
) -> Score | None:
    """The victory points and the winner by a report; None for a game that was not played.

    ``card`` is the winner if the opponent lost the game by a card (``rulings.won_by_card``). A concession or a judge's
    decision overrides the figures. An unfinished game counts with the points scored so far.
    """
    if how.how == Ending.NOT_PLAYED:
        return None
    counted = figures_of(event, scenario, answers)
    won = Awarded(card) if card else won_by_ending(how)
    if won is not None:
        return replace(counted, decided=won.value)
    simply = not counted.known or counted.outcome == Score(counted.a, counted.b).outcome
    return counted if simply else replace(counted, why=SYSTEMS[event.system].scoring.decided_by)


def score_of(event: Event, number: int, scenario: Scenario | None, game: Game) -> Score | None:
    """The score of a game of round ``number`` by its confirmed or reported result, cards included; None without
    figures.
    """
    if game.b_id is None or game.answers is None or scenario is None:
        return None
    return score(event, scenario, game.answers, ended(game), won_by_card(event, number, game))


def winning_side(event: Event, number: int, scenario: Scenario | None, game: Game) -> Outcome | None:
    """The winner of a confirmed game of round ``number``, cards included; None for an open game and for a bye.

    If only one side came, it wins. A game that nobody played is a draw.
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
    """The result of a game of round ``number`` for the standings; None until it is confirmed."""
    if game.b_id is None:
        return Result(number, str(game.a_id), None, asked=game.asked)
    if game.absent is not None:
        return Result(number, str(game.a_id), str(game.b_id), absent=game.absent.value, left=game.forfeited)
    if game.state != GameState.CONFIRMED:
        return None
    if scenario is None or (game.answers is None and game.ending != Ending.NOT_PLAYED):
        return None
    return result_by(event, number, scenario, game, game.answers or {}, ended(game))


def result_by(event: Event, number: int, scenario: Scenario, game: Game, answers: Answers, how: Ended) -> Result:
    """The result of a game for the standings, by these answers and this ending."""
    a, b = str(game.a_id), str(game.b_id)
    ending: figures.Ending | None = None if how.how is None else how.how.value
    found = score(event, scenario, answers, how, won_by_card(event, number, game))
    if found is None:
        return Result(number, a, b, ending=ending)
    return Result(number, a, b, found.a, found.b, game.table_number, found.decided, scenario=scenario.id, ending=ending)


@dataclass(frozen=True)
class OwnScore:
    """A score from one player's side."""

    own: int
    other: int
    outcome: str
    """"win", "draw" or "loss"."""
    known: bool = True
    """Whether the victory points are known."""
    why: str = ""
    """Why the higher total has not simply won: "their force routed"; "" if it has."""

    @property
    def figures(self) -> str:
        """The figures, own first: "5 : 9"; "" if only the outcome is known."""
        return f"{self.own} : {self.other}" if self.known else ""

    @property
    def words(self) -> str:
        """The outcome within a sentence: "you win", "a draw", "you lose: your force routed"."""
        said = {"win": gettext("you win"), "draw": gettext("a draw"), "loss": gettext("you lose")}[self.outcome]
        return labelled(said, self.why) if self.why else said

    @property
    def sentence(self) -> str:
        """The outcome as a sentence of its own: "You win"."""
        return capital(self.words)


def own_score(score: Score | None, side: Side) -> OwnScore | None:
    """The score from this side; None without figures."""
    if score is None:
        return None
    outcome = "draw" if score.outcome == "draw" else "win" if score.outcome == side else "loss"
    own, other = (score.a, score.b) if side == "a" else (score.b, score.a)
    why = gettext(score.why.yours if outcome == "loss" else score.why.theirs) if score.why else ""
    return OwnScore(own, other, outcome, score.known, why)


DROPPED = noted("You dropped out"), noted("%(name)s dropped out")
NOT_ACCEPTED = noted("You did not accept"), noted("%(name)s did not accept")
NOT_COME = noted("You did not come"), noted("%(name)s did not come")
"""Why somebody did not play, said to them and of them."""


def missing(game: Game, absent: Absent | None) -> tuple[int, ...]:
    """The ids of the absent players."""
    ids = {Absent.A: (game.a_id,), Absent.B: (game.b_id,), Absent.BOTH: (game.a_id, game.b_id)}
    return tuple(id_ for id_ in ids[absent] if id_ is not None) if absent else ()


def absence(game: Game, people: Mapping[int, Player], own: int | None = None, *, reads: bool = False) -> str:
    """The absent players of a game: "Ada did not come", "Ada dropped out"; "" if nobody was absent.

    An unanswered challenge is declined, or forfeited by the desk: "Ada did not accept".
    From the side of the player ``own``: "Win: Ada did not come"; and if that player ``reads``: "You did not come".
    """
    gone = missing(game, game.absent)
    if not gone:
        return ""
    if len(gone) == 2 and own not in gone:
        return gettext("Both dropped out") if game.forfeited else gettext("Nobody came")
    id_ = own if own in gone else gone[0]
    refused = len(gone) == 1 and id_ == game.b_id and arranged_in(game.arranged).unanswered
    of_you, of_name = DROPPED if game.forfeited else NOT_ACCEPTED if refused else NOT_COME
    if own == id_ and reads:
        return gettext(of_you)
    said = gettext(of_name, name=people[id_].name)
    return said if own in (None, id_) else gettext("Win: %(said)s", said=said)


def missed_rounds(player: Player, published: Iterable[int], own: Collection[int]) -> dict[int, str]:
    """The published rounds that a player missed, with the reason: before a late entry, or between rounds played."""
    if player.state == PlayerState.WAITING or player.ringer:
        return {}
    last = max([*own, player.entered_round - 1])
    return {
        number: why_missed(number, player.entered_round) for number in published if number <= last and number not in own
    }
