"""Results at the desk: a round's tables, a game to decide or correct, its history; and calls for a judge."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import Session
from werkzeug.datastructures import MultiDict

from events.results import actions, queries
from events.results.actions import Agreement, Claim, Doubtful
from events.results.corrections import Correction, correction, correction_mark, meanwhile
from events.results.disputes import dispute_of
from events.results.forms import (
    count_field,
    decision_form,
    ending_fields,
    ending_in,
    is_complete,
    score_answers_in,
    version_in,
    with_zeros,
)
from events.results.queries import TableRow, TableState, result_versions, table_rows
from events.results.report_page import (
    AGREES,
    OWN_GAME,
    desk_origin,
    game_context,
    names_in_draw,
    reported,
    show_doubts,
    steps_open,
    tallies_of,
    total_of,
)
from events.results.reports import latest
from events.rounds.endings import endings, how_ended
from events.rounds.taking_part import on_drop_of_absent
from events.store.errors import Refused, Stale
from events.store.outcomes import ended, lone_board
from events.store.players import players_by_id
from events.store.roles import roles_answered
from events.tournament.endings import Ending
from events.tournament.scores import Ended, completed
from events.visitors import access
from events.visitors.event_loading import drops_of, view_in, warnings_of
from events.visitors.loading import event_or_404, game_or_404, managed_event, polled, round_or_404, visitor
from events.web.forms import show_at_field
from events.web.parsing import judges_reason
from events.web.request import changing, db, id_sent, saving
from languages.words import N_, gettext, labelled, ngettext
from models.event import Event, EventState, RoundState
from models.play import Game, GameState, Report, ReportSide
from validators.scenario import Answers, Doubt, Scenario, Tally

blueprint = Blueprint("results_desk", __name__)
CONCEDED = (Ending.CONCEDED_A.value, Ending.CONCEDED_B.value)
"""The buttons for a concession, with the figures typed so far."""
TAKES = "take-"
"""The prefix of the buttons that accept a reading of a dispute."""
WHY = N_("Give the reason for the correction: both players read it.")
WHY_DECIDED = N_("Give the reason for the decision: both players read it.")
CONFIRMED = N_("%(place)s: the result is confirmed.")


@blueprint.route("/e/<slug>/desk/games/<int:game_id>", methods=["GET", "POST"])
def decide(slug: str, game_id: int) -> ResponseReturnValue:
    """Decide a game, or preview and store the correction of a confirmed result."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    may_enter = access.may_enter_result(visitor(), event, game)
    if request.method == "POST" and not may_enter:
        abort(403)
    context = game_context(event, game)
    back = _back(event, context["round"].number)
    tallies = tallies_of(event, game, context["scenario"])
    form = _form(game, context, tallies)
    doubts: tuple[Doubt, ...] = ()
    look: Correction | None = None
    status = 200
    corrects = game.state == GameState.CONFIRMED
    if request.form.get("do") == "total":
        readable = is_complete(form, context["scenario"], tallies, disputed=game.state == GameState.DISPUTED)
        typed = _typed(form, context["scenario"], tallies) if readable else None
        return total_of(event, context["scenario"], typed, context["a"], context["b"])
    if request.method == "POST":
        try:
            taken = _take(event, game, form, context, tallies)
        except Doubtful as doubtful:
            doubts, status = doubtful.doubts, doubtful.status
            show_doubts(form, doubts)
        except Refused as refused:
            status = show_at_field(form, refused)
        else:
            if isinstance(taken, GameState):
                text = N_("%(place)s: the correction is stored.") if corrects else CONFIRMED
                flash(gettext(text, place=_place_of(event, game)), "success")
                return redirect(back)
            look = taken
            status = 200 if look and not form.errors else 422
    if status == Stale.status:
        # Keep the typed figures, but send the game's newest version with the next submission.
        form.version.data = str(game.version)
    page = render_template(
        "results/desk_game.html",
        how=how_ended(event, game),
        on_drop=on_drop_of_absent(event, game),
        may_enter=may_enter and event.state != EventState.FINISHED,
        own_game=access.leaves_to_others(visitor(), event, game),
        own_game_words=OWN_GAME,
        name_warnings=warnings_of(event),
        form=form,
        tallies={s: [t for t in tallies if t.question[0] == s and t.counts] for s in ("a", "b")},
        count_field=count_field,
        doubts=doubts,
        look=look,
        behind=steps_open(event, game),
        why_not_opened=queries.why_not_opened(db(), event, game),
        names=names_in_draw(event) if look else {},
        back=back,
        stored=lone_board(event, context["round"].number, context["scenario"], game).score,
        **reported(event, game, context["scenario"]),
        dispute=None if look else dispute_of(db(), event, game, context["scenario"], context["a"], context["b"]),
        meanwhile=(
            meanwhile(db(), event, game, context, _typed(form, context["scenario"], tallies))
            if status == Stale.status
            else None
        ),
        **context,
    )
    return page, status


