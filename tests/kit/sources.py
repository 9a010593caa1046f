"""The files of the checkout and their syntax trees, for tests of the house rules."""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache

from babel.messages.catalog import Catalog

from languages.update import texts_of_code
from tests.kit.promises import ROOT

CODE = ("app.py", "events/", "languages/", "migrations/", "models/", "pdf/", "service/", "validators/", "run")
KNOWS_HTTP = re.compile(
    r"/web/|views\.py$|forms\.py$|_page\.py$|/loading\.py$|/accounts/browser\.py$|/visitors/(bearer|staff_routes)\.py$"
    r"|/messages/(copies|delivery|notices)\.py$|/api/webhook_sending\.py$|/desk/navigation\.py$"
    r"|/api/(admission|described)\.py$"
    r"|/registration/one_click\.py$|/rounds/endings\.py$|/setup/archive_now\.py$"
    r"|/(rooms|template_globals)\.py$"
)
"""The modules of `events/` that may use requests and responses."""


@cache
def committed() -> tuple[str, ...]:
    # The option allows a checkout that belongs to another user.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return tuple(path for path in listed if path and (ROOT / path).is_file())


def python_files(*under: str) -> list[str]:
    return [p for p in committed() if p.startswith(under) and (p.endswith(".py") or p == "run")]


CODE_FILES = [p for p in python_files(*CODE) if not p.startswith("migrations/versions/")]
TEST_FILES = python_files("tests/")
TEMPLATES = [p for p in committed() if re.match("events/[a-z]+/templates/", p)]


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), path)


@cache
def nodes(path: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


@cache
def texts() -> Catalog:
    """The texts of the code, which take as long to find as fifty pages to open."""
    return texts_of_code()


def called(path: str, last: frozenset[str]) -> Iterator[tuple[int, str]]:
    """The line and the dotted name of every use of a name that ends with one of ``last``."""
    if not any(word in (ROOT / path).read_text(encoding="utf-8") for word in last):
        return
    for node in nodes(path):
        if isinstance(node, ast.Name | ast.Attribute):
            word = node.id if isinstance(node, ast.Name) else node.attr
            if word in last:
                yield node.lineno, ast.unparse(node)


def found(paths: list[str], pattern: str, flags: int = 0) -> list[str]:
    """The lines that contain the pattern, as ``path:line: text``."""
    return [
        f"{path}:{number}: {line.strip()[:100]}"
        for path in paths
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line, flags)
    ]


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE))
