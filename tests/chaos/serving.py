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

    def poll(self) -> int | None:
        """None while it runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self, timeout: float = 20) -> int:
        """Wait for its end. Raises TimeoutExpired."""
        end = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("gunicorn", timeout)
            time.sleep(0.005)
        return 0

    def terminate(self) -> None:
        """Ask it to end."""
        os.kill(self.pid, signal.SIGTERM)


class Warm:
    """A parent of servers that has read the whole service already (``warm``): what it starts, answers ten times sooner.

    For harnesses that start hundreds. What a library loaded before all others would change needs a start of its own.
    """

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
    """A server that can be ended and started again at the same address, over a migrated database."""

    url: str
    data: Path
    port: int = field(default_factory=free_port)
    broken: str | None = None
    """The broken build that it runs (``broken``); None: the sound one."""
    made_by: str = "app:create_app()"
    """What gunicorn asks for the application, where it runs no broken build."""
    environment: dict[str, str] = field(default_factory=dict)
    """What its process gets in addition to the settings, for example a library that is loaded before all others."""
    warm: Warm | None = None
    """Who starts it, where not we ourselves do."""
    log_in: Path | None = None
    """The folder of its log, where that is not its data folder."""
    process: subprocess.Popen[bytes] | Forked | None = None

    @property
    def said(self) -> Path:
        """What the server and its workers wrote to their log, of all starts."""
        return (self.log_in or self.data) / "said.txt"

    def start(self, *, wait: bool = True) -> None:
        """Start it; with ``wait`` until it answers that it is healthy."""
        assert self.process is None, "it runs already"
        self.data.mkdir(parents=True, exist_ok=True)
        settings = Settings(self.data, self.url, SECRET, "127.0.0.1", self.port)
        made_by = f"tests.chaos.broken:create_app('{self.broken}')" if self.broken else self.made_by
        of_another = ("DATABASE_URL", "HOST", "PORT", "OVERSEER_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(of_another)}
        ours = {"OVERSEER_DATA": str(self.data), "DATABASE_URL": self.url, "OVERSEER_SECRET": SECRET}
        command, environment = production_server(settings, made_by), kept | ours | self.environment
        if self.warm is not None:
            self.process = self.warm.start(command, environment, self.said)
        else:
            self._start_cold(command, environment)
        if wait:
            self.wait_until_healthy()

    def _start_cold(self, command: list[str], environment: dict[str, str]) -> None:
        with self.said.open("ab") as out:
            self.process = subprocess.Popen(
                command, env=environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True, preexec_fn=_end_with_parent,
            )  # fmt: skip

    def wait_until_healthy(self) -> float:
        """Wait for the first answer of 200 from ``/healthz``; how many seconds that took."""
        began = time.monotonic()
        while time.monotonic() < began + START_WITHIN:
            assert self.process is not None and self.process.poll() is None, f"it ended:\n{self.log()}"
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                    if answer.status == 200:
                        return time.monotonic() - began
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"no answer in {START_WITHIN} s:\n{self.log()}")

    def log(self) -> str:
        """The end of what it wrote to its log."""
        return self.said.read_text(encoding="utf-8", errors="replace")[-4000:] if self.said.exists() else ""

    def workers(self) -> list[int]:
        """The process ids of its workers as they are now."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(one) for one in children.split()]

    def kill(self) -> None:
        """End the whole process group at once, as a power cut would end the processes; wait until it is gone."""
        if self.process is not None:
            self._signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """End it as an organiser does; what does not end in time is killed."""
        if self.process is None:
            return
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(20)
        self.kill()

    def _signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return  # the whole group is gone already


@contextmanager
def serving(
    url: str, data: Path, *, broken: str | None = None, warm: Warm | None = None, **environment: str
) -> Iterator[Service]:
    """Serve this migrated database from a free port until the block ends, however it ends."""
    service = Service(url, data, broken=broken, environment=environment, warm=warm)
    try:
        service.start()
        yield service
    finally:
        service.kill()


def _end_with_parent() -> None:
    # A test run that is killed leaves no server behind: Linux ends it with the process that started it.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
