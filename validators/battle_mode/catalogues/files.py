"""The uploaded files of one edition, unpacked and parsed: one game system and its catalogues.

What a file is, is told by what stands in it. All files together share one budget of bytes and of tags.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from validators.battle_mode import bounded_zip
from validators.battle_mode.bounded_xml import BadXml, Bounds
from validators.battle_mode.bounded_zip import BadArchive
from validators.battle_mode.catalogues.report import Notes
from validators.battle_mode.catalogues.tree import Node, read_tree
from validators.contract import UnreadableEdition

MOST_BYTES = 8_000_000
"""All files together, unpacked: the published ones are about two."""
MOST_TAGS = 80_000
MOST_FILES = 100
_MOST_ENTRIES = 300
_KIND = "catalogue"
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


@dataclass
class _Budget:
    """What may still be read."""

    left: int = MOST_BYTES
    found: dict[str, bytes] = field(default_factory=dict)


def read_files(files: Sequence[tuple[str, bytes]], notes: Notes) -> Files:
    """Uploaded names and bytes to trees. Raises UnreadableEdition: broken, hostile, not of one game system."""
    budget = _Budget()
    for name, data in files:
        _unpack(_shown(name), data, budget, notes)
    if not budget.found:
        rosters = [_shown(name) for name, _ in files if name.casefold().endswith((".ros", ".rosz"))]
        if rosters:
            raise UnreadableEdition(
                f"{rosters[0]}: a roster, no catalogue; it is read where a player's list is handed in"
            )
        raise UnreadableEdition("the upload: holds no .gst or .cat file")
    _check_sizes(budget.found)
    trees = [_tree(name, data) for name, data in sorted(budget.found.items())]
    systems = [tree for tree in trees if tree.tag == "gameSystem"]
    catalogues = tuple(tree for tree in trees if tree.tag == "catalogue")
    if not systems:
        raise UnreadableEdition("the upload: no game system file (.gst) is among the files; the catalogues need theirs")
    if len(systems) > 1:
        named = ", ".join(f"{system.name} ({system.file})" for system in systems[:4])
        raise UnreadableEdition(f"the upload: {len(systems)} game systems ({named}); an edition is of one")
    _check_family(systems[0], catalogues)
    return Files(systems[0], catalogues)


def _unpack(name: str, data: bytes, budget: _Budget, notes: Notes, depth: int = 0) -> None:
    """Put the catalogues of one file into the budget's ``found``, a zip's and those zipped singly in a zip too."""
    if not bounded_zip.is_archive(data):
        _add(name, data, budget)
        return
    if depth > 1:
        raise UnreadableEdition(f"{name}: an archive in an archive in an archive")
    try:
        with bounded_zip.opened(data, _MOST_ENTRIES, "an edition has fewer files") as archive:
            for info in archive.infolist():
                entry = _shown(info.filename)
                if info.is_dir() or info.filename.startswith("__MACOSX/"):
                    continue
                if not info.filename.casefold().endswith(_WANTED):
                    notes.left_out_file(entry, "neither a game system nor a catalogue")
                    continue
                info = bounded_zip.checked(info, _KIND, budget.left)
                inner = bounded_zip.read(archive, info, budget.left)
                budget.left -= len(inner)
                _unpack(entry, inner, budget, notes, depth + 1)
    except BadArchive as fault:
        raise UnreadableEdition(f"{name}: the archive: {fault}") from fault


def _add(name: str, data: bytes, budget: _Budget) -> None:
    if len(budget.found) >= MOST_FILES:
        raise UnreadableEdition(f"the upload: more than {MOST_FILES} catalogues")
    if name in budget.found:
        raise UnreadableEdition(f"{name}: two files have this name")
    budget.found[name] = data


def _check_sizes(found: dict[str, bytes]) -> None:
    """Refuse what would cost much before anything of it is parsed."""
    if sum(map(len, found.values())) > MOST_BYTES:
        raise UnreadableEdition(f"the files: together more than {MOST_BYTES} bytes")
    if sum(data.count(b"<") for data in found.values()) > 2 * MOST_TAGS:
        raise UnreadableEdition(f"the files: together more than {MOST_TAGS} tags, which no edition has")


def _tree(name: str, data: bytes) -> Node:
    try:
        return read_tree(name, data, Bounds(_KIND, MOST_BYTES, MOST_TAGS))
    except BadXml as fault:
        raise UnreadableEdition(f"{name}: {fault}") from fault


def _check_family(system: Node, catalogues: tuple[Node, ...]) -> None:
    """Every catalogue is of this game system, and none is there twice."""
    if not system.get("id"):
        raise UnreadableEdition(f"{system.file}: the game system has no id")
    if not catalogues:
        raise UnreadableEdition("the upload: no catalogue (.cat) is among the files; a game system has no factions")
    faults = [
        f"{catalogue.file}: {catalogue.name or 'the catalogue'} is made for another game system "
        f"({catalogue.get('gameSystemId')[:40] or 'none named'}) than {system.name} ({system.get('id')[:40]})"
        for catalogue in catalogues
        if catalogue.get("gameSystemId") != system.get("id")
    ]
    seen: dict[str, Node] = {}
    for catalogue in catalogues:
        first = seen.setdefault(catalogue.get("id"), catalogue)
        if first is not catalogue:
            faults.append(f"{catalogue.file}: the same catalogue as {first.file}, by its id; upload one of them")
        if not catalogue.get("id"):
            faults.append(f"{catalogue.file}: the catalogue has no id")
    if faults:
        raise UnreadableEdition(*faults[:20])


def _shown(path: str) -> str:
    """A file's own name as it is shown: without folders, short, and of plain signs."""
    return _UNPRINTABLE.sub("?", path.replace("\\", "/").rpartition("/")[2])[-60:] or "the file"
