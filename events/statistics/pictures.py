"""The charts of a tally, and where nothing can be said. Figures in, charts out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from events.charts.drawing import Chart, compact, faction_mark, said
from events.charts.rates import UNSAID, Bar, Rate, bars_chart, percent, rates_chart
from events.statistics.figures import LEAST, Key, Tally, wilson
from validators import FACTIONS
from validators.game_system import GameSystem

SHARE = ("Share", "95 % interval")
TIME_LEFT = (
    (31, "More than 30 minutes before the end"), (16, "16 to 30 minutes before"), (0, "0 to 15 minutes before"),
    (-15, "Up to 15 minutes after"), (None, "Later"),
)  # fmt: skip
"""The least minutes left of each row."""
OVER = "Over the size"
"""A row that is shown only if there is something in it."""
POINTS_LEFT = ((51, "More than 50"), (26, "26 to 50"), (11, "11 to 25"), (6, "6 to 10"), (1, "1 to 5"), (0, "None"),
               (None, OVER))  # fmt: skip
GAPS = ((2.01, "More than two wins apart"), (1.01, "Up to two wins apart"), (0.01, "Up to one win apart"),
        (None, "On equal points"))  # fmt: skip
Bins = Sequence[tuple[float | None, str]]


@dataclass(frozen=True)
class Section:
    """Some charts under a heading."""

    title: str
    charts: tuple[Chart, ...]


def sections(tally: Tally, system: GameSystem, names: Mapping[str, str]) -> list[Section]:
    """Everything that can be said of a tally; ``names`` are those of scenarios by id."""
    found = (
        (
            f"{system.words.factions.capitalize()} and scenarios",
            (
                faction_rates(tally, system),
                vp_bars(tally, system, names),
                cell_rates(tally, system, names),
                side_rates(tally, names),
            ),
        ),
        (
            system.words.forces.capitalize(),
            (chosen_bars(tally, "model", system), chosen_bars(tally, "item", system), left_bars(tally, system)),
        ),
        ("Rounds", (report_bars(tally), length_bars(tally), gap_bars(tally))),
    )
    drawn = (Section(title, tuple(chart for chart in charts if chart)) for title, charts in found)
    return [section for section in drawn if section.charts]


def _rate(tally: Tally, key: Key, name: str, system: GameSystem | None = None, players: int | None = None) -> Rate:
    games, wins, draws = (one[key] for one in (tally.games, tally.wins, tally.draws))
    points = wins + draws / 2
    value = points / games if games >= LEAST else None
    mark = faction_mark(FACTIONS, key[0]) if system else None
    counted = (*(() if players is None else (players,)), wins, draws, games - wins - draws)
    return Rate(name, games, value, *wilson(points, games), counted=counted, mark=mark)


def faction_rates(tally: Tally, system: GameSystem) -> Chart | None:
    """How each faction does against the others."""
    rates = [_rate(tally, (name, "", ""), name, system, players) for name, players in tally.players.items()]
    return rates_chart("rates", (system.words.faction.capitalize(), "Players", "Wins", "Draws", "Losses"), rates)


def cell_rates(tally: Tally, system: GameSystem, names: Mapping[str, str]) -> Chart | None:
    """How each faction does in each scenario, and on each side where a scenario has sides."""
    keys = [key for key in tally.games if key[0] and key[1]]
    rates = [_rate(tally, key, f"{key[0]}, {_place(key, names)}", system) for key in keys]
    head = f"{system.words.faction.capitalize()} in a scenario"
    return rates_chart("by-scenario", (head, "Wins", "Draws", "Losses"), rates)


def side_rates(tally: Tally, names: Mapping[str, str]) -> Chart | None:
    """How each side of a scenario does."""
    rates = [_rate(tally, key, _place(key, names)) for key in tally.games if not key[0]]
    return rates_chart("sides", ("Side of a scenario", "Wins", "Draws", "Losses"), rates)


def _place(key: Key, names: Mapping[str, str]) -> str:
    scenario = names.get(key[1], key[1])
    return f"{scenario} as {key[2]}" if key[2] else scenario


def vp_bars(tally: Tally, system: GameSystem, names: Mapping[str, str]) -> Chart | None:
    """The mean VP of winners and losers by scenario, the closest first; each on its own scale if they differ."""
    bars = []
    for scenario, kind, _ in tally.vp:
        games = tally.vp[scenario, "games", ""]
        if kind == "games" and games >= LEAST:
            won, lost = (tally.vp[scenario, one, ""] / games for one in ("won", "lost"))
            scale, part = 1 if system.scoring.one_scale else won or 1, lost / won if won else 1
            bar = Bar(names.get(scenario, scenario), won / scale, compact(won), lost / scale, compact(lost))
            bars.append((part, bar, (str(games), compact(won), compact(lost), percent(part))))
    bars.sort(key=lambda one: (-one[0], one[1].name))
    if not bars:
        return None
    _, first, (_, won_by, lost_by, part_of) = bars[0]
    start = "Closest scenario" if len(bars) > 1 else "Mean result"
    sentence = f"{start}: {said(first.name)}, {won_by} to {lost_by} VP; losers score {part_of} of the winners’."
    heads = ("Scenario", "Games", "Winner’s VP", "Loser’s VP", "Loser’s part")
    return bars_chart(
        "vp", heads, [(bar, cells) for _, bar, cells in bars], sentence, keys=("Winner, mean VP", "Loser, mean VP")
    )


def chosen_bars(tally: Tally, kind: str, system: GameSystem) -> Chart | None:
    """The models or items on the most lists."""
    lists, forces = tally.totals["lists"], system.words.forces
    if tally.totals["list_games"] < LEAST:
        return None
    named = [(name, number) for (of, name), number in tally.chosen.items() if of == kind]
    bars = []
    for name, number in sorted(named, key=lambda one: (-one[1], one[0])):
        games = tally.chosen_games[kind, name]
        shown = _share(number, lists) if games >= LEAST else (UNSAID, UNSAID)
        bars.append((Bar(name, float(number), _of(number, lists)), (str(number), str(games), *shown)))
    if not bars:
        return None
    first, number = bars[0][0], int(bars[0][0].value)
    sentence = f"{said(first.name)} is in {number} of {lists} {forces}."
    heads = ("Model" if kind == "model" else "Equipment and skills", forces.capitalize(), "Games", *SHARE)
    return bars_chart(f"{kind}s", heads, bars, sentence)


def left_bars(tally: Tally, system: GameSystem) -> Chart | None:
    """What lists leave of the event's size."""
    lists, unit = tally.totals["lists"], system.unit
    if tally.totals["list_games"] < LEAST:
        return None
    none = sum(number for left, number in tally.left.items() if left <= 0)
    sentence = f"{none} of {lists} {system.words.forces} leave no {unit}; the most that is left is {max(tally.left)}."
    return _binned("left", (f"{unit} left", system.words.forces.capitalize()), POINTS_LEFT, tally.left, sentence)


