"""The uploaded files of one edition, unpacked and parsed to trees, and the notes of an import.

A file's kind is decided by its content. All files together share one budget of bytes and of tags. Profiles, rules and
texts are dropped while reading.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from languages.stated import Stated, stated, strung
from languages.words import gettext, listed, noted
from validators.battle_mode import bounded_files
from validators.battle_mode.bounded_files import BadFile, Tree
from validators.contract import UnreadableEdition
from validators.editions import EditionNote, EditionReport
from validators.faults import Fault
from validators.names import fold

DEEPEST_TAG = 100
"""The deepest nesting of tags; published catalogues have about thirty levels."""
MOST_BYTES = 8_000_000
"""The most bytes of all unpacked files together; the published ones have about two million."""
MOST_TAGS = 80_000
_SHARED = {"sharedSelectionEntries", "sharedSelectionEntryGroups"}
_LISTS = _SHARED | {
    "selectionEntries", "selectionEntryGroups", "entryLinks", "categoryEntries", "categoryLinks", "forceEntries",
    "costTypes", "costs", "constraints", "modifiers", "modifierGroups", "conditions", "conditionGroups",
    "catalogueLinks", "repeats",
}  # fmt: skip
"""Tags that only hold a list; their children belong to the parent."""
_KEPT = {
    "gameSystem", "catalogue", "selectionEntry", "selectionEntryGroup", "entryLink", "categoryEntry", "categoryLink",
    "forceEntry", "costType", "cost", "constraint", "modifier", "modifierGroup", "condition", "conditionGroup",
    "catalogueLink", "repeat",
}  # fmt: skip
_TRAITS = {"constraint", "cost", "categoryLink", "modifier", "modifierGroup"}
"""Tags that describe their parent. All others are its contents, often thousands."""
_CONDITIONAL = {"modifier", "modifierGroup", "conditionGroup"}
_HARMLESS = {"comment", "profiles", "rules", "infoLinks"}
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_A_ROSTER = noted("this is a roster, not a catalogue: upload it where players enter their lists")
UNKNOWN = "?"
"""The tag for an unknown part of a modifier, whose condition therefore cannot be checked."""


@dataclass(eq=False, slots=True)
class Node:
    """One tag: its name, attributes, position, ``traits`` that describe it, and contents. Not changed after reading."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    shared: bool = False
    traits: "list[Node]" = field(default_factory=list)
    children: "list[Node]" = field(default_factory=list)

    def get(self, key: str) -> str:
        """An attribute; "" if it is missing."""
        return self.attributes.get(key, "")

    @property
    def name(self) -> str:
        """The start of its name, with single spaces, for messages."""
        return " ".join(self.get("name")[:120].split())[:80]

    def each(self, *tags: str) -> "Iterator[Node]":
        """Its direct children with these tags, which are either all traits or all contents."""
        return (node for node in (self.traits if tags[0] in _TRAITS else self.children) if node.tag in tags)

    def says_the_same(self, other: "Node") -> bool:
        """Whether both are one entry copied into two files: equal in themselves and in their direct children."""
        if len(self.traits) != len(other.traits) or len(self.children) != len(other.children):
            return False
        own, others = ((one, *one.traits, *one.children) for one in (self, other))
        pairs = zip(own, others, strict=True)
        return all(a.tag == b.tag and a.attributes == b.attributes for a, b in pairs)

    def everything(self) -> "Iterator[Node]":
        """The node and all below it, in the file's order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))
            waiting.extend(reversed(node.traits))


def read_tree(file: str, data: bytes) -> Node:
    """From the bytes of a game system or a catalogue to its tree. Raises UnreadableEdition."""
    tree = _Tree(file)
    try:
        tree.read(data)
    except BadFile as fault:
        raise UnreadableEdition(fault.of(file)) from fault
    return tree.root


class _Tree(Tree):
    roots = ("catalogue", "gameSystem")
    others: ClassVar = {"roster": _A_ROSTER}
    kept, lists, deepest, most_bytes, most_tags = _KEPT, _LISTS, DEEPEST_TAG, MOST_BYTES, MOST_TAGS
    root: Node

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def _keep(self, name: str, attributes: dict[str, str]) -> Node:
        attributes = {key: value if value.isprintable() else _plain(value) for key, value in attributes.items()}
        shared = len(self.open) == 1 and not _SHARED.isdisjoint(self.tags)
        node = Node(name, attributes, self._file, self.line, shared)
        if self.open:
            (self.open[-1].traits if name in _TRAITS else self.open[-1].children).append(node)
        else:
            self.root = node
        return node

    def _drop(self, name: str) -> None:
        if self.open[-1].tag in _CONDITIONAL and name not in _HARMLESS:
            self.open[-1].children.append(Node(UNKNOWN, {}, self._file, self.line))


def _plain(text: str) -> str:
    """Displayable text: without marks of direction and zero width, with control characters made visible."""
    return _CONTROL.sub("\ufffd", _INVISIBLE.sub("", text))


MOST_NOTES = 500
"""The most notes of each kind; a file with more needs another look first."""


class Notes:
    """The collected notes, each once and in order. ``partial``: the upload lacks a catalogue."""

    def __init__(self) -> None:
        self.partial = False
        self._left_out: dict[str, EditionNote] = {}
        self._doubts: dict[str, EditionNote] = {}
        self.readings: dict[str, Stated] = {}
        self.names: set[str] = set()
        """The folded names of what is left out."""

    def left_out(self, node: Node, says: Stated, name: str = "") -> None:
        """Note something that is missing from the edition, and why."""
        note = _note(node, says, name, "left_out")
        self._left_out.setdefault(repr(note), note)
        self.names.add(fold(note.name))

    def left_out_file(self, file: str, says: Stated) -> None:
        """Note a file that was not read, and why."""
        note = EditionNote(file, says)
        self._left_out.setdefault(repr(note), note)

    def doubt(self, node: Node, says: Stated, name: str = "", question: str = "", models: tuple[str, ...] = ()) -> None:
        """Note something in the edition that may be wrong; ``question`` is the id of the question about it.

        ``models`` are those that an answer concerns.
        """
        note = replace(_note(node, says, name, question), models=models)
        self._doubts.setdefault(repr(note), note)

    def reading(self, sentence: Stated) -> None:
        """Note how the files as a whole were read."""
        self.readings.setdefault(repr(sentence), sentence)

    def report(self, origin: str = "") -> EditionReport:
        """All notes, up to a limit for each kind; ``origin`` is the game system's id."""
        left_out, doubts = (tuple(notes.values())[:MOST_NOTES] for notes in (self._left_out, self._doubts))
        more = len(self._left_out) + len(self._doubts) - len(left_out) - len(doubts)
        return EditionReport(tuple(self.readings.values()), left_out, doubts, more, origin)


