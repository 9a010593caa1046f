"""The builder of Fallout: Warfare: the data of its page, and the document in its form.

The form also sends choices not yet made: ``add_model`` (a squad), ``s{i}.add_line``, ``s{i}.m{j}.add_item``,
``s{i}.m{j}.add_skill``, ``add_vehicle``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from languages.words import N_, apart, capital, gettext, ngettext
from validators.contract import Document, EditionInfo, Terms
from validators.fallout_warfare.check import CHECKS, figures_line, mines_line
from validators.fallout_warfare.edition import RANKS, Edition, Rank, Troop
from validators.fallout_warfare.figure_rules import ITEMS_ALLOWED
from validators.fallout_warfare.force import Army, Figures, Squad, priced
from validators.fallout_warfare.force_file import ForceFile, read_force
from validators.fallout_warfare.suggestions import figures, fixes
from validators.kit import forms
from validators.kit.builder import Option, OptionGroup, Page, groups, page, usual_first


@dataclass(frozen=True)
class BuilderView:
    page: Page
    army: Army
    add_squads: tuple[OptionGroup, ...]
    add_vehicles: tuple[Option, ...]

    def carried(self, squad: Squad) -> str:
        return apart(map(figures_line, squad.models))

    def ranks(self, model: Figures) -> tuple[Option, ...]:
        """The entry's ranks, and the line's own."""
        ranks = [rank for rank in RANKS if model.troop is None or rank in model.troop.ranks or rank == model.rank]
        return tuple(Option(capital(gettext(rank)), None, value=rank) for rank in ranks)

    def weapons(self, model: Figures) -> tuple[Option, ...]:
        """The allowed weapons; empty if the figures carry none."""
        held, bans = model.weapon_name, self.army.terms.bans
        known = [
            w for w in self.army.edition.weapons if w.points and not w.each and (w.name == held or not bans(w.name))
        ]
        return tuple(Option(w.name, w.points) for w in known) if model.may_be_armed or held else ()

    def add_items(self, model: Figures) -> tuple[OptionGroup, ...]:
        if not ITEMS_ALLOWED[model.rank]:
            return ()
        items = (
            Option(i.name, i.points, times=model.count)
            for i in self.army.edition.items
            if not self.army.terms.bans(i.name) and _fits(i.intelligence, i.faction, model)
        )
        others = (
            a_model
            for a_model in self.army.models
            if a_model.troop and a_model.troop is model.troop and a_model is not model
        )
        return usual_first(groups(("", items)), (item.name for one in others for item in one.items))

    @property
    def levels(self) -> tuple[Option, ...]:
        edition = self.army.edition
        known = range(1, len(edition.level_xp) + 1)
        return tuple(Option(gettext("Level %(level)s", level=n), edition.level_points(n), value=str(n)) for n in known)

    def add_skills(self, model: Figures) -> tuple[str, ...]:
        taken, bans = {skill.name for skill in model.skills}, self.army.terms.bans
        return tuple(s for s in self.army.edition.skills if s not in taken and not bans(s)) if model.hero else ()

    def add_lines(self, squad: Squad) -> tuple[OptionGroup, ...]:
        """Figures that fit the squad first (its own kinds, or beasts for a Beastlord), then others of its factions."""
        army, kinds = self.army, {model.name for model in squad.models}
        troops = [troop for troop in army.edition.troops if not army.terms.bans(troop.name)]
        first = [t for t in troops if t.name in kinds or (squad.of_beasts and t.beast)]
        factions = {army.faction, *(model.troop.faction for model in squad.models if model.troop)}
        rest = [t for t in troops if t not in first and t.faction in factions]
        return groups((N_("For this squad"), _line_options(first)), (N_("Others"), _line_options(rest)))


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    army = priced(document, terms)
    edition = army.edition
    fixed = army.squads and edition.by_name.factions.find(army.faction_name)
    return BuilderView(
        page=page(CHECKS, document, army, fields, () if fixed else edition.fielded, fixes, _costs(army)),
        army=army,
        add_squads=_squads_to_add(army),
        add_vehicles=tuple(
            Option(vehicle.name, edition.vehicle_points(vehicle, army.faction_name))
            for vehicle in edition.vehicles
            if not terms.bans(vehicle.name)
        ),
    )


def _costs(army: Army) -> Iterator[tuple[str, int]]:
    for squad in army.squads:
        yield squad.title, squad.points
    yield from ((vehicle.name, vehicle.points) for vehicle in army.vehicles)
    if army.mines:
        yield mines_line(army), army.mine_points


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
        Option(gettext("%(name)s, hero", name=t.name), t.ranks["hero"].points, value=f"hero:{t.name}")
        for t in own
        if "hero" in t.ranks
    )
    others = [troop for troop in troops if troop.faction != army.faction]
    return groups(
        (N_("Squads"), _squad_options(own)),
        (N_("Heroes alone"), heroes),
        (N_("Squads of other lists, up to a quarter"), _squad_options(others)),
    )


UNPRICED = N_("no printed cost")


def _squad_options(troops: Iterable[Troop]) -> Iterator[Option]:
    """The troops of which a squad can be made; beasts are added to their Beastlord's squad."""
    for troop in troops:
        if not troop.beast and any(profile.points is not None for profile in troop.ranks.values()):
            first = _first_figures(troop, "squad", troop.name)
            costs = [(each["count"], _points(troop, each["rank"])) for each in first]
            printed = [count * points for count, points in costs if points is not None]
            note = ngettext("%(num)s figure", "%(num)s figures", sum(count for count, _ in costs))
            cost = sum(printed) if len(printed) == len(costs) else None
            note += "" if cost is not None else f", {gettext(UNPRICED)}"
            yield Option(troop.name, cost, note, f"squad:{troop.name}")


def _line_options(troops: Iterable[Troop]) -> Iterator[Option]:
    for troop in troops:
        for rank, profile in troop.ranks.items():
            name = troop.name if rank == "grunt" else f"{troop.name}, {gettext(rank)}"
            unpriced = gettext(UNPRICED) if profile.points is None else ""
            yield Option(name, profile.points, unpriced, f"{rank}:{troop.name}")


FIRST_GRUNTS = 3
"""The number of grunts in a new squad."""


LETTERS = {"squads": "s", "models": "m", "skills": "k"}


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    form = forms.document(fields, document, edition, ForceFile, LETTERS)
    forms.apply_button(form, fields, {**COMMANDS, "add-model": partial(_add_squad, edition.lists)})
    return read_force(form, edition)


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


COMMANDS: forms.Commands = {
    **forms.cards("model", "squads", name=""),
    "add-line": _add_line,
    "remove-line": forms.remove("squads", "models"),
    **forms.rows("item", "s{}.m{}.add_item", "squads", "models", "items"),
    **forms.rows(
        "skill", "s{}.m{}.add_skill", "squads", "models", "skills", make=lambda name: {"name": name, "level": 5}
    ),
    **forms.rows("vehicle", "add_vehicle", "vehicles"),
}
