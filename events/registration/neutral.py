"""Neutral names in place of players' names and clubs, in rows, in texts and in the journal. Pure.

Equal values become equal values, so draws repeat, and the journal still accounts for every row.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

from sqlalchemy import Enum, Table

from events.store.players import DETAILS
from events.tournament.pairing.levels import club_key
from events.web.parsing import name_key
from models.captured import is_document
from models.facts import facts_of
from validators.strict_json import sha256_of

THE_ORGANISERS = {"event"}
"""Tables whose texts are the organiser's own, such as who receives the entry fee."""
ALL_WORDS = {"message", "delivery"}
"""Tables whose documents hold nothing but texts. In others, words stand under ``FREE`` keys."""
FREE = {"called", "not_read", "what", "text", "reason"}
DRAWS = {"round", "round_draw", "team_match", "game"}
"""Tables whose documents name the clubs of all seats, and in ``STEP`` what staff did with the draft."""
STEP = "what"
PLACEHOLDERS = {"name", "opponent"}
"""Words of a message that are whole names; one ends with a name."""
AGAINST = ", against "
ANNOUNCED = {"announce", "take-back-announcement"}
"""Entries of the journal with the text of an announcement."""
BY = {"by", "taken_by", "closed_by", "taken_back_by"}
"""Columns that say who did it: of players as “player” with the name, of staff never."""
AS_PLAYER = "player "
PERSONAL = dict.fromkeys((*DETAILS, "partner"), "") | {"paid_at": None, "payments": None, "fee_set": 0, "answers": None}
"""Columns of a player that are emptied, with those of journals up to 0.5.0."""
PAYMENT = {"amount": None, "how": "", "reference": None}
"""Those of a payment."""