def _note(node: Node, says: Stated, name: str, question: str) -> EditionNote:
    return EditionNote((name or node.name or node.get("id") or node.tag)[:80], says, node.file, node.line, question)


MOST_CAPS = 9_999


@dataclass(frozen=True)
class NoCost:
    """Why an entry's cost in Caps is unknown: what is written as its cost, which may be several or nothing."""

    written: tuple[str, ...]

    @property
    def said(self) -> Stated:
        """The reason, to be stored."""
        if not self.written:
            return stated("has no cost in Caps")
        if len(self.written) > 1:
            return stated("has several costs in Caps (%(costs)s)", costs=strung(self.written))
        text = noted("costs “%(cost)s” Caps, which is no whole number of 0 to %(most)s")
        return stated(text, cost=self.written[0][:20], most=MOST_CAPS)


MOST_FILES = 100
_MOST_ENTRIES = 300
_WANTED = (".gst", ".cat", ".gstz", ".catz")
_UNPRINTABLE = re.compile(r"[^\w .()&',+\-]")


@dataclass(frozen=True)
class Files:
    """The trees of one edition: its game system, and every catalogue in the order of their names."""

    system: Node
    catalogues: tuple[Node, ...]

    @property
    def all(self) -> tuple[Node, ...]:
        """Every tree, the game system first."""
        return (self.system, *self.catalogues)

    def everything(self) -> Iterator[Node]:
        return (node for tree in self.all for node in tree.everything())


