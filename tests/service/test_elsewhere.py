"""Copies on another disk or in a bucket, by the real program restic: sent, read back, and restored on a new machine."""

import lzma
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from service.backups import backups_in, folder_of
from service.elsewhere import look_after_elsewhere
from service.health import Elsewhere, copies_elsewhere, keep_elsewhere
from service.settings import BadSetting, Settings, read_settings
from tests.kit.person import Person
from tests.kit.profiles import full_run
from tests.kit.promises import ROOT
from tests.kit.stage import Clock
from tests.service.conftest import Shell

PASSWORD = "twelve letters at least"
Club = Callable[[str], dict[str, str]]
"""The fixture ``club``."""


@pytest.fixture
def club(shell: Shell, data: Path) -> Club:
    """A club with an event and a secret, whose copies go to this place; returns the settings of its environment."""
    assert shell("demo", "--players", "4", "--rounds", "1").exit_code == 0
    read_settings({"OVERSEER_DATA": str(data)})  # makes the secret

    def send_to(place: str) -> dict[str, str]:
        return {"OVERSEER_BACKUP_TO": place, "OVERSEER_BACKUP_PASSWORD": PASSWORD}

    return send_to


def settings_of(data: Path, more: dict[str, str]) -> Settings:
    return read_settings({"OVERSEER_DATA": str(data)} | more)


def stands_on_a_new_machine(shell: Shell, data: Path, new: Path, more: dict[str, str]) -> None:
    """The two commands of the operator's guide, in an empty data folder."""
    done = shell("restore", "elsewhere", "--yes", OVERSEER_DATA=str(new), **more)
    assert (done.exit_code, "1 event." in done.output) == (0, True), done.output
    assert {file.stat().st_uid for file in new.rglob("*")} == {os.geteuid()}, "the user who restores owns the files"
    assert "OK: 1 event, every check passed" in shell("doctor", OVERSEER_DATA=str(new)).output
    assert (new / "secret").read_text() == (data / "secret").read_text(), "private links are signed by it"


@pytest.mark.proves("attack 98")
@pytest.mark.slow
def test_copy_is_sent_read_back_and_restored_on_a_new_machine(
    shell: Shell, data: Path, club: Club, tmp_path: Path
) -> None:
    more = club(str(tmp_path / "usb"))
    assert "Elsewhere: none sent yet, none read back yet." in shell("backup", "--list", **more).output
    assert shell("backup").exit_code == 0
    if os.geteuid() == 0:  # as on a server, whose service has a user of its own
        for file in (data / "secret", *folder_of(data).iterdir()):
            os.chown(file, 12345, 12345)
    done = shell("maintain", "once", **more)
    assert "Copies elsewhere: sent 20" in done.output and "read back 20" in done.output, done.output
    assert not list(data.glob("read-back-*")), "what was fetched is deleted"
    stored = b"".join(file.read_bytes() for file in (tmp_path / "usb").rglob("*") if file.is_file())
    assert (data / "secret").read_bytes() not in stored and b"SQLite format 3" not in stored, "encrypted"
    stands_on_a_new_machine(shell, data, tmp_path / "new machine", more)


@pytest.mark.sweep
@pytest.mark.slow
def test_newer_copies_are_sent_and_a_damaged_place_is_found(
    shell: Shell, data: Path, club: Club, tmp_path: Path, clock: Clock
) -> None:
    settings = settings_of(data, club(str(tmp_path / "usb")))
    assert look_after_elsewhere(settings, clock()) == Elsewhere(settings.backup_to), "nothing was copied yet"
    assert shell("backup").exit_code == 0
    first = look_after_elsewhere(settings, clock())
    assert first.sent and first.read_back == clock() and first.fault == ""
    clock.advance(days=6)
    assert look_after_elsewhere(settings, clock()) == replace(first, tried=clock()), "the week is not over"
    for pack in (tmp_path / "usb" / "data").rglob("*"):
        if pack.is_file():
            pack.chmod(0o600)
            pack.write_bytes(pack.read_bytes()[:-200] + b"\0" * 200)
    clock.advance(days=1)
    broken = look_after_elsewhere(settings, clock())
    assert (broken.read_back, "restic" in broken.fault) == (first.read_back, True)
    clock.advance(minutes=1)
    assert look_after_elsewhere(settings, clock()) == replace(broken, tried=clock()), "it is tried again"
    assert "Restored" in shell("restore", "newest", "--yes").output, "the copies here are well"


