"""An event's tables and scenarios: unusable and fixed tables, a scenario for each table, the club's own scenarios."""

from collections import Counter
from typing import Any

import pytest

from events.lists.own import uses
from events.registration import actions as registration_actions
from events.results.report_page import SAID
from events.rounds import draft
from events.rounds.draft import set_scenario
from events.setup.actions import change_settings, settings_of
from events.setup.pairing_actions import set_room, set_tie_breaks
from events.store.rounds import request_drawn, round_view
from events.tournament.pairing.certificate import read_pairings
from events.tournament.pairing.redraw import redrawn
from events.tournament.pairing.request import drawn_round, from_document
from models.own import OwnScenario
from models.play import GameState
from tests.kit.formats import knockout_of
from tests.kit.own_editions import BRIDGE, refused_at, write_scenario
from tests.kit.papers import texts
from tests.kit.person import PUBLISH, SEND_RESULT, Enter, Page, Person
from tests.kit.stage import Event, Game, Player, Round, Stage
from validators import SYSTEMS

EIGHT = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")
DESK = "/e/iron-open/desk"
NAMES = {scenario.id: scenario.name for scenario in SYSTEMS["battle_mode"].scenarios}


@pytest.fixture
def eight(stage: Stage) -> Event:
    return stage.event(rounds=5, players=EIGHT)


def room(stage: Stage, event: Event, **changed: Any) -> None:
    stage.do(event, set_room, **changed)


def fix(stage: Stage, event: Event, name: str, table: int | None) -> Player:
    player = stage.one(Player, name=name)
    details = registration_actions.details_of(player) | {"fixed_table": table}
    stage.do(event, registration_actions.change_player, player, details)
    return stage.now(player)


def game_of(stage: Stage, event: Event, number: int, name: str) -> Game:
    games = stage.games(event, number)
    return next(game for game in games if name in (stage.name(game.a_id), stage.name(game.b_id)))


def table_number(game: Game) -> int:
    return game.table_number or 0


Places = list[tuple[str, int | None, str | None]]
"""Player A, table and scenario of each pair."""


def places(stage: Stage, event: Event, number: int) -> tuple[Places, Places]:
    """Those of the round, and those that its stored request gives when it is drawn again."""
    inputs = stage.one(Round, number=number).inputs
    assert inputs is not None
    stored = sorted((str(game.a_id), game.table_number, game.scenario) for game in stage.games(event, number))
    return stored, sorted((p.a, p.table, p.scenario) for p in drawn_round(from_document(inputs)).pairs)


def test_number_of_tables_limits_the_draw(stage: Stage, eight: Event) -> None:
    room(stage, eight, tables_out=(2,))
    fix(stage, eight, "Fay", 12)
    games = stage.draw(eight, 1)
    assert game_of(stage, eight, 1, "Fay").table_number == 12, "without a limit the fixed table is added"
    assert {game.table_number for game in games} <= {1, 3, 4, 5, 12}
    fix(stage, eight, "Fay", None)
    room(stage, eight, tables=4)
    stage.refuse_to("4 games need a table each, and the event has 3 in order: set more tables", stage.draw, eight, 1)
    room(stage, eight, tables=8, tables_out=(), top_tables=False)
    seen = {tuple(game.table_number for game in stage.draw(eight, 1, seed)) for seed in range(3)}
    assert len(seen) > 1, "lots decide"


def test_pairs_stay_in_the_order_of_tables_if_players_may_have_a_table_again(olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=3, players=EIGHT[:4])
    olga.press("Save", at=f"{DESK}/settings/tables", **{"tables-tables_vary": "False"})
    assert not stage.now(event).tables_vary
    stage.play(event, 1)
    games = sorted(stage.draw(event, 2), key=lambda game: game.table_number or 0)
    first = request_drawn(stage.one(Round, number=2))
    sums = [sum(seat.points for seat in first.seats if seat.id in (str(g.a_id), str(g.b_id))) for g in games]
    assert sums == sorted(sums, reverse=True)
    assert "the order of tables comes first here" in olga.open(f"{DESK}/rounds/2").text


