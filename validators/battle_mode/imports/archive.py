"""A ``.rosz``: a zip with one roster in it, unpacked in memory within a budget of bytes.

Nothing in the archive is believed: not its sizes, not its number of entries, not its paths. Nothing is written to disk.
"""

import io
import stat
import zipfile
import zlib

from validators.contract import UnreadableForce
from validators.strict_json import MOST_BYTES

MOST_ENTRIES = 20
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


def is_archive(data: bytes) -> bool:
    """Whether this is a zip, by its first bytes."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpacked(data: bytes) -> bytes:
    """The one ``.ros`` of an archive. Raises UnreadableForce."""
    # Counted before zipfile makes an object of each: it needs one of these marks for every entry.
    if data.count(_CENTRAL_ENTRY) > MOST_ENTRIES:
        raise UnreadableForce(f"the archive: more than {MOST_ENTRIES} entries; a .rosz holds one roster")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read(archive, _the_roster(archive))
    except _BROKEN as fault:
        raise UnreadableForce("the archive: damaged, it cannot be unpacked") from fault


def _the_roster(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    rosters = [
        info
        for info in archive.infolist()
        if info.filename.casefold().endswith(".ros") and not info.filename.startswith("__MACOSX/")
    ]
    if not rosters:
        raise UnreadableForce("the archive: holds no .ros file")
    if len(rosters) > 1:
        raise UnreadableForce(f"the archive: holds {len(rosters)} rosters; save one force as one file")
    (info,) = rosters
    parts = info.filename.replace("\\", "/").split("/")
    link = stat.S_ISLNK(info.external_attr >> 16)
    if link or ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise UnreadableForce("the archive: the roster's path leads out of the archive")
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableForce("the archive: encrypted; save it without a password")
    if info.compress_type not in _METHODS:
        raise UnreadableForce("the archive: packed by a method that no roster program uses")
    if info.file_size > MOST_BYTES:
        raise _too_large()
    return info


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The entry, never more than the budget and a byte of it, whatever size it claims."""
    with archive.open(info) as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _too_large()
    return data


def _too_large() -> UnreadableForce:
    return UnreadableForce(f"the archive: unpacks to more than {MOST_BYTES} bytes")
