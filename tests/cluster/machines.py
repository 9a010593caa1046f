"""Machines of the trial: a network namespace each, or an address of 127.0.0.0/8 each; and what runs on them.

``./run test --cluster`` starts the tests in namespaces of their own (``separated``): when their first process ends,
however it ends, the kernel ends all others and removes the network.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

IN_NAMESPACES = "CLUSTER_IN_NAMESPACES"
"""Set in the environment of a process that has a network of its own."""
OWN_NETWORK = "192.0.2."
LOOPBACK = "127.0.2."
OUTSIDE = 1
"""The last part of the address that phones have."""
END_WITHIN = 20.0
_LIBC, _PR_SET_PDEATHSIG = ctypes.CDLL(None), 1


def separated(command: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The command that runs ``command`` in namespaces of its own, and its additions to the environment.

    Where this user may not make namespaces it is ``command`` itself.
    """
    apart = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
    try:
        possible = subprocess.run([*apart, "true"], capture_output=True, timeout=20).returncode == 0
    except OSError:
        possible = False
    if possible and os.geteuid() == 0 and shutil.which("ip") and shutil.which("nsenter"):
        # The shell is the first process there: it takes away what other processes leave dead behind. Patroni would
        # take the dead PostgreSQL before it for a running one.
        return [*apart, "sh", "-c", '"$@"; exit $?', "sh", *command], {IN_NAMESPACES: "1"}
    return [*command], {}


@dataclass
class Service:
    """A program on a machine: started, killed, stopped by process ids."""

    name: str
    folder: Path
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        """What it wrote."""
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        """Start it; does not wait until it answers."""
        assert self.process is None, f"{self.name} runs already"
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env={**_plain(), **self.environment}, stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, start_new_session=True, preexec_fn=_end_with_parent,
            )  # fmt: skip

    def pids(self) -> list[int]:
        """Its processes: what it started, and what works in its folder (PostgreSQL leaves Patroni's session)."""
        parents = _parents()
        found = {self.process.pid} if self.process else set()
        found |= {pid for pid in parents if _works_in(pid, self.folder)}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return sorted(found)

    def kill(self) -> None:
        """Kill all its processes with SIGKILL and wait until they are gone."""
        end = time.monotonic() + END_WITHIN
        while pids := [pid for pid in self.pids() if _runs(pid)]:
            assert time.monotonic() < end, f"{self.name} does not end: {pids}"
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            if self.process:
                self.process.poll()
            time.sleep(0.01)
        if self.process:
            self.process.wait()
            self.process = None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all its processes."""
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def said(self) -> str:
        """The end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:] if self.log.exists() else ""


@dataclass
class Machine:
    """A name, an address, a folder, and what runs there."""

    name: str
    address: str
    folder: Path
    holder: subprocess.Popen[bytes] | None
    """The process that keeps its network namespace; None on loopback addresses."""
    services: dict[str, Service] = field(default_factory=dict)

    def add(self, name: str, command: Sequence[str], *, user: str = "", **environment: str) -> Service:
        """A service in a folder of its own, as this user if root; not started yet."""
        folder = self.folder / name
        folder.mkdir()
        before: list[str] = []
        if self.holder:
            before += ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net", "--"]
        if user and os.geteuid() == 0:
            shutil.chown(folder, user, user)
            before += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]
        service = Service(f"{self.name}-{name}", folder, [*before, *command], environment)
        self.services[name] = service
        return service

    def isolate(self) -> None:
        """Cut it off from all others: its link goes down, or, on loopback, its processes stand still."""
        if self.holder:
            _run("ip", "link", "set", f"to-{self.name}", "down")
        else:
            for service in self.services.values():
                service.signal(signal.SIGSTOP)

    def join(self) -> None:
        """End its isolation."""
        if self.holder:
            _run("ip", "link", "set", f"to-{self.name}", "up")
        else:
            for service in self.services.values():
                service.signal(signal.SIGCONT)


class Network:
    """The machines, and the network between them."""

    def __init__(self, folder: Path) -> None:
        """A network without machines; their files go to ``folder``."""
        self.folder = folder
        self.namespaces = IN_NAMESPACES in os.environ
        self.machines: dict[str, Machine] = {}
        if self.namespaces and not Path("/proc/sys/net/ipv4/conf/overseer").exists():
            _run("ip", "link", "set", "lo", "up")
            _run("ip", "link", "add", "overseer", "type", "bridge")
            _run("ip", "address", "add", f"{OWN_NETWORK}{OUTSIDE}/24", "dev", "overseer")
            _run("ip", "link", "set", "overseer", "up")

    def here(self, text: str) -> str:
        """A text with the addresses of the examples, as they are in this network."""
        if self.namespaces:
            return text
        # On loopback every client comes from 127.0.0.1.
        return text.replace(f"{OWN_NETWORK}0/24", "127.0.0.0/8").replace(OWN_NETWORK, LOOPBACK)

    def add(self, name: str, last: int) -> Machine:
        """A machine whose address ends with this number."""
        folder = self.folder / name
        folder.mkdir()
        folder.chmod(0o755)
        holder = self._link(name, f"{OWN_NETWORK}{last}") if self.namespaces else None
        self.machines[name] = Machine(name, self.here(f"{OWN_NETWORK}{last}"), folder, holder)
        return self.machines[name]

    def _link(self, name: str, address: str) -> subprocess.Popen[bytes]:
        holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"], stdin=subprocess.DEVNULL)
        ours = Path("/proc/self/ns/net").readlink()
        while Path(f"/proc/{holder.pid}/ns/net").readlink() == ours:
            assert holder.poll() is None, "no network namespace could be made"
            time.sleep(0.01)
        _run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", str(holder.pid))
        _run("ip", "link", "set", f"to-{name}", "master", "overseer", "up")
        inside = ["nsenter", f"--net=/proc/{holder.pid}/ns/net", "--", "ip"]
        _run(*inside, "link", "set", "lo", "up")
        _run(*inside, "address", "add", f"{address}/24", "dev", "eth0")
        _run(*inside, "link", "set", "eth0", "up")
        return holder

    def services(self) -> Iterator[Service]:
        """All that runs or ran."""
        for machine in self.machines.values():
            yield from machine.services.values()

    def end(self) -> None:
        """Kill everything, and remove the network and the files."""
        for machine in self.machines.values():
            for service in machine.services.values():
                service.kill()
            if machine.holder:
                _run("ip", "link", "delete", f"to-{machine.name}")  # the kernel would do it some time later
                machine.holder.kill()
                machine.holder.wait()
        if self.namespaces:
            _run("ip", "link", "delete", "overseer")
        shutil.rmtree(self.folder, ignore_errors=True)


def working_in(folder: Path) -> list[int]:
    """All processes whose folder is this one or lies in it."""
    return [pid for pid in _parents() if _works_in(pid, folder)]


def kill_in(folder: Path) -> None:
    """Kill all processes that work in this folder, and wait until they are gone."""
    end = time.monotonic() + END_WITHIN
    while pids := [pid for pid in working_in(folder) if _runs(pid)]:
        assert time.monotonic() < end, f"they do not end: {pids}"
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _end_with_parent() -> None:
    # Without namespaces of their own, services end at least when the tests are killed.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _plain() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPYCACHEPREFIX") if name in os.environ}


def _parents() -> dict[int, int]:
    """Each process with its parent."""
    found: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                found[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def _works_in(pid: int, folder: Path) -> bool:
    try:
        where = Path(f"/proc/{pid}/cwd").readlink()
    except OSError:
        return False
    return where == folder or folder in where.parents


def _runs(pid: int) -> bool:
    """Whether it is there and not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
