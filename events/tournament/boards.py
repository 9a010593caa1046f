"""A round of an event as it stands, its stage and its games: copied from their rows, meant by the event's rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from events.tournament import figures
from events.tournament.endings import Ending
from events.tournament.figures import Result, Scheme
from events.tournament.scores import PLAYED_OUT, Ended, score
from events.tournament.season import Season
from events.tournament.team_ranking import Match
from validators.game_system import GameSystem
from validators.scenario import Answers, Outcome, Scenario, Score


@dataclass(frozen=True)
class Stage:
    kind: Literal["swiss", "round_robin", "knockout", "challenges"]
    counts: Literal["complete", "at once", "places"] = "complete"
    """When the standings count results: once the round is complete, or at once. A knockout gives places instead."""
    byes_score: bool = True
    opens_together: bool = False
    """Whether its rounds can start before earlier ones are complete."""
    by_points: bool = False
    """Whether draws follow results: drafts are secret, swaps are possible, and scenarios do not repeat."""
    one_wins: bool = False
    """Whether a drawn game needs a decision on who advances."""
    stands_in: bool = False
    """Whether a player can ask for a bye, and a stand-in play the player with the bye."""
    by_days: bool = False
    """Whether its rounds last days, as in a season: no clock and no tables."""
    crossed: bool = False
    """Whether everybody meets everybody, which a cross table shows."""
    has_rounds: bool = True
    """Whether readers know its games by rounds; challenges stand alone, in the order of making."""
    by_ladder: bool = False
    """Whether a ladder ranks its players, so that points and victory points rank nobody."""
    sets_rounds: bool = True
    """Whether the first draw sets the number of rounds, by the number of players."""


def stage_of(kind: str, season: Season | None, *, teams: bool) -> Stage:
    """The stage of rounds of this kind: "swiss", "round_robin" or "knockout"."""
    by_days = season is not None
    if kind == "knockout":
        return Stage("knockout", "places", one_wins=True, by_days=by_days)
    counts: Literal["complete", "at once"] = "at once" if by_days else "complete"
    if season is not None and season.by_challenge:
        robin = kind == "round_robin"
        return Stage(
            "challenges", counts, byes_score=False, opens_together=True, stands_in=True, by_days=True, crossed=robin,
            has_rounds=False, by_ladder=season.kind == "ladder", sets_rounds=robin,
        )  # fmt: skip
    if kind == "round_robin":  # else players gained by the bye where an opponent left
        return Stage(
            "round_robin", counts, byes_score=False, opens_together=not teams, stands_in=not teams, by_days=by_days,
            crossed=True,
        )  # fmt: skip
    return Stage("swiss", counts, by_points=True, stands_in=not teams, by_days=by_days, sets_rounds=False)


Card = Literal["a", "b"]
"""The side that wins a game because its opponent lost it by a card."""


@dataclass(frozen=True)
class PlayRules:
    system: GameSystem = field(repr=False)
    scheme: Scheme
    """Of games."""
    match_scheme: Scheme
    """Of matches of teams."""
    team_size: int = 1
    """The boards of a match; 1: players are paired, not teams."""
    season: Season | None = None
    third_place: bool = False
    cut: bool = False
    """Whether a knockout is to follow the other rounds."""
    closed: bool = False
    """Whether the event is closed."""
    rulings_count: Literal["points", "tie_break", "overall", "nothing"] = "points"
    rulings_move: bool = True
    """Whether points from rulings change a score group."""

    @property
    def teams(self) -> bool:
        return self.team_size > 1


@dataclass(frozen=True)
class Board:
    """One game of a round as its row says; ``b`` is None for a bye."""

    id: int
    """Of the row."""
    round: int
    a: str
    b: str | None
    rules: PlayRules = field(repr=False)
    table: int | None = None
    scenario: Scenario | None = None
    """With the questions that the event's reports answer; None until it is drawn."""
    confirmed: bool = False
    reported: bool = False
    """Whether a result is in, confirmed or not."""
    asked: bool = False
    walk_over: bool = False
    """Whether the other team left this board empty: a win."""
    absent: Literal["a", "b", "both"] | None = None
    left: bool = False
    """Whether the absent side left the event."""
    answers: Answers | None = None
    how: Ended = PLAYED_OUT
    card: Card | None = None
    goes_through: Literal["a", "b", "nobody"] | None = None
    """Who advances after a drawn knockout game, by the organiser's decision."""
    challenged: bool = False

    @cached_property
    def score(self) -> Score | None:
        """The score by the confirmed or reported result, cards included; None without figures."""
        if self.b is None or self.answers is None or self.scenario is None:
            return None
        return score(self.rules.system, self.scenario, self.answers, self.how, self.card)

    @cached_property
    def winner(self) -> Outcome | None:
        """The winner of a confirmed game, cards included; None for an open game and for a bye.

        If only one side came, it wins. A game that nobody played is a draw.
        """
        if self.confirmed and self.card:
            return self.card
        if self.absent is not None:
            winners: dict[str, Outcome] = {"a": "b", "b": "a"}
            return winners.get(self.absent, "draw")
        if self.b is None or not self.confirmed:
            return None
        if self.how.how == Ending.NOT_PLAYED:
            return "draw"
        return None if self.score is None else self.score.outcome

    @cached_property
    def result(self) -> Result | None:
        """The result for the standings; None until it is confirmed."""
        if self.b is None:
            return Result(self.round, self.a, None, asked=self.asked, walk_over=self.walk_over)
        if self.absent is not None:
            return Result(self.round, self.a, self.b, absent=self.absent, left=self.left)
        if not self.confirmed or self.scenario is None:
            return None
        ending: figures.Ending | None = None if self.how.how is None else self.how.how.value
        if ending == "not_played":
            return Result(self.round, self.a, self.b, ending=ending)
        if (s := self.score) is None:
            return None
        return Result(self.round, self.a, self.b, s.a, s.b, self.table, s.decided, scenario=self.scenario.id,
                      ending=ending, also=s.also)  # fmt: skip

    @property
    def unplayed(self) -> bool:
        """Whether nobody played a confirmed game, so that nobody need advance from it."""
        return self.confirmed and (self.absent == "both" or self.how.how == Ending.NOT_PLAYED)

    @property
    def through(self) -> Literal["a", "b", "nobody"] | None:
        """Who advances from a knockout game; None while it is open or its draw is undecided."""
        if self.b is None:  # a requested bye advances nobody
            return "a" if self.confirmed and not self.asked else None
        if self.winner != "draw":
            return self.winner
        return None if self.goes_through == "nobody" and not self.unplayed else self.goes_through

    @property
    def decision(self) -> Literal["a", "b", "nobody"] | None:
        """Who advances by the organiser's decision; None if the result decides."""
        return self.through if self.winner == "draw" else None

    @property
    def advances(self) -> str | None:
        return {"a": self.a, "b": self.b}.get(self.through or "")


