"""The builder of skill combat: what its page shows, and the document that its form sends.

Fields, with i and j counted from 0: ``name``, ``faction``; for each character ``m{i}.name``, ``.level``, one for each
attribute (``m{i}.STR``); ``m{i}.s{j}.name`` and ``.points`` for skills; ``m{i}.w{j}.name`` for weapons, and where
``.own`` is sent one for each of its figures; ``m{i}.armour``, and where ``m{i}.armour.own`` is sent its name and
figures; ``m{i}.i{j}.name`` and ``.count`` for items. Choices not yet made: ``m{i}.add_skill``,
``m{i}.add_weapon``, ``m{i}.add_item``. The button is ``do``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.kit.builder import Page, page
from validators.kit.forms import Commands, Fields, append, count, duplicate, head, number, numbered, one, press, remove
from validators.names import fold
from validators.sheet import Derived
from validators.skill_combat.check import CHECKS
from validators.skill_combat.edition import SPECIAL, Weapon
from validators.skill_combat.fixes import fixes
from validators.skill_combat.force import Carried, Character, Side, read_force, side_of
from validators.skill_combat.sheets import figures_of

_LABELS = {
    "range": "Range, hexes", "volatility": "Volatility, % a hex", "damage": "Damage", "extra": "Extra damage",
    "ap": "AP", "aim_ap": "AP more to aim", "bullets": "Bullets in a burst", "skill": "Skill", "mode": "Fires",
    "stat": "A critical adds", "ac": "Armor class", "dc": "Detection class", "jc": "Judgment class",
    "resistance": "Resists, %",
}  # fmt: skip


@dataclass(frozen=True)
class OwnField:
    """A field of something with own figures: a choice if it has ``choices``, else a number."""

    key: str
    label: str
    value: int | str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class WeaponLine:
    """A character's weapon; ``attack`` are the calculator's answers for it."""

    carried: Carried
    own: tuple[OwnField, ...] = ()
    summary: str = ""
    calculator: str = ""
    attack: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class CharacterCard:
    """One character, with everything that can be chosen."""

    one: Character
    typed: str
    """The name as typed, possibly empty."""
    starts: tuple[int | None, ...]
    """The start of each of its skills from the attributes; None if no start is printed."""
    weapons: tuple[WeaponLine, ...]
    armour: str
    armour_own: tuple[OwnField, ...]
    figures: tuple[Derived, ...]
    found: Verdict


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    page: Page
    side: Side
    characters: tuple[CharacterCard, ...]
    weapons: tuple[str, ...]
    armour: tuple[str, ...]
    items: tuple[str, ...]


def builder(document: Document, terms: Terms, fields: Mapping[str, list[str]]) -> BuilderView:
    """The page of a canonical document under an event's terms."""
    side = side_of(document, terms)
    file, verdict = side.edition.file, CHECKS.verdict(side)
    return BuilderView(
        page=page(document, side, verdict, file.origins, fixes),
        side=side,
        characters=tuple(_card(one, document["models"][one.place]["name"], side, verdict) for one in side.characters),
        weapons=_open((weapon.name for weapon in file.weapons), terms),
        armour=_open((armour.name for armour in file.armour), terms),
        items=_open(file.items, terms),
    )


def _open(names: Iterable[str], terms: Terms) -> tuple[str, ...]:
    return tuple(name for name in names if not terms.bans(name))


def _card(one: Character, typed: str, side: Side, verdict: Verdict) -> CharacterCard:
    suit = one.worn.figures if one.worn and not one.worn.listed else None
    return CharacterCard(
        one=one,
        typed=typed,
        starts=tuple(
            sum(one.special[name] * often for name, often in line.entry.of.items())
            if line.entry and line.entry.of
            else None
            for line in one.skills
        ),
        weapons=tuple(_weapon_line(carried, one, side) for carried in one.weapons),
        armour=OWN if suit else one.worn.name if one.worn else "",
        armour_own=_own_fields({key: getattr(suit, key) for key in ARMOUR_NUMBERS}, side) if suit else (),
        figures=figures_of(one, side),
        found=verdict.of(one.place),
    )


def _weapon_line(carried: Carried, one: Character, side: Side) -> WeaponLine:
    figures = carried.figures
    if figures is None:
        return WeaponLine(carried)
    summary = (
        f"{figures.skill}; bursts of {figures.bullets} bullets, {figures.damage} damage each"
        if figures.mode == "burst"
        else f"{figures.skill}; range {figures.range}, damage {figures.damage} ± {figures.extra}, {figures.ap} AP"
    )
    own = {key: getattr(figures, key) for key in ("skill", "mode", "stat", *WEAPON_NUMBERS)}
    return WeaponLine(
        carried,
        () if carried.listed else _own_fields(own, side),
        summary,
        "burst" if figures.mode == "burst" else "attack",
        _attack(figures, one, side),
    )


