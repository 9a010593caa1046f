"""Stages: how the rounds of an event are paired and counted. Pure."""

from dataclasses import dataclass
from typing import Literal

from events.tournament.season import Season


@dataclass(frozen=True)
class Stage:
    kind: Literal["swiss", "round_robin", "knockout", "challenges"]
    counts: Literal["complete", "at once", "places"] = "complete"
    """When the standings count results: once the round is complete, or at once. A knockout gives places instead."""
    byes_score: bool = True
    opens_together: bool = False
    """Whether its rounds can start before earlier ones are complete."""
    by_points: bool = False
    """Whether draws follow results: drafts are secret, swaps are possible, and scenarios do not repeat."""
    one_wins: bool = False
    """Whether a drawn game needs a decision on who advances."""
    stands_in: bool = False
    """Whether a player can ask for a bye, and a stand-in play the player with the bye."""
    by_days: bool = False
    """Whether its rounds last days, as in a season: no clock and no tables."""
    crossed: bool = False
    """Whether everybody meets everybody, which a cross table shows."""
    has_rounds: bool = True
    """Whether readers know its games by rounds; challenges stand alone, in the order of making."""
    by_ladder: bool = False
    """Whether a ladder ranks its players, so that points and victory points rank nobody."""
    sets_rounds: bool = True
    """Whether the first draw sets the number of rounds, by the number of players."""


def stage_of(kind: str, season: Season | None, *, teams: bool) -> Stage:
    """The stage of rounds of this kind: "swiss", "round_robin" or "knockout"."""
    by_days = season is not None
    if kind == "knockout":
        return Stage("knockout", "places", one_wins=True, by_days=by_days)
    counts: Literal["complete", "at once"] = "at once" if by_days else "complete"
    if season is not None and season.by_challenge:
        robin = kind == "round_robin"
        return Stage(
            "challenges", counts, byes_score=False, opens_together=True, stands_in=True, by_days=True, crossed=robin,
            has_rounds=False, by_ladder=season.kind == "ladder", sets_rounds=robin,
        )  # fmt: skip
    if kind == "round_robin":  # else players gained by the bye where an opponent left
        return Stage(
            "round_robin", counts, byes_score=False, opens_together=not teams, stands_in=not teams, by_days=by_days,
            crossed=True,
        )  # fmt: skip
    return Stage("swiss", counts, by_points=True, stands_in=not teams, by_days=by_days, sets_rounds=False)
