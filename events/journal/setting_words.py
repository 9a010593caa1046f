"""The settings of an event in words: the labels of their forms and the words of their choices."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from events.tournament.pairing.seats import LEVEL_WORDS, METHODS
from events.tournament.soft_rules import Counts, Painting, Sports
from languages.message import Text, joined, message
from languages.words import N_, gettext, ngettext, offered
from models.event import Event
from models.facts import facts_of
from models.settings import EventFormat
from validators import SYSTEMS

SETTINGS = facts_of("event")
CAMPAIGN_SETTINGS = [setting for system in SYSTEMS.values() if system.campaign for setting in system.campaign.settings]
CHOICES = {name: fact.choices for name, fact in SETTINGS.items() if fact.choices}
"""The words of each choice, by setting and stored value."""
OF_DOCUMENTS = {
    "scenarios": N_("Scenarios"),
    "method": N_("Players on equal points"),
    "off": N_("Levels ignored"),
    "banned": N_("Levels as good as forbidden"),
    "painting": N_("Painting"),
    "items": N_("Checklist"),
    "painting_counts": N_("Painting counts"),
    "sports": N_("Marks for opponents"),
    "sports_counts": N_("Sportsmanship counts"),
    "rulings_count": N_("Penalties and bonuses count"),
    "ruling_groups": N_("Their points move players to other score groups of the draw"),
    "second_yellow": N_("A second yellow card counts as a red card"),
    "faction_least": N_("Best of a faction"),
    "one_each": N_("One award per player: the lower one goes to the next in line"),
    "hold": N_("Show the final standings once the awards are published"),
    "days": N_("Days for each round"),
    "kind": N_("Kind of season"),
    "above": N_("Ladder: most places above"),
    "answer_days": N_("Days to answer a challenge"),
    "best": N_("Best results that count"),
    "points": N_("Points for places"),
}
"""The labels of settings that are parts of a document, and of the scenarios, which belong to rounds."""
OF_ONE_DOCUMENT = {
    "questions.id": "",
    "questions.label": N_("Question"),
    "questions.kind": N_("Answer"),
    "questions.choices": N_("Choices"),
    "questions.required": N_("Players must answer"),
    "restrictions.banned": N_("Banned"),
} | {f"settings.{setting.key}": setting.label for setting in CAMPAIGN_SETTINGS}
"""The labels of parts whose name means something else in another document; a part without one is not shown."""
COUNTS = {
    Counts.POINTS: N_("in tournament points"),
    Counts.TIE_BREAK: N_("in the tie-break of its name"),
    Counts.OVERALL: N_("in the overall score for awards"),
    Counts.NOTHING: N_("only in its own award"),
}
SEASONS = {
    "rounds": N_("Rounds, by the event’s format"),
    "ladder": N_("A ladder: players challenge those above them"),
    "challenge": N_("Challenges: any player challenges any other"),
}
ANSWERS = {"text": N_("A line of text"), "choice": N_("One of several choices"), "number": N_("A number")}
VALUES: Mapping[str, Mapping[Any, str]] = {
    "system": {id_: system.name for id_, system in SYSTEMS.items()},
    "edition": {edition.id: edition.name for system in SYSTEMS.values() for edition in system.editions},
    "language": offered(),
    "when": CHOICES["avoid_clubs"],
    "method": METHODS,
    **dict.fromkeys(("off", "banned"), LEVEL_WORDS),
    "painting": {Painting.OFF: N_("by figures that the staff types"), Painting.VOTE: N_("by the players’ votes")},
    "sports": {
        Sports.OFF: N_("nothing"),
        Sports.FAVOURITE: N_("favourite opponent of the event"),
        Sports.THUMBS: N_("thumb up or down"),
        Sports.SCALE: N_("a mark from 1 to 5"),
    },
    **dict.fromkeys(("painting_counts", "sports_counts"), COUNTS),
    "rulings_count": COUNTS
    | {
        Counts.POINTS: N_("in the standings: points and VP"),
        Counts.NOTHING: N_("nowhere: they are only recorded"),
    },
    "kind": SEASONS | ANSWERS,
    **{setting.key: dict(setting.choices) for setting in CAMPAIGN_SETTINGS},
}
"""The words of stored values, by the column, unless its fact has them, or the part of a document that holds them."""
READ_FROM_FEE = {"fee_amount", "fee_currency"}
"""Settings that are named only where the fee’s words stay."""
NONE: Mapping[str, Text] = MappingProxyType({})


def label_of(setting: str) -> str:
    spec = SETTINGS.get(setting)
    return (spec.label if spec else OF_DOCUMENTS.get(setting)) or setting.replace("_", " ")


def changes_text(changed: Mapping[str, tuple[Any, Any]], labels: Mapping[str, str | Text] = NONE) -> Text:
    """Changed settings by their labels, with both values where they are numbers. ``labels`` go before the usual."""
    changes = []
    for key, (old, new) in changed.items():
        if key in READ_FROM_FEE and "fee" in changed:
            continue
        label = labels.get(key) or message(label_of(key))
        if type(old) is type(new) is int and key not in READ_FROM_FEE:
            changes.append(message("“%(setting)s” from %(old)s to %(new)s", setting=label, old=old, new=new))
        else:
            changes.append(message("“%(setting)s”", setting=label))
    return joined(changes)


WAYS = {
    "campaign": N_("Campaign"), "ladder": N_("Ladder"), "challenge": N_("Challenges"),
    "rounds": N_("Season"), EventFormat.KNOCKOUT: N_("Knockout"), EventFormat.ROUND_ROBIN: N_("Round robin"),
}  # fmt: skip
"""How an event is played, by kind of season or format; a Swiss event of one day has no word."""


def kind_words(event: Event) -> list[str]:
    """What kind of event it is: of teams or doubles, and how it is played; empty for players by the Swiss system."""
    season = event.season
    way = event.format if season is None else "campaign" if event.campaign else season.kind
    sides = gettext("Teams of %(team_size)s", team_size=event.team_size) if event.team_size > 1 else ""
    sides = gettext("Doubles") if event.doubles else sides
    return [word for word in (sides, gettext(WAYS[way]) if way in WAYS else "") if word]


def entries_words(event: Event, count: int) -> str:
    """How many players an event has, or pairs in doubles."""
    if event.doubles:
        return ngettext("%(num)s pair", "%(num)s pairs", count)
    return ngettext("%(num)s player", "%(num)s players", count)