@dataclass(frozen=True)
class TournamentRound:
    number: int
    stage: Stage
    state: Literal["planned", "drawn", "published"]
    boards: tuple[Board, ...] = ()
    matches: tuple[Match, ...] = ()
    """In a team event: the matches of the games."""
    choosing: int = 0
    """The number of matches whose captains still choose their boards."""
    team_size: int = 1
    started: bool = False
    """Whether its clock was started, or it has none because it is a season's."""
    inputs: Mapping[str, Any] | None = None
    """The stored request of its draw."""

    @cached_property
    def tied(self) -> frozenset[int]:
        """The ids of drawn knockout games without a decision on who advances."""
        if not self.stage.one_wins:
            return frozenset()
        return frozenset(b.id for b in self.boards if b.through is None and b.winner == "draw")

    def is_open(self, board: Board) -> bool:
        return not board.confirmed or board.id in self.tied

    @property
    def games(self) -> int:
        """The number of games, without byes, with those whose boards are not chosen yet."""
        return sum(board.b is not None for board in self.boards) + self.choosing * self.team_size

    @property
    def decided(self) -> int:
        """The number of games with a result that counts: a disputed one has none."""
        return self.games - self.open_games

    @cached_property
    def open_games(self) -> int:
        """The number of games without a result that counts, with those whose boards are not chosen yet."""
        return sum(map(self.is_open, self.boards)) + self.choosing * self.team_size

    @property
    def complete(self) -> bool:
        return self.state == "published" and not self.open_games

    @property
    def counts(self) -> bool:
        """Whether the standings count the round's results: once complete, in a season also before."""
        return self.complete or (self.stage.counts == "at once" and self.state == "published")

    @property
    def begun(self) -> bool:
        """Whether a published round is played: its clock was started, or a result is in."""
        return self.started or any(b.reported and b.b and b.absent is None for b in self.boards)
