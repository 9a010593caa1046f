"""Changes to a draft at the desk: players or teams swapped, tables and scenarios set, pairs locked; and undo."""

from collections.abc import Callable, Mapping, Sequence

from flask import Blueprint, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from events.rounds import draft
from events.rounds.draft_page import ByHand, Pairing, draft_page, game_form, swap_form
from events.rounds.forms import SwapForm
from events.store.rounds import games_of
from events.store.team_queries import matches_of
from events.visitors.loading import managed_event, round_or_404
from events.web.forms import refusals_at
from events.web.request import changing, id_sent, saving
from languages.words import gettext
from models.event import Event, RoundState

blueprint = Blueprint("draft", __name__)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/swap")
def swap(slug: str, number: int) -> ResponseReturnValue:
    return _by_hand(slug, number, swap_form, draft.swap, ("one", "other"), gettext("Swapped."))


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/game")
def set_game(slug: str, number: int) -> ResponseReturnValue:
    done = gettext("The game is changed.")
    return _by_hand(slug, number, game_form, draft.set_game, ("player", "table", "scenario"), done)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/leaders")
def leaders_first(slug: str, number: int) -> ResponseReturnValue:
    event = managed_event(slug)
    round_or_404(event, number)
    with saving(event, gettext("The leaders are at the first tables."), public=False) as act:
        for player, words in draft.leaders_first(act, number).items():
            flash(words, f"at-row-{player}")
    return redirect(_round(event, number))


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/lock")
def lock(slug: str, number: int) -> ResponseReturnValue:
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    pairings = matches_of(the_round) or games_of(the_round)
    pair = next((pairing for pairing in pairings if pairing.a_id == id_sent("a")), None)
    with saving(event, public=False) as act:
        ids = (pair.a_id, pair.b_id) if pair else (0, None)  # no player has id 0
        draft.lock(act, number, *ids, locked=request.form.get("locked") == "1")
    return redirect(_round(event, number))


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/undo")
def undo_draft_change(slug: str, number: int) -> ResponseReturnValue:
    event = managed_event(slug)
    round_or_404(event, number)
    with saving(event, public=False) as act:
        taken_back = draft.undo_draft_change(act, number)
        flash(gettext("Undone: %(taken_back)s.", taken_back=taken_back), "success")
    return redirect(_round(event, number))


def _by_hand(
    slug: str,
    number: int,
    form_of: Callable[[Event, Sequence[Pairing]], ByHand],
    change: Callable[..., Mapping[int, str]],
    fields: tuple[str, ...],
    done: str,
) -> ResponseReturnValue:
    """Change a draft by the values of two form fields, and show it again, with warnings or the form's errors."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    matches = matches_of(the_round)
    form = form_of(event, matches or games_of(the_round))
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event, public=False) as act:
                warnings = change(act, number, *(form[name].data for name in fields))
            seen = " " + gettext("See the warning in the marked row.") if warnings else ""
            flash(done + seen, "success")
            for first, words in warnings.items():
                flash(words, f"at-row-{first}")
            return redirect(_round(event, number))
    if the_round.state == RoundState.DRAWN and (isinstance(form, SwapForm) or not matches):
        return draft_page(event, the_round, form)
    flash(" ".join(map(str, form.form_errors)) or gettext("This round is not a draft."), "error")
    return redirect(_round(event, number))


def _round(event: Event, number: int) -> str:
    return url_for("rounds.manage_round", slug=event.slug, number=number)
