"""Tables of a published round with both players' browsers."""

from dataclasses import dataclass
from typing import Any

import pytest

from models.event import Event, Round
from models.play import Game, Report
from tests.kit.person import SEND_REPORT, SEND_RESULT, Enter, Page, Person, controls
from tests.kit.stage import Stage

HOME = "/e/iron-open"
ROUND = f"{HOME}/desk/rounds/1"
MINE = f"{HOME}/me/game"
"""The address of a player's form for the current game."""
OUTBOX = {"X-Outbox": "1", "X-Outbox-Key": "a-key-that-this-phone-has-made", "Accept": "application/json"}
"""The headers of a phone's outbox."""
WITHOUT_KEY = {"X-Outbox": "1", "Accept": "application/json"}
"""The same headers for a form that contains the key."""


@dataclass(frozen=True)
class Table:
    a: Person
    b: Person
    stage: Stage
    event: Event
    game_id: int

    @property
    def game(self) -> Game:
        return self.stage.one(Game, id=self.game_id)

    @property
    def desk(self) -> str:
        return f"{HOME}/desk/games/{self.game_id}"

    @property
    def reports(self) -> list[tuple[str, dict[str, object]]]:
        return [(report.side.value, dict(report.answers)) for report in self.stage.all(Report, game_id=self.game_id)]

    def name(self, side: str) -> str:
        return self.stage.name(self.game.a_id if side == "a" else self.game.b_id)

    def send(self, person: Person, **answers: str) -> Page:
        """Open a player's form and submit it with these answers (dots as __), even if they are the opponent's."""
        page = person.open(MINE)
        for start in page.soup.select("input[name=start]"):
            start.decompose()
        return person.press(SEND_REPORT if SEND_REPORT in page.text else SEND_RESULT, **answers)

    def points(self) -> dict[str, tuple[int, int]]:
        return {row.name: (row.points, row.vp) for row in self.stage.standings(self.event)}

    def play(self, scenario: str) -> None:
        (the_round,) = self.stage.all(Round, event_id=self.event.id, number=1)
        with self.stage.changing(self.event):
            the_round.scenario = scenario


def seat(stage: Stage, enter: Enter, *names: str, scenario: str = "hold-the-line", **changed: Any) -> list[Table]:
    """The tables of round 1 of Iron Open; by default Ada and Bo play Hold the Line."""
    event = stage.event(scenarios=(scenario, "", ""), **changed)
    names = names or ("Ada", "Bo")
    people = dict(zip(names, enter(event, *names), strict=True))
    return [
        Table(people[stage.name(game.a_id)], people[stage.name(game.b_id)], stage, event, game.id)
        for game in stage.publish(event, 1)
        if game.b_id is not None
    ]


@pytest.fixture
def table(stage: Stage, enter: Enter) -> Table:
    (table,) = seat(stage, enter)
    return table


@pytest.fixture
def tables(stage: Stage, enter: Enter) -> list[Table]:
    return seat(stage, enter, "Ada", "Bo", "Cy", "Di")


def form_of(person: Person, address: str = MINE, **changed: str) -> dict[str, str]:
    """The fields of the report's form as a browser sends them, with these changes (dots as __)."""
    page = person.open(address)
    form = page.soup.select_one("form.report")
    assert form is not None, page.text
    return {str(key): str(value) for key, value in controls(form)} | {
        key.replace("__", "."): value for key, value in changed.items()
    }


def sent(person: Person, body: dict[str, str], address: str = MINE) -> tuple[int, dict[str, Any]]:
    """Send the form as a phone's outbox does; returns the status and the JSON answer."""
    answer = person.http.post(address, data=body, headers=WITHOUT_KEY)
    assert answer.is_json, answer.text
    said: dict[str, Any] = answer.get_json()
    return answer.status_code, said
