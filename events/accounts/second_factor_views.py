"""The second factor: asked for after the password, turned on and off on one's own account."""

from datetime import timedelta
from typing import Any

from cryptography.fernet import Fernet
from flask import Blueprint, current_app, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import PasswordField
from wtforms.validators import DataRequired, Length

from events.accounts import actions
from events.accounts.actions import TooMany
from events.accounts.attempts import account_with, begin_attempt, log_failure
from events.accounts.loading import visitor
from events.accounts.views import HALF, remember_account
from events.web.forms import text
from events.web.request import changing, db, now
from events.web.responses import qr
from models.people import Account
from service.settings import Settings

blueprint = Blueprint("second_factor", __name__)


NEW = "new_factor"
"""In the session of who turns it on: the secret that the page shows."""
HALF_LASTS = timedelta(minutes=10)
WRONG = "This code is not right, or was used already. The app shows a new one every half minute."
OTHER_KEY = (
    "No code of your app fits: the key of this installation was replaced since you turned it on. Enter a spare code. "
    "Without one, ask for `overseer second-factor-off` with your name on the server, and turn it on again."
)


FREE = {"static", "second_factor.turn_on", "accounts.sign_out", "accounts.sign_in", "offline.worker"}
"""What an account may ask for that has no second factor yet where one is demanded."""
DEMANDED = "This service asks everybody with an account for a second factor: turn yours on first."


def demand_second_factor() -> ResponseReturnValue | None:
    """Lead whoever is signed in with a password alone to where the second factor is turned on, if one is demanded."""
    settings: Settings = current_app.extensions["overseer_settings"]
    if settings.second_factor != "demanded" or "organiser" not in session or request.endpoint in FREE:
        return None
    account = visitor().account
    if account is None or account.totp_secret:
        return None
    if DEMANDED not in [told for _, told in session.get("_flashes", ())]:  # once, however much was asked for meanwhile
        flash(DEMANDED, "message")
    return redirect(url_for("second_factor.turn_on"), 303)


class CodeForm(FlaskForm):
    """A code of the app, or a spare one."""

    code = text("Code", 40, description="The six figures that your app shows now, or one of your spare codes.")


class OwnForm(CodeForm):
    """The same, with the password: who turns it on or off says again who they are."""

    old = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])


@blueprint.route("/sign-in/code", methods=["GET", "POST"])
def ask() -> ResponseReturnValue:
    """The second half of signing in."""
    account = _half_in()
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    form, status = CodeForm(), 422
    if form.validate_on_submit():
        status = _check_code(account, form)
        if not form.errors:
            remember_account(account)
            return redirect(url_for("desk.home"))
    return render_template("accounts/code.html", form=form), status if form.errors else 200


@blueprint.route("/account/second-factor", methods=["GET", "POST"])
def turn_on() -> ResponseReturnValue:
    """Show the secret, and ask for codes once one of them came back with the password."""
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    if account.totp_secret:
        return render_template("accounts/second_factor_on.html", form=OwnForm(None), spare=_spare(account))
    secret = session.setdefault(NEW, actions.new_secret())
    form, status = OwnForm(), 422
    form.code.description = "The six figures that your app shows now."
    if form.validate_on_submit():
        step = actions.step_of(secret, form.code.data, now())
        status = _check_password(account, form)
        if step is None:
            form.code.errors = [WRONG]
        elif not form.errors:
            with changing() as s:
                codes = actions.turn_on(s, account, secret, step, _key())
            remember_account(account)  # a session anew: the secret is not in it any more
            return render_template("accounts/spare_codes.html", codes=codes)
    return _shown("accounts/second_factor.html", form, status, account=account, secret=secret)


@blueprint.post("/account/second-factor/off")
def turn_off() -> ResponseReturnValue:
    """Ask for no codes any more: with the password and a last code."""
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    if not account.totp_secret:
        return redirect(url_for("second_factor.turn_on"))
    form, status = OwnForm(), 422
    if form.validate_on_submit():
        status = _check_password(account, form)
        if not form.errors:
            status = _check_code(account, form)
        if not form.errors:
            with changing() as s:
                actions.turn_off(s, account)
            flash("Your second factor is off: name and password are enough.", "success")
            return redirect(url_for("accounts.own"))
    page = render_template("accounts/second_factor_on.html", form=form, spare=_spare(account))
    return page, status if form.errors else 200


def _half_in() -> Account | None:
    """Whose password was right on this browser a moment ago."""
    account_id, key, since = session.get(HALF, (0, "", 0))
    account = db().get(Account, account_id) if account_id else None
    late = now().timestamp() - since > HALF_LASTS.total_seconds()
    return None if account is None or account.session_key != key or late else account


def _check_code(account: Account, form: CodeForm) -> int:
    """Use up the code of the form, or say at its field that it is wrong; returns the status for the errors."""
    try:
        attempt = begin_attempt(account.name)
    except TooMany as wait:
        form.form_errors.append(wait.message)
        return wait.status
    with changing() as s:
        right = actions.use_code(s, account, form.code.data, now(), _key())
        if right:
            actions.succeeded(s, attempt)
    if not right:
        log_failure(account.name)
        known = actions.decrypted(account.totp_secret, _key()) is not None
        form.code.errors = [WRONG if known else OTHER_KEY]
    return 422


def _check_password(account: Account, form: OwnForm) -> int:
    """Check the password of the form, and say at its field if it is wrong; returns the status for the errors."""
    try:
        if account_with(account.name, form.old.data) is None:
            form.old.errors = ["This is not your password."]
    except TooMany as wait:
        form.form_errors.append(wait.message)
        return wait.status
    return 422


def _key() -> Fernet:
    settings: Settings = current_app.extensions["overseer_settings"]
    return actions.key_from(settings.secret)


def _spare(account: Account) -> int:
    return len(account.spare_codes.split())


def _shown(template: str, form: OwnForm, status: int, *, account: Account, secret: str) -> tuple[str, int]:
    settings: Settings = current_app.extensions["overseer_settings"]
    shown: dict[str, Any] = {
        "square": qr(actions.address_of(secret, account.name)),
        "secret": secret,
        "demanded": settings.second_factor == "demanded",  # then every other page of the account leads here
    }
    return render_template(template, form=form, **shown), status if form.errors else 200
