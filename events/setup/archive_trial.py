"""Tries out an imported event: what its pages read must be readable."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter
from sqlmodel import Session, col, select

from events.journal.invariants import check_play
from events.messages.queries import messages_of
from events.messages.text import filled_line, pieces
from events.registration.questions import questions_of, valid_answers
from events.rounds.bracket import shown_bracket
from events.rounds.inputs import is_stale
from events.rounds.outcome import best_costs, costs_now, locked_in
from events.rounds.pairings_file import pairings_of
from events.setup.archive_file import UnreadableArchive
from events.setup.event_rules import event_rules
from events.standings.awards import decided
from events.standings.queries import standings_of
from events.standings.soft_scores import soft_scores
from events.store.campaign import campaign_document, campaign_rules
from events.store.clock_queries import clock_of, turns_of
from events.store.editions import system_of
from events.store.games import reports_of
from events.store.outcomes import ended as how_ended
from events.store.rounds import RoundView, request_drawn, round_views
from events.store.scenarios import scenarios_of
from events.store.scoring import knows_vp
from events.store.tournaments import load
from events.store.verdicts import forces_of, sealed_lists, terms_of, verdict_on
from events.tournament.pairing.files import reader_of
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.request import Request
from events.tournament.pairing.seats import Levels, event_document, rules_of_event
from events.tournament.pairing.words import sentences
from events.tournament.points_table import checked
from events.tournament.scores import doubts_about, score
from events.tournament.season import arranged_document, arranged_in
from events.tournament.tie_breaks import TIE_BREAKS
from languages.words import N_, gettext, ngettext
from models.event import Event, Round, RoundState
from models.message import Delivery
from models.play import FieldedForce, ForceList, ForceStep, Game, GameState, Player
from validators.force_file import check_size
from validators.strict_json import sha256_of

MOST_WITH_KNOCKOUT = 40
"""The most rounds of an event with its knockout."""
Faults = Iterator[str]


def try_out(s: Session, event: Event, now: datetime) -> None:
    """Calculate everything about a newly stored event. Raises UnreadableArchive if its rows contradict each other."""
    for what, trial in TRIALS.items():
        try:
            faults = list(trial(s, event, now))
        except Exception as broken:
            # Any error here would break a page later, so every kind of error is the file's fault.
            raise UnreadableArchive(
                gettext(
                    "%(place)s: the rows do not fit together (%(error)s)",
                    place=gettext(what),
                    error=type(broken).__name__,
                )
            ) from broken
        if faults:
            raise UnreadableArchive(*(f"{gettext(what)}: {fault}" for fault in faults[:12]))


def _settings(s: Session, event: Event, now: datetime) -> Faults:
    ZoneInfo(event.timezone)
    time.fromisoformat(event.starts_at or "00:00")
    asked = questions_of(event)
    for player in event.players:
        if valid_answers(asked, player.answers or {}) != player.answers:
            yield gettext("%(name)s has answers without a question", name=player.name)
    if event.campaign is not None:
        rules, campaign = campaign_rules(event), dict(event.campaign)
        former = rules.former if rules else {}
        campaign["settings"] = {key: value for key, value in campaign["settings"].items() if key not in former}
        if rules is None or campaign_document(rules, **campaign) != campaign:
            yield gettext("the settings of the campaign are invalid")
    if event.draw_rules is not None and event_document(rules_of_event(event.draw_rules)) != event.draw_rules:
        yield gettext("the rules of the draw are invalid")
    if event.points_table is not None and not (checked(event.points_table) and knows_vp(event)):
        yield gettext("the points table is invalid")
    if len(set(event.tie_breaks)) < len(event.tie_breaks) or not set(event.tie_breaks) <= TIE_BREAKS.keys():
        yield gettext("a tie-break is unknown, or appears twice")
    if not set(event.scenario_pool) <= scenarios_of(event).keys():
        yield gettext("a scenario of the pool is unknown")
    terms = terms_of(event)
    event_rules(event, terms), system_of(event).checks.rules_added(terms)


def _rounds(s: Session, event: Event, now: datetime) -> Faults:
    loaded = load(event)
    views, players, order = loaded.views, loaded.players, list(RoundState)[::-1]
    if [view.round.number for view in views] != list(range(1, len(views) + 1)) or not (
        event.rounds <= len(views) <= MOST_WITH_KNOCKOUT
    ):
        yield ngettext(
            "%(num)s round does not fit an event of %(rounds)s",
            "%(num)s rounds do not fit an event of %(rounds)s",
            len(views),
            rounds=event.rounds,
        )
        return
    states = [order.index(view.round.state) for view in views]
    if states != sorted(states) or states.count(order.index(RoundState.DRAWN)) > 1:
        yield gettext("a round is published before an earlier round")
    for view in views:
        yield from _round(s, event, view, {*loaded.t.sides})
        if view.round.state == RoundState.DRAWN:
            is_stale(loaded, view.round.number)
    for team in views[0].teams if views else ():
        if any(player.team_id == team.id and player.event_id != event.id for player in players):
            yield gettext("the team %(name)s has players of another event", name=team.name)


def _round(s: Session, event: Event, view: RoundView, sides: set[str]) -> Faults:
    the_round, name = view.round, gettext("round %(number)s", number=view.round.number)
    drawn = the_round.state != RoundState.PLANNED
    if event.by_challenge and drawn and the_round.inputs is None and the_round.outcome is None:
        for game in view.games:
            yield from _game(s, event, view, game)
        return
    kept = (the_round.inputs, the_round.outcome, the_round.seed)
    if any((value is not None) != drawn for value in kept):
        missing, stored = (
            N_("%(name)s is drawn, but its draw is missing"),
            N_("%(name)s has a draw, but is not drawn"),
        )
        yield gettext(missing if drawn else stored, name=name)
        return
    if not drawn:
        if view.games or view.matches:
            yield gettext("%(name)s has games but is not drawn", name=name)
        return
    read = reader_of(Request).model_validate_json(json.dumps(the_round.inputs), strict=True)
    request = request_drawn(the_round)
    if request.round != the_round.number or not {seat.id for seat in request.seats} <= sides or read is None:
        yield gettext("%(name)s was drawn for another round or other players", name=name)
    locked_in(the_round)
    for costs in (best_costs(the_round), costs_now(the_round)):
        if TypeAdapter(dict[str, int]).validate_python(costs, strict=True).keys() < set(Levels.__dataclass_fields__):
            yield gettext("%(name)s was drawn without its levels", name=name)
    for notes in (*(game.notes for game in view.games), *(match.notes for match in view.matches)):
        sentences(notes_in(notes))
    if pairings_of(event, the_round) is None:
        yield gettext("%(name)s was drawn without a result", name=name)
    for game in view.games:
        yield from _game(s, event, view, game)


def _game(s: Session, event: Event, view: RoundView, game: Game) -> Faults:
    name = gettext("round %(number)s, table %(table)s", number=view.round.number, table=game.table_number)
    scenario = view.scenario_at(game)
    if game.b_id is None:
        return
    if scenario is None:
        yield gettext("%(name)s: has no scenario", name=name)
        return
    if len(game.code) < 4 or not game.code.isascii() or not game.code.isalnum():
        yield gettext("%(name)s: has no code", name=name)
    if arranged_document(arranged_in(game.arranged)) != game.arranged:
        yield gettext("%(name)s: its dates are invalid", name=name)
    board = next(board for board in view.now.boards if board.id == game.id)
    _ = board.winner, board.score
    confirmed = game.state == GameState.CONFIRMED and game.absent is None
    if confirmed and (answers := game.answers) is not None:
        _answers(answers)
        if any(doubt.refused for doubt in doubts_about(system_of(event), scenario, answers)):
            yield gettext("%(name)s: the result is impossible", name=name)
    for report in reports_of(s, game):
        _answers(report.answers)
        if report.answers:
            score(system_of(event), scenario, report.answers, how_ended(report))


def _answers(answers: Mapping[str, Any]) -> None:
    TypeAdapter(dict[str, int | str]).validate_python(answers, strict=True)


def _standings(s: Session, event: Event, now: datetime) -> Faults:
    loaded = load(event)
    table = standings_of(event, loaded.t, loaded.players)
    for after in range(1, loaded.t.counted + 1):
        table.after(after), table.of_players(after)
    shown_bracket(loaded.t, loaded.views)
    soft_scores(event, event.players)
    decided(s, event)
    yield from ()


def _lists(s: Session, event: Event, now: datetime) -> Faults:
    terms, system = terms_of(event), system_of(event)
    forces = forces_of(event)
    names = {player.id: player for player in event.players}
    rows: list[tuple[int, dict[str, Any]]] = [(id_, force.document) for id_, force in forces.items()]
    steps = select(ForceStep, ForceList.player_id).join(ForceList).join(Player).where(Player.event_id == event.id)
    rows += [(id_, step.document) for step, id_ in s.exec(steps)]
    fielded = select(FieldedForce).join(Player).where(Player.event_id == event.id)
    rows += [(fielded_force.player_id, fielded_force.document) for fielded_force in s.exec(fielded)]
    for id_, document in rows:
        check_size(document)
        if document.get("edition") == terms.edition.id and system.forces.read(document, terms.edition) != document:
            yield gettext("the list of %(name)s is not as this version writes it", name=names[id_].name)
    for id_, force in forces.items():
        verdict_on(event, names[id_], force, terms)
        system.forces.summarise(force.document, terms.edition)
    for id_, seals in sealed_lists(event).items():
        for seal in seals:
            if sha256_of(seal.text) != seal.sha256 or not isinstance(json.loads(seal.text), dict):
                yield gettext("the sealed list of %(name)s has another hash", name=names[id_].name)


def _rest(s: Session, event: Event, now: datetime) -> Faults:
    for message in messages_of(s, event):
        pieces(message.text, message.words), filled_line(message.subject, message.words)
    for delivery in s.exec(select(Delivery).join(Player).where(Player.event_id == event.id)):
        TypeAdapter(dict[str, str]).validate_python(delivery.words, strict=True)
    rounds = s.exec(select(Round).where(Round.event_id == event.id).order_by(col(Round.number))).all()
    for view in round_views(event):
        clock_of(event, view, rounds, now, None)
    turns_of(s, event)
    return iter(())


TRIALS: Mapping[str, Callable[[Session, Event, datetime], Faults]] = {
    N_("settings"): _settings,
    N_("lists"): _lists,
    N_("rounds"): _rounds,
    N_("standings"): _standings,
    N_("messages and clock"): _rest,
    N_("event"): lambda s, event, _: (what for _, what in check_play(s, event)),
}
