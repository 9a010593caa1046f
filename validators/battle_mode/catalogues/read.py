"""Importing BattleScribe catalogues as an edition: an edition file's document, and a report on the import."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from languages.stated import in_english, stated, strung, worded
from languages.words import gettext, labelled, noted
from validators.battle_mode.catalogues.costs import cost, written_cost
from validators.battle_mode.catalogues.equipment import ItemFound, items_of, mods_of, upgrades_of
from validators.battle_mode.catalogues.files import Files, NoCost, Node, Notes, read_files
from validators.battle_mode.catalogues.index import Index, Judge, name_of
from validators.battle_mode.catalogues.models import HEROIC, Model, models_of
from validators.battle_mode.catalogues.settling import asked, near_item
from validators.contract import Document, UnreadableEdition
from validators.edition_file import iso_date
from validators.editions import EditionReport, EditionTitle
from validators.faults import Fault
from validators.names import fold

HEROIC_CAPS = 60
"""The rulebook's cost (Battle Mode 1.0, Equipping a Model), for catalogues without a cost of Heroic."""
_LEAST_FOR_EVERYTHING = 3
_MOST_SPELLINGS = 60
_MOST_NOTES = 40
_MOST_DISPUTED = 500
_MOST_BUILT_IN = 40
"""The most of each in an edition file (edition_shape.py)."""


def read_catalogues(files: Sequence[tuple[str, bytes]], given: EditionTitle) -> tuple[Document, EditionReport]:
    """From uploaded files (name and bytes; one may be a zip of the others) to an edition file's document.

    ``given`` needs the date of the lists; an id and a name are otherwise made from the game system's name and revision.
    Raises UnreadableEdition: broken or hostile files, none or several game systems, a catalogue of another one, no
    model understood.
    """
    _check_day(given.date)
    notes = Notes()
    read = read_files(files, notes)
    judge = Judge(Index(read, notes), notes)
    factions = _factions(read, judge)
    models = [model for _, found in factions for model in found]
    if not models:
        first = [
            Fault((), labelled(note.name, worded(note.says)), note.line, file=note.file)
            for note in notes.report().left_out[:10]
        ]
        none = gettext("no model of Battle Mode was understood in the files")
        raise UnreadableEdition(Fault((), none), *first)
    items = items_of(models, judge)
    mods = mods_of(items.values(), judge)
    perks = upgrades_of(models, "perk", lambda model: model.perks, judge)
    cards = upgrades_of(models, "Leader card", lambda model: model.cards, judge)
    _doubt_models(factions, items, notes)
    own = {name for model in models for name in (model.name, model.unique or "", *model.built_in)}
    _note_unused(read, judge, {*items, *map(fold, (HEROIC, "leader", *mods, *perks, *cards, *own))})
    heroic_caps = _heroic_caps(models, judge)
    title = _title(read.system)
    document: Document = {
        "system": "battle_mode",
        "id": given.id or _id_of(title),
        "name": given.name or title,
        "date": given.date,
        "source": _source(read),
        "notes": [in_english(sentence)[:400].strip() for sentence in islice(notes.readings.values(), _MOST_NOTES)],
        "partial": notes.partial,
        "heroic_caps": heroic_caps,
        "factions": [
            {"name": faction, "fielded": True, "models": [_model(model, items) for model in found]}
            for faction, found in factions
        ],
        "items": _item_groups(items.values()),
        "leader_cards": cards,
        "perks": perks,
        "mods": mods,
        "aliases": {},
        "disputed": _disputed(items.values(), factions)[:_MOST_DISPUTED],
        "game": name_of(read.system) or None,
    }
    return document, asked(notes.report(read.system.get("id")))


def _check_day(date: str) -> None:
    try:
        iso_date(date)
    except ValueError as fault:
        raise UnreadableEdition(Fault(("date",), str(fault))) from fault


def _factions(files: Files, judge: Judge) -> list[tuple[str, list[Model]]]:
    """Each catalogue except libraries, by name, with its models."""
    found: dict[str, tuple[str, list[Model]]] = {}
    for catalogue in files.catalogues:
        if catalogue.get("library") == "true":
            continue
        name = name_of(catalogue)
        models = models_of(catalogue, judge) if name else []
        if not models:
            judge.notes.left_out(catalogue, stated("no model of Battle Mode stands in this catalogue"))
        elif fold(name) in found:
            judge.notes.left_out(catalogue, stated("a second catalogue of this name; the first is used"))
        else:
            found[fold(name)] = (name, models)
    if found:
        text = noted(
            "Every catalogue with models is a faction that may be fielded (%(names)s); "
            "catalogues do not say which are not."
        )
        judge.notes.reading(stated(text, names=strung(name for name, _ in found.values())))
    return list(found.values())


def _note_unused(files: Files, judge: Judge, known: set[str]) -> None:
    """Note every priced entry that is in no table and not mentioned yet."""
    for node in files.everything():
        name = fold(name_of(node))
        if node.tag == "selectionEntry" and name not in known and name not in judge.notes.names:
            caps = written_cost(node, judge.index)
            if isinstance(caps, NoCost) or caps > 0:
                judge.notes.left_out(node, stated("nothing shows it to a model in Battle Mode"), name_of(node))


