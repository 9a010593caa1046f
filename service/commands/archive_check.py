"""What ``overseer verify`` says of an archive: whose it is, if it is unchanged, and if its standings follow."""

import http.client
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from sqlmodel import Session

import migrations
from events.play.errors import Refused
from events.setup.archive import final_standings
from events.setup.archive_file import Archive, UnreadableArchive, read_archive
from events.setup.archive_import import import_event
from events.setup.signing import fingerprint
from models.db import open_in_memory, write
from validators.names import counted

SECONDS = 10
MOST_BYTES = 10_000
KEY_PATH = "/.well-known/overseer-key.json"
TOUCHED = ("sha256: does not match", "signature: does not fit")
"""The beginnings of faults of a file that was changed."""


@dataclass(frozen=True)
class ArchiveCheck:
    """The outcome: a word for scripts, and sentences."""

    result: str
    """"signed", "unsigned", "changed", "foreign" (another key), "different" (standings) or "unreadable"."""
    lines: Sequence[str]

    @property
    def status(self) -> int:
        """The exit status: 0 if all is as it should be, 2 if the file cannot be read, else 1."""
        return {"signed": 0, "unreadable": 2}.get(self.result, 1)


def checked_archive(data: bytes, key: str) -> ArchiveCheck:
    """Check an archive; ``key`` is the expected fingerprint or the club's address, "" for none."""
    try:
        archive = read_archive(data)
        computed = _computed(archive)
        wanted = _wanted(key)
    except UnreadableArchive as unreadable:
        touched = any(fault.startswith(TOUCHED) for fault in unreadable.faults)
        return ArchiveCheck("changed" if touched else "unreadable", unreadable.faults)
    except (Refused, OSError, ValueError, KeyError, http.client.HTTPException) as failed:
        words = failed.message if isinstance(failed, Refused) else f"{key} gives no key ({type(failed).__name__})"
        return ArchiveCheck("unreadable", [words])
    follow = computed == list(archive.standings)
    result = "signed" if archive.key else "unsigned"
    if archive.key and wanted and fingerprint(archive.key) != wanted:
        result = "foreign"
    if not follow:
        result = "different"
    return ArchiveCheck(result, [_whose(archive, wanted), *_about(archive), _standings(archive, computed)])


def _whose(archive: Archive, wanted: str) -> str:
    if not archive.key:
        return "Nobody signed it: anyone can have made or changed it."
    mark = fingerprint(archive.key)
    whose = f"Signed with the key {mark}" + (f", as of {archive.address}" if archive.address else "")
    if not wanted:
        return f"{whose}, and unchanged since. Compare the key with the club’s: a file can name any address."
    if mark != wanted:
        return f"{whose}. That is not the key that you expect, {wanted}."
    return f"{whose}, which is the key that you expect, and unchanged since."


def _about(archive: Archive) -> list[str]:
    event, rows = archive.event, archive.rows
    games = sum(game["b_id"] is not None for game in rows["game"])
    what = f"{event['name']}, {event['starts_on']}: {counted(len(rows['player']), 'player')}, {counted(games, 'game')}"
    return [what, f"Made {archive.at:%Y-%m-%d %H:%M} UTC by Overseer {archive.product}, {WORDS[archive.level]}."]


WORDS = {"whole": "whole", "publication": "for publication, without persons"}


def _standings(archive: Archive, computed: Sequence[Any]) -> str:
    if not archive.standings and not computed:
        return "It states no final standings."
    wrong = [f"{one['name']} is {one['rank']}" for one in computed if one not in archive.standings]
    if wrong or len(computed) != len(archive.standings):
        return (
            f"The standings that it states do not follow from its games: {', '.join(wrong[:5]) or 'others are listed'}."
        )
    return "The standings that it states follow from its games."


def _computed(archive: Archive) -> list[dict[str, Any]]:
    """The final standings, by importing the event into an empty database in memory."""
    engine, now = open_in_memory(), datetime.now(UTC)
    try:
        migrations.upgrade(engine)
        with Session(engine) as session:
            with write(session, now) as s:
                event = import_event(s, archive, None, "verify", now)
            return final_standings(session, event)
    finally:
        engine.dispose()


def _wanted(key: str) -> str:
    """The fingerprint that a key or an address means. Raises OSError, ValueError or KeyError."""
    if not key.startswith("https://"):
        return key.strip().lower()
    url = urlsplit(key)
    with closing(http.client.HTTPSConnection(url.netloc, timeout=SECONDS)) as connection:
        connection.request("GET", KEY_PATH)
        return fingerprint(json.loads(connection.getresponse().read(MOST_BYTES))["key"])
