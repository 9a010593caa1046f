"""Every page before axe, on a phone and on a desk, by day and by night.

Run: ``python benchmarks/accessibility.py [--who owner] [--size phone]``, from the checkout. Events in eight states are
made by the actions and served as they ship. The addresses come from the application's own map of addresses, with the
rows of each event filled in; an owner, a judge, a scorekeeper, a player and anybody open them (anybody also sees what a
projector shows). Each page is judged: axe's findings that are serious or critical, by day and by night; wider than the
screen; on a phone targets under 44 points; one h1, a title, a language. A page whose elements, classes and marks are
those of one judged before is opened and measured, and not given to axe again. Said at the end: which addresses showed
nobody a page.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from flask import url_for
from playwright.sync_api import BrowserContext, Page, sync_playwright

import migrations
from app import build_pages
from events.actions import announcements, clock, messages, results, staff
from events.actions import events as event_actions
from events.actions.format_settings import FormatSettings, set_format
from events.hall import VIEWS
from events.readiness import KINDS
from models.db import open_engine
from models.event import Event, EventFormat, Round, RoundState
from models.journal import ChangeSet
from models.message import Message
from models.people import Account
from models.play import Game, Player, ReportSide
from models.staff import Invitation, Role
from models.team import Team
from tests.actions.stage import BY, PASSWORD, Stage
from tests.actions.team_events import enter_teams, team_event
from tests.browser.conftest import CHROMIUMS
from tests.browser.hall_day import private_links
from tests.browser.server import serving
from tests.browser.test_browser_pages_fit import AXE, LEAST_TARGET, RULES, SIZES, TOO_SMALL
from tests.conftest import Clock
from tests.forces import read_force
from tests.views.test_forces import PIPER
from validators import SYSTEMS

STAFF = {"owner": Role.OWNER, "judge": Role.JUDGE, "scorekeeper": Role.SCOREKEEPER}
WHO = (*STAFF, "player", "anybody")
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
LONG = "Maximiliane von Hohenlohe-Langenburg"
NAMES = (LONG, "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
ASKED = {
    "sheet_entry.enter": ("table=99", "table=1", "table=3"),
    "sheet_entry.verify": ("table=99", "table=1"),
    "search.page": ("q=bo", "q=nobody"),
    "prints.room": ("paper=a4&each=2", "paper=a5"),
    "journal.page": ("words=round",),
}
"""What an address is asked besides, where its page becomes another one by it."""
BUILD = """() => {
  const marks = new Set();
  for (const part of document.querySelectorAll("body, body *"))
    marks.add([part.localName, part.className.baseVal ?? part.className, part.getAttribute("role"), part.type,
      ...part.getAttributeNames().filter(name => name.startsWith("aria-"))].join(" "));
  return [...marks].sort().join("|");
}"""
"""What a page is built of, without its words."""
FRAME = """() => [document.documentElement.lang, document.title, document.querySelectorAll("h1").length,
  document.documentElement.scrollWidth]"""


@dataclass
class Found:
    """What the sweep has seen and found."""

    wrong: int = 0
    seen: set[str] = field(default_factory=set)
    """Endpoints that somebody was shown a page of."""
    opened: int = 0
    judged: int = 0
    builds: set[tuple[str, str, str]] = field(default_factory=set)

    def tell(self, what: str) -> None:
        """A finding, said at once."""
        self.wrong += 1
        print(what, flush=True)


def made(stage: Stage) -> list[Event]:
    """Events at the moments when their pages differ most."""
    draft = stage.event("Not yet open", draft=True)
    opened = stage.event("Open for all")
    piper, *_ = stage.enter(opened, *NAMES, here=False)
    stage.force(opened, piper, read_force(PIPER | {"cards": [{"kind": "Quest", "name": "X"}]}), submit=False)
    drawn = stage.event("Drawn")
    stage.enter(drawn, *NAMES)
    stage.draw(drawn, 1)
    running = stage.event("Running")
    piper, bo, *_ = stage.enter(running, *NAMES, club="A club of very many words, founded in 1887")
    stage.force(running, piper, read_force(PIPER))
    stage.force(running, bo, read_force(PIPER | {"cards": [{"kind": "Quest", "name": "X"}]}), submit=False)
    stage.play(running, 1)
    stage.enter(running, "Came late")
    one, other, *_ = stage.publish(running, 2)
    reported(stage, running, one, ReportSide.A, 3, 1)
    reported(stage, running, other, ReportSide.A, 3, 1)
    reported(stage, running, other, ReportSide.B, 1, 3)
    with stage.changing(running) as s:
        clock.start(s, running, 2, BY, stage.clock())
        messages.send(
            s, running, messages.Draft("all", "Lunch", "Hello {name}, lunch is at 13:00."), "", 100, BY, stage.clock()
        )
        announcements.announce(s, running, "Food is ready at the bar until two o'clock.", BY, stage.clock())
    over = stage.event("Over", rounds=1)
    stage.enter(over, *NAMES)
    stage.play(over, 1)
    with stage.changing(over) as s:
        event_actions.finish(s, over, BY, stage.clock())
    events = [draft, opened, drawn, running, over]
    teams = team_event(stage, tables=8)
    enter_teams(stage, teams, "Reds", "Blues", "Greens", "Yellows")
    stage.publish(teams, 1)
    events.append(teams)
    for name, form in (("All meet", EventFormat.ROUND_ROBIN), ("Bracket", EventFormat.KNOCKOUT)):
        event = stage.event(name, rounds=1)
        with stage.changing(event) as s:
            set_format(s, event, FormatSettings(form), BY, stage.clock())
        stage.enter(event, *NAMES)
        stage.publish(event, 1)
        events.append(event)
    for event in events:
        for name, role in STAFF.items():
            stage.hire(event, name, role)
    owner = stage.one(Account, name="owner")
    with stage.changing(running) as s:
        staff.invite(s, running, Role.SCOREKEEPER, owner, BY, stage.clock())
        owner.runs_club = True
    return events


def reported(stage: Stage, event: Event, game: Game, side: ReportSide, a: int, b: int) -> None:
    """One side's report."""
    game = stage.now(game)
    with stage.changing(event) as s:
        answers = {"a.objectives": a, "b.objectives": b}
        results.report(s, event, game, side, answers, version=game.version, sure=True, by=BY, now=stage.clock())


