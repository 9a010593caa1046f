"""Stored campaigns: rules and settings, steps, and the history calculated from them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from events.store.editions import edition_of, system_of
from events.store.errors import Refused
from events.store.players import player_of
from events.store.tournaments import tournament_of
from events.store.verdicts import terms_of
from events.tournament.boards import Board
from events.tournament.endings import Ending
from events.tournament.tournament import Tournament
from languages.message import Text, as_data
from languages.words import gettext
from models.campaign import CampaignStep
from models.event import Event, EventState
from models.play import ForceList, Game, Player, PlayerState
from validators.campaign import (
    RULING,
    UNDONE,
    CampaignRules,
    Dice,
    Outcome,
    Played,
    Readiness,
    Roll,
    Step,
    StepRefused,
    World,
)
from validators.campaign_changes import CANNOT_FOLLOW
from validators.campaign_history import History, new_world, replay, replay_step
from validators.contract import Document, Terms
from validators.scenario import Scenario, Side

KNOWN: dict[int, History] = {}
"""The last calculated history by event. Unchanged steps are not calculated again."""
MOST_KNOWN = 8


def campaign_rules(event: Event) -> CampaignRules | None:
    return None if event.campaign is None else system_of(event).campaign


def campaign_document(
    rules: CampaignRules, settings: Mapping[str, str], plan: Mapping[str, Any], seed: int | None, version: int = 0
) -> dict[str, Any]:
    """A campaign as an event stores it; ``version`` 0 is the current one. Raises ValueError for an unknown choice."""
    chosen = rules.chosen(settings)
    for setting in rules.settings:
        if chosen[setting.key] not in dict(setting.choices):
            raise ValueError(f"{setting.label}: {chosen[setting.key]} is no choice")
    seeded = None if seed is None else str(seed)
    return {"settings": chosen, "plan": dict(plan), "seed": seeded, "version": version or rules.version}


def roll_document(roll: Roll) -> dict[str, Any]:
    return {"why": as_data(roll.why), "sides": roll.sides, "results": list(roll.results)}


def step_of(row: CampaignStep) -> Step:
    rolls = tuple(Roll(roll["why"], roll["sides"], tuple(roll["results"])) for roll in row.rolls)
    return Step(row.number, row.player_id, row.kind, row.data, rolls, row.typed, row.place, row.again)


def rows_of(s: Session, event: Event) -> Sequence[CampaignStep]:
    """The steps of a campaign in their order, with those set aside."""
    place = func.coalesce(col(CampaignStep.place), col(CampaignStep.number))
    statement = select(CampaignStep).where(CampaignStep.event_id == event.id).order_by(place)
    return s.exec(statement).all()


def row_of_step(event: Event, step: Step, now: datetime, seed: str | None = None) -> CampaignStep:
    return CampaignStep(
        event_id=event.id, player_id=step.group, number=step.number, kind=step.kind, data=as_data(step.data),
        rolls=list(map(roll_document, step.rolls)), typed=step.typed, again=step.again, seed=seed, place=step.place,
        at=now,
    )  # fmt: skip


def keep_rolls(s: Session, event: Event, deleted: Iterable[Step], now: datetime) -> None:
    """Mark the dice of deleted steps: they were seen, and a group that is still founded gets the same ones again."""
    rows = rows_of(s, event)
    number, groups = (
        max((row.number for row in rows), default=0),
        {row.player_id for row in rows if row.kind == "found"},
    )
    for step in deleted:
        marker = step if step.kind == UNDONE else step.undo_marker(0)
        if marker is not None and step.group in groups:
            number += 1
            s.add(row_of_step(event, replace(marker, number=number, place=None), now))


def founded(s: Session, event: Event) -> set[int]:
    of_event = CampaignStep.event_id == event.id
    return set(s.exec(select(CampaignStep.player_id).where(of_event, col(CampaignStep.kind) == "found")))


def beginning(event: Event) -> World:
    rules = campaign_rules(event)
    assert rules is not None and event.campaign is not None  # noqa: S101 - the caller asked for a campaign
    players, stored = event.players, event.campaign
    names = {player.id: player.name for player in players}
    left = [player.id for player in players if player.state == PlayerState.DROPPED]
    return new_world(rules, edition_of(event), stored["settings"], stored["plan"], names, event.size, left)


def campaign_history(s: Session, event: Event, rows: Iterable[CampaignStep] | None = None) -> History:
    """The campaign's history; ``rows`` if read already. Raises Refused if the steps do not fit the current rules."""
    rows = list(rows_of(s, event) if rows is None else rows)
    start, steps = beginning(event), [step_of(row) for row in rows if not row.aside]
    try:
        _check_former(event, start.rules, steps)
    except StepRefused as why:
        raise Refused(_unreadable(event, start.rules, steps[0].number, why)) from why
    cached = KNOWN.get(event.id, History((start,)))
    first = cached.worlds[0]
    if first.rules is not start.rules or first.edition.id != start.edition.id or first != start:
        cached = History((start,))
    same = sum(1 for _ in takewhile(lambda pair: pair[0].step == pair[1], zip(cached.entries, steps, strict=False)))
    history = History(cached.worlds[: same + 1], cached.entries[:same])
    for step in steps[same:]:
        try:
            history = replay_step(history, step)
        except CANNOT_FOLLOW as why:
            raise Refused(_unreadable(event, start.rules, step.number, why)) from why
    KNOWN.pop(event.id, None)
    KNOWN[event.id] = history
    while len(KNOWN) > MOST_KNOWN:
        KNOWN.pop(next(iter(KNOWN)), None)
    return replace(history, aside=tuple(step_of(row) for row in rows if row.aside))


