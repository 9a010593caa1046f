"""What a phone may keep: the manifest, the worker, and the word on each page whose it is and whether it may be kept."""

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

import events
from events.hall.offline_views import COPIES, NOBODY
from models.event import Event
from models.play import Player, PlayerState
from tests.accounts.test_route_matrix import GET, addresses
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to

ME = "/e/iron-open/me"
STATIC = Path(events.__file__).parent / "web" / "static"


@pytest.fixture
def playing(enter: Callable[..., list[Person]], stage: Stage, event: Event) -> list[Person]:
    """Ada and Bo in round 1, with lists that everybody may read."""
    people = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.publish(event, 1)
    return people


def told(person: Person, address: str) -> tuple[str | None, bool]:
    """Whose a page is, and whether it may be kept."""
    with person.http.get(address, buffered=True) as answer:
        return answer.headers.get("Offline-For"), "Offline-Copy" in answer.headers


def test_no_page_but_a_players_own_few_may_be_kept(
    app: Flask, playing: list[Person], olga: Person, stage: Stage, event: Event
) -> None:
    ada, _ = playing
    give_mail(stage, event)
    write_to(stage, event)
    own, other = (stage.one(Player, name=name) for name in ("Ada", "Bo"))
    with app.test_request_context("/"):
        urls = app.url_map.bind("localhost")
    kept = set()
    for address in addresses(GET, stage, "Bo").values():
        if told(ada, address)[1]:
            kept.add(urls.match(address)[0])
        for person in (Person(app), olga):
            assert told(person, address) in {(NOBODY, False), (None, False)}, address
    # Lists are locked, so that the own list is the player's page; another's is none of them.
    assert kept == COPIES - {"public.player", "lists.mine", "standings.team_standings_page"}
    whose = told(ada, ME)[0]
    assert whose is not None and re.fullmatch(f"{event.id}-{own.id}-[0-9a-f]{{12}}", whose)
    assert told(ada, f"/e/iron-open/players/{own.id}") == (whose, True)
    assert told(ada, f"/e/iron-open/players/{other.id}") == (whose, False), "another's list"
    assert told(ada, "/e/iron-open/rounds/2") == (whose, False), "no such page"
    assert ada.http.get(ME).headers["Cache-Control"] == "private, no-store"


def test_whose_a_browser_is_ends_with_the_link_the_entry_and_the_press(
    app: Flask, playing: list[Person], olga: Person, stage: Stage, event: Event, link_of: Callable[[Player], str]
) -> None:
    ada, bo = playing
    rows = stage.all(Player)
    first, second = told(ada, ME)[0], told(bo, ME)[0]
    assert first != second
    ada.open(link_of(rows[1]))
    ada.press(f"Continue as {rows[1].name}")
    assert told(ada, ME)[0] == second, "the next player at the same phone"
    with stage.changing(event):
        rows[1].link_generation += 1
    assert told(ada, ME) == (NOBODY, False), "the link was renewed"
    assert told(bo, "/e/iron-open") == (NOBODY, False)
    bo.open(link_of(stage.now(rows[1])))
    renewed = told(bo, ME)
    assert (renewed[0] not in (NOBODY, second), renewed[1]) == (True, True), "nothing of the old link stays"
    with stage.changing(event):
        rows[1].state = PlayerState.DROPPED
    assert told(bo, ME) == (NOBODY, False), "who has left keeps nothing"
    ada.open(link_of(stage.now(rows[0])))
    page = ada.press("Sign out on this device")
    assert "This device has forgotten you." in page.flashes
    assert told(ada, ME) == (NOBODY, False)
    assert ada.open(ME).status == 403


@pytest.mark.proves("attack 70", "ASVS 14.3.2")
@pytest.mark.parametrize("changed", ["secret", "session_key"])
def test_kept_pages_end_with_the_session_key_and_with_the_row_of_a_player(
    playing: list[Person], stage: Stage, event: Event, link_of: Callable[[Player], str], changed: str
) -> None:
    """After a restore another player can have the id: pages kept for the one before belong to nobody."""
    ada, player = playing[0], stage.all(Player)[0]
    before = told(ada, ME)[0]
    with stage.changing(event):
        setattr(player, changed, "another")
    ada.open(link_of(stage.now(player)))
    assert told(ada, ME)[0] not in (before, NOBODY)


@pytest.mark.proves("attack 70", "ASVS 14.3.2")
def test_signing_out_clears_the_browser_s_own_copies_and_leaves_its_storage(playing: list[Person]) -> None:
    page = playing[0].open(ME)
    answer = playing[0].ask("POST", f"{ME}/forget", {"csrf_token": str(page.value("csrf_token"))})
    assert answer.headers["Clear-Site-Data"] == '"cache"', "reports that wait to be sent are in its storage"


def test_an_organiser_who_plays_too_keeps_nothing(
    playing: list[Person], olga: Person, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    olga.open(link_of(stage.all(Player)[0]))
    olga.press(f"Continue as {stage.all(Player)[0].name}")
    assert olga.open(ME).status == 200
    assert told(olga, ME) == (NOBODY, False)


def test_the_manifest_opens_the_own_page_and_holds_no_secret(playing: list[Person], visitor: Person) -> None:
    page = playing[0].open(ME)
    (link,) = page.soup.select("link[rel=manifest]")
    answer = visitor.http.get(str(link["href"]))
    assert answer.mimetype == "application/manifest+json"
    app = json.loads(answer.text)
    assert (app["name"], app["start_url"], app["scope"]) == ("Iron Open", ME, "/e/iron-open")
    assert app["display"] == "standalone"
    assert not re.search(r"/p/|token|Ada", answer.text)
    assert not visitor.open("/e/iron-open").soup.select("link[rel=manifest]")
    kinds = set()
    for icon in app["icons"]:
        picture = visitor.http.get(icon["src"], buffered=True)
        width, height = struct.unpack(">II", picture.data[16:24])
        assert picture.data.startswith(b"\x89PNG")
        assert icon["sizes"] == f"{width}x{height}"
        kinds.add((icon["sizes"], icon.get("purpose", "any")))
    assert kinds == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


def test_a_draft_has_no_manifest(stage: Stage, visitor: Person) -> None:
    stage.event("Secret Cup", draft=True)
    assert visitor.open("/e/secret-cup/app.webmanifest").status == 404


def test_the_worker_is_for_all_pages_under_the_same_policy_and_another_one_with_each_release(
    app: Flask, visitor: Person, tmp_path: Path
) -> None:
    answer = visitor.http.get("/worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert visitor.http.get("/worker.js").data == answer.data
    for name in re.findall(r'"/static/([^"]+)"', answer.text):
        assert (STATIC / name).is_file()
    assert '"/static/overseer.css"' in answer.text
    for path in STATIC.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    app.static_folder = str(tmp_path)
    app.extensions.pop("overseer_release")
    assert visitor.http.get("/worker.js").data == answer.data
    (tmp_path / "overseer.css").write_text("body { color: red }")
    app.extensions.pop("overseer_release")
    assert visitor.http.get("/worker.js").data != answer.data


def test_every_page_of_a_player_has_the_line_hidden_and_in_the_events_time(playing: list[Person]) -> None:
    page = playing[0].open(ME)
    (line,) = page.soup.select("#no-network")
    assert line.has_attr("hidden")
    assert line["data-zone"] == "Europe/Berlin"
    assert re.search(r"No network: this is the page of \d\d:\d\d ?\.", page.part("#no-network"))
    # What the worker looks for to show it.
    assert '<html lang="en"' in page.response.text
    assert 'id="no-network" hidden' in page.response.text
