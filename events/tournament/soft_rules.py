"""How what is judged outside games counts: painting, sportsmanship, penalties. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Painting(StrEnum):
    OFF = "off"
    VOTE = "vote"


class Sports(StrEnum):
    OFF = "off"
    FAVOURITE = "favourite"
    THUMBS = "thumbs"
    SCALE = "scale"


class Counts(StrEnum):
    POINTS = "points"
    TIE_BREAK = "tie_break"
    OVERALL = "overall"
    NOTHING = "nothing"


@dataclass(frozen=True)
class SoftRules:
    painting: Painting = Painting.OFF
    painting_counts: Counts = Counts.TIE_BREAK
    sports: Sports = Sports.OFF
    sports_counts: Counts = Counts.TIE_BREAK
    rulings_count: Counts = Counts.POINTS
    ruling_groups: bool = True
    """Whether tournament points from rulings change a player's score group; only if they count in the standings."""
    second_yellow: bool = True
    """Whether a second yellow card counts as a red one."""
    faction_least: int = 3
    """The number of players that a faction needs for an award of its own."""
    one_each: bool = False
    """Whether a player wins one award at most: the first in the event's order."""
    hold: bool = False
    """Whether visitors read the final standings only once the awards are published."""

    @property
    def move_groups(self) -> bool:
        """Whether tournament points from rulings change players' score groups."""
        return self.ruling_groups and self.rulings_count == Counts.POINTS

    @property
    def by_vote(self) -> bool:
        return self.painting == Painting.VOTE
