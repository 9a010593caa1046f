"""The settings of the service: environment variables, each with a default, read once at the start."""

import os
import re
import secrets
import shlex
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address, AddressHeader
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from service.logs import AMOUNTS
from service.private_files import write_private
from service.setting_texts import (
    read_backup,
    read_certificate,
    read_contact,
    read_domain,
    read_hosts,
    read_push_service,
    read_webhooks,
)
from service.system import system

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of this machine that no other machine can reach."""
PORT = 8000
UNIX = "unix"
"""In OVERSEER_PROXIES: a proxy that connects through a unix socket."""
Proxies = tuple[IPv4Network | IPv6Network | str, ...]


def read_address(typed: str) -> str:
    """The service's public address (OVERSEER_ADDRESS), without a trailing slash; "" if not set. Raises ValueError.

    Links are built only from it, never from a request's host.
    """
    try:
        url = urlsplit(typed)
        fine = url.scheme in ("http", "https") and url.hostname and url.path in ("", "/") and (url.port or 1)
    except ValueError:
        url, fine = urlsplit(""), False
    if typed and (not fine or url.query or url.fragment or url.username or not typed.isprintable()):
        raise ValueError("OVERSEER_ADDRESS: set the address at which people reach this service: https://HOST")
    return typed.rstrip("/")


def address_in_network() -> str:
    """This machine's IPv4 address in its local network; "" if it has none. Sends nothing."""
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # UDP: this only looks up the route to the Internet
        addresses.append(probe.getsockname()[0])
    with suppress(OSError):
        addresses += system.own_addresses()  # no such route, for example in a hotspot of its own
    return next((address for address in addresses if not ip_address(address).is_loopback), "")


def read_proxies(typed: str) -> Proxies:
    """The addresses and networks of OVERSEER_PROXIES, separated by commas. Raises ValueError."""
    names = [text.strip() for text in typed.split(",") if text.strip()]
    try:
        return tuple(UNIX if name == UNIX else ip_network(name) for name in names)
    except ValueError as bad:
        raise ValueError(
            f"OVERSEER_PROXIES: set the proxies' addresses, separated by commas, such as 127.0.0.1, not {typed[:40]!r}"
        ) from bad


SCHEMES = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
"""Plain, encrypted by STARTTLS, or encrypted from the start; with their usual ports."""
SMTP_FORM = "OVERSEER_SMTP: set smtp+starttls://USER:PASSWORD@HOST:PORT (or smtps://, or smtp://)"
A_DAY = 2000
IDLE_HOURS = 12
"""By default staff sign in again in the morning, and not during an event."""


@dataclass(frozen=True)
class MailServer:
    scheme: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    sender: Address
    links: str
    """The address at which players reach this service, without a trailing slash."""
    a_day: int = A_DAY
    """The most mails that one event may queue within 24 hours."""


def read_mail(environ: Mapping[str, str]) -> MailServer | None:
    """The server in ``OVERSEER_SMTP``, with OVERSEER_MAIL_FROM, OVERSEER_ADDRESS and OVERSEER_MAILS_A_DAY; None if not
    set.

    Raises ValueError with a message that never contains the password.
    """
    if not environ.get("OVERSEER_SMTP"):
        return None
    try:
        url = urlsplit(environ["OVERSEER_SMTP"].strip())
        host, port = url.hostname or "", url.port
    except ValueError as error:
        raise ValueError(SMTP_FORM) from error
    if url.scheme not in SCHEMES or not host or url.path not in ("", "/") or url.query or url.fragment:
        raise ValueError(SMTP_FORM)
    user, password = unquote(url.username or ""), unquote(url.password or "")
    if url.scheme == "smtp" and user and not _here(host):
        raise ValueError("OVERSEER_SMTP: smtp:// would send the password unencrypted; set smtp+starttls:// or smtps://")
    a_day = environ.get("OVERSEER_MAILS_A_DAY") or str(A_DAY)
    if not a_day.isdecimal() or not 0 < int(a_day[:9]) <= 1_000_000:
        raise ValueError("OVERSEER_MAILS_A_DAY: set a number from 1 to 1000000")
    links = read_address(environ.get("OVERSEER_ADDRESS") or "")
    if not links:
        raise ValueError(
            "OVERSEER_ADDRESS: links in mails need it; set the address at which players reach this service: https://HOST"
        )
    return MailServer(
        url.scheme, host, port or SCHEMES[url.scheme], user, password,
        _sender(environ.get("OVERSEER_MAIL_FROM") or ""), links, int(a_day),
    )  # fmt: skip


def _here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _sender(typed: str) -> Address:
    """One address, with or without a name: ``Iron Open <desk@example.org>``."""
    try:
        entry: dict[str, Any] = {}
        AddressHeader.parse(typed, entry)
        (sender,) = (address for group in entry["groups"] for address in group.addresses)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise ValueError("OVERSEER_MAIL_FROM: set one address, such as Our Club <desk@example.org>") from error
    if entry["defects"] or not sender.domain or not typed.isprintable() or not sender.addr_spec.isascii():
        raise ValueError("OVERSEER_MAIL_FROM: set one address, such as Our Club <desk@example.org>")
    assert isinstance(sender, Address)  # noqa: S101 - the parser's kind
    return sender


