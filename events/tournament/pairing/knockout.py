"""Single elimination: a seeded bracket, its matches, and everybody's place; and the round robin.

Seeds are folded as usual: if the better seeds win, the best seed in each round meets the lowest remaining one, the
second best the second lowest, and seeds 1 and 2 meet only in the final. If the field is not a power of two, the lowest
places stay empty, and the top seeds opposite them have byes.

Round robin: every player meets every other once, or twice with the sides changed, by the circle method.

The last place stands still and the others turn by one step a round (Kirkman, 1847; the Berger tables of chess are the
same schedule in other numbers). In an odd field the last place is empty: its opponent has the bye, everybody once.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from events.tournament.pairing.notes import Figure, Note, NoteKind
from events.tournament.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Seat, lot
from languages.message import Message, Text, message
from languages.words import N_

KNOCKOUT = "overseer-knockout/1"


@dataclass(frozen=True)
class Bracket:
    """A seeded bracket and its winners so far.

    ``seeds`` are ids, the best first. ``through`` has the ids that advanced in each round so far, in any order; in the
    final they include the winner of the game for third place.
    """

    seeds: tuple[str, ...]
    through: tuple[tuple[str, ...], ...] = ()
    third_place: bool = False
    complete: bool = False
    """Whether the last of these rounds is complete, so that nobody else advances from it."""


@dataclass(frozen=True)
class Match:
    """One match of a bracket; a side is None if its place is empty or its player is not known yet."""

    a: str | None
    b: str | None
    winner: str | None = None
    third: bool = False
    """Whether it is the game for third place, played in the round of the final."""
    open: bool = False
    """Whether it can still have a winner."""

    @property
    def loser(self) -> str | None:
        """The loser; None while the match is open, or without an opponent."""
        if self.winner is None:
            return None
        return self.b if self.winner == self.a else self.a


@dataclass(frozen=True)
class Place:
    """A player's place in the bracket, from 1, and the reason: "lost the final"."""

    place: int
    id: str
    how: Text
    last: Match | None = None
    """The final or the game for third place, if it decided the place."""


def size_for(players: int) -> int:
    """The size of the smallest bracket that holds all players. Raises ValueError for fewer than two."""
    if players < 2:
        raise ValueError(f"a knockout needs two players, and there are {players}")
    return 1 << (players - 1).bit_length()


def rounds_for(players: int) -> int:
    """The number of rounds of a knockout. Raises ValueError for fewer than two players."""
    return size_for(players).bit_length() - 1


def bracket_order(size: int) -> tuple[int, ...]:
    """The seeds from 1 in the order of a bracket of ``size`` places, a power of two.

    Neighbours meet in the first round, the winners of neighbouring matches in the next: 1, 8, 4, 5, 2, 7, 3, 6.
    """
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        places = 2 * len(order)
        order = tuple(seed for number in order for seed in (number, places + 1 - number))
    return order


def stage(places: int, *, many: bool = False) -> Message:
    """The name of the round that begins with ``places`` players: "quarter-final"; with ``many``, "quarter-finals"."""
    if places == 2:
        return message("final")
    if places == 4:
        return message("semi-finals") if many else message("semi-final")
    if places == 8:
        return message("quarter-finals") if many else message("quarter-final")
    if places in (16, 32):  # many languages have names for these
        return message("round of 16") if places == 16 else message("round of 32")
    return message("round of %(places)s", places=places)


