"""Staff: invitations from the page to the role, changes, ends, and the last owner."""

from datetime import timedelta

import pytest
from flask import Flask

from events.accounts import actions as accounts_actions
from events.accounts.views import GUESSED
from events.play.errors import Refused
from models.event import Event
from models.people import Account
from models.play import PlayerState
from models.staff import Invitation, Role, Staff
from tests.conftest import Clock
from tests.kit.person import Page, Person
from tests.kit.stage import PASSWORD, Stage

STAFF = "/e/iron-open/desk/staff"


def link_for(olga: Person, role: Role) -> str:
    """Invite somebody at the page; the link that it shows."""
    olga.open(STAFF)
    page = olga.press("Make a link", role=role.value)
    return page.part(".copy-text").removeprefix("http://localhost")


def join(app: Flask, link: str, name: str) -> Person:
    """Somebody new who accepts."""
    person = Person(app)
    assert person.open(link).path == "/invitation"
    assert person.press("Make an account and accept", **named(name)).path == "/e/iron-open/desk"
    return person


def named(name: str, prefix: str = "n", password: str = PASSWORD) -> dict[str, str]:
    """The fields of one of the two forms."""
    return {f"{prefix}-name": name, f"{prefix}-password": password}


def role_of(stage: Stage, name: str) -> Role | None:
    account = stage.one(Account, name=name)
    return next((row.role for row in stage.all(Staff, account_id=account.id)), None)


