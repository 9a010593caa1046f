"""The lock of the force lists: its deadline, single lists unlocked after it, and the reveal."""

import json
import secrets
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from events.store.act import Act
from events.store.editions import edition_of
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.store.players import has_place, placed
from events.store.verdicts import forces_of, keep_verdict, terms_of
from events.store.visitor import CLOCK
from events.tournament.clock import in_utc
from events.visitors.access import list_open, lists_locked, lists_shown
from languages.dates import dated
from languages.message import counted_message, message
from languages.words import N_, gettext, ngettext
from models.event import Event, EventState, RoundState
from models.parts import load_parts
from models.play import ForceList, ListSeal, Player
from models.settings import ListsInPlay, ListsShown
from validators.strict_json import canonical_text, sha256_of


def check_deadline(
    deadline: datetime | None, zone: str, last_day: date, now: datetime, field: str = "list_deadline"
) -> None:
    """Raise Refused, at ``field``, for a new deadline that has passed or comes after the event's last day.

    A past deadline would lock and show all lists at once, without warning the players.
    """
    if deadline is None:
        return
    if deadline <= now:
        raise Refused(
            gettext(
                "The new deadline must be in the future. To lock lists now, use “Lock all lists now” "
                "on the page of lists."
            ),
            field,
        )
    if deadline.astimezone(ZoneInfo(zone)).date() > last_day:
        raise Refused(
            gettext(
                "The deadline must not come after the event's last day, %(last_day)s.",
                last_day=dated(last_day, "%-d %B %Y"),
            ),
            field,
        )


def check_still_ahead(event: Event, now: datetime) -> None:
    """Raise Refused for a draft event whose deadline has passed, because opening it would lock all lists at once."""
    if event.list_deadline is not None and event.list_deadline <= now:
        passed = event.list_deadline.astimezone(ZoneInfo(event.timezone))
        raise Refused(
            gettext(
                "The list deadline, %(passed)s, has passed. Set a later deadline in the settings, or "
                "remove it. Then open registration.",
                passed=dated(passed, "%-d %B %Y, %H:%M"),
            )
        )


def sealed_at(force: ForceList, due: datetime, now: datetime) -> datetime:
    """The time of a list's seal: ``due``, or ``now`` if the list was changed or submitted after ``due``."""
    changes = [force.saved_at, force.submitted_at or due, force.sent_back_at or due]
    return due if max(changes) <= due else now


THE_LOCK = "the lock"
SITTING = timedelta(minutes=15)
EXPIRED = select(Player).where(
    col(Player.event_id) == bindparam("event"), col(Player.list_unlocked_until) <= bindparam("now")
)


def is_due(s: Session, event: Event, now: datetime, unlocked: Sequence[datetime] | None = None) -> bool:
    """Whether a lock, a reveal or the end of an unlocking is due but not stored yet.

    ``unlocked`` are the times at which unlocked lists lock again, if already loaded.
    """
    if event.state == EventState.DRAFT:
        return False
    if event.lists_locked_at is None:
        return lists_locked(event, now)
    if event.lists_revealed_at is None and lists_shown(event, now):
        return True
    return bool(_expired(s, event, now)) if unlocked is None else any(moment <= now for moment in unlocked)


def apply_due_locks(s: Session, event: Event, now: datetime) -> None:
    """Store the due lock, reveal and ends of unlockings.

    Once the lock is stored, neither setting the clock back nor a later deadline reopens the lists. A draft event's
    deadline locks nothing.
    """
    if event.state == EventState.DRAFT:
        return
    clock = Act(s, event, CLOCK, now)
    if lists_locked(event, now):
        lock_lists(clock, event.list_deadline or now)
    if event.lists_locked_at is None:
        return
    for player in _expired(s, event, now):
        _end_unlocking(event, player, player.list_unlocked_until or now, now)
        note(clock, "lock-list", message("The list of %(name)s is locked again", name=player.name), player=player.id)
    if event.lists_revealed_at is None and lists_shown(event, now):
        _show(clock)


def lock_lists(act: Act, at: datetime) -> None:
    """Lock all lists as of ``at`` and seal each; a list changed after ``at`` is sealed as of ``now``.

    Does nothing if they are locked already. The journal's number counts only submitted lists.
    """
    event = act.event
    if event.lists_locked_at is not None:
        return
    event.lists_locked_at = at
    forces = forces_of(event)
    load_parts(event.players, "seals")
    entered, terms = event.players, terms_of(event)
    for player in entered:
        if player.id in forces:
            seal(player, forces[player.id], THE_LOCK, sealed_at(forces[player.id], at, act.now))
            keep_verdict(event, player, forces[player.id], terms)
    count = sum(p.id in forces and forces[p.id].submitted for p in placed(entered))
    note(act, "lock-lists", counted_message("Locked %(num)s list", "Locked %(num)s lists", count), count=count)
    if lists_shown(event, act.now):
        _show(act)


