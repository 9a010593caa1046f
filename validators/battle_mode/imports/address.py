"""A force list as the share address of a web builder, Wasteland Workshop.

``?f=faction;n=name;s=n;l=leader,card;{...};``, with ``!`` for quotes, each unit an object between braces:

- ``modelCount`` models of one ``name``; ``heroic`` and ``perks`` once for the unit;
- what is worn, as one text or a list, and weapons, as a list: one for each model;
- ``mods`` by their item, or by the slot of what is worn; ``char_mods`` of robots and creatures: one for each model;
- what is used up, with its number: for the whole unit.

The Leader is a place in the list of units, from 0, with the place of a Leader card in the builder's list, from 1.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from languages.words import gettext, ngettext, noted
from validators.battle_mode.imports.selections import LONGEST_NAME, Roster, Selection, a_name, a_number
from validators.contract import UnreadableForce
from validators.faults import at_place
from validators.strict_json import read_json

ADDRESS_FORMAT = noted("address of a web builder")
LONGEST_ADDRESS = 20_000

_ADDRESS = re.compile(r"https?://[^\s?]{1,200}\?f=[^\s]+", re.IGNORECASE)
_MODEL = re.compile(r"\{[^;]*\}")
_LEADER = re.compile(r"(-?\d{1,3}),(\d{1,3})")
FACTIONS = {
    "bos": "Brotherhood of Steel", "coa": "Children of Atom", "crt": "Creatures", "enc": "Enclave", "gun": "Gunners",
    "ins": "Institute", "lgn": "Caesar's Legion", "mnm": "Minutemen", "mut": "Super Mutants",
    "ncr": "New California Republic", "rbt": "Robots", "rdr": "Raiders", "rlr": "Railroad", "srv": "Survivors",
}  # fmt: skip
LEADER_CARDS = (
    "beloved", "berserker", "blitzer", "bodyguard", "brawler", "bruiser", "commander", "co-ordinator",
    "creature_controller", "defender", "dweller", "fusilier", "gatherer", "grenadier", "hunter", "old_timer",
    "procurer", "robot_controller", "selfless", "skipper", "stalker", "synth_expert", "tactician", "tech", "tech_chief",
    "thief", "veteran", "warden", "wasteland_searcher", "wrestler",
)  # fmt: skip
"""The builder's list of Leader cards, in its order."""
WORN = ("power_armor", "armor", "clothing")
USED_UP = ("thrown", "mines", "chems", "alcohol", "food_and_drink", "gear")


def is_address(text: str) -> bool:
    """Whether there is such an address in the text."""
    return _ADDRESS.search(text[: LONGEST_ADDRESS + 1]) is not None


def read_address(text: str) -> Roster:
    """From the address to a roster; anything around it is ignored. Nothing is fetched. Raises UnreadableForce."""
    found = _ADDRESS.search(text)
    address = found[0] if found else ""
    if len(address) > LONGEST_ADDRESS:
        raise UnreadableForce(
            ngettext(
                "the address: longer than %(num)s character",
                "the address: longer than %(num)s characters",
                LONGEST_ADDRESS,
            )
        )
    query = address.partition("?")[2]
    written = query.split(";") if ";" in query else unquote(query, errors="replace").split(";")
    parts = [unquote(part, errors="replace") for part in written if part]
    fields = dict(part.partition("=")[::2] for part in parts if not part.startswith("{"))
    units = [_unit(part, number) for number, part in enumerate((p for p in parts if p.startswith("{")), start=1)]
    if not units:
        raise UnreadableForce(gettext("the address: no model stands in it"))
    notes = _lead(units, fields.get("l", ""))
    if fields.get("s", "").casefold() == "y":
        notes.append(gettext("It was built for a settlement, not as a Battle Mode force."))
    return Roster(
        format=ADDRESS_FORMAT,
        name=a_name(fields.get("n", "")[:LONGEST_NAME], "the address: n"),
        faction=FACTIONS.get(fields.get("f", "").casefold(), ""),
        selections=units,
        notes=tuple(notes),
    )


def _lead(units: list[Selection], leader: str) -> list[str]:
    """Mark the Leader and its card; returns the notes."""
    match = _LEADER.fullmatch(leader.strip())
    place, card = (int(match[1]), int(match[2])) if match else (-1, 0)
    if not 0 <= place < len(units):
        return []
    units[place].children.append(Selection("Leader"))
    if 0 < card <= len(LEADER_CARDS):
        units[place].children.append(Selection(_words(LEADER_CARDS[card - 1])))
    elif card:
        unknown = noted(
            "The address gives the Leader the card with the number %(card)s, which is not known; choose it again."
        )
        return [gettext(unknown, card=card)]
    return []


def _unit(part: str, number: int) -> Selection:
    place = gettext("the address: model %(number)s", number=number)
    if not _MODEL.fullmatch(part):
        raise UnreadableForce(gettext("%(place)s: cut off; copy the whole address", place=place))
    try:
        fields = read_json(part.replace("!", '"').encode())
    except UnreadableForce as fault:
        raise UnreadableForce(gettext("%(place)s: cannot be read; copy the whole address", place=place)) from fault
    if not isinstance(fields, dict) or not isinstance(fields.get("name"), str):
        number_only = noted("%(place)s: is named by a number that only that builder knows; copy its text list instead")
        raise UnreadableForce(gettext(number_only, place=place))
    unit = Selection(_words(a_name(fields.pop("name"), place)), a_number(fields.pop("modelCount", 1), place))
    fields.pop("id", None)
    if fields.pop("heroic", False) is True:
        unit.children.append(Selection("Heroic"))
    mods = fields.pop("mods", {})
    on = dict(_counted(mods, f"{place}: mods", texts=True)) if isinstance(mods, dict) else {}
    for key, value in fields.items():
        shown = "".join(letter if letter.isprintable() else "?" for letter in key[:30])
        for name, count in _counted(value, f"{place}: {shown}"):
            for_each = 1 if key in (*USED_UP, "perks") else unit.number
            item = Selection(_words(name), int(count) * for_each)
            mod = on.pop(name, None) or (on.pop(key, None) if key in WORN else None)
            if mod:
                item.children.append(Selection(_words(str(mod)), item.number))
            unit.children.append(item)
    rest = list(map(str, on.values()))
    if not isinstance(mods, dict):
        rest = [name for name, _ in _counted(mods, f"{place}: mods")]
    unit.children += [Selection(_words(mod), unit.number) for mod in rest]
    return unit


def _counted(value: Any, place: str, *, texts: bool = False) -> Iterator[tuple[str, int | str]]:
    """Names, each with its number or, of ``texts``, its text: from one name, a list, or an object."""
    pairs: list[tuple[Any, Any]]
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, str | list):
        pairs = [(name, 1) for name in ([value] if isinstance(value, str) else value)]
    else:
        raise UnreadableForce(at_place(place, gettext("is not a list")))
    for name, one in pairs:
        yield a_name(name, place), a_name(one, place) if texts else a_number(one, place)


def _words(key: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in key.split("_"))
