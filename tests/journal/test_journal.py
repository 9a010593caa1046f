"""Journal entries: stored with their write, cut to the length of their columns, refused outside a write."""

import pytest

from events.play.journal import note
from models.journal import JournalEntry
from tests.kit.stage import BY, Stage


@pytest.mark.both_databases
def test_long_entry_is_cut_to_its_columns(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        note(s, event, "o" * 200, stage.clock(), "do", "t" * 900, said="d" * 900)
    entry = stage.one(JournalEntry, verb="do")
    assert (entry.actor, entry.text, entry.details) == ("o" * 120, "t" * 500, {"said": "d" * 900})


def test_entry_outside_a_write_is_refused(stage: Stage) -> None:
    event = stage.event()
    with pytest.raises(KeyError):
        note(stage.s, event, BY, stage.clock(), "do", "Did it")
