"""Each release's databases, archives and draws work with this version: nothing shown differs, every journal replays.

``tests/releases/make.py`` made the data with the release's own code.
"""

import json
import lzma
import os
import shutil
import subprocess
import sys
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, text
from sqlmodel import Session, col, select

import migrations
from app import attach_database
from events.journal.replay import replay
from events.standings.queries import standings_of
from events.store.tournaments import load
from events.tournament.pairing.certificate import read_pairings
from events.tournament.pairing.redraw import redrawn
from models.db import open_engine
from models.event import Event
from models.journal import ChangeSet
from models.people import Account
from service import restore
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.archives import taken_in, with_checksum
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.postgres import client_programs
from tests.kit.profiles import full_run
from tests.kit.stage import Stage
from tests.releases.fill import empty_tables, fill
from tests.releases.make import DATA, as_bytes, draws, revisions
from tests.releases.shown import shown

RELEASES = sorted(path.name for path in DATA.iterdir())
each_release = pytest.mark.parametrize("release", RELEASES)
oldest_release = pytest.mark.parametrize("release", full_run(RELEASES, (), RELEASES[:1]))
newest_release = pytest.mark.parametrize("release", full_run(RELEASES, RELEASES[-1:]))
YEAR = {"days": 365}
PUBLIC = ("", "/standings", "/rounds/1", "/lists")
DESK = ("", "/settings", "/settings/rounds", "/restrictions", "/journal", "/ways-back", "/undo")


def unpacked(release: str, name: str) -> bytes:
    return lzma.decompress((DATA / release / f"{name}.xz").read_bytes())


@cache
def by_event(release: str, name: str) -> dict[str, Any]:
    """The documents of this name, by the slug of their event."""
    found: dict[str, Any] = json.loads(unpacked(release, f"{name}.json"))
    return found


def database_of(release: str, folder: Path) -> Engine:
    path = folder / "overseer.sqlite3"
    path.write_bytes(unpacked(release, "sqlite3"))
    return open_engine(f"sqlite:///{path}")


def differences(s: Session, release: str, kind: str) -> list[str]:
    """What events show otherwise than in the release, or what their journals do not replay."""
    found = []
    for slug, expected in by_event(release, f"{kind}.shown").items():
        event = s.exec(select(Event).where(Event.slug == slug)).one()
        now = json.loads(as_bytes(shown(s, event)))
        now["journal"] = now["journal"][: len(expected["journal"])]
        if event.season and event.season.kind == "ladder":  # it is ranked by the ladder alone, without figures
            for rows in expected["standings"].values():
                rows[:] = [[*row[:-1], []] for row in rows]
        found += [f"{slug}: {part}" for part in expected if now[part] != expected[part]]
        if replay(s, event).difference is not None:
            found.append(f"{slug}: replay")
    return found


@each_release
def test_each_table_of_a_release_has_a_row(release: str, tmp_path: Path) -> None:
    """Otherwise a migration of the table would be tested without rows."""
    engine = database_of(release, tmp_path)
    with engine.connect() as connection:
        assert empty_tables(connection) == []
        connection.execute(text("DELETE FROM notice_off"))
        assert empty_tables(connection) == ["notice_off"], "the control"
    engine.dispose()


@pytest.mark.long
def test_data_of_the_next_release_can_be_made(stage: Stage) -> None:
    fill(stage)
    assert not empty_tables(stage.s.connection()), empty_tables(stage.s.connection())


