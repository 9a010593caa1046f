"""The check of a force: every rule's function in the order of the rules, what the event adds, then the queries."""

from collections.abc import Callable, Iterable, Mapping

from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms, Verdict
from validators.new_vegas import event_rules, force_rules, queries
from validators.new_vegas.muster import Force, Line, Squad, muster, mustered

Judge = Callable[[Force], Iterable[Finding]]

JUDGES: Mapping[str, Judge] = {
    "nv.size": force_rules.size,
    "nv.faction": force_rules.faction,
    "nv.class": force_rules.squad_class,
    "nv.squad": force_rules.squad_models,
    "nv.special": force_rules.special,
    "nv.charisma": force_rules.charisma,
    "nv.weapon": force_rules.weapon,
    "nv.strength": force_rules.strength,
    "nv.event.sideboard": event_rules.sideboard,
}
"""Who finds the problems under each id, in the order of the messages."""

QUERIES: Mapping[str, Judge] = {"nv.endurance": queries.endurance, "nv.own-weapon": queries.own_weapon}


def check_force(document: Document, terms: Terms) -> Verdict:
    """The verdict on a canonical document."""
    return verdict_on(mustered(document, terms))


def verdict_on(force: Force) -> Verdict:
    """The verdict on a force whose names are looked up."""
    return Verdict(
        total=force.total,
        problems=tuple(problem for judge in (*JUDGES.values(), event_rules.added) for problem in judge(force)),
        queries=tuple(query for judge in QUERIES.values() for query in judge(force)),
    )


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    """A canonical document in a few words: a line per squad; whoever has most Charisma leads."""
    force = muster(document, edition.lists)
    return ForceSummary(
        faction=force.faction,
        total=force.total,
        leader=_leader(force),
        lines=tuple((_line(squad), squad.points) for squad in force.squads),
    )


def _leader(force: Force) -> str:
    models = [line for squad in force.squads for line in squad.lines]
    most = max((line.special.charisma for line in models), default=0)
    return " and ".join(dict.fromkeys(line.name for line in models if line.special.charisma == most)) if most else ""


def _line(squad: Squad) -> str:
    return f"{squad.name} ({squad.class_name}): {'; '.join(map(model_words, squad.lines)) or 'no models'}"


def model_words(line: Line) -> str:
    """Models in a line of text: "4 × Trooper (1 2 2 0 1 2 1): Service Rifle"."""
    scores = " ".join(map(str, vars(line.special).values()))
    weapons = ", ".join(carried.name for carried in line.weapons)
    many = f"{line.count} × " if line.count > 1 else ""
    return f"{many}{line.name} ({scores}){': ' if weapons else ''}{weapons}"
