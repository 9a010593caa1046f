"""The feed of the club's events: valid Atom (RFC 4287), whose entries change with what readers must know."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from events.setup import event_life
from models.settings import SignUpBy
from tests.kit.people import Elsewhere
from tests.kit.person import CLOSE_EVENT, Person
from tests.kit.stage import Stage
from tests.kit.team_events import decide_all

ATOM = "{http://www.w3.org/2005/Atom}"
TEXTS = ("id", "title", "updated")


def moment(element: Element, name: str) -> datetime:
    text = element.findtext(f"{ATOM}{name}") or ""
    at = datetime.fromisoformat(text)
    assert at.tzinfo is not None and "T" in text, "RFC 3339"
    return at


def entries(person: Person) -> list[Element]:
    """The entries of the feed, which keeps the rules of RFC 4287."""
    answer = person.ask("GET", "/events.atom")
    assert (answer.status_code, answer.mimetype) == (200, "application/atom+xml")
    feed = fromstring(answer.data)
    assert feed.tag == f"{ATOM}feed"
    found = feed.findall(f"{ATOM}entry")
    for element in (feed, *found):
        counts = Counter(part.tag.removeprefix(ATOM) for part in element)
        assert all(counts[name] == 1 for name in TEXTS), counts
        assert all((element.findtext(f"{ATOM}{name}") or "").strip() for name in TEXTS)
        assert urlsplit(element.findtext(f"{ATOM}id") or "").scheme, "an id is an absolute address"
        moment(element, "updated")
    assert (feed.findtext(f"{ATOM}author/{ATOM}name") and [*feed][-len(found) :] == found) or not found
    assert [link.get("rel") for link in feed.findall(f"{ATOM}link")] == ["self"]
    for entry in found:
        (link,) = entry.findall(f"{ATOM}link")
        assert link.get("rel") == "alternate" and link.get("href"), "an entry without content has its page"
        assert moment(entry, "published") <= moment(entry, "updated")
    updates = [moment(entry, "updated") for entry in found]
    assert not updates or moment(feed, "updated") == max(updates)
    ids = [entry.findtext(f"{ATOM}id") for entry in found]
    assert len(set(ids)) == len(ids)
    return found


def updated(person: Person) -> datetime:
    (entry,) = entries(person)
    return moment(entry, "updated")


def test_feed_names_the_events_of_the_front_page(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event(name="Iron <Open> & Co", draft=True)
    assert not entries(visitor)
    assert not entries(olga), "the same for everybody"
    olga.press("Open registration", at=f"/e/{event.slug}/desk")
    (entry,) = entries(visitor)
    texts = {part.tag.removeprefix(ATOM): part.text or part.attrib.get("href", "") for part in entry}
    assert texts["title"] == "Iron <Open> & Co"
    assert texts["link"].endswith(f"/e/{event.slug}")
    assert texts["summary"].endswith("Registration is open.")
    assert visitor.open("/").soup.select("link[type='application/atom+xml']")


def test_ids_stay_at_another_address_and_differ_between_clubs(
    visitor: Person, elsewhere: Elsewhere, stage: Stage
) -> None:
    stage.event()
    here = [entry.findtext(f"{ATOM}id") for entry in entries(visitor)]
    moved = visitor.http.get("/events.atom", base_url="http://127.0.0.1:8000").data
    assert [entry.findtext(f"{ATOM}id") for entry in fromstring(moved).findall(f"{ATOM}entry")] == here
    elsewhere().event()
    assert [entry.findtext(f"{ATOM}id") for entry in entries(visitor)] != here


def test_entry_is_updated_by_what_readers_must_know(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=1)
    stage.enter(event, "Ada", "Bo")
    seen = updated(visitor)
    day = event.starts_on + timedelta(days=7)
    for change in ({"starts_on": day, "ends_on": day}, {"starts_at": "10:00"}, {"place": "Hall 2"}):
        stage.clock.advance(minutes=5)
        stage.set(event, **change)
        assert updated(visitor) == stage.clock.now > seen
        seen = updated(visitor)
    (entry,) = entries(visitor)
    assert ", 10:00, Hall 2. " in (entry.findtext(f"{ATOM}summary") or "")
    stage.clock.advance(minutes=5)
    stage.draw(event, 1)
    assert updated(visitor) == seen, "a draft is no news"
    stage.do(event, event_life.cancel, "", 0)
    assert updated(visitor) == stage.clock.now
    stage.do(event, event_life.withdraw_cancellation)
    stage.clock.advance(minutes=5)
    stage.publish(event, 1)
    assert updated(visitor) == stage.clock.now, "it begins"
    seen = updated(visitor)
    stage.clock.advance(minutes=5)
    stage.set(event, fee="15 €", description="Bring dice")
    decide_all(stage, event, 1)
    assert updated(visitor) == seen
    olga.press(CLOSE_EVENT, at="/e/iron-open/desk")
    assert updated(visitor) == stage.clock.now, "it is over"
    seen = updated(visitor)
    stage.clock.advance(minutes=5)
    stage.set(event, awards_published_at=stage.clock.now)
    assert updated(visitor) == seen


def test_entry_is_updated_when_registration_opens_and_closes_by_its_times(visitor: Person, stage: Stage) -> None:
    event = stage.event()
    opens, everybody, closes = (stage.clock.now + timedelta(hours=hours) for hours in (1, 2, 3))
    stage.set(event, registration_opens=opens, everybody_from=everybody, registration_closes=closes)
    assert updated(visitor) < opens
    stage.clock.advance(minutes=90)
    assert updated(visitor) == opens
    stage.clock.advance(minutes=60)
    assert updated(visitor) == opens, "for everybody from the start"
    stage.set(event, sign_up_by=SignUpBy.MEMBERS_FIRST, everybody_from=stage.clock.now + timedelta(minutes=10))
    stage.clock.advance(minutes=20)
    assert updated(visitor) == event.everybody_from
    stage.clock.advance(minutes=60)
    assert updated(visitor) == closes


def test_unchanged_feed_is_not_sent_again(visitor: Person, stage: Stage) -> None:
    stage.event()
    mark = visitor.ask("GET", "/events.atom").headers["ETag"]
    assert visitor.http.get("/events.atom", headers={"If-None-Match": mark}).status_code == 304


def test_what_opens_later_is_not_called_open(visitor: Person, olga: Person, stage: Stage) -> None:
    event = stage.event()
    stage.set(event, registration_opens=datetime(2026, 11, 28, 9, tzinfo=UTC))
    assert "Registration opens on " in visitor.open("/events.atom").text
    for person, address in ((visitor, "/e/iron-open"), (visitor, "/"), (olga, "/e/iron-open/desk"), (olga, "/desk")):
        page = person.open(address).text
        assert ("Opens Sat 28 Nov" in page, "Registration open " in page) == (True, False), address
    stage.set(event, registration_opens=None, registration_closes=stage.clock.now)
    assert "Registration is closed" in olga.open("/e/iron-open/desk").text
