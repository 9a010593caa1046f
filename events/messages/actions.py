"""Messages to players, mails with a private link, and their queue."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.messages import permits
from events.messages.permits import A_DAY, Cause
from events.messages.queries import (
    TROUBLE,
    common_words,
    contacts_of,
    language_of,
    mails_since,
    messages_of,
    recipients,
    values_for,
)
from events.messages.text import (
    ABOUT_ADDRESS,
    ADDRESSES,
    AGREE,
    NOT_HERE,
    OWN_PAGE,
    PERSONAL,
    Template,
    asked_for,
    subject_of,
    unknown,
)
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.store.notices import notify
from events.store.players import players_by_id
from events.store.rounds import newest_view
from languages.message import counted_message, message
from languages.words import N_, gettext, in_sentence, listed, ngettext, speaking
from models.dispatch import Dispatch, DispatchKind, DispatchState, Occasion, queued
from models.event import Event
from models.message import GROUPS, Delivery, Message
from models.play import Player
from validators.strict_json import fingerprint

OWN_LINK = "own_link"
"""``Message.recipients`` of a mail with a private link; organisers cannot choose it."""
AN_HOUR = timedelta(hours=1)
MOST_AN_HOUR = 3
"""The most mails with the private link to one player in an hour."""
LINK = Template(
    "Private link",
    OWN_LINK,
    N_("{event}: your private link"),
    N_(
        "Hello {name},\n\nthis is the private link to your page of {event}:\n\n{link}\n\nDo not share it: anyone "
        "who has it can report results and change your list."
    ),
)


def mail_link(act: Act, player: Player, a_day: int) -> None:
    """Queue a mail with the player's private link to the stored address; nobody at the desk sees the link.

    ``a_day`` is the most mails that the event may queue within 24 hours, 0 without a mail server. Raises Refused.
    """
    contact = contacts_of(act.s, act.event).get(player.id)
    if not a_day or contact is None:
        raise Refused(
            gettext("No mail can be sent to %(player)s. Ask an organiser for the private link.", player=player.name)
        )
    sent = select(func.count()).select_from(Delivery).join(Message, col(Delivery.message_id) == col(Message.id))
    sent = sent.where(Delivery.player_id == player.id, Message.recipients == OWN_LINK, Message.at > act.now - AN_HOUR)
    if act.s.exec(sent).one() >= MOST_AN_HOUR:
        raise Refused(
            ngettext(
                "%(player)s was mailed the link %(num)s time within an hour. Try again later.",
                "%(player)s was mailed the link %(num)s times within an hour. Try again later.",
                MOST_AN_HOUR,
                player=player.name,
            )
        )
    if mails_since(act.s, act.event, act.now - A_DAY) >= a_day:
        raise Refused(
            gettext("This event has reached its limit of mails in 24 hours. Ask an organiser for the private link.")
        )
    if why := permits.claim(act.s, act.event, contact, Cause.DESK, act.now):
        raise Refused(gettext("%(player)s: %(why)s", player=player.name, why=why))
    queue_mail(act, player, LINK)
    note(act, "mail-link", message("Mailed the private link to %(name)s", name=player.name), player=player.id)


MOST_MESSAGES = 100
"""The most messages of one event within 24 hours; more are probably a mistake."""


@dataclass(frozen=True)
class Draft:
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
    player: Player
    words: dict[str, str]
    mail: bool


@dataclass(frozen=True)
class Outgoing:
    copies: tuple[Copy, ...]
    words: dict[str, str]
    """The values of its placeholders that are the same for every player."""
    public: bool
    """Whether it also appears on the event's page."""

    @property
    def mails(self) -> int:
        return sum(copy.mail for copy in self.copies)