def _title(system: Node) -> str:
    revision = f", revision {_revision(system)}" if _revision(system) else ""
    return f"{name_of(system)[:50].strip() or 'Catalogues'}{revision}"


def _id_of(title: str) -> str:
    """A title as a short id for addresses: "made-up-wastes-r7"."""
    return re.sub(r"[^a-z0-9]+", "-", title.casefold().replace("revision ", "r")).strip("-")[:40] or "catalogues"


def _source(files: Files) -> str:
    parts = ", ".join(f"{name_of(tree)} {_revision(tree)}".strip() for tree in files.catalogues)
    return f"BattleScribe catalogues of {_title(files.system)}: {parts}"[:400].strip()


def _revision(tree: Node) -> str:
    return " ".join(tree.get("revision")[:12].split())


def _heroic_caps(models: list[Model], judge: Judge) -> int:
    found: dict[int, Node] = {}
    for offer in (model.heroic for model in models if model.heroic):
        caps = cost(offer, judge)
        if isinstance(caps, int):
            found.setdefault(caps, offer.entry)
        else:
            text = noted("%(wrong)s; the rulebook’s %(caps)s Caps are used")
            judge.notes.doubt(offer.entry, stated(text, wrong=caps.said, caps=HEROIC_CAPS))
    if not found:
        text = noted("No model has a Heroic with a cost: the rulebook’s %(caps)s Caps are used.")
        judge.notes.reading(stated(text, caps=HEROIC_CAPS))
        return HEROIC_CAPS
    caps, *others = found
    for other in others:
        text = noted("costs %(other)s Caps, elsewhere %(caps)s, which is used")
        judge.notes.doubt(found[other], stated(text, other=other, caps=caps))
    return caps


def _item_groups(items: Iterable[ItemFound]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str, bool, bool], dict[str, int]] = {}
    for item in items:
        groups.setdefault((item.category, item.kind, item.heavy, item.takes_mod), {})[item.name] = item.caps
    return [
        {"category": category, "kind": kind, "heavy": heavy, "takes_mod": takes_mod, "caps": caps}
        for (category, kind, heavy, takes_mod), caps in groups.items()
    ]


def _model(model: Model, items: Mapping[str, ItemFound]) -> dict[str, Any]:
    carried: dict[str, list[str]] = {}
    for key in dict.fromkeys(offer.key for offer in model.items):
        if key in items:
            carried.setdefault(items[key].kind, []).append(items[key].name)
    more = {
        "unique": model.unique,
        "heroic": model.heroic is not None,
        "built_in": list(model.built_in)[:_MOST_BUILT_IN],
        "may_carry": carried,
    }
    return {"name": model.name, "caps": model.caps} | {key: value for key, value in more.items() if value}


def _disputed(items: Iterable[ItemFound], factions: list[tuple[str, list[Model]]]) -> list[dict[str, Any]]:
    costs: list[dict[str, Any]] = [
        {"fact": "caps", "item": item.name, "here": item.caps, "there": other} for item in items for other in item.there
    ]
    return costs + [
        {"fact": "unique", "faction": faction, "model": model.name, "here": True, "there": False}
        for faction, models in factions
        for model in models
        if model.doubtful_unique
    ]


def _doubt_models(factions: list[tuple[str, list[Model]]], items: Mapping[str, ItemFound], notes: Notes) -> None:
    """Note models that may carry everything, that may not lead, or whose cost differs in another faction."""
    priced: dict[str, tuple[str, int]] = {}
    known = tuple(item.name for item in items.values())
    spelt: set[str] = set()
    leaders = any(model.cards for _, models in factions for model in models)
    perks = any(model.perks for _, models in factions for model in models)
    for faction, models in factions:
        for model in models:
            carried = {offer.key for offer in model.items} & items.keys()
            if len(items) >= _LEAST_FOR_EVERYTHING and len(carried) * 10 >= len(items) * 9:
                text = noted("may carry %(n)s of all %(all)s items: its permissions were hardly filled in")
                says = stated(text, n=len(carried), all=len(items))
                notes.doubt(model.node, says, model.name, "everything")
            if leaders and not model.cards:
                notes.doubt(model.node, stated("shows no Leader cards"), model.name, "leader_cards")
            if perks and not model.perks:
                notes.doubt(model.node, stated("shows no perks"), model.name, "perks")
            if same := items.get(fold(model.name)):
                text = noted("the name of an item too (%(caps)s Caps): in a list it is the item inside a model")
                says = stated(text, caps=same.caps)
                notes.doubt(model.node, says, model.name)
            for name in model.built_in:
                if name not in spelt and len(spelt) < _MOST_SPELLINGS:
                    spelt.add(name)
                    item = near_item(name, known)
                    text = noted("built into %(name)s; is it meant to be the item %(item)s?")
                    says = stated(text, name=model.name, item=item)
                    if item:
                        notes.doubt(model.node, says, name, "spelling")
            first, caps = priced.setdefault(fold(model.name), (faction, model.caps))
            if caps != model.caps:
                text = noted("costs %(caps)s Caps in %(faction)s and %(other)s in %(first)s")
                says = stated(text, caps=model.caps, faction=faction, other=caps, first=first)
                notes.doubt(model.node, says, model.name)
