"""Which deadlines can be set, and of which moment a list is sealed: to the minute, on either side."""

from datetime import UTC, date, datetime, timedelta

import pytest

from events.lists.locks import check_deadline, check_still_ahead, sealed_at
from events.play.errors import Refused
from models.play import ForceList
from tests.accounts.test_access import an_event

NOW = datetime(2026, 12, 4, 19, tzinfo=UTC)
LAST_DAY = date(2026, 12, 5)
TICK = timedelta(microseconds=1)


def test_a_deadline_lies_ahead_and_not_after_the_last_day_where_the_event_is() -> None:
    check_deadline(None, "Europe/Berlin", LAST_DAY, NOW)
    check_deadline(NOW + TICK, "Europe/Berlin", LAST_DAY, NOW)
    check_deadline(datetime(2026, 12, 5, 22, 59, 59, tzinfo=UTC), "Europe/Berlin", LAST_DAY, NOW)
    for passed in (NOW, NOW - TICK):
        with pytest.raises(Refused, match="must lie ahead") as told:
            check_deadline(passed, "Europe/Berlin", LAST_DAY, NOW, "deadline")
        assert told.value.field == "deadline"
    with pytest.raises(Refused, match="last day, 5 December 2026") as told:
        check_deadline(datetime(2026, 12, 5, 23, tzinfo=UTC), "Europe/Berlin", LAST_DAY, NOW)
    assert told.value.field == "list_deadline"
    check_deadline(datetime(2026, 12, 5, 23, tzinfo=UTC), "UTC", LAST_DAY, NOW)


def test_a_draft_opens_while_its_deadline_lies_ahead_or_there_is_none() -> None:
    check_still_ahead(an_event(), NOW)
    check_still_ahead(an_event(due=NOW + TICK), NOW)
    for passed in (NOW, NOW - TICK):
        with pytest.raises(Refused, match="has passed already"):
            check_still_ahead(an_event(due=passed), NOW)


@pytest.mark.proves("F15")
@pytest.mark.parametrize("touched", ["saved_at", "submitted_at", "sent_back_at"])
def test_a_list_is_sealed_as_of_the_deadline_unless_it_was_touched_after_it(touched: str) -> None:
    early, now = NOW - timedelta(days=1), NOW + timedelta(hours=1)
    for moment, sealed in ((early, NOW), (NOW, NOW), (NOW + TICK, now)):
        force = ForceList(player_id=1, document={}, saved_at=early)
        setattr(force, touched, moment)
        assert sealed_at(force, NOW, now) == sealed
