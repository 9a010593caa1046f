"""Rounds: publish, unpublish, discard, exchange two players, cut to a knockout."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from events.lists import locks
from events.lists.locks import close_unlocked, lock_lists
from events.rounds.draft import seat_as_wanted
from events.rounds.drawing import clear_round, draw_round, drawn_or_refused
from events.rounds.formats import cut_now, knockout_plan, undo_cut, why_no_cut
from events.rounds.inputs import redraw_of
from events.rounds.outcome import best_costs
from events.rounds.seatings import Seating, as_pairs, odd_now, seatings, swapped
from events.rounds.team_boards import forget_choices, lay_boards
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.journal import check_not_over, check_takes_place, note
from events.store.notices import notified_of_round, notify
from events.store.outcomes import set_ended
from events.store.rounds import RoundView, games_of, request_drawn, round_of
from events.store.scenarios import scenarios_of
from events.store.team_queries import teams_of
from events.store.tournaments import load
from events.tournament.pairing.request import Evaluation, evaluate
from events.tournament.scores import PLAYED_OUT
from languages.message import counted_message, message
from languages.words import N_, gettext, ngettext
from models.dispatch import Occasion
from models.event import Event, EventState, Round, RoundState
from models.play import FieldedForce, Game, GameState, Report


def reset_clock(the_round: Round) -> None:
    the_round.started_at = the_round.minutes = the_round.paused_at = the_round.stopped_at = None
    the_round.paused_seconds = 0


@dataclass(frozen=True)
class UnpublishEffect:
    """What players lose when a published round is unpublished."""

    since: datetime
    choices: int
    """The number of forces chosen for its games from rosters."""
    first: bool
    """Whether it is the only published round: without it, the event has not started."""


def why_never_unpublished(event: Event, the_round: Round) -> str:
    """Why this published round cannot be unpublished, not even with its results; "" if it can."""
    if event.state == EventState.FINISHED:
        return gettext("This event is over.")
    if the_round.inputs is None:
        return gettext("Its games come from challenges.")
    if any(round_.number > the_round.number and round_.state != RoundState.PLANNED for round_ in event.schedule):
        return gettext("A later round is drawn already.")
    return ""


def why_not_unpublished(s: Session, event: Event, the_round: Round) -> str:
    """Why this published round cannot be unpublished as it is, in a sentence; "" if it can."""
    if reason := why_never_unpublished(event, the_round):
        return reason
    games = games_of(the_round)
    reported = _reported(s, games)
    if reported:
        numbers = [str(game.table_number) for game in games if game.id in reported]
        tables = ", ".join(numbers[:5])
        if len(numbers) > 5:
            tables = gettext("%(tables)s and more", tables=tables)
        still = gettext("A result can still be corrected.")
        if can_exchange(s, the_round):
            still = gettext(
                "Two players whose tables have not reported can still be exchanged, and a result can be corrected."
            )
        return ngettext(
            "Results are in (table %(tables)s): round %(number)s stays published. %(still)s",
            "Results are in (tables %(tables)s): round %(number)s stays published. %(still)s",
            len(numbers),
            tables=tables,
            number=the_round.number,
            still=still,
        )
    return ""


def can_exchange(s: Session, the_round: Round) -> bool:
    """Whether players of this published round can be exchanged: not in brackets, round robins or team events."""
    if the_round.inputs is None or request_drawn(the_round).format.kind != "swiss":
        return False
    games = [game for game in games_of(the_round) if not game.asked and game.match_id is None]
    return len(games) - len(_settled(s, games)) > 1  # drawn byes count too


def unpublish_effect(s: Session, event: Event, the_round: Round) -> UnpublishEffect:
    assert the_round.published_at is not None  # noqa: S101 - it is published
    others = [round_ for round_ in event.schedule if round_.state == RoundState.PUBLISHED and round_.id != the_round.id]
    return UnpublishEffect(the_round.published_at, len(_choices(s, games_of(the_round))), not others)


def unpublish(act: Act, number: int, *, with_results: bool = False) -> None:
    """Turn a published round back into a draft. Raises Refused if results were reported, unless ``with_results``.

    The results are removed from the event but stay readable in the journal. Games keep their codes, so printed sheets
    stay valid. Forces chosen for the games, and no-shows, are deleted. Lists locked with round 1 stay locked;
    registration reopens.
    """
    s, event = act.s, act.event
    the_round = round_of(event, number)
    if the_round is None or the_round.state != RoundState.PUBLISHED:
        raise Refused(gettext("Round %(number)s is not published.", number=number))
    if reason := why_never_unpublished(event, the_round) if with_results else why_not_unpublished(s, event, the_round):
        raise Refused(reason)
    effect = unpublish_effect(s, event, the_round)
    games = games_of(the_round)
    pairs = [[game.table_number, game.a_id, game.b_id] for game in games]
    reported = _reported(s, games)
    results = [[game.table_number, game.state, game.answers] for game in games if game.id in reported]
    _forget_choices(s, games)
    _forget_reports(s, games)
    for game in games:
        game.version += game.answers is not None or game.state != GameState.OPEN
        game.answers = None
        game.state, game.choosing_since, game.absent, game.goes_through = GameState.OPEN, None, None, None
        game.forfeited, game.extra_seconds = False, 0
        set_ended(game, PLAYED_OUT)
    forget_choices(s, event, the_round)
    the_round.state, the_round.published_at = RoundState.DRAWN, None
    reset_clock(the_round)
    the_round.extra_seconds = 0
    for player in event.players:
        if player.dropped_after == number:  # they dropped during this round: it is no longer their last one
            player.dropped_after = number - 1
        if player.no_show_kept == number:
            player.no_show_kept = None
    for team in teams_of(event):
        if team.dropped_after == number:
            team.dropped_after = number - 1
    if effect.first:
        event.state = EventState.REGISTRATION
    sentence = message("Took round %(number)s back to a draft", number=number)
    if results:
        sentence = counted_message(
            "Took round %(number)s back to a draft, with the results of %(num)s table",
            "Took round %(number)s back to a draft, with the results of %(num)s tables",
            len(results), number=number,
        )  # fmt: skip
    note(
        act,
        "unpublish-round",
        sentence,
        published_at=effect.since.isoformat(),
        choices=effect.choices,
        games=pairs,
        results=results,
    )


@dataclass(frozen=True)
class Exchange:
    """The effect of exchanging two players of a published round."""

    mark: str
    """Sent back by the form, to prove that it belongs to these games."""
    before: tuple[Seating, ...]
    """The two games before the exchange."""
    after: tuple[Seating, ...]
    was: Evaluation
    now: Evaluation
    warnings: tuple[str, ...]
    choices: int
    """The number of forces chosen for the two games; the exchange deletes them."""


def exchange(s: Session, event: Event, the_round: Round, number: int, other: int) -> Exchange:
    """The effect of exchanging these two players. Stores nothing. Raises Refused."""
    check_not_over(event)
    if the_round.state != RoundState.PUBLISHED:
        raise Refused(gettext("Round %(number)s is not published.", number=the_round.number))
    if the_round.inputs is None:
        raise Refused(gettext("These games come from challenges: players cannot be moved by hand."))
    games = games_of(the_round)
    if any(game.match_id for game in games):
        raise Refused(gettext("Captains choose the boards of a match: players cannot be moved by hand."))
    request = request_drawn(the_round)
    if request.format.kind != "swiss":
        raise Refused(gettext("This format has a fixed plan: players cannot be moved by hand."))
    before = seatings(games)
    wanted = swapped(before, number, other)
    touched = [game for game, seating in zip(games, before, strict=True) if seating not in wanted]
    for game in _settled(s, touched):
        if game.absent is None:
            reason = gettext(
                "Table %(table)s has reported a result: its players stay where they are. A result can be corrected.",
                table=game.table_number,
            )
        else:
            reason = gettext(
                "Table %(table)s has a no-show: its players stay where they are. "
                "Remove the no-show first if it is wrong.",
                table=game.table_number,
            )
        raise Refused(reason)
    names = {p.id: p.name for p in event.players}
    now = evaluate(request, *as_pairs(request, wanted))
    return Exchange(
        mark="-".join(sorted(game.code for game in touched)),
        before=tuple(seating for seating in before if seating not in wanted),
        after=tuple(seating for seating in wanted if seating not in before),
        was=evaluate(request, *as_pairs(request, before)),
        now=now,
        warnings=tuple(odd_now(now, before, wanted, names).values()),
        choices=len(_choices(s, touched)),
    )


def exchange_players(act: Act, number: int, player: int, other: int, mark: str) -> Exchange:
    """Exchange two players of a published round, as previewed under ``mark``.

    Both games get new codes, so their printed sheets become invalid. Raises Refused.
    """
    s, event = act.s, act.event
    the_round = round_of(event, number)
    if the_round is None:
        raise Refused(gettext("Round %(number)s is not published.", number=number))
    planned = exchange(s, event, the_round, player, other)
    if planned.mark != mark:
        raise Refused(gettext("These games were changed meanwhile. Check the preview again."))
    games = games_of(the_round)
    wanted = swapped(seatings(games), player, other)
    _forget_choices(s, [g for g, seating in zip(games, seatings(games), strict=True) if seating not in wanted])
    seat_as_wanted(s, the_round, wanted)
    for game in games_of(the_round):
        if game.b_id is None:
            game.state = GameState.CONFIRMED
    names = {p.id: p.name for p in event.players}
    tables = [seating.table for seating in planned.after if seating.table is not None]
    note(
        act,
        "exchange",
        message(
            "Exchanged %(name)s and %(other)s in the running round %(number)s",
            name=names[player],
            other=names[other],
            number=number,
        ),
        players=[player, other],
        tables=tables,
        before=planned.was.costs,
        after=planned.now.costs,
        engine=best_costs(the_round),
        warnings=planned.warnings,
        choices=planned.choices,
    )
    return planned


def _reported(s: Session, games: Sequence[Game]) -> set[int]:
    """The ids of the games with a valid report."""
    of_these = col(Report.game_id).in_([game.id for game in games])
    return set(s.exec(select(Report.game_id).where(of_these, col(Report.withdrawn_at).is_(None))))


def _settled(s: Session, games: Sequence[Game]) -> list[Game]:
    """The games that were reported or had a no-show."""
    reported = _reported(s, games)
    return [game for game in games if game.id in reported or (game.b_id is not None and game.state != GameState.OPEN)]


def _choices(s: Session, games: Sequence[Game]) -> Sequence[FieldedForce]:
    return s.exec(select(FieldedForce).where(col(FieldedForce.game_id).in_([game.id for game in games]))).all()


def _forget_choices(s: Session, games: Sequence[Game]) -> None:
    for chosen in _choices(s, games):
        s.delete(chosen)
    s.flush()  # delete the forces before their games


def _forget_reports(s: Session, games: Sequence[Game]) -> None:
    """Delete the reports of these games; the journal keeps them."""
    ids = [game.id for game in games]
    for report in s.exec(select(Report).where(col(Report.game_id).in_(ids))):
        s.delete(report)
    s.flush()  # delete the reports before their games


def make_cut(act: Act, seen: str | None, seed: int, *, scenarios: Sequence[str] = ()) -> Round:
    """Seed the knockout by the standings and draw its first round.

    ``seen`` is the mark of the cut on the page, None without a page. ``scenarios`` has an id for each round, "" to draw
    one; if empty, all are drawn. Raises Refused, and Stale if the cut changed.
    """
    event = act.event
    check_takes_place(event)
    loaded = load(event)
    if reason := why_no_cut(loaded.t):
        raise Refused(reason)
    cut = cut_now(loaded)
    if seen is not None and cut.mark != seen:
        raise Stale(gettext("The standings or the field changed since you looked. Check who is in the cut."))
    if not set(scenarios) <= {"", *scenarios_of(event)}:
        raise Refused(gettext("A chosen scenario was removed in the meantime: choose again."))
    number = len(loaded.views) + 1
    for place, (kind, bracket) in enumerate(knockout_plan(len(cut.rows))):
        scenario = scenarios[place] if place < len(scenarios) else ""
        event.schedule.append(Round(number=number + place, kind=kind, bracket=bracket, scenario=scenario or None))
    note(
        act,
        "cut",
        message("Cut to the top %(top)s by the standings after round %(number)s", top=len(cut.rows), number=number - 1),
        seeds=[int(row.id) for row in cut.rows],
    )
    return draw_round(act, number, seed)


def discard_draw(act: Act, number: int) -> None:
    s, event = act.s, act.event
    the_round = drawn_or_refused(event, number)
    loaded = load(event)
    clear_round(s, loaded.views[number - 1])
    the_round.state, the_round.seed, the_round.draw = RoundState.PLANNED, None, None
    if the_round.scenario_drawn:
        the_round.scenario, the_round.scenario_drawn = None, False
    undone = undo_cut(loaded, number)
    cut = N_("Discarded the draw of round %(number)s and the cut with it")
    text = cut if undone else N_("Discarded the draw of round %(number)s")
    note(act, "discard-draw", message(text, number=number))


def start(act: Act) -> None:
    """Start the event, or go on with it, and lock its lists. A draft stays closed for sign-ups, also if taken back."""
    event = act.event
    locks.apply_due_locks(act.s, event, act.now)
    if event.state == EventState.DRAFT:
        event.registration_opens, event.registration_closes = None, act.now
    event.state = EventState.IN_PROGRESS
    lock_lists(act, act.now)
    close_unlocked(act)


def clock_to_stop(views: Sequence[RoundView], number: int) -> Round | None:
    """The complete round before this one, if its clock still runs: publishing this round stops it."""
    before = views[number - 2] if number > 1 else None
    if before is None or not before.now.complete or before.round.started_at is None:
        return None
    return None if before.round.paused_at or before.round.stopped_at else before.round


def publish_round(act: Act, number: int, *, sure: bool = False, quiet: bool = False) -> None:
    """Publish a drawn round; ``quiet`` sends no notice to players.

    The first round starts the event; every round locks all lists and stops the clock of the round before. A stale draw
    is rejected unless the organiser is ``sure``; in a knockout always, because later rounds depend on it.
    """
    s, event = act.s, act.event
    check_takes_place(event)
    the_round = drawn_or_refused(event, number)
    loaded = load(event)
    redraw = redraw_of(loaded, number)
    if redraw is not None and (redraw.must or not sure):
        raise Refused(redraw.why)
    if matches := loaded.views[number - 1].matches:
        lay_boards(act, the_round, matches, loaded.players)
    the_round.state, the_round.published_at = RoundState.PUBLISHED, act.now
    if (before := clock_to_stop(loaded.views, number)) is not None:
        before.stopped_at = act.now
        note(act, "stop-clock", message("Stopped the clock of round %(number)s", number=before.number))
    for game in games_of(the_round):
        if game.b_id is None:
            game.state = GameState.CONFIRMED
    start(act)
    if not quiet:
        notified = notified_of_round(games_of(the_round), loaded.players)
        notify(s, Occasion.ROUND, f"round {the_round.id}", notified, act.now)
    despite = N_("Published round %(number)s, although the standings or the field had changed after the draw")
    text = despite if redraw else N_("Published round %(number)s")
    note(act, "publish-round", message(text, number=number), round=number)
