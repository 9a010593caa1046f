"""Which errors of a database say that the same may be made again, and which that nothing was stored."""

import pytest
from sqlalchemy.exc import DBAPIError

from models.again import passes, undoes


class OfADriver(Exception):
    """An error as the driver of either database raises it."""

    def __init__(self, **codes: object) -> None:
        super().__init__("told by the database")
        self.__dict__.update(codes)


def error(*, ended: bool = False, **codes: object) -> DBAPIError:
    return DBAPIError("UPDATE", {}, OfADriver(**codes), connection_invalidated=ended)


@pytest.mark.proves("F10")
@pytest.mark.parametrize("code", [261, 517])
def test_of_sqlite_s_errors_those_of_a_moment_pass(code: int) -> None:
    assert passes(error(sqlite_errorcode=code))


@pytest.mark.parametrize("code", [5, 6, 13, 19, 262, 518, 0])
def test_a_lock_that_was_waited_for_in_vain_and_all_else_of_sqlite_s_do_not(code: int) -> None:
    assert not passes(error(sqlite_errorcode=code))
    assert not passes(error(sqlite_errorcode=code, sqlstate="40001")), "each is asked in its own words"


@pytest.mark.proves("F9", "F10")
@pytest.mark.parametrize(
    ("state", "undone"),
    [("40001", True), ("40P01", True), ("08000", False), ("08001", False), ("08003", False), ("08004", False),
     ("08006", False), ("57P01", False), ("57P02", False), ("57P03", False)],
)  # fmt: skip
def test_of_postgresql_s_errors_those_of_a_moment_and_of_a_connection_pass(state: str, undone: bool) -> None:
    assert passes(error(sqlstate=state))
    assert undoes(error(sqlstate=state)) is undone


@pytest.mark.parametrize("state", ["55P03", "23505", "53100", None])
def test_all_else_of_postgresql_s_does_not_but_where_the_connection_ended(state: str | None) -> None:
    assert not passes(error(sqlstate=state))
    assert passes(error(sqlstate=state, ended=True))
    assert not undoes(error(sqlstate=state, ended=True)), "nobody knows what became of a commit"


def test_an_error_without_any_code_passes_only_where_the_connection_ended() -> None:
    assert not passes(error()) and not undoes(error())
    assert passes(error(ended=True))
