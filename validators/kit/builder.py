"""Common data of the games' builder pages; each game adds its own parts of the page."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from zlib import crc32

from languages.words import N_, gettext
from validators.contract import Document, Fix, Terms, Verdict
from validators.kit import forms
from validators.kit.checks import Checks, ResolvedForce
from validators.kit.shapes import Part
from validators.names import Words, fold
from validators.sheet import copies


@dataclass(frozen=True)
class Option:
    """One choice of a list: its name, its cost (None if none is printed), and a note ("Big Gun", "2 of 6").

    ``value`` is the form's value if it is not the name. ``taken`` means unique and already in the force, ``full`` that
    the event allows no more copies. ``times`` is how often the cost is paid.
    """

    name: str
    cost: int | None
    note: str = ""
    value: str = ""
    taken: bool = False
    full: bool = False
    times: int = 1

    @property
    def key(self) -> str:
        return self.value or self.name

    @property
    def open(self) -> bool:
        """Whether it can be chosen. The page shows it in any case."""
        return not (self.taken or self.full)


@dataclass(frozen=True)
class OptionGroup:
    title: str
    options: tuple[Option, ...]


USUAL = N_("Usual")
"""The heading of the options that a part of its name usually has."""


def usual_first(offered: Sequence[OptionGroup], names: Iterable[str]) -> tuple[OptionGroup, ...]:
    """The options, and before them once more those of these names, the most frequent first."""
    options = {fold(option.name): option for group in offered for option in group.options if option.open}
    ranked = [options.get(name) for name, _ in Counter(map(fold, names)).most_common()]
    return (*groups((USUAL, filter(None, ranked))), *offered)


def groups(*titled: tuple[str, Iterable[Option]]) -> tuple[OptionGroup, ...]:
    """Options under their headings, without empty headings."""
    option_groups = (OptionGroup(title, tuple(options)) for title, options in titled)
    return tuple(group for group in option_groups if group.options)


def key_of(*parts: object) -> str:
    """A short key that is the same as long as all these parts are."""
    return f"{crc32(repr(parts).encode()):x}"


class Offers:
    """What can be added to the parts of a force, for the page's script; nothing is repeated that the page holds.

    A line has fields with tabs between them: "o" for an option, its name, cost, note, and "x" if it is closed; "g" for
    a group, its key, title, and the places of its options ("0-4 7"); "s" for a set, the key that parts of one kind
    share, a sort of thing, and the keys of its groups.
    """

    def __init__(self, held: Container[str]) -> None:
        """Start empty; ``held`` are the keys of the sets and groups that the page has."""
        self._held = held
        self._options: dict[Option, int] = {}
        self._groups: dict[str, str] = {}
        self._sets: dict[str, list[str]] = {}

    def lacks(self, key: str) -> bool:
        return key not in self._held and key not in self._sets

    def add(self, key: str, sort: str, offered: Iterable[OptionGroup]) -> None:
        """Add groups of one sort ("items") to a set."""
        keys = []
        for group in offered:
            keys.append(mark := key_of(group))
            if mark not in self._held:
                places = (self._options.setdefault(option, len(self._options)) for option in group.options)
                title = gettext(group.title) if group.title else ""
                self._groups[mark] = f"g\t{mark}\t{title}\t{_runs(places)}"
        self._sets.setdefault(key, []).append(f"s\t{key}\t{sort}\t{' '.join(keys)}")

    def __str__(self) -> str:
        """The lines; empty if the page has everything."""
        options = (
            f"o\t{o.name}\t{'' if o.cost is None else o.cost}\t{o.note}\t{'' if o.open else 'x'}".rstrip("\t")
            for o in self._options
        )
        return "\n".join((*options, *self._groups.values(), *(line for lines in self._sets.values() for line in lines)))


def _runs(numbers: Iterable[int]) -> str:
    """Whole numbers in text, runs of them by both ends: "0-4 7"."""
    apart = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    runs = ([number for _, number in run] for _, run in apart)
    return " ".join(f"{run[0]}-{run[-1]}" if run[1:] else str(run[0]) for run in runs)


@dataclass(frozen=True)
class Number:
    """A field for a whole number: its name, its label ("Luck of Officer"), and the limits of the force file."""

    name: str
    title: str
    label: str
    value: int
    least: int
    most: int


def numbers(at: str, shape: type[Part], values: Mapping[str, Any], name: str = "") -> tuple[Number, ...]:
    """The fields with the prefix ``at`` for all whole numbers of a part of the force file."""
    return tuple(
        Number(at + key, forms.title(key, field), forms.label(key, field, name), values[key], *forms.limits(field))
        for key, field in shape.model_fields.items()
        if field.annotation is int
    )


BAR_WIDTH = 1000


@dataclass(frozen=True)
class Segment:
    """One part of the force in the bar: its name, its cost, and its place and width of ``BAR_WIDTH``."""

    name: str
    cost: int
    at: int
    width: int


@dataclass(frozen=True)
class Page:
    """What every builder page shows: the force's name, faction and edition, cost and size, verdict and fixes."""

    system: str
    unit: str
    words: Words
    name: str
    faction: str
    factions: tuple[str, ...]
    """The factions to choose from; empty if the faction cannot be changed any more."""
    edition: str
    size: int
    total: int
    verdict: Verdict
    fixes: tuple[Fix, ...]
    parts: tuple[tuple[str, int], ...]
    """What the cost is spent on: each part's name and its cost."""
    chosen: Mapping[str, str]
    """Choices not yet added by a button, by their fields."""

    @property
    def begun(self) -> bool:
        """Whether anything is in the force. Before that nothing is wrong."""
        return bool(self.parts)

    @property
    def bar(self) -> tuple[Segment, ...]:
        """The parts in a row; the whole row is the size, or the total if that is more."""
        ends, spent = [0], 0
        for _, cost in self.parts:
            spent += cost
            ends.append(self._along(spent))
        return tuple(
            Segment(name, cost, ends[place], ends[place + 1] - ends[place])
            for place, (name, cost) in enumerate(self.parts)
        )

    @property
    def limit(self) -> int:
        """Where in the bar the size ends."""
        return self._along(self.size)

    @property
    def bar_words(self) -> str:
        """The bar in words: "2 × Settler 31, Piper 76"."""
        return ", ".join(f"{copies(count, name)} {cost}" for (name, cost), count in Counter(self.parts).items())

    def _along(self, cost: int) -> int:
        return round(BAR_WIDTH * cost / max(self.size, self.total, 1))

    @property
    def left(self) -> int:
        return self.size - self.total

    @property
    def short_unit(self) -> str:
        """The unit where there is little room: "points" for "SPECIAL points"."""
        return self.unit.split()[-1]


SHOWING = ("open", "open-models")
"""The buttons that only show choices, and leave those made as they are."""


def page(
    checks: Checks[Any],
    document: Document,
    force: ResolvedForce,
    fields: forms.Fields,
    factions: Iterable[str],
    fixes: Callable[[Document, Terms], tuple[Fix, ...]],
    parts: Iterable[tuple[str, int]],
) -> Page:
    """The common part of a force's builder page, with those of ``factions`` that the event allows."""
    terms, verdict = force.terms, checks.verdict(force)
    pressed = forms.text(fields, "do")
    # A button has used a choice, or has moved its model.
    waiting = fields if not pressed or pressed.split(":")[0] in SHOWING else {}
    return Page(
        system=document["system"],
        unit=checks.unit,
        words=checks.words.said,
        name=document["name"],
        faction=force.faction_name,
        factions=tuple(name for name in factions if terms.open_to(name)),
        edition=terms.edition.name,
        size=terms.list_size,
        total=force.total,
        verdict=verdict,
        fixes=() if verdict.legal else fixes(document, terms),
        parts=tuple(parts),
        chosen={key: sent[0] for key, sent in waiting.items() if "add_" in key and sent},
    )
