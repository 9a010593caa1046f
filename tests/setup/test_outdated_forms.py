"""Forms at the desk that replace several values: an older page takes back nobody's change unseen."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from events.public.clock import set_times
from events.registration.actions import change_player, details_of
from events.standings.soft_scores import set_figures
from events.store.act import Act
from events.tournament.clock import ClockRules
from models.event import Event
from tests.kit.person import Person
from tests.kit.stage import Player, Stage

DESK = "/e/iron-open/desk"


def painted(act: Act, player: Player) -> None:
    set_figures(act, player, 5, None)


def of_a_club(act: Act, player: Player) -> None:
    change_player(act, player, details_of(player) | {"club": "Reds"})


def with_a_break(act: Act, player: Player) -> None:
    starts = [act.now + timedelta(hours=1), *[None for _ in act.event.schedule[1:]]]
    set_times(act, ClockRules(break_minutes=25), starts)


def stored(stage: Stage, event: Event) -> tuple[object, ...]:
    ada, bo = (stage.one(Player, name=name) for name in ("Ada", "Bo"))
    here = stage.now(event)
    return ada.painting, bo.painting, ada.club, ada.fixed_table, here.clock_rules, here.schedule[0].planned_at


@pytest.mark.parametrize(
    ("address", "other", "typed"),
    [
        ("/soft", painted, {"painting-2": "7"}),
        ("/players/1", of_a_club, {"fixed_table": "3"}),
        ("/clock", with_a_break, {"calls": "20"}),
    ],
)
def test_older_page_is_refused_once_and_then_replaces(
    address: str, other: Callable[[Act, Player], None], typed: dict[str, str], stage: Stage, event: Event, olga: Person
) -> None:
    ada, _ = stage.enter(event, "Ada", "Bo")
    olga.open(DESK + address)
    stage.do(event, other, ada)
    before = stored(stage, event)
    inside = {"/soft": "form.stack", "/players/1": "#details", "/clock": "#clock-times"}[address]
    page = olga.press("Save", inside=inside, **typed)
    assert (page.status, stored(stage, event)) == (409, before)
    assert "changed after you opened" in page.errors
    assert olga.press("Save", inside=inside).status == 200
    assert stored(stage, event) != before
    olga.open(DESK + address)
    name, value = next(iter(typed.items()))
    assert olga.press("Save", inside=inside, **{name: value}).status == 200, "a fresh page is not refused"
