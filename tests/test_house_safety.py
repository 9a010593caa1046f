"""What no code may do, as a machine can check it: bypass the journal, open a write elsewhere, make a weak secret."""

import ast
import re

import pytest

from tests.kit.promises import ROOT
from tests.kit.sources import CODE_FILES, tree

# ---- nothing passes the journal by

WRITERS = (
    "models/db.py",
    "models/capture.py",
    "models/captured.py",
    "models/copies.py",
    "service/lock.py",  # commits no rows, only ends the transaction in which it took its lock
)
"""The door, and what stores the journal behind it."""
STATEMENTS = {"sqlalchemy": {"delete", "insert", "update"}, "sqlmodel": {"delete", "insert", "update"}}
PAST_THE_SESSION = ("commit", "exec_driver_sql", "begin_nested", "merge", "begin", "raw_connection", "query")
CHANGES = r"\s*(insert|update|delete|replace|merge|truncate|with)\b"
DRIVERS = {"sqlite3", "pysqlite3", "psycopg"}
DOORS = (
    "events/web/request.py", "events/messages/delivery.py", "events/messages/notices.py", "service/backups.py",
    "service/commands/",
)  # fmt: skip
"""Who may open ``write``: requests by ``changing``, the post that goes out, going back to a copy, and the commands."""


def _from_sqlalchemy(source: str, name: str) -> bool:
    """Whether this name is SQLAlchemy's in the module: a form's field has it too."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return not imports or any(i.module == "sqlalchemy" and name in {n.name for n in i.names} for i in imports)


def past_the_journal(source: str) -> list[str]:
    """What in a module's source could change rows without the session seeing each of them."""
    breaches = []
    for node in ast.walk(ast.parse(source)):
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
            if name in PAST_THE_SESSION or name.startswith("bulk_"):
                breaches.append(f"{node.lineno}: {name}")
            elif name in ("insert", "update", "delete") and "__table__" in ast.unparse(node.func):
                breaches.append(f"{node.lineno}: {ast.unparse(node.func)}")
        called = ast.unparse(node.func).split(".")[-1]
        plain = bool(node.args) and isinstance(node.args[0], ast.Constant)
        words = ast.literal_eval(node.args[0]) if plain else ""
        if ast.unparse(node.func) in ("text", "sqlalchemy.text") and not plain and _from_sqlalchemy(source, "text"):
            breaches.append(f"{node.lineno}: a statement that is put together")
        elif called == "text" and re.match(CHANGES, str(words), re.I):
            breaches.append(f"{node.lineno}: {words!r}")
    return breaches


def test_rows_are_changed_through_the_session_alone() -> None:
    """The journal keeps what the session's flushes change; a statement or a commit of one's own would pass it by."""
    for path in CODE_FILES:
        if path.startswith(("events/", "models/", "service/", "app.py")) and path not in WRITERS:
            assert past_the_journal((ROOT / path).read_text(encoding="utf-8")) == [], path


def test_the_door_is_opened_in_few_places() -> None:
    """A change has one ``write``, opened where the request is known: its lock, its answer, its line in the journal."""
    imports = {(p, node) for p in CODE_FILES for node in ast.walk(tree(p)) if isinstance(node, ast.ImportFrom)}
    places = {p for p, i in imports if i.module == "models.db" and "write" in {name.name for name in i.names}}
    assert "events/web/request.py" in places
    assert [place for place in sorted(places) if not place.startswith(DOORS)] == []
    assert [p for p, i in imports if i.module == "models" and "db" in {name.name for name in i.names}] == []


# ---- secrets

SHORT_BY_INTENT = {
    "models/base.py": "a stamp, which everybody may read",
    "events/web/monitoring.py": "a request's id, which everybody may read",
    "events/play/parsing.py": "a sheet's code: typed by hand, 39 bits, slowed down by events/accounts/attempts.py",
    "events/accounts/actions.py": "spare codes: typed by hand, 78 bits, ten tries in a quarter of an hour",
}


def weak_chance(path: str, source: str) -> list[str]:
    """What a module draws by chance that is too short to be a secret, or not drawn by the system's generator."""
    breaches = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name.split(".")[-1] in ("token_urlsafe", "token_hex", "token_bytes"):
            size = ast.literal_eval(node.args[0]) if node.args else 32
            if size < 16 and path not in SHORT_BY_INTENT:
                breaches.append(f"{path}:{node.lineno}: {name}({size}) has fewer than 128 bits")
        if name == "secrets.choice" and path not in SHORT_BY_INTENT:  # numbers are the dice's, and are stored
            breaches.append(f"{path}:{node.lineno}: {name}")
        if name.startswith("uuid.") or name in ("uuid4", "uuid1", "SystemRandom", "random.SystemRandom"):
            breaches.append(f"{path}:{node.lineno}: {name} is no secret")
    return breaches


@pytest.mark.proves("ASVS 11.5.1")
def test_secrets_have_128_bits() -> None:
    for path in CODE_FILES:
        if path.startswith(("events/", "models/", "service/", "app.py")):
            assert weak_chance(path, (ROOT / path).read_text(encoding="utf-8")) == []
