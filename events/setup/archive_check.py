"""Whose an archive is, if it is unchanged, and if its standings follow from its games: calculated, not believed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

import migrations
from events.setup.archive import final_standings
from events.setup.archive_file import Archive, ChangedArchive, UnreadableArchive, read_archive
from events.setup.archive_import import import_event
from events.setup.archive_upgrade import ONE_AT_A_TIME, database_at
from events.setup.signing import fingerprint
from events.standings.queries import standings_of
from events.standings.statistics_figures import Played
from events.standings.statistics_queries import played_games
from events.store.errors import Refused
from events.tournament.ranking import Row
from languages.words import N_, gettext, ngettext
from models.db import write


@dataclass(frozen=True)
class Calculated:
    """What the games of an archive give."""

    stated: Sequence[dict[str, Any]]
    """The final standings, as archives state them: only of a closed event of single players."""
    rows: Sequence[Row]
    """The same with all figures."""
    games: Sequence[Played]
    """The games that were played and confirmed, in order; their players are the ids of the rows."""


@dataclass(frozen=True)
class ArchiveCheck:
    """The outcome: a word for scripts, and sentences."""

    result: str
    """"signed", "unsigned", "changed", "foreign" (another key), "different" (standings) or "unreadable"."""
    lines: Sequence[str]
    archive: Archive | None = None
    """None: unreadable or changed."""
    calculated: Calculated | None = None

    @property
    def status(self) -> int:
        """The exit status: 0 if all is as it should be, 2 if the file cannot be read, else 1."""
        return {"signed": 0, "unreadable": 2}.get(self.result, 1)


def check_archive(data: bytes, wanted: str = "") -> ArchiveCheck:
    """Check an archive; ``wanted`` is the fingerprint of the expected key, "" for none."""
    try:
        archive = read_archive(data)
        computed = _computed(archive)
    except UnreadableArchive as unreadable:
        return ArchiveCheck("changed" if isinstance(unreadable, ChangedArchive) else "unreadable", unreadable.faults)
    except Refused as refused:
        return ArchiveCheck("unreadable", [refused.message])
    follow = computed.stated == list(archive.standings)
    result = "signed" if archive.key else "unsigned"
    if archive.key and wanted and fingerprint(archive.key) != wanted:
        result = "foreign"
    if not follow:
        result = "different"
    lines = [_whose(archive, wanted), *_about(archive), _standings(archive, computed.stated)]
    return ArchiveCheck(result, lines, archive, computed)


def _whose(archive: Archive, wanted: str) -> str:
    if not archive.key:
        return gettext("Nobody signed it: anyone can have made or changed it.")
    mark = fingerprint(archive.key)
    text = N_("Signed with the key %(key)s.")
    if archive.address:
        text = N_("Signed with the key %(key)s, as of %(address)s.")
    signed = gettext(text, key=mark, address=archive.address)
    if not wanted:
        then = gettext("Unchanged since. Compare the key with the club’s: a file can name any address.")
    elif mark != wanted:
        then = gettext("That is not the key that you expect, %(wanted)s.", wanted=wanted)
    else:
        then = gettext("It is the key that you expect, and the file is unchanged since.")
    return f"{signed} {then}"


def _about(archive: Archive) -> list[str]:
    event, rows = archive.event, archive.rows
    games = sum(game["b_id"] is not None for game in rows["game"])
    what = gettext(
        "%(event)s, %(day)s: %(players)s, %(games)s",
        event=event["name"],
        day=event["starts_on"],
        players=ngettext("%(num)s player", "%(num)s players", len(rows["player"])),
        games=ngettext("%(num)s game", "%(num)s games", games),
    )
    made = N_("Made %(at)s UTC by Overseer %(version)s, whole.")
    if archive.level == "publication":
        made = N_("Made %(at)s UTC by Overseer %(version)s, for publication, without persons.")
    return [what, gettext(made, at=f"{archive.at:%Y-%m-%d %H:%M}", version=archive.product)]


def _standings(archive: Archive, computed: Sequence[Any]) -> str:
    if not archive.standings and not computed:
        return gettext("It states no final standings.")
    wrong = [row for row in computed if row not in archive.standings]
    if wrong:
        named = [gettext("%(name)s is %(rank)s", name=entry["name"], rank=entry["rank"]) for entry in wrong[:5]]
        return gettext("The standings that it states do not follow from its games: %(names)s.", names=", ".join(named))
    if len(computed) != len(archive.standings):
        return gettext("The standings that it states do not follow from its games: others are listed.")
    return gettext("The standings that it states follow from its games.")


def _computed(archive: Archive) -> Calculated:
    """What follows from the games, by importing the event into an empty database in memory."""
    with ONE_AT_A_TIME, database_at(migrations.head()) as (engine, _), Session(engine) as session:
        with write(session, archive.at) as s:
            event = import_event(s, archive, None, "verify", archive.at)
        stated = final_standings(session, event)
        rows = standings_of(session, event).of_players() if stated else []
        return Calculated(stated, rows, [*played_games(session, event)])
