"""What the rulings of an event come to: points, VP, games lost by a card, who is disqualified. Read, never stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from events.pairing.figures import minus
from events.soft_rules import Counts, SoftRules, soft_rules
from models.award import Card, Ruling, TeamRuling
from models.event import Event
from models.play import Game


def standing_rulings(event: Event) -> list[Ruling]:
    """Those that were not taken back, oldest first."""
    return [one for one in event.rulings if one.taken_back_at is None]


def counts_from(ruling: Ruling | TeamRuling) -> int:
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
    """What rulings are worth to one player, or to one team."""

    points: int = 0
    vp: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    """The part that moves between score groups: after which round, and how many tournament points."""


def ruled(event: Event, last: int | None = None) -> dict[int, Ruled]:
    """What each player was given or fined by the standings after round ``last``, wherever the event counts it."""
    return _sums(event, ((one.player_id, one) for one in standing_rulings(event)), last)


def teams_ruled(event: Event, last: int | None = None) -> dict[int, Ruled]:
    """The same of each team. What its players were given or fined is theirs, and no part of it."""
    return _sums(event, ((one.team_id, one) for one in event.team_rulings if one.taken_back_at is None), last)


def _sums(event: Event, rulings: Iterable[tuple[int, Ruling | TeamRuling]], last: int | None) -> dict[int, Ruled]:
    rules, found = soft_rules(event), dict[int, Ruled]()
    for whose, one in rulings:
        if last is not None and counts_from(one) > last:
            continue
        before = found.get(whose, Ruled())
        move = ((counts_from(one), one.points),) if moves_groups(rules) and one.points else ()
        found[whose] = Ruled(before.points + one.points, before.vp + one.vp, before.moves + move)
    return found


def bonus_words(points: int) -> str:
    """What tournament points of rulings are called in the arithmetic of somebody's points."""
    return "penalty" if points < 0 else "bonus of the staff"


def moves_groups(rules: SoftRules) -> bool:
    """Whether the tournament points of rulings move players between score groups."""
    return rules.ruling_groups and rules.rulings_count == Counts.POINTS


def cards_of(rulings: Sequence[Ruling], player_id: int, card: Card) -> int:
    """How many of these cards the player was shown."""
    return sum(one.player_id == player_id and one.card == card for one in rulings)


def words_of(ruling: Ruling | TeamRuling, *, card: bool = True) -> str:
    """What was given, without its reason: "Yellow card, −1 tournament point, round 2"."""
    told = _card_words(ruling, card=card) if isinstance(ruling, Ruling) else []
    if ruling.points:
        told.append(f"{signed(ruling.points)} tournament point{'' if abs(ruling.points) == 1 else 's'}")
    if ruling.vp:
        told.append(f"{signed(ruling.vp)} VP")
    told.append(f"round {ruling.round_number}" if ruling.round_number else "for the event")
    text = ", ".join(told)
    return text[0].upper() + text[1:]


def _card_words(ruling: Ruling, *, card: bool) -> list[str]:
    told = []
    if card and ruling.card is not None:
        told.append(f"{ruling.card.value} card")
    if ruling.loses_game:
        told.append("loses the game")
    if ruling.disqualifies:
        told.append("disqualified")
    return told


def signed(number: int) -> str:
    """ "+2" or "−2"."""
    return minus(f"{number:+d}")
