"""Charts are well-formed, safe, within their frame, and their sentences are true of the figures."""

import re
from itertools import combinations, pairwise
from xml.etree.ElementTree import Element, fromstring

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from events.charts.drawing import COUNTS, WIDE, Chart, Mark, compact, faction_mark, fitted, text_width
from events.charts.lines import ChartLine, points_chart, sparkline
from events.charts.picture import emblem, event_picture, initials
from events.charts.ranks import rank_chart
from events.charts.rates import Bar, Rate, bars_chart, rates_chart
from events.charts.ratings import Step, interval_mark, rating_chart
from events.charts.shares import Game, Share, dial, donut, vp_chart
from events.charts.territory import Land, territory
from validators import FACTIONS, SYSTEMS

NAMES = st.text(max_size=60)
POINTS = st.one_of(st.integers(0, 300), st.floats(0, 300, allow_nan=False))
MARKS = st.builds(Mark, st.integers(1, 8), st.integers(1, 8))
LANDS = st.builds(Land, NAMES, st.integers(0, 100), st.integers(0, 100), NAMES, st.none() | MARKS)
ID = re.compile(r"[a-z][a-z0-9-]*")
ALLOWED = {"svg", "title", "desc", "defs", "pattern", "path", "circle", "rect", "text", "g"}


@st.composite
def fields(draw: st.DrawFn, most: int = 30) -> list[ChartLine]:
    """Players with ranks by random scores, who may share a rank, enter late or leave early."""
    players, rounds = draw(st.integers(1, most)), draw(st.integers(1, 9))
    scores = [0] * players
    stays = [(draw(st.integers(0, 2)), draw(st.integers(1, 12))) for _ in range(players)]
    values: list[list[float | None]] = [[] for _ in range(players)]
    for number in range(rounds):
        here = [i for i, (start, end) in enumerate(stays) if start <= number <= end]
        for i in here:
            scores[i] += draw(st.integers(0, 3))
        for i, of in enumerate(values):
            of.append(1 + sum(scores[other] > scores[i] for other in here) if i in here else None)
    return [ChartLine(draw(NAMES), tuple(of)) for of in values]


def elements(svg: Markup) -> list[Element]:
    """The picture's elements. It is XML, without script and style, with known elements and its own references alone."""
    root = fromstring(svg)  # noqa: S314 (our own picture)
    found = list(root.iter())
    assert {an_element.tag for an_element in found} <= ALLOWED
    names = {name for an_element in found for name in an_element.attrib}
    assert not {name for name in names if name == "style" or name == "href" or name.startswith("on")}
    ids = [an_element.attrib["id"] for an_element in found if "id" in an_element.attrib]
    assert len(ids) == len(set(ids))
    assert all(ID.fullmatch(id_) for id_ in ids)
    for element in found:
        if element.get("fill"):
            assert element.attrib["fill"].removeprefix("url(#").removesuffix(")") in ids
    return found


def check(chart: Chart | None) -> None:
    """Everything that is true of each chart."""
    if chart is None:
        return
    root, *parts = elements(chart.svg)
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"].split() == [
        an_element.get("id") for an_element in parts if an_element.tag in ("title", "desc")
    ]
    assert chart.sentence[-1:] == "."
    for element in parts:
        if element.tag == "text":
            x, y, text = float(element.attrib["x"]), float(element.attrib["y"]), element.text or ""
            long = text_width(text) * {"middle": 0.5, "start": 1, "end": 0}[element.attrib["text-anchor"]]
            if element.attrib["class"] not in ("t-big", "t-mid"):
                assert x + long <= left + wide + 3, (text, x)
            assert top + 9 <= y <= top + high - 3, (text, y, high)
        if element.tag == "path" and (element.get("class") or "").startswith("bump"):
            figures = [float(x) for x in re.findall(r"[\d.]+", element.attrib["d"])]
            assert max(figures[::2]) <= wide
            assert max(figures[1::2]) <= high
    assert {len(row) for row in chart.rows} <= {len(chart.columns)}


@given(fields(), st.lists(st.integers(0, 9), max_size=4), st.booleans())
def test_rank_charts_hold_any_field(lines: list[ChartLine], picked: list[int], final: bool) -> None:
    check(rank_chart("a", lines, [i for i in picked if i < len(lines)], final=final))


