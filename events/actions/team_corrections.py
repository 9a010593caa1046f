"""What a correction would change for the teams of an event: their standings, and the rounds drawn from them."""

from collections.abc import Sequence
from dataclasses import replace

from events.actions.standings import entrants, scheme_of
from events.actions.team_standings import matches_played, ranked_field, team_entrants
from events.brackets import request_drawn
from events.pairing.preview import Moved, Paired, RoundEffect, moved_lines, round_effect
from events.pairing.results import Result, records
from events.pairing.seats import Pair
from events.pairing.standings import Row
from events.pairing.teams import team_results, team_standings, team_words
from events.reading import RoundView
from events.team_reading import seat_id
from models.event import Event
from models.play import Player


def team_lines(
    event: Event,
    players: Sequence[Player],
    views: Sequence[RoundView],
    before: Sequence[Result],
    after: Sequence[Result],
    last: int,
) -> tuple[Moved, ...]:
    """The teams whose rank, points or VP after round ``last`` differ by the players' results ``after``."""

    def rows(results: Sequence[Result]) -> list[Row]:
        book = records(results, entrants(event, players), scheme_of(event))
        field = ranked_field(views, players, last)
        return team_standings(matches_played(views, last), team_entrants(event, field, last), book, scheme_of(event))

    return moved_lines(rows(before), rows(after))


def team_round_effect(
    event: Event,
    players: Sequence[Player],
    views: Sequence[RoundView],
    view: RoundView,
    before: Sequence[Result],
    after: Sequence[Result],
) -> RoundEffect:
    """What the players' results ``after`` say of a round of teams that was drawn while those ``before`` held."""
    scheme = scheme_of(event)

    def of_teams(results: Sequence[Result]) -> list[Result]:
        book = records(results, entrants(event, players), scheme)
        return team_results(matches_played(views, view.round.number - 1), book)[0]

    pairs = tuple(Pair(seat_id(m.a_id), seat_id(m.b_id), table=m.block) for m in view.matches if m.b_id is not None)
    bye = next((seat_id(match.a_id) for match in view.matches if match.b_id is None), None)
    paired = Paired(request_drawn(view.round), pairs, bye)
    field = team_entrants(event, view.teams, view.round.number - 1)
    effect = round_effect(paired, of_teams(before), of_teams(after), field, scheme)
    said = tuple(replace(one, before=_said(one.before, event), after=_said(one.after, event)) for one in effect.reread)
    return replace(effect, reread=said)


def _said(notes: Sequence[str], event: Event) -> tuple[str, ...]:
    return tuple(team_words(one, event.team_size) for one in notes)
