"""Announcements, messages to players, mails with a private link, and players' mail addresses. Mails are queued.

A mail address is given once, changed after confirmation from the current one, and deleted at any time: mails contain
the private link, so nobody who has a player's phone for a minute may redirect them. The journal never contains one.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.messages.queries import (
    GROUPS,
    address_mails_to,
    change_of,
    common_words,
    contacts_of,
    mails_since,
    messages_of,
    recipients,
    values_for,
    waits,
)
from events.messages.text import (
    ABOUT_ADDRESS,
    ADDRESSES,
    AGREE,
    ASKED,
    CHANGED,
    NOT_HERE,
    PERSONAL,
    Template,
    asked_for,
    subject_of,
    unknown,
)
from events.play.act import Act
from events.play.clock_queries import MOST_ANNOUNCEMENTS, announcements_of
from events.play.errors import Refused
from events.play.journal import note
from events.play.notices import notify
from events.play.players import players_by_id
from events.play.rounds import current_round, round_views
from models.announcement import Announcement
from models.event import Event
from models.mail_change import MailChange
from models.message import Contact, Delivery, MailState, Message
from models.notice import Occasion
from models.play import Player
from validators.canonical import fingerprint


def announce(act: Act, text: str, *, until: datetime | None = None) -> Announcement:
    """Show an announcement to everyone; repeating its text only changes its end.

    Raises Refused if there are too many.
    """
    current = announcements_of(act.s, act.event, act.now)
    for one in current:
        if one.text == text:
            one.shown_until = until
            return one
    if len(current) >= MOST_ANNOUNCEMENTS:
        raise Refused(f"{len(current)} announcements are shown already: remove an announcement first.", "text")
    made = Announcement(event_id=act.event.id, text=text, by=act.actor[:120], at=act.now, shown_until=until)
    act.s.add(made)
    note(act, "announce", f"Announced: {text}")
    return made


def withdraw_announcement(act: Act, announcement_id: int) -> None:
    """Withdraw an announcement; does nothing if it is withdrawn. Raises Refused if it is not of this event."""
    one = act.s.get(Announcement, announcement_id)
    if one is None or one.event_id != act.event.id:
        raise Refused("This announcement does not exist. Reload the page.")
    if one.taken_back_at is None:
        one.taken_back_at = act.now
        note(act, "take-back-announcement", f"Removed the announcement: {one.text}")


A_DAY = timedelta(hours=24)
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


def mail_link(act: Act, player: Player, a_day: int) -> None:
    """Queue a mail with the player's private link to the stored address; nobody at the desk sees the link.

    ``a_day`` is the most mails that the event may queue within 24 hours, 0 without a mail server. Raises Refused.
    """
    if not a_day or player.id not in contacts_of(act.s, act.event):
        raise Refused(f"No mail can be sent to {player.name}. Ask an organiser for the private link.")
    sent = select(func.count()).select_from(Delivery).join(Message, col(Delivery.message_id) == col(Message.id))
    sent = sent.where(Delivery.player_id == player.id, Message.recipients == OWN_LINK, Message.at > act.now - AN_HOUR)
    if act.s.exec(sent).one() >= MOST_AN_HOUR:
        raise Refused(f"{player.name} was mailed the link {MOST_AN_HOUR} times within an hour. Try again later.")
    if mails_since(act.s, act.event, act.now - A_DAY) >= a_day:
        raise Refused("This event has reached its limit of mails in 24 hours. Ask an organiser for the private link.")
    _write(act, player, LINK)
    note(act, "mail-link", f"Mailed the private link to {player.name}", player=player.id)


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

    def mark(self) -> str:
        """Identifies this draft; the form that sends it returns the mark of its preview."""
        return fingerprint([self.recipients, self.subject, self.text, sorted(self.chosen), self.mail])


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
    if draft.chosen and draft.recipients != "chosen":
        are = "1 player is" if len(draft.chosen) == 1 else f"{len(draft.chosen)} players are"
        raise Refused(
            f"{are} chosen by hand, but the message goes to another group. Choose “{GROUPS['chosen']}” here, or untick "
            "them below.",
            "recipients",
        )
    views = round_views(s, event)
    view, common = current_round(views), common_words(event, views)
    names = {id_: player.name for id_, player in players_by_id(s, event).items()}
    contacts = contacts_of(s, event) if draft.mail and event.mail_asked else {}
    found = recipients(s, event, draft.recipients, now, draft.chosen)
    if not found:
        raise Refused(f"Nobody is in this group now: {GROUPS[draft.recipients].lower()}.", "recipients")
    copies = tuple(Copy(p, values_for(p, common, view, names), p.id in contacts) for p in found)
    asked = asked_for(draft.subject) | asked_for(draft.text)
    _check_all_filled(draft, asked - {*ADDRESSES}, copies)
    public = draft.recipients == "all" and not asked & {*PERSONAL}
    return Outgoing(copies, {name: common[name] for name in sorted(asked & {*common})}, public)


def _check_all_filled(draft: Draft, asked: Collection[str], copies: Sequence[Copy]) -> None:
    for name in sorted(asked):
        without = [copy.player.name for copy in copies if name not in copy.words]
        if without:
            more = f" and {len(without) - 5} more" if len(without) > 5 else ""
            whom = "" if len(without) == len(copies) else f" for {', '.join(without[:5])}{more}"
            field = "text" if name in asked_for(draft.text) else "subject"
            instead = " Use {game} instead." if name in ("table", "opponent") else ""
            raise Refused(f"“{{{name}}}” has no value yet{whom}.{instead}", field)


def send(act: Act, draft: Draft, key: str, a_day: int) -> Message:
    """Put the message on its players' pages and queue its mails; repeating ``key`` sends nothing.

    ``a_day`` is the most mails that an event may queue within 24 hours, 0 without a mail server. Raises Refused.
    """
    s, event = act.s, act.event
    same = s.exec(select(Message).where(Message.event_id == event.id, Message.key == key)).first()
    if same is not None:
        return same
    ready = outgoing(s, event, draft, act.now)
    written = [one for one in messages_of(s, event) if one.recipients in GROUPS]
    if sum(message.at > act.now - A_DAY for message in written) >= MOST_MESSAGES:
        raise Refused(f"This event has sent {MOST_MESSAGES} messages in 24 hours: no more can be sent for now.")
    mails = ready.mails if a_day else 0
    left = a_day - mails_since(s, event, act.now - A_DAY)
    if mails and mails > left:
        raise Refused(
            f"This message needs {mails} mails. The event can send {max(0, left)} more (at most {a_day} in 24 hours). "
            "Untick mail to write only to the players' pages, or choose fewer players.",
            "mail",
        )
    message = Message(
        event_id=event.id, key=key, recipients=draft.recipients, subject=draft.subject, text=draft.text,
        words=ready.words, public=ready.public, by=act.actor, at=act.now,
    )  # fmt: skip
    s.add(message)
    s.flush()  # assigns the message's id for its deliveries
    asked = asked_for(draft.subject) | asked_for(draft.text)
    for copy in ready.copies:
        words = {name: word for name, word in copy.words.items() if name in asked or name == "event"}
        delivery = Delivery(message_id=message.id, player_id=copy.player.id, words=words)
        if mails and copy.mail:
            delivery.mail, delivery.next_try = MailState.QUEUED, act.now
        s.add(delivery)
    notify(s, Occasion.ANSWER, f"message {message.id}", [copy.player.id for copy in ready.copies], act.now)
    by_mail = f", {mails} of them by mail" if mails else ""
    many = "1 player" if len(ready.copies) == 1 else f"{len(ready.copies)} players"
    note(
        act,
        "message",
        f"Sent “{subject_of(message)}” to {many}{by_mail}",
        message=message.id,
        group=draft.recipients,
        players=[copy.player.id for copy in ready.copies],
        mails=mails,
    )
    return message


def mark_read(s: Session, player: Player, delivery_ids: Collection[int], now: datetime) -> None:
    """Mark messages as read by the player; other players' deliveries are ignored."""
    found = select(Delivery).where(Delivery.player_id == player.id, col(Delivery.id).in_(delivery_ids))
    for delivery in s.exec(found.where(col(Delivery.read_at).is_(None))):
        delivery.read_at = now