@given(st.lists(st.tuples(NAMES, st.lists(POINTS, min_size=4, max_size=4)), min_size=1, max_size=20))
def test_points_charts_hold_any_season(rows: list[tuple[str, list[float]]]) -> None:
    check(points_chart("a", [ChartLine(name, tuple(values)) for name, values in rows]))


@given(NAMES, st.lists(st.builds(Game, st.integers(1, 9), NAMES, POINTS, POINTS), min_size=1, max_size=9))
def test_vp_charts_hold_any_games(name: str, games: list[Game]) -> None:
    check(vp_chart("a", name, games))


@given(st.lists(st.builds(Share, NAMES, st.integers(0, 40), MARKS), max_size=16))
def test_donuts_hold_any_factions(shares: list[Share]) -> None:
    check(donut("a", shares))


SHARES = st.floats(0, 1)
RATES = st.builds(
    Rate, NAMES, st.integers(0, 9_999), st.none() | SHARES, SHARES, SHARES, st.just(()), st.none() | MARKS
)  # fmt: skip
BARS = st.builds(Bar, NAMES, POINTS, st.just("100 · 10 %"), st.none() | POINTS, st.just("3.5"))


@given(st.lists(RATES, max_size=20))
def test_rates_hold_any_figures(rates: list[Rate]) -> None:
    check(rates_chart("a", ("Name",), rates))


@given(st.lists(st.tuples(BARS, st.just(("1",))), max_size=20), st.none() | st.tuples(NAMES, NAMES))
def test_bars_hold_any_figures(bars: list[tuple[Bar, tuple[str, ...]]], keys: tuple[str, str] | None) -> None:
    check(bars_chart("a", ("Name", "Number"), bars, "It is.", keys=keys))


def test_rates_name_what_is_clearly_apart_from_one_half() -> None:
    none, above, below = Rate("A", 20, 0.6, 0.45, 0.8), Rate("B", 30, 0.7, 0.51, 0.85), Rate("C", 1, 0.2, 0.1, 0.49)
    said = [rates_chart("a", ("Name",), rates) for rates in ([none, below, above], [below, none], [none, none], [none])]
    assert [chart.sentence for chart in said if chart] == [
        "B: 70 % of 30 games won, clearly more than half.",
        "C: 20 % of 1 game won, clearly less than half.",
        "None stands out: every interval includes 50 %.",
        "A: 60 % of 20 games won, not clearly more or less than half.",
    ]
    assert said[0]
    assert [row[0] for row in said[0].rows] == ["B", "A", "C"]


def test_of_many_rates_the_clear_ones_are_drawn_then_those_of_most_games() -> None:
    many = [Rate(f"R{at:02}", 100 - at, 0.5, 0.3, 0.7) for at in range(14)] + [Rate("Clear", 10, 0.9, 0.6, 1.0)]
    chart = rates_chart("a", ("Name",), many)
    assert chart
    texts = [element.text for element in elements(chart.svg) if element.tag == "text"]
    assert [text for text in texts if text in {rate.name for rate in many}] == [
        "Clear",
        *(f"R{at:02}" for at in range(11)),
    ]
    assert texts[-1] == "12 of 15, the others are in the table"
    assert chart.sentence == "Clear: 90 % of 10 games won, clearly more than half."
    assert len(chart.rows) == 15


@given(st.lists(LANDS, max_size=12))
def test_territories_hold_any_places(lands: list[Land]) -> None:
    check(territory("a", lands, [(0, 0)] if lands else []))


