"""What an address of the standings names."""

from flask import abort, request

from events.standings.awards import Decided, calculated, rows_of
from events.standings.published_awards import holds_final, is_corrected
from events.standings.queries import standings_of
from events.store.rounds import first_stage
from events.tournament.live import Live, live_table
from events.tournament.standings import Standings
from events.tournament.tournament import Tournament
from events.visitors import access
from events.visitors.event_loading import players_in, tournament_in
from events.visitors.loading import once, visitor
from events.web.page_cache import kept_in_public
from events.web.parsing import whole_number
from events.web.request import db
from models.event import Event, EventState


def standings_in(event: Event) -> Standings:
    """The event's standings as everybody may see them, once per request."""
    return once("standings", event, lambda: standings_of(event, tournament_in(event), players_in(event)))


def is_corrected_in(event: Event) -> bool:
    if event.awards_published is None:
        return False
    return once("corrected", event, lambda: is_corrected(db(), event, standings_in(event), calculated_in(event)))


def calculated_in(event: Event) -> list[Decided]:
    """The awards by the current standings, once per request."""
    return once("awards", event, lambda: calculated(db(), event, *rows_of(standings_in(event)), players_in(event)))


def rounds_shown(event: Event, t: Tournament) -> int:
    """The number of complete rounds whose standings the visitor may read."""
    held = t.final and (holds_final(event) or is_corrected_in(event))
    return t.counted - (held and not access.may_see_desk(visitor(), event))


def live_in(event: Event, *, of_teams: bool = False, for_staff: bool = False) -> Live | None:
    """The table with the results of the round in play; None without one, and for a last round that is held back."""
    t = tournament_in(event)
    if event.season or event.state != EventState.IN_PROGRESS or t.counted == len(t.published):
        return None
    if t.is_last_published and (holds_final(event) or is_corrected_in(event)) and not for_staff:
        return None
    name = "live teams" if of_teams else "live players"
    return kept_in_public(event, name, lambda: live_table(standings_in(event), of_teams=of_teams))


def is_ranked(event: Event, after: int) -> bool:
    """Whether there are standings after this many rounds: from the first, on a ladder from its start."""
    begun = event.state in (EventState.IN_PROGRESS, EventState.FINISHED)
    return after > 0 or (begun and first_stage(event).by_ladder)


def asked_round(event: Event) -> tuple[int, int]:
    """The requested round, by default the last one, and the number of ``rounds_shown``; 404 for any other."""
    complete = rounds_shown(event, tournament_in(event))
    after = request.args.get("after", complete, type=whole_number)
    if not 0 <= after <= complete:
        abort(404)
    return after, complete


def own_team(event: Event) -> int | None:
    """The id of the visitor's team; None without one."""
    player = visitor().player_in(event)
    return player.team_id if player else None
