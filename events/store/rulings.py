"""Scores from outside games: painting, sportsmanship, penalties, cards and awards.

The settings are one document; missing keys have the defaults given here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from languages.message import Text, counted_message, joined, message
from languages.words import signed
from models.award import Card, Ruling, TeamRuling
from models.event import Event


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
    def by_vote(self) -> bool:
        return self.painting == Painting.VOTE


KINDS: Mapping[str, type[StrEnum]] = {
    "painting": Painting,
    "sports": Sports,
    "painting_counts": Counts,
    "sports_counts": Counts,
    "rulings_count": Counts,
}
"""The settings that are a choice."""


def soft_rules(event: Event) -> SoftRules:
    return soft_rules_from(event.soft_rules or {})


def soft_rules_from(document: Mapping[str, Any]) -> SoftRules:
    """The settings that ``to_document`` wrote; missing keys have their defaults."""
    values = {field.name: document[field.name] for field in fields(SoftRules) if field.name in document}
    values |= {name: kind(values[name]) for name, kind in KINDS.items() if name in values}
    return SoftRules(**values)


def soft_rules_document(rules: SoftRules) -> dict[str, Any]:
    return asdict(rules)


def standing_rulings(event: Event) -> list[Ruling]:
    """The rulings in force, oldest first."""
    return [ruling for ruling in event.rulings if ruling.taken_back_at is None]


def counts_from(ruling: Ruling | TeamRuling) -> int:
    """The round after which the ruling counts in the standings."""
    return ruling.after_round if ruling.round_number is None else ruling.round_number


def disqualified(event: Event) -> set[int]:
    return {ruling.player_id for ruling in standing_rulings(event) if ruling.disqualifies}


def moves_groups(rules: SoftRules) -> bool:
    """Whether tournament points from rulings change players' score groups."""
    return rules.ruling_groups and rules.rulings_count == Counts.POINTS


def cards_of(rulings: Sequence[Ruling], player_id: int, card: Card) -> int:
    return sum(ruling.player_id == player_id and ruling.card == card for ruling in rulings)


def ruling_text(ruling: Ruling | TeamRuling, *, card: bool = True) -> Text:
    """The ruling without its reason: "Yellow card, −1 tournament point, round 2"."""
    words = _card_words(ruling, card=card) if isinstance(ruling, Ruling) else []
    if ruling.points:
        words.append(
            counted_message(
                "%(points)s tournament point",
                "%(points)s tournament points",
                abs(ruling.points),
                points=signed(ruling.points),
            )
        )
    if ruling.vp:
        words.append(message("%(vp)s VP", vp=signed(ruling.vp)))
    number = ruling.round_number
    words.append(message("round %(number)s", number=number) if number else message("for the event"))
    return joined(words, form="capital")


def _card_words(ruling: Ruling, *, card: bool) -> list[Text]:
    words = list[Text]()
    if card and ruling.card is not None:
        words.append(message("yellow card") if ruling.card == Card.YELLOW else message("red card"))
    if ruling.loses_game:
        words.append(message("loses the game"))
    if ruling.disqualifies:
        words.append(message("disqualified"))
    return words
