"""Every address of an event, and what it answers: to show that a secret is visible on none of them."""

import json
import re
from io import BytesIO
from itertools import chain
from zipfile import ZipFile

from flask import Flask

from models.event import Event
from tests.kit.person import Person
from tests.kit.routes import filled, of_game, rules
from tests.kit.stage import Stage


def addresses(app: Flask, stage: Stage, event: Event, **values: str) -> list[str]:
    """Every address of this event that answers GET."""
    known = of_game(event, stage.games(event, 1)[0]) | {"<sha256>": "0" * 64} | values
    found = []
    for rule in rules(app, "GET"):
        address = filled(rule, known)
        if event.slug in address or "/g/" in address:
            found += [address, *([f"{address}?order=name"] if address.endswith(("/rounds/1", "/pairings.pdf")) else [])]
    return sorted(set(found), key=lambda one: ("/g/" not in one, one))  # a result sheet that was opened stays open


def archive_lines(data: bytes) -> list[str]:
    """The rows of an archive, and each sentence of its journal once."""
    document = json.loads(data)
    return [*dict.fromkeys(line["text"] for line in document["journal"]), json.dumps(document["tables"])]


def read_by(person: Person, address: str) -> tuple[int, bytes | list[str]]:
    """The answer of an address: its lines in order, each once; or its bytes.

    Tokens, idempotency keys and version numbers are left out: they show that something changed, but not what.
    """
    answer = person.ask("GET", address)
    if address.endswith("/version"):
        return answer.status_code, b""
    if address.endswith("/archive.json") and answer.status_code == 200:
        return answer.status_code, archive_lines(answer.data)
    if "/pack.zip" in address and answer.status_code == 200:
        with ZipFile(BytesIO(answer.data)) as packed:
            files = {name: packed.read(name) for name in packed.namelist()}
        parts = [archive_lines(data) if name.endswith("archive.json") else [repr(data)] for name, data in files.items()]
        return answer.status_code, [*files, *chain(*parts)]
    journal = "/desk/journal" in address
    if answer.mimetype != "text/html" and not journal:
        return answer.status_code, answer.data
    text = re.sub(r'(name="([\w-]*csrf_token|key)"|data-mark=)[^>]*', "", answer.text)
    if journal:  # its numbers show that something was chosen, but not what
        text = re.sub(r'entry-\d+|since=\d+|"(write|version)": \d+|,\d+(?=\r?$)', "", text, flags=re.MULTILINE)
    lines = re.split(r"\n|(?=<li|<tr)", text)
    return answer.status_code, list(dict.fromkeys(lines))
