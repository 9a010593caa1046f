"""What makes a force illegal: each function yields the problems under one id."""

from collections.abc import Iterator, Mapping, Sequence

from validators.contract import Finding
from validators.names import NearNames, fold
from validators.new_vegas.edition import SCORES
from validators.new_vegas.muster import Force, Squad

UNIT = "SPECIAL points"


def size(force: Force) -> Iterator[Finding]:
    """nv.size: all scores together are at most the event's size."""
    over = force.total - force.size
    if over > 0:
        yield Finding(
            "nv.size",
            f"{force.total} {UNIT}, {over} over the size of {force.size}",
            {"total": force.total, "size": force.size, "over": over},
            mend=f"Take out at least {over} {UNIT if over > 1 else 'SPECIAL point'}.",
        )


def faction(force: Force) -> Iterator[Finding]:
    """nv.faction: the faction is one that the edition names."""
    if fold(force.faction) not in force.edition.factions:
        yield Finding(
            "nv.faction",
            f"{force.faction} is no faction of this edition",
            mend=f"Choose {_either(list(force.edition.factions.values()))}.",
        )


def squad_class(force: Force) -> Iterator[Finding]:
    """nv.class: each squad is of one of the classes."""
    for squad in force.squads:
        if squad.entry is None:
            classes = [one.name for one in force.edition.classes.values()]
            yield about(
                "nv.class", squad, f"{squad.label}: {squad.class_name} is no class of squads",
                mend=f"Make it {_either(classes)}.",
            )  # fmt: skip


def squad_models(force: Force) -> Iterator[Finding]:
    """nv.squad: each squad has a model."""
    for squad in force.squads:
        if not squad.lines:
            yield about("nv.squad", squad, f"{squad.label} has no models", mend="Add a model, or take the squad out.")


def special(force: Force) -> Iterator[Finding]:
    """nv.special: each score is at most 5."""
    most = force.edition.highest_score
    for squad in force.squads:
        for line in squad.lines:
            for score in SCORES:
                value = getattr(line.special, score)
                if value > most:
                    yield about(
                        "nv.special",
                        squad,
                        f"{line.name} in {squad.label} has {score.capitalize()} {value}, at most {most} is possible",
                        {"score": score, "value": value, "most": most},
                        mend=f"Lower it to {most}.",
                    )


def charisma(force: Force) -> Iterator[Finding]:
    """nv.charisma: somebody has Charisma, or the force is leaderless and routs."""
    if force.leadership_dice == 0:
        yield Finding(
            "nv.charisma",
            "Nobody has Charisma: the force has no leadership dice, is leaderless and routs",
            {"leadership_dice": 0},
            mend="Give a model a Charisma of 1 or more." if force.squads else "Add a squad with a model of Charisma 1.",
        )


def weapon(force: Force) -> Iterator[Finding]:
    """nv.weapon: each weapon is in the armoury or brought with its figures."""
    names = NearNames()
    known = (*(one.name for one in force.edition.weapons.values()), *(one.name for one in force.own_weapons))
    for squad in force.squads:
        for line in squad.lines:
            for carried in dict.fromkeys(line.weapons):
                if carried.entry is None:
                    near = names.nearest(carried.name, known)
                    offer = f"Take {_either(near)}, or write" if near else "Write"
                    yield about(
                        "nv.weapon",
                        squad,
                        f"{carried.name} on {line.name} in {squad.label} is not in the armoury",
                        mend=f"{offer} its figures among your own weapons.",
                    )


def strength(force: Force) -> Iterator[Finding]:
    """nv.strength: nobody carries a weapon that asks for more Strength."""
    for squad in force.squads:
        for line in squad.lines:
            for carried in dict.fromkeys(line.weapons):
                needed = carried.entry.strength if carried.entry else 0
                if line.special.strength < needed:
                    yield about(
                        "nv.strength",
                        squad,
                        f"{line.name} in {squad.label} has Strength {line.special.strength}, {carried.name} asks for "
                        f"{needed}",
                        {"strength": line.special.strength, "needed": needed},
                        mend=f"Raise the Strength to {needed}, or take {carried.name} off.",
                    )


def about(
    rule: str, squad: Squad, message: str, figures: Mapping[str, int | str] | None = None, *, mend: str = ""
) -> Finding:
    """A finding on one squad of the force."""
    return Finding(rule, message, figures or {}, (squad.label,), (squad.place,), mend)


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