def test_numbers_of_near_places_do_not_cover_each_other() -> None:
    near = [Land(f"p{i}", 8 + i % 7 * 14 + i % 3, 6 + i // 7 * 14, "A", Mark(1, 1)) for i in range(48)]
    chart = territory("a", [*near, Land("q", 50, 41, "B", Mark(2, 2)), Land("r", 52, 42)])
    assert chart is not None
    plates = [
        tuple(float(element.attrib[key]) for key in ("x", "y", "width", "height"))
        for element in elements(chart.svg)
        if element.get("class") == "plate"
    ]
    assert len(plates) == 50
    for (x, y, wide, high), (ox, oy, other, _) in combinations(plates, 2):
        assert x + wide <= ox or ox + other <= x or y + high <= oy or oy + high <= y


def test_vp_chart_abbreviates_the_opponent_and_not_the_round() -> None:
    chart = vp_chart("a", "Amy", [Game(12, "Bartholomew Alexander Featherstonehaugh", 3, 1)])
    assert ">Round 12: B. Featherstonehaugh<" in chart.svg


@given(NAMES, st.lists(POINTS, max_size=9), POINTS, POINTS, NAMES)
def test_small_pictures_hold_any_text(name: str, values: list[float], done: float, whole: float, text: str) -> None:
    for svg in (sparkline(name, values, 0, 300), dial("a", done, whole, text, name), event_picture(name), emblem(name)):
        assert not svg or elements(svg)
    assert len(initials(name)) >= 1


def test_a_surname_keeps_the_small_words_that_begin_it() -> None:
    for name, short in (("Bruno De Luca", "B. De Luca"), ("Anna Maria della Rovere", "A. della Rovere")):
        assert fitted(name, text_width(short)) == short


def test_name_that_fits_with_an_initial_is_not_cut() -> None:
    wide = text_width("H. Lindqvist")
    assert [fitted("Hana Lindqvist", room) for room in (200, wide, wide - 1)] == [
        "Hana Lindqvist", "H. Lindqvist", "Hana Lind…",
    ]  # fmt: skip


@given(st.text(), st.floats(20, 300))
def test_names_are_cut_to_their_room(name: str, room: float) -> None:
    assert text_width(fitted(name, room)) <= room + 1


# what the sentences say


def alone(lines: list[ChartLine], column: int) -> list[str]:
    """Who was first after a round, if nobody shared it."""
    first = [line.name for line in lines if line.values[column] == 1]
    return first if len(first) == 1 else []


@given(fields(most=8), st.booleans())
def test_what_a_rank_chart_says_is_true(lines: list[ChartLine], final: bool) -> None:
    lines = [ChartLine(f"P{i}.", line.values) for i, line in enumerate(lines)]
    chart = rank_chart("a", lines, final=final)
    rounds = len(lines[0].values)
    if chart is None:
        assert rounds < 2 or all(line.last is None for line in lines)
        return
    said = chart.sentence
    if found := re.match(r"(\S+) (?:led|has led|took the lead)", said):
        led = [alone(lines, column) == [found[1]] for column in range(rounds)]
        named = re.search(r"round (\d+)", said.split(";")[0])
        start = int(named[1]) if named else (rounds if "in the last round" in said else 1)
        assert all(led[start - 1 :])
        assert start == 1 or not led[start - 2]
        assert final == ("to the end" in said or "last" in said)
    else:
        assert not alone(lines, rounds - 1)
    if found := re.search(r"(\S+) climbed from (\d+)\w+ to (\d+)", said):
        rises = {x.name: x.values[0] - x.last for x in lines if x.values[0] and x.last and x.last > 1}
        assert rises[found[1]] == int(found[2]) - int(found[3]) == max(rises.values())
        assert list(rises.values()).count(rises[found[1]]) == 1


def test_a_climb_is_named_only_if_it_was_the_greatest() -> None:
    def said(**ranks: tuple[float, ...]) -> str:
        chart = rank_chart("a", [ChartLine(name, values) for name, values in ranks.items()], final=True)
        return chart.sentence if chart else ""

    still = {"Ada": (1, 1), "Bo": (2, 4), "Cy": (3, 5)}
    assert said(**still, Di=(4, 2), Ed=(5, 3)) == "Ada led from the first round to the last."
    assert (
        said(**still, Di=(5, 2), Ed=(4, 3)) == "Ada led from the first round to the last; Di climbed from 5th to 2nd."
    )


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_what_a_donut_says_is_true(numbers: list[int]) -> None:
    words = dict(
        zip(["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"], range(1, 10), strict=True)
    )
    chart = donut("a", [Share(f"F{i}", number, Mark(1, 1)) for i, number in enumerate(numbers)])
    assert chart is not None
    most = max(numbers)
    first = [f"F{i}" for i, number in enumerate(numbers) if number == most]
    named = re.findall(r"F\d", chart.sentence)
    if found := re.match(r"(\w+) of (\d+) players bring ", chart.sentence):
        assert (words[found[1]], int(found[2]), named) == (most, sum(numbers), first)
    elif "equally" in chart.sentence:
        assert (words[chart.sentence.split()[0]], f": {most} of {sum(numbers)} " in chart.sentence) == (
            len(first),
            True,
        )
    elif "different" in chart.sentence:
        assert (most, f"bring {len(numbers)} " in chart.sentence) == (1, True)
    else:
        assert len(numbers) == 1


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=7))
def test_what_a_vp_chart_says_is_true(games: list[tuple[int, int]]) -> None:
    chart = vp_chart("a", "Amy", [Game(number, "Ben", *game) for number, game in enumerate(games, 1)])
    assert f"in {sum(own > theirs for own, theirs in games)} of {len(games)} games" in chart.sentence


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9)), min_size=1, max_size=6))
def test_what_a_points_chart_says_is_true(figures: list[tuple[int, int]]) -> None:
    chart = points_chart("a", [ChartLine(f"P{i}", values) for i, values in enumerate(figures)])
    assert chart is not None
    last = sorted((after for _, after in figures), reverse=True)
    named = re.findall(r"P\d", chart.sentence)
    assert f" {last[0]} point" in chart.sentence
    assert named in ([f"P{i}" for i, (_, after) in enumerate(figures) if after == last[0]], [])
    if found := re.search(r", (\d) more", chart.sentence):
        assert int(found[1]) == last[0] - last[1] > 0


