"""Tables and scenarios of an event: out of order, fixed, one for each table, by hand; and drawn again from the row."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from events.lists.scenarios import uses
from events.pairing.request import drawn_round, from_document
from events.play.errors import Refused
from events.play.queries import players_of, round_view, round_views
from events.registration import actions as registration_actions
from events.results import actions as results_actions
from events.rounds import draft, drawing
from events.setup.actions import change_settings, settings_of
from events.setup.pairing_actions import RoomSettings, room_settings, set_room
from models.event import Event
from models.play import ReportSide
from tests.kit.stage import BY, Game, Player, Round, Stage

EIGHT = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")
POOL = ("hold-the-line", "defend-your-stash", "extract-the-information", "raiders", "scrapyard")


@pytest.fixture
def event(stage: Stage) -> Event:
    """Eight players who are here, and five rounds."""
    event = stage.event(rounds=5)
    stage.enter(event, *EIGHT)
    return event


def room(stage: Stage, event: Event, **changed: Any) -> None:
    """Change the tables of the event."""
    with stage.changing(event) as s:
        set_room(s, event, replace(room_settings(event), **changed), BY, stage.clock())


def fix(stage: Stage, event: Event, name: str, table: int | None) -> Player:
    """Give a player a fixed table."""
    player = stage.one(Player, name=name)
    with stage.changing(event) as s:
        registration_actions.change_player(
            s, event, player, name, "", "", False, None, BY, stage.clock(), fixed_table=table
        )
    return stage.now(player)


@contextmanager
def refused(words: str, field: str | None = None) -> Iterator[None]:
    """What is refused, in these words, at this field."""
    with pytest.raises(Refused) as caught:
        yield
    assert words in caught.value.message
    assert field is None or caught.value.field == field


def at(stage: Stage, event: Event, number: int, name: str) -> Game:
    """The game of a player in a round."""
    games = stage.games(event, number)
    return next(game for game in games if name in (stage.name(game.a_id), stage.name(game.b_id)))


def redrawn(stage: Stage, number: int) -> list[tuple[str, int | None, str | None]]:
    """The places of a round as its stored request gives them."""
    the_round = stage.one(Round, number=number)
    assert the_round.inputs is not None
    return [(pair.a, pair.table, pair.scenario) for pair in drawn_round(from_document(the_round.inputs)).pairs]


def places_of(stage: Stage, event: Event, number: int) -> list[tuple[str, int | None, str | None]]:
    """The places of a round as they stand."""
    return [(str(game.a_id), game.table_number, game.scenario) for game in stage.games(event, number)]


# ---- tables


@pytest.mark.both_databases
def test_nobody_is_seated_at_a_table_out_of_order_and_a_fixed_one_is_kept(stage: Stage, event: Event) -> None:
    room(stage, event, tables=7, tables_out=(1, 3))
    fix(stage, event, "Fay", 6)
    for number in range(1, 4):
        games = stage.play(event, number)
        assert {game.table_number for game in games}.isdisjoint({1, 3})
        assert at(stage, event, number, "Fay").table_number == 6
        assert sorted(redrawn(stage, number)) == sorted(places_of(stage, event, number))
    outcome = stage.one(Round, number=3).outcome
    assert outcome is not None
    assert outcome["placement"]["fixed_missed"] == 0


def test_without_a_set_number_the_fixed_table_comes_to_as_many_as_there_are_games(stage: Stage, event: Event) -> None:
    room(stage, event, tables_out=(2,))
    fix(stage, event, "Fay", 12)
    games = stage.draw(event, 1)
    assert at(stage, event, 1, "Fay").table_number == 12
    assert {game.table_number for game in games} <= {1, 3, 4, 5, 12}


def test_too_few_tables_in_order_are_told(stage: Stage, event: Event) -> None:
    room(stage, event, tables=4, tables_out=(2,))
    with refused("4 games need a table each, and the event has 3 in order: set more tables"):
        stage.draw(event, 1)


def test_without_top_tables_lots_decide(stage: Stage, event: Event) -> None:
    room(stage, event, tables=8, top_tables=False)
    seen = {tuple(game.table_number for game in stage.draw(event, 1, seed)) for seed in range(6)}
    assert len(seen) > 1
    assert sorted(redrawn(stage, 1)) == sorted(places_of(stage, event, 1))


@pytest.mark.parametrize(
    ("wanted", "words", "field"),
    [
        (RoomSettings(2, (1, 2)), "No table is left to play on.", "tables_out"),
        (RoomSettings(4, (3, 9)), "There is no table 9: the event has 4.", "tables_out"),
    ],
)
def test_tables_that_cannot_be_are_refused(
    stage: Stage, event: Event, wanted: RoomSettings, words: str, field: str
) -> None:
    with refused(words, field), stage.changing(event) as s:
        set_room(s, event, wanted, BY, stage.clock())


def test_a_fixed_table_must_be_one_that_is_played_at(stage: Stage, event: Event) -> None:
    room(stage, event, tables=6, tables_out=(2,))
    with refused("The event has 6 tables.", "fixed_table"):
        fix(stage, event, "Ada", 7)
    with refused("Table 2 is out of order.", "fixed_table"):
        fix(stage, event, "Ada", 2)
    assert fix(stage, event, "Ada", 3).fixed_table == 3
    room(stage, event, tables_out=(2, 3))
    assert fix(stage, event, "Ada", 3).fixed_table == 3, "what stands already hinders no other correction"
    stage.draw(event, 1)
    assert "fixed table 3 not kept: it is not among the tables in order" in at(stage, event, 1, "Ada").notes


@pytest.mark.parametrize("what", ["tables", "fixed table", "scenarios"])
def test_a_draw_that_saw_another_room_is_stale(stage: Stage, event: Event, what: str) -> None:
    stage.draw(event, 1)

    def stale() -> bool:
        stage.s.rollback()
        return drawing.is_stale(event, players_of(stage.s, event), round_views(stage.s, event), 1)

    assert not stale()
    if what == "tables":
        room(stage, event, tables_out=(1,))
    elif what == "scenarios":
        room(stage, event, scenario_per_table=True)
    else:
        fix(stage, event, "Ada", 3)
    assert stale()
    stage.draw(event, 1)
    assert not stale()


# ---- scenarios


def test_each_table_draws_a_scenario_that_neither_has_played(stage: Stage, event: Event) -> None:
    room(stage, event, scenario_per_table=True)
    played: dict[int, list[str]] = {player.id: [] for player in stage.all(Player)}
    for number in range(1, 4):
        games = stage.play(event, number)
        assert stage.one(Round, number=number).scenario is None
        assert sorted(redrawn(stage, number)) == sorted(places_of(stage, event, number))
        for game in games:
            assert game.scenario is not None
            for player in (game.a_id, game.b_id):
                assert player is not None
                played[player].append(game.scenario)
    assert all(len(set(scenarios)) == 3 for scenarios in played.values())
    assert stage.standings(event)[0].points == 9, "results count by the table's own scenario"


def test_a_round_with_a_chosen_scenario_plays_it_at_all_tables(stage: Stage) -> None:
    event = stage.event(rounds=3, scenarios=("raiders", "", ""))
    stage.enter(event, *EIGHT)
    room(stage, event, scenario_per_table=True)
    stage.play(event, 1)
    games = stage.play(event, 2)
    assert round_view(stage.s, event, stage.one(Round, number=1)).shared is not None
    assert "raiders" not in {game.scenario for game in games}, "all have played it"
    assert len({game.scenario for game in games}) == 4


def test_figures_are_judged_by_the_scenario_of_the_table(stage: Stage, event: Event) -> None:
    room(stage, event, scenario_per_table=True)
    stage.publish(event, 1)
    for game in stage.games(event, 1):
        most = {"hold-the-line": 2, "raiders": 2, "scrapyard": 99}.get(game.scenario or "", 3)
        with pytest.raises(Refused), stage.changing(event):
            _report(stage, event, game, most + 1)
    game = stage.games(event, 1)[0]
    with stage.changing(event):
        _report(stage, event, game, 2)
    assert stage.now(game).answers == {"a.r3": 2}


def _report(stage: Stage, event: Event, game: Game, vp: int) -> None:
    claim = results_actions.Claim(ReportSide.ORGANISER, {"a.r3": vp}, game.version, sure=True)
    results_actions.report(stage.s, event, game, claim, BY, stage.clock())


def test_the_pool_must_hold_what_the_rounds_draw(stage: Stage) -> None:
    event = stage.event(rounds=3, scenario_pool=("raiders", "scrapyard"), scenarios=("hold-the-line", "", ""))
    room(stage, event, scenario_per_table=True)
    with stage.changing(event) as s:
        wanted = replace(settings_of(s, event), rounds=4, scenarios=("hold-the-line", "", "", ""))
        change_settings(s, event, wanted, BY, stage.clock())
    with refused("3 rounds draw their scenario, but the pool has 2", "scenario_per_table"):
        room(stage, event, scenario_per_table=False)
    with refused("The tables draw their scenario from the pool", "scenario_pool"), stage.changing(event) as s:
        change_settings(s, event, replace(settings_of(s, event), scenario_pool=()), BY, stage.clock())


def test_redrawn_after_a_change_of_mind_the_whole_round_plays_one(stage: Stage, event: Event) -> None:
    room(stage, event, scenario_per_table=True)
    assert len({game.scenario for game in stage.draw(event, 1)}) == 4
    room(stage, event, scenario_per_table=False)
    assert {game.scenario for game in stage.draw(event, 1)} == {None}
    assert stage.one(Round, number=1).scenario in POOL
    room(stage, event, scenario_per_table=True)
    stage.draw(event, 1)
    assert (stage.one(Round, number=1).scenario, stage.one(Round, number=1).scenario_drawn) == (None, False)


def test_where_a_table_plays_it_a_scenario_is_played(stage: Stage, event: Event) -> None:
    room(stage, event, scenario_per_table=True)
    game = stage.draw(event, 1)[0]
    assert game.scenario is not None
    assert [number for _, number in uses(stage.s, event.system, game.scenario).played] == [1]


# ---- by hand


@pytest.mark.both_databases
def test_a_scenario_is_set_by_hand_counted_and_taken_back(stage: Stage, event: Event) -> None:
    room(stage, event, scenario_per_table=True)
    stage.play(event, 1)
    game = stage.draw(event, 2)[0]
    again = next(one.scenario for one in stage.games(event, 1) if game.a_id in (one.a_id, one.b_id))
    assert again is not None
    with stage.changing(event) as s:
        warnings = draft.set_scenario(s, event, 2, game.a_id, again, BY, stage.clock())
    pair = f"{stage.name(game.a_id)} and {stage.name(game.b_id)}"
    assert len(warnings) == 1 and warnings[0].startswith(f"{pair}: scenario again: ")
    changed = stage.games(event, 2)[0]
    assert (changed.scenario, changed.table_number, changed.code == game.code) == (again, game.table_number, False)
    assert draft.costs_now(stage.one(Round, number=2))["scenario_repeats"] in (1, 2)
    name = round_view(stage.s, event, stage.one(Round, number=2)).scenario_at(changed)
    assert name is not None
    assert stage.journal(event, "set-scenario") == [f"Set the scenario of table 1 to {name.name} in round 2"]
    with stage.changing(event) as s:
        draft.undo(s, event, 2, BY, stage.clock())
    assert places_of(stage, event, 2) == sorted(redrawn(stage, 2), key=lambda one: one[1] or 0)
    assert stage.games(event, 2)[0].code == game.code


def test_one_table_of_a_round_plays_another_scenario(stage: Stage, event: Event) -> None:
    game = stage.draw(event, 1)[1]
    drawn = stage.one(Round, number=1).scenario
    other = next(one for one in POOL if one != drawn)
    with stage.changing(event) as s:
        draft.set_scenario(s, event, 1, game.a_id, other, BY, stage.clock())
    assert Counter(one.scenario for one in stage.games(event, 1)) == {None: 3, other: 1}
    assert drawn is not None
    with stage.changing(event) as s:
        draft.set_scenario(s, event, 1, game.a_id, drawn, BY, stage.clock())
    assert {one.scenario for one in stage.games(event, 1)} == {None}, "the round's own needs no mark"


def test_what_cannot_be_set_by_hand_is_refused(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ida")
    room(stage, event, tables=6, tables_out=(5,))
    games = stage.draw(event, 1)
    playing, bye = games[0].a_id, games[-1].a_id
    drawn = stage.one(Round, number=1).scenario or ""
    for player, scenario, words in (
        (playing, "tea-party", "This scenario is not known here."),
        (playing, drawn, "already."),
        (bye, "raiders", "Choose a game of this round."),
        (0, "raiders", "Choose a game of this round."),
    ):
        with refused(words), stage.changing(event) as s:
            draft.set_scenario(s, event, 1, player, scenario, BY, stage.clock())
    with refused("Table 5 is out of order.", "table"), stage.changing(event) as s:
        draft.set_table(s, event, 1, playing, 5, BY, stage.clock())
