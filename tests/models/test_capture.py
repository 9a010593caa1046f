"""What the journal keeps of a write: every row it added, changed or removed, before and after, once or not at all."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, Executable, delete, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, SQLModel, col, select

from models.captured import NOT_JOURNALLED, columns_of, followed, way_to_event
from models.db import current_write, write
from models.event import Event, Round
from models.journal import JOURNAL, Actor, ChangeSet, JournalEntry, JournalValue, RowChange, RowChangeKind
from models.play import ForceList, Game, Player, Report, ReportSide
from models.settings import AskedBye
from tests.models.rows import NOW, event_row, player_row, stored

ADDED, CHANGED, REMOVED, FOUND = RowChangeKind
LATER = NOW + timedelta(minutes=5)
OLGA = Actor("organiser Olga", "organiser")
SMELLS = re.compile(r"password|secret|hash|sha|token|salt|mail|phone|address|session|credential|birth|key$")
HARMLESS = {
    "event.mail_asked": "a setting",
    "list_seal.sha256": "published the moment it is stored",
    "message.key": "made with the form, of no use to anybody",
    "player.name_key": "the name, which everybody reads",
    "team.name_key": "the name, which everybody reads",
}
"""Columns whose names resemble secrets or private data, but that are neither."""


@pytest.fixture
def event(session: Session) -> Event:
    """An event whose journal has begun."""
    event = stored(session, event_row())
    with write(session, NOW, event):
        pass
    return event


def changes(
    session: Session, number: int = -1
) -> list[tuple[str, RowChangeKind, Mapping[str, Any], Mapping[str, Any]]]:
    """What one write changed, the newest by default: table, kind, before, after."""
    sets = session.exec(select(ChangeSet).order_by(col(ChangeSet.id))).all()
    rows = session.exec(select(RowChange).where(RowChange.change_set_id == sets[number].id).order_by(col(RowChange.id)))
    return [(row.table_name, row.kind, row.before, row.after) for row in rows]


def tell(s: Session, event: Event, actor: str = OLGA.name) -> None:
    current_write(s).add_entry(event.id, LATER, actor, "do", "Did it", {})


def test_every_table_belongs_to_an_event_or_has_a_reason_not_to_and_nothing_changes_unseen() -> None:
    known = {table.name for table in followed()} | NOT_JOURNALLED.keys() | {table.__tablename__ for table in JOURNAL}
    assert known == set(SQLModel.metadata.tables)
    assert all(way_to_event(table) is not None for table in followed() if table.name != "event")
    assert all([column.name for column in table.primary_key] == ["id"] for table in followed())
    assert [name for name in NOT_JOURNALLED if name not in SQLModel.metadata.tables] == []
    keys = [key for table in followed() for key in table.foreign_keys]
    assert {key.ondelete for key in keys} <= {None, "CASCADE"}
    assert {key.onupdate for key in keys} == {None}
    assert [c for table in followed() for c in table.columns if c.onupdate or c.server_onupdate] == []


def test_journal_keeps_no_secret_and_nothing_deletable() -> None:
    kept = {f"{table.name}.{column.name}" for table in followed() for column in columns_of(table)}
    assert {name for name in kept if SMELLS.search(name.split(".")[1])} == HARMLESS.keys()


@pytest.mark.both_databases
def test_added_changed_and_removed_rows_are_recorded(session: Session, event: Event) -> None:
    with write(session, LATER, event, OLGA) as s:
        ada = player_row(event)
        s.add(ada)
        tell(s, event)
    assert [(table, kind, before) for table, kind, before, _ in changes(session)] == [("player", ADDED, {})]
    after = changes(session)[0][3]
    assert (after["name"], after["state"], after["registered_at"]) == ("Ada", "registered", NOW.isoformat())
    session.expire(ada)  # former values are recorded even if they are not loaded
    with write(session, LATER, event, OLGA):
        ada.club, ada.asked_byes, event.asked_bye = "Reds", [2], AskedBye.WIN
    assert sorted(changes(session)) == [
        ("event", CHANGED, {"asked_bye": "draw"}, {"asked_bye": "win"}),
        ("player", CHANGED, {"club": "", "asked_byes": None}, {"club": "Reds", "asked_byes": "[2]"}),
    ]
    with write(session, LATER, event, OLGA) as s:
        s.delete(ada)
    ((table, kind, before, gone),) = changes(session)
    assert (table, kind, gone) == ("player", REMOVED, {})
    assert (before["name"], before["club"], before["asked_byes"]) == ("Ada", "Reds", "[2]")


@pytest.mark.both_at_length
def test_write_is_one_change_set_with_actor_role_and_time(session: Session, event: Event) -> None:
    with write(session, LATER, event, OLGA) as s:
        tell(s, event)
        event.place = "Hall 2"
    with write(session, LATER, event, OLGA) as s:
        tell(s, event, "the clock")
    *_, by_olga, set_off = session.exec(select(ChangeSet).order_by(col(ChangeSet.id))).all()
    assert (by_olga.actor, by_olga.role, by_olga.at, by_olga.version) == ("organiser Olga", "organiser", LATER, 2)
    assert session.exec(select(JournalEntry.change_set_id)).all() == [by_olga.id, set_off.id]
    assert (set_off.actor, set_off.role) == ("the clock", ""), "what a visitor's look set off is not their doing"


@pytest.mark.both_databases
def test_several_changes_of_a_row_in_one_write_are_joined(session: Session, event: Event) -> None:
    with write(session, LATER, event) as s:
        for place in ("A", "B"):
            event.place = place
            s.flush()  # separate changes for the database
        ada, bo = player_row(event), player_row(event, "Bo")
        s.add_all([ada, bo])
        s.flush()  # makes the players' ids
        ada.club = "Reds"
        s.delete(bo)
    of_event, of_player = changes(session)
    assert of_event == ("event", CHANGED, {"place": ""}, {"place": "B"})
    assert (*of_player[:2], of_player[3]["club"]) == ("player", ADDED, "Reds")
    with write(session, LATER, event) as s:
        event.place = "C"
        s.flush()  # separate changes: removed and added again
        event.place = "B"
        ada.club = "Blues"
        s.flush()  # separate changes: changed, then removed
        s.delete(ada)
    ((_, kind, before, _),) = changes(session)
    assert (kind, before["club"]) == (REMOVED, "Reds")


@pytest.mark.both_at_length
def test_rows_of_a_game_name_their_players_and_are_recorded_as_deleted_with_it(session: Session, event: Event) -> None:
    with write(session, NOW, event) as s:
        of = Round(event_id=event.id, number=1)
        ada, bo = player_row(event), player_row(event, "Bo")
        s.add_all([of, ada, bo])
        s.flush()  # makes the ids for the game
        game = Game(round_id=of.id, a_id=ada.id, b_id=bo.id, table_number=4, code="AB", notes=[])
        s.add(game)
        s.flush()  # makes the game's id for the report and the reading
        report = Report(game_id=game.id, side=ReportSide.A, answers={}, by="Ada", at=NOW)
        s.add(report)
    about = {
        row.table_name: (row.player_id, row.other_id, row.round_id, row.table_number)
        for row in session.exec(select(RowChange).where(RowChange.kind == ADDED))
    }
    assert about["game"] == about["report"] == (ada.id, bo.id, of.id, 4)
    assert about["round"] == (None, None, of.id, None)
    with write(session, LATER, event) as s:
        game.board = 3
        s.delete(report)
        s.flush()  # deletes the report before its game
        s.delete(game)  # deletes its reading too
    removed = {table: before for table, kind, before, _ in changes(session) if kind == REMOVED}
    assert removed.keys() == {"game", "report"}
    assert (removed["game"]["board"], removed["game"]["code"]) == (None, "AB")
    assert removed["report"]["by"] == "Ada"


@pytest.mark.both_databases
def test_long_value_is_stored_once_per_event(session: Session, event: Event) -> None:
    documents = [{"models": list(range(number, 200))} for number in range(2)]
    with write(session, NOW, event) as s:
        ada = player_row(event)
        s.add(ada)
        s.flush()  # makes the player's id for the list
        force = ForceList(player_id=ada.id, document=documents[0], saved_at=NOW)
        s.add(force)
    for turn in (1, 0, 1, 0):
        with write(session, LATER, event):
            force.document = documents[turn]
    assert len(session.exec(select(JournalValue)).all()) == 2
    ((_, _, before, after),) = changes(session)
    assert before["document"].keys() == after["document"].keys() == {"sha256"}


@pytest.mark.both_at_length
def test_journal_begins_with_all_rows_of_an_older_event_or_with_the_creation_of_a_new_one(session: Session) -> None:
    old, other = stored(session, event_row()), stored(session, event_row(slug="other"))
    for an_event in (old, other):
        stored(session, Round(event_id=an_event.id, number=1))
    assert old.journal_from is None
    with write(session, LATER, old, OLGA):
        old.place = "Hall 2"
    first, second = session.exec(select(ChangeSet).order_by(col(ChangeSet.id))).all()
    assert (first.baseline, first.actor, first.version) == (True, "", 0)
    assert (second.baseline, second.version) == (False, 1)
    assert old.journal_from == first.id
    found = changes(session, 0)
    assert [(table, kind) for table, kind, _, _ in found] == [("event", FOUND), ("round", FOUND)]
    assert found[0][3]["place"] == ""
    assert changes(session, 1) == [("event", CHANGED, {"place": ""}, {"place": "Hall 2"})]
    assert other.journal_from is None
    with write(session, NOW) as s:
        new = event_row(slug="new")
        s.add(new)
        s.flush()  # makes the event's id for the entry
        s.add(Round(event_id=new.id, number=1))
        tell(s, new)
    begun = session.get_one(ChangeSet, new.journal_from)
    assert (begun.baseline, begun.actor, begun.version) == (False, "organiser Olga", 0)
    assert [(table, kind) for table, kind, _, _ in changes(session)] == [("event", ADDED), ("round", ADDED)]


@pytest.mark.both_at_length
def test_write_without_an_event_lock_is_recorded_once_the_journal_exists(session: Session) -> None:
    event = stored(session, event_row())
    ada = stored(session, player_row(event))
    with write(session, LATER):
        ada.club = "Reds"
    assert session.exec(select(ChangeSet)).all() == []
    with write(session, LATER, event):
        pass
    with write(session, LATER):
        ada.club = "Blues"
    assert changes(session) == [("player", CHANGED, {"club": "Reds"}, {"club": "Blues"})]


def test_statements_that_bypass_the_journal_are_rejected(session: Session, event: Event) -> None:
    for statement in (update(Player).values(club="Reds"), delete(Player)):
        with (
            pytest.raises(RuntimeError, match="the journal does not see statements"),
            write(session, LATER, event) as s,
        ):
            s.exec(statement)
        session.exec(statement)  # outside a write it is allowed


@pytest.mark.both_databases
def test_journal_rows_cannot_change_while_their_event_exists(session: Session, engine: Engine, event: Event) -> None:
    with write(session, LATER, event) as s:
        tell(s, event)
        event.description = "long " * 200
    session.close()
    columns = {"change_set": "event_id", "journal_entry": "event_id", "row_change": "row_id", "journal_value": "packed"}
    journal = {name: SQLModel.metadata.tables[name] for name in columns}
    for name, of in journal.items():
        statements: list[Executable] = [of.update().values({columns[name]: of.c[columns[name]]}), of.delete()]
        if engine.dialect.name == "postgresql":
            statements.append(text(f"TRUNCATE {name} CASCADE"))
        for statement in statements:
            with pytest.raises(DBAPIError, match="only ever added to"), engine.begin() as connection:
                connection.execute(statement)
    with engine.begin() as connection:
        assert all(connection.execute(of.select()).all() for of in journal.values())
        connection.execute(delete(Event))
        assert not any(connection.execute(of.select()).all() for of in journal.values())