def test_in_the_last_round_top_pairs_keep_the_first_tables(olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=3, players=EIGHT)
    stage.play(event, 1)
    stage.play(event, 2)
    stage.draw(event, 3)
    first = request_drawn(stage.one(Round, number=3))
    assert (event.tables_vary, first.room.vary) == (True, False)
    points = {seat.id: seat.points for seat in first.seats}
    sums = [points[str(g.a_id)] + points[str(g.b_id)] for g in sorted(stage.games(event, 3), key=table_number)]
    assert sums == sorted(sums, reverse=True)
    assert "the order of tables comes first here" in olga.open(f"{DESK}/rounds/3").text
    room(stage, event, top_tables=False)
    stage.draw(event, 3)
    assert request_drawn(stage.one(Round, number=3)).room.vary, "the organiser seats by lot"
    stage.set(event, cut=2)
    room(stage, event)
    stage.draw(event, 3)
    assert request_drawn(stage.one(Round, number=3)).room.vary, "the final follows"


def test_final_of_a_knockout_is_at_the_first_table(stage: Stage) -> None:
    event = knockout_of(stage, 4)
    stage.play(event, 1)
    assert request_drawn(stage.one(Round, number=1)).room.vary
    (final,) = stage.draw(event, 2)
    assert final.table_number == 1


def test_fixed_table_must_be_usable(stage: Stage, eight: Event) -> None:
    room(stage, eight, tables=6, tables_out=(2,))
    assert stage.refuse_to("The event has 6 tables.", fix, stage, eight, "Ada", 7).field == "fixed_table"
    assert stage.refuse_to("Table 2 is out of order.", fix, stage, eight, "Ada", 2).field == "fixed_table"
    assert fix(stage, eight, "Ada", 3).fixed_table == 3
    room(stage, eight, tables_out=(2, 3))
    assert fix(stage, eight, "Ada", 3).fixed_table == 3, "a stored table does not stop other corrections"
    stage.draw(eight, 1)
    assert {"kind": "fixed_table_out", "table": 3} in game_of(stage, eight, 1, "Ada").notes


def test_each_table_draws_a_scenario_new_to_both_players_unless_one_is_chosen(stage: Stage) -> None:
    event = stage.event(rounds=3, scenarios=("raiders", "", ""), players=EIGHT)
    room(stage, event, scenario_per_table=True, top_tables=False, tables=6)
    stage.play(event, 1)
    assert round_view(event, stage.one(Round, number=1)).shared is not None
    played = {player.id: ["raiders"] for player in stage.all(Player)}
    for number in (2, 3):
        games = stage.play(event, number)
        for game in games:
            assert game.scenario is not None and game.b_id is not None
            assert number in [n for _, n in uses(stage.s, event.system, game.scenario).played]
            played[game.a_id].append(game.scenario)
            played[game.b_id].append(game.scenario)
        assert number == 3 or len({game.scenario for game in games}) == 4
        assert stage.one(Round, number=number).scenario is None
        stored, again = places(stage, event, number)
        assert stored == again
    assert all(len(set(scenarios)) == 3 for scenarios in played.values())
    assert stage.standings(event)[0].points == 9, "results count by the table's own scenario"


def test_scenarios_with_different_scales_cannot_share_a_round(stage: Stage) -> None:
    event = stage.event(game="fallout_warfare", tie_breaks=("vp", "sos"))
    stage.enter(event, *EIGHT[:4])
    scales = "score on different scales"
    refused = stage.refuse_to(scales, room, stage, event, scenario_per_table=True)
    assert refused.field == "scenario_per_table"
    stage.do(event, set_tie_breaks, ["vp_share", "sos"])
    room(stage, event, scenario_per_table=True)
    assert stage.refuse(scales, event, set_tie_breaks, ["sos", "vp_difference"]).field == "tie_breaks"
    assert stage.refuse("choose one of them", event, set_tie_breaks, ["vp", "vp_share"]).field == "tie_breaks"
    assert len({game.scenario for game in stage.draw(event, 1)}) == 2, "shares compare"
    stage.set(event, tie_breaks=["vp"])  # as events have it from before
    stage.refuse_to(scales, stage.draw, event, 1)
    moved = settings_of(event).model_copy(update={"place": "Old Mill"})
    assert stage.refuse(scales, event, change_settings, moved).field == "scenario_pool"
    room(stage, event, scenario_per_table=False)
    games, drawn = stage.draw(event, 1), stage.one(Round, number=1).scenario
    other = next(text for text in event.scenario_pool if text != drawn)
    for game, scenario in zip(games, ("convoy", other), strict=True):
        warnings = stage.do(event, set_scenario, 1, game.a_id, scenario).values()
        (warning,) = [text for text in warnings if "different scales" in text]
        assert "cannot be compared" in warning


