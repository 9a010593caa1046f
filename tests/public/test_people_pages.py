"""The pages of people: making one, what it shows, who reads it, putting two together, ending it."""

from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import Engine

from events.accounts import own_pages
from events.setup.actions import finish
from models.event import Event
from models.people import Passkey
from models.person import OwnEntry
from models.person import Person as Page
from models.play import ForceList, Player
from service.settings import Settings
from tests.kit.authenticator import Authenticator, asked_on, sign_in_by
from tests.kit.forces import sample_force
from tests.kit.mail_server import Mailbox
from tests.kit.person import SIGN_UP, Enter, Person, words
from tests.kit.person import Page as Shown
from tests.kit.stage import Stage
from tests.kit.statements import sent
from tests.kit.writing import deliver, give_mail
from tests.public.conftest import Opened, PageOf, link_to_page

ORIGIN = "http://localhost"
KEEP, ADD_EVENT = "Keep my events together", "Add this event to your page"


def over(stage: Stage, name: str, *players: str) -> tuple[Event, dict[str, Player]]:
    """An event that is over, after one round."""
    event = stage.event(name, rounds=1)
    people = {player.name: player for player in stage.enter(event, *players)}
    stage.play(event, 1)
    stage.do(event, finish)
    return event, people


def events_of(page: Shown) -> list[str]:
    """The names of the events played, in the page's order."""
    return [words(tag) for tag in page.soup.select("section:has(#played) th a")]


def test_player_makes_a_page_and_adds_the_next_event(enter: Enter, event: Event, stage: Stage) -> None:
    (ada,) = enter(event, "Ada")
    page = ada.press(KEEP, at=f"/e/{event.slug}/me/page")
    assert page.path == "/me/link" and "/m/" in page.text
    assert "Iron Open" in ada.open("/me").part("section:has(#coming)")
    cup = stage.event("Rust Cup")
    (again,) = stage.enter(cup, "Ada")
    with ada.http.session_transaction() as session:  # as if its private link were opened
        session["players"] = session["players"] | {str(cup.id): [again.id, f"1.{again.session_key}", "n", 1 << 40]}
    assert ada.press(ADD_EVENT, at=f"/e/{cup.slug}/me").path == "/me"
    assert "Rust Cup" in ada.page.part("section:has(#coming)")
    assert "My events" in ada.open(f"/e/{cup.slug}/me").part("[data-poll-part=account]")
    ada.press("Take this event off", at=f"/e/{cup.slug}/me/page")
    assert "Rust Cup" not in ada.open("/me").part("section:has(#coming)")


def test_sign_up_is_filled_in_and_kept_unless_unticked(
    stage: Stage, page_of: PageOf, opened: Opened, event: Event
) -> None:
    before, people = over(stage, "Rust Cup", "Ada", "Bo")
    stage.set(before, people["Ada"], club="Vault 13", faction="Survivors")
    browser = opened(page_of(people["Ada"]))
    (sign_up,) = browser.page.soup.select("section:has(#open) .button")
    form = browser.open(str(sign_up["href"]))
    assert (form.value("name"), form.value("club"), form.value("faction")) == ("Ada", "Vault 13", "Survivors")
    browser.press(SIGN_UP)
    assert event.name in browser.open("/me").part("section:has(#coming)")
    other = stage.event("Dust Cup")
    browser.press(SIGN_UP, at=f"/e/{other.slug}/register", keep=False)
    assert other.name not in browser.open("/me").part("section:has(#coming)")


