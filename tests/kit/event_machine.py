"""A state machine that plays whole events in random order, and checks them with its own calculations from the rows."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import BindParameter, ColumnElement, Row, Select, bindparam, func
from sqlalchemy import select as plain_select
from sqlmodel import Session, SQLModel, col, select

from events.journal.invariants import check_event
from events.public.player_page import Snapshot, snapshot_of
from events.registration import actions as registration_actions
from events.registration import check_in, leaving
from events.results import actions as results_actions
from events.results import no_shows
from events.rounds import actions as rounds_actions
from events.rounds import byes, draft, drawing
from events.rounds.pairings_file import pairings_of
from events.setup import actions as setup_actions
from events.store.act import Act
from events.store.errors import Refused
from events.store.rounds import RoundView
from events.tournament.pairing.redraw import redrawn
from events.tournament.pairing.request import drawn_round, from_document
from models.event import Event, EventState, KeptApart, KeptWhen, Round, RoundDraw, RoundState
from models.journal import JournalEntry
from models.play import Absent, Game, GameState, Player, PlayerState, Report, ReportSide
from models.settings import AskedBye, AvoidClubs
from tests.kit.stage import BY, Stage

POINTS = {"win": 3, "draw": 1, "loss": 0}
One = TypeVar("One")

picks = st.integers(0, 40)
"""An index into the players or games that exist when a rule runs (``pick``)."""


AT_THE_DESK: dict[str, Callable[..., object]] = {
    "check in": check_in.check_in,
    "stand-in": byes.set_ringer,
    "drop": leaving.drop,
    "drop later": partial(leaving.drop, at_once=False),
    "reinstate": leaving.reinstate,
    "ask for a bye": byes.ask_bye,
    "withdraw a bye": byes.withdraw_bye,
}
"""The actions on a player's page at the desk, by name."""


