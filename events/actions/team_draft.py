"""Changing a drawn round of teams by hand: two teams change places, and what that costs beside the engine's draw."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col

from events.actions.drawing import request_drawn
from events.actions.journal import note
from events.actions.rounds import drawn_or_refused
from events.actions.team_boards import lay_boards
from events.errors import Refused
from events.pairing.reckoning import reckon
from events.pairing.seats import Pair
from events.pairing.teams import team_words
from events.team_reading import matches_of, names_of, seat_id, teams_of
from models.event import Event, Round
from models.play import Game
from models.team import TeamMatch


def swap_teams(s: Session, event: Event, number: int, one: int, other: int, actor: str, now: datetime) -> list[str]:
    """Let two teams of a drawn round change places, the bye included. Returns what is odd about it now, in words.

    Raises Refused. The boards of both matches are laid anew, with new codes on their sheets.
    """
    the_round = drawn_or_refused(s, event, number)
    matches = matches_of(s, the_round)
    where = {team: match for match in matches for team in (match.a_id, match.b_id) if team is not None}
    if one == other or one not in where or other not in where:
        raise Refused("Choose two different teams of this round.")
    if where[one] is where[other]:
        raise Refused("These two play each other: there is nothing to swap.")
    places = {one: other, other: one}
    fresh = [
        TeamMatch(
            round_id=the_round.id,
            a_id=places.get(match.a_id, match.a_id),
            b_id=None if match.b_id is None else places.get(match.b_id, match.b_id),
            block=match.block,
            notes=[],
        )
        for match in (where[one], where[other])
    ]
    gone = [where[one].id, where[other].id]
    s.exec(delete(Game).where(col(Game.match_id).in_(gone)))
    s.exec(delete(TeamMatch).where(col(TeamMatch.id).in_(gone)))
    s.add_all(fresh)
    s.flush()  # makes the ids of the new matches for their games
    lay_boards(s, event, the_round, now)
    names = names_of(teams_of(s, event))
    warnings = _explain(s, event, the_round, {seat_id(team): name for team, name in names.items()})
    note(
        s, event, actor, now, "swap-teams", f"Swapped {names[one]} and {names[other]} in round {number}",
        teams=[one, other], engine=the_round.outcome and the_round.outcome["levels"], warnings=warnings,
    )  # fmt: skip
    return warnings


def _explain(s: Session, event: Event, the_round: Round, names: dict[str, str]) -> list[str]:
    """Write every match's notes anew, and count what the round costs beside the draw."""
    outcome, matches = the_round.outcome or {}, matches_of(s, the_round)
    pairs = tuple(Pair(seat_id(m.a_id), seat_id(m.b_id), table=m.block) for m in matches if m.b_id is not None)
    bye = next((seat_id(match.a_id) for match in matches if match.b_id is None), None)
    reckoned = reckon(request_drawn(the_round), pairs, bye)
    notes = {pair.a: list(pair.notes) for pair in reckoned.pairs} | ({bye: list(reckoned.bye_notes)} if bye else {})
    for match in matches:
        match.notes = [team_words(one, event.team_size) for one in notes[seat_id(match.a_id)]]
    drawn = {frozenset(pair) for pair in outcome["pairs"]}
    the_round.outcome = outcome | {
        "hand_changed": drawn != {frozenset((pair.a, pair.b)) for pair in pairs} or bye != outcome["bye"],
        "hand_levels": asdict(reckoned.levels),
        "hand_placement": asdict(reckoned.placement),
    }
    return [
        f"{names[seat_id(match.a_id)]} and {names[seat_id(match.b_id)]}: {text}"
        for match in matches
        if match.b_id is not None
        for text in match.notes
    ]
