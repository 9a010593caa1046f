"""One odd life: an event, and people who press what their pages offer at that moment, with plausible and odd values."""

import re
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from logging import LogRecord
from random import Random
from typing import Any

from bs4 import Tag
from flask import Flask

from events.visitors.loading import private_path
from models.event import Event
from models.people import Account
from models.play import Game, GameState, Player, PlayerState
from models.staff import Role
from tests.kit.formats import NAMES
from tests.kit.people import let_in
from tests.kit.person import Page, Person, controls, sending_form, words
from tests.kit.stage import Stage

Fields = list[tuple[str, object]]
ACTS = {"anything": 5, "next_step": 6, "own_step": 4, "settings": 1, "time_passes": 1}
"""What people do, by how often."""
LEFT_ALONE = re.compile("Sign out|Delete for good|Leave$")
"""Buttons that end a browser's part in the life, and the event itself."""
LEAVING = re.compile(
    r"drop|leave|withdraw|remove|erase|decline|not come|no-show|nobody came|disqualif|cancel", re.IGNORECASE
)
SELDOM = re.compile(rf"{LEAVING.pattern}|discard|take back|undo|go back|close|end|new link|unpublish", re.IGNORECASE)
"""Buttons that take people or rounds away: seldom pressed, and those of ``LEAVING`` only while there are players."""
FEW = 3
"""With this many players nobody leaves."""
ODD = ("", "0", "-1", "7", "99999999", "x", "1,5", "Ada", "ada ", "\u202ebo", "2026-12-05", "31.2.2026")
FILE = re.compile(r"\.\w+$")
ALWAYS = ("/hall", "/standings")
"""After every act a visitor looks at one of these pages, and somebody at any page."""


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

    After the last act, ``seen`` has first pages of people, ``opened`` and ``typed`` the pages that were opened by links
    and by their addresses.
    """

    def __init__(
        self, app: Flask, stage: Stage, event: Event, scene: str, dice: Random, log: Sequence[LogRecord]
    ) -> None:
        self.app, self.stage, self.dice, self.log = app, stage, dice, log
        self.event_id = event.id
        self.at = f"/e/{event.slug}"
        self.story = [scene]
        self.seen: dict[str, Page] = {}
        self.before: dict[str, Page] = {}
        self.opened: list[tuple[str, Page]] = []
        self.typed: list[Page] = []
        self.drafts: tuple[str, str] | None = None
        self.pressed: Pressed | None = None
        self.people: dict[str, Somebody] = {}
        self.visitor = Person(app)
        stage.hire(event, "Judge", Role.JUDGE)
        stage.hire(event, "Door", Role.CHECK_IN)
        for account in stage.all(Account):
            self.people[account.name] = Somebody(account.name, let_in(app, account), f"{self.at}/desk", at_desk=True)
        for player in stage.all(Player, event_id=event.id):
            self.player_comes(player)
        self.newcomer()
        rules = (rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()))
        self.addresses = [rule.rule.replace("<slug>", event.slug) for rule in rules if rule.arguments == {"slug"}]
        self.look()

    @property
    def event(self) -> Event:
        return self.stage.s.get_one(Event, self.event_id)

    @property
    def errors(self) -> list[str]:
        """The ends of the tracebacks that the server logged."""
        ends = ("".join(traceback.format_exception(line.exc_info[1])[-4:]) for line in self.log if line.exc_info)
        return [*dict.fromkeys(ends)]

    def version(self) -> int:
        """The event's version, which every change raises."""
        self.stage.s.rollback()
        return self.event.version

    def player_comes(self, player: Player) -> None:
        """A player joins the life; ``first_page`` opens their private link."""
        self.people[player.name] = Somebody(player.name, Person(self.app), f"{self.at}/me", player=player.id)

    def open_link(self, person: Person, player: Player) -> None:
        with self.app.test_request_context("/"):
            link = private_path(player)
        person.ask("GET", link)

    def newcomer(self) -> None:
        """A stranger comes to the event's page."""
        name = f"Stranger {len(self.people)}"
        self.people[name] = Somebody(name, Person(self.app), self.at)

    def act(self) -> None:
        """Somebody does something."""
        (act,) = self.dice.choices([*ACTS], [*ACTS.values()])
        getattr(self, act)()

    def anything(self) -> None:
        """Somebody follows links of their pages, often those that look like buttons, and presses a button."""
        dice, who = self.dice, self.dice.choice([*self.people.values()])
        page = self.first_page(who)
        for further in range(4):
            links = (dice.random() < 0.6 and self.ways(page)) or self.links(page)
            if links and (dice.random() < 0.6 / (further + 1) or not offers_of(page)):
                page = self.follow(who, dice.choice(links))
        offers = offers_of(page)
        weights = [self.weight(label) for label in offers]
        if any(weights):
            (label,) = dice.choices([*offers], weights)
            self.press(who, dice.choice(offers[label]))

    def weight(self, label: str) -> int:
        """How often a button is pressed."""
        here = [p for p in players_of(self) if p.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)]
        if LEAVING.search(label) and len(here) <= FEW:
            return 0
        return 1 if SELDOM.search(label) else 6

    def next_step(self) -> None:
        """The organiser does what the desk names as the next step: its primary button, seldom another of its ways."""
        self.step(self.people["Olga"], ".next-ways .primary, .next a.button, .next button")

    def own_step(self) -> None:
        """A player does what their page asks for: reports a game, confirms a result, chooses boards."""
        players = [who for who in self.people.values() if who.player is not None]
        playing = {id_ for game in self.stage.all(Game, state=GameState.OPEN) for id_ in (game.a_id, game.b_id)}
        if some := [who for who in players if who.player in playing] or players:
            self.step(self.dice.choice(some), "main a.button.primary, main a.button, main button.primary")

    def step(self, who: Somebody, ways: str) -> None:
        """Somebody takes the first way on their page, seldom another."""
        dice, page = self.dice, self.seen.get(who.name)
        if page is None or page is not who.person.page:
            page = self.first_page(who)
        found = [way for way in page.soup.select(ways) if way.name == "button" or self.is_page(str(way.get("href")))]
        found.sort(key=lambda way: "primary" not in way.get_attribute_list("class"))  # pages put it last
        if not found:
            return
        again = self.pressed and self.pressed.label == name_of(found[0])  # without an effect: another way
        way = found[0] if dice.random() < 0.7 and not again else dice.choice(found)
        if way.name == "button":
            self.press(who, way)
            return
        page = self.follow(who, str(way["href"]))
        if games := [link for link in self.links(page) if "/games/" in link]:
            page = self.follow(who, dice.choice(games))
        offers = [button for label, group in offers_of(page).items() if self.weight(label) for button in group]
        if main := [button for button in page.soup.select("main button.primary") if button in offers] or offers:
            self.press(who, dice.choice(main))

    def settings(self) -> None:
        """The organiser changes a section of the settings."""
        olga = self.people["Olga"]
        sections = [link for link in self.links(olga.person.open(f"{self.at}/desk/settings")) if "/settings/" in link]
        page = self.follow(olga, self.dice.choice(sections))
        if main := page.soup.select("main form[method=post] button.primary"):
            self.press(olga, self.dice.choice(main))

    def time_passes(self) -> None:
        """Minutes, hours or days pass."""
        step = self.dice.choice((timedelta(minutes=20), timedelta(hours=5), timedelta(days=1), timedelta(days=9)))
        self.stage.clock.now += step
        self.story.append(f"{step} pass")

    def follow(self, who: Somebody, address: str) -> Page:
        """Open a page that the person's page links to."""
        on, page = who.person.page.path, who.person.open(address.partition("#")[0])
        self.opened.append((f"{who.name} follows a link of {on}", page))
        return page

    def press(self, who: Somebody, button: Tag) -> None:
        """Press a button of this person's open page, fill in its form, and look at the answer.

        Most people who read a reason try once more, with plausible values only.
        """
        for odd in (0.15, 0):
            on, label = who.person.page, name_of(button)
            fields, changed = filled(sending_form(button, on.soup), self.dice, odd)
            typed = "".join(f", {name}={value!r}" for name, value in changed)
            self.story.append(f"{who.name} presses {label!r} at {on.path}{typed}")
            before = self.version()
            self.pressed = Pressed(who, label, on, who.person.submit(button, fields), self.version() != before)
            self.meet(who)
            again = [tag for tag in self.pressed.page.soup.select("main button") if name_of(tag) == label]
            if self.pressed.stored or not self.pressed.page.soup.select_one(".errors") or not again:
                return
            if self.dice.random() < 0.2:
                return
            button = again[0]

    def meet(self, who: Somebody) -> None:
        """A stranger who has signed up is a player from now on; players whom others entered come too."""
        known = {person.player for person in self.people.values()}
        for player in players_of(self):
            if player.id in known:
                continue
            if who.at_desk or who.player is not None:  # entered by somebody else
                self.player_comes(player)
            else:
                who.player, who.home = player.id, f"{self.at}/me"
                self.newcomer()

    def look(self) -> None:
        """Some open their first page: the organiser, who pressed last, a newcomer, a player in turn.

        A visitor and one of them also type an address of the event.
        """
        self.stage.s.rollback()
        turn = len(self.story) // 3  # the same for three acts, so that pages can be compared
        names = [*self.people]
        players = [name for name, who in self.people.items() if who.player is not None]
        some = [names[-1], "Olga", *players[turn % max(1, len(players)) :][:1]]
        self.before, self.seen = self.seen, {}
        for name in dict.fromkeys([*some, self.pressed.who.name] if self.pressed else some):
            self.seen[name] = self.first_page(self.people[name])
        address = self.dice.choice(self.addresses)
        name = "Olga" if "/desk" in address else self.dice.choice(names)
        self.typed.append(Page(self.people[name].person.ask("GET", address)))
        self.typed.append(Page(self.visitor.ask("GET", f"{self.at}{self.dice.choice(ALWAYS)}")))

    def data(self, what: str = "") -> Any:
        """What the interface says to everybody of an event that is not a draft."""
        answer = self.visitor.ask("GET", f"/api/v1/events/{self.event.slug}{what}")
        assert answer.status_code == 200, f"the interface answers {answer.status_code} at {answer.request.path}"
        return answer.get_json()

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
        addresses = [str(link["href"]) for link in page.soup.select(".next-ways a[href], main a.button[href]")]
        return [address for address in addresses if self.is_page(address)]

    def links(self, page: Page) -> list[str]:
        """The addresses of this event's pages that a page links to, in its order."""
        addresses = re.findall(r'<a\b[^>]*?href="([^"#]+)', page.response.text)
        return [*dict.fromkeys(address.replace("&amp;", "&") for address in addresses if self.is_page(address))]

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


