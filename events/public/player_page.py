"""A player's page: its state, the player's rounds so far, and the event's shared data behind all players' pages.

The shared data (``Snapshot``) is loaded once for each state of the event. It contains only what every player may see,
and nothing that changes with time alone: the published rounds, the standings after each complete one, the players. No
force, draft or message. Games of incomplete rounds may have changed since, so a player's own ones (``own_games``) and
other own rows are read with each request, and permissions are checked then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Literal

from sqlalchemy import Executable, bindparam
from sqlalchemy import select as select_rows
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from events.journal.calendar import entries_since
from events.results.calls import Call, open_calls
from events.results.queries import Decision, decided_at_desk, decisions_on
from events.standings.awards import decided
from events.standings.published_awards import holds_final, is_embargoed
from events.standings.queries import standings_of
from events.store.clock_queries import timed_games
from events.store.games import waits_for_opponent
from events.store.journal import entries_of_kind
from events.store.outcomes import lone_board, missed_rounds, own_score
from events.store.rounds import (
    RoundView,
    current_round,
    first_stage,
    knockout_title,
    public_round_views,
)
from events.store.tournaments import tournament_from
from events.tournament.ranking import Row
from events.tournament.tournament import Tournament
from events.web.page_cache import shared
from events.web.request import db
from languages.message import Text
from languages.words import gettext
from models.event import Event, EventState, Round, RoundState
from models.journal import JournalEntry
from models.message import Delivery
from models.play import ForceList, Game, GameState, Payment, Player, PlayerState
from validators.scenario import Outcome


@dataclass(frozen=True)
class Snapshot:
    """An event as its players see it. Its rows belong to no session and are never changed."""

    cache_bytes: ClassVar[int] = 20_000_000
    """Its size in bytes with 500 players after five rounds."""
    rounds: Sequence[Round]
    view: RoundView | None
    """The newest published round."""
    complete: bool
    """Whether that round is complete."""
    t: Tournament
    """The event as it stands, with what its published rounds mean."""
    timed: Sequence[Game]
    """Its games with extra time that are still being played."""
    played: Mapping[int, Sequence[tuple[RoundView, Game]]]
    """Each player's games and byes in published rounds, in order."""
    held: bool
    """The standings after the last round wait for the awards; they are not here."""
    corrected: bool
    """Whether they wait because the published ones are being corrected."""
    standings: Sequence[Mapping[int, Row]]
    """The standings after each complete round, in order, by player; empty in team events."""
    people: Mapping[int, Player]
    with_list: frozenset[int]
    """The players who have a force list, submitted or a draft."""
    submitted: frozenset[int]
    """The players whose list is submitted."""
    incomplete: frozenset[int]
    """The ids of the published rounds that are not complete."""
    won: Mapping[int, Sequence[Text]]
    """The titles of each player's published awards; empty before the event is closed."""
    ruled: frozenset[int]
    """Players with a ruling on them or their team. Its text is not here, because only they may read it."""
    written: frozenset[int]
    """Players with messages from the organiser."""
    paid: frozenset[int]
    """Players with payments. What they paid is not here."""
    conceded: Mapping[int, tuple[str, int]]
    """By conceded game, the winner's id and the VP that count where they exceed those scored."""
    calls: Mapping[int, Call]
    """The open calls for a judge, by game."""
    settings: Sequence[tuple[datetime, Mapping[str, Any]]]
    """The changes of settings during registration; empty later."""
    cancelled: Mapping[int, JournalEntry]
    """Each player's newest challenge that ended without a game, unless another came since; empty without challenges."""
    decided: frozenset[int]
    """The games that the desk decided with a reason. It is not here, because only the two players may read it."""


def snapshot_of(s: Session, event: Event) -> Snapshot:
    """Load the event's current state, in this session's transaction."""
    with Session(s.connection()) as own:  # in its own session state: the caller's rows stay untouched
        return _read(own, own.get_one(Event, event.id))


