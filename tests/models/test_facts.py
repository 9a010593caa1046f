"""The facts of columns: none is forgotten, and none says what has no effect."""

from functools import cache

import pytest
from sqlalchemy import Column, Enum, Integer, MetaData, String, Table
from sqlmodel import AutoString

from models.captured import followed
from models.facts import KEY, Fact, ReadBy, Text, fact_of, facts_of

PARTLY_RESTORED = ("event", "team", "player")


@cache
def facts() -> dict[tuple[Table, str], Fact]:
    """The facts of all columns of events, by table and name."""
    return {(table, name): fact for table in followed() for name, fact in facts_of(table).items()}


def named(*columns: tuple[Table, str]) -> list[str]:
    return [f"{table.name}.{name}" for table, name in columns]


def test_every_column_of_an_events_tables_has_a_fact() -> None:
    columns = [column for table in followed() for column in table.columns if not column.primary_key]
    assert [str(column) for column in columns if KEY not in column.info] == [], "declare it with column(Fact(…))"


def test_column_without_a_fact_is_named() -> None:
    table = Table("badge", MetaData(), Column("colour", Integer))
    with pytest.raises(LookupError, match=r"badge\.colour has no fact: declare it with column\(Fact\(…\)\)"):
        fact_of(table.columns["colour"])


def test_each_column_of_events_teams_and_players_says_what_a_step_back_does() -> None:
    of_those = {key: fact for key, fact in facts().items() if key[0].name in PARTLY_RESTORED}
    assert named(*(key for key, fact in of_those.items() if (fact.back is not None) != fact.journal)) == []
    others = [key for key, fact in facts().items() if fact.back is not None and key not in of_those]
    assert named(*others) == ["game.version"], "of other tables, a step back restores all other columns"


def test_each_text_of_events_teams_and_players_says_how_it_is_cleaned() -> None:
    texts = [
        (table, name) for table, name in facts()
        if isinstance(kind := table.columns[name].type, String | AutoString) and not isinstance(kind, Enum)
    ]  # fmt: skip
    of_forms = [key for key in texts if key[0].name in PARTLY_RESTORED and facts()[key].archived]
    assert named(*(key for key in of_forms if facts()[key].text is None)) == []
    assert named(*(key for key, fact in facts().items() if fact.text is not None and key not in texts)) == []


def test_what_sign_up_asks_is_a_line_of_a_player_with_a_label() -> None:
    asked = {key: fact for key, fact in facts().items() if fact.asked}
    wrong = [
        key for key, fact in asked.items() if key[0].name != "player" or fact.text != Text.LINE or not fact.label
    ]  # fmt: skip
    assert named(*wrong) == []


def test_journal_shows_no_column_that_it_omits_or_nobody_reads() -> None:
    hidden = [key for key, fact in facts().items() if not fact.journal or fact.read_by == ReadBy.NOBODY]
    assert named(*(key for key in hidden if facts()[key].label)) == []


def test_each_choice_with_words_has_words_for_all() -> None:
    worded = {key: fact.choices for key, fact in facts().items() if fact.choices}
    for (table, name), words in worded.items():
        kind = table.columns[name].type
        others = {bool: {"True", "False"}, int: {"1", "2"}}.get(kind.python_type, {*words})  # a text also has others
        assert set(words) == (set(kind.enums) if isinstance(kind, Enum) else others), name


def test_head_begins_with_a_capital_letter() -> None:
    assert [Fact(label).head for label in ("club", "private link, how often", "A", "")] == [
        "Club", "Private link, how often", "A", "",
    ]  # fmt: skip
