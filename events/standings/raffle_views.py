"""The raffle: at the desk the prizes, and one press for each draw, which the hall's screen follows; its public page."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.standings import raffle
from events.standings.forms import PrizesForm
from events.visitors.loading import event_or_404, managed_event, polled
from events.web.forms import refusals_at
from events.web.parsing import judges_reason
from events.web.request import changing, db, saving
from languages.words import gettext

blueprint = Blueprint("raffle", __name__)


@blueprint.route("/e/<slug>/desk/raffle", methods=["GET", "POST"])
def manage_raffle(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    current = raffle.raffle_of(db(), event)
    form = PrizesForm(data={"prizes": "\n".join(prize.name for prize in current.waiting), "mark": current.mark})
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                raffle.set_prizes(act, form.names, form.mark.data)
            flash(gettext("Saved."), "success")
            return redirect(url_for("raffle.manage_raffle", slug=slug))
        current = raffle.raffle_of(db(), event)
        form.mark.data = current.mark
    return render_template("standings/raffle.html", form=form, raffle=current), 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/raffle/<verb>")
def press_raffle(slug: str, verb: str) -> ResponseReturnValue:
    """Show, draw, call off or give the next prize, if it is still as the submitted page showed it."""
    event, mark = managed_event(slug), request.form.get("prize", "")
    if verb not in ("show", "draw", "off", "give"):
        abort(404)
    with saving(event) as act:
        if verb in ("draw", "off"):
            raffle.draw_prize(act, mark, judges_reason(request.form.get("reason", "")) if verb == "off" else None)
        else:
            (raffle.show_prize if verb == "show" else raffle.give_prize)(act, mark)
    return redirect(url_for("raffle.manage_raffle", slug=slug, _anchor="run"))


@blueprint.get("/e/<slug>/raffle")
def draws(slug: str) -> ResponseReturnValue:
    """Every draw with its draw number and hat, so that anybody can repeat it."""
    event = event_or_404(slug)
    return polled(render_template("standings/raffle.html", raffle=raffle.raffle_of(db(), event)), event)
