"""The tools of the harnesses: a broken build is one as long as its block lasts."""

import importlib
import sys

import pytest
from wtforms import Form

from events.rooms import BLUEPRINTS
from models import db
from tests.chaos.broken import BUILDS, OURS, build


def as_it_is() -> dict[tuple[str, str], int]:
    """What every module of ours names, and how forms are checked: which object each is."""
    assert BLUEPRINTS, "with them all views are loaded"
    modules = {name: module for name, module in sys.modules.items() if name.startswith(OURS)}
    found = {(module, name): id(value) for module, held in modules.items() for name, value in vars(held).items()}
    return found | {("wtforms", "validate"): id(Form.validate)}


@pytest.mark.parametrize("name", BUILDS)
def test_a_broken_build_is_whole_again_afterwards(name: str) -> None:
    importlib.import_module("app")
    ours = as_it_is()
    with build(name):
        assert as_it_is() != ours
    assert as_it_is() == ours


def test_the_sound_build_is_ours() -> None:
    ours = db.write
    with build(None):
        assert db.write is ours