class EventMachine(RuleBasedStateMachine):
    fresh: ClassVar[Callable[[], Stage]]
    """Set before a run: opens a stage on an empty database, so that the same actions have the same results."""
    done: ClassVar[defaultdict[str, int]] = defaultdict(int)
    """How often each action changed something, over all runs."""
    lengths: ClassVar[list[int]] = []
    """The number of actions in each run, including refused ones."""

    def __init__(self) -> None:
        super().__init__()
        self.stage = type(self).fresh()
        self.names = iter(range(1000))
        self.event: Event
        self.people: list[Row[Any]] = []
        self.rounds: list[Row[Any]] = []
        self.all_games: list[Row[Any]] = []
        self.known: list[object] = []
        """The rows after the last action."""
        self.unchecked = False
        self.presses = 0
        self.shared: dict[str, str] = {}
        """The data that players' own pages share, by the event's stamp for players."""

    @initialize(
        count=st.sampled_from([3, 5, 7, 4, 6]),
        asked=st.sampled_from(AskedBye),
        late=st.integers(0, 1),
        clubs=st.booleans(),
    )
    def open_the_doors(self, count: int, asked: AskedBye, late: int, clubs: bool) -> None:
        avoid = AvoidClubs.ALWAYS if clubs else AvoidClubs.FIRST_ROUND
        self.event = self.stage.event(rounds=5, avoid_clubs=avoid)
        self.stage.set(self.event, asked_bye=asked, late_points=late, seed=7)
        self.known = self.load()
        for _ in range(count):
            self.register(here=True, club=0)

    @rule(here=st.booleans(), club=st.integers(0, 2))
    def register(self, here: bool, club: int) -> None:
        name = f"P{next(self.names)}"
        self.press(
            "register", registration_actions.register, name, {"club": ("", "Reds", "Blues")[club]}, "", here=here
        )

    @rule(which=picks, what=st.sampled_from(sorted(AT_THE_DESK)), ahead=st.integers(0, 2))
    def at_the_desk(self, which: int, what: str, ahead: int) -> None:
        number = 1 + ahead + sum(round_.state == RoundState.PUBLISHED for round_ in self.rounds)
        player = self.stage.s.get_one(Player, self.pick(self.people, which).id)
        self.press(what, AT_THE_DESK[what], player, *([number] if "bye" in what else []))

    @rule(number=picks, other=picks, when=st.sampled_from(KeptWhen))
    def keep_apart(self, number: int, other: int, when: KeptWhen) -> None:
        a, b = self.pick(self.people, number), self.pick(self.people, other)
        self.press("keep apart", byes.keep_apart, a.id, b.id, when, a.id)

    @rule(seed=st.integers(0, 2**40))
    def draw(self, seed: int) -> None:
        number = 1 + sum(round_.state == RoundState.PUBLISHED for round_ in self.rounds)
        if self.press("draw", drawing.draw_round, number, seed):
            self.check_draw(number)

    @precondition(lambda self: self.drawn())
    @rule()
    def discard(self) -> None:
        self.press("discard", rounds_actions.discard_draw, self.drawn()[0].number)

    @precondition(lambda self: self.drawn())
    @rule(number=picks, other=picks)
    def swap(self, number: int, other: int) -> None:
        a, b = self.pick(self.people, number).id, self.pick(self.people, other).id
        self.press("swap", draft.swap, self.drawn()[0].number, a, b)

    @precondition(lambda self: self.drawn())
    @rule()
    def undo(self) -> None:
        self.press("undo", draft.undo_draft_change, self.drawn()[0].number)

    @precondition(lambda self: self.drawn())
    @rule(sure=st.booleans())
    def publish(self, sure: bool) -> None:
        self.press("publish", rounds_actions.publish_round, self.drawn()[0].number, sure=sure)

    @precondition(lambda self: self.played())
    @rule(
        which=picks,
        side=st.sampled_from(ReportSide),
        a=st.integers(0, 3),
        b=st.integers(0, 3),
        old=st.booleans(),
        by_sheet=st.booleans(),
    )
    def report(self, which: int, side: ReportSide, a: int, b: int, old: bool, by_sheet: bool) -> None:
        game = self.pick(self.played(), which)
        is_sheet = by_sheet and side != ReportSide.ORGANISER
        claim = results_actions.Claim(
            side, {"a.objectives": a, "b.objectives": b}, game.version - old, sure=True,
            origin=results_actions.FROM_SHEET if is_sheet else results_actions.FROM_PLAYER,
        )  # fmt: skip
        self.press("report", results_actions.report, self.row(game), claim)

    @precondition(lambda self: self.played())
    @rule(a=st.integers(0, 3), b=st.integers(0, 3))
    def decide_all(self, a: int, b: int) -> None:
        for game in self.played():
            if game.state != GameState.CONFIRMED:
                answers = {"a.objectives": a, "b.objectives": b}
                claim = results_actions.Claim(ReportSide.ORGANISER, answers, game.version, sure=True)
                self.press("decide", results_actions.report, self.row(game), claim)

    @precondition(lambda self: not self.drawn())
    @rule(
        seed=st.integers(0, 2**40),
        a=st.integers(0, 3),
        b=st.integers(0, 3),
        which=picks,
        absent=st.sampled_from([None, *Absent]),
        what=st.sampled_from(sorted(AT_THE_DESK)),
    )
    def play_a_round(self, seed: int, a: int, b: int, which: int, absent: Absent | None, what: str) -> None:
        self.decide_all(a, b)
        self.at_the_desk(which + a, what, 0)
        self.draw(seed)
        if self.drawn():
            self.publish(sure=False)
            if self.played():
                self.no_show(which, absent)
            self.decide_all(a, b)

    @precondition(lambda self: self.played())
    @rule(which=picks, absent=st.sampled_from([None, *Absent]))
    def no_show(self, which: int, absent: Absent | None) -> None:
        game = self.pick(self.played(), which)
        named = {"version": game.version, "reason": "They left"}
        with self.pressed("no-show" if absent else "turned up") as s:
            no_shows.set_absent(Act(s, self.event, BY, self.stage.clock()), self.row(game), absent, **named)

    @precondition(lambda self: self.event.state == EventState.IN_PROGRESS)
    @rule()
    def finish_and_reopen(self) -> None:
        for what, action in (("finish", setup_actions.finish), ("reopen", setup_actions.reopen)):
            self.press(what, action)

    def teardown(self) -> None:
        if self.known:
            assert check_event(self.stage.s, self.event) == []
            self.lengths.append(self.presses)
        self.stage.s.close()
        self.stage.engine.dispose()

    def press(self, what: str, action: Callable[..., object], *arguments: Any, **named: Any) -> bool:
        """Submit an action as the organiser; returns False if it was refused."""
        with self.pressed(what) as s:
            action(Act(s, self.event, BY, self.stage.clock()), *arguments, **named)
            return True
        return False

    @contextmanager
    def pressed(self, what: str) -> Iterator[Session]:
        """Check one submission: it is stored completely with a journal entry, or refused without a change."""
        self.presses += 1
        before, lines = self.known, self.journal()
        try:
            with self.stage.changing(self.event) as s:
                yield s
        except Refused:
            assert self.load() == before, f"{what}: refused, but rows changed"
            assert self.journal() == lines
            return
        self.known = self.load()
        if self.known != before:
            self.done[what] += 1
            self.unchecked = True
            assert self.journal() > lines, f"{what}: rows changed without a journal entry"

    def check_draw(self, number: int) -> None:
        """Check a new draw: each player has one place, no second bye is avoidable, a second draw is the same."""
        the_round = next(round_ for round_ in self.rounds if round_.number == number)
        games = self.games(the_round)
        everybody = self.people
        out = {p.id for p in everybody if number in (p.asked_byes or ()) and p.state in self.PLACED}
        field = {p.id for p in everybody if p.state == PlayerState.CHECKED_IN and not p.ringer} - out
        ringers = [p.id for p in everybody if p.state == PlayerState.CHECKED_IN and p.ringer][: len(field) % 2]
        placed = [id_ for game in games for id_ in (game.a_id, game.b_id) if id_ is not None]
        assert sorted(placed) == sorted((*field, *out, *ringers))
        assert {game.a_id for game in games if game.asked} == out
        free = [
            next(id_ for id_ in (game.a_id, game.b_id or 0) if id_ not in ringers)
            for game in games
            if not game.asked and (game.b_id is None or {game.a_id, game.b_id} & set(ringers))
        ]
        assert len(free) == len(field) % 2
        draw = self.stage.one(RoundDraw, round_id=the_round.id)
        if free:
            had = self.free_wins(number)
            second = had[free[0]] > 0
            assert draw.outcome["levels"]["second_byes"] == second
            if second and any(not had[id_] for id_ in field):
                assert draw.outcome["levels"]["rematches"] or draw.outcome["certificate"]["proven"]
                assert any(note.get("best") == "rematches" for game in games for note in game.notes)
        again = drawn_round(from_document(draw.inputs))
        assert [[pair.a, pair.b] for pair in again.pairs] == draw.outcome["pairs"]
        assert again.bye == draw.outcome["bye"]

    @invariant()
    def event_is_consistent(self) -> None:
        if self.unchecked:
            self.standings_match_the_rows()
            self.shared_data_changes_only_with_the_stamp()
            self.files_can_be_redrawn()
            self.unchecked = False

    def standings_match_the_rows(self) -> None:
        after = 0
        for the_round in self.rounds:
            games = self.games(the_round)
            if the_round.state != RoundState.PUBLISHED or any(g.state != GameState.CONFIRMED for g in games):
                break
            after = the_round.number
        rows = {int(row.id): row for row in self.stage.standings(self.event)}
        expected = self.points(after)
        for id_, row in rows.items():
            late = self.event.late_points * self.rounds_before(id_, after)
            assert row.points == expected[id_] + late, row.how
        assert not {p.id for p in self.people if p.ringer} & rows.keys()
        played = {id_ for n, games in self.by_round() for g in games if n <= after for id_ in (g.a_id, g.b_id) if id_}
        assert played <= rows.keys() | {p.id for p in self.people if p.ringer}
        ranks = [row.rank for row in rows.values()]
        assert ranks == sorted(ranks)

    def shared_data_changes_only_with_the_stamp(self) -> None:
        """With an unchanged stamp the shared data is unchanged, except for games that each page reads itself."""
        event = self.stage.now(self.event)
        shown = seen_by_all(snapshot_of(self.stage.s, event))
        assert self.shared.setdefault(event.players_stamp, shown) == shown

    def files_can_be_redrawn(self) -> None:
        """Drawing from the published rounds' files gives the same pairs."""
        event = self.stage.now(self.event)
        published = [round_ for round_ in event.schedule if round_.state == RoundState.PUBLISHED]
        files = [file for round_ in published if (file := pairings_of(event, round_)) is not None]
        for file in files:
            check = redrawn(file)
            assert check.equal, check.differences

    PLACED = (PlayerState.REGISTERED, PlayerState.CHECKED_IN)

    def points(self, after: int) -> dict[int, int]:
        """Every player's tournament points from the rounds up to ``after``, without the points of late entries."""
        points = defaultdict[int, int](int)
        for number, games in self.by_round():
            for game in games if number <= after else ():
                if game.b_id is None:
                    points[game.a_id] += POINTS[self.event.asked_bye.value] if game.asked else POINTS["win"]
                elif game.absent is not None:
                    points[game.a_id] += POINTS["win"] * (game.absent == Absent.B)
                    points[game.b_id] += POINTS["win"] * (game.absent == Absent.A)
                else:
                    a, b = ((game.answers or {}).get(f"{side}.objectives", 0) for side in "ab")
                    points[game.a_id] += POINTS["win" if a > b else "loss" if a < b else "draw"]
                    points[game.b_id] += POINTS["win" if b > a else "loss" if b < a else "draw"]
        return points

    def rounds_before(self, player: int, after: int) -> int:
        """The number of rounds that a late entry missed: without a game or a bye, before the player's first round."""
        entered = next(p.entered_round for p in self.people if p.id == player)
        had = {n for n, games in self.by_round() if n <= after for g in games if player in (g.a_id, g.b_id)}
        last = max(had, default=min(after, entered - 1))
        return sum(n not in had and n < entered for n in range(1, last + 1))

    def free_wins(self, number: int) -> dict[int, int]:
        """For each player, the earlier rounds without a game: a no-show counts for both; or against a stand-in."""
        ringers = {p.id for p in self.people if p.ringer}
        wins = defaultdict[int, int](int)
        for n, games in self.by_round():
            for game in games if n < number else ():
                if game.b_id is None:
                    wins[game.a_id] += not game.asked or self.event.asked_bye == AskedBye.WIN
                elif game.absent is not None:
                    wins[game.a_id] += 1
                    wins[game.b_id] += 1
                else:
                    wins[game.a_id] += game.b_id in ringers
                    wins[game.b_id] += game.a_id in ringers
        return wins

    def row(self, game: Row[Any]) -> Game:
        return self.stage.s.get_one(Game, game.id)

    def pick(self, some: Sequence[One], which: int) -> One:
        return some[which % len(some)]

    def games(self, the_round: Row[Any]) -> list[Row[Any]]:
        return [game for game in self.all_games if game.round_id == the_round.id]

    def by_round(self) -> list[tuple[int, list[Row[Any]]]]:
        return [(round_.number, self.games(round_)) for round_ in self.rounds]

    def drawn(self) -> list[Row[Any]]:
        return [round_ for round_ in self.rounds if round_.state == RoundState.DRAWN]

    def played(self) -> list[Row[Any]]:
        published = [round_ for round_ in self.rounds if round_.state == RoundState.PUBLISHED]
        return [game for game in self.games(published[-1]) if game.b_id is not None] if published else []

    def journal(self) -> int:
        return int(self.stage.s.connection().execute(JOURNAL, {"event": self.event.id}).scalar_one())

    def load(self) -> list[object]:
        """Read the event's stored rows except the journal, without building objects: this runs after each action."""
        s = self.stage.s
        s.rollback()
        connection, event = s.connection(), {"event": self.event.id}
        self.people, self.rounds, self.all_games, *rest = ([*connection.execute(a_select, event)] for a_select in ROWS)
        return [self.people, self.rounds, self.all_games, *rest]


