"""The rules for the army as a whole: each function yields the problems, or the queries, under one id."""

from collections.abc import Iterator
from math import ceil

from validators.contract import Finding
from validators.fallout_warfare.force import Army, Figures, Squad
from validators.kit.checks import finding
from validators.names import counted, nearest

OTHERS_FOR_ONE = 3
"""The grunts with another weapon required for each with a restricted one; Paladins need one."""


def role(army: Army) -> Iterator[Finding]:
    """fw.role: the fielded part costs at most the role's points, and has nothing that the role may not field."""
    plays = army.terms.role
    if plays is None:
        return
    over = army.total - plays.size
    if over > 0:
        message = f"{counted(army.total, 'point')}, {over} over the {plays.size} of the {plays.name}"
        fix = f"Leave out at least {counted(over, 'point')}."
        yield finding("fw.role", message, fix, figures={"total": army.total, "size": plays.size, "over": over})
    for drive in army.vehicles:
        if drive.entry and drive.entry.name in plays.banned:
            message = f"The scenario gives the {plays.name} the only {drive.name} that they may have"
            yield finding("fw.role", message, f"Leave out the {drive.name}.", figures={"vehicle": drive.name})


def faction(army: Army) -> Iterator[Finding]:
    """fw.faction: three quarters of the army's cost are of its own faction."""
    fielded = army.edition.fielded
    if army.faction not in fielded:
        near = nearest(army.faction_name, fielded)
        message = f"No army of {army.faction_name} can be built from these lists"
        yield finding("fw.faction", message, f"Choose {' or '.join(near or fielded)}.")
        return
    foreign = army.foreign_points
    if 4 * foreign > army.total:
        message = f"{counted(foreign, 'point')} of other factions, a quarter of {army.total} at most"
        fix = f"Take out figures that are not of {army.faction}."
        on = [s for s in army.squads if any(m.troop and m.troop.faction != army.faction for m in s.models)]
        yield finding("fw.faction", message, fix, on=on, figures={"foreign": foreign, "total": army.total})


def faction_of_the_size(army: Army) -> Iterator[Finding]:
    """fw.faction: with allies, own figures for less than three quarters of the size itself are a query.

    Vehicles and mines are of no faction.
    """
    own = sum(model.points for model in army.models if model.troop and model.troop.faction == army.faction)
    foreign = army.foreign_points
    if army.faction and 0 < 4 * foreign <= army.total and 4 * own < 3 * army.size:
        quarters = f"three quarters of {army.size} would be {counted(ceil(3 * army.size / 4), 'point')}"
        message = f"{own} points of figures of {army.faction} with allies, {quarters}"
        yield finding("fw.faction", message, figures={"own": own, "size": army.size})


def heroes(army: Army) -> Iterator[Finding]:
    """fw.heroes: at most one hero for every two squads, rounded up."""
    used, allowed = army.hero_count, army.heroes_allowed
    if used > allowed:
        message = f"{counted(used, 'hero', 'heroes')} with {counted(army.squad_count, 'squad')}, {allowed} allowed"
        fix = f"Take out {counted(used - allowed, 'hero', 'heroes')}, or add squads."
        figures = {"used": used, "allowed": allowed, "squads": army.squad_count}
        yield finding("fw.heroes", message, fix, on=_with_heroes(army), figures=figures)


def _with_heroes(army: Army) -> list[Squad]:
    return [squad for squad in army.squads if any(model.hero for model in squad.models)]


def hero_points(army: Army) -> Iterator[Finding]:
    """fw.hero-points: heroes and their levels cost at most a quarter of the size."""
    used, allowed = army.hero_points, army.hero_points_allowed
    if used > allowed:
        message = f"Heroes for {counted(used, 'point')}, {allowed} allowed at {army.size}"
        fix = f"Save {counted(used - allowed, 'point')} on heroes."
        figures = {"used": used, "allowed": allowed, "size": army.size}
        yield finding("fw.hero-points", message, fix, on=_with_heroes(army), figures=figures)


def hero_points_equipped(army: Army) -> Iterator[Finding]:
    """fw.hero-points: if only the heroes' equipment exceeds it, it is a query."""
    used, allowed = sum(model.points for model in army.models if model.hero), army.hero_points_allowed
    if army.hero_points <= allowed < used:
        message = f"Heroes for {counted(used, 'point')} with what they carry, {allowed} allowed: does that count?"
        yield finding("fw.hero-points", message, figures={"used": used, "allowed": allowed})


