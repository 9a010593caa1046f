"""Quick and aimed shots: the chance to hit, the effect of a roll, damage and criticals. Document 002, from Hitting on.

All figures are whole numbers and per cent of a d100, where low rolls are good.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from languages.words import N_, gettext, signed
from validators.calculator import Calculated, Figure, Given, numbers
from validators.sheet import Column, Table
from validators.skill_combat.edition import PARTS, BodyPart
from validators.skill_combat.figures import BY_PLACE, Sum, cripples

Kind = Literal["critical", "hit", "scratch", "miss", "fumble"]
"""The kind of a roll; "fumble" is the critical failure."""
BAND = 15
"""The width of a band of damage, in points between the chance and the roll."""
CRITICAL_APTITUDE = 16
"""The least aptitude that a critical counts as."""


@dataclass(frozen=True)
class Shot:
    """A shot: its chance, the shooter's Luck, the weapon's damage, and the effects of a critical and of aiming."""

    chance: int
    luck: int
    base: int
    extra: int
    stat: int
    aimed: int = 0
    """The damage that the aimed part adds or removes."""
    resistance: int = 0
    """The per cent of damage that the armour absorbs where it covers."""
    covered: bool = False
    """Whether the armour covers the aimed part. A shot without aim hits a covered spot, unless it is a critical."""
    is_aimed: bool = False
    scratches: bool = True
    """Whether the optional rule for scratches is used."""


@dataclass(frozen=True)
class Outcome:
    """The effect of a roll: ``aptitude`` is the chance minus the roll."""

    kind: Kind
    aptitude: int
    damage: int
    how: str


def reach(weapon_range: int, perception: int) -> Sum:
    """The hexes that a weapon reaches without a penalty: its range plus half of PE, rounded down.

    Not for melee weapons.
    """
    return Sum(weapon_range + perception // 2, f"{weapon_range} + {perception // 2} (PE / 2)")


def aim(part: BodyPart | None) -> tuple[int, int]:
    """The penalty of aiming on the chance, and its extra damage: the sums of the part's and its region's."""
    known = [each for each in (part, PARTS.get(part.region)) if each] if part else []
    return sum(each.aim for each in known), sum(each.damage for each in known)


def chance(skill: int, reach_: int, distance: int, volatility: int, armour_class: int, aimed: int = 0) -> Sum:
    """The number to roll at or below: the skill and the range, minus the target's AC and the aim's penalty."""
    hexes = reach_ - distance
    value = skill + hexes * volatility - armour_class - aimed
    how = gettext(
        "%(skill)s (skill) %(range)s (%(hexes)s) − %(ac)s (AC)",
        skill=skill, range=_signed(hexes * volatility), hexes=f"({reach_} − {distance}) × {volatility}",
        ac=armour_class,
    )  # fmt: skip
    return Sum(value, gettext("%(sum)s − %(n)s (aim)", sum=how, n=aimed) if aimed else how)


def at_least(chance_: Sum, luck: int) -> Sum:
    """The chance of a hit: a roll of Luck or less is a critical, also where the shot would miss."""
    if chance_.value >= luck:
        return chance_
    return Sum(luck, gettext("%(sum)s, at least %(n)s (LK)", sum=chance_.how, n=luck))


def band(aptitude: int) -> int | None:
    """How often the extra damage is added; −1 for a graze, −3 for a scratch, None below that."""
    if aptitude < -BAND:
        return None
    if aptitude < 0:
        return -3
    return max(-1, (aptitude - 1) // BAND - 1)


def outcome(shot: Shot, roll: int) -> Outcome:
    """The effect of one roll of 1 to 100."""
    aptitude = shot.chance - roll
    if roll <= shot.luck:
        return struck(shot, aptitude, "critical")
    if roll >= 89 + shot.luck:
        how = gettext("a roll of %(n)s or more is a critical failure", n=89 + shot.luck)
        return Outcome("fumble", aptitude, 0, how)
    if aptitude >= 0:
        return struck(shot, aptitude, "hit")
    if shot.scratches and band(aptitude) is not None:
        return struck(shot, aptitude, "scratch")
    return Outcome("miss", aptitude, 0, f"{shot.chance} − {roll} = {aptitude}")


def struck(shot: Shot, aptitude: int, kind: Kind, *, times: int = 1) -> Outcome:
    """The damage of a shot that hits with this aptitude; a critical adds its attribute ``times`` times."""
    counted = max(aptitude, CRITICAL_APTITUDE) if kind == "critical" else aptitude
    steps = band(counted)
    extra = (steps or 0) * shot.extra
    parts = [(extra, gettext("extra damage"))]
    if kind == "critical":
        parts.append((shot.stat * times, gettext("double critical") if times > 1 else gettext("critical")))
    parts.append((shot.aimed, gettext("body part")))
    added = shot.base + sum(value for value, _ in parts)
    total = max(0, added)
    how = gettext("%(n)s (base)", n=shot.base)
    how += "".join(f" {_signed(value)} ({what})" for value, what in parts if value)
    how = gettext("%(sum)s, at least %(n)s", sum=how, n=0) if added < 0 else how
    resists = shot.covered if shot.is_aimed else kind != "critical"
    if resists and shot.resistance and total:
        left = total * (100 - shot.resistance) // 100
        how = gettext("(%(sum)s) less %(n)s %%, rounded down", sum=how, n=shot.resistance)
        total = left
    return Outcome(kind, aptitude, total, how)


def doubled(shot: Shot, roll: int, luck_roll: int | None, second: int | None) -> Outcome:
    """A critical with a try for a double critical: a d10 against Luck, then the skill again with the same modifiers.

    Without a ``luck_roll`` there is no try. If the Luck roll fails, the first roll becomes an ordinary attack. A second
    critical doubles the bonus, a second hit keeps the critical, a second miss leaves an ordinary hit, and a second
    critical failure misses.
    """
    first = outcome(shot, roll)
    if first.kind != "critical" or luck_roll is None:
        return first
    if luck_roll > shot.luck:
        plain = outcome(replace(shot, luck=0), roll)
        how = gettext("%(sum)s; the Luck check failed", sum=plain.how)
        return Outcome(plain.kind, plain.aptitude, plain.damage, how)
    if second is None:
        return first
    again = outcome(shot, second).kind
    if again == "critical":
        return struck(shot, first.aptitude, "critical", times=2)
    if again == "hit":
        return first
    if again == "fumble":
        return Outcome("miss", first.aptitude, 0, gettext("the second roll is a critical failure"))
    return struck(shot, max(0, first.aptitude), "hit")


def odds(shot: Shot) -> Mapping[Kind, int]:
    """How many of the hundred rolls are of each kind."""
    return Counter(outcome(shot, roll).kind for roll in range(1, 101))


def expected(shot: Shot) -> Sum:
    """The damage of a hundred shots, one with each roll, without tries for double criticals."""
    by_damage = Counter(outcome(shot, roll).damage for roll in range(1, 101))
    how = " + ".join(f"{times} × {damage}" for damage, times in sorted(by_damage.items()) if damage) or "0"
    return Sum(sum(damage * times for damage, times in by_damage.items()), how)


def _signed(value: int) -> str:
    return f"+ {value}" if value >= 0 else f"− {-value}"


OUTCOMES: dict[Kind, str] = {
    "critical": N_("Critical hit"), "hit": N_("Hit"), "scratch": N_("Scratch"), "miss": N_("Miss"),
    "fumble": N_("Critical failure"),
}  # fmt: skip


def _shot(given: Given) -> tuple[Shot, dict[str, Figure]]:
    """The shot in the fields, and the intermediate figures."""
    part, n = BY_PLACE.get(str(given["part"])), numbers(given)
    penalty, bonus = aim(part)
    reached = reach(n["range"], n["perception"])
    to_hit = chance(n["skill"], reached.value, n["distance"], n["volatility"], n["ac"], penalty)
    ap = n["ap"] + (n["aim_ap"] if part else 0)
    aimed_how = gettext("a shot without aim")
    if part:
        aimed_how = gettext("%(shot)s + %(aim)s for the aim", shot=n["ap"], aim=n["aim_ap"])
    luck = n["luck"]
    hits = at_least(to_hit, luck)
    shots: int | str = n["ap_now"] // ap if ap else gettext("any number")
    per_turn = gettext("%(n)s AP / %(ap)s, rounded down", n=n["ap_now"], ap=ap)
    figures = {
        "chance": Figure("chance", gettext("To hit, roll at or below"), hits.value, "%", hits.how),
        "reach": Figure("reach", gettext("Reach"), reached.value, gettext("hexes"), reached.how),
        "ap": Figure("ap", gettext("Cost of the shot"), ap, gettext("AP"), aimed_how),
        "shots": Figure("shots", gettext("Shots in a turn"), shots, "", per_turn),
        "critical": Figure("critical", gettext("Critical success"), f"1–{luck}", "", f"0 + {luck} (LK)"),
        "fumble": Figure("fumble", gettext("Critical failure"), f"{89 + luck}–100", "", f"89 + {luck} (LK)"),
    }
    shot = Shot(
        chance=to_hit.value,
        luck=luck,
        base=n["damage"],
        extra=n["extra"],
        stat=n["stat"],
        aimed=bonus,
        resistance=n["resistance"],
        covered=bool(n["covered"]),
        is_aimed=part is not None,
        scratches=bool(n["scratches"]),
    )
    return shot, figures


def calculate_shot(given: Given) -> Calculated:
    shot, figures = _shot(given)
    main = [figures.pop("chance")]
    rolled = numbers(given)
    if "roll" in rolled:
        roll = rolled["roll"]
        done = doubled(shot, roll, rolled.get("luck_roll"), rolled.get("second"))
        main += [
            Figure(
                "outcome", gettext("A roll of %(n)s", n=roll), gettext(OUTCOMES[done.kind]), "", _why(shot, roll, done)
            ),
            Figure("aptitude", gettext("Aptitude"), done.aptitude, "%", _aptitude(shot, roll, done)),
            Figure("done", gettext("Damage"), done.damage, "", done.how),
        ]
    counts, of_hundred = odds(shot), expected(shot)
    hits = counts["critical"] + counts["hit"]
    kinds = gettext("criticals: %(criticals)s, others: %(others)s", criticals=counts["critical"], others=counts["hit"])
    more = [
        Figure("hits", gettext("Rolls that hit"), hits, gettext("of %(n)s", n=100), kinds),
        Figure("expected", gettext("Damage of 100 shots"), of_hundred.value, "", of_hundred.how),
    ]
    return Calculated(tuple(main), (*figures.values(), *more), (_rolls(shot), _aims(given)))


def _why(shot: Shot, roll: int, done: Outcome) -> str:
    if done.kind == "critical":
        return gettext("%(n)s (LK) or less hits whatever the aptitude", n=shot.luck)
    if done.kind == "fumble":
        return done.how
    return gettext("aptitude %(sum)s", sum=f"{shot.chance} − {roll}")


def _aptitude(shot: Shot, roll: int, done: Outcome) -> str:
    """The aptitude's arithmetic, and what replaces it."""
    how = f"{shot.chance} − {roll}"
    if done.kind == "critical" and done.aptitude < CRITICAL_APTITUDE:
        return gettext("%(sum)s; a critical counts as %(n)s", sum=how, n=CRITICAL_APTITUDE)
    if done.kind == "hit" and done.aptitude > shot.chance - roll:
        return gettext("%(sum)s, at least %(n)s: the critical became a hit", sum=how, n=done.aptitude)
    return how


