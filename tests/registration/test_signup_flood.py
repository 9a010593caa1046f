"""A flood of sign-ups: a default number of places, removal in a few clicks, and sign-ups that need approval."""

from collections.abc import Callable
from datetime import date

import pytest
from flask import Flask

from events.journal.invariants import check_invariants
from events.registration import team_actions
from events.setup.actions import create_event, default_settings
from models.event import Event, EventState
from models.message import Contact, Delivery
from models.play import ForceList, ForceStep, ListSeal, Player
from models.staff import Role
from models.team import Team
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Person, Value
from tests.kit.stage import BY, Stage
from tests.kit.statements import sent
from tests.kit.team_events import team_event
from tests.kit.writing import give_mail, write_to

PLAYERS = "/e/iron-open/desk/players"
SELECTED = "form.selection"


def states(stage: Stage) -> dict[str, str]:
    """Each player's state by name."""
    return {player.name: player.state.value for player in stage.all(Player)}


def sign_up(app: Flask, name: str, slug: str = "iron-open") -> Person:
    """A visitor who signs up on the event's page."""
    visitor = Person(app)
    visitor.open(f"/e/{slug}/register")
    assert visitor.press("Register", name=name).path == f"/e/{slug}/me/link"
    return visitor


def names(person: Person) -> list[str]:
    """The names in the table, from the top."""
    return [row[0] for row in person.page.rows("table.check-in")]


# ---- places


@pytest.mark.proves("attack 60")
def test_new_event_has_32_places_and_the_next_sign_up_waits(app: Flask, olga: Person, stage: Stage) -> None:
    olga.open("/desk/new")
    assert olga.page.value("places") == "32"
    olga.press("Make the event", name="Iron Open", place="Bar", starts_on="2026-12-05")
    event = stage.one(Event)
    assert event.places == 32
    assert "without a limit" not in olga.page.text
    olga.press("Open registration")
    stage.enter(event, *(f"Player {number}" for number in range(32)), here=False)
    sign_up(app, "Late")
    assert states(stage)["Late"] == "waiting"


@pytest.mark.proves("attack 60")
def test_event_created_by_code_has_32_places(stage: Stage) -> None:
    with stage.changing() as s:
        wanted = default_settings("battle_mode", "By Code", "Bar", date(2026, 12, 5), "UTC", stage.clock())
        assert create_event(s, wanted, BY, stage.clock()).places == 32


@pytest.mark.proves("attack 60")
def test_desk_warns_before_registration_opens_without_a_limit(olga: Person, stage: Stage) -> None:
    olga.open("/desk/new")
    page = olga.press("Make the event", name="Iron Open", place="Bar", starts_on="2026-12-05", places="")
    event = stage.one(Event)
    assert event.places is None
    first = page.part(".steps .first")
    assert "no limit of places" in first
    assert "Settings" in first
    assert "Registration is open." in olga.press("Open registration").flashes, "without a limit is allowed"


def test_settings_keep_no_limit_when_places_are_left_blank(olga: Person, stage: Stage, event: Event) -> None:
    for typed, stored in (("40", 40), ("", None)):
        olga.open("/e/iron-open/desk/settings")
        assert olga.press("Save", places=typed).flashes == "Saved."
        assert stage.now(event).places == stored


# ---- the players page


