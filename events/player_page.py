"""What a player's page says first: the one state that it is in, decided from a few facts."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from models.event import EventState
from models.play import PlayerState


class Now(StrEnum):
    """Where a player stands now; each has a template of its own, ``me/now/<state>.html``."""

    OVER = "over"
    LEFT = "left"
    WAITING = "waiting"
    BOARDS = "boards"
    """The captains of the team's match still choose who sits at which board."""
    GAME = "game"
    BYE = "bye"
    NO_GAME = "no_game"
    COMPLETE = "complete"
    MEETING = "meeting"
    """Seated for the player meeting before round 1."""
    REGISTERED = "registered"


@dataclass(frozen=True)
class Facts:
    """What the state depends on."""

    event: EventState
    player: PlayerState
    round: Literal["none", "playing", "complete"] = "none"
    """The newest published round."""
    game: Literal["none", "bye", "open", "decided"] = "none"
    """What the player has in that round: a bye, a game without a counting result, or with one."""
    matched: bool = False
    """In a team event: the player's team has a match in that round."""
    seated: bool = False
    """The player has a seat in the published player meeting."""


def now_of(facts: Facts) -> Now:
    """The state of a player's page. Who left reads that, but for a game that is still to be played."""
    if facts.event == EventState.FINISHED:
        return Now.OVER
    if facts.player == PlayerState.DROPPED and not (facts.round == "playing" and facts.game == "open"):
        return Now.LEFT
    if facts.player == PlayerState.WAITING:
        return Now.WAITING
    if facts.round == "complete":
        return Now.COMPLETE
    if facts.round == "playing":
        if facts.game == "none":
            return Now.BOARDS if facts.matched else Now.NO_GAME
        return Now.BYE if facts.game == "bye" else Now.GAME
    return Now.MEETING if facts.seated else Now.REGISTERED
