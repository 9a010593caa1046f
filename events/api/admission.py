"""Before and after each request of the interface: how many requests a sender may make, and who it is."""

from collections import Counter
from threading import Lock

from flask import abort, current_app, g, request
from werkzeug.exceptions import TooManyRequests, Unauthorized
from werkzeug.wrappers import Response

from events.accounts.browser import client_of_request
from events.accounts.limits import TOKENS, count_attempt, reached
from events.accounts.tokens import NOTED_EVERY, note_use
from events.store.visitor import Visitor
from events.visitors.bearer import CHALLENGE
from events.visitors.loading import visitor
from events.web.http import close_session
from events.web.request import changing_club, db, now
from models.api_token import ApiToken
from service.settings import Settings

WINDOW = 60
"""Seconds."""
MOST = {"read": 600, "write": 120}
"""The most requests of one sender in a window, in each server process."""
WITH_TOKEN = {"read.list_payments"}
"""The reads that need a token: they show what the desk sees."""
SECRETS = ("access_token", "token", "api_key", "key")
"""Names of arguments with which other services take tokens."""


class Counted:
    """The requests of the current window by sender; an earlier window is forgotten."""

    def __init__(self) -> None:
        self.lock, self.window, self.seen = Lock(), 0, Counter[str]()

    def add(self, window: int, sender: str) -> int:
        """Count a request; returns the number of the sender's requests in this window."""
        with self.lock:
            if window != self.window:
                self.window, self.seen = window, Counter()
            self.seen[sender] += 1
            return self.seen[sender]


def admit_program() -> None:
    """Check the token of the request, and count it. A read shows what every visitor sees, but those ``WITH_TOKEN``."""
    try:
        who = visitor()
    except Unauthorized:
        _count(client_of_request().address)
        _slow_down()
        raise
    _count(_sender(who))
    if any(name in request.args for name in SECRETS):
        abort(400, "A token belongs in the header Authorization: addresses are logged. End this token at the desk.")
    _note_token()
    asks_token = request.method == "POST" or request.endpoint in WITH_TOKEN
    if asks_token and visitor() == Visitor():
        raise Unauthorized("Send a token in the header Authorization.", www_authenticate=CHALLENGE)
    if not asks_token:
        close_session(None)  # what the read shows is loaded by itself, or cached
        g.visitor = Visitor()


def _note_token() -> None:
    if visitor().token_id:
        row = db().get_one(ApiToken, visitor().token_id)
        if row.used_at is None or now() - row.used_at >= NOTED_EVERY:
            with changing_club() as s:
                note_use(s, row, now())


def _slow_down() -> None:
    """Count a wrong token from this address. Raises TooMany once there were many; a valid token always works."""
    counts = client_of_request().counts(TOKENS)
    full = reached(db(), counts, now())
    if not full:
        with changing_club() as s:
            full = [limit] if (limit := count_attempt(s, counts, now())) is not None else []
    if full:
        raise TooManyRequests("Too many wrong tokens: wait some minutes.", retry_after=60)


def _sender(who: Visitor) -> str:
    if who.token_id or who.players:
        return f"token {who.token_id}" if who.token_id else f"player {next(iter(who.players.values())).id}"
    return client_of_request().address


def _count(sender: str) -> None:
    """Count a request of a token, or of an address: others at its address cannot shut a valid token out."""
    counted: Counted = current_app.extensions["overseer_api_requests"]
    kind = "read" if request.method in ("GET", "HEAD") else "write"
    at = current_app.extensions["overseer_clock"]().timestamp()
    made = counted.add(int(at // WINDOW), f"{kind} {sender}")
    g.api_limit = MOST[kind], max(0, MOST[kind] - made), WINDOW - int(at % WINDOW)
    if made > MOST[kind]:
        raise TooManyRequests("Too many requests: wait until the limit starts again.", retry_after=g.api_limit[2])


def add_reading_headers(response: Response) -> Response:
    """Say the limit, what is left of it, and in how many seconds it starts again; let pages of other sites read.

    A read shows everybody the same, and without cookies: a page of another site learns nothing that its visitor hides.
    A service without a public address is in a network that other sites do not see, and its visitors' browsers do.
    """
    settings: Settings = current_app.extensions["overseer_settings"]
    if request.method in ("GET", "HEAD") and settings.public and request.endpoint not in WITH_TOKEN:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "ETag, Server-Now, Retry-After"
    if "api_limit" in g:
        for name, value in zip(("Limit", "Remaining", "Reset"), g.api_limit, strict=True):
            response.headers[f"RateLimit-{name}"] = str(value)
    return response
