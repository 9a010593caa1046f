"""The desk moves a player to another event of the convention: one write to two events, by the rules of both."""

import threading
from dataclasses import replace

import pytest
from flask import Flask
from sqlmodel import select

from events.accounts.own_pages import add_entry, make_page
from events.journal.replay import replay
from events.journal.undo import last_steps
from events.lists.sharing import share_list
from events.messages.addresses import ask_for, give_address
from events.registration import leaving
from events.registration.actions import renew_link
from events.registration.conventions import move_player
from events.registration.payments import mark_paid
from events.setup.actions import finish
from events.store.act import Act
from events.store.errors import Refused
from models.db import write
from models.dispatch import Device, Dispatch, Occasion
from models.facts import opening_columns
from models.journal import JournalEntry
from models.message import Contact, MailChange
from models.people import Passkey
from models.person import OwnEntry
from models.team import Team
from tests.conftest import PUBLIC
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import Links, let_in
from tests.kit.person import Person
from tests.kit.stage import BY, Event, Player, PlayerState, Role, Stage

FULL = "Too few places are free, and this event keeps no waiting list."


@pytest.fixture
def iron(stage: Stage) -> Event:
    return stage.event(convention="North Con", starts_at="10:00")


@pytest.fixture
def rust(stage: Stage) -> Event:
    return stage.event("Rust Cup", convention="North Con", starts_at="10:00", places=2)


def page_of(player: Player, event: str = "iron-open") -> str:
    return f"/e/{event}/desk/players/{player.id}"


def moved(stage: Stage, event: Event, other: Event, player: Player) -> Player:
    """Move a player as the view does, in a session of its own."""
    with write(stage.s, stage.clock(), event, other=other) as s:
        act = Act(s, event, BY, stage.clock())
        return move_player(act, replace(act, event=other), s.get_one(Player, player.id), has_server=False)


def states(stage: Stage, event: Event) -> list[tuple[str, str]]:
    return [(player.name, player.state.value) for player in stage.all(Player, event_id=event.id)]


def test_player_moves_with_what_both_events_know_in_one_press(
    olga: Person, stage: Stage, iron: Event, rust: Event
) -> None:
    stage.set(iron, mail_asked=True, fee="10 €")
    stage.set(rust, mail_asked=True)
    ada, _ = stage.enter(iron, "Ada", "Bo", club="Reds")
    stage.set(iron, ada, faction="Survivors", language="de")
    stage.do(iron, mark_paid, [ada])
    stage.do(iron, give_address, ada, "ada@example.org")
    with stage.changing() as s:
        person = make_page(s, s.get_one(Player, ada.id), stage.clock.now)
    page = olga.press("Rust Cup: 2 places free", at=page_of(ada))
    here, _, there = stage.all(Player)
    assert page.path == page_of(there, "rust-cup") and page.flashes == (
        "Ada is in Rust Cup now. The private link, and the old page of the player, lead there."
    )
    assert page.part(".copy-text").startswith(f"{PUBLIC}/p/"), "the desk can show the new link"
    assert (here.state, there.state) == (PlayerState.DROPPED, PlayerState.CHECKED_IN)
    assert (there.club, there.faction, there.language) == ("Reds", "Survivors", "de")
    assert here.payments and not there.payments, "the payment stays where it was made"
    contact = stage.one(Contact, player_id=there.id)
    assert contact.mail == "ada@example.org" and contact.confirmed_at is not None
    assert {row.player_id for row in stage.all(OwnEntry, person_id=person.id)} == {here.id, there.id}
    assert stage.journal(iron)[-2:] == ["Ada withdrew before round 1", "Moved Ada to Rust Cup"]
    assert stage.journal(rust)[-3:] == [
        "Registered Ada and checked them in", "Stored the mail address of Ada", "Ada was moved here from Iron Open",
    ]  # fmt: skip
    assert {line.actor for line in stage.all(JournalEntry, verb="move-player")} == {"owner Olga"}
    assert [replay(stage.s, stage.now(event)).difference for event in (iron, rust)] == [None, None]


