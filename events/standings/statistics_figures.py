"""What games, lists and rounds add up to, and how sure a rate is. Data in, figures out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from math import sqrt

LEAST = 10
"""The fewest games about which anything is said."""
Z = 1.959963984540054
"""The deviation on either side that has 95 % of a normal distribution within it."""
Key = tuple[str, str, str]
"""A faction, a scenario and a side of it; "" is all of them."""
Thing = tuple[str, str]
"""Something that a list can have: "model" or "item", and its name."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game that was played and confirmed."""

    a: int
    b: int
    scenario: str
    worth: int
    """The result in halves of a win of player A: 2, 1 for a draw, 0."""
    sides: tuple[str, str] = ("", "")
    """The scenario's roles of A and B, if it has any."""
    vp: tuple[int, int] | None = None
    """Those of A and B, if they are known."""
    gap: float | None = None
    """How far apart in wins the standings had both when they were paired; None where points did not pair them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A list that everybody may read."""

    player: int
    left: int
    """What it leaves of the event's size; below 0 if it costs more."""
    things: frozenset[Thing]


@dataclass(frozen=True)
class Timed:
    """How long a round took, and how long before the end of its time players reported, in minutes."""

    taken: int
    left: int
    """What was left of the round's time at its end; below 0 after it."""
    reports: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tally:
    """What one or more events add up to. All figures add, so that tallies of events make those of a club."""

    totals: Counter[str] = field(default_factory=Counter)
    """Of events, games, players, mirrors, lists, games of lists, paired games and rematches."""
    players: Counter[str] = field(default_factory=Counter)
    """Players by faction."""
    games: Counter[Key] = field(default_factory=Counter)
    """Games of one faction or side against another one."""
    wins: Counter[Key] = field(default_factory=Counter)
    draws: Counter[Key] = field(default_factory=Counter)
    chosen: Counter[Thing] = field(default_factory=Counter)
    """Lists by what is in them."""
    chosen_games: Counter[Thing] = field(default_factory=Counter)
    """Games of these lists."""
    left: Counter[int] = field(default_factory=Counter)
    vp: Counter[Key] = field(default_factory=Counter)
    """By scenario: games with known VP ("games"), and the VP of winners ("won") and of losers ("lost")."""
    rounds: Counter[tuple[int, int]] = field(default_factory=Counter)
    """Rounds by the minutes taken and left."""
    reports: Counter[int] = field(default_factory=Counter)
    gaps: Counter[float] = field(default_factory=Counter)

    @property
    def cache_bytes(self) -> int:
        return 500 + 200 * sum(len(getattr(self, figure.name)) for figure in fields(self))


def added(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        for figure in fields(Tally):
            getattr(total, figure.name).update(getattr(tally, figure.name))
    return total


def tally_event(
    games: Iterable[Played], factions: Mapping[int, str], lists: Iterable[Chosen], times: Iterable[Timed]
) -> Tally:
    """The figures of one event; ``games`` are in the order of rounds, ``factions`` those of players by id."""
    tally, met, played = Tally(Counter(events=1)), set[frozenset[int]](), Counter[int]()
    for game in games:
        tally.totals["games"] += 1
        played.update((game.a, game.b))
        _count_pair(tally, game, met)
        _count_result(tally, game, factions.get(game.a, ""), factions.get(game.b, ""))
    tally.totals["players"] = len(played)
    tally.players.update(faction for player in played if (faction := factions.get(player, "")))
    for chosen in lists:
        if chosen.player in played:
            _count_list(tally, chosen, played[chosen.player])
    for time in times:
        tally.rounds[time.taken, time.left] += 1
        tally.reports.update(time.reports)
    return tally


def _count_pair(tally: Tally, game: Played, met: set[frozenset[int]]) -> None:
    pair = frozenset((game.a, game.b))
    if game.gap is not None:
        tally.gaps[game.gap] += 1
        tally.totals["rematches"] += pair in met
    met.add(pair)


def _count_result(tally: Tally, game: Played, a: str, b: str) -> None:
    """A faction against itself says nothing about it."""
    of_a, of_b = game.sides
    mirror = bool(a) and a == b
    tally.totals["mirrors"] += mirror
    for faction, side, worth in ((a, of_a, game.worth), (b, of_b, 2 - game.worth)):
        keys: list[Key] = []
        if a and b and not mirror:
            keys = [(faction, "", ""), (faction, game.scenario, "")]
            keys += [(faction, game.scenario, side)] if side else []
        if side:
            keys.append(("", game.scenario, side))
        tally.games.update(keys)
        if worth:
            (tally.wins if worth == 2 else tally.draws).update(keys)
    if game.vp is not None:
        won, lost = game.vp if game.worth == 2 or (game.worth == 1 and game.vp[0] >= game.vp[1]) else game.vp[::-1]
        for kind, number in (("games", 1), ("won", won), ("lost", lost)):
            tally.vp[game.scenario, kind, ""] += number


def _count_list(tally: Tally, chosen: Chosen, games: int) -> None:
    tally.totals.update(lists=1, list_games=games)
    tally.left[chosen.left] += 1
    tally.chosen.update(chosen.things)
    tally.chosen_games.update(dict.fromkeys(chosen.things, games))


def wilson(points: float, number: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of ``points`` from ``number`` games; a draw is half a point.

    It treats each as won or lost; draws vary less, so with draws it is rather too wide.
    """
    if not number:
        return 0.0, 1.0
    share, square = points / number, Z * Z
    middle = (share + square / (2 * number)) / (1 + square / number)
    half = Z * sqrt(share * (1 - share) / number + square / (4 * number * number)) / (1 + square / number)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
