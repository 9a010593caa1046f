"""Drafts of rounds: changes that nobody but the staff of an event sees, so that no phone has to read its pages anew."""

from collections.abc import Sequence

from sqlalchemy import bindparam, select
from sqlmodel import Session, SQLModel

from models.change_rows import Change
from models.event import RoundKind, RoundState
from models.journal import RowChangeKind

OF_A_ROUND = frozenset({"round", "game", "team_match"})
DRAWN = frozenset({"state", "seed", "inputs", "outcome", "scenario", "scenario_drawn"})
"""What a draw says of its round."""
ROUNDS = SQLModel.metadata.tables["round"].c
DRAFTS = select(ROUNDS.id, ROUNDS.scenario, ROUNDS.scenario_drawn).where(
    ROUNDS.id.in_(bindparam("ids", expanding=True)),
    ROUNDS.kind == RoundKind.SWISS,
    ROUNDS.state != RoundState.PUBLISHED,
)
"""Of these rounds the drafts, without what they were drawn from, which is long."""


def only_drafts(s: Session, changes: Sequence[Change]) -> bool:
    """Whether a write changed nothing but rounds that are drawn by Swiss and not published, and their games.

    No where it changed no rows at all. The round of a bracket is seen by everybody before it is published.
    """
    about = {one.row_id if one.table.name == "round" else one.concerned.round_id for one in changes}
    if not changes or None in about or not {one.table.name for one in changes} <= OF_A_ROUND:
        return False
    drafts = {id_: (scenario, drawn) for id_, scenario, drawn in s.connection().execute(DRAFTS, {"ids": list(about)})}
    return drafts.keys() == about and all(
        one.table.name != "round" or _is_unseen(one, *drafts[one.row_id]) for one in changes
    )


def _is_unseen(change: Change, scenario: str | None, drawn: bool) -> bool:
    """Whether what became of a draft's round is nobody's but the staff's; it has this scenario now, drawn or chosen."""
    before = change.before
    if change.kind != RowChangeKind.CHANGED or not before.keys() <= DRAWN:
        return False
    if before.get("state") == RoundState.PUBLISHED:
        return False
    return _known(before.get("scenario", scenario), before.get("scenario_drawn", drawn)) == _known(scenario, drawn)


def _known(scenario: str | None, drawn: bool) -> str | None:
    """The scenario that everybody knows of before the round is published: one that was chosen, not drawn with it."""
    return None if drawn else scenario
