"""The log: one line of JSON for each record, that nobody can forge, and in which no secret stands."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.logs import LONGEST, LONGEST_TRACE, Lines, masked

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
def out() -> Iterator[io.StringIO]:
    """What a logger of the test's own writes, as the service's log would."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines())
    LOG.addHandler(handler)
    yield stream
    LOG.removeHandler(handler)


@pytest.mark.proves("attack 33", "ASVS 16.4.1")
def test_a_line_cannot_be_forged(out: io.StringIO) -> None:
    for typed in FORGED:
        LOG.warning("tried by %s", typed, extra={"facts": {"name": typed}})
        said = out.getvalue()
        out.truncate(out.seek(0))
        assert said.isascii() and said.endswith("\n") and said[:-1].isprintable()
        line = json.loads(said)
        assert (line["level"], line["from"], line["name"]) == ("warning", "overseer.tried", typed)
        assert line["what"] == f"tried by {typed}"


@pytest.mark.proves("ASVS 16.2.5")
def test_secrets_are_masked_and_words_are_not() -> None:
    for text, logged in (
        ("postgresql://club:s3cret@db/overseer", "postgresql://club:***@db/overseer"),
        ("smtp+starttls://a%40b:p@x:y@mail:587", "smtp+starttls://a%40b:***@x:y@mail:587"),
        ("hash $argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA kept", "hash *** kept"),
        ("/set-up/3n2XWv7hQkYpLz0aBcDeFgHiJkLmNoPq", "/set-up/***"),
        ("cookie eyJvcmdhbmlzZXIiOlsxLCJ4Il19.Zx9Yw8.abcDEFghiJKL_mno-123", "cookie ***"),
        ("5f4dcc3b5aa765d61d8327deb882cf99", "***"),
        ("in test_too_many_attempts_wait_for_this_name_alone", "in test_too_many_attempts_wait_for_this_name_alone"),
        ("/e/iron-open/rounds/3 in web/idempotency.py", "/e/iron-open/rounds/3 in web/idempotency.py"),
    ):
        assert masked(text) == logged


def test_a_fault_is_told_with_its_end_and_a_line_has_an_end(out: io.StringIO) -> None:
    def deeper(left: int) -> None:
        if left:
            deeper(left - 1)
        else:
            raise ValueError("postgresql://club:s3cret@db/overseer" + "x" * 10_000)

    try:
        deeper(500)
    except ValueError:
        LOG.exception("fault %s", "y" * 5000, extra={"facts": {"ms": 3, "statement": "z" * 5000}})
    line = json.loads(out.getvalue())
    assert len(line["trace"]) == LONGEST_TRACE and line["trace"].endswith("xxx")
    assert (len(line["what"]), len(line["statement"]), line["ms"]) == (LONGEST, LONGEST, 3)
    assert "s3cret" not in out.getvalue()


@pytest.mark.proves("F7")
def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    """As ``set_up_log`` sets it: a full disk under the log takes no page with it."""
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
