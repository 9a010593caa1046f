"""Join codes: who may sign up, whom a code lets in, invitations, and that no path passes by."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from events.accounts.limits import JOIN_CODES, Client
from events.registration import join_codes, leaving, team_actions
from events.registration.actions import register
from events.registration.erasure import erase
from events.registration.join_codes import make_typed
from events.registration.removal import remove_players
from events.registration.sign_ups import SignUp
from events.setup.actions import change_settings, settings_of
from events.setup.copying import copy_event
from events.setup.pairing_actions import set_teams
from events.setup.without_persons import leave_out_persons
from events.store.act import Act
from events.store.errors import Refused
from models.dispatch import Dispatch
from models.join_code import CodeUse, JoinCode
from models.people import Account, SignInAttempt
from models.settings import BoardsMatched, SignUpBy
from tests.kit.archives import archived, taken_in
from tests.kit.person import ADD, SIGN_UP, Page, Person
from tests.kit.stage import Event, Player, PlayerState, Stage
from tests.kit.team_events import team_event
from tests.kit.two_at_once import another_waits

pytestmark = pytest.mark.fast

EVENT, ME, REGISTER = "/e/iron-open", "/e/iron-open/me", "/e/iron-open/register"
CODES, SETTINGS = "/e/iron-open/desk/codes", "/e/iron-open/desk/settings/registration"
HERE = Client("here")


def sign_up(person: Person, code: str = "", **fields: str) -> Page:
    return person.press(SIGN_UP, at=REGISTER, **({"join_code": code} if code else {}), **fields)


def make(stage: Stage, event: Event, label: str = "Members", uses: int | None = None) -> JoinCode:
    (code,) = stage.do(event, join_codes.make_codes, [label], uses)
    return stage.now(code)


def used(stage: Stage, code: JoinCode) -> list[str]:
    event = stage.one(Event, id=code.event_id)
    return [player.name for player in join_codes.players_by_code(stage.s, event).get(code.id, [])]


@pytest.mark.parametrize("kind", [SignUpBy.MEMBERS_FIRST, SignUpBy.CODE, SignUpBy.INVITATION])
def test_player_signs_up_with_a_code_from_a_link(app: Flask, stage: Stage, kind: SignUpBy) -> None:
    event = stage.event(sign_up_by=kind, everybody_from=stage.clock() + timedelta(days=2))
    code = make(stage, event, "Ada Archer", 1)
    person = Person(app)
    page = sign_up(person, name="Ada", club="Reds")
    assert (page.status, page.value("name"), page.value("club")) == (422, "Ada", "Reds")
    assert page.error_at("join_code") == "Enter your join code. The organiser gives it to you."
    page = person.press(SIGN_UP, join_code="WRONGCODE2")
    assert page.error_at("join_code") == "This is not a join code of this event. Check it, or ask the organiser."
    assert (page.value("name"), page.value("join_code")) == ("Ada", "WRONGCODE2")
    page = person.open(f"{REGISTER}?code={code.code}")
    assert page.value("join_code") == f"{code.code[:5]}-{code.code[5:]}"
    assert person.press(SIGN_UP, name="Ada").path == f"{ME}/link"
    assert used(stage, code) == ["Ada"]
    page = sign_up(Person(app), code.code.lower(), name="Bo")
    assert "it is for 1 player" in page.error_at("join_code")
    stage.do(event, join_codes.end_code, code)
    assert "This join code was ended" in sign_up(Person(app), code.code, name="Bo").error_at("join_code")
    assert [player.name for player in stage.all(Player)] == ["Ada"]


def test_members_first_ends_by_itself(app: Flask, stage: Stage) -> None:
    stage.event(sign_up_by=SignUpBy.MEMBERS_FIRST, everybody_from=stage.clock() + timedelta(days=2))
    visitor = Person(app)
    assert "Members first: players need a join code until" in visitor.open(EVENT).text
    assert "Members first" in visitor.open(REGISTER).text
    stage.clock.advance(days=2)
    assert "Members first" not in visitor.open(EVENT).text
    assert not visitor.open(f"{REGISTER}?code=ABC").soup.select("[name=join_code]")
    assert sign_up(visitor, name="Ada").path == f"{ME}/link"


def test_invitation_only_takes_no_code_of_a_group(app: Flask, stage: Stage) -> None:
    event = stage.event(sign_up_by=SignUpBy.CODE)
    code = make(stage, event)
    assert sign_up(Person(app), code.code, name="Ada").path == f"{ME}/link"
    stage.set(event, sign_up_by=SignUpBy.INVITATION)
    assert "by invitation only now" in sign_up(Person(app), code.code, name="Bo").error_at("join_code")
    assert [player.name for player in stage.all(Player)] == ["Ada"], "who signed up stays"


def alone(stage: Stage, event: Event, code: str) -> object:
    return stage.do(event, register, "Eve", {}, "", sign_up=SignUp(HERE, code=code))


def held(stage: Stage, event: Event, code: str) -> object:
    return stage.do(event, register, "Eve", {}, "", sign_up=SignUp(HERE, held=True, code=code))


def in_a_new_team(stage: Stage, event: Event, code: str) -> object:
    joins = team_actions.Joins("", SignUp(HERE, code=code))
    return stage.do(event, team_actions.enter_team, "Eve", {}, "", team="Reds", joins=joins)


def again(stage: Stage, event: Event, code: str) -> object:
    """Signing up, leaving, and coming back."""
    eve = alone(stage, event, code)
    stage.do(event, leaving.drop, eve)
    return stage.do(event, leaving.reinstate, eve, SignUp(HERE))


@pytest.mark.parametrize("way", [alone, held, in_a_new_team, again])
@pytest.mark.parametrize("kind", list(SignUpBy))
def test_every_way_in_obeys_one_rule(stage: Stage, kind: SignUpBy, way: Callable[[Stage, Event, str], object]) -> None:
    """Without a code, with a wrong, ended or used one nobody gets in or waits; with a good one everybody does."""
    for places in (None, 2):
        event = stage.event(f"Cup {places}")
        stage.do(event, set_teams, 3, BoardsMatched.ORDER, False)
        stage.set(event, sign_up_by=kind, everybody_from=stage.clock() + timedelta(days=2), places=places)
        good, ended, spent = (make(stage, event, label, 1) for label in ("good", "ended", "spent"))
        for name, code in (("Sam", spent.code), ("Tom", make(stage, event).code)):
            stage.set(event, sign_up_by=SignUpBy.CODE)
            stage.do(event, register, name, {}, "", sign_up=SignUp(HERE, code=code))
        stage.set(event, sign_up_by=kind)
        stage.do(event, join_codes.end_code, ended)
        for code in ("", "WRONGCODE2", ended.code, spent.code) if kind != SignUpBy.EVERYBODY else ():
            with pytest.raises(Refused) as refused:
                way(stage, event, code)
            assert refused.value.field == "join_code", code
            assert not stage.all(Player, event_id=event.id, name="Eve"), code
        way(stage, event, good.code)
        eve = stage.one(Player, event_id=event.id, name="Eve")
        assert eve.state == (PlayerState.WAITING if places or way is held else PlayerState.REGISTERED)
        assert used(stage, good) == ([] if kind == SignUpBy.EVERYBODY else ["Eve"]), "also on the waiting list"


def test_desk_needs_no_code(stage: Stage, olga: Person) -> None:
    event = stage.event(sign_up_by=SignUpBy.INVITATION)
    page = olga.open("/e/iron-open/desk/players")
    assert not page.soup.select("[name=join_code]")
    olga.press(ADD, **{"w-name": "Walk In"})
    stage.do(event, team_actions.register_pasted, "Ann\nBo")
    ann = stage.one(Player, name="Ann")
    stage.do(event, leaving.drop, ann)
    stage.refuse("Enter your join code", event, leaving.reinstate, ann, SignUp(HERE))
    stage.do(event, leaving.reinstate, ann)
    assert {player.state.value for player in stage.all(Player)} <= {"registered", "checked_in"}
    assert stage.all(CodeUse) == []


def test_withdrawal_gives_the_use_back(app: Flask, stage: Stage) -> None:
    event = stage.event(sign_up_by=SignUpBy.CODE)
    code = make(stage, event, uses=1)
    ada, bo = Person(app), Person(app)
    sign_up(ada, code.code, name="Ada")
    ada.press("Withdraw", at=ME)
    assert used(stage, code) == []
    sign_up(bo, code.code, name="Bo")
    page = ada.press("Sign up again", at=ME)
    assert "it is for 1 player" in page.error_at("join_code")
    bo.press("Withdraw", at=ME)
    assert ada.press("Sign up again", at=ME).path == ME
    assert used(stage, code) == ["Ada"]
    stage.do(event, remove_players, [stage.one(Player, name="Ada")])
    assert (used(stage, code), [row.player_id for row in stage.all(CodeUse)]) == (
        [],
        [stage.one(Player, name="Bo").id],
    )


def test_player_comes_back_with_another_code(app: Flask, stage: Stage) -> None:
    event = stage.event(sign_up_by=SignUpBy.CODE, places=2)
    old, new = make(stage, event, "Old"), make(stage, event, "New", 2)
    ada = Person(app)
    sign_up(ada, old.code, name="Ada")
    ada.press("Withdraw", at=ME)
    stage.do(event, join_codes.end_code, old)
    page = ada.press("Sign up again", at=ME)
    assert "This join code was ended" in page.error_at("join_code")
    assert "optional" not in page.text
    page = ada.press("Sign up again", join_code="WRONGCODE2")
    assert "This is not a join code" in page.error_at("join_code") and page.value("join_code") == "WRONGCODE2"
    assert stage.one(SignInAttempt, kind=JOIN_CODES.kind), "the guess counts"
    assert ada.press("Sign up again", join_code=new.code).path == ME
    assert (used(stage, old), used(stage, new)) == ([], ["Ada"])
    ada.press("Withdraw", at=ME)
    stage.set(event, stage.one(CodeUse), join_code_id=old.id)
    page = ada.open(f"{REGISTER}?code={new.code}")
    assert page.value("join_code") == f"{new.code[:5]}-{new.code[5:]}", "the link of a new code works for them too"
    assert ada.press("Sign up again").path == ME
    assert used(stage, new) == ["Ada"]


def test_player_in_a_team_takes_a_use_of_its_captains_code(app: Flask, stage: Stage) -> None:
    event = team_event(stage)
    stage.set(event, sign_up_by=SignUpBy.CODE)
    code, of_mate = make(stage, event, "Club", 2), make(stage, event, "Dee", 1)
    page = Person(app).open(REGISTER)
    assert "Leave blank to join a team with its code" in page.text
    assert "optional" not in page.part("label[for=join_code]")
    captain, mate, third = Person(app), Person(app), Person(app)
    assert "Enter your join code" in sign_up(captain, name="Ann", team="Reds").error_at("join_code")
    captain.press(SIGN_UP, join_code=code.code)
    team_code = captain.open(ME).part("#team-code .code")
    page = sign_up(mate, name="Bo", team="Reds", team_code="22222222")
    assert "This is not the code of the team" in page.error_at("team_code")
    assert mate.press(SIGN_UP, team_code=team_code).path == f"{ME}/link"
    assert used(stage, code) == ["Ann", "Bo"]
    page = sign_up(third, name="Dee", team="Reds", team_code=team_code)
    assert "Your captain’s join code lets in nobody else" in page.error_at("join_code")
    assert third.press(SIGN_UP, join_code=of_mate.code).path == f"{ME}/link"
    assert used(stage, of_mate) == ["Dee"]
    assert sign_up(Person(app), name="Cy", team="Blues").error_at("join_code"), "who starts a team needs one"


@pytest.mark.parametrize("kind", [SignUpBy.CODE, SignUpBy.INVITATION])
def test_team_code_opens_no_event_without_a_code_that_lets_in(app: Flask, stage: Stage, kind: SignUpBy) -> None:
    """By invitation each player needs one; an ended code of a captain lets in nobody else."""
    event = team_event(stage)
    stage.set(event, sign_up_by=kind)
    uses = 1 if kind == SignUpBy.INVITATION else None
    code, captain, mate = make(stage, event, "Captain", uses), Person(app), Person(app)
    sign_up(captain, code.code, name="Ann", team="Reds")
    team_code = captain.open(ME).part("#team-code .code")
    stage.do(event, join_codes.end_code, code)
    page = sign_up(mate, name="Bo", team="Reds", team_code=team_code)
    assert "Your captain’s join code lets in nobody else" in page.error_at("join_code")
    assert ("Each player of a team needs an invitation" in page.text) == (kind == SignUpBy.INVITATION)
    assert [player.name for player in stage.all(Player)] == ["Ann"]
    assert mate.press(SIGN_UP, join_code=make(stage, event, "Bo", 1).code).path == f"{ME}/link"


@pytest.mark.both_databases
def test_last_use_lets_one_of_two_in(stage: Stage) -> None:
    event = stage.event(sign_up_by=SignUpBy.CODE)
    code = make(stage, event, uses=1)

    def enter(s: Stage, name: str) -> object:
        with s.changing(event) as session:
            return register(Act(session, event, name, s.clock()), name, {}, "", sign_up=SignUp(HERE, code=code.code))

    with another_waits(stage, event, lambda other: enter(other, "Bo")) as (s, results):
        register(Act(s, event, "Ada", stage.clock()), "Ada", {}, "", sign_up=SignUp(HERE, code=code.code))
    (refused,) = results
    assert isinstance(refused, Refused) and refused.field == "join_code"
    assert [player.name for player in stage.all(Player)] == ["Ada"]


@pytest.mark.proves("attack 69", "attack 81")
def test_wrong_codes_are_counted_and_a_right_one_always_works(app: Flask, stage: Stage) -> None:
    event = stage.event(sign_up_by=SignUpBy.CODE)
    code, guesser = make(stage, event), Person(app)
    statuses = [sign_up(guesser, f"{n:0>10}", name="Eve").status for n in range(JOIN_CODES.most + 2)]
    assert statuses == [422] * JOIN_CODES.most + [429] * 2
    assert len(stage.all(SignInAttempt, kind=JOIN_CODES.kind)) == JOIN_CODES.most, "a flood adds no more rows"
    assert "too many wrong ones, but a right one works" in guesser.page.error_at("join_code")
    assert guesser.press(SIGN_UP, join_code=code.code).path == f"{ME}/link"
    assert not stage.one(Player).held


def test_desk_makes_shows_and_ends_codes(olga: Person, app: Flask, stage: Stage) -> None:
    stage.event(sign_up_by=SignUpBy.CODE)
    page = olga.press("Make the codes", at=CODES, people="", uses="0")
    assert (page.status, bool(page.error_at("people")), bool(page.error_at("uses"))) == (422, True, True)
    olga.press("Make the codes", people="Members", uses="20")
    code = stage.one(JoinCode)
    page = olga.open(f"{CODES}/{code.id}")
    assert "0 of 20" in page.text and f"{code.code[:5]}-{code.code[5:]}" in page.text
    assert page.soup.select("svg.qr-code") and f"register?code={code.code}" in page.part(".copy-text")
    assert olga.open(f"{CODES}/{code.id}/poster.pdf").status == 200
    sign_up(Person(app), code.code, name="Ada")
    page = olga.open(CODES)
    assert "1 of 20" in page.text and "Ada" in page.part("main ul")
    assert not page.soup.select("details"), "only invitations have their links listed"
    page = olga.press("End", at=CODES)
    assert "Ended. The code no longer works." in page.flashes
    assert code.code not in olga.open(f"{CODES}/{code.id}").text
    assert (
        "Undone: Ended a join code" in olga.press("Undo this step", at="/e/iron-open/desk/undo", typed="undo").flashes
    )
    assert stage.now(code).ended_at is None
    assert stage.journal(stage.one(Event), "make-join-codes") == ["Made 1 join code"]


def test_only_who_manages_registration_sees_codes(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event(sign_up_by=SignUpBy.CODE)
    code = make(stage, event)
    visitor = Person(app)
    for address in (CODES, f"{CODES}/{code.id}", f"{CODES}/{code.id}/poster.pdf"):
        assert visitor.open(address).status == 403
    sign_up(visitor, code.code, name="Ada")
    for address in (EVENT, ME, f"{ME}/link", REGISTER, "/", "/api/v1/events/iron-open", f"{EVENT}/players/1"):
        assert code.code not in visitor.open(address).text and "Members" not in visitor.open(address).text, address
    assert code.code not in olga.open("/e/iron-open/desk/journal").text


@pytest.mark.parametrize("used", [True, False])
def test_invitation_that_ends_unused_names_nobody(olga: Person, stage: Stage, *, used: bool) -> None:
    event = stage.event(sign_up_by=SignUpBy.INVITATION)
    stage.do(event, make_typed, "Zed Archer, zed@example.org", 1, has_server=True)
    code = stage.one(JoinCode)
    if used:
        stage.do(event, register, "Ada", {}, "", sign_up=SignUp(HERE, code=code.code))
    page = olga.press("End", at=CODES)
    assert (stage.now(code).label == "Zed Archer", "Zed Archer" in page.part("main")) == (used, used)
    assert len(stage.all(Dispatch)) == used


def test_erasure_and_the_label_of_an_invitation(stage: Stage) -> None:
    event = stage.event(sign_up_by=SignUpBy.CODE)
    code = make(stage, event, "Ada Archer", 1)
    ada = stage.do(event, register, "Ada", {}, "", sign_up=SignUp(HERE, code=code.code))
    stage.do(event, erase, ada)
    assert "Ada" not in stage.now(code).label


def test_time_for_everybody_is_checked_at_its_field(olga: Person, stage: Stage) -> None:
    event = stage.event(registration_closes=stage.clock() + timedelta(days=3))
    page = olga.press("Save", at=SETTINGS, sign_up_by="members_first")
    assert page.error_at("everybody_from") == "Enter from when everybody may sign up."
    late = (stage.clock() + timedelta(days=4)).strftime("%Y-%m-%dT%H:%M")
    page = olga.press("Save", sign_up_by="members_first", everybody_from=late)
    assert page.error_at("everybody_from") == "Enter a time before registration closes."
    gone = (stage.clock() - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    page = olga.press("Save", everybody_from=gone)
    assert page.error_at("everybody_from") == "Enter a time in the future."
    soon = (stage.clock() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
    page = olga.press("Save", everybody_from=soon, registration_opens=soon)
    assert page.error_at("everybody_from") == "Enter a time after registration opens."
    page = olga.press("Save", registration_opens="")
    assert "From now on players need a join code to sign up" in page.text
    assert stage.now(event).sign_up_by == SignUpBy.MEMBERS_FIRST
    stage.clock.advance(days=3)
    stage.set(event, registration_closes=None)
    assert "Saved." in olga.press("Save", at=SETTINGS, places="9").flashes, "a time that has passed may stay"
    assert "everybody may sign up from" in olga.open("/e/iron-open/desk/settings").text.lower()
    assert "Name and mail address of people who are invited" in olga.open(f"{EVENT}/privacy").text


def test_code_comes_through_archives_and_copies_as_a_new_one(stage: Stage, olga: Person) -> None:
    opens = stage.clock() + timedelta(days=2)
    event = stage.event(sign_up_by=SignUpBy.MEMBERS_FIRST, everybody_from=opens)
    code = make(stage, event, "Ada Archer", 1)
    stage.do(event, register, "Ada", {}, "", sign_up=SignUp(HERE, code=code.code))
    data = archived(stage.engine, event, stage.clock())
    assert code.code.encode() not in data and b"Ada Archer" in data
    public = json.dumps(leave_out_persons(json.loads(data), []))
    assert "Ada Archer" not in public and "join_code" in public, "the control: the table is there, and empty"
    there = taken_in(stage.s, data, stage.clock(), stage.all(Account)[0])
    (other,) = stage.all(JoinCode, event_id=there.id)
    assert (other.label, other.uses, other.code != code.code, used(stage, other)) == ("Ada Archer", 1, True, ["Ada"])
    copy = stage.do(event, copy_event, "Next", event.starts_on + timedelta(weeks=4), "", stage.all(Account)[0])
    assert copy.everybody_from == opens + timedelta(weeks=4)
    assert stage.all(JoinCode, event_id=copy.id) == []


def test_time_for_everybody_moves_with_the_first_day(stage: Stage) -> None:
    opens = stage.clock() + timedelta(days=2)
    event = stage.event(sign_up_by=SignUpBy.MEMBERS_FIRST, everybody_from=opens)
    wanted = settings_of(event).model_copy(update={"starts_on": event.starts_on + timedelta(weeks=1)})
    stage.do(event, change_settings, wanted)
    assert stage.now(event).everybody_from == opens + timedelta(weeks=1)
