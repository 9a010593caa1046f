"""The fewest changes that make an illegal force legal.

The search goes by what the check finds: whatever mends a force has to change its first finding, so only the changes
that do are followed, one change deeper each time. Every rule is mended that way, those that an event adds too. How long
it may look is bounded by the forces that it judges, not by a clock: the same force always gets the same answer.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from validators.battle_mode import model_rules
from validators.battle_mode.changes import (
    Change,
    document_of,
    leading,
    lowering,
    on_cards,
    on_faction,
    on_model,
    taking_out,
)
from validators.battle_mode.check import JUDGES, check_force
from validators.battle_mode.force import read_force
from validators.battle_mode.priced import PricedForce, PricedModel, price
from validators.battle_mode.savings import least_savings
from validators.canonical import sha256_of
from validators.contract import Document, Finding, Mending

MOST_CHANGES = 6
"""More than that are not few, and nothing is offered."""
MOST_OFFERED = 3
MOST_JUDGED = 250
"""Forces judged in one search: some 20 ms for thirty models. What is found by then is offered."""

ON_ONE_MODEL = {"bm.cost": model_rules.cost, "bm.carry": model_rules.carry, "bm.mod": model_rules.mod}
ON_ONE_MODEL |= {"bm.heroic": model_rules.heroic}
"""Judged on each model by itself: the outcome is kept while the model stays as it is."""


@dataclass(frozen=True)
class _Node:
    """A force on the way: what was changed so far, and what is still wrong, in the order of the search."""

    force: PricedForce
    words: tuple[str, ...]
    problems: tuple[Finding, ...]


def mendings(document: Document, size: int) -> tuple[Mending, ...]:
    """Up to three ways to mend an illegal force: the fewest changes, and of those the most Caps kept.

    Each is checked by the real check and leaves the force legal. None for a legal force, for one without models, and
    where no few changes mend it.
    """
    start = price(document, size)
    search = _Search()
    root = _Node(start, (), search.problems(start))
    least = _least(root)
    if not start.models or not 0 < least <= MOST_CHANGES:
        return ()
    for left in range(least, MOST_CHANGES + 1):
        search.deepen(root, left)
        if search.found or search.exhausted:
            break
    nodes = sorted(search.found.values(), key=lambda node: -node.force.total)[:MOST_OFFERED] or _Search().straight(root)
    offers = (_offer(node, document) for node in nodes)
    return tuple(offer for offer in offers if check_force(offer.document, size).legal)


def _offer(node: _Node, document: Document) -> Mending:
    return Mending(
        key=sha256_of("\n".join(node.words))[:12],
        changes=node.words,
        total=node.force.total,
        document=read_force(document_of(node.force, document["name"])),
    )


class _Search:
    """Judges forces, counts how many, and keeps what mends."""

    def __init__(self) -> None:
        self.judged = 0
        self.found: dict[tuple[str, ...], _Node] = {}
        self._seen: set[tuple[int, frozenset[str]]] = set()
        self._findings: dict[int, tuple[PricedModel, tuple[Finding, ...]]] = {}
        self._changes: dict[int, tuple[PricedModel, tuple[Change, ...]]] = {}

    @property
    def exhausted(self) -> bool:
        return self.judged >= MOST_JUDGED

    def problems(self, force: PricedForce) -> tuple[Finding, ...]:
        """What is wrong with a force: what many changes touch stands last, for the others may have mended it."""
        self.judged += 1
        found = [finding for model in force.models for finding in self._on_one(model, force)]
        if force.cards:
            found += model_rules.cost(replace(force, models=()))
        found += [finding for rule, judge in JUDGES.items() if rule not in ON_ONE_MODEL for finding in judge(force)]
        return tuple(sorted(found, key=_turn))

    def _on_one(self, model: PricedModel, force: PricedForce) -> tuple[Finding, ...]:
        # By identity, and the model is kept with it: a change makes a new one.
        if id(model) not in self._findings:
            alone = replace(force, models=(model,), cards=())
            self._findings[id(model)] = model, tuple(f for judge in ON_ONE_MODEL.values() for f in judge(alone))
        return self._findings[id(model)][1]

    def changes(self, force: PricedForce, model: PricedModel) -> tuple[Change, ...]:
        """What can be changed of one model, whatever the rest of the force."""
        if id(model) not in self._changes:
            self._changes[id(model)] = model, tuple(on_model(force, model))
        return self._changes[id(model)][1]

    def deepen(self, node: _Node, left: int) -> None:
        """Look for what mends the force in so many further changes."""
        if not _can_shrink(node.force, left):
            return
        if node.problems[0].rule == "bm.size":
            self._shrink(node, left)
            changes: Iterable[Change] = on_faction(node.force)
        else:
            changes = self._touching(node)
        children = []
        for child in self._children(node, changes, left):
            if not child.problems:
                self._keep(child)
            elif _least(child) < left:
                children.append(child)
        for child in sorted(children, key=lambda c: (len(c.problems), -c.force.total)):
            if self.exhausted:
                return
            self.deepen(child, left - 1)

    def straight(self, node: _Node) -> list[_Node]:
        """One way without looking aside: each time the change that leaves the least to do."""
        for left in range(MOST_CHANGES, 0, -1):
            if node.problems[0].rule == "bm.size":
                for most in range(1, left + 1):
                    self._shrink(node, most)
                    if self.found:
                        return list(self.found.values())[:1]
                return []
            children = self._children(node, self._touching(node), left)
            node = min(children, key=lambda c: (_to_do(c), -c.force.total), default=node)
            if not node.problems:
                return [node]
        return []

    def _shrink(self, node: _Node, left: int) -> None:
        """Bring a force that is only too large, or without a Leader as well, down to its size."""
        force, leaders = node.force, [model for model in node.force.models if model.leader]
        pool = [c for model in force.models for c in self.changes(force, model) if c.saves > 0]
        pool += [change for change in on_cards(force) if change.saves > 0]
        kept = [c for c in pool if not (leaders and c.place == leaders[0].place and c.part is None)]
        ways = list(least_savings(force, kept, left if leaders else left - 1, _over(force)))
        if leaders and left > 1:
            # Without the Leader's model; another one is marked, which is a change of its own.
            first, rest = taking_out(leaders[0]), [c for c in pool if c.place != leaders[0].place]
            ways += [
                (first, *more) for more in least_savings(force, rest, left - 2, _over(force) - first.saves)
            ]
        for way in sorted(ways, key=lambda way: sum(change.saves for change in way)):
            made, words = force, [*node.words, *(change.words for change in way)]
            for change in way:
                made = change.apply(made)
            if made.models and not any(model.leader for model in made.models):
                mark = leading(made, max(made.models, key=lambda model: model.caps))
                made, words = mark.apply(made), [*words, mark.words]
            problems = self.problems(made)
            if not problems:
                self._keep(_Node(made, tuple(words), problems))
                if len(self.found) >= MOST_OFFERED:
                    return  # by Caps kept: what follows keeps fewer

    def _touching(self, node: _Node) -> Iterator[Change]:
        """The changes that may touch the first problem; those that do not are left out once they are judged."""
        force, problem = node.force, node.problems[0]
        if problem.rule in ("bm.cost", "bm.banned") and not problem.places:
            yield from on_cards(force)
            return
        if problem.rule == "bm.leader" and not problem.places:
            dearest = sorted(force.models, key=lambda model: -model.caps)[:MOST_OFFERED]
            yield from (leading(force, model) for model in dearest)
            return
        for model in force.models:
            if model.place in problem.places or not problem.places:
                yield from self.changes(force, model)
                yield from lowering(model, _over(force), _passed_by(problem))
                if problem.rule not in ON_ONE_MODEL and (not model.leader or problem.rule == "bm.leader"):
                    yield leading(force, model)
        if problem.rule == "bm.leader-card" or not problem.places:
            yield from on_cards(force)
        if problem.rule not in ("bm.cost", "bm.mod"):
            yield from on_faction(force)

    def _children(self, node: _Node, changes: Iterable[Change], left: int) -> Iterator[_Node]:
        problem = node.problems[0]
        for change in changes:
            words = (*node.words, change.words)
            mark = left, frozenset(words)
            if mark in self._seen or self.exhausted:
                continue
            self._seen.add(mark)
            force = change.apply(node.force)
            if _can_shrink(force, left - 1):
                child = _Node(force, words, self.problems(force))
                if problem not in child.problems:
                    yield child

    def _keep(self, node: _Node) -> None:
        # The same change of another copy of a model is no other offer.
        alike = tuple(sorted(re.sub(r" \(model \d+\)", "", words) for words in node.words))
        if alike not in self.found or self.found[alike].force.total < node.force.total:
            self.found[alike] = node


def _turn(problem: Finding) -> int:
    match problem.rule:
        case "bm.heavy":
            return 1
        case "bm.size":
            return 2
        case "bm.leader" if not problem.places:
            return 3
    return 0


def _over(force: PricedForce) -> int:
    return max(0, force.total - force.size)


def _passed_by(problem: Finding) -> int:
    """By how much a limit on a number is passed; 0 where it is another kind of problem."""
    used, allowed = problem.figures.get("used"), problem.figures.get("allowed")
    return used - allowed if isinstance(used, int) and isinstance(allowed, int) else 0


def _to_do(node: _Node) -> tuple[int, int]:
    return sum(max(1, _passed_by(problem)) for problem in node.problems), _over(node.force)


def _can_shrink(force: PricedForce, left: int) -> bool:
    """Whether so many changes may bring the force down to its size: none frees more than a whole model's Caps."""
    caps = [model.caps for model in force.models] + [card.entry.caps for card in force.cards if card.entry]
    return sum(sorted(caps, reverse=True)[:left]) >= _over(force)


def _least(node: _Node) -> int:
    """A bound from below for the changes that mend a force.

    A change touches one model, or a card, or marks a Leader, or moves the whole force to another faction.
    """
    alone = {f.places[0] for f in node.problems if f.rule in ("bm.cost", "bm.mod") and f.places}
    by_faction = {f.places[0] for f in node.problems if f.rule in ("bm.faction", "bm.carry", "bm.heroic") and f.places}
    cards = sum(f.rule in ("bm.cost", "bm.banned") and not f.places for f in node.problems)
    unmarked = any(f.rule == "bm.leader" and not f.places for f in node.problems)
    persons = sum(_passed_by(f) for f in node.problems if f.rule == "bm.unique")
    models = min(len(alone | by_faction), len(alone) + 1)
    return max(max(models, persons) + cards + unmarked, min(1, len(node.problems)))