def seen_by_all(known: Snapshot) -> str:
    """A snapshot as text; of games in incomplete rounds only the players."""

    def seen(view: RoundView, game: Game) -> object:
        return (game.id, game.a_id, game.b_id) if view.round.id in known.incomplete else game

    played = [(player, [seen(*game) for game in games]) for player, games in known.played.items()]
    view = known.view and [
        replace(known.view, games=(), now=replace(known.view.now, boards=())),
        *(seen(known.view, game) for game in known.view.games),
    ]
    complete = replace(known.t, rounds=tuple(a_round for a_round in known.t.rounds if a_round.complete))
    return repr((played, view, replace(known, played={}, view=None, t=complete)))


def rows_of(table: type[SQLModel], condition: ColumnElement[bool], *left_out: str) -> Select[Any]:
    """A query for the rows that meet the condition, oldest first, without the columns ``left_out``."""
    columns = SQLModel.metadata.tables[str(table.__tablename__)].columns
    return (
        plain_select(*(column for column in columns if column.name not in left_out))
        .where(condition)
        .order_by(columns.id)
    )


THIS: BindParameter[int] = bindparam("event")
OF_ROUND = col(Game.round_id).in_(select(Round.id).where(Round.event_id == THIS))
ROWS = (
    rows_of(Player, col(Player.event_id) == THIS),
    rows_of(Round, col(Round.event_id) == THIS),
    rows_of(Game, OF_ROUND),
    rows_of(Report, col(Report.game_id).in_(select(Game.id).where(OF_ROUND))),
    rows_of(KeptApart, col(KeptApart.event_id) == THIS),
    rows_of(Event, col(Event.id) == THIS, "version", "stamp", "public_stamp", "players_stamp", "changed_at"),
)
"""Queries for an event's rows, without its journal, version and stamps."""
JOURNAL = plain_select(func.count()).select_from(JournalEntry).where(col(JournalEntry.event_id) == THIS)
