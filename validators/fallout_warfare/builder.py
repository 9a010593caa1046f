"""The builder of Fallout: Warfare: the data of its page, and the document in its form.

Fields, with i, j, k counted from 0: ``name``, ``faction`` (while there are no squads), ``mines``; for each squad
``s{i}.name``, for each line of figures in it ``s{i}.m{j}.name``, ``.rank``, ``.count``, ``.weapon``, ``.grenades``,
``.level``, ``.item`` (each item), ``.k{k}.skill`` with ``.k{k}.level``; ``v{k}.name`` for vehicles. Choices not yet
made: ``add_model`` (a squad), ``s{i}.add_line``, ``s{i}.m{j}.add_item``, ``s{i}.m{j}.add_skill``,
``add_vehicle``. The button is ``do``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.fallout_warfare.check import CHECKS
from validators.fallout_warfare.edition import RANKS, Edition, Rank, Troop
from validators.fallout_warfare.force import Army, Figures, Squad, priced, read_force
from validators.fallout_warfare.force_rules import ITEMS_ALLOWED
from validators.fallout_warfare.suggestions import figures, fixes
from validators.kit import forms
from validators.kit.builder import Option, OptionGroup, Page, groups, page
from validators.names import counted


@dataclass(frozen=True)
class LineCard:
    """One line of figures, with everything that can be chosen for it."""

    line: Figures
    ranks: tuple[Option, ...]
    """The entry's ranks, and the line's own."""
    weapons: tuple[Option, ...]
    """The allowed weapons; empty if the figures carry none."""
    add_items: tuple[Option, ...]
    levels: tuple[Option, ...]
    add_skills: tuple[str, ...]


@dataclass(frozen=True)
class SquadCard:
    """One squad with its lines and findings."""

    squad: Squad
    lines: tuple[LineCard, ...]
    add_lines: tuple[OptionGroup, ...]
    found: Verdict


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    page: Page
    army: Army
    squads: tuple[SquadCard, ...]
    add_squads: tuple[OptionGroup, ...]
    add_vehicles: tuple[Option, ...]


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    """The page of a canonical document under an event's terms."""
    army = priced(document, terms)
    edition, verdict = army.edition, CHECKS.verdict(army)
    return BuilderView(
        page=page(document, army, verdict, () if army.squads else edition.fielded, fixes),
        army=army,
        squads=tuple(
            SquadCard(
                squad,
                tuple(_line_card(model, army) for model in squad.models),
                _lines_to_add(squad, army),
                verdict.about(squad.place),
            )
            for squad in army.squads
        ),
        add_squads=_squads_to_add(army),
        add_vehicles=tuple(
            Option(vehicle.name, edition.vehicle_points(vehicle, army.faction_name))
            for vehicle in edition.vehicles
            if not terms.bans(vehicle.name)
        ),
    )


def _line_card(model: Figures, army: Army) -> LineCard:
    edition, bans, held = army.edition, army.terms.bans, model.weapon_name
    ranks = [rank for rank in RANKS if model.troop is None or rank in model.troop.ranks or rank == model.rank]
    taken = {skill.name for skill in model.skills}
    weapons = [w for w in edition.weapons if w.points and not w.each and (w.name == held or not bans(w.name))]
    items = (i for i in edition.items if not bans(i.name) and _fits(i.intelligence, i.faction, model))
    levels = range(1, len(edition.level_xp) + 1)
    return LineCard(
        line=model,
        ranks=tuple(Option(rank.capitalize(), _points(model.troop, rank), value=rank) for rank in ranks),
        weapons=tuple(Option(w.name, w.points) for w in weapons) if model.may_be_armed or held else (),
        add_items=tuple(Option(i.name, i.points) for i in items) if ITEMS_ALLOWED[model.rank] else (),
        levels=tuple(Option(f"Level {n}", edition.level_points(n), value=str(n)) for n in levels),
        add_skills=tuple(s for s in edition.skills if s not in taken and not bans(s)) if model.hero else (),
    )


def _fits(intelligence: int, faction: str | None, model: Figures) -> bool:
    if model.profile is None or model.troop is None:
        return True
    return model.profile.statistic("IN") >= intelligence and faction in (None, model.troop.faction)


def _points(troop: Troop | None, rank: Rank) -> int | None:
    profile = troop.ranks.get(rank) if troop else None
    return profile.points if profile else None


def _squads_to_add(army: Army) -> tuple[OptionGroup, ...]:
    """Options from the army's own lists first: a squad of each kind, then single heroes, then squads of other lists."""
    troops = [troop for troop in army.edition.troops if not army.terms.bans(troop.name)]
    own = [troop for troop in troops if troop.faction == army.faction]
    heroes = (
        Option(f"{t.name}, hero", t.ranks["hero"].points, value=f"hero:{t.name}") for t in own if "hero" in t.ranks
    )
    others = [troop for troop in troops if troop.faction != army.faction]
    return groups(
        ("Squads", _squad_options(own)),
        ("Heroes alone", heroes),
        ("Squads of other lists, up to a quarter", _squad_options(others)),
    )


