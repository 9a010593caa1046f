"""Copying, cancelling, unlisting and deleting an event with all that belongs to it; what keeps it from closing."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Table
from sqlmodel import Session, SQLModel, col, select

from events.messages import actions as messages
from events.messages.queries import contacts_of
from events.registration.sign_ups import clear_addresses
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.store.rounds import RoundView
from languages.message import message
from languages.words import first_offered, gettext, language, listed, ngettext, speaking
from models.captured import class_of, of_event, way_to_event
from models.event import Event, EventState
from models.journal import JOURNAL
from models.play import Game, Player, PlayerState


@dataclass(frozen=True)
class Concerned:
    players: tuple[Player, ...]
    by_mail: int
    """The number of them with a mail address; the others read it on their page."""


def concerned(s: Session, event: Event) -> Concerned:
    """The players concerned by a cancellation: all who have not dropped."""
    players = tuple(player for player in event.players if player.state != PlayerState.DROPPED)
    mailed = contacts_of(s, event) if event.mail_asked else {}
    return Concerned(players, sum(player.id in mailed for player in players))


def cancel(act: Act, reason: str, a_day: int) -> int:
    """Cancel the event and write to its players. Raises Refused for a draft and for an event that is over.

    ``a_day`` is how many mails the event may queue within 24 hours. If they do not suffice, the message appears only on
    the players' pages. Returns how many players get no mail for that reason.
    """
    if act.event.cancelled_at is not None:
        return 0
    check_not_over(act.event)
    if act.event.state == EventState.DRAFT:
        raise Refused(gettext("Only staff see a draft. Delete the draft instead."))
    act.event.cancelled_at = act.now
    clear_addresses(act.event.players)
    note(act, "cancel-event", message("Cancelled the event"), reason=reason)
    whom = concerned(act.s, act.event)
    if whom.players:
        plain = reason.replace("{", "(").replace("}", ")")
        with speaking(first_offered(act.event.language, language())):
            subject, text = gettext("{event} is cancelled"), gettext("{event} does not take place.")
        draft = messages.Draft("all", subject, f"{text}\n\n{plain}".strip())
        key = secrets.token_urlsafe(16)
        try:
            messages.send(act, replace(draft, mail=True), key, a_day)
        except Refused:  # more mails than the event may send within a day
            messages.send(act, draft, key, a_day)
            return whom.by_mail
    return 0


def withdraw_cancellation(act: Act) -> None:
    """Withdraw a cancellation. Players are notified only if the organiser sends a message."""
    if act.event.cancelled_at is not None:
        act.event.cancelled_at = None
        note(act, "take-place", message("The event takes place after all"))


def set_unlisted(act: Act, unlisted: bool) -> None:
    """Remove the event from the front page and its series, or list it again. Its address always works."""
    if act.event.unlisted != unlisted:
        act.event.unlisted = unlisted
        off, on = message("Took the event off the front page"), message("Put the event on the front page")
        note(act, "list-event", off if unlisted else on)


def belonging() -> list[Table]:
    """The tables with rows of an event, each before those to which its rows refer; without the journal's own."""
    journal_tables = {table.__tablename__ for table in JOURNAL}
    tables = [table for table in reversed(SQLModel.metadata.sorted_tables) if table.name not in journal_tables]
    return [table for table in tables if _is_of_events(table)]


def _is_of_events(table: Table) -> bool:
    try:
        way_to_event(table)
    except LookupError:
        return False
    return True


def delete(s: Session, event_id: int) -> None:
    """Delete an event completely: players, lists, results, messages and waiting mails, and its journal.

    Runs in a write without an event, because the event's journal is deleted too, by its foreign keys.
    """
    locked = select(Event).where(col(Event.id) == event_id).with_for_update()
    event = s.exec(locked, execution_options={"populate_existing": True}).one()
    for table in belonging():
        if table.name == "event":
            continue
        model = class_of(table)
        for row in s.exec(select(model).where(of_event(table, event.id))):
            s.delete(row)
        s.flush()  # delete these rows before those to which they refer
    s.delete(event)


NAMED = 3
"""Open games that a refusal to close names."""


def still_open(event: Event, open_games: Sequence[tuple[RoundView, Game]]) -> str:
    """The games that must be decided before the event is closed, in a sentence."""
    names = {player.id: player.name for player in event.players}
    pairs = [
        gettext(
            "%(a)s against %(b)s (round %(number)s)",
            a=names[game.a_id],
            b=names[game.b_id or 0],
            number=view.round.number,
        )
        for view, game in open_games
    ]
    more = [gettext("%(n)s more", n=len(pairs) - NAMED)] if len(pairs) > NAMED else []
    return ngettext(
        "%(num)s game is still open: %(pairs)s. Decide it first.",
        "%(num)s games are still open: %(pairs)s. Decide them first.",
        len(pairs),
        pairs=listed([*pairs[:NAMED], *more]),
    )
