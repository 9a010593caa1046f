"""Papers and packs take the processor for seconds: in each process guests get one at a time, the signed in another.

A few wait their turn; more are told to come again. So most of a process's threads are always free for pages, and no
guest can keep the desk from printing. Reports of games take turns from the very beginning (``lanes.FewAtOnce``).
"""

from flask import Flask, current_app, g, request, session
from werkzeug.exceptions import TooManyRequests

from events.lanes import KEPT, FewAtOnce, Lane

ENDINGS = (".pdf", ".zip")
REPORTS = frozenset({"results.mine", "sheets.from_sheet", "sheets.report"})
"""Where half a hall sends something in the same minute."""
AGAIN_IN = 5
BUSY = "Several papers are being made at this moment. Please try again in a few seconds."


def take_turns(app: Flask) -> None:
    """Let requests for papers and packs take turns."""
    app.extensions["overseer_lanes"] = {"guests": Lane(), "signed in": Lane()}
    app.before_request(_enter)
    app.teardown_request(_leave)


def is_heavy(rule: str) -> bool:
    """Whether an address, as a route writes it, gives a paper or a pack."""
    return rule.endswith(ENDINGS)


def _enter() -> None:
    if request.method == "POST" and request.endpoint in REPORTS:
        reports: FewAtOnce = current_app.extensions["overseer_reports"]
        # What is longer, or does not say how long it is, may still be on its way: nobody waits for a slow phone.
        if (request.content_length or KEPT + 1) <= KEPT and reports.enter():
            g.lane = reports
    if request.url_rule is None or not is_heavy(request.url_rule.rule):
        return
    known = "organiser" in session or "players" in session
    lane: Lane = current_app.extensions["overseer_lanes"]["signed in" if known else "guests"]
    if not lane.enter():
        raise TooManyRequests(BUSY, retry_after=AGAIN_IN)
    g.lane = lane


def _leave(_: BaseException | None) -> None:
    lane: Lane | FewAtOnce | None = g.pop("lane", None)
    if lane is not None:
        lane.leave()
