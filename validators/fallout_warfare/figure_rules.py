"""The rules for single figures of an army: each function yields the findings under one id.

A finding without a fix is a query.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from languages.words import N_, gettext, ngettext
from validators.contract import Finding
from validators.edition_file import names_in
from validators.fallout_warfare.force import BASE_SKILL, Army, Squad
from validators.kit.checks import finding, offer, query
from validators.names import NearNames

ITEMS_ALLOWED = {N_("grunt"): 0, N_("squadleader"): 1, N_("hero"): 2}
HIGHEST_BOUGHT = 6
"""The highest level of a hero outside a campaign that needs no consent of the opponent."""


def cost(army: Army) -> Iterator[Finding]:
    """fw.cost: every name is known, and every figure has a printed cost."""
    edition, near = army.edition, NearNames()
    for squad, model in army.lines:
        if model.troop is None:
            yield _unknown(near, model.name, gettext("troop"), edition.troops, squad)
        elif model.profile is not None and model.profile.points is None:
            fix = gettext("Take it out, or ask the organiser for lists that give it a cost.")
            yield _on_line("fw.cost", gettext("%(model)s has no printed cost", model=model.label), fix, squad)
        if model.weapon_name and model.weapon is None:
            yield _unknown(near, model.weapon_name, gettext("weapon"), edition.weapons, squad)
        for item in model.items:
            if item.entry is None:
                yield _unknown(near, item.name, gettext("item"), edition.items, squad)
        for skill in model.skills:
            if not skill.known:
                yield _unknown(near, skill.name, gettext("skill"), edition.skills, squad)
    for drive in army.vehicles:
        if drive.entry is None:
            yield _unknown(near, drive.name, gettext("vehicle"), edition.vehicles, None)


def _unknown(names: NearNames, name: str, kind: str, known: Iterable[Any], squad: Squad | None) -> Finding:
    fix, where = (
        offer(names.nearest(name, names_in(known)), gettext("Take %(name)s out.", name=name)),
        f" ({squad.label})" if squad else "",
    )
    return finding(
        "fw.cost",
        gettext("%(name)s is no %(kind)s of these lists%(where)s", name=name, kind=kind, where=where),
        fix,
        on=[squad] if squad else [],
    )


def _on_line(
    rule: str, message: str, fix: str, squad: Squad, figures: Mapping[str, int | str] | None = None
) -> Finding:
    """A finding about one line of a squad; its message ends with the squad's name."""
    return finding(rule, f"{message} ({squad.label})", fix, on=[squad], figures=figures)


def rank(army: Army) -> Iterator[Finding]:
    """fw.rank: the troop's entry has the chosen rank."""
    for squad, model in army.lines:
        if model.troop is not None and model.profile is None:
            has = gettext(" or ").join(map(gettext, model.troop.ranks))
            message = gettext("%(model)s is never a %(rank)s", model=model.name, rank=gettext(model.rank))
            yield _on_line("fw.rank", message, gettext("Make it a %(ranks)s.", ranks=has), squad)


def weapon(army: Army) -> Iterator[Finding]:
    """fw.weapon: only figures that may have a weapon have one, and it is not one that is bought by the piece.

    A weapon of the optional rules is a query.
    """
    for squad, model in army.lines:
        if not model.may_be_armed and (model.armed or model.grenades):
            what = model.weapon_name if model.armed else gettext("grenades")
            why = (
                gettext("carries no weapon")
                if model.troop and model.troop.weapons == "none"
                else gettext("has only its own attacks")
            )
            message = gettext("%(model)s with %(what)s: it %(why)s", model=model.label, what=what, why=why)
            yield _on_line("fw.weapon", message, gettext("Take %(name)s off it.", name=what), squad)
        elif model.weapon is not None and model.weapon.each:
            message = gettext(
                "%(model)s: %(weapon)s is bought by the piece, in addition to a weapon",
                model=model.label,
                weapon=model.weapon.name,
            )
            fix = gettext("Say how many grenades each carries, and choose another weapon or none.")
            yield _on_line("fw.weapon", message, fix, squad)
        if model.weapon is not None and model.weapon.optional and model.may_be_armed:
            message = gettext(
                "%(weapon)s is of the optional rules: is it played here? (%(squad)s)",
                weapon=model.weapon.name,
                squad=squad.label,
            )
            yield query("fw.weapon", message, on=[squad])