def _rolls(shot: Shot) -> Table:
    """The effect of each roll, with rolls of equal effect in one row."""
    rows = []
    done = ((roll, outcome(shot, roll)) for roll in range(1, 101))
    for (kind, damage), equal in groupby(done, key=lambda row: (row[1].kind, row[1].damage)):
        rolls = [roll for roll, _ in equal]
        span = f"{rolls[0]}–{rolls[-1]}" if len(rolls) > 1 else str(rolls[0])
        rows.append((span, gettext(OUTCOMES[kind]), str(damage)))
    heads = (Column(gettext("Roll")), Column(gettext("Outcome")), Column(gettext("Damage"), "figure"))
    return Table(gettext("What each roll does"), heads, tuple(rows))


def _aims(given: Given) -> Table:
    """The same shot aimed at each part of the body; with the target's EN and HP, also the damage that cripples it."""
    n = numbers(given)
    target = (n["target_endurance"], n["target_hp"]) if {"target_endurance", "target_hp"} <= n.keys() else None
    rows = []
    for place, part in BY_PLACE.items():
        shot, figures = _shot(dict(given) | {"part": place})
        name = ("  " if part.region else "") + gettext(part.name)
        row = [
            name,
            f"{figures['chance'].value} %",
            signed(shot.aimed) if shot.aimed else "0",
            f"{figures['ap'].value}",
        ]
        row += [str(cripples(part, *target))] if target else []
        rows.append(tuple(cell.replace("-", "−") for cell in row))
    heads = [gettext("To hit"), gettext("Damage"), gettext("AP"), *([gettext("Falls at")] if target else [])]
    columns = (Column(gettext("Aimed at")), *(Column(head, "figure") for head in heads))
    return Table(gettext("Aimed at each part"), columns, tuple(rows))
