"""Whether an entry is shown to a model in Battle Mode: its ``hidden`` and the modifiers that change it.

Conditions are judged in three values: None is "cannot be said". What cannot be said changes nothing, and is noted.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from validators.battle_mode.catalogues.index import Index
from validators.battle_mode.catalogues.report import Notes
from validators.battle_mode.catalogues.tree import Node
from validators.contract import UnreadableEdition

Truth = bool | None
Usual = bool | frozenset[str] | None
MOST_STEPS = 120_000
"""Nodes looked at in one import: a published edition needs about a sixth."""
_TRAITS_OF_A_STEP = 8
_OWNERS = ("parent", "ancestor", "root-entry", "unit", "model")


@dataclass(frozen=True)
class Place:
    """Where an entry would be chosen: in which force, from which catalogue, and in which model.

    ``parent`` holds the ids of the entry directly above it and of the link to that, ``above`` those and of all further
    up, their categories too.
    """

    force: str = ""
    catalogue: str = ""
    parent: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()


@dataclass
class Judge:
    """Judges conditions by one index, and counts what that costs."""

    index: Index
    notes: Notes
    steps: int = 0
    _usual: dict[tuple[Node, str], Usual] = field(default_factory=dict)
    """What the conditions of a holder come to in a force, where they only ask for the force and the parent: yes, no, or
    the ids one of which must be the parent's. None for all others.
    """

    def step(self, *nodes: Node) -> None:
        """Count a look, at nodes with many traits for more. Raises UnreadableEdition where there are too many."""
        self.steps += 1 + sum(len(node.traits) for node in nodes) // _TRAITS_OF_A_STEP
        if self.steps > MOST_STEPS:
            raise UnreadableEdition("the files: their groups and links are too entangled to be read")

    def shown(self, node: Node, place: Place) -> bool:
        """Whether this entry, group or link is visible there, its surroundings aside."""
        hidden = node.get("hidden") == "true"
        for child in node.each("modifier", "modifierGroup"):
            hidden = self._modified(child, node, place, hidden)
        return not hidden

    def _modified(self, modifier: Node, node: Node, place: Place, hidden: bool) -> bool:
        inner = list(modifier.each("modifier", "modifierGroup"))
        if modifier.tag == "modifier" and modifier.get("field") != "hidden":
            return hidden
        if not inner and modifier.tag == "modifierGroup":
            return hidden
        holds = self._all(modifier, node, place)
        if holds is None:
            self.notes.doubt(modifier, "whether it is shown depends on a condition that is not known here", node.name)
        if not holds:
            return hidden
        for further in inner:
            hidden = self._modified(further, node, place, hidden)
        if modifier.tag == "modifierGroup":
            return hidden
        return modifier.get("value") == "true"

    def _all(self, holder: Node, node: Node, place: Place) -> Truth:
        """Whether every condition and group directly in a holder is met."""
        usual = self._come_to(holder, place.force)
        if usual is None:
            return _every(self._one(child, node, place) for child in holder.children)
        return usual if isinstance(usual, bool) else not usual.isdisjoint(place.parent)

    def _one(self, child: Node, node: Node, place: Place) -> Truth:
        self.step()
        if child.tag == "condition":
            return self._met(child, node, place)
        if child.tag != "conditionGroup":
            return None
        if child.get("type") == "or":
            return _any(self._one(inner, node, place) for inner in child.children)
        return self._all(child, node, place)

    def _come_to(self, holder: Node, force: str) -> Usual:
        """What the published catalogues say thousands of times is worked out once for each place in them."""
        key = (holder, force)
        if key not in self._usual:
            self.step()
            parts = [
                self._come_to(child, force) if child.tag == "conditionGroup" else self._asks(child, force)
                for child in holder.children
            ]
            self._usual[key] = _either(parts) if _is_or(holder) else _both(parts)
        return self._usual[key]

    def _asks(self, condition: Node, force: str) -> Usual:
        child = condition.get("childId")
        if condition.tag != "condition" or condition.get("type") != "instanceOf":
            return None
        target = self.index.by_id.get(child)
        if target is not None and target.tag == "forceEntry":
            return child == force if condition.get("scope") == "force" else None
        if condition.get("scope") != "parent" or child in _KINDS or (target is not None and target.tag == "catalogue"):
            return None
        return frozenset({child})

    def _met(self, condition: Node, node: Node, place: Place) -> Truth:
        kind = condition.get("type")
        if kind not in ("instanceOf", "notInstanceOf"):
            return None
        found = self._instance(condition.get("scope"), condition.get("childId"), node, place)
        return found if found is None or kind == "instanceOf" else not found

    def _instance(self, scope: str, child: str, node: Node, place: Place) -> Truth:
        target = self.index.by_id.get(child)
        if target is not None and target.tag == "forceEntry":
            return child == place.force if scope in ("force", "ancestor", "roster") else None
        if target is not None and target.tag == "catalogue":
            return child == place.catalogue
        if child in _KINDS:
            return None
        if scope == "self":
            return child == node.get("id")
        if scope == "parent":
            return child in place.parent
        return child in place.above if scope in (*_OWNERS, "primary-category") else None


_KINDS = {"any", "model", "unit", "upgrade", ""}


def _is_or(holder: Node) -> bool:
    return holder.tag == "conditionGroup" and holder.get("type") == "or"


def _either(parts: list[Usual]) -> Usual:
    if True in parts:
        return True
    if None in parts:
        return None
    return frozenset().union(*(part for part in parts if isinstance(part, frozenset))) or False


def _both(parts: list[Usual]) -> Usual:
    if False in parts:
        return False
    asked = [part for part in parts if part is not True]
    if not asked:
        return True
    return asked[0] if len(asked) == 1 else None


def _every(truths: Iterable[Truth]) -> Truth:
    """All of them: no as soon as one is no, else unknown where one is."""
    found = list(truths)
    return False if False in found else None if None in found else True


def _any(truths: Iterable[Truth]) -> Truth:
    """One of them: yes as soon as one is yes, else unknown where one is."""
    found = list(truths)
    return True if True in found else None if None in found else False
