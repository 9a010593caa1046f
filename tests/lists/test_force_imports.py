"""Forces read from files and texts of any program, within limits; undo and redo in the builder."""

import json
import re
import string
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from markupsafe import escape

from events.lists import actions as lists_actions
from events.lists.actions import MOST_STEPS
from events.store.act import Act
from events.web.http import is_expensive
from models.play import ForceList, ForceStep, ListSeal, Player
from tests.kit.forces import SYSTEM, read_force, sample_force
from tests.kit.lists import DEADLINE, EVERY_GAME, MINE, PIPER, event_of_game, file
from tests.kit.person import SUBMIT_FORCE, Enter, Page, Person
from tests.kit.profiles import full_run
from tests.kit.stage import BY, Event, Stage
from tests.validators.imports.rosters import BATTLESCRIBE_TEXT, BUILDER_TEXT, SAMPLE, SETTLER, ros, rosz
from validators import SYSTEMS
from validators.contract import Terms
from validators.game_system import GameSystem
from validators.names import MOST_SEARCHED, nearest


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    (ada,) = enter(event, "Ada Ωmega")
    ada.open(MINE)
    return ada


def test_file_of_another_program_is_read_and_explained(ada: Person, stage: Stage) -> None:
    page = ada.press("Read the list", at=MINE, file=("list.ros", SAMPLE))
    for words in (
        "Dogmeat Scout [100 Caps]",
        "Dog Bite is built in",
        "450",
        "Piper is taken as the Leader, for the card",
    ):
        assert words in page.text, words
    page = ada.press("Use this list")
    assert "The force was read and saved. Nothing is submitted until you press Submit." in page.flashes
    kept = stage.one(ForceList)
    assert (len(kept.document["models"]), kept.submitted_at) == (4, None)
    ada.press("Read the list", at=MINE, file=("list.txt", BATTLESCRIBE_TEXT.encode()))
    ada.press("Use this list")
    assert len(stage.now(kept).document["models"]) == 4
    ada.press(SUBMIT_FORCE, at=MINE)
    ada.press("Read the list", at=MINE, file=("list.ros", SAMPLE))
    page = ada.press("Use this list")
    assert "It replaced your submitted one, and counts as it is now." in page.flashes
    assert "nothing is submitted" not in page.text.lower() and stage.now(kept).submitted_at


def test_pasted_list_or_one_of_another_edition_is_read(ada: Person, stage: Stage, event: Event) -> None:
    page = ada.press("Read the list", text=BUILDER_TEXT.replace("Piper", "Pipper").replace("\n", "\r\n"))
    assert "254 read + 128 to answer = your 382." in page.text
    assert "“Pipper” read as Piper" in page.text and "Paladin Danse is no model of Survivors" in page.text
    page = ada.press("Keep it with 2 questions open")
    for rule in ("bm.cost", "bm.faction"):
        assert rule in page.part("#verdict")
    assert stage.one(ForceList).document["models"][0]["name"] == "Piper"
    page = ada.press("Read the list", file=file(PIPER | {"edition": "2099-01"}), text=BUILDER_TEXT)
    assert stage.one(ForceList).document["models"][0]["name"] == "Piper", "a file is read before a text"
    assert "made with the edition '2099-01'; it was read by “Force lists 1.0, August 2018”." in page.text
    assert stage.one(ForceList).document["edition"] == event.edition


def test_every_export_is_read_back(ada: Person, enter: Enter, stage: Stage, event: Event) -> None:
    document = sample_force("Survivors", 750, 5)
    (bo,) = enter(event, "Bo")
    ada.press("Read the list", file=file(document))
    links = [str(a["href"]) for a in ada.page.soup.find_all("a")]
    for known in SYSTEM.forces.files.formats:
        link = next(text for text in links if text.endswith(f"force.{known.id}"))
        out = ada.open(link).response
        assert (out.status_code, out.mimetype) == (200, known.mimetype)
        assert out.headers["Content-Disposition"].startswith(f'attachment; filename="ada-mega-force.{known.id}"')
        assert out.headers["X-Content-Type-Options"] == "nosniff"
        assert bo.open(link).status == 404, "a draft is the player's own"
        bo.press("Start" if len(stage.all(ForceList)) == 1 else "Delete and start again", at=MINE, faction="Survivors")
        bo.press("Read the list", at=MINE, file=(f"list.{known.id}", out.data))
        if known.id == "txt":
            bo.press("Use this list")
        assert [kept.document for kept in stage.all(ForceList)] == [document, document], known.id
    assert ada.open(link.replace(f"force.{known.id}", "force.exe")).status == 404


