"""Every regular expression in the code against texts designed for catastrophic backtracking (ReDoS)."""

import ast
import importlib
import re
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.kit.sources import CODE_FILES, tree

pytestmark = pytest.mark.slow

LENGTH = 40_000
SECONDS = 4.0
"""Processor time for one pattern and all its texts: sound ones take hundredths, a quadratic one ten."""
LINE, OF_FORM = 4_000, 6_000
"""Characters of a line of a pasted list (``texts``), and of what a form's field lets through."""
BOUNDED = {
    "parsing.ADDRESS": 254,
    "parsing.ONE_TABLE": 1_000,
    "events/play/parsing.py": OF_FORM,
    "views._TIMES": 200,
    "texts._COST": LINE,
    "texts._COSTS": LINE,
    "texts._TITLE": LINE,
    "texts._UNIT": LINE,
    "texts._PART": 400,
    "texts._MODEL": 20_000,
}
"""The longest text of these patterns: their callers cut or refuse longer ones."""
CALLS = tuple(f"re.{name}" for name in ("match", "fullmatch", "search", "sub", "split", "findall", "finditer"))
AFTER = ("\x00", "a", "1")
"""Ends that make a match fail late."""


def literal(node: ast.expr) -> str | bytes | None:
    """The literal pattern in a call; None if it is computed."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) else None


@cache
def patterns() -> dict[str | bytes, str]:
    """Every pattern, compiled in a module or literal in a call, with a file that contains it."""
    found: dict[str | bytes, str] = {}
    for path in CODE_FILES:
        if not path.endswith(".py") or path.startswith("migrations/"):
            continue
        for node in ast.walk(tree(path)):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS and node.args):
                continue
            if (text := literal(node.args[0])) is not None:
                found.setdefault(text, path)
        module = importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                found.setdefault(value.pattern, f"{Path(path).stem}.{name}")
    return found


def parts(parsed: Any) -> Iterator[str]:
    """A letter for each part of a pattern."""
    for operator, argument in parsed:
        name = str(operator)
        if name in ("LITERAL", "NOT_LITERAL"):
            yield chr(argument)
        elif name == "CATEGORY":
            yield {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " "}.get(str(argument), "a")
        elif name == "RANGE":
            yield chr(argument[0])
        elif name == "ANY":
            yield "a"
        elif name == "IN":
            yield from parts([one for one in argument if str(one[0]) != "NEGATE"])
        elif isinstance(argument, tuple | list):
            for one in argument:
                if hasattr(one, "data"):
                    yield from parts(one)
                elif isinstance(one, list):
                    for branch in one:
                        yield from parts(branch)


def pumped(pattern: str | bytes, length: int) -> Iterator[str]:
    """Texts of the pattern's own letters, repeated, alone and in pairs, with endings that do not match."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    parsed = re._parser.parse(text)  # type: ignore[attr-defined]
    letters = list(dict.fromkeys(parts(parsed)))[:6]
    front = "".join(letters[:6])
    units = [*letters, *(one + other for one in letters[:2] for other in letters[:2] if one != other)]
    for unit in units:
        body = unit * (length // len(unit))
        for end in AFTER[:1] if len(unit) > 1 else AFTER:
            yield body + end
        yield front + body + "\x00"


class RanAwayError(Exception):
    """A pattern used up its processor time."""


def ran_away(signum: int, frame: object) -> None:
    """Stop the pattern that is being matched."""
    raise RanAwayError


def holds(pattern: str | bytes, length: int, after: float = SECONDS) -> bool:
    """Whether the pattern finishes all its texts within the time limit."""
    compiled = re.compile(pattern)
    before = signal.signal(signal.SIGVTALRM, ran_away)
    signal.setitimer(signal.ITIMER_VIRTUAL, after)
    try:
        for text in pumped(pattern, length):
            sent: Any = text.encode("latin-1", "replace") if isinstance(pattern, bytes) else text
            ways: tuple[Callable[[Any], object], ...] = (compiled.search, compiled.fullmatch)
            for way in ways:
                way(sent)
    except RanAwayError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return True


@pytest.mark.proves("attack 48")
def test_no_pattern_backtracks_catastrophically() -> None:
    assert len(patterns()) > 50
    slow = [
        f"{where}: {pattern!r}"
        for pattern, where in patterns().items()
        if not holds(pattern, BOUNDED.get(where, LENGTH))
    ]
    assert slow == []
    assert set(patterns().values()) >= BOUNDED.keys(), "a bound for a pattern that is gone"


def test_exponential_and_quadratic_patterns_are_found() -> None:
    for pattern in (r"(a+)+$", r"(\w|\d)*x", r"\s*,", r"^(([a-z])+.)+[A-Z]([a-z])+$", r'"(\\.|[^"])*\d*"x'):
        assert not holds(pattern, LENGTH, 0.2), pattern
