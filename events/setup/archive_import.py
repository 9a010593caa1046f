"""Import an event from its archive, completely or not at all.

``archive_file`` has checked each column; ``try_out`` checks combinations of rows by calculating all that pages need.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, func
from sqlalchemy import select as select_rows
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, SQLModel, col, select

from events.lists.own import add_edition
from events.setup.archive import columns, tables
from events.setup.archive_file import MOST_FAULTS, Archive, UnreadableArchive
from events.setup.archive_rows import ArchivedEntry
from events.setup.archive_trial import try_out
from events.store.act import Act
from events.store.editions import edition_by_id, own_edition_row, system_by_id, systems_of
from events.store.errors import Refused
from events.store.journal import note
from events.store.scenarios import own_scenario
from events.web.parsing import sheet_code
from languages.message import in_english, message
from languages.words import gettext
from models.capture import store_imported_entries
from models.captured import class_of
from models.event import Event
from models.own import OwnScenario
from models.people import Account
from models.play import Game
from models.staff import Role, Staff
from validators.contract import UnreadableEdition
from validators.game_system import Understood
from validators.scenario import UnreadableScenario

LARGEST_KEPT = 100_000_000
"""Higher ids are replaced, so that no archive can use up the remaining ids."""
DRAWN_BY = ("player", "team")
"""Tables whose ids draws and lots depend on."""
Numbers = Mapping[str, Mapping[int, int]]
"""By table, the new id for each id of the archive."""


def import_event(s: Session, archive: Archive, owner: Account | None, actor: str, now: datetime) -> Event:
    """Store an archive's event; ``owner`` owns it (None: the next organiser who is set up).

    Players and teams keep their ids, because draws depend on them; other rows get new ids if theirs are taken. Raises
    UnreadableArchive for a faulty archive, and Refused for one that cannot be taken in here.
    """
    system = system_by_id(s, archive.event["system"])
    if system is None:
        raise UnreadableArchive(
            gettext("event[0].system: this version does not know the game “%(game)s”", game=archive.event["system"])
        )
    if late := [
        gettext("%(place)s: is in the future", place=f"journal[{n}].at")
        for n, line in enumerate(archive.journal)
        if line.at > now
    ]:
        raise UnreadableArchive(*late[:MOST_FAULTS])
    try:
        _take_scenarios(s, archive, now)
        _take_edition(s, archive, actor, now)
        event = _take_rows(s, archive, now)
    except DBAPIError as broken:  # a violated constraint, such as two games at one table
        raise UnreadableArchive(
            gettext("tables: rows contradict each other (%(rule)s)", rule=_constraint(broken))
        ) from broken
    except RecursionError as deep:
        raise UnreadableArchive(gettext("tables: a document is nested too deeply")) from deep
    if owner is not None:
        s.add(Staff(event_id=event.id, account_id=owner.id, role=Role.OWNER, since=now))
    try_out(s, event, now)
    made = archive.at.strftime("%Y-%m-%d %H:%M UTC")
    sentence = message(
        "Imported the event from its archive of %(at)s, made by Overseer %(version)s", at=made, version=archive.product
    )
    note(Act(s, event, actor, now), "take-in", sentence, made=archive.at.isoformat(), product=archive.product)
    return event


def _take_rows(s: Session, archive: Archive, now: datetime) -> Event:
    numbers = {table.name: _numbers(s, table, archive) for table in tables() if table.name != "event"}
    ours = {"slug": _free_slug(s, archive.event["slug"]), "changed_at": now, "news_at": now}
    event = Event(**_values(archive.event) | ours)
    s.add(event)
    s.flush()  # assigns the event's id for all of its rows
    numbers["event"] = {archive.event["id"]: event.id}
    lines = [{"details": _details(line, numbers), "at": line.at, "actor": line.actor, "verb": line.verb,
              "text": line.text} for line in archive.journal]  # fmt: skip
    store_imported_entries(s.connection(), event.id, lines)
    codes = _free_codes(s, archive.rows["game"])
    rows: list[SQLModel] = []  # a strong reference: the journal looks up the rows' objects
    for table in tables():
        if table.name == "event":
            continue
        _reserve(s, table, numbers[table.name].values())
        model = class_of(table)
        for row in archive.rows[table.name]:
            values = _pointed(table, row, numbers)
            if table.name == "player":
                values["link_generation"] = secrets.randbelow(2**30) + 2  # no private link of the other server is valid
            if table.name == "game":
                values["code"] = codes[row["id"]]
            if table.name == "prize_draw":
                values["hat"] = [numbers["player"].get(id_, 0) for id_ in values["hat"]]
            if table.name == "campaign_step" and values["kind"] == "play":
                values["data"] = {**values["data"], "game": numbers["game"].get(values["data"].get("game"), 0)}
            rows.append(model(id=numbers[table.name][row["id"]], **values))
            s.add(rows[-1])
        s.flush()  # insert these rows before those that refer to them
    return event


def _numbers(s: Session, table: Table, archive: Archive) -> Mapping[int, int]:
    """The new id of each row: unchanged if all of the table's ids are free, otherwise all new, in the same order."""
    ids = sorted(row["id"] for row in archive.rows[table.name])
    if not ids:
        return {}
    last = s.connection().execute(select_rows(func.max(table.c.id))).scalar() or 0
    taken = ids[0] <= last and _any_taken(s, table, ids)
    if not taken and ids[-1] <= LARGEST_KEPT:
        return {number: number for number in ids}
    if table.name in DRAWN_BY and _is_drawn(archive):
        raise Refused(
            gettext(
                "This database already has rows of the table “%(table)s” with the internal numbers of the event’s. Its "
                "draws and standings depend on these numbers. Import the event into an empty database: start Overseer "
                "with another OVERSEER_DATA.",
                table=table.name,
            )
        )
    return {number: last + place for place, number in enumerate(ids, start=1)}


