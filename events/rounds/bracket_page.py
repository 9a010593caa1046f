"""The bracket as the visitor may see it, for its page and its paper."""

from flask import abort

from events.rounds.bracket import ShownMatch, ShownRound, shown_bracket
from events.visitors import access
from events.visitors.event_loading import desk_tournament_in, public_views_in, tournament_in
from events.visitors.loading import views_of, visitor
from models.event import Event


def bracket_or_404(event: Event) -> tuple[list[ShownRound], ShownMatch | None]:
    """The bracket's rounds and its match for third place. Organisers also see a drawn round before it is published."""
    drafts = access.may_pair(visitor(), event)
    t, views = (
        (desk_tournament_in(event), views_of(event)) if drafts else (tournament_in(event), public_views_in(event))
    )
    shown_rounds, third = shown_bracket(t, [v for v in views if access.may_see_round(visitor(), event, v.round)])
    return (shown_rounds, third) if shown_rounds else abort(404)
