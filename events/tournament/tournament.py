"""An event as it stands: a value copied from its rows once. What follows from it is calculated when first asked for.

Its ids are texts: players "12", teams "t4". It has no rows, no session, and no words but those of its scenarios.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any

from events.tournament.boards import Board, Card, PlayRules, TournamentRound
from events.tournament.endings import Ending
from events.tournament.figures import Entrant, Result
from events.tournament.ladder import Challenge, ladder_order
from events.tournament.pairing import request
from events.tournament.pairing.knockout import Bracket, in_play
from events.tournament.records import Record, records
from events.tournament.scores import PLAYED_OUT, Ended
from events.tournament.team_ranking import Match, Worth, match_worth, team_results
from languages.message import Text
from validators.scenario import Answers


@dataclass(frozen=True)
class Side:
    id: str
    name: str
    club: str = ""
    entered_round: int = 1
    dropped_after: int | None = None
    here: bool = True
    """Whether the player is checked in, or a player of the team."""
    listed: bool = True
    """False for players on the waiting list and those who left before round 1."""
    ringer: bool = False
    on_ladder: bool = True
    """Whether the player holds a place now and is no stand-in."""

    @property
    def plays(self) -> bool:
        """Whether the side can be drawn now: it is here and did not leave."""
        return self.here and self.dropped_after is None


@dataclass(frozen=True)
class Adjustment:
    side: str
    counts_from: int
    """The round after which it counts."""
    points: int = 0
    vp: int = 0
    round: int | None = None
    loses_game: bool = False
    """The player loses the game of that round."""
    disqualifies: bool = False


@dataclass(frozen=True)
class Ruled:
    points: int = 0
    vp: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    """The parts that change the score group: a round number and the tournament points after it."""


@dataclass(frozen=True)
class Extra:
    bonuses: tuple[tuple[int, Text], ...] = ()
    """Tournament points, each with its reason."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The figures of an ``Entrant`` for painting and sportsmanship."""


NOTHING = Extra()
Extras = Mapping[str, Extra]
NO_EXTRAS: Extras = {}
NO_FIELDS: Mapping[str, Mapping[str, Any]] = {}


