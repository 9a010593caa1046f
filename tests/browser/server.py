"""The production server as ``overseer serve`` starts it, over a data folder of the test's own."""

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

from service.commands.maintain import NICE

OVERSEER = [sys.executable, str(Path(sys.executable).with_name("overseer"))]
START_WITHIN = 120.0
"""Seconds; it takes two where nothing else runs."""


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
    """The settings of a service over ``data``, and nothing of a real installation's."""
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
    """The ids of the processes that this one started, and that still run."""
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def maintenance_of(server: int) -> list[int]:
    """The ids of those of a server's processes that leave the processor to pages: mail and maintenance."""
    usual = os.getpriority(os.PRIO_PROCESS, server)
    lower = min(usual + NICE, 19)
    return [one for one in children_of(server) if os.getpriority(os.PRIO_PROCESS, one) == lower]


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[Server]:
    """Serve ``data`` on a free port of this machine until the block ends; ``settings`` are further variables."""
    port = free_port()
    data.mkdir(parents=True, exist_ok=True)
    said = data / "said.txt"
    with said.open("w") as out:
        process = subprocess.Popen(
            [*OVERSEER, "serve"],
            env=environment(data, port) | settings,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        address = f"http://{settings.get('HOST', '127.0.0.1')}:{port}"
        wait_until_healthy(process, address, said)
        made = data / "set-up-link"  # at the public address, where one is set
        link = re.search(r"/set-up/\S+", made.read_text()) if made.exists() else None
        yield Server(address, address + link.group() if link else "", process.pid)
        # What the workers write to their log are faults of ours.
        assert "Traceback" not in said.read_text(), said.read_text()
    finally:
        process.terminate()
        try:
            process.wait(60)  # a killed one leaves workers, which hold the service lock
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_healthy(process: subprocess.Popen[bytes], address: str, said: Path) -> None:
    """Wait until the server answers; ``said`` is the file that it writes to."""
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
