"""Making an event, opening registration, and changing every setting."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask_wtf import FlaskForm

from events.journal.setting_words import OF_DOCUMENTS, label_of
from events.setup.actions import finish
from events.setup.pairing_actions import set_draw_rules
from events.setup.sections_page import FORMS
from events.tournament.pairing.levels import count_levels
from events.tournament.pairing.seats import LEVEL_WORDS, PLAIN, Rules, event_document, rules_of_event
from models.event import Event, EventState, Round, RoundState
from models.settings import AvoidClubs, EventSettings
from tests.kit.person import OPEN_REGISTRATION, Enter, Page, Person, Value
from tests.kit.stage import Stage
from validators import SYSTEMS

SETTINGS = "/e/iron-open/desk/settings"
SCENARIOS = [scenario.id for scenario in SYSTEMS["battle_mode"].scenarios]
NEW_FAULTS = (
    {"name": ("   ", "Please fill this in."), "starts_on": ("", "Enter a date.")},
    {"name": ("x" * 121, "At most 120 characters."), "starts_on": ("0026-12-05", "Enter a year from 2000 to 2200.")},
)
FAULTS: tuple[tuple[str, dict[str, tuple[str, str]]], ...] = (
    ("lists", {
        "size": ("0", "Enter a number from 1 to 100000."),
        "list_deadline": ("9999-12-31T23:59", "Enter a year from 2000"),
    }),
    ("lists", {
        "size": ("7e2", "Enter a whole number."), "list_deadline": ("yesterday", "Not a valid datetime value."),
    }),
    ("registration", {"places": ("1", "Enter a number from 2 to 2000.")}),
    ("rounds", {"rounds": ("21", "Enter a number from 1 to 20.")}),
    ("event", {"ends_on": ("2026-12-04", "The last day must not be before the first.")}),
    ("points", {"points_draw": ("-1", "Enter a number from 0 to 100.")}),
    ("points", {"points_win": ("0", "A win must be worth at least as much as a draw")}),
)  # fmt: skip


def make(olga: Person, name: str, **fields: str) -> Page:
    return olga.press("Create event", at="/desk/new", name=name, **{"place": "Bar", "starts_on": "2026-12-05"} | fields)


def test_new_season_or_campaign_is_one_at_once_and_leads_to_its_days(olga: Person, stage: Stage) -> None:
    for kind, address in (("event", "desk"), ("season", "desk/settings/season"), ("campaign", "desk/settings/season")):
        assert make(olga, kind.title(), kind=kind, system="fallout_warfare").path == f"/e/{kind}/{address}"
        event = stage.one(Event, slug=kind)
        assert (event.season is not None, event.campaign is not None) == (kind != "event", kind == "campaign")
    page = make(olga, "Other", kind="campaign", system="battle_mode")
    assert "Games with a campaign: Fallout: Warfare and Fallout Skirmish." in page.part("#kind")
    assert "90 minutes a round; 14 days in a season or campaign" in page.text
    refused(page, "kind", "The rules of Battle Mode describe no campaign.")
    assert not stage.all(Event, name="Other")


def refused(page: Page, field: str, words: str) -> None:
    assert page.status == 422
    assert words in page.error_at(field)
    assert words in page.errors
    assert page.soup.select_one(f'.errors a[href="#{field}"]'), "the list at the top leads to the field"


def test_new_event_needs_three_fields_and_has_defaults(olga: Person, stage: Stage) -> None:
    page = make(olga, "Łódź Open 2026", place="Hala 3", timezone="Europe/Warsaw")
    assert (page.status, page.path) == (200, "/e/odz-open-2026/desk")
    event = stage.one(Event)
    assert (event.state, event.size, event.rounds, event.round_minutes) == (EventState.DRAFT, 750, 3, 90)
    assert (event.points_win, event.points_draw, event.points_loss) == (3, 1, 0)
    assert event.list_deadline == datetime(2026, 12, 4, 19, tzinfo=UTC), "the evening before at 20:00, in Warsaw"
    assert event.scenario_pool == SCENARIOS
    assert [r.number for r in stage.all(Round)] == [1, 2, 3]
    assert make(olga, "戦場", place="東京", starts_on="2026-11-21", rounds="5").path == "/e/event/desk"
    assert stage.one(Event, name="戦場").rounds == 5
    assert len(stage.all(Round, event_id=stage.one(Event, name="戦場").id)) == 5
    assert stage.one(Event, name="戦場").list_deadline is None, "the deadline would have passed"
    tomorrow = stage.clock().date() + timedelta(days=1)
    make(olga, "Tomorrow", starts_on=tomorrow.isoformat())
    assert "or with round 1 if that is too soon" in olga.open("/desk/new").text
    assert stage.one(Event, name="Tomorrow").list_deadline is None, "nobody could send a list by tonight at 20:00"


def test_new_event_is_on_the_next_saturday_in_the_zone_of_the_last_one(olga: Person, stage: Stage) -> None:
    made = {}
    for day in (20, 21, 22):  # Friday, Saturday, Sunday
        stage.clock.now = datetime(2026, 11, day, 12, tzinfo=UTC)
        page = olga.open("/desk/new")
        made[day] = page.value("starts_on"), page.value("timezone")
        stage.event(f"Cup {day}", timezone="Europe/Warsaw")
    zones = "UTC", "Europe/Warsaw", "Europe/Warsaw"
    days = "2026-11-21", "2026-11-21", "2026-11-28"
    assert made == dict(zip((20, 21, 22), zip(days, zones, strict=True), strict=True))


def test_events_of_one_name_have_different_addresses(olga: Person, stage: Stage) -> None:
    for seconds in (0, 2, 120):
        stage.clock.now += timedelta(seconds=seconds)
        page = make(olga, "Iron Open!")
    assert page.path == "/e/iron-open-2/desk", "within a minute the same form makes one event"
    make(olga, "Iron Open!", starts_on="2026-12-06")
    assert [event.slug for event in stage.all(Event)] == ["iron-open", "iron-open-2", "iron-open-3"]


def test_faulty_field_of_a_new_event_is_shown_and_the_others_are_kept(olga: Person, stage: Stage) -> None:
    filled = {"name": "Iron Open", "place": "Town Hall", "starts_on": "2026-12-05", "timezone": "Asia/Tokyo"}
    olga.open("/desk/new")
    for faults in NEW_FAULTS:
        page = olga.press("Create event", **filled | {field: typed for field, (typed, _) in faults.items()})
        for field, (_, words) in faults.items():
            refused(page, field, words)
        assert all(page.value(name) == filled[name] for name in filled.keys() - faults.keys())
    assert stage.all(Event) == []


def test_draft_is_visible_to_organisers_until_registration_opens(olga: Person, visitor: Person, stage: Stage) -> None:
    event = stage.event(draft=True)
    assert visitor.open("/e/iron-open").status == 404
    assert "Iron Open" not in visitor.open("/").text
    assert olga.open("/e/iron-open").status == 200
    assert "Iron Open" in olga.open("/").text
    form = olga.open("/e/iron-open/desk")
    assert "Registration is open." in olga.press(OPEN_REGISTRATION).flashes
    olga.page = form
    assert "opened already" in olga.press(OPEN_REGISTRATION).flashes
    assert stage.journal(event, "open-registration") == ["Opened registration"]
    text = visitor.open("/e/iron-open").text
    for fact in (
        "Iron Open", "Saturday 5 December 2026", "Town Hall", "750 Caps", "3 rounds of 90 minutes",
        "Friday 4 December 2026, 20:00 (Europe/Berlin, 19:00 UTC)",
        "3 tournament points for a win, 1 for a draw, 0",
    ):  # fmt: skip
        assert fact in text
    assert visitor.open("/").soup.find("a", href="/e/iron-open")


def test_every_setting_changes(olga: Person, stage: Stage, event: Event) -> None:
    assert olga.press("Save", at=f"{SETTINGS}/event").flashes == "Saved."
    assert stage.journal(event, "change-settings") == [], "nothing has changed"
    sections: tuple[dict[str, Any], ...] = (
        {"name": "Rust Cup", "place": "Old Mill", "description": "Bring dice.\nNo dogs.",
         "contact": "Olga, olga@example.org", "bring": "Two dice trays.\n<b>Water</b>",
         "starts_on": "2027-01-09", "ends_on": "2027-01-10", "timezone": "America/New_York"},
        {"places": "16", "waiting_list": False},
        {"size": "1000", "list_deadline": "2027-01-07T18:30"},
        {"points_win": "5", "points_draw": "2", "points_loss": "1", "painting_points": "2"},
    )  # fmt: skip
    for name, fields in zip(("event", "registration", "lists", "points"), sections, strict=True):
        page = olga.press("Save", at=f"{SETTINGS}/{name}", **fields)
        if "starts_on" in fields:
            page = olga.press("Save and move what is ticked")
        assert (page.status, page.part(f"#{name} .saved")) == (200, "Saved.")
    page = olga.press(
        "Save", at=f"{SETTINGS}/rounds", rounds="5", round_minutes="75",
        scenario_pool=["raiders", "scrapyard", "hold-the-line"],
        **{"scenarios-0": "Raiders", "scenarios-1": "defend-your-stash"},
    )  # fmt: skip
    assert page.status == 422, "the pool is too small for five rounds"
    page = olga.press("Save", scenario_pool=SCENARIOS, **{"scenarios-4": "raiders"})
    assert (page.status, page.flashes) == (200, "Saved.")
    stage.now(event)
    assert (event.name, event.place, event.description) == ("Rust Cup", "Old Mill", "Bring dice.\r\nNo dogs.")
    assert (event.slug, event.timezone) == ("iron-open", "America/New_York"), "the address stays"
    assert (event.starts_on, event.ends_on) == (date(2027, 1, 9), date(2027, 1, 10))
    assert (event.size, event.places, event.waiting_list) == (1000, 16, False)
    assert event.list_deadline == datetime(2027, 1, 7, 23, 30, tzinfo=UTC)
    assert (event.rounds, event.round_minutes) == (5, 75)
    assert (event.points_win, event.points_draw, event.points_loss, event.painting_points) == (5, 2, 1, 2)
    chosen = [r.scenario for r in stage.all(Round, event_id=event.id)]
    assert chosen == ["raiders", "defend-your-stash", None, None, "raiders"]
    lines = stage.journal(event, "change-settings")
    assert len(lines) == 5 and lines[2] == "Changed the settings: “Size” from 750 to 1000, “List deadline”"
    assert any("“Minutes per round” from 90 to 75" in line for line in lines), lines
    waiting = "“Keep a waiting list when all places are taken”"
    assert lines[1] == f"Changed the settings: “Player limit”, {waiting}"
    journal = olga.open("/e/iron-open/desk/journal").text
    assert "Information for players" in journal and "waiting list: yes" not in journal
    shown = olga.open(f"{SETTINGS}/lists")
    assert shown.value("list_deadline") == "2027-01-07T18:30"
    assert olga.open(f"{SETTINGS}/rounds").value("scenarios-1") == "defend-your-stash"
    olga.press("Save", at=f"{SETTINGS}/event", timezone="Pacific/Kiritimati")
    deadline = datetime(2027, 1, 7, 4, 30, tzinfo=UTC)
    assert stage.now(event).list_deadline == deadline, "18:30 there as it was in New York"


@pytest.mark.parametrize("section", ["event", "draw"])
def test_saved_section_opens_at_its_message(olga: Person, event: Event, section: str) -> None:
    saved = olga.press("Save", at=f"{SETTINGS}/{section}")
    (answer,) = saved.response.history
    assert saved.part(f"#{str(answer.location).partition('#')[2]} .saved") == "Saved."


def test_journal_has_the_labels_of_the_forms(app: Flask, event: Event) -> None:
    with app.test_request_context():
        forms: list[FlaskForm] = [form(None) for form in FORMS.values()]
    labels = {name: field.label.text for form in reversed(forms) for name, field in form._fields.items()}
    other = {"off", "banned", "items"}
    assert labels.keys() >= OF_DOCUMENTS.keys() - other
    shown = (Event.model_fields.keys() | OF_DOCUMENTS.keys()) & labels.keys()
    assert {name: labels[name] for name in shown} == {name: label_of(name) for name in shown}


def test_sections_show_a_field_for_each_setting(olga: Person, event: Event) -> None:
    shown = set[str]()
    for section in FORMS:
        page = olga.open(f"{SETTINGS}/{section}")
        names = {str(field["name"]) for field in page.soup.select("main form [name]")}
        shown |= {text.partition("-")[0] for name in names for text in (name, name.removeprefix(f"{section}-"))}
    elsewhere = {"system", "fee", "fee_currency"}  # typed with the amount
    assert EventSettings.model_fields.keys() - shown == elsewhere, "show it in setup/settings, or say where it is"


def test_contact_and_what_to_bring_are_on_the_events_page_and_my_page(
    visitor: Person, olga: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    (ada, _) = enter(event, "Ada", "Bo")
    assert "Contact" not in visitor.open("/e/iron-open").text + ada.open("/e/iron-open/me").text
    refused(olga.press("Save", at=f"{SETTINGS}/event", contact="x" * 201), "contact", "At most 200 characters.")
    refused(olga.press("Save", contact="", bring="x" * 1001), "bring", "At most 1000 characters.")
    olga.press("Save", contact="Olga, olga@example.org, 555 0101", bring="Two dice trays.\n\n<b>Water</b>")
    for page in (visitor.open("/e/iron-open"), ada.open("/e/iron-open/me")):
        facts = [fact.get_text().strip() for fact in page.soup.select("dl.facts")[0].select("dt, dd")]
        assert facts == ["Contact", "Olga, olga@example.org, 555 0101", "What to bring", "Two dice trays.",
                         "<b>Water</b>"]  # fmt: skip
        assert page.soup.select("dl.facts a[href='mailto:olga@example.org']")
    stage.play(event, 1)
    assert "555 0101" in ada.open("/e/iron-open/me").text and "dice trays" not in ada.page.text
    stage.do(event, finish)
    page = olga.press("Save", at=f"{SETTINGS}/event", contact="By post")
    assert page.flashes == "Saved.", "words may change after the event"


def test_faulty_setting_is_refused_and_what_was_typed_stays(olga: Person, stage: Stage, event: Event) -> None:
    with stage.unchanged():
        for section, faults in FAULTS:
            typed_in = {field: typed for field, (typed, _) in faults.items()}
            page = olga.press("Save", at=f"{SETTINGS}/{section}", **typed_in)
            for field, (typed, words) in faults.items():
                refused(page, field, words)
                assert page.value(field) == typed
        page = olga.press("Save", at=f"{SETTINGS}/points", points_draw="4")
        refused(page, "points_win", "A win must be worth at least as much as a draw")
        typed_in = {"place": "Somewhere else", "description": "Bring dice.", "starts_on": ""}
        page = olga.press("Save", at=f"{SETTINGS}/event", **typed_in)
        assert (page.value("place"), page.value("description")) == ("Somewhere else", "Bring dice.")
        for field in ("event-timezone", "lists-edition", "rounds-scenario_pool", "rounds-scenarios-0"):
            section, _, name = field.partition("-")
            page = olga.forge("Save", at=f"{SETTINGS}/{section}", **{name: "golf"})
            assert (page.status, "not a valid choice" in page.errors.casefold()) == (422, True), field
    assert olga.press("Save", **{"scenarios-0": ""}).flashes == "Saved.", "after a fault, the form still works"


def test_pool_must_last_for_the_rounds_that_still_draw_from_it(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(f"{SETTINGS}/rounds")
    for fields, words in (
        ({"scenario_pool": ["raiders", "scrapyard"]}, "Scenarios to draw: 3; unused in the pool: 2,"),
        ({"scenarios-2": "Scrapyard"}, "Scenarios to draw: 2; unused in the pool: 1,"),
    ):
        page = olga.press("Save", **fields)
        refused(page, "scenario_pool", words)
        assert page.value("scenario_pool") == ["raiders", "scrapyard"]
    assert olga.press("Save", **{"scenarios-2": "hold-the-line"}).flashes == "Saved."
    assert stage.one(Event).scenario_pool == ["raiders", "scrapyard"]
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    drawn = stage.all(Round)[0].scenario
    (left,) = {"raiders", "scrapyard"} - {drawn}
    assert olga.press("Save", at=f"{SETTINGS}/rounds", scenario_pool=[left]).flashes == "Saved."
    stage.draw(event, 2)
    assert [round_.scenario for round_ in stage.all(Round)] == [drawn, left, "hold-the-line"]


def test_settings_changed_by_another_organiser_are_not_overwritten(olga: Person, stage: Stage, event: Event) -> None:
    mine = olga.open(f"{SETTINGS}/event")
    olga.press("Save", place="By the other one")
    olga.page = mine
    assert olga.press("Save", name="By me", place="").status == 422, "faults are shown first"
    page = olga.press("Save", place="By me too")
    assert (page.status, "This was changed after you opened it" in page.errors) == (409, True)
    assert (page.value("name"), page.value("place")) == ("By me", "By me too")
    assert stage.one(Event).place == "By the other one"
    assert olga.press("Save").flashes == "Saved.", "after the warning it is stored"
    assert stage.one(Event).place == "By me too"
    assert olga.press("Save", at=f"{SETTINGS}/registration", places="40").flashes == "Saved.", "not out of date"


def test_planned_rounds_are_added_and_removed_but_drawn_ones_stay(olga: Person, stage: Stage, event: Event) -> None:
    for count in (5, 2, 4):
        assert olga.press("Save", at=f"{SETTINGS}/rounds", rounds=str(count)).flashes == "Saved."
        assert [r.number for r in stage.all(Round)] == list(range(1, count + 1))
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    stage.draw(event, 2)
    drawn = stage.all(Round)[1].scenario
    other = next(name for name in SCENARIOS if name != drawn)
    form = olga.open(f"{SETTINGS}/rounds")
    for section, field, typed, words in (
        ("rounds", "rounds", "1", "Enter at least 2: so many rounds are drawn already."),
        ("lists", "size", "500", "Round 1 is drawn: this can no longer change."),
        ("lists", "edition", "2022-community", "Round 1 is drawn: this can no longer change."),
    ):  # fmt: skip
        assert section == "rounds" or words in olga.open(f"{SETTINGS}/{section}").text, "said before it is tried"
        refused(olga.forge("Save", at=f"{SETTINGS}/{section}", **{field: typed}), field, words)
    olga.page = form
    assert olga.press("Save", rounds="2", **{"scenarios-1": other}).flashes == "Saved."
    assert [r.state for r in stage.all(Round)] == [RoundState.PUBLISHED, RoundState.DRAWN]
    assert stage.all(Round)[1].scenario == drawn
    assert (stage.one(Event).size, stage.one(Event).edition) == (750, "2018-08")


STANDING = Rules(method="standing", off=("repeat_floats",), banned=("kept_apart",))
PAIRING_FAULTS = (
    ("tables", "tables", "0", "Enter a number from 1 to 1000."),
    ("format", "cut", "1", "Enter a number from 2 to 64."),
    ("format", "cut", "65", "Enter a number from 2 to 64."),
    ("counting", "vp_cap", "0", "Enter a number from 1 to 10000."),
    ("counting", "bye_vp", "-1", "Enter a number from 0 to 10000."),
    ("draw", "method", "by beauty", "not a valid choice"),
    ("draw", "levels-2", "twice", "not a valid choice"),
    ("tie-breaks", "tie_breaks-0", "beauty", "not a valid choice"),
    ("tie-breaks", "tie_breaks-3", "sos", "Choose each tie-break only once."),
)


def test_draw_rules_are_stored(olga: Person, stage: Stage, event: Event) -> None:
    page = olga.open(f"{SETTINGS}/draw")
    assert (page.value("draw-method"), page.value("draw-avoid_clubs")) == ("random", "first_round")
    assert [page.value(f"draw-levels-{n}") for n in range(6)] == ["on"] * 6
    chosen = {"draw-method": "Fold", "draw-avoid_clubs": "always", "draw-levels-4": "Ignored"}
    page = olga.press("Save", inside="#draw", **chosen | {"draw-levels-5": "As good as forbidden"})
    assert (page.status, page.flashes) == (200, "Saved.")
    stage.now(event)
    assert event.draw_rules == {"method": "fold", "off": ["repeat_floats"], "banned": ["kept_apart"]}
    assert event.avoid_clubs == AvoidClubs.ALWAYS
    assert [page.value(f"draw-levels-{n}") for n in range(6)] == ["on", "on", "on", "on", "off", "banned"]
    assert stage.journal(event, "change-pairing") == [
        "Changed how rounds are drawn: “Players on equal points”, “Levels ignored”, “Levels as good as forbidden”, "
        "“Keep club mates apart”"
    ]


def test_tables_and_tie_breaks_are_stored_beside_other_settings(olga: Person, stage: Stage, event: Event) -> None:
    settings = olga.open(f"{SETTINGS}/event")
    for section in ("draw", "tables", "tie-breaks"):
        assert olga.press("Save", at=f"{SETTINGS}/{section}").status == 200
    assert stage.journal(event, "change-pairing") == [], "nothing has changed"
    assert olga.press("Save", at=f"{SETTINGS}/tables", **{"tables-tables": "9"}).flashes == "Saved."
    order = {"tie-breaks-tie_breaks-0": "sos", "tie-breaks-tie_breaks-1": "wins"}
    page = olga.press("Save", at=f"{SETTINGS}/tie-breaks", **order)
    assert page.flashes == "Saved."
    olga.page = settings
    assert olga.press("Save", place="Old Mill").flashes == "Saved."
    stage.now(event)
    assert (event.place, event.tables, event.tie_breaks) == ("Old Mill", 9, ["sos", "wins", "lots"])
    olga.press("Save", at=f"{SETTINGS}/tables", inside="#tables", **{"tables-tables": ""})
    assert stage.now(event).tables is None
    assert len(stage.journal(event, "change-pairing")) == 3
    for names, said in (("vp", False), ("vp_share", True)):
        stage.set(event, tie_breaks=[names])
        assert ("at most 100 minus the winner’s" in olga.open(f"{SETTINGS}/counting").text) is said, names


def test_change_of_tie_breaks_after_a_published_round_asks_and_is_public(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    assert "is published" not in olga.open(f"{SETTINGS}/tie-breaks").part("#tie-breaks")
    stage.set(event, tie_breaks=["vp", "sos"])
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    order: dict[str, Value] = {"tie-breaks-tie_breaks-0": "sos", "tie-breaks-tie_breaks-1": "vp"}
    with stage.unchanged():
        page = olga.press("Save", at=f"{SETTINGS}/tie-breaks", inside="#tie-breaks", **order)
        assert page.status == 422
        assert "Round 1 is published" in page.error_at("tie-breaks-sure")
    sure: dict[str, Value] = {"tie-breaks-sure": True}
    assert olga.press("Save", at="", inside="#tie-breaks", **sure).status == 200
    assert stage.now(event).tie_breaks == ["sos", "vp"]
    assert stage.journal(event, "change-pairing") == ["Changed the tie-breaks after round 1"]
    public = "Changed after round 1 was published. Before: VP, then SoS."
    for address in ("/e/iron-open/standings", "/e/iron-open"):
        assert public in visitor.open(address).text, address
    stage.play(event, 2)
    order = {"tie-breaks-tie_breaks-0": "vp", "tie-breaks-tie_breaks-1": "sos"} | sure
    olga.press("Save", at=f"{SETTINGS}/tie-breaks", inside="#tie-breaks", **order)
    assert "Changed after" not in visitor.open("/e/iron-open/standings").text, "as in round 1"


def test_journal_names_only_the_settings_that_changed(olga: Person, stage: Stage, event: Event) -> None:
    olga.press("Save", at=f"{SETTINGS}/season", inside="#season", **{"season-days": "14"})
    olga.press("Save", inside="#season", **{"season-kind": "ladder", "season-above": "3"})
    olga.press("Save", inside="#season", **{"season-days": ""})
    assert stage.journal(event, "change-pairing") == [
        "Changed the season: “Days for each round”",
        "Changed the season: “Kind of season”, “Ladder: most places above” from 2 to 3",
        "Changed the season: “Days for each round”, “Kind of season”, “Ladder: most places above” from 3 to 2",
    ]
    olga.press("Save", at="/e/iron-open/desk/settings/rounds", rounds="4")
    assert stage.journal(event, "change-settings") == ["Changed the settings: “Rounds” from 3 to 4"]


def test_fault_is_shown_at_its_field_and_stores_nothing(olga: Person, stage: Stage, event: Event) -> None:
    before = stage.digest()
    for section, field, typed, words in PAIRING_FAULTS:
        page = olga.forge("Save", at=f"{SETTINGS}/{section}", **{f"{section}-{field}": typed})
        assert page.status == 422, (field, typed)
        assert words.casefold() in page.part(f"#{section} .errors").casefold()
        assert words.casefold() in page.error_at(f"{section}-{field}").casefold()
    assert stage.digest() == before


def test_section_changed_by_another_organiser_is_not_overwritten(olga: Person, stage: Stage, event: Event) -> None:
    mine = olga.open(f"{SETTINGS}/tables")
    olga.press("Save", inside="#tables", **{"tables-tables": "9"})
    olga.page = mine
    page = olga.press("Save", inside="#tables", **{"tables-tables": "4"})
    assert (page.status, page.value("tables-tables"), stage.now(event).tables) == (409, "4", 9)
    assert "This was changed after you opened it" in page.errors
    assert olga.press("Save", at=f"{SETTINGS}/draw", **{"draw-method": "fold"}).status == 200, "another section"
    olga.page = page
    assert olga.press("Save", inside="#tables").flashes == "Saved."
    assert stage.now(event).tables == 4


def test_finished_event_and_unknown_section_are_refused(olga: Person, stage: Stage, event: Event) -> None:
    stage.set(event, state=EventState.FINISHED)
    page = olga.press("Save", at=f"{SETTINGS}/draw", inside="#draw", **{"draw-method": "fold"})
    assert (page.status, "its standings are final" in page.errors) == (422, True)
    for section in ("everything", "life", "look"):
        assert olga.post(f"{SETTINGS}/{section}").status_code == 404
    assert stage.journal(event, "change-pairing") == []


@pytest.mark.both_at_length
def test_rules_are_stored_with_every_drawn_round(stage: Stage) -> None:
    event = stage.event(starts_on=date(2026, 12, 5), players=("Ada", "Bo", "Cy", "Di"))
    for _ in range(2):
        stage.do(event, set_draw_rules, STANDING, AvoidClubs.NEVER)
    assert len(stage.journal(event, "change-pairing")) == 1, "the second time changes nothing"
    stage.play(event, 1)
    stage.draw(event, 2)
    first, second, _ = stage.all(Round)
    assert first.inputs and second.inputs
    plain = {"avoid_clubs": "never", "keep_apart": [], "locked": []}
    assert first.inputs["rules"] == second.inputs["rules"] == event_document(STANDING) | plain
    assert [seat["rank"] for seat in first.inputs["seats"]] == [0] * 4, "there is no standing before round 1"
    ranks = {int(seat["id"]): seat["rank"] for seat in second.inputs["seats"]}
    assert ranks == {int(row.id): row.rank for row in stage.standings(event, 1)}
    stage.do(event, set_draw_rules, Rules(), AvoidClubs.NEVER)
    stage.draw(event, 2)
    inputs = stage.all(Round)[1].inputs or {}
    assert {seat["rank"] for seat in inputs["seats"]} == {0}, "other tie-breaks do not make a plain draw stale"


def test_stored_rules_read_back_and_every_level_has_a_label() -> None:
    assert rules_of_event(event_document(STANDING)) == STANDING
    assert rules_of_event(None) == rules_of_event(event_document(PLAIN)) == PLAIN
    assert list(LEVEL_WORDS) == list(vars(count_levels(1, [], [], None)))
    with pytest.raises(ValueError, match="both off and banned: distance"):
        event_document(Rules(off=("distance",), banned=("distance",)))
