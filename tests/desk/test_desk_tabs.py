"""The desk's pages in groups: each is there once, each has a letter of its own, and the one at hand is marked."""

from models.event import Event
from tests.kit.person import Person

CLOCK = "/e/iron-open/desk/clock"


def test_every_page_of_the_desk_is_in_one_group_with_a_letter_of_its_own(olga: Person, event: Event) -> None:
    links = olga.open(CLOCK).soup.select("nav.grouped a[data-go]")
    letters = [str(link["data-go"]) for link in links]
    addresses = [str(link["href"]) for link in links]
    assert len(links) >= 11
    assert len(set(letters)) == len(letters)
    assert len(set(addresses)) == len(addresses)
    for address in addresses:
        assert olga.open(address).status == 200, address


def test_the_page_at_hand_and_its_group_are_marked(olga: Person, event: Event) -> None:
    soup = olga.open(CLOCK).soup
    assert [link.get_text() for link in soup.select("nav.grouped [aria-current=page]")] == ["Clock"]
    assert [link.get_text() for link in soup.select("nav.grouped .tab-group[aria-current=true]")] == ["Rounds"]
    assert [str(link["data-go"]) for link in soup.select("nav.grouped .here [data-go]")][:3] == ["r", "e", "c"]
