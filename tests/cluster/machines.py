"""The machines of deploy/cluster: each has a network of its own, and its files of deploy/cluster, filled in."""

import re
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import psycopg

from tests.chaos.outcome import ROOT
from tests.chaos.serving import SECRET

DATABASES = {"db1": "192.0.2.11", "db2": "192.0.2.12", "db3": "192.0.2.13"}
WEB_HOSTS, BALANCER = {"web1": "192.0.2.21", "web2": "192.0.2.22", "web3": "192.0.2.23"}, "192.0.2.10"
PASSWORDS = ("SUPERUSER_PASSWORD", "REPLICATION_PASSWORD", "REWIND_PASSWORD", "DATABASE_PASSWORD")
AS_POSTGRES = "exec setpriv --reuid=postgres --regid=postgres --clear-groups --"
PROGRAMS = {
    "etcd.yml": f"{AS_POSTGRES} etcd --config-file etcd.yml",
    "patroni.yml": f"{AS_POSTGRES} env PYTHONPATH=../patroni /usr/bin/python3 -P -m patroni patroni.yml",
    "pgbouncer.ini": f"{AS_POSTGRES} pgbouncer pgbouncer.ini",
    "overseer.env": 'while read -r one; do case $one in [A-Z]*) export "$one";; esac; done < overseer.env; while :; do '
    f"{sys.executable} -P {Path(sys.executable).with_name('overseer')} serve; sleep 2; done",
    "haproxy.cfg": "exec haproxy -db -f haproxy.cfg",
}
ROLES = """SELECT host(client_addr), sync_state FROM pg_stat_replication WHERE state = 'streaming'
UNION ALL SELECT host(inet_server_addr()), 'primary'"""
HALL = """mkdir -p /run/netns && mount -t tmpfs hall /run/netns && ip link set lo up && ip link add hall type bridge &&
ip address add 192.0.2.1/24 dev hall && ip link set hall up"""
LINK = """ip netns add {0} && ip link add to-{0} type veth peer name eth0 netns {0} && ip link set to-{0} master hall up
ip -n {0} link set lo up && ip -n {0} link set eth0 up && ip -n {0} address add {1}/24 dev eth0"""


@dataclass
class Machine:
    """A machine, which works in the folder of its name with these files."""

    address: str
    folder: Path
    files: tuple[str, ...]

    def start(self) -> None:
        """Start everything on it, Overseer again whenever it ends; does not wait until it answers."""
        for file in self.files:
            with (self.folder / f"{file}.log").open("ab") as out:
                subprocess.Popen(
                    ["nsenter", f"--net=/run/netns/{self.folder.name}", "sh", "-c", PROGRAMS[file]], cwd=self.folder,
                    stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
                    env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
                )  # fmt: skip

    def end(self, by: str = "KILL") -> None:
        """Send a signal to all its processes, and wait until they have ended."""
        shell(f"ip netns pids {self.folder.name} | xargs -r kill -{by} || true")
        until(f"{self.folder.name} has ended", lambda: not shell(f"ip netns pids {self.folder.name}"), pause=0.05)

    def is_ready(self) -> bool:
        """Whether a web host, or the balancer, reaches the database."""
        return read(f"{self.address}:{8080 if self.address == BALANCER else 8000}", "/readyz")[0] == 200

    def link(self, state: str) -> None:
        """Cut it off from all others ("down"), or connect it again ("up")."""
        shell(f"ip link set to-{self.folder.name} {state}")


