"""Accounts behind the pages: whose event an old one becomes, what an invitation leaves behind, codes of nobody."""

from datetime import timedelta

import pytest

from events.actions import organisers, second_factor, staff
from events.errors import Refused
from models.journal import JournalEntry
from models.people import Account, SetUpLink
from models.staff import Invitation, Role, Staff
from tests.actions.stage import BY, PASSWORD, Stage

TICK = timedelta(microseconds=1)


@pytest.mark.proves("attack 17")
def test_who_is_set_up_owns_what_nobody_owned_and_the_link_is_used_up(stage: Stage) -> None:
    event, then = stage.event(), stage.clock()
    with stage.changing() as s:
        old, token = organisers.make_set_up_link(s, then), organisers.make_set_up_link(s, then)
    for held, at in ((old, then), ("none", then), (token, then + organisers.LINK_LASTS), (token, then - TICK)):
        assert organisers.find_set_up_link(stage.s, held, at) is None
    assert organisers.find_set_up_link(stage.s, token, then + organisers.LINK_LASTS - TICK) is not None
    with stage.changing() as s:
        organisers.set_up_organiser(s, token, "Olga", PASSWORD, then)
    olga = stage.one(Account)
    assert (olga.runs_club, stage.one(SetUpLink).used_at) == (True, then)
    owner = stage.one(Staff)
    assert (owner.event_id, owner.account_id, owner.role) == (event.id, olga.id, Role.OWNER)
    with pytest.raises(Refused, match="used already"), stage.changing() as s:
        organisers.set_up_organiser(s, token, "Petra", PASSWORD, then)
    assert len(stage.all(Account)) == 1


def test_an_invitation_is_named_in_the_journal_and_ends_to_the_moment(stage: Stage) -> None:
    olga = stage.set_up("Olga")
    event, then = stage.event(), stage.clock()
    with stage.changing(event) as s:
        invited, token = staff.invite(s, event, Role.JUDGE, olga, BY, then)
    made = stage.one(Invitation)
    (line,) = stage.all(JournalEntry, verb="invite-staff")
    assert line.details == {"invitation": made.id, "role": "judge"}
    assert made.id == invited.id and token not in repr(made)
    assert staff.why_ended(made, then + staff.LASTS - TICK) == ""
    assert "expired" in staff.why_ended(made, then + staff.LASTS)


@pytest.mark.proves("ASVS 6.3.3")
def test_where_no_second_factor_is_set_up_no_code_is_right(stage: Stage) -> None:
    olga, now = stage.set_up("Olga"), stage.clock()
    for code in ("", "000000", "spare"):
        with stage.changing() as s:
            assert not second_factor.use_code(s, s.get_one(Account, olga.id), code, now)


def test_who_has_the_role_already_keeps_it_and_the_journal_has_no_line_of_it(stage: Stage) -> None:
    stage.set_up("Olga")
    event, then = stage.event(), stage.clock()
    stage.hire(event, "Jo", Role.JUDGE)
    (row,) = stage.all(Staff, role=Role.JUDGE)
    for role, lines in ((Role.JUDGE, 0), (Role.SCOREKEEPER, 1), (Role.SCOREKEEPER, 1)):
        with stage.changing(event) as s:
            staff.change_role(s, event, s.get_one(Staff, row.id), role, BY, then)
        assert stage.now(row).role == role
        assert len(stage.all(JournalEntry, verb="change-role")) == lines