def _any_taken(s: Session, table: Table, own: Sequence[int]) -> bool:
    between = table.c.id.between(own[0], own[-1])
    return not {*own}.isdisjoint(s.connection().execute(select_rows(table.c.id).where(between)).scalars())


def _is_drawn(archive: Archive) -> bool:
    return bool(archive.rows["round_draw"] or archive.rows["campaign_step"])


def _reserve(s: Session, table: Table, numbers: Iterable[int]) -> None:
    """Move PostgreSQL's sequence past ids that are inserted explicitly; SQLite does so by itself."""
    last = max(numbers, default=0)
    if last and s.get_bind().dialect.name == "postgresql":
        sequence = func.pg_get_serial_sequence(f'"{table.name}"', "id")
        highest = func.coalesce(select_rows(func.max(table.c.id)).scalar_subquery(), 1)
        s.connection().execute(select_rows(func.setval(sequence, func.greatest(last, highest))))


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "id"}


def _pointed(table: Table, row: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """A row's values with its foreign keys replaced by the new ids."""
    values = _values(row)
    for column in columns(table):
        for key in column.foreign_keys:
            if values[column.name] is not None:
                values[column.name] = numbers[key.column.table.name][values[column.name]]
    return values


def _details(line: ArchivedEntry, numbers: Numbers) -> dict[str, Any]:
    """The details of an imported journal entry with the new ids, without rows that no longer exist.

    They are marked as imported on every page, because this server cannot vouch for them: it words the entry for readers
    of other languages only where its data say the same as its English.
    """
    details = dict(line.about)
    if in_english(details.get("said")) != line.text:
        details.pop("said", None)
    for name, table in (("player", "player"), ("game", "game")):
        if name in details:
            number = numbers[table].get(details[name]) if isinstance(details[name], int) else None
            details |= {name: number} if number is not None else {}
            if number is None:
                del details[name]
    if "players" in details:
        players = numbers["player"]
        named = details["players"] if isinstance(details["players"], list) else []
        details["players"] = [players[id_] for id_ in named if isinstance(id_, int) and id_ in players]
    return details | {"imported": True}


def _free_slug(s: Session, wanted: str) -> str:
    taken = set(s.exec(select(Event.slug).where(col(Event.slug).startswith(wanted[:50]))))
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted[:50].rstrip('-')}-{number}"
    return slug


