"""Copies of the whole database, on SQLite and PostgreSQL: made, checked, restored, and the old ones removed."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel, select

import migrations
from app import create_app
from events.accounts import staff
from events.journal.invariants import check_invariants
from events.registration.actions import renew_link
from events.registration.erasure import erase
from events.registration.leaving import drop
from models.api_token import ApiToken
from models.db import open_engine, sqlite_module
from models.dispatch import Webhook, WebhookKind
from models.facts import opening_columns
from models.people import Account, Passkey, SetUpLink
from models.person import Person
from models.play import ForceList
from models.staff import Invitation, Role, Staff
from service import backups, restore
from service.backups import Backup, NoBackup
from service.commands.maintain import check
from service.health import last_check
from service.lock import InUse
from service.restore import Restored, others_in
from service.settings import Settings
from tests.kit.postgres import PostgresServer, client_programs
from tests.kit.stage import Clock, Event, Player, Stage
from tests.kit.statements import listening

DAY = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@dataclass
class Club:
    stage: Stage
    settings: Settings
    clock: Clock

    @property
    def folder(self) -> Path:
        return backups.folder_of(self.settings.data)

    def copy(self) -> Backup:
        self.stage.s.rollback()
        return backups.back_up(self.stage.engine, self.folder, "asked", self.clock())

    def close(self) -> None:
        """End the test's connections; the session makes a new one when it is used."""
        self.stage.s.close()
        self.stage.engine.dispose()

    def restore(self, path: Path) -> Restored:
        self.close()
        done = restore.restore(self.settings, path, self.clock)
        assert done.broken == []
        return done

    def generations(self) -> dict[str, int]:
        """The number of each player's private link."""
        return {player.name: player.link_generation for player in self.stage.all(Player)}


