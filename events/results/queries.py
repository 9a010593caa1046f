"""What was reported: the newest reports of a game, its dispute, the versions of its result, a round's tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from sqlmodel import Session, and_, col, func, or_, select

from events.results.reports import SHEET, newest_reports, source_of, state_by_reports, waiting
from events.store.editions import system_of
from events.store.games import reports_of
from events.store.journal import Changed, changes_of, entries_of
from events.store.outcomes import NOT_ACCEPTED, NOT_COME, ended, ending_words
from events.store.rounds import RoundView, round_view, stage_in, through_text
from events.store.visitor import actor_words
from events.tournament.endings import Ending
from events.tournament.scores import Ended, score
from events.tournament.season import arranged_in
from languages.message import worded
from languages.words import apart, gettext
from models.event import Event, EventState, Round, RoundState
from models.journal import ChangeSet, JournalEntry, RowChange, RowChangeKind
from models.play import Absent, Game, GameState, Report, ReportSide, Through
from validators.scenario import Answers, Scenario, Score
from validators.strict_json import canonical_text, sha256_of

RESULT_COLUMNS = {"state", "answers", "ending", "awarded", "ending_reason", "absent", "goes_through"}
"""The columns of a game that hold its result."""
LOST = "lost by a card"
"""A version's extra field: the side that lost the game by a card, by the rulings at that time."""


@dataclass(frozen=True)
class WordedResult:
    """A result in words, and whether it still waits to be confirmed."""

    text: str
    waits: bool = False

    def __str__(self) -> str:
        return gettext("%(result)s, not confirmed yet", result=self.text) if self.waits else self.text


@dataclass(frozen=True)
class Version:
    """One change of a result: who made it, when, before, after and why."""

    at: datetime
    by: str
    """With the role, in the reader's language."""
    before: WordedResult
    after: WordedResult
    why: str
    reports: tuple[str, ...]
    """The reports in the same step."""
    confirms: bool = False
    """Whether the result counts after this change."""
    corrects: bool = False
    """Whether it replaced a result that counted."""


def result_versions(
    s: Session, event: Event, game: Game, scenario: Scenario, names: Mapping[str, str]
) -> list[Version]:
    """The versions of a game's result, newest first. ``names`` are the two players' names by side."""
    cards = _cards(event, s.get_one(Round, game.round_id).number, game)
    changed = or_(
        and_(col(RowChange.table_name) == "game", RowChange.row_id == game.id),
        and_(col(RowChange.table_name) == "ruling", col(RowChange.row_id).in_(cards)),
    )
    query = select(RowChange.change_set_id).join(ChangeSet).where(ChangeSet.event_id == event.id, changed)
    ids = list(dict.fromkeys(s.exec(query.order_by(col(RowChange.id)))))
    sets = {change_set.id: change_set for change_set in s.exec(select(ChangeSet).where(col(ChangeSet.id).in_(ids)))}
    changes, entries = changes_of(s, event, ids), entries_of(s, ids)
    comes = ("game", game.id, RowChangeKind.ADDED)
    came = [at for at, id_ in enumerate(ids) if comes in ((c.table, c.row_id, c.kind) for c in changes.get(id_, []))]
    versions: list[Version] = []
    row: dict[str, Any] = {}
    for id_ in ids[max(came, default=0) :]:  # skip an earlier, deleted game with the same id
        now = [step for step in changes.get(id_, []) if step.table == "game" and step.row_id == game.id]
        was = dict(row)
        for change in now:
            row |= change.after
        for change in changes.get(id_, []):
            if change.table == "ruling" and change.row_id in cards and row:
                row[LOST] = None if change.after.get("taken_back_at") else cards[change.row_id]
        whole = not was or any(step.kind in (RowChangeKind.FOUND, RowChangeKind.REMOVED) for step in now)
        reports = _reports(event, scenario, game, changes.get(id_, []), names)
        before, after = (_words(event, game, scenario, values, names) for values in (was, row))
        result_changed = any(RESULT_COLUMNS & step.after.keys() for step in now) or row.get(LOST) != was.get(LOST)
        why = _why(game, entries.get(id_, []))
        # A decision that changes only the reason is a version too.
        another_reason = why and any(step.table == "report" for step in changes.get(id_, []))
        if whole or not ((before != after and result_changed) or reports or another_reason):
            continue
        confirms, corrects, through = _counts(row), _counts(was) and before != after, row.get("goes_through")
        by = actor_words(sets[id_].actor or "Overseer")
        if any(
            journal_entry.details.get("own_game") and journal_entry.details.get("game") == game.id
            for journal_entry in entries.get(id_, [])
        ):
            by = gettext("%(name)s, who plays in this game", name=by)
        if through and not was.get("goes_through") and _counts(was):
            sent = gettext("%(name)s, who sent %(player)s through", name=by, player=names.get(through, ""))
            by, corrects = by if through == Through.NOBODY else sent, False
        versions.append(Version(sets[id_].at, by, before, after, why, reports, confirms, corrects))
    return versions[::-1]


