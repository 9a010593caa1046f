"""A walk over the states of a small event: from each of them the buttons that pages offer lead to its end."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random

import pytest

from models.event import EventState
from tests.kinds.moments import Moment
from tests.kit.odd_life import Life, Somebody, offers_of, players_of
from tests.kit.person import Person
from tests.kit.truths import games_of, rounds_of
from tests.lives.conftest import Begin, Copies, Copy

WAY = 40
"""The most next steps from a state to the end; they are tried three times, because fields are filled in by lot."""


@dataclass(frozen=True)
class State:
    """A copy of the database, with the clock, the people and the story of that moment."""

    file: Copy
    now: datetime
    people: dict[str, Somebody]
    story: tuple[str, ...]


@dataclass
class Walk:
    """The states that presses reach, breadth first; ``ending`` are those from which next steps lead to the end."""

    life: Life
    copies: Copies
    wide: bool
    """Press also what is offered on each page that first pages link to."""
    known: set[str] = field(default_factory=set)
    ending: set[str] = field(default_factory=set)
    queue: deque[State] = field(default_factory=deque)

    def dead_ends(self, presses: int) -> list[str]:
        """The stories of the states that do not lead to the end, among those that this many presses reach."""
        stuck = []
        self.meet()
        while self.queue:
            moment = self.queue.popleft()
            if not any(self.ends(moment, number) for number in range(3)):
                stuck.append("\n".join(self.life.story))
            self.restore(moment)
            for name, address, label in self.offers() if presses > 0 else ():
                self.restore(moment)
                who = self.life.people[name]
                self.life.dice = Random(1)
                self.life.press(who, offers_of(who.person.open(address))[label][0])
                self.meet()
                presses -= 1
        return stuck

    def ends(self, moment: State, number: int) -> bool:
        """Press what the desk names as the next step until the event is over, or in a state that leads there."""
        self.restore(moment)
        self.life.dice = Random(number)
        way = [self.meet()]
        while len(way) < WAY and self.life.event.state != EventState.FINISHED and way[-1] not in self.ending:
            self.life.next_step()
            way.append(self.meet())
        self.ending |= {*way} if len(way) < WAY else set()
        return len(way) < WAY

    def meet(self) -> str:
        """The state of the event's players, rounds and games, without names; a new one is kept for the walk."""
        life = self.life
        life.stage.s.rollback()
        rounds = rounds_of(life)
        games = [(row.state, sorted((game.state, str(game.absent)) for game in games_of(life, row))) for row in rounds]
        players = sorted(player.state for player in players_of(life))
        state = repr((life.event.state, life.event.cancelled_at is None, players, games))
        if state not in self.known:
            self.known.add(state)
            people = {name: replace(who) for name, who in life.people.items()}
            self.queue.append(State(self.copies.keep(), life.stage.clock.now, people, tuple(life.story)))
        return state

    def offers(self) -> list[tuple[str, str, str]]:
        """What people are offered: name, address and label; each label once."""
        found: dict[str, tuple[str, str, str]] = {}
        for name, who in self.life.people.items():
            first = self.life.first_page(who)
            for address in [who.home, *(self.life.links if self.wide else self.life.ways)(first)]:
                for label in offers_of(who.person.open(address)):
                    found.setdefault(label, (name, address, label))
        return [*found.values()]

    def restore(self, moment: State) -> None:
        """Go back to a kept state."""
        self.copies.put(moment.file)
        self.life.stage.clock.now, self.life.story = moment.now, [*moment.story]
        self.life.people = {name: replace(who) for name, who in moment.people.items()}
        for who in self.life.people.values():
            if not who.at_desk and who.player is None:
                who.person = Person(self.life.app)  # who may have signed up since


@pytest.fixture
def dead_ends(begin: Begin, copies: Copies) -> Callable[..., list[str]]:
    def walk(name: str, *, presses: int, wide: bool) -> list[str]:
        return Walk(begin(name, Moment.BEFORE_LOCK, Random(1)), copies, wide).dead_ends(presses)

    return walk


@pytest.mark.sweep
def test_every_state_of_a_small_event_leads_to_its_end(dead_ends: Callable[..., list[str]]) -> None:
    assert dead_ends("small", presses=12, wide=False) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["small", "draft", "Swiss with a cut"])
def test_every_state_leads_to_the_end_at_length(dead_ends: Callable[..., list[str]], name: str) -> None:
    assert dead_ends(name, presses=3000, wide=True) == []
