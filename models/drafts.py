"""Drafts of rounds: changes that nobody but the staff of an event sees, so that no phone has to read its pages anew."""

from collections.abc import Sequence

from sqlmodel import Session

from models.change_rows import Change
from models.event import Round, RoundKind, RoundState
from models.journal import RowChangeKind

GAMES = frozenset({"game", "team_match"})
DRAWN = frozenset({"state", "seed", "inputs", "outcome", "scenario", "scenario_drawn"})
"""What a draw says of its round. When it was published is not among it: one that is taken back is seen."""


def only_drafts(s: Session, changes: Sequence[Change]) -> bool:
    """Whether a write changed nothing but rounds that are drawn by Swiss and not published, and their games.

    No where it changed no rows at all. The round of a bracket is seen by everybody before it is published.
    """
    rounds = {key: s.get(Round, key) if key is not None else None for key in {_round_of(one) for one in changes}}
    return bool(changes) and all(_is_of_draft(one, rounds[_round_of(one)]) for one in changes)


def _round_of(change: Change) -> int | None:
    return change.row_id if change.table.name == "round" else change.concerned.round_id


def _is_of_draft(change: Change, the_round: Round | None) -> bool:
    if the_round is None or the_round.kind != RoundKind.SWISS or the_round.state == RoundState.PUBLISHED:
        return False
    if change.table.name != "round":
        return change.table.name in GAMES
    before = change.before
    if change.kind != RowChangeKind.CHANGED or not before.keys() <= DRAWN:
        return False
    was = _chosen(*(before.get(name, getattr(the_round, name)) for name in ("scenario", "scenario_drawn")))
    return was == _chosen(the_round.scenario, the_round.scenario_drawn)


def _chosen(scenario: str | None, drawn: bool) -> str | None:
    """The scenario that everybody knows of before the round is published: one that was chosen, not drawn with it."""
    return None if drawn else scenario
