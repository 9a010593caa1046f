"""Printed pages: no buttons, no dead links, no address of this computer; the time at the foot."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import StorageState, expect
from pypdf import PdfReader

from tests.browser.server import overseer
from tests.browser.visits import Visits

pytestmark = pytest.mark.sweep
EVENT = "/e/wasteland-open"


@pytest.fixture(scope="session", autouse=True)
def played(data: Path, organiser: StorageState) -> None:
    """Olga's event of three rounds; the last round is open."""
    overseer(data, "demo", "--players", "12", "--rounds", "3", "--leave-open", "--owner", "Olga")


@pytest.mark.parametrize(
    ("address", "hidden"),
    [
        (f"{EVENT}/rounds/3", ("By name", "Print by name", "Round 1")),
        (f"{EVENT}/standings", ("Now",)),
        (EVENT, ()),
    ],
)
def test_printed_page_has_no_buttons_and_no_local_addresses(
    visits: Visits, address: str, hidden: tuple[str, ...]
) -> None:
    page = visits.desk(color_scheme="dark")
    page.goto(address)
    heading = page.locator("h1").inner_text()
    names = page.locator("main .player").all_inner_texts()
    for words in ("Staff sign-in", *hidden):
        expect(page.get_by_text(words, exact=True).first).to_be_visible()
    sheets = PdfReader(BytesIO(page.pdf(format="A4"))).pages
    text = "\n".join(sheet.extract_text() for sheet in sheets)
    assert heading in text
    letters = "".join(text.split())  # kerning reads as spaces
    assert "".join(page.title().split()) in letters, "which event it is"
    assert [word for word in names if "".join(word.split()) not in letters and word.isascii()] == []
    for words in ("Staff sign-in", "Skip to content", "Not affiliated", *hidden):
        # One word can stand within a name: "Now" in "Nowak".
        assert "".join(words.split()) not in letters if " " in words else words not in text.split()
    assert "127.0.0.1" not in letters, "an address that only this computer can open"
    assert not re.search(r"printed\d", letters), "a kept page has no time of its own"


def test_boards_are_white_on_paper(visits: Visits) -> None:
    page = visits.desk(color_scheme="dark")
    page.goto(f"{EVENT}/standings")
    page.emulate_media(media="print")
    ink, ground = ("board => getComputedStyle(board)." + name for name in ("color", "backgroundColor"))
    board = page.locator(".board").first
    assert (board.evaluate(ink), board.evaluate(ground)) == ("rgb(0, 0, 0)", "rgb(255, 255, 255)")


def test_bracket_of_16_is_a_tree_on_one_page(visits: Visits) -> None:
    page = visits.desk()
    page.goto(f"{EVENT}/standings")
    side = '<span class="match-side winner"><span class="seed">1</span><span class="player">Ada</span></span>'
    match = f'<li><div class="match">{side * 2}</div></li>'
    rounds = "".join(
        f'<li class="bracket-round"><h2>Round</h2><ol class="matches">{match * games}</ol></li>'
        for games in (8, 4, 2, 1)
    )
    tree = f'<h1>Bracket</h1><div class="scroll"><ol class="bracket">{rounds}</ol></div>'
    page.locator("main").evaluate("(main, tree) => main.innerHTML = tree", tree)
    assert [len(PdfReader(BytesIO(page.pdf(format="A4", landscape=wide))).pages) for wide in (False, True)] == [1, 1]
    page.set_viewport_size({"width": 690, "height": 950})
    page.emulate_media(media="print")
    boxes = [page.locator(".match").nth(number).bounding_box() for number in (0, 8, 12, 14)]
    lefts = [box["x"] for box in boxes if box]
    assert len(lefts) == 4 and lefts == sorted(set(lefts)), "each round stands right of the one before"
