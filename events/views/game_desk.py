"""The desk's page of one game: what was reported, the word that decides, corrections with a look at all they change."""

from collections.abc import Sequence

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.actions import results
from events.actions.corrections import Correction, correction, mark_of
from events.actions.results import Doubtful
from events.errors import Refused, Stale
from events.outcomes import ended, score
from events.views.fields import show_at_field
from events.views.game_parts import AGREES, game_context, names_in_draw, show_doubts, tallies_of
from events.views.report_form import answers_in, count_field, miscounted, report_form, version_in
from events.views.request import actor, changing, db, game_or_404, managed_event, now
from events.views.results import blueprint
from models.event import Event
from models.play import Game, GameState, ReportSide
from validators.scenario import Doubt, Scenario, Tally

__all__ = ["blueprint", "decide"]


@blueprint.route("/e/<slug>/desk/games/<int:game_id>", methods=["GET", "POST"])
def decide(slug: str, game_id: int) -> ResponseReturnValue:
    """The organiser's word on a game; also the way to correct a confirmed result."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    context = game_context(event, game)
    back = url_for("rounds.manage", slug=slug, number=context["round"].number)
    reports = results.latest(db(), game)
    own = reports.get(ReportSide.ORGANISER)
    tallies = tallies_of(event, game, context["scenario"])
    known = {tally.question: tally.known for tally in tallies if tally.known is not None}
    stands = (own.answers if own else game.answers) or {}
    form = report_form(context["scenario"], context["a"], context["b"], tallies)(
        data=known | stands | {"version": str(game.version)}
    )
    doubts: tuple[Doubt, ...] = ()
    look: Correction | None = None
    status = 200
    if request.method == "POST":
        try:
            taken = _take(event, game, form, context["scenario"], tallies)
        except Doubtful as doubtful:
            doubts, status = doubtful.doubts, doubtful.status
            show_doubts(form, doubts)
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
        else:
            if isinstance(taken, GameState):
                flash("Saved: the result is confirmed.", "success")
                return redirect(back)
            look = taken
            status = 200 if look else 422
    if status == Stale.status:
        # What was typed stays; the next press is made with the game's newest version before the reporter's eyes.
        form.version.data = str(game.version)
        reports = results.latest(db(), game)
    page = render_template(
        "desk/game.html",
        form=form,
        tallies={s: [t for t in tallies if t.question[0] == s and t.counts] for s in ("a", "b")},
        count_field=count_field,
        doubts=doubts,
        look=look,
        names=names_in_draw(event) if look else {},
        back=back,
        reports=reports,
        scores={r.side: score(event, context["scenario"], r.answers, ended(r)) for r in reports.values()},
        **context,
    )
    return page, status


def _take(
    event: Event, game: Game, form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]
) -> GameState | Correction | None:
    """Do what was pressed; None where the form itself could not be read.

    A correction of a confirmed result is stored when just that was looked at; before that it is given back.
    """
    side, pressed = ReportSide.ORGANISER, request.form.get("do", "")
    if pressed in AGREES:
        with changing(event) as s:
            return results.agree(
                s, event, game, side, AGREES[pressed], version=version_in(form), by=actor(event), now=now()
            )
    if not form.validate() or miscounted(form, tallies):
        return None
    answers = answers_in(form, scenario, tallies)
    version, sure = version_in(form), form.sure.data
    if results.corrects(game, answers) and request.form.get("seen") != mark_of(game, answers):
        results.judged(db(), event, game, side, answers, version=version, sure=sure)
        return correction(db(), event, game, answers)
    with changing(event) as s:
        return results.report(s, event, game, side, answers, version=version, sure=sure, by=actor(event), now=now())
