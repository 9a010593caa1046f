"""The format of an event: the rounds it plans, seeds, the cut, and who advances in a knockout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from events.rounds.byes import players_asking_bye, players_to_draw
from events.rounds.queries import Picture, Plan
from events.standings.queries import standings_of
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.journal import note
from events.store.players import placed
from events.store.rounds import RoundView, first_stage, request_drawn, through_text
from events.store.tournaments import Loaded, tournament_of
from events.tournament.pairing.knockout import Bracket, order_by_lot, rounds, rounds_for, size_for, stage
from events.tournament.pairing.knockout import rounds_of_robin as rounds_of_circle
from events.tournament.pairing.request import SWISS, Format
from events.tournament.pairing.seats import Seat, lot
from events.tournament.ranking import Row
from events.tournament.scores import Ended
from events.tournament.tournament import Tournament
from languages.message import joined, message
from languages.words import N_, gettext, ngettext
from models.event import Event, EventState, Round, RoundKind
from models.play import Game, Player, Through
from models.settings import EventFormat
from validators.scenario import Answers

MOST_ROUNDS = 20


def rounds_expected(event: Event, players: int) -> int:
    """The number of rounds: before round 1 is published, as the format plans them for this many players."""
    stage = first_stage(event)
    if event.state != EventState.REGISTRATION or not stage.sets_rounds or stage.by_days:
        return event.rounds
    if stage.one_wins:
        return rounds_for(players) if players > 1 else 0
    return rounds_of_circle(players, event.legs)


def plan_rounds(picture: Picture) -> Plan:
    """The rounds from this one on, as the format plans them for the players who are here; () if they stay as they are.

    Raises Refused if the format does not suit the field.
    """
    event, number, here = picture.event, picture.number, len(players_to_draw(picture.players, picture.number))
    if picture.cut is not None:
        return knockout_plan(len(cut_of(event, picture.players, number, picture.cut)))
    if number > 1:
        return ()
    if event.format == EventFormat.SWISS:
        return ((RoundKind.SWISS, None),) * event.rounds
    if event.format == EventFormat.KNOCKOUT:
        return knockout_plan(here)
    here += len(players_asking_bye(picture.players, number))
    needed = rounds_of_circle(here, event.legs)
    if needed > MOST_ROUNDS:
        raise Refused(
            ngettext(
                "A round robin of %(here)s players takes %(num)s round, and an event has at most "
                "%(most)s: choose another format, or fewer meetings of each pair.",
                "A round robin of %(here)s players takes %(num)s rounds, and an event has at most "
                "%(most)s: choose another format, or fewer meetings of each pair.",
                needed,
                here=here,
                most=MOST_ROUNDS,
            )
        )
    return ((RoundKind.ROUND_ROBIN, None),) * needed


def knockout_plan(players: int) -> Plan:
    return tuple((RoundKind.KNOCKOUT, size_for(players) >> number) for number in range(rounds_for(players)))


def store_plan(picture: Picture, plan: Plan) -> None:
    """Change the rounds from the picture's on to match the plan, and seed the players of a cut."""
    event, at_hand = picture.event, [view.round for view in picture.views[picture.number - 1 :]]
    if not plan:
        return
    if picture.cut is None:
        event.rounds = len(plan)
    else:
        places = {id_: place for place, id_ in enumerate(_seeds(picture), start=1)}
        for player in picture.players:
            player.seed_number = places.get(str(player.id))
    for place, (kind, bracket) in enumerate(plan):
        if place >= len(at_hand):
            event.schedule.append(Round(number=picture.number + place, kind=kind, bracket=bracket))
        else:
            at_hand[place].kind, at_hand[place].bracket = kind, bracket
    del event.schedule[picture.number - 1 + len(plan) :]


def cut_of(event: Event, players: Sequence[Player], number: int, ranked: Sequence[Row]) -> list[Row]:
    """The players in the cut that starts with round ``number``, best first, by these standings.

    Ties are decided by lot, from the event's seed. Raises Refused if fewer than two players are still here.
    """
    rows = _best_here(event, players, number, ranked)
    if len(rows) < 2:
        raise Refused(gettext("A knockout needs two players who are still here."))
    return rows


