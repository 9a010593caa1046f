"""Attacks on sign-in, links and forms, by their numbers in docs/assurance/attacks.md; host names, proxies, HTTPS."""

import base64
import re
from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse, create_environ

from app import attach_database
from events.accounts import staff
from events.visitors.loading import private_link
from events.visitors.queries import is_link_of, link_token, new_sign_in
from events.web.http import is_near, is_ours, name_of
from events.web.parsing import name_key
from models.people import Account
from service.settings import Settings, read_proxies
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.profiles import every_nth
from tests.kit.secrets_planted import build, everything
from tests.kit.stage import PASSWORD, Clock, Event, Role, Stage
from tests.kit.statements import fetched, sent
from tests.kit.writing import give_mail, write_to

TOKENS = re.compile(r'name="csrf_token"[^>]*|content="[^"]{80,}"')
ELSEWHERE = (
    "//evil.example", "/\\evil.example", "/\t/evil.example", " //evil.example", "\r\n//evil.example",
    "https:evil.example", "https://evil.example", "//%09/evil.example", "%2f%2fevil.example", "/%5cevil.example",
    "//localhost@evil.example", "http://localhost.evil.example", "http://evil.example#localhost", "http:///evil.example",
    "javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
)  # fmt: skip
"""Addresses that lead to another site, as browsers or careless code read them."""


@pytest.mark.proves("attack 5", "G4")
@every_nth(9, 3)
def test_other_methods_and_headers_reveal_no_more_than_get(app: Flask, stage: Stage, step: int) -> None:
    world = build(app, stage)
    wanted = re.compile(r"/(me|awards|games/\d+|players/1/\w+.*|rounds/2.*|desk/lists/\d+)$")
    ways: tuple[tuple[str, dict[str, str]], ...] = (
        ("HEAD", {}), ("GET", {"Range": "bytes=0-9999"}), ("GET", {"If-None-Match": "*"}), ("OPTIONS", {}),
        ("GET", {"If-Modified-Since": "Fri, 01 Jan 2038 00:00:00 GMT"}), ("GET", {"X-Original-URL": "/"}),
    )  # fmt: skip
    asked = 0
    other, owner = world.people["other"], world.people["self"]
    for address in [*filter(wanted.search, world.addresses)][::step]:
        plain = other.ask("GET", address).status_code
        if plain not in (403, 404):
            continue
        tag = owner.ask("GET", address).headers.get("ETag", '"x"')
        for method, headers in (*ways, ("GET", {"If-None-Match": tag}), ("GET", {"If-Match": tag})):
            answer = other.http.open(address, method=method, headers=headers)
            asked += 1
            assert method == "OPTIONS" or answer.status_code == plain, (method, headers, address)
            shown = everything(answer)
            assert [text for text, may in world.secrets.values() if "other" not in may and text in shown] == []
    assert asked > 100 // step


@pytest.mark.proves("attack 13", "ASVS 8.4.1")
def test_draft_event_is_answered_like_no_event(app: Flask, stage: Stage) -> None:
    stage.hire(stage.event("Hidden Cup", draft=True), "An author", Role.OWNER)
    rust = stage.event("Rust Cup")
    judge = stage.hire(rust, "Jo", Role.JUDGE)
    people = [Person(app), Person(app), let_in(app, judge)]
    people[1].open(f"/p/{link_token(app.secret_key, stage.enter(rust, 'Eve')[0])}")
    for person in people:
        token = str(person.open("/sign-in").value("csrf_token"))
        for page in ("", "/standings", "/players/1", "/desk", "/me", "/app.webmanifest", "/version", "/register"):
            method = "POST" if page == "/register" else "GET"
            answers = []
            for slug in ("hidden-cup", "nobody-cup"):
                engine = app.extensions["overseer_engine"]
                with sent(engine) as statements, fetched(engine) as rows:
                    answer = person.ask(method, f"/e/{slug}{page}", {"csrf_token": token} if method == "POST" else None)
                body = TOKENS.sub("", answer.text).replace(slug, "SLUG")
                answers.append((answer.status_code, body, len(statements), len(rows), sorted(answer.headers.keys())))
            assert answers[0] == answers[1], page
            assert answers[0][0] == 404


