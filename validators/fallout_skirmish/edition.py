"""Editions of the Fallout Skirmish force lists: the schema of their file, lookup by name, price lists, differences."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from languages.words import N_, gettext, labelled, listed, minus
from validators.contract import EditionInfo
from validators.edition_file import (
    Aliases,
    HeadOfEdition,
    Name,
    Sentence,
    alias_faults,
    info_of,
    names_in,
    repeated,
    shaped_edition,
    unknown_name,
)
from validators.editions import EditionDifference, PriceList, PriceRow, differences, other_names
from validators.faults import Fault, Place
from validators.kit.shapes import Part
from validators.names import ByName, by_name, fold, name_table

Caps = Annotated[int, Field(ge=0, le=9999)]
Most = Annotated[int, Field(ge=0, le=99)]
Figure = Annotated[int, Field(ge=0, le=20)]
Names = Annotated[list[Name], Field(max_length=40)]


class RankRow(Part):
    """A kind of character of a force: its price, how many a starting group may have, and its printed profile."""

    name: Name
    also: Names = Field(default=[], description="Other names that the lists give it.")
    caps: Caps
    most: Most
    experience: Caps = Field(description="Experience at the start.")
    special: Annotated[list[Figure], Field(min_length=7, max_length=7)]
    wounds: Figure
    action_points: Figure

    @property
    def charisma(self) -> int:
        return self.special[3]

    @property
    def profile(self) -> tuple[tuple[str, int], ...]:
        return (*zip("SPECIAL", self.special, strict=True), ("W", self.wounds), ("AP", self.action_points))


class ArmourRow(Part):
    """Armour on a force's list: the roll on which it saves, its price, and the ranks that may wear it."""

    name: Name
    save: Figure
    caps: Caps
    ranks: Names
    also: Names = Field(default=[], description="Other names that this force's list gives it, of another item too.")


class ForceRow(Part):
    """A force: its ranks from the lowest to the highest, its weapon and armour lists, and which ranks carry what."""

    name: Name
    group_most: Most
    ranks: Annotated[list[RankRow], Field(min_length=1, max_length=10)]
    weapons: Annotated[dict[Name, Caps], Field(max_length=200)]
    armour: Annotated[list[ArmourRow], Field(max_length=20)] = Field(default=[])
    must_wear: Names = Field(default=[], description="Ranks that must wear a piece of armour that they may wear.")
    must_buy: Names = Field(default=[], description="Ranks of these whose starting list is illegal without the piece.")
    big_gun_per: Annotated[int, Field(ge=1, le=99)] = Field(description="Characters for each Big Gun.")
    big_gun_ranks: Names

    @property
    def top(self) -> RankRow:
        return self.ranks[-1]

    def rank(self, name: str) -> RankRow | None:
        """The rank with this name, or with this alternative name in the lists."""
        return self._ranks.find(name)

    @cached_property
    def _ranks(self) -> ByName[RankRow]:
        return by_name(self.ranks, {other: rank.name for rank in self.ranks for other in rank.also})

    @cached_property
    def prices(self) -> Mapping[str, int]:
        """The prices in this force's lists by the item's folded name; a suit of armour has its price as armour."""
        armour = {row.name: row.caps for row in self.armour}
        return {fold(name): caps for name, caps in (*self.weapons.items(), *armour.items())}

    def price(self, name: str) -> int | None:
        """The cost of a weapon or armour in this force's lists; None if it is in neither."""
        return self.prices.get(fold(name))

    def worn(self, name: str) -> ArmourRow | None:
        return next((row for row in self.armour if fold(row.name) == fold(name)), None)

    def may_wear(self, rank: str) -> tuple[str, ...]:
        return tuple(row.name for row in self.armour if rank in row.ranks)


class ItemRow(Part):
    """A weapon, a piece of armour or another item; without Caps it cannot be bought, only built."""

    name: Name
    caps: Caps | None
    profile: Annotated[list[Name], Field(max_length=10)]
    special: Sentence = ""


class ItemGroup(Part):
    """Items of one kind, the columns of their profiles, and the properties that the rules use."""

    kind: Name
    big_gun: bool = False
    armour: bool = False
    lasting: bool = Field(default=False, description="One purchase lasts for all games.")
    columns: Names
    rows: Annotated[list[ItemRow], Field(max_length=200)]


