"""The project's own edition file: its bytes to an edition, and an edition back to its file.

Every edition comes in by ``read_edition``, those that ship among them. docs/editions.md describes the file.
"""

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any

from pydantic import ValidationError

from validators.battle_mode.edition import Edition, ModelEntry, Pack
from validators.battle_mode.edition_build import Fault, build, disputed_faults, faults_of
from validators.battle_mode.edition_shape import EditionFile
from validators.contract import UnreadableEdition, UnreadableForce
from validators.json_lines import Place, first_odd, lines_of
from validators.strict_json import MOST_BYTES, read_json

MOST_FAULTS = 20
"""Faults of one file that are told one by one."""


def edition_schema() -> dict[str, Any]:
    """The JSON Schema of the edition file, as docs/edition.schema.json holds it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | EditionFile.model_json_schema()


def read_edition(data: bytes) -> Edition:
    """The bytes of an edition file to the edition. Raises UnreadableEdition: each fault with its line and field."""
    parsed = _parse(data)
    try:
        file = EditionFile.model_validate(parsed)
    except ValidationError as invalid:
        errors = invalid.errors(include_url=False)
        raise _unreadable(data, (_fault(error) for error in errors)) from invalid
    faults = list(islice(faults_of(file), MOST_FAULTS + 1))
    if not faults:
        edition = build(file)
        faults = list(islice(disputed_faults(edition), MOST_FAULTS + 1))
    if faults:
        raise _unreadable(data, faults)
    return edition


def _parse(data: bytes) -> object:
    try:
        parsed = read_json(data)
    except UnreadableForce as fault:
        faults = fault.faults
        if len(data) <= MOST_BYTES and "nested" not in faults[0]:
            faults = _odd(data) or faults
        raise UnreadableEdition(*faults) from fault
    if not isinstance(parsed, dict):
        raise UnreadableEdition('line 1, the file: an edition is a JSON object, {"system": "battle_mode", ...}')
    return parsed


def _odd(data: bytes) -> tuple[str, ...]:
    """What JSON's own grammar allows and the reader does not, with its line."""
    odd = first_odd(data.decode("utf-8-sig", "replace"), ("NaN", "Infinity", "-Infinity"))
    if odd is None:
        return ()
    path, line, piece = odd
    wrong = "stands twice in one object" if piece.startswith('"') else f"{piece} is no JSON number"
    return (f"line {line}, {_shown(path)}: {wrong}",)


def _unreadable(data: bytes, faults: Iterable[Fault]) -> UnreadableEdition:
    told = list(islice(faults, MOST_FAULTS + 1))
    lines = lines_of(data.decode("utf-8-sig"), [path for path, _ in told])
    sentences = [f"line {lines[path]}, {_shown(path)}: {wrong}" for path, wrong in told[:MOST_FAULTS]]
    return UnreadableEdition(*sentences, *(["and more"] if len(told) > MOST_FAULTS else []))


