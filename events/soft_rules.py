"""What an event counts beside its games, and where: painting, sportsmanship, rulings, cards and awards.

Kept with the event as one document; what is not in it stands as it does here, so that an event without any counts as it
always did.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from models.event import Event

MOST_ITEMS = 12
LONGEST_ITEM = 120
MOST_POINTS = 20


class Painting(StrEnum):
    """How painting is judged."""

    OFF = "off"
    LIST = "list"
    VOTE = "vote"
    BOTH = "both"


class Sports(StrEnum):
    """What players say of their opponents."""

    OFF = "off"
    FAVOURITE = "favourite"
    THUMBS = "thumbs"
    SCALE = "scale"


class Counts(StrEnum):
    """Where something counts that was not won at the table."""

    POINTS = "points"
    TIE_BREAK = "tie_break"
    OVERALL = "overall"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Item:
    """One line of the check list for painting."""

    id: str
    """Stays when its words or its points change: what was ticked before counts on."""
    text: str
    points: int


USUAL_ITEMS = (
    Item("i1", "Every model is painted, nothing is bare plastic, metal or primer", 3),
    Item("i2", "At least three colours on every model", 2),
    Item("i3", "Bases are finished: ground, colour, a clean rim", 2),
    Item("i4", "Shading or highlights over most of the force", 2),
    Item("i5", "Details are picked out: eyes, weapons, markings", 1),
    Item("i6", "The force looks as one: a scheme, a theme, a display", 1),
)
"""A list to begin with. The first four are a force that is well painted for the table, the rest is what stands out."""


@dataclass(frozen=True)
class SoftRules:
    """The event's own choice."""

    painting: Painting = Painting.OFF
    items: tuple[Item, ...] = USUAL_ITEMS
    painting_counts: Counts = Counts.TIE_BREAK
    sports: Sports = Sports.OFF
    sports_counts: Counts = Counts.TIE_BREAK
    rulings_count: Counts = Counts.POINTS
    ruling_groups: bool = True
    """Tournament points of rulings move a player to another score group, where they count in the standings."""
    second_yellow: bool = True
    """A second yellow card is a red one."""
    faction_least: int = 3
    """So many players a faction must have for an award of its own."""
    one_each: bool = False
    """Whoever has won an award is passed over for those after it in the event's order."""

    @property
    def by_list(self) -> bool:
        """Painting is judged by the check list."""
        return self.painting in (Painting.LIST, Painting.BOTH)

    @property
    def by_vote(self) -> bool:
        """Players vote for the best painted."""
        return self.painting in (Painting.VOTE, Painting.BOTH)


def soft_rules(event: Event) -> SoftRules:
    """How this event counts."""
    return from_document(event.soft_rules or {})


def from_document(document: Mapping[str, Any]) -> SoftRules:
    """The rules that ``to_document`` wrote; what it did not know yet stands as usual."""
    usual = SoftRules()
    return SoftRules(
        painting=Painting(document.get("painting", usual.painting)),
        items=tuple(Item(**item) for item in document["items"]) if "items" in document else usual.items,
        painting_counts=Counts(document.get("painting_counts", usual.painting_counts)),
        sports=Sports(document.get("sports", usual.sports)),
        sports_counts=Counts(document.get("sports_counts", usual.sports_counts)),
        rulings_count=Counts(document.get("rulings_count", usual.rulings_count)),
        ruling_groups=document.get("ruling_groups", usual.ruling_groups),
        second_yellow=document.get("second_yellow", usual.second_yellow),
        faction_least=document.get("faction_least", usual.faction_least),
        one_each=document.get("one_each", usual.one_each),
    )


def to_document(rules: SoftRules) -> dict[str, Any]:
    """The rules as JSON can hold them."""
    plain = asdict(rules)
    return plain | {"items": [asdict(item) for item in rules.items]}
