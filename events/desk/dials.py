"""The desk's progress as rings: before the first round, who is here and which lists are in."""

from collections.abc import Sequence

from markupsafe import Markup

from events.charts.shares import dial
from events.lists.queries import lists_in
from events.play.rounds import RoundView, is_unbegun
from events.web.request import db
from languages.words import gettext, noted
from models.event import Event, EventState
from models.play import Game, GameState, Player, PlayerState

SIGNS = {GameState.CONFIRMED: "check", GameState.REPORTED: "clock", GameState.DISPUTED: "cross"}
SAID = {
    GameState.OPEN: noted("playing"), GameState.CONFIRMED: noted("done"), GameState.REPORTED: noted("one report"),
    GameState.DISPUTED: noted("disputed"),
}  # fmt: skip


def progress_dials(event: Event, players: Sequence[Player], *, count: int) -> list[tuple[Markup, str]]:
    """A ring, with its words, for each thing to complete before the first round. ``count``: players with a place."""
    rings: list[tuple[str, int, int]] = []
    if is_unbegun(event):
        if event.places:
            rings.append((gettext("places taken"), count, event.places))
        submitted, needed = lists_in(db(), event, players)
        if needed:
            rings.append((gettext("lists submitted"), submitted, needed))
    if event.state == EventState.REGISTRATION and event.season is None:
        rings.append((gettext("checked in"), sum(p.state == PlayerState.CHECKED_IN for p in players), count))
    return [
        (dial(f"dial-{i}", part, whole, f"{part}/{whole}", words), words)
        for i, (words, part, whole) in enumerate(rings)
    ]


def tables_in(view: RoundView) -> list[tuple[Game, str, str | None]]:
    """The round's games at a table, in the order of the tables, each with its state in a word and its icon."""
    said = SAID if view.now.begun else SAID | {GameState.OPEN: noted("waiting")}
    games = sorted((game for game in view.games if game.table_number), key=lambda game: game.table_number or 0)
    return [(game, gettext(said[game.state]), SIGNS.get(game.state)) for game in games]
