"""Results: reported by one side, confirmed or disputed by the other, decided by the organiser; and no-shows.

A report with the sheet's code belongs to neither side. It waits until both players agree to it with their private
links, or the desk confirms it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import inspect
from sqlmodel import Session

from events.play.errors import Refused, Stale
from events.play.journal import check_takes_place, note
from events.play.notices import answered, notify, to_confirm
from events.play.outcomes import PLAYED_OUT, Ended, doubts_about, ended, result_words, set_ended
from events.play.own_side import missing
from events.play.queries import (
    GameWithReports,
    fielded_of,
    force_of,
    game_with_reports,
    player_of,
    players_by_id,
    reports_of,
    round_view,
    round_views,
    scenario_in,
    system_of,
    terms_for,
    terms_of,
    verdict_of,
)
from events.play.roles import fields_a_part, roles_answered
from events.play.team_queries import is_team_event
from events.results.corrections import Correction, correction
from events.rounds.knockout import check_correction, why_settled
from models.db import current_write
from models.endings import Ending
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.notice import Occasion
from models.play import Absent, Game, GameState, Player, Report, ReportSide
from validators.answers import Bound, beyond_bounds
from validators.canonical import canonical_text, sha256_of
from validators.contract import Document
from validators.scenario import Answers, Doubt, Scenario, Side


class Doubtful(Refused):
    """Answers that are impossible, or unusual and not confirmed; ``doubts`` are the reasons."""

    def __init__(self, doubts: tuple[Doubt, ...]) -> None:
        super().__init__(" ".join(doubt.message for doubt in doubts))
        self.doubts = doubts


SHEET = "sheet"
"""The source of a report that was sent with the code of the paper sheet."""


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
    found = game_with_reports(s, inspect(game).identity[0])
    if found is None:
        raise Stale("This game is gone because the round was drawn again. Reload the page.")
    return found


def check(s: Session, event: Event, at: GameWithReports, claim: Claim) -> Scenario:
    """Check a claim without storing it, and return the game's scenario.

    A game that was not played has no figures to check. Raises Doubtful, Stale or Refused.
    """
    game, the_round = at.game, at.round
    _check_may_report(event, at, claim)
    scenario = scenario_in(s, event, the_round, game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    _check_ending(claim.side, claim.answers, claim.how)
    if _repeats(newest(at.reports).get(claim.source), claim) and game.absent is None:
        return scenario  # a repeated submission without a key
    if claim.origin.by_sheet and game.state != GameState.OPEN:
        raise Refused("A result was reported already. Your private link lets you confirm it.")
    doubts = _doubts_about(s, event, game, scenario, claim)
    if any(d.refused for d in doubts) or (doubts and not claim.sure):
        raise Doubtful(doubts)
    if game.version != claim.version and not _agrees(at, claim):
        raise Stale("Another report of this game arrived while you were writing. Check it before you send yours.")
    if the_round.kind == RoundKind.KNOCKOUT:
        view = round_view(s, event, s.get_one(Round, the_round.id))
        check_correction(s, event, game, view, claim.answers, claim.how)
    return scenario


def _agrees(at: GameWithReports, claim: Claim) -> bool:
    """Whether a player's report has the same figures as the one that the opponent sent in the meantime."""
    if claim.side == ReportSide.ORGANISER or claim.origin.by_sheet or at.game.absent is not None:
        return False
    theirs = newest(at.reports).get("b" if claim.side == ReportSide.A else "a")
    return theirs is not None and _matches(theirs, claim)


def _check_may_report(event: Event, at: GameWithReports, claim: Claim) -> None:
    """Reject byes, unpublished rounds, closed events, and players' reports of confirmed games."""
    game, the_round = at.game, at.round
    if game.b_id is None:
        raise Refused("A bye has no result to report.")
    if the_round.state != RoundState.PUBLISHED:
        raise Refused(f"Round {the_round.number} is not published yet.")
    check_takes_place(event)
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed; the organiser can open it again for a correction.")
    if claim.side != ReportSide.ORGANISER and game.state == GameState.CONFIRMED:
        raise Refused("This result is confirmed. Ask the organiser if it is wrong.")


