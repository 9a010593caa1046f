"""The event pack has the content of the page and the checks; the round pack needs no server; neither has secrets."""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from pypdf import PdfReader
from sqlmodel import select

from events.papers.round_pack_views import as_file, read_page
from models.award import Award, AwardKind
from tests.conftest import PUBLIC
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.own_editions import write_scenario
from tests.kit.papers import codes, texts
from tests.kit.people import let_in
from tests.kit.person import Enter, Person
from tests.kit.stage import Event, Player, Role, Round, Stage
from validators import SYSTEMS

GAME = SYSTEMS["battle_mode"]
PACK, PAGE = "/e/iron-open/pack.pdf", "/e/iron-open"
EVERYTHING: dict[str, Any] = {
    "banned": "Pipe Pistol\nCommander", "most_copies": "2 Sneak", "same_model": "3", "factions": ["Survivors"],
    "faction_locked": True, "roster_size": "1000", "painted": True, "on_time_points": "1", "error_free_points": "2",
    "late_points": "3",
}  # fmt: skip


def letters(text: str) -> str:
    """The text without spaces and signs: where a line ends at a hyphen, the text read from a page has none."""
    return re.sub(r"\W", "", text)


def test_pack_prints_every_rule_and_what_the_event_adds(visitor: Person, olga: Person, event: Event) -> None:
    page = visitor.open(PACK)
    assert sorted(codes(page)) == [PUBLIC + "/e/iron-open", PUBLIC + "/rules/battle-mode"]
    assert page.response.headers["Content-Disposition"] == 'inline; filename="iron-open-pack.pdf"'
    pages = texts(page)
    assert "Up to 750 Caps, with at most 2 heavy weapons, by the lists" in pages[0]
    for rule in GAME.checks.rules:
        for words in (rule.title, rule.text, rule.source):
            assert letters(words) in letters(" ".join(pages)), rule.id
    assert "bm." not in " ".join(pages), "ids say nothing on paper"
    assert olga.press("Save", at=f"{PAGE}/desk/restrictions", **EVERYTHING).status == 200
    pages = texts(visitor.open(PACK))
    assert "bm." not in " ".join(pages)
    sentences = visitor.open(PAGE).soup.select("dl.added dd")
    assert len(sentences) == len(GAME.checks.event_rules)
    for sentence in sentences:
        assert letters(sentence.get_text()) in letters(" ".join(pages[:3]))


def test_cover_has_the_sentences_of_the_events_page_contact_what_to_bring_and_the_days_times(
    visitor: Person, olga: Person, stage: Stage, event: Event
) -> None:
    stage.set(event, fee="15 €")
    facts = [" ".join(fact.get_text().split()) for fact in visitor.open(PAGE).soup.select("dl.facts > dd")][:-1]
    first = " ".join(texts(visitor.open(PACK))[:2])
    wanted = (
        *facts, "15 €", "Saturday 5 December 2026", "Town Hall", "750 Caps", "August 2018", "3 rounds of 90 minutes",
        "Your force", "In every round 10 objective markers", "2. VP", "(Europe/Berlin, 19:00 UTC)",
        "Victory points of all rounds",
    )  # fmt: skip
    assert len(facts) >= 4 and [words for words in wanted if words not in first] == []
    with stage.changing(event) as s:
        changed = s.get_one(Event, event.id)
        changed.description, changed.contact, changed.bring = "Doors at nine.", "Olga, 555 0101", "Two dice trays."
        changed.check_in_from, changed.starts_at = datetime(2026, 12, 5, 8, 0, tzinfo=UTC), "10:00"
        s.exec(select(Round).where(Round.number == 2)).one().planned_at = datetime(2026, 12, 5, 11, 15, tzinfo=UTC)
        s.add(Award(event_id=event.id, position=1, kind=AwardKind.OWN, name="Best hat"))
    cover, *_ = texts(visitor.open(PACK))
    for words in ("Contact Olga, 555 0101", "Two dice trays.", "09:00 Check-in", "Round 1", "Event page",
                  "11:30 Break, 45 minutes", "12:15 Round 2", "14:00 Round 3", "15:30 End, then awards"):  # fmt: skip
        assert words in cover, words
    assert cover.count("Break") == 1, "the usual one between two rounds has no line"
    assert "Doors at nine." in cover and cover.count("555") == 1
    assert "Check-in from 09:00" in texts(olga.open(f"{PAGE}/desk/check-in.pdf"))[0]