def test_own_page_shows_places_results_and_opponents(stage: Stage, page_of: PageOf, opened: Opened) -> None:
    event, first = over(stage, "Rust Cup", "Ada", "Bo")
    two, second = over(stage, "Dust Cup", "Ada", "Bo B.")
    three, third = over(stage, "Mud Cup", "Ada", "bo")
    page_of(first["Bo"], second["Bo B."], shown=True, alias="The Brute")
    page = opened(page_of(first["Ada"], second["Ada"], third["Ada"])).page
    assert events_of(page) == [three.name, two.name, event.name]
    assert {row[1].split()[0] for row in page.rows("section:has(#played)")} <= {"1st", "2nd"}
    rows = page.rows("#opponents")
    assert [row[:2] for row in rows] == [["The Brute", "2 games"], ["bo", "1 game"]]
    assert page.part(".tiles").startswith("Events 3 Games 3")
    assert sum(map(int, rows[0][2].split("–"))) == 2
    letters = [tag.get_text() for tag in page.soup.select("#opponents tr")[1].select(".pip")]
    assert len(letters) == 2 and {*letters} <= {"W", "D", "L"}, "each game is a letter"
    assert len(page.soup.select("section:has(#played) .pip")) == 3


def test_page_is_hidden_until_shown_and_has_the_alias(
    app: Flask, stage: Stage, page_of: PageOf, opened: Opened, visitor: Person
) -> None:
    event, people = over(stage, "Rust Cup", "Ada", "Bo")
    secret, own = over(stage, "Closed Cup", "Ada", "Bo")
    page = page_of(people["Ada"], own["Ada"])
    address, entry = f"/people/{page.id}", f"/e/{event.slug}/players/{people['Ada'].id}"
    assert visitor.open(address).status == 404
    assert visitor.open(entry).part(f"a[href='{address}']") == ""
    browser = opened(page)
    browser.press("Save", at="/me/settings", shown=True, alias="The Wanderer")
    assert visitor.open(entry).part(f"a[href='{address}']") == "All events of The Wanderer"
    assert visitor.open(address).part("h1") == "The Wanderer"
    assert "Ada" not in visitor.page.part("#main")
    assert events_of(visitor.page) == [secret.name, event.name]
    stage.set(secret, unlisted=True)
    assert events_of(visitor.open(address)) == [event.name]


def test_link_asks_before_it_opens_a_page(app: Flask, stage: Stage, event: Event, page_of: PageOf) -> None:
    """A link from somebody else must not put the next sign-up on that person's page."""
    (ada,) = stage.enter(event, "Ada")
    page, browser = page_of(ada), Person(app)
    assert "Is this your page?" in browser.open(link_to_page(app, page)).part("h1")
    assert "/m/" not in browser.page.path
    assert browser.open("/me").part("h1") == "My events"
    assert browser.open("/m/1.AAAAAAAAAAAAAAAAAAAAAA").status == browser.open("/m/nothing").status == 404


def test_two_pages_are_put_together_and_separated(
    app: Flask, stage: Stage, event: Event, page_of: PageOf, opened: Opened
) -> None:
    (ada,), (old,) = stage.enter(event, "Ada"), stage.enter(stage.event("Rust Cup"), "Ada the Elder")
    main, other = page_of(ada), page_of(old)
    first, second = opened(main), opened(other)
    refused = first.press("Put them together", at=link_to_page(app, other))
    assert "Tick that you made both pages" in refused.text
    first.press("Put them together", mine="yes")
    assert "Rust Cup" in first.page.part("section:has(#coming)")
    assert first.open("/e/rust-cup/me").status == 200
    assert second.open("/me").part("h1") == "Ada"
    with stage.changing() as s:
        s.add(Passkey(person_id=main.id, credential="c", public_key="k", handle="h", sign_count=0, name="Thief",
                      added_at=stage.clock()))  # fmt: skip
    link = link_to_page(app, main)
    first.press("Separate", at="/me/settings")
    assert "this is its new link" in first.page.text
    assert "Rust Cup" not in first.open("/me").part("section:has(#coming)")
    assert first.open("/e/rust-cup/me").status == 403
    assert Person(app).open(link).status == 404 and not stage.all(Passkey), "whoever had the other page knew them"
    assert second.open("/me").part("h1") == "Ada the Elder"
    assert second.open(f"/e/{event.slug}/me").status == 403


