"""The rules for the army and its squads: each function yields the findings under one id.

A finding without a fix is a query.
"""

from collections.abc import Iterator
from math import ceil

from validators.contract import Finding
from validators.fallout_warfare.force import Army, Figures, Squad
from validators.kit.checks import finding, query, undefined
from validators.names import counted, listed

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
    """fw.faction: three quarters of the army's cost are of its own faction.

    A faction that the lists do not define is a query; three quarters are then of any one faction. With allies, own
    figures for less than three quarters of the size itself are a query. Vehicles and mines are of no faction.
    """
    fielded, foreign = army.edition.fielded, army.foreign_points
    if not army.edition.by_name.factions.find(army.faction_name):
        yield undefined("fw.faction", "faction", army.faction_name, fielded)
    elif army.faction not in fielded:
        message = f"No army of {army.faction_name} can be built from these lists: no cost is printed"
        yield finding("fw.faction", message, f"Choose {listed(fielded, 'or')}.")
    if 4 * foreign > army.total:
        message = f"{counted(foreign, 'point')} of other factions, a quarter of {army.total} at most"
        fix = f"Take out figures that are not of {army.faction}."
        on = [s for s in army.squads if any(m.troop and m.troop.faction != army.faction for m in s.models)]
        yield finding("fw.faction", message, fix, on=on, figures={"foreign": foreign, "total": army.total})
    own = army.spent_on(army.faction)
    if 0 < 4 * foreign <= army.total and 4 * own < 3 * army.size:
        quarters = f"three quarters of {army.size} would be {counted(ceil(3 * army.size / 4), 'point')}"
        message = f"{own} points of figures of {army.faction} with allies, {quarters}"
        yield query("fw.faction", message, figures={"own": own, "size": army.size})


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
    """fw.hero-points: heroes and their levels cost at most a quarter of the size.

    If only their equipment exceeds it, it is a query.
    """
    used, allowed = army.hero_points, army.hero_points_allowed
    equipped = sum(model.points for model in army.models if model.hero)
    if used > allowed:
        message = f"Heroes for {counted(used, 'point')}, {allowed} allowed at {army.size}"
        fix = f"Save {counted(used - allowed, 'point')} on heroes."
        figures = {"used": used, "allowed": allowed, "size": army.size}
        yield finding("fw.hero-points", message, fix, on=_with_heroes(army), figures=figures)
    elif equipped > allowed:
        message = f"Heroes for {counted(equipped, 'point')} with what they carry, {allowed} allowed: does that count?"
        yield query("fw.hero-points", message, figures={"used": equipped, "allowed": allowed})


def vehicle_limit(army: Army) -> Iterator[Finding]:
    """fw.vehicle-limit: one vehicle for each whole 200 points of the size, one below 200."""
    used, allowed = len(army.vehicles), army.vehicles_allowed
    if used > allowed:
        message = f"{counted(used, 'vehicle')}, {allowed} allowed at {army.size}"
        fix = f"Take out {counted(used - allowed, 'vehicle')}."
        yield finding("fw.vehicle-limit", message, fix, figures={"used": used, "allowed": allowed, "size": army.size})


def pilot(army: Army) -> Iterator[Finding]:
    """fw.vehicle: an army with a vehicle has a hero with Piloting.

    More vehicles than pilots, and vehicles that need the opponent's consent, are queries.
    """
    vehicles, pilots = len(army.vehicles), army.skilled("Piloting")
    if vehicles and not pilots:
        message = f"{counted(vehicles, 'vehicle')} and no hero with Piloting"
        fix = "Give a hero the skill, or take the vehicle out."
        yield finding("fw.vehicle", message, fix, figures={"vehicles": vehicles, "pilots": 0})
    elif pilots < vehicles:
        yield query("fw.vehicle", f"{vehicles} vehicles, {counted(pilots, 'pilot')}: not all can drive at once")
    for drive in army.vehicles:
        if drive.entry and drive.entry.permission:
            yield query("fw.vehicle", f"{drive.name} is brought only with the opponent's permission")


def mines(army: Army) -> Iterator[Finding]:
    """fw.mines: at most three mines for each hero with Traps; mines without a printed cost are a query."""
    allowed = army.mines_allowed
    if army.mines > allowed:
        message = f"{counted(army.mines, 'mine')}, {allowed} allowed"
        fix = f"Take out {counted(army.mines - allowed, 'mine')}, or give a hero Traps."
        yield finding("fw.mines", message, fix, figures={"used": army.mines, "allowed": allowed})
    if army.mines and army.edition.mine_points is None:
        yield query("fw.mines", f"{counted(army.mines, 'mine')}: these lists print no cost, so they count 0 points")


def restricted(army: Army) -> Iterator[Finding]:
    """fw.restricted: three grunts with another weapon for each with a restricted one; Paladins one, in their squad.

    If it depends on whether unarmed grunts count, it is a query.
    """
    for used, others, bare, needed, whose in _restricted(army):
        if used * needed > others + bare:
            allowed = (others + bare) // needed
            message = f"{counted(used, 'restricted weapon')} on {whose}, {allowed} allowed with {others + bare} others"
            fix = f"Take off {used - allowed}, or arm more grunts otherwise."
            figures = {"used": used, "allowed": allowed, "others": others + bare}
            yield finding("fw.restricted", message, fix, figures=figures)
        elif used * needed > others:
            message = f"{counted(used, 'restricted weapon')} on {whose} with {others} otherwise armed: "
            message += f"enough only if the {bare} unarmed count"
            yield query("fw.restricted", message, figures={"used": used, "others": others, "unarmed": bare})


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


FEWEST, MOST = 3, 20
"""The least and the most figures in a squad; by this reading, only those that are led count."""


