"""Notes on pairs and byes in sentences."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from events.tournament.pairing.knockout import stage
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.tables import block_tables

SENTENCES: Mapping[NoteKind, str] = {
    NoteKind.LOCKED: "locked by hand",
    NoteKind.REMATCH: "rematch: these two have met before",
    NoteKind.REMATCH_NEEDED: "rematch: no pairing of these {players} has fewer than {fewest}",
    NoteKind.PAIR_DOWN: "pair-down from {high} to {low}",
    NoteKind.PAIR_DOWN_ODD: "pair-down from {high} to {low}: an odd number ({above}) on {line} or more",
    NoteKind.PAIR_DOWN_NEAREST: "pair-down from {high} to {low}: nothing nearer without a rematch",
    NoteKind.PAIR_DOWN_NEAREST_BYE: "pair-down from {high} to {low}: nothing nearer without a rematch or a worse bye",
    NoteKind.REPEAT_PAIR_DOWN: "repeat pair-down: the higher {player} was paired down {times} before",
    NoteKind.KEPT_APART: "kept apart: these two were to be kept apart",
    NoteKind.SAME_CLUB: "same club: {club}",
    NoteKind.BYE_LOCKED: "bye: locked by hand",
    NoteKind.BYE_ONLY_PLAYER: "bye: the only {player} in the field",
    NoteKind.BYE_LOWEST: "bye: lowest group without an earlier bye ({points})",
    NoteKind.BYE_HIGHER: "bye: on {points}, while {players} on fewer points had none",
    NoteKind.BYE_IN_TURN: "bye: an odd field, everybody has one in turn",
    NoteKind.BYE_ASKED: "bye asked for",
    NoteKind.BYE_EMPTY_PLACE: "bye, {match}: seed {seed} {through}, for the bracket has an empty place",
    NoteKind.SECOND_BYE: "second bye: had one {times} before, while {players} had none",
    NoteKind.SECOND_BYE_LOWEST: "second bye: every {player} has had one; lowest group ({points})",
    NoteKind.SECOND_BYE_HIGHER: "second bye: on {points}, while {players} on fewer points had one too",
    NoteKind.STAND_IN: "a stand-in in place of the bye",
    NoteKind.FIXED_TABLE_OUT: "fixed {table} not kept: it is not among the tables in order",
    NoteKind.FIXED_TABLE_OPPONENT: "fixed {table} not kept: the opponent's {other_table} is",
    NoteKind.FIXED_TABLE_TAKEN: "fixed {table} not kept: another pair sits there",
    NoteKind.TABLE_AGAIN: "table again: {who} sat at {table} {often}",
    NoteKind.SCENARIO_AGAIN: "scenario again: {who} played it {often}",
    NoteKind.BRACKET_MATCH: "{match}: seed {seed} against seed {other}",
    NoteKind.MET_BEFORE_BRACKET: "these two have met before the knockout",
    NoteKind.WALK_OVER_ABSENT: "walk-over, {match}: seed {seed} {through}, for seed {other} is not here",
    NoteKind.WALK_OVER_NOBODY: "walk-over, {match}: seed {seed} {through}, for nobody came through to meet them",
    NoteKind.CIRCLE_MATCH: "circle: place {place} against place {other}",
    NoteKind.CIRCLE_ABSENT: "walk-over: place {other} of the circle is not here",
    NoteKind.THIRD_CHAIR: "odd field: a third chair at the last table",
    NoteKind.CHALLENGE: "challenge",
    NoteKind.EMPTY_BOARD: "board {board}: nobody opposite, a walk-over",
    NoteKind.OTHER: "{text}",
}
BEST: Mapping[Any, str] = {
    "rematches": "; any other choice forces more rematches",
    "repeats": "; no placing has fewer repeats",
    "repeats_fixed": "; no placing has fewer repeats and keeps the fixed tables",
    "in_order": "; the order of tables comes first here",
    "scenarios": "; no scenario of the pool was played less by these two",
}
"""What a note claims if its draw is known to be the best, by the figure ``best``."""


def sentences(notes: Iterable[Note], team_size: int = 1) -> tuple[str, ...]:
    """The notes in sentences; in team events (``team_size`` above 1) of teams and their blocks of tables."""
    return tuple(sentence(note, team_size) for note in notes)


def sentence(note: Note, team_size: int = 1) -> str:
    """One note in a sentence, without a full stop. Raises KeyError, TypeError or ValueError for invalid figures."""
    given: Mapping[str, Any] = note.figures
    noun = "player" if team_size == 1 else "team"
    words = {name: FIGURES.get(name, str)(value) for name, value in given.items()}
    words |= {name: _at(given[name], team_size) for name in ("table", "other_table") if name in given}
    words["player"] = noun
    if "players" in given:
        words["players"] = counted(given["players"], noun)
    if "places" in given:
        words["match"] = "third place" if given.get("third") else stage(given["places"])
        words["through"] = "wins it" if given["places"] == 2 else "is through"
    text = SENTENCES[note.kind].format_map(words)
    return text + BEST[given["best"]] if "best" in given else text


def bye_reason(note: Note) -> str:
    """Why a player has the bye, for a page that names the bye itself."""
    return sentence(note).removeprefix("bye: ")


def plain_number(value: float) -> str:
    """6.0 as "6", 6.5 as "6.5"."""
    return str(int(value)) if value == int(value) else str(value)


def points(value: float) -> str:
    """ "1 point", "6.5 points"."""
    return f"{plain_number(value)} {'point' if value == 1 else 'points'}"


def counted(count: int, noun: str) -> str:
    """ "1 player", "3 players"."""
    return f"{count} {noun if count == 1 else noun + 's'}"


def times(count: int) -> str:
    """How often, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _at(table: int, team_size: int) -> str:
    """ "table 2"; for block 2 of teams of three "tables 4 to 6"."""
    if team_size == 1:
        return f"table {table}"
    block = block_tables(table, team_size)
    return f"tables {block[0]} to {block[-1]}"


FIGURES: Mapping[str, Callable[[Any], str]] = {
    "high": plain_number,
    "low": points,
    "line": points,
    "points": points,
    "times": times,
    "who": lambda players: "both" if players == 2 else "one of the two",
    "often": lambda count: "before" if count == 1 else f"{times(count)} before",
}
"""How figures are worded, by name; others as they are."""
