"""What the builder page of Fallout: Warfare shows: the army with every choice, cost and finding beside it.

The page's form holds the whole document (see ``form``), so whatever stands in it is shown with a field of its own,
known to the lists or not: nothing is lost by saving.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from validators.contract import Document, Finding, Mending, Terms, Verdict
from validators.fallout_warfare.check import verdict_on
from validators.fallout_warfare.edition import RANKS, Rank, Troop
from validators.fallout_warfare.figure_rules import ITEMS_ALLOWED
from validators.fallout_warfare.figures import Figures, Squad
from validators.fallout_warfare.mending import mendings
from validators.fallout_warfare.priced import Army, priced
from validators.form_fields import Fields


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen: the field's value, its words, and its cost (None where none is printed)."""

    value: str
    name: str
    points: int | None


@dataclass(frozen=True)
class OptionGroup:
    """Options under one heading."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Had:
    """A thing that figures have, at its place in its list; ``known`` to the lists or not."""

    place: int
    name: str
    points: int
    known: bool
    level: int = 0
    """Of a skill."""


@dataclass(frozen=True)
class LineCard:
    """One line of figures with all that is chosen and all that can be added."""

    place: int
    name: str
    label: str
    known: bool
    rank: str
    ranks: tuple[Option, ...]
    """Those of the entry, and the one that stands there."""
    count: int
    each: int
    points: int
    weapon: Had | None
    weapons: tuple[Option, ...]
    """Those that may be taken; none where the figures carry none."""
    grenades: int
    takes_grenades: bool
    items: tuple[Had, ...]
    add_items: tuple[Option, ...]
    hero: bool
    level: int
    levels: tuple[Option, ...]
    free_skills: str
    skills: tuple[Had, ...]
    add_skills: tuple[str, ...]


@dataclass(frozen=True)
class SquadCard:
    """One squad with its lines, and what is found about it."""

    place: int
    name: str
    title: str
    points: int
    lines: tuple[LineCard, ...]
    add_lines: tuple[OptionGroup, ...]
    problems: tuple[Finding, ...]
    queries: tuple[Finding, ...]


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    name: str
    faction: str
    factions: tuple[str, ...]
    """What may be chosen; empty once squads are in."""
    edition: str
    squads: tuple[SquadCard, ...]
    add_squads: tuple[OptionGroup, ...]
    vehicles: tuple[Had, ...]
    add_vehicles: tuple[Option, ...]
    mines: int
    mines_allowed: int
    size: int
    total: int
    left: int
    heroes: int
    heroes_allowed: int
    hero_points: int
    hero_points_allowed: int
    verdict: Verdict
    mendings: tuple[Mending, ...]


def builder(document: Document, terms: Terms, fields: Fields) -> BuilderView:
    """A canonical document at an event's terms, ready for the page; nothing is searched for there."""
    army = priced(document, terms)
    verdict = verdict_on(army)
    return BuilderView(
        name=document["name"],
        faction=army.faction_name,
        factions=() if army.squads else tuple(name for name in army.edition.fielded if army.open_to(name)),
        edition=army.edition.name,
        squads=tuple(_squad_card(squad, army, verdict) for squad in army.squads),
        add_squads=_squads_to_add(army),
        vehicles=tuple(
            Had(k, drive.name, drive.points, drive.entry is not None) for k, drive in enumerate(army.vehicles)
        ),
        add_vehicles=tuple(
            Option(vehicle.name, vehicle.name, army.edition.vehicle_points(vehicle, army.faction_name))
            for vehicle in army.edition.vehicles
            if not army.banned(vehicle.name)
        ),
        mines=army.mines,
        mines_allowed=3 * army.skilled("Traps"),
        size=army.size,
        total=army.total,
        left=army.size - army.total,
        heroes=army.hero_count,
        heroes_allowed=army.heroes_allowed,
        hero_points=army.hero_points,
        hero_points_allowed=army.hero_points_allowed,
        verdict=verdict,
        mendings=() if verdict.legal else mendings(document, terms),
    )


def _squad_card(squad: Squad, army: Army, verdict: Verdict) -> SquadCard:
    return SquadCard(
        place=squad.place,
        name=squad.name,
        title="Hero alone" if squad.lone_hero else f"Squad {squad.place + 1}",
        points=squad.points,
        lines=tuple(_line_card(model, army) for model in squad.models),
        add_lines=_lines_to_add(squad, army),
        problems=_about(squad, verdict.problems),
        queries=_about(squad, verdict.queries),
    )