class TurfRow(Part):
    """A turf, its range of results on 2D12, and its yield between games."""

    name: Name
    first: Annotated[int, Field(alias="from", ge=2, le=24)]
    last: Annotated[int, Field(alias="to", ge=2, le=24)]
    yields: Sentence


class EditionFile(HeadOfEdition):
    system: Literal["fallout_skirmish"]
    date: str = Field(pattern=r"^(\d{4}-[01]\d-[0-3]\d|undated)$")
    turf_rating: Caps = Field(description="What each turf adds to the group's rating.")
    turfs_at_start: Most
    open_to_all: Annotated[dict[Name, Most], Field(max_length=20)] = Field(
        description="Items on no force's list that every group may have, and how many."
    )
    lines: Annotated[list[Names], Field(max_length=60)] = Field(
        default=[],
        description="Names of one line of the lists: together they stand for the first that a force may buy.",
    )
    aliases: Aliases = Field(default={}, description="Other names of forces, items, turfs and perks.")
    forces: Annotated[list[ForceRow], Field(min_length=1, max_length=40)]
    items: Annotated[list[ItemGroup], Field(max_length=60)]
    turfs: Annotated[list[TurfRow], Field(max_length=60)]
    perks: Annotated[dict[Name, Annotated[str, Field(max_length=80)]], Field(max_length=200)]


def faults_of(file: EditionFile) -> Iterator[Fault]:
    known = tuple(row.name for group in file.items for row in group.rows)
    yield from repeated((("forces", i, "name"), name) for i, name in enumerate(names_in(file.forces)))
    yield from repeated((("turfs", i, "name"), name) for i, name in enumerate(names_in(file.turfs)))
    rows = [(i, k, group, row) for i, group in enumerate(file.items) for k, row in enumerate(group.rows)]
    yield from repeated((("items", i, "rows", k, "name"), row.name) for i, k, _, row in rows)
    for i, k, group, row in rows:
        if len(row.profile) != len(group.columns):
            needs = gettext("needs %(n)s figures, one per column", n=len(group.columns))
            yield Fault(("items", i, "rows", k, "profile"), needs)
    yield from _unknown(("open_to_all",), file.open_to_all, "items", known, keys=True)
    for i, line in enumerate(file.lines):
        yield from _unknown(("lines", i), line, "items", known)
    yield from alias_faults(file.aliases, (*names_in(file.forces), *known, *names_in(file.turfs), *file.perks))
    for i, force in enumerate(file.forces):
        yield from _of_force(("forces", i), force, known)
    for result in range(2, 25):
        names = [turf.name for turf in file.turfs if turf.first <= result <= turf.last]
        if file.turfs and len(names) != 1:
            turfs = listed(names) or gettext("no turf")
            yield Fault(("turfs",), gettext("the result %(n)s of 2D12 is %(turfs)s", n=result, turfs=turfs))


def _of_force(here: Place, force: ForceRow, known: tuple[str, ...]) -> Iterator[Fault]:
    ranks = tuple(rank.name for rank in force.ranks)
    named = [((*here, "ranks", k, "name"), name) for k, name in enumerate(ranks)]
    named += [((*here, "ranks", k, "also"), name) for k, rank in enumerate(force.ranks) for name in rank.also]
    yield from repeated(named)
    yield from _unknown((*here, "weapons"), force.weapons, "items", known, keys=True)
    yield from repeated(((*here, "weapons", name), name) for name in force.weapons)
    yield from _unknown((*here, "armour"), [row.name for row in force.armour], "items", known)
    worn = [((*here, "armour", k, "name"), row.name) for k, row in enumerate(force.armour)]
    worn += [((*here, "armour", k, "also"), name) for k, row in enumerate(force.armour) for name in row.also]
    yield from repeated(worn)
    for k, row in enumerate(force.armour):
        yield from _unknown((*here, "armour", k, "ranks"), row.ranks, "ranks", ranks)
    yield from _unknown((*here, "must_wear"), force.must_wear, "ranks", ranks)
    yield from _unknown((*here, "must_buy"), force.must_buy, "must_wear", tuple(force.must_wear))
    yield from _unknown((*here, "big_gun_ranks"), force.big_gun_ranks, "ranks", ranks)


def _unknown(
    place: Place, names: Iterable[str], sort: str, known: tuple[str, ...], *, keys: bool = False
) -> Iterator[Fault]:
    for k, name in enumerate(names):
        if name not in known:
            yield Fault((*place, name if keys else k), unknown_name(name, known, sort))