def _back(event: Event, number: int) -> str:
    """The page with the link to a game of this round: the round's results, the season's games, or the round."""
    if request.args.get("from") == "results":
        return url_for("results_desk.results_page", slug=event.slug, number=number)
    if request.args.get("from") == "season" and event.season:
        return url_for("leagues.manage_season", slug=event.slug)
    return url_for("rounds.manage_round", slug=event.slug, number=number)


def _form(game: Game, context: dict[str, Any], tallies: tuple[Tally, ...]) -> FlaskForm:
    scenario: Scenario = context["scenario"]
    counts = {tally.question: tally.known for tally in tallies if tally.known is not None}
    reports = latest(db(), game)
    decided = reports.get(ReportSide.ORGANISER)
    stored = decided.answers if decided else game.answers
    stands = with_zeros(scenario, stored) if stored else _agreed(game, reports)
    how = ended(decided) if decided else ended(game)
    form = decision_form(scenario, context["a"], context["b"], tallies)(
        _sent(scenario),
        data=roles_answered(scenario, game) | counts | stands | ending_fields(how, "") | {"version": str(game.version)},
    )
    form.reason.flags.required = game.state in (GameState.DISPUTED, GameState.CONFIRMED)
    form.reason.flags.optional = not form.reason.flags.required
    return form


def _place_of(event: Event, game: Game) -> str:
    """The table of a game; in a season, without tables, its players."""
    if event.season is None:
        return gettext("Table %(table)s", table=game.table_number)
    people = players_by_id(event)
    a, b = (people[id_].name if id_ else "" for id_ in (game.a_id, game.b_id))
    return gettext("%(a)s against %(b)s", a=a, b=b)


def _filled(claim: Claim, scenario: Scenario) -> dict[str, Any]:
    shown = {"version": str(claim.version), "sure": claim.sure}
    return with_zeros(scenario, claim.answers) | ending_fields(claim.how, claim.origin.reason) | shown


def _agreed(game: Game, reports: Mapping[str, Report]) -> dict[str, int | str | None]:
    """The answers that both reports of a dispute agree on; None for the disputed ones."""
    a, b = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if game.state != GameState.DISPUTED or a is None or b is None:
        return {}
    return {key: value if b.answers.get(key) == value else None for key, value in a.answers.items()}


def _sent(scenario: Scenario) -> MultiDict[str, str] | None:
    """The submitted fields; on a typed sheet, empty boxes count as 0. A button of an ending is that ending."""
    if request.method != "POST":
        return None
    sent = MultiDict(request.form)
    if sent.get("do") in CONCEDED:
        sent["ending"] = sent["do"]
    if sent.get("paper") == "1" and scenario.detail == "full":
        for question in scenario.questions:
            if question.kind != "choice" and not sent.get(question.key, "").strip():
                sent[question.key] = "0"
    return sent


def _take(
    event: Event, game: Game, form: FlaskForm, context: dict[str, Any], tallies: Sequence[Tally]
) -> GameState | Correction | None:
    """Do what the submitted button asks for; None if the form is invalid.

    A correction, or a decision that can change published awards, is stored only if its preview was submitted with a
    reason; otherwise it is returned for the preview.
    """
    side, pressed = ReportSide.ORGANISER, request.form.get("do", "")
    version = version_in(form)

    def reading(s: Session) -> Claim:
        people = (context["a"], context["b"])
        return actions.reading_of(s, event, game, pressed.removeprefix(TAKES), people, origin, version)

    if pressed in AGREES or pressed.startswith(TAKES):
        if not form.reason.validate(form):
            return None
        origin = desk_origin(event, game, form.reason.data)
        if pressed.startswith(TAKES) and queries.changes_published(db(), event, game):
            form.process(data=_filled(reading(db()), context["scenario"]))
            return correction(db(), event, game, *_typed(form, context["scenario"], tallies))
        with changing(event) as act:
            if pressed.startswith(TAKES):
                return actions.report(act, game, reading(act.s))
            agreed = Agreement(side, AGREES[pressed], version, origin=origin)
            return actions.agree(act, game, agreed)
    if not is_complete(form, context["scenario"], tallies, disputed=game.state == GameState.DISPUTED):
        return None
    answers, how = _typed(form, context["scenario"], tallies)
    origin = desk_origin(event, game, form.reason.data)
    claim = Claim(side, answers, version, form.sure.data, how, origin)
    if not origin.reason and (game.state == GameState.DISPUTED or how.how == Ending.DECIDED):
        raise Refused(gettext(WHY_DECIDED), "reason")
    if actions.corrects(game, answers, how) or queries.changes_published(db(), event, game):
        actions.check(db(), event, actions.current(db(), game), claim)
        looked = request.form.get("seen") == correction_mark(game, answers, how)
        if looked and not origin.reason:
            form.reason.errors = [gettext(WHY)]
        if not looked or not origin.reason:
            return correction(db(), event, game, answers, how)
    with changing(event) as act:
        return actions.report(act, game, claim)


