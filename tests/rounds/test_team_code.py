"""Secrets of a team: the captain's code, needed to join and renewed when a player leaves, and the captain's boards."""

import pytest
from flask import Flask

from models.event import Event
from models.settings import BoardsMatched
from models.team import Team
from tests.kit.people import Elsewhere, Links, browser, let_in
from tests.kit.person import ADD, IMPORT_EVENT, SIGN_UP, Page, Person
from tests.kit.profiles import every_nth
from tests.kit.secrets_planted import addresses, read_by
from tests.kit.stage import Player, Stage
from tests.kit.team_events import choose, enter_teams, matches_in, of_team, team_event
from tests.setup.test_archives import TAKE_IN

ME, REGISTER = "/e/iron-open/me", "/e/iron-open/register"


@pytest.fixture
def event(stage: Stage) -> Event:
    return team_event(stage, boards=BoardsMatched.CHOICE)


def register(person: Person, name: str, team: str, code: str = "") -> Page:
    return person.press(SIGN_UP, at=REGISTER, name=name, team=team, **({"team_code": code} if code else {}))


@pytest.mark.proves("attack 69")
@pytest.mark.both_at_length
def test_team_can_be_joined_only_by_its_code(app: Flask, stage: Stage, event: Event) -> None:
    ann, bo = Person(app), Person(app)
    assert register(ann, "Ann", "Reds").path == f"{ME}/link"
    reds = stage.one(Team)
    with stage.unchanged():
        page = register(Person(app), "Eve", "reds")
    assert (page.status, page.value("name"), page.value("team")) == (422, "Eve", "reds")
    assert page.error_at("team_code") == (
        "The team Reds exists already. Type its code: your captain has it. Or start a team of another name."
    )
    other = "2" * 8 if reds.code != "2" * 8 else "3" * 8
    for wrong in (other, reds.code[:7], "é" * 8):
        page = register(bo, "Bo", "Reds", wrong)
        assert page.status == 422
        assert page.error_at("team_code") == "This is not the code of the team Reds. Ask your captain for it."
    page = register(Person(app), "Bo", "Reads", "ABCDEFGH")
    assert page.error_at("team") == "There is no team Reads. Correct the name, or leave the code empty to start it."
    page = register(Person(app), "Bo", "", reds.code)
    assert page.error_at("team") == "Enter the name of the team that this code belongs to."
    assert ([player.name for player in stage.all(Player)], len(stage.all(Team))) == (["Ann"], 1)
    code = ann.open(ME).part("#team-code .code")
    assert code == f"{reds.code[:4]}-{reds.code[4:]}"
    register(bo, "Bo", "Reds", wrong)
    assert bo.press(SIGN_UP, team_code=code.lower().replace("-", " ")).path == f"{ME}/link"
    assert [player.name for player in of_team(stage, event, reds)] == ["Ann", "Bo"]
    assert not bo.open(ME).soup.select("#team-code"), "the captain hands the code out"
    stage.set(event, reds, code="")
    for empty in ("", "-"):
        assert register(Person(app), "Eve", "Reds", empty).status == 422


def test_player_without_a_team_joins_or_starts_one_on_the_own_page(
    app: Flask, stage: Stage, event: Event, link_of: Links
) -> None:
    (reds,) = enter_teams(stage, event, "Reds")
    (bo,) = stage.enter(event, "Bo")
    phone = browser(app, link_of, bo)
    page = phone.open(ME)
    assert "Rounds are drawn for teams: you play once you are in one." in page.part("#no-team")
    assert page.soup.select(f"#no-team a[href='{ME}/team']")
    phone.open(f"{ME}/team")
    with stage.unchanged():
        assert "exists already. Type its code" in phone.press("Join or start the team", team="reds").error_at(
            "team_code"
        )
        page = phone.press("Join or start the team", team_code=stage.now(reds).code)
        assert page.error_at("team") == "The team Reds has its 3 players already."
    assert "This is not the code" in phone.press("Join or start the team", team_code="2" * 8).error_at("team_code")
    page = phone.press("Join or start the team", team="Blues", team_code="")
    assert (page.path, page.flashes) == (ME, "You are in the team Blues.")
    assert not page.soup.select("#no-team") and page.soup.select("#team-code"), "the captain has the code"
    assert [player.name for player in of_team(stage, event, stage.one(Team, name="Blues"))] == ["Bo"]
    assert phone.open(f"{ME}/team").path == ME
    assert phone.post(f"{ME}/team", team="Greens").headers["Location"].endswith("/me")
    assert [team.name for team in stage.all(Team)] == ["Reds", "Blues"]


@pytest.mark.proves("attack 69", "attack 81")
def test_renewed_code_replaces_the_old_and_wrong_codes_do_not_shut_the_right_one_out(
    app: Flask, stage: Stage, event: Event, olga: Person
) -> None:
    register(Person(app), "Ann", "Reds")
    reds = stage.one(Team)
    old = reds.code
    assert olga.open(f"/e/iron-open/desk/teams/{reds.id}").part("#code .code") == f"{old[:4]}-{old[4:]}"
    olga.press("Renew the code")
    new = stage.now(reds).code
    assert new != old and olga.page.part("#code .code") == f"{new[:4]}-{new[4:]}"
    olga.press(ADD, at="/e/iron-open/desk/players", inside="#walk-in", **{"w-name": "Cy", "w-team": "reds"})
    assert [player.name for player in of_team(stage, event, reds)] == ["Ann", "Cy"], "the desk needs no code"
    eve = Person(app)
    for _ in range(20):
        assert register(eve, "Eve", "Reds", old).error_at("team_code").startswith("This is not the code of the team")
    with stage.unchanged():
        page = register(eve, "Eve", "Reds", old)
    assert (page.status, page.error_at("team_code")) == (
        429,
        "This is not the code of the team Reds. Check it: your network has sent too many wrong codes, but a right one "
        "works.",
    )
    assert register(Person(app), "Bo", "Reds", new).path == f"{ME}/link"
    stage.clock.advance(minutes=16)
    assert register(eve, "Eve", "Reds", old).status == 422


