"""Forces on paper, and the desk's tables: check-in list, list check, team sheets, plan of the day."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from events.accounts import access
from events.accounts.loading import event_or_404, managed_event, opposes, player_or_404, visitor
from events.desk.event_pack_views import scenario_words
from events.lists.queries import Entry, entries
from events.play.clock_queries import planned_of
from events.play.event_rules import day_words
from events.play.names import slug_of
from events.play.queries import (
    RoundView,
    edition_of,
    force_of,
    list_size,
    players_of,
    public_round_views,
    system_of,
    terms_for,
    terms_of,
)
from events.play.rounds import round_summaries
from events.play.team_queries import captain_of, is_team_event, members, teams_of
from events.web.request import db, local, now
from events.web.responses import pdf_answer, printed_at
from models.event import Event
from models.play import ForceList, Player, PlayerState
from models.team import Team
from pdf.game_sheet import (
    GameSheet,
    SheetBlock,
    SheetFigure,
    SheetFigures,
    SheetLines,
    SheetTable,
    SheetTrack,
    game_sheets,
)
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.sheet import Block, Facts, Lines, Sheet, Table, Track

blueprint = Blueprint("force_paper", __name__)


@blueprint.get("/e/<slug>/players/<int:player_id>/force.pdf")
def force_sheets(slug: str, player_id: int) -> ResponseReturnValue:
    """A player's force on the game's own sheets, for visitors who may read it."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    force = force_of(db(), player)
    if force is None or not access.may_see_force(
        visitor(), player, event, now(), submitted=force.submitted, opponent=opposes(event, player)
    ):
        abort(404)
    pages = game_sheets_of(event, player, force.document, terms_for(terms_of(db(), event), player))
    return pdf_answer(
        event, f"{slug_of(player.name)}-force", lambda size: game_sheets(pages, event.name, size, printed_at(event))
    )


def game_sheets_of(event: Event, player: Player, document: Document, terms: Terms) -> list[GameSheet]:
    """The game's own sheets of a force; ``terms`` are the player's."""
    return [_sheet(sheet, player) for sheet in system_of(event).papers.sheets(document, terms)]


def _sheet(sheet: Sheet, player: Player) -> GameSheet:
    whose = f"{player.name}, {player.club}" if player.club else player.name
    return GameSheet(sheet.title, (whose, sheet.subtitle), tuple(map(_block, sheet.blocks)))


def _block(block: Block) -> SheetBlock:
    match block:
        case Facts():
            return SheetFigures(block.title, tuple(SheetFigure(f.label, f.value, f.how) for f in block.figures))
        case Table():
            heads, kinds = [column.head for column in block.columns], [column.kind for column in block.columns]
            return SheetTable(block.title, tuple(heads), tuple(kinds), block.rows, block.total)
        case Track():
            return SheetTrack(block.title, block.rows)
        case Lines():
            return SheetLines(block.title, block.lines)


TO_COME = {PlayerState.REGISTERED, PlayerState.CHECKED_IN}
COPIES = ("judge", "opponent", "player")


def _answer(event: Event, name: str, sheets: Sequence[GameSheet]) -> ResponseReturnValue:
    return pdf_answer(event, name, lambda size: game_sheets(sheets, event.name, size, printed_at(event)))


@blueprint.get("/e/<slug>/desk/check-in.pdf")
def check_in(slug: str) -> ResponseReturnValue:
    """Players with a place by name, with boxes to tick at check-in; then the waiting list."""
    event = managed_event(slug)
    people = sorted(players_of(db(), event), key=lambda player: player.name_key)
    fee = event.fee and access.may_mark_paid(visitor(), event)
    heads = ["Here", *(["Paid"] if fee else []), "Name", "Club", system_of(event).words.faction.capitalize(), "Note"]
    kinds = ["tick", *(["tick"] if fee else []), "text", "text", "text", "write"]

    def row(player: Player) -> tuple[str, ...]:
        paid = ["yes" if player.paid_at else ""] if fee else []
        here = "yes" if player.state == PlayerState.CHECKED_IN else ""
        return (here, *paid, player.name, player.club, player.faction, "")

    expected = [player for player in people if player.state in TO_COME]
    waiting = [player for player in people if player.state == PlayerState.WAITING]
    notes = [f"{len(expected)} players, {sum(p.state == PlayerState.CHECKED_IN for p in expected)} here when printed"]
    notes += [f"Fee: {event.fee}"] if fee else []
    blocks = [SheetTable("Players", tuple(heads), tuple(kinds), tuple(map(row, expected)))]
    if waiting:
        blocks.append(SheetTable("Waiting list", tuple(heads), tuple(kinds), tuple(map(row, waiting))))
    return _answer(event, "check-in", [GameSheet("Check-in", (" · ".join(notes),), tuple(blocks))])


