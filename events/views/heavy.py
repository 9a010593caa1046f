"""Papers and packs take the processor for seconds: in each process guests get one at a time, the signed in another.

A few wait their turn; more are told to come again. So most of a process's threads are always free for pages, and no
guest can keep the desk from printing.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from flask import Flask, current_app, g, request, session
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests

from events.lanes import FewAtOnce, Lane

Where = ParamSpec("Where")

ENDINGS = (".pdf", ".zip")
AGAIN_IN = 5
BUSY = "Several papers are being made at this moment. Please try again in a few seconds."


def take_turns(app: Flask) -> None:
    """Let requests for papers and packs take turns."""
    app.extensions["overseer_lanes"] = {"guests": Lane(), "signed in": Lane()}
    app.before_request(_enter)
    app.teardown_request(_leave)


def in_turn(view: Callable[Where, ResponseReturnValue]) -> Callable[Where, ResponseReturnValue]:
    """Take what is posted to this view a few at a time. By then it was read to its end, however slow the phone is."""

    @wraps(view)
    def taken(*args: Where.args, **kwargs: Where.kwargs) -> ResponseReturnValue:
        if request.method != "POST":
            return view(*args, **kwargs)
        reports: FewAtOnce = current_app.extensions["overseer_reports"]
        with reports.turn():
            return view(*args, **kwargs)

    return taken


def is_heavy(rule: str) -> bool:
    """Whether an address, as a route writes it, gives a paper or a pack."""
    return rule.endswith(ENDINGS)


def _enter() -> None:
    if request.url_rule is None or not is_heavy(request.url_rule.rule):
        return
    known = "organiser" in session or "players" in session
    lane: Lane = current_app.extensions["overseer_lanes"]["signed in" if known else "guests"]
    if not lane.enter():
        raise TooManyRequests(BUSY, retry_after=AGAIN_IN)
    g.lane = lane


def _leave(_: BaseException | None) -> None:
    lane: Lane | None = g.pop("lane", None)
    if lane is not None:
        lane.leave()
