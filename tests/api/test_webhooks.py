"""Webhooks: who is told what, signed; again after a failure; only allowed public hosts; the desk's page."""

import base64
import hashlib
import hmac
import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from events.api.webhook_actions import add_webhook, end_webhook, is_allowed, send_call_again, try_webhook
from events.api.webhook_calls import TRIAL, call_to
from events.api.webhook_sending import send_calls
from events.messages import addresses as mail_addresses
from events.public import clock as clock_actions
from events.registration import check_in, leaving, payments
from models.dispatch import Dispatch, DispatchState, Webhook, WebhookKind
from service.settings import Settings
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Enter, Person
from tests.kit.receiver import Received, Receiver, receiving
from tests.kit.stage import Event, Stage

pytestmark = pytest.mark.fast

PAGE = "/e/iron-open/desk/webhooks"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def send(stage: Stage, receiver: Receiver) -> Callable[[], list[Received]]:
    """Send what is due, and return what arrived."""
    settings = Settings(Path(), "", "", "", 0, webhooks=frozenset({receiver.address}), public="https://desk.example")

    def all_due() -> list[Received]:
        stage.s.rollback()
        send_calls(stage.engine, settings, stage.clock)
        return receiver.take_all()

    return all_due


def hook_to(stage: Stage, event: Event, receiver: Receiver, kind: WebhookKind = WebhookKind.SIGNED) -> Webhook:
    address = f"{receiver.address}/hook"
    return stage.do(event, add_webhook, "Site", kind, address, {receiver.address})


def types(arrived: list[Received]) -> list[str]:
    return [received.said["type"] for received in arrived]


Send = Callable[[], list[Received]]


