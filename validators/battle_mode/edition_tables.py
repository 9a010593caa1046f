"""Price lists of a Battle Mode edition, and its differences from another edition, row by row.

The comparison ignores title, date, source, notes, order, case and spacing. Packs are compared by the models that have
them; what they perhaps hold, pack by pack.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from languages.words import N_, gettext, labelled, ngettext, signed
from validators.battle_mode.edition import (
    DisputedRow,
    Edition,
    Faction,
    Item,
    ModelEntry,
    PackRow,
    Priced,
    Thing,
    Upgrade,
)
from validators.contract import EditionInfo
from validators.editions import ADDED, REMOVED, DifferenceRow, EditionDifference, PriceList, PriceRow
from validators.names import fold
from validators.sheet import copies

_Entry = Faction | Item | ModelEntry | Priced
_COSTS = ("Caps", N_("share of the model’s cost"))
_TABLES = ((N_("Mods"), "mods"), (N_("Perks"), "perks"), (N_("Leader cards"), "leader_cards"))
_LIMITS: dict[Upgrade, str] = {"mod": N_("mods"), "perk": N_("perks"), "Leader card": N_("Leader cards")}
"""The sorts of which a model may have a part only, as a fact of the model."""
_DISPUTED = {"caps": "Caps", "carry": N_("may carry"), "unique": N_("unique"), "heroic": N_("Heroic")}
_HEAVY, _TAKES_MOD, _BUILT_IN_ONLY = N_("heavy"), N_("takes a mod"), N_("built in only")


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    edition: Edition = info.lists
    lists = [
        PriceList(
            faction.name,
            tuple(_model_row(entry, edition) for entry in faction.models.values()),
            "" if faction.fielded else N_("Not fielded as a faction of its own."),
        )
        for faction in edition.factions.values()
    ]
    lists.append(PriceList(gettext("Packs"), tuple(map(_pack_row, edition.packs.values())), has=N_("Contains")))
    kinds: dict[str, list[PriceRow]] = {}
    for item in edition.items.values():
        marks = ((item.heavy, _HEAVY), (item.takes_mod, _TAKES_MOD), (item.printed, _BUILT_IN_ONLY))
        notes = (*(gettext(text) for has, text in marks if has), *_tags(item))
        kind = gettext(item.kind)
        title = kind if item.kind == item.category else labelled(gettext(item.category), kind)
        kinds.setdefault(title, []).append(PriceRow(item.name, _cost(item, edition), notes))
    lists += [PriceList(title, tuple(rows)) for title, rows in kinds.items()]
    lists += [
        PriceList(
            gettext(title),
            tuple(PriceRow(row.name, _cost(row, edition), _fits(row)) for row in getattr(edition, field).values()),
        )
        for title, field in _TABLES
    ]
    lists.append(
        PriceList(gettext("Of every model that may be Heroic"), (PriceRow("Heroic", f"{edition.file.heroic_caps}"),))
    )
    return tuple(price_list for price_list in lists if price_list.rows)


def _fits(priced: Priced) -> tuple[str, ...]:
    fits = (gettext("fits %(kinds)s", kinds=", ".join(map(gettext, sorted(priced.kinds)))),) if priced.kinds else ()
    return fits + _tags(priced)


def _tags(thing: Thing) -> tuple[str, ...]:
    """The models that a thing is for, or not for, where packs give it."""
    whom = thing.for_whom
    notes = (
        _named(N_("only %(names)s"), ", ".join(sorted(whom.needs))),
        _named(N_("not %(names)s"), ", ".join(sorted(whom.bars))),
        _named(N_("only with the pack %(names)s"), whom.own_pack),
    )
    return tuple(filter(None, notes))


def _model_row(entry: ModelEntry, edition: Edition) -> PriceRow:
    """A model with its own options only; those of its packs are listed with the packs."""
    usual = ", ".join(copies(count, name) for name, count in entry.usual.items())
    free = ", ".join(_on_one(mod, where) for mod, where in entry.free_mods.items())
    notes = (
        ", ".join(sorted(entry.tags)),
        gettext("unique") if entry.unique == entry.name else _named(N_("unique: %(names)s"), entry.unique),
        gettext("perhaps unique")
        if entry.perhaps_unique == entry.name
        else _named(N_("perhaps unique: %(names)s"), entry.perhaps_unique),
        gettext("may be Heroic") if entry.heroic and not entry.options_unknown else "",
        gettext("what it may have is not stated") if entry.options_unknown else "",
        _named(N_("built in: %(names)s"), ", ".join(entry.built_in)),
        _named(N_("usually with: %(names)s"), usual),
        _named(N_("free: %(names)s"), free),
        _named(N_("packs: %(names)s"), ", ".join(entry.packs)),
    )
    held = {name for pack in entry.packs for name in edition.packs[fold(pack)].items}
    may_have: dict[str, tuple[str, ...]] = {}
    for item in edition.items.values():
        if item.name in (entry.named | set(entry.usual)) - held:
            may_have[item.kind] = (*may_have.get(item.kind, ()), item.name)
    return PriceRow(entry.name, _cost(entry, edition), tuple(filter(None, notes)), tuple(may_have.items()))


def _named(text: str, names: str | None) -> str:
    return gettext(text, names=names) if names else ""


def _on_one(mod: str, where: str) -> str:
    return gettext("%(mod)s on one %(item)s", mod=mod, item=where)


def _pack_row(pack: PackRow) -> PriceRow:
    held = (
        (N_("Items"), pack.items),
        (N_("Mods"), pack.mods),
        (N_("Perks"), pack.perks),
        (N_("Leader cards"), pack.leader_cards),
        (N_("Perhaps: the edition does not say"), pack.perhaps),
    )
    may_have = tuple((kind, tuple(names)) for kind, names in held if names)
    return PriceRow(pack.name, "", (gettext("may be Heroic"),) * pack.heroic, may_have)


def _cost(entry: _Entry, edition: Edition) -> str:
    """Caps, or a share of the model's cost; "" for a faction."""
    if isinstance(entry, Priced) and entry.percent:
        return f"{signed(entry.percent)} %"
    return "" if isinstance(entry, Faction) else str(_caps(entry, edition))


