"""The check of a Fallout: Warfare army: every rule's function in the order of the rules, then the queries."""

from collections.abc import Callable, Iterable, Mapping

from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms, Verdict
from validators.fallout_warfare import army_rules, event_rules, figure_rules, squad_rules
from validators.fallout_warfare.figures import Figures, Squad
from validators.fallout_warfare.priced import Army, price, priced

Judge = Callable[[Army], Iterable[Finding]]

JUDGES: Mapping[str, Judge] = {
    "fw.size": army_rules.size,
    "fw.faction": army_rules.faction,
    "fw.cost": figure_rules.cost,
    "fw.rank": figure_rules.rank,
    "fw.leader": squad_rules.leader,
    "fw.squad": squad_rules.squad_size,
    "fw.mixed": squad_rules.mixed,
    "fw.beasts": squad_rules.beasts,
    "fw.alpha": squad_rules.alpha,
    "fw.heroes": army_rules.heroes,
    "fw.hero-points": army_rules.hero_points,
    "fw.restricted": army_rules.restricted,
    "fw.weapon": figure_rules.weapon,
    "fw.items": figure_rules.items,
    "fw.needs": figure_rules.needs,
    "fw.level": figure_rules.level,
    "fw.skills": figure_rules.skills,
    "fw.vehicle": army_rules.pilot,
    "fw.vehicle-limit": army_rules.vehicle_limit,
    "fw.mines": army_rules.mines,
    "fw.event.sideboard": event_rules.sideboard,
}
"""Who finds the problems under each id, in the order of the messages."""

QUERIES: tuple[Judge, ...] = (
    army_rules.faction_of_the_size,
    squad_rules.squad_size_asked,
    squad_rules.mixed_leader,
    squad_rules.beasts_asked,
    army_rules.hero_points_equipped,
    army_rules.restricted_asked,
    figure_rules.optional_weapon,
    figure_rules.high_level,
    army_rules.pilot_asked,
    army_rules.mines_unpriced,
)


def check_force(document: Document, terms: Terms) -> Verdict:
    """The verdict on a canonical document."""
    return verdict_on(priced(document, terms))


def verdict_on(army: Army) -> Verdict:
    """The verdict on an army whose names and costs are looked up."""
    return Verdict(
        total=army.total,
        problems=tuple(problem for judge in (*JUDGES.values(), event_rules.added) for problem in judge(army)),
        queries=tuple(query for judge in QUERIES for query in judge(army)),
    )


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    """A canonical document in a few words: a line for each squad, each vehicle, and the mines."""
    army = price(document, edition.lists)
    lines = [(squad_line(squad), squad.points) for squad in army.squads]
    lines += [(drive.name, drive.points) for drive in army.vehicles]
    if army.mines:
        lines.append((f"{army.mines} mine{'' if army.mines == 1 else 's'}", army.mine_points))
    leaders = [model for model in army.models if model.leads]
    first = max(leaders, key=lambda model: (model.hero, model.each), default=None)
    return ForceSummary(army.faction_name, army.total, first.label if first else "", tuple(lines))


def squad_line(squad: Squad) -> str:
    """A squad in a line: its name, and every kind of figure with what it has."""
    figures = "; ".join(figures_line(model) for model in squad.models) or "nobody"
    return f"{squad.name}: {figures}" if squad.name else figures


def figures_line(model: Figures) -> str:
    """Figures in a few words: "4 × Knight with Rifle"."""
    count = f"{model.count} × " if model.count > 1 else ""
    level = f" of level {model.level}" if model.level > 1 else ""
    grenades = [f"{model.grenades} grenade{'' if model.grenades == 1 else 's'}"] if model.grenades else []
    had = [*([model.weapon_name] if model.weapon_name else []), *grenades, *(item.name for item in model.items)]
    skills = [f"{skill.name} ({skill.level})" for skill in model.skills]
    carried = f" with {', '.join(had)}" if had else ""
    return f"{count}{model.label}{level}{carried}" + (f", skills {', '.join(skills)}" if skills else "")