def test_undo_says_that_the_player_moves_back_by_hand(olga: Person, stage: Stage, iron: Event, rust: Event) -> None:
    (ada,) = stage.enter(iron, "Ada")
    olga.press("Rust Cup: 2 places free", at=page_of(ada))
    for event in (iron, rust):
        step = last_steps(stage.s, stage.now(event))[0]
        assert step.why_not == "Move the player back on the player’s page in the other event."
    olga.press("Iron Open: free places")
    assert states(stage, iron) == [("Ada", "checked_in")], "the first entry comes back: same link, same list"
    assert states(stage, rust) == [("Ada", "dropped")]
    assert stage.journal(iron)[-3:] == ["Reinstated Ada", "Checked in Ada", "Ada was moved here from Rust Cup"]


def test_player_who_left_or_waits_moves_too(olga: Person, stage: Stage, iron: Event, rust: Event) -> None:
    stage.set(iron, places=2)
    *_, waits = stage.enter(iron, "Ada", "Bo", "Cy", here=False)
    gone = stage.all(Player)[0]
    stage.do(iron, leaving.drop, gone)
    assert stage.now(waits).state == PlayerState.REGISTERED
    stage.enter(iron, "Di")
    olga.press("Rust Cup: 2 places free", at=page_of(gone))
    olga.press("Rust Cup: 1 place free", at=page_of(stage.one(Player, name="Di")))
    assert states(stage, rust) == [("Ada", "registered"), ("Di", "registered")]
    assert states(stage, iron)[-1] == ("Di", "dropped")


@pytest.mark.parametrize("keeps_list", [True, False])
def test_full_event_lets_wait_or_refuses_and_then_nothing_changes(
    olga: Person, stage: Stage, iron: Event, rust: Event, *, keeps_list: bool
) -> None:
    stage.set(rust, waiting_list=keeps_list)
    stage.enter(rust, "Ed", "Flo")
    (ada,) = stage.enter(iron, "Ada")
    if keeps_list:
        olga.press("Rust Cup: waiting list", at=page_of(ada))
        assert states(stage, rust)[-1] == ("Ada", "waiting")
        return
    olga.open(page_of(ada))
    with stage.unchanged():
        page = olga.press("Rust Cup: full")
    assert page.flashes == FULL and page.path == page_of(ada)


def test_name_that_the_other_event_has_is_refused(olga: Person, stage: Stage, iron: Event, rust: Event) -> None:
    (ada,) = stage.enter(iron, "Ada")
    olga.open(page_of(ada))
    stage.enter(rust, "Ada")
    with stage.unchanged():
        assert "Ada is registered already" in olga.press("Rust Cup: 2 places free").flashes


def test_open_game_is_lost_by_the_one_rule_of_leaving(olga: Person, stage: Stage, iron: Event, rust: Event) -> None:
    ada, *_ = stage.enter(iron, "Ada", "Bo")
    (game,) = stage.publish(iron, 1)
    olga.open(page_of(ada))
    (button,) = olga.page.soup.find_all("button", string="Rust Cup: 2 places free")
    assert "lost: round 1" in str(button["data-confirm"]).casefold()
    olga.press("Rust Cup: 2 places free")
    assert stage.now(game).forfeited
    assert "Dropped Ada after round 1; lost: round 1" in stage.journal(iron)


def test_only_who_enters_players_in_both_moves_one(app: Flask, stage: Stage, iron: Event, rust: Event) -> None:
    (ada,) = stage.enter(iron, "Ada")
    here = stage.hire(iron, "Ina", Role.ORGANISER)
    stage.hire(rust, "Ina", Role.CHECK_IN)
    ina = let_in(app, here)
    assert "Move to another event" not in ina.open(page_of(ada)).text
    move = f"{page_of(ada)}/move"
    with stage.unchanged():
        assert ina.post(move, to=str(rust.id)).status_code == 403
    desk = let_in(app, stage.hire(iron, "Cas", Role.CHECK_IN))
    both = let_in(app, stage.hire(rust, "Both", Role.ORGANISER))
    assert "Move to another event" not in desk.open(page_of(ada)).text
    with stage.unchanged():
        assert desk.post(move, to=str(rust.id)).status_code == 403
        assert both.post(move, to=str(rust.id)).status_code == 403
    stranger = stage.event("Elsewhere")
    assert ina.post(move, to=str(stranger.id)).status_code == 403, "an event of no convention"
    assert ina.post(move, to="x").status_code == 403


