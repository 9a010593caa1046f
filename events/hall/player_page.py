"""The state of a player's page, derived from a few facts, and the player's rounds so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from events.hall.snapshot import Snapshot, counted
from events.play.brackets import stage_of
from events.play.own_side import missed_rounds
from events.play.queries import RoundView
from models.event import Event, EventState, RoundKind
from models.play import Game, GameState, Player, PlayerState
from validators.scenario import Outcome, Score


class Now(StrEnum):
    """The state of a player's page; each has a template ``hall/now/<state>.html``."""

    OVER = "over"
    LEFT = "left"
    WAITING = "waiting"
    BOARDS = "boards"
    """The captains are still choosing the boards of the match."""
    GAME = "game"
    BYE = "bye"
    NO_GAME = "no_game"
    COMPLETE = "complete"
    MEETING = "meeting"
    """Seated for the player meeting before round 1."""
    REGISTERED = "registered"
    LADDER = "ladder"
    """In a season by challenge, without an open game."""


@dataclass(frozen=True)
class Facts:
    """The facts that decide the state."""

    event: EventState
    player: PlayerState
    round: Literal["none", "playing", "complete"] = "none"
    """The current game's round, or the newest published round."""
    game: Literal["none", "bye", "open", "decided"] = "none"
    """The player's game in that round: none, a bye, without or with a confirmed result."""
    matched: bool = False
    """Whether the player's team has a match in that round, in a team event."""
    seated: bool = False
    """Whether the player has a seat in the published player meeting."""
    challenges: bool = False
    """Whether a season by challenge is running, without a knockout."""


def now_of(facts: Facts) -> Now:
    """The state of a player's page. A player who dropped still sees an unplayed game."""
    if facts.event == EventState.FINISHED:
        return Now.OVER
    if facts.player == PlayerState.DROPPED and not (facts.round == "playing" and facts.game == "open"):
        return Now.LEFT
    if facts.player == PlayerState.WAITING:
        return Now.WAITING
    if facts.challenges and facts.game != "open":
        return Now.LADDER
    if facts.round == "complete":
        return Now.COMPLETE
    if facts.round == "playing":
        if facts.game == "none":
            return Now.BOARDS if facts.matched else Now.NO_GAME
        return Now.BYE if facts.game == "bye" else Now.GAME
    return Now.MEETING if facts.seated else Now.REGISTERED


@dataclass(frozen=True)
class Line:
    """One published round of a player."""

    number: int
    stage: str
    """The stage of a knockout round; "" for others."""
    game: Game | None
    """None for a round that the player missed."""
    opponent: Player | None
    result: str
    """"win", "draw", "loss", "bye"; "" if nothing counts yet; for a missed round the reason."""
    vp: tuple[int, int] | None
    """The player's and the opponent's victory points, if they count."""
    points: int | None
    """The tournament points after this round; None before it is complete."""
    rank: int | None
    """The rank after this round; None before it is complete."""


@dataclass(frozen=True)
class Standing:
    """A player's rank after the last complete round."""

    rank: int
    of: int
    points: int
    after: int


def open_games(shared: Snapshot, player: Player, own: Mapping[int, Game]) -> list[tuple[RoundView, Game]]:
    """The player's games without a result in simultaneous rounds, in the order of rounds."""
    played = [(view, own.get(game.id, game)) for view, game in shared.played.get(player.id, ())]
    return [
        (view, game)
        for view, game in played
        if view.round.kind == RoundKind.ROUND_ROBIN and game.b_id is not None and game.state != GameState.CONFIRMED
    ]


def at_hand(shared: Snapshot, player: Player, own: Mapping[int, Game]) -> tuple[RoundView, Game] | None:
    """The player's oldest open game, else the game or bye in the newest published round; with its round."""
    played = shared.played.get(player.id, ())
    newest = [(view, own.get(game.id, game)) for view, game in played[-1:] if view is shared.view]
    return next(iter([*open_games(shared, player, own), *newest]), None)


def record_of(shared: Snapshot, event: Event, player: Player, own: Mapping[int, Game]) -> tuple[Line, ...]:
    """The player's rounds in order; ``own`` games are newer than those of the snapshot."""
    lines = [
        _line(shared, event, view, own.get(game.id, game), player) for view, game in shared.played.get(player.id, ())
    ]
    if event.season is None and shared.view is not None:
        published = range(1, shared.view.round.number + 1)
        for number, why in missed_rounds(player, published, {line.number for line in lines}).items():
            lines.append(Line(number, "", None, None, why, None, *_after(shared, number, player)))
    return tuple(sorted(lines, key=lambda line: line.number))


def standing_of(shared: Snapshot, player: Player) -> Standing | None:
    """The player's rank; None before round 1 is complete, and for players who are not ranked."""
    row = shared.standings[-1].get(player.id) if shared.standings else None
    if row is None:
        return None
    return Standing(row.rank, len(shared.standings[-1]), row.points, len(shared.standings))


def _line(shared: Snapshot, event: Event, view: RoundView, game: Game, player: Player) -> Line:
    number = view.round.number
    points, rank = (
        _after(shared, number, player) if event.season is None else (None, None)
    )  # a season's rounds run at the same time
    is_a = player.id == game.a_id
    other = game.b_id if is_a else game.a_id
    known = counted(event, view, game) if view.round.id in shared.incomplete else shared.results[game.id]
    return Line(
        number=number,
        stage=stage_of(view.round),
        game=game,
        opponent=shared.people.get(other) if other is not None else None,
        result=_result(known.winner, game, "a" if is_a else "b"),
        vp=_own_vp(known.score, is_a=is_a),
        points=None if view.round.kind == RoundKind.KNOCKOUT else points,
        rank=rank,
    )


def _after(shared: Snapshot, number: int, player: Player) -> tuple[int | None, int | None]:
    """The player's points and rank after a complete round."""
    row = shared.standings[number - 1].get(player.id) if number <= len(shared.standings) else None
    return (None, None) if row is None else (row.points, row.rank)


def _own_vp(score: Score | None, *, is_a: bool) -> tuple[int, int] | None:
    if score is None or not score.known:
        return None
    return (score.a, score.b) if is_a else (score.b, score.a)


def _result(winner: Outcome | None, game: Game, side: Outcome) -> str:
    if game.b_id is None:
        return "bye"
    return "" if winner is None else "draw" if winner == "draw" else "win" if winner == side else "loss"
