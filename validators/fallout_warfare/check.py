"""The check of a Fallout: Warfare army: its rules in order, the contents of an army, and its summary."""

from collections.abc import Iterator

from languages.words import N_, apart, counted_points, gettext, labelled, ngettext, with_nbsp
from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms
from validators.event_rules import Held
from validators.fallout_warfare import figure_rules, force_rules, squad_rules
from validators.fallout_warfare.edition import DATA
from validators.fallout_warfare.force import Army, Figures, priced
from validators.kit.checks import Checks, below_least, finding, over_size
from validators.names import Words
from validators.sheet import copies


def sideboard(army: Army) -> Iterator[Finding]:
    """*.event.sideboard: at least one squad of the roster can be fielded at the event's size."""
    size = army.terms.size
    if army.squads and all(squad.points > size for squad in army.squads):
        message = ngettext(
            "Each squad of the roster costs more than the %(num)s point that is fielded",
            "Each squad of the roster costs more than the %(num)s points that are fielded",
            size,
        )
        yield finding("fw.event.sideboard", message, gettext("Make a squad smaller."))


def held(army: Army) -> Iterator[Held]:
    for squad, model in army.lines:
        holder, place = f"{model.label} of {squad.label}", squad.place
        yield from [Held(model.name, "", place, model=True)] * model.count
        if model.weapon_name:
            yield from [Held(model.weapon_name, holder, place)] * model.count
        yield from [Held("Grenade", holder, place)] * (model.count * model.grenades)
        for name in (*(item.name for item in model.items), *(skill.name for skill in model.skills)):
            yield from [Held(name, holder, place)] * model.count
    for drive in army.vehicles:
        yield Held(drive.name, "", drive.place)


CHECKS = Checks(
    prefix="fw",
    unit=N_("points"),
    words=Words(force=N_("army"), forces=N_("armies"), a_force=N_("an army")),
    texts=DATA / "rules.json",
    priced=priced,
    held=held,
    findings={
        "fw.size": lambda army: (*over_size("fw.size", counted_points, army), *below_least("fw.size", army)),
        "fw.faction": force_rules.faction,
        "fw.cost": figure_rules.cost,
        "fw.rank": figure_rules.rank,
        "fw.leader": squad_rules.leader,
        "fw.squad": squad_rules.squad_size,
        "fw.mixed": squad_rules.mixed,
        "fw.beasts": squad_rules.beasts,
        "fw.alpha": squad_rules.alpha,
        "fw.heroes": force_rules.heroes,
        "fw.hero-points": force_rules.hero_points,
        "fw.restricted": squad_rules.restricted,
        "fw.weapon": figure_rules.weapon,
        "fw.items": figure_rules.items,
        "fw.needs": figure_rules.needs,
        "fw.level": figure_rules.level,
        "fw.skills": figure_rules.skills,
        "fw.vehicle": force_rules.pilot,
        "fw.vehicle-limit": force_rules.vehicle_limit,
        "fw.mines": force_rules.mines,
        "fw.role": force_rules.role,
    },
    sideboard=sideboard,
    starting=("fw.rank", "fw.items", "fw.needs", "fw.level", "fw.skills"),
    asked=(
        *("fw.leader", "fw.squad", "fw.mixed", "fw.beasts", "fw.alpha", "fw.heroes", "fw.restricted"),
        *("fw.vehicle", "fw.mines"),
    ),
)


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    army = priced(document, Terms(edition))
    lines = []
    for squad in army.squads:
        figures = apart(map(figures_line, squad.models)) or gettext("nobody")
        lines.append((labelled(squad.name, figures) if squad.name else figures, squad.points))
    lines += [(drive.name, drive.points) for drive in army.vehicles]
    if army.mines:
        lines.append((mines_line(army), army.mine_points))
    return ForceSummary(army.faction_name, army.total, "", tuple(lines))


def mines_line(army: Army) -> str:
    """ "3 mines"."""
    return ngettext("%(num)s mine", "%(num)s mines", army.mines)


def grenades_line(model: Figures) -> str:
    """ "2 grenades", of each of these figures."""
    return ngettext("%(num)s grenade", "%(num)s grenades", model.grenades)


def figures_line(model: Figures) -> str:
    """Figures in a few words: "4 × Knight with Rifle"."""
    who, had = copies(model.count, levelled(model)), [thing for thing, _ in things_of(model)]
    return (gettext("%(who)s with %(things)s", who=who, things=", ".join(had)) if had else who) + skills_line(model)


def priced_line(model: Figures) -> str:
    """Figures with the points of each part of one: "4 × Knight: 16 + Rifle 6"."""
    paid = [with_nbsp(f"{name} {points}" if points else name) for name, points in things_of(model)]
    if not paid:
        return figures_line(model)
    who = labelled(copies(model.count, levelled(model)), " + ".join((str(model.own_points), *paid)))
    return who + skills_line(model).replace(" (", "\u00a0(")


def levelled(model: Figures) -> str:
    """A figure’s name, with its level from the second on."""
    return gettext("%(who)s of level %(level)s", who=model.label, level=model.level) if model.level > 1 else model.label


def things_of(model: Figures) -> list[tuple[str, int]]:
    """What a figure carries, with the points of each."""
    rows = [(model.weapon_name, model.weapon.points if model.weapon else 0)] if model.weapon_name else []
    rows += [(grenades_line(model), model.grenades * model.grenade_points)] if model.grenades else []
    return [*rows, *((item.name, item.points) for item in model.items)]


def skills_line(model: Figures) -> str:
    """A figure’s skills with their levels, to go on after a comma."""
    levels = {skill.name: skill.level for skill in model.skills} | model.skill_levels
    skills = [f"{name} ({level})" for name, level in levels.items()]
    named = {"names": ", ".join(skills)}
    return ngettext(", skill %(names)s", ", skills %(names)s", len(skills), **named) if skills else ""
