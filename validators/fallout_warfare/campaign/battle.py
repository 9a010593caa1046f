"""A battle: who musters for it, what it does to a group, what its heroes learn and do until the next one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from validators.calculator import Asked
from validators.campaign import Answered, Applied, Line, Offer, Played, StepRefused, World, one_of
from validators.fallout_warfare.campaign.state import POINTS, Group, Unit, battle_points, mustered, skills_of
from validators.fallout_warfare.check import CHECKS
from validators.fallout_warfare.force import BASE_SKILL

FATES: Mapping[str, str] = {"held": "Held", "retreated": "Retreated", "lost": "Died"}
GONE = {"vehicle": "destroyed", "mines": "used", "hero": "died", "troops": "lost"}
NO_RETREAT = ("wild-america",)
"""Scenarios that forbid it (7.0)."""
WIN, EVEN = 2, 1
"""Experience for a game won, and for a draw or a successful retreat (8.2)."""
NEXT_BATTLE = "misses the next battle"


def play(world: World, group: int, played: Played) -> Applied:
    """The result is counted, and who missed this battle is ready for the next one."""
    state: Group = world.groups[group]
    fields = played.fought and state.call == "musters"
    units = tuple(
        replace(unit, ready=unit.ready + unit.away, away=0, fielded=unit.fielded if fields else 0)
        for unit in state.units
    )
    counts: dict[str, Any] = {
        "won": state.won + (played.result == "win"),
        "lost": state.lost + (played.result == "loss"),
        "drawn": state.drawn + (played.result == "draw" and played.fought),
        "forfeited": state.forfeited + (not played.fought and state.call == "forfeits"),
    }
    changed = replace(state, units=units, call="", recorded=frozenset(), used=frozenset(), **counts)
    back = tuple(f"{unit.label} is back." for unit in state.units if unit.away)
    return Applied(world.with_group(group, changed), (), back)


def fielded(state: Group) -> dict[str, list[Unit]]:
    """Who fought in the last battle and is not recorded yet, by bodies."""
    return {
        body: those
        for body, units in state.bodies.items()
        if body not in state.recorded and (those := [unit for unit in units if unit.fielded])
    }


def loss_offers(world: World, group: int, state: Group) -> Iterator[Offer]:
    """A form for each squad and vehicle that fought; who held needs none."""
    for body, units in fielded(state).items():
        may_retreat = world.played[group].scenario not in NO_RETREAT
        asks = tuple(ask for unit in units for ask in _asks(unit, may_retreat))
        yield Offer("losses", state.body_title(body), "Record", "", asks, {"body": body})


def _asks(unit: Unit, may_retreat: bool) -> list[Asked]:
    if unit.kind == "mines" or (unit.kind == "troops" and unit.fielded > 1):
        lost = "Mines used," if unit.kind == "mines" else f"{unit.label}: lost"
        asks = [Asked(f"lost-{unit.key}", f"{lost} of {unit.fielded}", most=unit.fielded, default=0)]
        if may_retreat and unit.kind == "troops":
            asks.append(Asked(f"away-{unit.key}", f"{unit.label}: retreated", most=unit.fielded, default=0))
        return asks
    fates = [(key, "Destroyed" if unit.kind == "vehicle" and key == "lost" else label) for key, label in FATES.items()]
    open_ = (one for one in fates if may_retreat or one[0] != "retreated")
    fate = one_of(f"fate-{unit.key}", unit.label, open_, "held")
    if unit.kind == "troops":
        return [fate]
    if unit.kind == "vehicle":
        most = unit.destroyed_at
        help_ = f"{unit.disabled_at} disable it, {most} destroy it."
        return [fate, Asked(f"damage-{unit.key}", "Damage in all", most=most, default=unit.damage, help=help_)]
    label = f"Hit points left, of {unit.most_hits}"
    return [fate, Asked(f"hits-{unit.key}", label, most=unit.most_hits, default=unit.hits, help="0 is unconscious.")]


def record(world: World, group: int, state: Group, data: Answered) -> Applied:
    """What a squad or vehicle lost in the battle."""
    body, stays = str(data["body"]), world.settings["retreat"] == "0"
    lines: list[Line] = []
    says: list[str] = []
    for unit in fielded(state)[body]:
        after, lost, away = _fared(unit, data)
        if lost:
            gone = f"{unit.label} {GONE[unit.kind]} in round {world.played[group].round}" if lost == unit.alive else ""
            after = replace(after, ready=unit.ready - lost, lost=unit.lost + lost, gone=gone)
            says.append(f"{gone}." if gone else f"{lost} × {unit.label} died.")
            lines.append(Line(unit.account, -lost, gone or "Died"))
            if unit.each:
                lines.append(Line(POINTS, -lost * unit.each, f"{unit.label}: {lost} × {unit.each} points"))
        if away:
            who = unit.label if unit.fielded == 1 else f"{away} × {unit.label}"
            says.append(f"{who} retreated" + ("." if stays else ", back after the next battle."))
            if not stays:
                after = replace(after, ready=after.ready - away, away=after.away + away)
        state = state.changed(replace(after, fielded=unit.fielded - lost))
        if away and unit.kind == "hero":
            state = replace(state, used=state.used | {f"retreated-{unit.key}"})
    state = replace(state, recorded=state.recorded | {body})
    return Applied(world.with_group(group, state), tuple(lines), tuple(says))


def _fared(unit: Unit, data: Answered) -> tuple[Unit, int, int]:
    """A unit with its damage, how many of it were lost, and how many retreated."""
    fate = data.get(f"fate-{unit.key}")
    if fate is None:
        lost, away = int(data[f"lost-{unit.key}"]), int(data.get(f"away-{unit.key}", 0))
        if lost + away > unit.fielded:
            raise StepRefused(f"{unit.label}: only {unit.fielded} fought.", f"lost-{unit.key}")
        return unit, lost, away
    if unit.kind == "vehicle":
        unit = replace(unit, damage=int(data[f"damage-{unit.key}"]))
        fate = "lost" if unit.damage == unit.destroyed_at else fate
    elif unit.kind == "hero":
        unit = replace(unit, hits=0 if fate == "lost" else int(data[f"hits-{unit.key}"]))
    return unit, int(fate == "lost"), int(fate == "retreated")


def close(world: World, group: int, state: Group) -> Applied:
    """The heroes who fought and live get their experience."""
    result = world.played[group].result
    says: list[str] = []
    for unit in (one for one in state.heroes() if one.fielded):
        retreated = f"retreated-{unit.key}" in state.used
        grown, said = learned(world, unit, WIN if result == "win" else EVEN if result == "draw" or retreated else 0)
        state = state.changed(grown)
        says += said
    return Applied(world.with_group(group, state), (), tuple(says))


def learned(world: World, unit: Unit, xp: int) -> tuple[Unit, list[str]]:
    """A hero with more experience, and with the levels that follow: each gives a hit point and a skill point."""
    if not xp:
        return unit, []
    lists = world.edition.lists
    total = unit.xp + xp
    level = max(place for place, needed in enumerate(lists.level_xp, 1) if needed <= total)
    more = max(0, level - unit.level)
    says = [f"{unit.label}: {xp} experience, {total} in all."]
    if more:
        says.append(f"{unit.label} is level {level}: +{more} hit points, +{more} skill points.")
    grown = replace(
        unit,
        xp=total,
        raw={**unit.raw, "level": unit.level + more},
        hits=unit.hits + more,
        most_hits=unit.most_hits + more,
        skill_points=unit.skill_points + more,
        earned=lists.level_points(unit.level + more) - lists.level_points(unit.paid),
    )
    return grown, says


NEW_SKILL = 2
"""Skill points for a new skill at 5 (8.2); a hero's first one costs nothing, as its examples count."""
REST = 2
"""Hit points of a break (8.1)."""


