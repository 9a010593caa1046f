"""Which library rates players best? Run: ``python -m benchmarks.ratings``.

Compared with openskill are glicko2 and trueskill, which no page needs: ``pip install glicko2==2.1.0 trueskill==0.4.5``.
Simulated years of a club: hidden strengths, draws, people who come later, 5 to 40 games for most of them. Each library
reads the first four fifths of the events, then says what is expected of each game of the last fifth. A loss is
-s log(p) - (1 - s) log(1 - p) of the score s (1, 1/2, 0) and the expected score p; 0.693 says nothing. A guess is right
if the player with the higher expectation won. Libraries run with the parameters that they come with, and with those of
a few that were best in other years. Then: what becomes of games against opponents who are in no ranking?
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from random import Random
from statistics import NormalDist, mean, stdev
from typing import Any

from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.request import Request, drawn_round
from events.tournament.pairing.seats import Draw, Rules
from events.tournament.pairing.tables import Room
from events.tournament.rating import LUCK, SPREAD, START, RatedGame, Rating, Side, ratings_after
from events.tournament.records import seats_from

EVENTS, ROUNDS, PEOPLE, HELD_BACK = 30, 4, 80, 6
DRAWS = 0.12
LEARNED, JUDGED = range(1000, 1010), range(40)
"""The seeds of the years that choose parameters, and of those that judge."""
SPREADS = (100, 200, 300)
"""The standard deviation of strengths in a game of much, some and little luck, on the scale of chess ratings."""
Game = tuple[str, str, float]
"""Two people and the score of the first."""
Events = Sequence[Sequence[Game]]
Expect = Callable[[str, str], float]


@dataclass(frozen=True)
class Year:
    """The events of a year, and what the hidden strengths expect of each game of the last fifth."""

    events: Events
    truth: tuple[float, ...]
    strength: dict[str, float]
    """At the end."""


def expected(difference: float) -> float:
    """The expected score of a player who is ``difference`` stronger (Elo)."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def played(number: int, drawn: Draw, strength: dict[str, float], draws: float, dice: Random) -> list[Result]:
    """The results of a drawn round by dice, byes included."""
    results = []
    for pair in drawn.pairs:
        score = expected(strength[pair.a] - strength[pair.b])
        drawn_game = draws * 4 * score * (1 - score)
        thrown, low, margin = dice.random(), dice.randint(0, 8), dice.randint(1, 7)
        if thrown < drawn_game:
            results.append(Result(number, pair.a, pair.b, low, low, pair.table))
        elif thrown < score + drawn_game / 2:
            results.append(Result(number, pair.a, pair.b, low + margin, low, pair.table))
        else:
            results.append(Result(number, pair.a, pair.b, low, low + margin, pair.table))
    if drawn.bye is not None:
        results.append(Result(number, drawn.bye, None))
    return results


def year(seed: int, spread: float) -> Year:
    """A club's year. Everybody has an own habit of coming and a first event; strengths drift a little."""
    dice = Random(seed)
    names = [f"p{n:03}" for n in range(PEOPLE)]
    strength = {name: dice.gauss(0, spread) for name in names}
    habit = {name: dice.uniform(0.05, 0.35) for name in names}
    joins = {name: max(0, dice.randint(-EVENTS, EVENTS - HELD_BACK)) for name in names}
    events, truth = [], []
    for number in range(EVENTS):
        here = [name for name in names if joins[name] <= number and dice.random() < habit[name]]
        games = event(seed * 100 + number, here, strength, dice) if len(here) > 3 else []
        truth += [expected(strength[a] - strength[b]) for a, b, _ in games] if number >= EVENTS - HELD_BACK else []
        events.append(games)
        strength = {name: value + dice.gauss(0, spread / 20) for name, value in strength.items()}
    return Year(events, tuple(truth), strength)


def event(seed: int, here: Sequence[str], strength: dict[str, float], dice: Random) -> list[Game]:
    """The games of an event that the house's own draw pairs."""
    people, results = [Entrant(name, name) for name in here], list[Result]()
    for number in range(1, ROUNDS + 1):
        field = tuple(seats_from(results, people, Scheme(seed=seed), number))
        results += played(number, drawn_round(Request(number, field, seed, Rules(), Room(()))), strength, DRAWS, dice)
    return [
        (result.a, result.b, 0.5 if result.vp_a == result.vp_b else float(result.vp_a > result.vp_b))
        for result in results if result.b is not None
    ]  # fmt: skip


def constant(events: Events) -> Expect:
    """Knows nothing."""
    return lambda a, b: 0.5


