"""The round pack: all papers and files of a round, usable without a server, with nobody's secrets."""

import csv
import io
import json
import zipfile
from datetime import timedelta
from urllib.parse import unquote, urldefrag

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from pypdf import PdfReader

from events.desk.round_pack_views import as_file, file_of, read_page
from models.event import Event
from models.play import Player
from models.staff import Role
from tests.conftest import PUBLIC, Clock
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import Stage

PACK = "/e/iron-open/desk/rounds/2/pack"
PAGES = {
    "index", "round-1", "round-2-order-name", "standings", "lists", "player-1", "rules-battle-mode",
}  # fmt: skip


def unpacked(person: Person) -> dict[str, bytes]:
    """The files of a pack by their names below its folder."""
    answer = person.ask("GET", f"{PACK}.zip")
    assert (answer.status_code, answer.mimetype) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert {name.split("/")[0] for name in names} == {answer.headers["Content-Disposition"].split('"')[1][:-4]}
        return {name.partition("/")[2]: archive.read(name) for name in names}


@pytest.fixture
def played(stage: Stage, event: Event) -> Event:
    """An event of five whose first round is played and whose second is published."""
    stage.enter(event, "Ada", "Bo", "Cy", "Dee", "太郎 田中")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.play(event, 1)
    stage.publish(event, 2)
    return event


def test_pack_has_everything_of_its_round(olga: Person, played: Event, stage: Stage) -> None:
    files = unpacked(olga)
    assert sorted(name for name in files if not name.startswith("pages/")) == [
        "README.txt", "csv/players.csv", "csv/round-1.csv", "csv/round-2.csv", "csv/standings-after-1.csv",
        "iron-open-archive.json", "iron-open-round-2.pdf",
    ]  # fmt: skip
    assert json.loads(files["iron-open-archive.json"])["format"] == "overseer-event/1"
    readme = files["README.txt"].decode()
    assert "iron-open-round-2.pdf" in readme and "Import event" in readme
    assert max(map(len, readme.splitlines())) <= 80
    assert len(list(csv.reader(io.StringIO(files["csv/round-2.csv"].decode("utf-8-sig"))))) == 4
    pdf = PdfReader(io.BytesIO(files["iron-open-round-2.pdf"]))
    text = "\n".join(page.extract_text() for page in pdf.pages)
    for game in stage.games(played, 2):
        assert game.b_id is None or game.code in text.replace(" ", "").replace("-", "")
    outline = [str(entry.title) for entry in pdf.outline if not isinstance(entry, list)]
    assert outline[0].startswith("Round 2")
    assert [t.partition(" ·")[0] for t in outline if t.startswith(("Plan", "Setting up", "Standings"))] == [
        "Plan of the day", "Setting up the table", "Standings after round 1",
    ]  # fmt: skip
    assert files["iron-open-round-2.pdf"] == olga.ask("GET", f"{PACK}.pdf").data
    for paper in ("a5", "letter"):
        data = olga.ask("GET", f"{PACK}.pdf?paper={paper}&each=2").data
        assert len(PdfReader(io.BytesIO(data)).pages) >= 7, paper
    assert olga.ask("GET", f"{PACK}.pdf?paper=a3").status_code == 404


def test_pages_of_the_pack_link_to_files_and_hold_nothing_of_the_visitor(olga: Person, played: Event) -> None:
    files = unpacked(olga)
    pages = {name: BeautifulSoup(data, "html.parser") for name, data in files.items() if name.endswith(".html")}
    assert {f"pages/{name}.html" for name in PAGES} <= set(pages)
    ids = {name: {str(part["id"]) for part in page.find_all(id=True)} for name, page in pages.items()}
    inside = 0
    for name, page in pages.items():
        assert page.find(["script", "form", "iframe"]) is None, name
        assert "A copy as of Saturday 21 November 2026, 10:00" in page.get_text(), name
        for secret in ("Olga", "csrf", "/desk", "Sign out", "Not confirmed"):
            assert secret not in files[name].decode(), (name, secret)
        for part in page.find_all(href=True) + page.find_all(src=True):
            target = str(part.get("href") or part.get("src"))
            file, fragment = urldefrag(unquote(target))
            if target.startswith((PUBLIC + "/", "https://")):
                continue
            whole = f"pages/{file}".replace("pages/../", "") if file else name
            assert whole in files, f"{name}: {target}"
            assert not fragment or fragment in ids[whole] or whole.endswith(".csv"), f"{name}: {target}"
            inside += 1
    assert inside > 100
    assert b"@media" in files["pages/overseer.css"]
    assert "太郎 田中" in pages["pages/round-2.html"].get_text()


