"""The campaign's map: random places and roads, starting places, moves, and the holders of places."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import ceil, sqrt
from random import Random
from typing import Any

from languages.message import joined, worded
from languages.words import gettext, ngettext, pgettext
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Map, Offer, Place, Played, StepRefused, World
from validators.fallout_warfare.campaign.state import TABLES, Book, Group

WIDE = 100
"""Places have x and y from 0 to this."""
JITTER, ROADS = 0.28, 0.45
"""The most that a place is off the middle of its grid field, as a share of the field; the share of additional roads."""

PICKS = 2
"""The starting places of each group; 8.1 says 2 or 3."""


@dataclass(frozen=True)
class Atlas:
    """The holders of places, and the places of battles."""

    holders: Mapping[str, int] = field(default_factory=dict)
    """The group by place: who won the last battle there, or came first."""
    fought: Mapping[int, str] = field(default_factory=dict)
    """The place by the game's id."""


def planned(settings: Mapping[str, str], seed: int, groups: int) -> Mapping[str, Any]:
    """A random map for this number of groups, empty if the settings want none.

    All places are connected, and no two roads cross.
    """
    if settings["map"] == "no":
        return {}
    dice, many = Random(f"map/{seed}"), int(settings["map"]) * groups  # noqa: S311 (a map, not a secret)
    across = ceil(sqrt(many))
    side = WIDE / across
    names = [" ".join(words) for words in product(TABLES["first_words"], TABLES["second_words"])]
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
            part = [part[a] if number == part[b] else number for number in part]
        elif dice.random() >= ROADS:
            continue
        roads.append([laid[a]["name"], laid[b]["name"]])
    return {"map": {"places": laid, "roads": sorted(roads)}}


def places(world: World) -> list[str]:
    return [place["name"] for place in world.plan["map"]["places"]]


def troops(state: Group, place: str) -> int:
    """The figures and vehicles that a group has at a place."""
    return sum(unit.alive for unit in state.units if unit.place == place and unit.kind != "mines")


def drawn(world: World) -> Map | None:
    """The map with the present troops and holders, for pages and paper; None without a map."""
    if not world.shared:
        return None
    names, laid = places(world), world.plan["map"]
    found = []
    for name, spot in zip(names, laid["places"], strict=True):
        there = ((group, troops(state, name)) for group, state in world.groups.items())
        about = ", ".join(f"{world.names[group]} {many}" for group, many in there if many)
        found.append(Place(name, spot["x"], spot["y"], about, world.shared.holders.get(name)))
    return Map(tuple(found), tuple((names.index(a), names.index(b)) for a, b in laid["roads"]))


def _picks_left(world: World, group: int) -> int:
    left = PICKS - len(world.groups[group].starts)
    return min(left, len(places(world)) - len(world.shared.holders)) if group not in world.played else 0


def _turn(world: World) -> int:
    """The group whose turn it is to pick: of those with picks left, the one with the fewest places."""
    picking = [group for group in world.names if group in world.groups and _picks_left(world, group)]
    return min(picking, key=lambda group: len(world.groups[group].starts))


def awaits(book: Book) -> str:
    """What a new group must do or wait for before its battles, in a sentence; "" for nothing."""
    if not book.shared or not (left := _picks_left(book.world, book.number)):
        return ""
    if (turn := _turn(book.world)) != book.number:
        return gettext("It is the turn of %(name)s to pick a starting place.", name=book.world.names[turn])
    return ngettext("Pick %(num)s more starting place.", "Pick %(num)s more starting places.", left)


def awaited(world: World, group: int) -> str:
    """The group that picks a starting place first, or names the place of a battle, by name; "" for none."""
    phase, book = world.phase(group), Book(world, group)
    if not phase or phase.id != "moves" or not book.shared:
        return ""
    if _picks_left(world, group):
        return "" if (turn := _turn(world)) in (None, group) else world.names[turn]
    waits = group in world.played and book.played.winner_names and unnamed(book) and not _names(book.played)
    return world.names[book.played.opponent] if waits else ""


def settled(book: Book) -> None:
    """End the phase. Raises StepRefused if a new group has not picked its places, or a battle's place is not named."""
    if waits := awaits(book):
        raise StepRefused(waits)
    if book.number in book.world.played and book.played.winner_names and unnamed(book):
        name = book.world.names[book.played.opponent]
        raise StepRefused(
            gettext("%(name)s names the place of the battle first. The desk can name it by a ruling.", name=name)
        )


