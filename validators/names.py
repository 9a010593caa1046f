"""Names of the lists: when two are the same, and which are near to each other."""

from difflib import get_close_matches
from functools import lru_cache


@lru_cache(maxsize=16384)
def fold(name: str) -> str:
    """A name without the differences of case and spacing."""
    return " ".join(name.split()).casefold()


@lru_cache(maxsize=8192)
def nearest(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Up to three of the known names that are near to this one, nearest first; none where none is near."""
    by_key = {fold(k): k for k in known}
    return tuple(by_key[key] for key in get_close_matches(fold(name), by_key, n=3, cutoff=0.6))
