"""Results of other clubs: the desk's page of a series, and what people say of their own rows."""

from flask import Blueprint, abort, current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from events.accounts.browser import own_person_or_403
from events.accounts.loading import managed_event
from events.public.foreign import (
    all_foreign_results,
    allow_claims,
    claim_row,
    decide_claim,
    remove_results,
    take_in,
    withdraw_claim,
)
from events.public.people_forms import ForeignForm
from events.setup.archive_check import check_archive
from events.setup.archive_file import MOST_BYTES
from events.setup.signing import public_text
from events.web.forms import refusals_at
from events.web.parsing import series_slug
from events.web.request import changing, changing_club, db, flashing, id_sent, saving
from languages.words import N_, gettext
from service.settings import Settings

blueprint = Blueprint("foreign", __name__)


@blueprint.route("/e/<slug>/desk/other-clubs", methods=["GET", "POST"])
def other_clubs(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    form = ForeignForm()
    if event.series and form.validate_on_submit():
        settings: Settings = current_app.extensions["overseer_settings"]
        check = check_archive(form.file.data.read(MOST_BYTES + 1), form.fingerprint)
        with refusals_at(form), changing(event) as act:
            taken = take_in(act, check, form.fingerprint, form.club.data, public_text(settings.secret))
        if not form.errors:
            flash(gettext("%(taken)s is in the series.", taken=taken.name), "success")
            return redirect(url_for("foreign.other_clubs", slug=slug))
    found = all_foreign_results(db(), series_slug(event.series)) if event.series else []
    return render_template("people/other_clubs.html", form=form, found=found), 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/other-clubs/<int:foreign_id>/out")
def take_results_out(slug: str, foreign_id: int) -> ResponseReturnValue:
    with saving(managed_event(slug), gettext("These results are out of the series.")) as act:
        remove_results(act, foreign_id)
    return redirect(url_for("foreign.other_clubs", slug=slug))


@blueprint.post("/e/<slug>/desk/other-clubs/<int:foreign_id>/claims/<int:person_id>/<verb>")
def decide_on_claim(slug: str, foreign_id: int, person_id: int, verb: str) -> ResponseReturnValue:
    event = managed_event(slug)
    if verb not in DECIDED:
        abort(404)
    with saving(event, gettext(DECIDED[verb])) as act:
        if verb == "allow":
            allow_claims(act, foreign_id, person_id)
        else:
            decide_claim(act, foreign_id, id_sent("row") or 0, person_id, verb)
    return redirect(url_for("foreign.other_clubs", slug=slug))


DECIDED = {
    "agree": N_("Agreed. The result is the person’s."),
    "end": N_("The claim has ended. This person makes none on this event until you allow it."),
    "allow": N_("This person can claim a row again."),
}


@blueprint.post("/me/results")
def claim_result() -> ResponseReturnValue:
    """Say that a row of another club's standings is one's own."""
    person = own_person_or_403()
    with flashing(gettext("You claimed this result. It counts once the organisers agree.")), changing_club() as s:
        claim_row(s, person, id_sent("row") or 0)
    return redirect(url_for("people.own_page") + "#other-clubs")


@blueprint.post("/me/results/<int:row_id>/off")
def take_back_result(row_id: int) -> ResponseReturnValue:
    person = own_person_or_403()
    with changing_club() as s:
        withdraw_claim(s, person, row_id)
    flash(gettext("Taken back. The points table has the result under the name that its club published."), "success")
    return redirect(url_for("people.own_page") + "#other-clubs")