def _read(s: Session, event: Event) -> Snapshot:
    rounds = public_round_views(event)
    views = [view for view in rounds if view.round.state == RoundState.PUBLISHED]
    view = current_round(views)
    played: dict[int, list[tuple[RoundView, Game]]] = {}
    for round_view in views:
        for game in round_view.games:
            for player_id in (game.a_id, game.b_id):
                if player_id is not None:
                    played.setdefault(player_id, []).append((round_view, game))
    players = event.players
    people, t = {player.id: player for player in players}, tournament_from(event, rounds, players)
    standings = [] if t.rules.teams else standings_of(event, t, players).each(t.counted)
    held = is_embargoed(s, event, t)
    ruled_teams = {ruling.team_id for ruling in event.team_rulings}
    lists = s.exec(
        select(ForceList.player_id, ForceList.submitted_at).join(Player).where(Player.event_id == event.id)
    ).all()
    loaded = Snapshot(
        rounds=event.schedule,
        view=view,
        complete=view is not None and view.now.complete,
        t=t,
        timed=timed_games(view) if view else (),
        played=played,
        held=held,
        corrected=held and not holds_final(event),
        standings=[{int(row.id): row for row in rows} for rows in (standings[:-1] if held else standings)],
        people=people,
        incomplete=frozenset(shown.round.id for shown in views if not shown.now.complete),
        with_list=frozenset(id_ for id_, _ in lists),
        submitted=frozenset(id_ for id_, at in lists if at is not None),
        won=_won(s, event),
        ruled=frozenset(ruling.player_id for ruling in event.rulings)
        | {id_ for id_, player in people.items() if player.team_id in ruled_teams},
        conceded=t.conceded_vp(),
        calls={call.game_id: call for call in open_calls(s, event)},
        settings=entries_since(s, event, event.created_at) if event.state == EventState.REGISTRATION else (),
        cancelled={} if first_stage(event).has_rounds else _cancelled(s, event, played),
        decided=decided_at_desk(s, event),
        paid=frozenset(s.exec(select(Payment.player_id).where(Payment.event_id == event.id))),
        written=frozenset(s.exec(select(Delivery.player_id).join(Player).where(Player.event_id == event.id))),
    )
    s.expunge_all()
    return loaded


def _cancelled(
    s: Session, event: Event, played: Mapping[int, Sequence[tuple[RoundView, Game]]]
) -> dict[int, JournalEntry]:
    ended = entries_of_kind(s, event, "cancel-challenge")
    newest = {id_: entry for entry in ended for id_ in entry.details["players"]}
    made = {entry.details["game"]: entry.id for entry in entries_of_kind(s, event, "challenge")} if ended else {}
    since = {id_: max(made.get(game.id, 0) for _, game in games) for id_, games in played.items()}
    return {id_: entry for id_, entry in newest.items() if entry.id > since.get(id_, 0)}


def _won(s: Session, event: Event) -> dict[int, list[Text]]:
    rows: dict[int, list[Text]] = {}
    if event.state == EventState.FINISHED and event.awards_published_at is not None:
        for prize in decided(s, event):
            for winner in prize.winners:
                rows.setdefault(winner.id, []).append(prize.title)
    return rows


@dataclass(frozen=True)
class OwnGames:
    """A player's games of incomplete rounds, as they are now."""

    by_id: Mapping[int, Game]
    waiting: frozenset[int]
    """The ids of those that the player has reported, and that wait for the opponent to confirm."""
    begun: frozenset[int]
    """The ids of their rounds in which any game has a result."""


@cache  # building it takes longer than running it
def _own_games() -> Executable:
    any_game = aliased(Game)
    reported = (
        (col(any_game.state) != GameState.OPEN) & col(any_game.b_id).is_not(None) & col(any_game.absent).is_(None)
    )
    begun = select(any_game.id).where(any_game.round_id == Game.round_id, reported).exists()
    waits = waits_for_opponent(bindparam("player"))
    return select_rows(Game, waits, begun).where(col(Game.id).in_(bindparam("ids", expanding=True)))


