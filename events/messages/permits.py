"""Whether a mail to an address may be sent: every path to a mail asks ``why_not``, and counts it.

An address that nobody has confirmed gets one mail, which asks, and what a person at the desk sends. Mails are counted
by mailbox over all events and kinds, as digests with the service's secret, which are kept for a month.
"""

import hmac
from datetime import datetime, timedelta
from enum import Enum

from sqlalchemy import Engine
from sqlmodel import Session

from events.accounts import limits
from events.accounts.limits import Limit
from languages.words import N_, gettext
from models.event import Event
from models.message import Contact
from models.people import AccountMail

Addressed = Contact | AccountMail
"""An address of a player or of an account, confirmed or not."""
A_DAY = timedelta(hours=24)
CONFIRMING = Limit("mail-ask", 1, limits.MAILS_KEPT)
"""Mails that ask an address to be confirmed, until one is answered."""
ASKED = Limit("mail-own", 3, A_DAY)
"""Links and address changes to a confirmed address, which anybody can ask for."""
FROM_DESK = Limit("mail-box", 60, A_DAY)
"""All mails to one mailbox, as far as a person at the desk sends them."""
FROM_DESK_UNCONFIRMED = Limit("mail-box", 3, A_DAY)
NOTICES = Limit("mail-box", 40, A_DAY)
"""All mails to one mailbox, as far as notices are concerned: a family of four plays five rounds."""
LEAST_OF_EVENT = 100
"""The least quota of an event for what strangers cause; an event with more places has twice as many."""
DOTLESS = ("gmail.com", "proton.me")
"""Providers that ignore dots in the name."""
SAME_DOMAIN = {
    "googlemail.com": "gmail.com", "protonmail.com": "proton.me", "pm.me": "proton.me",
    "me.com": "icloud.com", "mac.com": "icloud.com",
}  # fmt: skip
"""Domains of one provider that lead to the same mailbox."""

WORDS = {
    "mail-ask": N_("A mail to this address waits to be answered. Open the link in it."),
    "mail-own": N_("This address has reached its limit of links in 24 hours."),
    "mail-box": N_("This address has reached its limit of mails in 24 hours."),
    "mail-event": N_("This event has reached its limit of links by mail in 24 hours."),
}


KEY = "overseer_mailboxes"
"""Execution option of an engine: the secret by which it counts mails."""


def count_by(engine: Engine, secret: str) -> None:
    """Count the mails of this database by digests with the service's secret."""
    engine.update_execution_options(**{KEY: secret})


class Cause(Enum):
    """Who causes a mail: anybody who types an address, the event as it goes on, or a person at the desk."""

    STRANGER = "stranger"
    EVENT = "event"
    DESK = "desk"


def mailbox(address: str) -> str:
    """The mailbox of an address: without case, the part after "+", and dots that its provider ignores."""
    name, _, domain = address.lower().rpartition("@")
    name, domain = name.partition("+")[0] or name, SAME_DOMAIN.get(domain, domain)
    return f"{name.replace('.', '') if domain in DOTLESS else name}@{domain}"


def why_not(s: Session, event: Event | None, contact: Addressed, cause: Cause, now: datetime) -> str:
    """Why no mail may be sent to this address now; "" if one may. ``event`` is None for an account's address."""
    if why := _unconfirmed(contact, cause):
        return why
    return next((_full(full) for full in limits.reached(s, _counts(s, event, contact, cause), now)), "")


def claim(s: Session, event: Event | None, contact: Addressed, cause: Cause, now: datetime) -> str:
    """Count a mail that is queued now, if one may be; else why not."""
    if why := _unconfirmed(contact, cause):
        return why
    full = limits.count_attempt(s, _counts(s, event, contact, cause), now)
    return _full(full) if full else ""


def _full(limit: Limit) -> str:
    return gettext(WORDS[limit.kind])


def _unconfirmed(contact: Addressed, cause: Cause) -> str:
    return gettext("The address is not confirmed.") if contact.confirmed_at is None and cause is Cause.EVENT else ""


def release_quota(s: Session, event: Event, contact: Addressed, cause: Cause) -> None:
    """Count a queued mail no more, because it will not be sent."""
    limits.take_back(s, _counts(s, event, contact, cause))


def forget_asked(s: Session, contact: Addressed) -> None:
    """Forget that the mailbox was asked: its owner has answered."""
    limits.forget_attempts(s, CONFIRMING, _key(s, contact))


def _counts(s: Session, event: Event | None, contact: Addressed, cause: Cause) -> dict[Limit, str]:
    """The limits that a mail counts for, with their keys."""
    key, is_confirmed = _key(s, contact), contact.confirmed_at is not None
    if cause is not Cause.STRANGER:
        box = NOTICES if cause is Cause.EVENT else FROM_DESK if is_confirmed else FROM_DESK_UNCONFIRMED
        return {box: key}
    limit, box = (ASKED, NOTICES) if is_confirmed else (CONFIRMING, FROM_DESK_UNCONFIRMED)
    if event is None:
        return {limit: key, box: key}
    of_event = Limit("mail-event", max(LEAST_OF_EVENT, 2 * (event.places or 0)), A_DAY)
    return {limit: key, box: key, of_event: str(event.id)}


def _key(s: Session, contact: Addressed) -> str:
    """A keyed digest of the mailbox: no deleted address is kept, and a thief of the database can test no guesses."""
    secret: str = s.get_bind().get_execution_options()[KEY]
    return hmac.new(secret.encode(), f"mailbox {mailbox(contact.mail)}".encode(), "sha256").hexdigest()
