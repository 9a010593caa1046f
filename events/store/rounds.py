"""The rounds of an event with their games, and those in play.

Never load only some columns of a table: such instances have crashed the interpreter (decision 0180).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any, Literal
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from events.store.outcomes import board_of
from events.store.scenarios import scenarios_of
from events.store.scoring import adjustments_of, play_rules
from events.store.team_queries import is_team_event, match_of, matches_by_round, teams_of
from events.tournament.boards import Stage, TournamentRound, stage_of
from events.tournament.pairing import knockout, request
from events.tournament.pairing.notes import WALK_OVERS, notes_in
from events.tournament.pairing.request import Request
from events.tournament.season import window_of
from events.tournament.tournament import lost_by_card
from languages.dates import dated
from languages.message import Text, message, worded
from languages.words import N_, gettext, ngettext
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.parts import load_parts
from models.play import Game, GameState, Player, Through
from models.settings import EventFormat
from models.team import Team, TeamMatch
from validators.scenario import Scenario

# Built once: building a frequent query takes as long as running it.


def round_of(event: Event, number: int) -> Round | None:
    return next((round_ for round_ in event.schedule if round_.number == number), None)


def games_of(a_round: Round) -> Sequence[Game]:
    """A round's games by table, byes last."""
    return sorted(a_round.games, key=_by_table)


def games_by_round(rounds: Iterable[Round]) -> dict[int, list[Game]]:
    """The games of these rounds by the round's id, each round's by table, byes last."""
    rounds = list(rounds)
    load_parts(rounds, "games")
    return {round_.id: sorted(round_.games, key=_by_table) for round_ in rounds}


def _by_table(game: Game) -> tuple[bool, int, int]:
    return game.table_number is None, game.table_number or 0, game.id


def is_last_round(event: Event, rounds: Sequence[Round], number: int) -> bool:
    """Whether no round follows this one: none is planned, and the event's cut, if it has one, is made."""
    return rounds[-1].number == number and (not event.cut or rounds[-1].bracket is not None)


def newest_published(s: Session, event: Event) -> int | None:
    """The id of the newest published round; None before the first."""
    query = select(Round.id).where(Round.event_id == event.id, Round.state == RoundState.PUBLISHED)
    return s.exec(query.order_by(col(Round.number).desc()).limit(1)).first()


@dataclass(frozen=True)
class RoundView:
    """A round's rows for pages: its games and its scenario. What they mean is ``now``."""

    now: TournamentRound
    """The round as it stands."""
    round: Round
    games: tuple[Game, ...]
    scenario: Scenario | None
    """None until it is drawn, and if each table has its own scenario."""
    matches: tuple[TeamMatch, ...] = ()
    """In a team event: the matches of the games."""
    teams: tuple[Team, ...] = ()
    """In a team event: all teams."""
    own: Mapping[str, Scenario] = field(default_factory=dict)
    """The scenarios of tables that have their own, by id."""

    @property
    def stage(self) -> Stage:
        return self.now.stage

    def scenario_at(self, game: Game) -> Scenario | None:
        """The scenario of a game: its table's own or the round's; None until it is drawn."""
        return self.own[game.scenario] if game.scenario else self.scenario

    @property
    def played(self) -> tuple[Scenario, ...]:
        """The scenarios of all tables, each once; before the draw the round's, if chosen."""
        scenarios = {s.id: s for game in self.games if game.b_id and (s := self.scenario_at(game))}
        return tuple(scenarios.values()) or ((self.scenario,) if self.scenario else ())

    @property
    def announced(self) -> tuple[Scenario, ...]:
        """The scenarios of ``played`` that the public may see: before publication only chosen ones, not drawn ones."""
        if self.round.state == RoundState.PUBLISHED:
            return self.played
        return (self.scenario,) if self.scenario and not self.round.scenario_drawn else ()

    @property
    def shared(self) -> Scenario | None:
        """The scenario of all tables; None if they differ or it is not drawn yet."""
        return self.played[0] if len(self.played) == 1 else None

    @property
    def tied(self) -> tuple[Game, ...]:
        """Drawn games of a knockout without a decision on who advances."""
        return tuple(game for game in self.games if game.id in self.now.tied)

    def through_choices(self, game: Game) -> list[Through]:
        """Who can be chosen to advance from a drawn game: nobody only if nobody played it."""
        unplayed = any(board.id == game.id and board.unplayed for board in self.now.boards)
        return [side for side in Through if side != Through.NOBODY or unplayed]

    def title_of(self, game: Game) -> str:
        """The stage of a game where those of its round differ, such as "game for third place"; else ""."""
        return knockout_title(self.round, game) if game.b_id and self.has_game_for_third else ""

    @cached_property
    def has_game_for_third(self) -> bool:
        """Whether the round has a game for third place; asked for each game."""
        return any(map(is_for_third, self.games))

    def is_open(self, game: Game) -> bool:
        return game.state != GameState.CONFIRMED or game.id in self.now.tied

    @property
    def state(self) -> str:
        """The round's state on pages: planned, drawn, playing or complete."""
        if self.now.complete:
            return "complete"
        return "playing" if self.now.state == "published" else self.now.state

    @property
    def shown_state(self) -> str:
        """The key of the state's badge: "not_started" for a published round before a result or its clock."""
        return "not_started" if self.state == "playing" and not self.now.begun else self.state


