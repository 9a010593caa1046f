"""Every template on a phone and on a desk, light and dark: it fits, it is valid, and axe finds no fault."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from shutil import copy
from typing import Any, Literal

import pyotp
import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask, template_rendered
from jinja2 import Template
from playwright.sync_api import Browser, FilePayload, Page, expect

from app import create_app
from events.web.page_cache import PageCache
from languages.catalogues import translated
from models.event import Event
from models.staff import Role
from service.settings import Settings, read_mail
from tests.browser.acts import follow, press
from tests.browser.every_template import Places, places_of, served
from tests.browser.visits import DESK, PHONE, Visits
from tests.conftest import Clock, engine_over
from tests.kit.own_editions import club_document, data_of
from tests.kit.person import SIGN_IN
from tests.kit.profiles import full_run
from tests.kit.promises import ROOT
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import PASSWORD, Stage

AXE = Axe()
SERIOUS = """(contrast) => {
  const ends = (animation) => Number.isFinite(animation.effect.getComputedTiming().endTime);
  for (const animation of document.getAnimations().filter(ends)) animation.finish();
  const left = [...document.querySelectorAll("tbody, ul, ol")].map((list) => [list, [...list.children].slice(12)]);
  for (const [, more] of left) for (const one of more) one.remove();
  const rules = { "color-contrast": { enabled: contrast } };
  return axe.run({ resultTypes: ["violations"], preload: false, selectors: false, rules }).then(({ violations }) => {
    for (const [list, more] of left) list.append(...more);
    return violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) =>
      `${one.id}: ${one.help}: ` + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" "));
  });
}"""
"""The serious findings of axe, once what fades in is there.

Of long lists only 12 rows stay, because the others are alike and take half the time.
"""
LEAST_TARGET = 44
"""The least width and height of a control, in CSS pixels."""

FAULTS = """(room) => {
  const found = [];
  const { lang, scrollWidth } = document.documentElement;
  const headings = document.querySelectorAll("h1").length;
  if (!lang || !document.title || headings !== 1)
    found.push(`lang "${lang}", title "${document.title}", ${headings} h1`);
  if (scrollWidth > room) found.push(`${scrollWidth} wide, ${room} there`);
  if (document.querySelector("form + p:empty:not([class])")) found.push("a form in a <p>, which ends there");
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  const twice = ids.filter((id, place) => ids.indexOf(id) < place);
  if (twice.length) found.push(`two elements have the same id: ${twice.join(", ")}`);
  return found;
}"""
"""A page's own faults. ``room`` is the viewport's width: on a phone, clientWidth grows with a page that is too wide."""

FAULTS_ON_A_PHONE = """(least) => {
  const found = [];
  const seen = "a.button, button, summary, select, textarea, .tabs a, .masthead a, .own-game > a,"
    + " input:not([type=hidden], [type=checkbox], [type=radio]), label.choice, .pips > label";
  for (const control of document.querySelectorAll(seen)) {
    const { width, height } = control.getBoundingClientRect();
    // Except controls for screen readers only, and figures in tables that open their calculation.
    if (!control.checkVisibility() || width < 2 || control.matches(".how > summary, .visually-hidden")) continue;
    if (Math.min(width, height) < least - 0.5)
      found.push(`${control.tagName} "${control.textContent.trim().slice(0, 30)}" ${width} x ${height}`);
  }
  const tops = [...document.querySelectorAll(".tabs a")].map((one) => Math.round(one.getBoundingClientRect().top));
  if (new Set(tops).size > 1) found.push("the tabs wrap");
  if ((document.querySelector(".masthead")?.offsetHeight ?? 0) > 60) found.push("the header has more than one line");
  const choices = [...document.querySelectorAll("select:not([multiple])")];
  if (choices.some((one) => getComputedStyle(one).whiteSpace === "pre"))
    found.push("a choice longer than its line is cut off");
  return found;
}"""

LANGUAGES = translated()
PAGES = {
    str(path).partition("/templates/")[2]
    for path in ROOT.glob("events/*/templates/**/*.html")
    if not path.name.startswith("_") and re.search(r'{% extends "\w+/[^_]', path.read_text(encoding="utf-8"))
}
"""The templates of whole pages; those of builders extend a part of a page."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("data")
    copy(migrated_sqlite, folder / "overseer.sqlite3")
    url = f"sqlite:///{folder / 'overseer.sqlite3'}"
    mail = read_mail({  # nothing is sent: no worker runs
        "OVERSEER_SMTP": "smtp://127.0.0.1:25", "OVERSEER_MAIL_FROM": "Iron Desk <desk@club.example>",
        "OVERSEER_ADDRESS": "http://club.example",
    })  # fmt: skip
    made = create_app(
        Settings(folder, url, "a secret for tests, of enough characters", "127.0.0.1", 8000, mail=mail, ratings=True)
    )
    yield made
    made.extensions["overseer_engine"].dispose()


