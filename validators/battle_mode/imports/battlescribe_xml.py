"""A ``.ros``: the XML roster of BattleScribe and New Recruit, read into the tree that New Recruit writes as JSON.

Only what a force is made of is kept: the parser's events are counted as they come, so that nothing large is built
first.
"""

from typing import Any

from validators.battle_mode.bounded_xml import BadXml, Bounds, feed
from validators.battle_mode.imports.selections import DEEPEST, MOST_SELECTIONS
from validators.contract import UnreadableForce
from validators.strict_json import MOST_BYTES

BOUNDS = Bounds("roster", MOST_BYTES, 120_000)
_DEEPEST_TAG = 3 * DEEPEST
_LISTS = {"force": "forces", "selection": "selections", "cost": "costs", "category": "categories"}
_KEPT = ("id", "name", "number", "type", "entryId", "value", "catalogueName", "gameSystemName")

Node = dict[str, Any]


def read_xml(data: bytes) -> Node:
    """Bytes of a roster to ``{"roster": {...}}`` with only the fields that are used. Raises UnreadableForce."""
    collector = _Collector()
    try:
        feed(data, collector, BOUNDS)
    except BadXml as fault:
        raise UnreadableForce(f"the file: {fault}") from fault
    return {"roster": collector.root}


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
