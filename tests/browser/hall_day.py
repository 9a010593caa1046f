"""A full hall: two organisers, a judge, a phone for each player; the test calculates the standings itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from playwright.sync_api import Page, expect

from tests.browser.acts import choose, pairings, press, publish, says_right, take_out
from tests.browser.visits import leads_on

WIN, DRAW, LOSS = 3, 1, 0
"""Tournament points, as a new event has them."""


@dataclass
class Table:
    """A game: its table's number as the pages show it, who sits there, and the VP of both once they are known."""

    number: str
    a: str
    b: str
    vp: tuple[int, int] = (0, 0)

    def points(self, name: str) -> int:
        """Tournament points of one of the two."""
        mine, theirs = self.vp if name == self.a else self.vp[::-1]
        return WIN if mine > theirs else DRAW if mine == theirs else LOSS


@dataclass
class Hall:
    """The event and everybody's browser, with all that was played."""

    address: str
    desk: Page
    second: Page
    judge: Page
    phones: dict[str, Page] = field(default_factory=dict)
    rounds: list[list[Table]] = field(default_factory=list)

    def publish(self, number: int) -> list[Table]:
        """Draw a round and publish it; every phone shows its table by itself."""
        self.desk.goto(f"{self.address}/desk/rounds/{number}")
        press(self.desk, f"Draw round {number}")
        expect(self.desk.locator("table.pairings")).to_be_visible()
        tables = [Table(place, a, b) for place, a, b in pairings(self.desk)]
        publish(self.desk, number)
        expect(self.desk.locator(".flash-success")).to_contain_text(f"Round {number} is published")
        self.rounds.append(tables)
        for table in tables:
            for name in (table.a, table.b):
                take_out(self.phones[name])
        for table in tables:
            for name in (table.a, table.b):
                expect(self.phones[name].locator(".huge")).to_have_text(table.number)
        return tables

    def reports(self, name: str, table: Table, a: int, b: int, *, send: str = "Send the result") -> None:
        """Type objective markers for both sides on a player's phone, and send them."""
        phone = self.phones[name]
        phone.goto(f"{self.address}/me/game")
        differs = phone.get_by_text("No, it was different")
        if differs.count():
            differs.click()
        choose(phone, "a.objectives", a)
        choose(phone, "b.objectives", b)
        press(phone, send)
        expect(phone).to_have_url(re.compile("/me$"))
        table.vp = (a, b)

    def confirms(self, name: str) -> None:
        """The other side says that it is right."""
        phone = self.phones[name]
        phone.goto(f"{self.address}/me/game")
        says_right(phone)
        expect(phone).to_have_url(re.compile("/me$"))

    def from_paper(self, number: int, sheets: Mapping[str, tuple[int, int]]) -> None:
        """The second organiser types sheets by the keyboard alone: table, Enter, figures, Enter."""
        page = self.second
        page.goto(f"{self.address}/desk/rounds/{number}/entry")
        by_number = {table.number: table for table in self.rounds[number - 1]}
        for place, (a, b) in sheets.items():
            expect(page.locator("#table")).to_be_focused()
            page.keyboard.type(place)
            with leads_on(page):
                page.keyboard.press("Enter")
            expect(page.locator(".sheet-table")).to_have_text(f"Table {place}")
            page.locator("[name='a.objectives']").fill(str(a))
            page.locator("[name='b.objectives']").fill(str(b))
            with leads_on(page):
                page.keyboard.press("Enter")
            expect(page.locator(".flash-success")).to_contain_text(f"Table {place} stored")
            by_number[place].vp = (a, b)

    def standings(self, after: int) -> dict[str, tuple[int, int, Fraction]]:
        """Points, VP and strength of schedule of everybody who played, calculated from the tables alone."""
        games = [table for tables in self.rounds[:after] for table in tables]
        mine = {name: [table for table in games if name in (table.a, table.b)] for name in self.phones}
        points = {name: sum(table.points(name) for table in met) for name, met in mine.items() if met}
        vp = {name: sum(table.vp[name == table.b] for table in mine[name]) for name in points}
        rate = {name: Fraction(points[name], len(mine[name])) for name in points}
        strength = {
            name: sum(rate[table.b if name == table.a else table.a] for table in mine[name]) / Fraction(len(mine[name]))
            for name in points
        }
        return {name: (points[name], vp[name], strength[name]) for name in points}

    def check_standings(self, page: Page, after: int) -> None:
        """The standings page shows what we calculate, in an order that agrees; the rest is by lot."""
        page.goto(f"{self.address}/standings?after={after}")
        rows = page.locator("table.standings tbody tr").evaluate_all(
            "rows => rows.map(row => [row.querySelector('td[data-label=Player] bdi').textContent,"
            " Number(row.querySelector('td[data-label=Points] summary').textContent),"
            " Number(row.querySelector('td[data-label=VP] summary').textContent)])"
        )
        expected = self.standings(after)
        shown = {name: (points, vp) for name, points, vp in rows if name in expected}
        assert shown == {name: row[:2] for name, row in expected.items()}
        order = [expected[name] for name, *_ in rows if name in expected]
        assert order == sorted(order, reverse=True)


def private_links(page: Page, event: str) -> dict[str, str]:
    """The private link of every player, read as fast as the desk gives them out."""
    page.goto(f"{event}/desk/players")
    found = page.locator("table.check-in td[data-label=Player] a").evaluate_all(
        "links => links.map(link => [link.textContent.trim(), link.getAttribute('href')])"
    )
    links = {}
    for name, address in found:
        link = re.search(r'(?<=href=")/p/[^"]+', page.request.get(address).text())
        assert link, name
        links[name] = link.group()
    return links