def send_again(act: Act, message: Message, delivery_id: int) -> None:
    """Queue a failed or unsure mail again; does nothing if it is queued.

    Raises Refused if it is not of this message, or if it is sent or being sent.
    """
    delivery = act.s.get(Delivery, delivery_id, with_for_update=True, populate_existing=True)
    if delivery is None or delivery.message_id != message.id:
        raise Refused("This player did not get this message.")
    if delivery.mail == MailState.QUEUED:
        return
    if delivery.mail not in (MailState.FAILED, MailState.UNSURE):
        raise Refused("This mail is sent, or on its way.")
    delivery.mail, delivery.next_try, delivery.attempts = MailState.QUEUED, act.now, 0
    player = act.s.get_one(Player, delivery.player_id)
    note(
        act,
        "mail-again",
        f"Queued the mail “{subject_of(message)}” to {player.name} again",
        message=message.id,
        player=player.id,
    )


def allow_mail(act: Act, allowed: bool) -> None:
    """Allow players to give a mail address; or disallow it and delete every address."""
    if act.event.mail_asked == allowed:
        return
    act.event.mail_asked = allowed
    given = 0 if allowed else forget_addresses(act.s, act.event)
    deleted = f"; {given} deleted" if given else ""
    text = "Players may give a mail address" if allowed else f"Players can no longer give a mail address{deleted}"
    note(act, "allow-mail", text, allowed=allowed)


