"""Text in lines, bounded: what every text reader begins with."""

from collections.abc import Iterator

from validators.contract import UnreadableForce

MOST_LINES = 3_000
LONGEST_LINE = 4_000


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Every line that is not blank, with its number from 1. Raises UnreadableForce over a text that is no list."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise UnreadableForce(f"the file: {len(lines)} lines, at most {MOST_LINES} are read")
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise UnreadableForce(f"line {number}: longer than {LONGEST_LINE} characters")
        if line.strip():
            yield number, line.rstrip()
