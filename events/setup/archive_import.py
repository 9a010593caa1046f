"""Import an event from its archive, completely or not at all.

``archive_file`` has checked each column; ``try_out`` checks combinations of rows by calculating all that pages need.
"""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter
from sqlalchemy import Table, func
from sqlalchemy import select as select_rows
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, SQLModel, col, select

from events.journal.invariants import check_play
from events.lists.edition_files import Understood
from events.lists.own import add_edition
from events.messages.queries import messages_of
from events.messages.text import filled_line, pieces
from events.play.act import Act
from events.play.campaign import campaign_document
from events.play.campaign import rules_of as campaign_rules
from events.play.clock_queries import clock_of, meeting_of, seating, turns_of
from events.play.editions import edition_by_id, own_edition_row, system_of
from events.play.errors import Refused
from events.play.journal import note
from events.play.outcomes import doubts_about, score, score_of, winning_side
from events.play.outcomes import ended as how_ended
from events.play.players import players_of
from events.play.rounds import RoundView, completed_rounds, reports_of, request_drawn, round_views
from events.play.rulings import SoftRules, soft_rules
from events.play.scenarios import own_scenario, scenarios_of
from events.play.team_queries import is_team_event, seat_id
from events.play.verdicts import forces_of, seals_of, terms_of, verdict_on
from events.registration.questions import questions_of, valid_answers
from events.rounds.draft import best_costs, costs_now, last_step, last_touched
from events.rounds.drawing import is_stale, locked_in
from events.rounds.queries import pairings_of, shown_bracket
from events.setup.archive import columns, tables
from events.setup.archive_file import MOST_FAULTS, Archive, UnreadableArchive
from events.setup.covers import cover_of, fault_of
from events.setup.event_rules import event_rules
from events.standings.awards import decided
from events.standings.queries import matches_played, standings, team_standings
from events.standings.scale import knows_vp
from events.standings.soft_scores import soft_scores
from events.tournament.clock import ClockRules, rules_from
from events.tournament.pairing.files import reader_of
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.request import Request
from events.tournament.pairing.seats import Levels, event_document, rules_of_event
from events.tournament.pairing.words import sentences
from events.tournament.points_table import PointsTable, as_document, checked, from_document
from events.tournament.season import (
    arranged_document,
    arranged_in,
    circuit_document,
    circuit_in,
    is_by_challenge,
    season_document,
    season_in,
)
from events.tournament.tie_breaks import TIE_BREAKS
from events.web.parsing import sheet_code
from models.capture import store_imported_entries
from models.captured import class_of
from models.event import Event, Round, RoundState
from models.message import Delivery
from models.people import Account
from models.play import FieldedForce, ForceList, ForceStep, Game, GameState, Player
from models.scenario import OwnScenario
from models.sheet_reading import SheetReading
from models.staff import Role, Staff
from validators import SYSTEMS
from validators.canonical import sha256_of
from validators.contract import UnreadableEdition
from validators.force_file import check_size
from validators.restrictions import Restrictions
from validators.scenario import UnreadableScenario

LARGEST_KEPT = 100_000_000
"""Higher ids are replaced, so that no archive can use up the remaining ids."""
DRAWN_BY = ("player", "team")
"""Tables whose ids draws and lots depend on."""
Numbers = Mapping[str, Mapping[int, int]]
"""By table, the new id for each id of the archive."""


def import_event(s: Session, archive: Archive, owner: Account | None, actor: str, now: datetime) -> Event:
    """Store an archive's event; ``owner`` owns it (None: the next organiser who is set up).

    Players and teams keep their ids, because draws depend on them; other rows get new ids if theirs are taken. Raises
    UnreadableArchive for a faulty archive, and Refused for one that cannot be taken in here.
    """
    system = SYSTEMS.get(archive.event["system"])
    if system is None:
        raise UnreadableArchive(f"event[0].system: this version does not know the game {archive.event['system']!r}")
    if late := [f"journal[{n}].at: is in the future" for n, line in enumerate(archive.journal) if line.at > now]:
        raise UnreadableArchive(*late[:MOST_FAULTS])
    try:
        _take_scenarios(s, archive, now)
        _take_edition(s, archive, actor, now)
        event = _take_rows(s, archive, now)
    except DBAPIError as broken:  # a violated constraint, such as two games at one table
        raise UnreadableArchive(f"tables: rows contradict each other ({_constraint(broken)})") from broken
    except RecursionError as deep:
        raise UnreadableArchive("tables: a document is nested too deeply") from deep
    if owner is not None:
        s.add(Staff(event_id=event.id, account_id=owner.id, role=Role.OWNER, since=now))
    try_out(s, event, now)
    made = archive.at.strftime("%Y-%m-%d %H:%M UTC")
    text = f"Imported the event from its archive of {made}, made by Overseer {archive.product}"
    note(Act(s, event, actor, now), "take-in", text, made=archive.at.isoformat(), product=archive.product)
    return event


