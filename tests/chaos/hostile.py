"""Hostile input (texts, numbers, parts of addresses, files), and functions that put it into forms."""

import io
import zipfile
from dataclasses import dataclass
from random import Random
from urllib.parse import quote_plus

NUMBERS = (
    "0", "-1", "1e999", "NaN", "Infinity", "-0", "1.5", "1,5", "2147483647", "2147483648", "9223372036854775807",
    "9223372036854775808", "9" * 400, "9" * 5000, "٣", "１", "0x10", "1_000", " 7 ", "+1", "1e3", "--1",
)  # fmt: skip
TEXTS = (
    "", " ", "\t", "\x00", "Ada\x00", "\ud800", "Ada \udfff", "\x1b[31mred", "\u202eeca", "\u2066x",
    "\u200b\u200d\u2060", "x" * 81, "x" * 10_000, "Z" + "\u0301" * 200, "👩‍👩‍👧‍👦" * 60, "\ufffe", "\U0010ffff",
    "a\r\nBcc: all@mail.example", "%s%n{0}%(x)s", "{{7*7}}{% raw %}", "{event.__init__}", "<script>alert(1)</script>",
    '"><svg onload=alert(1)>', "' OR 1=1 --", "%", "_", "=1+1", "@SUM(A1)", "../../etc/passwd", "..\\..\\x",
    "file:///etc/passwd", "http://127.0.0.1:1/", "//mail.example", "javascript:alert(1)",
    "[[[[[[", "((((((((((((((((((((((((((((((x", "null", "true", "[]", "{}", "None", "nan",
    "2026-02-30T25:61", "0001-01-01T00:00", "9999-12-31T23:59", "10000-01-01", "2026-10-25T02:30", "2026-03-29T02:30",
    "2026-12-05", "iron-open", "a@b", "a@mail.example\r\nBcc: b@mail.example", "1,2,3", "1-9999999999",
    "1-5;;-3", "ﷺ", "\u1f600",
)  # fmt: skip
BYTES = (b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"\x80" * 50, b"A\xffB")
PARTS = (
    "0", "-1", "2147483647", "2147483648", "9223372036854775808", "9" * 400, "x", "%00", "%ED%A0%80", "%FF", "%0A",
    "..%2F..", "%F0%9F%A4%96", "'%20OR%201=1", "a" * 3000, "%D9%A1", "1.5", "%25s", "%5C", "..", "%E2%80%AE", "drawn",
)  # fmt: skip
"""Parts of addresses, percent-encoded."""


def _zip(*entries: tuple[str, bytes]) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return kept.getvalue()


FILES = (
    b"", b"\x00" * 100, b"\xff\xfe\x00", b"{", b"[" * 100_000, b'{"a":NaN}', b'{"a":' + b"9" * 5000 + b"}",
    b'{"a":1,"a":2}', b'{"format": "overseer-archive", "version": 1e999}', b"null", b"[]", b'"\\ud800"', b"<a/>",
    b"<a>" * 20_000, b"PK\x03\x04",
    b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="&x;"/>',
    b"<html><script>alert(1)</script>", b"%PDF-1.7", b"\x89PNG\r\n\x1a\n", b"GIF89a<script>", b"name,club\n=1+1,x\n",
    _zip(("x.ros", b"\0" * 3_000_000)), _zip(("../../x.ros", b"<roster/>")), _zip(("x.cat", b"<catalogue/>")),
    b"x" * 300_000,
)  # fmt: skip
NAMES = (
    "list.ros", "x.rosz", "../../etc/passwd", 'a"b\r\nX: y', "\u202egnp.exe", "x" * 300, "", ".json", "x.svg",
    "naïve 李.json",
)  # fmt: skip


@dataclass(frozen=True)
class Field:
    """One field of a request: a text, raw bytes, or a file's bytes with its name."""

    name: str
    value: str | bytes
    file: str | None = None


def spoilt(fields: list[Field], dice: Random, known: list[str]) -> list[Field]:
    """The fields of a form with one to four changes. The token stays, because without it a form is refused at once."""
    found = list(fields)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        changeable = [n for n, field in enumerate(found) if field.name != "csrf_token"]
        at = dice.choice(changeable) if changeable else 0
        match dice.randrange(10 if changeable else 1):
            case 0:
                found.append(Field(dice.choice(known), value(dice)))
            case 1:
                found.pop(at)
            case 2:
                found.append(Field(found[at].name, value(dice)))
            case 3:  # the value of another field of the form
                found[at] = Field(found[at].name, found[dice.choice(changeable)].value)
            case 4:
                found[at] = Field(dice.choice(known), found[at].value)
            case _ if found[at].file is not None:
                found[at] = Field(found[at].name, dice.choice(FILES), dice.choice(NAMES))
            case _:
                found[at] = Field(found[at].name, value(dice))
    return found


def value(dice: Random) -> str | bytes:
    """One hostile value."""
    pot: tuple[tuple[str | bytes, ...], ...] = (NUMBERS, TEXTS, TEXTS, BYTES)
    chosen = dice.choice(dice.choice(pot))
    if isinstance(chosen, str) and dice.random() < 0.1:
        return "".join(chr(dice.choice((dice.randrange(32), dice.randrange(0x3000), dice.randrange(0x110000))))
                       for _ in range(dice.randrange(1, 90)))  # fmt: skip
    return chosen


def body_of(fields: list[Field], *, multipart: bool) -> tuple[bytes, str]:
    """A request's body with the fields, byte for byte, and its content type."""
    if not multipart:
        pairs = (f"{quote_plus(raw(a_field.name))}={quote_plus(raw(a_field.value))}" for a_field in fields)
        return "&".join(pairs).encode(), "application/x-www-form-urlencoded"
    mark = "----overseer-fuzz"
    parts = []
    for field in fields:
        named = f'; filename="{field.file}"' if field.file is not None else ""
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{field.name}"{named}\r\n\r\n'
        parts.append(raw(head) + raw(field.value) + b"\r\n")
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"


def raw(value: str | bytes) -> bytes:
    """A value's bytes. A lone surrogate becomes three bytes that are invalid in UTF-8."""
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
