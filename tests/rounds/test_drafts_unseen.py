"""A draft is nobody's business but the desk's, in every format."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from events.registration.own_data import own_data
from events.rounds import actions as rounds_actions
from models.event import Event
from tests.kit.formats import NAMES, cut_event, formed, knockout_of
from tests.kit.person import Person
from tests.kit.stage import Stage

SEEN = ("version", "hall/version", "", "standings", "rounds/1", "hall/names", "players/1")


def robin(stage: Stage) -> tuple[Event, int, str]:
    return formed(stage, *NAMES[:5], format="round_robin"), 1, "rounds/1/draw"


def knockout(stage: Stage) -> tuple[Event, int, str]:
    return knockout_of(stage, 5), 1, "rounds/1/draw"


def second_of_knockout(stage: Stage) -> tuple[Event, int, str]:
    event = knockout_of(stage, 4)
    stage.play(event, 1)
    return event, 2, "rounds/2/draw"


def after_cut(stage: Stage) -> tuple[Event, int, str]:
    return cut_event(stage, 4), 2, "cut"


@pytest.mark.parametrize("kind", [robin, knockout, second_of_knockout, after_cut])
def test_draft_changes_no_public_mark_and_no_public_page(
    app: Flask, olga: Person, stage: Stage, kind: Callable[[Stage], tuple[Event, int, str]]
) -> None:
    event, number, address = kind(stage)

    def seen() -> list[str]:
        return [Person(app).open(f"/e/{event.slug}/{path}").text for path in SEEN] + [
            Person(app).http.get(f"/api/v1/events/{event.slug}/rounds").text
        ]

    before = seen()
    at = f"/e/{event.slug}/desk/cut" if address == "cut" else f"/e/{event.slug}/desk/rounds/{number}"
    olga.press("Cut to the top 4" if address == "cut" else f"Draw round {number}", at=at)
    assert stage.games(event, number), "it is drawn"
    app.extensions["overseer_page_cache"].values.clear()
    assert seen() == before
    stage.do(event, rounds_actions.publish_round, number, sure=True)
    assert seen()[0] != before[0]


def test_own_data_say_nothing_of_a_draft(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    (late,) = stage.enter(event, "Late")

    def data() -> Any:
        kept = own_data(stage.s, stage.now(event), stage.now(late), stage.clock())
        return {**kept, "player": [{**kept["player"][0], "changed_at": None}]}

    before = data()
    stage.draw(event, 2)
    assert late.id in {id_ for game in stage.games(event, 2) for id_ in (game.a_id, game.b_id)}, "the control"
    assert data() == before
    assert "entered_round" not in before["player"][0]