def vehicle_limit(army: Army) -> Iterator[Finding]:
    """fw.vehicle-limit: one vehicle for each whole 200 points of the size, one below 200."""
    used, allowed = len(army.vehicles), army.vehicles_allowed
    if used > allowed:
        message = f"{counted(used, 'vehicle')}, {allowed} allowed at {army.size}"
        fix = f"Take out {counted(used - allowed, 'vehicle')}."
        yield finding("fw.vehicle-limit", message, fix, figures={"used": used, "allowed": allowed, "size": army.size})


def pilot(army: Army) -> Iterator[Finding]:
    """fw.vehicle: an army with a vehicle has a hero with Piloting."""
    if army.vehicles and not army.skilled("Piloting"):
        message = f"{counted(len(army.vehicles), 'vehicle')} and no hero with Piloting"
        fix = "Give a hero the skill, or take the vehicle out."
        yield finding("fw.vehicle", message, fix, figures={"vehicles": len(army.vehicles), "pilots": 0})


def pilot_asked(army: Army) -> Iterator[Finding]:
    """fw.vehicle: more vehicles than pilots, and vehicles that need the opponent's consent, are queries."""
    vehicles, pilots = len(army.vehicles), army.skilled("Piloting")
    if 0 < pilots < vehicles:
        yield finding("fw.vehicle", f"{vehicles} vehicles, {counted(pilots, 'pilot')}: not all can drive at once")
    for drive in army.vehicles:
        if drive.entry and drive.entry.permission:
            yield finding("fw.vehicle", f"{drive.name} is brought only with the opponent's permission")


def mines(army: Army) -> Iterator[Finding]:
    """fw.mines: at most three mines for each hero with Traps."""
    allowed = army.mines_allowed
    if army.mines > allowed:
        message = f"{counted(army.mines, 'mine')}, {allowed} allowed"
        fix = f"Take out {counted(army.mines - allowed, 'mine')}, or give a hero Traps."
        yield finding("fw.mines", message, fix, figures={"used": army.mines, "allowed": allowed})


def mines_unpriced(army: Army) -> Iterator[Finding]:
    """fw.mines: mines without a printed cost are a query."""
    if army.mines and army.edition.mine_points is None:
        yield finding("fw.mines", f"{counted(army.mines, 'mine')}: these lists print no cost, so they count 0 points")


def restricted(army: Army) -> Iterator[Finding]:
    """fw.restricted: three grunts with another weapon for each with a restricted one; Paladins one, in their squad."""
    for used, others, bare, needed, whose in _restricted(army):
        if used * needed > others + bare:
            allowed = (others + bare) // needed
            message = f"{counted(used, 'restricted weapon')} on {whose}, {allowed} allowed with {others + bare} others"
            fix = f"Take off {used - allowed}, or arm more grunts otherwise."
            figures = {"used": used, "allowed": allowed, "others": others + bare}
            yield finding("fw.restricted", message, fix, figures=figures)


def restricted_asked(army: Army) -> Iterator[Finding]:
    """fw.restricted: a query if it depends on whether unarmed grunts count."""
    for used, others, bare, needed, whose in _restricted(army):
        if others < used * needed <= others + bare:
            message = f"{counted(used, 'restricted weapon')} on {whose} with {others} otherwise armed: "
            message += f"enough only if the {bare} unarmed count"
            yield finding("fw.restricted", message, figures={"used": used, "others": others, "unarmed": bare})


def _restricted(army: Army) -> Iterator[tuple[int, int, int, int, str]]:
    """For all grunts except Paladins, then for each squad's Paladins: restricted, other weapons, unarmed, ratio.

    Beastlords of that rank are grunts too, although they lead.
    """
    grunts = [model for model in army.models if model.rank == "grunt" and not _paladin(model)]
    yield (*_armed(grunts), OTHERS_FOR_ONE, "grunts")
    for squad in army.squads:
        paladins = [model for model in squad.led if _paladin(model)]
        if paladins:
            yield (*_armed(paladins), 1, f"the Paladins of {squad.label}")


def _paladin(model: Figures) -> bool:
    return model.troop is not None and model.troop.kind == "paladin"


def _armed(models: list[Figures]) -> tuple[int, int, int]:
    """The number of figures with a restricted weapon, with another one, and with none though they may have one."""
    used = sum(model.count for model in models if model.weapon and model.weapon.restricted)
    others = sum(model.count for model in models if model.weapon and model.armed and not model.weapon.restricted)
    bare = sum(model.count for model in models if model.may_be_armed and not model.armed)
    return used, others, bare
