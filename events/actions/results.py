"""Results: reported by one side, agreed or disputed by the other, decided by the organiser.

A report with the sheet's code is nobody's own: it waits until both players agree with their own links, or the desk
confirms it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from events.actions.bounds import bounds_of
from events.actions.corrections import correction
from events.actions.journal import note
from events.actions.knockout import check_correction
from events.errors import Refused, Stale
from events.outcomes import PLAYED_OUT, Ended, ended, in_short, set_ended
from events.reading import reports_of, round_view, scenario_in, system_of
from events.rounds_in_short import RoundInShort, round_in_short
from models.endings import Ending
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.play import Game, GameState, Report, ReportSide
from validators.bounds import outside
from validators.canonical import canonical_text, sha256_of
from validators.scenario import Answers, Doubt, Scenario


class Doubtful(Refused):
    """Answers that are impossible, or odd and not yet confirmed; ``doubts`` says which and why."""

    def __init__(self, doubts: tuple[Doubt, ...]) -> None:
        super().__init__(" ".join(doubt.message for doubt in doubts))
        self.doubts = doubts


SHEET = "sheet"
"""The source of a report that was sent with the code of the paper sheet."""


@dataclass(frozen=True)
class Word:
    """Where a report comes from, and the desk's reason."""

    reason: str = ""
    """For both players to read."""
    from_paper: bool = False
    account_id: int | None = None
    by_sheet: bool = False
    """Sent with the code of the paper sheet: nobody knows by whom."""
    own_game: bool = False
    """Entered at the desk by a player of this very game. Only the journal keeps it."""

    def particulars(self) -> dict[str, Any]:
        """What the journal keeps of it."""
        kept = {
            "why": self.reason,
            "from_paper": self.from_paper,
            "by_sheet": self.by_sheet,
            "own_game": self.own_game,
        }
        return {key: value for key, value in kept.items() if value}


PLAYERS_OWN = Word()
"""A player's report by the own link: it gives no reason, and comes from no account."""
FROM_SHEET = Word(by_sheet=True)


def judged(
    s: Session,
    event: Event,
    game: Game,
    side: ReportSide,
    answers: Answers,
    *,
    version: int,
    sure: bool,
    how: Ended = PLAYED_OUT,
    word: Word = PLAYERS_OWN,
) -> Scenario:
    """Check a report of a game as it would be stored, and store nothing. Returns the scenario that it is of.

    ``version`` is the game's version that the reporter saw; ``sure`` says that odd answers were confirmed; ``how`` the
    game ended; ``word`` where the report comes from. A game that was not played has no figures to check. Raises
    Doubtful, Stale or Refused.
    """
    the_round = round_in_short(s, game.round_id)
    return _checked(
        s, event, game, side, answers, the_round, latest(s, game), version=version, sure=sure, how=how, word=word
    )


