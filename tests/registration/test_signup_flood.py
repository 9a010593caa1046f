"""A flood of sign-ups: the default number of places, removing players, and sign-ups that need approval."""

import pytest
from flask import Flask

from events.journal.invariants import check_invariants
from events.registration import team_actions
from events.registration.leaving import drop
from models.message import Contact, Delivery
from models.play import ForceList, ForceStep, ListSeal, Player
from models.team import Team
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import Links
from tests.kit.person import ADD, ADD_ALL, OPEN_REGISTRATION, SIGN_UP, Page, Person, Value
from tests.kit.stage import Event, Stage
from tests.kit.statements import sent
from tests.kit.team_events import team_event
from tests.kit.writing import give_mail, write_to

PLAYERS = "/e/iron-open/desk/players"
SELECTED = "form.selection"
REMOVE = "Remove ticked players"


def states(stage: Stage) -> dict[str, str]:
    return {player.name: player.state.value for player in stage.all(Player)}


def sign_up(app: Flask, name: str) -> Person:
    visitor = Person(app)
    assert visitor.press(SIGN_UP, at="/e/iron-open/register", name=name).path == "/e/iron-open/me/link"
    return visitor


def select(olga: Person, stage: Stage, *names: str) -> Page:
    olga.open(PLAYERS)
    chosen = [str(player.id) for player in stage.all(Player) if player.name in names]
    return olga.press("Remove selected", inside=SELECTED, chosen=chosen)


def remove(olga: Person, stage: Stage, *names: str) -> Page:
    select(olga, stage, *names)
    return olga.press(REMOVE)


def follow(olga: Person, words: str) -> Page:
    return olga.open(str(next(a["href"] for a in olga.page.soup.select("a") if a.get_text().strip().startswith(words))))


def names(person: Person) -> list[str]:
    return [row[0] for row in person.page.rows("table.check-in")]


@pytest.mark.proves("attack 60")
def test_new_event_has_32_places_and_the_next_sign_up_waits(app: Flask, olga: Person, stage: Stage) -> None:
    assert olga.open("/desk/new").value("places") == "32"
    olga.press("Create event", name="Iron Open", place="Bar", starts_on="2026-12-05")
    event = stage.one(Event, slug="iron-open")
    assert event.places == 32
    assert "without a limit" not in olga.page.text
    olga.press(OPEN_REGISTRATION)
    stage.enter(event, *(f"Player {number}" for number in range(32)), here=False)
    sign_up(app, "Late")
    assert states(stage)["Late"] == "waiting"
    page = olga.press("Create event", at="/desk/new", name="Rust Cup", place="Bar", starts_on="2026-12-05", places="")
    assert stage.one(Event, slug="rust-cup").places is None
    assert "no limit of places" in page.part(".next-blockers") and "Set the places" in page.part(".next-blockers")
    assert "Registration is open." in olga.press(OPEN_REGISTRATION).flashes, "it is allowed"


@pytest.mark.proves("attack 60")
@pytest.mark.both_at_length
def test_flood_of_the_last_hour_is_removed_in_four_clicks(olga: Person, stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, "Zoe", here=False)
    stage.clock.advance(minutes=20)
    stage.enter(event, "Bo", here=False)
    stage.clock.advance(hours=2)
    junk = [f"Junk {number}" for number in range(4)]
    stage.enter(event, *junk, here=False)
    stage.clock.advance(minutes=30)
    olga.open(PLAYERS)
    assert names(olga) == ["Bo", *junk, "Zoe"]
    follow(olga, "Newest first")
    assert names(olga) == [*reversed(junk), "Bo", "Zoe"]
    assert olga.page.part("table.check-in tr:last-child td.signed-up") == "21 Nov, 10:00"
    follow(olga, "Last hour")
    assert sorted(names(olga)) == junk
    follow(olga, "Select all")
    page = olga.press("Remove selected", inside=SELECTED)
    assert all(name in page.text for name in junk), "the confirmation names everyone"
    assert len(stage.all(Player)) == 6, "nothing is removed before it is confirmed"
    page = olga.press(REMOVE)
    assert (page.path, "4 players removed" in page.flashes) == (PLAYERS, True)
    assert states(stage) == {"Zoe": "registered", "Bo": "registered"}
    assert stage.journal(event, "remove-players") == ["Removed 4 players: Junk 0, Junk 1, Junk 2, Junk 3"]
    assert check_invariants(stage.s) == []


