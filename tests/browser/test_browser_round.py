"""A round in a real browser: its draft, its clock on every phone, its paper sheets, and the hall's projector."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, StorageState, expect

from events.messages.announcements import announce
from events.setup import actions as setup_actions
from events.setup import pairing_actions
from models.event import Event
from models.play import ReportSide
from models.settings import BoardsMatched
from tests.browser.acts import choose, follow, keys, pairings, press, press_here, private_links, publish, sent, sign_up
from tests.browser.conftest import Staging
from tests.browser.visits import SMALL, Visits
from tests.kit.person import DRAW, PREVIEW, START_CLOCK
from tests.kit.profiles import full_run
from tests.kit.team_events import enter_teams, of_team

DRAFT = "/e/drafted/desk/rounds/1"


@pytest.fixture(scope="session", autouse=True)
def drafted(staging: Staging) -> None:
    """An event with a drawn round 1 of four players, two of one club, and an event in its second round."""
    with staging() as stage:
        event = stage.event("Drafted")
        stage.enter(event, "Ada", "Bo", club="Reds")
        stage.enter(event, "Cy", "Di")
        stage.draw(event, 1)
        running = stage.event("Running", players=("Ada", "Bo", "Cy", "Di"))
        stage.play(running, 1)
        stage.publish(running, 2)


def at(page: Page, name: str) -> tuple[str, ...]:
    """A player's row in the pairings."""
    return next(row for row in pairings(page) if name in row)


def test_phone_swaps_players_with_two_taps_and_undoes_with_one(visits: Visits, organiser: StorageState) -> None:
    phone = visits.phone(storage_state=organiser)
    phone.goto(DRAFT)
    seats = phone.locator(".seat")
    before = pairings(phone)
    text, other = (seats.nth(place).locator("bdi").first.inner_text() for place in (0, 2))
    seats.nth(0).tap()
    expect(seats.nth(0)).to_have_attribute("aria-pressed", "true")
    seats.nth(0).tap()
    expect(seats.nth(0)).to_have_attribute("aria-pressed", "false")
    seats.nth(0).tap()
    seats.nth(2).tap()
    expect(phone.locator(".flash-success")).to_contain_text("Swapped.")
    assert at(phone, text)[0] == before[1][0]
    assert at(phone, other)[0] == before[0][0]
    press_here(phone, f"Undo: Swapped {text} and {other} in round 1")
    expect(phone.locator(".flash-success")).to_contain_text("Undone")
    assert pairings(phone) == before


def test_links_of_a_round_are_tall_enough_for_a_finger(
    visits: Visits, organiser: StorageState, staging: Staging
) -> None:
    with staging() as stage:
        event = stage.event(
            "Fingers", players=("Maximiliane-Sophie von Hohenberg-Schwarzenfels", "Bobby", "Cyril", "Dina")
        )
        disputed, _ = stage.publish(event, 1)
        stage.report(event, disputed, ReportSide.A, {"a.r2": 2})
        stage.report(event, disputed, ReportSide.B, {"a.r2": 1})
        decide = f"desk/games/{disputed.id}"
    phone = visits.phone(storage_state=organiser)
    for address in (
        "rounds/1",
        "rounds/1?order=name",
        "desk/rounds/1",
        "desk/rounds/1/results",
        decide,
    ):
        phone.goto(f"/e/fingers/{address}")
        assert phone.evaluate(SMALL) == [], address


@pytest.mark.sweep
def test_player_chosen_for_a_board_leaves_the_other_board(staging: Staging, visits: Visits, data: Path) -> None:
    with staging() as stage:
        event = stage.event("Captains")
        stage.do(event, pairing_actions.set_teams, 3, BoardsMatched.CHOICE, False)
        reds, _ = enter_teams(stage, event, "Reds", "Blues")
        stage.publish(event, 1)
        captain, *_ = of_team(stage, event, reds)
        link = private_links(stage, data, event)[captain.name]
    phone = visits.phone()
    phone.goto(link)
    phone.goto("/e/captains/me/boards")
    for board, name, shown in (
        ("Board 3", captain.name, ["Reds 3", "Reds 2", "Reds 1"]),
        ("Board 2", "Nobody", ["Reds 3", "Nobody", "Reds 1"]),
        ("Board 2", captain.name, ["Reds 3", "Reds 1", "Nobody"]),
    ):
        phone.get_by_label(board).select_option(name)
        boards = phone.locator("main form select").all()
        assert [select.locator("option:checked").inner_text() for select in boards] == shown


