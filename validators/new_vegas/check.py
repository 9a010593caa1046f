"""The check of a force of the SNAFU game: each function yields the problems, or the queries, under one id."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from languages.words import N_, apart, gettext, labelled, listed, ngettext
from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms
from validators.edition_file import names_in
from validators.event_rules import Held
from validators.kit.checks import Checks, finding, over_size, query, undefined
from validators.names import NearNames, Words, fold
from validators.new_vegas.edition import DATA, LIMITED
from validators.new_vegas.force import Carried, Force, Squad, SquadLine, mustered
from validators.sheet import copies

UNIT = N_("SPECIAL points")


def faction(force: Force) -> Iterator[Finding]:
    """nv.faction: a faction that the edition does not name is a query."""
    if not force.edition.factions.find(force.faction_name):
        yield undefined("nv.faction", gettext("faction"), force.faction_name, force.edition.file.factions)


def squad_class(force: Force) -> Iterator[Finding]:
    """nv.class: each squad is of one of the classes."""
    for squad in force.squads:
        if squad.entry is None:
            message = gettext(
                "%(squad)s: %(class_name)s is not a class of squads", squad=squad.label, class_name=squad.class_name
            )
            fix = gettext("Make it %(classes)s.", classes=listed(names_in(force.edition.file.classes), style="or"))
            yield finding("nv.class", message, fix, on=[squad])


def squad_models(force: Force) -> Iterator[Finding]:
    """nv.squad: each squad has a model."""
    for squad in force.squads:
        if not squad.lines:
            yield finding(
                "nv.squad",
                gettext("%(squad)s has no models", squad=squad.label),
                gettext("Add a model, or take the squad out."),
                on=[squad],
            )


def special(force: Force) -> Iterator[Finding]:
    """nv.special: Strength and Agility are at most 5, where their tables of rolls end (Stats)."""
    most = force.edition.file.highest_score
    for (squad, line), score in product(force.lines, LIMITED):
        value = getattr(line.special, score)
        if value > most:
            names = {"line": line.name, "squad": squad.label, "score": score.capitalize(), "value": value, "most": most}
            message = gettext("%(line)s in %(squad)s has %(score)s %(value)s, at most %(most)s is possible", **names)
            figures = {"score": score, "value": value, "most": most}
            yield finding("nv.special", message, gettext("Lower it to %(most)s.", **names), on=[squad], figures=figures)


def charisma(force: Force) -> Iterator[Finding]:
    """nv.charisma: at least one model has Charisma; otherwise the force is leaderless and routs."""
    if force.leadership_dice == 0:
        message = gettext("Nobody has Charisma: the force has no leadership dice, is leaderless and routs")
        fix = (
            gettext("Give a model a Charisma of 1 or more.")
            if force.squads
            else gettext("Add a squad with a model of Charisma 1.")
        )
        yield Finding("nv.charisma", message, {"leadership_dice": 0}, fix=fix)


def weapon(force: Force) -> Iterator[Finding]:
    """nv.weapon: each weapon is in the armoury, or is the player's own with its figures."""
    names = NearNames()
    known = names_in((*force.edition.weapons.values(), *force.own_weapons))
    for squad, line, carried in _carried(force):
        if carried.entry is None:
            near = names.nearest(carried.name, known)
            fix = gettext("Write its figures among your own weapons.")
            if near:
                names_near = listed(near, style="or")
                fix = gettext("Take %(names)s, or write its figures among your own weapons.", names=names_near)
            message = gettext(
                "%(carried)s on %(line)s in %(squad)s is not in the armoury",
                carried=carried.name,
                line=line.name,
                squad=squad.label,
            )
            yield finding("nv.weapon", message, fix, on=[squad])


def strength(force: Force) -> Iterator[Finding]:
    """nv.strength: no model carries a weapon that requires more Strength."""
    for squad, line, carried in _carried(force):
        needed, has = carried.entry.strength if carried.entry else 0, line.special.strength
        if has < needed:
            names = {"line": line.name, "squad": squad.label, "has": has, "carried": carried.name, "needed": needed}
            message = gettext("%(line)s in %(squad)s has Strength %(has)s, %(carried)s asks for %(needed)s", **names)
            fix = gettext("Raise the Strength to %(needed)s, or take %(carried)s off.", **names)
            yield finding("nv.strength", message, fix, on=[squad], figures={"strength": has, "needed": needed})


def _carried(force: Force) -> Iterator[tuple[Squad, SquadLine, Carried]]:
    """Each different weapon of every line."""
    return ((squad, line, carried) for squad, line in force.lines for carried in dict.fromkeys(line.weapons))