def test_event_that_is_over_takes_nobody(olga: Person, stage: Stage, iron: Event, rust: Event) -> None:
    (ada,) = stage.enter(iron, "Ada")
    stage.enter(rust, "Bo", "Cy")
    stage.set(rust, rounds=1)
    stage.play(rust, 1)
    stage.do(rust, finish)
    assert "Move to another event" not in olga.open(page_of(ada)).text


@pytest.mark.both_databases
def test_two_moves_against_each_other_take_turns(database_url: str, stage: Stage, iron: Event, rust: Event) -> None:
    """Each locks the event with the lower number first; the last place goes to one, and no move is half done."""
    ada, bo = (stage.enter(event, name)[0] for event, name in ((iron, "Ada"), (rust, "Bo")))
    stage.enter(iron, "Cy")
    faults: list[BaseException] = []

    def run(event: int, other: int, player: Player) -> None:
        own = Stage(stage.engine, stage.clock)
        try:
            moved(own, own.s.get_one(Event, event), own.s.get_one(Event, other), player)
        except Refused as refused:
            faults.append(refused)
        finally:
            own.s.close()

    moves = [(iron.id, rust.id, ada), (rust.id, iron.id, bo), (iron.id, rust.id, ada)]
    threads = [threading.Thread(target=run, args=move) for move in moves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(faults) == 1 and "Ada is registered already" in str(faults[0])
    assert sorted(states(stage, iron)) == [("Ada", "dropped"), ("Bo", "checked_in"), ("Cy", "checked_in")]
    assert sorted(states(stage, rust)) == [("Ada", "checked_in"), ("Bo", "dropped")]


def test_moved_player_finds_the_new_entry_from_the_old_page(
    app: Flask, visitor: Person, olga: Person, stage: Stage, iron: Event, rust: Event
) -> None:
    stage.set(iron, mail_asked=True)
    stage.set(rust, mail_asked=True)
    visitor.press("Register", at="/e/iron-open/register", name="Ada")
    (ada,) = stage.all(Player)
    stage.do(iron, give_address, ada, "ada@example.org")
    olga.press("Rust Cup: 2 places free", at=page_of(ada))
    page = visitor.open("/e/iron-open/me")
    assert "You were moved to Rust Cup" in page.part("main h1")
    assert "You have left" not in page.text and not page.soup.find("button", string="Sign up again")
    (entry,) = stage.all(Player, event_id=rust.id)
    con = visitor.open("/c/north-con")
    assert not con.soup.find("input", {"name": f"e{rust.id}-join"}), "no sign-up where the player is"
    (link,) = con.soup.select(f"#e{rust.id} a.button")
    assert str(link["href"]).startswith("/p/")
    page = visitor.open(str(page.soup.select("main a.button.primary")[0]["href"]))
    assert page.path == "/e/rust-cup/me" and visitor.open("/e/rust-cup/me").status == 200
    assert stage.one(Dispatch, player_id=entry.id).occasion == Occasion.PLACE


def test_new_private_link_is_not_reached_by_the_old_page(
    visitor: Person, olga: Person, stage: Stage, iron: Event, rust: Event
) -> None:
    visitor.press("Register", at="/e/iron-open/register", name="Ada")
    olga.press("Rust Cup: 2 places free", at=page_of(stage.one(Player)))
    stage.do(rust, renew_link, stage.one(Player, event_id=rust.id))
    page = visitor.open("/e/iron-open/me")
    assert "You were moved to Rust Cup" in page.text and not page.soup.select('main a[href^="/p/"]')
    assert not page.soup.find("button", string="Sign up again")


def test_only_a_move_leads_to_another_entry(visitor: Person, stage: Stage, iron: Event, rust: Event) -> None:
    """A namesake in the other event is somebody else."""
    visitor.press("Register", at="/e/iron-open/register", name="Ada")
    stage.enter(rust, "Ada")
    stage.do(iron, leaving.drop, stage.one(Player, event_id=iron.id))
    page = visitor.open("/e/iron-open/me")
    assert "You have left this event" in page.text and not page.soup.select('main a[href^="/p/"]')
    assert visitor.open("/c/north-con").soup.find("input", {"name": f"e{rust.id}-join"})


def test_event_that_has_the_player_is_not_offered(olga: Person, stage: Stage, iron: Event, rust: Event) -> None:
    (ada,) = stage.enter(iron, "Ada")
    (ada_there,) = stage.enter(rust, "Ada")
    page = olga.open(page_of(ada))
    assert not page.soup.find("input", {"name": "to"}) and "Ada is registered already" in page.part("#move"), "says why"
    stage.do(rust, leaving.drop, ada_there)
    assert "Move to another event" in olga.open(page_of(ada)).text


@pytest.mark.parametrize("choice", ["One person", "Two people"])
@pytest.mark.proves("attack 99")
def test_name_alone_takes_up_nobodys_entry(
    app: Flask, olga: Person, stage: Stage, iron: Event, rust: Event, link_of: Links, *, choice: str
) -> None:
    vera, mallory = Person(app), Person(app)
    vera.press("Register", at="/e/rust-cup/register", name="Vera Victim", club="Secret Club")
    (left,) = stage.all(Player)
    stage.do(rust, leaving.drop, left)
    old = link_of(left)
    mallory.press("Register", at="/e/iron-open/register", name="vera victim", club="Crows")
    mover = stage.one(Player, event_id=iron.id)
    olga.open(page_of(mover))
    with stage.unchanged():
        page = olga.press("Rust Cup: 2 places free")
    assert "Secret Club" in page.text and "Crows" in page.text, "the desk sees both entries"
    olga.press(next(button.text for button in page.soup.find_all("button") if choice in button.text))
    if choice == "Two people":
        assert states(stage, rust) == [("Vera Victim", "dropped"), ("vera victim (2)", "registered")]
        mallory.open(link_of(stage.all(Player, event_id=rust.id)[1]))
        assert (
            "Secret Club" not in mallory.ask("GET", "/e/rust-cup/me/data.json").text
            and Person(app).ask("GET", old).status_code == 302
        )
    else:
        assert states(stage, rust) == [("Vera Victim", "registered")]
        assert Person(app).ask("GET", old).status_code == 404, "the earlier link ended"
        assert vera.ask("GET", "/e/rust-cup/me/data.json").status_code == 403
    hrefs = {str(link["href"]) for link in mallory.open("/e/iron-open/me").soup.select('main a[href^="/p/"]')}
    newest = stage.all(Player, event_id=rust.id)[-1]
    assert hrefs == {link_of(newest)} and old not in hrefs


def test_longest_name_has_room_for_the_number_of_a_second_person(
    app: Flask, olga: Person, stage: Stage, iron: Event, rust: Event
) -> None:
    name = "Vera" * 20
    for event in (rust, iron):
        Person(app).press("Register", at=f"/e/{event.slug}/register", name=name)
    stage.do(rust, leaving.drop, stage.one(Player, event_id=rust.id))
    olga.open(page_of(stage.one(Player, event_id=iron.id)))
    olga.press("Rust Cup: 2 places free")
    olga.press("Two people: make a new entry")
    assert [state for _, state in states(stage, rust)] == ["dropped", "registered"]


@pytest.mark.parametrize("proof", ["page", "mail"])
def test_own_page_or_confirmed_address_takes_up_the_entry_with_its_link(
    olga: Person, stage: Stage, iron: Event, rust: Event, link_of: Links, proof: str
) -> None:
    for event in (iron, rust):
        stage.set(event, mail_asked=True)
    (ada,), (before, sister) = stage.enter(iron, "Ada"), stage.enter(rust, "Ada", "Eve")
    if proof == "page":
        stage.set(rust, before, name="Adalind", name_key="adalind")
        with stage.changing() as s:
            add_entry(s, make_page(s, s.get_one(Player, ada.id), stage.clock.now), s.get_one(Player, before.id),
                      stage.clock.now)  # fmt: skip
    for event, player in ((iron, ada), (rust, before), (rust, sister)) if proof == "mail" else ():
        stage.do(event, give_address, player, "family@example.org")
    link = link_of(before)
    for player in (sister, before):
        stage.do(rust, leaving.drop, player)
    olga.press("Rust Cup: 2 places free", at=page_of(ada))
    assert [state for _, state in states(stage, rust)] == ["checked_in", "dropped"] and link_of(before) == link


@pytest.mark.parametrize("own", ["kim@good.example", ""])
@pytest.mark.proves("attack 99")
def test_taken_up_entry_has_the_address_and_page_of_the_player_who_moves(
    olga: Person, stage: Stage, iron: Event, rust: Event, own: str
) -> None:
    for event in (iron, rust):
        stage.set(event, mail_asked=True)
    (kim,), (left,) = stage.enter(iron, "Kim"), stage.enter(rust, "Kim")
    stage.do(iron, give_address, kim, own)
    stage.do(rust, give_address, left, "evil@evil.example")
    stage.do(rust, ask_for, left, "worse@evil.example", has_server=True)
    with stage.changing() as s:
        person = make_page(s, s.get_one(Player, kim.id), stage.clock.now)
    stage.do(rust, leaving.drop, left)
    olga.open(page_of(kim))
    page = olga.press("Rust Cup: 2 places free")
    assert own in page.part("main") and "evil@evil.example" in page.part("main"), "the desk sees both addresses"
    olga.press("One person: bring the entry back, with a new private link")
    assert [row.mail for row in stage.all(Contact, player_id=left.id)] == [own] * bool(own)
    assert not stage.all(MailChange, player_id=left.id)
    assert {row.player_id for row in stage.all(OwnEntry, person_id=person.id)} == {kim.id, left.id}


@pytest.mark.proves("attack 22")
def test_new_link_ends_all_that_opens_or_receives_something_of_the_player(stage: Stage, iron: Event) -> None:
    stage.set(iron, mail_asked=True)
    ada, other = stage.enter(iron, "Ada", "Bo")
    for player in (ada, other):
        stage.force(iron, player, read_force(PIPER))
        stage.do(iron, share_list, player)
        stage.do(iron, give_address, player, f"{player.name}@example.org")
        stage.do(iron, ask_for, player, "thief@example.org", has_server=True)
        with stage.changing(iron) as s:
            team = Team(event_id=iron.id, name=player.name, name_key=player.name)
            s.add(team)
            s.flush()  # assigns the id of the team
            s.get_one(Player, player.id).team_id = team.id
            make_page(s, s.get_one(Player, player.id), stage.clock.now)
            s.add(Device(player_id=player.id, endpoint=f"https://push.example/{player.id}", p256dh="p", auth="a",
                         added_at=stage.clock.now))  # fmt: skip
            s.add(Passkey(player_id=player.id, credential=player.name, public_key="k", handle="h", sign_count=0,
                          name="P", added_at=stage.clock.now))  # fmt: skip
    ours = {(column, value) for column, value, of in opened(stage) if of == ada.id}
    theirs = [row for row in opened(stage) if row[2] == other.id]
    stage.do(iron, renew_link, ada)
    assert len({column for column, _ in ours}) == 8
    assert not ours & {(column, value) for column, value, of in opened(stage) if of == ada.id}
    assert [row for row in opened(stage) if row[2] == other.id] == theirs


def opened(stage: Stage) -> list[tuple[str, object, int]]:
    """What opens something of a player, with the player: each column with ``Opens`` of a row that names one."""
    rows, people = list[tuple[str, object, int]](), stage.all(Player)
    for column, _ in opening_columns():
        table = column.table
        for player in people:
            own = {"player": table.c.id == player.id if table.name == "player" else None,
                   "team": table.c.id == player.team_id if table.name == "team" else None}  # fmt: skip
            where = own.get(table.name, table.c.player_id == player.id if "player_id" in table.c else None)
            if where is not None:
                values = stage.s.execute(select(column).where(where, column.is_not(None)))
                rows += [(str(column), value, player.id) for (value,) in values]
    return rows


def test_player_is_not_told_of_a_namesakes_place(app: Flask, stage: Stage, iron: Event, rust: Event) -> None:
    stage.enter(rust, "Ada")
    stranger = Person(app)
    stranger.press("Register", at="/e/iron-open/register", name="Ada")
    assert "Rust Cup" not in stranger.open("/e/iron-open/me").part("main")
