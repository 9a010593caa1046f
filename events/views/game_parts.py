"""What every page of one game's result needs: its people and scenario, what its forces tell, who reported what."""

from collections.abc import Mapping
from typing import Any

from flask_wtf import FlaskForm

from events import access, access_lists, access_play
from events.actions import results
from events.actions.results import SHEET, Word
from events.outcomes import ended, score
from events.reading import (
    GameAtHand,
    edition_of,
    fielded_of,
    force_of,
    game_at_hand,
    list_size,
    player_of,
    players_of,
    scenario_in,
    system_of,
)
from events.team_reading import seat_id, teams_of
from events.views.request import db, now, visitor
from models.event import Event
from models.play import FieldedForce, ForceList, Game, GameState, Report, ReportSide
from validators.scenario import Doubt, Scenario, Side, Tally

OWN_GAME = "You play in this game. Report it on your own page; somebody else at the desk confirms it."
AGREES: dict[str, str] = {"agree-a": ReportSide.A, "agree-b": ReportSide.B, "agree-sheet": SHEET}
"""The buttons that say yes to a report, by its source."""


def game_context(event: Event, game: Game) -> dict[str, Any]:
    """The game's round, scenario and players, as its pages name them."""
    at = game_at_hand(db(), game.id)
    assert at is not None  # noqa: S101 - the game is there
    return context_of(event, at, scenario_in(db(), event, at.round, game))


def context_of(event: Event, at: GameAtHand, scenario: Scenario | None) -> dict[str, Any]:
    """The same of a game that was read with all that belongs to it."""
    return {"game": at.game, "round": at.round, "scenario": scenario, "a": at.a, "b": at.b, "event": event}


def tallies_of(event: Event, game: Game, scenario: Scenario | None) -> tuple[Tally, ...]:
    """What the forces of a game say about its figures, of each force that the visitor may see."""
    system = system_of(event)
    if system.tallies is None or scenario is None:
        return ()
    told: list[Tally] = []
    chosen = fielded_of(db(), game)
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    for side, player_id in sides:
        player = player_of(db(), event, player_id) if player_id else None
        if player is None:
            continue
        force: ForceList | FieldedForce | None
        if list_size(event) != event.size:
            force, seen = chosen.get(player.id), access_play.may_see_fielded(visitor(), player, len(chosen))
        else:
            force = roster = force_of(db(), player)
            submitted = roster is not None and roster.submitted
            seen = access_lists.may_see_force(visitor(), player, event, now(), submitted=submitted)
        if force is not None and seen and force.document["edition"] == event.edition:
            told += system.tallies(scenario, side, force.document, edition_of(db(), event))
    return tuple(told)


def names_in_draw(event: Event) -> dict[str, str]:
    """Every player's name by the id in the draw, and every team's."""
    names = {str(player.id): player.name for player in players_of(db(), event)}
    return names | {seat_id(team.id): team.name for team in teams_of(db(), event)}


def show_doubts(form: FlaskForm, doubts: tuple[Doubt, ...]) -> None:
    """Put what cannot have happened at its fields."""
    for doubt in doubts:
        for key in doubt.keys if doubt.refused else ():
            form[key].errors = [*form[key].errors, doubt.message]


def own_and_other(reports: Mapping[str, Report], side: ReportSide) -> tuple[Report | None, Report | None]:
    """This side's newest report, and the one to answer: the opponent's, else one from the paper sheet.

    The organiser has no other side. A player who has reported has answered the sheet's.
    """
    own, other = reports.get(side), {ReportSide.A: ReportSide.B, ReportSide.B: ReportSide.A}.get(side)
    if other is None:
        return own, None
    return own, reports.get(other) or (None if own else reports.get(SHEET))


def reported(event: Event, game: Game, scenario: Scenario) -> dict[str, Any]:
    """The reports of a game as its pages show them, by source, and what is to be done about them."""
    reports = results.latest(db(), game)
    waits = results.waiting(reports)
    sheet = reports.get(SHEET)
    return {
        "reports": reports,
        "scores": {source: score(event, scenario, r.answers, ended(r)) for source, r in reports.items()},
        "waiting": results.source_of(waits) if waits is not None and game.state == GameState.REPORTED else "",
        "replaced": waits is not None and sheet is not None and waits is not sheet and results.differ(waits, sheet),
    }


def desk_word(event: Event, game: Game, reason: str = "", *, from_paper: bool = False) -> Word:
    """What is stored with a result that the visitor enters at the desk."""
    own = access.plays_in(visitor(), event, game)
    return Word(reason, from_paper=from_paper, account_id=account_id(), own_game=own)


def account_id() -> int:
    """Whose account the visitor's is; a desk's page is open to nobody without one."""
    account = visitor().account
    assert account is not None  # noqa: S101 - managed_event has seen to it
    return account.id
