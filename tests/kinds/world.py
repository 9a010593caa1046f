"""Events of each kind at each moment, as copies of a database; and one of them with the browsers of its people."""

import logging
import shutil
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask, session
from flask_wtf.csrf import generate_csrf
from werkzeug.test import TestResponse

from events.results.disputes import bounds_of
from events.store.games import scenario_in
from events.store.roles import roles_answered
from events.visitors.queries import new_sign_in, player_key
from models.event import Event, Round, RoundState
from models.people import Account
from models.play import Game, GameState, Player
from models.staff import Role
from models.team import Team
from service.commands.demo import possible_answers
from tests.conftest import Clock
from tests.kinds.moments import Desk, Kind, Moment, Scene, moments, opened, simple_answers
from tests.kit.person import Page, Person

PEOPLE = ("visitor", "player", "scorekeeper", "organiser")
ACCOUNTS = {"scorekeeper": "Sam", "organiser": "Olga"}


class Fault(AssertionError):
    """Something that must hold does not."""


@dataclass
class States:
    """Events that were played once, by kind and moment."""

    app: Flask
    desk: Desk
    clock: Clock
    database: Path
    """The file that the pages and the desk read."""
    empty: Path
    """A migrated database without rows."""
    folder: Path
    scenes: dict[tuple[str, Moment], Scene] = field(default_factory=dict)

    def put(self, file: Path) -> None:
        """Put a copied database in the place of the present one. Engines stay: their statements are compiled."""
        self.desk.s.close()
        self.release()
        for old in self.database.parent.iterdir():
            old.unlink()
        shutil.copy(file, self.database)

    def release(self) -> None:
        """Close every connection, which empties the database's log into its file."""
        self.desk.s.rollback()
        for engine in (self.desk.engine, self.app.extensions["overseer_engine"]):
            engine.dispose()

    def moments(self, kind: Kind) -> list[Moment]:
        """The moments of a kind, whose event is played now if it was not before."""
        if not any(name == kind.name for name, _ in self.scenes):
            self._play(kind)
        return [moment for name, moment in self.scenes if name == kind.name]

    def _play(self, kind: Kind) -> None:
        self.put(self.empty)
        began = self.clock.now
        self.desk.set_up("Olga")
        event = opened(self.desk, kind)
        self.desk.hire(event, "Sam", Role.SCOREKEEPER)
        for moment in moments(self.desk, kind, event, self.answers_to(kind, event)):
            self.scenes[kind.name, moment] = Scene(self._kept(f"{kind.name}, {moment}"), self.clock.now)
        self.clock.now = began

    def answers_to(self, kind: Kind, event: Event) -> Callable[[Game, bool], dict[str, Any]]:
        """The answers of a report, by its game and whether player A should win."""
        return simple_answers(kind) or self._possible(event)

    def _possible(self, event: Event) -> Callable[[Game, bool], dict[str, Any]]:
        """Made-up answers to the questions of a game's scenario."""

        def answers(game: Game, a_wins: bool) -> dict[str, Any]:
            s = self.desk.s
            scenario = scenario_in(s, event, s.get_one(Round, game.round_id), game)
            assert scenario is not None
            bounds = bounds_of(s, event, game, scenario)
            return possible_answers(event, scenario, Random(game.id), bounds, roles_answered(scenario, game))

        return answers

    @cached_property
    def staffed(self) -> Path:
        """A database with the staff and no event."""
        self.put(self.empty)
        self.desk.set_up("Olga")
        with self.desk.changing():
            self.desk._account(self.desk.s, "Sam")
        return self._kept("staffed")

    def _kept(self, name: str) -> Path:
        """A copy of the present database."""
        self.release()
        return Path(shutil.copy(self.database, self.folder / f"{name}.sqlite3"))

    @contextmanager
    def enter(self, kind: Kind, moment: Moment, *, second: bool = False) -> "Iterator[World]":
        """A new copy of the event at this moment. ``second``: changes are about player B of a game."""
        self.moments(kind)
        scene = self.scenes[kind.name, moment]
        self.put(scene.file)
        began, self.clock.now = self.clock.now, scene.now
        yield World(self, self.desk, kind, moment, self.desk.one(Event).id, second=second)
        self.clock.now = began

    def browser(self, world: "World", name: str) -> Person:
        """The browser of one of PEOPLE, signed in, with a token for forms."""
        person = Person(self.app)
        with person.http.session_transaction() as held:
            held["csrf_token"] = self.form_token[0]
            if name == "player":
                hero = world.hero
                held["players"] = {str(world.event_id): new_sign_in(hero.id, player_key(hero), self.clock())}
            elif name in ACCOUNTS:
                account = self.desk.one(Account, name=ACCOUNTS[name])
                held["organiser"] = new_sign_in(account.id, account.session_key, self.clock())
        return person

    @cached_property
    def form_token(self) -> tuple[str, str]:
        """What a browser holds, and the token that its forms send."""
        with self.app.test_request_context("/"):
            token = generate_csrf()
            return str(session["csrf_token"]), token


