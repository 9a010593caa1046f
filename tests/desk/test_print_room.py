"""The print room and the papers of the desk: sizes, languages, check-in lists, lists, teams."""

import re

from events.lists.actions import save_force
from languages.words import gettext, speaking
from models.play import Game, ListSeal, Player
from tests.desk.conftest import NAMES
from tests.kit.accounts import sign_in, sign_out
from tests.kit.forces import blank_force, read_force
from tests.kit.formats import decide_all
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.papers import paper, texts
from tests.kit.person import Enter, Person
from tests.kit.stage import Event, Stage

ROUND = "/e/iron-open/rounds/1"
DESK = "/e/iron-open/desk"
A4, A5, LETTER = (595, 842), (420, 595), (612, 792)


def test_sheets_are_in_the_events_language_or_that_of_the_print_room(
    olga: Person, games: list[Game], stage: Stage, event: Event
) -> None:
    stage.set(event, language="de")
    room = olga.open(f"{DESK}/print")
    (french,) = [str(a["href"]) for a in room.soup.select("nav a") if a.get_text() == "Français"]
    for page, code in ((room, "de"), (olga.open(french), "fr")):
        (sheets, *_) = [str(a["href"]) for a in page.soup.select("main a[href]") if "scoresheets.pdf" in str(a["href"])]
        with speaking(code):
            winner = gettext("Winner")
        assert all(winner in sheet for sheet in texts(olga.open(sheets))), code
        assert winner in texts(olga.open(f"{DESK}/rounds/1/blank-sheets.pdf?language={code}"))[0]
    assert olga.open(french).soup.select_one("input[type=hidden][name=language][value=fr]")


def test_standings_are_printed_as_shown(visitor: Person, games: list[Game], stage: Stage, event: Event) -> None:
    assert len(texts(visitor.open("/e/iron-open/standings.pdf"))) == 1, "before the first result"
    decide_all(stage, event, games)
    with stage.changing(event) as s:
        s.get_one(Event, event.id).painting_points = 1
        s.get_one(Player, games[0].a_id).painted = True
    printed = " ".join(texts(visitor.open("/e/iron-open/standings.pdf")))
    assert printed.count("+1 painted") == 1, "points that no game gave are explained"
    places = [printed.index(row.name) for row in stage.standings(event)]
    assert places == sorted(places), "in the order of the ranks"
    assert "1–0–0" in printed and "after round 1" in printed.lower()
    statuses = [visitor.open(f"/e/iron-open/standings.pdf?after={after}").status for after in ("1", "2", "-1")]
    assert statuses == [200, 404, 404]


def test_print_room_links_sheets_on_a_chosen_paper(olga: Person, games: list[Game], stage: Stage, event: Event) -> None:
    decide_all(stage, event, games)
    room = olga.open(f"{DESK}/print").soup
    papers = {a.get_text(): str(a["href"]) for a in room.select("nav[aria-label=Paper] a")}
    assert [a.get_text() for a in room.select("nav[aria-label=Paper] [aria-current]")] == ["A4"]
    links = [str(a["href"]) for a in olga.open(papers["A5"]).soup.select("main .sheets a")]
    assert len(links) == len({*links}) == 22, "each sheet of the room once"
    for link in links[::6]:
        assert sorted(paper(olga.open(link))) == sorted(A5), link
    sheet = f"{ROUND}/pairings.pdf"
    for address in (sheet, f"{ROUND}/scoresheets.pdf", "/e/iron-open/pack.pdf", f"{DESK}/print"):
        for wrong in ("", "LETTERS"):
            assert olga.open(f"{address}?paper={wrong}").status == 404, address
    assert paper(olga.open(f"{sheet}?paper=Letter")) == LETTER


def test_paper_chosen_in_the_print_room_is_that_of_all_addresses_without_a_size(
    olga: Person, visitor: Person, games: list[Game], stage: Stage, event: Event
) -> None:
    def chosen(person: Person) -> list[str]:
        return [a.get_text() for a in person.open(f"{DESK}/print").soup.select("nav[aria-label=Paper] [aria-current]")]

    decide_all(stage, event, games)
    sheets = f"{ROUND}/pairings.pdf", "/e/iron-open/standings.pdf", f"{DESK}/list-check.pdf"
    assert [paper(olga.open(sheet)) for sheet in sheets] == [A4] * 3
    olga.open(f"{DESK}/print?paper=letter")
    assert [paper(olga.open(sheet)) for sheet in sheets] == [LETTER] * 3
    assert chosen(olga) == ["Letter"]
    assert paper(olga.open(f"{sheets[0]}?paper=a4")) == A4, "the address decides, for this sheet alone"
    assert paper(olga.open(sheets[0])) == LETTER
    assert olga.page.response.headers["Cache-Control"] == "private, no-store", "no copy of another size is stored"
    assert len(texts(olga.open(f"{ROUND}/scoresheets.pdf"))) == 3
    olga.open(f"{DESK}/print?each=2")
    assert len(texts(olga.open(f"{ROUND}/scoresheets.pdf"))) == 4, "two to a page, with backs"
    olga.open(f"{DESK}/print?each=1&back=reference&language=de")
    pages = texts(olga.open(f"{ROUND}/scoresheets.pdf"))
    assert ("Sieger" in pages[0], len(pages)) == (True, 6), "in German, with reference sheets"
    assert [a.get_text() for a in olga.open(f"{DESK}/print").soup.select("main nav [aria-current]")] == [
        "Letter", "One to a page", "Reference sheet", "Deutsch",
    ]  # fmt: skip
    olga.open(f"{DESK}/print?back=&language=")
    pages = texts(olga.open(f"{ROUND}/scoresheets.pdf"))
    assert ("Winner" in pages[0], len(pages)) == (True, 3)
    assert paper(visitor.open(sheets[0])) == A4, "in that browser alone"
    sign_out(olga)
    assert paper(olga.open(sheets[0])) == LETTER
    sign_in(olga, "Olga")
    assert chosen(olga) == ["Letter"]


