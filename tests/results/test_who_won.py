"""One game, read on every page that tells a result: they all say the same of who won and how it ended."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from events.play.outcomes import Ended
from events.results import actions as results_actions
from events.setup.pairing_actions import FormatSettings, set_format
from models.endings import Awarded, Ending
from models.event import Event, EventFormat
from models.play import Game, Player, ReportSide
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage

HOME = "/e/iron-open"
CARD = {"card": "red", "follows": "game_lost", "round_number": "1", "reason": "was seen moving a marker twice"}


@dataclass(frozen=True)
class Table:
    """A against B in round 1, 3 : 1 by the figures; each has a browser."""

    a: Person
    b: Person
    olga: Person
    visitor: Person
    stage: Stage
    event: Event
    game: Game

    def name(self, side: str) -> str:
        return self.stage.name(self.game.a_id if side == "a" else self.game.b_id)

    def end(self, how: Ended) -> None:
        with self.stage.changing(self.event) as s:
            game = s.get_one(Game, self.game.id)
            results_actions.report(
                s, self.event, game, ReportSide.ORGANISER, {"a.objectives": 3, "b.objectives": 1},
                version=game.version, sure=True, by=BY, now=self.stage.clock(), how=how,
            )  # fmt: skip


@pytest.fixture
def table(olga: Person, visitor: Person, stage: Stage, enter: Callable[..., list[Person]]) -> Table:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    a, b = people[stage.name(game.a_id)], people[stage.name(game.b_id)]
    return Table(a, b, olga, visitor, stage, event, game)


def bold(page: Page) -> list[str]:
    """The figures that a page tells as the winner's."""
    return [part.text for part in page.soup.select(".result .winner")]


def told_everywhere(table: Table, winner: str, badge: str) -> None:
    """Every page that tells the result of the table says who won, and the badge stands beside it."""
    for person, address in (
        (table.visitor, "rounds/1"),
        (table.olga, "desk/rounds/1"),
        (table.olga, "desk/rounds/1/results"),
    ):
        page = person.open(f"{HOME}/{address}")
        assert (bold(page), badge in page.text) == ([{"a": "3", "b": "1"}[winner]], True), address
    for side, person, figures in (("a", table.a, "3 : 1"), ("b", table.b, "1 : 3")):
        player = table.game.a_id if side == "a" else table.game.b_id
        word = "win" if side == winner else "loss"
        (row,) = table.visitor.open(f"{HOME}/players/{player}").rows("table.cards")
        assert row[-1].startswith(f"{word} {figures}"), row
        assert badge in row[-1]
        record = person.open(f"{HOME}/me").part(".record-result")
        assert record.startswith(f"{word.capitalize()} {figures}"), record
        assert badge in record
    for address in ("hall/pairings", "me", f"games/{table.game.id}", f"g/{table.game.code}"):
        prefix = "" if address.startswith("g/") else f"{HOME}/"
        person = table.a if address == "me" or address.startswith("games") else table.visitor
        assert badge in person.open(f"{prefix or '/'}{address}").text, address
    assert badge in table.olga.open(f"{HOME}/desk/games/{table.game.id}").text
    rows = table.visitor.open(f"{HOME}/standings").rows("table")
    assert rows[0][1].startswith(table.name(winner))


@pytest.mark.parametrize(
    ("how", "winner", "badge"),
    [
        (Ended(Ending.CONCEDED_A), "b", "A conceded"),
        (Ended(Ending.CONCEDED_B), "a", "B conceded"),
        (Ended(Ending.UNFINISHED), "a", "Unfinished"),
        (Ended(Ending.DECIDED, Awarded.B, "An illegal model."), "b", "Decided by a judge"),
    ],
)
def test_an_ending_is_told_alike_on_every_page(table: Table, how: Ended, winner: str, badge: str) -> None:
    table.end(how)
    told_everywhere(table, winner, badge)
    (version, *_) = table.a.open(f"{HOME}/games/{table.game.id}").soup.select(".versions-now")
    words = badge.replace("A con", f"{table.name('a')} con").replace("B con", f"{table.name('b')} con")
    words = words if "conceded" in words else words.lower()
    assert version.text == f"3 : 1, {table.name(winner)} wins, {words}"


def test_a_game_lost_by_a_card_is_told_alike_on_every_page(table: Table) -> None:
    table.olga.open(f"{HOME}/desk/rulings")
    table.olga.press("Give it", player=table.name("a"), **CARD)
    told_everywhere(table, "b", "A lost by a card")


