"""On a phone in a language with long words: no word is broken, and nothing lies over another thing."""

import re

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from models.play import Player
from tests.browser.acts import press_here, sign_up
from tests.browser.conftest import Staging
from tests.browser.visits import Visits
from tests.kit.forces import read_force
from tests.kit.lists import PIPER

LONG = "Dieter Schönfelder-Hohenbrunn"
BROKEN = """(part) => {
  const found = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!text.parentElement.checkVisibility()) continue;
    for (const word of text.data.matchAll(/\\p{L}+/gu)) {
      const range = new Range();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
"""The words of a part of a page that stand in two lines or more."""


@pytest.fixture(scope="module")
def event(staging: Staging) -> str:
    """Five players in a round, a list with a question shown to all, and a player who came late and one who left."""
    with staging() as stage:
        made = stage.event("Whole words", players=(LONG, "Ada", "Bo", "Cy", "Di"), list_deadline=None)
        asked = read_force(PIPER | {"not_read": ["2 of something else, 40 Caps"]})
        for player in stage.all(Player, event_id=made.id):
            stage.force(made, player, asked if player.name == LONG else read_force(PIPER))
        stage.play(made, 1)
        stage.enter(made, "Theodora Papadopoulou")
        stage.play(made, 2)
    return "/e/whole-words"


def in_language(page: Page, code: str) -> Page:
    page.request.post("/language", form={"language": code, "back": "/"})
    return page


def broken(part: Locator) -> list[str]:
    words: list[str] = part.evaluate(BROKEN)
    return words


def test_name_beside_the_state_of_its_list_stays_whole(visits: Visits, event: str) -> None:
    phone = in_language(visits.phone(), "de")
    phone.goto(f"{event}/lists")
    entry = phone.locator(".list-entry > summary", has_text=LONG)
    expect(entry.locator(".badge")).to_be_visible()
    expect(entry.locator(".num")).to_be_visible()
    assert broken(entry) == []
    assert apart(*(entry.locator(part) for part in (".av", "b.player", ".badge", "b.num")))


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_bye_is_one_word_on_pages_of_a_round(
    visits: Visits, organiser: StorageState, event: str, language: str
) -> None:
    phone = in_language(visits.phone(storage_state=organiser), language)
    for address in (f"{event}/rounds/1", f"{event}/desk/rounds/1"):
        phone.goto(address)
        bye = phone.locator("td.no-table")
        expect(bye).to_have_text(re.compile("^(Freilos|exemption|bye)$"))
        assert broken(bye) == []
        assert bye.evaluate("(cell) => cell.scrollWidth <= cell.clientWidth"), address


def apart(*parts: Locator) -> bool:
    """Whether no two of these parts of a page overlap."""
    boxes = [box for part in parts if (box := part.bounding_box())]
    return len(boxes) == len(parts) and not any(
        dict_type["x"] < other["x"] + other["width"] - 1
        and other["x"] < dict_type["x"] + dict_type["width"] - 1
        and dict_type["y"] < other["y"] + other["height"] - 1
        and other["y"] < dict_type["y"] + dict_type["height"] - 1
        for place, dict_type in enumerate(boxes)
        for other in boxes[:place]
    )


@pytest.mark.sweep
def test_note_at_a_name_stays_beside_the_picture(visits: Visits, event: str) -> None:
    for page in (in_language(visits.phone(), "de"), in_language(visits.desk(), "de")):
        page.goto(f"{event}/standings")
        for cell in page.locator(".std .who:has(small)").all():
            assert cell.evaluate(LEFT_OF_NAME) == [], cell.inner_text()


LEFT_OF_NAME = """(cell) => {
  const least = cell.querySelector("b").getBoundingClientRect().left;
  return [...cell.querySelectorAll("small")].flatMap((note) => [...note.getClientRects()])
    .filter((line) => line.left < least - 1).map((line) => [line.left, least]);
}"""
"""The lines of notes that begin left of the player's name."""


def test_buttons_of_the_builder_hold_their_words(visits: Visits, event: str, staging: Staging) -> None:
    with staging() as stage:
        stage.event("Whole buttons", list_deadline=None)
    phone = visits.phone()
    sign_up(phone, "/e/whole-buttons", LONG, faction="Survivors")
    in_language(phone, "de").goto("/e/whole-buttons/me/force")
    button = phone.locator("#results li .button.small").first
    expect(button).to_be_visible()
    line = phone.locator("#results li:has(.button.small)").first
    assert apart(line.locator(".num"), button)
    assert button.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    press_here(phone, button.get_attribute("aria-label") or "")
    note = phone.locator("[data-note].added")
    expect(note).to_be_visible()
    assert apart(note, phone.locator("button[value=submit]"))
