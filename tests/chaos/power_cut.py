"""F17: the power is cut at any moment; acknowledged reports are there afterwards, and the rest is consistent.

Power cannot be cut here. A process that serves reports is run with ``power_cut.c`` loaded before all other libraries,
which writes down each write to the database's files, each time that the disk was waited for, and each answer. A disk
after a cut at one of these moments holds all that was waited for; of what was written since, each write may be there,
or not, or some sectors of it. Such images are made by dice and opened. Every acknowledged report must be there, none
that was not sent, and every promise be kept.
"""

import ctypes
import json
import os
import random
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from app import build_pages, put_over
from events.journal.invariants import UNREADABLE, check_invariants, in_lines
from models.db import open_engine
from models.kept_answer import KeptAnswer
from models.play import Report
from service.settings import Settings
from tests.chaos.broken import build
from tests.chaos.hall import open_hall
from tests.chaos.outcome import ROOT, Outcome, Size
from tests.chaos.serving import SECRET
from tests.chaos.shim import compiled, wait_for_the_disk
from tests.conftest import Clock

PLAYERS = 8
REPORTS: dict[Size, int] = {"short": 6, "full": 120}
IMAGES: dict[Size, int] = {"short": 12, "full": 1200}
CONTROL = 100
"""Images at most until a broken build is found out."""
SECTOR = 512
FILES = {"d": "overseer.sqlite3", "w": "overseer.sqlite3-wal", "j": "overseer.sqlite3-journal"}
HEAD = struct.Struct("cc6xll")


@dataclass(frozen=True)
class Step:
    """What the process asked of a file, or the number of the report that it acknowledged."""

    what: str
    file: str
    at: int
    data: bytes


