"""Conventions: one page and one sign-up form for several events, tables and the hall's screen that they share."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from app import attach_database
from events.accounts.limits import JOIN_CODES, SIGN_UPS, SIGN_UPS_BY_BROWSER
from events.accounts.own_pages import add_entry, make_page
from events.messages.addresses import give_address
from events.messages.announcements import announce
from events.registration import leaving
from events.registration.join_codes import make_codes
from events.setup.event_life import cancel
from events.setup.pairing_actions import set_room
from models.people import Account, SignInAttempt
from models.settings import SignUpBy
from models.staff import Staff
from service.settings import Settings
from tests.conftest import PUBLIC
from tests.kit.archives import archived, taken_in
from tests.kit.people import let_in
from tests.kit.person import Page, Person
from tests.kit.stage import Event, Player, Role, Stage
from tests.kit.team_events import team_event

CON = "/c/north-con"
SIGN_UP = "Sign up for the ticked events"
SECRET = "Secret Final"
HELD = "the organiser looks at these sign-ups first"
FULL = "Too few places are free, and this event keeps no waiting list."


def of_convention(stage: Stage, name: str, **changed: Any) -> Event:
    return stage.event(name, **{"convention": "North Con", "starts_at": "10:00"} | changed)


@pytest.fixture
def doubled(stage: Stage) -> list[Event]:
    """Two events at the same time, and one in the evening; each has two places."""
    return [
        of_convention(stage, "Iron Open", places=2),
        of_convention(stage, "Rust Cup", places=2, waiting_list=False),
        of_convention(stage, "Late Brawl", places=2, starts_at="19:00"),
    ]


def join(event: Event) -> str:
    return f"e{event.id}-join"


def ticked(*events: Event) -> dict[str, Any]:
    return {join(event): True for event in events}


def sign_up(person: Person, *events: Event, **fields: str) -> Page:
    return person.press(SIGN_UP, at=CON, **{"name": "Ada", **fields}, **ticked(*events))


def entries(stage: Stage, name: str = "Ada") -> list[tuple[str, str]]:
    return [(stage.one(Event, id=row.event_id).name, row.state.value) for row in stage.all(Player, name=name)]


def test_page_shows_events_by_time_with_places_tables_and_overlaps(
    visitor: Person, stage: Stage, doubled: list[Event]
) -> None:
    of_convention(stage, "Secret Draft", draft=True)
    hidden = of_convention(stage, "Hidden Cup")
    stage.set(hidden, unlisted=True)
    stage.event("Elsewhere")
    stage.do(doubled[2], cancel, "The hall is flooded.", 0)
    page = visitor.open(CON)
    assert [part.get_text(" ", strip=True) for part in page.soup.select("main h3")] == [
        "10:00–15:00 Iron Open", "10:00–15:00 Rust Cup", "19:00–00:00 Late Brawl",
    ]  # fmt: skip
    assert "At the same time: Rust Cup" in page.part(f"#e{doubled[0].id}")
    assert page.text.count("At the same time") == 2
    assert "2 of 2 places free Tables 1" in page.part(f"#e{doubled[0].id}")
    assert "Cancelled" in page.part(f"#e{doubled[2].id}") and not page.soup.find("input", {"name": join(doubled[2])})
    assert visitor.open("/e/iron-open").soup.find("a", href=CON)
    assert visitor.open("/c/south-con").status == 404


def test_one_form_signs_up_for_several_and_each_event_answers(
    visitor: Person, stage: Stage, doubled: list[Event]
) -> None:
    iron, rust, late = doubled
    stage.enter(iron, "Bo", "Cy")
    visitor.open(CON)
    stage.enter(rust, "Bo", "Cy")
    page = visitor.press(SIGN_UP, name="Ada", club="Reds", **ticked(iron, rust, late))
    assert page.status == 422
    assert page.part(f"#e{rust.id} .error") == FULL
    assert page.value("name") == "Ada" and page.value("club") == "Reds", "nothing typed is lost"
    assert "You are number 1 on the waiting list." in page.part(f"#e{iron.id}")
    assert "Registered" in page.part(f"#e{late.id}")
    assert entries(stage) == [("Iron Open", "waiting"), ("Late Brawl", "registered")]
    links = [words.get_text() for words in page.soup.select(".copy-text")]
    assert len(links) == 2 and all(link.startswith(f"{PUBLIC}/p/") for link in links)
    stage.do(rust, leaving.drop, stage.all(Player, event_id=rust.id)[0])
    page = visitor.press(SIGN_UP)
    assert page.status == 200 and page.flashes == "You are signed up for Rust Cup. Keep your private links."
    assert len(entries(stage)) == 3
    assert not page.soup.find("button", string=SIGN_UP), "nothing is left to sign up for"
    assert visitor.open("/e/rust-cup/me").status == 200


def test_event_that_needs_a_join_code_asks_for_it(visitor: Person, stage: Stage, doubled: list[Event]) -> None:
    iron, rust, late = doubled
    stage.set(late, sign_up_by=SignUpBy.CODE)
    stage.enter(rust, "Bo", "Cy")
    stage.set(rust, waiting_list=True)
    (code,) = stage.do(late, make_codes, ["Members"], None)
    field = f"e{late.id}-join_code"
    page = sign_up(visitor, iron, rust, late, **{field: "WRONGCODE2"})
    assert page.error_at(field) == "This is not a join code of this event. Check it, or ask the organiser."
    assert page.value(field) == "WRONGCODE2"
    assert entries(stage) == [("Iron Open", "registered"), ("Rust Cup", "waiting")]
    assert stage.one(SignInAttempt, kind=JOIN_CODES.kind), "the guess counts"
    page = visitor.press(SIGN_UP, **{field: stage.now(code).code})
    assert page.status == 200 and entries(stage)[-1] == ("Late Brawl", "registered")


def test_form_sent_twice_enters_once(app: Flask, stage: Stage, doubled: list[Event]) -> None:
    visitor = Person(app)
    first = visitor.open(CON)
    fields = {"name": "Ada", "key": str(first.value("key"))}
    for event in doubled[:2]:
        fields |= {join(event): "1", f"e{event.id}-faction": ""}
    with visitor.http.session_transaction() as session:
        before = dict(session)
    visitor.post(CON, **fields)
    with visitor.http.session_transaction() as session:
        session.clear()
        session.update(before)
    assert visitor.post(CON, **fields).status_code == 302
    assert len(entries(stage)) == 2


def test_each_event_asks_its_own_questions_and_codes(visitor: Person, stage: Stage, doubled: list[Event]) -> None:
    question = [{"id": "q1", "label": "Shirt", "kind": "text", "choices": [], "required": True}]
    stage.set(doubled[0], questions=question)
    teams = team_event(stage)
    stage.set(teams, convention="North Con", privacy_notice="We keep names for a year.")
    assert "We keep names for a year." in visitor.open(CON).part(f"#e{teams.id}")
    page = visitor.press(SIGN_UP, name="Ada", **ticked(*doubled[:2]))
    assert page.error_at(f"e{doubled[0].id}-answer_q1") == "Please fill this in."
    assert "Check the answers to the events that you ticked." in page.errors
    assert stage.all(Player) == [], "wrong answers are corrected before anything is stored"
    page = sign_up(visitor, doubled[0], teams, **{
        f"e{doubled[0].id}-answer_q1": "XL", f"e{teams.id}-team": "Reds", f"e{teams.id}-team_code": "WRONG234",
    })  # fmt: skip
    assert "There is no team Reds" in page.error_at(f"e{teams.id}-team")
    assert [player.answers for player in stage.all(Player)] == [{"q1": "XL"}]
    page = visitor.press(SIGN_UP, **{f"e{teams.id}-team_code": ""})
    assert page.status == 200 and len(stage.all(Player)) == 2


def test_nothing_ticked_and_no_name_are_said(visitor: Person, stage: Stage, doubled: list[Event]) -> None:
    assert "Choose at least one event." in sign_up(visitor).errors
    page = sign_up(visitor, doubled[0], name="")
    assert page.error_at("name") == "Please fill this in."
    assert page.value(join(doubled[0]))
    assert stage.all(Player) == []


def test_one_press_counts_once_for_the_browser(visitor: Person, stage: Stage, doubled: list[Event]) -> None:
    more = [of_convention(stage, f"Side Event {n}") for n in range(3)]
    page = sign_up(visitor, *doubled, *more)
    assert len(stage.all(SignInAttempt, kind=SIGN_UPS_BY_BROWSER.kind)) == 1
    assert [player.held for player in stage.all(Player)] == [False] * 6
    assert page.status == 200 and HELD not in page.text
    assert len(stage.all(SignInAttempt, kind=SIGN_UPS.kind)) == 6, "each event counts the address"


def test_press_beyond_the_limit_is_held_in_each_event_and_says_so(
    app: Flask, visitor: Person, stage: Stage, doubled: list[Event]
) -> None:
    events = [*doubled, *(of_convention(stage, f"Side Event {n}") for n in range(4))]
    for event in events[:-2]:
        sign_up(visitor, event)
    page = sign_up(visitor, *events[-2:])
    assert [player.held for player in stage.all(Player)] == [False] * 5 + [True] * 2
    assert page.flashes == (
        "Your sign-up for Side Event 2 is held until the organiser decides. Keep your private link. "
        "Your sign-up for Side Event 3 is held until the organiser decides. Keep your private link."
    )


def test_desk_names_only_events_that_its_reader_may_see(app: Flask, olga: Person, stage: Stage) -> None:
    iron, draft = (of_convention(stage, name, places=4, draft=name != "Iron Open") for name in ("Iron Open", SECRET))
    hidden = of_convention(stage, "Hidden Cup", places=4)
    stage.set(hidden, unlisted=True)
    for event in (iron, draft, hidden):
        stage.enter(event, "Ada")
    guest = let_in(app, stage.hire(iron, "Mia", Role.ORGANISER))
    for where in ("desk", "desk/settings/tables", "desk/ready/twice"):
        for name in (SECRET, "Hidden Cup"):
            assert name in olga.open(f"/e/iron-open/{where}").text, where
            assert name not in guest.open(f"/e/iron-open/{where}").text, where
    bo, *_ = stage.enter(iron, "Bo")
    targets = olga.open(f"/e/iron-open/desk/players/{bo.id}").text
    assert "Hidden Cup" in targets and SECRET not in targets, "players cannot see a draft"


def test_desk_is_read_anew_after_a_change_in_an_event_of_another_spelling(
    olga: Person, stage: Stage, doubled: list[Event]
) -> None:
    iron, rust, _ = doubled
    stage.set(rust, convention="north con!")
    stage.enter(iron, "Ada")
    before = olga.ask("GET", "/e/iron-open/version").get_etag()
    stage.enter(rust, "Ada")
    assert olga.ask("GET", "/e/iron-open/version").get_etag() != before


def test_notice_of_the_service_stands_where_names_are_typed(
    app: Flask, settings: Settings, stage: Stage, doubled: list[Event]
) -> None:
    stage.set(doubled[0], privacy_notice="We keep names for a year.")
    engine = app.extensions["overseer_engine"]
    attach_database(app, replace(settings, privacy_notice="https://club.example/privacy"), engine, stage.clock)
    page = Person(app).open(CON)
    links = page.soup.find_all("a", href="https://club.example/privacy")
    assert len(links) == 1 and not links[0].find_parent(class_="part"), "once, ticked or not"
    assert "We keep names for a year." in page.part(f"#e{doubled[0].id} .part")


def test_only_organisers_of_all_its_events_add_one(app: Flask, stage: Stage, olga: Person) -> None:
    stage.event("Iron Open")
    mia = let_in(app, stage.set_up("Mia"))
    rust = of_convention(stage, "Rust Cup")
    with stage.changing(rust) as s:
        s.delete(s.get_one(Staff, stage_role(stage, rust, "Olga")))
    iron = stage.one(Event, name="Iron Open")
    stage.hire(iron, "Mia", Role.OWNER)
    where = "/e/iron-open/desk/settings/event"
    page = olga.press("Save", at=where, convention="north con")
    assert page.error_at("convention") == "This convention has events of other organisers. Choose another name."
    assert olga.press("Save", at=where, convention="My Con").status == 200
    assert mia.press("Save", at=where, convention="North Con").status == 200
    assert olga.press("Save", at=where, place="Hall 2").status == 200, "what another organiser chose stays"
    olga.press("Create the copy", at="/desk/copy/iron-open")
    assert [event.convention for event in stage.all(Event)] == ["North Con", "North Con", ""]


def stage_role(stage: Stage, event: Event, name: str) -> int:
    return stage.one(Staff, event_id=event.id, account_id=stage.one(Account, name=name).id).id


def test_tables_of_two_events_at_the_same_time_are_warned_about(olga: Person, stage: Stage) -> None:
    iron, rust = (of_convention(stage, name, places=16) for name in ("Iron Open", "Rust Cup"))
    of_convention(stage, "Late Brawl", places=16, starts_at="20:00")
    stage.do(iron, set_room, tables=10)
    where = "/e/rust-cup/desk/settings/tables"
    assert "Also used by Iron Open at the same time: 1-8." in olga.open(where).text
    assert "Late Brawl" not in olga.page.text
    olga.press("Save", **{"tables-tables": "18", "tables-tables_out": "1-10"})
    assert "at the same time" not in olga.open(where).text
    assert "Tables 11-18" in olga.open(CON).part(f"#e{rust.id}")


def test_screen_of_the_hall_shows_each_running_event_in_turn(visitor: Person, stage: Stage) -> None:
    iron, rust, late = (of_convention(stage, name) for name in ("Iron Open", "Rust Cup", "Late Brawl"))
    titles, marks = list[str](), set[bytes]()
    for event in (iron, late):
        stage.enter(event, "Ada", "Bo")
        stage.publish(event, 1)
    for _ in range(4):
        page = visitor.open(f"{CON}/hall")
        titles.append(page.part(".hall-of bdi"))
        (news,) = page.soup.select("meta[name=live]")
        assert news["content"] == f"{CON}/hall/version"
        marks.add(visitor.ask("GET", str(news["content"])).data)
        stage.clock.advance(seconds=60)
    assert sorted(titles[:2]) == ["Iron Open", "Late Brawl"] and titles[2:] == titles[:2]
    assert len(marks) >= 2, "the page learns of each turn"
    stage.set(rust, unlisted=True)
    stage.set(iron, convention="")
    stage.set(late, convention="")
    assert visitor.open(f"{CON}/hall").status == 404


def test_event_of_a_convention_moves_to_another_server(stage: Stage, other: Stage, doubled: list[Event]) -> None:
    other.set_up("Olga")
    data = archived(stage.engine, doubled[0], stage.clock.now)
    with other.changing() as s:
        event = taken_in(s, data, stage.clock.now, other.one(Account, name="Olga"))
        assert (event.name, event.convention) == ("Iron Open", "North Con")


def test_two_places_at_the_same_time_are_said_to_player_and_desks(
    app: Flask, visitor: Person, olga: Person, stage: Stage, doubled: list[Event]
) -> None:
    iron, rust, late = doubled
    page = sign_up(visitor, iron, late)
    assert page.flashes == "You are signed up for Iron Open and Late Brawl. Keep your private links."
    assert "at the same time" not in visitor.open("/e/iron-open/me").text
    page = sign_up(visitor, rust)
    assert page.flashes == (
        "You are signed up for Rust Cup. Keep your private links. "
        "Rust Cup: You also have a place in Iron Open, at the same time."
    )
    assert "At the same time: Rust Cup" in page.part(f"#e{iron.id}"), "the card says it after the sign-up too"
    for event, other in ((iron, rust), (rust, iron)):
        page = visitor.open(f"/e/{event.slug}/me")
        assert f"You also have a place in {other.name}, at the same time." in page.text
        page = olga.open(f"/e/{event.slug}/desk/ready/twice")
        assert "Ada" in page.text and other.name in page.part(".ready, main")
    assert "at the same time" not in visitor.open("/e/late-brawl/me").text
    assert olga.open("/e/late-brawl/desk/ready/twice").text.count("Ada") == 0
    stage.do(rust, leaving.drop, stage.all(Player, event_id=rust.id)[0])
    assert "at the same time" not in visitor.open("/e/iron-open/me").text
    assert "Ada" not in olga.open("/e/iron-open/desk/ready/twice").text


def test_same_person_is_known_by_own_page_and_confirmed_address(
    olga: Person, stage: Stage, doubled: list[Event]
) -> None:
    iron, rust, _ = doubled
    stage.set(iron, mail_asked=True)
    stage.set(rust, mail_asked=True)
    ada, bo = stage.enter(iron, "Ada", "Bo")
    adalind, bob = stage.enter(rust, "Adalind", "Bob")
    with stage.changing() as s:
        person = make_page(s, s.get_one(Player, ada.id), stage.clock.now)
        add_entry(s, person, s.get_one(Player, adalind.id), stage.clock.now)
    stage.do(iron, give_address, bo, "bo@example.org")
    stage.do(rust, give_address, bob, "Bo@example.org", by_desk=False)
    text = olga.open("/e/iron-open/desk/ready/twice").text
    assert "Ada" in text and "Bo " not in text, "an address that nobody confirmed proves nothing"
    stage.do(rust, give_address, bob, "Bo@example.org")
    assert olga.open("/e/iron-open/desk/ready/twice").text.count("Rust Cup") == 2


def test_both_desks_warn_of_shared_tables_before_the_draw(olga: Person, stage: Stage) -> None:
    iron, rust = (of_convention(stage, name, places=4) for name in ("Iron Open", "Rust Cup"))
    for event, other in ((iron, rust), (rust, iron)):
        page = olga.open(f"/e/{event.slug}/desk")
        assert f"Tables that {other.name} uses too at the same time: 1, 2." in page.text
        assert page.soup.find("a", href=f"/e/{event.slug}/desk/settings/tables")
    stage.do(rust, set_room, tables=4, tables_out=[1, 2])
    assert "uses too" not in olga.open("/e/iron-open/desk").text
    assert "uses too" not in olga.open("/e/rust-cup/desk").text


def test_screen_of_the_hall_shows_a_press_at_once(visitor: Person, stage: Stage) -> None:
    events = [of_convention(stage, name) for name in ("Iron Open", "Late Brawl")]
    for event in events:
        stage.enter(event, "Ada", "Bo")
        stage.publish(event, 1)
    for event in (*events, *events):
        stage.clock.advance(seconds=1)
        stage.do(event, announce, f"Lunch at {stage.clock.now}")
        assert visitor.open(f"{CON}/hall").part(".hall-of bdi") == event.name


def test_desk_leads_to_the_page_and_the_screen_of_the_convention(olga: Person, stage: Stage) -> None:
    of_convention(stage, "Iron Open")
    stage.event("Elsewhere")
    for where in ("desk", "desk/clock", "desk/settings/event"):
        page = olga.open(f"/e/iron-open/{where}")
        assert page.soup.select(f'main a[href="{CON}"]') and page.soup.select(f'main a[href="{CON}/hall"]')
        assert not olga.open(f"/e/elsewhere/{where}").soup.select('main a[href^="/c/"]')


def test_cancelled_event_shows_no_places(visitor: Person, stage: Stage, doubled: list[Event]) -> None:
    stage.do(doubled[2], cancel, "The hall is flooded.", 0)
    assert "places free" not in visitor.open(CON).part(f"#e{doubled[2].id}")


def test_name_without_a_readable_address_is_refused(olga: Person, stage: Stage) -> None:
    stage.event("Iron Open")
    page = olga.press("Save", at="/e/iron-open/desk/settings/event", convention="!!!")
    assert page.error_at("convention") == "Use at least one letter or number: the name makes the page’s address."
    assert page.value("convention") == "!!!"
    assert olga.press("Save", at="/e/iron-open/desk/settings/event", convention="大会").status == 200
