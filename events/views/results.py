"""Results: a game's form, made from its scenario's questions, for its players and from the paper sheet.

The desk's page of a game is in ``game_desk``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import Session

from events import access_play
from events.actions import results
from events.actions.kept_answers import Press
from events.actions.results import Doubtful
from events.errors import Refused, Stale
from events.outcomes import Ended, ended, score
from events.reading import current_round, round_views
from events.sheet_finding import game_with_code
from events.table_numbers import code_typed
from events.views.ending_form import ending_in, ending_shown, with_ending
from events.views.fields import show_at_field
from events.views.game_parts import AGREES, game_context, own_and_other, show_doubts, tallies_of
from events.views.press import id_sent
from events.views.pressed_once import from_outbox, new_key, not_yet, once, press_by, refused, saved, stored_before
from events.views.report_form import answers_in, count_field, miscounted, report_form, version_in
from events.views.request import actor, db, event_or_404, now, own_player_or_403, visitor
from events.views.tries import missed, slow_guessing
from models.endings import Ending
from models.event import Event, Round, RoundState
from models.play import Game, GameState, Player, ReportSide
from validators.scenario import Answers, Doubt, Scenario, Tally

blueprint = Blueprint("results", __name__)


@blueprint.route("/e/<slug>/me/game", methods=["GET", "POST"])
def mine(slug: str) -> ResponseReturnValue:
    """A player's report of the current game, or the answer to the opponent's."""
    event = event_or_404(slug)
    if from_outbox() and visitor().player_in(event) is None:
        return not_yet("signed-out", "Open your private link again; it is sent then.", 403)
    player = own_player_or_403(event)
    today = url_for("registration.today", slug=slug)
    if request.form.get("reporter", str(player.id)) != str(player.id):
        said = "This form is of another player, who used this phone before. Open it anew."
        return not_yet("other", said, 409) if from_outbox() else _turned_away(said, today)
    game = _own_game(event, player)
    door = Door(event, press_by(f"player {player.id}"), actor(event), today, player.id)
    if game is None or not access_play.may_report(visitor(), event, game):
        return _late(door, "Your game is decided already, or not to be reported now.")
    side = ReportSide.A if player.id == game.a_id else ReportSide.B
    return _report(door, game, side, may_agree=True)


@blueprint.get("/g")
def code_entry() -> ResponseReturnValue:
    """Where the code from a paper sheet is typed."""
    code = code_typed(request.args.get("code", ""))
    if code:
        slow_guessing()
    if game_with_code(db(), code) is not None:
        return redirect(url_for("results.from_sheet", code=code))
    if code:
        missed()
    return render_template("results/code.html", code=code), 404 if code else 200


@blueprint.route("/g/<code>", methods=["GET", "POST"])
def from_sheet(code: str) -> ResponseReturnValue:
    """The form behind the code on a paper sheet: whoever holds the sheet may send the first report."""
    slow_guessing()
    game = game_with_code(db(), code)
    if game is None:
        missed()
        abort(404)
    the_round = db().get_one(Round, game.round_id)
    event = event_or_404(db().get_one(Event, the_round.event_id).slug)
    if not access_play.may_see_round(visitor(), event, the_round):
        abort(404)
    chosen = request.values.get("side", "")
    back = url_for("public.round_page", slug=event.slug, number=the_round.number)
    door = Door(event, press_by(f"sheet {game.code} {chosen[:1]}"), "the paper sheet", back, f"{game.code}{chosen[:1]}")
    if access_play.may_report(visitor(), event, game):
        own = redirect(url_for("results.mine", slug=event.slug))
        return own if request.method == "GET" else _late(door, "Your own page has the form for you.", own)
    if not access_play.may_report_from_sheet(event, game):
        told = "A result was reported already. Your private link lets you confirm it."
        page = render_template("results/sheet_done.html", **game_context(event, game))
        return _late(door, told, (page, 403)) if request.method == "POST" else page
    if chosen not in ("a", "b"):
        if request.method == "POST" and from_outbox():
            return refused("This form says of neither side whose it is. Open the code of the sheet again.", 422)
        return render_template("results/which_side.html", code=game.code, **game_context(event, game))
    return _report(door, game, ReportSide(chosen), may_agree=False)


@dataclass(frozen=True)
class Door:
    """How a form was reached: the event, whose press it is, their name in the journal, and where to go from here."""

    event: Event
    press: Press
    by: str
    back: str
    reporter: int | str
    """Who opened the form, so that it is never sent as somebody else's."""


def _own_game(event: Event, player: Player) -> Game | None:
    """The game that the form was made for, while it is this player's; else the current one."""
    sent = id_sent("game")
    if sent is not None:
        game = db().get(Game, sent)
        the_round = db().get(Round, game.round_id) if game else None
        own = game is not None and player.id in (game.a_id, game.b_id)
        return game if own and the_round is not None and the_round.state == RoundState.PUBLISHED else None
    view = current_round(round_views(db(), event))
    return next((g for g in view.games if player.id in (g.a_id, g.b_id)), None) if view else None


