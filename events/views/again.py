"""A request that ran into another one, or whose database connection ended, is answered anew: from its beginning.

Two times at most, a moment apart. Never where a change of it may be stored already, unless the form has a key by which
the answer to the first time is found (``pressed_once.once``).
"""

import logging
import secrets
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, g, request
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from events.views.watched import told_path
from models.again import passes
from models.db import UNSURE

log = logging.getLogger("overseer")

PAUSES = (0.02, 0.1)
"""Seconds before each new try, at least; up to twice as many, so that two do not meet again."""
View = Callable[..., Any]


def try_views_again(app: Flask) -> None:
    """Let every view of the application be asked again where that may help."""
    for endpoint, view in app.view_functions.items():
        app.view_functions[endpoint] = _tried(view)


def _tried(view: View) -> View:
    @wraps(view)
    def asked(*words: Any, **named: Any) -> Any:
        known = set(g)
        for pause in PAUSES:
            try:
                return view(*words, **named)
            except DBAPIError as error:
                if not passes(error) or _stored_for_all_we_know():
                    raise
                log.warning("%s %s is tried again: %s", request.method, told_path(), error.orig)
            _forget(known)
            time.sleep(pause * (1 + secrets.randbelow(1000) / 1000))
        return view(*words, **named)

    return asked


def _stored_for_all_we_know() -> bool:
    """Whether asking again could make a change twice."""
    session: Session | None = g.get("session")
    unsure = session is not None and session.info.get(UNSURE, False)
    return (unsure or g.get("stored", False)) and not g.get("once", False)


def _forget(known: set[str]) -> None:
    """Forget all that the request read and found out, and rewind what was sent with it."""
    session: Session | None = g.pop("session", None)
    if session is not None:
        session.close()
    for name in set(g) - known:
        g.pop(name)
    for _, file in request.files.items(multi=True):
        file.stream.seek(0)