def items(army: Army) -> Iterator[Finding]:
    """fw.items: a squadleader carries at most one item, a hero two, a grunt none."""
    for squad, model in army.lines:
        used, allowed = len(model.items), ITEMS_ALLOWED[model.rank]
        if used > allowed:
            message = ngettext(
                "%(model)s with %(num)s item, %(allowed)s allowed",
                "%(model)s with %(num)s items, %(allowed)s allowed",
                used,
                model=model.label,
                allowed=allowed,
            )
            fix = ngettext("Take %(num)s item off it.", "Take %(num)s items off it.", used - allowed)
            yield _on_line("fw.items", message, fix, squad, {"used": used, "allowed": allowed})


def needs(army: Army) -> Iterator[Finding]:
    """fw.needs: an item's required Intelligence is met, and a faction's own item is carried only in that faction."""
    for squad, model in army.lines:
        for name, entry in {item.name: item.entry for item in model.items}.items():
            if entry is None or model.profile is None or model.troop is None:
                continue
            has = model.profile.statistic("IN")
            if has < entry.intelligence:
                names = {"name": name, "intelligence": entry.intelligence, "model": model.label, "has": has}
                message = gettext("%(name)s needs IN %(intelligence)s, %(model)s has %(has)s", **names)
                fix = gettext("Take %(name)s off it.", **names)
                yield _on_line("fw.needs", message, fix, squad, {"needs": entry.intelligence, "has": has})
            if entry.faction and entry.faction != model.troop.faction:
                names = {"name": name, "faction": entry.faction, "model": model.label, "own": model.troop.faction}
                message = gettext("%(name)s is for %(faction)s only, %(model)s is of %(own)s", **names)
                yield _on_line("fw.needs", message, gettext("Take %(name)s off it.", **names), squad)


def level(army: Army) -> Iterator[Finding]:
    """fw.level: only heroes have levels, up to the highest that exists; one above level 6 is a query."""
    highest = len(army.edition.level_xp)
    for squad, model in army.lines:
        if model.level > 1 and not model.hero:
            message = gettext(
                "%(model)s at level %(level)s: only heroes have levels", model=model.label, level=model.level
            )
            yield _on_line("fw.level", message, gettext("Set level 1."), squad)
        elif model.level > highest:
            names = {"model": model.label, "level": model.level, "highest": highest}
            message = gettext("%(model)s at level %(level)s, %(highest)s is the highest", **names)
            yield _on_line("fw.level", message, gettext("Set level %(highest)s or less.", **names), squad)
        elif model.level > HIGHEST_BOUGHT:
            message = gettext(
                "%(model)s at level %(level)s: above %(most)s only if the opponent agrees",
                model=model.label,
                level=model.level,
                most=HIGHEST_BOUGHT,
            )
            yield query("fw.level", f"{message} ({squad.label})", on=[squad])


def skills(army: Army) -> Iterator[Finding]:
    """fw.skills: only heroes choose skills, each once, from its base up, within the points of the level.

    Choosing a skill of the entry below 5 as the free new one is a query.
    """
    for squad, model in army.lines:
        if model.skills and not model.hero:
            message = gettext("%(model)s with chosen skills: only heroes choose", model=model.label)
            yield _on_line("fw.skills", message, gettext("Take the skills off it."), squad)
            continue
        for name, level in model.known_skills:
            base = model.free_skills.get(name, BASE_SKILL)
            if level < base:
                names = {"model": model.label, "name": name, "level": level, "base": base}
                message = gettext("%(model)s: %(name)s (%(level)s) is below %(base)s, at which it begins", **names)
                yield _on_line("fw.skills", message, gettext("Set %(name)s to %(base)s or more.", **names), squad)
        chosen = [name for name, _ in model.known_skills]
        if twice := next((name for place, name in enumerate(chosen) if name in chosen[:place]), ""):
            message = gettext("%(model)s has %(skill)s twice", model=model.label, skill=twice)
            yield _on_line("fw.skills", message, gettext("Take one of them out."), squad)
        used, allowed = model.skill_points, model.level - 1
        message = ngettext(
            "%(model)s uses %(num)s skill point, level %(level)s has %(allowed)s",
            "%(model)s uses %(num)s skill points, level %(level)s has %(allowed)s",
            used,
            model=model.label,
            level=model.level,
            allowed=allowed,
        )
        if model.fewest_skill_points > allowed:
            fix = gettext("Lower a skill, take one out, or raise the level.")
            yield _on_line("fw.skills", message, fix, squad, {"used": used, "allowed": allowed})
        elif used > allowed:
            message = gettext(
                "%(points)s: enough only if the new skill at %(base)s may be one of its entry’s (%(squad)s)",
                points=message,
                base=BASE_SKILL,
                squad=squad.label,
            )
            yield query("fw.skills", message, on=[squad], figures={"used": used, "allowed": allowed})
