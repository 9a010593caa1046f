"""Removing players with all that is theirs; players who took part are dropped instead."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from events.registration.leaving import drop
from events.registration.places import fill_places
from events.store.act import Act
from events.store.journal import check_not_over, note
from events.store.ledger import payments_of
from events.store.rounds import round_views
from languages.message import counted_message, joined
from models.captured import columns_naming, rows_naming
from models.event import Event
from models.play import ForceList, ForceStep, Player, PlayerState
from models.team import Team

GO_WITH_PLAYER = {
    "force_list", "list_seal", "payment", "contact", "delivery", "mail_change", "kept_answer", "kept_apart", "dispatch",
    "notice_off", "device", "passkey", "own_entry", "code_use",
}  # fmt: skip
"""Tables whose rows are deleted with a player.

A row of any other table means that the player took part; such players are dropped instead.
"""


@dataclass(frozen=True)
class Removal:
    removed: tuple[Player, ...]
    """Players who took no part and paid nothing; only the journal keeps a record of them."""
    dropped: tuple[Player, ...]
    """Players who took part or have paid: results and payments stay, and they are not paired again."""

    @property
    def count(self) -> int:
        return len(self.removed) + len(self.dropped)


def planned_removal(s: Session, event: Event, chosen: Sequence[Player]) -> Removal:
    """What ``remove_players`` would do with these players, without those already dropped."""
    held = {player.id for player in chosen if payments_of(player)}
    played = took_part(s, event, [player.id for player in chosen]) | held
    stay = tuple(player for player in chosen if player.id in played and player.state != PlayerState.DROPPED)
    return Removal(tuple(player for player in chosen if player.id not in played), stay)


def remove_players(act: Act, chosen: Sequence[Player]) -> Removal:
    """Delete players who neither took part nor paid, with all that belongs to them; drop the others. Raises Refused.

    Freed places go to the waiting list, as after a drop. A team left without players is deleted.
    """
    check_not_over(act.event)
    plan = planned_removal(act.s, act.event, chosen)
    if plan.removed:
        delete_players(act.s, plan.removed)
        names = [player.name for player in plan.removed]
        ids = [player.id for player in plan.removed]
        note(
            act,
            "remove-players",
            counted_message("Removed %(names)s", "Removed %(num)s players: %(names)s", len(names), names=joined(names)),
            players=ids,
            names=names,
        )
    for player in plan.dropped:
        drop(act, player)
    fill_places(act)
    return plan


def took_part(s: Session, event: Event, ids: Sequence[int]) -> set[int]:
    """The players who have a game, a mark, a ruling or an award."""
    numbers: set[int] = set()
    for table, column in columns_naming("player"):
        if table.name not in GO_WITH_PLAYER:
            numbers.update(s.connection().execute(select_columns(column).where(column.in_(ids))).scalars())
    for view in round_views(event):
        for match in view.matches:  # captains chose these players, but the games do not exist yet
            numbers.update(id_ for id_ in (*(match.a_order or ()), *(match.b_order or ())) if id_ is not None)
    return numbers & set(ids)


def delete_players(s: Session, players: Sequence[Player]) -> None:
    """Delete players who took no part, with their rows, and teams that they leave empty."""
    ids, teams = [player.id for player in players], {player.team_id for player in players}
    lists = select(ForceList.id).where(col(ForceList.player_id).in_(ids))
    for step in s.exec(select(ForceStep).where(col(ForceStep.force_list_id).in_(lists))):
        s.delete(step)
    s.flush()  # delete a list's steps before the list
    for row in rows_naming(s, "player", ids, GO_WITH_PLAYER):
        s.delete(row)
    s.flush()  # no row refers to the players when theirs are deleted
    for player in players:
        s.delete(player)
    s.flush()  # no row refers to a team when its own is deleted
    for team in s.exec(select(Team).where(col(Team.id).in_(teams))):
        named = (
            s.connection().execute(select_columns(column).where(column == team.id).limit(1)).first()
            for _, column in columns_naming("team")
        )
        if not any(named):
            s.delete(team)
