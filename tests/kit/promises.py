"""The promises of docs/assurance, and the tests that are marked ``@pytest.mark.proves("G3", "ASVS 3.3.1")``."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
ASSURANCE = ROOT / "docs" / "assurance"
TABLES = [ASSURANCE / name for name in ("guarantees.md", "attacks.md", "asvs.md")]
STATES = ("met", "partly", "not met", "kept elsewhere", "no such part", "retired")
"""``kept elsewhere``: by the proxy, the service manager or the database, as shipped. ``no such part``: the service has
no part that could be attacked this way."""
CHAPTERS = {
    "1": "2.1 2.2 2.3 2.4 3.1 3.3 3.6 3.7 3.11 4.2 5.1 5.2",
    "2": "2.1 2.2 2.3 3.1 3.2 3.3 3.4 4.1",
    "3": "2.1 3.1 3.2 3.4 4.1 4.3 4.4 4.5 4.6 5.1 5.3 7.2",
    "4": "1.1 1.3 2.1",
    "5": "1.1 2.1 2.2 2.3 3.2 4.2 4.3",
    "6": "1.1 2.1 2.4 2.12 3.1 3.2 3.3 4.1 4.3 5.1",
    "7": "2.3 2.4 3.1 3.2 4.1 4.2 4.3 5.1 5.2",
    "8": "1.1 1.2 2.1 2.2 2.3 3.1 4.1",
    "9": "1.1 2.1 2.2",
    "11": "4.2 5.1",
    "13": "3.1 4.2",
    "14": "2.1 2.2 3.2",
    "15": "1.2 2.1 2.2 3.1 3.3 3.4",
    "16": "2.5 3.1 3.2 4.1 5.1 5.3",
}
"""The requirements of OWASP ASVS 5.0.0, levels 1 and 2, that apply to this service, by chapter."""
IDS = (
    *(f"G{n}" for n in range(1, 9)),
    *(f"I{n}" for n in range(1, 13)),
    *(f"attack {n}" for n in range(1, 108)),
    *(f"F{n}" for n in range(1, 26)),
    *(f"ASVS {chapter}.{row}" for chapter, rows in CHAPTERS.items() for row in rows.split()),
)


@dataclass(frozen=True)
class Row:
    id: str
    what: str
    state: str
    remark: str


def rows(text: str) -> Iterator[Row]:
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if cells and re.fullmatch(r"G\d+|I\d+|F\d+|attack \d+|ASVS [\d.]+", cells[0]):
            yield Row(*cells)


def marks(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.proves":
                yield from map(ast.literal_eval, mark.args)


def proven() -> set[str]:
    return {id_ for path in (ROOT / "tests").rglob("test_*.py") for id_ in marks(path)}