def _checked(
    s: Session,
    event: Event,
    game: Game,
    side: ReportSide,
    answers: Answers,
    the_round: RoundInShort,
    reports: Mapping[str, Report],
    *,
    version: int,
    sure: bool,
    how: Ended,
    word: Word,
) -> Scenario:
    if game.b_id is None:
        raise Refused("A bye has no result to report.")
    if the_round.state != RoundState.PUBLISHED:
        raise Refused(f"Round {the_round.number} is not published yet.")
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed; the organiser can open it again for a correction.")
    if side != ReportSide.ORGANISER and game.state == GameState.CONFIRMED:
        raise Refused("This result is confirmed. Ask the organiser if it is wrong.")
    scenario = scenario_in(s, event, the_round, game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    _check_ending(side, answers, how)
    if _repeats(reports.get(_source(side, word)), answers, how, word.reason) and game.absent is None:
        return scenario  # a double press or a retry
    if word.by_sheet and game.state != GameState.OPEN:
        raise Refused("A result was reported already. Your private link lets you confirm it.")
    doubts: tuple[Doubt, ...] = ()
    if how.how != Ending.NOT_PLAYED:
        doubts = system_of(event).check_answers(scenario, answers)
        if how.how is not None:
            doubts = tuple(doubt for doubt in doubts if not doubt.at_the_end)
        if not any(d.refused for d in doubts):
            doubts = (*doubts, *outside(bounds_of(s, event, game, scenario), answers))
    if any(d.refused for d in doubts) or (doubts and not sure):
        raise Doubtful(doubts)
    if game.version != version:
        raise Stale("Somebody else reported this game while you were writing. Look at it again before you send.")
    if the_round.kind == RoundKind.KNOCKOUT:
        check_correction(s, event, game, round_view(s, event, s.get_one(Round, the_round.id)), answers, how)
    return scenario


def _check_ending(side: ReportSide, answers: Answers, how: Ended) -> None:
    """Whether this side may say so at all. Raises Refused."""
    if how.how == Ending.NOT_PLAYED and answers:
        raise Refused("A game that was not played has no figures.", "ending")
    if how.how == Ending.DECIDED and side != ReportSide.ORGANISER:
        raise Refused("Only a judge decides a game.", "ending")
    if how.how == Ending.DECIDED and not how.reason:
        raise Refused("Say why it is decided so: both players read it.", "ending_reason")
    if how.how != Ending.DECIDED and (how.awarded or how.reason):
        raise Refused("Only a judge’s decision has a reason and a winner of its own.", "ending")


def corrects(game: Game, answers: Answers, how: Ended = PLAYED_OUT) -> bool:
    """Whether this is another word than that of a confirmed result; a figure left out is a 0."""
    stands = game.answers or {}
    return (
        game.state == GameState.CONFIRMED
        and game.absent is None
        and (
            ended(game) != how
            or any((stands.get(key) or 0) != (answers.get(key) or 0) for key in stands.keys() | answers.keys())
        )
    )


def report(
    s: Session,
    event: Event,
    game: Game,
    side: ReportSide,
    answers: Answers,
    *,
    version: int,
    sure: bool,
    by: str,
    now: datetime,
    how: Ended = PLAYED_OUT,
    word: Word = PLAYERS_OWN,
) -> GameState:
    """Take one report of a game: check it, store it, and say where the game stands now.

    ``side`` is who reports, and ``how`` the game ended; the organiser's ``word`` decides. Equal reports by the two
    players' own links confirm the result and different ones make a dispute. A report from the sheet only waits: it
    never counts as a side's own. Another word of the organiser's on a confirmed game is a correction, which the journal
    keeps with all that it changes. Raises as ``judged`` does; then nothing is stored.
    """
    with s.no_autoflush:  # nothing is changed yet but the event's version: it is stored with the rest
        the_round, reports = round_in_short(s, game.round_id), latest(s, game)
    scenario = _checked(
        s, event, game, side, answers, the_round, reports, version=version, sure=sure, how=how, word=word
    )
    source = _source(side, word)
    if _repeats(reports.get(source), answers, how, word.reason) and game.absent is None:
        return game.state  # stored once
    new_reason = _repeats(reports.get(source), answers, how, "") and game.absent is None
    before, was, was_ended = game.state, game.answers, ended(game)
    effect = correction(s, event, game, answers, how) if corrects(game, answers, how) else None
    if game.absent is not None:  # they came after all
        game.absent, before = None, GameState.OPEN
    stored = Report(
        game_id=game.id, side=side, answers=dict(answers), by=by, at=now, reason=word.reason,
        from_paper=word.from_paper, account_id=word.account_id, by_sheet=word.by_sheet,
    )  # fmt: skip
    set_ended(stored, how)
    s.add(stored)
    stand(game, scenario, {**reports, source: stored})
    game.version += 1
    waits = "waits for the other side"
    if word.by_sheet:
        waits = "is reported from the paper sheet, and waits for both players or the desk"
    words = {"confirmed": "is confirmed", "reported": waits, "disputed": "is disputed"}
    said = f"the result {words[game.state]}"
    if effect is not None:
        said = f"the result is corrected from {in_short(effect.was, was_ended)} to {in_short(effect.now, how)}"
    elif new_reason:
        said = "the result stands, with another reason"
    elif how.how is not None:
        said += f" ({in_short(None, how)})"
    if word.own_game:
        said += ", entered by a player of this game"
    note(
        s, event, by, now, "report", f"Round {the_round.number}, table {game.table_number}: {said}",
        game=game.id, side=side, answers=dict(answers), before=before, after=game.state,
        **_particulars(how), **word.particulars(),
        **({} if effect is None else {"answers_before": was, "changes": effect.particulars()}),
    )  # fmt: skip
    return game.state


def agree(
    s: Session,
    event: Event,
    game: Game,
    side: ReportSide,
    other: str,
    *,
    version: int,
    by: str,
    now: datetime,
    word: Word = PLAYERS_OWN,
    shown: str | None = None,
) -> GameState:
    """Say yes to the report of ``other``: a side, or SHEET. The organiser may take any. Raises Refused, Stale.

    ``shown`` is the digest of the report that a player was shown. After a restore, or a draw made anew, another report
    can have the same game id and version.
    """
    theirs = latest(s, game).get(other)
    if theirs is None or other == side:
        raise Refused("There is no report to agree to yet.")
    if shown is not None and shown != digest_of(theirs):
        raise Stale("The report has changed since you opened this form. Look at it again.")
    return report(
        s, event, game, side, theirs.answers,
        version=version, sure=True, by=by, now=now, how=ended(theirs), word=word,
    )  # fmt: skip


def latest(s: Session, game: Game) -> Mapping[str, Report]:
    """The newest report of each source: each side's own, the organiser's, and SHEET for one from the paper sheet."""
    return {source_of(report): report for report in reports_of(s, game)}


def source_of(report: Report) -> str:
    """Who is known to have sent a report: its side, or SHEET where that is only what the sender claimed."""
    return SHEET if report.by_sheet else report.side


def digest_of(report: Report) -> str:
    """A digest of what a report says of the game."""
    ending, awarded = report.ending and report.ending.value, report.awarded and report.awarded.value
    answers = {key: value for key, value in report.answers.items() if value}
    return sha256_of(canonical_text([answers, ending, awarded, report.ending_reason]))[:32]


def waiting(reports: Mapping[str, Report]) -> Report | None:
    """The one report that waits to be confirmed: a player's own, else that from the sheet."""
    own = [reports[side] for side in (ReportSide.A, ReportSide.B) if side in reports]
    return own[0] if len(own) == 1 else None if own else reports.get(SHEET)


def waits_from_sheet(s: Session, game: Game) -> bool:
    """Whether the report that waits came from the paper sheet: no player has reported by the own link."""
    found = waiting(latest(s, game))
    return found is not None and found.by_sheet


def differ(one: Report, other: Report) -> bool:
    """Whether two reports of a game say different things."""
    keys = one.answers.keys() | other.answers.keys()
    return ended(one) != ended(other) or any((one.answers.get(k) or 0) != (other.answers.get(k) or 0) for k in keys)


def _source(side: ReportSide, word: Word) -> str:
    return SHEET if word.by_sheet else side


def why_decided(s: Session, game: Game) -> str:
    """The reason of the desk's word that counts; "" without one."""
    decided = latest(s, game).get(ReportSide.ORGANISER)
    return (decided.reason or decided.ending_reason) if decided is not None else ""


def stand(game: Game, scenario: Scenario, reports: Mapping[str, Report]) -> None:
    """Set a game's state by the newest report of each source, and the figures that count or wait."""
    game.state, counts = standing_of(scenario, reports)
    how = ended(counts) if counts is not None else PLAYED_OUT
    set_ended(game, how)
    game.answers = None if counts is None or how.how == Ending.NOT_PLAYED else counts.answers


def standing_of(scenario: Scenario, reports: Mapping[str, Report]) -> tuple[GameState, Report | None]:
    """A game's state by the newest report of each source, and the report that counts or waits.

    One from the sheet agrees with no other, and a player's own report replaces it.
    """
    if not reports:
        return GameState.OPEN, None
    decided = reports.get(ReportSide.ORGANISER)
    if decided is not None:
        return GameState.CONFIRMED, decided
    a, b = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if a is None or b is None:
        return GameState.REPORTED, waiting(reports)
    # What only describes the game, hackers or smashers, is nothing to quarrel about; a figure left out is a 0.
    figures = [question.key for question in scenario.questions if question.kind != "choice" or question.decides]
    if ended(a) == ended(b) and all(a.answers.get(key, 0) == b.answers.get(key, 0) for key in figures):
        return GameState.CONFIRMED, a
    return GameState.DISPUTED, None


def _repeats(mine: Report | None, answers: Answers, how: Ended, reason: str) -> bool:
    """Whether a side's newest report says the same already; whoever gives no reason leaves the one that stands."""
    same = mine is not None and mine.answers == dict(answers) and ended(mine) == how
    return same and mine is not None and reason in ("", mine.reason)


def _particulars(how: Ended) -> dict[str, str]:
    """What the journal keeps of how a game ended; of one that was played out nothing."""
    return {} if how.how is None else {"ending": how.how, "awarded": how.awarded or "", "reason": how.reason}
