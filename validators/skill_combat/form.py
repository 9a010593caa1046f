"""The builder's form: the whole side as fields, and one button's change to it.

Fields, with i and j counted from 0: ``name``, ``faction``; for each character ``m{i}.name``, ``.level``, one for each
attribute (``m{i}.STR``); ``m{i}.s{j}.name`` and ``.points`` for skills; ``m{i}.w{j}.name`` for weapons, and where
``.own`` is sent one for each of its figures; ``m{i}.armour``, and where ``m{i}.armour.own`` is sent its name and
figures; ``m{i}.i{j}.name`` and ``.count`` for items. Beside them the choices not yet made: ``m{i}.add_skill``,
``m{i}.add_weapon``, ``m{i}.add_item``. The button is ``do``.
"""

import re
from typing import Any

from validators.contract import Document, EditionInfo, UnreadableForce
from validators.form_fields import Commands, Fields, count, numbered, one, press
from validators.skill_combat.edition import SPECIAL, Armour, Weapon
from validators.skill_combat.force import SYSTEM_ID, read_force

WEAPON_NUMBERS = ("range", "volatility", "damage", "extra", "ap", "aim_ap", "bullets")
ARMOUR_NUMBERS = ("ac", "dc", "jc", "resistance")
OWN = "own"
"""The choice of something that brings its own figures."""
NEW_ATTRIBUTE = 5


def edit_force(document: Document, fields: Fields, edition: EditionInfo) -> Document:
    """The document that the submitted form holds, changed as its button says. Raises UnreadableForce."""
    form: Document = {
        "system": SYSTEM_ID,
        "edition": edition.id,
        "name": one(fields, "name"),
        "faction": one(fields, "faction") or document["faction"],
        "models": [_character(fields, f"m{i}") for i in numbered(fields, r"m(\d{1,4})\.STR")],
    }
    press(form, fields, _COMMANDS)
    return read_force(form, edition)


def _character(fields: Fields, at: str) -> dict[str, Any]:
    name = one(fields, f"{at}.name")
    whose = name[:80] or "a character"
    return {
        "name": name,
        "special": {key: _number(fields, f"{at}.{key}", f"{key} of {whose}") for key in SPECIAL},
        "level": _number(fields, f"{at}.level", f"Level of {whose}", empty=1),
        "skills": [
            {"name": one(fields, f"{line}.name"), "points": _number(fields, f"{line}.points", f"A skill of {whose}")}
            for line in _lines(fields, at, "s")
        ],
        "weapons": [_weapon(fields, line, whose) for line in _lines(fields, at, "w")],
        "armour": _armour(fields, at, whose),
        "items": [
            {
                "name": one(fields, f"{line}.name"),
                "count": count(fields, f"{line}.count", one(fields, f"{line}.name")[:80]),
            }
            for line in _lines(fields, at, "i")
        ],
    }


def _lines(fields: Fields, at: str, kind: str) -> list[str]:
    return [f"{at}.{kind}{j}" for j in numbered(fields, rf"{at}\.{kind}(\d{{1,4}})\.name")]


def _weapon(fields: Fields, line: str, whose: str) -> dict[str, Any]:
    name = one(fields, f"{line}.name")
    if not one(fields, f"{line}.own"):
        return {"name": name}
    own: dict[str, Any] = {key: _number(fields, f"{line}.{key}", f"{name[:80]} of {whose}") for key in WEAPON_NUMBERS}
    return {"name": name, "own": own | {key: one(fields, f"{line}.{key}") for key in ("skill", "mode", "stat")}}


def _armour(fields: Fields, at: str, whose: str) -> dict[str, Any] | None:
    chosen = one(fields, f"{at}.armour")
    if not chosen:
        return None
    if chosen != OWN:
        return {"name": chosen}
    # Newly chosen it has no fields yet: it begins with a name to be changed and adds nothing.
    name = one(fields, f"{at}.armour.name") or "Own armour"
    own = {key: _number(fields, f"{at}.armour.{key}", f"{name[:80]} of {whose}") for key in ARMOUR_NUMBERS}
    return {"name": name, "own": own}


def _number(fields: Fields, key: str, what: str, empty: int = 0) -> int:
    """A whole number; a field emptied to type anew is ``empty``."""
    text = one(fields, key) or str(empty)
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII):
        raise UnreadableForce(f"{what}: {text[:20]} is no whole number from 0 to 9999")
    return int(text)


def _add_model(form: Document, fields: Fields) -> None:
    form["models"].append(
        {"name": "", "special": dict.fromkeys(SPECIAL, NEW_ATTRIBUTE), "level": 1, "skills": [], "weapons": [],
         "armour": None, "items": []}
    )  # fmt: skip


def _duplicate_model(form: Document, fields: Fields, i: int) -> None:
    model = form["models"][i]
    lists = {kind: [dict(line) for line in model[kind]] for kind in ("skills", "weapons", "items")}
    form["models"].insert(i + 1, model | {"special": dict(model["special"])} | lists)


def _remove_model(form: Document, fields: Fields, i: int) -> None:
    del form["models"][i]


def _add_skill(form: Document, fields: Fields, i: int) -> None:
    _append(form, fields, i, "skills", "skill", {"points": 0})


def _add_item(form: Document, fields: Fields, i: int) -> None:
    _append(form, fields, i, "items", "item", {"count": 1})


def _add_weapon(form: Document, fields: Fields, i: int) -> None:
    model = form["models"][i]
    name = one(fields, f"m{i}.add_weapon")
    if name == OWN:
        own = dict.fromkeys(WEAPON_NUMBERS, 0) | {
            "skill": "Small Guns",
            "mode": "quick",
            "stat": "AG",
            "ap": 3,
            "damage": 1,
        }
        model["weapons"].append({"name": "Own weapon", "own": own})
    elif name:
        model["weapons"].append({"name": name})


def _append(form: Document, fields: Fields, i: int, kind: str, field: str, rest: dict[str, Any]) -> None:
    model = form["models"][i]
    name = one(fields, f"m{i}.add_{field}")
    if name:
        model[kind].append({"name": name} | rest)


def _remove_skill(form: Document, fields: Fields, i: int, j: int) -> None:
    del form["models"][i]["skills"][j]


def _remove_weapon(form: Document, fields: Fields, i: int, j: int) -> None:
    del form["models"][i]["weapons"][j]


def _remove_item(form: Document, fields: Fields, i: int, j: int) -> None:
    del form["models"][i]["items"][j]


_COMMANDS: Commands = {
    "add-model": _add_model,
    "duplicate-model": _duplicate_model,
    "remove-model": _remove_model,
    "add-skill": _add_skill,
    "add-weapon": _add_weapon,
    "add-item": _add_item,
    "remove-skill": _remove_skill,
    "remove-weapon": _remove_weapon,
    "remove-item": _remove_item,
}


def own_weapon(weapon: Weapon) -> dict[str, int | str]:
    """The fields of a weapon that brings its own figures, in the form's order."""
    return {key: getattr(weapon, key) for key in ("skill", "mode", "stat", *WEAPON_NUMBERS)}


def own_armour(armour: Armour) -> dict[str, int]:
    """The fields of a suit that brings its own figures."""
    return {key: getattr(armour, key) for key in ARMOUR_NUMBERS}
