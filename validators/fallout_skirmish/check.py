"""The check of a Fallout Skirmish group: every rule's function in the order of the rules, then the queries."""

from collections.abc import Callable, Iterable, Mapping

from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms, Verdict
from validators.fallout_skirmish import character_rules, event_rules, group_rules, queries
from validators.fallout_skirmish.priced import PricedCharacter, PricedGroup, price, priced

Judge = Callable[[PricedGroup], Iterable[Finding]]

JUDGES: Mapping[str, Judge] = {
    "fs.size": group_rules.size,
    "fs.force": group_rules.force,
    "fs.cost": character_rules.cost,
    "fs.allowance": group_rules.allowance,
    "fs.group": group_rules.most,
    "fs.leader": group_rules.leader,
    "fs.charisma": group_rules.charisma,
    "fs.list": character_rules.listed,
    "fs.armour": character_rules.armour,
    "fs.must-wear": character_rules.must_wear,
    "fs.big-guns": group_rules.big_guns,
    "fs.big-gun-carrier": character_rules.big_gun_carrier,
    "fs.stimpak": group_rules.stimpaks,
    "fs.perk": character_rules.perk,
    "fs.turf": group_rules.turfs,
    "fs.event.sideboard": event_rules.sideboard,
}
"""Who finds the problems under each id, in the order of the messages; what every game's events can add, ``judged`` of
``validators.event_rules`` finds.
"""

QUERIES: tuple[Judge, ...] = (queries.stimpak_price, queries.grenades_twice)


def check_force(document: Document, terms: Terms) -> Verdict:
    """The verdict on a canonical document."""
    return verdict_on(priced(document, terms))


def verdict_on(group: PricedGroup) -> Verdict:
    """The verdict on a group whose names and costs are looked up."""
    return Verdict(
        total=group.total,
        problems=tuple(problem for judge in (*JUDGES.values(), event_rules.added) for problem in judge(group)),
        queries=tuple(query for judge in QUERIES for query in judge(group)),
    )


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    """A canonical document in a few words: a line per character with what it carries, and their cost."""
    group = price(document, edition.lists)
    return ForceSummary(
        faction=group.force_name,
        total=group.total,
        leader=" and ".join(one.called or one.rank_name for one in group.characters if one.leader),
        lines=tuple((line(character), character.caps) for character in group.characters),
    )


def line(character: PricedCharacter) -> str:
    """A character and what it carries: "Ada, Veteran, leader: Hunting Rifle, 2 × Stimpak"."""
    who = [character.called] if character.called else []
    who += [character.rank_name, *(["leader"] if character.leader else [])]
    carried = carries(character)
    return ", ".join(who) + (f": {carried}" if carried else "")


def carries(character: PricedCharacter) -> str:
    """What a character carries, and any perks, in words."""
    items = [f"{item.count} × {item.name}" if item.count > 1 else item.name for item in character.items]
    return ", ".join([*items, *(f"perk {perk}" for perk in character.perks)])
