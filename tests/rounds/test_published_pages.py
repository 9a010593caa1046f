"""A published round that is not right: taken back to a draft, or two players exchanged after a look."""

from collections.abc import Callable

import pytest

from events.rounds.draft import Seating, seatings
from models.event import Event, EventState, Round, RoundState
from models.journal import JournalEntry
from tests.conftest import Clock
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk"
ROUND = f"{DESK}/rounds/1"
EXCHANGE = f"{ROUND}/exchange"
Enter = Callable[..., list[Person]]


@pytest.fixture
def games(olga: Person, stage: Stage, event: Event) -> tuple[Seating, ...]:
    """Round 1 of five players is published; the organiser stands at it."""
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    published = seatings(stage.publish(event, 1))
    olga.open(ROUND)
    return published


def question(page: Page) -> str:
    """What is asked before a round is taken back."""
    return str(page.soup.select("form[action$='/unpublish'] button")[0]["data-confirm"])


def look(olga: Person, one: int | None, other: int | None) -> Page:
    """Choose two players and look at what exchanging them changes."""
    return olga.open(f"{EXCHANGE}?one={one}&other={other}")


# ---- back to a draft


def test_a_round_is_taken_back_and_nobody_sees_it_any_more(
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
    olga.press("Publish round 1")
    assert visitor.open(f"/g/{games[0].code}").status == 200, "the printed sheet is good again"


def test_the_question_before_a_later_round_says_nothing_of_lists(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    for game in stage.games(event, 1):
        if game.b_id is not None:
            stage.decide(event, game, 3, 1)
    stage.publish(event, 2)
    asked = question(olga.open(f"{DESK}/rounds/2"))
    assert "could see round 2" in asked
    assert "lists" not in asked
    olga.press("Take back to a draft")
    assert stage.now(event).state == EventState.IN_PROGRESS
    assert not olga.open(ROUND).soup.select("form[action$='/unpublish']")


def test_with_a_result_in_the_way_to_correct_is_said_instead(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    before_it = olga.page
    first = stage.games(event, 1)[0]
    stage.decide(event, first, 3, 1)
    page = olga.open(ROUND)
    assert "Results are in (table 1): round 1 stays published." in page.part("#not-right")
    assert "Exchange two players" in page.part("#not-right")
    assert not page.soup.select("form[action$='/unpublish']:not(:has([name=typed]))"), "only by its name, typed"
    before = stage.digest()
    olga.page = before_it
    assert "Results are in (table 1)" in olga.press("Take back to a draft").flashes
    assert stage.digest() == before
    stage.decide(event, stage.games(event, 1)[1], 3, 1)
    told = olga.open(ROUND).part("#not-right")
    assert "Results are in (tables 1, 2)" in told
    assert "xchange" not in told, "only the bye is left"


def test_a_finished_event_offers_nothing(olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event) -> None:
    before_it = olga.page
    with stage.changing(event):
        event.state = EventState.FINISHED
    assert not olga.open(ROUND).soup.select("#not-right")
    olga.page = before_it
    assert olga.press("Take back to a draft").flashes == "This event is over."


# ---- two players exchanged


def test_an_exchange_is_looked_at_and_then_stored(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event, visitor: Person
) -> None:
    first, second, bye = games
    before = stage.digest()
    page = look(olga, first.a, bye.a)
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


def test_two_tables_are_named_and_costs_are_told(olga: Person, games: tuple[Seating, ...], stage: Stage) -> None:
    first, second, _ = games
    page = look(olga, first.a, second.a)
    assert "The sheets of tables 1 and 2 must be printed again." in page.part("#look")
    assert len(page.rows(".costs-table")) == 10


def test_what_was_looked_at_alone_is_stored(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event
) -> None:
    first, second, bye = games
    seen = look(olga, first.a, second.a)
    look(olga, first.a, bye.a)
    olga.press("Exchange them")
    before = stage.digest()
    olga.page = seen
    page = olga.press("Exchange them")
    assert (page.status, "changed meanwhile" in page.errors) == (422, True)
    assert stage.digest() == before
    olga.page = seen
    assert olga.forge("Exchange them", seen="").status == 422
    assert stage.digest() == before


@pytest.mark.parametrize("way", ["same", "opponents", "reported", "made-up", "nobody"])
def test_an_exchange_that_cannot_be_is_told_and_what_was_chosen_stays(
    olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event, way: str
) -> None:
    first, second, _ = games
    if way == "reported":
        stage.decide(event, stage.games(event, 1)[0], 3, 1)
    one, other, words = {
        "same": (first.a, first.a, "two different players"),
        "opponents": (first.a, first.b, "These two play each other"),
        "reported": (first.a, second.a, "Table 1 has reported a result"),
        "made-up": (first.a, 987654, ""),
        "nobody": (first.a, 0, "Choose a player."),
    }[way]
    page = look(olga, one, other)
    assert page.status == 422
    assert words in page.errors
    assert page.errors
    assert page.value("one") == str(first.a)
    assert not page.soup.select("#look")


def test_a_draft_has_nothing_to_exchange(olga: Person, games: tuple[Seating, ...], stage: Stage, event: Event) -> None:
    first, second, _ = games
    with stage.changing(event):
        stage.one(Round, number=1).state = RoundState.DRAWN
    page = look(olga, first.a, second.a)
    assert (page.status, "is not published" in page.errors) == (422, True)
    assert olga.open(EXCHANGE).path == ROUND


@pytest.mark.parametrize("chosen", ["", "?one=1&other=2"])
def test_a_round_not_drawn_has_nothing_to_exchange_either(
    olga: Person, stage: Stage, event: Event, chosen: str
) -> None:
    page = olga.open(f"{EXCHANGE}{chosen}")
    assert (page.status, page.path) == ((422, EXCHANGE) if chosen else (200, ROUND))