def test_players_page_takes_no_more_queries_for_more(app: Flask, olga: Person, stage: Stage, event: Event) -> None:
    def queries() -> int:
        with sent(app.extensions["overseer_engine"]) as asked:
            assert olga.open(PLAYERS).status == 200
        return len(asked)

    stage.enter(event, *(f"Player {number}" for number in range(3)), here=False)
    few = queries()
    stage.enter(event, *(f"More {number}" for number in range(30)), here=False)
    assert queries() == few


@pytest.mark.proves("attack 60")
@pytest.mark.both_databases
def test_removed_player_leaves_no_row_no_link_and_no_id_behind(
    app: Flask, olga: Person, stage: Stage, event: Event, link_of: Links
) -> None:
    """A new player with the same id could read the removed player's journal entries and list."""
    stage.enter(event, "Ada", here=False)
    junk_phone = sign_up(app, "Junk")
    junk = stage.one(Player, name="Junk")
    old_id, link = junk.id, link_of(junk)
    give_mail(stage, event, junk)
    stage.force(event, junk, read_force(PIPER))
    write_to(stage, event)
    stage.clock.advance(days=13, hours=10)  # the deadline locks the lists
    olga.open("/e/iron-open")
    assert stage.all(ListSeal, player_id=old_id)
    assert "Select at least one player" in olga.press("Remove selected", at=PLAYERS, inside=SELECTED).flashes
    remove(olga, stage, "Junk")
    assert [player.name for player in stage.all(Player)] == ["Ada"]
    of_junk = [stage.all(table, player_id=old_id) for table in (ForceList, ListSeal, Contact, Delivery)]
    assert of_junk == [[], [], [], []]
    assert stage.all(ForceStep) == []
    assert check_invariants(stage.s) == []
    assert "Removed Junk" in olga.open("/e/iron-open/desk/journal").text
    bo = sign_up(app, "Bo")
    assert stage.one(Player, name="Bo").id != old_id
    assert "Junk" not in bo.open("/e/iron-open/me/journal").text
    assert junk_phone.open("/e/iron-open/me").status == 403
    assert Person(app).open(link).status == 404


