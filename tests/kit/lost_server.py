"""A server that is lost, and another one in its place, for tests."""

from collections.abc import Callable
from datetime import UTC, datetime

from flask import Flask

from events.accounts.queries import new_sign_in
from tests.kit.person import Person
from tests.kit.stage import Stage

Elsewhere = Callable[[], Stage]
"""Loses the server, and gives what stands behind the other one."""


def organiser(app: Flask, stage: Stage, name: str) -> Person:
    """Somebody who runs the club of this database, signed in."""
    account = stage.set_up(name)
    person = Person(app)
    with person.http.session_transaction() as session:
        session["organiser"] = new_sign_in(account.id, account.session_key, datetime.now(UTC))
    return person
