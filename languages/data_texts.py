"""For pybabel: the texts in the games' data files, by the names of their fields."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO

FIELDS = {
    "choices", "crippled", "gets", "heads", "help", "hint", "label", "lines", "needs", "note", "queries", "readings",
    "rows", "scoring", "seldom", "setup", "summary", "sums", "text", "title", "turns", "why",
}  # fmt: skip
Found = tuple[int, None, str, list[str]]


def extract(file: BinaryIO, keywords: object, comment_tags: object, options: Mapping[str, str]) -> Iterator[Found]:
    """Each text of the file once, in its order, as pybabel asks for it; all at line 1.

    The option ``fields`` names the fields of files whose fields are others.
    """
    fields = set(options.get("fields", "").split()) or FIELDS
    for text in dict.fromkeys(_texts(json.load(file), fields, wanted=False)):
        yield 1, None, text, []


def _texts(value: Any, fields: Collection[str], *, wanted: bool) -> Iterator[str]:
    if isinstance(value, str):
        if wanted and any(letter.isalpha() for letter in value):
            yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, fields, wanted=wanted)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _texts(one, fields, wanted=wanted or name in fields)
