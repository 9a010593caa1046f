"""The captain's code: without it nobody joins a team by typing its name, and nobody who left reads its board order."""

from collections.abc import Callable

import pytest
from flask import Flask

from models.event import BoardsMatched, Event
from models.play import Player
from models.team import Team
from tests.conftest import Clock
from tests.kit.lost_server import organiser
from tests.kit.person import Page, Person
from tests.kit.secrecy import addresses, archive_lines
from tests.kit.stage import Stage
from tests.kit.team_events import choose, enter_teams, matches_in, of_team, team_event
from tests.setup.test_archive_pages import TAKE_IN

Links = Callable[[Player], str]
ME, REGISTER = "/e/iron-open/me", "/e/iron-open/register"


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event of teams of three; nobody is entered yet."""
    return team_event(stage, boards=BoardsMatched.CHOICE)


def register(person: Person, name: str, team: str, code: str = "") -> Page:
    """Fill in the registration form."""
    person.open(REGISTER)
    return person.press("Register", name=name, team=team, **({"team_code": code} if code else {}))


def browser(app: Flask, link_of: Links, player: Player) -> Person:
    """A player's own browser."""
    person = Person(app)
    person.open(link_of(player))
    return person


@pytest.mark.proves("attack 69")
@pytest.mark.both_databases
def test_typed_team_name_without_its_code_enters_nobody(app: Flask, stage: Stage, event: Event) -> None:
    assert register(Person(app), "Ann", "Reds").path == f"{ME}/link"
    before = stage.digest()
    stranger = Person(app)
    page = register(stranger, "Eve", "reds")
    assert (page.status, [one.name for one in stage.all(Player)]) == (422, ["Ann"])
    assert page.error_at("team_code") == (
        "The team Reds exists already. Type its code: your captain has it. Or start a team of another name."
    )
    assert (page.value("name"), page.value("team")) == ("Eve", "reds")
    assert stage.digest() == before


@pytest.mark.proves("attack 69")
@pytest.mark.both_databases
def test_wrong_code_is_refused_at_its_field_and_the_right_one_joins(app: Flask, stage: Stage, event: Event) -> None:
    ann = Person(app)
    register(ann, "Ann", "Reds")
    reds = stage.one(Team)
    code = ann.open(ME).part("#team-code .code")
    assert code == f"{reds.code[:4]}-{reds.code[4:]}"
    bo = Person(app)
    other = "2" * 8 if reds.code != "2" * 8 else "3" * 8
    for wrong in (other, "x", reds.code[:7], "é" * 8):
        page = register(bo, "Bo", "Reds", wrong)
        assert page.status == 422
        assert page.error_at("team_code") == "This is not the code of the team Reds. Ask your captain for it."
    assert [one.name for one in stage.all(Player)] == ["Ann"]
    page = bo.press("Register", team_code=code.lower().replace("-", " "))
    assert page.path == f"{ME}/link"
    assert [one.name for one in of_team(stage, event, reds)] == ["Ann", "Bo"]
    assert not bo.open(ME).soup.select("#team-code"), "the captain hands the code out"


@pytest.mark.proves("attack 69")
def test_code_with_the_name_of_no_team_is_refused(app: Flask, stage: Stage, event: Event) -> None:
    page = register(Person(app), "Bo", "Reads", "ABCDEFGH")
    assert page.status == 422
    assert page.error_at("team") == "There is no team Reads. Correct the name, or leave the code empty to start it."
    assert not stage.all(Player) and not stage.all(Team)


@pytest.mark.proves("attack 69")
def test_a_team_without_a_stored_code_is_joined_by_nobody(app: Flask, stage: Stage, event: Event) -> None:
    register(Person(app), "Ann", "Reds")
    with stage.changing(event) as s:
        s.get_one(Team, stage.one(Team).id).code = ""
    for code in ("", "-"):
        assert register(Person(app), "Eve", "Reds", code).status == 422


@pytest.mark.proves("attack 69")
def test_desk_shows_and_renews_the_code_and_enters_without_one(
    app: Flask, stage: Stage, event: Event, olga: Person
) -> None:
    register(Person(app), "Ann", "Reds")
    reds = stage.one(Team)
    old = reds.code
    desk = f"/e/iron-open/desk/teams/{reds.id}"
    assert olga.open(desk).part("#code .code") == f"{old[:4]}-{old[4:]}"
    olga.press("Renew the code")
    new = stage.now(reds).code
    assert new != old and olga.page.part("#code .code") == f"{new[:4]}-{new[4:]}"
    assert register(Person(app), "Bo", "Reds", old).status == 422
    assert register(Person(app), "Bo", "Reds", new).path == f"{ME}/link"
    olga.open("/e/iron-open/desk/players")
    olga.press("Add", inside="#walk-in", **{"w-name": "Cy", "w-team": "reds"})
    assert [one.name for one in of_team(stage, event, reds)] == ["Ann", "Bo", "Cy"]