def _caps(entry: Item | ModelEntry | Priced, edition: Edition) -> int | str:
    return entry.caps if edition.states_cost(entry) else gettext("not stated")


def compare(before: EditionInfo, after: EditionInfo) -> EditionDifference:
    """The differences of ``after`` from ``before``, in sentences and row by row.

    The models of a faction that only one of them has are not listed.
    """
    old: Edition = before.lists
    new: Edition = after.lists
    tables = [
        [*_changes("Heroic", "Heroic", {"Caps": old.file.heroic_caps}, {"Caps": new.file.heroic_caps})],
        [*_changes(gettext("Built-in items"), gettext("Built-in items"), _in_lists(old), _in_lists(new))],
        [*_rows(gettext("Factions"), (old, old.factions), (new, new.factions))],
    ]
    for key, faction in new.factions.items():
        if key in old.factions:
            models = (old, old.factions[key].models), (new, faction.models)
            tables.append([*_rows(gettext("Models"), *models, faction.name)])
    tables.append([*_perhaps(old, new)])
    tables.append([*_rows(gettext("Items"), (old, old.items), (new, new.items))])
    tables += [
        [*_rows(gettext(title), (old, getattr(old, field)), (new, getattr(new, field)))] for title, field in _TABLES
    ]
    tables.append([*_texts(gettext("Other spellings"), _aliases(old), _aliases(new))])
    tables.append([*_texts(gettext("Disputed facts"), map(_fact, old.file.disputed), map(_fact, new.file.disputed))])
    sentences = tuple(_sentence(rows) for rows in tables if rows)
    return EditionDifference(sentences or (gettext("Nothing differs."),), tuple(row for rows in tables for row in rows))


def _in_lists(edition: Edition) -> dict[str, bool]:
    return {N_("may be named in lists"): edition.file.names_built_in}


def _perhaps(old: Edition, new: Edition) -> Iterator[DifferenceRow]:
    """What packs perhaps hold; a pack that only one of the editions has holds nothing in the other."""
    for name in dict.fromkeys([*old.packs, *new.packs]):
        was, now = old.packs.get(name), new.packs.get(name)
        before, after = ({N_("perhaps holds"): _folded(pack.perhaps if pack else ())} for pack in (was, now))
        pack = now or was
        yield from _changes(gettext("Packs"), pack.name if pack else name, before, after)


_Table = tuple[Edition, Mapping[str, _Entry]]


def _rows(kind: str, before: _Table, after: _Table, faction: str = "") -> Iterator[DifferenceRow]:
    old, new = before[1], after[1]
    for entry in (entry for key, entry in new.items() if key not in old):
        yield DifferenceRow(kind, entry.name, ADDED, "", _cost(entry, after[0]), faction)
    for entry in (entry for key, entry in old.items() if key not in new):
        yield DifferenceRow(kind, entry.name, REMOVED, _cost(entry, before[0]), "", faction)
    for key, entry in new.items():
        if key in old:
            bounded = any(
                isinstance(model_entry, ModelEntry) and model_entry.packs for model_entry in (old[key], entry)
            )
            was, now = _facts(old[key], before[0], bounded), _facts(entry, after[0], bounded)
            yield from _changes(kind, entry.name, was, now, faction)


