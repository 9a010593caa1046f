"""Faults of imported files: where one stands, and what is wrong there, in the reader's language."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from languages.words import gettext, labelled, ngettext
from validators.kit.shapes import wrong_with

Place = tuple[str | int, ...]
"""Keys and list indexes (from 0), from the outermost value inwards."""


@dataclass(frozen=True)
class Fault:
    """One fault in a file: its place, what is wrong there, the line and column if known, and the file if several."""

    place: Place
    message: str
    line: int | None = None
    column: int | None = None
    file: str = ""

    def __str__(self) -> str:
        """ "line 12, markers[2].x: is 40, ..." """
        line = gettext("line %(number)s", number=self.line) if self.line else ""
        if line and self.column:
            line = gettext("%(line)s, column %(number)s", line=line, number=self.column)
        return at_place(", ".join(filter(None, (self.file, line, place_of(self.place)))), self.message)


def at_place(place: str, wrong: str) -> str:
    """What is wrong, after its place, if that is known: "markers[2].x: is 40"."""
    return labelled(place, wrong) if place else wrong


class OfFile(str):
    """What is wrong with a file as a whole: "the file: it is empty"; ``wrong`` says it of a pasted text."""

    wrong: str


def of_file(wrong: str) -> OfFile:
    fault = OfFile(at_place(gettext("the file"), wrong))
    fault.wrong = wrong
    return fault


def above(value: int, most: int) -> str:
    """What is wrong with a figure that is too large."""
    return gettext("is %(value)s, at most %(most)s can be", value=value, most=most)


def below(value: int, least: int) -> str:
    """What is wrong with a figure that is too small."""
    return gettext("is %(value)s, at least %(least)s is needed", value=value, least=least)


def too_large(size: int, most: int) -> str:
    """What is wrong with a file of too many bytes."""
    return ngettext(
        "%(num)s byte, at most %(most)s are read", "%(num)s bytes, at most %(most)s are read", size, most=most
    )


def fault_of(error: Any, pattern: str = "") -> Fault:
    """A pydantic error as a fault; ``pattern`` is another message for a text that does not match its pattern."""
    return Fault(tuple(step for step in error["loc"] if step != "[key]"), wrong_with(error, pattern))


def place_of(steps: Iterable[str | int]) -> str:
    """The place of a value in a file, from the keys and indexes that lead to it: seats[2].points, mods["Scope 2"]."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.isidentifier() and step.isascii():
            text += f".{step[:40]}"
        else:
            text += f"[{json.dumps(step[:40], ensure_ascii=not step.isprintable())}]"
    return text.lstrip(".")


_LONGEST_QUOTE = 120


def quoted(fault: Fault, data: bytes) -> str:
    """The line of the file that a fault names, shortened and printable; "" if it names none."""
    if not fault.line or data.startswith(b"PK"):
        return ""
    lines = data.decode("utf-8", "replace").split("\n")
    number, column = fault.line, fault.column or 1
    if number > len(lines):
        return ""
    start = max(0, column - _LONGEST_QUOTE // 2) if column > _LONGEST_QUOTE else 0
    line = lines[number - 1].rstrip("\r")
    cut = "".join(sign if sign.isprintable() else "�" for sign in line[start : start + _LONGEST_QUOTE]).strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _LONGEST_QUOTE < len(line) else ''}"