@given(st.lists(st.sampled_from("ABCDE") | st.just(""), min_size=1, max_size=12))
def test_what_a_territory_says_is_true(holders: list[str]) -> None:
    lands = [Land(f"p{i}", i * 8, i * 8, name, Mark(1, 1) if name else None) for i, name in enumerate(holders)]
    chart = territory("a", lands)
    assert chart is not None
    words = [word.lower() for word in COUNTS]
    free, held = holders.count(""), {name: holders.count(name) for name in holders if name}
    if not held:
        assert chart.sentence in (f"All {len(holders)} places are free.", "1 place is free.")
        return
    most = max(held.values())
    assert f"; {words[free]} {'is' if free == 1 else 'are'} free." in chart.sentence
    assert f"{most} of {len(holders)}" in chart.sentence
    assert set(re.findall(r"\b[A-E]\b", chart.sentence)) in ({x for x, n in held.items() if n == most}, set())


# what is drawn


def bumps(chart: Chart | None) -> list[Element]:
    assert chart is not None
    return [
        element
        for element in elements(chart.svg)
        if element.tag == "path" and (element.get("class") or "").startswith("bump")
    ]


def test_of_128_players_the_first_twelve_and_the_picked_are_drawn() -> None:
    lines = [ChartLine(f"Player {i}", tuple((i * k) % 128 + 1 for k in (1, 3, 5, 1))) for i in range(128)]
    chart = rank_chart("a", lines, [100, 57])
    check(chart)
    assert len(bumps(chart)) == 14
    assert sorted(
        (bump.attrib["class"].removeprefix("bump ") for bump in bumps(chart) if "hi" in bump.attrib["class"]),
        key=lambda css: css[-1],
    ) == ["hi g1 p1", "hi g3 p2", "hi g2 p3"]


def test_the_line_of_a_player_who_left_ends_in_that_round() -> None:
    chart = rank_chart("a", [ChartLine("A", (1, 1, 1)), ChartLine("B", (2, None, None)), ChartLine("C", (3, 2, 2))])
    assert chart is not None
    ends = {bump.attrib["class"]: bump.attrib["d"] for bump in bumps(chart)}
    assert "C" not in ends["bump hi g2 p3"]
    assert chart.rows[-1] == ("B", "2", "", "")
    assert "– B" in chart.svg


def test_names_at_the_end_of_lines_never_touch() -> None:
    for chart in (
        rank_chart("a", [ChartLine(f"P{i}", (1, 1)) for i in range(16)]),
        rank_chart("a", [ChartLine(f"P{i}", (i + 1, i + 1)) for i in range(128)], [126, 127, 125]),
        points_chart("a", [ChartLine(f"P{i}", (0, 5)) for i in range(30)]),
    ):
        assert chart is not None
        at = sorted(
            float(element.attrib["y"]) for element in elements(chart.svg) if "bump-name" in (element.get("class") or "")
        )
        assert all(b - a >= 18.9 for a, b in pairwise(at))