def filled(form: Tag, dice: Random, odd: float) -> tuple[Fields, Fields]:
    """The fields of a form as a person fills them in, and those that differ from the page.

    ``odd`` is how often a value is odd; a person without odd values ticks every box that must be ticked.
    """
    fields: Fields = list(controls(form))
    names = [*dict.fromkeys(str(control["name"]) for control in form.select("[name]") if is_open(control))]
    blank = [name for name in names if not any(key == name and value for key, value in fields)]
    required = [name for name in blank if form.select(f'[name="{name}"][required]') or (name == "sure" and not odd)]
    wanted = blank if dice.random() < 0.5 and not form.select("[name$=-was]") else required
    if names and dice.random() < 0.6:
        wanted = [*wanted, *(dice.choice(names) for _ in range(dice.randint(1, 3)))]
    changed: Fields = []
    for name in dict.fromkeys(wanted):
        controls_of_name = form.find_all(None, {"name": name})
        values: Fields = [(name, value) for value in values_for(controls_of_name, dice, odd, must=name in required)]
        changed += values
        fields = [field for field in fields if field[0] != name] + values
    return fields, changed


def is_open(control: Tag) -> bool:
    """Whether a person can fill in a control. Labels are known in English, so nobody changes the language."""
    if control.name == "button" or control.get("type") in ("hidden", "submit", "file"):
        return False
    if str(control.get("name")).endswith("language"):
        return False
    return not control.has_attr("disabled") and control.find_parent("template") is None


