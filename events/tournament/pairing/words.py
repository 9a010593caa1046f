"""Notes on pairs and byes in sentences."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from events.tournament.pairing.knockout import stage
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.tables import block_tables
from languages.words import N_, counted_points, gettext, ngettext

SENTENCES: Mapping[NoteKind, str] = {
    NoteKind.LOCKED: N_("locked by hand"),
    NoteKind.REMATCH: N_("rematch: these two were paired before"),
    NoteKind.REMATCH_NEEDED: N_("rematch: no pairing of these {players} has fewer than {fewest}"),
    NoteKind.PAIR_DOWN: N_("{high} against {low}"),
    NoteKind.PAIR_DOWN_ODD: N_("{high} against {low}: an odd number ({above}) on {line} or more"),
    NoteKind.PAIR_DOWN_NEAREST: N_("{high} against {low}: on the whole no draw without a rematch is nearer"),
    NoteKind.PAIR_DOWN_NEAREST_BYE: N_(
        "{high} against {low}: on the whole no draw without a rematch or a worse bye is nearer"
    ),
    NoteKind.REPEAT_PAIR_DOWN: N_("repeat pair-down: the higher {player} was paired down {times} before"),
    NoteKind.KEPT_APART: N_("kept apart: these two were to be kept apart"),
    NoteKind.SAME_CLUB: N_("same club: {club}"),
    NoteKind.BYE_LOCKED: N_("locked by hand"),
    NoteKind.BYE_ONLY_PLAYER: N_("the only {player} in the field"),
    NoteKind.BYE_LOWEST: N_("lowest group without an earlier bye ({points})"),
    NoteKind.BYE_HIGHER: N_("on {points}, while {players} on fewer points had none"),
    NoteKind.BYE_IN_TURN: N_("an odd field, everybody has one in turn"),
    NoteKind.BYE_ASKED: N_("bye asked for"),
    NoteKind.BYE_EMPTY_PLACE: N_("bye, {match}: seed {seed} {through}, for the bracket has an empty place"),
    NoteKind.SECOND_BYE: N_("second bye: had one {times} before, while {players} had none"),
    NoteKind.SECOND_BYE_LOWEST: N_("second bye: every {player} has had one; lowest group ({points})"),
    NoteKind.SECOND_BYE_HIGHER: N_("second bye: on {points}, while {players} on fewer points had one too"),
    NoteKind.STAND_IN: N_("a stand-in in place of the bye"),
    NoteKind.FIXED_TABLE_OUT: N_("fixed {table} not kept: it is not among the tables in order"),
    NoteKind.FIXED_TABLE_OPPONENT: N_("fixed {table} not kept: the opponent's {other_table} is"),
    NoteKind.FIXED_TABLE_TAKEN: N_("fixed {table} not kept: another pair sits there"),
    NoteKind.TABLE_AGAIN: N_("table again: {who} sat at {table} {often}"),
    NoteKind.SCENARIO_AGAIN: N_("scenario again: {who} played it {often}"),
    NoteKind.BRACKET_MATCH: N_("{match}: seed {seed} against seed {other}"),
    NoteKind.MET_BEFORE_BRACKET: N_("these two were paired before the knockout"),
    NoteKind.WALK_OVER_ABSENT: N_("walk-over, {match}: seed {seed} {through}, for seed {other} is not here"),
    NoteKind.WALK_OVER_NOBODY: N_("walk-over, {match}: seed {seed} {through}, for nobody came through to meet them"),
    NoteKind.CIRCLE_MATCH: N_("circle: place {place} against place {other}"),
    NoteKind.CIRCLE_ABSENT: N_("bye: place {other} of the circle is not here"),
    NoteKind.CHALLENGE: N_("challenge"),
    NoteKind.EMPTY_BOARD: N_("board {board}: nobody opposite, a walk-over"),
    NoteKind.OTHER: "{text}",
}
BYES = {
    NoteKind.BYE_LOCKED, NoteKind.BYE_ONLY_PLAYER, NoteKind.BYE_LOWEST, NoteKind.BYE_HIGHER, NoteKind.BYE_IN_TURN,
}  # fmt: skip
"""The notes that are reasons of a bye, which ``sentence`` puts before them."""
BEST: Mapping[Any, str] = {
    "rematches": N_("; any other choice forces more rematches"),
    "repeats": N_("; no placing has fewer repeats"),
    "repeats_fixed": N_("; no placing has fewer repeats and keeps the fixed tables"),
    "in_order": N_("; the order of tables comes first here"),
    "scenarios": N_("; no scenario of the pool was played less by these two"),
}
"""What a note claims if its draw is known to be the best, by the figure ``best``."""


def sentences(notes: Iterable[Note], team_size: int = 1) -> tuple[str, ...]:
    """The notes in sentences; in team events (``team_size`` above 1) of teams and their blocks of tables."""
    return tuple(sentence(note, team_size) for note in notes)


def sentence(note: Note, team_size: int = 1) -> str:
    """One note in a sentence, without a full stop. Raises KeyError, TypeError or ValueError for invalid figures."""
    text = bye_reason(note, team_size)
    return gettext("bye: {reason}").format(reason=text) if note.kind in BYES else text


def bye_reason(note: Note, team_size: int = 1) -> str:
    """As ``sentence``; of a bye only its reason, for a page that names the bye itself."""
    given: Mapping[str, Any] = note.figures
    alone = team_size == 1
    words = {name: FIGURES.get(name, str)(value) for name, value in given.items()}
    words |= {name: _at(given[name], team_size) for name in ("table", "other_table") if name in given}
    words["player"] = gettext("player") if alone else gettext("team")
    if "players" in given:
        number = given["players"]
        of_teams = ngettext("%(num)s team", "%(num)s teams", number)
        words["players"] = ngettext("%(num)s player", "%(num)s players", number) if alone else of_teams
    if "places" in given:
        words["match"] = gettext("third place") if given.get("third") else str(stage(given["places"]))
        final = gettext("is third") if given.get("third") else gettext("wins it")
        words["through"] = final if given["places"] == 2 else gettext("is through")
    text = gettext(SENTENCES[note.kind]).format_map(words)
    return text + gettext(BEST[given["best"]]) if "best" in given else text


def plain_number(value: float) -> str:
    """6.0 as "6", 6.5 as "6.5"."""
    return str(int(value)) if value == int(value) else str(value)


def times(count: int) -> str:
    if count in (1, 2):
        return gettext("once") if count == 1 else gettext("twice")
    return ngettext("%(num)s time", "%(num)s times", count)


def _at(table: int, team_size: int) -> str:
    """ "table 2"; for block 2 of teams of three "tables 4 to 6"."""
    if team_size == 1:
        return gettext("table %(table)s", table=table)
    block = block_tables(table, team_size)
    return gettext("tables %(first)s to %(last)s", first=block[0], last=block[-1])


FIGURES: Mapping[str, Callable[[Any], str]] = {
    "high": plain_number,
    "low": counted_points,
    "line": counted_points,
    "points": counted_points,
    "times": times,
    "who": lambda players: gettext("both") if players == 2 else gettext("one of the two"),
    "often": lambda count: gettext("before") if count == 1 else gettext("%(times)s before", times=times(count)),
}
"""How figures are worded, by name; others as they are."""
