"""The commands that serve, link, migrate and send mail: what they print, send and refuse."""

import os
import pty
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from alembic.command import downgrade
from sqlmodel import Session, select

import migrations
from app import create_app
from events.accounts import actions as accounts_actions
from events.accounts import second_factor
from events.messages.permits import count_by
from models.db import open_engine, write
from models.dispatch import Dispatch, DispatchKind, DispatchState
from models.people import Account, Passkey, SetUpLink
from service import gunicorn_settings
from service.backups import backups_in, folder_of
from service.settings import Settings, address_in_network
from tests.browser.server import (
    OVERSEER,
    children_of,
    environment,
    free_port,
    maintenance_of,
    serving,
    wait_until_healthy,
)
from tests.kit.mail_server import SECONDS, Mailbox, dripping, mailbox
from tests.kit.stage import Clock, Stage
from tests.kit.writing import give_mail, write_to
from tests.service.conftest import Shell, opened


def test_new_set_up_link_is_printed_and_ends_the_previous_one(shell: Shell, data: Path) -> None:
    links = [shell("set-up-link", PORT="8123").output.strip() for _ in range(2)]
    assert all(re.fullmatch(r"http://127\.0\.0\.1:8123/set-up/[\w-]{32}", link) for link in links)
    settings = Settings(data, f"sqlite:///{data / 'overseer.sqlite3'}", "x" * 40, "127.0.0.1", 8123)
    app = create_app(settings)
    statuses = [app.test_client().get(link.partition(":8123")[2]).status_code for link in links]
    app.extensions["overseer_engine"].dispose()
    assert statuses == [404, 302]


def test_migrate_creates_a_missing_database(shell: Shell, tmp_path: Path) -> None:
    result = shell("migrate", OVERSEER_DATA=str(tmp_path / "new"))
    assert (result.exit_code, f"is up to date ({migrations.head()})" in result.output) == (0, True)
    assert (tmp_path / "new" / "overseer.sqlite3").exists()
    assert shell("migrate", OVERSEER_DATA=str(tmp_path / "new")).exit_code == 0


def test_migrate_names_the_versions_and_the_copy(shell: Shell, data: Path) -> None:
    assert "upgraded" not in shell("migrate").output
    with opened(data) as engine, engine.connect() as connection:
        downgrade(migrations.alembic_config(connection), "-1")
        connection.commit()
        older = migrations.revision_of(connection)
    done = shell("migrate")
    (copy,) = (data / "backups").iterdir()
    upgraded = f"The database was upgraded from {older} to {migrations.head()}. The copy from before: {copy}\n"
    assert (done.exit_code, done.stderr) == (0, upgraded)


@pytest.mark.proves("F18")
def test_unusable_address_is_reported_before_anything_changes(shell: Shell, data: Path) -> None:
    (data / "overseer.sqlite3").unlink()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        used = shell("serve", PORT=port)
    elsewhere = shell("serve", HOST="192.0.2.77")
    for done, words, advice in (
        (used, f"Cannot listen on 127.0.0.1:{port}", "If Overseer is already running, stop it."),
        (elsewhere, "Cannot listen on 192.0.2.77:", "Set HOST to an address of this machine, or to 0.0.0.0 for all"),
    ):
        assert (done.exit_code, words in done.output, advice in done.output) == (1, True, True), done.output
    assert not (data / "overseer.sqlite3").exists(), "an older server that still serves finds its database as it was"


@pytest.mark.postgres
def test_serve_warns_about_postgresql_without_a_shared_secret(database_url: str, shell: Shell) -> None:
    # It warns before it finds that this is no address of this machine.
    for shared, warned in ((None, True), ("one secret that both hosts were given", False)):
        said = shell("serve", DATABASE_URL=database_url, OVERSEER_SECRET=shared, PORT="1", HOST="192.0.2.77").output
        assert ("Cannot listen" in said, "OVERSEER_SECRET is not set" in said) == (True, warned)


