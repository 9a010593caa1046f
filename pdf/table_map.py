"""The table drawn to scale: deployment zones, markers, inches along two edges, the game's rulers along the others.

More than 450 lines because each label, line and ruler makes room for the others in one drawing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from languages.words import N_, apart, gettext, ngettext
from pdf.flow import Drawing
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, longest_word, text_width
from pdf.page import GREY, HAIR, INK, LINE, PAPER, block, box, rule
from pdf.tags import part
from validators.measures import Measure
from validators.scenario import Edge, Marker
from validators.scenery import FROM_MARKER

SIDE_ROOM, END_ROOM = 18.0, 15.0
"""Points at the left of the map, and below it, for the numbers of inches."""
MARKER_RADIUS, TWO_NUMBERS = 7.5, 1.2
LARGE, LABELS = 185.0, (9.0, 7.0)
"""Side of a large map in points, and the type sizes of labels on large and on smaller maps."""
MAX_INSIDE = 2
"""Maximum length of a label inside its marker; longer labels are printed next to it."""
STEP, WIDE_STEP, WIDE_TABLE = 6, 12, 48
"""Inches between two numbers at the edge: usually, and on a table of more than `WIDE_TABLE` inches."""
LANE, ASIDE = 14.0, 18.0
"""Points of one lane of rulers, with their names: above the map, and at its right, where short names are level."""
RULER_WIDTH, MIN_BAR = 3.0, 0.45
"""Width of a ruler in points; minimum width of a bar as a share of its length."""
ENDS = ("B", "top"), ("A", "bottom")
"""The players’ edges on the map."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points."""


@dataclass(frozen=True)
class TableMap:
    """A square table; rulers ``across`` are above it, rulers ``up`` at its right.

    ``deployment`` is a depth in inches.
    """

    inches: int
    deployment: int
    markers: tuple[Marker, ...]
    across: tuple[Measure, ...] = ()
    up: tuple[Measure, ...] = ()
    depth: str = ""
    """The depth of deployment in words; "" for the inches."""
    depth_colour: str = ""
    """The colour of its ruler; "" for grey."""
    edges: tuple[Edge, ...] = ()
    """The edges with a name of their own, in the reader's language."""
    example: bool = False
    """Whether the markers are an example, because players place them."""

    @property
    def free_ends(self) -> tuple[tuple[str, str], ...]:
        """The players' edges by letter, without those that have a name of their own, which either player may get."""
        named = [edge.side for edge in self.edges]
        return tuple((letter, side) for letter, side in ENDS if side not in named)


def map_rooms(table: TableMap) -> tuple[float, float]:
    above, aside = (max((ruler.lane + 1 for ruler in rulers), default=0) for rulers in (table.across, table.up))
    return above * LANE + 5, aside * ASIDE + 5


def map_words(table: TableMap, spots: Sequence["ScenerySpot"] = ()) -> str:
    named: list[tuple[str, Marker | ScenerySpot]] = [
        (_name(marker) or gettext("marker"), marker) for marker in table.markers
    ]
    scenery = gettext("scenery")
    named += [
        (f"{scenery_spot.name or scenery} {scenery_spot.letter}{number}", scenery_spot)
        for number, scenery_spot in enumerate(spots, 1)
    ]
    marks = [gettext("%(what)s at %(x)s and %(y)s", what=what, x=f"{at.x:g}", y=f"{at.y:g}") for what, at in named]
    sentences = [
        ngettext(
            "Map of the table, %(num)s inch a side, edge A below.",
            "Map of the table, %(num)s inches a side, edge A below.",
            table.inches,
        )
    ]
    if table.deployment:
        sentences.append(
            ngettext(
                "Deployment within %(num)s inch of both edges.",
                "Deployment within %(num)s inches of both edges.",
                table.deployment,
            )
        )
    sentences += [f"{edge.label}." for edge in table.edges]
    if marks:
        sentences.append(gettext("In inches from its left corner: %(marks)s.", marks=apart(marks)))
    return " ".join(sentences)


def inches_text(value: float) -> str:
    """18.0 as "18″"."""
    return f"{value:g}″"


@dataclass(frozen=True)
class ScenerySpot:
    """A piece of scenery: its middle in inches from player A's left corner, its shape, its name."""

    x: float
    y: float
    shape: str
    name: str = ""
    letter: str = ""
    """A letter before its number, if two kinds of pieces have the same shape."""