@pytest.mark.proves("attack 60")
@pytest.mark.both_databases
def test_flood_of_the_last_hour_is_removed_in_four_clicks(olga: Person, stage: Stage, clock: Clock) -> None:
    event = stage.event()
    stage.enter(event, "Ada", "Bo", here=False)
    clock.advance(hours=2)
    stage.enter(event, *(f"Junk {number}" for number in range(30)), here=False)
    clock.advance(minutes=30)
    olga.open(PLAYERS)
    assert len(olga.page.rows("table.check-in")) == 32
    hour = next(link for link in olga.page.soup.select(".filters a") if "Last hour" in link.get_text())
    assert "30" in hour.get_text()
    olga.open(str(hour["href"]))
    assert len(olga.page.rows("table.check-in")) == 30
    everybody = next(link for link in olga.page.soup.select("a") if "Select all" in link.get_text())
    olga.open(str(everybody["href"]))
    page = olga.press("Remove selected", inside=SELECTED)
    assert page.status == 200
    assert all(f"Junk {number}" in page.text for number in range(30)), "the confirmation names everyone"
    assert len(stage.all(Player)) == 32, "nothing is removed before it is confirmed"
    page = olga.press("Remove 30 players")
    assert page.path == PLAYERS
    assert "30 players removed" in page.flashes
    assert states(stage) == {"Ada": "registered", "Bo": "registered"}
    (line,) = stage.journal(event, "remove-players")
    assert "Removed 30 players: Junk 0, Junk 1" in line
    assert check_invariants(stage.s) == []


