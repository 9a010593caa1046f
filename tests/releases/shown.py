"""What an event shows: compared before and after an upgrade."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select

from events.rounds.bracket import shown_bracket
from events.seasons.campaign_queries import ledger
from events.standings.awards import decided
from events.standings.queries import standings_of
from events.store.campaign import campaign_history
from events.store.rounds import RoundView
from events.store.team_queries import is_team_event
from events.store.tournaments import load
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.words import sentences
from languages.words import in_sentence
from models.event import Event
from models.journal import JournalEntry


def shown(s: Session, event: Event) -> dict[str, Any]:
    """The pairs, standings after each round, bracket, awards, ledgers and journal, by the names of players."""
    loaded = load(event)
    views, t, table = loaded.views, loaded.t, standings_of(event, loaded.t)
    names = {player.id: player.name for player in event.players} | {None: ""}
    after = range(1, t.counted + 1)
    found: dict[str, Any] = {
        "name": event.name,
        "rounds": [_round(view, names) for view in views],
        "standings": {str(number): _rows(table.of_players(number)) for number in after},
        "bracket": [[shown_round.name, len(shown_round.matches)] for shown_round in shown_bracket(t, views)[0]],
        "awards": [
            [a_decided.award.name, sorted(player.name for player in a_decided.winners)]
            for a_decided in decided(s, event)
        ],
        "journal": [[one.at.isoformat(), one.actor, one.text] for one in _entries(s, event)],
    }
    if is_team_event(event):
        found["team standings"] = {str(number): _rows(table.of_teams(number)) for number in after}
    if event.campaign is not None:
        history = campaign_history(s, event)
        found["ledgers"] = {
            names[id_]: [_as_released(row) for row in ledger(history, id_).rows] for id_ in history.world.groups
        }
    return found


def _as_released(row: Sequence[str]) -> list[str]:
    """A row of a ledger as 0.3.0 worded it: with hyphens, and the name of the fallen in the reason, too."""
    cells = [cell.replace("−", "-") for cell in row]
    if cells[2].startswith(("Lost in round", "Died in round")):
        cells[2] = f"{cells[1]} {in_sentence(cells[2])}"
    return cells


PAIR_DOWN = re.compile(r"^([\d.-]+) against (\S+ points?)")
NEAREST = re.compile("on the whole no draw without a rematch(.*) is nearer")
"""The reason of a pair-down that 0.3.0 gave as “nothing nearer without a rematch”."""

AS_0_4_0 = {"bye: place": "walk-over: place", "were paired before": "have met before"}
"""How that release worded these notes."""


def _round(view: RoundView, names: Mapping[int | None, str]) -> list[Any]:
    return [view.round.state, *(_game(view, game, names) for game in view.games)]


def _game(view: RoundView, game: Any, names: Mapping[int | None, str]) -> list[Any]:
    scenario = view.scenario_at(game)
    won = next(board.winner for board in view.now.boards if board.id == game.id) if scenario else None
    notes = [PAIR_DOWN.sub(r"pair-down from \1 to \2", note) for note in sentences(notes_in(game.notes))]
    notes = [NEAREST.sub(r"nothing nearer without a rematch\1", note) for note in notes]
    for today, then in AS_0_4_0.items():
        notes = [note.replace(today, then) for note in notes]
    return [
        game.table_number,
        names[game.a_id],
        names[game.b_id],
        scenario.id if scenario else "",
        game.state,
        won,
        notes,
    ]


def _rows(rows: Sequence[Any]) -> list[Any]:
    """Places of a knockout as 0.3.0 had them: those out in the same round in the order of seeds, without sharing."""
    return [
        [
            place if row.how.get("place") else row.rank,
            row.name,
            row.points,
            [str(figure.shown) for figure in row.figures],
        ]
        for place, row in enumerate(rows, start=1)
    ]


def _entries(s: Session, event: Event) -> Any:
    return s.exec(select(JournalEntry).where(JournalEntry.event_id == event.id).order_by(col(JournalEntry.id)))