def addresses(stage: Stage, events: list[Event]) -> Iterator[tuple[str, str]]:
    """Every endpoint that can be opened, with each address that the rows make of it."""
    app = build_pages()
    general = {"system_id": [*SYSTEMS], "edition_id": ["2018-08"], "calculator_id": ["attack", "burst"],
               "view": VIEWS, "scenario_id": ["hold-the-line"], "format_id": ["txt"], "verb": ["start"]}  # fmt: skip
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint == "static":
            continue
        for event in events if "slug" in rule.arguments else [None]:
            values = dict(general)
            if event is not None:
                played = [r.id for r in stage.all(Round, event_id=event.id) if r.state == RoundState.PUBLISHED]
                values |= {
                    "slug": [event.slug],
                    "number": [r.number for r in stage.all(Round, event_id=event.id)][:2],
                    "player_id": [p.id for p in stage.all(Player, event_id=event.id)][:2],
                    "team_id": [t.id for t in stage.all(Team, event_id=event.id)][:1],
                    "game_id": [g.id for g in stage.all(Game) if g.round_id in played[-1:] and g.b_id is not None],
                    "message_id": [m.id for m in stage.all(Message, event_id=event.id)],
                    "invitation_id": [i.id for i in stage.all(Invitation, event_id=event.id)],
                    "change_set_id": [c.id for c in stage.all(ChangeSet, event_id=event.id)][-2:],
                    "key": [*KINDS],
                }
            wanted = sorted(rule.arguments)
            with app.test_request_context():
                for chosen in product(*(values.get(name, []) for name in wanted)):
                    address = url_for(rule.endpoint, **dict(zip(wanted, chosen, strict=True)))
                    yield rule.endpoint, address
                    for asked in ASKED.get(rule.endpoint, ()):
                        yield rule.endpoint, f"{address}?{asked}"


