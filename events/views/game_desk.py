"""The desk's page of one game: what was reported, the word that decides, corrections with a look at all they change."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from events import access
from events.actions import disputes, results
from events.actions.corrections import Correction, correction, mark_of
from events.actions.results import Doubtful
from events.errors import Refused, Stale
from events.outcomes import PLAYED_OUT, Ended, ended, score, score_of
from events.views.decision_form import decision_form, ending_fields
from events.views.fields import show_at_field
from events.views.game_parts import (
    AGREES,
    OWN_GAME,
    desk_word,
    game_context,
    names_in_draw,
    reported,
    show_doubts,
    tallies_of,
)
from events.views.report_form import answers_in, count_field, ending_in, miscounted, version_in
from events.views.request import actor, changing, db, game_or_404, managed_event, now, visitor
from models.endings import Ending
from models.event import Event
from models.play import Game, GameState, Report, ReportSide
from validators.readings import differing
from validators.scenario import Answers, Doubt, Scenario, Tally

TAKES = "take-"
"""How the buttons begin that make a reading of a dispute the result."""
WHY = "Say why it is corrected: both players read it."
WHY_DECIDED = "Say why it is decided so: both players read it."


blueprint = Blueprint("game_desk", __name__)


@blueprint.route("/e/<slug>/desk/games/<int:game_id>", methods=["GET", "POST"])
def decide(slug: str, game_id: int) -> ResponseReturnValue:
    """The organiser's word on a game; also the way to correct a confirmed result."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    may_enter = access.may_enter_result(visitor(), event, game)
    if request.method == "POST" and not may_enter:
        abort(403)
    context = game_context(event, game)
    back = url_for("rounds.manage", slug=slug, number=context["round"].number)
    tallies = tallies_of(event, game, context["scenario"])
    form = _form(game, context, tallies)
    doubts: tuple[Doubt, ...] = ()
    look: Correction | None = None
    status = 200
    if request.method == "POST":
        try:
            taken = _take(event, game, form, context, tallies)
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
            status = 200 if look and not form.errors else 422
    if status == Stale.status:
        # What was typed stays; the next press is made with the game's newest version before the reporter's eyes.
        form.version.data = str(game.version)
    page = render_template(
        "desk/game.html",
        may_enter=may_enter,
        own_game=access.leaves_to_others(visitor(), event, game),
        own_game_words=OWN_GAME,
        form=form,
        tallies={s: [t for t in tallies if t.question[0] == s and t.counts] for s in ("a", "b")},
        count_field=count_field,
        doubts=doubts,
        look=look,
        names=names_in_draw(event) if look else {},
        back=back,
        **reported(event, game, context["scenario"]),
        dispute=disputes.dispute_of(db(), event, game, context["scenario"], context["a"], context["b"]),
        meanwhile=_meanwhile(event, game, form, context, tallies) if status == Stale.status else None,
        **context,
    )
    return page, status


def _form(game: Game, context: dict[str, Any], tallies: tuple[Tally, ...]) -> FlaskForm:
    scenario: Scenario = context["scenario"]
    known = {tally.question: tally.known for tally in tallies if tally.known is not None}
    reports = results.latest(db(), game)
    own = reports.get(ReportSide.ORGANISER)
    stands = (own.answers if own else game.answers) or _agreed(game, reports)
    how = ended(own) if own else ended(game)
    return decision_form(scenario, context["a"], context["b"], tallies)(
        _sent(scenario), data=known | stands | ending_fields(how, "") | {"version": str(game.version)}
    )


def _agreed(game: Game, reports: Mapping[str, Report]) -> dict[str, int | str]:
    """What both sides of a dispute say alike."""
    a, b = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if game.state != GameState.DISPUTED or a is None or b is None:
        return {}
    return {key: value for key, value in a.answers.items() if b.answers.get(key) == value}


def _sent(scenario: Scenario) -> MultiDict[str, str] | None:
    """What was sent; of a sheet that was typed box by box, what was left empty is a 0."""
    if request.method != "POST":
        return None
    sent = MultiDict(request.form)
    if sent.get("paper") == "1":
        for question in scenario.questions:
            if question.kind != "choice" and not sent.get(question.key, "").strip():
                sent[question.key] = "0"
    return sent


def _take(
    event: Event, game: Game, form: FlaskForm, context: dict[str, Any], tallies: Sequence[Tally]
) -> GameState | Correction | None:
    """Do what was pressed; None where the form itself could not be read.

    A correction of a confirmed result is stored when just that was looked at, with a reason; before that it is given
    back.
    """
    side, pressed = ReportSide.ORGANISER, request.form.get("do", "")
    version, by = version_in(form), actor(event)
    if pressed in AGREES or pressed.startswith(TAKES):
        if not form.reason.validate(form):
            return None
        word = desk_word(event, game, form.reason.data)
        with changing(event) as s:
            if pressed in AGREES:
                return results.agree(
                    s, event, game, side, AGREES[pressed], version=version, by=by, now=now(), word=word
                )
            return disputes.take(
                s, event, game, pressed.removeprefix(TAKES),
                people=(context["a"], context["b"]), version=version, by=by, word=word, now=now(),
            )  # fmt: skip
    if not form.validate() or miscounted(form, tallies):
        return None
    answers, how = _typed(form, context["scenario"], tallies)
    sure, word = form.sure.data, desk_word(event, game, form.reason.data)
    if not word.reason and (game.state == GameState.DISPUTED or how.how == Ending.DECIDED):
        raise Refused(WHY_DECIDED, "reason")
    if results.corrects(game, answers, how):
        results.judged(db(), event, game, side, answers, version=version, sure=sure, how=how)
        looked = request.form.get("seen") == mark_of(game, answers, how)
        if looked and not word.reason:
            form.reason.errors = [WHY]
        if not looked or not word.reason:
            return correction(db(), event, game, answers, how)
    with changing(event) as s:
        return results.report(
            s, event, game, side, answers, version=version, sure=sure, by=by, now=now(), how=how, word=word
        )


def _typed(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]) -> tuple[Answers, Ended]:
    """The answers of the form, and how the game ended; one that was not played has no figures."""
    how = ending_in(form)
    return ({} if how.how == Ending.NOT_PLAYED else answers_in(form, scenario, tallies)), how


def _meanwhile(
    event: Event, game: Game, form: FlaskForm, context: dict[str, Any], tallies: Sequence[Tally]
) -> dict[str, Any]:
    """What was stored while the form was being filled in, beside what was typed."""
    scenario, number = context["scenario"], context["round"].number
    typed, how = _typed(form, scenario, tallies)
    stored = game.answers or {}
    return {
        "stored": stored,
        "typed": typed,
        "differ": differing(scenario, stored, typed) if game.answers is not None else [],
        "stands": score_of(event, number, scenario, game),
        "would": score(event, scenario, typed, how or PLAYED_OUT),
        "newest": max(results.latest(db(), game).values(), key=lambda report: report.id, default=None),
    }
