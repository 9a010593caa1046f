"""The papers of games: pairings, scoresheets, set-up, scenarios, brackets."""

import re

from events.web.answers import PAPERS
from models.play import Game
from tests.conftest import PUBLIC
from tests.desk.conftest import NAMES
from tests.kit.armies import army, squires
from tests.kit.boxes import faults
from tests.kit.formats import decide_all, knockout_of
from tests.kit.papers import codes, places, texts
from tests.kit.person import START_CLOCK, Person
from tests.kit.stage import Event, Stage
from validators import SYSTEMS
from validators.contract import Terms

ROUND = "/e/iron-open/rounds/1"
DESK = "/e/iron-open/desk"
A4, A5, LETTER = (595, 842), (420, 595), (612, 792)


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
        assert set(re.findall(r"Here (\d+) of each, for up to (\d+) points a side", text)) == {("3", "150")}, sheet
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


def test_map_of_a_full_german_sheet_is_as_wide_as_an_english_one(olga: Person, stage: Stage) -> None:
    event, system = (
        stage.event("Vault", game="fallout_skirmish", rounds=1, scenario_pool=("objectives",)),
        SYSTEMS["fallout_skirmish"],
    )
    edition = system.editions[0]
    for seed, player in enumerate(stage.enter(event, "Ada", "Bo")):
        stage.force(event, player, system.forces.sample(Terms(edition, event.size), edition.factions[seed], seed))
    stage.publish(event, 1)
    for code, names in (("en", ("Edge A", "Edge B")), ("de", ("Kante A", "Kante B"))):
        document = olga.open(f"/e/vault/rounds/1/scoresheets.pdf?each=1&language={code}").response.data
        ((_, low),), ((_, high),) = places(document, 0, *names)
        assert high - low > 180, code
