"""BattleScribe and New Recruit roster files: a ``.rosz``, a ``.ros`` or New Recruit's JSON as the lines of a list.

A selection's cost covers all its copies without its children, so a roster costs the sum of all costs in it.
"""

import re
from dataclasses import replace
from typing import Any

from languages.words import N_, gettext, ngettext
from validators.battle_mode import bounded_files
from validators.battle_mode.bounded_files import BadFile, Tree
from validators.battle_mode.force_rules import BANNED_KINDS
from validators.battle_mode.imports.written import (
    DEEPEST,
    LONGEST_NAME,
    MOST_SELECTIONS,
    Kind,
    Written,
    WrittenList,
    a_cost,
    a_name,
    a_number,
    is_this_game,
)
from validators.contract import UnreadableForce
from validators.faults import at_place, of_file
from validators.names import loose
from validators.strict_json import MOST_BYTES

MOST_ENTRIES = 20


def unpacked(data: bytes) -> bytes:
    """The one ``.ros`` of an archive. Raises UnreadableForce."""
    try:
        with bounded_files.opened(data, MOST_ENTRIES) as archive:
            entries = [info for info in archive.infolist() if not info.filename.startswith("__MACOSX/")]
            rosters = [info for info in entries if info.filename.casefold().endswith(".ros")]
            if not rosters:
                raise UnreadableForce(gettext("the archive: holds no .ros file"))
            if len(rosters) > 1:
                raise UnreadableForce(
                    ngettext(
                        "the archive: holds %(num)s roster; save one force as one file",
                        "the archive: holds %(num)s rosters; save one force as one file",
                        len(rosters),
                    )
                )
            return bounded_files.read(archive, rosters[0], MOST_BYTES)
    except BadFile as fault:
        raise UnreadableForce(str(fault.of(gettext("the archive")))) from fault


_LISTS = {"force": "forces", "selection": "selections", "cost": "costs", "category": "categories"}
_FIELDS = ("id", "name", "number", "type", "entryId", "value", "catalogueName", "gameSystemName")

Node = dict[str, Any]


def read_xml(data: bytes) -> Node:
    """From a roster's bytes to ``{"roster": {...}}`` with only the fields used. Raises UnreadableForce."""
    tree = _Tree()
    try:
        tree.read(data)
    except BadFile as fault:
        raise UnreadableForce(str(fault.of(gettext("the file")))) from fault
    return {"roster": tree.root}


class _Tree(Tree):
    outermost = "roster"
    others = dict.fromkeys(("catalogue", "gameSystem"), N_("this is a catalogue of a game, not a roster made with it"))
    kept, deepest = ("roster", *_LISTS), 3 * DEEPEST
    most_bytes, most_tags = MOST_BYTES, 120_000
    root: Node
    selections = 0

    def _keep(self, name: str, attributes: dict[str, str]) -> Node:
        node: Node = {key: attributes[key] for key in _FIELDS if key in attributes}
        self.selections += name == "selection"
        if self.selections > MOST_SELECTIONS:
            raise BadFile(gettext("more than %(most)s selections", most=MOST_SELECTIONS))
        if self.open:
            self.open[-1].setdefault(_LISTS.get(name, name), []).append(node)
        else:
            self.root = node
        return node


UNIT = "caps"
_SORTING = re.compile(r"^z[A-Z]{1,2}\s+")
"""What a catalogue sorts its names by: "zF Survivors"."""
GAME = "Fallout: Wasteland Warfare"
MARK = "overseer"
"""In our own exports, a selection's entry id gives its kind: ``overseer::item``."""
_STATES_THE_GAME = ("gamesystemname", "gamesystem", "gamename", "game", "systemname", "system")
_CARDS = {key: kind.capitalize() for kind in BANNED_KINDS for key in (loose(kind), f"{loose(kind)}card")}
"""The cards that Battle Mode does not use, by the names of selections and their categories."""


