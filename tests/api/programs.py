"""A program with a token, which speaks JSON and has no cookies."""

from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from events.accounts.tokens import make_token
from models.event import Event
from models.people import Account
from models.staff import Role
from tests.kit.stage import Stage

ROOT = "/api/v1/events/iron-open"


class Program:
    def __init__(self, app: Flask, token: str) -> None:
        self.http = app.test_client(use_cookies=False)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, address: str) -> TestResponse:
        return self.http.get(address, headers=self.headers)

    def post(self, address: str, key: str = "", **sent: Any) -> TestResponse:
        return self.send("POST", address, key, sent)

    def send(self, method: str, address: str, key: str, sent: Any) -> TestResponse:
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        return self.http.open(address, method=method, json=sent, headers=headers)


def made_token(
    stage: Stage, event: Event, role: Role, *, name: str = "Bot", days: int = 30, by: Account | None = None
) -> str:
    """The text of a new token."""
    maker = by or stage.all(Account)[0]
    return stage.do(event, make_token, name, role, days, maker)[1]
