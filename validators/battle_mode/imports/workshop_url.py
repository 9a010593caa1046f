"""The share address of a web builder: ``?f=faction;n=name;l=leader,perks;{...};``, with ``!`` for quotes.

Each model is an object between braces. Models, Leader card and perks that stand there as bare numbers are known to that
builder alone: models so named make the address unreadable, the others are left out and told.
"""

import re
from typing import Any
from urllib.parse import unquote

from validators.battle_mode.imports.selections import LONGEST_NAME, Roster, Selection, a_name, a_number
from validators.contract import UnreadableForce
from validators.strict_json import read_json

FORMAT = "address of a web builder"
LONGEST_ADDRESS = 20_000

_ADDRESS = re.compile(r"https?://[^\s?]{1,200}\?f=[^\s]+", re.IGNORECASE)
_MODEL = re.compile(r"\{[^;]*\}")
_FACTIONS = {"srv": "Survivors"}
"""The one code that is documented; for any other the models tell."""


def is_workshop_url(text: str) -> bool:
    """Whether the text begins with such an address."""
    return _ADDRESS.match(text.lstrip()[: LONGEST_ADDRESS + 1]) is not None


def read_workshop_url(text: str) -> Roster:
    """The address to a roster; what stands behind it is ignored. Nothing is fetched. Raises UnreadableForce."""
    address = text.split()[0]
    if len(address) > LONGEST_ADDRESS:
        raise UnreadableForce(f"the address: longer than {LONGEST_ADDRESS} characters")
    query = unquote(address.partition("?")[2], errors="replace")
    parts = [part for part in query.split(";") if part]
    fields = dict(part.partition("=")[::2] for part in parts if not part.startswith("{"))
    models = [_model(part, number) for number, part in enumerate((p for p in parts if p.startswith("{")), start=1)]
    if not models:
        raise UnreadableForce("the address: no model stands in it")
    notes = ["The address gives Leader card and perks as bare numbers; choose them anew."] if fields.get("l") else []
    return Roster(
        format=FORMAT,
        name=a_name(fields.get("n", "")[:LONGEST_NAME], "the address: n"),
        faction=_FACTIONS.get(fields.get("f", "").casefold(), ""),
        total=None,
        selections=tuple(models),
        in_order=True,
        notes=tuple(notes),
    )


def _model(part: str, number: int) -> Selection:
    place = f"the address: model {number}"
    if not _MODEL.fullmatch(part):
        raise UnreadableForce(f"{place}: cut off; copy the whole address")
    try:
        fields = read_json(part.replace("!", '"').encode())
    except UnreadableForce as fault:
        raise UnreadableForce(f"{place}: cannot be read; copy the whole address") from fault
    if not isinstance(fields, dict) or not isinstance(fields.get("name"), str):
        raise UnreadableForce(f"{place}: is named by a number that only that builder knows; copy its text list instead")
    model = Selection(a_name(fields.pop("name"), place), a_number(fields.pop("modelCount", 1), place))
    fields.pop("id", None)
    if fields.pop("heroic", False) is True:
        model.children.append(Selection("Heroic", model.number))
    for key, value in fields.items():
        shown = "".join(letter if letter.isprintable() else "?" for letter in key[:30])
        model.children += _items(value, model.number, f"{place}: {shown}")
    return model


def _items(value: Any, models: int, place: str) -> list[Selection]:
    """Names in a list, or names with how many: each model of the selection has them."""
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = [(name, 1) for name in value]
    else:
        raise UnreadableForce(f"{place}: is no list of names")
    return [Selection(a_name(name, place).replace("_", " "), a_number(count, place) * models) for name, count in pairs]
