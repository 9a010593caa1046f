"""The map of a campaign: places and roads drawn from a seed, starting places, moves, and who holds what."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import ceil, sqrt
from random import Random
from typing import Any

from validators.calculator import Asked
from validators.campaign import Answered, Map, Offer, Place, StepRefused, World, one_of
from validators.fallout_warfare.campaign.state import TABLES, Book, Group

WIDE = 100
"""Places have x and y from 0 to this."""
JITTER, ROADS = 0.28, 0.45
"""How far a place is from the middle of its field, of the field's side; the share of roads beyond those needed."""


@dataclass(frozen=True)
class Atlas:
    """Who holds each place, and the place that each battle was fought over, by the game's id."""

    holders: Mapping[str, int] = field(default_factory=dict)
    fought: Mapping[int, str] = field(default_factory=dict)


def planned(settings: Mapping[str, str], seed: int, groups: int) -> Mapping[str, Any]:
    """A map for so many groups, or nothing: every place can be reached, and no two roads cross."""
    if settings["map"] == "no":
        return {}
    dice, many = Random(f"map/{seed}"), int(settings["map"]) * groups  # noqa: S311 (a map, not a secret)
    across = ceil(sqrt(many))
    side = WIDE / across
    names = [" ".join(one) for one in product(TABLES["first_words"], TABLES["second_words"])]
    dice.shuffle(names)
    laid = [
        {
            "name": names[place % len(names)] + (f" {place // len(names) + 1}" if place >= len(names) else ""),
            "x": round((place % across + 0.5 + dice.uniform(-JITTER, JITTER)) * side),
            "y": round((place // across + 0.5 + dice.uniform(-JITTER, JITTER)) * side),
        }
        for place in range(many)
    ]
    near = [(a, b) for a in range(many) for b in (a + 1, a + across) if b < many and (b != a + 1 or b % across)]
    dice.shuffle(near)
    part = list(range(many))
    roads = []
    for a, b in near:
        if part[a] != part[b]:
            part = [part[a] if one == part[b] else one for one in part]
        elif dice.random() >= ROADS:
            continue
        roads.append([laid[a]["name"], laid[b]["name"]])
    return {"map": {"places": laid, "roads": sorted(roads)}}


def places(world: World) -> list[str]:
    """The names of all places."""
    return [place["name"] for place in world.plan["map"]["places"]]


def troops(state: Group, place: str) -> int:
    """The figures and vehicles that a group has at a place."""
    return sum(unit.alive for unit in state.units if unit.place == place and unit.kind != "mines")


def drawn(world: World) -> Map | None:
    """The map as pages draw it."""
    if not world.shared:
        return None
    names, laid = places(world), world.plan["map"]
    found = []
    for name, one in zip(names, laid["places"], strict=True):
        there = ((group, troops(state, name)) for group, state in world.groups.items())
        about = ", ".join(f"{world.names[group]} {many}" for group, many in there if many)
        found.append(Place(name, one["x"], one["y"], about, holder(world, name)))
    return Map(tuple(found), tuple((names.index(a), names.index(b)) for a, b in laid["roads"]))


def holder(world: World, place: str) -> int | None:
    """Who holds a place, by the campaign's setting."""
    if world.settings["holds"] == "battle":
        found: int | None = world.shared.holders.get(place)
        return found
    there = [group for group, state in world.groups.items() if troops(state, place)]
    return there[0] if len(there) == 1 else None


# ---- the start


def _picks_left(world: World, group: int) -> int:
    left = int(world.settings["picks"]) - len(world.groups[group].starts)
    return min(left, len(places(world)) - len(world.shared.holders)) if group not in world.played else 0


def _turn(world: World) -> int:
    """Whose turn it is to pick: of the groups that still do, the one with the fewest places."""
    picking = [group for group in world.names if group in world.groups and _picks_left(world, group)]
    return min(picking, key=lambda group: len(world.groups[group].starts))


def awaits(book: Book) -> str:
    """What a new group must still do before its battles; "" for nothing."""
    if not book.shared or not (left := _picks_left(book.world, book.number)):
        return ""
    if (turn := _turn(book.world)) != book.number:
        return f"It is the turn of {book.world.names[turn]} to pick a starting place."
    return f"Pick {left} more starting {'place' if left == 1 else 'places'}."


def settled(book: Book) -> None:
    """A new group must have picked its places."""
    if waits := awaits(book):
        raise StepRefused(waits)


def move_offers(book: Book) -> Iterator[Offer]:
    """A new group picks and fills its places; later its troops move."""
    world, state = book.world, book.group
    if not book.shared:
        return
    if waits := awaits(book):
        if _turn(world) == book.number:
            free = (place for place in places(world) if place not in book.shared.holders)
            yield Offer("pick", "Starting place", "Pick", waits, (one_of("place", "Starting place", free),))
    elif book.number not in world.played:
        several = state.starts if len(state.starts) > 1 else ()
        yield from (_form(state, "place", place, several) for place in several if troops(state, place))
    else:
        left = {unit.place for unit in state.units if unit.alive and f"move-{unit.body}" not in state.used}
        for place in (one for one in places(world) if one in left):
            near = {name for road in world.plan["map"]["roads"] if place in road for name in road}
            yield _form(state, "move", place, (one for one in places(world) if one in near))


def _form(state: Group, kind: str, place: str, to: Iterable[str]) -> Offer:
    title, verb = (f"Troops at {place}", "Place") if kind == "place" else (f"From {place}", "Move")
    asks = [one_of("to", "To", (one for one in to if one != place))]
    asks += [
        Asked(f"at-{body}", state.body_title(body), "yes", default=0, help=state.body_holds(body))
        for body, units in state.bodies().items()
        if units[0].place == place and f"move-{body}" not in state.used
    ]
    return Offer(kind, title, verb, "", tuple(asks), {"from": place})


def pick(book: Book, data: Answered) -> None:
    """A new group picks a starting place; all of its troops stand at the first one."""
    place, state = str(data["place"]), book.group
    if not state.starts:
        book.set(units=tuple(replace(unit, place=place) for unit in state.units))
    book.set(starts=(*state.starts, place))
    _take(book, place, book.number)
    book.say(f"Starts at {place}.")


def _take(book: Book, place: str, group: int) -> None:
    book.shared = replace(book.shared, holders={**book.shared.holders, place: group})


# ---- between battles


def move(book: Book, data: Answered) -> None:
    """Squads and vehicles go to an adjacent place, each once between two battles; or to a starting place at first."""
    state, to = book.group, str(data["to"])
    chosen = [body for body in state.bodies() if data.get(f"at-{body}")]
    if not chosen:
        raise StepRefused("Choose who moves.")
    book.say(f"{', '.join(state.body_title(body) for body in chosen)}: from {data['from']} to {to}.")
    book.set(units=tuple(replace(unit, place=to) if unit.body in chosen else unit for unit in state.units))
    if book.number in book.world.played:
        book.use(*(f"move-{body}" for body in chosen))
    if to not in book.shared.holders:
        _take(book, to, book.number)


def hold_offers(book: Book) -> Iterator[Offer]:
    """The place of the last battle, for the group named first in the game.

    That is where one of the two is, or one that either holds next to their troops.
    """
    world, played = book.world, book.played
    if book.shared and played.fought and played.home and played.game not in book.shared.fought:
        pair, holders = (book.number, played.opponent), book.shared.holders
        states = [world.groups[one] for one in pair if one in world.groups]
        here = {one for one in places(world) if any(troops(of, one) for of in states)}
        near = {one for road in world.plan["map"]["roads"] if here.intersection(road) for one in road}
        open_ = (one for one in places(world) if one in here or (one in near and holders.get(one) in pair))
        place = one_of("place", "Place", open_)
        yield Offer("hold", "Place of the battle", "Name the place", "The winner holds it.", (place,))


def hold(book: Book, data: Answered) -> None:
    """Names the place that the last battle was fought over, which its winner then holds."""
    played, place = book.played, str(data["place"])
    book.shared = replace(book.shared, fought={**book.shared.fought, played.game: place})
    book.say(f"The battle was fought over {place}.")
    if played.result != "draw":
        winner = book.number if played.result == "win" else played.opponent
        _take(book, place, winner)
        book.say(f"{book.world.names[winner]} holds it.")


def named(world: World, group: int) -> str:
    """Which place the other group names for the last battle, where that is theirs to do."""
    played = world.played.get(group)
    if not world.shared or not played or played.home or not played.fought:
        return ""
    place = world.shared.fought.get(played.game)
    return f"{world.names[played.opponent]} names the place of the battle" + (f": {place}." if place else ".")
