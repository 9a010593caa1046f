"""Bringing an event to its end by the buttons that its desk offers."""

import re
from collections.abc import Sequence

from bs4 import Tag

from models.event import EventState
from models.play import Game, GameState
from tests.kinds.world import Fault, World
from tests.kit.person import Page, controls, sending_form, words

MOST_STEPS = 60
GAME = re.compile(r"/desk/games/(\d+)")


def close(world: World) -> None:
    """Follow the desk's next step until the event is closed. Raises Fault if there is no way."""
    story: list[str] = []
    for _ in range(MOST_STEPS):
        if world.event.state == EventState.FINISHED:
            return
        take_next_step(world, story)
    raise Fault(f"not closed after {MOST_STEPS} steps: {story[-6:]}")


def take_next_step(world: World, story: list[str]) -> None:
    """Take the first of the desk's next ways that changes something. Raises Fault if none does."""
    before, desk = world.event.version, world.organiser.open(f"{world.at}/desk")
    if desk.status != 200:
        raise Fault(f"the desk answers {desk.status}")
    for way in _ways(desk):
        world.organiser.page = desk
        _go(world, way, story)
        if world.event.version != before:
            return
    raise Fault(f"no offered way leads on: {desk.part('.next')[:300]} {story[-6:]}")


def _ways(desk: Page) -> Sequence[Tag]:
    """What the desk offers as next, the first way first."""
    first = desk.soup.select(".next-ways a.primary[href], .next-ways button.primary")
    others = desk.soup.select(".next-ways a[href], .next-ways button, .next a.button, .next button")
    return [*first, *(way for way in others if way not in first)]


def _go(world: World, way: Tag, story: list[str]) -> None:
    """Press a button of the desk; or follow its link, and decide the games there, or press the page's main button."""
    story.append(words(way))
    if way.name == "button":
        _press(world, way)
        return
    page = world.organiser.open(str(way["href"]).partition("#")[0])
    if not _decided(world, page, story):
        wanted = ("main form[method=post] button.primary", ".next-ways button.primary", "main .verdict form button")
        found = [button for selector in wanted for button in page.soup.select(selector)]
        for button in sorted(found, key=lambda button: button.find_parent(class_="next") is not None)[:1]:
            story.append(words(button))
            _press(world, button)


def _decided(world: World, page: Page, story: list[str]) -> bool:
    """Decide the open games that a page links to, or whose page it is; whether there were any."""
    ids = dict.fromkeys(int(id_) for id_ in GAME.findall(f"{page.path} {page.response.text}"))
    games = [game for id_ in ids for game in world.desk.all(Game, id=id_) if game.state != GameState.CONFIRMED]
    for game in games:
        story.append(f"decide {game.id}")
        _decide(world, game)
    return bool(games)


def _decide(world: World, game: Game) -> None:
    page = world.organiser.open(f"{world.at}/desk/games/{game.id}")
    answers = world.answers_to(game)
    buttons = [
        button for button in page.soup.select("main form button")
        if str(sending_form(button, page.soup).get("action") or page.path).endswith(f"/games/{game.id}")
    ]  # fmt: skip
    won = [button for button in buttons if button.get("name") == "won" and button.get("value") == answers.get("won")]
    primary = [button for button in buttons if "primary" in str(button.get("class"))]
    if not (won or primary or buttons):
        raise Fault(f"nobody can decide game {game.id}")
    button = (won or primary or buttons)[0]
    _press(world, button, answers)
    for _ in range(2):
        page = world.organiser.page
        if world.desk.now(game).state == GameState.CONFIRMED:
            return
        again = page.soup.select("main form button.primary")
        if not again:
            break
        _press(world, again[0], answers | {"sure": "y", "reason": "As the sheet says"})
    if world.desk.now(game).state != GameState.CONFIRMED:
        raise Fault(f"game {game.id} is not decided: {page.part('main')[:300]}")


def _press(world: World, button: Tag, answers: dict[str, object] | None = None) -> None:
    """Press a button of the open page with the fields as they are, but for these answers."""
    person = world.organiser
    form = sending_form(button, person.page.soup)
    named = {str(tag["name"]) for tag in form.select("[name]")}
    fields: list[tuple[str, object]] = [control for control in controls(form) if control[0] not in (answers or {})]
    fields += [(name, str(value)) for name, value in (answers or {}).items() if name in named]
    person.submit(button, fields)
    if person.page.status >= 500:
        raise Fault(f"{words(button)} on {person.page.path}: {person.page.status}")
