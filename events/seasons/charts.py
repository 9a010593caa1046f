"""The pictures of a campaign: its map, tinted by who holds what, and each group's rating over its games."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from events.charts.drawing import Chart, Mark, faction_mark, mark_badge
from events.charts.lines import sparkline
from events.charts.territory import Land, territory
from languages.words import gettext
from models.play import Player
from validators.campaign import Map
from validators.campaign_history import History


@dataclass(frozen=True)
class Holder:
    """A group in the key of the map."""

    name: str
    mark: Markup
    places: int


def group_marks(history: History) -> dict[int, Mark]:
    """What sets each group apart, by its founding: a mark stays the same through the campaign."""
    order = [str(id_) for id_ in history.world.groups]
    return {id_: faction_mark(order, str(id_)) for id_ in history.world.groups}


def map_of(
    the_map: Map | None, people: Mapping[int, Player], marks: Mapping[int, Mark]
) -> tuple[Chart | None, list[Holder]]:
    """The map as a chart, and its key, the group with most places first."""
    if the_map is None:
        return None, []
    names = {id_: people[id_].name for id_ in marks if id_ in people}
    held = Counter(place.holder for place in the_map.places if place.holder in names)
    lands = [
        Land(place.name, place.x, place.y, names.get(place.holder or 0, ""), marks.get(place.holder or 0))
        for place in the_map.places
    ]
    drawn = territory("map", lands, the_map.roads)
    if drawn and any(place.about for place in the_map.places):
        rows = zip(drawn.rows, (place.about for place in the_map.places), strict=True)
        drawn = replace(
            drawn, columns=(*drawn.columns, gettext("There")), rows=tuple((*row, about) for row, about in rows)
        )
    return drawn, [Holder(names[id_], mark_badge(marks[id_]), many) for id_, many in held.most_common() if id_]


def ratings_over(history: History, shown: Iterable[int], people: Mapping[int, Player]) -> dict[int, Markup]:
    """The rating of each of these groups before each of its games and now, as lines of one scale."""
    values = {id_: _ratings(history, id_) for id_ in shown}
    all_of = [value for ratings in values.values() for value in ratings]
    low, high = min(all_of, default=0), max(all_of, default=0)
    return {id_: sparkline(people[id_].name, ratings, low, high) for id_, ratings in values.items() if len(ratings) > 1}


def _ratings(history: History, id_: int) -> Sequence[int]:
    worlds = [
        before
        for before, entry in zip(history.worlds, history.entries, strict=False)
        if entry.step.group == id_ and entry.step.kind == "play" and id_ in before.groups
    ]
    return [history.world.rules.rating(world.groups[id_]) for world in [*worlds, history.world]]
