"""The mails of each kind, as they are written when they are sent."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial

from sqlmodel import Session, col, func, or_, select

from events.accounts.own_pages import whose
from events.messages import permits
from events.messages.account_mails import ASKS, SIGNED_IN, account_mail_token, address_of_account
from events.messages.delivery import Connection
from events.messages.dispatching import Attempt, Outcome, Way
from events.messages.notices import address_of, prepared
from events.messages.permits import Addressed, Cause
from events.messages.queries import change_with, contact_of, language_of, waits, worded
from events.messages.text import (
    ABOUT_ADDRESS,
    AGREE,
    INVITED,
    LOST,
    OWN_PAGE,
    address_mark,
    asked_for,
    change_token,
    filled,
    filled_line,
    subject_of,
)
from events.store.act import Act
from events.store.journal import note
from events.store.rounds import days_of
from events.store.visitor import MAIL
from events.visitors.queries import link_token
from languages.dates import dated
from languages.message import message as journal_message
from languages.words import N_, first_offered, gettext, speaking
from models.dispatch import Dispatch, DispatchKind, DispatchState
from models.event import Event, EventState
from models.join_code import JoinCode
from models.message import Contact, Delivery, Message
from models.people import Account
from models.play import Player
from service.settings import MailServer

MOST_LINKS = 20
"""The most private links in one mail."""
POLICY = SMTP.clone(cte_type="7bit")  # every mail server accepts 7-bit text


def link_to(server: MailServer, secret: str, player: Player, contact: Contact) -> str:
    """The private link in a mail to this address; while the address is not confirmed, the link confirms it."""
    link = f"{server.links}/p/{link_token(secret, player)}"
    return link if contact.confirmed_at else f"{link}/{address_mark(secret, contact)}"


@dataclass(frozen=True)
class Post:
    """What writes mails and hands them over."""

    connection: Connection
    secret: str

    @property
    def server(self) -> MailServer:
        return self.connection.server

    def later(self, mail: EmailMessage, to: str, then: Callable[[Session, Dispatch], object] | None = None) -> Attempt:
        """Hand the mail over when it is called; ``then`` follows if it was sent, or perhaps."""

        def attempt() -> Outcome:
            outcome = self.connection.send(mail, to)
            is_counted = outcome.state in (DispatchState.SENT, DispatchState.UNSURE)
            return replace(outcome, then=then) if is_counted else outcome

        return attempt


def mail_ways(connection: Connection, secret: str) -> dict[DispatchKind, Way]:
    """The kinds of mails, those first for which somebody waits."""
    post = Post(connection, secret)
    return {
        DispatchKind.LINKS: Way(partial(_links, post), is_kept=False),
        DispatchKind.ACCOUNT: Way(partial(_to_account, post), is_kept=False),
        DispatchKind.CODE: Way(partial(_invitation, post), is_kept=False),
        DispatchKind.NOTICE: Way(partial(_notice, post)),
        DispatchKind.MESSAGE: Way(partial(_message, post), failed=_note_failure),
    }


def _counted(
    event: Event | None, contact: Addressed, cause: Cause, now: datetime
) -> Callable[[Session, Dispatch], object]:
    return lambda s, _: permits.claim(s, event, contact, cause, now)


def _message(post: Post, s: Session, row: Dispatch, now: datetime) -> Outcome | Attempt:
    """The mail of a message, to the player's current address or the one that it is pinned to."""
    delivery = s.get_one(Delivery, row.delivery_id)
    message, player = s.get_one(Message, delivery.message_id), s.get_one(Player, delivery.player_id)
    event = s.get_one(Event, message.event_id)
    contact = contact_of(s, player) if event.mail_asked else None
    if row.mail and event.mail_asked:
        contact = Contact(player_id=player.id, mail=row.mail, given_at=message.at, confirmed_at=message.at)
    page = whose(s, [player.id]).get(player.id) if message.recipients == OWN_PAGE else None
    why = ""
    if contact is None:
        why = N_("the player has no mail address any more")
    elif contact.confirmed_at is None and contact.given_at > message.at:
        why = N_("the player has given another address since")
    elif message.recipients == OWN_PAGE and page is None:
        why = N_("the player's entry is on no page any more")
    elif _too_late(s, message, now):
        why = N_("its link is not valid any more; the player can ask for the change again")
    if contact is None or why:
        return Outcome(DispatchState.FAILED, why)
    link = link_to(post.server, post.secret, player, contact)
    with speaking(language_of(player, event)):
        subject, body = worded(message)
        why = _why(post.server, event)
        stop = gettext("To stop it, delete the mail address on your page: %(link)s", link=link)
    words = delivery.words | {"link": link, "page": f"{post.server.links}/e/{event.slug}"}
    if message.recipients == ABOUT_ADDRESS:
        words[AGREE] = f"{post.server.links}/mail/{change_token(post.secret, message.key)}"
    if page is not None:
        words[AGREE] = f"{post.server.links}/m/{link_token(post.secret, page)}"
    text = f"{filled(body, words)}\n\n-- \n{why}\n"
    if not row.mail:  # a pinned one may be the player's no more
        text += f"{stop}\n"
    return post.later(_written(post, row, contact.mail, filled_line(subject, words), text), contact.mail)