@pytest.mark.both_databases
def test_a_judge_joins_by_a_link_and_the_journal_names_the_role(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    link = link_for(olga, Role.JUDGE)
    anna = Person(app)
    page = anna.open(link)
    assert page.path == "/invitation", "the token is in no address bar"
    assert "Olga invites you as judge" in page.text
    page = anna.press("Make an account and accept", **named("Anna"))
    assert (page.path, page.flashes) == ("/e/iron-open/desk", "Welcome: you are judge at Iron Open.")
    assert role_of(stage, "Anna") == Role.JUDGE
    assert not stage.one(Account, name="Anna").runs_club
    assert anna.open("/desk/new").status == 403
    assert "New event" not in anna.open("/desk").text
    assert "judge Anna" in olga.open("/e/iron-open/desk/journal").text, "who is of the staff is for the owner"
    assert stage.journal(event)[-2:] == ["Invited a judge", "Anna joined as judge"]
    assert link.rsplit("/", 1)[1] not in repr([row.model_dump() for row in stage.all(Invitation)])


def test_an_account_that_exists_joins_by_its_password_or_by_one_press(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    rust = stage.event("Rust Cup")
    stage.hire(rust, "Bea", Role.JUDGE)
    bea = Person(app)
    bea.open(link_for(olga, Role.SCOREKEEPER))
    wrong = bea.press("Sign in and accept", **named("Bea", "k", "not her password"))
    assert wrong.status == 422 and "Name and password do not belong together." in wrong.errors
    assert wrong.value("k-name") == "Bea"
    assert bea.press("Sign in and accept", **named("Bea", "k")).path == "/e/iron-open/desk"
    account = stage.one(Account, name="Bea")
    assert {row.role for row in stage.all(Staff, account_id=account.id)} == {"judge", "scorekeeper"}
    third = stage.event("Glass Cup")
    olga.open("/e/glass-cup/desk/staff")
    assert olga.page.status == 200
    link = olga.press("Make a link", role="check_in").part(".copy-text").removeprefix("http://localhost")
    row = stage.one(Staff, event_id=third.id, account_id=account.id)
    with stage.changing(third) as s:
        s.delete(row)
    bea.open(link)
    assert bea.press("Accept as Bea").path == "/e/glass-cup/desk"


@pytest.mark.proves("attack 19")
def test_a_name_that_is_taken_is_nobody_elses(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    thief = Person(app)
    thief.open(link_for(olga, Role.JUDGE))
    before = stage.digest()
    page = thief.press("Make an account and accept", **named("OLGA", password="a password of mine"))
    assert page.status == 422 and "Somebody has this name already" in page.errors
    assert stage.digest() == before
    assert thief.open("/desk").path == "/sign-in"


def test_guessing_an_accounts_password_at_an_invitation_is_slowed_down(app: Flask, olga: Person, event: Event) -> None:
    thief = Person(app)
    thief.open(link_for(olga, Role.JUDGE))
    for _ in range(10):
        assert thief.press("Sign in and accept", **named("Olga", "k", "guess")).status == 422
    page = thief.press("Sign in and accept", **named("Olga", "k"))
    assert page.status == 429 and "Too many failed attempts" in page.text


def test_a_form_that_is_not_filled_in_takes_no_invitation(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    person = Person(app)
    person.open(link_for(olga, Role.JUDGE))
    before = stage.digest()
    short = person.press("Make an account and accept", **named("Anna", password="short"))
    assert (short.status, short.error_at("n-password")) == (422, "From 10 to 200 characters.")
    assert short.value("n-name") == "Anna"
    assert person.press("Sign in and accept", **named("Olga", "k", "")).status == 422
    assert stage.digest() == before
    assert person.press("Make an account and accept", **named("Anna")).path == "/e/iron-open/desk"


def test_who_is_signed_in_nowhere_is_told_to_sign_in_first(app: Flask, olga: Person, event: Event) -> None:
    """Somebody who signed out in another tab and presses what the page still offers."""
    link = link_for(olga, Role.JUDGE)
    olga.open(link)
    page = olga.page
    with olga.http.session_transaction() as session:
        del session["organiser"]
    olga.page = page
    refused = olga.press("Accept as Olga")
    assert (refused.status, "Please sign in below, or make an account." in refused.errors) == (422, True)


@pytest.mark.proves("attack 7")
def test_at_check_in_one_checks_in_and_drops_nobody(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    (ada,) = stage.enter(event, "Ada", here=False)
    cleo = signed_in(app, stage, event, Role.CHECK_IN)
    token = str(cleo.open("/e/iron-open/desk/players").value("csrf_token"))
    for verb, status in (("drop", 403), ("check-in", 302)):
        at = f"/e/iron-open/desk/players/{ada.id}/{verb}"
        assert cleo.ask("POST", at, {"csrf_token": token}).status_code == status
    assert stage.now(ada).state == PlayerState.CHECKED_IN


def test_the_desk_is_offered_to_its_staff_alone(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    for person, offered in ((olga, True), (Person(app), False)):
        assert ("Desk" in person.open("/e/iron-open").part("nav")) is offered
    stage.enter(event, "Ada", "Bo")
    for number, newest in ((0, 1), (1, 1), (2, 2)):
        if number:
            stage.play(event, number)
        links = [link.get("href") for link in olga.open("/e/iron-open/desk").soup.select("nav a")]
        assert f"/e/iron-open/desk/rounds/{newest}/results" in links, "of the newest round, or of the first"


@pytest.mark.proves("ASVS 6.2.4")
def test_an_invitation_makes_no_account_with_a_password_that_is_guessed_first(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    person = Person(app)
    person.open(link_for(olga, Role.JUDGE))
    page = person.press("Make an account and accept", **named("Anna", password="password123"))
    assert GUESSED in page.text
    assert stage.all(Account, name="Anna") == []
    assert person.press("Make an account and accept", **named("Anna")).path == "/e/iron-open/desk"


@pytest.mark.both_databases
@pytest.mark.proves("attack 8", "attack 17", "ASVS 6.4.1", "ASVS 9.2.1")
def test_an_invitation_is_used_once_and_ends_when_withdrawn_or_old(
    app: Flask, olga: Person, event: Event, stage: Stage, clock: Clock
) -> None:
    used, late, taken_back = (link_for(olga, Role.JUDGE) for _ in range(3))
    assert olga.press("Withdraw").path == STAFF
    waiting = {name: Person(app) for name in ("used", "late", "taken back")}
    waiting["used"].open(used)
    waiting["late"].open(late)
    join(app, used, "Anna")
    before = stage.digest()
    for page in (waiting["used"].press("Make an account and accept", **named("Cid")), Person(app).open(used)):
        assert (page.status, "used already" in page.text) == (404, True)
    assert "withdrawn" in waiting["taken back"].open(taken_back).text
    clock.advance(days=7)
    page = waiting["late"].press("Make an account and accept", **named("Dee"))
    assert (page.status, "has expired" in page.text) == (404, True)
    assert Person(app).open("/i/made-up").status == 404
    assert Person(app).open("/i/" + "x" * 5000).status == 404
    assert Person(app).open("/invitation").status == 404
    assert stage.digest() == before


def test_two_browsers_with_one_link_make_one_judge(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    link = link_for(olga, Role.JUDGE)
    invitation = stage.all(Invitation)[-1]
    account = stage.hire(stage.event("Rust Cup"), "Eve", Role.JUDGE)
    join(app, link, "Anna")
    with pytest.raises(Refused, match="used already"), stage.changing(event) as s:
        accounts_actions.accept(s, event, invitation, account, stage.clock())


def test_who_has_a_role_gets_no_other_by_an_invitation(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    anna = join(app, link_for(olga, Role.JUDGE), "Anna")
    owners = link_for(olga, Role.OWNER)
    page = anna.open(owners)
    page = anna.press("Accept as Anna")
    assert page.status == 422 and "is judge at this event already" in page.text
    assert role_of(stage, "Anna") == Role.JUDGE
    assert olga.open(owners).status == 200
    assert olga.press("Accept as Olga").status == 422
    join(app, owners, "Bea")
    assert role_of(stage, "Bea") == Role.OWNER, "the invitation stayed open for somebody else"


@pytest.mark.proves("attack 8")
def test_nobody_but_an_owner_changes_the_staff(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    rust = stage.event("Rust Cup")
    own = stage.one(Staff, event_id=event.id)
    theirs = stage.one(Staff, event_id=rust.id)
    link_for(olga, Role.JUDGE)
    invitation = stage.all(Invitation)[-1]
    forbidden: list[tuple[str, dict[str, str]]] = [
        (STAFF, {"role": "owner"}),
        (f"{STAFF}/{own.id}/remove", {}),
        (f"{STAFF}/{own.id}/role", {"role": "judge"}),
        (f"{STAFF}/invitations/{invitation.id}/withdraw", {}),
    ]
    for role in Role:
        if role == Role.OWNER:
            continue
        person = signed_in(app, stage, event, role)
        mine = stage.one(Staff, event_id=event.id, role=role)
        token = str(person.open("/sign-in").value("csrf_token"))
        before = stage.digest()
        for address, fields in [*forbidden, (f"{STAFF}/{mine.id}/role", {"role": "owner"})]:
            assert person.ask("POST", address, {"csrf_token": token, **fields}).status_code == 403, (role, address)
        assert person.open(STAFF).status == 403
        assert person.open(f"{STAFF}/invitations/{invitation.id}").status == 403
        assert stage.digest() == before
    token = str(olga.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    for verb in ("remove", "role"):
        answer = olga.ask("POST", f"{STAFF}/{theirs.id}/{verb}", {"csrf_token": token, "role": "judge"})
        assert answer.status_code == 404, "a row of another event"
    assert olga.open(f"/e/rust-cup/desk/staff/invitations/{invitation.id}").status == 404
    assert stage.digest() == before


def signed_in(app: Flask, stage: Stage, event: Event, role: Role) -> Person:
    """Somebody of this role, signed in."""
    name = f"The {role.value}"
    stage.hire(event, name, role)
    person = Person(app)
    person.open("/sign-in")
    assert person.press("Sign in", name=name, password=PASSWORD).path == "/desk"
    return person


@pytest.mark.both_databases
@pytest.mark.proves("attack 9")
def test_the_last_owner_stays_until_there_is_another(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    own = stage.one(Staff, event_id=event.id)
    page = olga.open(STAFF)
    assert "Leave" not in page.part("table") and "the only one" in page.part("table")
    token = str(olga.open("/sign-in").value("csrf_token"))
    before = {row.id: row.role for row in stage.all(Staff)}
    for address in (f"{STAFF}/{own.id}/remove", f"{STAFF}/{own.id}/role", "/e/iron-open/desk/leave"):
        olga.ask("POST", address, {"csrf_token": token, "role": "judge"})
        assert {row.id: row.role for row in stage.all(Staff)} == before
        assert "An event needs an owner" in olga.open("/desk").text
    bea = join(app, link_for(olga, Role.OWNER), "Bea")
    olga.open(STAFF)
    page = olga.press("Change", inside=f"form[action$='/{own.id}/role']", role="organiser")
    assert page.path == "/desk", "handed over: the page of the staff is hers no more"
    assert role_of(stage, "Olga") == Role.ORGANISER
    assert olga.open(STAFF).status == 403 and bea.open(STAFF).status == 200
    assert stage.journal(event)[-1] == "Olga, owner until now, is organiser"


@pytest.mark.proves("attack 8", "ASVS 7.4.2")
def test_a_right_ends_with_the_next_request_and_so_do_the_invitations_of_who_is_removed(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    bea = join(app, link_for(olga, Role.OWNER), "Bea")
    bea.open(STAFF)
    link = bea.press("Make a link", role="owner").part(".copy-text").removeprefix("http://localhost")
    settings = bea.open("/e/iron-open/desk/settings")
    assert settings.status == 200
    row = stage.one(Staff, account_id=stage.one(Account, name="Bea").id)
    olga.open(STAFF)
    page = olga.press("Remove")
    assert page.flashes == "Removed, from the next click on."
    assert stage.all(Staff, id=row.id) == []
    before = stage.digest()
    bea.page = settings
    assert bea.press("Save", name="Mine").status == 403
    assert bea.open("/e/iron-open/desk").status == 403
    assert bea.open(link).text.count("withdrawn") == 1, "nobody comes back by an invitation of one's own"
    assert "Iron Open" not in bea.open("/desk").part("table")
    assert stage.digest() == before


def test_a_role_changed_is_another_desk_at_the_next_click(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    anna = join(app, link_for(olga, Role.JUDGE), "Anna")
    assert anna.open("/e/iron-open/desk/lists").status == 200
    olga.open(STAFF)
    anna_row = stage.one(Staff, account_id=stage.one(Account, name="Anna").id)
    olga.press("Change", inside=f"form[action$='/{anna_row.id}/role']", role="scorekeeper")
    assert anna.open("/e/iron-open/desk/lists").status == 403
    tabs = [link.get_text() for link in anna.open("/e/iron-open/desk").soup.select("nav.grouped [data-go]")]
    assert "Lists" not in tabs and "Settings" not in tabs and "Players" in tabs


def test_staff_leave_by_themselves(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    anna = join(app, link_for(olga, Role.JUDGE), "Anna")
    anna.open("/desk")
    page = anna.press("Leave")
    assert page.flashes == "You have left the staff of Iron Open."
    assert role_of(stage, "Anna") is None
    assert stage.journal(event)[-1] == "Anna is judge no more"


def test_an_invited_owner_of_one_event_is_nobody_at_another(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    stage.event("Rust Cup")
    stage.event("Secret Cup", draft=True)
    bea = join(app, link_for(olga, Role.OWNER), "Bea")
    assert bea.open("/e/iron-open/desk/settings").status == 200
    assert bea.open("/e/rust-cup/desk").status == 403
    assert bea.open("/e/secret-cup").status == bea.open("/e/secret-cup/desk").status == 404
    assert "Secret Cup" not in bea.open("/").text + bea.open("/desk").text


def test_the_link_is_shown_to_who_made_it_alone(app: Flask, olga: Person, event: Event, stage: Stage) -> None:
    link = link_for(olga, Role.JUDGE)
    bea = join(app, link_for(olga, Role.OWNER), "Bea")
    first, second = stage.all(Invitation)
    assert link not in olga.open(f"{STAFF}/invitations/{first.id}").text, "another one was made since"
    page: Page = bea.open(f"{STAFF}/invitations/{first.id}")
    assert "is kept nowhere" in page.text and page.part(".copy-text") == ""
    assert "used already" in bea.open(f"{STAFF}/invitations/{second.id}").text


def test_an_invitation_lasts_a_week() -> None:
    assert timedelta(days=7) == accounts_actions.LASTS
