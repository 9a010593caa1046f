"""House rules on input: its readers, no execution, no slow patterns; and the bill of materials."""

import ast
import importlib
import json
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.setup.archive_file import MOST_BYTES as MOST_OF_ARCHIVE
from tests.kit.bill import HASH, bill
from tests.kit.promises import ROOT
from tests.kit.sources import CODE_FILES, KNOWS_HTTP, found, nodes, pins
from validators.strict_json import MOST_BYTES

READERS = ("events/web/forms.py", "events/web/parsing.py")
CALLING_OUT = {"urllib.request", "http.client", "requests", "httpx", "ftplib", "aiohttp", "socket", "smtplib",
               "telnetlib"}  # fmt: skip
MAY_CALL_OUT = {
    "events/messages/delivery.py": {"smtplib", "socket"},
    "events/messages/outgoing.py": {"http.client", "socket"},  # public hosts alone, for the next two
    "events/messages/push.py": {"http.client"},  # push services
    "events/api/webhook_sending.py": {"http.client", "socket"},  # hosts that the operator allows
    "events/web/http.py": {"socket"},  # reading an address, not calling it
    "service/commands/serve.py": {"socket"},  # whether the port is free
    "service/settings.py": {"socket"},  # this machine's own address; nothing is sent
    "service/unix.py": {"socket"},  # the same
    "service/windows.py": {"socket"},  # the same
}
"""Modules that send mail, pushes and webhooks, or listen. No page and no file makes the server fetch an address."""
UNSAFE = {"eval", "exec", "compile", "__import__", "pickle", "marshal", "shelve", "yaml", "dill",
          "render_template_string"}  # fmt: skip
BUILT = (ast.JoinedStr, ast.BinOp)
SQL = ("text", "exec_driver_sql", "sa.text", "literal_column")
MAY_BUILD = {"models/db.py", "models/copies.py", "migrations/env.py"}  # names of tables and columns, quoted


@pytest.mark.proves("ASVS 1.3.3", "ASVS 1.4.2", "attack 40", "attack 41")
def test_numbers_and_texts_are_read_by_the_fields_with_checks() -> None:
    """int() accepts any length and any script; a text field with neither ``text`` nor ``lines`` has its own checks."""
    views = [path for path in CODE_FILES if KNOWS_HTTP.search(path) and path not in READERS]
    assert found(views, r"coerce=(int|float)|type=(int|float)|\b(IntegerField|DecimalField|FloatField)\(") == []
    assert found(views, r"\b(StringField|TextAreaField|SearchField|EmailField)\(\s*\"[^\"]*\"\s*\)") == []


@pytest.mark.proves("attack 49", "ASVS 1.3.6")
def test_nothing_fetches_an_address() -> None:
    for path in CODE_FILES:
        names = {alias.name for node in nodes(path) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in nodes(path) if isinstance(node, ast.ImportFrom)}
        assert names & CALLING_OUT <= MAY_CALL_OUT.get(path, set()), path


@pytest.mark.proves("attack 29", "ASVS 1.3.7", "ASVS 1.5.2")
def test_input_is_never_executed_or_unpickled() -> None:
    unsafe = [f"{path}:{node.lineno}: {node.id}" for path in CODE_FILES for node in nodes(path)
              if isinstance(node, ast.Name) and node.id in UNSAFE and path != "service/checkout.py"]  # fmt: skip
    assert unsafe == []


