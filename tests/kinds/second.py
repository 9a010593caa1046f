"""A second calculation of standings, brackets and ladders, plainly from the stored rows, compared with the interface's.

Points of teams and players, victory points, places in a bracket, the order of a ladder. It knows nothing of the
product's own calculation, but what a scenario's answers score (tests/validators has second checkers of that).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from models.event import Round, RoundKind
from models.play import Absent, Game, GameState, PlayerState
from models.settings import ReportDetail
from models.team import Team, TeamMatch
from tests.kinds.world import Fault, World
from validators import SYSTEMS, report_detail
from validators.report_detail import A_WINS, B_WINS, WON

BYE, DRAW, LEAST = 14, 10, 0
STEPS = ((2, 11, 9), (5, 13, 7), (9, 16, 4))
"""The points table of ``tests.kinds.moments.TABLE``: up to which difference, and for whom how many."""


@dataclass(frozen=True)
class Decided:
    """A decided game: "a", "b", "draw" or "both" (absent), and victory points where they are known and count."""

    game: Game
    winner: str
    vp: tuple[int, int] | None

    def of(self, side: str) -> str:
        return "draw" if self.winner == "draw" else "win" if self.winner == side else "loss"


def differences(world: World) -> Iterator[str]:
    """Where the interface's standings differ from the rows."""
    answer = world.person("visitor").http.get(f"/api/v1/events/{world.event.slug}/standings?limit=1000")
    if answer.status_code != 200:
        raise Fault(f"the standings of the interface: {answer.status_code}")
    shown: list[dict[str, Any]] = answer.get_json()["items"]
    if not shown:
        return
    rows = {row["id"]: row for row in shown}
    counted = _counted(world)
    if world.kind.team_size > 1:
        yield from _teams(world, rows, counted)
        return
    yield from _missing(world, rows, counted)
    on_ladder = world.kind.season is not None and world.kind.season.kind == "ladder"
    if world.kind.format.value != "knockout" and not on_ladder:
        yield from _points(world, rows, counted)
    if world.kind.is_knockout:
        yield from _bracket(world, rows)
    if on_ladder:
        yield from _ladder(world, shown)
        yield from (f"{row['name']} has points on a ladder" for row in shown if row["points"] is not None)


def _counted(world: World) -> list[Round]:
    """The rounds that count: those up to the first incomplete one, in a season each that is published."""
    found = []
    for row in world.published():
        games = world.desk.all(Game, round_id=row.id)
        open_ = [game for game in games if game.state != GameState.CONFIRMED]
        in_season = world.kind.season is not None and row.kind != RoundKind.KNOCKOUT
        if (open_ or not games) and not in_season:
            break
        found.append(row)
    return found


def decided(world: World, row: Round) -> list[Decided]:
    """The decided games of a round between two players."""
    found = []
    lost = {
        (ruling.round_number, ruling.player_id)
        for ruling in world.event.rulings
        if ruling.loses_game and not ruling.taken_back_at
    }
    for game in world.games(row):
        if game.state != GameState.CONFIRMED:
            continue
        if game.absent is not None:
            winner = {Absent.A: "b", Absent.B: "a", Absent.BOTH: "both"}[game.absent]
            found.append(Decided(game, winner, None))
            continue
        winner, vp = _scored(world, row, game)
        if (row.number, game.a_id) in lost or (row.number, game.b_id) in lost:
            winner = "b" if (row.number, game.a_id) in lost else "a"
        found.append(Decided(game, winner, vp))
    return found


def _scored(world: World, row: Round, game: Game) -> tuple[str, tuple[int, int] | None]:
    answers = game.answers or {}
    if world.kind.report == ReportDetail.OUTCOME:
        return {A_WINS: "a", B_WINS: "b"}.get(str(answers[WON]), "draw"), None
    system = SYSTEMS[world.event.system]
    scenario = next(scenario for scenario in system.scenarios if scenario.id == (game.scenario or row.scenario))
    if world.kind.report == ReportDetail.TOTALS:
        score = report_detail.score(system, report_detail.detailed(system, scenario, "totals"), answers)
    else:
        score = system.scoring.score(scenario, answers)
    return score.outcome, (score.a, score.b)