@dataclass(frozen=True)
class _Label:
    """Words on the map: the middle of the first baseline, and the box that they take; ``upright`` reads upwards."""

    text: Fitted
    x: float
    y: float
    box: Box
    upright: bool = False


def draw_map(
    canvas: Canvas, x: float, y: float, size: float, table: TableMap, spots: Sequence[ScenerySpot] = (),
    across: float = 0.0
) -> None:  # fmt: skip
    """Draw the table as a square of ``size`` points; x, y is its lower left corner, with A's edge at the bottom.

    Inches are outside the square, within `SIDE_ROOM` and `END_ROOM` points; rulers within `map_rooms`. ``spots`` are
    pieces of scenery, numbered, each ``across`` inches wide.
    """
    scale = size / table.inches

    def around(marker: Marker | ScenerySpot, half: float) -> Box:
        x, y = marker.x * scale, marker.y * scale
        return x - half, y - half, x + half, y + half

    boxes = [around(spot, across * scale / 2) for spot in spots]
    taken = [*boxes, *(around(a_marker, MARKER_RADIUS + 1.5) for a_marker in table.markers)]
    labels = _labels(table, size, taken)
    canvas.saveState()
    canvas.translate(x, y)
    _draw_zones(canvas, table, size)
    _draw_lines(canvas, table, size, [label.box for label in labels])
    _draw_inches(canvas, table, size)
    _draw_rulers(canvas, table, size)
    box(canvas, 0, 0, size, size, 1.6)
    for place, (spot, room) in enumerate(zip(spots, boxes, strict=True), 1):
        _draw_spot(canvas, room, f"{spot.letter}{place}", spot.shape)
    for label in labels:
        canvas.saveState()
        canvas.translate(label.x, label.y)
        canvas.rotate(90 * label.upright)
        draw_fitted(canvas, 0, 0, label.text, "centre")
        canvas.restoreState()
    radius = min(MARKER_RADIUS, size * FROM_MARKER - 1) if spots else MARKER_RADIUS
    for marker in table.markers:
        _draw_marker(canvas, marker.x * scale, marker.y * scale, marker, radius)
    canvas.restoreState()


def _draw_zones(canvas: Canvas, table: TableMap, size: float) -> None:
    """Draw the zones along the edges in a light wash that still differs from paper on a printer without colours."""
    usual = [(side, float(table.deployment), table.depth_colour) for side in ("bottom", "top")]
    strips = [*usual, *((edge.side, edge.inches, "") for edge in table.edges)]
    for side, inches, colour in (strip for strip in strips if strip[1]):
        line, deep = HexColor(colour or "#000000"), inches * size / table.inches
        left, bottom, right, top = _beside(side, size, deep)
        canvas.setFillColor(Color(*(1 - 0.24 * (1 - part) for part in line.rgb())) if colour else Color(0.9, 0.9, 0.9))
        canvas.rect(left, bottom, right - left, top - bottom, stroke=0, fill=1)
        canvas.setStrokeColor(line)
        rule(canvas, *_beside(side, size, 0.0, deep), LINE)
    canvas.setFillGray(INK)


def _draw_lines(canvas: Canvas, table: TableMap, size: float, labels: Sequence[Box]) -> None:
    """Draw thin lines at every sixth inch, the middle line, dotted guides from markers to rulers, and circles; lines
    have gaps for the labels."""
    scale = size / table.inches

    def draw(level: bool, place: float, start: float, end: float) -> None:
        along, across = (0, 1) if level else (1, 0)
        over = sorted((label[along], label[along + 2]) for label in labels if label[across] < place < label[across + 2])
        for low, high in [*over, (end, end)]:
            if low > start:
                rule(canvas, *((start, place, min(low, end), place) if level else (place, start, place, min(low, end))))
            start = max(start, high)

    canvas.setStrokeGray(0.75)
    inner = table.deployment, table.inches - table.deployment  # already drawn, darker
    for inch, level in product(range(STEP, table.inches, STEP), (True, False)):
        if not (level and inch in inner):
            draw(level, inch * scale, 0, size)
    canvas.setStrokeGray(INK)
    draw(True, size / 2, 0, size)
    canvas.setDash(1, 2.5)
    for upright, measure, away in _lanes(table, size):
        to = measure.end if measure.start == 0 else measure.start
        spots = [(a_marker.y, a_marker.x) if upright else (a_marker.x, a_marker.y) for a_marker in table.markers]
        draw(upright, to * scale, scale * min((along for at, along in spots if at == to), default=table.inches), away)
    canvas.setDash(4, 3)
    canvas.setLineWidth(LINE)
    for marker in table.markers:
        if marker.within:
            canvas.circle(marker.x * scale, marker.y * scale, marker.within * scale, stroke=1, fill=0)
    canvas.setDash()


