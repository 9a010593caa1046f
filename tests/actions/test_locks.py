"""The stored lock behind the pages: two requests at once, and a database from before the list desk."""

import json
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from alembic import command
from flask import Flask
from sqlalchemy import text
from sqlmodel import Session, col, select

import migrations
from events.actions import locks, recheck
from events.reading import seals_of
from models.db import open_engine
from models.event import Event
from models.play import ForceList, ListSeal, Player
from tests.actions.stage import BY, Stage
from tests.conftest import Clock
from tests.forces import read_force, sample_force
from validators import SYSTEMS
from validators.canonical import sha256_of

DEADLINE = datetime(2026, 12, 4, 19, tzinfo=UTC)
SYSTEM = SYSTEMS["battle_mode"]


OLD_EVENT = """
INSERT INTO event (slug, name, place, description, starts_on, ends_on, timezone, system, edition, size, waiting_list,
    rounds, round_minutes, lists_locked_at, points_win, points_draw, points_loss, painting_points, tie_breaks,
    avoid_clubs, scenario_pool, seed, state, created_at, changed_at, version)
VALUES (:slug, 'E', '', '', '2026-12-05', '2026-12-05', 'UTC', 'battle_mode', '2018-08', 750, TRUE, 3, 90, :locked,
    3, 1, 0, 0, '[]', 'never', '[]', 1, 'registration', :then, :then, 0)"""
OLD_PLAYER = """
INSERT INTO player (event_id, name, name_key, club, faction, state, registered_at, link_generation, entered_round,
    painted)
VALUES (1, 'Ada', 'ada', '', '', 'registered', :then, 1, 1, FALSE)"""
SENT_BACK = """
INSERT INTO force_list (player_id, document, saved_at, sent_back_at, sent_back_note)
VALUES (:player, '{}', :then, :then, :words)"""
OLD_LIST = "INSERT INTO force_list (player_id, document, saved_at) VALUES (1, '{}', :then)"


def a_force(seed: int = 1) -> dict[str, object]:
    """A legal force of 750 Caps."""
    return sample_force("Survivors", 750, seed)


@pytest.mark.both_databases
def test_many_first_requests_at_once_store_one_lock(app: Flask, stage: Stage, clock: Clock) -> None:
    event = stage.event()
    for number, player in enumerate(stage.enter(event, "Ada", "Bo", "Cy", here=False)):
        stage.force(event, player, a_force(number))
    slug = stage.one(Event).slug
    stage.s.rollback()
    clock.now = DEADLINE
    statuses: list[int] = []
    requests = [
        threading.Thread(target=lambda: statuses.append(app.test_client().get(f"/e/{slug}").status_code))
        for _ in range(4)
    ]
    with stage.changing() as s:
        s.exec(select(Event).with_for_update()).all()
        for request in requests:
            request.start()
        time.sleep(1)
        assert statuses == [], "all four have seen that nothing is stored yet, and wait for the event's row"
    for request in requests:
        request.join(60)
    assert statuses == [200] * 4
    assert stage.journal(event, "lock-lists") == ["Locked the lists: 3 in hand"]
    assert stage.journal(event, "reveal-lists") == ["Everybody can read the lists"]
    seals = stage.all(ListSeal)
    assert sorted(seal.player_id for seal in seals) == [1, 2, 3]
    assert {seal.at for seal in seals} == {DEADLINE}
    assert all(sha256_of(seal.text) == seal.sha256 for seal in seals)


@pytest.mark.both_databases
def test_a_seal_holds_the_force_as_the_database_gives_it_back(stage: Stage, clock: Clock) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    document = a_force() | {"name": "Zażółć “gęślą” 日本 \U0001f600"}
    stage.force(event, ada, read_force(document))
    with stage.changing(event) as s:
        locks.lock_now(s, event, BY, clock())
    kept = stage.one(ForceList).document
    (seal,) = seals_of(stage.s, event)[ada.id]
    assert json.loads(seal.text)["force"] == kept
    assert "日本" in seal.text, "every character as itself"
    clock.advance(minutes=1)
    with stage.changing(event) as s:
        locks.unlock(s, event, ada, None, BY, clock())
        locks.lock_again(s, event, ada, BY, clock())
    assert len(stage.all(ListSeal)) == 1, "an unlocked list that was not changed needs no new seal"


