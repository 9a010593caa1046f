"""A part of the desk that cannot be worked out does not take its pages with it; ``overseer doctor`` names it."""

from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import Engine, text

from app import attach_database
from service.commands.doctor import failing_parts
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.formats import NAMES
from tests.kit.person import DROP_PLAYER, Person
from tests.kit.stage import Event, Player, Stage

DESK = "/e/iron-open/desk"
PAGES = (
    "/players", "/undo", "/ways-back", "/journal", "/journal.csv", "/archive", "/archive.json", "/settings",
    "/settings/event", "/settings/rounds", "/staff", "/messages",
)  # fmt: skip
ROUNDS = {"the rounds", "the next step"}
DAMAGES = {
    "a scenario that is not known": ("UPDATE round SET scenario = 'no-such'", ROUNDS),
    "a season of impossible days": ("UPDATE event SET season = '{\"days\": 0}'", ROUNDS),
    "a tie-break that is not known": ("UPDATE event SET tie_breaks = '[\"shirts\"]'", {"the next step"}),
}
"""What a database can hold after a fault, and what the desk then cannot work out."""
WORD = "a word that only Prometheus has"


@pytest.fixture
def event(stage: Stage, olga: Person) -> Event:
    """An event whose leader was dropped, which the next step names by the standings."""
    event = stage.event(players=NAMES[:4], rounds=1)
    stage.play(event, 1)
    leader = stage.one(Player, name=stage.standings(event)[0].name)
    assert "dropped" in olga.press(DROP_PLAYER, at=f"{DESK}/players/{leader.id}").flashes
    return event


def damage(stage: Stage, statement: str) -> None:
    with stage.engine.begin() as connection:
        connection.execute(text(statement))


@pytest.mark.proves("attack 91")
@pytest.mark.parametrize("what", DAMAGES)
def test_pages_to_repair_an_event_always_open(
    what: str, event: Event, olga: Person, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    statement, missing = DAMAGES[what]
    assert [olga.open(DESK + page).status for page in PAGES] == [200] * len(PAGES)
    assert "Could not be worked out" not in olga.open(f"{DESK}/undo").text
    damage(stage, statement)
    for page in PAGES:
        opened = olga.open(DESK + page)
        assert opened.status == 200, page
        if "." not in page:
            line = opened.part(".flashes").removeprefix("Could not be worked out: ").partition(".")[0]
            assert missing <= set(line.split(", ")), page
            assert "Journal" in opened.part(".tabs"), page
    assert any("the next step" in line.getMessage() and line.exc_info for line in caplog.records)
    assert "Undone: Dropped" in olga.press("Undo this step", at=f"{DESK}/undo", typed="undo").flashes


def test_failing_page_of_the_desk_leads_to_undo_and_restore_points(event: Event, olga: Person, stage: Stage) -> None:
    damage(stage, DAMAGES["a scenario that is not known"][0])
    page = olga.open(DESK)
    assert page.status == 500
    ways = [str(link["href"]) for link in page.soup.select(".fault .bar a")]
    assert ways == [f"{DESK}/undo", f"{DESK}/ways-back", f"{DESK}/players", "/"]
    assert Person(olga.http.application).open("/e/iron-open/rounds/1").part(".fault .bar") == "All events"


def test_failed_parts_are_counted_and_not_kept(
    event: Event, olga: Person, app: Flask, settings: Settings, engine: Engine, clock: Clock, stage: Stage
) -> None:
    assert olga.open(f"{DESK}/journal").response.headers.get("ETag")
    damage(stage, DAMAGES["a tie-break that is not known"][0])
    attach_database(app, replace(settings, metrics=WORD), engine, clock)
    assert olga.open(f"{DESK}/journal").response.headers.get("ETag") is None
    figures = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {WORD}"}).text
    assert "overseer_parts_failed_total 1.0" in figures


@pytest.mark.proves("attack 91")
@pytest.mark.both_at_length
def test_doctor_names_what_cannot_be_worked_out(event: Event, stage: Stage, settings: Settings) -> None:
    other = stage.event("Rust Cup", players=NAMES[:4])
    stage.play(other, 1)
    before = stage.digest()
    assert [*failing_parts(stage.s, [event, other], settings, stage.engine)] == []
    assert stage.digest() == before
    damage(stage, "UPDATE event SET tie_breaks = '[\"shirts\"]' WHERE slug = 'iron-open'")
    stage.s.rollback()
    lines = [line.split(": ") for line in failing_parts(stage.s, [event, other], settings, stage.engine)]
    assert {slug for slug, *_ in lines} == {"iron-open"}
    assert {part for _, part, *_ in lines} >= {
        "the standings after round 1", "a player's own page", "the hall", "the desk", "its archive"
    }  # fmt: skip
    assert all("tie-break" in "".join(line) or "'shirts'" in line[-1] for line in lines)
