"""Who fights in the next battle: between the fewest and the most points, within the limits of its army."""

from collections.abc import Iterator
from dataclasses import replace

from validators.calculator import Asked
from validators.campaign import Answered, Applied, Offer, StepRefused, World, one_of
from validators.fallout_warfare.campaign.settings import battle_points
from validators.fallout_warfare.campaign.state import Group, Unit, mustered
from validators.fallout_warfare.check import CHECKS

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


def muster_offers(world: World, group: int) -> list[Offer]:
    """Who fights; who changes the squad; and that the group cannot muster enough."""
    state: Group = world.groups[group]
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


def muster(world: World, group: int, data: Answered) -> Applied:
    """The group fields these squads and vehicles in the next battle."""
    state: Group = world.groups[group]
    chosen = {body for body in _able(state) if data[f"in-{body}"]}
    state = replace(with_bodies(state, chosen), call="musters")
    if wrong := next(problems(world, state), ""):
        raise StepRefused(wrong)
    return Applied(world.with_group(group, state), (), (f"Musters {mustered(world, state).total} army points.",))


def forfeit(world: World, group: int, _: Answered) -> Applied:
    """The group does not fight the next battle, which the desk then records as forfeited."""
    state: Group = world.groups[group]
    least, ready = battle_points(world)[0], sum(unit.able * unit.each for unit in state.units)
    why = f"Cannot muster {least} army points and forfeits" if ready < least else "Forfeits"
    state = replace(with_bodies(state, set()), call="forfeits")
    return Applied(world.with_group(group, state), (), (f"{why} the next battle: the desk records it.",))


def regroup(world: World, group: int, data: Answered) -> Applied:
    """Figures that are able go into another squad, which stands where they stand."""
    state: Group = world.groups[group]
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
        places = [place for place, one in enumerate(state.units) if one.key == unit.key]
        key = f"{unit.key}-{sum(one.key.startswith(f'{unit.key}-') for one in state.units) + 1}"
        rest = replace(unit, ready=unit.ready - many, fielded=0)
        apart = replace(unit, key=key, body=to, ready=many, away=0, lost=0, fielded=0)
        units = [*state.units]
        units[places[0] : places[0] + 1] = [rest, apart]
        state = replace(state, units=tuple(units))
    return Applied(world.with_group(group, state), (), (f"{many} × {unit.label} into {state.body_title(to)}.",))


def close(world: World, group: int) -> Applied:
    """A group must say what it does about the next battle."""
    state: Group = world.groups[group]
    if not state.call:
        raise StepRefused("Muster for the next battle, or forfeit it.")
    return Applied(world)