def test_players_are_shown_newest_first_with_the_time_they_signed_up(
    olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    for name in ("Ada", "Zoe", "Bo"):
        stage.enter(event, name, here=False)
        clock.advance(minutes=20)
    olga.open(PLAYERS)
    assert names(olga) == ["Ada", "Bo", "Zoe"]
    newest = next(link for link in olga.page.soup.select("a") if "Newest first" in link.get_text())
    olga.open(str(newest["href"]))
    assert names(olga) == ["Bo", "Zoe", "Ada"]
    assert olga.page.part("table.check-in td.signed-up") == "21 Nov, 10:40"


def test_players_page_sends_as_many_queries_for_335_players_as_for_5(
    app: Flask, olga: Person, stage: Stage, event: Event
) -> None:
    def queries() -> int:
        with sent(app.extensions["overseer_engine"]) as asked:
            assert olga.open(PLAYERS).status == 200
        return len(asked)

    stage.enter(event, *(f"Player {number}" for number in range(5)), here=False)
    few = queries()
    stage.enter(event, *(f"More {number}" for number in range(330)), here=False)
    assert queries() == few


def test_remove_without_a_tick_says_so(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", here=False)
    olga.open(PLAYERS)
    page = olga.press("Remove selected", inside=SELECTED)
    assert "Select at least one player" in page.flashes
    assert page.path == PLAYERS


# ---- what is removed


@pytest.mark.proves("attack 60")
@pytest.mark.both_databases
def test_removed_player_leaves_no_row_and_no_link_behind(
    app: Flask, olga: Person, stage: Stage, event: Event, link_of: Callable[[Player], str], clock: Clock
) -> None:
    junk_phone = sign_up(app, "Junk")
    junk = stage.one(Player, name="Junk")
    old_id, link = junk.id, link_of(junk)
    stage.enter(event, "Ada", here=False)
    give_mail(stage, event, junk)
    stage.force(event, junk, read_force(PIPER))
    write_to(stage, event)
    clock.advance(days=13, hours=10)  # the deadline locks the lists
    olga.open("/e/iron-open")
    assert stage.all(ListSeal, player_id=old_id)
    olga.open(PLAYERS)
    olga.press("Remove selected", inside=SELECTED, chosen=[str(old_id)])
    olga.press("Remove 1 player")
    assert [player.name for player in stage.all(Player)] == ["Ada"]
    of_junk = [stage.all(table, player_id=old_id) for table in (ForceList, ListSeal, Contact, Delivery)]
    assert of_junk == [[], [], [], []]
    assert stage.all(ForceStep) == []
    assert junk_phone.open("/e/iron-open/me").status == 403
    assert Person(app).open(link).status == 404
    assert check_invariants(stage.s) == []
    olga.open("/e/iron-open/desk/journal")
    assert "Removed Junk" in olga.page.text


@pytest.mark.proves("attack 60")
@pytest.mark.both_databases
def test_removed_id_is_never_given_to_another_player(
    app: Flask, olga: Person, stage: Stage, event: Event, link_of: Callable[[Player], str]
) -> None:
    """The next player's journal would hold what the removed one did, the list included."""
    stage.enter(event, "Ada", here=False)
    junk_phone = sign_up(app, "Junk")
    junk = stage.one(Player, name="Junk")
    old_id, link = junk.id, link_of(junk)
    stage.force(event, junk, read_force(PIPER))
    olga.open(PLAYERS)
    olga.press("Remove selected", inside=SELECTED, chosen=[str(old_id)])
    olga.press("Remove 1 player")
    bo = sign_up(app, "Bo")
    assert stage.one(Player, name="Bo").id != old_id
    assert "Junk" not in bo.open("/e/iron-open/me/journal").text
    assert junk_phone.open("/e/iron-open/me").status == 403
    assert Person(app).open(link).status == 404


@pytest.mark.both_databases
def test_player_with_a_game_is_dropped_and_stays_in_the_results(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.enter(event, "Junk", here=False)
    stage.play(event, 1)
    olga.open(PLAYERS)
    ids = [str(player.id) for player in stage.all(Player) if player.name != "Ada"]
    page = olga.press("Remove selected", inside=SELECTED, chosen=ids)
    assert "Bo" in page.part("#dropped")
    assert "Junk" in page.part("#removed")
    olga.press("Remove 2 players")
    assert states(stage) == {"Ada": "checked_in", "Bo": "dropped"}
    assert [row.name for row in stage.standings(event)] == ["Ada", "Bo"]
    assert stage.journal(event, "drop") == ["Dropped Bo after round 1"]
    assert check_invariants(stage.s) == []


def test_player_in_an_unpublished_draw_is_not_removed(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.enter(event, "Junk", here=False)
    stage.draw(event, 1)
    olga.open(PLAYERS)
    olga.press("Remove selected", inside=SELECTED, chosen=[str(player.id) for player in stage.all(Player)])
    page = olga.press("Remove 3 players")
    assert "discard that draw" in page.flashes
    assert len(stage.all(Player)) == 3, "one write: nothing of it is done"


@pytest.mark.both_databases
def test_places_freed_by_a_removal_go_to_the_waiting_list(olga: Person, stage: Stage) -> None:
    event = stage.event(places=2)
    stage.enter(event, "Junk 1", "Junk 2", "Junk 3", "Ada", here=False)
    assert states(stage)["Ada"] == "waiting"
    olga.open(PLAYERS)
    junk = [str(player.id) for player in stage.all(Player) if player.name != "Ada"]
    olga.press("Remove selected", inside=SELECTED, chosen=junk)
    olga.press("Remove 3 players")
    assert states(stage) == {"Ada": "registered"}


def test_removing_the_same_players_twice_changes_nothing_more(olga: Person, stage: Stage, event: Event) -> None:
    (junk,) = stage.enter(event, "Junk", here=False)
    stage.enter(event, "Ada", here=False)
    olga.open(PLAYERS)
    confirmation = olga.press("Remove selected", inside=SELECTED, chosen=[str(junk.id)])
    olga.press("Remove 1 player")
    olga.page = confirmation
    page = olga.press("Remove 1 player")
    assert "removed already" in page.flashes
    assert states(stage) == {"Ada": "registered"}
    assert len(stage.journal(event, "remove-players")) == 1


@pytest.mark.both_databases
def test_removal_is_taken_back_with_lists_and_states(olga: Person, stage: Stage, event: Event) -> None:
    (junk,) = stage.enter(event, "Junk")
    stage.force(event, junk, read_force(PIPER))
    give_mail(stage, event, junk)
    olga.open(PLAYERS)
    olga.press("Remove selected", inside=SELECTED, chosen=[str(junk.id)])
    olga.press("Remove 1 player")
    olga.open("/e/iron-open/desk/undo")
    page = olga.press("Take this back", typed="take back")
    assert "Taken back: Removed Junk" in page.flashes
    assert states(stage) == {"Junk": "checked_in"}
    assert stage.one(ForceList).submitted_at is not None
    assert stage.all(Contact) == [], "mail addresses are in no journal"
    assert check_invariants(stage.s) == []


def test_removal_is_not_taken_back_once_the_name_or_the_place_is_given_again(olga: Person, stage: Stage) -> None:
    event = stage.event(places=2)
    first, second = stage.enter(event, "Junk", "More", here=False)
    for chosen, then, words in ((first, "Junk", "Junk has signed up again"), (second, "Ada", "All 2 places are taken")):
        olga.open(PLAYERS)
        olga.press("Remove selected", inside=SELECTED, chosen=[str(chosen.id)])
        olga.press("Remove 1 player")
        stage.enter(event, then, here=False)
        olga.open("/e/iron-open/desk/undo")
        page = olga.press("Take this back", typed="take back")
        assert (page.status, words in page.text) == (422, True), page.text


@pytest.mark.both_databases
def test_team_left_empty_by_a_removal_goes_with_it(olga: Person, stage: Stage) -> None:
    event = team_event(stage, 2)
    for name, team in (("Junk 1", "Spam"), ("Junk 2", "Spam"), ("Ada", "Reds"), ("Junk 3", "Reds")):
        with stage.changing(event) as s:
            team_actions.enter(s, event, name, "", "", BY, stage.clock(), team=team)
    olga.open(PLAYERS)
    junk = [str(player.id) for player in stage.all(Player) if player.name != "Ada"]
    olga.press("Remove selected", inside=SELECTED, chosen=junk)
    olga.press("Remove 3 players")
    assert [team.name for team in stage.all(Team)] == ["Reds"]
    assert check_invariants(stage.s) == []


@pytest.mark.parametrize("role", [Role.JUDGE, Role.SCOREKEEPER, Role.LIST_CHECKER, Role.CHECK_IN])
def test_only_organisers_may_remove_players(app: Flask, stage: Stage, event: Event, role: Role) -> None:
    (junk,) = stage.enter(event, "Junk", here=False)
    helper = let_in(app, stage.hire(event, "Helper", role))
    helper.open(PLAYERS)
    assert "Remove selected" not in helper.page.text
    token = str(helper.open("/account").value("csrf_token"))
    for verb in ("remove", "give-place"):
        sent_form = {"csrf_token": token, "chosen": str(junk.id), "sure": "1"}
        assert helper.ask("POST", f"{PLAYERS}/selected/{verb}", sent_form).status_code == 403
    assert len(stage.all(Player)) == 1


# ---- approval


@pytest.fixture
def approved_event(stage: Stage) -> Event:
    """An event of three places whose sign-ups need approval."""
    event = stage.event(places=3)
    with stage.changing(event):
        event.approval = True
    return event


@pytest.mark.proves("attack 60")
@pytest.mark.both_databases
def test_sign_up_waits_for_approval_and_staff_entries_do_not(
    app: Flask, olga: Person, stage: Stage, approved_event: Event
) -> None:
    ada = sign_up(app, "Ada")
    assert states(stage) == {"Ada": "waiting"}, "although places are free"
    assert "Waiting for the organiser’s approval" in ada.page.text
    assert "Waiting for the organiser’s approval" in ada.open("/e/iron-open/me").text
    olga.open(PLAYERS)
    walk_in: dict[str, Value] = {"w-name": "Walk In", "w-here": False}
    olga.press("Add", inside="#walk-in", **walk_in)
    olga.press("Add all", inside="#paste", **{"p-names": "Pasted"})
    assert states(stage) == {"Ada": "waiting", "Walk In": "registered", "Pasted": "registered"}


@pytest.mark.proves("attack 60")
def test_names_that_wait_for_approval_are_shown_to_staff_alone(
    app: Flask, olga: Person, visitor: Person, stage: Stage, approved_event: Event
) -> None:
    ada = sign_up(app, "Ada Canary")
    player = stage.one(Player)
    for address in ("", "/players.csv", "/teams", "/lists", f"/players/{player.id}", "/hall"):
        assert "Canary" not in visitor.open(f"/e/iron-open{address}").text, address
    assert visitor.open(f"/e/iron-open/players/{player.id}").status == 404
    assert ada.open(f"/e/iron-open/players/{player.id}").status == 200
    assert olga.open(f"/e/iron-open/players/{player.id}").status == 200
    assert "Canary" in olga.open(PLAYERS).text
    with stage.changing(approved_event):
        approved_event.approval = False
    assert "Canary" in visitor.open("/e/iron-open").text, "the control: a plain waiting list is public"


@pytest.mark.both_databases
def test_selected_sign_ups_get_places_as_far_as_there_are_any(
    app: Flask, olga: Person, stage: Stage, approved_event: Event, clock: Clock
) -> None:
    for name in ("Eve", "Dee", "Cy", "Bo", "Ada"):
        sign_up(app, name)
        clock.advance(minutes=1)
    olga.open(PLAYERS)
    chosen = [str(player.id) for player in stage.all(Player) if player.name in ("Ada", "Cy")]
    page = olga.press("Give a place to selected", inside=SELECTED, chosen=chosen)
    assert "2 players have a place" in page.flashes
    assert {name for name, state in states(stage).items() if state == "registered"} == {"Ada", "Cy"}
    page = olga.press("Give a place to all that fit", inside=SELECTED)
    assert {name for name, state in states(stage).items() if state == "registered"} == {"Ada", "Cy", "Eve"}
    assert "2 players still wait: all 3 places are taken" in page.flashes
    assert stage.journal(approved_event, "give-place") == ["Gave 2 players a place: Cy, Ada", "Gave Eve a place"]


@pytest.mark.both_databases
def test_drop_promotes_nobody_while_approval_is_on(
    app: Flask, olga: Person, stage: Stage, approved_event: Event
) -> None:
    stage.enter(approved_event, "Bo", "Cy", "Dee", here=False)
    sign_up(app, "Ada")
    bo = stage.one(Player, name="Bo")
    olga.open(f"{PLAYERS}/{bo.id}")
    olga.press("Drop")
    cy = stage.one(Player, name="Cy")
    olga.open(PLAYERS)
    olga.press("Remove selected", inside=SELECTED, chosen=[str(cy.id)])
    olga.press("Remove 1 player")
    assert states(stage) == {"Ada": "waiting", "Bo": "dropped", "Dee": "registered"}
    ada = stage.one(Player, name="Ada")
    olga.open(f"{PLAYERS}/{ada.id}")
    olga.press("Give a place")
    assert states(stage)["Ada"] == "registered"


def test_approval_is_a_setting(app: Flask, olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", approval=True)
    assert stage.now(event).approval
    page = Person(app).open("/e/iron-open/register")
    assert "organiser approves" in page.text
    sign_up(app, "Ada")
    assert states(stage) == {"Ada": "waiting"}


# ---- what goes on working


def test_pasted_names_beyond_the_places_wait_and_can_be_reinstated(olga: Person, stage: Stage) -> None:
    event = stage.event(places=3)
    olga.open(PLAYERS)
    page = olga.press("Add all", inside="#paste", **{"p-names": "\n".join(("Ada", "Bo", "Cy", "Dee"))})
    assert "4 of 4 lines entered" in page.text
    assert states(stage) == {"Ada": "registered", "Bo": "registered", "Cy": "registered", "Dee": "waiting"}
    olga.open(f"{PLAYERS}/{stage.one(Player, name='Ada').id}")
    olga.press("Drop")
    assert states(stage)["Dee"] == "registered", "without approval the place goes on by itself"
    page = olga.press("Bring back")
    assert "All 3 places are taken" in page.flashes
    assert stage.now(event).state == EventState.REGISTRATION
