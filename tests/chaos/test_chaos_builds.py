"""The tools of the harnesses: a broken build is one as long as its block lasts."""

import importlib

import pytest
from wtforms import Form

from events import access_lists
from events.actions import kept_answers
from models import db
from tests.chaos.broken import BUILDS, build


def taken_by_name() -> list[object]:
    """The door and the keys of presses, where views took them by name, and who may read a list."""
    request, pressed_once = (importlib.import_module(f"events.views.{name}") for name in ("request", "pressed_once"))
    doors = [db.write, request.write, kept_answers.answer_before, pressed_once.answer_before]
    return [*doors, access_lists.may_see_force, Form.validate]


@pytest.mark.parametrize("name", BUILDS)
def test_a_broken_build_is_whole_again_afterwards(name: str) -> None:
    ours = taken_by_name()
    with build(name):
        assert taken_by_name() != ours
    assert taken_by_name() == ours


def test_the_sound_build_is_ours() -> None:
    ours = db.write
    with build(None):
        assert db.write is ours
