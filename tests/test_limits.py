"""The figures of the safety code, once more: whoever moves one says so here, and in the documents that tell it."""

from datetime import timedelta
from types import ModuleType

import pytest

import app
from events import passwords, service_lock, sign_ins, typed
from events.actions import locks, organisers, second_factor, sign_ups, staff, tries
from events.actions.tries import Limit
from events.archive_file import MOST_BYTES
from events.edition_upload import MOST_SENT
from events.roles import Right, allows
from events.views import fields, request
from events.views import tries as tries_of_pages
from events.web import heavy, idempotency
from models import db, storable
from models.staff import Role

FIGURES: list[tuple[ModuleType, str, object]] = [
    (db, "BUSY_SECONDS", 5),
    (db, "POOL_SIZE", 20),
    (service_lock, "KEY", 1_331_057_478),  # the same in every version
    (db, "SOUND", (3, 51, 3)),
    (
        db, "TCP_TIMEOUTS",
        {"connect_timeout": 2, "tcp_user_timeout": 5_000, "keepalives_idle": 10, "keepalives_interval": 2,
         "keepalives_count": 3},
    ),
    (storable, "LARGEST", 9_223_372_036_854_775_807),
    (typed, "LARGEST", 2_147_483_647),
    (typed, "MOST_MARKS", 8),
    (request, "LONGEST_ID", 2_147_483_647),
    (request, "MOST_ROUNDS", 1000),
    (fields, "FIRST_YEAR", 2000),
    (fields, "LAST_YEAR", 2200),
    (sign_ins, "STAFF_LASTS", timedelta(days=30)),
    (sign_ins, "PLAYER_LASTS", timedelta(days=180)),
    (passwords, "LEAST", 10),
    (passwords, "FEWEST", 5),
    (passwords, "LEFT", 4),
    (locks, "SITTING", timedelta(minutes=15)),
    (tries, "ATTEMPTS", 1_331_057_473),
    (tries, "BY_NAME", Limit("name", 10, timedelta(minutes=15))),
    (tries, "BY_BROWSER", Limit("browser", 10, timedelta(minutes=15))),
    (tries, "BY_ADDRESS", Limit("client", 60, timedelta(minutes=15))),
    (tries, "BY_NAME_AND_ADDRESS", Limit("both", 3, timedelta(minutes=15))),
    (tries, "CODES", Limit("code", 60, timedelta(minutes=15))),
    (tries, "SIGN_UPS", Limit("sign-up", 90, timedelta(minutes=5))),
    (tries, "SIGN_UPS_BY_BROWSER", Limit("phone", 5, timedelta(minutes=10))),
    (tries, "KEPT", timedelta(minutes=15)),
    (sign_ups, "LEAST_WAITING", 20),
    (tries_of_pages, "A_YEAR", 31_536_000),
    (second_factor, "STEP", 30),
    (second_factor, "DRIFT", 1),
    (second_factor, "SPARE_CODES", 8),
    (second_factor, "SPARE_LENGTH", 16),
    (organisers, "LINK_LASTS", timedelta(hours=1)),
    (staff, "LASTS", timedelta(days=7)),
    (heavy, "RETRY_AFTER", 5),
    (heavy, "LIMITS", {"visitors": 1, "players": 4, "lists": 8, "staff": 2}),
    (heavy, "STAFF_WAIT", 10.0),
    (app, "BYTES", {"edition_desk.add": MOST_SENT, "archives.take_in": MOST_BYTES + 100_000, "verify.page": 510_000}),
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
    hasher = organisers.HASHER
    assert (hasher.time_cost, hasher.memory_cost, hasher.parallelism) == (2, 19 * 1024, 1)


def test_what_is_never_stored_however_often_it_is_sent() -> None:
    assert set(idempotency.PERMANENT_ERRORS) == {404, 405, 413}
