"""Ids of one event are never accepted in another, and nobody can become another player."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from flask import Flask
from sqlalchemy import select
from sqlmodel import Session, SQLModel
from werkzeug.datastructures import MultiDict

from events.accounts import staff
from events.messages import announcements
from events.registration import ruling_views
from events.registration.forms import Given
from events.rounds import byes
from events.seasons import campaign_actions as campaigns
from events.standings import awards
from events.tournament.season import Season
from events.visitors.queries import link_token
from models.announcement import Announcement
from models.award import Award, AwardKind, AwardPick, Ruling, TeamRuling
from models.captured import followed, of_event
from models.event import Event, KeptApart, KeptWhen
from models.journal import ChangeSet, JournalEntry
from models.message import Delivery, Message
from models.play import ListSeal, Player, PlayerState
from models.staff import Invitation, Role, Staff
from models.team import Team, TeamMatch
from service.backups import back_up, folder_of
from service.restore import restore
from service.settings import Settings
from tests.chaos import broken
from tests.conftest import PUBLIC
from tests.kit.forces import sample_force
from tests.kit.people import let_in
from tests.kit.person import SIGN_UP, Enter, Person, controls, post_forms
from tests.kit.postgres import client_programs
from tests.kit.profiles import every_nth
from tests.kit.routes import filled
from tests.kit.stage import Stage
from tests.kit.team_events import decide_all, enter_teams, of_team, team_event
from tests.kit.writing import give_mail, write_to
from tests.seasons.earning import EARNING, playing, seeds

VERBS = {"/players/": "check-in", "/teams/": "drop"}
PAGES = ("desk/kept-apart", "desk/rulings", "desk/awards", "desk/messages/new?to=chosen", "desk/ready/playing",
         "desk/undo", "desk/teams", "desk/rounds/1", "desk/rounds/2", "desk/rounds/1/entry", "desk/rounds/1/results",
         "desk/journal", "desk/players", "desk/lists", "me", "me/votes", "me/boards", "me/game")  # fmt: skip
MISSING = {"/fielded/", "/card.jpg is not served"}
"""These events have no sideboard, and are not over."""
ID_FIELDS = re.compile(
    r"(\w+-)?(one|other|a|b|player|award|asked_by|chosen|for_id|seen|board\d+|match|pick|delivery|game|step)"
)
"""Fields of forms that hold the id of a row."""
KINDS = ("<int:player_id>", "<int:team_id>", "<int:game_id>", "<int:award_id>", "match", "delivery", "pick")
FAR = 77000
"""The first id of the other event's players and teams: larger than any number in a row of the first."""


@dataclass(frozen=True)
class Half:
    event: Event
    owner: Person
    ids: Mapping[str, str]


