"""Other pairing programs on the same fields as ours. Run from the checkout, with the peers where Python finds them:

    python -m venv /tmp/peers && /tmp/peers/bin/pip install swisspair py4swiss caissify-pairings
    PYTHONPATH=$(ls -d /tmp/peers/lib/python3*/site-packages) python benchmarks/peers.py [EVENTS]

They are no part of the project's own environment. Each adapter gets what all can know: points, and who has met. What
a peer wants in addition (colours, rounds) is made up so that it hinders least; what it cannot pair is reported. The
pairings of all are counted by our levels: a FIDE engine is not built for them, and also weighs colours.
"""

import importlib
import signal
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from statistics import median
from time import perf_counter

from events.pairing.levels import complete_costs, count_levels, field_of, scale_for
from events.pairing.seats import PLAIN, Levels, Pair, Seat
from events.pairing.swiss import draw

Met = set[frozenset[int]]
Pairs = list[tuple[int, int]]
Pairer = Callable[[list[int], Met], Pairs]
"""From everybody's points, and the pairs who have met, to pairs of places in that list; who is in none has the bye."""

SIZES = (16, 64, 128, 256, 512, 1024)
ROUNDS = 5
LONGEST = 60
"""Seconds for one round; a peer that took longer is not asked about larger fields."""


class Late(Exception):
    """A peer took longer than it may."""


def seats_of(points: list[int], met: Met) -> list[Seat]:
    """The field as our engine sees it."""
    opponents = defaultdict[int, list[int]](list)
    for a, b in met:
        opponents[a].append(b)
        opponents[b].append(a)
    return [Seat(f"{i:05}", n, opponents=tuple(f"{o:05}" for o in opponents[i])) for i, n in enumerate(points)]


def overseer(points: list[int], met: Met) -> Pairs:
    """Our own draw, without clubs and floats, which the others do not get."""
    drawn = draw(2, seats_of(points, met), seed=1)
    return [(int(pair.a), int(pair.b)) for pair in drawn.pairs]


def networkx(points: list[int], met: Met) -> Pairs:
    """Its exact matching on the complete graph, with the costs of our own levels."""
    nx = importlib.import_module("networkx")
    seats = seats_of(points, met)
    count = len(seats)
    costs = complete_costs(field_of(2, seats, PLAIN), scale_for(seats, PLAIN), PLAIN, (1, "peers", 2))
    ceiling = max(costs.values(), default=0)
    graph = nx.Graph()
    graph.add_weighted_edges_from((i, j, ceiling - cost) for (i, j), cost in costs.items())
    return [(min(a, b), max(a, b)) for a, b in nx.max_weight_matching(graph, maxcardinality=True) if max(a, b) < count]


def swisspair(points: list[int], met: Met) -> Pairs:
    """Made for card games: points, ranks, and who may not meet."""
    module = importlib.import_module("swisspair")
    order = sorted(range(len(points)), key=lambda i: (-points[i], i))
    forbidden = defaultdict[int, set[str]](set)
    for a, b in met:
        forbidden[a].add(str(b))
        forbidden[b].add(str(a))
    players = [
        module.Player(id=str(i), points=points[i], rank=rank, cannot_be_paired_against_ids=forbidden[i])
        for rank, i in enumerate(order, start=1)
    ]
    return [(int(m.p1.id), int(m.p2.id)) for m in module.create_matches(players) if m.p2 is not None]


def py4swiss(points: list[int], met: Met) -> Pairs:
    """FIDE's Dutch system. The points come in as accelerations, for the results that made them are not known."""
    trf, results, x = (
        importlib.import_module(f"py4swiss.trf{part}") for part in ("", ".results", ".sections.x_section")
    )
    sections = importlib.import_module("py4swiss.trf.sections")
    engines = importlib.import_module("py4swiss.engines")
    code = importlib.import_module("py4swiss.trf.codes").PlayerCode.PLAYER
    rounds = rounds_of(len(points), met)
    colour, result = results.ColorToken, results.ResultToken
    system = results.ScoringPointSystem()
    system.apply_code(results.ScoringPointSystemCode.DRAW, 0)
    people = []
    for i in range(len(points)):
        played = []
        for games in rounds:
            other, white = games.get(i, (-1, False))
            if other < 0:
                played.append(results.RoundResult(id=0, color=colour.BYE_OR_NOT_PAIRED, result=result.ZERO_POINT_BYE))
            else:
                side = colour.WHITE if white else colour.BLACK
                played.append(results.RoundResult(id=other + 1, color=side, result=result.DRAW))
        people.append(
            sections.PlayerSection(code=code, starting_number=i + 1, points_times_ten=0, rank=i + 1, results=played)
        )
    extra = x.XSection(
        number_of_rounds=len(rounds) + 9,
        scoring_point_system=system,
        accelerations={i + 1: [0] * len(rounds) + [10 * n] for i, n in enumerate(points)},
    )
    found = engines.DutchEngine.generate_pairings(trf.ParsedTrf(player_sections=people, x_section=extra))
    return [(pair.white - 1, pair.black - 1) for pair in found if pair.white and pair.black]


