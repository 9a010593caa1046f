"""The rules that an event adds: set on one page, and followed by check, builder, sign-up, check-in and standings."""

from datetime import timedelta

from events.registration.check_in import check_in
from languages.words import minus
from models.play import ForceList, Player
from tests.kit.lists import DEADLINE, MINE, store_force
from tests.kit.person import ADD, SIGN_UP, Enter, Person
from tests.kit.stage import Event, Stage
from validators import SYSTEMS
from validators.contract import Terms
from validators.restrictions import Restrictions

PAGE = "/e/iron-open/desk/restrictions"
EVENT = "/e/iron-open"
FAULTS = (
    ("banned", "Missile Lancher", "Did you mean Missile Launcher"),
    ("most_copies", "Sneak", "add the number of copies"),
    ("most_copies", "0000 Sneak", "add the number of copies"),
    ("most_copies", "1 Snake", "Did you mean Sneak"),
    ("most_copies", "2 x Settler\n3 X settler", "“2 x Settler” and “3 X settler” are two limits"),
    ("most_copies", "0 x Settler", "“0 x Settler”: to allow none, enter it under Banned"),
    ("most_copies", "Sneak\n0 Settler", "to allow none"),
    ("banned", "Nobody\n" + "W" * 61, "The edition has no Nobody. The edition has no " + "W" * 60 + "…"),
    ("banned", "\n".join(f"Nobody {n}" for n in range(12)), "And 2 more names"),
    ("banned", "x\n" * 201, "At most 200 lines."),
    ("same_model", "0", "Enter a number from 1 to 99."),
    ("roster_size", "750", "larger than the event's size"),
    ("choose_minutes", "", "From 1 to 60"),
    ("late_points", "-1", "Enter a number from 0 to 100."),
)


