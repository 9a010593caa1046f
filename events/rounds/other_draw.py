"""The draw of another seed, compared with a draft, and adopted in its place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlmodel import Session

from events.play.act import Act
from events.play.errors import Refused
from events.play.journal import note
from events.play.rounds import RoundView, request_drawn, round_view
from events.play.team_queries import seat_id, team_pairs
from events.rounds.drawing import draw_round, drawn_or_refused
from events.rounds.inputs import request_of
from events.rounds.outcome import costs_now, costs_of, kept_locks
from events.rounds.queries import picture_to_draw
from events.rounds.seatings import as_pairs, seatings
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.request import Request, drawn_round
from events.tournament.pairing.seats import Pair
from languages.stated import stated
from languages.words import gettext
from models.event import Event
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
    before = request_drawn(the_round)
    if before.format.kind != "swiss":
        raise Refused(gettext("This format has a fixed plan, so another seed changes nothing."))
    picture = picture_to_draw(s, event, number)
    request = request_of(picture, seed)
    request = replace(request, rules=replace(request.rules, locked=kept_locks(the_round, request)))
    try:
        drawn = drawn_round(request)
    except ValueError as impossible:
        raise Refused(gettext("This cannot be drawn: %(impossible)s.", impossible=impossible)) from impossible
    view = picture.view
    if view.matches:
        pairs, bye = team_pairs(view.matches)
        notes = {seat_id(one.a_id): notes_in(one.notes) for one in view.matches}
    else:
        pairs, bye = as_pairs(before, seatings(view.games))
        notes = {str(game.a_id): notes_in(game.notes) for game in view.games}
    here = {_key(one): one for one in (replace(pair, notes=notes[pair.a]) for pair in pairs)}
    there = {_key(one): one for one in drawn.pairs}
    if bye is not None:
        here[frozenset((bye, ""))] = Pair(bye, "", notes[bye])
    if drawn.bye is not None:
        there[frozenset((drawn.bye, ""))] = Pair(drawn.bye, "", drawn.notes)
    both = here.keys() & there.keys()
    return OtherDraw(
        seed=seed,
        mark=_mark_of(view),
        drawn_from=before,
        request=request,
        same=len(both),
        moved=sum(here[one].table != there[one].table for one in both),
        only_here=tuple(pair for key, pair in here.items() if key not in there),
        only_there=tuple(pair for key, pair in there.items() if key not in here),
        costs_here=costs_now(the_round),
        costs_there=costs_of(drawn),
    )


def adopt(act: Act, number: int, seed: int, seen: str) -> None:
    """Replace the draft with the draw of this seed, as previewed under the mark ``seen``.

    The journal stores the costs of both. Raises Refused.
    """
    the_round = drawn_or_refused(act.s, act.event, number)
    before, costs = the_round.seed, dict(costs_now(the_round))
    if _mark_of(round_view(act.s, act.event, the_round)) != seen:
        raise Refused(gettext("The draft was changed meanwhile. Compare again before you adopt another draw."))
    draw_round(act, number, seed)
    note(
        act,
        "adopt-draw",
        stated(
            "Adopted seed %(seed)s for round %(number)s in place of seed %(was)s",
            seed=str(seed),
            number=number,
            was=str(before),
        ),
        compared=[before, seed],
        costs=[costs, dict(costs_now(the_round))],
    )


def _mark_of(view: RoundView) -> str:
    """Identifies a draft. Includes its matches, because the boards of teams may still be unknown."""
    seated = [[game.table_number, game.a_id, game.b_id, game.code] for game in view.games]
    return fingerprint([*seated, *([match.block, match.a_id, match.b_id] for match in view.matches)])


def _key(pair: Pair) -> frozenset[str]:
    return frozenset((pair.a, pair.b))
