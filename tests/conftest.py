"""Fixtures for all tests: migrated databases of both kinds, a clock that tests set, and the application.

Tests run on SQLite; the marks ``both_databases``, ``both_at_length`` (only with ``--long``) add PostgreSQL.
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
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import Engine
from sqlalchemy.event import listens_for
from sqlalchemy.pool import Pool
from sqlmodel import Session

import migrations
from app import attach_database, build_pages
from events.messages.permits import count_by
from models.db import open_engine, sqlite_module
from service.settings import Settings
from tests.kit.mail_server import Mailbox, mailbox
from tests.kit.postgres import TEMPLATE, PostgresServer, running_postgres
from tests.kit.statements import sent_while_rendering

pytest_plugins = ["tests.kit.people", "tests.kit.profiles", "tests.kit.routes", "tests.kit.tables"]
NUMBERS = itertools.count(1)

# No deadline: on a busy machine it would make tests fail at random.
examples.register_profile("usual", deadline=None, max_examples=20)
examples.register_profile("long", deadline=None, max_examples=100)


@listens_for(Pool, "checkout")
def wait_for_no_disk(connection: Any, record: Any, proxy: Any) -> None:
    """Let SQLite commit without waiting for the disk: 5 ms for each of tens of thousands of commits.

    tests/models/test_db.py tests that the application waits.
    """
    if isinstance(connection, sqlite_module().Connection):
        connection.execute("PRAGMA synchronous=OFF")


class Clock:
    """The application's time, which changes only when a test sets it."""

    def __init__(self, now: datetime) -> None:
        """Start at ``now``, which has a time zone."""
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **parts: float) -> None:
        """Add a timedelta with these arguments, such as ``minutes=90``."""
        self.now += timedelta(**parts)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chaos", action="store_true", help="run tests/chaos in full and write docs/assurance/evidence")
    parser.addoption("--chaos-seed", type=int, default=8, help="the seed of tests/chaos")


def pytest_configure(config: pytest.Config) -> None:
    """Give hypothesis five times as many examples with ``--long``; tests with a number of their own keep it.

    All applications of all processes and runs share their compiled templates.
    """
    examples.load_profile("usual" if "not long" in config.option.markexpr else "long")
    if cache := getattr(config, "cache", None):
        Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(str(cache.mkdir("templates")))}


def pytest_collection() -> None:
    """Disable garbage collection while tests are imported, because hardly anything becomes garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude tests, modules and tables from garbage collection, which would take a fifth of the time."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests with these marks on PostgreSQL too; those marked ``both_at_length`` only with ``--long``."""
    full_run = metafunc.definition.get_closest_marker("both_at_length")
    if full_run or metafunc.definition.get_closest_marker("both_databases"):
        assert "database_url" in metafunc.fixturenames, f"{metafunc.definition.nodeid} uses no database"
        marks = [pytest.mark.postgres, *([pytest.mark.long] if full_run else [])]
        metafunc.parametrize("database_url", ["sqlite", pytest.param("postgres", marks=marks)], indirect=True)


@pytest.fixture(scope="session", autouse=True)
def sent_by_templates() -> Iterator[list[str]]:
    """The statements that templates have sent during the current test."""
    with sent_while_rendering() as seen:
        yield seen


@pytest.fixture(autouse=True)
def templates_send_no_statement(sent_by_templates: list[str]) -> Iterator[None]:
    """Fail a test during which a template queries the database: views give templates what they show."""
    yield
    found = "\n".join(sent_by_templates)
    sent_by_templates.clear()
    assert found == ""


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file that tests copy; migrating for each test would take ten times as long."""
    path = tmp_path_factory.mktemp("sqlite") / "migrated.sqlite3"
    engine = open_engine(f"sqlite:///{path}")
    migrations.upgrade(engine)
    engine.dispose()
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server for each process that runs tests, started for the first test that needs it."""
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of each test's SQLite file, always the same so that tests can share an engine."""
    return tmp_path_factory.mktemp("database") / "overseer.sqlite3"


@lru_cache
def kept_engine(url: str, user: str) -> Engine:
    """An engine that tests share, because compiling every statement again would take a seventh of the time."""
    return open_engine(url, create=False)


@contextmanager
def engine_over(url: str, user: str) -> Iterator[Engine]:
    """The shared engine of one user of a test's database, without connections before and after."""
    engine = kept_engine(url, user) if url.startswith("sqlite") else open_engine(url)
    count_by(engine, SECRET)
    yield engine
    engine.dispose()


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a new, migrated database without rows."""
    only_postgres = request.node.get_closest_marker("postgres") is not None
    if getattr(request, "param", "postgres" if only_postgres else "sqlite") == "sqlite":
        path: Path = request.getfixturevalue("sqlite_file")
        for old in path.parent.iterdir():
            old.unlink()  # the previous test's database and its log, if they exist
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
    """The URL of another database of the same kind as ``database_url``, without rows."""
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
    with another(request, migrated=False) as url:
        yield url


@pytest.fixture
def other_url(database_url: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of another server's migrated database."""
    with another(request, migrated=True) as url:
        yield url


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    with engine_over(database_url, "test") as opened:
        yield opened


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """A session on the test's database. What it changes must be committed before the client can see it."""
    with Session(engine) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    """The application's clock; it starts on a Saturday morning."""
    return Clock(datetime(2026, 11, 21, 9, 0, tzinfo=UTC))


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox() as opened:
        yield opened


SECRET = "a secret for tests, of enough characters"
PUBLIC = "http://hall.lan"
"""The service's public address in tests."""


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    data = tmp_path / "data"
    data.mkdir()
    idle = timedelta(days=3650)  # tests move their clock by days
    return Settings(data, database_url, SECRET, "127.0.0.1", 8000, idle=idle)


@pytest.fixture(scope="session")
def pages() -> Flask:
    """The application without a database, built once."""
    made = build_pages()
    made.testing = True
    return made


@pytest.fixture
def app(pages: Flask, settings: Settings, clock: Clock) -> Iterator[Flask]:
    """The application with the test's database. CSRF protection is on: forms need the token of their page."""
    with engine_over(settings.database_url, "pages") as engine:
        known = settings if settings.public else replace(settings, public=PUBLIC, hosts=frozenset({"hall.lan"}))
        attach_database(pages, known, engine, clock)
        yield pages
