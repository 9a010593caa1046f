"""Results: reported by one side, confirmed or disputed by the other, decided or reopened by the desk.

A report with the sheet's code belongs to neither side. It waits until both players agree to it with their private
links, or the desk confirms it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import inspect
from sqlmodel import Session

from events.results import calls
from events.results.corrections import Correction, correction
from events.results.disputes import bounds_of, dispute_of, forfeits_asked, groups_in_game
from events.results.no_shows import mark_absent
from events.results.queries import digest_of, figures_differ, why_not_opened
from events.results.reports import SHEET, apply_reports, newest_reports
from events.rounds.formats import check_correction
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused, Stale
from events.store.games import GONE, GameWithReports, game_with_reports, reports_of, scenario_in
from events.store.journal import check_takes_place, note
from events.store.notices import notified_of_report, notify, to_confirm
from events.store.outcomes import ended, result_text, set_ended
from events.store.roles import roles_answered
from events.store.rounds import round_view
from events.tournament.endings import Ending
from events.tournament.scores import PLAYED_OUT, Ended, doubts_about, won_by_ending
from events.tournament.season import arranged_in
from languages.message import Text, message
from languages.words import N_, gettext, language, speaking
from models.db import current_write
from models.dispatch import Occasion
from models.event import Event, EventState, Round, RoundState
from models.play import Game, GameState, Player, Report, ReportSide
from validators.answers import beyond_bounds
from validators.scenario import Answers, Doubt, Scenario


class Doubtful(Refused):
    """Answers that are impossible, or unusual and not confirmed; ``doubts`` are the reasons."""

    def __init__(self, doubts: tuple[Doubt, ...]) -> None:
        super().__init__(" ".join(doubt.message for doubt in doubts))
        self.doubts = doubts


@dataclass(frozen=True)
class Origin:
    """The source of a report, and the desk's reason."""

    reason: str = ""
    """Both players can read it."""
    from_paper: bool = False
    account_id: int | None = None
    by_sheet: bool = False
    """Whether the report was sent with the paper sheet's code, so the sender is unknown."""
    own_game: bool = False
    """Whether a player of this game entered it at the desk. Stored only in the journal."""

    def journal_details(self) -> dict[str, Any]:
        """The non-empty fields, as the journal stores them."""
        kept = {
            "why": self.reason,
            "from_paper": self.from_paper,
            "by_sheet": self.by_sheet,
            "own_game": self.own_game,
        }
        return {key: value for key, value in kept.items() if value}


FROM_PLAYER = Origin()
"""A report by a player's private link: no reason, no account."""
FROM_SHEET = Origin(by_sheet=True)


@dataclass(frozen=True)
class Claim:
    """A report to check: one side's answers, and how the game ended."""

    side: ReportSide
    answers: Answers
    version: int
    """The game's version that the reporter saw."""
    sure: bool = False
    """Whether the reporter confirmed unusual answers."""
    how: Ended = PLAYED_OUT
    """How the game ended."""
    origin: Origin = FROM_PLAYER

    @property
    def source(self) -> str:
        """The side, or SHEET."""
        return SHEET if self.origin.by_sheet else self.side

    def equals(self, report: Report) -> bool:
        """Whether a report has these figures and this ending."""
        return report.answers == dict(self.answers) and ended(report) == self.how


@dataclass(frozen=True)
class Agreement:
    """One side's agreement to the newest report from another source."""

    side: ReportSide
    other: str
    """The report's source: a side, or SHEET."""
    version: int
    """The game's version that was shown."""
    shown: str | None = None
    """The digest of the report shown to the agreeing side; None accepts any report.

    After a restore or a new draw, another report can have the same game id and version.
    """
    origin: Origin = FROM_PLAYER


def current(s: Session, game: Game) -> GameWithReports:
    """The stored game. Raises Stale if it was deleted.

    Its id is read from the session, because taking the event's lock expired the row's values.
    """
    with_reports = game_with_reports(s, inspect(game).identity[0])
    if with_reports is None:
        raise Stale(gettext(GONE))
    return with_reports


