"""Results: reported by one side, confirmed or disputed by the other, decided by the organiser; and no-shows.

A report with the sheet's code belongs to neither side: it waits until both players agree with their own links, or the
desk confirms it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import inspect
from sqlmodel import Session

from events.play.errors import Refused, Stale
from events.play.journal import note
from events.play.outcomes import PLAYED_OUT, Ended, ended, in_short, set_ended
from events.play.queries import (
    GameAtHand,
    fielded_of,
    force_of,
    game_at_hand,
    list_size,
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
from events.play.team_queries import is_team_event
from events.results.corrections import correction
from events.rounds.knockout import check_correction, why_settled
from models.db import current_write
from models.endings import Ending
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.play import Absent, Game, GameState, Player, Report, ReportSide
from validators.bounds import Bound, outside
from validators.canonical import canonical_text, sha256_of
from validators.contract import Document
from validators.scenario import Answers, Doubt, Scenario, Side


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


@dataclass(frozen=True)
class Claim:
    """What is said of a game's result."""

    side: ReportSide
    """Who says it."""
    answers: Answers
    version: int
    """The game's version that the reporter saw."""
    sure: bool
    """Odd answers were confirmed."""
    how: Ended = PLAYED_OUT
    """How the game ended."""
    word: Word = PLAYERS_OWN
    """Where the report comes from."""

    @property
    def source(self) -> str:
        """The side, or SHEET."""
        return SHEET if self.word.by_sheet else self.side


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
    return check(s, event, _at_hand(s, game), Claim(side, answers, version, sure, how, word))


def _at_hand(s: Session, game: Game) -> GameAtHand:
    """The game as it is now: a lock has let its values expire, so its id is asked of the session."""
    found = game_at_hand(s, inspect(game).identity[0])
    if found is None:
        raise Stale("This game is gone: the round was drawn again. Look again.")
    return found


def check(s: Session, event: Event, at: GameAtHand, claim: Claim) -> Scenario:
    """As ``judged``, of a game that was read with all that belongs to it."""
    game, the_round = at.game, at.round
    if game.b_id is None:
        raise Refused("A bye has no result to report.")
    if the_round.state != RoundState.PUBLISHED:
        raise Refused(f"Round {the_round.number} is not published yet.")
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed; the organiser can open it again for a correction.")
    if claim.side != ReportSide.ORGANISER and game.state == GameState.CONFIRMED:
        raise Refused("This result is confirmed. Ask the organiser if it is wrong.")
    scenario = scenario_in(s, event, the_round, game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    _check_ending(claim.side, claim.answers, claim.how)
    if _repeats(newest(at.reports).get(claim.source), claim) and game.absent is None:
        return scenario  # a repeated submission without a key
    if claim.word.by_sheet and game.state != GameState.OPEN:
        raise Refused("A result was reported already. Your private link lets you confirm it.")
    doubts: tuple[Doubt, ...] = ()
    if claim.how.how != Ending.NOT_PLAYED:
        doubts = system_of(event).check_answers(scenario, claim.answers)
        if claim.how.how is not None:
            doubts = tuple(doubt for doubt in doubts if not doubt.at_the_end)
        if not any(d.refused for d in doubts):
            bounds = bounds_of(s, event, game, scenario)
            doubts = (*doubts, *outside(bounds, claim.answers)) if bounds else doubts
    if any(d.refused for d in doubts) or (doubts and not claim.sure):
        raise Doubtful(doubts)
    if game.version != claim.version:
        raise Stale("Somebody else reported this game while you were writing. Look at it again before you send.")
    if the_round.kind == RoundKind.KNOCKOUT:
        view = round_view(s, event, s.get_one(Round, the_round.id))
        check_correction(s, event, game, view, claim.answers, claim.how)
    return scenario


def bounds_of(s: Session, event: Event, game: Game, scenario: Scenario) -> tuple[Bound, ...]:
    """What binds the figures of both sides; nothing for a player without a legal list that was handed in.

    No page shows it: it is read from lists that a reporter may not see.
    """
    system = system_of(event)
    if system.bounds is None:
        return ()
    found: list[Bound] = []
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    terms = terms_of(s, event)
    for side, player_id in sides:
        player = player_of(s, event, player_id) if player_id else None
        document = _played(s, event, game, player) if player else None
        if player is None or document is None or document["edition"] != event.edition:
            continue
        if verdict_of(event, document, terms_for(terms, player).fielded).legal:
            found += system.bounds(scenario, side, document, terms.edition)
    return tuple(found)


def _played(s: Session, event: Event, game: Game, player: Player) -> Document | None:
    """What a player brought to this game: with a sideboard, the force fielded from the roster."""
    if list_size(event) != event.size:
        fielded = fielded_of(s, game).get(player.id)
        return fielded.document if fielded else None
    force = force_of(s, player)
    return force.document if force and force.submitted_at else None


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
    return store(s, event, game, Claim(side, answers, version, sure, how, word), by, now)


def store(s: Session, event: Event, game: Game, claim: Claim, by: str, now: datetime) -> GameState:
    """As ``report``: check the claim under the event's lock, store it, and return the game's state."""
    return _store(s, event, _at_hand(s, game), claim, by, now)


def _store(s: Session, event: Event, at: GameAtHand, claim: Claim, by: str, now: datetime) -> GameState:
    game, reports = at.game, newest(at.reports)
    side, answers, how, word = claim.side, claim.answers, claim.how, claim.word
    scenario = check(s, event, at, claim)
    if _stays_in_play(event, at):
        current_write(s).in_play.add(game.id)
    own = reports.get(claim.source)
    if _repeats(own, claim) and game.absent is None:
        return game.state  # stored once
    new_reason = _repeats(own, replace(claim, word=PLAYERS_OWN)) and game.absent is None
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
    stand(game, scenario, {**reports, claim.source: stored})
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
        s, event, by, now, "report", f"Round {at.round.number}, table {game.table_number}: {said}",
        game=game.id, side=side, answers=dict(answers), before=before, after=game.state,
        **_particulars(how), **word.particulars(),
        **({} if effect is None else {"answers_before": was, "changes": effect.particulars()}),
    )  # fmt: skip
    return game.state


