"""The settings of an event in words: the labels of their forms and the words of their choices."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from models.facts import facts_of

SETTINGS = facts_of("event")
CHOICES = {name: fact.choices for name, fact in SETTINGS.items() if fact.choices}
"""The words of each choice, by setting and stored value."""
OF_DOCUMENTS = {
    "scenarios": "Scenarios",
    "method": "Players on equal points",
    "off": "Levels ignored",
    "banned": "Levels as good as forbidden",
    "painting": "Painting",
    "items": "Checklist",
    "painting_counts": "Painting counts",
    "sports": "Marks for opponents",
    "sports_counts": "Sportsmanship counts",
    "rulings_count": "Penalties and bonuses count",
    "ruling_groups": "Their points move players to other score groups of the draw",
    "second_yellow": "A second yellow card counts as a red card",
    "faction_least": "Best of a faction",
    "one_each": "One award per player: the lower one goes to the next in line",
    "hold": "Show the final standings once the awards are published",
    "days": "Days for each round",
    "kind": "Kind of season",
    "above": "Ladder: most places above",
    "answer_days": "Days to answer a challenge",
    "best": "Best results that count",
    "points": "Points for places",
}
"""The labels of settings that are parts of a document, and of the scenarios, which belong to rounds."""
NONE: Mapping[str, str] = MappingProxyType({})


def label_of(setting: str) -> str:
    """The label of a setting; its name in words if no form has it."""
    known = SETTINGS.get(setting)
    return (known.label if known else OF_DOCUMENTS.get(setting)) or setting.replace("_", " ")


def changes_in_words(changed: Mapping[str, tuple[Any, Any]], labels: Mapping[str, str] = NONE) -> str:
    """Changed settings by their labels, with both values where they are numbers. ``labels`` go before the usual."""
    said = []
    for key, (old, new) in changed.items():
        words = f"“{labels.get(key) or label_of(key)}”"
        said.append(f"{words} from {old} to {new}" if type(old) is type(new) is int else words)
    return ", ".join(said)
