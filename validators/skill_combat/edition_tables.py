"""An edition of skill combat as readable tables."""

from validators.contract import EditionInfo
from validators.editions import PriceList, PriceRow
from validators.sheet import copies
from validators.skill_combat.edition import Edition, Skill, Weapon


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    """Weapons, armour, items, skills and origins; only attributes have a cost."""
    edition: Edition = info.lists
    suits = (
        PriceRow(suit.name, "–", (f"AC {suit.ac}, DC {suit.dc}, JC {suit.jc}", f"resistance {suit.resistance} %"))
        for suit in edition.file.armour
    )
    lists = (
        PriceList("Weapons", tuple(PriceRow(w.name, "–", _weapon(w)) for w in edition.file.weapons), _FREE),
        PriceList("Armour", tuple(suits)),
        PriceList("Items", tuple(PriceRow(one, "–") for one in edition.file.items)),
        PriceList("Skills", tuple(PriceRow(one.name, "–", (_start(one),)) for one in edition.file.skills)),
        PriceList(
            "Attributes",
            (
                PriceRow("An attribute", f"{edition.file.attribute.least} to {edition.file.attribute.most}"),
                PriceRow("A character, advised", str(edition.file.points_a_character)),
            ),
        ),
        PriceList("Origins", tuple(PriceRow(one, "–") for one in edition.file.origins)),
    )
    return tuple(one for one in lists if one.rows)


_FREE = "A weapon costs nothing; a character counts its attributes."


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    bonus = f" + {weapon.extra}" if weapon.extra else ""
    shot = (
        f"{weapon.bullets} bullets of {weapon.damage}" if weapon.mode == "burst" else f"damage {weapon.damage}{bonus}"
    )
    costs = f"{weapon.ap} AP, {weapon.aim_ap} more to aim" if weapon.ap else "AP not printed"
    return (
        f"{weapon.skill}, {weapon.mode}",
        f"range {weapon.range} hexes, volatility {weapon.volatility} %",
        f"{shot}, a critical adds {weapon.stat}",
        costs,
    )


def _start(skill: Skill) -> str:
    parts = [copies(times, name) for name, times in skill.of.items()]
    return f"starts at {' + '.join(parts)}" if parts else "no start is printed: it brings its value"
