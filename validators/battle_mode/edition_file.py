"""Reading a Battle Mode edition file (docs/file_formats.md), of shipped and of imported editions."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from validators.battle_mode.edition import (
    DATA,
    DisputedRow,
    Edition,
    EditionFile,
    Faction,
    Item,
    ModelEntry,
    ModelRow,
    PackRow,
    Priced,
    info_of,
)
from validators.contract import EditionInfo
from validators.edition_file import MOST_FAULTS, Fault, alias_faults, repeated, shaped_edition, unknown_name, unreadable
from validators.names import ByName, by_name, name_table
from validators.strict_json import Place


def faults_of(file: EditionFile) -> Iterator[Fault]:
    """Every name that is repeated (ignoring case and spacing) or unknown."""
    kinds = {name: group.kind for group in file.items for name in group.caps}
    known = {
        "model": name_table(model.name for faction in file.factions for model in faction.models),
        "item": name_table(name for group in file.items for name in group.caps),
        "mod": name_table(file.mods),
        "perk": name_table([*file.perks, *file.shares]),
        "Leader card": name_table(file.leader_cards),
        "pack": name_table(pack.name for pack in file.packs),
    }
    yield from repeated((("factions", i, "name"), faction.name) for i, faction in enumerate(file.factions))
    yield from repeated((("packs", i, "name"), pack.name) for i, pack in enumerate(file.packs))
    groups = [(group.category, group.kind, group.heavy, group.takes_mod) for group in file.items]
    for i, group in enumerate(groups):
        if group in groups[:i]:
            yield ("items", i, "kind"), f"is a second group of {group[1]} with the same properties"
    yield from repeated((("items", i, "caps", name), name) for i, group in enumerate(file.items) for name in group.caps)
    for key, priced in (("mods", file.mods), ("leader_cards", file.leader_cards), ("perks", file.perks)):
        yield from repeated(((key, name), name) for name in priced)
    yield from repeated(((("shares", name), name) for name in file.shares), before=name_table(file.perks))
    for i, pack in enumerate(file.packs):
        for key, sort in _IN_A_PACK.items():
            yield from _unknown(("packs", i, key), getattr(pack, key), sort, known)
    for i, faction in enumerate(file.factions):
        yield from repeated(
            (("factions", i, "models", k, "name"), model.name) for k, model in enumerate(faction.models)
        )
        for k, model in enumerate(faction.models):
            yield from _model_faults(("factions", i, "models", k), model, known, kinds)
    names = [name for sort, table in known.items() if sort != "pack" for name in table.values()]
    built_in = (name for faction in file.factions for model in faction.models for name in model.built_in)
    yield from alias_faults(file.aliases, names, built_in)


_Known = Mapping[str, ByName[str]]
"""All names of a file, by what they name."""
_IN_A_PACK = {"items": "item", "perhaps": "item", "mods": "mod", "perks": "perk", "leader_cards": "Leader card"}


def _model_faults(here: Place, model: ModelRow, known: _Known, kinds: Mapping[str, str]) -> Iterator[Fault]:
    if model.unique and model.perhaps_unique:
        yield (*here, "perhaps_unique"), "is given together with unique; remove it"
    yield from _unknown((*here, "packs"), model.packs, "pack", known)
    for kind, names in model.may_carry.items():
        place = (*here, "may_carry", kind)
        yield from _unknown(place, names, "item", known)
        for k, name in enumerate(names):
            listed = known["item"].find(name)
            if listed and kinds[listed] != kind:
                yield (*place, k), f"{name} is of the kind {kinds[listed]}, not {kind}"


def _unknown(place: Place, names: Sequence[str], sort: str, known: _Known) -> Iterator[Fault]:
    table = known[sort]
    for k, name in enumerate(names):
        if table.find(name) is None:
            yield (*place, k), unknown_name(name, sort, table.values())
    yield from repeated(((*place, k), table.find(name) or name) for k, name in enumerate(names))


def build(file: EditionFile) -> Edition:
    """The edition in a file without ``faults_of``."""
    found = (
        Item(name, caps, group.category, group.kind, group.heavy, group.takes_mod)
        for group in file.items
        for name, caps in group.caps.items()
    )
    items = by_name(found, file.aliases)
    mods = by_name((Priced(*pair) for pair in file.mods.items()), file.aliases)
    shares = (Priced(name, 0, percent) for name, percent in file.shares.items())
    perks = by_name([*(Priced(*pair) for pair in file.perks.items()), *shares], file.aliases)
    leader_cards = by_name((Priced(*pair) for pair in file.leader_cards.items()), file.aliases)

    tables: dict[str, ByName[Item] | ByName[Priced]] = {
        "items": items, "mods": mods, "perks": perks, "leader_cards": leader_cards, "perhaps": items,
    }  # fmt: skip
    rows = (
        row.model_copy(update={key: [*map(table.spelling, getattr(row, key))] for key, table in tables.items()})
        for row in file.packs
    )
    packs = by_name(rows, file.aliases)
    models = (
        (row, by_name((_model(model, row.name, packs, items) for model in row.models), file.aliases))
        for row in file.factions
    )
    factions = (Faction(row.name, row.fielded, listed) for row, listed in models)
    return Edition(
        file=file,
        factions=by_name(factions, file.aliases),
        packs=packs,
        items=items,
        mods=mods,
        perks=perks,
        leader_cards=leader_cards,
    )


def _model(row: ModelRow, faction: str, packs: ByName[PackRow], items: ByName[Item]) -> ModelEntry:
    """A model with everything that its packs allow; with packs, its items are in the order of ``items``."""
    own = [pack for name in row.packs if (pack := packs.find(name))]
    may_carry = {kind: tuple(map(items.spelling, names)) for kind, names in row.may_carry.items()}
    allowed = {name for names in may_carry.values() for name in names}.union(*(pack.items for pack in own))
    perhaps = {name for pack in own for name in pack.perhaps} - allowed
    if own:
        may_carry = {}
        for item in items.values():
            if item.name in allowed:
                may_carry[item.kind] = (*may_carry.get(item.kind, ()), item.name)

    def in_packs(key: str) -> frozenset[str] | None:
        return frozenset(name for pack in own for name in getattr(pack, key)) if own else None

    return ModelEntry(
        name=row.name,
        caps=row.caps,
        faction=faction,
        unique=row.unique,
        heroic=row.heroic or any(pack.heroic for pack in own),
        built_in=tuple(row.built_in),
        may_carry=may_carry,
        perhaps_unique=row.perhaps_unique,
        packs=tuple(pack.name for pack in own),
        perhaps_carries=tuple(item.name for item in items.values() if item.name in perhaps),
        mods=in_packs("mods"),
        perks=in_packs("perks"),
        leader_cards=in_packs("leader_cards"),
    )


def disputed_faults(edition: Edition) -> Iterator[Fault]:
    """Every disputed fact that names nothing, or whose ``here`` contradicts the lists."""
    for i, dispute in enumerate(edition.file.disputed):
        item = edition.items.find(dispute.item or "")
        entry = edition.model(dispute.model or "", dispute.faction or "")
        if dispute.fact in ("caps", "carry") and (item is None or item.name != dispute.item):
            yield ("disputed", i, "item"), f"{dispute.item or 'nothing'} is not an item of this file"
        elif dispute.fact != "caps" and (
            entry is None or (entry.name, entry.faction) != (dispute.model, dispute.faction)
        ):
            whose = dispute.faction or "nobody"
            yield ("disputed", i, "model"), f"{dispute.model or 'nothing'} is no model of {whose}"
        elif (said := _listed_value(dispute, item, entry)) != dispute.here or type(said) is not type(dispute.here):
            yield ("disputed", i, "here"), f"is {dispute.here}, the lists say {said}"
        elif type(dispute.there) is not type(said) or dispute.there == said:
            yield ("disputed", i, "there"), f"is {dispute.there}, no other answer of the kind that the lists give"


def _listed_value(dispute: DisputedRow, item: Item | None, entry: ModelEntry | None) -> int | bool:
    """The value of a disputed fact in the lists."""
    match dispute.fact:
        case "carry":
            return entry is not None and entry.carries(dispute.item or "")
        case "heroic":
            return entry is not None and entry.heroic
        case "unique":
            return entry is not None and entry.unique is not None
        case "caps":
            return item.caps if item else 0


def read_edition(data: bytes) -> Edition:
    """From an edition file's bytes to the edition. Raises UnreadableEdition: each fault with its line and field."""
    edition = build(shaped_edition(data, EditionFile, faults_of))
    faults = list(islice(disputed_faults(edition), MOST_FAULTS + 1))
    if faults:
        raise unreadable(data, faults)
    return edition


EDITIONS: Mapping[str, Edition] = {
    edition.file.id: edition
    for edition in sorted(
        (read_edition(path.read_bytes()) for path in DATA.glob("edition_*.json")),
        key=lambda edition: (not edition.file.partial, edition.file.date),
        reverse=True,
    )
}
"""All shipped editions by id: complete ones first, newest first."""


def read_file(data: bytes) -> EditionInfo:
    """From an edition file's bytes to the edition. Raises UnreadableEdition."""
    return info_of(read_edition(data))
