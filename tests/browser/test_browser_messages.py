"""A message from the desk to an open phone and a mailbox: there without a reload, read when seen, mailed once."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.acts import become_organiser, follow, make_event, open_registration, press, sign_up, take_out
from tests.browser.server import Server
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import Visits
from tests.kit.mail_server import Mailbox, mailbox


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    """The club's mail server."""
    with mailbox() as opened:
        yield opened


@pytest.fixture(scope="module")
def server(
    fresh: Callable[[], Path], serve: Callable[[Path], AbstractContextManager[Server]], box: Mailbox
) -> Iterator[Server]:
    """A server of its own, with that mail server."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in box.environment().items():
            patch.setenv(name, value)
        patch.setenv("OVERSEER_ADDRESS", "http://iron.example")  # no proxy with a certificate stands before it here
        with serve(fresh()) as running:
            yield running


def test_a_message_reaches_the_open_phone_and_the_mailbox(visits: Visits, server: Server, box: Mailbox) -> None:
    desk, phone = visits.desk(), visits.phone()
    become_organiser(desk, server.set_up_link)
    event = make_event(desk, "Iron Open")
    open_registration(desk, event)
    desk.goto(f"{event}/desk/messages")
    desk.get_by_label("Players may give a mail address").check()
    press(desk, "Save")
    sign_up(phone, event, "Ada Lovelace")
    phone.goto(f"{event}/me")
    expect(phone.locator("#messages .letter")).to_have_count(0)
    follow(phone.get_by_role("link", name="Notifications"))
    follow(phone.get_by_role("link", name="Give an address"))
    phone.get_by_label("Mail address").fill("ada@mail.example")
    press(phone, "Save")
    expect(phone).to_have_url(re.compile("/me$"))

    desk.goto(f"{event}/desk/messages")
    follow(desk.get_by_role("link", name="Change of place or time"))
    desk.get_by_label("Text").fill("Hello {name}, we play in the <b>Old Mill</b>. {link}")
    press(desk, "Preview")
    expect(desk.locator(".letter")).to_contain_text("Hello Ada Lovelace, we play in the <b>Old Mill</b>.")
    assert list(faults(desk, "desk")) == []
    press(desk, "Send to 1 player")
    expect(desk.locator("table")).to_contain_text("Not read")
    assert list(faults(desk, "desk")) == []

    take_out(phone)
    new = phone.locator("#messages .letter.new")
    expect(new).to_contain_text("Hello Ada Lovelace")
    assert list(faults(phone, "phone")) == []
    new.scroll_into_view_if_needed()
    expect(new.get_by_role("button")).to_have_count(0)  # seen for two seconds
    desk.reload()
    expect(desk.locator("table tbody tr").first).to_contain_text("Read")
    expect(desk.locator("table tbody tr").first).not_to_contain_text("Not read")

    box.wait_for(1)
    (mail,) = box.arrived
    link = next(word for word in mail.get_content().split() if "/p/" in word)
    assert link.startswith("http://iron.example/p/")
    other = visits.phone()
    other.goto(link.removeprefix("http://iron.example"))
    expect(other.locator("main")).to_contain_text("Ada Lovelace")