def outgoing(s: Session, event: Event, draft: Draft, now: datetime) -> Outgoing:
    """All copies of a draft, filled in. Raises Refused, at the field concerned, if it cannot be sent."""
    wrong = [(name, error) for name in ("subject", "text") if (error := unknown(getattr(draft, name)))]
    if wrong:
        raise Refused(wrong[0][1], wrong[0][0], tuple(wrong[1:]))
    if draft.chosen and draft.recipients != "chosen":
        why = ngettext(
            "%(num)s player is chosen by hand, but the message goes to another group. Choose “%(group)s” here, or"
            " untick them below.",
            "%(num)s players are chosen by hand, but the message goes to another group. Choose “%(group)s” here, or"
            " untick them below.",
            len(draft.chosen),
            group=gettext(GROUPS["chosen"]),
        )
        raise Refused(why, "recipients")
    view = newest_view(s, event)
    names = {id_: player.name for id_, player in players_by_id(event).items()}
    contacts = contacts_of(s, event) if draft.mail and event.mail_asked else {}
    players = recipients(event, draft.recipients, now, draft.chosen)
    if not players:
        group = in_sentence(gettext(GROUPS[draft.recipients]))
        raise Refused(gettext("Nobody is in this group now: %(group)s.", group=group), "recipients")
    common = {}
    for code in {language_of(player, event) for player in (None, *players)}:
        with speaking(code):
            common[code] = common_words(event, view)

    def values(player: Player) -> dict[str, str]:
        code = language_of(player, event)
        with speaking(code):
            return values_for(player, common[code], view, names)

    copies = tuple(Copy(p, values(p), p.id in contacts) for p in players)
    asked = asked_for(draft.subject) | asked_for(draft.text)
    _check_all_filled(draft, asked - {*ADDRESSES}, copies)
    public = draft.recipients == "all" and not asked & {*PERSONAL}
    of_all = common[language_of(None, event)]
    return Outgoing(copies, {name: of_all[name] for name in sorted(asked & {*of_all})}, public)


def _check_all_filled(draft: Draft, asked: Collection[str], copies: Sequence[Copy]) -> None:
    for name in sorted(asked):
        without = [copy.player.name for copy in copies if name not in copy.words]
        if without:
            why = gettext("“{%(name)s}” has no value yet.", name=name)
            if len(without) < len(copies):
                more = [gettext("%(n)s more", n=len(without) - 5)] if len(without) > 5 else []
                whom = listed([*without[:5], *more])
                why = gettext("“{%(name)s}” has no value yet for %(whom)s.", name=name, whom=whom)
            if name in ("table", "opponent"):
                why = " ".join((why, gettext("Use {game} instead.")))
            raise Refused(why, "text" if name in asked_for(draft.text) else "subject")


def send(act: Act, draft: Draft, key: str, a_day: int) -> Message:
    """Put the message on its players' pages and queue its mails; repeating ``key`` sends nothing.

    ``a_day`` is the most mails that an event may queue within 24 hours, 0 without a mail server. Raises Refused.
    """
    s, event = act.s, act.event
    same = s.exec(select(Message).where(Message.event_id == event.id, Message.key == key)).first()
    if same is not None:
        return same
    ready = outgoing(s, event, draft, act.now)
    written = [earlier for earlier in messages_of(s, event) if earlier.recipients in GROUPS]
    if sum(message.at > act.now - A_DAY for message in written) >= MOST_MESSAGES:
        raise Refused(
            ngettext(
                "This event has sent %(num)s message in 24 hours: no more can be sent for now.",
                "This event has sent %(num)s messages in 24 hours: no more can be sent for now.",
                MOST_MESSAGES,
            )
        )
    contacts, mails = contacts_of(s, event), ready.mails if a_day else 0
    left = a_day - mails_since(s, event, act.now - A_DAY)
    if mails and mails > left:
        why = ngettext(
            "This message needs %(num)s mail. The event can send %(left)s more (at most %(a_day)s in "
            "24 hours). Untick mail to write only to the players' pages, or choose fewer players.",
            "This message needs %(num)s mails. The event can send %(left)s more (at most %(a_day)s "
            "in 24 hours). Untick mail to write only to the players' pages, or choose fewer players.",
            mails,
            left=max(0, left),
            a_day=a_day,
        )
        raise Refused(why, "mail")
    sent = Message(
        event_id=event.id, key=key, recipients=draft.recipients, subject=draft.subject, text=draft.text,
        words=ready.words, public=ready.public, by=act.actor, at=act.now,
    )  # fmt: skip
    s.add(sent)
    s.flush()  # assigns the message's id for its deliveries
    asked = asked_for(draft.subject) | asked_for(draft.text)
    mailed = list[Delivery]()
    for copy in ready.copies:
        words = {name: word for name, word in copy.words.items() if name in asked or name == "event"}
        delivery = Delivery(message_id=sent.id, player_id=copy.player.id, words=words)
        s.add(delivery)
        contact = contacts.get(copy.player.id) if mails and copy.mail else None
        if contact is not None and not permits.claim(s, event, contact, Cause.DESK, act.now):
            mailed.append(delivery)
    _queue_mails(act, sent, mailed)
    notify(s, Occasion.ANSWER, f"message {sent.id}", [copy.player.id for copy in ready.copies], act.now)
    subject, copies = subject_of(sent), len(ready.copies)
    said = counted_message(
        "Sent “%(subject)s” to %(num)s player", "Sent “%(subject)s” to %(num)s players", copies, subject=subject
    )
    if mails:
        said = message("%(said)s, %(mailed)s of them by mail", said=said, mailed=len(mailed))
    note(
        act,
        "message",
        said,
        message=sent.id,
        group=draft.recipients,
        players=[copy.player.id for copy in ready.copies],
        mails=len(mailed),
    )
    return sent


