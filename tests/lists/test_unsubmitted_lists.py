"""A list that was never submitted, or is a draft again, stays hidden after the lock, the reveal and the event."""

from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from flask import Flask

from events.lists import actions as lists_actions
from events.lists import locks
from events.play.queries import force_of
from events.setup import actions as setup_actions
from models.event import Event, ListsShown
from models.play import ForceList, ListSeal, Player
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER, ROSTER, Enter
from tests.kit.lost_server import Elsewhere
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.secrets_planted import everything
from tests.kit.stage import BY, Stage

DRAFT = read_force(PIPER | {"name": "Qzdraft"})
ILLEGAL = read_force(PIPER | {"name": "Qzdraft", "models": []})


def addresses(stage: Stage, event: Event, player: Player) -> list[str]:
    """Every address at which a guest could find this player's list."""
    one = f"/e/{event.slug}/players/{player.id}"
    seals = [f"{one}/sealed/{seal.sha256}" for seal in stage.all(ListSeal, player_id=player.id)]
    public = ("", "/lists", "/standings", "/rounds/1", "/players.csv", "/rounds/1/pairings.pdf")
    forms = ("", "/force.json", "/force.pdf", "/force.ros", "/force.txt")
    return [*(f"/e/{event.slug}{page}" for page in public), *(one + page for page in forms), *seals]


