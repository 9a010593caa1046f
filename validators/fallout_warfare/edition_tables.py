"""An edition as readable tables."""

from collections.abc import Iterator

from validators.contract import EditionInfo
from validators.editions import PriceList, PriceRow
from validators.fallout_warfare.edition import RANKS, STATISTICS, Edition, Item, Race, Troop, Vehicle, Weapon
from validators.names import counted


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    """All prices in an edition: the troops of each faction by rank, weapons, items, vehicles, levels."""
    edition: Edition = info.lists
    lists = [
        PriceList(
            faction,
            tuple(row for troop in edition.troops if troop.faction == faction for row in _troop_rows(troop)),
            "" if faction in edition.fielded else "No cost is printed: it cannot be paid for.",
        )
        for faction in edition.factions
    ]
    lists.append(PriceList("Weapons", tuple(PriceRow(w.name, str(w.points), _weapon(w)) for w in edition.weapons)))
    lists.append(PriceList("Items", tuple(PriceRow(i.name, str(i.points), _item(i)) for i in edition.items)))
    vehicles = (PriceRow(v.name, str(v.points or "none"), _vehicle(v, edition)) for v in edition.vehicles)
    lists.append(PriceList("Vehicles", tuple(vehicles)))
    levels = range(2, len(edition.level_xp) + 1)
    costs = (PriceRow(f"Level {n}", f"+{edition.level_points(n)}", (counted(n - 1, "skill point"),)) for n in levels)
    lists.append(PriceList("Levels of a hero", tuple(costs)))
    mine = "not printed" if edition.mine_points is None else str(edition.mine_points)
    lists.append(PriceList("Mines", (PriceRow("Mine, with its decoy", mine),)))
    areas = tuple(PriceRow(s.name, "", (f"area {s.area}, scatters {s.distance}",)) for s in edition.scatter)
    lists.append(PriceList("Area effects", areas, "By the army sheet's scatter table."))
    races = tuple(PriceRow(race.name, "", _race(race)) for race in edition.races)
    lists.append(PriceList("Races", races, "What the statistics of a race can be."))
    return tuple(one for one in lists if one.rows)


def _troop_rows(troop: Troop) -> Iterator[PriceRow]:
    for rank in RANKS:
        profile = troop.ranks.get(rank)
        if profile is None:
            continue
        statistics = ", ".join(f"{name} {value}" for name, value in zip(STATISTICS, profile.special, strict=True))
        skills = ", ".join(f"{name} ({how})" for name, how in troop.skills.get(rank, {}).items())
        arms = {"any": "", "none": "carries no weapon", "own": "fights with its own attacks"}[troop.weapons]
        name = troop.name if rank == "grunt" else f"{troop.name}, {rank}"
        notes = (f"{statistics}; HP {profile.hp}, AC {profile.ac}", skills, arms, *troop.special, *troop.attacks)
        cost = "not printed" if profile.points is None else str(profile.points)
        yield PriceRow(name, cost, tuple(filter(None, notes)))


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    marks = ("restricted",) * weapon.restricted + ("optional rule",) * weapon.optional + ("by the piece",) * weapon.each
    return (
        *marks,
        *(f"{m.type} ({weapon.roll}): range {m.range}, save {m.save}, damage {m.damage}" for m in weapon.modes),
    )


def _vehicle(vehicle: Vehicle, edition: Edition) -> tuple[str, ...]:
    savings = [saving for saving in edition.vehicle_savings if saving.vehicle == vehicle.name]
    notes = ["only with the opponent's permission"] * vehicle.permission
    notes += [f"{saving.points} less for {saving.faction}" for saving in savings]
    held = f"{counted(vehicle.passengers, 'passenger')}, damage threshold {vehicle.threshold}"
    notes += [f"move {vehicle.move}, turn {vehicle.turn}", f"{held}, hit points {vehicle.hit_points}"]
    if own := vehicle.weapon:
        mode = own.mode
        notes += [f"{own.name} ({own.roll}), {mode.type}: range {mode.range}, save {mode.save}, damage {mode.damage}"]
        notes += [own.use] if own.use else []
    return tuple(notes)


def _race(race: Race) -> tuple[str, ...]:
    rows = {"least": race.least, "average": race.average, "most": race.most}
    return tuple(
        f"{word}: {', '.join(f'{name} {value}' for name, value in zip(STATISTICS, row, strict=True))}"
        for word, row in rows.items()
    )


def _item(item: Item) -> tuple[str, ...]:
    needs = f"needs IN {item.intelligence}" if item.intelligence else ""
    return tuple(filter(None, (needs, item.faction and f"{item.faction} only", item.use)))
