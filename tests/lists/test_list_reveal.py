"""Who reads lists in each phase: secret before the lock and the reveal, sealed, and never a draft on paper."""

import hashlib
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from bs4 import Tag
from click.testing import CliRunner
from flask import Flask

from events.lists import actions as lists_actions
from events.lists import locks
from events.rounds import actions as rounds_actions
from events.visitors.queries import link_token
from models.event import Event
from models.play import ForceList, ListSeal, Player
from models.settings import ListsInPlay, ListsShown
from service.commands.roster import roster
from tests.kit.forces import read_force, sample_force
from tests.kit.formats import publish
from tests.kit.lists import DEADLINE, MINE, PIPER, file, store_force
from tests.kit.people import Links, let_in
from tests.kit.person import PUBLISH, Enter, Page, Person, words
from tests.kit.profiles import every_nth
from tests.kit.secrets_planted import addresses, everything, read_by
from tests.kit.stage import Role, Stage
from validators.contract import Document
from validators.strict_json import canonical_text, sha256_of

FORMS = ("", "/force.json", "/force.pdf")
ME, SETTINGS, DESK = "/e/iron-open/me", "/e/iron-open/desk/settings", "/e/iron-open/desk/lists"


def readers(people: dict[str, Person], player: Player) -> set[str]:
    """Who finds the player's list at any of its addresses."""
    pages = [f"/e/iron-open/players/{player.id}{form}" for form in FORMS]
    return {
        name
        for name, person in people.items()
        if any("Pipe Wrench" in everything(person.ask("GET", page)) for page in pages)
    }


def marked_bad(page: Page) -> list[Tag]:
    """The titles of the rows whose state is marked as bad."""
    states = page.soup.select(".row-state:has(.badge-bad)")
    return [title for state in states if (title := state.find_previous_sibling(class_="row-title"))]


def test_opponents_of_the_round_read_a_secret_list(app: Flask, enter: Enter, stage: Stage, olga: Person) -> None:
    event = stage.event(lists_shown=ListsShown.AFTER_EVENT, rounds=2)
    names = ("Ada", "Bo", "Cy", "Di")
    people = dict(zip(names, enter(event, *names), strict=True)) | {"guest": Person(app), "Olga": olga}
    player = store_force(stage, "Ada")
    olga.press("Save", at=f"{SETTINGS}/lists", lists_in_play="opponents")
    assert stage.now(event).lists_in_play == ListsInPlay.OPPONENTS
    assert "opponents read each other" in olga.open("/e/iron-open").text
    assert readers(people, player) == {"Ada", "Olga"}, "before the lock"
    stage.clock.now = DEADLINE
    assert readers(people, player) == {"Ada", "Olga"}, "before round 1"
    met = set()
    for number in (1, 2):
        games = stage.publish(event, number)
        game = next(game for game in games if player.id in (game.a_id, game.b_id))
        opponent = stage.name(game.b_id if game.a_id == player.id else game.a_id)
        met.add(opponent)
        assert readers(people, player) == {"Ada", "Olga", opponent}, number
        assert people[opponent].open(ME).text.count("Their force") == 1
        ways = [a.text for a in people["Ada"].open(ME).soup.select("main a[href$='#force']")]
        assert ways == ["View my force"], "one way to the own force"
        assert "Pipe Wrench" not in people[opponent].open("/e/iron-open/lists").text
        for a_game in games:
            stage.decide(event, a_game, 2, 1)
    assert len(met) == 2, "the opponent of round 1 is another one"


SHORT = read_force(PIPER | {"name": "A short one"})
ILLEGAL = read_force(PIPER | {"models": [], "name": "One that is illegal"})
LONG = sample_force("Brotherhood of Steel", 750, seed=3)
Answers = dict[tuple[str, str], tuple[int, Any]]
"""Status and body by person and address."""


@pytest.fixture
def others(app: Flask, stage: Stage) -> tuple[Event, Player, dict[str, Person]]:
    """An event with secret lists, its player Ada, and people who must not read her list."""
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, bo = stage.enter(event, "Ada", "Bo")
    people = {
        "opponent": Person(app),
        "scorekeeper": let_in(app, stage.hire(event, "The scorekeeper", Role.SCOREKEEPER)),
    }
    people["opponent"].open(f"/p/{link_token(app.secret_key, bo)}")
    stage.draw(event, 1)
    return event, ada, people