def _beside(side: str, size: float, deep: float, off: float = 0.0) -> Box:
    """A strip as deep as this along a side of the map, ``off`` points from it."""
    low, high = (size - off - deep, size - off) if side in ("top", "right") else (off, off + deep)
    return (low, 0.0, high, size) if side in ("left", "right") else (0.0, low, size, high)


def _is_free(box: Box, taken: Sequence[Box]) -> bool:
    return all(box[2] <= row[0] or row[2] <= box[0] or box[3] <= row[1] or row[3] <= box[1] for row in taken)


def _labels(table: TableMap, size: float, shown: Sequence[Box]) -> list[_Label]:
    """Labels for markers and zones that cover neither ``shown`` boxes nor each other; else none."""
    letters, labels = _type_size(size), list[_Label]()
    depth, deep = table.deployment * size / table.inches, table.depth or inches_text(table.deployment)
    taken = [*shown, *((0.0, y - 1.0, size, y + 1.0) for y in (depth, size - depth) if depth)]
    taken += [
        _beside(an_edge.side, size, 2.0, an_edge.inches * size / table.inches - 1)
        for an_edge in table.edges
        if an_edge.inches
    ]

    def put(places: Iterable[_Label]) -> bool:
        free = next((place for place in places if _is_free(place.box, taken)), None)
        labels.extend([free] if free else [])
        taken.extend([free.box] if free else [])
        return free is not None

    rows = dict[tuple[str, float], list[Marker]]()
    for marker in sorted(table.markers, key=lambda m: abs(m.x - table.inches / 2)):
        if len(marker.label) > MAX_INSIDE and not _text_inside(marker)[:1].isdecimal():
            rows.setdefault((_name(marker), marker.y), []).append(marker)
    for (_, y), row in rows.items():
        many = f"{len(row)} × " if len(row) > 2 else ""  # one label for the whole row
        ways = list(product((1.0, 0.6, 0.01), (2 * y < table.inches, 2 * y >= table.inches)))
        for marker in (replace(a_marker, label=f"{many}{a_marker.label}") for a_marker in row):
            places = (_next_to(table, marker, size, narrow, above=above) for narrow, above in ways)
            if put(place for place in places if place.box[1] > 2 and place.box[3] < size - 2) and many:
                break
    texts = (
        gettext("Deploy within %(deep)s of this edge", deep=deep),
        gettext("Deploy within %(deep)s", deep=deep),
        gettext("within %(deep)s", deep=deep),
        inches_text(table.deployment),
    )
    for side in ("bottom", "top") if depth >= letters + 3 else ():
        put(_along(side, texts, size, 0.0))
    for edge in table.edges:
        room = edge.inches * size / table.inches
        words = [f"{edge.label}, {inches_text(edge.inches)}"] * bool(room) + [edge.label]
        put(_along(edge.side, words, size, 0.0 if room > letters + 8 else room + 1.1))  # off the inner line
    return labels


def _type_size(size: float) -> float:
    return LABELS[size < LARGE]


def _text_inside(marker: Marker) -> str:
    """The text inside a marker: its label, the number at its end ("Line 5", "Line 5/1"), or its owner."""
    if len(marker.label) <= MAX_INSIDE:
        return marker.label
    number = marker.label.rpartition(" ")[2]
    is_number = all(len(text) <= MAX_INSIDE and text.isdecimal() for text in number.split("/"))
    return number if is_number else (marker.owner or "").upper()


def _name(marker: Marker) -> str:
    return gettext("%(what)s in the circle", what=marker.label) if marker.within else marker.label