MOST_ASKED = 3
"""The most changes that a player may request within 24 hours; each sends a mail."""
MOST_TO_ONE = 3
"""The most mails about address changes to one recipient within 24 hours, over all players and events."""
MOST_OF_EVENT = 30
"""The most mails about address changes in one event within 24 hours, apart from the organiser's quota."""
ASK_ORGANISER = "Ask the organiser to enter the address at the desk."
DELETED = "You deleted your mail address. To use mail again, ask the organiser to enter an address at the desk."


def give_address(act: Act, player: Player, mail: str) -> None:
    """Store a player's mail address as returned by ``read_address``; "" deletes it.

    It takes effect at once: it is the first address, or staff entered it.
    """
    contact = _row_of(act.s, player)
    if not act.event.mail_asked and mail:
        raise Refused("This event takes no mail addresses.", "mail")
    _forget_change(act.s, player)
    before = contact.mail if contact else ""
    if contact is not None and not mail:
        act.s.delete(contact)
    elif contact is not None and before != mail:
        contact.mail, contact.given_at = mail, act.now
    elif contact is None and mail:
        act.s.add(Contact(player_id=player.id, mail=mail, given_at=act.now))
    if before == mail:
        return
    did = "Deleted" if not mail else "Changed" if before else "Stored"
    _note(act, player, f"{did} the mail address of {player.name}")


def ask_for(act: Act, player: Player, mail: str, *, has_server: bool) -> bool:
    """Store the address that a player typed: a first one takes effect at once, "" deletes the current one.

    Any other address waits for confirmation by a mail to the current one; then returns True. ``has_server`` says
    whether mails can be sent. Raises Refused.
    """
    s, event = act.s, act.event
    contact = _row_of(s, player)
    if contact is None:
        give_address(act, player, mail)
        return False
    if contact.mail == mail:
        _forget_change(s, player)  # the current address
        return False
    if not event.mail_asked and mail:
        raise Refused("This event takes no mail addresses.", "mail")
    if not mail:
        # The row stays, empty, so that the next address does not count as a first one.
        _forget_change(s, player)
        contact.mail, contact.given_at = "", act.now
        _note(act, player, f"Deleted the mail address of {player.name}")
        return False
    if not contact.mail:
        raise Refused(DELETED, "mail")
    if not has_server:
        raise Refused(f"This server sends no mail, so you cannot confirm another address. {ASK_ORGANISER}", "mail")
    _check_asked(s, player, act.now)
    if why := _why_not_mailed(s, event, contact.mail, act.now):
        raise Refused(f"{why} Try again tomorrow. {ASK_ORGANISER}", "mail")
    _forget_change(s, player)
    asked = _write(act, player, ASKED)
    s.add(MailChange(event_id=event.id, player_id=player.id, mail=mail, key=asked.key, asked_at=act.now))
    _note(act, player, f"{player.name} asked to change the mail address, which the current address must confirm")
    return True