def _too_late(s: Session, message: Message, now: datetime) -> bool:
    if message.recipients != ABOUT_ADDRESS or AGREE not in asked_for(message.text):
        return False
    change = change_with(s, message.key)
    return change is None or not waits(change, now)


def _note_failure(s: Session, event: Event, row: Dispatch, now: datetime) -> None:
    delivery = s.get_one(Delivery, row.delivery_id)
    player, sent = s.get_one(Player, delivery.player_id), s.get_one(Message, delivery.message_id)
    failed = row.state == DispatchState.FAILED
    not_sent = N_("The mail “%(subject)s” to %(name)s could not be sent: %(error)s")
    unsure = N_("The mail “%(subject)s” to %(name)s may have been sent: %(error)s")
    figures = {"subject": subject_of(sent), "name": player.name, "error": row.reason}
    note(
        Act(s, event, MAIL, now),
        "mail-failed" if failed else "mail-unsure",
        journal_message(not_sent if failed else unsure, **figures),
        message=sent.id,
        player=player.id,
        attempts=row.attempts,
    )


def _notice(post: Post, s: Session, row: Dispatch, now: datetime) -> Outcome | Attempt:
    """The mail of a notice, if it is still true and the limits allow it."""
    ready = prepared(s, row, now)
    contact = address_of(s, ready, post.server, now) if ready else None
    if ready is None or contact is None:
        return Outcome(DispatchState.FAILED)
    words = {**ready.words, "link": f"{post.server.links}/p/{link_token(post.secret, ready.player)}"}
    with speaking(language_of(ready.player, ready.event)):
        stop = gettext("To stop some or all of these mails, open Notifications on your page.")
        body = f"{filled(ready.text.mail, words)}\n\n-- \n{_why(post.server, ready.event)}\n{stop}\n"
        subject = filled_line(gettext(ready.text.subject), words)
    then = _counted(ready.event, contact, Cause.EVENT, now)
    return post.later(_written(post, row, contact.mail, subject, body), contact.mail, then)


def _links(post: Post, s: Session, row: Dispatch, now: datetime) -> Outcome | Attempt:
    """One mail with all links of the address. No event changes, whether the address is known or not."""
    rows, event = with_address(s, row), s.get_one(Event, row.event_id)
    if not rows or permits.why_not(s, event, rows[0][0], Cause.STRANGER, now):
        return Outcome(DispatchState.FAILED)
    links = [
        f"{player.name}, {s.get_one(Event, player.event_id).name}:\n"
        f"{link_to(post.server, post.secret, player, contact)}"
        for contact, player in rows
    ]
    contact = rows[0][0]
    with speaking(language_of(rows[0][1], event)):
        subject, text = gettext(LOST.subject), filled(gettext(LOST.text), {"links": "\n\n".join(links)})
    then = _counted(event, contact, Cause.STRANGER, now)
    return post.later(_written(post, row, contact.mail, subject, text), contact.mail, then)


