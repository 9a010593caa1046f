"""The charts of a tally, and where nothing can be said. Figures in, charts out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from events.charts.drawing import Chart, faction_mark, figure_words, said
from events.charts.rates import UNSAID, Bar, Rate, bars_chart, percent, rates_chart
from events.charts.shares import Share, donut
from events.standings.statistics_figures import LEAST, Key, Tally, wilson
from languages.words import N_, capital, gettext, ngettext, pgettext
from validators import FACTIONS
from validators.game_system import GameSystem

TIME_LEFT = (
    (31, N_("More than 30 minutes before the end")),
    (16, N_("16 to 30 minutes before")),
    (0, N_("0 to 15 minutes before")),
    (-15, N_("Up to 15 minutes after")),
    (None, N_("Later")),
)
"""The least minutes left of each row."""
OVER = N_("Over the size")
"""A row that is shown only if there is something in it."""
POINTS_LEFT = (
    (51, N_("More than 50")),
    (26, N_("26 to 50")),
    (11, N_("11 to 25")),
    (6, N_("6 to 10")),
    (1, N_("1 to 5")),
    (0, N_("None")),
    (None, OVER),
)
GAPS = (
    (2.01, N_("More than two wins apart")),
    (1.01, N_("Up to two wins apart")),
    (0.01, N_("Up to one win apart")),
    (None, N_("On equal points")),
)
Bins = Sequence[tuple[float | None, str]]


@dataclass(frozen=True)
class Section:
    title: str
    charts: tuple[Chart, ...]


def share_heads() -> tuple[str, str]:
    return pgettext("figure", "Share"), gettext("95 % interval")


def sections(tally: Tally, system: GameSystem, names: Mapping[str, str]) -> list[Section]:
    """Everything that can be said of a tally of many events; ``names`` are those of scenarios by id."""
    rows = (
        (
            gettext("%(factions)s and scenarios", factions=capital(system.words.factions)),
            (
                faction_rates(tally, system),
                vp_bars(tally, system, names),
                cell_rates(tally, system, names),
                side_rates(tally, names),
            ),
        ),
        (
            capital(system.words.forces),
            (chosen_bars(tally, "model", system), chosen_bars(tally, "item", system), left_bars(tally, system)),
        ),
        (gettext("Rounds"), (report_bars(tally), length_bars(tally), gap_bars(tally))),
    )
    drawn = (Section(title, tuple(chart for chart in charts if chart)) for title, charts in rows)
    return [section for section in drawn if section.charts]


def fielded(tally: Tally, system: GameSystem) -> list[Section]:
    """What was fielded at one event: its games are too few to say how anything did."""
    counted = [Share(name, number, faction_mark(FACTIONS, name)) for name, number in tally.players.items()]
    of_lists = (chosen_bars(tally, kind, system, of_one=True) for kind in ("model", "item"))
    drawn = tuple(chart for chart in (donut("factions", counted), *of_lists) if chart)
    return [Section(gettext("Fielded"), drawn)] if drawn else []


def _rate(tally: Tally, key: Key, name: str, system: GameSystem | None = None, players: int | None = None) -> Rate:
    games, wins, draws = (counter[key] for counter in (tally.games, tally.wins, tally.draws))
    points = wins + draws / 2
    value = points / games if games >= LEAST else None
    mark = faction_mark(FACTIONS, key[0]) if system else None
    counted = (*(() if players is None else (players,)), wins, draws, games - wins - draws)
    return Rate(name, games, value, *wilson(points, games), counted=counted, mark=mark)


def faction_rates(tally: Tally, system: GameSystem) -> Chart | None:
    rates = [_rate(tally, (name, "", ""), name, system, players) for name, players in tally.players.items()]
    heads = (
        capital(system.words.faction),
        gettext("Players"),
        gettext("Wins"),
        gettext("Draws"),
        gettext("Losses"),
    )
    return rates_chart("rates", heads, rates)


def cell_rates(tally: Tally, system: GameSystem, names: Mapping[str, str]) -> Chart | None:
    """How each faction does in each scenario, and on each side where a scenario has sides."""
    keys = [key for key in tally.games if key[0] and key[1]]
    rates = [_rate(tally, key, f"{key[0]}, {_place(key, names)}", system) for key in keys]
    head = gettext("%(faction)s in a scenario", faction=capital(system.words.faction))
    return rates_chart("by-scenario", (head, gettext("Wins"), gettext("Draws"), gettext("Losses")), rates)


def side_rates(tally: Tally, names: Mapping[str, str]) -> Chart | None:
    rates = [_rate(tally, key, _place(key, names)) for key in tally.games if not key[0]]
    heads = (gettext("Side of a scenario"), gettext("Wins"), gettext("Draws"), gettext("Losses"))
    return rates_chart("sides", heads, rates)


def _place(key: Key, names: Mapping[str, str]) -> str:
    scenario = names.get(key[1], key[1])
    return gettext("%(scenario)s as %(side)s", scenario=scenario, side=key[2]) if key[2] else scenario


def vp_bars(tally: Tally, system: GameSystem, names: Mapping[str, str]) -> Chart | None:
    """The mean VP of winners and losers by scenario, the closest first; each on its own scale if they differ."""
    bars = []
    for scenario, kind, _ in tally.vp:
        games = tally.vp[scenario, "games", ""]
        if kind == "games" and games >= LEAST:
            won, lost = (tally.vp[scenario, name, ""] / games for name in ("won", "lost"))
            scale, part = 1 if system.scoring.one_scale else won or 1, lost / won if won else 1
            bar = Bar(names.get(scenario, scenario), won / scale, figure_words(won), lost / scale, figure_words(lost))
            bars.append((part, bar, (str(games), figure_words(won), figure_words(lost), percent(part))))
    bars.sort(key=lambda row: (-row[0], row[1].name))
    if not bars:
        return None
    _, first, (_, won_by, lost_by, part_of) = bars[0]
    words = N_("Mean result: %(name)s, %(won)s to %(lost)s VP; losers score %(part)s of the winners’.")
    if len(bars) > 1:
        words = N_("Closest scenario: %(name)s, %(won)s to %(lost)s VP; losers score %(part)s of the winners’.")
    sentence = gettext(words, name=said(first.name), won=won_by, lost=lost_by, part=part_of)
    heads = (
        gettext("Scenario"), gettext("Games"), gettext("Winner’s VP"), gettext("Loser’s VP"), gettext("Loser’s part"),
    )  # fmt: skip
    keys = gettext("Winner, mean VP"), gettext("Loser, mean VP")
    return bars_chart("vp", heads, [(bar, cells) for _, bar, cells in bars], sentence, keys=keys)


def chosen_bars(tally: Tally, kind: str, system: GameSystem, *, of_one: bool = False) -> Chart | None:
    """The models or items on the most lists; for the lists of one event without games and shares."""
    lists, forces = tally.totals["lists"], system.words.forces
    if tally.totals["list_games"] < LEAST and not of_one:
        return None
    named = [(name, number) for (of, name), number in tally.chosen.items() if of == kind]
    bars = []
    for name, number in sorted(named, key=lambda row: (-row[1], row[0])):
        games = tally.chosen_games[kind, name]
        shown = _share(number, lists) if games >= LEAST else (UNSAID, UNSAID)
        cells = (str(number),) if of_one else (str(number), str(games), *shown)
        bars.append((Bar(name, float(number), _of(number, lists)), cells))
    if not bars:
        return None
    first, number = bars[0][0], int(bars[0][0].value)
    words = N_("%(name)s is in %(n)s of %(all)s %(forces)s.")
    if len(bars) > 1 and bars[1][0].value == number:
        words = N_("No model is in more than %(n)s of %(all)s %(forces)s.")
        if kind == "item":
            words = N_("No equipment or skill is in more than %(n)s of %(all)s %(forces)s.")
    sentence = gettext(words, name=said(first.name), n=number, all=lists, forces=forces)
    head = gettext("Model") if kind == "model" else gettext("Equipment and skills")
    more = () if of_one else (gettext("Games"), *share_heads())
    return bars_chart(f"{kind}s", (head, capital(forces), *more), bars, sentence, whole=lists)


def left_bars(tally: Tally, system: GameSystem) -> Chart | None:
    """What lists leave of the event's size."""
    lists, unit = tally.totals["lists"], system.unit
    if tally.totals["list_games"] < LEAST:
        return None
    none = sum(number for left, number in tally.left.items() if left <= 0)
    sentence = gettext(
        "%(n)s of %(all)s %(forces)s leave no %(unit)s; the most that is left is %(most)s.",
        n=none,
        all=lists,
        forces=system.words.forces,
        unit=unit,
        most=max(tally.left),
    )
    heads = gettext("%(unit)s left", unit=unit), capital(system.words.forces)
    return _binned("left", heads, POINTS_LEFT, tally.left, sentence)