def caissify(points: list[int], met: Met) -> Pairs:
    """FIDE's Dutch system once more, in Python."""
    module = importlib.import_module("caissify_pairings")
    rounds = rounds_of(len(points), met)
    sides = {None: "none", True: "white", False: "black"}
    players = [
        {
            "id": i + 1,
            "name": str(i + 1),
            "score": float(n),
            "rating": 0,
            "starting_number": i + 1,
            "color_hist": [sides[games[i][1] if i in games else None] for games in rounds],
            "float_history": ["none"] * len(rounds),
            "bye_count": 0,
        }
        for i, n in enumerate(points)
    ]
    pairs = {(min(two) + 1, max(two) + 1) for two in met}
    number = len(rounds) + 1
    found = module.generate_pairings("dutch", players, pairs, round_number=number, total_rounds=number + 8)
    return [(p["white_id"] - 1, p["black_id"] - 1) for p in found if p.get("black_id")]


def rounds_of(count: int, met: Met) -> list[dict[int, tuple[int, bool]]]:
    """Rounds in which these pairs can have met: for each player the opponent and whether with white.

    White goes to the one who has had it less, then to the one who had black last.
    """
    rounds: list[dict[int, tuple[int, bool]]] = []
    for a, b in sorted(tuple(sorted(two)) for two in met):
        games = next((games for games in rounds if a not in games and b not in games), None)
        if games is None:
            games = {}
            rounds.append(games)
        games[a], games[b] = (b, True), (a, False)
    balance, last = [0] * count, [0] * count
    for games in rounds:
        for a in sorted(games):
            b = games[a][0]
            if a < b:
                white = (balance[a], last[a], a) <= (balance[b], last[b], b)
                games[a], games[b] = (b, white), (a, not white)
                for i, side in ((a, white), (b, not white)):
                    last[i] = 1 if side else -1
                    balance[i] += last[i]
    return rounds


PEERS: dict[str, Pairer] = {
    "overseer": overseer,
    "networkx": networkx,
    "swisspair": swisspair,
    "py4swiss": py4swiss,
    "caissify": caissify,
}
"""By name; ``missing`` says which of them are not here."""
MODULES = {"networkx": "networkx", "swisspair": "swisspair", "py4swiss": "py4swiss", "caissify": "caissify_pairings"}


def missing() -> list[str]:
    """The peers that cannot be imported here."""
    absent = []
    for name, module in MODULES.items():
        try:
            importlib.import_module(module)
        except ImportError:
            absent.append(name)
    return absent


def levels_of(points: list[int], met: Met, pairs: Pairs) -> Levels:
    """What a pairing costs on our levels. Raises ValueError for one that leaves out more than the bye."""
    seats = seats_of(points, met)
    placed = {i for two in pairs for i in two}
    left = [i for i in range(len(points)) if i not in placed]
    if len(left) != len(points) % 2:
        raise ValueError(f"{len(left)} players are not placed")
    made = [Pair(f"{a:05}", f"{b:05}") for a, b in pairs]
    return count_levels(2, seats, made, f"{left[0]:05}" if left else None)


def fields(count: int, seed: int) -> Iterator[tuple[list[int], Met]]:
    """The fields before rounds 2 to 5 of an event that our draw pairs: 3, 1, 0 points, 5 % drop after each round."""
    dice = Random(seed)
    points = dict.fromkeys(range(count), 0)
    met: Met = set()
    for number in range(1, ROUNDS + 1):
        here = sorted(points)
        local = {i: k for k, i in enumerate(here)}
        now: Met = {frozenset(local[i] for i in two) for two in met if two <= local.keys()}
        if number > 1:
            yield [points[i] for i in here], now
        for a, b in overseer([points[i] for i in here], now):
            for i, won in zip((here[a], here[b]), dice.choice(((3, 0), (0, 3), (1, 1))), strict=True):
                points[i] += won
            met.add(frozenset((here[a], here[b])))
        points = {i: n for i, n in points.items() if dice.random() >= 0.05}


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """End what takes longer. Raises Late."""

    def ring(*_: object) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main(events: int) -> None:
    warnings.simplefilter("ignore")
    absent = missing()
    print(f"One round paired, {events} seeded events, rounds 2 to {ROUNDS}, seconds; levels summed over all of them")
    print(f"Not here: {', '.join(absent) or 'none'}")
    print(f"{'players':>8}  {'by':<12}{'median':>10}{'most':>10}{'rematches':>11}{'bye height':>12}{'distance':>10}")
    left = [name for name in PEERS if name not in absent]
    for size in SIZES:
        asked = [field for seed in range(events) for field in fields(size, seed)]
        for name in list(left):
            times, costs, failed = [], [], []
            for points, met in asked:
                start = perf_counter()
                try:
                    with at_most(LONGEST):
                        pairs = PEERS[name](points, met)
                    times.append(perf_counter() - start)
                    costs.append(levels_of(points, met, pairs))
                except Late:
                    failed.append(f"took more than {LONGEST} s")
                    left.remove(name)
                    break
                except Exception as error:  # whatever a peer has against the field is its answer
                    failed.append(f"{type(error).__name__}: {error}")
            line = f"{size:>8}  {name:<12}"
            if costs:
                line += f"{median(times):>10.4f}{max(times):>10.4f}"
                line += "".join(
                    f"{sum(getattr(one, level) for one in costs):>{width}}"
                    for level, width in (("rematches", 11), ("bye_height", 12), ("distance", 10))
                )
            print(
                line + (f"   {len(failed)} of {len(asked)} not paired: {failed[0][:60]}" if failed else ""), flush=True
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