def _best_here(event: Event, players: Sequence[Player], number: int, ranked: Sequence[Row]) -> list[Row]:
    here = {str(p.id) for p in players_to_draw(players, number)}
    rows = [row for row in ranked if row.id in here]
    return sorted(rows, key=lambda row: (row.rank, lot(event.seed, "cut", row.id)))[: event.cut or 0]


def _seeds(picture: Picture) -> tuple[str, ...]:
    """The ids of the seeded players, the best first: of a cut by the standings, else by the organiser."""
    if picture.cut is not None:
        return tuple(row.id for row in _best_here(picture.event, picture.players, picture.number, picture.cut))
    numbered = [p for p in players_to_draw(picture.players, picture.number) if p.seed_number is not None]
    return tuple(str(p.id) for p in sorted(numbered, key=lambda p: (p.seed_number or 0, p.id)))


def undo_cut(loaded: Loaded, number: int) -> bool:
    """Delete the rounds and seeds of a cut whose first round is discarded. Returns whether there was one."""
    if not loaded.t.is_cut(number):
        return False
    for round_ in loaded.t.knockout:
        loaded.event.schedule.remove(loaded.views[round_.number - 1].round)
    for player in loaded.players:
        player.seed_number = None
    return True


def format_of(picture: Picture) -> Format:
    """The format of the round, by its kind and the rounds before it."""
    event, players, t, number = picture.event, picture.players, picture.loaded.t, picture.number
    kind, bracket = picture.kind
    third_place = event.third_place and bracket == 2
    if kind == RoundKind.KNOCKOUT:
        before = t.bracket(number - 1)
        if before is not None:
            first = request_drawn(picture.views[t.knockout[0].number - 1].round).format
            return replace(first, order=before.seeds, through=before.through, third_place=third_place)
        order = _seeds(picture)
        by_hand = N_("a bracket seeded by the organiser, then by lot")
        by = by_hand if order else N_("a bracket seeded by lot")
        by = by if number == 1 else N_("a bracket seeded by the standings")
        return Format("knockout", order, by, third_place=third_place)
    if kind == RoundKind.ROUND_ROBIN:
        if number == 1:
            out = tuple(str(p.id) for p in players_asking_bye(players, number))  # byes keep their place
            return Format("round_robin", out, "lot", legs=event.legs)
        first_round = request_drawn(picture.views[0].round)
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
    seats = [replace(seat, opponents=old.opponents) for seat, old in zip(bare, field, strict=True)]
    if number == 1:
        return seats
    bracket = Bracket(form.order, form.through, form.third_place)
    standing = {id_ for match in rounds(bracket)[len(form.through)] for id_ in (match.a, match.b)}
    return [seat for seat in seats if seat.id in standing]


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


def cut_now(loaded: Loaded) -> Cut:
    """The cut by the current standings. Raises Refused if fewer than two players are checked in."""
    event, players, t = loaded.event, loaded.players, loaded.t
    number = len(t.rounds) - len(t.knockout) + 1
    ranked = standings_of(event, t, players).of_players(number - 1)
    rows = cut_of(event, players, number, ranked)
    ids = {row.id for row in rows}
    here = {str(p.id) for p in players_to_draw(players, number)}
    out = [row for row in ranked if row.id in here - ids]
    gone = [row for row in ranked if row.id not in here and row.rank < rows[-1].rank]
    return Cut(tuple(rows), out[0] if out else None, tuple(gone))


def why_no_cut(t: Tournament) -> str:
    """Why the event cannot be cut to a knockout now, in a sentence; "" if it can."""
    if t.rules.closed:
        return gettext("This event is over.")
    if not t.rules.cut:
        return gettext("This event has no cut: choose its size in the settings, “Format”.")
    if t.knockout:
        return gettext("The cut is made already.")
    if t.complete < len(t.rounds):
        return gettext(
            "The cut comes after the last round, and round %(number)s is not complete yet.", number=t.complete + 1
        )
    return ""


