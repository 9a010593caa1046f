"""The rank chart: every player's place after each round."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from events.charts.drawing import WIDE, Chart, compact, frame, label, ordinal, said, tag
from events.charts.lines import MOST, NAMES, TOP, Line, across, drawn, grid, spread
from validators.names import listed

ALL, STEP, BAND = 16, 22.0, 84.0
"""Up to ALL players are all drawn, each STEP high; of more, the first MOST, and the places below share a BAND."""


def rank_chart(prefix: str, lines: Sequence[Line], picked: Sequence[int] = (), *, final: bool = False) -> Chart | None:
    """Ranks after each round with up to three lines picked, by position; None before the second round.

    ``lines`` holds every player, because places are counted among them. With ``final``, no round follows.
    """
    if not lines or len(lines[0].values) < 2 or all(line.last is None for line in lines):
        return None
    columns = len(lines[0].values)
    end = sorted(range(len(lines)), key=lambda i: (lines[i].last is None, lines[i].last or 0, i))
    bold = list(dict.fromkeys([*picked, *end[:3]]))[:3]
    shown = end if len(lines) <= ALL else [i for at, i in enumerate(end) if at < MOST or i in bold]
    heights = _heights(lines, end)
    ends = {i: heights[i].get(columns - 1, _height(end.index(i), len(lines))) for i in shown}
    ends = spread(ends, 19)
    bottom = max(y for i in shown for y in (ends[i], *heights[i].values()))
    parts = grid(columns, bottom, "Rank after round")
    if len(lines) > ALL:
        rule = compact(TOP + MOST * STEP - 6)
        parts.append(tag("path", class_="axis", d=f"M4 {rule}H{compact(NAMES - 6)}"))
    for i in [*(i for i in reversed(shown) if i not in bold), *reversed(bold)]:
        parts += drawn(lines[i], heights[i], bold.index(i) if i in bold else None, ends[i])
        parts += _pips(lines[i], heights[i]) if i in bold else []
    sentence = rank_finding(lines, final=final)
    about = " ".join(f"{lines[i].name}: {', '.join(x or '–' for x in lines[i].shown)}." for i in bold)
    svg = frame(prefix, (WIDE, bottom + 20), sentence, f"Ranks after each round. {about}", parts)
    heads = ("Player", *(f"Round {column + 1}" for column in range(columns)))
    return Chart(prefix, sentence, svg, heads, tuple((lines[i].name, *lines[i].shown) for i in end))


def _heights(lines: Sequence[Line], end: Sequence[int]) -> Mapping[int, dict[int, float]]:
    """Each line's height by column; equal ranks stand one under the other, in the final order."""
    found: dict[int, dict[int, float]] = {i: {} for i in end}
    for column in range(len(lines[0].values)):
        ranked = [i for i in end if lines[i].values[column] is not None]
        for slot, i in enumerate(sorted(ranked, key=lambda i: lines[i].values[column] or 0)):
            found[i][column] = _height(slot, len(lines))
    return found


def _height(slot: int, field: int) -> float:
    if field <= ALL or slot < MOST:
        return TOP + slot * STEP
    return TOP + MOST * STEP + 8 + (slot - MOST) / max(1, field - MOST - 1) * BAND


def _pips(line: Line, heights: Mapping[int, float]) -> list[Markup]:
    """The rank on each point of a picked line, where there is room for it."""
    parts, columns = [], len(line.values)
    for column, y in heights.items():
        text, x = compact(line.values[column]), across(column, columns)
        wide = max(20.0, 8.0 * len(text) + 8)
        if across(1, columns) - across(0, columns) < wide + 2 and min(heights) < column < max(heights):
            continue
        parts.append(tag("rect", class_="pip-plate", x=x - wide / 2, y=y - 10, width=wide, height=20, rx=10))
        parts.append(label(text, x, y + 4.6, "pip-figure", "middle"))
    return parts


def rank_finding(lines: Sequence[Line], *, final: bool) -> str:
    """Who leads, since when, and who climbed most."""
    first = [line for line in lines if line.last == 1]
    rounds = len(lines[0].values)
    if len(first) == 1:
        alone = [[line for line in lines if line.values[column] == 1] == first for column in range(rounds)]
        found = said(first[0].name) + _led(rounds - alone[::-1].index(False) if False in alone else 0, rounds, final)
    elif len(first) < 4:
        found = (
            f"{listed([said(line.name) for line in first], 'and')} share first place" if first else "No one is first"
        )
    else:
        found = f"{len(first)} players share first place"
    rises = [(line.values[0] - line.last, line) for line in lines if line.values[0] and line.last and line.last > 1]
    most = max((rise for rise, _ in rises), default=0)
    best = [line for rise, line in rises if rise == most]
    if most < 2 or len(best) > 1:
        return f"{found}."
    climb = f"{ordinal(int(best[0].values[0] or 0))} to {ordinal(int(best[0].last or 0))}"
    return f"{found}; {said(best[0].name)} climbed from {climb}."


def _led(start: int, rounds: int, final: bool) -> str:
    if start == rounds - 1:
        return f" took the lead in {'the last round' if final else f'round {rounds}'}"
    if not final:
        return f" has led since round {start + 1}"
    return f" led from round {start + 1} to the end" if start else " led from the first round to the last"