def move_offers(book: Book) -> Iterator[Offer]:
    """Picks and placements of a new group; later, moves of its troops."""
    world, state = book.world, book.group
    if not book.shared:
        return
    if waits := awaits(book):
        if _turn(world) == book.number:
            free = (place for place in places(world) if place not in book.shared.holders)
            title = gettext("Starting place")
            yield Offer("pick", title, gettext("Pick"), waits, (one_of("place", title, free),))
    elif book.number not in world.played:
        several = state.starts if len(state.starts) > 1 else ()
        yield from (_form(state, "place", place, several) for place in several if troops(state, place))
    else:
        left = {unit.place for unit in state.units if unit.alive and f"move-{unit.body}" not in state.used}
        for place in (name for name in places(world) if name in left):
            near = {name for road in world.plan["map"]["roads"] if place in road for name in road}
            yield _form(state, "move", place, (name for name in places(world) if name in near))


def _form(state: Group, kind: str, place: str, to: Iterable[str]) -> Offer:
    title, verb = gettext("From %(place)s", place=place), pgettext("button", "Move")
    if kind == "place":
        title, verb = gettext("Troops at %(place)s", place=place), pgettext("button", "Place")
    asks = [one_of("to", pgettext("place", "To"), (name for name in to if name != place))]
    asks += [
        Asked(f"at-{body}", worded(state.body_title(body)), "yes", default=0, help=state.body_holds(body))
        for body, units in state.bodies().items()
        if units[0].place == place and f"move-{body}" not in state.used
    ]
    return Offer(kind, title, verb, "", tuple(asks), {"from": place})


def pick(book: Book, data: Answered) -> None:
    """Pick a starting place; all troops of a new group are put on its first one."""
    place, state = str(data["place"]), book.group
    if not state.starts:
        book.set(units=tuple(replace(unit, place=place) for unit in state.units))
    book.set(starts=(*state.starts, place))
    _take(book, place, book.number)
    book.remark("Starts at %(place)s.", place=place)


def _take(book: Book, place: str, group: int) -> None:
    book.shared = replace(book.shared, holders={**book.shared.holders, place: group})


def move(book: Book, data: Answered) -> None:
    """Move squads and vehicles to an adjacent place, each once between battles; at the start, to a starting place."""
    state, to = book.group, str(data["to"])
    chosen = [body for body in state.bodies() if data.get(f"at-{body}")]
    if not chosen:
        raise StepRefused(gettext("Choose who moves."))
    who = joined(state.body_title(body) for body in chosen)
    book.remark("%(who)s: from %(place)s to %(to)s.", who=who, place=data["from"], to=to)
    book.set(units=tuple(replace(unit, place=to) if unit.body in chosen else unit for unit in state.units))
    if book.number in book.world.played:
        book.mark_used(*(f"move-{body}" for body in chosen))
    if to not in book.shared.holders:
        _take(book, to, book.number)


def hold_offers(book: Book) -> Iterator[Offer]:
    """Naming the place of the last battle, for the winner, or at a draw the group named first in the game.

    Possible are places with troops of either group, and places next to them that either group holds.
    """
    world, played = book.world, book.played
    if unnamed(book) and _names(played):
        pair, holders = (book.number, played.opponent), book.shared.holders
        states = [world.groups[group] for group in pair if group in world.groups]
        here = {name for name in places(world) if any(troops(state, name) for state in states)}
        near = {name for road in world.plan["map"]["roads"] if here.intersection(road) for name in road}
        open_ = [name for name in places(world) if name in here or (name in near and holders.get(name) in pair)]
        place = one_of("place", gettext("Place"), open_)
        if open_:
            title, about = gettext("Place of the battle"), gettext("The winner holds it.")
            yield Offer("hold", title, gettext("Name the place"), about, (place,))


def unnamed(book: Book) -> bool:
    """Whether the place of the group's last battle is still to be named."""
    return bool(book.shared and book.played.fought and book.played.game not in book.shared.fought)


def _names(played: Played) -> bool:
    """Whether this side of a game names the place of the battle."""
    return played.home if played.result == "draw" or not played.winner_names else played.result == "win"


def hold(book: Book, data: Answered) -> None:
    """Name the place of the last battle, which the winner then holds."""
    played, place = book.played, str(data["place"])
    book.shared = replace(book.shared, fought={**book.shared.fought, played.game: place})
    book.remark("The battle was fought over %(place)s.", place=place)
    if played.result != "draw":
        winner = book.number if played.result == "win" else played.opponent
        _take(book, place, winner)
        book.remark("%(name)s holds it.", name=book.world.names[winner])


def named(world: World, group: int) -> str:
    """The sentence that the other group names the place of the last battle, or has; "" if this group names it."""
    played = world.played.get(group)
    if not world.shared or not played or _names(played) or not played.fought:
        return ""
    place = world.shared.fought.get(played.game)
    name = world.names[played.opponent]
    if place:
        return gettext("%(name)s names the place of the battle: %(place)s.", name=name, place=place)
    return gettext("%(name)s names the place of the battle.", name=name)
