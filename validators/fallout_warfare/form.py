"""The builder's form: the whole army as fields, and one button's change to it.

Fields, with i, j, k counted from 0: ``name``, ``faction`` (while there are no squads), ``mines``; for each squad
``s{i}.name``, for each line of figures in it ``s{i}.m{j}.name``, ``.rank``, ``.count``, ``.weapon``, ``.grenades``,
``.level``, ``.item`` (each item), ``.k{k}.skill`` with ``.k{k}.level``; ``v{k}.name`` for vehicles. Beside them the
choices not yet made: ``add_model`` (a squad), ``s{i}.add_line``, ``s{i}.m{j}.add_item``, ``s{i}.m{j}.add_skill``,
``add_vehicle``. The button is ``do``.
"""

import re
from functools import partial
from typing import Any

from validators.contract import Document, EditionInfo, UnreadableForce
from validators.fallout_warfare.edition import RANKS, Edition, Troop
from validators.fallout_warfare.force import SYSTEM_ID, read_force
from validators.form_fields import Commands, Fields, chosen, count, numbered, one, press

FIRST_GRUNTS = 3
"""Grunts of a squad that is newly added."""


def edit_force(document: Document, fields: Fields, edition: EditionInfo) -> Document:
    """The document that the submitted form holds, changed as its button says.

    Of ``document`` only the edition stands (and the faction, where the form has none): the form holds the rest. A
    button that is none of the builder's changes nothing. Raises UnreadableForce where a field cannot be read.
    """
    form: Document = {
        "system": SYSTEM_ID,
        "edition": edition.id,
        "name": one(fields, "name"),
        "faction": one(fields, "faction") or document["faction"],
        "squads": [_squad(fields, i) for i in numbered(fields, r"s(\d{1,4})\.name")],
        "vehicles": [one(fields, f"v{k}.name") for k in numbered(fields, r"v(\d{1,4})\.name")],
        "mines": _number(fields, "mines", "Mines", 0),
    }
    press(form, fields, {**_COMMANDS, "add-model": partial(_add_squad, edition.lists)})
    return read_force(form, edition)


def _squad(fields: Fields, i: int) -> dict[str, Any]:
    lines = [_line(fields, f"s{i}.m{j}") for j in numbered(fields, rf"s{i}\.m(\d{{1,4}})\.name")]
    return {"name": one(fields, f"s{i}.name"), "models": lines}


def _line(fields: Fields, at: str) -> dict[str, Any]:
    name = one(fields, f"{at}.name")
    return {
        "name": name,
        "rank": one(fields, f"{at}.rank") or "grunt",
        "count": count(fields, f"{at}.count", name[:80]),
        "weapon": one(fields, f"{at}.weapon"),
        "grenades": _number(fields, f"{at}.grenades", f"Grenades of {name[:80]}", 0),
        "items": chosen(fields, f"{at}.item"),
        "level": _number(fields, f"{at}.level", f"Level of {name[:80]}", 1),
        "skills": [
            {"name": one(fields, f"{at}.k{k}.skill"), "level": _number(fields, f"{at}.k{k}.level", "Skill level", 1, 5)}
            for k in numbered(fields, rf"{re.escape(at)}\.k(\d{{1,4}})\.skill")
        ],
    }


def _number(fields: Fields, key: str, what: str, least: int, empty: int | None = None) -> int:
    """A whole number of two digits at most; a field emptied to type anew is ``empty``, or the least."""
    text = one(fields, key) or str(least if empty is None else empty)
    if not re.fullmatch(r"\d{1,2}", text, re.ASCII) or int(text) < least:
        raise UnreadableForce(f"{what}: {text[:20]} is not {least} to 99")
    return int(text)


def _figures(name: str, rank: str, number: int) -> dict[str, Any]:
    return {"name": name, "rank": rank, "count": number}


def _add_squad(edition: Edition, form: Document, fields: Fields) -> None:
    """What was chosen is "squad:Knight" or "hero:Knight": a squad with its squadleader, or a hero alone."""
    kind, _, name = one(fields, "add_model").partition(":")
    if name:
        form["squads"].append({"name": "", "models": _newcomers(edition.troop(name), kind, name)})


def _newcomers(troop: Troop | None, kind: str, name: str) -> list[dict[str, Any]]:
    if kind == "hero" or (troop and troop.kind == "beastlord"):
        return [_figures(name, "hero" if kind == "hero" else "squadleader", 1)]
    leads = [_figures(name, "squadleader", 1)] if troop and "squadleader" in troop.ranks else []
    return [*leads, _figures(name, "grunt", FIRST_GRUNTS)]


def _remove_squad(form: Document, fields: Fields, i: int) -> None:
    del form["squads"][i]


def _duplicate_squad(form: Document, fields: Fields, i: int) -> None:
    squad = form["squads"][i]
    lines = [line | {key: list(line[key]) for key in ("items", "skills") if key in line} for line in squad["models"]]
    form["squads"].insert(i + 1, {"name": "", "models": lines})


def _move_up(form: Document, fields: Fields, i: int) -> None:
    if i == 0:
        raise IndexError
    squads = form["squads"]
    squads[i - 1], squads[i] = squads[i], squads[i - 1]


def _move_down(form: Document, fields: Fields, i: int) -> None:
    _move_up(form, fields, i + 1)


def _add_line(form: Document, fields: Fields, i: int) -> None:
    """What was chosen is a rank and a troop: "grunt:Knight"."""
    squad = form["squads"][i]
    rank, _, name = one(fields, f"s{i}.add_line").partition(":")
    if name and rank in RANKS:
        squad["models"].append(_figures(name, rank, 1))


def _remove_line(form: Document, fields: Fields, i: int, j: int) -> None:
    del form["squads"][i]["models"][j]


def _add_item(form: Document, fields: Fields, i: int, j: int) -> None:
    line, name = form["squads"][i]["models"][j], one(fields, f"s{i}.m{j}.add_item")
    if name:
        line["items"].append(name)


def _remove_item(form: Document, fields: Fields, i: int, j: int, k: int) -> None:
    del form["squads"][i]["models"][j]["items"][k]


def _add_skill(form: Document, fields: Fields, i: int, j: int) -> None:
    line, name = form["squads"][i]["models"][j], one(fields, f"s{i}.m{j}.add_skill")
    if name:
        line["skills"].append({"name": name, "level": 5})


def _remove_skill(form: Document, fields: Fields, i: int, j: int, k: int) -> None:
    del form["squads"][i]["models"][j]["skills"][k]


def _add_vehicle(form: Document, fields: Fields) -> None:
    name = one(fields, "add_vehicle")
    if name:
        form["vehicles"].append(name)


def _remove_vehicle(form: Document, fields: Fields, k: int) -> None:
    del form["vehicles"][k]


_COMMANDS: Commands = {
    "remove-model": _remove_squad,
    "duplicate-model": _duplicate_squad,
    "move-up": _move_up,
    "move-down": _move_down,
    "add-line": _add_line,
    "remove-line": _remove_line,
    "add-item": _add_item,
    "remove-item": _remove_item,
    "add-skill": _add_skill,
    "remove-skill": _remove_skill,
    "add-vehicle": _add_vehicle,
    "remove-vehicle": _remove_vehicle,
}
