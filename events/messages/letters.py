"""Mails as they are written: messages to players and notices."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from events.accounts.queries import link_token
from events.messages.queries import language_of, worded
from events.messages.text import (
    ABOUT_ADDRESS,
    AGREE,
    NoticeText,
    address_mark,
    change_token,
    filled,
    filled_line,
)
from languages.words import gettext, speaking
from models.event import Event
from models.message import Contact, Delivery, Message
from models.notice import Notice
from models.person import Person
from models.play import Player
from service.settings import MailServer

POLICY = SMTP.clone(cte_type="7bit")  # every mail server accepts 7-bit text


def link_to(server: MailServer, secret: str, player: Player, contact: Contact) -> str:
    """The private link in a mail to this address; while the address is not confirmed, the link confirms it."""
    link = f"{server.links}/p/{link_token(secret, player)}"
    return link if contact.confirmed_at else f"{link}/{address_mark(secret, contact)}"


def letter(
    server: MailServer, secret: str, event: Event, message: Message, delivery: Delivery, player: Player,
    contact: Contact, page: Person | None = None,
) -> EmailMessage:  # fmt: skip
    """The mail to the player's address. All attempts of a delivery have the same Message-ID.

    ``page``: the person's own page, of a mail with its private link.
    """
    link = link_to(server, secret, player, contact)
    with speaking(language_of(player, event)):
        subject, body = worded(message)
        why = _why(server, event)
        stop = gettext("To stop it, delete the mail address on your page: %(link)s", link=link)
    words = delivery.words | {"link": link, "page": f"{server.links}/e/{event.slug}"}
    if message.recipients == ABOUT_ADDRESS:
        words[AGREE] = f"{server.links}/mail/{change_token(secret, message.key)}"
    if page is not None:
        words[AGREE] = f"{server.links}/m/{link_token(secret, page)}"
    text = f"{filled(body, words)}\n\n-- \n{why}\n"
    if not delivery.pinned:  # a pinned one may be the player's no more
        text += f"{stop}\n"
    number = id_of(secret, f"delivery {delivery.id} {delivery.message_id}")
    return written(server, contact.mail, filled_line(subject, words), text, number, message.at)


def notice_letter(
    server: MailServer, secret: str, event: Event, player: Player, notice: Notice, text: NoticeText,
    words: Mapping[str, str], to: str,
) -> EmailMessage:  # fmt: skip
    words = {**words, "link": f"{server.links}/p/{link_token(secret, player)}"}
    with speaking(language_of(player, event)):
        stop = gettext("To stop some or all of these mails, open Notifications on your page.")
        body = f"{filled(text.mail, words)}\n\n-- \n{_why(server, event)}\n{stop}\n"
        subject = filled_line(gettext(text.subject), words)
    return written(server, to, subject, body, id_of(secret, f"notice {notice.id}"), notice.at)


def _why(server: MailServer, event: Event) -> str:
    why = gettext("You get this because this address was given for %(event)s.", event=event.name)
    page = f"{server.links}/e/{event.slug}/privacy"
    kept = gettext("What is kept about you, and for how long: %(page)s", page=page)
    return f"{why}\n{kept}"


def written(server: MailServer, to: str, subject: str, text: str, number: str, at: datetime) -> EmailMessage:
    mail = EmailMessage(POLICY)
    mail["Subject"] = _header_text(subject[:200])
    mail["From"] = server.sender
    mail["To"] = Address(addr_spec=to)
    mail["Date"] = at.strftime("%a, %d %b %Y %H:%M:%S +0000")
    mail["Message-ID"] = f"<{number}@{server.sender.domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    return mail


def _header_text(text: str) -> str:
    # RFC 2047's "=?utf-8?q?=0D=0A..." would be decoded by mail programs or by Python, line breaks included.
    return text.replace("=?", "= ?")


def id_of(secret: str, what: str) -> str:
    """The id of a mail: the same in every attempt, without revealing the number of mails."""
    return hashlib.sha256(f"{what} {secret}".encode()).hexdigest()[:32]