def _check_former(event: Event, rules: CampaignRules, steps: Sequence[Step]) -> None:
    """Raises StepRefused if steps were taken with another choice of a former setting than the rules make now."""
    if steps and event.campaign:
        rules.check_former(event.campaign["settings"])


def _unreadable(event: Event, rules: CampaignRules, number: int, why: Exception) -> str:
    then = event.campaign["version"] if event.campaign else 0
    message = gettext(
        "This version of Overseer cannot read step %(number)s, which was taken with version %(then)s of the campaign’s"
        " rules: %(why)s",
        number=number, then=then, why=why,
    )  # fmt: skip
    if then == rules.version:
        message = gettext(
            "This version of Overseer cannot read step %(number)s, which was taken with the campaign’s rules: %(why)s",
            number=number, why=why,
        )  # fmt: skip
    about = gettext(
        "Nothing is lost. Games, results and standings work as before; steps and groups do not. Organiser: ask the"
        " operator to run the version of Overseer with which the campaign began, or to restore the backup from before"
        " the change. “overseer doctor” lists the steps."
    )
    return f"{message} {about}"


OUTCOMES: Mapping[str, tuple[Outcome, Outcome]] = {
    "a": ("win", "loss"), "b": ("loss", "win"), "draw": ("draw", "draw"), "both": ("loss", "loss"),
}  # fmt: skip
"""The results of both sides, by the winning one. A game that both forfeited both have lost."""
Games = Mapping[int, Mapping[int, Played]]
"""Confirmed games by id, in the order of rounds, each from the sides of its players; player A's is the first."""


def campaign_results(t: Tournament) -> Games:
    """The confirmed games that campaign steps can follow; ``won_against_rating`` is 0."""
    games: dict[int, dict[int, Played]] = {}
    for board in (board for a_round in t.published for board in a_round.boards):
        scenario, winner = board.scenario, board.winner
        if board.b is None or not board.confirmed or scenario is None or winner is None:
            continue
        fought = board.absent is None and board.how.how != Ending.NOT_PLAYED
        score = board.score if fought and winner == "draw" else None
        vp_a, vp_b = (score.a, score.b) if score else (0, 0)
        of_a, of_b = _objectives(scenario, board, "a"), _objectives(scenario, board, "b")
        (won_a, won_b), a, b = OUTCOMES["both" if board.absent == "both" else winner], int(board.a), int(board.b)
        games[board.id] = {
            a: Played(board.id, board.round, won_a, b, scenario.id, 0, fought, vp_a, vp_b, of_a),
            b: Played(board.id, board.round, won_b, a, scenario.id, 0, fought, vp_b, vp_a, of_b, home=False),
        }
    return games


def _objectives(scenario: Scenario, board: Board, side: Side) -> Sequence[str] | None:
    """The objective that a side reported, if any; None if the report does not ask for it."""
    if scenario.detail != "full":
        return None
    rolled = (board.answers or {}).get(f"{side}.objective")
    return [str(rolled)] if rolled else []


def fights(world: World, group: int) -> Document | None:
    """The force that a group brings to its next battle; None while its steps are open or it is not founded."""
    state = world.groups.get(group)
    if state is None or group in world.phases:
        return None
    return world.rules.brings(state) if world.rules.brings else world.rules.document(state)


