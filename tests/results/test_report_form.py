"""The form of a result: what it asks, rejects and wants confirmed, for players, on paper, at the desk; counted loss."""

import pytest
from bs4 import Tag

from events.lists import actions as lists_actions
from models.endings import Ending
from models.event import Event, ListsShown
from models.play import Game, GameState, Player, Report
from tests.kit.person import Page, Person, controls
from tests.kit.stage import BY, Stage
from tests.kit.tables import HOME, MINE, OUTBOX, ROUND, Enter, Table, form_of, seat
from validators import SYSTEMS


@pytest.fixture
def table(stage: Stage, enter: Enter) -> Table:
    (table,) = seat(stage, enter)
    return table


def test_form_asks_the_questions_of_the_scenario(table: Table) -> None:
    for scenario in SYSTEMS["battle_mode"].scenarios:
        table.play(scenario.id)
        page = table.a.open(MINE)
        asked = {q.key for q in scenario.questions if q.kind == "choice" or q.most}
        names = {str(c["name"]) for c in page.soup.select("form.report [name]")}
        assert names == asked | {"csrf_token", "version", "key", "game", "reporter", "ending"}, scenario.id
        assert page.text.count("cannot score") == 2 * (scenario.scoring_from - 1), scenario.id
        box = page.soup.select_one('form.report [name="a.r6"]')
        group = box.find_parent("fieldset") if box else None
        label = group.get_text(" ") if group else str(box and box["aria-label"])
        assert label.split(":")[0].strip() == table.name("a"), "the player's name at each figure"
    heads = [" ".join(one.text.split()) for one in table.b.open(MINE).soup.select(".vp-grid thead th")]
    assert heads[1:] == ["You B", f"{table.name('a')} A"], "the own column first, as in the total"
    table.play("extract-the-information")
    table.send(table.a, a__r6="2", b__objectives="5", a__choice="Hackers")
    answers = table.game.answers or {}
    assert (answers["a.r6"], answers["b.objectives"], answers["a.choice"]) == (2, 5, "Hackers")


@pytest.mark.proves("attack 42", "ASVS 2.2.1", "ASVS 2.2.3")
def test_impossible_figure_is_refused_at_its_field(table: Table) -> None:
    before = ""
    for scenario, answers, field, words in (
        ("hold-the-line", {"a__r2": "2", "b__r2": "1"}, "b.r2", "two markers give at most 2 together"),
        ("hold-the-line", {"a__r3": "3"}, "a.r3", "3 VP, at most 2 can be"),
        ("hold-the-line", {"a__r2": "1.5"}, "a.r2", "Invalid Choice"),
        ("extract-the-information", {"a__choice": "Bakers"}, "a.choice", "one of Hackers or Smashers"),
        ("scrapyard", {"a__r2": "9" * 5000}, "a.r2", "Enter a number from 0 to 99."),
    ):
        if not before.startswith(scenario):
            table.play(scenario)
            before = scenario + table.stage.digest()
        table.a.open(MINE)
        page = table.a.forge("Send the result", **{"b__r5": "1"} | answers)
        assert page.status == 422, answers
        assert words in page.error_at(field), answers
        assert page.value("b.r5") == "1", "the other answers are kept"
        assert scenario + table.stage.digest() == before
    table.play("hold-the-line")
    table.a.open(MINE)
    table.a.forge("Send the result", a__r1="2", a__r2="1", a__beauty="7")
    ((_, stored),) = table.reports
    assert "a.r1" not in stored and "a.beauty" not in stored, "figures of no question"


def test_unusual_answers_are_stored_once_they_are_confirmed(table: Table) -> None:
    cases: tuple[tuple[str, dict[str, str], str], ...] = (
        ("extract-the-information", {"a__r2": "2", "b__r2": "2"}, "2 and 2 VP add up to 4."),
        ("scrapyard", {"b__r3": "7"}, "player B scored 7 VP in one round. Is that right?"),
        ("hold-the-line", {}, "Nobody scored in the whole game"),
    )
    for scenario, answers, words in cases:
        table.play(scenario)
        before = table.stage.digest()
        page = table.send(table.a, **answers)
        assert (page.status, words in page.part("dialog")) == (422, True), scenario
        for name, value in answers.items():
            assert page.value(name.replace("__", ".")) == value
        page = table.a.press("Send the result")
        assert page.status == 422, "the same form is asked again"
        assert table.stage.digest() == before
    page = table.a.press("Yes, send it")
    assert page.path == f"{HOME}/me"
    assert table.game.state == GameState.REPORTED
    table.b.open(MINE)
    assert "the result is confirmed" in table.b.agree().flashes, "the opponent is not asked again"


