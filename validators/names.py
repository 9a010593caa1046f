"""Names of the lists, a game's words for its things, and numbers in messages."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache


@lru_cache(maxsize=16384)
def fold(name: str) -> str:
    """A name without the differences of case and spacing."""
    return " ".join(name.split()).casefold()


MOST_SEARCHED = 10
"""Unknown names for which one rule searches near names, in one list: each search takes milliseconds."""


class NearNames:
    """Suggestions for unknown names. Only the first few names are searched for; the others get no suggestion."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def nearest(self, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """Known names near to this one, nearest first; none after the first ten different names."""
        if len(self._names) < MOST_SEARCHED:
            self._names.add(name)
        return nearest(name, known) if name in self._names else ()


@lru_cache(maxsize=8192)
def nearest(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Up to three of the known names that are near to this one, nearest first; none where none is near."""
    by_key = {fold(k): k for k in known}
    return tuple(by_key[key] for key in get_close_matches(fold(name), by_key, n=3, cutoff=0.6))


def shown(value: int) -> str:
    """A number for a message; one of thousands of digits is not written out."""
    return str(value) if abs(value) < 10**9 else "a number far too large"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: "1 heavy weapon", "2 heavy weapons", and with ``nouns`` "2 heroes"."""
    return f"{number} {noun}" if number == 1 else f"{number} {nouns or noun + 's'}"


@dataclass(frozen=True)
class Words:
    """What a game calls its things, in lower case."""

    force: str = "force"
    forces: str = "forces"
    faction: str = "faction"
    others: tuple[str, ...] = ()
    """Programs whose force files and texts are read, in addition to the service's own file."""

    @property
    def factions(self) -> str:
        """More than one: "factions", "origins"."""
        return f"{self.faction}s"

    @property
    def a_force(self) -> str:
        """With its article: "a force", "an army"."""
        return f"{'an' if self.force[0] in 'aeiou' else 'a'} {self.force}"
