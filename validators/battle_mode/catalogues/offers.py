"""What may be chosen below an entry: links followed, groups looked through, only what is shown in Battle Mode."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from validators.battle_mode.catalogues.conditions import Judge, Place
from validators.battle_mode.catalogues.tree import Node
from validators.battle_mode.imports.matching import without_sorting
from validators.battle_mode.imports.selections import a_name
from validators.contract import UnreadableForce
from validators.names import fold

_DEEPEST_GROUP = 24
_CHOICES = ("selectionEntry", "selectionEntryGroup", "entryLink")
EQUIPMENT = "equipment"
LEADER = ("leader", "leaders", "leader card", "leader cards")
PERKS = ("perks", "perk")
MODS = ("mods", "mod")


@dataclass(frozen=True, slots=True)
class Offer:
    """One entry that may be chosen, the link by which (or the entry again), and the names of the groups it is in."""

    entry: Node
    link: Node
    path: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The entry's name without its sorting prefix; "" where it has none that can be shown."""
        return name_of(self.entry)

    @property
    def key(self) -> str:
        """The name, folded."""
        return _names(self.entry.get("name"))[1]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The entry and the link to it."""
        return (self.entry,) if self.link is self.entry else (self.entry, self.link)

    def within(self, names: tuple[str, ...]) -> bool:
        """Whether one of its groups has one of these names."""
        return any(_names(name)[1] in names for name in self.path)

    def limit(self, kind: str) -> int | None:
        """The least ("min") or most ("max") times that it may be chosen, the strictest; None where nothing is said."""
        values = []
        for holder in self.nodes:
            for node in holder.each("constraint"):
                if node.get("type") == kind and _counts(node):
                    values.append(int(float(node.get("value"))))
        if not values:
            return None
        return max(values) if kind == "min" else min(values)

    @property
    def required(self) -> bool:
        """Whether it cannot be left away: built in."""
        return (self.limit("min") or 0) > 0


def name_of(node: Node) -> str:
    """A node's name without its sorting prefix; "" where it has none that can be shown."""
    return _names(node.get("name"))[0]


@lru_cache(maxsize=8192)
def _names(written: str) -> tuple[str, str]:
    """A name as it is shown, and folded."""
    try:
        name = normalize("NFC", without_sorting(a_name(written, "")))
    except UnreadableForce:
        return "", ""
    return name, fold(name)


def offers(
    holder: Node, place: Place | None, judge: Judge, within: tuple[Node, ...] = (), path: tuple[str, ...] = ()
) -> Iterator[Offer]:
    """The entries that may be chosen below a node, in the file's order; all of them where ``place`` is None.

    ``within`` are the groups that the node is in, itself among them, and ``path`` their names.
    """
    for link in holder.each(*_CHOICES):
        target = judge.index.target(link)
        if target is None:
            continue
        judge.step(link, target)
        if place is not None and not (judge.shown(link, place) and (link is target or judge.shown(target, place))):
            continue
        if target.tag == "selectionEntry":
            yield Offer(target, link, path)
            continue
        if target in within or len(within) > _DEEPEST_GROUP:
            judge.notes.doubt(link, "the group holds itself, or is too deep: not read further")
            continue
        inner = (*within, target), (*path, name_of(target))
        yield from offers(target, place, judge, *inner)
        if link is not target:
            yield from offers(link, place, judge, *inner)


def _counts(constraint: Node) -> bool:
    """Whether a constraint counts selections of this entry, and by a number that can be one."""
    if constraint.get("field") != "selections" or constraint.get("scope") not in ("parent", "force", "roster"):
        return False
    try:
        return 0 <= float(constraint.get("value")) <= 1_000_000  # minus one means no limit
    except ValueError:
        return False
