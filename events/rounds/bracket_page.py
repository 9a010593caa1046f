"""The bracket as the visitor may see it, for its page and its paper."""

from flask import abort

from events.accounts import access
from events.accounts.loading import visitor
from events.play.rounds import public_round_views, round_views
from events.rounds.bracket import ShownMatch, ShownRound, shown_bracket
from events.web.request import db
from models.event import Event


def bracket_or_404(event: Event) -> tuple[list[ShownRound], ShownMatch | None]:
    """The bracket's rounds and its match for third place. Organisers also see a drawn round before it is published."""
    views = (round_views if access.may_pair(visitor(), event) else public_round_views)(db(), event)
    found, third = shown_bracket(event, [v for v in views if access.may_see_round(visitor(), event, v.round)])
    return (found, third) if found else abort(404)
