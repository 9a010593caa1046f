"""The front page and the desk's tabs."""

from flask import Flask

from models.event import Event
from models.play import Player
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.statements import sent

CLOCK = "/e/iron-open/desk/clock"


def test_home_page_takes_as_many_statements_for_many_events_as_for_one(
    app: Flask, stage: Stage, visitor: Person
) -> None:
    counts = {}
    for number in range(4):
        event = stage.event(name=f"Open {number}")
        stage.enter(event, *(f"P{one}" for one in range(number)))
        with sent(app.extensions["overseer_engine"]) as counts[number]:
            page = visitor.open("/")
    assert [f"{number} players" in page.text for number in range(4)] == [True] * 4, page.text
    assert len({len(one) for one in counts.values()}) == 1, counts
    assert len(stage.all(Player)) == 6


def test_each_desk_page_is_in_one_group_with_its_own_letter_and_marked_when_open(olga: Person, event: Event) -> None:
    soup = olga.open(CLOCK).soup
    links = soup.select("nav.grouped a[data-go]")
    letters, addresses = ([str(link[name]) for link in links] for name in ("data-go", "href"))
    assert len(links) >= 11
    assert len(set(letters)) == len(letters)
    assert len(set(addresses)) == len(addresses)
    for address in addresses:
        assert olga.open(address).status == 200, address
    assert [link.get_text() for link in soup.select("nav.grouped [aria-current=page]")] == ["Clock"]
    assert [link.get_text() for link in soup.select("nav.grouped .tab-group[aria-current=true]")] == ["Rounds"]
    assert [str(link["data-go"]) for link in soup.select("nav.grouped .here [data-go]")][:4] == ["r", "e", "n", "c"]
