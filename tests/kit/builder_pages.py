"""A game's builder page drawn without a service, and its form as a browser without script sends it."""

from typing import Any

from bs4 import BeautifulSoup
from flask import render_template

from tests.kit.person import controls
from validators import SYSTEMS
from validators.contract import Document, Terms


def builder_page(system_id: str, view: Any, faults: tuple[str, ...] = ()) -> BeautifulSoup:
    """The inside of a game's builder form; needs ``builder_app``."""
    html = render_template(
        f"lists/builder/{system_id}.html",
        b=view,
        faults=faults,
        steps={"undo": True, "redo": False},
        csrf_token=str,
        unadded={},
    )
    return BeautifulSoup(html, "html.parser")


def sent(soup: BeautifulSoup, **changed: str) -> dict[str, list[str]]:
    """The form's fields as a browser sends them; ``changed`` are filled in or pressed by hand (dots as __)."""
    fields: dict[str, list[str]] = {}
    for name, value in controls(soup):
        fields.setdefault(name, []).append(value)
    for name, value in changed.items():
        fields[name.replace("__", ".")] = [value]
    return fields


def after(document: Document, **changed: str) -> Document:
    """The document after its builder page was drawn, changed by hand and sent; needs ``builder_app``."""
    game = SYSTEMS[document["system"]]
    terms = Terms(game.edition(document["edition"]), game.default_size)
    page = builder_page(game.id, game.forces.builder(document, terms, {}))
    return game.forces.edit(document, sent(page, **changed), terms.edition)
