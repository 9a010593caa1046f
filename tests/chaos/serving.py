"""The real server as ``overseer serve`` starts it, over a given database, in a process group of its own."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from service.commands.serve import production_server
from service.settings import Settings
from tests.chaos.outcome import ROOT

SECRET = "a secret for chaos, of enough characters"
START_WITHIN = 60.0
"""Seconds; it takes two where nothing else runs."""
_LIBC, _PR_SET_PDEATHSIG = ctypes.CDLL(None), 1


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass(frozen=True)
class Forked:
    """A server's process that is not our own child."""

    pid: int

    def runs(self) -> bool:
        """Whether it has not ended."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True


class Warm:
    """A parent of servers that has read the whole service already (``warm``): they answer ten times sooner."""

    def __init__(self) -> None:
        """Start it; it ends with ``end``, or with the process that started it."""
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.warm"], cwd=ROOT, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=_end_with_parent,
        )  # fmt: skip

    def start(self, command: list[str], environment: dict[str, str], log: Path) -> Forked:
        """Start what this command of ``production_server`` would start."""
        assert self._parent.stdin is not None and self._parent.stdout is not None
        arguments = command[command.index("gunicorn") + 1 :]
        wanted = {"arguments": arguments, "environment": environment, "log": str(log)}
        self._parent.stdin.write(json.dumps(wanted) + "\n")
        return Forked(int(self._parent.stdout.readline()))

    def end(self) -> None:
        """End it, and whatever it started."""
        assert self._parent.stdin is not None and self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.wait()
        self._parent.stdout.close()


@dataclass
class Service:
    """A server that can be killed and started again at the same address, over a migrated database."""

    url: str
    data: Path
    warm: Warm
    broken: str | None = None
    """The broken build that it runs (``broken``); None: the sound one."""
    port: int = field(default_factory=free_port)
    process: Forked | None = None

    def start(self) -> None:
        """Start it, and wait until it answers that it is healthy."""
        assert self.process is None, "it runs already"
        self.data.mkdir(parents=True, exist_ok=True)
        settings = Settings(self.data, self.url, SECRET, "127.0.0.1", self.port)
        made_by = f"tests.chaos.broken:create_app('{self.broken}')" if self.broken else "app:create_app()"
        of_another = ("DATABASE_URL", "HOST", "PORT", "OVERSEER_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(of_another)}
        ours = {"OVERSEER_DATA": str(self.data), "DATABASE_URL": self.url, "OVERSEER_SECRET": SECRET}
        command, environment = production_server(settings, made_by), kept | ours
        self.process = self.warm.start(command, environment, self.data / "said.txt")
        self._wait_until_healthy(self.process)

    def _wait_until_healthy(self, process: Forked) -> None:
        until = time.monotonic() + START_WITHIN
        while time.monotonic() < until:
            assert process.runs(), f"it ended:\n{self.log()}"
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"no answer in {START_WITHIN} s:\n{self.log()}")

    def log(self) -> str:
        """The end of what it and its workers wrote to their log."""
        said = self.data / "said.txt"
        return said.read_text(encoding="utf-8", errors="replace")[-4000:] if said.exists() else ""

    def kill(self) -> None:
        """End the whole process group at once, as a power cut would end the processes; wait until it is gone."""
        if self.process is not None:
            with suppress(ProcessLookupError):  # the whole group is gone already
                os.killpg(self.process.pid, signal.SIGKILL)
            while self.process.runs():
                time.sleep(0.005)
            self.process = None


@contextmanager
def serving(url: str, data: Path, warm: Warm, broken: str | None = None) -> Iterator[Service]:
    """Serve this migrated database from a free port until the block ends, however it ends."""
    service = Service(url, data, warm, broken)
    try:
        service.start()
        yield service
    finally:
        service.kill()


def _end_with_parent() -> None:
    # A test run that is killed leaves no server behind: Linux ends it with the process that started it.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
