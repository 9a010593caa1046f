"""Events in the test's database, changed by the same actions that the pages call."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from typing import Any, TypeVar

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, SQLModel, col, select

from events.accounts import actions as accounts_actions
from events.accounts.staff import adopt_orphaned_events
from events.lists import actions as lists_actions
from events.registration import actions as registration_actions
from events.results import actions as results_actions
from events.results import no_shows
from events.results.actions import Claim
from events.rounds import actions as rounds_actions
from events.rounds import drawing
from events.setup import actions as setup_actions
from events.standings import queries as standings_queries
from events.store.act import Act
from events.store.errors import Refused
from events.store.rounds import games_of
from events.tournament.ranking import Row
from events.web.parsing import name_key
from models.db import write
from models.event import Event, Round, RoundState
from models.journal import JournalEntry
from models.people import Account
from models.play import Absent, Game, GameState, Player, PlayerState, ReportSide
from models.staff import Role, Staff
from tests.conftest import Clock
from validators import SYSTEMS
from validators.contract import Document
from validators.scenario import Answers

Table = TypeVar("Table", bound=SQLModel)
Answer = TypeVar("Answer")
BY = "organiser Olga"
PASSWORD = "three words to remember"


@lru_cache
def hash_of(password: str) -> str:
    """The hash of a password, cached: it takes as long as two pages."""
    return accounts_actions.HASHER.hash(password)


class Stage:
    def __init__(self, engine: Engine, clock: Clock) -> None:
        self.engine = engine
        self.s = Session(engine)
        self.clock = clock

    @contextmanager
    def changing(self, event: Event | None = None, *, public: bool = True) -> Iterator[Session]:
        """One change as in a view, but without an actor, so that it cannot be undone."""
        with write(self.s, self.clock(), event, public=public) as s:
            yield s

    def do(self, event: Event, action: Callable[..., Answer], *arguments: Any, **named: Any) -> Answer:
        with self.changing(event) as s:
            return action(Act(s, event, BY, self.clock()), *arguments, **named)

    def refuse(self, words: str, event: Event, action: Callable[..., object], *arguments: Any, **named: Any) -> Refused:
        """Check that the organiser's action is refused, changes nothing, and has a message that matches ``words``."""
        return self.refuse_to(words, self.do, event, action, *arguments, **named)

    def refuse_to(self, words: str, act: Callable[..., object], *arguments: Any, **named: Any) -> Refused:
        """As ``refuse``, for another function, such as ``draw``."""
        with self.unchanged(), pytest.raises(Refused, match=words) as refused:
            act(*arguments, **named)
        return refused.value

    def set(self, event: Event, row: SQLModel | None = None, **values: Any) -> None:
        with self.changing(event):
            for name, value in values.items():
                setattr(row or event, name, value)

    def event(
        self, name: str = "Iron Open", *, draft: bool = False, game: str = "battle_mode", players: Sequence[str] = (),
        **changed: Any,
    ) -> Event:  # fmt: skip
        """Create an event of 3 rounds without a player limit, owned by every account; ``changed``: PlannedEvent."""
        with self.changing() as s:
            wanted = setup_actions.default_settings(
                SYSTEMS[game], name, "Town Hall", date(2026, 12, 5), "Europe/Berlin", self.clock()
            )
            assert changed.keys() <= type(wanted).model_fields.keys(), changed
            lists = {"edition": "2018-08"} if game == "battle_mode" else {}  # whose figures the tests know
            wanted = wanted.model_copy(update={"places": None} | lists | changed)
            if "rounds" in changed and "scenarios" not in changed:
                wanted = wanted.model_copy(update={"scenarios": ("",) * wanted.rounds})
            event = setup_actions.create_event(s, wanted, BY, self.clock())
            for account in s.exec(select(Account)):
                s.add(Staff(event_id=event.id, account_id=account.id, role=Role.OWNER, since=self.clock()))
        if not draft:
            self.do(event, setup_actions.open_registration)
        self.enter(event, *players)
        return event

    def enter(self, event: Event, *names: str, here: bool = True, club: str = "") -> list[Player]:
        if not names:
            return []
        with self.changing(event) as s:
            return [
                registration_actions.register(Act(s, event, BY, self.clock()), name, {"club": club}, "", here=here)
                for name in names
            ]

    def force(self, event: Event, player: Player, document: Document, *, submit: bool = True) -> None:
        with self.changing(event) as s:
            act = Act(s, event, f"player {player.name}", self.clock())
            lists_actions.save_force(act, player, document, by_organiser=False)
            if submit:
                lists_actions.submit_force(act, player)

    def draw(self, event: Event, number: int, seed: int = 1) -> list[Game]:
        self.do(event, drawing.draw_round, number, seed)
        return self.games(event, number)

    def publish(self, event: Event, number: int, seed: int = 1) -> list[Game]:
        self.draw(event, number, seed)
        self.do(event, rounds_actions.publish_round, number)
        return self.games(event, number)

    def decide(self, event: Event, game: Game, a: int, b: int) -> None:
        """Decide a game as the organiser, by the number of each player's objective markers, without other VP."""
        self.report(event, game, ReportSide.ORGANISER, {"a.objectives": a, "b.objectives": b}, version=game.version)

    def report(
        self, event: Event, game: Game, side: ReportSide, answers: Answers, *, version: int | None = None,
        sure: bool = True, by: str = BY, **claimed: Any,
    ) -> GameState:  # fmt: skip
        """Report a game with its stored version or ``version``; ``claimed`` are further fields of a Claim."""
        claim = Claim(side, answers, self.now(game).version if version is None else version, sure, **claimed)
        with self.changing(event) as s:
            return results_actions.report(Act(s, event, by, self.clock()), game, claim)

    def no_show(self, event: Event, game: Game, absent: Absent | None, version: int | None = None) -> None:
        """Set the absent player of a game with its stored version or ``version``; None: both are present."""
        with self.changing(event) as s:
            row = s.get_one(Game, game.id)
            seen = row.version if version is None else version
            no_shows.set_absent(Act(s, event, BY, self.clock()), row, absent, version=seen, reason="They left")

    def play(self, event: Event, number: int, strength: Mapping[int, int] | None = None, seed: int = 1) -> list[Game]:
        """Draw, publish and decide a round; without ``strength`` the player entered first wins 3 to 1."""
        for game in self.publish(event, number, seed):
            if game.b_id is not None:
                a, b = (strength[game.a_id], strength[game.b_id]) if strength else (-game.a_id, -game.b_id)
                self.decide(event, game, *((3, 1) if a > b else (1, 3) if b > a else (2, 2)))
        return self.games(event, number)

    def hire(self, event: Event, name: str, role: Role) -> Account:
        """Give an account a role at an event; creates the account if none has this name."""
        with self.changing(event) as s:
            account = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
            account = account or self._account(s, name)
            s.add(Staff(event_id=event.id, account_id=account.id, role=role, since=self.clock()))
        return account

    def hire_of(self, role: str) -> Account:
        return self.one(Account, name=f"The {role}")

    def set_up(self, name: str) -> Account:
        """Create an organiser of the club as a set-up link does, without opening pages."""
        with self.changing() as s:
            account = self._account(s, name, runs_club=True)
            adopt_orphaned_events(s, account, self.clock())
        return account

    def _account(self, s: Session, name: str, *, runs_club: bool = False) -> Account:
        account = Account(name=name, name_key=name_key(name), created_at=self.clock(), runs_club=runs_club,
                          password_hash=hash_of(PASSWORD), session_key=name)  # fmt: skip
        s.add(account)
        s.flush()  # makes its id, for a role
        return account

    def set_up_link(self) -> str:
        with self.changing() as s:
            return f"/set-up/{accounts_actions.make_set_up_link(s, self.clock())}"

    def password_link(self, name: str) -> str:
        with self.changing() as s:
            account = s.exec(select(Account).where(Account.name == name)).one()
            return f"/set-up/{accounts_actions.make_password_link(s, account, self.clock())}"

    def all(self, table: type[Table], **where: Any) -> Sequence[Table]:
        """The stored rows of a table with these values, oldest first."""
        self.s.rollback()
        conditions = [col(getattr(table, name)) == value for name, value in where.items()]
        return self.s.exec(select(table).where(*conditions).order_by(col(getattr(table, "id")))).all()  # noqa: B009

    def one(self, table: type[Table], **where: Any) -> Table:
        (row,) = self.all(table, **where)
        return row

    def now(self, row: Table) -> Table:
        self.s.rollback()
        self.s.refresh(row)
        return row

    def games(self, event: Event, number: int) -> list[Game]:
        """A round's games by table, the bye last."""
        (the_round,) = self.all(Round, event_id=event.id, number=number)
        return list(games_of(the_round))

    def name(self, player_id: int | None) -> str:
        return self.one(Player, id=player_id).name if player_id else ""

    def pairs(self, event: Event, number: int) -> list[tuple[str, str]]:
        return [(self.name(game.a_id), self.name(game.b_id)) for game in self.games(event, number)]

    def standings(self, event: Event, after: int | None = None) -> list[Row]:
        self.s.rollback()
        return standings_queries.standings_of(event).of_players(after)

    def journal(self, event: Event, verb: str = "") -> list[str]:
        """The journal's sentences, oldest first."""
        lines = self.all(JournalEntry, event_id=event.id)
        return [line.text for line in lines if verb in ("", line.verb)]

    def stored_rows(self) -> list[str]:
        self.s.rollback()
        tables = SQLModel.metadata.sorted_tables
        return [f"{table.name} {tuple(row)}" for table in tables for row in self.s.connection().execute(table.select())]

    def digest(self, *, leave_out: str = "") -> str:
        """A digest of all stored rows except those of the table ``leave_out``."""
        self.s.rollback()
        marks = hashlib.sha256()
        for table in (
            sorted_table for sorted_table in SQLModel.metadata.sorted_tables if sorted_table.name != leave_out
        ):
            for row in self.s.connection().execute(table.select().order_by(*table.primary_key.columns)):
                marks.update(repr((table.name, tuple(row))).encode())
        self.s.rollback()
        return marks.hexdigest()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        before = self.digest()
        yield
        assert self.digest() == before


__all__ = [
    "BY", "Absent", "Clock", "Event", "Game", "GameState", "Player", "PlayerState", "ReportSide", "Role", "Round",
    "RoundState", "Stage",
]  # fmt: skip
