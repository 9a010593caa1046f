"""A walk over the states of a small event: from each of them the buttons that pages offer lead to its end."""

import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from events.play.rounds import round_views
from models.event import EventState
from tests.kit.odd_life import Life, Somebody, offers_of
from tests.kit.person import Person
from tests.kit.truths import players_of
from tests.lives.conftest import Begin, Reset

WAY = 40
"""The most next steps from a state to the end; they are tried three times, because fields are filled in by lot."""


@dataclass(frozen=True)
class Moment:
    """A copy of the database, with the clock, the people and the story of that moment."""

    file: Path
    now: datetime
    people: dict[str, Somebody]
    story: tuple[str, ...]


@dataclass
class Walk:
    """The states that presses reach, breadth first; ``ending`` are those from which next steps lead to the end."""

    life: Life
    reset: Reset
    database: Path
    folder: Path
    wide: bool
    """Press also what is offered on each page that first pages link to."""
    known: set[str] = field(default_factory=set)
    ending: set[str] = field(default_factory=set)
    queue: deque[Moment] = field(default_factory=deque)

    def dead_ends(self, presses: int) -> list[str]:
        """The stories of the states that do not lead to the end, among those that this many presses reach."""
        stuck = []
        self.meet()
        while self.queue:
            moment = self.queue.popleft()
            if not any(self.ends(moment, Random(number)) for number in range(3)):
                stuck.append("\n".join(self.life.story))
            self.restore(moment)
            for name, address, label in self.offers() if presses > 0 else ():
                self.restore(moment)
                who = self.life.people[name]
                self.life.press(who, offers_of(who.person.open(address))[label][0], Random(1))
                self.meet()
                presses -= 1
        return stuck

    def ends(self, moment: Moment, dice: Random) -> bool:
        """Press what the desk names as the next step until the event is over, or in a state that leads there."""
        self.restore(moment)
        way = [self.meet()]
        while len(way) < WAY and self.life.event.state != EventState.FINISHED and way[-1] not in self.ending:
            self.life.next_step(dice)
            way.append(self.meet())
        self.ending |= {*way} if len(way) < WAY else set()
        return len(way) < WAY

    def meet(self) -> str:
        """The state of the event's players, rounds and games, without names; a new one is kept for the walk."""
        life = self.life
        life.stage.s.rollback()
        views = round_views(life.stage.s, life.event)
        games = [(view.round.state, sorted((game.state, str(game.absent)) for game in view.games)) for view in views]
        players = sorted(player.state for player in players_of(life))
        state = repr((life.event.state, life.event.cancelled_at is None, players, games))
        if state not in self.known:
            self.known.add(state)
            people = {name: replace(who) for name, who in life.people.items()}
            file = self.folder / f"state {len(self.known)}"
            with closing(sqlite3.connect(self.database)) as here, closing(sqlite3.connect(file)) as copy:
                here.backup(copy)
            self.queue.append(Moment(file, life.stage.clock.now, people, tuple(life.story)))
        return state

    def offers(self) -> list[tuple[str, str, str]]:
        """What people are offered: name, address and label; each label once."""
        found: dict[str, tuple[str, str, str]] = {}
        for name, who in self.life.people.items():
            first = who.person.open(who.home)
            for address in [who.home, *(self.life.links if self.wide else self.life.ways)(first)]:
                for label in offers_of(who.person.open(address)):
                    found.setdefault(label, (name, address, label))
        return [*found.values()]

    def restore(self, moment: Moment) -> None:
        """Go back to a kept state."""
        self.reset(moment.file)
        self.life.stage.clock.now, self.life.story = moment.now, [*moment.story]
        self.life.people = {name: replace(who) for name, who in moment.people.items()}
        for who in self.life.people.values():
            if not who.at_desk and who.player is None:
                who.person = Person(self.life.app)  # who may have signed up since


@pytest.fixture
def dead_ends(begin: Begin, reset: Reset, sqlite_file: Path, tmp_path: Path) -> Callable[..., list[str]]:
    def walk(scene: str, *, presses: int, wide: bool) -> list[str]:
        return Walk(begin(scene), reset, sqlite_file, tmp_path, wide).dead_ends(presses)

    return walk


def test_every_state_of_a_small_event_leads_to_its_end(dead_ends: Callable[..., list[str]]) -> None:
    assert dead_ends("small", presses=12, wide=False) == []


@pytest.mark.long
@pytest.mark.parametrize("scene", ["small", "draft", "cut"])
def test_every_state_leads_to_the_end_at_length(dead_ends: Callable[..., list[str]], scene: str) -> None:
    assert dead_ends(scene, presses=3000, wide=True) == []
