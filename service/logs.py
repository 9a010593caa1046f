"""The service's output: the log (one JSON object a line, secrets masked, docs/operations.md) and commands' text."""

import json
import logging
import re
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import pairwise

import click

AMOUNTS = {"quiet": logging.WARNING, "normal": logging.INFO, "all": logging.DEBUG}
LONGEST, LONGEST_TRACE = 1000, 6000
"""The most characters of a value, and of a traceback; its end shows the error."""
MASK = "***"

REQUEST: ContextVar[Mapping[str, str]] = ContextVar("request")
"""The current request's id, method, path and client."""

PASSWORD_IN_ADDRESS = re.compile(r"(://[^\s:/@]{0,200}:)[^\s@/]{1,500}@")
HASHED = re.compile(r"\$argon2[^\s'\"]+")
LONG_WORD = re.compile(r"[A-Za-z0-9_.-]{24,}")


def masked(text: str) -> str:
    """The text with likely secrets masked: passwords in addresses, password hashes, tokens, digests."""
    text = HASHED.sub(MASK, PASSWORD_IN_ADDRESS.sub(rf"\1{MASK}@", text))
    return LONG_WORD.sub(lambda match: MASK if _random(match[0]) else match[0], text)


def _random(word: str) -> bool:
    """Whether a long word looks random. Names of functions and files have no digits among capitals."""
    turns = sum(a.islower() and b.isupper() for a, b in pairwise(word))
    figures = sum(letter.isdigit() for letter in word)
    return turns >= 4 or (turns >= 1 and figures >= 1) or figures >= 4


class Lines(logging.Formatter):
    """Each record as one line of JSON in ASCII, without line breaks or control characters."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": masked(record.getMessage())[:LONGEST],
            **REQUEST.get({}),
        }
        for name, value in getattr(record, "facts", {}).items():
            line[name] = value if isinstance(value, int | float) else masked(str(value))[:LONGEST]
        if record.exc_info and record.exc_info[0]:
            line["trace"] = masked(self.formatException(record.exc_info))[-LONGEST_TRACE:]
        return json.dumps(line)


def set_up_log(amount: str) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for ours in ("overseer", "events", "models"):
        logging.getLogger(ours).setLevel(AMOUNTS[amount])
    logging.raiseExceptions = False  # logging errors, such as a full disk, must not stop the service


def say(text: str, *, err: bool = False) -> None:
    """Print a command's text, on standard error with ``err``. Characters that the terminal cannot show are escaped."""
    encoding = (sys.stderr if err else sys.stdout).encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)
