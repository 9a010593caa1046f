"""What tables are made of: choices by their value, the mark of a write, moments in UTC."""

import re
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

import pytest
from sqlalchemy.dialects import sqlite

from models.base import UTCDateTime, choice, new_stamp


class Colour(StrEnum):
    """As a table has it."""

    DARK_RED = "dark red"


def test_a_choice_is_stored_by_value_and_checked_by_the_database() -> None:
    made = choice(Colour, "colour")
    assert (made.enums, made.name, made.length) == (["dark red"], "colour", 24)
    assert made.create_constraint and not made.native_enum


def test_stamps_have_twelve_characters_and_differ() -> None:
    marks = {new_stamp() for _ in range(20)}
    assert len(marks) == 20
    assert all(re.fullmatch("[0-9a-f]{12}", mark) for mark in marks)


def test_moments_are_stored_in_utc_and_need_a_zone() -> None:
    column, kind = UTCDateTime(), sqlite.dialect()
    noon = datetime(2026, 12, 5, 12, tzinfo=timezone(timedelta(hours=1)))
    stored = column.process_bind_param(noon, kind)
    assert stored is not None and (stored, stored.tzinfo) == (noon, UTC)
    with pytest.raises(ValueError, match="without its zone"):
        column.process_bind_param(noon.replace(tzinfo=None), kind)
    for read in (noon, noon.astimezone(UTC).replace(tzinfo=None)):
        found = column.process_result_value(read, kind)
        assert found is not None and (found, found.tzinfo) == (noon, UTC)
    assert column.process_bind_param(None, kind) is column.process_result_value(None, kind) is None
