"""The print room: every paper read back, and what it says."""

import re
from datetime import UTC, date, datetime

import pytest
from flask import Flask

from events.lists.actions import save_force
from events.web.answers import PAPERS
from languages.words import gettext, speaking
from models.event import EventState
from models.play import Game, ListSeal, Player
from tests.conftest import PUBLIC
from tests.kit.accounts import sign_in, sign_out
from tests.kit.armies import army, squires
from tests.kit.boxes import faults
from tests.kit.forces import blank_force, read_force
from tests.kit.formats import decide_all, knockout_of
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.papers import codes, paper, places, texts
from tests.kit.person import DROP_PLAYER, START_CLOCK, Enter, Person
from tests.kit.stage import Event, Stage
from tests.kit.team_events import enter_teams, team_event
from validators import SYSTEMS
from validators.contract import Terms

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


def test_games_of_a_knockout_are_named_on_paper(olga: Person, stage: Stage) -> None:
    event = knockout_of(stage, 4, third_place=True)
    stage.play(event, 1)
    stage.publish(event, 2)
    for order in ("table", "name"):
        (page,) = texts(olga.open(f"/e/iron-open/rounds/2/pairings.pdf?order={order}"))
        assert "Final" in page and "Game for third place" in page, order
    sheets = texts(olga.open("/e/iron-open/rounds/2/scoresheets.pdf"))
    assert all("A knockout has no draws: the organiser decides who goes through." in sheet for sheet in sheets)


def test_bracket_is_printed_on_one_page(olga: Person, visitor: Person, stage: Stage) -> None:
    event = knockout_of(stage, 7, third_place=True)
    stage.play(event, 1)
    stage.draw(event, 2)
    (link,) = [str(a["href"]) for a in olga.open(f"{DESK}/print").soup.select("main a[href*='bracket.pdf']")]
    for size in PAPERS:
        (page,) = texts(olga.open(link.replace("A4", size)))
        assert all(name in page for name in ("Quarter-finals", "Semi-finals", "Final", "Third place", "bye", "Table 1"))
        assert page.count("draft: not published yet") == 1, "of round 2"
        assert list(faults(olga.page.response.data)) == []
    (page,) = texts(visitor.open("/e/iron-open/bracket.pdf"))
    assert "Table 1" not in page and "not published" not in page, "a draft is not public"
    assert stage.standings(event)[0].name in page


