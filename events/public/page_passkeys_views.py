"""The passkeys of a person's own page."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from events.accounts import passkeys
from events.accounts.browser import asked_for_new, own_person_or_403, taken_challenge
from events.accounts.forms import NewPasskeyForm
from events.web.forms import refusals_at
from events.web.request import changing_club, now
from languages.words import gettext

blueprint = Blueprint("page_passkeys", __name__)


@blueprint.get("/me/passkeys")
def page_passkeys() -> ResponseReturnValue:
    return _passkeys(NewPasskeyForm(None))


@blueprint.post("/me/passkeys/new")
def add_page_passkey() -> ResponseReturnValue:
    person, form = own_person_or_403(), NewPasskeyForm()
    if form.validate_on_submit():
        with refusals_at(form):
            here, challenge = taken_challenge()
            with changing_club() as s:
                passkeys.add_passkey(s, person, form.credential.data, here, challenge, form.called.data, now())
            flash(gettext("The passkey is added. Open your page with it from now on."), "success")
            return redirect(url_for("page_passkeys.page_passkeys"))
    return _passkeys(form)


@blueprint.post("/me/passkeys/<int:passkey_id>/remove")
def remove_page_passkey(passkey_id: int) -> ResponseReturnValue:
    person = own_person_or_403()
    with changing_club() as s:
        passkeys.remove_passkey(s, person, passkey_id)
    flash(gettext("Removed: that passkey no longer opens your page."), "success")
    return redirect(url_for("page_passkeys.page_passkeys"))


def _passkeys(new: NewPasskeyForm) -> ResponseReturnValue:
    person = own_person_or_403()
    asked = asked_for_new(person, gettext("%(name)s · my events", name=person.name), new)
    return render_template("people/passkeys.html", **asked), 422 if new.errors else 200
