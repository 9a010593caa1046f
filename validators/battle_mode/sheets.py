"""A force on paper and as a file: the force list, plain text, and a ``.ros`` for roster programs.

``imports`` reads the files back to the same force. The ``.ros`` and the JSON hold any document, the text those whose
names are in the edition.
"""

from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from languages.words import N_, gettext
from validators.battle_mode.force import Named, PricedForce, PricedItem, PricedModel, priced
from validators.battle_mode.imports.battlescribe import GAME, MARK
from validators.battle_mode.imports.written import CARDS_HEADING, NAME_LINE
from validators.contract import Document, EditionInfo, ForceFormat, Terms
from validators.kit.exchange import json_file
from validators.sheet import CardPart, CardUnit, copies


def card(document: Document, edition: EditionInfo) -> tuple[CardUnit, ...]:
    force = priced(document, Terms(edition))
    outside = (
        CardUnit(
            gettext("%(kind)s card", kind=loose.kind) + f": {loose.name}" * bool(loose.name),
            loose.entry.caps if loose.entry else 0,
        )
        for loose in force.cards
    )
    return (*map(_unit, force.models), *outside)


def _unit(model: PricedModel) -> CardUnit:
    parts = [CardPart("Heroic", model.heroic_caps)] if model.heroic else []
    if model.leader_card:
        parts.append(CardPart(gettext("Leader card %(name)s", name=model.leader_card.name), model.leader_card.caps))
    parts += map(_part, model.items)
    parts += [CardPart(gettext("Perk %(perk)s", perk=perk.name), perk.caps) for perk in model.perks]
    named = [item.entry.name for item in model.items if item.entry and item.free]
    if more := [name for name in (model.entry.built_in if model.entry else ()) if name not in named]:
        parts.append(CardPart(gettext("built in: %(names)s", names=", ".join(more))))
    marks = (gettext("Leader"),) if model.leader else ()
    return CardUnit(model.name, model.caps, marks, tuple(parts), model.entry.caps if model.entry else 0)


def _part(item: PricedItem) -> CardPart:
    mods = f" ({', '.join(mod.name for mod in item.mods)})" if item.mods else ""
    each = " + ".join(str(caps) for caps in (item.own_caps, *(mod.caps for mod in item.mods)))
    times = f"{item.count} × {f'({each})' if item.mods else each}" if item.count > 1 else each if item.mods else ""
    if item.free:
        times = gettext("one built in") if item.count > 1 else gettext("built in")
    return CardPart(f"{copies(item.count, item.name)}{mods}", item.caps, times)


ROSTER_NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
FORMATS = (
    ForceFormat("json", N_("Force file (.json)"), "application/json"),
    ForceFormat("txt", N_("Plain text (.txt)"), "text/plain"),
    ForceFormat("ros", N_("BattleScribe roster (.ros)"), "application/xml"),
)


def export_force(document: Document, edition: EditionInfo, format_id: str) -> bytes:
    """A canonical document as a file in one of ``FORMATS``. Raises KeyError for an unknown format."""
    return _WRITERS[format_id](document, edition)


def _text(document: Document, edition: EditionInfo) -> bytes:
    force = priced(document, Terms(edition))
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
    # Each with its cost, because a part without a cost is read as built in.
    lines += [f". {perk.name} [{perk.caps} Caps]" for perk in model.perks]
    for item in model.items:
        count = f"{item.count}x " if item.count > 1 else ""
        mods = ", ".join(f"{count}{mod.name}" for mod in item.mods)
        lines.append(f". {count}{item.name} [{item.caps} Caps]{': ' if mods else ''}{mods}")
    return lines


def _roster(document: Document, edition: EditionInfo) -> bytes:
    force = priced(document, Terms(edition))
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
            carried = _selection(below, item.name, "item", item.count, item.own_caps * item.bought)
            for mod in item.mods:
                _named(carried, mod, "mod", item.count)
    for card in force.cards:
        _selection(parent, card.kind, "card", 1, card.entry.caps if card.entry else 0, category=card.name)


def _named(parent: Element, named: Named, mark: str, number: int = 1) -> None:
    _selection(parent, named.name, mark, number, named.caps * number)


def _selection(parent: Element, name: str, mark: str, number: int, caps: int, category: str = "") -> Element:
    """A selection with its cost; returns the list for its own selections."""
    kind = "model" if mark == "model" else "upgrade"
    node = SubElement(
        parent, "selection", {"id": "", "name": name, "entryId": f"{MARK}::{mark}", "number": str(number), "type": kind}
    )
    below = SubElement(node, "selections")
    _costs(node, caps)
    if category:
        categories = SubElement(node, "categories")
        SubElement(categories, "category", {"id": MARK, "name": category, "entryId": MARK, "primary": "true"})
    return below


def _costs(node: Element, caps: int) -> None:
    SubElement(SubElement(node, "costs"), "cost", {"name": "Caps", "typeId": MARK, "value": f"{caps}.0"})


_WRITERS: Mapping[str, Callable[[Document, EditionInfo], bytes]] = {
    "json": lambda document, _: json_file(document),
    "txt": _text,
    "ros": _roster,
}