def test_renewed_link_ends_the_old_one_and_other_devices(
    app: Flask, stage: Stage, event: Event, page_of: PageOf, opened: Opened
) -> None:
    (ada,) = stage.enter(event, "Ada")
    page = page_of(ada)
    old, first, second = link_to_page(app, page), opened(page), opened(page)
    first.press("Make a new link", at="/me/link")
    assert first.open(f"/e/{event.slug}/me").status == 200
    refused = second.open("/me/link")
    assert refused.status == 403 and "you can also make a new page of your events" in refused.text
    assert Person(app).open(old).status == 404


def test_signed_out_page_cannot_be_opened_by_a_copy_of_the_cookie(
    app: Flask, stage: Stage, event: Event, page_of: PageOf, opened: Opened
) -> None:
    (ada,) = stage.enter(event, "Ada")
    browser = opened(page_of(ada))
    with browser.http.session_transaction() as session:
        copied = dict(session)
    browser.press("Sign out on this device", at="/me")
    assert browser.open("/me/link").status == 403
    with browser.http.session_transaction() as session:
        session.update(copied)
    assert browser.open("/me/link").status == 403


def test_player_signed_out_at_an_event_closes_the_page_that_opened_it(
    stage: Stage, event: Event, page_of: PageOf, opened: Opened
) -> None:
    (ada,) = stage.enter(event, "Ada")
    browser = opened(page_of(ada))
    browser.press("Sign out on this device", at=f"/e/{event.slug}/me")
    assert browser.open("/me/link").status == 403


@pytest.mark.parametrize("act", ["/me/events/{}", "/me/events/{}/off"])
def test_person_reaches_no_entry_of_somebody_else(
    stage: Stage, event: Event, page_of: PageOf, opened: Opened, act: str
) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    page_of(bo)
    assert opened(page_of(ada)).post(act.format(bo.id)).status_code == 404
    assert len(stage.all(OwnEntry)) == 2


def test_person_separates_and_removes_only_own_pages(
    stage: Stage, event: Event, page_of: PageOf, opened: Opened
) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    (cy,) = stage.enter(stage.event("Rust Cup"), "Cy")
    mine, main, joined = page_of(ada), page_of(bo), page_of(cy)
    own_pages.put_together(stage.s, main, joined)
    stage.s.commit()
    opened(mine).post(f"/me/separate/{joined.id}")
    stage.s.expire_all()
    assert joined.merged_into == main.id


def test_page_is_deleted_with_its_links(
    app: Flask, stage: Stage, event: Event, page_of: PageOf, opened: Opened
) -> None:
    (ada,) = stage.enter(event, "Ada")
    page = page_of(ada)
    link, browser = link_to_page(app, page), opened(page)
    browser.press("Delete this page", at="/me/settings")
    assert not stage.all(Page)
    assert Person(app).open(link).status == 404
    assert browser.open(f"/e/{event.slug}/me").status == 403


def test_kept_entry_moves_to_a_new_page_of_who_holds_its_link(
    stage: Stage, event: Event, enter: Enter, page_of: PageOf
) -> None:
    (browser,) = enter(event, "Ada")
    page_of(stage.all(Player)[0])
    assert "is on a page already" in browser.open(f"/e/{event.slug}/me/page").text
    browser.press("Move this event to a new page")
    assert len(stage.all(OwnEntry)) == 1
    assert browser.open("/me").status == 200


def test_entry_is_put_on_pages_only_a_few_times(stage: Stage, event: Event, enter: Enter) -> None:
    (browser,) = enter(event, "Ada")
    for _ in range(5):
        browser.press(KEEP, at=f"/e/{event.slug}/me/page")
        browser.press("Delete this page", at="/me/settings")
    assert "many times" in browser.press(KEEP, at=f"/e/{event.slug}/me/page").flashes
    assert not stage.all(Page)