@blueprint.get("/e/<slug>/desk/list-check.pdf")
def list_check(slug: str) -> ResponseReturnValue:
    """The state of every list, with room to tick it off and to note what was found at the table."""
    event = managed_event(slug)
    unit, edition = system_of(event).unit, edition_of(db(), event)
    rows = []
    for entry in entries(db(), event, now()):
        readable = entry.force is not None and entry.force.document.get("edition") == edition.id
        force = system_of(event).forces.summarise(entry.force.document, edition) if entry.force and readable else None
        rows.append(
            (
                "yes" if "approved" in entry.states else "",
                entry.player.name,
                force.faction if force else "",
                str(force.total) if force else "",
                _stands(entry),
                "",
            )
        )
    heads = ("Checked", "Name", "Faction", unit, "Verdict", "Found at the table")
    table = SheetTable("Lists", heads, ("tick", "text", "text", "figure", "text", "write"), tuple(rows))
    note = f"Up to {list_size(event)} {unit}, by {edition.name}"
    return _answer(event, "list-check", [GameSheet("List check", (note,), (table,))])


def _stands(entry: Entry) -> str:
    if entry.verdict is None:
        return "no list"
    found = [f"{len(entry.verdict.problems)} broken" if entry.verdict.problems else "legal"]
    found += [f"{len(entry.verdict.queries)} to ask about"] if entry.verdict.queries else []
    return ", ".join([*found, *([] if "submitted" in entry.states else ["not submitted"])])


@blueprint.get("/e/<slug>/desk/forces.pdf")
def force_copies(slug: str) -> ResponseReturnValue:
    """Every list on paper: ``?copy=judge`` with its verdict, ``opponent`` to tick off at the table, or ``player``."""
    event = managed_event(slug)
    copy = request.args.get("copy", "judge")
    if copy not in COPIES:
        abort(404)
    sheets: list[GameSheet] = []
    terms = terms_of(db(), event)
    for entry in entries(db(), event, now()):
        if entry.force is not None and entry.verdict is not None:
            sheets += force_copy(event, entry.player, entry.force, entry.verdict, terms, copy)
    if not sheets:
        sheets = [GameSheet("Lists", ("There is no list yet.",), ())]
    return _answer(event, f"forces-{copy}", sheets)


def force_copy(
    event: Event, player: Player, force: ForceList, verdict: Verdict, of_event: Terms, copy: str
) -> list[GameSheet]:
    """One player's force as the copy for the judge, the opponent or the player."""
    terms = terms_for(of_event, player)
    if force.document.get("edition") != terms.edition.id:
        return [GameSheet("Force list", (player.name,), (SheetLines("", ("This list is of another edition.",)),))]
    if copy == "opponent":
        return [_for_the_opponent(event, player, force, terms.edition)]
    sheets = game_sheets_of(event, player, force.document, terms)
    if copy == "player":
        return sheets
    first, *others = sheets
    found = [_found(verdict)] if verdict.problems or verdict.queries else []
    notes = (*first.notes, _handed_in(event, force, verdict))
    judged = replace(first, title=f"{first.title}, judge’s copy", notes=notes, blocks=(*found, *first.blocks))
    return [judged, *others]