def check(s: Session, event: Event, at: GameWithReports, claim: Claim) -> Scenario:
    """Check a claim without storing it, and return the game's scenario.

    A game that was not played has no figures to check. Raises Doubtful, Stale or Refused.
    """
    game, the_round = at.game, at.round
    _check_may_report(event, at, claim)
    scenario = scenario_in(s, event, the_round, game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    _check_ending(claim.side, claim.answers, claim.how)
    if repeats_report(newest_reports(at.reports).get(claim.source), claim) and game.absent is None:
        return scenario  # a repeated submission without a key
    if claim.origin.by_sheet and game.state != GameState.OPEN:
        raise Refused(gettext("A result was reported already. Your private link lets you confirm it."))
    doubts = tuple(replace(doubt, names=at.names) for doubt in _doubts_about(s, event, game, scenario, claim))
    if any(d.refused for d in doubts) or (doubts and not claim.sure):
        raise Doubtful(doubts)
    if game.version != claim.version and not _agrees(at, claim):
        raise Stale(
            gettext("Another report of this game arrived while you were writing. Check it before you send yours.")
        )
    if the_round.bracket:
        check_correction(event, game, claim.answers, claim.how)
    return scenario


def _agrees(at: GameWithReports, claim: Claim) -> bool:
    """Whether a player's report has the same figures as the one that the opponent sent in the meantime."""
    if claim.side == ReportSide.ORGANISER or claim.origin.by_sheet or at.game.absent is not None:
        return False
    theirs = newest_reports(at.reports).get("b" if claim.side == ReportSide.A else "a")
    return theirs is not None and claim.equals(theirs)


def _check_may_report(event: Event, at: GameWithReports, claim: Claim) -> None:
    """Reject byes, unpublished rounds, closed events, and players' reports of confirmed or unaccepted games."""
    game, the_round = at.game, at.round
    if game.b_id is None:
        raise Refused(gettext("A bye has no result to report."))
    if the_round.state != RoundState.PUBLISHED:
        raise Refused(gettext("Round %(the_round)s is not published yet.", the_round=the_round.number))
    check_takes_place(event)
    if event.state == EventState.FINISHED:
        raise Refused(gettext("The event is closed; the organiser can open it again for a correction."))
    if claim.side != ReportSide.ORGANISER and game.state == GameState.CONFIRMED:
        raise Refused(gettext("This result is confirmed. Ask the organiser if it is wrong."))
    if claim.side != ReportSide.ORGANISER and game.state == GameState.OPEN and arranged_in(game.arranged).unanswered:
        raise Refused(
            gettext("This challenge is not accepted yet. Report the result once the player challenged accepts it.")
        )


def _doubts_about(s: Session, event: Event, game: Game, scenario: Scenario, claim: Claim) -> tuple[Doubt, ...]:
    """The impossible or unusual answers, by the scenario and by both players' lists."""
    if claim.how.how == Ending.NOT_PLAYED:
        return ()
    doubts = doubts_about(system_of(event), scenario, claim.answers)
    if claim.how.how is not None:
        doubts = tuple(doubt for doubt in doubts if not doubt.at_the_end)
    if any(doubt.refused for doubt in doubts):
        return doubts
    doubts = tuple(doubt for doubt in doubts if not _is_settled(scenario, game, claim, doubt))
    groups = groups_in_game(s, event, game)
    doubts = (*doubts, *_other_roles(scenario, game, claim.answers), *forfeits_asked(game, groups))
    bounds = bounds_of(s, event, game, scenario, groups)
    return (*doubts, *beyond_bounds(bounds, claim.answers)) if bounds else doubts


def _is_settled(scenario: Scenario, game: Game, claim: Claim, doubt: Doubt) -> bool:
    """Whether a doubt is only about missing choices that decide nothing, or that the result at the desk lacks too."""
    choices = {question.key for question in scenario.questions if question.decides}
    if not doubt.keys or not choices.issuperset(doubt.keys) or any(claim.answers.get(key) for key in doubt.keys):
        return False
    if won_by_ending(claim.how):
        return True
    accepted = None if won_by_ending(ended(game)) or claim.side != ReportSide.ORGANISER else game.answers
    return accepted is not None and not any(accepted.get(key) for key in doubt.keys)


def _other_roles(scenario: Scenario, game: Game, answers: Answers) -> Iterator[Doubt]:
    """A doubt if the reported roles are not the drawn ones."""
    drawn = roles_answered(scenario, game)
    if any(answers.get(key, role) != role for key, role in drawn.items()):
        yield Doubt(tuple(drawn), gettext("The draw gave them the other roles. Did they exchange them?"), False)


def _check_ending(side: ReportSide, answers: Answers, how: Ended) -> None:
    """Reject an ending that this side cannot report."""
    if how.how == Ending.NOT_PLAYED and answers:
        raise Refused(gettext("Remove the figures: a game that was not played has none."), "ending")
    if how.how == Ending.DECIDED and side != ReportSide.ORGANISER:
        raise Refused(gettext("Only a judge can decide a game."), "ending")
    if how.how == Ending.DECIDED and not how.reason:
        raise Refused(gettext("Give the reason for the decision: both players read it."), "ending_reason")
    if how.how != Ending.DECIDED and (how.awarded or how.reason):
        raise Refused(gettext("Only a judge’s decision can name a reason and a winner."), "ending")


def corrects(game: Game, answers: Answers, how: Ended = PLAYED_OUT) -> bool:
    """Whether these answers differ from the confirmed result; a missing figure counts as 0."""
    if game.state != GameState.CONFIRMED or game.absent is not None:
        return False
    return ended(game) != how or figures_differ(game.answers or {}, answers)


def report(act: Act, game: Game, claim: Claim) -> GameState:
    """Check a claim under the event's lock, store it, and return the game's state.

    Equal reports by both players' private links confirm the result; different ones make a dispute. A report from the
    sheet waits and never counts as either side's own. The organiser's report decides; on a confirmed game it is a
    correction, and the journal records the changes. Raises as ``check`` does, without storing anything.
    """
    return _store(act, current(act.s, game), claim)


def _store(act: Act, at: GameWithReports, claim: Claim) -> GameState:
    s, event = act.s, act.event
    game, reports = at.game, newest_reports(at.reports)
    answers, how, origin = claim.answers, claim.how, claim.origin
    scenario = check(s, event, at, claim)
    if _stays_in_play(event, at):
        current_write(s).in_play.add(game.id)
    earlier = reports.get(claim.source)
    if repeats_report(earlier, claim) and game.absent is None:
        return game.state  # stored once
    new_reason = repeats_report(earlier, replace(claim, origin=FROM_PLAYER)) and game.absent is None
    before, was = game.state, game.answers
    effect = correction(s, event, game, answers, how) if corrects(game, answers, how) else None
    if game.absent is not None:  # the players came after all
        game.absent, game.forfeited, before = None, False, GameState.OPEN
    stored = Report(
        game_id=game.id, side=claim.side, answers=dict(answers), by=act.actor, at=act.now, reason=origin.reason,
        from_paper=origin.from_paper, account_id=origin.account_id, by_sheet=origin.by_sheet,
    )  # fmt: skip
    set_ended(stored, how)
    s.add(stored)
    apply_reports(game, scenario, {**reports, claim.source: stored})
    game.version += 1
    about = f"game {game.id} report {game.version}"
    notify(s, Occasion.CONFIRM, about, at.reached & to_confirm(game, claim.side, by_sheet=origin.by_sheet), act.now)
    hears = at.reached & notified_of_report(game, before, claim.side, corrected=effect is not None)
    notify(s, Occasion.ANSWER, about, hears, act.now)
    result = _result_text(game.state, claim, effect, at.names, new_reason=new_reason)
    where = {"round": at.round.number, "table": game.table_number}
    note(
        act,
        "report",
        message("Round %(round)s, table %(table)s: %(result)s", **where, result=result),
        game=game.id,
        side=claim.side,
        answers=dict(answers),
        before=before,
        after=game.state,
        **_ending_details(how),
        **origin.journal_details(),
        **({} if effect is None else {"answers_before": was, "changes": effect.journal_details()}),
    )
    if game.state == GameState.CONFIRMED:
        calls.close(act, game)
    return game.state


WAITS = N_("the result waits for the other side")
RESULTS = {
    "confirmed": N_("the result is confirmed"), "reported": WAITS, "disputed": N_("the result is disputed"),
}  # fmt: skip
"""The journal's words about a reported result, by the state of its game."""


def _result_text(
    state: GameState, claim: Claim, effect: Correction | None, names: tuple[str, str], *, new_reason: bool
) -> Text:
    """The journal's words about a stored report."""
    how, sentence = claim.how, message(RESULTS[state])
    if effect is not None:
        was, now = result_text(effect.was, effect.was_ended, names), result_text(effect.now, how, names)
        sentence = message("the result is corrected from %(was)s to %(now)s", was=was, now=now)
    elif new_reason:
        sentence = message("the result is unchanged, with another reason")
    else:
        if claim.origin.by_sheet and state == GameState.REPORTED:
            sentence = message("the result is reported from the paper sheet, and waits for both players or the desk")
        if how.how is not None:
            sentence = message("%(said)s (%(ending)s)", said=sentence, ending=result_text(None, how, names))
    return message("%(said)s, entered by a player of this game", said=sentence) if claim.origin.own_game else sentence


def _stays_in_play(event: Event, at: GameWithReports) -> bool:
    """Whether this result leaves all other players' own pages unchanged.

    True while the round has other open games. False in a knockout (the bracket shows the winner), in a team event, in a
    season (the standings count it), and for a table with extra time, which the round's clock shows.
    """
    seen = at.round.bracket or at.game.match_id or at.game.extra_seconds or event.season
    return at.others_open and not seen


def agree(act: Act, game: Game, agreed: Agreement) -> GameState:
    """Agree to the newest report from another source; the organiser may accept any. Raises Refused, Stale."""
    at = current(act.s, game)
    theirs = newest_reports(at.reports).get(agreed.other)
    if theirs is not None and agreed.other == agreed.side:
        raise Refused(gettext("This is your own report. Your opponent or the desk confirms it."))
    if theirs is None:
        raise Refused(gettext("There is no report to agree to yet."))
    if agreed.shown is not None and agreed.shown != digest_of(theirs):
        raise Stale(gettext("The report has changed since you opened this form. Check it again."))
    claim = Claim(agreed.side, theirs.answers, agreed.version, sure=True, how=ended(theirs), origin=agreed.origin)
    return _store(act, at, claim)


def repeats_report(own: Report | None, claim: Claim) -> bool:
    """Whether the claim repeats the side's newest report; a claim without a reason keeps the stored reason."""
    return own is not None and claim.equals(own) and claim.origin.reason in ("", own.reason)


def _ending_details(how: Ended) -> dict[str, str]:
    """The journal's details of an ending; empty for a game played to the end."""
    return {} if how.how is None else {"ending": how.how, "awarded": how.awarded or "", "reason": how.reason}


def reading_of(
    s: Session, event: Event, game: Game, key: str, people: tuple[Player, Player], origin: Origin, version: int
) -> Claim:
    """A reading of the dispute as the desk's claim.

    ``key`` is "a" or "b" for that side's report, or the key of another reading. Without a reason from the judge, the
    reason names the reading, in the event's language: both players read it. Raises Stale if the reports have changed.
    """
    view = round_view(event, s.get_one(Round, game.round_id))
    scenario = view.scenario_at(game)
    with speaking(event.language or language()):
        dispute = dispute_of(s, event, game, scenario, *people) if scenario is not None else None
        whose = [gettext("As %(name)s reported it.", name=person.name) for person in people]
    chosen = [row for row in (dispute.readings if dispute else ()) if key == (row[0].report or row[0].key)]
    if not chosen:
        raise Stale(gettext("The reports have changed. Check them before you decide."))
    reading, how, _ = chosen[0]
    why = whose["ab".index(reading.report)] if reading.report else " ".join(reading.why)
    origin = replace(origin, reason=(origin.reason or why)[:500])
    return Claim(ReportSide.ORGANISER, reading.answers, version, sure=True, how=how, origin=origin)


def open_again(act: Act, game: Game, *, version: int, reason: str) -> None:
    """Withdraw every report of a game, so that it is open again and its round incomplete.

    ``version`` is the game's version that the organiser saw. Raises Refused, and Stale for an outdated version.
    """
    if why_not := why_not_opened(act.s, act.event, game):
        raise Refused(why_not)
    if not reason:
        raise Refused(gettext("Give the reason for opening the game again: both players read it."))
    if game.version != version:
        raise Stale(gettext("Another person has changed this game. Reload the page."))
    before = game.state
    for report in reports_of(act.s, game):
        report.withdrawn_at = act.now
    mark_absent(act.s, act.event, game, None)
    number = act.s.get_one(Round, game.round_id).number
    text = N_("Round %(round)s, table %(table)s: opened again for new reports")
    sentence = message(text, round=number, table=game.table_number)
    note(act, "open-again", sentence, game=game.id, before=before, after=game.state, why=reason)