def half(app: Flask, stage: Stage, name: str, owner: str) -> Half:
    """An event of two teams with round 1 played, and a row of every kind that has an id."""
    event = team_event(stage, size=2)
    with stage.changing(event):
        event.name, event.slug = name, name.lower().replace(" ", "-")
        event.season = Season(days=7)
        event.campaign = {"settings": {"start": "10"}, "plan": {}, "seed": None}
    account = stage.hire(event, owner, Role.OWNER)
    reds, _ = enter_teams(stage, event, f"{name} Reds", f"{name} Blues")
    first, second = of_team(stage, event, reds)
    stage.force(event, first, sample_force("Survivors", 750, 4))
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    stage.do(event, campaigns.found_groups, seeds())
    stage.draw(event, 2)
    give_mail(stage, event)
    write_to(stage, event)
    for fined in (first, reds):
        stage.do(event, ruling_views.give_ruling, fined, Given("Late", points=-1))
    award = stage.do(event, awards.add_award, AwardKind.OWN, "Best moustache", None)
    stage.do(event, awards.name_winner, award, "", second.id, "Seen")
    stage.do(event, announcements.announce, "Lunch")
    stage.do(event, byes.keep_apart, first.id, second.id, KeptWhen.ALWAYS, None)
    stage.do(event, staff.invite, Role.JUDGE, account)
    person = let_in(app, account)
    person.http.get(f"/g/{stage.games(event, 1)[0].code}")  # and has opened a paper sheet of it

    def last(table: type[SQLModel]) -> str:
        return str(stage.all(table)[-1].id)  # type: ignore[attr-defined]

    ids = {
        "<int:player_id>": str(first.id), "<int:game_id>": str(stage.games(event, 1)[0].id),
        "<sha256>": stage.all(ListSeal, player_id=first.id)[0].sha256, "<int:team_id>": str(reds.id),
        "<int:message_id>": last(Message), "<int:pair_id>": last(KeptApart), "<int:ruling_id>": last(Ruling),
        "<int:award_id>": last(Award), "<int:change_set_id>": last(ChangeSet), "<int:entry_id>": last(JournalEntry),
        "<int:announcement_id>": last(Announcement), "<int:staff_id>": last(Staff),
        "<int:invitation_id>": last(Invitation), "team_ruling": last(TeamRuling), "match": last(TeamMatch),
        "delivery": last(Delivery), "pick": last(AwardPick), "other player": str(second.id),
    }  # fmt: skip
    return Half(event, person, ids)


def rows_of(stage: Stage, event: Event) -> list[str]:
    stage.s.rollback()
    tables = [table.select().where(of_event(table, event.id)).order_by(table.c.id) for table in followed()]
    return [repr(tuple(row)) for query in tables for row in stage.s.connection().execute(query)]


def strays(stage: Stage, event: Event) -> list[str]:
    """The rows of an event that refer to a row of the other."""
    stage.s.rollback()
    found = []
    for table in followed():
        for column in table.columns:
            for key in column.foreign_keys:
                if (target := key.column.table) in followed():
                    known = select(target.c.id).where(of_event(target, event.id))
                    query = select(table.c.id).where(of_event(table, event.id), column.not_in(known))
                    found += [f"{table.name}.{column.name} of {one}" for (one,) in stage.s.connection().execute(query)]
    return found


def addresses(app: Flask, method: str, own: Half, their: Half) -> Iterator[tuple[str, str]]:
    """Each address of an event that contains ids: with its own ids, and with one id of the other event."""
    for rule in app.url_map.iter_rules():
        of_teams = "of-teams" in rule.rule
        kinds = {name: "team_ruling" if of_teams else name for name in own.ids if name[0] == "<" and name in rule.rule}
        if "<slug>" not in rule.rule or not kinds or method not in (rule.methods or ()):
            continue
        if method == "POST" and rule.rule.startswith("/api/v1/"):
            continue  # by a token: tests/api
        verb = next((verb for part, verb in VERBS.items() if part in rule.rule), "up")
        plain = {"<slug>": own.event.slug, "<verb>": verb, "<format_id>": "ros"}
        mine = plain | {name: own.ids[kind] for name, kind in kinds.items()}
        for name, kind in kinds.items():
            yield filled(rule.rule, mine), filled(rule.rule, mine | {name: their.ids[kind]})


@pytest.fixture
def halves(app: Flask, stage: Stage) -> Iterator[tuple[Half, Half]]:
    with playing(EARNING):
        own = half(app, stage, "Iron Open", "Olga")
        with stage.changing(filler := stage.event("Filler")) as s:
            s.add(Player(id=FAR, event_id=filler.id, name="x", name_key="x", state=PlayerState.DROPPED,
                         registered_at=stage.clock()))  # fmt: skip
            s.add(Team(id=FAR, event_id=filler.id, name="x", name_key="x"))
        yield own, half(app, stage, "Rust Cup", "Rita")


