"""One odd life: an event, and people who press what their pages offer at that moment, with plausible and odd values."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from bs4 import Tag
from flask import Flask

from events.accounts.loading import private_path
from events.leagues import actions as leagues
from events.setup.pairing_forms import set_season
from events.tournament.season import Season
from models.event import Event
from models.people import Account
from models.play import Player
from models.settings import EventFormat
from models.staff import Role
from tests.campaigns.earning import campaign_of
from tests.kit.formats import NAMES, formed
from tests.kit.people import let_in
from tests.kit.person import Page, Person, controls, sending_form, words
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, team_event

Fields = list[tuple[str, object]]
LEFT_ALONE = re.compile("Sign out|Delete for good|Leave$")
"""Buttons that end a browser's part in the life, and the event itself."""
ODD = ("", "0", "-1", "7", "99999999", "x", "1,5", "Ada", "ada ", "\u202ebo", "2026-12-05", "31.2.2026")
FILE = re.compile(r"\.\w+$")


def _places(stage: Stage) -> Event:
    event = stage.event(places=4, players=NAMES[:3])
    stage.enter(event, *NAMES[3:6], here=False)
    return event


def _teams(stage: Stage) -> Event:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues", "Greens")
    return event


def _season(stage: Stage) -> Event:
    event = formed(stage, *NAMES[:4], format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(days=7))
    return event


def _ladder(stage: Stage) -> Event:
    event = stage.event(ends_on=date(2027, 3, 1), players=NAMES[:4])
    stage.do(event, set_season, Season(kind="ladder"))
    stage.do(event, leagues.start_season)
    return event


def _campaign(stage: Stage, game: str, size: int) -> Event:
    event = stage.event(game=game, size=size)
    campaign_of(stage, event, *NAMES[:3])
    return event


SCENES: dict[str, Callable[[Stage], Event]] = {
    "small": lambda stage: stage.event(rounds=1, players=NAMES[:2]),
    "draft": lambda stage: stage.event(draft=True, places=3),
    "places": _places,
    "swiss": lambda stage: stage.event(rounds=2, players=NAMES[:5]),
    "cut": lambda stage: formed(stage, *NAMES[:5], rounds=1, cut=2),
    "knockout": lambda stage: formed(stage, *NAMES[:4], format=EventFormat.KNOCKOUT),
    "teams": _teams,
    "season": _season,
    "ladder": _ladder,
    "skirmish": lambda stage: _campaign(stage, "fallout_skirmish", 500),
    "warfare": lambda stage: _campaign(stage, "fallout_warfare", 500),
}
"""How lives begin."""


@dataclass
class Somebody:
    """A person of the life: their browser, and the page where they begin."""

    name: str
    person: Person
    home: str
    at_desk: bool = False
    player: int | None = None


@dataclass(frozen=True)
class Pressed:
    """What was pressed on which page, and its answer."""

    who: Somebody
    label: str
    on: Page
    page: Page
    stored: bool