def test_who_is_named_is_drawn_bold_and_ranks_on_lines_never_overlap() -> None:
    lines = [ChartLine(f"P{i}", (first, i)) for i, first in ((1, 18), (2, 37), (3, 56), (7, 108))]
    others = [ChartLine(f"P{i}", (i, i)) for i in range(1, 121) if i not in (1, 2, 3, 7)]
    chart = rank_chart("a", [*lines, *others], final=True)
    assert chart is not None and "P7 climbed from 108th to 7th" in chart.sentence
    bold = [element.text for element in elements(chart.svg) if (element.get("class") or "") == "bump-name hi"]
    assert set(bold) == {"1 P1", "2 P2", "7 P7"}
    plates = [element for element in elements(chart.svg) if element.get("class") == "pip-plate"]
    at = sorted(
        (float(plate.attrib["x"]) + float(plate.attrib["width"]) / 2, float(plate.attrib["y"])) for plate in plates
    )
    assert all(a[0] != b[0] or b[1] - a[1] >= 20 for a, b in pairwise(at))
    figures = [element.text for element in elements(chart.svg) if element.get("class") == "pip-figure"]
    assert figures == ["18", "1", "108", "7", "2"], "of the ranks that meet, the first line's stays"


def test_ids_differ_between_charts() -> None:
    shares = [Share("A", 2, Mark(1, 1)), Share("B", 1, Mark(2, 2))]
    ids = [{element.get("id") for element in elements(donut(prefix, shares).svg)} - {None} for prefix in "ab"]  # type: ignore[union-attr]
    assert ids[0] and not ids[0] & ids[1]


def test_keys_too_long_to_stand_beside_each_other_stand_below_each_other_in_full() -> None:
    bars = [(Bar("A", 3, "3", 2, "2"), ("3", "2"))]
    for keys, places in ((("Winner", "Loser"), {17.0}), (("Vainqueur, PV moyens", "Perdant, PV moyens"), {17.0, 39.0})):
        chart = bars_chart("a", ("Name", "W", "L"), bars, "It is.", keys=keys)
        assert chart is not None
        found = {m[2]: float(m[1]) for m in re.finditer(r'<text[^>]* y="([\d.]+)"[^>]*>([^<]+)</text>', chart.svg)}
        assert {found[key] for key in keys} == places


def test_without_a_finding_there_is_no_chart() -> None:
    assert rank_chart("a", []) is None
    assert rank_chart("a", [ChartLine("A", (1,))]) is None
    assert points_chart("a", [ChartLine("A", (0, 0))]) is None
    assert donut("a", []) is None
    assert territory("a", []) is None
    assert rates_chart("a", ("Name",), [Rate("A", 9, None)]) is None
    assert bars_chart("a", ("Name",), [(Bar("A", 0, "0"), ())], "It is.") is None


def test_equal_bars_are_counted_instead_of_cut_by_chance() -> None:
    bars = [(Bar("Top", 2, "2"), ()), *((Bar(f"Unit {n}", 1, "1"), ()) for n in range(20))]
    chart = bars_chart("a", ("Name",), bars, "It is.")
    assert chart is not None
    written = re.compile(r'<text[^>]* y="([^"]*)"[^>]*>([^<]*)<')
    assert [words for _, words in written.findall(chart.svg)] == ["Top", "2", "and 20 more with 1 each"]
    assert len(chart.rows) == 21, "the table has all"
    few = bars_chart("a", ("Name",), bars[:12], "It is.")
    assert few is not None
    assert few.svg.count("<rect") == 12
    (name_at, _), (figure_at, _), *_ = written.findall(few.svg)
    assert name_at == figure_at, "on one line"


def test_factions_of_each_game_have_different_marks() -> None:
    for system in SYSTEMS.values():
        order = FACTIONS
        marks = [faction_mark(order, name) for name in system.editions[0].factions]
        assert len(set(marks)) == len(marks)
    assert faction_mark(("A",), "Home-made") == faction_mark((), "Home-made")
    assert faction_mark(tuple("ABCDEFGHI"), "I") == Mark(1, 2)


