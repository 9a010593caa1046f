"""What no code may do: bypass the journal, open a write in other modules, name a file itself, make a weak secret."""

import ast
import re

import pytest

from tests.kit.promises import ROOT
from tests.kit.sources import CODE_FILES, nodes

WRITERS = (
    "models/db.py",
    "models/capture.py",
    "models/captured.py",
    "models/copies.py",
    "models/rewriting.py",  # only while an erasure is open, and in the write of its entry
    "events/setup/archive_upgrade.py",  # writes only to a database of its own in memory
    "service/lock.py",  # commits no rows, only ends the transaction in which it took its lock
    "service/windows.py",  # locks an empty file
    "service/checkout.py",  # the same, and knows no database
)
"""``write`` and the modules that store the journal."""
STATEMENTS = {"sqlalchemy": {"delete", "insert", "update"}, "sqlmodel": {"delete", "insert", "update"}}
BYPASSES = ("commit", "exec_driver_sql", "begin_nested", "merge", "begin", "raw_connection", "query")
CHANGES = r"\s*(insert|update|delete|replace|merge|truncate|with)\b"
DRIVERS = {"sqlite3", "pysqlite3", "psycopg"}
MAY_WRITE = (
    "events/web/request.py", "events/messages/dispatching.py", "events/api/webhook_sending.py", "service/restore.py",
    "service/commands/",
)  # fmt: skip
"""The modules that may call ``write``: ``changing`` for requests, the queue, restoring, and the commands."""


def bypasses(path: str) -> list[str]:
    """The places in a module that could change rows without the session recording each of them."""
    breaches = []
    imports = [node for node in nodes(path) if isinstance(node, ast.ImportFrom)]
    # Forms have a function of this name too.
    has_text = any(i.module == "sqlalchemy" and "text" in {n.name for n in i.names} for i in imports)
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            names = {name.name for name in node.names} & STATEMENTS.get(node.module or "", set())
            breaches += [f"{node.lineno}: imports {name}" for name in sorted(names | ({node.module or ""} & DRIVERS))]
        if isinstance(node, ast.Import):
            breaches += [f"{node.lineno}: imports {name.name}" for name in node.names if name.name in DRIVERS]
        if isinstance(node, ast.Attribute) and node.attr in ("driver_connection", "dbapi_connection"):
            breaches.append(f"{node.lineno}: {node.attr}")
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in BYPASSES or name.startswith("bulk_"):
                breaches.append(f"{node.lineno}: {name}")
            elif name in ("insert", "update", "delete") and "__table__" in ast.unparse(node.func):
                breaches.append(f"{node.lineno}: {ast.unparse(node.func)}")
        called = ast.unparse(node.func).split(".")[-1]
        plain = bool(node.args) and isinstance(node.args[0], ast.Constant)
        words = ast.literal_eval(node.args[0]) if plain else ""
        if ast.unparse(node.func) in ("text", "sqlalchemy.text") and not plain and (has_text or not imports):
            breaches.append(f"{node.lineno}: a statement built from text")
        elif called == "text" and re.match(CHANGES, str(words), re.I):
            breaches.append(f"{node.lineno}: {words!r}")
    return breaches


def test_rows_are_changed_only_through_the_session() -> None:
    """The journal records the session's flushes; other statements and commits would bypass it."""
    for path in CODE_FILES:
        if path.startswith(("events/", "models/", "service/", "app.py")) and path not in WRITERS:
            assert bypasses(path) == [], path


def test_write_is_called_only_in_listed_modules() -> None:
    """Each change has one ``write``, in the module that knows the request: its lock, answer and journal entry."""
    imports = {(p, node) for p in CODE_FILES for node in nodes(p) if isinstance(node, ast.ImportFrom)}
    places = {p for p, i in imports if i.module == "models.db" and "write" in {name.name for name in i.names}}
    assert "events/web/request.py" in places
    assert [place for place in sorted(places) if not place.startswith(MAY_WRITE)] == []
    assert [p for p, i in imports if i.module == "models" and "db" in {name.name for name in i.names}] == []


def test_names_of_saved_files_are_written_in_one_place() -> None:
    """``name_file`` keeps them plain for old browsers, and whole for all others."""
    written = [
        path
        for path in CODE_FILES
        if path.startswith("events/") and "Content-Disposition" in (ROOT / path).read_text("utf-8")
    ]
    assert written == ["events/web/answers.py"]


SHORT_BY_INTENT = {
    "models/base.py": "a stamp, which is public",
    "events/web/monitoring.py": "a request's id, which is public",
    "events/web/parsing.py": "a sheet's code: typed by hand, 39 bits, tries limited by events/accounts/limits.py",
    "events/accounts/second_factor.py": "spare codes: typed by hand, 78 bits, ten tries in a quarter of an hour",
}


def weak_secrets(path: str) -> list[str]:
    """The random values in a module with less than 128 bits, or not from the system's generator."""
    breaches = []
    for node in nodes(path):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name.split(".")[-1] in ("token_urlsafe", "token_hex", "token_bytes"):
            size = ast.literal_eval(node.args[0]) if node.args else 32
            if size < 16 and path not in SHORT_BY_INTENT:
                breaches.append(f"{path}:{node.lineno}: {name}({size}) has fewer than 128 bits")
        if name == "secrets.choice" and path not in SHORT_BY_INTENT:  # random numbers are dice, and are stored
            breaches.append(f"{path}:{node.lineno}: {name}")
        if name.startswith("uuid.") or name in ("uuid4", "uuid1", "SystemRandom", "random.SystemRandom"):
            breaches.append(f"{path}:{node.lineno}: {name} is no secret")
    return breaches


@pytest.mark.proves("ASVS 11.5.1")
def test_secrets_have_128_bits() -> None:
    for path in CODE_FILES:
        if path.startswith(("events/", "models/", "service/", "app.py")):
            assert weak_secrets(path) == []
