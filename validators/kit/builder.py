"""Common data of the games' builder pages; each game adds its own parts of the page."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from validators.contract import Document, Fix, Terms, Verdict
from validators.kit.checks import ResolvedForce


@dataclass(frozen=True)
class Option:
    """One choice of a list: its name, its cost (None if none is printed), and a note ("Big Gun", "2 of 6").

    ``value`` is the form's value if it is not the name; ``heavy`` marks heavy weapons. ``taken`` means unique and
    already in the force, ``full`` that the event allows no more copies, ``picked`` selected on the page but not added.
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
        """Whether it can be chosen. The page shows it in any case."""
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
    """The head of every builder page: name, faction, edition, cost (``total``) and size, verdict and fixes."""

    name: str
    faction: str
    factions: tuple[str, ...]
    """The factions to choose from; empty once anything is in the force."""
    edition: str
    size: int
    total: int
    verdict: Verdict
    fixes: tuple[Fix, ...]

    @property
    def left(self) -> int:
        """The amount left to spend; negative if the force costs too much."""
        return self.size - self.total


def page(
    document: Document,
    force: ResolvedForce,
    verdict: Verdict,
    factions: Iterable[str],
    fixes: Callable[[Document, Terms], tuple[Fix, ...]],
) -> Page:
    """The head of a force's builder page, with those of ``factions`` that the event allows."""
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
