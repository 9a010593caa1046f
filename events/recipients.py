"""Whom a message is for, by how they stand now, and what its placeholders stand for with each of them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session

from events.list_states import entries
from events.moments import in_utc
from events.readiness import owes
from events.reading import RoundView, current_round, players_of, round_views
from models.event import Event
from models.play import GameState, Player, PlayerState

GROUPS = {
    "all": "Everybody",
    "no_list": "Without a submitted list",
    "illegal": "With a list that is not legal",
    "sent_back": "With a list sent back",
    "unpaid": "Who have not paid",
    "not_here": "Not checked in",
    "paired": "In the current round",
    "playing": "Still playing this round",
    "waiting": "On the waiting list",
    "chosen": "Chosen by hand",
}
"""The words for each group; everybody is whoever has not left."""


def groups(s: Session, event: Event, now: datetime) -> dict[str, list[Player]]:
    """The players of every group of ``GROUPS`` at this moment, by name; those chosen by hand may be any."""
    present = sorted((p for p in players_of(s, event) if p.state != PlayerState.DROPPED), key=lambda p: p.name_key)
    lists = {one.player.id: one for one in entries(s, event, now)}
    view = current_round(round_views(s, event))
    games = view.games if view else ()
    drawn = {one for game in games for one in (game.a_id, game.b_id)}
    open_ = {one for game in games if game.state != GameState.CONFIRMED for one in (game.a_id, game.b_id)}
    return {
        "all": present,
        "no_list": [p for p in present if p.id in lists and lists[p.id].missing],
        "illegal": [p for p in present if p.id in lists and "illegal" in lists[p.id].states],
        "sent_back": [p for p in present if p.id in lists and "sent_back" in lists[p.id].states],
        "unpaid": [p for p in present if owes(event, p)],
        "not_here": [p for p in present if p.state == PlayerState.REGISTERED],
        "paired": [p for p in present if p.id in drawn],
        "playing": [p for p in present if p.id in open_],
        "waiting": [p for p in present if p.state == PlayerState.WAITING],
        "chosen": present,
    }


def recipients(s: Session, event: Event, group: str, now: datetime, chosen: Collection[int] = ()) -> list[Player]:
    """The players of one group; of those chosen by hand, whoever has not left since."""
    found = groups(s, event, now)[group]
    return [player for player in found if player.id in chosen] if group == "chosen" else found


def common_words(event: Event, views: Sequence[RoundView]) -> dict[str, str]:
    """What the placeholders stand for that are the same for everybody; one that says nothing yet is left out."""
    day = "%A %-d %B %Y"
    dates = event.starts_on.strftime(day)
    if event.ends_on != event.starts_on:
        dates += f" to {event.ends_on.strftime(day)}"
    words = {"event": event.name, "date": dates, "deadline": "before round 1"}
    if event.list_deadline:
        moment = event.list_deadline.astimezone(ZoneInfo(event.timezone))
        place, utc = event.timezone.replace("_", " "), in_utc(moment, event.timezone)
        words["deadline"] = f"by {moment.strftime('%a %-d %b %Y, %H:%M')} ({place} time, {utc})"
    if event.fee:
        words["fee"] = event.fee
    if event.place:
        words["place"] = event.place
    view = current_round(views)
    return words | ({"round": str(view.round.number)} if view else {})


def words_for(
    player: Player, common: Mapping[str, str], view: RoundView | None, names: Mapping[int, str]
) -> dict[str, str]:
    """The same for one player, with what is the player's own; of the newest published round, never of a draft."""
    words = {**common, "name": player.name}
    if view is None:
        return words
    game = next((game for game in view.games if player.id in (game.a_id, game.b_id)), None)
    if game is None:
        # While captains choose, nobody knows yet who plays whom.
        return words if view.choosing else words | {"game": "none in this round"}
    if game.b_id is None:
        return words | {"game": "a bye"}
    words |= {"table": str(game.table_number), "opponent": names[game.b_id if player.id == game.a_id else game.a_id]}
    return words | {"game": f"table {words['table']}, against {words['opponent']}"}
