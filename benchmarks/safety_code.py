"""What ``mutations.py`` breaks, by a rule and not by hand, and the quick tests that should notice."""

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
    "events/accounts/passwords",
    "events/play/parsing",
    "events/play/names",
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
    "events/web/heavy",
    "events/web/http",
    "app",
]
"""Of these every line: locks, questions, sessions, tokens, limits, keys, deadlines, readers of what is typed."""
OTHERS = "events"
"""Of all other modules in this folder the lines of SAFETY, and guards whose next line is one."""
SAFETY = re.compile(
    r"\bmay_\w+\(|\babort\(40[39]\)|\bStale\(|\blist_deadline\b|\blists_(?:locked|open|shown|revealed)\w*|\blist_(?:locked|unlocked)\w*"
    r"|\blink_generation\b|\bsession_key\b|_or_40[34]\("
)
"""Who may, who is turned away, what is out of date, what is locked or shown since when, and keys that end."""
BUILT = {
    ("app.py", "build_pages"),
    ("events/web/heavy.py", "limit_expensive_requests"),
    ("events/web/http.py", "set_client_and_scheme"),
}
"""What runs once, when the pages are made that all tests share: every test of a page is over it."""
TESTS = [
    "tests/models",
    "tests/test_access.py",
    "tests/test_typed.py",
    "tests/test_passwords.py",
    "tests/test_names.py",
    "tests/test_one_clock.py",
    "tests/test_moments.py",
    "tests/test_patterns.py",
    "tests/test_limits.py",
    "tests/test_access_play.py",
    "tests/actions/test_accounts.py",
    "tests/actions/test_deadline_checks.py",
    "tests/actions/test_lock_steps.py",
    "tests/actions/test_reports_counted.py",
    "tests/actions/test_tries_counted.py",
    "tests/actions/test_locks.py",
    "tests/actions/test_reporting.py",
    "tests/actions/test_corrections.py",
    "tests/actions/test_taking_part.py",
    "tests/actions/test_room.py",
    "tests/actions/test_bounds.py",
    "tests/actions/test_knockout_played.py",
    "tests/commands/test_serve_commands.py",
    "tests/views/test_put_together.py",
    "tests/actions/test_endings.py",
    "tests/views/test_access_attacks.py",
    "tests/views/test_presses_once.py",
    "tests/views/test_interrupted.py",
    "tests/views/test_roles_matrix.py",
    "tests/views/test_route_matrix.py",
    "tests/views/test_two_events.py",
    "tests/views/test_attacks_requests.py",
    "tests/views/test_list_reveal.py",
    "tests/views/test_list_desk.py",
    "tests/views/test_sign_in.py",
    "tests/views/test_second_factor.py",
    "tests/views/test_tries.py",
    "tests/views/test_staff_pages.py",
    "tests/views/test_door.py",
    "tests/views/test_deadline_hours.py",
    "tests/views/test_hostile_text.py",
    "tests/views/test_headers.py",
    "tests/views/test_heavy.py",
    "tests/views/test_reports.py",
    "tests/views/test_registration.py",
    "tests/views/test_outbox_answers.py",
    "tests/views/test_draft_pages.py",
    "tests/views/test_team_secrecy.py",
    "tests/views/test_vote_pages.py",
    "tests/views/test_sheet_entry.py",
    "tests/views/test_links.py",
    "tests/views/test_front.py",
    "tests/views/test_forces.py",
    "tests/views/test_form_fields.py",
    "tests/views/test_sheets.py",
    "tests/views/test_polling.py",
    "tests/views/test_round_pages.py",
    "tests/views/test_records.py",
    "tests/views/test_ruling_pages.py",
]
"""All but the browser's, PostgreSQL's and the harnesses'; a file that is not here may hold a line that these do not."""


def all_files() -> list[str]:
    """Every file of which a line may be chosen."""
    others = (str(one.relative_to(ROOT)) for one in sorted((ROOT / OTHERS).rglob("*.py")))
    return list(dict.fromkeys([*(f"{one}.py" for one in FILES), *others]))


def is_whole(path: str) -> bool:
    """Whether every line of this file is chosen from."""
    return path.removesuffix(".py") in FILES


def all_mutants(files: list[str]) -> list[Mutant]:
    """Every one of these files, all of them if none is named: functions, tables and limits."""
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
