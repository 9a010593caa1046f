"""500 phones that ask again and again. Run: ``python -m benchmarks.closed_loop [--seconds 10]``, from the checkout.

Plays five rounds of an event of two players a table, serves it with ``overseer serve`` as it ships, and lets so many
phones, each on a line that it keeps, ask for one page as soon as the last answer is there: the pairings of a round and
the standings (T1, T5). Before that stands how long the first look at the standings takes after a change, when they are
calculated and rendered anew. Client and server share the machine. Of the runs the median rate and the worst 99th
percentile are printed; a closed loop hides who queues, so read it together with ``benchmarks.burst``.
"""

import argparse
import json
import os
import platform
import re
import resource
import selectors
import socket
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from benchmarks.burst import Server, get, one_answer, played_and_served
from models.db import write

ROUNDS = 6
LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")


@dataclass
class Phone:
    """One phone: its line, what came so far of the answer at hand, and since when it waits."""

    line: socket.socket
    received: bytearray
    since: float


@dataclass(frozen=True)
class Loop:
    """What a run came to; times in milliseconds."""

    per_second: float
    p99: float
    most: float
    errors: int
    bytes: int
    server_cpu: float
    """Processor time of all server processes for one request."""


def loop(server: Server, asked: bytes, phones: int, seconds: float) -> Loop:
    """Let the phones ask for so long."""
    asked = asked.replace(b"Connection: close\r\n", b"")
    selector, taken = selectors.DefaultSelector(), list[float]()
    errors, size, used = 0, 0, server.cpu()
    start = time.perf_counter()
    for _ in range(phones):
        _connect(selector, server.port, asked)
    while (now := time.perf_counter()) - start < seconds:
        for key, _ in selector.select(timeout=1):
            phone: Phone = key.data
            try:
                part = phone.line.recv(262_144)
            except OSError:
                part = b""
            phone.received += part
            whole = _whole(phone.received)
            if part and not whole:
                continue
            now = time.perf_counter()
            taken.append((now - phone.since) * 1000)
            errors += bytes(phone.received[9:12]) not in (b"200", b"304")
            size = max(size, whole)
            if part:
                phone.received, phone.since = bytearray(), now
                phone.line.sendall(asked)
            else:
                selector.unregister(phone.line)
                phone.line.close()
                _connect(selector, server.port, asked)
    for key in list(selector.get_map().values()):
        key.data.line.close()
    selector.close()
    taken.sort()
    cpu = (server.cpu() - used) / max(1, len(taken))
    return Loop(len(taken) / seconds, taken[int(0.99 * len(taken))], taken[-1], errors, size, cpu)


def _connect(selector: selectors.BaseSelector, port: int, asked: bytes) -> None:
    line = socket.create_connection(("127.0.0.1", port), timeout=30)
    line.sendall(asked)
    line.setblocking(False)
    selector.register(line, selectors.EVENT_READ, Phone(line, bytearray(), time.perf_counter()))


def _whole(received: bytearray) -> int:
    """How long the answer is, once all of it is there; 0 before."""
    head = received.find(b"\r\n\r\n")
    found = LENGTH.search(received, 0, head) if head >= 0 else None
    length = head + 4 + int(found.group(1)) if found else 0
    return length if found and len(received) >= length else 0


def measure(tables: int, phones: int, seconds: float, runs: int) -> dict[str, Sequence[Loop] | Sequence[float]]:
    """Every loop ``runs`` times, and the first look at the standings as often."""
    with played_and_served(tables, ROUNDS) as (_, server, s, event):
        first: list[float] = []
        for _ in range(runs * 3):
            with write(s, datetime.now(UTC), event):
                pass  # a new version: nothing that is kept is good any more
            began = time.perf_counter()
            assert one_answer(server.port, get(f"/e/{event.slug}/standings", server.port))[0] == 200
            first.append((time.perf_counter() - began) * 1000)
        found: dict[str, Sequence[Loop] | Sequence[float]] = {"standings, the first look": first}
        for name, path in (("pairings", f"rounds/{ROUNDS}"), ("standings", "standings")):
            asked = get(f"/e/{event.slug}/{path}", server.port)
            for _ in range(8):
                one_answer(server.port, asked)  # both workers have it
            found[name] = [loop(server, asked, phones, seconds) for _ in range(runs)]
    return found


def main() -> None:
    """Measure, and print lines and the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("tables", 250), ("phones", 500), ("seconds", 10), ("runs", 3)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    wanted = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, 8192))
    found = measure(wanted.tables, wanted.phones, wanted.seconds, wanted.runs)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}; {wanted.tables} tables, {wanted.phones} phones, milliseconds")
    for name, runs in found.items():
        loops = [one for one in runs if isinstance(one, Loop)]
        if not loops:
            times = [one for one in runs if isinstance(one, float)]
            print(f"{name}: median {statistics.median(times):.0f}, most {max(times):.0f}")
            continue
        rate, worst = statistics.median(one.per_second for one in loops), max(one.p99 for one in loops)
        print(
            f"{name}, {len(loops)} runs: {rate:.0f} a second, p99 {worst:.0f}, "
            f"most {max(one.most for one in loops):.0f}, errors {sum(one.errors for one in loops)}, "
            f"{loops[0].bytes} bytes, server cpu {statistics.median(one.server_cpu for one in loops):.2f}"
        )
    print(
        json.dumps({k: [asdict(one) if isinstance(one, Loop) else round(one) for one in v] for k, v in found.items()})
    )


if __name__ == "__main__":
    main()