@pytest.mark.proves("F18", "F20", "attack 98")
@pytest.mark.both_databases
@newest_release
def test_backup_of_a_release_is_restored_and_upgraded(
    release: str, engine: Engine, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    kind = "sqlite3" if engine.dialect.name == "sqlite" else "pgdump"
    copy = settings.data / f"copy.{kind}"
    copy.write_bytes(unpacked(release, kind))
    clock.advance(**YEAR)
    done = restore.restore(settings, copy, clock)
    assert (done.events, done.broken) == (len(by_event(release, "archives")), [])
    with Session(engine) as s:
        assert differences(s, release, kind) == []


@pytest.mark.slow
@newest_release
def test_pages_of_an_upgraded_database_open(
    release: str, app: Flask, settings: Settings, clock: Clock, tmp_path: Path
) -> None:
    engine = database_of(release, tmp_path)
    migrations.upgrade(engine)
    clock.advance(**YEAR)
    attach_database(app, replace(settings, database_url=str(engine.url)), engine, clock)
    with Session(engine) as s:
        olga = s.exec(select(Account).where(Account.name == "Olga")).one()
        sets = {slug: writes_of(s, slug) for slug in by_event(release, "archives")}
    desk, visitor = let_in(app, olga), Person(app)
    broken = [
        address
        for slug, numbers in sets.items()
        for person, base, ways in (
            (visitor, f"/e/{slug}", PUBLIC),
            (desk, f"/e/{slug}/desk", (*DESK, *(f"/journal/{number}" for number in numbers))),
        )
        for address in (f"{base}{way}" for way in ways)
        if person.ask("GET", address).status_code >= 500
    ]
    engine.dispose()
    assert broken == []


def writes_of(s: Session, slug: str) -> list[int]:
    """Two writes of an event, whose rows the journal shows as they were then."""
    event = s.exec(select(Event).where(Event.slug == slug)).one()
    found = s.exec(select(ChangeSet.id).where(ChangeSet.event_id == event.id).order_by(col(ChangeSet.id))).all()
    return [found[0], found[len(found) // 2]]


@pytest.mark.proves("F18")
@oldest_release
def test_archives_of_a_release_are_imported(release: str, session: Session, clock: Clock) -> None:
    clock.advance(**YEAR)
    changed = []
    for slug, document in by_event(release, "archives").items():
        event = taken_in(session, as_bytes(document), clock())
        published = [as_now(file) for file in by_event(release, "draws")[slug]]
        changed += [] if [as_now(file) for file in draws(session, event)] == published else [slug]
    assert changed == [], "the files of rounds stay"
    assert differences(session, release, "sqlite3") == []


def test_archive_for_publication_of_a_release_is_imported(session: Session, clock: Clock) -> None:
    """Its games have no codes, and its key and signature are ignored."""
    document = deepcopy(by_event("0.4.0", "archives")["all-kinds"])
    for game in document["tables"]["game"]:
        game["code"] = ""
    signature = {"address": "https://club.example", "key": "k", "signature": "s"}
    clock.advance(**YEAR)
    event = taken_in(session, with_checksum(document | {"level": "publication", "signature": signature}), clock())
    codes = [game.code for view in load(event).views for game in view.games]
    assert len(codes) > 2 and "" not in codes and len({*codes}) == len(codes)


def as_now(draw: dict[str, Any]) -> list[Any]:
    """What a round's file says of the draw, read as this version reads it, without words."""
    pairs = [[pair["a"], pair["b"], pair["table"], pair["scenario"]] for pair in draw["output"]["pairs"]]
    return [read_pairings(as_bytes(draw)).inputs, draw["round"], draw["seed"], draw["output"]["bye"], pairs]


ITEMS = [{"id": "i2", "text": "Banner", "points": 4}]


@pytest.mark.parametrize("items", [{}, {"items": ITEMS}], ids=["usual", "own"])
@pytest.mark.parametrize(("judged", "kept"), [("list", "off"), ("both", "vote")])
def test_points_of_the_painting_checklist_are_figures_of_the_staff(
    session: Session, clock: Clock, judged: str, kept: str, items: dict[str, Any]
) -> None:
    """Ada is judged, and has two votes; Bo has one; Cy is judged, and has a figure of the staff."""
    document = deepcopy(by_event("0.4.0", "archives")["all-kinds"])
    (event,), tables = document["tables"]["event"], document["tables"]
    rules = {name: value for name, value in event["soft_rules"].items() if name != "items"} | items
    event["soft_rules"] = rules | {"painting": judged, "painting_counts": "points"}
    cy = next(player for player in tables["player"] if player["name"] == "Cy")
    cy |= {"painting": 9, "painting_by_hand": True}
    tables["painting_mark"].append(tables["painting_mark"][0] | {"id": 2, "player_id": cy["id"]})
    clock.advance(**YEAR)
    taken = taken_in(session, with_checksum(document), clock())
    points = {row[1]: row[2] for row in by_event("0.4.0", "sqlite3.shown")["all-kinds"]["standings"]["1"]}
    now = {row.name: row.points for row in standings_of(taken).of_players(1)}
    assert now == points | {"Ada": points["Ada"] + (4 if items else 5), "Cy": points["Cy"] + 9}
    assert taken.soft_rules.painting == kept


SEASON = {"days": 14, "best": None, "kind": "rounds", "above": 2, "answer_days": 7}


@pytest.mark.parametrize(("painted", "state"), [(False, "checked_in"), (True, "registered")])
def test_players_of_a_season_that_has_not_begun_need_no_check_in(
    session: Session, clock: Clock, painted: bool, state: str
) -> None:
    document = deepcopy(by_event("0.4.0", "archives")["own-edition"])
    (event,), players = document["tables"]["event"], document["tables"]["player"]
    event |= {"season": SEASON, "restrictions": {"painted": painted}}
    for player in players:
        player["state"] = "registered"
    clock.advance(**YEAR)
    taken = taken_in(session, with_checksum(document), clock())
    assert {player.state.value for player in taken.players} == {state}


REWRITING = """
from alembic import op
revision, down_revision = "99991231_rewriting", "{head}"

def upgrade():
    op.execute("UPDATE event SET place = 'Moved from ' || place, journal_from = NULL")
    op.execute("UPDATE game SET notes = '[{{\\"kind\\": \\"other\\", \\"text\\": \\"rewritten\\"}}]'")
    op.execute("INSERT INTO announcement (event_id, text, \\"by\\", at) SELECT id, bring, 'x', created_at FROM event")
"""
READ = """
import sys
from pathlib import Path
from events.setup.archive_file import read_archive
rows = read_archive(Path(sys.argv[1]).read_bytes()).rows
notes = [game["notes"] for game in rows["game"]]
rewritten = [{"kind": "other", "text": "rewritten"}]
print(rows["event"][0]["place"], notes == [rewritten] * len(notes), rows["announcement"][-1]["text"][:5])
"""


@pytest.mark.slow
@pytest.mark.proves("F18")
def test_migration_rewrites_the_rows_of_an_older_archive(tmp_path: Path) -> None:
    """The product of the test has one more migration."""
    shutil.copytree(migrations.FOLDER, tmp_path / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    later = tmp_path / "migrations" / "versions" / "99991231_rewriting.py"
    later.write_text(REWRITING.format(head=migrations.head()))
    archive = tmp_path / "archive.json"
    archive.write_bytes(as_bytes(by_event(RELEASES[0], "archives")["all-kinds"]))
    command = [sys.executable, "-c", READ, str(archive)]
    environment = {**os.environ, "PYTHONPATH": str(migrations.FOLDER.parent)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("Moved from Town Hall True Dice.\n", "")


@each_release
def test_draws_of_a_release_are_verified(release: str) -> None:
    for slug, documents in by_event(release, "draws").items():
        files = [read_pairings(as_bytes(document)) for document in documents]
        assert [check.differences for file in files if not (check := redrawn(file)).equal] == [], slug
    assert sum(map(len, by_event(release, "draws").values())) > 10


@each_release
def test_released_migrations_are_never_changed(release: str) -> None:
    """A database of the release is at its last revision, and an archive may be at any."""
    kept = json.loads((DATA / release / "revisions.json").read_bytes())
    now = revisions()
    assert list(now)[: len(kept)] == list(kept), "migrations up to a release are never squashed or reordered"
    assert [one for one in kept if now[one] != kept[one]] == [], "a released migration is never edited"