def look(page: Page, endpoint: str, address: str, sizes: list[str], who: str, found: Found) -> None:
    """Open one address at each size and judge it, by day and by night where nothing built like it was judged."""
    answer = page.request.get(address, max_redirects=0)
    if answer.status >= 500:
        found.tell(f"{who}: {address}: {answer.status}")
    if answer.status != 200 or "html" not in answer.headers.get("content-type", ""):
        return
    found.seen.add(endpoint)
    for size in sizes:
        page.set_viewport_size(SIZES[size]["viewport"])
        page.goto(address)
        found.opened += 1
        where = f"{who}, {size}: {address}"
        told = page.evaluate(FRAME)
        if not told[0] or not told[1] or told[2] != 1:
            found.tell(f"{where}: language {told[0]!r}, title {told[1]!r}, {told[2]} h1")
        if told[3] > SIZES[size]["viewport"]["width"]:
            found.tell(f"{where}: {told[3]} wide")
        if size == "phone":
            for small in page.evaluate(TOO_SMALL, LEAST_TARGET):
                found.tell(f"{where}: {small}")
        build = (endpoint, size, page.evaluate(BUILD))
        if build in found.builds:
            continue
        found.builds.add(build)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found.judged += 1
            for finding in AXE.run(page, options=RULES).response["violations"]:
                if finding["impact"] in ("serious", "critical"):
                    targets = [node["html"][:120] for node in finding["nodes"][:3]]
                    found.tell(f"{where}, {scheme}: {finding['id']}: {finding['help']}: {targets}")


def arrives(context: BrowserContext, who: str, links: list[str]) -> Page:
    """Sign in, open the private links, or just come."""
    page = context.new_page()
    if who in STAFF:
        page.goto("/sign-in")
        page.get_by_label("Name").fill(who)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/desk")
    elif who == "player":
        for link in links:
            page.goto(link)
    return page


def main() -> None:
    """Sweep, print what was found, and end with 1 where there was anything."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--who", nargs="+", choices=WHO, default=WHO)
    parser.add_argument("--size", nargs="+", choices=sorted(SIZES), default=sorted(SIZES))
    chosen = parser.parse_args()
    began, found = time.monotonic(), Found()
    with tempfile.TemporaryDirectory(prefix="overseer-axe-") as folder, sync_playwright() as playwright:
        engine = open_engine(f"sqlite:///{Path(folder) / 'overseer.sqlite3'}")
        migrations.upgrade(engine)
        stage = Stage(engine, Clock(datetime.now(UTC)))
        events = made(stage)
        there = list(addresses(stage, events))
        slugs = [event.slug for event in events if stage.all(Player, event_id=event.id)]
        stage.s.close()
        engine.dispose()
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        with serving(Path(folder)) as server:
            owner = arrives(browser.new_context(base_url=server.address), "owner", [])
            links = [next(iter(private_links(owner, f"/e/{slug}").values())) for slug in slugs]
            for who in chosen.who:
                context = browser.new_context(base_url=server.address, locale="en-GB")
                page = arrives(context, who, links)
                for endpoint, address in there:
                    look(page, endpoint, address, chosen.size, who, found)
                context.close()
                print(f"{who}: {found.opened} pages opened, {found.judged} times judged by axe, "
                      f"{found.wrong} findings, {time.monotonic() - began:.0f} s", flush=True)  # fmt: skip
        browser.close()
    if not found.wrong:
        print("0 serious or critical findings, nothing too wide, no target too small.")
    print("No page:", ", ".join(sorted({endpoint for endpoint, _ in there} - found.seen)))
    sys.exit(1 if found.wrong else 0)


def chromium() -> str:
    """The system's browser."""
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    return found or sys.exit("No browser was found.")


if __name__ == "__main__":
    main()
