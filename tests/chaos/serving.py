"""The production server on a given database, in its own process group, to be killed and restarted."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from service.commands.unix_server import production_server
from service.settings import Settings
from tests.browser.server import environment, free_port, wait_until_healthy
from tests.chaos.outcome import ROOT
from tests.kit.postgres import end_with_parent

SECRET = "a secret for chaos, of enough characters"


@dataclass
class Service:
    """A server on a migrated database that can be killed and restarted at the same address."""

    url: str
    data: Path
    broken: str | None = None
    """The name of the broken build (``broken.py``); None: the sound build."""
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, and wait until it reports that it is healthy."""
        assert self.process is None, "the server runs already"
        self.data.mkdir(parents=True, exist_ok=True)
        settings = Settings(self.data, self.url, SECRET, "127.0.0.1", self.port)
        made_by = f"tests.chaos.broken:create_app('{self.broken}')" if self.broken else "app:create_app()"
        ours = {"DATABASE_URL": self.url, "OVERSEER_SECRET": SECRET}
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                production_server(settings, made_by), env=environment(self.data, self.port) | ours, cwd=ROOT,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0,
                preexec_fn=partial(end_with_parent, signal.SIGKILL),
            )  # fmt: skip
        wait_until_healthy(self.process, f"http://127.0.0.1:{self.port}", self.log)

    @property
    def log(self) -> Path:
        """The log of the server and its workers."""
        return self.data / "said.txt"

    def kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):  # all its processes have ended
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@contextmanager
def serving(url: str, data: Path, broken: str | None = None) -> Iterator[Service]:
    """Serve this migrated database on a free port until the block ends; an exception ends it too."""
    service = Service(url, data, broken)
    try:
        service.start()
        yield service
    finally:
        service.kill()
