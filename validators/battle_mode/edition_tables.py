"""An edition as tables to read: its price lists, and its difference to another edition, row by row."""

from collections.abc import Iterable, Iterator, Mapping

from validators.battle_mode.edition import Edition, Item, ModelEntry, Pack, Priced
from validators.battle_mode.edition_diff import Changed, TableDiff, Value, difference
from validators.contract import EditionInfo
from validators.editions import DifferenceRow, EditionDifference, PriceList, PriceRow
from validators.names import fold

_Entry = Item | ModelEntry | Priced
_WORDS = {"caps": "Caps", "percent": "share of the model’s cost"}


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    """All that an edition prices: the models of each faction, packs, items by kind, mods, perks, Leader cards."""
    edition: Edition = info.lists
    lists = [
        PriceList(
            faction.name,
            tuple(_model_row(entry, edition) for entry in faction.models.values()),
            "" if faction.fielded else "Not fielded as a faction of its own.",
        )
        for faction in edition.factions.values()
    ]
    lists.append(PriceList("Packs", tuple(map(_pack_row, edition.packs.values())), has="Holds"))
    kinds: dict[str, list[PriceRow]] = {}
    for item in edition.items.values():
        notes = ("heavy",) * item.heavy + ("takes a mod",) * item.takes_mod
        title = item.kind if item.kind == item.category else f"{item.category}: {item.kind}"
        kinds.setdefault(title, []).append(PriceRow(item.name, _cost(item), notes))
    lists += [PriceList(title, tuple(rows)) for title, rows in kinds.items()]
    lists += [
        PriceList(title, tuple(PriceRow(priced.name, _cost(priced)) for priced in table.values()))
        for title, table in (("Mods", edition.mods), ("Perks", edition.perks), ("Leader cards", edition.leader_cards))
    ]
    lists.append(PriceList("Of every model that may be Heroic", (PriceRow("Heroic", f"{edition.heroic_caps}"),)))
    return tuple(one for one in lists if one.rows)


def _model_row(entry: ModelEntry, edition: Edition) -> PriceRow:
    """A model with what is named for it alone: what its packs hold is read there."""
    person = "unique" if entry.unique == entry.name else f"unique: {entry.unique}" if entry.unique else ""
    doubtful = f"perhaps unique: {entry.perhaps_unique}" if entry.perhaps_unique else ""
    built_in = f"built in: {', '.join(entry.built_in)}" if entry.built_in else ""
    packs = f"packs: {', '.join(entry.packs)}" if entry.packs else ""
    notes = (person, doubtful, "may be Heroic" if entry.heroic else "", built_in, packs)
    held = {name for pack in entry.packs for name in edition.packs[fold(pack)].items}
    own = ((kind, tuple(name for name in names if name not in held)) for kind, names in entry.may_carry.items())
    may_have = tuple((kind, names) for kind, names in own if names)
    return PriceRow(entry.name, _cost(entry), tuple(filter(None, notes)), may_have)


def _pack_row(pack: Pack) -> PriceRow:
    held = (("Items", pack.items), ("Mods", pack.mods), ("Perks", pack.perks), ("Leader cards", pack.leader_cards))
    may_have = tuple((kind, names) for kind, names in held if names)
    return PriceRow(pack.name, "", ("may be Heroic",) * pack.heroic, may_have)


def compare(before: EditionInfo, after: EditionInfo) -> EditionDifference:
    """What ``after`` has otherwise than ``before``, in sentences and row by row."""
    old: Edition = before.lists
    new: Edition = after.lists
    diff = difference(old, new)
    rows: list[DifferenceRow] = []
    if diff.heroic_caps:
        change = diff.heroic_caps
        rows.append(DifferenceRow("Heroic", "Heroic", _WORDS["caps"], _said(change.before), _said(change.after)))
    rows += _rows("Factions", diff.factions, {}, {})
    for table in diff.models:
        key = fold(table.title)
        rows += _rows("Models", table, old.factions[key].models, new.factions[key].models, table.title)
    for table in diff.tables:
        rows += _rows(table.title, table, _table(old, table.title), _table(new, table.title))
    return EditionDifference(diff.summary(), tuple(rows))


def _table(edition: Edition, title: str) -> Mapping[str, Item] | Mapping[str, Priced]:
    tables: Mapping[str, Mapping[str, Item] | Mapping[str, Priced]] = {
        "Items": edition.items,
        "Mods": edition.mods,
        "Perks": edition.perks,
        "Leader cards": edition.leader_cards,
    }
    return tables.get(title, {})


def _rows(
    kind: str, table: TableDiff, old: Mapping[str, _Entry], new: Mapping[str, _Entry], faction: str = ""
) -> Iterator[DifferenceRow]:
    for name in table.added:
        yield DifferenceRow(kind, name, "added", "", _cost_of(name, new), faction)
    for name in table.removed:
        yield DifferenceRow(kind, name, "removed", _cost_of(name, old), "", faction)
    for changed in table.changed:
        yield from _changed(kind, changed, faction)


def _changed(kind: str, changed: Changed, faction: str) -> Iterator[DifferenceRow]:
    for change in changed.changes:
        what = _WORDS.get(change.what, change.what)
        yield DifferenceRow(kind, changed.name, what, _said(change.before), _said(change.after), faction)
    for access in changed.access:
        yield DifferenceRow(kind, changed.name, access.what, _without(access.lost), _with(access.gained), faction)


def _without(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"no longer {listed}" if listed else ""


def _with(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"now {listed}" if listed else ""


def _said(value: Value) -> str:
    if value is None:
        return "no"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _cost_of(name: str, table: Mapping[str, _Entry]) -> str:
    entry = table.get(fold(name))
    return _cost(entry) if entry is not None else ""


def _cost(entry: _Entry) -> str:
    """Caps, or a share of what the model costs."""
    if isinstance(entry, Priced) and entry.percent:
        return f"{entry.percent:+d} %".replace("-", "−")
    return f"{entry.caps}"