def _typed(form: FlaskForm, scenario: Scenario, tallies: Sequence[Tally]) -> tuple[Answers, Ended]:
    """The form's answers and ending; a game that was not played has no answers."""
    how = ending_in(form)
    given = with_zeros(scenario, score_answers_in(form, scenario, tallies))
    return {} if how.how == Ending.NOT_PLAYED else completed(scenario, given, how), how


blueprint.add_app_template_global(access.may_see_versions, "may_see_versions")
blueprint.add_app_template_global(access.may_enter_result, "may_enter_result")
blueprint.add_app_template_global(access.leaves_to_others, "leaves_to_others")


@blueprint.get("/e/<slug>/games/<int:game_id>")
def history(slug: str, game_id: int) -> ResponseReturnValue:
    event = event_or_404(slug)
    game = game_or_404(event, game_id)
    if not access.may_see_versions(visitor(), event, game):
        abort(403)
    context = game_context(event, game)
    names = {"a": context["a"].name, "b": context["b"].name}
    return render_template(
        "results/game.html",
        how=how_ended(event, game),
        versions=result_versions(db(), event, game, context["scenario"], names),
        **context,
    )


UNDECIDED = (TableState.PLAYING, TableState.ONE_SIDE, TableState.DISPUTED)
FILTERS = {
    "playing": (N_("Open"), (TableState.PLAYING,)),
    "one-side": (N_("Waiting for confirmation"), (TableState.ONE_SIDE,)),
    "disputed": (N_("Disputed"), (TableState.DISPUTED,)),
    "confirmed": (N_("Confirmed"), (TableState.CONFIRMED, TableState.NOT_PLAYED)),
}


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/results")
def results_page(slug: str, number: int) -> ResponseReturnValue:
    """All tables of a round; ``?show=`` filters by state."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if the_round.state != RoundState.PUBLISHED:
        return redirect(url_for("rounds.manage_round", slug=slug, number=number))
    view = view_in(event, the_round)
    rows = table_rows(db(), view)
    count = Counter(row.state for row in rows)
    show, people = request.args.get("show", ""), players_by_id(event)
    wanted = FILTERS[show][1] if show in FILTERS else tuple(TableState)
    page = render_template(
        "results/results.html",
        endings=endings(event, [row.game for row in rows if row.state in wanted and row.state not in UNDECIDED]),
        view=view,
        round=the_round,
        rounds=[summary for summary in event.schedule if summary.state == RoundState.PUBLISHED],
        rows=[row for row in rows if row.state in wanted],
        filters=[(key, gettext(label), sum(count[kind] for kind in kinds)) for key, (label, kinds) in FILTERS.items()],
        show=show if show in FILTERS else "",
        tables=len(rows),
        people=people,
        drops=drops_of(event, list(people.values())),
        waiting=_waiting(event, rows),
    )
    return polled(page, event)


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/confirm")
def confirm_reported(slug: str, number: int) -> ResponseReturnValue:
    """Confirm reports that the page showed as waiting, each on its own; those that changed since are named."""
    event = managed_event(slug)
    rows = _waiting(event, table_rows(db(), view_in(event, round_or_404(event, number))))
    shown = {f"{row.game.id}.{row.game.version}": (row.game, row.game.version, row.waiting) for row in rows}
    sent, done = [*dict.fromkeys(request.form.getlist("waiting"))], 0
    stale = any(text not in shown for text in sent)
    for game, version, other in (shown[text] for text in sent if text in shown):
        agreed = Agreement(ReportSide.ORGANISER, other, version, origin=desk_origin(event, game))
        try:
            with changing(event) as act:
                actions.agree(act, game, agreed)
            done += 1
        except Stale:
            stale = True
        except Refused as refused:
            flash(labelled(_place_of(event, game), refused.message), "error")
    if stale:
        flash(gettext("A report changed or was confirmed in the meantime; it is left as it is."), "error")
    if done:
        flash(ngettext("%(num)s result confirmed.", "%(num)s results confirmed.", done), "success")
    show = request.form.get("show") if request.form.get("show") in FILTERS else None
    return redirect(url_for("results_desk.results_page", slug=slug, number=number, show=show))


def _waiting(event: Event, rows: Sequence[TableRow]) -> list[TableRow]:
    """The tables where one side has reported, and whose report the visitor may confirm."""
    half_reported = (row for row in rows if row.state == TableState.ONE_SIDE and not row.replaced)
    return [row for row in half_reported if access.may_enter_result(visitor(), event, row.game)]


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/open-again")
def open_again(slug: str, game_id: int) -> ResponseReturnValue:
    """Withdraw every report of a game."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    version = id_sent("version")
    with saving(event, gettext("The game waits for new reports.")) as act:
        reason = judges_reason(request.form.get("reason", ""))
        actions.open_again(act, game, version=-1 if version is None else version, reason=reason)
    return redirect(url_for("results_desk.decide", slug=slug, game_id=game_id))