def keep(stage: Stage, event: Event, player: Player, document: Document, *, submit: bool) -> None:
    stage.do(event, lists_actions.save_force, player, document, by_organiser=True)
    if submit:
        stage.do(event, lists_actions.submit_force, player)
    assert stage.one(ForceList, player_id=player.id)


def answers(app: Flask, stage: Stage, event: Event, about: Player, people: dict[str, Person], step: int) -> Answers:
    """The answers to these people at every address about this player, without the salted hashes of sealed lists."""
    asked = addresses(app, stage, event, **{"<int:player_id>": str(about.id), "<int:team_id>": "1"})
    asked = [text for number, text in enumerate(asked) if number % step == 0 or text.endswith("/lists")]
    found: Answers = {}
    for name, person in people.items():
        for address in asked:
            if ("/desk" in address) == (name == "scorekeeper") and "pack" not in address:
                status, body = read_by(person, address)
                lines = [re.sub(r"[0-9a-f]{64}", "HASH", line) for line in body] if isinstance(body, list) else body
                found[name, address] = status, lines
    return found


@pytest.mark.proves("G4", "I10", "attack 3")
@every_nth(9, 3)
def test_secret_lists_look_alike(
    app: Flask, stage: Stage, others: tuple[Event, Player, dict[str, Person]], step: int
) -> None:
    event, ada, people = others
    open_ = [answers(app, stage, event, ada, people, step)]
    keep(stage, event, ada, ILLEGAL, submit=False)
    open_.append(answers(app, stage, event, ada, people, step))
    keep(stage, event, ada, SHORT, submit=True)
    stage.do(event, rounds_actions.publish_round, 1, sure=True)
    locked = [answers(app, stage, event, ada, people, step)]
    keep(stage, event, ada, LONG, submit=True)
    locked.append(answers(app, stage, event, ada, people, step))
    for first, second in (open_, locked):
        other = {address for name, address in first if first[name, address] != second[name, address]}
        # A list changed after the lock has a second published hash.
        assert other == (set() if first is open_[0] else {"/e/iron-open/lists"})
        assert len([row for row in first.values() if row[0] == 200]) > 25 // step, "the control"


@pytest.mark.proves("attack 54")
@every_nth(9, 3)
def test_revealed_draft_is_like_none(
    app: Flask, stage: Stage, others: tuple[Event, Player, dict[str, Person]], step: int
) -> None:
    event, ada, people = others
    stage.do(event, rounds_actions.publish_round, 1, sure=True)
    stage.do(event, locks.reveal)
    found = [answers(app, stage, event, ada, people, step)]
    keep(stage, event, ada, LONG, submit=False)
    found.append(answers(app, stage, event, ada, people, step))
    assert found[0] == found[1]
    keep(stage, event, ada, LONG, submit=True)
    page = read_by(people["opponent"], f"/e/{event.slug}/lists")
    assert page != found[0]["opponent", f"/e/{event.slug}/lists"], "the control: a submitted list is shown"


@pytest.mark.proves("G4", "attack 54")
def test_draft_that_the_organiser_submits_after_the_lock_is_sealed_and_shown(app: Flask, stage: Stage) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    (player,) = stage.enter(event, "Ada")
    stage.force(event, player, read_force(PIPER), submit=False)
    stage.clock.now = DEADLINE
    guest = Person(app)
    assert "Piper" not in guest.open(f"/e/iron-open/players/{player.id}").text
    stage.clock.advance(hours=1)
    stage.do(event, lists_actions.submit_force, player)
    draft, submitted = stage.all(ListSeal)
    assert [(seal.submitted, seal.at) for seal in (draft, submitted)] == [(False, DEADLINE), (True, stage.clock())]
    page = guest.open("/e/iron-open/lists").text
    assert (draft.sha256 in page, submitted.sha256 in page) == (False, True)
    address = f"/e/iron-open/players/{player.id}"
    asked = ("force.json", f"sealed/{submitted.sha256}", f"sealed/{draft.sha256}")
    assert [guest.ask("GET", f"{address}/{text}").status_code for text in asked] == [200, 200, 404]
    assert stage.now(player).faction == "Survivors"
    assert stage.journal(event, "submit-force") == ["Ada submitted a list of 166 Caps after the lock"]


