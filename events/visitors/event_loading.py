"""What pages need of an event: loaded once per request, a change loads it again."""

from collections.abc import Mapping, Sequence

from events.store.campaign import Games, Todo, campaign_history, campaign_results, differing, todo_of
from events.store.errors import Refused
from events.store.last_games import Drop, published_games, ways_to_drop
from events.store.rounds import (
    RoundView,
    public_round_views,
)
from events.store.tournaments import Loaded, tournament_from
from events.tournament.tournament import Tournament
from events.visitors import access
from events.visitors.loading import once, views_of, visitor
from events.visitors.queries import (
    name_warnings,
)
from events.web.request import db
from languages.words import language
from models.event import Event, EventState, Round
from models.play import Player
from validators.campaign_history import History


def players_in(event: Event) -> Sequence[Player]:
    """All players, dropped ones too, in the order of registration, loaded once per request."""
    return once("players", event, lambda: event.players)


def public_views_in(event: Event) -> Sequence[RoundView]:
    """The rounds of the event, only the published ones with their games, loaded once per request."""
    return once("public views", event, lambda: public_round_views(event))


def tournament_in(event: Event) -> Tournament:
    """The event as everybody may see it: without its drafts. Once per request."""
    return once("tournament", event, lambda: tournament_from(event, public_views_in(event), players_in(event)))


def loaded_in(event: Event) -> Loaded:
    """The event's rows with its drafts, for the desk, loaded once per request."""
    return once("all", event, lambda: Loaded(event, players_in(event), views_of(event)))


def desk_tournament_in(event: Event) -> Tournament:
    return loaded_in(event).t


def drops_of(event: Event, players: Sequence[Player]) -> dict[int, list[Drop]]:
    """For the desk: how each of these players can be dropped, by id; empty for visitors who may not."""
    if not access.may_change_players(visitor(), event):
        return {player.id: [] for player in players}
    people, played = {player.id: player for player in players_in(event)}, published_games(views_of(event))
    return {player.id: ways_to_drop(event, player, played[player.id], people) for player in players}


def view_in(event: Event, the_round: Round) -> RoundView:
    return next(view for view in views_of(event) if view.round.id == the_round.id)


def campaign_of(event: Event) -> tuple[History, Games]:
    """The campaign's history and the results that its steps follow, loaded once per request.

    Raises Refused if the steps cannot be read.
    """
    name = f"campaign in {language()}"
    return once(name, event, lambda: (campaign_history(db(), event), campaign_results(desk_tournament_in(event))))


def behind_in(event: Event) -> Mapping[int, Todo]:
    """The groups with open steps; empty if no campaign is in play."""
    if (campaign := campaign_in_play(event)) is None:
        return {}
    return {group: todo for group in campaign[0].world.groups if (todo := todo_of(event, *campaign, group))}


def corrected_in(event: Event) -> set[int]:
    """The groups with steps that count a result corrected since; empty if no campaign is in play."""
    campaign = campaign_in_play(event)
    return {step.group for step, *_ in differing(*campaign)} if campaign else set()


def campaign_in_play(event: Event) -> tuple[History, Games] | None:
    """The campaign as in ``campaign_of``; None if none is in play or its steps cannot be read."""
    if event.campaign is None or event.state != EventState.IN_PROGRESS:
        return None
    try:
        return campaign_of(event)
    except Refused:  # the campaign's own pages show the error
        return None


def warnings_of(event: Event) -> Mapping[int, Sequence[str]]:
    """Warnings about names of the event's players, calculated once per request."""
    return once("name_warnings", event, lambda: name_warnings(db(), event, players_in(event)))