def _next_to(table: TableMap, marker: Marker, size: float, narrow: float, *, above: bool) -> _Label:
    """A marker's label above or below it, at most ``narrow`` as wide as on one line."""
    letters, scale = _type_size(size), size / table.inches
    name = _name(marker)
    gaps = [
        abs(a_marker.x - marker.x) * scale
        for a_marker in table.markers
        if a_marker.y == marker.y and a_marker.x != marker.x
    ]
    share = min([text_width(name, letters, bold=True) * narrow + 0.1, size - 7, *gaps])
    room = max(longest_word(name, letters, bold=True) + 0.1, share)
    text = fit(name, letters, room, bold=True, min_size=letters, max_lines=4, leading=1.0)
    half = max(text_width(line, letters, bold=True) for line in text.lines) / 2
    at = min(max(marker.x * scale, half + 3), size - half - 3)
    radius, low = marker.within * scale, MARKER_RADIUS + 2.5 + text.height
    # Outside of a circle that is too small for the label.
    away = radius if 0 < radius < (half**2 + low**2) ** 0.5 + 2 else MARKER_RADIUS
    bottom = marker.y * scale + (away + 2.5 if above else -away - 2.5 - text.height)
    accents = float(not name.isascii())  # they stand above it
    around = (at - half - 1, bottom - 1, at + half + 1, bottom + text.height + accents)
    return _Label(text, at, bottom + text.height - letters * 0.85, around)


