"""The builder's form: the whole document as fields, and one button's change to it.

Fields, with i, j, k counted from 0: ``name``, ``faction`` (while there are no models), ``leader`` (a model's
i), ``leader_was`` (the one shown), ``leader_too`` (further ones), ``leader_card`` (of the Leader); for each
model ``m{i}.name``, ``m{i}.heroic``, ``m{i}.leader_card`` (one that is not the Leader's), ``m{i}.perk`` (each
perk), and for each item ``m{i}.i{j}.name``, ``.count``, ``.mod`` (each mod); ``c{k}.kind`` and ``c{k}.name``
for cards. Beside them the choices not yet made: ``add_model``, ``m{i}.add_item``, ``m{i}.add_perk``. The
button is ``do``.
"""

from typing import Any

from validators.battle_mode.force import SYSTEM_ID, read_force
from validators.contract import Document, EditionInfo, UnreadableForce
from validators.form_fields import Commands, Fields, chosen, count, numbered, one, press

Models = list[dict[str, Any]]


def edit_force(document: Document, fields: Fields, edition: EditionInfo) -> Document:
    """The document that the submitted form holds, changed as its button says.

    Of ``document`` only the edition stands (and the faction, where the form has none): the form holds the
    rest. A button that is none of the builder's changes nothing. Raises UnreadableForce where a field cannot
    be read.
    """
    form: Document = {
        "system": SYSTEM_ID,
        "edition": edition.id,
        "name": one(fields, "name"),
        "faction": one(fields, "faction") or document["faction"],
        "models": _models(fields),
        "cards": [
            {"kind": one(fields, f"c{k}.kind"), "name": one(fields, f"c{k}.name")}
            for k in numbered(fields, r"c(\d{1,4})\.kind")
        ],
    }
    press(form, fields, _COMMANDS)
    return read_force(form, edition)


def _models(fields: Fields) -> Models:
    """The models of the form; a model's number in the form becomes its place when others are left out."""
    numbers = numbered(fields, r"m(\d{1,4})\.name")
    models = [_model(fields, i) for i in numbers]
    places = {str(i): place for place, i in enumerate(numbers)}
    leader = places.get(one(fields, "leader"))
    for i in [one(fields, "leader"), *fields.get("leader_too", [])]:
        if i in places:
            models[places[i]]["leader"] = True
    card = one(fields, "leader_card")
    if card:
        if leader is None or models[leader]["leader_card"]:
            # The new Leader brings a card of their own: the old one keeps theirs, so that neither is lost.
            leader = places.get(one(fields, "leader_was"))
        if leader is None or models[leader]["leader_card"]:
            raise UnreadableForce("leader_card: no model is marked as the Leader")
        models[leader]["leader_card"] = card
    return models


def _model(fields: Fields, i: int) -> dict[str, Any]:
    return {
        "name": one(fields, f"m{i}.name"),
        "heroic": bool(one(fields, f"m{i}.heroic")),
        "leader": False,
        "leader_card": one(fields, f"m{i}.leader_card") or None,
        "perks": chosen(fields, f"m{i}.perk"),
        "items": [
            {
                "name": one(fields, f"m{i}.i{j}.name"),
                "mods": chosen(fields, f"m{i}.i{j}.mod"),
                "count": count(fields, f"m{i}.i{j}.count", _item_on_model(fields, i, j)),
            }
            for j in numbered(fields, rf"m{i}\.i(\d{{1,4}})\.name")
        ],
    }


def _item_on_model(fields: Fields, i: int, j: int) -> str:
    item, model = (one(fields, key)[:80] for key in (f"m{i}.i{j}.name", f"m{i}.name"))
    return f"{item} on {model}"


def _add_model(form: Document, fields: Fields) -> None:
    name = one(fields, "add_model")
    if name:
        first = not form["models"]
        form["models"].append(
            {"name": name, "heroic": False, "leader": first, "leader_card": None, "perks": [], "items": []}
        )


def _remove_model(form: Document, fields: Fields, i: int) -> None:
    del form["models"][i]


def _duplicate_model(form: Document, fields: Fields, i: int) -> None:
    model = form["models"][i]
    copy = model | {
        "leader": False,
        "leader_card": None,
        "perks": list(model["perks"]),
        "items": [item | {"mods": list(item["mods"])} for item in model["items"]],
    }
    form["models"].insert(i + 1, copy)


def _move_up(form: Document, fields: Fields, i: int) -> None:
    if i == 0:
        raise IndexError
    models = form["models"]
    models[i - 1], models[i] = models[i], models[i - 1]


def _move_down(form: Document, fields: Fields, i: int) -> None:
    _move_up(form, fields, i + 1)


def _add_item(form: Document, fields: Fields, i: int) -> None:
    model = form["models"][i]
    name = one(fields, f"m{i}.add_item")
    plain = [item for item in model["items"] if item["name"] == name and not item["mods"]]
    if plain:
        plain[0]["count"] += 1
    elif name:
        model["items"].append({"name": name, "mods": [], "count": 1})


def _remove_item(form: Document, fields: Fields, i: int, j: int) -> None:
    del form["models"][i]["items"][j]


def _remove_mod(form: Document, fields: Fields, i: int, j: int, k: int) -> None:
    del form["models"][i]["items"][j]["mods"][k]


def _add_perk(form: Document, fields: Fields, i: int) -> None:
    name = one(fields, f"m{i}.add_perk")
    if name:
        form["models"][i]["perks"].append(name)


def _remove_perk(form: Document, fields: Fields, i: int, k: int) -> None:
    del form["models"][i]["perks"][k]


def _drop_leader(form: Document, fields: Fields, i: int) -> None:
    form["models"][i]["leader"] = False


def _drop_leader_card(form: Document, fields: Fields, i: int) -> None:
    form["models"][i]["leader_card"] = None


def _remove_card(form: Document, fields: Fields, k: int) -> None:
    del form["cards"][k]


_COMMANDS: Commands = {
    "add-model": _add_model,
    "remove-model": _remove_model,
    "duplicate-model": _duplicate_model,
    "move-up": _move_up,
    "move-down": _move_down,
    "add-item": _add_item,
    "remove-item": _remove_item,
    "remove-mod": _remove_mod,
    "add-perk": _add_perk,
    "remove-perk": _remove_perk,
    "drop-leader": _drop_leader,
    "drop-leader-card": _drop_leader_card,
    "remove-card": _remove_card,
}