def _shown(path: Place) -> str:
    """A path as people write it: factions[1].models[3].caps, mods["Long Barrel"]."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.isidentifier() and step.isascii():
            text += f".{step[:40]}"
        else:
            text += f"[{json.dumps(step[:40], ensure_ascii=not step.isprintable())}]"
    return text.lstrip(".") or "the file"


_WRONG_TYPE = {
    "string_type": "is not text",
    "string_unicode": "is not valid text (half of a surrogate pair)",
    "int_type": "is not a whole number",
    "bool_type": "is neither true nor false",
    "list_type": "is not a list",
    "dict_type": "is not an object",
    "model_type": "is not an object",
    "model_attributes_type": "is not an object",
    "missing": "is missing",
    "extra_forbidden": "is not a field of the edition file",
}


def _fault(error: Any) -> Fault:
    """One fault of the shape: the place in the file, then what is wrong there."""
    path = tuple(step for step in error["loc"] if step != "[key]")
    limits = error.get("ctx", {})
    match error["type"]:
        case "string_too_short" | "too_short":
            wrong = "is empty"
        case "string_too_long":
            wrong = f"is longer than {limits['max_length']} characters"
        case "too_long":
            wrong = f"holds more than {limits['max_length']} entries"
        case "greater_than_equal":
            wrong = f"is less than {limits['ge']}"
        case "less_than_equal":
            wrong = f"is more than {limits['le']}"
        case "value_error":
            wrong = str(limits["error"])
        case "literal_error":
            wrong = f"is not {limits['expected']}"
        case kind:
            wrong = _WRONG_TYPE.get(kind, "cannot be read")
    return path, wrong


def edition_document(edition: Edition) -> dict[str, Any]:
    """The file of an edition, as plain values: what ``read_edition`` reads back to an equal edition."""
    groups: dict[tuple[str, str, bool, bool], dict[str, int]] = {}
    for item in edition.items.values():
        groups.setdefault((item.category, item.kind, item.heavy, item.takes_mod), {})[item.name] = item.caps
    names = _names(edition)
    return {
        "system": "battle_mode",
        "id": edition.id,
        "name": edition.name,
        "date": edition.date,
        "source": edition.source,
        "notes": list(edition.notes),
        "partial": edition.partial,
        "heroic_caps": edition.heroic_caps,
        "factions": [
            {
                "name": faction.name,
                "fielded": faction.fielded,
                "models": [_model(entry, edition) for entry in faction.models.values()],
            }
            for faction in edition.factions.values()
        ],
        "packs": [_pack(pack) for pack in edition.packs.values()],
        "items": [
            {"category": category, "kind": kind, "heavy": heavy, "takes_mod": takes_mod, "caps": caps}
            for (category, kind, heavy, takes_mod), caps in groups.items()
        ],
        "leader_cards": {card.name: card.caps for card in edition.leader_cards.values()},
        "perks": {perk.name: perk.caps for perk in edition.perks.values() if not perk.percent},
        "shares": {perk.name: perk.percent for perk in edition.perks.values() if perk.percent},
        "mods": {mod.name: mod.caps for mod in edition.mods.values()},
        "aliases": {alias: names[name] for alias, name in edition.aliases.items()},
        "disputed": [
            {key: value for key, value in vars(dispute).items() if value != ""} for dispute in edition.disputed
        ],
    }


def _names(edition: Edition) -> dict[str, str]:
    """Every name that an alias can stand for, by its folded form."""
    tables = (edition.mods, edition.perks, edition.leader_cards, edition.items)
    models = {key: entry.name for faction in edition.factions.values() for key, entry in faction.models.items()}
    return models | {key: entry.name for table in tables for key, entry in table.items()}


def _model(entry: ModelEntry, edition: Edition) -> dict[str, Any]:
    """A model with what stands in its own row: what its packs give it is left to them."""
    packs = [pack for pack in edition.packs.values() if pack.name in entry.packs]
    given = {name for pack in packs for name in pack.items}
    own = {kind: [name for name in names if name not in given] for kind, names in entry.may_carry.items()}
    row = {
        "name": entry.name,
        "caps": entry.caps,
        "unique": entry.unique,
        "perhaps_unique": entry.perhaps_unique,
        "heroic": entry.heroic and not any(pack.heroic for pack in packs),
        "built_in": list(entry.built_in),
        "may_carry": {kind: names for kind, names in own.items() if names},
        "packs": list(entry.packs),
    }
    return {key: value for key, value in row.items() if value or key == "caps"}


def _pack(pack: Pack) -> dict[str, Any]:
    row = {
        "name": pack.name,
        "heroic": pack.heroic,
        "items": list(pack.items),
        "mods": list(pack.mods),
        "perks": list(pack.perks),
        "leader_cards": list(pack.leader_cards),
        "perhaps": list(pack.perhaps),
    }
    return {key: value for key, value in row.items() if value}