DIFFERENT = 8
"""The least number of different characters in a secret; fewer suggest a held-down key."""
GUESSED = re.compile(r"(?i)secret.?key|change.?me|password|123456789|abcdefgh|qwerty|example")


class BadSetting(Exception):
    """An invalid setting; the message says which one and why."""


@dataclass(frozen=True)
class Settings:
    data: Path
    database_url: str
    secret: str
    host: str
    port: int
    mail: MailServer | None = None
    """None: messages appear only on players' pages."""
    public: str = ""
    """The service's public address, "https://desk.example.org"; "" if not set."""
    hosts: frozenset[str] = frozenset()
    """The accepted host names besides this machine's own: that of ``public``, and those in the settings."""
    proxies: Proxies = ()
    """The addresses and networks of proxies whose X-Forwarded-For is trusted."""
    log: str = "normal"
    metrics: str = ""
    """The token for /metrics; "": it is off."""
    second_factor: str = "offered"
    """Or "demanded" of every account, or of "organisers", who run the club: they can do nothing else first."""
    domain: str = ""
    """The domain for the certificate of the proxy that `overseer serve` starts; "" for none."""
    http_port: int = 80
    https_port: int = 443
    """The proxy's ports for the domain."""
    push_service: str = ""
    """For tests: a push service on this machine; "" for none."""
    idle: timedelta = timedelta(hours=IDLE_HOURS)
    """An account that nobody uses for so long is signed out."""
    security_contact: str = ""
    """Where to report a vulnerability, "mailto:..." or "https://..."; "" if not set."""
    webhooks: frozenset[str] = frozenset()
    """The hosts to which events may send webhooks; none by default."""
    certificate: Path | None = None
    """The folder of the domain's own certificate; None: Caddy fetches one."""
    backup_to: str = ""
    """Where copies go besides the data folder, as restic names it; "": nowhere."""
    backup_password: str = ""
    """Encrypts those copies."""
    ratings: bool = False
    """Whether the club has a ranking, which people join by their own choice."""
    privacy_notice: str = ""
    """The club's notice for events without their own: a text, or the address of a page."""
    delete_after: int = 0
    """After how many months new events delete players' data; 0: never."""

    @property
    def can_push(self) -> bool:
        """Whether browsers can receive notices from this address: they require https, except on their own machine."""
        return self.https or bool(self.push_service)

    @property
    def https(self) -> bool:
        """Whether people connect by https, which cookies and browsers then require."""
        return self.public.startswith("https://")

    @property
    def host_in_address(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def host_and_port(self) -> str:
        return f"{self.host_in_address}:{self.port}"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}" if self._everywhere else f"http://{self.host_and_port}"

    @property
    def address_for_phones(self) -> str:
        """This machine's network address, if it listens there and no public address is set; else ""."""
        text = address_in_network() if self._everywhere and not self.public else ""
        return f"http://{text}:{self.port}" if text else ""

    @property
    def network_command(self) -> str:
        """The command that starts this service for the network, with its PORT and OVERSEER_DATA."""
        kept = {"HOST": "0.0.0.0"}  # noqa: S104 - shown, not bound
        kept |= {"PORT": str(self.port)} if self.port != PORT else {}
        kept |= {"OVERSEER_DATA": str(self.data)} if self.data != data_folder({}) else {}
        return start_command(kept, windows=sys.platform == "win32")

    @property
    def listens_to_network(self) -> bool:
        return not _here(self.host)

    @property
    def _everywhere(self) -> bool:
        return self.host in ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound


def start_command(environ: Mapping[str, str], *, windows: bool) -> str:
    """What to type in the program's folder to start the service with these settings."""
    if windows:
        return "".join(f'set "{name}={value}" && ' for name, value in environ.items()) + "Overseer.bat serve"
    return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in environ.items()), "./run serve"])


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    return Path(environ.get("OVERSEER_DATA") or "data").resolve()


