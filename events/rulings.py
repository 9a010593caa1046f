"""What the rulings of an event come to: points, VP, games lost by a card, who is disqualified. Read, never stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from events.soft_rules import Counts, SoftRules, soft_rules
from models.award import Card, Ruling
from models.event import Event
from models.play import Game


def standing_rulings(event: Event) -> list[Ruling]:
    """Those that were not taken back, oldest first."""
    return [one for one in event.rulings if one.taken_back_at is None]


def counts_from(ruling: Ruling) -> int:
    """The round after which it stands in the standings."""
    return ruling.after_round if ruling.round_number is None else ruling.round_number


def lost_by_card(event: Event) -> set[tuple[int, int]]:
    """The games that are lost whatever was played: the round and the player of each."""
    return {(one.round_number, one.player_id) for one in standing_rulings(event) if one.loses_game and one.round_number}


def won_by_card(event: Event, number: int, game: Game) -> Literal["a", "b"] | None:
    """Who wins a game of this round because the other one lost it by a card; None where nobody did."""
    lost = lost_by_card(event)
    if (number, game.a_id) in lost:
        return "b"
    return "a" if (number, game.b_id) in lost else None


def disqualified(event: Event) -> set[int]:
    """The players who are, by id."""
    return {one.player_id for one in standing_rulings(event) if one.disqualifies}


@dataclass(frozen=True)
class Ruled:
    """What rulings are worth to one player."""

    points: int = 0
    vp: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    """The part that moves between score groups: after which round, and how many tournament points."""


def ruled(event: Event, last: int | None = None) -> dict[int, Ruled]:
    """What each player was given or fined by the standings after round ``last``, wherever the event counts it."""
    rules, found = soft_rules(event), dict[int, Ruled]()
    for one in standing_rulings(event):
        if last is not None and counts_from(one) > last:
            continue
        before = found.get(one.player_id, Ruled())
        move = ((counts_from(one), one.points),) if moves_groups(rules) and one.points else ()
        found[one.player_id] = Ruled(before.points + one.points, before.vp + one.vp, before.moves + move)
    return found


def moves_groups(rules: SoftRules) -> bool:
    """Whether the tournament points of rulings move players between score groups."""
    return rules.ruling_groups and rules.rulings_count == Counts.POINTS


def cards_of(rulings: Sequence[Ruling], player_id: int, card: Card) -> int:
    """How many of these cards the player was shown."""
    return sum(one.player_id == player_id and one.card == card for one in rulings)


def words_of(ruling: Ruling, *, card: bool = True) -> str:
    """What was given, without its reason: "Yellow card, -1 tournament point, for round 2"."""
    told = []
    if card and ruling.card is not None:
        told.append(f"{ruling.card.value} card")
    if ruling.loses_game:
        told.append("loses the game")
    if ruling.disqualifies:
        told.append("disqualified")
    if ruling.points:
        told.append(f"{signed(ruling.points)} tournament point{'' if abs(ruling.points) == 1 else 's'}")
    if ruling.vp:
        told.append(f"{signed(ruling.vp)} VP")
    told.append(f"round {ruling.round_number}" if ruling.round_number else "for the event")
    text = ", ".join(told)
    return text[0].upper() + text[1:]


def signed(number: int) -> str:
    """ "+2" or "-2"."""
    return f"{number:+d}"
