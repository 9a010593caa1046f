"""The choice of a language, from the foot of any page."""

from flask import Blueprint, redirect, request, session
from flask.typing import ResponseReturnValue

from events.accounts.loading import visitor
from events.web.language import CHOSEN
from events.web.parsing import own_path
from events.web.request import changing_club
from languages.words import offered

blueprint = Blueprint("language", __name__)


@blueprint.post("/language")
def choose_language() -> ResponseReturnValue:
    """Keep the language that was asked for in the cookie, and with each sign-in of this browser for mails to it."""
    asked = request.form.get("language", "")
    if asked in offered():
        session[CHOSEN] = asked
        who = visitor()
        with changing_club() as s:
            for row in (who.account, who.person, *who.players.values()):
                if row is not None:
                    row.language = asked
                    s.add(row)
    return redirect(own_path(request.form.get("back", "")))