def _free_codes(s: Session, games: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The codes of scoresheets by game id. Codes already used here, and those left out, are replaced by new ones."""
    taken = {*s.exec(select(Game.code)), ""}
    return {game["id"]: sheet_code() if game["code"] in taken else game["code"] for game in games}


def _take_scenarios(s: Session, archive: Archive, now: datetime) -> None:
    """Add the club's own scenarios that are missing here. Raises Refused if one exists here with different content."""
    system_id = archive.event["system"]
    files = systems_of(s)[system_id].scenario_files
    for slug, document in ((scenario.slug, scenario.document) for scenario in archive.scenarios):
        here = own_scenario(s, system_id, slug)
        if here is not None and here.document != document:
            raise Refused(
                gettext(
                    "The event uses the scenario %(id)s, but this club has a different scenario with that id. Remove "
                    "that scenario, or import the event into an empty database.",
                    id=slug,
                )
            )
        try:
            is_valid = files is not None and files.read(document).id == slug and slug.startswith("own-")
        except UnreadableScenario as unreadable:
            raise UnreadableArchive(*(f"scenarios: {fault}" for fault in unreadable.faults)) from unreadable
        if not is_valid or files is None or len(slug) > LONGEST_ID:
            raise UnreadableArchive(gettext("scenarios: “%(id)s” is not a scenario of a club", id=slug[:LONGEST_ID]))
        if here is None:
            row = {"system": system_id, "slug": slug, "document": dict(document), "by": "its archive"}
            s.add(OwnScenario(**row, created_at=now, changed_at=now))
            s.flush()  # the rounds are read with these scenarios


LONGEST_ID = 40


def _take_edition(s: Session, archive: Archive, actor: str, now: datetime) -> None:
    """Add the club's own edition that the event uses. Raises Refused if one exists here with different content."""
    system, wanted = systems_of(s)[archive.event["system"]], archive.event["edition"]
    for id_, written in ((edition.edition, edition.text) for edition in archive.editions):
        here = own_edition_row(s, system, id_)
        if system.edition_files is None or id_ != wanted:
            raise UnreadableArchive(gettext("editions: “%(id)s” is not the edition of the event", id=id_[:LONGEST_ID]))
        if here is not None and here.text != written:
            raise Refused(
                gettext(
                    "The event uses the edition %(id)s, but this club has a different edition with that id. Remove "
                    "that edition, or import the event into an empty database.",
                    id=id_,
                )
            )
        try:
            info = system.edition_files.read(written.encode())
        except UnreadableEdition as unreadable:
            raise UnreadableArchive(*(f"editions: {fault}" for fault in unreadable.faults)) from unreadable
        if info.id != id_:
            raise UnreadableArchive(
                gettext("editions: the file of “%(id)s” contains “%(other)s”", id=id_[:LONGEST_ID], other=info.id)
            )
        if here is None:
            add_edition(s, system, Understood(info, written), actor, now)
            s.flush()  # the lists are checked with this edition
    if edition_by_id(s, system, wanted) is None:
        raise UnreadableArchive(
            gettext("event[0].edition: “%(id)s” is unknown here, and the file does not contain it", id=wanted)
        )


def _constraint(broken: DBAPIError) -> str:
    """The first line of the database's message, which names the constraint and never a value."""
    lines = str(broken.orig).strip().splitlines()
    return lines[0][:160] if lines else type(broken).__name__
