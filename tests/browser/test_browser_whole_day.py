"""A whole event on real screens: an organiser at a desk, players on their phones, from the set-up link to the end."""

import json
import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.acts import (
    add_walk_in,
    become_organiser,
    check_everybody_in,
    choose,
    decide,
    follow,
    make_event,
    open_registration,
    pairings,
    press,
    press_here,
    private_links,
    publish,
    set_up_event,
    sign_up,
    take_out,
)
from tests.browser.players_day import (
    builds_a_force,
    drops_on_the_phone,
    link_opens_the_own_page,
    report_and_confirm,
)
from tests.browser.visits import Visits, shoot

pytestmark = pytest.mark.long  # test_browser_full_hall.py is a day in every run

PIPER = {
    "system": "battle_mode",
    "edition": "2018-08",
    "faction": "Survivors",
    "models": [
        {
            "name": "Piper",
            "heroic": True,
            "leader": True,
            "leader_card": "Commander",
            "perks": ["Sneak"],
            "items": [{"name": "Pipe Pistol", "mods": ["Long Barrel"]}, {"name": "Baseball Grenade", "count": 3}],
        }
    ],
    "cards": [],
}
PASTED = "Ben Okafor; Iron Dice; Super Mutants\nCleo Maar\tIron Dice\nJürgen Weiß; ; Brotherhood of Steel"
FIELD = {"Ada Lovelace", "Ben Okafor", "Cleo Maar", "Jürgen Weiß", "Walter Inn"}


def test_a_whole_day(visits: Visits, set_up_link: str) -> None:
    visits.expected = {422}
    desk, ada = visits.desk(), visits.phone()
    become_organiser(desk, set_up_link)
    event = make_event(desk, "Mill Lane Open")
    set_up_event(desk, event, size=500, scenario="hold-the-line")
    shoot(desk, "day-desk-settings", full=True)
    open_registration(desk, event)
    shoot(desk, "day-desk-open")

    link = sign_up(ada, event, "Ada Lovelace", club="Second Vault", faction="Survivors")
    link_opens_the_own_page(visits, ada, event, link)
    builds_a_force(ada, event)

    add_walk_in(desk, event, "Walter Inn", club="Second Vault")
    paste_names(desk, event)
    hand_in_for(desk, event, "Walter Inn")
    assert check_everybody_in(desk, event) == 4, "all but the walk-in, who is here already"
    shoot(desk, "day-desk-players", full=True)

    phones = {name: visits.phone() for name in sorted(FIELD)}
    for name, address in private_links(desk, event).items():
        phones[name].goto(address)
    played = [first_round(desk, phones, event)]
    report_and_confirm(phones, event, played[0])
    dispute_and_decide(desk, phones, event, played[0])
    standings_after_one(desk, event, played[0])

    add_walk_in(desk, event, "Late Lena")
    leaver = drops_on_the_phone(phones, played[0])
    played += [later_round(desk, phones, event, 2), later_round(desk, phones, event, 3)]
    nobody_meets_twice(played, leaver)
    closes(desk, phones, event, leaver)


def paste_names(desk: Page, event: str) -> None:
    """A list of names, one of them taken: the others are entered, that line stays with its reason."""
    desk.goto(f"{event}/desk/players")
    desk.get_by_label("List of names").fill(f"{PASTED}\nada lovelace")
    press(desk, "Add all")
    said = desk.locator(".verdict")
    expect(said).to_contain_text("3 of 4 lines entered")
    expect(said).to_contain_text("registered already")
    expect(desk.get_by_label("List of names")).to_have_value("ada lovelace")
    assert set(desk.locator("td[data-label=Player]").all_inner_texts()) == FIELD


