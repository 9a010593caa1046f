"""Players, lists, rounds and standings as rows of a sheet, and as a workbook; the first row has the heads."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import partial

import xlsxwriter

from events.registration.questions import questions_of
from events.standings.loading import is_ranked, standings_in
from events.store.editions import edition_of, system_of
from events.store.ledger import has_paid, is_settled
from events.store.outcomes import absence, ending_words
from events.store.players import DETAILS, PUBLIC_DETAILS, by_name, placed, players_by_id
from events.store.roles import roles_of
from events.store.rounds import RoundView, first_stage, knockout_title, through_words
from events.store.scoring import ordered_by
from events.store.team_queries import is_team_event, teams_of
from events.store.verdicts import forces_of
from events.store.visitor import Visitor
from events.tournament.boards import Board
from events.tournament.figures import Figure
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.words import sentences
from events.tournament.ranking import unplayed_words
from events.tournament.team_ranking import team_tie_breaks
from events.visitors.access import lists_shown, may_see_entry, may_see_force
from events.visitors.event_loading import players_in
from events.web.request import local
from languages.words import ENGLISH, speaking
from models.event import Event
from models.facts import Fact
from models.play import Game, GameState, Player, PlayerState, Through

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format has no time zone; the same rows make the same file
WIDEST = 60
"""Characters."""


@dataclass(frozen=True)
class Number:
    """An exact number, and how it is shown, with as many decimals as the cell of a workbook shows."""

    value: Fraction
    shown: str

    def __str__(self) -> str:
        return self.shown


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """The sheets by name, each with its heads in the first row. No text becomes a formula or a link."""
    written = io.BytesIO()
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(written, plain) as book:
        book.set_properties({"created": MADE})
        head = book.add_format({"bold": True, "bottom": 1})
        forms = [None, *(book.add_format({"num_format": f"0.{'0' * decimals}"}) for decimals in (1, 2, 3))]
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for place, value in enumerate(row):
                    if isinstance(value, Number):
                        decimals = len(value.shown.partition(".")[2])
                        sheet.write_number(number, place, float(value.value), forms[decimals])
                        continue
                    shown = value if isinstance(value, int) else "" if value is None else str(value)
                    sheet.write(number, place, shown, None if number else head)
            sheet.freeze_panes(1, 1)
            sheet.autofilter(0, 0, max(len(rows) - 1, 1), len(rows[0]) - 1)
            for place, column in enumerate(zip(*rows, strict=True)):
                sheet.set_column(place, place, min(WIDEST, max(len(str(cell or "")) for cell in column) + 2))
    return written.getvalue()


Rows = list[Sequence[object]]


def players_rows(event: Event) -> Rows:
    """The players in the order of the event's page, then those who dropped, and the waiting list."""
    everybody = event.players
    dropped = [p for p in everybody if p.state == PlayerState.DROPPED and p.dropped_after and not p.ringer]
    waiting = [p for p in everybody if p.state == PlayerState.WAITING and may_see_entry(Visitor(), event, p)]
    places = {PlayerState.WAITING: "waiting list", PlayerState.DROPPED: "dropped"}
    rows: Rows = [(*_entry_heads(event, PUBLIC_DETAILS), "Place")]
    teams = _team_names(event)
    for player in (*placed(everybody), *dropped, *waiting):
        rows.append((*_entry(player, PUBLIC_DETAILS, teams), places.get(player.state, "yes")))
    return rows


def staff_rows(event: Event, *, paid: bool) -> Rows:
    """All entries with the staff's data, including answers to the event's questions."""
    asked, money = questions_of(event), ("Paid",) if paid else ()
    labels, teams = (question.label for question in asked), _team_names(event)
    rows: Rows = [(*_entry_heads(event, DETAILS), "State", "Signed up", *money, *labels)]
    for player in sorted(event.players, key=by_name):
        at = local(player.registered_at, event, "%Y-%m-%d %H:%M")
        money = ("yes" if has_paid(event, player) else "" if is_settled(event, player) else "no",) if paid else ()
        answers = ((player.answers or {}).get(question.id, "") for question in asked)
        rows.append((*_entry(player, DETAILS, teams), player.state.value, at, *money, *answers))
    return rows


def _entry_heads(event: Event, details: Mapping[str, Fact]) -> Sequence[str]:
    team = ("Team",) if is_team_event(event) else ()
    return ("Player", *team, *(fact.head for fact in details.values()), "Faction")


def _team_names(event: Event) -> dict[int, str] | None:
    return {team.id: team.name for team in teams_of(event)} if is_team_event(event) else None


def _entry(player: Player, details: Iterable[str], teams: Mapping[int, str] | None) -> Sequence[object]:
    team = (teams.get(player.team_id or 0, ""),) if teams is not None else ()
    return (player.name, *team, *(getattr(player, name) for name in details), player.faction)


