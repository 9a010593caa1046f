"""A mail as it goes out: one player's copy of a message, in plain text, with headers that no text can break out of."""

import hashlib
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from events.mail_changes import ABOUT_ADDRESS, AGREE, change_token
from events.mail_settings import MailServer
from events.message_text import filled, filled_line
from events.private_links import link_token
from models.event import Event
from models.message import Delivery, Message
from models.play import Player

POLICY = SMTP.clone(cte_type="7bit")  # whatever the server on the way takes


def letter(
    server: MailServer, secret: str, event: Event, message: Message, delivery: Delivery, player: Player, to: str
) -> EmailMessage:
    """The mail to the address ``to``. The same delivery has the same Message-ID at every attempt."""
    own = f"{server.links}/p/{link_token(secret, player)}"
    words = delivery.words | {"link": own, "page": f"{server.links}/e/{event.slug}"}
    if message.recipients == ABOUT_ADDRESS:
        words[AGREE] = f"{server.links}/mail/{change_token(secret, message.key)}"
    mail = EmailMessage(POLICY)
    mail["Subject"] = _header_text(filled_line(message.subject, words)[:200])
    mail["From"] = server.sender
    mail["To"] = Address(addr_spec=to)
    mail["Date"] = _as_written(message.at)
    mail["Message-ID"] = f"<{_id(secret, delivery)}@{server.sender.domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(
        f"{filled(message.text, words)}\n\n-- \nYou get this because this address was given for {event.name}.\n"
        f"To stop it, empty the mail address on your page: {own}\n"
    )
    return mail


def _header_text(text: str) -> str:
    # RFC 2047's "=?utf-8?q?=0D=0A..." would be decoded on the way, by the reader's program or by Python's own, into
    # whatever it hides: line ends among it.
    return text.replace("=?", "= ?")


def _as_written(at: datetime) -> str:
    return at.strftime("%a, %d %b %Y %H:%M:%S +0000")


def _id(secret: str, delivery: Delivery) -> str:
    # A number that guesses nothing about how many mails there are, and is the same for the second attempt.
    return hashlib.sha256(f"delivery {delivery.id} {delivery.message_id} {secret}".encode()).hexdigest()[:32]