def _worth(world: World, a_decided: Decided, side: str) -> int | None:
    """A side's tournament points; None where the points table has no plain answer."""
    event = world.event
    if not world.kind.by_difference:
        return {"win": event.points_win, "draw": event.points_draw, "loss": event.points_loss}[a_decided.of(side)]
    if a_decided.vp is None:
        return BYE if a_decided.winner == side else LEAST
    if a_decided.winner == "draw":
        return DRAW
    difference = abs(a_decided.vp[0] - a_decided.vp[1])
    if (a_decided.winner == "a") != (a_decided.vp[0] > a_decided.vp[1]):
        return None  # lost by a card against the figures
    won, lost = next(((won, lost) for most, won, lost in STEPS if difference <= most), (20, 0))
    return won if a_decided.winner == side else lost


def _points(world: World, rows: dict[str, Any], counted: Sequence[Round]) -> Iterator[str]:
    points, vp, plain = defaultdict[int, int](int), defaultdict[int, int](int), {int(id_) for id_ in rows}
    bye = BYE if world.kind.by_difference else world.event.points_win
    swiss = [row for row in counted if row.kind != RoundKind.KNOCKOUT]
    for row in swiss:
        for game in world.desk.all(Game, round_id=row.id):
            if game.b_id is None and row.kind == RoundKind.SWISS and not world.kind.at_once:
                points[game.a_id] += bye
                vp[game.a_id] -= 10**6
        for a_decided in decided(world, row):
            for place, side, id_ in ((0, "a", a_decided.game.a_id), (1, "b", a_decided.game.b_id or 0)):
                worth = _worth(world, a_decided, side)
                plain -= {id_} if worth is None else set()
                points[id_] += worth or 0
                vp[id_] += a_decided.vp[place] if a_decided.vp else -(10**6)
    for ruling in world.event.rulings:
        since = ruling.after_round if ruling.round_number is None else ruling.round_number
        points[ruling.player_id] += ruling.points if since <= len(counted) and not ruling.taken_back_at else 0
        vp[ruling.player_id] -= 10**6
    for key, entry in rows.items():
        own = int(key)
        if own in plain and entry["points"] != points[own]:
            yield f"{entry['name']} has {entry['points']} points, but {points[own]} by the games"
        shown = entry["tie_breaks"].get("VP")
        if shown is not None and vp[own] >= 0 and world.kind.report != ReportDetail.OUTCOME and shown != str(vp[own]):
            yield f"{entry['name']} has {shown} VP, but {vp[own]} by the games"
    if not (world.kind.is_knockout or world.kind.by_challenge):
        order = [entry["points"] for entry in rows.values() if not entry["disqualified"]]
        if order != sorted(order, reverse=True):
            yield f"the standings are not in the order of points: {order}"


def _missing(world: World, rows: dict[str, Any], counted: Sequence[Round]) -> Iterator[str]:
    """Everybody who played is listed."""
    met = {id_ for row in counted for game in world.games(row) for id_ in (game.a_id, game.b_id)}
    for player in world.players():
        if player.id in met and not player.ringer and str(player.id) not in rows:
            yield f"{player.name} played and is not in the standings"


