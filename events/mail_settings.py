"""Where mail is handed over: settings from the environment."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.headerregistry import Address, AddressHeader
from typing import Any
from urllib.parse import unquote, urlsplit

from events.public_address import read_address

SCHEMES = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
"""Plain, encrypted after a first word in the clear, encrypted from the start; with their usual ports."""
A_DAY = 2000


@dataclass(frozen=True)
class MailServer:
    """The server that takes our mail, and what stands on it."""

    scheme: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    sender: Address
    links: str
    """The address at which players reach this service, without a slash at its end."""
    a_day: int = A_DAY
    """Mails that one event may queue within 24 hours."""


def read_mail(environ: Mapping[str, str]) -> MailServer | None:
    """The server of ``OVERSEER_SMTP``, with OVERSEER_MAIL_FROM, OVERSEER_ADDRESS and OVERSEER_MAILS_A_DAY.

    None where none is set. Raises ValueError with words that never hold the password.
    """
    if not environ.get("OVERSEER_SMTP"):
        return None
    try:
        url = urlsplit(environ["OVERSEER_SMTP"].strip())
        host, port = url.hostname or "", url.port
    except ValueError as error:
        raise ValueError("OVERSEER_SMTP: no address that can be read") from error
    if url.scheme not in SCHEMES or not host or url.path not in ("", "/") or url.query or url.fragment:
        raise ValueError("OVERSEER_SMTP: smtp+starttls://USER:PASSWORD@HOST:PORT is needed (or smtps://, or smtp://)")
    user, password = unquote(url.username or ""), unquote(url.password or "")
    if url.scheme == "smtp" and user and not _here(host):
        raise ValueError("OVERSEER_SMTP: a password is not sent in the clear: use smtp+starttls:// or smtps://")
    a_day = environ.get("OVERSEER_MAILS_A_DAY") or str(A_DAY)
    if not a_day.isdecimal() or not 0 < int(a_day[:9]) <= 1_000_000:
        raise ValueError("OVERSEER_MAILS_A_DAY: a number from 1 to 1000000 is needed")
    links = read_address(environ.get("OVERSEER_ADDRESS") or "")
    if not links:
        raise ValueError("OVERSEER_ADDRESS: mail needs the address at which players reach this service: https://HOST")
    return MailServer(
        url.scheme, host, port or SCHEMES[url.scheme], user, password,
        _sender(environ.get("OVERSEER_MAIL_FROM") or ""), links, int(a_day),
    )  # fmt: skip


def _here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _sender(typed: str) -> Address:
    """One address, with or without a name: ``Iron Open <desk@example.org>``."""
    try:
        found: dict[str, Any] = {}
        AddressHeader.parse(typed, found)
        (sender,) = (address for group in found["groups"] for address in group.addresses)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise ValueError("OVERSEER_MAIL_FROM: one address is needed, as Our Club <desk@example.org>") from error
    if found["defects"] or not sender.domain or not typed.isprintable() or not sender.addr_spec.isascii():
        raise ValueError("OVERSEER_MAIL_FROM: one address is needed, as Our Club <desk@example.org>")
    assert isinstance(sender, Address)  # noqa: S101 - the parser's kind
    return sender
