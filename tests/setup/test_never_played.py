"""An event whose last day is over without a round: what it takes, where it is listed, and what the desk is offered."""

from datetime import UTC, date, datetime

import pytest
from flask import Flask

from events.store.rounds import never_played
from events.tournament.season import Season
from models.event import EventState
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage

MIDNIGHT = datetime(2026, 12, 5, 23, tzinfo=UTC)
"""The end of the last day in Berlin."""
BEFORE = MIDNIGHT.replace(hour=22, minute=59)


def test_last_day_ends_at_midnight_of_the_events_own_zone(stage: Stage) -> None:
    event = stage.event(rounds=2, players=("Ada", "Bo"))
    assert [never_played(event, now) for now in (BEFORE, MIDNIGHT)] == [False, True]
    stage.set(event, ends_on=date(2026, 12, 6))
    assert not never_played(event, MIDNIGHT)
    stage.set(event, ends_on=date(2026, 12, 5), season=Season(days=7))
    assert not never_played(event, MIDNIGHT), "a season lasts until its last round"
    stage.set(event, season=None)
    stage.publish(event, 1)
    assert (event.state, never_played(event, MIDNIGHT)) == (EventState.IN_PROGRESS, False)


def test_no_path_takes_sign_ups_or_promises_the_event(
    app: Flask, visitor: Person, olga: Person, enter: Enter, stage: Stage
) -> None:
    event = stage.event()
    stage.set(event, series="Iron League")
    (ada,) = enter(event, "Ada")

    def shown() -> list[bool]:
        front, series, desk = visitor.open("/").text, visitor.open("/series/iron-league").text, olga.open("/desk").text
        feed = app.test_client().get("/events.atom").text
        item = app.test_client().get("/api/v1/events/iron-open").get_json()["registration"]
        return [
            "Coming" in series, "Iron Open" in front, "Coming" in desk,
            "Registration is open." in feed, item == "open",
            "One minute, no account." in visitor.open("/e/iron-open").text,
        ]  # fmt: skip

    stage.clock.now = BEFORE
    assert shown() == [True] * 6
    stage.clock.now = MIDNIGHT
    assert shown() == [False] * 6
    assert "The last day of this event has passed." in visitor.open("/e/iron-open/register").text
    assert "It was not played." in app.test_client().get("/events.atom").text
    assert "Not played Iron Open" in olga.open("/desk").text
    assert visitor.open("/e/iron-open").part(".hero .row") == "Not played All events of Iron League"
    assert ada.open("/e/iron-open/me").status == 200


@pytest.mark.parametrize("is_draft", [False, True])
def test_desk_is_offered_to_end_or_move_it(olga: Person, stage: Stage, *, is_draft: bool) -> None:
    event = stage.event(draft=is_draft, players=("Ada", "Bo"))
    stage.clock.now = MIDNIGHT
    page = olga.open("/e/iron-open/desk")
    end = "delete" if is_draft else "cancel"
    assert f"It was never played: {end} it, or move it." in page.text
    links = [str(link["href"]) for link in page.soup.select(".next a.button")]
    assert links[:2] == [f"/e/iron-open/desk/{end}", "/e/iron-open/desk/settings/event"]
    if not is_draft:
        assert "Draw round 1" in page.text, "it can still be played"
        olga.press("Cancel the event", at=links[0], reason="Nobody had time")
        assert event.cancelled_at is not None
