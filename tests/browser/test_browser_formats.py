"""The pages of the formats other than Swiss, on a phone and on a desk: they fit, and nobody is shut out."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import StorageState

from events.play.queries import players_of, round_views
from events.rounds import actions as rounds_actions
from events.rounds import knockout
from events.setup.pairing_actions import FormatSettings, set_format
from models.event import Event, EventFormat
from tests.browser.test_browser_pages_fit import SIZES, faults
from tests.browser.visits import Visits, shoot
from tests.kit.stage import BY, Game, Stage

NAMES = ("Maximiliane von Hohenlohe-Langenburg", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
PAGES = {
    "bracket": "/e/knockout/bracket",
    "tied": "/e/knockout/desk/rounds/3",
    "crosstable": "/e/everybody/crosstable",
    "cut": "/e/waiting/desk/cut",
    "meeting": "/e/waiting/desk/meeting",
    "seeding": "/e/seeded/desk/seeding",
}


@pytest.fixture(scope="session")
def four_events(staging: Callable[[], AbstractContextManager[Stage]]) -> None:
    """Four events, each at the moment when its pages have the most to show."""
    with staging() as stage:
        event = made(stage, "Knockout", FormatSettings(cut=6, third_place=True))
        stage.play(event, 1)
        decide(stage, event, cut(stage, event))
        decide(stage, event, stage.publish(event, 3), drawn=True)
        event = made(stage, "Everybody", FormatSettings(EventFormat.ROUND_ROBIN))
        for number in (1, 2, 3):
            stage.play(event, number)
        event = made(stage, "Waiting", FormatSettings(cut=4, player_meeting=True))
        with stage.changing(event) as s:
            rounds_actions.draw_meeting(s, event, 1, BY, stage.clock())
        stage.play(event, 1)
        made(stage, "Seeded", FormatSettings(EventFormat.KNOCKOUT))


def made(stage: Stage, name: str, wanted: FormatSettings) -> Event:
    """An event of one round with its players."""
    event = stage.event(name, rounds=1)
    with stage.changing(event) as s:
        set_format(s, event, wanted, BY, stage.clock())
    stage.enter(event, *NAMES, club="A club of very many words, founded in 1887")
    return event


def cut(stage: Stage, event: Event) -> list[Game]:
    """Make the cut and publish its first round."""
    with stage.changing(event) as s:
        seen = knockout.cut_now(s, event, players_of(s, event), round_views(s, event)).mark
        number = knockout.make_cut(s, event, seen, 1, BY, stage.clock()).number
    return stage.publish(event, number)


def decide(stage: Stage, event: Event, games: list[Game], *, drawn: bool = False) -> None:
    """The first game ends in a draw, if that is wanted; otherwise side A wins."""
    for place, game in enumerate(games):
        if game.b_id is not None:
            stage.decide(event, game, *((2, 2) if drawn and place == 0 else (3, 1)))


@pytest.mark.long
def test_the_pages_of_formats_fit(visits: Visits, organiser: StorageState, four_events: None) -> None:
    """Full of names and results; their templates are judged in each run by test_browser_pages_fit.py."""
    wrong: list[str] = []
    for size, options in SIZES.items():
        page = visits.open(**options, storage_state=organiser)
        for name, address in PAGES.items():
            if size == "desk" and name not in ("bracket", "crosstable"):
                continue  # made of parts that other pages have shown there
            page.goto(address)
            wrong += [f"{name}, {size}: {what}" for what in faults(page, size)]
            if name in ("bracket", "crosstable"):
                shoot(page, f"{name}-{size}")
    assert wrong == [], "\n".join(wrong)