def read_files(files: Sequence[tuple[str, bytes]], notes: Notes) -> Files:
    """From uploaded names and bytes to trees. Raises UnreadableEdition: broken, hostile, or not of one game system."""
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for name, data in files:
        left = _unpack(_shown(name), data, found, left, notes)
    if not found:
        rosters = [_shown(name) for name, _ in files if name.casefold().endswith((".ros", ".rosz"))]
        if rosters:
            raise _refused(gettext(_A_ROSTER), rosters[0])
        raise _refused(gettext("there is no .gst or .cat file among the files"))
    # Before any of them is parsed.
    if sum(map(len, found.values())) > MOST_BYTES:
        raise _refused(gettext("together more than %(most)s bytes", most=MOST_BYTES))
    if sum(data.count(b"<") for data in found.values()) > 2 * MOST_TAGS:
        raise _refused(gettext("together more than %(most)s tags", most=MOST_TAGS))
    trees = [read_tree(name, data) for name, data in sorted(found.items())]
    systems = [tree for tree in trees if tree.tag == "gameSystem"]
    catalogues = tuple(tree for tree in trees if tree.tag == "catalogue")
    if not systems:
        raise _refused(gettext("there is no game system file (.gst) among the files, which the catalogues need"))
    if len(systems) > 1:
        named = listed([f"{system.name} ({system.file})" for system in systems[:4]])
        raise _refused(gettext("several game systems: %(names)s; an edition has one", names=named))
    _check_family(systems[0], catalogues)
    return Files(systems[0], catalogues)


def _unpack(name: str, data: bytes, found: dict[str, bytes], left: int, notes: Notes, depth: int = 0) -> int:
    """Add a file's catalogues to those found: those in a zip, and those in zips inside a zip.

    ``left`` bytes may be unpacked; returns how many may be after that.
    """
    if not bounded_files.is_archive(data):
        if len(found) >= MOST_FILES:
            raise _refused(gettext("more than %(most)s catalogues", most=MOST_FILES))
        if name in found:
            raise _refused(gettext("two files have this name"), name)
        found[name] = data
        return left
    if depth > 1:
        raise _refused(gettext("an archive in an archive in an archive"), name)
    try:
        with bounded_files.opened(data, _MOST_ENTRIES) as archive:
            for info in archive.infolist():
                entry = _shown(info.filename)
                if info.is_dir() or info.filename.startswith("__MACOSX/"):
                    continue
                if not info.filename.casefold().endswith(_WANTED):
                    notes.left_out_file(entry, stated("neither a game system nor a catalogue"))
                    continue
                inner = bounded_files.read(archive, info, left)
                left = _unpack(entry, inner, found, left - len(inner), notes, depth + 1)
    except BadFile as fault:
        raise UnreadableEdition(fault.of(name)) from fault
    return left


def _check_family(system: Node, catalogues: tuple[Node, ...]) -> None:
    """Check that every catalogue is of this game system and none occurs twice."""
    if not system.get("id"):
        raise _refused(gettext("the game system has no id"), system.file)
    if not catalogues:
        raise _refused(gettext("there is no catalogue (.cat) among the files; a game system has no factions"))
    another = gettext("made for another game system than %(name)s", name=system.name)
    faults = [
        Fault((), another, file=catalogue.file)
        for catalogue in catalogues
        if catalogue.get("gameSystemId") != system.get("id")
    ]
    seen: dict[str, Node] = {}
    for catalogue in catalogues:
        first = seen.setdefault(catalogue.get("id"), catalogue)
        if first is not catalogue:
            same = gettext("the same catalogue as %(file)s, by its id; upload one of them", file=first.file)
            faults.append(Fault((), same, file=catalogue.file))
        if not catalogue.get("id"):
            faults.append(Fault((), gettext("the catalogue has no id"), file=catalogue.file))
    if faults:
        raise UnreadableEdition(*faults[:20])


def _refused(wrong: str, file: str = "") -> UnreadableEdition:
    return UnreadableEdition(Fault((), wrong, file=file))


def _shown(path: str) -> str:
    """A file name for display: without folders, shortened, in plain characters."""
    return _UNPRINTABLE.sub("?", path.replace("\\", "/").rpartition("/")[2])[-60:] or "the file"
