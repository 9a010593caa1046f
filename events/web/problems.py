"""Errors of the interface as problem details (RFC 9457), in place of pages."""

from collections.abc import Sequence
from typing import Any

from flask import Response, json, request, url_for

from events.store.errors import Refused, Stale

PREFIX = "/api/v1/"
MIMETYPE = "application/problem+json"


class WrongRequest(Refused):
    """A request that is wrong by itself, whatever the state of the event: 422 for programs, others 409."""


class BrokenRules(Refused):
    """A force that breaks rules; ``rules`` are their ids, each with what is wrong."""

    def __init__(self, message: str, rules: Sequence[tuple[str, str]]) -> None:
        super().__init__(message)
        self.rules = rules


def is_interface() -> bool:
    return request.path.startswith(PREFIX)


def refusal(refused: Refused) -> Response:
    """What the state of the event or its rules do not allow: 409, unless the request is wrong by itself."""
    conflict = refused.status == 422 and not isinstance(refused, WrongRequest)
    title = "Changed in the meantime" if isinstance(refused, Stale) else "Not possible"
    return problem(409 if conflict else refused.status, title, refused.message, refused)


def problem(status: int, title: str, detail: str, refused: Refused | None = None) -> Response:
    """The problem as JSON: with the fields that are wrong, and the ids of broken rules."""
    said: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    if refused is not None:
        said["type"] = url_for("docs.interface", _anchor="stale" if isinstance(refused, Stale) else "refused")
        fields = [*([(refused.field, refused.message)] if refused.field else []), *refused.also]
        said["errors"] = [{"field": name, "message": words} for name, words in fields]
        rules = refused.rules if isinstance(refused, BrokenRules) else ()
        said["rules"] = [{"rule": rule, "message": words} for rule, words in rules]
    return Response(json.dumps(said), status, mimetype=MIMETYPE)
