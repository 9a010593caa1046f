"""A player's page and its copies on a phone: its state, the polled pages, the manifest, the worker, the headers."""

import gzip
import json
import re
import struct
from dataclasses import replace
from itertools import product
from pathlib import Path

import brotli
import pytest
from flask import Flask

import events
from events.public.offline_views import COPIES, NOBODY
from events.public.player_page import Now, PageFacts, now_of
from events.web.static_files import release_of
from models.dispatch import Device
from models.event import Event, EventState
from models.staff import Role
from service.typeface import LATIN
from tests.kit.accounts import link_for
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.people import Links
from tests.kit.person import Enter, Person
from tests.kit.routes import addresses, rules
from tests.kit.stage import Player, PlayerState, Stage
from tests.kit.writing import give_mail, write_to

EVENT, ME, DESK = "/e/iron-open", "/e/iron-open/me", "/e/iron-open/desk"
STATIC = Path(events.__file__).parent / "web" / "static"


@pytest.fixture
def playing(enter: Enter, stage: Stage, event: Event) -> list[Person]:
    """Ada and Bo in round 1, with lists that everybody may read."""
    people = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.publish(event, 1)
    return people


def kept_for(person: Person, address: str) -> tuple[str | None, bool]:
    """The owner in a page's headers, and whether a phone may store it."""
    with person.http.get(address, buffered=True) as answer:
        return answer.headers.get("Offline-For"), "Offline-Copy" in answer.headers


def test_only_a_few_own_pages_may_be_stored(
    app: Flask, playing: list[Person], olga: Person, stage: Stage, event: Event
) -> None:
    ada, _ = playing
    give_mail(stage, event)
    write_to(stage, event)
    own, other = (stage.one(Player, name=name) for name in ("Ada", "Bo"))
    with app.test_request_context("/"):
        urls = app.url_map.bind("localhost")
    kept = set()
    pages = (rule for rule in rules(app, "GET") if not rule.endswith((".pdf", ".zip")))
    for address in addresses(pages, stage, "Bo").values():
        if kept_for(ada, address)[1]:
            kept.add(urls.match(address)[0])
            for person in (Person(app), olga):
                assert kept_for(person, address) == (NOBODY, False), address
    # Lists are locked, so that the own list is the player's page; another's is none of them.
    others = {
        "public.player",
        "campaigns.campaign_page",
        "campaigns.group",
        "lists.own_list",
        "standings.team_standings_page",
    }
    assert kept == COPIES - others
    whose = kept_for(ada, ME)[0]
    assert whose is not None and re.fullmatch(f"{event.id}-{own.id}-[0-9a-f]{{12}}", whose)
    assert kept_for(ada, f"/e/iron-open/players/{own.id}") == (whose, True)
    assert kept_for(ada, f"/e/iron-open/players/{other.id}") == (whose, False), "another's list"
    assert kept_for(ada, "/e/iron-open/rounds/2") == (whose, False), "does not exist"
    assert ada.http.get(ME).headers["Cache-Control"] == "private, no-store"


def test_owner_of_stored_pages_ends_with_the_link_the_entry_and_the_sign_out(
    app: Flask, playing: list[Person], olga: Person, stage: Stage, event: Event, link_of: Links
) -> None:
    ada, bo = playing
    rows = stage.all(Player)
    first, second = kept_for(ada, ME)[0], kept_for(bo, ME)[0]
    assert first != second
    ada.press(f"Continue as {rows[1].name}", at=link_of(rows[1]))
    assert kept_for(ada, ME)[0] == second, "the next player at the same phone"
    with stage.changing(event):
        rows[1].link_generation += 1
    assert kept_for(ada, ME) == (NOBODY, False), "the link was renewed"
    assert kept_for(bo, "/e/iron-open") == (NOBODY, False)
    bo.open(link_of(stage.now(rows[1])))
    renewed = kept_for(bo, ME)
    assert (renewed[0] not in (NOBODY, second), renewed[1]) == (True, True), "nothing of the old link stays"
    stage.set(event, rows[1], state=PlayerState.DROPPED)
    assert kept_for(bo, ME) == (NOBODY, False), "who has left keeps nothing"
    assert "This device is signed out." in ada.press("Sign out on this device", at=link_of(stage.now(rows[0]))).flashes
    assert kept_for(ada, ME) == (NOBODY, False)
    assert ada.open(ME).status == 403
    olga.press(f"Continue as {rows[0].name}", at=link_of(stage.now(rows[0])))
    assert olga.open(ME).status == 200
    assert kept_for(olga, ME) == (NOBODY, False), "an organiser who plays stores nothing"