def hand_in_for(desk: Page, event: str, name: str) -> None:
    """Read a force file on behalf of a player, and submit it."""
    desk.goto(f"{event}/desk/players")
    follow(desk.get_by_role("link", name=name, exact=True))
    follow(desk.get_by_role("link", name="Force", exact=True))
    wrong: FilePayload = {"name": "photo.json", "mimeType": "application/json", "buffer": b"\x89PNG"}
    desk.get_by_text("Read a force from a file or a text").click()
    desk.get_by_label("Force file").set_input_files(wrong)
    press(desk, "Read the file")
    expect(desk.locator(".errors")).to_contain_text("cannot be read as a force")
    right: FilePayload = {"name": "piper.json", "mimeType": "application/json", "buffer": json.dumps(PIPER).encode()}
    desk.get_by_label("Force file").set_input_files(right)
    press(desk, "Read the file")
    expect(desk.locator(".tally-value")).to_contain_text("244 of 500 Caps")
    press(desk, "Submit this force")
    expect(desk.locator(".flash-success")).to_contain_text("Submitted")
    desk.goto(f"{event}/desk/lists")
    row = desk.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text("Submitted")
    expect(row).to_contain_text("Legal")
    shoot(desk, "day-desk-lists")


def first_round(desk: Page, phones: Mapping[str, Page], event: str) -> list[tuple[str, ...]]:
    """Draw, look, swap two by hand, publish; the phones show it by themselves."""
    desk.goto(f"{event}/desk/rounds/1")
    expect(desk.locator("main")).to_contain_text("5 players are checked in: one of them will have the bye")
    press(desk, "Draw round 1")
    drawn = pairings(desk)
    assert sorted(row[0] for row in drawn) == ["1", "2", "bye"]
    assert {name for row in drawn for name in row[1:]} == FIELD
    shoot(desk, "day-desk-drawn", full=True)

    had_bye = next(row[1] for row in drawn if row[0] == "bye")
    at_one = next(row[1] for row in drawn if row[0] == "1")
    swap = desk.locator("#swap")
    swap.get_by_label("Player", exact=True).select_option(label=f"{had_bye} (bye)")
    swap.get_by_label("changes places with").select_option(label=f"{at_one} (table 1)")
    press_here(swap, "Swap")
    expect(desk.locator(".flash-success")).to_contain_text("Swapped")
    changed = {had_bye: at_one, at_one: had_bye}
    swapped = [(row[0], *(changed.get(name, name) for name in row[1:])) for row in drawn]
    assert pairings(desk) == swapped
    for phone in phones.values():
        expect(phone.locator("h1")).to_have_text("You are registered")

    waiting = {name: phone.evaluate("performance.timeOrigin") for name, phone in phones.items()}
    expect(desk.locator(".next-text")).to_contain_text("locks and shows all lists")
    press(desk, "Publish round 1")
    expect(desk.locator(".flash-success")).to_contain_text("Round 1 is published")
    shoot(desk, "day-desk-round", full=True)
    for table, *names in swapped:
        for name in names:
            if table == "bye":
                expect(phones[name].locator("main")).to_contain_text("You have the bye")
            else:
                expect(phones[name].locator(".huge")).to_have_text(table)
    for name, phone in phones.items():
        assert phone.evaluate("performance.timeOrigin") == waiting[name], "the page was loaded anew"
    shoot(phones[swapped[0][1]], "day-phone-table")
    return swapped


def dispute_and_decide(desk: Page, phones: Mapping[str, Page], event: str, played: list[tuple[str, ...]]) -> None:
    """Two reports that differ; the desk says so by itself, the organiser decides, the phones hear of it."""
    table, one, other = next(row for row in played if row[0] == "2")
    desk.goto(f"{event}/desk")
    for name, wins in ((one, "a"), (other, "b")):
        phones[name].goto(f"{event}/me/game")
        if name == other:
            expect(phones[name].locator("[name='a.objectives']").first).not_to_be_visible()
            phones[name].get_by_text("No, it was different").click()
        choose(phones[name], f"{wins}.objectives", 5)
        choose(phones[name], f"{'b' if wins == 'a' else 'a'}.objectives", 0)
        press(phones[name], "Send the result" if name == one else "Send my report")
        expect(phones[name]).to_have_url(re.compile("/me$"))
    expect(phones[other].locator("main")).to_contain_text("Disputed")
    expect(desk.locator("#group-disputed summary")).to_contain_text("1 result disputed")
    shoot(desk, "day-desk-dispute")
    follow(desk.get_by_role("link", name="Decide table 2"))
    expect(desk.locator("table.reports tbody tr")).to_have_count(2)
    shoot(desk, "day-desk-decide", full=True)
    decide(desk, event, 1, table, 3, 3)
    for name in (one, other):
        take_out(phones[name])
        # With the last result the round is complete, and the page says where to look next.
        expect(phones[name].locator("h1")).to_have_text("Round 1 is complete")