def _take_rows(s: Session, archive: Archive, now: datetime) -> Event:
    numbers = {table.name: _numbers(s, table, archive) for table in tables() if table.name != "event"}
    event = Event(**_values(archive.event) | {"slug": _free_slug(s, archive.event["slug"]), "changed_at": now})
    s.add(event)
    s.flush()  # assigns the event's id for all of its rows
    numbers["event"] = {archive.event["id"]: event.id}
    lines = [_details(line.about, numbers) | {"at": line.at, "actor": line.actor, "verb": line.verb, "text": line.text}
             for line in archive.journal]  # fmt: skip
    store_imported_entries(s.connection(), event.id, lines)
    codes = _free_codes(s, archive.rows["game"])
    rows: list[SQLModel] = []  # a strong reference: the journal looks up the rows' objects
    for table in tables():
        if table.name == "event":
            continue
        _reserve(s, table, numbers[table.name].values())
        model = class_of(table)
        for row in archive.rows[table.name]:
            values = _pointed(table, row, numbers)
            if table.name == "player":
                values["link_generation"] = secrets.randbelow(2**30) + 2  # no private link of the other server is valid
            if table.name == "game":
                values["code"] = codes[row["id"]]
            if table.name == "campaign_step" and values["kind"] == "play":
                values["data"] = {**values["data"], "game": numbers["game"].get(values["data"].get("game"), 0)}
            if table.name == "sheet_reading":
                values["account_id"] = 0  # accounts of another server do not exist here
            rows.append(model(id=numbers[table.name][row["id"]], **values))
            s.add(rows[-1])
        s.flush()  # insert these rows before those that refer to them
    return event


def _numbers(s: Session, table: Table, archive: Archive) -> Mapping[int, int]:
    """The new id of each row: unchanged if all of the table's ids are free, otherwise all new, in the same order."""
    own = sorted(row["id"] for row in archive.rows[table.name])
    if not own:
        return {}
    last = s.connection().execute(select_rows(func.max(table.c.id))).scalar() or 0
    taken = own[0] <= last and _any_taken(s, table, own)
    if not taken and own[-1] <= LARGEST_KEPT:
        return {number: number for number in own}
    if table.name in DRAWN_BY and _is_drawn(archive):
        raise Refused(
            f"This database already has {table.name}s with the internal numbers of the event’s {table.name}s. Its "
            f"draws and standings depend on these numbers. Import the event into an empty database: start Overseer "
            f"with another OVERSEER_DATA."
        )
    return {number: last + place for place, number in enumerate(own, start=1)}


def _any_taken(s: Session, table: Table, own: Sequence[int]) -> bool:
    between = table.c.id.between(own[0], own[-1])
    return not {*own}.isdisjoint(s.connection().execute(select_rows(table.c.id).where(between)).scalars())


def _is_drawn(archive: Archive) -> bool:
    drawn = any(row["inputs"] is not None for row in archive.rows["round"])
    return drawn or bool(archive.rows["meeting"] or archive.rows["campaign_step"])


def _reserve(s: Session, table: Table, numbers: Iterable[int]) -> None:
    """Move PostgreSQL's sequence past ids that are inserted explicitly; SQLite does so by itself."""
    last = max(numbers, default=0)
    if last and s.get_bind().dialect.name == "postgresql":
        sequence = func.pg_get_serial_sequence(f'"{table.name}"', "id")
        highest = func.coalesce(select_rows(func.max(table.c.id)).scalar_subquery(), 1)
        s.connection().execute(select_rows(func.setval(sequence, func.greatest(last, highest))))


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "id"}