@pytest.mark.proves("attack 70")
def test_sign_out_forgets_the_links_that_were_opened_on_this_device(
    playing: list[Person], olga: Person, stage: Stage, link_of: Links
) -> None:
    ada, other = playing[0], link_of(stage.all(Player)[1])
    assert ada.open(other).path == "/switch-player"
    ada.post(f"{ME}/forget")
    assert olga.open(other).path == "/switch-player"
    invitation = link_for(olga, Role.OWNER).rpartition("/")[2]
    olga.post("/sign-out")
    with olga.http.session_transaction() as held:
        assert invitation not in str(dict(held)), "the cookie can be read on this device"
    for person in (ada, olga):
        assert person.open("/switch-player").status == 404


@pytest.mark.proves("attack 70")
def test_notices_of_a_player_end_on_a_device_that_changes_to_another_player(
    playing: list[Person], stage: Stage, event: Event, link_of: Links
) -> None:
    ada, rows = playing[0], stage.all(Player)
    with stage.changing() as s:
        s.add(Device(player_id=rows[0].id, endpoint="https://push.example.org/1", p256dh="x", auth="x",
                     added_at=stage.clock()))  # fmt: skip
    with ada.http.session_transaction() as held:
        held["devices"] = {str(event.id): stage.one(Device).id}
    ada.press(f"Continue as {rows[1].name}", at=link_of(rows[1]))
    assert stage.all(Device) == []


@pytest.mark.proves("attack 70", "ASVS 14.3.2")
def test_stored_pages_end_with_the_session_key_the_players_row_and_the_sign_out(
    playing: list[Person], stage: Stage, event: Event, link_of: Links
) -> None:
    """After a restore another player can have the id: pages stored for the previous player have no owner."""
    ada, player = playing[0], stage.all(Player)[0]
    for changed in ("secret", "session_key"):
        before = kept_for(ada, ME)[0]
        with stage.changing(event):
            setattr(player, changed, "another")
        ada.open(link_of(stage.now(player)))
        assert kept_for(ada, ME)[0] not in (before, NOBODY), changed
    answer = ada.post(f"{ME}/forget")
    assert answer.headers["Clear-Site-Data"] == '"cache"', "reports that wait to be sent are in its storage"


def test_manifest_opens_the_own_page_and_holds_no_secret(playing: list[Person], visitor: Person) -> None:
    (link,) = playing[0].open(ME).soup.select("link[rel=manifest]")
    answer = visitor.http.get(str(link["href"]))
    assert answer.mimetype == "application/manifest+json"
    app = json.loads(answer.text)
    assert (app["name"], app["start_url"], app["scope"]) == ("Iron Open", ME, "/e/iron-open")
    assert app["display"] == "standalone"
    assert not re.search(r"/p/|token|Ada", answer.text)
    assert not visitor.open("/e/iron-open").soup.select("link[rel=manifest]")
    for icon in app["icons"]:
        picture = visitor.http.get(icon["src"], buffered=True)
        width, height = struct.unpack(">II", picture.data[16:24])
        assert picture.data.startswith(b"\x89PNG") and icon["sizes"] == f"{width}x{height}"