def test_changes_that_are_public_are_told_signed_and_in_order(
    stage: Stage, event: Event, receiver: Receiver, send: Send
) -> None:
    stage.enter(event, "Ada", "Bo")
    hook = hook_to(stage, event, receiver)
    assert send() == [], "nothing that was there before"
    stage.draw(event, 1)
    assert send() == [], "a draft is told to nobody"
    (game,) = stage.publish(event, 1)
    stage.do(event, clock_actions.start_round_clock, 1)
    stage.decide(event, game, 5, 3)
    arrived = send()
    told = list(dict.fromkeys(types(arrived)))
    assert told == ["lists.shown", "round.published", "clock.changed", "result.changed"]
    first = arrived[1]
    assert (first.method, first.path, first.said["data"]) == (
        "POST", "/hook",
        {"event": "iron-open", "name": "Iron Open", "page": "https://desk.example/e/iron-open",
         "api": "https://desk.example/api/v1/events/iron-open", "round": 1},
    )  # fmt: skip
    text = f"{first.headers['webhook-id']}.{first.headers['webhook-timestamp']}.".encode() + first.body
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    assert first.headers["webhook-signature"] == f"v1,{expected}"
    assert len({received.headers["webhook-id"] for received in arrived}) == len(arrived)
    assert send() == [], "each once"
    game_told = {"id": game.id, "round": 1, "table": 1, "players": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bo"}]}
    assert arrived[-1].said["data"]["game"] == game_told
    assert b"Ada" not in b"".join(received.body for received in arrived if b"result.changed" not in received.body)


EVERY_KIND = ("player.registered", "player.withdrawn", "player.checked_in", "list.submitted", "payment.changed")


def test_webhook_gets_what_is_not_public_only_if_its_organiser_chose_it(
    stage: Stage, event: Event, receiver: Receiver, send: Send
) -> None:
    stage.set(event, fee="12 EUR", fee_amount=1200, fee_currency="EUR")
    stage.do(event, mail_addresses.allow_mail, True)

    def life_of(name: str) -> None:
        (player,) = stage.enter(event, name, here=False)
        stage.do(event, mail_addresses.give_address, player, f"{name}@mail.example".lower())
        stage.force(event, player, read_force(PIPER))
        stage.do(event, payments.record_payment, player, 500, "transfer", f"ref-{name}")
        stage.do(event, check_in.check_in_many, [player])
        stage.do(event, leaving.drop, player)

    hook_to(stage, event, receiver)
    life_of("Ada")
    assert send() == [], "as before: nothing but what becomes public"
    address = f"{receiver.address}/hook"
    stage.do(event, add_webhook, "All", WebhookKind.SIGNED, address, {receiver.address}, EVERY_KIND)
    life_of("Bo")
    arrived = send()
    order = ["player.registered", "list.submitted", "payment.changed", "player.checked_in", "player.withdrawn"]
    assert types(arrived) == order
    assert [who["name"] for who in arrived[0].said["data"]["players"]] == ["Bo"]
    (paid,) = arrived[2].said["data"]["payments"]
    assert (paid["name"], paid["amount"], paid["due"], paid["due_back"]) == ("Bo", 500, 1200, 500), "as it is now"
    assert "payments" not in paid
    assert [b"amount" in received.body for received in arrived] == [False, False, True, False, False]
    bodies = b"".join(received.body for received in arrived)
    assert not any(secret in bodies for secret in (b"ref-Bo", b"mail.example", b"Piper"))


def test_draft_event_tells_nobody_until_it_is_public(
    stage: Stage, olga: Person, receiver: Receiver, send: Send
) -> None:
    event = stage.event(draft=True)
    hook_to(stage, event, receiver)
    stage.set(event, name="Secret Open")
    assert send() == []
    olga.press("Open registration", at="/e/iron-open/desk")
    assert types(send()) == ["event.changed"]


def test_refused_call_is_tried_again_with_the_same_id_and_fails_in_the_end(
    stage: Stage, event: Event, receiver: Receiver, send: Send
) -> None:
    hook = hook_to(stage, event, receiver)
    stage.do(event, try_webhook, hook)
    receiver.status = 503
    (first,) = send()
    assert (send(), stage.one(Dispatch).reason) == ([], "answered 503")
    later = []
    for wait in (1, 4, 16, 64, 256, 1024):
        stage.clock.now += timedelta(minutes=wait)
        later += send()
    assert len(later) == 5 and {received.headers["webhook-id"] for received in later} == {first.headers["webhook-id"]}
    assert stage.one(Dispatch).state == DispatchState.FAILED
    receiver.status = 200
    stage.do(event, send_call_again, stage.now(hook), stage.one(Dispatch))
    assert types(send()) == ["webhook.trial"]
    assert (stage.one(Dispatch).state, stage.one(Dispatch).reason) == (
        DispatchState.SENT,
        "",
    )


def test_webhook_ends_when_the_address_is_gone_and_when_staff_end_it(
    stage: Stage, event: Event, receiver: Receiver, send: Send
) -> None:
    gone, ended = hook_to(stage, event, receiver), hook_to(stage, event, receiver)
    stage.do(event, try_webhook, gone)
    stage.s.add(call_to(gone, TRIAL, stage.clock()))
    stage.s.commit()
    receiver.status = 410
    assert len(send()) == 1, "nothing more after the other side said that it is gone"
    assert stage.now(gone).ended_at == stage.clock()
    stage.do(event, try_webhook, ended)
    stage.do(event, end_webhook, ended)
    receiver.status = 200
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    assert send() == []
    stage.refuse("This webhook is ended", event, try_webhook, stage.now(ended))
    assert stage.journal(event, "end-webhook") == ["Ended the webhook Site"]


def test_discord_has_one_message_for_a_round_that_is_edited(
    stage: Stage, event: Event, receiver: Receiver, send: Send
) -> None:
    stage.enter(event, "Ada *Star* Archer", "Bo @everyone")
    hook_to(stage, event, receiver, WebhookKind.DISCORD)
    (game,) = stage.publish(event, 1)
    (posted,) = send()
    assert (posted.method, posted.path) == ("POST", "/hook?wait=true")
    assert posted.said["allowed_mentions"] == {"parse": []}
    (embed,) = posted.said["embeds"]
    assert "Round 1 of 3" in embed["description"] and r"Ada \*Star\* Archer" in embed["description"]
    assert embed["url"] == "https://desk.example/e/iron-open"
    stage.decide(event, game, 5, 3)
    (edited,) = send()
    assert (edited.method, edited.path) == ("PATCH", "/hook/messages/77")
    text = edited.said["embeds"][0]["description"]
    assert "5 : 3" in text and "Standings after round 1" in text
    receiver.status, receiver.answer = 404, b"{}"
    stage.publish(event, 2)
    (refused,) = send()
    receiver.status, receiver.answer = 200, b'{"id": "78"}'
    stage.clock.now += timedelta(minutes=2)
    (again,) = send()
    assert (refused.method, again.method) == ("POST", "POST"), "round 2 has a message of its own"
    assert {webhook_call.posted for webhook_call in stage.all(Dispatch)} == {"77", "78"}


def test_long_discord_message_is_cut(stage: Stage, receiver: Receiver, send: Send) -> None:
    event = stage.event(places=200)
    stage.enter(event, *(f"{'_' * 40} number {number}" for number in range(80)))
    hook_to(stage, event, receiver, WebhookKind.DISCORD)
    stage.publish(event, 1)
    (posted,) = send()
    text = posted.said["embeds"][0]["description"]
    assert len(text) <= 4096 and text.endswith("\n…")


ALLOWED = ("https://discord.com/api/webhooks/1/x", "https://discord.com:443/x", "https://discord.com/x?wait=true")
REFUSED = (
    "http://discord.com/x", "https://discord.com:8443/x", "https://olga@discord.com/x", "https://discord.com.evil.example/",
    "https://evil.example/discord.com", "https://10.0.0.1/", "https://discord.com/ x", "https://discord.com/#x", "ftp://x",
    "https://[::1]/", "https://discord.com@evil.example/", "https://discord.com\n.evil.example/", "",
)  # fmt: skip


@pytest.mark.parametrize(
    ("address", "fine"), [*((text, True) for text in ALLOWED), *((text, False) for text in REFUSED)]
)
def test_only_allowed_hosts_are_called(address: str, fine: bool) -> None:
    assert is_allowed(address, {"discord.com"}) == fine


@pytest.mark.proves("attack 90")
def test_host_that_leads_into_a_private_network_is_not_called(stage: Stage, event: Event) -> None:
    hook = stage.do(event, add_webhook, "Inside", WebhookKind.SIGNED, "https://localhost/x", {"localhost"})
    stage.do(event, try_webhook, hook)
    stage.s.rollback()
    settings = Settings(Path(), "", "", "", 0, webhooks=frozenset({"localhost"}))
    send_calls(stage.engine, settings, stage.clock)
    assert stage.one(Dispatch).reason == "not reached: its address is in a private network"
    stage.clock.now += timedelta(minutes=2)
    stage.s.rollback()
    send_calls(stage.engine, replace(settings, webhooks=frozenset()), stage.clock)
    assert stage.one(Dispatch).reason == "the operator does not allow this address any more"


def test_receiver_that_cannot_be_reached_gets_one_call_in_a_pass(
    stage: Stage, event: Event, receiver: Receiver, send: Send
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        silent = f"http://127.0.0.1:{closed.getsockname()[1]}"
    quiet = stage.do(event, add_webhook, "Silent", WebhookKind.SIGNED, f"{silent}/x", {silent})
    hooks = (hook_to(stage, event, receiver), quiet)
    for _ in range(2):
        stage.s.add_all(call_to(hook, TRIAL, stage.clock()) for hook in hooks)
    stage.s.commit()
    settings = Settings(Path(), "", "", "", 0, webhooks=frozenset({silent, receiver.address}))
    assert send_calls(stage.engine, settings, stage.clock).total() == 4
    assert len(receiver.arrived) == 2
    refused = [call.reason for call in stage.all(Dispatch, webhook_id=quiet.id)]
    assert sorted(refused) == ["not reached: ConnectionRefusedError", "not reached: no answer in time"], "asked once"
    stage.refuse("A trial is on its way already", event, try_webhook, stage.now(quiet))


def test_call_that_raises_anything_ends_no_pass(stage: Stage, event: Event, receiver: Receiver, send: Send) -> None:
    odd, fine = hook_to(stage, event, receiver), hook_to(stage, event, receiver)
    stage.set(event, odd, secret="whsec_x")
    for hook in (odd, fine):
        stage.do(event, try_webhook, hook)
    assert len(send()) == 1
    assert sorted(call.state for call in stage.all(Dispatch)) == [
        DispatchState.QUEUED,
        DispatchState.SENT,
    ]


@pytest.mark.parametrize("answer", [b"[" * 9999, '{"id": "\u0661\u0662"}'.encode(), b'{"id": 7}', b"nonsense"])
def test_answer_of_a_receiver_that_makes_no_sense_is_no_message(
    stage: Stage, event: Event, receiver: Receiver, send: Send, answer: bytes
) -> None:
    stage.enter(event, "Ada", "Bo")
    hook_to(stage, event, receiver, WebhookKind.DISCORD)
    stage.publish(event, 1)
    receiver.answer = answer
    assert send()
    assert {call.posted for call in stage.all(Dispatch)} == {""}


def test_redirect_is_not_followed(stage: Stage, event: Event, receiver: Receiver, send: Send) -> None:
    hook = hook_to(stage, event, receiver)
    stage.do(event, try_webhook, hook)
    receiver.status, receiver.location = 307, f"{receiver.address}/elsewhere"
    assert [received.path for received in send()] == ["/hook"]
    assert stage.one(Dispatch).reason == "answered 307"


def test_desk_adds_tries_and_ends_a_webhook(app: Flask, olga: Person, stage: Stage, event: Event) -> None:
    assert "The operator must allow each host first" in olga.open(PAGE).part(".empty")
    old = app.extensions["overseer_settings"]
    app.extensions["overseer_settings"] = replace(old, webhooks=frozenset({"discord.com"}))
    page = olga.press("Add the webhook", at=PAGE, name="Channel", address="https://evil.example/x")
    assert (page.status, page.value("address")) == (422, "https://evil.example/x")
    assert "at one of these hosts: discord.com" in page.error_at("address")
    page = olga.press("Add the webhook", address="https://discord.com/x", also=["payment.changed"])
    assert "Only a program gets these" in page.error_at("also") and stage.all(Webhook) == []
    olga.press("Add the webhook", at=PAGE, name="Bot", kind="signed", address="https://discord.com/x",
               also=["payment.changed"])  # fmt: skip
    assert (stage.one(Webhook).also, "Payments" in olga.open(PAGE).part("#webhook-1")) == (["payment.changed"], True)
    olga.press("End")
    olga.press("Add the webhook", at=PAGE, name="Channel", address="https://discord.com/api/webhooks/1/secret-word")
    page = olga.open(PAGE)
    assert "secret-word" not in page.text and "discord.com/…" in page.text
    assert stage.journal(event, "add-webhook")[-1] == "Added the webhook Channel to discord.com"
    olga.press("Send a trial")
    assert "webhook.trial" in olga.open(PAGE).text
    olga.press("End")
    assert "Ended" in olga.open(PAGE).text and not olga.open(PAGE).soup.select("form[action$='/trial']")
    hook = stage.all(Webhook)[-1]
    for other in (f"/e/{stage.event('Rust Cup').slug}/desk/webhooks/{hook.id}/end", f"{PAGE}/99/end"):
        assert olga.post(other).status_code == 404
    archive = json.loads(olga.ask("GET", "/e/iron-open/desk/archive.json").data)
    assert "secret-word" not in json.dumps(archive) and hook.secret not in json.dumps(archive)


def test_only_those_who_change_settings_see_webhooks(stage: Stage, event: Event, enter: Enter, visitor: Person) -> None:
    (ada,) = enter(event, "Ada")
    for person in (visitor, ada):
        assert person.ask("GET", PAGE).status_code in (302, 403, 404)
