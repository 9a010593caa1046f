"""Publishing a round locks every list; changes of an unlocked list are in the journal and on the desk."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.lists import locks
from models.event import Event, ListsShown
from models.play import ForceList, Player
from models.staff import Role
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, MINE, PIPER, Enter, file
from tests.kit.people import let_in
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage

SETTLER = {"name": "Settler"}
MORE = PIPER | {"models": [*PIPER["models"], SETTLER, SETTLER]}
ONE_MORE = PIPER | {"models": [*PIPER["models"], SETTLER]}
LIST = "/e/iron-open/desk/lists/1"


@pytest.fixture
def playing(enter: Enter, olga: Person, stage: Stage) -> tuple[Event, Person]:
    """An event whose lists locked at the deadline, with Ada's list unlocked without an end before round 1."""
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, _ = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.clock.now = DEADLINE
    olga.open(LIST)
    assert "Unlocked" in olga.press("Unlock this list").flashes
    return event, ada


def change(ada: Person, form: Page, document: object) -> str:
    """Upload another list with the builder as it was opened; returns the path of the answer."""
    ada.page = form
    return ada.press("Read the list", file=file(document)).path


@pytest.mark.proves("attack 55")
@pytest.mark.both_at_length
def test_publishing_a_round_locks_unlocked_lists(playing: tuple[Event, Person], olga: Person, stage: Stage) -> None:
    event, ada = playing
    form = ada.open(MINE)
    for number in (1, 2):
        stage.draw(event, number)
        page = olga.open(f"/e/iron-open/desk/rounds/{number}")
        assert ("1 unlocked list is locked again." in page.response.text) == (number == 2)
        olga.press(f"Publish round {number}")
        player = stage.all(Player)[0]
        assert (player.list_unlocked_at, player.list_unlocked_until) == (None, None), f"round {number}"
        assert stage.journal(event, "lock-list") == ["Locked the list of Ada again"] * number
        assert change(ada, form, MORE) == "/e/iron-open/players/1", "the builder is closed"
        assert stage.one(ForceList, player_id=1).document == read_force(PIPER)
        assert "Unlocked" not in olga.open("/e/iron-open/desk/lists").part("tbody")
        for game in stage.games(event, number):
            stage.decide(event, game, 2, 1)
        with stage.changing(event) as s:
            locks.unlock(s, event, player, None, BY, stage.clock())


@pytest.mark.proves("attack 55")
def test_change_after_the_lock_is_in_the_journal_and_on_the_desk(
    playing: tuple[Event, Person], olga: Person, stage: Stage
) -> None:
    event, ada = playing
    (game,) = stage.publish(event, 1)
    assert "Changed after the lock" not in olga.open("/e/iron-open/desk/lists").text
    olga.open(LIST)
    olga.press("Unlock this list")
    stage.clock.advance(minutes=5)
    form = ada.open(MINE)
    assert change(ada, form, MORE) == MINE
    assert change(ada, form, ONE_MORE) == MINE
    changes = ["166 to 246 Caps, added 2 × Settler (40 Caps each)", "246 to 206 Caps, removed Settler (40 Caps)"]
    lines = [f"Changed the list of Ada after the lock: {words}" for words in changes]
    assert stage.journal(event, "edit-force") == lines
    journal = olga.open("/e/iron-open/desk/journal").text
    assert [words in journal for words in lines] == [True, True]
    stage.decide(event, game, 2, 1)
    stage.publish(event, 2)
    assert change(ada, form, MORE) == "/e/iron-open/players/1"
    assert stage.journal(event, "edit-force") == lines
    for address in ("/e/iron-open/desk/lists", "/e/iron-open/desk/lists?state=changed"):
        rows = olga.open(address).rows("table")
        assert [row[0] for row in rows if "Changed after the lock" in " ".join(row)] == ["Ada"]
    assert "Since the lock: 166 to 206 Caps, added Settler (40 Caps)." in olga.open(LIST).text


@pytest.mark.proves("attack 55")
def test_list_checker_does_not_decide_on_their_own_list(
    playing: tuple[Event, Person], app: Flask, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    event, _ = playing
    ada = stage.one(Player, name="Ada")
    checker = let_in(app, stage.hire(event, "Cleo", Role.LIST_CHECKER))
    checker.open(link_of(ada))
    checker.press("Continue as Ada")
    page = checker.open(f"/e/iron-open/desk/lists/{ada.id}")
    token = str(page.value("csrf_token"))
    for do in ("approve", "send-back", "unlock", "lock"):
        answer = checker.http.post(f"/e/iron-open/desk/lists/{ada.id}", data={"csrf_token": token, "do": do})
        assert answer.status_code == 403, do
