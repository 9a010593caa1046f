"""An event's own questions: set up, asked at sign-up and at the desk, exported, removed; and registration's times."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from models.event import Event
from models.play import Player
from tests.conftest import Clock
from tests.kit.person import Page, Person, Value
from tests.kit.stage import Stage

SETTINGS, PLAYERS = "/e/iron-open/desk/settings", "/e/iron-open/desk/players"
ANSWERS = "/e/iron-open/me/answers"
ASKED: list[dict[str, Any]] = [
    {"id": "q1", "label": "Allergies", "kind": "text", "choices": [], "required": False},
    {"id": "q2", "label": "Lunch", "kind": "choice", "choices": ["Soup", "Bread"], "required": True},
    {"id": "q3", "label": "Guests", "kind": "number", "choices": [], "required": False},
]


@pytest.fixture
def asking(stage: Stage) -> Event:
    """An event with a question of each kind."""
    return stage.event(questions=tuple(ASKED))


def sign_up(app: Flask, name: str, **answers: str) -> Person:
    person = Person(app)
    person.open("/e/iron-open/register")
    person.press("Register", name=name, **answers)
    return person


def sheet(person: Person) -> list[list[str]]:
    text = person.ask("GET", f"{PLAYERS}.csv").data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_questions_are_written_in_the_settings_and_keep_their_ids(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(SETTINGS)
    page = olga.press("Save", **{"questions-0-label": "Lunch", "questions-0-kind": "choice"})
    assert page.status == 422 and "needs 2 to 20 choices" in page.part("#questions .errors")
    assert page.value("questions-0-label") == "Lunch", "what was typed stays"
    olga.press("Save", **{"questions-0-choices": "Soup\nBread\n", "questions-1-label": "Allergies"})
    assert [(one["id"], one["label"]) for one in stage.now(event).questions or ()] == [
        ("q1", "Lunch"),
        ("q2", "Allergies"),
    ]
    olga.press("Save", **{"questions-0-label": "", "questions-1-label": "Diet"})
    assert [(one["id"], one["label"]) for one in stage.now(event).questions or ()] == [("q2", "Diet")]


def test_player_answers_and_changes_it_until_the_close(
    app: Flask, olga: Person, stage: Stage, asking: Event, clock: Clock
) -> None:
    assert sign_up(app, "Ada", answer_q1="nuts").page.status == 422, "lunch must be chosen"
    ada = sign_up(app, "Ada", answer_q1="nuts", answer_q2="Soup", answer_q3="2")
    assert stage.one(Player).answers == {"q1": "nuts", "q2": "Soup", "q3": "2"}
    ada.open(ANSWERS)
    ada.press("Save", answer_q2="Bread", answer_q3="")
    assert stage.one(Player).answers == {"q1": "nuts", "q2": "Bread"}
    assert stage.journal(asking, "answers")[-1] == "Changed the answers of Ada", "never what they are"
    page = olga.open(f"{PLAYERS}/{stage.one(Player).id}")
    assert "nuts" in page.text and "Bread" in olga.open(PLAYERS).text
    assert sheet(olga)[0][-3:] == ["Allergies", "Lunch", "Guests"]
    assert sheet(olga)[1][-3:] == ["nuts", "Bread", ""]
    assert "nuts" not in Person(app).open(f"/e/iron-open/players/{stage.one(Player).id}").text
    assert Person(app).ask("GET", f"{PLAYERS}.csv").status_code == 403
    with stage.changing(asking):
        asking.registration_closes = clock.now
    assert ada.open(ANSWERS).status == 403


def test_desk_may_leave_questions_open_and_takes_the_fee(olga: Person, stage: Stage, asking: Event) -> None:
    with stage.changing(asking):
        asking.fee = "15 €"
    olga.open(PLAYERS)
    walk_in: dict[str, Value] = {"w-name": "Bo", "w-paid": True}
    olga.press("Add", inside="#walk-in", **walk_in)
    bo = stage.one(Player)
    assert (bo.answers, bo.paid_at) == (None, stage.clock())
    olga.open(f"{PLAYERS}/{bo.id}")
    olga.press("Save", answer_q1="gluten")
    assert stage.now(bo).answers == {"q1": "gluten"}


def test_removed_question_takes_its_answers_along(olga: Person, stage: Stage, asking: Event) -> None:
    (ada,) = stage.enter(asking, "Ada", here=False)
    with stage.changing(asking):
        ada.answers = {"q1": "nuts", "q2": "Soup"}
    olga.open(SETTINGS)
    olga.press("Save", **{"questions-0-label": ""})
    assert stage.now(ada).answers == {"q2": "Soup"}


def closed(person: Person) -> Page:
    return person.open("/e/iron-open/register")


def test_registration_keeps_its_times_and_the_desk_does_not(
    olga: Person, visitor: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    olga.open(SETTINGS)
    page = olga.press("Save", registration_opens="2026-12-02T18:00", registration_closes="2026-12-01T18:00")
    assert "close after it opens" in page.error_at("registration_closes")
    olga.press("Save", registration_closes="2026-12-03T18:00")
    opens, closes = stage.now(event).registration_opens, event.registration_closes
    assert opens is not None and closes is not None
    clock.now = opens - timedelta(minutes=1)
    assert "Registration opens on Wed 2 Dec 2026, 18:00" in visitor.open("/e/iron-open").text
    assert (closed(visitor).status, "It opens on" in visitor.page.text) == (403, True)
    clock.now = opens
    assert closed(visitor).status == 200
    clock.now = closes
    assert "Registration is closed." in visitor.open("/e/iron-open").text
    assert (closed(visitor).status, "It closed on" in visitor.page.text) == (403, True)
    olga.open(PLAYERS)
    olga.press("Add", inside="#walk-in", **{"w-name": "Walk In"})
    assert stage.one(Player).name == "Walk In"