@pytest.mark.sweep
def test_preview_of_a_correction_fits_a_phone(visits: Visits, organiser: StorageState) -> None:
    phone = visits.phone(storage_state=organiser)
    phone.goto("/e/running/desk/rounds/1")
    follow(phone.get_by_role("link", name="Correct").first)
    text, other = ("a", "b") if phone.locator("input[name='a.objectives'][value='1']").is_checked() else ("b", "a")
    choose(phone, f"{text}.objectives", 5)
    choose(phone, f"{other}.objectives", 0)
    press(phone, PREVIEW)
    expect(phone.locator("#look")).to_contain_text("Its pairs stay as they were published")
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_desk_swaps_players_by_drag_or_keys_except_in_a_locked_pair(visits: Visits, organiser: StorageState) -> None:
    desk = visits.desk(storage_state=organiser)
    desk.goto(DRAFT)
    ada, bo = (desk.locator(".seat", has_text=name) for name in ("Ada", "Bo"))
    partner = next(name for name in at(desk, "Bo")[1:] if name != "Bo")
    here, there = ada.bounding_box(), desk.locator(".seat", has_text=partner).bounding_box()
    assert here is not None
    assert there is not None
    desk.mouse.move(here["x"] + 20, here["y"] + 20)
    desk.mouse.down()
    desk.mouse.move(here["x"] + 40, here["y"] + 30, steps=4)
    desk.mouse.move(there["x"] + 20, there["y"] + 20, steps=8)
    desk.mouse.up()
    expect(desk.locator(".row-warning")).to_contain_text("same club: Reds")
    assert {"Ada", "Bo"} <= set(at(desk, "Ada"))
    expect(desk.locator(".draft-head .draft-verdict")).to_have_text("Worse than the best draw")
    desk.locator(".menu > summary").click()
    desk.locator("summary", has_text="Lock a pair").click()
    pair = desk.locator("#locked-pair")
    pair.select_option(pair.locator("option", has_text="Ada").get_attribute("value"))
    press_here(desk.locator("#lock"), "Lock")
    expect(ada).to_have_attribute("aria-disabled", "true")
    di = desk.locator(".seat", has_text="Di")
    di.focus()
    desk.keyboard.press("Enter")
    expect(di).to_have_attribute("aria-pressed", "true")
    bo.click(force=True)  # although it is disabled
    expect(desk.locator("#live")).to_contain_text("unlock it first")
    desk.keyboard.press("Escape")
    expect(di).to_have_attribute("aria-pressed", "false")
    assert {"Ada", "Bo"} <= set(at(desk, "Ada"))


WRONG_BY = {"right": 0, "fast": 3 * 3600 * 1000, "slow": -26 * 3600 * 1000}
"""By how many milliseconds the phones' own clocks are ahead."""


def seconds(page: Page) -> int:
    found = re.fullmatch(r"(−?)([\d:]+)", page.locator(".face .clock").inner_text())
    assert found
    sign, figures = found.groups()
    total = 0
    for part in figures.split(":"):
        total = total * 60 + int(part)
    return -total if sign else total


@pytest.mark.sweep
@pytest.mark.proves("F15")
def test_phones_with_wrong_clocks_show_the_same_round_clock(
    visits: Visits, organiser: StorageState, staging: Staging
) -> None:
    with staging() as stage:
        stage.enter(stage.event("Clock Cup"), "Ada", "Bo")
    desk, event = visits.desk(storage_state=organiser), "/e/clock-cup"
    desk.goto(f"{event}/desk/rounds/1")
    press(desk, f"{DRAW} 1")
    phones = {}
    for name, wrong in WRONG_BY.items():
        phone = visits.phone()
        phone.add_init_script(f"const ownClock = Date.now.bind(Date); Date.now = () => ownClock() + {wrong};")
        phone.goto(event)
        phones[name] = phone
    publish(desk, 1)
    for phone in phones.values():
        # The event's page updates itself.
        expect(phone.locator("#live")).not_to_be_empty()
        phone.goto(f"{event}/rounds/1")
        expect(phone.locator(".face .badge")).to_have_text("Not started")
    desk.goto(f"{event}/desk/clock")
    press(desk, START_CLOCK)
    for phone in phones.values():
        expect(phone.locator(".face .badge")).to_have_text("Running")
        expect(phone.locator("#live")).to_contain_text("Round 1: running")
    shown = {name: seconds(phone) for name, phone in phones.items()}
    assert max(shown.values()) - min(shown.values()) <= 30, shown
    assert 89 * 60 < shown["right"] <= 90 * 60
    press(desk, "Pause")
    for phone in phones.values():
        expect(phone.locator(".face .badge")).to_have_text("Paused")
    assert len({seconds(phone) for phone in phones.values()}) == 1


