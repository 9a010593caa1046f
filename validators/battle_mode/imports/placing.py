"""Placing mods that a list names without their items: each on an item that it fits, at most one on an item."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

ItemLine = dict[str, Any]
"""An item of a model in a force file: its name, its mods, its number of copies."""


@dataclass(frozen=True)
class LooseMod:
    """A mod without its item; ``above`` is the number of the model's item lines that the list names before it."""

    name: str
    above: int


@dataclass(frozen=True)
class Placed:
    """A mod, the line and name of its item (None if nothing can take it), and the names of all items that it fits."""

    mod: str
    line: int | None
    item: str
    fitting: tuple[str, ...]


def place(
    items: Sequence[ItemLine], mods: Sequence[LooseMod], fits: Callable[[str, str], bool]
) -> tuple[list[ItemLine], list[Placed]]:
    """The item lines with these mods on them, and where each mod went.

    ``fits`` says whether an item can take a mod. As many mods as possible are placed, so that the list is legal if it
    can be. Where several items fit, a mod alone takes the nearest one above it; several mods in a row take the items
    above them in the order of the list.
    """
    slots = [line for line, item in enumerate(items) if not item["mods"] for _ in range(item["count"])]
    choices = [_choices(mods, number, slots, items, fits) for number in range(len(mods))]
    held: dict[int, int] = {}

    def settle(mod: int, seen: set[int]) -> bool:
        for slot in sorted(choices[mod], key=lambda one: one in held):  # the free ones first
            if slot not in seen:
                seen.add(slot)
                if slot not in held or settle(held[slot], seen):
                    held[slot] = mod
                    return True
        return False

    for number in range(len(mods)):
        settle(number, set())
    at = {mod: slots[slot] for slot, mod in held.items()}
    placed = []
    for number, mod in enumerate(mods):
        line = at.get(number)
        fitting = tuple(dict.fromkeys(items[slots[slot]]["name"] for slot in choices[number]))
        placed.append(Placed(mod.name, line, "" if line is None else items[line]["name"], fitting))
    return _with(items, placed), placed


def _choices(
    mods: Sequence[LooseMod],
    number: int,
    slots: Sequence[int],
    items: Sequence[ItemLine],
    fits: Callable[[str, str], bool],
) -> list[int]:
    """The places for a mod, the best first."""
    mod = mods[number]
    row = [other for other in mods if other.above == mod.above]
    before = max((other.above for other in mods if other.above < mod.above), default=0)
    own = [slot for slot, line in enumerate(slots) if before <= line < mod.above]
    earlier = [slot for slot, line in enumerate(slots) if line < before]
    later = [slot for slot, line in enumerate(slots) if line >= mod.above]
    ordered = [*(own if len(row) > 1 else own[::-1]), *earlier[::-1], *later]
    return [slot for slot in ordered if fits(mod.name, items[slots[slot]]["name"])]


def _with(items: Sequence[ItemLine], placed: Sequence[Placed]) -> list[ItemLine]:
    """The item lines with the placed mods, a line with different copies as several lines."""
    lines: list[ItemLine] = []
    for number, item in enumerate(items):
        mods = [one.mod for one in placed if one.line == number]
        counted = Counter(mods)
        lines += [item | {"mods": [mod], "count": count} for mod, count in counted.items()]
        if rest := item["count"] - len(mods):
            lines.append(item | {"count": rest})
    return lines