def rounds(bracket: Bracket) -> tuple[tuple[Match, ...], ...]:
    """All matches of the bracket by round, future ones with the players known so far.

    Raises ValueError for a repeated seed, or an advancing player without a match.
    """
    if len(set(bracket.seeds)) < len(bracket.seeds):
        raise ValueError("a seed stands twice in the bracket")
    size = size_for(len(bracket.seeds))
    standing: list[str | None] = [
        bracket.seeds[seed - 1] if seed <= len(bracket.seeds) else None for seed in bracket_order(size)
    ]
    played: list[tuple[Match, ...]] = []
    for number in range(rounds_for(len(bracket.seeds))):
        through = bracket.through[number] if number < len(bracket.through) else ()
        over = number < len(bracket.through) - (not bracket.complete)
        matches = []
        for place, (a, b) in enumerate(zip(standing[::2], standing[1::2], strict=True)):
            waits = any(match.open for match in (played[-1] if played else ())[2 * place : 2 * place + 2])
            winner = _winner((a, b), through)
            matches.append(Match(a, b, winner, open=not over and not winner and bool(a or b or waits)))
        standing = [match.winner for match in matches]
        if len(matches) == 1 and bracket.third_place and played:
            a, b = (match.loser for match in played[-1])
            winner, waits = _winner((a, b), through), any(match.open for match in played[-1])
            matches.append(Match(a, b, winner, third=True, open=not over and not winner and bool((a and b) or waits)))
        strangers = set(through) - {match.winner for match in matches}
        if strangers:
            raise ValueError(f"{', '.join(sorted(strangers))} went through without standing in round {number + 1}")
        played.append(tuple(matches))
    if len(bracket.through) > len(played):
        raise ValueError(f"a bracket of {len(bracket.seeds)} has {len(played)} rounds")
    return tuple(played)


def in_play(bracket: Bracket) -> frozenset[str]:
    matches = [match for matches in rounds(bracket) for match in matches if match.open]
    return frozenset(id_ for match in matches for id_ in (match.a, match.b) if id_)


def _winner(couple: tuple[str | None, str | None], through: Sequence[str]) -> str | None:
    won = [text for text in couple if text is not None and text in through]
    if len(won) > 1:
        raise ValueError(f"{won[0]} and {won[1]} both went through their one match")
    return won[0] if won else None


def draw_knockout(seats: Iterable[Seat], bracket: Bracket, by: str, seed: int) -> Draw:
    """The bracket's next round for the players who hold a seat: the best seed's game first, that for third place last.

    A player whose opponent holds no seat advances without a game. Raises ValueError after the final, and as ``rounds``
    does.
    """
    number = len(bracket.through)
    everything = rounds(bracket)
    if number >= len(everything):
        raise ValueError("the final is played")
    here = {seat.id: seat for seat in seats}
    seed_of = {id_: place for place, id_ in enumerate(bracket.seeds, start=1)}
    left = size_for(len(bracket.seeds)) >> number
    pairs: list[Pair] = []
    idle: list[Idle] = []

    def best_seed(match: Match) -> tuple[bool, int]:
        return match.third, min((seed_of[id_] for id_ in (match.a, match.b) if id_), default=0)

    for match in sorted(everything[number], key=best_seed):
        played: dict[str, Figure] = {"places": left}
        if match.third:
            played["third"] = True
        standing = sorted((id_ for id_ in (match.a, match.b) if id_), key=seed_of.__getitem__)
        present = [id_ for id_ in standing if id_ in here]
        if len(present) == 2:
            a, b = present
            notes = [Note(NoteKind.BRACKET_MATCH, played | {"seed": seed_of[a], "other": seed_of[b]})]
            if b in here[a].opponents or a in here[b].opponents:
                notes.append(Note(NoteKind.MET_BEFORE_BRACKET))
            pairs.append(Pair(a, b, tuple(notes)))
        elif present and (len(standing) == 2 or not match.third):  # the only loser of a semi-final is third
            absent = [seed_of[id_] for id_ in standing if id_ not in here]
            idle.append(Idle(present[0], (_without_a_game(played | {"seed": seed_of[present[0]]}, number, absent),)))
    return Draw(tuple(pairs), None, Levels(), Certificate(True, by), seed, KNOCKOUT, idle=tuple(idle))


def _without_a_game(played: dict[str, Figure], number: int, absent: Sequence[int]) -> Note:
    if absent:
        return Note(NoteKind.WALK_OVER_ABSENT, played | {"other": absent[0]})
    return Note(NoteKind.BYE_EMPTY_PLACE if number == 0 else NoteKind.WALK_OVER_NOBODY, played)


