"""What each public address costs: SQL statements, templates and calls of Python, which are the same on any machine."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask, url_for
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from models.event import Event, Round
from models.play import Player
from models.team import Team
from tests.kit.large_events import SERIES_SLUG
from tests.kit.stage import Stage
from tests.kit.statements import rendered, sent

GENERAL: Mapping[str, Any] = {
    "calculator_id": "attack", "code": "made-up", "colour": "2f6f4f", "digest": "made-up",
    "edition_id": "2024-community", "filename": "overseer.css", "format_id": "txt", "key": "playing", "language": "de",
    "mark": "made-up", "person_id": 1, "round_number": 1, "scenario_id": "raiders", "section": "event",
    "sha256": "made-up", "system_id": "battle_mode", "token": "made-up", "verb": "check-in", "view": "standings",
} | dict.fromkeys(
    (
        "change_set_id", "code_id", "invitation_id", "message_id", "token_id", "team_id", "webhook_id", "game_id",
        "player_id",
    ), 1
)  # fmt: skip
"""A value for each variable of an address; an event's own rows replace some."""


@dataclass(frozen=True)
class Price:
    """What a request cost."""

    status: int
    statements: int
    templates: int
    calls: int
    """Of functions written in Python or in C."""


def price(app: Flask, client: FlaskClient, address: str, *, counted: bool = True) -> Price:
    """What a request costs; its calls are not ``counted`` if that would take too long."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    with sent(app.extensions["overseer_engine"]) as statements, rendered(app) as templates:
        sys.setprofile(count if counted else None)
        try:
            answer = client.get(address, buffered=True)
        finally:
            sys.setprofile(None)
    rows = [line for line in statements if not line.startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"))]
    return Price(answer.status_code, len(rows), len(templates), calls)


def public_rules(app: Flask) -> list[Rule]:
    return sorted((rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())), key=lambda r: r.rule)


def example(app: Flask, rule: Rule, values: Mapping[str, Any]) -> str:
    """An address of the rule. Raises KeyError for a variable without an example."""
    if "/series/" in rule.rule or rule.rule.startswith("/c/"):
        values = {**values, "slug": SERIES_SLUG}
    if "<calculator_id>" in rule.rule:
        values = {**values, "system_id": "skill_combat"}
    with app.test_request_context():
        return url_for(rule.endpoint, **{name: values[name] for name in rule.arguments - (rule.defaults or {}).keys()})


def values_of(stage: Stage, events: Sequence[Event]) -> list[Mapping[str, Any]]:
    """For each event, a value for each variable of an address."""
    found: list[Mapping[str, Any]] = []
    for event in events:
        own: dict[str, Any] = {"slug": event.slug, "number": 1, "player_id": stage.all(Player, event_id=event.id)[0].id}
        if stage.all(Round, event_id=event.id, number=1):
            game = next(iter(stage.games(event, 1)), None)
            own |= {"game_id": game.id, "code": game.code} if game else {}
        team = next(iter(stage.all(Team, event_id=event.id)), None)
        own |= {"team_id": team.id} if team else {}
        found.append({**GENERAL, **own})
    return found