def test_a_card_is_a_version_of_the_result_and_so_is_its_end(table: Table) -> None:
    a, b = table.name("a"), table.name("b")
    table.olga.open(f"{HOME}/desk/rulings")
    table.olga.press("Give it", player=a, **CARD)
    table.olga.press("Take back")
    page = table.b.open(f"{HOME}/games/{table.game.id}")
    now = [" ".join(one.text.split()) for one in page.soup.select(".versions-now")]
    assert now == [f"3 : 1, {a} wins", f"3 : 1, {b} wins, {a} lost it by a card", f"3 : 1, {a} wins"]
    assert CARD["reason"] not in page.text, "a card's reason is its player's and the staff's"


def test_a_correction_of_a_game_lost_by_a_card_says_who_wins_it(table: Table) -> None:
    table.olga.open(f"{HOME}/desk/rulings")
    table.olga.press("Give it", player=table.name("a"), **CARD)
    table.olga.open(f"{HOME}/desk/games/{table.game.id}")
    look = table.olga.press("See what changes", a__objectives="4").part("#look .lede")
    assert look.count(f"{table.name('b')} wins, A lost by a card") == 2
    assert f"{table.name('a')} wins" not in look


def test_a_judge_of_two_reports_sees_whom_a_card_has_made_the_winner(table: Table) -> None:
    a, b = table.name("a"), table.name("b")
    table.olga.open(f"{HOME}/desk/games/{table.game.id}")
    table.olga.press("Open this game again", reason="Typed at the wrong table.")
    table.olga.open(f"{HOME}/desk/rulings")
    table.olga.press("Give it", player=a, **CARD)
    for person, objectives in ((table.a, "3"), (table.b, "2")):
        page = person.open(f"{HOME}/me/game")
        button = "Send my report" if "Send my report" in page.text else "Send the result"
        person.press(button, a__objectives=objectives, b__objectives="1")
    readings = table.olga.open(f"{HOME}/desk/games/{table.game.id}").soup.select(".reading-score")
    assert len(readings) > 1
    assert all(f"{b} wins" in one.text and f"{a} wins" not in one.text for one in readings)


def test_a_knockout_s_game_lost_by_a_card_is_told_in_the_bracket(olga: Person, visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=1)
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(format=EventFormat.KNOCKOUT), BY, stage.clock())
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    page = visitor.open(f"{HOME}/bracket")
    assert [stage.name(game.a_id) in one.text for one in page.soup.select(".match-side.winner")] == [True]
    olga.open(f"{HOME}/desk/rulings")
    olga.press("Give it", player=stage.name(game.a_id), **CARD)
    page = visitor.open(f"{HOME}/bracket")
    assert [stage.name(game.b_id) in one.text for one in page.soup.select(".match-side.winner")] == [True]
    assert "A lost by a card" in page.text
    with stage.changing(event) as s:
        stored = s.get_one(Game, game.id)
        results_actions.report(
            s, event, stored, ReportSide.ORGANISER, {},
            version=stored.version, sure=True, by=BY, now=stage.clock(), how=Ended(Ending.NOT_PLAYED),
        )  # fmt: skip
    page = visitor.open(f"{HOME}/bracket")
    assert [stage.name(game.b_id) in one.text for one in page.soup.select(".match-side.winner")] == [True]
    assert "Not played, A lost by a card" in page.text


def test_a_game_that_was_not_played_is_neither_won_nor_drawn_on_any_page(table: Table) -> None:
    with table.stage.changing(table.event) as s:
        game = s.get_one(Game, table.game.id)
        results_actions.report(
            s, table.event, game, ReportSide.ORGANISER, {},
            version=game.version, sure=True, by=BY, now=table.stage.clock(), how=Ended(Ending.NOT_PLAYED),
        )  # fmt: skip
    ada = table.stage.all(Player)[0]
    assert table.visitor.open(f"{HOME}/players/{ada.id}").rows("table.cards")[0][-1].startswith("Not played")
    assert table.a.open(f"{HOME}/me").part(".record-result") == "Not played"
    assert "Not played" in table.visitor.open(f"{HOME}/hall/pairings").part(".hall-list")
    table.olga.open(f"{HOME}/desk/journal")
    assert "not played" in table.olga.page.text
    assert "0 : 0" not in table.olga.page.text