def _squad_options(troops: Iterable[Troop]) -> Iterator[Option]:
    """The troops of which a squad can be made; beasts are added to their Beastlord's squad."""
    for troop in troops:
        if not troop.beast and any(profile.points is not None for profile in troop.ranks.values()):
            first = _first_figures(troop, "squad", troop.name)
            costs = [(each["count"], _points(troop, each["rank"])) for each in first]
            printed = [count * points for count, points in costs if points is not None]
            note = counted(sum(count for count, _ in costs), "figure")
            yield Option(troop.name, sum(printed) if len(printed) == len(costs) else None, note, f"squad:{troop.name}")


def _lines_to_add(squad: Squad, army: Army) -> tuple[OptionGroup, ...]:
    """Figures that fit the squad first (its own kinds, or beasts for a Beastlord), then all others of its factions."""
    kinds = {model.name for model in squad.models}
    troops = [troop for troop in army.edition.troops if not army.terms.bans(troop.name)]
    first = [t for t in troops if t.name in kinds or (squad.of_beasts and t.beast)]
    factions = {army.faction, *(model.troop.faction for model in squad.models if model.troop)}
    rest = [t for t in troops if t not in first and t.faction in factions]
    return groups(("For this squad", _line_options(first)), ("Others", _line_options(rest)))


def _line_options(troops: Iterable[Troop]) -> Iterator[Option]:
    for troop in troops:
        for rank, profile in troop.ranks.items():
            name = troop.name if rank == "grunt" else f"{troop.name}, {rank}"
            yield Option(name, profile.points, value=f"{rank}:{troop.name}")


FIRST_GRUNTS = 3
"""The number of grunts in a new squad."""


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    """The submitted form's document, changed by its button."""
    form = forms.head(fields, document, edition) | {
        "squads": [_squad(fields, at) for at in forms.prefixes(fields, "s")],
        "vehicles": [forms.text(fields, f"{at}.name") for at in forms.prefixes(fields, "v")],
        "mines": forms.number(fields, "mines", "Mines", 0, 99),
    }
    forms.apply_button(form, fields, {**_COMMANDS, "add-model": partial(_add_squad, edition.lists)})
    return read_force(form, edition)


def _squad(fields: forms.Fields, at: str) -> dict[str, Any]:
    lines = [_line(fields, line) for line in forms.prefixes(fields, f"{at}.m")]
    return {"name": forms.text(fields, f"{at}.name"), "models": lines}


def _line(fields: forms.Fields, at: str) -> dict[str, Any]:
    name = forms.text(fields, f"{at}.name")
    return {
        "name": name,
        "rank": forms.text(fields, f"{at}.rank") or "grunt",
        "count": forms.count(fields, f"{at}.count", name[:80]),
        "weapon": forms.text(fields, f"{at}.weapon"),
        "grenades": forms.number(fields, f"{at}.grenades", f"Grenades of {name[:80]}", 0, 99),
        "items": forms.texts(fields, f"{at}.item"),
        "level": forms.number(fields, f"{at}.level", f"Level of {name[:80]}", 1, 99),
        "skills": [
            {
                "name": forms.text(fields, f"{skill}.skill"),
                "level": forms.number(fields, f"{skill}.level", "Skill level", 1, 99, empty=5),
            }
            for skill in forms.prefixes(fields, f"{at}.k", "skill")
        ],
    }


def _add_squad(edition: Edition, form: Document, fields: forms.Fields) -> None:
    """Add the choice "squad:Knight" or "hero:Knight": a squad with its squadleader, or a single hero."""
    kind, _, name = forms.text(fields, "add_model").partition(":")
    if name:
        form["squads"].append({"name": "", "models": _first_figures(edition.by_name.troops.find(name), kind, name)})


def _first_figures(troop: Troop | None, kind: str, name: str) -> list[dict[str, Any]]:
    if kind == "hero" or (troop and troop.kind == "beastlord"):
        return [figures(name, "hero" if kind == "hero" else "squadleader", 1)]
    leads = [figures(name, "squadleader", 1)] if troop and "squadleader" in troop.ranks else []
    return [*leads, figures(name, "grunt", FIRST_GRUNTS)]


def _add_line(form: Document, fields: forms.Fields, i: int) -> None:
    squad = form["squads"][i]
    rank, _, name = forms.text(fields, f"s{i}.add_line").partition(":")
    if name and rank in RANKS:
        squad["models"].append(figures(name, rank, 1))


_COMMANDS: forms.Commands = {
    "remove-model": forms.remove("squads"),
    "duplicate-model": forms.duplicate("squads", name=""),
    **forms.moves("squads"),
    "add-line": _add_line,
    "remove-line": forms.remove("squads", "models"),
    "add-item": forms.append("s{}.m{}.add_item", "squads", "models", "items"),
    "remove-item": forms.remove("squads", "models", "items"),
    "add-skill": forms.append(
        "s{}.m{}.add_skill", "squads", "models", "skills", make=lambda name: {"name": name, "level": 5}
    ),
    "remove-skill": forms.remove("squads", "models", "skills"),
    "add-vehicle": forms.append("add_vehicle", "vehicles"),
    "remove-vehicle": forms.remove("vehicles"),
}
