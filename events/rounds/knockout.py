"""The knockout: its seeds, the cut that starts it, and decisions on drawn games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from events.play.errors import Refused, Stale
from events.play.journal import check_takes_place, note
from events.play.outcomes import Ended
from events.play.queries import placed, players_of, scenarios_of
from events.play.rounds import RoundView, knockout_views, round_views, stage_of, winner_by, winner_of
from events.rounds.byes import players_to_draw
from events.rounds.drawing import draw_round
from events.rounds.formats import cut_order, knockout_plan
from events.standings.queries import standings
from events.standings.ranking import Row
from models.event import Event, EventFormat, EventState, Round, RoundKind, RoundState
from models.play import Game, Player, Side
from validators.scenario import Answers


@dataclass(frozen=True)
class Cut:
    """The players who would make the cut now, best first, and the first who would miss it."""

    rows: tuple[Row, ...]
    first_out: Row | None
    passed_over: tuple[Row, ...]
    """Players ranked above the last one in the cut who are no longer checked in."""

    @property
    def mark(self) -> str:
        """Identifies the cut shown to the organiser."""
        return ",".join(row.id for row in self.rows)

    @property
    def by_lot(self) -> bool:
        """Whether the last place in the cut is decided by lot."""
        return self.first_out is not None and self.first_out.rank == self.rows[-1].rank


def cut_now(s: Session, event: Event, players: Sequence[Player], views: Sequence[RoundView]) -> Cut:
    """The cut by the current standings. Raises Refused if fewer than two players are checked in."""
    number = len([v for v in views if v.round.kind != RoundKind.KNOCKOUT]) + 1
    rows = cut_order(s, event, players, number)
    ids = {row.id for row in rows}
    here = {str(p.id) for p in players_to_draw(players, number)}
    ranked = standings(s, event, number - 1)
    out = [row for row in ranked if row.id in here - ids]
    gone = [row for row in ranked if row.id not in here and row.rank < rows[-1].rank]
    return Cut(tuple(rows), out[0] if out else None, tuple(gone))


def why_no_cut(event: Event, views: Sequence[RoundView]) -> str:
    """Why the event cannot be cut to a knockout now, in a sentence; "" if it can."""
    if event.state == EventState.FINISHED:
        return "This event is over."
    if event.cut is None:
        return "This event has no cut: choose its size on the page “Pairing”."
    if knockout_views(views):
        return "The cut is made already."
    still = next((v for v in views if not v.complete), None)
    if still is not None:
        return f"The cut comes after the last round, and round {still.round.number} is not complete yet."
    return ""


def make_cut(
    s: Session, event: Event, seen: str, seed: int, actor: str, now: datetime, *, scenarios: Sequence[str] = ()
) -> Round:
    """Seed the knockout by the standings and draw its first round.

    ``seen`` is the mark of the cut on the page. ``scenarios`` has an id for each round, "" to draw one; if empty, all
    are drawn. Raises Refused, and Stale if the cut changed.
    """
    check_takes_place(event)
    views = round_views(s, event)
    if reason := why_no_cut(event, views):
        raise Refused(reason)
    cut = cut_now(s, event, players_of(s, event), views)
    if cut.mark != seen:
        raise Stale("The standings or the field changed since you looked. Check who is in the cut.")
    if not set(scenarios) <= {"", *scenarios_of(s, event)}:
        raise Refused("A chosen scenario was removed in the meantime: choose again.")
    number = len(views) + 1
    for place, (kind, bracket) in enumerate(knockout_plan(len(cut.rows))):
        scenario = scenarios[place] if place < len(scenarios) else ""
        s.add(Round(event_id=event.id, number=number + place, kind=kind, bracket=bracket, scenario=scenario or None))
    s.flush()  # so that the draw finds the rounds
    note(
        s, event, actor, now, "cut", f"Cut to the top {len(cut.rows)} by the standings after round {number - 1}",
        seeds=[int(row.id) for row in cut.rows],
    )  # fmt: skip
    return draw_round(s, event, number, seed, actor, now)


def send_through(
    s: Session, event: Event, game: Game, side: Side, actor: str, now: datetime, *, version: int | None = None
) -> None:
    """Record which player advances after a drawn knockout game.

    ``version`` is the game's version on the page, None without a page. Raises Refused, and Stale if the game changed.
    """
    views = round_views(s, event)
    the_round = s.get_one(Round, game.round_id)
    if the_round.kind != RoundKind.KNOCKOUT or game.b_id is None:
        raise Refused("Only games of a knockout need a player who goes through.")
    if event.state == EventState.FINISHED:
        raise Refused("The event is closed; open it again for a correction.")
    if settled := why_settled(views, the_round):
        raise Refused(settled)
    if game.goes_through is None and not any(game.id == one.id for view in views for one in view.tied):
        raise Refused("This game did not end in a draw: the winner goes through.")
    if version is not None and game.version != version:
        raise Stale("Another person changed this game after you opened it. Check it again.")
    game.goes_through = side
    game.version += 1
    names = {p.id: p.name for p in players_of(s, event)}
    through = names[game.a_id if side == Side.A else game.b_id]
    note(
        s, event, actor, now, "send-through",
        f"Round {the_round.number} ({stage_of(the_round)}), table {game.table_number}: drawn, {through} goes through",
        game=game.id, side=side,
    )  # fmt: skip


def why_settled(views: Sequence[RoundView], the_round: Round) -> str:
    """Why the players who advanced from this round can no longer change; "" if they can."""
    later = [v for v in views if v.round.number > the_round.number and v.round.state == RoundState.PUBLISHED]
    if the_round.kind == RoundKind.KNOCKOUT and later:
        return f"Round {later[0].round.number} is published and depends on who went through here."
    return ""


def check_correction(s: Session, event: Event, game: Game, view: RoundView, answers: Answers, how: Ended) -> None:
    """Check that a correction does not change who advances once the next round is published. Raises Refused."""
    before, scenario = winner_of(event, view, game), view.scenario_at(game)
    if before is None or scenario is None or not why_settled(round_views(s, event), view.round):
        return
    if winner_by(event, view.round.number, scenario, game, answers, how) != before:
        raise Refused(
            f"{why_settled(round_views(s, event), view.round)} The figures can be corrected, but not who won."
        )


def why_not_seeded(event: Event, views: Sequence[RoundView]) -> str:
    """Why the organiser cannot set seeds now, in a sentence; "" if possible."""
    if event.format != EventFormat.KNOCKOUT:
        return "Only a knockout from the start is seeded by hand; a cut takes the order of the standings."
    if any(view.round.state == RoundState.PUBLISHED for view in views):
        return "Round 1 is published: the seeds stay as they are."
    return ""


def set_seeds(s: Session, event: Event, seeds: Mapping[int, int | None], actor: str, now: datetime) -> None:
    """Set the seeds of players by id. None means by lot, after all seeds; players left out keep theirs.

    Raises Refused; for a duplicate seed at the second player's field.
    """
    if reason := why_not_seeded(event, round_views(s, event)):
        raise Refused(reason)
    everybody = placed(players_of(s, event))
    wanted = {player.id: seeds.get(player.id, player.seed_number) for player in everybody}
    names = {player.id: player.name for player in everybody}
    taken: dict[int, int] = {}
    for id_, seed in wanted.items():
        if seed is not None and taken.setdefault(seed, id_) != id_:
            raise Refused(f"{names[taken[seed]]} has seed {seed} already.", str(id_))
    before = {player.id: player.seed_number for player in everybody}
    for player in everybody:
        player.seed_number = wanted[player.id]
    if before != wanted:
        order = [id_ for _, id_ in sorted((seed, id_) for id_, seed in wanted.items() if seed is not None)]
        seeded = ", ".join(names[id_] for id_ in order) or "all by lot"
        note(s, event, actor, now, "seed", f"Seeded the knockout: {seeded}", seeds=order)
