"""Settings that are texts, read from the environment: each function takes what was set and raises ValueError."""

import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?|[0-9a-f:.]{2,45}")


def read_hosts(typed: str, public: str) -> frozenset[str]:
    """The names in OVERSEER_HOSTS, separated by commas, and the public address's host, in lower case.

    Raises ValueError for an invalid name, "*" included: it would let any page use its own host name.
    """
    names = [name.strip().lower().strip("[]").rstrip(".") for name in typed.split(",") if name.strip()]
    if wrong := [name for name in names if not NAME.fullmatch(name)]:
        raise ValueError(f"OVERSEER_HOSTS: set host names, separated by commas, not {wrong[0][:40]!r}")
    return frozenset([*names, *filter(None, [urlsplit(public).hostname])])


def read_domain(typed: str) -> str:
    """The domain for the proxy's certificate (OVERSEER_DOMAIN); "" if not set. Raises ValueError."""
    name = typed.strip().lower()
    if name and (not NAME.fullmatch(name) or ":" in name or name.replace(".", "").isdigit()):
        raise ValueError(f"OVERSEER_DOMAIN: set a domain name such as club.example, not {name[:40]!r}")
    return name


def read_certificate(typed: str, domain: str) -> Path | None:
    """OVERSEER_CERTIFICATE, a folder with fullchain.pem and privkey.pem; None if not set. Raises ValueError."""
    if not typed:
        return None
    folder = Path(typed).absolute()
    if not domain or '"' in typed or not all((folder / name).is_file() for name in ("fullchain.pem", "privkey.pem")):
        raise ValueError("OVERSEER_CERTIFICATE: set a folder with fullchain.pem and privkey.pem, and OVERSEER_DOMAIN")
    return folder


def read_push_service(typed: str) -> str:
    """OVERSEER_PUSH_SERVICE, a push service on this machine for tests; "" for none. Raises ValueError.

    Without it, push services must be public hosts with https.
    """
    if typed and not re.fullmatch(r"http://127\.0\.0\.1:[1-9][0-9]{1,4}", typed):
        raise ValueError("OVERSEER_PUSH_SERVICE: for tests only; set http://127.0.0.1:PORT")
    return typed


def read_webhooks(typed: str) -> frozenset[str]:
    """The hosts in OVERSEER_WEBHOOKS, separated by commas, to which events may send webhooks. Raises ValueError.

    Tests name a server on this machine instead: http://127.0.0.1:PORT.
    """
    names = [name.strip().lower() for name in typed.split(",") if name.strip()]
    for name in names:
        here = re.fullmatch(r"http://127\.0\.0\.1:[1-9][0-9]{1,4}", name)
        if not here and (not NAME.fullmatch(name) or "." not in name or ":" in name or name.replace(".", "").isdigit()):
            raise ValueError(f"OVERSEER_WEBHOOKS: set host names, separated by commas, not {name[:40]!r}")
    return frozenset(names)


def read_backup(to: str, password: str) -> tuple[str, str]:
    """OVERSEER_BACKUP_TO and OVERSEER_BACKUP_PASSWORD; both "" if not set. Raises ValueError."""
    if not to:
        return "", ""
    if len(password) < 12:
        raise ValueError("OVERSEER_BACKUP_PASSWORD: set at least 12 characters, and keep them in another place too")
    if shutil.which("restic") is None:
        raise ValueError("OVERSEER_BACKUP_TO: install restic, the program that makes these copies")
    return to if ":" in to else str(Path(to).absolute()), password


def read_contact(typed: str) -> str:
    """OVERSEER_SECURITY_CONTACT as an address with its scheme; "" if not set. Raises ValueError."""
    contact = f"mailto:{typed}" if re.fullmatch(r"[^@/:\s]+@[^@/:\s]+", typed) else typed
    if typed and not re.fullmatch(r"(mailto:[^@\s]+@|https://)[!-~]{1,200}", contact):
        raise ValueError("OVERSEER_SECURITY_CONTACT: set a mail address or https://...")
    return contact