def standings_after_one(desk: Page, event: str, played: list[tuple[str, ...]]) -> None:
    """Points as the settings give them: the winner and the bye 3, the two who drew 1, the loser 0."""
    desk.goto(f"{event}/standings")
    rows = desk.locator("table.standings tbody tr").evaluate_all(
        "rows => rows.map(row => [row.querySelector('td[data-label=Player] bdi').textContent,"
        " Number(row.querySelector('td[data-label=Points] summary').textContent)])"
    )
    by_table = {row[0]: row[1:] for row in played}
    (winner, loser), (one, other), (free,) = by_table["1"], by_table["2"], by_table["bye"]
    assert dict(rows) == {winner: 3, free: 3, one: 1, other: 1, loser: 0}
    assert [points for _, points in rows] == [3, 3, 1, 1, 0]
    shoot(desk, "day-standings")


def later_round(desk: Page, phones: Mapping[str, Page], event: str, number: int) -> list[tuple[str, ...]]:
    """Draw, publish, and enter every result at the desk; a phone that was open all the time shows the table."""
    desk.goto(f"{event}/desk/rounds/{number}")
    press(desk, f"Draw round {number}")
    drawn = pairings(desk)
    publish(desk, number)
    expect(desk.locator(".flash-success")).to_contain_text(f"Round {number} is published")
    for table, *names in drawn:
        for name in names:
            if table != "bye" and name in phones:
                take_out(phones[name])
                expect(phones[name].locator(".huge")).to_have_text(table)
    public = phones[next(name for name in phones if name in drawn[0])]
    public.goto(f"{event}/rounds/{number}")
    shoot(public, f"day-phone-round-{number}", full=True)
    for table, *_ in drawn:
        if table != "bye":
            decide(desk, event, number, table, number, 1)
    expect(desk.locator("header .badge")).to_contain_text("Complete")
    public.go_back()
    return drawn


def nobody_meets_twice(played: list[list[tuple[str, ...]]], leaver: str) -> None:
    """No rematch, no second bye; the late one plays from round 2, who left plays no more."""
    met = [frozenset(row[1:]) for games in played for row in games]
    assert len(set(met)) == len(met)
    fields = [{name for row in games for name in row[1:]} for games in played]
    assert fields == [FIELD, FIELD - {leaver} | {"Late Lena"}, FIELD - {leaver} | {"Late Lena"}]


def closes(desk: Page, phones: Mapping[str, Page], event: str, leaver: str) -> None:
    """The event is closed; the standings are final, on the desk and on the phones."""
    desk.goto(f"{event}/desk")
    shoot(desk, "day-desk-last", full=True)
    press(desk, "Close the event")
    expect(desk.locator("body")).to_contain_text("The event is over")
    desk.goto(f"{event}/standings")
    expect(desk.locator("h1")).to_have_text("Final standings")
    names = desk.locator("table.standings tbody td[data-label=Player]").all_inner_texts()
    assert len(names) == 6
    assert [name for name in names if "dropped" in name] == [f"{leaver} dropped"]
    shoot(desk, "day-final-standings", full=True)
    phone = next(phone for name, phone in phones.items() if name != leaver)
    take_out(phone)
    expect(phone.locator("h1")).to_have_text("The event is over")
    follow(phone.get_by_role("link", name="Final standings"))
    expect(phone.locator("h1")).to_have_text("Final standings")
    shoot(phone, "day-phone-final", full=True)
