"""Checks before every page: host names, forwarded addresses, and HTTPS."""

from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest
from flask import Flask
from sqlalchemy import Engine
from werkzeug.test import create_environ

from app import put_over
from events.accounts.loading import private_link
from events.accounts.queries import new_sign_in
from events.web.http import is_near, is_ours, name_of
from models.event import Event
from service.settings import Settings, read_proxies
from tests.conftest import Clock
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage

pytestmark = pytest.mark.fast

DESK = "https://desk.example.org"


@pytest.fixture
def public(app: Flask, settings: Settings, engine: Engine, clock: Clock) -> Flask:
    """The service at an HTTPS address, behind one proxy."""
    hosts, proxies = frozenset({"desk.example.org"}), (ip_network("127.0.0.1"),)
    put_over(app, replace(settings, public=DESK, hosts=hosts, proxies=proxies), engine, clock)
    return app


@pytest.mark.proves("attack 16")
def test_only_our_own_host_names_are_accepted(settings: Settings) -> None:
    for header, name in (("desk.example.org", "desk.example.org"), ("Desk.Example.ORG.:443", "desk.example.org"),
                         ("127.0.0.1:8000", "127.0.0.1"), ("[::1]:8000", "::1")):  # fmt: skip
        assert name_of(header) == name
    for wrong in ("", "a b", "desk.example.org@evil.example", "desk.example.org/x", "desk.example.org:80:80",
                  "desk.example.org\r\nX: y", "desk.example.org,evil.example", "dеsk.example.org",
                  "x" * 300):  # fmt: skip
        assert name_of(wrong) == "", wrong
    hall = ("localhost", "127.0.0.1", "192.168.1.5", "fe80::1", "laptop", "laptop.local", "desk.lan")
    foreign = ("evil.example", "desk.example.org.evil.example", "local", "", "192.168.1.5.evil.example", "x.locale")
    assert [host for host in hall if not is_ours(host, settings)] == []
    assert [host for host in foreign if is_ours(host, settings)] == ["local"], "a name without a dot is of this network"
    assert is_near("desk.club.example", "desk.club.example") and not is_near("desk.club.example", "laptop")
    known = replace(settings, public=DESK, hosts=frozenset({"desk.example.org", "192.168.1.5"}))
    assert [host for host in (*hall, *foreign, "desk.example.org") if is_ours(host, known)] == [
        "localhost", "127.0.0.1", "192.168.1.5", "desk.example.org",
    ]  # fmt: skip


@pytest.mark.proves("attack 16")
def test_request_for_a_foreign_host_name_gets_no_page(public: Flask, stage: Stage) -> None:
    before = stage.digest()
    client = public.test_client()
    for method in ("GET", "POST", "HEAD", "OPTIONS"):
        for host in ("evil.example", "desk.example.org@evil.example", "192.168.1.5"):
            answer = client.open("/", method=method, headers={"Host": host})
            assert answer.status_code == 400
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert host not in answer.text and "overseer" not in answer.headers.get("Set-Cookie", "")
    spoofed = {"X-Forwarded-Host": "evil.example", "X-Host": "evil.example", "Forwarded": "host=evil.example",
               "X-Forwarded-Proto": "http", "X-Forwarded-Prefix": "/evil", "Host": "desk.example.org"}  # fmt: skip
    answer = client.get("/", headers=spoofed)
    assert (answer.status_code, "evil" in answer.text) == (200, False)
    assert stage.digest() == before


@pytest.mark.proves("attack 16")
def test_links_use_the_configured_address(public: Flask, stage: Stage, event: Event) -> None:
    """Even if the request used another name."""
    account, (ada,) = stage.set_up("Olga"), stage.enter(event, "Ada")
    client = public.test_client()
    with client.session_transaction(base_url=DESK) as session:
        session["organiser"] = new_sign_in(account.id, account.session_key, datetime.now(UTC))
    page = client.get("/e/iron-open/desk", base_url=DESK)
    assert f"{DESK}/e/iron-open<" in page.text or f'{DESK}/e/iron-open"' in page.text
    with public.test_request_context("/", base_url="http://localhost"):
        assert private_link(ada).startswith(f"{DESK}/p/")


