"""Sign-ups beyond a limit are held: they take no place, and the desk lets them in or removes them."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from flask import Flask

from events.accounts.limits import SIGN_UPS, SIGN_UPS_AT_ONCE
from events.journal.invariants import check_invariants
from events.journal.replay import replay
from events.registration import actions, leaving
from events.registration.places import LEAST_WAITING
from events.registration.sign_ups import MOST_HELD
from models.people import SignInAttempt
from tests.kit.person import ADD, CLOSE_EVENT, SIGN_UP, Enter, Page, Person
from tests.kit.profiles import full_run
from tests.kit.stage import Event, Player, PlayerState, Stage
from tests.kit.tables import seat

REGISTER = "/e/iron-open/register"
PLAYERS = "/e/iron-open/desk/players"
ME = "/e/iron-open/me"
HALL, ELSEWHERE = "192.0.2.7", "198.51.100.9"
BURST = SIGN_UPS_AT_ONCE.most
REGISTERED, HELD = "You are registered", "Waiting for the organiser’s approval"


def phone(app: Flask, address: str = HALL) -> Person:
    person = Person(app)
    person.http.environ_base["REMOTE_ADDR"] = address
    return person


def sign_up(app: Flask, name: str, address: str = HALL) -> Page:
    return phone(app, address).press(SIGN_UP, at=REGISTER, name=name)


def flood(app: Flask, stage: Stage, many: int, *, address: str = HALL, seconds: float = 5) -> list[str]:
    """Sign up from new browsers behind one address, evenly over these seconds; returns the headings of the answers."""
    found = []
    for number in range(many):
        stage.clock.now += timedelta(seconds=seconds / many)
        found.append(sign_up(app, f"Phone {number}", address).part("h1"))
    return found


def reach_limit(stage: Stage, app: Flask, *, but: int = 0) -> None:
    """Count one sign-up from the hall, and as many more as the limit of a minute leaves, without ``but``."""
    assert sign_up(app, "First").part("h1") == REGISTERED
    key = stage.all(SignInAttempt, kind="burst")[-1].name_key
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="burst", name_key=key, at=stage.clock()) for _ in range(BURST - 1 - but))


def names(players: Sequence[Player]) -> list[str]:
    return [player.name for player in players]


@pytest.mark.sweep
@pytest.mark.proves("attack 79")
def test_flood_from_one_address_leaves_places_to_others(app: Flask, stage: Stage) -> None:
    stage.event(places=60)
    answers = flood(app, stage, 100)
    assert sign_up(app, "Ada", ELSEWHERE).part("h1") == REGISTERED
    assert answers == [REGISTERED] * BURST + [HELD] * (100 - BURST)
    assert sign_up(app, "Bo of the hall").part("h1") == HELD, "the hall behind the same address is not refused"
    assert stage.one(Player, name="Bo of the hall").held


@pytest.mark.proves("attack 79")
@pytest.mark.parametrize("phones", full_run([15, 60], [15], [60]))
def test_hall_of_sixty_phones_behind_one_address_signs_up_and_nobody_is_held(
    app: Flask, stage: Stage, phones: int
) -> None:
    stage.event(places=60)
    assert flood(app, stage, phones, seconds=290) == [REGISTERED] * phones
    assert stage.all(Player, held=True) == []


@pytest.mark.proves("attack 79")
@pytest.mark.parametrize("players", full_run([16, 60], [16], [60]))
def test_sixty_players_behind_one_address_report_within_a_minute(stage: Stage, enter: Enter, players: int) -> None:
    tables = seat(stage, enter, *(f"Player {number}" for number in range(players)))
    for table in tables:
        for person in (table.a, table.b):
            person.http.environ_base["REMOTE_ADDR"] = HALL
            stage.clock.advance(seconds=1)
            assert table.send(person, a__objectives="3", b__objectives="1").status == 200
    assert {table.game.state.value for table in tables} == {"confirmed"}


def test_five_minutes_have_a_limit_of_their_own(app: Flask, stage: Stage, event: Event) -> None:
    sign_up(app, "First")
    (key,) = [attempt.name_key for attempt in stage.all(SignInAttempt, kind="sign-up")]
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="sign-up", name_key=key, at=stage.clock()) for _ in range(SIGN_UPS.most - 2))
    stage.clock.advance(minutes=2)
    assert [sign_up(app, name).part("h1") for name in ("Ninetieth", "Next")] == [REGISTERED, HELD]
    stage.clock.advance(minutes=5)
    assert sign_up(app, "Later").part("h1") == REGISTERED


def test_held_player_is_told_so_and_gets_no_place_by_itself(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event(places=2)
    reach_limit(stage, app)
    held = phone(app)
    page = held.press(SIGN_UP, at=REGISTER, name="Ada")
    assert page.path == f"{ME}/link"
    for shown in (page, held.open(ME)):
        assert shown.part("h1") == HELD
        assert "the organiser looks at these sign-ups first" in shown.text
    assert "Ada" not in Person(app).open("/e/iron-open").text, "only staff see who is held"
    badge = f"/e/iron-open/badge/{stage.one(Player, name='Ada').id}"
    assert [Person(app).open(badge).status, held.open(badge).path] == [404, ME], "a badge's address tells nobody either"
    assert olga.open(badge).path.startswith("/e/iron-open/desk/door/")
    stage.clock.advance(minutes=1)
    assert sign_up(app, "Bo", ELSEWHERE).part("h1") == REGISTERED
    assert "waiting list" in sign_up(app, "Cy", ELSEWHERE).part("h1")
    stage.do(event, leaving.drop, stage.one(Player, name="First"))
    assert names(stage.all(Player, state=PlayerState.REGISTERED)) == ["Bo", "Cy"], "Ada signed up before them"
    stage.do(event, leaving.drop, stage.one(Player, name="Bo"))
    assert stage.one(Player, name="Ada").state == PlayerState.WAITING
    assert "1 sign-up waits for approval" in olga.open("/e/iron-open/desk").text
    olga.open(PLAYERS)
    olga.press("Give a place", inside=f"#player-{stage.one(Player, name='Ada').id}")
    assert (stage.one(Player, name="Ada").held, held.open(ME).part("h1")) == (False, REGISTERED)
    assert stage.journal(event, "let-in") == ["Let in the held sign-up of Ada"]


def test_place_given_to_selected_players_lets_held_ones_in_but_given_to_all_does_not(
    app: Flask, stage: Stage, olga: Person
) -> None:
    event = stage.event(places=1)
    reach_limit(stage, app)
    sign_up(app, "Ada")
    stage.set(event, places=2)
    assert "Held sign-ups get no place" in olga.press("Give a place to all that fit", at=PLAYERS).flashes
    assert stage.one(Player, name="Ada").held
    olga.press(
        "Give a place to selected", at=PLAYERS, inside="form.selection", chosen=[str(stage.one(Player, name="Ada").id)]
    )
    assert (stage.one(Player, name="Ada").held, stage.one(Player, name="Ada").state) == (False, PlayerState.REGISTERED)
    assert check_invariants(stage.s) == []


@pytest.mark.proves("attack 60")
def test_held_sign_ups_have_a_limit_and_leave_the_waiting_list_to_others(app: Flask, stage: Stage) -> None:
    event = stage.event(places=1)
    reach_limit(stage, app)
    with stage.changing(event) as s:
        for number in range(MOST_HELD - 1):
            s.add(Player(event_id=event.id, name=f"Held {number}", name_key=f"held {number}", held=True,
                         state=PlayerState.WAITING, registered_at=stage.clock()))  # fmt: skip
    assert sign_up(app, "Last").part("h1") == HELD
    visitor = phone(app)
    with stage.unchanged():
        page = visitor.press(SIGN_UP, at=REGISTER, name="Ada", club="Reds")
        assert (page.status, page.value("name"), page.value("club")) == (422, "Ada", "Reds")
        assert "300 sign-ups already wait for the organiser" in page.errors
    assert "waiting list" in sign_up(app, "Bo", ELSEWHERE).part("h1")
    stage.enter(event, *(f"Waiting {number}" for number in range(LEAST_WAITING - 1)))
    assert "The waiting list is full." in sign_up(app, "Cy", ELSEWHERE).errors


def test_desk_lets_held_sign_ups_in_by_their_order(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event(places=3)
    stage.clock.advance(seconds=30)
    reach_limit(stage, app)
    for name in ("Ada", "Bo", "Cy"):
        sign_up(app, name)
        stage.clock.advance(seconds=20)
    sign_up(app, "Dee", ELSEWHERE)
    page = olga.open(PLAYERS)
    assert "from 21 Nov, 10:00 to 21 Nov, 10:01" in page.part("#held")
    page = olga.press("Let them in")
    assert "3 players let in, 1 of them with a place." in page.flashes and not page.part("#held")
    assert names(stage.all(Player, state=PlayerState.REGISTERED)) == ["First", "Ada", "Dee"]
    assert names(stage.all(Player, state=PlayerState.WAITING, held=False)) == ["Bo", "Cy"]
    assert stage.journal(event, "let-in") == ["Let in 3 held sign-ups: Ada, Bo, Cy"]
    olga.press("Undo this step", at="/e/iron-open/desk/undo", typed="undo")
    assert names(stage.all(Player, held=True)) == ["Ada", "Bo", "Cy"]
    assert check_invariants(stage.s) == []


def test_desk_removes_all_sign_ups_of_the_address_and_time(app: Flask, stage: Stage, olga: Person) -> None:
    stage.event()
    sign_up(app, "Early of the hall")
    stage.clock.advance(minutes=10)
    olga.press(ADD, at=PLAYERS, **{"w-name": "At The Desk"})
    reach_limit(stage, app, but=1)
    sign_up(app, "Ada", ELSEWHERE)
    for name in ("Second", "Third", "Fourth"):
        sign_up(app, name)
    stage.clock.advance(minutes=2)
    sign_up(app, "Late of the hall")
    assert "Another 2 came from the same network" in olga.open(PLAYERS).part("#held")
    page = olga.press("Remove these sign-ups")
    assert page.part("h1") == "Remove 4 players?"
    assert page.part("ul.removal").count("·") == 4
    honest = str(stage.one(Player, name="Second").id)
    ticked = [text for text in page.value("chosen") if text != honest]
    olga.press("Remove ticked players", chosen=ticked)
    left = ["Early of the hall", "At The Desk", "Ada", "Second", "Late of the hall"]
    assert names(stage.all(Player)) == left
    assert not olga.open(PLAYERS).part("#held")
    assert check_invariants(stage.s) == []


def test_addresses_are_digests_and_are_cleared(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event()
    reach_limit(stage, app)
    sign_up(app, "Ada")
    sign_up(app, "Bo", ELSEWHERE)
    (digest,) = {player.signed_up_from for player in stage.all(Player) if player.name != "Bo"}
    assert len(digest) == 64 and HALL not in digest
    for page in ("desk/archive.json", "desk/journal.csv", "desk/players"):
        assert digest not in olga.ask("GET", f"/e/iron-open/{page}").text
    stage.clock.advance(minutes=15)
    sign_up(app, "Cy", ELSEWHERE)
    kept = [player.name for player in stage.all(Player) if player.signed_up_from]
    assert kept == ["First", "Ada", "Cy"], "a decision about Ada needs the address of First"
    olga.press("Let them in", at=PLAYERS)
    stage.clock.advance(minutes=15)
    sign_up(app, "Dee", ELSEWHERE)
    assert [player.name for player in stage.all(Player) if player.signed_up_from] == ["Dee"]
    stage.do(event, actions.register, "Eve", {"club": ""}, "", here=True)
    stage.do(event, actions.register, "Finn", {"club": ""}, "", here=True)
    for number in (1, 2, 3):
        stage.play(event, number)
    olga.press(CLOSE_EVENT, at="/e/iron-open/desk")
    assert {player.signed_up_from for player in stage.all(Player)} == {""}
    assert replay(stage.s, event).difference is None
    assert check_invariants(stage.s) == []
