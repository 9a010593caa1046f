"""The pages of a published round: unpublish it, or exchange two players after a preview."""

import pytest

from events.rounds.draft import Seating, seatings
from models.event import Event, EventState
from models.journal import JournalEntry
from tests.conftest import Clock
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk"
ROUND = f"{DESK}/rounds/1"
EXCHANGE = f"{ROUND}/exchange"


@pytest.fixture
def games(olga: Person, stage: Stage, event: Event) -> tuple[Seating, ...]:
    """Round 1 of five players, published and opened by the organiser."""
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    published = seatings(stage.publish(event, 1))
    olga.open(ROUND)
    return published


def question(page: Page) -> str:
    """The question to confirm before a round is unpublished."""
    return str(page.soup.select("form[action$='/unpublish'] button")[0]["data-confirm"])


def preview(olga: Person, one: int | None, other: int | None) -> Page:
    return olga.open(f"{EXCHANGE}?one={one}&other={other}")


def test_unpublished_round_is_hidden_until_it_is_published_again(
    olga: Person, visitor: Person, games: tuple[Seating, ...], stage: Stage, event: Event, clock: Clock
) -> None:
    clock.advance(minutes=12)
    asked = question(olga.open(ROUND))
    assert asked.startswith("Everybody could see round 1 since ")
    assert ", 12 minutes: who plays whom, at which table, and the scenario." in asked
    assert "registration opens again. The lists stay locked, and everybody can go on reading them." in asked
    page = olga.press("Take back to a draft")
    assert page.flashes == "Round 1 is a draft again: only organisers see it."
    assert "Publish round 1" in page.text
    assert visitor.open("/e/iron-open/rounds/1").status == 404
    assert visitor.open(f"/g/{games[0].code}").status == 404
    assert stage.now(event).state == EventState.REGISTRATION
    page = preview(olga, games[0].a, games[1].a)
    assert (page.status, "is not published" in page.errors) == (422, True)
    assert olga.open(EXCHANGE).path == ROUND
    olga.press("Publish round 1")
    assert visitor.open(f"/g/{games[0].code}").status == 200, "the printed sheet is good again"


def test_reported_round_offers_corrections_and_finished_event_offers_nothing(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    old_page = olga.page
    first, second, _ = stage.games(event, 1)
    stage.decide(event, first, 3, 1)
    page = olga.open(ROUND)
    assert "Results are in (table 1): round 1 stays published." in page.part("#not-right")
    assert "Exchange two players" in page.part("#not-right")
    assert not page.soup.select("form[action$='/unpublish']:not(:has([name=typed]))"), "only by its name, typed"
    before = stage.digest()
    olga.page = old_page
    assert "Results are in (table 1)" in olga.press("Take back to a draft").flashes
    assert stage.digest() == before
    assert "Table 1 has reported a result" in preview(olga, first.a_id, second.a_id).errors
    stage.decide(event, second, 3, 1)
    part = olga.open(ROUND).part("#not-right")
    assert "Results are in (tables 1, 2)" in part
    assert "xchange" not in part, "only the bye is left"
    stage.publish(event, 2)
    asked = question(olga.open(f"{DESK}/rounds/2"))
    assert ("could see round 2" in asked, "lists" in asked) == (True, False)
    assert not olga.open(ROUND).soup.select("form[action$='/unpublish']"), "a later round is drawn"
    with stage.changing(event):
        event.state = EventState.FINISHED
    assert not olga.open(ROUND).soup.select("#not-right")
    olga.page = old_page
    assert olga.press("Take back to a draft").flashes == "This event is over."


def test_exchange_is_previewed_then_stored(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event, visitor: Person
) -> None:
    first, second, bye = games
    other = preview(olga, first.a, second.a)
    assert "The sheets of tables 1 and 2 must be printed again." in other.part("#look")
    assert len(other.rows(".costs-table")) == 10
    before = stage.digest()
    page = preview(olga, first.a, bye.a)
    assert (page.status, stage.digest()) == (200, before)
    shown = " ".join(str(one.text) for one in page.soup.select("#look .pair-list"))
    for name in (stage.name(first.a), stage.name(first.b), stage.name(bye.a)):
        assert name in shown
    assert stage.name(second.a) not in shown
    assert "The sheet of table 1 must be printed again." in page.part("#look")
    page = olga.press("Exchange them")
    assert (page.path, page.flashes) == (ROUND, "Exchanged. The sheet of table 1 must be printed again.")
    seats = {g.table_number: {g.a_id, g.b_id} for g in stage.games(event, 1)}
    assert seats == {1: {bye.a, first.b}, 2: {second.a, second.b}, None: {first.a, None}}
    assert visitor.open(f"/g/{first.code}").status == 404
    assert visitor.open(f"/g/{second.code}").status == 200
    assert stage.one(JournalEntry, verb="exchange").details["players"] == [first.a, bye.a]
    before = stage.digest()
    olga.page = other
    page = olga.press("Exchange them")
    assert (page.status, "changed meanwhile" in page.errors) == (422, True)
    olga.page = other
    assert olga.forge("Exchange them", seen="").status == 422
    assert stage.digest() == before


def test_impossible_exchange_is_rejected_and_keeps_the_choice(
    olga: Person, games: tuple[Seating, ...], stage: Stage
) -> None:
    first, *_ = games
    for other, words in (
        (first.a, "two different players"),
        (first.b, "These two play each other"),
        (987654, ""),
        (0, "Choose a player."),
    ):
        page = preview(olga, first.a, other)
        assert (page.status, page.errors != "", words in page.errors) == (422, True, True), other
        assert page.value("one") == str(first.a)
        assert not page.soup.select("#look")
    planned = f"{DESK}/rounds/2/exchange"
    assert olga.open(f"{planned}?one=1&other=2").status == 422
    assert olga.open(planned).path == f"{DESK}/rounds/2"