def send_through(act: Act, game: Game, side: Through, *, version: int | None = None) -> None:
    """Record which player advances after a drawn knockout game, or that nobody does where nobody played it.

    ``version`` is the game's version on the page, None without a page. Raises Refused, and Stale if the game changed.
    """
    t, the_round = tournament_of(act.event, drafts=True), act.s.get_one(Round, game.round_id)
    now = t.rounds[the_round.number - 1]
    if not now.stage.one_wins or game.b_id is None:
        raise Refused(gettext("Only games of a knockout need a player who goes through."))
    if act.event.state == EventState.FINISHED:
        raise Refused(gettext("The event is closed; open it again for a correction."))
    if settled := why_settled(t, now.number):
        raise Refused(settled)
    board = t.boards[game.id]
    if board.winner != "draw":
        raise Refused(gettext("This game did not end in a draw: the winner goes through."))
    if side == Through.NOBODY and not board.unplayed:
        raise Refused(gettext("This game was played: choose who goes through."))
    if version is not None and game.version != version:
        raise Stale(gettext("Another person changed this game after you opened it. Check it again."))
    game.goes_through = side
    game.version += 1
    names = {p.id: p.name for p in act.event.players}
    note(
        act,
        "send-through",
        message(
            N_("Round %(round)s (%(stage)s), table %(table)s: not played, %(through)s")
            if board.unplayed
            else N_("Round %(round)s (%(stage)s), table %(table)s: drawn, %(through)s"),
            round=the_round.number,
            stage=stage(the_round.bracket or 0, many=True),
            table=game.table_number,
            through=through_text(game, side, names[game.a_id], names[game.b_id]),
        ),
        game=game.id,
        side=side,
    )


def changeable_choices(t: Tournament, view: RoundView) -> list[Game]:
    """The drawn games of a round for which the organiser chose who advances, while that can still be changed."""
    over = t.rules.closed or why_settled(t, view.round.number)
    return [] if over else [game for game in view.games if game.goes_through is not None]


def why_settled(t: Tournament, number: int) -> str:
    """Why the players who advanced from this round can no longer change; "" if they can."""
    later = [round_.number for round_ in t.published if round_.number > number]
    if t.rounds[number - 1].stage.one_wins and later:
        text = N_(
            "Round %(number)s is published and depends on who went through here: “Take back to a draft” on its page "
            "comes first."
        )
        return gettext(text, number=later[0])
    return ""


def check_correction(event: Event, game: Game, answers: Answers, how: Ended) -> None:
    """Check that a correction does not change who advances once the next round is published. Raises Refused."""
    t = tournament_of(event, drafts=True)
    board = t.boards[game.id]
    settled = why_settled(t, board.round) if board.advances and board.scenario else ""
    if settled and t.reported(game.id, answers, how).boards[game.id].advances != board.advances:
        raise Refused(gettext("%(round)s The figures can be corrected, but not who won.", round=settled))


def why_not_seeded(event: Event, t: Tournament) -> str:
    """Why the organiser cannot set seeds now, in a sentence; "" if possible."""
    if not first_stage(event).one_wins:
        return gettext("Only a knockout from the start is seeded by hand; a cut takes the order of the standings.")
    if t.published:
        return gettext("Round 1 is published: the seeds stay as they are.")
    return ""


def set_seeds(act: Act, seeds: Mapping[int, int | None]) -> None:
    """Set the seeds of players by id. None means by lot, after all seeds; players left out keep theirs.

    Raises Refused; for a duplicate seed at the second player's field.
    """
    if reason := why_not_seeded(act.event, tournament_of(act.event)):
        raise Refused(reason)
    everybody = placed(act.event.players)
    wanted = {player.id: seeds.get(player.id, player.seed_number) for player in everybody}
    names = {player.id: player.name for player in everybody}
    taken: dict[int, int] = {}
    for id_, seed in wanted.items():
        if seed is not None and taken.setdefault(seed, id_) != id_:
            raise Refused(
                gettext("%(names)s has seed %(seed)s already.", names=names[taken[seed]], seed=seed), str(id_)
            )
    before = {player.id: player.seed_number for player in everybody}
    for player in everybody:
        player.seed_number = wanted[player.id]
    if before != wanted:
        order = [id_ for _, id_ in sorted((seed, id_) for id_, seed in wanted.items() if seed is not None)]
        seeded = joined([names[id_] for id_ in order]) if order else message("all by lot")
        note(act, "seed", message("Seeded the knockout: %(names)s", names=seeded), seeds=order)