def _stays_in_play(event: Event, at: GameAtHand) -> bool:
    """Whether this game's result changes nothing that the other players' own pages show.

    So it is while another game of the round is to be played: the round stays incomplete. Not in a knockout, which shows
    who goes on, in a team event, and for a table with time of its own, which stands on the round's clock.
    """
    seen = at.round.kind == RoundKind.KNOCKOUT or is_team_event(event) or at.game.extra_seconds
    return at.others_open and not seen


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
    at = _at_hand(s, game)
    theirs = newest(at.reports).get(other)
    if theirs is None or other == side:
        raise Refused("There is no report to agree to yet.")
    if shown is not None and shown != digest_of(theirs):
        raise Stale("The report has changed since you opened this form. Look at it again.")
    claim = Claim(side, theirs.answers, version, sure=True, how=ended(theirs), word=word)
    return _store(s, event, at, claim, by, now)


def latest(s: Session, game: Game) -> Mapping[str, Report]:
    """The newest report of each source: each side's own, the organiser's, and SHEET for one from the paper sheet."""
    return newest(reports_of(s, game))


def newest(reports: Sequence[Report]) -> Mapping[str, Report]:
    """The same of a game's reports, which come oldest first."""
    return {source_of(report): report for report in reports}


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


def _repeats(own: Report | None, claim: Claim) -> bool:
    """Whether a side's newest report says the same already; a claim without a reason leaves the stored reason."""
    if own is None or own.answers != dict(claim.answers) or ended(own) != claim.how:
        return False
    return claim.word.reason in ("", own.reason)


def _particulars(how: Ended) -> dict[str, str]:
    """What the journal keeps of how a game ended; of one that was played out nothing."""
    return {} if how.how is None else {"ending": how.how, "awarded": how.awarded or "", "reason": how.reason}


def set_absent(
    s: Session, event: Event, game: Game, absent: Absent | None, *, version: int, actor: str, now: datetime
) -> None:
    """Who did not come to this game; None: they turned up, and what was reported before counts again.

    ``version`` is the game's that the organiser saw. Raises Refused, and Stale where somebody was quicker.
    """
    the_round = s.get_one(Round, game.round_id)
    if game.b_id is None or the_round.state != RoundState.PUBLISHED:
        raise Refused("This is no game that waits for its players.")
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed; open it again at the desk for a correction.")
    if game.absent == absent:
        return
    if settled := why_settled(round_views(s, event), the_round):
        raise Refused(settled)
    if game.version != version:
        raise Stale("Somebody else changed this game while you looked at it. Look at it again.")
    before = game.absent
    mark(s, event, game, absent)
    names = [who.name for id_, who in players_by_id(s, event).items() if id_ in missing(game, absent or before)]
    said = f"{' and '.join(names)} did not come" if absent else f"{' and '.join(names)} turned up"
    where = f"Round {the_round.number}, table {game.table_number}"
    note(
        s, event, actor, now, "no-show", f"{where}: {said}", game=game.id, before=before, after=absent
    )  # fmt: skip


def mark(s: Session, event: Event, game: Game, absent: Absent | None) -> None:
    """Store it with the game: decided without a result, or as its reports say."""
    game.absent = absent
    game.version += 1
    if absent is not None:
        game.state, game.answers = GameState.CONFIRMED, None
        set_ended(game, PLAYED_OUT)
        return
    scenario = scenario_in(s, event, s.get_one(Round, game.round_id), game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    stand(game, scenario, latest(s, game))


def missing(game: Game, absent: Absent | None) -> tuple[int, ...]:
    """The ids of the players who did not come."""
    ids = {Absent.A: (game.a_id,), Absent.B: (game.b_id,), Absent.BOTH: (game.a_id, game.b_id)}
    return tuple(id_ for id_ in ids[absent] if id_ is not None) if absent else ()


def forfeit(s: Session, event: Event, player: Player) -> int | None:
    """Who leaves with a published game that nobody has reported yet loses it. Returns its round, None without one."""
    for view in round_views(s, event):
        for game in view.games:
            if player.id not in (game.a_id, game.b_id) or game.b_id is None:
                continue
            if view.round.state == RoundState.PUBLISHED and game.state == GameState.OPEN:
                mark(s, event, game, Absent.A if player.id == game.a_id else Absent.B)
                return view.round.number
    return None
