"""Reading a Battle Mode edition file (docs/file_formats.md), of shipped and of imported editions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from languages.words import N_, gettext
from validators.battle_mode.edition import (
    DATA,
    DisputedRow,
    Edition,
    EditionFile,
    Faction,
    ForWhom,
    Item,
    ModelEntry,
    ModelRow,
    Priced,
    Upgrade,
    info_of,
)
from validators.battle_mode.may_carry import may_carry
from validators.contract import EditionInfo
from validators.edition_file import MOST_FAULTS, alias_faults, repeated, shaped_edition, unknown_name, unreadable
from validators.faults import Fault, Place
from validators.names import ByName, by_name, name_table


def faults_of(file: EditionFile) -> Iterator[Fault]:
    kinds = {name: group.kind for group in file.items for name in group.caps}
    tables = {
        "models": name_table(model.name for faction in file.factions for model in faction.models),
        "items": name_table(name for group in file.items for name in group.caps),
        "mods": name_table(file.mods),
        "perks": name_table([*file.perks, *file.shares]),
        "leader_cards": name_table(file.leader_cards),
        "packs": name_table(pack.name for pack in file.packs),
    }
    yield from repeated((("factions", i, "name"), faction.name) for i, faction in enumerate(file.factions))
    yield from repeated((("packs", i, "name"), pack.name) for i, pack in enumerate(file.packs))
    groups = [(group.category, group.kind, group.heavy, group.takes_mod, group.printed) for group in file.items]
    for i, group in enumerate(groups):
        if group in groups[:i]:
            second = N_("is a second group of %(kind)s with the same properties")
            yield Fault(("items", i, "kind"), gettext(second, kind=group[1]))
    yield from repeated((("items", i, "caps", name), name) for i, group in enumerate(file.items) for name in group.caps)
    for key, priced in (("mods", file.mods), ("leader_cards", file.leader_cards), ("perks", file.perks)):
        yield from repeated(((key, name), name) for name in priced)
    yield from repeated(((("shares", name), name) for name in file.shares), before=name_table(file.perks))
    for i, pack in enumerate(file.packs):
        for key in _IN_A_PACK:
            yield from _unknown(("packs", i, key), getattr(pack, key), tables, key)
        yield from _unknown(("packs", i, "perhaps"), pack.perhaps, tables, *_IN_A_PACK)
    for i, faction in enumerate(file.factions):
        yield from repeated(
            (("factions", i, "models", k, "name"), model.name) for k, model in enumerate(faction.models)
        )
        for k, model in enumerate(faction.models):
            yield from _model_faults(("factions", i, "models", k), model, tables, kinds)
    yield from _unknown(("no_cost",), file.no_cost, tables, "models", *_IN_A_PACK)
    tags = {tag for faction in file.factions for model in faction.models for tag in model.tags}
    yield from _rule_faults(file, tables, {*kinds.values(), *tags})
    names = [name for sort, table in tables.items() if sort != "packs" for name in table.values()]
    built_in = (name for faction in file.factions for model in faction.models for name in model.built_in)
    yield from alias_faults(file.aliases, names, [*built_in, *(faction.name for faction in file.factions)])


_Known = Mapping[str, ByName[str]]
"""All names of a file, by the field that has them."""
_IN_A_PACK = ("items", "mods", "perks", "leader_cards")


def _rule_faults(file: EditionFile, known: _Known, fitting: set[str]) -> Iterator[Fault]:
    for key, sorts in (("mod_kinds", ("mods",)), ("needs_tag", _TAGGED), ("bars_tag", _TAGGED)):
        names = getattr(file, key)
        for name in names:
            if not any(known[sort].find(name) for sort in sorts):
                listed = [one for sort in sorts for one in known[sort].values()]
                yield Fault((key, name), unknown_name(name, listed, *sorts))
        yield from repeated(((key, name), name) for name in names)
    for mod, kinds in file.mod_kinds.items():
        for k, kind in enumerate(kinds):
            if kind not in fitting:
                text = N_("%(kind)s is neither a kind of items nor a tag of models in this file")
                yield Fault(("mod_kinds", mod, k), gettext(text, kind=kind))


_TAGGED = ("items", "perks", "leader_cards")


def _model_faults(here: Place, model: ModelRow, known: _Known, kinds: Mapping[str, str]) -> Iterator[Fault]:
    if model.unique and model.perhaps_unique:
        yield Fault((*here, "perhaps_unique"), gettext("is given together with unique; remove it"))
    yield from _unknown((*here, "packs"), model.packs, known, "packs")
    for name in model.usual:
        if known["items"].find(name) is None:
            yield Fault((*here, "usual", name), unknown_name(name, known["items"].values(), "items"))
    for mod, where in model.free_mods.items():
        if known["mods"].find(mod) is None:
            yield Fault((*here, "free_mods", mod), unknown_name(mod, known["mods"].values(), "mods"))
        if where not in kinds.values() and known["items"].find(where) is None:
            text = N_("%(name)s is neither an item nor a kind of items of this file")
            yield Fault((*here, "free_mods", mod), gettext(text, name=where))
    for kind, names in model.may_carry.items():
        place = (*here, "may_carry", kind)
        yield from _unknown(place, names, known, "items")
        for k, name in enumerate(names):
            listed = known["items"].find(name)
            if listed and kinds[listed] != kind:
                text = N_("%(name)s is of the kind %(kind)s, not %(other)s")
                yield Fault((*place, k), gettext(text, name=name, kind=kinds[listed], other=kind))


def _unknown(place: Place, names: Sequence[str], known: _Known, *sorts: str) -> Iterator[Fault]:
    """Every name that is in no table of these sorts, or that is repeated in another spelling."""
    spelt = [next((hit for sort in sorts if (hit := known[sort].find(name))), None) for name in names]
    for k, name in enumerate(names):
        if spelt[k] is None:
            listed = [entry for sort in sorts for entry in known[sort].values()]
            yield Fault((*place, k), unknown_name(name, listed, *sorts))
    yield from repeated(((*place, k), spelt[k] or name) for k, name in enumerate(names))


def build(file: EditionFile) -> Edition:
    """The edition in a file without ``faults_of``."""
    names = {
        "items": name_table((name for group in file.items for name in group.caps), file.aliases),
        "mods": name_table(file.mods, file.aliases),
        "perks": name_table([*file.perks, *file.shares], file.aliases),
        "leader_cards": name_table(file.leader_cards, file.aliases),
    }
    packs = [
        row.model_copy(
            update={key: [*map(table.spelling, getattr(row, key))] for key, table in names.items()}
            | {"perhaps": [next((hit for t in names.values() if (hit := t.find(name))), name) for name in row.perhaps]}
        )
        for row in file.packs
    ]
    needs, bars, kinds = (
        {table.spelling(name): frozenset(tags) for name, tags in rows.items() for table in names.values()}
        for rows in (file.needs_tag, file.bars_tag, file.mod_kinds)
    )
    holders: dict[tuple[str, str], dict[str, frozenset[str]]] = defaultdict(dict)
    for pack in packs:
        held = [(key, name) for key in names for name in getattr(pack, key)]
        marks = frozenset(tag for _, name in held for tag in needs.get(name, ()))
        for thing in [*held, *(("perhaps", name) for name in pack.perhaps)]:
            holders[thing][pack.name] = marks

    stated = {pack.name for pack in packs if pack.items}

    def for_whom(key: str, name: str, kind: str = "") -> ForWhom:
        held, perhaps, no_tags = holders[key, name], frozenset(holders["perhaps", name]), frozenset[str]()
        if key == "mods":
            return ForWhom(held, perhaps)
        own_pack = kind if kind in stated else ""
        return ForWhom(held, perhaps, needs.get(name, no_tags), bars.get(name, no_tags), own_pack)

    def priced(key: str, sort: Upgrade, costs: Mapping[str, int], shares: Mapping[str, int]) -> ByName[Priced]:
        rows = [(name, caps, 0) for name, caps in costs.items()] + [(name, 0, share) for name, share in shares.items()]
        things = (
            Priced(*row, kinds.get(row[0], frozenset()) if key == "mods" else frozenset(), sort, for_whom(key, row[0]))
            for row in rows
        )
        return by_name(things, file.aliases)

    items = (
        Item(
            name, caps, group.category, group.kind, group.heavy, group.takes_mod,
            printed=group.printed, for_whom=for_whom("items", name, group.kind),
        )
        for group in file.items
        for name, caps in group.caps.items()
    )  # fmt: skip
    edition = Edition(
        file=file,
        factions=ByName([]),
        packs=by_name(packs, file.aliases),
        items=by_name(items, file.aliases),
        mods=priced("mods", "mod", file.mods, {}),
        perks=priced("perks", "perk", file.perks, file.shares),
        leader_cards=priced("leader_cards", "Leader card", file.leader_cards, {}),
        rule=may_carry,
    )
    models = (
        (row, by_name((_model(model, row.name, edition) for model in row.models), file.aliases))
        for row in file.factions
    )
    factions = (Faction(row.name, row.fielded, listed) for row, listed in models)
    return replace(edition, factions=by_name(factions, file.aliases))


def _model(row: ModelRow, faction: str, edition: Edition) -> ModelEntry:
    items, packs = edition.items, edition.packs
    packs_here = [pack for name in row.packs if (pack := packs.find(name))]
    return ModelEntry(
        name=row.name,
        caps=row.caps,
        faction=faction,
        unique=row.unique,
        heroic=row.heroic or row.options_unknown or any(pack.heroic for pack in packs_here),
        built_in=tuple(row.built_in),
        named=frozenset(items.spelling(name) for names in row.may_carry.values() for name in names),
        perhaps_unique=row.perhaps_unique,
        stage=row.stage,
        packs=tuple(pack.name for pack in packs_here),
        tags=frozenset(row.tags),
        usual={items.spelling(name): count for name, count in row.usual.items()},
        free_mods={edition.mods.spelling(mod): items.spelling(where) for mod, where in row.free_mods.items()},
        options_unknown=row.options_unknown,
        lists=edition,
    )


def disputed_faults(edition: Edition) -> Iterator[Fault]:
    """Every disputed fact that names nothing, or whose ``here`` contradicts the lists."""
    for i, dispute in enumerate(edition.file.disputed):
        item = edition.items.find(dispute.item or "")
        entry = edition.model(dispute.model or "", dispute.faction or "")
        if dispute.fact in ("caps", "carry") and (item is None or item.name != dispute.item):
            yield Fault(("disputed", i, "item"), unknown_name(dispute.item or "–", (), "items"))
        elif dispute.fact != "caps" and (
            entry is None or (entry.name, entry.faction) != (dispute.model, dispute.faction)
        ):
            text = N_("%(name)s is no model of %(faction)s")
            wrong = gettext(text, name=dispute.model or "–", faction=dispute.faction or "–")
            yield Fault(("disputed", i, "model"), wrong)
        elif (listed := _listed_value(dispute, item, entry)) != dispute.here or type(listed) is not type(dispute.here):
            wrong = gettext("is %(value)s, the lists say %(said)s", value=str(dispute.here), said=str(listed))
            yield Fault(("disputed", i, "here"), wrong)
        elif type(dispute.there) is not type(listed) or dispute.there == listed:
            text = N_("is %(value)s, no other answer of the kind that the lists give")
            yield Fault(("disputed", i, "there"), gettext(text, value=str(dispute.there)))


def _listed_value(dispute: DisputedRow, item: Item | None, entry: ModelEntry | None) -> int | bool:
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
    return info_of(read_edition(data))
