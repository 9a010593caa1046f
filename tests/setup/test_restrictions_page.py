"""What an event adds: set on one page, read on the event's, kept by check, builder, entry, check-in and standings."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from events.play.errors import Refused
from events.play.figures import minus
from events.registration.actions import check_in
from models.event import Event
from models.play import ForceList, Player
from tests.conftest import Clock
from tests.kit.lists import DEADLINE, MINE, store_force
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS

Enter = Callable[..., list[Person]]
PAGE = "/e/iron-open/desk/restrictions"
EVENT = "/e/iron-open"


def test_what_is_typed_is_kept_told_and_checked(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    olga.open(PAGE)
    page = olga.press(
        "Save", banned="pipe pistol\n\n", most_copies="2 x Sneak\nStimpak: 1", same_model="3", painted=True
    )
    assert page.status == 200
    assert "Saved." in page.flashes
    assert page.value("banned") == "Pipe Pistol", "as the force lists spell it"
    assert str(page.value("most_copies")).splitlines() == ["2 × Sneak", "1 × Stimpak"]
    shown = ada.open(EVENT).part("dl.added")
    for words in ("Not to be taken: Pipe Pistol.", "2 × Sneak, 1 × Stimpak, 3 of any one other model", "fully painted"):
        assert words in shown
    store_force(stage, "Ada", submit=False)
    page = ada.open(MINE)
    assert "Pipe Pistol is banned at this event (on Piper)" in page.text
    link = page.soup.select_one("#verdict a.rule[href='/rules/battle-mode#bm.event.ban']")
    assert link
    rules = ada.open("/rules/battle-mode").soup
    assert rules.find(id="bm.event.ban"), "the link leads to the rule"
    told = rules.get_text(" ", strip=True)
    for edition in SYSTEMS["battle_mode"].editions:
        assert all(words in told for words in (edition.name, edition.source, *edition.notes))


def test_the_builder_offers_nothing_that_is_banned_and_only_the_factions(
    enter: Enter, olga: Person, event: Event
) -> None:
    (ada,) = enter(event, "Ada")
    olga.open(PAGE)
    olga.press("Save", banned="Piper\nCommander", factions=["Survivors", "Super Mutants"])
    page = ada.open(MINE)
    assert [o.get_text() for o in page.soup.select("select[name=faction] option")] == ["Survivors", "Super Mutants"]
    ada.press("Start", faction="Survivors")
    page = ada.press("Add", add_model="Settler")
    assert "Settler" in page.text
    assert not page.soup.find("option", value="Piper")
    assert not page.soup.find("option", value="Commander")
    assert page.soup.find("option", value="Cait")


def test_the_builder_says_what_the_event_adds(enter: Enter, olga: Person, event: Event) -> None:
    (ada,) = enter(event, "Ada")
    assert "This event adds" not in ada.open(MINE).text
    olga.open(PAGE)
    olga.press("Save", banned="Piper", most_copies="1 x Settler", roster_size="1000")
    page = ada.open(MINE)
    words = "This event adds: banned, most copies, sideboard. Of the 1000 Caps, 750 are fielded in each game."
    header = page.soup.select_one("main header")
    assert header
    assert words in " ".join(header.get_text().split())
    links = [str(a["href"]) for a in page.soup.select("header a") if "#bm.event" in str(a["href"])]
    assert [link.partition("#")[2] for link in links] == ["bm.event.ban", "bm.event.copies", "bm.event.sideboard"]
    told = ada.open(links[0].partition("#")[0])
    assert all(told.soup.find(id=link.partition("#")[2]) for link in links)
    ada.open(MINE)
    ada.press("Start", faction="Survivors")
    ada.press("Add", add_model="Settler")
    settler = ada.open(MINE).soup.select_one("select[name=add_model] option[value=Settler]")
    assert settler
    assert settler.get_text().endswith("limit reached")


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"banned": "Missile Launchers"}, "banned", "Did you mean Missile Launcher"),
        ({"most_copies": "Sneak"}, "most_copies", "how often?"),
        ({"most_copies": "0000 Sneak"}, "most_copies", "how often?"),
        ({"most_copies": "1 Snake"}, "most_copies", "Did you mean Sneak"),
        ({"most_copies": "2 x Settler\n3 X settler"}, "most_copies", "“2 x Settler” and “3 X settler” are two limits"),
        ({"most_copies": "0 x Settler"}, "most_copies", "“0 x Settler”: to allow none, name it under Banned"),
        ({"most_copies": "Sneak\n0 Settler"}, "most_copies", "to allow none"),
        ({"banned": "Nobody\n" + "W" * 61}, "banned", "of the name Nobody. The edition has nothing of the name WWW"),
        ({"banned": "W" * 61}, "banned", "name " + "W" * 60 + "…"),
        ({"banned": "\n".join(f"Nobody {n}" for n in range(12))}, "banned", "And 2 more names"),
        ({"same_model": "2.5"}, "same_model", "a whole number"),
        ({"banned": "x\n" * 201}, "banned", "At most 200 lines."),
        ({"banned": "x\x00"}, "banned", "cannot be printed"),
        ({"same_model": "0"}, "same_model", "From 1 to 99."),
        ({"same_model": "many"}, "same_model", "a whole number"),
        ({"roster_size": "750"}, "roster_size", "larger than the event's size"),
        ({"choose_minutes": ""}, "choose_minutes", "From 1 to 60"),
        ({"late_points": "-1"}, "late_points", "From 0 to 100."),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_kept(
    olga: Person, stage: Stage, event: Event, typed: dict[str, str], field: str, words: str
) -> None:
    olga.open(PAGE)
    before = stage.digest()
    page = olga.press("Save", **typed)
    assert page.status == 422
    assert words.casefold() in page.error_at(field).casefold()
    ((name, value),) = typed.items()
    assert "\x00" in value or str(page.value(name)).split() == value.split()
    assert stage.digest() == before


def test_a_number_that_is_none_is_told_once(olga: Person, event: Event) -> None:
    olga.open(PAGE)
    for typed in ("2.5", "many"):
        assert olga.press("Save", same_model=typed).error_at("same_model") == "Please type a whole number."


def test_limits_and_bans_of_one_name_are_told_apart(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(PAGE)
    page = olga.press("Save", banned="settler", most_copies="2 x Settler\n1 x Sneak")
    assert page.error_at("most_copies") == "“2 x Settler”: it is banned above; take out one of the two."
    page = olga.press("Save", banned="Nobody", most_copies="2 x Nothing")
    assert "of the name Nobody." in page.error_at("banned"), "both fields at once"
    assert "of the name Nothing." in page.error_at("most_copies")
    page = olga.press("Save", banned="", most_copies="2 X Settler\n2 x settler\nPipe Pistol X 3")
    assert "Saved." in page.flashes, "the same twice is no contradiction"
    assert str(page.value("most_copies")).splitlines() == ["2 × Settler", "3 × Pipe Pistol"]


def test_the_examples_are_names_of_the_events_own_edition(olga: Person, stage: Stage, event: Event) -> None:
    edition = SYSTEMS["battle_mode"].edition(event.edition)
    (_, models), (_, items), *_ = edition.names
    assert f"1 × {models[0]}, or {items[0]}: 1." in olga.open(PAGE).text


def test_a_list_that_becomes_illegal_is_shown_first_and_its_player_reads_why(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    store_force(stage, "Ada")
    olga.open(PAGE)
    before = stage.digest()
    page = olga.press("Save", banned="Pipe Pistol")
    assert stage.digest() == before, "looked at first"
    assert page.rows("#affected table") == [["Ada", "Legal 166 Caps", "Illegal 166 Caps bm.event.ban"]]
    page = olga.press("Save and change these lists")
    assert "Saved." in page.flashes
    assert stage.one(ForceList).submitted_at is None
    assert "not legal any more (bm.event.ban)" in ada.open(MINE).text
    olga.open(PAGE)
    page = olga.press("Save", banned="")
    assert page.rows("#affected table") == [["Ada", "Illegal 166 Caps bm.event.ban", "Legal 166 Caps"]]


def test_a_form_that_is_not_the_newest_overwrites_nothing(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(PAGE)
    form = olga.page
    olga.press("Save", banned="Piper")
    olga.page = form
    page = olga.press("Save", banned="Cait")
    assert page.status == 409
    assert page.value("banned") == "Cait"
    assert stage.now(event).restrictions == {"banned": ["Piper"]}
    olga.press("Save")
    assert stage.now(event).restrictions == {"banned": ["Cait"]}


def test_after_the_draw_only_what_judges_no_force_can_change(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    olga.open(PAGE)
    page = olga.press("Save", banned="Piper")
    assert page.status == 422
    assert "Round 1 is drawn" in page.text
    olga.open(PAGE)
    assert "Saved." in olga.press("Save", on_time_points="1").flashes


def test_a_new_edition_or_size_must_fit_what_the_event_adds(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(PAGE)
    olga.press("Save", roster_size="1000")
    olga.open("/e/iron-open/desk/settings")
    assert "must stay the larger size" in olga.press("Save", size="1000").error_at("size")
    assert "Saved." in olga.press("Save", size="999").flashes


def test_one_faction_for_the_event(enter: Enter, olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    enter(event, "Ada")
    olga.open(PAGE)
    olga.press("Save", faction_locked=True)
    visitor.open("/e/iron-open/register")
    page = visitor.press("Register", name="Bo")
    assert "choose the faction" in page.error_at("faction")
    visitor.press("Register", name="Bo", faction="Super Mutants")
    bo = stage.one(Player, name="Bo")
    visitor.open(MINE)
    page = visitor.forge("Start", faction="Survivors")
    assert page.status == 422, "another faction is not offered"
    visitor.press("Start", faction="Super Mutants")
    assert stage.one(ForceList, player_id=bo.id).document["faction"] == "Super Mutants"
    store_force(stage, "Ada")
    assert stage.now(stage.one(Player, name="Ada")).faction == "Survivors", "bound by the first list handed in"
    stage.force(event, bo, stage.one(ForceList, player_id=bo.id).document | {"faction": "Survivors"}, submit=False)
    assert "bm.event.faction-lock" in visitor.open(MINE).text


def test_unpainted_forces_wait_for_a_look_at_check_in(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(PAGE)
    olga.press("Save", painted=True)
    olga.open("/e/iron-open/desk/players")
    olga.press("Add", **{"w-name": "Ada"})
    ada = stage.one(Player)
    assert (ada.state, ada.painted) == ("registered", False), "a walk-in's force is looked at first"
    with pytest.raises(Refused, match="painted"), stage.changing(event) as s:
        check_in(s, event, ada, "x", stage.clock())
    olga.open("/e/iron-open/desk/players")
    olga.press("Painted: check in")
    assert (stage.now(ada).state, ada.painted) == ("checked_in", True)


@pytest.mark.parametrize(
    ("name", "points", "why"),
    [
        ("On", 3, "list on time and without error"),
        ("Changed", 1, "list on time"),
        ("Draft", -2, "late list"),
        ("None", -2, "late list"),
    ],
)
def test_what_a_list_earns(
    enter: Enter, olga: Person, stage: Stage, event: Event, clock: Clock, name: str, points: int, why: str
) -> None:
    """Reckoned from the seals; the organiser's own figure goes before it."""
    enter(event, "On", "Changed", "Draft", "None")
    olga.open(PAGE)
    olga.press("Save", on_time_points="1", error_free_points="2", late_points="2")
    for one in ("On", "Changed"):
        store_force(stage, one)
    store_force(stage, "Draft", submit=False)
    player = stage.one(Player, name=name)
    address = f"/e/iron-open/desk/players/{player.id}"
    assert "reckon it." in olga.open(address).text, "nothing before lists are locked"
    clock.now = DEADLINE + timedelta(hours=1)
    olga.open("/e/iron-open")
    changed = stage.one(Player, name="Changed")
    olga.open(f"/e/iron-open/desk/players/{changed.id}/force")
    olga.press("Save", name="Another name")
    assert f"reckon it: {minus(points)} for {why}." in olga.open(address).text
    olga.press("Save", list_points_set="5")
    assert stage.now(player).list_points_set == 5
    for entered in stage.all(Player):
        with stage.changing(event) as s:
            check_in(s, event, entered, "x", clock())
    stage.play(event, 1)
    page = olga.open("/e/iron-open/standings")
    assert "5 list (set by the organiser)" in page.text
    olga.open(address)
    olga.press("Save", list_points_set="")
    assert f"{points} {why}".replace("-", "−") in olga.open("/e/iron-open/standings").text
