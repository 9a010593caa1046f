"""Results: a game's form, made from its scenario's questions, for its players, the paper sheet and the desk."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import select

from events import access
from events.actions import results
from events.actions.corrections import Correction, correction, mark_of
from events.actions.results import Doubtful
from events.errors import Refused, Stale
from events.reading import (
    current_round,
    edition_of,
    fielded_of,
    force_of,
    list_size,
    player_of,
    players_of,
    round_view,
    round_views,
    system_of,
)
from events.team_reading import seat_id, teams_of
from events.views.fields import show_at_field
from events.views.report_form import answers_in, count_field, miscounted, report_form, version_in
from events.views.request import (
    actor,
    changing,
    db,
    event_or_404,
    game_or_404,
    managed_event,
    now,
    own_player_or_403,
    visitor,
)
from models.event import Event, Round
from models.play import FieldedForce, ForceList, Game, GameState, Report, ReportSide
from validators.scenario import Doubt, Scenario, Side, Tally

blueprint = Blueprint("results", __name__)

AGREES = {"agree-a": ReportSide.A, "agree-b": ReportSide.B}
"""The buttons that say yes to a side's report."""


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
    game = game_or_404(event, game_id)
    the_round = db().get_one(Round, game.round_id)
    back = url_for("rounds.manage", slug=slug, number=the_round.number)
    return _report(event, game, ReportSide.ORGANISER, back, may_agree=True)


def _report(event: Event, game: Game, side: ReportSide, back: str, *, may_agree: bool) -> ResponseReturnValue:
    """The page of one side of a game, whichever door it was reached by."""
    context = _context(event, game)
    mine, theirs = _reports(game, side)
    shown = mine.answers if mine else theirs.answers if theirs else game.answers
    tallies = _tallies(event, game, context["scenario"])
    known = {tally.question: tally.known for tally in tallies if tally.known is not None}
    form = report_form(context["scenario"], context["a"], context["b"], tallies)(
        data=known | (shown or {}) | {"version": str(game.version)}
    )
    doubts: tuple[Doubt, ...] = ()
    look: Correction | None = None
    status = 200
    if request.method == "POST":
        by = actor(event) if may_agree else "the paper sheet"
        try:
            taken = _take(event, game, side, form, context["scenario"], tallies, by, may_agree=may_agree)
        except Doubtful as doubtful:
            doubts, status = doubtful.doubts, doubtful.status
            _show_doubts(form, doubts)
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
        else:
            if isinstance(taken, GameState):
                flash(_said(taken), "success")
                return redirect(back)
            look = taken
            status = 200 if look else 422
    if status == Stale.status:
        # What was typed stays; the next press is made with the game's newest version before the reporter's eyes.
        form.version.data = str(game.version)
    reports = results.latest(db(), game)
    page = render_template(
        "results/report.html",
        form=form,
        tallies={s: [t for t in tallies if t.question[0] == s and t.counts] for s in ("a", "b")},
        side=side.value,
        count_field=count_field,
        doubts=doubts,
        look=look,
        names=_names(event) if look else {},
        back=back,
        answered=_reports(game, side)[1],
        may_agree=may_agree,
        reports=reports,
        scores={r.side: system_of(event).score(context["scenario"], r.answers) for r in reports.values()},
        **context,
    )
    return page, status


def _take(
    event: Event,
    game: Game,
    side: ReportSide,
    form: FlaskForm,
    scenario: Scenario,
    tallies: Sequence[Tally],
    by: str,
    *,
    may_agree: bool,
) -> GameState | Correction | None:
    """Do what was pressed; None where the form itself could not be read.

    A correction of a confirmed result is stored when just that was looked at; before that it is given back.
    """
    pressed = request.form.get("do", "")
    if may_agree and pressed in AGREES:
        with changing(event) as s:
            return results.agree(s, event, game, side, AGREES[pressed], version=version_in(form), by=by, now=now())
    if not form.validate() or miscounted(form, tallies):
        return None
    answers = answers_in(form, scenario, tallies)
    version, sure = version_in(form), form.sure.data
    corrects = side == ReportSide.ORGANISER and results.corrects(game, answers)
    if corrects and request.form.get("seen") != mark_of(game, answers):
        results.judged(db(), event, game, side, answers, version=version, sure=sure)
        return correction(db(), event, game, answers)
    with changing(event) as s:
        return results.report(s, event, game, side, answers, version=version, sure=sure, by=by, now=now())


def _show_doubts(form: FlaskForm, doubts: tuple[Doubt, ...]) -> None:
    for doubt in doubts:
        for key in doubt.keys if doubt.refused else ():
            form[key].errors = [*form[key].errors, doubt.message]


def _reports(game: Game, side: ReportSide) -> tuple[Report | None, Report | None]:
    """This side's newest report, and the other player's; the organiser has no other side."""
    reports = results.latest(db(), game)
    other = {ReportSide.A: ReportSide.B, ReportSide.B: ReportSide.A}.get(side)
    return reports.get(side), reports.get(other) if other else None


def _context(event: Event, game: Game) -> dict[str, Any]:
    the_round = db().get_one(Round, game.round_id)
    return {
        "game": game,
        "round": the_round,
        "scenario": round_view(db(), event, the_round).scenario_at(game),
        "a": player_of(db(), event, game.a_id),
        "b": player_of(db(), event, game.b_id) if game.b_id else None,
        "event": event,
    }


def _tallies(event: Event, game: Game, scenario: Scenario | None) -> tuple[Tally, ...]:
    """What the forces of a game say about its figures, of each force that the visitor may see."""
    system = system_of(event)
    if system.tallies is None or scenario is None:
        return ()
    told: list[Tally] = []
    chosen = fielded_of(db(), game)
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    for side, player_id in sides:
        player = player_of(db(), event, player_id) if player_id else None
        if player is None:
            continue
        force: ForceList | FieldedForce | None
        if list_size(event) != event.size:
            force, seen = chosen.get(player.id), access.may_see_fielded(visitor(), player, len(chosen))
        else:
            force, seen = force_of(db(), player), access.may_see_force(visitor(), player, event, now())
        if force is not None and seen and force.document["edition"] == event.edition:
            told += system.tallies(scenario, side, force.document, edition_of(db(), event))
    return tuple(told)


def _names(event: Event) -> dict[str, str]:
    """Every player's name by the id in the draw, and every team's."""
    names = {str(player.id): player.name for player in players_of(db(), event)}
    return names | {seat_id(team.id): team.name for team in teams_of(db(), event)}


def _said(state: GameState) -> str:
    return {
        GameState.REPORTED: "Saved. Now your opponent confirms it on their own page.",
        GameState.CONFIRMED: "Saved: the result is confirmed.",
        GameState.DISPUTED: "Saved. The two reports differ: the organiser sees both and decides.",
        GameState.OPEN: "Saved.",
    }[state]
