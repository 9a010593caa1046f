"""F7: a disk turns bad under a service that runs, and is made well again; the service needs nobody for either.

It has no room, no inodes, or may only be read (``mounted``). Phones report before, meanwhile and afterwards; pages are
asked, and workers killed. What is answered is a page or words that say when to ask again; nothing that was acknowledged
is lost or doubled, and what was not is taken as soon as the disk is well.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from shutil import copytree
from signal import SIGKILL

from tests.chaos.hall import Browser, Hall, open_hall
from tests.chaos.history import SAVED, UNKNOWN, History, count_reports, hold_against
from tests.chaos.mounted import Disk, Limited, NoInodes, NoMounts, NoRoom, ReadOnly, disk
from tests.chaos.outcome import Outcome, Size
from tests.chaos.phone import next_report
from tests.chaos.serving import Service, Warm

KINDS: tuple[type[Disk], ...] = (ReadOnly, NoInodes, NoRoom)
TURNS = {"short": 1, "full": 20}
"""So often each disk turns bad."""
WORDS = (503, 507)
PATIENCE = 30.0
"""Seconds after which an answer that does not come is none."""


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path) -> Outcome:
    """Turn each disk bad so often; a broken build until something is found."""
    outcome = Outcome()
    for number, kind in enumerate(KINDS):
        folder = data / f"{broken or 'sound'}{number}"
        try:
            _on(kind, folder, size, broken, fresh(), warm, outcome)
        except NoMounts as refused:
            sys.__stderr__ and sys.__stderr__.write(f"\n{__name__}: no disk with {kind.name} here: {refused}\n")
            outcome.counts["disks that this machine did not mount"] += 1
            _on(Limited, folder, size, broken, fresh(), warm, outcome)
        if broken is not None and outcome.wrong:
            break
    return outcome


def _on(
    kind: type[Disk], folder: Path, size: Size, broken: str | None, source: str, warm: Warm, outcome: Outcome
) -> None:
    hall = open_hall(source, 4)
    with disk(kind, folder) as mounted:
        data = mounted.folder / "data"
        copytree(Path(source.removeprefix("sqlite:///")).parent, data)
        url = f"sqlite:///{data / 'overseer.sqlite3'}"
        service = Service(url, data, broken=broken, warm=warm, log_in=folder.parent)
        tried = _Tried(service, hall, History(), mounted, outcome)
        try:
            service.start()
            for _ in range(TURNS[size]):
                tried.turn()
                if outcome.wrong:
                    break
        finally:
            service.kill()
        hold_against(tried.history, url, hall.tables, outcome)
        before = outcome.counts["acknowledged reports"]
        count_reports(tried.history, outcome)
        outcome.counts["acknowledged reports"] += before


@dataclass
class _Tried:
    """A service on a disk, and everything that is asked of it."""

    service: Service
    hall: Hall
    history: History
    disk: Disk
    outcome: Outcome
    version: int = 0

    def turn(self) -> None:
        """Once through: well, bad, bad with new workers, well again."""
        self.outcome.counts[f"turned: {self.disk.name}"] += 1
        self._report(well=True)
        self.disk.worsen(self.service)
        try:
            self._report(well=False)
            self._look()
            for worker in self.service.workers():
                os.kill(worker, SIGKILL)
            self._look()
        finally:
            self.disk.mend(self.service)
        for one in self.history.sent:
            until = time.monotonic() + PATIENCE
            while one.state == UNKNOWN and time.monotonic() < until:
                self.history.settle(one, self.service.port, self.hall.report_path)
        self._report(well=True)
        self._look(well=True)

    def _report(self, *, well: bool) -> None:
        """A report at each table; meanwhile one that is not stored waits, as in a phone, for the disk to be well."""
        for table in self.hall.tables:
            one = next_report(table, self.version)
            self.history.add(one)
            state = self.history.settle(one, self.service.port, self.hall.report_path)
            self.outcome.counts[f"{'well' if well else self.disk.name}: a report {state}"] += 1
            if well and state != SAVED:
                self.outcome.wrong.append(f"{self.disk.name}: while the disk is well a report is {state}")
        self.version += 1

    def _look(self, *, well: bool = False) -> None:
        slug, (table, *_) = self.hall.slug, self.hall.tables
        for who, path in (
            (self.hall.olga, f"/e/{slug}/desk"), (table.a, f"/e/{slug}/me"), (table.b, f"/e/{slug}"),
        ):  # fmt: skip
            status, again = self._asked(who, path)
            where = f"{self.disk.name}: {path}"
            self.outcome.counts[f"{'well' if well else self.disk.name}: a page answered {status}"] += 1
            if status not in (200, *(() if well else WORDS)):
                self.outcome.wrong.append(f"{where} is answered {status}")
            elif status != 200 and not again:
                self.outcome.wrong.append(f"{where} says nothing of when to ask again")
            elif status != 200 and self.disk.readable:
                self.outcome.wrong.append(f"{where} could be read, and is answered {status}")

    def _asked(self, who: Browser, path: str) -> tuple[int, str]:
        """The status, and when to ask again; a browser asks once more where a worker died at its request."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = who.get(self.service.port, path, timeout=PATIENCE)
                return answer.status, answer.headers.get("retry-after", "")
            except (OSError, HTTPException):
                self.outcome.counts[f"{self.disk.name}: lines that ended with their worker"] += 1
                if time.monotonic() > until:
                    return 0, ""
                time.sleep(0.05)
