"""An index of catalogue files by id: which entries Battle Mode shows to a model, and the choices below an entry.

A condition is true, false or unknown (None). An unknown condition changes nothing and is noted.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from unicodedata import normalize

from languages.stated import stated
from languages.words import gettext, noted
from validators.battle_mode.catalogues.files import Files, NoCost, Node, Notes
from validators.battle_mode.imports.matching import without_sorting
from validators.battle_mode.imports.selections import a_name, is_this_game
from validators.contract import UnreadableEdition, UnreadableForce
from validators.faults import Fault
from validators.names import fold, loose

_IDENTIFIED = ("gameSystem", "catalogue", "selectionEntry", "selectionEntryGroup", "entryLink", "categoryEntry",
               "forceEntry", "costType")  # fmt: skip
_ENTRIES = ("selectionEntry", "selectionEntryGroup")
BATTLE_MODE = "battle mode"
_GENERAL = {"", "any", "model", "unit", "upgrade"}
"""Keywords that conditions may name instead of ids."""


class Index:
    """The files by id, and the ids that matter most. Raises UnreadableEdition if no cost or no force is found."""

    def __init__(self, files: Files, notes: Notes) -> None:
        self.files = files
        self.by_id: dict[str, Node] = {}
        for node in files.everything():
            if node.tag in _IDENTIFIED and node.get("id"):
                first = self.by_id.setdefault(node.get("id"), node)
                if first.tag == "entryLink" != node.tag:
                    self.by_id[node.get("id")] = node  # links are read in place; none leads to another
                elif first is not node and node.tag != "entryLink" and not first.says_the_same(node):
                    text = noted("has the id of %(name)s (%(file)s, line %(line)s); that one is used")
                    notes.doubt(node, stated(text, name=first.name, file=first.file, line=first.line))
        categories = (node for node in self.by_id.values() if node.tag == "categoryEntry")
        self.has_unique_category = any("unique" in fold(node.name).split() for node in categories)
        self.caps = _caps(files)
        """The ids of the cost called Caps."""
        self.forces = tuple(node for node in files.everything() if node.tag == "forceEntry")
        self.battle = _battle(files, self.forces, notes)
        """The force that is Battle Mode; None if the files name no force."""
        self.battle_id = self.battle.get("id") if self.battle else ""
        _check_links(self, notes)

    def target(self, link: Node) -> Node | None:
        """The entry or group to which a link leads; other nodes themselves."""
        if link.tag != "entryLink":
            return link
        found = self.by_id.get(link.get("targetId"))
        return found if found is not None and found.tag in _ENTRIES else None

    def categories(self, *nodes: Node) -> dict[str, str]:
        """The categories of an entry and of its link: names by id."""
        links = [link for node in nodes for link in node.each("categoryLink")]
        return {id_: self.by_id.get(id_, link).name for link in links if (id_ := link.get("targetId"))}


def is_caps(node: Node, index: Index) -> bool:
    """Whether a cost is in Caps."""
    type_id = node.get("typeId") or node.get("costTypeId")
    return type_id in index.caps or (type_id not in index.by_id and fold(node.name) == "caps")


def _caps(files: Files) -> frozenset[str]:
    types = [node for node in files.everything() if node.tag == "costType"]
    caps = frozenset(node.get("id") for node in types if fold(node.name) == "caps")
    if caps:
        return caps
    named = ", ".join(node.name[:40] for node in types[:5]) or "–"
    raise _another_game(files, gettext("none of its costs is called Caps (%(names)s)", names=named))


def _another_game(files: Files, why: str) -> UnreadableEdition:
    wrong = gettext("%(name)s is another game: %(why)s", name=files.system.name or files.system.file, why=why)
    return UnreadableEdition(Fault((), wrong, file=files.system.file))


def _battle(files: Files, forces: tuple[Node, ...], notes: Notes) -> Node | None:
    for force in forces:
        if fold(force.name) == BATTLE_MODE:
            return force
    named = ", ".join(force.name[:40] for force in forces[:6]) or "–"
    no_battle = gettext("none of its forces is called Battle Mode (%(names)s)", names=named)
    if not is_this_game(files.system.name):
        raise _another_game(files, no_battle)
    if not forces:
        notes.reading(stated("The files name no force: everything that is not hidden is read as Battle Mode’s."))
        return None
    if len(forces) == 1:
        notes.reading(stated("The only force is called %(name)s: read as Battle Mode.", name=forces[0].name[:40]))
        return forces[0]
    raise UnreadableEdition(Fault((), no_battle, file=files.system.file))


def _check_links(index: Index, notes: Notes) -> None:
    """Note every id without a target, and every link whose name differs from its target's."""
    for holder in index.files.everything():
        for node in (*holder.traits, *holder.children):
            if node.tag == "entryLink":
                _check_entry_link(node, index, notes)
            elif node.tag == "catalogueLink" and node.get("targetId") not in index.by_id:
                notes.doubt(
                    node, stated("the upload does not hold this catalogue (id %(id)s)", id=node.get("targetId")[:40])
                )
                notes.partial = True
            elif node.tag == "categoryLink" and node.get("targetId") not in index.by_id:
                says = stated("its category is in no file (id %(id)s)", id=node.get("targetId")[:40])
                notes.doubt(node, says, holder.name)
            elif (
                node.tag == "condition" and (child := node.get("childId")) not in index.by_id and child not in _GENERAL
            ):
                notes.doubt(node, stated("a condition names this id, which no file has"), f"id {child[:40]}")
            elif node.tag == "cost" and (node.get("typeId") or node.get("costTypeId")) not in index.by_id:
                says = stated("its cost is of a kind that no file has; counted if it is called Caps")
                notes.doubt(node, says, holder.name)


