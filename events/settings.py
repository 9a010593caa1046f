"""Settings from the environment, each with a default, read once at start."""

import contextlib
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from events.log_lines import AMOUNTS
from events.mail_settings import MailServer, read_mail
from events.public_address import Proxies, address_in_network, read_address, read_domain, read_hosts, read_proxies

DIFFERENT = 8
"""So many different characters a secret has at least: fewer were typed by holding down a key."""
GUESSED = re.compile(r"(?i)secret.?key|change.?me|password|123456789|abcdefgh|qwerty|example")


class BadSetting(Exception):
    """A setting that cannot be used; the message says which and why."""


@dataclass(frozen=True)
class Settings:
    """Where the data lies and where the service listens."""

    data: Path
    database_url: str
    secret: str
    host: str
    port: int
    mail: MailServer | None = None
    """None: messages stand on the players' pages alone."""
    public: str = ""
    """The address at which people reach the service, "https://desk.example.org"; "" where none was said."""
    hosts: frozenset[str] = frozenset()
    """The host names that it answers to beside those of this machine: that of ``public``, and others that were said."""
    proxies: Proxies = ()
    """The proxies whose X-Forwarded-For is read: addresses and networks."""
    log: str = "normal"
    metrics: str = ""
    """The word for which /metrics answers; "": it is off."""
    second_factor: str = "offered"
    """Or "demanded": no account does anything before it has one."""
    domain: str = ""
    """The domain for which the proxy that `overseer serve` starts gets a certificate; "" for none."""
    http_port: int = 80
    https_port: int = 443
    """The proxy's ports for the domain."""

    @property
    def https(self) -> bool:
        """Whether people come by an encrypted way: cookies and the browser are then held to it."""
        return self.public.startswith("https://")

    @property
    def host_in_address(self) -> str:
        """The host as it is written in an address: IPv6 in brackets."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def host_and_port(self) -> str:
        """Where the server listens, written as it is in an address."""
        return f"{self.host_in_address}:{self.port}"

    @property
    def address(self) -> str:
        """The address to open in a browser on this machine."""
        return f"http://127.0.0.1:{self.port}" if self._everywhere else f"http://{self.host_and_port}"

    @property
    def address_for_phones(self) -> str:
        """The address of this machine in its network, where it listens there and no public address is set; or ""."""
        found = address_in_network() if self._everywhere and not self.public else ""
        return f"http://{found}:{self.port}" if found else ""

    @property
    def _everywhere(self) -> bool:
        return self.host in ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of all data, which need not exist."""
    return Path(environ.get("OVERSEER_DATA") or "data").resolve()


def read_settings(environ: Mapping[str, str] = os.environ, *, make: bool = True) -> Settings:
    """Settings from ``OVERSEER_DATA``, ``DATABASE_URL``, ``OVERSEER_SECRET``, ``HOST``, ``PORT``, and those for mail.

    Makes the data folder, and the secret in it when none is set. Raises BadSetting.
    ``make=False``: makes no files; where no secret is kept, the settings have one that is used for nothing.
    """
    data = data_folder(environ)
    try:
        if make:
            data.mkdir(parents=True, exist_ok=True, mode=0o700)
        secret = environ.get("OVERSEER_SECRET") or _kept_secret(data / "secret", make=make)
    except OSError as error:
        raise BadSetting(f"OVERSEER_DATA: {data} cannot be used: {error.strerror}") from error
    if len(secret) < 32:
        raise BadSetting("OVERSEER_SECRET: at least 32 characters are needed; unset it to have one made")
    if len(set(secret)) < DIFFERENT or GUESSED.search(secret):
        raise BadSetting("OVERSEER_SECRET: this one can be guessed; unset it to have one made")
    for name in ("FLASK_DEBUG", "DEBUG"):
        if (environ.get(name) or "").strip().lower() in ("1", "true", "yes", "on"):
            raise BadSetting(f"{name}: this service has no debugging, which shows its inside to visitors; unset it")
    port = _number(environ, "PORT", 8000, 1, 65535)
    url = environ.get("DATABASE_URL") or f"sqlite:///{data / 'overseer.sqlite3'}"
    if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
        raise BadSetting("DATABASE_URL: sqlite:///FILE or postgresql://... is needed")
    if url.startswith("sqlite:///"):
        # Absolute, so that it names the same file for a server that runs in another folder.
        url = f"sqlite:///{Path(url.removeprefix('sqlite:///')).absolute()}"
    try:
        mail = read_mail(environ)
        domain = read_domain(environ.get("OVERSEER_DOMAIN") or "")
        public = read_address(environ.get("OVERSEER_ADDRESS") or (f"https://{domain}" if domain else ""))
        proxies = read_proxies(environ.get("OVERSEER_PROXIES") or "")
        hosts = read_hosts(environ.get("OVERSEER_HOSTS") or "", public)
    except ValueError as error:
        raise BadSetting(str(error)) from error
    log = environ.get("OVERSEER_LOG") or "normal"
    if log not in AMOUNTS:
        raise BadSetting(f"OVERSEER_LOG: {', '.join(AMOUNTS)} is needed, not {log[:20]!r}")
    metrics = environ.get("OVERSEER_METRICS") or ""
    if metrics and (len(metrics) < 20 or not metrics.isascii() or not metrics.isprintable()):
        raise BadSetting("OVERSEER_METRICS: a word of at least 20 characters is needed, which Prometheus has to send")
    second_factor = environ.get("OVERSEER_SECOND_FACTOR") or "offered"
    if second_factor not in ("offered", "demanded"):
        raise BadSetting(f"OVERSEER_SECOND_FACTOR: offered or demanded is needed, not {second_factor[:20]!r}")
    host = environ.get("HOST") or "127.0.0.1"
    http_port = _number(environ, "OVERSEER_HTTP_PORT", 80, 1, 65535)
    https_port = _number(environ, "OVERSEER_HTTPS_PORT", 443, 1, 65535)
    return Settings(
        data, url, secret, host, port, mail, public, hosts, proxies, log, metrics, second_factor, domain,
        http_port, https_port,
    )  # fmt: skip


def _number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A whole number of the environment. Raises BadSetting."""
    typed = environ.get(name) or str(default)
    if not typed.isdecimal() or not typed.isascii() or not least <= int(typed[:9]) <= most or len(typed) > 9:
        raise BadSetting(f"{name}: a number from {least} to {most} is needed, not {typed[:20]!r}")
    return int(typed)


def _kept_secret(path: Path, *, make: bool) -> str:
    if not path.exists():
        if not make:
            return secrets.token_urlsafe(48)
        # Written whole under another name and then linked: of two workers that start at once, both read one secret.
        fresh = path.with_name(f"secret.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48), encoding="ascii")
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text(encoding="ascii").strip()