def trespass(app: Flask, stage: Stage, own: Half, their: Half, part: str = "") -> list[str]:
    """Request the second event's rows at every address of the first that contains ids; returns wrong answers."""
    wrong = []
    token = str(own.owner.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    for method, data in (("GET", None), ("POST", {"csrf_token": token})):
        for mine, theirs in (pair for pair in addresses(app, method, own, their) if part in pair[0]):
            if (status := own.owner.ask(method, theirs, data).status_code) != 404:
                wrong.append(f"{method} {theirs}: {status}")
            if method == "GET" and own.owner.ask(method, mine).status_code not in (200, 302):
                wrong.append(f"{mine} is not served either")
    return wrong + ["something was changed"] * (stage.digest() != before)


@pytest.mark.proves("attack 6", "ASVS 8.2.2", "ASVS 8.4.1")
def test_no_address_of_one_event_opens_a_row_of_the_other(app: Flask, stage: Stage, halves: tuple[Half, Half]) -> None:
    own, their = halves
    wrong = trespass(app, stage, own, their)
    assert [text for text in wrong if not any(part in text for part in MISSING)] == []
    assert all(len([*addresses(app, method, own, their)]) > 15 for method in ("GET", "POST"))
    # The control: a build that looks rows up by their id alone.
    with broken.build("any_event"):
        wrong = trespass(app, stage, own, their, "/players/")
    assert len([text for text in wrong if text.endswith("200")]) > 3, wrong


@pytest.mark.proves("attack 6", "ASVS 8.2.2", "ASVS 8.4.1")
@every_nth(2, 2)
def test_no_form_of_one_event_accepts_a_row_of_the_other(
    app: Flask, stage: Stage, halves: tuple[Half, Half], step: int
) -> None:
    own, their = halves
    player = Person(app)
    player.open(f"/p/{link_token(app.secret_key, stage.one(Player, id=int(own.ids['<int:player_id>'])))}")
    there = rows_of(stage, their.event)
    sent = []
    for person in (own.owner, player):
        pages = [mine for mine, _ in addresses(app, "GET", own, their)]
        pages += [f"/e/{own.event.slug}/{page}" for page in PAGES]
        for form, action in (
            post_form for page in [*dict.fromkeys(pages)][::step] for post_form in post_forms(person, page)
        ):
            fields = controls(form)
            for field in {str(tag["name"]) for tag in form.select("[name]") if ID_FIELDS.fullmatch(str(tag["name"]))}:
                for button in form.select("button"):
                    if str(button.get("formaction")).startswith("#"):
                        continue  # of the builder: it names places in the list
                    press = [(str(button["name"]), str(button.get("value", "")))] if button.get("name") else []
                    rest = [(key, value) for key, value in fields if key != field]
                    for id_ in dict.fromkeys(their.ids[kind] for kind in KINDS):
                        data = MultiDict([*rest, *press, (field, id_)])
                        answer = person.http.post(str(button.get("formaction") or action), data=data)
                        assert answer.status_code < 500
                        assert their.event.name not in answer.text, (action, field)
                        sent.append((action, field))
    assert rows_of(stage, their.event) == there
    assert strays(stage, own.event) == []
    assert [row for row in rows_of(stage, own.event) if re.search(r"\b7700\d\b", row)] == []
    assert len(set(sent)) > 10 // step, sorted(set(sent))


REGISTER = "/e/iron-open/register"
ME = "/e/iron-open/me"
LINK = "/e/iron-open/me/link"


def sign_up_form(person: Person, address: str = REGISTER) -> dict[str, str]:
    return dict(controls(person.open(address).soup.select("main form")[0]))


def send(person: Person, fields: dict[str, str] | list[tuple[str, str]], address: str = REGISTER) -> int:
    return person.http.post(address, data=MultiDict(fields)).status_code


def signed_in_as(person: Person) -> str:
    """The player whose page the browser shows; "" if none."""
    page = person.open(ME)
    return page.part("h1") if page.status == 200 else ""


def register(app: Flask, name: str) -> Person:
    person = Person(app)
    assert person.press(SIGN_UP, at=REGISTER, name=name).path.endswith("/me/link")
    return person


@pytest.mark.proves("attack 51", "attack 52")
@pytest.mark.both_at_length
def test_key_signs_in_only_the_player_it_entered(app: Flask, stage: Stage, event: Event) -> None:
    """The row decides instead of the name: after a rename, another player may have the submitted name."""
    stage.event("Rust Cup")
    victoria, attacker, copying = Person(app), Person(app), Person(app)
    first = sign_up_form(victoria) | {"name": "Victoria"}
    assert send(victoria, first) == 302
    form = sign_up_form(attacker, "/e/rust-cup/register") | {"name": "Victoria"}
    assert send(attacker, form, "/e/rust-cup/register") == 302
    assert send(attacker, form) == 422, "the name is taken in the first event"
    assert send(copying, first | {"csrf_token": sign_up_form(copying)["csrf_token"]}) == 422
    assert (signed_in_as(attacker), signed_in_as(copying), bool(signed_in_as(victoria))) == ("", "", True)
    form = sign_up_form(attacker) | {"name": "Mallory"}

    def forget() -> None:
        with attacker.http.session_transaction() as cookie:
            cookie.pop("players", None)

    assert send(attacker, form) == 302
    forget()
    assert send(attacker, form | {"name": "Victoria"}) == 422
    assert signed_in_as(attacker) == ""
    mallory = stage.one(Player, name="Mallory")
    stage.set(event, mallory, name="Mallory B", name_key="mallory b")
    stage.enter(event, "Mallory")
    assert send(attacker, form) == 302
    with attacker.http.session_transaction() as cookie:
        assert cookie["players"][str(event.id)][0] == mallory.id


@pytest.mark.proves("attack 53")
@pytest.mark.both_at_length
def test_restore_ends_every_session_and_keeps_only_links_of_its_players(
    app: Flask, stage: Stage, event: Event, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")

    def link_of(person: Person) -> str:
        return person.open(LINK).part(".copy-text").removeprefix(PUBLIC)

    ada, lost_phone = register(app, "Ada"), Person(app)
    kept = link_of(ada)
    lost_phone.open(kept)
    stage.s.rollback()
    backup = back_up(stage.engine, folder_of(settings.data), "asked", stage.clock())
    with lost_phone.http.session_transaction() as cookie:
        copied = dict(cookie)
    assert lost_phone.post(f"{ME}/forget").status_code == 302
    xavier = register(app, "Xavier")
    lost, row = link_of(xavier), stage.one(Player, name="Xavier").id

    stage.s.close()
    for engine in (stage.engine, app.extensions["overseer_engine"]):
        engine.dispose()
    stage.clock.advance(minutes=1)
    assert restore(settings, backup.path, stage.clock).broken == []
    stage.s = Session(stage.engine, expire_on_commit=False)

    register(app, "Yvonne")
    assert stage.one(Player, name="Yvonne").id == row, "the control: the row id is used again"
    assert Person(app).open(lost).status == 404
    with lost_phone.http.session_transaction() as cookie:
        cookie.update(copied)
    assert [signed_in_as(person) for person in (xavier, lost_phone, ada)] == ["", "", ""]
    assert Person(app).open(kept).path == ME, "a link on a printed badge still opens its page"


@pytest.mark.proves("attack 63")
def test_another_players_link_asks_before_it_changes_who_is_signed_in(
    app: Flask, stage: Stage, event: Event, enter: Enter, link_of: Callable[[Player], str]
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    own, bo = (link_of(stage.one(Player, name=name)) for name in ("Ada", "Bo"))
    assert ada.open(own).path == ME, "her own link asks nothing"
    page = ada.open(bo)
    assert (page.status, page.path) == (200, "/switch-player"), "no token stays in the address bar"
    assert "Bo" in page.part("h1") and "Ada" in page.text
    assert "Ada" in ada.open(LINK).text, "nothing has changed yet"
    assert ada.press("Continue as Bo", at=bo).path == ME
    assert "Bo" in ada.open(LINK).text
