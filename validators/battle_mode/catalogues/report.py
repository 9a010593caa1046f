"""What an import of catalogues says of itself: what was left out, and what is doubtful, each with its place."""

from collections.abc import Mapping
from dataclasses import dataclass

from validators.battle_mode.catalogues.tree import Node
from validators.names import fold

MOST_NOTES = 500
"""Of each sort; a file in which more is wrong needs another look first."""


@dataclass(frozen=True)
class Note:
    """One thing that the report says: its name in the catalogue, a sentence, the file and the line (0: no one line)."""

    name: str
    says: str
    file: str = ""
    line: int = 0

    def as_text(self) -> str:
        """The note in one line, its place last."""
        place = f" ({self.file}, line {self.line})" if self.line else f" ({self.file})" if self.file else ""
        return f"{self.name}: {self.says}{place}"


@dataclass(frozen=True)
class CatalogueReport:
    """Counts of what was understood, and a note for everything else.

    ``factions`` counts the models of each. ``readings`` tell how the files were read as a whole. ``more`` counts what
    there was no room for.
    """

    factions: Mapping[str, int]
    items: int
    mods: int
    perks: int
    leader_cards: int
    readings: tuple[str, ...]
    left_out: tuple[Note, ...]
    doubts: tuple[Note, ...]
    more: int = 0


class Notes:
    """The notes as they are collected, each once and in order."""

    def __init__(self) -> None:
        self._left_out: dict[Note, None] = {}
        self._doubts: dict[Note, None] = {}
        self._readings: dict[str, None] = {}
        self._names: set[str] = set()

    def left_out(self, node: Node, says: str, name: str = "") -> None:
        """Something that is not in the edition, and why."""
        note = _note(node, says, name)
        self._left_out.setdefault(note)
        self._names.add(fold(note.name))

    def left_out_file(self, file: str, says: str) -> None:
        """A file that was not read, and why."""
        self._left_out.setdefault(Note(file, says))

    def doubt(self, node: Node, says: str, name: str = "") -> None:
        """Something that is in the edition and may be wrong."""
        self._doubts.setdefault(_note(node, says, name))

    def reading(self, sentence: str) -> None:
        """How the files as a whole were read."""
        self._readings.setdefault(sentence)

    @property
    def readings(self) -> list[str]:
        """What was said of the files as a whole."""
        return list(self._readings)

    def tells(self, folded: str) -> bool:
        """Whether something of this folded name was left out already."""
        return folded in self._names

    def told(self, document: Mapping[str, list[dict[str, list[object]]]], counts: Mapping[str, int]) -> CatalogueReport:
        """The report on this edition."""
        kept = [tuple(notes)[:MOST_NOTES] for notes in (self._left_out, self._doubts)]
        return CatalogueReport(
            factions={str(f["name"]): len(f["models"]) for f in document["factions"]},
            items=counts["items"],
            mods=counts["mods"],
            perks=counts["perks"],
            leader_cards=counts["leader_cards"],
            readings=tuple(self._readings),
            left_out=kept[0],
            doubts=kept[1],
            more=len(self._left_out) + len(self._doubts) - len(kept[0]) - len(kept[1]),
        )


def _note(node: Node, says: str, name: str) -> Note:
    return Note((name or node.name or node.get("id") or node.tag)[:80], says, node.file, node.line)
