"""Players who do not come to a published game, by the organiser's word; undone when they turn up."""

from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.actions.knockout import why_settled
from events.actions.results import latest, stand
from events.errors import Refused, Stale
from events.outcomes import PLAYED_OUT, set_ended
from events.reading import players_by_id, round_views, scenario_in
from models.event import Event, EventState, Round, RoundState
from models.play import Absent, Game, GameState, Player


def set_absent(
    s: Session, event: Event, game: Game, absent: Absent | None, *, version: int, actor: str, now: datetime
) -> None:
    """Who did not come to this game; None: they turned up, and what was reported before counts again.

    ``version`` is the game's that the organiser saw. Raises Refused, and Stale where somebody was quicker.
    """
    the_round = s.get_one(Round, game.round_id)
    if game.b_id is None or the_round.state != RoundState.PUBLISHED:
        raise Refused("This is no game that waits for its players.")
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed; open it again at the desk for a correction.")
    if game.absent == absent:
        return
    if settled := why_settled(round_views(s, event), the_round):
        raise Refused(settled)
    if game.version != version:
        raise Stale("Somebody else changed this game while you looked at it. Look at it again.")
    before = game.absent
    mark(s, event, game, absent)
    names = [who.name for id_, who in players_by_id(s, event).items() if id_ in missing(game, absent or before)]
    said = f"{' and '.join(names)} did not come" if absent else f"{' and '.join(names)} turned up"
    where = f"Round {the_round.number}, table {game.table_number}"
    note(
        s, event, actor, now, "no-show", f"{where}: {said}", game=game.id, before=before, after=absent
    )  # fmt: skip


def mark(s: Session, event: Event, game: Game, absent: Absent | None) -> None:
    """Store it with the game: decided without a result, or as its reports say."""
    game.absent = absent
    game.version += 1
    if absent is not None:
        game.state, game.answers = GameState.CONFIRMED, None
        set_ended(game, PLAYED_OUT)
        return
    scenario = scenario_in(s, event, s.get_one(Round, game.round_id), game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    stand(game, scenario, latest(s, game))


def missing(game: Game, absent: Absent | None) -> tuple[int, ...]:
    """The ids of the players who did not come."""
    ids = {Absent.A: (game.a_id,), Absent.B: (game.b_id,), Absent.BOTH: (game.a_id, game.b_id)}
    return tuple(id_ for id_ in ids[absent] if id_ is not None) if absent else ()


def forfeit(s: Session, event: Event, player: Player) -> int | None:
    """Who leaves with a published game that nobody has reported yet loses it. Returns its round, None without one."""
    for view in round_views(s, event):
        for game in view.games:
            if player.id not in (game.a_id, game.b_id) or game.b_id is None:
                continue
            if view.round.state == RoundState.PUBLISHED and game.state == GameState.OPEN:
                mark(s, event, game, Absent.A if player.id == game.a_id else Absent.B)
                return view.round.number
    return None