def found_by(person: Person, stage: Stage, event: Event, player: Player, *canaries: str) -> list[str]:
    """The addresses at which this person finds the draft or its hash."""
    hashes = [seal.sha256 for seal in stage.all(ListSeal, player_id=player.id)]
    found = []
    for address in addresses(stage, event, player):
        answer = everything(person.ask("GET", address))
        found += [address for one in (*canaries, *hashes) if one in answer and one not in address]
        found += [address] * ("Pipe Wrench" in answer)
    return found


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event that shows its lists at the lock."""
    return stage.event(lists_shown=ListsShown.AT_LOCK)


@pytest.mark.proves("G4", "attack 54")
@pytest.mark.both_at_length
@pytest.mark.parametrize("shown", [ListsShown.AT_LOCK, ListsShown.ON_PRESS, ListsShown.AFTER_EVENT])
def test_draft_is_hidden_from_guests(
    app: Flask, enter: Enter, olga: Person, stage: Stage, clock: Clock, shown: ListsShown
) -> None:
    event = stage.event(lists_shown=shown, rounds=1)
    ada, bo = enter(event, "Ada", "Bo")
    players = stage.all(Player)
    for player, document in zip(players, (DRAFT, ILLEGAL), strict=True):
        stage.force(event, player, document, submit=False)
    clock.now = DEADLINE
    guests = [(Person(app), players[0]), (Person(app), players[1]), (bo, players[0]), (ada, players[1])]

    def found() -> list[list[str]]:
        return [found_by(guest, stage, event, player, "Qzdraft") for guest, player in guests[:3]]

    for game in stage.publish(event, 1):
        assert found() == [[]] * 3, "locked"
        stage.decide(event, game, 2, 1)
    with stage.changing(event) as s:
        if shown == ListsShown.ON_PRESS:
            locks.reveal(s, event, BY, clock())
    with stage.changing(event) as s:
        setup_actions.finish(s, event, BY, clock())
    guest, drafted = guests[0]
    guest.open("/e/iron-open")
    assert stage.now(event).lists_revealed_at is not None
    assert found() == [[]] * 3, "shown, and the event is over"
    assert guest.open("/e/iron-open/lists").part("main .empty") == "No list was submitted."
    assert "No list was submitted." in guest.open(f"/e/iron-open/players/{drafted.id}").part("#force")
    assert stage.now(drafted).faction == ""
    for person in (ada, olga):
        address = f"/e/iron-open/players/{drafted.id}"
        assert "Qzdraft" in person.ask("GET", f"{address}/force.json").text
        assert person.ask("GET", f"{address}/force.pdf").status_code == 200
        sealed = stage.one(ListSeal, player_id=drafted.id).sha256
        assert person.ask("GET", f"{address}/sealed/{sealed}").status_code == 200


@pytest.mark.proves("G4", "attack 54")
@pytest.mark.both_at_length
def test_list_sent_back_after_the_lock_is_hidden_until_submitted_and_locked_again(
    app: Flask, enter: Enter, stage: Stage, clock: Clock, event: Event
) -> None:
    (ada,) = enter(event, "Ada")
    player = stage.one(Player)
    stage.force(event, player, read_force(PIPER | {"name": "Qzfirst"}))
    clock.now = DEADLINE
    guest = Person(app)
    address = f"/e/iron-open/players/{player.id}"
    assert "Qzfirst" in guest.ask("GET", f"{address}/force.json").text, "the control: it was submitted"
    first = stage.one(ListSeal).sha256
    with stage.changing(event) as s:
        force = force_of(s, player)
        assert force is not None
        lists_actions.send_back(s, event, player, "Which Piper?", lists_actions.mark_of(force), BY, clock())
    for step in ("unlocked", "locked again"):
        for page in ("/force.json", "/force.pdf", f"/sealed/{first}"):
            assert guest.ask("GET", address + page).status_code == 404, step
        assert "Pipe Wrench" not in guest.ask("GET", "/e/iron-open/lists").text
        assert first in guest.ask("GET", "/e/iron-open/lists").text, "a published hash stays published"
        assert ada.ask("GET", f"{address}/force.json").status_code == 200
        if step == "unlocked":
            with stage.changing(event) as s:
                locks.lock_again(s, event, player, BY, clock())
    with stage.changing(event) as s:
        locks.unlock(s, event, player, None, BY, clock())
    stage.force(event, player, read_force(PIPER | {"name": "Qzsecond"}))
    assert "Qzsecond" not in "".join(everything(guest.ask("GET", one)) for one in addresses(stage, event, player))
    assert "Qzfirst" in guest.ask("GET", f"{address}/sealed/{first}").text, "as it was locked"
    with stage.changing(event) as s:
        locks.lock_again(s, event, player, BY, clock())
    assert "Qzsecond" in guest.ask("GET", f"{address}/force.json").text
    second = stage.all(ListSeal)[-1]
    assert second.submitted
    assert "Qzsecond" in guest.ask("GET", f"{address}/sealed/{second.sha256}").text


@pytest.mark.proves("G4", "attack 54")
def test_draft_that_the_organiser_submits_after_the_lock_is_sealed_and_shown(
    app: Flask, stage: Stage, clock: Clock, event: Event
) -> None:
    (player,) = stage.enter(event, "Ada")
    stage.force(event, player, DRAFT, submit=False)
    clock.now = DEADLINE
    guest = Person(app)
    assert found_by(guest, stage, event, player, "Qzdraft") == []
    clock.now += timedelta(hours=1)
    with stage.changing(event) as s:
        lists_actions.submit_force(s, event, player, BY, clock())
    draft, submitted = stage.all(ListSeal)
    assert [(one.submitted, one.at) for one in (draft, submitted)] == [(False, DEADLINE), (True, clock())]
    page = guest.open("/e/iron-open/lists").text
    assert (draft.sha256 in page, submitted.sha256 in page) == (False, True)
    address = f"/e/iron-open/players/{player.id}"
    asked = ("force.json", f"sealed/{submitted.sha256}", f"sealed/{draft.sha256}")
    assert [guest.ask("GET", f"{address}/{one}").status_code for one in asked] == [200, 200, 404]
    assert stage.now(player).faction == "Survivors"


@pytest.mark.proves("G4", "attack 54")
def test_no_scoresheet_or_round_pack_prints_a_draft(
    enter: Enter, olga: Person, stage: Stage, clock: Clock, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER | {"name": "Qzlist"}), submit=player.name == "Bo")
    clock.now = DEADLINE
    (game,) = stage.publish(event, 1)
    base = "/e/iron-open/"
    printed = [
        everything(olga.ask("GET", base + one)) for one in ("rounds/1/scoresheets.pdf", "desk/rounds/1/pack.pdf")
    ]
    stage.decide(event, game, 2, 1)
    printed.append(everything(olga.ask("GET", base + "desk/rounds/1/records.pdf")))
    printed += [everything(person.ask("GET", f"{base}games/{game.id}/sheet.pdf")) for person in (ada, bo)]
    assert [(one.count("Leader: Piper"), "200 OK" in one) for one in printed] == [(1, True)] * 5, "Bo's alone"
    with ZipFile(BytesIO(olga.ask("GET", f"{base}desk/rounds/1/pack.zip").data)) as packed:
        names = [name for name in packed.namelist() if "/pages/" in name and name.endswith(".html")]
        pages = "".join(packed.read(name).decode() for name in names)
    assert pages.count("Pipe Wrench") == 2, "on the page of lists, and on Bo's own"


@pytest.mark.proves("G4", "attack 54")
def test_draft_roster_is_hidden_from_the_opponent_and_fields_nothing(
    enter: Enter, olga: Person, stage: Stage, clock: Clock, event: Event
) -> None:
    olga.open("/e/iron-open/desk/restrictions")
    olga.press("Save", roster_size="1000", choose_minutes="5")
    ada, bo = enter(event, "Ada", "Bo")
    stage.force(event, stage.all(Player)[0], read_force(ROSTER), submit=False)
    clock.now = DEADLINE
    stage.publish(event, 1)
    assert "Minuteman" in ada.open("/e/iron-open/me/fielded").text
    assert "Minuteman" not in bo.open("/e/iron-open/me/fielded").text
    page = ada.press("Field these models", places=["0"])
    assert (page.status, "never submitted" in page.text) == (422, True)
    assert stage.one(ForceList).submitted_at is None


@pytest.mark.proves("G4", "attack 54")
@pytest.mark.both_at_length
def test_draft_stays_hidden_when_an_archive_is_restored(
    olga: Person, stage: Stage, clock: Clock, app: Flask, elsewhere: Elsewhere, event: Event
) -> None:
    for player in stage.enter(event, "Ada", "Bo"):
        stage.force(event, player, DRAFT if player.name == "Ada" else read_force(PIPER), submit=player.name == "Bo")
    clock.now = DEADLINE
    stage.publish(event, 1)
    archive = olga.ask("GET", "/e/iron-open/desk/archive.json").data
    there = elsewhere()
    nora = let_in(app, there.set_up("Nora"))
    nora.open("/desk/archive-in")
    assert nora.press("Import", file=("event.json", archive)).path == "/e/iron-open/desk"
    guest, (ada, bo) = Person(app), there.all(Player)
    assert there.one(ListSeal, player_id=ada.id), "the control: the seal is in the archive"
    assert guest.ask("GET", f"/e/iron-open/players/{bo.id}/force.json").status_code == 200
    found = found_by(guest, there, there.one(Event), ada, "Qzdraft")
    assert set(found) == {"/e/iron-open/lists"}, "Bo's list"
    hashes = [seal.sha256 for seal in there.all(ListSeal, player_id=ada.id)]
    assert not [one for one in ("Qzdraft", *hashes) if one in guest.open("/e/iron-open/lists").response.text]
    there.s.close()


@pytest.mark.proves("G4", "attack 54")
def test_list_points_do_not_tell_a_draft_from_no_list(
    app: Flask, olga: Person, stage: Stage, clock: Clock, event: Event
) -> None:
    olga.open("/e/iron-open/desk/restrictions")
    olga.press("Save", on_time_points="2", error_free_points="1", late_points="3")
    for player, document in zip(stage.enter(event, "Ada", "Bo", "Cy", "Dee"), (DRAFT, ILLEGAL), strict=False):
        stage.force(event, player, document, submit=False)
    clock.now = DEADLINE
    for game in stage.publish(event, 1):
        stage.decide(event, game, 2, 2)
    rows = stage.standings(event)
    assert len({(row.points, row.how["points"].partition("+")[2]) for row in rows}) == 1
    assert "Qzdraft" not in Person(app).open("/e/iron-open/standings").text