def _doubts_about(s: Session, event: Event, game: Game, scenario: Scenario, claim: Claim) -> tuple[Doubt, ...]:
    """The impossible or unusual answers, by the scenario and by both players' lists."""
    if claim.how.how == Ending.NOT_PLAYED:
        return ()
    doubts = doubts_about(event, scenario, claim.answers)
    if claim.how.how is not None:
        doubts = tuple(doubt for doubt in doubts if not doubt.at_the_end)
    if any(doubt.refused for doubt in doubts):
        return doubts
    doubts = (*doubts, *_other_roles(scenario, game, claim.answers))
    bounds = bounds_of(s, event, game, scenario)
    return (*doubts, *beyond_bounds(bounds, claim.answers)) if bounds else doubts


def _other_roles(scenario: Scenario, game: Game, answers: Answers) -> Iterator[Doubt]:
    """A doubt if the reported roles are not the drawn ones."""
    drawn = roles_answered(scenario, game)
    if any(answers.get(key, role) != role for key, role in drawn.items()):
        were = " and ".join(f"player {key[0].upper()} the {role}" for key, role in drawn.items())
        yield Doubt(tuple(drawn), f"The draw made {were}. Did they exchange their roles?", False)


def bounds_of(s: Session, event: Event, game: Game, scenario: Scenario) -> tuple[Bound, ...]:
    """The limits that both players' lists set on the figures; none for a player without a legal submitted list.

    Never show them: they come from lists that a reporter may not see.
    """
    system = system_of(event)
    if system.scoring.bounds is None or event.campaign is not None:  # a campaign's groups do not field their lists
        return ()
    found: list[Bound] = []
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    terms = terms_of(s, event)
    for side, player_id in sides:
        player = player_of(s, event, player_id) if player_id else None
        document = _played(s, event, game, scenario, player) if player else None
        if player is None or document is None or document["edition"] != event.edition:
            continue
        if verdict_of(event, document, terms_for(terms, player).fielded).legal:
            found += system.scoring.bounds(scenario, side, document, terms.edition)
    return tuple(found)


def _played(s: Session, event: Event, game: Game, scenario: Scenario, player: Player) -> Document | None:
    """The force that a player used in this game: the fielded part if players choose one, else the list."""
    if fields_a_part(event, scenario, game):
        fielded = fielded_of(s, game).get(player.id)
        return fielded.document if fielded else None
    force = force_of(s, player)
    return force.document if force and force.submitted_at else None


def _check_ending(side: ReportSide, answers: Answers, how: Ended) -> None:
    """Reject an ending that this side cannot report."""
    if how.how == Ending.NOT_PLAYED and answers:
        raise Refused("A game that was not played has no figures.", "ending")
    if how.how == Ending.DECIDED and side != ReportSide.ORGANISER:
        raise Refused("Only a judge decides a game.", "ending")
    if how.how == Ending.DECIDED and not how.reason:
        raise Refused("Give the reason for the decision: both players read it.", "ending_reason")
    if how.how != Ending.DECIDED and (how.awarded or how.reason):
        raise Refused("Only a judge’s decision can name a reason and a winner.", "ending")


def corrects(game: Game, answers: Answers, how: Ended = PLAYED_OUT) -> bool:
    """Whether these answers differ from the confirmed result; a missing figure counts as 0."""
    stored = game.answers or {}
    return (
        game.state == GameState.CONFIRMED
        and game.absent is None
        and (
            ended(game) != how
            or any((stored.get(key) or 0) != (answers.get(key) or 0) for key in stored.keys() | answers.keys())
        )
    )


def report(s: Session, event: Event, game: Game, claim: Claim, by: str, now: datetime) -> GameState:
    """Check a claim under the event's lock, store it, and return the game's state.

    Equal reports by both players' private links confirm the result; different ones make a dispute. A report from the
    sheet waits and never counts as either side's own. The organiser's report decides; on a confirmed game it is a
    correction, and the journal records the changes. Raises as ``check`` does, without storing anything.
    """
    return _store(s, event, current(s, game), claim, by, now)


