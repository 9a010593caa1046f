"""What people do at an event, one press each, from a state in which it can be done: to be broken off, or interleaved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session, col, select

from events.outcomes import PLAYED_OUT
from events.views.game_desk import mark_of
from models.db import open_engine
from models.event import Event, Round, RoundState
from models.play import Game, GameState, Player, PlayerState, Report
from tests.actions.stage import Stage
from tests.chaos.hall import Browser, browser_of, player_browser, staff_browser
from tests.conftest import Clock

PLAYERS = 6
STATES = ("entered", "drawn", "published", "reported", "confirmed")
LONG_AGO = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Scene:
    """An event of six, as far as it is prepared: whoever sits at its first table, and one who sits elsewhere."""

    slug: str
    olga: Browser
    a: Browser
    b: Browser
    ids: Mapping[str, int]
    """Of the ``game``, of its players ``a`` and ``b``, and of the ``other`` player."""
    seen: str
    """What the desk's page of a confirmed game says that a correction was looked at with."""


def prepared(url: str, state: str) -> Scene:
    """Bring a migrated database without rows to one of STATES."""
    engine = open_engine(url)
    stage = Stage(engine, Clock(LONG_AGO))
    upto = STATES.index(state)
    try:
        olga = staff_browser(stage.set_up("Olga"))
        event = stage.event(scenarios=("hold-the-line", "", ""), list_deadline=None, places=PLAYERS + 1)
        people = stage.enter(event, *(f"Player {n}" for n in range(1, PLAYERS + 1)))
        ids = {"a": people[0].id, "b": people[1].id, "other": people[2].id, "game": 0}
        seen = ""
        if upto >= STATES.index("drawn"):
            stage.draw(event, 1)
        if upto >= STATES.index("published"):
            with stage.changing(event) as s:
                rounds.publish_round(s, event, 1, "Olga", LONG_AGO)
            game = stage.games(event, 1)[0]
            rest = next(p.id for p in people if p.id not in (game.a_id, game.b_id))
            ids = {"a": game.a_id, "b": game.b_id or 0, "other": rest, "game": game.id}
        for side in (ReportSide.A, ReportSide.B)[: max(0, upto - STATES.index("published"))]:
            with stage.changing(event) as s:
                answers = {"a.objectives": 3, "b.objectives": 1}
                results.report(
                    s, event, game, side, answers, version=game.version, sure=True, by=side.value, now=LONG_AGO
                )
        if state == "confirmed":
            seen = mark_of(stage.now(game), CORRECTED, PLAYED_OUT)
        browsers = {id_: player_browser(stage.one(Player, id=id_)) for id_ in (ids["a"], ids["b"])}
        return Scene(event.slug, olga, browsers[ids["a"]], browsers[ids["b"]], ids, seen)
    finally:
        stage.s.close()
        engine.dispose()
