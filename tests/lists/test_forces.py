"""A force from its faction to its reveal, and the part of a roster that is fielded in a game."""

import pytest
from flask import Flask

from events.journal.going_back import go_back, points_of
from events.journal.replay import replay
from events.registration.forms import Given
from events.registration.ruling_views import give_ruling
from events.results.disputes import bounds_of
from languages.words import speaking
from models.event import Event
from models.journal import ChangeSet, JournalEntry, RowChange
from models.play import FieldedForce, ForceList, Game, Player
from models.settings import ListsShown
from tests.conftest import PUBLIC
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, EVERY_GAME, MINE, PIPER, ROSTER, event_of_game, file
from tests.kit.people import let_in
from tests.kit.person import SUBMIT_FORCE, Enter, Page, Person
from tests.kit.stage import Role, Stage
from validators import SYSTEMS
from validators.contract import Terms
from validators.game_system import GameSystem
from validators.restrictions import Restrictions
from validators.scenario import Side


@pytest.fixture
def ada(enter: Enter, event: Event) -> Person:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    return ada


@pytest.fixture
def piper(ada: Person) -> Person:
    ada.press("Read the list", file=file(PIPER))
    return ada


def test_force_is_built_and_submitted(ada: Person, stage: Stage, event: Event) -> None:
    assert ada.open("/e/iron-open/me").soup.find("a", href=MINE)
    stage.set(event, stage.one(Player), faction="Survivors")
    assert ada.open(MINE).part(".tally-value") == "0 of 750 Caps", "its faction is known"
    assert not stage.all(ForceList), "looking stores nothing"
    assert ada.press(SUBMIT_FORCE).flashes == "This force is empty. Build it, then submit it."
    ada.press("Add the model", add_model="Piper, 76")
    assert stage.one(ForceList).document["faction"] == "Survivors"
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
    ada.press("Choose equipment for Piper")
    page = ada.press("Add perk to Piper", m0__add_perk="Sneak", leader_card="Commander", name="Press & Co")
    assert page.part(".tally-value") == f"{166 + 20 + 55} of 750 Caps"
    assert stage.one(ForceList).submitted_at is None
    page = ada.press(SUBMIT_FORCE)
    assert page.path == "/e/iron-open/me"
    assert "Submitted." in page.flashes
    assert "241 of 750 Caps" in page.text
    kept = stage.one(ForceList)
    assert kept.submitted_at is not None
    assert (kept.document["name"], kept.document["models"][0]["leader_card"]) == ("Press & Co", "Commander")
    assert stage.journal(event, "submit-force") == ["Ada submitted a list of 241 Caps"]


def test_choice_that_was_not_added_is_never_lost(piper: Person, stage: Stage) -> None:
    piper.press("Choose equipment for Piper")
    page = piper.press(SUBMIT_FORCE, m0__add_item="Baseball Grenade", name="Typed")
    assert (page.status, stage.one(ForceList).submitted_at) == (422, None)
    assert "“Baseball Grenade” is chosen but not added." in page.errors
    page = piper.press(SUBMIT_FORCE, add_model="Settler")
    assert "“Settler” is chosen but not added." in page.errors
    assert (page.value("m0.add_item"), page.value("add_model")) == ("Baseball Grenade", "Settler")
    assert page.soup.select_one("details#m0[open]"), "its card is open"
    assert stage.one(ForceList).document["name"] == "Typed"
    piper.press(SUBMIT_FORCE, m0__add_item="", add_model="")
    assert stage.one(ForceList).submitted_at


