"""Small libraries of our own, loaded before all others (LD_PRELOAD): they stand between a process and its disk."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.pool import Pool

from tests.chaos.outcome import ROOT
from tests.conftest import wait_for_no_disk


def compiled(source: Path, folder: Path) -> Path:
    """The library made of a C file."""
    library = folder / f"{source.stem}.so"
    done = subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], capture_output=True, text=True
    )
    assert done.returncode == 0, f"gcc is needed, and says: {done.stderr}"
    return library


def worked(module: str, library: Path, job: object) -> Any:
    """Let a module do a job in a process that has the library loaded; what it says at last."""
    done = subprocess.run(
        [sys.executable, "-m", module], input=json.dumps(job), capture_output=True, text=True, cwd=ROOT,
        env=os.environ | {"LD_PRELOAD": str(library)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def wait_for_the_disk() -> None:
    """Let commits in this process wait for the disk again, as they do in the service."""
    event.remove(Pool, "checkout", wait_for_no_disk)
