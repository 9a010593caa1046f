"""Scoring outside of games: painting, sportsmanship, penalties, cards and awards.

The settings are one document; missing keys have the defaults given here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Literal

from events.play.figures import minus
from models.award import Card, Ruling, TeamRuling
from models.event import Event
from models.play import Game

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
    """How players rate their opponents."""

    OFF = "off"
    FAVOURITE = "favourite"
    THUMBS = "thumbs"
    SCALE = "scale"


class Counts(StrEnum):
    """Where points that were not won in games count."""

    POINTS = "points"
    TIE_BREAK = "tie_break"
    OVERALL = "overall"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Item:
    """One line of the check list for painting."""

    id: str
    """Kept when its text or points change, so earlier ticks still count."""
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
"""The default list. The first four describe a force well painted for the table, the others an outstanding one."""


@dataclass(frozen=True)
class SoftRules:
    """The settings of an event."""

    painting: Painting = Painting.OFF
    items: tuple[Item, ...] = USUAL_ITEMS
    painting_counts: Counts = Counts.TIE_BREAK
    sports: Sports = Sports.OFF
    sports_counts: Counts = Counts.TIE_BREAK
    rulings_count: Counts = Counts.POINTS
    ruling_groups: bool = True
    """Tournament points of rulings move a player to another score group, if they count in the standings."""
    second_yellow: bool = True
    """A second yellow card is a red one."""
    faction_least: int = 3
    """The players that a faction needs for an award of its own."""
    one_each: bool = False
    """A player wins one award at most: the first in the event's order."""

    @property
    def by_list(self) -> bool:
        """Painting is judged by the check list."""
        return self.painting in (Painting.LIST, Painting.BOTH)

    @property
    def by_vote(self) -> bool:
        """Players vote for the best painted."""
        return self.painting in (Painting.VOTE, Painting.BOTH)


def soft_rules(event: Event) -> SoftRules:
    """The settings of this event."""
    return from_document(event.soft_rules or {})


def from_document(document: Mapping[str, Any]) -> SoftRules:
    """The rules that ``to_document`` wrote; missing keys have their defaults."""
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


def standing_rulings(event: Event) -> list[Ruling]:
    """The rulings that were not taken back, oldest first."""
    return [one for one in event.rulings if one.taken_back_at is None]


def counts_from(ruling: Ruling | TeamRuling) -> int:
    """The round after which it counts in the standings."""
    return ruling.after_round if ruling.round_number is None else ruling.round_number


def lost_by_card(event: Event) -> set[tuple[int, int]]:
    """The games that are lost by a card: round number and player id of each."""
    return {(one.round_number, one.player_id) for one in standing_rulings(event) if one.loses_game and one.round_number}


def won_by_card(event: Event, number: int, game: Game) -> Literal["a", "b"] | None:
    """The side that wins a game of this round because the opponent lost it by a card; None if neither did."""
    lost = lost_by_card(event)
    if (number, game.a_id) in lost:
        return "b"
    return "a" if (number, game.b_id) in lost else None


def disqualified(event: Event) -> set[int]:
    """The ids of disqualified players."""
    return {one.player_id for one in standing_rulings(event) if one.disqualifies}


@dataclass(frozen=True)
class Ruled:
    """The points of all rulings for one player or team."""

    points: int = 0
    vp: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    """The part that moves between score groups: a round number and the tournament points after it."""


def ruled(event: Event, last: int | None = None) -> dict[int, Ruled]:
    """The points of rulings for each player by the standings after round ``last``, wherever the event counts them."""
    return _sums(event, ((one.player_id, one) for one in standing_rulings(event)), last)


def teams_ruled(event: Event, last: int | None = None) -> dict[int, Ruled]:
    """The same for each team, without the rulings for its players."""
    return _sums(event, ((one.team_id, one) for one in event.team_rulings if one.taken_back_at is None), last)


def _sums(event: Event, rulings: Iterable[tuple[int, Ruling | TeamRuling]], last: int | None) -> dict[int, Ruled]:
    rules, found = soft_rules(event), dict[int, Ruled]()
    for owner, one in rulings:
        if last is not None and counts_from(one) > last:
            continue
        before = found.get(owner, Ruled())
        move = ((counts_from(one), one.points),) if moves_groups(rules) and one.points else ()
        found[owner] = Ruled(before.points + one.points, before.vp + one.vp, before.moves + move)
    return found


def bonus_words(points: int) -> str:
    """The name of rulings' points in the arithmetic of a player's points."""
    return "penalty" if points < 0 else "bonus of the staff"


def moves_groups(rules: SoftRules) -> bool:
    """Whether the tournament points of rulings move players between score groups."""
    return rules.ruling_groups and rules.rulings_count == Counts.POINTS


def cards_of(rulings: Sequence[Ruling], player_id: int, card: Card) -> int:
    """The number of these cards that the player has."""
    return sum(one.player_id == player_id and one.card == card for one in rulings)


def words_of(ruling: Ruling | TeamRuling, *, card: bool = True) -> str:
    """The ruling without its reason: "Yellow card, −1 tournament point, round 2"."""
    words = _card_words(ruling, card=card) if isinstance(ruling, Ruling) else []
    if ruling.points:
        words.append(f"{signed(ruling.points)} tournament point{'' if abs(ruling.points) == 1 else 's'}")
    if ruling.vp:
        words.append(f"{signed(ruling.vp)} VP")
    words.append(f"round {ruling.round_number}" if ruling.round_number else "for the event")
    text = ", ".join(words)
    return text[0].upper() + text[1:]


def _card_words(ruling: Ruling, *, card: bool) -> list[str]:
    words = []
    if card and ruling.card is not None:
        words.append(f"{ruling.card.value} card")
    if ruling.loses_game:
        words.append("loses the game")
    if ruling.disqualifies:
        words.append("disqualified")
    return words


def signed(number: int) -> str:
    """ "+2" or "−2"."""
    return minus(f"{number:+d}")
