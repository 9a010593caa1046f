"""An edition of skill combat as tables to read: all its lists, and what it has otherwise than another."""

from validators.contract import EditionInfo
from validators.edition_file import differences
from validators.editions import EditionDifference, PriceList, PriceRow
from validators.skill_combat.edition import Edition, Skill, Weapon


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    """Weapons, armour, items, skills and origins; only attributes have a cost."""
    edition: Edition = info.lists
    lists = (
        PriceList("Weapons", tuple(PriceRow(w.name, "–", _weapon(w)) for w in edition.weapons), _FREE),
        PriceList(
            "Armour",
            tuple(
                PriceRow(one.name, "–", (f"AC {one.ac}, DC {one.dc}, JC {one.jc}", f"resistance {one.resistance} %"))
                for one in edition.armour
            ),
        ),
        PriceList("Items", tuple(PriceRow(one, "–") for one in edition.items)),
        PriceList("Skills", tuple(PriceRow(one.name, "–", (_start(one),)) for one in edition.skills)),
        PriceList(
            "Attributes",
            (
                PriceRow("An attribute", f"{edition.least} to {edition.most}"),
                PriceRow("A character, advised", str(edition.points_a_character)),
            ),
        ),
        PriceList("Origins", tuple(PriceRow(one, "–") for one in edition.origins)),
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
    parts = [f"{times} × {name}" if times > 1 else name for name, times in skill.of]
    return f"starts at {' + '.join(parts)}" if parts else "no start is printed: it brings its value"


def compare(before: EditionInfo, after: EditionInfo) -> EditionDifference:
    """What ``after`` has otherwise than ``before``, thing by thing."""
    return differences(price_lists(before), price_lists(after))
