"""The builder of the SNAFU game: the data of its page, and the document in its form.

Fields, with i, j, k counted from 0: ``name``, ``faction``; for each squad ``s{i}.name`` and ``s{i}.class``; for each of
its lines of models ``s{i}.m{j}.name``, ``.count``, the seven scores by their names, and ``.weapon`` (each); for each
own weapon ``w{k}.name`` and ``.was``, the name that the page was drawn with, ``.kind``, its figures, ``.energy`` and
``.assault``. Choices not yet made: ``add_class`` and ``add_profile``, ``s{i}.add_model``,
``s{i}.m{j}.add_weapon``. The button is ``do``.
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import count as count_from
from typing import Any

from validators.contract import Document, EditionInfo, Terms, UnreadableForce, Verdict
from validators.kit import forms
from validators.kit.builder import Option, OptionGroup, Page, groups, page
from validators.names import counted, fold
from validators.new_vegas.check import CHECKS
from validators.new_vegas.edition import SCORES, Edition
from validators.new_vegas.figures import of_force, of_model, of_squad
from validators.new_vegas.force import Force, Line, Squad, mustered, read_force
from validators.new_vegas.suggestions import fixes
from validators.sheet import Derived


@dataclass(frozen=True)
class SquadCard:
    """One squad of the force: its lines of models and its figures, each with derived figures."""

    squad: Squad
    lines: tuple[tuple[Line, tuple[Derived, ...]], ...]
    figures: tuple[Derived, ...]
    found: Verdict


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    page: Page
    force: Force
    squads: tuple[SquadCard, ...]
    classes: tuple[Option, ...]
    profiles: tuple[Option, ...]
    add_weapons: tuple[OptionGroup, ...]
    figures: tuple[Derived, ...]
    chosen: Mapping[str, str]
    """Choices not yet added by a button, by their fields."""


def builder(document: Document, terms: Terms, fields: Mapping[str, list[str]]) -> BuilderView:
    """The page of a canonical document under an event's terms, with everything that can be added to it."""
    force = mustered(document, terms)
    edition, verdict = force.edition, CHECKS.verdict(force)
    pressed = fields.get("do", [""])[0]
    return BuilderView(
        page=page(document, force, verdict, edition.factions.values(), fixes),
        force=force,
        squads=tuple(_card(squad, edition, verdict) for squad in force.squads),
        classes=tuple(
            Option(squad_class.name, None, counted(squad_class.markers, "force marker"))
            for squad_class in edition.classes.values()
            if not terms.bans(squad_class.name)
        ),
        profiles=tuple(
            Option(profile.name, None, f"{sum(profile.special)} points: {' '.join(map(str, profile.special))}")
            for profile in edition.profiles.values()
        ),
        add_weapons=_weapons(force),
        figures=of_force(force),
        chosen={} if pressed else {key: sent[0] for key, sent in fields.items() if "add_" in key and sent},
    )


def _card(squad: Squad, edition: Edition, verdict: Verdict) -> SquadCard:
    lines = tuple((line, of_model(line, edition)) for line in squad.lines)
    return SquadCard(squad, lines, of_squad(squad, edition), verdict.about(squad.place))


def _weapons(force: Force) -> tuple[OptionGroup, ...]:
    armoury, bans = force.edition.weapons, force.terms.bans
    kinds = {
        "Ranged": [weapon for weapon in armoury.values() if weapon.ranged],
        "Close combat": [weapon for weapon in armoury.values() if not weapon.ranged],
        "Own": [weapon for weapon in force.own_weapons if armoury.find(weapon.name) is None],
    }
    options = {
        title: [Option(w.name, None, w.figures) for w in kind if not bans(w.name)] for title, kind in kinds.items()
    }
    return groups(*options.items())


