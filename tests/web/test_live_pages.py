"""An open page that replaces its parts, as its script does, shows what a fresh page shows."""

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag

from tests.kit.person import Enter, Page, Person
from tests.kit.stage import Event, ReportSide, Stage

DESK = "/e/iron-open/desk"
PAGES = {
    "olga": (DESK, f"{DESK}/rounds/1", f"{DESK}/rounds/2", f"{DESK}/rounds/1/results", f"{DESK}/ready"),
    "ada": ("/e/iron-open/me",),
    "visitor": ("/e/iron-open", "/e/iron-open/rounds/1", "/e/iron-open/standings"),
}
DIFFERS = re.compile(r"\b\d\d:\d\d(:\d\d)?\b")
"""The time of day, which the page's own clock counts on."""


def shown(soup: BeautifulSoup) -> str:
    main = soup.select_one("main")
    assert isinstance(main, Tag)
    for gone in main.select("[hidden], .flashes, script"):
        gone.decompose()
    return DIFFERS.sub("", " ".join(main.get_text(" ").split()))


def refreshed(old: Page, new: Page) -> str:
    """The old page after its parts were replaced by the new page's."""
    open_page = BeautifulSoup(old.response.text, "html.parser")
    for root in open_page.select("[data-poll]"):
        for part in [*([root] if root.has_attr("data-poll-part") else []), *root.select("[data-poll-part]")]:
            fresh = new.soup.select_one(f'[data-poll-part="{part["data-poll-part"]}"]')
            if fresh is not None and not part.decomposed:
                part.replace_with(BeautifulSoup(str(fresh), "html.parser"))
    return shown(open_page)


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(rounds=2)


def test_open_page_shows_what_a_fresh_one_shows(
    olga: Person, visitor: Person, enter: Enter, stage: Stage, event: Event
) -> None:
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    stage.publish(event, 1)
    first, second, _ = stage.games(event, 1)
    people = {"olga": olga, "ada": ada, "visitor": visitor}
    answers = {"a.objectives": 3, "b.objectives": 1}
    changes: dict[str, Callable[[], object]] = {
        "a first report": lambda: stage.report(event, first, ReportSide.A, answers),
        "a dispute": lambda: stage.report(event, first, ReportSide.B, {"a.objectives": 1, "b.objectives": 3}),
        "a result": lambda: stage.decide(event, first, 3, 1),
        "the last result": lambda: stage.decide(event, second, 3, 1),
        "a correction": lambda: stage.decide(event, stage.now(second), 2, 3),
    }
    wrong = []
    for change, make in changes.items():
        before = {(who, address): people[who].open(address) for who, places in PAGES.items() for address in places}
        make()
        for (who, address), old in before.items():
            new = people[who].open(address)
            now, fresh = refreshed(old, new), shown(BeautifulSoup(new.response.text, "html.parser"))
            if old.status == 200 and now != fresh:
                at = next((n for n, pair in enumerate(zip(now, fresh, strict=False)) if pair[0] != pair[1]), len(fresh))
                wrong.append(f"after {change}, {address} shows “{now[at:][:50]}” instead of “{fresh[at:][:50]}”")
    assert not wrong, "\n".join(wrong)