def test_open_pages_update_tabs_and_announcements(visits: Visits, staging: Staging) -> None:
    with staging() as stage:
        stage.event("Tabs Cup")
    event, phone, guest = "/e/tabs-cup", visits.phone(), visits.phone()
    sign_up(phone, event, "Ada")
    phone.goto(f"{event}/me")
    expect(phone.get_by_role("navigation")).not_to_contain_text("Standings")
    guest.goto(f"{event}/register")
    guest.get_by_label("Your name").fill("Bo")
    with staging() as stage:
        row = stage.one(Event, slug="tabs-cup")
        stage.enter(row, "Cy", "Di")
        stage.publish(row, 1)
        stage.do(row, announce, "Lunch is ready.")
    expect(phone.get_by_role("navigation")).to_contain_text("Standings")
    expect(phone.get_by_role("link", name="My page")).to_have_attribute("aria-current", "page")
    expect(guest.locator(".announcements")).to_contain_text("Lunch is ready.")
    expect(guest.get_by_label("Your name")).to_have_value("Bo")
    phone.get_by_role("button", name="Hide this announcement").click()
    phone.reload()
    expect(phone.locator(".announcement")).to_be_hidden()


ENTRY = "/e/on-paper/desk/rounds/1/entry"


@pytest.fixture(scope="session", autouse=True)
def on_paper(staging: Staging) -> None:
    """An event of eight players whose round 1 is published, with Hold the Line at every table."""
    with staging() as stage:
        event = stage.event("On Paper", scenarios=("hold-the-line", "", ""))
        stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")
        stage.publish(event, 1)


@pytest.mark.sweep
def test_full_box_of_a_sheet_goes_on_to_the_next(visits: Visits, organiser: StorageState) -> None:
    """The keys with a Tab after each figure type the same sheet."""
    desk = visits.desk(storage_state=organiser)
    for pressed in (("2", "0", "1"), ("2", "Tab", "0", "Tab", "1")):
        desk.goto(f"{ENTRY}?table=4")
        expect(desk.locator("input[name='a.r2']")).to_be_focused()
        keys(desk, *pressed)
        assert [desk.locator(f"input[name='a.r{number}']").input_value() for number in (2, 3, 4)] == ["2", "0", "1"]
        expect(desk.locator("input[name='a.r5']")).to_be_focused()
        desk.keyboard.press("Shift+Tab")
        expect(desk.locator("input[name='a.r4']")).to_be_focused()
        expect(desk.locator("[data-sum-of]"), "a running total next to each name").to_have_text(["= 3", "= 0"])