def _store(s: Session, event: Event, at: GameWithReports, claim: Claim, by: str, now: datetime) -> GameState:
    game, reports = at.game, newest(at.reports)
    answers, how, origin = claim.answers, claim.how, claim.origin
    scenario = check(s, event, at, claim)
    if _stays_in_play(event, at):
        current_write(s).in_play.add(game.id)
    own = reports.get(claim.source)
    if _repeats(own, claim) and game.absent is None:
        return game.state  # stored once
    new_reason = _repeats(own, replace(claim, origin=FROM_PLAYER)) and game.absent is None
    before, was = game.state, game.answers
    effect = correction(s, event, game, answers, how) if corrects(game, answers, how) else None
    if game.absent is not None:  # the players came after all
        game.absent, before = None, GameState.OPEN
    stored = Report(
        game_id=game.id, side=claim.side, answers=dict(answers), by=by, at=now, reason=origin.reason,
        from_paper=origin.from_paper, account_id=origin.account_id, by_sheet=origin.by_sheet,
    )  # fmt: skip
    set_ended(stored, how)
    s.add(stored)
    apply_reports(game, scenario, {**reports, claim.source: stored})
    game.version += 1
    about = f"game {game.id} report {game.version}"
    notify(s, Occasion.CONFIRM, about, at.reached & to_confirm(game, claim.side, by_sheet=origin.by_sheet), now)
    hears = at.reached & answered(game, before, claim.side, corrected=effect is not None)
    notify(s, Occasion.ANSWER, about, hears, now)
    text = _sentence(game.state, claim, effect, new_reason=new_reason)
    note(
        s, event, by, now, "report", f"Round {at.round.number}, table {game.table_number}: {text}",
        game=game.id, side=claim.side, answers=dict(answers), before=before, after=game.state,
        **_ending_details(how), **origin.journal_details(),
        **({} if effect is None else {"answers_before": was, "changes": effect.journal_details()}),
    )  # fmt: skip
    return game.state


def _sentence(state: GameState, claim: Claim, effect: Correction | None, *, new_reason: bool) -> str:
    """The journal's sentence about a stored report."""
    how = claim.how
    if effect is not None:
        was = result_words(effect.was, effect.was_ended)
        text = f"the result is corrected from {was} to {result_words(effect.now, how)}"
    elif new_reason:
        text = "the result is unchanged, with another reason"
    else:
        waits = "waits for the other side"
        if claim.origin.by_sheet:
            waits = "is reported from the paper sheet, and waits for both players or the desk"
        words = {"confirmed": "is confirmed", "reported": waits, "disputed": "is disputed"}
        text = f"the result {words[state]}" + (f" ({result_words(None, how)})" if how.how is not None else "")
    return f"{text}, entered by a player of this game" if claim.origin.own_game else text


def _stays_in_play(event: Event, at: GameWithReports) -> bool:
    """Whether this result leaves all other players' own pages unchanged.

    True while the round has other open games. False in a knockout (the bracket shows the winner), in a team event, in a
    season (the standings count it), and for a table with extra time, which the round's clock shows.
    """
    seen = at.round.kind == RoundKind.KNOCKOUT or is_team_event(event) or at.game.extra_seconds or event.season
    return at.others_open and not seen


def agree(s: Session, event: Event, game: Game, agreed: Agreement, by: str, now: datetime) -> GameState:
    """Agree to the newest report from another source; the organiser may accept any. Raises Refused, Stale."""
    at = current(s, game)
    theirs = newest(at.reports).get(agreed.other)
    if theirs is None or agreed.other == agreed.side:
        raise Refused("There is no report to agree to yet.")
    if agreed.shown is not None and agreed.shown != digest_of(theirs):
        raise Stale("The report has changed since you opened this form. Check it again.")
    claim = Claim(agreed.side, theirs.answers, agreed.version, sure=True, how=ended(theirs), origin=agreed.origin)
    return _store(s, event, at, claim, by, now)


def latest(s: Session, game: Game) -> Mapping[str, Report]:
    """The newest report from each source: the two sides, the organiser, and SHEET for the paper sheet."""
    return newest(reports_of(s, game))


def newest(reports: Sequence[Report]) -> Mapping[str, Report]:
    """The newest report from each source; ``reports`` are oldest first."""
    return {source_of(report): report for report in reports}


def source_of(report: Report) -> str:
    """The side that sent a report; SHEET for a report from the sheet, whose side is unproven."""
    return SHEET if report.by_sheet else report.side


def digest_of(report: Report) -> str:
    """A digest of a report's figures and ending."""
    ending, awarded = report.ending and report.ending.value, report.awarded and report.awarded.value
    answers = {key: value for key, value in report.answers.items() if value}
    return sha256_of(canonical_text([answers, ending, awarded, report.ending_reason]))[:32]


def waiting(reports: Mapping[str, Report]) -> Report | None:
    """The report that waits to be confirmed: a player's own, else the sheet's."""
    own = [reports[side] for side in (ReportSide.A, ReportSide.B) if side in reports]
    return own[0] if len(own) == 1 else None if own else reports.get(SHEET)


def differ(one: Report, other: Report) -> bool:
    """Whether two reports differ in a figure or in the ending; a missing figure counts as 0."""
    keys = one.answers.keys() | other.answers.keys()
    return ended(one) != ended(other) or any((one.answers.get(k) or 0) != (other.answers.get(k) or 0) for k in keys)