def test_pool_must_be_large_enough_for_the_rounds(stage: Stage) -> None:
    event = stage.event(rounds=3, scenario_pool=("raiders", "scrapyard"), scenarios=("hold-the-line", "", ""))
    room(stage, event, scenario_per_table=True)
    wanted = settings_of(event).model_copy(update={"rounds": 4, "scenarios": ("hold-the-line", "", "", "")})
    stage.do(event, change_settings, wanted)
    too_few = "Scenarios to draw: 3; unused in the pool: 2,"
    assert stage.refuse_to(too_few, room, stage, event, scenario_per_table=False).field == "scenario_per_table"
    empty = settings_of(event).model_copy(update={"scenario_pool": []})
    refused = stage.refuse("The tables draw their scenarios from the pool", event, change_settings, empty)
    assert refused.field == "scenario_pool"


def test_one_table_can_play_another_scenario_of_the_game(stage: Stage, eight: Event) -> None:
    stage.enter(eight, "Ida")
    room(stage, eight, tables=6, tables_out=(5,))
    games = stage.draw(eight, 1)
    playing, bye = games[0].a_id, games[-1].a_id
    drawn = stage.one(Round, number=1).scenario or ""
    other = next(name for name in NAMES if name != drawn)
    stage.do(eight, set_scenario, 1, playing, other)
    assert Counter(game.scenario for game in stage.games(eight, 1)) == {None: 4, other: 1}
    stage.do(eight, set_scenario, 1, playing, drawn)
    assert {game.scenario for game in stage.games(eight, 1)} == {None}, "the round's own is stored once"
    for player, scenario, words in (
        (playing, "tea-party", "This scenario is not available. Choose another scenario."),
        (playing, drawn, "already."),
        (bye, "raiders", "Choose a game of this round."),
    ):
        stage.refuse(words, eight, set_scenario, 1, player, scenario)
    assert stage.refuse("Table 5 is out of order.", eight, draft.set_table, 1, playing, 5).field == "table"


ROUND = "/e/iron-open/rounds/1"
FOUR = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def people(olga: Person, enter: Enter, stage: Stage, event: Event) -> dict[str, Person]:
    """Four players; each table draws its scenario, as set on the page "Pairing"."""
    olga.open("/e/iron-open/desk/settings/tables")
    page = olga.press(
        "Save", inside="#tables", **{"tables-scenario_per_table": "One for each table", "tables-tables_out": "2, 4-5"}
    )
    assert page.flashes == "Saved."
    assert (page.value("tables-tables_out"), page.value("tables-scenario_per_table")) == ("2, 4, 5", "True")
    return dict(zip(FOUR, enter(event, *FOUR), strict=True))


def name_of(game: Game) -> str:
    assert game.scenario is not None
    return NAMES[game.scenario]


def pack(olga: Person) -> str:
    return " ".join(texts(olga.open("/e/iron-open/pack.pdf")))