FIGURES = {"a__objectives": "3", "b__objectives": "1"}
UNFINISHED, UNPLAYED = "Unfinished when time was called", "Not played, though both were there"


def test_every_ending_that_a_player_chooses_is_stored(table: Table) -> None:
    a, b = table.name("a"), table.name("b")
    cases: dict[str, dict[str, Ending | None]] = {
        "a": {"I conceded": Ending.CONCEDED_A, f"{b} conceded": Ending.CONCEDED_B, UNFINISHED: Ending.UNFINISHED,
              UNPLAYED: Ending.NOT_PLAYED, "Played out": None},
        "b": {"I conceded": Ending.CONCEDED_B, f"{a} conceded": Ending.CONCEDED_A},
    }  # fmt: skip
    for side, endings in cases.items():
        person = table.a if side == "a" else table.b
        for words, ending in endings.items():
            labels = person.open(MINE).soup.select(".ending-choices label")
            boxes = {label.text.strip(): box for label in labels if isinstance(box := label.find("input"), Tag)}
            table.send(person, ending=str(boxes[words]["value"]), **FIGURES)
            stored = table.stage.all(Report)[-1]
            assert (stored.side.value, stored.ending) == (side, ending), words


def choices(page: Page) -> dict[str, str]:
    """The endings offered by a desk form, by label."""
    return {option.text: str(option["value"]) for option in page.soup.select("select[name=ending] option")}


def test_every_ending_that_the_desk_chooses_is_stored(olga: Person, stage: Stage, enter: Enter) -> None:
    decided, on_paper = seat(stage, enter, "Ada", "Bo", "Cy", "Di")
    offered = choices(olga.open(decided.desk))
    olga.press("Save", ending=offered[f"{decided.name('b')} conceded"], **FIGURES)
    assert (decided.game.ending, bool(decided.game.answers)) == (Ending.CONCEDED_B, True)
    page = olga.open(f"{ROUND}/entry?table={on_paper.game.table_number}")
    assert list(choices(page).values()) == ["played", "unfinished", "conceded_a", "conceded_b", "not_played"]
    olga.press("Store", ending=choices(page)[UNPLAYED])
    assert (on_paper.game.ending, on_paper.game.answers) == (Ending.NOT_PLAYED, None)


def test_desk_forms_show_the_total_of_typed_figures(olga: Person, table: Table) -> None:
    before = table.stage.digest()
    for address in (table.desk, f"{ROUND}/entry?table=1"):
        (form,) = olga.open(address).soup.select("form[data-total]")
        typed = {"do": "total", "a.objectives": "3", "b.objectives": "1"}
        sent = dict(controls(form)) | typed
        answer = olga.ask("POST", address.partition("?")[0], sent)
        assert answer.json == {"figures": "3 : 1", "won": f"{table.name('a')} wins"}, address
        answer = olga.ask("POST", address.partition("?")[0], sent | {"a.objectives": "many"})
        assert answer.json == {"figures": "", "won": ""}
    assert table.stage.digest() == before


def test_only_the_desk_offers_a_judges_decision_and_asks_why(olga: Person, table: Table) -> None:
    for person, address in ((table.a, MINE), (olga, f"{ROUND}/entry?table=1")):
        assert "Decided by a judge" not in person.open(address).text
    table.a.open(f"{HOME}/me/game")
    table.a.forge("Send the result", ending="decided", awarded="a", **FIGURES)
    assert not table.stage.all(Report, ending=Ending.DECIDED)
    olga.open(table.desk)
    page = olga.press("Save", ending="decided", awarded="b", **FIGURES)
    assert (page.status, page.error_at("reason")) == (422, "Give the reason for the decision: both players read it.")
    olga.press("Save", reason="An illegal model.")
    stored = table.game
    assert (stored.ending, stored.awarded, stored.ending_reason) == (Ending.DECIDED, "b", "An illegal model.")


