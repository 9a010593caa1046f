"""Results from paper: typed at the keyboard, or reported with a sheet's code."""

from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.exceptions import TooManyRequests

from events.accounts import limits
from events.accounts.browser import client_of_request
from events.accounts.limits import CODES
from events.results import sheets
from events.results.actions import FROM_SHEET, Claim, Doubtful
from events.results.forms import (
    CodeForm,
    ending_in,
    ending_shown,
    paper_order,
    printed_label,
    score_answers_in,
    sheet_form,
    version_in,
)
from events.results.queries import TableState, table_rows
from events.results.report_page import (
    NOT_NOW,
    OWN_GAME,
    Reporter,
    desk_origin,
    game_context,
    late,
    report_on,
    reported,
    show_doubts,
    total_of,
)
from events.results.sheets import COOKIE, code_from_cookie, find_sheet, game_with_code, with_sheet
from events.rounds.endings import endings_in, how_ended
from events.store.editions import system_of
from events.store.errors import Refused, Stale
from events.store.games import game_with_reports
from events.store.outcomes import ended, ending_words
from events.store.players import players_by_id
from events.store.roles import roles_answered
from events.store.rounds import round_view
from events.tournament.scores import Ended, completed
from events.tournament.scores import score as score_by
from events.visitors import access
from events.visitors.event_loading import warnings_of
from events.visitors.loading import event_or_404, game_or_404, managed_event, round_or_404, visitor
from events.web.forms import show_at_field
from events.web.idempotency import from_outbox, refused, retry_response, submission_from
from events.web.parsing import code_typed
from events.web.request import changing, changing_club, db, id_sent, now
from languages.words import N_, gettext
from models.event import Event, Round, RoundState
from models.play import Game, GameState, ReportSide
from validators.scenario import Answers, Doubt, Scenario

blueprint = Blueprint("sheet", __name__)


@dataclass
class Pass:
    """The state of one page of the entry."""

    typed: str = ""
    """The typed table or code."""
    wrong: str = ""
    """The error about the typed table or code."""
    game: Game | None = None
    form: FlaskForm | None = None
    """The form of the sheet; None if the sheet cannot be typed now."""
    prefilled: bool = False
    """Whether the form holds the figures of a received report."""
    why_not: str = ""
    doubts: tuple[Doubt, ...] = ()
    status: int = 200
    shown: dict[str, Any] = field(default_factory=dict)


@blueprint.route("/e/<slug>/desk/rounds/<int:number>/entry", methods=["GET", "POST"])
def enter_sheet(slug: str, number: int) -> ResponseReturnValue:
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if the_round.state != RoundState.PUBLISHED:
        return redirect(url_for("rounds.manage_round", slug=slug, number=number))
    state = Pass()
    if request.method == "POST":
        state.game = game_or_404(event, id_sent("game") or 0)
        if access.leaves_to_others(visitor(), event, state.game):
            abort(403)
        if request.form.get("do") == "total":
            return _total(event, state.game)
        done = _take(event, state)
        if done:
            flash(done, "success")
            return redirect(url_for("sheet.enter_sheet", slug=slug, number=number))
    elif "table" in request.args:
        state.typed = request.args["table"][:20]
        other = _find(event, the_round, state)
        if other is not None:
            flash(gettext("This sheet belongs to round %(number)s.", number=other.number), "info")
            return redirect(url_for("sheet.enter_sheet", slug=slug, number=other.number, table=state.typed))
    return _page(event, the_round, state), state.status


def _find(event: Event, the_round: Round, state: Pass) -> Round | None:
    """Find the typed sheet. Returns its round if it is of another round."""
    try:
        game, of = find_sheet(db(), event, the_round, state.typed)
    except Refused as refused:
        state.wrong, state.status = refused.message, 404
        return None
    if of.id != the_round.id:
        return of
    state.game = game
    state.why_not = _why_nothing_to_type(event, game)
    if not state.why_not:
        filled: dict[str, Any] = {"version": str(game.version), "game": game.id}
        filled |= roles_answered(sheets.scenario_of(db(), event, game), game)
        if game.state == GameState.REPORTED:
            state.prefilled = True
            filled |= (game.answers or {}) | ending_shown(ended(game))
        state.form = _form(event, game)(None, data=filled)
    return None


