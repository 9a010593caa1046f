"""An event of 200 players on the machines of deploy/cluster, while they are killed, cut off and upgraded.

``./run test --cluster`` plays it without and with PgBouncer, and writes the figures of docs/assurance/cluster.md.
"""

import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path
from typing import Any

from alembic import command
from sqlmodel import Session, select

import migrations
from models.db import open_engine
from models.people import Account
from service.lock import KEY
from tests.chaos.hall import Table, open_hall, staff_browser
from tests.chaos.outcome import ROOT, broken_invariants, commit
from tests.chaos.phones import SAVED, UNKNOWN, History, broken_promises
from tests.cluster.machines import BALANCER, WEB_HOSTS, Cluster, Machine, read, shell, until
from tests.kit.postgres import end_with_parent

PLAYERS, PAUSE, OFF = 200, 25.0, 15.0  # seconds between two reports of a table, and for which a machine is away
APART = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "sh", "-c", '"$@"; exit $?')
LOCKED = f"SELECT 1 FROM pg_locks WHERE objid = {KEY} AND mode = 'ExclusiveLock' AND granted"  # noqa: S608
SAID = """date -u; echo $(nproc) cores; uptime | grep -o 'load.*'; grep patroni.*== deploy/cluster/requirements.txt
for one in "etcd --version" "haproxy -v" "pgbouncer -V" "psql -V"; do $one | head -1; done"""
PAGE = ROOT / "docs" / "assurance" / "cluster.md"


class Trial:
    """The event, its phones, what they saw, and the faults."""

    def __init__(self, cluster: Cluster) -> None:
        """Make the event, of which round 1 is published, and let all phones work."""
        self.cluster, self.over, hall = cluster, threading.Event(), open_hall(cluster.url, PLAYERS)
        self.history = History(hall, 8080, BALANCER, balanced=True)
        self.event = hall.report_path.removesuffix("/me/game")
        with Session(open_engine(cluster.url)) as s:
            self.desk = staff_browser(s.exec(select(Account)).one())
        self.saved: list[tuple[float, float]] = []  # when each acknowledged report was sent, and when it was answered
        self.figures, self.wrong = dict[str, float](), list[str]()
        self.announced, self.pages, self.stalest = 0, 0, 0.0
        self.threads = [threading.Thread(target=self.play, args=(table,), daemon=True) for table in hall.tables]
        self.threads.append(threading.Thread(target=self.announce, daemon=True))
        for thread in self.threads:
            thread.start()

    def play(self, table: Table) -> None:
        """Let both phones of a table report in turn; each report must stand on its player's page on any host."""
        dice, number = random.Random(table.game_id), 0
        while not self.over.wait(dice.uniform(0, 2) * PAUSE):
            a_sent, sent = self.history.next_report(table, number), time.monotonic()
            while self.history.settle(a_sent) == UNKNOWN:
                time.sleep(dice.uniform(1, 3))
                sent = time.monotonic()
            if a_sent.state == SAVED:
                self.saved.append((sent, time.monotonic()))
                number += 1
                shown = rf'name="version" type="hidden" value="{number}"'
                self.look(
                    dice.choice([*WEB_HOSTS.values()]), "/me/game", shown, self.saved[-1][1], a_sent.browser.cookie
                )

    def announce(self) -> None:
        """Announce one number after the other, and take those before back; each host's page of all must show it."""
        number = 0
        while not self.over.wait(4):
            number += 1
            old = re.findall(r'data-hides="(\d+)"', read(f"{BALANCER}:8080", self.event)[1])[1:]
            new = {"": {"text": f"Notice {number}.", "minutes": "0"}}
            for path, fields in ({f"/{one}/take-back": dict[str, str]() for one in old} | new).items():
                with suppress(OSError, HTTPException):
                    answer = self.desk.post(8080, f"{self.event}/desk/announcements{path}", fields, BALANCER)
                    if fields and answer.status == 302:
                        self.announced, now = self.announced + 1, time.monotonic()
                        for host in WEB_HOSTS.values():
                            self.look(host, "", f"Notice {number}\\.", now)

    def look(self, host: str, path: str, shown: str, since: float, cookie: str = "") -> None:
        """Read a page on one host, if it answers, until it shows what was acknowledged at ``since``."""
        while not self.over.is_set():
            asked = time.monotonic()
            status, body = read(f"{host}:8000", self.event + path, cookie)
            if status != 200 or re.search(shown, body):
                self.pages += status == 200
                return
            self.stalest = max(self.stalest, round(asked - since, 3))

    def fault(self, what: str, do: Callable[[], None], within: float = 30) -> None:
        """Break something, wait until all is whole, and keep the longest time without an acknowledged report."""
        began = time.monotonic()
        do()
        until("all is whole", lambda: self.cluster.whole() and all(host.is_ready() for host in self.cluster.web_hosts))
        time.sleep(10)
        times = sorted(at for _, at in self.saved if at > began - PAUSE)
        seconds = round(max(after - before for before, after in pairwise([*times, time.monotonic()])), 1)
        self.figures[f"{what}: seconds without an acknowledged report"] = seconds
        sys.stderr.write(f"  {what}: {seconds} s without an acknowledged report\n")
        self.wrong += [f"{what}: {seconds} s without an acknowledged report"] if seconds > within else []

    def lose(self, machine: Machine, off: Callable[[Machine], None], on: Callable[[Machine], None]) -> None:
        """Lose a machine for a while, at least until another one is the primary and reports are taken."""
        off(machine)
        until("another machine is the primary", lambda: self.cluster.roles()["primary"] != machine)
        now = time.monotonic()
        until("reports are taken", lambda: any(sent > now for sent, _ in self.saved))
        time.sleep(OFF)
        on(machine)

    def upgrade(self) -> None:
        """Upgrade tables of two revisions before; the host that does it is killed in the middle, and restarted."""
        for host in self.cluster.web_hosts:
            host.end("TERM")
        with open_engine(self.cluster.url).connect() as connection:
            command.downgrade(migrations.alembic_config(connection), "-2")
            connection.commit()
        with self.cluster.connect() as primary:
            self.cluster.web_hosts[0].start()
            until("a host upgrades", lambda: bool(primary.execute(LOCKED.encode()).fetchone()), pause=0.01)
        self.cluster.web_hosts[0].end()
        for host in self.cluster.web_hosts:
            host.start()

    def finish(self) -> None:
        """Let the phones end what they began, and compare what they saw with the database."""
        self.over.set()
        for thread in self.threads:
            thread.join(120)
        engine, games = open_engine(self.cluster.url), [table.game_id for table in self.history.hall.tables]
        with Session(engine) as s:
            different = [*broken_promises(self.history, s, games), *broken_invariants(engine)]
            self.history.next_report(self.history.hall.tables[0], 10_000).state = SAVED  # though it was never sent
            if len([*broken_promises(self.history, s, games)]) <= len(different):
                self.wrong.append("the comparison does not see a lost report")
        self.wrong += different + (["a page was stale by more than a second"] if self.stalest > 1 else [])
        self.figures |= {
            "reports acknowledged": len(self.saved),
            "of them sent more than once": self.history.counts["answered when it was sent again"],
            "reports lost, doubled, changed or invented": len(different),
            "announcements acknowledged": self.announced,
            "pages read": self.pages,
            "the stalest page, seconds": self.stalest,
        }


