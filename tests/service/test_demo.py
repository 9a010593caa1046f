"""``overseer demo``: a whole event of any size, the same for the same seed, and nothing that people could not do."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from sqlmodel import Session, col, select

from events.accounts import actions as accounts_actions
from events.journal.replay import replay
from events.play import queries as play_queries
from events.play.campaign import history_of, rows_of
from events.play.rounds import round_views
from events.standings.queries import standings
from models.db import open_engine, write
from models.event import Event, EventState, RoundState
from models.journal import JournalEntry
from models.people import Account
from models.play import Game, GameState, PlayerState, Report
from models.staff import Role, Staff
from validators import SYSTEMS

Shell = Callable[..., Result]
LONG = pytest.mark.long


@contextmanager
def opened(data: Path) -> Iterator[tuple[Session, Event]]:
    """The newest event of a data folder."""
    engine = open_engine(f"sqlite:///{data / 'overseer.sqlite3'}")
    with Session(engine) as s:
        yield s, s.exec(select(Event).order_by(col(Event.id))).all()[-1]
    engine.dispose()


def story(data: Path) -> list[object]:
    """What happened, by name: pairs with tables, results, forces, the final standings."""
    with opened(data) as (s, event):
        names = {p.id: p.name for p in play_queries.players_of(s, event)} | {None: "bye"}
        games = [
            (view.round.number, view.round.scenario, names[g.a_id], names[g.b_id], g.table_number, g.answers)
            for view in round_views(s, event)
            for g in view.games
        ]
        forces = {names[player]: force.document for player, force in play_queries.forces_of(s, event).items()}
        table = [(row.rank, row.name, row.points, [f.shown for f in row.figures]) for row in standings(s, event)]
        return [games, forces, table]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds"), [pytest.param(2, 3, marks=LONG), pytest.param(3, 7, marks=LONG), (9, 5)]
)  # 24: ./run test
def test_an_event_of_any_size_is_played_to_its_end(shell: Shell, data: Path, players: int, rounds: int) -> None:
    result = shell("demo", "--players", str(players), "--rounds", str(rounds), "--seed", "3")
    assert result.exit_code == 0, result.output
    assert "The event is closed" in result.output
    assert "/e/wasteland-open when the service runs." in result.output
    with opened(data) as (s, event):
        assert event.state == EventState.FINISHED
        views = round_views(s, event)
        assert len(views) == rounds
        assert all(view.complete for view in views)
        everybody = play_queries.players_of(s, event)
        assert len(everybody) == players + (rounds > 1), "one comes late"
        assert sum(p.state == PlayerState.DROPPED for p in everybody) == (rounds > 2 and players > 4)
        forces = play_queries.forces_of(s, event)
        assert set(forces) == {p.id for p in everybody}
        assert all(
            play_queries.verdict_on(event, p, forces[p.id], play_queries.terms_of(s, event)).legal for p in everybody
        )
        factions = {force.document["faction"] for force in forces.values()}
        assert len(factions) == min(3, len(everybody))
        met = Counter(frozenset((g.a_id, g.b_id)) for view in views for g in view.games if g.b_id)
        if rounds < players:
            assert max(met.values()) == 1, "nobody meets twice where that can be helped"
        for game in s.exec(select(Game)):
            assert game.state == GameState.CONFIRMED
        assert len(s.exec(select(Report)).all()) >= 2 * sum(met.values())
        assert {entry.actor for entry in s.exec(select(JournalEntry))} - {"the clock"} == {"demonstration"}


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_game_is_played_from_the_first_list_to_the_standings(shell: Shell, data: Path, system: str) -> None:
    result = shell("demo", "--system", system, "--players", "6", "--rounds", "3", "--seed", "5")
    assert result.exit_code == 0, result.output
    with opened(data) as (s, event):
        assert (event.system, event.state) == (system, EventState.FINISHED)
        everybody = play_queries.players_of(s, event)
        forces = play_queries.forces_of(s, event)
        assert all(
            play_queries.verdict_on(event, p, forces[p.id], play_queries.terms_of(s, event)).legal for p in everybody
        )
        assert all(game.state == GameState.CONFIRMED for game in s.exec(select(Game)))
        ranked = standings(s, event)
        assert len(ranked) == len(everybody)
        assert ranked[0].points > ranked[-1].points, "somebody won"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "players", "seed"),
    [pytest.param("new_vegas", "6", "5", marks=LONG), ("battle_mode", "7", "9")],
)
def test_a_season_is_played_to_its_final(shell: Shell, data: Path, system: str, players: str, seed: str) -> None:
    result = shell("demo", "--league", players, "--system", system, "--seed", seed)
    assert result.exit_code == 0, result.output
    with opened(data) as (s, event):
        assert (event.system, event.state) == (system, EventState.FINISHED)
        assert all(game.state == GameState.CONFIRMED for game in s.exec(select(Game)))
        assert replay(s, event).difference is None
        ranked = standings(s, event)
        assert [row.rank for row in ranked[:2]] == [1, 2], "the final decides the first two places"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "players", "seed"),
    [pytest.param("ladder", "8", "3", marks=LONG), ("challenge", "5", "4"), ("ladder", "3", "1")],
)
def test_a_season_of_challenges_is_played(shell: Shell, data: Path, kind: str, players: str, seed: str) -> None:
    result = shell("demo", "--league", players, "--kind", kind, "--seed", seed)
    assert result.exit_code == 0, result.output
    with opened(data) as (s, event):
        assert event.state == EventState.FINISHED
        games = s.exec(select(Game)).all()
        assert len(games) > 4
        assert all(game.state == GameState.CONFIRMED for game in games)
        assert replay(s, event).difference is None
    assert shell("doctor").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "groups", "seed"),
    [("fallout_warfare", "3", "2"), pytest.param("fallout_warfare", "4", "7", marks=LONG),
     ("fallout_skirmish", "3", "2"), pytest.param("fallout_skirmish", "4", "5", marks=LONG)],
)  # fmt: skip
def test_a_campaign_is_played_and_every_ledger_balances(
    shell: Shell, data: Path, system: str, groups: str, seed: str
) -> None:
    result = shell("demo", "--campaign", system, "--groups", groups, "--rounds", "3", "--seed", seed)
    assert result.exit_code == 0, result.output
    with opened(data) as (s, event):
        assert event.state == EventState.FINISHED
        history = history_of(s, event)
        assert len(history.world.groups) == int(groups)
        assert history.world.phases == {}, "every sequence is closed"
        assert replay(s, event).difference is None
    assert shell("doctor").exit_code == 0
    with opened(data) as (s, event):
        rows = rows_of(s, event)
        row = next((row for row in reversed(rows) if row.seed), rows[-1])
        row.rolls = [{**one, "results": [n % one["sides"] + 1 for n in one["results"]]} for one in row.rolls]
        row.kind = row.kind if row.seed else "nothing"
        s.commit()
    broken = shell("doctor")
    assert broken.exit_code == 1
    assert "campaign" in broken.output
    assert shell("replay", "wasteland-campaign").exit_code == 1


@pytest.mark.slow
def test_a_circuit_of_two_events_is_played(shell: Shell, data: Path) -> None:
    result = shell("demo", "--circuit", "--players", "6", "--rounds", "2", "--seed", "3")
    assert result.exit_code == 0, result.output
    with opened(data) as (s, second):
        first = s.exec(select(Event)).all()[0]
        assert first.series == second.series != ""
        one, two = ({p.name for p in play_queries.players_of(s, event)} for event in (first, second))
        assert len(one & two) >= 6, "the points of both events are added"
        assert all(replay(s, event).difference is None for event in (first, second))


@pytest.mark.slow
def test_the_same_seed_is_the_same_event_and_another_is_another(shell: Shell, data: Path) -> None:
    stories = []
    empty = (data / "overseer.sqlite3").read_bytes()
    for seed in ("11", "11", "12"):
        for file in data.glob("overseer.sqlite3*"):
            file.unlink()
        (data / "overseer.sqlite3").write_bytes(empty)
        assert shell("demo", "--players", "7", "--rounds", "3", "--seed", seed).exit_code == 0
        stories.append(story(data))
    assert stories[0] == stories[1]
    assert stories[0][0] != stories[2][0]
    assert stories[0][1] != stories[2][1]


def test_a_second_demonstration_stands_beside_the_first(shell: Shell, data: Path) -> None:
    for slug in ("wasteland-open", "wasteland-open-2"):
        result = shell("demo", "--players", "4", "--rounds", "2")
        assert f"/e/{slug} when" in result.output
    with opened(data) as (s, _):
        assert len(s.exec(select(Event)).all()) == 2


def test_demonstration_belongs_to_the_organiser_where_there_is_one(shell: Shell, data: Path) -> None:
    words = ("demo", "--players", "2", "--rounds", "1")
    assert "It belongs to the organiser who uses the next set-up link." in shell(*words).output
    for number, name in enumerate(("Olga", "Petra")):
        with opened(data) as (s, event), write(s, datetime.now(UTC)):
            account = accounts_actions.make_account(s, name, "three old lamps", datetime.now(UTC))
            account.runs_club = True
        named = ("--owner", name) if number else ()
        assert f"{name} owns it." in shell(*words, *named).output
        with opened(data) as (s, event):
            (one,) = s.exec(select(Staff).where(Staff.event_id == event.id)).all()
            assert (s.get_one(Account, one.account_id).name, one.role) == (name, Role.OWNER)
    refused = shell(*words)
    assert (refused.exit_code, "Choose its owner: --owner with one of Olga, Petra." in refused.output) == (1, True)


def test_the_last_round_can_be_left_open_to_try_it(shell: Shell, data: Path) -> None:
    result = shell("demo", "--players", "6", "--rounds", "3", "--leave-open")
    assert "Round 3 is drawn and published; it waits to be played" in result.output
    with opened(data) as (s, event):
        last = round_views(s, event)[-1]
        assert (event.state, last.round.state) == (EventState.IN_PROGRESS, RoundState.PUBLISHED)
        assert last.open_games == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--players", "1"), "1 is not in the range 2<=x<=500"),
        (("--players", "many"), "'many' is not a valid integer"),
        (("--rounds", "0"), "0 is not in the range 1<=x<=20"),
        (("--system", "golf"), "'golf' is not one of 'battle_mode'"),
    ],
)
def test_numbers_that_cannot_be_played_are_told(shell: Shell, words: tuple[str, ...], said: str) -> None:
    result = shell("demo", *words)
    assert (result.exit_code, said in result.output) == (2, True), result.output


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PORT": "http"}, "Error: PORT: a number from 1 to 65535 is needed, not 'http'"),
        ({"OVERSEER_SECRET": "short"}, "Error: OVERSEER_SECRET: at least 32 characters are needed"),
        ({"PORT": "9" * 5000}, "Error: PORT: a number from 1 to 65535 is needed, not '99999999999999999999'"),
        ({"DATABASE_URL": "mysql://x"}, "Error: DATABASE_URL: sqlite:///FILE or postgresql://... is needed"),
        ({"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}, "Error: The database cannot be used:"),
        ({"OVERSEER_DATA": "/dev/null/x"}, "Error: OVERSEER_DATA: /dev/null/x cannot be used: Not a directory"),
    ],
)
def test_a_wrong_setting_is_told_in_a_line(shell: Shell, settings: dict[str, str], said: str) -> None:
    result = shell("demo", "--players", "2", **settings)
    assert result.exit_code == 1
    assert said in result.output
    assert "Traceback" not in result.output