def hero_offers(world: World, group: int, state: Group) -> list[Offer]:
    """Extra experience, where scenarios may give some, and the skills that skill points can buy."""
    most = int(world.settings["extra"])
    offers = []
    for unit in state.heroes():
        fixed = {"unit": unit.key}
        if most and unit.fielded and f"extra-{unit.key}" not in state.used:
            ask = Asked("xp", "Extra experience", least=1, most=most, default=1)
            offers.append(Offer("extra", unit.label, "Give", "Only what the scenario says.", (ask,), fixed))
        own = skills_of(unit, world.edition)
        new = [name for name in world.edition.lists.skills if name not in own]
        if own and unit.skill_points:
            ask = one_of("skill", "Skill", ((name, f"{name} ({level}) to {level + 1}") for name, level in own.items()))
            offers.append(Offer("raise", unit.label, "Raise", f"1 of {unit.skill_points} skill points.", (ask,), fixed))
        if new and unit.skill_points >= _price(world, unit):
            about = f"{_price(world, unit)} of {unit.skill_points} skill points."
            offers.append(Offer("learn", unit.label, "Learn", about, (one_of("skill", "New skill", new),), fixed))
    return offers


def _price(world: World, unit: Unit) -> int:
    """Of a new skill: nothing for the first one that is not of the hero's entry."""
    entry = world.edition.lists.by_name.troops.find(unit.raw["name"]).free_skills("hero")
    return NEW_SKILL if any(skill["name"] not in entry for skill in unit.raw["skills"]) else 0


