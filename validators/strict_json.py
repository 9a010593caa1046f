"""Strict reading of imported JSON, which rejects ambiguous input, the line of a value or fault, and the canonical form:
equal documents have equal bytes and one SHA-256."""

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NoReturn

from languages.words import N_, gettext
from validators.contract import UnreadableForce
from validators.faults import Place, of_file, too_large

NOT_UTF_8 = N_("not UTF-8 text (byte %(place)s): choose a text file, or save it as UTF-8")
MOST_BYTES = 2_000_000
"""A force is a few kilobytes; anything near this limit is not a force."""


def read_json(data: bytes, most: int = MOST_BYTES) -> object:
    """One JSON text of at most ``most`` bytes, as plain values.

    Rejects ambiguous input: NaN and Infinity, repeated keys, text that is not UTF-8. Rejects expensive input: longer
    texts, deep nesting, numbers of thousands of digits. Raises UnreadableForce.
    """
    text = text_of(data, most)
    if not text.strip():
        raise UnreadableForce(of_file(gettext("it is empty")))
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        text = N_("not JSON at line %(line)s, column %(column)s (%(fault)s)")
        wrong = gettext(text, line=fault.lineno, column=fault.colno, fault=fault.msg)
        raise UnreadableForce(of_file(wrong)) from fault
    except RecursionError as fault:
        raise UnreadableForce(of_file(gettext("nested too deeply"))) from fault
    except ValueError as fault:  # Python rejects numbers of more than 4,300 digits
        raise UnreadableForce(of_file(gettext("a number in it is too long"))) from fault


_LIST_OF_VALUES = re.compile(rb'\[\s*(?:[\[{"\]]|(?:null|true|false|-?\d[\d.eE+-]*)\s*(?:,(?!\s*\d+:)|$))')


def is_json(data: bytes) -> bool:
    """Whether a file is JSON, or nothing, rather than a text, whose first line may begin with "[12/11/2026, 20:14]"."""
    content = data[:300].removeprefix(b"\xef\xbb\xbf").lstrip()
    if content.startswith(b"["):
        return _LIST_OF_VALUES.match(content) is not None
    return content[:1] in (b"", b"{") or content.rstrip() in (b"null", b"true", b"false")


def text_of(data: bytes, most: int = MOST_BYTES) -> str:
    """At most ``most`` bytes of UTF-8 as text. Raises UnreadableForce."""
    if len(data) > most:
        raise UnreadableForce(of_file(too_large(len(data), most)))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise UnreadableForce(of_file(gettext(NOT_UTF_8, place=fault.start))) from fault


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, count in times.items() if count > 1)
        raise UnreadableForce(of_file(gettext("the key “%(key)s” appears twice in one object", key=twice[:40])))
    return values


def _refuse_constant(name: str) -> NoReturn:
    raise UnreadableForce(of_file(gettext("%(name)s is not a JSON number", name=name)))


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def lines_of(text: str, paths: Collection[Place]) -> dict[Place, int]:
    """The line, from 1, of each of these paths; for a missing one, the line of the enclosing value."""
    prefixes = {path[:depth] for path in paths for depth in range(len(path) + 1)}
    deepest = max(map(len, prefixes), default=0)
    numbers: dict[Place, int] = {}
    missing = set(paths)
    for here, offset, *_ in _walk(text):
        if len(here) <= deepest and (path := tuple(here)) in prefixes:
            numbers.setdefault(path, offset)
            missing.discard(path)
            if not missing:
                break
    lines = {}
    for path in paths:
        known = next((path[:depth] for depth in range(len(path), -1, -1) if path[:depth] in numbers), None)
        lines[path] = 1 if known is None else text.count("\n", 0, numbers[known]) + 1
    return lines


def first_odd(text: str) -> tuple[Place, int, str] | None:
    """The path, line and token of the first repeated key, or of the first NaN or Infinity.

    The rest of the text may be malformed.
    """
    for here, offset, token, repeated in _walk(text):
        if repeated or token in ("NaN", "Infinity", "-Infinity"):
            return tuple(here), text.count("\n", 0, offset) + 1, token
    return None


def _walk(text: str) -> Iterator[tuple[list[str | int], int, str, bool]]:
    """Every key and value in the text's order: its path, its offset, its token, and whether it is a repeated key.

    The path list is reused, so copy it to keep it.
    """
    here: list[str | int] = []
    keys: list[set[str] | None] = []  # the keys so far of each open object; None for an open list
    key_next = False
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if piece in ("}", "]"):
            if not keys:
                return
            keys.pop()
            here.pop()
            key_next = False
        elif piece == ",":
            if not keys:
                return
            key_next = keys[-1] is not None
            if not key_next:
                here[-1] = int(here[-1]) + 1
        elif piece == ":":
            key_next = False
        elif key_next and keys and keys[-1] is not None:
            if not piece.startswith('"'):
                return
            try:
                key = json.loads(piece, strict=False)
            except json.JSONDecodeError:  # an invalid escape
                return
            here[-1] = key
            yield here, match.start(), piece, key in keys[-1]
            keys[-1].add(key)
        else:
            yield here, match.start(), piece, False
            if piece in ("{", "["):
                key_next = piece == "{"
                keys.append(set() if key_next else None)
                here.append("" if key_next else 0)


def canonical_text(document: Any) -> str:
    """JSON with sorted keys, no spaces between its parts, and no escaped characters.

    ``document`` comes from ``strict_json.read_json`` or from ``read_force``.
    """
    return json.dumps(document, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def unordered_text(document: Any) -> str:
    """The canonical text of a document whose lists are sorted: equal for the same parts in another order."""
    return canonical_text(_sorted(document))


def _sorted(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _sorted(value) for key, value in part.items()}
    return sorted(map(_sorted, part), key=canonical_text) if isinstance(part, list) else part


def fingerprint(document: Any) -> str:
    """Sixteen hexadecimal digits that identify the document from which a page was made."""
    return sha256_of(canonical_text(document))[:16]


def keyed_digest(secret: bytes, about: Sequence[object]) -> str:
    """64 hexadecimal digits for what they are about, always the same, that nobody knows without the secret."""
    return hmac.new(secret, canonical_text(about).encode(), "sha256").hexdigest()


def sha256_of(text: str) -> str:
    """The SHA-256 of the text's UTF-8 bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