def decided_words(decided: int, games: int, *, in_season: bool = False) -> str:
    """How far a round is, or a season: "3 of 6 tables decided"."""
    if in_season:
        return ngettext(
            "%(n)s of %(games)s game decided", "%(n)s of %(games)s games decided", games, n=decided, games=games
        )
    return ngettext(
        "%(n)s of %(tables)s table decided", "%(n)s of %(tables)s tables decided", games, n=decided, tables=games
    )


class _Loader:
    def __init__(self, event: Event, known: Mapping[str, Scenario] | None = None) -> None:
        self.event, self.rules = event, play_rules(event)
        self.known = scenarios_of(event) if known is None else known
        self.teams = tuple(teams_of(event)) if self.rules.teams else ()

    @cached_property
    def lost(self) -> Collection[tuple[int, str]]:
        return lost_by_card(adjustments_of(self.event))

    def views(self, rounds: Sequence[Round], shown: Collection[Round]) -> list[RoundView]:
        """These rounds, those that are ``shown`` with their games."""
        games = games_by_round(shown)
        load_parts([round_ for round_ in shown if round_.kind == RoundKind.KNOCKOUT], "draw")
        matches = matches_by_round(shown) if self.teams else {}
        return [self._view(round_, games.get(round_.id, ()), matches.get(round_.id, ())) for round_ in rounds]

    def _view(self, a_round: Round, games: Sequence[Game], matches: Sequence[TeamMatch]) -> RoundView:
        scenario = self.known[a_round.scenario] if a_round.scenario else None
        drawn = {game.scenario: self.known[game.scenario] for game in games if game.scenario}
        stage = stage_of(a_round.kind, self.rules.season, teams=self.rules.teams)
        now = TournamentRound(
            number=a_round.number,
            stage=stage,
            state=a_round.state.value,
            boards=tuple(
                board_of(self.rules, lambda: self.lost, a_round.number, drawn.get(game.scenario or "", scenario), game)
                for game in games
            ),
            matches=tuple(match_of(a_round.number, match) for match in matches),
            choosing=sum(match.matched_at is None for match in matches),
            team_size=self.rules.team_size,
            started=stage.by_days or a_round.started_at is not None,
            inputs=a_round.inputs if stage.one_wins else None,
        )
        return RoundView(now, a_round, tuple(games), scenario, tuple(matches), self.teams, drawn)


def round_views(event: Event, known: Mapping[str, Scenario] | None = None) -> list[RoundView]:
    """The rounds of the event with their games; ``known`` are the event's scenarios where they are loaded already."""
    return _Loader(event, known).views(rounds := event.schedule, rounds)


def round_view(event: Event, a_round: Round) -> RoundView:
    return _Loader(event).views([a_round], [a_round])[0]


def public_round_views(event: Event) -> list[RoundView]:
    """The rounds of the event; only the published ones with their games.

    The number of rounds that the first draw of a round robin, a knockout or a cut sets is public once it is published.
    """
    published = {round_.number: round_ for round_ in event.schedule if round_.state == RoundState.PUBLISHED}
    kinds = {round_.kind for round_ in published.values()}
    first = {"kind": RoundKind(event.format), "bracket": None} if first_stage(event).sets_rounds and not kinds else {}
    rounds = [
        published.get(round_.number) or _planned(round_, **first)
        for round_ in event.schedule
        if round_.kind in kinds or (round_.number == 1 if first else not round_.bracket)
    ]
    return _Loader(event).views(rounds, published.values())


def each_table_draws(event: Event) -> bool:
    """Whether each table draws its own scenario; the tables of teams play one."""
    return event.scenario_per_table and not is_team_event(event)


def current_round(views: Sequence[RoundView]) -> RoundView | None:
    """The newest published round."""
    published = [v for v in views if v.round.state == RoundState.PUBLISHED]
    return published[-1] if published else None


