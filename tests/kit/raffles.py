"""A raffle in an event."""

from events.standings.raffle import Entry, draw_prize, give_prize, raffle_of, set_prizes
from models.event import Event
from tests.kit.stage import Stage


def next_prize(stage: Stage, event: Event) -> Entry:
    entry = raffle_of(stage.s, event).next
    assert entry, "all prizes are given"
    return entry


def hold_raffle(stage: Stage, event: Event, *prizes: str) -> str:
    """Type these prizes, draw the first twice, because the first player drawn is not here, and give it."""
    stage.do(event, set_prizes, prizes, raffle_of(stage.s, event).mark)
    for _ in (0, 1):
        stage.do(event, draw_prize, next_prize(stage, event).mark)
    entry = next_prize(stage, event)
    stage.do(event, give_prize, entry.mark)
    return raffle_of(stage.s, event).winner(entry)