def play(folder: Path, name: str) -> None:
    """The whole trial, in namespaces of its own, with which all its processes end; its outcome stands in its folder."""
    cluster = Cluster(folder, pooled=name == "pooled")
    trial, start = Trial(cluster), Machine.start
    cut, join = partial(Machine.link, state="down"), partial(Machine.link, state="up")
    time.sleep(PAUSE)
    try:
        trial.fault("a web host is killed", lambda: trial.lose(cluster.web_hosts[0], Machine.end, start))
        trial.fault("the primary is killed", lambda: trial.lose(cluster.roles()["primary"], Machine.end, start))
        trial.fault("the primary is cut off", lambda: trial.lose(cluster.roles()["primary"], cut, join))
        trial.fault("the synchronous standby is cut off", lambda: trial.lose(cluster.roles()["sync"], cut, join))
        trial.fault("tables are upgraded, and the host that does it is killed", trial.upgrade, within=120)
        trial.finish()
    except AssertionError as failed:
        trial.wrong.append(f"{failed}")
        sys.stderr.write(shell(f"tail -n 99 {folder}/*/*.log"))
    (folder / "came.json").write_text(json.dumps({"figures": trial.figures, "wrong": trial.wrong}))


def main() -> None:
    """Play without and with PgBouncer, and write the figures."""
    came: dict[str, Any] = {}
    for name in ("pooled", "direct"):
        with tempfile.TemporaryDirectory(prefix="overseer-cluster-", dir="/var/tmp") as folder:
            Path(folder).chmod(0o755)  # PostgreSQL's user must be able to go there
            again = [*APART, "sh", sys.executable, "-m", "tests.cluster.trial", folder, name]
            subprocess.run(again, check=True, preexec_fn=partial(end_with_parent, signal.SIGKILL))
            came[name] = json.loads((Path(folder) / "came.json").read_text())
    pooled, direct = (came[name]["figures"] for name in came)
    wrong = [f"{name}: {one}" for name in came for one in came[name]["wrong"]]
    lines = [f"## Figures\n\nCommit {commit()}:\n\n```\n{shell(SAID)}```\n\n| | direct | PgBouncer |\n|---|---|---|"]
    lines += [f"| {what} | {direct.get(what)} | {pooled.get(what)} |" for what in direct | pooled]
    lines += [
        "",
        "Nothing broke a promise." if not wrong else "Broken promises:",
        *(f"\n- {text}" for text in wrong),
        "",
    ]
    PAGE.write_text(PAGE.read_text().partition("## Figures")[0] + "\n".join(lines), encoding="utf-8")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    play(Path(sys.argv[1]), sys.argv[2]) if sys.argv[1:] else main()
