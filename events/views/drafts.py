"""Changing a draft by hand: swap, set a table, lock, take back."""

from collections.abc import Callable, Sequence

from flask import Blueprint, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from events.actions import draft, places, swaps
from events.errors import Refused
from events.reading import games_of
from events.team_reading import is_team_event
from events.views.draft_page import ScenarioForm, SwapForm, TableForm, draft_page, scenario_form, swap_form, table_form
from events.views.fields import show_at_field
from events.views.press import id_sent, pressed
from events.views.request import actor, changing, db, managed_event, now, round_or_404
from models.event import Event, Round, RoundState

blueprint = Blueprint("drafts", __name__)

ByHand = SwapForm | TableForm | ScenarioForm


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/swap")
def swap(slug: str, number: int) -> ResponseReturnValue:
    """Let two players change places."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    form = swap_form(event, games_of(db(), the_round))

    def swap_them(s: Session) -> Sequence[str]:
        return swaps.swap(s, event, number, form.one.data, form.other.data, actor(event), now())

    if _taken(event, form, swap_them, "Swapped."):
        return redirect(_round(event, number))
    return _again(event, the_round, swap=form)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/table")
def table(slug: str, number: int) -> ResponseReturnValue:
    """Seat a game at another table."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    form = table_form(event, games_of(db(), the_round))

    def seat_them(s: Session) -> Sequence[str]:
        return swaps.set_table(s, event, number, form.player.data, form.table.data or 0, actor(event), now())

    if _taken(event, form, seat_them, "Seated."):
        return redirect(_round(event, number))
    return _again(event, the_round, table=form)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/scenario")
def scenario(slug: str, number: int) -> ResponseReturnValue:
    """Let a game play another scenario."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    form = scenario_form(event, games_of(db(), the_round))

    def play_it(s: Session) -> Sequence[str]:
        return places.set_scenario(s, event, number, form.player.data, form.scenario.data, actor(event), now())

    if _taken(event, form, play_it, "Set."):
        return redirect(_round(event, number))
    return _again(event, the_round, scenario=form)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/lock")
def lock(slug: str, number: int) -> ResponseReturnValue:
    """Lock a pair, or the bye; or unlock it."""
    event = managed_event(slug)
    round_or_404(event, number)
    locked = request.form.get("locked") == "1"
    with pressed(event, public=False) as s:
        draft.lock(
            s, event, number, id_sent("a") or 0, id_sent("b"), actor(event), now(), locked=locked
        )  # no player has the id 0
    return redirect(_round(event, number))


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/undo")
def undo(slug: str, number: int) -> ResponseReturnValue:
    """Take back the last change by hand."""
    event = managed_event(slug)
    round_or_404(event, number)
    try:
        with changing(event, public=False) as s:
            taken_back = draft.undo(s, event, number, actor(event), now())
    except Refused as refused:
        flash(refused.message, "error")
    else:
        flash(f"Taken back: {taken_back}.", "success")
    return redirect(_round(event, number))


def _taken(event: Event, form: ByHand, change: Callable[[Session], Sequence[str]], said: str) -> bool:
    """Whether the form was taken and the change made; what is odd about it then is told."""
    if not form.validate_on_submit():
        return False
    try:
        with changing(event, public=False) as s:
            warnings = change(s)
    except Refused as refused:
        show_at_field(form, refused)
        return False
    flash(said + (" Mind: " + "; ".join(warnings) + "." if warnings else ""), "success")
    return True


def _again(
    event: Event,
    the_round: Round,
    swap: SwapForm | None = None,
    table: TableForm | None = None,
    scenario: ScenarioForm | None = None,
) -> ResponseReturnValue:
    """The draft with the form that could not be taken; what is no draft any more is only told."""
    if the_round.state == RoundState.DRAWN and not is_team_event(event):
        return draft_page(event, the_round, swap, table, scenario)
    told = [error for form in (swap, table, scenario) if form for error in form.form_errors]
    flash(" ".join(map(str, told)) or "This round is no draft.", "error")
    return redirect(_round(event, the_round.number))


def _round(event: Event, number: int) -> str:
    return url_for("rounds.manage", slug=event.slug, number=number)