def report_bars(tally: Tally) -> Chart | None:
    """How long before the end of the round's time players first reported their game."""
    games = tally.reports.total()
    if games < LEAST:
        return None
    early = sum(number for left, number in tally.reports.items() if left >= 0)
    share, interval = _share(early, games)
    sentence = ngettext(
        "%(n)s of %(all)s game was reported within the round’s time: %(share)s (%(interval)s).",
        "%(n)s of %(all)s games were reported within the round’s time: %(share)s (%(interval)s).",
        games,
        n=early,
        all=games,
        share=share,
        interval=interval,
    )
    return _binned("reports", (gettext("First report"), gettext("Games")), TIME_LEFT, tally.reports, sentence)


def length_bars(tally: Tally) -> Chart | None:
    """How long before the end of their time rounds ended."""
    rounds = tally.rounds.total()
    if not rounds or tally.reports.total() < LEAST:
        return None
    left = Counter[int]()
    for (_, minutes), number in tally.rounds.items():
        left[minutes] += number
    in_time = sum(number for minutes, number in left.items() if minutes >= 0)
    middle = figure_words(float(median(taken for taken, _ in tally.rounds.elements())))
    sentence = ngettext(
        "Rounds within their time: %(n)s of %(all)s; half took %(minutes)s minute or less.",
        "Rounds within their time: %(n)s of %(all)s; half took %(minutes)s minutes or less.",
        1 if middle == "1" else 2,
        n=in_time,
        all=rounds,
        minutes=middle,
    )
    return _binned("lengths", (gettext("End of the round"), gettext("Rounds")), TIME_LEFT, left, sentence)


