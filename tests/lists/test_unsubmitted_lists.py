"""A list that was never submitted, or is a draft again, is hidden: after the lock, the reveal and the event."""

from collections.abc import Callable
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
from tests.kit.lists import DEADLINE, PIPER, ROSTER
from tests.kit.lost_server import Elsewhere
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.secrets_planted import everything
from tests.kit.stage import BY, Stage
from validators.contract import Document

pytestmark = [pytest.mark.both_databases]
Enter = Callable[..., list[Person]]
DRAFT = read_force(PIPER | {"name": "Qzdraft"})
ILLEGAL = read_force(PIPER | {"name": "Qzdraft", "models": []})


def player_of(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def doors(stage: Stage, event: Event, player: Player) -> list[str]:
    """Every address at which a guest could look for this player's list."""
    one = f"/e/{event.slug}/players/{player.id}"
    seals = [f"{one}/sealed/{seal.sha256}" for seal in stage.all(ListSeal, player_id=player.id)]
    public = ("", "/lists", "/standings", "/rounds/1", "/players.csv", "/rounds/1/pairings.pdf")
    forms = ("", "/force.json", "/force.pdf", "/force.ros", "/force.txt")
    return [*(f"/e/{event.slug}{page}" for page in public), *(one + page for page in forms), *seals]


def found_by(person: Person, stage: Stage, event: Event, player: Player, *canaries: str) -> list[str]:
    """Where this person finds the draft, or its hash."""
    hashes = [seal.sha256 for seal in stage.all(ListSeal, player_id=player.id)]
    found = []
    for address in doors(stage, event, player):
        told = everything(person.ask("GET", address))
        found += [address for one in (*canaries, *hashes) if one in told and one not in address]
        found += [address for one in ("Pipe Wrench",) if one in told]
    return found


def reveal(stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        locks.reveal(s, event, BY, stage.clock())


@pytest.mark.proves("G4", "attack 54")
@pytest.mark.parametrize("document", [DRAFT, ILLEGAL], ids=["legal", "illegal"])
@pytest.mark.parametrize("shown", [ListsShown.AT_LOCK, ListsShown.ON_PRESS, ListsShown.AFTER_EVENT])
def test_unsubmitted_draft_is_hidden_from_guests(
    app: Flask, enter: Enter, olga: Person, stage: Stage, clock: Clock, shown: ListsShown, document: Document
) -> None:
    event = stage.event(lists_shown=shown, rounds=1)
    ada, bo = enter(event, "Ada", "Bo")
    drafted, other = stage.all(Player)
    stage.force(event, drafted, document, submit=False)
    stage.force(event, other, read_force(PIPER | {"name": "Sent", "models": []}), submit=False)
    clock.now = DEADLINE
    guests = [Person(app), bo]
    for game in stage.publish(event, 1):
        assert [found_by(guest, stage, event, drafted, "Qzdraft") for guest in guests] == [[], []], "locked"
        stage.decide(event, game, 2, 1)
    if shown == ListsShown.ON_PRESS:
        reveal(stage, event)
    with stage.changing(event) as s:
        setup_actions.finish(s, event, BY, clock())
    guests[0].open("/e/iron-open")
    assert stage.now(event).lists_revealed_at is not None
    assert [found_by(guest, stage, event, drafted, "Qzdraft") for guest in guests] == [[], []], "revealed, and over"
    assert guests[0].open("/e/iron-open/lists").part("main .empty") == "No force was handed in."
    assert "No force was handed in." in guests[0].open(f"/e/iron-open/players/{drafted.id}").part("#force")
    assert stage.now(drafted).faction == ""
    for person in (ada, olga):
        assert "Qzdraft" in person.ask("GET", f"/e/iron-open/players/{drafted.id}/force.json").text
        assert person.ask("GET", f"/e/iron-open/players/{drafted.id}/force.pdf").status_code == 200
        sealed = stage.one(ListSeal, player_id=drafted.id).sha256
        assert person.ask("GET", f"/e/iron-open/players/{drafted.id}/sealed/{sealed}").status_code == 200


@pytest.mark.proves("G4", "attack 54")
def test_a_list_sent_back_after_the_lock_is_hidden_until_it_is_submitted_and_locked_again(
    app: Flask, enter: Enter, stage: Stage, clock: Clock
) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    (ada,) = enter(event, "Ada")
    player = player_of(stage, "Ada")
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
        assert first in guest.ask("GET", "/e/iron-open/lists").text, "what was published stays published"
        assert ada.ask("GET", f"{address}/force.json").status_code == 200
        if step == "unlocked":
            with stage.changing(event) as s:
                locks.lock_again(s, event, player, BY, clock())
    with stage.changing(event) as s:
        locks.unlock(s, event, player, None, BY, clock())
    stage.force(event, player, read_force(PIPER | {"name": "Qzsecond"}))
    assert "Qzsecond" not in "".join(everything(guest.ask("GET", one)) for one in doors(stage, event, player))
    assert "Qzfirst" in guest.ask("GET", f"{address}/sealed/{first}").text, "as it was locked"
    with stage.changing(event) as s:
        locks.lock_again(s, event, player, BY, clock())
    assert "Qzsecond" in guest.ask("GET", f"{address}/force.json").text
    second = stage.all(ListSeal)[-1]
    assert second.submitted
    assert "Qzsecond" in guest.ask("GET", f"{address}/sealed/{second.sha256}").text


@pytest.mark.proves("G4", "attack 54")
def test_a_draft_that_the_organiser_submits_after_the_lock_gets_a_seal_and_is_shown(
    app: Flask, enter: Enter, stage: Stage, clock: Clock
) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    enter(event, "Ada")
    player = player_of(stage, "Ada")
    stage.force(event, player, DRAFT, submit=False)
    clock.now = DEADLINE
    guest = Person(app)
    assert found_by(guest, stage, event, player, "Qzdraft") == []
    clock.now += timedelta(hours=1)
    with stage.changing(event) as s:
        lists_actions.submit_force(s, event, player, BY, clock())
    late, handed_in = stage.all(ListSeal)
    assert [(late.submitted, late.at), (handed_in.submitted, handed_in.at)] == [(False, DEADLINE), (True, clock())]
    assert late.sha256 not in guest.open("/e/iron-open/lists").text
    assert handed_in.sha256 in guest.open("/e/iron-open/lists").text
    address = f"/e/iron-open/players/{player.id}"
    assert guest.ask("GET", f"{address}/force.json").status_code == 200
    assert guest.ask("GET", f"{address}/sealed/{handed_in.sha256}").status_code == 200
    assert guest.ask("GET", f"{address}/sealed/{late.sha256}").status_code == 404
    assert stage.now(player).faction == "Survivors"


@pytest.mark.proves("G4", "attack 54")
def test_no_scoresheet_or_round_pack_prints_a_draft(enter: Enter, olga: Person, stage: Stage, clock: Clock) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    ada, bo = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER | {"name": "Qzlist"}), submit=player.name == "Bo")
    clock.now = DEADLINE
    (game,) = stage.publish(event, 1)
    address = "/e/iron-open/"
    told = [
        everything(olga.ask("GET", address + one)) for one in ("rounds/1/scoresheets.pdf", "desk/rounds/1/pack.pdf")
    ]
    stage.decide(event, game, 2, 1)
    told.append(everything(olga.ask("GET", address + "desk/rounds/1/records.pdf")))
    told += [everything(person.ask("GET", f"{address}games/{game.id}/sheet.pdf")) for person in (ada, bo)]
    assert [(one.count("Leader: Piper"), "200 OK" in one) for one in told] == [(1, True)] * 5, "Bo's alone"
    with ZipFile(BytesIO(olga.ask("GET", "/e/iron-open/desk/rounds/1/pack.zip").data)) as packed:
        pages = {
            name: packed.read(name).decode()
            for name in packed.namelist()
            if "/pages/" in name and name.endswith(".html")
        }
    assert "".join(pages.values()).count("Pipe Wrench") == 2, "on the page of lists, and on Bo's own"