def lock_now(act: Act) -> None:
    if lists_locked(act.event, act.now):
        raise Refused(gettext("The lists are locked already."))
    lock_lists(act, act.now)


def reopen_lists(act: Act, deadline: datetime | None) -> None:
    """Open all lists again before round 1. They are secret until they lock again: at ``deadline``, or with round 1."""
    event = act.event
    if any(r.state == RoundState.PUBLISHED for r in event.schedule):
        raise Refused(gettext("Round 1 is published: lists stay locked. One player's list can still be unlocked."))
    if not lists_locked(event, act.now):
        raise Refused(gettext("The lists are open."))
    check_deadline(deadline, event.timezone, event.ends_on, act.now, "deadline")
    event.lists_locked_at = event.lists_revealed_at = None
    event.list_deadline = deadline
    for player in event.players:
        player.list_unlocked_at = player.list_unlocked_until = None
    for force in forces_of(event).values():
        force.kept_queries = None
    text = message("Opened all lists again, until round 1")
    if deadline:
        text = message("Opened all lists again, until %(time)s", time=_local(event, deadline))
    note(act, "reopen-lists", text)


def reveal(act: Act) -> None:
    if not lists_locked(act.event, act.now):
        raise Refused(gettext("The lists are still open: lock them before everybody reads them."))
    if lists_shown(act.event, act.now):
        raise Refused(gettext("Everybody can read the lists already."))
    _show(act)


def unlock(act: Act, player: Player, until: datetime | None) -> None:
    """Let one player change their locked list until a time, or until staff lock it again."""
    check_not_over(act.event)
    if not lists_locked(act.event, act.now):
        raise Refused(gettext("The lists are open: there is nothing to unlock."))
    if until is not None and until <= act.now:
        raise Refused(gettext("The time must be in the future."), "until")
    player.list_unlocked_at, player.list_unlocked_until = act.now, until
    text = message("Unlocked the list of %(name)s until it is locked again", name=player.name)
    if until:
        text = message("Unlocked the list of %(name)s until %(time)s", name=player.name, time=_local(act.event, until))
    note(act, "unlock-list", text, player=player.id)


def give_late_time(act: Act, player: Player) -> None:
    """Let a player who gets a place after the lock submit a list, for the event's time for late lists.

    Does nothing for a player who had submitted one. The next round that is published ends it.
    """
    event = act.event
    begun = event.state in (EventState.REGISTRATION, EventState.IN_PROGRESS)
    if not event.late_list_hours or not begun or not lists_locked(event, act.now):
        return
    force = player.force_list
    if not has_place(player) or (force is not None and force.submitted):
        return
    until = act.now + timedelta(hours=event.late_list_hours)
    player.list_unlocked_at, player.list_unlocked_until = act.now, until
    text = N_("%(name)s can submit a list until %(time)s: they got their place after the lock")
    note(act, "unlock-list", message(text, name=player.name, time=_local(act.event, until)), player=player.id)


def lock_again(act: Act, player: Player) -> None:
    if player.list_unlocked_at is None:
        raise Refused(gettext("This list is not unlocked."))
    _end_unlocking(act.event, player, act.now, act.now)
    note(act, "lock-list", message("Locked the list of %(name)s again", name=player.name), player=player.id)


def close_unlocked(act: Act) -> None:
    """Lock every unlocked list again, when a round is published or the event is over."""
    for player in act.event.players:
        if player.list_unlocked_at is not None:
            lock_again(act, player)


def follow_change(act: Act, player: Player, force: ForceList) -> None:
    """After a change to a list: seal it again if it is locked, and show its faction if lists are shown."""
    if list_open(act.event, player, act.now):
        return
    seal(player, force, act.actor, _after_lock(act.event, act.now))
    keep_verdict(act.event, player, force, terms_of(act.event))
    if lists_shown(act.event, act.now):
        _show_faction(act.event, player, force)


def seal(player: Player, force: ForceList, by: str, at: datetime) -> None:
    """Store the force with a salt, and the SHA-256 of both.

    An unchanged force is sealed again only if it was a draft and is now submitted, because others never see a draft's
    seal. The builder saves after every button, so the changes of one sitting share one seal.
    """
    newest = next(reversed(player.seals), None)
    submitted = force.submitted
    if newest is not None and json.loads(newest.text)["force"] == force.document:
        if by == THE_LOCK:  # lists were reopened in the meantime
            newest.submitted = submitted
        if newest.submitted or not submitted:
            return
    text = canonical_text({"force": force.document, "salt": secrets.token_hex(16)})
    if newest is not None and newest.by == by != THE_LOCK and at - newest.at < SITTING:
        newest.text, newest.sha256, newest.at, newest.submitted = text, sha256_of(text), at, submitted
        return
    player.seals.append(ListSeal(at=at, by=by[:120], sha256=sha256_of(text), text=text, submitted=submitted))


