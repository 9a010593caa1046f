"""Results: a game's form, made from its scenario's questions, for its players, the paper sheet and the desk."""

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import select
from wtforms import BooleanField, HiddenField, RadioField, SelectField
from wtforms.fields import SelectChoice

from events import access
from events.actions import results
from events.actions.results import Doubtful
from events.errors import Refused, Stale
from events.reading import current_round, player_of, round_views, scenario_of, system_of
from events.views.fields import number, show_at_field
from events.views.request import (
    LONGEST_ID,
    actor,
    changing,
    db,
    event_or_404,
    managed_event,
    now,
    own_player_or_403,
    visitor,
)
from models.event import Event, Round, RoundState
from models.play import Game, GameState, Player, ReportSide
from validators.contract import Question, Scenario

blueprint = Blueprint("results", __name__)

FEW = 5
"""Up to this figure a number is picked from buttons, one tap each; above, it is typed."""


@blueprint.route("/e/<slug>/me/game", methods=["GET", "POST"])
def mine(slug: str) -> ResponseReturnValue:
    """A player's report of the current game, or the answer to the opponent's."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    view = current_round(round_views(db(), event))
    game = next((g for g in view.games if player.id in (g.a_id, g.b_id)), None) if view else None
    if game is None or not access.may_report(visitor(), event, game):
        return redirect(url_for("registration.today", slug=slug))
    side = ReportSide.A if player.id == game.a_id else ReportSide.B
    return _report(event, game, side, url_for("registration.today", slug=slug), may_agree=True)


@blueprint.get("/g")
def code_entry() -> ResponseReturnValue:
    """Where the code from a paper sheet is typed."""
    code = request.args.get("code", "").strip().upper().replace(" ", "").replace("-", "")
    known = code and db().exec(select(Game).where(Game.code == code[:20])).first() is not None
    if known:
        return redirect(url_for("results.from_sheet", code=code))
    return render_template("results/code.html", code=code), 404 if code else 200


@blueprint.route("/g/<code>", methods=["GET", "POST"])
def from_sheet(code: str) -> ResponseReturnValue:
    """The form behind the code on a paper sheet: whoever holds the sheet may send the first report."""
    game = db().exec(select(Game).where(Game.code == code.strip().upper())).first()
    if game is None:
        abort(404)
    the_round = db().get_one(Round, game.round_id)
    event = event_or_404(db().get_one(Event, the_round.event_id).slug)
    if not access.may_see_round(visitor(), event, the_round):
        abort(404)
    if access.may_report(visitor(), event, game):
        return redirect(url_for("results.mine", slug=event.slug))
    if not access.may_report_from_sheet(event, game):
        return render_template("results/sheet_done.html", **_context(event, game)), 403 if request.form else 200
    chosen = request.values.get("side", "")
    if chosen not in ("a", "b"):
        return render_template("results/which_side.html", code=game.code, **_context(event, game))
    back = url_for("public.round_page", slug=event.slug, number=the_round.number)
    return _report(event, game, ReportSide(chosen), back, may_agree=False)


@blueprint.route("/e/<slug>/desk/games/<int:game_id>", methods=["GET", "POST"])
def decide(slug: str, game_id: int) -> ResponseReturnValue:
    """The organiser's word on a game; also the way to correct a confirmed result."""
    event = managed_event(slug)
    game = db().get(Game, game_id) if game_id <= LONGEST_ID else None
    the_round = db().get(Round, game.round_id) if game else None
    if game is None or the_round is None or the_round.event_id != event.id or game.b_id is None:
        abort(404)
    if the_round.state != RoundState.PUBLISHED:
        abort(404)
    back = url_for("rounds.manage", slug=slug, number=the_round.number)
    return _report(event, game, ReportSide.ORGANISER, back, may_agree=True)


