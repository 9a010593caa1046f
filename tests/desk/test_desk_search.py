"""The search for staff on every page of an event, the desk's tabs, and the front page."""

from collections.abc import Callable

from flask import Flask

from events.registration import actions as registration_actions
from models.event import Event
from models.play import Player, PlayerState
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage
from tests.kit.statements import sent

SEARCH = "/e/iron-open/desk/search"


def names(page: Page) -> list[str]:
    return [one.get_text() for one in page.soup.select(".found-who a")]


def test_search_shows_what_staff_need_to_know(olga: Person, stage: Stage, event: Event) -> None:
    with stage.changing(event):
        event.fee = "15 €"
    (ada,) = stage.enter(event, "Ada Bauer", club="Łódź Dice")
    stage.enter(event, "Bo Rossi")
    stage.force(event, ada, read_force(PIPER))
    assert "No round is published" in olga.open(f"{SEARCH}?q=bauer").part(".found-one")
    (game,) = stage.publish(event, 1)
    page = olga.open(f"{SEARCH}?q=lodz")
    assert names(page) == ["Ada Bauer"]
    for words in ("Round 1, table 1, against Bo Rossi", "Checked in", "Legal", "Not paid", "Łódź Dice"):
        assert words in page.part(".found-one")
    for typed in (game.code.lower(), "table+1"):
        assert names(olga.open(f"{SEARCH}?q={typed}")) == ["Ada Bauer", "Bo Rossi"]
    olga.open(f"{SEARCH}?q=ada")
    page = olga.press("Paid : Ada Bauer")
    assert (page.path, page.soup.select("#find")[0]["value"]) == (SEARCH, "ada")
    assert "Paid" in page.part(".found-marks")
    assert stage.now(ada).paid_at == stage.clock()
    page = olga.open(str(page.soup.select(".found-who a")[0]["href"]))
    assert "round 1 , against Bo Rossi" in page.part("#now").replace(" 1,", " 1 ,")
    assert page.rows("#history table") == [["1", "1", "Bo Rossi", "Not reported"]]


def test_search_finds_dropped_players_and_counts_the_rest(olga: Person, stage: Stage) -> None:
    event = stage.event(places=2)
    ada, _, cy = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    with stage.changing(event) as s:
        registration_actions.drop(s, event, ada, BY, stage.clock())
    assert stage.now(cy).state == PlayerState.REGISTERED
    assert "Dropped" in olga.open(f"{SEARCH}?q=ad").part(".found-one")
    assert not olga.page.soup.select(".found-one button")
    stage.enter(event, *(f"Dan {chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(43)), here=False)
    page = olga.open(f"{SEARCH}?q=dan")
    assert (len(names(page)), "and 3 more" in page.text) == (40, True)


def test_search_is_on_every_page_of_the_event_for_staff_only(
    olga: Person, visitor: Person, stage: Stage, event: Event, link_of: Callable[[Player], str]
) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    pages = ["", "/standings", "/rounds/1", "/desk", "/desk/settings", f"/desk/players/{ada.id}", "/lists"]
    for address in pages:
        assert len(olga.open(f"/e/iron-open{address}").soup.select("form.find #find")) == 1, address
    visitor.open(link_of(ada))
    for address in ["", "/standings", "/rounds/1", "/me", "/lists"]:
        assert not visitor.open(f"/e/iron-open{address}").soup.select("form.find"), address
    assert visitor.open(f"{SEARCH}?q=bo").status == 403
    assert not olga.open("/desk").soup.select("form.find")


def test_search_finds_no_other_event_and_answers_any_text(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    other = stage.event("Rust Cup")
    stage.enter(other, "Adam", "Bob")
    (game,) = stage.publish(other, 1)
    assert names(olga.open(f"{SEARCH}?q=ad")) == ["Ada"]
    hostile = ("", "%20", "<script>x</script>", "%00", "a" * 3000, "%ff%fe", "{{7*7}}", "%25")
    for typed in (game.code, *hostile):
        page = olga.open(f"{SEARCH}?q={typed}")
        assert page.status == (404 if typed == "%00" else 200), typed
        assert (names(page), page.soup.select("main script")) == ([], []), typed


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
    soup = olga.open("/e/iron-open/desk/clock").soup
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
