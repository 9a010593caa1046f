"""The common parts of all games' builder pages; each game adds the cards of its own parts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from validators.contract import Document, Fix, Terms, Verdict
from validators.kit.checks import Judged


@dataclass(frozen=True)
class Option:
    """One choice: its name, its cost (None if none is printed), and a note ("Big Gun", "2 of 6").

    ``value`` is the field's value if it is not the name. ``taken``: it is unique and already in the force. ``full``:
    the event allows no more copies. ``picked``: it is chosen on the page but not bought yet.
    """

    name: str
    cost: int | None
    note: str = ""
    value: str = ""
    heavy: bool = False
    taken: bool = False
    full: bool = False
    picked: bool = False

    @property
    def key(self) -> str:
        return self.value or self.name

    @property
    def open(self) -> bool:
        """Whether it can be chosen; it is shown even if not."""
        return not (self.taken or self.full)


@dataclass(frozen=True)
class OptionGroup:
    """Options under one heading."""

    title: str
    options: tuple[Option, ...]


def groups(*titled: tuple[str, Iterable[Option]]) -> tuple[OptionGroup, ...]:
    """Options under their headings, without empty headings."""
    found = (OptionGroup(title, tuple(options)) for title, options in titled)
    return tuple(group for group in found if group.options)


@dataclass(frozen=True)
class Page:
    """The page of a force: its name, faction and edition, its cost and the size, the verdict and the fixes."""

    name: str
    faction: str
    factions: tuple[str, ...]
    """The factions that may be chosen; empty once something is in the force."""
    edition: str
    size: int
    total: int
    verdict: Verdict
    fixes: tuple[Fix, ...]

    @property
    def left(self) -> int:
        """How much may still be spent; negative if the force costs too much."""
        return self.size - self.total


def page(
    document: Document,
    force: Judged,
    verdict: Verdict,
    factions: Iterable[str],
    fixes: Callable[[Document, Terms], tuple[Fix, ...]],
) -> Page:
    """The page of a force; ``factions`` are reduced to those that the event allows."""
    terms = force.terms
    return Page(
        name=document["name"],
        faction=force.faction_name,
        factions=tuple(name for name in factions if terms.open_to(name)),
        edition=terms.edition.name,
        size=terms.list_size,
        total=force.total,
        verdict=verdict,
        fixes=() if verdict.legal else fixes(document, terms),
    )