class Life:
    """An event and its people. ``story`` says what they did.

    After the last act, ``seen`` has first pages of people, ``opened`` the pages that were opened by links.
    """

    def __init__(self, app: Flask, stage: Stage, scene: str) -> None:
        self.app, self.stage = app, stage
        stage.set_up("Olga")
        self.event_id = SCENES[scene](stage).id
        self.at = f"/e/{self.event.slug}"
        self.story = [scene]
        self.seen: dict[str, Page] = {}
        self.before: dict[str, Page] = {}
        self.opened: list[tuple[str, Page]] = []
        self.drafts: tuple[str, str] | None = None
        self.pressed: Pressed | None = None
        self.people: dict[str, Somebody] = {}
        stage.hire(self.event, "Judge", Role.JUDGE)
        stage.hire(self.event, "Door", Role.CHECK_IN)
        for one in stage.all(Account):
            self.people[one.name] = Somebody(one.name, let_in(app, one), f"{self.at}/desk", at_desk=True)
        for player in stage.all(Player, event_id=self.event.id):
            self.player_comes(player)
        self.newcomer()
        self.look()

    @property
    def event(self) -> Event:
        return self.stage.s.get_one(Event, self.event_id)

    def version(self) -> int:
        """The event's version, which every change raises."""
        self.stage.s.rollback()
        return self.event.version

    def player_comes(self, player: Player) -> None:
        """A player opens their private link."""
        self.people[player.name] = Somebody(player.name, Person(self.app), f"{self.at}/me", player=player.id)
        self.open_link(self.people[player.name].person, player)

    def open_link(self, person: Person, player: Player) -> None:
        with self.app.test_request_context("/"):
            link = private_path(player)
        person.ask("GET", link)

    def newcomer(self) -> None:
        """A stranger comes to the event's page."""
        name = f"Stranger {len(self.people)}"
        self.people[name] = Somebody(name, Person(self.app), self.at)

    def anything(self, dice: Random) -> None:
        """Somebody follows links of their pages, often those that look like buttons, and presses a button."""
        who = dice.choice([*self.people.values()])
        page = who.person.open(who.home)
        for further in range(4):
            links = (dice.random() < 0.6 and self.ways(page)) or self.links(page)
            if links and (dice.random() < 0.6 / (further + 1) or not offers_of(page)):
                page = self.follow(who, dice.choice(links))
        if offers := offers_of(page):
            self.press(who, dice.choice(offers[dice.choice([*offers])]), dice)

    def next_step(self, dice: Random) -> None:
        """The organiser does what the desk names as the next step: its primary button, seldom another of its ways."""
        who = self.people["Olga"]
        page = who.person.open(who.home)
        ways = page.soup.select(".next-ways .primary, .next a.button, .next button")
        if not ways:
            return
        again = self.pressed and self.pressed.label == name_of(ways[0])  # without an effect: another way
        way = ways[0] if dice.random() < 0.7 and not again else dice.choice(ways)
        if way.name == "button":
            self.press(who, way, dice)
            return
        page = self.follow(who, str(way["href"]))
        games = [one for one in self.links(page) if "/games/" in one]
        if games and dice.random() < 0.5:
            page = self.follow(who, dice.choice(games))
        offers = [one for group in offers_of(page).values() for one in group]
        if main := [one for one in page.soup.select("main button.primary") if one in offers] or offers:
            self.press(who, dice.choice(main), dice)

    def time_passes(self, dice: Random) -> None:
        """Minutes, hours or days pass."""
        step = dice.choice((timedelta(minutes=20), timedelta(hours=5), timedelta(days=1), timedelta(days=9)))
        self.stage.clock.now += step
        self.story.append(f"{step} pass")

    def follow(self, who: Somebody, address: str) -> Page:
        """Open a page that the person's page links to."""
        on, page = who.person.page.path, who.person.open(address.partition("#")[0])
        self.opened.append((f"{who.name} follows a link of {on}", page))
        return page

    def press(self, who: Somebody, button: Tag, dice: Random) -> None:
        """Press a button of this person's open page, fill in its form, and look at the answer."""
        on, label = who.person.page, name_of(button)
        fields, changed = filled(sending_form(button, on.soup), dice)
        self.story.append(f"{who.name} presses {label!r} at {on.path}" + "".join(f", {n}={v!r}" for n, v in changed))
        before = self.version()
        self.pressed = Pressed(who, label, on, who.person.submit(button, fields), self.version() != before)
        self.meet(who)

    def meet(self, who: Somebody) -> None:
        """A stranger who has signed up is a player from now on; players whom others entered come too."""
        known = {one.player for one in self.people.values()}
        for player in self.stage.all(Player, event_id=self.event.id):
            if player.id in known:
                continue
            if who.at_desk or who.player is not None:  # entered by somebody else
                self.player_comes(player)
            else:
                who.player, who.home = player.id, f"{self.at}/me"
                self.newcomer()

    def look(self) -> None:
        """Some of the people open their first page: the organiser, who pressed last, a newcomer, two more in turn."""
        self.stage.s.rollback()
        turn = len(self.story) // 3 * 2  # the same for three acts, so that pages can be compared
        names = [*self.people]
        some = [names[-1], "Olga", *(names * 2)[turn % len(names) :][:2]]
        self.before, self.seen = self.seen, {}
        for name in dict.fromkeys([*some, self.pressed.who.name] if self.pressed else some):
            self.seen[name] = self.first_page(self.people[name])

    def first_page(self, who: Somebody) -> Page:
        """The page where a person begins; who was signed out, got a new link, or was removed first notices that."""
        if (page := who.person.open(who.home)).status != 403:
            return page
        player = self.stage.s.get(Player, who.player or 0)
        if who.at_desk:
            who.person = let_in(self.app, self.stage.one(Account, name=who.name))
        elif player:
            self.open_link(who.person, player)
        if (page := who.person.open(who.home)).status == 403 and not player:
            who.at_desk, who.player, who.home = False, None, self.at
            page = who.person.open(who.home)
        return page

    def ways(self, page: Page) -> list[str]:
        """The addresses of this event's pages to which the next step and the buttons of a page lead."""
        found = [str(one["href"]) for one in page.soup.select(".next-ways a[href], main a.button[href]")]
        return [one for one in found if self.is_page(one)]

    def links(self, page: Page) -> list[str]:
        """The addresses of this event's pages that a page links to, in its order."""
        found = re.findall(r'<a\b[^>]*?href="([^"#]+)', page.response.text)
        return [*dict.fromkeys(one.replace("&amp;", "&") for one in found if self.is_page(one))]

    def is_page(self, address: str) -> bool:
        path = address.partition("?")[0]
        return (path == self.at or path.startswith(f"{self.at}/")) and not FILE.search(path)


