"""Catalogues as a tree of the tags that an edition is made of; profiles, rules and texts are dropped as they come."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from validators.battle_mode.bounded_xml import BadXml, Bounds, feed_with_lines

DEEPEST_TAG = 100
"""Tags inside tags; published catalogues have about thirty."""
_LISTS = {
    "selectionEntries": "",
    "sharedSelectionEntries": "shared",
    "selectionEntryGroups": "",
    "sharedSelectionEntryGroups": "shared",
    "entryLinks": "",
    "categoryEntries": "",
    "categoryLinks": "",
    "forceEntries": "",
    "costTypes": "",
    "costs": "",
    "constraints": "",
    "modifiers": "",
    "modifierGroups": "",
    "conditions": "",
    "conditionGroups": "",
    "catalogueLinks": "",
    "repeats": "",
}
"""Tags that only hold a list: looked through."""
_KEPT = {
    "gameSystem", "catalogue", "selectionEntry", "selectionEntryGroup", "entryLink", "categoryEntry", "categoryLink",
    "forceEntry", "costType", "cost", "constraint", "modifier", "modifierGroup", "condition", "conditionGroup",
    "catalogueLink", "repeat",
}  # fmt: skip
_TRAITS = {"constraint", "cost", "categoryLink", "modifier", "modifierGroup"}
"""What says something of the tag that it is in; the others are what that tag holds, often thousands."""
_CONDITIONAL = {"modifier", "modifierGroup", "conditionGroup"}
_HARMLESS = {"comment", "profiles", "rules", "infoLinks"}
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
UNKNOWN = "?"
"""The tag of what stands in a modifier and is not known here: its condition cannot be judged."""


@dataclass(eq=False, slots=True)
class Node:
    """One tag: its name, attributes, where it stands, what is said of it (``traits``) and what it holds. Not changed
    once it is read.
    """

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    shared: bool = False
    traits: "list[Node]" = field(default_factory=list)
    children: "list[Node]" = field(default_factory=list)

    def get(self, key: str) -> str:
        """An attribute, "" where there is none."""
        return self.attributes.get(key, "")

    @property
    def name(self) -> str:
        """The start of its name, with single spaces, for sentences."""
        return " ".join(self.get("name")[:120].split())[:80]

    def each(self, *tags: str) -> "Iterator[Node]":
        """The tags of these names directly in it: either all traits or none."""
        return (node for node in (self.traits if tags[0] in _TRAITS else self.children) if node.tag in tags)

    def everything(self) -> "Iterator[Node]":
        """The node and all below it, in the file's order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))
            waiting.extend(reversed(node.traits))


def read_tree(file: str, data: bytes, bounds: Bounds) -> Node:
    """The bytes of a game system or a catalogue to its tree. Raises BadXml."""
    collectors: list[_Collector] = []

    def make(line: Callable[[], int]) -> _Collector:
        collectors.append(_Collector(file, line))
        return collectors[0]

    feed_with_lines(data, make, bounds)
    root = collectors[0].root
    if root is None:
        raise BadXml("no tag stands in it")
    return root


class _Collector:
    """The parser's target."""

    def __init__(self, file: str, line: Callable[[], int]) -> None:
        self.root: Node | None = None
        self._file = file
        self._line = line
        self._open: list[Node] = []
        self._tags: list[str] = []
        """For each open tag its name if it stands in ``_open``, "" if it is a list."""
        self._dropped = 0
        """How deep inside a tag that is not kept."""
        self._shared = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """A tag opens."""
        name = tag.rpartition("}")[2]
        if len(self._tags) + self._dropped > DEEPEST_TAG:
            raise BadXml("nested too deeply")
        if self.root is None and name == "roster":
            raise BadXml("a roster, no catalogue; it is read where a player's list is handed in")
        if self.root is None and name not in ("gameSystem", "catalogue"):
            raise BadXml(f"its outermost tag is <{name[:40]}>; a catalogue's is <catalogue> or <gameSystem>")
        if self._dropped:
            self._dropped += 1
        elif name in _LISTS:
            self._tags.append("")
            self._shared += _LISTS[name] == "shared"
        elif name in _KEPT:
            self._keep(name, attributes)
            self._tags.append(name)
        else:
            self._dropped = 1
            if self._open and self._open[-1].tag in _CONDITIONAL and name not in _HARMLESS:
                self._open[-1].children.append(Node(UNKNOWN, {}, self._file, self._line()))

    def end(self, tag: str) -> None:
        """A tag closes."""
        if self._dropped:
            self._dropped -= 1
        elif self._tags.pop():
            self._open.pop()
        else:
            self._shared -= _LISTS[tag.rpartition("}")[2]] == "shared"

    def data(self, text: str) -> None:
        """Text between tags: all that is used stands in attributes."""

    def close(self) -> None:
        """The file ends."""

    def _keep(self, name: str, attributes: dict[str, str]) -> None:
        at_root = len(self._open) == 1
        attributes = {key: value if value.isprintable() else _plain(value) for key, value in attributes.items()}
        node = Node(name, attributes, self._file, self._line(), shared=at_root and self._shared > 0)
        if self._open:
            (self._open[-1].traits if name in _TRAITS else self._open[-1].children).append(node)
        else:
            self.root = node
        self._open.append(node)


def _plain(text: str) -> str:
    """Text that can be shown: marks of direction and of no width taken out, control characters made visible."""
    return _CONTROL.sub("\ufffd", _INVISIBLE.sub("", text))
