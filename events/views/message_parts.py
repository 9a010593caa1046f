"""Messages as pages show them: each placeholder's word plain, the addresses among them as links."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import url_for

from events.message_reading import in_trouble, messages_to, public_messages, waiting_since
from events.message_text import ADDRESSES, filled_line, pieces, subject_of
from events.next_step import Step
from events.views.request import db, local, now
from models.event import Event
from models.play import Player


@dataclass(frozen=True)
class Shown:
    """One copy of a message. ``parts`` are its text in order, each with whether it is an address to follow."""

    subject: str
    parts: tuple[tuple[str, bool], ...]
    at: datetime
    delivery_id: int = 0
    """0 for a copy that belongs to nobody."""
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
    """A copy as a page shows it. Its links are paths: no link is made of what a request calls the host."""
    links = {
        "link": url_for("registration.today", slug=event.slug),
        "page": url_for("public.event", slug=event.slug),
    }
    full = {**words, **links}
    parts = tuple((part, name in ADDRESSES) for name, part in pieces(text, full))
    return Shown(filled_line(subject, full), parts, at, delivery_id, read)


def inbox(event: Event, player: Player) -> list[Shown]:
    """What was written to a player, unread first."""
    return [
        shown_copy(
            event, message.subject, message.text, delivery.words, message.at,
            delivery_id=delivery.id, read=delivery.read_at is not None,
        )
        for delivery, message in messages_to(db(), player)
    ]  # fmt: skip


def said_to_all(event: Event) -> list[Shown]:
    """What everybody reads on the event's page, newest first."""
    found = public_messages(db(), event)
    return [shown_copy(event, one.subject, one.text, one.words, one.at) for one in found]


def mail_steps(event: Event) -> list[Step]:
    """What the desk says of mails that need the organiser."""
    steps = []
    trouble, since = in_trouble(db(), event), waiting_since(db(), event, now())
    if trouble:
        mails = "1 mail was not sent" if trouble == 1 else f"{trouble} mails were not sent"
        steps.append(Step(f"{mails}, or perhaps not.", "Messages", "messages.all", {}, waits=True))
    if since:
        told = f"Mails wait since {local(since, event, '%H:%M')}: nothing sends them."
        steps.append(Step(told, "Messages", "messages.all", {}, waits=True))
    return steps


# What templates and their macros may ask, beside ``views.request.TEMPLATE_GLOBALS``.
MESSAGE_GLOBALS: dict[str, Any] = {
    "inbox": inbox,
    "said_to_all": said_to_all,
    "mail_steps": mail_steps,
    "subject_of": subject_of,
}
