"""What the builder page of the SNAFU game shows: the document with every choice, figure and finding beside it.

The page's form holds the whole document (see ``form``): nothing is lost by saving.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from validators.contract import Document, Finding, Mending, Terms, Verdict
from validators.new_vegas.check import verdict_on
from validators.new_vegas.edition import SCORES, Weapon
from validators.new_vegas.figures import of_force, of_model, of_squad
from validators.new_vegas.mending import mendings
from validators.new_vegas.muster import Carried, Force, Line, Squad, mustered
from validators.sheet import Derived


@dataclass(frozen=True)
class WeaponLine:
    """A weapon that a model carries, at its place in its list; ``known`` in the armoury or among the own ones."""

    place: int
    name: str
    known: bool
    figures: str


@dataclass(frozen=True)
class LineCard:
    """``count`` models of a squad: ``scores`` are their names and values."""

    place: int
    name: str
    count: int
    points: int
    scores: tuple[tuple[str, int], ...]
    weapons: tuple[WeaponLine, ...]
    figures: tuple[Derived, ...]


@dataclass(frozen=True)
class SquadCard:
    """One squad of the force with all that is chosen."""

    place: int
    name: str
    label: str
    class_name: str
    known: bool
    points: int
    lines: tuple[LineCard, ...]
    figures: tuple[Derived, ...]
    problems: tuple[Finding, ...]
    queries: tuple[Finding, ...]


@dataclass(frozen=True)
class Choice:
    """Something to add: its name, and what is said of it."""

    name: str
    note: str
    picked: bool = False


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    name: str
    faction: str
    factions: tuple[str, ...]
    edition: str
    squads: tuple[SquadCard, ...]
    classes: tuple[Choice, ...]
    profiles: tuple[Choice, ...]
    add_weapons: tuple[tuple[str, tuple[Choice, ...]], ...]
    """By kind."""
    own_weapons: tuple[Weapon, ...]
    highest: int
    figures: tuple[Derived, ...]
    size: int
    total: int
    left: int
    leadership_dice: int
    markers: int
    verdict: Verdict
    mendings: tuple[Mending, ...]
    chosen: Mapping[str, str]
    """Choices not yet made by a button, by their fields."""


def builder(document: Document, terms: Terms, fields: Mapping[str, list[str]]) -> BuilderView:
    """A canonical document at an event's terms, with everything that can be added to it."""
    force = mustered(document, terms)
    verdict = verdict_on(force)
    pressed = fields.get("do", [""])[0]
    return BuilderView(
        name=document["name"],
        faction=force.faction,
        factions=tuple(name for name in force.edition.factions.values() if force.open_to(name)),
        edition=force.edition.name,
        squads=tuple(_squad(squad, force, verdict) for squad in force.squads),
        classes=tuple(
            Choice(one.name, f"{one.markers} force marker{'s' if one.markers > 1 else ''}")
            for one in force.edition.classes.values()
            if not force.banned(one.name)
        ),
        profiles=tuple(
            Choice(one.name, f"{sum(one.special)} points: {' '.join(map(str, one.special))}")
            for one in force.edition.profiles.values()
        ),
        add_weapons=_weapons(force),
        own_weapons=force.own_weapons,
        highest=force.edition.highest_score,
        figures=of_force(force),
        size=force.size,
        total=force.total,
        left=force.size - force.total,
        leadership_dice=force.leadership_dice,
        markers=force.markers,
        verdict=verdict,
        mendings=() if verdict.legal else mendings(document, terms),
        chosen={} if pressed else {key: sent[0] for key, sent in fields.items() if "add_" in key and sent},
    )


def _squad(squad: Squad, force: Force, verdict: Verdict) -> SquadCard:
    return SquadCard(
        place=squad.place,
        name=squad.name,
        label=squad.label,
        class_name=squad.class_name,
        known=squad.entry is not None,
        points=squad.points,
        lines=tuple(_line(line, force) for line in squad.lines),
        figures=of_squad(squad, force.edition),
        problems=_about(squad, verdict.problems),
        queries=_about(squad, verdict.queries),
    )


def _line(line: Line, force: Force) -> LineCard:
    return LineCard(
        place=line.place,
        name=line.name,
        count=line.count,
        points=line.points,
        scores=tuple((score, getattr(line.special, score)) for score in SCORES),
        weapons=tuple(_carried(place, one) for place, one in enumerate(line.weapons)),
        figures=of_model(line, force.edition),
    )


def _carried(place: int, carried: Carried) -> WeaponLine:
    entry = carried.entry
    return WeaponLine(place, carried.name, entry is not None, entry.figures if entry else "")


def _weapons(force: Force) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    armoury = [weapon for weapon in force.edition.weapons.values() if not force.banned(weapon.name)]
    own = [w for w in force.own_weapons if force.edition.weapon(w.name) is None and not force.banned(w.name)]
    kinds = (
        ("Ranged", [weapon for weapon in armoury if weapon.ranged]),
        ("Close combat", [weapon for weapon in armoury if not weapon.ranged]),
        ("Own", own),
    )
    return tuple(
        (title, tuple(Choice(weapon.name, weapon.figures) for weapon in weapons)) for title, weapons in kinds if weapons
    )


def _about(squad: Squad, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if squad.place in finding.places)
