"""The stored lock: concurrent requests, the sealed document, and lists carried over to a new edition."""

import json
import threading
import time

import pytest
from flask import Flask
from sqlmodel import select

from events.lists import actions as lists_actions
from events.lists import locks
from events.play.queries import seals_of
from models.event import Event
from models.play import ForceList, ListSeal
from tests.conftest import Clock
from tests.kit.forces import read_force, sample_force
from tests.kit.lists import DEADLINE
from tests.kit.stage import BY, Stage
from validators.canonical import sha256_of


@pytest.mark.both_databases
def test_concurrent_first_requests_store_one_lock(app: Flask, stage: Stage, clock: Clock) -> None:
    event = stage.event()
    for number, player in enumerate(stage.enter(event, "Ada", "Bo", "Cy", here=False)):
        stage.force(event, player, sample_force("Survivors", 750, number))
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
        assert statuses == [], "all four have read that nothing is stored, and wait for the event's row"
    for request in requests:
        request.join(60)
    assert statuses == [200] * 4
    assert stage.journal(event, "lock-lists") == ["Locked 3 lists"]
    assert stage.journal(event, "reveal-lists") == ["Everybody can read the lists"]
    seals = stage.all(ListSeal)
    assert sorted(seal.player_id for seal in seals) == [1, 2, 3]
    assert {seal.at for seal in seals} == {DEADLINE}
    assert all(sha256_of(seal.text) == seal.sha256 for seal in seals)


@pytest.mark.both_databases
def test_seal_holds_the_stored_document(stage: Stage, clock: Clock) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    document = sample_force("Survivors", 750, 1) | {"name": "Zażółć “gęślą” 日本 \U0001f600"}
    stage.force(event, ada, read_force(document))
    with stage.changing(event) as s:
        locks.lock_now(s, event, BY, clock())
    (seal,) = seals_of(stage.s, event)[ada.id]
    assert json.loads(seal.text)["force"] == stage.one(ForceList).document
    assert "日本" in seal.text, "characters are not escaped"
    clock.advance(minutes=1)
    with stage.changing(event) as s:
        locks.unlock(s, event, ada, None, BY, clock())
        locks.lock_again(s, event, ada, BY, clock())
    assert len(stage.all(ListSeal)) == 1, "an unlocked list without a change gets no new seal"


def test_lists_carried_over_to_a_new_edition_are_sealed_anew(stage: Stage, clock: Clock) -> None:
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    for player in (ada, bo):
        stage.force(event, player, sample_force("Survivors", 750, 1))
    with stage.changing(event) as s:
        for force in s.exec(select(ForceList)):
            force.approved_at = clock()
            if force.player_id == bo.id:
                force.document = force.document | {"edition": "the one before"}
    with stage.changing(event) as s:
        locks.lock_now(s, event, BY, clock())
    clock.advance(hours=1)
    with stage.changing(event) as s:
        lists_actions.carry_over(s, event, [], BY, clock())
    of_ada, of_bo = stage.all(ForceList)
    assert of_bo.document == of_ada.document, "the names are kept, the edition is the event's"
    assert (of_ada.approved_at is None, of_bo.approved_at) == (False, None)
    assert [seal.by for seal in stage.all(ListSeal, player_id=bo.id)] == ["the lock", BY]
    assert len(stage.all(ListSeal, player_id=ada.id)) == 1
