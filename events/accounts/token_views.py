"""Tokens of programs at the desk: make one, see it once, end it."""

from flask import Blueprint, abort, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from events.accounts.browser import check_password
from events.accounts.forms import TokenForm
from events.accounts.tokens import AREAS, end_token, make_token, tokens_of
from events.store.visitor import MEANING, WORDS
from events.visitors.loading import managed_event, visitor
from events.web.request import changing, db, now, saving
from languages.words import gettext
from models.api_token import ApiToken
from models.staff import Role

blueprint = Blueprint("token", __name__)
SHOWN = "token_made"
"""Session key for the id and text of a new token, until its page was opened."""


@blueprint.route("/e/<slug>/desk/tokens", methods=["GET", "POST"])
def manage_tokens(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    form = TokenForm(data={"role": Role.SCOREKEEPER.value, "days": 30})
    account = visitor().account
    assert account is not None  # noqa: S101 - checked by managed_event
    status = check_password(account, form) if form.validate_on_submit() else 422
    if form.is_submitted() and not form.errors:
        with changing(event) as act:
            row, token = make_token(act, form.name.data, Role(form.role.data), form.days.data, account)
        session[SHOWN] = [row.id, token]
        return redirect(url_for("token.made_token", slug=slug, token_id=row.id))
    page = render_template(
        "accounts/tokens.html",
        form=form,
        signed_in=account.name,
        tokens=tokens_of(db(), event),
        now=now(),
        areas=AREAS,
        words=WORDS,
        meaning=MEANING,
    )
    return page, status if form.errors else 200


@blueprint.get("/e/<slug>/desk/tokens/<int:token_id>")
def made_token(slug: str, token_id: int) -> ResponseReturnValue:
    """The text of a new token, once, in the browser that made it."""
    event = managed_event(slug)
    row = db().get(ApiToken, token_id)
    if row is None or row.event_id != event.id:
        abort(404)
    shown, token = session.pop(SHOWN, (0, ""))
    return render_template("accounts/token.html", row=row, token=token if shown == row.id else "", words=WORDS)


@blueprint.post("/e/<slug>/desk/tokens/<int:token_id>/end")
def end_api_token(slug: str, token_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    row = db().get(ApiToken, token_id)
    if row is None or row.event_id != event.id:
        abort(404)
    with saving(event, gettext("%(row)s is ended: the token no longer works.", row=row.name)) as act:
        end_token(act, row)
    return redirect(url_for("token.manage_tokens", slug=slug))
