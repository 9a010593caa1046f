"""Which errors of a database say that nothing was wrong but the moment: the same change may be made again at once."""

from sqlalchemy.exc import DBAPIError

SQLITE_AGAIN = frozenset({261, 517})
"""By SQLite's extended result codes: another process recovers the log after a crash; another wrote since we read."""
POSTGRES_AGAIN = frozenset({"40001", "40P01"})
"""By SQLSTATE: two transactions could not be put into an order; two waited for each other."""
LOST = frozenset({"08000", "08001", "08003", "08004", "08006", "57P01", "57P02", "57P03"})
"""The connection ended, or the server was about to; PostgreSQL undid whatever was not committed."""


def passes(error: DBAPIError) -> bool:
    """Whether the same may succeed at once. A lock that was waited for in vain is none of these: its time is over."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code in SQLITE_AGAIN
    state = getattr(error.orig, "sqlstate", None)
    return error.connection_invalidated or state in POSTGRES_AGAIN or state in LOST


def undoes(error: DBAPIError) -> bool:
    """Whether a database that says this of a commit has surely undone it."""
    return getattr(error.orig, "sqlstate", None) in POSTGRES_AGAIN
