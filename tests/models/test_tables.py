"""What the database itself refuses, and how it keeps moments and choices."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import Session, SQLModel, select

from models.event import Event, Round
from models.play import ForceList, Game, Player
from tests.models.conftest import NOW

pytestmark = pytest.mark.both_databases


@pytest.fixture
def round_one(make_event: Callable[..., Event], make_round: Callable[..., Round]) -> Round:
    """Round 1 of an event."""
    return make_round(make_event())


@pytest.fixture
def four(round_one: Round, session: Session, make_player: Callable[..., Player]) -> list[int]:
    """The ids of four players of that event."""
    event = session.get_one(Event, round_one.event_id)
    return [make_player(event, name).id for name in ("Ada", "Bo", "Cy", "Di")]


def game(of: Round, a: int, b: int | None, table: int | None, **values: Any) -> Game:
    code = f"C{a}-{b}-{table}"
    return Game(**{"round_id": of.id, "a_id": a, "b_id": b, "table_number": table, "code": code, "notes": []} | values)


def refuses(session: Session, *rows: SQLModel) -> str:
    """The name of the constraint, or the words, with which the database refuses these rows."""
    session.add_all(rows)
    with pytest.raises(IntegrityError) as refused:
        session.commit()
    session.rollback()
    return str(refused.value.orig)


def test_a_round_of_games_and_a_bye_is_stored(session: Session, round_one: Round, four: list[int]) -> None:
    session.add_all([game(round_one, four[0], four[1], 1), game(round_one, four[2], None, None)])
    session.commit()


def test_nobody_plays_themself(session: Session, round_one: Round, four: list[int]) -> None:
    assert "two_players" in refuses(session, game(round_one, four[0], four[0], 1))


def test_nobody_plays_twice_in_a_round_on_the_same_side(session: Session, round_one: Round, four: list[int]) -> None:
    first = game(round_one, four[0], four[1], 1)
    assert "a_id" in refuses(session, first, game(round_one, four[0], four[2], 2))
    first = game(round_one, four[0], four[1], 1)
    assert "b_id" in refuses(session, first, game(round_one, four[2], four[1], 2))


def test_a_table_holds_one_game_of_a_round(session: Session, round_one: Round, four: list[int]) -> None:
    games = game(round_one, four[0], four[1], 1), game(round_one, four[2], four[3], 1)
    assert "table_number" in refuses(session, *games)


def test_a_bye_takes_no_table_and_a_game_needs_one(session: Session, round_one: Round, four: list[int]) -> None:
    assert "bye_has_no_table" in refuses(session, game(round_one, four[0], None, 1))
    assert "bye_has_no_table" in refuses(session, game(round_one, four[0], four[1], None))


def test_the_same_players_meet_again_in_another_round(
    session: Session, round_one: Round, four: list[int], make_round: Callable[..., Round]
) -> None:
    """The control: what is refused above is refused within one round alone."""
    again = make_round(session.get_one(Event, round_one.event_id), 2)
    session.add_all([game(round_one, four[0], four[1], 1), game(again, four[0], four[1], 1, code="again")])
    session.commit()


def test_a_round_stands_once_in_its_event(session: Session, round_one: Round, make_round: Callable[..., Round]) -> None:
    assert "number" in refuses(session, Round(event_id=round_one.event_id, number=1))
    assert "number_positive" in refuses(session, Round(event_id=round_one.event_id, number=0))


def test_a_name_stands_once_in_its_event(
    session: Session, make_event: Callable[..., Event], make_player: Callable[..., Player]
) -> None:
    event, other = make_event(), make_event(slug="closed")
    make_player(event, "Ada")
    make_player(other, "Ada")
    with pytest.raises(IntegrityError, match="name_key"):
        make_player(event, "ADA")
    session.rollback()


def test_a_player_has_one_force(session: Session, four: list[int]) -> None:
    forces = [ForceList(player_id=four[0], document={}, saved_at=NOW) for _ in range(2)]
    assert "player_id" in refuses(session, *forces)


def test_rows_have_their_parents(session: Session, round_one: Round, four: list[int]) -> None:
    assert "foreign key" in refuses(session, game(round_one, four[0], 987654, 1)).lower()
    session.add(game(round_one, four[0], four[1], 1))
    session.commit()
    session.delete(session.get_one(Player, four[0]))
    with pytest.raises(IntegrityError, match=r"(?i)foreign key"):
        session.commit()
    session.rollback()


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"size": 0}, "size_positive"),
        ({"rounds": 0}, "rounds_range"),
        ({"rounds": 21}, "rounds_range"),
        ({"places": 0}, "places_positive"),
        ({"tables": 0}, "tables_positive"),
        ({"ends_on": NOW.date() - timedelta(days=1)}, "ends_after_start"),
    ],
)
def test_an_event_that_cannot_be(
    session: Session, make_event: Callable[..., Event], values: dict[str, Any], name: str
) -> None:
    with pytest.raises(IntegrityError, match=name):
        make_event(**values)
    session.rollback()


def test_an_address_belongs_to_one_event(session: Session, make_event: Callable[..., Event]) -> None:
    make_event()
    with pytest.raises(IntegrityError, match="slug"):
        make_event()
    session.rollback()


def test_a_choice_is_stored_by_its_value(session: Session, make_event: Callable[..., Event]) -> None:
    make_event()
    row = session.connection().execute(text("SELECT state, avoid_clubs FROM event")).one()
    assert tuple(row) == ("draft", "first_round")


def test_the_database_knows_the_choices(session: Session, make_event: Callable[..., Event]) -> None:
    make_event()
    with pytest.raises(IntegrityError, match="ck_event_state"):
        session.connection().execute(text("UPDATE event SET state = 'DRAFT'"))
    session.rollback()


def test_a_moment_comes_back_in_utc(session: Session, make_event: Callable[..., Event]) -> None:
    noon_in_tokyo = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=9)))
    event = make_event(created_at=noon_in_tokyo)
    session.expire_all()
    assert event.created_at == noon_in_tokyo
    assert event.created_at.tzinfo is UTC
    assert event.created_at.hour == 3
    assert event.list_deadline is None


def test_moments_are_compared_as_moments(session: Session, make_event: Callable[..., Event]) -> None:
    """Compared as the text that was given, noon in Tokyo would come after four o'clock UTC."""
    make_event(created_at=datetime(2026, 11, 21, 12, 0, tzinfo=timezone(timedelta(hours=9))))
    before_four = select(Event.slug).where(Event.created_at < datetime(2026, 11, 21, 4, 0, tzinfo=UTC))
    assert session.exec(before_four).all() == ["open"]


def test_a_moment_without_its_zone_is_refused(session: Session, make_event: Callable[..., Event]) -> None:
    with pytest.raises(StatementError, match="without its zone"):
        make_event(created_at=datetime(2026, 11, 21, 12, 0))  # noqa: DTZ001 - the mistake itself
    session.rollback()
