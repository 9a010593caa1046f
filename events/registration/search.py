"""The desk's search: by part of a name, initials, club, team, table number or sheet code."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from events.lists.queries import ListEntry, entry
from events.store.ledger import load_payments
from events.store.players import by_name, has_place
from events.store.rounds import RoundView, round_view, stage_in
from events.store.team_queries import names_of, teams_of
from events.store.verdicts import terms_of
from events.web.parsing import code_typed, one_spelling, search_key, table_typed
from models.event import Event, Round, RoundState
from models.play import ForceList, Game, GameState, Player

BETWEEN = re.compile(r"[\s\-'’‘ʼ.,/&()]+")
LONGEST = 80
"""The characters of a search that are used."""


@dataclass(frozen=True)
class Findable:
    """A player with further searchable values."""

    player: Player
    team: str = ""
    table: int | None = None
    """The player's table in the current round."""
    code: str = ""
    """The code on the scoresheet of that game."""


def find(typed: str, rows: Iterable[Findable]) -> list[Player]:
    """The players that match, by name; none for an empty search.

    A number is a table, a code a scoresheet. Otherwise the first of these tests that any player passes: each typed word
    starts a word of the name; the letters are the initials; each typed word starts a word of the name, the club or the
    team; each starts a word of the name with ue for ü and the like; the text is part of the name.
    """
    wanted, rows = search_key(typed[:LONGEST]), sorted(rows, key=lambda row: by_name(row.player))
    words, spelt = _words(wanted), _one_spelling(typed[:LONGEST])
    if not words:
        return []
    initials, code, table = "".join(words), code_typed(typed), table_typed(typed)
    by_place = [r for r in rows if r.code == code or (table is not None and r.table == table)]
    named = by_place or [row for row in rows if begins(words, _words(search_key(row.player.name)))]
    named = named or [row for row in rows if _initials(row.player.name) == initials]
    named = named or [row for row in rows if begins(words, _all_words(row))]
    named = named or [row for row in rows if begins(spelt, _one_spelling(row.player.name))]
    named = named or [row for row in rows if wanted in search_key(row.player.name)]
    return [row.player for row in named]


def begins(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each typed word starts a different word in ``words``."""
    left = list(words)
    for text in sorted(typed, key=len, reverse=True):
        fits = next((word for word in left if word.startswith(text)), None)
        if fits is None:
            return False
        left.remove(fits)
    return True


def _words(folded: str) -> list[str]:
    return [word for word in BETWEEN.split(folded) if word]


def _one_spelling(text: str) -> list[str]:
    return _words(one_spelling(search_key(text)))


def _all_words(row: Findable) -> list[str]:
    return [word for text in (row.player.name, row.player.club, row.team) for word in _words(search_key(text))]


def _initials(name: str) -> str:
    return "".join(word[0] for word in _words(search_key(name)))


MOST_FOUND = 40
"""The most players shown; the rest are only counted."""


@dataclass(frozen=True)
class FoundPlayer:
    """A match of the search, with what staff need to know."""

    player: Player
    team: str
    game: Game | None
    """The oldest open game, else that of the newest published round."""
    round: int
    """The number of the game's round, or of the newest."""
    opponent: str
    """"" with a bye, and without a game."""
    list: ListEntry | None
    """None if the player has no place."""


def search(
    s: Session, event: Event, typed: str, now: datetime, *, lists: bool
) -> tuple[list[FoundPlayer], int, RoundView | None]:
    """The first ``MOST_FOUND`` matches, the number of all matches, and the newest published round.

    ``lists``: whether the visitor may see the state of lists. The number of queries is constant.
    """
    players, views = event.players, _in_play(s, event)
    at: dict[int, tuple[int, Game | None]] = {}
    for published in reversed(views):
        for game in published.games:
            for id_ in (game.a_id, game.b_id):
                if id_ is not None and (published is views[-1] or game.state != GameState.CONFIRMED):
                    at[id_] = published.round.number, game
    view = views[-1] if views else None
    rows = findable(event, players, [game for _, game in at.values() if game])
    meant = find(typed, rows)
    team_of = {row.player.id: row.team for row in rows}
    names = {player.id: player.name for player in players}
    shown = meant[:MOST_FOUND]
    load_payments(shown)
    ids = [player.id for player in shown] if lists else []
    forces = {
        force_list.player_id: force_list
        for force_list in s.exec(select(ForceList).where(col(ForceList.player_id).in_(ids)))
    }
    terms = terms_of(event) if lists and shown else None
    matches = []
    for player in shown:
        number, played = at.get(player.id, (view.round.number if view else 0, None))
        other = (played.b_id if played.a_id == player.id else played.a_id) if played else None
        judged = None
        if terms is not None and has_place(player):
            judged = entry(event, terms, player, forces.get(player.id), now)
        matches.append(FoundPlayer(player, team_of[player.id], played, number, names.get(other or 0, ""), judged))
    return matches, len(meant), view


def findable(event: Event, players: Sequence[Player], games: Iterable[Game] = ()) -> list[Findable]:
    teams = names_of(teams_of(event))
    at = {id_: game for game in games for id_ in (game.a_id, game.b_id) if id_ is not None}
    rows = []
    for player in players:
        game = at.get(player.id)
        team = teams.get(player.team_id or 0, "")
        rows.append(Findable(player, team, game.table_number, game.code) if game else Findable(player, team))
    return rows


def _in_play(s: Session, event: Event) -> list[RoundView]:
    """The newest published round, and before it the rounds of a round robin with open games."""
    rounds = [summary for summary in event.schedule if summary.state == RoundState.PUBLISHED]
    published = [round_.id for round_ in rounds]
    if not published:
        return []
    waits = select(Game.round_id).where(col(Game.round_id).in_(published[:-1]), col(Game.state) != GameState.CONFIRMED)
    still = {*s.exec(waits)} if any(stage_in(event, round_.kind).opens_together for round_ in rounds[:-1]) else set()
    return [round_view(event, s.get_one(Round, id_)) for id_ in published if id_ in still or id_ == published[-1]]
