"""Accounts: the one-time links, signing in and out, a new password."""

import logging

from flask import Blueprint, current_app, flash, g, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import PasswordField
from wtforms.validators import DataRequired, EqualTo, Length

from events.accounts import actions
from events.accounts.actions import TooMany
from events.accounts.attempts import account_with, know_browser
from events.accounts.loading import visitor
from events.accounts.passwords import is_guessed
from events.accounts.queries import account_in, new_sign_in
from events.play.errors import Refused
from events.web.forms import account_name, show_at_field, text
from events.web.monitoring import count
from events.web.request import changing, db, now
from models.people import Account
from service.private_files import remove_set_up_file
from service.settings import Settings

blueprint = Blueprint("accounts", __name__)


log = logging.getLogger("overseer.security")


SET_UP = "set_up"
"""In the session of whoever opened a set-up link: its token."""
HALF = "half_in"
"""In the session of whoever gave the right password and has to give a code too: the account, its key, and when."""
GUESSED = "This is one of the first passwords that are guessed. Three words that mean something to you are better."


class SetUpForm(FlaskForm):
    """An organiser's name and first password."""

    name = account_name("Your name", description="As players and the journal see it.")
    password = PasswordField(
        "Password",
        [DataRequired("Please choose a password."), Length(10, 200, "From 10 to 200 characters.")],
        description="At least 10 characters. Three words you will remember are better than one clever one.",
    )


class SignInForm(FlaskForm):
    """Name and password."""

    name = text("Name", 80)
    password = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])


class NewPasswordForm(FlaskForm):
    """A new password."""

    password = PasswordField(
        "New password",
        [DataRequired("Please choose a password."), Length(10, 200, "From 10 to 200 characters.")],
        description="At least 10 characters. Three words you will remember are better than one clever one.",
    )
    again = PasswordField("New password again", [EqualTo("password", "The two new passwords are not the same.")])


class PasswordForm(NewPasswordForm):
    """A new password for one's own account."""

    old = PasswordField("Password until now", [DataRequired("Please type your password until now."), Length(max=200)])


@blueprint.get("/set-up/<token>")
def open_set_up(token: str) -> ResponseReturnValue:
    """Exchange the one-time link for the browser's session, so that the token stays in no address bar."""
    if actions.find_set_up_link(db(), token, now()) is None:
        return render_template("accounts/used_link.html"), 404
    session[SET_UP] = token
    return redirect(url_for("accounts.set_up"))


@blueprint.route("/set-up", methods=["GET", "POST"])
def set_up() -> ResponseReturnValue:
    """The page of the one-time link that was opened: a new organiser, or a new password."""
    token = session.get(SET_UP, "")
    link = actions.find_set_up_link(db(), token, now())
    if link is None:
        return render_template("accounts/used_link.html"), 404
    if link.account_id is None:
        return _new_organiser(token)
    return _new_password(token, db().get_one(Account, link.account_id))


def _new_organiser(token: str) -> ResponseReturnValue:
    form = SetUpForm()
    if form.validate_on_submit() and chosen(form, form.name.data):
        try:
            with changing() as s:
                organiser = actions.set_up_organiser(s, token, form.name.data, form.password.data, now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            settings: Settings = current_app.extensions["overseer_settings"]
            remove_set_up_file(settings.data)
            answer = let_in(organiser, url_for("desk.home"))
            flash("You are set up and signed in.", "success")
            return answer
    return render_template("accounts/set_up.html", form=form), 422 if form.errors else 200


def _new_password(token: str, account: Account) -> ResponseReturnValue:
    form = NewPasswordForm()
    if form.validate_on_submit() and chosen(form, account.name):
        try:
            with changing() as s:
                account = actions.set_new_password(s, token, form.password.data, now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            answer = let_in(account, url_for("desk.home"))
            code = " Enter the code of your second factor to sign in." if account.totp_secret else ""
            flash(f"Your password is changed. Every other browser that was signed in as you is signed out.{code}",
                  "success")  # fmt: skip
            return answer
    return render_template("accounts/new_password.html", form=form, account=account), 422 if form.errors else 200


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    """Sign an organiser in. The same words and the same time whether the name or the password is wrong."""
    form = SignInForm()
    if form.validate_on_submit():
        try:
            organiser = account_with(form.name.data, form.password.data)
        except TooMany as wait:
            form.form_errors.append(wait.message)
            return render_template("accounts/sign_in.html", form=form), wait.status
        if organiser is not None:
            return let_in(organiser, url_for("desk.home"))
        form.form_errors.append("Name and password do not belong together.")
    return render_template("accounts/sign_in.html", form=form), 422 if form.errors else 200


@blueprint.route("/account", methods=["GET", "POST"])
def own() -> ResponseReturnValue:
    """Change one's own password; whoever else is signed in with this account is signed out."""
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    form = PasswordForm()
    if form.validate_on_submit():
        try:  # counted here too, or a browser left signed in would let a passer-by guess without end
            right = account_with(account.name, form.old.data) is not None
        except TooMany as wait:
            form.form_errors.append(wait.message)
            return render_template("accounts/own.html", form=form), wait.status
        if not right:
            form.old.errors = ["This is not your password until now."]
        elif chosen(form, account.name):
            with changing() as s:
                actions.change_password(s, account, form.password.data)
            remember_account(account)
            flash("Your password is changed. Every other browser that was signed in as you is signed out.", "success")
            return redirect(url_for("desk.home"))
    return render_template("accounts/own.html", form=form), 422 if form.errors else 200


@blueprint.post("/account/others")
def end_others() -> ResponseReturnValue:
    """Sign the account out everywhere but here."""
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    with changing() as s:
        actions.end_all(s, account)
    remember_account(account)
    flash("Every other browser that was signed in as you is signed out.", "success")
    return redirect(url_for("accounts.own"))


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """Forget the organiser on this browser, and end the sign-in: a copy of its cookie opens nothing from now on."""
    _end_own_sign_in()
    flash("Signed out.", "message")
    return redirect(url_for("public.home"))


def _end_own_sign_in() -> None:
    held, account = account_in(session), visitor().account
    session.pop("organiser", None)
    g.pop("visitor", None)
    if held is not None and account is not None:
        with changing() as s:
            actions.end_sign_in(s, held, now())


def chosen(form: SetUpForm | NewPasswordForm, name: str) -> bool:
    """Whether the new password of the form is not one that anybody guesses; told at its field."""
    if is_guessed(form.password.data, name):
        form.password.errors = [GUESSED]
        return False
    return True


def let_in(organiser: Account, where: str) -> ResponseReturnValue:
    """Sign in whoever proved to be this account, and go on; with a second factor on, ask for its code first."""
    if not organiser.totp_secret:
        remember_account(organiser)
        return redirect(where)
    session[HALF] = [organiser.id, organiser.session_key, int(now().timestamp())]
    return redirect(url_for("second_factor.ask"))


def remember_account(organiser: Account) -> None:
    """Sign this browser in, under a new number, and tell of it; the sign-in that it had before is ended."""
    _end_own_sign_in()
    count("signed_in")
    log.info("signed in", extra={"facts": {"account": organiser.name}})
    players = session.get("players", {})
    session.clear()  # nothing of an earlier session outlives the sign-in but the player's own links
    session.permanent = True
    session["players"] = players
    know_browser(organiser)
    session["organiser"] = new_sign_in(organiser.id, organiser.session_key, now())
    g.pop("visitor", None)
