"""Rounds in which each table has its own scenario, on every page and paper; and fixed tables."""

from collections.abc import Callable

import pytest

from events.pairing.certificate import read_pairings, redrawn
from models.event import Event
from models.play import Player
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.stage import Game, Round, Stage
from validators import SYSTEMS

Enter = Callable[..., list[Person]]
NAMES = {scenario.id: scenario.name for scenario in SYSTEMS["battle_mode"].scenarios}
ROUND = "/e/iron-open/rounds/1"
FOUR = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def people(olga: Person, enter: Enter, stage: Stage, event: Event) -> dict[str, Person]:
    """Four players; each table draws its scenario, as set on the page "Pairing"."""
    olga.open("/e/iron-open/desk/pairing")
    page = olga.press(
        "Save", inside="#tables", **{"tables-scenario_per_table": "One for each table", "tables-tables_out": "2, 4-5"}
    )
    assert page.flashes == "Tables and scenarios: saved."
    assert (page.value("tables-tables_out"), page.value("tables-scenario_per_table")) == ("2, 4, 5", "table")
    return dict(zip(FOUR, enter(event, *FOUR), strict=True))


def name_of(game: Game) -> str:
    assert game.scenario is not None
    return NAMES[game.scenario]


def pack(olga: Person) -> str:
    return " ".join(texts(olga.open("/e/iron-open/pack.pdf")))


def test_every_page_shows_the_tables_scenario(
    olga: Person, people: dict[str, Person], stage: Stage, event: Event
) -> None:
    stage.draw(event, 1)
    for person in (olga, people["Ada"]):
        shown = person.open("/e/iron-open").part(".timeline li")
        assert "each table its own scenario, drawn with the round" in shown, "hidden until it is published"
    assert "Each table its own, drawn with the round" in pack(olga)
    games = stage.publish(event, 1)
    assert [game.table_number for game in games] == [1, 3]
    assert len({game.scenario for game in games}) == 2
    assert "each table its own scenario" in olga.open("/e/iron-open").part(".timeline li")
    assert all(words in pack(olga) for words in ("Each table its own", *map(name_of, games)))
    for address, table in ((ROUND, "table.pairings"), ("/e/iron-open/desk/rounds/1", "table.pairings")):
        assert [row[3] for row in olga.open(address).rows(table)] == [name_of(game) for game in games]
    assert olga.open(ROUND).part(".lede").startswith("Each table plays its own scenario")
    sheets = texts(olga.open(f"{ROUND}/scoresheets.pdf"))
    by_table = " ".join(texts(olga.open(f"{ROUND}/pairings.pdf")))
    for game, sheet in zip(games, sheets, strict=True):
        name, person = name_of(game), people[stage.name(game.a_id)]
        scenario = next(s for s in SYSTEMS["battle_mode"].scenarios if s.id == game.scenario)
        assert name in sheet and not any(other in sheet for other in NAMES.values() if other != name)
        assert scenario.scoring[0].split(".")[0][:20] in sheet
        assert f" {name} " in by_table
        assert f"by {name}" in person.open(ROUND).part(".own-game")
        assert name in person.open("/e/iron-open/me").part(".panel h2 a[href*='/scenarios/']")
        form = person.open("/e/iron-open/me/game")
        assert name in form.text
        asked = {str(field.get("name")) for field in form.soup.select("input, select")}
        assert {q.key for q in scenario.questions if q.most and q.kind != "choice"} <= asked
        assert name in person.open(f"/g/{game.code}?side=a").text
        assert f"{stage.name(game.b_id)} {name}" in person.open(f"{ROUND}?order=name").text
        assert name in olga.open(f"/e/iron-open/desk/games/{game.id}").text
        stage.decide(event, game, 3, 1)
    own = olga.open(f"/e/iron-open/players/{games[0].a_id}").rows("table.cards")
    assert name_of(games[0]) in own[0]
    assert {row.points for row in stage.standings(event)} == {0, 3}


