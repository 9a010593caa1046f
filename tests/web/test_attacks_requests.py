"""Requests for what is not there to be had: searches that are commands, names of files, places beside the service."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from models.event import Event
from models.play import Player
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage

pytestmark = pytest.mark.fast

DESK = "/e/iron-open/desk"
NAMED = re.compile(r'(attachment|inline); filename="[A-Za-z0-9][A-Za-z0-9._-]{0,120}"')


@pytest.mark.proves("attack 30")
@pytest.mark.parametrize("asked", ["%", "_", "' OR 1=1 --", "%' OR '1'='1", "*", "\\", "a%", ".*", "[a-z]+"])
@pytest.mark.both_databases
def test_a_search_is_for_what_was_typed(
    olga: Person, stage: Stage, event: Event, asked: str, database_url: str
) -> None:
    stage.enter(event, "Ada", "Bo")
    page = olga.http.get(f"{DESK}/search", query_string={"q": asked})
    assert page.status_code == 200
    assert "Ada</" not in page.text
    assert "Ada</" in olga.http.get(f"{DESK}/search", query_string={"q": "ada"}).text


@pytest.mark.proves("attack 30")
def test_an_order_that_is_none_is_the_usual_one(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Bo", "Ada", "Cy", "Di")
    stage.publish(event, 1)
    usual = visitor.open("/e/iron-open/rounds/1").rows("table.pairings")
    for order in ("name; DROP TABLE player", "(SELECT 1)", "id DESC", "name,1", "'", "NAME"):
        page = visitor.http.get("/e/iron-open/rounds/1", query_string={"order": order}, buffered=True)
        assert page.status_code == 200
        assert visitor.open(f"/e/iron-open/rounds/1?order={order}").rows("table.pairings") == usual
    assert usual


@pytest.mark.proves("attack 35", "ASVS 5.4.2", "ASVS 4.1.1", "ASVS 3.2.1")
@pytest.mark.parametrize("name", ['a"b; filename=x.exe', "Zoë 李小龍", "../../etc/passwd", "x" * 80, "%0d%0aX-A: b"])
def test_a_file_that_is_served_has_a_plain_name(
    olga: Person, stage: Stage, name: str, link_of: Callable[[Player], str]
) -> None:
    event = stage.event(name)
    player, _ = stage.enter(event, name, f"{name[:70]} 2")
    stage.force(event, player, read_force(PIPER))
    stage.publish(event, 1)
    files = [f"desk/players/{player.id}/force", "desk/archive.json", "desk/journal.csv", "desk/badges.pdf",
             "players.csv",
             "rounds/1/pairings.json", "rounds/1/pairings.pdf", "rounds/1/round.csv", "pack.pdf"]  # fmt: skip
    files += [f"desk/../players/{player.id}/force.{kind}" for kind in ("json", "ros", "txt")]
    served = 0
    for file in files:
        answer = olga.http.get(f"/e/{event.slug}/{file}".replace("desk/../", ""), buffered=True)
        told = answer.headers.get("Content-Disposition")
        if answer.status_code != 200 or told is None:
            continue
        served += 1
        assert NAMED.fullmatch(told), told
        assert answer.mimetype != "text/html"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert (
            answer.mimetype in ("application/pdf", "application/json", "application/xml")
            or "charset" in (answer.headers["Content-Type"])
        )
    assert served >= 6


@pytest.mark.proves("attack 50")
@pytest.mark.parametrize(
    "address",
    ["/console", "/.git/config", "/.env", "/admin", "/debug", "/server-status", "/static/../app.py",
     "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/overseer.sqlite3",
     "/static/overseer.css/..", "/__debugger__",
     "/?__debugger__=yes&cmd=resource&f=style.css"],
)  # fmt: skip
def test_nothing_beside_the_service_is_served(app: Flask, visitor: Person, address: str) -> None:
    answer = visitor.http.get(address, buffered=True)
    assert answer.status_code in (404, 308) or (address.startswith("/?") and "text/html" in answer.content_type)
    assert "SECRET" not in answer.text
    assert "import " not in answer.text
    assert not app.debug
