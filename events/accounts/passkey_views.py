"""Passkeys: signing in with one, and the pages where accounts add and remove theirs."""

from flask import Blueprint, flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from events.accounts import limits, passkeys
from events.accounts.browser import (
    STRONG,
    asked_for_new,
    asked_of_browser,
    begin_attempt,
    check_password,
    hold_account,
    log_failure,
    remember_account,
    remember_person,
    taken_challenge,
)
from events.accounts.forms import ConfirmForm, NewPasskeyForm, PasskeyForm
from events.accounts.loading import remember_player, visitor
from events.accounts.passkeys import Owner
from events.store.errors import Refused
from events.web.forms import show_at_field
from events.web.request import changing_club, db, now
from languages.words import gettext
from models.event import Event
from models.people import Account
from models.person import Person

blueprint = Blueprint("passkey", __name__)

CONFIRMED = "password_again"
"""Session key for the time when the account's password was typed again."""


@blueprint.route("/sign-in/passkey", methods=["GET", "POST"])
def sign_in_with_passkey() -> ResponseReturnValue:
    form, status = PasskeyForm(), 422
    if form.validate_on_submit():
        try:
            return _let_in(_checked(form.credential.data))
        except Refused as refused:
            status = show_at_field(form, refused)
    page = render_template("accounts/passkey.html", form=form, **asked_of_browser(passkeys.options_to_sign_in))
    return page, status if form.errors else 200


def _checked(answer: str) -> Owner:
    """The owner of the passkey in a browser's answer. Raises Refused.

    Tries are limited like those of passwords, and counted under the random handle: nobody who does not hold the device
    can shut its owner out.
    """
    here, challenge = taken_challenge()
    passkey = passkeys.find_passkey(db(), passkeys.credential_in(answer))
    whose = passkeys.owner_of(db(), passkey) if passkey is not None else None
    name = whose.name if isinstance(whose, Account) else "" if whose is None else f"a {type(whose).__name__.lower()}"
    attempt = begin_attempt(f"passkey {passkey.handle}" if passkey is not None else "")
    try:
        with changing_club() as s:
            owner = passkeys.use_passkey(s, answer, here, challenge, now())
            limits.succeeded(s, attempt)
    except Refused:
        log_failure(name)
        raise
    return owner


def _let_in(owner: Owner) -> ResponseReturnValue:
    if isinstance(owner, Account):
        remember_account(owner, strong=True)
        return redirect(url_for("desk.desk_home"))
    if isinstance(owner, Person):
        remember_person(owner)
        return redirect(url_for("people.own_page"))
    remember_player(owner)
    return redirect(url_for("player.today", slug=db().get_one(Event, owner.event_id).slug))


@blueprint.route("/account/passkeys", methods=["GET", "POST"])
def account_passkeys() -> ResponseReturnValue:
    """An account's passkeys. The password, typed again, opens the forms that change them."""
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    form = ConfirmForm()
    status = check_password(account, form) if form.validate_on_submit() else 422
    if form.is_submitted() and not form.errors:
        session[CONFIRMED] = int(now().timestamp())
        return redirect(url_for("passkey.account_passkeys"))
    return _account_page(account, form, NewPasskeyForm(None), status if form.errors else 200)


@blueprint.post("/account/passkeys/new")
def add_to_account() -> ResponseReturnValue:
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    form = NewPasskeyForm()
    if not _is_confirmed():
        return redirect(url_for("passkey.account_passkeys"))
    if _add(account, form):
        session[STRONG] = True  # this browser has shown both factors
        return redirect(url_for("passkey.account_passkeys"))
    return _account_page(account, ConfirmForm(None), form, 422)


@blueprint.post("/account/passkeys/<int:passkey_id>/remove")
def remove_from_account(passkey_id: int) -> ResponseReturnValue:
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    if _is_confirmed():
        with changing_club() as s:
            passkeys.remove_passkey(s, account, passkey_id)
        flash(gettext("Removed: that passkey no longer signs in."), "success")
    return redirect(url_for("passkey.account_passkeys"))


def _is_confirmed() -> bool:
    """Whether the account's password was typed again within the last ten minutes."""
    return now().timestamp() - float(session.get(CONFIRMED, 0)) <= passkeys.LASTS.total_seconds()


def _account_page(account: Account, form: ConfirmForm, new: NewPasskeyForm, status: int) -> ResponseReturnValue:
    asked = asked_for_new(account, account.name, new)
    return render_template("accounts/passkeys.html", form=form, confirmed=_is_confirmed(), **asked), status


def _add(account: Account, form: NewPasskeyForm) -> bool:
    """Add the form's passkey, or set the form's errors."""
    if not form.validate_on_submit():
        return False
    try:
        here, challenge = taken_challenge()
        with changing_club() as s:
            hold_account(s, account)
            passkeys.add_passkey(s, account, form.credential.data, here, challenge, form.called.data, now())
    except Refused as refused:
        show_at_field(form, refused)
        return False
    flash(gettext("The passkey is added. Sign in with it from now on."), "success")
    return True
