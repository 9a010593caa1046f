"""The desk's join codes: all of them with who used each, a new one, invitations, one as a link and to scan."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from events.registration.forms import CodesForm
from events.registration.join_codes import codes_of, end_code, make_typed, players_by_code
from events.store.errors import Refused
from events.visitors.loading import join_code_or_404, managed_event
from events.web.forms import show_at_field
from events.web.request import changing, db, mail_server, saving
from languages.words import gettext, ngettext
from models.settings import SignUpBy

blueprint = Blueprint("join_codes", __name__)


@blueprint.route("/e/<slug>/desk/codes", methods=["GET", "POST"])
def manage(slug: str) -> ResponseReturnValue:
    event, mails = managed_event(slug), mail_server() is not None
    form, status = CodesForm(data={"uses": 1}), 422
    if event.sign_up_by == SignUpBy.INVITATION:
        del form.uses
    if form.validate_on_submit():
        uses = form.uses.data if form.uses else 1
        try:
            with changing(event, public=False) as act:
                made, not_done = make_typed(act, form.people.data, uses, has_server=mails)
        except Refused as refused:
            status = show_at_field(form, refused)
        else:
            flash(ngettext("%(num)s code made.", "%(num)s codes made.", len(made)), "success")
            for line in not_done:
                flash(line, "message")
            return redirect(url_for("join_codes.manage", slug=slug))
    rows = {"codes": codes_of(db(), event), "using": players_by_code(db(), event)}
    page = render_template("registration/join_codes.html", form=form, mails=mails, **rows)
    return page, status if form.errors or form.form_errors else 200


@blueprint.get("/e/<slug>/desk/codes/<int:code_id>")
def show(slug: str, code_id: int) -> ResponseReturnValue:
    """One code to hand out: as a link and as a code to scan."""
    event = managed_event(slug)
    code, using = join_code_or_404(event, code_id), players_by_code(db(), event)
    return render_template("registration/join_code.html", code=code, players=using.get(code_id, []))


@blueprint.post("/e/<slug>/desk/codes/<int:code_id>/end")
def end(slug: str, code_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    code = join_code_or_404(event, code_id)
    with saving(event, gettext("Ended. The code no longer works.")) as act:
        end_code(act, code)
    return redirect(url_for("join_codes.manage", slug=slug))
