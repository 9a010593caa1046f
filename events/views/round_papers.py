"""What a round's papers say: its pairings, and the standings so far, from rows to the dataclasses of ``pdf``."""

from collections.abc import Mapping

from events.actions.standings import scheme_of, standings
from events.actions.team_standings import team_standings
from events.brackets import stage_of
from events.pairing.teams import team_tie_breaks
from events.pairing.tie_breaks import TIE_BREAKS
from events.reading import RoundView, players_by_id, players_of
from events.team_reading import seat_id, seat_of, teams_of
from events.views.request import db, local
from models.event import Event, EventFormat, EventState
from models.play import Game, Player
from pdf.pairings import PairedPlayer, PairingRow, RoundPairings
from pdf.standings import Column, Standings


def round_pairings(event: Event, view: RoundView) -> RoundPairings:
    """A round's pairings."""
    the_round, people = view.round, players_by_id(db(), event)
    rows = tuple(_row(view, game, people) for game in view.games)
    starts = f"{event.round_minutes} minutes"
    if the_round.published_at:
        starts = f"from {local(the_round.published_at, event, '%H:%M')}, {starts}"
    stage = stage_of(the_round)
    title = f"Round {the_round.number}, {stage}" if stage else ""
    return RoundPairings(event.name, the_round.number, rows, view.shared.name if view.shared else "", starts, title)


def standings_after(event: Event, after: int, complete: int) -> Standings:
    """The players' standings after a round; ``complete`` are those that are."""
    people = {str(p.id): p for p in players_of(db(), event)}
    order = [TIE_BREAKS[name] for name in event.tie_breaks]
    counted = event.format != EventFormat.KNOCKOUT  # a knockout from the start has places alone
    figures = (
        Column("W-D-L", "centre", "wins, draws and losses at the table"),
        Column("Not played"),
        Column("TP", "right", "tournament points", strong=True),
        *(Column(t.label, "right", t.explanation) for t in order),
    )
    columns = (
        Column("#", "right", strong=True),
        Column("Player", stretch=True, strong=True),
        Column("Club", stretch=True),
        Column("Faction", stretch=True),
        *(figures if counted else ()),
    )
    rows = tuple(
        (
            "–" if row.disqualified else str(row.rank),
            row.name
            + (" (disqualified)" if row.disqualified else " (dropped)" if row.dropped else "")
            + (f", {row.how['place']}" if "place" in row.how else ""),
            people[row.id].club,
            people[row.id].faction,
            *(
                (
                    f"{row.wins}-{row.draws}-{row.losses}",
                    ", ".join(row.unplayed),
                    str(row.points),
                    *(figure.shown for figure in row.figures),
                )
                if counted
                else ()
            ),
        )
        for row in (standings(db(), event, after) if after else [])
    )
    return Standings(
        event.name,
        after,
        columns,
        rows,
        ("Tournament points", *(t.label for t in order)) if counted else ("Bracket", "seed"),
        final=event.state == EventState.FINISHED and after == complete,
    )


def team_standings_after(event: Event, after: int, complete: int) -> Standings:
    """The teams' standings after a round; ``complete`` are those that are."""
    tie_breaks = team_tie_breaks(scheme_of(event))
    clubs = {seat_id(one.id): one.club for one in teams_of(db(), event)}
    columns = (
        Column("#", "right", strong=True),
        Column("Team", stretch=True, strong=True),
        Column("Club", stretch=True),
        Column("W-D-L", "centre", "matches won, drawn and lost"),
        Column("Byes", "right"),
        Column("TP", "right", "tournament points of the team", strong=True),
        *(Column(label, "right", meaning) for _, label, meaning in tie_breaks),
    )
    rows = tuple(
        (
            str(row.rank),
            row.name + (" (dropped)" if row.dropped else ""),
            clubs[row.id],
            f"{row.wins}-{row.draws}-{row.losses}",
            str(row.byes or ""),
            str(row.points),
            *(figure.shown for figure in row.figures),
        )
        for row in (team_standings(db(), event, after) if after else [])
    )
    return Standings(
        event.name,
        after,
        columns,
        rows,
        ("Tournament points", *(label for _, label, _ in tie_breaks)),
        final=event.state == EventState.FINISHED and after == complete,
        of_teams=True,
    )


def _paired(player: Player, game: Game) -> PairedPlayer:
    return PairedPlayer(player.name, player.club, player.faction, seat_of(db(), player, game))


def _row(view: RoundView, game: Game, people: Mapping[int, Player]) -> PairingRow:
    a, b = people[game.a_id], people[game.b_id] if game.b_id else None
    scenario = view.scenario_at(game) if b and view.shared is None else None
    fixed = game.table_number is not None and any(one and one.fixed_table == game.table_number for one in (a, b))
    return PairingRow(
        game.table_number, _paired(a, game), _paired(b, game) if b else None,
        _without(game), scenario.name if scenario else "", fixed=fixed,
    )  # fmt: skip


def _without(game: Game) -> str:
    """What a player without an opponent has this round."""
    if game.asked:
        return "bye asked for"
    return "walk-over" if any("walk-over" in note for note in game.notes) else "bye"