@pytest.mark.proves("attack 19")
def test_look_alike_account_cannot_access_the_other(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    def accounts() -> list[tuple[str, str, bool]]:
        return [(account.password_hash, account.session_key, account.runs_club) for account in stage.all(Account)]

    (before,) = accounts()
    for name in (" olga", "Ｏｌｇａ", "O\u200blga", "olg\u0430", "Olga."):
        _, token = stage.do(event, staff.invite, Role.JUDGE, stage.all(Account)[0])
        thief, others = Person(app), len(accounts())
        thief.open(f"/i/{token}")
        page = thief.press("Create account and accept", **{"n-name": name, "n-password": "a password of mine"})
        same = name_key(name) == name_key("Olga")
        assert page.status == (422 if same else 200), name
        assert (accounts()[0], len(accounts())) == (before, others if same else others + 1), name
        assert thief.open("/e/iron-open/desk/staff").status == 403, name
    assert olga.open("/e/iron-open/desk/staff").status == 200


@pytest.mark.proves("attack 22", "ASVS 9.1.1", "ASVS 14.2.1")
def test_private_link_with_any_letter_changed_is_refused(app: Flask, stage: Stage) -> None:
    ada, bo = stage.enter(stage.event(), "Ada", "Bo")
    token = link_token(app.secret_key, ada)
    assert len(base64.urlsafe_b64decode(token.rpartition(".")[2] + "==")) * 8 >= 128
    letters = "abcXYZ019-_.~ é\x00"
    altered = [
        token[:n] + letter + token[n + 1 :] for n in range(len(token)) for letter in letters if token[n] != letter
    ]
    altered += [token[:n] for n in range(len(token))] + [token + letter for letter in letters]
    altered += [token.upper(), link_token("another secret", ada)]
    players = (ada, bo)
    assert [text for text in altered for player in players if is_link_of(app.secret_key, text, player)] == []
    assert is_link_of(app.secret_key, token, ada), "the control"
    assert not is_link_of("another secret", token, ada)
    forged = link_token(app.secret_key, bo).rpartition(".")[0] + "." + token.rpartition(".")[2]
    phone = Person(app)
    assert phone.open(f"/p/{forged}").status == 404
    answer = phone.ask("GET", f"/p/{token}")
    assert (answer.status_code, answer.location) == (302, "/e/iron-open/me"), "no token in the address bar"
    assert answer.headers["Referrer-Policy"] in ("same-origin", "no-referrer")


@pytest.mark.proves("attack 24", "ASVS 9.2.2")
def test_tokens_work_only_for_their_own_purpose(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    invitation = stage.do(event, staff.invite, Role.JUDGE, stage.one(Account))[1]
    set_up = stage.set_up_link().removeprefix("/set-up/")
    cookie = olga.http.get_cookie("overseer")
    assert cookie is not None
    code = stage.publish(event, 1)[0].code
    tokens = {"/p/": link_token(app.secret_key, ada), "/i/": invitation, "/set-up/": set_up, "/g/": code,
              "cookie": cookie.value, "csrf": str(olga.open("/sign-in").value("csrf_token"))}  # fmt: skip
    before = stage.digest(leave_out="sign_in_attempt")  # wrong sheet codes are counted
    for kind, token in tokens.items():
        for entry in ("/p/", "/i/", "/set-up/", "/g/"):
            person = Person(app)
            assert (person.ask("GET", entry + token).status_code == 404) is (kind != entry), (kind, entry)
        person = Person(app)
        person.http.set_cookie("overseer", token)
        assert (person.open("/desk").path == "/desk") is (kind == "cookie"), kind
        assert person.open("/e/iron-open/me").status == 403
    assert stage.digest(leave_out="sign_in_attempt") == before


@pytest.mark.proves("attack 25", "ASVS 3.7.2")
def test_no_field_and_no_header_redirects_to_another_site(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    names = ("next", "back", "to", "url", "redirect", "return", "continue", "did", "go")
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    led: list[TestResponse] = []

    def send(person: Person, address: str, elsewhere: str, **fields: str) -> None:
        token = str(person.open("/sign-in").value("csrf_token"))
        sent = fields | {"csrf_token": token} | dict.fromkeys(names, elsewhere)
        query, headers = dict.fromkeys(names, elsewhere), {"Referer": re.sub(r"[^!-~]", "", elsewhere)}
        led.append(person.http.post(address, data=sent, query_string=query, headers=headers))

    for n, elsewhere in enumerate(ELSEWHERE):
        send(olga, "/e/iron-open/desk/clock/1/start", elsewhere)
        send(olga, "/e/iron-open/desk/players/1/check-in", elsewhere)
        if n % 5 == 0:
            send(Person(app), "/sign-in", elsewhere, name="Olga", password=PASSWORD)
            send(Person(app), "/sign-out", elsewhere)
            send(olga, "/e/iron-open/desk/ready/check-in", elsewhere, chosen="1")
    assert [(response.request.path, response.location) for response in led if not local(response)] == []
    assert all(response.status_code == 302 for response in led), {
        (response.request.path, response.status_code) for response in led
    }


def local(answer: TestResponse) -> bool:
    found = urlsplit(answer.location or "/")
    return not found.scheme and not found.netloc and re.match(r"/($|[\w-])", answer.location or "/") is not None


@pytest.mark.proves("attack 26", "ASVS 3.5.1", "ASVS 3.5.3")
def test_form_is_accepted_only_as_a_posted_body(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    (ada, _) = stage.enter(event, "Ada", "Bo")
    token = str(olga.open("/sign-in").value("csrf_token"))
    address = f"/e/iron-open/desk/players/{ada.id}/drop"
    with stage.unchanged():
        sent: list[tuple[str, dict[str, Any]]] = [
            ("POST", {"query_string": {"csrf_token": token}}),
            ("POST", {"data": f'{{"csrf_token": "{token}"}}', "content_type": "text/plain"}),
            ("POST", {"json": {"csrf_token": token}}),
            ("GET", {"query_string": {"csrf_token": token, "_method": "POST"},
                     "headers": {"X-HTTP-Method-Override": "POST"}}),
            ("HEAD", {"query_string": {"csrf_token": token}}),
            *((method, {"data": {"csrf_token": token}}) for method in ("PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")),
        ]  # fmt: skip
        for method, how in sent:
            answer = olga.http.open(address, method=method, **how)
            assert answer.status_code == (400 if method == "POST" else 405), (method, how)
    assert olga.http.post(address, data={"csrf_token": token}).status_code == 302, "the control"
    assert stage.now(ada).state == "dropped"


@pytest.mark.proves("attack 26")
def test_post_of_another_sites_page_is_refused_even_with_a_valid_token(
    olga: Person, event: Event, stage: Stage
) -> None:
    (ada, _) = stage.enter(event, "Ada", "Bo")
    token = str(olga.open("/sign-in").value("csrf_token"))
    address = f"/e/iron-open/desk/players/{ada.id}/drop"
    home = "http://localhost"
    with stage.unchanged():
        for headers in (
            {"Sec-Fetch-Site": "cross-site", "Origin": home},
            {"Sec-Fetch-Site": "same-site"},
            {"Origin": "https://other.example"},
            {"Origin": "http://localhost.other.example"},
            {"Origin": "http://localhost:8080"},
            {"Origin": "http://localhost:x"},
            {"Origin": "null"},
        ):
            assert olga.http.post(address, data={"csrf_token": token}, headers=headers).status_code == 403, headers
    for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": home}):
        assert olga.http.post(address, data={"csrf_token": token}, headers=headers).status_code == 302, headers


@pytest.mark.proves("attack 26")
@pytest.mark.parametrize(
    ("public", "host", "own", "other"),
    [
        ("", "hall.local", "http://hall.local", "http://hall.local:8080"),
        ("", "hall.local:8000", "http://HALL.local:8000", "http://hall.local"),
        ("", "hall.local:443", "https://hall.local", "https://hall.local:444"),
        ("", "192.0.2.1:8000", "http://192.0.2.1:8000", "http://192.0.2.1:8001"),
        ("", "[::1]:8000", "http://[::1]:8000", "http://[::1]:8001"),
        ("https://club.example", "club.example", "https://club.example", "https://club.example:8443"),
        ("https://club.example:8443", "club.example:8443", "https://club.example:8443", "https://club.example"),
        ("https://club.example", "127.0.0.1:8000", "https://club.example", "https://club.example:8000"),
    ],
)  # fmt: skip
def test_post_of_a_page_on_another_port_is_refused_and_those_through_proxies_pass(
    app: Flask, settings: Settings, engine: Engine, clock: Clock, public: str, host: str, own: str, other: str
) -> None:
    """The last one is a proxy that passes on its own upstream as host. Forwarding headers change nothing."""
    hosts = frozenset(filter(None, [urlsplit(public).hostname]))
    attach_database(app, replace(settings, public=public, hosts=hosts), engine, clock)
    forwarded = {"X-Forwarded-Host": "elsewhere.example", "X-Forwarded-Port": "8443", "X-Forwarded-Proto": "https"}
    for origin, status in ((own, 400), (other, 403)):
        headers = {"Host": host, "Origin": origin} | forwarded
        assert app.test_client().post("/sign-in", headers=headers).status_code == status, origin


@pytest.mark.proves("attack 14")
def test_deleted_mail_address_is_stored_nowhere(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    (ada,) = stage.enter(event, "Ada")
    give_mail(stage, event, ada)
    write_to(stage, event)
    phone = Person(app)
    phone.open(f"/p/{link_token(app.secret_key, ada)}")
    files = [f"/e/iron-open/desk/{page}" for page in ("archive.json", "journal.csv", "players/1/mail")]
    assert "ada@mail.example" in "".join(stage.stored_rows()), "the control"
    assert "ada@mail.example" in olga.ask("GET", files[-1]).text
    assert phone.press("Delete the address", at="/e/iron-open/me/mail").status == 200
    assert [row for row in stage.stored_rows() if "ada@mail" in row] == []
    assert [page for page in files if "ada@mail" in everything(olga.ask("GET", page))] == []


DESK = "https://desk.example.org"


@pytest.fixture
def public(app: Flask, settings: Settings, engine: Engine, clock: Clock) -> Flask:
    """The service at an HTTPS address, behind one proxy."""
    hosts, proxies = frozenset({"desk.example.org"}), (ip_network("127.0.0.1"),)
    attach_database(app, replace(settings, public=DESK, hosts=hosts, proxies=proxies), engine, clock)
    return app


@pytest.mark.proves("attack 16")
def test_only_our_own_host_names_are_accepted(public: Flask, stage: Stage, settings: Settings) -> None:
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
    with stage.unchanged():
        client = public.test_client()
        for method in ("GET", "POST", "HEAD", "OPTIONS"):
            for host in ("evil.example", "desk.example.org@evil.example", "192.168.1.5"):
                answer = client.open("/", method=method, headers={"Host": host})
                assert (answer.status_code, answer.headers["X-Content-Type-Options"]) == (400, "nosniff")
                assert host not in answer.text and "overseer" not in answer.headers.get("Set-Cookie", "")
        spoofed = {"X-Forwarded-Host": "evil.example", "X-Host": "evil.example", "Forwarded": "host=evil.example",
                   "X-Forwarded-Proto": "http", "X-Forwarded-Prefix": "/evil", "Host": "desk.example.org"}  # fmt: skip
        answer = client.get("/", headers=spoofed)
        assert (answer.status_code, "evil" in answer.text) == (200, False)


@pytest.mark.proves("attack 16")
def test_links_use_the_configured_address_or_else_that_of_the_request(
    public: Flask, stage: Stage, event: Event, settings: Settings
) -> None:
    account, (ada,) = stage.set_up("Olga"), stage.enter(event, "Ada")
    client = public.test_client()
    with client.session_transaction(base_url=DESK) as session:
        session["organiser"] = new_sign_in(account.id, account.session_key, datetime.now(UTC))
    page = client.get("/e/iron-open/desk", base_url=DESK)
    assert f"{DESK}/e/iron-open<" in page.text or f'{DESK}/e/iron-open"' in page.text
    with public.test_request_context("/", base_url="http://localhost"):
        assert private_link(ada).startswith(f"{DESK}/p/")
    public.extensions["overseer_settings"] = settings  # without a public address
    with public.test_request_context("/", base_url="http://desk.local:8000"):
        assert private_link(ada).startswith("http://desk.local:8000/p/")


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


def cookies_of(client: FlaskClient, here: str) -> dict[str, set[str]]:
    """The attributes of the cookies that Olga gets when she signs in at this address."""
    page = client.get("/sign-in", base_url=here).text
    token = page.partition('name="csrf_token" type="hidden" value="')[2].partition('"')[0]
    sent = {"name": "Olga", "password": PASSWORD, "csrf_token": token}
    answer = client.post("/sign-in", base_url=here, headers={"Referer": f"{here}/sign-in"}, data=sent)
    assert answer.status_code == 302, answer.text
    assert client.get("/desk", base_url=here).status_code == 200
    parts = [cookie.split(";") for cookie in answer.headers.getlist("Set-Cookie")]
    return {first.partition("=")[0]: {word.strip().lower() for word in rest} for first, *rest in parts}


@pytest.mark.proves("ASVS 3.3.1", "ASVS 3.3.2", "ASVS 3.3.4", "ASVS 3.4.1")
def test_only_https_sends_hsts_and_secure_cookies(
    public: Flask, stage: Stage, settings: Settings, engine: Engine, clock: Clock
) -> None:
    stage.set_up("Olga")
    client, always = public.test_client(), {"httponly", "samesite=lax", "path=/"}
    for address in ("/", "/sign-in", "/nothing", "/static/overseer.css", "/healthz"):
        answer = client.get(address, base_url=DESK, buffered=True)
        assert answer.headers["Strict-Transport-Security"] == "max-age=63072000; includeSubDomains", address
    for name, words in cookies_of(client, DESK).items():
        assert name.startswith("__Host-overseer") and {"secure", *always} <= words, name
        assert not any(word.startswith("domain") for word in words)
    attach_database(public, settings, engine, clock)
    client = public.test_client()
    for words in cookies_of(client, "http://localhost").values():
        assert "secure" not in words and always <= words
    assert "Strict-Transport-Security" not in client.get("/sign-in").headers
