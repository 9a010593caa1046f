"""Names of the lists: when two are the same, and which are near to each other."""

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
