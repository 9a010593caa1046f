"""Messages as pages show them: the copy of one player, or of everybody; and who can be sent the private link."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from flask import url_for

from events.messages.queries import contact_of, messages_to, public_messages, worded
from events.messages.text import ADDRESSES, AGREE, NOT_HERE, filled_line, pieces
from events.web.request import db, mail_server
from languages.words import gettext
from models.event import Event
from models.play import Player


def can_mail_link(event: Event, player: Player) -> bool:
    contact = contact_of(db(), player)
    return mail_server() is not None and event.mail_asked and contact is not None and bool(contact.mail)


@dataclass(frozen=True)
class Shown:
    """One copy of a message. ``parts`` are its text's parts, each with whether it is a link."""

    subject: str
    parts: tuple[tuple[str, bool], ...]
    at: datetime
    delivery_id: int = 0
    """0 for a copy that is not for one player."""
    read: bool = True


def shown_copy(
    event: Event,
    subject: str,
    text: str,
    words: Mapping[str, str],
    at: datetime,
    *,
    delivery_id: int = 0,
    read: bool = True,
) -> Shown:
    """A copy for a page. Its links are paths, so they do not depend on the request's host."""
    links = {
        "link": url_for("player.today", slug=event.slug),
        "page": url_for("public.event", slug=event.slug),
    }
    if AGREE in words:
        links[AGREE] = gettext(NOT_HERE)
    full = {**words, **links}
    parts = tuple((part, name in ADDRESSES) for name, part in pieces(text, full))
    return Shown(filled_line(subject, full), parts, at, delivery_id, read)


def inbox(event: Event, player: Player) -> list[Shown]:
    return [
        shown_copy(
            event, *worded(message), delivery.words, message.at,
            delivery_id=delivery.id, read=delivery.read_at is not None,
        )
        for delivery, message in messages_to(db(), player)
    ]  # fmt: skip


def messages_to_all(event: Event) -> list[Shown]:
    messages = public_messages(db(), event)
    return [shown_copy(event, message.subject, message.text, message.words, message.at) for message in messages]