@pytest.mark.proves("attack 69")
def test_guessing_a_code_is_slowed_down(app: Flask, stage: Stage, event: Event, clock: Clock) -> None:
    register(Person(app), "Ann", "Reds")
    reds = stage.one(Team)
    eve = Person(app)
    for _ in range(20):
        assert register(eve, "Eve", "Reds", "22222222").status == 422
    page = register(Person(app), "Eve", "Reds", reds.code)
    assert page.error_at("team_code") == (
        "Too many wrong codes for this team. Wait 15 minutes, or ask the organiser to enter you."
    )
    assert [one.name for one in stage.all(Player)] == ["Ann"]
    clock.advance(minutes=16)
    assert register(Person(app), "Bo", "Reds", reds.code).path == f"{ME}/link"


@pytest.mark.proves("attack 69")
def test_code_is_on_no_page_but_the_captains_and_the_organisers(
    app: Flask, stage: Stage, olga: Person, visitor: Person, link_of: Links, event: Event
) -> None:
    reds, *_ = enter_teams(stage, event, "Reds", "Blues", "Greens")
    stage.publish(event, 1)
    ours = of_team(stage, event, reds)
    olga.open(f"/e/iron-open/desk/teams/{reds.id}")
    olga.press("Renew the code")
    code = stage.now(reds).code
    known = {"<int:player_id>": str(ours[0].id), "<int:team_id>": str(reds.id)}
    people = {"visitor": visitor, "mate": browser(app, link_of, ours[1])}
    for address in addresses(app, stage, event, **known):
        for who, person in (people | {"olga": olga}).items():
            data = person.ask("GET", address).data
            if who == "olga" and address == f"/e/iron-open/desk/teams/{reds.id}":
                continue
            assert code.encode() not in data and f"{code[:4]}-{code[4:]}".encode() not in data, (who, address)
    archive = olga.ask("GET", "/e/iron-open/desk/archive.json").data
    assert archive_lines(archive) and code.encode() not in archive


@pytest.mark.proves("attack 69")
def test_player_who_left_the_team_reads_no_later_order_and_knows_no_valid_code(
    app: Flask, stage: Stage, olga: Person, link_of: Links, event: Event
) -> None:
    reds, *_ = enter_teams(stage, event, "Reds", "Blues")
    captain, mate, third = of_team(stage, event, reds)
    gone, moved = browser(app, link_of, captain), browser(app, link_of, mate)
    code = stage.now(reds).code
    stage.publish(event, 1)
    gone.open(ME)
    gone.press("Drop from the event")
    assert stage.now(reds).code != code, "the code that the captain knew is no longer valid"
    match = next(one for one in matches_in(stage, event, 1) if one.b_id is not None)
    choose(stage, event, match, reds.id, [third.id, mate.id, None])
    assert gone.open(f"{ME}/boards").status == 403
    assert (
        gone.ask("POST", f"{ME}/boards", {"csrf_token": str(gone.open("/sign-in").value("csrf_token"))}).status_code
        == 403
    )
    assert not gone.open(ME).soup.select("#team-code")
    assert moved.open(f"{ME}/boards").status == 200
    assert moved.open(ME).soup.select("#team-code"), "the next captain has the new code"


@pytest.mark.proves("attack 69")
def test_player_moved_out_of_the_team_reads_nothing_of_it(
    app: Flask, stage: Stage, olga: Person, link_of: Links, event: Event
) -> None:
    reds, *_ = enter_teams(stage, event, "Reds", "Blues")
    captain, mate, third = of_team(stage, event, reds)
    moved = browser(app, link_of, captain)
    code = stage.now(reds).code
    olga.open(f"/e/iron-open/desk/teams/{reds.id}")
    olga.press("Save the boards", **{"b-board1": str(mate.id), "b-board2": str(third.id), "b-board3": "0"})
    assert stage.now(captain).team_id is None
    assert stage.now(reds).code != code
    stage.publish(event, 1)
    assert moved.open(f"{ME}/boards").status == 404
    assert not moved.open(ME).soup.select("#team-code")


@pytest.mark.proves("attack 69")
def test_team_has_a_new_code_after_an_archive_is_taken_in(
    app: Flask, stage: Stage, olga: Person, event: Event, elsewhere: Callable[[], Stage]
) -> None:
    reds, *_ = enter_teams(stage, event, "Reds")
    saved = olga.ask("GET", "/e/iron-open/desk/archive.json")
    there = elsewhere()
    nora = organiser(app, there, "Nora")
    nora.open(TAKE_IN)
    nora.press("Take it in", file=("iron-open-archive.json", saved.data))
    code = there.one(Team).code
    assert len(code) == 8 and code != reds.code
    there.s.close()
