"""The builder of skill combat: the data of its page, and the document in its form.

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
from validators.kit import forms
from validators.kit.builder import Page, page
from validators.sheet import Derived
from validators.skill_combat.check import CHECKS
from validators.skill_combat.edition import SPECIAL, Armour, Weapon
from validators.skill_combat.figures import action_points, start
from validators.skill_combat.force import Carried, Character, Side, read_force, side_of
from validators.skill_combat.sheets import figures_of
from validators.skill_combat.suggestions import fixes

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

    carried: Carried[Weapon]
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
        characters=tuple(
            _card(character, document["models"][character.place]["name"], side, verdict)
            for character in side.characters
        ),
        weapons=_open((weapon.name for weapon in file.weapons), terms),
        armour=_open((armour.name for armour in file.armour), terms),
        items=_open(file.items, terms),
    )


def _open(names: Iterable[str], terms: Terms) -> tuple[str, ...]:
    return tuple(name for name in names if not terms.bans(name))


def _card(character: Character, typed: str, side: Side, verdict: Verdict) -> CharacterCard:
    suit = character.worn.figures if character.worn and not character.worn.listed else None
    return CharacterCard(
        one=character,
        typed=typed,
        starts=tuple(
            start(line.entry, character.special) if line.entry and line.entry.of else None for line in character.skills
        ),
        weapons=tuple(_weapon_line(carried, character, side) for carried in character.weapons),
        armour=OWN if suit else character.worn.name if character.worn else "",
        armour_own=_own_fields(suit, ARMOUR_NUMBERS, side) if suit else (),
        figures=figures_of(character, side),
        found=verdict.about(character.place),
    )


def _weapon_line(carried: Carried[Weapon], character: Character, side: Side) -> WeaponLine:
    figures = carried.figures
    if figures is None:
        return WeaponLine(carried)
    summary = (
        f"{figures.skill}; bursts of {figures.bullets} bullets, {figures.damage} damage each"
        if figures.mode == "burst"
        else f"{figures.skill}; range {figures.range}, damage {figures.damage} ± {figures.extra}, {figures.ap} AP"
    )
    own = () if carried.listed else _own_fields(figures, ("skill", "mode", "stat", *WEAPON_NUMBERS), side)
    calculator = "burst" if figures.mode == "burst" else "attack"
    return WeaponLine(carried, own, summary, calculator, _attack(figures, character, side))


def _attack(weapon: Weapon, character: Character, side: Side) -> dict[str, int | str]:
    """The calculators' answers from the character and the weapon; others keep their defaults."""
    asked: dict[str, int | str] = {
        "skill": character.per_cent(weapon.skill, side.edition),
        "perception": character.special["PE"],
        "luck": character.special["LK"],
        "range": weapon.range,
        "damage": weapon.damage,
        "stat": character.special[weapon.stat],
    }
    if weapon.mode == "burst":
        return asked | {"bullets": weapon.bullets}
    shots = {key: getattr(weapon, key) for key in ("volatility", "extra", "ap", "aim_ap")}
    return asked | shots | {"ap_now": action_points(character.special).value}


def _own_fields(figures: Weapon | Armour, keys: Iterable[str], side: Side) -> tuple[OwnField, ...]:
    choices: dict[str, tuple[tuple[str, str], ...]] = {
        "skill": tuple((skill.name, skill.name) for skill in side.edition.file.skills),
        "mode": (("quick", "Single shots"), ("burst", "Bursts alone")),
        "stat": tuple((name, name) for name in SPECIAL),
    }
    return tuple(OwnField(key, _LABELS[key], getattr(figures, key), choices.get(key, ())) for key in keys)


