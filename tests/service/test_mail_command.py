"""Mail by ``overseer maintain`` and by ``overseer serve``: what is sent, and what a kill in between leaves."""

import os
import select
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import Result

from models.db import open_engine
from models.message import Delivery, MailState
from service.settings import BadSetting, read_settings
from tests.browser.server import OVERSEER, environment, maintenance_of, serving
from tests.conftest import Clock
from tests.kit.mail_server import SECONDS, Mailbox, mailbox
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to

Shell = Callable[..., Result]
WELL = " UTC.\nNotices: 0 sent.\n"
NONE_FAILED = "sent, 0 to be tried again, 0 failed.\n"


@pytest.fixture
def stage(data: Path) -> Iterator[Stage]:
    """The command's database, with a mail to Ada in the queue."""
    engine = open_engine(f"sqlite:///{data / 'overseer.sqlite3'}")
    stage = Stage(engine, Clock(datetime.now(UTC)))
    event = stage.event()
    give_mail(stage, event, *stage.enter(event, "Ada"))
    write_to(stage, event, "Hello {name}")
    yield stage
    stage.s.close()
    engine.dispose()


def test_once_sends_what_is_due_and_says_so(shell: Shell, stage: Stage, box: Mailbox) -> None:
    assert "Mail" not in shell("maintain", "once").output, "mails wait without a mail server"
    assert shell("maintain", "once", **box.environment()).output.endswith(f"{WELL}Mail: 1 {NONE_FAILED}")
    assert box.arrived[0].get_content().startswith("Hello Ada")
    assert shell("maintain", "once", **box.environment()).output.endswith(f"{WELL}Mail: 0 {NONE_FAILED}")


def test_a_server_that_is_gone_fails_the_command(shell: Shell, stage: Stage) -> None:
    with mailbox() as closed:
        pass
    result = shell("maintain", "once", **closed.environment())
    assert result.exit_code == 1
    assert "Error: the mail server cannot be reached" in result.output
    assert "The remaining mails stay in the queue." in result.output
    assert stage.one(Delivery).mail == MailState.QUEUED


@pytest.mark.slow
@pytest.mark.proves("F23")
def test_a_worker_killed_before_it_could_store_the_answer_leaves_no_second_mail(
    shell: Shell, stage: Stage, box: Mailbox, data: Path
) -> None:
    worker = subprocess.Popen(
        [*OVERSEER, "maintain", "once"], env=environment(data, 8000) | box.environment(), stdout=subprocess.DEVNULL
    )

    def kill(mail: EmailMessage) -> str:
        worker.kill()
        worker.wait(SECONDS)
        return "250 taken"  # to nobody

    box.data = kill
    box.wait_for(1)
    box.data = lambda mail: "250 taken"
    assert stage.one(Delivery).mail == MailState.SENDING
    assert shell("maintain", "once", **box.environment()).output.endswith(
        "Mail: 0 sent, 0 to be tried again, 0 failed.\n"
    ), "it may be under way elsewhere"
    with stage.changing() as s:
        row = s.get_one(Delivery, stage.one(Delivery).id)
        assert row.tried_at
        row.tried_at -= timedelta(minutes=11)
    assert shell("maintain", "once", **box.environment()).output.endswith("0 failed, 1 may have been sent.\n")
    assert (len(box.arrived), stage.one(Delivery).mail) == (1, MailState.UNSURE)


@pytest.mark.slow
def test_serve_sends_mails_in_one_process_that_ends_with_it(
    stage: Stage, box: Mailbox, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in box.environment().items():
        monkeypatch.setenv(name, value)
    with serving(data) as server:
        box.wait_for(1)
        (child,) = maintenance_of(server.process)
        assert "Mail             by 127.0.0.1" in (data / "said.txt").read_text()
        handle = os.pidfd_open(child)
    try:
        ended = select.poll()
        ended.register(handle, select.POLLIN)
        assert ended.poll(SECONDS * 1000), "the process outlived the server"
    finally:
        os.close(handle)


# ---- settings


GOOD = {
    "OVERSEER_SMTP": "smtp+starttls://desk%40club.example:p%40ss%2Fword@mail.example",
    "OVERSEER_MAIL_FROM": "Iron Désk <desk@club.example>",
    "OVERSEER_ADDRESS": "https://iron.example/",
}


def test_the_server_is_read_from_the_environment(tmp_path: Path) -> None:
    mail = read_settings({"OVERSEER_DATA": str(tmp_path), **GOOD, "OVERSEER_MAILS_A_DAY": "50"}).mail
    assert mail
    assert (mail.scheme, mail.host, mail.port) == ("smtp+starttls", "mail.example", 587)
    assert (mail.user, mail.password) == ("desk@club.example", "p@ss/word")
    assert (mail.sender.display_name, mail.sender.addr_spec) == ("Iron Désk", "desk@club.example")
    assert (mail.links, mail.a_day) == ("https://iron.example", 50)
    assert "p@ss" not in repr(mail)
    assert read_settings({"OVERSEER_DATA": str(tmp_path)}).mail is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OVERSEER_SMTP", "mail.example:25"),
        ("OVERSEER_SMTP", "http://mail.example"),
        ("OVERSEER_SMTP", "smtp://"),
        ("OVERSEER_SMTP", "smtp://mail.example:99999"),
        ("OVERSEER_SMTP", "smtp://mail.example/path"),
        ("OVERSEER_SMTP", "smtp://desk:secret-word@mail.example"),
        ("OVERSEER_MAIL_FROM", ""),
        ("OVERSEER_MAIL_FROM", "the desk"),
        ("OVERSEER_MAIL_FROM", "a@club.example, b@club.example"),
        ("OVERSEER_MAIL_FROM", "Desk <desk@club.example>\r\nBcc: x@y.example"),
        ("OVERSEER_ADDRESS", ""),
        ("OVERSEER_ADDRESS", "iron.example"),
        ("OVERSEER_ADDRESS", "javascript://iron.example"),
        ("OVERSEER_ADDRESS", "https://iron.example/path"),
        ("OVERSEER_ADDRESS", "https://user@iron.example"),
        ("OVERSEER_MAILS_A_DAY", "0"),
        ("OVERSEER_MAILS_A_DAY", "many"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_without_the_password(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"^{name}: ") as bad:
        read_settings({"OVERSEER_DATA": str(tmp_path), **GOOD, name: value})
    assert "secret-word" not in str(bad.value)
