"""The print room: what is on the sheets that the service hands out, read back."""

import io
import unicodedata
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest
import zxingcpp
from pypdf import PdfReader

from models.event import Event
from models.play import Game, Player
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

NAMES = ("Zoë Łęcka", "Юлия Кузнецова", "山田太郎", "Ωμέγα", "O’Brien & <b>Sons</b>", "김민수", "Ada")
ROUND = "/e/iron-open/rounds/1"
A4, A5, LETTER = (595, 842), (420, 595), (612, 792)


def texts(page: Page) -> list[str]:
    """The text of every printed page."""
    assert page.status == 200, page.text
    assert page.response.mimetype == "application/pdf"
    return words(page.response.data)


def words(document: bytes) -> list[str]:
    """The text of every page of a document, one space between words."""
    pages = PdfReader(io.BytesIO(document)).pages
    return [" ".join(unicodedata.normalize("NFC", one.extract_text()).split()) for one in pages]


def paper(page: Page) -> tuple[int, int]:
    """Width and height of the first page in points."""
    box = PdfReader(io.BytesIO(page.response.data)).pages[0].mediabox
    return round(box.width), round(box.height)


def codes(page: Page) -> list[str]:
    """What the QR codes hold, page by page."""
    opened = pdfium.PdfDocument(page.response.data)
    try:
        pictures = [opened[n].render(scale=2.5).to_pil().convert("L") for n in range(len(opened))]
        return [code.text for picture in pictures for code in zxingcpp.read_barcodes(picture)]
    finally:
        opened.close()


@pytest.fixture
def games(stage: Stage, event: Event) -> list[Game]:
    """Seven players of many scripts in round 1; the first has a force of 166 Caps."""
    stage.enter(event, *NAMES, club="Łódź Dice")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    return stage.publish(event, 1)


def test_pairings_carry_every_name_in_every_script(visitor: Person, games: list[Game], stage: Stage) -> None:
    by_table = texts(visitor.open(f"{ROUND}/pairings.pdf"))
    by_name = texts(visitor.open(f"{ROUND}/pairings.pdf?order=name"))
    for name in NAMES:
        assert name in " ".join(by_table), name
        assert name in " ".join(by_name), name
    assert "bye" in " ".join(by_table).lower()
    assert visitor.page.response.headers["Content-Disposition"] == (
        'inline; filename="iron-open-round-1-pairings-by-name.pdf"'
    )


def test_each_table_has_its_sheet_with_a_code_that_leads_to_its_form(
    olga: Person, visitor: Person, games: list[Game], stage: Stage
) -> None:
    page = olga.open(f"{ROUND}/scoresheets.pdf")
    sheets = texts(page)
    tables = [game for game in games if game.b_id is not None]
    assert len(sheets) == len(tables) == 3
    scenario = olga.open("/e/iron-open/desk/rounds/1").part("h1").removeprefix("Round 1: ")
    for game, sheet in zip(tables, sheets, strict=True):
        for shown in (stage.name(game.a_id), stage.name(game.b_id), scenario, "Iron Open"):
            assert shown in sheet
        assert f"{game.code[:5]}-{game.code[5:]}" in sheet
    assert any("166" in sheet and "Piper" in sheet for sheet in sheets)
    assert codes(page) == [f"http://localhost/g/{game.code}" for game in tables]
    assert visitor.open(codes(page)[1].removeprefix("http://localhost")).status == 200
    halves = olga.open(f"{ROUND}/scoresheets.pdf?each=2")
    assert len(texts(halves)) == 2
    assert sorted(codes(halves)) == sorted(codes(page))
    assert codes(olga.open(f"{ROUND}/scoresheets.pdf?paper=a5&each=2")) == [
        f"http://localhost/g/{game.code}" for game in tables
    ]
    for wrong in ("3", "0", "", "x"):
        assert olga.open(f"{ROUND}/scoresheets.pdf?each={wrong}").status == 404
    (single,) = texts(olga.open(f"{ROUND}/scoresheets.pdf?table=2"))
    assert single.rpartition("Page")[0] == sheets[1].rpartition("Page")[0]


