"""The burst of document 002: the roll is inverted, and a share of the bullets reaches each target in turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from languages.words import gettext, ngettext, pgettext
from validators.calculator import Calculated, Figure, Given, numbers
from validators.sheet import Column, Table
from validators.skill_combat import attack
from validators.skill_combat.attack import OUTCOMES, Kind
from validators.skill_combat.figures import Sum

WILD = 25
"""The extra AC of every target if the roll for the burst fails."""


@dataclass(frozen=True)
class Burst:
    """A burst: the shooter's skill, Luck and reach in hexes, the weapon, and a critical's bonus for each target."""

    skill: int
    luck: int
    reach: int
    bullets: int
    damage: int
    stat: int


@dataclass(frozen=True)
class Target:
    """A target in the cone: the distance in hexes and the AC, 0 for none."""

    distance: int
    armour_class: int


@dataclass(frozen=True)
class Struck:
    """The effect of a burst on one target: the share of the bullets left that hits, in per cent, and the bullets."""

    target: Target
    share: int
    hits: int
    damage: int
    left: int
    how: str


def kind_of(burst: Burst, roll: int) -> Kind:
    """The kind of the inverted roll: the top LK numbers are criticals, and from 100 − skill on it is a hit."""
    if roll > 100 - burst.luck:
        return "critical"
    if roll <= 12 - burst.luck:
        return "fumble"
    return "hit" if roll >= 100 - burst.skill else "miss"


def on_target(burst: Burst, roll: int) -> Sum:
    """The per cent of well-aimed bullets: the roll, a quarter of the skill rounded down, and Luck; at most all."""
    quarter = burst.skill // 4
    value = roll + quarter + burst.luck
    how = gettext(
        "%(roll)s (roll) + %(quarter)s (skill / 4) + %(luck)s (LK)", roll=roll, quarter=quarter, luck=burst.luck
    )
    return Sum(min(100, value), gettext("%(sum)s = %(n)s, at most 100", sum=how, n=value) if value > 100 else how)


def spray(burst: Burst, roll: int, targets: Sequence[Target], kind: Kind, *, times: int = 1) -> tuple[Struck, ...]:
    """The effect on each target, nearest first.

    Targets beyond the reach are not hit, and a critical failure hits nobody.
    """
    share, left = on_target(burst, roll).value, burst.bullets
    wild = WILD if kind == "miss" else 0
    struck = []
    for target in sorted(targets, key=lambda a_target: a_target.distance):
        part = max(0, share - target.armour_class - wild)
        hits = -(-left * part // 100) if kind != "fumble" and target.distance <= burst.reach else 0
        less = f"{share} − {target.armour_class} (AC)"
        if wild:
            less = gettext("%(sum)s − %(n)s (missed roll)", sum=less, n=wild)
        how = gettext("%(sum)s = %(part)s %% of %(left)s, rounded up", sum=less, part=part, left=left)
        if share < target.armour_class + wild:
            how = gettext("%(sum)s, at least 0: %(part)s %% of %(left)s, rounded up", sum=less, part=part, left=left)
        if kind == "fumble":
            how = gettext("a critical failure hits nobody")
        elif target.distance > burst.reach:
            how = ngettext("beyond %(num)s hex", "beyond %(num)s hexes", burst.reach)
        damage = hits * burst.damage
        if kind == "critical" and hits:
            damage += burst.stat * times
        left -= hits
        struck.append(Struck(target, part, hits, damage, left, how))
    return tuple(struck)


def doubled(burst: Burst, roll: int, luck_roll: int | None, second: int | None) -> tuple[Kind, int, int]:
    """A burst's critical with a try for a double: its final kind, how often the bonus counts, and the roll that counts.

    Without a ``luck_roll`` there is no try. The second roll decides how many bullets are well aimed.
    """
    kind = kind_of(burst, roll)
    if kind != "critical" or luck_roll is None:
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


_TARGETS = (1, 2, 3, 4)


def calculate_burst(given: Given) -> Calculated:
    n = numbers(given)
    luck, skill, roll = n["luck"], n["skill"], n["roll"]
    reach = attack.reach(n["range"], n["perception"])
    fired = Burst(skill, luck, reach.value, n["bullets"], n["damage"], n["stat"])
    kind, times, counts = doubled(fired, roll, n.get("luck_roll"), n.get("second"))
    share = on_target(fired, counts)
    targets = [Target(n.get(f"distance{at}", 0), n[f"ac{at}"]) for at in _TARGETS if f"ac{at}" in n]
    struck = spray(fired, counts, targets, kind, times=times)
    hits, damage = sum(hit.hits for hit in struck), sum(hit.damage for hit in struck)
    return Calculated(
        main=(
            Figure("share", gettext("Bullets aimed well"), share.value, "%", share.how),
            *_first(fired, struck, kind, times),
        ),
        figures=(
            Figure(
                "outcome",
                gettext("A roll of %(n)s", n=roll),
                gettext(OUTCOMES[kind]),
                "",
                gettext("%(least)s to 100 is a success", least=100 - skill),
            ),
            Figure("reach", gettext("Reach"), reach.value, gettext("hexes"), reach.how),
            Figure(
                "critical", gettext("Critical success"), f"{101 - luck}–100", "", gettext("the top %(n)s (LK)", n=luck)
            ),
            Figure(
                "fumble",
                gettext("Critical failure"),
                f"1–{12 - luck}",
                "",
                gettext("%(sum)s (LK), turned round", sum=f"89 + {luck}"),
            ),
            Figure("all_hits", gettext("Bullets that hit somebody"), hits, gettext("of %(n)s", n=fired.bullets)),
            Figure("all_damage", gettext("Damage in all"), damage),
        ),
        tables=(
            Table(
                gettext("Target by target, the nearest first"),
                tuple(Column(head, "figure") for head in _heads()),
                tuple(map(_row, struck)),
            ),
        ),
    )


def _heads() -> tuple[str, ...]:
    share, hits, left = (pgettext("bullets", "Share"), pgettext("bullets", "Hits"), pgettext("bullets", "Left"))
    return gettext("Hexes"), "AC", share, hits, gettext("Damage"), left


def _row(hit: Struck) -> tuple[str, ...]:
    target = hit.target
    figures = (target.distance, target.armour_class, f"{hit.share} %", hit.hits, hit.damage, hit.left)
    return tuple(map(str, figures))


def _first(fired: Burst, struck: Sequence[Struck], kind: Kind, times: int) -> tuple[Figure, ...]:
    """The bullets that hit the nearest target, and their damage; empty if there are none."""
    if not struck:
        return ()
    first = struck[0]
    how = f"{first.hits} × {fired.damage}"
    if kind == "critical" and first.hits:
        how = gettext("%(sum)s + %(n)s (critical)", sum=how, n=fired.stat * times)
    return (
        Figure("hits", gettext("Bullets that hit the first target"), first.hits, "", first.how),
        Figure("damage", gettext("Damage to the first target"), first.damage, "", how),
    )
