"""What the database itself refuses, its rules written down a second time, and how it keeps times."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Engine, inspect
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import Session, SQLModel, select

from models.event import Event, Round
from models.play import Game, Player
from tests.models.rows import NOW, event_row, player_row, stored

pytestmark = pytest.mark.both_databases

ONCE = {
    "account_mail": ["account_id"], "api_token": ["token_hash"],
    "award_pick": ["award_id, faction, player_id"], "campaign_step": ["event_id, number"],
    "code_use": ["player_id"], "contact": ["player_id"],
    "delivery": ["message_id, player_id"], "device": ["player_id, endpoint"],
    "dispatch": ["delivery_id", "player_id, occasion, about"],
    "ended_sign_in": ["sign_in"], "event": ["slug"], "fielded_force": ["game_id, player_id"],
    "force_list": ["player_id"],
    "game": ["code", "round_id, a_id", "round_id, b_id", "round_id, table_number"],
    "invitation": ["token_hash"],
    "kept_answer": ["event_id, who, key"], "kept_apart": ["a_id, b_id"],
    "mail_change": ["key", "player_id"], "message": ["event_id, key"],
    "notice_off": ["player_id, occasion"], "organiser": ["name_key"],
    "own_edition": ["system, edition"], "own_entry": ["player_id"], "own_scenario": ["system, slug"],
    "painting_vote": ["voter_id"], "passkey": ["credential"],
    "player": ["event_id, name_key"],
    "round": ["event_id, number"], "round_draw": ["round_id"], "set_up_link": ["token_hash"],
    "sports_mark": ["giver_id, round_number"],
    "staff": ["event_id, account_id"], "staff_sign_in": ["sign_in"],
    "team": ["event_id, name_key"], "team_match": ["round_id, a_id", "round_id, b_id", "round_id, block"],
}  # fmt: skip
"""Of which columns no two rows of a table have the same."""
NEVER = {
    "api_token": "role",
    "award": "kind place_range",
    "campaign_step": "number_positive rolled_once",
    "dispatch": "kind occasion queued_has_its_time state",
    "erasure": "open_as_nothing",
    "event": "asked_bye avoid_clubs boards bye_vp_counted conceded_vp cut_range ends_after_start format "
    "late_points_counted legs_range lists_in_play lists_shown not_played places_positive repeats report_detail "
    "rounds_range sign_up_by size_positive state tables_positive team_size_range vp_cap_positive",
    "game": "absent absent_from_game asked_is_bye awarded awarded_by_judge bye_has_no_table ending ending_of_game "
    "goes_through state two_players",
    "invitation": "role",
    "join_code": "uses_positive",
    "kept_apart": "lower_id_first when",
    "notice_off": "occasion",
    "painting_vote": "not_for_oneself",
    "passkey": "one_owner",
    "payment": "reference_given",
    "person": "not_into_itself",
    "player": "fixed_table_positive state",
    "report": "awarded awarded_by_judge ending side",
    "round": "kind knockout_has_bracket number_positive state",
    "row_change": "kind",
    "ruling": "card lost_game_has_round points_range vp_range",
    "sports_mark": "mark_range not_for_oneself",
    "staff": "role",
    "team_match": "bye_has_no_block two_teams",
    "team_ruling": "gives_something points_range vp_range",
    "webhook": "kind",
}


def test_database_enforces_every_unique_rule_and_check(engine: Engine) -> None:
    found = inspect(engine)
    once = {
        table: sorted(", ".join(name for name in rule["column_names"] if name) for rule in rules)
        for table in found.get_table_names()
        if (rules := found.get_unique_constraints(table))
    }
    never = {
        table: " ".join(sorted(str(check["name"]).removeprefix(f"ck_{table}_") for check in checks))
        for table in found.get_table_names()
        if (checks := found.get_check_constraints(table))
    }
    assert (once, never) == (ONCE, NEVER)


def game(of: Round, a: int, b: int | None, table: int | None) -> Game:
    return Game(round_id=of.id, a_id=a, b_id=b, table_number=table, code=f"{of.id}-{a}-{b}", notes=[])


def refused(session: Session, *rows: SQLModel) -> str:
    """The name of the constraint, or the words, with which the database refuses these rows."""
    session.add_all(rows)
    with pytest.raises(IntegrityError) as failed:
        session.commit()
    session.rollback()
    return str(failed.value.orig)


def test_impossible_games_are_rejected(session: Session) -> None:
    event = stored(session, event_row())
    first, again = (stored(session, Round(event_id=event.id, number=number)) for number in (1, 2))
    ada, bo, cy, di = (stored(session, player_row(event, name)).id for name in ("Ada", "Bo", "Cy", "Di"))
    for games, name in (
        ([(ada, ada, 1)], "two_players"),
        ([(ada, bo, 1), (ada, cy, 2)], "a_id"),
        ([(ada, bo, 1), (cy, bo, 2)], "b_id"),
        ([(ada, bo, 1), (cy, di, 1)], "table_number"),
        ([(ada, None, 1)], "bye_has_no_table"),
        ([(ada, bo, None)], "bye_has_no_table"),
        ([(ada, 987654, 1)], "foreign key"),
    ):
        assert name in refused(session, *(game(first, *row) for row in games)).lower(), games
    assert "number_positive" in refused(session, Round(event_id=event.id, number=0))
    session.add_all([game(first, ada, bo, 1), game(first, cy, None, None), game(again, ada, bo, 1)])
    session.commit()
    session.delete(session.get_one(Player, ada))
    assert "foreign key" in refused(session).lower(), "a player with games"


def test_impossible_events_are_rejected(session: Session) -> None:
    """Values that a second event may not have, and the constraint that forbids them."""
    stored(session, event_row())
    for values, name in (
        ({"size": 0}, "size_positive"),
        ({"rounds": 0}, "rounds_range"),
        ({"rounds": 21}, "rounds_range"),
        ({"places": 0}, "places_positive"),
        ({"tables": 0}, "tables_positive"),
        ({"ends_on": NOW.date() - timedelta(days=1)}, "ends_after_start"),
        ({}, "slug"),
    ):
        with pytest.raises(IntegrityError, match=name):
            stored(session, event_row(**values if "slug" in name else values | {"slug": "another"}))
        session.rollback()


def test_moments_are_read_and_compared_in_utc(session: Session) -> None:
    """Compared as text, noon in Tokyo would come after four o'clock UTC."""
    noon_in_tokyo = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=9)))
    event = stored(session, event_row(created_at=noon_in_tokyo))
    session.expire_all()
    assert (event.created_at, event.created_at.tzinfo, event.created_at.hour) == (noon_in_tokyo, UTC, 3)
    before_four = select(Event.slug).where(Event.created_at < datetime(2026, 11, 21, 4, 0, tzinfo=UTC))
    assert session.exec(before_four).all() == ["iron-open"]
    with pytest.raises(StatementError, match="without its zone"):
        stored(session, event_row(slug="naive", created_at=datetime(2026, 11, 21)))  # noqa: DTZ001 - the mistake itself
    session.rollback()
