"""R5, F11: phones lose the network at any byte of their post or of its answer, and send again by the same key."""

import random
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

from tests.chaos.hall import Hall, Table, open_hall
from tests.chaos.history import SAVED, UNKNOWN, History, hold_against
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Warm, serving

PHONES = 8
TABLES = {"short": 1, "full": 10}
"""For each phone."""
POSTS = {"short": 5, "full": 25}
"""For each table."""
ANSWER = 700
"""Bytes of an answer in which it is cut; longer than any."""


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path, seed: int) -> Outcome:
    """Let each phone send its posts, each cut at least once before it gets through."""
    outcome, url = Outcome(), fresh()
    size = size if broken is None else "short"
    hall, history = open_hall(url, 2 * PHONES * TABLES[size]), History()
    with serving(url, data / (broken or "sound"), warm, broken) as service:
        phones = [
            threading.Thread(
                target=_phone, args=(hall, own, history, service.port, POSTS[size], random.Random(seed + n))
            )
            for n, own in enumerate(hall.tables[number::PHONES] for number in range(PHONES))
        ]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
    hold_against(history, hall, outcome)
    return outcome


def _phone(hall: Hall, own: Sequence[Table], history: History, port: int, posts: int, dice: random.Random) -> None:
    for version, table in product(range(posts), own):
        one = history.next_report(table, version)
        whole = one.browser.bytes_of(hall.report_path, one.fields, outbox=True)
        for _ in range(dice.randint(1, 3)):
            _cut(port, whole, dice, history)
        while history.settle(one, port, hall.report_path) == UNKNOWN and one.tries < 20:
            pass
        if one.state != SAVED:
            return  # its next version is anybody's guess


def _cut(port: int, whole: bytes, dice: random.Random, history: History) -> None:
    """Send it up to some byte, or take its answer up to some byte; then the line is gone."""
    with socket.socket() as line, suppress(OSError):
        # No farewell: what was on its way is thrown away, as where a phone leaves the room.
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.settimeout(30)
        line.connect(("127.0.0.1", port))
        if dice.randrange(2):
            line.sendall(whole[: dice.randrange(len(whole))])
            cut = "cut in the post"
        else:
            line.sendall(whole)
            left = dice.randrange(ANSWER)
            while left and (part := line.recv(left)):
                left -= len(part)
            cut = "cut in the answer"
        with history.lock:
            history.counts[cut] += 1