def brought(s: Session, event: Event, player: Player) -> ForceList | None:
    """What a player brings to a game: the force list, or in a campaign the group's force as an unsaved list."""
    if event.campaign is None:
        return player.force_list
    try:
        document = fights(campaign_history(s, event).world, player.id)
    except Refused:
        return None
    at = event.created_at
    return ForceList(player_id=player.id, document=document, saved_at=at, submitted_at=at) if document else None


def terms_of_battle(event: Event) -> Terms:
    """The terms for checking the part of a list that a player fields in one game."""
    terms, rules = terms_of(event), campaign_rules(event)
    return rules.battle_terms(event.campaign["settings"], terms) if rules and event.campaign else terms


def group_name(world: World, group: int) -> str:
    """The group's own name; "" if it has none, or its player's."""
    name = str(world.rules.document(world.groups[group]).get("name", ""))
    return "" if name == world.names.get(group) else name


def pending(history: History, games: Games, player_id: int) -> list[int]:
    """The ids of the player's games without steps after them, in order; none before the group is founded."""
    if player_id not in history.world.groups:
        return []
    done = {entry.step.data["game"] for entry in history.entries_of(player_id) if entry.step.kind == "play"}
    return [id_ for id_, sides in games.items() if player_id in sides and id_ not in done]


def played_with(history: History, group: int, game: int) -> World | None:
    """The world before the group's steps after a game; None if they are not begun."""
    steps = (entry.step for entry in history.entries_of(group) if entry.step.kind == "play")
    return next((history.before(step.number) for step in steps if step.data["game"] == game), None)


@dataclass(frozen=True)
class Brought:
    """What a group brought to a game, or the most that it can have brought while that is not known."""

    document: Document
    most: int | None = None
    """The most that a battle allows, of the whole group. None: this is what was mustered."""
    forfeits: int = 0
    """The points that a battle needs, where the group forfeits it or has fewer; else 0."""


def mustered(s: Session, event: Event, game: Game) -> dict[int, Brought]:
    """What the groups of a game brought to it, by player id; of a group that is not founded, its locked list.

    Before the steps after an earlier game, or without a muster, it is the whole group up to the size of a battle.
    """
    try:
        history = campaign_history(s, event)
    except Refused:
        return {}
    games, most = campaign_results(tournament_of(event, drafts=True)), terms_of_battle(event).size
    broughts: dict[int, Brought] = {}
    for id_ in filter(None, (game.a_id, game.b_id)):
        earlier_world = played_with(history, id_, game.id)
        world = earlier_world or history.world
        if (state := world.groups.get(id_)) is None:
            player = player_of(s, event, id_)
            force = player.force_list if player else None
            broughts |= {id_: Brought(force.document, most)} if force and force.submitted_at else {}
        elif earlier_world is None and (set(pending(history, games, id_)) - {game.id} or id_ in world.phases):
            broughts[id_] = Brought(world.rules.document(state), most, _forfeits(world, id_))
        elif document := fights(world, id_):
            broughts[id_] = Brought(document, forfeits=_forfeits(world, id_))
    return broughts


def _forfeits(world: World, group: int) -> int:
    now = world.rules.readiness(world, group) if world.rules.readiness else None
    return now.least if now and now.forfeits else 0


def comes(history: History, games: Games, group: int) -> Readiness | None:
    """How a group comes to its next battle; None if it has none, or its steps after an earlier game are not begun."""
    world, played = history.world, history.world.played.get(group)
    if world.rules.readiness is None or group in world.left or group not in world.groups or (played and played.last):
        return None
    return None if pending(history, games, group) else world.rules.readiness(world, group)


def to_forfeit(t: Tournament, history: History, games: Games) -> dict[int, list[int]]:
    """The open games that will not be fought, by id, with the groups that forfeit them: of each group the next one."""
    rows, met = dict[int, list[int]](), set[int]()
    for board in (played for a_round in t.published for played in a_round.boards if played.b and not played.confirmed):
        for id_ in (int(board.a), int(board.b or 0)):
            if id_ not in met and (now := comes(history, games, id_)) and now.forfeits:
                rows.setdefault(board.id, []).append(id_)
            met.add(id_)
    return rows


def muster_words(history: History, games: Games, group: int, *, own: bool = False) -> str:
    """Why a group cannot fight its next battle yet, or will not; "" if it can. ``own``: its player reads it."""
    if (now := comes(history, games, group)) is None:
        return ""
    name = gettext("Your group") if own else history.world.names[group]
    if now.decided == "forfeits":
        return gettext("%(name)s forfeits the next battle: the desk records it.", name=name)
    if now.is_short:
        return gettext(
            "%(name)s has fewer than the %(least)s points that a battle needs, and forfeits it: the desk records it.",
            name=name, least=now.least,
        )  # fmt: skip
    return "" if now.decided else gettext("%(name)s has not mustered.", name=name)