def _check_entry_link(link: Node, index: Index, notes: Notes) -> None:
    target = index.target(link)
    if target is None:
        says = stated("the link leads to an id that no file has (%(id)s)", id=link.get("targetId")[:40])
        notes.left_out(link, says)
        return
    if any(is_caps(node, index) and node.get("value").strip(" 0.") for node in link.each("cost")):
        notes.doubt(link, stated("the link has a cost of its own, which is not counted"))
    if link.name and loose(without_sorting(link.name)) != loose(without_sorting(target.name)):
        notes.doubt(link, stated("the link leads to %(name)s, which is called otherwise", name=target.name[:80]))


Truth = bool | None
_HIDDEN = ("hidden",)
MOST_STEPS = 120_000
"""The most nodes visited in one import; a published edition needs about a sixth."""
_TRAITS_OF_A_STEP = 8
"""The number of traits, or of conditions, that count as one visit."""
_SCOPES_ABOVE = ("parent", "ancestor", "root-entry", "unit", "model")


@dataclass(frozen=True)
class Place:
    """Where an entry is chosen: in which force, from which catalogue, in which model.

    ``parent`` holds the ids of the entry directly above it and of its link; ``above`` those and all further up, with
    their categories.
    """

    force: str = ""
    catalogue: str = ""
    parent: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()


@dataclass
class Judge:
    """Evaluates conditions against one index, and counts the steps."""

    index: Index
    notes: Notes
    steps: float = 0
    _parents: dict[Node, frozenset[str] | None] = field(default_factory=dict)
    written: dict[Node, int | NoCost] = field(default_factory=dict)
    """Written costs of entries, found once each."""

    def step(self) -> None:
        """Count a visit. Raises UnreadableEdition if there are too many."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise UnreadableEdition(Fault((), gettext("the groups and links are too entangled to be read")))

    def shown(self, node: Node, place: Place) -> bool:
        """Whether this entry, group or link itself is visible there, ignoring its surroundings."""
        hidden = node.get("hidden") == "true"
        for modifier, met in self.changes(node, place, _HIDDEN):
            if met is None:
                says = stated("whether it is shown depends on a condition that is not known here")
                self.notes.doubt(modifier, says, node.name)
            else:
                hidden = modifier.get("value") == "true"
        return not hidden

    def changes(
        self, node: Node, place: Place, fields: Collection[str], group: Node | None = None
    ) -> Iterator[tuple[Node, Truth]]:
        """The modifiers of these fields of a node that may apply there: with conditions met, or unknown (None)."""
        self.steps += len((group or node).traits) / _TRAITS_OF_A_STEP
        for modifier in (group or node).each("modifier", "modifierGroup"):
            if modifier.tag == "modifier":
                if modifier.get("field") in fields and (met := self._all(modifier, node, place)) is not False:
                    yield modifier, met
            elif any(modifier.each("modifier", "modifierGroup")) and (
                (met := self._all(modifier, node, place)) is not False
            ):
                for found, also in self.changes(node, place, fields, modifier):
                    yield found, met and also

    def _all(self, holder: Node, node: Node, place: Place, *, deciding: bool = False) -> Truth:
        """Whether all conditions and groups directly in a holder are met; with ``deciding`` whether one is."""
        self.steps += len(holder.children) / _TRAITS_OF_A_STEP
        return _together((self._one(child, node, place) for child in holder.children), deciding)

    def _one(self, child: Node, node: Node, place: Place) -> Truth:
        if child.tag == "condition":
            return self._met(child, node, place)
        if child.tag != "conditionGroup":
            return None
        either = child.get("type") == "or"
        parents = self._parents_of(child) if either else None
        if parents is not None:
            return not parents.isdisjoint(place.parent)
        return self._all(child, node, place, deciding=either)

    def _parents_of(self, group: Node) -> frozenset[str] | None:
        """The ids of possible parents, if a group says only that. Catalogues repeat such groups thousands of times."""
        if group not in self._parents:
            only = all(
                child.tag == "condition"
                and (child.get("type"), child.get("scope")) == ("instanceOf", "parent")
                and child.get("childId") not in _GENERAL
                and self._tag_of(child.get("childId")) not in ("forceEntry", "catalogue")
                for child in group.children
            )
            self._parents[group] = frozenset(child.get("childId") for child in group.children) if only else None
        return self._parents[group]

    def _tag_of(self, id_: str) -> str:
        node = self.index.by_id.get(id_)
        return node.tag if node else ""

    def _met(self, condition: Node, node: Node, place: Place) -> Truth:
        kind = condition.get("type")
        if kind not in ("instanceOf", "notInstanceOf"):
            return None
        found = self._instance(condition.get("scope"), condition.get("childId"), node, place)
        return found if found is None or kind == "instanceOf" else not found

    def _instance(self, scope: str, child: str, node: Node, place: Place) -> Truth:
        tag = self._tag_of(child)
        if tag == "forceEntry":
            return child == place.force if scope in ("force", "ancestor", "roster") else None
        if tag == "catalogue":
            return child == place.catalogue
        if child in _GENERAL:
            return None
        if scope == "self":
            return child == node.get("id")
        if scope == "parent":
            return child in place.parent
        return child in place.above if scope in (*_SCOPES_ABOVE, "primary-category") else None


def _together(truths: Iterable[Truth], deciding: bool) -> Truth:
    """Truths combined: ``deciding`` if any has this value, else unknown if any is unknown, else the opposite."""
    found = list(truths)
    return deciding if deciding in found else None if None in found else not deciding


_DEEPEST_GROUP = 24
_CHOICES = ("selectionEntry", "selectionEntryGroup", "entryLink")
EQUIPMENT = "equipment"
LEADER = ("leader", "leaders", "leader card", "leader cards")
PERKS = ("perks", "perk")
MODS = ("mods", "mod")


@dataclass(frozen=True, slots=True)
class Offer:
    """One entry that may be chosen, its link (or the entry again), the groups it is in, and its place.

    Without a place it is in a shared group, whether or not a model may choose it.
    """

    entry: Node
    link: Node
    groups: tuple[Node, ...] = ()
    place: Place | None = None

    @property
    def name(self) -> str:
        """The entry's name without its sorting prefix; "" if it has no displayable name."""
        return name_of(self.entry)

    @property
    def key(self) -> str:
        return _names(self.entry.get("name"))[1]

    @property
    def carried(self) -> bool:
        """Whether a model may choose it in Battle Mode."""
        return self.place is not None

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (self.entry,) if self.link is self.entry else (self.entry, self.link)

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(name_of(group) for group in self.groups)

    def within(self, names: tuple[str, ...]) -> bool:
        """Whether one of its groups has one of these names."""
        return any(_names(group.get("name"))[1] in names for group in self.groups)

    def limit(self, kind: str) -> int | None:
        """The strictest least ("min") or greatest ("max") number of choices; None if there is no limit."""
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
        """Whether it is required, and so built in."""
        return (self.limit("min") or 0) > 0