def set_size(olga: Person, size: int) -> None:
    page = olga.press("Save", at=f"{SETTINGS}/lists", size=str(size))
    if page.soup.select_one("#affected"):
        page = olga.press("Save and change these lists")
    assert page.flashes == "Saved."


def test_canonical_text_is_hashed_and_invalid_text_is_reported() -> None:
    assert canonical_text({"b": [1, "é"], "a": {"d": None, "c": True}}) == '{"a":{"c":true,"d":null},"b":[1,"é"]}'
    assert sha256_of("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()
    for text in ('{"a": "\\ud800"}', '{"a": 1e999}', "{", '{"a": 1, "a": 2}', "[" * 100_000):
        result = CliRunner().invoke(roster, ["hash", "-"], input=text)
        assert result.exit_code == 2
        assert result.output.startswith("! UNREADABLE  standard input")


@pytest.mark.both_at_length
def test_unchanged_list_is_submitted_once_legal_again(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, bo, _ = enter(event, "Ada", "Bo", "Cy")
    player, other = store_force(stage, "Ada"), store_force(stage, "Cy")
    olga.press("Send back with this note", at=f"{DESK}/{other.id}", **{"b-note": "Which Piper?"})
    store_force(stage, "Bo", PIPER | {"models": [{"name": "Settler", "leader": True}]})
    submitted = stage.one(ForceList, player_id=player.id).submitted_at
    olga.press("Approve", at=f"{DESK}/{player.id}")
    for size in (100, 120):
        stage.clock.advance(hours=1)
        set_size(olga, size)
        kept = stage.one(ForceList, player_id=player.id)
        assert (kept.submitted_at, kept.approved_at) == (None, None)
        assert f"now played at {size} Caps" in ada.open(ME).text
    assert "asks you to change your list" not in bo.open(ME).text
    set_size(olga, 750)
    kept = stage.one(ForceList, player_id=player.id)
    assert (kept.submitted_at, kept.sent_back_at, kept.sent_back_note) == (submitted, None, None)
    assert not kept.sent_back_by_terms
    assert [words(row) for row in marked_bad(olga.open(DESK))] == ["Cy"]
    noted = stage.one(ForceList, player_id=other.id)
    assert (noted.submitted_at, noted.sent_back_note) == (None, "Which Piper?"), "a note of the organiser stays"
    assert "not legal any more" not in ada.open(ME).text + ada.open(MINE).text
    settler = PIPER | {"models": [{"name": "Settler", "leader": True}]}
    for changed in (PIPER | {"name": "Changed, and still illegal"}, settler):
        store_force(stage, "Ada")
        set_size(olga, 100)
        store_force(stage, "Ada", changed, submit=False)
        assert stage.one(ForceList, player_id=player.id).sent_back_by_terms is (changed != settler)
        set_size(olga, 750)
        kept = stage.one(ForceList, player_id=player.id)
        assert (kept.submitted_at, kept.sent_back_at, kept.sent_back_by_terms) == (None, None, False)


@pytest.mark.proves("attack 45")
def test_lists_are_shown_for_good(visitor: Person, enter: Enter, olga: Person, stage: Stage, tmp_path: Path) -> None:
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    _, bo = enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    with stage.unchanged():
        answer = olga.post(DESK, do="reveal")
    assert answer.status_code == 422
    assert "lock them before everybody reads them" in answer.text
    stage.clock.now = DEADLINE
    mark = visitor.open("/e/iron-open").response.headers["ETag"]
    (published,) = [code.get_text() for code in bo.open("/e/iron-open/lists").soup.select(".sha")]
    assert olga.press("Show all lists now", at=DESK).flashes == "Everyone can read the lists now."
    assert mark != visitor.open("/e/iron-open").response.headers["ETag"]
    assert "Survivors" in visitor.open("/e/iron-open/players/1").part("main header"), "with the faction"
    page = visitor.open("/e/iron-open/lists")
    assert (
        page.part(".list-entry summary").startswith("AD Ada Survivors")
        and page.part(".list-entry summary .num") == "166 Caps"
    )
    assert [code.get_text() for code in page.soup.select(".sha")] == [published]
    link = next(a for a in page.soup.find_all("a") if a.get_text() == "Sealed file")
    data = visitor.http.get(str(link["href"])).data
    assert hashlib.sha256(data).hexdigest() == published, "as sha256sum prints it"
    sealed = json.loads(data)
    assert len(sealed["salt"]) == 32, "no guess at the list can be tried"
    assert sealed["force"] == json.loads(visitor.http.get("/e/iron-open/players/1/force.json").data)
    copy = tmp_path / "copy.json"
    copy.write_text(json.dumps(sealed, indent=4), encoding="utf-8")
    result = CliRunner().invoke(roster, ["hash", str(copy)])
    assert (result.exit_code, result.output) == (0, f"{published}  {copy}\n")
    sealed["force"]["models"][0]["items"].pop()
    copy.write_text(json.dumps(sealed), encoding="utf-8")
    assert published not in CliRunner().invoke(roster, ["hash", str(copy)]).output
    olga.press("Save", at=f"{SETTINGS}/lists", lists_shown="after_event")
    assert "166 Caps" in visitor.open("/e/iron-open/lists").text, "a shown list is not made secret again"
    assert stage.journal(event, "reveal-lists") == ["Everybody can read the lists"]


def test_shown_lists_begin_with_how_many_field_each_faction(
    visitor: Person, enter: Enter, olga: Person, stage: Stage
) -> None:
    enter(stage.event(lists_shown=ListsShown.ON_PRESS), "Ada", "Bo", "Cy")
    mutant = {"faction": "Super Mutants", "models": [{"name": "Brute", "leader": True}]}
    for name, force in (("Ada", {}), ("Bo", mutant), ("Cy", mutant)):
        store_force(stage, name, PIPER | force)
    stage.clock.now = DEADLINE
    olga.press("Show all lists now", at=DESK)
    key = visitor.open("/e/iron-open/lists").soup.select(".key > li")
    assert [tag.get_text(" ", strip=True) for tag in key] == ["Super Mutants 2", "Survivors 1"]
    assert all(tag.select("svg.shape") for tag in key)


@pytest.mark.proves("G4", "attack 2", "attack 54")
def test_no_paper_prints_a_secret_list_or_a_draft(enter: Enter, olga: Person, stage: Stage) -> None:
    event = stage.event(lists_shown=ListsShown.AT_LOCK)
    ada, bo = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER | {"name": "Qzlist"}), submit=player.name == "Bo")

    def printed(person: Person, sheet: str) -> str:
        return everything(person.ask("GET", f"/e/iron-open/{sheet}"))

    stage.draw(event, 1)
    assert printed(olga, "rounds/1/scoresheets.pdf").count("Leader: Piper") == 1, "before the lock"
    stage.set(event, lists_shown=ListsShown.ON_PRESS)
    stage.clock.now = DEADLINE
    (game,) = publish(stage, event, 1)
    stage.decide(event, game, 2, 1)
    papers = ("rounds/1/scoresheets.pdf", "desk/rounds/1/pack.pdf", "desk/rounds/1/records.pdf")
    for paper in papers:
        words = re.findall(r"\w+", printed(olga, paper))
        assert [name in words for name in ("Ada", "166", "Survivors", "Piper")] == [True, False, False, False], paper
    olga.press("Show all lists now", at=DESK)
    shown = [printed(olga, paper) for paper in papers]
    shown += [printed(person, f"games/{game.id}/sheet.pdf") for person in (ada, bo)]
    assert [(text.count("Leader: Piper"), "200 OK" in text) for text in shown] == [(1, True)] * 5, "Bo's alone"
    with ZipFile(BytesIO(olga.ask("GET", "/e/iron-open/desk/rounds/1/pack.zip").data)) as packed:
        names = [name for name in packed.namelist() if "/pages/" in name and name.endswith(".html")]
        pages = "".join(packed.read(name).decode() for name in names)
    assert pages.count("Pipe Wrench") == 2, "on the page of lists, and on Bo's own"


