"""Readers of what strangers send, and texts that cost a careless reader the square of their length."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from events.api.webhook_sending import posted_id_in
from events.messages.text import filled, filled_line, unknown
from events.setup.archive_file import read_archive
from events.tournament.pairing.certificate import read_pairings
from events.tournament.points_table import typed_table
from events.web import parsing
from events.web.csv_cells import cells_of_line
from validators import SYSTEMS
from validators.strict_json import read_json

Reader = Callable[[str], object]
NEAR = ("Knight-Captain", "Knight Sergeant", "Knihgt", "Field Scribe", "Palladin", "Settlers")


def _filling(part: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + part * ((size - len(before) - len(after)) // len(part)) + after


def _names(size: int) -> str:
    return "{" + "".join(f'"n{number:06}":1,' for number in range(size // 12)) + '"n000000":1}'


def _near_names(size: int) -> str:
    return "\n".join(f"{number % 9} {NEAR[number % len(NEAR)]}{number % 31}" for number in range(size // 16))


SHAPES: Mapping[str, Callable[[int], str]] = {
    "nested brackets": _filling("["),
    "nested objects": _filling('{"a":'),
    "names, the first one twice": _names,
    "digits": _filling("9", "[", "]"),
    "separators": _filling(",;"),
    "no separators": _filling("a"),
    "blanks": _filling(" ", "1", "x"),
    "quotes": _filling(',"a""'),
    "marks": _filling("\u0301\u0323", "a"),
    "unclosed tags": _filling("<a ", "<html><ul>"),
    "nested tags": _filling("<ul><li>", "<html>"),
    "elements": _filling("<selection name='a'>", "<roster>"),
    "a long line": _filling("Raider 20 "),
    "many lines": _filling("2 Raiders 40\n"),
    "near names": _near_names,
}


def _of_bytes(read: Callable[[bytes], object], text: str) -> object:
    return read(text.encode())


def _force(system: Any, data: bytes) -> object:
    return system.forces.files.import_("sent", data, system.editions[0])


def _form(system: Any, text: str) -> object:
    """A builder's form: of many fields, and with long values."""
    info = system.editions[0]
    lines = text.split("\n")
    return system.forces.edit({"name": lines, "do": lines[:1]} | {f"m0.{line[:20]}": [line] for line in lines}, info)


def _readers() -> Iterator[tuple[str, Reader]]:
    files: dict[str, Callable[[bytes], object]] = {
        "JSON": read_json, "archive": read_archive, "pairings": read_pairings,
    }  # fmt: skip
    for name, system in SYSTEMS.items():
        files[f"force of {name}"] = partial(_force, system)
        if system.edition_files:
            files[f"edition of {name}"] = system.edition_files.read
        if system.scenario_files:
            files[f"scenario of {name}"] = system.scenario_files.import_
    for name, read in files.items():
        yield name, partial(_of_bytes, read)
    for function in (
        parsing.tidy, parsing.tidy_name, parsing.name_key, parsing.search_key, parsing.look_alike_key, parsing.unfit,
        parsing.mixed_scripts, parsing.visible, parsing.slug_of, parsing.stem_of, parsing.read_address, parsing.is_link,
        parsing.has_web_address, parsing.numbers_in, parsing.code_typed, parsing.table_typed, parsing.whole_number,
        parsing.one_spelling, cells_of_line, unknown, posted_id_in,
    ):  # fmt: skip
        yield function.__name__, function
    yield "filled", lambda text: filled(text, {"name": "Ada"})
    yield "filled_line", lambda text: filled_line(text, {"name": "Ada"})
    yield "points table", lambda text: typed_table(text, 10, 14)


READERS: Mapping[str, Reader] = dict(_readers())
