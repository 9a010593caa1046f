"""Conventions: events of one name, which share a page, a sign-up form, the hall, and players who move between them."""

from collections.abc import Collection, Sequence
from datetime import datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from events.accounts.own_pages import add_entry, whose
from events.messages.addresses import give_address, give_own_address
from events.messages.queries import contact_of
from events.registration.actions import free_names, register, renew_link
from events.registration.check_in import check_in, paint_first
from events.registration.leaving import drop, reinstate
from events.store.act import Act
from events.store.clock_queries import planned_of
from events.store.editions import factions_of
from events.store.journal import entries_of_kind, note
from events.store.notices import notify
from events.store.players import DETAILS, has_check_in, has_place, placed, player_counts, player_of
from events.store.visitor import Visitor
from events.visitors import access
from events.visitors.conventions import convention_events, others_of
from events.visitors.loading import event_rounds
from events.web.parsing import LONGEST_NAME, as_text, first_name, series_slug
from languages.message import message
from languages.words import gettext, listed
from models.dispatch import Occasion
from models.event import Event, EventState
from models.message import Contact
from models.play import Player, PlayerState

USUAL_LENGTH = timedelta(hours=8)
"""How long an event of one day takes whose rounds have no planned times."""


def span(event: Event) -> tuple[datetime, datetime]:
    """From when until when an event is played, by its plan; whole days if it has no start or several days."""
    zone = ZoneInfo(event.timezone)
    starts = datetime.combine(event.starts_on, time.fromisoformat(event.starts_at or "00:00"), zone)
    if not event.starts_at or event.ends_on > event.starts_on:
        return starts, datetime.combine(event.ends_on, time.max, zone)
    rounds = event_rounds(event)
    last = planned_of(event, rounds).get(rounds[-1].number) if rounds else None
    return starts, last + timedelta(minutes=event.round_minutes) if last else starts + USUAL_LENGTH


def overlapping(event: Event, events: Sequence[Event]) -> list[Event]:
    """Those of these events that are played at the same time as this one."""
    (starts, ends), others = span(event), [row for row in events if row.id != event.id and row.cancelled_at is None]
    return [row for row in others if starts < span(row)[1] and span(row)[0] < ends]


def tables_used(event: Event, players: int) -> set[int]:
    """The numbers of the tables on which an event is played; without a number of tables, as many as it needs."""
    last = 0 if event.season or event.cancelled_at else event.tables or ((event.places or players) + 1) // 2
    return {*range(1, last + 1)}.difference(event.tables_out or ())


def shared_tables(s: Session, visitor: Visitor, event: Event) -> list[tuple[Event, str]]:
    """The other events of the convention at the same time that use some of the event's tables, with their numbers."""
    others = overlapping(event, others_of(s, visitor, event))
    counts = player_counts(s, [event, *others])
    own = tables_used(event, counts[event.id])
    tables = [(other, as_text(own & tables_used(other, counts[other.id]))) for other in others]
    return [row for row in tables if row[1]]


def clashes(
    s: Session, visitor: Visitor, event: Event, players: Sequence[Player], held: Collection[int] | None = None
) -> dict[int, list[Event]]:
    """By player with a place: the visible events at the same time where the same person has a place too.

    Names count among the entries ``held`` by one visitor; None: among all, for the desk.
    """
    own, rows = placed(players), dict[int, list[Event]]()
    for other in overlapping(event, others_of(s, visitor, event)) if own and event.cancelled_at is None else ():
        marks = _marks_of(s, [*own, *(theirs := placed(other.players))])
        for player in (*own, *theirs):
            if held is None or player.id in held:
                marks[player.id].add(("name", player.name_key))
        persons = {mark for player in theirs for mark in marks[player.id]}
        for player in own:
            if marks[player.id] & persons:
                rows.setdefault(player.id, []).append(other)
    return rows


def clash_words(s: Session, visitor: Visitor, event: Event, player: Player) -> str:
    """A sentence on the visible events at the same time in which the player has a place too; "" for none."""
    held = {player.id, *(entry.id for entry in visitor.players.values())}
    names = [other.name for other in clashes(s, visitor, event, [player], held).get(player.id, ())]
    return gettext("You also have a place in %(events)s, at the same time.", events=listed(names)) if names else ""


def _marks_of(s: Session, players: Sequence[Player]) -> dict[int, set[tuple[str, str | int]]]:
    """What proves that two entries are of one person: the own page, a confirmed mail address."""
    marks: dict[int, set[tuple[str, str | int]]] = {player.id: set() for player in players}
    query = select(Contact.player_id, func.lower(Contact.mail)).where(col(Contact.player_id).in_(marks))
    for id_, mail in s.exec(query.where(col(Contact.confirmed_at).is_not(None))):
        marks[id_].add(("mail", mail))
    for id_, person in whose(s, marks).items():
        marks[id_].add(("page", person.id))
    return marks