def test_pack_is_the_same_bytes_at_the_same_time_and_has_the_archive_only_for_owners(
    app: Flask, olga: Person, played: Event, stage: Stage, clock: Clock
) -> None:
    first = olga.ask("GET", f"{PACK}.zip").data
    assert olga.ask("GET", f"{PACK}.zip").data == first
    clock.now += timedelta(minutes=1)
    assert olga.ask("GET", f"{PACK}.zip").data != first
    organiser, judge = (let_in(app, stage.hire(played, f"The {role}", role)) for role in (Role.ORGANISER, Role.JUDGE))
    files = unpacked(organiser)
    assert not [name for name in files if "archive" in name]
    assert "Ask the owner" in files["README.txt"].decode()
    assert [judge.open(f"{PACK}.{kind}").status for kind in ("zip", "pdf")] == [403, 200]
    room = organiser.open("/e/iron-open/desk/print").text
    assert "Round pack" in room and "secret lists" not in room
    assert "It contains secret lists" in olga.open("/e/iron-open/desk/print").text


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="live" content="/e/x/version"><link rel="manifest" href="/m">
<link rel="stylesheet" href="/static/o.css?v=1"><script src="/static/o.js" defer></script></head>
<body data-poll="/e/x"><main id="main"><a href="/e/x/rounds/1?order=name&amp;b=2#t">A &amp; B &lt;x&gt; &#9731;</a>
<svg viewBox="0 0 1 1"><path d="M0 0"/></svg><a href="#here">here</a><a href="https://else.org/?a=1&amp;b=2">else</a>
<form action="/desk"><input name="csrf_token" value="secret"><a href="/in">in</a></form><a href="../y">up</a>
<section class="round-clock big"><section>1:30:00</section>left</section>
<a href="mailto:a@b.c">mail</a></main></body></html>"""
FILES = {"/static/o.css?v=1": "o.css", "/e/x/rounds/1?b=2&order=name": "round-1.html"}
KEPT = (
    '<link rel="stylesheet" href="o.css">', '<a href="round-1.html#t">A &amp; B &lt;x&gt; &#9731;</a>',
    '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>', '<a href="#here">here</a>', "<!doctype html>",
    '<a href="https://else.org/?a=1&amp;b=2">else</a>', '<a href="https://desk.org/e/y">up</a>', "<body>",
    '<main id="main"><p>A copy</p>', '<a href="mailto:a@b.c">mail</a></main></body></html>', '<meta charset="utf-8">',
)  # fmt: skip
GONE = ("script", "form", "csrf", "secret", "manifest", "live", "1:30:00", "left", "poll", "/in")


def test_page_keeps_its_content_and_loses_what_needs_a_server() -> None:
    made = as_file(read_page(PAGE, "/e/x/"), FILES, "https://desk.org/", "<p>A copy</p>")
    assert [one for one in KEPT if one not in made] == []
    assert [one for one in GONE if one in made] == []


def test_links_are_found_once_in_order_and_files_are_named_after_addresses() -> None:
    assert read_page(PAGE + PAGE, "/e/x/").links == ["/e/x/rounds/1?b=2&order=name", "/e/x/", "/e/y"]
    names = {
        "/e/x/rounds/1?order=name": "round-1-order-name.html", "/e/x/standings?after=2": "standings-after-2.html",
        "/e/x/players/12": "player-12.html", "/rules/battle-mode": "rules-battle-mode.html",
        "/e/x/scenarios/own-Ünd..%2F": "scenario-own-nd-2f.html",
    }  # fmt: skip
    assert {address: file_of(address, "/e/x") for address in names} == names