def _counts(row: Mapping[str, Any]) -> bool:
    return bool(row.get("absent")) or row.get("state") == GameState.CONFIRMED


def _cards(event: Event, number: int, game: Game) -> dict[int, Literal["a", "b"]]:
    """The side that lost this game by a ruling, by ruling id; withdrawn rulings included."""
    sides: dict[int | None, Literal["a", "b"]] = {game.a_id: "a", game.b_id: "b"}
    return {
        ruling.id: sides[ruling.player_id]
        for ruling in event.rulings
        if ruling.loses_game and ruling.round_number == number and ruling.player_id in sides
    }


def _words(
    event: Event, game: Game, scenario: Scenario, row: Mapping[str, Any], names: Mapping[str, str]
) -> WordedResult:
    """The game's row at one time in words: "5 : 3, Ada wins"."""
    if not row:
        return WordedResult("")
    side = row.get("goes_through")
    through = [worded(through_text(game, side, names["a"], names["b"]))] if side else []
    if row.get("absent"):
        who = {Absent.A: names["a"], Absent.B: names["b"]}.get(row["absent"])
        refused = row["absent"] == Absent.B and arranged_in(game.arranged).unanswered
        of_name = (NOT_ACCEPTED if refused else NOT_COME)[1]
        gone = gettext(of_name, name=who) if who else gettext("nobody came")
        return WordedResult(apart([gone + _lost(row, names), *through]))
    state = row.get("state", GameState.OPEN)
    if state == GameState.OPEN:
        return WordedResult(gettext("not reported"))
    if state == GameState.DISPUTED:
        return WordedResult(gettext("disputed: the two reports differ"))
    words = _result(event, scenario, row, names) + _lost(row, names)
    return WordedResult(apart([words, *through]), waits=state != GameState.CONFIRMED)