def lists_rows(event: Event, now: datetime) -> Rows:
    """A line for each model of the lists that everybody may read at ``now``; only the heads while there are none."""
    edition, forces = edition_of(event), forces_of(event) if lists_shown(event, now) else {}
    rows: Rows = [("Player", "Faction", "Leader", "Total", "Model", "Cost")]
    for player in sorted(placed(event.players), key=by_name):
        force = forces.get(player.id)
        if force and may_see_force(Visitor(), player, event, now, submitted=force.submitted, opponent=False):
            summary = system_of(event).forces.summarise(force.document, edition)
            about = (player.name, summary.faction, summary.leader, summary.total)
            rows += [(*about, model, cost) for model, cost in summary.lines]
            rows += [(*about, summary.also, "")] if summary.also else []
    return rows


def round_rows(event: Event, view: RoundView) -> Rows:
    people = players_by_id(event)
    heads = ("Round", "Table", "Scenario", "Player A", "Faction A", "Player B", "Faction B", "VP A", "VP B", "Winner")
    games = zip(view.games, view.now.boards, strict=True)
    rows: Rows = [(*heads, "Result"), *(_game(event, game, board, people) for game, board in games)]
    if view.round.bracket:
        with_stage = ["Stage", *map(partial(_stage, view), view.games)]
        rows = [(*row, stage) for row, stage in zip(rows, with_stage, strict=True)]
    if any(scenario.roles for scenario in view.played):
        roles = [roles_of(view.scenario_at(game), game) for game in view.games]
        named = [tuple(role.name for role in both.values()) or ("", "") for both in roles]
        rows = [(*row, *more) for row, more in zip(rows, [("Role A", "Role B"), *named], strict=True)]
    return rows


def standings_rows(event: Event, after: int) -> Rows:
    """The standings after a complete round; in a team event those of the teams."""
    stage = first_stage(event)
    counted, points = stage.counts != "places", not stage.by_ladder  # a knockout from the start has only places
    table = standings_in(event)
    of_teams, scheme = table.t.rules.teams, table.t.rules.scheme
    of_team = [label for _, label, _ in team_tie_breaks(scheme)]
    breaks = of_team if of_teams else [tie_break.label for tie_break in ordered_by(event)]
    people = {} if of_teams else {str(player.id): player for player in players_in(event)}
    heads = ("Rank", "Team") if of_teams else ("Rank", "Player", "Club", "Faction")
    of_games = ("Wins at the table", "Draws at the table", "Losses at the table")
    outcomes = ("Matches won", "Matches drawn", "Matches lost") if of_teams else of_games
    figures = (*outcomes, "Not played", *["Points"] * points) if counted else ()
    rows: Rows = [(*heads, *figures, *(breaks if counted else ()), "Note")]
    for row in table.after(after) if is_ranked(event, after) else []:
        who = people.get(row.id)
        note = ", ".join(map(str, filter(None, (row.how.get("place"), row.gone))))
        record = (row.wins, row.draws, row.losses, ", ".join(map(str, unplayed_words(row))), *[row.points] * points)
        shown = [_number(figure) for figure in row.figures] if counted else []
        about = (who.club, who.faction) if who else ()
        rows.append(
            ("" if row.disqualified else row.rank, row.name, *about, *(record if counted else ()), *shown, note)
        )
    return rows


def _number(figure: Figure) -> Number | str:
    return str(figure.shown) if figure.number is None else Number(figure.number, str(figure.shown))


def _game(event: Event, game: Game, board: Board, people: dict[int, Player]) -> Sequence[object]:
    a, b = people[game.a_id], people[game.b_id] if game.b_id else None
    counts = b is not None and (game.state == GameState.CONFIRMED or game.absent is not None)
    score = board.score if counts and game.absent is None else None
    side = board.winner if counts and not board.unplayed else None
    winner = {"a": a.name, "b": b.name if b else "", "draw": "draw"}.get(side or "", "")
    return (
        board.round,
        game.table_number,
        board.scenario.name if board.scenario and b else "",
        a.name,
        a.faction,
        b.name if b else "",
        b.faction if b else "",
        score.a if score and score.known else "",
        score.b if score and score.known else "",
        winner,
        "; ".join(filter(None, (_result(event, game, people), _through(game, board, people)))),
    )


@speaking(ENGLISH)
def _stage(view: RoundView, game: Game) -> str:
    return knockout_title(view.round, game)


@speaking(ENGLISH)
def _through(game: Game, board: Board, people: dict[int, Player]) -> str:
    return through_words(game, Through(board.decision), people) if board.decision else ""


@speaking(ENGLISH)
def _result(event: Event, game: Game, people: dict[int, Player]) -> str:
    if game.b_id is None:
        return "asked for a bye" if game.asked else ", ".join(sentences(notes_in(game.notes))) or "bye"
    if game.absent is not None:
        return absence(event, game, people)
    if game.state != GameState.CONFIRMED:
        return {GameState.OPEN: "not reported"}.get(game.state, game.state.value)
    return ending_words(game.ending) or "played"