def _for_the_opponent(event: Event, player: Player, force: ForceList, edition: EditionInfo) -> GameSheet:
    system = system_of(event)
    summary = system.forces.summarise(force.document, edition)
    rows = tuple(("", line, str(cost)) for line, cost in summary.lines)
    table = SheetTable(
        "To tick off at the table", ("Seen", "What", system.unit), ("tick", "text", "figure"), rows,
        ("", "Total", str(summary.total)),
    )  # fmt: skip
    notes = " · ".join(filter(None, (player.name, summary.faction, summary.leader)))
    return GameSheet(f"Opponent’s {system.words.force}", (notes,), (table,))


def _found(verdict: Verdict) -> SheetTable:
    """The findings of the check, with the ids of the rules and the suggested fixes."""
    rows = [("broken", one.rule, one.message, one.fix) for one in verdict.problems]
    rows += [("to ask about", one.rule, one.message, one.fix) for one in verdict.queries]
    return SheetTable("What the check found", ("", "Rule", "What", "Fix"), ("text",) * 4, tuple(rows))


def _handed_in(event: Event, force: ForceList, verdict: Verdict) -> str:
    stands = [f"Submitted {local(force.submitted_at, event)}" if force.submitted_at else "Not submitted"]
    stands += [f"approved {local(force.approved_at, event)}"] if force.approved_at else []
    return f"{verdict.total} of {list_size(event)} {system_of(event).unit} · {', '.join(stands)}"


@blueprint.get("/e/<slug>/desk/teams.pdf")
def teams(slug: str) -> ResponseReturnValue:
    """A sheet for each team: players by board, and rounds to fill in."""
    event = managed_event(slug)
    if not is_team_event(event):
        abort(404)
    people = players_of(db(), event)
    sheets = [_team(event, team, people) for team in teams_of(db(), event)]
    return _answer(event, "teams", sheets or [GameSheet("Teams", ("No team is entered yet.",), ())])


def _team(event: Event, team: Team, people: Sequence[Player]) -> GameSheet:
    own = sorted(members(people, team), key=lambda player: (player.board or 99, player.name_key))
    captain = captain_of(people, team)
    rows = tuple(
        (str(p.board or ""), p.name + (" (captain)" if captain and p.id == captain.id else ""), p.club, p.faction)
        for p in own
    )
    rounds = tuple((str(number), "", "", "") for number in range(1, event.rounds + 1))
    faction = system_of(event).words.faction.capitalize()
    return GameSheet(
        team.name,
        (team.club, "Team sheet"),
        (
            SheetTable("Players", ("Board", "Name", "Club", faction), ("figure", "text", "text", "text"), rows),
            SheetTable("Matches", ("Round", "Against", "Own", "Theirs"), ("figure", "text", "write", "write"), rounds),
        ),
    )


@blueprint.get("/e/<slug>/plan.pdf")
def plan(slug: str) -> ResponseReturnValue:
    """The plan of the day: each round's start, length and scenario."""
    event = event_or_404(slug)
    return _answer(event, "plan", [plan_sheet(event)])


def plan_sheet(event: Event) -> GameSheet:
    """The plan of the day."""
    starts = planned_of(event, round_summaries(db(), event))
    rows = tuple(_planned(event, view, starts) for view in public_round_views(db(), event))
    heads = ("Round", "Planned", "Minutes", "Scenario", "Actual start")
    table = SheetTable("Rounds", heads, ("figure", "text", "figure", "text", "write"), rows)
    where = " · ".join(filter(None, (event.place, event.starts_on.strftime("%-d %B %Y"))))
    blocks = (table, SheetLines("How the day runs", tuple(day_words(event))))
    return GameSheet("Plan of the day", (where,), blocks)


def _planned(event: Event, view: RoundView, starts: Mapping[int, datetime]) -> tuple[str, ...]:
    at = starts.get(view.round.number)
    began = local(view.round.started_at, event, "%H:%M") if view.round.started_at else ""
    minutes = view.round.minutes or event.round_minutes
    return (
        str(view.round.number),
        local(at, event, "%a %H:%M") if at else "",
        str(minutes),
        scenario_words(event, view),
        began,
    )
