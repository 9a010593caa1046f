"""Events in formats other than Swiss, created and played by the actions."""

from collections.abc import Sequence
from typing import Any

from events.registration import leaving
from events.rounds import actions as rounds_actions
from events.rounds import formats
from events.setup.pairing_actions import set_format
from events.store.tournaments import load
from models.event import Event
from models.play import Game, Player
from models.settings import EventFormat
from tests.kit.stage import Stage

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo")


def formed(stage: Stage, *names: str, of: Event | None = None, rounds: int = 3, **wanted: Any) -> Event:
    """An event (``of``, or a new one) of this format with these players; ``wanted`` are columns of its format."""
    event = of or stage.event(rounds=rounds)
    stage.do(event, set_format, **wanted)
    stage.enter(event, *names)
    return event


def knockout_of(stage: Stage, players: int, **wanted: Any) -> Event:
    return formed(stage, *NAMES[:players], format=EventFormat.KNOCKOUT, **wanted)


def league(stage: Stage, players: int) -> Event:
    return formed(stage, *NAMES[:players], format=EventFormat.ROUND_ROBIN)


def cut_event(stage: Stage, size: int, *, entered: int = 8, swiss: int = 1, **wanted: Any) -> Event:
    event = formed(stage, *NAMES[:entered], rounds=swiss, cut=size, **wanted)
    for number in range(1, swiss + 1):
        stage.play(event, number)
    return event


def cut_mark(stage: Stage, event: Event) -> str:
    stage.s.rollback()
    return formats.cut_now(load(event)).mark


def cut(stage: Stage, event: Event, seed: int = 1) -> list[Game]:
    drawn = stage.do(event, rounds_actions.make_cut, cut_mark(stage, event), seed)
    return stage.games(event, drawn.number)


def publish(stage: Stage, event: Event, number: int) -> list[Game]:
    stage.do(event, rounds_actions.publish_round, number)
    return stage.games(event, number)


def decide_all(stage: Stage, event: Event, games: Sequence[Game]) -> None:
    """Decide each game: the player entered first wins 3 to 1."""
    for game in games:
        if game.b_id is not None:
            stage.decide(event, game, *((3, 1) if game.a_id < game.b_id else (1, 3)))


def drop(stage: Stage, event: Event, name: str) -> None:
    stage.do(event, leaving.drop, stage.one(Player, event_id=event.id, name=name))
