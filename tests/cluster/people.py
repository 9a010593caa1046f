"""The people of the trial: an organiser at the desk, and players whose phones report, read and send again."""

import json
import random
import re
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from urllib.parse import urlencode

from bs4 import BeautifulSoup

from tests.cluster.ledger import REFUSED, SAVED, Ledger, Sent
from tests.cluster.visiting import Page, Visitor
from tests.kit.person import controls, words

ATTEMPTS = 60
"""So often a report is sent at most; the last tries are a minute apart."""
FIRST_WAIT, LONGEST_WAIT = 2.0, 60.0
"""Seconds between tries: twice as long each time, a quarter more or less (events/web/static/outbox.js)."""
PATIENCE = 20.0
KEYS = ("key", "idempotency_key")
FORM = re.compile(r'<form[^>]*data-outbox="[^"]*/report".*?</form>', re.S)
OUTBOX = re.compile(r'data-outbox="[^"/]*/\d+/(\d+)/report"')
LINK = re.compile(r'/p/[^"\s<&]+')
DEMANDED = 3
"""The least figures per field that are used: 0, 1 and 2 where a field has them."""


@dataclass
class Table:
    """A game, whose two phones report one after the other."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    count: int = 0


@dataclass
class Hall:
    """The event, its phones, and everything that they sent."""

    slug: str
    ledger: Ledger
    dice: random.Random
    phones: list["Phone"] = field(default_factory=list)
    tables: dict[int, Table] = field(default_factory=lambda: defaultdict(Table))
    over: threading.Event = field(default_factory=threading.Event)
    round: int = 0
    pages: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Pages that were read, by their status or by what cut them off."""

    def play(self) -> list[threading.Thread]:
        """Let every phone work in a thread of its own until ``over`` is set."""
        self.over.clear()
        threads = [threading.Thread(target=phone.work, daemon=True) for phone in self.phones]
        for one in threads:
            one.start()
        return threads


class Phone(Visitor):
    """A player's phone, signed in by the private link."""

    def __init__(self, host: str, hall: Hall, player: int, pause: float) -> None:
        """The phone of a player, which does something every ``pause`` seconds, more or less."""
        super().__init__(host)
        self.hall, self.player, self.pause = hall, player, pause
        self.dice = random.Random(hall.dice.randrange(2**32))
        self.known, self.game = 0, 0
        """A round, and the id of this player's game in it."""

    def work(self) -> None:
        """Read and report until the hall is over; a report that was sent once is sent until it is answered."""
        self.hall.over.wait(self.dice.uniform(0, self.pause))
        while not self.hall.over.is_set():
            chosen = self.dice.random()
            if chosen < 0.3:
                self.read(f"/e/{self.hall.slug}/me")
            elif chosen < 0.6:
                self.read(f"/e/{self.hall.slug}/rounds/{self.hall.round}")
            else:
                self.report()
            self.hall.over.wait(self.dice.uniform(0.5, 1.5) * self.pause)

    def read(self, path: str) -> Page | None:
        """A page, or None where none came."""
        try:
            page = self.open(path, timeout=PATIENCE)
        except (OSError, HTTPException) as cut:
            self.hall.pages[type(cut).__name__] += 1
            return None
        self.hall.pages[str(page.status)] += 1
        return page

    def report(self, final: int | None = None) -> str:
        """Report this phone's game with figures that it never had, or with ``final``; what became of it."""
        table = self._table()
        if table is None or not table.lock.acquire(blocking=final is not None):
            return ""  # no game, or the opponent is reporting
        try:
            form = self._form()
            if not form:
                return ""
            table.count += final is None
            return self._send(form, table.count if final is None else final)
        finally:
            table.lock.release()

    def _table(self) -> Table | None:
        """The table of this round's game."""
        if self.known != self.hall.round and (form := self._form()):
            self.known, self.game = self.hall.round, int(OUTBOX.findall(form)[0])
        return self.hall.tables[self.game] if self.known == self.hall.round else None

    def _form(self) -> str:
        """The form of this phone's game as the page has it now; "" where none came."""
        page = self.read(f"/e/{self.hall.slug}/me/game")
        found = FORM.search(page.body) if page and page.status == 200 else None
        return found.group() if found else ""

    def _send(self, form: str, number: int) -> str:
        soup = BeautifulSoup(form, "html.parser").form
        assert soup is not None
        fields = dict(controls(soup))
        offered: dict[str, list[int]] = defaultdict(list)
        for radio in soup.find_all("input", type="radio"):
            if str(radio.get("value")).isdecimal():
                offered[str(radio["name"])].append(int(str(radio["value"])))
        figures: dict[str, int] = {}
        for name, values in sorted(offered.items()):
            number, place = divmod(number, min(len(values), DEMANDED))
            figures[name] = sorted(values)[place]
        key = secrets.token_urlsafe(18)
        fields |= {name: str(value) for name, value in figures.items()} | {"sure": "y"}
        fields |= {name: key for name in KEYS if name in fields}
        one = Sent(self.game, self.player, key, figures)
        self.hall.ledger.add(one)
        for attempt in range(ATTEMPTS):
            if self._answered(one, fields):
                return one.state
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt + 1, 8))
            time.sleep(wait * self.dice.uniform(0.75, 1.25))
        return one.state

    def _answered(self, one: Sent, fields: dict[str, str]) -> bool:
        """Send it once; whether the answer says what became of it."""
        headers = {"X-Outbox": "1", "X-Outbox-Key": one.key, "Accept": "application/json"}
        one.tries, one.tried_at = one.tries + 1, time.monotonic()
        try:
            path = f"/e/{self.hall.slug}/me/game"
            answer = self.ask("POST", path, urlencode(fields), headers, timeout=PATIENCE)
            said = json.loads(answer.body)
        except (OSError, HTTPException, ValueError) as cut:
            self.hall.ledger.other_answers[type(cut).__name__] += 1
            return False
        state = said.get("state") if isinstance(said, dict) and said.get("key") == one.key else None
        if state == "token":
            fields["csrf_token"] = said["csrf"]
        if state == SAVED and answer.status == 200:
            one.answered_at, one.state = time.monotonic(), SAVED
        elif state == REFUSED:
            one.answered_at, one.state = time.monotonic(), REFUSED
        else:
            self.hall.ledger.other_answers[str(answer.status)] += 1
        return one.state in (SAVED, REFUSED)


