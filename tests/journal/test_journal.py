"""A line of the journal: stored with the write it tells of, cut to what its columns hold, refused past the door."""

import pytest

from events.play.journal import note
from models.journal import JournalEntry
from tests.kit.stage import BY, Stage


@pytest.mark.both_databases
def test_a_line_that_is_too_long_is_cut_and_not_refused(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        note(s, event, "o" * 200, stage.clock(), "do", "t" * 900, said="d" * 900)
    line = stage.one(JournalEntry, verb="do")
    assert (line.actor, line.text, line.details) == ("o" * 120, "t" * 500, {"said": "d" * 900})


def test_nothing_is_told_where_nothing_is_written(stage: Stage) -> None:
    event = stage.event()
    with pytest.raises(KeyError):
        note(stage.s, event, BY, stage.clock(), "do", "Did it")
