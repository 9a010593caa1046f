"""A report, by a player, a sheet or the desk: who reports, what the page shows, and what is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Response, flash, jsonify, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.results import actions, queries
from events.results.actions import FROM_PLAYER, Claim, Doubtful, Origin
from events.results.forms import (
    count_field,
    ending_field,
    ending_in,
    ending_shown,
    miscounted,
    needs,
    nothing_entered,
    report_form,
    score_answers_in,
    version_in,
    with_zeros,
)
from events.results.reports import SHEET, latest, newest_reports, source_of, waiting
from events.rounds.endings import how_ended
from events.store.act import Act
from events.store.campaign import brought, muster_words
from events.store.editions import edition_of, system_of
from events.store.errors import Refused, Stale
from events.store.games import GameWithReports, game_with_reports, scenario_in
from events.store.outcomes import OwnScore, ended, own_score
from events.store.players import player_of
from events.store.roles import fields_a_part, roles_answered
from events.store.team_queries import seat_id, teams_of
from events.store.verdicts import fielded_of
from events.tournament.endings import Ending
from events.tournament.scores import Ended, completed, score
from events.tournament.season import arranged_in
from events.visitors import access
from events.visitors.event_loading import behind_in, campaign_in_play, players_in
from events.visitors.loading import opposes, visitor
from events.web.forms import show_at_field
from events.web.idempotency import Result, Submission, from_outbox, new_key, refused, run_once, saved, stored_result
from events.web.monitoring import count
from events.web.request import db, now
from languages.words import N_, gettext
from models.event import Event, RoundState
from models.play import FieldedForce, ForceList, Game, GameState, Player, Report, ReportSide
from validators.report_detail import TOTALS, WON
from validators.scenario import Answers, Doubt, Scenario, Side, Tally

OWN_GAME = N_("You play in this game. Report it on your own page; somebody else at the desk confirms it.")
AGREES: dict[str, str] = {"agree-a": ReportSide.A, "agree-b": ReportSide.B, "agree-sheet": SHEET}
"""The buttons that agree to a report, with the source of each report."""


def game_context(event: Event, game: Game) -> dict[str, Any]:
    """The template variables of a game: round, scenario and players."""
    at = game_with_reports(db(), game.id)
    assert at is not None  # noqa: S101 - the game is there
    return context_of(event, at, scenario_in(db(), event, at.round, game))


def context_of(event: Event, at: GameWithReports, scenario: Scenario | None) -> dict[str, Any]:
    """The template variables of a game that is already loaded."""
    return {"game": at.game, "round": at.round, "scenario": scenario, "a": at.a, "b": at.b, "event": event}


def tallies_of(event: Event, game: Game, scenario: Scenario | None) -> tuple[Tally, ...]:
    """The losses to count from the game's forces, as far as the visitor may see the forces."""
    system = system_of(event)
    if system.scoring.tallies is None or scenario is None:
        return ()
    tallies: list[Tally] = []
    chosen = fielded_of(db(), game)
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    for side, player_id in sides:
        player = player_of(db(), event, player_id) if player_id else None
        if player is None:
            continue
        force: ForceList | FieldedForce | None
        if fields_a_part(event, scenario, game):
            force, seen = chosen.get(player.id), access.may_see_fielded(visitor(), player, len(chosen))
        else:
            force, roster = brought(db(), event, player), player.force_list
            submitted = roster is not None and roster.submitted
            seen = access.may_see_force(
                visitor(), player, event, now(), submitted=submitted, opponent=opposes(event, player)
            )
        document = force.document if force else None
        if document is not None and seen and document["edition"] == event.edition:
            tallies += system.scoring.tallies(scenario, side, document, edition_of(event))
    return tuple(tallies)


def steps_open(event: Event, game: Game) -> list[tuple[Player, bool, str]]:
    """The players of an undecided game who are not ready for it: whether steps are open, and why they do not muster."""
    if game.state == GameState.CONFIRMED or (campaign := campaign_in_play(event)) is None:
        return []
    waits, me = behind_in(event), visitor()
    players = [player for player in players_in(event) if player.id in (game.a_id, game.b_id)]
    rows = [
        (player, player.id in waits, muster_words(*campaign, player.id, own=me.is_player(player))) for player in players
    ]
    return [row for row in rows if any(row[1:])]


