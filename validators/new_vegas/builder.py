"""The builder of the SNAFU game: the data of its page, and the document in its form.

The form also sends ``w{k}.was``, the name of an own weapon when the page was drawn, and choices not yet made:
``add_class`` and ``add_profile``, ``s{i}.add_model``, ``s{i}.m{j}.add_weapon``.
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import count as count_from

from languages.words import N_, apart, gettext, ngettext
from validators.contract import Document, EditionInfo, Terms, UnreadableForce
from validators.kit import forms
from validators.kit.builder import Number, Option, OptionGroup, Page, groups, numbers, page, usual_first
from validators.names import fold
from validators.new_vegas.check import CHECKS
from validators.new_vegas.edition import Edition, Profile, Weapon
from validators.new_vegas.figures import of_force, of_model, of_squad
from validators.new_vegas.force import Force, ForceFile, OwnWeapon, Special, Squad, SquadLine, mustered, read_force
from validators.new_vegas.suggestions import fixes
from validators.sheet import Derived, copies


@dataclass(frozen=True)
class BuilderView:
    page: Page
    force: Force
    weapons: tuple[OptionGroup, ...]
    classes: tuple[Option, ...]
    profiles: tuple[Option, ...]

    @property
    def kinds(self) -> tuple[Option, ...]:
        return Option(gettext("Ranged"), None, value="ranged"), Option(gettext("Close combat"), None, value="melee")

    @property
    def figures(self) -> tuple[Derived, ...]:
        return of_force(self.force)

    def figures_of(self, part: Squad | SquadLine) -> tuple[Derived, ...]:
        edition = self.force.edition
        return of_squad(part, edition) if isinstance(part, Squad) else of_model(part, edition)

    def scores(self, at: str, line: SquadLine) -> tuple[Number, ...]:
        return numbers(at, Special, vars(line.special), line.name)

    def own_figures(self, at: str, weapon: Weapon) -> tuple[Number, ...]:
        return numbers(at, OwnWeapon, vars(weapon), weapon.name)

    def to_add(self, line: SquadLine) -> tuple[OptionGroup, ...]:
        others = (one for _, one in self.force.lines if fold(one.name) == fold(line.name) and one is not line)
        return usual_first(self.weapons, (weapon.name for one in others for weapon in one.weapons))

    def carried(self, squad: Squad) -> str:
        return apart(map(_carried, squad.lines))


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    force = mustered(document, terms)
    edition = force.edition
    costs = [(squad.name, squad.points) for squad in force.squads]
    classes = (
        (class_.name, ngettext("%(num)s force marker", "%(num)s force markers", class_.markers))
        for class_ in edition.classes.values()
        if not terms.bans(class_.name)
    )
    return BuilderView(
        page=page(CHECKS, document, force, fields, edition.factions.values(), fixes, costs),
        force=force,
        weapons=_weapons(force),
        classes=tuple(Option(name, None, note) for name, note in classes),
        profiles=tuple(Option(profile.name, None, _scores_note(profile)) for profile in edition.profiles.values()),
    )


def _scores_note(profile: Profile) -> str:
    scores = " ".join(map(str, profile.special))
    return ngettext("%(num)s point: %(scores)s", "%(num)s points: %(scores)s", sum(profile.special), scores=scores)


def _carried(line: SquadLine) -> str:
    weapons, models = ", ".join(weapon.name for weapon in line.weapons), copies(line.count, line.name)
    return gettext("%(models)s with %(weapons)s", models=models, weapons=weapons) if weapons else models


def _weapons(force: Force) -> tuple[OptionGroup, ...]:
    armoury, bans = force.edition.weapons, force.terms.bans
    kinds = {
        N_("Ranged"): [weapon for weapon in armoury.values() if weapon.ranged],
        N_("Close combat"): [weapon for weapon in armoury.values() if not weapon.ranged],
        N_("Own"): [weapon for weapon in force.own_weapons if armoury.find(weapon.name) is None],
    }
    options = {
        title: [Option(w.name, None, w.figures) for w in kind if not bans(w.name)] for title, kind in kinds.items()
    }
    return groups(*options.items())


LETTERS = {"squads": "s", "models": "m", "weapons": "w"}


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    form, lists = forms.document(fields, document, edition, ForceFile, LETTERS), edition.lists
    renamed = _renamed(fields, lists)
    for line in (line for squad in form["squads"] for line in squad["models"]):
        line["weapons"] = [renamed.get(fold(name), name) for name in line["weapons"]]
    forms.apply_button(
        form,
        fields,
        {
            **forms.cards("squad", "squads"),
            "add-squad": partial(_add_squad, lists),
            "duplicate-squad": _duplicate_squad,
            **forms.rows("line", "s{}.add_model", "squads", "models", make=partial(_line_of, lists)),
            **forms.rows(
                "weapon", "s{}.m{}.add_weapon", "squads", "models", "weapons", make=partial(_weapon_of, renamed)
            ),
            "add-own-weapon": _add_own_weapon,
            "remove-own-weapon": forms.remove("weapons"),
        },
    )
    return read_force(form, edition)


def _renamed(fields: forms.Fields, edition: Edition) -> dict[str, str]:
    """New names of own weapons by their folded names on the page, so that their carriers keep them.

    A model with a weapon of an armoury name carries the armoury's, whatever happens to an own weapon with that name.
    """
    own = forms.rows_of(fields, "w")
    names = {fold(forms.text(fields, f"{at}was")): forms.text(fields, f"{at}name") for at in own}
    return {was: name for was, name in names.items() if was and was not in edition.weapons}


def _add_squad(edition: Edition, form: Document, fields: forms.Fields) -> None:
    named = forms.text(fields, "add_class")
    if not named:
        raise UnreadableForce(gettext("Choose the class of the new squad first."))
    profile = edition.profiles.find(forms.text(fields, "add_profile"))
    name = _free_name(form["squads"], edition.classes.spelling(named))
    form["squads"].append({"name": name, "class": named, "models": [profile.line(1)] if profile else []})


def _free_name(named: list[Document], stem: str) -> str:
    """The stem with the first number that none of these has."""
    taken = {fold(entry["name"]) for entry in named}
    return next(name for n in count_from(1) if fold(name := f"{stem} {n}") not in taken)


def _duplicate_squad(form: Document, fields: forms.Fields, i: int) -> None:
    squads = form["squads"]
    name = _free_name(squads, re.sub(r" \d+$", "", squads[i]["name"])[:76])
    squads.insert(i + 1, deepcopy(squads[i]) | {"name": name})


def _line_of(edition: Edition, named: str) -> Document:
    profile = edition.profiles.find(named)
    if profile is None:
        raise UnreadableForce(gettext("Choose a model to start from first."))
    return profile.line(1)


def _weapon_of(renamed: Mapping[str, str], named: str) -> str:
    if not named:
        raise UnreadableForce(gettext("Choose a weapon first."))
    return renamed.get(fold(named), named)


def _add_own_weapon(form: Document, fields: forms.Fields) -> None:
    form["weapons"].append({"name": _free_name(form["weapons"], "Own weapon"), "range": 6})
