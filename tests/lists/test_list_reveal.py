"""Lists between lock and reveal: hashes for everybody; drafts; what the reveal proves; changed terms."""

import hashlib
import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pypdf
import pytest
from click.testing import CliRunner
from flask import Flask

from events.lists import actions as lists_actions
from models.event import Event, ListsShown
from models.play import ForceList, ListSeal, Player
from service.commands.roster import roster
from tests.kit.forces import read_force, sample_force
from tests.kit.formats import publish
from tests.kit.lists import DEADLINE, MINE, PIPER, Enter, store_force
from tests.kit.person import Person
from tests.kit.secrets_planted import everything
from tests.kit.stage import BY, Stage
from validators.canonical import canonical_text, sha256_of

ME, SETTINGS, DESK = "/e/iron-open/me", "/e/iron-open/desk/settings", "/e/iron-open/desk/lists"


@pytest.fixture
def held(enter: Enter, stage: Stage) -> list[Person]:
    """Ada with a force full of canaries and Bo in an event that keeps lists secret after the lock; Cy of another."""
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, bo = enter(event, "Ada", "Bo")
    (cy,) = enter(stage.event("Rust Cup"), "Cy")
    stage.force(event, stage.all(Player)[0], read_force(PIPER | {"name": "CANARY"}))
    return [ada, bo, cy]


@pytest.mark.proves("attack 2")
def test_sheets_for_both_players_do_not_show_a_secret_force(held: list[Person], olga: Person, stage: Stage) -> None:
    event = stage.one(Event, slug="iron-open")
    stage.clock.now = DEADLINE
    for game in stage.publish(event, 1):
        stage.decide(event, game, 2, 1)

    def printed() -> str:
        sheets = ("rounds/1/scoresheets.pdf", "desk/rounds/1/records.pdf")
        found = [pypdf.PdfReader(BytesIO(olga.http.get(f"/e/iron-open/{sheet}").data)) for sheet in sheets]
        assert "RECORD" in found[1].pages[0].extract_text()
        return "".join(page.extract_text() for one in found for page in one.pages)

    secret = printed()
    assert ("Ada" in secret, "166" in secret, "Survivors" in secret) == (True, False, False)
    olga.open(DESK)
    olga.press("Show all lists now")
    assert printed().count("166") == 2


@pytest.mark.proves("attack 45")
def test_organiser_shows_all_lists_for_good(
    app: Flask, held: list[Person], olga: Person, stage: Stage, tmp_path: Path
) -> None:
    token, before = str(olga.open(DESK).value("csrf_token")), stage.digest()
    answer = olga.ask("POST", DESK, {"csrf_token": token, "do": "reveal"})
    assert (answer.status_code, stage.digest()) == (422, before)
    assert "lock them before everybody reads them" in answer.text
    stage.clock.now = DEADLINE
    visitor = Person(app)
    mark = visitor.open("/e/iron-open").response.headers["ETag"]
    published = [code.get_text() for code in held[1].open("/e/iron-open/lists").soup.select(".sha")]
    olga.open(DESK)
    assert olga.press("Show all lists now").flashes == "Everyone can read the lists now."
    assert mark != visitor.open("/e/iron-open").response.headers["ETag"]
    page = visitor.open("/e/iron-open/lists")
    assert "Survivors · 166 Caps" in page.text
    assert "Survivors" in visitor.open("/e/iron-open/players/1").part(".lede"), "with the faction"
    check_that_the_sealed_file_has_the_published_hash(visitor, page.soup, published, tmp_path)
    olga.open(SETTINGS)
    olga.press("Save", lists_shown="after_event")
    assert "166 Caps" in visitor.open("/e/iron-open/lists").text, "a shown list is not made secret again"
    assert stage.journal(stage.one(Event, slug="iron-open"), "reveal-lists") == ["Everybody can read the lists"]


def check_that_the_sealed_file_has_the_published_hash(
    visitor: Person, lists: Any, published: list[str], folder: Path
) -> None:
    """Download the sealed file and hash it as ``sha256sum`` and ``overseer roster hash`` do."""
    assert [code.get_text() for code in lists.select(".sha")] == published
    link = next(a for a in lists.find_all("a") if a.get_text() == "Sealed file")
    data = visitor.http.get(str(link["href"])).data
    assert [hashlib.sha256(data).hexdigest()] == published
    sealed = json.loads(data)
    assert sealed["force"] == json.loads(visitor.http.get("/e/iron-open/players/1/force.json").data)
    copy = folder / "copy.json"
    copy.write_text(json.dumps(sealed, indent=4), encoding="utf-8")
    result = CliRunner().invoke(roster, ["hash", str(copy)])
    assert (result.exit_code, result.output) == (0, f"{published[0]}  {copy}\n")
    sealed["force"]["models"][0]["items"].pop()
    copy.write_text(json.dumps(sealed), encoding="utf-8")
    assert published[0] not in CliRunner().invoke(roster, ["hash", str(copy)]).output


