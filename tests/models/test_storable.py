"""The last guard in front of either database: both refuse the same, before a statement goes out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlmodel import Session, col, select

from models.db import open_engine
from models.play import Player
from models.storable import Unstorable, is_storable

BAD = ["a\x00b", "\ud800", "x\udfff", math.nan, math.inf, -math.inf, 2**63, -(2**63) - 1, 10**4000]


@pytest.mark.proves("attack 40", "attack 41", "ASVS 1.3.3", "ASVS 1.4.2")
@pytest.mark.both_databases
def test_unstorable_values_are_not_sent(session: Session, database_url: str) -> None:
    for value in BAD:
        with pytest.raises(Unstorable):
            session.exec(select(Player).where(col(Player.name) == value)).all()
        with pytest.raises(Unstorable):
            session.connection().execute(text("SELECT :one"), [{"one": "fine"}, {"one": value}])
        session.rollback()
    engine = open_engine(database_url)
    with engine.connect() as connection, pytest.raises(Unstorable):  # from the moment it is opened
        connection.execute(text("SELECT :one"), {"one": "a\x00b"})
    engine.dispose()


@given(st.text() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63 - 1) | st.none())
def test_storable_values_are_sent(value: object) -> None:
    assert is_storable(value) or (isinstance(value, str) and "\x00" in value)