def name_of(button: Tag) -> str:
    return str(button.get("aria-label") or "") or words(button)


def offers_of(page: Page) -> dict[str, list[Tag]]:
    """The buttons that a page offers, by label without names and numbers."""
    found: dict[str, list[Tag]] = {}
    for button in page.soup.select("button:not([type=button]):not([disabled])"):
        owner = page.soup.find("form", id=str(button["form"])) if button.get("form") else button.find_parent("form")
        hidden = button.find_parent("template")
        if hidden or not isinstance(owner, Tag) or str(owner.get("method", "get")).lower() != "post":
            continue
        if owner.get("action") == "/language":
            continue  # the labels are known in English
        if not LEFT_ALONE.match(words(button)) and not owner.select("input[type=file][required]"):
            where = str(owner.get("action") or "")
            found.setdefault(re.sub(r"\d+", "", f"{words(button)} {where}"), []).append(button)
    return found


def filled(form: Tag, dice: Random) -> tuple[Fields, Fields]:
    """The fields of a form as a person fills them in, and those that differ from the page."""
    fields: Fields = list(controls(form))
    names = [*dict.fromkeys(str(one["name"]) for one in form.select("[name]") if is_open(one))]
    blank = [name for name in names if not any(key == name and value for key, value in fields)]
    wanted = blank if dice.random() < 0.6 else [name for name in blank if form.select(f'[name="{name}"][required]')]
    if names and dice.random() < 0.6:
        wanted = [*wanted, *(dice.choice(names) for _ in range(dice.randint(1, 3)))]
    changed: Fields = []
    for name in dict.fromkeys(wanted):
        values: Fields = [(name, value) for value in values_for(form.find_all(None, {"name": name}), dice)]
        changed += values
        fields = [one for one in fields if one[0] != name] + values
    return fields, changed


def is_open(control: Tag) -> bool:
    """Whether a person can fill in a control."""
    if control.name == "button" or control.get("type") in ("hidden", "submit", "file"):
        return False
    return not control.has_attr("disabled") and control.find_parent("template") is None


def values_for(found: Sequence[Tag], dice: Random) -> list[str]:
    """Plausible or odd values for a control; several for boxes."""
    control = found[0]
    kind = "select" if control.name == "select" else str(control.get("type", "text"))
    if kind == "select":
        options = [one for one in control.select("option") if not one.has_attr("disabled")]
        return [str(one.get("value", words(one))) for one in [dice.choice(options)]] if options else []
    if kind == "radio":
        return [str(dice.choice(found).get("value", "on"))]
    if kind == "checkbox":
        return [str(one.get("value", "on")) for one in found if dice.random() < 0.5]
    if dice.random() < 0.2:
        return [dice.choice(ODD[control.has_attr("required") :])]
    if kind == "date":
        return [(date(2026, 12, 5) + timedelta(days=dice.randint(-20, 60))).isoformat()]
    if kind == "datetime-local":
        return [f"{date(2026, 12, 5) + timedelta(days=dice.randint(-20, 20))}T{dice.randint(0, 23):02}:00"]
    if kind == "number" or control.get("inputmode") == "numeric":
        return [str(dice.randint(0, 4))]
    return [dice.choice(("Nora", "Piper", "Reds", "A reason", *NAMES[:3]))]
