"""Rounds: draw one, look at it, change it by hand, publish it."""

import random
import secrets
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col

from events.actions.journal import note
from events.actions.locks import lock_lists, settle
from events.actions.standings import entrants, played, scheme_of, seats
from events.errors import Refused
from events.pairing.explain import explain
from events.pairing.levels import count_levels
from events.pairing.results import seats_from
from events.pairing.seats import AvoidClubs, Pair, Seat
from events.pairing.swiss import draw
from events.pairing.tables import assign_tables
from events.reading import RoundView, games_of, players_of, round_of, round_views, rounds_of, scenarios_of
from models.event import Event, EventState, Round, RoundState
from models.play import Game, GameState, Player, PlayerState

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0, 1, I, L, O and U: read from paper and typed on a phone."""

STALE = "The standings or the field changed after this draw: draw again."


def draw_round(s: Session, event: Event, number: int, seed: int, actor: str, now: datetime) -> Round:
    """Draw a round for the organiser's eyes: pairs, bye, tables and scenario. A round drawn before is drawn anew.

    ``number`` is the round that the page showed: pressed twice, or by two people, it is still one round. The seed and
    all that the draw saw are stored with the round. Raises Refused.
    """
    views, everybody = round_views(s, event), players_of(s, event)
    if reason := why_not_drawn(event, everybody, views, number):
        raise Refused(reason)
    the_round = next(view.round for view in views if view.round.number == number)
    here = [p for p in everybody if p.state == PlayerState.CHECKED_IN]
    for player in here:  # one who came while an earlier draw of this round lay on the desk plays in this one
        player.entered_round = min(player.entered_round, number)
    _discard_games(s, the_round)
    field = seats(s, event, here, number)
    drawn = draw(number, field, seed=seed, avoid_clubs=_avoid(event))
    tables = range(1, (event.tables or len(drawn.pairs)) + 1)
    if len(drawn.pairs) > len(tables):
        raise Refused(
            f"{len(drawn.pairs)} games need a table each, and the event has {len(tables)}: "
            "set more tables in the settings."
        )
    for pair, table in zip(drawn.pairs, assign_tables(drawn.pairs, field, tables), strict=True):
        s.add(_game(the_round, int(pair.a), int(pair.b), table, pair.notes))
    if drawn.bye is not None:
        s.add(_game(the_round, int(drawn.bye), None, None, drawn.notes))
    _draw_scenario(s, event, the_round, seed)
    the_round.state, the_round.seed = RoundState.DRAWN, seed
    the_round.inputs = {"round": number, "avoid_clubs": event.avoid_clubs.value, "seats": [asdict(x) for x in field]}
    the_round.outcome = {
        "pairs": [[p.a, p.b] for p in drawn.pairs],
        "bye": drawn.bye,
        "levels": asdict(drawn.levels),
        "certificate": asdict(drawn.certificate),
        "algorithm": drawn.algorithm,
        "notes": list(drawn.notes),
    }
    note(
        s, event, actor, now, "draw-round", f"Drew round {number}: {len(drawn.pairs)} games", seed=seed,
        outcome=the_round.outcome,
    )  # fmt: skip
    return the_round


def discard_draw(s: Session, event: Event, number: int, actor: str, now: datetime) -> None:
    """Throw a drawn round away before anybody has seen it."""
    the_round = _drawn(s, event, number)
    _discard_games(s, the_round)
    the_round.state, the_round.seed, the_round.inputs, the_round.outcome = RoundState.PLANNED, None, None, None
    if the_round.scenario_drawn:
        the_round.scenario, the_round.scenario_drawn = None, False
    note(s, event, actor, now, "discard-draw", f"Discarded the draw of round {number}")


def swap(s: Session, event: Event, number: int, one: int, other: int, actor: str, now: datetime) -> list[str]:
    """Let two players of a drawn round change places, the bye included. Returns what is odd about it, in words."""
    the_round = _drawn(s, event, number)
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
    fresh = [_game(the_round, g.a_id, g.b_id, g.table_number, ()) for g in (game, other_game)]
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


def is_stale(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> bool:
    """Whether drawing this drawn round again would see other seats, or keep other club mates apart, than it did.

    False for a round that is not drawn. Clubs count only where the draw looks at them.
    """
    the_round = next((v.round for v in views if v.round.number == number), None)
    if the_round is None or the_round.state != RoundState.DRAWN or the_round.inputs is None:
        return False
    here = {str(p.id) for p in players if p.state == PlayerState.CHECKED_IN}
    people = [  # as draw_round takes them: whoever is here by now plays in this round
        replace(one, entered_round=min(one.entered_round, number)) if one.id in here else one
        for one in entrants(event, players)
    ]
    field = seats_from(played(event, views, number - 1), people, scheme_of(event), number)
    then = _as_drawn(number, _seats_seen(the_round), the_round.inputs["avoid_clubs"])
    return then != _as_drawn(number, [seat for seat in field if seat.id in here], event.avoid_clubs.value)


def publish_round(s: Session, event: Event, number: int, actor: str, now: datetime, *, sure: bool = False) -> None:
    """Show a drawn round to everybody. The first one starts the event and locks the lists.

    A stale draw is refused unless the organiser is ``sure``.
    """
    the_round = _drawn(s, event, number)
    everybody = players_of(s, event)
    stale = is_stale(event, everybody, round_views(s, event), number)
    here = {p.id: p for p in everybody}
    gone = [here[i].name for g in games_of(s, the_round) for i in (g.a_id, g.b_id) if i and _left(here[i])]
    if gone:
        raise Refused(f"{', '.join(gone)} left after the draw: draw the round again.")
    if stale and not sure:
        raise Refused(STALE)
    the_round.state, the_round.published_at = RoundState.PUBLISHED, now
    for game in games_of(s, the_round):
        if game.b_id is None:
            game.state = GameState.CONFIRMED
    settle(s, event, now)
    event.state = EventState.IN_PROGRESS
    lock_lists(s, event, now, actor, now)
    known = ", although the standings or the field had changed after the draw" if stale else ""
    note(s, event, actor, now, "publish-round", f"Published round {number}{known}")


def why_not_drawn(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> str:
    """Why this round cannot be drawn now, in a sentence; "" where it can."""
    if event.state == EventState.FINISHED:
        return "This event is over."
    if number > len(views):
        return f"This event has {len(views)} rounds; more can be planned in the settings."
    if views[number - 1].round.state == RoundState.PUBLISHED:
        return f"Round {number} is published already."
    before = next((v for v in views[: number - 1] if not v.complete), None)
    if before is not None:
        state = before.round.state
        if state == RoundState.PUBLISHED:
            return f"Round {before.round.number} is not complete yet: {before.open_games} games have no result."
        so_far = "drawn but not published" if state == RoundState.DRAWN else "not drawn"
        return f"Round {before.round.number} is {so_far} yet."
    if sum(p.state == PlayerState.CHECKED_IN for p in players) < 2:
        return "At least two players must be checked in before a round can be drawn."
    return ""


def _drawn(s: Session, event: Event, number: int) -> Round:
    the_round = round_of(s, event, number)
    if the_round is None or the_round.state != RoundState.DRAWN:
        raise Refused(f"Round {number} is not a draw that waits to be published.")
    return the_round


def _left(player: Player) -> bool:
    return player.state != PlayerState.CHECKED_IN


def _discard_games(s: Session, the_round: Round) -> None:
    s.exec(delete(Game).where(col(Game.round_id) == the_round.id))


def _game(the_round: Round, a: int, b: int | None, table: int | None, notes: Sequence[str]) -> Game:
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(8))
    return Game(round_id=the_round.id, a_id=a, b_id=b, table_number=table, code=code, notes=list(notes))


def _draw_scenario(s: Session, event: Event, the_round: Round, seed: int) -> None:
    if the_round.scenario is not None and not the_round.scenario_drawn:
        return
    others = {r.scenario for r in rounds_of(s, event) if r.id != the_round.id}
    free = [one for one in scenarios_of(s, event) if one in event.scenario_pool and one not in others]
    if not free:
        raise Refused("Every scenario of the pool was played or is planned: choose one for this round in the settings.")
    the_round.scenario, the_round.scenario_drawn = random.Random(seed).choice(free), True  # noqa: S311 - no secret


def _explain(s: Session, event: Event, the_round: Round) -> list[str]:
    """Write the notes of a hand-changed round, and count its levels beside the engine's own."""
    assert the_round.outcome is not None  # noqa: S101 - it is drawn
    field = _seats_seen(the_round)
    avoid = _avoid(event)
    games = games_of(s, the_round)
    pairs = [Pair(str(game.a_id), str(game.b_id)) for game in games if game.b_id is not None]
    bye = next((str(game.a_id) for game in games if game.b_id is None), None)
    noted, bye_notes = explain(the_round.number, field, pairs, bye, avoid_clubs=avoid)
    notes = {pair.a: list(pair.notes) for pair in noted} | ({bye: list(bye_notes)} if bye else {})
    for game in games:
        game.notes = notes[str(game.a_id)]
    levels = count_levels(the_round.number, field, pairs, bye, avoid_clubs=avoid)
    the_round.outcome = the_round.outcome | {"hand_changed": True, "hand_levels": asdict(levels)}
    names = {p.id: p.name for p in players_of(s, event)}
    return [
        f"{names[game.a_id]} and {names[game.b_id]}: {text}"
        for game in games
        if game.b_id is not None
        for text in game.notes
    ]


def _seats_seen(the_round: Round) -> list[Seat]:
    assert the_round.inputs is not None  # noqa: S101 - it is drawn
    return [
        Seat(**seat | {"opponents": tuple(seat["opponents"]), "tables": tuple(seat["tables"])})
        for seat in the_round.inputs["seats"]
    ]


def _as_drawn(number: int, field: Sequence[Seat], avoid: str) -> tuple[bool, list[Seat]]:
    """What of the seats and the clubs moves the draw of this round."""
    apart = avoid == "always" or (avoid == "first_round" and number == 1)
    return apart, [seat if apart else replace(seat, club="") for seat in field]


def _avoid(event: Event) -> AvoidClubs:
    ways: dict[str, AvoidClubs] = {"first_round": "first_round", "always": "always", "never": "never"}
    return ways[event.avoid_clubs.value]
