"""A published round: unpublish it, exchange two players, and let anyone check its draw."""

import json
from functools import lru_cache

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import col, select
from wtforms.fields import SelectChoice

from events.rounds import actions
from events.rounds.draft_lines import Reason, reasons_of
from events.rounds.draft_page import compare_costs, swap_form
from events.rounds.forms import RoundForm, SwapForm, UploadForm
from events.rounds.pairings_file import pairings_of
from events.rounds.seatings import Seating
from events.store.errors import Refused
from events.store.players import players_by_id
from events.store.rounds import games_of, request_drawn
from events.tournament.pairing.certificate import PairingsFile, certificate_document, read_pairings
from events.tournament.pairing.files import Unreadable
from events.tournament.pairing.redraw import Check, redrawn
from events.tournament.pairing.request import Evaluation
from events.tournament.pairing.seats import LEVEL_WORDS
from events.visitors import access
from events.visitors.loading import event_or_404, managed_event, round_or_404, shown_round_or_404, visitor
from events.web.answers import name_file
from events.web.forms import refusals_at, typed
from events.web.request import changing, db, id_in, saving
from languages.words import gettext, language, listed, ngettext
from models.event import Event, Round, RoundDraw, RoundState

blueprint = Blueprint("published", __name__)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/unpublish")
def unpublish(slug: str, number: int) -> ResponseReturnValue:
    """Unpublish a round; with its results if the round's name was typed."""
    event = managed_event(slug)
    round_or_404(event, number)
    along = "typed" in request.form
    with saving(event, gettext("Round %(number)s is a draft again: only organisers see it.", number=number)) as act:
        wanted = gettext("round %(number)s", number=number)
        if along and not typed(wanted):
            raise Refused(gettext("Nothing was taken back: type “%(words)s” to confirm.", words=wanted))
        actions.unpublish(act, number, with_results=along)
    return redirect(url_for("rounds.manage_round", slug=slug, number=number))


@blueprint.route("/e/<slug>/desk/rounds/<int:number>/exchange", methods=["GET", "POST"])
def exchange(slug: str, number: int) -> ResponseReturnValue:
    """Exchange two players of a published round: preview with GET, store with POST."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if the_round.state != RoundState.PUBLISHED and not (request.form or request.args):
        return redirect(url_for("rounds.manage_round", slug=slug, number=number))
    form = swap_form(event, games_of(the_round), sent=request.form or request.args or None)
    look: actions.Exchange | None = None
    status = 200
    if form.is_submitted() or request.args:
        with refusals_at(form):
            if form.validate():
                look = actions.exchange(db(), event, the_round, form.one.data, form.other.data)
            if look is not None and form.is_submitted():
                seen = request.form.get("seen", "")
                with changing(event) as act:
                    one, other = form.one.data, form.other.data
                    done = actions.exchange_players(act, number, one, other, seen)
                flash(gettext("Exchanged. %(printed)s", printed=_to_print(done)), "success")
                return redirect(url_for("rounds.manage_round", slug=slug, number=number))
        status = 200 if look and not form.errors else 422
    return _exchange_page(event, the_round, form, look), status


def _exchange_page(event: Event, the_round: Round, form: SwapForm, look: actions.Exchange | None) -> str:
    return render_template(
        "rounds/exchange.html",
        round=the_round,
        form=form,
        look=look,
        people=players_by_id(event),
        why={
            seating: _reasons(seating, look.was if seating in look.before else look.now)
            for seating in (*look.before, *look.after)
        }
        if look
        else {},
        costs=compare_costs(request_drawn(the_round), look.now.costs, look.was.costs, "now") if look else None,
        to_print=_to_print(look) if look else "",
        back=url_for("rounds.manage_round", slug=event.slug, number=the_round.number),
    )


def _reasons(seating: Seating, evaluation: Evaluation) -> tuple[Reason, ...]:
    if seating.b is None:
        return reasons_of(evaluation.bye_notes)
    notes = next((pair.notes for pair in evaluation.pairs if str(seating.a) in (pair.a, pair.b)), ())
    return reasons_of(notes)


def _to_print(look: actions.Exchange) -> str:
    tables = sorted(seating.table for seating in look.after if seating.table is not None)
    if not tables:
        return ""
    return ngettext(
        "The sheet of table %(tables)s must be printed again.",
        "The sheets of tables %(tables)s must be printed again.",
        len(tables),
        tables=listed([str(table) for table in tables]),
    )


MOST_BYTES = 500_000
"""The largest file; 256 players in round ten take 350 KB."""
MOST_SENT, MOST_OWN = 256, 1024
"""The most players in an uploaded file, which could be crafted to be slow, and in the club's own round."""
MOST_OFFERED = 200


