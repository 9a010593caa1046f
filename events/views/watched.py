"""Watching the service: an id for each request, what its log says of it, its counters, and whether it is well."""

import hmac
import logging
import re
import secrets
import shutil
import time

from flask import Blueprint, Flask, abort, current_app, g, jsonify, request
from flask.typing import ResponseReturnValue
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

import migrations
from events.log_lines import MASK, REQUEST, masked
from events.settings import Settings
from events.web.metrics import Metrics

blueprint = Blueprint("watched", __name__)
log = logging.getLogger("overseer.requests")
security = logging.getLogger("overseer.security")

SECRET_IN_PATH = re.compile(r"^/(p|i|g|mail|set-up)/.+", re.DOTALL)
"""Addresses that end in a token or a sheet's code."""
KNOWN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
READS = ("GET", "HEAD", "OPTIONS")
SLOW = 2.0
"""Seconds, from which on a request is told of."""
COUNTED_AS = {403: "refused", 429: "slowed_down"}
"""By status, what it is in ``metrics.COUNTED``."""
LEAST_ROOM = 100_000_000
"""Bytes of the data folder's disk, below which the service is not ready, and its staff is warned."""


def watch_requests(app: Flask) -> None:
    """Let the application tell of its requests. Called before any other hook: it begins first, and ends last."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_forget)


def request_id() -> str:
    """The id of the request at hand: in its answer's head, on a fault's page, in each line of its log."""
    if "request_id" not in g:
        # A proxy's own id is taken where we trust one; anybody else's could be made to look like another request's.
        settings: Settings = current_app.extensions["overseer_settings"]
        given = request.headers.get("X-Request-Id", "") if settings.proxies else ""
        g.request_id = given if KNOWN_ID.fullmatch(given) else secrets.token_hex(6)
    found: str = g.request_id
    return found


def count(name: str) -> None:
    """Count one of ``metrics.COUNTED``."""
    metrics = _metrics()
    if metrics is not None:
        metrics.counted(name)


def _metrics() -> Metrics | None:
    """The figures of this process; None where OVERSEER_METRICS is not set."""
    found: Metrics | None = current_app.extensions["overseer_metrics"]
    return found


def told_path() -> str:
    """The request's path as the log may have it: no token, no code, nothing behind the question mark."""
    return masked(SECRET_IN_PATH.sub(rf"/\1/{MASK}", request.path))[:300]


def _begin() -> None:
    g.began = time.perf_counter()
    REQUEST.set(
        {
            "request": request_id(),
            "method": request.method[:10],
            "path": told_path(),
            "client": request.remote_addr or "",
        }
    )


def _end(response: Response) -> Response:
    response.headers["X-Request-Id"] = request_id()
    took = time.perf_counter() - g.get("began", time.perf_counter())
    status = response.status_code
    pages = request.blueprint or ("static" if request.endpoint == "static" else "none")
    metrics = _metrics()
    if metrics is not None:
        metrics.request(pages=pages, changing=request.method not in READS, status=status, seconds=took)
    facts = {"status": status, "ms": round(took * 1000, 1)}
    if status in (400, 403, 429):
        if status in COUNTED_AS:
            count(COUNTED_AS[status])
        security.info("refused", extra={"facts": facts})
    elif took >= SLOW:
        log.info("slow request", extra={"facts": facts})
    else:
        log.debug("answered", extra={"facts": facts})
    return response


def _forget(_: BaseException | None) -> None:
    REQUEST.set({})


@blueprint.get("/healthz")
def health() -> ResponseReturnValue:
    """Whether this process answers at all: what restarts it may ask this. It asks the database for nothing."""
    return jsonify(ok=True)


@blueprint.get("/readyz")
def ready() -> ResponseReturnValue:
    """Whether people can be sent here: the database answers in this version's shape, and there is room on the disk."""
    settings: Settings = current_app.extensions["overseer_settings"]
    told = {"database": _database(), "room": _room(settings)}
    well = set(told.values()) == {"ok"}
    answer = jsonify(ready=well, **told)
    if not well:
        answer.status_code = 503
        answer.headers["Retry-After"] = "10"
        log.warning("not ready", extra={"facts": told})
    return answer


def _database() -> str:
    engine: Engine = current_app.extensions["overseer_engine"]
    try:
        with engine.connect() as connection:
            ready_for_us = migrations.is_at_head(connection)
    except SQLAlchemyError:
        return "does not answer"
    return "ok" if ready_for_us else "of another version"


def _room(settings: Settings) -> str:
    try:
        return "ok" if shutil.disk_usage(settings.data).free >= LEAST_ROOM else "the disk is nearly full"
    except OSError:
        return "the data folder is not there"


@blueprint.get("/metrics")
def metrics() -> ResponseReturnValue:
    """Metrics for Prometheus, for requests that carry the token of OVERSEER_METRICS; 404 for all others."""
    settings: Settings = current_app.extensions["overseer_settings"]
    given = request.headers.get("Authorization", "")
    if not settings.metrics or not hmac.compare_digest(given.encode(), f"Bearer {settings.metrics}".encode()):
        abort(404)
    metrics = _metrics()
    if metrics is None:
        abort(404)
    text, content_type = metrics.text()
    return Response(text, content_type=content_type)
