"""Who is who in the files: ids, links, forces and costs; and what is wrong with them in any case (typing errors)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from validators.battle_mode.catalogues.files import Files
from validators.battle_mode.catalogues.report import Notes
from validators.battle_mode.catalogues.tree import Node
from validators.battle_mode.imports.matching import loose, without_sorting
from validators.contract import UnreadableEdition
from validators.names import fold

_IDENTIFIED = ("gameSystem", "catalogue", "selectionEntry", "selectionEntryGroup", "entryLink", "categoryEntry",
               "forceEntry", "costType")  # fmt: skip
_ENTRIES = ("selectionEntry", "selectionEntryGroup")
BATTLE_MODE = "battle mode"
_GENERAL = {"", "any", "model", "unit", "upgrade"}
"""What a condition may name that is no id."""
_WHOLE = re.compile(r"(\d{1,4})(?:\.0{1,9})?", re.ASCII)
MOST_CAPS = 9_999


@dataclass(frozen=True)
class Index:
    """The files by id, and the ids that everything turns on."""

    files: Files
    by_id: Mapping[str, Node]
    caps: frozenset[str]
    """The ids of the cost that is called Caps."""
    forces: tuple[Node, ...]
    """Every force of the files."""
    battle: Node | None
    """The force that is Battle Mode; None where the files name no force at all."""
    has_unique_category: bool
    """Whether the files sort unique models under a category of their own."""

    def target(self, link: Node) -> Node | None:
        """The entry or group that a link leads to; the node itself where it is no link."""
        if link.tag != "entryLink":
            return link
        found = self.by_id.get(link.get("targetId"))
        return found if found is not None and found.tag in _ENTRIES else None

    def categories(self, *nodes: Node) -> dict[str, str]:
        """The categories of an entry and of the link to it: names by id."""
        links = [link for node in nodes for link in node.each("categoryLink")]
        return {link.get("targetId"): self._name(link) for link in links if link.get("targetId")}

    def _name(self, link: Node) -> str:
        target = self.by_id.get(link.get("targetId"))
        return target.name if target is not None else link.name


def index_of(files: Files, notes: Notes) -> Index:
    """The files by id. Raises UnreadableEdition where no cost or no force can be told."""
    by_id: dict[str, Node] = {}
    for node in _all(files):
        if node.tag in _IDENTIFIED and node.get("id"):
            first = by_id.setdefault(node.get("id"), node)
            if first is not node:
                notes.doubt(node, f"has the id of {first.name} ({first.file}, line {first.line}); that one is used")
    unique = any(node.tag == "categoryEntry" and "unique" in fold(node.name).split() for node in by_id.values())
    forces = tuple(node for node in _all(files) if node.tag == "forceEntry")
    index = Index(files, by_id, _caps(files, notes), forces, _battle(files, forces, notes), unique)
    _check_links(index, notes)
    return index


def cost(entry: Node, index: Index) -> int | str:
    """What an entry costs in Caps, or why that cannot be said."""
    found = [node for node in entry.each("cost") if _is_caps(node, index)]
    if not found:
        return "has no cost in Caps"
    values = {node.get("value").strip() for node in found}
    if len(values) > 1:
        return f"has several costs in Caps ({', '.join(sorted(values))})"
    (value,) = values
    whole = _WHOLE.fullmatch(value)
    if whole is None or int(whole[1]) > MOST_CAPS:
        return f"costs {value[:20] or 'nothing that is written'} Caps, which is no whole number of 0 to {MOST_CAPS}"
    return int(whole[1])


def _all(files: Files) -> Iterator[Node]:
    for tree in files.all:
        yield from tree.everything()


def _is_caps(node: Node, index: Index) -> bool:
    type_id = node.get("typeId") or node.get("costTypeId")
    return type_id in index.caps or (type_id not in index.by_id and fold(node.name) == "caps")


def _caps(files: Files, notes: Notes) -> frozenset[str]:
    types = [node for node in _all(files) if node.tag == "costType"]
    caps = frozenset(node.get("id") for node in types if fold(node.name) == "caps")
    if caps:
        return caps
    if len(types) != 1:
        named = ", ".join(node.name[:40] for node in types[:5]) or "none at all"
        raise UnreadableEdition(f"{files.system.file}: no cost is called Caps ({named}); this is another game")
    notes.reading(f"The only cost of the game system is called {types[0].name[:40]}: read as Caps.")
    return frozenset({types[0].get("id")})


def _battle(files: Files, forces: tuple[Node, ...], notes: Notes) -> Node | None:
    for force in forces:
        if fold(force.name) == BATTLE_MODE:
            return force
    if not forces:
        notes.reading("The files name no force: everything that is not hidden is read as Battle Mode's.")
        return None
    if len(forces) == 1:
        notes.reading(f"The only force is called {forces[0].name[:40]}: read as Battle Mode.")
        return forces[0]
    named = ", ".join(force.name[:40] for force in forces[:6])
    raise UnreadableEdition(f"{files.system.file}: none of the forces is called Battle Mode ({named})")


def _check_links(index: Index, notes: Notes) -> None:
    """Note every id that leads nowhere, and every link whose name is not that of what it leads to."""
    for holder in _all(index.files):
        for node in (*holder.traits, *holder.children):
            if node.tag == "entryLink":
                _check_entry_link(node, index, notes)
            elif node.tag == "catalogueLink" and node.get("targetId") not in index.by_id:
                notes.doubt(node, f"the upload does not hold this catalogue (id {node.get('targetId')[:40]})")
            elif node.tag == "categoryLink" and node.get("targetId") not in index.by_id:
                notes.doubt(node, f"its category is in no file (id {node.get('targetId')[:40]})", holder.name)
            elif node.tag == "condition" and not (
                node.get("childId") in index.by_id or node.get("childId") in _GENERAL
            ):
                notes.doubt(node, "a condition names this id, which no file has", f"id {node.get('childId')[:40]}")
            elif node.tag == "cost" and (node.get("typeId") or node.get("costTypeId")) not in index.by_id:
                notes.doubt(node, "its cost is of a kind that no file has; counted if it is called Caps", holder.name)


def _check_entry_link(link: Node, index: Index, notes: Notes) -> None:
    target = index.target(link)
    if target is None:
        notes.left_out(link, f"the link leads to an id that no file has ({link.get('targetId')[:40]})")
        return
    if any(_is_caps(node, index) and node.get("value").strip(" 0.") for node in link.each("cost")):
        notes.doubt(link, "the link has a cost of its own, which is not counted")
    if (
        link.name != target.name
        and loose(without_sorting(link.name)) != loose(without_sorting(target.name))
        and link.name
    ):
        notes.doubt(link, f"the link leads to {target.name[:80]}, which is called otherwise")