def test_force_is_printed_for_readers_of_the_list(enter: Enter, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    player = stage.all(Player)[0]
    stage.force(event, player, read_force(PIPER))
    address = f"/e/iron-open/players/{player.id}/force.pdf"
    (text,) = texts(ada.open(f"{address}?paper=a5"))
    for shown in ("Ada", "Piper", "166", "of 750 Caps", "Legal", "Submitted 21 Nov 2026"):
        assert shown in text
    assert "List no." not in text, "not locked yet"
    assert ada.open(f"{address}?copy=sheets").status == 404, "the force list is enough to play with"
    stage.clock.now = DEADLINE
    assert bo.open(address).status == 200
    (seal,) = stage.all(ListSeal)
    assert f"List no. {seal.sha256[:8]}" in texts(bo.page)[0]


def test_check_in_list_has_every_player_with_boxes(olga: Person, event: Event, stage: Stage) -> None:
    stage.enter(event, *NAMES, here=False)
    text = " ".join(texts(olga.open(f"{DESK}/check-in.pdf")))
    assert all(name in text for name in NAMES)
    assert "7 players, 0 here when printed" in text
    assert "Paid" not in text and "Painted" not in text, "there is neither a fee nor points for painting"
    olga.press("Check in", at=f"{DESK}/players/{stage.one(Player, name=NAMES[0]).id}")
    (text,) = texts(olga.open(f"{DESK}/check-in.pdf"))
    assert "7 players, 1 here when printed" in text and "yes" not in text, "boxes are crossed, not filled with words"


def test_a_club_in_a_place_of_letter_gets_letter(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    for zone, size, word in (("America/New_York", LETTER, "Letter"), ("Europe/Warsaw", A4, "A4")):
        with stage.changing(event):
            event.timezone = zone
        assert paper(visitor.open("/e/iron-open/plan.pdf")) == size
        assert [one.text for one in olga.open(f"{DESK}/print").soup.select("nav[aria-label=Paper] [aria-current]")] == [
            word
        ]
    assert paper(visitor.open("/e/iron-open/plan.pdf?paper=letter")) == LETTER


def test_desk_papers_are_in_the_events_language(olga: Person, stage: Stage) -> None:
    event = stage.event(language="de")
    stage.enter(event, *NAMES)
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.publish(event, 1)
    said = {
        "check-in": ("Liste", "7 Spieler, beim Druck 7 da"),
        "list-check": ("Listenprüfung", "keine Liste", "Bis zu 750 Caps"),
        "forces": ("Exemplar des Schiris", "von 750 Caps", "Gesperrt", "Liste Nr."),
    }
    for name, words in said.items():
        text = " ".join(texts(olga.open(f"{DESK}/{name}.pdf")))
        assert [word for word in words if word not in text] == [], (name, text)


def test_lists_are_copied_for_judge_and_players(olga: Person, stage: Stage, event: Event, games: list[Game]) -> None:
    (sheet,) = texts(olga.open(f"{DESK}/list-check.pdf"))
    assert all(name in sheet for name in NAMES)
    assert sheet.count("no list") == len(NAMES) - 1
    assert "166" in sheet and "Caps" in sheet
    (judge,) = texts(olga.open(f"{DESK}/forces.pdf"))
    (opponent,) = texts(olga.open(f"{DESK}/forces.pdf?copy=opponent"))
    (player,) = texts(olga.open(f"{DESK}/forces.pdf?copy=player"))
    for copy in (judge, opponent, player):
        assert all(words in copy for words in (NAMES[0], "Piper", "166", "of 750 Caps", "Legal"))
    assert "Judge’s copy" in judge and "Locked" in judge and "Opponent’s copy" in opponent
    assert len({re.findall("List no. [0-9a-f]{8}", copy)[0] for copy in (judge, opponent, player)}) == 1
    for wrong in ("everybody", "sheets"):  # the force list is enough to play with
        assert olga.open(f"{DESK}/forces.pdf?copy={wrong}").status == 404
    (late,) = stage.enter(event, "Ben")
    stage.do(event, save_force, late, blank_force("Survivors"), by_organiser=True)
    text = " ".join(texts(olga.open(f"{DESK}/forces.pdf?copy=judge")))
    assert "What the check found" in text and "Not legal" in text and "bm." not in text
    (sheet,) = texts(olga.open(f"{DESK}/list-check.pdf"))
    assert "Broken rules: The Leader; not submitted" in sheet, "the judge reads which rule to look for"
