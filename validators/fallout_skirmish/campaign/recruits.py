"""Recruits: a die for each group of the campaign in each round, offered from the lowest rating up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from validators.calculator import Asked
from validators.campaign import Answered, Offer, World
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.tables import RAW, row_of
from validators.sheet import Column, Table

PRICE, EACH = RAW["recruits"]["caps"], RAW["recruits"]["each"]
PROFILES = ("Green", "Experienced", "Veteran")


@dataclass(frozen=True)
class Recruit:
    """One on offer in a round: its rank from 0, the lowest, and the group that hired it."""

    rank: int
    hired_by: int = 0


Pools = Mapping[int, tuple[Recruit, ...]]
"""By round, the best first. Who is not hired in a round is lost."""


def pool_of(book: Book) -> tuple[Recruit, ...] | None:
    """The recruits of the round; None before the dice are rolled."""
    pools: Pools = book.shared
    return pools.get(book.played.round)


def open_to(book: Book) -> list[int]:
    """The places in the pool from which the group may hire now.

    For each group of the same round with a lower rating that is not past this phase, the best recruits that it may
    still hire stay free: so nobody waits for anybody.
    """
    pool = pool_of(book) or ()
    left = [place for place, one in enumerate(pool) if not one.hired_by]
    kept = sum(EACH - _hired(pool, other) for other in _before(book))
    highest = book.group.own.get("no_recruits_above", len(PROFILES))
    if book.group.full or _hired(pool, book.number) >= EACH:
        return []
    return [place for place in left[kept:] if pool[place].rank <= highest]


def _hired(pool: tuple[Recruit, ...], group: int) -> int:
    return sum(one.hired_by == group for one in pool)


def _before(book: Book) -> Iterator[int]:
    """Groups of the round with a lower rating that have not passed this phase."""
    world = book.world
    here = next(place for place, phase in enumerate(world.rules.phases) if phase.id == "recruits")
    for other, place in world.phases.items():
        same = other != book.number and world.played[other].round == book.played.round
        if same and place <= here and _turn(world, other) < _turn(world, book.number):
            yield other


def _turn(world: World, group: int) -> tuple[int, int]:
    return world.groups[group].after.rating, group


def recruit_offers(book: Book) -> Iterator[Offer]:
    """The dice of the round, then whom the group may hire."""
    if pool_of(book) is None:
        dice = f"{len(book.world.groups)}D12"
        yield Offer("pool", f"Recruits of round {book.played.round}", "Look", "For all groups.", dice=dice)
    pool = pool_of(book) or ()
    for rank in sorted({pool[place].rank for place in open_to(book)}, reverse=True):
        name = book.group.force.ranks[rank].name
        asks = (Asked("name", "Name", "text", default=""),)
        yield Offer("recruit", name, "Hire", f"{PRICE} Caps, with a Combat Knife.", asks, {"rank": rank})


def nothing(book: Book) -> bool:
    """Whether the phase has nothing for the group, now or when others have passed it."""
    pool = pool_of(book)
    gone = pool is not None and all(one.hired_by for one in pool)
    return book.group.full or book.group.caps < PRICE or gone


def pool(book: Book, _: Answered) -> None:
    """The first group that comes here rolls for all."""
    dice = book.roll(f"Recruits of round {book.played.round}", 12, len(book.world.groups)).results
    ranks = sorted((row_of(RAW["recruits"]["rows"], one)[2] for one in dice), reverse=True)
    book.shared = {**book.shared, book.played.round: tuple(Recruit(rank) for rank in ranks)}
    book.say(f"On offer: {', '.join(PROFILES[rank] for rank in ranks)}.")


def recruit(book: Book, answers: Answered) -> None:
    """Hire one."""
    recruits, rank = list(pool_of(book) or ()), int(answers["rank"])
    place = next(place for place in open_to(book) if recruits[place].rank == rank)
    name = book.group.force.ranks[rank].name
    book.caps(-PRICE, f"{name} recruited")
    key = book.join(name, "Recruited", str(answers["name"]), RAW["recruits"]["item"])
    recruits[place] = replace(recruits[place], hired_by=book.number)
    book.shared = {**book.shared, book.played.round: tuple(recruits)}
    book.say(f"{book.name(key)} joins the group.")


def tables(world: World) -> tuple[Table, ...]:
    """The recruits of the newest round."""
    pools: Pools = world.shared
    if not pools:
        return ()
    newest = max(pools)
    rows = tuple((PROFILES[one.rank], world.names.get(one.hired_by, "")) for one in pools[newest])
    return (Table(f"Recruits of round {newest}", (Column("Profile"), Column("Hired by")), rows),)
