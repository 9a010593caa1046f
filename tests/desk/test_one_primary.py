"""Every page of the desk has at most one primary button, so that it shows what to do first."""

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from models.people import Account
from tests.kit.every_page import addresses, made
from tests.kit.people import let_in
from tests.kit.stage import Stage

AWAY = "details:not([open]) > :not(summary), [hidden], dialog:not([open])"
"""What is not visible when the page opens."""


def primaries(html: str) -> list[str]:
    """The labels of the visible primary buttons of a page's main part."""
    soup = BeautifulSoup(html, "html.parser")
    for away in soup.select(AWAY):
        away.decompose()
    return [" ".join(one.get_text(" ").split()) for one in soup.select("main .button.primary")]


@pytest.mark.slow
def test_every_desk_page_has_at_most_one_primary_button(app: Flask, stage: Stage) -> None:
    events = made(stage)
    owner = let_in(app, stage.one(Account, name="owner"))
    many, seen, files = {}, 0, set()
    for endpoint, address in [*addresses(app, stage, events)]:
        if "/desk" not in address or endpoint in files:
            continue
        page = owner.ask("GET", address)
        if page.mimetype != "text/html":
            files.add(endpoint)
            continue
        assert page.status_code < 500, address
        seen += page.status_code == 200
        found = primaries(page.get_data(as_text=True))
        if len(found) > 1:
            many[address] = found
    assert seen > 300
    assert many == {}