WEAPON_NUMBERS = ("range", "volatility", "damage", "extra", "ap", "aim_ap", "bullets")
ARMOUR_NUMBERS = ("ac", "dc", "jc", "resistance")
OWN = "own"
"""The choice for something with own figures."""
NEW_ATTRIBUTE = 5
_NEW_WEAPON = {"skill": "Small Guns", "mode": "quick", "stat": "AG", "range": 0, "damage": 1, "ap": 3}


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    """The submitted form's document, changed by its button."""
    models = [_character(fields, at) for at in forms.prefixes(fields, "m", "STR")]
    form = forms.head(fields, document, edition) | {"models": models}
    forms.apply_button(form, fields, _COMMANDS)
    return read_force(form, edition)


def _character(fields: forms.Fields, at: str) -> dict[str, Any]:
    name = forms.text(fields, f"{at}.name")
    whose = name[:80] or "a character"
    return {
        "name": name,
        "special": {key: forms.number(fields, f"{at}.{key}", f"{key} of {whose}", 0, 9999) for key in SPECIAL},
        "level": forms.number(fields, f"{at}.level", f"Level of {whose}", 0, 9999, empty=1),
        "skills": [
            {
                "name": forms.text(fields, f"{line}.name"),
                "points": forms.number(fields, f"{line}.points", f"A skill of {whose}", 0, 9999),
            }
            for line in forms.prefixes(fields, f"{at}.s")
        ],
        "weapons": [_typed_weapon(fields, line, whose) for line in forms.prefixes(fields, f"{at}.w")],
        "armour": _armour(fields, at, whose),
        "items": [
            {
                "name": (item := forms.text(fields, f"{line}.name")),
                "count": forms.count(fields, f"{line}.count", item[:80]),
            }
            for line in forms.prefixes(fields, f"{at}.i")
        ],
    }


def _typed_weapon(fields: forms.Fields, line: str, whose: str) -> dict[str, Any]:
    name = forms.text(fields, f"{line}.name")
    if not forms.text(fields, f"{line}.own"):
        return {"name": name}
    words = {key: forms.text(fields, f"{line}.{key}") for key in ("skill", "mode", "stat")}
    return {"name": name, "own": _typed(fields, line, WEAPON_NUMBERS, f"{name[:80]} of {whose}") | words}


def _typed(fields: forms.Fields, at: str, keys: Iterable[str], what: str) -> dict[str, Any]:
    return {key: forms.number(fields, f"{at}.{key}", what, 0, 9999) for key in keys}


def _armour(fields: forms.Fields, at: str, whose: str) -> dict[str, Any] | None:
    chosen = forms.text(fields, f"{at}.armour")
    if not chosen:
        return None
    if chosen != OWN:
        return {"name": chosen}
    # A new one has no fields yet: it starts with a name to change, and without figures.
    name = forms.text(fields, f"{at}.armour.name") or "Own armour"
    return {"name": name, "own": _typed(fields, f"{at}.armour", ARMOUR_NUMBERS, f"{name[:80]} of {whose}")}


def _add_model(form: Document, fields: forms.Fields) -> None:
    form["models"].append({"name": "", "special": dict.fromkeys(SPECIAL, NEW_ATTRIBUTE)})


def _add_weapon(form: Document, fields: forms.Fields, i: int) -> None:
    weapons, name = form["models"][i]["weapons"], forms.text(fields, f"m{i}.add_weapon")
    if name:
        weapons.append({"name": "Own weapon", "own": _NEW_WEAPON} if name == OWN else {"name": name})


_COMMANDS: forms.Commands = {
    "add-model": _add_model,
    "duplicate-model": forms.duplicate("models"),
    "remove-model": forms.remove("models"),
    "add-skill": forms.append("m{}.add_skill", "models", "skills", make=lambda name: {"name": name, "points": 0}),
    "add-weapon": _add_weapon,
    "add-item": forms.append("m{}.add_item", "models", "items", make=lambda name: {"name": name, "count": 1}),
    "remove-skill": forms.remove("models", "skills"),
    "remove-weapon": forms.remove("models", "weapons"),
    "remove-item": forms.remove("models", "items"),
}