def places(bracket: Bracket, left_players: Collection[str] = ()) -> list[Place]:
    """Every player's place, by seed where it is shared: by all still in, and by the losers of a round.

    A final without a winner has two losers; a game for third place without one leaves both third. ``left_players``
    lose what is open to them.
    """
    everything = rounds(bracket)
    place_by_id = {id_: Place(1, id_, message("still in")) for id_ in bracket.seeds}
    for number, matches in enumerate(everything):
        left = 1 << len(everything) - number
        for match in matches:
            for id_ in filter(None, (match.a, match.b)):
                lost, final = match.winner != id_, left == 2
                if (match.open and id_ not in left_players) or (match.third and not match.winner):
                    continue
                if match.third:
                    how = message("lost the game for third place") if lost else message("won the game for third place")
                    place_by_id[id_] = Place(3 + lost, id_, how, match)
                elif final:
                    how = message("lost the final") if lost else message("won the final")
                    place_by_id[id_] = Place(1 + lost, id_, how, match)
                elif lost:
                    place_by_id[id_] = Place(left // 2 + 1, id_, message("out in the %(stage)s", stage=stage(left)))
    return sorted(place_by_id.values(), key=lambda place: place.place)


ROUND_ROBIN = "overseer-round-robin/1"


def rounds_of_robin(players: int, legs: int = 1) -> int:
    """The number of rounds of a round robin. Each leg has one less than players, or as many as players if odd."""
    return legs * max(players - 1 + players % 2, 0)


def circle(places: int, number: int) -> list[tuple[int, int]]:
    """The pairs of round ``number``, from 1, for an even number of places, counted from 0. Sides change in each leg.

    The first player of a pair is side A. Over a leg, each player's games as A and as B differ by at most one.
    """
    turns = places - 1
    leg, turn = divmod(number - 1, turns)
    pairs = [(turn, turns) if turn % 2 == 0 else (turns, turn)]
    pairs += [((turn + step) % turns, (turn - step) % turns) for step in range(1, places // 2)]
    return [(b, a) for a, b in pairs] if leg % 2 else pairs


def order_by_lot(given: Sequence[str], ids: Iterable[str], seed: int) -> tuple[str, ...]:
    """The ``given`` order, followed by all others by lot."""
    rest = [id_ for id_ in ids if id_ not in given]
    return (*given, *sorted(rest, key=lambda id_: (lot(seed, "order", id_), id_)))


def draw_round_robin(number: int, seats: Iterable[Seat], order: Sequence[str], legs: int, seed: int) -> Draw:
    """Round ``number`` of the circle for the players who hold a seat; those without a present opponent are idle.

    ``order`` is every player's place in the circle, including those who left; other seats follow by lot. Raises
    ValueError for a round beyond the circle's last.
    """
    here = {seat.id for seat in seats}
    everybody = order_by_lot(order, here, seed)
    last = rounds_of_robin(len(everybody), legs)
    if not 1 <= number <= last:
        raise ValueError(f"a round robin of {len(everybody)} has {last} rounds, and this would be round {number}")
    pairs: list[Pair] = []
    bye: str | None = None
    idle: list[Idle] = []
    notes: tuple[Note, ...] = ()
    for place_a, place_b in circle(len(everybody) + len(everybody) % 2, number):
        a, b = (everybody[p] if p < len(everybody) else None for p in (place_a, place_b))
        present = [id_ for id_ in (a, b) if id_ in here]
        if a is not None and b is not None and len(present) == 2:
            pairs.append(Pair(a, b, (Note(NoteKind.CIRCLE_MATCH, {"place": place_a + 1, "other": place_b + 1}),)))
        elif present and None in (a, b):
            bye, notes = present[0], (Note(NoteKind.BYE_IN_TURN),)
        elif present:
            gone = place_b if present[0] == a else place_a
            idle.append(Idle(present[0], (Note(NoteKind.CIRCLE_ABSENT, {"other": gone + 1}),)))
    by = Certificate(True, N_("the circle method"))
    return Draw(tuple(pairs), bye, Levels(), by, seed, ROUND_ROBIN, notes, idle=tuple(idle))