def test_stale_tab_overwrites_nothing(piper: Person, stage: Stage, olga: Person) -> None:
    stale = piper.open(MINE)
    piper.press("Choose a model")
    piper.press("Add the model", add_model="Settler")
    piper.press(SUBMIT_FORCE)
    kept, before = stage.one(ForceList), stage.digest()
    for button in (SUBMIT_FORCE, "Undo", "Save"):
        piper.page = stale
        page = piper.press(button, inside="#builder", name="The old tab")
        assert page.status == 409
        assert "This list was changed in another tab" in page.text
        assert page.value("name") == "The old tab", "the typed text is kept"
        assert piper.press("Save", inside="#builder").status == 409, "until the page is reloaded"
    assert stage.digest() == before
    theirs = olga.open(f"/e/iron-open/desk/players/{kept.player_id}/force")
    piper.press("Save", at=MINE, inside="#builder", name="Newest")
    olga.page = theirs
    assert olga.press("Save", inside="#builder", name="On behalf").status == 409
    assert stage.one(ForceList).document["name"] == "Newest"
    stage.set(stage.one(Event), stage.one(ForceList), submitted_at=None)
    page = olga.press(SUBMIT_FORCE, at=f"/e/iron-open/desk/players/{kept.player_id}/force")
    assert page.flashes == f"{stage.name(kept.player_id)}’s force is submitted."


def test_illegal_force_is_a_draft_and_names_its_rules(ada: Person, stage: Stage) -> None:
    two_leaders = [PIPER["models"][0], {"name": "Settler", "leader": True}]
    page = ada.press("Read the list", file=file(PIPER | {"models": two_leaders}))
    assert page.soup.select_one('#verdict a.rule[href="/rules/battle-mode#bm.leader"]')
    assert page.part("#verdict .fix"), "a suggested fix"
    rule = next(rule for rule in SYSTEMS["battle_mode"].checks.rules if rule.id == "bm.leader")
    assert f"{rule.text} {rule.source} · bm.leader" in page.part("#verdict details"), "the sentence, and its source"
    page = ada.press(SUBMIT_FORCE, name="Two heads")
    assert page.status == 422
    assert "This force is not legal yet: it is kept as a draft. 2 Leaders, 1 allowed." in page.flashes
    kept = stage.one(ForceList)
    assert (kept.submitted_at, kept.document["name"]) == (None, "Two heads")
    assert "Draft" in ada.open("/e/iron-open/me").text
    with speaking("de"):
        said = rule.said.text
    ada.http.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert said != rule.text and said in ada.open(MINE).part("#verdict details"), "in the reader's language"
    del ada.http.environ_base["HTTP_ACCEPT_LANGUAGE"]
    ada.press("Read the list", at=MINE, file=file(PIPER))
    ada.press(SUBMIT_FORCE)
    ada.press("Save", at=MINE, inside="#builder", m0__i0__count="99")
    assert stage.one(ForceList).submitted_at is not None, "631 Caps are legal"
    ada.press("Save", inside="#builder", m0__i2__count="99")
    assert stage.one(ForceList).submitted_at is None
    stage.clock.now = DEADLINE
    assert "You missed the list deadline. Talk to the organiser." in ada.open("/e/iron-open/me").text


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


def test_lists_of_waiting_players_are_not_shown(app: Flask, stage: Stage) -> None:
    event = stage.event(places=1)
    for player in stage.enter(event, "Ada", "Bo", here=False):
        stage.force(event, player, read_force(PIPER))
    stage.clock.now = DEADLINE
    assert Person(app).open("/e/iron-open/lists").text.count("166 Caps") == 1


FIELDED = "/e/iron-open/me/fielded"


@pytest.fixture
def table(enter: Enter, olga: Person, stage: Stage, event: Event) -> list[Person]:
    people = enter(event, "Ada", "Bo")
    olga.press("Save", at="/e/iron-open/desk/restrictions", roster_size="1000", choose_minutes="5")
    for player in stage.all(Player):
        stage.force(event, player, read_force(ROSTER))
    stage.publish(event, 1)
    return people


def ticked(page: Page) -> list[int]:
    return [int(str(box["value"])) for box in page.soup.select("input[name=places][checked]")]


def choose(person: Person, *places: int, press: str = "Field these models") -> Page:
    person.open(FIELDED)
    return person.press(press, places=[str(place) for place in places])


