"""Accounts: one-time links, sign-in and sign-out, a new password; signing in with a passkey, for everybody."""

from datetime import timedelta

from flask import Blueprint, current_app, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from events.accounts import actions, limits, passkeys
from events.accounts.browser import (
    GUESSED,
    HALF,
    account_with,
    asked_of_browser,
    begin_attempt,
    check_password,
    end_own_sign_in,
    forget_opened,
    log_failure,
    remember_account,
    remember_person,
    taken_challenge,
)
from events.accounts.forms import NewPasswordForm, PasskeyForm, PasswordForm, SetUpForm, SignInForm
from events.accounts.limits import TooMany
from events.accounts.passkeys import Owner
from events.accounts.passwords import is_guessed
from events.accounts.staff import end_tokens
from events.accounts.tokens import tokens_by
from events.store.errors import Refused
from events.visitors.loading import remember_player, visitor
from events.visitors.queries import account_in, passkeys_of, sign_ins_of
from events.web.forms import refusals_at, show_at_field
from events.web.request import changing_club, db, now
from languages.words import gettext
from models.event import Event
from models.people import Account
from models.person import Person
from service.private_files import remove_set_up_file
from service.settings import Settings

blueprint = Blueprint("accounts", __name__)

SET_UP = "set_up"
"""Session key for the token of an opened set-up link."""


@blueprint.get("/set-up/<token>")
def open_set_up(token: str) -> ResponseReturnValue:
    """Move the one-time link's token from the address to the session."""
    if actions.find_set_up_link(db(), token, now()) is None:
        return render_template("accounts/used_link.html"), 404
    session[SET_UP] = token
    return redirect(url_for("accounts.set_up"))


@blueprint.route("/set-up", methods=["GET", "POST"])
def set_up() -> ResponseReturnValue:
    """The page of an opened one-time link: create an organiser, or set a password."""
    token = session.get(SET_UP, "")
    link = actions.find_set_up_link(db(), token, now())
    if link is None:
        return render_template("accounts/used_link.html"), 404
    if link.account_id is None:
        return _new_organiser(token)
    return _new_password(token, db().get_one(Account, link.account_id))


def _new_organiser(token: str) -> ResponseReturnValue:
    form = SetUpForm()
    if form.validate_on_submit() and is_acceptable(form, form.name.data):
        with refusals_at(form):
            with changing_club() as s:
                organiser = actions.set_up_organiser(s, token, form.name.data, form.password.data, now())
            settings: Settings = current_app.extensions["overseer_settings"]
            remove_set_up_file(settings.data)
            answer = let_in(organiser, url_for("desk.desk_home"))
            flash(gettext("You are set up and signed in."), "success")
            return answer
    return render_template("accounts/set_up.html", form=form), 422 if form.errors else 200


def _new_password(token: str, account: Account) -> ResponseReturnValue:
    form = NewPasswordForm()
    if form.validate_on_submit() and is_acceptable(form, account.name):
        with refusals_at(form):
            with changing_club() as s:
                account = actions.set_new_password(s, token, form.password.data, now())
            answer = let_in(account, url_for("desk.desk_home"))
            text = gettext("Your password is changed. All your other browsers are signed out.")
            if account.totp_secret:
                text += " " + gettext("Enter the code of your second factor to sign in.")
            flash(text, "success")
            return answer
    return render_template("accounts/new_password.html", form=form, account=account), 422 if form.errors else 200


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    """Sign an organiser in. A wrong name and a wrong password get the same answer in the same time."""
    form = SignInForm()
    if form.validate_on_submit():
        try:
            organiser = account_with(form.name.data, form.password.data)
        except TooMany as wait:
            form.form_errors.append(wait.message)
            return _sign_in_page(form, wait.status)
        if organiser is not None:
            return let_in(organiser, url_for("desk.desk_home"))
        form.form_errors.append(gettext("Name and password do not match."))
    return _sign_in_page(form, 422 if form.errors else 200)


def _sign_in_page(form: SignInForm, status: int) -> ResponseReturnValue:
    page = render_template(
        "accounts/sign_in.html", form=form, passkey=PasskeyForm(None), **asked_of_browser(passkeys.options_to_sign_in)
    )
    return page, status


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


@blueprint.route("/account", methods=["GET", "POST"])
def own() -> ResponseReturnValue:
    """Change one's own password and sign out all other browsers of this account."""
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    form = PasswordForm()
    status = check_password(account, form) if form.validate_on_submit() else 422
    if form.is_submitted() and not form.errors and is_acceptable(form, account.name):
        with changing_club() as s:
            actions.change_password(s, account, form.password.data)
            if form.tokens.data:
                end_tokens(s, account.id, now())
        remember_account(account)
        flash(gettext("Your password is changed. All your other browsers are signed out."), "success")
        return redirect(url_for("desk.desk_home"))
    return _page(form, account, status if form.errors else 200)


def _page(form: PasswordForm, account: Account, status: int) -> ResponseReturnValue:
    here, settings = account_in(session), current_app.extensions["overseer_settings"]
    page = render_template(
        "accounts/own.html",
        form=form,
        listed=sign_ins_of(db(), account, now()),
        tokens=tokens_by(db(), account, now()),
        here=here and here.number,
        passkeys=len(passkeys_of(db(), account)),
        idle_hours=settings.idle // timedelta(hours=1),
    )
    return page, status


@blueprint.post("/account/sign-ins/<int:sign_in_id>/end")
def end_listed(sign_in_id: int) -> ResponseReturnValue:
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    staff_sign_in = next(
        (a_sign_in for a_sign_in in sign_ins_of(db(), account, now()) if a_sign_in.id == sign_in_id), None
    )
    if staff_sign_in is not None:
        with changing_club() as s:
            actions.end_sign_in(s, staff_sign_in.sign_in, now())
        flash(gettext("%(browser)s is signed out.", browser=staff_sign_in.browser), "success")
    return redirect(url_for("accounts.own"))


@blueprint.post("/account/others")
def end_others() -> ResponseReturnValue:
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    with changing_club() as s:
        actions.end_all(s, account)
        if "tokens" in request.form:
            end_tokens(s, account.id, now())
    remember_account(account)
    flash(gettext("All your other browsers are signed out."), "success")
    return redirect(url_for("accounts.own"))


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End the sign-in on this browser and on the server, so that a copy of the cookie is useless."""
    end_own_sign_in()
    forget_opened()
    flash(gettext("Signed out."), "message")
    return redirect(url_for("public.home"))


def is_acceptable(form: SetUpForm | NewPasswordForm, name: str) -> bool:
    """Whether the new password is hard to guess; if not, sets the error of its field."""
    if is_guessed(form.password.data, name):
        form.password.errors = [gettext(GUESSED)]
        return False
    return True


def let_in(organiser: Account, next_page: str) -> ResponseReturnValue:
    """Sign the account in and redirect to the next page. With a second factor, ask for its code first."""
    if not organiser.totp_secret:
        remember_account(organiser)
        return redirect(next_page)
    session[HALF] = [organiser.id, organiser.session_key, int(now().timestamp())]
    return redirect(url_for("second_factor.ask"))
