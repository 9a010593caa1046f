"""A result from one player's side: the own figures first, then who won or was absent in words."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from events.play.figures import why_missed
from models.play import Absent, Game, Player, PlayerState
from validators.scenario import Score, Side


@dataclass(frozen=True)
class OwnScore:
    """A score from one player's side."""

    own: int
    other: int
    outcome: str
    """"win", "draw" or "loss"."""
    known: bool = True
    """Whether the victory points are known."""

    @property
    def figures(self) -> str:
        """The figures, own first: "5 : 9"; "" if only the outcome is known."""
        return f"{self.own} : {self.other}" if self.known else ""

    @property
    def words(self) -> str:
        """The outcome within a sentence: "you win", "a draw", "you lose"."""
        return {"win": "you win", "draw": "a draw", "loss": "you lose"}[self.outcome]

    @property
    def sentence(self) -> str:
        """The outcome as a sentence of its own: "You win"."""
        return f"{self.words[0].upper()}{self.words[1:]}"


def own_score(score: Score | None, side: Side) -> OwnScore | None:
    """The score from this side; None without figures."""
    if score is None:
        return None
    outcome = "draw" if score.outcome == "draw" else "win" if score.outcome == side else "loss"
    return OwnScore(*((score.a, score.b) if side == "a" else (score.b, score.a)), outcome, score.known)


def missing(game: Game, absent: Absent | None) -> tuple[int, ...]:
    """The ids of the absent players."""
    ids = {Absent.A: (game.a_id,), Absent.B: (game.b_id,), Absent.BOTH: (game.a_id, game.b_id)}
    return tuple(id_ for id_ in ids[absent] if id_ is not None) if absent else ()


def absence(game: Game, number: int, people: Mapping[int, Player], own: int | None = None, you: str = "You") -> str:
    """The absent players of a game of round ``number``: "Ada did not come"; "" if nobody was absent.

    From the side of the player ``own``, addressed as ``you``: "Win: Ada did not come", "You did not come".
    """
    gone = missing(game, game.absent)
    if not gone:
        return ""
    if len(gone) == 2:
        return f"{you} did not come" if own in gone else "Nobody came"
    (id_,) = gone
    left = people[id_].dropped_after == number
    said = f"{you if own == id_ else people[id_].name} {'dropped out' if left else 'did not come'}"
    return said if own in (None, id_) else f"Win: {said}"


def missed_rounds(player: Player, published: Iterable[int], own: Collection[int]) -> dict[int, str]:
    """The published rounds that a player missed, with the reason: before a late entry, or between rounds played."""
    if player.state == PlayerState.WAITING or player.ringer:
        return {}
    last = max([*own, player.entered_round - 1])
    return {
        number: why_missed(number, player.entered_round) for number in published if number <= last and number not in own
    }
