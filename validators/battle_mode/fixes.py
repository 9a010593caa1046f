"""Search for the fewest changes that make an illegal force legal.

A fix must remove the first problem that the check finds, so the search follows only changes that do, one change deeper
each time. This works for every rule, including an event's. The limit is a number of checked forces, not time, so the
same force always gets the same answer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from validators.battle_mode import force_rules
from validators.battle_mode.changes import (
    Change,
    heirs,
    leading,
    least_savings,
    lowering,
    on_cards,
    on_faction,
    on_model,
    taking_out,
)
from validators.battle_mode.check import CHECKS
from validators.battle_mode.force import PricedForce, PricedModel, document_of, priced, read_force
from validators.contract import Document, Finding, Fix, Terms
from validators.kit.suggestions import MOST_OFFERED, fix_of
from validators.strict_json import unordered_text

BY_FACTION = ("bm.faction", "bm.carry", "bm.mod", "bm.perk", "bm.heroic")
"""Rules checked on a model by its entry, which can differ in another faction."""


def search_order(problem: Finding) -> int:
    """A problem's position in the search.

    Problems that many changes affect come last, because others may have fixed them.
    """
    unmarked = problem.rule == "bm.leader" and not problem.places
    return 3 if unmarked else {"bm.heavy": 1, "bm.size": 2}.get(problem.rule, 0)


def caps_over(force: PricedForce) -> int:
    return max(0, force.total - force.size)


def excess(problem: Finding) -> int:
    """How far a limit is exceeded; 0 for other kinds of problems."""
    used, allowed = problem.figures.get("used"), problem.figures.get("allowed")
    return used - allowed if isinstance(used, int) and isinstance(allowed, int) else 0


def can_shrink(force: PricedForce, left: int) -> bool:
    """Whether ``left`` changes may bring the force down to its size; none frees more Caps than a whole model."""
    caps = [model.caps for model in force.models] + [card.entry.caps for card in force.cards if card.entry]
    return sum(sorted(caps, reverse=True)[:left]) >= caps_over(force)


def fewest_possible(problems: Sequence[Finding]) -> int:
    """A lower bound of the changes that fix a force.

    A change affects one model, or one card, or marks a Leader, or moves the whole force to another faction.
    """
    alone = {f.places[0] for f in problems if f.rule == "bm.cost" and f.places}
    by_faction = {f.places[0] for f in problems if f.rule in BY_FACTION and f.places}
    cards = sum(f.rule in ("bm.cost", "bm.banned") and not f.places for f in problems)
    unmarked = any(f.rule == "bm.leader" and not f.places for f in problems)
    persons = sum(excess(f) for f in problems if f.rule == "bm.unique")
    models = min(len(alone | by_faction), len(alone) + 1)
    return max(max(models, persons) + cards + unmarked, min(1, len(problems)))


MOST_CHANGES = 6
"""The most changes offered; more would not be few."""
MOST_CHECKED = 200
"""The most forces checked in one search (about 25 ms for thirty models). Fixes found until then are offered."""

ON_ONE_MODEL = ("bm.cost", "bm.carry", "bm.mod", "bm.perk", "bm.heroic")
"""Rules checked on each model by itself; the result is kept while the model is unchanged."""


OF_THE_FACTION = ("bm.faction", "bm.event.factions", "bm.event.faction-lock")
ON_CARDS_TOO = ("bm.leader-card", "bm.event.ban", "bm.event.copies")

MARK = Change("", 0, lambda force: force)
"""A placeholder for marking the most expensive remaining model as the Leader."""

HEIR = "heir"
"""Marks a change that passes on the lead, so that the old Leader can be removed next."""


@dataclass(frozen=True)
class _Node:
    """A force during the search: its changes so far, and its remaining problems in the order of the search."""

    force: PricedForce
    words: tuple[str, ...]
    problems: tuple[Finding, ...]


def _left_to_do(node: _Node) -> tuple[int, int, int]:
    """The excess over each limit, then Caps; of equal nodes, the one that keeps more Caps is first."""
    return sum(max(1, excess(problem)) for problem in node.problems), caps_over(node.force), -node.force.total


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    """Up to three ways to fix an illegal force: with the fewest changes, and of those the most Caps kept.

    If one more change keeps more Caps, the last way does so. Each is confirmed by the real check.
    """
    start = priced(document, terms)
    if not CHECKS.verdict(start).may_be_fixed:
        return ()
    search = _Search()
    root = _Node(start, (), search.problems(start))
    fewest = fewest_possible(root.problems)
    if not start.models or not 0 < fewest <= MOST_CHANGES:
        return ()
    nodes: list[_Node] = []
    for left in range(fewest, MOST_CHANGES + 1):
        search.deepen(root, left)
        nodes = search.best()
        if nodes or search.exhausted:
            break
    if nodes and len(nodes[0].words) < MOST_CHANGES:
        search.found.clear()
        search.deepen(root, len(nodes[0].words) + 1)
        dearer = [node for node in search.best() if node.force.total > nodes[0].force.total]
        nodes = [*nodes[: MOST_OFFERED - len(dearer[:1])], *dearer]
    forces = (
        (node, read_force(document_of(node.force, document["name"]), terms.edition))
        for node in (nodes or _Search().straight(root))[:MOST_OFFERED]
    )
    return tuple(
        fix_of(node.words, node.force.total, document, force)
        for node, force in forces
        if CHECKS.check(force, terms).legal
    )


class _Search:
    def __init__(self) -> None:
        self.checked = 0
        self.found: dict[str, _Node] = {}
        self._seen: set[tuple[int, tuple[str, ...]]] = set()
        self._findings: dict[int, tuple[PricedModel, tuple[Finding, ...]]] = {}
        self._changes: dict[int, tuple[PricedModel, tuple[Change, ...]]] = {}

    @property
    def exhausted(self) -> bool:
        return self.checked >= MOST_CHECKED

    def best(self) -> list[_Node]:
        return sorted(self.found.values(), key=lambda node: -node.force.total)[:MOST_OFFERED]

    def problems(self, force: PricedForce) -> tuple[Finding, ...]:
        """The problems of a force; those that many changes affect come last, because others may have fixed them."""
        self.checked += 1
        findings = [finding for model in force.models for finding in self._on_one(model, force)]
        if force.cards:
            findings += force_rules.cost(replace(force, models=()))
        findings += [
            finding for rule, judge in CHECKS.findings.items() if rule not in ON_ONE_MODEL for finding in judge(force)
        ]
        findings += CHECKS.added(force)
        return tuple(sorted(findings, key=search_order))

    def _on_one(self, model: PricedModel, force: PricedForce) -> tuple[Finding, ...]:
        # Compared by identity, and the model is kept with it: a change creates a new one.
        if id(model) not in self._findings:
            alone = replace(force, models=(model,), cards=())
            self._findings[id(model)] = model, tuple(f for rule in ON_ONE_MODEL for f in CHECKS.findings[rule](alone))
        return self._findings[id(model)][1]

    def changes(self, force: PricedForce, model: PricedModel) -> tuple[Change, ...]:
        if id(model) not in self._changes:
            self._changes[id(model)] = model, tuple(on_model(force, model))
        return self._changes[id(model)][1]

    def deepen(self, node: _Node, left: int) -> None:
        if not can_shrink(node.force, left):
            return
        if node.problems[0].rule == "bm.size":
            self._shrink(node, left)
            changes: Iterable[Change] = on_faction(node.force, left - 1)
        else:
            changes = self._touching(node, left)
        children = []
        for child in self._children(node, changes, left):
            if not child.problems:
                self._keep(child)
            elif fewest_possible(child.problems) < left:
                children.append(child)
        for child in sorted(children, key=lambda c: (len(c.problems), -c.force.total)):
            if self.exhausted:
                return
            self.deepen(child, left - 1)

    def straight(self, node: _Node) -> list[_Node]:
        """One way without backtracking: always the change that leaves the fewest and smallest problems."""
        for left in range(MOST_CHANGES, 0, -1):
            if node.problems[0].rule == "bm.size":
                for most in range(1, left + 1):
                    self._shrink(node, most)
                    if self.found:
                        return list(self.found.values())[:1]
                return []
            children = self._children(node, self._touching(node, left), left)
            node = min(children, key=_left_to_do, default=node)
            if not node.problems:
                return [node]
        return []

    def _shrink(self, node: _Node, left: int) -> None:
        """Search for ways to bring a force that is too large, and perhaps has no Leader, down to its size."""
        force, too_much = node.force, caps_over(node.force)
        leader = next((model for model in force.models if model.leader), None)
        pool = [c for model in force.models for c in self.changes(force, model) if c.saves > 0]
        pool += [change for change in on_cards(force) if change.saves > 0]
        if leader is None:
            ways = [(*way, MARK) for way in least_savings(force, pool, left - 1, too_much)]
        else:
            gone = taking_out(leader)
            kept = [c for c in pool if not (c.place == leader.place and c.part is None)]
            rest = [c for c in pool if c.place != leader.place]
            ways = list(least_savings(force, kept, left, too_much))
            ways += [(gone, *way, MARK) for way in least_savings(force, rest, left - 2, too_much - gone.saves)]
            if leader.leader_card:
                # The card moves to the new Leader before the old one is removed.
                gone = replace(gone, saves=gone.saves - leader.leader_card.caps)
                ways += [(*way, MARK, gone) for way in least_savings(force, rest, left - 2, too_much - gone.saves)]
        for way in sorted(ways, key=lambda way: sum(change.saves for change in way)):
            child = self._done(node, way)
            if child and not child.problems:
                self._keep(child)
                if len(self.found) >= MOST_OFFERED:
                    return  # by Caps kept; later ones keep fewer

    def _done(self, node: _Node, way: Iterable[Change]) -> _Node | None:
        """The force after all changes of a way; None if no model is left to lead it."""
        force, words = node.force, node.words
        for change in way:
            if change is MARK:
                able = heirs(force)
                if not able:
                    return None
                change = leading(force, able[0])
            force, words = change.apply(force), (*words, change.words)
        return _Node(force, words, self.problems(force))

    def _touching(self, node: _Node, left: int) -> Iterator[Change]:
        """The changes that may affect the first problem. Those that do not are left out once they are checked."""
        force, problem = node.force, node.problems[0]
        if problem.rule in ("bm.cost", "bm.banned") and not problem.places:
            yield from on_cards(force)
            return
        if problem.rule in OF_THE_FACTION and not problem.places:
            yield from on_faction(force, left - 1)
            return
        if problem.rule == "bm.leader" and not problem.places:
            yield from (leading(force, model) for model in heirs(force))
            return
        for model in force.models:
            if model.place in problem.places or not problem.places:
                yield from self.changes(force, model)
                yield from lowering(model, caps_over(force), excess(problem))
                if problem.rule not in ON_ONE_MODEL and (not model.leader or problem.rule == "bm.leader"):
                    yield leading(force, model)
                if model.leader and (model.leader_card or problem.rule == "bm.event.sideboard"):
                    # The Leader may have to be removed; its card can move to another one first.
                    yield from (replace(leading(force, heir), part=HEIR) for heir in heirs(force))
        if problem.rule in ON_CARDS_TOO or not problem.places:
            yield from on_cards(force)
        if problem.rule != "bm.cost":
            yield from on_faction(force, left - 1)

    def _children(self, node: _Node, changes: Iterable[Change], left: int) -> Iterator[_Node]:
        problem = node.problems[0]
        for change in changes:
            words = (*node.words, change.words)
            mark = left, tuple(sorted(words))
            if mark in self._seen or self.exhausted:
                continue
            self._seen.add(mark)
            force = change.apply(node.force)
            if can_shrink(force, left - 1):
                child = _Node(force, words, self.problems(force))
                if child.problems.count(problem) < node.problems.count(problem) or change.part is HEIR:
                    yield child

    def _keep(self, node: _Node) -> None:
        # The same change to another copy of a model is not a different offer.
        alike = unordered_text(document_of(node.force, ""))
        if alike not in self.found or self.found[alike].force.total < node.force.total:
            self.found[alike] = node