def names_in_draw(event: Event) -> dict[str, str]:
    """The names of players and teams by draw id."""
    names = {str(player.id): player.name for player in players_in(event)}
    return names | {seat_id(team.id): team.name for team in teams_of(event)}


def show_doubts(form: FlaskForm, doubts: tuple[Doubt, ...]) -> None:
    """Add each blocking doubt as an error to its fields."""
    for doubt in doubts:
        for key in doubt.keys if doubt.refused else ():
            form[key].errors = [*form[key].errors, doubt.message]


def own_and_other(reports: Mapping[str, Report], side: ReportSide) -> tuple[Report | None, Report | None]:
    """This side's newest report, and the report to answer: the opponent's, else the paper sheet's.

    The organiser has none to answer. A player's own report also answers the sheet's.
    """
    own, other = reports.get(side), {ReportSide.A: ReportSide.B, ReportSide.B: ReportSide.A}.get(side)
    return own, (reports.get(other) or (None if own else reports.get(SHEET))) if other else None


def reported(event: Event, game: Game, scenario: Scenario) -> dict[str, Any]:
    """The template variables for a game's reports, by source, and for the waiting report."""
    reports = latest(db(), game)
    waits = waiting(reports)
    return {
        "reports": reports,
        "scores": {source: score(system_of(event), scenario, r.answers, ended(r)) for source, r in reports.items()},
        "waiting": source_of(waits) if waits is not None and game.state == GameState.REPORTED else "",
        "replaced": queries.replaces_sheet(reports),
    }


def desk_origin(event: Event, game: Game, reason: str = "", *, from_paper: bool = False) -> Origin:
    """The origin of a result that the visitor enters at the desk."""
    plays = access.plays_in(visitor(), event, game)
    return Origin(reason, from_paper=from_paper, account_id=account_id(), own_game=plays)


def account_id() -> int:
    """The visitor's account id; desk pages require an account."""
    account = visitor().account
    assert account is not None  # noqa: S101 - managed_event has seen to it
    return account.id


ASKED_LAST = (*TOTALS, WON)
"""Questions without an initial value: leaving one empty is no error while the form is being filled in."""
NOT_NOW = N_("This game is already decided, or cannot be reported now.")


@dataclass(frozen=True)
class Reporter:
    """The reporting player or sheet: its submission, its name in the journal, the next page."""

    event: Event
    submission: Submission
    name: str
    next_page: str
    id: int | str
    """The form's owner, so that a phone never sends it as another player's."""
    origin: Origin = FROM_PLAYER

    @property
    def may_agree(self) -> bool:
        """Whether the reporter can agree to a report; only players with their private link can."""
        return not self.origin.by_sheet


@dataclass(frozen=True)
class ReportEntry:
    reporter: Reporter
    at: GameWithReports
    side: ReportSide
    scenario: Scenario
    tallies: Sequence[Tally]
    form: FlaskForm

    @property
    def is_readable(self) -> bool:
        """Whether every field is valid; adds the errors to the form."""
        return bool(self.form.validate()) and not miscounted(self.form, self.tallies)

    def claim(self, *, sure: bool) -> Claim:
        """The form as a claim; a game that was not played has no figures."""
        how = ending_in(self.form)
        given = score_answers_in(self.form, self.scenario, self.tallies)
        answers = {} if how.how == Ending.NOT_PLAYED else with_zeros(self.scenario, given)
        answers = completed(self.scenario, answers, how)
        return Claim(self.side, answers, version_in(self.form), sure, how, self.reporter.origin)


def late(reporter: Reporter, message: str, page: ResponseReturnValue | None = None) -> ResponseReturnValue:
    """The answer when reporting is closed; this very submission may be stored already.

    ``page`` is shown to browsers without an outbox if the form's game is gone; by default they are redirected.
    """
    if request.method == "GET":
        return redirect(reporter.next_page)
    try:
        stored = stored_result(db(), reporter.event, reporter.submission)
    except Refused as other:
        stored, message = None, other.message
    if stored is not None:
        return saved(gettext(stored.message), reporter.next_page)
    if from_outbox():
        return refused(message, Stale.status, gone=page is not None)
    return page or turned_away(message, reporter.next_page)


def turned_away(message: str, next_page: str) -> ResponseReturnValue:
    """A redirect that says why nothing was stored."""
    flash(gettext("Not stored: %(message)s", message=message), "error")
    return redirect(next_page)