def _report(event: Event, game: Game, side: ReportSide, back: str, *, may_agree: bool) -> ResponseReturnValue:
    context = _context(event, game)
    scenario: Scenario = context["scenario"]
    reports = results.latest(db(), game)
    other = {ReportSide.A: ReportSide.B, ReportSide.B: ReportSide.A}.get(side)
    answered = reports.get(other) if other else None
    mine = reports.get(side)
    shown = mine.answers if mine else answered.answers if answered else game.answers
    form = _form(scenario, context["a"], context["b"])(data=(shown or {}) | {"version": str(game.version)})
    doubts: tuple[Any, ...] = ()
    status = 200
    by = "the paper sheet" if not may_agree else actor(event)
    if request.method == "POST" and may_agree and request.form.get("do") == "agree":
        try:
            with changing(event) as s:
                results.agree(s, event, game, side, version=_version(form), by=by, now=now())
        except Stale as stale:
            form.form_errors.append(stale.message)
            status = stale.status
        else:
            flash("Saved: the result is confirmed.", "success")
            return redirect(back)
    elif form.validate_on_submit():
        try:
            with changing(event) as s:
                state = results.report(
                    s, event, game, side, _answers(form, scenario), version=_version(form),
                    sure=form.sure.data, by=by, now=now(),
                )  # fmt: skip
        except Doubtful as doubtful:
            doubts, status = doubtful.doubts, 422
            for doubt in doubtful.doubts:
                for key in doubt.keys if doubt.refused else ():
                    form[key].errors = [*form[key].errors, doubt.message]
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
        else:
            flash(_said(state), "success")
            return redirect(back)
    elif form.errors:
        status = 422
    if status == 409:
        # What was typed stays; the next press is made with the game's newest version before the reporter's eyes.
        form.version.data = str(game.version)
        reports = results.latest(db(), game)
        answered = reports.get(other) if other else None
    page = render_template(
        "results/report.html",
        form=form,
        side=side.value,
        doubts=doubts,
        back=back,
        answered=answered,
        may_agree=may_agree,
        reports=reports,
        scores={r.side: system_of(event).score(scenario.id, r.answers) for r in reports.values()},
        **context,
    )
    return page, status


def _context(event: Event, game: Game) -> dict[str, Any]:
    the_round = db().get_one(Round, game.round_id)
    return {
        "game": game,
        "round": the_round,
        "scenario": scenario_of(event, the_round),
        "a": player_of(db(), event, game.a_id),
        "b": player_of(db(), event, game.b_id) if game.b_id else None,
        "event": event,
    }


def _form(scenario: Scenario, a: Player, b: Player) -> type[FlaskForm]:
    """A form class with one field per question, named by the question's key."""
    names = {"a": a.name, "b": b.name}
    fields: dict[str, Any] = {"version": HiddenField(), "sure": BooleanField("Yes, that is right")}
    for question in scenario.questions:
        if question.kind == "choice" or question.most > 0:
            fields[question.key] = _field(question, names[question.side])
    return type("ReportForm", (FlaskForm,), fields)


def _field(question: Question, name: str) -> Any:
    label = f"{name}: {question.label}"
    if question.kind == "choice":
        options = [SelectChoice("", "Not noted"), *map(SelectChoice, question.choices)]
        return SelectField(label, choices=options, validate_choice=False, description=question.help)
    if question.most <= FEW:
        choices = [SelectChoice(str(figure)) for figure in range(question.least, question.most + 1)]
        # An impossible figure goes on to the scenario's own check, which says why it is impossible.
        return RadioField(label, choices=choices, coerce=int, default=0, validate_choice=False)
    return number(label, question.least, question.most, default=0, description=question.help)


def _answers(form: FlaskForm, scenario: Scenario) -> dict[str, int | str]:
    given = {q.key: form[q.key].data for q in scenario.questions if q.key in form}
    return {key: value for key, value in given.items() if value not in (None, "")}


def _version(form: FlaskForm) -> int:
    """The version that the form was made with; a tampered one counts as an old one."""
    raw = form.version.data or ""
    return int(raw) if raw.isdecimal() and len(raw) < 10 else -1


def _said(state: GameState) -> str:
    return {
        GameState.REPORTED: "Saved. Now your opponent confirms it on their own page.",
        GameState.CONFIRMED: "Saved: the result is confirmed.",
        GameState.DISPUTED: "Saved. The two reports differ: the organiser sees both and decides.",
        GameState.OPEN: "Saved.",
    }[state]