SETTLER = {"name": "Settler"}
MORE = PIPER | {"models": [*PIPER["models"], SETTLER, SETTLER]}
ONE_MORE = PIPER | {"models": [*PIPER["models"], SETTLER]}
LIST = "/e/iron-open/desk/lists/1"


@pytest.fixture
def playing(enter: Enter, olga: Person, stage: Stage) -> tuple[Event, Person]:
    """An event whose lists locked at the deadline, with Ada's list unlocked without an end before round 1."""
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, _ = enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.clock.now = DEADLINE
    assert "Unlocked" in olga.press("Unlock this list", at=LIST).flashes
    return event, ada


def change(ada: Person, form: Page, document: object) -> str:
    """Upload another list with the builder's form as opened; returns the path of the answer."""
    ada.page = form
    return ada.press("Read the list", file=file(document)).path


@pytest.mark.proves("attack 55")
@pytest.mark.both_at_length
def test_publishing_a_round_locks_unlocked_lists(playing: tuple[Event, Person], olga: Person, stage: Stage) -> None:
    event, ada = playing
    form = ada.open(MINE)
    for number in (1, 2):
        stage.draw(event, number)
        page = olga.open(f"/e/iron-open/desk/rounds/{number}")
        assert ("1 unlocked list is locked again." in page.response.text) == (number == 2)
        olga.press(f"{PUBLISH} {number}")
        player = stage.all(Player)[0]
        assert (player.list_unlocked_at, player.list_unlocked_until) == (None, None), f"round {number}"
        assert stage.journal(event, "lock-list") == ["Locked the list of Ada again"] * number
        assert change(ada, form, MORE) == "/e/iron-open/players/1", "the builder is closed"
        assert stage.one(ForceList, player_id=1).document == read_force(PIPER)
        assert "Unlocked" not in olga.open("/e/iron-open/desk/lists").part(".desk-rows")
        for game in stage.games(event, number):
            stage.decide(event, game, 2, 1)
        stage.do(event, locks.unlock, player, None)


