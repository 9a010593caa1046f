"""Lots drawn from a stored seed: the same on every machine, and easy to redraw in any language.

Hashes stand in for a random generator, so that nobody needs Python's to check a round.
"""

import hashlib
import json
import struct

import numpy as np
from numpy.typing import NDArray


def lot(seed: int, *names: str | int) -> int:
    """One lot, 0 to 2^64 - 1, for what the names say, whatever else is drawn from this seed.

    The first eight bytes, most significant first, of SHA-256 over the compact JSON array ``[seed, *names]``.
    """
    return int.from_bytes(hashlib.sha256(_text(seed, *names)).digest()[:8], "big")


def lots(count: int, seed: int, *names: str | int) -> tuple[int, ...]:
    """That many lots of 32 bits: SHAKE-256 over the same text, read as big-endian words in order."""
    return struct.unpack(f">{count}I", _words(count, seed, *names))


def lot_grid(rows: int, columns: int, seed: int, *names: str | int) -> NDArray[np.uint32]:
    """The same lots row by row."""
    return np.frombuffer(_words(rows * columns, seed, *names), dtype=">u4").reshape(rows, columns)


def _words(count: int, seed: int, *names: str | int) -> bytes:
    return hashlib.shake_256(_text(seed, *names)).digest(4 * count)


def _text(seed: int, *names: str | int) -> bytes:
    return json.dumps([seed, *names], separators=(",", ":")).encode("ascii")