@dataclass(frozen=True)
class Item:
    row: ItemRow
    group: ItemGroup

    @property
    def figures(self) -> str:
        """Its profile with the columns' heads, worded: "Short -1, Medium -2, Long 0, Extreme +1, RoF 1"."""
        return ", ".join(
            f"{gettext(head)} {value}" for head, value in zip(self.group.columns, self.row.profile, strict=True)
        )


@dataclass(frozen=True)
class Edition:
    """An edition as its file holds it, with name lookup in any written form."""

    file: EditionFile
    forces: ByName[ForceRow]
    turfs: ByName[str]
    perks: ByName[str]

    @cached_property
    def _items(self) -> Mapping[str, ByName[Item]]:
        """Every item by name for each force: names together in one line mean the one that the force may buy."""
        rows = [(row.name, Item(row, group)) for group in self.file.items for row in group.rows]

        def of(listed: Mapping[str, int], also: Mapping[str, str]) -> ByName[Item]:
            lines = {"/".join(line): next((n for n in line if fold(n) in listed), line[0]) for line in self.file.lines}
            own = {other: also.get(name, name) for other, name in (self.file.aliases | lines).items()}
            return ByName((row for row in rows if row[0] not in also), {**own, **also})

        worn = {
            force.name: {other: row.name for row in force.armour for other in row.also} for force in self.file.forces
        }
        return {"": of({}, {})} | {force.name: of(force.prices, worn[force.name]) for force in self.file.forces}

    def rank(self, name: str, force: str) -> tuple[RankRow, ForceRow] | None:
        """The rank with this name in this force, else in the first other force that has it by its main name."""
        own = self.forces.find(force)
        if own and (rank := own.rank(name)):
            return rank, own
        others = ((name_table(rank.name for rank in row.ranks).find(name), row) for row in self.file.forces)
        rows = ((row.rank(known), row) for known, row in others if known)
        return next(((rank, row) for rank, row in rows if rank), None)

    def items_of(self, force: ForceRow | None) -> ByName[Item]:
        """Every item by name; a name that stands for several items finds the one on this force's list."""
        return self._items[force.name if force else ""]

    def item(self, name: str) -> Item | None:
        return self._items[""].find(name)

    def open_to_all(self, name: str) -> int | None:
        """How many with this name every group may have; None for items that are only in forces' lists."""
        return next((most for known, most in self.file.open_to_all.items() if fold(known) == fold(name)), None)


def read_edition(data: bytes) -> EditionInfo:
    file = shaped_edition(data, EditionFile, faults_of)
    names = (
        ("Ranks", sorted({rank.name for force in file.forces for rank in force.ranks})),
        ("Weapons", _names(group for group in file.items if group.columns and not group.armour)),
        ("Armour", _names(group for group in file.items if group.armour)),
        ("Items", _names(group for group in file.items if not group.columns)),
    )
    with_needs = {f"{name} ({needs})": name for name, needs in file.perks.items() if needs}
    turfs = name_table((turf.name for turf in file.turfs), file.aliases)
    perks = name_table(file.perks, {**file.aliases, **with_needs})
    edition = Edition(file, by_name(file.forces, file.aliases), turfs, perks)
    return info_of(file, edition, names_in(file.forces), names)


def _names(groups: Iterable[ItemGroup]) -> list[str]:
    return sorted(row.name for group in groups for row in group.rows)


DATA = Path(__file__).parent / "data"
EDITIONS: tuple[EditionInfo, ...] = tuple(read_edition(path.read_bytes()) for path in DATA.glob("edition_*.json"))
"""The shipped editions; data/SOURCES.md names the sources of their figures."""


def compare(before: EditionInfo, after: EditionInfo) -> EditionDifference:
    """The differences of ``after`` from ``before``, row by row; other names include misprints of the rulebook."""
    return differences(price_lists(before, misprints=True), price_lists(after, misprints=True))


