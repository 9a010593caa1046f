"""The list of settings: each setting in one section, its value in a sentence, what is changed, and the search."""

from collections import Counter
from datetime import date
from typing import Any

from sqlalchemy import Boolean, Date, Enum, Integer, String
from sqlmodel import AutoString

from events.journal.setting_words import label_of
from events.setup.actions import default_settings
from events.setup.event_rules import points_words
from events.setup.field_forms import COLUMNS
from events.setup.said import GROUPS, SECTIONS
from events.setup.section import Rows
from events.setup.sections_page import changed
from events.store.editions import system_of
from events.tournament.circuit import Circuit
from events.tournament.clock import ClockRules
from events.tournament.points_table import PointsTable
from events.tournament.season import Season
from events.tournament.soft_rules import SoftRules
from models.base import UTCDateTime
from models.event import Event
from models.play_settings import PlaySettings
from models.settings import EventSettings
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators.restrictions import Restrictions

SETTINGS = "/e/iron-open/desk/settings"
SENTENCES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("rounds", {"round_minutes": 75}, "3 rounds of 75 min, scenarios from a pool of 5"),
    ("rounds", {"rounds": 1, "scenario_pool": []}, "1 round of 90 min, scenarios chosen by you"),
    ("registration", {"places": 32, "waiting_list": True}, "32 places, waiting list"),
    ("registration", {"places": None, "fee": "15 €", "waiting_list": False},
     "No player limit, no waiting list, fee 15 €"),
    ("lists", {}, "Up to 750 Caps, due Fri 4 Dec, 20:00, show lists to everyone: when they are locked"),
    ("format", {"cut": 4, "third_place": True}, "Swiss, then a knockout of the top 4, third place played"),
    ("draw", {}, "By lot among equal points, keep club mates apart: in round 1"),
    ("tables", {"tables": 9, "tables_out": [3], "top_tables": False}, "9 tables, 1 out of use, seats by lot"),
    ("teams", {"team_size": 3, "doubles": True}, "Teams of 3, boards in their own order, doubles"),
    ("points", {"painting_points": 2}, "3 for a win, 1 a draw, 0 a loss, 2 for paint"),
    ("tie-breaks", {"tie_breaks": ["vp", "sos"]}, "VP, then SoS"),
    ("circuit", {"circuit": Circuit((10, 6), 1)}, "10, 6, best 1 event"),
    ("season", {"season": Season(days=7, kind="ladder")}, "Ladder, 2 places up, 7 days to play"),
)  # fmt: skip


def test_each_setting_is_in_one_section() -> None:
    held = Counter(name for section in SECTIONS.values() for name in section.columns)
    assert held == Counter({**EventSettings.model_fields, **PlaySettings.model_fields}.keys()), "add it in said.py"
    assert len(SECTIONS) == sum(map(len, GROUPS.values())), "each section has its own id"


def test_values_are_said_in_a_sentence(stage: Stage, event: Event) -> None:
    for section, values, sentence in SENTENCES:
        before = {name: getattr(event, name) for name in values}
        stage.set(event, **values)
        assert SECTIONS[section].said(event, Rows()) == sentence
        stage.set(event, **before)


def test_sections_that_are_not_used_have_no_sentence(event: Event) -> None:
    silent = [section.id for section in SECTIONS.values() if not section.said(event, Rows())]
    assert silent == [
        "repeat", "tokens", "webhooks", "questions", "privacy", "teams", "restrictions", "season", "apart", "circuit",
    ]  # fmt: skip
    assert SECTIONS["apart"].said(event, Rows(kept_apart=2)) == "2 pairs"
    assert SECTIONS["tokens"].said(event, Rows(tokens=1)) == "1 token"
    assert SECTIONS["webhooks"].said(event, Rows(webhooks=2)) == "2 webhooks"


def test_each_choice_figure_tick_and_document_is_named_when_it_differs(event: Event) -> None:
    usual = default_settings(
        system_of(event), event.name, event.place, event.starts_on, event.timezone, event.created_at
    )
    filled_in = (String, AutoString, Date, UTCDateTime)
    documents: dict[str, Any] = {
        "questions": [{"id": "q1", "label": "Lunch"}], "scenario_pool": [], "tie_breaks": [], "tables_out": [3],
        "points_table": PointsTable((), 0, 0), "season": Season(days=7), "campaign": {"steps": []},
        "circuit": Circuit((1,)),
        "draw_rules": {"method": "fold", "off": [], "banned": []}, "restrictions": Restrictions(painted=True),
        "soft_rules": SoftRules(hold=True), "clock_rules": ClockRules(5, (), 0),
    }  # fmt: skip
    fresh = {**dict(usual), **{name: field.default for name, field in PlaySettings.model_fields.items()}}
    for section in SECTIONS.values():
        for name in section.columns:
            kind = COLUMNS[name].type
            if isinstance(kind, filled_in) and not isinstance(kind, Enum):
                continue
            other = documents.get(name)
            if isinstance(kind, Enum) and kind.enum_class:
                other = next(enum for enum in kind.enum_class if enum != fresh[name])
            elif isinstance(kind, Boolean):
                other = not fresh[name]
            elif isinstance(kind, Integer):
                other = (fresh[name] or 0) + 1
            label = label_of(name)
            said = changed(section, Event(**fresh | {name: other}), usual)
            assert said == [label[:1].upper() + label[1:]], name
        assert changed(section, Event(**fresh), usual) == []


def test_document_that_says_the_defaults_is_not_changed(event: Event) -> None:
    usual = default_settings(system_of(event), "", "", date(2026, 12, 5), "UTC", event.created_at)
    event.draw_rules, event.tables_out = {"method": "random", "off": [], "banned": []}, []
    event.clock_rules = ClockRules(15, (30, 15, 5), 15)
    assert [changed(SECTIONS[name], event, usual) for name in ("draw", "tables", "clock")] == [[], [], []]


def test_list_shows_values_and_marks_what_is_changed(olga: Person, event: Event) -> None:
    olga.press("Save", at=f"{SETTINGS}/rounds", round_minutes="75")
    assert "Changed, not as in a new event: Minutes per round." in olga.page.text
    page = olga.open(SETTINGS)
    assert page.part("#rounds") == "Rounds and scenarios 1 changed 3 rounds of 75 min, scenarios from a pool of 5"
    assert "changed" not in page.part("#points")
    for link in page.soup.select(".settings nav li a"):
        assert olga.open(str(link["href"])).status == 200
        assert olga.page.soup.select(".back a, #times"), "a way back, but at the clock"


def test_search_finds_settings_by_label_and_help_and_leads_to_the_field(olga: Person, event: Event) -> None:
    page = olga.open(f"{SETTINGS}?q=minutes+round")
    first = page.soup.select_one("#matches a")
    assert first and first["href"] == f"{SETTINGS}/rounds#round_minutes"
    assert "seeded knockout" in olga.open(f"{SETTINGS}?q=SEEDED").part("#matches"), "words of a help"
    assert "No setting has these words." in olga.open(f"{SETTINGS}?q=golf").text
    assert "matches" not in olga.open(f"{SETTINGS}?q=+").text
    for link in olga.open(f"{SETTINGS}?q=e").soup.select("#matches a"):
        address, _, anchor = str(link["href"]).partition("#")
        there = olga.open(address)
        assert there.status == 200 and (not anchor or there.soup.find(id=anchor)), link["href"]


def test_rules_of_the_event_say_what_a_late_player_has(stage: Stage, event: Event) -> None:
    before = points_words(event)
    stage.set(event, late_points=2)
    assert points_words(event).removeprefix(before).strip().startswith("2 ")