def _why_nothing_to_type(event: Event, game: Game) -> str:
    if access.leaves_to_others(visitor(), event, game):
        return gettext(OWN_GAME)
    if game.absent is not None:
        return gettext(sheets.ABSENT)
    return {
        GameState.DISPUTED: gettext(sheets.DISPUTED),
        GameState.CONFIRMED: gettext("This table has a confirmed result."),
    }.get(game.state, "")


def _form(event: Event, game: Game) -> type[FlaskForm]:
    context = game_context(event, game)
    return sheet_form(context["scenario"], context["a"], context["b"])


def _typed(form: FlaskForm, scenario: Scenario) -> tuple[Answers, Ended]:
    how = ending_in(form)
    return completed(scenario, score_answers_in(form, scenario), how), how


def _total(event: Event, game: Game) -> ResponseReturnValue:
    form, context = _form(event, game)(), game_context(event, game)
    typed = _typed(form, context["scenario"]) if form.validate() else None
    return total_of(event, context["scenario"], typed, context["a"], context["b"])


def _take(event: Event, state: Pass) -> str:
    """Store the submitted sheet. Returns a message; "" to show the page again."""
    game = state.game
    assert game is not None  # noqa: S101 - the caller found it
    form = state.form = _form(event, game)()
    context = game_context(event, game)
    scenario = context["scenario"]
    if not form.validate():
        state.status = 422
        return ""
    answers, how = _typed(form, scenario)
    try:
        with changing(event) as act:
            origin = desk_origin(event, game, from_paper=True)
            claim = Claim(ReportSide.ORGANISER, answers, version_in(form), form.sure.data, how, origin)
            sheets.enter_sheet(act, game, claim)
    except Doubtful as doubtful:
        state.doubts, state.status = doubtful.doubts, doubtful.status
        show_doubts(form, doubtful.doubts)
        return ""
    except Refused as refused:
        state.status = show_at_field(form, refused)
        if refused.status == Stale.status:
            # Keep the typed figures, but send the game's newest version with the next submission.
            form.version.data = str(game.version)
        return ""
    score, a, b = score_by(system_of(event), scenario, answers, how), context["a"].name, context["b"].name
    result = f"{a} {score.figures} {b}" if score else gettext("%(a)s, not played, %(b)s", a=a, b=b)
    if score and how.how is not None:
        result += f", {ending_words(how.how, a, b)}"
    elif score and score.decided:  # not as the figures say
        winner = {"a": a, "b": b}.get(score.decided)
        result += ", " + (gettext("%(name)s wins", name=winner) if winner else gettext("a draw"))
    if event.season:
        return gettext("Stored: %(result)s.", result=result)
    return gettext("Table %(table)s stored: %(result)s.", table=game.table_number, result=result)


def _page(event: Event, the_round: Round, state: Pass) -> str:
    view = round_view(event, the_round)
    rows, people = table_rows(db(), view), players_by_id(event)
    game, shown = state.game, {}
    if game is not None:
        shown = game_context(event, game)
        del shown["event"], shown["round"], shown["game"]
        stands = next((row for row in rows if row.game.id == game.id), None)
        shown["stands"] = stands
        shown["sheet"] = paper_order(shown["scenario"])
        shown["printed"] = {
            q.key: printed_label(shown["scenario"], q) for q in shown["scenario"].questions if q.for_enemy
        }
    return render_template(
        "results/sheet_entry.html",
        look=state,
        game=game,
        name_warnings=warnings_of(event) if game else {},
        round=the_round,
        view=view,
        endings=endings_in(event, view) if view.tied else {},
        everybody=people,
        left=[row for row in rows if row.state in (TableState.PLAYING, TableState.ONE_SIDE) and row.game.table_number],
        names={id_: player.name for id_, player in people.items()},
        **shown,
    )


SIDES = ("a", "b")
TOO_MANY = N_("No sheet has this code. Check it: your network has sent too many wrong codes, but a right one works.")


@blueprint.route("/g", methods=["GET", "POST"])
def code_entry() -> ResponseReturnValue:
    form = CodeForm()
    code, status = code_typed(form.code.data or ""), 200
    if request.method == "POST" and code:
        game = _shown_game(game_with_code(db(), code))
        if game is not None:
            return _exchanged(game)
        status = 429 if count_wrong_code() else 404
    page = make_response(
        render_template(
            "results/code.html", form=form, code=code, held=True, too_many=gettext(TOO_MANY) if status == 429 else ""
        ),
        status,
    )
    if status == 429:
        page.headers["Retry-After"] = str(int(CODES.window.total_seconds()))
    return page


