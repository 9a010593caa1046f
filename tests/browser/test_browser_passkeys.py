"""Passkeys in Chromium with a virtual authenticator, at localhost, where browsers need no https."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acts import PASSWORD, become_organiser, follow, make_event, open_registration, press, sign_up
from tests.browser.server import Server, serving
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import Visits

pytestmark = pytest.mark.sweep


@pytest.fixture(scope="module")
def server(fresh: Callable[[], Path]) -> Iterator[Server]:
    """A server that people reach at localhost."""
    with serving(fresh()) as running:
        address, link = at_localhost(running.address), at_localhost(running.set_up_link)
        yield replace(running, address=address, set_up_link=link)


@pytest.fixture
def visits(chromium: Browser, server: Server) -> Iterator[Visits]:
    opened = Visits(chromium, server.address)
    yield opened
    opened.close()


def at_localhost(address: str) -> str:
    return address.replace("127.0.0.1", "localhost")


def give_authenticator(page: Page) -> None:
    """Give the page's browser a virtual authenticator that stores passkeys and knows its person."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": options | {"isUserVerified": True, "automaticPresenceSimulation": True}},
    )


def test_staff_and_player_sign_in_by_passkeys(visits: Visits, server: Server) -> None:
    desk, phone = visits.desk(), visits.phone()
    become_organiser(desk, server.set_up_link)
    event = at_localhost(make_event(desk, "Iron Open"))
    open_registration(desk, event)
    give_authenticator(desk)
    desk.goto("/account")
    follow(desk.get_by_role("link", name="Add a passkey"))
    desk.get_by_label("Password").fill(PASSWORD)
    press(desk, "Continue")
    desk.get_by_label("Name of this passkey").fill("My computer")
    press(desk, "Add a passkey")
    expect(desk.get_by_role("row", name="My computer")).to_be_visible()
    assert list(faults(desk, "desk")) == []
    press(desk, "Sign out")
    desk.goto("/sign-in")
    press(desk, "Sign in with a passkey")
    expect(desk).to_have_url(f"{server.address}/desk")

    sign_up(phone, event, "Ada Lovelace")
    give_authenticator(phone)
    phone.goto(f"{event}/me/passkeys")
    press(phone, "Add a passkey")
    expect(phone.locator(".flash-success")).to_contain_text("The passkey is added")
    assert list(faults(phone, "phone")) == []
    phone.context.clear_cookies()
    phone.goto("/sign-in/passkey")
    assert list(faults(phone, "phone")) == []
    press(phone, "Sign in with a passkey")
    expect(phone).to_have_url(f"{event}/me")


def test_page_says_that_the_browser_gave_no_passkey(visits: Visits) -> None:
    phone = visits.phone()
    give_authenticator(phone)
    phone.goto("/sign-in/passkey")
    phone.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.locator("#passkey-state")).to_contain_text("The browser gave no passkey")
