"""The check of a force, the same for every game: the rules' texts, the functions that check them, the event's rules."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from languages.words import gettext, listed, ngettext
from validators.contract import Document, Finding, Rule, Terms, Verdict
from validators.event_rules import Held, event_findings, possible_event_rules, rules_added
from validators.names import Words, nearest


@dataclass(frozen=True, kw_only=True)
class ResolvedForce(ABC):
    """A force document with its names looked up and its costs added; each game's subclass adds the parts."""

    faction_name: str
    """The faction's name as in the document."""
    terms: Terms
    """The terms of the check; with a sideboard, the whole roster's."""

    @property
    def size(self) -> int:
        """The most that the list may cost."""
        return self.terms.list_size

    @property
    @abstractmethod
    def total(self) -> int:
        pass


Force = TypeVar("Force", bound=ResolvedForce)


@dataclass(frozen=True)
class Checks(Generic[Force]):
    """The rules of a game. ``prefix`` starts every rule id ("bm"); ``texts`` is the file with the rules' texts."""

    prefix: str
    unit: str
    words: Words
    """In English; shown as ``words.said``."""
    texts: Path
    priced: Callable[[Document, Terms], Force]
    held: Callable[[Force], Iterable[Held]]
    """Everything in a force that an event may ban or limit, one entry for each copy."""
    findings: Mapping[str, Callable[[Force], Iterable[Finding]]]
    """The function that returns the problems and queries by rule id, in the order of the messages."""
    sideboard: Callable[[Force], Iterable[Finding]]
    """The function that checks, at an event with a sideboard, whether a force can be fielded from the roster."""
    queries: Sequence[Callable[[Force], Iterable[Finding]]] = ()
    """Functions that return only queries; they run last."""
    allows: Callable[[Terms], str] = lambda terms: ""
    """What else the event's size allows, in a few words: "2 heavy weapons"; "" for nothing."""
    starting: Collection[str] = ()
    """Ids of the rules that do not apply to forces grown in a campaign."""
    asked: Collection[str] = ()
    """Ids of the rules that losses in a campaign may break: a grown force against them is a query."""

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        return tuple(Rule(**row) for row in json.loads(self.texts.read_text(encoding="utf-8")))

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule.said for rule in self._rules)

    @property
    def event_rules(self) -> tuple[Rule, ...]:
        return tuple(possible_event_rules(self.prefix, self.words.said).values())

    def rules_added(self, terms: Terms) -> tuple[Rule, ...]:
        return rules_added(self.prefix, terms, self.unit, self.words.said)

    def check(self, document: Document, terms: Terms) -> Verdict:
        return self.verdict(self.priced(document, terms))

    def verdict(self, force: Force) -> Verdict:
        """The verdict on a force whose names and costs are already looked up."""
        grown = force.terms.grown
        judges = [judge for id_, judge in self.findings.items() if not (grown and id_ in self.starting)]
        found = [a_finding for judge in (*judges, self.added, *self.queries) for a_finding in judge(force)]
        if grown:
            found = [
                replace(a_finding, is_query=a_finding.is_query or a_finding.rule in self.asked) for a_finding in found
            ]
        return Verdict(
            total=force.total,
            problems=tuple(a_finding for a_finding in found if not a_finding.is_query),
            queries=tuple(a_finding for a_finding in found if a_finding.is_query),
        )

    def added(self, force: Force) -> Iterator[Finding]:
        """*.event.*: the sideboard, bans, copy limits, factions."""
        adds, bound = force.terms.restrictions, force.terms.faction
        if adds.roster_size is not None:
            yield from self.sideboard(force)
        if adds or bound:
            held, words = tuple(self.held(force)), self.words.said
            yield from event_findings(self.prefix, force.faction_name, held, adds, bound, words)


def finding(
    rule: str,
    message: str,
    fix: str,
    *,
    on: Sequence[Any] = (),
    figures: Mapping[str, int | str] | None = None,
    by: str = "label",
) -> Finding:
    """A problem and its fix. ``on`` are the parts of the force concerned, named by their attribute ``by``."""
    names, places = tuple(getattr(part, by) for part in on), tuple(part.place for part in on)
    return Finding(rule, message, figures or {}, names, places, fix)


def query(rule: str, message: str, **more: Any) -> Finding:
    """A query, which asks the organiser for a look and makes no force illegal; ``more`` as for ``finding``."""
    return replace(finding(rule, message, "", **more), is_query=True)


def undefined(rule: str, kind: str, name: str, known: Sequence[str], then: str = "") -> Finding:
    """The query about a faction (``kind`` is the game's word) that the lists do not define; ``then`` goes on."""
    near = nearest(name, tuple(known))
    meant = gettext("; did you mean %(names)s?", names=listed(near, style="or")) if near else ""
    return query(
        rule,
        gettext(
            "These lists define no %(kind)s %(name)s%(then)s%(meant)s", kind=kind, name=name, then=then, meant=meant
        ),
    )


def caps(number: int) -> str:
    """ "1 Cap", in the reader's language."""
    return ngettext("%(num)s Cap", "%(num)s Caps", number)


def over_size(rule: str, unit: Callable[[int], str], force: ResolvedForce) -> Iterator[Finding]:
    """bm.size, fs.size, fw.size, nv.size: the force costs at most the event's size; ``unit`` counts them ("1 Cap")."""
    over = force.total - force.size
    if over > 0:
        message = gettext(
            "%(total)s, %(over)s over the size of %(size)s",
            total=unit(force.total),
            over=over,
            size=force.size,
        )
        fix = gettext("Take out at least %(over)s.", over=unit(over))
        yield finding(rule, message, fix, figures={"total": force.total, "size": force.size, "over": over})


def below_least(rule: str, force: ResolvedForce) -> Iterator[Finding]:
    """A query: a campaign's group founded from this list could not muster for a battle."""
    least, total = force.terms.least, force.total
    if 0 < total < least:
        message = ngettext(
            "%(total)s of the %(num)s point that a battle needs",
            "%(total)s of the %(num)s points that a battle needs",
            least,
            total=total,
        )
        yield query(rule, message, figures={"total": total, "least": least})


def offer(near: Sequence[str], otherwise: str = "") -> str:
    """The fix for an unknown name: a choice of similar names, else this text, else to take it out."""
    if near:
        return gettext("Did you mean %(names)s?", names=gettext(" or ").join(near))
    return otherwise or gettext("Take it out.")