def cancel_change(act: Act, player: Player) -> None:
    """Cancel the waiting change of a mail address, if any."""
    if _forget_change(act.s, player):
        _note(act, player, f"Cancelled the change of the mail address of {player.name}")


def confirm_address(s: Session, event: Event, player: Player, key: str, now: datetime, *, has_server: bool) -> None:
    """Confirm the change with this key: the new address takes effect, and a mail is sent to it.

    Raises Refused if the change is not waiting.
    """
    change = change_of(s, player)
    contact = _row_of(s, player)
    if change is None or change.key != key or not waits(change, now) or contact is None or not event.mail_asked:
        raise Refused("This change is no longer pending.")
    mailed = has_server and not _why_not_mailed(s, event, change.mail, now)
    contact.mail, contact.given_at = change.mail, now
    s.delete(change)
    act = Act(s, event, f"player {player.name}", now)
    _note(act, player, f"Changed the mail address of {player.name}, confirmed from the former one")
    _write(act, player, CHANGED, mailed=mailed)


def forget_addresses(s: Session, event: Event) -> int:
    """Delete every mail address of the event's players, waiting ones too. Returns how many were in use."""
    contacts = s.exec(
        select(Contact).join(Player, col(Contact.player_id) == col(Player.id)).where(Player.event_id == event.id)
    ).all()
    changes = s.exec(select(MailChange).where(MailChange.event_id == event.id)).all()
    for row in (*contacts, *changes):
        s.delete(row)
    return sum(contact.mail != "" for contact in contacts)


def _row_of(s: Session, player: Player) -> Contact | None:
    """The stored row of the player's address, which is empty after a deletion."""
    return s.exec(select(Contact).where(Contact.player_id == player.id)).first()


def _check_asked(s: Session, player: Player, now: datetime) -> None:
    """Raise Refused if the player has requested too many changes within a day."""
    asked = (
        select(func.count())
        .select_from(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Delivery.player_id == player.id, Message.recipients == ABOUT_ADDRESS, Message.subject == ASKED.subject)
        .where(Message.at > now - A_DAY)
    )
    if s.exec(asked).one() >= MOST_ASKED:
        raise Refused(f"You have reached the limit of {MOST_ASKED} changes in 24 hours. {ASK_ORGANISER}", "mail")


def _why_not_mailed(s: Session, event: Event, recipient: str, now: datetime) -> str:
    """Why no mail about an address change can be sent to this recipient now; "" if it can."""
    if mails_since(s, event, now - A_DAY, about_addresses=True) >= MOST_OF_EVENT:
        return f"This event has sent {MOST_OF_EVENT} mails about changed addresses in 24 hours."
    if address_mails_to(s, recipient, now - A_DAY) >= MOST_TO_ONE:
        return f"Your address has had {MOST_TO_ONE} mails about changed addresses in 24 hours."
    return ""


def _write(act: Act, player: Player, template: Template, *, mailed: bool = True) -> Message:
    """Put one of the service's own messages on the player's page, and mail it to the current address."""
    known = {"event": act.event.name} | ({AGREE: NOT_HERE} if template.recipients == ABOUT_ADDRESS else {})
    message = Message(
        event_id=act.event.id, key=secrets.token_urlsafe(24), recipients=template.recipients, subject=template.subject,
        text=template.text, words=known, public=False, by=act.actor[:120], at=act.now,
    )  # fmt: skip
    act.s.add(message)
    act.s.flush()  # assigns the message's id for its delivery
    delivery = Delivery(message_id=message.id, player_id=player.id, words=known | {"name": player.name})
    if mailed:
        delivery.mail, delivery.next_try = MailState.QUEUED, act.now
    act.s.add(delivery)
    return message


def _forget_change(s: Session, player: Player) -> bool:
    """Delete the waiting change and its unsent mail. Returns whether there was one."""
    change = change_of(s, player)
    if change is None:
        return False
    queued = select(Delivery).join(Message, col(Delivery.message_id) == col(Message.id))
    for delivery in s.exec(queued.where(Message.event_id == change.event_id, Message.key == change.key)):
        if delivery.mail == MailState.QUEUED:
            delivery.mail, delivery.next_try = None, None
    s.delete(change)
    s.flush()  # before the same player's next one is added
    return True


def _note(act: Act, player: Player, text: str) -> None:
    note(act, "mail-address", text, player=player.id)
