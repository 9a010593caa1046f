"""A published round before it is played: taken back to a draft, or two of its players exchanged after a look."""

from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.access_lists import lists_shown
from events.actions import published
from events.actions.draft import Seating
from events.actions.drawing import request_drawn
from events.errors import Refused
from events.pairing.reckoning import Reckoned
from events.reading import games_of, players_by_id
from events.views.draft_page import SwapForm, swap_form
from events.views.draft_rows import Reason, costs_beside, reasons_of
from events.views.fields import show_at_field
from events.views.press import pressed
from events.views.request import actor, changing, db, local, managed_event, now, round_or_404
from events.views.taking_back import typed
from models.event import Event, EventState, Round, RoundState

blueprint = Blueprint("published", __name__)


@dataclass(frozen=True)
class TakingBack:
    """Whether a published round can go back to a draft: why not, or what is asked before it does."""

    why_not: str
    question: str
    exchange: bool
    """Whether players of it can be exchanged by hand."""
    with_results: str = ""
    """What has to be typed to take it back with its results; "" where it has none, and where it cannot go at all."""


def taking_back(event: Event, the_round: Round) -> TakingBack | None:
    """What the desk offers for a published round; None for one that is not published, and once the event is over."""
    if the_round.state != RoundState.PUBLISHED or event.state == EventState.FINISHED:
        return None
    exchange = published.can_exchange(db(), event, the_round)
    why_not = published.why_not_unpublished(db(), event, the_round)
    question = "" if why_not else _question(event, the_round)
    along = why_not and not published.why_not_at_all(db(), event, the_round)
    return TakingBack(why_not, question, exchange, f"round {the_round.number}" if along else "")


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/unpublish")
def unpublish(slug: str, number: int) -> ResponseReturnValue:
    """Take a published round back to a draft; with its results where the round's name was typed."""
    event = managed_event(slug)
    round_or_404(event, number)
    along = "typed" in request.form
    with pressed(event, f"Round {number} is a draft again: only organisers see it.") as s:
        if along and not typed(f"round {number}"):
            raise Refused(f"Nothing was taken back: type “round {number}” to confirm.")
        published.unpublish(s, event, number, actor(event), now(), with_results=along)
    return redirect(url_for("rounds.manage", slug=slug, number=number))


@blueprint.route("/e/<slug>/desk/rounds/<int:number>/exchange", methods=["GET", "POST"])
def exchange(slug: str, number: int) -> ResponseReturnValue:
    """Exchange two players of a published round: chosen and looked at by GET, stored by POST."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if the_round.state != RoundState.PUBLISHED and not (request.form or request.args):
        return redirect(url_for("rounds.manage", slug=slug, number=number))
    form = swap_form(event, games_of(db(), the_round), sent=request.form or request.args or None)
    look: published.Exchange | None = None
    status = 200
    if form.is_submitted() or request.args:
        try:
            if form.validate():
                look = published.exchange(db(), event, the_round, form.one.data, form.other.data)
            if look is not None and form.is_submitted():
                seen = request.form.get("seen", "")
                with changing(event) as s:
                    one, other = form.one.data, form.other.data
                    done = published.exchange_players(s, event, number, one, other, seen, actor(event), now())
                flash(f"Exchanged. {_to_print(done)}", "success")
                return redirect(url_for("rounds.manage", slug=slug, number=number))
        except Refused as refused:
            show_at_field(form, refused)
        status = 200 if look and not form.errors else 422
    return _exchange_page(event, the_round, form, look), status


def _exchange_page(event: Event, the_round: Round, form: SwapForm, look: published.Exchange | None) -> str:
    return render_template(
        "desk/exchange.html",
        round=the_round,
        form=form,
        look=look,
        people=players_by_id(db(), event),
        why={
            one: _reasons(look, one, look.was if one in look.before else look.now)
            for one in (*look.before, *look.after)
        }
        if look
        else {},
        costs=costs_beside(request_drawn(the_round), look.now.costs, look.was.costs, "as it stands") if look else None,
        to_print=_to_print(look) if look else "",
        back=url_for("rounds.manage", slug=event.slug, number=the_round.number),
    )


def _reasons(look: published.Exchange, seating: Seating, reckoned: Reckoned) -> tuple[Reason, ...]:
    if seating.b is None:
        return reasons_of(reckoned.bye_notes)
    notes = next((pair.notes for pair in reckoned.pairs if str(seating.a) in (pair.a, pair.b)), ())
    return reasons_of(notes)


def _to_print(look: published.Exchange) -> str:
    tables = sorted(one.table for one in look.after if one.table is not None)
    if not tables:
        return ""
    several = len(tables) > 1
    named = " and ".join(map(str, tables))
    return f"The sheet{'s' if several else ''} of table{'s' if several else ''} {named} must be printed again."


def _question(event: Event, the_round: Round) -> str:
    """What players have seen of the round, and what is lost, asked before it is taken back."""
    seen = published.seen_of(db(), event, the_round)
    minutes = int((now() - seen.since).total_seconds() // 60)
    since = f"since {local(seen.since, event, '%H:%M')}" + (f", {minutes} minutes" if minutes else "")
    said = [
        f"Everybody could see round {the_round.number} {since}: who plays whom, at which table, and the scenario. "
        "It is hidden until you publish it again; sheets already printed stay good for games that stay as they are."
    ]
    if seen.choices:
        said.append(
            f"{seen.choices} {'choice' if seen.choices == 1 else 'choices'} made for its games are thrown away."
        )
    if seen.first:
        shown = ", and everybody can go on reading them" if lists_shown(event, now()) else ""
        said.append(f"The event has not started then: registration opens again. The lists stay locked{shown}.")
    return " ".join(said)
