"""The print room: pairings, scoresheets, standings and forces as PDFs, read back."""

from collections.abc import Callable

import pytest

from models.event import Event
from models.play import Game, ListSeal, Player
from tests.conftest import PUBLIC, Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.papers import codes, paper, texts
from tests.kit.person import Person
from tests.kit.stage import Stage

NAMES = ("Zoë Łęcka", "Юлия Кузнецова", "山田太郎", "Ωμέγα", "O’Brien & <b>Sons</b>", "김민수", "Ada")
ROUND = "/e/iron-open/rounds/1"
DESK = "/e/iron-open/desk"
A4, A5, LETTER = (595, 842), (420, 595), (612, 792)


@pytest.fixture
def games(stage: Stage, event: Event) -> list[Game]:
    """Seven players of many scripts in round 1; the first has a force of 166 Caps."""
    stage.enter(event, *NAMES, club="Łódź Dice")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    return stage.publish(event, 1)


def decide_all(stage: Stage, event: Event, games: list[Game]) -> None:
    for game in games:
        if game.b_id is not None:
            stage.decide(event, game, 4, 1)


def test_pairings_have_every_name_in_every_script(visitor: Person, games: list[Game]) -> None:
    by_table = " ".join(texts(visitor.open(f"{ROUND}/pairings.pdf")))
    by_name = " ".join(texts(visitor.open(f"{ROUND}/pairings.pdf?order=name")))
    for name in NAMES:
        assert name in by_table and name in by_name, name
    assert "bye" in by_table.lower()
    assert visitor.page.response.headers["Content-Disposition"] == (
        'inline; filename="iron-open-round-1-pairings-by-name.pdf"'
    )


def test_each_table_has_a_sheet_with_a_code_that_opens_its_form(
    olga: Person, visitor: Person, games: list[Game], stage: Stage
) -> None:
    page = olga.open(f"{ROUND}/scoresheets.pdf")
    sheets = texts(page)
    tables = [game for game in games if game.b_id is not None]
    assert len(sheets) == len(tables) == 3
    scenario = olga.open(f"{DESK}/rounds/1").part("h1").removeprefix("Round 1: ")
    for game, sheet in zip(tables, sheets, strict=True):
        for shown in (stage.name(game.a_id), stage.name(game.b_id), scenario, "Iron Open"):
            assert shown in sheet
        assert f"{game.code[:5]}-{game.code[5:]}" in sheet
    assert any("166" in sheet and "Piper" in sheet for sheet in sheets)
    addresses = [f"{PUBLIC}/g/{game.code}" for game in tables]
    assert codes(page) == addresses
    assert visitor.open(addresses[1].removeprefix(PUBLIC)).status == 200
    halves = olga.open(f"{ROUND}/scoresheets.pdf?each=2")
    assert (len(texts(halves)), sorted(codes(halves))) == (2, sorted(addresses))
    assert codes(olga.open(f"{ROUND}/scoresheets.pdf?paper=a5&each=2")) == addresses
    for wrong in ("3", "0", "", "x"):
        assert olga.open(f"{ROUND}/scoresheets.pdf?each={wrong}").status == 404
    assert olga.open(f"{ROUND}/scoresheets.pdf?back=x").status == 404
    (single,) = texts(olga.open(f"{ROUND}/scoresheets.pdf?table=2"))
    assert single.rpartition("Page")[0] == sheets[1].rpartition("Page")[0]


