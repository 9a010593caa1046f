"""Hostile requests to every route by every kind of user, mostly altered forms. No errors, no slow answers."""

import gc
import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from app import attach_database
from events.visitors.loading import private_path
from models.db import open_engine
from models.event import Event
from models.people import Account
from service.settings import Settings
from tests.chaos.acts import LONG_AGO
from tests.chaos.broken import build
from tests.chaos.hostile import FILES, NAMES, PARTS, Field, body_of, spoilt, value
from tests.chaos.outcome import Lab, Outcome, Size, broken_invariants
from tests.conftest import Clock
from tests.kit.every_page import STAFF, addresses, made
from tests.kit.people import let_in
from tests.kit.person import Person, controls
from tests.kit.stage import Player, Stage

WHO = (*STAFF, "player", "opponent", "visitor")
OFTEN = (8, 2, 1, 5, 2, 1)
"""The relative number of requests of each: owners and players can reach the most pages."""
TAKEN = {200, 302, 303, 304, 308, 400, 401, 403, 404, 405, 409, 413, 415, 416, 422, 429}
"""The accepted statuses."""
MOST_SECONDS = 2.0
"""The most processor seconds for one answer; other work on the machine does not count."""
REQUESTS: dict[Size, int] = {"short": 60, "full": 50_000}
"""The number of requests for each kind of database."""
LONGER = 10
"""A broken build gets up to this many times the requests, because few requests are posts that a form checks."""
LEAVE = "/sign-out"
METHODS = ("GET",) * 60 + ("HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "PATCH")
Cookie = tuple[str, str]
AT_ONCE = 400
"""The number of requests to one copy of the events, whose rows are checked afterwards."""
Answer = TestResponse | None
HEADERS: tuple[dict[str, str], ...] = (
    {}, {}, {}, {}, {"X-Outbox": "1"}, {"X-Requested-With": "fetch"}, {"Range": "bytes=0-9"},
    {"If-None-Match": 'W/"x"'}, {"Accept-Encoding": "gzip"}, {"Accept-Language": "\u00e9" * 3000},
    {"X-Forwarded-For": "1.2.3.4'--"}, {"Content-Type": "application/json"}, {"Content-Type": "text/plain"},
    {"Referer": "//mail.example"}, {"X-HTTP-Method-Override": "DELETE"}, {"X-Outbox": "1", "X-Outbox-Key": "k" * 40},
)  # fmt: skip
ASKED = ("after", "order", "paper", "table", "player", "q", "show", "round", "seed", "state", "template", "to", "shape",
         "each", "count", "copy", "against", "start", "code", "side", "words", "scenario", "page", "open")  # fmt: skip


class Heard(logging.Handler):
    """Keeps the last error in the application's log."""

    last = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.levelno >= logging.ERROR:
            self.last = " | ".join(self.format(record).strip().splitlines()[-5:])


@dataclass
class Run(Outcome):
    """The outcome so far, the random numbers, and the known names of fields."""

    dice: Random = field(default_factory=Random)
    names: list[str] = field(default_factory=lambda: ["name", "id", "event_id", *ASKED])
    """The names of fields found in pages."""
    heard: Heard = field(default_factory=Heard)


@dataclass(frozen=True)
class Somebody:
    """A user: a client with cookies, and the CSRF token of its forms."""

    name: str
    client: FlaskClient
    token: str


def ask(run: Run, who: Somebody, method: str, address: str, headers: dict[str, str], data: bytes = b"") -> Answer:
    """Send one request and check the answer; None if the test client cannot send it."""
    began = time.process_time()
    try:
        answer = who.client.open(address, method=method, buffered=True, data=data, headers=headers)
    except UnicodeError:
        return None
    taken = time.process_time() - began
    run.counts["requests"] += 1
    run.counts[f"answered {answer.status_code}"] += 1
    run.counts["slowest answer in ms"] = max(run.counts["slowest answer in ms"], round(1000 * taken))
    what = f"{who.name}: {method} {address[:200]} {headers} {data[:1500]!r}"
    if answer.status_code not in TAKEN:
        run.wrong.append(f"{answer.status_code} to {what}: {run.heard.last}")
    if taken > MOST_SECONDS:
        run.wrong.append(f"{taken:.1f} s for {what}")
    if "default-src 'self'" not in answer.headers.get("Content-Security-Policy", ""):
        run.wrong.append(f"no policy: {what}")
    if b"Traceback (most" in answer.data:
        run.wrong.append(f"a trace: {what}")
    return answer


@contextmanager
def served(app: Flask, settings: Settings, url: str, clock: Clock) -> Iterator[Engine]:
    engine = open_engine(url)
    attach_database(app, settings, engine, clock)
    try:
        yield engine
    finally:
        engine.dispose()


def form_fields(form: Tag, dice: Random) -> list[Field]:
    """The fields that a browser sends for an unchanged form, with one of its buttons and a file in each file field."""
    fields = [Field(name, text) for name, text in controls(form)]
    buttons = [tag for tag in form.find_all("button") if tag.get("name")]
    if buttons:
        pressed = dice.choice(buttons)
        fields.append(Field(str(pressed["name"]), str(pressed.get("value", ""))))
    for place in form.find_all("input", type="file"):
        fields.append(Field(str(place["name"]), dice.choice(FILES), dice.choice(NAMES)))
    return fields


def hostile_address(address: str, dice: Random, names: list[str]) -> str:
    """The address with a part of its path changed, or with an extra query argument."""
    if dice.random() < 0.5:
        parts = address.split("/")
        if len(parts) > 2:
            parts[dice.randrange(2, len(parts))] = dice.choice(PARTS)
        return "/".join(parts)
    body, _ = body_of([Field(dice.choice([*names, *ASKED]), value(dice))], multipart=False)
    return f"{address}{'&' if '?' in address else '?'}{body.decode()}"


def step(run: Run, who: Somebody, pages: list[list[str]], presses: list[list[str]]) -> None:
    """Open a page and submit its forms with altered fields, or post made-up fields."""
    dice, headers, kind = run.dice, run.dice.choice(HEADERS), run.dice.random()
    if kind < 0.15:
        fields = [Field("csrf_token", who.token), *(Field(dice.choice(run.names), value(dice)) for _ in range(3))]
        post(run, who, dice.choice(dice.choice(presses)), fields, headers)
        return
    address = dice.choice(dice.choice(pages))
    if kind < 0.4:
        address = hostile_address(address, dice, run.names)
    method = dice.choice(METHODS)
    answer = ask(run, who, method, address, headers)
    if answer is None or method != "GET" or answer.mimetype != "text/html" or answer.content_encoding:
        return
    forms = [tag for tag in BeautifulSoup(answer.text, "html.parser").find_all("form") if tag.get("action") != LEAVE]
    for form in dice.sample(forms, min(3, len(forms))):
        fields = form_fields(form, dice)
        run.names = sorted({*run.names, *(a_field.name for a_field in fields)})
        action = str(form.get("action") or address)
        if str(form.get("method", "get")).lower() == "post":
            post(run, who, action, spoilt(fields, dice, run.names), headers)
        else:
            body, _ = body_of(spoilt(fields, dice, run.names), multipart=False)
            ask(run, who, "GET", f"{action.partition('?')[0]}?{body.decode()}", headers)


def post(run: Run, who: Somebody, address: str, fields: list[Field], headers: dict[str, str]) -> None:
    """Post the fields, sometimes truncated, and follow a redirect."""
    multipart = any(a_field.file is not None for a_field in fields) or run.dice.random() < 0.05
    body, kind = body_of(fields, multipart=multipart)
    if run.dice.random() < 0.02:
        body = body[: run.dice.randrange(len(body) + 1)]
    answer = ask(run, who, "POST", address, {"Content-Type": kind} | headers, body)
    if answer is not None and answer.status_code in (302, 303):
        there = urlsplit(answer.headers["Location"])
        run.counts["posts that were taken"] += 1
        if there.netloc not in ("", "localhost"):
            run.wrong.append(f"led to {there.geturl()} by {address} {body[:500]!r}")
        ask(run, who, "GET", there.path, {})


def arrive(app: Flask, stage: Stage) -> dict[str, list[Cookie]]:
    """Sign every user in, or open their private links; returns the cookies of each."""
    kept: dict[str, list[Cookie]] = {}
    for place, name in enumerate(WHO):
        person = let_in(app, stage.one(Account, name=name)) if name in STAFF else Person(app)
        person.open("/sign-in")
        if name in ("player", "opponent"):
            for event in stage.all(Event):
                for player in stage.all(Player, event_id=event.id)[place % 2 :][:1]:
                    with app.test_request_context("/"):
                        link = private_path(player)
                    assert person.open(link).path == f"/e/{event.slug}/me"
        found = (person.http.get_cookie(one) for one in ("overseer", "__Host-overseer"))
        kept[name] = [(cookie.key, cookie.value) for cookie in found if cookie is not None]
    return kept


def comes(app: Flask, name: str, cookies: list[Cookie]) -> Somebody:
    """A user with these cookies and a new token."""
    person = Person(app)
    for key, kept in cookies:
        person.http.set_cookie(key, kept)
    return Somebody(name, person.http, str(person.open("/verify").value("csrf_token")))


def fuzz(app: Flask, settings: Settings, lab: Lab) -> Outcome:
    """Send the size's number of requests to copies of a database."""
    run, clock, prepared = Run(dice=Random(lab.seed)), Clock(LONG_AGO), lab.fresh()
    most = REQUESTS[lab.size] * (LONGER if lab.broken else 1)
    with served(app, settings, prepared, clock) as engine:
        stage = Stage(engine, clock)
        events = made(stage)
        pages = by_endpoint(addresses(app, stage, events))
        presses = by_endpoint(addresses(app, stage, events, "POST"))
        cookies = arrive(app, stage)
        stage.s.close()
    log = logging.getLogger("overseer")
    log.addHandler(run.heard)
    gc.disable()  # as in a worker: collecting the garbage of many requests does not count as one answer's time
    try:
        with build(lab.broken):
            while run.counts["requests"] < most and not (lab.broken and run.wrong):
                gc.collect()
                with served(app, settings, lab.copied(prepared), clock) as engine:
                    people = [comes(app, name, cookies[name]) for name in WHO]
                    end = min(run.counts["requests"] + AT_ONCE, most)
                    while run.counts["requests"] < end and not (lab.broken and run.wrong):
                        step(run, run.dice.choices(people, OFTEN)[0], pages, presses)
                    run.wrong += [f"afterwards: {what}" for what in broken_invariants(engine)]
                    run.counts["copies whose rows were checked"] += 1
    finally:
        gc.enable()
        log.removeHandler(run.heard)
    return run


def by_endpoint(found: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The addresses grouped by endpoint, so that every endpoint gets as many requests."""
    gathered: dict[str, list[str]] = defaultdict(list)
    for endpoint, address in found:
        gathered[endpoint].append(address)
    return list(gathered.values())
