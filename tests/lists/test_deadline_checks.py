"""Which deadlines can be set, and of which moment a list is sealed."""

from datetime import UTC, date, datetime, timedelta

import pytest

from events.lists.locks import check_deadline, check_still_ahead, sealed_at
from events.play.errors import Refused
from models.play import ForceList
from tests.kit.visitors import an_event

NOW = datetime(2026, 12, 4, 19, tzinfo=UTC)
LAST_DAY = date(2026, 12, 5)
TICK = timedelta(microseconds=1)


def test_deadline_is_ahead_and_not_after_the_last_day_of_the_event() -> None:
    after = datetime(2026, 12, 5, 23, tzinfo=UTC)  # midnight in Berlin
    for allowed in (None, NOW + TICK, after - TICK):
        check_deadline(allowed, "Europe/Berlin", LAST_DAY, NOW)
    check_deadline(after, "UTC", LAST_DAY, NOW)
    for passed in (NOW, NOW - TICK):
        with pytest.raises(Refused, match="must be in the future") as refused:
            check_deadline(passed, "Europe/Berlin", LAST_DAY, NOW, "deadline")
        assert refused.value.field == "deadline"
    with pytest.raises(Refused, match="last day, 5 December 2026") as refused:
        check_deadline(after, "Europe/Berlin", LAST_DAY, NOW)
    assert refused.value.field == "list_deadline"


def test_draft_opens_only_if_its_deadline_is_ahead() -> None:
    check_still_ahead(an_event(), NOW)
    check_still_ahead(an_event(due=NOW + TICK), NOW)
    for passed in (NOW, NOW - TICK):
        with pytest.raises(Refused, match="has passed already"):
            check_still_ahead(an_event(due=passed), NOW)


@pytest.mark.proves("F15")
def test_list_is_sealed_at_the_deadline_unless_changed_after_it() -> None:
    early, now = NOW - timedelta(days=1), NOW + timedelta(hours=1)
    for field in ("saved_at", "submitted_at", "sent_back_at"):
        for moment, sealed in ((early, NOW), (NOW, NOW), (NOW + TICK, now)):
            force = ForceList(player_id=1, document={}, saved_at=early)
            setattr(force, field, moment)
            assert sealed_at(force, NOW, now) == sealed, field