def test_rules_are_stored_shown_and_checked(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    page = olga.press(
        "Save", at=PAGE, banned="pipe pistol\n\n", most_copies="2 x Sneak\nStimpak: 1", same_model="3", painted=True
    )
    assert (page.status, "Saved." in page.flashes) == (200, True)
    assert page.value("banned") == "Pipe Pistol", "as the force lists spell it"
    assert str(page.value("most_copies")).splitlines() == ["2 × Sneak", "1 × Stimpak"]
    shown = ada.open(EVENT).part("dl.added")
    for words in ("Not to be taken: Pipe Pistol.", "2 × Sneak, 1 × Stimpak, 3 of any one other model", "fully painted"):
        assert words in shown
    store_force(stage, "Ada", submit=False)
    page = ada.open(MINE)
    assert "Pipe Pistol is banned at this event (on Piper)" in page.text
    assert page.soup.select_one("#verdict a.rule[href='/rules/battle-mode#bm.event.ban']")
    rules = ada.open("/rules/battle-mode").soup
    assert rules.find(id="bm.event.ban"), "the link leads to the rule"
    text = rules.get_text(" ", strip=True)
    for edition in SYSTEMS["battle_mode"].editions:
        assert all(words in text for words in (edition.name, edition.source, *edition.notes))


def test_builder_offers_only_what_is_allowed_and_lists_the_rules(enter: Enter, olga: Person, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    assert "This event adds" not in ada.open(MINE).text
    olga.press(
        "Save", at=PAGE, banned="Piper\nCommander", factions=["Survivors", "Super Mutants"], most_copies="1 x Settler",
        roster_size="1000",
    )  # fmt: skip
    page = ada.open(MINE)
    header = page.soup.select_one("main header")
    assert header
    words = " ".join(header.get_text().split())
    assert "banned, most copies" in words and "Of the 1000 Caps, 750 are fielded in each game." in words
    links = [str(a["href"]) for a in page.soup.select("header a") if "#bm.event" in str(a["href"])]
    ids = [link.partition("#")[2] for link in links]
    assert {"bm.event.ban", "bm.event.copies", "bm.event.sideboard"} <= set(ids)
    rules = ada.open(links[0].partition("#")[0])
    assert all(rules.soup.find(id=text) for text in ids)
    page = ada.open(MINE)
    assert [o.get_text() for o in page.soup.select("select[name=faction] option")] == ["Survivors", "Super Mutants"]
    ada.press("Start", faction="Survivors")
    ada.press("Add", add_model="Settler")
    soup = ada.press("Choose a model", at=MINE).soup
    assert [bool(soup.find("option", value=name)) for name in ("Piper", "Commander", "Cait")] == [False, False, True]
    settler = soup.select_one("select[name=add_model] option[value=Settler]")
    assert settler and settler.get_text().endswith("limit reached")


def test_fault_is_shown_at_its_field_and_stores_nothing(olga: Person, stage: Stage, event: Event) -> None:
    edition = SYSTEMS["battle_mode"].edition(event.edition)
    (_, models), (_, items), *_ = edition.names
    assert f"1 × {models[0]}, or {items[0]}: 1." in olga.open(PAGE).text, "examples of the event's own edition"
    before, form = stage.digest(), olga.page
    for field, typed, words in FAULTS:
        olga.page = form
        page = olga.press("Save", **{field: typed})
        assert (page.status, words.casefold() in page.error_at(field).casefold()) == (422, True), (field, typed)
        assert str(page.value(field)).split() == typed.split()
    olga.page = form
    page = olga.press("Save", banned="settler", most_copies="2 x Settler\n1 x Sneak")
    assert page.error_at("most_copies") == "“2 x Settler”: it is banned above. Remove one of the two."
    page = olga.press("Save", banned="Nobody", most_copies="2 x Nothing")
    assert "has no Nobody." in page.error_at("banned"), "both fields at once"
    assert "has no Nothing." in page.error_at("most_copies")
    assert stage.digest() == before
    page = olga.press("Save", banned="", most_copies="2 X Settler\n2 x settler\nPipe Pistol X 3")
    assert "Saved." in page.flashes, "the same limit twice is no contradiction"
    assert str(page.value("most_copies")).splitlines() == ["2 × Settler", "3 × Pipe Pistol"]


def test_affected_lists_are_shown_before_they_change(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    olga.open(PAGE)
    with stage.unchanged():
        page = olga.press("Save", banned="Pipe Pistol")
    assert page.rows("#affected table") == [["Ada", "Legal 166 Caps", "Illegal 166 Caps bm.event.ban"]]
    assert "Saved." in olga.press("Save and change these lists").flashes
    assert stage.one(ForceList).submitted_at is None
    assert "not legal any more (bm.event.ban)" in ada.open(MINE).text
    page = olga.press("Save", at=PAGE, banned="")
    assert page.rows("#affected table") == [["Ada", "Illegal 166 Caps bm.event.ban", "Legal 166 Caps"]]


def test_outdated_form_overwrites_nothing(olga: Person, stage: Stage, event: Event) -> None:
    form = olga.open(PAGE)
    olga.press("Save", banned="Piper")
    olga.page = form
    page = olga.press("Save", banned="Cait")
    assert (page.status, page.value("banned")) == (409, "Cait")
    assert stage.now(event).restrictions == Restrictions(banned=("Piper",))
    olga.press("Save")
    assert stage.now(event).restrictions == Restrictions(banned=("Cait",))


def test_drawn_round_and_roster_size_limit_the_changes(olga: Person, stage: Stage, event: Event) -> None:
    olga.press("Save", at=PAGE, roster_size="1000")
    olga.open("/e/iron-open/desk/settings/lists")
    assert "Enter a size below 1000, the roster size" in olga.press("Save", size="1000").error_at("size")
    assert "Saved." in olga.press("Save", size="999").flashes
    stage.enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    page = olga.press("Save", at=PAGE, banned="Piper")
    assert (page.status, "Round 1 is drawn" in page.text) == (422, True)
    assert "Saved." in olga.press("Save", at=PAGE, on_time_points="1").flashes


def test_players_keep_one_faction(enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    olga.press("Save", at=PAGE, faction_locked=True)
    assert "Choose the faction" in visitor.press(SIGN_UP, at="/e/iron-open/register", name="Bo").error_at("faction")
    visitor.press(SIGN_UP, name="Bo", faction="Super Mutants")
    bo = stage.one(Player, name="Bo")
    assert visitor.forge("Start", at=MINE, faction="Survivors").status == 422, "another faction is not offered"
    visitor.press("Start", faction="Super Mutants")
    document = stage.one(ForceList, player_id=bo.id).document
    assert document["faction"] == "Super Mutants"
    store_force(stage, "Ada")
    assert stage.one(Player, name="Ada").faction == "Survivors", "bound by the first submitted list"
    settler = {"name": "Settler", "heroic": False, "leader": True, "leader_card": None, "perks": [], "items": []}
    stage.force(event, bo, document | {"faction": "Survivors", "models": [settler]}, submit=False)
    assert "bm.event.faction-lock" in visitor.open(MINE).text


def test_undefined_faction_binds_nobody(stage: Stage) -> None:
    event = stage.event("Mojave", game="new_vegas", players=["Ada"])
    stage.set(event, restrictions=Restrictions(faction_locked=True))
    forces, (edition,) = SYSTEMS["new_vegas"].forces, SYSTEMS["new_vegas"].editions
    for faction in ("Followers", edition.factions[0]):
        sample = forces.sample(Terms(edition, 150), edition.factions[0], 1)
        stage.force(event, stage.one(Player), sample | {"faction": faction})
        assert stage.one(Player).faction == ("" if faction == "Followers" else faction)


def test_painting_is_checked_before_check_in_where_required(olga: Person, stage: Stage, event: Event) -> None:
    olga.press("Save", at=PAGE, painted=True)
    olga.press(ADD, at="/e/iron-open/desk/players", **{"w-name": "Ada"})
    ada = stage.one(Player)
    assert (ada.state, ada.painted) == ("registered", False), "a walk-in is not checked in either"
    stage.refuse("painted", event, check_in, ada)
    olga.press("Painted: check in", at="/e/iron-open/desk/players")
    assert (stage.now(ada).state, ada.painted) == ("checked_in", True)


def test_list_points_follow_from_seals_unless_set(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    earned = {
        "On": (3, "list on time and without error"), "Changed": (1, "list on time"), "Draft": (-2, "late list"),
        "None": (-2, "late list"),
    }  # fmt: skip
    enter(event, *earned)
    olga.press("Save", at=PAGE, on_time_points="1", error_free_points="2", late_points="2")
    for one in ("On", "Changed", "Draft"):
        store_force(stage, one, submit=one != "Draft")
    pages = {player.name: f"/e/iron-open/desk/players/{player.id}" for player in stage.all(Player)}
    calculated = "Leave blank to calculate it from the event’s rules"
    assert f"{calculated}." in olga.open(pages["On"]).text, "nothing before lists are locked"
    stage.clock.now = DEADLINE + timedelta(hours=1)
    olga.open("/e/iron-open")
    olga.press("Save", at=f"{pages['Changed']}/force", name="Another name")
    for name, (points, why) in earned.items():
        assert f"{calculated}: {minus(points)} for {why}." in olga.open(pages[name]).text, name
    olga.press("Save", at=pages["Draft"], list_points_set="5")
    for player in stage.all(Player):
        stage.do(event, check_in, player)
    stage.play(event, 1)
    text = olga.open("/e/iron-open/standings").text
    assert "5 list (set by the organiser)" in text
    for name, (points, why) in earned.items():
        assert name == "Draft" or f"{points} {why}".replace("-", "−") in text, name
