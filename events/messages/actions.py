"""Announcements, messages to players, and mails with a player's private link. Mails are queued."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.messages.addresses import A_DAY, forget_addresses
from events.messages.queries import GROUPS, common_words, contacts_of, mails_since, messages_of, recipients, words_for
from events.messages.text import ADDRESSES, PERSONAL, Template, asked_for, subject_of, unknown
from events.play.clock_queries import MOST_ANNOUNCEMENTS, announcements_of
from events.play.errors import Refused
from events.play.journal import note, notify
from events.play.queries import players_by_id
from events.play.rounds import current_round, round_views
from models.announcement import Announcement
from models.event import Event
from models.message import Delivery, MailState, Message
from models.notice import Occasion
from models.play import Player


def announce(
    s: Session, event: Event, text: str, actor: str, now: datetime, *, until: datetime | None = None
) -> Announcement:
    """Show an announcement to everyone; repeating its text only changes its end.

    Raises Refused if there are too many.
    """
    current = announcements_of(s, event, now)
    for one in current:
        if one.text == text:
            one.shown_until = until
            return one
    if len(current) >= MOST_ANNOUNCEMENTS:
        raise Refused(f"{len(current)} announcements are shown already: take one back first.", "text")
    made = Announcement(event_id=event.id, text=text, by=actor[:120], at=now, shown_until=until)
    s.add(made)
    note(s, event, actor, now, "announce", f"Announced: {text}")
    return made


def withdraw_announcement(s: Session, event: Event, announcement_id: int, actor: str, now: datetime) -> None:
    """Withdraw an announcement; does nothing if it is withdrawn. Raises Refused if it is not of this event."""
    one = s.get(Announcement, announcement_id)
    if one is None or one.event_id != event.id:
        raise Refused("There is no such announcement.")
    if one.taken_back_at is None:
        one.taken_back_at = now
        note(s, event, actor, now, "take-back-announcement", f"Took back: {one.text}")


OWN_LINK = "own_link"
"""``Message.recipients`` of a mail with a private link; organisers cannot choose it."""
AN_HOUR = timedelta(hours=1)
MOST_AN_HOUR = 3
"""The most mails with the private link to one player in an hour."""
LINK = Template(
    "Private link",
    OWN_LINK,
    "{event}: your private link",
    "Hello {name},\n\nthis is the private link to your page of {event}:\n\n{link}\n\nDo not share it: anyone "
    "who has it can report results and change your list.",
)


def mail_link(s: Session, event: Event, player: Player, a_day: int, actor: str, now: datetime) -> None:
    """Queue a mail with the player's private link to the stored address; nobody at the desk sees the link.

    ``a_day`` is the most mails that the event may queue within 24 hours, 0 without a mail server. Raises Refused.
    """
    if not a_day or player.id not in contacts_of(s, event):
        raise Refused(f"No mail can be sent to {player.name}. Ask an organiser for the private link.")
    sent = select(func.count()).select_from(Delivery).join(Message, col(Delivery.message_id) == col(Message.id))
    sent = sent.where(Delivery.player_id == player.id, Message.recipients == OWN_LINK, Message.at > now - AN_HOUR)
    if s.exec(sent).one() >= MOST_AN_HOUR:
        raise Refused(f"{player.name} was mailed the link {MOST_AN_HOUR} times within an hour. Try again later.")
    if mails_since(s, event, now - A_DAY) >= a_day:
        raise Refused("This event has reached its limit of mails in 24 hours. Ask an organiser for the private link.")
    message = Message(
        event_id=event.id, key=secrets.token_urlsafe(24), recipients=OWN_LINK, subject=LINK.subject, text=LINK.text,
        words={"event": event.name}, public=False, by=actor[:120], at=now,
    )  # fmt: skip
    s.add(message)
    s.flush()  # assigns the message's id for its delivery
    words = {"event": event.name, "name": player.name}
    s.add(Delivery(message_id=message.id, player_id=player.id, words=words, mail=MailState.QUEUED, next_try=now))
    note(s, event, actor, now, "mail-link", f"Mailed the private link to {player.name}", player=player.id)


MOST_MESSAGES = 100
"""The most messages of one event within 24 hours; more are probably a mistake."""


@dataclass(frozen=True)
class Draft:
    """A message as the organiser wrote it, with its group of recipients."""

    recipients: str
    subject: str
    text: str
    chosen: frozenset[int] = frozenset()
    """The ids of the players chosen one by one."""
    mail: bool = False
    """Whether it is also mailed to players with a mail address."""


@dataclass(frozen=True)
class Copy:
    """One player's copy, before it is sent."""

    player: Player
    words: dict[str, str]
    mail: bool


@dataclass(frozen=True)
class Outgoing:
    """A message ready to send."""

    copies: tuple[Copy, ...]
    words: dict[str, str]
    """The values of its placeholders that are the same for every player."""
    public: bool
    """Whether it also appears on the event's page."""

    @property
    def mails(self) -> int:
        """The number of copies that are also mailed."""
        return sum(copy.mail for copy in self.copies)