def own_games(s: Session, shared: Snapshot, player: Player) -> OwnGames:
    ids = [game.id for view, game in shared.played.get(player.id, ()) if view.round.id in shared.incomplete]
    rows = s.execute(_own_games(), {"ids": ids, "player": player.id}).all() if ids else ()
    return OwnGames(
        {game.id: game for game, _, _ in rows},
        frozenset(game.id for game, waits, _ in rows if waits),
        frozenset(game.round_id for game, _, has_begun in rows if has_begun),
    )


def own_decisions(s: Session, shared: Snapshot, player: Player, own: OwnGames) -> Mapping[int, Decision]:
    """The desk's decisions on the player's games, by game id."""
    scenarios = {}
    for view, game in shared.played.get(player.id, ()):
        now, scenario = own.by_id.get(game.id, game), view.scenario_at(game)
        is_decided = game.id in own.by_id or game.id in shared.decided
        if is_decided and scenario and now.state == GameState.CONFIRMED and now.absent is None:
            scenarios[game.id] = scenario
    return decisions_on(s, scenarios)


class Now(StrEnum):
    """The state of a player's page; each has a template ``hall/now/<state>.html``."""

    OVER = "over"
    LEFT = "left"
    WAITING = "waiting"
    BOARDS = "boards"
    """The captains are still choosing the boards of the match."""
    GAME = "game"
    BYE = "bye"
    NO_GAME = "no_game"
    COMPLETE = "complete"
    REGISTERED = "registered"
    LADDER = "ladder"
    """In a season by challenge, without an open game."""


@dataclass(frozen=True)
class PageFacts:
    event: EventState
    player: PlayerState
    round: Literal["none", "playing", "complete"] = "none"
    """The current game's round, or the newest published round."""
    game: Literal["none", "bye", "open", "decided"] = "none"
    """The player's game in that round: none, a bye, without or with a confirmed result."""
    matched: bool = False
    """Whether the player's team has a match in that round, in a team event."""
    challenges: bool = False
    """Whether a season by challenge is running, without a knockout."""


def now_of(facts: PageFacts) -> Now:
    """The state of a player's page. A player who dropped still sees an unplayed game."""
    if facts.event == EventState.FINISHED:
        return Now.OVER
    if facts.player == PlayerState.DROPPED and not (facts.round == "playing" and facts.game == "open"):
        return Now.LEFT
    if facts.player == PlayerState.WAITING:
        return Now.WAITING
    if facts.challenges and facts.game != "open":
        return Now.LADDER
    if facts.round == "complete":
        return Now.COMPLETE
    if facts.round == "playing":
        if facts.game == "none":
            return Now.BOARDS if facts.matched else Now.NO_GAME
        return Now.BYE if facts.game == "bye" else Now.GAME
    return Now.REGISTERED


@dataclass(frozen=True)
class PublishedRound:
    number: int
    stage: str
    """The stage of a knockout round; "" for others."""
    game: Game | None
    """None for a round that the player missed."""
    opponent: Player | None
    result: str
    """"win", "draw", "loss", "bye"; "" if nothing counts yet; for a missed round the reason."""
    vp: tuple[int, int] | None
    """The player's and the opponent's victory points, if they count."""
    points: int | None
    """The tournament points after this round; None before it is complete."""
    rank: int | None
    """The rank after this round; None before it is complete."""
    why: str = ""
    """Why the higher total has not simply won; "" if it has."""


@dataclass(frozen=True)
class Standing:
    """A player's rank after the last complete round."""

    rank: int
    of: int
    points: int
    after: int
    place: Text
    """How the place in a knockout was won; "" if points gave the rank."""