def test_list_is_used_again(stage: Stage, event: Event, page_of: PageOf, opened: Opened) -> None:
    old = stage.event("Rust Cup")
    (before,), (now,) = stage.enter(old, "Ada"), stage.enter(event, "Ada")
    stage.force(old, before, sample_force("Survivors", 750, 4))
    browser = opened(page_of(before, now))
    browser.press(f"Use again at {event.name}", at="/me")
    assert browser.page.path == f"/e/{event.slug}/me/force"
    copied = stage.one(ForceList, player_id=now.id)
    assert copied.submitted_at is None
    assert copied.document["faction"] == "Survivors"


def test_second_look_at_a_page_asks_few_statements_however_many_events(
    engine: Engine, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    entries = [over(stage, f"Cup {number}", "Ada", "Bo")[1]["Ada"] for number in range(4)]
    browser = opened(page_of(*entries))
    browser.open("/me")
    with sent(engine) as statements:
        browser.open("/me")
    assert len([statement for statement in statements if statement.startswith("SELECT")]) <= 6, statements


def test_person_signs_in_by_a_passkey(
    app: Flask, settings: Settings, stage: Stage, event: Event, page_of: PageOf, opened: Opened
) -> None:
    app.extensions["overseer_settings"] = replace(settings, public=ORIGIN)
    (ada,) = stage.enter(event, "Ada")
    page, device = page_of(ada), Authenticator(ORIGIN, credential=b"of a person")
    browser = opened(page)
    asked = asked_on(browser.open("/me/passkeys"))
    assert asked["user"]["name"] == "Ada · my events"
    browser.forge("Add a passkey", credential=device.made(asked), called="My phone")
    phone = Person(app)
    assert sign_in_by(phone, device).path == "/me"
    assert phone.open(f"/e/{event.slug}/me").status == 200
    browser.press("Make a new link", at="/me/link")
    assert stage.all(Passkey) == []
    assert phone.open(f"/e/{event.slug}/me").status == 403


def test_new_page_is_mailed_once_to_a_confirmed_address(
    app: Flask, settings: Settings, stage: Stage, event: Event, enter: Enter, box: Mailbox
) -> None:
    app.extensions["overseer_mail"] = box.server()
    (browser,) = enter(event, "Ada")
    give_mail(stage, event, stage.one(Player))
    browser.press(KEEP, at=f"/e/{event.slug}/me/page")
    deliver(stage, box, settings.secret)
    (mail,) = box.arrived
    assert link_to_page(app, stage.one(Page)) in mail.get_content()
    shown = browser.open(f"/e/{event.slug}/me").text
    assert "Your events together" in shown and "/m/" not in shown, "an entry's link does not open the page"


def test_new_page_without_a_mail_is_told_of_without_a_link(event: Event, enter: Enter) -> None:
    (browser,) = enter(event, "Ada")
    browser.press(KEEP, at=f"/e/{event.slug}/me/page")
    shown = browser.open(f"/e/{event.slug}/me").text
    assert "was added to a page that keeps the events of a person together" in shown
    assert "the link is only in the mail" not in shown


def test_page_that_ended_is_not_mailed(
    app: Flask, settings: Settings, stage: Stage, event: Event, enter: Enter, box: Mailbox
) -> None:
    app.extensions["overseer_mail"] = box.server()
    (browser,) = enter(event, "Ada")
    give_mail(stage, event, stage.one(Player))
    browser.press(KEEP, at=f"/e/{event.slug}/me/page")
    browser.press("Delete this page", at="/me/settings")
    deliver(stage, box, settings.secret)
    assert box.arrived == []


def test_entry_put_on_a_page_is_a_message_to_its_player(
    stage: Stage, event: Event, enter: Enter, page_of: PageOf, opened: Opened
) -> None:
    """A thief of the phone could do it, and would reach the entry from then on."""
    (ada,) = enter(event, "Ada")
    (old,) = stage.enter(stage.event("Rust Cup"), "Mal")
    thief = opened(page_of(old))
    with ada.http.session_transaction() as session:
        players = session["players"]
    with thief.http.session_transaction() as session:
        session["players"] = players
    thief.press(ADD_EVENT, at=f"/e/{event.slug}/me")
    assert "Iron Open: added to a page" in ada.open(f"/e/{event.slug}/me").text
