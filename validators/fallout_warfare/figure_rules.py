"""The rules for single figures of an army: each function yields the findings under one id.

A finding without a fix is a query.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from validators.contract import Finding
from validators.edition_file import names_in
from validators.fallout_warfare.force import BASE_SKILL, Army, Squad
from validators.kit.checks import finding, offer, query
from validators.names import NearNames, counted

ITEMS_ALLOWED = {"grunt": 0, "squadleader": 1, "hero": 2}
HIGHEST_BOUGHT = 6
"""The highest level of a hero outside a campaign that needs no consent of the opponent."""


def cost(army: Army) -> Iterator[Finding]:
    """fw.cost: every name is known, and every figure has a printed cost."""
    edition, near = army.edition, NearNames()
    for squad, model in army.lines:
        if model.troop is None:
            yield _unknown(near, model.name, "troop", edition.troops, squad)
        elif model.profile is not None and model.profile.points is None:
            fix = "Take it out, or ask the organiser for lists that give it a cost."
            yield _on_line("fw.cost", f"{model.label} has no printed cost", fix, squad)
        if model.weapon_name and model.weapon is None:
            yield _unknown(near, model.weapon_name, "weapon", edition.weapons, squad)
        for item in model.items:
            if item.entry is None:
                yield _unknown(near, item.name, "item", edition.items, squad)
        for skill in model.skills:
            if not skill.known:
                yield _unknown(near, skill.name, "skill", edition.skills, squad)
    for drive in army.vehicles:
        if drive.entry is None:
            yield _unknown(near, drive.name, "vehicle", edition.vehicles, None)


def _unknown(names: NearNames, name: str, kind: str, known: Iterable[Any], squad: Squad | None) -> Finding:
    fix, where = offer(names.nearest(name, names_in(known)), f"Take {name} out."), f" ({squad.label})" if squad else ""
    return finding("fw.cost", f"{name} is no {kind} of these lists{where}", fix, on=[squad] if squad else [])


def _on_line(
    rule: str, message: str, fix: str, squad: Squad, figures: Mapping[str, int | str] | None = None
) -> Finding:
    """A finding about one line of a squad; its message ends with the squad's name."""
    return finding(rule, f"{message} ({squad.label})", fix, on=[squad], figures=figures)


def rank(army: Army) -> Iterator[Finding]:
    """fw.rank: the troop's entry has the chosen rank."""
    for squad, model in army.lines:
        if model.troop is not None and model.profile is None:
            has = " or ".join(model.troop.ranks)
            yield _on_line("fw.rank", f"{model.name} is never a {model.rank}", f"Make it a {has}.", squad)


def weapon(army: Army) -> Iterator[Finding]:
    """fw.weapon: only figures that may have a weapon have one, and it is not one that is bought by the piece.

    A weapon of the optional rules is a query.
    """
    for squad, model in army.lines:
        if not model.may_be_armed and (model.armed or model.grenades):
            what = model.weapon_name if model.armed else "grenades"
            why = "carries no weapon" if model.troop and model.troop.weapons == "none" else "has only its own attacks"
            yield _on_line("fw.weapon", f"{model.label} with {what}: it {why}", f"Take {what} off it.", squad)
        elif model.weapon is not None and model.weapon.each:
            message = f"{model.label}: {model.weapon.name} is bought by the piece, in addition to a weapon"
            fix = "Say how many grenades each carries, and choose another weapon or none."
            yield _on_line("fw.weapon", message, fix, squad)
        if model.weapon is not None and model.weapon.optional and model.may_be_armed:
            message = f"{model.weapon.name} is of the optional rules: is it played here? ({squad.label})"
            yield query("fw.weapon", message, on=[squad])


def items(army: Army) -> Iterator[Finding]:
    """fw.items: a squadleader carries at most one item, a hero two, a grunt none."""
    for squad, model in army.lines:
        used, allowed = len(model.items), ITEMS_ALLOWED[model.rank]
        if used > allowed:
            message = f"{model.label} with {counted(used, 'item')}, {allowed} allowed"
            fix = f"Take {counted(used - allowed, 'item')} off it."
            yield _on_line("fw.items", message, fix, squad, {"used": used, "allowed": allowed})


def needs(army: Army) -> Iterator[Finding]:
    """fw.needs: an item's required Intelligence is met, and a faction's own item is carried only in that faction."""
    for squad, model in army.lines:
        for name, entry in {item.name: item.entry for item in model.items}.items():
            if entry is None or model.profile is None or model.troop is None:
                continue
            has = model.profile.statistic("IN")
            if has < entry.intelligence:
                message = f"{name} needs IN {entry.intelligence}, {model.label} has {has}"
                fix = f"Take {name} off it."
                yield _on_line("fw.needs", message, fix, squad, {"needs": entry.intelligence, "has": has})
            if entry.faction and entry.faction != model.troop.faction:
                message = f"{name} is for {entry.faction} only, {model.label} is of {model.troop.faction}"
                yield _on_line("fw.needs", message, f"Take {name} off it.", squad)


def level(army: Army) -> Iterator[Finding]:
    """fw.level: only heroes have levels, up to the highest that exists; one above level 6 is a query."""
    highest = len(army.edition.level_xp)
    for squad, model in army.lines:
        if model.level > 1 and not model.hero:
            message = f"{model.label} at level {model.level}: only heroes have levels"
            yield _on_line("fw.level", message, "Set level 1.", squad)
        elif model.level > highest:
            message = f"{model.label} at level {model.level}, {highest} is the highest"
            yield _on_line("fw.level", message, f"Set level {highest} or less.", squad)
        elif model.level > HIGHEST_BOUGHT:
            message = f"{model.label} at level {model.level}: above {HIGHEST_BOUGHT} only if the opponent agrees"
            yield query("fw.level", f"{message} ({squad.label})", on=[squad])


def skills(army: Army) -> Iterator[Finding]:
    """fw.skills: only heroes choose skills, each once, from its base up, within the points of the level.

    Choosing a skill of the entry below 5 as the free new one is a query.
    """
    for squad, model in army.lines:
        if model.skills and not model.hero:
            message = f"{model.label} with chosen skills: only heroes choose"
            yield _on_line("fw.skills", message, "Take the skills off it.", squad)
            continue
        for name, level in model.known_skills:
            base = model.free_skills.get(name, BASE_SKILL)
            if level < base:
                message = f"{model.label}: {name} ({level}) is below {base}, at which it begins"
                yield _on_line("fw.skills", message, f"Set {name} to {base} or more.", squad)
        names = [name for name, _ in model.known_skills]
        if twice := next((name for place, name in enumerate(names) if name in names[:place]), ""):
            yield _on_line("fw.skills", f"{model.label} has {twice} twice", "Take one of them out.", squad)
        used, allowed = model.skill_points, model.level - 1
        message = f"{model.label} uses {counted(used, 'skill point')}, level {model.level} has {allowed}"
        if model.fewest_skill_points > allowed:
            fix = "Lower a skill, take one out, or raise the level."
            yield _on_line("fw.skills", message, fix, squad, {"used": used, "allowed": allowed})
        elif used > allowed:
            message += f": enough only if the new skill at {BASE_SKILL} may be one of its entry’s ({squad.label})"
            yield query("fw.skills", message, on=[squad], figures={"used": used, "allowed": allowed})
