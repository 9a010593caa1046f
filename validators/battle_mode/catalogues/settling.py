"""The organiser's decisions on an import of catalogues, applied to the edition's document."""

import copy
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from textwrap import wrap
from typing import Any

from pydantic import TypeAdapter

from validators.battle_mode.edition import DATA
from validators.contract import Document
from validators.editions import EditionQuestion, EditionReport
from validators.names import fold, loose

_MOST_COMPARED = 400
"""The most item names compared with one built-in part; each comparison takes microseconds."""

_LONGEST_NOTE, _MOST_NOTES = 390, 40
"""Of the notes of an edition file."""

_QUESTIONS = TypeAdapter(tuple[EditionQuestion, ...]).validate_json((DATA / "catalogue_questions.json").read_bytes())
"""The first answer to each question applies until another is chosen; ``_CHANGES`` has the effects of the others."""


def asked(report: EditionReport) -> EditionReport:
    """The report with the questions that its notes raise."""
    return replace(report, questions=tuple(question for question in _QUESTIONS if report.notes_of(question.id)))


def near_item(part: str, items: Collection[str]) -> str:
    """The item whose name is almost that of a built-in part; "" if there is none, or the names are equal."""
    near = get_close_matches(part, tuple(items)[:_MOST_COMPARED], n=1, cutoff=0.82)
    return near[0] if near and loose(near[0]) != loose(part) else ""


def settle(document: Document, report: EditionReport) -> Document:
    """An import's document with its report's answers applied."""
    # A file can lack tables that would be empty.
    tables: Document = {"items": [], "mods": {}, "perks": {}, "leader_cards": {}, "disputed": []}
    made = copy.deepcopy(tables | document)
    for question in report.questions:
        if (question.id, report.answer_to(question)) == ("linked", "models"):
            _allow_to(made, {fold(note.name): note.models for note in report.notes_of(question.id)})
        change = _CHANGES.get((question.id, report.answer_to(question)))
        if change is not None:
            change(made, {fold(note.name) for note in report.notes_of(question.id)})
    return made


Names = Collection[str]
"""Folded names of the entries concerned by a question."""


def _models(document: Document, names: Names | None = None) -> Iterator[dict[str, Any]]:
    for faction in document["factions"]:
        for model in faction["models"]:
            if names is None or fold(model["name"]) in names:
                yield model


def _drop_items(document: Document, names: Names) -> None:
    for group in document["items"]:
        group["caps"] = _without(group["caps"], names)
    document["items"] = [group for group in document["items"] if group["caps"]]
    for model in _models(document):
        carried = {kind: [name for name in listed if fold(name) not in names]
                   for kind, listed in model.get("may_carry", {}).items()}  # fmt: skip
        model["may_carry"] = {kind: listed for kind, listed in carried.items() if listed}
    _undisputed(document, "item", names)


def _drop(document: Document, names: Names, *, free: bool = False) -> None:
    """Leave out all of these names, or only the free ones."""

    def gone(costs: Mapping[str, int]) -> set[str]:
        return {fold(name) for name, caps in costs.items() if not (free and caps)}.intersection(names)

    _drop_items(document, {name for group in document["items"] for name in gone(group["caps"])})
    for table in ("mods", "perks", "leader_cards"):
        document[table] = _without(document[table], gone(document[table]))
    for faction in document["factions"]:
        without = gone({model["name"]: model["caps"] for model in faction["models"]})
        faction["models"] = [model for model in faction["models"] if fold(model["name"]) not in without]
    left = {fold(model["name"]) for model in _models(document)}
    _undisputed(document, "model", {name for name in names if name not in left})
    for model in _models(document) if "heroic" in names and not free else ():
        model.pop("heroic", None)


def _without(costs: dict[str, int], names: Names) -> dict[str, int]:
    return {name: caps for name, caps in costs.items() if fold(name) not in names}


def _undisputed(document: Document, key: str, names: Names) -> None:
    document["disputed"] = [row for row in document["disputed"] if fold(row.get(key, "")) not in names]