@pytest.mark.proves("attack 69")
def test_player_who_leaves_loses_code_and_boards(
    app: Flask, stage: Stage, olga: Person, link_of: Links, event: Event
) -> None:
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    captain, mate, third = of_team(stage, event, reds)
    gone, heir = browser(app, link_of, captain), browser(app, link_of, mate)
    moved_player, second, last = of_team(stage, event, blues)
    moved = browser(app, link_of, moved_player)
    codes = {team.id: stage.now(team).code for team in (reds, blues)}
    olga.open(f"/e/iron-open/desk/teams/{blues.id}")
    olga.press("Save the boards", **{"b-board1": str(second.id), "b-board2": str(last.id), "b-board3": "0"})
    assert stage.now(moved_player).team_id is None
    stage.publish(event, 1)
    gone.press("Drop from the event", at=ME)
    assert all(stage.now(team).code != codes[team.id] for team in (reds, blues)), "the known codes are no longer valid"
    match = next(team_match for team_match in matches_in(stage, event, 1) if team_match.b_id is not None)
    choose(stage, event, match, reds.id, [third.id, mate.id, None])
    assert gone.ask("GET", f"{ME}/boards").status_code == 403
    assert gone.post(f"{ME}/boards").status_code == 403
    assert moved.open(f"{ME}/boards").status == 404
    assert not gone.open(ME).soup.select("#team-code")
    assert not moved.open(ME).soup.select("#team-code")
    assert heir.open(f"{ME}/boards").status == 200
    assert heir.open(ME).soup.select("#team-code"), "the next captain has the new code"


@pytest.mark.proves("attack 69")
def test_imported_team_has_new_code(app: Flask, stage: Stage, olga: Person, event: Event, elsewhere: Elsewhere) -> None:
    reds, *_ = enter_teams(stage, event, "Reds")
    saved = olga.ask("GET", "/e/iron-open/desk/archive.json")
    there = elsewhere()
    nora = let_in(app, there.set_up("Nora"))
    nora.press(IMPORT_EVENT, at=TAKE_IN, file=("iron-open-archive.json", saved.data))
    code = there.one(Team).code
    assert len(code) == 8 and code != reds.code
    there.s.close()


@pytest.fixture
def chosen(stage: Stage) -> Event:
    """Two teams of two and one with the bye; round 1 is published and captains choose their boards."""
    event = team_event(stage, size=2, boards=BoardsMatched.CHOICE)
    enter_teams(stage, event, "Reds", "Blues", "Greens")
    stage.publish(event, 1)
    return event


@pytest.mark.proves("G4", "ASVS 8.2.3", "attack 69")
@every_nth(9, 3)
def test_nobody_outside_the_team_reads_its_choice_and_only_captain_and_organiser_its_code(
    app: Flask, stage: Stage, olga: Person, visitor: Person, link_of: Links, chosen: Event, step: int
) -> None:
    match = next(team_match for team_match in matches_in(stage, chosen, 1) if team_match.b_id is not None)
    team = stage.one(Team, id=match.a_id)
    ours, theirs = (of_team(stage, chosen, a_team) for a_team in (team, stage.one(Team, id=match.b_id or 0)))
    outside = [visitor, olga, browser(app, link_of, theirs[0])]
    mate = browser(app, link_of, ours[1])
    first, second = (player.id for player in ours)
    olga.press("Renew the code", at=f"/e/iron-open/desk/teams/{team.id}")
    for _ in range(10):  # until the desk's list of recent changes shows nothing else
        choose(stage, chosen, match, match.a_id, [second, first])
    asked = addresses(app, stage, chosen, **{"<int:player_id>": str(first), "<int:team_id>": str(match.a_id)})
    teams = f"/e/iron-open/desk/teams/{team.id}"
    asked = [text for number, text in enumerate(asked) if number % step == 0 or text == teams]
    answers, mates = [], []
    for order in ([first, second], [second, first]):
        choose(stage, chosen, match, match.a_id, [*order])
        seen = [(person, text) for person in outside for text in asked if person is olga or "/desk" not in text]
        answers.append([(address, read_by(person, address)) for person, address in seen])
        mates.append(read_by(mate, "/e/iron-open/me/boards"))
    assert [one[0] for one, other in zip(*answers, strict=True) if one != other] == []
    assert len([answer for answer in answers[0] if answer[1][0] == 200]) > 60 // step, (
        "the control: there is something to read"
    )
    assert mates[0] != mates[1], "the control: the team itself reads the order"
    assert "changed their boards for round 1" in olga.open("/e/iron-open/desk/journal").text
    code = stage.now(team).code
    read = [*answers[0], *((text, read_by(mate, text)) for text in asked if "/desk" not in text and ".pdf" not in text)]
    shown = {text for text, said in read if code in repr(said) or f"{code[:4]}-{code[4:]}" in repr(said)}
    assert shown == {teams}
