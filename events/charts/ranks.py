"""The rank chart: every player's place after each round."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from events.charts.drawing import WIDE, Chart, compact, figure_words, frame, label, ordinal, said, tag
from events.charts.lines import MOST, NAMES, TOP, ChartLine, across, drawn, grid, spread
from languages.words import gettext, labelled, listed, ngettext

PIP = 20.0
"""The height of a rank on a line."""
ALL, STEP, BAND = 16, 22.0, 84.0
"""Up to ALL players are all drawn, each STEP high; of more, the first MOST, and the places below share a BAND."""


def rank_chart(
    prefix: str, lines: Sequence[ChartLine], picked: Sequence[int] = (), *, final: bool = False
) -> Chart | None:
    """Ranks after each round with up to three lines picked, by position; None before the second round.

    ``lines`` holds every player, because places are counted among them. With ``final``, no round follows.
    """
    if not lines or len(lines[0].values) < 2 or all(line.last is None for line in lines):
        return None
    columns = len(lines[0].values)
    end = sorted(range(len(lines)), key=lambda i: (lines[i].last is None, lines[i].last or 0, i))
    climber = _climber(lines)
    named = [i for i in end[:1] if i not in picked] + [i for i in [climber] if i is not None]
    bold = list(dict.fromkeys([*picked[:1], *named, *picked[1:], *end[:3]]))[:3]
    shown = end if len(lines) <= ALL else [i for at, i in enumerate(end) if at < MOST or i in bold]
    heights = _heights(lines, end)
    ends = {i: heights[i].get(columns - 1, _height(end.index(i), len(lines))) for i in shown}
    ends = spread(ends, 19)
    bottom = max(y for i in shown for y in (ends[i], *heights[i].values()))
    parts = grid(columns, bottom, gettext("Rank after round"))
    if len(lines) > ALL:
        rule = compact(TOP + MOST * STEP - 6)
        parts.append(tag("path", class_="axis", d=f"M4 {rule}H{compact(NAMES - 6)}"))
    for i in [*(i for i in reversed(shown) if i not in bold), *reversed(bold)]:
        parts += drawn(lines[i], heights[i], bold.index(i) if i in bold else None, ends[i])
    taken: dict[int, list[float]] = {}
    for i in bold:
        parts += _pips(lines[i], heights[i], taken)
    sentence = rank_finding(lines, final=final)
    about = " ".join(labelled(lines[i].name, f"{', '.join(x or '–' for x in lines[i].shown)}.") for i in bold)
    svg = frame(prefix, (WIDE, bottom + 20), sentence, gettext("Ranks after each round.") + f" {about}", parts)
    heads = (gettext("Player"), *(gettext("Round %(number)s", number=column + 1) for column in range(columns)))
    return Chart(prefix, sentence, svg, heads, tuple((lines[i].name, *lines[i].shown) for i in end))


def _heights(lines: Sequence[ChartLine], end: Sequence[int]) -> Mapping[int, dict[int, float]]:
    """Each line's height by column; equal ranks stand one under the other, in the final order."""
    heights: dict[int, dict[int, float]] = {i: {} for i in end}
    for column in range(len(lines[0].values)):
        ranked = [i for i in end if lines[i].values[column] is not None]
        for slot, i in enumerate(sorted(ranked, key=lambda i: lines[i].values[column] or 0)):
            heights[i][column] = _height(slot, len(lines))
    return heights


def _height(slot: int, field: int) -> float:
    if field <= ALL or slot < MOST:
        return TOP + slot * STEP
    return TOP + MOST * STEP + 8 + (slot - MOST) / max(1, field - MOST - 1) * BAND


def _pips(line: ChartLine, heights: Mapping[int, float], taken: dict[int, list[float]]) -> list[Markup]:
    """The rank on each point of a picked line, where there is room beside and between those ``taken`` by column."""
    parts, columns = [], len(line.values)
    for column, y in heights.items():
        text, x = figure_words(line.values[column]), across(column, columns)
        wide = max(20.0, 8.0 * len(text) + 8)
        if across(1, columns) - across(0, columns) < wide + 2 and min(heights) < column < max(heights):
            continue
        if any(abs(y - other) < PIP for other in taken.get(column, ())):
            continue
        taken.setdefault(column, []).append(y)
        parts.append(tag("rect", class_="pip-plate", x=x - wide / 2, y=y - 10, width=wide, height=20, rx=10))
        parts.append(label(text, x, y + 4.6, "pip-figure", "middle"))
    return parts


def rank_finding(lines: Sequence[ChartLine], *, final: bool) -> str:
    first = [line for line in lines if line.last == 1]
    rounds = len(lines[0].values)
    if len(first) == 1:
        alone = [[line for line in lines if line.values[column] == 1] == first for column in range(rounds)]
        text = _led(first[0], rounds - alone[::-1].index(False) if False in alone else 0, rounds, final)
    elif not first:
        text = gettext("No one is first")
    elif len(first) < 4:
        text = gettext("%(names)s share first place", names=listed([said(line.name) for line in first]))
    else:
        text = ngettext("%(num)s player has first place", "%(num)s players share first place", len(first))
    climber = _climber(lines)
    if climber is None:
        return f"{text}."
    best = lines[climber]
    return gettext(
        "%(found)s; %(name)s climbed from %(first)s to %(last)s.",
        found=text,
        name=said(best.name),
        first=ordinal(int(best.values[0] or 0)),
        last=ordinal(int(best.last or 0)),
    )


def _climber(lines: Sequence[ChartLine]) -> int | None:
    """Who alone climbed most, by two ranks or more, without coming first."""
    rises = {i: x.values[0] - x.last for i, x in enumerate(lines) if x.values[0] and x.last and x.last > 1}
    most = max(rises.values(), default=0)
    best = [i for i, rise in rises.items() if rise == most]
    return best[0] if most > 1 and len(best) == 1 else None


def _led(line: ChartLine, start: int, rounds: int, final: bool) -> str:
    name = said(line.name)
    if start == rounds - 1:
        if final:
            return gettext("%(name)s took the lead in the last round", name=name)
        return gettext("%(name)s took the lead in round %(number)s", name=name, number=rounds)
    if not final:
        return gettext("%(name)s has led since round %(number)s", name=name, number=start + 1)
    if start:
        return gettext("%(name)s led from round %(number)s to the end", name=name, number=start + 1)
    return gettext("%(name)s led from the first round to the last", name=name)
