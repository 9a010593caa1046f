"""Results: a game's form, made from its scenario's questions, for its players and from the paper sheet.

The desk's page of a game is in ``game_desk``.
"""

from collections.abc import Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import select

from events import access
from events.actions import results
from events.actions.results import Doubtful
from events.errors import Refused, Stale
from events.outcomes import ended, score
from events.reading import current_round, round_views
from events.views.fields import show_at_field
from events.views.game_parts import AGREES, game_context, own_and_other, show_doubts, tallies_of
from events.views.report_form import answers_in, count_field, miscounted, report_form, version_in
from events.views.request import actor, changing, db, event_or_404, now, own_player_or_403, visitor
from models.event import Event, Round
from models.play import Game, GameState, ReportSide
from validators.scenario import Doubt, Scenario, Tally

blueprint = Blueprint("results", __name__)


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
        return render_template("results/sheet_done.html", **game_context(event, game)), 403 if request.form else 200
    chosen = request.values.get("side", "")
    if chosen not in ("a", "b"):
        return render_template("results/which_side.html", code=game.code, **game_context(event, game))
    back = url_for("public.round_page", slug=event.slug, number=the_round.number)
    return _report(event, game, ReportSide(chosen), back, may_agree=False)


def _report(event: Event, game: Game, side: ReportSide, back: str, *, may_agree: bool) -> ResponseReturnValue:
    """The page of one side of a game, whichever door it was reached by."""
    context = game_context(event, game)
    mine, theirs = own_and_other(game, side)
    shown = mine.answers if mine else theirs.answers if theirs else game.answers
    tallies = tallies_of(event, game, context["scenario"])
    known = {tally.question: tally.known for tally in tallies if tally.known is not None}
    form = report_form(context["scenario"], context["a"], context["b"], tallies)(
        data=known | (shown or {}) | {"version": str(game.version)}
    )
    doubts: tuple[Doubt, ...] = ()
    status = 200
    if request.method == "POST":
        by = actor(event) if may_agree else "the paper sheet"
        try:
            taken = _take(event, game, side, form, context["scenario"], tallies, by, may_agree=may_agree)
        except Doubtful as doubtful:
            doubts, status = doubtful.doubts, doubtful.status
            show_doubts(form, doubts)
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
        else:
            if taken is not None:
                flash(_said(taken), "success")
                return redirect(back)
            status = 422
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
        back=back,
        answered=own_and_other(game, side)[1],
        may_agree=may_agree,
        reports=reports,
        scores={r.side: score(event, context["scenario"], r.answers, ended(r)) for r in reports.values()},
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
) -> GameState | None:
    """Do what was pressed; None where the form itself could not be read."""
    pressed = request.form.get("do", "")
    if may_agree and pressed in AGREES:
        with changing(event) as s:
            return results.agree(s, event, game, side, AGREES[pressed], version=version_in(form), by=by, now=now())
    if not form.validate() or miscounted(form, tallies):
        return None
    answers = answers_in(form, scenario, tallies)
    with changing(event) as s:
        return results.report(
            s, event, game, side, answers, version=version_in(form), sure=form.sure.data, by=by, now=now()
        )


def _said(state: GameState) -> str:
    return {
        GameState.REPORTED: "Saved. Now your opponent confirms it on their own page.",
        GameState.CONFIRMED: "Saved: the result is confirmed.",
        GameState.DISPUTED: "Saved. The two reports differ: the organiser sees both and decides.",
        GameState.OPEN: "Saved.",
    }[state]
