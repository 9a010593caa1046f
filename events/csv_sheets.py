"""Players, rounds and standings as CSV: what the public pages show, in a form that spreadsheets read rightly.

UTF-8 with a byte order mark, commas and CRLF (RFC 4180): without the mark Excel takes names for another encoding.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from sqlmodel import Session

from events.access import may_see_entry
from events.actions.standings import standings
from events.actions.team_standings import team_standings
from events.outcomes import ending_words, score_of, winning_side
from events.pairing.teams import TEAM_TIE_BREAKS
from events.pairing.tie_breaks import TIE_BREAKS
from events.reading import RoundView, players_by_id, players_of
from events.team_reading import is_team_event, team_name
from events.visitor import Visitor
from models.event import Event, EventFormat
from models.play import Absent, Game, GameState, Player, PlayerState

BOM = "\ufeff"
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?", re.ASCII)
_FORMULA = "=+\\-@＝＋－＠"
"""Characters with which a formula starts in some spreadsheet."""
_PART = r"""(?:\A|(?<=[;,\t\r\n"]))"""
"""Where a spreadsheet may start a new cell: not all split at commas alone, and quotes are read variously."""
_BLANKS = r"(?:'|[^\S\t\r\n])*"
"""What a spreadsheet may skip before a formula. Tabs and line ends start a part of their own, so each is read once."""
_UNSAFE = re.compile(rf"{_PART}(?={_BLANKS}[{_FORMULA}])|\A(?='*[\t\r\n])")
_GUARDED = re.compile(rf"{_PART}'(?={_BLANKS}[{_FORMULA}])|\A'(?='*[\t\r\n])")


def cell(value: object) -> str:
    """A value as a cell. Each part of a text that could start a formula gets an apostrophe; plain numbers stay."""
    text = "" if value is None else str(value)
    return text if NUMBER.fullmatch(text) else _UNSAFE.sub("'", text)


def as_typed(text: str) -> str:
    """The value of a cell that ``cell`` wrote: its apostrophes are removed again."""
    return _GUARDED.sub("", text)


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as a file, the heads first."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return (BOM + written.getvalue()).encode()


def players_csv(s: Session, event: Event) -> bytes:
    """Who is entered, in the order of the event's page, those who wait last."""
    teams = is_team_event(event)
    entered = [p for p in players_of(s, event) if p.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)]
    waiting = [p for p in players_of(s, event) if p.state == PlayerState.WAITING and may_see_entry(Visitor(), event, p)]
    rows: list[Sequence[object]] = [("Player", *(["Team"] if teams else []), "Club", "Faction", "Place")]
    for one in (*entered, *waiting):
        place = "waiting list" if one.state == PlayerState.WAITING else "yes"
        rows.append((one.name, *([team_name(s, one)] if teams else []), one.club, one.faction, place))
    return csv_bytes(rows)


def round_csv(s: Session, event: Event, view: RoundView) -> bytes:
    """A round: who plays whom where by which scenario, and what came of it as far as it counts."""
    people = players_by_id(s, event)
    heads = ("Round", "Table", "Scenario", "Player A", "Faction A", "Player B", "Faction B", "VP A", "VP B", "Winner")
    return csv_bytes([(*heads, "Result"), *(_game(event, view, game, people) for game in view.games)])


def standings_csv(s: Session, event: Event, after: int) -> bytes:
    """The standings after a complete round, of the teams where teams play."""
    counted = event.format != EventFormat.KNOCKOUT  # a knockout from the start has places alone
    of_teams = is_team_event(event)
    breaks = [label for _, label, _ in TEAM_TIE_BREAKS] if of_teams else [TIE_BREAKS[n].label for n in event.tie_breaks]
    people = {} if of_teams else {str(player.id): player for player in players_of(s, event)}
    heads = ("Rank", "Team") if of_teams else ("Rank", "Player", "Club", "Faction")
    figures = ("Wins", "Draws", "Losses", "Not played", "Points") if counted else ()
    rows: list[Sequence[object]] = [(*heads, *figures, *(breaks if counted else ()), "Note")]
    for row in (team_standings if of_teams else standings)(s, event, after) if after else []:
        who = people.get(row.id)
        note = "disqualified" if row.disqualified else "dropped" if row.dropped else row.how.get("place", "")
        told = (row.wins, row.draws, row.losses, ", ".join(row.unplayed), row.points) if counted else ()
        shown = [figure.shown for figure in row.figures] if counted else []
        about = (who.club, who.faction) if who else ()
        rows.append(("" if row.disqualified else row.rank, row.name, *about, *told, *shown, note))
    return csv_bytes(rows)


def _game(event: Event, view: RoundView, game: Game, people: dict[int, Player]) -> Sequence[object]:
    a, b = people[game.a_id], people[game.b_id] if game.b_id else None
    number, scenario = view.round.number, view.scenario_at(game)
    counts = b is not None and (game.state == GameState.CONFIRMED or game.absent is not None)
    found = score_of(event, number, scenario, game) if counts and game.absent is None else None
    side = winning_side(event, number, scenario, game) if counts else None
    winner = {"a": a.name, "b": b.name if b else "", "draw": "draw"}.get(side or "", "")
    return (
        number,
        game.table_number,
        scenario.name if scenario and b else "",
        a.name,
        a.faction,
        b.name if b else "",
        b.faction if b else "",
        found.a if found else "",
        found.b if found else "",
        winner,
        _result(game, a, b),
    )


def _result(game: Game, a: Player, b: Player | None) -> str:
    if b is None:
        return "asked for a bye" if game.asked else ", ".join(game.notes) or "bye"
    if game.absent is not None:
        return {Absent.A: f"{a.name} did not come", Absent.B: f"{b.name} did not come"}.get(game.absent, "nobody came")
    if game.state != GameState.CONFIRMED:
        return {GameState.OPEN: "not reported"}.get(game.state, game.state.value)
    return ending_words(game.ending) or "played"