def test_every_page_shows_its_scenario(olga: Person, people: dict[str, Person], stage: Stage, event: Event) -> None:
    stage.draw(event, 1)
    shown = people["Ada"].open("/e/iron-open").part("[data-poll-part=day]")
    assert "Each table its own scenario, drawn with the round" in shown, "hidden until it is published"
    assert "Each table its own scenario, drawn with the round" in pack(olga)
    games = stage.publish(event, 1)
    assert [game.table_number for game in games] == [1, 3]
    assert len({game.scenario for game in games}) == 2
    assert "Each table its own" in olga.open("/e/iron-open").part("[data-poll-part=day]")
    assert all(words in pack(olga) for words in ("Each table has its own scenario", *map(name_of, games)))
    for address in (ROUND, "/e/iron-open/desk/rounds/1"):
        assert [row[3] for row in olga.open(address).rows("table.pairings")] == [name_of(game) for game in games]
    assert olga.open(ROUND).part(".lede").startswith("Each table plays its own scenario")
    sheets = texts(olga.open(f"{ROUND}/scoresheets.pdf"))
    by_table = " ".join(texts(olga.open(f"{ROUND}/pairings.pdf")))
    by_name = olga.open(f"{ROUND}?order=name").text
    for game, sheet in zip(games, sheets, strict=True):
        name, person = name_of(game), people[stage.name(game.a_id)]
        scenario = next(s for s in SYSTEMS["battle_mode"].scenarios if s.id == game.scenario)
        assert [other for other in NAMES.values() if other in sheet] == [name], "no other scenario's name"
        assert scenario.scoring[0].split(".")[0][:20] in sheet
        assert f" {name} " in by_table
        assert f"{stage.name(game.b_id)} {name}" in by_name
        assert f"by {name}" in person.open(ROUND).part(".own-game")
        assert name in person.open("/e/iron-open/me").part("main a[href*='/scenarios/']")
        form = person.open("/e/iron-open/me/game")
        asked = {str(field.get("name")) for field in form.soup.select("input, select")}
        assert name in form.text
        assert {q.key for q in scenario.questions if q.most and q.kind != "choice"} <= asked
        assert name in person.open(f"/g/{game.code}?side=a").text
        assert name in olga.open(f"/e/iron-open/desk/games/{game.id}").text
    stage.decide(event, games[0], 3, 1)
    assert name_of(games[0]) in olga.open(f"/e/iron-open/players/{games[0].a_id}").part(".path > li")