@pytest.fixture
def club(engine: Engine, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    stage = Stage(engine, clock)
    yield Club(stage, settings, clock)
    stage.s.close()


@pytest.mark.proves("G7", "F20")
@pytest.mark.both_databases
def test_restore_replaces_the_database_and_keeps_a_copy_of_it(club: Club, database_url: str) -> None:
    stage = club.stage
    event = stage.event(players=("Ada", "Bo"))
    backup = club.copy()
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    done = club.restore(backup.path)
    assert done.events == 1
    assert [player.name for player in stage.all(Player)] == ["Ada", "Bo"]
    event = stage.one(Event)
    assert event.state.value == "registration"
    assert "The whole service went back to its copy of 2026-11-21 09:00 UTC" in stage.journal(event)
    assert check_invariants(stage.s) == []

    assert done.before is not None
    club.restore(done.before)
    event = stage.one(Event)
    assert (event.state.value, stage.games(event, 1)[0].state.value) == ("in_progress", "confirmed")


@pytest.mark.both_at_length
def test_erasure_is_repeated_in_a_restored_copy(club: Club, database_url: str) -> None:
    stage = club.stage
    event = stage.event(players=("Ada Qzberg", "Bo", "Cy", "Di"))
    stage.play(event, 1)
    backup, ada = club.copy(), stage.one(Player, name="Ada Qzberg")
    stage.do(event, drop, ada)
    stage.do(event, erase, ada)
    number = ada.id
    club.restore(backup.path)
    assert stage.s.get_one(Player, number).name == f"Former player {number}"
    assert "Ada Qzberg" not in stage.journal(stage.one(Event))


@pytest.mark.proves("F20", "attack 93")
@pytest.mark.both_at_length
def test_old_links_and_cookies_are_invalid_after_a_restore(club: Club, database_url: str) -> None:
    stage = club.stage
    olga = stage.set_up("Olga")
    event = stage.event()
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.do(event, staff.invite, Role.JUDGE, olga)
    stage.set_up_link()
    with stage.changing(event) as s:
        s.add(Passkey(player_id=ada.id, credential="of a thief", public_key="x", handle="x", sign_count=0, name="x",
                      added_at=club.clock()))  # fmt: skip
    backup, was, before = club.copy(), olga.session_key, club.generations()
    for _ in range(3):
        stage.do(event, renew_link, ada)  # a link that was lost, and ended
    club.restore(backup.path)
    assert stage.one(Account).session_key != was, "a browser signed in before is signed out"
    assert stage.one(SetUpLink).used_at is not None
    assert staff.why_ended(stage.one(Invitation), club.clock()) == "This invitation was withdrawn."
    assert club.generations() == before | {"Ada": before["Ada"] + 3}, "the link that was ended stays ended"
    assert stage.all(Passkey) == [], "and so do its passkeys"


@pytest.mark.proves("F20", "attack 93")
@pytest.mark.both_at_length
def test_what_was_ended_since_the_copy_stays_ended(club: Club, database_url: str) -> None:
    stage = club.stage
    event = stage.event()
    olga, bob = stage.hire(event, "Olga", Role.OWNER), stage.hire(event, "Bob", Role.JUDGE)
    ada, bo = stage.enter(event, "Ada", "Bo")
    page = Person(name="Ada", made_at=club.clock())
    kept, ended = "keep-" * 12, "ended" * 12
    with stage.changing(event) as s:
        s.add(page)
        for name in (kept, ended):
            s.add(ApiToken(event_id=event.id, made_by=olga.id, name=name[:5], role=Role.OWNER, token_hash=name,
                           made_at=club.clock(), expires_at=club.clock() + timedelta(days=9)))  # fmt: skip
            s.add(Webhook(event_id=event.id, name=name[:5], kind=WebhookKind.SIGNED, address="https://a.example/",
                          secret=name, made_at=club.clock(), told=0))  # fmt: skip
        for player in (ada, bo):
            s.add(ForceList(player_id=player.id, saved_at=club.clock(), document={}, share_token=f"of {player.name}"))
    was, page_id, olga_id = page.secret, page.id, olga.id
    backup = club.copy()
    with stage.changing(event) as s:
        for row in (*s.exec(select(ApiToken)), *s.exec(select(Webhook))):
            row.ended_at = club.clock() if row.name == "ended" else None
        s.exec(select(ForceList).where(ForceList.player_id == ada.id)).one().share_token = None
        s.delete(s.exec(select(Staff).where(Staff.account_id == bob.id)).one())
        s.get_one(Person, page_id).secret = "renewed"
        s.get_one(Account, olga_id).password_hash = "of a new password"
    club.restore(backup.path)
    assert {row.name: row.ended_at is None for row in stage.all(ApiToken)} == {"keep-": True, "ended": False}
    assert {row.name: row.ended_at is None for row in stage.all(Webhook)} == {"keep-": True, "ended": False}
    assert {row.share_token for row in stage.all(ForceList)} == {None, "of Bo"}
    assert stage.one(Person).secret == "renewed" != was
    assert [row.role for row in stage.all(Staff)] == [Role.OWNER]
    assert stage.s.get_one(Account, olga_id).password_hash == "of a new password"


@pytest.mark.proves("attack 93")
def test_every_column_of_a_secret_says_what_a_restore_does_with_it() -> None:
    secret = re.compile(r"secret|token|_hash|password|credential|endpoint|spare_codes|^code$|^key$|session_key|^role$")
    named = {str(c) for table in SQLModel.metadata.sorted_tables for c in table.columns if secret.search(c.name)}
    assert named - {str(column) for column, _ in opening_columns()} == OPENS_NOTHING


OPENS_NOTHING = {
    "api_token.role", "invitation.role",  # opened by the token in the same row
    "change_set.role",  # of who made a change
    "player.secret",  # the link's generation is part of the link
    "kept_answer.key", "message.key", "account_mail.key",  # public, or marks of what was sent
    "game.code",  # the address of a sheet, which opens only what its reader may do anyway
}  # fmt: skip


@pytest.mark.proves("F20")
@pytest.mark.both_databases
def test_restore_is_refused_while_the_service_runs(club: Club, database_url: str) -> None:
    event = club.stage.event()
    backup = club.copy()
    club.stage.set(event, name="Later")
    club.close()
    service = create_app(club.settings, clock=club.clock, running=True)
    with pytest.raises(InUse, match=r"Overseer is running on this database. Stop it first"):
        club.restore(backup.path)
    with pytest.raises(InUse):
        restore.replaces(club.settings)  # before the command asks for confirmation
    assert service.test_client().get("/e/iron-open").status_code == 200
    assert club.stage.one(Event).name == "Later"
    service.extensions["overseer_engine"].dispose()
    assert club.restore(backup.path).events == 1, "the control: the same, with the service stopped"


@pytest.mark.proves("F20", "attack 53")
@pytest.mark.postgres
def test_service_does_not_start_after_an_interrupted_restore(club: Club) -> None:
    """The copy is in, and its old keys have not ended."""
    stage = club.stage
    olga = stage.set_up("Olga")
    ada, _ = stage.enter(stage.event(), "Ada", "Bo")
    backup, was, before = club.copy(), olga.session_key, club.generations()
    with stage.changing():
        ada.link_generation += 3

    def interrupt(connection: object, cursor: object, statement: str, *_: object) -> None:
        if "UPDATE organiser" in statement:
            raise KeyboardInterrupt

    with listening(Engine, "before_cursor_execute", interrupt), pytest.raises(KeyboardInterrupt):
        club.restore(backup.path)
    with pytest.raises(NoBackup, match="A restore was interrupted"):
        restore.refuse_unfinished(club.settings.data)
    club.restore(backup.path)
    restore.refuse_unfinished(club.settings.data)
    assert stage.one(Account).session_key != was
    assert club.generations() == before | {"Ada": before["Ada"] + 3}


@pytest.mark.proves("F20")
@pytest.mark.postgres
def test_failed_restore_changes_nothing(club: Club) -> None:
    club.stage.event()
    backup = club.copy()
    cut = backup.path.with_name("cut.pgdump")
    cut.write_bytes(backup.path.read_bytes()[:-200])
    with club.stage.unchanged():
        with pytest.raises(NoBackup, match="pg_restore"):
            club.restore(cut)
        restore.refuse_unfinished(club.settings.data)


@pytest.mark.proves("G6", "F21")
@pytest.mark.postgres
def test_damaged_postgres_is_replaced_by_the_copy_only_where_asked(club: Club, postgres_server: PostgresServer) -> None:
    club.stage.enter(club.stage.event(), "Ada", "Bo")
    backup, name = club.copy(), "damaged"
    club.close()
    url = make_url(club.settings.database_url)
    postgres_server.create(name, url.database or "")  # no page of a new database is in the server's memory
    damaged = replace(club, settings=replace(club.settings, database_url=postgres_server.url(name)))
    try:
        engine = open_engine(damaged.settings.database_url)
        with engine.connect() as opened:
            file = opened.execute(text("SELECT pg_relation_filepath('player')")).scalar_one()
        engine.dispose()
        with (postgres_server.folder / "data" / file).open("r+b") as data:
            data.write(b"no page " * 1024)
        with pytest.raises(NoBackup, match="Keep a copy of PostgreSQL’s own files, then run this again with --unsound"):
            damaged.restore(backup.path)
        done = restore.restore(damaged.settings, backup.path, club.clock, unsound=True)
        assert (done.events, done.broken, done.before) == (1, [], None)
    finally:
        postgres_server.drop(name)


def test_copy_is_private_and_complete_or_absent(club: Club, tmp_path: Path) -> None:
    first, second = club.copy(), club.copy()
    assert [backup.path for backup in backups.backups_in(club.folder)] == [second.path, first.path]
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    (tmp_path / "file").touch()
    for path, why in ((first.path, "exists already"), (tmp_path / "file" / "copy.sqlite3", "cannot be written")):
        with pytest.raises(NoBackup, match=why):
            backups.write_copy(club.stage.engine, path)
    assert sorted(club.folder.iterdir()) == [first.path, second.path]


def test_damaged_or_foreign_copy_is_refused_and_changes_nothing(club: Club, tmp_path: Path) -> None:
    club.stage.enter(club.stage.event(), "Ada", "Bo")
    data = club.copy().path.read_bytes()
    changed = tmp_path / "changed.sqlite3"
    changed.write_bytes(data)
    with closing(sqlite_module().connect(changed, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode=DELETE")
        copy.execute("UPDATE player SET name = 'Oda' WHERE name = 'Ada'")
    newer = data.replace(migrations.head().encode(), b"29991231".ljust(len(migrations.head()), b"x"))
    with club.stage.unchanged():
        for name, content, said in (
            ("none", None, "There is no file"),
            ("text", b"no database at all " * 500, "cannot be read: file is not a database"),
            ("cut", data[: len(data) // 2], "damaged|cannot be read"),
            ("changed", changed.read_bytes(), "the journal does not account for player"),
            ("newer", newer, "cannot be restored: Can't locate revision"),
            ("empty", b"", "not one of Overseer’s"),
            ("dump", b"PGDMP\1\16", "a copy of PostgreSQL, and DATABASE_URL names SQLite"),
        ):
            path = tmp_path / f"{name}.sqlite3"
            if content is not None:
                path.write_bytes(content)
            with pytest.raises(NoBackup) as refused:
                club.restore(path)
            assert re.search(said, str(refused.value)), (name, refused.value)
    assert [a_path.name for a_path in tmp_path.glob("**/*.restoring*")] == []


@pytest.mark.proves("G6", "F21")
def test_damaged_database_is_kept_and_replaced_by_the_copy(club: Club, sqlite_file: Path) -> None:
    club.stage.enter(club.stage.event(), "Ada", "Bo")
    backup, data = club.copy(), club.settings.data
    club.close()
    sqlite_file.write_bytes(b"no database at all " * 500)
    assert check(club.stage.engine, data) == last_check(data) != []
    done = club.restore(backup.path)
    assert last_check(data) == []
    assert done.before is not None
    assert done.before.read_bytes().startswith(b"no database")
    assert len(club.stage.all(Player)) == 2


@pytest.mark.proves("F21", "F25")
def test_renewed_link_stays_renewed_if_the_damaged_database_is_readable(club: Club, sqlite_file: Path) -> None:
    ada, _ = club.stage.enter(club.stage.event(), "Ada", "Bo")
    backup, before = club.copy(), club.generations()
    with club.stage.changing():
        ada.link_generation += 3
    with club.stage.engine.connect() as opened:
        opened.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        root = opened.exec_driver_sql("SELECT rootpage FROM sqlite_schema WHERE name = 'journal_entry'").scalar_one()
        size = opened.exec_driver_sql("PRAGMA page_size").scalar_one()
    club.close()
    with sqlite_file.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"no page " * (size // 8))
    club.restore(backup.path)
    assert club.generations() == before | {"Ada": before["Ada"] + 3}


STRANGE = {
    "sqlite": [
        "CREATE TRIGGER strange_press AFTER UPDATE ON organiser BEGIN UPDATE player SET name = 'Mallory'; END",
        "DROP TRIGGER change_set_remains",
        "CREATE TRIGGER change_set_remains BEFORE DELETE ON change_set BEGIN SELECT 1; END",
    ],
    "postgresql": [
        "CREATE FUNCTION strange() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN UPDATE player SET name = 'Mallory'; RETURN NEW; END $$",
        "CREATE TRIGGER strange_press AFTER UPDATE ON organiser FOR EACH ROW EXECUTE FUNCTION strange()",
        "CREATE OR REPLACE FUNCTION change_set_remains() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RETURN OLD; END $$",
    ],
}
OTHERS = ["column player.strange", "table strange", "trigger strange_press on organiser", "view strange_names"]


@pytest.mark.proves("F20")
@pytest.mark.both_databases
def test_restore_takes_only_the_tables_columns_and_triggers_of_its_version(club: Club, database_url: str) -> None:
    stage = club.stage
    olga, event = stage.set_up("Olga"), stage.event(players=("Ada", "Bo"))
    page = Person(name="Ada", made_at=club.clock())
    with stage.changing() as s:
        s.add(page)
    number, was, event_id = page.id, olga.session_key, event.id
    with stage.changing() as s:
        s.delete(s.get_one(Person, number))
    stage.s.rollback()
    with stage.engine.begin() as connection:
        for statement in (
            "CREATE TABLE strange (id INTEGER)", "ALTER TABLE player ADD COLUMN strange TEXT",
            "CREATE VIEW strange_names AS SELECT name FROM player", *STRANGE[connection.dialect.name],
        ):  # fmt: skip
            connection.exec_driver_sql(statement)
        assert others_in(connection) == OTHERS
    done = club.restore(club.copy().path)
    assert done.left == OTHERS
    with stage.engine.connect() as connection:
        assert "strange_press" not in " ".join(others_in(connection)) and inspect(connection).get_view_names() == []
        assert "strange" not in {column["name"] for column in inspect(connection).get_columns("player")}
    assert [player.name for player in stage.all(Player)] == ["Ada", "Bo"] and stage.one(Account).session_key != was
    with pytest.raises(DBAPIError, match="the journal is only ever added to"), stage.engine.begin() as connection:
        connection.exec_driver_sql(f"DELETE FROM change_set WHERE event_id = {event_id}")  # noqa: S608
    with stage.changing() as s:
        s.add(another := Person(name="Bo", made_at=club.clock()))
    assert another.id > number, "the number of a deleted page is not used again"


def test_old_automatic_copies_are_deleted(tmp_path: Path) -> None:
    def make(days: float, why: str) -> str:
        path = tmp_path / f"overseer-{DAY - timedelta(days=days):%Y%m%dT%H%M%S}Z-{why}.sqlite3"
        path.touch()
        return path.name

    automatic = [make(tenths / 144, "automatic") for tenths in range(144 * 20)]
    others = {make(40, "before-upgrade"), make(300, "asked")}
    make(61, "before-upgrade")
    (tmp_path / "mine.sqlite3").touch()
    backups.clear_away(tmp_path, DAY)
    left = {path.name for path in tmp_path.iterdir()}
    assert left >= {*automatic[:24], *others, "mine.sqlite3"}
    days = sorted({backup.at.date() for backup in backups.backups_in(tmp_path) if backup.why == "automatic"})
    assert days == [(DAY - timedelta(days=n)).date() for n in reversed(range(14))]
    assert len(left) == 24 + 13 + len(others) + 1
    assert backups.clear_away(tmp_path / "none", DAY) == []


def test_old_automatic_copies_go_by_age_except_the_newest_of_all(tmp_path: Path) -> None:
    """The Privacy page says so: few changes must not keep a deleted player's data in old copies."""
    old, newer = (backups.Backup(tmp_path / f"overseer-{(DAY - timedelta(days=days)):%Y%m%dT%H%M%S}Z-automatic.sqlite3",
                                 DAY - timedelta(days=days), "automatic") for days in (101, 70))  # fmt: skip
    for backup in (old, newer):
        backup.path.touch()
    assert backups.clear_away(tmp_path, DAY, damaged=True) == []
    assert backups.clear_away(tmp_path, DAY) == [old]
    (tmp_path / f"overseer-{DAY:%Y%m%dT%H%M%S}Z-asked.sqlite3").touch()
    assert backups.clear_away(tmp_path, DAY) == [newer]