@pytest.mark.proves("G4", "attack 54")
def test_a_new_size_hides_the_list_that_it_makes_a_draft(app: Flask, enter: Enter, stage: Stage, clock: Clock) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    enter(event, "Ada")
    player = player_of(stage, "Ada")
    stage.force(event, player, DRAFT)
    clock.now = DEADLINE
    guest = Person(app)
    assert found_by(guest, stage, event, player) != [], "the control: it is shown"
    with stage.changing(event) as s:
        force = force_of(s, player)
        assert force is not None
        force.submitted_before, force.submitted_at = force.submitted_at, None
        force.sent_back_by_terms, force.sent_back_at = True, clock()
    assert found_by(guest, stage, event, player, "Qzdraft") == [
        "/e/iron-open/lists",
        f"/e/iron-open/players/{player.id}",
    ], "the published hash alone"


@pytest.mark.proves("G4", "attack 54")
def test_a_roster_that_was_not_submitted_is_not_shown_to_the_opponent_and_fields_nothing(
    enter: Enter, olga: Person, stage: Stage, clock: Clock
) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    olga.open("/e/iron-open/desk/restrictions")
    olga.press("Save", roster_size="1000", choose_minutes="5")
    ada, bo = enter(event, "Ada", "Bo")
    mine, _ = stage.all(Player)
    stage.force(event, mine, read_force(ROSTER), submit=False)
    clock.now = DEADLINE
    stage.publish(event, 1)
    assert "Minuteman" in ada.open("/e/iron-open/me/fielded").text
    assert "Minuteman" not in bo.open("/e/iron-open/me/fielded").text
    page = ada.press("Field these", places=["0"])
    assert page.status == 422
    assert "never submitted" in page.text
    assert stage.one(ForceList).submitted_at is None


