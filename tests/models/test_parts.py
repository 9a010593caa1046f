"""Rows that belong to another row: what enters or leaves a list of parts is journalled, and a list is never stale."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine, inspect
from sqlmodel import Session, col, select

from models.db import write
from models.event import Event, Round
from models.journal import ChangeSet, RowChange, RowChangeKind
from models.play import ForceList, Game
from tests.models.rows import NOW, event_row, player_row, stored

ADDED, CHANGED, REMOVED, FOUND = RowChangeKind
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def event(session: Session) -> Event:
    """An event of two players whose journal has begun."""
    event = stored(session, event_row())
    with write(session, NOW, event) as s:
        s.add_all([player_row(event), player_row(event, "Bo")])
    return event


def newest(session: Session) -> list[tuple[str, int, RowChangeKind]]:
    """The rows that the newest write changed, in the journal's order."""
    last = session.exec(select(ChangeSet.id).order_by(col(ChangeSet.id).desc())).first()
    rows = session.exec(select(RowChange).where(RowChange.change_set_id == last).order_by(col(RowChange.id)))
    return [(row.table_name, row.row_id, row.kind) for row in rows]


@pytest.mark.both_databases
def test_part_that_leaves_its_list_is_deleted_and_journalled_with_what_it_was(session: Session, event: Event) -> None:
    gone = event.players[1].id
    with write(session, LATER, event):
        event.players.remove(event.players[1])
    assert newest(session) == [("player", gone, REMOVED)]
    removed = session.exec(select(RowChange).where(RowChange.row_id == gone, RowChange.kind == REMOVED)).one()
    assert removed.before["name"] == "Bo"
    ada = event.players[0]
    with write(session, LATER, event):
        ada.force_list = ForceList(document={}, saved_at=LATER)
    assert [(table, kind) for table, _, kind in newest(session)] == [("force_list", ADDED)]
    with write(session, LATER, event):
        ada.force_list = None
    assert [(table, kind) for table, _, kind in newest(session)] == [("force_list", REMOVED)]
    assert session.exec(select(ForceList)).all() == []


def test_list_that_is_loaded_shows_rows_added_and_deleted_by_key_after_the_flush(
    session: Session, event: Event
) -> None:
    with write(session, LATER, event) as s:
        assert (len(event.players), event.schedule) == (2, [])
        s.add(player_row(event, "Cy"))
        s.add(Round(event_id=event.id, number=1))
        s.flush()  # the lists are read again after it
        assert [player.name for player in event.players] == ["Ada", "Bo", "Cy"]
        assert [round_.number for round_ in event.schedule] == [1]
        s.delete(event.players[0])
        s.flush()  # the lists are read again after it
        assert [player.name for player in event.players] == ["Bo", "Cy"]
        kept = event.players
        event.name = "Iron Cup"
        s.flush()  # must not make the list stale
        assert event.players is kept, "nothing came or went: it is not read again"


def test_part_is_in_its_list_before_it_has_a_key_and_list_keeps_parts_without_a_flush(
    session: Session, event: Event
) -> None:
    with write(session, LATER, event) as s:
        event.schedule.append(made := Round(number=1))
        assert event.schedule == [made]
        assert inspect(made).pending
        ada, bo = event.players
        s.flush()  # makes the round's id
        made.games.append(Game(a_id=ada.id, b_id=bo.id, table_number=1, code="A", notes=[]))
    assert [(game.a_id, game.round_id) for game in event.schedule[0].games] == [(ada.id, made.id)]


def test_lists_are_read_again_after_a_rollback_and_under_the_lock(
    session: Session, event: Event, engine: Engine
) -> None:
    assert len(event.players) == 2
    session.rollback()
    with Session(engine) as other, write(other, LATER, other.get_one(Event, event.id)) as s:
        s.add(player_row(event, "Cy"))
    with write(session, LATER, event):
        assert len(event.players) == 3
        event.players.append(player_row(event, "Di"))
        session.rollback()
    assert [player.name for player in event.players] == ["Ada", "Bo", "Cy"]


def test_changes_of_a_flush_are_recorded_by_table_and_number(session: Session, event: Event) -> None:
    with write(session, LATER, event) as s:
        s.add_all([player_row(event, f"Player {number}") for number in range(20)])
    with write(session, LATER, event):
        for player in reversed(event.players):
            player.club = "Reds"
        event.place = "Hall"
    assert newest(session) == [("event", event.id, CHANGED)] + [
        ("player", player.id, CHANGED) for player in sorted(event.players, key=lambda player: player.id)
    ]
