"""How long ``overseer roster check`` takes for 1,000 forces, and how soon a hostile file is refused.

Run: ``python benchmarks/forces.py``. The aims: 1,000 forces in one call under 2 s, start included; every hostile file
refused in under a second of processor time. Medians of five runs; the hostile files are those of the tests.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.kit.forces import sample_force
from tests.validators.imports.rosters import read
from tests.validators.imports.test_import_hostile import HOSTILE
from tests.validators.test_catalogue_hostile import HOSTILE as CATALOGUES
from validators.battle_mode.catalogues.read import import_catalogues
from validators.contract import UnreadableEdition, UnreadableForce

RUNS = 5
FACTIONS = ("Survivors", "Brotherhood of Steel", "Super Mutants")


def check_a_thousand(folder: Path) -> list[float]:
    """Seconds of each whole call."""
    forces = [sample_force(FACTIONS[n % 3], 1000, n) for n in range(1000)]
    file = folder / "thousand.jsonl"
    file.write_text("\n".join(json.dumps(force) for force in forces), encoding="utf-8")
    command = [sys.executable, "-m", "service.commands.main", "roster", "check", str(file), "--size", "1000", "--json"]
    took = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run(command, cwd=sys.path[0], check=True, stdout=subprocess.DEVNULL)
        took.append(time.perf_counter() - started)
    return took


def refuse(name: str, read: Callable[[], object], refusal: type[Exception]) -> float:
    """Processor seconds until ``read`` refuses what is hostile in it, the worst of the runs."""
    worst = 0.0
    for _ in range(RUNS):
        started = time.process_time()
        try:
            read()
        except refusal:
            worst = max(worst, time.process_time() - started)
        else:
            raise SystemExit(f"{name} was not refused")
    return worst


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        took = check_a_thousand(Path(folder))
    print(f"roster check, 1,000 forces in one call: median {statistics.median(took):.2f} s, worst {max(took):.2f} s")
    files = {name: partial(read, make()) for name, (make, *_) in HOSTILE.items()}
    report("force files", {name: refuse(name, one, UnreadableForce) for name, one in files.items()})
    sets = {name: partial(import_catalogues, make(), "2024-06-01") for name, (make, *_) in CATALOGUES.items()}
    report("sets of catalogues", {name: refuse(name, one, UnreadableEdition) for name, one in sets.items()})


def report(what: str, seconds: Mapping[str, float]) -> None:
    """Print the median and the worst ten."""
    middle = statistics.median(seconds.values())
    print(f"{len(seconds)} hostile {what}, processor seconds until refused: median {middle:.4f}")
    for name in sorted(seconds, key=lambda name: seconds[name], reverse=True)[:10]:
        print(f"  {seconds[name]:7.4f}  {name}")


if __name__ == "__main__":
    main()