@pytest.mark.slow
@pytest.mark.proves("F19")
@pytest.mark.both_databases
def test_lists_of_before_the_list_desk_are_as_public_as_they_were(empty_url: str) -> None:
    engine = open_engine(empty_url)
    try:
        migrations.upgrade(engine, "20261120_first_tables")
        zone = "+00" if engine.dialect.name == "postgresql" else ""
        then = {"then": f"2026-12-04 19:00:00.000000{zone}"}
        with engine.begin() as connection:
            for slug, locked in (("e1", then["then"]), ("e2", None)):
                connection.execute(text(OLD_EVENT), then | {"slug": slug, "locked": locked})
            connection.execute(text(OLD_PLAYER), then)
            connection.execute(text(OLD_LIST), then)
        migrations.upgrade(engine)
        with Session(engine) as s:
            shown, open_still = s.get_one(Event, 1), s.get_one(Event, 2)
            assert shown.lists_revealed_at == shown.lists_locked_at == DEADLINE
            assert (open_still.lists_revealed_at, open_still.lists_shown) == (None, "at_lock")
            assert s.get_one(Player, 1).list_unlocked_at is None
            assert not locks.is_due(s, shown, DEADLINE + timedelta(days=1))
        with engine.connect() as connection:
            command.downgrade(migrations.alembic_config(connection), "20261120_first_tables")
            connection.commit()
            assert connection.execute(text("SELECT count(*) FROM force_list")).scalar_one() == 1
            assert connection.execute(text("SELECT slug FROM event ORDER BY id")).scalars().all() == ["e1", "e2"]
    finally:
        engine.dispose()


@pytest.mark.slow
@pytest.mark.both_databases
def test_notes_that_new_terms_wrote_before_they_were_marked_are_told_from_an_organiser_s(empty_url: str) -> None:
    engine = open_engine(empty_url)
    written = (
        "The event is now played at 500 Caps by “August 2018”, with the rules that stand on its page, and this list is "
        "not legal any more (bm.size). Please mend it and submit it again."
    )
    try:
        migrations.upgrade(engine, "20261120_own_editions")
        zone = "+00" if engine.dialect.name == "postgresql" else ""
        then = {"then": f"2026-12-04 19:00:00.000000{zone}"}
        with engine.begin() as connection:
            connection.execute(text(OLD_EVENT), then | {"slug": "e1", "locked": None})
            connection.execute(text(OLD_PLAYER), then)
            connection.execute(text(OLD_PLAYER.replace("'Ada', 'ada'", "'Bo', 'bo'")), then)
            for number, words in ((1, written), (2, "Please mend it.")):
                connection.execute(text(SENT_BACK), then | {"player": number, "words": words})
        migrations.upgrade(engine)
        with Session(engine) as s:
            lists = s.exec(select(ForceList).order_by(col(ForceList.player_id))).all()
            assert [(one.sent_back_by_terms, one.submitted_before) for one in lists] == [(True, None), (False, None)]
        with engine.connect() as connection:
            command.downgrade(migrations.alembic_config(connection), "20261120_own_editions")
            connection.commit()
            assert connection.execute(text("SELECT count(*) FROM force_list")).scalar_one() == 2
    finally:
        engine.dispose()


def test_lists_are_carried_over_to_a_new_edition_and_sealed_anew(stage: Stage, clock: Clock) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    for player in (ada, bo):
        stage.force(event, player, a_force())
    with stage.changing(event) as s:
        for force in s.exec(select(ForceList)):
            force.approved_at = clock()
            if force.player_id == bo.id:
                force.document = force.document | {"edition": "the one before"}
    with stage.changing(event) as s:
        locks.lock_now(s, event, BY, clock())
    clock.advance(hours=1)
    with stage.changing(event) as s:
        recheck.carry_over(s, event, [], BY, clock())
    of_ada, of_bo = stage.all(ForceList)
    assert of_bo.document == of_ada.document, "the names are kept, the edition is the event's"
    assert (of_ada.approved_at is None, of_bo.approved_at) == (False, None)
    assert [seal.by for seal in stage.all(ListSeal, player_id=bo.id)] == ["the lock", BY]
    assert len(stage.all(ListSeal, player_id=ada.id)) == 1
