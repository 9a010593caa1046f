"""What the desk prints in rows and for the tables, read back: names, states, verdicts, numbers, places of scenery."""

import pytest

from events.play.queries import factions_of, terms_of
from models.event import Event
from models.play import ForceList, Game, Player, PlayerState
from tests.desk.test_printed import NAMES, texts
from tests.kit.forces import blank_force, read_force
from tests.kit.lists import PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS

DESK = "/e/iron-open/desk"
SECRET = "Piper"
"""The leader of the one list that is handed in."""


@pytest.fixture
def games(stage: Stage, event: Event) -> list[Game]:
    """Seven players of many scripts in round 1; the first has an illegal force of 166 Caps."""
    stage.enter(event, *NAMES, club="Łódź Dice")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    return stage.publish(event, 1)


def test_the_check_in_list_has_everybody_with_boxes(olga: Person, event: Event, stage: Stage) -> None:
    stage.enter(event, *NAMES, here=False)
    told = " ".join(texts(olga.open(f"{DESK}/check-in.pdf")))
    assert all(name in told for name in NAMES)
    assert "7 players, 0 here when printed" in told
    assert "Paid" not in told, "nobody pays here"
    zoe = stage.one(Player, name=NAMES[0])
    olga.open(f"{DESK}/players/{zoe.id}")
    olga.press("Check in")
    assert stage.one(Player, name=NAMES[0]).state == PlayerState.CHECKED_IN
    assert "7 players, 1 here when printed" in " ".join(texts(olga.open(f"{DESK}/check-in.pdf")))


def test_the_list_check_says_how_every_list_stands(olga: Person, games: list[Game]) -> None:
    (sheet,) = texts(olga.open(f"{DESK}/list-check.pdf"))
    assert all(name in sheet for name in NAMES)
    assert sheet.count("no list") == len(NAMES) - 1
    assert "166" in sheet and "Caps" in sheet


def test_each_hand_has_its_copy_of_a_force(olga: Person, games: list[Game], stage: Stage) -> None:
    force = stage.one(ForceList)
    judge = texts(olga.open(f"{DESK}/forces.pdf"))
    opponent = texts(olga.open(f"{DESK}/forces.pdf?copy=opponent"))
    player = texts(olga.open(f"{DESK}/forces.pdf?copy=player"))
    assert force.document["edition"]
    for copy in (judge, opponent, player):
        assert NAMES[0] in copy[0]
        assert SECRET in " ".join(copy)
        assert "166" in " ".join(copy)
    assert "judge’s copy" in judge[0]
    assert "Handed in" in judge[0]
    assert "Handed in" not in " ".join(opponent + player)
    assert "To tick off at the table" in opponent[0]
    assert len(judge) == len(player) == 1, "what the check found stands on the same page"
    assert olga.open(f"{DESK}/forces.pdf?copy=everybody").status == 404


def test_the_judges_copy_cites_the_rules_that_a_list_breaks(olga: Person, event: Event, stage: Stage) -> None:
    (ada,) = stage.enter(event, "Ada")
    stage.force(event, ada, blank_force("Survivors"), submit=False)
    told = " ".join(texts(olga.open(f"{DESK}/forces.pdf?copy=judge")))
    assert "What the check found" in told
    assert "bm.leader" in told
    assert "broken" in told


def test_every_table_is_told_how_to_be_set_up(olga: Person, games: list[Game]) -> None:
    sheets = texts(olga.open("/e/iron-open/rounds/1/setup.pdf"))
    tables = [game for game in games if game.table_number]
    assert len(sheets) == len(tables)
    for game, sheet in zip(sorted(tables, key=lambda one: one.table_number or 0), sheets, strict=True):
        assert f"Table {game.table_number}" in sheet
        assert "14 pieces of scenery" in sheet
        assert sheet.count("from the left") == 14
        assert sheet.count("blocks line of sight") == 8
    assert sheets[0].partition("Scenery")[2] != sheets[1].partition("Scenery")[2]


def test_table_numbers_stand_up_for_every_table_in_use(
    olga: Person, games: list[Game], stage: Stage, event: Event
) -> None:
    pages = texts(olga.open(f"{DESK}/table-numbers.pdf"))
    assert [page.partition("Iron Open · Table ")[2].partition(" ")[0] for page in pages] == ["1", "2", "3"]
    assert all(page.count("TABLE") == 2 for page in pages), "read from both sides"
    with stage.changing(event) as s:
        changed = s.get_one(Event, event.id)
        changed.tables, changed.tables_out = 5, [2]
    assert len(texts(olga.open(f"{DESK}/table-numbers.pdf"))) == 4


def test_the_plan_and_the_scenarios_are_for_everybody(visitor: Person, games: list[Game], event: Event) -> None:
    (plan,) = texts(visitor.open("/e/iron-open/plan.pdf"))
    assert "Plan of the day" in plan
    sheets = " ".join(texts(visitor.open("/e/iron-open/scenarios.pdf")))
    known = {scenario.id: scenario.name for scenario in SYSTEMS[event.system].scenarios}
    assert all(known[id_] in sheets for id_ in event.scenario_pool)


def test_what_nobody_may_know_yet_is_on_no_public_sheet(
    visitor: Person, olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Dee")
    assert visitor.open("/e/iron-open/rounds/1/setup.pdf").status == 403
    assert olga.open("/e/iron-open/rounds/1/setup.pdf").status == 404, "nothing is drawn"
    assert "Drawn with the round" in texts(visitor.open("/e/iron-open/plan.pdf"))[0]
    stage.draw(event, 1)
    assert "Drawn with the round" in texts(visitor.open("/e/iron-open/plan.pdf"))[0]
    for sheet in ("check-in", "forces", "list-check", "table-numbers"):
        assert visitor.open(f"{DESK}/{sheet}.pdf").status == 403


@pytest.mark.parametrize("game", SYSTEMS)
def test_every_game_has_all_of_the_print_room(olga: Person, stage: Stage, game: str) -> None:
    event = stage.event("Every Game", game=game)
    terms = terms_of(stage.s, event)
    for seed, player in enumerate(stage.enter(event, "Ada", "Bo", "Cy")):
        faction = factions_of(stage.s, event)[0]
        stage.force(event, player, SYSTEMS[game].sample_force(terms, faction, seed), submit=False)
    stage.publish(event, 1)
    room = olga.open("/e/every-game/desk/print").soup
    links = [str(a["href"]) for a in room.select("main .sheets a")]
    assert len(links) > 12
    for link in links:
        assert " ".join(texts(olga.open(link))).count("Every Game"), link
    copies = [
        " ".join(texts(olga.open(f"/e/every-game/desk/forces.pdf?copy={copy}"))) for copy in ("judge", "opponent")
    ]
    assert all(name in copy for name in ("Ada", "Bo", "Cy") for copy in copies)
