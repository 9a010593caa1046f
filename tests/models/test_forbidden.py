"""The database's own rules, written down a second time: a rule that is lost from a model and its migration is found."""

import pytest
from sqlalchemy import Engine, inspect

pytestmark = pytest.mark.both_databases

ONCE = {
    "award_pick": ["award_id, faction, player_id"],
    "campaign_step": ["event_id, number"],
    "contact": ["player_id"],
    "cover": ["event_id"],
    "delivery": ["message_id, player_id"],
    "device": ["player_id, endpoint"],
    "ended_sign_in": ["sign_in"],
    "event": ["slug"],
    "fielded_force": ["game_id, player_id"],
    "force_list": ["player_id"],
    "game": ["code", "round_id, a_id", "round_id, b_id", "round_id, table_number"],
    "invitation": ["token_hash"],
    "kept_answer": ["event_id, who, key"],
    "kept_apart": ["a_id, b_id"],
    "mail_change": ["key", "player_id"],
    "meeting": ["event_id"],
    "message": ["event_id, key"],
    "notice": ["player_id, occasion, about"],
    "notice_off": ["player_id, occasion"],
    "organiser": ["name_key"],
    "own_edition": ["system, edition"],
    "own_scenario": ["system, slug"],
    "painting_mark": ["player_id"],
    "painting_vote": ["voter_id"],
    "player": ["event_id, name_key"],
    "round": ["event_id, number"],
    "set_up_link": ["token_hash"],
    "sports_mark": ["giver_id, round_number"],
    "staff": ["event_id, account_id"],
    "team": ["event_id, name_key"],
    "team_match": ["round_id, a_id", "round_id, b_id", "round_id, block"],
}
"""Of which columns no two rows of a table have the same."""
NEVER = {
    "award": "kind place_range",
    "campaign_step": "number_positive rolled_once",
    "delivery": "mail queued_has_its_time",
    "event": "asked_bye avoid_clubs boards bye_vp_counted conceded_vp cut_range ends_after_start format "
    "late_points_counted legs_range lists_in_play lists_shown not_played places_positive report_detail rounds_range "
    "size_positive state tables_positive team_size_range vp_cap_positive",
    "game": "absent absent_from_game asked_is_bye awarded awarded_by_judge bye_has_no_table ending ending_of_game "
    "goes_through state two_players",
    "invitation": "role",
    "kept_apart": "lower_id_first when",
    "notice": "occasion queued_has_its_time state",
    "notice_off": "occasion",
    "painting_vote": "not_for_oneself",
    "player": "fixed_table_positive state",
    "report": "awarded awarded_by_judge ending side",
    "round": "kind knockout_has_bracket number_positive state",
    "row_change": "kind",
    "ruling": "card lost_game_has_round points_range vp_range",
    "sheet_reading": "ending",
    "sports_mark": "mark_range not_for_oneself",
    "staff": "role",
    "team_match": "bye_has_no_block two_teams",
    "team_ruling": "gives_something points_range vp_range",
}
"""By table, the names of what must hold for each of its rows."""


def test_database_enforces_every_unique_rule(engine: Engine) -> None:
    found = inspect(engine)
    tables = {table: found.get_unique_constraints(table) for table in found.get_table_names()}
    assert {
        table: sorted(", ".join(name for name in one["column_names"] if name) for one in rules)
        for table, rules in tables.items()
        if rules
    } == ONCE


def test_database_enforces_every_check(engine: Engine) -> None:
    found = inspect(engine)
    tables = {table: found.get_check_constraints(table) for table in found.get_table_names()}
    assert {
        table: " ".join(sorted(str(one["name"]).removeprefix(f"ck_{table}_") for one in rules))
        for table, rules in tables.items()
        if rules
    } == NEVER
