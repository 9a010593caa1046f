"""House rules on input: which modules read it, that none executes it, and which may open connections."""

import ast

import pytest

from events.lists.edition_files import MOST_SENT
from events.setup.archive_file import MOST_BYTES as MOST_OF_ARCHIVE
from tests.kit.promises import ROOT
from tests.kit.sources import CODE_FILES, KNOWS_HTTP, called, found, tree
from validators.battle_mode.catalogues.files import MOST_BYTES as MOST_OF_CATALOGUES
from validators.strict_json import MOST_BYTES

READERS = ("events/web/forms.py", "events/play/parsing.py")
CALLING_OUT = {"urllib.request", "http.client", "requests", "httpx", "ftplib", "aiohttp", "socket", "smtplib",
               "telnetlib"}  # fmt: skip
MAY_CALL_OUT = {
    "events/messages/delivery.py": {"smtplib", "socket"},
    "events/messages/push.py": {"http.client", "socket"},  # push services: public hosts alone
    "events/web/http.py": {"socket"},  # reading an address, not calling it
    "service/commands/serve.py": {"socket"},  # whether the port is free
    "service/settings.py": {"socket"},  # this machine's own address; nothing is sent
}
"""Modules that send mail and pushes, or listen. No page and no file makes the server fetch an address."""
UNSAFE = {"eval", "exec", "compile", "__import__", "pickle", "marshal", "shelve", "yaml", "dill",
          "render_template_string"}  # fmt: skip
BUILT = (ast.JoinedStr, ast.BinOp)
SQL = ("text", "exec_driver_sql", "sa.text", "literal_column")
MAY_BUILD = {"models/db.py", "migrations/env.py"}
"""They build statements of constants only."""


@pytest.mark.proves("ASVS 1.4.2", "attack 40")
def test_numbers_are_read_by_the_number_parser() -> None:
    """int() accepts any length and any script."""
    views = [path for path in CODE_FILES if KNOWS_HTTP.search(path) and path not in READERS]
    assert found(views, r"coerce=(int|float)|type=(int|float)|\b(IntegerField|DecimalField|FloatField)\(") == []


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
def test_text_fields_use_the_checks_for_text() -> None:
    """A field with neither ``text`` nor ``lines`` has its own checks."""
    views = [path for path in CODE_FILES if KNOWS_HTTP.search(path) and path not in READERS]
    bare = found(views, r"\b(StringField|TextAreaField|SearchField|EmailField)\(\s*\"[^\"]*\"\s*\)")
    assert bare == []


@pytest.mark.proves("attack 49", "ASVS 1.3.6")
def test_nothing_fetches_an_address() -> None:
    for path in CODE_FILES:
        names = {alias.name for node in ast.walk(tree(path)) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in ast.walk(tree(path)) if isinstance(node, ast.ImportFrom)}
        assert names & CALLING_OUT <= MAY_CALL_OUT.get(path, set()), path


@pytest.mark.proves("attack 29", "ASVS 1.3.7", "ASVS 1.5.2")
def test_input_is_never_executed_or_unpickled() -> None:
    unsafe = [f"{path}:{line}: {name}" for path in CODE_FILES for line, name in called(path)
              if name.split(".")[0] in UNSAFE and path != "run"]  # fmt: skip
    assert unsafe == []


@pytest.mark.proves("attack 30", "ASVS 1.2.4")
def test_no_sql_statement_is_built_from_text() -> None:
    built = []
    for path in CODE_FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in SQL and path not in MAY_BUILD:
                built += [f"{path}:{node.lineno}" for one in node.args[:1] if isinstance(one, BUILT)]
    assert built == []


@pytest.mark.proves("ASVS 5.1.1")
def test_documents_state_the_largest_file() -> None:
    rows = (ROOT / "docs" / "file_formats.md").read_text(encoding="utf-8").splitlines()
    for file, most in (("force", MOST_BYTES), ("edition", MOST_BYTES), ("edition", MOST_SENT),
                       ("archive", MOST_OF_ARCHIVE), ("catalogues", MOST_OF_CATALOGUES)):  # fmt: skip
        assert [f" {most // 1_000_000} MB" in row for row in rows if row.startswith(f"| [{file}]")] == [True], file
