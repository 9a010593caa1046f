"""notes: those on pairs and byes as kinds and figures instead of sentences"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "20261215_notes"
down_revision = "20261214_contact_and_bring"
branch_labels = None
depends_on = None

SENTENCES = {
    "locked": "locked by hand",
    "rematch": "rematch: these two have met before",
    "rematch_needed": "rematch: no pairing of these {players} has fewer than {fewest}",
    "pair_down": "pair-down from {high} to {low}",
    "pair_down_odd": "pair-down from {high} to {low}: an odd number ({above}) on {line} or more",
    "pair_down_nearest": "pair-down from {high} to {low}: nothing nearer without a rematch",
    "pair_down_nearest_bye": "pair-down from {high} to {low}: nothing nearer without a rematch or a worse bye",
    "repeat_pair_down": "repeat pair-down: the higher {player} was paired down {times} before",
    "kept_apart": "kept apart: these two were to be kept apart",
    "same_club": "same club: {club}",
    "bye_locked": "bye: locked by hand",
    "bye_only_player": "bye: the only {player} in the field",
    "bye_lowest": "bye: lowest group without an earlier bye ({points})",
    "bye_higher": "bye: on {points}, while {players} on fewer points had none",
    "bye_in_turn": "bye: an odd field, everybody has one in turn",
    "bye_asked": "bye asked for",
    "bye_empty_place": "bye, {match}: seed {seed} {through}, for the bracket has an empty place",
    "second_bye": "second bye: had one {times} before, while {players} had none",
    "second_bye_lowest": "second bye: every {player} has had one; lowest group ({points})",
    "second_bye_higher": "second bye: on {points}, while {players} on fewer points had one too",
    "stand_in": "a stand-in in place of the bye",
    "fixed_table_out": "fixed {table} not kept: it is not among the tables in order",
    "fixed_table_opponent": "fixed {table} not kept: the opponent's {other_table} is",
    "fixed_table_taken": "fixed {table} not kept: another pair sits there",
    "table_again": "table again: {who} sat at {table} {often}",
    "scenario_again": "scenario again: {who} played it {often}",
    "bracket_match": "{match}: seed {seed} against seed {other}",
    "met_before_bracket": "these two have met before the knockout",
    "walk_over_absent": "walk-over, {match}: seed {seed} {through}, for seed {other} is not here",
    "walk_over_nobody": "walk-over, {match}: seed {seed} {through}, for nobody came through to meet them",
    "circle_match": "circle: place {place} against place {other}",
    "circle_absent": "walk-over: place {other} of the circle is not here",
    "third_chair": "odd field: a third chair at the last table",
    "challenge": "challenge",
    "empty_board": "board {board}: nobody opposite, a walk-over",
}
BEST = {
    "rematches": "; any other choice forces more rematches",
    "repeats": "; no placing has fewer repeats",
    "repeats_fixed": "; no placing has fewer repeats and keeps the fixed tables",
    "scenarios": "; no scenario of the pool was played less by these two",
}
STAGES = {"final": 2, "semi-final": 4, "quarter-final": 8}
TIMES = {"once": 1, "twice": 2}
NUMBER, COUNT, OFTEN = r"-?\d+(?:\.\d+)?", r"\d+", r"once|twice|\d+ times"
FIGURES: Mapping[str, str] = {
    "high": NUMBER,
    **dict.fromkeys(("low", "line", "points"), rf"{NUMBER} points?"),
    "players": r"\d+ (?:player|team)s?",
    "player": "player|team",
    "club": ".*",
    "times": OFTEN,
    "often": f"before|(?:{OFTEN}) before",
    "who": "both|one of the two",
    "match": r"third place|final|semi-final|quarter-final|round of \d+",
    "through": "wins it|is through",
    **dict.fromkeys(("table", "other_table"), r"table \d+|tables \d+ to \d+"),
}
"""How each figure was written; others are whole numbers."""


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"{(\w+)}", sentence)
    text = "".join(f"(?P<{one}>{FIGURES.get(one, COUNT)})" if n % 2 else re.escape(one) for n, one in enumerate(parts))
    return re.compile(f"{text}(?P<best>{'|'.join(map(re.escape, BEST.values()))})?")


PATTERNS = {kind: _pattern(sentence) for kind, sentence in SENTENCES.items()}


def note_of(sentence: str) -> dict[str, Any]:
    """The note that release 0.1.0 put into this sentence; of kind "other" for any other text."""
    for kind, pattern in PATTERNS.items():
        if found := pattern.fullmatch(sentence):
            note: dict[str, Any] = {"kind": kind}
            for name, text in found.groupdict().items():
                if text is not None:
                    note |= _figure(name, text)
            return note
    return {"kind": "other", "text": sentence}


def _figure(name: str, text: str) -> dict[str, Any]:
    if name in ("player", "through"):
        return {}
    if name == "match":
        return {"places": 2, "third": True} if text == "third place" else {"places": _places(text)}
    return {name: _value(name, text)}


def _places(stage: str) -> int:
    return STAGES.get(stage) or int(stage.removeprefix("round of "))


def _value(name: str, text: str) -> Any:
    if name == "club":
        return text
    if name == "best":
        return next(key for key, words in BEST.items() if words == text)
    if name == "who":
        return 2 if text == "both" else 1
    if name in ("high", "low", "line", "points"):
        return float(text.partition(" ")[0])
    if name in ("times", "often"):
        first = text.split()[0]
        return 1 if first == "before" else TIMES.get(first) or int(first)
    if name in ("table", "other_table"):
        first, *last = map(int, re.findall(r"\d+", text))
        return last[0] // (last[0] - first + 1) if last else first
    return int(text.partition(" ")[0])


def sentence_of(note: Mapping[str, Any], team_size: int = 1) -> str:
    """The sentence in which release 0.1.0 stored this note; with a match, in terms of teams."""
    if note["kind"] == "other":
        return str(note["text"])
    words = {name: _worded(name, value, team_size) for name, value in note.items()}
    words["player"] = "player" if team_size == 1 else "team"
    if "places" in note:
        stage = next((one for one, places in STAGES.items() if places == note["places"]), f"round of {note['places']}")
        words["match"] = "third place" if "third" in note else stage
        words["through"] = "wins it" if note["places"] == 2 else "is through"
    return SENTENCES[note["kind"]].format_map(words) + BEST.get(note.get("best", ""), "")


def _worded(name: str, value: Any, team_size: int) -> str:
    if name in ("high", "low", "line", "points"):
        text = str(int(value)) if value == int(value) else str(value)
        return text if name == "high" else f"{text} {'point' if value == 1 else 'points'}"
    if name == "players":
        return f"{value} {'player' if team_size == 1 else 'team'}{'' if value == 1 else 's'}"
    if name == "who":
        return "both" if value == 2 else "one of the two"
    if name in ("times", "often"):
        often = {1: "once", 2: "twice"}.get(value, f"{value} times")
        return often if name == "times" else "before" if value == 1 else f"{often} before"
    if name in ("table", "other_table"):
        last = value * team_size
        return f"table {value}" if team_size == 1 else f"tables {last - team_size + 1} to {last}"
    return str(value)


def upgrade() -> None:
    _rewrite(lambda notes, _: [note_of(one) for one in notes])


def downgrade() -> None:
    _rewrite(lambda notes, team_size: [sentence_of(one, team_size) for one in notes])


def _rewrite(turned: Callable[[list[Any], int], list[Any]]) -> None:
    """Rewrite all notes, and let the next write to their events begin the journal anew."""
    event = sa.table("event", sa.column("id"), sa.column("team_size"), sa.column("journal_from"))
    rounds = sa.table("round", sa.column("id"), sa.column("event_id"), sa.column("outcome", sa.JSON()))
    meeting = sa.table("meeting", sa.column("id"), sa.column("event_id"), sa.column("outcome", sa.JSON()))
    changed: set[int] = set()
    for name in ("game", "team_match"):
        noted = sa.table(name, sa.column("id"), sa.column("round_id"), sa.column("notes", sa.JSON()))
        rows = (
            sa.select(noted.c.id, noted.c.notes, event.c.id, event.c.team_size)
            .join_from(noted, rounds, noted.c.round_id == rounds.c.id)
            .join(event, rounds.c.event_id == event.c.id)
        )
        for id_, notes, event_id, team_size in op.get_bind().execute(rows).all():
            if notes:
                size = team_size if name == "team_match" else 1  # the draw and its boards named players
                op.execute(noted.update().where(noted.c.id == id_).values(notes=turned(notes, size)))
                changed.add(event_id)
    for drawn in (rounds, meeting):
        rows = sa.select(drawn.c.id, drawn.c.event_id, drawn.c.outcome)
        for id_, event_id, outcome in op.get_bind().execute(rows).all():
            if outcome is not None and (rewritten := _in_outcome(outcome, turned)) != outcome:
                op.execute(drawn.update().where(drawn.c.id == id_).values(outcome=rewritten))
                changed.add(event_id)
    for event_id in sorted(changed):
        op.execute(event.update().where(event.c.id == event_id).values(journal_from=None))


def _in_outcome(outcome: dict[str, Any], turned: Callable[[list[Any], int], list[Any]]) -> dict[str, Any]:
    """The outcome of a draw with its notes turned: those on the bye, on idle players, and on tables of a meeting."""
    found = dict(outcome)
    if "notes" in found:
        found["notes"] = turned(found["notes"], 1)
    if "idle" in found:
        found["idle"] = [[id_, turned(notes, 1)] for id_, notes in found["idle"]]
    if "pair_notes" in found:
        found["pair_notes"] = [turned(notes, 1) for notes in found["pair_notes"]]
    return found