def _lost(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    return gettext(", %(name)s lost it by a card", name=names[row[LOST]]) if row.get(LOST) else ""


def _result(event: Event, scenario: Scenario, row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    answers, ending = row.get("answers"), row.get("ending")
    how = Ended(ending, row.get("awarded"), row.get("ending_reason") or "")
    cards: dict[str | None, Literal["a", "b"]] = {"a": "b", "b": "a"}
    card = cards.get(row.get(LOST))
    none = answers is None and ending != Ending.NOT_PLAYED
    points = None if none else score(system_of(event), scenario, answers or {}, how, card)
    ended = ending_words(ending, names["a"], names["b"])
    if points is None:
        return ended or gettext("no result")
    winner = gettext("a draw") if points.outcome == "draw" else gettext("%(name)s wins", name=names[points.outcome])
    return ", ".join(part for part in (points.figures if points.known else "", winner, ended) if part)


def _reports(
    event: Event, scenario: Scenario, game: Game, changes: Sequence[Changed], names: Mapping[str, str]
) -> tuple[str, ...]:
    """A step's reports by players and from the paper sheet; the desk's report is the result itself."""
    lines = []
    for change in changes:
        row = change.after
        added = change.table == "report" and change.kind == RowChangeKind.ADDED
        if added and row.get("game_id") == game.id and row["side"] in names:
            words = _result(event, scenario, row, names)
            lines.append(
                gettext("Reported from the paper sheet: %(result)s", result=words)
                if row.get("by_sheet")
                else gettext("%(name)s reported %(result)s", name=names[row["side"]], result=words)
            )
    return tuple(lines)


def _why(game: Game, entries: Sequence[JournalEntry]) -> str:
    for entry in entries:
        if entry.details.get("game") == game.id:
            why = entry.details.get("why") or entry.details.get("reason")
            if why:
                return worded(why)
    return ""


class TableState(StrEnum):
    PLAYING = "playing"
    ONE_SIDE = "one_side"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"
    NOT_PLAYED = "not_played"
    """Decided without playing: a no-show, or a game that was not played."""


@dataclass(frozen=True)
class TableRow:
    game: Game
    state: TableState
    score: Score | None
    """The score that counts or waits to be confirmed."""
    waiting: str
    """The source of the waiting report: a side, SHEET, or "" for none."""
    replaced: bool
    """Whether a player's report waits that differs from the paper sheet's."""
    by_outcome: bool
    """Whether its report says only who won."""


def table_rows(s: Session, view: RoundView) -> list[TableRow]:
    """The tables of a published round, by number, without byes."""
    games = [game for game in view.games if game.b_id is not None]
    reports = _reports_by_game(s, [game.id for game in games if game.state == GameState.REPORTED])
    rows = []
    scores = {board.id: board.score for board in view.now.boards}
    for game in games:
        scenario = view.scenario_at(game)
        by_outcome = scenario is not None and scenario.detail == "outcome"
        newest = newest_reports(reports.get(game.id, ()))
        waits = waiting(newest)
        source = source_of(waits) if waits is not None else ""
        rows.append(TableRow(game, _state_of(game), scores[game.id], source, replaces_sheet(newest), by_outcome))
    return rows


def _state_of(game: Game) -> TableState:
    if game.absent is not None or (game.state == GameState.CONFIRMED and game.ending == Ending.NOT_PLAYED):
        return TableState.NOT_PLAYED
    return {
        GameState.CONFIRMED: TableState.CONFIRMED,
        GameState.OPEN: TableState.PLAYING,
        GameState.REPORTED: TableState.ONE_SIDE,
        GameState.DISPUTED: TableState.DISPUTED,
    }[game.state]


def _reports_by_game(s: Session, ids: Sequence[int]) -> Mapping[int, Sequence[Report]]:
    """The reports that were not withdrawn, oldest first, by game id."""
    reports: dict[int, list[Report]] = {}
    query = select(Report).where(col(Report.game_id).in_(ids), col(Report.withdrawn_at).is_(None))
    for report in s.exec(query.order_by(col(Report.id))):
        reports.setdefault(report.game_id, []).append(report)
    return reports


def last_report(s: Session, the_round: Round) -> datetime | None:
    """The time of a round's newest report; None before the first."""
    return s.exec(select(func.max(Report.at)).join(Game).where(Game.round_id == the_round.id)).one()


def digest_of(report: Report) -> str:
    ending, awarded = report.ending and report.ending.value, report.awarded and report.awarded.value
    answers = {key: value for key, value in report.answers.items() if value}
    return sha256_of(canonical_text([answers, ending, awarded, report.ending_reason]))[:32]


def replaces_sheet(reports: Mapping[str, Report]) -> bool:
    """Whether a player's report waits that differs from the paper sheet's."""
    waits, sheet = waiting(reports), reports.get(SHEET)
    return waits is not None and sheet is not None and differ(waits, sheet)


def differ(report: Report, other: Report) -> bool:
    """Whether two reports differ in a figure or in the ending; a missing figure counts as 0."""
    return ended(report) != ended(other) or figures_differ(report.answers, other.answers)


def figures_differ(entry: Answers, other: Answers) -> bool:
    """Whether two sets of answers differ; a missing figure counts as 0."""
    return any((entry.get(key) or 0) != (other.get(key) or 0) for key in entry.keys() | other.keys())


@dataclass(frozen=True)
class Decision:
    """The desk's decision in force on a game."""

    reason: str
    corrects: bool
    """Whether the desk replaced a confirmed result."""


GIVES_REASON = and_(
    col(Report.side) == ReportSide.ORGANISER,
    col(Report.withdrawn_at).is_(None),
    or_(col(Report.reason) != "", col(Report.ending_reason) != ""),
)
"""Whether a report is a decision of the desk with a reason."""


def decided_at_desk(s: Session, event: Event) -> frozenset[int]:
    """The ids of the games that the desk decided with a reason."""
    query = select(Report.game_id).join(Game).join(Round).where(Round.event_id == event.id, GIVES_REASON)
    return frozenset(s.exec(query))


def decisions_on(s: Session, games: Mapping[int, Scenario]) -> Mapping[int, Decision]:
    """The desk's decisions with a reason, by game id; ``games`` are the scenarios by game id."""
    by_game = {}
    for id_, reports in _reports_by_game(s, list(games)).items() if games else ():
        decided = newest_reports(reports).get(ReportSide.ORGANISER)
        reason = (decided.reason or decided.ending_reason) if decided is not None else ""
        if reason:
            by_game[id_] = Decision(reason, any(_corrects(games[id_], reports[: at + 1]) for at in range(len(reports))))
    return by_game


def _corrects(scenario: Scenario, reports: Sequence[Report]) -> bool:
    """Whether the newest report is the desk's, and replaced a confirmed result."""
    *earlier, last = reports
    state, counts = state_by_reports(scenario, newest_reports(earlier))
    if last.side != ReportSide.ORGANISER or state != GameState.CONFIRMED or counts is None:
        return False
    return differ(counts, last)


def changes_published(s: Session, event: Event, game: Game) -> bool:
    """Whether deciding this dispute can change published awards."""
    if game.state != GameState.DISPUTED or event.awards_published_at is None:
        return False
    view = round_view(event, s.get_one(Round, game.round_id))
    return view.now.counts or view.now.open_games == 1


def why_not_opened(s: Session, event: Event, game: Game) -> str:
    """The reason why this game cannot be reopened; "" if it can."""
    the_round = s.get_one(Round, game.round_id)
    if event.state == EventState.FINISHED:
        return gettext("The event is closed; open it again for a correction.")
    if the_round.state != RoundState.PUBLISHED or game.b_id is None:
        return gettext("This game is not open for results.")
    later = [
        round_ for round_ in event.schedule if round_.number > the_round.number and round_.state == RoundState.PUBLISHED
    ]
    if later and not stage_in(event, later[0].kind).opens_together:
        return gettext(
            "Round %(later)s is published: without this result the standings would end before round %(number)s. "
            "Correct the result instead.",
            later=later[0].number,
            number=the_round.number,
        )
    if not reports_of(s, game) and game.absent is None:
        return gettext("This game is open: nothing was reported yet.")
    return ""
