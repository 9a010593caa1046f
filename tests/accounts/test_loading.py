"""What a page has loaded is loaded again during and after a change of the same request."""

from flask import Flask

from events.registration.actions import register
from events.visitors.event_loading import players_in
from events.visitors.loading import event_by_slug
from events.web.request import changing, db
from tests.kit.stage import Stage


def test_rows_are_loaded_again_within_a_change_and_after_it(app: Flask, stage: Stage) -> None:
    slug = stage.event(players=["Anna"]).slug
    with app.test_request_context():
        event = event_by_slug(db(), slug)
        assert event is not None
        seen = [len(players_in(event))]
        with changing(event) as s:
            register(s, "Ben", {}, "")
            seen.append(len(players_in(event)))
            register(s, "Cleo", {}, "")
        seen.append(len(players_in(event)))
    assert seen == [1, 2, 3]
