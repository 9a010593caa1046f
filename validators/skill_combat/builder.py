"""The builder of skill combat: the data of its page, and the document in its form.

A weapon with figures of its own sends ``own`` and its figures. ``m{i}.armour`` is the name of a suit, or "own" for one
with the fields ``m{i}.armour.name`` and its figures. Choices not yet made: ``m{i}.add_skill``, ``m{i}.add_weapon``,
``m{i}.add_item``.
"""

from dataclasses import dataclass

from languages.words import N_, gettext, ngettext
from validators.contract import Document, EditionInfo, Terms
from validators.edition_file import names_in
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
    KnownSkill,
    OwnWeapon,
    Side,
    SideFile,
    SpecialPart,
    read_force,
    side_of,
)
from validators.skill_combat.sheets import figures_of
from validators.skill_combat.suggestions import fixes

OWN = "own"
"""The choice for something with own figures."""


@dataclass(frozen=True)
class BuilderView:
    page: Page
    side: Side
    document: Document
    weapons: tuple[str, ...]
    armour: tuple[str, ...]
    items: tuple[str, ...]
    skills: tuple[str, ...]
    stats: tuple[str, ...] = SPECIAL

    carried = staticmethod(carries)

    @property
    def modes(self) -> tuple[Option, ...]:
        return Option(gettext("Single shots"), None, value="quick"), Option(
            gettext("Bursts alone"), None, value="burst"
        )

    @property
    def own(self) -> Option:
        return Option(gettext("With its own figures"), None, value=OWN)

    def typed(self, character: Character) -> str:
        """The name as typed, possibly empty."""
        name: str = self.document["models"][character.place]["name"]
        return name

    def level(self, at: str, character: Character) -> Number:
        return numbers(at, CharacterFile, vars(character), character.label)[0]

    def special(self, at: str, character: Character) -> tuple[Number, ...]:
        return numbers(at, SpecialPart, character.special, character.label)

    def start(self, line: KnownSkill, character: Character) -> int | None:
        """The start of a skill from the attributes; None if no start is printed."""
        return start(line.entry, character.special) if line.entry and line.entry.of else None

    def weapon_figures(self, at: str, carried: Carried[Weapon]) -> tuple[Number, ...]:
        return numbers(at, OwnWeapon, vars(carried.figures)) if carried.figures and not carried.listed else ()

    def suit(self, character: Character) -> str:
        """The choice of armour."""
        worn = character.worn
        return "" if worn is None else OWN if worn.figures and not worn.listed else worn.name

    def suit_figures(self, at: str, character: Character) -> tuple[Number, ...]:
        return numbers(at, ArmourFigures, vars(character.armour)) if self.suit(character) == OWN else ()

    def figures(self, character: Character) -> tuple[Derived, ...]:
        return figures_of(character, self.side)

    def summary(self, weapon: Weapon) -> str:
        if weapon.mode == "burst":
            return ngettext(
                "%(skill)s; bursts of %(num)s bullet, %(damage)s damage each",
                "%(skill)s; bursts of %(num)s bullets, %(damage)s damage each",
                weapon.bullets,
                skill=weapon.skill,
                damage=weapon.damage,
            )
        text = N_("%(skill)s; range %(range)s, damage %(damage)s ± %(extra)s, %(ap)s AP")
        return gettext(text, **vars(weapon))

    def attack(self, weapon: Weapon, character: Character) -> dict[str, int | str]:
        """The calculators' answers from the character and the weapon; others keep their defaults."""
        asked: dict[str, int | str] = {
            "skill": character.per_cent(weapon.skill, self.side.edition),
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


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    side = side_of(document, terms)
    file = side.edition.file
    costs = [(character.name, character.points) for character in side.characters]
    listed = (names_in(entries) for entries in (file.weapons, file.armour, file.items))
    weapons, armour, items = (tuple(name for name in names if not terms.bans(name)) for names in listed)
    shown = page(CHECKS, document, side, fields, file.origins, fixes, costs)
    return BuilderView(shown, side, document, weapons, armour, items, names_in(file.skills))


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
