"""A player calls a judge: shown at the desk and in the hall, answered, closed, and recorded in the journal."""

from events.accounts.actions import CALLS
from models.call import JudgeCall
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, ROUND, Enter, seat

STRIP = ".calls"


def test_call_shows_at_the_desk_and_in_the_hall_until_it_is_closed(
    olga: Person, visitor: Person, stage: Stage, enter: Enter
) -> None:
    table, _ = seat(stage, enter, "Ada", "Bo", "Cy", "Di")
    number, name = table.game.table_number, table.name("a")
    assert not olga.open(f"{HOME}/desk").part(STRIP)
    table.a.open(f"{HOME}/me")
    page = table.a.press("Call a judge")
    assert f"You called a judge to table {number}" in page.part("#judge")
    assert f"{name} called a judge" in table.b.open(f"{HOME}/me").part("#judge")
    for address in (f"{HOME}/desk", ROUND, f"{ROUND}/results", f"{HOME}/desk/clock", f"{HOME}/desk/settings"):
        assert f"Judge 1 Table {number} {name}" in olga.open(address).part(STRIP), address
    hall = visitor.open(f"{HOME}/hall")
    assert hall.part(".hall-judge") == f"Judge: table {number}"
    olga.open(f"{ROUND}/results")
    page = olga.press(f"On my way to table {number}")
    assert (page.path, "Olga is on the way" in page.part(STRIP)) == (f"{ROUND}/results", True)
    assert "Olga is on the way to your table." in table.a.open(f"{HOME}/me").part("#judge")
    assert not visitor.open(f"{HOME}/hall").part(".hall-judge")
    olga.press(f"Close the call of table {number}")
    assert not olga.page.part(STRIP)
    assert "Call a judge" in table.b.open(f"{HOME}/me").text
    assert [stage.journal(table.event, kind) != [] for kind in ("call-judge", "take-call", "close-call")] == [True] * 3


def test_table_has_one_open_call_which_can_be_cancelled(olga: Person, stage: Stage, enter: Enter) -> None:
    (table,) = seat(stage, enter)
    old = table.b.open(f"{HOME}/me")
    table.a.open(f"{HOME}/me")
    table.a.press("Call a judge")
    table.b.page = old
    table.b.press("Call a judge")
    assert len(stage.all(JudgeCall)) == 1
    desk = olga.open(f"{HOME}/desk")
    assert "Take the call back" not in table.b.page.text
    table.a.open(f"{HOME}/me")
    undo = {"do": "undo", "csrf_token": str(table.b.page.value("csrf_token"))}
    assert "only they can" in table.b.http.post(f"{HOME}/me/judge", data=undo, follow_redirects=True).text
    table.a.press("Take the call back")
    assert [one.closed_at is not None for one in stage.all(JudgeCall)] == [True]
    olga.page = desk
    page = olga.press("On my way to table 1")
    assert "This call is closed already." in page.flashes


def test_repeatedly_cancelled_calls_are_limited(stage: Stage, enter: Enter) -> None:
    (table,) = seat(stage, enter)
    for _ in range(CALLS.most):
        table.a.open(f"{HOME}/me")
        table.a.press("Call a judge")
        table.a.press("Take the call back")
    page = table.a.press("Call a judge")
    assert "You have called a judge many times. Go to the desk." in page.flashes
    assert len(stage.all(JudgeCall)) == CALLS.most
    table.b.open(f"{HOME}/me")
    assert "You called a judge" in table.b.press("Call a judge").part("#judge"), "the opponent has calls of their own"