def written_list(parsed: object, format_name: str, game: str = "") -> WrittenList:
    """From ``{"roster": {...}}`` to the lines of a list, one for each selection.

    ``game`` is the edition's own name for this game, "" for none. Raises UnreadableForce, also for another game's
    roster.
    """
    file = _node(parsed, gettext("the file"))
    roster = _node(file.get("roster"), "roster")
    forces = _nodes(roster, "forces", "roster")
    named = _check_game([file, roster, *forces], game or GAME)
    if not forces:
        raise UnreadableForce(at_place("roster.forces", gettext("is empty")))
    notes = _settle_unit(roster, named=named)
    if len(forces) > 1:
        notes.append(
            ngettext(
                "The file holds %(num)s force; it was read as one.",
                "The file holds %(num)s forces; they were read as one.",
                len(forces),
            )
        )
    lines: list[Written] = []
    for number, force in enumerate(forces):
        place = f"roster.forces[{number}]"
        built_as = a_name(force.get("name", ""), f"{place}.name")
        if built_as and "battle mode" not in built_as.casefold():
            notes.append(gettext("It was built as %(built_as)s, not as a Battle Mode force.", built_as=built_as))
        if own := _caps(force, place):
            lines.append(_line(len(lines) + 1, built_as or "Force", 0, 1, own, "force"))
        _write(force, place, lines)
    _write(roster | {"forces": []}, "roster", lines)
    catalogues = [a_name(force.get("catalogueName", ""), "roster.forces: catalogueName") for force in forces]
    words = " ".join(str(roster.get("name", "")).split())
    stated = None
    if not any(line.caps for line in lines):  # a file without costs
        lines = [replace(line, caps=None) for line in lines]
    elif _caps(roster, "roster") is None:
        stated = sum(line.caps or 0 for line in lines)
    return WrittenList(
        format=format_name,
        lines=tuple(lines),
        name=a_name(words[:LONGEST_NAME].strip(), "roster.name"),
        faction=_SORTING.sub("", next(filter(None, catalogues), "")),
        total=_caps(roster, "roster") if stated is None else stated,
        notes=tuple(notes),
    )


def _check_game(nodes: list[Node], own: str) -> bool:
    """Whether the file names its game and it is this one. Raises UnreadableForce for another game's name."""
    stated = False
    for node in nodes:
        for key, value in node.items():
            if loose(key[:40]) not in _STATES_THE_GAME:
                continue
            value = value.get("name") if isinstance(value, dict) else value
            game = a_name(value, key) if isinstance(value, str) else ""
            is_an_id = "-" in game and " " not in game and any(c.isdigit() for c in game)
            if not game or is_an_id:
                continue
            if not is_this_game(game) and loose(game) != loose(own):
                raise UnreadableForce(gettext("the file: a roster of %(game)s, not of %(own)s", game=game, own=own))
            stated = True
    return stated


def _settle_unit(roster: Node, *, named: bool) -> list[str]:
    """In a roster of this game, treat the only cost as Caps if none is called so; adds remarks on other costs.

    Raises UnreadableForce if a roster names neither this game nor Caps.
    """
    costs: list[Node] = []
    waiting = [roster]
    while waiting:
        node = waiting.pop()
        costs += _nodes(node, "costs", "roster")
        waiting += _nodes(node, "selections", "roster") + _nodes(node, "forces", "roster")
    counted = [cost for cost in costs if str(cost.get("value", ""))[:20].strip(" 0.") not in ("", "-", "None")]
    units = list(dict.fromkeys(loose(str(cost.get("name", ""))[:40]) for cost in counted))
    others = [unit for unit in units if unit != loose(UNIT)]
    shown = ", ".join(other or gettext("a unit without a name") for other in others[:5])
    if not others:
        return []
    if len(others) < len(units):
        return [gettext("The file also has costs in %(units)s, which are left out.", units=shown)]
    if not named:
        raise UnreadableForce(
            gettext("the file: its costs are in %(units)s, not in Caps; this is a list of another game", units=shown)
        )
    if len(others) > 1:
        raise UnreadableForce(gettext("the file: its costs are in %(units)s, and none is called Caps", units=shown))
    for cost in counted:
        cost["name"] = UNIT
    return [gettext("Its only cost, in %(unit)s, was read as Caps.", unit=shown)]