@dataclass
class World:
    """One event."""

    states: States
    desk: Desk
    kind: Kind
    moment: Moment
    event_id: int
    people: dict[str, Person] = field(default_factory=dict)
    """The browsers that are open, by name."""
    second: bool = False
    """Whether changes are about player B of a game."""
    answers: list[TestResponse] = field(default_factory=list)
    """To the forms that were sent."""

    @property
    def event(self) -> Event:
        self.desk.s.rollback()
        return self.desk.s.get_one(Event, self.event_id)

    @property
    def at(self) -> str:
        return f"/e/{self.event.slug}"

    @property
    def organiser(self) -> Person:
        return self.person("organiser")

    def person(self, name: str) -> Person:
        """The browser of one of PEOPLE."""
        if name not in self.people:
            self.people[name] = self.states.browser(self, name)
        return self.people[name]

    def players(self) -> Sequence[Player]:
        return self.desk.all(Player, event_id=self.event_id)

    def rounds(self, *states: RoundState) -> list[Round]:
        return [row for row in self.desk.all(Round, event_id=self.event_id) if not states or row.state in states]

    def published(self) -> list[Round]:
        return self.rounds(RoundState.PUBLISHED)

    def games(self, a_round: Round) -> list[Game]:
        """The games of a round between two players."""
        return [game for game in self.desk.all(Game, round_id=a_round.id) if game.b_id is not None]

    @property
    def newest(self) -> Round:
        """The newest published round."""
        return self.published()[-1]

    @property
    def is_playing(self) -> bool:
        """Whether a published round has an open game, or captains who still choose."""
        return any(not self.games(row) or any(map(_is_open, self.games(row))) for row in self.published())

    @property
    def game(self) -> Game:
        """The game that changes: an open one of the newest published round, else its last; in a season of any round."""
        games = [game for row in self.published() for game in self.games(row)]
        of_newest = [game for game in games if game.round_id == self.newest.id]
        some = games if self.kind.at_once else of_newest or games
        return next(filter(_is_open, some), some[-1])

    @property
    def hero(self) -> Player:
        """The player that a change is about: of this game, sometimes player A and sometimes B."""
        if not any(self.games(row) for row in self.published()):
            return self.players()[-1]
        ids = (self.game.a_id, self.game.b_id)
        return self.desk.one(Player, id=ids[self.second])

    @property
    def decided(self) -> list[Game]:
        """The games with a result, in the order of rounds."""
        games = [game for row in self.published() for game in self.games(row)]
        return [game for game in games if game.state == GameState.CONFIRMED and game.absent is None]

    @property
    def team(self) -> Team:
        """The hero's team."""
        return self.desk.one(Team, id=self.hero.team_id)

    def refusal(self) -> str:
        """What the organiser reads after the last form, if nothing was stored."""
        page = Page(self.answers[-1])
        words = [page.part(".errors"), *(part.get_text(" ") for part in page.soup.select("main .error"))]
        return (
            " ".join([*words, self.organiser.open(f"{self.at}/desk/staff").flashes]).strip() or page.part("main")[:300]
        )

    def elsewhere(self) -> None:
        """From here on, pages are those of another club: a database with the same staff and no event."""
        self.states.put(self.states.staffed)
        self.people.clear()

    def arrive(self) -> None:
        """Look at the only event of the database, as its staff and a player of it."""
        self.event_id = self.desk.one(Event).id
        self.desk.hire(self.event, "Sam", Role.SCOREKEEPER)
        self.people.clear()

    def answers_to(self, game: Game) -> dict[str, Any]:
        """The answers of a report of this game, which player A wins."""
        return self.states.answers_to(self.kind, self.event)(game, True)

    def draft_codes(self) -> list[str]:
        """The codes on the sheets of drawn rounds that are not published."""
        return [game.code for row in self.rounds(RoundState.DRAWN) for game in self.games(row)]

    def send(self, path: str, *, by: str = "organiser", **fields: Any) -> TestResponse:
        """Send a form to an address below the event's, without following the answer."""
        return self.send_to(f"{self.at}{path}", by=by, **fields)

    def send_to(self, address: str, *, by: str = "organiser", **fields: Any) -> TestResponse:
        """Send a form to an address, without following the answer. Raises Fault for an error."""
        data = fields | {"csrf_token": self.states.form_token[1]}
        answer = self.person(by).http.post(address, data=data, buffered=True)
        if answer.status_code >= 500:
            raise Fault(f"POST {address}: {answer.status_code}")
        self.answers.append(answer)
        return answer


class Errors(logging.Handler):
    """Keeps the last lines of each exception that becomes an error page."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        if record.exc_info:
            self.lines.append("".join(traceback.format_exception(*record.exc_info)[-3:]))


def _is_open(game: Game) -> bool:
    return game.state != GameState.CONFIRMED
