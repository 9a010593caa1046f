"""The answer to a phone's outbox if the game of its report is gone: the reason, and no secret."""

import pytest
from flask import Flask, abort

from events.rounds.actions import unpublish
from models.event import Event, EventState
from models.play import Report
from tests.kit.person import Person
from tests.kit.stage import BY, Stage
from tests.kit.tables import HOME, MINE, OUTBOX, Enter, Table, form_of, seat

KEY = OUTBOX["X-Outbox-Key"]


@pytest.fixture
def table(stage: Stage, enter: Enter) -> Table:
    (table,) = seat(stage, enter)
    return table


def filled(person: Person, address: str = MINE) -> dict[str, str]:
    return form_of(person, address, a__objectives="3") | {"key": KEY}


def refused(person: Person, address: str, body: dict[str, str], status: int) -> str:
    """The reason for a permanent rejection."""
    answer = person.http.post(address, data=body, headers=OUTBOX)
    assert (answer.status_code, answer.mimetype) == (status, "application/json"), answer.text
    found = answer.get_json()
    assert (found["state"], found["key"], found["page"]) == ("refused", KEY, "")
    return str(found["said"])


def take_back(table: Table, number: int = 1) -> None:
    with table.stage.changing(table.event) as s:
        unpublish(s, table.event, number, BY, table.stage.clock())


def test_sheet_report_of_an_unpublished_round_is_refused(app: Flask, table: Table) -> None:
    code = table.game.code
    holder, address = Person(app), f"{HOME}/games/{table.game_id}/report?side=a"
    body = filled(holder, f"/g/{code}?side=a")
    take_back(table)
    said = refused(holder, address, body, 404)
    assert "the round may have been taken back" in said
    for old in (f"/g/{code}?side=a", "/g/AAAAAAAA?side=a"):
        assert refused(holder, old, body, 404) == said, "a guessed code reveals no draft"
    assert not table.stage.all(Report)
    assert holder.http.post(address, data=body).mimetype == "text/html", "without script it is a page"
    assert holder.http.get(f"/g/{code}", headers=OUTBOX).mimetype == "text/html", "a page that is opened is a page"


@pytest.mark.proves("F12")
def test_players_report_of_an_unpublished_later_round_is_refused(stage: Stage, table: Table) -> None:
    stage.decide(table.event, table.game, 3, 1)
    stage.publish(table.event, 2)
    body = filled(table.a)
    take_back(table, 2)
    assert "cannot be reported now" in refused(table.a, MINE, body, 409)
    page = table.a.http.post(MINE, data=body, follow_redirects=True)
    assert "cannot be reported now" in page.text and "Round 2" not in page.text
    assert len(stage.all(Report, withdrawn_at=None)) == 1, "the result of round 1"


def test_report_without_a_side_event_or_form_is_refused(app: Flask, stage: Stage, table: Table) -> None:
    holder, code = Person(app), table.game.code
    body = filled(holder, f"/g/{code}?side=a")
    for address in (f"{HOME}/games/{table.game_id}/report", f"/g/{code}"):
        assert "open the code of the sheet again" in refused(holder, f"{address}?side=x", body, 422)
    body = filled(table.a)
    assert "too large" in refused(table.a, MINE, body | {"a.r1": "9" * 2_600_000}, 413)
    with stage.changing(table.event) as s:
        s.get_one(Event, table.event.id).state = EventState.DRAFT
    refused(table.a, MINE, body, 404)
    refused(table.a, "/e/no-such-event/me/game", body, 404)


@pytest.mark.proves("F11", "F12")
def test_transient_failure_is_never_answered_as_refused(app: Flask, table: Table) -> None:
    """A phone ignores any page: it shows "not confirmed yet" and sends the report again."""
    body = filled(table.a)
    for status in (400, 403, 408, 429, 500, 503):

        def fails(status: int = status) -> None:
            if status == 500:
                raise RuntimeError("a fault of ours")
            abort(status)

        app.before_request_funcs.setdefault(None, []).append(fails)
        try:
            answer = table.a.http.post(MINE, data=body, headers=OUTBOX)
        finally:
            app.before_request_funcs[None].remove(fails)
        assert (answer.status_code, answer.is_json) == (status, False)
    assert table.a.http.post(MINE, data=body, headers=OUTBOX).get_json()["state"] == "saved"
