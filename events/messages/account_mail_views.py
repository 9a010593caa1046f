"""The mail address of an account: giving it, and confirming it by the link that was mailed to it."""

from flask import Blueprint, current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.accounts.browser import account_with, hold_account
from events.messages.account_mails import (
    address_by_token,
    address_of_account,
    confirm_account_address,
    give_account_address,
)
from events.messages.forms import AccountAddressForm
from events.store.errors import Refused
from events.visitors.loading import visitor
from events.web.forms import show_at_field
from events.web.request import changing_club, db, mail_server, now
from languages.words import gettext
from models.people import Account

blueprint = Blueprint("account_mail", __name__)


@blueprint.route("/account/mail", methods=["GET", "POST"])
def own_address() -> ResponseReturnValue:
    account = visitor().account
    if account is None:
        return redirect(url_for("accounts.sign_in"))
    held = address_of_account(db(), account)
    form, status = AccountAddressForm(data={"mail": held.mail if held else ""}), 422
    if form.validate_on_submit():
        try:
            if mail_server() is None and form.mail.data:
                raise Refused(gettext("This server sends no mail."), "mail")
            if account_with(account.name, form.old.data) is None:
                raise Refused(gettext("The password is wrong."), "old")
            with changing_club() as s:
                hold_account(s, account)
                give_account_address(s, account, form.mail.data, now())
        except Refused as refused:
            status = show_at_field(form, refused)
        else:
            flash(gettext("Saved.") if form.mail.data else gettext("Deleted: no mails are sent to you."), "success")
            return redirect(url_for("account_mail.own_address"))
    held = address_of_account(db(), account)  # again, as a refused form has rolled back
    page = render_template("messages/account_mail.html", form=form, held=held, server=mail_server())
    return page, status if form.errors else 200


@blueprint.route("/account-mail/<token>", methods=["GET", "POST"])
def confirm_of_account(token: str) -> ResponseReturnValue:
    """Confirm the address to which the link was mailed. GET changes nothing, because mail programs open links."""
    address = address_by_token(db(), str(current_app.secret_key), token, now())
    if address is None:
        return render_template("accounts/used_link.html"), 404
    account, form = db().get_one(Account, address.account_id), FlaskForm()
    if form.validate_on_submit():
        with changing_club() as s:
            confirm_account_address(s, address, now())
        flash(gettext("Confirmed: you are mailed about each sign-in on a new browser."), "success")
        return redirect(url_for("accounts.own"))
    page = render_template("messages/account_mail_confirm.html", form=form, mail=address.mail, name=account.name)
    return page, 422 if form.errors else 200
