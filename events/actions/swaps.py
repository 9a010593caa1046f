"""Changing a drawn round by hand, and what that costs beside the engine's own draw."""

from dataclasses import asdict
from datetime import datetime

from sqlmodel import Session

from events.actions.drawing import game_row, request_drawn
from events.actions.journal import note
from events.actions.rounds import drawn_or_refused
from events.errors import Refused
from events.pairing.explain import explain
from events.pairing.levels import count_levels
from events.pairing.seats import Pair
from events.reading import games_of, players_of
from models.event import Event, Round


def swap(s: Session, event: Event, number: int, one: int, other: int, actor: str, now: datetime) -> list[str]:
    """Let two players of a drawn round change places, the bye included. Returns what is odd about it, in words."""
    the_round = drawn_or_refused(s, event, number)
    games = games_of(s, the_round)
    where = {player: (game, side) for game in games for side, player in (("a_id", game.a_id), ("b_id", game.b_id))}
    if one == other or one not in where or other not in where or None in (one, other):
        raise Refused("Choose two different players of this round.")
    (game, side), (other_game, other_side) = where[one], where[other]
    if game is other_game:
        raise Refused("These two play each other: there is nothing to swap.")
    # One of the two rows would break "a player once a round" for a moment: they step aside first.
    pairs = {g.id: [g.a_id, g.b_id] for g in (game, other_game)}
    pairs[game.id][side == "b_id"], pairs[other_game.id][other_side == "b_id"] = other, one
    fresh = [game_row(the_round, g.a_id, g.b_id, g.table_number, ()) for g in (game, other_game)]
    for new, old in zip(fresh, (game, other_game), strict=True):
        new.a_id, new.b_id = pairs[old.id][0] or 0, pairs[old.id][1]
        new.code = old.code
        s.delete(old)
    s.flush()  # the old rows go before the new ones with the same code and players come
    s.add_all(fresh)
    s.flush()  # makes the new games' ids
    warnings = _explain(s, event, the_round)
    names = {p.id: p.name for p in players_of(s, event)}
    note(
        s, event, actor, now, "swap", f"Swapped {names[one]} and {names[other]} in round {number}",
        players=[one, other], engine=the_round.outcome and the_round.outcome["levels"], warnings=warnings,
    )  # fmt: skip
    return warnings


def _explain(s: Session, event: Event, the_round: Round) -> list[str]:
    """Write the notes of a hand-changed round, and count its levels beside the engine's own."""
    assert the_round.outcome is not None  # noqa: S101 - it is drawn
    request = request_drawn(the_round)
    games = games_of(s, the_round)
    pairs = [Pair(str(game.a_id), str(game.b_id)) for game in games if game.b_id is not None]
    bye = next((str(game.a_id) for game in games if game.b_id is None), None)
    noted, bye_notes = explain(the_round.number, request.seats, pairs, bye, request.rules)
    notes = {pair.a: list(pair.notes) for pair in noted} | ({bye: list(bye_notes)} if bye else {})
    for game in games:
        game.notes = notes[str(game.a_id)]
    levels = count_levels(the_round.number, request.seats, pairs, bye, request.rules)
    the_round.outcome = the_round.outcome | {"hand_changed": True, "hand_levels": asdict(levels)}
    names = {p.id: p.name for p in players_of(s, event)}
    return [
        f"{names[game.a_id]} and {names[game.b_id]}: {text}"
        for game in games
        if game.b_id is not None
        for text in game.notes
    ]