@pytest.mark.proves("attack 30", "ASVS 1.2.4")
def test_no_sql_statement_is_built_from_text() -> None:
    built = []
    for path in CODE_FILES:
        for node in nodes(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in SQL and path not in MAY_BUILD:
                built += [f"{path}:{node.lineno}" for expr in node.args[:1] if isinstance(expr, BUILT)]
    assert built == []


@pytest.mark.proves("ASVS 5.1.1")
def test_documents_state_the_largest_file() -> None:
    rows = (ROOT / "docs" / "file_formats.md").read_text(encoding="utf-8").splitlines()
    for file, most in (("force", MOST_BYTES), ("edition", MOST_BYTES), ("archive", MOST_OF_ARCHIVE)):
        assert [f" {most // 1_000_000} MB" in row for row in rows if row.startswith(f"| [{file}]")] == [True], file


@pytest.mark.proves("ASVS 15.1.2")
def test_bill_lists_every_part_with_version_and_hashes() -> None:
    document = json.loads(bill())
    assert {entry["name"]: entry["version"] for entry in document["components"]} == pins("requirements.txt")
    hashes = sorted(entry["content"] for part in document["components"] for entry in part["hashes"])
    assert hashes == sorted(set(HASH.findall((ROOT / "requirements.txt").read_text(encoding="utf-8"))))
    assert all(part["hashes"] for part in document["components"])
    assert document["metadata"]["component"]["name"] == "overseer-desk"
    assert len(document["dependencies"][0].get("dependsOn", [])) + len(document["dependencies"]) > len(
        document["components"]
    )


LENGTH = 40_000
SECONDS = 4.0
"""Processor time for one pattern and all its texts: sound ones take hundredths, a quadratic one ten."""
LINE, OF_FORM = 4_000, 6_000
"""Characters of a line of a pasted list (``lines``), and characters that a form's field accepts."""
BOUNDED = {
    "events/web/parsing.py": OF_FORM,
}  # fmt: skip
"""The longest text of these patterns: their callers cut or refuse longer ones."""
WHOLE = {"match", "fullmatch"}
CALLS = WHOLE | {"search", "sub", "subn", "split", "findall", "finditer"}
AFTER = ("\x00", "a", "1")


@cache
def patterns() -> dict[str | bytes, tuple[str, bool]]:
    """Every pattern, compiled in a module or literal in a call; where it is, and whether a text is searched for it."""
    found: dict[str | bytes, tuple[str, bool]] = {}
    calls = [
        (path, node.func.attr, ast.unparse(node.func.value).split(".")[-1], node.args)
        for path in CODE_FILES
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS
    ]
    used = [(how in WHOLE, f"{Path(path).stem}.{name}" if name[0] == "_" else name) for path, how, name, _ in calls]
    for path, how, name, arguments in calls:
        pattern = arguments[0].value if name == "re" and isinstance(arguments[0], ast.Constant) else None
        if isinstance(pattern, str | bytes):
            found[pattern] = path, how not in WHOLE
    for path in CODE_FILES:
        if path.endswith(".py") and not path.startswith("migrations/"):
            module = importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
            for name, value in vars(module).items():
                if isinstance(value, re.Pattern):
                    where = f"{Path(path).stem}.{name}"
                    found[value.pattern] = where, {whole for whole, of in used if of in (where, name)} != {True}
    return found


def parts(parsed: Any) -> Iterator[str]:
    is_pair = isinstance(parsed, tuple) and len(parsed) == 2
    name, argument = parsed if is_pair else ("", parsed)
    name = str(name)
    if name in ("LITERAL", "NOT_LITERAL"):
        yield chr(argument)
    elif name == "RANGE":
        yield chr(argument[0])
    elif name in ("ANY", "CATEGORY"):
        yield {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " "}.get(str(argument), "a")
    elif isinstance(parsed, tuple | list) or hasattr(parsed, "data"):
        for part in parsed:
            yield from parts(part)


def pumped(pattern: str | bytes, length: int) -> Iterator[str]:
    """Texts of the pattern's own letters, repeated, alone and in pairs, with endings that do not match."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    parsed = re._parser.parse(text)  # type: ignore[attr-defined]
    letters = list(dict.fromkeys(parts(parsed)))[:6]
    front = "".join(letters[:6])
    units = [*letters, *(letter + other for letter in letters[:2] for other in letters[:2] if letter != other)]
    for unit in units:
        body = unit * (length // len(unit))
        for end in AFTER[:1] if len(unit) > 1 else AFTER:
            yield body + end
        yield front + body + "\x00"


def ran_away(signum: int, frame: object) -> None:
    raise TimeoutError


def holds(pattern: str | bytes, length: int, searched: bool = True, after: float = SECONDS) -> bool:
    """Whether the pattern finishes all its texts within the time limit."""
    compiled: Any = re.compile(pattern)
    before = signal.signal(signal.SIGVTALRM, ran_away)
    signal.setitimer(signal.ITIMER_VIRTUAL, after)
    try:
        for text in pumped(pattern, length):
            sent: Any = text.encode("latin-1", "replace") if isinstance(pattern, bytes) else text
            if searched:
                compiled.search(sent)
            compiled.match(sent)
            compiled.fullmatch(sent)
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return True


@pytest.mark.long
@pytest.mark.proves("attack 48")
def test_no_pattern_backtracks_catastrophically() -> None:
    assert len(patterns()) > 50
    slow = [
        f"{where}: {pattern!r}"
        for pattern, (where, searched) in patterns().items()
        if not holds(pattern, BOUNDED.get(where, LENGTH), searched)
    ]
    assert slow == []
    assert {where for where, _ in patterns().values()} >= BOUNDED.keys(), "a bound for a pattern that is gone"
    for pattern in (r"(a+)+$", r"(\w|\d)*x", r"\s*,", r"^(([a-z])+.)+[A-Z]([a-z])+$", r'"(\\.|[^"])*\d*"x'):
        assert not holds(pattern, LENGTH, after=0.2), f"the control: {pattern}"
