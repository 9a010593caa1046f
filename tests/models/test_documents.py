"""Columns that hold a value: what is stored, and what is read."""

from typing import Any

import pytest
from sqlmodel import Session, text

from events.tournament.points_table import PointsTable, Step
from events.tournament.season import Season
from events.tournament.soft_rules import Painting, SoftRules
from models.base import Document
from models.event import Event
from tests.kit.stage import Stage
from validators.restrictions import Restrictions

STORED: dict[str, tuple[Any, Any]] = {
    "season": (Season(days=7), {"days": 7, "best": None, "kind": "rounds", "above": 2, "answer_days": 7}),
    "points_table": (
        PointsTable((Step(2, 11, 9), Step(None, 20, 0)), 10, 14),
        {"steps": [[2, 11, 9], [None, 20, 0]], "draw": 10, "bye": 14},
    ),
    "restrictions": (Restrictions(banned=("Piper",)), {"banned": ["Piper"]}),
}


def column(name: str) -> Document:
    kind = Event.__table__.columns[name].type  # type: ignore[attr-defined]
    assert isinstance(kind, Document)
    return kind


@pytest.mark.parametrize("name", STORED)
@pytest.mark.both_databases
def test_value_is_stored_as_its_document_and_read_back(stage: Stage, session: Session, name: str) -> None:
    value, document = STORED[name]
    event = stage.event()
    usual = getattr(event, name)
    stage.set(event, **{name: value})
    assert getattr(stage.now(event), name) == value
    assert (column(name).written(value), column(name).read_strictly(document)) == (document, value)
    stage.set(event, **{name: usual})
    assert getattr(stage.now(event), name) == usual
    assert session.exec(text(f"SELECT CAST({name} AS TEXT) FROM event")).scalar() in (None, "null")  # type: ignore[call-overload]  # noqa: S608


def test_fields_that_a_document_lacks_have_their_defaults() -> None:
    assert column("season").read({"days": 0}) == {"days": 0}, "its other pages still open"
    assert column("soft_rules").read({"painting": "vote", "items": {}}) == SoftRules(painting=Painting.VOTE)


@pytest.mark.parametrize("wrong", [{"days": "7"}, {"days": 7.0}, {"days": 0}, {"days": 7, "weeks": 1}, [7], 7])
def test_strict_reading_refuses_what_the_program_would_not_store(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        column("season").read_strictly(wrong)
