"""Make an event, change its settings, open and finish it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from events.journal.calendar import PLANNED_BY
from events.journal.setting_words import changes_text
from events.lists.actions import carry_over, confirm_affected, turned
from events.lists.locks import apply_due_locks, check_deadline, check_still_ahead, close_unlocked
from events.registration.payments import change_fee
from events.registration.places import fill_places
from events.registration.questions import questions_of, valid_answers
from events.registration.sign_ups import clear_addresses
from events.setup.event_life import still_open
from events.setup.freezes import refuse_frozen
from events.setup.moving import WouldMove, check_first_day, mark_of, moves
from events.standings.published_awards import is_corrected, publish_awards
from events.standings.queries import standings_of
from events.standings.soft_scores import close_all
from events.store.act import Act
from events.store.clock_queries import announcements_of
from events.store.editions import editions_of, system_by_id, system_of
from events.store.errors import Refused
from events.store.journal import check_takes_place, entries_of_kind, note
from events.store.notices import notify
from events.store.rounds import each_table_draws, first_stage
from events.store.scenarios import MIXED, known_scenarios, mixed_scales
from events.store.tournaments import load
from events.store.verdicts import terms_of
from events.tournament.clock import NO_SUCH_HOUR, local_date, utc_times_of
from events.tournament.figures import DEFAULT_TIE_BREAKS, VP_SHARE
from events.visitors.queries import account_role
from events.web.parsing import slug_of, unused_slug
from languages.dates import dated
from languages.message import counted_message, message
from languages.words import gettext
from models.base import new_seed
from models.dispatch import Occasion
from models.event import Event, EventState, Round, RoundState
from models.people import Account
from models.play import Player, PlayerState
from models.settings import EventSettings, ListsShown, Repeats, ReportDetail, SignUpBy
from models.staff import Role, Staff
from validators.contract import Terms
from validators.game_system import GameSystem
from validators.restrictions import UnknownNames, spelt

PRESSED_TWICE = timedelta(minutes=1)
"""How long a form with the same name, place and day counts as a repeated submission."""
DEFAULT_PLACES = 32
"""Places of a new event: club events have 8 to 40 players."""
DEFAULT_ROUNDS = 3
SHORTEST = timedelta(hours=12)
"""The least time that the deadline of a new event leaves for lists."""


class PlannedEvent(EventSettings):
    """An event's settings and the scenario of each round; "" draws it from ``scenario_pool``."""

    scenarios: tuple[str, ...] = ()


def default_settings(
    system: GameSystem, name: str, place: str, starts_on: date, timezone: str, now: datetime
) -> PlannedEvent:
    """Settings from three fields: one day, the game's default size and newest edition, lists due the evening before.

    A deadline that is past or too near is left out; lists then lock when round 1 is published.
    """
    pool = tuple(scenario.id for scenario in system.scenarios if scenario.usual)
    eve = datetime.combine(starts_on - timedelta(days=1), time(20), tzinfo=ZoneInfo(timezone))
    return PlannedEvent(
        name=name,
        place=place,
        starts_on=starts_on,
        ends_on=starts_on,
        timezone=timezone,
        system=system.id,
        edition=system.editions[0].id,
        size=system.default_size,
        list_deadline=eve if eve - now > SHORTEST else None,
        places=DEFAULT_PLACES,
        rounds=DEFAULT_ROUNDS,
        round_minutes=90,
        points_win=3,
        points_draw=1,
        points_loss=0,
        tie_breaks=list(DEFAULT_TIE_BREAKS if system.scoring.one_scale else (VP_SHARE, *DEFAULT_TIE_BREAKS[1:])),
        scenario_pool=list(pool),
        scenarios=planned(pool, DEFAULT_ROUNDS),
    )


def planned(pool: Sequence[str], rounds: int) -> tuple[str, ...]:
    """Scenarios drawn from the pool; if it is too small, those of the pool in order, repeatedly."""
    return ("",) * rounds if rounds <= len(pool) else tuple(pool[place % len(pool)] for place in range(rounds))


