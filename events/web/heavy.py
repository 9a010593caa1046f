"""Limits on concurrent expensive requests (papers, packs, sheets, draw checks) by kind of visitor.

Excess requests get 429 before their body is read, so that threads are free for pages, reports and the desk's printing.
"""

from threading import BoundedSemaphore

from flask import Flask, current_app, g, request, session
from werkzeug.exceptions import TooManyRequests

PAPERS = (".pdf", ".zip")
"""Addresses with these endings are expensive."""
EXPENSIVE = {
    "export.standings": ("GET",),
    "export.standings_sheet": ("GET",),
    "lists.mine": ("GET", "POST"),
    "publish.verify_page": ("GET", "POST"),
}
"""Other expensive endpoints: their methods take more than 50 ms of processor time for visitors and players.

Pages that a whole hall opens at once (standings, lists) are not limited.
"""
LIMITS = {"visitors": 1, "players": 4, "lists": 8, "staff": 2}
"""Concurrent requests in each process. The list builder is counted separately, so that papers cannot block saving."""
STAFF_WAIT = 10.0
"""How long staff wait for a free place, in seconds. Others are rejected at once."""
RETRY_AFTER = 5
BUSY = "The server is busy with other papers and checks. Please try again in a few seconds."


def limit_expensive_requests(app: Flask) -> None:
    """Limit concurrent expensive requests by kind of visitor."""
    app.extensions["overseer_heavy"] = {kind: BoundedSemaphore(places) for kind, places in LIMITS.items()}
    app.before_request(_enter)
    app.teardown_request(_leave)


def is_expensive(endpoint: str, rule: str, method: str) -> bool:
    """Whether requests to a route are limited."""
    return rule.endswith(PAPERS) or method.replace("HEAD", "GET") in EXPENSIVE.get(endpoint, ())


def kind_of_visitor() -> str:
    """The visitor's key in LIMITS, from the signed cookie. The view checks later whether the sign-in is still valid."""
    if "organiser" in session:
        return "staff"
    if session.get("players"):
        return "lists" if request.endpoint == "lists.mine" else "players"
    return "visitors"


def _enter() -> None:
    route = request.url_rule
    if route is None or not is_expensive(route.endpoint, route.rule, request.method):
        return
    kind = kind_of_visitor()
    places: BoundedSemaphore = current_app.extensions["overseer_heavy"][kind]
    if not places.acquire(timeout=STAFF_WAIT if kind == "staff" else 0):
        raise TooManyRequests(BUSY, retry_after=RETRY_AFTER)
    g.heavy_places = places


def _leave(_: BaseException | None) -> None:
    if "heavy_places" in g:
        g.pop("heavy_places").release()
