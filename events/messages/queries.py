"""Messages, their deliveries, and the players of each group of recipients."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, and_
from sqlmodel import Session, col, func, select

from events.lists.queries import entries
from events.messages.text import BY_STRANGERS, CONFIRM, GOOD_FOR
from events.store.ledger import owes
from events.store.players import by_name
from events.store.rounds import RoundView, days_of, round_views, rounds_in_play
from events.tournament.clock import in_utc
from languages.dates import dated
from languages.words import first_offered, gettext
from models.dispatch import Dispatch, DispatchKind, DispatchState
from models.event import Event
from models.message import GROUPS, Contact, Delivery, MailChange, Message
from models.play import GameState, Player, PlayerState

TROUBLE = (DispatchState.FAILED, DispatchState.UNSURE)
"""States of a mail that the organiser must check."""
LATE = timedelta(minutes=15)


def messages_of(s: Session, event: Event) -> Sequence[Message]:
    return s.exec(select(Message).where(Message.event_id == event.id).order_by(col(Message.id).desc())).all()


def message_of(s: Session, event: Event, message_id: int) -> Message | None:
    message = s.get(Message, message_id)
    return message if message is not None and message.event_id == event.id else None


def deliveries_of(s: Session, message: Message) -> list[tuple[Delivery, Player, Dispatch | None]]:
    """The deliveries of a message with their players, by name, and their mails."""
    rows = s.exec(
        select(Delivery, Player, Dispatch)
        .join(Player, col(Delivery.player_id) == col(Player.id))
        .join(Dispatch, col(Dispatch.delivery_id) == col(Delivery.id), isouter=True)
        .where(Delivery.message_id == message.id)
    )
    return sorted(((delivery, player, mail) for delivery, player, mail in rows), key=lambda row: by_name(row[1]))


def counts_of(s: Session, event: Event) -> dict[int, dict[str, int]]:
    """Counts by message: all deliveries (``all``), those ``read``, and those in each state of the mail."""
    mail, read = col(Dispatch.state), col(Delivery.read_at).is_not(None)
    rows = s.exec(
        select(col(Delivery.message_id), mail, read, func.count())
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .join(Dispatch, col(Dispatch.delivery_id) == col(Delivery.id), isouter=True)
        .where(Message.event_id == event.id)
        .group_by(col(Delivery.message_id), mail, read)
    )
    counts: dict[int, dict[str, int]] = {}
    for message_id, state, was_read, number in rows:
        of_message = counts.setdefault(message_id, {"all": 0, "read": 0})
        for name in ("all", *(["read"] if was_read else []), *([state.value] if state else [])):
            of_message[name] = of_message.get(name, 0) + number
    return counts


def messages_to(s: Session, player: Player) -> list[tuple[Delivery, Message]]:
    """The messages to a player: unread first, then the newest. One that asks to confirm its address is only a mail."""
    rows = s.exec(
        select(Delivery, Message)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Delivery.player_id == player.id, Message.recipients != CONFIRM)
        .order_by(col(Delivery.read_at).is_not(None), col(Message.id).desc())
    )
    return [(delivery, message) for delivery, message in rows]


def public_messages(s: Session, event: Event) -> list[Message]:
    return [message for message in messages_of(s, event) if message.public]


def contact_of(s: Session, player: Player) -> Contact | None:
    """The player's mail address, for the player and staff only; None if it was never given or was deleted."""
    return s.exec(select(Contact).where(Contact.player_id == player.id, Contact.mail != "")).first()


def deleted_address(s: Session, player: Player) -> bool:
    return s.exec(select(Contact).where(Contact.player_id == player.id, Contact.mail == "")).first() is not None


def change_of(s: Session, player: Player) -> MailChange | None:
    """The player's latest change of the mail address, if it is neither confirmed nor cancelled."""
    return s.exec(select(MailChange).where(MailChange.player_id == player.id)).first()


def waits(change: MailChange, now: datetime) -> bool:
    """Whether this change's link is still valid."""
    return now < change.asked_at + GOOD_FOR


def change_with(s: Session, key: str) -> MailChange | None:
    return s.exec(select(MailChange).where(MailChange.key == key)).first() if key else None


def contacts_of(s: Session, event: Event) -> dict[int, Contact]:
    """The mail addresses of the event's players, by player id."""
    contacts = s.exec(
        select(Contact)
        .join(Player, col(Contact.player_id) == col(Player.id))
        .where(Player.event_id == event.id, Contact.mail != "")
    )
    return {contact.player_id: contact for contact in contacts}


def in_trouble(s: Session, event: Event) -> int:
    """The number of mails that failed or may have failed."""
    return s.exec(select(func.count()).where(_of_mails(event), col(Dispatch.state).in_(TROUBLE))).one()


