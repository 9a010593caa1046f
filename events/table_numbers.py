"""Tables as people write them: "3, 7-9", "table 12", and the code of a table's sheet."""

import re
from collections.abc import Iterable

MOST_TABLES = 1000
ONE_TABLE = re.compile(r"(?:t|table)?\s*(?:#\s*)?([0-9]{1,4})", re.IGNORECASE)
"""Up to four digits: a sheet's code is longer."""


def table_typed(typed: str) -> int | None:
    """The one table that is meant by "12", "t12", "table 12" or "#12"; None for anything else."""
    found = ONE_TABLE.fullmatch(typed.strip())
    return int(found[1]) if found else None


def code_typed(typed: str) -> str:
    """The code of a sheet as it is stored, however somebody typed it."""
    return typed.strip().upper().replace(" ", "").replace("-", "")[:20]


def grouped(code: str) -> str:
    """A code as it is read from paper, in two halves: "ABCDE-FGHJK"."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}" if half else code


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers in a text of numbers and ranges, each once, in order. Raises ValueError, in words."""
    found: set[int] = set()
    for part in re.split(r"[,;\s]+", re.sub(r"\s*[-–—]\s*", "-", text.strip())):
        if not part:
            continue
        ends = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
        if ends is None:
            raise ValueError(f"“{part[:20]}” is no table. Write numbers and ranges, as in 3, 7-9.")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if not 1 <= first <= last <= MOST_TABLES:
            raise ValueError(f"“{part}”: tables are numbered from 1 to {MOST_TABLES}, a range from its lower end.")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def as_text(numbers: Iterable[int]) -> str:
    """The numbers as ``numbers_in`` reads them, runs of three or more as ranges."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in parts)
