"""Staff and accounts: invitations, roles and their end, the last owner, and simultaneous requests."""

from collections.abc import Callable

import pyotp
import pytest
from flask import Flask
from sqlmodel import Session

from events.accounts import actions as accounts_actions
from events.accounts import second_factor, staff
from events.accounts.browser import GUESSED
from events.store.errors import Refused
from models.people import Account
from models.staff import Invitation, Role, Staff
from tests.kit.accounts import STAFF, join, link_for, named
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Event, Stage
from tests.kit.two_at_once import another_waits

DESK = "/e/iron-open/desk"


def role_of(stage: Stage, name: str) -> Role | None:
    account = stage.one(Account, name=name)
    return next((row.role for row in stage.all(Staff, account_id=account.id)), None)


@pytest.mark.both_at_length
def test_judge_joins_by_a_link_gets_another_role_and_leaves(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    link = link_for(olga, Role.JUDGE)
    anna = Person(app)
    page = anna.open(link)
    assert page.path == "/invitation", "the token is in no address bar"
    assert "Olga invites you as judge" in page.text
    page = anna.press("Create account and accept", **named("Anna"))
    assert (page.path, page.flashes) == (DESK, "Welcome: you are judge at Iron Open.")
    assert role_of(stage, "Anna") == Role.JUDGE
    assert not stage.one(Account, name="Anna").runs_club
    assert anna.open("/desk/new").status == 403
    assert "New event" not in anna.open("/desk").text
    assert "judge Anna" in olga.open(f"{DESK}/journal").text, "who is of the staff is for the owner"
    assert stage.journal(event)[-2:] == ["Invited somebody as judge", "Anna joined as judge"]
    assert link.rsplit("/", 1)[1] not in repr([row.model_dump() for row in stage.all(Invitation)])
    assert anna.open(f"{DESK}/lists").status == 200
    row = stage.one(Staff, account_id=stage.one(Account, name="Anna").id)
    olga.press("Change", at=STAFF, inside=f"form[action$='/{row.id}/role']", role="scorekeeper")
    assert anna.open(f"{DESK}/lists").status == 403
    tabs = [link.get_text() for link in anna.open(DESK).soup.select("nav.grouped [data-go]")]
    assert "Lists" not in tabs and "Settings" not in tabs and "Players" in tabs
    assert anna.press("Leave", at="/desk").flashes == "You have left the staff of Iron Open."
    assert (role_of(stage, "Anna"), stage.journal(event)[-1]) == (None, "Anna is no longer scorekeeper")


def test_account_joins_by_its_password_or_when_signed_in_and_gets_no_second_role(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    stage.hire(stage.event("Rust Cup"), "Bea", Role.JUDGE)
    bea = Person(app)
    bea.open(link_for(olga, Role.SCOREKEEPER))
    wrong = bea.press("Sign in and accept", **named("Bea", "k", "not her password"))
    assert wrong.status == 422 and "Name and password do not match." in wrong.errors
    assert wrong.value("k-name") == "Bea"
    assert bea.press("Sign in and accept", **named("Bea", "k")).path == DESK
    account = stage.one(Account, name="Bea")
    owners = link_for(olga, Role.OWNER)
    page = bea.press("Accept as Bea", at=owners)
    assert page.status == 422 and "is scorekeeper at this event already" in page.text
    assert {row.role for row in stage.all(Staff, account_id=account.id)} == {"judge", "scorekeeper"}
    assert olga.press("Accept as Olga", at=owners).status == 422
    join(app, owners, "Cid")
    assert role_of(stage, "Cid") == Role.OWNER, "the link stayed open"
    third = stage.event("Glass Cup")
    link = link_for(olga, Role.CHECK_IN, "/e/glass-cup/desk/staff")
    row = stage.one(Staff, event_id=third.id, account_id=account.id)
    with stage.changing(third) as s:
        s.delete(row)
    assert bea.press("Accept as Bea", at=link).path == "/e/glass-cup/desk"


@pytest.mark.proves("attack 19", "ASVS 6.2.4")
def test_refused_invitation_makes_no_account_and_no_role(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    link = link_for(olga, Role.JUDGE)
    person, signed_out = Person(app), olga
    person.open(link)
    with stage.unchanged():
        short = person.press("Create account and accept", **named("Anna", password="short"))
        assert (short.status, short.error_at("n-password")) == (422, "From 10 to 200 characters.")
        assert short.value("n-name") == "Anna"
        assert GUESSED in person.press("Create account and accept", **named("Anna", password="password123")).text
        taken = person.press("Create account and accept", **named("OLGA", password="a password of mine"))
        assert (taken.status, "This name is taken" in taken.error_at("n-name")) == (422, True)
        assert person.press("Sign in and accept", **named("Olga", "k", "")).status == 422
        signed_out.open(link)
        with signed_out.http.session_transaction() as session:
            del session["organiser"]  # in another tab
        refused = signed_out.press("Accept as Olga")
        assert (refused.status, "Please sign in below, or create an account." in refused.errors) == (422, True)
    assert person.open("/desk").path == "/sign-in"
    for _ in range(10):
        assert person.press("Sign in and accept", at=link, **named("Olga", "k", "guess")).status == 422
    page = person.press("Sign in and accept", **named("Olga", "k"))
    assert page.status == 429 and "Too many failed attempts" in page.text
    assert person.press("Create account and accept", **named("Anna")).path == DESK


@pytest.mark.both_at_length
@pytest.mark.proves("attack 8", "attack 17", "ASVS 6.4.1", "ASVS 9.2.1")
def test_invitation_works_once_within_a_week(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    used, late, withdrawn = (link_for(olga, Role.JUDGE) for _ in range(3))
    list_of_three = olga.page
    assert olga.press("Withdraw").path == STAFF
    olga.page = list_of_three
    assert "was withdrawn" in olga.press("Withdraw").text
    second, slow = Person(app), Person(app)
    second.open(used)
    slow.open(late)
    join(app, used, "Anna")
    with stage.unchanged():
        for page in (second.press("Create account and accept", **named("Cid")), Person(app).open(used)):
            assert (page.status, "already been used" in page.text) == (404, True)
        assert "withdrawn" in Person(app).open(withdrawn).text
        stage.clock.advance(days=7, microseconds=-1)
        assert Person(app).open(late).status == 200
        stage.clock.advance(microseconds=1)
        page = slow.press("Create account and accept", **named("Dee"))
        assert (page.status, "has expired" in page.text) == (404, True)
        for address in ("/i/made-up", "/i/" + "x" * 5000, "/invitation"):
            assert Person(app).ask("GET", address).status_code == 404
    third = stage.hire(stage.event("Rust Cup"), "Eve", Role.JUDGE)
    with pytest.raises(Refused, match="already been used"), stage.changing(event) as s:
        staff.accept(s, event, stage.all(Invitation)[0], third, stage.clock())


def test_link_is_shown_to_its_owner_until_the_next(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    link = link_for(olga, Role.JUDGE)
    bea = join(app, link_for(olga, Role.OWNER), "Bea")
    first, second = stage.all(Invitation)
    assert link not in olga.open(f"{STAFF}/invitations/{first.id}").text, "another one was made since"
    page = bea.open(f"{STAFF}/invitations/{first.id}")
    assert "was shown once" in page.text and page.part(".copy-text") == ""
    assert "already been used" in bea.open(f"{STAFF}/invitations/{second.id}").text


@pytest.mark.both_at_length
@pytest.mark.proves("attack 9")
def test_last_owner_stays_until_there_is_another(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    own = stage.one(Staff, event_id=event.id)
    page = olga.open(STAFF)
    assert "Leave" not in page.part("table") and "the only owner" in page.part("table")
    before = {row.id: row.role for row in stage.all(Staff)}
    for address in (f"{STAFF}/{own.id}/remove", f"{STAFF}/{own.id}/role", f"{DESK}/leave"):
        olga.post(address, role="judge")
        assert {row.id: row.role for row in stage.all(Staff)} == before
        assert "is the only owner" in olga.open("/desk").text
    bea, hers = join(app, link_for(olga, Role.OWNER), "Bea"), link_for(olga, Role.OWNER)
    for role, left in (("owner", STAFF), ("organiser", "/desk")):
        assert "Bea joined as owner" in stage.journal(event)[-2], "an unchanged role is no entry"
        page = olga.press("Change", at=STAFF, inside=f"form[action$='/{own.id}/role']", role=role)
        assert page.path == left, "she may not open the staff page any more"
    assert "withdrawn" in Person(app).open(hers).text, "the invitations that she made as owner"
    assert role_of(stage, "Olga") == Role.ORGANISER
    assert olga.open(STAFF).status == 403 and bea.open(STAFF).status == 200
    assert stage.journal(event)[-1] == "Changed the role of Olga from owner to organiser"


@pytest.mark.proves("attack 8", "ASVS 7.4.2")
def test_removed_owner_loses_rights_and_open_invitations(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    bea = join(app, link_for(olga, Role.OWNER), "Bea")
    link = link_for(bea, Role.OWNER)
    settings = bea.open(f"{DESK}/settings/event")
    assert settings.status == 200
    row = stage.one(Staff, account_id=stage.one(Account, name="Bea").id)
    assert olga.press("Remove", at=STAFF).flashes == "Removed."
    assert stage.all(Staff, id=row.id) == []
    with stage.unchanged():
        bea.page = settings
        assert bea.press("Save", name="Mine").status == 403
        assert bea.open(DESK).status == 403
        assert bea.open(link).text.count("withdrawn") == 1
        assert "Iron Open" not in bea.open("/desk").part("table")


KEY = second_factor.key_from("a secret for tests, of enough characters")


def by_two_at_once(stage: Stage, do: Callable[[Session], object]) -> list[object]:
    """Both results of an action that two people do at the same time."""

    def second(other: Stage) -> object:
        with other.changing() as s:
            return do(s)

    with another_waits(stage, None, second) as (s, results):
        first = do(s)
    return [first, *results]


@pytest.mark.proves("attack 17")
@pytest.mark.postgres
def test_set_up_link_used_twice_at_once_makes_one_account(stage: Stage) -> None:
    token = stage.set_up_link().removeprefix("/set-up/")
    names = iter(("Olga", "Petra"))
    first, second = by_two_at_once(
        stage, lambda s: accounts_actions.set_up_organiser(s, token, next(names), PASSWORD, stage.clock()).name
    )
    assert (first, str(second)[:27]) == ("Olga", "This link was already used,")
    assert [account.name for account in stage.all(Account)] == ["Olga"]


@pytest.mark.proves("ASVS 6.5.1")
@pytest.mark.postgres
def test_code_sent_twice_at_once_works_once(stage: Stage) -> None:
    olga, secret = stage.set_up("Olga"), second_factor.new_secret()
    with stage.changing() as s:
        second_factor.turn_on(s, s.get_one(Account, olga.id), secret, 0, KEY)
    code, now = pyotp.TOTP(secret).at(stage.clock()), stage.clock()
    assert by_two_at_once(
        stage, lambda s: second_factor.use_code(s, s.get_one(Account, olga.id), code, now, KEY)
    ) == [True, False]  # fmt: skip


@pytest.mark.proves("ASVS 6.3.3")
def test_without_a_second_factor_no_code_is_right(stage: Stage) -> None:
    olga, now = stage.set_up("Olga"), stage.clock()
    for code in ("", "000000", "spare"):
        with stage.changing() as s:
            assert not second_factor.use_code(s, s.get_one(Account, olga.id), code, now, KEY)


def test_new_organiser_owns_an_event_that_has_staff_and_no_owner(stage: Stage) -> None:
    event, owned = stage.event(), stage.event("Rust Open")
    stage.hire(event, "Jo", Role.JUDGE)
    stage.hire(owned, "Petra", Role.OWNER)
    with stage.changing() as s:
        token = accounts_actions.make_set_up_link(s, stage.clock())
        accounts_actions.set_up_organiser(s, token, "Olga", PASSWORD, stage.clock())
    assert [row.role for row in stage.all(Staff)] == [Role.JUDGE, Role.OWNER, Role.OWNER]
    assert stage.one(Staff, event_id=event.id, role=Role.OWNER).account_id == stage.one(Account, name="Olga").id
    assert stage.one(Staff, event_id=owned.id).account_id != stage.one(Account, name="Olga").id
    of_a_password = stage.password_link("Olga").removeprefix("/set-up/")
    with pytest.raises(Refused), stage.changing() as s:
        accounts_actions.set_up_organiser(s, of_a_password, "Petra Two", PASSWORD, stage.clock())
    with pytest.raises(Refused), stage.changing() as s:
        of_set_up = accounts_actions.make_set_up_link(s, stage.clock())
        accounts_actions.set_new_password(s, of_set_up, PASSWORD, stage.clock())
