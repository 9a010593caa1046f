"""The page "Pairing": each section is stored by its own button, with the care of every settings form."""

import pytest

from models.event import AvoidClubs, Event, EventState
from tests.kit.person import Person
from tests.kit.stage import Stage

PAIRING = "/e/iron-open/desk/pairing"


def test_it_is_one_press_from_the_desk_and_the_settings(olga: Person, event: Event) -> None:
    for page in ("desk", "desk/settings"):
        links = olga.open(f"/e/{event.slug}/{page}").soup.select(f"main a[href='{PAIRING}'], nav a[href='{PAIRING}']")
        assert links, page


def test_how_a_round_is_drawn(olga: Person, stage: Stage, event: Event) -> None:
    page = olga.open(PAIRING)
    assert (page.value("draw-method"), page.value("draw-avoid_clubs")) == ("random", "first_round")
    assert [page.value(f"draw-levels-{n}") for n in range(6)] == ["on"] * 6, "with nothing chosen, all is looked at"
    page = olga.press(
        "Save",
        inside="#draw",
        **{
            "draw-method": "Fold",
            "draw-avoid_clubs": "always",
            "draw-levels-4": "Not looked at",
            "draw-levels-5": "As good as forbidden",
        },
    )
    assert (page.status, page.flashes) == (200, "How a round is drawn: saved.")
    stage.now(event)
    assert event.draw_rules == {"method": "fold", "off": ["repeat_floats"], "banned": ["kept_apart"]}
    assert event.avoid_clubs == AvoidClubs.ALWAYS
    shown = [page.value(f"draw-levels-{n}") for n in range(6)]
    assert shown == ["on", "on", "on", "on", "off", "banned"]
    assert stage.journal(event, "change-pairing") == [
        "Changed how rounds are drawn: method, off, banned, avoid_clubs"
    ], "and no more"  # fmt: skip


def test_tables_and_tie_breaks(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(PAIRING)
    assert olga.press("Save", inside="#tables", **{"tables-tables": "9"}).flashes == "Tables and scenarios: saved."
    page = olga.press(
        "Save", inside="#tie-breaks", **{"tie-breaks-tie_breaks-0": "sos", "tie-breaks-tie_breaks-1": "wins"}
    )
    assert page.flashes == "Tie-breaks, in this order: saved."
    stage.now(event)
    assert (event.tables, event.tie_breaks) == (9, ["sos", "wins", "lots"])
    olga.press("Save", inside="#tables", **{"tables-tables": ""})
    assert stage.now(event).tables is None
    assert len(stage.journal(event, "change-pairing")) == 3


@pytest.mark.parametrize("section", ["draw", "tables", "tie-breaks"])
def test_saving_what_stands_changes_nothing(olga: Person, stage: Stage, event: Event, section: str) -> None:
    olga.open(PAIRING)
    assert olga.press("Save", inside=f"#{section}").status == 200
    assert stage.journal(event, "change-pairing") == []


@pytest.mark.parametrize(
    ("section", "field", "typed", "words"),
    [
        ("tables", "tables", "0", "From 1 to 1000."),
        ("tables", "tables", "many", "Please type a whole number."),
        ("draw", "method", "by beauty", "not a valid choice"),
        ("draw", "avoid_clubs", "sometimes", "not a valid choice"),
        ("draw", "levels-2", "twice", "not a valid choice"),
        ("tie-breaks", "tie_breaks-0", "beauty", "not a valid choice"),
        ("tie-breaks", "tie_breaks-3", "sos", "The same tie-break stands twice."),
    ],
)
def test_what_cannot_be_is_told_at_its_field(
    olga: Person, stage: Stage, event: Event, section: str, field: str, typed: str, words: str
) -> None:
    olga.open(PAIRING)
    before = stage.digest()
    page = olga.forge("Save", inside=f"#{section}", **{f"{section}-{field}": typed})
    assert page.status == 422
    assert words.casefold() in page.part(f"#{section} .errors").casefold()
    assert words.casefold() in page.error_at(f"{section}-{field}").casefold()
    assert len(page.soup.select(".errors")) == 1, "the other sections are as they stand"
    assert stage.digest() == before


def test_a_section_changed_by_another_meanwhile_is_not_overwritten(olga: Person, stage: Stage, event: Event) -> None:
    mine = olga.open(PAIRING)
    olga.press("Save", inside="#tables", **{"tables-tables": "9"})
    olga.page = mine
    page = olga.press("Save", inside="#tables", **{"tables-tables": "4"})
    assert page.status == 409
    assert "Somebody else changed this since you opened it." in page.errors
    assert page.value("tables-tables") == "4"
    assert stage.now(event).tables == 9
    olga.page = mine
    assert olga.press("Save", inside="#draw", **{"draw-method": "fold"}).status == 200, "another section goes its way"
    olga.page = page
    assert olga.press("Save", inside="#tables").flashes == "Tables and scenarios: saved."
    assert stage.now(event).tables == 4


def test_settings_and_pairing_do_not_take_back_each_other(olga: Person, stage: Stage, event: Event) -> None:
    settings = olga.open("/e/iron-open/desk/settings")
    olga.open(PAIRING)
    olga.press("Save", inside="#tables", **{"tables-tables": "9"})
    olga.page = settings
    assert olga.press("Save", place="Old Mill").flashes == "Saved."
    stage.now(event)
    assert (event.place, event.tables) == ("Old Mill", 9)


def test_an_event_that_is_over_keeps_its_pairing(olga: Person, stage: Stage, event: Event) -> None:
    with stage.changing(event):
        event.state = EventState.FINISHED
    olga.open(PAIRING)
    for section, field, typed in (
        ("draw", "method", "fold"), ("tables", "tables", "9"), ("tie-breaks", "tie_breaks-0", "wins")
    ):  # fmt: skip
        page = olga.press("Save", inside=f"#{section}", **{f"{section}-{field}": typed})
        assert page.status == 422
        assert "its standings are final" in page.errors
    assert stage.journal(event, "change-pairing") == []


def test_a_press_of_no_section_is_none(olga: Person, event: Event) -> None:
    token = str(olga.open(PAIRING).value("draw-csrf_token"))
    for pressed in ({}, {"do": "everything"}):
        assert olga.ask("POST", PAIRING, {"csrf_token": token} | pressed).status_code == 404
