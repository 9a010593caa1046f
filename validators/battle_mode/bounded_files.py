"""XML and zip files from outside, read within bounds.

XML is checked in its bytes before a parser sees it, then fed to a target without DTD and entities. Nothing in an
archive is believed: not its sizes, not its number of entries, not its paths. Nothing is written to disk.
"""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

LONGEST_TAG = 65_536
"""Bytes from one "<" to the next: more are a bomb of attributes, for no description is as long."""
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"'>]{0,40})["']""")


class BadXml(Exception):
    """What is wrong with the bytes, as the end of a sentence about the file."""


class Target(Protocol):
    """The parser's target: it is called for each tag that opens and closes."""

    def start(self, tag: str, attributes: dict[str, str]) -> None: ...

    def end(self, tag: str) -> None: ...

    def data(self, text: str) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Bounds:
    """The most that is read: bytes, and tags (opening and closing ones are one); ``kind`` is the file in a word."""

    kind: str
    most_bytes: int
    most_tags: int


def feed(data: bytes, target: Target, bounds: Bounds) -> None:
    """Parse bytes into a target. Raises BadXml, and what the target raises."""
    feed_with_lines(data, lambda _: target, bounds)


def feed_with_lines(data: bytes, make: Callable[[Callable[[], int]], Target], bounds: Bounds) -> None:
    """The same for a target that is made with a function for the current line."""
    check_bytes(data, bounds)
    parsers: list[Any] = []
    parser = XMLParser(target=make(lambda: parsers[0].CurrentLineNumber), encoding="utf-8", forbid_dtd=True)
    parsers.append(parser.parser)
    try:
        parser.feed(data)
        parser.close()
    except DefusedXmlException as refused:
        raise BadXml(f"it declares a document type or entities, which no {bounds.kind} has") from refused
    except (ParseError, ValueError) as fault:
        line = getattr(fault, "position", (0, 0))[0]
        raise BadXml(f"not well-formed XML{f' at line {line}' if line else ''}") from fault
    finally:
        parsers.clear()


def check_bytes(data: bytes, bounds: Bounds) -> None:
    """Refuse what would cost much to parse, and any encoding but UTF-8. Raises BadXml."""
    if len(data) > bounds.most_bytes:
        raise BadXml(f"{len(data)} bytes, at most {bounds.most_bytes} are read")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise BadXml(f"not UTF-8 text (byte {fault.start}): save it as UTF-8") from fault
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        raise BadXml("it is empty")
    if b"\0" in data:  # the parser would take it for UTF-16, whatever encoding was declared
        raise BadXml("not UTF-8 text (it holds NUL)")
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    if declared and declared[1].upper() not in (b"UTF-8", b"UTF8", b"US-ASCII"):
        raise BadXml(f"its encoding is {declared[1].decode()[:20]!r}; {bounds.kind}s are UTF-8")
    if data.count(b"<") > 2 * bounds.most_tags:
        raise BadXml(f"more than {bounds.most_tags} tags, which no {bounds.kind} has")
    at = data.find(b"<")
    while at >= 0:
        following = data.find(b"<", at + 1)
        if (following if following >= 0 else len(data)) - at > LONGEST_TAG:
            raise BadXml(f"a single tag of more than {LONGEST_TAG} bytes")
        at = following


_CENTRAL_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""All that zipfile is known to raise over a damaged archive."""


class BadArchive(Exception):
    """What is wrong with the archive, as the end of a sentence about it."""


def is_archive(data: bytes) -> bool:
    """Whether this is a zip, by its first bytes."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


@contextmanager
def opened(data: bytes, most_entries: int, holds: str) -> Iterator[zipfile.ZipFile]:
    """The archive, for as long as the block lasts; ``holds`` says what such an archive holds. Raises BadArchive."""
    # Counted before zipfile makes an object of each: it needs one of these marks for every entry.
    if data.count(_CENTRAL_ENTRY) > most_entries:
        raise BadArchive(f"more than {most_entries} entries; {holds}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except _BROKEN as fault:
        raise BadArchive("damaged, it cannot be unpacked") from fault


def checked(info: zipfile.ZipInfo, kind: str, most_bytes: int) -> zipfile.ZipInfo:
    """An entry that may be read; ``kind`` is the wanted file in a word. Raises BadArchive."""
    parts = info.filename.replace("\\", "/").split("/")
    link = stat.S_ISLNK(info.external_attr >> 16)
    if link or ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise BadArchive(f"the {kind}'s path leads out of the archive")
    if info.flag_bits & _ENCRYPTED:
        raise BadArchive("encrypted; save it without a password")
    if info.compress_type not in _METHODS:
        raise BadArchive(f"packed by a method that no {kind} program uses")
    if info.file_size > most_bytes:
        raise too_large(most_bytes)
    return info


def read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most_bytes: int) -> bytes:
    """The entry, never more than the budget and a byte of it, whatever size it claims. Raises BadArchive."""
    with archive.open(info) as stream:
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise too_large(most_bytes)
    return data


def too_large(most_bytes: int) -> BadArchive:
    """The refusal of what exceeds the budget."""
    return BadArchive(f"unpacks to more than {most_bytes} bytes")