@blueprint.route("/g/<code>", methods=["GET", "POST"])
def from_sheet(code: str) -> ResponseReturnValue:
    """The address in a sheet's QR code. The code moves into a cookie, so that it does not stay in the address.

    Also receives forms of older pages and of phones' outboxes.
    """
    game = _shown_game(game_with_code(db(), code))
    if game is None and count_wrong_code():
        raise TooManyRequests(gettext(TOO_MANY), retry_after=int(CODES.window.total_seconds()))
    if game is None:
        abort(404)
    return _exchanged(game) if request.method == "GET" else _by_sheet(event_or_404(_event_of(game).slug), game)


@blueprint.route("/e/<slug>/games/<int:game_id>/report", methods=["GET", "POST"])
def report(slug: str, game_id: int) -> ResponseReturnValue:
    """The form for the first report of a game whose sheet this browser has opened."""
    event = event_or_404(slug)
    game = _shown_game(db().get(Game, game_id))
    if game is not None and _event_of(game).id != event.id:
        game = None
    if game is not None and access.may_report(visitor(), event, game):
        return _by_sheet(event, game)
    held = code_from_cookie(session, game_id, now())
    if not held:  # every id gets the same answer, so that it reveals no game
        if request.method == "POST" and from_outbox():
            return retry_response(
                "signed-out", gettext("Open the code of the sheet again: your report is then sent."), 403
            )
        return render_template("results/code.html", form=CodeForm(), code="", held=False), 404
    if game is None or game.code != held:
        abort(404)
    return _by_sheet(event, game)


def _by_sheet(event: Event, game: Game) -> ResponseReturnValue:
    chosen = request.values.get("side", "")
    number = db().get_one(Round, game.round_id).number
    back = url_for("rounds.round_page", slug=event.slug, number=number)
    submission = submission_from(f"sheet {game.code} {chosen[:1]}")
    reporter = Reporter(event, submission, "the paper sheet", back, f"sheet-{chosen[:1]}", FROM_SHEET)
    if access.may_report(visitor(), event, game):
        own = redirect(url_for("results.report_game", slug=event.slug))
        return own if request.method == "GET" else late(reporter, gettext("Your own page has the form for you."), own)
    if not access.may_report_from_sheet(event, game):
        message = gettext("A result was reported already. Your private link lets you confirm it.")
        context = game_context(event, game)
        waits = reported(event, game, context["scenario"]) if game.state == GameState.REPORTED else {"waiting": ""}
        page = render_template("results/sheet_done.html", how=how_ended(event, game), **waits, **context)
        return late(reporter, message, (page, 403)) if request.method == "POST" else page
    if chosen not in SIDES:
        if request.method == "POST" and from_outbox():
            return refused(gettext("Choose your side: open the code of the sheet again."), 422)
        return render_template("results/which_side.html", **game_context(event, game))
    at = game_with_reports(db(), game.id)
    return report_on(reporter, at, ReportSide(chosen)) if at is not None else late(reporter, gettext(NOT_NOW))


def _exchanged(game: Game) -> ResponseReturnValue:
    """Store the sheet in the cookie and redirect to an address without the code. Players need no sheet."""
    event = _event_of(game)
    if access.may_report(visitor(), event, game):
        return redirect(url_for("results.report_game", slug=event.slug))
    session.permanent = True
    session[COOKIE] = with_sheet(session, game, now())
    chosen = request.args.get("side")
    side = chosen if chosen in SIDES else None
    return redirect(url_for("sheet.report", slug=event.slug, game_id=game.id, side=side))


def _shown_game(game: Game | None) -> Game | None:
    """The game; None if the visitor may not see its round."""
    if game is None:
        return None
    return game if access.may_see_round(visitor(), _event_of(game), db().get_one(Round, game.round_id)) else None


def _event_of(game: Game) -> Event:
    return db().get_one(Event, db().get_one(Round, game.round_id).event_id)


def count_wrong_code() -> bool:
    """Count a wrong sheet code from this address; returns whether the limit was reached.

    Signed-in browsers are not counted. Beyond the limit nothing is written, so a flood cannot delay reports.
    """
    if visitor().account is not None or visitor().players:
        return False
    counts = client_of_request().counts(CODES)
    if limits.reached(db(), counts, now()):
        return True
    with changing_club() as s:
        return limits.count_attempt(s, counts, now()) is not None
