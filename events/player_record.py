"""A player's rounds so far, one line each, as the player's page tells them."""

from dataclasses import dataclass

from events.brackets import stage_of
from events.reading import RoundView
from events.web.snapshot import Snapshot
from models.event import RoundKind
from models.play import Game, Player
from validators.scenario import Outcome


@dataclass(frozen=True)
class Line:
    """One published round of a player."""

    number: int
    stage: str
    """What a round of a knockout is called; "" for any other."""
    game: Game
    opponent: Player | None
    result: str
    """"win", "draw", "loss", "bye"; "" while nothing counts."""
    vp: tuple[int, int] | None
    """Own and the opponent's victory points, where they count."""
    points: int | None
    """The tournament points after this round, all that counts added up; None before it is complete."""
    rank: int | None
    """The place after this round; None before it is complete."""


@dataclass(frozen=True)
class Standing:
    """Where a player stands after the last complete round."""

    rank: int
    of: int
    points: int
    after: int


def record_of(shared: Snapshot, player: Player) -> tuple[Line, ...]:
    """The rounds in which a player had a game or a bye, the first round's first."""
    return tuple(_line(shared, view, game, player) for view, game in shared.played.get(player.id, ()))


def standing_of(shared: Snapshot, player: Player) -> Standing | None:
    """Where a player stands; None before the first round is complete, and for those who are not ranked."""
    row = shared.standings[-1].get(player.id) if shared.standings else None
    if row is None:
        return None
    return Standing(row.rank, len(shared.standings[-1]), row.points, len(shared.standings))


def _line(shared: Snapshot, view: RoundView, game: Game, player: Player) -> Line:
    number = view.round.number
    row = shared.standings[number - 1].get(player.id) if number <= len(shared.standings) else None
    is_a = player.id == game.a_id
    other = game.b_id if is_a else game.a_id
    winner, score = shared.results.get(game.id, (None, None))
    return Line(
        number=number,
        stage=stage_of(view.round),
        game=game,
        opponent=shared.people.get(other) if other is not None else None,
        result=_result(winner, game, "a" if is_a else "b"),
        vp=None if score is None else (score.a, score.b) if is_a else (score.b, score.a),
        points=None if row is None or view.round.kind == RoundKind.KNOCKOUT else row.points,
        rank=None if row is None else row.rank,
    )


def _result(winner: Outcome | None, game: Game, side: Outcome) -> str:
    if game.b_id is None:
        return "bye"
    return "" if winner is None else "draw" if winner == "draw" else "win" if winner == side else "loss"