def test_a_column_without_content_is_not_printed(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    for faction in ("", "Raiders"):
        stage.set(event, stage.one(Player, name="Ada"), faction=faction)
        assert ("Ada Raiders" if faction else "Ada no list") in " ".join(texts(olga.open(f"{DESK}/list-check.pdf")))
        for address in (f"{DESK}/check-in.pdf", "/e/iron-open/standings.pdf"):
            assert ("Faction" in " ".join(texts(olga.open(address)))) is bool(faction), address


def test_team_sheets_have_their_columns_at_one_place(olga: Person, stage: Stage) -> None:
    event = team_event(stage)
    enter_teams(stage, event, "Reds", "The Long Name of a Team of Wargamers")
    assert "Faction" not in " ".join(texts(olga.open(f"{DESK}/teams.pdf")))
    stage.set(event, stage.one(Player, name="Reds 1"), faction="Raiders")
    document = olga.open(f"{DESK}/teams.pdf").response.data
    first, second = places(document, 0, "Faction")[0]
    assert first[0] == second[0]
    badges = " ".join(texts(olga.open(f"{DESK}/badges.pdf")))
    assert "Board 1 of Reds" in badges and "Reds · Reds" not in badges, "the team of this name is the club, too"


def test_papers_of_a_draft_are_marked_as_such(olga: Person, stage: Stage, event: Event, games: list[Game]) -> None:
    decide_all(stage, event, games)
    stage.draw(event, 2)
    assert "Round 2, a draft This round is not published yet." in olga.open(f"{DESK}/print").text
    for number, drawn in ((1, False), (2, True)):
        (page,) = texts(olga.open(f"/e/iron-open/rounds/{number}/pairings.pdf"))
        assert ("draft: not published yet" in page) is drawn
        for each in (1, 2):
            page, *_ = texts(olga.open(f"/e/iron-open/rounds/{number}/scoresheets.pdf?each={each}"))
            assert ("DRAFT" in page) is drawn, each


def test_pairings_name_everybody_and_the_planned_start_until_the_clock_is_started(
    olga: Person, stage: Stage, event: Event, games: list[Game]
) -> None:
    def start(order: str = "") -> str:
        (page,) = texts(olga.open(f"{ROUND}/pairings.pdf{order}"))
        assert [name for name in NAMES if name not in page] == [] and "bye" in page.lower()
        return " ".join(re.findall(r"(?:from|planned for) \d\d:\d\d|90 minutes", page))

    assert start() == start("?order=name") == "90 minutes", "no time is known"
    named = 'inline; filename="iron-open-round-1-pairings-by-name.pdf"'
    assert olga.page.response.headers["Content-Disposition"] == named
    stage.set(event, starts_at="09:30")
    assert start() == "planned for 09:30 90 minutes"
    stage.clock.advance(minutes=5)
    olga.press(START_CLOCK, at=f"{DESK}/clock")
    assert start() == "from 10:05 90 minutes"


def test_each_tables_sheet_opens_its_form(olga: Person, visitor: Person, games: list[Game], stage: Stage) -> None:
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
    assert (len(texts(halves)), sorted(codes(halves))) == (4, sorted(addresses)), "with the backs"
    assert codes(olga.open(f"{ROUND}/scoresheets.pdf?paper=a5&each=2")) == addresses
    for wrong in ("each=3", "each=0", "each=x", "back=x"):
        assert olga.open(f"{ROUND}/scoresheets.pdf?{wrong}").status == 404
    (link,) = olga.open(f"{DESK}/games/{tables[1].id}").soup.find_all("a", string="Scoresheet")
    (single,) = texts(olga.open(str(link["href"])))
    assert single.rpartition("Page")[0] == sheets[1].rpartition("Page")[0]


def test_player_without_a_list_has_a_line_for_the_caps(olga: Person, stage: Stage, event: Event) -> None:
    for name in ("Ada", "Bo", "Cy"):
        stage.enter(event, name)
    ada, bo, _ = stage.all(Player)
    stage.force(event, ada, read_force(PIPER))
    stage.force(event, bo, read_force(PIPER), submit=False)
    stage.publish(event, 1)
    for each in (1, 2):
        sheets = " ".join(texts(olga.open(f"{ROUND}/scoresheets.pdf?each={each}")))
        lines = 2 - ("Ada" in sheets) - ("Bo" in sheets)
        assert sheets.count(" Caps ") - sheets.count("166 Caps ") == lines, (each, "a draft is a list, though secret")


def test_reference_sheet_is_the_back_of_every_scoresheet_that_asks_for_it(olga: Person, games: list[Game]) -> None:
    room = olga.open(f"{DESK}/print")
    (back,) = [str(a["href"]) for a in room.soup.select("nav a") if a.get_text() == "Reference sheet"]
    links = [str(a["href"]) for a in olga.open(back).soup.select("main a[href]") if "rounds/1/" in str(a["href"])]
    assert ["back=reference" in link for link in links if "each=" in link] == [True] * 3
    for half in ("paper=a5", "each=2&paper=a4"):
        room = olga.open(f"{DESK}/print?{half}&back=reference")
        assert "Reference sheet" not in room.text and "back=ref" not in str(room.soup.find("main")), half
        assert "Table set-up, which half a page" in room.text
    for sheets in (f"{ROUND}/scoresheets.pdf?each=2&", f"{DESK}/rounds/1/blank-sheets.pdf?each=1&count=2&"):
        backs = ["Rulers and table" in sheet for sheet in texts(olga.open(f"{sheets}back=reference"))]
        assert backs == [False, True] * 2, sheets
    pack = f"{DESK}/rounds/1/pack.pdf"
    for address, back_there in ((f"{pack}?back=reference", True), (f"{pack}?back=", False)):
        assert ("Rulers and table" in " ".join(texts(olga.open(address)))) is back_there


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


def test_print_room_has_first_what_is_needed_next(olga: Person, stage: Stage, event: Event) -> None:
    def parts() -> list[str]:
        return [str(one["id"]) for one in olga.open(f"{DESK}/print").soup.select("main section")]

    stage.enter(event, "Ada", "Bo")
    stage.set(event, starts_on=date(2026, 12, 5))
    assert parts() == ["before", "door", "rounds"]
    stage.clock.now = datetime(2026, 12, 5, 9, tzinfo=UTC)
    assert parts() == ["door", "before", "rounds"]
    stage.play(event, 1)
    assert parts() == ["rounds", "end", "door", "before"]
    stage.set(event, state=EventState.FINISHED)
    assert parts() == ["end", "rounds", "door", "before"]
    tiles = olga.open(f"{DESK}/print").soup.select(".sheets a")
    assert tiles and all(one.select("svg path") for one in tiles), "each with its picture"


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


def test_check_in_list_says_who_plays_without_a_list(olga: Person, event: Event, stage: Stage) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo", here=False)
    assert "without a list" not in texts(olga.open(f"{DESK}/check-in.pdf"))[0]
    stage.set(event, ada, list_waived_at=stage.clock())
    assert "Ada plays without a list Bo" in texts(olga.open(f"{DESK}/check-in.pdf"))[0]


def test_check_in_list_of_25_takes_one_page_with_names_wider_than_notes(
    olga: Person, event: Event, stage: Stage
) -> None:
    stage.enter(event, *(f"Bartholomew Maximilian von Hohenstaufen {n}" for n in range(25)), club="Łódź Dice")
    for size, width in (("a4", 595), ("letter", 612)):
        page = olga.open(f"{DESK}/check-in.pdf?paper={size}")
        assert len(texts(page)) == 1, size
        (((name, _),), ((note, _),)) = places(page.response.data, 0, "Name", "Note")
        assert width - 31 - note < note - name, size


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
        assert [one for one in words if one not in text] == [], (name, text)


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


def test_rolled_objectives_are_printed_once_as_a_list(olga: Person, stage: Stage) -> None:
    event = stage.event("Vault", game="fallout_skirmish", rounds=1, scenario_pool=("objectives",))
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for sheet in ("scenarios", "rounds/1/setup", "rounds/1/scoresheets"):
        text = " ".join(texts(olga.open(f"/e/vault/{sheet}.pdf")))
        assert "check at the markers: see the list of objectives." in text, sheet
        assert text.count("11 Leo’s Drug Habit (Charisma)") == text.count("Leo’s Drug Habit") == 1, sheet
        assert ("Report for each player • Objective rolled: It scores nothing" in text) == (sheet == "scenarios")
        assert ("Marker 1 to Marker 5: Tick it" in text) == (sheet == "scenarios")


def test_set_up_counts_the_force_markers_of_each_player(olga: Person, stage: Stage) -> None:
    event, system = stage.event("Vegas", game="new_vegas", rounds=1), SYSTEMS["new_vegas"]
    markers = {}
    for seed, player in enumerate(stage.enter(event, "Ada", "Bo")):
        edition = system.editions[0]
        force = system.forces.sample(Terms(edition, system.default_size), edition.factions[0], seed)
        stage.force(event, player, force)
        listed = system.forces.files.export(force, edition, "txt").decode()
        classes = enumerate(("Heavy", "Regular", "Recon"), 1)
        markers[player.name] = sum(many * listed.count(f"({name})") for many, name in classes)
    stage.publish(event, 1)
    text = " ".join(texts(olga.open("/e/vegas/rounds/1/setup.pdf")))
    for side in "AB":
        name, count = re.search(rf"{side} · (\w+)", text), re.search(rf"{side}: (\d+) force marker", text)
        assert name and count and int(count[1]) == markers[name[1]], text
    assert "The map is a proposal: 12 pieces" in text and "4 squares: building, heavy; 4 bars: linear" in text
    assert len(re.findall(r"(?:building|linear|area) [\d.]+″ [\d.]+″", text)) == 12


def test_papers_and_the_typing_page_ask_the_player_who_scores_for_enemy_losses(olga: Person, stage: Stage) -> None:
    event = stage.event("Vegas", game="new_vegas", rounds=1, scenario_pool=("open-battle",))
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    text = " ".join(texts(olga.open("/e/vegas/scenarios.pdf")))
    for words in ("Enemy force at the end", "Enemy models lost: Each scores 1 VP.", "Enemy models lost with Charisma"):
        assert words in text, words
    assert "for the enemy" not in text
    page = olga.open("/e/vegas/desk/rounds/1/entry?table=1")
    printed = " ".join(texts(olga.open("/e/vegas/rounds/1/scoresheets.pdf")))
    parts = [row.get_text(" ", strip=True) for row in page.soup.select(".sheet-row")]
    for part, own in zip(parts, "AB", strict=True):
        lost = "force at the end", "models lost", "models lost with Charisma"
        asked = [f"Enemy {words}" for words in lost]
        assert part.startswith(own) and sorted(asked, key=part.index) == asked, part
        assert all(words in printed for words in asked)


def test_amounts_of_the_set_up_follow_from_the_size_alike_on_all_papers(olga: Person, stage: Stage) -> None:
    event = stage.event("Wasteland", game="fallout_warfare", rounds=1, scenarios=("wild-america",), size=150)
    for player in stage.enter(event, "Ada", "Bo"):
        stage.force(event, player, army(squires(), squires()))
    stage.publish(event, 1)
    for sheet in ("scenarios", "rounds/1/setup", "desk/rounds/1/blank-sheets", "rounds/1/scoresheets"):
        text = " ".join(texts(olga.open(f"/e/wasteland/{sheet}.pdf")))
        assert set(re.findall(r"Here (\d+) of each, at (\d+) points a side", text)) == {("3", "150")}, sheet
        assert not re.search(r"\d (?:more|Giant|Baby)", text), sheet


def test_every_table_has_a_set_up_and_a_number(olga: Person, games: list[Game], stage: Stage, event: Event) -> None:
    sheets = texts(olga.open("/e/iron-open/rounds/1/setup.pdf"))
    tables = sorted(game.table_number for game in games if game.table_number)
    for table, sheet in zip(tables, sheets, strict=True):
        assert f"Table {table}" in sheet and "14 pieces of terrain" in sheet and "1 Advantage Marker" in sheet
        assert len(re.findall(r"\d+ [\d.]+″ [\d.]+″", sheet.partition("Pieces")[2])) == 14
    assert sheets[0].partition("Pieces")[2].split()[:60] != sheets[1].partition("Pieces")[2].split()[:60]
    pages = texts(olga.open(f"{DESK}/table-numbers.pdf"))
    assert [page.partition("Iron Open · Table ")[2].partition(" ")[0] for page in pages] == ["1", "2", "3"]
    assert all(page.count("Table") == 3 for page in pages), "readable from both sides"
    assert codes(olga.page)[:2] == [f"{PUBLIC}/e/iron-open/tables/1"] * 2
    assert olga.open("/e/iron-open/tables/1").path == "/e/iron-open/rounds/1"
    assert olga.page.soup.select("#table-1")
    with stage.changing(event) as s:
        changed = s.get_one(Event, event.id)
        changed.tables, changed.tables_out = 5, [2]
    assert len(texts(olga.open(f"{DESK}/table-numbers.pdf"))) == 4


def test_plan_and_scenarios_show_nothing_undrawn(visitor: Person, olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    assert olga.open("/e/iron-open/rounds/1/setup.pdf").status == 404, "nothing is drawn"
    for drawn in (False, True):
        if drawn:
            stage.draw(event, 1)
        (plan,) = texts(visitor.open("/e/iron-open/plan.pdf"))
        assert "Plan of the day" in plan and "Scenario drawn with the round" in plan
    sheets = " ".join(texts(visitor.open("/e/iron-open/scenarios.pdf")))
    known = {scenario.id: scenario.name for scenario in SYSTEMS[event.system].scenarios}
    assert all(known[id_] in sheets for id_ in event.scenario_pool)


def badges(olga: Person, query: str = "") -> list[str]:
    page = olga.open(f"{DESK}/badges.pdf{query}")
    assert page.response.headers["Cache-Control"] == "private, no-store"
    return [one.removeprefix(PUBLIC) for one in codes(page)]


def test_renewed_link_ends_the_badge_and_the_next_badge_opens(
    app: Flask, olga: Person, event: Event, stage: Stage, enter: Enter
) -> None:
    enter(event, "Ada", "Bo")
    ada = stage.one(Player, name="Ada")
    first = badges(olga)
    (old,) = badges(olga, f"?player={ada.id}")
    assert len(first) == 2 and old in first
    assert Person(app).open(old).path == "/e/iron-open/me"
    olga.press("Make a new link", at=f"/e/iron-open/desk/players/{ada.id}")
    assert olga.page.soup.select("a[href*='badges.pdf']")
    assert Person(app).open(old).status == 404
    (new,) = badges(olga, f"?player={ada.id}")
    scanned = Person(app).open(new)
    assert (scanned.path, "Ada" in scanned.text) == ("/e/iron-open/me", True)
    assert set(badges(olga)) - set(first) == {new}, "the other badge stays valid"


def test_badges_are_only_for_the_events_players_who_have_not_dropped(olga: Person, event: Event, stage: Stage) -> None:
    _, bo = stage.enter(event, "Ada", "Bo")
    (cy,) = stage.enter(stage.event("Rust Cup"), "Cy")
    olga.press(DROP_PLAYER, at=f"/e/iron-open/desk/players/{bo.id}")
    assert len(badges(olga)) == 1
    for query in (f"player={cy.id}", "player=999999", "player=x", "paper=a3"):
        assert olga.ask("GET", f"{DESK}/badges.pdf?{query}").status_code == 404, query
    assert "Badges for all players" in olga.open(f"{DESK}/print").text


def test_staff_and_helpers_of_the_day_have_badges(olga: Person, event: Event, stage: Stage) -> None:
    stage.enter(event, "Ada")
    (staff,) = texts(olga.open(f"{DESK}/badges.pdf?for=staff"))
    assert "Olga" in staff and "Owner" in staff and "Ada" not in staff
    assert staff.count("Faction, club or task") == 7, "the page is filled for helpers without an account"
    (blank,) = texts(olga.open(f"{DESK}/badges.pdf?for=blank"))
    assert blank.count("Iron Open") >= 8 and blank.count("Faction, club or task") == 8
    assert olga.ask("GET", f"{DESK}/badges.pdf?for=nobody").status_code == 404


def test_two_team_sheets_share_a_page(olga: Person, stage: Stage) -> None:
    event = team_event(stage)
    enter_teams(stage, event, "Reds", "Blues", "Greens")
    first, last = texts(olga.open(f"/e/{event.slug}/desk/teams.pdf"))
    assert ("Reds 1 (captain)" in first, "Greens 1 (captain)" in first, "Blues 3" in last) == (True, True, True)
    assert "Page 3 of 3" in first
    assert len(texts(olga.open(f"/e/{event.slug}/desk/teams.pdf?paper=a5"))) == 3
