"""The distances to measure when a scenario is set up: each row and column of markers, with the game's own rulers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from languages.words import N_, apart, gettext, labelled
from validators.scenario import Marker, Ruler, Scenario

MOST_LANES = 3
"""The most parallel lines for overlapping distances; the text below the map lists all distances."""
MOST_NAMES = 8
"""The most markers shown by name on a map; with more, they are numbered."""
_CHARACTER = 0.028
"""The width of a label's character, as a share of the table's side."""


@dataclass(frozen=True)
class Measure:
    """A distance along a side of the table, from the nearer corner (``start`` or ``end``) to a row of markers.

    ``lane`` 0 is the nearest to the table.
    """

    start: float
    end: float
    lane: int
    label: str
    parts: tuple[tuple[float, float, str], ...] = ()
    """The ruler's pieces: start, end and colour; empty if no ruler has this length."""

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


@dataclass(frozen=True)
class Measures:
    """All distances on one table: ``across`` from the sides, ``up`` from the players' edges."""

    across: tuple[Measure, ...]
    up: tuple[Measure, ...]
    deployment: str
    """The depth of deployment in words ("Red, 6″")."""
    deployment_colour: str
    """The colour of its ruler; "" if no ruler has this length."""
    labels: tuple[str, ...]
    """The label of each marker on the map, in the scenario's order: its name, or its number if there are many."""
    words: tuple[str, ...]
    """Each marker with its position in words, in the same order."""
    key: str
    """The legend of numbered markers ("1: Well; 2: Tower"); "" if they are shown by name."""

    @property
    def lanes_across(self) -> int:
        """The number of lanes above the table."""
        return max((measure.lane + 1 for measure in self.across), default=0)

    @property
    def lanes_up(self) -> int:
        """The number of lanes to its right."""
        return max((measure.lane + 1 for measure in self.up), default=0)


def measured(scenario: Scenario, rulers: Sequence[Ruler]) -> Measures:
    """All distances of this scenario."""
    table, depth = scenario.table_inches, scenario.deployment_inches
    ruler, many = _ruler(depth, rulers), len(scenario.markers) > MOST_NAMES
    return Measures(
        across=_lanes((m.x for m in scenario.markers), table, rulers),
        up=_lanes((m.y for m in scenario.markers), table, rulers),
        deployment=_named(depth, rulers),
        deployment_colour=ruler.parts[0][1] if ruler and len(ruler.parts) == 1 else "",
        labels=tuple(str(at) if many else marker.said for at, marker in enumerate(scenario.markers, 1)),
        key=apart(labelled(str(at), marker.said) for at, marker in enumerate(scenario.markers, 1)) if many else "",
        words=tuple(_where(marker, table, rulers) for marker in scenario.markers),
    )


def _lanes(places: Iterable[float], table: int, rulers: Sequence[Ruler]) -> tuple[Measure, ...]:
    """A measure for each position, the short ones next to the table, so that no two and no labels overlap."""
    ends: list[list[tuple[float, float]]] = [[] for _ in range(MOST_LANES)]
    found = []
    for place in sorted(set(places), key=lambda number: (min(number, table - number), number)):
        start, end = (0.0, place) if place <= table / 2 else (place, float(table))
        if start == end:
            continue
        ruler = _ruler(end - start, rulers)
        label = f"{ruler.name if ruler else ''} {end - start:g}″".strip()
        missing = max(0.0, len(label) * _CHARACTER * table - (end - start)) / 2
        taken = (start - missing, end + missing)
        lane = next(
            (at for at, lane in enumerate(ends) if all(taken[1] <= other[0] or other[1] <= taken[0] for other in lane)),
            None,
        )
        if lane is not None:
            ends[lane].append(taken)
            found.append(Measure(start, end, lane, label, _parts(start, end, ruler)))
    return tuple(found)


def _ruler(inches: float, rulers: Sequence[Ruler]) -> Ruler | None:
    return next((ruler for ruler in rulers if ruler.inches == inches), None)


def _named(inches: float, rulers: Sequence[Ruler]) -> str:
    ruler = _ruler(inches, rulers)
    return f"{ruler.name} ({inches:g}″)" if ruler else f"{inches:g}″"


def _parts(start: float, end: float, ruler: Ruler | None) -> tuple[tuple[float, float, str], ...]:
    """The ruler's pieces, laid from the corner of the table at ``start`` 0, else from ``end`` back."""
    laid, at = [], 0.0
    for length, colour in ruler.parts if ruler else ():
        piece = (at, at + length) if start == 0 else (end - at - length, end - at)
        laid.append((*piece, colour))
        at += length
    return tuple(laid)


def _where(marker: Marker, table: int, rulers: Sequence[Ruler]) -> str:
    """ "Entrance: Red (6″) from the left, Black + Red (18″) from A's edge"."""
    label, owner = marker.said, (marker.owner or "").upper()
    if owner and owner not in marker.label.split():
        label = gettext("%(label)s (of player %(owner)s)", label=label, owner=owner)
    if marker.within:
        label = gettext("%(label)s within %(inches)s″ of this place", label=label, inches=f"{marker.within:g}")
    if marker.x == marker.y == table / 2:
        inches = _named(marker.x, rulers)
        return gettext("%(label)s: %(inches)s from every edge, the middle of the table", label=label, inches=inches)
    across, up = _from(marker.x, table, rulers, _SIDES), _from(marker.y, table, rulers, _EDGES)
    return labelled(label, gettext("%(across)s, %(up)s", across=across, up=up))


_SIDES = (
    N_("at the left side"),
    N_("%(inches)s from the left"),
    N_("%(inches)s from either side"),
    N_("%(inches)s from the right"),
    N_("at the right side"),
)
_EDGES = (
    N_("at A’s edge"),
    N_("%(inches)s from A’s edge"),
    N_("%(inches)s from either player’s edge"),
    N_("%(inches)s from B’s edge"),
    N_("at B’s edge"),
)
"""Where a marker is between two ends: at one, nearer to it, in the middle, nearer to the other, at that one."""


def _from(at: float, table: int, rulers: Sequence[Ruler], ends: Sequence[str]) -> str:
    place = 0 if not at else 4 if at == table else 2 if at * 2 == table else 1 if at < table - at else 3
    return gettext(ends[place], inches=_named(min(at, table - at), rulers))
