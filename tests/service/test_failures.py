"""Failures that an operator can remedy: one line that says what is wrong and what helps, and no wait without end."""

import os
import pwd
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import make_url, text

from models.db import open_engine
from tests.browser.server import OVERSEER, environment
from tests.kit.postgres import PostgresServer
from tests.kit.promises import ROOT
from tests.service.conftest import Shell

BOUND = 20.0
"""The most seconds for a command that cannot reach its database; two when the machine is idle."""


def the_line(done: Result) -> str:
    """The last line of a command that failed without a traceback, and without bad advice."""
    assert done.exit_code == 1 and "Traceback" not in done.output and "restore" not in done.output, done.output
    return done.output.splitlines()[-1]


def test_data_folder_that_is_a_file_is_named(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.touch()
    if os.geteuid() == 0:
        os.chown(file, pwd.getpwnam("nobody").pw_uid, -1)
    for words in (("serve",), ("migrate",), ("backup",), ("doctor",), ("restore", "newest"), ("maintain", "once")):
        line = the_line(shell(*words, OVERSEER_DATA=str(file)))
        assert line == f"Error: OVERSEER_DATA: {file} is a file. Set a folder.", words
    line = the_line(shell("serve", OVERSEER_DATA=str(file / "data")))
    assert line == f"Error: OVERSEER_DATA: {file / 'data'} cannot be used: Not a directory"


@pytest.mark.sweep
@pytest.mark.slow
def test_data_folder_below_a_shut_folder_is_named() -> None:
    """As another user, with a Python that every user can run."""
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    code = "import sys; from service.commands.main import main; sys.argv[0] = 'overseer'; main()"
    as_root = os.geteuid() == 0
    python = f"/usr/bin/python3.{sys.version_info.minor}" if as_root else sys.executable
    with tempfile.TemporaryDirectory(prefix="overseer-shut-") as folder:
        shut = Path(folder) / "shut"
        shut.mkdir(mode=0o700 if as_root else 0o000)
        Path(folder).chmod(0o755)
        nobody = pwd.getpwnam("nobody")
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []} if as_root else {}
        env = {"PYTHONPATH": f"{ROOT}:{packages}", "OVERSEER_DATA": str(shut / "data"), "PATH": os.defpath}
        for words in (["serve"], ["backup", "--list"], ["doctor"]):
            done = subprocess.run(
                [python, "-c", code, *words], env=env, cwd="/", capture_output=True, text=True, **user  # type: ignore[call-overload]
            )  # fmt: skip
            assert (done.returncode, done.stderr.splitlines()) == (1, [
                f"Error: {shut / 'data'} cannot be used: Permission denied. Check that "
                f"{pwd.getpwuid(nobody.pw_uid if as_root else os.geteuid()).pw_name} may open each folder above it."
            ]), words  # fmt: skip


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.proves("F7")
def test_full_disk_at_the_first_start_says_how_much_is_needed(tmp_path: Path) -> None:
    script = f'mount -t tmpfs -o size=200k full "$OVERSEER_DATA" && {" ".join(OVERSEER)} migrate; status=$?; '
    script += f'mount -o remount,size=100m "$OVERSEER_DATA" && {" ".join(OVERSEER)} migrate && exit $status'
    alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    done = subprocess.run(
        [*alone, "sh", "-c", script], env=environment(tmp_path, 8000), capture_output=True, text=True
    )  # fmt: skip
    assert done.returncode == 1 and "Traceback" not in done.stderr and "restore" not in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "Error: The database cannot be used: database or disk is full. Make room on its disk: 100 MB or more."
    )
    assert "is up to date" in done.stdout, "with room the same folder works"


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.proves("F7")
def test_full_disk_below_a_database_in_use_is_named(tmp_path: Path) -> None:
    """SQLite calls it an I/O error when it finds no room for its log."""
    command, data = " ".join(OVERSEER), tmp_path / "club"
    data.mkdir()
    script = f'mount -t tmpfs -o size=20m full "$OVERSEER_DATA" && {command} migrate || exit 9\n'
    script += 'cat /dev/zero > "$OVERSEER_DATA/other" 2> /dev/null\n'
    script += f"for words in doctor 'maintain once' backup serve; do {command} $words; done"
    alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    done = subprocess.run([*alone, "sh", "-c", script], env=environment(data, 8000), capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "WARNING" not in line]
    room = f"{data} is nearly full. Make room on its disk: 100 MB or more."
    used = f"Error: The database cannot be used: disk I/O error. {room}"
    copied = f"Error: The database could not be copied to {data}/backups: disk I/O error. {room}"
    assert errors == [used, used, copied, used], done.stderr


