"""Monitoring: a log without forged lines and secrets, the health check, and counters."""

import json
import logging
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, text

from app import attach_database
from events.web.monitoring import SECRET_IN_PATH
from service.backups import folder_of
from service.health import FILE, METRICS_FOLDER, keep_findings
from service.logs import LONGEST, LONGEST_TRACE, Lines, masked
from service.settings import Settings
from tests.kit.people import Links
from tests.kit.person import SET_UP, SIGN_IN, Person
from tests.kit.stage import PASSWORD, Clock, Event, Stage
from tests.kit.writing import give_mail, write_to

WORD = "a word that only Prometheus has"


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(Lines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


@pytest.fixture
def log() -> Iterator[Kept]:
    kept, ours = Kept(), logging.getLogger("overseer")
    ours.addHandler(kept)
    ours.setLevel(logging.DEBUG)
    yield kept
    ours.removeHandler(kept)
    ours.setLevel(logging.NOTSET)


def test_each_answer_has_an_id_that_its_lines_have_too(visitor: Person, event: Event, log: Kept) -> None:
    forged = {"X-Request-Id": "of-another-request"}
    asked = ("/", "/e/iron-open?figures=x", "/nothing", "/static/overseer.css")
    answers = [visitor.http.get(address, headers=forged, buffered=True) for address in asked]
    ids = [answer.headers["X-Request-Id"] for answer in answers]
    assert len(set(ids)) == 4 and all(re.fullmatch("[0-9a-f]{12}", name) for name in ids)
    assert [(line["request"], line["status"]) for line in log.entries] == [*zip(ids, (200, 404, 404, 200), strict=True)]
    line = log.entries[1]
    assert (line["method"], line["path"], line["client"]) == ("GET", "/e/iron-open", "127.0.0.1"), "nothing behind ?"


@pytest.mark.proves("ASVS 16.3.1", "ASVS 16.3.2")
def test_sign_ins_and_refusals_are_logged(olga: Person, app: Flask, event: Event, log: Kept) -> None:
    person = Person(app)
    person.press(SIGN_IN, at="/sign-in", name="Olga", password="a wrong password")
    person.press(SIGN_IN, name="Olga", password=PASSWORD)
    Person(app).open("/e/iron-open/desk")
    Person(app).ask("POST", "/sign-out", {"csrf_token": "forged"})
    entries = [(line["what"], line.get("account"), line.get("status")) for line in log.entries
            if line["from"] == "overseer.security"]  # fmt: skip
    assert entries == [("sign-in failed", "Olga", None), ("signed in", "Olga", None), ("refused", None, 403),
                    ("refused", None, 400)]  # fmt: skip
    assert "a wrong password" not in "".join(log.lines) and PASSWORD not in "".join(log.lines)


@pytest.mark.proves("ASVS 16.2.5", "attack 22")
def test_no_secret_is_in_the_log_of_a_day(app: Flask, stage: Stage, event: Event, link_of: Links, log: Kept) -> None:
    (ada,) = stage.enter(event, "Ada")
    link, set_up = link_of(ada), stage.set_up_link()
    ada_at, new = Person(app), Person(app)
    for address in (link, f"{link}x"):
        ada_at.open(address)
    new.press(SET_UP, at=set_up, name="Olga", password=PASSWORD)
    new.open(set_up)
    cookies = [person.http.get_cookie("overseer") for person in (ada_at, new)]
    said = "".join(log.lines)
    assert len(log.lines) > 6
    tokens = (link.rpartition("/")[2], set_up.rpartition("/")[2])
    for secret in (*tokens, PASSWORD, *(cookie.value for cookie in cookies if cookie)):
        assert secret[:20] not in said


def test_every_address_with_a_secret_in_it_is_masked(app: Flask) -> None:
    """A new one has to be named in SECRET_IN_PATH."""
    rules = [rule.rule for rule in app.url_map.iter_rules() if {"token", "code"} & rule.arguments]
    assert len(rules) >= 4
    assert [rule for rule in rules if SECRET_IN_PATH.sub("", re.sub("<.*?>", "x", rule))] == []


@pytest.mark.both_databases
def test_readiness_reports_the_fault(
    app: Flask, visitor: Person, stage: Stage, settings: Settings, tmp_path: Path
) -> None:
    def ready(status: int, database: str = "ok", room: str = "ok") -> None:
        answer = visitor.ask("GET", "/readyz")
        assert (answer.status_code, answer.json) == (
            status, {"ready": status == 200, "database": database, "room": room},
        )  # fmt: skip
        assert answer.headers.get("Retry-After") == (None if status == 200 else "10")
        assert visitor.ask("GET", "/healthz").json == {"ok": True}

    app.extensions["overseer_settings"] = replace(settings, data=tmp_path / "gone")
    ready(503, room="the data folder is not there")
    app.extensions["overseer_settings"] = settings
    (settings.data / FILE).write_text("I4 a round is drawn twice\n")
    ready(200)
    (settings.data / FILE).write_text("I9 the file cannot be read: malformed\n")
    ready(503, database="damaged")
    stage.s.connection().execute(text("UPDATE alembic_version SET version_num = 'of the future'"))
    stage.s.commit()
    ready(503, database="of another version")


def test_metrics_need_the_token(app: Flask, settings: Settings, engine: Engine, clock: Clock) -> None:
    client = app.test_client()
    for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {WORD}"}):
        assert client.get("/metrics", headers=headers).status_code == 404, "off unless asked for"
    attach_database(app, replace(settings, metrics=WORD), engine, clock)
    for _ in range(3):
        client.get("/")
    client.get("/nothing")
    client.post("/sign-in")
    assert client.get("/metrics", headers={"Authorization": "Bearer of somebody else who asks"}).status_code == 404
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {WORD}"})
    assert answer.content_type.startswith("text/plain")
    figures = figures_in(answer.text)
    assert figures['overseer_requests_total{kind="read",status="2xx"}'] == 3
    assert figures['overseer_requests_total{kind="read",status="4xx"}'] == 2
    assert figures['overseer_requests_total{kind="write",status="4xx"}'] == 1
    assert figures['overseer_request_seconds_count{kind="write",pages="accounts"}'] == 1
    assert figures['overseer_request_seconds_count{kind="read",pages="none"}'] == 1, "no address is a label"
    assert figures["overseer_reports_total"] == 0
    assert "/nothing" not in answer.text


@pytest.mark.both_databases
def test_metrics_have_gauges_of_what_waits(
    app: Flask, stage: Stage, event: Event, settings: Settings, engine: Engine, clock: Clock
) -> None:
    def gauges() -> dict[str, float]:
        stage.s.rollback()
        answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {WORD}"})
        names = ("newest_copy_age_seconds", "check_faults", "mails_waiting", "deletion_due")
        return {name: figures_in(answer.text)[f"overseer_{name}"] for name in names}

    attach_database(app, replace(settings, metrics=WORD), engine, clock)
    assert list(gauges().values()) == [math.inf, 0, 0, 0]
    give_mail(stage, event, *stage.enter(event, "Ada", "Bo"))
    write_to(stage, event)
    copy = folder_of(settings.data) / f"overseer-{clock():%Y%m%dT%H%M%S}Z-automatic.sqlite3"
    copy.parent.mkdir()
    copy.touch()
    clock.advance(seconds=90)
    keep_findings(settings.data, ["I4  a round is drawn twice", "I8  a name"])
    stage.set(event, delete_after=6)
    assert list(gauges().values()) == [90, 2, 2, 0]
    clock.advance(days=400)
    assert gauges()["deletion_due"] >= 2


COUNTING = """
from service.health import Metrics
metrics = Metrics()
metrics.counted("reports")
metrics.request(pages="results", changing=True, status=302, seconds=0.02)
print(metrics.text({})[0])
"""


def test_metrics_add_up_over_processes_and_outlive_them(tmp_path: Path) -> None:
    environment = os.environ | {METRICS_FOLDER: str(tmp_path)}
    printed = [
        subprocess.run(
            [sys.executable, "-c", COUNTING], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    figures = figures_in(printed[-1])
    assert figures["overseer_reports_total"] == 2
    assert figures['overseer_requests_total{kind="write",status="3xx"}'] == 2
    assert figures['overseer_request_seconds_bucket{kind="write",le="+Inf",pages="results"}'] == 2


def figures_in(text: str) -> dict[str, float]:
    lines = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, value in lines}


FORGED = [
    "Ada\nlevel=error what=forged",
    'Ada\r\n{"level": "error"}',
    "\x1b[2J\x1b[31mred",
    "Ada\u2028forged\u2029\x85\x0b",
    "\u202eadA\u2066",
    "a\x00b\x7f\x9b",
    '", "level": "error',
    "\ud800 alone",
]


LOG = logging.Logger("overseer.tried")
"""One that hands nothing on: what pytest kept of it would have to be text that processes can send each other."""


@pytest.fixture
def tried() -> Iterator[Kept]:
    kept = Kept()
    LOG.addHandler(kept)
    yield kept
    LOG.removeHandler(kept)


@pytest.mark.proves("attack 33", "ASVS 16.4.1")
def test_log_line_cannot_be_forged(tried: Kept) -> None:
    for typed in FORGED:
        LOG.warning("tried by %s", typed, extra={"facts": {"name": typed}})
        assert tried.lines[-1].isascii() and tried.lines[-1].isprintable()
        line = tried.entries[-1]
        assert (line["level"], line["from"], line["name"]) == ("warning", "overseer.tried", typed)
        assert line["what"] == f"tried by {typed}"


@pytest.mark.proves("ASVS 16.2.5")
def test_secrets_are_masked_and_words_are_not() -> None:
    for said, logged in (
        ("postgresql://club:s3cret@db/overseer", "postgresql://club:***@db/overseer"),
        ("smtp+starttls://a%40b:p@x:y@mail:587", "smtp+starttls://a%40b:***@x:y@mail:587"),
        ("hash $argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA kept", "hash *** kept"),
        ("/set-up/3n2XWv7hQkYpLz0aBcDeFgHiJkLmNoPq", "/set-up/***"),
        ("cookie eyJvcmdhbmlzZXIiOlsxLCJ4Il19.Zx9Yw8.abcDEFghiJKL_mno-123", "cookie ***"),
        ("5f4dcc3b5aa765d61d8327deb882cf99", "***"),
        ("in test_too_many_attempts_wait_for_this_name_alone", "in test_too_many_attempts_wait_for_this_name_alone"),
        ("/e/iron-open/rounds/3 in web/idempotency.py", "/e/iron-open/rounds/3 in web/idempotency.py"),
    ):
        assert masked(said) == logged


def test_traceback_keeps_its_end_and_log_lines_are_bounded(tried: Kept) -> None:
    def deeper(left: int) -> None:
        if left:
            deeper(left - 1)
        else:
            raise ValueError("postgresql://club:s3cret@db/overseer" + "x" * 10_000)

    try:
        deeper(500)
    except ValueError:
        LOG.exception("fault %s", "y" * 5000, extra={"facts": {"ms": 3, "statement": "z" * 5000}})
    (line,) = tried.entries
    assert len(line["trace"]) == LONGEST_TRACE and line["trace"].endswith("xxx")
    assert (len(line["what"]), len(line["statement"]), line["ms"]) == (LONGEST, LONGEST, 3)
    assert "s3cret" not in tried.lines[0]


@pytest.mark.sweep
@pytest.mark.proves("F7")
def test_unwritable_log_stops_no_request() -> None:
    """As ``set_up_log`` sets it: pages work although the log's disk is full."""
    before = logging.raiseExceptions
    with Path("/dev/full").open("w") as full:
        handler = logging.StreamHandler(full)
        handler.setFormatter(Lines())
        LOG.addHandler(handler)
        logging.raiseExceptions = False
        try:
            LOG.warning("x" * 100_000)
        finally:
            logging.raiseExceptions = before
            LOG.removeHandler(handler)
            handler.close()
            with pytest.raises(OSError, match="No space"):
                full.close()
