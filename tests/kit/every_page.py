"""Events in every state that changes a page, their staff, and the address of every page."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from flask import Flask, url_for

from events.accounts import staff
from events.desk.readiness import KINDS
from events.messages import announcements
from events.public import clock
from events.public.projector import VIEWS
from events.setup import actions as setup_actions
from events.setup.pairing_actions import set_format
from events.setup.pairing_forms import set_season
from events.tournament.season import Season
from models.event import Event, Round, RoundState
from models.join_code import JoinCode
from models.journal import ChangeSet
from models.message import Message
from models.people import Account
from models.play import Game, Player, ReportSide
from models.settings import EventFormat
from models.staff import Invitation, Role
from models.team import Team
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, team_event
from tests.kit.writing import write_to
from validators import SYSTEMS

STAFF = {"owner": Role.OWNER, "judge": Role.JUDGE, "scorekeeper": Role.SCOREKEEPER}
LONG = "Maximiliane von Hohenlohe-Langenburg"
NAMES = (LONG, "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
VERBS = ("start", "draw", "publish", "open", "close", "check-in", "drop", "renew-link", "usual")
"""Values of the variable ``verb`` in addresses."""
ASKED = {
    "sheet.enter_sheet": ("table=99", "table=1", "table=3"),
    "desk.search_page": ("q=bo", "q=nobody"),
    "print.room": ("paper=a4&each=2&back=reference", "paper=a5"),
    "journal.journal_page": ("words=round",),
}
"""Query arguments that change an address's page."""


def made(stage: Stage, called: Callable[[str], str] = str) -> list[Event]:
    """Create events in different states. ``called`` is applied to each typed name and text."""

    names = [called(name) for name in NAMES]
    draft = stage.event(called("Not yet open"), draft=True)
    opened = stage.event(called("Open for all"))
    piper, *_ = stage.enter(opened, *names, here=False)
    stage.force(opened, piper, read_force(PIPER | {"cards": [{"kind": "Quest", "name": called("X")}]}), submit=False)
    with stage.changing(opened) as s:
        s.add(JoinCode(event_id=opened.id, label=called("Members"), uses=20, made_at=stage.clock()))
    drawn = stage.event(called("Drawn"))
    stage.enter(drawn, *names)
    stage.draw(drawn, 1)
    running = stage.event(called("Running"))
    piper, bo, *_ = stage.enter(running, *names, club=called("A club of very many words, founded in 1887"))
    stage.force(running, piper, read_force(PIPER))
    stage.force(running, bo, read_force(PIPER | {"cards": [{"kind": "Quest", "name": called("X")}]}), submit=False)
    stage.play(running, 1)
    stage.enter(running, called("Came late"))
    a_game, other, *_ = stage.publish(running, 2)
    for game, side, a, b in ((a_game, "A", 3, 1), (other, "A", 3, 1), (other, "B", 1, 3)):
        stage.report(running, game, ReportSide[side], {"a.objectives": a, "b.objectives": b})
    stage.do(running, clock.start_round_clock, 2)
    write_to(stage, running, called("Hello {name}, lunch is at 13:00."), subject=called("Lunch"), mail=False)
    stage.do(running, announcements.announce, called("Food is ready at the bar until two o'clock."))
    over = stage.event(called("Over"), rounds=1)
    stage.enter(over, *names)
    stage.play(over, 1)
    stage.do(over, setup_actions.finish)
    events = [draft, opened, drawn, running, over]
    teams = team_event(stage, tables=8)
    enter_teams(stage, teams, *(called(name) for name in ("Reds", "Blues", "Greens", "Yellows")))
    stage.publish(teams, 1)
    events.append(teams)
    for name, form in (("All meet", EventFormat.ROUND_ROBIN), ("Bracket", EventFormat.KNOCKOUT)):
        event = stage.event(called(name), rounds=1)
        stage.do(event, set_format, format=form)
        if form == EventFormat.ROUND_ROBIN:
            stage.do(event, set_season, Season())
        stage.enter(event, *names)
        stage.publish(event, 1)
        events.append(event)
    for event in events:
        for name, role in STAFF.items():
            stage.hire(event, name, role)
    owner = stage.one(Account, name="owner")
    stage.do(running, staff.invite, Role.SCOREKEEPER, owner)
    with stage.changing(running):
        owner.runs_club = True
    return events


def addresses(app: Flask, stage: Stage, events: list[Event], method: str = "GET") -> Iterator[tuple[str, str]]:
    """Every endpoint that accepts the method, with each of its addresses for the events' rows."""
    general: dict[str, list[Any]] = {
        "system_id": [*SYSTEMS], "edition_id": ["2018-08"], "calculator_id": ["attack", "burst"], "view": [*VIEWS],
        "scenario_id": ["hold-the-line"], "format_id": ["txt"], "verb": [*VERBS], "round_number": [1],
        "filename": ["overseer.css"], "colour": ["2f6f4f"],
    }  # fmt: skip
    general |= {key: ["made-up"] for key in ("code", "token", "sha256", "digest")}
    general |= {key: [1] for key in ("announcement_id", "award_id", "entry_id", "pair_id", "ruling_id", "staff_id")}
    made_of = {event.slug: rows_of(stage, event) for event in events}
    for rule in app.url_map.iter_rules():
        if method not in (rule.methods or ()) or rule.endpoint == "static":
            continue
        wanted = sorted(rule.arguments - (rule.defaults or {}).keys())
        with app.test_request_context():
            for values in made_of.values() if "slug" in rule.arguments else [{}]:
                for chosen in product(*((general | values).get(name, []) for name in wanted)):
                    address = url_for(rule.endpoint, **dict(zip(wanted, chosen, strict=True)))
                    yield rule.endpoint, address
                    for asked in ASKED.get(rule.endpoint, ()):
                        yield rule.endpoint, f"{address}?{asked}"


def rows_of(stage: Stage, event: Event) -> dict[str, list[Any]]:
    """The values of an event's rows in addresses, by variable."""
    rounds = stage.all(Round, event_id=event.id)
    played = [r.id for r in rounds if r.state == RoundState.PUBLISHED]
    return {
        "slug": [event.slug],
        "number": [r.number for r in rounds][:2],
        "player_id": [p.id for p in stage.all(Player, event_id=event.id)][:2],
        "code_id": [c.id for c in stage.all(JoinCode, event_id=event.id)][:1],
        "team_id": [t.id for t in stage.all(Team, event_id=event.id)][:1],
        "game_id": [g.id for g in stage.all(Game) if g.round_id in played[-1:] and g.b_id is not None],
        "message_id": [m.id for m in stage.all(Message, event_id=event.id)],
        "invitation_id": [i.id for i in stage.all(Invitation, event_id=event.id)],
        "change_set_id": [c.id for c in stage.all(ChangeSet, event_id=event.id)][-2:],
        "key": [*KINDS],
    }
