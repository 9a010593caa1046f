"""The order in which an organiser seeds a knockout from the start."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.errors import Refused
from events.reading import RoundView, placed, players_of, round_views
from models.event import Event, EventFormat, RoundState


def why_not_seeded(event: Event, views: Sequence[RoundView]) -> str:
    """Why the organiser cannot seed players now, in a sentence; "" where they can."""
    if event.format != EventFormat.KNOCKOUT:
        return "Only a knockout from the start is seeded by hand; a cut takes the order of the standings."
    if any(view.round.state == RoundState.PUBLISHED for view in views):
        return "Round 1 is published: the seeds stay as they are."
    return ""


def set_seeds(s: Session, event: Event, seeds: Mapping[int, int | None], actor: str, now: datetime) -> None:
    """Give players their seeds, by id; None: by lot behind all who have one. Who is not named keeps what they have.

    A round that is drawn already is stale then. Raises Refused, for a number given twice at the second player's field.
    """
    if reason := why_not_seeded(event, round_views(s, event)):
        raise Refused(reason)
    everybody = placed(players_of(s, event))
    wanted = {player.id: seeds.get(player.id, player.seed_number) for player in everybody}
    names = {player.id: player.name for player in everybody}
    taken: dict[int, int] = {}
    for id_, seed in wanted.items():
        if seed is not None and taken.setdefault(seed, id_) != id_:
            raise Refused(f"{names[taken[seed]]} has seed {seed} already.", str(id_))
    before = {player.id: player.seed_number for player in everybody}
    for player in everybody:
        player.seed_number = wanted[player.id]
    if before != wanted:
        order = [id_ for _, id_ in sorted((seed, id_) for id_, seed in wanted.items() if seed is not None)]
        told = ", ".join(names[id_] for id_ in order) or "all by lot"
        note(s, event, actor, now, "seed", f"Seeded the knockout: {told}", seeds=order)