def elo(events: Events, k: float = 32) -> Expect:
    """Elo's formula, game by game."""
    found: dict[str, float] = {}
    for a, b, score in (game for games in events for game in games):
        gain = k * (score - expected(found.get(a, 0) - found.get(b, 0)))
        found[a], found[b] = found.get(a, 0) + gain, found.get(b, 0) - gain
    return lambda a, b: expected(found.get(a, 0) - found.get(b, 0))


def openskill(events: Events, model: Any = PlackettLuce, luck: float = 0.5, says: float | None = None) -> Expect:
    """One of openskill's models, game by game.

    ``luck`` is that of a game as a share of the spread of strengths; ``says``: how much of what a game says about a
    strength narrows the deviation, by default as the library has it.
    """
    more = {} if says is None else {"gamma": lambda *_: says}
    rates = model(START, SPREAD, SPREAD * luck, tau=SPREAD / 100, **more)
    found: dict[str, Any] = {}
    for a, b, score in (game for games in events for game in games):
        sides = [[found.get(a) or rates.rating()], [found.get(b) or rates.rating()]]
        (found[a],), (found[b],) = rates.rate(sides, ranks=[1 - score, score])
    new = rates.rating()
    return lambda a, b: float(rates.predict_win([[found.get(a, new)], [found.get(b, new)]])[0])


def rated(events: Events) -> dict[Side, Rating]:
    """The ratings as pages show them."""
    played = [[RatedGame((a, 0), (b, 0), round(2 * score)) for a, b, score in games] for games in events]
    return ratings_after(played)


def overseer(events: Events) -> Expect:
    """What the ratings of pages expect."""
    found = rated(events)

    def expect(a: str, b: str) -> float:
        rating, two = (found.get((name, 0), Rating()) for name in (a, b))
        unsure = rating.deviation**2 + two.deviation**2
        return NormalDist().cdf((rating.value - two.value) / math.sqrt(2 * LUCK**2 + unsure))

    return expect


def trueskill(events: Events, luck: float = 0.5) -> Expect:
    """TrueSkill, game by game; ``luck`` as for openskill."""
    rates = import_module("trueskill").TrueSkill(
        START, SPREAD, SPREAD * luck, tau=SPREAD / 100, draw_probability=DRAWS
    )  # fmt: skip
    found: dict[str, Any] = {}
    for a, b, score in (game for games in events for game in games):
        sides = [(found.get(a) or rates.create_rating(),), (found.get(b) or rates.create_rating(),)]
        (found[a],), (found[b],) = rates.rate(sides, ranks=[1 - score, score])

    def expect(a: str, b: str) -> float:
        one, two = (found.get(name) or rates.create_rating() for name in (a, b))
        return float(rates.cdf((one.mu - two.mu) / math.sqrt(2 * rates.beta**2 + one.sigma**2 + two.sigma**2)))

    return expect


def glicko2(events: Events, deviation: float = 350, volatility: float = 0.06) -> Expect:
    """Glicko-2; each event is a rating period."""
    new = partial(import_module("glicko2").Player, 1500, deviation, volatility)
    found: dict[str, Any] = {}
    for games in events:
        met: dict[str, list[tuple[str, float]]] = {}
        for a, b, score in games:
            met.setdefault(a, []).append((b, score))
            met.setdefault(b, []).append((a, 1 - score))
        before = {name: (found[name].rating, found[name].rd) if name in found else (1500, deviation) for name in met}
        for name in met.keys() | found.keys():
            player = found.setdefault(name, new())
            if name in met:
                ratings, deviations = zip(*(before[other] for other, _ in met[name]), strict=True)
                player.update_player(list(ratings), list(deviations), [score for _, score in met[name]])
            else:
                player.did_not_compete()

    def expect(a: str, b: str) -> float:
        one, two = (found.get(name) or new() for name in (a, b))
        unsure = (one.rd**2 + two.rd**2) * (math.log(10) / 400) ** 2
        return expected((one.rating - two.rating) / math.sqrt(1 + 3 * unsure / math.pi**2))

    return expect


def loss(score: float, chance: float) -> float:
    """The loss of one expectation."""
    chance = min(1 - 1e-9, max(1e-9, chance))
    return -score * math.log(chance) - (1 - score) * math.log(1 - chance)


Figures = tuple[float, float]
"""The mean loss, and the share of decided games that were guessed right."""


def judged(games: Sequence[Game], chances: Sequence[float]) -> Figures:
    """How good these expectations were."""
    decided = [(score, p) for (_, _, score), p in zip(games, chances, strict=True) if score != 0.5]
    right = mean(0.5 if p == 0.5 else float((p > 0.5) == (score > 0.5)) for score, p in decided)
    return mean(loss(score, p) for (_, _, score), p in zip(games, chances, strict=True)), right


