"""A force document as a file: the project's own JSON, plain text, and a ``.ros`` that roster programs open.

What each holds is read back to the same force by ``imports``. The ``.ros`` and the JSON hold any document; the text
holds those whose names the edition knows.
"""

import json
from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from validators.battle_mode.edition import Edition
from validators.battle_mode.imports.battlescribe_text import CARDS_HEADING, NAME_LINE
from validators.battle_mode.imports.battlescribe_tree import MARK
from validators.battle_mode.priced import Named, PricedForce, PricedItem, PricedModel, price
from validators.contract import Document, EditionInfo, ForceFormat

GAME = "Fallout: Wasteland Warfare"
ROSTER_NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
FORMATS = (
    ForceFormat("json", "Force file (.json)", "application/json"),
    ForceFormat("txt", "Plain text (.txt)", "text/plain"),
    ForceFormat("ros", "BattleScribe roster (.ros)", "application/xml"),
)


def export_force(document: Document, edition: EditionInfo, format_id: str) -> bytes:
    """A canonical document as a file of one of ``FORMATS``. Raises KeyError for another."""
    return _WRITERS[format_id](document, edition.lists)


def _json(document: Document, edition: Edition) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _text(document: Document, edition: Edition) -> bytes:
    force = price(document, edition)
    lines = [f"++ Battle Mode ({GAME} - {force.faction_name}) [{force.total} Caps] ++", ""]
    if document["name"]:
        lines += [f"{NAME_LINE} {document['name']}", ""]
    lines += ["+ Units +", ""]
    for model in force.models:
        lines += [*_model_lines(model), ""]
    if force.cards:
        lines += [f"+ {CARDS_HEADING} +", ""]
        lines += [f"{card.kind}: {card.name}" if card.name else card.kind for card in force.cards]
        lines.append("")
    lines += [f"++ Total: [{force.total} Caps] ++", ""]
    return "\n".join(lines).encode()


def _model_lines(model: PricedModel) -> list[str]:
    lines = [f"{model.name} [{model.caps} Caps]{': Heroic' if model.heroic else ''}"]
    card = f": {model.leader_card.name}" if model.leader_card else ""
    if model.leader:
        lines.append(f". Leader{card}")
    elif model.leader_card:
        lines.append(f". Leader card{card}")
    # With its cost each: only so a part is told from one of that name that the model has built in.
    lines += [f". {perk.name} [{perk.caps} Caps]" for perk in model.perks]
    for item in model.items:
        count = f"{item.count}x " if item.count > 1 else ""
        mods = ", ".join(f"{count}{mod.name}" for mod in item.mods)
        lines.append(f". {count}{item.name} [{item.caps} Caps]{': ' if mods else ''}{mods}")
    return lines


def _roster(document: Document, edition: Edition) -> bytes:
    force = price(document, edition)
    root = Element(
        "roster",
        {
            "id": MARK,
            "name": document["name"],
            "battleScribeVersion": "2.03",
            "gameSystemId": MARK,
            "gameSystemName": GAME,
            "gameSystemRevision": "1",
            "xmlns": ROSTER_NAMESPACE,
        },
    )
    _costs(root, force.total)
    inside = SubElement(
        SubElement(root, "forces"),
        "force",
        {"id": f"{MARK}-force", "name": "Battle Mode", "entryId": MARK, "catalogueName": force.faction_name},
    )
    _fill(SubElement(inside, "selections"), force)
    for number, node in enumerate(root.iter("selection"), start=1):
        node.set("id", f"{MARK}-{number}")
    indent(root)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _fill(parent: Element, force: PricedForce) -> None:
    for model in force.models:
        below = _selection(parent, model.name, "model", 1, model.entry.caps if model.entry else 0)
        if model.heroic:
            _selection(below, "Heroic", "heroic", 1, model.heroic_caps)
        if model.leader:
            _selection(below, "Leader", "leader", 1, 0)
        if model.leader_card:
            _named(below, model.leader_card, "leader-card")
        for perk in model.perks:
            _named(below, perk, "perk")
        for item in model.items:
            _item(below, item)
    for card in force.cards:
        _selection(parent, card.kind, "card", 1, card.entry.caps if card.entry else 0, category=card.name)


def _named(parent: Element, named: Named, mark: str, number: int = 1) -> None:
    _selection(parent, named.name, mark, number, named.caps * number)


def _item(parent: Element, item: PricedItem) -> None:
    below = _selection(parent, item.name, "item", item.count, (item.entry.caps if item.entry else 0) * item.count)
    for mod in item.mods:
        _named(below, mod, "mod", item.count)


def _selection(parent: Element, name: str, mark: str, number: int, caps: int, category: str = "") -> Element:
    """A selection with its cost; gives the list that its own selections go into."""
    kind = "model" if mark == "model" else "upgrade"
    node = SubElement(
        parent,
        "selection",
        {"id": "", "name": name, "entryId": f"{MARK}::{mark}", "number": str(number), "type": kind},
    )
    below = SubElement(node, "selections")
    _costs(node, caps)
    if category:
        categories = SubElement(node, "categories")
        SubElement(categories, "category", {"id": MARK, "name": category, "entryId": MARK, "primary": "true"})
    return below


def _costs(node: Element, caps: int) -> None:
    SubElement(SubElement(node, "costs"), "cost", {"name": "Caps", "typeId": MARK, "value": f"{caps}.0"})


_WRITERS: Mapping[str, Callable[[Document, Edition], bytes]] = {"json": _json, "txt": _text, "ros": _roster}