def test_invalid_tables_are_rejected_at_their_field(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/settings/tables")
    for field, typed, words in (
        ("tables_out", "seven", "“seven” is not a table. Enter numbers and ranges, such as 3, 7-9."),
        ("tables_out", "3-9", "There is no table 5: the event has 4."),
        ("tables_out", "1-4", "Leave at least one table in order."),
        ("scenario_per_table", "each", "Not a valid choice"),
    ):
        page = olga.forge("Save", inside="#tables", **{"tables-tables": "4", f"tables-{field}": typed})
        assert page.status == 422
        assert words.casefold() in page.error_at(f"tables-{field}").casefold()
        assert field != "tables_out" or page.value(f"tables-{field}") == typed
    assert stage.now(event).tables is None


def test_fixed_table_is_set_at_the_desk_and_printed(olga: Person, stage: Stage, event: Event) -> None:
    ada = stage.enter(event, *FOUR, "Ed", "Fay")[0]
    page = olga.press("Save", at=f"/e/iron-open/desk/players/{ada.id}", fixed_table="0")
    assert (page.status, page.error_at("fixed_table")) == (422, "Enter a number from 1 to 1000.")
    page = olga.press("Save", fixed_table="3")
    assert (page.flashes, page.value("fixed_table")) == ("Saved.", "3")
    stage.publish(event, 1)
    assert game_of(stage, event, 1, "Ada").table_number == 3
    assert " ".join(texts(olga.open(f"{ROUND}/pairings.pdf"))).count("fixed table") == 1
    assert "fixed table 3" in olga.open("/e/iron-open/desk/players").part(f"#player-{ada.id}")
    olga.press("Save", at=f"/e/iron-open/desk/players/{ada.id}", fixed_table="")
    assert stage.one(Player, id=ada.id).fixed_table is None


def test_scenario_is_set_in_the_draft_and_its_file(
    olga: Person, people: dict[str, Person], stage: Stage, event: Event
) -> None:
    game = stage.draw(event, 1)[0]
    page = olga.open("/e/iron-open/desk/rounds/1")
    shown = [cell.text.strip() for cell in page.soup.select(".drafted-scenario")]
    assert shown == [name_of(a_game) for a_game in stage.games(event, 1)]
    code, player = game.code, str(game.a_id)
    pair = f"{stage.name(game.a_id)} and {stage.name(game.b_id)} (table 1)"
    other = next(name for id_, name in NAMES.items() if id_ != game.scenario)
    page = olga.press("Set", inside="#game", player=pair, scenario=other)
    assert page.flashes.startswith("The game is changed.")
    assert stage.games(event, 1)[0].code != code, "the printed sheet no longer fits"
    assert page.part(".drafted-scenario") == other
    assert "Set the scenario of table 1" in page.part(".draft-undo")
    page = olga.press("Set", inside="#game", player=pair, scenario=other)
    assert (page.status, page.error_at("scenario")) == (422, f"They play {other} already.")
    page = olga.forge("Set", inside="#game", player=player, scenario="tea-party")
    assert (page.status, "not a valid choice" in page.error_at("scenario").casefold()) == (422, True)
    olga.press(f"{PUBLISH} 1")
    check = redrawn(read_pairings(people["Ada"].ask("GET", f"{ROUND}/pairings.json").data))
    assert check.equal
    assert [line.partition(" of ")[0] for line in check.by_hand] == ["scenario"]


@pytest.fixture
def bridge(olga: Person, stage: Stage) -> OwnScenario:
    write_scenario(olga)
    return stage.one(OwnScenario)


def choose(olga: Person) -> Page:
    olga.open("/e/iron-open/desk/settings/rounds")
    pool = ["raiders", "scrapyard", "own-hold-the-bridge"]
    return olga.press("Save", scenario_pool=pool, **{"scenarios-0": "Hold the Bridge"})


def test_event_plays_own_scenario(olga: Person, bridge: OwnScenario, stage: Stage, event: Event, enter: Enter) -> None:
    assert choose(olga).flashes == "Saved."
    ada, bo = enter(event, "Ada", "Bo")
    assert "Hold the Bridge" in ada.open("/e/iron-open").part("[data-poll-part=day]")
    page = ada.open("/e/iron-open/scenarios/own-hold-the-bridge")
    assert (page.status, "both banks" in page.text, "0–3" in page.text) == (200, False, True)
    (game,) = stage.publish(event, 1)
    first = ada if stage.name(game.a_id) == "Ada" else bo
    page = first.open("/e/iron-open/me/game")
    assert "a.r5" in {str(f.get("name")) for f in page.soup.select("input")}
    assert page.text.count("cannot score") == 2
    page = first.press(SEND_RESULT, a__r2="3", b__r2="1")
    assert (page.status, "both count the bridge (1 VP)" in page.text) == (422, True)
    assert "both banks were taken at once" in first.press(SEND_RESULT, a__r2="3", b__r2="2").text
    assert SAID[GameState.REPORTED] in first.press("Yes, send it").flashes
    stage.decide(event, stage.now(game), 3, 1)
    assert [(row.rank, row.points) for row in stage.standings(event)] == [(1, 3), (2, 0)]
    assert [figure.text for figure in olga.open("/e/iron-open/rounds/1").soup.select(".points")] == ["3", "1"]


def test_played_scenario_cannot_change(olga: Person, bridge: OwnScenario, stage: Stage, event: Event) -> None:
    choose(olga)
    assert "Planned by Iron Open" in olga.open(BRIDGE).text
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    document = stage.one(OwnScenario).document
    page = olga.press("Save", most="5", name="Wider Bridge")
    assert page.status == 422
    assert "This scenario cannot be changed: it is used in round 1 of Iron Open." in page.errors
    page = olga.press("Save as a new scenario")
    assert (page.path, page.flashes) == ("/desk/scenarios/battle-mode/own-wider-bridge", "Saved.")
    assert stage.one(OwnScenario, slug=bridge.slug).document == document
    olga.open(BRIDGE)
    refused_at(olga.press("Save as a new scenario", most="4"), "name", "This name is taken")
