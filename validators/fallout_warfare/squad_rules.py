"""The rules judged on each squad: each function yields the problems, or the queries, under one id."""

from collections.abc import Iterator

from validators.contract import Finding
from validators.fallout_warfare.figures import Squad
from validators.fallout_warfare.findings import finding
from validators.fallout_warfare.priced import Army
from validators.numbers import counted

FEWEST, MOST = 3, 20
"""Figures of a squad; the reading counts those that are led."""


def leader(army: Army) -> Iterator[Finding]:
    """fw.leader: exactly one hero or squadleader leads a squad; a hero may stand alone, a squadleader never."""
    for squad in army.squads:
        if not squad.models:
            yield finding("fw.leader", f"{squad.label} is empty", "Add figures, or take the squad out.", squads=[squad])
        elif squad.leader_count == 0:
            mend = "Add a Beastlord." if any(m.beast for m in squad.models) else "Add a squadleader or a hero."
            yield finding(
                "fw.leader", f"{squad.label} has no leader, 1 needed", mend, squads=[squad], figures={"leaders": 0}
            )
        elif squad.leader_count > 1:
            yield finding(
                "fw.leader",
                f"{squad.label} has {squad.leader_count} leaders, 1 allowed",
                "Leave one leader, and give the others squads of their own.",
                squads=[squad],
                figures={"leaders": squad.leader_count},
            )
        elif squad.led_count == 0 and not squad.lone_hero and not squad.of_beasts:
            yield finding("fw.leader", f"{squad.label} is a squadleader alone", "Add grunts to lead.", squads=[squad])


def squad_size(army: Army) -> Iterator[Finding]:
    """fw.squad: a squad counts 3 to 20 figures, with or without its leader; Beastlords' squads are judged apart.

    An army has a squad at least.
    """
    if not army.squads:
        yield finding("fw.squad", "No squad, 1 needed", "Add a squad.", figures={"squads": 0})
    for squad, led in _ordinary(army):
        if led < FEWEST - 1 or led > MOST:
            yield finding(
                "fw.squad",
                f"{squad.label} has {counted(led, 'grunt')}, {FEWEST} to {MOST} allowed",
                f"Add at least {FEWEST - led}." if led < FEWEST else f"Take out {led - MOST}.",
                squads=[squad],
                figures={"led": led, "least": FEWEST, "most": MOST},
            )


def squad_size_asked(army: Army) -> Iterator[Finding]:
    """fw.squad: where it depends on whether the leader counts, the organiser is asked."""
    for squad, led in _ordinary(army):
        if led == FEWEST - 1:
            yield finding("fw.squad", f"{squad.label} is 3 figures only if its leader counts", squads=[squad])
        elif led == MOST and squad.leader_count:
            yield finding("fw.squad", f"{squad.label} is 20 figures only if its leader does not count", squads=[squad])


def _ordinary(army: Army) -> Iterator[tuple[Squad, int]]:
    """Squads that the count binds, each with its led figures."""
    for squad in army.squads:
        if squad.led and not squad.of_beasts and not any(model.beast for model in squad.led):
            yield squad, squad.led_count


def mixed(army: Army) -> Iterator[Finding]:
    """fw.mixed: the grunts of a squad are of one kind, but for beasts."""
    for squad in army.squads:
        kinds = list(dict.fromkeys(model.name for model in squad.led if model.troop))
        if len(kinds) > 1 and not squad.of_beasts and not all(model.beast for model in squad.led):
            yield finding(
                "fw.mixed",
                f"{squad.label} mixes {' and '.join(kinds)}",
                "Make a squad of each kind.",
                squads=[squad],
            )


def mixed_leader(army: Army) -> Iterator[Finding]:
    """fw.mixed: a squadleader of another kind than the grunts is put to the organiser."""
    for squad in army.squads:
        leader = squad.leader
        kinds = {model.name for model in squad.led if model.troop}
        if leader is None or leader.hero or leader.beastlord or leader.troop is None or len(kinds) != 1:
            continue
        if leader.name not in kinds and not any(model.beast for model in squad.led):
            yield finding("fw.mixed", f"{squad.label}: {leader.label} leads {kinds.pop()} grunts", squads=[squad])


def beasts(army: Army) -> Iterator[Finding]:
    """fw.beasts: one Beastlord leads beasts only, at most as many as its Charisma; nobody else leads beasts."""
    for squad in army.squads:
        led = [model for model in squad.led if model.troop]
        if not squad.of_beasts:
            if squad.leader_count and any(model.beast for model in led):
                yield finding(
                    "fw.beasts",
                    f"{squad.label} has beasts and no Beastlord",
                    "Let a Beastlord lead them.",
                    squads=[squad],
                )
            continue
        if any(not model.beast for model in led):
            yield finding(
                "fw.beasts", f"{squad.label}: a Beastlord leads beasts only", "Take the others out.", squads=[squad]
            )
        charisma = _charisma(squad)
        if charisma is not None and squad.led_count > charisma:
            yield finding(
                "fw.beasts",
                f"{squad.label} has {counted(squad.led_count, 'beast')}, the Beastlord's CH allows {charisma}",
                f"Take out {squad.led_count - charisma}.",
                squads=[squad],
                figures={"used": squad.led_count, "allowed": charisma},
            )


def beasts_asked(army: Army) -> Iterator[Finding]:
    """fw.beasts: a squad full only if its Beastlord does not count, and a Beastlord alone who is no hero, are asked."""
    for squad in army.squads:
        if not squad.of_beasts:
            continue
        if squad.led_count == _charisma(squad):
            yield finding(
                "fw.beasts", f"{squad.label} is within CH only if the Beastlord does not count", squads=[squad]
            )
        if not squad.led and squad.leader is not None and not squad.leader.hero:
            yield finding("fw.beasts", f"{squad.label} is a Beastlord without beasts, and no hero", squads=[squad])


def _charisma(squad: Squad) -> int | None:
    leader = squad.leader
    return leader.profile.statistic("CH") if leader and leader.beastlord and leader.profile else None


def alpha(army: Army) -> Iterator[Finding]:
    """fw.alpha: one Alpha Wolf in a squad at most, and an ordinary Wolf beside it."""
    for squad in army.squads:
        alphas = sum(m.count for m in squad.models if m.troop and m.troop.kind == "alpha")
        wolves = sum(m.count for m in squad.models if m.troop and m.troop.kind == "wolf")
        if alphas > 1:
            yield finding(
                "fw.alpha",
                f"{squad.label} has {alphas} Alpha Wolves, 1 allowed",
                "Leave one.",
                squads=[squad],
                figures={"used": alphas, "allowed": 1},
            )
        if alphas and not wolves:
            yield finding(
                "fw.alpha", f"{squad.label} has an Alpha Wolf and no other Wolf", "Add a Wolf.", squads=[squad]
            )