def price_lists(info: EditionInfo, *, misprints: bool = False) -> tuple[PriceList, ...]:
    """Everything in an edition: each force's ranks and lists, the items by kind, turfs and perks.

    Misprints of the rulebook, other names that a rank's name begins with, are left out unless asked for.
    """
    file: EditionFile = info.lists.file
    forces = tuple(_force_list(force, misprints) for force in file.forces)
    items = tuple(
        PriceList(gettext(group.kind), tuple(_item_row(row, group) for row in group.rows)) for group in file.items
    )
    turfs = (
        PriceRow(turf.name, "", (labelled("2D12", _span(turf.first, turf.last)), gettext(turf.yields)))
        for turf in file.turfs
    )
    perks = (PriceRow(name, "", (gettext(needs),) if needs else ()) for name, needs in file.perks.items())
    open_to_all = (
        PriceRow(name, "", (gettext("at most %(most)s, though on no force’s list", most=most),))
        for name, most in file.open_to_all.items()
    )
    start = (
        gettext("%(n)s at the start", n=file.turfs_at_start),
        gettext("each adds %(n)s to the rating", n=file.turf_rating),
    )
    lines = (PriceRow("/".join(line), "") for line in file.lines)
    lists = (
        *forces,
        PriceList(gettext("Every group"), (*open_to_all, PriceRow(gettext("Turfs"), "", start))),
        *items,
        PriceList(
            gettext("Names of one line"), tuple(lines), N_("Together they mean the first that the force may buy.")
        ),
        PriceList(gettext("Turfs"), tuple(turfs), N_("Rolled, never bought.")),
        PriceList(gettext("Perks"), tuple(perks), N_("By experience, never bought.")),
        other_names(file.aliases),
    )
    return tuple(price_list for price_list in lists if price_list.rows)


def _force_list(force: ForceRow, misprints: bool) -> PriceList:
    everybody = {rank.name for rank in force.ranks} == set(force.big_gun_ranks)
    carriers = gettext("anybody") if everybody else listed(force.big_gun_ranks) or gettext("nobody")
    most = N_("At most %(most)s characters; one Big Gun for every %(per)s, carried by %(carriers)s.")
    ranks = ", ".join(rank.name for rank in force.ranks)
    notes = [
        gettext(most, most=force.group_most, per=force.big_gun_per, carriers=carriers),
        gettext("Ranks from the lowest to the leader’s: %(ranks)s.", ranks=ranks),
    ]
    rows = [_rank_row(rank, force, misprints) for rank in force.ranks]
    rows += [PriceRow(name, str(caps)) for name, caps in force.weapons.items()]
    for row in force.armour:
        worn_by = ", ".join(row.ranks) or gettext("nobody")
        notes_of_row = [gettext("saves on %(save)s", save=row.save), gettext("for %(ranks)s", ranks=worn_by)]
        if row.also:
            notes_of_row.append(gettext("also: %(names)s", names=", ".join(row.also)))
        rows.append(PriceRow(row.name, str(row.caps), tuple(notes_of_row)))
    return PriceList(force.name, tuple(rows), " ".join(notes))


def _rank_row(rank: RankRow, force: ForceRow, misprints: bool) -> PriceRow:
    profile = " ".join(f"{letter}{figure}" for letter, figure in zip("SPECIAL", rank.special, strict=True))
    worn = listed(force.may_wear(rank.name), style="or")
    must = N_("must buy %(armour)s") if rank.name in force.must_buy else N_("must wear %(armour)s")
    may = N_("may wear %(armour)s")
    wears = gettext(must if rank.name in force.must_wear else may, armour=worn or gettext("armour"))
    bound = rank.name in force.must_wear or worn
    also = [name for name in rank.also if misprints or not rank.name.startswith(name)]
    notes = (
        gettext("at most %(n)s", n=rank.most),
        profile,
        f"W{rank.wounds} AP{rank.action_points}",
        f"{rank.experience} XP",
        wears if bound else "",
        gettext("also: %(names)s", names=", ".join(also)) if also else "",
    )
    return PriceRow(rank.name, str(rank.caps), tuple(filter(None, notes)))


def _item_row(row: ItemRow, group: ItemGroup) -> PriceRow:
    marks = (
        "Big Gun" * group.big_gun,
        gettext("worn as armour") * group.armour,
        gettext("lasts for all games") * group.lasting,
    )
    said = (*marks, minus(Item(row, group).figures), minus(row.special))
    return PriceRow(row.name, gettext("built") if row.caps is None else str(row.caps), tuple(filter(None, said)))


def _span(first: int, last: int) -> str:
    return str(first) if first == last else gettext("%(first)s to %(last)s", first=first, last=last)