def report_bars(tally: Tally) -> Chart | None:
    """How long before the end of the round's time players first reported their game."""
    games = tally.reports.total()
    if games < LEAST:
        return None
    early = sum(number for left, number in tally.reports.items() if left >= 0)
    share, interval = _share(early, games)
    sentence = f"{early} of {games} games were reported within the round’s time: {share} ({interval})."
    return _binned("reports", ("First report", "Games"), TIME_LEFT, tally.reports, sentence)


def length_bars(tally: Tally) -> Chart | None:
    """How long before the end of their time rounds ended."""
    rounds = tally.rounds.total()
    if not rounds or tally.reports.total() < LEAST:
        return None
    left = Counter[int]()
    for (_, minutes), number in tally.rounds.items():
        left[minutes] += number
    in_time = sum(number for minutes, number in left.items() if minutes >= 0)
    middle = compact(float(median(taken for taken, _ in tally.rounds.elements())))
    unit = "minute" if middle == "1" else "minutes"
    sentence = f"Rounds within their time: {in_time} of {rounds}; half took {middle} {unit} or less."
    return _binned("lengths", ("End of the round", "Rounds"), TIME_LEFT, left, sentence)


def gap_bars(tally: Tally) -> Chart | None:
    """How near in the standings the players of Swiss pairs were."""
    games = tally.gaps.total()
    if games < LEAST:
        return None
    down, again = games - tally.gaps[0.0], tally.totals["rematches"]
    share, interval = _share(games - down, games)
    rematches = "no rematch" if not again else "1 rematch" if again == 1 else f"{again} rematches"
    sentence = f"{share} of {games} pairs were on equal points ({interval}): {down} paired down, {rematches}."
    return _binned("pairs", ("Paired players", "Games"), GAPS, tally.gaps, sentence, extra=("Rematches", again))


def _binned(
    prefix: str, heads: tuple[str, str], bins: Bins, counted: Mapping[float, int] | Mapping[int, int], sentence: str,
    *, extra: tuple[str, int] | None = None,
) -> Chart | None:  # fmt: skip
    """How many of what was counted are in each of these bins, each with its share."""
    found = Counter[str]()
    for value, number in counted.items():
        found[next(name for least, name in bins if least is None or value >= least)] += number
    whole = found.total()
    rows = [(name, found[name]) for _, name in bins if found[name] or name != OVER]
    bars = [
        (Bar(name, float(number), _of(number, whole)), (str(number), *_share(number, whole)))
        for name, number in (*rows, *([extra] if extra else ()))
    ]
    return bars_chart(prefix, (*heads, *SHARE), bars, sentence)


def _of(number: int, whole: int) -> str:
    return f"{number} · {percent(number / whole)}"


def _share(number: int, whole: int) -> tuple[str, str]:
    low, high = wilson(number, whole)
    return percent(number / whole), f"{round(low * 100)}–{percent(high)}"