@dataclass(frozen=True, eq=False)
class Tournament:
    rules: PlayRules
    players: Mapping[str, Side]
    """In the order of registration, dropped ones too."""
    teams: Mapping[str, Side]
    """Empty where players are paired."""
    rounds: tuple[TournamentRound, ...]
    adjustments: tuple[Adjustment, ...] = ()
    """The rulings in force, oldest first."""

    @property
    def sides(self) -> Mapping[str, Side]:
        return self.teams if self.rules.teams else self.players

    @cached_property
    def boards(self) -> Mapping[int, Board]:
        return {board.id: board for a_round in self.rounds for board in a_round.boards}

    @cached_property
    def counted(self) -> int:
        """The number of rounds that count in the standings: the complete ones, in a season all published ones."""
        return sum(1 for _ in takewhile(lambda a_round: a_round.counts, self.rounds))

    @cached_property
    def complete(self) -> int:
        """The number up to which every round is complete; a season's later rounds may be in play before it."""
        return sum(1 for _ in takewhile(lambda a_round: a_round.complete, self.rounds))

    @property
    def published(self) -> list[TournamentRound]:
        return [a_round for a_round in self.rounds if a_round.state == "published"]

    @property
    def games(self) -> int:
        return sum(a_round.games for a_round in self.published)

    @property
    def decided(self) -> int:
        return sum(a_round.decided for a_round in self.published)

    @property
    def open_games(self) -> int:
        return sum(a_round.open_games for a_round in self.published)

    @property
    def is_last_published(self) -> bool:
        return 0 < len(self.rounds) == len(self.published) and (not self.rules.cut or bool(self.knockout))

    @property
    def by_challenge(self) -> bool:
        return self.rules.season is not None and self.rules.season.by_challenge

    @property
    def played_out(self) -> bool:
        """Whether every round is complete and none follows. Never where players challenge each other."""
        all_complete = self.is_last_published and len(self.rounds) == self.complete
        bracket = self.bracket()
        nobody_left = bracket is not None and bracket.complete and not self.in_bracket()
        return (all_complete or nobody_left) and not self.by_challenge

    @property
    def final(self) -> bool:
        """Whether only a correction can change the results: the event is closed, or its last round is complete."""
        return self.rules.closed or (self.rules.season is None and self.played_out)

    def has_open_games(self, after: int) -> bool:
        """Whether standings after a round are a season's of which games up to it are still to be played."""
        return self.rules.season is not None and self.complete < min(after, len(self.rounds))

    def results(self, after: int, *, every_bye: bool = False) -> list[Result]:
        """The decided games to round ``after``, without a knockout's; ``every_bye`` adds byes that score nothing."""
        return [
            board.result
            for a_round in self.rounds[:after]
            if a_round.stage.counts != "places"
            for board in a_round.boards
            if board.result and (board.b or every_bye or board.walk_over or a_round.stage.byes_score)
        ]

    def matches(self, after: int) -> list[Match]:
        return [match for a_round in self.rounds[:after] for match in a_round.matches]

    def open_pairs(self) -> dict[tuple[str, str], int]:
        """The round of each published game without a confirmed result, by both players' ids, from either side."""
        waiting = [
            (a_round.number, board.a, board.b)
            for a_round in self.rounds
            if a_round.state == "published"
            for board in a_round.boards
            if board.b is not None and not board.confirmed
        ]
        return {pair: number for number, a, b in waiting for pair in ((a, b), (b, a))}

    def open_rounds(self, after: int) -> Mapping[str, list[int]]:
        """The rounds up to ``after`` in which each player's game is open or a bye scores nothing."""
        rounds = defaultdict[str, list[int]](list)
        for a_round in self.rounds[:after]:
            if self.rules.season is None and a_round.complete:
                continue
            for board in a_round.boards:
                if not board.confirmed or (board.b is None and not (board.walk_over or a_round.stage.byes_score)):
                    for id_ in filter(None, (board.a, board.b)):
                        rounds[id_].append(a_round.number)
        return rounds

    @property
    def knockout(self) -> list[TournamentRound]:
        return [a_round for a_round in self.rounds if a_round.stage.counts == "places"]

    def is_cut(self, number: int) -> bool:
        return bool(self.knockout) and number == self.knockout[0].number > 1

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        """The seeds of the bracket, the best first; empty until its first round is drawn."""
        inputs = self.knockout[0].inputs if self.knockout else None
        if inputs is None:
            return ()
        first = request.from_document(dict(inputs))
        return request.bracket_of_seats(first.format, first.seats, first.seed).seeds

    def bracket(self, after: int | None = None) -> Bracket | None:
        """The bracket with the winners of the rounds up to ``after``; None if no knockout round is drawn by then."""
        drawn = [r for r in self.knockout if r.state != "planned" and (after is None or r.number <= after)]
        through = tuple(tuple(id_ for board in r.boards if (id_ := board.advances)) for r in drawn)
        return Bracket(self.seeds, through, self.rules.third_place, drawn[-1].complete) if drawn else None

    def in_bracket(self, after: int | None = None) -> frozenset[str]:
        """The players who can still play in the knockout after a round; empty before its first draw."""
        bracket = self.bracket(after)
        return frozenset() if bracket is None else in_play(bracket) - self.left_bracket(bracket)

    def left_bracket(self, bracket: Bracket) -> frozenset[str]:
        """The players who left by the last round of the bracket and so lose their next game; none while it is open."""
        last = self.knockout[len(bracket.through) - 1].number if bracket.complete else -1
        return frozenset(
            id_ for id_, side in self.sides.items() if side.dropped_after is not None and side.dropped_after <= last
        )

    def is_out(self, id_: str) -> bool:
        """Whether a knockout is published in which a player has no further game, or all rounds are, without them."""
        if self.knockout and self.knockout[0].state == "published":
            return id_ not in self.in_bracket()
        all_drawn = not self.rules.cut and self.plays_first(len(self.published) + 1) is None
        return all_drawn and id_ in self.players and not self.players[id_].here

    def plays_first(self, number: int) -> int | None:
        """The round in which somebody who enters for this round plays first; None if no place is left to play.

        A knockout takes nobody after its first draw, and a cut nobody who was not in the rounds before it.
        """
        first = self.knockout[0].number if self.knockout else None
        in_bracket = first is not None and number >= max(first, 2)
        past_last = not self.by_challenge and number > len(self.rounds)
        return None if in_bracket or past_last else number

    def challenges(self, after: int | None = None) -> list[Challenge]:
        """The challenges of a season, in the order of making."""
        games = [board for a_round in self.rounds[:after] for board in a_round.boards if board.b and board.challenged]
        return [Challenge(board.a, board.b or "", board.result) for board in sorted(games, key=lambda board: board.id)]

    def ladder(self) -> list[str]:
        """The ids of the ladder's current players, first place first; at the start in the order of registration."""
        return [id_ for id_ in ladder_order(self.players, self.challenges()) if self.players[id_].on_ladder]

    def field(self, after: int) -> list[str]:
        """The players in the standings after a round, in the order of registration.

        These are the players with a result, every seed of the bracket, and all others who had entered by then: on a day
        of play, once round 1 counts, only those who are checked in.
        """
        met = {id_ for result in self.results(after) for id_ in (result.a, result.b)}
        if bracket := self.bracket(after):
            met |= set(bracket.seeds)
        everybody = not after or self.rules.season is not None
        return [
            id_
            for id_, player in self.players.items()
            if id_ in met
            or (player.listed and player.entered_round <= max(after, 1) and (everybody or player.here))
        ]  # fmt: skip

    def team_field(self, after: int) -> list[str]:
        """The teams in the standings after a round: those with a match, and those with a player who is here."""
        met = {id_ for match in self.matches(after) for id_ in (match.a, match.b)}
        here = [id_ for id_, team in self.teams.items() if team.here and team.entered_round <= max(after, 1)]
        return [id_ for id_ in self.teams if id_ in met or id_ in here]

    def ruled(self, after: int | None = None) -> Mapping[str, Ruled]:
        """The sums of rulings by player or team, of those that count after a round, wherever the event counts them."""
        return ruled(self.rules, self.adjustments, after)

    @cached_property
    def disqualified(self) -> frozenset[str]:
        return frozenset(adjustment.side for adjustment in self.adjustments if adjustment.disqualifies)

    def entrants(
        self, ids: Iterable[str], after: int | None, fields: Mapping[str, Mapping[str, Any]] = NO_FIELDS
    ) -> list[Entrant]:
        """Players or teams as entrants of the standings after a round; draws count only what rulings move."""
        rulings, where = self.ruled(after), self.rules.rulings_count
        sides, entrants = {**self.players, **self.teams}, []
        for id_ in ids:
            side, given = sides[id_], rulings.get(id_, Ruled())
            # Only the standings of the past leave it out; a season's rounds are all open together.
            past = after is not None and after < self.counted and self.rules.season is None
            unknown = past and (side.dropped_after or 0) > (after or 0)
            entrants.append(
                Entrant(
                    id=id_,
                    name=side.name,
                    club=side.club,
                    dropped_after=None if unknown else side.dropped_after,
                    entered_round=side.entered_round,
                    ringer=side.ringer,
                    conduct=given.points if where == "tie_break" else 0,
                    vp_ruled=given.vp if where == "points" and self.rules.scheme.vp_known else 0,
                    moves=given.moves,
                    disqualified=id_ in self.disqualified,
                    **fields.get(id_, {}),
                )
            )
        return entrants

    def records(self, after: int) -> dict[str, Record]:
        return records(self.results(after), self.entrants(self.players, None), self.rules.scheme)

    @cached_property
    def won_lost(self) -> Mapping[str, str]:
        """The players' published games by id, those of a knockout too: won, drawn and lost, "2-0-1 +1"."""
        played = [board.result for a_round in self.published for board in a_round.boards if board.result]
        record_by_id = records(played, self.entrants(self.players, None), self.rules.scheme)
        return {id_: record.wins_draws_losses for id_, record in record_by_id.items()}

    def team_results(self, after: int) -> list[Result]:
        return team_results(self.matches(after), self.records(after))[0]

    def side_results(self, after: int) -> list[Result]:
        """What a draw counts of the rounds up to ``after``: the results of teams, else of players with every bye."""
        return self.team_results(after) if self.rules.teams else self.results(after, every_bye=True)

    def match_scores(self, number: int) -> list[tuple[Worth, Worth]]:
        book = self.records(number)
        return [match_worth(match, book) for match in self.rounds[number - 1].matches]

    def conceded_vp(self) -> dict[int, tuple[str, int]]:
        """By conceded game of the counted rounds: the winner's id and VP, where more count than were scored."""
        conceded = (Ending.CONCEDED_A, Ending.CONCEDED_B)
        games = [b for r in self.rounds[: self.counted] for b in r.boards if b.confirmed and b.how.how in conceded]
        if not games or self.rules.scheme.shares:
            return {}
        book, more = self.records(self.counted), {}
        for board in games:
            for id_, scored in ((board.a, board.score.a), (board.b, board.score.b)) if board.score else ():
                for game in book[str(id_)].games:
                    if game.round == board.round and game.vp > scored:
                        more[board.id] = str(id_), game.vp
        return more

    def reported(self, game: int, answers: Answers, how: Ended = PLAYED_OUT) -> "Tournament":
        board = replace(self.boards[game], answers=answers, how=how, confirmed=True, reported=True, absent=None)
        rounds = [
            replace(r, boards=tuple(board if b.id == game else b for b in r.boards)) if r.number == board.round else r
            for r in self.rounds
        ]
        return replace(self, rounds=tuple(rounds))

    def up_to(self, after: int) -> "Tournament":
        return replace(self, rounds=self.rounds[:after])


def ruled(rules: PlayRules, adjustments: Iterable[Adjustment], after: int | None = None) -> dict[str, Ruled]:
    """The sums of these rulings by player or team, of those that count after a round."""
    sums: dict[str, Ruled] = {}
    for given in adjustments:
        if after is None or given.counts_from <= after:
            before = sums.get(given.side, Ruled())
            move = ((given.counts_from, given.points),) if rules.rulings_move and given.points else ()
            sums[given.side] = Ruled(before.points + given.points, before.vp + given.vp, before.moves + move)
    return sums


def lost_by_card(adjustments: Sequence[Adjustment]) -> frozenset[tuple[int, str]]:
    """The games lost by a card: round number and player id of each."""
    return frozenset(
        (adjustment.round, adjustment.side) for adjustment in adjustments if adjustment.loses_game and adjustment.round
    )


def won_by_card(lost: Collection[tuple[int, str]], number: int, a: str, b: str | None) -> Card | None:
    """The side that wins a game of this round because a card cost its opponent the game; None if neither does."""
    if (number, a) in lost:
        return "b"
    return "a" if (number, b or "") in lost else None
