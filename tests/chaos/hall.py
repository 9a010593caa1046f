"""An event with many signed-in players; their cookies are signed with the server's secret, without sign-in pages."""

import http.client
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from events.visitors.queries import new_sign_in, player_key
from models.db import open_engine
from models.people import Account
from models.play import Player
from tests.chaos.serving import SECRET
from tests.conftest import Clock
from tests.kit.stage import Stage
from tests.kit.tables import WITHOUT_KEY


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True)
class Browser:
    """A user's cookie and its CSRF token."""

    cookie: str
    token: str

    def bytes_of(self, path: str, fields: Mapping[str, str]) -> bytes:
        """The bytes of a request with this form; the server closes the connection after its answer."""
        body, headers = self._sent(fields)
        headers |= {"Host": "127.0.0.1", "Connection": "close", "Content-Length": str(len(body))}
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def post(self, port: int, path: str, fields: Mapping[str, str], host: str = "127.0.0.1") -> Answer:
        """Send a form on a new connection. Raises OSError or HTTPException without a complete answer."""
        connection = http.client.HTTPConnection(host, port, timeout=30)
        try:
            connection.request("POST", path, *self._sent(fields))
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)
        finally:
            connection.close()

    def _sent(self, fields: Mapping[str, str]) -> tuple[bytes, dict[str, str]]:
        """The body and the headers of a form that a phone's outbox sends."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"overseer={self.cookie}"}
        return urlencode(dict(fields) | {"csrf_token": self.token}).encode(), headers | WITHOUT_KEY


def browser_of(holds: dict[str, Any]) -> Browser:
    """A browser with a cookie of this content: ``players`` by event, as a private link sets it, or ``organiser``."""
    key = secrets.token_hex(20)
    token = URLSafeTimedSerializer(SECRET, salt="wtf-csrf-token").dumps(key)
    return Browser(str(SIGNER.dumps(holds | {"csrf_token": key, "_permanent": True})), str(token))


def _signer() -> URLSafeTimedSerializer:
    pages = Flask("chaos")
    pages.secret_key = SECRET
    found = SecureCookieSessionInterface().get_signing_serializer(pages)
    assert found is not None
    return found


SIGNER = _signer()
"""Created once: in Python 3.11 threads that build applications at the same time can fail, as 3 of 10,000 did."""


def player_browser(player: Player) -> Browser:
    return browser_of(
        {"players": {str(player.event_id): new_sign_in(player.id, player_key(player), datetime.now(UTC))}}
    )


def staff_browser(account: Account) -> Browser:
    return browser_of({"organiser": new_sign_in(account.id, account.session_key, datetime.now(UTC))})


def report_form(game: int, reporter: int, key: str, version: int, of_a: int, of_b: int) -> dict[str, str]:
    """The form of a player's report, with the numbers of objective markers of A and of B."""
    return {
        "game": str(game), "reporter": str(reporter), "key": key, "version": str(version), "a.objectives": str(of_a),
        "b.objectives": str(of_b), "sure": "y", "ending": "played", "do": "report",
    }  # fmt: skip


@dataclass(frozen=True)
class Table:
    """A game of the published round, and the browser and the id of players A and B."""

    game_id: int
    players: tuple[tuple[Browser, int], tuple[Browser, int]]


@dataclass(frozen=True)
class Hall:
    """An event in progress: round 1 is published, without reports."""

    url: str
    report_path: str
    tables: tuple[Table, ...]


@contextmanager
def staged(url: str, now: datetime) -> Iterator[Stage]:
    """The stage of a database that nothing else uses until the block ends."""
    engine = open_engine(url)
    stage = Stage(engine, Clock(now))
    try:
        yield stage
    finally:
        stage.s.close()
        engine.dispose()


def open_hall(url: str, players: int) -> Hall:
    """Create an event with this even number of players in an empty, migrated database."""
    with staged(url, datetime.now(UTC)) as stage:
        today = stage.clock().date()
        stage.set_up("Olga")
        scenarios = ("hold-the-line", "", "")
        event = stage.event(scenarios=scenarios, starts_on=today, ends_on=today, list_deadline=None)
        by_id = {player.id: player for player in stage.enter(event, *(f"Player {n}" for n in range(1, players + 1)))}
        games = stage.publish(event, 1)
        people = {id_: (player_browser(stage.now(player)), id_) for id_, player in by_id.items()}
        tables = tuple(Table(g.id, (people[g.a_id], people[g.b_id])) for g in games if g.b_id is not None)
        return Hall(url, f"/e/{event.slug}/me/game", tables)
