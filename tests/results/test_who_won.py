"""Every page with a result says the same about the winner and about how the game ended."""

import pytest

from events.play.outcomes import Ended
from events.setup.pairing_actions import FormatSettings, set_format
from models.endings import Awarded, Ending
from models.event import Event, EventFormat
from models.play import ReportSide
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, Enter, Table, seat

CARD = {"card": "red", "follows": "game_lost", "round_number": "1", "reason": "was seen moving a marker twice"}
DESK = ReportSide.ORGANISER


@pytest.fixture
def table(stage: Stage, enter: Enter) -> Table:
    """A table with a confirmed 3 : 1."""
    (table,) = seat(stage, enter)
    stage.decide(table.event, table.game, 3, 1)
    return table


def end(table: Table, how: Ended) -> None:
    answers = {} if how.how == Ending.NOT_PLAYED else {"a.objectives": 3, "b.objectives": 1}
    table.stage.report(table.event, table.game, DESK, answers, how=how)


def bold(page: Page) -> list[str]:
    return [part.text for part in page.soup.select(".result .winner")]


def check_every_page(table: Table, olga: Person, visitor: Person, winner: str, badge: str) -> None:
    """Check that every page with the result names the winner, with the badge next to it; players read "You"."""
    short = badge.removeprefix(f"{table.name('a')} ").removesuffix(" counts 7 VP")
    for person, address in ((visitor, "rounds/1"), (olga, "desk/rounds/1"), (olga, "desk/rounds/1/results")):
        page = person.open(f"{HOME}/{address}")
        assert (bold(page), badge in page.text) == ([{"a": "3", "b": "1"}[winner]], True), address
    own_a = badge.replace(table.name("a"), "You")
    for side, person, figures in (("a", table.a, "3 : 1"), ("b", table.b, "1 : 3")):
        player = table.game.a_id if side == "a" else table.game.b_id
        word = "win" if side == winner else "loss"
        (row,) = visitor.open(f"{HOME}/players/{player}").rows("table.cards")
        assert row[-1].startswith(f"{word} {figures}") and badge in row[-1], row
        own = own_a if side == "a" else badge
        record = person.open(f"{HOME}/me").part(".record-result")
        assert record.startswith(f"{word.capitalize()} {figures}") and own in record, record
    for address in ("hall/pairings", "me", f"games/{table.game_id}", "/g/" + table.game.code):
        person = table.a if address == "me" or address.startswith("games") else visitor
        page = person.open(address if address.startswith("/") else f"{HOME}/{address}")
        assert {"me": own_a, "hall/pairings": short}.get(address, badge).lower() in page.text.lower(), address
    assert badge in olga.open(table.desk).text
    assert visitor.open(f"{HOME}/standings").rows("table")[0][1].startswith(table.name(winner))


def test_every_page_shows_the_same_ending(table: Table, olga: Person, visitor: Person) -> None:
    a, b = table.name("a"), table.name("b")
    for how, winner, badge, words in (
        (Ended(Ending.CONCEDED_A), "b", f"{a} conceded", f"{a} conceded"),
        (Ended(Ending.CONCEDED_B), "a", f"{b} conceded", f"{b} conceded"),
        (Ended(Ending.UNFINISHED), "a", "Unfinished", "unfinished"),
        (Ended(Ending.DECIDED, Awarded.B, "An illegal model."), "b", "Decided by a judge", "decided by a judge"),
    ):
        end(table, how)
        page = table.a.open(f"{HOME}/games/{table.game_id}")
        assert page.soup.select(".versions-now")[0].text.strip() == f"3 : 1, {table.name(winner)} wins, {words}"
        assert badge in page.text
    check_every_page(table, olga, visitor, "b", "Decided by a judge")
    end(table, Ended(Ending.NOT_PLAYED))
    player = visitor.open(f"{HOME}/players/{table.game.a_id}")
    assert player.rows("table.cards")[0][-1].startswith("Not played")
    assert table.a.open(f"{HOME}/me").part(".record-result") == "Not played"
    assert "Not played" in visitor.open(f"{HOME}/hall/pairings").part(".hall-list")
    assert "not played" in olga.open(f"{HOME}/desk/journal").text


def test_every_page_shows_a_game_lost_by_a_card(table: Table, olga: Person, visitor: Person) -> None:
    a, b = table.name("a"), table.name("b")
    olga.open(f"{HOME}/desk/rulings")
    olga.press("Give", player=a, **CARD)
    check_every_page(table, olga, visitor, "b", f"{a} lost by a card")
    olga.open(table.desk)
    look = olga.press("See what changes", a__objectives="4").part("#look .lede")
    assert look.count(f"{b} wins, {a} lost by a card") == 2
    assert f"{a} wins" not in look
    olga.open(f"{HOME}/desk/rulings")
    olga.press("Take back")
    page = table.b.open(f"{HOME}/games/{table.game_id}")
    versions = [" ".join(one.text.split()) for one in page.soup.select(".versions-now")]
    assert versions == [f"3 : 1, {a} wins", f"3 : 1, {b} wins, {a} lost it by a card", f"3 : 1, {a} wins"]
    assert CARD["reason"] not in page.text, "only the player and the staff read a card's reason"
    olga.open(f"{HOME}/desk/rulings")
    olga.press("Give", player=a, **CARD)
    olga.open(table.desk)
    olga.press("Open this game again", reason="Typed at the wrong table.")
    for person, objectives in ((table.a, "3"), (table.b, "2")):
        table.send(person, a__objectives=objectives, b__objectives="1")
    readings = olga.open(table.desk).soup.select(".reading-score")
    assert len(readings) > 1
    assert all(f"{b} wins" in one.text and f"{a} wins" not in one.text for one in readings)


def test_conceded_game_says_what_it_counts(table: Table, olga: Person, visitor: Person) -> None:
    with table.stage.changing(table.event) as s:
        s.get_one(Event, table.event.id).bye_vp = 7
    end(table, Ended(Ending.CONCEDED_A))
    check_every_page(table, olga, visitor, "b", f"{table.name('a')} conceded counts 7 VP")
    assert table.points()[table.name("b")][1] == 7
    end(table, Ended(Ending.CONCEDED_B))
    assert "counts 7 VP" in visitor.open(f"{HOME}/rounds/1").text
    with table.stage.changing(table.event) as s:
        s.get_one(Event, table.event.id).bye_vp = 2
    assert "counts" not in visitor.open(f"{HOME}/rounds/1").part("table"), "3 were scored"


def test_bracket_shows_a_game_lost_by_a_card(olga: Person, visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=1)
    stage.do(event, set_format, FormatSettings(format=EventFormat.KNOCKOUT))
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)

    def winners() -> list[str]:
        found = visitor.open(f"{HOME}/bracket").soup.select(".match-side.winner")
        return [name for one in found for name in ("Ada", "Bo") if name in one.text]

    a, b = stage.name(game.a_id), stage.name(game.b_id)
    assert winners() == [a]
    olga.open(f"{HOME}/desk/rulings")
    olga.press("Give", player=a, **CARD)
    assert winners() == [b]
    assert "lost by a card" in visitor.page.text
    stage.report(event, game, DESK, {}, how=Ended(Ending.NOT_PLAYED))
    assert winners() == [b]
    assert "Not played, lost by a card" in visitor.page.text
