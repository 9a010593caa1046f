"""How long a restart takes. Run: ``python benchmarks/restart.py [--players 250] [--runs 10]``, from the checkout.

Plays an event into a folder of its own and serves it with ``overseer serve`` as it ships. Then, again and again: all
processes of the service are killed at once, as by a power cut, and it is started anew; the time is that from the start
of the command until the health check is answered 200, and the page of the round. Printed with it: the processor time of
all its processes, which a machine that is busy otherwise does not change much. Everything is ended by its id.
"""

import argparse
import json
import os
import platform
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import migrations
from models.db import open_engine
from service.commands.demo import play_demonstration
from service.settings import read_settings

BOUND = 60.0
"""Seconds within which a start has to be answered."""


def started(data: Path, port: int) -> subprocess.Popen[bytes]:
    """Start ``overseer serve`` over this folder, in a process group of its own."""
    environment = os.environ | {"OVERSEER_DATA": str(data), "HOST": "127.0.0.1", "PORT": str(port)}
    serve = [sys.executable, "-m", "service.commands.main", "serve"]
    silent = subprocess.DEVNULL
    return subprocess.Popen(serve, env=environment, stdout=silent, stderr=silent, start_new_session=True)


def answered(port: int, path: str, began: float) -> float:
    """Milliseconds from ``began`` until this address is answered 200. Raises TimeoutError."""
    while time.perf_counter() - began < BOUND:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=BOUND) as answer:
                if answer.status == 200:
                    return (time.perf_counter() - began) * 1000
        except OSError:
            time.sleep(0.01)
    raise TimeoutError(f"{path} was not answered in {BOUND} s")


def processor(group: int) -> float:
    """Milliseconds of processor time that the processes of a group have used until now."""
    used = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if int(fields[2]) == group:
            used += int(fields[11]) + int(fields[12])
    return used * 1000 / os.sysconf("SC_CLK_TCK")


def restarted(data: Path, port: int, page: str) -> tuple[float, float, float]:
    """One start, and the end of all its processes: milliseconds to the health check, to the page, of the processor."""
    began = time.perf_counter()
    service = started(data, port)
    try:
        return answered(port, "/healthz", began), answered(port, page, began), processor(service.pid)
    finally:
        os.killpg(service.pid, signal.SIGKILL)
        service.wait()


def measure(players: int, runs: int) -> dict[str, Sequence[float]]:
    """All starts, in milliseconds."""
    with tempfile.TemporaryDirectory(prefix="overseer-restart-", ignore_cleanup_errors=True) as folder:
        data = Path(folder)
        engine = open_engine(read_settings({"OVERSEER_DATA": folder}).database_url)
        migrations.upgrade(engine)
        page = f"/e/{play_demonstration(engine, players=players, rounds=3, seed=7, leave_open=True)}/rounds/3"
        engine.dispose()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        restarted(data, port, page)  # the first reads the code from the disk
        starts = [restarted(data, port, page) for _ in range(runs)]
    return {
        "restart to the health check": [one for one, _, _ in starts],
        "restart to the page of the round": [one for _, one, _ in starts],
        "processor time of all until then": [one for _, _, one in starts],
    }


def main() -> None:
    """Measure, and print a table and the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=250)
    parser.add_argument("--runs", type=int, default=10)
    wanted = parser.parse_args()
    load = os.getloadavg()[0]
    found = measure(wanted.players, wanted.runs)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, load before {load:.1f}")
    print(f"{wanted.players} players, {wanted.runs} kills and restarts; milliseconds")
    print(f"{'':36} median   most")
    for name, times in found.items():
        print(f"{name:36} {statistics.median(times):6.0f} {max(times):6.0f}")
    print(json.dumps({name: [round(one) for one in times] for name, times in found.items()}))


if __name__ == "__main__":
    main()