def values_for(named: Sequence[Tag], dice: Random, odd: float, *, must: bool) -> list[str]:
    """Plausible or odd values for a control; several for boxes, all of those that ``must`` be ticked."""
    control = named[0]
    kind = "select" if control.name == "select" else str(control.get("type", "text"))
    if kind == "select":
        options = [option for option in control.select("option") if not option.has_attr("disabled")]
        return [str(option.get("value", words(option))) for option in [dice.choice(options)]] if options else []
    if kind == "radio":
        return [str(dice.choice(named).get("value", "on"))]
    if kind == "checkbox":
        return [str(box.get("value", "on")) for box in named if must or dice.random() < 0.5]
    if dice.random() < odd:
        return [dice.choice(ODD[control.has_attr("required") :])]
    if kind == "date":
        return [(date(2026, 12, 5) + timedelta(days=dice.randint(-20, 60))).isoformat()]
    if kind == "datetime-local":
        return [f"{date(2026, 12, 5) + timedelta(days=dice.randint(-20, 20))}T{dice.randint(0, 23):02}:00"]
    if kind == "number" or control.get("inputmode") == "numeric":
        return [str(dice.randint(0, 4))]
    return [dice.choice(("Nora", "Piper", "Reds", "A reason", *NAMES[:3]))]


def players_of(life: Life) -> Sequence[Player]:
    return life.stage.all(Player, event_id=life.event_id)
