"""The lines that ``mutations.py`` mutates, and the tests that should fail."""

import importlib
import re
from pathlib import Path

from benchmarks.mutants import Breaker, Mutant

ROOT = Path(__file__).parents[1]
FILES = [
    "models/db",
    "models/storable",
    "models/base",
    "events/accounts/access",
    "events/play/visitor",
    "events/accounts/queries",
    "events/web/parsing",
    "events/lists/locks",
    "events/accounts/actions",
    "events/results/actions",
    "events/rounds/draft",
    "events/web/idempotency",
    "events/web/forms",
    "events/accounts/loading",
    "events/web/request",
    "events/accounts/attempts",
    "events/accounts/staff_routes",
    "events/accounts/staff_views",
    "events/web/http",
    "app",
]
"""Files in which every line is mutated: locks, permissions, sessions, tokens, limits, keys, deadlines, parsers."""
OTHERS = "events"
"""In this folder's other modules, only lines that match SAFETY are mutated, and guards before such a line."""
SAFETY = re.compile(
    r"\bmay_\w+\(|\babort\(40[39]\)|\bStale\(|\blist_deadline\b|\blists_(?:locked|open|shown|revealed)\w*|\blist_(?:locked|unlocked)\w*"
    r"|\blink_generation\b|\bsession_key\b|_or_40[34]\("
)
"""Permissions, rejections, stale versions, locks, publication times, and expiring keys."""
BUILT = {
    ("app.py", "build_pages"),
    ("events/web/http.py", "configure"),
    ("events/web/http.py", "limit_expensive_requests"),
    ("events/web/http.py", "set_client_and_scheme"),
}
"""Functions that run once, when the pages are built that all tests share: every test of a page depends on them."""
ROOMS = "models accounts play web lists results rounds registration journal desk hall standings messages setup"
TESTS = [*(f"tests/{room}" for room in ROOMS.split()), "tests/service/test_serve_commands.py"]
"""The tests that are run; browser and chaos tests, and those of other rooms, are left out."""


def all_files() -> list[str]:
    """Every file with lines that may be mutated."""
    others = (str(one.relative_to(ROOT)) for one in sorted((ROOT / OTHERS).rglob("*.py")))
    return list(dict.fromkeys([*(f"{one}.py" for one in FILES), *others]))


def is_whole(path: str) -> bool:
    """Whether every line of this file is mutated."""
    return path.removesuffix(".py") in FILES


def all_mutants(files: list[str]) -> list[Mutant]:
    """All mutants of these files, or of all files: functions, tables and limits."""
    found = list[Mutant]()
    for path in all_files():
        if files and path.removesuffix(".py") not in files:
            continue
        source = (ROOT / path).read_bytes()
        lines = ["", *source.decode().splitlines(), ""]
        whole = is_whole(path)
        for one in Breaker(path, source).mutants():
            guard = "guard" in one.kind or "condition" in one.kind
            if whole or (one.scope and any(SAFETY.search(line) for line in lines[one.at : one.last + 1 + guard])):
                found.append(one)
    roles = vars(importlib.import_module("events.play.visitor"))
    return [m for m in found if "right" not in m.kind or eval(m.before, roles) != eval(m.after, roles)]  # noqa: S307