def _along(side: str, ways: Sequence[str], size: float, off: float) -> Iterator[_Label]:
    """Places for one of these texts along a side of the map, ``off`` points from it, the middle first.

    They are close to the player's edge, because markers can be on the inner line of a zone.
    """
    letters, upright = _type_size(size), side in ("left", "right")
    more, rise = (2.2, 1.5) if size < LARGE else (7.0, 3.5)
    left, bottom, right, top = _beside(side, size, letters + more, off)
    for words, step in product(ways, range(48)):
        half = text_width(words, letters, bold=True) / 2
        at = size / 2 + (step // 2) * (1 if step % 2 else -1) * size / 48
        low, high = at - half - 3, at + half + 3  # lines end at its rim, or at the edge
        if low > 2 and high < size - 2:
            around = (left, low, right, high) if upright else (low, bottom, high, top)
            x, y = (left + letters + 0.5, at) if upright else (at, bottom + rise + 2.0 * (side == "bottom"))
            yield _Label(Fitted((words,), letters, bold=True), x, y, around, upright)


def _draw_spot(canvas: Canvas, around: Box, name: str, shape: str) -> None:
    """Draw a grey "square", a grey "bar" or a white disc: different without colour."""
    half = (around[2] - around[0]) / 2
    x, y = around[0] + half, around[1] + half
    canvas.setLineWidth(LINE)
    canvas.setStrokeGray(INK)
    canvas.setFillGray(PAPER if shape == "disc" else GREY)
    if shape == "disc":
        canvas.circle(x, y, half, stroke=1, fill=1)
    else:
        deep = half if shape == "square" else min(half, max(MIN_BAR * half, 5.0))
        canvas.rect(x - half, y - deep, 2 * half, 2 * deep, stroke=1, fill=1)
    canvas.setFillGray(INK)
    draw_text(canvas, x, y - 3.4, name, 10, bold=True, max_width=2 * half - 2, align="centre")


def _draw_marker(canvas: Canvas, x: float, y: float, marker: Marker, radius: float) -> None:
    """Draw a square with the owner's letter, black for A and white for B, or a disc: different without colour."""
    inside = _text_inside(marker)
    radius *= TWO_NUMBERS if "/" in inside else 1.0
    half = radius * 0.875
    canvas.setFillGray(PAPER)
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(1.6)
    if marker.owner is None:
        canvas.circle(x, y, radius * 1.2, stroke=0, fill=1)
        canvas.circle(x, y, radius - 0.9, stroke=1, fill=1)
    else:
        canvas.rect(x - 1.3 * half, y - 1.3 * half, 2.6 * half, 2.6 * half, stroke=0, fill=1)
        canvas.setFillGray(INK if marker.owner == "a" else PAPER)
        canvas.rect(x - half, y - half, 2 * half, 2 * half, stroke=1, fill=1)
    canvas.setFillGray(PAPER if marker.owner == "a" else INK)
    if inside:
        draw_text(canvas, x, y - 3, inside, 8.5, bold=True, max_width=radius * 1.52, align="centre")
    else:
        canvas.circle(x, y, 2, stroke=0, fill=1)
    canvas.setFillGray(INK)


def _draw_inches(canvas: Canvas, table: TableMap, size: float) -> None:
    figures = max(7.5, _type_size(size) - 0.5)
    fits = STEP * size / table.inches > text_width(str(table.inches), figures) + 8
    step = STEP if fits and table.inches <= WIDE_TABLE else WIDE_STEP
    canvas.setStrokeGray(INK)
    for inch in range(table.inches + 1):
        at = inch * size / table.inches
        length, width = (2.0, HAIR) if inch % step else (4.0, LINE)
        rule(canvas, at, 0, at, -length, width)
        rule(canvas, 0, at, -length, at, width)
        if inch % step == 0:
            draw_text(canvas, at, -4.5 - figures, str(inch), figures, align="centre")
            draw_text(canvas, -6, at - figures * 0.35, str(inch), figures, align="right")


def _lanes(table: TableMap, size: float) -> list[tuple[bool, Measure, float]]:
    """All rulers: whether upright, the distance, and how far from the table's corner its lane is, in points."""
    across = [(False, measure, size + measure.lane * LANE + 7) for measure in table.across]
    return across + [(True, measure, size + measure.lane * ASIDE + 11) for measure in table.up]


def _draw_rulers(canvas: Canvas, table: TableMap, size: float) -> None:
    scale, letters = size / table.inches, _type_size(size)
    for upright, measure, away in _lanes(table, size):
        middle = measure.middle * scale
        canvas.saveState()
        canvas.translate(*((away, middle) if upright else (middle, away)))
        canvas.rotate(-90 * upright)
        for start, end, colour in ((measure.start, measure.end, ""), *measure.parts):
            ends = [(inch * scale - middle) * (-1 if upright else 1) for inch in (start, end)]
            canvas.setStrokeColor(HexColor(colour or "#000000"))
            rule(canvas, ends[0], 0, ends[1], 0, RULER_WIDTH - 1.2 * bool(colour) if measure.parts else LINE)
        wide, up = text_width(measure.label, letters, bold=True), RULER_WIDTH / 2 + 2.0 + upright
        if upright and wide < ASIDE - 2:  # level, in a gap of its ruler: a turned 6 looks like a 9
            canvas.rotate(90)
            block(canvas, -wide / 2, -letters / 2 - 1, wide, letters + 2, PAPER)
            up = -letters * 0.36
        draw_text(canvas, 0, up, measure.label, letters, bold=True, align="centre")
        canvas.restoreState()


EDGE, EDGE_NAME, EXAMPLE = N_("Edge %(side)s"), 13.0, 40.0
"""An edge's name, because nobody has it before the roll, and its height; width of the word "Example"."""


def draw_edges(canvas: Canvas, x: float, bottom: float, side: float, table: TableMap, *, seen_from: bool) -> None:
    """Draw the names of the edges above and below the map, and above it whether it is an example.

    With ``seen_from`` an edge that has a name of its own gets its letter, too: a list is of places as seen from it.
    """
    ends = ENDS if seen_from else table.free_ends
    for letter, end in ends:
        name, above = gettext(EDGE, side=letter), end == "top"
        name = " · ".join((gettext("Example"), name)) if table.example and above else name
        y = bottom + side + map_rooms(table)[0] + 3.5 if above else bottom - END_ROOM - 8.5
        draw_text(canvas, x + side / 2, y, name, 9, bold=True, max_width=side, align="centre")


def map_block(table: TableMap, side: float, spots: Sequence[ScenerySpot] = (), across: float = 0.0) -> Drawing:
    """The map as a block, ``side`` points wide, in the middle of its column, with the names of the edges."""
    above, aside = map_rooms(table)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        left, bottom = x + SIDE_ROOM + (width - SIDE_ROOM - aside - side) / 2, top - EDGE_NAME - above - side
        draw_edges(canvas, left, bottom, side, table, seen_from=bool(spots))
        with part(canvas, "Figure", alt=map_words(table, spots)):
            draw_map(canvas, left, bottom, side, table, spots, across)

    return Drawing(EDGE_NAME + above + side + END_ROOM + EDGE_NAME, draw, above=8)