@pytest.mark.sweep
@pytest.mark.slow
def test_another_place_and_an_emptied_one_get_the_copy_too(
    shell: Shell, data: Path, club: Club, tmp_path: Path, clock: Clock
) -> None:
    first, second = club(str(tmp_path / "first")), club(str(tmp_path / "second"))
    assert "read back 20" in shell("maintain", "once", **first).output
    assert "none sent yet, none read back yet." in shell("backup", "--list", **second).output
    assert "read back 20" in shell("maintain", "once", **second).output
    assert (tmp_path / "second" / "config").is_file()
    shutil.rmtree(tmp_path / "second")
    assert "read back 20" in shell("maintain", "once", **second).output
    assert (tmp_path / "second" / "config").is_file(), "a command looks at once"
    settings, before = settings_of(data, second), copies_elsewhere(data, second["OVERSEER_BACKUP_TO"])
    for file in (tmp_path / "second" / "snapshots").iterdir():
        file.unlink()
    clock.advance(days=1)
    after = look_after_elsewhere(settings, clock())
    assert (after.sent, after.read_back, after.fault) == (before.sent, clock(), ""), "the service looks once a day"
    assert list((tmp_path / "second" / "snapshots").iterdir())


@pytest.mark.sweep
@pytest.mark.slow
def test_fault_ends_with_the_setting_that_is_mended(shell: Shell, data: Path, club: Club, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    wrong, right = (club(str(tmp_path / name)) for name in ("file/below", "usb"))
    assert "restic" in shell("maintain", "once", **wrong).output
    assert "restic" in shell("backup", "--list", **wrong).output
    assert "restic" not in shell("backup", "--list", **right).output, "it was of another place"
    assert shell("maintain", "once", **wrong).exit_code == 1
    (tmp_path / "file").unlink()
    done = shell("maintain", "once", **wrong)
    assert (done.exit_code, "read back 20" in done.output) == (0, True), "a command tries again at once"
    secret = "rest:https://club:a-password@127.0.0.1:9/"
    keep_elsewhere(data, Elsewhere(secret, fault="closed"))
    assert copies_elsewhere(data, secret).fault == "closed"
    assert "a-password" not in (data / "copies-elsewhere.json").read_text()


@pytest.mark.sweep
@pytest.mark.slow
def test_copy_that_was_damaged_before_it_was_sent_is_a_fault(
    shell: Shell, data: Path, club: Club, tmp_path: Path, clock: Clock
) -> None:
    assert shell("backup").exit_code == 0
    (copy,) = folder_of(data).iterdir()
    copy.write_bytes(b"no database at all " * 500)
    found = look_after_elsewhere(settings_of(data, club(str(tmp_path / "usb"))), clock())
    assert (found.read_back, found.tried) == (None, clock())
    assert found.fault.startswith("The copy that was read back cannot be restored: I9  the file cannot be read")


@pytest.mark.sweep
@pytest.mark.slow
def test_copy_of_an_older_version_is_sent_and_checked(shell: Shell, data: Path, tmp_path: Path) -> None:
    more = {"OVERSEER_BACKUP_TO": str(tmp_path / "usb"), "OVERSEER_BACKUP_PASSWORD": PASSWORD}
    stored = lzma.decompress((ROOT / "tests/releases/data/0.1.0/sqlite3.xz").read_bytes())
    (data / "overseer.sqlite3").write_bytes(stored)
    early = shell("maintain", "once", **more)
    assert (early.exit_code, "run `overseer migrate` first" in early.output) == (1, True), early.output
    assert shell("migrate").exit_code == 0
    assert [copy.why for copy in backups_in(folder_of(data))] == ["before-upgrade"]
    done = shell("maintain", "once", **more)
    assert (done.exit_code, "read back 20" in done.output) == (0, True), done.output


UNUSABLE = {
    "UPDATE alembic_version SET version_num = '20990101_newer'": "Can't locate revision identified by '20990101_newer'",
    "UPDATE player SET event_id = 99": "I9  player 1 refers to a missing row of event",
    "UPDATE event SET created_at = 'no time'": "ValueError: ",
    "ALTER TABLE event DROP COLUMN bring": "no such column: event.bring",
}


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("change", full_run(UNUSABLE, [*UNUSABLE][:1], UNUSABLE))
def test_copy_that_cannot_be_restored_is_one_line_and_stops_no_other_work(
    shell: Shell, data: Path, club: Club, tmp_path: Path, change: str
) -> None:
    more = club(str(tmp_path / "usb")) | {
        "OVERSEER_SMTP": "smtp://127.0.0.1:9", "OVERSEER_MAIL_FROM": "desk@example.org",
        "OVERSEER_ADDRESS": "http://127.0.0.1:8000",
    }  # fmt: skip
    assert shell("backup").exit_code == 0
    (copy,) = backups_in(folder_of(data))
    with closing(sqlite3.connect(copy.path)) as connection:
        connection.executescript(change)
        connection.commit()
    done = shell("maintain", "once", **more)
    assert (done.exit_code, "Mail: 0 sent" in done.output) == (1, True), done.output
    listed = shell("backup", "--list", **more).output
    (line,) = (line for line in listed.splitlines() if line.startswith("Elsewhere: "))
    assert line.startswith("Elsewhere: sent 20") and UNUSABLE[change] in line


@pytest.mark.sweep
@pytest.mark.slow
def test_wrong_password_is_a_fault_that_staff_read(
    data: Path, shell: Shell, club: Club, tmp_path: Path, clock: Clock, olga: Person
) -> None:
    assert shell("backup").exit_code == 0
    settings = settings_of(data, club(str(tmp_path / "usb")))
    look_after_elsewhere(settings, clock())
    assert shell("backup").exit_code == 0
    clock.advance(days=8)
    found = look_after_elsewhere(replace(settings, backup_password="another password"), clock())
    assert "wrong password" in found.fault
    served: Settings = olga.http.application.extensions["overseer_settings"]
    folder_of(served.data).parent.mkdir(exist_ok=True)
    (served.data / "copies-elsewhere.json").write_bytes((data / "copies-elsewhere.json").read_bytes())
    assert "The copies elsewhere failed" not in olga.open("/desk").text, "none are asked for here"
    olga.http.application.extensions["overseer_settings"] = replace(served, backup_to=settings.backup_to)
    try:
        page = olga.open("/desk")
    finally:
        olga.http.application.extensions["overseer_settings"] = served
    assert "The copies elsewhere failed: restic: Fatal: wrong password" in page.text
    assert "The newest is of" in page.text and "One was fetched and checked on" in page.text


def test_settings_without_a_password_or_the_program_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for password in ("", "short"):
        with pytest.raises(BadSetting, match="OVERSEER_BACKUP_PASSWORD: set at least 12"):
            read_settings({"OVERSEER_BACKUP_TO": "/media/usb", "OVERSEER_BACKUP_PASSWORD": password}, make=False)
    assert read_settings({"OVERSEER_BACKUP_PASSWORD": PASSWORD}, make=False).backup_to == ""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BadSetting, match="install restic"):
        read_settings({"OVERSEER_BACKUP_TO": "/media/usb", "OVERSEER_BACKUP_PASSWORD": PASSWORD}, make=False)


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a bucket on a local S3 server."""
    folder = tmp_path_factory.mktemp("s3")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "moto[s3,server]==5.2.5"]
    subprocess.run(install, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(serve, env=os.environ | {"PYTHONPATH": str(folder)}, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.2)
            yield f"s3:http://127.0.0.1:{port}/club"
        finally:
            server.terminate()


@pytest.mark.long
def test_copy_in_a_bucket_is_restored_on_a_new_machine(
    shell: Shell, data: Path, club: Club, bucket: str, tmp_path: Path
) -> None:
    more = club(bucket) | {"AWS_ACCESS_KEY_ID": "club", "AWS_SECRET_ACCESS_KEY": "not secret"}
    assert "read back 20" in shell("maintain", "once", **more).output
    assert copies_elsewhere(data, bucket).fault == ""
    stands_on_a_new_machine(shell, data, tmp_path / "new", more)
