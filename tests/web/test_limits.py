"""The security code's limits as documented, so that no edit changes one by accident."""

from datetime import timedelta
from types import ModuleType

from events import rooms
from events.accounts import actions as accounts_actions
from events.accounts import attempts, loading
from events.accounts import queries as accounts_queries
from events.accounts.actions import Limit
from events.lists import locks
from events.lists.edition_files import MOST_SENT
from events.play import parsing
from events.registration import actions as registration_actions
from events.setup.archive_file import MOST_BYTES
from events.setup.covers import MOST_SENT as MOST_SENT_PICTURE
from events.web import forms as web_forms
from events.web import http, idempotency
from models import db, storable
from service import lock

QUARTER = timedelta(minutes=15)
LIMITS: dict[ModuleType, dict[str, object]] = {
    db: {
        "BUSY_SECONDS": 5, "POOL_SIZE": 20, "SOUND": (3, 51, 3),
        "TCP_TIMEOUTS": {"connect_timeout": 2, "tcp_user_timeout": 5_000, "keepalives_idle": 10,
                         "keepalives_interval": 2, "keepalives_count": 3},
    },
    lock: {"KEY": 1_331_057_478},  # the same in every version
    storable: {"LARGEST": 9_223_372_036_854_775_807},
    parsing: {"LARGEST": 2_147_483_647, "MOST_MARKS": 8},
    loading: {"LONGEST_ID": 2_147_483_647, "MOST_ROUNDS": 1000},
    web_forms: {"FIRST_YEAR": 2000, "LAST_YEAR": 2200},
    accounts_queries: {"STAFF_LASTS": timedelta(days=30), "PLAYER_LASTS": timedelta(days=180)},
    locks: {"SITTING": QUARTER},
    accounts_actions: {
        "ATTEMPTS": 1_331_057_473, "KEPT": QUARTER, "LINK_LASTS": timedelta(hours=1), "LASTS": timedelta(days=7),
        "BY_NAME": Limit("name", 10, QUARTER), "BY_BROWSER": Limit("browser", 10, QUARTER),
        "BY_ADDRESS": Limit("client", 60, QUARTER), "BY_NAME_AND_ADDRESS": Limit("both", 3, QUARTER),
        "CODES": Limit("code", 60, QUARTER), "SIGN_UPS": Limit("sign-up", 90, timedelta(minutes=5)),
        "SIGN_UPS_BY_BROWSER": Limit("phone", 5, timedelta(minutes=10)),
        "CALLS": Limit("call", 6, QUARTER), "LOST_LINKS": Limit("lost link", 20, QUARTER),
        "STEP": 30, "DRIFT": 1, "SPARE_CODES": 8, "SPARE_LENGTH": 16,
    },
    registration_actions: {"LEAST_WAITING": 20},
    attempts: {"A_YEAR": 31_536_000, "LEAST": 10, "FEWEST": 5, "LEFT": 4},
    http: {"RETRY_AFTER": 5, "LIMITS": {"visitors": 1, "players": 4, "lists": 8, "staff": 2}, "STAFF_WAIT": 10.0},
    rooms: {"LARGEST_REQUESTS": {"edition.add": MOST_SENT, "look.look": MOST_SENT_PICTURE + 10_000,
                    "setup.import_archive": MOST_BYTES + 100_000, "publish.verify_page": 510_000}},
}  # fmt: skip


def test_limits_are_as_documented() -> None:
    found = {module: {name: getattr(module, name) for name in limits} for module, limits in LIMITS.items()}
    assert found == LIMITS
    hasher = accounts_actions.HASHER
    assert (hasher.time_cost, hasher.memory_cost, hasher.parallelism) == (2, 19 * 1024, 1)
    assert set(idempotency.PERMANENT_ERRORS) == {404, 405, 413}
