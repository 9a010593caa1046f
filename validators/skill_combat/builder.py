"""The builder of skill combat: the data of its page, and the document in its form.

A weapon with figures of its own sends ``own`` and its figures. ``m{i}.armour`` is the name of a suit, or "own" for one
with the fields ``m{i}.armour.name`` and its figures. Choices not yet made: ``m{i}.add_skill``, ``m{i}.add_weapon``,
``m{i}.add_item``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from languages.words import gettext, ngettext
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.kit import forms
from validators.kit.builder import Number, Option, Page, numbers, page
from validators.sheet import Derived
from validators.skill_combat.check import CHECKS, carries
from validators.skill_combat.edition import SPECIAL, ArmourFigures, Weapon
from validators.skill_combat.figures import action_points, start
from validators.skill_combat.force import (
    Carried,
    Character,
    CharacterFile,
    OwnWeapon,
    Side,
    SideFile,
    SpecialPart,
    read_force,
    side_of,
)
from validators.skill_combat.sheets import figures_of
from validators.skill_combat.suggestions import fixes


@dataclass(frozen=True)
class WeaponLine:
    """A character's weapon; ``attack`` are the calculator's answers for it."""

    carried: Carried[Weapon]
    own: tuple[Number, ...] = ()
    summary: str = ""
    calculator: str = ""
    attack: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class CharacterCard:
    one: Character
    carried: str
    """Its weapons, armour and items in one line."""
    typed: str
    """The name as typed, possibly empty."""
    level: Number
    special: tuple[Number, ...]
    starts: tuple[int | None, ...]
    """The start of each of its skills from the attributes; None if no start is printed."""
    weapons: tuple[WeaponLine, ...]
    armour: str
    armour_own: tuple[Number, ...]
    figures: tuple[Derived, ...]
    found: Verdict


@dataclass(frozen=True)
class BuilderView:
    page: Page
    side: Side
    characters: tuple[CharacterCard, ...]
    weapons: tuple[str, ...]
    armour: tuple[str, ...]
    items: tuple[str, ...]
    skills: tuple[str, ...]
    stats: tuple[str, ...] = SPECIAL

    @property
    def modes(self) -> tuple[Option, ...]:
        return Option(gettext("Single shots"), None, value="quick"), Option(
            gettext("Bursts alone"), None, value="burst"
        )

    @property
    def add_weapons(self) -> tuple[str | Option, ...]:
        return (*self.weapons, _own_figures())

    @property
    def suits(self) -> tuple[str | Option, ...]:
        return (*self.armour, _own_figures())


OWN = "own"
"""The choice for something with own figures."""


def _own_figures() -> Option:
    return Option(gettext("With its own figures"), None, value=OWN)


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    side = side_of(document, terms)
    file = side.edition.file
    costs = [(character.name, character.points) for character in side.characters]
    shown = page(CHECKS, document, side, fields, file.origins, fixes, costs)
    return BuilderView(
        page=shown,
        side=side,
        characters=tuple(
            _card(character, document["models"][character.place], side, shown.verdict) for character in side.characters
        ),
        weapons=_open((weapon.name for weapon in file.weapons), terms),
        armour=_open((armour.name for armour in file.armour), terms),
        items=_open(file.items, terms),
        skills=tuple(skill.name for skill in file.skills),
    )


def _open(names: Iterable[str], terms: Terms) -> tuple[str, ...]:
    return tuple(name for name in names if not terms.bans(name))


def _card(character: Character, typed: Document, side: Side, verdict: Verdict) -> CharacterCard:
    suit = character.worn.figures if character.worn and not character.worn.listed else None
    at, label = f"m{character.place}.", character.label
    (level,) = numbers(at, CharacterFile, typed, label)
    return CharacterCard(
        one=character,
        carried=carries(character),
        typed=typed["name"],
        level=level,
        special=numbers(at, SpecialPart, typed["special"], label),
        starts=tuple(
            start(line.entry, character.special) if line.entry and line.entry.of else None for line in character.skills
        ),
        weapons=tuple(
            _weapon_line(f"{at}w{j}.", carried, character, side) for j, carried in enumerate(character.weapons)
        ),
        armour=OWN if suit else character.worn.name if character.worn else "",
        armour_own=numbers(f"{at}armour.", ArmourFigures, vars(suit)) if suit else (),
        figures=figures_of(character, side),
        found=verdict.about(character.place),
    )


def _weapon_line(at: str, carried: Carried[Weapon], character: Character, side: Side) -> WeaponLine:
    figures = carried.figures
    if figures is None:
        return WeaponLine(carried)
    summary = (
        ngettext(
            "%(skill)s; bursts of %(num)s bullet, %(damage)s damage each",
            "%(skill)s; bursts of %(num)s bullets, %(damage)s damage each",
            figures.bullets,
            skill=figures.skill,
            damage=figures.damage,
        )
        if figures.mode == "burst"
        else gettext(
            "%(skill)s; range %(range)s, damage %(damage)s ± %(extra)s, %(ap)s AP",
            skill=figures.skill,
            range=figures.range,
            damage=figures.damage,
            extra=figures.extra,
            ap=figures.ap,
        )
    )
    own = () if carried.listed else numbers(at, OwnWeapon, vars(figures))
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


NEW_ATTRIBUTE = 5
NEW_WEAPON = {"skill": "Small Guns", "mode": "quick", "stat": "AG", "range": 0, "damage": 1, "ap": 3}


LETTERS = {"models": "m", "skills": "s", "weapons": "w", "items": "i"}


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    form = forms.document(fields, document, edition, SideFile, LETTERS)
    for at, model in zip(forms.rows_of(fields, "m"), form["models"], strict=True):
        model["armour"] = _armour(fields, at)
    forms.apply_button(form, fields, COMMANDS)
    return read_force(form, edition)


def _armour(fields: forms.Fields, at: str) -> Document | None:
    chosen = forms.text(fields, f"{at}armour")
    if chosen != OWN:
        return {"name": chosen} if chosen else None
    # A new one has no fields yet: it starts with a name to change, and without figures.
    name = forms.text(fields, f"{at}armour.name") or "Own armour"
    return {"name": name, "own": forms.part(fields, f"{at}armour.", ArmourFigures, LETTERS, name)}


def _add_model(form: Document, fields: forms.Fields) -> None:
    form["models"].append({"name": "", "special": dict.fromkeys(SPECIAL, NEW_ATTRIBUTE)})


def _new_weapon(name: str) -> Document:
    return {"name": "Own weapon", "own": NEW_WEAPON} if name == OWN else {"name": name}


COMMANDS: forms.Commands = {
    "add-model": _add_model,
    **forms.cards("model", "models"),
    **forms.rows("skill", "m{}.add_skill", "models", "skills", make=lambda name: {"name": name, "points": 0}),
    **forms.rows("weapon", "m{}.add_weapon", "models", "weapons", make=_new_weapon),
    **forms.rows("item", "m{}.add_item", "models", "items", make=lambda name: {"name": name, "count": 1}),
}
