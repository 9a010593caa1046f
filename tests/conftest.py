"""What all tests share: migrated databases of both kinds, a clock that can be set, the application, a client.

A test runs on SQLite. Marked ``both_databases`` it runs on PostgreSQL too, marked ``postgres`` on that alone. Marked
``both_at_length`` it is about pages whose statements others send to PostgreSQL: there it runs in ``--long`` only.
"""

import gc
import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import settings as examples
from sqlalchemy import Engine
from sqlalchemy.event import listens_for
from sqlalchemy.pool import Pool
from sqlmodel import Session

import migrations
from app import build_pages, put_over
from models.db import open_engine, sqlite_module
from service.settings import Settings
from tests.kit.mail_server import Mailbox, mailbox
from tests.kit.postgres import TEMPLATE, PostgresServer, running_postgres

pytest_plugins = ["tests.kit.people", "tests.kit.profiles", "tests.kit.routes", "tests.kit.tables"]
NUMBERS = itertools.count(1)

# How long an example takes says nothing of right or wrong: on a loaded machine it would only make tests fail by chance.
examples.register_profile("overseer", deadline=None)
examples.load_profile("overseer")


@listens_for(Pool, "checkout")
def wait_for_no_disk(connection: Any, record: Any, proxy: Any) -> None:
    """Let commits to SQLite return before the disk has them, as tests/kit/postgres.py does with its server.

    Waiting takes 5 ms and more each, and there are tens of thousands. Servers that tests start are processes of their
    own and do wait; that the application does is asked by tests/models/test_db.py.
    """
    if isinstance(connection, sqlite_module().Connection):
        connection.execute("PRAGMA synchronous=OFF")


class Clock:
    """The time as the application sees it: it stands still until a test moves it."""

    def __init__(self, now: datetime) -> None:
        """Stand at ``now``, which has a time zone."""
        self.now = now

    def __call__(self) -> datetime:
        """The time at which the clock stands."""
        return self.now

    def advance(self, **parts: float) -> None:
        """Move on by the parts of a timedelta, e.g. ``minutes=90``."""
        self.now += timedelta(**parts)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The full profile of tests/chaos, and the seed of its dice."""
    parser.addoption("--chaos", action="store_true", help="run tests/chaos in full and write docs/assurance/evidence")
    parser.addoption("--chaos-seed", type=int, default=8, help="the seed of tests/chaos")


def pytest_collection() -> None:
    """Let the garbage collector rest while all is read: hardly anything becomes garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep the garbage collector from reading all tests, modules and tables again and again: a fifth of all time."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked ``both_databases`` once on each, those ``both_at_length`` on PostgreSQL in ``--long`` alone."""
    at_length = metafunc.definition.get_closest_marker("both_at_length")
    if at_length or metafunc.definition.get_closest_marker("both_databases"):
        assert "database_url" in metafunc.fixturenames, f"{metafunc.definition.nodeid} uses no database"
        marks = [pytest.mark.postgres, *([pytest.mark.long] if at_length else [])]
        metafunc.parametrize("database_url", ["sqlite", pytest.param("postgres", marks=marks)], indirect=True)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy; migrating one for each test would take ten times as long."""
    path = tmp_path_factory.mktemp("sqlite") / "migrated.sqlite3"
    engine = open_engine(f"sqlite:///{path}")
    migrations.upgrade(engine)
    engine.dispose()
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One PostgreSQL for each process that runs tests, started when the first test asks for it."""
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each test's SQLite stands: always in one place, so that an engine can be kept for it."""
    return tmp_path_factory.mktemp("database") / "overseer.sqlite3"


@lru_cache
def kept_engine(url: str, user: str) -> Engine:
    """An engine that outlives its test: it has written each statement once for all tests, a seventh of their time."""
    return open_engine(url, create=False)


@contextmanager
def engine_over(url: str, user: str) -> Iterator[Engine]:
    """The engine of one user of a test's database, without a connection before and after."""
    engine = kept_engine(url, user) if url.startswith("sqlite") else open_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a fresh database in the newest shape, without rows."""
    only_postgres = request.node.get_closest_marker("postgres") is not None
    if getattr(request, "param", "postgres" if only_postgres else "sqlite") == "sqlite":
        path: Path = request.getfixturevalue("sqlite_file")
        for old in path.parent.iterdir():
            old.unlink()  # with its log: the last test's database, whatever became of it
        shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
        yield f"sqlite:///{path}"
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = f"test_{next(NUMBERS)}"
    server.create(name, TEMPLATE)
    yield server.url(name)
    server.drop(name)


@contextmanager
def another(request: pytest.FixtureRequest, *, migrated: bool) -> Iterator[str]:
    """The address of one more database of the same kind as ``database_url``, without rows."""
    name = f"another_{next(NUMBERS)}"
    if request.getfixturevalue("database_url").startswith("sqlite"):
        path = request.getfixturevalue("tmp_path") / f"{name}.sqlite3"
        if migrated:
            shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
        yield f"sqlite:///{path}"
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    server.create(name, *([TEMPLATE] if migrated else []))
    yield server.url(name)
    server.drop(name)


@pytest.fixture
def empty_url(database_url: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database with nothing in it, not even tables."""
    with another(request, migrated=False) as url:
        yield url


@pytest.fixture
def other_url(database_url: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of another server's database, in the newest shape."""
    with another(request, migrated=True) as url:
        yield url


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """The engine of the test's database, opened as the application opens it."""
    with engine_over(database_url, "test") as opened:
        yield opened


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """A session on the test's database. What it changes must be committed before the client can see it."""
    with Session(engine) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    """The application's clock: a Saturday morning, until the test sets it."""
    return Clock(datetime(2026, 11, 21, 9, 0, tzinfo=UTC))


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """The club's mail server."""
    with mailbox() as opened:
        yield opened


PUBLIC = "http://hall.lan"
"""The address at which phones reach the service of tests."""


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings over the test's database and a data folder of the test's own."""
    data = tmp_path / "data"
    data.mkdir()
    return Settings(data, database_url, "a secret for tests, of enough characters", "127.0.0.1", 8000)


@pytest.fixture(scope="session")
def pages() -> Flask:
    """The pages over no database yet, made once: reading all addresses and templates takes longer than most tests."""
    made = build_pages()
    made.testing = True
    return made


@pytest.fixture
def app(pages: Flask, settings: Settings, clock: Clock) -> Iterator[Flask]:
    """The whole application; forgery protection stays on, so a form is posted with the token of its page."""
    with engine_over(settings.database_url, "pages") as engine:
        known = settings if settings.public else replace(settings, public=PUBLIC, hosts=frozenset({"hall.lan"}))
        put_over(pages, known, engine, clock)
        yield pages
