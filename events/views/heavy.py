"""Expensive requests are limited: a few at once for visitors, one for each player, a few for staff who may wait.

The surplus is answered 429 before anything of it is read, so pages, reports and the desk's printing always have threads
and processor time. Reports of games have limits of their own (``lanes.FewAtOnce``).
"""

from collections.abc import Hashable

from flask import Flask, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from events.busy import OneEach, Slots
from events.lanes import KEPT, FewAtOnce
from events.views.request import visitor

PAPERS = (".pdf", ".zip")
"""Addresses that end so are expensive."""
EXPENSIVE = {
    "exports.standings": ("GET",),
    "exports.standings_sheet": ("GET",),
    "forces.mine": ("GET", "POST"),  # a list is checked, with all that can be added to it
    "verify.page": ("GET", "POST"),
}
"""What else takes visitors' and players' requests more than 50 ms of processor time, with the methods that do.

Pages that a whole hall opens in the same moment (standings, lists) are not among them: nobody is refused those.
"""
REPORTS = frozenset({"results.mine", "sheets.from_sheet", "sheets.report"})
"""Where half a hall sends something in the same minute."""
VISITORS, PLAYERS, LISTS, STAFF = 1, 4, 8, 2
"""At once in each process. The list builder has slots of its own: players who fetch papers keep nobody from it."""
STAFF_WAIT = 10.0
"""Seconds: staff print one paper after the other, and are not refused for the one before."""
AGAIN_IN = 5
BUSY = "The server is busy with other papers and checks. Please try again in a few seconds."


def limit_expensive_requests(app: Flask) -> None:
    """Let no more expensive requests in than there are slots for their kind of visitor."""
    app.extensions["overseer_slots"] = {
        "visitors": Slots(VISITORS), "players": OneEach(PLAYERS), "lists": OneEach(LISTS),
        "staff": Slots(STAFF, STAFF_WAIT),
    }  # fmt: skip
    app.before_request(_enter)
    app.teardown_request(_leave)


def is_expensive(endpoint: str, rule: str, method: str) -> bool:
    """Whether a route gives a paper or a pack, or is listed as expensive."""
    return rule.endswith(PAPERS) or method.replace("HEAD", "GET") in EXPENSIVE.get(endpoint, ())


def _enter() -> None:
    if request.method == "POST" and request.endpoint in REPORTS:
        reports: FewAtOnce = current_app.extensions["overseer_reports"]
        # What is longer, or does not say how long it is, may still be on its way: nobody waits for a slow phone.
        if (request.content_length or KEPT + 1) <= KEPT and reports.enter():
            g.leave_slot = reports.leave
    route = request.url_rule
    if route is None or not is_expensive(route.endpoint, route.rule, request.method):
        return
    kind, person = _kind()
    slots: Slots = current_app.extensions["overseer_slots"][kind]
    if not slots.enter(person):
        raise TooManyRequests(BUSY, retry_after=AGAIN_IN)
    g.leave_slot = lambda: slots.leave(person)


def _kind() -> tuple[str, Hashable]:
    """Whose slots the request takes one of, and whom it counts for."""
    who = visitor()
    g.pop("visitor")  # the view reads it afresh, also when it is tried again
    g.pop("now")  # and the time when the whole request is there: one that ends after a deadline is late
    if who.account is not None:
        return "staff", who.account.id
    if who.players:
        kind = "lists" if request.endpoint == "forces.mine" else "players"
        return kind, min(player.id for player in who.players.values())
    return "visitors", None


def _leave(_: BaseException | None) -> None:
    leave = g.pop("leave_slot", None)
    if leave is not None:
        leave()
