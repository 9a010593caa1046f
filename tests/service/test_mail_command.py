"""Mail by ``overseer maintain`` and ``overseer serve``: what is sent, on one host or two, and after a kill."""

import os
import select
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from models.message import Delivery, MailState
from tests.browser.server import OVERSEER, environment, maintenance_of, serving
from tests.conftest import Clock
from tests.kit.mail_server import SECONDS, Mailbox, mailbox
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to
from tests.service.conftest import Shell, opened

WELL = " UTC.\nNotices: 0 sent.\n"
NONE_FAILED = "sent, 0 to be tried again, 0 failed.\n"


@pytest.fixture
def queue(data: Path) -> Iterator[Stage]:
    """The command's database, with a mail to Ada in the queue."""
    with opened(data) as engine:
        stage = Stage(engine, Clock(datetime.now(UTC)))
        event = stage.event()
        give_mail(stage, event, *stage.enter(event, "Ada"))
        write_to(stage, event, "Hello {name}")
        yield stage
        stage.s.close()


def test_once_sends_what_is_due_and_says_so(shell: Shell, queue: Stage, box: Mailbox) -> None:
    assert "Mail" not in shell("maintain", "once").output, "mails wait without a mail server"
    assert shell("maintain", "once", **box.environment()).output.endswith(f"{WELL}Mail: 1 {NONE_FAILED}")
    assert box.arrived[0].get_content().startswith("Hello Ada")
    assert shell("maintain", "once", **box.environment()).output.endswith(f"{WELL}Mail: 0 {NONE_FAILED}")


def test_a_server_that_is_gone_fails_the_command(shell: Shell, queue: Stage) -> None:
    with mailbox() as closed:
        pass
    result = shell("maintain", "once", **closed.environment())
    assert result.exit_code == 1
    assert "Error: the mail server cannot be reached" in result.output
    assert "The remaining mails stay in the queue." in result.output
    assert queue.one(Delivery).mail == MailState.QUEUED


@pytest.mark.slow
@pytest.mark.proves("F23")
def test_a_worker_killed_before_it_could_store_the_answer_leaves_no_second_mail(
    shell: Shell, queue: Stage, box: Mailbox, data: Path
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
    assert queue.one(Delivery).mail == MailState.SENDING
    once = shell("maintain", "once", **box.environment())
    assert once.output.endswith(f"Mail: 0 {NONE_FAILED}"), "it may be under way elsewhere"
    with queue.changing() as s:
        row = s.get_one(Delivery, queue.one(Delivery).id)
        assert row.tried_at
        row.tried_at -= timedelta(minutes=11)
    assert shell("maintain", "once", **box.environment()).output.endswith("0 failed, 1 may have been sent.\n")
    assert (len(box.arrived), queue.one(Delivery).mail) == (1, MailState.UNSURE)


@pytest.mark.slow
def test_serve_sends_mails_in_one_process_that_ends_with_it(
    queue: Stage, box: Mailbox, data: Path, monkeypatch: pytest.MonkeyPatch
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