def gap_bars(tally: Tally) -> Chart | None:
    """How near in the standings the players of Swiss pairs were."""
    games = tally.gaps.total()
    if games < LEAST:
        return None
    down, again = games - tally.gaps[0.0], tally.totals["rematches"]
    share, interval = _share(games - down, games)
    rematches = ngettext("%(num)s rematch", "%(num)s rematches", again) if again else gettext("no rematch")
    sentence = ngettext(
        "%(share)s of %(all)s pair was on equal points (%(interval)s): %(down)s paired down, %(rematches)s.",
        "%(share)s of %(all)s pairs were on equal points (%(interval)s): %(down)s paired down, %(rematches)s.",
        games,
        share=share,
        all=games,
        interval=interval,
        down=down,
        rematches=rematches,
    )
    heads = gettext("Paired players"), gettext("Games")
    return _binned("pairs", heads, GAPS, tally.gaps, sentence, extra=(gettext("Rematches"), again))


def _binned(
    prefix: str, heads: tuple[str, str], bins: Bins, counted: Mapping[float, int] | Mapping[int, int], sentence: str,
    *, extra: tuple[str, int] | None = None,
) -> Chart | None:  # fmt: skip
    """How many of what was counted are in each of these bins, each with its share."""
    texts = Counter[str]()
    for value, number in counted.items():
        texts[next(name for least, name in bins if least is None or value >= least)] += number
    said_as = {name: gettext(name) for _, name in bins}
    whole = texts.total()
    rows = [(name, texts[name]) for _, name in bins if texts[name] or name != OVER]
    bars = [
        (Bar(said_as.get(name, name), float(number), _of(number, whole)), (str(number), *_share(number, whole)))
        for name, number in (*rows, *([extra] if extra else ()))
    ]
    return bars_chart(prefix, (*heads, *share_heads()), bars, sentence, whole=whole)


def _of(number: int, whole: int) -> str:
    return f"{number} · {percent(number / whole)}"


def _share(number: int, whole: int) -> tuple[str, str]:
    low, high = wilson(number, whole)
    return percent(number / whole), f"{round(low * 100)}–{percent(high)}"