def test_standings_are_printed_as_the_page_shows_them(
    visitor: Person, games: list[Game], stage: Stage, event: Event
) -> None:
    for game in games:
        if game.b_id is not None:
            stage.decide(event, game, 4, 1)
    printed = " ".join(texts(visitor.open("/e/iron-open/standings.pdf")))
    rows = stage.standings(event)
    places = [printed.index(row.name) for row in rows]
    assert places == sorted(places), "in the order of the ranks"
    assert "1-0-0" in printed
    assert "After round 1" in printed or "after round 1" in printed
    assert visitor.open("/e/iron-open/standings.pdf?after=1").status == 200
    for wrong in ("2", "-1"):
        assert visitor.open(f"/e/iron-open/standings.pdf?after={wrong}").status == 404


def test_standings_before_the_first_result_are_an_empty_sheet_and_no_fault(visitor: Person, event: Event) -> None:
    assert len(texts(visitor.open("/e/iron-open/standings.pdf"))) == 1


@pytest.mark.parametrize(
    "address",
    [f"{ROUND}/pairings.pdf", f"{ROUND}/scoresheets.pdf", "/e/iron-open/standings.pdf", "/e/iron-open/pack.pdf"],
)
def test_both_papers_and_no_other(olga: Person, games: list[Game], address: str) -> None:
    assert paper(olga.open(address)) == A4
    assert paper(olga.open(f"{address}?paper=a4")) == A4
    assert paper(olga.open(f"{address}?paper=Letter")) == LETTER
    for wrong in ("a3", "", "LETTERS", "%00"):
        assert olga.open(f"{address}?paper={wrong}").status == 404


def test_the_print_room_links_to_every_sheet_on_the_paper_that_is_chosen(
    olga: Person, games: list[Game], stage: Stage, event: Event
) -> None:
    for game in games:
        if game.b_id is not None:
            stage.decide(event, game, 4, 1)
    room = olga.open("/e/iron-open/desk/print").soup
    papers = {a.get_text(): str(a["href"]) for a in room.select("nav[aria-label=Paper] a")}
    assert [a.get_text() for a in room.select("nav[aria-label=Paper] [aria-current]")] == ["A4"]
    for name, size in (("A4", A4), ("A5", A5), ("Letter", LETTER)):
        links = [str(a["href"]) for a in olga.open(papers[name]).soup.select("main .sheets a")]
        assert len(links) == 17, "each sheet of the room once"
        for link in links:
            page = olga.open(link)
            assert texts(page)
            assert sorted(paper(page)) == sorted(size), link
    assert olga.open("/e/iron-open/desk/print?paper=a3").status == 404


def test_a_planned_round_has_no_paper_yet(olga: Person, event: Event) -> None:
    for sheet in ("pairings", "scoresheets"):
        assert olga.open(f"/e/iron-open/rounds/1/{sheet}.pdf").status == 404
    assert "can be printed once round 1 is drawn" in olga.open("/e/iron-open/desk/print").text


def test_a_drawn_round_is_printed_for_the_desk_before_it_is_published(
    olga: Person, visitor: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    (ada, _) = enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    assert "Ada" in texts(olga.open(f"{ROUND}/pairings.pdf"))[0]
    assert "Ada" in texts(olga.open(f"{ROUND}/scoresheets.pdf"))[0]
    for person in (visitor, ada):
        assert person.open(f"{ROUND}/pairings.pdf").status == 404
        assert person.open(f"{ROUND}/scoresheets.pdf").status == 403


def test_a_force_is_printed_for_whoever_may_read_it(
    enter: Callable[..., list[Person]], stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    player = stage.all(Player)[0]
    stage.force(event, player, read_force(PIPER))
    address = f"/e/iron-open/players/{player.id}/force.pdf"
    assert bo.open(address).status == 404, "secret until the deadline"
    (text,) = texts(ada.open(address))
    for words in ("Ada", "Piper", "166 Caps", "Nothing to mend"):
        assert words in text
    clock.now = DEADLINE
    assert bo.open(address).status == 200
