"""The production server over a given database, in a process group of its own, to be killed and started again."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from service.commands.serve import production_server
from service.settings import Settings
from tests.browser.server import environment, free_port, wait_until_healthy
from tests.chaos.outcome import ROOT
from tests.kit.postgres import end_with_parent

SECRET = "a secret for chaos, of enough characters"


@dataclass
class Service:
    """A server that can be killed and started again at the same address, over a migrated database."""

    url: str
    data: Path
    broken: str | None = None
    """The broken build that it runs (``broken``); None: the sound one."""
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers that it is healthy."""
        assert self.process is None, "it runs already"
        self.data.mkdir(parents=True, exist_ok=True)
        settings = Settings(self.data, self.url, SECRET, "127.0.0.1", self.port)
        made_by = f"tests.chaos.broken:create_app('{self.broken}')" if self.broken else "app:create_app()"
        ours = {"DATABASE_URL": self.url, "OVERSEER_SECRET": SECRET}
        with self.said.open("a") as said:
            self.process = subprocess.Popen(
                production_server(settings, made_by), env=environment(self.data, self.port) | ours, cwd=ROOT,
                stdin=subprocess.DEVNULL, stdout=said, stderr=said, process_group=0,
                preexec_fn=partial(end_with_parent, signal.SIGKILL),
            )  # fmt: skip
        wait_until_healthy(self.process, f"http://127.0.0.1:{self.port}", self.said)

    @property
    def said(self) -> Path:
        """The file with what it and its workers write to their log."""
        return self.data / "said.txt"

    def kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):  # the whole group is gone already
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@contextmanager
def serving(url: str, data: Path, broken: str | None = None) -> Iterator[Service]:
    """Serve this migrated database from a free port until the block ends, however it ends."""
    service = Service(url, data, broken)
    try:
        service.start()
        yield service
    finally:
        service.kill()
