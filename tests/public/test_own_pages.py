"""People's own pages: which entries are on whose page, and who may open them."""

import pytest
from sqlmodel import select

from events.accounts import own_pages
from events.store.errors import Refused
from models.event import Event
from models.people import Passkey
from models.person import OwnEntry
from models.person import Person as Page
from models.play import Player
from tests.kit.people import Links
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage
from tests.public.conftest import Opened, PageOf


def pages(stage: Stage, *players: Player) -> list[str]:
    """The names of the persons of these entries; "" for an entry on no page."""
    found = own_pages.whose(stage.s, [player.id for player in players])
    return [found[player.id].name if player.id in found else "" for player in players]


@pytest.mark.both_at_length
def test_joined_pages_are_one_person_and_come_apart_again(stage: Stage, page_of: PageOf) -> None:
    (ada, bo), (old,) = stage.enter(stage.event(), "Ada", "Bo"), stage.enter(stage.event("Rust Cup"), "Ada the Elder")
    main, other = page_of(ada), page_of(old)
    own_pages.put_together(stage.s, main, other)
    assert pages(stage, ada, bo, old) == ["Ada", "", "Ada"]
    assert {player.id for _, player in own_pages.own_entries(stage.s, main)} == {ada.id, old.id}
    with pytest.raises(Refused):
        own_pages.put_together(stage.s, other, main)
    assert own_pages.separate(stage.s, main, other.id)
    assert pages(stage, ada, bo, old) == ["Ada", "", "Ada the Elder"]
    assert not own_pages.separate(stage.s, main, other.id)


def test_page_put_into_another_takes_its_own_with_it(stage: Stage, page_of: PageOf) -> None:
    """A page is never two steps away, and each is separated by itself."""
    players = [stage.enter(stage.event(name), name)[0] for name in ("Ada", "Bo", "Cy")]
    person, two, three = map(page_of, players)
    own_pages.put_together(stage.s, two, three)
    own_pages.put_together(stage.s, person, two)
    assert pages(stage, *players) == ["Ada", "Ada", "Ada"]
    own_pages.separate(stage.s, person, two.id)
    assert pages(stage, *players) == ["Ada", "Bo", "Ada"]


def test_entry_is_on_one_page_and_a_page_has_one_entry_of_an_event(stage: Stage, page_of: PageOf) -> None:
    ada, bo = stage.enter(stage.event(), "Ada", "Bo")
    (old,) = stage.enter(stage.event("Rust Cup"), "Ada")
    first, second = page_of(ada, old), page_of(bo)
    with pytest.raises(Refused, match="has Ada in this event already"):
        own_pages.add_entry(stage.s, first, bo, stage.clock())
    own_pages.add_entry(stage.s, second, old, stage.clock())
    stage.s.commit()
    assert pages(stage, ada, bo, old) == ["Ada", "Bo", "Bo"]


@pytest.mark.both_databases
def test_deleting_a_page_deletes_nothing_else(stage: Stage, page_of: PageOf) -> None:
    (ada,), (old,) = stage.enter(stage.event(), "Ada"), stage.enter(stage.event("Rust Cup"), "Ada")
    main, other = page_of(ada), page_of(old)
    own_pages.put_together(stage.s, main, other)
    stage.s.add(
        Passkey(person_id=other.id, credential="p", public_key="p", handle="p", sign_count=0, name="Phone",
                added_at=stage.clock())
    )  # fmt: skip
    stage.s.commit()
    own_pages.end_page(stage.s, main)
    stage.s.commit()
    assert not [*stage.all(Page), *stage.all(OwnEntry), *stage.all(Passkey)]
    assert len(stage.s.exec(select(Player)).all()) == 2


@pytest.mark.both_at_length
def test_person_opens_own_entries_without_their_links(
    opened: Opened, stage: Stage, enter: Enter, event: Event, page_of: PageOf
) -> None:
    enter(event, "Ada", "Bo")
    ada, _ = stage.all(Player)
    stage.enter(stage.event("Rust Cup"), "Cy")
    browser = opened(page_of(ada))
    assert "Ada" in browser.open(f"/e/{event.slug}/me").text
    assert browser.open("/e/rust-cup/me").status == 403
    own_pages.take_off(stage.s, ada)
    stage.s.commit()
    assert browser.open(f"/e/{event.slug}/me").status == 403


def test_renewed_link_takes_an_entry_off(stage: Stage, event: Event, page_of: PageOf, olga: Person) -> None:
    """Somebody else who had the link could have put the entry on a page of their own."""
    (ada,) = stage.enter(event, "Ada")
    page_of(ada)
    olga.press("Make a new link", at=f"/e/{event.slug}/desk/players/{ada.id}")
    assert not stage.all(OwnEntry)


def test_browser_that_opened_anothers_link_is_that_player(
    opened: Opened, stage: Stage, event: Event, page_of: PageOf, link_of: Links
) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    browser = opened(page_of(ada))
    assert "Bo" in browser.open(link_of(bo)).part(".meta")
    assert "Bo" in browser.open(f"/e/{event.slug}/me").part(".meta")


def test_renewed_or_deleted_page_signs_out(opened: Opened, stage: Stage, event: Event, page_of: PageOf) -> None:
    (ada,) = stage.enter(event, "Ada")
    page = page_of(ada)
    first = opened(page)
    assert first.open(f"/e/{event.slug}/me").status == 200
    own_pages.renew_page(stage.s, page)
    stage.s.commit()
    assert first.open(f"/e/{event.slug}/me").status == 403
    second = opened(page)
    assert second.open(f"/e/{event.slug}/me").status == 200
    own_pages.end_page(stage.s, page)
    stage.s.commit()
    assert second.open(f"/e/{event.slug}/me").status == 403


def test_phone_keeps_copies_of_entries_opened_by_their_own_link_only(
    opened: Opened, stage: Stage, event: Event, page_of: PageOf, link_of: Links
) -> None:
    """Else each page of another event would delete the copies of the one before."""
    (ada,), (old,) = stage.enter(event, "Ada"), stage.enter(stage.event("Rust Cup"), "Ada")
    browser = opened(page_of(ada, old))
    assert browser.open(f"/e/{event.slug}/me").response.headers["Offline-For"] == "none"
    mine = browser.open(link_of(ada)).response.headers
    assert mine["Offline-Copy"] == "yes"
    other = browser.open("/e/rust-cup/me").response.headers
    assert other["Offline-For"] == mine["Offline-For"]
    assert "Offline-Copy" not in other