def name_of(node: Node) -> str:
    """A node's name without its sorting prefix; "" if it has no displayable name."""
    return _names(node.get("name"))[0]


@lru_cache(maxsize=8192)
def _names(written: str) -> tuple[str, str]:
    """A name for display, and folded."""
    try:
        name = normalize("NFC", without_sorting(a_name(written, "")))
    except UnreadableForce:
        return "", ""
    return name, fold(name)


def offers(holder: Node, place: Place | None, judge: Judge, within: tuple[Node, ...] = ()) -> Iterator[Offer]:
    """The entries that may be chosen below a node, in the file's order; all of them if ``place`` is None.

    ``within`` are the groups around the node, including itself.
    """
    for link in holder.each(*_CHOICES):
        target = judge.index.target(link)
        if target is None:
            continue
        judge.step()
        if place is not None and not (judge.shown(link, place) and (link is target or judge.shown(target, place))):
            continue
        if target.tag == "selectionEntry":
            yield Offer(target, link, within, place)
            continue
        if target in within or len(within) > _DEEPEST_GROUP:
            judge.notes.doubt(link, stated("the group holds itself, or is too deep: not read further"))
            continue
        yield from offers(target, place, judge, (*within, target))
        if link is not target:
            yield from offers(link, place, judge, (*within, target))


def groups_shown(holder: Node, place: Place | None, judge: Judge, within: tuple[Node, ...] = ()) -> Iterator[Node]:
    """The groups that are shown below a node, whether or not they show an entry."""
    for link in holder.each("selectionEntryGroup", "entryLink"):
        target = judge.index.target(link)
        if target is None or target.tag != "selectionEntryGroup" or target in within or len(within) > _DEEPEST_GROUP:
            continue
        judge.step()
        if place is None or (judge.shown(link, place) and (link is target or judge.shown(target, place))):
            yield target
            yield from groups_shown(target, place, judge, (*within, target))


def _counts(constraint: Node) -> bool:
    """Whether a constraint limits the selections of this entry with a valid number."""
    if constraint.get("field") != "selections" or constraint.get("scope") not in ("parent", "force", "roster"):
        return False
    try:
        return 0 <= float(constraint.get("value")) <= 1_000_000  # minus one means no limit
    except ValueError:
        return False
