"""What a harness works with, its outcome, and its evidence."""

import json
import os
import platform
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sqlalchemy import Engine
from sqlmodel import Session

from events.journal.invariants import check_invariants, in_lines
from models.db import sqlite_module

ROOT = Path(__file__).parents[2]
EVIDENCE = ROOT / "docs" / "assurance" / "evidence"
Size = Literal["short", "full"]
"""Short: in ``./run test``. Full: ``./run test --chaos``, with the figures of docs/assurance/guarantees.md."""


@dataclass
class Outcome:
    """How often each thing was done, and a sentence for every broken promise."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Lab:
    """What a harness works with."""

    size: Size
    seed: int
    data: Path
    fresh: Callable[[], str]
    """Creates an empty, migrated database; returns its URL."""
    copied: Callable[[str], str]
    """Copies a database without connections, and returns the copy's URL. It replaces the previous copy."""
    broken: str | None = None
    """The name of the broken build (``broken.py``); None: the sound build."""


Run = Callable[[Lab], Outcome]


def broken_invariants(engine: Engine) -> list[str]:
    with Session(engine) as s:
        return list(in_lines(check_invariants(s)))


def write_evidence(name: str, database: str, seed: int, sound: Outcome, controls: dict[str, Outcome]) -> None:
    """Store a full run's outcome in docs/assurance/evidence/chaos_NAME.json; keeps the other database's outcome."""
    path = EVIDENCE / f"chaos_{name}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    before[database] = {
        "seed": seed,
        "commit": commit(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, SQLite {sqlite_module().sqlite_version}",
        "counts": dict(sorted(sound.counts.items())),
        "broken promises": sound.wrong,
        "controls": {
            broken: {
                "counts": dict(sorted(control.counts.items())),
                "broken promises": len(control.wrong),
                "the first": control.wrong[0] if control.wrong else "",
            }
            for broken, control in controls.items()
        },
    }
    path.write_text(json.dumps(dict(sorted(before.items())), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def commit() -> str:
    """The commit that is tried."""
    return _git("rev-parse", "HEAD") + (" and changes" if _git("status", "--porcelain", "-uno") else "")


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-c", "safe.directory=*", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()