@pytest.mark.parametrize("script", full_run([True, False], [True], [False]), ids=["script", "no script"])
def test_paper_sheets_are_entered_with_the_keyboard_alone(
    visits: Visits, organiser: StorageState, script: bool
) -> None:
    desk = visits.desk(storage_state=organiser, java_script_enabled=script)
    visits.expected |= {422}
    desk.goto(ENTRY)
    table = 1 if script else 4
    expect(desk.locator("#table")).to_be_focused()
    # Tab moves as on the sheet: the table, the second and third figure of A, past its markers the first of B.
    sent(desk, str(table), "Enter")
    expect(desk.locator("#sheet-head")).to_have_text(f"Table {table}")
    expect(desk.locator("input[name='a.r2']")).to_be_focused()
    sent(desk, "Tab", "2", "Tab", "1", "Tab", "Tab", "Tab", "Tab", "1", "Enter")
    expect(desk.locator(".flash-success")).to_contain_text(f"Table {table} stored")
    expect(desk.locator(".flash-success")).to_contain_text("3 : 1")
    expect(desk.locator("#table")).to_be_focused()
    if not script:
        return
    # The impossible figure gets the focus; a typed correction is stored.
    sent(desk, "2", "Enter")
    expect(desk.locator("input[name='a.r2']")).to_be_focused()
    sent(desk, "Tab", "Tab", "7", "Enter")
    expect(desk.locator("input[name='a.r4']")).to_be_focused()
    desk.keyboard.press("ControlOrMeta+a")
    sent(desk, "1", "Enter")
    expect(desk.locator(".flash-success")).to_contain_text("Table 2 stored")
    # Unusual figures need a confirmation: a tick by the space bar, and Enter.
    expect(desk.locator("#table")).to_be_focused()
    sent(desk, "3", "Enter")
    expect(desk.locator("input[name='a.r2']")).to_be_focused()
    sent(desk, "Enter")
    expect(desk.locator("#sure")).to_be_focused()
    sent(desk, "Space", "Enter")
    expect(desk.locator(".flash-success")).to_contain_text("Table 3 stored")
    expect(desk.locator("main")).to_contain_text(re.compile("[34] of 4 tables decided"))


CUT = """() => [...document.querySelectorAll(".hall-name bdi")].filter((name) => {
  const text = name.getBoundingClientRect();
  const row = name.closest("li").getBoundingClientRect();
  const box = name.parentElement.getBoundingClientRect();
  return text.width === 0 || text.top < row.top - 1 || text.bottom > row.bottom + 1 || text.right > box.right + 1;
}).map((name) => `${name.parentElement.className}: ${name.textContent}`)"""
LONGEST = (
    "Maximiliana Alexandrovna of Hohenstaufen-Wittelsbach-Sayn ", "WILHELMINA WINNIFRED MONTGOMERY WARWICK WELLINGTON ",
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarenge", "W" * 58, "圆" * 58, "Ada ",
)  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("count", full_run([11, 32], [32]))
def test_projector_shows_names_of_sixty_letters_completely(visits: Visits, staging: Staging, count: int) -> None:
    with staging() as stage:
        event = stage.event(f"Long Names {count}", rounds=2)
        stage.enter(event, *(f"{LONGEST[place % 6]}{place:02}" for place in range(count)))
        stage.play(event, 1)
        games = stage.publish(event, 2)
        slug = event.slug
        for size in ((1280, 800), (1920, 1080)):
            page = visits.open(viewport={"width": size[0], "height": size[1]})
            for view in ("names", "pairings", "standings"):
                page.goto(f"/e/{slug}/hall/{view}")
                assert page.locator(".hall-name").count() >= min(count, 16)
                assert page.evaluate(CUT) == [], (size, view)
        for game in games:
            if game.b_id:
                stage.decide(event, game, 2, 1)
        stage.do(event, setup_actions.finish)
        page.goto(f"/e/{slug}/hall/podium")
        assert page.locator(".hall-name").count() >= 3
        assert page.evaluate(CUT) == []


@pytest.mark.sweep
def test_desk_shows_the_last_result_although_it_came_while_the_page_was_read(
    visits: Visits, organiser: StorageState, staging: Staging
) -> None:
    with staging() as stage:
        event = stage.event("Ending", players=("Ada", "Bo", "Cy", "Di"))
        stage.publish(event, 1)

    def decide(place: int) -> None:
        with staging() as stage:
            event = stage.one(Event, slug="ending")
            stage.decide(event, stage.games(event, 1)[place], 4, 1)

    def decide_the_last(route: Route) -> None:
        decide(1)
        route.continue_()

    desk = visits.desk(storage_state=organiser)
    desk.goto("/e/ending/desk/rounds/1")
    desk.route("**/desk/rounds/1", decide_the_last, times=1)
    decide(0)
    expect(desk.locator("[data-poll-part=next]")).to_contain_text("Round 1 is complete")
    expect(desk.locator(".pairings")).to_contain_text("4 : 1 Correct 2", use_inner_text=True)