def stepped(s: Session, event: Event, game: Game) -> set[int]:
    """The ids of the players whose groups have begun their steps after a game."""
    steps = (row for row in rows_of(s, event) if row.kind == "play" and not row.aside)
    return {row.player_id for row in steps if row.data["game"] == game.id}


@dataclass(frozen=True)
class Todo:
    """The open steps of a group: those of its founding, or after its oldest game without them."""

    against: str
    """The opponent's name in the game before them; "" for a new group."""
    place: int
    """Of the present phase, from 1; 0: the steps are not begun."""
    of: int
    phase: str
    """The title of the present phase."""
    over: bool = False
    """Whether they stayed open when the event was closed: nobody can take them."""
    round: int = 0
    """The round of its oldest game whose steps are not begun; 0 for none."""

    @property
    def at_last(self) -> bool:
        return self.place == self.of


def todo_of(event: Event, history: History, games: Games, group: int) -> Todo | None:
    """The open steps of a group; None if it has none, and for a group that has left."""
    if group in history.world.left:
        return None
    world, of, over = history.world, len(history.world.rules.phases), event.state == EventState.FINISHED
    oldest = next((games[id_][group] for id_ in pending(history, games, group)), None)
    number = oldest.round if oldest else 0
    if phase := world.phase(group):
        against = world.names[world.played[group].opponent] if group in world.played else ""
        return Todo(against, world.phases[group] + 1, of, gettext(phase.title), over, number)
    return Todo(world.names[oldest.opponent], 0, of, gettext("not begun"), over, number) if oldest else None


def doubt_of(s: Session, history: History, player: Player) -> tuple[Text, str]:
    """What the rules find to doubt in the records of the group's present phase, and why that forbids to go on."""
    played = history.world.played.get(player.id)
    game = s.get(Game, played.game) if played else None
    side = "a." if game and game.a_id == player.id else "b."
    answers = (game.answers if game else None) or {}
    report = {key.removeprefix(side): value for key, value in answers.items() if key.startswith(side)}
    return history.world.rules.doubt(history.world, player.id, report)


def settling_rulings(history: History) -> dict[int, Mapping[str, Any]]:
    """The data of the newest ruling that settles a step, by the step's number."""
    rulings = (entry.step.data for entry in history.entries if entry.step.kind == RULING)
    return {data["settles"]: data for data in rulings if data.get("settles")}


def counted_of(game: Played | None) -> dict[str, Any]:
    """The part of a result that a ruling can settle, in JSON values; empty for no result."""
    names = ("result", "scenario", "fought", "points", "opponent_points")
    return {} if game is None else {name: getattr(game, name) for name in names}


def differing(history: History, games: Games) -> list[tuple[Step, Played, Played | None]]:
    """The steps whose game has a different result now: the step, the result that counts, and the current result."""
    rows, rulings = [], settling_rulings(history)
    for step in (entry.step for entry in history.entries if entry.step.kind == "play"):
        kept, now = Played(**step.data), games.get(step.data["game"], {}).get(step.group)
        counts = rulings[step.number]["counts"] if step.number in rulings else counted_of(kept)
        if counted_of(now) != counts:
            rows.append((step, replace(kept, **counts), now))
    return rows


def faults(s: Session, event: Event) -> Iterator[str]:
    """The faults of a stored campaign, found by calculating its history again and comparing ledgers and dice."""
    rules, rows = campaign_rules(event), rows_of(s, event)
    if rules is None:
        if rows:
            yield f"{len(rows)} steps of a campaign, but the event is not a campaign"
        return
    try:
        steps = [step_of(row) for row in rows if not row.aside]
        _check_former(event, rules, steps)
        history = replay(beginning(event), steps)
    except CANNOT_FOLLOW as wrong:
        yield f"the campaign's steps cannot follow each other: {wrong}"
        return
    for group, state in history.world.groups.items():
        if history.sums(group) != rules.balances(state):
            yield f"the ledger of {history.world.names.get(group, group)} does not match the group"
    for row in rows:
        if row.seed is not None:
            dice = Dice(int(row.seed))
            again = [roll_document(dice.roll(roll["why"], roll["sides"], len(roll["results"]))) for roll in row.rolls]
            if again != row.rolls:
                yield f"step {row.number} of the campaign has dice that its seed does not give"