@pytest.mark.both_at_length
def test_player_with_a_game_is_dropped_and_stays_in_the_results(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.enter(event, "Junk", here=False)
    stage.draw(event, 1)
    stage.play(event, 1)
    page = select(olga, stage, "Bo", "Junk")
    assert "Bo" in page.part("#dropped")
    assert "Junk" in page.part("#removed")
    olga.press(REMOVE)
    assert states(stage) == {"Ada": "checked_in", "Bo": "dropped"}
    assert [row.name for row in stage.standings(event)] == ["Ada", "Bo"]
    assert stage.journal(event, "drop") == ["Dropped Bo after round 1"]
    assert check_invariants(stage.s) == []


@pytest.mark.both_at_length
def test_removal_passes_places_on_and_can_be_submitted_only_once(olga: Person, stage: Stage) -> None:
    event = stage.event(places=2)
    stage.enter(event, "Junk 1", "Junk 2", "Junk 3", "Ada", here=False)
    assert states(stage)["Ada"] == "waiting"
    confirmation = select(olga, stage, "Junk 1", "Junk 2", "Junk 3")
    olga.press(REMOVE)
    assert states(stage) == {"Ada": "registered"}
    olga.page = confirmation
    assert "removed already" in olga.press(REMOVE).flashes
    assert states(stage) == {"Ada": "registered"}
    assert len(stage.journal(event, "remove-players")) == 1


@pytest.mark.both_at_length
def test_removal_is_undone_with_list_and_state(olga: Person, stage: Stage, event: Event) -> None:
    (junk,) = stage.enter(event, "Junk")
    stage.force(event, junk, read_force(PIPER))
    give_mail(stage, event, junk)
    remove(olga, stage, "Junk")
    page = olga.press("Undo this step", at="/e/iron-open/desk/undo", typed="undo")
    assert "Undone: Removed Junk" in page.flashes
    assert states(stage) == {"Junk": "checked_in"}
    assert stage.one(ForceList).submitted_at is not None
    assert stage.all(Contact) == [], "mail addresses are in no journal"
    assert check_invariants(stage.s) == []


def test_removal_is_not_undone_once_the_name_or_the_place_is_taken(olga: Person, stage: Stage) -> None:
    event = stage.event(places=2)
    stage.enter(event, "Junk", "More", here=False)
    for chosen, then, words in (
        ("Junk", "Junk", "Junk has signed up again"),
        ("More", "Ada", "All 2 places are taken"),
    ):
        remove(olga, stage, chosen)
        stage.enter(event, then, here=False)
        page = olga.press("Undo this step", at="/e/iron-open/desk/undo", typed="undo")
        assert (page.status, words in page.text) == (422, True), page.text


@pytest.mark.both_at_length
def test_team_left_empty_by_a_removal_is_deleted(olga: Person, stage: Stage) -> None:
    event = team_event(stage, 2)
    for name, team in (("Junk 1", "Spam"), ("Junk 2", "Spam"), ("Ada", "Reds"), ("Junk 3", "Reds")):
        stage.do(event, team_actions.enter_team, name, {}, "", team=team)
    remove(olga, stage, "Junk 1", "Junk 2", "Junk 3")
    assert [team.name for team in stage.all(Team)] == ["Reds"]
    assert check_invariants(stage.s) == []


@pytest.mark.proves("attack 60")
@pytest.mark.both_at_length
def test_sign_up_is_secret_until_approved(app: Flask, olga: Person, visitor: Person, stage: Stage) -> None:
    event = stage.event(places=3)
    olga.press("Save", at="/e/iron-open/desk/settings/registration", approval=True)
    assert stage.now(event).approval
    assert "organiser approves" in visitor.open("/e/iron-open/register").text
    ada = sign_up(app, "Canary")
    assert states(stage) == {"Canary": "waiting"}, "although places are free"
    assert "Waiting for the organiser’s approval" in ada.page.text
    assert "Waiting for the organiser’s approval" in ada.open("/e/iron-open/me").text
    page = f"/e/iron-open/players/{stage.one(Player).id}"
    for address in ("", "/players.csv", "/teams", "/lists", "/hall", f"/players/{stage.one(Player).id}"):
        assert "Canary" not in visitor.open(f"/e/iron-open{address}").text, address
    assert [person.open(page).status for person in (visitor, ada, olga)] == [404, 200, 200]
    assert "Canary" in olga.open(PLAYERS).text
    walk_in: dict[str, Value] = {"w-name": "Walk In", "w-here": False}
    olga.press(ADD, at=PLAYERS, inside="#walk-in", **walk_in)
    olga.press(ADD_ALL, inside="#paste", **{"p-names": "Pasted"})
    assert states(stage) == {"Canary": "waiting", "Walk In": "registered", "Pasted": "registered"}
    stage.set(event, approval=False)
    assert "Canary" in visitor.open("/e/iron-open").text, "the control: a plain waiting list is public"


@pytest.mark.both_at_length
def test_selected_players_are_marked_as_painted(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy")
    assert "painted" not in olga.open(PLAYERS).text, "it counts for nothing in this event"
    stage.set(event, painting_points=1)
    for names, said in ((("Ada", "Bo"), "2 players"), (("Bo", "Cy"), "1 player")):
        chosen = [str(stage.one(Player, name=name).id) for name in names]
        page = olga.press("Mark selected as painted", at=PLAYERS, inside=SELECTED, chosen=chosen)
        assert f"{said} marked as fully painted." in page.flashes
    assert all(player.painted for player in stage.all(Player))
    noted = ["2 forces are fully painted: Ada, Bo", "The force of Cy is fully painted"]
    assert stage.journal(event, "painted") == noted


def test_only_selected_sign_ups_get_free_places(app: Flask, olga: Person, stage: Stage) -> None:
    event = stage.event(places=3)
    stage.set(event, approval=True)
    for name in ("Eve", "Dee", "Cy", "Bo", "Ada"):
        sign_up(app, name)
        stage.clock.advance(minutes=1)
    olga.open(PLAYERS)
    chosen = [str(player.id) for player in stage.all(Player) if player.name in ("Ada", "Cy")]
    assert "2 players have a place" in olga.press("Give a place to selected", inside=SELECTED, chosen=chosen).flashes
    assert {name for name, state in states(stage).items() if state == "registered"} == {"Ada", "Cy"}
    page = olga.press("Give a place to all that fit", inside=SELECTED)
    assert {name for name, state in states(stage).items() if state == "registered"} == {"Ada", "Cy", "Eve"}
    assert "2 players still wait: too few places are free" in page.flashes
    assert stage.journal(event, "give-place") == ["Gave 2 players a place: Cy, Ada", "Gave Eve a place"]
    stage.do(event, drop, stage.one(Player, name="Eve"))
    remove(olga, stage, "Cy")
    assert states(stage) == {"Eve": "dropped", "Dee": "waiting", "Bo": "waiting", "Ada": "registered"}