def with_address(s: Session, request: Dispatch) -> list[tuple[Contact, Player]]:
    """The players with this address, at the event asked about and others not over: those who confirmed it, else all."""
    query = (
        select(Contact, Player)
        .join(Player, col(Contact.player_id) == col(Player.id))
        .join(Event, col(Player.event_id) == col(Event.id))
        .where(Event.mail_asked, or_(Event.state != EventState.FINISHED, Event.id == request.event_id))
        .where(func.lower(Contact.mail) == request.mail.lower(), Contact.mail != "")
        .order_by(col(Contact.confirmed_at).is_(None), col(Player.id))
        .limit(MOST_LINKS)
    )
    rows = [(contact, player) for contact, player in s.exec(query)]
    return [row for row in rows if row[0].confirmed_at] or rows


def _to_account(post: Post, s: Session, row: Dispatch, now: datetime) -> Outcome | Attempt:
    account, links = s.get_one(Account, row.account_id), post.server.links
    address, cause = address_of_account(s, account), Cause.EVENT if row.about else Cause.STRANGER
    if address is None or permits.why_not(s, None, address, cause, now):
        return Outcome(DispatchState.FAILED)
    with speaking(first_offered(account.language)):
        subject, text = map(gettext, SIGNED_IN if row.about else ASKS)
        signed_in_at = dated(row.at, "%-d %b %Y, %H:%M UTC")
    words = {
        "name": account.name, "links": links, "browser": row.about, "at": signed_in_at,
        "confirm": f"{links}/account-mail/{account_mail_token(post.secret, address)}",
    }  # fmt: skip
    mail = _written(post, row, address.mail, subject.format(**words), text.format(**words))
    return post.later(mail, address.mail, _counted(None, address, cause, now))


def _invitation(post: Post, s: Session, row: Dispatch, now: datetime) -> Outcome | Attempt:
    """The link of an invitation, to the address that an organiser typed; nothing if it was ended."""
    code, event = s.get_one(JoinCode, row.join_code_id), s.get_one(Event, row.event_id)
    if code.ended_at is not None:
        return Outcome(DispatchState.FAILED)
    words = {"label": code.label, "event": event.name}
    words["link"] = f"{post.server.links}/e/{event.slug}/register?code={code.code}"
    with speaking(language_of(None, event)):
        words["where"] = ", ".join(filter(None, (days_of(event, "%A %-d %B %Y"), event.place)))
        subject, text = filled_line(gettext(INVITED[0]), words), filled(gettext(INVITED[1]), words)
    return post.later(_written(post, row, row.mail, subject, text), row.mail)


def _why(server: MailServer, event: Event) -> str:
    why = gettext("You get this because this address was given for %(event)s.", event=event.name)
    page = f"{server.links}/e/{event.slug}/privacy"
    kept = gettext("What is kept about you, and for how long: %(page)s", page=page)
    return f"{why}\n{kept}"


def _written(post: Post, row: Dispatch, to: str, subject: str, text: str) -> EmailMessage:
    """A mail. All its attempts have the same Message-ID, which does not reveal the number of mails."""
    number = hashlib.sha256(f"dispatch {row.id} {post.secret}".encode()).hexdigest()[:32]
    mail = EmailMessage(POLICY)
    mail["Subject"] = _header_text(subject[:200])
    mail["From"] = post.server.sender
    mail["To"] = Address(addr_spec=to)
    mail["Date"] = row.at.strftime("%a, %d %b %Y %H:%M:%S +0000")
    mail["Message-ID"] = f"<{number}@{post.server.sender.domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    return mail


def _header_text(text: str) -> str:
    # RFC 2047's "=?utf-8?q?=0D=0A..." would be decoded by mail programs or by Python, line breaks included.
    return text.replace("=?", "= ?")
