"""The figures of the safety code, once more: whoever moves one says so here, and in the documents that tell it."""

from datetime import timedelta
from types import ModuleType

import pytest

import app
from events.accounts import actions as accounts_actions
from events.accounts import attempts, loading, passwords
from events.accounts import queries as accounts_queries
from events.accounts.actions import Limit
from events.lists import locks
from events.lists.edition_files import MOST_SENT
from events.play import parsing
from events.play.visitor import Right, allows
from events.registration import actions as registration_actions
from events.setup.archive_file import MOST_BYTES
from events.web import forms as web_forms
from events.web import heavy, idempotency
from models import db, storable
from models.staff import Role
from service import lock

FIGURES: list[tuple[ModuleType, str, object]] = [
    (db, "BUSY_SECONDS", 5),
    (db, "POOL_SIZE", 20),
    (lock, "KEY", 1_331_057_478),  # the same in every version
    (db, "SOUND", (3, 51, 3)),
    (
        db, "TCP_TIMEOUTS",
        {"connect_timeout": 2, "tcp_user_timeout": 5_000, "keepalives_idle": 10, "keepalives_interval": 2,
         "keepalives_count": 3},
    ),
    (storable, "LARGEST", 9_223_372_036_854_775_807),
    (parsing, "LARGEST", 2_147_483_647),
    (parsing, "MOST_MARKS", 8),
    (loading, "LONGEST_ID", 2_147_483_647),
    (loading, "MOST_ROUNDS", 1000),
    (web_forms, "FIRST_YEAR", 2000),
    (web_forms, "LAST_YEAR", 2200),
    (accounts_queries, "STAFF_LASTS", timedelta(days=30)),
    (accounts_queries, "PLAYER_LASTS", timedelta(days=180)),
    (passwords, "LEAST", 10),
    (passwords, "FEWEST", 5),
    (passwords, "LEFT", 4),
    (locks, "SITTING", timedelta(minutes=15)),
    (accounts_actions, "ATTEMPTS", 1_331_057_473),
    (accounts_actions, "BY_NAME", Limit("name", 10, timedelta(minutes=15))),
    (accounts_actions, "BY_BROWSER", Limit("browser", 10, timedelta(minutes=15))),
    (accounts_actions, "BY_ADDRESS", Limit("client", 60, timedelta(minutes=15))),
    (accounts_actions, "BY_NAME_AND_ADDRESS", Limit("both", 3, timedelta(minutes=15))),
    (accounts_actions, "CODES", Limit("code", 60, timedelta(minutes=15))),
    (accounts_actions, "SIGN_UPS", Limit("sign-up", 90, timedelta(minutes=5))),
    (accounts_actions, "SIGN_UPS_BY_BROWSER", Limit("phone", 5, timedelta(minutes=10))),
    (accounts_actions, "KEPT", timedelta(minutes=15)),
    (registration_actions, "LEAST_WAITING", 20),
    (attempts, "A_YEAR", 31_536_000),
    (accounts_actions, "STEP", 30),
    (accounts_actions, "DRIFT", 1),
    (accounts_actions, "SPARE_CODES", 8),
    (accounts_actions, "SPARE_LENGTH", 16),
    (accounts_actions, "LINK_LASTS", timedelta(hours=1)),
    (accounts_actions, "LASTS", timedelta(days=7)),
    (heavy, "RETRY_AFTER", 5),
    (heavy, "LIMITS", {"visitors": 1, "players": 4, "lists": 8, "staff": 2}),
    (heavy, "STAFF_WAIT", 10.0),
    (app, "BYTES", {"edition.add": MOST_SENT, "setup.import_archive": MOST_BYTES + 100_000,
                    "publish.verify_page": 510_000}),
]  # fmt: skip


@pytest.mark.parametrize(("where", "name", "figure"), FIGURES, ids=lambda one: one if isinstance(one, str) else "")
def test_a_limit_is_what_it_is_told_to_be(where: ModuleType, name: str, figure: object) -> None:
    assert getattr(where, name) == figure


ROLES = dict(zip("wojslc", Role, strict=True))
"""w owner, o organiser, j judge, s scorekeeper, l list checker, c check-in."""
RIGHTS = {
    "see_desk": "wojslc", "see_players": "wojslc", "see_rounds": "wojs", "print": "wojsc", "check_in": "woc",
    "mark_paid": "woc", "see_private_links": "wo", "change_players": "wo", "read_lists": "wojl", "check_lists": "wol",
    "change_lists": "wo", "enter_results": "wojs", "decide": "woj", "judge_painting": "woj", "give_penalties": "woj",
    "give_cards": "woj", "award": "wo", "run_clock": "woj", "announce": "wo", "message": "wo", "read_journal": "woj",
    "pair": "wo", "undo": "wo", "change_settings": "wo", "manage_staff": "w", "archive": "w", "go_back": "w",
    "take_pack": "wo",
}  # fmt: skip


@pytest.mark.parametrize("right", Right, ids=lambda right: right.value)
def test_a_right_is_of_these_roles_and_of_no_other(right: Right) -> None:
    assert {role for role in Role if allows(role, right)} == {ROLES[letter] for letter in RIGHTS[right.value]}
    assert not allows(None, right)


def test_passwords_are_hashed_as_dearly_as_it_is_told() -> None:
    hasher = accounts_actions.HASHER
    assert (hasher.time_cost, hasher.memory_cost, hasher.parallelism) == (2, 19 * 1024, 1)


def test_what_is_never_stored_however_often_it_is_sent() -> None:
    assert set(idempotency.PERMANENT_ERRORS) == {404, 405, 413}