def test_scenario_for_all_tables_is_shown_once(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, *FOUR)
    stage.publish(event, 1)
    drawn = stage.one(Round, number=1).scenario
    assert drawn is not None
    page = olga.open(ROUND)
    assert NAMES[drawn] in page.part(".lede")
    assert [len(row) for row in page.rows("table.pairings")] == [4] * 2
    assert "Player B Scenario" not in " ".join(texts(olga.open(f"{ROUND}/pairings.pdf")))


def test_invalid_tables_are_rejected_at_their_field(olga: Person, stage: Stage, event: Event) -> None:
    for field, typed, words in (
        ("tables_out", "seven", "“seven” is not a table. Enter numbers and ranges, such as 3, 7-9."),
        ("tables_out", "3-9", "There is no table 5: the event has 4."),
        ("tables_out", "1-4", "Leave at least one table in order."),
        ("scenario_per_table", "each", "Not a valid choice"),
        ("top_tables", "best", "Not a valid choice"),
    ):
        olga.open("/e/iron-open/desk/pairing")
        page = olga.forge("Save", inside="#tables", **{"tables-tables": "4", f"tables-{field}": typed})
        assert page.status == 422
        assert words.casefold() in page.error_at(f"tables-{field}").casefold()
        if field == "tables_out":
            assert page.value(f"tables-{field}") == typed
    assert stage.now(event).tables is None


def test_fixed_table_is_set_at_the_desk_and_printed(olga: Person, stage: Stage, event: Event) -> None:
    ada = stage.enter(event, *FOUR, "Ed", "Fay")[0]
    olga.open(f"/e/iron-open/desk/players/{ada.id}")
    page = olga.press("Save", fixed_table="0")
    assert (page.status, page.error_at("fixed_table")) == (422, "Enter a number from 1 to 1000.")
    page = olga.press("Save", fixed_table="3")
    assert (page.flashes, page.value("fixed_table")) == ("Saved.", "3")
    assert stage.one(Player, id=ada.id).fixed_table == 3
    assert stage.journal(event, "change-player") == ["Changed Ada"]
    stage.publish(event, 1)
    assert next(g.table_number for g in stage.games(event, 1) if ada.id in (g.a_id, g.b_id)) == 3
    printed = " ".join(texts(olga.open(f"{ROUND}/pairings.pdf")))
    assert printed.count("fixed table") == 1
    assert "fixed table 3" in olga.open("/e/iron-open/desk/players").part(f"#player-{ada.id}")
    olga.open(f"/e/iron-open/desk/players/{ada.id}")
    olga.press("Save", fixed_table="")
    assert stage.one(Player, id=ada.id).fixed_table is None


def test_tables_scenario_is_set_in_the_draft_and_included_in_the_file(
    olga: Person, people: dict[str, Person], stage: Stage, event: Event
) -> None:
    game = stage.draw(event, 1)[0]
    page = olga.open("/e/iron-open/desk/rounds/1")
    assert [cell.text.strip() for cell in page.soup.select(".drafted-scenario")] == [
        name_of(g) for g in stage.games(event, 1)
    ]
    drawn = game.scenario
    pair = f"{stage.name(game.a_id)} and {stage.name(game.b_id)} (table 1)"
    other = next(name for id_, name in NAMES.items() if id_ != drawn)
    page = olga.press("Set the scenario", player=pair, scenario=other)
    assert page.flashes.startswith("Set.")
    assert page.part(".drafted-scenario") == other
    assert "Set the scenario of table 1" in page.part(".draft-undo")
    page = olga.press("Set the scenario", player=pair, scenario=other)
    assert (page.status, page.error_at("scenario")) == (422, f"They play {other} already.")
    page = olga.forge("Set the scenario", player=str(game.a_id), scenario="tea-party")
    assert (page.status, "not a valid choice" in page.error_at("scenario").casefold()) == (422, True)
    olga.press("Publish round 1")
    check = redrawn(read_pairings(people["Ada"].ask("GET", f"{ROUND}/pairings.json").data))
    assert check.equal
    assert [line.partition(" of ")[0] for line in check.by_hand] == ["scenario"]
