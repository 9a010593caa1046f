"""What an address of the standings names."""

from collections.abc import Sequence

from flask import abort, request

from events.accounts import access
from events.accounts.loading import visitor
from events.play.rounds import RoundView, completed_rounds, public_round_views
from events.standings.awards import held_back
from events.web.parsing import whole_number
from events.web.request import db
from models.event import Event


def rounds_shown(event: Event, views: Sequence[RoundView]) -> int:
    """The number of complete rounds whose standings the visitor may read."""
    return completed_rounds(views) - (held_back(event, views) and not access.may_see_desk(visitor(), event))


def asked_round(event: Event, views: Sequence[RoundView] | None = None) -> tuple[int, int]:
    """The requested round, by default the last one, and the number of ``rounds_shown``; 404 for any other.

    ``views``: all rounds, if they are loaded.
    """
    complete = rounds_shown(event, public_round_views(db(), event) if views is None else views)
    after = request.args.get("after", complete, type=whole_number)
    if not 0 <= after <= complete:
        abort(404)
    return after, complete


def own_team(event: Event) -> int | None:
    """The id of the visitor's team; None without one."""
    own = visitor().player_in(event)
    return own.team_id if own else None