@pytest.mark.postgres
def test_database_is_migrated_without_a_copy_only_on_request(
    database_url: str, shell: Shell, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(database_url)
    with engine.connect() as connection:
        downgrade(migrations.alembic_config(connection), "-1")
        connection.commit()
        older = migrations.revision_of(connection)
    engine.dispose()
    monkeypatch.setenv("PATH", "")
    settings = {"DATABASE_URL": database_url, "OVERSEER_SECRET": "one secret that both hosts were given"}
    for words in (("migrate",), ("serve",)):
        refused = shell(*words, **settings, PORT=str(free_port()))
        assert refused.exit_code == 1 and "Traceback" not in refused.output
        (line,) = (line for line in refused.output.splitlines() if line.startswith("Error: "))
        assert "pg_dump is not installed" in line and "overseer migrate --without-copy" in line
    with engine.connect() as connection:
        assert migrations.revision_of(connection) == older
    assert shell("migrate", "--without-copy", **settings).exit_code == 0
    with engine.connect() as connection:
        assert migrations.is_at_head(connection)
    engine.dispose()
    assert backups_in(folder_of(data)) == []


def test_connections_outlive_the_pause_between_two_polls() -> None:
    script = (Path(__file__).parents[2] / "events" / "web" / "static" / "overseer.js").read_text()
    (longest,) = re.findall(r"const LIVE_EVERY = \[\d+, (\d+)\]", script)
    assert int(longest) / 1000 * 3 < gunicorn_settings.keepalive


@pytest.mark.proves("ASVS 6.4.3")
def test_commands_make_password_links_and_turn_second_factors_off(shell: Shell, data: Path) -> None:
    now = datetime.now(UTC)
    with opened(data) as engine, Session(engine, expire_on_commit=False) as session, write(session, now) as s:
        olga = accounts_actions.make_account(s, "Olga", "three old lamps", now)
        key = second_factor.key_from("kJ3-xW9_qL2vT7mR5pZ8cN4bH6sD1fG0yQ-aU_eIo")
        second_factor.turn_on(s, olga, second_factor.new_secret(), 1, key)
        s.add(
            Passkey(
                account_id=olga.id, credential="x", public_key="x", handle="x", sign_count=0, name="x", added_at=now
            )
        )
    link = shell("password-link", "ｏLGA", PORT="8123").output.strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:8123/set-up/[\w-]{32}", link)
    assert shell("second-factor-off", "ｏlga").output.strip() == "Olga signs in by name and password alone."
    with opened(data) as engine, Session(engine) as session:
        assert session.exec(select(Passkey)).all() == []
        assert session.exec(select(SetUpLink)).one().account_id == olga.id
        found = session.exec(select(Account)).one()
        assert (found.totp_secret, found.spare_codes, found.password_hash) == ("", "", olga.password_hash)
    assert shell("second-factor-off", "Olga").output.strip() == "Olga had no second factor."
    for command in ("password-link", "second-factor-off"):
        nobody = shell(command, "Petra")
        assert (nobody.exit_code, "There is no account with this name." in nobody.output) == (1, True), command


@pytest.mark.slow
@pytest.mark.proves("attack 61")
def test_terminal_shows_the_set_up_link_and_the_address_for_phones(shell: Shell, data: Path) -> None:
    port, (ours, theirs) = free_port(), pty.openpty()
    process = subprocess.Popen(
        [*OVERSEER, "serve"], env=environment(data, port) | {"HOST": "0.0.0.0"}, text=True,  # noqa: S104
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    printed = ""
    try:
        while "To stop it" not in printed:
            printed += os.read(ours, 4096).decode()
        assert re.search(rf"Set-up link +http://[\d.]+:{port}/set-up/[\w-]{{32}} ", printed)
        assert not (data / "set-up-link").exists()
        found = address_in_network()
        assert (f"Phones in this network   http://{found}:{port}\r\n" in printed) == bool(found)
        assert "  Without https    pages do not work offline, and closed phones get no notices\r\n" in printed
        assert stat.S_IMODE((data / "address").stat().st_mode) == 0o600
        for given, known in (({}, port), ({"PORT": "8123"}, 8123)):
            assert shell("set-up-link", **given).output.startswith(f"http://127.0.0.1:{known}/set-up/")
    finally:
        process.terminate()
        said = process.communicate(timeout=20)[1]
        os.close(ours)
    assert '{"level"' not in said, "the proxy warns of nothing that is as it should be"


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.proves("attack 61", "ASVS 16.2.5")
def test_set_up_link_is_written_to_a_private_file_without_a_terminal(data: Path) -> None:
    """What is no terminal may be the system's log."""
    file, said = data / "set-up-link", data / "said.txt"
    with serving(data) as server:
        printed = said.read_text()
        link = file.read_text().strip()
        assert link == server.set_up_link
        assert link.startswith(f"{server.address}/set-up/")
        assert "/set-up/" not in printed and link.rpartition("/")[2] not in printed
        assert f"in {file}   (readable by you only" in printed
        assert "nother Overseer" not in printed and "The secret is not the one" not in printed
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = browser.open(link, timeout=10).read().decode()
        assert file.exists(), "opening the link does not use it"
        form = {"csrf_token": re.findall(r'name="csrf_token"[^>]*value="([^"]+)"', page)[0], "name": "Olga",
                "password": "three old lamps"}  # fmt: skip
        browser.open(f"{server.address}/set-up", urllib.parse.urlencode(form).encode(), timeout=30).close()
        assert not file.exists(), "the link is used"
        answers_odd_requests_as_the_tests_expect(server.address)
        second_start_is_refused(data)
        file.write_text("a link of an earlier start")
        with serving(data, "--insist", OVERSEER_SECRET="of enough, different characters: 32"):
            assert file.exists(), "files of the first service stay"
            assert (data / "address").read_text() == f"{server.address}\n"
            assert "overseer password-link NAME" in said.read_text(), "there is an organiser: no link is made"
            assert "WARNING: another Overseer serves this database. Stop one of the two." in said.read_text()
            assert "WARNING: The secret is not the one that this database was used with." in said.read_text()


def second_start_is_refused(data: Path) -> None:
    """It changes nothing, and one line says what to do."""
    before = stored(data)
    done = subprocess.run(
        [*OVERSEER, "serve"], env=environment(data, free_port()), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == (
        f"Error: Another Overseer serves the database in {data}. Stop it first, or start a second by "
        "`overseer serve --insist`."
    )
    assert before == stored(data)


def stored(data: Path) -> tuple[str, list[str]]:
    """The stored address and the database's rows. Its file changes when the first service empties the log."""
    with closing(sqlite3.connect(data / "overseer.sqlite3")) as connection:
        return (data / "address").read_text(), list(connection.iterdump())


@pytest.mark.sweep
@pytest.mark.slow
def test_second_service_leaves_the_first_its_set_up_link_and_a_killed_one_blocks_nobody(data: Path) -> None:
    link = data / "set-up-link"
    with serving(data) as first:
        second_start_is_refused(data)
        with serving(data, "--insist"):
            opened_ = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(first.set_up_link)
            with opened_ as page:
                assert (page.status, page.url) == (200, f"{first.address}/set-up")
        assert link.read_text().strip() == first.set_up_link
        children = children_of(first.process)
        for child in children:
            os.kill(child, signal.SIGSTOP)  # as if they hung
        os.kill(first.process, signal.SIGKILL)
        try:
            with serving(data) as next_:
                assert link.read_text().strip() == next_.set_up_link != first.set_up_link
        finally:
            for child in children:
                os.kill(child, signal.SIGKILL)


def answers_odd_requests_as_the_tests_expect(address: str) -> None:
    for path, status in (("/", 200), ("/healthz", 200), ("/e/x%00", 404), (f"/e/x/rounds/{'9' * 3900}", 404),
                         ("/static/overseer.css", 200), ("/static/../../app.py", 404)):  # fmt: skip
        try:
            answer = urllib.request.urlopen(address + path, timeout=10)  # noqa: S310 - our own server
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            assert answer.status == status, path
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert b"Traceback" not in answer.read()


WELL = (
    " UTC.\nOverdue games: 0.\nPlayers' data: 0 deleted, 0 left.\nEvents: 0 made.\n"
    "Notices: 0 pushed.\nNotices: 0 mailed.\n"
)
NONE_FAILED = "sent, 0 to be retried, 0 failed.\n"


@pytest.fixture
def queue(data: Path) -> Iterator[Stage]:
    with opened(data) as engine:
        count_by(engine, "another secret than the service's own")
        stage = Stage(engine, Clock(datetime.now(UTC)))
        event = stage.event()
        give_mail(stage, event, *stage.enter(event, "Ada"))
        write_to(stage, event, "Hello {name}")
        yield stage
        stage.s.close()


def test_once_sends_due_mails_and_reports_them(shell: Shell, queue: Stage, box: Mailbox) -> None:
    assert "Mail" not in shell("maintain", "once").output, "mails wait without a mail server"
    assert shell("maintain", "once", **box.environment()).output.endswith(f"{WELL}Mail: 1 {NONE_FAILED}")
    assert box.arrived[0].get_content().startswith("Hello Ada")
    assert shell("maintain", "once", **box.environment()).output.endswith(f"{WELL}Mail: 0 {NONE_FAILED}")


def test_once_deletes_all_personal_data_that_is_due(shell: Shell, data: Path) -> None:
    with opened(data) as engine:
        stage = Stage(engine, Clock(datetime.now(UTC)))
        event, past = stage.event(), date(2020, 1, 1)
        stage.enter(event, "Zyx One", "Zyx Two", "Zyx Three")
        stage.set(event, starts_on=past, ends_on=past, delete_after=1)
        stage.s.close()
        assert "\nPlayers' data: 3 deleted, 0 left.\n" in shell("maintain", "once").output
        files = [path for path in data.iterdir() if path.is_file()]
        assert not [path.name for path in files if b"zyx" in path.read_bytes().lower()], (
            "the copies have their own rule"
        )


def test_unreachable_mail_server_fails_the_command(shell: Shell, queue: Stage) -> None:
    with mailbox() as closed:
        pass
    result = shell("maintain", "once", **closed.environment())
    assert result.exit_code == 1
    assert "Error: the mail server cannot be reached" in result.output
    assert "The remaining mails stay in the queue." in result.output
    assert queue.one(Dispatch, kind=DispatchKind.MESSAGE).state == DispatchState.QUEUED


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.proves("F23")
def test_worker_killed_before_storing_the_answer_sends_no_second_mail(
    shell: Shell, queue: Stage, box: Mailbox, data: Path
) -> None:
    worker = subprocess.Popen(
        [*OVERSEER, "maintain", "once"], env=environment(data, 8000) | box.environment(), stdout=subprocess.DEVNULL
    )

    def kill(mail: EmailMessage) -> str:
        worker.kill()
        worker.wait(SECONDS)
        return "250 taken"  # to nobody

    box.data = kill
    box.wait_for(1)
    box.data = lambda mail: "250 taken"
    assert queue.one(Dispatch, kind=DispatchKind.MESSAGE).state == DispatchState.SENDING
    once = shell("maintain", "once", **box.environment())
    assert once.output.endswith(f"Mail: 0 {NONE_FAILED}"), "it may be under way elsewhere"
    with queue.changing() as s:
        row = s.get_one(Dispatch, queue.one(Dispatch, kind=DispatchKind.MESSAGE).id)
        assert row.tried_at
        row.tried_at -= timedelta(minutes=11)
    assert shell("maintain", "once", **box.environment()).output.endswith("0 failed, 1 may have been sent.\n")
    assert (len(box.arrived), queue.one(Dispatch, kind=DispatchKind.MESSAGE).state) == (1, DispatchState.UNSURE)


@pytest.mark.slow
def test_serve_sends_mails_in_one_process(queue: Stage, box: Mailbox, data: Path) -> None:
    with serving(data, **box.environment()) as server:
        box.wait_for(1)
        assert len(maintenance_of(server.process)) == 1
        assert "Mail             by 127.0.0.1" in (data / "said.txt").read_text()


@pytest.mark.slow
@pytest.mark.proves("attack 106")
@pytest.mark.parametrize(("signals", "within"), [((signal.SIGTERM,), 10.0), ((signal.SIGINT, signal.SIGINT), 2.0)])
def test_stopping_has_an_end_while_a_mail_server_drips(
    queue: Stage, box: Mailbox, data: Path, signals: tuple[signal.Signals, ...], within: float
) -> None:
    """A terminal sends SIGINT to the whole process group; a second one ends all at once."""
    settings, said = environment(data, port := free_port()), data / "said.txt"
    with dripping() as slow, said.open("w") as out:
        settings |= box.environment(OVERSEER_SMTP=f"smtp://127.0.0.1:{slow.port}")
        process = subprocess.Popen([*OVERSEER, "serve"], env=settings, stdout=out, stderr=out, process_group=0)
        try:
            wait_until_healthy(process, f"http://127.0.0.1:{port}", said)
            assert slow.met.wait(SECONDS)
            group = [process.pid, *children_of(process.pid)]
            for number in signals:
                time.sleep(0.5)
                os.killpg(process.pid, number)
            began = time.monotonic()
            process.wait(within)
            while any(is_running(each) for each in group):
                assert time.monotonic() - began < within
                time.sleep(0.05)
        finally:
            process.kill()
            process.wait()
    assert "Traceback" not in said.read_text()
    state = DispatchState.QUEUED if signals == (signal.SIGTERM,) else DispatchState.SENDING
    assert queue.one(Dispatch, kind=DispatchKind.MESSAGE).state == state, "put off, unless there was no time for it"


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
