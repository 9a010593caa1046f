"""The outcome of a game: its row as it stands, and in words how it ended, also from one player's side."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from events.store.editions import system_of
from events.store.scoring import adjustments_of, play_rules
from events.tournament.boards import Board, PlayRules
from events.tournament.endings import Ending
from events.tournament.figures import OTHER_FIGURES, why_missed
from events.tournament.pairing.notes import NoteKind, notes_in
from events.tournament.scores import Ended
from events.tournament.season import arranged_in
from events.tournament.tournament import lost_by_card, won_by_card
from languages.message import Text, joined, message, worded
from languages.words import N_, capital, gettext, labelled
from models.event import Event
from models.play import Absent, Game, GameState, Player, PlayerState, Report
from models.settings import ReportDetail
from validators import report_detail
from validators.scenario import Detail, Scenario, Score, Side

Lost = Callable[[], Collection[tuple[int, str]]]

ENDINGS: dict[Ending, str] = {
    Ending.NOT_PLAYED: N_("Not played"),
    Ending.UNFINISHED: N_("Unfinished"),
    Ending.DECIDED: N_("Decided by a judge"),
}
"""How a game ended that nobody conceded, short enough for a badge. Games played to the end have no entry."""

CONCEDED: dict[Ending, Side] = {Ending.CONCEDED_A: "a", Ending.CONCEDED_B: "b"}
"""The side that conceded."""


def ended(row: Game | Report) -> Ended:
    return Ended(row.ending, row.awarded, row.ending_reason)


def ending_by_name(how: Ending | None, a: str, b: str, reader: Side | None = None) -> str:
    """How a game ended, by name: "Ada conceded"; "" if it was played to the end. ``reader`` is the reader's side."""
    side = CONCEDED.get(how) if how is not None else None
    if side:
        return gettext("You conceded") if side == reader else gettext("%(name)s conceded", name=a if side == "a" else b)
    return gettext(ENDINGS[how]) if how is not None else ""


def ending_words(how: Ending | None, a: str = "A", b: str = "B") -> str:
    """The same within a sentence: "A conceded", "not played"."""
    return result_words(None, Ended(how), (a, b))


def result_words(figures: Score | None, how: Ended, names: tuple[str, str] = ("A", "B")) -> str:
    """A result in words, with the players' ``names``: "5 : 3, Ada conceded"."""
    return worded(result_text(figures, how, names))


def result_text(figures: Score | None, how: Ended, names: tuple[str, str]) -> Text:
    """As ``result_words``, in no language."""
    parts: list[object] = [figures.figures] if figures is not None and figures.figures else []
    side = CONCEDED.get(how.how) if how.how is not None else None
    if side:
        parts.append(message("%(name)s conceded", name=names[0] if side == "a" else names[1]))
    elif how.how is not None:
        parts.append(joined([message(ENDINGS[how.how])], form="in_sentence"))
    return joined(parts)


def set_ended(row: Game | Report, how: Ended) -> None:
    row.ending, row.awarded, row.ending_reason = how.how, how.awarded, how.reason


def as_reported(event: Event, scenario: Scenario) -> Scenario:
    if event.report_detail == ReportDetail.FULL:
        return scenario
    detail: Detail = "outcome" if event.report_detail == ReportDetail.OUTCOME else "totals"
    system = system_of(event)
    named = zip(OTHER_FIGURES, system.scoring.tie_figures, strict=False)
    ties = {figure.key for id_, figure in named if id_ in event.tie_breaks}
    return report_detail.detailed(system, scenario, detail, ties)


def board_of(rules: PlayRules, lost: Lost, number: int, scenario: Scenario | None, game: Game) -> Board:
    """A game of round ``number`` as it stands; ``lost`` gives the games lost by a card, if one is asked for."""
    a, b = str(game.a_id), None if game.b_id is None else str(game.b_id)
    reported = game.state != GameState.OPEN
    return Board(
        id=game.id,
        round=number,
        a=a,
        b=b,
        rules=rules,
        table=game.table_number,
        scenario=scenario,
        confirmed=game.state == GameState.CONFIRMED,
        reported=reported,
        asked=game.asked,
        walk_over=b is None and any(note.kind == NoteKind.EMPTY_BOARD for note in notes_in(game.notes)),
        absent=None if game.absent is None else game.absent.value,
        left=game.forfeited,
        answers=game.answers,
        how=ended(game),
        card=won_by_card(lost(), number, a, b) if b and reported else None,
        goes_through=None if game.goes_through is None else game.goes_through.value,
        challenged=bool((game.arranged or {}).get("challenged")),
    )


def lone_board(event: Event, number: int, scenario: Scenario | None, game: Game) -> Board:
    return board_of(play_rules(event), lambda: lost_by_card(adjustments_of(event)), number, scenario, game)


@dataclass(frozen=True)
class OwnScore:
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
        outcome = {"win": gettext("you win"), "draw": gettext("a draw"), "loss": gettext("you lose")}[self.outcome]
        return labelled(outcome, self.why) if self.why else outcome

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


DROPPED = N_("You dropped out"), N_("%(name)s dropped out")
NOT_ACCEPTED = N_("You did not accept"), N_("%(name)s did not accept")
NOT_COME = N_("You did not come"), N_("%(name)s did not come")
FORFEITED = N_("You forfeited"), N_("%(name)s forfeited")
"""Why somebody did not play, said to them and of them."""


def missing(game: Game, absent: Absent | None) -> tuple[int, ...]:
    ids = {Absent.A: (game.a_id,), Absent.B: (game.b_id,), Absent.BOTH: (game.a_id, game.b_id)}
    return tuple(id_ for id_ in ids[absent] if id_ is not None) if absent else ()


def absence(
    event: Event, game: Game, people: Mapping[int, Player], own: int | None = None, *, reads: bool = False
) -> str:
    """The absent players of a game: "Ada did not come", "Ada dropped out"; "" if nobody was absent.

    In a campaign they forfeited. An unanswered challenge is declined, or forfeited by the desk: "Ada did not accept".
    From the side of the player ``own``: "Win: Ada did not come"; and if that player ``reads``: "You did not come".
    """
    gone = missing(game, game.absent)
    if not gone:
        return ""
    if len(gone) == 2 and own not in gone:
        both = gettext("Nobody came") if event.campaign is None else gettext("Both forfeited")
        return gettext("Both dropped out") if game.forfeited else both
    id_ = own if own in gone else gone[0]
    refused = len(gone) == 1 and id_ == game.b_id and arranged_in(game.arranged).unanswered
    of_you, of_name = (
        DROPPED if game.forfeited else NOT_ACCEPTED if refused else FORFEITED if event.campaign else NOT_COME
    )
    if own == id_ and reads:
        return gettext(of_you)
    sentence = gettext(of_name, name=people[id_].name)
    return sentence if own in (None, id_) else gettext("Win: %(said)s", said=sentence)


def missed_rounds(player: Player, published: Iterable[int], own: Collection[int]) -> dict[int, str]:
    """The published rounds that a player missed, with the reason: before a late entry, or between rounds played."""
    if player.state == PlayerState.WAITING or player.ringer:
        return {}
    last = max([*own, player.entered_round - 1])
    return {
        number: str(why_missed(number, player.entered_round))
        for number in published
        if number <= last and number not in own
    }
