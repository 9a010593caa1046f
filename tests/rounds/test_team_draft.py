"""The draft of a round of teams through the actions: swaps, locks, undo."""

import pytest

from events.play.errors import Refused
from events.rounds import team_draft
from events.rounds.draft import best_costs, costs_now
from models.event import Event
from tests.kit.stage import Round, Stage
from tests.kit.team_events import COLOURS, decide_all, enter_teams, matches_in, team_event

Meetings = set[tuple[frozenset[int | None], int | None]]


@pytest.fixture
def event(stage: Stage) -> Event:
    """Five teams of two with a draft of round 1."""
    event = team_event(stage, size=2)
    enter_teams(stage, event, *COLOURS)
    stage.draw(event, 1)
    return event


def meetings(stage: Stage, event: Event, number: int = 1) -> Meetings:
    """The teams and the block of tables of each match."""
    return {(frozenset((m.a_id, m.b_id)), m.block) for m in matches_in(stage, event, number)}


def swap(stage: Stage, event: Event, one: int, other: int, number: int = 1) -> dict[int, str]:
    return stage.do(event, team_draft.swap_teams, number, one, other)


def lock(stage: Stage, event: Event, team: int, *, locked: bool = True) -> None:
    stage.do(event, team_draft.lock_match, 1, team, locked=locked)


def test_locked_match_is_neither_redrawn_nor_swapped(stage: Stage, event: Event) -> None:
    first, second, bye = matches_in(stage, event, 1)
    ours, other, free = first.a_id, second.a_id, bye.a_id
    pair = frozenset((ours, first.b_id))
    lock(stage, event, ours)
    lock(stage, event, ours)
    lock(stage, event, free)
    for seed in range(2, 8):
        stage.draw(event, 1, seed)
        assert {pair, frozenset((free, None))} <= {one for one, _ in meetings(stage, event)}
    with pytest.raises(Refused, match=" are locked: unlock first"):
        swap(stage, event, ours, other)
    lock(stage, event, ours, locked=False)
    swap(stage, event, ours, other)
    assert sum(line.startswith("Locked") for line in stage.journal(event, "lock")) == 2


def test_manual_rematch_warns_and_is_counted(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, *COLOURS[:4])
    stage.publish(event, 1)
    met = next(iter(pair for pair, _ in meetings(stage, event)))
    decide_all(stage, event, 1)
    stage.draw(event, 2)
    keep, want = sorted(team or 0 for team in met)
    partner = next(team or 0 for pair, _ in meetings(stage, event, 2) if keep in pair for team in pair if team != keep)
    warnings = swap(stage, event, partner, want, number=2)
    assert any("have met before" in one for one in warnings.values()), warnings
    (the_round,) = stage.all(Round, number=2)
    assert (best_costs(the_round)["rematches"], costs_now(the_round)["rematches"]) == (0, 2)
