"""Mutation testing of the safety code: change one line at a time, and run the tests that reach it.

    pip install coverage && python benchmarks/mutations.py learn FILE [TESTS]    (--more: keep other tests' records)
    python benchmarks/mutations.py rules OUT
    python benchmarks/mutations.py run FILE [COUNT] [SEED] [OUT] [FILES]         (--control: run without mutants)

``learn`` runs TESTS once and records in FILE the lines and the seconds of each test.

``run`` takes COUNT mutants of ``safety_code.py`` by lot from SEED (0: all). It runs the tests that reach a mutant's
line, in the order of ``learnt.py``, until one fails or ENOUGH seconds are used up, and writes the outcome to OUT after
every 20 mutants. ``--others`` adds the safety lines of other files, ``--survivors`` takes only mutants that OUT does
not list as found, ``--enough=N`` allows N seconds. Tests are collected once. A mutant runs in a forked process in which
one function's code is replaced (``forked.py``), so views and closures are reached and nothing is imported again;
docs/decisions says why no existing tool is used. A test that fails with a mutant must pass without it in the same kind
of process. ``unseen.py`` lists mutants without a visible effect, which are left out.

``rules`` removes one database constraint at a time (``unconstrained.py``).
"""

import json
import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.forked import Bench  # noqa: E402
from benchmarks.learnt import learn, read  # noqa: E402
from benchmarks.mutants import Mutant  # noqa: E402
from benchmarks.safety_code import TESTS, all_mutants, is_whole  # noqa: E402
from benchmarks.unconstrained import database_without, name_of, rules  # noqa: E402
from benchmarks.unseen import reason  # noqa: E402

WARMING = "tests/accounts/test_access_attacks.py"
"""Run first: one of its tests creates the pages and the database that all tests share."""
NOT_WARMING = ("tests/web/test_limits.py", "tests/web/test_idempotency.py")
"""Files whose tests start threads, which a fork would lose."""
WARM = 0.5
"""The most seconds of a test that is run only to fill caches."""
OF_RULES = "tests/models/test_forbidden.py"
SEED, COUNT = 10, 0
ENOUGH = 15.0
"""The most recorded seconds of the tests that are run for one mutant."""


def run_rules(out: Path) -> None:
    """Remove one database constraint at a time, from the models and from the migrated database."""
    bench, rows = Bench(["tests/models"], [OF_RULES]), {}
    tests = [test for test in bench.items if test.startswith(OF_RULES)]
    for rule in rules():
        with database_without(rule, bench.migrated):
            fate = bench.fate(None, tests, 60)
        rows[f"{rule[0].name}: {name_of(rule[1])}"] = fate
        print(f"{len(rows)} {rule[0].name}: {name_of(rule[1])} = {fate}", flush=True)
        killed = sum(fate in bench.items for fate in rows.values())
        out.write_text(json.dumps({"killed": killed, "of": len(rows), "rows": rows}, indent=1))


