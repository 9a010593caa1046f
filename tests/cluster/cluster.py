"""The cluster as docs/operations.md describes it, from the files of deploy/cluster: nothing of them is changed but
names, addresses, passwords and folders.
"""

import secrets
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from tests.chaos.outcome import ROOT
from tests.cluster.machines import Machine, Network, Service

EXAMPLES = ROOT / "deploy" / "cluster"
DATABASES = {"db1": 11, "db2": 12, "db3": 13}
WEB_HOSTS = {"web1": 21, "web2": 22, "web3": 23}
BALANCER = ("balancer", 10)
READY_WITHIN = 120.0
DATABASE_PASSWORD = "DATABASE_PASSWORD"
PASSWORDS = ("SUPERUSER_PASSWORD", "REPLICATION_PASSWORD", "REWIND_PASSWORD", DATABASE_PASSWORD, "THE_SECRET")


class Cluster:
    """Three database machines, three web hosts, a balancer. Ends with ``end``, whatever became of it."""

    def __init__(self, *, synchronous: bool = True) -> None:
        """Nothing runs yet. ``synchronous=False`` is the control: commits wait for no standby."""
        # PostgreSQL's user must be able to go there.
        folder = Path(tempfile.mkdtemp(prefix="overseer-cluster-", dir="/var/tmp"))
        folder.chmod(0o755)
        self.network = Network(folder)
        self.synchronous = synchronous
        self.passwords = {name: secrets.token_urlsafe(32) for name in PASSWORDS}

    def machine(self, name: str) -> Machine:
        """A machine by its name."""
        return self.network.machines[name]

    # ---- start and end

    def start(self) -> None:
        """Start everything and wait until each web host is ready."""
        self.start_databases()
        self.start_web_hosts()

    def start_databases(self) -> None:
        """Start the database machines, with an empty database on them."""
        for name, last in DATABASES.items():
            self._add_database(self.network.add(name, last))
        for name in DATABASES:
            self.machine(name).services["etcd"].start()
        for name in DATABASES:
            self.machine(name).services["patroni"].start()
        until("a primary with its standbys", self.whole, self.said)
        self._make_database()

    def start_web_hosts(self) -> None:
        """Start the web hosts one after the other, for the first one makes the tables, and the balancer."""
        for name, last in WEB_HOSTS.items():
            self._add_web_host(self.network.add(name, last)).start()
            until(f"{name} is ready", lambda name=name: self.is_ready(name), self.said)  # type: ignore[misc]
        balancer = self.network.add(*BALANCER)
        self._file(balancer, "haproxy.cfg")
        balancer.add("haproxy", ["haproxy", "-db", "-f", str(balancer.folder / "haproxy.cfg")]).start()
        until("the balancer answers", lambda: status(f"http://{self.front}/readyz") == 200, self.said)

    def end(self) -> None:
        """Kill what runs and remove every file."""
        self.network.end()

    def said(self) -> str:
        """The ends of all logs."""
        return "\n".join(f"--- {one.name}\n{one.said()}" for one in self.network.services())

    def _add_database(self, machine: Machine) -> None:
        patroni = machine.folder / "patroni"
        config = self._file(machine, "etcd.yml", {"/var/lib/etcd/overseer": str(machine.folder / "etcd" / "data")})
        machine.add("etcd", ["etcd", "--config-file", str(config)], user="postgres")
        changes = {
            "/var/lib/postgresql/patroni.pgpass": str(patroni / "pgpass"),
            "/var/lib/postgresql/overseer": str(patroni / "data"),
            "unix_socket_directories: /var/run/postgresql": f"unix_socket_directories: {patroni}",
        }
        if not self.synchronous:
            changes["synchronous_mode: true"] = "synchronous_mode: false"
        config = self._file(machine, "patroni.yml", changes)
        machine.add("patroni", ["patroni", str(config)], user="postgres")

    def _add_web_host(self, machine: Machine) -> Service:
        given = self._file(machine, "overseer.env", {"/var/lib/overseer": str(machine.folder / "overseer" / "data")})
        lines = [line for line in given.read_text().splitlines() if line and not line.startswith("#")]
        environment = dict(line.split("=", 1) for line in lines)
        overseer = str(Path(sys.executable).parent / "overseer")
        return machine.add("overseer", [sys.executable, "-P", overseer, "serve"], **environment)

    def _file(self, machine: Machine, example: str, changes: dict[str, str] | None = None) -> Path:
        """An example of deploy/cluster as this machine has it."""
        text = (EXAMPLES / example).read_text(encoding="utf-8")
        ours = {**(changes or {}), **self.passwords, "THIS_NAME": machine.name, "THIS_ADDRESS": machine.address}
        for found, instead in ours.items():
            text = text.replace(found, instead)
        path = machine.folder / example
        path.write_text(self.network.here(text), encoding="utf-8")
        return path

    def _make_database(self) -> None:
        with self.connect("postgres", "postgres", "SUPERUSER_PASSWORD") as s:
            s.execute(f"CREATE ROLE overseer LOGIN PASSWORD '{self.passwords[DATABASE_PASSWORD]}'".encode())
            s.execute("CREATE DATABASE overseer OWNER overseer")

    # ---- looking

    @property
    def front(self) -> str:
        """Where phones go: address and port of the balancer."""
        return f"{self.machine('balancer').address}:8080"

    def web(self, name: str) -> str:
        """A web host's own address and port."""
        return f"{self.machine(name).address}:8000"

    def is_ready(self, name: str) -> bool:
        """Whether a web host answers and reaches the database."""
        return status(f"http://{self.web(name)}/readyz") == 200

    def primary(self, *, but: str = "") -> str:
        """The name of the primary, "" while there is none. The machine ``but`` is not asked."""
        for name in DATABASES:
            if name != but and status(f"http://{self.machine(name).address}:8008/primary") == 200:
                return name
        return ""

    def synchronous_standby(self) -> str:
        """The standby for which commits wait, "" while there is none."""
        for name in DATABASES:
            if status(f"http://{self.machine(name).address}:8008/synchronous") == 200:
                return name
        return ""

    def whole(self) -> bool:
        """Whether both standbys stream from the primary, one of them synchronously if asked, and etcd is whole.

        The primary is asked, not Patroni on a standby: one that was cut off shows what was before.
        """
        with self.connect("postgres", "postgres", "SUPERUSER_PASSWORD") as s:
            rows = s.execute("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'").fetchall()
        named = not self.synchronous or (("sync",) in rows and bool(self.synchronous_standby()))
        etcd = [status(f"http://{self.machine(name).address}:2379/health") for name in DATABASES]
        return len(rows) == 2 and bool(self.primary()) and named and etcd == [200] * len(DATABASES)

    def connect(
        self, user: str = "overseer", database: str = "overseer", password_of: str = DATABASE_PASSWORD
    ) -> psycopg.Connection[Any]:
        """A connection to the primary that commits each statement. Raises OperationalError."""
        hosts = ",".join(self.machine(name).address for name in DATABASES)
        return psycopg.connect(
            host=hosts, port=5432, user=user, password=self.passwords[password_of], dbname=database,
            target_session_attrs="read-write", connect_timeout=5, autocommit=True,
        )  # fmt: skip


def status(url: str) -> int:
    """The status with which an address answers; 0 where it does not."""
    try:
        with urllib.request.urlopen(url, timeout=3) as answer:  # noqa: S310 - addresses of our own
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
    except (OSError, ValueError):
        return 0


def until(what: str, is_so: Callable[[], bool], said: Callable[[], str], within: float = READY_WITHIN) -> float:
    """Wait until it is so; the seconds that it took. Fails with the logs after ``within`` seconds."""
    began = time.monotonic()
    while time.monotonic() < began + within:
        with suppress(OSError, psycopg.Error):
            if is_so():
                return time.monotonic() - began
        time.sleep(0.1)
    raise AssertionError(f"not within {within:.0f} s: {what}\n{said()}")
