"""Results: a game's form, made from its scenario's questions, for its players.

From the paper sheet it is opened in ``sheets``; the desk's page of a game is in ``game_desk``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import Session

from events import access_play
from events.actions import results
from events.actions.results import FROM_SHEET, PLAYERS_OWN, Doubtful, Word
from events.errors import Refused, Stale
from events.newest_round import own_game
from events.outcomes import Ended, ended
from events.views.ending_form import ending_field, ending_in, ending_shown
from events.views.fields import show_at_field
from events.views.game_parts import AGREES, game_context, own_and_other, reported, show_doubts, tallies_of
from events.views.press import id_sent
from events.views.report_form import answers_in, count_field, miscounted, report_form, version_in
from events.views.request import actor, db, event_or_404, now, own_player_or_403, visitor
from events.web.idempotency import (
    Result,
    Submission,
    from_outbox,
    new_key,
    not_yet,
    refused,
    run_once,
    saved,
    stored_result,
    submission_from,
)
from models.endings import Ending
from models.event import Event, RoundState
from models.play import Game, GameState, Player, ReportSide
from validators.scenario import Answers, Doubt, Scenario, Tally

blueprint = Blueprint("results", __name__)

NOT_NOW = "Your game is decided already, or not to be reported now."


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
    door = Door(event, submission_from(f"player {player.id}"), actor(event), today, player.id)
    if game is None or not access_play.may_report(visitor(), event, game):
        return late(door, NOT_NOW)
    side = ReportSide.A if player.id == game.a_id else ReportSide.B
    return report_on(door, game, side, may_agree=True)


@dataclass(frozen=True)
class Door:
    """How a form was reached: the event, the submission, the reporter's name in the journal, and the next page."""

    event: Event
    submission: Submission
    by: str
    back: str
    reporter: int | str
    """Who opened the form, so that it is never sent as somebody else's."""


def _own_game(event: Event, player: Player) -> Game | None:
    """The game that the form was made for, while it is this player's; else the current one."""
    sent = id_sent("game")
    if sent is not None:
        game = db().get(Game, sent)
        return game if game is not None and player.id in (game.a_id, game.b_id) else None
    return own_game(db(), event, player)


def late(door: Door, said: str, page: ResponseReturnValue | None = None) -> ResponseReturnValue:
    """The answer where nothing can be reported any more: this very submission may be why.

    ``page`` is shown to whoever has no outbox; without one they are sent back.
    """
    if request.method == "GET":
        return redirect(door.back)
    try:
        stored = stored_result(db(), door.event, door.submission)
    except Refused as other:
        stored, said = None, other.message
    if stored is not None:
        return saved(stored.message, door.back)
    if from_outbox():
        return refused(said, Stale.status)
    return page or _turned_away(said, door.back)


def _turned_away(said: str, back: str) -> ResponseReturnValue:
    flash(f"Not stored: {said}", "error")
    return redirect(back)


def report_on(door: Door, game: Game, side: ReportSide, *, may_agree: bool) -> ResponseReturnValue:
    """The page of one side of a game, whichever door it was reached by."""
    event, context = door.event, game_context(door.event, game)
    if context["round"].state != RoundState.PUBLISHED:  # it was taken back since the form was opened
        return late(door, NOT_NOW)
    tallies = tallies_of(event, game, context["scenario"])
    a, b = context["a"], context["b"]
    form_class = report_form(context["scenario"], a, b, tallies, ending=ending_field(a, b, side if may_agree else None))
    says_all = request.method == "POST" and request.form.get("do") not in AGREES
    filled = {} if says_all else _filled(game, side, tallies)
    form = form_class(data=filled | {"version": str(game.version)})
    doubts: tuple[Doubt, ...] = ()
    status, said = 200, ""
    word = PLAYERS_OWN if may_agree else FROM_SHEET
    if request.method == "POST":
        try:
            if from_outbox() and request.form.get("do") == "check":
                return _checked(event, game, side, form, context["scenario"], tallies, word)
            told = _take(door, game, side, form, context["scenario"], tallies, word)
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
    answered = own_and_other(game, side)[1]
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
        answered=answered,
        agrees="" if answered is None else f"agree-{results.source_of(answered)}",
        shown="" if answered is None else results.digest_of(answered),
        may_agree=may_agree,
        **reported(event, game, context["scenario"]),
        **context,
    )
    return refused(said, status, page) if from_outbox() and request.method == "POST" else (page, status)


def _filled(game: Game, side: ReportSide, tallies: Sequence[Tally]) -> dict[str, object]:
    """What stands in a form that is opened: what the forces tell, and over it what was reported, by this side first."""
    mine, theirs = own_and_other(game, side)
    shown = mine or theirs
    known = {tally.question: tally.known for tally in tallies if tally.known is not None}
    return known | (shown.answers if shown else game.answers or {}) | ending_shown(ended(shown or game))


def _checked(
    event: Event,
    game: Game,
    side: ReportSide,
    form: FlaskForm,
    scenario: Scenario,
    tallies: Sequence[Tally],
    word: Word,
) -> ResponseReturnValue:
    """What would be wrong or odd about the figures as they are typed; nothing is stored."""
    found: list[dict[str, object]] = []
    if not form.validate() or miscounted(form, tallies):
        found = [{"keys": [key], "said": " ".join(words), "refused": True} for key, words in form.errors.items()]
    else:
        answers, how = _told(form, scenario, tallies)
        try:
            version = version_in(form)
            results.judged(db(), event, game, side, answers, version=version, sure=False, how=how, word=word)
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
    word: Word,
) -> str | None:
    """Do what was pressed, once; what to say of it. None where the form itself cannot be read, and never was."""
    event, version, by = door.event, version_in(form), door.by
    pressed = request.form.get("do", "")
    if pressed in AGREES and not word.by_sheet:
        other, shown = AGREES[pressed], request.form.get("shown", "")
        return run_once(
            event, door.submission,
            lambda s: Result(
                SAID[results.agree(s, event, game, side, other, version=version, by=by, now=now(), shown=shown)]
            ),
        ).message  # fmt: skip
    if not form.validate() or miscounted(form, tallies):
        stored = stored_result(db(), event, door.submission)  # it may have been right when it was sent first
        return stored.message if stored is not None else None
    answers, how = _told(form, scenario, tallies)
    sure = form.sure.data

    def report(s: Session) -> Result:
        state = results.report(
            s, event, game, side, answers, version=version, sure=sure, by=by, now=now(), how=how, word=word
        )
        return Result(SAID_OF_SHEET if word.by_sheet else SAID[state])

    return run_once(event, door.submission, report).message


SAID = {
    GameState.REPORTED: "Saved. Now your opponent confirms it on their own page.",
    GameState.CONFIRMED: "Saved: the result is confirmed.",
    GameState.DISPUTED: "Saved. The two reports differ: the organiser sees both and decides.",
    GameState.OPEN: "Saved.",
}
"""The answer to a player's report, by the game's state after it."""
SAID_OF_SHEET = "Saved. Both players confirm it on their own pages, or the desk does."
