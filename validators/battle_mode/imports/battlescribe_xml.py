"""A ``.ros``: the XML roster of BattleScribe and New Recruit, read into the tree that New Recruit writes as JSON.

DTDs and entities are forbidden, only UTF-8 is read, and only what a force is made of is kept: the parser's events are
counted as they come, so that nothing large is built first.
"""

import re
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from validators.battle_mode.imports.selections import DEEPEST, MOST_SELECTIONS
from validators.contract import UnreadableForce
from validators.strict_json import MOST_BYTES

MOST_TAGS = 120_000
LONGEST_TAG = 65_536
"""Bytes from one "<" to the next: more are a bomb of attributes, for no description is as long."""
_DEEPEST_TAG = 3 * DEEPEST
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"'>]{0,40})["']""")
_LISTS = {"force": "forces", "selection": "selections", "cost": "costs", "category": "categories"}
_KEPT = ("id", "name", "number", "type", "entryId", "value", "catalogueName", "gameSystemName")

Node = dict[str, Any]


def read_xml(data: bytes) -> Node:
    """Bytes of a roster to ``{"roster": {...}}`` with only the fields that are used. Raises UnreadableForce."""
    _check_bytes(data)
    collector = _Collector()
    parser = XMLParser(target=collector, encoding="utf-8", forbid_dtd=True)
    try:
        parser.feed(data)
        parser.close()
    except DefusedXmlException as refused:
        raise UnreadableForce("the file: it declares a document type or entities, which no roster has") from refused
    except (ParseError, ValueError) as fault:
        line = getattr(fault, "position", (0, 0))[0]
        raise UnreadableForce(f"the file: not well-formed XML{f' at line {line}' if line else ''}") from fault
    return {"roster": collector.root}


def _check_bytes(data: bytes) -> None:
    """Refuse what would cost much to parse, and any encoding but UTF-8, before a parser sees it."""
    if len(data) > MOST_BYTES:
        raise UnreadableForce(f"the file: {len(data)} bytes, at most {MOST_BYTES} are read")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise UnreadableForce(f"the file: not UTF-8 text (byte {fault.start})") from fault
    if b"\0" in data:  # the parser would take it for UTF-16, whatever encoding it was told
        raise UnreadableForce("the file: not UTF-8 text (it holds NUL)")
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    if declared and declared[1].upper() not in (b"UTF-8", b"UTF8", b"US-ASCII"):
        raise UnreadableForce(f"the file: its encoding is {declared[1].decode()[:20]!r}; rosters are UTF-8")
    if data.count(b"<") > 2 * MOST_TAGS:
        raise UnreadableForce(f"the file: more than {MOST_TAGS} tags, which no roster has")
    at = data.find(b"<")
    while at >= 0:
        following = data.find(b"<", at + 1)
        if (following if following >= 0 else len(data)) - at > LONGEST_TAG:
            raise UnreadableForce(f"the file: a single tag of more than {LONGEST_TAG} bytes")
        at = following


class _Collector:
    """The parser's target: keeps the nodes that a force is made of, drops the rest as it comes."""

    def __init__(self) -> None:
        self.root: Node = {}
        self._open: list[Node] = []
        """The nodes that children are added to, the innermost last."""
        self._tags: list[bool] = []
        """For each open tag, whether its node stands in ``_open``."""
        self._selections = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """A tag opens."""
        name = tag.rpartition("}")[2]
        if not self._tags:
            _check_root(name)
        if len(self._tags) > _DEEPEST_TAG:
            raise UnreadableForce("the file: nested too deeply")
        kept = name == "roster" or name in _LISTS
        if kept:
            self._keep(name, {key: attributes[key] for key in _KEPT if key in attributes})
        self._tags.append(kept)

    def end(self, tag: str) -> None:
        """A tag closes."""
        if self._tags.pop():
            self._open.pop()

    def data(self, text: str) -> None:
        """Text between tags: a roster's own facts are all in attributes."""

    def close(self) -> None:
        """The file ends."""

    def _keep(self, name: str, node: Node) -> None:
        if name == "roster":
            self.root = node
        else:
            self._selections += name == "selection"
            if self._selections > MOST_SELECTIONS:
                raise UnreadableForce(f"the file: more than {MOST_SELECTIONS} selections")
            parent = self._open[-1] if self._open else self.root
            parent.setdefault(_LISTS[name], []).append(node)
        self._open.append(node)


def _check_root(name: str) -> None:
    if name in ("catalogue", "gameSystem"):
        raise UnreadableForce("the file: this is a catalogue of a game, not a roster made with it")
    if name != "roster":
        raise UnreadableForce(f"the file: its outermost tag is <{name[:40]}>; a roster's is <roster>")
