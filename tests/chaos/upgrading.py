"""F19: the running service is upgraded in the middle of an event, while phones report; nothing they were told is lost.

The service is stopped as an organiser stops it, its database is made that of the release before, and what
``overseer serve`` does then is done: a copy, the migrations, the server. The phones go on all the while.

The release before is the newest migration but one: nothing is released yet, and the file of an old database would be a
binary in the repository that nobody can read. So its database is made from today's, by the way down that every
migration has. What an older server answers is not tried, only what it leaves behind.
"""

import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory
from bs4 import BeautifulSoup
from sqlalchemy import text

import migrations
from events.backups import backups_in, folder_of
from events.commands.database import upgraded
from events.settings import Settings
from models.db import open_engine
from tests.chaos.broken import build
from tests.chaos.hall import Hall, Table, open_hall
from tests.chaos.history import History, count_reports, hold_against
from tests.chaos.outcome import Outcome, Size
from tests.chaos.restarting import Load, look_how_soon, reporting, wait_until_saved
from tests.chaos.serving import SECRET, Service, Warm
from tests.views.person import controls

PHONES = 5
UPGRADES = {"short": 1, "full": 20}
ANSWERED = 8
"""Reports that are answered before each upgrade, at least."""
SERVED_WITHIN = 5.0
"""Seconds from the start of an upgrade until a report is saved again."""


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path, seed: int) -> Outcome:
    """Upgrade under load so often; everything that was found broken is told. Broken is the upgrade alone."""
    outcome, dice, url = Outcome(), random.Random(seed), fresh()
    hall = open_hall(url, 2 * (PHONES + 1))
    service = Service(url, data / (broken or "sound"), warm=warm)
    settings = Settings(service.data, url, SECRET, "127.0.0.1", service.port)
    load = Load(hall, History(), service.port)
    *tables, waiting = hall.tables
    try:
        service.start()
        opened = open_form(service.port, hall, waiting)
        with reporting(load, tables):
            for _ in range(UPGRADES[size] if broken is None else UPGRADES["short"]):
                wait_until_saved(load, ANSWERED)
                time.sleep(dice.uniform(0, 0.2))
                service.stop()
                keys = session_keys(url)
                go_back_a_release(url)
                began = time.monotonic()
                upgrade(settings, broken)
                put_back(url, keys)
                service.start()
                outcome.counts["upgrades"] += 1
                look_how_soon(load, outcome, began, "an upgrade's start", SERVED_WITHIN)
            answer = waiting.a.post(service.port, hall.report_path, opened, outbox=True)
            if (answer.status, answer.json.get("state")) != (200, "saved"):
                outcome.wrong.append(f"a form that was open was answered {answer.status}: {answer.body[:200]}")
    finally:
        service.kill()
    hold_against(load.history, url, tables, outcome)
    copies = [one for one in backups_in(folder_of(service.data)) if one.why == "before-upgrade"]
    if len(copies) != outcome.counts["upgrades"]:
        outcome.wrong.append(f"{len(copies)} copies were made before so many upgrades")
    count_reports(load.history, outcome)
    return outcome


def go_back_a_release(url: str) -> None:
    """Make the database one that the newest migration but one made."""
    newest = ScriptDirectory.from_config(migrations.alembic_config()).get_revision(migrations.head())
    assert isinstance(newest.down_revision, str)
    engine = open_engine(url)
    with engine.connect() as connection:
        command.downgrade(migrations.alembic_config(connection), newest.down_revision)
        connection.commit()
        assert not migrations.is_at_head(connection)
    engine.dispose()


def session_keys(url: str) -> list[dict[str, object]]:
    """What the phones' sign-ins depend on: the way down drops it, and the way up draws it anew."""
    engine = open_engine(url)
    with engine.connect() as connection:
        keys = [dict(row) for row in connection.execute(text("SELECT id, session_key FROM player")).mappings()]
    engine.dispose()
    return keys


def put_back(url: str, keys: list[dict[str, object]]) -> None:
    """Give every player the key of before, or all phones would be signed out, and nothing could be reported."""
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE player SET session_key = :session_key WHERE id = :id"), keys)
    engine.dispose()


def upgrade(settings: Settings, broken: str | None) -> None:
    """What ``overseer serve`` does to the database before it serves."""
    engine = open_engine(settings.database_url)
    try:
        with build(broken):
            upgraded(settings, engine)
    finally:
        engine.dispose()


def open_form(port: int, hall: Hall, table: Table) -> Mapping[str, str]:
    """The form of a report as a browser shows it to the first player of this table, with figures chosen."""
    page = table.a.get(port, hall.report_path)
    form = BeautifulSoup(page.body, "html.parser").select_one("form.report")
    assert form is not None, page.body
    return {str(name): str(value) for name, value in controls(form)} | {"a.objectives": "3", "b.objectives": "1"}
