"""A player's own passkeys: adding and removing one, which notifies the player."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from events.accounts import passkeys
from events.accounts.browser import asked_for_new, taken_challenge
from events.accounts.forms import NewPasskeyForm
from events.accounts.loading import event_or_404, own_player_or_403
from events.accounts.queries import passkeys_of
from events.messages.addresses import warn_owner
from events.messages.text import NEW_PASSKEY, NO_PASSKEY
from events.web.forms import refusals_at
from events.web.request import changing, db, mail_server
from languages.words import gettext

blueprint = Blueprint("own_passkeys", __name__)


@blueprint.get("/e/<slug>/me/passkeys")
def player_passkeys(slug: str) -> ResponseReturnValue:
    return _page(slug, NewPasskeyForm(None))


@blueprint.post("/e/<slug>/me/passkeys/new")
def new_passkey(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player, form = own_player_or_403(event), NewPasskeyForm()
    if form.validate_on_submit():
        with refusals_at(form):
            here, challenge = taken_challenge()
            with changing(event, public=False) as act:
                passkeys.add_passkey(act.s, player, form.credential.data, here, challenge, form.called.data, act.now)
                warn_owner(act, player, NEW_PASSKEY, has_server=mail_server() is not None)
            flash(gettext("The passkey is added. Sign in with it from now on."), "success")
            return redirect(url_for("own_passkeys.player_passkeys", slug=slug))
    return _page(slug, form)


@blueprint.post("/e/<slug>/me/passkeys/<int:passkey_id>/remove")
def remove_own_passkey(slug: str, passkey_id: int) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    if any(passkey.id == passkey_id for passkey in passkeys_of(db(), player)):
        with changing(event, public=False) as act:
            if passkeys.remove_passkey(act.s, player, passkey_id):
                warn_owner(act, player, NO_PASSKEY, has_server=mail_server() is not None)
    flash(gettext("Removed: that passkey no longer signs in."), "success")
    return redirect(url_for("own_passkeys.player_passkeys", slug=slug))


def _page(slug: str, new: NewPasskeyForm) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    asked = asked_for_new(player, f"{player.name} · {event.name}", new)
    return render_template("registration/passkeys.html", **asked), 422 if new.errors else 200