def test_worker_has_the_same_policy_and_changes_with_each_release(app: Flask, visitor: Person, tmp_path: Path) -> None:
    answer = visitor.http.get("/worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    addresses = re.findall(r'"(/static/[^"]+)"', answer.text)
    for address in addresses:
        file = visitor.http.get(address, buffered=True)
        assert file.status_code == 200 and file.headers["Cache-Control"].startswith("public, max-age=31536000"), address
    assert visitor.http.get("/static/overseer.css?v=older", buffered=True).headers["Cache-Control"] == "no-cache"
    release = app.extensions["overseer_release"]
    assert f"/static/overseer.css?v={release}" in addresses and f'RELEASE = "{release}"' in answer.text
    for path in STATIC.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert release_of(tmp_path) == release
    (tmp_path / "overseer.css").write_text("body { color: red }")
    assert release_of(tmp_path) != release


@pytest.mark.parametrize(("accepted", "coding"), [("gzip, deflate", "gzip"), ("gzip, deflate, br, zstd", "br")])
@pytest.mark.parametrize("name", ["overseer.css", LATIN])
def test_static_files_are_compressed_for_browsers_that_read_it(
    visitor: Person, name: str, accepted: str, coding: str
) -> None:
    address, packs = f"/static/{name}", {"Accept-Encoding": accepted}
    whole = visitor.http.get(address, buffered=True)
    answer = visitor.http.get(address, headers=packs, buffered=True)
    assert (whole.headers.get("Content-Encoding"), answer.headers["Content-Encoding"]) == (None, coding)
    unpack = gzip.decompress if coding == "gzip" else brotli.decompress
    assert unpack(answer.data) == whole.data == (STATIC / name).read_bytes()
    assert answer.content_length == len(answer.data) < len(whole.data) * 0.6
    assert all("Accept-Encoding" in response.headers["Vary"] for response in (whole, answer))
    again = visitor.http.get(address, headers={"If-None-Match": answer.headers["ETag"], **packs}, buffered=True)
    assert (again.status_code, again.data) == (304, b"")
    part = visitor.http.get(address, headers={"Range": "bytes=0-9", **packs}, buffered=True)
    assert (part.status_code, part.data) == (206, whole.data[:10])
    assert "Content-Encoding" not in visitor.http.get("/static/icon-180.png", headers=packs, buffered=True).headers
    missing = visitor.http.get("/static/nothing.css", headers=packs, buffered=True)
    assert missing.status_code == 404 and b"not" in missing.data


PLAYING = PageFacts(EventState.IN_PROGRESS, PlayerState.CHECKED_IN, round="playing", game="open")
STATES = [
    (PageFacts(EventState.REGISTRATION, PlayerState.REGISTERED), Now.REGISTERED),
    (PageFacts(EventState.REGISTRATION, PlayerState.WAITING), Now.WAITING),
    (PageFacts(EventState.REGISTRATION, PlayerState.DROPPED), Now.LEFT),
    (PLAYING, Now.GAME),
    (replace(PLAYING, game="decided"), Now.GAME),
    (replace(PLAYING, game="bye"), Now.BYE),
    (replace(PLAYING, game="none"), Now.NO_GAME),
    (replace(PLAYING, game="none", matched=True), Now.BOARDS),
    (replace(PLAYING, matched=True), Now.GAME),
    (replace(PLAYING, round="complete", game="decided"), Now.COMPLETE),
    (replace(PLAYING, challenges=True), Now.GAME),
    (replace(PLAYING, game="decided", challenges=True), Now.LADDER),
    (replace(PLAYING, round="complete", game="none"), Now.COMPLETE),
    (replace(PLAYING, player=PlayerState.WAITING, game="none"), Now.WAITING),
    # A player who leaves during a round still plays the current game, and nothing after it.
    (replace(PLAYING, player=PlayerState.DROPPED), Now.GAME),
    (replace(PLAYING, player=PlayerState.DROPPED, game="decided"), Now.LEFT),
    (replace(PLAYING, player=PlayerState.DROPPED, game="none", matched=True), Now.LEFT),
    (replace(PLAYING, event=EventState.FINISHED), Now.OVER),
    (PageFacts(EventState.FINISHED, PlayerState.DROPPED), Now.OVER),
]


def test_page_state_follows_from_the_facts_and_has_a_template() -> None:
    assert [(facts, now_of(facts)) for facts, _ in STATES] == STATES
    assert {now for _, now in STATES} == set(Now)
    folder = Path(events.__file__).parent / "public" / "templates" / "hall" / "now"
    assert {path.stem for path in folder.glob("[!_]*.html")} == {now.value for now in Now}


def test_game_is_shown_only_while_a_round_is_played() -> None:
    for event, player in product(EventState, PlayerState):
        for facts, _ in STATES:
            asked = replace(facts, event=event, player=player)
            if now_of(asked) == Now.GAME:
                assert (asked.round, asked.game) in {("playing", "open"), ("playing", "decided")}


PUBLIC = (EVENT, f"{EVENT}/rounds/1", f"{EVENT}/rounds/1?order=name", f"{EVENT}/standings")


def poll(person: Person, address: str, etag: str = "") -> tuple[int, str]:
    """Ask as the page's script does; the status, and the mark to ask with next time."""
    answer = person.http.get(address, headers={"If-None-Match": etag} if etag else {})
    assert (answer.status_code == 304) == (answer.data == b"")
    assert answer.headers["Server-Now"], "by which the round's clock is set"
    assert answer.headers["ETag"].startswith('W/"'), "a proxy that compresses the page keeps the mark"
    return answer.status_code, answer.headers["ETag"]


@pytest.mark.proves("F14")
def test_page_is_sent_again_only_when_something_changed(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, other = stage.publish(event, 1)
    marks = {address: poll(visitor, address)[1] for address in PUBLIC}

    def statuses() -> set[int]:
        return {poll(visitor, address, mark)[0] for address, mark in marks.items()}

    assert statuses() == {304}
    for a_game in (game, other):
        stage.decide(event, a_game, 2, 1)
        assert statuses() == {200}
        marks = {address: poll(visitor, address)[1] for address in PUBLIC}
        assert statuses() == {304}
    stage.enter(stage.event("Rust Cup"), "Ada")
    assert statuses() == {304}, "a change in another event"


def test_own_page_and_desk_are_polled_with_marks_of_their_own(
    visitor: Person, enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    assert len({poll(person, EVENT)[1] for person in (visitor, ada, bo, olga)}) == 4
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    for person, address in ((ada, ME), (olga, DESK)):
        mark = poll(person, address)[1]
        assert poll(person, address, mark)[0] == 304
        stage.set(event, place=f"For {address}")
        assert poll(person, address, mark)[0] == 200
    mark = poll(ada, ME)[1]
    stage.clock.now = DEADLINE
    assert poll(ada, ME, mark)[0] == 200, "the lists are locked"
