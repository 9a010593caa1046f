"""What other languages cost. Run: ``python -m benchmarks.languages [--runs 20] [--languages en de pl]``.

An event of 40 players whose last round is open, in a temporary folder. Each of its pages is asked for by a visitor, a
player or the organiser in each language in turn, past the page cache. Printed are its SQL statements, the median time
of the processor in the first language, and how much more the others take.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from statistics import median
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import event as sql_event
from sqlmodel import Session, select

import migrations
from app import create_app
from benchmarks.burst import signed
from benchmarks.event_day import organiser
from events.visitors.queries import new_sign_in, player_key
from models.db import open_engine
from models.event import Event
from models.play import Player
from service.commands.demo import play_demonstration
from service.settings import read_settings

EVENT = "/e/{slug}"
PAGES = {
    "visitor": (
        "/", EVENT, f"{EVENT}/rounds/1", f"{EVENT}/rounds/3", f"{EVENT}/standings", f"{EVENT}/lists", f"{EVENT}/hall",
        f"{EVENT}/players/{{player}}", f"{EVENT}/tables/1", "/rules/battle_mode", "/verify", "/sign-in",
    ),
    "player": (
        f"{EVENT}/me", f"{EVENT}/me/force", f"{EVENT}/me/link", f"{EVENT}/me/journal", f"{EVENT}/me/notices",
        f"{EVENT}/me/game", f"{EVENT}/standings",
    ),
    "desk": (
        f"{EVENT}/desk", f"{EVENT}/desk/players", f"{EVENT}/desk/players/{{player}}", f"{EVENT}/desk/lists",
        f"{EVENT}/desk/lists/{{player}}", f"{EVENT}/desk/rounds/3", f"{EVENT}/desk/rounds/3/results",
        f"{EVENT}/desk/settings", f"{EVENT}/desk/print", f"{EVENT}/desk/messages", f"{EVENT}/desk/journal",
        f"{EVENT}/desk/awards", f"{EVENT}/desk/clock",
    ),
}  # fmt: skip


def taken(client: FlaskClient, address: str) -> tuple[int, float]:
    """The status of a page, and its time of the processor in milliseconds."""
    begun = time.process_time()
    answer = client.get(address)
    return answer.status_code, 1000 * (time.process_time() - begun)


def measured(languages: list[str], runs: int) -> Iterator[tuple[str, int, list[float]]]:
    """Each page with its SQL statements and its median time in each language."""
    with tempfile.TemporaryDirectory(prefix="overseer-benchmark-") as folder:
        settings = read_settings({"OVERSEER_DATA": folder})
        engine = open_engine(settings.database_url)
        migrations.upgrade(engine)
        slug = play_demonstration(engine, players=40, rounds=3, seed=7, leave_open=True)
        app, at = create_app(settings), datetime.now(UTC)
        with Session(engine) as s:
            of = s.exec(select(Event).where(Event.slug == slug)).one()
            player = s.exec(select(Player).where(Player.event_id == of.id)).first()
            assert player is not None
            owner = organiser(s)
            held: dict[str, dict[str, Any]] = {
                "visitor": {},
                "player": {"players": {str(of.id): new_sign_in(player.id, player_key(player), at)}},
                "desk": {"organiser": new_sign_in(owner.id, owner.session_key, at)},
            }
            numbers = {"slug": slug, "player": player.id}
        statements = list[str]()
        sql_event.listen(app.extensions["overseer_engine"], "before_cursor_execute", lambda *a: statements.append(a[2]))
        for who, content in held.items():
            clients = [app.test_client() for _ in languages]
            for client, code in zip(clients, languages, strict=True):
                client.set_cookie("overseer", signed(settings, content | {"language": code}))
            for address in (page.format(**numbers) + "?uncached" for page in PAGES[who]):
                times: list[list[float]] = [[] for _ in languages]
                for run in range(runs + 2):
                    for client, those in zip(clients, times, strict=True):
                        statements.clear()
                        status, spent = taken(client, address)
                        those += [spent] if run > 1 else []
                yield f"{status} {who} {address}", len(statements), [median(those) for those in times]
        engine.dispose()


def main() -> None:
    """Print a line for each page, and how much more each language takes in all."""
    parser = argparse.ArgumentParser(description="What other languages cost")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--languages", nargs="+", default=["en", "de", "pl"])
    asked = parser.parse_args()
    sums = [0.0 for _ in asked.languages]
    for page, statements, times in measured(asked.languages, asked.runs):
        sums = [sum(both) for both in zip(sums, times, strict=True)]
        print(line(page, str(statements), times))
    print(line("all", "", sums))


def line(page: str, statements: str, times: list[float]) -> str:
    """A line of the output."""
    more = (f"{100 * (number / times[0] - 1):+6.1f} %" for number in times[1:])
    return f"{page:60} {statements:>4} {times[0]:8.1f} ms {' '.join(more)}"


if __name__ == "__main__":
    main()