def _expired(s: Session, event: Event, now: datetime) -> list[Player]:
    return list(s.exec(EXPIRED, params={"event": event.id, "now": now}))


def _end_unlocking(event: Event, player: Player, at: datetime, now: datetime) -> None:
    player.list_unlocked_at = player.list_unlocked_until = None
    force = player.force_list
    if force is not None:
        seal(player, force, f"player {player.name}", _after_lock(event, sealed_at(force, at, now)))
        keep_verdict(event, player, force, terms_of(event))
        if lists_shown(event, at):
            _show_faction(event, player, force)


def _show(act: Act) -> None:
    event = act.event
    event.lists_revealed_at = act.now
    forces = forces_of(event)
    for player in event.players:
        if player.id in forces and not list_open(event, player, act.now):
            _show_faction(event, player, forces[player.id])
    note(act, "reveal-lists", message("Everybody can read the lists"))


def _show_faction(event: Event, player: Player, force: ForceList) -> None:
    # The faction of a secret force or a draft is secret as well.
    if force.submitted and force.document["faction"] in edition_of(event).factions:
        player.faction = force.document["faction"]


def _after_lock(event: Event, at: datetime) -> datetime:
    # Otherwise setting the clock back would let a list changed after the lock count as on time.
    locked = event.lists_locked_at
    return at if locked is None or at > locked else locked + timedelta(seconds=1)


def _local(event: Event, moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(event.timezone))


def shown_when(event: Event) -> str:
    """When everyone may read the lists: a time or a condition, to follow "secret until"."""
    if event.lists_in_play == ListsInPlay.EVERYBODY and event.lists_shown in (
        ListsShown.ON_PRESS,
        ListsShown.AFTER_EVENT,
    ):
        return gettext("round 1 is published")
    if event.lists_shown == ListsShown.ON_PRESS:
        return gettext("the organiser shows them")
    if event.lists_shown == ListsShown.AFTER_EVENT:
        return gettext("the event is over")
    moment = event.lists_shown_from if event.lists_shown == ListsShown.AT_TIME else event.list_deadline
    return _hour(event, moment) if moment else gettext("round 1 is published")


def secret_until(event: Event, now: datetime) -> str:
    """The same for a visitor to whom lists are secret; once everyone may read them, it is a player who writes late."""
    return gettext("your own list is locked") if lists_shown(event, now) else shown_when(event)


def due_words(event: Event) -> str:
    if event.list_deadline is None:
        return gettext("Submit it on your player page before round 1; after that it cannot change.")
    zone, utc = event.timezone, in_utc(event.list_deadline, event.timezone)
    due = f"{_hour(event, event.list_deadline)} ({zone if zone == 'UTC' else f'{zone}, {utc}'})"
    return gettext("Submit it on your player page by %(due)s; after that it cannot change.", due=due)


def reveal_words(event: Event) -> str:
    if event.lists_shown == ListsShown.AT_LOCK:
        return gettext("Lists are secret until then. After that, everyone can read them.")
    opponents = event.lists_in_play == ListsInPlay.OPPONENTS
    secret = gettext(
        "Lists are secret until %(shown_when)s. The SHA-256 of each list is published when it locks: it proves "
        "that the list was not changed.",
        shown_when=shown_when(event),
    )
    between = gettext("While a round is played, opponents read each other's lists.")
    return f"{secret} {between}" if opponents else secret


def late_words(event: Event, now: datetime) -> str:
    """What players who get a place now can do about a list, in sentences; "" before the lock."""
    if not lists_locked(event, now):
        return ""
    if not event.late_list_hours:
        return gettext("The lists are locked: you cannot submit one. Ask the organiser before you register.")
    return ngettext(
        "The lists are locked. You have %(num)s hour for yours once you have a place, at most until the next round is "
        "published. Until then you do not see the other lists.",
        "The lists are locked. You have %(num)s hours for yours once you have a place, at most until the next round is "
        "published. Until then you do not see the other lists.",
        event.late_list_hours,
    )


def _hour(event: Event, moment: datetime) -> str:
    return dated(moment.astimezone(ZoneInfo(event.timezone)), "%A %-d %B %Y, %H:%M")
