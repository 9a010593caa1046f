"""A force from the first choice to its reveal: built by hand, read from a file, submitted, secret, locked, shown."""

import json
from typing import Any

import pytest
from flask import Flask

from models.event import Event
from models.play import ForceList, Player
from tests.conftest import Clock
from tests.kit.forces import SYSTEM, read_force, sample_force
from tests.kit.lists import DEADLINE, MINE, PIPER, Enter, canaries_in, file, pages_about
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators.contract import Document


def problems(person: Person) -> str:
    """What the verdict of the open builder says."""
    return person.page.part("#verdict")


# ---- the builder, without script


def test_a_force_is_built_from_the_faction_to_submitted(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open("/e/iron-open/me")
    assert ada.page.soup.find("a", href=MINE)
    ada.open(MINE)
    page = ada.press("Start", faction="Survivors")
    assert (page.path, page.part(".tally-value")) == (MINE, "0 of 750 Caps")
    ada.press("Add the model", add_model="Piper, 76")
    assert ada.page.part("#m0-name") == "Piper"
    assert ada.page.value("leader") == "0", "the first model is the Leader until another is marked"
    ada.press("Add weapon or item to Piper", m0__heroic=True, m0__add_item="Pipe Pistol")
    ada.press("Add weapon or item to Piper", m0__add_item="Pipe Wrench")
    ada.press("Add weapon or item to Piper", m0__add_item="Baseball Grenade")
    grenades = next(
        key for key in ("m0.i0", "m0.i1", "m0.i2") if ada.page.value(f"{key}.name") == "Baseball Grenade"
    ).replace(".", "__")
    page = ada.press("Save", inside="#builder", **{f"{grenades}__count": "3"})
    assert page.flashes == "Saved."
    assert page.part(".tally-value") == "166 of 750 Caps", "the rulebook's own example"
    assert "Nothing to mend at 750 Caps." in problems(ada)
    page = ada.press("Add perk to Piper", m0__add_perk="Sneak", leader_card="Commander", name="Press & Co")
    assert page.part(".tally-value") == f"{166 + 20 + 55} of 750 Caps"
    assert stage.one(ForceList).submitted_at is None
    page = ada.press("Submit this force")
    assert page.path == "/e/iron-open/me"
    assert "Submitted. You can still change it until the deadline." in page.flashes
    assert "241 of 750 Caps" in page.text
    kept = stage.one(ForceList)
    assert kept.submitted_at is not None
    assert (kept.document["name"], kept.document["models"][0]["leader_card"]) == ("Press & Co", "Commander")
    assert stage.journal(event, "submit-force") == ["Ada submitted a force of 241 Caps"]


def test_models_items_and_perks_are_taken_out_again(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    page = ada.press("Take out Pipe Wrench")
    assert page.part(".tally-value") == "159 of 750 Caps"
    ada.press("Add the model", add_model="Settler")
    label = next(
        str(b["aria-label"]) for b in ada.page.soup.find_all("button") if b.get("value") == "duplicate-model:1"
    )
    ada.press(label)
    assert len(stage.one(ForceList).document["models"]) == 3
    assert ada.page.soup.select_one("#m2")
    take_out = next(
        str(b["aria-label"]) for b in ada.page.soup.find_all("button") if b.get("value") == "remove-model:0"
    )
    page = ada.press(take_out)
    assert not page.soup.select_one("#m2")
    assert "bm.leader" in problems(ada), "the Leader was taken out"
    assert ada.press("Save", inside="#builder", leader="1").part("#verdict .badge") == "Legal"


def test_a_stale_tab_overwrites_nothing(enter: Enter, stage: Stage, event: Event, olga: Person) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    stale = ada.press("Read the file", file=file(PIPER))
    ada.open(MINE)
    ada.press("Add the model", add_model="Settler")
    ada.press("Submit this force")
    kept = stage.one(ForceList)
    before = stage.digest()
    for button in ("Submit this force", "Take out Pipe Wrench", "Save"):
        ada.page = stale
        page = ada.press(button, inside="#builder", name="The old tab")
        assert page.status == 409
        assert "This list was changed elsewhere" in page.text
        assert page.value("name") == "The old tab", "what was typed is kept"
        assert ada.press("Save", inside="#builder").status == 409, "until the page is loaded anew"
    assert stage.digest() == before
    assert len(kept.document["models"]) == 2
    theirs = olga.open(f"/e/iron-open/desk/players/{kept.player_id}/force")
    ada.open(MINE)
    ada.press("Save", inside="#builder", name="Newest")
    olga.page = theirs
    assert olga.press("Save", inside="#builder", name="On behalf").status == 409
    assert stage.one(ForceList).document["name"] == "Newest"


def test_the_verdict_names_the_rule_its_figures_and_what_would_mend_it(
    enter: Enter, stage: Stage, event: Event
) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    too_much = PIPER | {"models": [PIPER["models"][0] | {"items": [{"name": "Pipe Pistol", "count": 99}] * 2}]}
    ada.press("Read the file", file=file(too_much))
    verdict = problems(ada)
    assert "bm.size" in verdict
    assert str(76 + 60 + 2 * 99 * 5) in verdict
    assert "750" in verdict
    assert ada.page.soup.select_one('#verdict a.rule[href="/rules/battle-mode#bm.size"]')
    assert ada.page.part("#verdict .mend"), "what would put it right"
    assert ada.open("/rules/battle-mode").soup.find(id="bm.size"), "the link leads to the rule"


def test_an_illegal_force_is_kept_as_a_draft_and_not_taken(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    two_leaders = PIPER | {"models": [PIPER["models"][0], {"name": "Settler", "leader": True}]}
    ada.press("Read the file", file=file(two_leaders))
    page = ada.press("Submit this force", name="Two heads")
    assert page.status == 422
    assert "This force is not legal yet (bm.leader). It is kept as a draft." in page.flashes
    kept = stage.one(ForceList)
    assert (kept.submitted_at, kept.document["name"]) == (None, "Two heads")
    assert "Draft" in ada.open("/e/iron-open/me").text


def test_a_submitted_force_that_turns_illegal_is_a_draft_again(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    ada.press("Submit this force")
    ada.open(MINE)
    ada.press("Save", inside="#builder", m0__i0__count="99")
    assert stage.one(ForceList).submitted_at is not None, "631 Caps are legal"
    ada.press("Save", inside="#builder", m0__i2__count="99")
    assert stage.one(ForceList).submitted_at is None


def test_one_press_makes_it_legal(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    assert not ada.page.soup.select_one("#mend"), "a legal force needs none"
    wrong = PIPER | {"models": [PIPER["models"][0] | {"perks": ["Snek"]}, {"name": "Settler", "leader": True}]}
    ada.press("Read the file", file=file(wrong))
    assert ada.page.part("#way-1") == "Take out Piper"
    assert ada.page.part("#way-2") == "Replace the perk Snek on Piper by Sneak Make Piper the Leader"
    kept = 166 + 20 + 40
    page = ada.press(f"Do these: {kept} of 750 Caps", name="Typed before the press")
    assert page.part(".tally-value") == f"{kept} of 750 Caps"
    assert page.part("#verdict .badge") in ("Legal", "Query")
    document = stage.one(ForceList).document
    assert (document["name"], document["models"][0]["perks"]) == ("Typed before the press", ["Sneak"])


def test_searching_narrows_the_page_and_saves_what_was_typed(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    page = ada.press("Find", find="sett", name="Typed before", add_model="Dog")
    assert page.path == MINE
    assert [str(o["value"]) for o in page.soup.select("#add_model option[data-caps]")] == ["Settler"]
    assert "1 found" in page.part("#add_model")
    assert stage.one(ForceList).document["name"] == "Typed before"
    assert "Settler" in ada.press("Add the model").part("#m1-name"), "what alone is found is chosen"
    assert ada.page.value("find") == "sett", "one goes on from there"
    page = ada.press("Save", inside="#builder")
    assert (page.value("find"), page.value("name")) == ("sett", "Typed before")
    for odd in ("<script>", "%", "'\"", "\u202e", "x" * 500):
        assert ada.forge("Find", find=odd, find_kind=odd).status == 200
    page = ada.press("Find", find="")
    assert "found" not in page.part("#add_model")


def test_an_offer_that_no_longer_fits_changes_nothing(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER | {"models": [{"name": "Piper"}]}))
    assert ada.page.part("#way-1") == "Make Piper the Leader"
    before = stage.digest()
    page = ada.forge("Save", inside="#builder", do="mend:0123456789ab", name="Typed")
    assert page.status == 409
    assert "not what it was when these changes were offered" in page.errors
    assert page.value("name") == "Typed"
    assert stage.digest() == before


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("m0__i0__count", "0", "is not 1 to 99"),
        ("m0__i0__count", "many", "is not 1 to 99"),
        ("m0__i0__count", "9" * 5000, "is not 1 to 99"),
        ("name", "x" * 10_000, "longer than 80 characters"),
        ("name", "a\x00b", "holds a control character"),
        ("m0__i0__name", "", "is empty"),
        ("do", "remove-model:77", "at an unknown place"),
        ("do", "remove-item:0:0:0:0:0:0", "at an unknown place"),
    ],
)
def test_a_tampered_builder_is_refused_in_words_and_the_force_stays(
    enter: Enter, stage: Stage, event: Event, field: str, value: str, words: str
) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    before = stage.digest()
    page = ada.forge("Save", inside="#builder", **{field: value})
    assert page.status == 422
    assert words in page.errors
    assert page.part(".tally-value") == "166 of 750 Caps", "the builder still stands"
    assert stage.digest() == before


def test_looking_at_the_builder_in_any_way_leaves_the_force_as_it_is(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    (ada,) = enter(event, "Ada")
    stage.force(event, stage.one(Player), read_force(PIPER))
    before = stage.digest()
    for method in ("GET", "HEAD", "OPTIONS"):
        for person, address in ((ada, MINE), (olga, "/e/iron-open/desk/players/1/force")):
            assert person.ask(method, address, {"name": "X", "do": "remove-model:0"}).status_code == 200
    assert stage.digest() == before


def test_starting_again_throws_the_old_force_away(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the file", file=file(PIPER))
    ada.press("Throw away and start again", faction="Super Mutants")
    document = stage.one(ForceList).document
    assert (document["faction"], document["models"]) == ("Super Mutants", [])


def test_a_faction_must_be_chosen_among_those_that_are_fielded(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    before = stage.digest()
    for made_up in ("Vikings", ""):
        page = ada.forge("Start", faction=made_up)
        assert (page.status, bool(page.error_at("faction"))) == (422, True)
    assert stage.digest() == before


# ---- files


@pytest.mark.parametrize("faction", SYSTEM.editions[0].factions)
def test_a_file_goes_in_and_the_same_comes_out(enter: Enter, stage: Stage, event: Event, faction: str) -> None:
    document = sample_force(faction, 750, 5)
    (ada,) = enter(event, "Ada Ωmega")
    ada.open(MINE)
    page = ada.press("Read the file", file=file(document))
    assert "The force was read and saved. Nothing is submitted until you press Submit." in page.flashes
    assert ada.page.part("#verdict .badge") in ("Legal", "Query")
    link = next(a for a in ada.page.soup.find_all("a") if a.text == "Save as a file")
    out = ada.open(str(link["href"])).response
    assert out.mimetype == "application/json"
    assert out.headers["Content-Disposition"] == 'attachment; filename="ada-mega-force.json"'
    assert out.json == document
    ada.open(MINE)
    saved_at = stage.one(ForceList).saved_at
    stage.clock.advance(minutes=1)
    ada.press("Read the file", file=file(out.data))
    kept = stage.one(ForceList)
    assert (kept.document, kept.saved_at) == (document, saved_at), "reading the same again changes nothing"


def test_an_illegal_file_is_kept_as_a_draft_and_judged(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    odd = PIPER | {"models": [{"name": "Nobody At All", "items": [{"name": "Minigun", "mods": ["Spiked", "Heavy"]}]}],
                   "cards": [{"kind": "Quest", "name": "X"}]}  # fmt: skip
    page = ada.press("Read the file", file=file(odd))
    assert page.status == 200
    for rule in ("bm.cost", "bm.leader", "bm.mod", "bm.banned"):
        assert rule in problems(ada)
    assert stage.one(ForceList).submitted_at is None


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"", "not JSON"),
        (b"\x89PNG\r\n", "not UTF-8 text"),
        (b'{"system":', "not JSON at line 1"),
        (b"[]", "a force is a JSON object"),
        (b"null", "a force is a JSON object"),
        (b'{"system": NaN}', "NaN is no JSON number"),
        (b'{"system":"battle_mode","system":"x"}', "stands twice"),
        (b"[" * 200_000, "nested too deeply"),
        (json.dumps(PIPER | {"system": "golf"}).encode(), "system: is not"),
        (json.dumps({k: v for k, v in PIPER.items() if k != "faction"}).encode(), "faction: is missing"),
        (json.dumps(PIPER | {"extra": 1}).encode(), "extra: is not a field of the force file"),
        (
            json.dumps(PIPER | {"models": [{"name": "Piper", "count": 10**30}]}).encode(),
            "a number far too large, at most 99",
        ),
        (b'{"system":"battle_mode","models":[{"name":"\\ud800"}]}', "not valid text"),
        (json.dumps(PIPER | {"name": "a\x00b"}).encode(), "holds a control character"),
        (
            json.dumps(PIPER | {"models": [{"name": "Settler", "count": 99}] * 10}).encode(),
            "This list is too large: 990 models, at most 200",
        ),
        (b" " * 2_000_001, "at most 2000000 are read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_no_force_is_refused_with_words(
    enter: Enter, stage: Stage, event: Event, sent: bytes, words: str
) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    before = stage.digest()
    page = ada.press("Read the file", file=("f.json", sent))
    assert page.status == 422
    assert "This file cannot be read as a force." in page.error_at("file")
    assert words in page.errors
    assert stage.digest() == before


def test_a_file_larger_than_anything_is_not_read_at_all(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    before = stage.digest()
    page = ada.press("Read the file", file=("f.json", b" " * 3_000_000))
    assert (page.status, page.part("h1")) == (413, "Too large")
    assert stage.digest() == before


def test_no_file_at_all_is_asked_for(enter: Enter, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    page = ada.press("Read the file")
    assert (page.status, page.error_at("file")) == (422, "Please choose a file, or paste a text.")


# ---- secrecy


@pytest.fixture
def secret(enter: Enter, stage: Stage, event: Event) -> list[Person]:
    """Ada with a submitted force whose every name is a canary, Bo who will meet her, Cy of another event."""
    ada, bo = enter(event, "Ada", "Bo")
    (cy,) = enter(stage.event("Rust Cup"), "Cy")
    document = read_force(PIPER | {"name": "CANARY"})
    stage.force(event, stage.all(Player)[0], document)
    return [ada, bo, cy]


@pytest.mark.parametrize(
    ("method", "headers"),
    [("GET", {}), ("GET", {"If-None-Match": "*"}), ("GET", {"Range": "bytes=0-9999"}), ("HEAD", {}), ("OPTIONS", {})],
)
def test_before_the_deadline_nobody_else_reads_a_force_by_any_page(
    app: Flask, secret: list[Person], stage: Stage, clock: Clock, method: str, headers: dict[str, str]
) -> None:
    player = stage.all(Player)[0]
    clock.now = DEADLINE.replace(hour=18, minute=59)
    ada, bo, cy = secret
    hers = set(canaries_in(ada.http.get(MINE).data))
    assert hers >= {"CANARY", "Piper", "166", "Wrench", "Survivors"}, "the control: whose force it is reads it"
    for person in (Person(app), bo, cy):
        for address in pages_about(player):
            answer = person.http.open(address, method=method, headers=headers)
            assert answer.status_code in (200, 206, 304, 302, 403, 404), address
            assert canaries_in(answer.data) == [], address
        assert person.http.get(f"/e/iron-open/players/{player.id}/force.json").status_code == 404


def test_before_the_deadline_a_player_with_a_force_looks_like_one_without(
    app: Flask, secret: list[Person], stage: Stage
) -> None:
    ada, bo = (p for p in stage.all(Player) if p.name in ("Ada", "Bo"))
    visitor = Person(app)
    pages = [visitor.open(f"/e/iron-open/players/{p.id}").part("main").replace(p.name, "") for p in (ada, bo)]
    assert pages[0] == pages[1]
    files = [visitor.open(f"/e/iron-open/players/{p.id}/force.json") for p in (ada, bo)]
    assert files[0].status == files[1].status == 404
    assert files[0].part("main") == files[1].part("main")


def test_owner_and_organiser_read_it_all_along(secret: list[Person], olga: Person, stage: Stage) -> None:
    player = stage.all(Player)[0]
    for person in (secret[0], olga):
        assert "Piper" in person.open(f"/e/iron-open/players/{player.id}").text
        assert person.open(f"/e/iron-open/players/{player.id}/force.json").status == 200
    assert "166" in olga.open("/e/iron-open/desk/lists").part("tbody")


def test_at_the_deadline_everybody_reads_it(app: Flask, secret: list[Person], stage: Stage, clock: Clock) -> None:
    player = stage.all(Player)[0]
    clock.now = DEADLINE
    for person in (Person(app), secret[1], secret[2]):
        assert "Piper" in person.open(f"/e/iron-open/players/{player.id}").text
        page = person.open("/e/iron-open/lists")
        assert "Ada" in page.text
        assert "Survivors · 166 Caps" in page.text
        assert "CANARY" in person.open(f"/e/iron-open/players/{player.id}/force.json").response.text


def test_a_player_page_names_the_force_s_faction_once_lists_are_shown(enter: Enter, stage: Stage, event: Event) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    assert "No faction yet" in ada.open("/e/iron-open/players/1").text
    stage.publish(event, 1)
    assert "Survivors" in ada.open("/e/iron-open/players/1").part("header .lede, .lede")
    assert "Survivors" in ada.open("/e/iron-open/rounds/1").text


def test_publishing_round_1_reveals_the_lists_of_an_event_without_a_deadline(
    app: Flask, enter: Enter, stage: Stage
) -> None:
    event = stage.event(list_deadline=None)
    enter(event, "Ada", "Bo")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    visitor = Person(app)
    stage.draw(event, 1)
    assert "Lists are secret until round 1 is published" in visitor.open("/e/iron-open/lists").text
    stage.publish(event, 1)
    assert "166 Caps" in visitor.open("/e/iron-open/lists").text


def test_the_lists_of_those_who_left_or_wait_are_not_shown(app: Flask, stage: Stage, clock: Clock) -> None:
    event = stage.event(places=1)
    ada, bo = stage.enter(event, "Ada", "Bo", here=False)
    for player in (ada, bo):
        stage.force(event, player, read_force(PIPER))
    clock.now = DEADLINE
    assert Person(app).open("/e/iron-open/lists").text.count("166 Caps") == 1


# ---- the lock


def test_after_the_deadline_a_form_left_open_changes_nothing(secret: list[Person], stage: Stage, clock: Clock) -> None:
    ada = secret[0]
    player = stage.all(Player)[0]
    form = ada.open(MINE)
    clock.now = DEADLINE
    ada.open("/e/iron-open/me")  # the first request after the deadline stores the lock
    before = stage.digest()
    presses: list[tuple[str, dict[str, Any]]] = [
        ("Save", {"name": "Too late"}),
        ("Submit this force", {"name": "Too late"}),
        ("Take out Pipe Wrench", {}),
        ("Read the file", {"file": file(PIPER | {"name": "Too late"})}),
        ("Throw away and start again", {"faction": "Super Mutants"}),
    ]
    for button, values in presses:
        ada.page = form
        page = ada.press(button, inside="#main", **values)
        assert page.path == f"/e/iron-open/players/{player.id}", "shown as it is locked"
        assert stage.digest() == before
    assert ada.open(MINE).path == f"/e/iron-open/players/{player.id}"
    assert "Locked" in ada.open("/e/iron-open/me").text


def test_the_organiser_can_still_change_it_and_the_journal_has_every_change_after_the_lock(
    secret: list[Person], olga: Person, stage: Stage, clock: Clock, event: Event
) -> None:
    player = stage.all(Player)[0]
    clock.now = DEADLINE
    olga.open(f"/e/iron-open/desk/players/{player.id}/force")
    olga.press("Take out Pipe Wrench")
    clock.advance(minutes=5)
    olga.press("Save", inside="#builder", name="Mended")
    clock.advance(minutes=5)
    page = olga.press("Submit this force")
    assert page.path == "/e/iron-open/desk/lists"
    assert stage.one(ForceList).document["name"] == "Mended"
    before, after = ("Piper, Heroic, Leader; Pipe Pistol, Pipe Wrench, 3 × Baseball Grenade (166 Caps)",
                     "Piper, Heroic, Leader; Pipe Pistol, 3 × Baseball Grenade (159 Caps)")  # fmt: skip
    assert stage.journal(event, "edit-force") == [
        f"Changed the force of Ada after the lock: 166 to 159 Caps, added {after}; removed {before}",
        "Changed the force of Ada after the lock: 159 Caps, the same models",
    ]
    assert "organiser Olga" in olga.open("/e/iron-open/desk/journal").text


def test_a_dropped_player_changes_no_force(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    form = ada.open(MINE)
    ada.open("/e/iron-open/me")
    ada.press("Withdraw")
    ada.page = form
    before = stage.digest()
    ada.press("Start", faction="Survivors")
    assert stage.digest() == before


def test_in_a_finished_event_nobody_changes_a_force(secret: list[Person], olga: Person, stage: Stage) -> None:
    player = stage.all(Player)[0]
    event = stage.all(Event)[0]
    form = olga.open(f"/e/iron-open/desk/players/{player.id}/force")
    stage.play(event, 1)
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", rounds="1")
    olga.open("/e/iron-open/desk")
    assert "standings are final" in olga.press("Close the event").flashes
    before = stage.digest()
    olga.page = form
    assert olga.press("Save", inside="#builder", name="X").path == f"/e/iron-open/players/{player.id}"
    assert stage.digest() == before


def test_legal_forces_of_every_faction_are_taken(enter: Enter, stage: Stage, event: Event) -> None:
    documents: list[Document] = [
        sample_force(faction, 750, seed) for faction in SYSTEM.editions[0].factions for seed in (1, 2)
    ]
    for number, document in enumerate(documents):
        (person,) = enter(event, f"Player {number}")
        person.open(MINE)
        person.press("Read the file", file=file(document))
        assert person.press("Submit this force").path == "/e/iron-open/me"
    assert sum(force.submitted_at is not None for force in stage.all(ForceList)) == len(documents)