def test_hash_is_salted_so_that_a_guess_cannot_be_tried(enter: Enter, stage: Stage) -> None:
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, _ = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.clock.now = DEADLINE
    ada.open(ME)
    first, second = stage.all(ListSeal)
    assert first.sha256 != second.sha256
    document = stage.all(ForceList)[0].document
    assert sha256_of(canonical_text(document)) not in (first.sha256, second.sha256)
    assert len(json.loads(first.text)["salt"]) == 32


def test_impossible_time_of_the_reveal_is_refused_at_its_field(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(SETTINGS)
    before = stage.digest()
    for typed, words in (
        ("", "Enter the day and the time"),
        ("2026-12-04T19:59", "Lists cannot be shown before they are locked."),
    ):
        page = olga.press("Save", lists_shown="at_time", lists_shown_from=typed)
        assert (page.status, stage.digest()) == (422, before)
        assert page.error_at("lists_shown_from").startswith(words)
    assert olga.press("Save", lists_shown="at_time", lists_shown_from="2026-12-04T20:00").flashes == "Saved."


@pytest.mark.proves("G4", "attack 54")
def test_draft_that_the_organiser_submits_after_the_lock_is_sealed_and_shown(app: Flask, stage: Stage) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    (player,) = stage.enter(event, "Ada")
    stage.force(event, player, read_force(PIPER), submit=False)
    stage.clock.now = DEADLINE
    guest = Person(app)
    assert "Piper" not in guest.open(f"/e/iron-open/players/{player.id}").text
    stage.clock.advance(hours=1)
    with stage.changing(event) as s:
        lists_actions.submit_force(s, event, player, BY, stage.clock())
    draft, submitted = stage.all(ListSeal)
    assert [(one.submitted, one.at) for one in (draft, submitted)] == [(False, DEADLINE), (True, stage.clock())]
    page = guest.open("/e/iron-open/lists").text
    assert (draft.sha256 in page, submitted.sha256 in page) == (False, True)
    address = f"/e/iron-open/players/{player.id}"
    asked = ("force.json", f"sealed/{submitted.sha256}", f"sealed/{draft.sha256}")
    assert [guest.ask("GET", f"{address}/{one}").status_code for one in asked] == [200, 200, 404]
    assert stage.now(player).faction == "Survivors"
    assert stage.journal(event, "submit-force") == ["Ada submitted a list of 166 Caps after the lock"]


@pytest.mark.proves("G4", "attack 54")
def test_no_scoresheet_or_round_pack_prints_a_draft(enter: Enter, olga: Person, stage: Stage) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    ada, bo = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER | {"name": "Qzlist"}), submit=player.name == "Bo")
    base = "/e/iron-open/"
    stage.draw(event, 1)
    assert everything(olga.ask("GET", f"{base}rounds/1/scoresheets.pdf")).count("Leader: Piper") == 1, "before the lock"
    stage.clock.now = DEADLINE
    (game,) = publish(stage, event, 1)
    printed = [
        everything(olga.ask("GET", base + one)) for one in ("rounds/1/scoresheets.pdf", "desk/rounds/1/pack.pdf")
    ]
    stage.decide(event, game, 2, 1)
    printed.append(everything(olga.ask("GET", base + "desk/rounds/1/records.pdf")))
    printed += [everything(person.ask("GET", f"{base}games/{game.id}/sheet.pdf")) for person in (ada, bo)]
    assert [(one.count("Leader: Piper"), "200 OK" in one) for one in printed] == [(1, True)] * 5, "Bo's alone"
    with ZipFile(BytesIO(olga.ask("GET", f"{base}desk/rounds/1/pack.zip").data)) as packed:
        names = [name for name in packed.namelist() if "/pages/" in name and name.endswith(".html")]
        pages = "".join(packed.read(name).decode() for name in names)
    assert pages.count("Pipe Wrench") == 2, "on the page of lists, and on Bo's own"