def first_open_round(views: Sequence[RoundView]) -> int:
    """The number of the first incomplete round, or of the last round."""
    return next((v.round.number for v in views if not v.now.complete), len(views))


def newest_view(s: Session, event: Event) -> RoundView | None:
    """The newest published round with its games; None before the first."""
    round_id = newest_published(s, event)
    return round_view(event, s.get_one(Round, round_id)) if round_id is not None else None


def _planned(a_round: Round, **changed: Any) -> Round:
    """An unpublished round as planned, without its draw; a copy that belongs to no session."""
    values = a_round.model_dump() | {"state": RoundState.PLANNED} | changed
    if a_round.scenario_drawn:
        values |= {"scenario": None, "scenario_drawn": False}
    return Round(**values)


def stage_in(event: Event, kind: RoundKind | EventFormat) -> Stage:
    return stage_of(kind, event.season, teams=is_team_event(event))


def first_stage(event: Event) -> Stage:
    """The stage that the event begins with, by its format: a cut adds a knockout."""
    return stage_in(event, event.format)


def rounds_in_play(views: Sequence[RoundView]) -> list[RoundView]:
    """The published rounds with open games, and the newest published round."""
    newest = current_round(views)
    return [view for view in views if view.state == "playing" or view is newest]


def request_drawn(the_round: Round) -> Request:
    assert the_round.inputs is not None  # noqa: S101 - it is drawn
    return request.from_document(the_round.inputs)


def knockout_title(the_round: Round, game: Game | None = None) -> str:
    """The stage of a knockout round, such as "quarter-finals", or of one ``game`` in it; "" for any other round."""
    if not the_round.bracket:
        return ""
    if game is not None and is_for_third(game):
        return gettext("game for third place")
    return str(knockout.stage(the_round.bracket, many=game is None))


NO_OPPONENT = {"asked": N_("bye asked for"), "walk_over": N_("walk-over"), "bye": N_("bye")}


def why_alone(game: Game) -> Literal["asked", "walk_over", "bye"]:
    if game.asked:
        return "asked"
    return "walk_over" if any(note.kind in WALK_OVERS for note in notes_in(game.notes)) else "bye"


def no_opponent(game: Game) -> str:
    """What a side without an opponent has: "bye", "bye asked for" or "walk-over"."""
    return gettext(NO_OPPONENT[why_alone(game)])


def is_for_third(game: Game) -> bool:
    return any(note.figures.get("third") for note in notes_in(game.notes))


def through_text(game: Game, side: Through, a: str, b: str) -> Text:
    """Whom a decision lets advance from a knockout game of these players: "Ada goes through", "Ada is third"."""
    name, third = {"a": a, "b": b}.get(side, ""), is_for_third(game)
    final = not third and any(note.figures.get("places") == 2 for note in notes_in(game.notes))
    if not name:
        shared, none = message("third place is shared"), message("the final has no winner")
        return shared if third else none if final else message("nobody goes through")
    if third:
        return message("%(name)s is third", name=name)
    return message("%(name)s wins the final", name=name) if final else message("%(name)s goes through", name=name)


def through_words(game: Game, side: Through, people: Mapping[int, Player]) -> str:
    assert game.b_id is not None  # noqa: S101 - a bye is not decided
    return worded(through_text(game, side, people[game.a_id].name, people[game.b_id].name))


def days_of(event: Event, form: str) -> str:
    """The event's day, or its first and last, each in this form of ``languages.dates.dated``."""
    first, last = event.starts_on, ends_of(event)
    if first == last:
        return dated(first, form)
    return gettext("%(first)s to %(last)s", first=dated(first, form), last=dated(last, form))


def over_at(event: Event) -> datetime:
    return datetime.combine(ends_of(event) + timedelta(days=1), time.min, ZoneInfo(event.timezone))


def never_played(event: Event, now: datetime) -> bool:
    return is_unbegun(event) and now >= over_at(event)


def is_unbegun(event: Event) -> bool:
    return event.state in (EventState.DRAFT, EventState.REGISTRATION)


def rounds_follow(event: Event) -> bool:
    """Whether the number of rounds follows from the players, and is not known before they are drawn."""
    stage = first_stage(event)
    return is_unbegun(event) and stage.sets_rounds and stage.has_rounds


def ends_of(event: Event) -> date:
    season = event.season
    if season is None:
        return event.ends_on
    # A season by challenge lasts at least as long as a challenge made on its first day.
    challenged = event.starts_on if season.by_challenge else None
    return max(event.ends_on, window_of(season, event.starts_on, max(event.rounds, 1), challenged)[1])
