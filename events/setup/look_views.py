"""The picture and the colour of an event's page."""

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from events.accounts.loading import event_or_404, managed_event
from events.play.errors import Refused
from events.setup.covers import accent_of, change_look, cover_of, encoded, picture_bytes
from events.setup.life_forms import LookForm
from events.web.request import changing, db
from languages.words import gettext
from models.event import Event

blueprint = Blueprint("look", __name__)


FOR_A_YEAR = "public, max-age=31536000, immutable"
"""The address contains the picture's digest or the colour, so a changed one has another address."""


@blueprint.route("/e/<slug>/desk/look", methods=["GET", "POST"])
def look(slug: str) -> ResponseReturnValue:
    """The form."""
    event = managed_event(slug)
    cover = cover_of(db(), event)
    form = LookForm(accent=cover.accent if cover else "")
    if form.validate_on_submit() and _stored(event, form):
        flash(gettext("Saved."), "at-save")
        return redirect(url_for("look.look", slug=event.slug))
    status = 422 if form.errors else 200
    return render_template("setup/look.html", form=form, cover=cover), status


def _stored(event: Event, form: LookForm) -> bool:
    """Store what was sent; False with the reasons at the fields."""
    sent = form.picture.data.read() if form.picture.data else b""
    found = b"" if form.remove.data else None
    try:
        accent_of(form.accent.data or "")
    except Refused as refused:
        form.accent.errors = [refused.message]
    try:
        found = encoded(sent) if sent else found
    except Refused as refused:
        form.picture.errors = [refused.message]
    if form.errors:
        return False
    with changing(event) as act:
        change_look(act, form.accent.data or "", found)
    return True


@blueprint.get("/e/<slug>/cover/<digest>.jpg")
def picture(slug: str, digest: str) -> ResponseReturnValue:
    """The picture with this digest."""
    cover = cover_of(db(), event_or_404(slug))
    if cover is None or not cover.digest or cover.digest != digest:
        abort(404)
    return _kept(make_response(picture_bytes(cover)), "image/jpeg")


@blueprint.get("/accent/<colour>.css")
def accent(colour: str) -> ResponseReturnValue:
    """A stylesheet of one colour: pages may not carry styles of their own."""
    try:
        found = accent_of(f"#{colour}")
    except Refused:
        abort(404)
    return _kept(make_response(f":root {{ --accent: {found}; }}\n"), "text/css")


def _kept(response: Response, kind: str) -> Response:
    response.mimetype = kind
    response.headers["Cache-Control"] = FOR_A_YEAR
    return response
