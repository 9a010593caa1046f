"""Rulings: penalties, cards and disqualifications."""

from collections.abc import Sequence

from languages.message import Text, counted_message, joined, message
from languages.words import signed
from models.award import Card, Ruling, TeamRuling
from models.event import Event


def standing_rulings(event: Event) -> list[Ruling]:
    """The rulings in force, oldest first."""
    return [ruling for ruling in event.rulings if ruling.taken_back_at is None]


def counts_from(ruling: Ruling | TeamRuling) -> int:
    """The round after which the ruling counts in the standings."""
    return ruling.after_round if ruling.round_number is None else ruling.round_number


def disqualified(event: Event) -> set[int]:
    return {ruling.player_id for ruling in standing_rulings(event) if ruling.disqualifies}


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
