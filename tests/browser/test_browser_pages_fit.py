"""Every page, on a phone and on a desk, light and dark: it fits, it is whole, and nobody is shut out."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.acts import (
    add_walk_in,
    become_organiser,
    choose,
    make_event,
    open_registration,
    press,
    private_links,
    sign_up,
)
from tests.browser.server import Server, overseer
from tests.browser.visits import DESK, PHONE, Visits, shoot
from tests.own_editions import data_of
from tests.validators.test_catalogue_faults import changed

pytestmark = pytest.mark.browser

AXE = Axe()
RULES = {"resultTypes": ["violations"], "preload": False}
SHOWN = {"event", "event-open", "round", "standings", "builder", "desk", "desk-round", "desk-settings", "desk-check-in"}
"""Pages whose pictures are kept, light and dark."""
LEAST_TARGET = 44
"""Points that a finger needs, either way."""

TOO_SMALL = """(least) => {
  const found = [];
  const seen = "a.button, button, summary, select, textarea, .tabs a, .masthead a, .own-game > a,"
    + " input:not([type=hidden], [type=checkbox], [type=radio]), label.choice, .pips > label";
  for (const control of document.querySelectorAll(seen)) {
    const { width, height } = control.getBoundingClientRect();
    // Not what is shown to screen readers alone, nor a figure inside a table that opens how it was made.
    if (!control.checkVisibility() || width < 2 || control.matches(".how > summary, .visually-hidden")) continue;
    if (Math.min(width, height) < least - 0.5)
      found.push(`${control.tagName} "${control.textContent.trim().slice(0, 30)}" ${width} x ${height}`);
  }
  return found;
}"""


@dataclass
class Places:
    """What there is to see, by who may see it: a name for each page, its address, and what to press there."""

    pages: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)
    states: dict[str, Any] = field(default_factory=dict)

    def add(self, who: str, name: str, address: str, pressed: str = "") -> None:
        """One page more; ``pressed`` is the button that leads to what is meant, e.g. a form's errors."""
        self.pages.setdefault(who, {})[name] = (address, pressed)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event in its second round, played by the demonstration."""
    folder = tmp_path_factory.mktemp("data")
    overseer(folder, "demo", "--players", "6", "--rounds", "2", "--leave-open")
    return folder


@pytest.fixture(scope="module")
def places(chromium: Browser, server: Server) -> Iterator[Places]:
    """Three events in different states, and the way to each of their pages."""
    visits = Visits(chromium, server.address)
    found = Places()
    desk = visits.desk()
    become_organiser(desk, server.set_up_link)
    links = private_links(desk, RUNNING)
    a_running_event(visits, desk, links, found)
    what_counts_off_the_table(desk, found)
    an_open_event(visits, desk, found)
    a_drawn_event(desk, found)
    public_pages(found)
    found.states["organiser"] = desk.context.storage_state()
    found.states["anybody"] = None
    visits.close()
    assert visits.complaints == []
    yield found


RUNNING = "/e/wasteland-open"


def a_running_event(visits: Visits, desk: Page, links: Any, found: Places) -> None:
    """Round 2 is played: one game without a report, one reported, one disputed."""
    desk.goto(f"{RUNNING}/rounds/2")
    games = desk.locator("table.pairings tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('.player > bdi')].map(name => name.textContent))"
    )
    (untold, _), (reporter, answerer), (one, other) = [names for names in games if len(names) == 2][:3]
    for name, side in ((reporter, "a"), (one, "a"), (other, "b")):
        phone = visits.phone()
        phone.goto(links[name])
        phone.goto(f"{RUNNING}/me/game")
        if name == other:
            phone.get_by_text("No, it was different").click()
        choose(phone, f"{side}.objectives", 5)
        press(phone, "Send my report" if name == other else "Send the result")
        phone.wait_for_url("**/me")
    for who, name in (("player", untold), ("answerer", answerer), ("disputer", other)):
        phone = visits.phone()
        phone.goto(links[name])
        found.states[who] = phone.context.storage_state()
        found.add(who, f"{who}-today", f"{RUNNING}/me")
        found.add(who, f"{who}-game", f"{RUNNING}/me/game")
    found.add("player", "link", f"{RUNNING}/me/link")
    found.add("player", "round-own", f"{RUNNING}/rounds/2")
    desk.goto(f"{RUNNING}/desk")
    decide = desk.get_by_role("link", name="Decide").get_attribute("href") or ""
    desk.goto(f"{RUNNING}/desk/players")
    one_player = desk.locator("td[data-label=Player] a").first.get_attribute("href") or ""
    for name, address in {
        "desk": "", "desk-players": "/players", "desk-lists": "/lists", "desk-round": "/rounds/2",
        "desk-settings": "/settings", "desk-journal": "/journal", "desk-print": "/print",
    }.items():  # fmt: skip
        found.add("organiser", name, f"{RUNNING}/desk{address}")
    found.add("organiser", "desk-decide", decide)
    found.add("answerer", "game-versions", decide.replace("/desk", ""))
    for name, address in {
        "desk-results": "/rounds/2/results", "desk-entry": "/rounds/2/entry?table=1", "desk-undo": "/undo",
        "desk-second-pass": "/rounds/1/second-pass?table=1",
    }.items():  # fmt: skip
        found.add("organiser", name, f"{RUNNING}/desk{address}")
    found.add("organiser", "desk-player", one_player)
    found.add("organiser", "desk-builder", f"{one_player}/force")
    found.add("organiser", "desk-list", one_player.replace("/players/", "/lists/"))
    found.add("organiser", "desk-missing", f"{RUNNING}/desk/lists/missing")
    found.add("organiser", "desk-messages", f"{RUNNING}/desk/messages")
    found.add("organiser", "desk-message", f"{RUNNING}/desk/messages/new?template=round")
    found.add("organiser", "desk-message-wrong", f"{RUNNING}/desk/messages/new", "Look at it")
    found.add("anybody", "player", one_player.replace("/desk", ""))


def what_counts_off_the_table(desk: Page, found: Places) -> None:
    """Painting is judged and voted for, opponents are marked, awards wait."""
    desk.goto(f"{RUNNING}/desk/pairing")
    desk.locator("[name=soft-painting]").select_option("both")
    desk.locator("[name=soft-sports]").select_option("scale")
    desk.locator("#soft button[name=do]").click()
    expect(desk.locator(".flashes")).to_contain_text("saved")
    desk.goto(f"{RUNNING}/desk/soft")
    press(desk, "Open the vote")
    judge = desk.get_by_role("link", name="Judge").first.get_attribute("href") or ""
    desk.goto(f"{RUNNING}/desk/awards")
    press(desk, "Add the usual awards")
    found.add("organiser", "desk-awards", f"{RUNNING}/desk/awards")
    found.add("organiser", "desk-soft", f"{RUNNING}/desk/soft")
    found.add("organiser", "desk-painting", judge)
    found.add("organiser", "desk-rulings-wrong", f"{RUNNING}/desk/rulings", "Give it")
    found.add("organiser", "awards", f"{RUNNING}/awards")
    found.add("player", "player-votes", f"{RUNNING}/me/votes")


def an_open_event(visits: Visits, desk: Page, found: Places) -> None:
    """Registration is open; one player has an illegal force, another none."""
    event = make_event(desk, "Spring Muster")
    open_registration(desk, event)
    phone = visits.phone()
    sign_up(phone, event, "Maximiliane von Hohenlohe-Langenburg", club="A club of very many words, founded in 1887")
    phone.goto(f"{event}/me/force")
    press(phone, "Start")
    phone.locator("#add_model").select_option("Sole Survivor")
    press(phone, "Add the model")
    for weapon in ("Minigun", "Gatling Laser", "Missile Launcher"):
        phone.locator("[name='m0.add_item']").select_option(weapon)
        press(phone, "Add weapon or item to Sole Survivor")
        expect(phone.locator("#m0 .lines")).to_contain_text(weapon)
    found.states["builder"] = phone.context.storage_state()
    found.add("builder", "builder", f"{event}/me/force")
    found.add("builder", "builder-today", f"{event}/me")
    beginner = visits.phone()
    sign_up(beginner, event, "Bo")
    found.states["beginner"] = beginner.context.storage_state()
    found.add("beginner", "builder-start", f"{event}/me/force")
    found.add("anybody", "event-open", event)
    found.add("anybody", "register", f"{event}/register")
    found.add("anybody", "register-wrong", f"{event}/register", "Register")
    found.add("anybody", "lists-secret", f"{event}/lists")
    found.add("organiser", "desk-open", f"{event}/desk")
    found.add("organiser", "desk-check-in", f"{event}/desk/players")
    found.add("organiser", "desk-wrong", f"{event}/desk/players", "Add")


def a_drawn_event(desk: Page, found: Places) -> None:
    """A round that is drawn and not published."""
    event = make_event(desk, "Drawn Cup")
    open_registration(desk, event)
    for name in ("One", "Two", "Three"):
        add_walk_in(desk, event, name)
    desk.goto(f"{event}/desk/rounds/1")
    press(desk, "Draw round 1")
    found.add("organiser", "desk-drawn", f"{event}/desk/rounds/1")
    found.add("organiser", "desk-planned", f"{event}/desk/rounds/2")
    found.add("organiser", "desk-print-first", f"{event}/desk/print")


def public_pages(found: Places) -> None:
    """What everybody sees."""
    for name, address in {
        "home": "/", "sign-in": "/sign-in", "error": "/no-such-page", "used-link": "/p/no-such-link",
        "calculator": "/rules/skill-combat/attack?roll=6", "calculator-wrong": "/rules/skill-combat/burst?roll=0",
        "rules": "/rules/battle-mode", "edition": "/rules/battle-mode/editions/2018-08?against=2021-01",
        "edition-of-packs": "/rules/battle-mode/editions/2021-01", "event": RUNNING, "round": f"{RUNNING}/rounds/2",
        "round-by-name": f"{RUNNING}/rounds/2?order=name", "standings": f"{RUNNING}/standings",
        "lists": f"{RUNNING}/lists", "scenario": f"{RUNNING}/scenarios/raiders", "closed": f"{RUNNING}/register",
        "verify": "/verify?round=wasteland-open/2",
    }.items():  # fmt: skip
        found.add("anybody", name, address)
    found.add("anybody", "verify-wrong", "/verify", "Check the file")
    found.add("organiser", "desks", "/desk")
    found.add("organiser", "account", "/account", "Change password")
    found.add("organiser", "new", "/desk/new")
    found.add("organiser", "new-wrong", "/desk/new", "Make the event")
    found.add("organiser", "editions", "/desk/editions")
    found.add("organiser", "edition-new", "/desk/editions/battle-mode/new")
    found.add("organiser", "edition-wrong", "/desk/editions/battle-mode/new", "Read the files")
    found.add("organiser", "scenarios", "/desk/scenarios")
    found.add("organiser", "scenario-copied", "/desk/scenarios/battle_mode/new?start=raiders")
    found.add("organiser", "scenario-wrong", "/desk/scenarios/battle_mode/new", "Save")


SIZES = {"phone": PHONE | {"device_scale_factor": 1}, "desk": DESK}


SPOIL = """() => {
  document.querySelector("h1").remove();
  document.querySelector("main").insertAdjacentHTML("beforeend",
    '<p style="color: #ccc">pale</p><p id="broad">broad</p><input><button class="link">x</button>');
  document.getElementById("broad").style.width = "30rem";
}"""


@pytest.mark.proves("ASVS 3.4.3")
def test_faults_are_noticed(places: Places, visits: Visits) -> None:
    page = visits.phone()
    page.goto("/rules/battle-mode")
    assert list(faults(page, "phone")) == []
    page.evaluate(SPOIL)
    told = "\n".join(faults(page, "phone"))
    for word in ("0 h1", " wide, 360 there", 'BUTTON "x"', "dark: label:"):
        assert word in told
    page.goto("/no-such-page")
    page.evaluate("setTimeout(() => { throw new Error('of the page') })")
    page.wait_for_timeout(50)
    for complaint in ("Content Security Policy", "no-such-page: 404", "of the page"):
        assert any(complaint in told for told in visits.complaints), visits.complaints
    visits.complaints.clear()


@pytest.mark.proves("ASVS 3.4.3")
@pytest.mark.parametrize("who", [["anybody"], ["organiser"], ["player", "answerer", "disputer", "builder", "beginner"]])
@pytest.mark.parametrize("size", ["phone", pytest.param("desk", marks=pytest.mark.long)])
def test_every_page_fits(places: Places, visits: Visits, size: str, who: list[str]) -> None:
    visits.expected = {403, 404, 422}
    wrong: list[str] = []
    seen = 0
    for visitor in who:
        page = visits.open(**SIZES[size], storage_state=places.states[visitor])
        for name, (address, pressed) in places.pages[visitor].items():
            page.goto(address)
            if pressed:
                press(page, pressed)
                expect(page.locator("[data-errors]").first).to_be_visible()
                page.wait_for_load_state("load")  # the words stand before the stylesheet has come
            wrong += [f"{name}, {size}: {what}" for what in faults(page, size)]
            if name in SHOWN:
                shoot(page, f"{name}-{size}")
                page.emulate_media(color_scheme="dark")
                shoot(page, f"{name}-{size}-dark")
            seen += 1
        page.context.close()
    assert seen >= 8
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("size", ["phone", pytest.param("desk", marks=pytest.mark.long)])
def test_a_look_at_an_edition_fits(places: Places, visits: Visits, size: str) -> None:
    """Of catalogues with their report, and of a file with its faults: both come after files were chosen."""
    visits.expected = {422}
    page = visits.open(**SIZES[size], storage_state=places.states["organiser"])
    catalogues = changed('value="12.0"', 'value="12.5"')
    wrong_file = [("wrong.json", data_of({"system": "battle_mode", "name": "x" * 400, "heroic_caps": "y" * 400}))]
    for name, sent, there in (("look", catalogues, "#look"), ("faults", wrong_file, "#faults")):
        page.goto("/desk/editions/battle-mode/new")
        page.locator("[name=files]").set_input_files(
            [FilePayload(name=file, mimeType="text/plain", buffer=data) for file, data in sent]
        )
        page.locator("[name=date]").fill("2027-01-15")
        press(page, "Read the files")
        expect(page.locator(there)).to_be_visible()
        page.wait_for_load_state("load")
        shoot(page, f"edition-{name}-{size}")
        told = list(faults(page, size))
        assert told == [], f"{name}, {size}: {told}"
    page.context.close()


def faults(page: Page, size: str) -> Iterator[str]:
    """What is wrong with a page, in words."""
    told = page.evaluate(
        "() => [document.documentElement.lang, document.title, document.querySelectorAll('h1').length,"
        " document.documentElement.scrollWidth]"
    )
    language, title, headings, width = told
    room = SIZES[size]["viewport"]["width"]  # a phone's own figure grows with a page that is too wide
    if not language or not title or headings != 1:
        yield f"lang {language!r}, title {title!r}, {headings} h1"
    if width > room:
        yield f"{width} wide, {room} there"
    if size == "phone":
        yield from page.evaluate(TOO_SMALL, LEAST_TARGET)
    # Each page is judged once by day and once by night; benchmarks/accessibility.py does both at both sizes.
    scheme: Literal["dark", "light"] = "dark" if size == "phone" else "light"
    page.emulate_media(color_scheme=scheme)
    for finding in AXE.run(page, options=RULES).response["violations"]:
        if finding["impact"] in ("serious", "critical"):
            targets = [node["html"][:120] for node in finding["nodes"][:3]]
            yield f"{scheme}: {finding['id']}: {finding['help']}: {targets}"