def test_the_land_of_a_place_is_what_is_nearest_to_it() -> None:
    lands = [Land(f"p{i}", x, y) for i, (x, y) in enumerate([(33.3, 20.1), (70.7, 15.2), (50.1, 77.7)])]
    chart = territory("a", lands)
    assert chart is not None
    area = 0.0
    for element, land in zip([x for x in elements(chart.svg) if x.get("class") == "land-free"], lands, strict=True):
        corners = [tuple(map(float, pair.split())) for pair in element.attrib["d"][1:-1].split("L")]
        turned = zip(corners, corners[1:] + corners[:1], strict=True)
        area += abs(sum(a * d - c * b for (a, b), (c, d) in turned)) / 2
        for x, y in corners:
            reach = [(x / 3.5 - other.x) ** 2 + (y / 3.5 - other.y) ** 2 for other in lands]
            assert (x / 3.5 - land.x) ** 2 + (y / 3.5 - land.y) ** 2 <= min(reach) + 5
    assert abs(area - WIDE * 85.7 * 3.5) < 100


def test_pictures_of_names_differ_and_stay() -> None:
    names = ["Rust Cup", "Rust Cup 2", "Autumn Open", "Big Day"]
    assert event_picture(names[0]) == event_picture(names[0])
    assert all(event_picture(a) != event_picture(b) for a, b in combinations(names, 2))
    assert 'aria-hidden="true"' in event_picture("Rust Cup") and "<text" not in event_picture("Rust Cup")


def test_initials() -> None:
    cases = {
        "Amy Archer": "AA", "cleo maria díaz": "CD", "Hana": "HA", "李小龙": "李小", "Дмитрий Ш.": "ДШ", "ßen": "ßE",
        "“Rook” (A.)": "RA", "  ": "?", "": "?", "👾": "?", "X": "X", "Zoe\u0308 Ng": "ZN", "नमिता काले": "नका",
    }  # fmt: skip
    assert {name: initials(name) for name in cases} == cases


def test_figures_are_plain() -> None:
    assert [compact(x) for x in (1.0, 0.04, -0.04, -0.06, 12.25, 1234567.8, 7)] == [
        "1", "0", "0", "-0.1", "12.2", "1234567.8", "7",
    ]  # fmt: skip


def test_a_small_line_is_drawn_on_the_scale_of_its_list() -> None:
    assert sparkline("Salt & Co", (100, 150), 100, 200) == (
        '<svg class="sparkline" viewBox="0 0 112 32" role="img"><title>Salt &amp; Co: 100, 150</title>'
        '<path class="spark" d="M4 28L108 16"></path><circle class="spark-end" cx="108" cy="16" r="4"></circle></svg>'
    )


def test_a_dial_of_three_in_eight() -> None:
    svg = dial("a", 3, 8, "3/8", "3 of 8 tables are done")
    assert 'stroke-dasharray="37.5 100"' in svg
    assert 'stroke-dasharray="0.0 100"' in dial("a", 0, 0, "0", "No table")
    assert 'stroke-dasharray="100.0 100"' in dial("a", 9, 8, "9", "Late")


STEPS = st.tuples(NAMES, st.floats(500, 3000), st.floats(1, 400)).map(
    lambda row: Step(row[0], row[1], row[1] - row[2], row[1] + row[2])
)


@given(st.lists(STEPS, max_size=60))
def test_rating_is_drawn_within_its_frame_and_says_how_it_moved(steps: list[Step]) -> None:
    chart = rating_chart("rating", steps)
    check(chart)
    assert (chart is None) == (len(steps) < 2)
    if chart is not None:
        moved = int(chart.rows[-1][1]) - int(chart.rows[0][1])
        assert chart.sentence.startswith(f"{chart.rows[-1][1]} points after {len(steps)} events")
        assert f"{abs(moved)} {'more' if moved > 0 else 'less'}" in chart.sentence or not moved
        low, high = min(a_step.low for a_step in steps), max(a_step.high for a_step in steps)
        for step in steps:
            elements(interval_mark(step.value, step.low, step.high, (low, high)))


def test_points_chart_picks_the_first_three_of_the_standings() -> None:
    chart = points_chart("a", [ChartLine(name, (1, 6)) for name in ("Elif", "Ines", "Søren", "Carys")])
    assert chart is not None
    assert [row[0] for row in chart.rows] == ["Elif", "Ines", "Søren", "Carys"]
    bold = [element.text for element in elements(chart.svg) if (element.get("class") or "") == "bump-name hi"]
    assert sorted(text.split()[-1] for text in bold if text) == ["Elif", "Ines", "Søren"]