def settings_of(event: Event) -> PlannedEvent:
    planned_rounds = event.schedule[: event.rounds]  # without those of a cut
    scenarios = tuple("" if r.scenario is None or r.scenario_drawn else r.scenario for r in planned_rounds)
    return PlannedEvent(**_columns(event), scenarios=scenarios)


def create_event(s: Session, settings: PlannedEvent, actor: str, now: datetime, owner: Account | None = None) -> Event:
    """Create a draft event with its rounds. A form submitted twice creates one event. Raises Refused.

    Without an ``owner``, as from the shell, the next organiser who is set up owns it.
    """
    _check(s, settings)
    check_deadline(settings.list_deadline, settings.timezone, settings.ends_on, now)
    values = _columns(settings)
    just_made = s.exec(
        select(Event).where(
            Event.name == settings.name,
            Event.place == settings.place,
            Event.starts_on == settings.starts_on,
            Event.state == EventState.DRAFT,
            col(Event.created_at) > now - PRESSED_TWICE,
        )
    ).first()
    if just_made is not None and (owner is None or account_role(s, just_made, owner) == Role.OWNER):
        return just_made
    event = Event(slug=free_slug(s, settings.name), seed=new_seed(), created_at=now, changed_at=now, **values)
    s.add(event)
    s.flush()  # assigns the event's id for its rounds and its owner
    if owner is not None:
        s.add(Staff(event_id=event.id, account_id=owner.id, role=Role.OWNER, since=now))
    for number, scenario in enumerate(settings.scenarios, start=1):
        event.schedule.append(Round(number=number, scenario=scenario or None))
    note(
        Act(s, event, actor, now),
        "create-event",
        message("Created the event %(name)s", name=event.name),
        **_printable(settings),
    )
    return event


def change_settings(
    act: Act, settings: PlannedEvent, *, seen: str = "", moved_seen: str | None = None, staying: Collection[str] = (),
    fee_for: str = "",
) -> list[Player]:  # fmt: skip
    """Replace the settings. Drawn rounds stay as they are. Returns the players who have a place now.

    What ``moving.moves`` names moves with the first day, except the keys in ``staying``. Raises Refused; WouldAffect
    if lists would be affected and ``seen`` is not the mark of exactly these lists; WouldMove if other dates would move
    and ``moved_seen`` is not the mark of exactly these moves. None asks about no moves. ``fee_for``: as ``change_fee``.
    """
    s, event = act.s, act.event
    apply_due_locks(s, event, act.now)  # a passed deadline has already locked the lists
    before = settings_of(event)
    moving_dates = moves(event, event.schedule, before, settings, act.now)
    moved = {move.key: move.stayed if move.key in staying else move.after for move in moving_dates}
    settings = settings.model_copy(update={key: moved[key] for key in moved if key in EventSettings.model_fields})
    refuse_frozen(act, dict(before), dict(settings))
    rounds = event.schedule
    _check_drawn(s, event, rounds, settings)
    moving = moving_dates and event.lists_locked_at is None
    change_fee(act, settings, fee_for)
    if settings.list_deadline != before.list_deadline or moving:  # an unchanged deadline may have passed
        check_deadline(settings.list_deadline, settings.timezone, settings.ends_on, act.now)
    check_first_day(event, settings.starts_on)
    if before.repeats == Repeats.NEVER != settings.repeats:
        _check_no_next(s, event)
    everybody, members_first = settings.everybody_from, settings.sign_up_by == SignUpBy.MEMBERS_FIRST
    is_set = (everybody, settings.sign_up_by) != (before.everybody_from, before.sign_up_by) and not moving_dates
    if members_first and is_set and everybody and everybody <= act.now:
        raise Refused(gettext("Enter a time in the future."), "everybody_from")
    asked = moving_dates and settings.starts_on != before.starts_on and moved_seen is not None
    if asked and moved_seen != mark_of(moving_dates):
        raise WouldMove(moving_dates, mark_of(moving_dates))
    affected = confirm_affected(event, _new_terms(s, event, settings), seen)
    for column, value in _columns(settings).items():
        setattr(event, column, value)
    others = _move_others(event, rounds[: before.rounds], moved)
    if settings.questions != before.questions:
        for player in event.players:
            player.answers = valid_answers(questions_of(event), player.answers or {})
    carry_over(act, affected)
    _plan_rounds(event, rounds[: before.rounds], settings.scenarios)
    old, new = _printable(before), _printable(settings)
    changed = {key: (old[key], new[key]) for key in new if old[key] != new[key]} | others
    if changed:
        note(
            act,
            "change-settings",
            message(
                "Changed the settings: %(settings)s",
                settings=changes_text(changed, {move.key: move.said for move in moving_dates}),
            ),
            changed=changed,
            lists=turned(affected),
        )
    if event.state != EventState.DRAFT and not changed.keys().isdisjoint(PLANNED_BY):
        here = [player.id for player in event.players if player.state != PlayerState.DROPPED]
        notify(s, Occasion.MOVED, f"settings {int(act.now.timestamp())}", here, act.now)
    return fill_places(act)[0]


