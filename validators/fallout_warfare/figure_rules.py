"""The rules judged on each line of figures by itself: each function yields the problems under one id."""

from collections.abc import Iterator

from validators.contract import Finding
from validators.fallout_warfare.figures import BASE_SKILL, Figures, Squad
from validators.fallout_warfare.findings import finding, of_figures
from validators.fallout_warfare.priced import Army
from validators.names import NearNames
from validators.numbers import counted

ITEMS_ALLOWED = {"grunt": 0, "squadleader": 1, "hero": 2}
HIGHEST_BOUGHT = 6
"""The highest level that a hero has outside a campaign without the opponent's consent."""


def _lines(army: Army) -> Iterator[tuple[Squad, Figures]]:
    for squad in army.squads:
        for model in squad.models:
            yield squad, model


def cost(army: Army) -> Iterator[Finding]:
    """fw.cost: every name is known, and every figure has a printed cost."""
    edition, near = army.edition, NearNames()
    for squad, model in _lines(army):
        if model.troop is None:
            yield _unknown(near, model.name, "troop", [t.name for t in edition.troops], squad)
        elif model.profile is not None and model.profile.points is None:
            yield of_figures(
                "fw.cost",
                f"{model.label} has no printed cost",
                "Take it out, or ask the organiser for lists that give it a cost.",
                model,
                squad,
            )
        if model.weapon_name and model.weapon is None:
            yield _unknown(near, model.weapon_name, "weapon", [w.name for w in edition.weapons], squad)
        for item in model.items:
            if item.entry is None:
                yield _unknown(near, item.name, "item", [i.name for i in edition.items], squad)
        for skill in model.skills:
            if not skill.known:
                yield _unknown(near, skill.name, "skill", list(edition.skills), squad)
    for drive in army.vehicles:
        if drive.entry is None:
            yield _unknown(near, drive.name, "vehicle", [v.name for v in edition.vehicles], None)


def _unknown(names: NearNames, name: str, kind: str, known: list[str], squad: Squad | None) -> Finding:
    near = names.nearest(name, tuple(known))
    mend = f"Did you mean {' or '.join(near)}?" if near else f"Take {name} out."
    where = f" ({squad.label})" if squad else ""
    return finding("fw.cost", f"{name} is no {kind} of these lists{where}", mend, squads=[squad] if squad else [])


def rank(army: Army) -> Iterator[Finding]:
    """fw.rank: the troop's entry has the rank that is taken."""
    for squad, model in _lines(army):
        if model.troop is not None and model.profile is None:
            has = " or ".join(model.troop.ranks)
            yield of_figures("fw.rank", f"{model.name} is never a {model.rank}", f"Make it a {has}.", model, squad)


def weapon(army: Army) -> Iterator[Finding]:
    """fw.weapon: only who may be armed is armed; a figure's one weapon is none that is paid by the piece."""
    for squad, model in _lines(army):
        if not model.may_be_armed and (model.armed or model.grenades):
            what = model.weapon_name if model.armed else "grenades"
            why = "carries no weapon" if model.troop and model.troop.weapons == "none" else "has only its own attacks"
            yield of_figures("fw.weapon", f"{model.label} with {what}: it {why}", f"Take {what} off it.", model, squad)
        elif model.weapon is not None and model.weapon.each:
            yield of_figures(
                "fw.weapon",
                f"{model.label}: {model.weapon.name} is bought by the piece, beside a weapon",
                "Say how many grenades each carries, and choose another weapon or none.",
                model,
                squad,
            )


def optional_weapon(army: Army) -> Iterator[Finding]:
    """fw.weapon: a weapon of the optional rules is put to the organiser."""
    for squad, model in _lines(army):
        if model.weapon is not None and model.weapon.optional and model.may_be_armed:
            yield of_figures(
                "fw.weapon", f"{model.weapon.name} is of the optional rules: is it played here?", "", model, squad
            )


