"""The statistics of an event, of a series of events, and of the club: of what is over and public."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from events.standings.statistics_figures import LEAST, Tally, added
from events.standings.statistics_pictures import Section, fielded, sections
from events.standings.statistics_queries import counted_events, has_statistics, load_tally
from events.store.editions import system_of, systems_of
from events.store.scenarios import known_scenarios
from events.visitors.access import lists_shown
from events.visitors.loading import event_or_404, polled
from events.web.answers import figures_asked
from events.web.page_cache import cached_page, kept_in_public
from events.web.request import db, now
from models.event import Event

blueprint = Blueprint("statistics", __name__)


@blueprint.get("/e/<slug>/statistics")
@cached_page(others=("figures",))
def event_statistics(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    if not has_statistics(event):
        abort(404)
    game, tally = system_of(event), tally_of(event)
    page = _answer(
        event.slug,
        fielded(tally, game),
        totals=tally.totals,
        uncounted=tally.totals["players"] > tally.players.total(),
        games=[game],
        game=game,
        name=event.name,
    )
    return polled(page, event) if isinstance(page, str) else page


@blueprint.get("/series/<slug>/statistics")
@blueprint.get("/series/<slug>/statistics/<game:system_id>")
def series_statistics(slug: str, system_id: str = "") -> ResponseReturnValue:
    events = counted_events(db(), slug) or abort(404)
    return _page(slug, events, system_id, name=events[-1].series)


@blueprint.get("/statistics")
@blueprint.get("/statistics/<game:system_id>")
def club_statistics(system_id: str = "") -> ResponseReturnValue:
    return _page("club", counted_events(db()), system_id)


def _page(stem: str, events: Sequence[Event], system_id: str, name: str = "") -> ResponseReturnValue:
    """The page of these events of one game, by default the one with the most; 404 for a game of none of them."""
    games = Counter(event.system for event in events)
    asked = system_id or next((id_ for id_, _ in games.most_common(1)), "")
    if system_id and not games[system_id]:
        abort(404)
    systems = systems_of(db())
    tally = added(tally_of(event) for event in events if event.system == asked)
    names = {id_: scenario.name for id_, scenario in known_scenarios(db(), systems[asked]).items()} if asked else {}
    return _answer(
        f"{stem}-{asked}",
        sections(tally, systems[asked], names) if asked else [],
        totals=tally.totals,
        games=[systems[id_] for id_, _ in games.most_common()],
        game=systems.get(asked),
        least=LEAST,
        name=name,
    )


def _answer(stem: str, shown: Sequence[Section], **more: Any) -> ResponseReturnValue:
    """The page of these charts, or the figures of the one that is asked for."""
    if (file := figures_asked(stem, *(chart for section in shown for chart in section.charts))) is not None:
        return file
    return render_template("statistics/statistics.html", sections=shown, **more)


def tally_of(event: Event) -> Tally:
    """The figures of an event that is over. Lists can be shown by time alone, which changes no stamp."""
    name = f"statistics {lists_shown(event, now()):d}"
    return kept_in_public(event, name, lambda: load_tally(db(), event, now()))
