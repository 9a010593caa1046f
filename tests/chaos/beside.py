"""F18: a newer release upgrades the database and serves it while a server of ours, which nobody stopped, goes on.

Phones report to ours all the while. Whatever they were told is stored, once. From the moment of the upgrade on ours
stores nothing any more, and soon shows nothing either: it says so in words, with when to ask again, and never as a
fault. The phones then find the newer one, and send it what ours refused.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from alembic import command

import migrations
from events.settings import Settings
from models.db import open_engine
from tests.chaos import next_release, restarting
from tests.chaos.failing import in_a_process
from tests.chaos.hall import open_hall
from tests.chaos.history import SAVED, History, Sent, count_reports, hold_against
from tests.chaos.outcome import Outcome, Size
from tests.chaos.restarting import reporting, wait_until_saved
from tests.chaos.serving import SECRET, Service, Warm

PHONES = 4
UPGRADES = {"short": 1, "full": 20}
ANSWERED = 6
"""Reports that are saved before each upgrade, at least, and by the newer server after it."""
SAYS_SO_WITHIN = 3.0
"""Seconds after the upgrade in which each page of ours has to say so."""
IN_A_ROW = 8
"""Answers: more than one of each worker."""


@dataclass
class Load(restarting.Load):
    """What they share, and which server is ours."""

    ours: int = 0
    upgraded: float = float("inf")
    """When the database was the newer release's."""

    def settle(self, one: Sent) -> str:
        """Send a report to whoever serves now. Ours may store none that it is given after the upgrade."""
        port, began = self.port, time.monotonic()
        state = super().settle(one)
        if state == SAVED and port == self.ours and began > self.upgraded:
            self.history.wrong.append(f"{one.key}: the older server stored it after the upgrade")
            self.over.set()
        return state


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path) -> Outcome:
    """Upgrade beside a server so often; everything that was found broken is told. Broken is the older server."""
    outcome, url, name = Outcome(), fresh(), broken or "sound"
    hall, folder = open_hall(url, 2 * PHONES), next_release.laid_out(data / f"{name}-migrations")
    ours = Service(url, data / f"{name}-ours", broken=broken, warm=warm)
    newer = Service(url, data / f"{name}-newer", made_by="tests.chaos.next_release:create_app()", warm=warm,
                    environment={next_release.FOLDER: str(folder)})  # fmt: skip
    newer.data.mkdir()
    settings = Settings(newer.data, url, SECRET, "127.0.0.1", newer.port)
    load = Load(hall, History(), ours.port, ours=ours.port)
    try:
        ours.start()
        with reporting(load, hall.tables):
            for _ in range(UPGRADES[size]):
                wait_until_saved(load, ANSWERED)
                ended = in_a_process(lambda: next_release.upgrade(folder, settings))
                load.upgraded = time.monotonic()
                outcome.counts["upgrades beside a server"] += 1
                if ended:
                    outcome.wrong.append(f"the upgrade ended with {ended}")
                    break
                newer.start()
                outcome.wrong += _what_ours_says(load, outcome)
                load.port = newer.port
                wait_until_saved(load, ANSWERED)
                if broken is not None or outcome.wrong:
                    break
                newer.stop()
                _go_back(url, folder)
                load.upgraded, load.port = float("inf"), ours.port  # it serves again: nobody started it anew
    finally:
        for one in (ours, newer):
            one.kill()
    hold_against(load.history, url, hall.tables, outcome)
    count_reports(load.history, outcome)
    return outcome


def _what_ours_says(load: Load, outcome: Outcome) -> Iterator[str]:
    """What is wrong with the answers of the older server, which is not stopped."""
    table = load.hall.tables[0]
    for who, path in (
        (load.hall.olga, f"/e/{load.hall.slug}/desk"), (table.a, f"/e/{load.hall.slug}/me"), (table.b, "/"),
    ):  # fmt: skip
        said_so = 0
        while said_so < IN_A_ROW:
            asked = time.monotonic()
            answer = who.get(load.ours, path)
            outcome.counts[f"pages of the older server answered {answer.status}"] += 1
            said_so = said_so + 1 if answer.status == 503 else 0
            if answer.status not in (200, 503):
                yield f"the older server answers {path} with {answer.status}"
                break
            if answer.status == 200 and asked > load.upgraded + SAYS_SO_WITHIN:
                yield f"{SAYS_SO_WITHIN} s after the upgrade the older server still shows {path}"
                break
            if answer.status == 503 and not ("retry-after" in answer.headers and "Another version" in answer.body):
                yield f"the older server answers {path} without the words"
    ready = load.hall.olga.get(load.ours, "/readyz").status
    if ready != 503:
        yield f"the older server says that it is ready: {ready}"


def _go_back(url: str, folder: Path) -> None:
    """Make the database our release's again, under our server."""
    ours = migrations.head()

    def downgrade() -> None:
        migrations.FOLDER = folder
        with open_engine(url).connect() as connection:
            command.downgrade(migrations.alembic_config(connection), ours)
            connection.commit()

    assert in_a_process(downgrade) == 0