def items(army: Army) -> Iterator[Finding]:
    """fw.items: a squadleader carries one item at most, a hero two, a grunt none."""
    for squad, model in _lines(army):
        used, allowed = len(model.items), ITEMS_ALLOWED[model.rank]
        if used > allowed:
            yield of_figures(
                "fw.items",
                f"{model.label} with {counted(used, 'item')}, {allowed} allowed",
                f"Take {counted(used - allowed, 'item')} off it.",
                model,
                squad,
                {"used": used, "allowed": allowed},
            )


def needs(army: Army) -> Iterator[Finding]:
    """fw.needs: an item's Intelligence is there, and a faction's own item is carried by that faction only."""
    for squad, model in _lines(army):
        for name, entry in {item.name: item.entry for item in model.items}.items():
            if entry is None or model.profile is None or model.troop is None:
                continue
            has = model.profile.statistic("IN")
            if has < entry.intelligence:
                yield of_figures(
                    "fw.needs",
                    f"{name} needs IN {entry.intelligence}, {model.label} has {has}",
                    f"Take {name} off it.",
                    model,
                    squad,
                    {"needs": entry.intelligence, "has": has},
                )
            if entry.faction and entry.faction != model.troop.faction:
                yield of_figures(
                    "fw.needs",
                    f"{name} is for {entry.faction} only, {model.label} is of {model.troop.faction}",
                    f"Take {name} off it.",
                    model,
                    squad,
                )


def level(army: Army) -> Iterator[Finding]:
    """fw.level: only heroes have levels, and no higher one than there is."""
    highest = len(army.edition.level_xp)
    for squad, model in _lines(army):
        if model.level > 1 and not model.hero:
            yield of_figures(
                "fw.level",
                f"{model.label} at level {model.level}: only heroes have levels",
                "Set level 1.",
                model,
                squad,
            )
        elif model.level > highest:
            yield of_figures(
                "fw.level",
                f"{model.label} at level {model.level}, {highest} is the highest",
                f"Set level {highest} or less.",
                model,
                squad,
            )


def high_level(army: Army) -> Iterator[Finding]:
    """fw.level: above level 6 the opponent must agree, so the organiser is asked."""
    for squad, model in _lines(army):
        if model.hero and HIGHEST_BOUGHT < model.level <= len(army.edition.level_xp):
            yield of_figures(
                "fw.level",
                f"{model.label} at level {model.level}: above {HIGHEST_BOUGHT} only if the opponent agrees",
                "",
                model,
                squad,
            )


def skills(army: Army) -> Iterator[Finding]:
    """fw.skills: only heroes choose skills, each once, from its base up, within the points of the level."""
    for squad, model in _lines(army):
        known = [skill for skill in model.skills if skill.known]
        if model.skills and not model.hero:
            yield of_figures(
                "fw.skills",
                f"{model.label} with chosen skills: only heroes choose",
                "Take the skills off it.",
                model,
                squad,
            )
            continue
        free = model.troop.free_skills(model.rank) if model.troop else {}
        for skill in known:
            base = free.get(skill.name, BASE_SKILL)
            if skill.level < base:
                yield of_figures(
                    "fw.skills",
                    f"{model.label}: {skill.name} ({skill.level}) is below {base}, at which it begins",
                    f"Set {skill.name} to {base} or more.",
                    model,
                    squad,
                )
        twice = next((s.name for i, s in enumerate(known) if s.name in [other.name for other in known[:i]]), None)
        if twice:
            yield of_figures("fw.skills", f"{model.label} has {twice} twice", "Take one of them out.", model, squad)
        used, allowed = model.skill_points, model.level - 1
        if used > allowed:
            yield of_figures(
                "fw.skills",
                f"{model.label} uses {counted(used, 'skill point')}, level {model.level} has {allowed}",
                "Lower a skill, take one out, or raise the level.",
                model,
                squad,
                {"used": used, "allowed": allowed},
            )
