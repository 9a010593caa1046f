"""The draft of a round of teams at the desk: each match with its reasons, the costs, locks, and steps back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.actions import drawing, rounds, team_draft
from events.actions.draft import last_step
from events.actions.drawing import request_drawn
from events.actions.standings import scheme_of
from events.actions.team_standings import matches_played, player_records, team_entrants
from events.errors import Refused
from events.pairing.request import Request
from events.pairing.results import records
from events.pairing.seats import Pair
from events.pairing.teams import team_results
from events.reading import RoundView, players_of, round_view, round_views
from events.team_reading import is_team_event, order_of, seat_id
from events.views.draft_rows import Line, Reason, draft_costs, reasons, record_in_words
from events.views.press import id_sent, pressed
from events.views.request import actor, changing, db, managed_event, now, round_or_404
from models.event import Event, Round
from models.play import Player
from models.team import TeamMatch

blueprint = Blueprint("team_drafts", __name__)


@dataclass(frozen=True)
class DraftMatch:
    """One match of a draft with both teams' records, their players by board, and why they meet."""

    match: TeamMatch
    a: Line
    b: Line | None
    boards: tuple[tuple[str, ...], tuple[str, ...]]
    """The players' names, "" for an empty board."""
    reasons: tuple[Reason, ...]
    locked: bool


def team_draft_page(event: Event, the_round: Round, question: str, swap: FlaskForm, status: int) -> ResponseReturnValue:
    """The draft as it stands; ``question`` is asked before it is published."""
    view, views, players = round_view(db(), event, the_round), round_views(db(), event), players_of(db(), event)
    page = render_template(
        "desk/team_draft.html",
        view=view,
        views=views,
        rows=_rows(event, view, players, views),
        costs=draft_costs(view),
        last_step=last_step(the_round),
        locked=len(drawing.locked_in(the_round)),
        swap=swap,
        why_not=drawing.why_not_drawn(event, players, views, the_round.number),
        stale=rounds.STALE if drawing.is_stale(event, players, views, the_round.number) else "",
        question=question,
    )
    return page, status


def team_lines(
    event: Event, request_of_round: Request, players: Sequence[Player], views: Sequence[RoundView]
) -> Mapping[str, Line]:
    """Every team by the seat's id, with points as the draw saw them, and what was won, drawn and lost."""
    number = request_of_round.round
    book = player_records(event, players, views, number - 1)
    results, _ = team_results(matches_played(views, number - 1), book)
    so_far = records(results, team_entrants(event, views[0].teams, number - 1), scheme_of(event))
    seats = {seat.id: seat for seat in request_of_round.seats}
    return {
        id_: Line(team, record_in_words(seats.get(id_), so_far.get(id_), number))
        for team in views[0].teams
        if (id_ := seat_id(team.id))
    }


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/lock-match")
def lock(slug: str, number: int) -> ResponseReturnValue:
    """Lock a match, or the bye, by its first team; or unlock it."""
    event = _team_event(slug, number)
    team = id_sent("a") or 0
    with pressed(event, public=False) as s:
        locked = request.form.get("locked") == "1"
        team_draft.lock_match(s, event, number, team, actor(event), now(), locked=locked)
    return redirect(url_for("rounds.manage", slug=slug, number=number))


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/undo-teams")
def undo(slug: str, number: int) -> ResponseReturnValue:
    """Take back the last change by hand."""
    event = _team_event(slug, number)
    try:
        with changing(event, public=False) as s:
            taken_back = team_draft.undo(s, event, number, actor(event), now())
    except Refused as refused:
        flash(refused.message, "error")
    else:
        flash(f"Taken back: {taken_back}.", "success")
    return redirect(url_for("rounds.manage", slug=slug, number=number))


def _team_event(slug: str, number: int) -> Event:
    event = managed_event(slug)
    if not is_team_event(event):
        abort(404)
    round_or_404(event, number)
    return event


def _rows(event: Event, view: RoundView, players: Sequence[Player], views: Sequence[RoundView]) -> list[DraftMatch]:
    asked = request_drawn(view.round)
    lines, people = team_lines(event, asked, players, views), {player.id: player.name for player in players}
    teams = {team.id: team for team in view.teams}

    def names(team_id: int | None) -> tuple[str, ...]:
        if team_id is None:
            return ()
        return tuple(people[one] if one is not None else "" for one in order_of(event, players, teams[team_id]))

    return [
        DraftMatch(
            match,
            lines[seat_id(match.a_id)],
            lines[seat_id(match.b_id)] if match.b_id is not None else None,
            (names(match.a_id), names(match.b_id)),
            reasons(asked, _as_pair(match)),
            team_draft.is_locked(view.round, team_draft.meeting_of(match)),
        )
        for match in view.matches
    ]


def _as_pair(match: TeamMatch) -> Pair:
    return Pair(seat_id(match.a_id), "" if match.b_id is None else seat_id(match.b_id), tuple(match.notes))