def leader(army: Army) -> Iterator[Finding]:
    """fw.leader: exactly one hero or squadleader leads a squad; a hero may stand alone, a squadleader may not.

    A squad needs no leader if the lists of its factions have none.
    """
    for squad in army.squads:
        if not squad.models:
            yield finding("fw.leader", f"{squad.title} is empty", "Add figures, or take the squad out.", on=[squad])
        elif squad.leader_count == 0:
            if not any(model.troop is None or army.edition.can_lead(model.troop.faction) for model in squad.models):
                continue
            fix = "Add a Beastlord." if any(m.beast for m in squad.models) else "Add a squadleader or a hero."
            message = f"{squad.title} has no leader, 1 needed"
            yield finding("fw.leader", message, fix, on=[squad], figures={"leaders": 0})
        elif squad.leader_count > 1:
            message = f"{squad.title} has {squad.leader_count} leaders, 1 allowed"
            fix = "Leave one leader, and give the others squads of their own."
            yield finding("fw.leader", message, fix, on=[squad], figures={"leaders": squad.leader_count})
        elif squad.led_count == 0 and not squad.lone_hero and not squad.of_beasts:
            yield finding("fw.leader", f"{squad.title} is a squadleader alone", "Add grunts to lead.", on=[squad])


def squad_size(army: Army) -> Iterator[Finding]:
    """fw.squad: a squad has 3 to 20 figures, with or without its leader; Beastlords' squads are checked separately.

    If it depends on whether the leader counts, it is a query. An army has at least one squad.
    """
    if not army.squads:
        yield finding("fw.squad", "No squad, 1 needed", "Add a squad.", figures={"squads": 0})
    for squad in army.squads:
        led = squad.led_count
        if not squad.led or squad.of_beasts or any(model.beast for model in squad.led):
            continue
        if led + min(1, squad.leader_count) < FEWEST or led > MOST:
            message = f"{squad.title} has {counted(led, 'grunt')}, {FEWEST} to {MOST} allowed"
            fix = f"Add at least {FEWEST - led}." if led < FEWEST else f"Take out {led - MOST}."
            yield finding("fw.squad", message, fix, on=[squad], figures={"led": led, "least": FEWEST, "most": MOST})
        elif led == FEWEST - 1 and squad.leader_count:
            yield query("fw.squad", f"{squad.title} is 3 figures only if its leader counts", on=[squad])
        elif led == MOST and squad.leader_count:
            yield query("fw.squad", f"{squad.title} is 20 figures only if its leader does not count", on=[squad])


def mixed(army: Army) -> Iterator[Finding]:
    """fw.mixed: the grunts of a squad are of one kind, except beasts; a squadleader of another kind is a query."""
    for squad in army.squads:
        leader, beasts = squad.leader, [model.beast for model in squad.led]
        kinds = list(dict.fromkeys(model.name for model in squad.led if model.troop))
        if squad.of_beasts or all(beasts):
            continue
        if len(kinds) > 1:
            message = f"{squad.title} mixes {' and '.join(kinds)}"
            yield finding("fw.mixed", message, "Make a squad of each kind.", on=[squad])
        elif kinds and leader and leader.troop and not leader.hero and leader.name not in kinds and not any(beasts):
            yield query("fw.mixed", f"{squad.title}: {leader.label} leads {kinds[0]} grunts", on=[squad])


def beasts(army: Army) -> Iterator[Finding]:
    """fw.beasts: one Beastlord leads only beasts, at most as many as its Charisma; no other figure leads beasts.

    A squad that is full only without its Beastlord, and a Beastlord alone who is no hero, are queries.
    """
    for squad in army.squads:
        beasts = [model.beast for model in squad.led if model.troop]
        if not squad.of_beasts:
            if squad.leader_count and any(beasts):
                message = f"{squad.title} has beasts and no Beastlord"
                yield finding("fw.beasts", message, "Let a Beastlord lead them.", on=[squad])
            continue
        if not all(beasts):
            message = f"{squad.title}: a Beastlord leads beasts only"
            yield finding("fw.beasts", message, "Take the others out.", on=[squad])
        lord = squad.leader
        charisma = lord.profile.statistic("CH") if lord and lord.beastlord and lord.profile else None
        if charisma is not None and squad.led_count > charisma:
            message = f"{squad.title} has {counted(squad.led_count, 'beast')}, the Beastlord's CH allows {charisma}"
            fix = f"Take out {squad.led_count - charisma}."
            yield finding("fw.beasts", message, fix, on=[squad], figures={"used": squad.led_count, "allowed": charisma})
        elif squad.led_count == charisma:
            yield query("fw.beasts", f"{squad.title} is within CH only if the Beastlord does not count", on=[squad])
        if not squad.led and lord and not lord.hero:
            yield query("fw.beasts", f"{squad.title} is a Beastlord without beasts, and no hero", on=[squad])


def alpha(army: Army) -> Iterator[Finding]:
    """fw.alpha: at most one Alpha Wolf in a squad, with an ordinary Wolf."""
    for squad in army.squads:
        alphas = sum(m.count for m in squad.models if m.troop and m.troop.kind == "alpha")
        wolves = sum(m.count for m in squad.models if m.troop and m.troop.kind == "wolf")
        if alphas > 1:
            message = f"{squad.title} has {alphas} Alpha Wolves, 1 allowed"
            yield finding("fw.alpha", message, "Leave one.", on=[squad], figures={"used": alphas, "allowed": 1})
        if alphas and not wolves:
            yield finding("fw.alpha", f"{squad.title} has an Alpha Wolf and no other Wolf", "Add a Wolf.", on=[squad])