SYSTEM = SYSTEMS["fallout_warfare"]
EDITION = SYSTEM.editions[0]
LEADS = {"name": "Squire", "rank": "squadleader"}
GRUNTS = {"name": "Squire", "count": 5, "weapon": "Rifle"}
ARMY = SYSTEM.forces.read(
    {
        "system": "fallout_warfare",
        "edition": EDITION.id,
        "faction": "Brotherhood of Steel",
        "squads": [{"models": [LEADS, GRUNTS]}, {"models": [LEADS, GRUNTS]}],
    },
    EDITION,
)
"""Two squads: 6 and five of 11 each, 122 in all."""


def typed(page: Page, name: str) -> str:
    (found,) = page.soup.select(f'input[name="{name}"]')
    return str(found["value"])


@pytest.fixture
def event(stage: Stage) -> Event:
    """A Fallout: Warfare event whose round 1 plays the Skirmish."""
    return stage.event(game=SYSTEM.id, rounds=3, scenarios=("skirmish", "", ""))


def seat_armies(event: Event, enter: Enter, stage: Stage) -> Person:
    """Publish round 1 of two players with this army. Returns player A."""
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    for player in stage.all(Player):
        stage.force(event, player, ARMY)
    stage.publish(event, 1)
    return people[stage.name(stage.one(Game).a_id)]


def test_counted_figures_are_added_up(event: Event, enter: Enter, stage: Stage) -> None:
    side_a = seat_armies(event, enter, stage)
    page = side_a.open(MINE)
    assert typed(page, "a.fielded") == "122"
    page = side_a.press("Send the result", **{"count__a__dead__0-1": "3", "count__a__strayed__0-1": "3"})
    assert (page.status, "You counted 6, but there are only 5." in page.text) == (422, True)
    assert typed(page, "count.a.dead.0-1") == "3"
    assert stage.all(Report) == []
    counts = {"count__a__dead__0-1": "3", "count__a__dead__1-0": "1", "count__a__retreated__1-1": "2"}
    page = side_a.press("Send the result", **counts, **{"count__a__strayed__0-1": ""}, b__dead="50")
    if "Please check" in page.text:
        page = side_a.press("Yes, send it")
    answers = stage.one(Report).answers
    assert (answers["a.dead"], answers["a.retreated"], answers["b.dead"]) == (3 * 11 + 6, 22, 50)
    assert (answers["a.fielded"], answers["b.fielded"]) == (122, 122)


def test_repeated_submission_is_answered_after_the_force_changed(event: Event, enter: Enter, stage: Stage) -> None:
    """The same counts would be rejected now, but the stored answer is returned."""
    side_a = seat_armies(event, enter, stage)
    body = form_of(side_a) | {"count.a.dead.0-1": "5", "sure": "y", "do": "report"}
    first = side_a.http.post(MINE, data=body, headers=OUTBOX)
    assert first.get_json()["state"] == "saved"
    smaller = [{"models": [LEADS, GRUNTS | {"count": 3}]}, ARMY["squads"][1]]
    a = stage.one(Player, id=stage.one(Game).a_id)
    with stage.changing(event) as s:
        force = SYSTEM.forces.read(ARMY | {"squads": smaller}, EDITION)
        lists_actions.save_force(s, event, a, force, BY, stage.clock(), by_organiser=True)
    again = side_a.http.post(MINE, data=body, headers=OUTBOX)
    assert (again.status_code, again.get_json()) == (first.status_code, first.get_json())
    other = side_a.http.post(MINE, data=body | {"key": "another-key-of-a-form"}, headers=OUTBOX)
    assert other.status_code == 422, "the control"


def test_hidden_army_cannot_be_counted(event: Event, enter: Enter, stage: Stage, visitor: Person) -> None:
    with stage.changing(event):
        event.lists_shown = ListsShown.AFTER_EVENT
    side_a = seat_armies(event, enter, stage)
    page = side_a.open(MINE)
    assert page.soup.find("input", attrs={"name": "count.a.dead.0-1"})
    assert not page.soup.find("input", attrs={"name": "count.b.dead.0-1"})
    assert typed(page, "b.fielded") == "0"
    sheet = visitor.open(f"/g/{stage.one(Game).code}?side=a")
    assert sheet.status == 200
    assert not sheet.soup.select("input[name^='count.']")
