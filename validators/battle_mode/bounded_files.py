"""Reading imported XML and zip files safely, within limits of size.

XML is checked as bytes before it is parsed without DTD and entities. An archive's stated sizes, number of entries and
paths are not trusted. Nothing is written to disk.
"""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from languages.words import gettext
from validators.faults import Fault, too_large
from validators.kit.shapes import step_of
from validators.strict_json import NOT_UTF_8

LONGEST_TAG = 65_536
"""The most bytes from one "<" to the next. No description is as long; more means far too many attributes."""
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"'>]{0,40})["']""")


class BadFile(Exception):
    """Malformed XML or a bad archive; the message is the end of a sentence about the file."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line

    def of(self, file: str) -> Fault:
        return Fault((), str(self), self.line, file=file)


class Tree:
    """The parser's target: keeps some tags as nodes while reading, and of all others only what is in them."""

    outermost: str
    others: ClassVar[Mapping[str, str]]
    """Descriptions of files with other known outermost tags, marked for translation."""
    kept: Collection[str]
    deepest: int
    most_bytes: int
    most_tags: int
    """The most tags to read; an opening and a closing tag count as one."""
    _keep: Callable[[str, dict[str, str]], Any]
    """The method of each kind of tree that makes a tag's node and adds it to the innermost open one."""

    def __init__(self) -> None:
        self.open: list[Any] = []
        """The nodes of the open tags, the innermost last."""
        self.tags: list[str] = []
        """The open tags."""

    def read(self, data: bytes) -> None:
        """Parse a file's bytes. Raises BadFile."""
        check_bytes(data, self.most_bytes, self.most_tags)
        parser = XMLParser(target=self, encoding="utf-8", forbid_dtd=True)
        try:
            parser.feed(data)
            parser.close()
        except DefusedXmlException as refused:
            raise BadFile(gettext("it declares a document type or entities, which are not read")) from refused
        except (ParseError, ValueError) as fault:
            raise BadFile(gettext("not well-formed XML"), getattr(fault, "position", (None, 0))[0]) from fault

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        if len(self.tags) > self.deepest:
            raise BadFile(gettext("nested too deeply"))
        if not self.tags and name != self.outermost:
            tag, wanted = f"<{name[:40]}>", f"<{self.outermost}>"
            message = gettext("its outermost tag is %(tag)s, not %(wanted)s", tag=tag, wanted=wanted)
            raise BadFile(gettext(self.others[name]) if name in self.others else message)
        if name in self.kept:
            self.open.append(self._keep(name, attributes))
        self.tags.append(name)

    def end(self, tag: str) -> None:
        if self.tags.pop() in self.kept:
            self.open.pop()


def check_bytes(data: bytes, most_bytes: int, most_tags: int) -> None:
    """Reject XML that is expensive to parse, and every encoding except UTF-8. Raises BadFile."""
    if len(data) > most_bytes:
        raise BadFile(too_large(len(data), most_bytes))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise BadFile(gettext(NOT_UTF_8, place=fault.start)) from fault
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        raise BadFile(gettext("it is empty"))
    if b"\0" in data:  # the parser would read it as UTF-16, whatever encoding it declares
        raise BadFile(gettext(NOT_UTF_8, place=data.index(b"\0")))
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    if declared and declared[1].upper() not in (b"UTF-8", b"UTF8", b"US-ASCII"):
        raise BadFile(gettext("its encoding is %(name)s: save it as UTF-8", name=step_of(declared[1].decode())))
    if data.count(b"<") > 2 * most_tags:
        raise BadFile(gettext("more than %(most)s tags", most=most_tags))
    at = data.find(b"<")
    while at >= 0:
        following = data.find(b"<", at + 1)
        if (following if following >= 0 else len(data)) - at > LONGEST_TAG:
            raise BadFile(gettext("a single tag of more than %(most)s bytes", most=LONGEST_TAG))
        at = following


_CENTRAL_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, OverflowError, RuntimeError, ValueError)
"""All known exceptions of zipfile for a damaged archive."""


def is_archive(data: bytes) -> bool:
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


@contextmanager
def opened(data: bytes, most_entries: int) -> Iterator[zipfile.ZipFile]:
    """The archive, as a context manager. Raises BadFile."""
    # Counted before zipfile creates an object for each entry, which has one of these marks.
    if data.count(_CENTRAL_ENTRY) > most_entries:
        raise BadFile(gettext("more than %(most)s files", most=most_entries))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except _BROKEN as fault:
        raise BadFile(gettext("damaged, it cannot be unpacked")) from fault


def read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most_bytes: int) -> bytes:
    """The bytes of an entry, if it is safe to read. Raises BadFile."""
    parts = info.filename.replace("\\", "/").split("/")
    link = stat.S_ISLNK(info.external_attr >> 16)
    if link or ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise BadFile(gettext("the path of a file leads out of the archive"))
    if info.flag_bits & _ENCRYPTED:
        raise BadFile(gettext("encrypted: save it without a password"))
    if info.compress_type not in _METHODS:
        raise BadFile(gettext("packed by an unknown method: save it as an ordinary zip file"))
    if info.file_size <= most_bytes:
        with archive.open(info) as stream:
            data = stream.read(most_bytes + 1)  # whatever size it claims
        if len(data) <= most_bytes:
            return data
    raise BadFile(gettext("unpacks to more than %(most)s bytes", most=most_bytes))