@dataclass(frozen=True)
class Neutral:
    """What replaces whom."""

    people: Mapping[int, str]
    """The neutral name of each player, by id."""
    words: Mapping[str, str]
    """What stands in texts for each name, club or mail address."""
    clubs: Mapping[str, str]
    """What stands in draws for a club, by ``club_key``: its other members get it too, so that the draw repeats."""
    others: frozenset[str] = field(default_factory=frozenset)
    """Names of others that contain one of the words, and stay."""

    full: frozenset[str] = field(default_factory=frozenset)
    """Those of the words that go from announcements too: names of several words, which nobody else has."""

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted({*self.words, *self.others}, key=lambda word: (-len(word), word))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    def text(self, text: str) -> str:
        """A text with neutral names. Names count as whole words, with their capitals."""
        return self._pattern.sub(lambda match: self.words.get(match[0], match[0]), text) if self.words else text

    def actor(self, actor: str) -> str:
        """Who made a change; staff of the same name stay."""
        name = actor.removeprefix(AS_PLAYER)
        return AS_PLAYER + self.words[name] if name != actor and name in self.words else actor

    def row(self, table: Table, row_id: int, values: Mapping[str, Any], *, own: bool = True) -> dict[str, Any]:
        """A row, or some columns of it, with documents as values or as JSON texts.

        Of a row that is not ``own``, only clubs in draws, whole names in messages and who did it.
        """
        if table.name in THE_ORGANISERS:
            return dict(values)
        if table.name in ("round", "round_draw") and values.get("outcome"):
            values = {**values, "outcome": _in_document(values["outcome"], _without_digests)}
        if not own:
            return {name: self._of_others(table, name, value) for name, value in values.items()}
        without = _without_words(table)
        entry = {name: value if name in without else self._value(table, name, value) for name, value in values.items()}
        if table.name == "player" and row_id in self.people:
            neutral = self.people[row_id]
            emptied = {"name": neutral, "name_key": name_key(neutral)} | PERSONAL
            return entry | {name: value for name, value in emptied.items() if name in entry}
        if table.name == "payment":
            return entry | {name: value for name, value in PAYMENT.items() if name in entry}
        if table.name == "list_seal" and entry.get("text") != values.get("text") and "sha256" in entry:
            entry["sha256"] = sha256_of(entry["text"])
        if table.name in ("player", "team") and entry.get("name") != values.get("name") and "name_key" in entry:
            entry["name_key"] = name_key(entry["name"])
        return entry

    def _of_others(self, table: Table, name: str, value: Any) -> Any:
        if name in BY and isinstance(value, str):
            return self.actor(value)
        if (table.name, name) == ("announcement", "text"):
            return self._announced(value)
        column = table.columns.get(name)
        if column is None or not is_document(column) or table.name not in DRAWS | ALL_WORDS:
            return value
        return _in_document(value, self._placeholders if table.name in ALL_WORDS else self._drawn)

    def _announced(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._pattern.sub(lambda found: self.words[found[0]] if found[0] in self.full else found[0], value)
        if isinstance(value, list):
            return [self._announced(part) for part in value]
        return {key: self._announced(part) for key, part in value.items()} if isinstance(value, dict) else value

    def _placeholders(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        figures = {key: self.words.get(text, text) if key in PLACEHOLDERS else text for key, text in value.items()}
        before, against, name = str(figures.get("game", "")).partition(AGAINST)
        return figures | {"game": f"{before}{against}{self.words[name]}"} if name in self.words else figures

    def _drawn(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._drawn(part) for part in value]
        if not isinstance(value, dict):
            return value
        entry = {
            key: self._deep(part, everything=True) if key == STEP else self._drawn(part) for key, part in value.items()
        }
        return self._with_club(entry)

    def _with_club(self, value: dict[str, Any]) -> dict[str, Any]:
        club = value.get("club")
        return value | {"club": self.clubs.get(club_key(club), club)} if isinstance(club, str) else value

    def _value(self, table: Table, name: str, value: Any) -> Any:
        if name in BY and isinstance(value, str):
            return self.actor(value)
        column = table.columns.get(name)
        if column is None:  # of an older version
            return self.text(value) if isinstance(value, str) else value
        if is_document(column) or (table.name, name) == ("list_seal", "text"):
            return self._document(value, everything=table.name in ALL_WORDS)
        return self.text(value) if isinstance(value, str) and not isinstance(column.type, Enum) else value

    def _document(self, value: Any, *, everything: bool) -> Any:
        try:
            return _in_document(value, partial(self._deep, everything=everything))
        except ValueError:  # not JSON
            return self.text(value)

    def _deep(self, value: Any, *, everything: bool) -> Any:
        if isinstance(value, str):
            return self.text(value) if everything else value
        if isinstance(value, list):
            return [self._deep(part, everything=everything) for part in value]
        if not isinstance(value, dict):
            return value
        words = FREE | {"name"} if value.keys() & {"system", "models", "squads"} else FREE
        entry = {key: self._deep(part, everything=everything or key in words) for key, part in value.items()}
        if isinstance(club := value.get("club"), str) and club_key(club) in self.clubs:
            entry["club"] = self.clubs[club_key(club)]
        return entry

    def entry(self, entry: Mapping[str, Any], *, own: bool) -> dict[str, Any]:
        """The text and the details of an entry of the journal: about a replaced player, or with an announcement.

        What words the text in other languages, ``said``, stays as the text: a team may have the name of a club.
        """
        if not own and entry["verb"] in ANNOUNCED:
            return {name: self._announced(entry[name]) for name in ("text", "details")}
        if not own:
            return {}
        details = self._deep(entry["details"], everything=True)
        figures = {"said": details["said"]} if "said" in details else {}
        return {"text": self.text(entry["text"]), "details": self._without_clubs(details) | figures}

    def _without_clubs(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.clubs.get(club_key(value), value)
        if isinstance(value, list):
            return [self._without_clubs(part) for part in value]
        return {key: self._without_clubs(part) for key, part in value.items()} if isinstance(value, dict) else value


@cache
def _without_words(table: Table) -> set[str]:
    return {name for name, fact in facts_of(table).items() if fact.goes != "words"}


def _without_digests(outcome: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a draw without the digests that versions up to 0.5.0 stored: they would prove a guessed name."""
    return {key: value for key, value in outcome.items() if key != "digests"}


def _in_document(value: Any, change: Callable[[Any], Any]) -> Any:
    """A document after a change, as the value that it was or as a JSON text. Raises ValueError for another text."""
    if not isinstance(value, str):
        return change(value)
    read = json.loads(value)
    new = change(read)
    return value if new == read else json.dumps(new, ensure_ascii=False, separators=(",", ":"))
