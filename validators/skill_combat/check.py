"""The check of a side: every rule's function in the order of the rules, then the queries."""

from collections.abc import Callable, Iterable, Mapping

from validators.contract import Document, EditionInfo, Finding, ForceSummary, Rule, Terms, Verdict
from validators.event_rules import may_add
from validators.event_rules import rules_added as told
from validators.skill_combat import judges
from validators.skill_combat.character import Character, Side, looked_up, side_of
from validators.skill_combat.edition import SPECIAL

Judge = Callable[[Side], Iterable[Finding]]

UNIT = "SPECIAL points"
JUDGES: Mapping[str, Judge] = {
    "sc.size": judges.size,
    "sc.characters": judges.characters,
    "sc.special": judges.special,
    "sc.origin": judges.origin,
    "sc.gear": judges.gear,
    "sc.skill": judges.skill,
    "sc.event.sideboard": judges.sideboard,
}
"""Who finds the problems under each id; what every game's events can add, ``validators.event_rules`` finds."""
QUERIES: tuple[Judge, ...] = (judges.brought, judges.trained, judges.level)
MAY_ADD = may_add("sc", judges.WORDS)


def check_force(document: Document, terms: Terms) -> Verdict:
    """The verdict on a canonical document."""
    return verdict_on(side_of(document, terms))


def verdict_on(side: Side) -> Verdict:
    """The verdict on a side whose names are looked up."""
    return Verdict(
        total=side.total,
        problems=tuple(one for judge in (*JUDGES.values(), judges.added) for one in judge(side)),
        queries=tuple(one for judge in QUERIES for one in judge(side)),
    )


def rules_added(terms: Terms) -> tuple[Rule, ...]:
    """What the restrictions say, as rules with their ids."""
    return told("sc", terms, UNIT, judges.WORDS)


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    """A canonical document in a few words: a line and the SPECIAL points of each character."""
    side = looked_up(document, edition.lists)
    return ForceSummary(
        faction=side.origin,
        total=side.total,
        leader="",
        lines=tuple((_line(one), one.points) for one in side.characters),
    )


def _line(one: Character) -> str:
    special = " ".join(f"{name} {one.special[name]}" for name in SPECIAL)
    head = f"{one.name}, level {one.level}" if one.level > 1 else one.name
    gear = [weapon.name for weapon in one.weapons]
    gear += [one.worn.name] if one.worn else []
    gear += [f"{item.count} × {item.name}" if item.count > 1 else item.name for item in one.items]
    skills = [f"{line.name} {one.skill(line.entry).value if line.entry else line.points} %" for line in one.skills]
    return "; ".join(part for part in (f"{head} ({special})", ", ".join(skills), ", ".join(gear)) if part)
