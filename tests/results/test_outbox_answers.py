"""What a report that waits in a phone meets when its game is gone: an answer that the phone can tell, and no secret."""

from collections.abc import Callable

import pytest
from flask import Flask, abort

from events.rounds.actions import unpublish
from models.event import Event, EventState
from models.play import Game, Report
from tests.kit.person import Person, controls
from tests.kit.stage import BY, Stage

KEY = "a-key-that-this-phone-has-made"
OUTBOX = {"X-Outbox": "1", "X-Outbox-Key": KEY, "Accept": "application/json"}
MINE = "/e/iron-open/me/game"
Enter = Callable[..., list[Person]]


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(scenarios=("hold-the-line", "", ""))


@pytest.fixture
def ada(stage: Stage, event: Event, enter: Enter) -> Person:
    """Ada's phone; she plays Bo in round 1."""
    ada, _ = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    return ada


def form_of(person: Person, address: str) -> dict[str, str]:
    """The report's form at this address as a phone sends it."""
    form = person.open(address).soup.select_one("form.report")
    assert form is not None
    return {str(name): str(value) for name, value in controls(form)} | {"key": KEY, "a.objectives": "3"}


def refused(person: Person, address: str, body: dict[str, str], status: int) -> str:
    """The words with which the phone is told that this is never stored."""
    answer = person.http.post(address, data=body, headers=OUTBOX)
    assert (answer.status_code, answer.mimetype) == (status, "application/json"), answer.text
    told = answer.get_json()
    assert (told["state"], told["key"], told["page"]) == ("refused", KEY, "")
    return str(told["said"])


def take_back(stage: Stage, event: Event, number: int = 1) -> None:
    with stage.changing(event) as s:
        unpublish(s, event, number, BY, stage.clock())


def test_a_sheet_s_report_whose_round_was_taken_back_is_refused_and_not_for_ever_waiting(
    app: Flask, stage: Stage, event: Event, ada: Person
) -> None:
    game = stage.one(Game)
    holder, address = Person(app), f"/e/iron-open/games/{game.id}/report?side=a"
    body = form_of(holder, f"/g/{game.code}?side=a")
    take_back(stage, event)
    said = refused(holder, address, body, 404)
    assert "the round may have been taken back" in said
    # Whoever guesses a code learns nothing: neither that the draft still has this game, nor that there is none.
    code = game.code
    for old in (f"/g/{code}?side=a", "/g/AAAAAAAA?side=a"):
        assert refused(holder, old, body, 404) == said
    assert not stage.all(Report)
    assert holder.http.post(address, data=body).mimetype == "text/html", "without script it is a page"
    assert holder.http.get(f"/g/{code}", headers=OUTBOX).mimetype == "text/html", "a page that is opened is a page"


@pytest.mark.proves("F12")
def test_a_player_s_report_whose_round_was_taken_back_is_refused(stage: Stage, event: Event, ada: Person) -> None:
    body = form_of(ada, MINE)
    take_back(stage, event)
    assert "not to be reported now" in refused(ada, MINE, body, 409)


def test_of_a_later_round_that_was_taken_back_nothing_is_shown_either(stage: Stage, event: Event, enter: Enter) -> None:
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    stage.publish(event, 2)
    body = form_of(ada, MINE)
    take_back(stage, event, 2)
    assert "not to be reported now" in refused(ada, MINE, body, 409)
    page = ada.http.post(MINE, data=body, follow_redirects=True)
    assert "not to be reported now" in page.text and "Round 2" not in page.text
    assert not stage.all(Report, withdrawn_at=None)[2:], "but for the results of round 1"


def test_a_sheet_s_form_that_names_no_side_is_refused(app: Flask, stage: Stage, ada: Person) -> None:
    game, holder = stage.one(Game), Person(app)
    body = form_of(holder, f"/g/{game.code}?side=a")
    for address in (f"/e/iron-open/games/{game.id}/report", f"/g/{game.code}"):
        assert "Open the code of the sheet again" in refused(holder, f"{address}?side=x", body, 422)


def test_a_report_to_an_event_that_is_not_there_any_more_is_refused(stage: Stage, event: Event, ada: Person) -> None:
    body = form_of(ada, MINE)
    with stage.changing(event) as s:
        s.get_one(Event, event.id).state = EventState.DRAFT
    refused(ada, MINE, body, 404)
    refused(ada, "/e/no-such-event/me/game", body, 404)


def test_an_address_that_takes_no_report_and_a_form_that_is_no_report_are_refused(ada: Person) -> None:
    body = form_of(ada, MINE)
    assert "Open it again" in refused(ada, "/e/iron-open/standings", body, 405)
    assert "too large" in refused(ada, MINE, body | {"a.r1": "9" * 2_600_000}, 413)


@pytest.mark.proves("F11", "F12")
@pytest.mark.parametrize("status", [400, 403, 408, 429, 500, 503])
def test_what_may_pass_is_never_told_as_refused(app: Flask, ada: Person, status: int) -> None:
    """The phone takes a page for no answer at all: it says "not confirmed yet", and sends it again."""
    body = form_of(ada, MINE)

    def fails() -> None:
        if status == 500:
            raise RuntimeError("a fault of ours")
        abort(status)

    app.before_request_funcs.setdefault(None, []).append(fails)
    try:
        answer = ada.http.post(MINE, data=body, headers=OUTBOX)
    finally:
        app.before_request_funcs[None].remove(fails)
    assert (answer.status_code, answer.is_json) == (status, False)
    assert ada.http.post(MINE, data=body, headers=OUTBOX).get_json()["state"] == "saved"
