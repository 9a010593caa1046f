"""Files of the service and its commands: only their owner can read them, with any umask."""

import json
import os
import pwd
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.private_files import tighten
from tests.browser.server import children_of, environment, serving
from tests.kit.promises import ROOT
from tests.service.conftest import Shell


@pytest.fixture
def open_folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder that others may enter, made before the service was installed, with the usual umask."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    before = os.umask(0o022)
    yield folder
    os.umask(before)


def too_open(folder: Path) -> dict[str, str]:
    """The files in a folder that others than their owner may open, with their modes."""
    modes = {str(path.relative_to(folder)): path.stat().st_mode for path in folder.rglob("*") if path.is_file()}
    return {name: oct(mode & 0o777) for name, mode in modes.items() if mode & 0o077}


ALL = """
import json, os, sys
from service.commands.main import main
for words in json.loads(sys.argv[1]):
    os.umask(0o022)
    sys.argv = ["overseer", *words]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, words
"""
"""Each command as a shell with an umask of 022 starts it, in one process that reads the program once."""


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.proves("attack 61")
def test_every_command_writes_private_files(open_folder: Path) -> None:
    (open_folder / "older.json").write_text("an archive that was written here before")
    slug = "wasteland-open"
    commands = (
        ("demo", "--players", "4", "--rounds", "1"), ("backup",), ("backup", "copy.sqlite3"), ("maintain", "once"),
        ("archive", slug), ("archive", slug, "-o", "named.json"), ("archive", slug, "-o", "older.json"),
        ("set-up-link",), ("restore", "--yes", "newest"),
    )  # fmt: skip
    subprocess.run(
        [sys.executable, "-c", ALL, json.dumps(commands)], cwd=open_folder, check=True, stdout=subprocess.DEVNULL,
        env=environment(open_folder, 8000) | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    written = {path.name for path in open_folder.rglob("*") if path.is_file()}
    assert {"overseer.sqlite3", "secret", "copy.sqlite3", "named.json"} <= written
    assert any(name.endswith("-archive.json") for name in written)
    assert any("before-restore" in name for name in written)
    assert too_open(open_folder) == {}


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.proves("attack 61", "attack 74", "attack 72")
def test_running_service_writes_private_files_and_warns_about_root(open_folder: Path) -> None:
    with serving(open_folder, OVERSEER_METRICS="a word of twenty characters") as server:
        (open_folder / "said.txt").chmod(0o600)  # the test's own, not the service's
        urllib.request.urlopen(f"{server.address}/", timeout=10).close()  # noqa: S310 - our own server
        named = {path.name for path in open_folder.iterdir()}
        assert {"overseer.sqlite3", "overseer.sqlite3-wal", "overseer.sqlite3-shm", "secret", "metrics"} <= named
        masks = [umask_of(child) for child in (server.process, *children_of(server.process))]
        assert len(masks) >= 4, "the server, two workers, the process that looks after the database"
        assert set(masks) == {"0077"}
        assert too_open(open_folder) == {}
    warned = [line for line in (open_folder / "said.txt").read_text().splitlines() if "as root" in line]
    assert len(warned) == (1 if os.geteuid() == 0 else 0), warned
    assert all("Create a user for Overseer" in line for line in warned)


@pytest.mark.proves("attack 61")
def test_files_readable_by_others_are_made_private_with_one_warning(shell: Shell, data: Path) -> None:
    (data / "backups").mkdir()
    ours = ["overseer.sqlite3", "secret", "last-check.txt", "backups/overseer-20261121T100000Z-asked.sqlite3"]
    for name in ours[1:]:
        (data / name).write_text("kJ3-xW9_qL2vT7mR5pZ8cN4bH6sD1fG0yQ-aU_eIo")
    (data / "notes.txt").write_text("not ours")
    for name in (*ours, "notes.txt"):
        (data / name).chmod(0o644)
    said = shell("migrate").output
    modes = {name: oct((data / name).stat().st_mode & 0o777) for name in (*ours, "notes.txt")}
    assert modes == dict.fromkeys(ours, "0o600") | {"notes.txt": "0o644"}
    assert said.count("other users of this machine could read") == 1
    again = shell("migrate").output
    assert "other users of this machine could read" not in again and "as root" not in again


def test_file_deleted_by_a_running_service_is_skipped(data: Path) -> None:
    """SQLite removes its log when the last connection closes."""
    log, over = data / "overseer.sqlite3-wal", threading.Event()

    def come_and_go() -> None:
        while not over.is_set():
            log.touch(mode=0o600)
            log.unlink()

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        for _ in range(2000):
            assert tighten(data, None) == []
    finally:
        over.set()
        thread.join()


def test_root_is_refused_in_another_users_data_folder(shell: Shell, data: Path) -> None:
    if os.geteuid() == 0:
        os.chown(data, pwd.getpwnam("nobody").pw_uid, -1)
        before = set(data.iterdir())
        for words in (("doctor",), ("backup",), ("migrate",), ("restore", "newest"), ("serve",)):
            refused = shell(*words)
            assert (refused.exit_code, f"{data} belongs to nobody" in refused.output) == (1, True), words
            assert f"sudo -u nobody OVERSEER_DATA={data} " in refused.output
        assert set(data.iterdir()) == before


def test_files_of_another_user_are_named_with_their_owner(shell: Shell) -> None:
    """Files that root left in the service's folder. Only root can give files away."""
    if os.geteuid() == 0:
        with tempfile.TemporaryDirectory() as name:
            folder, me = Path(name), pwd.getpwnam("nobody").pw_uid
            left = folder / "overseer.sqlite3-wal"
            left.touch(mode=0o600)
            os.chown(folder, me, -1)
            os.seteuid(me)
            try:
                refused = shell("migrate", OVERSEER_DATA=name)
            finally:
                os.seteuid(0)
        assert refused.exit_code == 1
        assert f"{left} belongs to root, so nobody cannot use it." in refused.output
        assert f"sudo chown -R nobody: {left}" in refused.output


def umask_of(process: int) -> str:
    status = Path(f"/proc/{process}/status").read_text()
    return next(line.split()[1] for line in status.splitlines() if line.startswith("Umask:"))
