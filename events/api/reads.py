"""What everybody may read of an event, in the form of the interface."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from pydantic import BaseModel
from sqlmodel import Session

from events.api.player_items import player_in_teams
from events.api.schemas import (
    EVENT_COLUMNS,
    GAME_COLUMNS,
    AnnouncementItem,
    AwardItem,
    ClockItem,
    EventItem,
    GameDetail,
    GameItem,
    ListItem,
    QuestionItem,
    RatingItem,
    ResultItem,
    RoundItem,
    RuleItem,
    SeriesEventItem,
    SeriesItem,
    StandingItem,
)
from events.public.ratings_page import Ranked
from events.public.series_table import SeriesTable
from events.rounds.formats import rounds_expected
from events.standings.awards import decided
from events.standings.loading import is_corrected_in, is_ranked
from events.store.clock_queries import announcements_of, facts_of_clock, planned_of
from events.store.editions import system_of
from events.store.players import has_place, placed
from events.store.rounds import RoundView, ends_of, first_stage, is_for_third, why_alone
from events.store.scoring import ordered_by
from events.store.team_queries import is_team_event, names_of, teams_of
from events.store.verdicts import forces_of, terms_of, verdict_on
from events.store.visitor import Visitor
from events.tournament.boards import Board
from events.tournament.clock import read
from events.tournament.endings import Ending
from events.tournament.standings import Standings
from events.tournament.team_ranking import team_tie_breaks
from events.visitors import access
from models.event import Event, EventState, RoundKind, RoundState
from models.play import Absent, Game, GameState, Player, PlayerState
from validators.report_detail import TOTALS
from validators.scenario import Question

NOBODY = Visitor()
"""Reads show what a visitor without a sign-in sees, also to a token."""
OPEN_END = 10**6
Keyed = tuple[int, BaseModel]
"""An item with its place in the order of its collection, which is its cursor."""


def event_item(event: Event, players: int, now: datetime) -> EventItem:
    """An event as its page shows it, with this many players."""
    return EventItem(
        **{name: getattr(event, name) for name in EVENT_COLUMNS} | {"rounds": rounds_expected(event, players)},
        state=event.state,
        format=event.format,
        starts_on=event.starts_on,
        ends_on=ends_of(event),
        cancelled=event.cancelled_at is not None,
        registration=access.registration_window(event, now) if event.state == EventState.REGISTRATION else "closed",
        sign_up_by=event.sign_up_by,
        needs_code=access.needs_code(event, now),
        lists_locked=access.lists_locked(event, now),
        lists_shown=access.may_read_others(NOBODY, event, now),
        teams=is_team_event(event),
    )


def player_items(event: Event, players: Sequence[Player]) -> Iterator[Keyed]:
    """The players whom the event's page names, by id."""
    teams = names_of(teams_of(event))
    for player in players:
        waits = player.state == PlayerState.WAITING and access.may_see_entry(NOBODY, event, player)
        left = player.state == PlayerState.DROPPED and player.dropped_after and not player.ringer
        if waits or left or has_place(player):
            yield player.id, player_in_teams(player, teams)


def round_items(event: Event, views: Sequence[RoundView], players: int, now: datetime) -> Iterator[Keyed]:
    """The rounds, as everybody may see them; before round 1 those of an event with this many players."""
    planned = planned_of(event, [view.round for view in views])
    kind = first_stage(event).kind
    if event.state == EventState.REGISTRATION and kind in set(RoundKind):
        for number in range(1, rounds_expected(event, players) + 1):
            scenarios = [scenario.name for view in views[number - 1 : number] for scenario in view.announced]
            item = RoundItem(
                number=number, kind=RoundKind(kind), state=RoundState.PLANNED, complete=False, scenarios=scenarios,
                planned=planned.get(number), clock=None,
            )  # fmt: skip
            yield number, item
        return
    for view in views:
        round_ = view.round
        item = RoundItem(
            number=round_.number,
            kind=round_.kind,
            state=round_.state,
            complete=view.now.complete,
            scenarios=[scenario.name for scenario in view.announced],
            planned=planned.get(round_.number),
            clock=_clock(event, view, now),
        )
        yield round_.number, item


def _clock(event: Event, view: RoundView, now: datetime) -> ClockItem | None:
    if view.round.state != RoundState.PUBLISHED or event.season is not None:
        return None
    facts = facts_of_clock(event, view.round)
    reading = read(facts, event.clock_rules, now)
    return ClockItem(
        state=reading.state,
        started=facts.started_at,
        ends=reading.ends_at,
        left=None if reading.ends_at else reading.left,
        minutes=facts.minutes + facts.extra_seconds // 60,
    )


def announcement_items(s: Session, event: Event, now: datetime) -> Iterator[Keyed]:
    """The announcements that pages show, oldest first."""
    for announcement in reversed(announcements_of(s, event, now)):
        yield (
            announcement.id,
            AnnouncementItem(
                id=announcement.id, text=announcement.text, at=announcement.at, until=announcement.shown_until
            ),
        )


def game_items(views: Iterable[RoundView]) -> Iterator[Keyed]:
    published = [view for view in views if view.round.state == RoundState.PUBLISHED]
    pairs = [pair for view in published for pair in zip(view.games, view.now.boards, strict=True)]
    yield from enumerate((_game(game, board) for game, board in pairs), 1)