def test_reference_sheet_is_the_back_of_every_scoresheet_that_asks_for_it(olga: Person, games: list[Game]) -> None:
    room = olga.open(f"{DESK}/print?each=2")
    (back,) = [str(a["href"]) for a in room.soup.select("nav a") if a.get_text() == "Reference sheet"]
    links = [str(a["href"]) for a in olga.open(back).soup.select("main a[href]") if "rounds/1/" in str(a["href"])]
    assert [link.rpartition("back=")[2] for link in links if "each=2" in link] == ["reference"] * 3
    for query, pages in (("back=reference", 6), ("each=2&back=reference", 4), ("paper=a5&back=reference", 6)):
        sheets = texts(olga.open(f"{ROUND}/scoresheets.pdf?{query}"))
        assert ["Lock Pick" in sheet for sheet in sheets] == [False, True] * (pages // 2), query
    blanks = texts(olga.open(f"{DESK}/rounds/1/blank-sheets.pdf?count=2&back=reference"))
    assert ["Lock Pick" in sheet for sheet in blanks] == [False, True] * 2
    assert "Lock Pick" in " ".join(texts(olga.open(f"{DESK}/rounds/1/pack.pdf?back=reference")))
    assert "Lock Pick" not in " ".join(texts(olga.open(f"{DESK}/rounds/1/pack.pdf")))
    assert "Lock Pick" in " ".join(texts(olga.open("/e/iron-open/pack.pdf")))


def test_standings_are_printed_as_the_page_shows_them(
    visitor: Person, games: list[Game], stage: Stage, event: Event
) -> None:
    assert len(texts(visitor.open("/e/iron-open/standings.pdf"))) == 1, "before the first result"
    decide_all(stage, event, games)
    with stage.changing(event) as s:
        s.get_one(Event, event.id).painting_points = 1
        s.get_one(Player, games[0].a_id).painted = True
    printed = " ".join(texts(visitor.open("/e/iron-open/standings.pdf")))
    assert printed.count("+1 painted") == 1, "points that no game gave are explained"
    places = [printed.index(row.name) for row in stage.standings(event)]
    assert places == sorted(places), "in the order of the ranks"
    assert "1-0-0" in printed and "after round 1" in printed.lower()
    statuses = [visitor.open(f"/e/iron-open/standings.pdf?after={after}").status for after in ("1", "2", "-1")]
    assert statuses == [200, 404, 404]


def test_print_room_links_to_every_sheet_on_the_chosen_paper(
    olga: Person, games: list[Game], stage: Stage, event: Event
) -> None:
    decide_all(stage, event, games)
    room = olga.open(f"{DESK}/print").soup
    papers = {a.get_text(): str(a["href"]) for a in room.select("nav[aria-label=Paper] a")}
    assert [a.get_text() for a in room.select("nav[aria-label=Paper] [aria-current]")] == ["A4"]
    for number, (name, size) in enumerate((("A4", A4), ("A5", A5), ("Letter", LETTER))):
        links = [str(a["href"]) for a in olga.open(papers[name]).soup.select("main .sheets a")]
        assert len(links) == 19, "each sheet of the room once"
        for link in links[number::3]:
            assert sorted(paper(olga.open(link))) == sorted(size), link
    for sheet in (f"{ROUND}/pairings.pdf", f"{ROUND}/scoresheets.pdf", "/e/iron-open/pack.pdf", f"{DESK}/print"):
        for wrong in ("a3", "", "LETTERS", "%00"):
            assert olga.open(f"{sheet}?paper={wrong}").status == 404, (sheet, wrong)
    sheet = f"{ROUND}/pairings.pdf"
    assert (paper(olga.open(sheet)), paper(olga.open(f"{sheet}?paper=Letter"))) == (A4, LETTER)


def test_drawn_round_is_printed_only_for_the_desk_until_it_is_published(
    olga: Person, visitor: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    sheets = (f"{ROUND}/pairings.pdf", f"{ROUND}/scoresheets.pdf")
    for sheet in sheets:
        assert olga.open(sheet).status == 404
    assert "can be printed once round 1 is drawn" in olga.open(f"{DESK}/print").text
    (ada, _) = enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    for sheet in sheets:
        assert "Ada" in texts(olga.open(sheet))[0]
    for person in (visitor, ada):
        assert [person.open(sheet).status for sheet in sheets] == [404, 403]


def test_force_is_printed_for_readers_of_the_list(
    enter: Callable[..., list[Person]], stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    player = stage.all(Player)[0]
    stage.force(event, player, read_force(PIPER))
    address = f"/e/iron-open/players/{player.id}/force.pdf"
    assert bo.open(address).status == 404, "secret until the deadline"
    (text,) = texts(ada.open(f"{address}?paper=a5"))
    for shown in ("Ada", "Piper", "166", "of 750 Caps", "Legal", "Submitted 21 Nov 2026"):
        assert shown in text
    assert "SHA-256" not in text, "not locked yet"
    assert ada.open(f"{address}?copy=sheets").status == 404, "the force list is enough to play with"
    clock.now = DEADLINE
    assert bo.open(address).status == 200
    (seal,) = stage.all(ListSeal)
    assert f"SHA-256 {seal.sha256}" in texts(bo.page)[0]