@pytest.mark.proves("attack 20", "ASVS 4.1.3", "ASVS 15.3.4")
def test_forwarded_address_counts_only_from_a_trusted_proxy(app: Flask, settings: Settings) -> None:
    """The peer, X-Forwarded-For, OVERSEER_PROXIES, and the resulting client address."""
    cases = [
        ("10.0.0.1", "1.2.3.4", "", "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4", "10.0.0.2", "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4", "10.0.0.1", "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4", "192.0.2.1, 10.0.0.0/8", "1.2.3.4"),
        ("::ffff:10.0.0.1", "2001:db8::1", "10.0.0.1", "2001:db8::1"),
        ("10.0.0.1", "", "10.0.0.1", "10.0.0.1"),
        ("", "1.2.3.4", "10.0.0.1", ""),
        ("", "1.2.3.4", "unix", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4", "unix", "10.0.0.1"),
        ("no address", "1.2.3.4", "0.0.0.0/0", "no address"),
    ]
    for peer, forwarded, proxies, client in cases:
        app.extensions["overseer_settings"] = replace(settings, proxies=read_proxies(proxies))
        sent = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": forwarded, "HTTP_X_FORWARDED_HOST": "evil.example"}
        environ = create_environ("/healthz", environ_base=sent)
        assert list(app.wsgi_app(environ, lambda *_: lambda _: None))
        assert (environ["REMOTE_ADDR"], environ["HTTP_HOST"]) == (client, "localhost"), (peer, forwarded, proxies)


@pytest.mark.proves("ASVS 3.3.1", "ASVS 3.3.2", "ASVS 3.3.4", "ASVS 3.4.1")
def test_https_sends_hsts_and_secure_cookies(public: Flask, stage: Stage) -> None:
    stage.set_up("Olga")
    client = public.test_client()
    for address in ("/", "/sign-in", "/nothing", "/static/overseer.css", "/healthz"):
        answer = client.get(address, base_url=DESK, buffered=True)
        assert answer.headers["Strict-Transport-Security"] == "max-age=63072000; includeSubDomains", address
    page = client.get("/sign-in", base_url=DESK).text
    token = page.partition('name="csrf_token" type="hidden" value="')[2].partition('"')[0]
    answer = client.post(
        "/sign-in", base_url=DESK, headers={"Referer": f"{DESK}/sign-in"},
        data={"name": "Olga", "password": PASSWORD, "csrf_token": token},
    )  # fmt: skip
    assert answer.status_code == 302, answer.text
    for cookie in answer.headers.getlist("Set-Cookie"):
        words = {word.strip().lower() for word in cookie.split(";")[1:]}
        assert cookie.startswith("__Host-overseer"), cookie
        assert {"secure", "httponly", "samesite=lax", "path=/"} <= words, cookie
        assert not any(word.startswith("domain") for word in words)
    assert client.get("/desk", base_url=DESK).status_code == 200


@pytest.mark.proves("ASVS 3.3.2", "ASVS 3.3.4")
def test_cookie_works_without_https(app: Flask, stage: Stage, visitor: Person) -> None:
    stage.set_up("Olga")
    visitor.open("/sign-in")
    visitor.press("Sign in", name="Olga", password=PASSWORD)
    (login,) = visitor.page.response.history
    for cookie in login.headers.getlist("Set-Cookie"):
        words = {word.strip().lower() for word in cookie.split(";")[1:]}
        assert "secure" not in words and {"httponly", "samesite=lax", "path=/"} <= words
    assert "Strict-Transport-Security" not in login.headers
    assert visitor.open("/desk").path == "/desk"
