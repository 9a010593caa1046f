"""What an event adds, for the SNAFU game: what a force holds, and whether its roster leaves a force to field."""

from collections.abc import Iterator

from validators.contract import Finding, Rule, Terms
from validators.event_rules import Held, judged, may_add
from validators.event_rules import rules_added as told
from validators.names import fold
from validators.new_vegas.edition import SCORES
from validators.new_vegas.force_rules import UNIT, about
from validators.new_vegas.muster import Force

MAY_ADD = may_add("nv")


def added(force: Force) -> Iterator[Finding]:
    """nv.event.*: bans, most copies, factions; a class is counted by its squads, equal models by theirs."""
    if force.restrictions or force.bound_faction:
        yield from judged("nv", force.faction, tuple(_held(force)), force.restrictions, force.bound_faction)


def sideboard(force: Force) -> Iterator[Finding]:
    """*.event.sideboard: some squad with Charisma can be fielded, so that some force of the roster can be."""
    leading = [squad for squad in force.squads if squad.charisma]
    if force.restrictions.roster_size is None or not leading:
        return
    smallest = min(leading, key=lambda squad: squad.points)
    if smallest.points > force.fielded_size:
        yield about(
            "nv.event.sideboard",
            smallest,
            f"{smallest.label} is the smallest squad with Charisma and counts {smallest.points} {UNIT}; "
            f"{force.fielded_size} are fielded",
            {"points": smallest.points, "size": force.fielded_size},
            mend="Make a smaller squad with Charisma.",
        )


def rules_added(terms: Terms) -> tuple[Rule, ...]:
    """What the restrictions say, as rules with their ids."""
    return told("nv", terms, UNIT)


def _held(force: Force) -> Iterator[Held]:
    for squad in force.squads:
        yield Held(squad.class_name, squad.label, squad.place)
        for line in squad.lines:
            weapons = sorted(fold(carried.name) for carried in line.weapons)
            same = " ".join([*(str(getattr(line.special, score)) for score in SCORES), *weapons])
            yield from [Held(line.name, squad.label, squad.place, model=True, same=same)] * line.count
            for carried in line.weapons:
                yield from [Held(carried.name, squad.label, squad.place)] * line.count
