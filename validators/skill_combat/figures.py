"""The figures derived from a character's SPECIAL and level, and the HP of each part of the body, with their arithmetic.

The source is the sample character of document 002, including its rounding, and Taking aim and damaging body parts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from languages.words import gettext, minus, signed
from validators.calculator import Calculated, Figure, Given, numbers
from validators.sheet import Column, Derived, Table
from validators.skill_combat.edition import BODY, Armour, BodyPart, Health, Skill

Special = Mapping[str, int]
"""The seven attributes by their names."""


@dataclass(frozen=True)
class Sum:
    """A whole number and its arithmetic ("15 + 4 (STR) + 14 (EN × 2)")."""

    value: int
    how: str

    def shown(self, label: str, unit: str = "", *, sign: bool = False) -> Derived:
        """The figure for a page or a sheet; with ``sign``, positive ones have a plus."""
        return Derived(label, (signed if sign else minus)(self.value) + unit, self.how)


def hit_points(special: Special, level: int = 1) -> Sum:
    """HP: 15 + STR + twice EN; each further level adds 3 + EN / 2, rounded up on odd levels and down on even ones."""
    strength, endurance = special["STR"], special["EN"]
    value, how = 15 + strength + 2 * endurance, f"15 + {strength} (STR) + {2 * endurance} (EN × 2)"
    gains = [3 + (endurance + reached % 2) // 2 for reached in range(2, level + 1)]
    if level > 2:
        more = sum(gains)
        how = gettext("%(sum)s + %(n)s (levels 2 to %(level)s: 3 + EN / 2 each)", sum=how, n=more, level=level)
    elif gains:
        how = gettext("%(sum)s + %(n)s (level 2)", sum=how, n=gains[0])
    return Sum(value + sum(gains), how)


def _worn(own: int, label: str, armour: Armour | None, adds: int) -> Sum:
    return Sum(own + adds, f"{own} ({label})" + (f" + {adds} ({armour.name})" if armour else ""))


def action_points(special: Special) -> Sum:
    """AP: 5 + AG / 2 + EN / 2, each half rounded down."""
    agility, endurance = special["AG"] // 2, special["EN"] // 2
    return Sum(5 + agility + endurance, f"5 + {agility} (AG / 2) + {endurance} (EN / 2)")


def regeneration(special: Special) -> Mapping[str, Sum]:
    """AP recovered each turn, by movement: standing 3 + AG, walking 3 + AG / 2, jogging AG / 2, running none."""
    agility = special["AG"]
    half = agility // 2
    return {
        "standing": Sum(3 + agility, f"3 + {agility} (AG)"),
        "walking": Sum(3 + half, f"3 + {half} (AG / 2)"),
        "jogging": Sum(half, f"{half} (AG / 2)"),
    }


def start(skill: Skill, special: Special) -> int:
    """The per cent at which a skill starts; 0 if none is printed."""
    return sum(special[name] * often for name, often in skill.of.items())


def skill_value(skill: Skill, special: Special, points: int) -> Sum:
    """A skill in per cent: its printed start plus the points above it; without a start, only the points."""
    parts = [
        f"{special[name] * often} ({name}{f' × {often}' if often > 1 else ''})" for name, often in skill.of.items()
    ]
    if points or not parts:
        trained = gettext("%(points)s (trained)", points=points)
        parts.append(trained if skill.of else gettext("%(points)s (as given)", points=points))
    return Sum(start(skill, special) + points, " + ".join(parts))


def sequence(special: Special) -> Sum:
    """Sequence, which orders the turns: twice PE."""
    return Sum(2 * special["PE"], f"{special['PE']} (PE) × 2")


def part_points(health: Health, endurance: int, hit_points: int) -> Sum:
    """The HP of a part of the body: its shares of EN and of HP, each rounded up or down."""
    over, under = health.en
    own, share = _share(endurance * over, under, up=health.en_up), _share(hit_points, health.hp, up=health.hp_up)
    words = "EN" + (f" × {over}" if over > 1 else "") + (f" / {under}" if under > 1 else "")
    return Sum(own + share, f"{own} ({words}) + {share} (HP / {health.hp})")


def _share(whole: int, parts: int, *, up: bool) -> int:
    return -(-whole // parts) if up else whole // parts


def all_figures(special: Special, level: int, armour: Armour | None) -> tuple[Derived, ...]:
    """All figures, in the order of the document's own sample."""
    back = regeneration(special)
    strength, endurance, luck = special["STR"], special["EN"], special["LK"]
    ac, dc, jc = (armour.ac, armour.dc, armour.jc) if armour else (0, 0, 0)
    return (
        hit_points(special, level).shown("Health Points"),
        _worn(special["AG"], "AG", armour, ac).shown("Armor Class"),
        _worn(special["PE"], "PE", armour, dc).shown("Detection Class"),
        _worn(special["CH"], "CH", armour, jc).shown("Judgment Class"),
        action_points(special).shown("Action Points"),
        back["standing"].shown(gettext("AP back, standing"), sign=True),
        back["walking"].shown(gettext("AP back, walking"), sign=True),
        back["jogging"].shown(gettext("AP back, jogging"), sign=True),
        Sum(25 + 25 * strength, f"25 + {25 * strength} (STR × 25)").shown(gettext("Carry weight"), " lbs"),
        Sum(max(0, strength - 5), gettext("%(n)s (STR) − 5, at least 0", n=strength)).shown(gettext("Melee damage")),
        Sum(5 * endurance, f"{endurance} (EN) × 5").shown(gettext("Poison resistance"), " %"),
        Sum(2 * endurance, f"{endurance} (EN) × 2").shown(gettext("Radiation resistance"), " %"),
        Derived(gettext("Gas resistance"), "0 / 0", gettext("inhaled / blistering, as printed")),
        Derived(gettext("Electric resistance"), "0 %", gettext("as printed")),
        sequence(special).shown("Sequence"),
        Sum(endurance // 3, gettext("%(sum)s, rounded down", sum=f"{endurance} (EN) / 3")).shown(
            gettext("Healing rate")
        ),
        Derived(gettext("Critical success"), gettext("roll %(n)s or less", n=luck), f"0 + {luck} (LK)"),
        Derived(gettext("Critical failure"), gettext("roll %(n)s or more", n=89 + luck), f"89 + {luck} (LK)"),
    )


