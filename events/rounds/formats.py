"""The rounds planned by an event's format, and the format of each draw."""

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from events.pairing.knockout import Bracket, order_by_lot, rounds, rounds_for, size_for
from events.pairing.knockout import rounds_of_robin as rounds_of_circle
from events.pairing.request import SWISS, Format
from events.pairing.seats import Seat, lot
from events.play.errors import Refused
from events.play.rounds import RoundView, bracket_of, follows_rounds, knockout_views, request_drawn
from events.rounds.byes import players_asking_bye, players_to_draw
from events.standings.queries import standings
from events.standings.ranking import Row
from models.event import Event, EventFormat, Round, RoundKind, RoundState
from models.play import Player

MOST_ROUNDS = 20

Plan = list[tuple[RoundKind, int | None]]


def prepare(s: Session, event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> bool:
    """Before a draw, plan the format's rounds and seed a cut for the checked-in players.

    Returns whether rounds were changed. Raises Refused if the format does not suit the field.
    """
    here = len(players_to_draw(players, number))
    if follows_rounds(views[number - 1].round, views):
        seeds = cut_order(s, event, players, number)
        for player in players:
            player.seed_number = None
        by_id = {str(p.id): p for p in players}
        for place, row in enumerate(seeds, start=1):
            by_id[row.id].seed_number = place
        return _plan(s, event, views, number, knockout_plan(len(seeds)))
    if number > 1:
        return False
    if event.format == EventFormat.SWISS:
        plan: Plan = [(RoundKind.SWISS, None)] * event.rounds
    elif event.format == EventFormat.KNOCKOUT:
        plan = knockout_plan(here)
    else:
        here += len(players_asking_bye(players, number))
        plan = [(RoundKind.ROUND_ROBIN, None)] * rounds_of_circle(here, event.legs)
    if len(plan) > MOST_ROUNDS:
        raise Refused(
            f"A round robin of {here} players takes {len(plan)} rounds, and an event has at most {MOST_ROUNDS}: choose "
            "another format, or fewer legs."
        )
    event.rounds = len(plan)
    return _plan(s, event, views, number, plan)


def knockout_plan(players: int) -> Plan:
    """The rounds of a knockout of this many players."""
    return [(RoundKind.KNOCKOUT, size_for(players) >> number) for number in range(rounds_for(players))]


def _plan(s: Session, event: Event, views: Sequence[RoundView], start: int, plan: Plan) -> bool:
    """Change the rounds from ``start`` on to match the plan. Returns whether anything changed."""
    at_hand = [view.round for view in views[start - 1 :]]
    changed = len(at_hand) != len(plan)
    for place, (kind, bracket) in enumerate(plan):
        if place >= len(at_hand):
            s.add(Round(event_id=event.id, number=start + place, kind=kind, bracket=bracket))
        elif (at_hand[place].kind, at_hand[place].bracket) != (kind, bracket):
            at_hand[place].kind, at_hand[place].bracket = kind, bracket
            changed = True
    for surplus in at_hand[len(plan) :]:
        s.delete(surplus)
    s.flush()  # so that later queries find the planned rounds
    return changed


def cut_order(s: Session, event: Event, players: Sequence[Player], number: int) -> list[Row]:
    """The players in the cut that starts with round ``number``, best first, by the standings of the players still
    checked in.

    Ties are decided by lot, from the event's seed. Raises Refused if fewer than two are here.
    """
    return cut_of(event, players, number, standings(s, event, number - 1))


def cut_of(event: Event, players: Sequence[Player], number: int, ranked: Sequence[Row]) -> list[Row]:
    """The players in the cut, by the given standings."""
    here = {str(p.id) for p in players_to_draw(players, number)}
    rows = [row for row in ranked if row.id in here]
    rows.sort(key=lambda row: (row.rank, lot(event.seed, "cut", row.id)))
    if len(rows) < 2:
        raise Refused("A knockout needs two players who are still here.")
    return rows[: event.cut or 0]


def seeds_outdated(s: Session, event: Event, players: Sequence[Player], views: Sequence[RoundView]) -> bool:
    """Whether the standings now give other seeds than at the draw of the first round of a cut."""
    first = next(iter(knockout_views(views)), None)
    if first is None or first.round.state != RoundState.DRAWN or not follows_rounds(first.round, views):
        return False
    order = tuple(row.id for row in cut_order(s, event, players, first.round.number))
    return order != request_drawn(first.round).format.order


def undo_cut(s: Session, event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> bool:
    """Delete the rounds and seeds of a cut whose first round is discarded. Returns whether there was one."""
    if not follows_rounds(views[number - 1].round, views):
        return False
    for view in knockout_views(views):
        s.delete(view.round)
    for player in players:
        player.seed_number = None
    return True


def format_of(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> Format:
    """The format of round ``number``, by its kind and the rounds before it."""
    kind = views[number - 1].round.kind
    third_place = event.third_place and views[number - 1].round.bracket == 2
    if kind == RoundKind.KNOCKOUT:
        before = bracket_of(event, views[: number - 1])
        if before is not None:
            first = request_drawn(knockout_views(views)[0].round).format
            return replace(first, order=before.seeds, through=before.through, third_place=third_place)
        numbered = [p for p in players_to_draw(players, number) if p.seed_number is not None]
        order = tuple(str(p.id) for p in sorted(numbered, key=lambda p: (p.seed_number or 0, p.id)))
        by = "the organiser's order, then by lot" if order else "lot"
        by = by if number == 1 else f"the standings after round {number - 1}"
        return Format("knockout", order, by, third_place=third_place)
    if kind == RoundKind.ROUND_ROBIN:
        if number == 1:
            out = tuple(str(p.id) for p in players_asking_bye(players, number))  # byes keep their place
            return Format("round_robin", out, "lot", legs=event.legs)
        first_round = request_drawn(views[0].round)
        order = order_by_lot(first_round.format.order, [x.id for x in first_round.seats], first_round.seed)
        late = [str(p.id) for p in players_to_draw(players, number) if str(p.id) not in order]
        return replace(first_round.format, order=(*order, *late[: len(order) % 2]))  # an odd circle has one empty place
    return SWISS


def seated(form: Format, number: int, field: Sequence[Seat]) -> list[Seat]:
    """The seats that play in this round: still in the bracket, or in the circle."""
    if form.kind == "swiss":
        return list(field)
    bare = [Seat(seat.id, scenarios=seat.scenarios, fixed_table=seat.fixed_table) for seat in field]
    if form.kind == "round_robin":
        placed = [replace(seat, tables=old.tables) for seat, old in zip(bare, field, strict=True)]
        return [seat for seat in placed if number == 1 or seat.id in form.order]
    # Without earlier tables, because a final is played on the first one.
    known = [replace(seat, opponents=old.opponents) for seat, old in zip(bare, field, strict=True)]
    if number == 1:
        return known
    bracket = Bracket(form.order, form.through, form.third_place)
    standing = {id_ for match in rounds(bracket)[len(form.through)] for id_ in (match.a, match.b)}
    return [seat for seat in known if seat.id in standing]
