"""What the builder page of skill combat shows: each character with its fields, its figures and what is found wrong."""

from collections.abc import Mapping
from dataclasses import dataclass

from validators.contract import Document, Finding, Mending, Terms, Verdict
from validators.names import fold
from validators.sheet import Derived
from validators.skill_combat.character import Carried, Character, Item, Side, side_of
from validators.skill_combat.check import verdict_on
from validators.skill_combat.edition import SPECIAL, Weapon
from validators.skill_combat.form import OWN, own_armour, own_weapon
from validators.skill_combat.mending import mendings
from validators.skill_combat.sheets import figures_of

_LABELS = {
    "range": "Range, hexes", "volatility": "Volatility, % a hex", "damage": "Damage", "extra": "Extra damage",
    "ap": "AP", "aim_ap": "AP more to aim", "bullets": "Bullets in a burst", "skill": "Skill", "mode": "Fires",
    "stat": "A critical adds", "ac": "Armor class", "dc": "Detection class", "jc": "Judgment class",
    "resistance": "Resists, %",
}  # fmt: skip


@dataclass(frozen=True)
class OwnField:
    """A field of something that brings its own figures; with ``choices`` it is chosen, else a number is typed."""

    key: str
    label: str
    value: int | str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class WeaponLine:
    """A weapon of a character; ``attack`` are the answers of the calculator that fit it, empty where none does."""

    place: int
    name: str
    known: bool
    own: tuple[OwnField, ...]
    told: str
    calculator: str
    attack: Mapping[str, int | str]


@dataclass(frozen=True)
class SkillLine:
    """A skill line: ``start`` is what the attributes give, None where no start is printed."""

    place: int
    name: str
    points: int
    value: int
    start: int | None


@dataclass(frozen=True)
class CharacterCard:
    """One character with all that is chosen and all that can be added."""

    place: int
    name: str
    label: str
    level: int
    special: tuple[tuple[str, int], ...]
    points: int
    skills: tuple[SkillLine, ...]
    weapons: tuple[WeaponLine, ...]
    armour: str
    armour_known: bool
    armour_name: str
    armour_own: tuple[OwnField, ...]
    items: tuple[Item, ...]
    figures: tuple[Derived, ...]
    problems: tuple[Finding, ...]
    queries: tuple[Finding, ...]


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    name: str
    faction: str
    """The origin."""
    factions: tuple[str, ...]
    """Those that may be chosen, at any time: an origin changes no figure."""
    edition: str
    characters: tuple[CharacterCard, ...]
    most_characters: int
    skills: tuple[str, ...]
    weapons: tuple[str, ...]
    armour: tuple[str, ...]
    items: tuple[str, ...]
    least: int
    most: int
    size: int
    total: int
    left: int
    verdict: Verdict
    mendings: tuple[Mending, ...]


def builder(document: Document, terms: Terms, fields: Mapping[str, list[str]]) -> BuilderView:
    """A canonical document at an event's terms."""
    side = side_of(document, terms)
    edition, verdict = side.edition, verdict_on(side)
    return BuilderView(
        name=document["name"],
        faction=side.origin,
        factions=tuple(one for one in edition.origins if side.open_to(one)),
        edition=terms.edition.name,
        characters=tuple(_card(one, document["models"][one.place]["name"], side, verdict) for one in side.characters),
        most_characters=side.most_characters,
        skills=tuple(skill.name for skill in edition.skills),
        weapons=_open(tuple(weapon.name for weapon in edition.weapons), side),
        armour=_open(tuple(armour.name for armour in edition.armour), side),
        items=_open(edition.items, side),
        least=edition.least,
        most=edition.most,
        size=side.size,
        total=side.total,
        left=side.size - side.total,
        verdict=verdict,
        mendings=() if verdict.legal else mendings(document, terms),
    )


def _open(names: tuple[str, ...], side: Side) -> tuple[str, ...]:
    banned = set(map(fold, side.restrictions.banned))
    return tuple(name for name in names if fold(name) not in banned)


def _card(one: Character, typed: str, side: Side, verdict: Verdict) -> CharacterCard:
    own = one.worn is not None and not one.worn.listed and one.worn.figures is not None
    return CharacterCard(
        place=one.place,
        name=typed,
        label=one.label,
        level=one.level,
        special=tuple((key, one.special[key]) for key in SPECIAL),
        points=one.points,
        skills=tuple(_skill(place, one) for place in range(len(one.skills))),
        weapons=tuple(_weapon(place, carried, one, side) for place, carried in enumerate(one.weapons)),
        armour=OWN if own else one.worn.name if one.worn else "",
        armour_known=one.worn is None or one.worn.figures is not None,
        armour_name=one.worn.name if one.worn else "",
        armour_own=_fields(own_armour(one.worn.figures), side) if own and one.worn and one.worn.figures else (),
        items=one.items,
        figures=figures_of(one, side),
        problems=tuple(found for found in verdict.problems if one.place in found.places),
        queries=tuple(found for found in verdict.queries if one.place in found.places),
    )


def _skill(place: int, one: Character) -> SkillLine:
    line = one.skills[place]
    start = sum(one.special[name] * often for name, often in line.entry.of) if line.entry and line.entry.of else None
    return SkillLine(place, line.name, line.points, (start or 0) + line.points, start)


def _weapon(place: int, carried: Carried, one: Character, side: Side) -> WeaponLine:
    figures = carried.figures
    if figures is None:
        return WeaponLine(place, carried.name, False, (), "", "", {})
    told = (
        f"{figures.skill}; bursts of {figures.bullets} bullets, {figures.damage} damage each"
        if figures.mode == "burst"
        else f"{figures.skill}; range {figures.range}, damage {figures.damage} ± {figures.extra}, {figures.ap} AP"
    )
    own = () if carried.listed else _fields(own_weapon(figures), side)
    return WeaponLine(
        place,
        carried.name,
        True,
        own,
        told,
        "burst" if figures.mode == "burst" else "attack",
        _attack(figures, one, side),
    )


def _attack(weapon: Weapon, one: Character, side: Side) -> dict[str, int | str]:
    """What the calculators ask, from the character and the weapon; the rest keeps its defaults."""
    known = side.edition.skill_by_name.get(fold(weapon.skill))
    given = sum(line.points for line in one.skills if fold(line.name) == fold(weapon.skill))
    asked: dict[str, int | str] = {
        "skill": one.skill(known).value if known else given,
        "perception": one.special["PE"],
        "luck": one.special["LK"],
        "range": weapon.range,
        "damage": weapon.damage,
        "stat": one.special[weapon.stat],
    }
    if weapon.mode == "burst":
        return asked | {"bullets": weapon.bullets}
    return asked | {
        "volatility": weapon.volatility,
        "extra": weapon.extra,
        "ap": weapon.ap,
        "aim_ap": weapon.aim_ap,
        "ap_now": 5 + one.special["AG"] // 2 + one.special["EN"] // 2,
    }


def _fields(values: Mapping[str, int | str], side: Side) -> tuple[OwnField, ...]:
    choices: dict[str, tuple[tuple[str, str], ...]] = {
        "skill": tuple((skill.name, skill.name) for skill in side.edition.skills),
        "mode": (("quick", "Single shots"), ("burst", "Bursts alone")),
        "stat": tuple((name, name) for name in SPECIAL),
    }
    return tuple(OwnField(key, _LABELS[key], value, choices.get(key, ())) for key, value in values.items())