def extra(world: World, group: int, state: Group, data: Answered) -> Applied:
    """Experience that the scenario gives in addition."""
    unit = state.unit(data["unit"])
    grown, says = learned(world, unit, int(data["xp"]))
    state = replace(state.changed(grown), used=state.used | {f"extra-{unit.key}"})
    return Applied(world.with_group(group, state), (), tuple(says))


def train(world: World, group: int, state: Group, data: Answered) -> Applied:
    """A skill point raises a skill that the hero has by 1; two buy a new one at 5."""
    unit, skill = state.unit(data["unit"]), str(data["skill"])
    own = skills_of(unit, world.edition)
    level, price = (own[skill] + 1, 1) if skill in own else (BASE_SKILL, _price(world, unit))
    others = [one for one in unit.raw["skills"] if one["name"] != skill]
    raw = {**unit.raw, "skills": [*others, {"name": skill, "level": level}]}
    state = state.changed(replace(unit, skill_points=unit.skill_points - price, raw=raw))
    return Applied(world.with_group(group, state), (), (f"{unit.label} has {skill} ({level}).",))


# ---- rest


def _doctors(world: World, state: Group) -> dict[str, int]:
    """The conscious heroes who are Doctors, each with the level."""
    awake = {unit.key: skills_of(unit, world.edition) for unit in state.heroes() if unit.hits}
    return {key: skills["Doctor"] for key, skills in awake.items() if "Doctor" in skills}


def rest_offers(world: World, group: int, state: Group) -> list[Offer]:
    """Breaks of wounded heroes; a Doctor's work where the settings allow it."""
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


def take_break(world: World, group: int, state: Group, data: Answered) -> Applied:
    """A hero misses the next battle and regains 2 hit points, and a Doctor's skill level if one is there."""
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


def tend(world: World, group: int, state: Group, _: Answered) -> Applied:
    """A Doctor restores all hit points of all wounded heroes (5.0), where the campaign plays it so."""
    wounded = [unit for unit in state.heroes() if unit.hits < unit.most_hits]
    state = state.changed(*(replace(unit, hits=unit.most_hits) for unit in wounded))
    return Applied(world.with_group(group, state), (), tuple(f"{unit.label} has all hit points." for unit in wounded))


# ---- the next battle


TOURNAMENT = ("fw.faction", "fw.hero-points", "fw.vehicle-limit")
"""What 3.3 prints as tournament limits."""
SQUADS = ("fw.leader", "fw.squad", "fw.mixed", "fw.beasts", "fw.alpha", "fw.heroes", "fw.restricted")
ALL = (*TOURNAMENT, *SQUADS, "fw.vehicle", "fw.mines")
MOST_SQUADS = 100


def with_bodies(state: Group, chosen: set[str]) -> Group:
    """The group with all who are able of these squads and vehicles mustered, and nobody else."""
    units = tuple(replace(unit, fielded=unit.able if unit.body in chosen else 0) for unit in state.units)
    return replace(state, units=units)


def _able(state: Group) -> dict[str, list[Unit]]:
    found = {body: [unit for unit in units if unit.able] for body, units in state.bodies.items()}
    return {body: units for body, units in found.items() if units}


def problems(world: World, state: Group) -> Iterator[str]:
    """What keeps the mustered from this battle, as sentences."""
    army, (least, most) = mustered(world, state), battle_points(world)
    if army.total > most:
        yield f"{army.total} army points are mustered: at most {most}."
    if army.total < least:
        yield f"{army.total} army points are mustered: at least {least}."
    judged = ALL if world.settings["limits"] == "all" else TOURNAMENT
    for rule in judged:
        yield from (f"{one.message}." for one in CHECKS.problems[rule](army))


def suggested(world: World, state: Group) -> set[str]:
    """A muster that takes each squad and vehicle in turn as long as nothing but more points is missing."""
    chosen: set[str] = set()
    for body in _able(state):
        tried = with_bodies(state, chosen | {body})
        if not [one for one in problems(world, tried) if "at least" not in one]:
            chosen.add(body)
    return chosen