def _allow_to(document: Document, by_item: Mapping[str, Collection[str]]) -> None:
    """Let the models with these names carry each item."""
    for model in _models(document):
        for group in document["items"]:
            further = [name for name in group["caps"] if model["name"] in by_item.get(fold(name), ())]
            if further:
                model.setdefault("may_carry", {}).setdefault(group["kind"], []).extend(further)


def _allow_items(document: Document, names: Names) -> None:
    """Let every model that may carry anything carry these items, and name those that get a heavy weapon."""
    carrying = [model["name"] for model in _models(document) if model.get("may_carry")]
    _allow_to(document, dict.fromkeys(names, carrying))
    heavy = [name for group in document["items"] if group["heavy"] for name in group["caps"] if fold(name) in names]
    if heavy:
        says = f"By an answer of the organiser these models may buy {', '.join(heavy)}: "
        for line in wrap(says + ", ".join(dict.fromkeys(carrying)), _LONGEST_NOTE)[
            : _MOST_NOTES - len(document["notes"])
        ]:
            document["notes"].append(line)


def _use_second_cost(document: Document, names: Names) -> None:
    second = {row["item"]: row["there"] for row in reversed(document["disputed"]) if fold(row.get("item", "")) in names}
    for group in document["items"]:
        group["caps"] |= {name: second[name] for name in group["caps"] if name in second}
    _undisputed(document, "item", names)


def _forget(document: Document, names: Names, *, key: str) -> None:
    for model in _models(document, names):
        model.pop(key, None)
    if key == "unique":
        _undisputed(document, "model", names)


def _same_as_item(document: Document, names: Names) -> None:
    items = [name for group in document["items"] for name in group["caps"]]
    taken = {fold(name) for table in ("mods", "perks", "leader_cards") for name in document[table]}
    taken |= {fold(model["name"]) for model in _models(document)}
    for model in _models(document):
        parts = model.get("built_in", [])
        meant = {part: near_item(part, items) for part in parts if fold(part) in names and fold(part) not in taken}
        meant = {part: item for part, item in meant.items() if item}
        document["aliases"] |= meant
        if meant:
            model["built_in"] = list(dict.fromkeys(meant.get(part, part) for part in parts))


_UPGRADES = {"leader_cards": "no leader cards", "perks": "no perks"}


def _refuse(table: str) -> Callable[[Document, Names], None]:
    """The change that allows models nothing from a table: a pack of all mods, and of the other table if allowed."""

    def change(document: Document, names: Names) -> None:
        packs = {pack["name"]: pack for pack in document.setdefault("packs", [])}
        for model in _models(document, names):
            before = packs[model["packs"][0]] if model.get("packs") else _UPGRADES
            held = {key: list(document[key]) for key in _UPGRADES if key in before and key != table}
            name = ", ".join(words for key, words in _UPGRADES.items() if key not in held).capitalize()
            model["packs"] = [name]
            packs[name] = {"name": name, "mods": list(document["mods"]), **held}
        used = {name for model in _models(document) for name in model.get("packs", ())}
        document["packs"] = [pack for name, pack in packs.items() if name in used]

    return change


_CHANGES: dict[tuple[str, str], Callable[[Document, Names], None]] = {
    ("free", "drop"): partial(_drop, free=True),
    ("changes", "drop"): _drop,
    ("linked", "drop"): _drop_items,
    ("uncarried", "drop"): _drop_items,
    ("uncarried", "allow"): _allow_items,
    ("costs", "first"): lambda document, names: _undisputed(document, "item", names),
    ("costs", "second"): _use_second_cost,
    ("unique", "one"): lambda document, names: _undisputed(document, "model", names),
    ("unique", "many"): partial(_forget, key="unique"),
    ("everything", "nothing"): partial(_forget, key="may_carry"),
    ("spelling", "same"): _same_as_item,
    ("leader_cards", "none"): _refuse("leader_cards"),
    ("perks", "none"): _refuse("perks"),
    ("left_out", "partial"): lambda document, _: document.update(partial=True),
}