def test_each_scenario_is_on_a_page_of_its_own(visitor: Person, olga: Person, stage: Stage, event: Event) -> None:
    write_scenario(olga)
    olga.open("/e/iron-open/desk/settings/rounds")
    pool = ["raiders", "scrapyard", "own-hold-the-bridge"]
    olga.press("Save", scenario_pool=pool, **{"scenarios-0": "Hold the Bridge", "scenarios-1": "Hold the Bridge"})
    first, *pages, reference, _ = texts(visitor.open(PACK))
    assert reference.startswith("Battle Mode, reference sheet")
    assert "Hold the Bridge, 90 minutes" in first and "Scenario drawn with the round, 90 minutes" in first
    assert [page.partition(" Iron Open")[0] for page in pages] == ["Hold the Bridge", "Raiders", "Scrapyard"]
    when = [("Rounds 1 and 2" in page, "May be drawn" in page) for page in pages]
    assert when == [(True, False), (False, True), (False, True)]
    for page, id_ in zip(pages[1:], ("raiders", "scrapyard"), strict=True):
        scenario = GAME.scenario(id_)
        steps = [f"{n}. {step}" for n, step in enumerate(scenario.setup, 1)]
        sentences = (*steps, *scenario.scoring, *scenario.readings)
        for words in (scenario.summary, *sentences, scenario.source):
            assert words in page, words
        places = [page.index(step) for step in steps]
        assert places == sorted(places)
        assert page.index("Set-up") < places[0] < page.index("Scoring") < page.index("What can be scored")
        assert "All objective markers 0–5" in page
    assert "Game rounds 1 to 6 0–2" in pages[1]
    assert "Game rounds 2 to 6 no limit" in pages[2]
    assert "Call a judge if one player scores more than 6 VP in a game round." in pages[2]
    assert "both banks were taken at once" in pages[0]
    olga.open("/e/iron-open/desk/settings/rounds")
    olga.press("Save", **{f"scenarios-{n}": "Raiders" for n in range(3)})
    first, *pages, _, _ = texts(visitor.open(PACK))
    assert [page.partition(" Iron Open")[0] for page in pages] == ["Raiders"], "no pool without a round that draws"
    assert "Scenario drawn with the round" not in first


def test_pack_holds_no_secret_and_is_the_same_bytes_for_everybody(
    visitor: Person, olga: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    (ada, _) = enter(event, "Adalbert", "Boudica")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.draw(event, 1)
    drawn = stage.all(Round)[0].scenario
    assert drawn
    assert len({person.open(PACK).response.data for person in (visitor, ada, olga, visitor)}) == 1
    together = " ".join(texts(visitor.open(PACK)))
    secrets = ("Adalbert", "Boudica", "Piper", "Round 1 " + GAME.scenario(drawn).name)
    assert not [secret for secret in secrets if secret in together]
    assert "Scenario drawn with the round, 90 minutes" in together
    assert len(visitor.open(PAGE).soup.select(f"main a[href^='{PACK}?paper=']")) == 2


ROUND_PACK = "/e/iron-open/desk/rounds/2/pack"
PAGES = {
    "index", "round-1", "round-2-order-name", "standings", "lists", "player-1", "rules-battle-mode",
}  # fmt: skip


def unpacked(person: Person) -> dict[str, bytes]:
    answer = person.ask("GET", f"{ROUND_PACK}.zip")
    assert (answer.status_code, answer.mimetype) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert {name.split("/")[0] for name in names} == {answer.headers["Content-Disposition"].split('"')[1][:-4]}
        return {name.partition("/")[2]: archive.read(name) for name in names}


@pytest.fixture
def played(stage: Stage, event: Event) -> Event:
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
    assert len(list(csv.reader(io.StringIO(files["csv/round-2.csv"].decode("utf-8-sig"))))) == 4
    pdf = PdfReader(io.BytesIO(files["iron-open-round-2.pdf"]))
    text = "\n".join(page.extract_text() for page in pdf.pages)
    for game in stage.games(played, 2):
        assert game.b_id is None or game.code in text.replace(" ", "").replace("-", "")
    outline = [str(entry.title).partition(" ·")[0] for entry in pdf.outline if not isinstance(entry, list)]
    assert outline[0] == "Round 2" and {"Plan of the day", "Set-up", "Standings after round 1"} <= {*outline}
    assert files["iron-open-round-2.pdf"] == olga.ask("GET", f"{ROUND_PACK}.pdf").data
    data = olga.ask("GET", f"{ROUND_PACK}.pdf?paper=a5&each=2").data
    assert len(PdfReader(io.BytesIO(data)).pages) >= 7
    assert olga.ask("GET", f"{ROUND_PACK}.pdf?paper=a3").status_code == 404


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
    app: Flask, olga: Person, played: Event, stage: Stage
) -> None:
    first = olga.ask("GET", f"{ROUND_PACK}.zip").data
    assert olga.ask("GET", f"{ROUND_PACK}.zip").data == first
    organiser, judge = (let_in(app, stage.hire(played, f"The {role}", role)) for role in (Role.ORGANISER, Role.JUDGE))
    files = unpacked(organiser)
    assert not [name for name in files if "archive" in name]
    assert "Ask the owner" in files["README.txt"].decode()
    assert [judge.open(f"{ROUND_PACK}.{kind}").status for kind in ("zip", "pdf")] == [403, 200]
    room = organiser.open("/e/iron-open/desk/print").text
    assert "Round pack" in room and "only staff may read" not in room
    assert "It contains what only staff may read" in olga.open("/e/iron-open/desk/print").text


SERVED = """<!doctype html>
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
    made = as_file(read_page(SERVED, "/e/x/"), FILES, "https://desk.org/", "<p>A copy</p>")
    assert [text for text in KEPT if text not in made] == []
    assert [text for text in GONE if text in made] == []
    alone = as_file(read_page(SERVED, "/e/x/"), FILES, "", "")
    assert "<a>up</a>" in alone and '<a href="#here">here</a>' in alone, "without a server no link leads nowhere"


def test_plan_that_passes_midnight_names_the_next_day(stage: Stage, visitor: Person) -> None:
    stage.event(starts_at="20:00", rounds=3, round_minutes=120)
    times = [tag.get_text(strip=True) for tag in visitor.open("/e/iron-open").soup.select(".day .day-time")]
    assert times == ["20:00", "22:15", "Sun 00:30", "Sun 02:30"]
