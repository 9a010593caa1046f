"""Archives from outside, unpacked in memory within a budget of bytes.

Nothing in an archive is believed: not its sizes, not its number of entries, not its paths. Nothing is written to disk.
"""

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

_CENTRAL_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""All that zipfile is known to raise over a damaged archive."""


class BadArchive(Exception):
    """What is wrong with the archive, as the end of a sentence about it."""


def is_archive(data: bytes) -> bool:
    """Whether this is a zip, by its first bytes."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


@contextmanager
def opened(data: bytes, most_entries: int, holds: str) -> Iterator[zipfile.ZipFile]:
    """The archive, for as long as the block lasts; ``holds`` says what such an archive holds. Raises BadArchive."""
    # Counted before zipfile makes an object of each: it needs one of these marks for every entry.
    if data.count(_CENTRAL_ENTRY) > most_entries:
        raise BadArchive(f"more than {most_entries} entries; {holds}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except _BROKEN as fault:
        raise BadArchive("damaged, it cannot be unpacked") from fault


def checked(info: zipfile.ZipInfo, kind: str, most_bytes: int) -> zipfile.ZipInfo:
    """An entry that may be read; ``kind`` is the wanted file in a word. Raises BadArchive."""
    parts = info.filename.replace("\\", "/").split("/")
    link = stat.S_ISLNK(info.external_attr >> 16)
    if link or ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise BadArchive(f"the {kind}'s path leads out of the archive")
    if info.flag_bits & _ENCRYPTED:
        raise BadArchive("encrypted; save it without a password")
    if info.compress_type not in _METHODS:
        raise BadArchive(f"packed by a method that no {kind} program uses")
    if info.file_size > most_bytes:
        raise too_large(most_bytes)
    return info


def read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most_bytes: int) -> bytes:
    """The entry, never more than the budget and a byte of it, whatever size it claims. Raises BadArchive."""
    with archive.open(info) as stream:
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise too_large(most_bytes)
    return data


def too_large(most_bytes: int) -> BadArchive:
    """The refusal of what exceeds the budget."""
    return BadArchive(f"unpacks to more than {most_bytes} bytes")
