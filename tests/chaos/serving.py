"""The real server as ``overseer serve`` starts it, over a given database, in a process group of its own."""

import ctypes
import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from events.commands.serve import production_server
from events.settings import Settings
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


@dataclass
class Service:
    """A server that can be ended and started again at the same address, over a migrated database."""

    url: str
    data: Path
    port: int = field(default_factory=free_port)
    broken: str | None = None
    """The broken build that it runs (``broken``); None: the sound one."""
    environment: dict[str, str] = field(default_factory=dict)
    """What its process gets beside the settings, for example a library that is loaded before all others."""
    process: subprocess.Popen[bytes] | None = None

    @property
    def said(self) -> Path:
        """What the server and its workers wrote to their log, of all starts."""
        return self.data / "said.txt"

    def start(self, *, wait: bool = True) -> None:
        """Start it; with ``wait`` until it answers that it is healthy."""
        assert self.process is None, "it runs already"
        self.data.mkdir(parents=True, exist_ok=True)
        settings = Settings(self.data, self.url, SECRET, "127.0.0.1", self.port)
        made_by = f"tests.chaos.broken:create_app('{self.broken}')" if self.broken else "app:create_app()"
        of_another = ("DATABASE_URL", "HOST", "PORT", "OVERSEER_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(of_another)}
        ours = {"OVERSEER_DATA": str(self.data), "DATABASE_URL": self.url, "OVERSEER_SECRET": SECRET}
        with self.said.open("ab") as out:
            self.process = subprocess.Popen(
                production_server(settings, made_by), env=kept | ours | self.environment, cwd=ROOT,
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, preexec_fn=_end_with_parent,
            )  # fmt: skip
        if wait:
            self.wait_until_healthy()

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
def serving(url: str, data: Path, *, broken: str | None = None, **environment: str) -> Iterator[Service]:
    """Serve this migrated database from a free port until the block ends, however it ends."""
    service = Service(url, data, broken=broken, environment=environment)
    try:
        service.start()
        yield service
    finally:
        service.kill()


def _end_with_parent() -> None:
    # A test run that is killed leaves no server behind: Linux ends it with the process that started it.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
