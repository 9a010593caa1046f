"""The list of all columns that can hold personal data: it has every column, and says of each what the code does."""

import re

import pytest
from sqlalchemy import JSON, Enum, LargeBinary, String
from sqlmodel import AutoString, SQLModel

from events.registration.neutral import BY
from events.registration.removal import GO_WITH_PLAYER
from events.registration.retention import OTHERS
from models.base import Document
from models.captured import columns_of, followed
from models.facts import fact_of
from tests.kit.promises import ROOT

LIST = ROOT / "docs" / "assurance" / "personal_data.md"
ROW = re.compile(r"^\| `(\w+)` \| ([\w, ]+) \| (\w+) \|$", re.MULTILINE)
UNFOLLOWED_WORDS = {"change_set.actor", "journal_entry.actor", "journal_entry.text", "journal_entry.details",
                    "journal_value.packed", "row_change.before", "row_change.after"}  # fmt: skip
"""Columns of the journal, which an erasure rewrites."""
ACTORS = {
    "announcement.by", "award_pick.by", "judge_call.closed_by", "judge_call.taken_by", "list_seal.by", "message.by",
    "report.by", "ruling.by", "ruling.taken_back_by", "team_ruling.by", "team_ruling.taken_back_by",
}  # fmt: skip
"""Columns that say who did it, which an erasure knows by their name and reads as such."""


def listed() -> dict[str, str]:
    rows = [
        (f"{table}.{name}", goes) for table, names, goes in ROW.findall(LIST.read_text()) for name in names.split(", ")
    ]
    assert len(dict(rows)) == len(rows), "a column is there twice"
    return dict(rows)


@pytest.mark.proves("attack 102")
def test_every_column_of_text_is_in_the_list() -> None:
    columns = {
        str(column) for table in SQLModel.metadata.sorted_tables for column in table.columns
        if isinstance(column.type, String | AutoString | JSON | Document | LargeBinary)
        and not isinstance(column.type, Enum)
    }  # fmt: skip
    assert sorted(columns - listed().keys()) == [], f"say in {LIST.name} how what it says of a person goes"
    assert sorted(listed().keys() - columns) == []


def test_list_says_what_the_code_does() -> None:
    goes = listed()
    facts = {
        str(c): fact_of(c).goes
        for table in followed()
        if table.name != "event"
        for c in table.columns
        if not c.primary_key
    }
    assert {name: how for name, how in goes.items() if facts.get(name, how) != how} == {}
    searched = {str(column) for table in followed() for column in columns_of(table)} | UNFOLLOWED_WORDS
    assert {name for name, how in goes.items() if how == "words"} <= searched, (
        "only what the journal keeps is rewritten"
    )
    assert {name for name in searched if name.split(".")[1] in BY} == ACTORS, "another text needs another name"
    of_player = {name for name, how in goes.items() if how == "player"}
    assert {name.split(".")[0] for name in of_player} <= GO_WITH_PLAYER | {"player"}
    of_day = {model.__tablename__ for model in OTHERS}
    assert {name.split(".")[0] for name, how in goes.items() if how == "day"} == of_day
    assert {goes[f"player.{name}"] for name in ("secret", "session_key")} == {"nothing"}
