"""A process answers many readers: what one of them was told in a language is in no answer to another."""

import pytest
from flask import Flask

from languages.words import speaking
from tests.kit.every_page import addresses, made
from tests.kit.person import Person
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import Stage

FILES = (".pdf", ".zip", ".png", ".svg", ".csv", ".json", ".trf", ".xlsx", ".txt", ".js", ".css", ".ics")


@pytest.mark.slow
def test_no_page_keeps_the_language_of_an_earlier_reader(
    app: Flask, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each public page in the pretend language first, and then in English."""
    offer_pseudo(monkeypatch)
    with speaking(CODE):
        _, _, _, running, _, teams, *_ = made(stage)
    found = dict[str, str]()
    for endpoint, address in addresses(app, stage, [running, teams]):
        if not address.startswith("/api") and "/desk" not in address and not address.partition("?")[0].endswith(FILES):
            found.setdefault(f"{endpoint} {teams.slug in address}", address)
    readers = {code: Person(app) for code in (CODE, "en")}
    for code, reader in readers.items():
        reader.post("/language", language=code, back="/")
    left, worded = [], 0
    for address in found.values():
        first, second = (reader.ask("GET", address) for reader in readers.values())
        if first.mimetype == "text/html":
            worded += "⟦" in first.text
            left += [address] if "⟦" in second.text else []
    assert worded > 40
    assert left == []
