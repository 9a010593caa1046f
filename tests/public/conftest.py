"""Fixtures: pages of people, and browsers that have opened one."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.accounts import own_pages
from events.visitors.queries import link_token
from models.person import Person as Page
from models.play import Player
from tests.kit.person import Person
from tests.kit.stage import Stage

PageOf = Callable[..., Page]
Opened = Callable[[Page], Person]


@pytest.fixture
def page_of(stage: Stage) -> PageOf:
    """Makes a page with these entries."""

    def make(first: Player, *more: Player, shown: bool = False, alias: str = "") -> Page:
        page = own_pages.make_page(stage.s, first, stage.clock())
        page.shown, page.alias = shown, alias
        for player in more:
            own_pages.add_entry(stage.s, page, player, stage.clock())
        stage.s.commit()
        return page

    return make


@pytest.fixture
def opened(app: Flask) -> Opened:
    """Opens a page by its private link in a new browser."""

    def make(page: Page) -> Person:
        person = Person(app)
        person.press("Open my page", at=link_to_page(app, page))
        assert person.page.path == "/me"
        return person

    return make


def link_to_page(app: Flask, page: Page) -> str:
    return f"/m/{link_token(str(app.secret_key), page)}"
