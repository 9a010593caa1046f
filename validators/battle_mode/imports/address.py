"""A force list as the share address of a web builder, Wasteland Workshop, as the lines of a list.

``?f=faction;n=name;s=n;l=leader,card;{...};``, with ``!`` for quotes, each unit an object between braces:

- ``modelCount`` models of one ``name``; ``heroic`` and ``perks`` once for the unit;
- what is worn, as one text or a list, and weapons, as a list: one for each model;
- ``mods`` by their item, or by the slot of what is worn; ``char_mods`` of robots and creatures: one for each model;
- what is used up, with its number: for the whole unit.

The Leader is a place in the list of units, from 0, with the place of a Leader card in the builder's list, from 1.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from languages.words import N_, gettext, ngettext
from validators.battle_mode.imports.written import LONGEST_NAME, Kind, Written, WrittenList, a_name, a_number
from validators.contract import UnreadableForce
from validators.faults import at_place
from validators.strict_json import read_json

ADDRESS_FORMAT = N_("address of a web builder")
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
    return _ADDRESS.search(text[: LONGEST_ADDRESS + 1]) is not None


def written_list(text: str) -> WrittenList:
    """The lines in an address; anything around it is ignored. Nothing is fetched. Raises UnreadableForce."""
    match = _ADDRESS.search(text)
    address = match[0] if match else ""
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
    units = [part for part in parts if part.startswith("{")]
    if not units:
        raise UnreadableForce(gettext("the address: no model stands in it"))
    leader, card, notes = _leader(fields.get("l", ""))
    if fields.get("s", "").casefold() == "y":
        notes.append(gettext("It was built for a settlement, not as a Battle Mode force."))
    lines = [
        line for number, unit in enumerate(units) for line in _unit(unit, number, card if number == leader else None)
    ]
    return WrittenList(
        format=ADDRESS_FORMAT,
        lines=tuple(replace(line, number=number) for number, line in enumerate(lines, start=1)),
        name=a_name(fields.get("n", "")[:LONGEST_NAME], "the address: n"),
        faction=FACTIONS.get(fields.get("f", "").casefold(), ""),
        notes=tuple(notes),
    )


def _leader(written: str) -> tuple[int, str, list[str]]:
    """The place of the Leader in the list, -1 for none, the name of its card, and the notes."""
    match = _LEADER.fullmatch(written.strip())
    place, card = (int(match[1]), int(match[2])) if match else (-1, 0)
    if card <= len(LEADER_CARDS):
        return place, _words(LEADER_CARDS[card - 1]) if card else "", []
    unknown = N_("The address gives the Leader the card with the number %(card)s, which is not known; choose it again.")
    return place, "", [gettext(unknown, card=card)] if place >= 0 else []


def _unit(part: str, number: int, leads_with: str | None) -> Iterator[Written]:
    """The lines of a unit; ``leads_with`` is the Leader card of the Leader, "" for none, None if it does not lead."""
    place = gettext("the address: model %(number)s", number=number + 1)
    if not _MODEL.fullmatch(part):
        raise UnreadableForce(gettext("%(place)s: cut off; copy the whole address", place=place))
    try:
        fields = read_json(part.replace("!", '"').encode())
    except UnreadableForce as fault:
        raise UnreadableForce(gettext("%(place)s: cannot be read; copy the whole address", place=place)) from fault
    if not isinstance(fields, dict) or not isinstance(fields.get("name"), str):
        number_only = N_("%(place)s: is named by a number that only that builder knows; copy its text list instead")
        raise UnreadableForce(gettext(number_only, place=place))
    copies = a_number(fields.pop("modelCount", 1), place)
    yield _line(a_name(fields.pop("name"), place), 0, copies, "model")
    fields.pop("id", None)
    if leads_with is not None:
        yield _line("leader", 1, 1)
        if leads_with:
            yield _line(leads_with, 1, 1)
    if fields.pop("heroic", False) is True:
        yield _line("heroic", 1, 1)
    mods = fields.pop("mods", {})
    on = dict(_counted(mods, f"{place}: mods", texts=True)) if isinstance(mods, dict) else {}
    for key, value in fields.items():
        shown = "".join(letter if letter.isprintable() else "?" for letter in key[:30])
        for name, count in _counted(value, f"{place}: {shown}"):
            number_of_all = int(count) * (1 if key in (*USED_UP, "perks") else copies)
            yield _line(name, 1, number_of_all)
            if mod := on.pop(name, None) or (on.pop(key, None) if key in WORN else None):
                yield _line(str(mod), 2, number_of_all)
    rest = list(map(str, on.values()))
    if not isinstance(mods, dict):
        rest = [name for name, _ in _counted(mods, f"{place}: mods")]
    for mod in rest:
        yield _line(mod, 1, copies)


def _line(key: str, depth: int, copies: int, kind: Kind = "upgrade") -> Written:
    name = _words(key)
    shown = name if copies == 1 else f"{copies}x {name}"
    return Written(0, name, depth, None if copies == 1 else copies, None, kind, shown)


def _counted(value: Any, place: str, *, texts: bool = False) -> Iterator[tuple[str, int | str]]:
    """Names, each with its number or, of ``texts``, its text: from one name, a list, or an object."""
    pairs: list[tuple[Any, Any]]
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, str | list):
        pairs = [(name, 1) for name in ([value] if isinstance(value, str) else value)]
    else:
        raise UnreadableForce(at_place(place, gettext("is not a list")))
    for name, amount in pairs:
        yield a_name(name, place), a_name(amount, place) if texts else a_number(amount, place)


def _words(key: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in key.split("_"))