def _write(node: Node, place: str, lines: list[Written], depth: int = 0) -> None:
    """Add a line for each selection in a force or in another selection; a force of allies is one, too."""
    allies = [{"name": force.get("name", ""), "type": "force"} | force for force in _nodes(node, "forces", place)]
    for selection in _nodes(node, "selections", place) + allies:
        if depth >= DEEPEST:
            raise UnreadableForce(of_file(gettext("nested too deeply")))
        if len(lines) >= MOST_SELECTIONS:
            raise UnreadableForce(of_file(gettext("more than %(most)s selections", most=MOST_SELECTIONS)))
        name = a_name(selection.get("name"), f"{place}: name")
        below = f"{place} > {name}"[-200:]
        number = a_number(selection.get("number", 1), f"{below}: number")
        categories = [_category(entry.get("name"), below) for entry in _nodes(selection, "categories", below)]
        kind, text = _kind(a_name(selection.get("type", ""), f"{below}: type"), name, categories, depth)
        line = _line(len(lines) + 1, name, depth, number, _caps(selection, below) or 0, kind, _mark(selection))
        lines.append(replace(line, text=text))
        if line.mark == "card" and categories:
            lines.append(_line(len(lines) + 1, categories[0], depth + 1, 1, 0, "card", "card-name"))
        _write(selection, below, lines, depth + 1)


def _category(name: object, place: str) -> str:
    """The name of a category; a program may write it as a number, or leave it out."""
    figure = isinstance(name, int | float) and not isinstance(name, bool)
    return a_name(str(name) if figure else name or "", f"{place}: category")


def _line(number: int, name: str, depth: int, copies: int, caps: int, kind: Kind, mark: str = "") -> Written:
    shown = f"{copies}x {name}" if copies != 1 else name
    shown += f" [{caps} Caps]" if caps else ""
    return Written(number, name, depth, None if copies == 1 else copies, caps, kind, shown, mark=mark)


def _mark(node: Node) -> str:
    entry = node.get("entryId")
    return entry.removeprefix(f"{MARK}::") if isinstance(entry, str) and entry.startswith(f"{MARK}::") else ""


def _kind(kind: str, name: str, categories: list[str], depth: int) -> tuple[Kind, str]:
    """What the program calls a selection, and its name; a card that Battle Mode does not use is "Boost: Lucky Day"."""
    match kind:
        case "force" | "model" | "unit":
            return kind, name
    for word in (*categories, name):
        if card := _CARDS.get(loose(word)):
            return "card", card if word == name else f"{card}: {name}"
    words = {loose(word) for category in categories for word in category.split()}
    return "model" if depth == 0 and words & {"model", "unit"} else "upgrade", name


def _caps(node: Node, place: str) -> int | None:
    """The Caps among a node's costs; the name may have a leading space. None if there are none."""
    costs = [cost for cost in _nodes(node, "costs", place) if loose(str(cost.get("name", ""))[:40]) == loose(UNIT)]
    return sum(a_cost(cost.get("value"), f"{place}: cost") for cost in costs) if costs else None


def _node(value: object, place: str) -> Node:
    if not isinstance(value, dict):
        raise UnreadableForce(at_place(place, gettext("is not an object")))
    return value


def _nodes(node: Node, key: str, place: str) -> list[Node]:
    values = node.get(key) or []
    if not isinstance(values, list):
        raise UnreadableForce(at_place(f"{place}.{key}", gettext("is not a list")))
    return [_node(value, f"{place}.{key}") for value in values]
