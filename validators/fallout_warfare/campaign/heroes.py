"""What heroes do between battles: extra experience of a scenario, skills, breaks with a Doctor."""

from dataclasses import replace
from typing import Any

from validators.calculator import Asked
from validators.campaign import Answered, Applied, Dice, Offer, StepRefused, World
from validators.fallout_warfare.campaign.battle import NEXT_BATTLE, learned
from validators.fallout_warfare.campaign.state import Group, Unit, choice, number, skills_of
from validators.fallout_warfare.force import BASE_SKILL

NEW_SKILL = 2
"""Skill points for a new skill at 5 (8.2); a hero's first one costs nothing, as its examples count."""
REST = 2
"""Hit points of a break (8.1)."""


def hero_offers(world: World, group: int) -> list[Offer]:
    """Extra experience, where scenarios may give some, and the skills that skill points can buy."""
    state: Group = world.groups[group]
    most = int(world.settings["extra"])
    offers = []
    for unit in state.heroes():
        fixed = {"unit": unit.key}
        if most and unit.fielded and f"extra-{unit.key}" not in state.used:
            ask = Asked("xp", "Extra experience", least=1, most=most, default=1)
            offers.append(Offer("extra", unit.label, "Give", "Only what the scenario says.", (ask,), fixed))
        own, new = _skills(world, unit)
        if own and unit.skill_points:
            choices = tuple((name, f"{name} ({level}) to {level + 1}") for name, level in own.items())
            ask = Asked("skill", "Skill", "choice", default=choices[0][0], choices=choices)
            offers.append(Offer("raise", unit.label, "Raise", f"1 of {unit.skill_points} skill points.", (ask,), fixed))
        if new and unit.skill_points >= _price(world, unit):
            ask = Asked("skill", "New skill", "choice", default=new[0], choices=tuple((name, name) for name in new))
            about = f"{_price(world, unit)} of {unit.skill_points} skill points."
            offers.append(Offer("learn", unit.label, "Learn", about, (ask,), fixed))
    return offers


def _skills(world: World, unit: Unit) -> tuple[dict[str, int], list[str]]:
    """The skills that a hero has, and those of the lists that it lacks."""
    own = skills_of(unit, world.edition)
    return own, [name for name in world.edition.lists.skills if name not in own]


def _price(world: World, unit: Unit) -> int:
    """Of a new skill: nothing for the first one that is not of the hero's entry."""
    entry = world.edition.lists.troop(unit.raw["name"]).free_skills("hero")
    return NEW_SKILL if any(skill["name"] not in entry for skill in unit.raw["skills"]) else 0


def _hero(state: Group, data: Answered) -> Unit:
    unit = state.unit(data.get("unit"))
    if unit.kind != "hero":
        raise StepRefused("Only heroes do this.", "unit")
    return unit


def extra(world: World, group: int, data: Answered, _dice: Dice) -> Applied:
    """Experience that the scenario gives in addition."""
    state: Group = world.groups[group]
    unit, most = _hero(state, data), int(world.settings["extra"])
    if not most:
        raise StepRefused("Scenarios of this campaign give no extra experience.")
    if not unit.fielded:
        raise StepRefused(f"{unit.label} did not fight.")
    if f"extra-{unit.key}" in state.used:
        raise StepRefused(f"{unit.label} has extra experience of this battle already.")
    grown, says = learned(world, unit, number(data, "xp", most, "Extra experience", least=1))
    return _with(world, group, state, grown, says, f"extra-{unit.key}")


def raise_skill(world: World, group: int, data: Answered, _dice: Dice) -> Applied:
    """A skill point raises a skill that the hero has by 1."""
    state: Group = world.groups[group]
    unit = _hero(state, data)
    own, _ = _skills(world, unit)
    skill = choice(data, "skill", own, f"{unit.label} does not have this skill.")
    if not unit.skill_points:
        raise StepRefused(f"{unit.label} has no skill point.")
    level = own[skill] + 1
    grown = replace(unit, skill_points=unit.skill_points - 1, raw=_skilled(unit, skill, level))
    return _with(world, group, state, grown, [f"{unit.label} has {skill} ({level})."])


def learn(world: World, group: int, data: Answered, _dice: Dice) -> Applied:
    """Two skill points buy a new skill at 5."""
    state: Group = world.groups[group]
    unit = _hero(state, data)
    _, new = _skills(world, unit)
    skill = choice(data, "skill", new, f"{unit.label} has this skill already, or no list has it.")
    price = _price(world, unit)
    if unit.skill_points < price:
        raise StepRefused(f"{unit.label} has {unit.skill_points} of {price} skill points.")
    grown = replace(unit, skill_points=unit.skill_points - price, raw=_skilled(unit, skill, BASE_SKILL))
    return _with(world, group, state, grown, [f"{unit.label} has {skill} ({BASE_SKILL})."])


