"""The paper sheet: its code leaves the address as it is opened, and leads to the form of that game alone."""

from flask import Blueprint, abort, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.exceptions import TooManyRequests
from wtforms import StringField

from events import access_play
from events.actions.results import FROM_SHEET
from events.actions.tries import CODES
from events.held_sheets import COOKIE, code_held, with_sheet
from events.reading import game_at_hand
from events.sheet_finding import game_with_code
from events.table_numbers import code_typed
from events.views.game_parts import game_context, reported
from events.views.request import LONGEST_ID, db, event_or_404, now, visitor
from events.views.results import NOT_NOW, Reporter, late, report_on
from events.views.tries import is_wrong_code_refused
from events.web.idempotency import from_outbox, not_yet, refused, submission_from
from models.event import Event, Round
from models.play import Game, GameState, ReportSide

blueprint = Blueprint("sheets", __name__)

SIDES = ("a", "b")
TOO_MANY = "No sheet has this code, and too many wrong codes came from your network. Check the code: a right one works."


class CodeForm(FlaskForm):
    """The code as it is typed from a sheet. It is posted: what is typed into an address stays in it."""

    code = StringField()


@blueprint.route("/g", methods=["GET", "POST"])
def code_entry() -> ResponseReturnValue:
    """Where the code from a paper sheet is typed."""
    form = CodeForm()
    code, status = code_typed(form.code.data or ""), 200
    if request.method == "POST" and code:
        game = _shown_game(game_with_code(db(), code))
        if game is not None:
            return _exchanged(game)
        status = 429 if is_wrong_code_refused() else 404
    page = make_response(
        render_template(
            "results/code.html", form=form, code=code, held=True, too_many=TOO_MANY if status == 429 else ""
        ),
        status,
    )
    if status == 429:
        page.headers["Retry-After"] = str(int(CODES.window.total_seconds()))
    return page


@blueprint.route("/g/<code>", methods=["GET", "POST"])
def from_sheet(code: str) -> ResponseReturnValue:
    """The address behind the square on a sheet: exchanged for the cookie, so that no code stays in the address.

    A form that was opened, or kept by a phone, before this was so is still sent here.
    """
    game = _shown_game(game_with_code(db(), code))
    if game is None and is_wrong_code_refused():
        raise TooManyRequests(TOO_MANY, retry_after=int(CODES.window.total_seconds()))
    if game is None:
        abort(404)
    return _exchanged(game) if request.method == "GET" else _by_sheet(event_or_404(_event_of(game).slug), game)


@blueprint.route("/e/<slug>/games/<int:game_id>/report", methods=["GET", "POST"])
def report(slug: str, game_id: int) -> ResponseReturnValue:
    """The form of the game whose sheet this browser has opened: with the sheet the first report can be sent."""
    event = event_or_404(slug)
    game = _shown_game(db().get(Game, game_id) if game_id <= LONGEST_ID else None)
    if game is not None and _event_of(game).id != event.id:
        game = None
    if game is not None and access_play.may_report(visitor(), event, game):
        return _by_sheet(event, game)
    held = code_held(session, game_id, now())
    if not held:  # the same for every number, whatever game it has
        if request.method == "POST" and from_outbox():
            return not_yet("signed-out", "Open the code of the sheet again; it is sent then.", 403)
        return render_template("results/code.html", form=CodeForm(), code="", held=False), 404
    if game is None or game.code != held:
        abort(404)
    return _by_sheet(event, game)


def _by_sheet(event: Event, game: Game) -> ResponseReturnValue:
    chosen = request.values.get("side", "")
    number = db().get_one(Round, game.round_id).number
    back = url_for("public.round_page", slug=event.slug, number=number)
    submission = submission_from(f"sheet {game.code} {chosen[:1]}")
    reporter = Reporter(event, submission, "the paper sheet", back, f"sheet-{chosen[:1]}", FROM_SHEET)
    if access_play.may_report(visitor(), event, game):
        own = redirect(url_for("results.mine", slug=event.slug))
        return own if request.method == "GET" else late(reporter, "Your own page has the form for you.", own)
    if not access_play.may_report_from_sheet(event, game):
        told = "A result was reported already. Your private link lets you confirm it."
        context = game_context(event, game)
        waits = reported(event, game, context["scenario"]) if game.state == GameState.REPORTED else {"waiting": ""}
        page = render_template("results/sheet_done.html", **waits, **context)
        return late(reporter, told, (page, 403)) if request.method == "POST" else page
    if chosen not in SIDES:
        if request.method == "POST" and from_outbox():
            return refused("This form says of neither side whose it is. Open the code of the sheet again.", 422)
        return render_template("results/which_side.html", **game_context(event, game))
    at = game_at_hand(db(), game.id)
    return report_on(reporter, at, ReportSide(chosen)) if at is not None else late(reporter, NOT_NOW)


def _exchanged(game: Game) -> ResponseReturnValue:
    """Remember the sheet, and lead to where nothing tells its code; a player of the game needs no sheet."""
    event = _event_of(game)
    if access_play.may_report(visitor(), event, game):
        return redirect(url_for("results.mine", slug=event.slug))
    session.permanent = True
    session[COOKIE] = with_sheet(session, game, now())
    chosen = request.args.get("side")
    side = chosen if chosen in SIDES else None
    return redirect(url_for("sheets.report", slug=event.slug, game_id=game.id, side=side))


def _shown_game(game: Game | None) -> Game | None:
    """The game, where the visitor may see the round that it is of."""
    if game is None:
        return None
    return game if access_play.may_see_round(visitor(), _event_of(game), db().get_one(Round, game.round_id)) else None


def _event_of(game: Game) -> Event:
    return db().get_one(Event, db().get_one(Round, game.round_id).event_id)
