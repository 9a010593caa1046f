"""Monitoring: request ids, the request log, metrics, and health checks."""

import hmac
import logging
import re
import secrets
import time

from flask import Blueprint, Flask, abort, current_app, g, jsonify, request
from flask.typing import ResponseReturnValue
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

import migrations
from service.health import Metrics, room_warning, was_damaged
from service.logs import MASK, REQUEST, masked
from service.settings import Settings

blueprint = Blueprint("monitoring", __name__)

log = logging.getLogger("overseer.requests")
security = logging.getLogger("overseer.security")

SECRET_IN_PATH = re.compile(r"^/(p|i|g|l|m|mail|account-mail|set-up)/.+", re.DOTALL)
"""Addresses that end in a token or a sheet code."""
SLOW = 2.0
"""The time after which a request is logged as slow, in seconds."""
COUNTED_AS = {403: "refused", 429: "slowed_down"}
"""The metrics counter of each status."""


def watch_requests(app: Flask) -> None:
    """Log and count all requests. Call this before other hooks are registered, to start first and end last."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_forget)


def request_id() -> str:
    if "request_id" not in g:
        g.request_id = secrets.token_hex(6)
    text: str = g.request_id
    return text


def count(name: str) -> None:
    """Increase a counter of ``metrics.COUNTED``, if OVERSEER_METRICS is set."""
    metrics: Metrics | None = current_app.extensions["overseer_metrics"]
    if metrics is not None:
        metrics.counted(name)


def logged_path() -> str:
    """The request's path for the log, without tokens, codes and query parameters."""
    return masked(SECRET_IN_PATH.sub(rf"/\1/{MASK}", request.path))[:300]


def _begin() -> None:
    g.began = time.perf_counter()
    fields = {"request": request_id(), "method": request.method[:10], "path": logged_path()}
    REQUEST.set(fields | {"client": request.remote_addr or ""})


def _end(response: Response) -> Response:
    response.headers["X-Request-Id"] = request_id()
    took, status = time.perf_counter() - g.get("began", time.perf_counter()), response.status_code
    metrics: Metrics | None = current_app.extensions["overseer_metrics"]
    if metrics is not None:
        pages = request.blueprint or ("static" if request.endpoint == "static" else "none")
        changing = request.method not in ("GET", "HEAD", "OPTIONS")
        metrics.request(pages=pages, changing=changing, status=status, seconds=took)
    facts = {"status": status, "ms": round(took * 1000, 1)}
    if status in COUNTED_AS:
        count(COUNTED_AS[status])
    if status in (400, 403, 429):
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
    """Whether this process responds. Does not use the database."""
    return jsonify(ok=True)


@blueprint.get("/readyz")
def ready() -> ResponseReturnValue:
    """Whether this process can take requests: the database answers and has the right version, and the disk has room."""
    facts = {"database": _database(), "room": _room()}
    if set(facts.values()) == {"ok"}:
        return jsonify(ready=True, **facts)
    log.warning("not ready", extra={"facts": facts})
    return jsonify(ready=False, **facts), 503, {"Retry-After": "10"}


def _database() -> str:
    engine: Engine = current_app.extensions["overseer_engine"]
    try:
        with engine.connect() as connection:
            is_ours = migrations.is_at_head(connection)
    except SQLAlchemyError:
        return "does not answer"
    settings: Settings = current_app.extensions["overseer_settings"]
    return "of another version" if not is_ours else "damaged" if was_damaged(settings.data) else "ok"


def _room() -> str:
    settings: Settings = current_app.extensions["overseer_settings"]
    try:
        return "the disk is nearly full" if room_warning(settings.data) else "ok"
    except OSError:
        return "the data folder is not there"


@blueprint.get("/metrics")
def metrics() -> ResponseReturnValue:
    """Metrics for Prometheus, for requests with the token in OVERSEER_METRICS; 404 for all others."""
    settings: Settings = current_app.extensions["overseer_settings"]
    figures: Metrics | None = current_app.extensions["overseer_metrics"]
    given = request.headers.get("Authorization", "").encode()
    if figures is None or not hmac.compare_digest(given, f"Bearer {settings.metrics}".encode()):
        abort(404)
    text, content_type = figures.text(current_app.extensions["overseer_gauges"]())
    return Response(text, content_type=content_type)