def read_settings(environ: Mapping[str, str] = os.environ, *, make: bool = True) -> Settings:
    """Settings from ``OVERSEER_DATA``, ``DATABASE_URL``, ``OVERSEER_SECRET``, ``HOST``, ``PORT``, and those for mail.

    Creates the data folder, and in it a secret if none is set. Raises BadSetting. ``make=False`` creates no files;
    without a stored secret, the settings then have a dummy.
    """
    data = data_folder(environ)
    try:
        if data.is_file():
            raise BadSetting(f"OVERSEER_DATA: {data} is a file. Set a folder.")
        if make:
            data.mkdir(parents=True, exist_ok=True, mode=0o700)
        secret = environ.get("OVERSEER_SECRET") or _kept_secret(data / "secret", make=make)
    except OSError as error:
        raise BadSetting(f"OVERSEER_DATA: {data} cannot be used: {error.strerror}") from error
    if len(secret) < 32:
        raise BadSetting("OVERSEER_SECRET: set at least 32 characters, or unset it and Overseer makes a secret")
    if len(set(secret)) < DIFFERENT or GUESSED.search(secret):
        raise BadSetting("OVERSEER_SECRET: this secret is easy to guess; unset it and Overseer makes a secret")
    for name in ("FLASK_DEBUG", "DEBUG"):
        if (environ.get(name) or "").strip().lower() in ("1", "true", "yes", "on"):
            raise BadSetting(f"{name}: unset it; a debugger would show data and code to visitors")
    port = _number(environ, "PORT", PORT, 1, 65535)
    url = environ.get("DATABASE_URL") or f"sqlite:///{data / 'overseer.sqlite3'}"
    if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
        raise BadSetting("DATABASE_URL: set sqlite:///FILE or postgresql://...")
    if url.startswith("sqlite:///"):
        # Absolute, so that a server in another folder opens the same file.
        url = f"sqlite:///{Path(url.removeprefix('sqlite:///')).absolute()}"
    try:
        mail = read_mail(environ)
        domain = read_domain(environ.get("OVERSEER_DOMAIN") or "")
        certificate = read_certificate(environ.get("OVERSEER_CERTIFICATE") or "", domain)
        public = read_address(environ.get("OVERSEER_ADDRESS") or (f"https://{domain}" if domain else ""))
        proxies = read_proxies(environ.get("OVERSEER_PROXIES") or "")
        hosts = read_hosts(environ.get("OVERSEER_HOSTS") or "", public)
        push_service = read_push_service(environ.get("OVERSEER_PUSH_SERVICE") or "")
        webhooks = read_webhooks(environ.get("OVERSEER_WEBHOOKS") or "")
        backup = read_backup(environ.get("OVERSEER_BACKUP_TO") or "", environ.get("OVERSEER_BACKUP_PASSWORD") or "")
        contact = read_contact(environ.get("OVERSEER_SECURITY_CONTACT") or "")
    except ValueError as error:
        raise BadSetting(str(error)) from error
    log = environ.get("OVERSEER_LOG") or "normal"
    if log not in AMOUNTS:
        raise BadSetting(f"OVERSEER_LOG: set one of {', '.join(AMOUNTS)}, not {log[:20]!r}")
    metrics = environ.get("OVERSEER_METRICS") or ""
    if metrics and (len(metrics) < 20 or not metrics.isascii() or not metrics.isprintable()):
        raise BadSetting(
            "OVERSEER_METRICS: set a token of at least 20 ASCII characters; Prometheus must send the same token"
        )
    by_default = "organisers" if public.startswith("https://") else "offered"
    second_factor = environ.get("OVERSEER_SECOND_FACTOR") or by_default
    if second_factor not in ("offered", "organisers", "demanded"):
        raise BadSetting(f"OVERSEER_SECOND_FACTOR: set offered, organisers or demanded, not {second_factor[:20]!r}")
    ratings = environ.get("OVERSEER_RATINGS") or "off"
    if ratings not in ("on", "off"):
        raise BadSetting(f"OVERSEER_RATINGS: set on or off, not {ratings[:20]!r}")
    host = environ.get("HOST") or "127.0.0.1"
    http_port = _number(environ, "OVERSEER_HTTP_PORT", 80, 1, 65535)
    https_port = _number(environ, "OVERSEER_HTTPS_PORT", 443, 1, 65535)
    return Settings(
        data, url, secret, host, port, mail, public, hosts, proxies, log, metrics, second_factor, domain,
        http_port, https_port, push_service,
        timedelta(hours=_number(environ, "OVERSEER_IDLE_HOURS", IDLE_HOURS, 1, 720)), contact, webhooks,
        certificate, *backup, ratings == "on", (environ.get("OVERSEER_PRIVACY_NOTICE") or "").strip(),
        _number(environ, "OVERSEER_DELETE_AFTER", 0, 0, 120),
    )  # fmt: skip


def _number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A whole number from the environment. Raises BadSetting."""
    typed = environ.get(name) or str(default)
    if not typed.isdecimal() or not typed.isascii() or not least <= int(typed[:9]) <= most or len(typed) > 9:
        raise BadSetting(f"{name}: set a number from {least} to {most}, not {typed[:20]!r}")
    return int(typed)


def _kept_secret(path: Path, *, make: bool) -> str:
    if not path.exists():
        if not make:
            return secrets.token_urlsafe(48)
        # Written under another name and then linked, so that two workers starting at once read the same secret.
        fresh = path.with_name(f"secret.{os.getpid()}")
        write_private(fresh, secrets.token_urlsafe(48).encode())
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text(encoding="ascii").strip()