class Cluster:
    """Three database machines, three web hosts and a balancer."""

    def __init__(self, folder: Path, *, pooled: bool) -> None:
        """Make the machines and start all, in the order of the operator's guide. ``pooled``: through PgBouncer."""
        self.passwords = {name: secrets.token_urlsafe(24) for name in PASSWORDS} | {"THE_SECRET": SECRET}
        if pooled:  # as pgbouncer.ini says
            self.passwords["&target_session_attrs"] = "&port=6432,6432,6432&target_session_attrs"
        shell(f"{HALL}\ncp -r {ROOT}/build/cluster {folder}/patroni; chmod -R a+rX {folder}/patroni")  # for postgres
        on_databases = ("etcd.yml", "patroni.yml", *(["pgbouncer.ini"] if pooled else []))
        self.databases = [self._made(folder / name, at, *on_databases) for name, at in DATABASES.items()]
        self.web_hosts = [self._made(folder / name, at, "overseer.env") for name, at in WEB_HOSTS.items()]
        balancer = self._made(folder / "balancer", BALANCER, "haproxy.cfg")
        for machine in self.databases:
            machine.start()
        until("a primary with two standbys", self.whole)
        with self.connect() as primary:
            primary.execute(f"CREATE ROLE overseer LOGIN PASSWORD '{self.passwords['DATABASE_PASSWORD']}'".encode())
            primary.execute("CREATE DATABASE overseer OWNER overseer")
        for machine in (*self.web_hosts, balancer):
            machine.start()
            until(f"{machine.address} is ready", machine.is_ready)
        (self.url,) = re.findall(r"^DATABASE_URL=(.*)", (folder / "web1" / "overseer.env").read_text(), re.MULTILINE)

    def _made(self, folder: Path, address: str, *files: str) -> Machine:
        """A machine with its files, in which all folders are within its own."""
        shell(f"mkdir -p {folder}/postgresql {folder}/pgbouncer; {LINK.format(folder.name, address)}")
        changes = self.passwords | {"THIS_NAME": folder.name, "THIS_ADDRESS": address}
        changes |= dict.fromkeys(("/var/lib/", "/var/run/", "/etc/"), f"{folder}/")
        for file in files:
            text = (ROOT / "deploy" / "cluster" / file).read_text(encoding="utf-8")
            for found, instead in changes.items():
                text = text.replace(found, instead)
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "pgbouncer" / "userlist.txt").write_text(f'"overseer" "{self.passwords["DATABASE_PASSWORD"]}"\n')
        shell(f"chown -R {'postgres' if 'patroni.yml' in files else 'root'}: {folder}")
        return Machine(address, folder, files)

    def connect(self) -> psycopg.Connection[Any]:
        """The administrator's connection to the primary, past PgBouncer. Raises OperationalError."""
        at = f"host={','.join(DATABASES.values())} port=5432 dbname=postgres user=postgres connect_timeout=2"
        at += f" password={self.passwords['SUPERUSER_PASSWORD']} target_session_attrs=read-write tcp_user_timeout=5000"
        return psycopg.connect(at, autocommit=True)

    def roles(self) -> dict[str, Machine]:
        """The machines by PostgreSQL's word: "primary", "sync" (commits wait for it), "async". Raises psycopg.Error."""
        by_address = {machine.address: machine for machine in self.databases}
        with self.connect() as primary:
            return {word: by_address[address] for address, word in primary.execute(ROLES)}

    def whole(self) -> bool:
        """Whether all three database machines, and etcd on them, work together."""
        healthy = all(read(f"{address}:2379", "/health")[0] == 200 for address in DATABASES.values())
        return healthy and {*self.roles()} == {"primary", "sync", "async"}


def shell(command: str) -> str:
    """What a command says. Fails where it fails."""
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def until(what: str, is_so: Callable[[], bool], pause: float = 0.2) -> None:
    """Wait until it is so; fails after two minutes."""
    end = time.monotonic() + 120
    while True:
        with suppress(OSError, psycopg.Error):
            if is_so():
                return
        assert time.monotonic() < end, f"not within two minutes: {what}"
        time.sleep(pause)


def read(host: str, path: str, cookie: str = "") -> tuple[int, str]:
    """The status and the text with which a host answers; 0 and "" where no page came."""
    try:
        with closing(HTTPConnection(host, timeout=10)) as connection:
            connection.request("GET", path, headers={"Cookie": f"overseer={cookie}"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
    except (OSError, HTTPException):
        return 0, ""
