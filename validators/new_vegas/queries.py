"""What is put to the organiser: each function yields the queries under one id."""

from collections.abc import Iterator

from validators.contract import Finding
from validators.names import fold
from validators.new_vegas.force_rules import about
from validators.new_vegas.muster import Force


def endurance(force: Force) -> Iterator[Finding]:
    """nv.endurance: a model without Endurance is removed before it has done anything."""
    for squad in force.squads:
        for line in squad.lines:
            if line.special.endurance == 0:
                yield about(
                    "nv.endurance",
                    squad,
                    f"{line.name} in {squad.label} has Endurance 0, and a model is removed at 0: may it be so?",
                )


def own_weapon(force: Force) -> Iterator[Finding]:
    """nv.own-weapon: each weapon that the player brings, with its figures."""
    for weapon in force.own_weapons:
        users = [s for s in force.squads if any(fold(c.name) == fold(weapon.name) for m in s.lines for c in m.weapons)]
        known = force.edition.weapon(weapon.name)
        told = (
            f"{weapon.name} is in the armoury: its figures there count ({known.figures})"
            if known
            else f"{weapon.name} is the player's own weapon ({weapon.figures}): is it allowed?"
        )
        yield Finding(
            "nv.own-weapon", told, {}, tuple(s.label for s in users), tuple(s.place for s in users)
        )  # fmt: skip
