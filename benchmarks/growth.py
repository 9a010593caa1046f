"""How pages and draws grow. Run: ``python -m benchmarks.growth [500 2000 5000]``, from the checkout.

For each number of players, an event without lists is made in a temporary folder: two rounds are drawn, published and
played, a third is drawn and published. Printed are the processor seconds and statements of each page, and the power of
the number of players with which the seconds grow from the first number to the last: 1 is in proportion. The club's
ranking has a benchmark of its own (``benchmarks.ratings``).
"""

import gc
import math
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine

import migrations
from app import create_app
from events.results import actions as results_actions
from events.results.actions import Claim
from events.rounds import actions as rounds_actions
from events.store.act import Act
from events.visitors.queries import new_sign_in, player_key
from events.web.parsing import name_key
from models.db import open_engine
from models.event import Event
from models.play import Player, PlayerState, ReportSide
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.stage import Stage
from tests.kit.statements import sent

ROUNDS = 3
PAGES = {
    "visitor": (
        "/e/big", "/e/big/standings", "/e/big/rounds/2", "/e/big/hall", "/e/big/standings.pdf",
        "/e/big/rounds/2/pairings.pdf", "/api/v1/events/big/standings", "/api/v1/events/big/players",
    ),
    "player": ("/e/big/me", "/e/big/version"),
    "staff": (
        "/e/big/desk", "/e/big/desk/players", "/e/big/desk/rounds/2", "/e/big/desk/journal",
        "/e/big/desk/archive.json",
    ),
}  # fmt: skip
Result = TypeVar("Result")
Costs = dict[str, tuple[float, int]]
"""The processor seconds and the number of statements, by what was done."""


def measure(costs: Costs, name: str, engine: Engine, work: Callable[[], Result]) -> Result:
    """Do it without collecting garbage, which the service does between requests."""
    gc.collect()
    gc.disable()
    began = time.process_time()
    with sent(engine) as statements:
        result = work()
    costs[name] = time.process_time() - began, len(statements)
    gc.enable()
    return result


def play(stage: Stage, players: int, costs: Costs) -> Event:
    """Make the event, and measure its draws and publications."""
    today = stage.clock().date()
    scenarios = ("hold-the-line", "", "", "")
    event = stage.event("Big", scenarios=scenarios, rounds=4, starts_on=today, ends_on=today, list_deadline=None)
    with stage.changing(event) as s:
        names = [f"Player {number}" for number in range(players)]
        s.add_all(
            Player(
                event_id=event.id, name=name, name_key=name_key(name), club=f"Club {len(name) % 40}",
                state=PlayerState.CHECKED_IN, registered_at=stage.clock(), entered_round=1,
            )
            for name in names
        )  # fmt: skip
    for number in range(1, ROUNDS + 1):
        measure(costs, f"draw round {number}", stage.engine, partial(stage.draw, event, number))
        publish = partial(stage.do, event, rounds_actions.publish_round, number)
        measure(costs, f"publish round {number}", stage.engine, publish)
        stage.clock.advance(minutes=90)
        if number < ROUNDS:
            with stage.changing(event) as s:
                act = Act(s, event, "Olga", stage.clock())
                for place, game in enumerate(stage.games(event, number)):
                    if game.b_id is not None:
                        answers = {"a.objectives": place * 7 % 6, "b.objectives": place * 3 % 5}
                        results_actions.report(act, game, Claim(ReportSide.ORGANISER, answers, game.version, sure=True))
    return event


def browsers(app: Flask, stage: Stage, event: Event) -> dict[str, FlaskClient]:
    """A browser of each kind of reader."""
    olga, ada, now = stage.set_up("Olga"), stage.all(Player)[0], stage.clock()
    found = {reader: app.test_client() for reader in PAGES}
    with found["staff"].session_transaction() as cookie:
        cookie["organiser"] = new_sign_in(olga.id, olga.session_key, now)
    with found["player"].session_transaction() as cookie:
        cookie["players"] = {str(event.id): new_sign_in(ada.id, player_key(ada), now)}
    stage.s.commit()
    return found


def costs_of(players: int) -> Costs:
    """What an event of this many players costs."""
    costs: Costs = {}
    with tempfile.TemporaryDirectory(prefix="overseer-growth-") as folder:
        url = f"sqlite:///{folder}/overseer.sqlite3"
        engine, clock = open_engine(url), Clock(datetime.now(UTC))
        migrations.upgrade(engine)
        stage = Stage(engine, clock)
        event = play(stage, players, costs)
        app = create_app(Settings(Path(folder), url, "s" * 40, "127.0.0.1", 8000), clock=clock)
        for reader, browser in browsers(app, stage, event).items():
            for page in PAGES[reader]:
                browser.get("/e/big/no-such-page")  # templates are compiled
                answer = measure(
                    costs, f"{page} ({reader})", app.extensions["overseer_engine"], partial(browser.get, page)
                )
                assert answer.status_code == 200, (page, answer.status_code)
        stage.s.close()
        engine.dispose()
        app.extensions["overseer_engine"].dispose()
    return costs


def main(sizes: list[int]) -> None:
    """Measure each number of players, and print a table."""
    costs = {size: costs_of(size) for size in sizes}
    print(f"{'processor seconds (statements)':44}", *(f"{size:>15}" for size in sizes), "   power")
    for name in costs[sizes[0]]:
        seconds = [costs[size][name][0] for size in sizes]
        power = math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else 0.0
        cells = (f"{costs[size][name][0]:8.3f} ({costs[size][name][1]:>4})" for size in sizes)
        print(f"{name:44}", *cells, f"{power:7.2f}")


if __name__ == "__main__":
    main([int(given) for given in sys.argv[1:]] or [500, 2000, 5000])