def _bracket(world: World, rows: dict[str, Any]) -> Iterator[str]:
    """A player who lost later is placed before one who lost earlier, and a finished bracket has its winner first."""
    knockout = [row for row in world.published() if row.kind == RoundKind.KNOCKOUT]
    complete = [row for row in _counted(world) if row.kind == RoundKind.KNOCKOUT]
    if not complete:
        return
    out: dict[int, float] = {}
    final: Decided | None = None
    for row in complete:
        games = sorted(decided(world, row), key=lambda a_decided: a_decided.game.table_number or 0)
        if row.bracket == 2 and games:
            if len(games) > 1:
                third = next((game for game in games if {game.game.a_id, game.game.b_id} <= out.keys()), None)
                if third is not None:
                    games.remove(third)
                    loser = third.game.b_id if third.winner == "a" else third.game.a_id
                    if third.winner in ("a", "b"):
                        out[loser or 0] -= 0.5
            elif {games[0].game.a_id, games[0].game.b_id} <= out.keys():
                games = []
            final = games[0] if games else None
        for a_game in games:
            if a_game.winner in ("draw", "both"):
                winner = str(a_game.game.goes_through.value) if a_game.game.goes_through else ""
            else:
                winner = a_game.winner
            for side, id_ in (("a", a_game.game.a_id), ("b", a_game.game.b_id)):
                if side != winner and id_ is not None:
                    out[id_] = row.number
    ranked = {int(id_): row["rank"] for id_, row in rows.items() if row["rank"] is not None}
    for better, late in out.items():
        for worse, early in out.items():
            if late > early and better in ranked and worse in ranked and ranked[better] > ranked[worse]:
                yield f"player {worse}, out in round {early}, is placed before {better}, out in round {late}"
    seeds = {
        id_ for row in knockout[:1] for game in world.desk.all(Game, round_id=row.id) for id_ in (game.a_id, game.b_id)
    }
    yield from (
        f"player {id_} of the bracket is not in the standings" for id_ in seeds - {None} if str(id_) not in rows
    )
    if final is not None and final.winner in ("a", "b"):
        first = final.game.a_id if final.winner == "a" else final.game.b_id or 0
        if ranked.get(first, 1) != 1:
            yield f"player {first} won the final and is placed {ranked[first]}"
    if final is not None and final.game.goes_through == "nobody":
        yield from (f"nobody won the final, and player {id_} is first" for id_ in out if ranked.get(id_) == 1)


def _ladder(world: World, shown: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The challenger who wins takes the other's place."""
    order = [player.id for player in world.players() if player.state != PlayerState.WAITING]
    by_game = {one.game.id: one for row in world.published() for one in decided(world, row)}
    for game in sorted((game for row in world.published() for game in world.games(row)), key=lambda game: game.id):
        a_decided = by_game.get(game.id)
        if a_decided and a_decided.winner == "a" and game.b_id and order.index(game.a_id) > order.index(game.b_id):
            order.remove(game.a_id)
            order.insert(order.index(game.b_id), game.a_id)
    gone = {player.id for player in world.players() if player.state == PlayerState.DROPPED or player.ringer}
    ladder = [int(row["id"]) for row in shown if int(row["id"]) not in gone]
    if ladder != (expected := [id_ for id_ in order if id_ not in gone]):
        yield f"the ladder is {ladder}, but {expected} by the challenges"


def _teams(world: World, rows: dict[str, Any], counted: Sequence[Round]) -> Iterator[str]:
    """A match is won by the team with more tournament points on its boards."""
    points, event = defaultdict[str, int](int), world.event
    met: set[int] = set()
    for row in counted:
        results = {one.game.id: one for one in decided(world, row)}
        for match in world.desk.all(TeamMatch, round_id=row.id):
            met |= {id_ for id_ in (match.a_id, match.b_id) if id_}
            if match.b_id is None:
                points[f"t{match.a_id}"] += event.points_win
                continue
            sums = [0, 0]
            for game in world.desk.all(Game, match_id=match.id):
                a_decided = results.get(game.id)
                sides = [(game.a_id, "a"), *([(game.b_id, "b")] if game.b_id else [])]
                for player_id, side in sides:
                    of_a = player_id in (match.a_order or ())
                    alone = BYE if world.kind.by_difference else event.points_win
                    worth = _worth(world, a_decided, side) if a_decided else alone
                    if worth is None:
                        return
                    sums[not of_a] += worth
            names = ("win", "loss") if sums[0] > sums[1] else ("loss", "win") if sums[1] > sums[0] else ("draw", "draw")
            for team_id, name in ((match.a_id, names[0]), (match.b_id, names[1])):
                points[f"t{team_id}"] += {
                    "win": event.points_win,
                    "draw": event.points_draw,
                    "loss": event.points_loss,
                }[name]
    for key, entry in rows.items():
        if entry["points"] != points[key]:
            yield f"the team {entry['name']} has {entry['points']} points, but {points[key]} by its matches"
    for team in world.desk.all(Team, event_id=world.event_id):
        if team.id in met and f"t{team.id}" not in rows:
            yield f"the team {team.name} played and is not in the standings"
