"""An edition as tables to read: its price lists, and its difference to another edition, row by row.

Not compared are title, date, source and notes, the order of things, spellings that differ in case or spacing alone, and
packs by themselves: what they give is shown with the models that have them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from validators.battle_mode.edition import Disputed, Edition, Faction, Item, ModelEntry, Pack, Priced
from validators.contract import EditionInfo
from validators.editions import DifferenceRow, EditionDifference, PriceList, PriceRow
from validators.names import fold

Value = int | str | bool | None
_Listed = TypeVar("_Listed", Faction, Item, ModelEntry, Priced)


@dataclass(frozen=True)
class Change:
    """A property with both its values: caps, percent, unique, perhaps unique, Heroic, fielded, category, kind ..."""

    what: str
    before: Value
    after: Value


@dataclass(frozen=True)
class Access:
    """What a model may have now and might not before, and the other way round; ``what`` is items, mods, perks ..."""

    what: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True)
class Changed:
    """An entry that both editions have, with all that is otherwise about it."""

    name: str
    changes: tuple[Change, ...] = ()
    access: tuple[Access, ...] = ()


@dataclass(frozen=True)
class TableDiff:
    """A list of both editions ("Survivors", "Items", "Mods"): names added and removed, and entries that changed."""

    title: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[Changed, ...] = ()

    @property
    def empty(self) -> bool:
        """Nothing differs."""
        return not (self.added or self.removed or self.changed)

    @property
    def repriced(self) -> tuple[Changed, ...]:
        """The entries whose cost changed."""
        return tuple(c for c in self.changed if any(change.what in ("caps", "percent") for change in c.changes))


@dataclass(frozen=True)
class EditionDiff:
    """All that is otherwise; what is the same is not in it."""

    heroic_caps: Change | None
    factions: TableDiff
    """The factions themselves; the models of one added or removed are not listed."""
    models: tuple[TableDiff, ...]
    """The models of each faction that both have, where anything about them is otherwise."""
    tables: tuple[TableDiff, ...]
    """Items, mods, perks, Leader cards; other spellings; disputed facts."""

    @property
    def empty(self) -> bool:
        """A force fares the same by both editions."""
        return self.heroic_caps is None and self.factions.empty and not self.models and not self.tables

    def summary(self) -> tuple[str, ...]:
        """The differences in a few sentences."""
        heroic = self.heroic_caps
        sentences = [f"Heroic costs {heroic.after} Caps instead of {heroic.before}"] if heroic else []
        sentences += [_sentence(table) for table in (self.factions, *self.models, *self.tables) if not table.empty]
        return tuple(f"{sentence}." for sentence in sentences) or ("Nothing differs.",)


def difference(before: Edition, after: Edition) -> EditionDiff:
    """What ``after`` has otherwise than ``before``."""
    both = [key for key in before.factions if key in after.factions]
    models = (
        _compare(
            after.factions[key].name,
            before.factions[key].models,
            after.factions[key].models,
            lambda old, new: _model(old, new, before, after),
        )
        for key in both
    )
    tables = (
        _compare("Items", before.items, after.items, _item),
        _compare("Mods", before.mods, after.mods, _priced),
        _compare("Perks", before.perks, after.perks, _priced),
        _compare("Leader cards", before.leader_cards, after.leader_cards, _priced),
        _sets("Other spellings", _aliases(before), _aliases(after)),
        _sets("Disputed facts", map(_fact, before.disputed), map(_fact, after.disputed)),
    )
    return EditionDiff(
        heroic_caps=next(iter(_changes(("caps", before.heroic_caps, after.heroic_caps))), None),
        factions=_compare("Factions", before.factions, after.factions, _faction),
        models=tuple(table for table in models if not table.empty),
        tables=tuple(table for table in tables if not table.empty),
    )


def _compare(
    title: str,
    before: Mapping[str, _Listed],
    after: Mapping[str, _Listed],
    compare: Callable[[_Listed, _Listed], Changed],
) -> TableDiff:
    pairs = (compare(before[key], after[key]) for key in before if key in after)
    return TableDiff(
        title,
        added=tuple(entry.name for key, entry in after.items() if key not in before),
        removed=tuple(entry.name for key, entry in before.items() if key not in after),
        changed=tuple(changed for changed in pairs if changed.changes or changed.access),
    )


def _sets(title: str, before: Iterable[str], after: Iterable[str]) -> TableDiff:
    old, new = dict.fromkeys(before), dict.fromkeys(after)
    return TableDiff(
        title, tuple(text for text in new if text not in old), tuple(text for text in old if text not in new)
    )


def _changes(*properties: tuple[str, Value, Value]) -> tuple[Change, ...]:
    return tuple(Change(what, before, after) for what, before, after in properties if before != after)


def _faction(old: Faction, new: Faction) -> Changed:
    return Changed(new.name, _changes(("fielded", old.fielded, new.fielded)))


def _item(old: Item, new: Item) -> Changed:
    return Changed(
        new.name,
        _changes(
            ("caps", old.caps, new.caps),
            ("category", old.category, new.category),
            ("kind", old.kind, new.kind),
            ("heavy", old.heavy, new.heavy),
            ("takes a mod", old.takes_mod, new.takes_mod),
        ),
    )


def _priced(old: Priced, new: Priced) -> Changed:
    return Changed(new.name, _changes(("caps", old.caps, new.caps), ("percent", old.percent, new.percent)))


def _model(old: ModelEntry, new: ModelEntry, before: Edition, after: Edition) -> Changed:
    access = (
        _access("items", _items(old), _items(new)),
        _access("perhaps items", _folded(old.perhaps_carries), _folded(new.perhaps_carries)),
        _access("mods", _allowed(old.mods, before.mods), _allowed(new.mods, after.mods)),
        _access("perks", _allowed(old.perks, before.perks), _allowed(new.perks, after.perks)),
        _access(
            "Leader cards",
            _allowed(old.leader_cards, before.leader_cards),
            _allowed(new.leader_cards, after.leader_cards),
        ),
        _access("built in", _folded(old.built_in), _folded(new.built_in)),
    )
    # A model that may have all perks gains every new one: that stands with the perks, not at each model.
    free = {
        what
        for what, *bounds in (
            ("mods", old.mods, new.mods),
            ("perks", old.perks, new.perks),
            ("Leader cards", old.leader_cards, new.leader_cards),
        )
        if bounds == [None, None]
    }
    return Changed(
        new.name,
        _changes(
            ("caps", old.caps, new.caps),
            ("unique", old.unique, new.unique),
            ("perhaps unique", old.perhaps_unique, new.perhaps_unique),
            ("Heroic", old.heroic, new.heroic),
        ),
        tuple(one for one in access if (one.gained or one.lost) and one.what not in free),
    )


def _access(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> Access:
    return Access(
        what,
        gained=tuple(name for key, name in after.items() if key not in before),
        lost=tuple(name for key, name in before.items() if key not in after),
    )


def _items(entry: ModelEntry) -> dict[str, str]:
    return _folded(name for names in entry.may_carry.values() for name in names)


def _allowed(names: frozenset[str] | None, table: Mapping[str, Priced]) -> dict[str, str]:
    return _folded(priced.name for priced in table.values() if names is None or priced.name in names)


def _folded(names: Iterable[str]) -> dict[str, str]:
    return {fold(name): name for name in names}


def _aliases(edition: Edition) -> list[str]:
    return [f"{alias} for {name}" for alias, name in edition.aliases.items()]


def _fact(dispute: Disputed) -> str:
    about = " ".join(filter(None, (dispute.faction, dispute.model, dispute.item)))
    return f"{about}: {dispute.fact} {dispute.here} or {dispute.there}"


def _sentence(table: TableDiff) -> str:
    """Survivors: 2 added (A, B), 12 with another cost, 3 changed otherwise."""
    dearer = len(table.repriced)
    other = len(table.changed) - dearer
    parts = [
        f"{len(table.added)} added{_few(table.added)}" if table.added else "",
        f"{len(table.removed)} removed{_few(table.removed)}" if table.removed else "",
        f"{dearer} with another cost" if dearer else "",
        f"{other} with other changes" if other else "",
    ]
    return f"{table.title}: {', '.join(filter(None, parts))}"


def _few(names: tuple[str, ...]) -> str:
    return f" ({', '.join(names)})" if len(names) <= 3 else ""


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
