"""A game's builder page rendered without a server, and its form as a browser without scripts sends it."""

from typing import Any

from bs4 import BeautifulSoup
from flask import current_app, render_template

from events.lists.queries import Submission
from tests.kit.person import controls
from validators import SYSTEMS
from validators.contract import Document, Terms


def builder_page(system_id: str, view: Any, faults: tuple[str, ...] = (), pressed: str = "") -> BeautifulSoup:
    """The content of a game's builder form after a button was pressed; needs the fixture ``builder_app``."""
    with current_app.test_request_context("/", method="POST", data={"do": pressed}):
        html = render_template(
            f"lists/builder/{system_id}.html",
            b=view,
            game=SYSTEMS[system_id],
            faults=faults,
            scripted=False,
            held=frozenset(),
            steps={"undo": True, "redo": False},
            csrf_token=str,
            unadded={},
            submission=Submission("Legal, not submitted", button="primary"),
        )
    return BeautifulSoup(html, "html.parser")


def sent(soup: BeautifulSoup, **changed: str) -> dict[str, list[str]]:
    """The form's fields as a browser sends them; ``changed`` are typed values or pressed buttons (dots as __)."""
    fields: dict[str, list[str]] = {}
    for name, value in controls(soup):
        fields.setdefault(name, []).append(value)
    for name, value in changed.items():
        fields[name.replace("__", ".")] = [value]
    return fields


def after(document: Document, **changed: str) -> Document:
    """The document after its builder page is rendered, changed and sent; needs the fixture ``builder_app``."""
    game = SYSTEMS[document["system"]]
    terms = Terms(game.edition(document["edition"]), game.default_size)
    page = builder_page(game.id, game.forces.builder(document, terms, {}))
    return game.forces.edit(document, sent(page, **changed), terms.edition)
