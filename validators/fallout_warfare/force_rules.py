"""The rules for the army and its squads: each function yields the findings under one id.

A finding without a fix is a query.
"""

from collections.abc import Iterator
from math import ceil

from languages.words import gettext, listed, ngettext
from validators.contract import Finding
from validators.fallout_warfare.force import Army, Squad
from validators.kit.checks import finding, query, undefined


def role(army: Army) -> Iterator[Finding]:
    """fw.role: the fielded part costs at most the role's points, and has nothing that the role may not field."""
    plays = army.terms.role
    if plays is None:
        return
    over = army.total - plays.size
    if over > 0:
        message = ngettext(
            "%(num)s point, %(over)s over the %(size)s of the %(plays)s",
            "%(num)s points, %(over)s over the %(size)s of the %(plays)s",
            army.total,
            over=over,
            size=plays.size,
            plays=plays.name,
        )
        fix = ngettext("Leave out at least %(num)s point.", "Leave out at least %(num)s points.", over)
        yield finding("fw.role", message, fix, figures={"total": army.total, "size": plays.size, "over": over})
    for drive in army.vehicles:
        if drive.entry and drive.entry.name in plays.banned:
            names = {"plays": plays.name, "drive": drive.name}
            message = gettext("The scenario gives the %(plays)s the only %(drive)s that they may have", **names)
            yield finding(
                "fw.role",
                message,
                gettext("Leave out the %(drive)s.", **names),
                figures={"vehicle": drive.name},
            )


def faction(army: Army) -> Iterator[Finding]:
    """fw.faction: three quarters of the army's cost are of its own faction.

    A faction that the lists do not define is a query; three quarters are then of any one faction. With allies, own
    figures for less than three quarters of the size itself are a query. Vehicles and mines are of no faction.
    """
    fielded, foreign = army.edition.fielded, army.foreign_points
    if not army.edition.by_name.factions.find(army.faction_name):
        yield undefined("fw.faction", gettext("faction"), army.faction_name, fielded)
    elif army.faction not in fielded:
        message = gettext(
            "No army of %(faction_name)s can be built from these lists: no cost is printed",
            faction_name=army.faction_name,
        )
        yield finding("fw.faction", message, gettext("Choose %(fielded)s.", fielded=listed(fielded, style="or")))
    if 4 * foreign > army.total:
        message = ngettext(
            "%(num)s point of other factions, a quarter of %(total)s at most",
            "%(num)s points of other factions, a quarter of %(total)s at most",
            foreign,
            total=army.total,
        )
        fix = gettext("Take out figures that are not of %(faction)s.", faction=army.faction)
        on = [s for s in army.squads if any(m.troop and m.troop.faction != army.faction for m in s.models)]
        yield finding("fw.faction", message, fix, on=on, figures={"foreign": foreign, "total": army.total})
    own = army.spent_on(army.faction)
    if 0 < 4 * foreign <= army.total and 4 * own < 3 * army.size:
        message = ngettext(
            "%(own)s points of figures of %(faction)s with allies, three quarters of %(size)s would be %(num)s point",
            "%(own)s points of figures of %(faction)s with allies, three quarters of %(size)s would be %(num)s points",
            ceil(3 * army.size / 4),
            own=own,
            faction=army.faction,
            size=army.size,
        )
        yield query("fw.faction", message, figures={"own": own, "size": army.size})