WEAPON_FIGURES = {
    "attacks": ("Attacks of {}", 1, 20),
    "armour_penetration": ("Armour Penetration of {}", 0, 20),
    "fire_power": ("Fire Power of {}", 0, 20),
    "range": ("Effective Range of {} in inches", 0, 99),
    "strength": ("Strength that {} asks for", 0, 5),
}
"""The figures of an own weapon with their labels, and the least and most in the force file."""


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    """The submitted form's document, changed by its button."""
    form = forms.head(fields, document, edition) | {
        "squads": [_squad(fields, i) for i in forms.numbers(fields, "s")],
        "weapons": [_weapon(fields, k) for k in forms.numbers(fields, "w")],
    }
    lists: Edition = edition.lists
    renamed = _renamed(fields, lists)
    for line in (line for squad in form["squads"] for line in squad["models"]):
        line["weapons"] = [renamed.get(fold(name), name) for name in line["weapons"]]
    forms.apply_button(
        form,
        fields,
        {
            "add-squad": partial(_add_squad, lists),
            "remove-squad": forms.remove("squads"),
            "duplicate-squad": _duplicate_squad,
            **forms.moves("squads"),
            "add-line": partial(_add_line, lists),
            "remove-line": forms.remove("squads", "models"),
            "add-weapon": partial(_add_weapon, renamed),
            "remove-weapon": forms.remove("squads", "models", "weapons"),
            "add-own-weapon": _add_own_weapon,
            "remove-own-weapon": forms.remove("weapons"),
        },
    )
    return read_force(form, edition)


def _renamed(fields: forms.Fields, edition: Edition) -> dict[str, str]:
    """New names of own weapons by their folded names on the page, so that their carriers keep them.

    A model with a weapon of an armoury name carries the armoury's, whatever happens to an own weapon with that name.
    """
    names = {fold(forms.text(fields, f"w{k}.was")): _weapon_name(fields, k) for k in forms.numbers(fields, "w")}
    return {was: name for was, name in names.items() if was and was not in edition.weapons}


def _squad(fields: forms.Fields, i: int) -> dict[str, Any]:
    return {
        "name": forms.text(fields, f"s{i}.name") or f"Squad {i + 1}",
        "class": forms.text(fields, f"s{i}.class"),
        "models": [_line(fields, at) for at in forms.prefixes(fields, f"s{i}.m")],
    }


def _line(fields: forms.Fields, at: str) -> dict[str, Any]:
    name = forms.text(fields, f"{at}.name") or "Model"
    return {
        "name": name,
        "count": forms.count(fields, f"{at}.count", name),
        "special": {
            score: forms.number(fields, f"{at}.{score}", f"{score.capitalize()} of {name}"[:80], 0, 99)
            for score in SCORES
        },
        "weapons": forms.texts(fields, f"{at}.weapon"),
    }


def _weapon(fields: forms.Fields, k: int) -> dict[str, Any]:
    name = _weapon_name(fields, k)
    figures = {
        key: forms.number(fields, f"w{k}.{key}", label.format(name[:40]), least, most)
        for key, (label, least, most) in WEAPON_FIGURES.items()
    }
    marks = {key: bool(forms.text(fields, f"w{k}.{key}")) for key in ("energy", "assault")}
    return {"name": name, "kind": forms.text(fields, f"w{k}.kind") or "ranged", **figures, **marks}


def _weapon_name(fields: forms.Fields, k: int) -> str:
    return forms.text(fields, f"w{k}.name") or f"Own weapon {k + 1}"


def _add_squad(edition: Edition, form: Document, fields: forms.Fields) -> None:
    named = forms.text(fields, "add_class")
    if not named:
        raise UnreadableForce("Choose the class of the new squad first.")
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


def _add_line(edition: Edition, form: Document, fields: forms.Fields, i: int) -> None:
    profile = edition.profiles.find(forms.text(fields, f"s{i}.add_model"))
    if profile is None:
        raise UnreadableForce("Choose a model to start from first.")
    form["squads"][i]["models"].append(profile.line(1))


def _add_weapon(renamed: Mapping[str, str], form: Document, fields: forms.Fields, i: int, j: int) -> None:
    name = forms.text(fields, f"s{i}.m{j}.add_weapon")
    if not name:
        raise UnreadableForce("Choose a weapon first.")
    form["squads"][i]["models"][j]["weapons"].append(renamed.get(fold(name), name))


def _add_own_weapon(form: Document, fields: forms.Fields) -> None:
    form["weapons"].append({"name": _free_name(form["weapons"], "Own weapon"), "range": 6})
