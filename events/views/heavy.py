"""Papers and packs take the processor for seconds: in each process guests get one at a time, the signed in another.

A few wait their turn; more are told to come again. So most of a process's threads are always free for pages, and no
guest can keep the desk from printing.
"""

from threading import BoundedSemaphore

from flask import Flask, current_app, g, request, session
from werkzeug.exceptions import TooManyRequests

WAITING = 4
"""Requests that may wait for their turn in each lane."""
PATIENCE = 20.0
"""Seconds that they wait."""
ENDINGS = (".pdf", ".zip")
AGAIN_IN = 5
BUSY = "Several papers are being made at this moment. Please try again in a few seconds."


class Lane:
    """One turn at a time, and a short queue before it."""

    def __init__(self) -> None:
        """Nobody is here."""
        self.turn, self.queue = BoundedSemaphore(1), BoundedSemaphore(WAITING)

    def enter(self) -> bool:
        """Wait for the turn; whether one got it. Whoever did has to ``leave``."""
        if self.turn.acquire(blocking=False):
            return True
        if not self.queue.acquire(blocking=False):
            return False
        try:
            return self.turn.acquire(timeout=PATIENCE)
        finally:
            self.queue.release()

    def leave(self) -> None:
        """Let the next one in."""
        self.turn.release()


def take_turns(app: Flask) -> None:
    """Let requests for papers and packs take turns."""
    app.extensions["overseer_lanes"] = {"guests": Lane(), "signed in": Lane()}
    app.before_request(_enter)
    app.teardown_request(_leave)


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
