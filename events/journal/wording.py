"""Changed rows in words, limited to what the reader may read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import SQLModel

from events.journal.readers import Reader
from events.journal.setting_words import OF_ONE_DOCUMENT, VALUES, label_of
from events.store.editions import system_of
from events.store.journal import Changed
from events.store.outcomes import ending_words, result_words
from events.store.scoring import tie_breaks_in
from events.store.visitor import actor_words
from events.tournament.endings import Ending
from events.tournament.points_table import PointsTable, table_in_words
from events.tournament.scores import Ended, score
from languages.dates import dated
from languages.message import worded
from languages.money import sum_words
from languages.words import ENGLISH, N_, apart, gettext, in_sentence, listed, minus, ngettext, speaking
from models.captured import document_in
from models.event import Event
from models.facts import facts_of
from models.journal import JournalEntry, RowChangeKind
from validators.campaign import Roll
from validators.contract import EditionInfo
from validators.scenario import Scenario


def who_did(entry: JournalEntry) -> str:
    """The actor of an entry, as shown to readers; that of an imported one is marked, as nobody can verify it."""
    actor = actor_words(entry.actor)
    return gettext("%(actor)s (from the archive)", actor=actor) if entry.details.get("imported") else actor


ROWS = {
    "event": N_("The event"),
    "force_list": N_("List"),
    "fielded_force": N_("Force for a game"),
    "list_seal": N_("Sealed list"),
    "delivery": N_("Copy of a message"),
    "team_match": N_("Match"),
    "painting_vote": N_("A vote"),
    "sports_mark": N_("A mark"),
    "contact": N_("Mail address"),
    "force_step": N_("Step back of a list"),
    "team_ruling": N_("Ruling on a team"),
    "judge_call": N_("Call for a judge"),
    "campaign_step": N_("Step of the campaign"),
}
"""The name of each table's rows; the table's own name if missing."""
STATES = (N_("Planned"), N_("Drawn"), N_("Reported"), N_("Open"), N_("Report"))
"""Values and tables that no other text names."""
LONGEST = 300


@dataclass(frozen=True)
class Names:
    event: Event
    players: Mapping[int, str]
    teams: Mapping[int, str]
    rounds: Mapping[int, int]
    """Round numbers by id."""
    scenarios: Mapping[str, Scenario]
    played: Mapping[int, str]
    """The scenario of each game, by game id."""
    edition: EditionInfo
    reader: Reader


@dataclass(frozen=True)
class ColumnChange:
    """One column of a row, before and after; "" for an empty value."""

    what: str
    before: str
    after: str


@dataclass(frozen=True)
class RowInWords:
    title: str
    kind: RowChangeKind
    lines: tuple[ColumnChange, ...]


def rows_in_words(names: Names, changes: Iterable[Changed]) -> list[RowInWords]:
    """These changes in words, without rows that show nothing."""
    shown = [
        RowInWords(_title(names, change), change.kind, tuple(_lines(names, change)))
        for change in changes
        if names.reader.reads_table(change.table)
    ]
    return [row for row in shown if row.lines or row.kind != RowChangeKind.CHANGED]


def _title(names: Names, change: Changed) -> str:
    title = (
        gettext(ROWS[change.table]) if change.table in ROWS else gettext(change.table.replace("_", " ").capitalize())
    )
    if change.table == "event":
        return title
    parts = [title]
    if change.round_id is not None and change.round_id in names.rounds:
        number = names.rounds[change.round_id]
        parts.append(str(number) if change.table == "round" else gettext("round %(n)s", n=number))
    if change.table_number is not None:
        parts.append(gettext("table %(n)s", n=change.table_number))
    if change.table not in ("painting_vote", "sports_mark"):
        parts.append(
            " – ".join(names.players.get(id_, gettext("player %(number)s", number=id_)) for id_ in change.players)
        )
    words = [part for part in parts if part]
    return f"{words[0]} {words[1]}" if change.table == "round" and len(words) > 1 else ", ".join(words)


def _lines(names: Names, change: Changed) -> Iterable[ColumnChange]:
    held = {*change.before, *change.after}
    for column, fact in facts_of(change.table).items():
        if not fact.label or column not in held or not names.reader.reads(change.table, column):
            continue
        if column == "ending" and "answers" in held:
            continue  # shown as part of the result
        if column == "fee_amount" and "fee" in held:
            continue  # read from the fee's words
        before, after = (_shown(names, change, column, values) for values in (change.before, change.after))
        if change.kind == RowChangeKind.ADDED and after in (gettext("no"), "0"):
            continue  # the default value
        if before != after:
            yield ColumnChange(gettext(fact.label), before, after)


def _shown(names: Names, change: Changed, column: str, values: Mapping[str, Any]) -> str:
    if column not in values:
        return ""
    return _result(names, change, values) if column == "answers" else _value(names, change, column, values[column])


def _value(names: Names, change: Changed, column: str, value: Any) -> str:
    """A value in words; "" for an empty one."""
    if isinstance(value, PointsTable):
        return worded(table_in_words(value))
    if change.table == "event":
        value = document_in(SQLModel.metadata.tables["event"].c[column], value)
    if value is None or value == "" or value == []:
        return ""
    if column in ("a_id", "b_id") and change.table == "team_match":
        return names.teams.get(value, gettext("team %(number)s", number=value))
    if column in ("a_id", "b_id"):
        return names.players.get(value, gettext("player %(number)s", number=value))
    if column == "team_id":
        return names.teams.get(value, gettext("team %(number)s", number=value))
    if column in ("side", "awarded", "goes_through"):
        sides = dict(zip("ab", change.players, strict=False))
        others = {"side": gettext("the desk"), "awarded": gettext("nobody: a draw"), "goes_through": gettext("nobody")}
        return names.players.get(sides.get(value.value, 0), others[column])
    if column == "absent":
        sides = dict(zip("ab", change.players, strict=False))
        gone = [names.players.get(id_, "") for side, id_ in sides.items() if value.value in (side, "both")]
        return listed(gone)
    if column == "a_first":
        return names.players.get(dict(zip((True, False), change.players, strict=False)).get(value, 0), "")
    if column == "ending":
        return ending_words(value, *_sides(names, change))
    if column == "extra_seconds":
        return ngettext("%(num)s minute", "%(num)s minutes", value // 60) if value else "0"
    if column == "document":
        return _force(names, value, (change.after if change.before.get(column) is value else change.before).get(column))
    if column in ("fee_amount", "fee_set", "amount"):
        return sum_words(value, names.event.fee_currency)
    if column in ("scenario", "scenario_pool"):
        ids = value if isinstance(value, list) else [value]
        return ", ".join(names.scenarios[id_].name if id_ in names.scenarios else id_ for id_ in ids)
    if column == "tie_breaks":
        known = tie_breaks_in(system_of(names.event))
        return ", ".join(gettext(known[id_].label) if id_ in known else id_ for id_ in value)
    if column == "rolls" and isinstance(value, list):
        return "; ".join(Roll("", roll["sides"], tuple(roll["results"])).words for roll in value)
    if column == "arranged":
        by = dict(zip("ab", change.players, strict=False)).get(value.get("by"), 0)
        value = value | {"by": names.players.get(by, gettext("the desk"))}
    return _plain(names.event, value, column, facts_of(change.table)[column].choices or VALUES.get(column, {}))


def _plain(event: Event, value: Any, column: str, choices: Mapping[str, str]) -> str:
    """A value of a column, or of a part of a document, in words; ``choices`` are those of single values."""
    if not isinstance(value, list | dict) and str(value) in choices:
        return gettext(choices[str(value)], faction=system_of(event).words.faction)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, datetime):
        return dated(value.astimezone(ZoneInfo(event.timezone)), "%-d %b %Y, %H:%M:%S")
    if isinstance(value, date):
        return dated(value, "%-d %b %Y")
    if isinstance(value, Enum):
        return in_sentence(gettext(str(value.value).replace("_", " ").capitalize()))
    if isinstance(value, list):
        return ", ".join(_plain(event, one, column, choices) for one in value)
    if isinstance(value, dict):
        labels = {key: OF_ONE_DOCUMENT.get(f"{column}.{key}", label_of(key)) for key in value}
        parts = {key: _plain(event, part, key, VALUES.get(key, {})) for key, part in value.items() if part is not None}
        return ", ".join(f"{gettext(labels[key])}: {part}" for key, part in parts.items() if part and labels[key])
    return minus(value) if isinstance(value, int) else str(value)[:LONGEST]


def _result(names: Names, change: Changed, values: Mapping[str, Any]) -> str:
    answers, how = values["answers"], Ended(values.get("ending"), values.get("awarded"))
    if answers is None or (not answers and how.how == Ending.NOT_PLAYED):
        return ending_words(how.how, *_sides(names, change))
    game = change.row_id if change.table == "game" else {**change.before, **change.after}.get("game_id", 0)
    scenario = names.scenarios.get(names.played.get(game, ""))
    if scenario is None:
        return ", ".join(f"{key.replace('.', ' ').replace('_', ' ')} {value}" for key, value in answers.items())
    return result_words(score(system_of(names.event), scenario, dict(answers), how), how, _sides(names, change))


def _sides(names: Names, change: Changed) -> tuple[str, str]:
    """The players of a game or report, A first."""
    a, b = (names.players.get(id_, side) for side, id_ in zip("AB", (*change.players, 0, 0), strict=False))
    return a, b


@speaking(ENGLISH)
def _force(names: Names, document: Mapping[str, Any], other: Mapping[str, Any] | None) -> str:
    """A force with its total, and the lines that differ from the other version."""
    if document.get("edition") != names.edition.id:
        return gettext("of another edition")
    game = system_of(names.event)
    force, lines = game.forces.summarise(dict(document), names.edition), set[str]()
    if other and other.get("edition") == names.edition.id:
        lines = {line for line, _ in game.forces.summarise(dict(other), names.edition).lines}
    differ = [line for line, _ in force.lines if line not in lines]
    return apart((f"{force.faction}, {force.total} {game.unit}", *differ))