def mark_read(s: Session, player: Player, delivery_ids: Collection[int], now: datetime) -> None:
    """Mark messages as read by the player; other players' deliveries are ignored."""
    query = select(Delivery).where(Delivery.player_id == player.id, col(Delivery.id).in_(delivery_ids))
    for delivery in s.exec(query.where(col(Delivery.read_at).is_(None))):
        delivery.read_at = now


def send_again(act: Act, sent: Message, delivery_id: int) -> None:
    """Queue a failed or unsure mail again. Raises Refused if it is of another message, sent or being sent."""
    delivery = act.s.get(Delivery, delivery_id)
    if delivery is None or delivery.message_id != sent.id:
        raise Refused(gettext("This player did not get this message."))
    mail = act.s.exec(select(Dispatch).where(Dispatch.delivery_id == delivery_id).with_for_update()).first()
    if mail is not None and mail.state == DispatchState.QUEUED:
        return
    if mail is None or mail.state not in TROUBLE:
        raise Refused(gettext("This mail is sent, or on its way."))
    contact = contacts_of(act.s, act.event).get(delivery.player_id)
    if contact and (why := permits.claim(act.s, act.event, contact, Cause.DESK, act.now)):
        raise Refused(why)
    mail.state, mail.due, mail.attempts = DispatchState.QUEUED, act.now, 0
    player = act.s.get_one(Player, delivery.player_id)
    note(
        act,
        "mail-again",
        message("Queued the mail “%(subject)s” to %(name)s again", subject=subject_of(sent), name=player.name),
        message=sent.id,
        player=player.id,
    )


def queue_mail(act: Act, player: Player, template: Template, *, mailed: bool = True, pinned: str = "") -> Message:
    """Put one of the service's own messages on the player's page, and mail it to the current address, or to ``pinned``.

    ``permits.claim`` was asked before.
    """
    words = {"event": act.event.name} | ({AGREE: NOT_HERE} if template.recipients in (ABOUT_ADDRESS, OWN_PAGE) else {})
    message = Message(
        event_id=act.event.id, key=secrets.token_urlsafe(24), recipients=template.recipients, subject=template.subject,
        text=template.text, words=words, public=False, by=act.actor[:120], at=act.now,
    )  # fmt: skip
    act.s.add(message)
    act.s.flush()  # assigns the message's id for its delivery
    delivery = Delivery(message_id=message.id, player_id=player.id, words=words | {"name": player.name})
    act.s.add(delivery)
    _queue_mails(act, message, [delivery] if mailed else [], pinned)
    return message


def _queue_mails(act: Act, message: Message, deliveries: Sequence[Delivery], pinned: str = "") -> None:
    act.s.flush()  # assigns the deliveries' ids
    same = {"event_id": act.event.id, "about": message.recipients, "mail": pinned}
    act.s.add_all(
        queued(DispatchKind.MESSAGE, act.now, delivery_id=delivery.id, player_id=delivery.player_id, **same)
        for delivery in deliveries
    )
