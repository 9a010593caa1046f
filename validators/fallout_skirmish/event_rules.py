"""What an event adds, for Fallout Skirmish: what a group holds, and whether its roster leaves a group to field."""

from collections.abc import Iterator

from validators.contract import Finding, Rule, Terms
from validators.event_rules import Held, judged, may_add
from validators.event_rules import rules_added as told
from validators.fallout_skirmish.findings import finding
from validators.fallout_skirmish.priced import PricedGroup
from validators.vocabulary import Words

WORDS = Words(force="group", forces="groups", faction="force")
MAY_ADD = may_add("fs", WORDS)


def added(group: PricedGroup) -> Iterator[Finding]:
    """fs.event.*: bans, most copies, forces."""
    if group.restrictions or group.bound_faction:
        yield from judged("fs", group.force_name, tuple(_held(group)), group.restrictions, group.bound_faction, WORDS)


def sideboard(group: PricedGroup) -> Iterator[Finding]:
    """*.event.sideboard: the leader, who always plays, leaves a group of the event's size to be fielded."""
    if group.restrictions.roster_size is None:
        return
    for character in group.characters:
        if character.leader and character.caps > group.fielded_size:
            yield finding(
                "fs.event.sideboard",
                f"The leader {character.label} costs {character.caps} Caps alone, and {group.fielded_size} are fielded",
                about=[character],
                figures={"caps": character.caps, "size": group.fielded_size},
                mend="Take something off the leader.",
            )


def rules_added(terms: Terms) -> tuple[Rule, ...]:
    """What the restrictions say, as rules with their ids."""
    return told("fs", terms, "Caps", WORDS)


def _held(group: PricedGroup) -> Iterator[Held]:
    for character in group.characters:
        yield Held(character.rank_name, character.label, character.place, model=True)
        for item in character.items:
            yield from [Held(item.name, character.label, character.place)] * item.count