@pytest.mark.proves("G4", "attack 54")
def test_an_archive_taken_in_elsewhere_shows_no_draft(
    enter: Enter, olga: Person, stage: Stage, clock: Clock, app: Flask, elsewhere: Elsewhere
) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, DRAFT if player.name == "Ada" else read_force(PIPER), submit=player.name == "Bo")
    clock.now = DEADLINE
    stage.publish(event, 1)
    archive = olga.ask("GET", "/e/iron-open/desk/archive.json").data
    there = elsewhere()
    nora = let_in(app, there.set_up("Nora"))
    nora.open("/desk/archive-in")
    assert nora.press("Take it in", file=("event.json", archive)).path == "/e/iron-open/desk"
    guest, other = Person(app), there.one(Event)
    ada, bo = there.all(Player)
    assert there.one(ListSeal, player_id=ada.id), "the control: it came along"
    assert guest.ask("GET", f"/e/iron-open/players/{bo.id}/force.json").status_code == 200
    hashes = [seal.sha256 for seal in there.all(ListSeal, player_id=ada.id)]
    told = {address: everything(guest.ask("GET", address)) for address in doors(there, other, ada)}
    assert [
        address for address, text in told.items() for one in ("Qzdraft", *hashes) if one in text and one not in address
    ] == []
    there.s.close()


@pytest.mark.proves("G4", "attack 54")
def test_other_players_read_nothing_of_a_draft_from_the_points_that_lists_earn(
    app: Flask, enter: Enter, olga: Person, stage: Stage, clock: Clock
) -> None:
    """Whether there is a draft, and whether it is legal, changes no figure: it is as late as no list at all."""
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    olga.open("/e/iron-open/desk/restrictions")
    olga.press("Save", on_time_points="2", error_free_points="1", late_points="3")
    enter(event, "Ada", "Bo", "Cy", "Dee")
    for player, document in zip(stage.all(Player), (DRAFT, ILLEGAL), strict=False):
        stage.force(event, player, document, submit=False)
    clock.now = DEADLINE
    for game in stage.publish(event, 1):
        stage.decide(event, game, 2, 2)
    rows = stage.standings(event)
    assert {(row.points, row.how["points"].partition("+")[2]) for row in rows} == {
        (rows[0].points, rows[0].how["points"].partition("+")[2])
    }
    assert "Qzdraft" not in Person(app).open("/e/iron-open/standings").text
