"""Commands of two hosts over one PostgreSQL: each mail is sent once, and a secret of one's own is warned about."""

import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import Engine

from models.message import Delivery
from tests.browser.server import OVERSEER, environment
from tests.conftest import Clock
from tests.kit.mail_server import SECONDS, Mailbox
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to

SECRET = "one secret that both hosts were given"
MAILS = 12
SEND = ("maintain", "once")
"""The command that sends what is queued, and ends."""


@pytest.fixture
def stage(engine: Engine) -> Iterator[Stage]:
    """The database of both hosts, at the time that it is."""
    opened = Stage(engine, Clock(datetime.now(UTC)))
    yield opened
    opened.s.close()


def host(folder: Path, database_url: str, **more: str) -> dict[str, str]:
    """The settings of one host, with a data folder of its own."""
    folder.mkdir()
    return environment(folder, 8000) | {"DATABASE_URL": database_url} | more


@pytest.mark.slow
@pytest.mark.postgres
def test_mail_processes_of_two_hosts_send_each_mail_once(
    stage: Stage, box: Mailbox, database_url: str, tmp_path: Path
) -> None:
    event = stage.event()
    give_mail(stage, event, *stage.enter(event, "Ada", "Bo"))
    for number in range(MAILS // 2):
        write_to(stage, event, subject=f"News {number}")
    stage.s.rollback()
    # Neither is answered before both have handed a mail over: they do work at the same time.
    both, first = threading.Barrier(2, timeout=SECONDS), threading.Semaphore(2)

    def answer(mail: EmailMessage) -> str:
        if first.acquire(blocking=False):
            both.wait()
        return "250 taken"

    box.data = answer
    settings = [host(tmp_path / name, database_url, OVERSEER_SECRET=SECRET) for name in ("host1", "host2")]
    senders = [
        subprocess.Popen([*OVERSEER, *SEND], env=one | box.environment(), stdout=subprocess.PIPE, text=True)
        for one in settings
    ]
    said = [sender.communicate(timeout=SECONDS * 3)[0] for sender in senders]
    sent = [int(re.findall(r"Mail: (\d+) sent", text)[0]) for text in said]
    assert sum(sent) == MAILS
    assert min(sent) > 0, "one host sent everything: they did not work at the same time"
    assert len(box.arrived) == len({mail["Message-ID"] for mail in box.arrived}) == MAILS
    assert {one.attempts for one in stage.all(Delivery) if one.mail} == {1}


@pytest.mark.postgres
def test_serve_warns_when_postgresql_is_used_without_a_shared_secret(
    database_url: str, shell: Callable[..., Result]
) -> None:
    # It warns before it finds that this is no address of this machine.
    for shared, warned in ((None, True), (SECRET, False)):
        said = shell("serve", DATABASE_URL=database_url, OVERSEER_SECRET=shared, PORT="1", HOST="192.0.2.77").output
        assert ("Cannot listen" in said, "OVERSEER_SECRET is not set" in said) == (True, warned)