@pytest.fixture(scope="module")
def places(app: Flask) -> Iterator[Places]:
    with engine_over(app.extensions["overseer_settings"].database_url, "stage") as engine:
        stage = Stage(engine, Clock(datetime.now(UTC)))
        found = places_of(app, stage)
        running = stage.one(Event, slug="running")
        for case in FITS:
            stage.hire(running, new_to_codes(*case), Role.JUDGE)
        stage.s.close()
    yield found


@pytest.fixture(scope="module")
def address(app: Flask, places: Places) -> Iterator[str]:
    with served(app) as there:
        yield there


@pytest.fixture
def visits(chromium: Browser, address: str) -> Iterator[Visits]:
    opened = Visits(chromium, address)
    yield opened
    opened.close()


@pytest.fixture
def shown(app: Flask) -> Iterator[set[str]]:
    """The templates rendered during the test, with an empty page cache."""
    names: set[str] = set()
    app.extensions["overseer_page_cache"] = PageCache(app.extensions["overseer_clock"])

    def heard(sender: Flask, template: Template, **_: Any) -> None:
        names.add(template.name or "")

    with template_rendered.connected_to(heard, app):
        yield names


SIZES = {"phone": PHONE | {"device_scale_factor": 1}, "desk": DESK}


def browser_of(visits: Visits, places: Places, size: str, who: str) -> Page:
    """A user's browser: signed in, by private link, or signed out."""
    page = visits.open(**SIZES[size])
    if who in places.links:
        page.goto(places.links[who])
        if page.url.endswith("/me/open"):  # a person's own page asks first
            press(page, "Open my page")
    elif who != "anybody":
        sign_in(page, who)
        expect(page).to_have_url(re.compile("/desk$"))
    return page


def sign_in(page: Page, name: str) -> None:
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, SIGN_IN)


FITS = [("phone", 32), ("phone", 2), ("phone", 1), ("desk", 1)]


def new_to_codes(size: str, step: int) -> str:
    """The account that turns on its second factor in this case, once: the cases may share a database."""
    return f"second on a {size} {step}"


@pytest.mark.proves("ASVS 3.4.3")
@pytest.mark.parametrize("case", full_run(FITS, FITS[:1], FITS[1:2]))
def test_every_page_fits_and_is_accessible(
    app: Flask, places: Places, visits: Visits, shown: set[str], case: tuple[str, int]
) -> None:
    """Each template is opened by a user who may see it; usually every eighth page, on a phone."""
    size, step = case
    visits.expected = {403, 404, 422, 503}
    wrong: list[str] = []

    seen: set[str] = set()

    def judge(page: Page, name: str) -> None:
        # axe takes half the time: without --long it checks every third new template; "desk" checks all.
        fresh = shown & PAGES - seen
        axe = size == "desk" or (bool(fresh) and len(seen & PAGES) % 3 == 0)
        seen.update(shown)
        wrong.extend(f"{name}, {size}: {what}" for what in faults(page, size, axe=axe))

    for who, pages in places.pages.items():
        page = browser_of(visits, places, size, who)
        for name, (address, pressed) in islice(pages.items(), 0, None, step):
            page.goto(address)
            if pressed:
                press(page, pressed)
                expect(page.locator("[data-errors], #dice").first).to_be_visible(timeout=60_000)
            judge(page, name)
        if who == "beginner":
            check_lines_of_a_text(page, pages["builder-start"][0], judge)
        if who == "owner":
            check_edition_pages(page, judge)
            check_removal_of_players(page, judge)
            check_token(page, judge)
        page.context.close()
    check_second_factor(visits, size, new_to_codes(*case), judge)
    check_missing_database(app, visits, size, judge)
    assert wrong == [], "\n".join(wrong)
    assert step > 1 or PAGES - shown == set(), "templates that were not rendered"


SPOKEN = [(CODE, 16), (CODE, 4), *((code, 1) for code in (CODE, *LANGUAGES))]


@pytest.mark.parametrize("case", full_run(SPOKEN, (), SPOKEN[:2]))
def test_pages_of_players_and_visitors_fit_in_each_language(
    monkeypatch: pytest.MonkeyPatch, places: Places, visits: Visits, case: tuple[str, int]
) -> None:
    """On a phone. The texts of the pretend language are 40 % longer than in English."""
    code, step = case
    offer_pseudo(monkeypatch)
    visits.expected = {403, 404, 422, 503}
    wrong, count = [], 0
    for who, pages in places.pages.items():
        if who not in places.links and who != "anybody":
            continue  # staff
        page = browser_of(visits, places, "phone", who)
        page.request.post("/language", form={"language": code, "back": "/"})
        for name, (address, _) in islice(pages.items(), 0, None, step):
            page.goto(address)
            wrong += [f"{name}: {what}" for what in faults(page, "phone", axe=False)]
            count += page.locator("html").get_attribute("lang") == code
        page.context.close()
    assert wrong == [], "\n".join(wrong)
    assert count > 50 // step