@pytest.mark.proves("G4", "attack 54")
def test_rosters_and_choices_are_secret_until_shown_and_made(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, bo = table
    event = stage.one(Event)
    shown = event.lists_revealed_at
    stage.set(event, lists_shown=ListsShown.ON_PRESS, lists_revealed_at=None)
    page = bo.open(FIELDED)
    assert "Lists are secret until the organiser shows them." in page.text
    assert page.text.count("Settler") == ada.open(FIELDED).text.count("Settler") > 0
    assert not page.soup.select("table.force"), "the player's own roster is a form, the opponent's is hidden"
    stage.set(event, lists_revealed_at=shown)
    page = ada.open("/e/iron-open/me")
    assert "Choose my force for this game" in page.text
    assert "894 of 1000 Caps" in page.text, "lists are checked against the roster's size"
    page = ada.open(FIELDED)
    assert len(page.soup.select("input[name=places]")) == 22
    assert "Roster of Bo" in page.text
    page = choose(ada, 0, 21)
    assert "Has chosen" in page.text
    assert (ticked(page), page.part("[data-sum-shown]")) == ([0, 21], "94"), "the sum without scripts too"
    address = f"/e/iron-open/desk/games/{stage.one(Game).id}/fielded/{stage.one(Player, name='Ada').id}"
    assert not ticked(bo.open(FIELDED)) and not ticked(olga.open(address)), "the desk may be the opponent"
    for page in (bo.page, olga.open(address)):
        assert "The forces of this game" not in page.text
    assert "Minuteman" not in bo.open("/e/iron-open/me").text
    archive = "/e/iron-open/desk/archive.json"
    assert olga.ask("GET", archive).get_json()["tables"]["fielded_force"] == [], "not even the owner reads it"
    choose(bo, 0, 1)
    assert len(olga.ask("GET", archive).get_json()["tables"]["fielded_force"]) == 2
    for person in (ada, bo, olga):
        page = person.open(FIELDED if person is not olga else address)
        assert page.part("h1") == "The forces of this game"
        assert ["Minuteman", "54"] in page.rows("table.force")
    assert {fielded_force.document["models"][0]["leader"] for fielded_force in stage.all(FieldedForce)} == {True}


def test_illegal_or_late_choice_stores_nothing(table: list[Person], stage: Stage, event: Event) -> None:
    ada, _ = table
    with stage.unchanged():
        ada.open(FIELDED)
        assert ada.forge("Field these models", places=["0", "21"], game="99").status == 409, "a form of another pairing"
        for places, rule in (
            ((1, 2), "Settler leads the roster"),
            (tuple(range(19)), "760 Caps, 10 over"),
            ((), "choose the models"),
        ):
            page = choose(ada, *places)
            assert (page.status, rule in page.text, ticked(page)) == (422, True, list(places)), rule
        page = choose(ada, 0, 1, 2, press="Check only")
        assert (page.status, "120 of 750 Caps" in page.text) == (200, True)
        assert "Legal" in page.part(".verdict")
        assert "bm.leader" in choose(ada, 1, press="Check only").part(".verdict")
    stage.decide(event, stage.one(Game), 3, 1)
    assert "This game is over" in ada.press("Field these models", places=["0"]).text
    assert not stage.all(FieldedForce)


def test_late_choice_is_marked(table: list[Person], stage: Stage) -> None:
    ada, bo = table
    page = ada.press("Start the clock", at=FIELDED)
    assert "Choose by" in page.text
    (shown,) = page.soup.select("time[data-clock]")
    assert str(shown["data-now"]) == stage.clock().isoformat()
    assert ada.open(FIELDED).response.headers.get("ETag") is None, "never cached while the clock runs"
    since = stage.one(Game).choosing_since
    stage.clock.advance(minutes=4, seconds=59)
    choose(ada, 0)
    assert stage.now(stage.one(Game)).choosing_since == since
    stage.clock.advance(seconds=2)
    assert "time is up" in bo.open(FIELDED).text
    choose(bo, 0)
    assert ada.open(FIELDED).text.count("too late") == 1, "Bo's alone"


def test_unlocked_or_illegal_roster_fields_nothing(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, bo = table
    event = stage.one(Event)
    olga.press("Unlock this list", at=f"/e/iron-open/desk/lists/{stage.one(Player, name='Bo').id}")
    bo.press("Save", at="/e/iron-open/me/force", name="CANARY")
    page = ada.open(FIELDED)
    assert "it is being changed" in page.text
    assert "Minuteman" not in page.text.partition("Roster of Bo")[2]
    page = choose(bo, 0)
    assert (page.status, "unlocked for a change" in page.text) == (422, True)
    player = stage.one(Player, name="Ada")
    larger = read_force(ROSTER | {"models": [*ROSTER["models"], *ROSTER["models"][-2:] * 2]})
    stage.set(event, stage.one(ForceList, player_id=player.id), document=larger, kept_queries="-")
    page = choose(ada, 0)
    assert (page.status, "The list itself is not legal (bm.size)" in page.text) == (422, True)
    stage.set(event, stage.one(ForceList, player_id=player.id), document=read_force(ROSTER), submitted_at=None)
    assert "never submitted" in choose(ada, 0).text
    assert not stage.all(FieldedForce)


def test_choices_of_both_stand_until_both_choose_again(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, _ = table
    mine, theirs = (stage.one(Player, name=name) for name in ("Ada", "Bo"))
    choose(ada, 0)
    choose(ada, 0, 1)
    olga.open(f"/e/iron-open/desk/players/{mine.id}/force")
    olga.press("Save", name="New")  # a later change of the roster does not reach the table
    assert len(stage.one(FieldedForce).document["models"]) == 2
    old = ada.open(FIELDED)
    desk = f"/e/iron-open/desk/games/{stage.one(Game).id}"
    assert any("Bo" in link.get_text() for link in olga.open(desk).soup.select("a.small"))
    olga.press("Field these models", at=f"{desk}/fielded/{theirs.id}", places=["0", "1"])
    ada.page = old
    page = ada.press("Field these models", places=["0"])
    assert (page.status, "Both players have chosen" in page.text) == (422, True)
    assert [len(fielded_force.document["models"]) for fielded_force in stage.all(FieldedForce)] == [2, 2]
    olga.press("Let both choose again", at=f"{desk}/fielded/{theirs.id}")
    assert not stage.all(FieldedForce)
    assert stage.one(Game).choosing_since is None
    assert "Ada and Bo choose their forces again" in olga.open("/e/iron-open/desk/journal").text


def test_each_change_of_a_choice_is_in_the_journal(table: list[Person], stage: Stage, olga: Person) -> None:
    ada, _ = table
    address = f"/e/iron-open/desk/games/{stage.one(Game).id}/fielded/{stage.one(Player, name='Ada').id}"

    def entries() -> list[str]:
        return [entry.actor for entry in stage.all(JournalEntry, verb="field")]

    choose(ada, 0)
    olga.open(address)
    with stage.unchanged():
        olga.press("Field these models", places=["0"])
    assert entries() == ["player Ada"]
    olga.press("Field these models", at=address, places=["0", "1"])
    assert entries() == ["player Ada", "owner Olga"]
    choose(ada, 0)
    assert entries() == ["player Ada", "owner Olga", "player Ada"]


@pytest.mark.proves("attack 56")
def test_judge_who_plays_decides_no_choice_of_the_own_game(
    app: Flask, table: list[Person], stage: Stage, olga: Person, event: Event
) -> None:
    judge, (ada, _) = let_in(app, stage.hire(event, "Jo", Role.JUDGE)), table
    game = f"/e/iron-open/desk/games/{stage.one(Game).id}"
    theirs = f"{game}/fielded/{stage.one(Player, name='Bo').id}"
    assert judge.open(game).soup.select(f"a[href='{theirs}']")
    judge.press("Field these models", at=theirs, places=["0"])
    for person in (judge, olga):
        person.open(ada.open("/e/iron-open/me/link").part(".copy-text").removeprefix(PUBLIC))
        person.press("Continue as Ada")
    assert not judge.open(game).soup.select("a[href*='/fielded/']")
    assert judge.open(theirs).status == 403
    with stage.unchanged():
        for address, sent in ((theirs, {"places": "1", "do": "choose"}), (f"{game}/choose-again", {})):
            judge.open(game)
            assert judge.post(address, **sent).status_code == 403, address
    choose(ada, 0)
    with stage.unchanged():
        assert judge.post(f"{game}/choose-again").status_code == 403, "after the reveal"
    olga.press("Let both choose again", at=theirs)
    assert not stage.all(FieldedForce), "those who run the event may"


@pytest.mark.proves("G4")
def test_going_back_leaves_no_choice_that_the_other_side_has_seen(table: list[Person], stage: Stage) -> None:
    ada, bo = table
    event, player = stage.one(Event), stage.one(Player, name="Ada")
    choose(ada, 0)
    for others in ((), (bo,)):
        stage.do(event, give_ruling, player, Given("late", points=-1))
        for other in others:
            choose(other, 0, 1)
        assert len(stage.all(FieldedForce)) == 1 + len(others)
        stage.do(event, go_back, points_of(stage.s, stage.now(event))[0].id)
        assert len(stage.all(FieldedForce)) == (0 if others else 1)
    assert replay(stage.s, stage.now(event)).difference is None


BOUNDED = [game for game in SYSTEMS.values() if game.scoring.bounds is not None]


@pytest.mark.parametrize("game", BOUNDED, ids=lambda game: game.id)
def test_fielded_part_of_a_roster_limits_the_result(game: GameSystem, enter: Enter, stage: Stage) -> None:
    event = event_of_game(stage, game)
    ada, _ = enter(event, "Ada", "Bo")
    added = Restrictions(roster_size=game.default_size * 2)
    stage.set(event, restrictions=added)
    terms = Terms(game.editions[0], game.default_size, added)
    roster = game.forces.sample(terms, game.editions[0].factions[0], 5)
    for player in stage.all(Player):
        stage.force(event, player, roster)
    stage.publish(event, 1)
    places = list(range(len(game.forces.summarise(roster, terms.edition).lines)))
    while not game.checks.check(game.forces.part_of(roster, places), terms.fielded).legal:
        places.pop()
        assert places, "no first part of the roster is legal"
    ada.open(f"{EVERY_GAME}/me/fielded")
    page = ada.press("Field these models", places=[str(place) for place in places])
    part = game.forces.part_of(roster, places)
    assert (page.status, ticked(page)) == (200, places)
    assert stage.one(FieldedForce).document == part
    (played,) = stage.games(event, 1)
    side: Side = "a" if stage.name(played.a_id) == "Ada" else "b"
    scenario = game.scenarios[0]
    assert game.scoring.bounds is not None
    of_part, of_roster = (game.scoring.bounds(scenario, side, entry, terms.edition) for entry in (part, roster))
    assert bounds_of(stage.s, event, played, scenario) == of_part != of_roster


@pytest.mark.both_databases
@pytest.mark.proves("attack 107")
def test_press_that_changes_nothing_writes_nothing(enter: Enter, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(MINE)
    ada.press("Read the list", file=file(PIPER))
    with stage.unchanged():
        ada.press("Save", inside="#builder")
    sets = len(stage.all(ChangeSet))
    ada.press(SUBMIT_FORCE, at=MINE)
    assert len(stage.all(ChangeSet)) == sets + 1
    with stage.unchanged():
        ada.press("Save", at=MINE, inside="#builder")
    used = {entry.change_set_id for entry in stage.all(JournalEntry)}
    used |= {row.change_set_id for row in stage.all(RowChange)}
    assert [row.id for row in stage.all(ChangeSet) if row.id not in used] == []