def held_back(a_year: Year) -> list[Game]:
    """The games of the last fifth."""
    return [game for games in a_year.events[-HELD_BACK:] for game in games]


def tried(rates: Callable[[Events], Expect], a_year: Year) -> Figures:
    """How well a library predicts the last fifth of a year from what is before."""
    expect = rates(a_year.events[:-HELD_BACK])
    return judged(held_back(a_year), [expect(a, b) for a, b, _ in held_back(a_year)])


def rivals() -> Iterator[tuple[str, Callable[..., Expect], list[dict[str, Any]]]]:
    """What is compared, each with the parameters that it may choose from."""
    yield "constant 1/2", constant, []
    yield "Elo, K 32", elo, [{"k": k} for k in (16, 24, 32, 40, 48, 64)]
    luck = (0.75, 1, 1.25, 1.5)
    for model in (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull):
        choices = [{"luck": number, "says": says} for number, says in product(luck, (None, 1.0))]
        yield f"openskill {model.__name__}", partial(openskill, model=model), choices
    if find_spec("glicko2"):
        choices = [{"deviation": d, "volatility": v} for d, v in product((150, 200, 250, 300), (0.03, 0.06))]
        yield "glicko2", glicko2, choices
    if find_spec("trueskill"):
        yield "trueskill", trueskill, [{"luck": one} for one in luck]
    yield "as Overseer's pages", overseer, []


def shown(name: str, found: Sequence[Sequence[Figures]]) -> None:
    """Print the means for each spread of strengths, and the doubt about the loss."""
    cells = (
        f"{mean(row[0] for row in years):.4f} ±{stdev(a_year[0] for a_year in years) / math.sqrt(len(years)):.4f}"
        f" {mean(row[1] for row in years):6.1%}"
        for years in found
    )  # fmt: skip
    print(f"{name:<52}", *cells, sep="  ", flush=True)


def held(a_year: Year) -> float:
    """The share of people whose hidden strength is in the 95 % interval that the pages show at the year's end."""
    ratings = {name: rating for (name, _), rating in rated(a_year.events).items()}
    middle = mean(rating.value - a_year.strength[name] for name, rating in ratings.items())
    return mean(rating.low <= a_year.strength[name] + middle <= rating.high for name, rating in ratings.items())


def opted(a_year: Year, share: float, way: str) -> Figures:
    """Predict games among people in a ranking, a share of all, by one ``way`` of counting games against others.

    Games between two people outside the ranking are left out, unless all are counted as if they were in it.
    """
    dice = Random(1)
    inside = {name for games in a_year.events for a, b, _ in games for name in (a, b)}
    inside = {name for name in sorted(inside) if dice.random() < share}

    def named(number: int, name: str) -> str:
        return name if name in inside or way == "as if all were in it" else f"{name} at {number}"

    learned = [
        [
            (named(number, a), named(number, b), score) for a, b, score in games
            if way == "as if all were in it" or {a, b} <= inside or ({a, b} & inside and way != "not counted")
        ]
        for number, games in enumerate(a_year.events[:-HELD_BACK])
    ]  # fmt: skip
    games = [game for game in held_back(a_year) if {*game[:2]} <= inside]
    expect = overseer(learned)
    return judged(games, [expect(a, b) for a, b, _ in games])


def main() -> None:
    """Compare, and print the table."""
    learned = [[year(seed, spread) for seed in LEARNED] for spread in SPREADS]
    years = [[year(seed, spread) for seed in JUDGED] for spread in SPREADS]
    games = [sum(len(games) for games in a_year.events) for of in years for a_year in of]
    print(
        f"{len(games)} years, {mean(games):.0f} games in each, strengths {SPREADS}: loss, its standard error, guesses"
    )
    for name, rates, choices in rivals():
        shown(name, [[tried(rates, a_year) for a_year in of] for of in years])
        if choices:
            best = min(
                choices,
                key=lambda some: mean(tried(partial(rates, **some), a_year)[0] for of in learned for a_year in of),
            )
            said = ", ".join(f"{key} {value}" for key, value in best.items())
            shown(
                f"  best of {len(choices)}: {said}",
                [[tried(partial(rates, **best), a_year) for a_year in of] for of in years],
            )
    shown(
        "the hidden strengths themselves", [[judged(held_back(a_year), a_year.truth) for a_year in of] for of in years]
    )
    for share, way in product((0.3, 0.6), ("not counted", "new in each event", "as if all were in it")):
        shown(
            f"{share:.0%} in the ranking, others {way}", [[opted(a_year, share, way) for a_year in of] for of in years]
        )
    print("hidden strengths within the 95 % interval", *(f"{mean(map(held, of)):.1%}" for of in years))


if __name__ == "__main__":
    main()
