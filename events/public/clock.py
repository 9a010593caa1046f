"""The clock of a round: start, pause, resume, stop, reset, give time. Only the actions and their times are stored.

If two organisers submit the same action, the first counts; accidentally repeated extra time is rejected.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime

from events.rounds.actions import reset_clock
from events.store.act import Act
from events.store.clock_queries import from_the_start
from events.store.errors import Refused, Stale
from events.store.journal import check_takes_place, note
from events.store.rounds import games_of, round_of
from events.tournament.clock import MOST_EXTRA, ClockRules, clock_text, planned_starts
from languages.message import counted_message, joined, message
from languages.words import gettext, ngettext
from models.event import Event, EventState, Round, RoundState


def start_round_clock(act: Act, number: int) -> None:
    """Start the clock. Raises Refused."""
    check_takes_place(act.event)
    the_round = _playing(act.event, number)
    if the_round.started_at is None:
        the_round.started_at, the_round.minutes = act.now, act.event.round_minutes
        sentence = message("Started the clock of round %(number)s", number=number)
        note(act, "start-clock", sentence, minutes=the_round.minutes)


def pause(act: Act, number: int) -> None:
    """Pause the clock. Raises Refused."""
    the_round = _begun(act.event, number)
    if the_round.paused_at is None and the_round.stopped_at is None:
        the_round.paused_at = act.now
        note(act, "pause-clock", message("Paused the clock of round %(number)s", number=number))


def resume(act: Act, number: int) -> None:
    """Resume a paused or stopped clock. Raises Refused."""
    the_round = _begun(act.event, number)
    since = the_round.paused_at or the_round.stopped_at
    if since is not None:
        # The machine's clock may have been set back, so a pause is never negative.
        still = max(0, round((act.now - since).total_seconds()))
        the_round.paused_seconds += still
        the_round.paused_at = the_round.stopped_at = None
        words = message("The clock of round %(number)s goes on after %(time)s", number=number, time=clock_text(still))
        note(act, "resume-clock", words, seconds=still)


def stop(act: Act, number: int) -> None:
    """Stop the clock: time is called. It can be resumed. Raises Refused."""
    the_round = _begun(act.event, number)
    if the_round.stopped_at is None:
        the_round.stopped_at = act.now
        note(act, "stop-clock", message("Stopped the clock of round %(number)s", number=number))


def put_back(act: Act, number: int) -> None:
    """Reset the clock to before its start; extra time stays. Raises Refused."""
    the_round = _begun(act.event, number)
    was = the_round.started_at.isoformat() if the_round.started_at else ""
    reset_clock(the_round)
    note(act, "put-back-clock", message("Reset the clock of round %(number)s", number=number), started_at=was)


def give_time(act: Act, number: int, minutes: int, was: int | None, *, table: int | None = None) -> None:
    """Give extra minutes to all tables or to one ``table``; negative minutes reduce them.

    ``was`` are the extra minutes on the organiser's page; None if it did not show them. Raises Stale if they have
    changed since, and Refused.
    """
    the_round = _playing(act.event, number)
    game = next((g for g in games_of(the_round) if g.table_number == table), None) if table is not None else None
    if table is not None and game is None:
        raise Refused(gettext("Round %(number)s has no table %(table)s.", number=number, table=table), "table")
    given = game or the_round
    before = given.extra_seconds // 60
    if was is not None and was != before:
        raise Stale(
            ngettext(
                "Another person changed this time: it is now %(num)s minute. Check it before you add more.",
                "Another person changed this time: it is now %(num)s minutes. Check it before you add more.",
                before,
            )
        )
    after = before + minutes
    if not 0 <= after <= MOST_EXTRA:
        raise Refused(
            ngettext(
                "Extra time must stay from 0 to %(num)s minute; this makes it %(minutes)s.",
                "Extra time must stay from 0 to %(num)s minutes; this makes it %(minutes)s.",
                MOST_EXTRA,
                minutes=after,
            ),
            "minutes",
        )
    given.extra_seconds = after * 60
    to = message("table %(table)s", table=table) if table is not None else message("every table")
    sentence = (
        counted_message(
            "Removed %(num)s minute from %(to)s in round %(number)s",
            "Removed %(num)s minutes from %(to)s in round %(number)s",
            -minutes,
            to=to,
            number=number,
        )
        if minutes < 0
        else counted_message(
            "Gave %(num)s minute more to %(to)s in round %(number)s",
            "Gave %(num)s minutes more to %(to)s in round %(number)s",
            minutes,
            to=to,
            number=number,
        )
    )
    note(act, "give-time", sentence, round=number, table=table, minutes=[before, after])


def set_times(act: Act, rules: ClockRules, starts: Sequence[datetime | None]) -> None:
    """Store breaks and calls, and each round's planned start; None to follow the round before. Raises Refused."""
    rounds = act.event.schedule
    if len(starts) != len(rounds):
        raise Stale(
            ngettext(
                "The event now has %(num)s round; nothing was stored. Reload the page.",
                "The event now has %(num)s rounds; nothing was stored. Reload the page.",
                len(rounds),
            )
        )
    begins = from_the_start(act.event, starts)
    planned = [at for at in planned_starts(begins, act.event.round_minutes, rules) if at is not None]
    if planned != sorted(set(planned)):
        raise Refused(gettext("Enter a start later than that of the round before."), "starts")
    changed: dict[str, object] = {}
    parts: list[object] = []
    if rules != act.event.clock_rules:
        changed["rules"] = [asdict(act.event.clock_rules), asdict(rules)]
        act.event.clock_rules = rules
        parts.append(message("rules"))
    for round_, at in zip(rounds, starts, strict=True):
        if round_.planned_at != at:
            changed[f"round {round_.number}"] = [m.isoformat() if m else None for m in (round_.planned_at, at)]
            parts.append(message("round %(number)s", number=round_.number))
            round_.planned_at = at
    if changed:
        note(act, "set-times", message("Changed the times: %(parts)s", parts=joined(parts)), changed=changed)


VERBS: dict[str, Callable[[Act, int], None]] = {
    "start": start_round_clock,
    "pause": pause,
    "resume": resume,
    "stop": stop,
    "put-back": put_back,
}
"""The actions on a clock, by the verb in the address."""


def _playing(event: Event, number: int) -> Round:
    the_round = round_of(event, number)
    if the_round is None or the_round.state != RoundState.PUBLISHED:
        raise Refused(gettext("Round %(number)s is not published: its clock cannot be started yet.", number=number))
    if event.state != EventState.IN_PROGRESS:
        raise Refused(gettext("The event is not in progress: no clock runs."))
    return the_round


def _begun(event: Event, number: int) -> Round:
    the_round = _playing(event, number)
    if the_round.started_at is None:
        raise Refused(gettext("The clock of round %(number)s has not been started.", number=number))
    return the_round
