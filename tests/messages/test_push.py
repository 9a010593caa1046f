"""Pushes go only to public hosts, and slow push services delay no others."""

import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from events.messages.devices import is_endpoint
from events.messages.dispatching import LOST_AFTER
from events.messages.outgoing import is_public, public_address
from events.messages.push import KNOWN, Pusher, is_known
from models.dispatch import Device
from tests.kit.push_service import PushService, decoded, decrypted, push_service


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as service:
        yield service


def pusher_to(address: str = "", seconds: float = 5.0) -> Pusher:
    """A pusher that may also connect to this address of a test's push service."""
    return Pusher("a secret for tests, of enough characters", "mailto:desk@localhost", address, seconds)


def push(pusher: Pusher, service: PushService, endpoint: str, title: str = "x") -> str:
    """Push to a browser with this address; returns the outcome."""
    now, keys = datetime.now(UTC), service.browser("Ada")
    device = Device(player_id=1, endpoint=endpoint, p256dh=keys["p256dh"], auth=keys["auth"], added_at=now)
    return pusher.send(device, {"title": title}, LOST_AFTER, now).value


def test_receiver_of_these_tests_reads_the_example_of_the_standard() -> None:
    """RFC 8291, 5: what follows was sent to a browser with this private key and secret."""
    private = int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    sent = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    content = decrypted(
        decoded(sent), ec.derive_private_key(private, ec.SECP256R1()), decoded("BTBZMqHH6r4Tts7J_aSIgg")
    )
    assert content == b"When I grow up, I want to be a watermelon"


def test_device_reads_its_push_in_any_script(service: PushService) -> None:
    text = "Тур 2, 表 7, " + "é" * 300
    pusher = pusher_to(service.address)
    assert push(pusher, service, service.browser("Ada")["endpoint"], text) == "taken"
    assert service.arrived == [("Ada", {"title": text})]
    pusher.close()


@pytest.mark.proves("attack 49")
def test_only_public_addresses_are_called(service: PushService) -> None:
    local = ("127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.9", "169.254.169.254", "100.64.0.1", "0.1.2.3",
             "::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "224.0.0.1",
             "ff02::1")  # fmt: skip
    assert [text for text in local if is_public(text)] == []
    assert is_public("8.8.8.8") and is_public("2606:4700:4700::1111")
    for address in ("https://localhost.localdomain/x", service.browser("x")["endpoint"]):
        assert push(pusher_to(), service, address) in ("never", "later"), "never, or no such name here"
    assert service.asked == []


@pytest.mark.parametrize(
    "host",
    ["a..b", f"{'a' * 64}.example.com", "127.1", "0x7f.1", "0x7f000001.0x1", "1.2.3.4.", "-a.example", "a-.example",
     "a_b.example", "localhost", f"{'a.' * 130}example"],
)  # fmt: skip
def test_address_whose_host_has_no_possible_name_is_refused(host: str) -> None:
    assert not is_endpoint(f"https://{host}/x", "")
    with pytest.raises(PermissionError):
        public_address(host, 443)
    assert is_endpoint("https://xn--bcher-kva.example/x", "") and is_endpoint("https://a.b:443/x", "")


def address_of(server: socket.socket) -> str:
    return f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.proves("attack 49")
def test_slow_push_services_of_players_delay_no_others(service: PushService) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = address_of(silent)
        pusher, began = pusher_to(address, 0.2), time.monotonic()
        for number in range(20):
            pusher.connections.silent.clear()  # as if each had a host of its own
            assert push(pusher, service, f"{address}/{number}") == "later"
        assert time.monotonic() - began < 2
    pusher.connections.plain = {service.address}
    pusher.allowed, own = service.address, service.browser("Ada")["endpoint"]
    assert push(pusher, service, own) == "later", "the share of this pass is used up"
    pusher.known, pusher.connections.seconds = (".127.0.0.1",), 5
    assert push(pusher, service, own) == "taken"
    pusher.close()


def test_push_service_that_does_not_answer_gets_one_push_in_a_pass(service: PushService) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = address_of(silent)
        pusher = pusher_to(address, 0.2)
        pusher.known = (".127.0.0.1",)
        assert {push(pusher, service, f"{address}/{number}") for number in range(20)} == {"later"}
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()
    pusher.allowed, pusher.connections.plain = service.address, {service.address}
    assert push(pusher, service, service.browser("Ada")["endpoint"]) == "taken"
    pusher.close()


def test_push_that_raises_anything_ends_no_pass(service: PushService) -> None:
    for odd in ("https://a..b/x", f"https://{'a' * 64}.example.com/x", "https://[::1/x", "https://xn--.com/",
                "https://a.b\\c/x", "https://127.1/", "https://a.b/%0d%0aX:y", "https://a.b:٣/x"):  # fmt: skip
        assert push(pusher_to(), service, odd) in ("never", "later"), odd
    pusher = pusher_to(f"{service.address}\u0100")
    assert push(pusher, service, f"{service.address}\u0100/x") == "never"


def test_known_push_services_are_those_of_browsers() -> None:
    assert is_known("fcm.googleapis.com", KNOWN) and is_known("wns2-par02p.notify.windows.com", KNOWN)
    for other in ("fcm.googleapis.com.thief.example", "thiefs-fcm.googleapis.com", "fcm.googleapis.com.", ""):
        assert not is_known(other, KNOWN), other
