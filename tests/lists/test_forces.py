"""A force from its faction to its reveal: built without script, uploaded, submitted, secret, locked and shown."""

import json

import pytest
from flask import Flask

from models.event import Event
from models.play import ForceList, Player
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, MINE, PIPER, Enter, file
from tests.kit.person import Person
from tests.kit.stage import Stage


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    """A player in the builder, without a force."""
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    return ada


@pytest.fixture
def piper(ada: Person) -> Person:
    """The same player with Piper in the builder."""
    ada.press("Read the list", file=file(PIPER))
    return ada


# ---- the builder, without script


def test_force_is_built_and_submitted(ada: Person, stage: Stage, event: Event) -> None:
    assert ada.open("/e/iron-open/me").soup.find("a", href=MINE)
    ada.open(MINE)
    page = ada.press("Start", faction="Survivors")
    assert (page.path, page.part(".tally-value")) == (MINE, "0 of 750 Caps")
    ada.press("Add the model", add_model="Piper, 76")
    assert ada.page.part("#m0-name") == "Piper"
    assert "Leader" in ada.page.part("#m0 summary")
    assert ada.page.value("leader") == "0", "the first model is the Leader until another is marked"
    ada.press("Add weapon or item to Piper", m0__heroic=True, m0__add_item="Pipe Pistol")
    ada.press("Add weapon or item to Piper", m0__add_item="Pipe Wrench")
    ada.press("Add weapon or item to Piper", m0__add_item="Baseball Grenade")
    items = ("m0.i0", "m0.i1", "m0.i2")
    grenades = next(item for item in items if ada.page.value(f"{item}.name") == "Baseball Grenade")
    page = ada.press("Save", inside="#builder", **{f"{grenades}.count": "3"})
    assert page.flashes == "Saved."
    assert page.part(".tally-value") == "166 of 750 Caps", "the rulebook's own example"
    assert page.part(".builder-verdict b") == "Legal"
    page = ada.press("Add perk to Piper", m0__add_perk="Sneak", leader_card="Commander", name="Press & Co")
    assert page.part(".tally-value") == f"{166 + 20 + 55} of 750 Caps"
    assert stage.one(ForceList).submitted_at is None
    page = ada.press("Submit this force")
    assert page.path == "/e/iron-open/me"
    assert "Submitted." in page.flashes
    assert "241 of 750 Caps" in page.text
    kept = stage.one(ForceList)
    assert kept.submitted_at is not None
    assert (kept.document["name"], kept.document["models"][0]["leader_card"]) == ("Press & Co", "Commander")
    assert stage.journal(event, "submit-force") == ["Ada submitted a list of 241 Caps"]