@pytest.mark.proves("attack 55")
def test_change_after_lock_is_in_journal_and_desk(playing: tuple[Event, Person], olga: Person, stage: Stage) -> None:
    event, ada = playing
    (game,) = stage.publish(event, 1)
    assert "Changed after the lock" not in olga.open("/e/iron-open/desk/lists").text
    olga.press("Unlock this list", at=LIST)
    stage.clock.advance(minutes=5)
    form = ada.open(MINE)
    assert change(ada, form, MORE) == MINE
    assert change(ada, form, ONE_MORE) == MINE
    assert change(ada, form, ONE_MORE | {"name": "New"}) == MINE
    changes = ["166 to 246 Caps, added 2 × Settler (40 Caps each)", "246 to 206 Caps, removed Settler (40 Caps)",
               "206 Caps, the same models"]  # fmt: skip
    lines = [f"Changed the list of Ada after the lock: {words}" for words in changes]
    assert stage.journal(event, "edit-force") == lines
    journal = olga.open("/e/iron-open/desk/journal").text
    assert [words in journal for words in lines] == [True, True, True]
    stage.decide(event, game, 2, 1)
    stage.publish(event, 2)
    assert change(ada, form, MORE) == "/e/iron-open/players/1"
    assert stage.journal(event, "edit-force") == lines
    for address in ("/e/iron-open/desk/lists", "/e/iron-open/desk/lists?state=changed"):
        rows = marked_bad(olga.open(address))
        assert [words(row) for row in rows] == ["Ada"]
        assert "Changed" in olga.page.part(".row-state")
    assert "Since the lock: 166 to 206 Caps, added Settler (40 Caps)." in olga.open(LIST).text


@pytest.mark.proves("attack 55")
def test_list_checker_does_not_decide_on_their_own_list(
    playing: tuple[Event, Person], app: Flask, stage: Stage, link_of: Links
) -> None:
    event, _ = playing
    ada = stage.one(Player, name="Ada")
    checker = let_in(app, stage.hire(event, "Cleo", Role.LIST_CHECKER))
    checker.press("Continue as Ada", at=link_of(ada))
    for do in ("approve", "send-back", "unlock", "lock"):
        assert checker.post(f"/e/iron-open/desk/lists/{ada.id}", do=do).status_code == 403, do
