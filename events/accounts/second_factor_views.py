"""The second factor: asking for a code after the password, and turning it on and off."""

from datetime import timedelta

from cryptography.fernet import Fernet
from flask import Blueprint, current_app, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from events.accounts import limits, second_factor
from events.accounts.browser import (
    HALF,
    STRONG,
    begin_attempt,
    check_password,
    hold_account,
    log_failure,
    remember_account,
)
from events.accounts.forms import CodeForm, OwnForm
from events.accounts.limits import TooMany
from events.visitors.loading import visitor
from events.visitors.queries import passkeys_of
from events.web.request import changing_club, db, now, qr
from languages.words import N_, gettext
from models.people import Account
from service.settings import Settings

blueprint = Blueprint("second_factor", __name__)

NEW = "new_factor"
"""Session key for the secret shown before the second factor is turned on."""
HALF_LASTS = timedelta(minutes=10)
WRONG = N_("This code is wrong or was already used. The app shows a new one every 30 seconds.")
OTHER_KEY = N_(
    "Codes from your app no longer work, because this server’s secret was replaced. Enter a spare code. If you have "
    "none, ask the administrator to run `overseer second-factor-off NAME` on the server. Then turn the second factor "
    "on again."
)
FREE = {"static", "accounts.sign_out", "accounts.sign_in", "accounts.sign_in_with_passkey", "offline.worker"}
"""Endpoints that stay open to a sign-in with one factor if two are required."""
FIRST = {"second_factor.turn_on", "passkeys.of_account", "passkeys.confirm", "passkeys.add_to_account"}
"""Further ones for an account without a second factor and without passkeys."""
DEMANDED = N_("This service requires a second factor for your account. Turn it on first, or add a passkey.")
BY_PASSKEY = N_("This service requires two factors for your account. Sign in with your passkey.")


def demand_second_factor() -> ResponseReturnValue | None:
    """If a second factor is required, redirect a sign-in by password alone to the page that adds or asks for one."""
    if "organiser" not in session or session.get(STRONG) or request.endpoint in FREE:
        return None
    account = visitor().account
    if account is None or account.totp_secret or not _is_demanded(account):
        return None
    has_passkeys = len(passkeys_of(db(), account)) > 0
    if not has_passkeys and request.endpoint in FIRST:
        return None
    text = gettext(BY_PASSKEY if has_passkeys else DEMANDED)
    if text not in [message for _, message in session.get("_flashes", ())]:
        flash(text, "message")
    return redirect(url_for("accounts.sign_in_with_passkey" if has_passkeys else "second_factor.turn_on"), 303)


def _is_demanded(account: Account) -> bool:
    settings: Settings = current_app.extensions["overseer_settings"]
    return settings.second_factor == "demanded" or (settings.second_factor == "organisers" and account.runs_club)


@blueprint.route("/sign-in/code", methods=["GET", "POST"])
def ask() -> ResponseReturnValue:
    """Ask for the code after the password."""
    account = _half_in()
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    form, status = CodeForm(), 422
    if form.validate_on_submit():
        status = _check_code(account, form)
        if not form.errors:
            remember_account(account)
            return redirect(url_for("desk.desk_home"))
    return render_template("accounts/code.html", form=form), status if form.errors else 200


@blueprint.route("/account/second-factor", methods=["GET", "POST"])
def turn_on() -> ResponseReturnValue:
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    if account.totp_secret:
        return render_template("accounts/second_factor_on.html", form=OwnForm(None), spare=_spare(account))
    secret = session.setdefault(NEW, second_factor.new_secret())
    form, status = OwnForm(), 422
    form.code.description = gettext("The six digits that your app shows now.")
    if form.validate_on_submit():
        step = second_factor.code_step(secret, form.code.data, now())
        status = check_password(account, form)
        if step is None:
            form.code.errors = [gettext(WRONG)]
        elif not form.errors:
            with changing_club() as s:
                hold_account(s, account)
                codes = second_factor.turn_on(s, account, secret, step, _key())
            remember_account(account)  # clears the session with the secret
            return render_template("accounts/spare_codes.html", codes=codes)
    page = render_template(
        "accounts/second_factor.html",
        form=form,
        qr=qr(second_factor.address_of(secret, account.name)),
        secret=secret,
        demanded=_is_demanded(account)
        and not session.get(STRONG),  # from then on other pages redirect the account here
    )
    return page, status if form.errors else 200


@blueprint.post("/account/second-factor/off")
def turn_off() -> ResponseReturnValue:
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    if not account.totp_secret:
        return redirect(url_for("second_factor.turn_on"))
    form, status = OwnForm(), 422
    if form.validate_on_submit():
        status = check_password(account, form)
        if not form.errors:
            status = _check_code(account, form)
        if not form.errors:
            with changing_club() as s:
                second_factor.turn_off(s, account)
            flash(gettext("Your second factor is off: name and password are enough."), "success")
            return redirect(url_for("accounts.own"))
    page = render_template("accounts/second_factor_on.html", form=form, spare=_spare(account))
    return page, status if form.errors else 200


def _half_in() -> Account | None:
    """The account whose password was entered on this browser within the last ten minutes."""
    account_id, key, since = session.get(HALF, (0, "", 0))
    account = db().get(Account, account_id) if account_id else None
    late = now().timestamp() - since > HALF_LASTS.total_seconds()
    return None if account is None or account.session_key != key or late else account


def _check_code(account: Account, form: CodeForm) -> int:
    """Use the form's code, or set the error of its field; returns the HTTP status for errors."""
    try:
        attempt = begin_attempt(account.name)
    except TooMany as wait:
        form.form_errors.append(wait.message)
        return wait.status
    with changing_club() as s:
        right = second_factor.use_code(s, account, form.code.data, now(), _key())
        if right:
            limits.succeeded(s, attempt)
    if not right:
        log_failure(account.name)
        is_readable = second_factor.decrypted(account.totp_secret, _key()) is not None
        form.code.errors = [gettext(WRONG if is_readable else OTHER_KEY)]
    return 422


def _key() -> Fernet:
    settings: Settings = current_app.extensions["overseer_settings"]
    return second_factor.key_from(settings.secret)


def _spare(account: Account) -> int:
    return len(account.spare_codes.split())
