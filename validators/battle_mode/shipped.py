"""The editions that ship, read from the files in ``data``; data/SOURCES.md says where their figures are from."""

from collections.abc import Mapping

from validators.battle_mode.edition import DATA, Edition
from validators.battle_mode.edition_file import read_edition

EDITIONS: Mapping[str, Edition] = {
    edition.id: edition
    for edition in sorted(
        (read_edition(path.read_bytes()) for path in DATA.glob("edition_*.json")),
        key=lambda edition: (not edition.partial, edition.date),
        reverse=True,
    )
}
"""Every edition that ships, by id: the whole ones first, of those the newest first."""