def report_on(reporter: Reporter, at: GameWithReports, side: ReportSide) -> ResponseReturnValue:
    """One side's form for a game: show it, check it while it is filled in, or store it."""
    if at.round.state != RoundState.PUBLISHED:  # the round was unpublished after the form was opened
        return late(reporter, gettext(NOT_NOW))
    entry = _entry(reporter, at, side)
    if request.method == "GET":
        return _page(entry)
    try:
        if from_outbox() and request.form.get("do") == "check":
            return _checked(entry)
        message = _store(entry)
    except Doubtful as doubtful:
        show_doubts(entry.form, doubtful.doubts)
        return _not_stored(entry, doubtful.message, doubtful.status, doubtful.doubts)
    except Refused as refusal:
        show_at_field(entry.form, refusal)
        return _not_stored(entry, refusal.message, refusal.status)
    if message is None:
        return _not_stored(entry, gettext("Check the marked figures."), 422)
    return saved(gettext(message), reporter.next_page)


def _entry(reporter: Reporter, at: GameWithReports, side: ReportSide) -> ReportEntry:
    scenario = scenario_in(db(), reporter.event, at.round, at.game)
    assert scenario is not None and at.b is not None  # noqa: S101 - a published game of two players
    tallies = tallies_of(reporter.event, at.game, scenario) if system_of(reporter.event).scoring.tallies else ()
    own = side if reporter.may_agree else None
    form_class = report_form(scenario, at.a, at.b, tallies, own, ending=ending_field(at.a, at.b, own))
    has_figures = request.method == "POST" and request.form.get("do") not in AGREES
    filled = {} if has_figures else _filled(at, side, scenario, tallies)
    form = form_class(data=roles_answered(scenario, at.game) | filled | {"version": str(at.game.version)})
    return ReportEntry(reporter, at, side, scenario, tallies, form)


def _filled(at: GameWithReports, side: ReportSide, scenario: Scenario, tallies: Sequence[Tally]) -> dict[str, object]:
    """A new form's values: figures known from the forces, then this side's report, else the one that it answers."""
    mine, theirs = own_and_other(newest_reports(at.reports), side)
    shown = mine or theirs or at.game
    counted = {tally.question: tally.known for tally in tallies if tally.known is not None}
    answers = with_zeros(scenario, shown.answers) if shown.answers else {}
    return {**counted, **answers, **ending_shown(ended(shown))}


def _not_stored(entry: ReportEntry, message: str, status: int, doubts: tuple[Doubt, ...] = ()) -> ResponseReturnValue:
    """The form with the typed values, as a page or in the outbox's answer."""
    at = game_with_reports(db(), entry.at.game.id) or entry.at
    if status == Stale.status:
        # Keep the typed figures, but send the game's newest version with the next submission.
        entry.form.version.data = str(at.game.version)
    page = _page(replace(entry, at=at), doubts)
    return refused(message, status, page) if from_outbox() else (page, status)


def _page(entry: ReportEntry, doubts: tuple[Doubt, ...] = ()) -> str:
    event, reporter = entry.reporter.event, entry.reporter
    own, answered = own_and_other(newest_reports(entry.at.reports), entry.side)
    shown = answered or own
    shown_score = score(system_of(event), entry.scenario, shown.answers, ended(shown)) if shown else None
    touched = shown or entry.at.game.answers or entry.form.is_submitted()
    return render_template(
        "results/report.html",
        how=how_ended(event, entry.at.game),
        form=entry.form,
        needs=needs(entry.form, entry.scenario, entry.tallies),
        tallies={s: [t for t in entry.tallies if t.question[0] == s and t.counts] for s in ("a", "b")},
        side=entry.side.value,
        count_field=count_field,
        doubts=doubts,
        behind=steps_open(event, entry.at.game),
        asked={key for doubt in doubts if not doubt.refused for key in doubt.keys},
        typed=_typed(entry) if touched else None,
        shown_score=own_score(shown_score, "a" if entry.side == ReportSide.A else "b"),
        own=own,
        back=reporter.next_page,
        reporter=reporter.id,
        new_key=new_key,
        answered=answered,
        agrees="" if answered is None else f"agree-{source_of(answered)}",
        shown="" if answered is None else queries.digest_of(answered),
        may_agree=reporter.may_agree,
        arranged=arranged_in(entry.at.game.arranged),
        **reported(event, entry.at.game, entry.scenario),
        **context_of(event, entry.at, entry.scenario),
    )