def _move_others(event: Event, rounds: Sequence[Round], moved: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Move the dates that other pages set: check-in, and planned starts of rounds. Returns old and new by key."""
    changed = {}
    rows: list[tuple[str, Event | Round, str]] = [(key, event, key) for key in ("check_in_from", "check_in_until")]
    rows += [(f"round {round_.number}", round_, "planned_at") for round_ in rounds]
    for key, row, column in rows:
        old, new = getattr(row, column), moved.get(key)
        if new is not None and new != old:
            setattr(row, column, new)
            changed[key] = (old.isoformat(), new.isoformat())
    return changed


def _check_drawn(s: Session, event: Event, rounds: Sequence[Round], settings: PlannedEvent) -> None:
    """Check the settings with the scenarios of drawn rounds, whose number stays. Raises Refused."""
    planned_rounds, of_cut = rounds[: event.rounds], rounds[event.rounds :]
    fixed = [round_.scenario or "" for round_ in planned_rounds if round_.state != RoundState.PLANNED]
    sets_rounds = first_stage(event).sets_rounds
    if settings.rounds != event.rounds and (of_cut or (fixed and sets_rounds)):
        why = gettext(
            "The format sets the number of rounds, and round 1 is drawn: the number of rounds can no longer change."
        )
        if of_cut:
            why = gettext("The knockout is drawn: the number of rounds can no longer change.")
        raise Refused(why, "rounds")
    if settings.rounds < len(fixed):
        raise Refused(gettext("Enter at least %(n)s: so many rounds are drawn already.", n=len(fixed)), "rounds")
    scenarios = (*fixed, *settings.scenarios[len(fixed) :])
    as_drawn = settings.model_copy(update={"scenarios": scenarios})
    _check(s, as_drawn, repeats=sets_rounds, per_table=each_table_draws(event))


def _plan_rounds(event: Event, rounds: Sequence[Round], scenarios: Sequence[str]) -> None:
    """Store the scenarios of rounds that are not drawn, and add or remove rounds."""
    for number, scenario in enumerate(scenarios, start=1):
        if number > len(rounds):
            event.schedule.append(Round(number=number, scenario=scenario or None))
        elif rounds[number - 1].state == RoundState.PLANNED:
            rounds[number - 1].scenario = scenario or None
    for surplus in rounds[len(scenarios) :]:
        event.schedule.remove(surplus)


def _new_terms(s: Session, event: Event, settings: PlannedEvent) -> Terms:
    """The event's terms with the settings' size and edition. Raises Refused if its restrictions do not fit."""
    edition = editions_of(s, system_of(event))[settings.edition]
    restrictions = event.restrictions
    try:
        restrictions = spelt(restrictions, edition.names, edition.factions)
    except UnknownNames as unknown:
        raise Refused(
            gettext("The rules added by this event do not fit this edition. %(unknown)s", unknown=unknown), "edition"
        ) from unknown
    if restrictions.roster_size is not None and settings.size >= restrictions.roster_size:
        raise Refused(
            gettext("Enter a size below %(n)s, the roster size of the sideboard.", n=restrictions.roster_size), "size"
        )
    return replace(terms_of(event), edition=edition, size=settings.size, restrictions=restrictions)


def open_registration(act: Act) -> None:
    """Publish the event and let players sign up. Raises Refused."""
    if act.event.state != EventState.DRAFT:
        raise Refused(gettext("Registration was opened already."))
    check_takes_place(act.event)
    check_still_ahead(act.event, act.now)
    act.event.state = EventState.REGISTRATION
    note(act, "open-registration", message("Opened registration"))


def finish(act: Act) -> None:
    """Close the event and make its standings final; its announcements end. Raises Refused."""
    s, event = act.s, act.event
    loaded = load(event)
    t = loaded.t
    if event.state != EventState.IN_PROGRESS:
        raise Refused(gettext("Only an event in progress can be closed."))
    published = [view for view in loaded.views if view.round.state == RoundState.PUBLISHED]
    if open_games := [(view, game) for view in published for game in view.games if view.is_open(game)]:
        raise Refused(still_open(event, open_games))
    if any(round_.state != "planned" and not round_.complete for round_ in t.rounds):
        raise Refused(
            gettext("A round is drawn but not published, or its boards are chosen: publish or discard it first.")
        )
    if is_corrected(s, event, standings_of(event, t, loaded.players)):
        raise Refused(gettext("The published awards and final standings are no longer those of the results."))
    close_unlocked(act)
    close_all(act)
    event.state = EventState.FINISHED
    if event.awards_published is not None:
        publish_awards(act)
    clear_addresses(loaded.players)
    for announcement in announcements_of(s, event, act.now):
        announcement.shown_until = act.now
    apply_due_locks(s, event, act.now)
    line = counted_message("Closed the event after %(num)s round", "Closed the event after %(num)s rounds", t.counted)
    if not first_stage(event).has_rounds:
        line = message("Closed the season")
    note(act, "finish-event", line)


def reopen(act: Act) -> None:
    """Reopen a finished event for a correction. Raises Refused."""
    if act.event.state != EventState.FINISHED:
        raise Refused(gettext("Only a finished event can be opened again."))
    act.event.state = EventState.IN_PROGRESS
    note(act, "reopen-event", message("Opened the event again"))


def _check_no_next(s: Session, event: Event) -> None:
    """Refuse that a second series begins: the rule of repeating went on to the next event."""
    for entry in entries_of_kind(s, event, "repeat-event"):
        made = s.get(Event, entry.details.get("made"))
        if made is not None:
            text = gettext("The next event is made already: set this in the settings of %(name)s.", name=made.name)
            raise Refused(text, "repeats")


def _check(s: Session, settings: PlannedEvent, *, repeats: bool = False, per_table: bool = False) -> None:
    system = system_by_id(s, settings.system)
    if system is None or settings.edition not in editions_of(s, system):
        raise Refused(gettext("Choose one of the editions listed."), "edition")
    opens, closes = settings.registration_opens, settings.registration_closes
    if opens and closes and closes <= opens:
        raise Refused(gettext("Registration must close after it opens."), "registration_closes")
    everybody = settings.everybody_from if settings.sign_up_by == SignUpBy.MEMBERS_FIRST else None
    if everybody and opens and everybody <= opens:
        raise Refused(gettext("Enter a time after registration opens."), "everybody_from")
    if everybody and closes and everybody >= closes:
        raise Refused(gettext("Enter a time before registration closes."), "everybody_from")
    if everybody and local_date(everybody, settings.timezone) > settings.ends_on:
        raise Refused(gettext("Enter a time before the end of the event."), "everybody_from")
    begins = time.fromisoformat(settings.starts_at) if settings.starts_at else None
    if begins and not utc_times_of(datetime.combine(settings.starts_on, begins), settings.timezone):
        raise Refused(gettext(NO_SUCH_HOUR), "starts_at")
    if closes and local_date(closes, settings.timezone) > settings.ends_on:
        raise Refused(
            gettext(
                "Registration must close by the event’s last day, %(day)s.", day=dated(settings.ends_on, "%-d %B %Y")
            ),
            "registration_closes",
        )
    if settings.ends_on < settings.starts_on:
        raise Refused(gettext("The last day must not be before the first."), "ends_on")
    if settings.lists_shown == ListsShown.AT_TIME:
        if settings.lists_shown_from is None:
            raise Refused(gettext("Enter the day and the time."), "lists_shown_from")
        if settings.list_deadline and settings.lists_shown_from < settings.list_deadline:
            raise Refused(gettext("Lists cannot be shown before they are locked."), "lists_shown_from")
    if not (settings.points_win > 0 and settings.points_win >= settings.points_draw >= settings.points_loss):
        raise Refused(gettext("A win must be worth at least as much as a draw, and a draw as a loss."), "points_win")
    if settings.points_table is not None and settings.report_detail == ReportDetail.OUTCOME:
        raise Refused(
            gettext("A report of win, draw or loss has no VP difference. Clear the table, or choose another report."),
            "points_table",
        )
    chosen = [x for x in settings.scenarios if x]
    scenarios = known_scenarios(s, system)
    if not {*chosen, *settings.scenario_pool} <= set(scenarios):
        raise Refused(gettext("A chosen scenario was removed in the meantime: choose again."), "scenario_pool")
    if len(settings.scenarios) != settings.rounds:
        raise Refused(gettext("Choose a scenario for every round, or “Drawn from the pool”."), "rounds")
    if not per_table and not repeats:
        check_pool(settings.rounds - len(chosen), settings.scenario_pool, chosen)
    if per_table and len(chosen) < settings.rounds and not settings.scenario_pool:
        raise Refused(
            gettext(
                "The tables draw their scenarios from the pool. Add scenarios "
                "to the pool, or choose one for each round."
            ),
            "scenario_pool",
        )
    if (
        per_table
        and len(chosen) < settings.rounds
        and settings.report_detail != ReportDetail.OUTCOME
        and mixed_scales(system, settings.tie_breaks, settings.scenario_pool)
    ):
        raise Refused(gettext(MIXED), "scenario_pool")


def check_pool(to_draw: int, pool: Sequence[str], chosen: Sequence[str]) -> None:
    """Check that the pool has a scenario for each round that draws one. Raises Refused."""
    free = set(pool) - set(chosen)
    if to_draw > len(free):
        raise Refused(
            gettext(
                "Scenarios to draw: %(rounds)s; unused in the pool: %(unused)s, and none is drawn twice. Add scenarios "
                "to the pool, or choose the scenarios of more rounds.",
                rounds=to_draw,
                unused=len(free),
            ),
            "scenario_pool",
        )


def _columns(settings: EventSettings) -> dict[str, Any]:
    """The columns of an event that are settings."""
    return {name: getattr(settings, name) for name in EventSettings.model_fields}


def _printable(settings: PlannedEvent) -> dict[str, Any]:
    """The settings as the journal compares them; only a round with a chosen scenario names one."""
    chosen = {f"round {number}": id_ for number, id_ in enumerate(settings.scenarios, 1) if id_}
    table = settings.points_table and asdict(settings.points_table)
    values = {k: v.isoformat() if isinstance(v, date) else v for k, v in settings}
    return values | {"scenarios": chosen, "points_table": table}


def free_slug(s: Session, name: str) -> str:
    base = slug_of(name)
    return unused_slug(base, set(s.exec(select(Event.slug).where(col(Event.slug).startswith(base)))))
