"""The examples of docs/interface.md, run as they stand against the application over a real connection."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from models.play import ForceList, GameState
from models.staff import Role
from tests.api.programs import made_token
from tests.browser.every_template import served
from tests.kit.forces import sample_force
from tests.kit.person import Person
from tests.kit.stage import Stage

PAGE = Path(__file__).parents[2] / "docs/interface.md"


@pytest.mark.parametrize(("language", "command"), [("sh", ["bash", "-euc"]), ("python", [sys.executable, "-c"])])
def test_example_plays_a_round(app: Flask, stage: Stage, olga: Person, language: str, command: list[str]) -> None:
    event = stage.event()
    (example,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    with served(app) as address:
        given = {
            "ADDRESS": f"{address}/api/v1/events/{event.slug}",
            "TOKEN": made_token(stage, event, Role.ORGANISER),
            "FORCE": json.dumps(sample_force("Survivors", 750, 4)),
        }
        for _ in ("run", "run again with the same keys"):
            done = subprocess.run(
                [*command, example], env=os.environ | given, capture_output=True, text=True, timeout=120
            )
            assert (done.returncode, "Ada" in done.stdout) == (0, True), done.stderr + done.stdout
    stage.s.expire_all()
    (game,) = stage.games(event, 1)
    assert (game.state, len(stage.all(ForceList))) == (GameState.CONFIRMED, 1)