def muster_offers(world: World, group: int, state: Group) -> list[Offer]:
    """Who fights; who changes the squad; and that the group cannot muster enough."""
    least, most = battle_points(world)
    able = _able(state)
    chosen = {unit.body for unit in state.units if unit.fielded} if state.call else suggested(world, state)
    worth = {body: sum(unit.able * unit.each for unit in units) for body, units in able.items()}
    ready = sum(worth.values())
    asks = tuple(
        Asked(f"in-{body}", f"{state.body_title(body)}: {points} points", "yes", default=int(body in chosen),
              help=state.body_holds(body))
        for body, points in worth.items()
    )  # fmt: skip
    offers = []
    if ready >= least:
        about = f"{least} to {most} army points. {ready} are ready."
        offers.append(Offer("muster", "Next battle", "Muster", about, asks))
    squads = [(body, state.body_title(body)) for body, units in able.items() if units[0].of_squad]
    troops = ((unit.key, f"{unit.able} × {unit.label}, {title}") for body, title in squads for unit in able[body])
    if squads:
        asks = (
            one_of("unit", "Who", troops),
            Asked("count", "How many", least=0, most=99, default=0, help="0 is all of them."),
            one_of("to", "Into", (("new", "A new squad"), *squads), "new"),
        )
        about = "Losses may leave squads too small or without a leader."
        offers.append(Offer("regroup", "Squads", "Regroup", about, asks))
    about = f"{ready} army points are ready, {least} are needed." if ready < least else "If you cannot muster enough."
    offers.append(Offer("forfeit", "No muster", "Forfeit the next battle", about))
    return offers


def muster(world: World, group: int, state: Group, data: Answered) -> Applied:
    """The group fields these squads and vehicles in the next battle."""
    chosen = {body for body in _able(state) if data[f"in-{body}"]}
    state = replace(with_bodies(state, chosen), call="musters")
    if wrong := next(problems(world, state), ""):
        raise StepRefused(wrong)
    return Applied(world.with_group(group, state), (), (f"Musters {mustered(world, state).total} army points.",))


def forfeit(world: World, group: int, state: Group, _: Answered) -> Applied:
    """The group does not fight the next battle, which the desk then records as forfeited."""
    least, ready = battle_points(world)[0], sum(unit.able * unit.each for unit in state.units)
    why = f"Cannot muster {least} army points and forfeits" if ready < least else "Forfeits"
    state = replace(with_bodies(state, set()), call="forfeits")
    return Applied(world.with_group(group, state), (), (f"{why} the next battle: the desk records it.",))


def regroup(world: World, group: int, state: Group, data: Answered) -> Applied:
    """Figures that are able go into another squad, which stands where they stand."""
    unit, to = state.unit(data["unit"]), str(data["to"])
    many = int(data["count"]) or unit.able
    squads = {body: units[0] for body, units in state.bodies.items() if units[0].of_squad}
    if many > unit.able:
        raise StepRefused(f"{unit.label}: only {unit.able} are able to fight.", "count")
    if to == unit.body:
        raise StepRefused(f"{unit.label} is in this squad already.", "to")
    if to != "new" and squads[to].place != unit.place:
        raise StepRefused("Both squads must stand at one place.", "to")
    if to == "new":
        if len(squads) >= MOST_SQUADS:
            raise StepRefused(f"A group has at most {MOST_SQUADS} squads.", "to")
        to = f"s{1 + max(int(body[1:]) for body in state.squads)}"
        state = replace(state, squads={**state.squads, to: ""})
    state = replace(with_bodies(state, set()), call="")
    if many == unit.alive:
        state = state.changed(replace(unit, body=to, fielded=0))
    else:
        place = next(at for at, one in enumerate(state.units) if one.key == unit.key)
        key = f"{unit.key}-{sum(one.key.startswith(f'{unit.key}-') for one in state.units) + 1}"
        rest = replace(unit, ready=unit.ready - many, fielded=0)
        apart = replace(unit, key=key, body=to, ready=many, away=0, lost=0, fielded=0)
        state = replace(state, units=(*state.units[:place], rest, apart, *state.units[place + 1 :]))
    return Applied(world.with_group(group, state), (), (f"{many} × {unit.label} into {state.body_title(to)}.",))


def decided(world: World, _: int, state: Group) -> Applied:
    """A group must say what it does about the next battle."""
    if not state.call:
        raise StepRefused("Muster for the next battle, or forfeit it.")
    return Applied(world)
