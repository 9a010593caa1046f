"""Quick and aimed shots: the chance to hit, what a roll does, damage and criticals. Document 002, from Hitting on.

Everything is whole numbers and per cent of a d100, where low rolls are good.
"""

from dataclasses import dataclass, replace
from typing import Literal

from validators.skill_combat.edition import Part
from validators.skill_combat.figures import Sum

Kind = Literal["critical", "hit", "scratch", "miss", "fumble"]
"""What a roll is; "fumble" is the critical failure."""
BAND = 15
"""Width of a band of damage, in points between the chance and the roll."""
CRITICAL_APTITUDE = 16
"""A critical counts as having at least this aptitude."""


@dataclass(frozen=True)
class Shot:
    """A shot: its chance, the shooter's Luck, the weapon's damage, and what a critical and the aim add."""

    chance: int
    luck: int
    base: int
    extra: int
    stat: int
    aimed: int = 0
    """Damage that the part aimed at adds or takes away."""
    resistance: int = 0
    """Per cent of damage that the armour takes off where it covers."""
    covered: bool = False
    """Whether the armour covers the part aimed at; a shot without aim hits a covered spot unless it is a critical."""
    is_aimed: bool = False
    scratches: bool = True
    """Whether the optional scratches are played."""


@dataclass(frozen=True)
class Outcome:
    """What a roll does: ``aptitude`` is the chance less the roll."""

    kind: Kind
    aptitude: int
    damage: int
    how: str


def reach(weapon_range: int, perception: int) -> Sum:
    """Hexes that a weapon reaches without a penalty: its range and half of PE, rounded down. Not for melee weapons."""
    return Sum(weapon_range + perception // 2, f"{weapon_range} + {perception // 2} (PE / 2)")


def aim(part: Part | None, region: Part | None) -> tuple[int, int]:
    """What aiming takes off the chance, and adds to the damage: those of the region and of its part added."""
    known = [one for one in (region, part) if one is not None]
    return sum(one.aim for one in known), sum(one.damage for one in known)


def chance(skill: int, reach_: int, distance: int, volatility: int, armour_class: int, aimed: int = 0) -> Sum:
    """The number to roll at or below: the skill, the range, less the target's AC and the aim's penalty."""
    hexes = reach_ - distance
    value = skill + hexes * volatility - armour_class - aimed
    how = (
        f"{skill} (skill) {_signed(hexes * volatility)} (({reach_} − {distance}) × {volatility}) − {armour_class} (AC)"
    )
    return Sum(value, how + (f" − {aimed} (aim)" if aimed else ""))


def band(aptitude: int) -> int | None:
    """How often the extra damage is added; −1 for a graze, −3 for a scratch, None below that."""
    if aptitude < -BAND:
        return None
    if aptitude < 0:
        return -3
    return max(-1, (aptitude - 1) // BAND - 1)


def outcome(shot: Shot, roll: int) -> Outcome:
    """What one roll of 1 to 100 does."""
    aptitude = shot.chance - roll
    if roll <= shot.luck:
        return struck(shot, aptitude, "critical")
    if roll >= 89 + shot.luck:
        return Outcome("fumble", aptitude, 0, f"a roll of {89 + shot.luck} or more is a critical failure")
    if aptitude >= 0:
        return struck(shot, aptitude, "hit")
    if shot.scratches and band(aptitude) is not None:
        return struck(shot, aptitude, "scratch")
    return Outcome("miss", aptitude, 0, f"{shot.chance} − {roll} = {aptitude}")


def struck(shot: Shot, aptitude: int, kind: Kind, *, times: int = 1) -> Outcome:
    """The damage of a shot that hits with this aptitude; a critical adds its attribute so many ``times``."""
    counted = max(aptitude, CRITICAL_APTITUDE) if kind == "critical" else aptitude
    steps = band(counted)
    extra = (steps or 0) * shot.extra
    parts = [(shot.base, "base"), (extra, "extra damage")]
    if kind == "critical":
        parts.append((shot.stat * times, "double critical" if times > 1 else "critical"))
    parts.append((shot.aimed, "part"))
    added = sum(value for value, _ in parts)
    total = max(0, added)
    how = f"{shot.base} (base)" + "".join(f" {_signed(value)} ({what})" for value, what in parts[1:] if value)
    how += ", at least 0" if added < 0 else ""
    resists = shot.covered if shot.is_aimed else kind != "critical"
    if resists and shot.resistance and total:
        left = total * (100 - shot.resistance) // 100
        how, total = f"({how}) less {shot.resistance} %, rounded down", left
    return Outcome(kind, aptitude, total, how)


def doubled(shot: Shot, roll: int, luck_roll: int, second: int | None) -> Outcome:
    """A critical with a try for a double critical: a d10 against Luck, then the skill again with the same modifiers.

    Failing the Luck makes the first roll an ordinary attack. A second critical doubles the bonus, a second hit leaves
    the critical, a second miss leaves an ordinary hit, a second critical failure misses.
    """
    first = outcome(shot, roll)
    if first.kind != "critical":
        return first
    if luck_roll > shot.luck:
        plain = outcome(replace(shot, luck=0), roll)
        return Outcome(plain.kind, plain.aptitude, plain.damage, f"{plain.how}; the Luck check failed")
    if second is None:
        return first
    again = outcome(shot, second).kind
    if again == "critical":
        return struck(shot, first.aptitude, "critical", times=2)
    if again == "hit":
        return first
    if again == "fumble":
        return Outcome("miss", first.aptitude, 0, "the second roll is a critical failure")
    return struck(shot, max(0, first.aptitude), "hit")


def odds(shot: Shot) -> dict[Kind, int]:
    """Of the hundred rolls, how many are of each kind."""
    counts: dict[Kind, int] = {"critical": 0, "hit": 0, "scratch": 0, "miss": 0, "fumble": 0}
    for roll in range(1, 101):
        counts[outcome(shot, roll).kind] += 1
    return counts


def expected(shot: Shot) -> Sum:
    """The damage of a hundred shots with every roll once, without tries for double criticals."""
    by_damage: dict[int, int] = {}
    for roll in range(1, 101):
        damage = outcome(shot, roll).damage
        by_damage[damage] = by_damage.get(damage, 0) + 1
    told = " + ".join(f"{times} × {damage}" for damage, times in sorted(by_damage.items()) if damage) or "0"
    return Sum(sum(damage * times for damage, times in by_damage.items()), told)


def _signed(value: int) -> str:
    return f"+ {value}" if value >= 0 else f"− {-value}"