def _texts(kind: str, before: Iterable[str], after: Iterable[str]) -> Iterator[DifferenceRow]:
    old, new = dict.fromkeys(before), dict.fromkeys(after)
    yield from (DifferenceRow(kind, text, ADDED, "", "") for text in new if text not in old)
    yield from (DifferenceRow(kind, text, REMOVED, "", "") for text in old if text not in new)


def _facts(entry: _Entry, edition: Edition, bounded: bool) -> dict[str, Any]:
    """The compared facts of an entry: figures and words, and names in folded form.

    ``bounded``: packs limit what at least one of the two models may have. A model that may have all perks gains every
    new one; this is shown with the perks instead of with each model.
    """
    match entry:
        case Faction():
            return {N_("fielded"): entry.fielded}
        case Item():
            facts = {"Caps": _caps(entry, edition), N_("category"): entry.category, N_("kind"): entry.kind}
            return facts | {_HEAVY: entry.heavy, _TAKES_MOD: entry.takes_mod, _BUILT_IN_ONLY: entry.printed}
        case Priced():
            return dict(zip(_COSTS, (_caps(entry, edition), entry.percent), strict=True)) | {
                N_("fits"): _folded(entry.kinds)
            }
    return {
        "Caps": _caps(entry, edition),
        N_("unique"): entry.unique,
        N_("perhaps unique"): entry.perhaps_unique,
        N_("Heroic"): entry.heroic,
        N_("items"): _folded(name for name, may in entry.offers["item"].items() if may),
        N_("options not stated"): entry.options_unknown,
        **{text: _folded(entry.offers[sort]) for sort, text in _LIMITS.items() if bounded},
        N_("built in"): _folded(entry.built_in),
        N_("tags"): _folded(entry.tags),
        N_("usual items"): _folded(copies(count, name) for name, count in entry.usual.items()),
        N_("free mods"): _folded(_on_one(mod, where) for mod, where in entry.free_mods.items()),
    }


def _folded(names: Iterable[str]) -> dict[str, str]:
    return {fold(name): name for name in names}


def _changes(
    kind: str, name: str, before: Mapping[str, Any], after: Mapping[str, Any], faction: str = ""
) -> Iterator[DifferenceRow]:
    for what, now in after.items():
        was = before[what]
        if isinstance(now, dict):
            lost = ", ".join(name for key, name in was.items() if key not in now)
            gained = ", ".join(name for key, name in now.items() if key not in was)
            values = _named(N_("no longer %(names)s"), lost), _named(N_("now %(names)s"), gained)
        else:
            values = (_said(was), _said(now)) if was != now else ("", "")
        if any(values):
            yield DifferenceRow(kind, name, what, *values, faction)


def _said(value: int | str | bool | None) -> str:
    return gettext("no") if value is None or value is False else gettext("yes") if value is True else str(value)


def _aliases(edition: Edition) -> list[str]:
    return [
        fold(gettext("%(alias)s for %(name)s", alias=alias, name=name)) for alias, name in edition.file.aliases.items()
    ]


def _fact(dispute: DisputedRow) -> str:
    about = " ".join(filter(None, (dispute.faction, dispute.model, dispute.item)))
    text = N_("%(fact)s %(here)s or %(there)s")
    return labelled(
        about,
        gettext(text, fact=gettext(_DISPUTED[dispute.fact]), here=_said(dispute.here), there=_said(dispute.there)),
    )


def _sentence(rows: list[DifferenceRow]) -> str:
    """A summary of one table's rows: "Survivors: 2 added (A, B), 12 with another cost, 3 with other changes."."""
    first = rows[0]
    if first.kind == "Heroic":
        return gettext("Heroic costs %(now)s Caps instead of %(before)s.", now=first.after, before=first.before)
    named = {what: [row.name for row in rows if row.what == what] for what in (ADDED, REMOVED)}
    dearer = {row.name for row in rows if row.what in _COSTS}
    other = {row.name for row in rows if row.what not in named} - dearer
    counts = {
        ADDED: ngettext("%(num)s added", "%(num)s added", len(named[ADDED])),
        REMOVED: ngettext("%(num)s removed", "%(num)s removed", len(named[REMOVED])),
    }
    parts = [
        counts[what] + (f" ({', '.join(names)})" if len(names) <= 3 else "") for what, names in named.items() if names
    ]
    parts += [gettext("%(n)s with another cost", n=len(dearer))] if dearer else []
    parts += [gettext("%(n)s with other changes", n=len(other))] if other else []
    return labelled(first.faction or first.kind, f"{', '.join(parts)}.")