def _skilled(unit: Unit, skill: str, level: int) -> dict[str, Any]:
    others = [one for one in unit.raw["skills"] if one["name"] != skill]
    return {**unit.raw, "skills": [*others, {"name": skill, "level": level}]}


def _with(world: World, group: int, state: Group, unit: Unit, says: list[str], used: str = "") -> Applied:
    state = state.changed(unit)
    if used:
        state = replace(state, used=state.used | {used})
    return Applied(world.with_group(group, state), (), tuple(says))


# ---- rest


def _doctors(world: World, state: Group) -> dict[str, int]:
    """The conscious heroes who are Doctors, each with the level."""
    awake = {unit.key: skills_of(unit, world.edition) for unit in state.heroes() if unit.hits}
    return {key: skills["Doctor"] for key, skills in awake.items() if "Doctor" in skills}


def rest_offers(world: World, group: int) -> list[Offer]:
    """Breaks of wounded heroes; a Doctor's work where the settings allow it."""
    state: Group = world.groups[group]
    offers = []
    wounded = [unit for unit in state.heroes() if unit.hits < unit.most_hits]
    doctors = _doctors(world, state)
    if world.settings["doctor"] == "all" and doctors and wounded:
        offers.append(Offer("tend", "Doctor", "Heal all", "All wounded heroes regain all hit points."))
    for unit in wounded:
        if f"break-{unit.key}" in state.used:
            continue
        others = [(key, state.unit(key).label) for key in doctors if key != unit.key]
        asks: tuple[Asked, ...] = ()
        if world.settings["doctor"] == "break" and others:
            choices = (("", "Nobody"), *others)
            about = f"The Doctor {NEXT_BATTLE} too."
            asks = (Asked("doctor", "Who stays as a Doctor", "choice", default="", choices=choices, help=about),)
        gains = REST + (doctors.get(unit.key, 0) if world.settings["doctor"] == "break" else 0)
        about = f"{unit.hits} of {unit.most_hits} hit points. Regains {gains}, and {NEXT_BATTLE}."
        offers.append(Offer("break", unit.label, "Take a break", about, asks, {"unit": unit.key}))
    return offers


def take_break(world: World, group: int, data: Answered, _dice: Dice) -> Applied:
    """A hero misses the next battle and regains 2 hit points, and a Doctor's skill level if one is there."""
    state: Group = world.groups[group]
    unit = _hero(state, data)
    if f"break-{unit.key}" in state.used:
        raise StepRefused(f"{unit.label} takes a break already.")
    if unit.hits == unit.most_hits:
        raise StepRefused(f"{unit.label} has all hit points.")
    doctors, helper = _doctors(world, state), data.get("doctor") or ""
    adds = 0
    if world.settings["doctor"] == "break":
        adds = doctors.get(unit.key, 0)
        if helper:
            others = (key for key in doctors if key != unit.key)
            helper = choice(data, "doctor", others, "No other conscious hero by this key is a Doctor.")
            adds = max(adds, doctors[helper])
            state = state.changed(_away(state.unit(helper)))
    hits = min(unit.most_hits, unit.hits + REST + adds)
    says = [f"{unit.label} regains {hits - unit.hits} hit points and {NEXT_BATTLE}."]
    if helper:
        says.append(f"{state.unit(helper).label} stays with them and {NEXT_BATTLE}.")
    return _with(world, group, state, _away(replace(unit, hits=hits)), says, f"break-{unit.key}")


def _away(unit: Unit) -> Unit:
    return replace(unit, ready=0, away=1, fielded=0)


def tend(world: World, group: int, _data: Answered, _dice: Dice) -> Applied:
    """A Doctor restores all hit points of all wounded heroes (5.0), where the campaign plays it so."""
    state: Group = world.groups[group]
    if world.settings["doctor"] != "all":
        raise StepRefused("In this campaign a Doctor heals who takes a break.")
    if not _doctors(world, state):
        raise StepRefused("No conscious hero is a Doctor.")
    wounded = [unit for unit in state.heroes() if unit.hits < unit.most_hits]
    state = state.changed(*(replace(unit, hits=unit.most_hits) for unit in wounded))
    return Applied(world.with_group(group, state), (), tuple(f"{unit.label} has all hit points." for unit in wounded))