def open_games(shared: Snapshot, player: Player, own: OwnGames) -> list[tuple[RoundView, Game]]:
    """The player's games without a result in simultaneous rounds, oldest first; those that wait for the opponent last.

    The first one is that of ``events.store.rounds.own_game``.
    """
    played = [(view, own.by_id.get(game.id, game)) for view, game in shared.played.get(player.id, ())]
    rows = [
        (view, game)
        for view, game in played
        if view.stage.opens_together and game.b_id is not None and game.state != GameState.CONFIRMED
    ]
    return sorted(rows, key=lambda row: row[1].id in own.waiting)


def at_hand(shared: Snapshot, player: Player, own: OwnGames) -> tuple[RoundView, Game] | None:
    """The player's first open game, else the game or bye in the newest published round; with its round."""
    played = shared.played.get(player.id, ())
    newest = [(view, own.by_id.get(game.id, game)) for view, game in played[-1:] if view is shared.view]
    return next(iter([*open_games(shared, player, own), *newest]), None)


def record_of(shared: Snapshot, event: Event, player: Player, own: OwnGames) -> tuple[PublishedRound, ...]:
    """The player's rounds in order, of a season those with a report; ``own`` games are newer than the snapshot's."""
    played = [(view, own.by_id.get(game.id, game)) for view, game in shared.played.get(player.id, ())]
    lines = [
        _line(shared, event, view, game, player)
        for view, game in played
        if event.season is None or game.state != GameState.OPEN
    ]
    if event.season is None and shared.view is not None:
        published = range(1, shared.view.round.number + 1)
        for number, why in missed_rounds(player, published, {line.number for line in lines}).items():
            lines.append(PublishedRound(number, "", None, None, why, None, *_after(shared, number, player)))
    return tuple(sorted(lines, key=lambda line: line.number))


def standing_of(shared: Snapshot, player: Player) -> Standing | None:
    """The player's rank; None before round 1 is complete, and for players who are not ranked."""
    row = shared.standings[-1].get(player.id) if shared.standings else None
    if row is None or row.disqualified:
        return None
    return Standing(row.rank, len(shared.standings[-1]), row.points, len(shared.standings), row.how.get("place", ""))


def _line(shared: Snapshot, event: Event, view: RoundView, game: Game, player: Player) -> PublishedRound:
    number = view.round.number
    # A season's rounds run at the same time.
    points, rank = _after(shared, number, player) if event.season is None else (None, None)
    is_a = player.id == game.a_id
    other = game.b_id if is_a else game.a_id
    board = shared.t.boards[game.id]
    if view.round.id in shared.incomplete:
        board = lone_board(event, number, view.scenario_at(game), game)
    score = own_score(board.score if board.confirmed and board.absent is None else None, "a" if is_a else "b")
    return PublishedRound(
        number=number,
        stage=knockout_title(view.round, game) if view.stage.has_rounds else gettext("challenge"),
        game=game,
        opponent=shared.people.get(other) if other is not None else None,
        result=_result(board.winner, game, "a" if is_a else "b"),
        vp=(score.own, score.other) if score is not None and score.known else None,
        points=points,
        rank=rank,
        why=score.why if score is not None else "",
    )


def _after(shared: Snapshot, number: int, player: Player) -> tuple[int | None, int | None]:
    """The player's points and rank after a complete round; a knockout has no points."""
    row = shared.standings[number - 1].get(player.id) if number <= len(shared.standings) else None
    if row is None:
        return None, None
    points = None if shared.t.rounds[number - 1].stage.counts == "places" else row.points
    return points, None if row.disqualified else row.rank


def _result(winner: Outcome | None, game: Game, side: Outcome) -> str:
    if game.b_id is None:
        return "bye"
    return "" if winner is None else "draw" if winner == "draw" else "win" if winner == side else "loss"


def snapshot(event: Event) -> Snapshot:
    return shared(event, "snapshot", lambda: snapshot_of(db(), event))