def total_of(event: Event, scenario: Scenario, typed: tuple[Answers, Ended] | None, a: Player, b: Player) -> Response:
    """The result by the figures typed at the desk so far, as JSON: ``figures`` and ``won``. Stores nothing.

    Both are "" if ``typed`` is None, or if the game was not played.
    """
    result = score(system_of(event), scenario, *typed) if typed else None
    if result is None:
        return jsonify(figures="", won="")
    winner = (a if result.outcome == "a" else b).name
    won = gettext("a draw") if result.outcome == "draw" else gettext("%(name)s wins", name=winner)
    return jsonify(figures=result.figures, won=won)


def _checked(entry: ReportEntry) -> ResponseReturnValue:
    """The errors and doubts about the figures typed so far. Stores nothing."""
    entries: list[dict[str, object]] = []
    typed, possible = None, True
    if not entry.is_readable:
        entries = [
            {"keys": [key], "said": " ".join(map(str, words)), "refused": True}
            for key, words in entry.form.errors.items()
        ]
    else:
        claim = entry.claim(sure=False)
        try:
            actions.check(db(), entry.reporter.event, entry.at, claim)
        except Doubtful as doubtful:
            open_still = {key for key in ASKED_LAST if key not in claim.answers}  # shown when the form is submitted
            doubts = [d for d in doubtful.doubts if not d.keys or not open_still.issuperset(d.keys)]
            entries = [{"keys": list(d.keys), "said": d.message, "refused": d.refused} for d in doubts]
            possible = not any(d.refused for d in doubtful.doubts)
        typed = _typed(entry) if possible else None
    result = None
    if typed is not None:
        won = typed.words if typed.known else typed.sentence
        result = {"figures": typed.figures, "won": won}
    return jsonify(state="checked", key=request.form.get("key", ""), doubts=entries, result=result)


def _typed(entry: ReportEntry) -> OwnScore | None:
    """The score by the form's figures, from the reporting side; None if they are invalid or the game was not played."""
    if any(entry.form.errors.values()):
        return None
    claim = entry.claim(sure=False)
    won = score(system_of(entry.reporter.event), entry.scenario, claim.answers, claim.how)
    return own_score(won, "a" if entry.side == ReportSide.A else "b")


def _store(entry: ReportEntry) -> str | None:
    """Store the report or the agreement once, and return the message; None if the form is invalid."""
    event, submission, by = entry.reporter.event, entry.reporter.submission, entry.reporter.name
    game, button = entry.at.game, request.form.get("do", "")
    if button in AGREES and entry.reporter.may_agree:
        shown, version = request.form.get("shown", ""), version_in(entry.form)
        agreed = actions.Agreement(entry.side, AGREES[button], version, shown)

        def agree(act: Act) -> Result:
            return Result(SAID[actions.agree(replace(act, actor=by), game, agreed)])

        return run_once(event, submission, agree).message
    if not entry.is_readable or nothing_entered(entry.form, entry.scenario, entry.tallies):
        stored = stored_result(db(), event, submission)  # it may have been valid at its first submission
        return stored.message if stored is not None else None
    claim = entry.claim(sure=entry.form.sure.data)
    _, theirs = own_and_other(newest_reports(entry.at.reports), entry.side)
    if theirs is not None and claim.equals(theirs) and request.form.get("start") == queries.digest_of(theirs):
        same = gettext("These are %(name)s’s figures, unchanged.", name=entry.at.names[theirs.side == ReportSide.B])
        if theirs.by_sheet:
            same = gettext("These are the sheet’s figures, unchanged.")
        change = gettext("Change what was different, or press “Yes” above.")
        raise Refused(f"{same} {change}")

    def report(act: Act) -> Result:
        state = actions.report(replace(act, actor=by), game, claim)
        return Result(SAID_OF_SHEET if claim.origin.by_sheet else SAID[state])

    message = run_once(event, submission, report).message
    count("reports")
    return message


SAID = {
    GameState.REPORTED: N_("Saved. Now your opponent confirms it on their own page."),
    GameState.CONFIRMED: N_("Saved: the result is confirmed."),
    GameState.DISPUTED: N_("Saved. The two reports differ: talk to your opponent, or the organiser decides."),
    GameState.OPEN: N_("Saved."),
}
"""The message after a player's report, by the game's new state."""
SAID_OF_SHEET = N_("Saved. Both players confirm it on their own pages, or the desk does.")
