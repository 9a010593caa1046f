"""The files of the checkout and their parsed code, for tests about the code itself."""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache

from tests.kit.promises import ROOT

CODE = ("app.py", "events/", "migrations/", "models/", "pdf/", "service/", "validators/", "run")
KNOWS_HTTP = re.compile(
    r"/web/|views\.py$|forms\.py$|/accounts/(loading|attempts|staff_routes)\.py$|/messages/(delivery|notices)\.py$|/(rooms|template_globals)\.py$"
)
"""The modules of `events/` that may know requests and answers."""


@cache
def committed() -> tuple[str, ...]:
    """Every file of the checkout that git knows, by its path from the top."""
    # The option: a checkout may belong to somebody else than who tests it.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return tuple(path for path in listed if path and (ROOT / path).is_file())


def python_files(*under: str) -> list[str]:
    """The Python among them, in these folders or with these names."""
    return [p for p in committed() if p.startswith(under) and (p.endswith(".py") or p == "run")]


CODE_FILES = [p for p in python_files(*CODE) if not p.startswith("migrations/versions/")]
TEST_FILES = python_files("tests/")
TEMPLATES = [p for p in committed() if re.match("events/[a-z]+/templates/", p)]


@cache
def tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), path)


def called(path: str, last: frozenset[str] = frozenset()) -> Iterator[tuple[int, str]]:
    """The line and dotted name of all that a file names or calls; ``last``: what ends with one of these."""
    if last and not any(word in (ROOT / path).read_text(encoding="utf-8") for word in last):
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name | ast.Attribute):
            word = node.id if isinstance(node, ast.Name) else node.attr
            if not last or word in last:
                yield node.lineno, ast.unparse(node)


def found(paths: list[str], pattern: str, flags: int = 0) -> list[str]:
    """Where the pattern stands, as ``path:line: text``."""
    return [
        f"{path}:{number}: {line.strip()[:100]}"
        for path in paths
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(pattern, line, flags)
    ]


def text_files() -> list[str]:
    return [path for path in committed() if b"\0" not in (ROOT / path).read_bytes()]


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE))
