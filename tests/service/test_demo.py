"""``overseer demo``: a whole event of any size, the same for the same seed, and nothing that people could not do."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import Session, col, select

from events.accounts import actions as accounts_actions
from events.standings.queries import standings_of
from events.store.rounds import round_views
from events.store.verdicts import forces_of, terms_of, verdict_on
from models.db import write
from models.event import Event, EventState, RoundState
from models.journal import JournalEntry
from models.people import Account
from models.play import Game, GameState, PlayerState, Report
from models.staff import Role, Staff
from tests.kit.profiles import full_run
from tests.service.conftest import Shell, opened
from validators import SYSTEMS


@contextmanager
def newest(data: Path) -> Iterator[tuple[Session, Event]]:
    with opened(data) as engine, Session(engine) as s:
        yield s, s.exec(select(Event).order_by(col(Event.id))).all()[-1]


def demo(shell: Shell, *words: str) -> str:
    result = shell("demo", *words)
    assert result.exit_code == 0, result.output
    return result.output


def story(data: Path) -> list[object]:
    """What happened, by name: pairs with tables, results, forces, the final standings."""
    with newest(data) as (_, event):
        names = {p.id: p.name for p in event.players} | {None: "bye"}
        games = [
            (view.round.number, view.round.scenario, names[g.a_id], names[g.b_id], g.table_number, g.answers)
            for view in round_views(event)
            for g in view.games
        ]
        forces = {names[player]: force.document for player, force in forces_of(event).items()}
        table = [
            (row.rank, row.name, row.points, [str(f.shown) for f in row.figures])
            for row in standings_of(event).of_players()
        ]
        return [games, forces, table]


@pytest.mark.slow
@pytest.mark.parametrize(
    "system", full_run(SYSTEMS, ["skill_combat", "fallout_warfare", "new_vegas"])
)  # others: tests below
def test_every_game_is_played_from_the_first_list_to_the_standings(shell: Shell, data: Path, system: str) -> None:
    said = demo(shell, "--system", system, "--players", "6", "--rounds", "3", "--seed", "5")
    assert "The event is closed" in said
    with newest(data) as (s, event):
        assert (event.system, event.state) == (system, EventState.FINISHED)
        views = round_views(event)
        assert [view.now.complete for view in views] == [True] * 3
        everybody = event.players
        assert len(everybody) == 7, "one comes late"
        assert sum(p.state == PlayerState.DROPPED for p in everybody) == 1
        forces = forces_of(event)
        terms = terms_of(event)
        assert all(verdict_on(event, p, forces[p.id], terms).legal for p in everybody)
        met = Counter(frozenset((g.a_id, g.b_id)) for view in views for g in view.games if g.b_id)
        assert max(met.values()) == 1, "nobody meets twice"
        assert all(game.state == GameState.CONFIRMED for game in s.exec(select(Game)))
        assert len(s.exec(select(Report)).all()) >= 2 * sum(met.values())
        assert {entry.actor for entry in s.exec(select(JournalEntry))} - {"the clock"} == {"demonstration"}
        ranked = standings_of(event).of_players()
        assert ranked[0].points > ranked[-1].points, "somebody won"


@pytest.mark.sweep
@pytest.mark.slow
def test_same_seed_gives_the_same_event_and_another_seed_another(shell: Shell, data: Path) -> None:
    stories = []
    empty = (data / "overseer.sqlite3").read_bytes()
    for seed in ("11", "11", "12"):
        for file in data.glob("overseer.sqlite3*"):
            file.unlink()
        (data / "overseer.sqlite3").write_bytes(empty)
        demo(shell, "--players", "5", "--rounds", "2", "--seed", seed)
        stories.append(story(data))
    first, same, other = stories
    assert first == same
    assert first[0] != other[0] and first[1] != other[1]


def test_demonstration_belongs_to_the_only_organiser(shell: Shell, data: Path) -> None:
    words = ("--players", "2", "--rounds", "1")
    assert "It belongs to the organiser who uses the next set-up link." in demo(shell, *words)
    for name, named in (("Olga", ()), ("Petra", ("--owner", "Petra"))):
        with newest(data) as (s, event), write(s, datetime.now(UTC)):
            accounts_actions.make_account(s, name, "three old lamps", datetime.now(UTC)).runs_club = True
        assert f"{name} owns it." in demo(shell, *words, *named)
        with newest(data) as (s, event):
            (staff,) = s.exec(select(Staff).where(Staff.event_id == event.id)).all()
            assert (s.get_one(Account, staff.account_id).name, staff.role) == (name, Role.OWNER)
    refused = shell("demo", *words)
    choose = "Choose the event’s owner: --owner NAME, where NAME is one of Olga, Petra."
    assert (refused.exit_code, choose in refused.output) == (1, True)


def test_last_round_can_be_left_open(shell: Shell, data: Path) -> None:
    said = demo(shell, "--players", "6", "--rounds", "3", "--leave-open")
    assert "Round 3 is drawn and published; it waits to be played" in said
    with newest(data) as (_, event):
        last = round_views(event)[-1]
        assert (event.state, last.round.state) == (EventState.IN_PROGRESS, RoundState.PUBLISHED)
        assert last.now.open_games == 3


def test_invalid_setting_or_database_is_reported_in_one_line(shell: Shell) -> None:
    for settings, said in (
        ({"PORT": "http"}, "Error: PORT: set a number from 1 to 65535, not 'http'"),
        ({"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}, "Error: The database cannot be used:"),
    ):
        result = shell("demo", "--players", "2", **settings)
        assert (result.exit_code, said in result.output, "Traceback" in result.output) == (1, True, False), said