# ---- lists under a new size


def set_size(olga: Person, size: int) -> None:
    """Save the event's size, and confirm the lists that it changes."""
    olga.open(SETTINGS)
    page = olga.press("Save", size=str(size))
    if page.soup.select_one("#affected"):
        page = olga.press("Save and change these lists")
    assert page.flashes == "Saved."


def test_smaller_size_is_confirmed_with_the_lists_it_makes_illegal(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    one, other = stage.all(Player)
    stage.force(event, one, read_force(PIPER))
    stage.force(event, other, sample_force("Super Mutants", 750, 1))
    olga.open(f"{DESK}/{other.id}")
    olga.press("Approve")
    olga.open(SETTINGS)
    before = stage.digest()
    page = olga.press("Save", size="200")
    assert (page.status, stage.digest()) == (200, before), "nothing is saved before it is confirmed"
    assert page.rows("#affected table") == [["Bo", "Legal 748 Caps", "Illegal 748 Caps bm.size"]], "Ada's is unchanged"
    assert page.part("#affected li").startswith("1 list becomes illegal.")
    assert page.value("size") == "200"
    assert olga.press("Save and change these lists").flashes == "Saved."
    fallen = stage.one(ForceList, player_id=other.id)
    assert (fallen.submitted_at, fallen.approved_at) == (None, None)
    assert "now played at 200 Caps" in bo.open(ME).text
    assert "asks you to change your list" not in ada.open(ME).text
    olga.open(SETTINGS)
    page = olga.press("Save", size="750")
    assert page.rows("#affected table") == [["Bo", "Illegal 748 Caps bm.size", "Legal 748 Caps"]]
    page = olga.press("Save and change these lists", size="210")
    assert page.flashes == "Saved.", "a size that changes no list needs no confirmation"


@pytest.mark.both_at_length
def test_list_that_is_legal_again_is_submitted_again(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    store_force(stage, "Ada")
    submitted = stage.one(ForceList).submitted_at
    for size in (100, 120):
        stage.clock.advance(hours=1)
        set_size(olga, size)
        assert stage.one(ForceList).submitted_at is None
        assert f"now played at {size} Caps" in ada.open(ME).text
    set_size(olga, 750)
    kept = stage.one(ForceList)
    assert (kept.submitted_at, kept.sent_back_at, kept.sent_back_note) == (submitted, None, None)
    assert not kept.sent_back_by_terms
    assert "Sent back" not in olga.open(DESK).part("main table")
    assert "not legal any more" not in ada.open(ME).text + ada.open(MINE).text


def test_list_changed_since_a_new_size_stays_a_draft(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    store_force(stage, "Ada")
    set_size(olga, 100)
    ada.open(MINE)
    ada.press("Save", inside="#builder", name="Changed, and still illegal")
    assert stage.one(ForceList).sent_back_by_terms
    set_size(olga, 750)
    kept = stage.one(ForceList)
    assert (kept.submitted_at, kept.sent_back_at, kept.sent_back_by_terms) == (None, None, False)
    stage.force(event, stage.one(Player), sample_force("Super Mutants", 750, 1))
    set_size(olga, 200)
    assert stage.one(ForceList).sent_back_by_terms
    store_force(stage, "Ada", submit=False)  # fixed by the player
    kept = stage.one(ForceList)
    assert (kept.submitted_at, kept.sent_back_at, kept.sent_back_by_terms) == (None, None, False)


def test_organisers_note_outlives_a_new_size(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    olga.open(f"{DESK}/{store_force(stage, 'Ada').id}")
    olga.press("Send back with this note", **{"b-note": "Which Piper?"})
    set_size(olga, 100)
    set_size(olga, 750)
    kept = stage.one(ForceList)
    assert (kept.submitted_at, kept.sent_back_note) == (None, "Which Piper?")


def test_canonical_text_is_hashed_and_invalid_text_is_reported() -> None:
    assert canonical_text({"b": [1, "é"], "a": {"d": None, "c": True}}) == '{"a":{"c":true,"d":null},"b":[1,"é"]}'
    assert sha256_of("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()
    for text in ('{"a": "\\ud800"}', '{"a": 1e999}', "{", '{"a": 1, "a": 2}', "[" * 100_000):
        result = CliRunner().invoke(roster, ["hash", "-"], input=text)
        assert result.exit_code == 2
        assert result.output.startswith("! UNREADABLE  standard input")
