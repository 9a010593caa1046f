"""What heroes do between battles: extra experience of a scenario, skills, breaks with a Doctor."""

from dataclasses import replace

from validators.calculator import Asked
from validators.campaign import Answered, Applied, Offer, World, one_of
from validators.fallout_warfare.campaign.battle import NEXT_BATTLE, learned
from validators.fallout_warfare.campaign.state import Group, Unit, skills_of
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
            ask = one_of("skill", "Skill", ((name, f"{name} ({level}) to {level + 1}") for name, level in own.items()))
            offers.append(Offer("raise", unit.label, "Raise", f"1 of {unit.skill_points} skill points.", (ask,), fixed))
        if new and unit.skill_points >= _price(world, unit):
            about = f"{_price(world, unit)} of {unit.skill_points} skill points."
            offers.append(Offer("learn", unit.label, "Learn", about, (one_of("skill", "New skill", new),), fixed))
    return offers


def _skills(world: World, unit: Unit) -> tuple[dict[str, int], list[str]]:
    """The skills that a hero has, and those of the lists that it lacks."""
    own = skills_of(unit, world.edition)
    return own, [name for name in world.edition.lists.skills if name not in own]


def _price(world: World, unit: Unit) -> int:
    """Of a new skill: nothing for the first one that is not of the hero's entry."""
    entry = world.edition.lists.troop(unit.raw["name"]).free_skills("hero")
    return NEW_SKILL if any(skill["name"] not in entry for skill in unit.raw["skills"]) else 0


def extra(world: World, group: int, data: Answered) -> Applied:
    """Experience that the scenario gives in addition."""
    state: Group = world.groups[group]
    unit = state.unit(data["unit"])
    grown, says = learned(world, unit, int(data["xp"]))
    state = replace(state.changed(grown), used=state.used | {f"extra-{unit.key}"})
    return Applied(world.with_group(group, state), (), tuple(says))


def raise_skill(world: World, group: int, data: Answered) -> Applied:
    """A skill point raises a skill that the hero has by 1."""
    own, _ = _skills(world, world.groups[group].unit(data["unit"]))
    return _skilled(world, group, data, own[str(data["skill"])] + 1, price=1)


def learn(world: World, group: int, data: Answered) -> Applied:
    """Two skill points buy a new skill at 5."""
    return _skilled(world, group, data, BASE_SKILL, _price(world, world.groups[group].unit(data["unit"])))


def _skilled(world: World, group: int, data: Answered, level: int, price: int) -> Applied:
    state: Group = world.groups[group]
    unit, skill = state.unit(data["unit"]), data["skill"]
    others = [one for one in unit.raw["skills"] if one["name"] != skill]
    raw = {**unit.raw, "skills": [*others, {"name": skill, "level": level}]}
    state = state.changed(replace(unit, skill_points=unit.skill_points - price, raw=raw))
    return Applied(world.with_group(group, state), (), (f"{unit.label} has {skill} ({level}).",))


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
            about = f"The Doctor {NEXT_BATTLE} too."
            asks = (one_of("doctor", "Who stays as a Doctor", (("", "Nobody"), *others), "", about),)
        gains = REST + (doctors.get(unit.key, 0) if world.settings["doctor"] == "break" else 0)
        about = f"{unit.hits} of {unit.most_hits} hit points. Regains {gains}, and {NEXT_BATTLE}."
        offers.append(Offer("break", unit.label, "Take a break", about, asks, {"unit": unit.key}))
    return offers


def take_break(world: World, group: int, data: Answered) -> Applied:
    """A hero misses the next battle and regains 2 hit points, and a Doctor's skill level if one is there."""
    state: Group = world.groups[group]
    unit, helper = state.unit(data["unit"]), str(data.get("doctor", ""))
    doctors = _doctors(world, state) if world.settings["doctor"] == "break" else {}
    hits = min(unit.most_hits, unit.hits + REST + max(doctors.get(key, 0) for key in (unit.key, helper)))
    says = [f"{unit.label} regains {hits - unit.hits} hit points and {NEXT_BATTLE}."]
    if helper:
        state = state.changed(_away(state.unit(helper)))
        says.append(f"{state.unit(helper).label} stays with them and {NEXT_BATTLE}.")
    state = replace(state.changed(_away(replace(unit, hits=hits))), used=state.used | {f"break-{unit.key}"})
    return Applied(world.with_group(group, state), (), tuple(says))


def _away(unit: Unit) -> Unit:
    return replace(unit, ready=0, away=1, fielded=0)


def tend(world: World, group: int, _: Answered) -> Applied:
    """A Doctor restores all hit points of all wounded heroes (5.0), where the campaign plays it so."""
    state: Group = world.groups[group]
    wounded = [unit for unit in state.heroes() if unit.hits < unit.most_hits]
    state = state.changed(*(replace(unit, hits=unit.most_hits) for unit in wounded))
    return Applied(world.with_group(group, state), (), tuple(f"{unit.label} has all hit points." for unit in wounded))