def _attack(weapon: Weapon, one: Character, side: Side) -> dict[str, int | str]:
    """The calculators' answers from the character and the weapon; others keep their defaults."""
    known = side.edition.skill_by_name.find(weapon.skill)
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


def _own_fields(values: Mapping[str, int | str], side: Side) -> tuple[OwnField, ...]:
    choices: dict[str, tuple[tuple[str, str], ...]] = {
        "skill": tuple((skill.name, skill.name) for skill in side.edition.file.skills),
        "mode": (("quick", "Single shots"), ("burst", "Bursts alone")),
        "stat": tuple((name, name) for name in SPECIAL),
    }
    return tuple(OwnField(key, _LABELS[key], value, choices.get(key, ())) for key, value in values.items())


WEAPON_NUMBERS = ("range", "volatility", "damage", "extra", "ap", "aim_ap", "bullets")
ARMOUR_NUMBERS = ("ac", "dc", "jc", "resistance")
OWN = "own"
"""The choice for something with own figures."""
NEW_ATTRIBUTE = 5


def edit_force(document: Document, fields: Fields, edition: EditionInfo) -> Document:
    """The submitted form's document, changed by its button. Raises UnreadableForce."""
    form = head(fields, document, edition) | {
        "models": [_character(fields, f"m{i}") for i in numbered(fields, r"m(\d{1,4})\.STR")]
    }
    press(form, fields, _COMMANDS)
    return read_force(form, edition)


def _character(fields: Fields, at: str) -> dict[str, Any]:
    name = one(fields, f"{at}.name")
    whose = name[:80] or "a character"
    return {
        "name": name,
        "special": {key: number(fields, f"{at}.{key}", f"{key} of {whose}", 0, 9999) for key in SPECIAL},
        "level": number(fields, f"{at}.level", f"Level of {whose}", 0, 9999, empty=1),
        "skills": [
            {
                "name": one(fields, f"{line}.name"),
                "points": number(fields, f"{line}.points", f"A skill of {whose}", 0, 9999),
            }
            for line in _lines(fields, at, "s")
        ],
        "weapons": [_typed_weapon(fields, line, whose) for line in _lines(fields, at, "w")],
        "armour": _armour(fields, at, whose),
        "items": [
            {
                "name": one(fields, f"{line}.name"),
                "count": count(fields, f"{line}.count", one(fields, f"{line}.name")[:80]),
            }
            for line in _lines(fields, at, "i")
        ],
    }


def _lines(fields: Fields, at: str, kind: str) -> list[str]:
    return [f"{at}.{kind}{j}" for j in numbered(fields, rf"{at}\.{kind}(\d{{1,4}})\.name")]


def _typed_weapon(fields: Fields, line: str, whose: str) -> dict[str, Any]:
    name = one(fields, f"{line}.name")
    if not one(fields, f"{line}.own"):
        return {"name": name}
    own: dict[str, Any] = {
        key: number(fields, f"{line}.{key}", f"{name[:80]} of {whose}", 0, 9999) for key in WEAPON_NUMBERS
    }
    return {"name": name, "own": own | {key: one(fields, f"{line}.{key}") for key in ("skill", "mode", "stat")}}


def _armour(fields: Fields, at: str, whose: str) -> dict[str, Any] | None:
    chosen = one(fields, f"{at}.armour")
    if not chosen:
        return None
    if chosen != OWN:
        return {"name": chosen}
    # A new one has no fields yet: it starts with a name to change, and without figures.
    name = one(fields, f"{at}.armour.name") or "Own armour"
    own = {key: number(fields, f"{at}.armour.{key}", f"{name[:80]} of {whose}", 0, 9999) for key in ARMOUR_NUMBERS}
    return {"name": name, "own": own}


def _add_model(form: Document, fields: Fields) -> None:
    form["models"].append(
        {"name": "", "special": dict.fromkeys(SPECIAL, NEW_ATTRIBUTE), "level": 1, "skills": [], "weapons": [],
         "armour": None, "items": []}
    )  # fmt: skip


def _add_weapon(form: Document, fields: Fields, i: int) -> None:
    model = form["models"][i]
    name = one(fields, f"m{i}.add_weapon")
    if name == OWN:
        own = dict.fromkeys(WEAPON_NUMBERS, 0) | {
            "skill": "Small Guns",
            "mode": "quick",
            "stat": "AG",
            "ap": 3,
            "damage": 1,
        }
        model["weapons"].append({"name": "Own weapon", "own": own})
    elif name:
        model["weapons"].append({"name": name})


_COMMANDS: Commands = {
    "add-model": _add_model,
    "duplicate-model": duplicate("models"),
    "remove-model": remove("models"),
    "add-skill": append("m{}.add_skill", "models", "skills", make=lambda name: {"name": name, "points": 0}),
    "add-weapon": _add_weapon,
    "add-item": append("m{}.add_item", "models", "items", make=lambda name: {"name": name, "count": 1}),
    "remove-skill": remove("models", "skills"),
    "remove-weapon": remove("models", "weapons"),
    "remove-item": remove("models", "items"),
}
