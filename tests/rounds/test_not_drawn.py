"""Who a draft leaves out, and why."""

from tests.kit.forces import read_force
from tests.kit.formats import drop
from tests.kit.lists import PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage


def left_out(olga: Person, number: int = 1) -> dict[str, str]:
    page = olga.open(f"/e/iron-open/desk/rounds/{number}")
    facts = page.soup.select("#not-drawn li:has(> p) > :is(.tag, p)")
    rows = zip(*[iter(" ".join(fact.stripped_strings).replace(" ,", ",") for fact in facts)] * 2, strict=True)
    return dict(rows)


def test_draft_names_players_who_are_not_drawn(olga: Person, stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo", "Cy"), places=6)
    stage.draw(event, 1)
    assert left_out(olga) == {}, "a bye is drawn"
    stage.enter(event, "Di", "Ed", here=False)
    drop(stage, event, "Ed")
    _, ringer = stage.enter(event, "Flo", "Gil")
    stage.set(event, ringer, ringer=True)
    stage.enter(event, "Waiter")
    assert left_out(olga) == {
        "Not checked in": "Di", "Dropped": "Ed", "Checked in after the draw": "Flo", "Stand-in, not needed": "Gil",
        "Waiting list": "Waiter",
    }  # fmt: skip


def test_only_lists_that_exist_are_locked_again(olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, players=("Ada", "Bo"))
    stage.play(event, 1)
    (late,) = stage.enter(event, "Late")
    assert late.list_unlocked_at is not None, "time for a late list"
    stage.draw(event, 2)
    address = "/e/iron-open/desk/rounds/2"
    assert "locked again" not in olga.open(address).response.text
    stage.force(event, late, read_force(PIPER), submit=False)
    assert "1 unlocked list is locked again." in olga.open(address).response.text
