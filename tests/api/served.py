"""The application over a real connection, with an event and a token, for schemathesis.

``python -m tests.api.served FOLDER PORT`` serves a new event without rate limits until it is ended, and prints a token.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from werkzeug.serving import make_server

import migrations
from app import create_app
from events.accounts.actions import make_account
from events.api import admission
from models.db import open_engine
from models.staff import Role
from service.settings import Settings
from tests.api.programs import made_token
from tests.conftest import Clock
from tests.kit.forces import sample_force
from tests.kit.stage import PASSWORD, Player, Stage


def main(folder: str, port: str) -> None:
    Path(folder).mkdir(parents=True)
    url = f"sqlite:///{folder}/overseer.sqlite3"
    engine = open_engine(url)
    migrations.upgrade(engine)
    stage = Stage(engine, Clock(datetime.now(UTC)))
    with stage.changing() as s:
        make_account(s, "Olga", PASSWORD, stage.clock())
    event = stage.event(players=tuple(f"Player {number}" for number in range(8)), places=40)
    stage.force(event, stage.all(Player)[0], sample_force("Survivors", 750, 4))
    stage.play(event, 1)
    stage.publish(event, 2)
    print(made_token(stage, event, Role.ORGANISER), flush=True)  # noqa: T201
    admission.MOST.update(read=10**9, write=10**9)
    settings = Settings(data=Path(folder), database_url=url, secret="s" * 40, host="127.0.0.1", port=int(port))
    make_server("127.0.0.1", int(port), create_app(settings), threaded=True).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
