"""For pybabel: the texts in the games' data files, by the names of their fields."""

import json
from collections.abc import Iterator, Mapping, Set
from typing import Any, BinaryIO

FIELDS = {
    "choices", "crippled", "gets", "heads", "held_by_one", "help", "hint", "label", "lines", "needs", "note",
    "queries", "readings", "remark", "roles.name", "rows", "scoring", "seldom", "setup", "summary", "sums", "text",
    "texts", "title", "turns", "why",
}  # fmt: skip
Found = tuple[int, str | None, str | tuple[str, str], list[str]]
CONTEXTS = {"roles.name": "role"}
"""Fields whose texts are worded by a context: "Raiders" is a role, and a faction, whose name stays English."""


def extract(file: BinaryIO, keywords: object, comment_tags: object, options: Mapping[str, str]) -> Iterator[Found]:
    """Each text of the file once, in its order, as pybabel asks for it; all at line 1.

    "roles.name" is the field "name" of each of "roles". The option ``fields`` names the fields of files that have
    others.
    """
    fields = set(options.get("fields", "").split()) or FIELDS
    for text, context in dict.fromkeys(_texts(json.load(file), fields)):
        yield (1, "pgettext", (context, text), []) if context else (1, None, text, [])


def _texts(value: Any, fields: Set[str], within: str = "", context: str | None = None) -> Iterator[tuple[str, str]]:
    """The texts of a value, each with its context; those outside of ``fields`` have none, not even ""."""
    if isinstance(value, str):
        # "@" and a name refer to a text of several scenarios.
        if context is not None and any(letter.isalpha() for letter in value) and not value.startswith("@"):
            yield value, context
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, fields, within, context)
    elif isinstance(value, dict):
        for name, item in value.items():
            fields_here = {name, path := f"{within}.{name}"} & fields
            yield from _texts(item, fields, name, CONTEXTS.get(path, "") if fields_here else context)
