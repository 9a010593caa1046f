"""A day of ten players and three rounds: two organisers, a judge, ten phones, and what goes wrong then."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import (
    PASSWORD,
    add_walk_in,
    agree,
    become_organiser,
    choose,
    follow,
    make_event,
    open_registration,
    own_link,
    press,
    press_here,
    set_up_event,
    take_out,
)
from tests.browser.hall_day import Hall, Table, private_links
from tests.browser.server import overseer
from tests.browser.visits import Visits, leads_on, shoot

NAMES = (
    "Ada Lovelace", "Ben Okafor", "Cleo Maar", "Dmitri Wolf", "Finn O'Hara", "Grete Weiß", "Ivo Petrović",
    "Jürgen Groß", "Kim Lee", "Łucja Nowak",
)  # fmt: skip
LATE = "Quentin Late"

pytestmark = pytest.mark.long  # test_browser_taps.py and test_browser_without_script.py are days in every run


def test_a_day_of_ten(visits: Visits, data: Path, set_up_link: str) -> None:
    hall = opens(visits, set_up_link)
    first = hall.publish(1)
    plays_first_round(hall, visits, first)
    hall.check_standings(hall.desk, 1)
    leaver = one_leaves_and_one_comes_late(hall, visits, first)
    second = hall.publish(2)
    corrects_the_round_before(hall, first)
    hall.reports(second[0].a, second[0], 4, 4)
    hall.confirms(second[0].b)
    hall.from_paper(2, {table.number: (place % 6, 5 - place % 4) for place, table in enumerate(second[1:])})
    third = hall.publish(3)
    hall.from_paper(3, {table.number: (5 - place % 4, place % 3) for place, table in enumerate(third)})
    nobody_met_twice(hall, leaver)
    closes(hall, leaver)
    tells_what_was_done(hall, data, first, leaver)


def opens(visits: Visits, set_up_link: str) -> Hall:
    """Two organisers and a judge sign in, the event takes its players, each opens the own link on a phone."""
    desk = visits.desk()
    become_organiser(desk, set_up_link, "Marta")
    address = make_event(desk, "Ten at Mill Lane")
    staff = [joins(visits, desk, address, name, role) for name, role in (("Hugo", "Organiser"), ("Anna", "Judge"))]
    set_up_event(desk, address, size=500, scenario="hold-the-line")
    open_registration(desk, address)
    desk.goto(f"{address}/desk/players")
    desk.get_by_label("List of names").fill("\n".join(NAMES))
    press(desk, "Add all")
    expect(desk.locator(".verdict, .flash-success").first).to_contain_text("10")
    hall = Hall(address, desk, second=staff[0], judge=staff[1])
    everybody_is_here(hall)
    for name, link in private_links(hall.desk, address).items():
        phone = hall.phones[name] = visits.phone()
        phone.goto(link)
    assert sorted(hall.phones) == sorted(NAMES)
    return hall


def joins(visits: Visits, desk: Page, address: str, name: str, role: str) -> Page:
    """The owner makes a link for a role; its first visitor makes an account and sees the desk."""
    desk.goto(f"{address}/desk/staff")
    desk.locator("#invite").get_by_role("radio", name=role).check()
    press(desk, "Create link")
    link = own_link(desk)
    page = visits.desk()
    page.goto(link)
    new = page.locator("#new")
    new.get_by_label("name").fill(name)
    new.get_by_label("Password").fill(PASSWORD)
    press(new, "Create account and accept")
    expect(page.locator("h1")).not_to_contain_text("Help at")
    return page


def everybody_is_here(hall: Hall) -> None:
    """Each is checked in by a press, half of them by either organiser, at the same time."""
    buttons = [page.get_by_role("button", name="Check in", exact=True) for page in (hall.desk, hall.second)]
    hall.second.goto(f"{hall.address}/desk/players")
    for left in range(len(NAMES), 0, -2):
        for page, button, place in zip((hall.desk, hall.second), buttons, ("first", "last"), strict=True):
            with leads_on(page):
                getattr(button, place).click()
        expect(buttons[1]).to_have_count(left - 2)


def plays_first_round(hall: Hall, visits: Visits, tables: list[Table]) -> None:
    """Reported and confirmed, reported alike, disputed and judged, kept on a phone offline, typed from paper."""
    agreed, alike, disputed, cut_off, *paper = tables
    alone = hall.phones[cut_off.a]
    alone.goto(f"{hall.address}/me/game")
    with visits.offline(alone, anew=True):
        choose(alone, "a.objectives", 0)
        choose(alone, "b.objectives", 5)
        press_here(alone, "Send the result")
        expect(alone.locator("#outbox")).to_contain_text("is not confirmed yet. It is kept on this phone")

        hall.reports(agreed.a, agreed, 5, 2)
        hall.confirms(agreed.b)
        take_out(hall.phones[agreed.a])
        expect(hall.phones[agreed.a].locator("main")).to_contain_text("Your result is confirmed")

        hall.reports(alike.a, alike, 1, 3)
        hall.reports(alike.b, alike, 1, 3, send="Send my report")

        hall.reports(disputed.a, disputed, 4, 2)
        hall.reports(disputed.b, disputed, 2, 4, send="Send my report")
        hall.from_paper(1, {table.number: (place, place // 2) for place, table in enumerate(paper, start=1)})
        judge_decides(hall, disputed)
        hall.desk.goto(f"{hall.address}/desk/rounds/1/results")
        expect(hall.desk.locator(".lede")).to_contain_text("4 of 5 tables decided")
        expect(hall.desk.locator(f"#table-{cut_off.number}")).to_contain_text("Still playing")
    # The network is back: what was kept goes out by itself, and is stored once.
    expect(alone.locator("#outbox")).to_contain_text("Saved. Now your opponent confirms it")
    cut_off.vp = (0, 5)
    hall.confirms(cut_off.b)
    for name in (cut_off.a, cut_off.b, disputed.a):
        hall.phones[name].goto(f"{hall.address}/me")
        expect(hall.phones[name].locator("h1")).to_have_text("Round 1 is complete")


def judge_decides(hall: Hall, table: Table) -> None:
    """The judge sees both reports side by side and accepts one, with a reason."""
    page = hall.judge
    page.goto(f"{hall.address}/desk/rounds/1/results?show=disputed")
    row = page.locator("table.results-desk tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(table.a)
    follow(row.get_by_role("link", name="Decide"))
    expect(page.locator("#dispute")).to_contain_text("Where the two reports differ")
    shoot(page, "hall-judge-dispute", full=True)
    page.get_by_label("Why", exact=False).first.fill("Both counted together at the table")
    press(page, f"Take {table.a}’s report")
    expect(page.locator(".flash-success")).to_contain_text("confirmed")
    table.vp = (4, 2)


def one_leaves_and_one_comes_late(hall: Hall, visits: Visits, tables: list[Table]) -> str:
    """The loser of table 1 drops on the phone; somebody stands at the desk and plays from round 2."""
    leaver = tables[0].b
    phone = hall.phones[leaver]
    phone.goto(f"{hall.address}/me")
    agree(phone, "Drop from the event")
    expect(phone.locator("h1")).to_have_text("You have left this event")
    add_walk_in(hall.second, hall.address, LATE)
    link = private_links(hall.second, hall.address)[LATE]
    hall.phones[LATE] = visits.phone()
    hall.phones[LATE].goto(link)
    return leaver


def corrects_the_round_before(hall: Hall, tables: list[Table]) -> None:
    """With round 2 on the tables a result of round 1 turns: first what that changes, then a reason, then it counts."""
    table = tables[4]
    page = hall.judge
    page.goto(f"{hall.address}/desk/rounds/1/results")
    follow(page.locator(f"#table-{table.number}").get_by_role("link", name="Correct"))
    choose(page, "a.objectives", 1)
    choose(page, "b.objectives", 5)
    press(page, "See what changes")
    look = page.locator("#look")
    expect(look).to_contain_text("Standings after round 1")
    expect(look).to_contain_text("Its pairs stay as they were published")
    shoot(page, "hall-correction", full=True)
    page.get_by_label("Why", exact=False).first.fill("The sheet was read upside down")
    press(page, "Store the correction")
    expect(page.locator(".flash-success")).to_be_visible()
    table.vp = (1, 5)
    hall.check_standings(hall.desk, 1)
    expect(hall.desk.locator("h1")).to_have_text("Standings")


def nobody_met_twice(hall: Hall, leaver: str) -> None:
    """Who left plays no more, who came late plays from then on, and no two meet again."""
    met = [frozenset((table.a, table.b)) for tables in hall.rounds for table in tables]
    assert len(set(met)) == len(met) == 15
    fields = [{name for table in tables for name in (table.a, table.b)} for tables in hall.rounds]
    later = {*NAMES, LATE} - {leaver}
    assert fields == [set(NAMES), later, later]


def closes(hall: Hall, leaver: str) -> None:
    """The final standings are those of our own arithmetic, on the desk and on every phone."""
    hall.desk.goto(f"{hall.address}/desk")
    press(hall.desk, "Close the event")
    expect(hall.desk.locator("body")).to_contain_text("The event is over")
    for page in (hall.desk, hall.phones[LATE]):
        hall.check_standings(page, 3)
        expect(page.locator("h1")).to_have_text("Final standings")
    shoot(hall.phones[LATE], "hall-phone-final", full=True)
    for name, phone in hall.phones.items():
        take_out(phone)
        if name not in (leaver, LATE):
            expect(phone.locator("h1")).to_have_text("The event is over")


def tells_what_was_done(hall: Hall, data: Path, tables: list[Table], leaver: str) -> None:
    """The journal names who did what, each as what they are; replayed, it is the event as the tables have it."""
    hall.judge.goto(f"{hall.address}/desk/journal")
    journal_text = hall.judge.locator("main").inner_text()
    for who, what in (
        ("judge Anna", f"Round 1, table {tables[2].number}: the result is confirmed"),
        ("judge Anna", f"Round 1, table {tables[4].number}: the result is corrected from"),
        (f"player {leaver}", f"Dropped {leaver} after round 1"),
        ("organiser Hugo", f"Registered {LATE}"),
        ("owner Marta", "Closed the event after 3 rounds"),
    ):
        assert re.search(rf"{re.escape(who)}\s+{re.escape(what)}", journal_text), (who, what, journal_text[:4000])
    held_up = f"Round 1, table {tables[3].number}: the result"
    assert [journal_text.count(f"{held_up} {how}") for how in ("waits for the other side", "is confirmed")] == [1, 1]
    assert "equal" in overseer(data, "replay", hall.address.rpartition("/")[2])