def outgoing(s: Session, event: Event, draft: Draft, now: datetime) -> Outgoing:
    """All copies of a draft, filled in. Raises Refused, at the field concerned, if it cannot be sent."""
    wrong = [(name, error) for name in ("subject", "text") if (error := unknown(getattr(draft, name)))]
    if wrong:
        raise Refused(wrong[0][1], wrong[0][0], tuple(wrong[1:]))
    views = round_views(s, event)
    view, common = current_round(views), common_words(event, views)
    names = {id_: player.name for id_, player in players_by_id(s, event).items()}
    contacts = contacts_of(s, event) if draft.mail and event.mail_asked else {}
    found = recipients(s, event, draft.recipients, now, draft.chosen)
    if not found:
        raise Refused(f"Nobody is in this group now: {GROUPS[draft.recipients].lower()}.", "recipients")
    copies = tuple(Copy(p, words_for(p, common, view, names), p.id in contacts) for p in found)
    asked = asked_for(draft.subject) | asked_for(draft.text)
    _check_all_filled(draft, asked - {*ADDRESSES}, copies)
    public = draft.recipients == "all" and not asked & {*PERSONAL}
    return Outgoing(copies, {name: common[name] for name in sorted(asked & {*common})}, public)


def _check_all_filled(draft: Draft, asked: Collection[str], copies: Sequence[Copy]) -> None:
    for name in sorted(asked):
        without = [copy.player.name for copy in copies if name not in copy.words]
        if without:
            more = f" and {len(without) - 5} more" if len(without) > 5 else ""
            whom = "" if len(without) == len(copies) else f" with {', '.join(without[:5])}{more}"
            field = "text" if name in asked_for(draft.text) else "subject"
            instead = " Use {game} instead." if name in ("table", "opponent") else ""
            raise Refused(f"Nothing is known yet for “{{{name}}}”{whom}.{instead}", field)


def send(s: Session, event: Event, draft: Draft, key: str, a_day: int, actor: str, now: datetime) -> Message:
    """Put the message on its players' pages and queue its mails; repeating ``key`` sends nothing.

    ``a_day`` is the most mails that an event may queue within 24 hours, 0 without a mail server. Raises Refused.
    """
    same = s.exec(select(Message).where(Message.event_id == event.id, Message.key == key)).first()
    if same is not None:
        return same
    ready = outgoing(s, event, draft, now)
    written = [one for one in messages_of(s, event) if one.recipients in GROUPS]
    if sum(message.at > now - A_DAY for message in written) >= MOST_MESSAGES:
        raise Refused(f"This event has sent {MOST_MESSAGES} messages in 24 hours: no more can be sent for now.")
    mails = ready.mails if a_day else 0
    left = a_day - mails_since(s, event, now - A_DAY)
    if mails and mails > left:
        raise Refused(
            f"These would be {mails} mails, and of the {a_day} that this event may send in 24 hours {max(0, left)} are "
            "left. Untick mail to write only to the players' pages, or choose fewer players.",
            "mail",
        )
    message = Message(
        event_id=event.id, key=key, recipients=draft.recipients, subject=draft.subject, text=draft.text,
        words=ready.words, public=ready.public, by=actor, at=now,
    )  # fmt: skip
    s.add(message)
    s.flush()  # assigns the message's id for its deliveries
    asked = asked_for(draft.subject) | asked_for(draft.text)
    for copy in ready.copies:
        words = {name: word for name, word in copy.words.items() if name in asked or name == "event"}
        delivery = Delivery(message_id=message.id, player_id=copy.player.id, words=words)
        if mails and copy.mail:
            delivery.mail, delivery.next_try = MailState.QUEUED, now
        s.add(delivery)
    notify(s, Occasion.ANSWER, f"message {message.id}", [copy.player.id for copy in ready.copies], now)
    by_mail = f", {mails} of them by mail" if mails else ""
    many = "1 player" if len(ready.copies) == 1 else f"{len(ready.copies)} players"
    note(
        s, event, actor, now, "message", f"Sent “{subject_of(message)}” to {many}{by_mail}",
        message=message.id, group=draft.recipients, players=[copy.player.id for copy in ready.copies], mails=mails,
    )  # fmt: skip
    return message


def mark_read(s: Session, player: Player, delivery_ids: Collection[int], now: datetime) -> None:
    """Mark messages as read by the player; other players' deliveries are ignored."""
    found = select(Delivery).where(Delivery.player_id == player.id, col(Delivery.id).in_(delivery_ids))
    for delivery in s.exec(found.where(col(Delivery.read_at).is_(None))):
        delivery.read_at = now


def send_again(s: Session, event: Event, message: Message, delivery_id: int, actor: str, now: datetime) -> None:
    """Queue a failed or unsure mail again; does nothing if it is queued.

    Raises Refused if it is not of this message, or if it is sent or being sent.
    """
    delivery = s.get(Delivery, delivery_id, with_for_update=True, populate_existing=True)
    if delivery is None or delivery.message_id != message.id:
        raise Refused("This player did not get this message.")
    if delivery.mail == MailState.QUEUED:
        return
    if delivery.mail not in (MailState.FAILED, MailState.UNSURE):
        raise Refused("This mail is sent, or on its way.")
    delivery.mail, delivery.next_try, delivery.attempts = MailState.QUEUED, now, 0
    player = s.get_one(Player, delivery.player_id)
    note(
        s, event, actor, now, "mail-again", f"Queued the mail “{subject_of(message)}” to {player.name} again",
        message=message.id, player=player.id,
    )  # fmt: skip


def allow_mail(s: Session, event: Event, allowed: bool, actor: str, now: datetime) -> None:
    """Allow players to give a mail address; or disallow it and delete every address."""
    if event.mail_asked == allowed:
        return
    event.mail_asked = allowed
    given = 0 if allowed else forget_addresses(s, event)
    deleted = f"; {given} deleted" if given else ""
    text = "Players may give a mail address" if allowed else f"Players can no longer give a mail address{deleted}"
    note(s, event, actor, now, "allow-mail", text, allowed=allowed)