def _late(door: Door, said: str, page: ResponseReturnValue | None = None) -> ResponseReturnValue:
    """The answer where nothing can be reported any more: this very press may be why.

    ``page`` is shown to whoever has no outbox; without one they are sent back.
    """
    if request.method == "GET":
        return redirect(door.back)
    try:
        before = stored_before(door.press)
    except Refused as other:
        before, said = None, other.message
    if before is not None:
        return saved(before, door.back)
    if from_outbox():
        return refused(said, Stale.status)
    return page or _turned_away(said, door.back)


def _turned_away(said: str, back: str) -> ResponseReturnValue:
    flash(f"Not stored: {said}", "error")
    return redirect(back)


def _report(door: Door, game: Game, side: ReportSide, *, may_agree: bool) -> ResponseReturnValue:
    """The page of one side of a game, whichever door it was reached by."""
    event, context = door.event, game_context(door.event, game)
    mine, theirs = own_and_other(game, side)
    shown = mine or theirs
    tallies = tallies_of(event, game, context["scenario"])
    known = {tally.question: tally.known for tally in tallies if tally.known is not None}
    form_class = report_form(context["scenario"], context["a"], context["b"], tallies)
    form = with_ending(form_class, context["a"], context["b"], side if may_agree else None)(
        data=known
        | (shown.answers if shown else game.answers or {})
        | {"version": str(game.version)}
        | ending_shown(ended(shown or game))
    )
    doubts: tuple[Doubt, ...] = ()
    status, said = 200, ""
    if request.method == "POST":
        try:
            if from_outbox() and request.form.get("do") == "check":
                return _checked(event, game, side, form, context["scenario"], tallies)
            told = _take(door, game, side, form, context["scenario"], tallies, may_agree=may_agree)
        except Doubtful as doubtful:
            doubts, status, said = doubtful.doubts, doubtful.status, doubtful.message
            show_doubts(form, doubts)
        except Refused as refusal:
            show_at_field(form, refusal)
            status, said = refusal.status, refusal.message
        else:
            if told is not None:
                return saved(told, door.back)
            status, said = 422, "Please look at the figures that are marked."
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
        back=door.back,
        reporter=door.reporter,
        new_key=new_key,
        answered=own_and_other(game, side)[1],
        may_agree=may_agree,
        reports=reports,
        scores={r.side: score(event, context["scenario"], r.answers, ended(r)) for r in reports.values()},
        **context,
    )
    return refused(said, status, page) if from_outbox() and request.method == "POST" else (page, status)


def _checked(
    event: Event, game: Game, side: ReportSide, form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]
) -> ResponseReturnValue:
    """What would be wrong or odd about the figures as they are typed; nothing is stored."""
    found: list[dict[str, object]] = []
    if not form.validate() or miscounted(form, tallies):
        found = [{"keys": [key], "said": " ".join(words), "refused": True} for key, words in form.errors.items()]
    else:
        answers, how = _told(form, scenario, tallies)
        try:
            results.judged(db(), event, game, side, answers, version=version_in(form), sure=False, how=how)
        except Doubtful as doubtful:
            found = [{"keys": list(d.keys), "said": d.message, "refused": d.refused} for d in doubtful.doubts]
    return jsonify(state="checked", key=request.form.get("key", ""), doubts=found)


def _told(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]) -> tuple[Answers, Ended]:
    """What the form says; a game that was not played has no figures, whatever is still typed there."""
    how = ending_in(form)
    return ({} if how.how == Ending.NOT_PLAYED else answers_in(form, scenario, tallies)), how


def _take(
    door: Door,
    game: Game,
    side: ReportSide,
    form: FlaskForm,
    scenario: Scenario,
    tallies: Sequence[Tally],
    *,
    may_agree: bool,
) -> str | None:
    """Do what was pressed, once; what to say of it. None where the form itself could not be read."""
    event, version, by = door.event, version_in(form), door.by
    pressed = request.form.get("do", "")
    if (before := stored_before(door.press)) is not None:
        return before
    if may_agree and pressed in AGREES:
        other = AGREES[pressed]
        return once(
            event, door.press,
            lambda s: SAID[results.agree(s, event, game, side, other, version=version, by=by, now=now())],
        )  # fmt: skip
    if not form.validate() or miscounted(form, tallies):
        return None
    answers, how = _told(form, scenario, tallies)
    sure = form.sure.data

    def report(s: Session) -> str:
        return SAID[
            results.report(s, event, game, side, answers, version=version, sure=sure, by=by, now=now(), how=how)
        ]

    return once(event, door.press, report)


SAID = {
    GameState.REPORTED: "Saved. Now your opponent confirms it on their own page.",
    GameState.CONFIRMED: "Saved: the result is confirmed.",
    GameState.DISPUTED: "Saved. The two reports differ: the organiser sees both and decides.",
    GameState.OPEN: "Saved.",
}
"""What a reporter is told, by where the game stands then."""