NOWHERE = "none"
"""No aimed part: a quick shot."""


BY_PLACE = {part.name.lower(): part for part in BODY}
"""The parts by their names as fields' values."""
PLACES = tuple((place, part.name) for place, part in BY_PLACE.items())


def cripples(part: BodyPart, endurance: int, hit_points: int) -> int:
    """The least total damage to a part that cripples it: its HP; for a leg or an arm, more than its HP."""
    return part_points(part.health, endurance, hit_points).value + part.over


def regions() -> str:
    """When damaged parts cripple their region: "head 1, torso 2"."""
    falls = ", ".join(f"{gettext(part.name)} {part.falls}" for part in BODY if part.falls)
    return gettext("So many crippled parts of a region cripple it, too: %(regions)s.", regions=falls)


def calculate_body(given: Given) -> Calculated:
    """The HP of every part, and the effect of damage to one of them."""
    n = numbers(given)
    endurance, damage = n["endurance"], n["damage"]
    whole, part = hit_points({"STR": n["strength"], "EN": endurance}, n["level"]), BY_PLACE[str(given["part"])]
    own, needed = part_points(part.health, endurance, whole.value), cripples(part, endurance, whole.value)
    crippled = gettext("crippled") if damage >= needed else gettext("holds")
    effect = gettext("crippled by %(n)s: %(effect)s", n=needed, effect=gettext(part.crippled))
    return Calculated(
        main=(
            Figure("holds", gettext("%(part)s: HP", part=gettext(part.name)), own.value, "", own.how),
            Figure("crippled", gettext("With %(n)s damage there", n=damage), crippled, "", effect),
            Figure("left", gettext("Health points left"), whole.value - damage, "", f"{whole.value} − {damage}"),
        ),
        figures=(Figure("hp", gettext("Health points"), whole.value, "", whole.how),),
        tables=(body_table(endurance, whole.value),),
    )


def body_table(endurance: int, hit_points: int) -> Table:
    heads = (Column(gettext("Body part")), Column("HP", "figure"), Column(gettext("Falls at"), "figure"))
    rows = []
    for part in BODY:
        figures = part_points(part.health, endurance, hit_points).value, cripples(part, endurance, hit_points)
        rows.append(("  " * bool(part.region) + gettext(part.name), *map(str, figures)))
    return Table(gettext("Every part of the body"), heads, tuple(rows))
