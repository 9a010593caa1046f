"""What a battle does to a group: who died, retreated or was damaged, and what heroes learn from it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from validators.calculator import Asked
from validators.campaign import Answered, Applied, Line, Offer, Played, StepRefused, World, one_of
from validators.fallout_warfare.campaign.state import POINTS, Group, Unit

FATES: Mapping[str, str] = {"held": "Held", "retreated": "Retreated", "lost": "Died"}
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


def loss_offers(world: World, group: int) -> Iterator[Offer]:
    """A form for each squad and vehicle that fought; who held needs none."""
    state: Group = world.groups[group]
    for body, units in fielded(state).items():
        may_retreat = world.played[group].scenario not in NO_RETREAT
        asks = tuple(ask for unit in units for ask in _asks(unit, may_retreat))
        yield Offer("losses", state.body_title(body), "Record", "", asks, {"body": body})


def _asks(unit: Unit, may_retreat: bool) -> list[Asked]:
    if unit.kind == "mines":
        return [Asked(f"lost-{unit.key}", f"Mines used, of {unit.fielded}", most=unit.fielded, default=0)]
    if unit.kind == "troops" and unit.fielded > 1:
        asks = [Asked(f"lost-{unit.key}", f"{unit.label}: lost of {unit.fielded}", most=unit.fielded, default=0)]
        if may_retreat:
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


def record(world: World, group: int, data: Answered) -> Applied:
    """What a squad or vehicle lost in the battle."""
    state: Group = world.groups[group]
    body, stays = str(data["body"]), world.settings["retreat"] == "0"
    lines: list[Line] = []
    says: list[str] = []
    for unit in fielded(state)[body]:
        after, lost, away = _fared(unit, data)
        if lost:
            gone = _gone(unit, world.played[group].round) if lost == unit.alive else ""
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


def _gone(unit: Unit, battle: int) -> str:
    what = {"vehicle": "destroyed", "mines": "used", "hero": "died", "troops": "lost"}[unit.kind]
    return f"{unit.label} {what} in round {battle}"


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


def close(world: World, group: int) -> Applied:
    """The heroes who fought and live get their experience."""
    state: Group = world.groups[group]
    result = world.played[group].result
    says: list[str] = []
    for unit in state.heroes():
        if unit.fielded:
            retreated = f"retreated-{unit.key}" in state.used
            xp = WIN if result == "win" else EVEN if result == "draw" or retreated else 0
            grown, said = learned(world, unit, xp)
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
