"""Settings from the environment, each with a default, read once at start."""

import contextlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from events.mail_settings import MailServer, read_mail


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

    @property
    def host_and_port(self) -> str:
        """Where the server listens, written as it is in an address."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def address(self) -> str:
        """The address to open in a browser on this machine."""
        everywhere = self.host in ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
        return f"http://127.0.0.1:{self.port}" if everywhere else f"http://{self.host_and_port}"


def read_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Settings from ``OVERSEER_DATA``, ``DATABASE_URL``, ``OVERSEER_SECRET``, ``HOST``, ``PORT``, and those for mail.

    Makes the data folder, and the secret in it when none is set. Raises BadSetting.
    """
    data = Path(environ.get("OVERSEER_DATA") or "data").resolve()
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        secret = environ.get("OVERSEER_SECRET") or _kept_secret(data / "secret")
    except OSError as error:
        raise BadSetting(f"OVERSEER_DATA: {data} cannot be used: {error.strerror}") from error
    if len(secret) < 32:
        raise BadSetting("OVERSEER_SECRET: at least 32 characters are needed; unset it to have one made")
    port = environ.get("PORT") or "8000"
    if not port.isdecimal() or not 0 < int(port[:9]) < 65536:
        raise BadSetting(f"PORT: a number from 1 to 65535 is needed, not {port[:20]!r}")
    url = environ.get("DATABASE_URL") or f"sqlite:///{data / 'overseer.sqlite3'}"
    if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
        raise BadSetting("DATABASE_URL: sqlite:///FILE or postgresql://... is needed")
    if url.startswith("sqlite:///"):
        # Absolute, so that it names the same file for a server that runs in another folder.
        url = f"sqlite:///{Path(url.removeprefix('sqlite:///')).absolute()}"
    try:
        mail = read_mail(environ)
    except ValueError as error:
        raise BadSetting(str(error)) from error
    return Settings(data, url, secret, environ.get("HOST") or "127.0.0.1", int(port), mail)


def _kept_secret(path: Path) -> str:
    if not path.exists():
        # Written whole under another name and then linked: of two workers that start at once, both read one secret.
        fresh = path.with_name(f"secret.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48), encoding="ascii")
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text(encoding="ascii").strip()
