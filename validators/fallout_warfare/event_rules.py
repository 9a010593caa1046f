"""What an event adds, for Fallout: Warfare: what an army holds."""

from collections.abc import Iterator

from validators.contract import Finding, Rule, Terms
from validators.event_rules import Held, judged, may_add
from validators.event_rules import rules_added as told
from validators.fallout_warfare.findings import finding
from validators.fallout_warfare.priced import Army
from validators.vocabulary import Words

WORDS = Words(force="army", forces="armies")
MAY_ADD = may_add("fw", WORDS)


def added(army: Army) -> Iterator[Finding]:
    """fw.event.*: bans, most copies, factions."""
    if army.restrictions or army.bound_faction:
        yield from judged("fw", army.faction_name, tuple(_held(army)), army.restrictions, army.bound_faction, WORDS)


def sideboard(army: Army) -> Iterator[Finding]:
    """*.event.sideboard: some squad of the roster can be fielded at the event's size."""
    size = army.fielded_size
    if army.restrictions.roster_size is None or not army.squads:
        return
    if all(squad.points > size for squad in army.squads):
        yield finding(
            "fw.event.sideboard",
            f"Each squad of the roster costs more than the {size} points that are fielded",
            "Make a squad smaller.",
        )


def rules_added(terms: Terms) -> tuple[Rule, ...]:
    """What the restrictions say, as rules with their ids."""
    return told("fw", terms, "points", WORDS)


def _held(army: Army) -> Iterator[Held]:
    for squad in army.squads:
        for model in squad.models:
            holder, place = f"{model.label} of {squad.label}", squad.place
            yield from [Held(model.name, "", place, model=True)] * model.count
            if model.weapon_name:
                yield from [Held(model.weapon_name, holder, place)] * model.count
            yield from [Held("Grenade", holder, place)] * (model.count * model.grenades)
            for name in (*(item.name for item in model.items), *(skill.name for skill in model.skills)):
                yield from [Held(name, holder, place)] * model.count
    for drive in army.vehicles:
        yield Held(drive.name, "", drive.place)
