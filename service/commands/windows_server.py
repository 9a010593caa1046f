"""Serving on Windows: Waitress in this process, with mail and maintenance in a thread.

Waitress reads whole requests and sends answers in a thread of its own, so that slow clients block nobody.
"""

import importlib
import threading
from collections.abc import Callable, Iterable
from typing import Any

import click

from events.rooms import LARGEST_REQUESTS
from models.db import open_engine
from service.commands.maintain import STOPS_WITHIN, keep_running
from service.conversations import stopping
from service.gunicorn_settings import post_request, post_worker_init, threads
from service.lock import share
from service.settings import Settings

NO_DOMAIN = "OVERSEER_DOMAIN needs Linux or macOS. Here, put a proxy in front: see docs/operations.md, Your own proxy."


def run_server(settings: Settings) -> None:
    """Serve until Ctrl-C."""
    if settings.domain:
        raise click.ClickException(NO_DOMAIN)
    share(open_engine(settings.database_url))
    maintenance = threading.Thread(target=keep_running, daemon=True)
    maintenance.start()
    application = importlib.import_module("app").served()
    post_worker_init(None)

    def collecting(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        try:
            answer: Iterable[bytes] = application(environ, start_response)
            return answer
        finally:
            post_request(None, None, environ, None)

    importlib.import_module("waitress").serve(
        collecting, host=settings.host, port=settings.port, threads=threads, ident=None, _quiet=True,
        clear_untrusted_proxy_headers=False,  # events/web/http.py reads a trusted proxy's headers
        max_request_body_size=max(LARGEST_REQUESTS.values()),
    )  # fmt: skip
    stopping.set()
    maintenance.join(STOPS_WITHIN)
