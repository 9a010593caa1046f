"""The choice of a language, from the foot of any page; and the texts of scripts in it."""

from flask import Blueprint, Response, abort, redirect, request, session
from flask.typing import ResponseReturnValue

from events.visitors.loading import visitor
from events.web.language import CHOSEN, texts_of_scripts, texts_release
from events.web.parsing import own_path
from events.web.request import changing_club
from events.web.static_files import YEAR
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


@blueprint.get("/texts/<language>.js")
def texts(language: str) -> Response:
    """The texts of the scripts in a language, kept by browsers as static files are; 404 for an unknown language."""
    if language not in offered():
        abort(404)
    answer = Response(texts_of_scripts(language), mimetype="text/javascript; charset=utf-8")
    is_newest = request.args.get("v") == texts_release(language)
    answer.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable" if is_newest else "no-cache"
    return answer
