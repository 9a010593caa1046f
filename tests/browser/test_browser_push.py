"""Notifications on a closed phone: a push service of the tests gets the push, and the service worker shows it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acts import become_organiser, follow, make_event, open_registration, press, press_here, sign_up
from tests.browser.conftest import launched
from tests.browser.server import Server, serving
from tests.browser.test_browser_pages_fit import faults
from tests.browser.visits import Visits, leads_on
from tests.kit.push_service import PushService, push_service

SUBSCRIBES = """
PushManager.prototype.subscribe = async (asked) => {
  if (!asked.userVisibleOnly || asked.applicationServerKey.length !== 87) throw new Error("not a subscription");
  return { toJSON: () => (KEYS) };
};
"""
SHOWN = "async () => (await self.registration.getNotifications()).map((one) => [one.title, one.body, one.data])"


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as opened:
        yield opened


@pytest.fixture(scope="module")
def server(fresh: Callable[[], Path], service: PushService) -> Iterator[Server]:
    """A server that may send to this push service."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OVERSEER_PUSH_SERVICE", service.address)
        with serving(fresh()) as running:
            yield running


@pytest.fixture
def visits(chromium: Browser, server: Server) -> Iterator[Visits]:
    browser = launched(chromium.browser_type, notifies=True)
    opened = Visits(browser, server.address)
    yield opened
    opened.close()
    browser.close()


def keys_of(service: PushService, name: str) -> str:
    """The subscription of the browser of this name, as JavaScript."""
    sent = service.browser(name)
    return json.dumps({"endpoint": sent["endpoint"], "keys": {"p256dh": sent["p256dh"], "auth": sent["auth"]}})


@pytest.mark.sweep
def test_closed_phone_shows_a_notification(visits: Visits, server: Server, service: PushService) -> None:
    desk, phone = visits.desk(), visits.phone()
    become_organiser(desk, server.set_up_link)
    event = make_event(desk, "Iron Open")
    open_registration(desk, event)
    phone.context.grant_permissions(["notifications"])
    phone.add_init_script(SUBSCRIBES.replace("KEYS", keys_of(service, "ada")))
    sign_up(phone, event, "Ada Lovelace")
    phone.goto(f"{event}/me")
    follow(phone.get_by_role("link", name="Notifications"))
    assert list(faults(phone, "phone")) == []
    with leads_on(phone):
        press_here(phone, "Notify me on this device")
    expect(phone.locator(".flash-success")).to_contain_text("This device shows notifications now")
    assert list(faults(phone, "phone")) == []

    worker = phone.context.service_workers[0]
    phone.goto("about:blank")
    desk.goto(f"{event}/desk/messages/new")
    desk.get_by_label("Subject").fill("Lunch, {name}")
    desk.get_by_label("Text").fill("It is on the table.")
    press(desk, "Preview")
    press(desk, "Send to 1 player")
    service.wait_for(1)
    ((_, said),) = service.arrived
    deliver(phone, server.address, json.dumps(said))
    expect_shown = [["Iron Open: a message from the organiser", "Lunch, Ada Lovelace", f"{event}/me"]]
    assert worker.evaluate(SHOWN) == expect_shown

    phone.goto(f"{event}/me/notices")
    press(phone, "Remove")
    expect(phone.locator(".flash-success")).to_contain_text("gets no more notifications")


def deliver(phone: Page, address: str, message: str) -> None:
    """Deliver a decrypted push to the service worker at this address, as the browser does."""
    devtools = phone.context.new_cdp_session(phone)
    found: list[str] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda said: found.extend(
        entry["registrationId"] for entry in said["registrations"] if entry["scopeURL"].startswith(address)
    ))  # fmt: skip
    devtools.send("ServiceWorker.enable")
    while not found:
        phone.wait_for_timeout(20)
    devtools.send("ServiceWorker.deliverPushMessage", {"origin": address, "registrationId": found[0], "data": message})
    phone.wait_for_timeout(200)
