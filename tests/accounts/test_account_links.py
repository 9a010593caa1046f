"""The two one-time links: one creates an organiser, the other sets one account's password."""

import pytest
from flask import Flask

from events.accounts import actions as accounts_actions
from models.people import Account, SetUpLink
from models.staff import Staff
from tests.kit.accounts import sign_in
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage

NEW = "three other old lamps"
pytestmark = pytest.mark.both_at_length


@pytest.mark.proves("attack 64")
def test_set_up_link_changes_no_account_of_the_same_name(
    olga: Person, visitor: Person, app: Flask, stage: Stage
) -> None:
    before = stage.one(Account, name="Olga").password_hash
    visitor.open(stage.set_up_link())
    for name in ("Olga", "olga", "ＯＬＧＡ"):
        page = visitor.press("Set up and sign in", name=name, password=NEW)
        assert (page.status, stage.one(Account).password_hash) == (422, before), name
        assert "This name is taken." in page.error_at("name")
        assert "overseer password-link" in page.error_at("name")
        assert page.value("name") == name
    assert olga.open("/desk").path == "/desk", "still signed in"
    assert sign_in(Person(app), "Olga").path == "/desk"
    page = visitor.press("Set up and sign in", name="Petra", password=NEW)
    assert page.path == "/desk", "the link was not used up"
    assert [account.name for account in stage.all(Account)] == ["Olga", "Petra"]


@pytest.mark.proves("attack 64", "ASVS 6.4.3")
def test_password_link_sets_the_password_of_one_account_and_signs_it_out_elsewhere(
    olga: Person, visitor: Person, app: Flask, stage: Stage
) -> None:
    petra = stage.set_up("Petra")
    link = stage.password_link("Olga")
    page = visitor.open(link)
    assert (page.path, page.part("h1")) == ("/set-up", "Set a new password")
    assert "Olga" in page.part(".lede")
    assert not page.soup.find("input", {"name": "name"}), "the link says whose password it is"
    assert visitor.press("Set password and sign in", password=NEW, again="something else").error_at("again")
    assert "easy to guess" in visitor.press(
        "Set password and sign in", password="olgaolga2026", again="olgaolga2026"
    ).error_at("password")
    page = visitor.press("Set password and sign in", password=NEW, again=NEW)
    assert (page.path, "Your password is changed." in page.flashes) == ("/desk", True)
    assert olga.open("/desk").path == "/sign-in"
    assert "do not match" in sign_in(Person(app), "Olga").errors
    assert sign_in(Person(app), "Olga", NEW).path == "/desk"
    assert stage.one(Account, name="Petra").password_hash == petra.password_hash
    assert Person(app).open(link).status == 404, "it works once"


@pytest.mark.proves("attack 64")
def test_password_link_makes_no_account_and_no_organiser(visitor: Person, stage: Stage) -> None:
    event = stage.event()
    with stage.changing() as s:
        accounts_actions.make_account(s, "Jo", PASSWORD, stage.clock())
    visitor.open(stage.password_link("Jo"))
    visitor.forge("Set password and sign in", password=NEW, again=NEW, name="Mallory")
    (jo,) = stage.all(Account)
    assert (jo.name, jo.runs_club) == ("Jo", False)
    assert stage.all(Staff, event_id=event.id) == [], "an event without an owner stays without one"


@pytest.mark.proves("attack 64", "attack 17")
def test_newer_password_link_ends_only_the_older_one_of_its_account(visitor: Person, stage: Stage) -> None:
    stage.set_up("Olga"), stage.set_up("Petra")
    older, of_petra, set_up = stage.password_link("Olga"), stage.password_link("Petra"), stage.set_up_link()
    newer = stage.password_link("Olga")
    assert visitor.open(older).status == 404
    for link in (newer, of_petra, set_up):
        assert visitor.open(link).status == 200
    assert len(stage.all(SetUpLink)) == 3


@pytest.mark.proves("attack 64", "attack 17")
def test_password_link_lasts_an_hour(visitor: Person, stage: Stage) -> None:
    stage.set_up("Olga")
    link = stage.password_link("Olga")
    visitor.open(link)
    stage.clock.advance(minutes=61)
    page = visitor.press("Set password and sign in", password=NEW, again=NEW)
    assert (page.status, page.part("h1")) == (404, "This link is no longer valid")
    assert accounts_actions.sign_in(stage.s, "Olga", PASSWORD) is not None