@pytest.mark.proves("attack 36", "attack 37", "attack 38", "F24", "ASVS 5.2.2")
def test_hostile_file_or_text_is_refused_and_nothing_is_stored(ada: Person, stage: Stage) -> None:
    form, before = ada.page, stage.digest()
    for data, words in (
        (b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><roster name="&a;"/>', "document type"),
        (ros(SETTLER, game="Warhammer 40,000"), "a roster of Warhammer 40,000, not of Fallout"),
        (rosz(b"\0" * 3_000_000), "unpacks to more than"),
        (b"<roster>" * 50_000, "nested too deeply"),
        (b"", "it is empty"),
        (json.dumps(PIPER | {"models": [{"name": "Settler", "count": 99}] * 10}).encode(), "990 models, at most 200"),
        (b" " * 2_000_001, "at most 2000000 are read"),
    ):
        ada.page = form
        page = ada.press("Read the list", file=("list.ros", data))
        assert (page.status, words in page.error_at("file"), stage.digest()) == (422, True, before)
        assert words not in page.errors, "said once"
        assert "This cannot be read as a force." in page.error_at("file")
    for text in ("my army", "Nobody (5 caps)", "?", "a\0b", "<script>alert(1)</script>", "{}"):
        ada.page = form
        page = ada.press("Read the list", text=text)
        assert (page.status, page.value("text"), stage.digest()) == (422, text, before)
        assert "This cannot be read as a force." in page.error_at("text")
        assert "<script>alert" not in page.response.text
        assert "the file:" not in page.error_at("text")
    ada.page = form
    assert ada.press("Read the list").error_at("file") == "Please choose a file, or paste a text or a link."
    (example,) = set(re.findall(r"“(2x Settler .+?)”", ada.press("Read the list", text="my army").error_at("text")))
    ada.press("Read the list", text=example)
    assert ada.press("Use this list").flashes, "the example is read"


GAMES = list(SYSTEMS.values())
DICE = Random(17)
SPECIAL = ("strength", "perception", "endurance", "charisma", "intelligence", "agility", "luck")


def noise(length: int) -> str:
    return "".join(DICE.choices(string.ascii_lowercase, k=length))


def unknown_parts(game: str, parts: int, each: int, length: int) -> dict[str, Any]:
    """A force of ``parts`` models or squads with ``each`` items, whose names are all unknown."""
    names = [[noise(length) for _ in range(each)] for _ in range(parts)]
    things = [[{"name": name} for name in own] for own in names]
    match game:
        case "battle_mode" | "fallout_skirmish":
            named = "name" if game == "battle_mode" else "rank"
            return {"models": [{named: noise(length), "items": own} for own in things]}
        case "fallout_warfare":
            return {"squads": [{"models": [{"name": noise(length), "items": own}]} for own in names]}
        case "new_vegas":
            special = dict.fromkeys(SPECIAL, 1)
            line = [{"name": noise(length), "special": special, "weapons": own} for own in names]
            return {"squads": [{"name": noise(length), "class": noise(length), "models": [entry]} for entry in line]}
    scores = dict.fromkeys(("STR", "PE", "EN", "CH", "IN", "AG", "LK"), 1)
    return {"models": [{"special": scores, "items": own} for own in things]}


def force_file(game: GameSystem, content: dict[str, Any]) -> tuple[str, bytes]:
    edition = game.editions[0]
    head = {"system": game.id, "edition": edition.id, "faction": edition.factions[0]}
    return "force.json", json.dumps(head | content).encode()


TOO_LARGE: list[tuple[str, dict[str, Any]]] = [
    ("battle_mode", unknown_parts("battle_mode", 190, 1, 79)),  # of few entries, but of more than 32 KB
    ("fallout_skirmish", unknown_parts("fallout_skirmish", 100, 40, 70)),
    ("fallout_warfare", unknown_parts("fallout_warfare", 100, 20, 70)),
    ("new_vegas", unknown_parts("new_vegas", 60, 12, 70)),
    ("skill_combat", unknown_parts("skill_combat", 20, 60, 70)),
    # Small files whose copied models would be stored one by one:
    ("battle_mode", {"models": [{"name": "Settler", "perks": [noise(70) for _ in range(50)], "count": 99}]}),
    ("fallout_skirmish", {"models": [{"rank": "Raider", "perks": [noise(70) for _ in range(50)], "count": 99}]}),
]  # fmt: skip


ALLOWED = {
    "battle_mode": (140, 3, 9),
    "fallout_skirmish": (200, 2, 9),
    "fallout_warfare": (100, 4, 9),
    "new_vegas": (48, 10, 9),
    "skill_combat": (20, 28, 9),
}
"""About the most unknown names in a list of each game: parts, items in each, letters in a name."""


@pytest.mark.proves("attack 59")
@pytest.mark.parametrize("game", full_run(GAMES, GAMES[:2]), ids=lambda game: game.id)
def test_list_is_refused_if_too_large_or_read_with_few_searches(enter: Enter, stage: Stage, game: GameSystem) -> None:
    (ada,) = enter(event_of_game(stage, game), "Ada")
    for content in (content for id_, content in TOO_LARGE if id_ == game.id):
        page = ada.press("Read the list", at=f"{EVERY_GAME}/me/force", file=force_file(game, content))
        assert (page.status, "This list is too large:" in page.response.text) == (422, True)
    assert stage.all(ForceList) == []
    searched = nearest.cache_info().misses
    page = ada.press(
        "Read the list", at=f"{EVERY_GAME}/me/force", file=force_file(game, unknown_parts(game.id, *ALLOWED[game.id]))
    )
    assert page.status == 200
    document = stage.one(ForceList).document
    assert nearest.cache_info().misses - searched <= 8 * MOST_SEARCHED
    verdict = game.checks.check(document, Terms(game.editions[0], game.default_size))
    found = len(verdict.problems) + len(verdict.queries)
    assert 400 < found < 1000
    shown = page.soup.select("#verdict .problem-list > li")
    assert (len(shown), shown[-1].text) == (51, f"and {found - 50} more")
    assert game.forces.fixes(document, Terms(game.editions[0], game.default_size)) == ()


@pytest.mark.proves("attack 59")
def test_builder_form_or_text_past_the_limit_is_refused(enter: Enter, stage: Stage) -> None:
    game = SYSTEMS["battle_mode"]
    (ada,) = enter(event_of_game(stage, game), "Ada")
    ada.open(f"{EVERY_GAME}/me/force")
    ada.press("Read the list", file=force_file(game, {"models": [{"name": "Settler"}] * 200}))
    before = stage.one(ForceList).document
    fields = {str(tag["name"]): str(tag.get("value", "")) for tag in ada.page.soup.select("#builder input[name]")}
    answer = ada.ask("POST", f"{EVERY_GAME}/me/force", data=fields | {"do": "duplicate-model:0"})
    assert answer.status_code == 422
    assert "This list is too large: models: holds more than 200 entries" in answer.text
    text = force_file(game, TOO_LARGE[-2][1])[1].decode()
    page = ada.press("Read the list", text=text)
    assert (page.status, "This list is too large:" in page.response.text) == (422, True)
    assert escape(text) in page.response.text, "the pasted text is kept"
    assert stage.one(ForceList).document == before
    assert is_expensive("lists.own_list", "/e/<slug>/me/force", "GET")


@pytest.fixture
def piper(enter: Enter, event: Event) -> Person:
    """A player in the builder, with Piper in the force and a history of two documents."""
    (piper,) = enter(event, "Ada")
    piper.press("Start", at=MINE, faction="Survivors")
    piper.press("Read the list", file=file(PIPER))
    return piper


def models(stage: Stage) -> list[str]:
    return [model["name"] for model in stage.all(ForceList)[0].document["models"]]


def enabled(page: Page) -> list[str]:
    buttons = page.soup.select("button[value=undo], button[value=redo]")
    return [str(button["value"]) for button in buttons if not button.has_attr("disabled")]


def save(piper: Person, **fields: str) -> None:
    piper.press("Save", inside="#builder", **fields)
    piper.open(MINE)


def test_changes_are_undone_and_redone_in_order(piper: Person, enter: Enter, event: Event, stage: Stage) -> None:
    (bo,) = enter(event, "Bo")
    assert enabled(bo.press("Start", at=MINE, faction="Super Mutants")) == [], "each force has its own history"
    piper.press("Choose a model")
    piper.press("Add the model", add_model="Settler")
    piper.press("Add the model", add_model="Dog")
    assert enabled(piper.open(MINE)) == ["undo"], "after a reload too"
    piper.press("Undo")
    assert models(stage) == ["Piper", "Settler"]
    piper.press("Undo")
    assert models(stage) == ["Piper"]
    assert enabled(piper.open(MINE)) == ["undo", "redo"]
    piper.press("Redo")
    piper.press("Redo")
    assert models(stage) == ["Piper", "Settler", "Dog"]
    assert enabled(piper.page) == ["undo"]
    for _ in range(3):
        piper.press("Undo")
    assert (models(stage), enabled(piper.page)) == ([], ["redo"]), "an uploaded file is undone too"
    piper.press("Redo")
    piper.press("Choose a model")
    piper.press("Add the model", add_model="Dog")
    assert enabled(piper.page) == ["undo"], "a new change ends what could be redone"
    piper.forge("Save", inside="#builder", do="redo")
    assert models(stage) == ["Piper", "Dog"]
    piper.press("Undo")
    assert piper.press("Undo", name="Typed just now").value("name") == "", "the unsaved name is the newest change"
    assert models(stage) == ["Piper"]
    assert piper.press("Redo").value("name") == "Typed just now"


def test_typing_is_one_step_until_a_pause(piper: Person, stage: Stage) -> None:
    kept = len(stage.all(ForceStep))
    stage.clock.advance(minutes=1)
    for typed in ("P", ""):
        save(piper, name=typed)
    assert len(stage.all(ForceStep)) == kept, "typed and deleted again leaves no step"
    for typed in ("P", "Pr", "Press"):
        save(piper, name=typed)
        stage.clock.advance(seconds=1)
    assert piper.press("Undo").value("name") == ""
    assert piper.press("Redo").value("name") == "Press"
    stage.clock.advance(minutes=1)
    save(piper, name="Press & Co")
    assert piper.press("Undo").value("name") == "Press"
    save(piper, m0__i0__count="2")
    save(piper, m0__i1__count="2")
    piper.press("Undo")
    counts = [item["count"] for item in stage.one(ForceList).document["models"][0]["items"]]
    assert counts == [2, 1, 3], "two counts are two steps"


def test_history_is_bounded(piper: Person, stage: Stage, event: Event) -> None:
    player = stage.one(Player)
    for number in range(MOST_STEPS):
        with stage.changing(event) as s:
            document = PIPER | {"name": f"Name {number}"}
            lists_actions.save_force(
                Act(s, event, BY, stage.clock()), player, read_force(document), by_organiser=False, own_step=True
            )
    assert len(stage.all(ForceStep)) == MOST_STEPS
    for _ in range(MOST_STEPS):
        stage.do(event, lists_actions.step_force, player, by_organiser=False, undone=False)
    assert (models(stage), stage.one(ForceList).document["name"]) == (["Piper"], ""), "the oldest two are forgotten"
    assert len(stage.all(ForceStep)) == MOST_STEPS
    assert enabled(piper.open(MINE)) == ["redo"]


def test_suggested_fix_and_new_start_are_undone(piper: Person, stage: Stage) -> None:
    piper.press("Delete and start again", faction="Super Mutants")
    piper.press("Undo", at=MINE)
    assert models(stage) == ["Piper"]
    save(piper, m0__i2__count="99")
    save(piper, m0__i0__count="40")
    too_large = stage.one(ForceList).document
    assert piper.page.part("#way-1").startswith("Lower "), "a change of one count, but a step of its own"
    piper.press(next(str(b.get_text(strip=True)) for b in piper.page.soup.select("#fixes button")))
    assert stage.one(ForceList).document != too_large
    piper.press("Undo")
    assert stage.one(ForceList).document == too_large


def test_undo_restores_an_earlier_document_in_the_events_edition(piper: Person, stage: Stage, olga: Person) -> None:
    piper.press("Choose a model")
    piper.press("Add the model", add_model="Settler")
    olga.open("/e/iron-open/desk/settings/lists")
    assert "Ada" in olga.press("Save", edition="2022-community").part("#affected"), "its costs are others"
    olga.press("Save and change these lists")
    piper.press("Undo", at=MINE)
    assert (stage.one(ForceList).document["edition"], models(stage)) == ("2022-community", ["Piper"])


def test_after_the_lock_only_the_organiser_undoes(piper: Person, stage: Stage, event: Event, olga: Person) -> None:
    piper.press("Choose a model")
    piper.press("Add the model", add_model="Settler")
    piper.press(SUBMIT_FORCE)
    piper.open(MINE)
    stage.clock.now = DEADLINE + timedelta(minutes=1)
    before = models(stage)
    assert (piper.press("Undo").path != MINE, models(stage)) == (True, before)
    (sealed,) = stage.all(ListSeal)
    olga.press("Undo", at=f"/e/iron-open/desk/players/{stage.one(ForceList).player_id}/force")
    assert models(stage) == ["Piper"]
    assert [seal.by for seal in stage.all(ListSeal)] == [sealed.by, "owner Olga"]
    assert not olga.page.soup.select("[value=submit]"), "it is submitted as it is"
    assert stage.journal(event, "edit-force") == [
        "Changed the list of Ada after the lock: 206 to 166 Caps, removed Settler (40 Caps)"
    ]