@dataclass
class Kept:
    """A file on the disk: what it holds for sure, and what was asked since."""

    sure: bytearray = field(default_factory=bytearray)
    since: list[Step] = field(default_factory=list)


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], folder: Path, seed: int) -> Outcome:
    """Serve reports, and open what cuts at many moments would leave; of a broken build until something is found."""
    outcome, dice = Outcome(), random.Random(seed)
    url = fresh()
    before = Path(url.removeprefix("sqlite:///"))
    reports = REPORTS[size if broken is None else "short"]
    steps = _recorded(url, before, reports, broken, folder)
    outcome.counts |= {"reports": reports, "writes": sum(step.what == "W" for step in steps)}
    outcome.counts["waits for the disk"] = sum(step.what == "S" for step in steps)
    wanted = IMAGES[size] if broken is None else CONTROL
    places = range(len(steps) * (broken is not None) // 2, len(steps))
    cuts = dice.sample(places, min(wanted, len(places)))  # each moment once, where there are so many
    cuts = sorted(cuts + dice.choices(places, k=wanted - len(cuts)))
    image = folder / "image" / FILES["d"]
    engine = open_engine(f"sqlite:///{image}")
    for moment, acknowledged, files in _moments(steps, cuts, before.with_name("before").read_bytes()):
        _make(image.parent, files, dice)
        outcome.counts["images"] += 1
        outcome.counts["images with writes that were not waited for"] += any(one.since for one in files.values())
        wrong = _opened(engine, acknowledged, reports)
        outcome.wrong += [f"cut after step {moment}, {acknowledged} reports acknowledged: {one}" for one in wrong]
        engine.dispose()
        if broken is not None and outcome.wrong:
            break
    return outcome


# ---- the record


def _recorded(url: str, path: Path, reports: int, broken: str | None, folder: Path) -> list[Step]:
    """Serve the reports in a process that writes down what it asks of the disk; with the files from before."""
    folder.mkdir(exist_ok=True)
    library = compiled(Path(__file__).with_suffix(".c"), folder)
    record = folder / f"record-{broken or 'sound'}"
    job = {"url": url, "reports": reports, "broken": broken, "record": str(record)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.power_cut"], input=json.dumps(job), capture_output=True, text=True,
        cwd=ROOT, env=os.environ | {"LD_PRELOAD": str(library)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return list(_read(record.read_bytes()))


def _read(record: bytes) -> Iterator[Step]:
    place = 0
    while place < len(record):
        what, file, at, length = HEAD.unpack_from(record, place)
        place += HEAD.size
        yield Step(what.decode(), file.decode(), at, record[place : place + length])
        place += length


def serve(job: Mapping[str, object]) -> None:
    """Take the reports one after another, in a process that has the recorder loaded."""
    url, reports = str(job["url"]), int(str(job["reports"]))
    path = Path(url.removeprefix("sqlite:///"))
    hall = open_hall(url, PLAYERS)
    with build(None if job["broken"] is None else str(job["broken"])):
        path.with_name("before").write_bytes(path.read_bytes())
        recorder = ctypes.CDLL(None)
        recorder.record_into(str(job["record"]).encode())
        pages, engine = build_pages(), open_engine(url)
        put_over(pages, Settings(path.parent, url, SECRET, "127.0.0.1", 8000), engine, Clock(datetime.now(UTC)))
        for number in range(reports):
            table, version = hall.tables[number % len(hall.tables)], number // len(hall.tables)
            side = "ab"[version % 2]
            nth = version // 2 + 1
            rounds = {f"{one}__r6": str(int(one == side)) for one in "ab"}
            fields = table.report(side, version, nth % 6, nth // 6 % 6, key_of(number), **rounds)
            browser = table.a if side == "a" else table.b
            client = pages.test_client()
            client.set_cookie("overseer", browser.cookie)
            answer = client.post(hall.report_path, data=fields | {"csrf_token": browser.token})
            assert answer.status_code == 302, (number, answer.status_code, answer.get_data(as_text=True))
            recorder.record_told(number + 1)
            if number == reports * 2 // 3:
                engine.dispose()  # as a stop and a start: the log is taken in and goes
        os._exit(0)


def key_of(number: int) -> str:
    """The key of a report."""
    return f"report-number-{number}-of-the-day"


# ---- the images


def _moments(steps: list[Step], cuts: list[int], before: bytes) -> Iterator[tuple[int, int, Mapping[str, Kept]]]:
    """At each cut: its place, how many reports were acknowledged, and the files."""
    files = {"d": Kept(bytearray(before))}
    told_of, place = 0, 0
    for number, step in enumerate(steps):
        while place < len(cuts) and cuts[place] == number:
            yield number, told_of, files
            place += 1
        if step.what == "A":
            told_of = step.at
        elif step.what == "U":
            files.pop(step.file, None)
        elif step.what == "S":
            kept = files.setdefault(step.file, Kept())
            for one in kept.since:
                _apply(kept.sure, one)
            kept.since.clear()
        else:
            files.setdefault(step.file, Kept()).since.append(step)


def _apply(held: bytearray, step: Step) -> None:
    if step.what == "T":
        held[:] = held[: step.at].ljust(step.at, b"\0")
        return
    if len(held) < step.at:
        held.extend(bytes(step.at - len(held)))
    held[step.at : step.at + len(step.data)] = step.data


def _make(folder: Path, files: Mapping[str, Kept], dice: random.Random) -> None:
    """What the disk holds after the cut: all that is sure, and of each write since all, nothing, or some sectors."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, kept in files.items():
        held = bytearray(kept.sure)
        for step in kept.since:
            fate = dice.choice(("there", "there", "gone", "gone", "torn"))
            if fate == "there" or (fate == "torn" and step.what == "T"):
                _apply(held, step)
            elif fate == "torn":
                for place in range(0, len(step.data), SECTOR):
                    if dice.random() < 0.5:
                        _apply(held, Step("W", step.file, step.at + place, step.data[place : place + SECTOR]))
        (folder / FILES[name]).write_bytes(held)


def _opened(engine: Engine, acknowledged: int, reports: int) -> list[str]:
    """What is wrong with an image, in words."""
    try:
        with Session(engine) as s:
            wrong = in_lines(check_invariants(s))
            keys, stored = set(s.exec(select(KeptAnswer.key))), len(s.exec(select(Report.id)).all())
    except (DBAPIError, *UNREADABLE) as failed:
        return [f"it cannot be read: {failed}"]
    known = {key_of(number): number for number in range(reports)}
    held = sorted(known[key] for key in keys if key in known)
    if lost := [number for number in range(acknowledged) if number not in held]:
        wrong.append(f"acknowledged reports are gone: {lost}")
    if held != list(range(len(held))) or len(held) > acknowledged + 1:
        wrong.append(f"of {acknowledged} acknowledged reports there are {held}")
    if stored != len(held):
        wrong.append(f"{stored} reports are stored, and {len(held)} keys")
    return wrong


if __name__ == "__main__":
    wait_for_the_disk()
    serve(json.loads(sys.stdin.read()))
