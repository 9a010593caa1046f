"""The builder's form: the whole document as fields, and one button's change to it.

Fields, with i, j counted from 0: ``name``, ``faction`` (while there are no characters), ``turf`` (each), ``leader`` (a
character's i), ``leader_too`` (further ones); for each character ``m{i}.rank``, ``m{i}.called``, ``m{i}.perk`` (each),
and for each item ``m{i}.i{j}.name`` and ``.count``. Beside them the choices not yet made: ``add_model``,
``m{i}.add_item``. The button is ``do``.
"""

from typing import Any

from validators.contract import Document, EditionInfo
from validators.fallout_skirmish.force import SYSTEM_ID, read_force
from validators.form_fields import Commands, Fields, chosen, count, numbered, one, press


def edit_force(document: Document, fields: Fields, edition: EditionInfo) -> Document:
    """The document that the submitted form holds, changed as its button says.

    Of ``document`` only the edition stands (and the force, where the form has none): the form holds the rest. A button
    that is none of the builder's changes nothing. Raises UnreadableForce where a field cannot be read.
    """
    numbers = numbered(fields, r"m(\d{1,4})\.rank")
    places = {str(i): place for place, i in enumerate(numbers)}
    models = [_character(fields, i) for i in numbers]
    for i in [one(fields, "leader"), *fields.get("leader_too", [])]:
        if i in places:
            models[places[i]]["leader"] = True
    form: Document = {
        "system": SYSTEM_ID,
        "edition": edition.id,
        "name": one(fields, "name"),
        "faction": one(fields, "faction") or document["faction"],
        "turfs": chosen(fields, "turf"),
        "models": models,
    }
    press(form, fields, _COMMANDS)
    return read_force(form, edition)


def _character(fields: Fields, i: int) -> dict[str, Any]:
    return {
        "rank": one(fields, f"m{i}.rank"),
        "called": one(fields, f"m{i}.called"),
        "leader": False,
        "perks": chosen(fields, f"m{i}.perk"),
        "items": [
            {
                "name": one(fields, f"m{i}.i{j}.name"),
                "count": count(fields, f"m{i}.i{j}.count", _item_on_character(fields, i, j)),
            }
            for j in numbered(fields, rf"m{i}\.i(\d{{1,4}})\.name")
        ],
    }


def _item_on_character(fields: Fields, i: int, j: int) -> str:
    item, who = (one(fields, key)[:80] for key in (f"m{i}.i{j}.name", f"m{i}.rank"))
    return f"{item} on {who}"


def _add_model(form: Document, fields: Fields) -> None:
    rank = one(fields, "add_model")
    if rank:
        form["models"].append({"rank": rank, "leader": not form["models"]})


def _remove_model(form: Document, fields: Fields, i: int) -> None:
    del form["models"][i]


def _duplicate_model(form: Document, fields: Fields, i: int) -> None:
    original = form["models"][i]
    # A name belongs to one person.
    copy = original | {"leader": False, "called": "", "items": [dict(item) for item in original["items"]]}
    form["models"].insert(i + 1, copy)


def _move_up(form: Document, fields: Fields, i: int) -> None:
    if i == 0:
        raise IndexError
    models = form["models"]
    models[i - 1], models[i] = models[i], models[i - 1]


def _move_down(form: Document, fields: Fields, i: int) -> None:
    _move_up(form, fields, i + 1)


def _add_item(form: Document, fields: Fields, i: int) -> None:
    items, name = form["models"][i]["items"], one(fields, f"m{i}.add_item")
    held = [item for item in items if item["name"] == name]
    if held:
        held[0]["count"] += 1
    elif name:
        items.append({"name": name, "count": 1})


def _remove_item(form: Document, fields: Fields, i: int, j: int) -> None:
    del form["models"][i]["items"][j]


def _remove_perk(form: Document, fields: Fields, i: int, k: int) -> None:
    del form["models"][i]["perks"][k]


def _drop_leader(form: Document, fields: Fields, i: int) -> None:
    form["models"][i]["leader"] = False


_COMMANDS: Commands = {
    "add-model": _add_model,
    "remove-model": _remove_model,
    "duplicate-model": _duplicate_model,
    "move-up": _move_up,
    "move-down": _move_down,
    "add-item": _add_item,
    "remove-item": _remove_item,
    "remove-perk": _remove_perk,
    "drop-leader": _drop_leader,
}