def _line_card(model: Figures, army: Army) -> LineCard:
    edition = army.edition
    ranks = [rank for rank in RANKS if model.troop is None or rank in model.troop.ranks or rank == model.rank]
    free = model.troop.free_skills(model.rank) if model.troop else {}
    taken = {skill.name for skill in model.skills}
    held = model.weapon_name
    weapons = [w for w in edition.weapons if w.points and not w.each and (w.name == held or not army.banned(w.name))]
    items = (i for i in edition.items if not army.banned(i.name) and _fits(i.intelligence, i.faction, model))
    levels = range(1, len(edition.level_xp) + 1)
    return LineCard(
        place=model.place,
        name=model.name,
        label=model.label,
        known=model.profile is not None,
        rank=model.rank,
        ranks=tuple(Option(rank, rank.capitalize(), _points(model.troop, rank)) for rank in ranks),
        count=model.count,
        each=model.each,
        points=model.points,
        weapon=Had(0, held, model.weapon.points if model.weapon else 0, model.weapon is not None) if held else None,
        weapons=tuple(Option(w.name, w.name, w.points) for w in weapons) if model.may_be_armed or held else (),
        grenades=model.grenades,
        takes_grenades=model.may_be_armed or model.grenades > 0,
        items=tuple(
            Had(k, item.name, item.entry.points if item.entry else 0, item.entry is not None)
            for k, item in enumerate(model.items)
        ),
        add_items=tuple(Option(i.name, i.name, i.points) for i in items) if ITEMS_ALLOWED[model.rank] else (),
        hero=model.hero,
        level=model.level,
        levels=tuple(Option(str(n), f"Level {n}", edition.level_points(n)) for n in levels),
        free_skills=", ".join(f"{name} ({level})" for name, level in free.items()),
        skills=tuple(Had(k, skill.name, 0, skill.known, skill.level) for k, skill in enumerate(model.skills)),
        add_skills=tuple(s for s in edition.skills if s not in taken and not army.banned(s)) if model.hero else (),
    )


def _fits(intelligence: int, faction: str | None, model: Figures) -> bool:
    if model.profile is None or model.troop is None:
        return True
    return model.profile.statistic("IN") >= intelligence and faction in (None, model.troop.faction)


def _points(troop: Troop | None, rank: Rank) -> int | None:
    profile = troop.ranks.get(rank) if troop else None
    return profile.points if profile else None


def _squads_to_add(army: Army) -> tuple[OptionGroup, ...]:
    """The army's own lists first: a squad of each kind, then heroes alone, then the squads of other lists."""
    own = [troop for troop in army.edition.troops if troop.faction == army.faction and not army.banned(troop.name)]
    others = [t for t in army.edition.troops if t.faction != army.faction and not army.banned(t.name)]
    groups = (
        OptionGroup("Squads", _squad_options(own)),
        OptionGroup(
            "Heroes alone",
            tuple(
                Option(f"hero:{t.name}", f"{t.name}, hero", t.ranks["hero"].points) for t in own if "hero" in t.ranks
            ),
        ),
        OptionGroup("Squads of other lists, up to a quarter", _squad_options(others)),
    )
    return tuple(group for group in groups if group.options)


def _squad_options(troops: Iterable[Troop]) -> tuple[Option, ...]:
    """Troops that a squad can be made of; beasts are added to their Beastlord's squad."""
    return tuple(
        Option(f"squad:{t.name}", t.name, _points(t, "squadleader" if t.kind == "beastlord" else "grunt"))
        for t in troops
        if not t.beast and any(profile.points is not None for profile in t.ranks.values())
    )


def _lines_to_add(squad: Squad, army: Army) -> tuple[OptionGroup, ...]:
    """Who fits the squad first: its own kinds, or beasts for a Beastlord; then everybody else of the army's lists."""
    kinds = {model.name for model in squad.models}
    troops = [troop for troop in army.edition.troops if not army.banned(troop.name)]
    first = [t for t in troops if t.name in kinds or (squad.of_beasts and t.beast)]
    factions = {army.faction, *(model.troop.faction for model in squad.models if model.troop)}
    rest = [t for t in troops if t not in first and t.faction in factions]
    groups = (OptionGroup("For this squad", _line_options(first)), OptionGroup("Others", _line_options(rest)))
    return tuple(group for group in groups if group.options)


def _line_options(troops: Iterable[Troop]) -> tuple[Option, ...]:
    return tuple(
        Option(f"{rank}:{troop.name}", troop.name if rank == "grunt" else f"{troop.name}, {rank}", profile.points)
        for troop in troops
        for rank, profile in troop.ranks.items()
    )


def _about(squad: Squad, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if squad.place in finding.places)