def waiting_since(s: Session, event: Event, now: datetime) -> datetime | None:
    """The due time of the oldest overdue mail, if no worker seems to run; None if there is none."""
    first = s.exec(select(func.min(Dispatch.due)).where(_of_mails(event))).one()
    return first if first is not None and first < now - LATE else None


def mails_since(s: Session, event: Event, moment: datetime) -> int:
    """The number of mails that the event has queued since ``moment``, without those that strangers cause."""
    counted = _of_mails(event), Dispatch.at > moment, col(Dispatch.about).not_in(BY_STRANGERS)
    return s.exec(select(func.count()).where(*counted)).one()


def _of_mails(event: Event) -> ColumnElement[bool]:
    """The condition for the mails of an event's messages."""
    return and_(col(Dispatch.event_id) == event.id, col(Dispatch.kind) == DispatchKind.MESSAGE)


def language_of(player: Player | None, event: Event) -> str:
    """The language of a player's mails and notices: the player's own, else the event's, else English.

    None: of what everybody reads.
    """
    chosen = player.language if player is not None else ""
    return first_offered(chosen, event.language)


def worded(message: Message) -> tuple[str, str]:
    """Subject and text: of the service's own messages in the reader's language, of an organiser's as written."""
    if message.recipients in GROUPS:
        return message.subject, message.text
    return gettext(message.subject), gettext(message.text)


def groups(event: Event, now: datetime) -> dict[str, list[Player]]:
    """The current players of each group in ``GROUPS``, by name; any player may be chosen one by one."""
    present = sorted((p for p in event.players if p.state != PlayerState.DROPPED), key=by_name)
    lists = {entry.player.id: entry for entry in entries(event, now)}
    games = [game for view in rounds_in_play(round_views(event)) for game in view.games]
    drawn = {number for game in games for number in (game.a_id, game.b_id)}
    open_ = {number for game in games if game.state != GameState.CONFIRMED for number in (game.a_id, game.b_id)}
    return {
        "all": present,
        "no_list": [p for p in present if p.id in lists and lists[p.id].missing],
        "illegal": [p for p in present if p.id in lists and lists[p.id].illegal],
        "sent_back": [p for p in present if p.id in lists and lists[p.id].is_in("sent_back")],
        "unpaid": sorted((p for p in event.players if owes(event, p)), key=by_name),
        "not_here": [p for p in present if p.state == PlayerState.REGISTERED],
        "paired": [p for p in present if p.id in drawn],
        "playing": [p for p in present if p.id in open_],
        "waiting": [p for p in present if p.state == PlayerState.WAITING],
        "chosen": present,
    }


def recipients(event: Event, group: str, now: datetime, chosen: Collection[int] = ()) -> list[Player]:
    """The players of one group; chosen players only if they have not dropped."""
    players = groups(event, now)[group]
    return [player for player in players if player.id in chosen] if group == "chosen" else players


def common_words(event: Event, newest: RoundView | None) -> dict[str, str]:
    """The values of placeholders that are the same for every player, as far as they are known.

    ``newest`` is the newest published round.
    """
    dates = days_of(event, "%A %-d %B %Y")
    words = {"event": event.name, "date": dates, "deadline": gettext("before round 1")}
    if event.list_deadline:
        moment = event.list_deadline.astimezone(ZoneInfo(event.timezone))
        place, utc = event.timezone.replace("_", " "), in_utc(moment, event.timezone)
        words["deadline"] = gettext(
            "by %(moment)s (%(place)s time, %(utc)s)",
            moment=dated(moment, "%a %-d %b %Y, %H:%M"),
            place=place,
            utc=utc,
        )
    if event.fee:
        words["fee"] = event.fee
    if event.place:
        words["place"] = event.place
    return words | ({"round": str(newest.round.number)} if newest else {})


def values_for(
    player: Player, common: Mapping[str, str], view: RoundView | None, names: Mapping[int, str]
) -> dict[str, str]:
    """All values for one player; those of a game come from the newest published round, never from a draft."""
    words = {**common, "name": player.name}
    if view is None:
        return words
    game = next((game for game in view.games if player.id in (game.a_id, game.b_id)), None)
    if game is None:
        # While captains choose, the games are unknown.
        return words if view.now.choosing else words | {"game": gettext("none in this round")}
    if game.b_id is None:
        return words | {"game": gettext("a bye")}
    words |= {"table": str(game.table_number), "opponent": names[game.b_id if player.id == game.a_id else game.a_id]}
    return words | {
        "game": gettext("table %(table)s, against %(opponent)s", table=words["table"], opponent=words["opponent"])
    }