class Run:
    """Runs the mutants, one after the other."""

    def __init__(self, kept: Path, chosen: list[Mutant], enough: float, *, control: bool) -> None:
        """Collect the chosen tests."""
        self.kept, self.learnt, self.enough, self.control = kept, read(kept), enough, control
        needed = {one.partition("::")[0] for m in chosen for one in self.affordable(self.learnt.tests(m))}
        self.bench = Bench(sorted({*needed, WARMING}), [WARMING, *self.warming(needed)])
        self.sound: dict[str, bool] = {}

    def warming(self, needed: set[str]) -> list[str]:
        """The quickest test of each file, and one on PostgreSQL, which starts its server."""
        quick = sorted(self.learnt.seconds, key=lambda one: self.learnt.seconds[one])
        files = needed - {*NOT_WARMING}
        firsts = {one.partition("::")[0]: one for one in reversed(quick) if self.learnt.seconds[one] < WARM}
        found = [one for path, one in firsts.items() if path in files]
        postgres = [one for one in quick if one.endswith("[postgres]") and one.startswith(tuple(needed))]
        return [*found, *postgres[:1]]

    def affordable(self, tests: list[str]) -> list[str]:
        """The first tests that take at most ENOUGH seconds."""
        return self.learnt.affordable(tests, self.enough)

    def fate(self, mutant: Mutant) -> dict[str, Any]:
        """The mutant's name and kind, the test that fails with it ("" for none), and the number of tests run."""
        known = self.learnt.tests(mutant)
        while True:
            tests = self.affordable([one for one in known if one in self.bench.items and self.sound.get(one, True)])
            seconds = sum(self.learnt.seconds[one] for one in tests)
            fate = self.bench.fate(None if self.control else mutant, tests, seconds) if tests else "no test runs it"
            failing = [fate] if fate in self.bench.items else tests
            if self.control or fate in ("", "no test runs it", "not reached") or all(map(self.sound.get, failing)):
                break
            unsound = self.bench.fate(None, failing, seconds)  # "" if they pass without the mutant
            self.sound |= dict.fromkeys([unsound] if unsound else failing, not unsound)
            if not unsound:
                break
            if unsound not in self.bench.items:
                fate = f"not judged: {fate}"
                break
        if fate in self.bench.items:
            self.learnt.was_found(mutant, fate)
        return {"mutant": mutant.name, "kind": mutant.kind, "fate": fate, "tests": len(tests), "of": len(known)}

    def is_found(self, row: dict[str, Any]) -> bool:
        """Whether a test failed, or the mutant ran without end."""
        return row["fate"] in self.bench.items or row["fate"] == "time"


def run(kept: Path, count: int, seed: int, out: Path, files: list[str], options: dict[str, str]) -> None:
    """Run the chosen mutants one after the other, and store the outcome."""
    every = all_mutants(files)
    drawn = Random(seed).sample(every, len(every))[: count or len(every)]
    candidates = drawn if "others" in options else [one for one in drawn if is_whole(one.path)]
    chosen = [one for one in candidates if not reason(one)]
    unseen = len(candidates) - len(chosen)
    print(f"{len(every)} mutants, {len(candidates)} chosen, {unseen} of them without a visible effect")
    before: dict[str, dict[str, Any]] = {}
    if "survivors" in options and out.exists():
        known = json.loads(out.read_text(encoding="utf-8"))
        before = {
            row["mutant"]: row for row in known["rows"] if row["fate"].startswith("tests/") or row["fate"] == "time"
        }
    left = [one for one in chosen if one.name not in before]
    began, control = time.monotonic(), "control" in options
    running = Run(kept, left, float(options.get("enough", ENOUGH)), control=control)
    rows = [before[one.name] for one in chosen if one.name in before]
    killed = len(rows)
    for mutant in left:
        rows.append(running.fate(mutant))
        killed += running.is_found(rows[-1])
        print(f"{len(rows)} killed {killed}: {mutant.name[:150]} = {rows[-1]['fate'][-90:]}", flush=True)
        if len(rows) % 20 == 0 or mutant is left[-1]:
            summary = {"seed": seed, "control": control, "every": len(every), "chosen": len(candidates)}
            summary |= {"unseen": unseen, "killed": killed, "of": len(rows)}
            summary |= {"seconds": round(time.monotonic() - began)}
            out.write_text(json.dumps({**summary, "rows": rows}, indent=1))
            running.learnt.keep(kept)


def main() -> None:
    """``learn``, ``rules`` or ``run``."""
    command, kept, *rest = [one for one in sys.argv[1:] if not one.startswith("--")]
    pairs = (one[2:].partition("=") for one in sys.argv[1:] if one.startswith("--"))
    options = {name: value for name, _, value in pairs}
    os.chdir(ROOT)
    if command == "learn":
        learn(Path(kept), rest or TESTS, more="more" in options)
    elif command == "rules":
        run_rules(Path(kept))
    else:
        count, seed, out = (rest + [str(COUNT), str(SEED), "mutations.json"][len(rest) :])[:3]
        run(Path(kept), int(count), int(seed), Path(out), rest[3:], options)


if __name__ == "__main__":
    main()