def check_edition_pages(page: Page, judge: Callable[[Page, str], None]) -> None:
    """The pages after an upload: a preview, and a file with faults."""
    wrong_file = data_of({"system": "battle_mode", "name": "x" * 400, "heroic_caps": "y" * 400})
    for name, data in (
        ("look", data_of(club_document() | {"id": "another", "name": "Another"})),
        ("faults", wrong_file),
    ):
        page.goto("/desk/editions/battle-mode/new")
        payload = FilePayload(name="club.json", mimeType="text/plain", buffer=data)
        page.locator("[name=file]").set_input_files(payload)
        page.locator("[name=date]").fill("2027-01-15")
        press(page, "Read the file")
        expect(page.locator(f"#{name}")).to_be_visible(timeout=60_000)
        judge(page, f"edition-{name}")


def check_lines_of_a_text(page: Page, builder: str, judge: Callable[[Page, str], None]) -> None:
    """What was read from a text with a long line and a line that is asked about."""
    page.goto(builder)
    page.locator("summary", has_text="from a file, a text or a link").click()
    page.locator("[name=text]").fill(f"Settler (40 caps)\n{'Mystery Person ' * 6}(50 caps)\nTotal 90")
    press(page, "Read the list")
    expect(page.locator(".read-lines")).to_be_visible()
    judge(page, "list-lines")


def check_removal_of_players(page: Page, judge: Callable[[Page, str], None]) -> None:
    """The page that confirms the removal of players, in a running event and in one before its first round."""
    for event in ("running", "open-for-all"):
        page.goto(f"/e/{event}/desk/players")
        follow(page.get_by_role("link", name="Select all"))
        press(page, "Remove selected")
        expect(page.locator("h1")).to_contain_text("Remove")
        judge(page, f"remove-players-{event}")


def check_token(page: Page, judge: Callable[[Page, str], None]) -> None:
    """The page that shows a new token once."""
    page.goto("/e/running/desk/tokens")
    page.get_by_label("Name of the program").fill("W" * 60)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Make token")
    expect(page.locator("h1")).to_contain_text("W")
    judge(page, "token")


def check_second_factor(visits: Visits, size: str, who: str, judge: Callable[[Page, str], None]) -> None:
    """The pages of the second factor: before and after it is turned on, its codes, and the next sign-in."""
    page = visits.open(**SIZES[size])
    sign_in(page, who)
    expect(page).to_have_url(re.compile("/desk$"))
    page.goto("/account/second-factor")
    judge(page, "factor")
    secret = (page.locator("code").first.text_content() or "").replace(" ", "")
    page.locator("[name=old]").fill(PASSWORD)
    page.locator("[name=code]").fill(pyotp.TOTP(secret).now())
    press(page, "Turn it on")
    expect(page.locator(".spare-codes")).to_be_visible(timeout=60_000)
    judge(page, "factor-codes")
    page.goto("/account/second-factor")
    judge(page, "factor-on")
    page.context.close()
    page = visits.open(**SIZES[size])
    sign_in(page, who)
    expect(page).to_have_url(re.compile("/sign-in/code$"))
    judge(page, "factor-asked")
    page.context.close()


def check_missing_database(app: Flask, visits: Visits, size: str, judge: Callable[[Page, str], None]) -> None:
    """The error page while the database file is missing."""
    there = Path(app.extensions["overseer_settings"].data) / "overseer.sqlite3"
    away = there.with_name("moved")
    page = visits.open(**SIZES[size])
    app.extensions["overseer_engine"].dispose()
    there.rename(away)
    try:
        answer = page.goto("/e/running")
        assert answer is not None
        assert answer.status == 503
        judge(page, "trouble")
    finally:
        there.unlink(missing_ok=True)
        away.rename(there)
        visits.complaints[:] = [complaint for complaint in visits.complaints if "503" not in complaint]  # expected
    page.context.close()


def faults(page: Page, size: str, *, axe: bool = True) -> Iterator[str]:
    yield from page.evaluate(FAULTS, SIZES[size]["viewport"]["width"])
    if size == "phone":
        yield from page.evaluate(FAULTS_ON_A_PHONE, LEAST_TARGET)
    if not axe:
        return
    page.evaluate(AXE.axe_script)
    # Contrast takes most of axe's time and is tested by colour in tests/test_look.py, so pages are measured at length.
    schemes: tuple[Literal["dark", "light"], ...] = ("dark",) if size == "phone" else ("dark", "light")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        yield from (f"{scheme}: {finding}" for finding in page.evaluate(SERIOUS, size == "desk"))