def why_decided(s: Session, game: Game) -> str:
    """The reason for the desk's decision in force; "" if there is none."""
    decided = latest(s, game).get(ReportSide.ORGANISER)
    return (decided.reason or decided.ending_reason) if decided is not None else ""


def apply_reports(game: Game, scenario: Scenario, reports: Mapping[str, Report]) -> None:
    """Set the game's state, figures and ending from the newest report of each source."""
    game.state, counts = state_by_reports(scenario, reports)
    how = ended(counts) if counts is not None else PLAYED_OUT
    set_ended(game, how)
    game.answers = None if counts is None or how.how == Ending.NOT_PLAYED else counts.answers


def state_by_reports(scenario: Scenario, reports: Mapping[str, Report]) -> tuple[GameState, Report | None]:
    """The game's state by the newest report from each source, and the report that counts or waits.

    A report from the sheet never confirms another one, and a player's own report replaces it.
    """
    if not reports:
        return GameState.OPEN, None
    decided = reports.get(ReportSide.ORGANISER)
    if decided is not None:
        return GameState.CONFIRMED, decided
    a, b = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if a is None or b is None:
        return GameState.REPORTED, waiting(reports)
    # A choice that only describes the game (hackers or smashers) cannot cause a dispute. A missing figure counts as 0.
    figures = [question.key for question in scenario.questions if question.kind != "choice" or question.decides]
    if ended(a) == ended(b) and all(a.answers.get(key, 0) == b.answers.get(key, 0) for key in figures):
        return GameState.CONFIRMED, a
    return GameState.DISPUTED, None


def _matches(report: Report, claim: Claim) -> bool:
    """Whether a report has the claim's figures and ending."""
    return report.answers == dict(claim.answers) and ended(report) == claim.how


def _repeats(own: Report | None, claim: Claim) -> bool:
    """Whether the claim repeats the side's newest report; a claim without a reason keeps the stored reason."""
    return own is not None and _matches(own, claim) and claim.origin.reason in ("", own.reason)


def _ending_details(how: Ended) -> dict[str, str]:
    """The journal's details of an ending; empty for a game played to the end."""
    return {} if how.how is None else {"ending": how.how, "awarded": how.awarded or "", "reason": how.reason}


def set_absent(
    s: Session, event: Event, game: Game, absent: Absent | None, *, version: int, actor: str, now: datetime
) -> None:
    """Record a no-show, or with None undo it, so that earlier reports count again.

    ``version`` is the game's version that the organiser saw. Raises Refused, and Stale for an outdated version.
    """
    the_round = s.get_one(Round, game.round_id)
    if game.b_id is None or the_round.state != RoundState.PUBLISHED:
        raise Refused("This game is not open for results.")
    check_takes_place(event)
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed; open it again at the desk for a correction.")
    if game.absent == absent:
        return
    if settled := why_settled(round_views(s, event), the_round):
        raise Refused(settled)
    if game.version != version:
        raise Stale("Another person has changed this game. Reload the page.")
    before = game.absent
    mark(s, event, game, absent)
    names = [who.name for id_, who in players_by_id(s, event).items() if id_ in missing(game, absent or before)]
    text = f"{' and '.join(names)} did not come" if absent else f"{' and '.join(names)} turned up"
    where = f"Round {the_round.number}, table {game.table_number}"
    note(s, event, actor, now, "no-show", f"{where}: {text}", game=game.id, before=before, after=absent)


def mark(s: Session, event: Event, game: Game, absent: Absent | None) -> None:
    """Store a no-show: the game is decided without a result. None restores the state given by the reports."""
    game.absent = absent
    game.version += 1
    if absent is not None:
        game.state, game.answers = GameState.CONFIRMED, None
        set_ended(game, PLAYED_OUT)
        return
    scenario = scenario_in(s, event, s.get_one(Round, game.round_id), game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    apply_reports(game, scenario, latest(s, game))


def forfeit(s: Session, event: Event, player: Player) -> list[int]:
    """Record a no-show in all of the player's published, unreported games. Returns their rounds."""
    lost = []
    for view in round_views(s, event):
        for game in view.games:
            if player.id not in (game.a_id, game.b_id) or game.b_id is None:
                continue
            if view.round.state == RoundState.PUBLISHED and game.state == GameState.OPEN:
                mark(s, event, game, Absent.A if player.id == game.a_id else Absent.B)
                lost.append(view.round.number)
    return lost
