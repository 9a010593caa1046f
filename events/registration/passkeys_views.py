"""The passkeys of an account, a player or a person's own page: one page shows, adds and removes them."""

from collections.abc import Callable

from flask import Blueprint, abort, flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from events.accounts import passkeys
from events.accounts.browser import (
    STRONG,
    asked_of_browser,
    browser_words,
    check_password,
    hold_account,
    own_person_or_403,
    taken_challenge,
)
from events.accounts.forms import ConfirmForm, NewPasskeyForm
from events.accounts.passkeys import Owner
from events.messages.addresses import warn_owner
from events.messages.text import NEW_PASSKEY, NO_PASSKEY, Template
from events.visitors.loading import event_or_404, own_player_or_403, visitor
from events.visitors.queries import passkeys_of
from events.web.forms import refusals_at
from events.web.request import changing, changing_club, db, mail_server, now
from languages.words import N_, gettext
from models.event import Event
from models.people import Account
from models.person import Person
from models.play import Player

blueprint = Blueprint("passkeys", __name__)

CONFIRMED = "password_again"
"""Session key for the time when the account's password was typed again, which opens the forms of its page."""
PAGES = {"account": "/account/passkeys", "player": "/e/<slug>/me/passkeys", "person": "/me/passkeys"}
"""The address of the page by the kind of owner."""


def show(of: str, slug: str = "") -> ResponseReturnValue:
    return _page(of, slug, ConfirmForm(None), NewPasskeyForm(None))


@blueprint.post(PAGES["account"])
def confirm() -> ResponseReturnValue:
    """Open the forms of an account's page by its password, typed again."""
    form, status = ConfirmForm(), 422
    account = _account()
    if form.validate_on_submit():
        status = check_password(account, form)
    if form.errors:
        return _page("account", "", form, NewPasskeyForm(None), status)
    session[CONFIRMED] = int(now().timestamp())
    return redirect(PAGES["account"])


def add(of: str, slug: str = "") -> ResponseReturnValue:
    owner, _ = _owner(of, slug)
    form = NewPasskeyForm()
    if _may_change(owner) and form.validate_on_submit():
        with refusals_at(form):
            here, challenge = taken_challenge()
            answer, called = form.credential.data, form.called.data
            _change(
                owner, NEW_PASSKEY, lambda s: passkeys.add_passkey(s, owner, answer, here, challenge, called, now())
            )
            if isinstance(owner, Account):
                session[STRONG] = True  # this browser has shown both factors
            signs_in = N_("The passkey is added. Sign in with it from now on.")
            opens = N_("The passkey is added. Open your page with it from now on.")
            flash(gettext(opens if isinstance(owner, Person) else signs_in), "success")
    return _page(of, slug, ConfirmForm(None), form, 422) if form.errors else redirect(_address(of, slug))


def remove(of: str, passkey_id: int, slug: str = "") -> ResponseReturnValue:
    owner, _ = _owner(of, slug)
    if _may_change(owner):
        _change(owner, NO_PASSKEY, lambda s: passkeys.remove_passkey(s, owner, passkey_id))
        signs_in = N_("Removed: that passkey no longer signs in.")
        opens = N_("Removed: that passkey no longer opens your page.")
        flash(gettext(opens if isinstance(owner, Person) else signs_in), "success")
    return redirect(_address(of, slug))


for kind, address in PAGES.items():
    to = {"of": kind}
    blueprint.add_url_rule(address, f"of_{kind}", show, defaults=to)
    blueprint.add_url_rule(f"{address}/new", f"add_to_{kind}", add, methods=["POST"], defaults=to)
    blueprint.add_url_rule(
        f"{address}/<int:passkey_id>/remove", f"remove_from_{kind}", remove, methods=["POST"], defaults=to
    )


def _address(of: str, slug: str) -> str:
    return url_for(f"passkeys.of_{of}", slug=slug or None)


def _owner(of: str, slug: str) -> tuple[Owner, str]:
    """The owner of the page's passkeys, and how devices show it."""
    if of == "player":
        event = event_or_404(slug)
        player = own_player_or_403(event)
        return player, f"{player.name} · {event.name}"
    if of == "person":
        person = own_person_or_403()
        return person, gettext("%(name)s · my events", name=person.name)
    account = _account()
    return account, account.name


def _account() -> Account:
    account = visitor().account
    if account is None:
        abort(redirect(url_for("accounts.sign_in")))
    return account


def _may_change(owner: Owner) -> bool:
    """Whether an account's password was typed again within the last ten minutes; others need none."""
    since = now().timestamp() - float(session.get(CONFIRMED, 0))
    return not isinstance(owner, Account) or since <= passkeys.LASTS.total_seconds()


def _change(owner: Owner, notice: Template, change: Callable[[Session], object]) -> None:
    """Make a change, of which a player is notified. Nobody is if ``change`` returns that nothing was there."""
    if isinstance(owner, Player):
        with changing(db().get_one(Event, owner.event_id), public=False) as act:
            if change(act.s):
                warn_owner(act, owner, notice, has_server=mail_server() is not None)
        return
    with changing_club() as s:
        if isinstance(owner, Account):
            hold_account(s, owner)
        change(s)


def _page(of: str, slug: str, form: ConfirmForm, new: NewPasskeyForm, status: int = 200) -> ResponseReturnValue:
    owner, called = _owner(of, slug)
    existing = passkeys_of(db(), owner)
    new.called.data = new.called.data or browser_words()
    asked = asked_of_browser(lambda party, challenge: passkeys.options_for_new(party, existing, called, challenge))
    page = render_template(
        "registration/passkeys.html",
        of=of,
        at=_address(of, slug),
        known=existing,
        may_change=_may_change(owner),
        may_add=len(existing) < passkeys.MOST,
        form=form,
        new=new,
        **asked,
    )
    return page, status
