"""The desk's papers read back: check-in list, list check, copies of forces, table set-ups, table numbers, plan."""

import pytest

from models.event import Event
from models.play import Game, Player
from tests.conftest import PUBLIC
from tests.kit.forces import blank_force, read_force
from tests.kit.lists import PIPER
from tests.kit.papers import codes, texts
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS

DESK = "/e/iron-open/desk"
NAMES = ("Zoë Łęcka", "Юлия Кузнецова", "山田太郎", "Ωμέγα", "O’Brien & <b>Sons</b>", "김민수", "Ada")


@pytest.fixture
def games(stage: Stage, event: Event) -> list[Game]:
    """Seven players of many scripts in round 1; the first has an illegal force of 166 Caps."""
    stage.enter(event, *NAMES, club="Łódź Dice")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    return stage.publish(event, 1)


def test_check_in_list_has_every_player_with_boxes(olga: Person, event: Event, stage: Stage) -> None:
    stage.enter(event, *NAMES, here=False)
    text = " ".join(texts(olga.open(f"{DESK}/check-in.pdf")))
    assert all(name in text for name in NAMES)
    assert "7 players, 0 here when printed" in text
    assert "Paid" not in text, "there is no fee"
    olga.open(f"{DESK}/players/{stage.one(Player, name=NAMES[0]).id}")
    olga.press("Check in")
    (text,) = texts(olga.open(f"{DESK}/check-in.pdf"))
    assert "7 players, 1 here when printed" in text and "yes" not in text, "boxes are crossed, not filled with words"


def test_lists_are_checked_and_copied_for_judge_opponent_and_player(olga: Person, games: list[Game]) -> None:
    (sheet,) = texts(olga.open(f"{DESK}/list-check.pdf"))
    assert all(name in sheet for name in NAMES)
    assert sheet.count("no list") == len(NAMES) - 1
    assert "166" in sheet and "Caps" in sheet
    (judge,) = texts(olga.open(f"{DESK}/forces.pdf"))
    (opponent,) = texts(olga.open(f"{DESK}/forces.pdf?copy=opponent"))
    (player,) = texts(olga.open(f"{DESK}/forces.pdf?copy=player"))
    for copy in (judge, opponent, player):
        assert all(words in copy for words in (NAMES[0], "Piper", "166", "of 750 Caps", "Legal"))
    assert "Judge’s copy" in judge and "Locked" in judge and "SHA-256" in judge
    assert "Opponent’s copy" in opponent
    assert olga.open(f"{DESK}/forces.pdf?copy=everybody").status == 404


def test_judges_copy_cites_the_broken_rules(olga: Person, event: Event, stage: Stage) -> None:
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, blank_force("Survivors"), submit=False)
    text = " ".join(texts(olga.open(f"{DESK}/forces.pdf?copy=judge")))
    for words in ("What the check found", "bm.leader", "Not legal"):
        assert words in text


def test_what_is_rolled_for_is_a_list(olga: Person, stage: Stage) -> None:
    event = stage.event("Vault", game="fallout_skirmish", rounds=1, scenario_pool=("objectives",))
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    for sheet in ("scenarios", "rounds/1/setup", "rounds/1/scoresheets"):
        text = " ".join(texts(olga.open(f"/e/vault/{sheet}.pdf")))
        assert "checks at the markers: see the list." in text, sheet
        assert text.count("11 Leo’s Drug Habit (Charisma)") == text.count("Leo’s Drug Habit") == 1, sheet


def test_every_table_has_a_set_up_and_a_number(olga: Person, games: list[Game], stage: Stage, event: Event) -> None:
    sheets = texts(olga.open("/e/iron-open/rounds/1/setup.pdf"))
    tables = sorted(game.table_number for game in games if game.table_number)
    for table, sheet in zip(tables, sheets, strict=True):
        assert f"Table {table}" in sheet and "14 pieces of scenery" in sheet
        assert sheet.count("″ right") == sheet.count("″ up") == 14
    assert sheets[0].partition("Pieces")[2].split()[:60] != sheets[1].partition("Pieces")[2].split()[:60]
    pages = texts(olga.open(f"{DESK}/table-numbers.pdf"))
    assert [page.partition("Iron Open · Table ")[2].partition(" ")[0] for page in pages] == ["1", "2", "3"]
    assert all(page.count("Table") == 3 for page in pages), "readable from both sides"
    stand = olga.open(f"{DESK}/table-numbers.pdf")
    assert codes(stand)[:2] == [f"{PUBLIC}/e/iron-open/tables/1"] * 2
    assert olga.open("/e/iron-open/tables/1").path == "/e/iron-open/rounds/1"
    assert olga.page.soup.select("#table-1")
    with stage.changing(event) as s:
        changed = s.get_one(Event, event.id)
        changed.tables, changed.tables_out = 5, [2]
    assert len(texts(olga.open(f"{DESK}/table-numbers.pdf"))) == 4


def test_plan_and_scenarios_are_public_and_show_nothing_undrawn(
    visitor: Person, olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    assert visitor.open("/e/iron-open/rounds/1/setup.pdf").status == 403
    assert olga.open("/e/iron-open/rounds/1/setup.pdf").status == 404, "nothing is drawn"
    for drawn in (False, True):
        if drawn:
            stage.draw(event, 1)
        (plan,) = texts(visitor.open("/e/iron-open/plan.pdf"))
        assert "Plan of the day" in plan and "Drawn with the round" in plan
    sheets = " ".join(texts(visitor.open("/e/iron-open/scenarios.pdf")))
    known = {scenario.id: scenario.name for scenario in SYSTEMS[event.system].scenarios}
    assert all(known[id_] in sheets for id_ in event.scenario_pool)
    for sheet in ("check-in", "forces", "list-check", "table-numbers"):
        assert visitor.open(f"{DESK}/{sheet}.pdf").status == 403