@contextmanager
def silent_server() -> Iterator[int]:
    """A port that accepts connections and never answers, like a host that drops packets."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


SECRET = "kJ3-xW9_qL2vT7mR5pZ8cN4bH6sD1fG0yQ-aU_eIo"
COMMANDS = (("serve",), ("migrate",), ("backup",), ("doctor",), ("maintain", "once"), ("restore", "copy.pgdump"))


@pytest.fixture
def ascii(database_url: str, postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a database whose texts PostgreSQL does not know how to read."""
    engine = open_engine(database_url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII'"))
    engine.dispose()
    yield postgres_server.url("ascii")
    postgres_server.drop("ascii")


@pytest.mark.postgres
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_database_server_that_does_not_answer_is_named_within_seconds(
    words: tuple[str, ...], shell: Shell, data: Path, database_url: str
) -> None:
    (data / "backups").mkdir()
    (data / "backups" / "copy.pgdump").write_bytes(b"PGDMP")
    real = make_url(database_url)
    with socket.socket() as closed, silent_server() as silent:
        closed.bind(("127.0.0.1", 0))  # nothing listens
        urls = {
            f"postgresql://club:word@127.0.0.1:{closed.getsockname()[1]}/club": "Connection refused",
            f"postgresql://club:word@127.0.0.1:{silent}/club": "expired",
            real.set(username="stranger").render_as_string(hide_password=False): 'role "stranger" does not exist',
            real.set(database="gone").render_as_string(hide_password=False): 'database "gone" does not exist',
        }
        for url, reason in urls.items():
            began = time.monotonic()
            line = the_line(done := shell(*words, DATABASE_URL=url, OVERSEER_SECRET=SECRET))
            assert time.monotonic() - began < BOUND
            assert reason in line and "will be lost" not in done.output and "word" not in line
            advice = "Check DATABASE_URL, and that PostgreSQL runs and can be reached from here."
            assert line.startswith("Error: pg_dump: ") if words == ("backup",) else line.endswith(advice)


@pytest.mark.postgres
def test_copy_of_the_other_kind_of_database_is_named(shell: Shell, data: Path, database_url: str) -> None:
    words = {"DATABASE_URL": database_url, "OVERSEER_SECRET": SECRET}
    done = shell("restore", str(data / "overseer.sqlite3"), "--yes", **words)
    assert "a copy of SQLite, and DATABASE_URL names PostgreSQL" in done.output and done.exit_code == 1


@pytest.mark.postgres
@pytest.mark.parametrize(
    "words", [command for command in COMMANDS if command != ("backup",)], ids=lambda words: words[0]
)
def test_database_of_another_encoding_is_named(words: tuple[str, ...], shell: Shell, data: Path, ascii: str) -> None:
    (data / "backups").mkdir()
    (data / "backups" / "copy.pgdump").write_bytes(b"PGDMP")
    line = the_line(shell(*words, DATABASE_URL=ascii, OVERSEER_SECRET=SECRET))
    assert line == (
        "Error: DATABASE_URL: the database’s encoding is SQL_ASCII. Make it with ENCODING 'UTF8' TEMPLATE template0."
    )
