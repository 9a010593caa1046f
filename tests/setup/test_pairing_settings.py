"""The page "Pairing": each section is stored by its own button, and reaches the draw."""

from datetime import date

import pytest

from events.pairing.levels import count_levels
from events.pairing.seats import LEVEL_WORDS, PLAIN, Rules, event_document, rules_of_event
from events.setup.pairing_actions import set_draw_rules
from models.event import AvoidClubs, Event, EventState, Round
from tests.kit.person import Person
from tests.kit.stage import BY, Stage

PAIRING = "/e/iron-open/desk/pairing"
STANDING = Rules(method="standing", off=("repeat_floats",), banned=("kept_apart",))
FAULTS = (
    ("tables", "tables", "0", "Enter a number from 1 to 1000."),
    ("tables", "tables", "many", "Enter a whole number."),
    ("counting", "vp_cap", "0", "Enter a number from 1 to 10000."),
    ("counting", "bye_vp", "-1", "Enter a number from 0 to 10000."),
    ("draw", "method", "by beauty", "not a valid choice"),
    ("draw", "avoid_clubs", "sometimes", "not a valid choice"),
    ("draw", "levels-2", "twice", "not a valid choice"),
    ("tie-breaks", "tie_breaks-0", "beauty", "not a valid choice"),
    ("tie-breaks", "tie_breaks-3", "sos", "Choose each tie-break only once."),
)


def test_draw_rules_are_stored(olga: Person, stage: Stage, event: Event) -> None:
    page = olga.open(PAIRING)
    assert (page.value("draw-method"), page.value("draw-avoid_clubs")) == ("random", "first_round")
    assert [page.value(f"draw-levels-{n}") for n in range(6)] == ["on"] * 6
    page = olga.press(
        "Save",
        inside="#draw",
        **{
            "draw-method": "Fold", "draw-avoid_clubs": "always", "draw-levels-4": "Ignored",
            "draw-levels-5": "As good as forbidden",
        },
    )  # fmt: skip
    assert (page.status, page.flashes) == (200, "How a round is drawn: saved.")
    stage.now(event)
    assert event.draw_rules == {"method": "fold", "off": ["repeat_floats"], "banned": ["kept_apart"]}
    assert event.avoid_clubs == AvoidClubs.ALWAYS
    assert [page.value(f"draw-levels-{n}") for n in range(6)] == ["on", "on", "on", "on", "off", "banned"]
    assert stage.journal(event, "change-pairing") == [
        "Changed how rounds are drawn: “Players of equal points”, “Levels ignored”, “Levels as good as forbidden”, "
        "“Keep club mates apart”"
    ]


def test_tables_and_tie_breaks_are_stored_beside_other_settings(olga: Person, stage: Stage, event: Event) -> None:
    settings = olga.open("/e/iron-open/desk/settings")
    olga.open(PAIRING)
    for section in ("draw", "tables", "tie-breaks"):
        assert olga.press("Save", inside=f"#{section}").status == 200
    assert stage.journal(event, "change-pairing") == [], "nothing has changed"
    assert olga.press("Save", inside="#tables", **{"tables-tables": "9"}).flashes == "Tables and scenarios: saved."
    page = olga.press(
        "Save", inside="#tie-breaks", **{"tie-breaks-tie_breaks-0": "sos", "tie-breaks-tie_breaks-1": "wins"}
    )
    assert page.flashes == "Tie-breaks, in this order: saved."
    olga.page = settings
    assert olga.press("Save", place="Old Mill").flashes == "Saved."
    stage.now(event)
    assert (event.place, event.tables, event.tie_breaks) == ("Old Mill", 9, ["sos", "wins", "lots"])
    olga.open(PAIRING)
    olga.press("Save", inside="#tables", **{"tables-tables": ""})
    assert stage.now(event).tables is None
    assert len(stage.journal(event, "change-pairing")) == 3
    for names, said in (("vp", False), ("vp_share", True)):
        with stage.changing(event):
            event.tie_breaks = [names]
        assert ("at most what the winner’s leaves of 100" in olga.open(PAIRING).text) is said, names


def test_fault_is_shown_at_its_field_and_stores_nothing(olga: Person, stage: Stage, event: Event) -> None:
    before, form = stage.digest(), olga.open(PAIRING)
    for section, field, typed, words in FAULTS:
        olga.page = form
        page = olga.forge("Save", inside=f"#{section}", **{f"{section}-{field}": typed})
        assert page.status == 422, (field, typed)
        assert words.casefold() in page.part(f"#{section} .errors").casefold()
        assert words.casefold() in page.error_at(f"{section}-{field}").casefold()
        assert len(page.soup.select(".errors")) == 1, "the other sections are unchanged"
    assert stage.digest() == before


def test_section_changed_by_another_organiser_is_not_overwritten(olga: Person, stage: Stage, event: Event) -> None:
    mine = olga.open(PAIRING)
    olga.press("Save", inside="#tables", **{"tables-tables": "9"})
    olga.page = mine
    page = olga.press("Save", inside="#tables", **{"tables-tables": "4"})
    assert (page.status, page.value("tables-tables"), stage.now(event).tables) == (409, "4", 9)
    assert "Another person changed this after you opened it." in page.errors
    olga.page = mine
    assert olga.press("Save", inside="#draw", **{"draw-method": "fold"}).status == 200, "another section"
    olga.page = page
    assert olga.press("Save", inside="#tables").flashes == "Tables and scenarios: saved."
    assert stage.now(event).tables == 4


def test_finished_event_and_unknown_section_are_refused(olga: Person, stage: Stage, event: Event) -> None:
    with stage.changing(event):
        event.state = EventState.FINISHED
    olga.open(PAIRING)
    page = olga.press("Save", inside="#draw", **{"draw-method": "fold"})
    assert (page.status, "its standings are final" in page.errors) == (422, True)
    token = str(page.value("draw-csrf_token"))
    for pressed in ({}, {"do": "everything"}):
        assert olga.ask("POST", PAIRING, {"csrf_token": token} | pressed).status_code == 404
    assert stage.journal(event, "change-pairing") == []


# ---- in the draw


def choose(stage: Stage, event: Event, rules: Rules) -> None:
    with stage.changing(event) as s:
        set_draw_rules(s, event, rules, AvoidClubs.NEVER, BY, stage.clock())


@pytest.mark.both_at_length
def test_rules_are_stored_with_every_drawn_round(stage: Stage) -> None:
    event = stage.event(starts_on=date(2026, 12, 5))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    for _ in range(2):
        choose(stage, event, STANDING)
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
    choose(stage, event, Rules())
    stage.draw(event, 2)
    inputs = stage.all(Round)[1].inputs or {}
    assert {seat["rank"] for seat in inputs["seats"]} == {0}, "other tie-breaks do not make a plain draw stale"


def test_stored_rules_read_back_and_every_level_has_a_label() -> None:
    assert rules_of_event(event_document(STANDING)) == STANDING
    assert rules_of_event(None) == rules_of_event(event_document(PLAIN)) == PLAIN
    assert list(LEVEL_WORDS) == list(vars(count_levels(1, [], [], None)))
    with pytest.raises(ValueError, match="both off and banned: distance"):
        event_document(Rules(off=("distance",), banned=("distance",)))