def heroes(army: Army) -> Iterator[Finding]:
    """fw.heroes: at most one hero for every two squads, rounded up."""
    used, allowed = army.hero_count, army.heroes_allowed
    if used > allowed:
        message = ngettext(
            "%(num)s hero with %(squad_count)s, %(allowed)s allowed",
            "%(num)s heroes with %(squad_count)s, %(allowed)s allowed",
            used,
            squad_count=ngettext("%(num)s squad", "%(num)s squads", army.squad_count),
            allowed=allowed,
        )
        fix = ngettext(
            "Take out %(num)s hero, or add squads.", "Take out %(num)s heroes, or add squads.", used - allowed
        )
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
        message = ngettext(
            "Heroes for %(num)s point, %(allowed)s allowed at %(size)s",
            "Heroes for %(num)s points, %(allowed)s allowed at %(size)s",
            used,
            allowed=allowed,
            size=army.size,
        )
        fix = ngettext("Save %(num)s point on heroes.", "Save %(num)s points on heroes.", used - allowed)
        figures = {"used": used, "allowed": allowed, "size": army.size}
        yield finding("fw.hero-points", message, fix, on=_with_heroes(army), figures=figures)
    elif equipped > allowed:
        message = ngettext(
            "Heroes for %(num)s point with what they carry, %(allowed)s allowed: does that count?",
            "Heroes for %(num)s points with what they carry, %(allowed)s allowed: does that count?",
            equipped,
            allowed=allowed,
        )
        yield query("fw.hero-points", message, figures={"used": equipped, "allowed": allowed})


def vehicle_limit(army: Army) -> Iterator[Finding]:
    """fw.vehicle-limit: one vehicle for each whole 200 points of the size, one below 200."""
    used, allowed = len(army.vehicles), army.vehicles_allowed
    if used > allowed:
        message = ngettext(
            "%(num)s vehicle, %(allowed)s allowed at %(size)s",
            "%(num)s vehicles, %(allowed)s allowed at %(size)s",
            used,
            allowed=allowed,
            size=army.size,
        )
        fix = ngettext("Take out %(num)s vehicle.", "Take out %(num)s vehicles.", used - allowed)
        yield finding("fw.vehicle-limit", message, fix, figures={"used": used, "allowed": allowed, "size": army.size})


def pilot(army: Army) -> Iterator[Finding]:
    """fw.vehicle: an army with a vehicle has a hero with Piloting.

    More vehicles than pilots, and vehicles that need the opponent's consent, are queries.
    """
    vehicles, pilots = len(army.vehicles), army.skilled("Piloting")
    if vehicles and not pilots:
        message = ngettext(
            "%(num)s vehicle and no hero with Piloting", "%(num)s vehicles and no hero with Piloting", vehicles
        )
        fix = gettext("Give a hero the skill, or take the vehicle out.")
        yield finding("fw.vehicle", message, fix, figures={"vehicles": vehicles, "pilots": 0})
    elif pilots < vehicles:
        yield query(
            "fw.vehicle",
            ngettext(
                "%(vehicles)s vehicles, %(num)s pilot: not all can drive at once",
                "%(vehicles)s vehicles, %(num)s pilots: not all can drive at once",
                pilots,
                vehicles=vehicles,
            ),
        )
    for drive in army.vehicles:
        if drive.entry and drive.entry.permission:
            yield query(
                "fw.vehicle", gettext("%(drive)s is brought only with the opponent's permission", drive=drive.name)
            )


def mines(army: Army) -> Iterator[Finding]:
    """fw.mines: at most three mines for each hero with Traps; mines without a printed cost are a query."""
    allowed = army.mines_allowed
    if army.mines > allowed:
        message = ngettext(
            "%(num)s mine, %(allowed)s allowed", "%(num)s mines, %(allowed)s allowed", army.mines, allowed=allowed
        )
        fix = ngettext(
            "Take out %(num)s mine, or give a hero Traps.",
            "Take out %(num)s mines, or give a hero Traps.",
            army.mines - allowed,
        )
        yield finding("fw.mines", message, fix, figures={"used": army.mines, "allowed": allowed})
    if army.mines and army.edition.mine_points is None:
        yield query(
            "fw.mines",
            ngettext(
                "%(num)s mine: these lists print no cost, so they count 0 points",
                "%(num)s mines: these lists print no cost, so they count 0 points",
                army.mines,
            ),
        )