def _game(game: Game, board: Board) -> GameItem:
    return GameItem(
        id=game.id,
        round=board.round,
        scenario=board.scenario.name if board.scenario and game.b_id else None,
        state=game.state,
        for_third_place=is_for_third(game),
        result=_result(game, board),
        no_opponent=None if game.b_id else why_alone(game),
        **{name: getattr(game, name) for name in GAME_COLUMNS},
    )


def _result(game: Game, board: Board) -> ResultItem | None:
    """A result as the round's page shows it: none of a bye, or while it is open or disputed."""
    shown = game.state in (GameState.CONFIRMED, GameState.REPORTED) or game.absent is not None
    if game.b_id is None or not shown:
        return None
    score = board.score if game.absent is None else None
    is_known = score is not None and score.known
    unplayed = game.ending == Ending.NOT_PLAYED or game.absent == Absent.BOTH
    return ResultItem(
        vp_a=score.a if is_known and score else None,
        vp_b=score.b if is_known and score else None,
        winner=None if unplayed else board.winner,
        goes_through=board.decision,
        ending=game.ending.value if game.ending else None,
        absent=game.absent.value if game.absent else None,
    )


def game_detail(game: Game, board: Board) -> GameDetail:
    asked = board.scenario.questions if board.scenario is not None and game.b_id else ()
    return GameDetail(
        **dict(_game(game, board)), version=game.version, questions=[_question(question) for question in asked]
    )


def _question(question: Question) -> QuestionItem:
    open_end = question.most >= OPEN_END and question.key not in TOTALS
    most = None if question.kind == "choice" or open_end else question.most
    return QuestionItem(
        key=question.key, label=question.label, kind=question.kind, most=most, choices=list(question.choices)
    )


def standing_items(event: Event, table: Standings, after: int) -> Iterator[Keyed]:
    """The standings after a round, in their order; in a team event those of the teams."""
    rules, stage = table.t.rules, first_stage(event)
    counted, corrected = stage.counts != "places", is_corrected_in(event)
    labels = [label for _, label, _ in team_tie_breaks(rules.scheme)]
    labels = labels if rules.teams else [tie_break.label for tie_break in ordered_by(event)]
    for place, row in enumerate(table.after(after) if is_ranked(event, after) else (), 1):
        figures = (
            {label: str(figure.shown) for label, figure in zip(labels, row.figures, strict=False)} if counted else {}
        )
        yield (
            place,
            StandingItem(
                rank=None if row.disqualified else row.rank,
                id=row.id,
                name=row.name,
                played=row.played,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                points=row.points if counted and not stage.by_ladder else None,
                tie_breaks=figures,
                dropped=row.dropped,
                disqualified=row.disqualified,
                corrected=corrected,
            ),
        )


def list_items(event: Event, players: Sequence[Player], now: datetime) -> Iterator[Keyed]:
    """The locked lists, once everybody may read them, by their players' ids; before that none."""
    if not access.may_read_others(NOBODY, event, now):
        return
    forces, system, terms = forces_of(event), system_of(event), terms_of(event)
    for player in placed(players):
        force = forces.get(player.id)
        if force is None or not access.may_see_force(
            NOBODY, player, event, now, submitted=force.submitted, opponent=False
        ):
            continue
        summary, verdict = (
            system.forces.summarise(force.document, terms.edition),
            verdict_on(event, player, force, terms),
        )
        broken = [RuleItem(rule=problem.rule, message=problem.message) for problem in verdict.problems]
        yield (
            player.id,
            ListItem(
                player_id=player.id,
                faction=summary.faction,
                total=verdict.total,
                legal=verdict.legal,
                broken=broken,
                force=force.document,
            ),
        )


def award_items(s: Session, event: Event) -> Iterator[Keyed]:
    awards, corrected = [award for award in decided(s, event) if award.winners], is_corrected_in(event)
    for place, award in enumerate(awards, 1):
        yield (
            place,
            AwardItem(
                name=str(award.title),
                winners=[player.id for player in award.winners],
                figure=award.figure,
                corrected=corrected,
            ),
        )


def rating_items(rows: Sequence[Ranked]) -> Iterator[Keyed]:
    """The ranking in a game, provisional ratings last."""
    for place, ranked in enumerate(rows, 1):
        value, low, high = ranked.rating.rounded
        yield (
            place,
            RatingItem(
                rank=ranked.rank,
                name=ranked.person.public_name,
                rating=value,
                low=low,
                high=high,
                games=ranked.rating.games,
                person=ranked.person.id if ranked.person.shown else None,
            ),
        )


def series_items(table: SeriesTable) -> Iterator[Keyed]:
    for place, line in enumerate(table.lines, 1):
        events = [
            SeriesEventItem(
                name=event.name,
                day=event.starts_on,
                slug=event.slug,
                points=points,
                counts=counts,
            )
            for event, points, counts in zip(table.counted, line.events, line.counting, strict=True)
            if points is not None
        ]
        yield place, SeriesItem(rank=line.rank, name=line.name, points=line.points, events=events)