@lru_cache(maxsize=32)
def _redrawn(file: PairingsFile, _language: str) -> Check:
    """The check of a file, with its sentences in one language."""
    return redrawn(file)


@blueprint.get("/e/<slug>/rounds/<int:number>/pairings.json")
def pairings_file(slug: str, number: int) -> ResponseReturnValue:
    """The file of a published round, the same for every visitor."""
    event = event_or_404(slug)
    response = Response(_file_of(event, number), mimetype="application/json")
    return name_file(response, f"{event.slug}-round-{number}-pairings.json", "inline")


@blueprint.route("/verify", methods=["GET", "POST"])
def verify_page() -> ResponseReturnValue:
    """Redraw a round to check it: one of this installation by its address, or any from its file."""
    upload, chosen = UploadForm(), request.args.get("round", "")
    check: Check | None = None
    try:
        if upload.validate_on_submit():
            check = _checked(_sent(upload), MOST_SENT)
        elif chosen and request.method == "GET":
            slug, _, number = chosen.rpartition("/")
            event, last = event_or_404(slug), id_in(number) or 0
            check = _checked(_file_of(event, last), MOST_OWN)
    except Unreadable as unreadable:
        upload.file.errors = [gettext("This file cannot be checked."), *unreadable.faults[:20]]
    except Refused as refused:
        upload.file.errors = [refused.message]
    offered = RoundForm(formdata=None, round=chosen)
    offered.round.choices = _offered()
    page = render_template(
        "rounds/verify.html",
        upload=upload,
        offered=offered,
        check=check,
        levels=[(gettext(text), getattr(check.drawn.levels, name)) for name, text in LEVEL_WORDS.items()]
        if check
        else [],
        most_players=MOST_SENT,
    )
    return page, 422 if upload.file.errors else 200


def _file_of(event: Event, number: int) -> bytes:
    """The file of a published round; 404 for other rounds, also for organisers."""
    the_round = shown_round_or_404(event, number)
    file = pairings_of(event, the_round) if the_round.state == RoundState.PUBLISHED else None
    if file is None:
        abort(404)
    return json.dumps(certificate_document(file), ensure_ascii=False).encode()


def _sent(upload: UploadForm) -> bytes:
    if not upload.file.data:
        raise Refused(gettext("Please choose a file."))
    data: bytes = upload.file.data.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Refused(
            gettext("The file is larger than %(most)s KB: check it with “overseer verify”.", most=MOST_BYTES // 1000)
        )
    return data


def _checked(data: bytes, most: int) -> Check:
    """Redraw the file's round. Raises Unreadable, and Refused if it would take too long."""
    file = read_pairings(data)
    if len(file.inputs.seats) > most:
        raise Refused(
            ngettext(
                "It has %(num)s player, and at most %(most)s are drawn here: check it with “overseer verify”.",
                "It has %(num)s players, and at most %(most)s are drawn here: check it with “overseer verify”.",
                len(file.inputs.seats),
                most=most,
            )
        )
    return _redrawn(file, language())


def _offered() -> list[SelectChoice]:
    """The newest published rounds visible to the visitor."""
    query = (
        select(Event, Round.number)
        .join(Round, col(Round.event_id) == Event.id)
        .join(RoundDraw, col(RoundDraw.round_id) == Round.id)
        .where(Round.state == RoundState.PUBLISHED)
        .order_by(col(Event.starts_on).desc(), col(Event.id).desc(), col(Round.number).desc())
        .limit(MOST_OFFERED)
    )
    seen = [(event, number) for event, number in db().exec(query) if access.is_listed_for(visitor(), event)]
    return [
        SelectChoice(
            f"{event.slug}/{number}",
            gettext("%(name)s (%(slug)s), round %(number)s", name=event.name, slug=event.slug, number=number),
        )
        for event, number in seen
    ]
