"""Results from paper by the keyboard alone: a table's number, its figures in the sheet's order, the next table.

The second pass types the same sheets again without seeing what is stored. Both work without script: Enter sends a form.
"""

from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events import access
from events.actions import sheets
from events.actions.results import Doubtful
from events.errors import Refused, Stale
from events.outcomes import score as score_by
from events.reading import round_view
from events.results_reading import Standing, TableRow, table_rows
from events.sheet_finding import find_sheet
from events.table_numbers import as_text
from events.views.fields import show_at_field
from events.views.game_parts import OWN_GAME, account_id, desk_word, game_context, show_doubts
from events.views.press import id_sent
from events.views.report_form import answers_in, ending_in, version_in
from events.views.request import actor, changing, db, game_or_404, managed_event, now, round_or_404, visitor
from events.views.sheet_form import paper_order, sheet_form
from models.event import Event, Round, RoundState
from models.play import Game, GameState
from models.sheet_reading import SheetReading
from validators.readings import differing
from validators.scenario import Doubt

blueprint = Blueprint("sheet_entry", __name__)


@dataclass
class Pass:
    """What one look at the page of a pass shows."""

    second: bool
    typed: str = ""
    """The table or code as it was typed."""
    wrong: str = ""
    """What is wrong with it."""
    game: Game | None = None
    form: FlaskForm | None = None
    """The boxes of the sheet; None where there is nothing to type."""
    why_not: str = ""
    doubts: tuple[Doubt, ...] = ()
    reading: SheetReading | None = None
    """A second pass that says otherwise."""
    status: int = 200
    shown: dict[str, Any] = field(default_factory=dict)


@blueprint.route("/e/<slug>/desk/rounds/<int:number>/entry", methods=["GET", "POST"])
def enter(slug: str, number: int) -> ResponseReturnValue:
    """The first pass: what is typed is stored."""
    return _pass(slug, number, second=False)


@blueprint.route("/e/<slug>/desk/rounds/<int:number>/second-pass", methods=["GET", "POST"])
def verify(slug: str, number: int) -> ResponseReturnValue:
    """The second pass: what is typed is held against what is stored."""
    return _pass(slug, number, second=True)


def _pass(slug: str, number: int, *, second: bool) -> ResponseReturnValue:
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if the_round.state != RoundState.PUBLISHED:
        return redirect(url_for("rounds.manage", slug=slug, number=number))
    state = Pass(second)
    if request.method == "POST":
        state.game = game_or_404(event, id_sent("game") or 0)
        if access.leaves_to_others(visitor(), event, state.game):
            abort(403)
        done = _take(event, state)
        if done:
            flash(done, "success")
            return redirect(url_for(request.endpoint or "", slug=slug, number=number))
    elif "table" in request.args:
        state.typed = request.args["table"][:20]
        other = _find(event, the_round, state)
        if other is not None:
            flash(f"This sheet is of round {other.number}.", "info")
            return redirect(url_for(request.endpoint or "", slug=slug, number=other.number, table=state.typed))
    return _page(event, the_round, state), state.status


def _find(event: Event, the_round: Round, state: Pass) -> Round | None:
    """Look the sheet up; gives the round that it is of where that is another one."""
    try:
        found = find_sheet(db(), event, the_round, state.typed)
    except Refused as refused:
        state.wrong, state.status = refused.message, 404
        return None
    if found.round.id != the_round.id:
        return found.round
    state.game = found.game
    state.why_not = _why_nothing_to_type(event, found.game, state)
    if not state.why_not:
        state.form = _form(event, found.game)(None, data={"version": str(found.game.version), "game": found.game.id})
    return None


def _why_nothing_to_type(event: Event, game: Game, state: Pass) -> str:
    if access.leaves_to_others(visitor(), event, game):
        return OWN_GAME
    if state.second:
        return sheets.why_not_verified_by(db(), event, game, account_id())
    if game.absent is not None:
        return sheets.ABSENT
    return {
        GameState.DISPUTED: sheets.DISPUTED,
        GameState.CONFIRMED: "This table has a confirmed result.",
    }.get(game.state, "")


def _form(event: Event, game: Game) -> type[FlaskForm]:
    context = game_context(event, game)
    return sheet_form(context["scenario"], context["a"], context["b"])


def _take(event: Event, state: Pass) -> str:
    """Do what was sent; gives what is said of it, "" where the page is shown again."""
    game = state.game
    assert game is not None  # noqa: S101 - the caller found it
    form = state.form = _form(event, game)()
    context = game_context(event, game)
    scenario = context["scenario"]
    if not form.validate():
        state.status = 422
        return ""
    how = ending_in(form)
    answers = answers_in(form, scenario)
    by = actor(event)
    try:
        with changing(event) as s:
            if state.second:
                state.reading = sheets.verify(
                    s, event, game, answers, by=by, account_id=account_id(), now=now(), how=how
                )
            else:
                version, sure, word = version_in(form), form.sure.data, desk_word(event, game, from_paper=True)
                sheets.enter(s, event, game, answers, version=version, sure=sure, by=by, word=word, now=now(), how=how)
    except Doubtful as doubtful:
        state.doubts, state.status = doubtful.doubts, doubtful.status
        show_doubts(form, doubtful.doubts)
        return ""
    except Refused as refused:
        show_at_field(form, refused)
        state.status = refused.status
        if refused.status == Stale.status:
            # What was typed stays; the next press is made with the newest result before the scorekeeper's eyes.
            form.version.data = str(game.version)
        return ""
    score = score_by(event, scenario, answers, how)
    figures = f" {score.a} : {score.b} " if score else ", not played, "
    result = f"{context['a'].name}{figures}{context['b'].name}"
    if state.reading is not None and not state.reading.agrees:
        return ""
    return f"Table {game.table_number} {'verified' if state.second else 'stored'}: {result}."


def _page(event: Event, the_round: Round, state: Pass) -> str:
    rows = table_rows(db(), event, round_view(db(), event, the_round))
    waiting = [row for row in rows if _waits(row, second=state.second)]
    game, shown = state.game, {}
    if game is not None:
        shown = game_context(event, game)
        del shown["event"], shown["round"], shown["game"]
        stands = next((row for row in rows if row.game.id == game.id), None)
        shown["stands"] = stands
        shown["sheet"] = paper_order(shown["scenario"])
        if state.reading is not None and game.answers is not None:
            shown["differ"] = differing(shown["scenario"], game.answers, state.reading.answers)
    return render_template(
        "desk/sheet_entry.html",
        look=state,
        game=game,
        round=the_round,
        left=as_text(row.game.table_number or 0 for row in waiting).replace("-", "–"),
        left_count=len(waiting),
        done=len(rows) - len(waiting),
        tables=len(rows),
        here=request.endpoint,
        **shown,
    )


def _waits(row: TableRow, *, second: bool) -> bool:
    if second:
        return row.standing in (Standing.CONFIRMED, Standing.DIFFERS)
    return row.standing in (Standing.PLAYING, Standing.ONE_SIDE)
