"""A draft beside what another seed would draw: nothing is stored until the other draw is adopted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from events.actions.draft import as_pairs, costs_now, seatings
from events.actions.drawing import costs_of, draw_round, kept_locks, request_drawn, request_of, why_not_drawn
from events.actions.journal import note
from events.actions.rounds import drawn_or_refused
from events.errors import Refused
from events.pairing.request import Request, drawn_round
from events.pairing.seats import Pair
from events.reading import games_of, players_of, round_views
from events.team_reading import is_team_event
from models.event import Event
from models.play import Game
from validators.canonical import fingerprint


@dataclass(frozen=True)
class OtherDraw:
    """A draft, and what another seed draws from the same field by the same rules."""

    seed: int
    mark: str
    """By which a press says that it was made with just this draft before its eyes."""
    drawn_from: Request
    """What the draft was drawn from."""
    request: Request
    """What the other draw is drawn from: the field as it is now, the locks as they are now."""
    same: int
    """Pairs, the bye among them, that both have."""
    moved: int
    """Of these, how many sit at another table."""
    only_here: tuple[Pair, ...]
    """What the draft alone has; the bye has "" for an opponent."""
    only_there: tuple[Pair, ...]
    costs_here: Mapping[str, int]
    costs_there: Mapping[str, int]

    @property
    def field_changed(self) -> bool:
        """Whether the other draw sees other seats than the draft did."""
        return self.drawn_from.seats != self.request.seats


def other_draw(s: Session, event: Event, number: int, seed: int) -> OtherDraw:
    """The draft of a round beside what this seed draws. Raises Refused."""
    the_round = drawn_or_refused(s, event, number)
    if is_team_event(event):
        raise Refused("Draws of teams are not compared yet: draw the round again.")
    if request_drawn(the_round).format.kind != "swiss":
        raise Refused("The plan of this format leaves nothing to another seed.")
    views, everybody = round_views(s, event), players_of(s, event)
    if reason := why_not_drawn(event, everybody, views, number):
        raise Refused(reason)
    games = games_of(s, the_round)
    request = request_of(event, everybody, views, number, seed)
    request = replace(request, rules=replace(request.rules, locked=kept_locks(the_round, request)))
    try:
        drawn = drawn_round(request)
    except ValueError as impossible:
        raise Refused(f"This cannot be drawn: {impossible}.") from impossible
    before = request_drawn(the_round)
    notes = {str(game.a_id): tuple(game.notes) for game in games}
    pairs, bye = as_pairs(before, seatings(games))
    here = {_key(one): one for one in (replace(pair, notes=notes[pair.a]) for pair in pairs)}
    there = {_key(one): one for one in drawn.pairs}
    if bye is not None:
        here[frozenset((bye, ""))] = Pair(bye, "", notes[bye])
    if drawn.bye is not None:
        there[frozenset((drawn.bye, ""))] = Pair(drawn.bye, "", drawn.notes)
    both = here.keys() & there.keys()
    return OtherDraw(
        seed=seed,
        mark=mark_of(games),
        drawn_from=before,
        request=request,
        same=len(both),
        moved=sum(here[one].table != there[one].table for one in both),
        only_here=tuple(pair for key, pair in here.items() if key not in there),
        only_there=tuple(pair for key, pair in there.items() if key not in here),
        costs_here=costs_now(the_round),
        costs_there=costs_of(drawn),
    )


def adopt(s: Session, event: Event, number: int, seed: int, seen: str, actor: str, now: datetime) -> None:
    """Put the draw of this seed in the place of the draft, as it was looked at under the mark ``seen``.

    The journal keeps what both cost. Raises Refused.
    """
    the_round = drawn_or_refused(s, event, number)
    before, costs = the_round.seed, dict(costs_now(the_round))
    if mark_of(games_of(s, the_round)) != seen:
        raise Refused("The draft was changed meanwhile. Compare again before you adopt another draw.")
    draw_round(s, event, number, seed, actor, now)
    note(
        s, event, actor, now, "adopt-draw", f"Adopted seed {seed} for round {number} in place of seed {before}",
        compared=[before, seed], costs=[costs, dict(costs_now(the_round))],
    )  # fmt: skip


def mark_of(games: Iterable[Game]) -> str:
    """The mark of a draft as it stands."""
    return fingerprint([[game.table_number, game.a_id, game.b_id, game.code] for game in games])


def _key(pair: Pair) -> frozenset[str]:
    return frozenset((pair.a, pair.b))
