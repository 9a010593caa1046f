"""Fields that no form has, added to every form that players and lesser staff can send: they reach nothing."""

from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlmodel import SQLModel
from werkzeug.datastructures import MultiDict

from events.accounts.queries import link_token, new_sign_in
from models.event import Event
from models.staff import Role
from tests.accounts.test_two_events import forms
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Person, controls
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to

WORDS, NUMBER = "Qzmass", "76543"
ALSO = (
    "is_admin",
    "admin",
    "vp_override",
    "user_id",
    "locked_at",
    "owner",
    "_method",
    "is_staff",
    "confirmed",
    "score",
)
PAGES = {
    "player": ("me", "me/game", "me/mail", "me/force", "me/votes", "me/link", "me/journal"),
    "visitor": ("register", ""),
    "scorekeeper": ("desk/rounds/1/entry", "desk/rounds/1/results", "desk/games/1", "desk/players"),
}
LEGITIMATE = {"event.version", "event.stamp", "event.public_stamp", "event.players_stamp", "event.changed_at",
              "game.state", "game.version", "game.answers", "game.confirmed_at", "game.entered_at"}  # fmt: skip
"""What these presses may change of the rows that are looked at."""


GUARDED = {"organiser", "staff", "event", "player", "round", "game"}


def fields() -> dict[str, str]:
    """The name of every column of every table, and a few that attackers try, each with a value of ours."""
    found = {column.name: column for table in SQLModel.metadata.tables.values() for column in table.columns}
    numbers = {name: NUMBER for name, column in found.items() if column.type.python_type in (int, bool)}
    named = dict.fromkeys((*found, *ALSO), WORDS) | numbers
    del named["faction"]  # the builder asks for it in a new list, which is its player's to fill
    return named


def kept(stage: Stage) -> dict[tuple[str, int, str], Any]:
    """Every value of the rows that say who may what, and how the event stands."""
    found: dict[tuple[str, int, str], Any] = {}
    stage.s.rollback()
    for table in (one for one in SQLModel.metadata.sorted_tables if one.name in GUARDED):
        for row in stage.s.connection().execute(table.select()).mappings():
            found |= {(table.name, row["id"], name): value for name, value in row.items()}
    return {key: value for key, value in found.items() if f"{key[0]}.{key[2]}" not in LEGITIMATE}


@pytest.mark.proves("attack 10", "ASVS 8.2.3", "ASVS 15.3.3")
def test_what_no_form_asks_for_is_not_stored(app: Flask, stage: Stage, event: Event) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    give_mail(stage, event)
    write_to(stage, event)
    stage.force(event, ada, read_force(PIPER), submit=False)
    people = {"player": Person(app), "visitor": Person(app), "scorekeeper": Person(app)}
    people["player"].open(f"/p/{link_token(app.secret_key, ada)}")
    account = stage.hire(event, "The scorekeeper", Role.SCOREKEEPER)
    with people["scorekeeper"].http.session_transaction() as session:
        session["organiser"] = new_sign_in(account.id, account.session_key, datetime.now(UTC))
    more, sent = fields(), []
    assert len(more) > 150
    for phase in ("registration", "playing"):
        before = kept(stage)
        for name, person in people.items():
            for page in PAGES[name]:
                for form, action in forms(person, f"/e/iron-open/{page}".rstrip("/")):
                    own = controls(form)
                    known = {key for key, _ in own} | {str(one["name"]) for one in form.select("[name]")}
                    for button in form.select("button"):
                        target = str(button.get("formaction") or action)
                        if target.endswith(("/leave", "/forget", "/sign-out")):
                            continue
                        press = [(str(button["name"]), str(button.get("value", "")))] if button.get("name") else []
                        extra = [(key, value) for key, value in more.items() if key not in known]
                        data = MultiDict([*own, *press, *extra])
                        answer = person.http.post(target, data=data, query_string=dict(extra[:40]))
                        assert answer.status_code < 500, target
                        sent.append(target)
        changed = {key: value for key, value in kept(stage).items() if before.get(key, value) != value}
        assert changed == {}, phase
        if phase == "registration":
            stage.publish(event, 1)
    assert len(set(sent)) > 6, set(sent)
    assert [line for line in everything_stored(stage) if WORDS in line or NUMBER in line] == []
    assert people["visitor"].open("/desk").path == "/sign-in"
    stage.enter(stage.event("Rust Cup"), WORDS)
    assert [line for line in everything_stored(stage) if WORDS in line] != [], "the control"


def everything_stored(stage: Stage) -> list[str]:
    """Every row of every table, as text."""
    stage.s.rollback()
    return [
        f"{table.name} {tuple(row)}"
        for table in SQLModel.metadata.sorted_tables
        for row in stage.s.connection().execute(table.select())
    ]