def _pointed(table: Table, row: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """A row's values with its foreign keys replaced by the new ids."""
    values = _values(row)
    for column in columns(table):
        for key in column.foreign_keys:
            if values[column.name] is not None:
                values[column.name] = numbers[key.column.table.name][values[column.name]]
    return values


def _details(about: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """The details of an imported journal entry with the new ids, without rows that no longer exist.

    They are marked as imported on every page, because this server cannot vouch for them.
    """
    details = dict(about)
    for name, table in (("player", "player"), ("game", "game")):
        if name in details:
            number = numbers[table].get(details[name]) if isinstance(details[name], int) else None
            details |= {name: number} if number is not None else {}
            if number is None:
                del details[name]
    if "players" in details:
        known = numbers["player"]
        named = details["players"] if isinstance(details["players"], list) else []
        details["players"] = [known[one] for one in named if isinstance(one, int) and one in known]
    return {"details": details | {"imported": True}}


def _free_slug(s: Session, wanted: str) -> str:
    taken = set(s.exec(select(Event.slug).where(col(Event.slug).startswith(wanted[:50]))))
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted[:50].rstrip('-')}-{number}"
    return slug


def _free_codes(s: Session, games: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The codes of scoresheets by game id. Codes already used here are replaced by new ones."""
    taken = set(s.exec(select(Game.code)))
    return {game["id"]: sheet_code() if game["code"] in taken else game["code"] for game in games}


def _take_scenarios(s: Session, archive: Archive, now: datetime) -> None:
    """Add the club's own scenarios that are missing here. Raises Refused if one exists here with different content."""
    system_id = archive.event["system"]
    files = SYSTEMS[system_id].scenario_files
    for slug, document in archive.scenarios:
        here = own_scenario(s, system_id, slug)
        if here is not None and here.document != document:
            raise Refused(
                f"The event uses the scenario {slug}, but this club has a different scenario with that id. Remove "
                f"that scenario, or import the event into an empty database."
            )
        try:
            known = files is not None and files.read(document).id == slug and slug.startswith("own-")
        except UnreadableScenario as unreadable:
            raise UnreadableArchive(*(f"scenarios: {fault}" for fault in unreadable.faults)) from unreadable
        if not known or files is None or len(slug) > LONGEST_ID:
            raise UnreadableArchive(f"scenarios: {slug[:LONGEST_ID]!r} is not a scenario of a club")
        if here is None:
            own = {"system": system_id, "slug": slug, "document": dict(document), "by": "its archive"}
            s.add(OwnScenario(**own, created_at=now, changed_at=now))
            s.flush()  # the rounds are read with these scenarios


LONGEST_ID = 40


def _take_edition(s: Session, archive: Archive, actor: str, now: datetime) -> None:
    """Add the club's own edition that the event uses. Raises Refused if one exists here with different content."""
    system, wanted = SYSTEMS[archive.event["system"]], archive.event["edition"]
    for id_, written in archive.editions:
        here = own_edition_row(s, system, id_)
        if system.edition_files is None or id_ != wanted:
            raise UnreadableArchive(f"editions: {id_[:LONGEST_ID]!r} is not the edition of the event")
        if here is not None and here.text != written:
            raise Refused(
                f"The event uses the edition {id_}, but this club has a different edition with that id. Remove that "
                f"edition, or import the event into an empty database."
            )
        try:
            info = system.edition_files.read(written.encode())
        except UnreadableEdition as unreadable:
            raise UnreadableArchive(*(f"editions: {fault}" for fault in unreadable.faults)) from unreadable
        if info.id != id_:
            raise UnreadableArchive(f"editions: the file of {id_[:LONGEST_ID]!r} contains {info.id!r}")
        if here is None:
            add_edition(s, system.id, Understood(info, written), actor, now)
            s.flush()  # the lists are checked with this edition
    if edition_by_id(s, system, wanted) is None:
        raise UnreadableArchive(f"event[0].edition: {wanted!r} is unknown here, and the file does not contain it")


def _constraint(broken: DBAPIError) -> str:
    """The first line of the database's message, which names the constraint and never a value."""
    lines = str(broken.orig).strip().splitlines()
    return lines[0][:160] if lines else type(broken).__name__


MOST_ROUNDS = 40
"""The most rounds of an event, knockout included."""
Faults = Iterator[str]


def try_out(s: Session, event: Event, now: datetime) -> None:
    """Calculate everything about a newly stored event. Raises UnreadableArchive if its rows contradict each other."""
    for what, trial in TRIALS.items():
        try:
            faults = list(trial(s, event, now))
        except Exception as broken:
            # Any error here would break a page later, so every kind of error is the file's fault.
            raise UnreadableArchive(f"{what}: the rows do not fit together ({type(broken).__name__})") from broken
        if faults:
            raise UnreadableArchive(*(f"{what}: {fault}" for fault in faults[:12]))


def _settings(s: Session, event: Event, now: datetime) -> Faults:
    ZoneInfo(event.timezone)
    time.fromisoformat(event.starts_at or "00:00")
    asked = questions_of(event)
    for player in players_of(s, event):
        if valid_answers(asked, player.answers or {}) != player.answers:
            yield f"{player.name} has answers without a question"
    for kind, document in (
        (SoftRules, event.soft_rules), (ClockRules, event.clock_rules), (Restrictions, event.restrictions),
    ):  # fmt: skip
        TypeAdapter(kind).validate_json(json.dumps(document or {}), strict=True)
    soft_rules(event), rules_from(event.clock_rules)
    if circuit_document(circuit_in(event.circuit)) != event.circuit:
        yield "the points table of the series is invalid"
    if season_document(season_in(event.season)) != event.season:
        yield "the rules of the season are invalid"
    if event.campaign is not None:
        rules, known = campaign_rules(event), dict(event.campaign)
        former = rules.former if rules else {}
        known["settings"] = {key: value for key, value in known["settings"].items() if key not in former}
        if rules is None or campaign_document(rules, **known) != known:
            yield "the settings of the campaign are invalid"
    if event.draw_rules is not None and event_document(rules_of_event(event.draw_rules)) != event.draw_rules:
        yield "the rules of the draw are invalid"
    if event.points_table is not None:
        table = TypeAdapter(PointsTable).validate_python(from_document(event.points_table), strict=True)
        if as_document(checked(table)) != event.points_table or not knows_vp(event):
            yield "the points table is invalid"
    if len(set(event.tie_breaks)) < len(event.tie_breaks) or not set(event.tie_breaks) <= TIE_BREAKS.keys():
        yield "a tie-break is unknown, or appears twice"
    if not set(event.scenario_pool) <= scenarios_of(s, event).keys():
        yield "a scenario of the pool is unknown"
    terms = terms_of(s, event)
    event_rules(event, terms), system_of(event).checks.rules_added(terms)


def _rounds(s: Session, event: Event, now: datetime) -> Faults:
    views = round_views(s, event)
    order = list(RoundState)[::-1]
    if [view.round.number for view in views] != list(range(1, len(views) + 1)) or not (
        event.rounds <= len(views) <= MOST_ROUNDS
    ):
        yield f"{len(views)} rounds do not fit an event of {event.rounds}"
        return
    states = [order.index(view.round.state) for view in views]
    if states != sorted(states) or states.count(order.index(RoundState.DRAWN)) > 1:
        yield "a round is published before an earlier round"
    players = players_of(s, event)
    for view in views:
        yield from _round(s, event, view, {str(player.id) for player in players})
        if view.round.state == RoundState.DRAWN:
            is_stale(event, players, views, view.round.number)
    for team in views[0].teams if views else ():
        if any(one.team_id == team.id and one.event_id != event.id for one in players):
            yield f"the team {team.name} has players of another event"


def _round(s: Session, event: Event, view: RoundView, players: set[str]) -> Faults:
    the_round, name = view.round, f"round {view.round.number}"
    drawn = the_round.state != RoundState.PLANNED
    if is_by_challenge(event.season) and drawn and the_round.inputs is None and the_round.outcome is None:
        for game in view.games:
            yield from _game(s, event, view, game)
        return
    kept = (the_round.inputs, the_round.outcome, the_round.seed)
    if any((one is not None) != drawn for one in kept):
        yield f"{name} is {the_round.state}, but its draw is {'missing' if drawn else 'stored'}"
        return
    if not drawn:
        if view.games or view.matches:
            yield f"{name} has games but is not drawn"
        return
    seats = {seat_id(team.id) for team in view.teams} if is_team_event(event) else players
    read = reader_of(Request).model_validate_json(json.dumps(the_round.inputs), strict=True)
    request = request_drawn(the_round)
    if request.round != the_round.number or not {seat.id for seat in request.seats} <= seats or read is None:
        yield f"{name} was drawn for another round or other players"
    locked_in(the_round), last_step(the_round), last_touched(the_round, view.games)
    for costs in (best_costs(the_round), costs_now(the_round)):
        if TypeAdapter(dict[str, int]).validate_python(costs, strict=True).keys() < set(Levels.__dataclass_fields__):
            yield f"{name} was drawn without its levels"
    for noted in (*(game.notes for game in view.games), *(match.notes for match in view.matches)):
        sentences(notes_in(noted))
    if pairings_of(s, event, the_round) is None:
        yield f"{name} was drawn without a result"
    for game in view.games:
        yield from _game(s, event, view, game)


def _game(s: Session, event: Event, view: RoundView, game: Game) -> Faults:
    name = f"round {view.round.number}, table {game.table_number}"
    scenario = view.scenario_at(game)
    if game.b_id is None:
        return
    if scenario is None:
        yield f"{name}: has no scenario"
        return
    if len(game.code) < 4 or not game.code.isascii() or not game.code.isalnum():
        yield f"{name}: has no code"
    if arranged_document(arranged_in(game.arranged)) != game.arranged:
        yield f"{name}: its dates are invalid"
    winning_side(event, view.round.number, scenario, game)
    score_of(event, view.round.number, scenario, game)
    confirmed = game.state == GameState.CONFIRMED and game.absent is None
    if confirmed and (found := game.answers) is not None:
        _answers(found)
        if any(doubt.refused for doubt in doubts_about(event, scenario, found)):
            yield f"{name}: the result is impossible"
    for report in reports_of(s, game):
        _answers(report.answers)
        if report.answers:
            score(event, scenario, report.answers, how_ended(report))
    for sheet in s.exec(select(SheetReading).where(SheetReading.game_id == game.id)):
        _answers(sheet.answers)


def _answers(answers: Mapping[str, Any]) -> None:
    TypeAdapter(dict[str, int | str]).validate_python(answers, strict=True)


def _standings(s: Session, event: Event, now: datetime) -> Faults:
    views = round_views(s, event)
    complete = completed_rounds(views)
    for after in range(1, complete + 1):
        if is_team_event(event):
            team_standings(s, event, after)
            matches_played(views, after)
        standings(s, event, after)
    shown_bracket(event, views)
    soft_scores(event, players_of(s, event))
    decided(s, event)
    yield from ()


def _lists(s: Session, event: Event, now: datetime) -> Faults:
    terms, system = terms_of(s, event), system_of(event)
    forces = forces_of(s, event)
    names = {player.id: player for player in players_of(s, event)}
    rows: list[tuple[int, dict[str, Any]]] = [(id_, force.document) for id_, force in forces.items()]
    steps = select(ForceStep, ForceList.player_id).join(ForceList).join(Player).where(Player.event_id == event.id)
    rows += [(id_, step.document) for step, id_ in s.exec(steps)]
    fielded = select(FieldedForce).join(Player).where(Player.event_id == event.id)
    rows += [(one.player_id, one.document) for one in s.exec(fielded)]
    for id_, document in rows:
        check_size(document)
        if document.get("edition") == terms.edition.id and system.forces.read(document, terms.edition) != document:
            yield f"the list of {names[id_].name} is not as this version writes it"
    for id_, force in forces.items():
        verdict_on(event, names[id_], force, terms)
        system.forces.summarise(force.document, terms.edition)
    for id_, seals in seals_of(s, event).items():
        for seal in seals:
            if sha256_of(seal.text) != seal.sha256 or not isinstance(json.loads(seal.text), dict):
                yield f"the sealed list of {names[id_].name} has another hash"


def _rest(s: Session, event: Event, now: datetime) -> Faults:
    for message in messages_of(s, event):
        pieces(message.text, message.words), filled_line(message.subject, message.words)
    for delivery in s.exec(select(Delivery).join(Player).where(Player.event_id == event.id)):
        TypeAdapter(dict[str, str]).validate_python(delivery.words, strict=True)
    meeting = meeting_of(s, event)
    if meeting is not None:
        known = {player.id for player in players_of(s, event)}
        if not {one for table in seating(meeting) for one in table.players} <= known:
            yield "the player meeting has players of another event"
    rounds = s.exec(select(Round).where(Round.event_id == event.id).order_by(col(Round.number))).all()
    for view in round_views(s, event):
        clock_of(event, view, rounds, now, None)
    turns_of(s, event)
    cover = cover_of(s, event)
    if cover is not None and (fault := fault_of(cover)):
        yield fault


def _promises(s: Session, event: Event, now: datetime) -> Faults:
    """The findings of ``overseer doctor``, except for the journal, which is not stored yet."""
    yield from (what for _, what in check_play(s, event))


TRIALS: Mapping[str, Callable[[Session, Event, datetime], Faults]] = {
    "settings": _settings, "lists": _lists, "rounds": _rounds, "standings": _standings, "messages and clock": _rest,
    "event": _promises,
}  # fmt: skip
