"""The burst of document 002: the roll is turned round, and a share of the bullets reaches each target in turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from validators.skill_combat.attack import Kind
from validators.skill_combat.figures import Sum

WILD = 25
"""AC that every target has more when the roll for the burst fails."""


@dataclass(frozen=True)
class Burst:
    """A burst: the shooter's skill, Luck and reach in hexes, the weapon, and what a critical adds to each target."""

    skill: int
    luck: int
    reach: int
    bullets: int
    damage: int
    stat: int


@dataclass(frozen=True)
class Target:
    """Who stands in the cone: the distance in hexes and the AC, 0 for what has none."""

    distance: int
    armour_class: int


@dataclass(frozen=True)
class Struck:
    """What a burst does to one target: the share of what is left that hits, in per cent, and the bullets."""

    target: Target
    share: int
    hits: int
    damage: int
    left: int
    how: str


def kind_of(burst: Burst, roll: int) -> Kind:
    """What the turned roll is: the top LK numbers are criticals, from 100 − skill on it is a hit."""
    if roll > 100 - burst.luck:
        return "critical"
    if roll <= 12 - burst.luck:
        return "fumble"
    return "hit" if roll >= 100 - burst.skill else "miss"


def on_target(burst: Burst, roll: int) -> Sum:
    """Bullets aimed well, in per cent: the roll, a quarter of the skill rounded down, and Luck; at most all."""
    quarter = burst.skill // 4
    value = roll + quarter + burst.luck
    how = f"{roll} (roll) + {quarter} (skill / 4) + {burst.luck} (LK)"
    return Sum(min(100, value), how + (f" = {value}, at most 100" if value > 100 else ""))


def spray(burst: Burst, roll: int, targets: Sequence[Target], kind: Kind, *, times: int = 1) -> tuple[Struck, ...]:
    """What each target takes, nearest first; nobody beyond the reach is hit, nobody at all by a critical failure."""
    share, left = on_target(burst, roll).value, burst.bullets
    wild = WILD if kind == "miss" else 0
    struck = []
    for target in sorted(targets, key=lambda one: one.distance):
        part = max(0, share - target.armour_class - wild)
        hits = -(-left * part // 100) if kind != "fumble" and target.distance <= burst.reach else 0
        less = f"{share} − {target.armour_class} (AC){f' − {wild} (missed roll)' if wild else ''}"
        floor = " at least 0:" if share < target.armour_class + wild else ""
        how = f"{less},{floor} {part} % of {left}, rounded up" if floor else f"{less} = {part} % of {left}, rounded up"
        if kind == "fumble":
            how = "a critical failure hits nobody"
        elif target.distance > burst.reach:
            how = f"beyond {burst.reach} hexes"
        damage = hits * burst.damage
        if kind == "critical" and hits:
            damage += burst.stat * times
        left -= hits
        struck.append(Struck(target, part, hits, damage, left, how))
    return tuple(struck)


def doubled(burst: Burst, roll: int, luck_roll: int, second: int | None) -> tuple[Kind, int, int]:
    """A burst's critical with a try for a double: what it becomes, how often the bonus counts, the roll that counts.

    The second roll decides how many bullets are aimed well.
    """
    kind = kind_of(burst, roll)
    if kind != "critical":
        return kind, 1, roll
    if luck_roll > burst.luck:
        return "hit", 1, roll
    if second is None:
        return kind, 1, roll
    again = kind_of(burst, second)
    turned: dict[Kind, tuple[Kind, int]] = {
        "critical": ("critical", 2), "hit": ("critical", 1), "miss": ("hit", 1), "fumble": ("fumble", 1)
    }  # fmt: skip
    return *turned[again], second