class Organiser(Visitor):
    """The desk."""

    def set_up(self, link: str, name: str, players: int, ledger: Ledger, dice: random.Random, pause: float) -> Hall:
        """Make an event of so many players, all checked in and with their phones at hand."""
        page = self.open(link)
        self.submit(page, "Set up and sign in", name="Olga", password="three words to remember")
        page = self.open("/desk/new")
        today = time.strftime("%Y-%m-%d")
        page = self.submit(page, "Create event", name=name, place="Old Mill", starts_on=today, timezone="UTC",
                           places="")  # fmt: skip
        slug = page.path.split("/")[2]
        self.submit(page, "Open registration")
        names = "\n".join(f"Player {number}" for number in range(1, players + 1))
        page = self.open(f"/e/{slug}/desk/players")
        page = self.submit(page, "Add all", **{"p-names": names})
        presses = [str(b.get("formaction", "")) for b in page.soup.find_all("button") if words(b) == "Check in"]
        presses = [press for press in presses if press]
        token = page.soup.find(None, {"name": "csrf_token"})
        assert len(presses) == players and token is not None, f"{len(presses)} of {players} players can be checked in"
        sent = urlencode({"csrf_token": str(token["value"])})
        hall = Hall(slug, ledger, dice)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda press: self.ask("POST", press, sent), presses))
            hall.phones = list(pool.map(lambda press: self._phone(hall, press.rsplit("/", 1)[0], pause), presses))
        return hall

    def _phone(self, hall: Hall, page: str, pause: float) -> Phone:
        found = LINK.search(self.open(page).body)
        assert found is not None, f"no private link on {page}"
        phone = Phone(self.host, hall, int(page.rsplit("/", 1)[1]), pause)
        assert phone.open(found.group()).status == 200
        return phone

    def draw(self, hall: Hall, number: int) -> None:
        """Draw a round."""
        page = self.open(f"/e/{hall.slug}/desk/rounds/{number}")
        self.submit(page, f"Draw round {number}")

    def publish(self, hall: Hall, number: int) -> float:
        """Publish a drawn round; when that was acknowledged."""
        page = self.open(f"/e/{hall.slug}/desk/rounds/{number}")
        button = next(b for b in page.soup.find_all("button") if words(b) == f"Publish round {number}")
        form = button.find_parent("form")
        assert form is not None
        path = str(button.get("formaction") or form["action"])
        answer = self.ask("POST", path, urlencode(controls(form)), timeout=60)
        assert answer.status in (302, 303), f"publishing was answered {answer.status}"
        hall.round = number
        return time.monotonic()


def finish_round(hall: Hall) -> Sequence[str]:
    """Let both players of each table report the same; what became of these reports."""
    final = 3**6
    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(lambda phone: phone.report(final), hall.phones))
