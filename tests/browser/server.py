"""The production server, started by ``overseer serve`` with the test's own data folder."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from service.commands.unix_server import NICE

OVERSEER = [sys.executable, str(Path(sys.executable).with_name("overseer"))]
START_WITHIN = 120.0
"""The most seconds; it takes two on an idle machine."""


@dataclass(frozen=True)
class Server:
    """A running service: its address, the set-up link it made, and its process."""

    address: str
    set_up_link: str
    process: int


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def environment(data: Path, port: int) -> dict[str, str]:
    """The environment of a service with this data folder, without the settings of a real installation."""
    ours = {"DATABASE_URL", "OVERSEER_DATA", "OVERSEER_SECRET", "HOST", "PORT"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return kept | {"OVERSEER_DATA": str(data), "HOST": "127.0.0.1", "PORT": str(port)}


def overseer(data: Path, *arguments: str) -> str:
    done = subprocess.run(
        [*OVERSEER, *arguments], env=environment(data, 8000), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def children_of(process: int) -> list[int]:
    """The ids of a process's running children."""
    return [int(text) for text in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def maintenance_of(server: int) -> list[int]:
    """The ids of a server's processes with lower priority: mail and maintenance."""
    usual = os.getpriority(os.PRIO_PROCESS, server)
    lower = min(usual + NICE, 19)
    return [child for child in children_of(server) if os.getpriority(os.PRIO_PROCESS, child) == lower]


@contextmanager
def serving(data: Path, *options: str, **settings: str) -> Iterator[Server]:
    """Serve ``data`` on a free port until the block ends; ``settings`` are further environment variables."""
    port = free_port()
    data.mkdir(parents=True, exist_ok=True)
    said = data / "said.txt"
    with said.open("w") as out:
        process = subprocess.Popen(
            [*OVERSEER, "serve", *options],
            env=environment(data, port) | settings,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        address = f"http://{settings.get('HOST', '127.0.0.1')}:{port}"
        wait_until_healthy(process, address, said)
        made = data / "set-up-link"  # its host is the public address, if one is set
        link = re.search(r"/set-up/\S+", made.read_text()) if made.exists() else None
        yield Server(address, address + link.group() if link else "", process.pid)
        # An exception in the log is a fault.
        assert "Traceback" not in said.read_text(), said.read_text()
    finally:
        process.terminate()
        try:
            process.wait(60)  # killing it would leave workers that hold the service lock
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_healthy(process: subprocess.Popen[bytes], address: str, said: Path) -> None:
    """Wait until the server answers; ``said`` is its log."""
    end = time.monotonic() + START_WITHIN
    while time.monotonic() < end:
        assert process.poll() is None, f"overseer serve ended:\n{said.read_text()}"
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:  # noqa: S310 - our own server
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"no answer from {address} in {START_WITHIN} s:\n{said.read_text()}")