def test_builder_opens_at_once_where_the_faction_is_known(ada: Person, stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        s.get_one(Player, 1).faction = "Survivors"
    page = ada.open(MINE)
    assert page.part(".tally-value") == "0 of 750 Caps"
    assert not stage.all(ForceList), "looking stores nothing"
    assert ada.press("Submit this force").status == 422, "no model yet"
    ada.press("Add the model", add_model="Piper, 76")
    assert stage.one(ForceList).document["faction"] == "Survivors"


def test_a_choice_that_was_not_added_is_never_lost(piper: Person, stage: Stage) -> None:
    page = piper.press("Submit this force", m0__add_item="Baseball Grenade", add_model="Settler", name="Typed")
    assert (page.status, stage.one(ForceList).submitted_at) == (422, None)
    assert "“Baseball Grenade” is chosen but not added." in page.errors
    assert "“Settler” is chosen but not added." in page.errors
    assert (page.value("m0.add_item"), page.value("add_model")) == ("Baseball Grenade", "Settler")
    assert page.soup.select_one("details#m0[open]"), "its card is open"
    assert stage.one(ForceList).document["name"] == "Typed"
    piper.press("Submit this force", m0__add_item="", add_model="")
    assert stage.one(ForceList).submitted_at


def test_models_and_items_are_removed_and_copied(piper: Person, stage: Stage) -> None:
    def label(do: str) -> str:
        return next(str(b["aria-label"]) for b in piper.page.soup.find_all("button") if b.get("value") == do)

    assert piper.press("Take out Pipe Wrench").part(".tally-value") == "159 of 750 Caps"
    piper.press("Add the model", add_model="Settler")
    piper.press(label("duplicate-model:1"))
    assert len(stage.one(ForceList).document["models"]) == 3
    assert not piper.press(label("remove-model:0")).soup.select_one("#m2")
    assert "bm.leader" in piper.page.part("#verdict"), "the Leader was removed"
    assert piper.press("Save", inside="#builder", leader="1").part(".builder-verdict b") == "Legal"
    piper.press("Delete and start again", faction="Super Mutants")
    document = stage.one(ForceList).document
    assert (document["faction"], document["models"]) == ("Super Mutants", [])


def test_stale_tab_overwrites_nothing(piper: Person, stage: Stage, olga: Person) -> None:
    stale = piper.open(MINE)
    piper.press("Add the model", add_model="Settler")
    piper.press("Submit this force")
    kept, before = stage.one(ForceList), stage.digest()
    for button in ("Submit this force", "Take out Pipe Wrench", "Undo", "Save"):
        piper.page = stale
        page = piper.press(button, inside="#builder", name="The old tab")
        assert page.status == 409
        assert "This list was changed elsewhere" in page.text
        assert page.value("name") == "The old tab", "the typed text is kept"
        assert piper.press("Save", inside="#builder").status == 409, "until the page is reloaded"
    assert stage.digest() == before
    theirs = olga.open(f"/e/iron-open/desk/players/{kept.player_id}/force")
    piper.open(MINE)
    piper.press("Save", inside="#builder", name="Newest")
    olga.page = theirs
    assert olga.press("Save", inside="#builder", name="On behalf").status == 409
    assert stage.one(ForceList).document["name"] == "Newest"


def test_illegal_force_stays_a_draft_and_names_its_rules(ada: Person, stage: Stage) -> None:
    leader = PIPER["models"][0]
    too_much = PIPER | {"models": [leader | {"items": [{"name": "Pipe Pistol", "count": 99}] * 2}]}
    page = ada.press("Read the list", file=file(too_much))
    for words in ("bm.size", str(76 + 60 + 2 * 99 * 5), "750"):
        assert words in page.part("#verdict")
    assert page.soup.select_one('#verdict a.rule[href="/rules/battle-mode#bm.size"]')
    assert page.part("#verdict .fix"), "a suggested fix"
    ada.press("Read the list", file=file(PIPER | {"models": [leader, {"name": "Settler", "leader": True}]}))
    page = ada.press("Submit this force", name="Two heads")
    assert page.status == 422
    assert "This force is not legal yet, and kept as a draft. 2 Leaders, 1 allowed." in page.flashes
    kept = stage.one(ForceList)
    assert (kept.submitted_at, kept.document["name"]) == (None, "Two heads")
    assert "Draft" in ada.open("/e/iron-open/me").text


def test_submitted_force_becomes_a_draft_once_illegal(piper: Person, stage: Stage) -> None:
    piper.press("Submit this force")
    piper.open(MINE)
    piper.press("Save", inside="#builder", m0__i0__count="99")
    assert stage.one(ForceList).submitted_at is not None, "631 Caps are legal"
    piper.press("Save", inside="#builder", m0__i2__count="99")
    assert stage.one(ForceList).submitted_at is None


def test_suggested_fix_makes_the_force_legal(piper: Person, stage: Stage) -> None:
    assert not piper.page.soup.select_one("#fixes"), "a legal force needs none"
    wrong = PIPER | {"models": [PIPER["models"][0] | {"perks": ["Snek"]}, {"name": "Settler", "leader": True}]}
    piper.press("Read the list", file=file(wrong))
    assert piper.page.part("#way-1") == "Take out Piper"
    assert piper.page.part("#way-2") == "Replace the perk Snek on Piper by Sneak Make Piper the Leader"
    before = stage.digest()
    page = piper.forge("Save", inside="#builder", do="fix:0123456789ab", name="Typed")
    assert (page.status, page.value("name"), stage.digest()) == (409, "Typed", before), "no fix has this key"
    assert "has changed since these fixes were suggested" in page.errors
    total = 166 + 20 + 40
    page = piper.press(f"Apply these: {total} of 750 Caps", name="Typed before")
    assert page.part(".tally-value") == f"{total} of 750 Caps"
    assert page.part(".builder-verdict b").startswith("Legal")
    document = stage.one(ForceList).document
    assert (document["name"], document["models"][0]["perks"]) == ("Typed before", ["Sneak"])


def test_search_narrows_the_choice_and_saves_the_form(piper: Person, stage: Stage) -> None:
    page = piper.press("Find", find="sett", name="Typed before", add_model="Dog")
    assert page.path == MINE
    assert [str(o["value"]) for o in page.soup.select("#add_model option[data-caps]")] == ["Settler"]
    assert "1 found" in page.part("#add_model")
    assert stage.one(ForceList).document["name"] == "Typed before"
    assert "Settler" in piper.press("Add the model").part("#m1-name"), "the only match is chosen"
    page = piper.press("Save", inside="#builder")
    assert (page.value("find"), page.value("name")) == ("sett", "Typed before")
    assert "found" not in piper.press("Find", find="").part("#add_model")


def test_tampered_builder_form_is_refused_and_changes_nothing(piper: Person, stage: Stage) -> None:
    form, before = piper.page, stage.digest()
    for field, value, words in (
        ("m0__i0__count", "0", "is not 1 to 99"),
        ("m0__i0__count", "9" * 5000, "is not 1 to 99"),
        ("name", "a\x00b", "holds a control character"),
        ("do", "remove-model:77", "at an unknown place"),
    ):
        piper.page = form
        page = piper.forge("Save", inside="#builder", **{field: value})
        assert (page.status, words in page.errors, stage.digest()) == (422, True, before), (field, page.errors)
        assert page.part(".tally-value") == "166 of 750 Caps", "the builder is still shown"
    piper.page = form
    page = piper.forge("Delete and start again", faction="Vikings")
    assert (page.status, bool(page.error_at("faction")), stage.digest()) == (422, True, before)


# ---- files


def test_file_that_is_no_force_is_refused_in_words(ada: Person, stage: Stage) -> None:
    form, before = ada.page, stage.digest()
    for sent, words in (
        (b"", "it is empty"),
        (
            json.dumps(PIPER | {"models": [{"name": "Settler", "count": 99}] * 10}).encode(),
            "This list is too large: 990 models, at most 200",
        ),
        (b" " * 2_000_001, "at most 2000000 are read"),
    ):
        ada.page = form
        page = ada.press("Read the list", file=("f.json", sent))
        assert page.status == 422, words
        assert "This file cannot be read as a force." in page.error_at("file")
        assert words in page.error_at("file")
    ada.page = form
    page = ada.press("Read the list")
    assert (page.status, page.error_at("file")) == (422, "Please choose a file, or paste a text.")
    page = ada.press("Read the list", file=("f.json", b" " * 3_000_000))
    assert (page.status, page.part("h1")) == (413, "Too large")
    assert stage.digest() == before


# ---- secrecy


@pytest.fixture
def secret(enter: Enter, stage: Stage, event: Event) -> list[Person]:
    """Ada with a submitted force whose every name is a canary, Bo who will meet her, Cy of another event."""
    ada, bo = enter(event, "Ada", "Bo")
    (cy,) = enter(stage.event("Rust Cup"), "Cy")
    stage.force(event, stage.all(Player)[0], read_force(PIPER | {"name": "CANARY"}))
    return [ada, bo, cy]


def test_publishing_round_1_shows_lists_and_factions(app: Flask, enter: Enter, stage: Stage) -> None:
    event = stage.event(list_deadline=None)
    ada, _ = enter(event, "Ada", "Bo")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    assert "No faction yet" in ada.open("/e/iron-open/players/1").text
    visitor = Person(app)
    stage.draw(event, 1)
    assert "Lists are secret until round 1 is published" in visitor.open("/e/iron-open/lists").text
    stage.publish(event, 1)
    assert "166 Caps" in visitor.open("/e/iron-open/lists").text
    assert "Survivors" in ada.open("/e/iron-open/players/1").part("header .lede, .lede")
    assert "Survivors" in ada.open("/e/iron-open/rounds/1").text


def test_lists_of_waiting_players_are_not_shown(app: Flask, stage: Stage) -> None:
    event = stage.event(places=1)
    for player in stage.enter(event, "Ada", "Bo", here=False):
        stage.force(event, player, read_force(PIPER))
    stage.clock.now = DEADLINE
    assert Person(app).open("/e/iron-open/lists").text.count("166 Caps") == 1


# ---- the lock


def test_organisers_changes_of_a_locked_list_are_in_the_journal(
    secret: list[Person], olga: Person, stage: Stage, event: Event
) -> None:
    stage.clock.now = DEADLINE
    olga.open(f"/e/iron-open/desk/players/{stage.all(Player)[0].id}/force")
    olga.press("Take out Pipe Wrench")
    olga.press("Save", inside="#builder", name="Corrected")
    before, after = ("Piper, Heroic, Leader; Pipe Pistol, Pipe Wrench, 3 × Baseball Grenade (166 Caps)",
                     "Piper, Heroic, Leader; Pipe Pistol, 3 × Baseball Grenade (159 Caps)")  # fmt: skip
    assert stage.journal(event, "edit-force") == [
        f"Changed the list of Ada after the lock: 166 to 159 Caps, added {after}; removed {before}",
        "Changed the list of Ada after the lock: 159 Caps, the same models",
    ]
    assert olga.press("Submit this force").path == "/e/iron-open/desk/lists"