def entry_left(s: Session, event: Event, player: Player, other: Event) -> tuple[Player | None, bool]:
    """The entry that left the other event, of the same person or else of the same name; and whether a proof exists.

    Proofs: one own page, one name with one confirmed mail address, or a move by the desk from that entry to this one.
    """
    moves = [move.details for move in entries_of_kind(s, event, "move-player") if move.details["player"] == player.id]
    moved = {move.get("moved_from") for move in moves if move.get("generation") == player.link_generation}
    left = [row for row in other.players if row.state == PlayerState.DROPPED]
    marks = _marks_of(s, [player, *left])
    for row in left:
        shared = {kind for kind, _ in marks[row.id] & marks[player.id]}
        if row.id in moved or "page" in shared or (shared and row.name_key == player.name_key):
            return row, True
    return next((row for row in left if row.name_key == player.name_key), None), False


def _names_apart(player: Player, other: Event) -> tuple[str, str]:
    """The player's name, and the partner's, as the other event can have them, such as "Ada (2)"."""
    both = first_name(player.name, player.partner), player.partner
    longest = LONGEST_NAME // (2 if player.partner else 1) - 8  # leaves room for the numbers
    tried = (tuple(name and f"{name[:longest].rstrip()} ({number})" for name in both) for number in count(2))
    return next((name, partner) for name, partner in tried if not any(free_names(other, name, partner)))


def moved_to(s: Session, event: Event, player: Player) -> tuple[Event, Player, bool] | None:
    """Where the desk moved a player who left this event, and whether its private link is the same since.

    None once that entry left.
    """
    others = convention_events(s, series_slug(event.convention)) if event.convention else []
    moves = [(move, other) for other in others for move in entries_of_kind(s, other, "move-player")]
    for move, other in sorted(moves, key=lambda row: row[0].id, reverse=True):
        if move.details.get("moved_from") == player.id:
            entry = player_of(s, other, move.details.get("player", 0))
            opens = entry is not None and entry.link_generation == move.details["generation"]
            return (other, entry, opens) if entry and entry.state != PlayerState.DROPPED else None
    return None


def move_targets(s: Session, visitor: Visitor, event: Event, player: Player) -> list[Event]:
    """The events of the convention to which the visitor may move this player: no draft, which players cannot see."""
    return [
        other
        for other in others_of(s, visitor, event)
        if access.may_change_players(visitor, other) and other.doubles == bool(player.partner)
        and other.state not in (EventState.DRAFT, EventState.FINISHED) and other.cancelled_at is None
    ]  # fmt: skip


def move_player(act: Act, there: Act, player: Player, *, has_server: bool, same: bool | None = None) -> Player:
    """Let a player leave one event and enter another, in one write to both. Raises Refused; then neither changes.

    Payment, answers and list stay in the event that the player leaves. A player who left the other one comes back.
    ``same``: whether the entry of the same name there is of the same person, as the desk says where nothing proves it.
    """
    s, is_here = act.s, player.state == PlayerState.CHECKED_IN and has_check_in(act.event)
    entry, is_proved = entry_left(s, act.event, player, there.event)
    drop(act, player)
    text = message("Moved %(name)s to %(event)s", name=player.name, event=there.event.name)
    note(act, "move-player", text, player=player.id)
    if entry is not None and (is_proved or same):
        reinstate(there, entry)
        if not is_proved:
            renew_link(there, entry)
            _take_along(there, player, entry, has_server=has_server)
        if is_here and entry.state == PlayerState.REGISTERED and not paint_first(there.event, entry):
            check_in(there, entry)
    else:
        name, partner = first_name(player.name, player.partner), player.partner
        if entry is not None and same is False:
            name, partner = _names_apart(player, there.event)
        details = {column: getattr(player, column) for column in DETAILS}
        faction = player.faction if player.faction in factions_of(there.event) else ""
        entry = register(there, name, details, faction, here=is_here, partner=partner)
        entry.language = player.language
        _take_along(there, player, entry, has_server=has_server)
    text = message("%(name)s was moved here from %(event)s", name=entry.name, event=act.event.name)
    act.s.flush()  # assigns the generation of a new entry's link
    moved = {"moved_from": player.id, "generation": entry.link_generation}
    note(there, "move-player", text, player=entry.id, **moved)
    if has_place(entry):
        notify(s, Occasion.PLACE, f"moved {int(there.now.timestamp())}", [entry.id], there.now)
    return entry


def _take_along(there: Act, player: Player, entry: Player, *, has_server: bool) -> None:
    """Give an entry the mail address, or none, and the own page of the player's other entry."""
    contact, person = contact_of(there.s, player), whose(there.s, [player.id]).get(player.id)
    give_address(there, entry, "")
    there.s.flush()  # an entry has one address
    if contact is not None and contact.confirmed_at is not None and there.event.mail_asked:
        give_address(there, entry, contact.mail)
    elif contact is not None and there.event.mail_asked:
        give_own_address(there, entry, contact.mail, has_server=has_server)
    if person is not None:
        add_entry(there.s, person, entry, there.now)
