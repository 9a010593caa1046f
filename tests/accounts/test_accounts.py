"""Accounts behind the pages: whose event an old one becomes, what an invitation leaves behind, codes of nobody."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

import pyotp
import pytest
from sqlmodel import Session

from events.accounts import actions as accounts_actions
from events.play.errors import Refused
from models.db import write
from models.journal import JournalEntry
from models.people import Account, SetUpLink
from models.staff import Invitation, Role, Staff
from tests.kit.stage import BY, PASSWORD, Stage
from tests.kit.two_at_once import PATIENCE, started, wait_until_one_waits

KEY = accounts_actions.key_from("a secret for tests, of enough characters")
TICK = timedelta(microseconds=1)
Said = TypeVar("Said")


def by_two_at_once(stage: Stage, do: Callable[[Session], Said]) -> list[Said | str]:
    """Do it, and once more by another who begins before it is stored; what both are told."""
    told = list[Said | str]()

    def second() -> None:
        with Session(stage.engine) as own:
            try:
                with write(own, stage.clock()) as s:
                    said = do(s)
                told.append(said)
            except Refused as refused:
                told.append(refused.message)

    with stage.changing() as s:
        told.append(do(s))
        waiting, failed = started(second)
        wait_until_one_waits(stage.engine)
    waiting.join(PATIENCE)
    assert not failed
    return told


@pytest.mark.proves("attack 17")
@pytest.mark.postgres
def test_of_two_who_use_one_set_up_link_at_once_the_second_is_refused(stage: Stage) -> None:
    with stage.changing() as s:
        token = accounts_actions.make_set_up_link(s, stage.clock())
    names = iter(("Olga", "Petra"))
    first, second = by_two_at_once(
        stage, lambda s: accounts_actions.set_up_organiser(s, token, next(names), PASSWORD, stage.clock()).name
    )
    assert (first, second[:27]) == ("Olga", "This link was used already,")
    assert [account.name for account in stage.all(Account)] == ["Olga"]


@pytest.mark.proves("ASVS 6.5.1")
@pytest.mark.postgres
def test_of_two_who_send_one_code_at_once_one_is_let_in(stage: Stage) -> None:
    olga, secret = stage.set_up("Olga"), accounts_actions.new_secret()
    with stage.changing() as s:
        accounts_actions.turn_on(s, s.get_one(Account, olga.id), secret, 0, KEY)
    code, now = pyotp.TOTP(secret).at(stage.clock()), stage.clock()
    assert by_two_at_once(
        stage, lambda s: accounts_actions.use_code(s, s.get_one(Account, olga.id), code, now, KEY)
    ) == [True, False]  # fmt: skip


@pytest.mark.slow
@pytest.mark.proves("attack 17")
def test_who_is_set_up_owns_what_nobody_owned_and_the_link_is_used_up(stage: Stage) -> None:
    event, then = stage.event(), stage.clock()
    assert not accounts_actions.any_organiser(stage.s)
    with stage.changing() as s:
        old, token = accounts_actions.make_set_up_link(s, then), accounts_actions.make_set_up_link(s, then)
    for held, at in ((old, then), ("none", then), (token, then + accounts_actions.LINK_LASTS), (token, then - TICK)):
        assert accounts_actions.find_set_up_link(stage.s, held, at) is None
    assert accounts_actions.find_set_up_link(stage.s, token, then + accounts_actions.LINK_LASTS - TICK) is not None
    with stage.changing() as s:
        accounts_actions.set_up_organiser(s, token, "Olga", PASSWORD, then)
    olga = stage.one(Account)
    assert accounts_actions.any_organiser(stage.s)
    assert (olga.runs_club, stage.one(SetUpLink).used_at) == (True, then)
    owner = stage.one(Staff)
    assert (owner.event_id, owner.account_id, owner.role) == (event.id, olga.id, Role.OWNER)
    with pytest.raises(Refused, match="used already"), stage.changing() as s:
        accounts_actions.set_up_organiser(s, token, "Petra", PASSWORD, then)
    assert len(stage.all(Account)) == 1


def test_an_invitation_is_named_in_the_journal_and_ends_to_the_moment(stage: Stage) -> None:
    olga = stage.set_up("Olga")
    event, then = stage.event(), stage.clock()
    with stage.changing(event) as s:
        invited, token = accounts_actions.invite(s, event, Role.JUDGE, olga, BY, then)
    made = stage.one(Invitation)
    (line,) = stage.all(JournalEntry, verb="invite-staff")
    assert line.details == {"invitation": made.id, "role": "judge"}
    assert made.id == invited.id and token not in repr(made)
    assert accounts_actions.why_ended(made, then + accounts_actions.LASTS - TICK) == ""
    assert "expired" in accounts_actions.why_ended(made, then + accounts_actions.LASTS)
    with stage.changing(event) as s:
        accounts_actions.withdraw(s, event, made, BY, then)
    with pytest.raises(Refused, match="was withdrawn"), stage.changing(event) as s:
        accounts_actions.withdraw(s, event, made, BY, then)


@pytest.mark.proves("ASVS 6.3.3")
def test_where_no_second_factor_is_set_up_no_code_is_right(stage: Stage) -> None:
    olga, now = stage.set_up("Olga"), stage.clock()
    for code in ("", "000000", "spare"):
        with stage.changing() as s:
            assert not accounts_actions.use_code(s, s.get_one(Account, olga.id), code, now, KEY)


def test_who_has_the_role_already_keeps_it_and_the_journal_has_no_line_of_it(stage: Stage) -> None:
    stage.set_up("Olga")
    event, then = stage.event(), stage.clock()
    stage.hire(event, "Jo", Role.JUDGE)
    (row,) = stage.all(Staff, role=Role.JUDGE)
    for role, lines in ((Role.JUDGE, 0), (Role.SCOREKEEPER, 1), (Role.SCOREKEEPER, 1)):
        with stage.changing(event) as s:
            accounts_actions.change_role(s, event, s.get_one(Staff, row.id), role, BY, then)
        assert stage.now(row).role == role
        assert len(stage.all(JournalEntry, verb="change-role")) == lines


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


def test_an_owner_who_is_made_something_else_leaves_no_open_invitation(stage: Stage) -> None:
    olga, event, then = stage.set_up("Olga"), stage.event(), stage.clock()
    stage.hire(event, "Petra", Role.OWNER)
    with stage.changing(event) as s:
        made, _ = accounts_actions.invite(s, event, Role.OWNER, olga, BY, then)
    own = stage.one(Staff, account_id=olga.id)
    assert accounts_actions.why_ended(stage.now(made), then) == ""
    with stage.changing(event) as s:
        accounts_actions.change_role(s, event, own, Role.JUDGE, BY, then)
    assert accounts_actions.why_ended(stage.now(made), then) == "This invitation was withdrawn."
