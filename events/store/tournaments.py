"""Loads an event as it stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from events.store.players import has_place
from events.store.rounds import RoundView, public_round_views, round_views
from events.store.scoring import adjustments_of, play_rules
from events.store.team_queries import checked_in_by_board, seat_id
from events.tournament.tournament import Side, Tournament
from models.event import Event
from models.play import Player, PlayerState
from models.team import Team


def tournament_of(event: Event, *, drafts: bool = False) -> Tournament:
    """The event as it stands; rounds that are not published are without their games, unless with ``drafts``."""
    views = round_views(event) if drafts else public_round_views(event)
    return tournament_from(event, views, event.players)


@dataclass(frozen=True, eq=False)
class Loaded:
    """An event's rows with its drafts, for what changes them or shows them at the desk."""

    event: Event
    players: Sequence[Player]
    """All players, dropped ones too."""
    views: Sequence[RoundView]
    """All rounds, planned ones too."""

    @cached_property
    def t(self) -> Tournament:
        return tournament_from(self.event, self.views, self.players)

    @property
    def awaited(self) -> list[Player]:
        """The players with a place who are not checked in and can still play."""
        return [p for p in self.players if p.state == PlayerState.REGISTERED and not self.t.is_out(str(p.id))]


def load(event: Event) -> Loaded:
    return Loaded(event, event.players, round_views(event))


def tournament_from(event: Event, views: Sequence[RoundView], players: Sequence[Player]) -> Tournament:
    return Tournament(
        play_rules(event),
        {str(player.id): _player(player) for player in players},
        {seat_id(team.id): _team(team, players) for team in (views[0].teams if views else ())},
        tuple(view.now for view in views),
        adjustments_of(event),
    )


def _player(player: Player) -> Side:
    gone_before = player.state == PlayerState.DROPPED and player.dropped_after == 0
    return Side(
        id=str(player.id),
        name=player.name,
        club=player.club,
        entered_round=player.entered_round,
        dropped_after=player.dropped_after,
        here=player.state == PlayerState.CHECKED_IN,
        listed=player.state != PlayerState.WAITING and not gone_before,
        ringer=player.ringer,
        on_ladder=has_place(player) and not player.ringer,
    )


def _team(team: Team, players: Iterable[Player]) -> Side:
    return Side(
        id=seat_id(team.id),
        name=team.name,
        club=team.club,
        entered_round=team.entered_round,
        dropped_after=team.dropped_after,
        here=bool(checked_in_by_board(players, team)),
    )
