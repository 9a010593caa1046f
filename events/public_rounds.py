"""Rounds as everybody may see them: of a round that is not published nothing is read but what was planned.

So a page that everybody may read costs the same whether a draft of the next round exists or not.
"""

from dataclasses import asdict

from sqlmodel import Session, col, select

from events.reading import RoundView, scenarios_of, view_of
from events.rounds_in_short import RoundInShort, rounds_in_short
from events.team_reading import is_team_event, teams_of
from models.event import Event, Round, RoundKind, RoundState


def public_round_views(s: Session, event: Event, after: int = 0) -> list[RoundView]:
    """All rounds of the event, those ``after`` a number; the published ones with their games."""
    known = scenarios_of(s, event)
    teams = tuple(teams_of(s, event)) if is_team_event(event) else ()
    query = select(Round).where(
        Round.event_id == event.id, Round.state == RoundState.PUBLISHED, col(Round.number) > after
    )
    published = {one.number: one for one in s.exec(query)}
    views = []
    for short in rounds_in_short(s, event):
        if short.number in published:
            views.append(view_of(s, event, published[short.number], known, teams))
        elif short.number > after:
            planned = _planned(short)
            scenario = known[planned.scenario] if planned.scenario else None
            views.append(RoundView(planned, (), scenario, (), teams, event.team_size))
    return views


def is_seen_as_draft(a_round: Round) -> bool:
    """Whether everybody sees something of this round before it is published: the rounds of a bracket are."""
    return a_round.kind != RoundKind.SWISS


def _planned(short: RoundInShort) -> Round:
    """A round that is not published, as it was planned; a copy to be read, of no session."""
    values = asdict(short) | {"state": RoundState.PLANNED}
    if short.scenario_drawn:
        values |= {"scenario": None, "scenario_drawn": False}
    return Round(**values)
