"""A ``.rosz``: a zip with one roster in it, unpacked in memory within a budget of bytes."""

import zipfile

from validators.battle_mode import bounded_zip
from validators.contract import UnreadableForce
from validators.strict_json import MOST_BYTES

MOST_ENTRIES = 20

is_archive = bounded_zip.is_archive


def unpacked(data: bytes) -> bytes:
    """The one ``.ros`` of an archive. Raises UnreadableForce."""
    try:
        with bounded_zip.opened(data, MOST_ENTRIES, "a .rosz holds one roster") as archive:
            return bounded_zip.read(archive, _the_roster(archive), MOST_BYTES)
    except bounded_zip.BadArchive as fault:
        raise UnreadableForce(f"the archive: {fault}") from fault


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
    return bounded_zip.checked(rosters[0], "roster", MOST_BYTES)
