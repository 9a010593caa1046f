"""A draft compared with the draw of another seed, which can replace it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from events.pairing.request import Request, drawn_round
from events.pairing.seats import Pair
from events.play.errors import Refused
from events.play.journal import note
from events.play.queries import games_of, players_of
from events.play.rounds import request_drawn, round_views
from events.play.team_queries import is_team_event, matches_of, seat_id
from events.rounds.draft import as_pairs, costs_now, seatings
from events.rounds.drawing import costs_of, draw_round, drawn_or_refused, kept_locks, request_of, why_not_drawn
from events.standings.team_ranking import team_words
from models.event import Event, Round
from models.play import Game
from models.team import TeamMatch
from validators.canonical import fingerprint


@dataclass(frozen=True)
class OtherDraw:
    """A draft, and the draw of another seed under the same rules."""

    seed: int
    mark: str
    """Sent back by the form, to prove that it belongs to this draft."""
    drawn_from: Request
    """The draft's inputs."""
    request: Request
    """The other draw's inputs, with the current field and locks."""
    same: int
    """The number of pairs in both draws, the bye included."""
    moved: int
    """The number of these pairs that have another table."""
    only_here: tuple[Pair, ...]
    """Pairs only in the draft; the bye has "" for an opponent."""
    only_there: tuple[Pair, ...]
    costs_here: Mapping[str, int]
    costs_there: Mapping[str, int]

    @property
    def field_changed(self) -> bool:
        """Whether the seats changed after the draft was drawn."""
        return self.drawn_from.seats != self.request.seats


def other_draw(s: Session, event: Event, number: int, seed: int) -> OtherDraw:
    """Compare the draft of a round with the draw of this seed. Raises Refused."""
    the_round = drawn_or_refused(s, event, number)
    if request_drawn(the_round).format.kind != "swiss":
        raise Refused("This format has a fixed plan, so another seed changes nothing.")
    views, everybody = round_views(s, event), players_of(s, event)
    if reason := why_not_drawn(event, everybody, views, number):
        raise Refused(reason)
    games = games_of(s, the_round)
    size = event.team_size
    request = request_of(event, everybody, views, number, seed)
    request = replace(request, rules=replace(request.rules, locked=kept_locks(the_round, request)))
    try:
        drawn = drawn_round(request)
    except ValueError as impossible:
        raise Refused(f"This cannot be drawn: {impossible}.") from impossible
    before = request_drawn(the_round)
    pairs, bye, notes = _teams_paired(s, the_round) if is_team_event(event) else _players_paired(before, games)
    here = {_key(one): one for one in (replace(pair, notes=notes[pair.a]) for pair in pairs)}
    there = {_key(one): replace(one, notes=_of_teams(one.notes, size)) for one in drawn.pairs}
    if bye is not None:
        here[frozenset((bye, ""))] = Pair(bye, "", notes[bye])
    if drawn.bye is not None:
        there[frozenset((drawn.bye, ""))] = Pair(drawn.bye, "", _of_teams(drawn.notes, size))
    both = here.keys() & there.keys()
    return OtherDraw(
        seed=seed,
        mark=mark_of(games, matches_of(s, the_round)),
        drawn_from=before,
        request=request,
        same=len(both),
        moved=sum(here[one].table != there[one].table for one in both),
        only_here=tuple(pair for key, pair in here.items() if key not in there),
        only_there=tuple(pair for key, pair in there.items() if key not in here),
        costs_here=costs_now(the_round),
        costs_there=costs_of(drawn),
    )


def _players_paired(
    request: Request, games: Sequence[Game]
) -> tuple[tuple[Pair, ...], str | None, Mapping[str, tuple[str, ...]]]:
    """The pairs of a draft and its bye, and the notes by the first player of each."""
    pairs, bye = as_pairs(request, seatings(games))
    return pairs, bye, {str(game.a_id): tuple(game.notes) for game in games}


def _teams_paired(s: Session, the_round: Round) -> tuple[tuple[Pair, ...], str | None, Mapping[str, tuple[str, ...]]]:
    matches = matches_of(s, the_round)
    pairs = tuple(Pair(seat_id(one.a_id), seat_id(one.b_id), table=one.block) for one in matches if one.b_id)
    bye = next((seat_id(one.a_id) for one in matches if one.b_id is None), None)
    return pairs, bye, {seat_id(one.a_id): tuple(one.notes) for one in matches}


def _of_teams(notes: Sequence[str], size: int) -> tuple[str, ...]:
    return tuple(notes) if size == 1 else tuple(team_words(one, size) for one in notes)


def adopt(s: Session, event: Event, number: int, seed: int, seen: str, actor: str, now: datetime) -> None:
    """Replace the draft with the draw of this seed, as previewed under the mark ``seen``.

    The journal stores the costs of both. Raises Refused.
    """
    the_round = drawn_or_refused(s, event, number)
    before, costs = the_round.seed, dict(costs_now(the_round))
    if mark_of(games_of(s, the_round), matches_of(s, the_round)) != seen:
        raise Refused("The draft was changed meanwhile. Compare again before you adopt another draw.")
    draw_round(s, event, number, seed, actor, now)
    note(
        s, event, actor, now, "adopt-draw", f"Adopted seed {seed} for round {number} in place of seed {before}",
        compared=[before, seed], costs=[costs, dict(costs_now(the_round))],
    )  # fmt: skip


def mark_of(games: Iterable[Game], matches: Iterable[TeamMatch] = ()) -> str:
    """Identifies a draft. Includes its matches, because the boards of teams may still be unknown."""
    seated = [[game.table_number, game.a_id, game.b_id, game.code] for game in games]
    return fingerprint([*seated, *([match.block, match.a_id, match.b_id] for match in matches)])


def _key(pair: Pair) -> frozenset[str]:
    return frozenset((pair.a, pair.b))