def endurance(force: Force) -> Iterator[Finding]:
    """nv.endurance: a model without Endurance is removed before it can act."""
    for squad, line in force.lines:
        if line.special.endurance == 0:
            message = gettext(
                "%(line)s in %(squad)s has Endurance 0, and a model is removed at 0: may it be so?",
                line=line.name,
                squad=squad.label,
            )
            yield query("nv.endurance", message, on=[squad])


def own_weapon(force: Force) -> Iterator[Finding]:
    """nv.own-weapon: each of the player's own weapons, with its figures."""
    for weapon in force.own_weapons:
        users = [s for s in force.squads if any(fold(c.name) == fold(weapon.name) for m in s.lines for c in m.weapons)]
        known = force.edition.weapons.find(weapon.name)
        message = gettext(
            "%(weapon)s is the player's own weapon (%(figures)s): is it allowed?",
            weapon=weapon.name,
            figures=weapon.figures,
        )
        if known:
            message = gettext(
                "%(weapon)s is in the armoury: its figures there count (%(figures)s)",
                weapon=weapon.name,
                figures=known.figures,
            )
        yield query("nv.own-weapon", message, on=users)


def sideboard(force: Force) -> Iterator[Finding]:
    """*.event.sideboard: at least one squad with Charisma can be fielded, so that a force of the roster is possible."""
    leading = [squad for squad in force.squads if squad.charisma]
    smallest = min(leading, key=lambda squad: squad.points, default=None)
    if smallest and smallest.points > force.terms.size:
        points, size = smallest.points, force.terms.size
        message = gettext(
            "%(smallest)s is the smallest squad with Charisma and counts %(points)s %(unit)s; %(size)s are fielded",
            smallest=smallest.label,
            points=points,
            unit=gettext(UNIT),
            size=size,
        )
        fix, figures = gettext("Make a smaller squad with Charisma."), {"points": points, "size": size}
        yield finding("nv.event.sideboard", message, fix, on=[smallest], figures=figures)


def held(force: Force) -> Iterator[Held]:
    """One entry for each copy: classes by squad, models that players name by what they are."""
    for squad in force.squads:
        yield Held(squad.class_name, squad.label, squad.place)
        for line in squad.lines:
            weapons = sorted(fold(carried.name) for carried in line.weapons)
            same = " ".join([*(str(score) for _, score in line.special), *weapons])
            yield from [Held(line.name, squad.label, squad.place, model=True, same=same)] * line.count
            for carried in line.weapons:
                yield from [Held(carried.name, squad.label, squad.place)] * line.count


def special_points(number: int) -> str:
    """ "1 SPECIAL point", in the reader's language."""
    return ngettext("%(num)s SPECIAL point", "%(num)s SPECIAL points", number)


CHECKS = Checks(
    prefix="nv",
    unit=UNIT,
    words=Words(led=True),
    texts=DATA / "rules.json",
    priced=mustered,
    held=held,
    findings={
        "nv.size": partial(over_size, "nv.size", special_points),
        "nv.faction": faction,
        "nv.class": squad_class,
        "nv.squad": squad_models,
        "nv.special": special,
        "nv.charisma": charisma,
        "nv.weapon": weapon,
        "nv.strength": strength,
        "nv.endurance": endurance,
        "nv.own-weapon": own_weapon,
    },
    sideboard=sideboard,
)


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    """A canonical document in a few words: a line per squad, led by the models with the most Charisma."""
    force = mustered(document, Terms(edition))
    most = max((line.special.charisma for _, line in force.lines), default=0)
    leaders = dict.fromkeys(line.name for _, line in force.lines if most and line.special.charisma == most)
    lines = tuple((_line(squad), squad.points) for squad in force.squads)
    return ForceSummary(force.faction_name, force.total, gettext(" and ").join(leaders), lines)


def _line(squad: Squad) -> str:
    models = apart(map(model_words, squad.lines)) or gettext("no models")
    return labelled(f"{squad.name} ({squad.class_name})", models)


def model_words(line: SquadLine) -> str:
    """Models in a line of text: "4 × Trooper (S1 P2 E2 C0 I1 A2 L1): Service Rifle"."""
    scores = " ".join(f"{name[0].upper()}{score}" for name, score in line.special)
    weapons = ", ".join(carried.name for carried in line.weapons)
    who = f"{copies(line.count, line.name)} ({scores})"
    return labelled(who, weapons) if weapons else who
