"""A season's fixtures and its cross table, on paper."""

from collections.abc import Iterator, Sequence

from events.rounds.endings import endings_in
from events.rounds.queries import scores_of
from events.seasons.league_queries import play_by
from events.standings.loading import standings_in
from events.standings.pips import result_letter
from events.store.rounds import RoundView, first_stage
from events.tournament.ranking import Cell, cross_table
from events.tournament.standings import Standings
from events.visitors.event_loading import players_in, public_views_in
from languages.words import gettext, labelled, minus
from models.event import Event, RoundState
from pdf.game_sheet import GameSheet
from pdf.table import Col, Table

MOST_WITH_VP = 8
"""Players whose cross table has room for VP on each paper."""
MOST_CROSSED = 16
"""Players whose cross table has room on each paper."""


def season_sheets(event: Event) -> list[GameSheet]:
    """The games of each published round, or all challenges, with their results, and the cross table; first nothing."""
    views = [view for view in public_views_in(event) if view.round.state == RoundState.PUBLISHED]
    crossed = (
        [*_crossed(standings_in(event), has_points=not first_stage(event).by_ladder)]
        if first_stage(event).crossed
        else []
    )
    blocks = (*_fixtures(event, views), *crossed)
    return [GameSheet(gettext("Fixtures"), (), blocks)] if blocks else []


def _fixtures(event: Event, views: Sequence[RoundView]) -> Iterator[Table]:
    people = {player.id: player for player in players_in(event)}
    columns = (
        Col(gettext("Player"), "figure", strong=True), Col(gettext("Result"), "centre", share=0.26),
        Col(gettext("Player"), strong=True), Col(gettext("Play by")),
    )  # fmt: skip
    tables = dict[str, list[tuple[str, ...]]]()
    for view in views:
        scores, ended = scores_of(view), endings_in(event, view)
        number = gettext("Round %(number)s", number=view.round.number)
        rows = tables.setdefault(number if view.stage.has_rounds else gettext("Challenges"), [])
        for game in view.games:
            if game.b_id:
                score, how = scores.get(game.id), ended.get(game.id)
                result = score.figures if score else how.absent or how.ending if how else ""
                result = "" if view.is_open(game) else result
                rows.append((people[game.a_id].name, result, people[game.b_id].name, play_by(event, view, game)))
    every = [row for rows in tables.values() for row in rows]
    for title, rows in tables.items():
        if rows:
            yield Table(columns, rows, title=title, ruled=not any(row[1] for row in rows), aligned=every)


def _crossed(table: Standings, *, has_points: bool) -> Iterator[Table]:
    """Each row's games against the players of the columns, who are named by the numbers of their rows."""
    rows = table.of_players()
    if not 0 < len(rows) <= MOST_CROSSED:
        return
    cells, to_play = cross_table(table.t.results(len(table.t.rounds))), table.t.open_pairs()

    def shown(cell: Cell) -> str:
        letter = result_letter(cell.outcome)
        return letter if cell.vp is None or len(rows) > MOST_WITH_VP else f"{letter} {cell.vp}:{cell.vp_against}"

    def between(text: str, other: str) -> str:
        number = to_play.get((text, other))
        return ", ".join([*map(shown, cells.get((text, other), ())), *([f"r{number}"] if number else [])])

    columns = (
        Col("#", "figure"),
        Col(gettext("Player"), strong=True),
        *(Col(str(n), "centre") for n in range(1, len(rows) + 1)),
        *[Col(gettext("Points"), "figure")] * has_points,
    )
    lines = [
        (
            str(place),
            row.name,
            *("–" if row is other else between(row.id, other.id) for other in rows),
            *[minus(row.points)] * has_points,
        )
        for place, row in enumerate(rows, 1)
    ]
    first = [
        labelled(f"r{n}", gettext("to be played in round %(number)s", number=n)) for n in sorted(to_play.values())[:1]
    ]
    yield Table(columns, tuple(lines), title=gettext("Cross table"), note="".join(first))
