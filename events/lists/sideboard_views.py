"""The sideboard pages: both players choose parts of their rosters in secret, shown once both have chosen."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from events.lists.forms import FieldForm
from events.lists.locks import shown_when
from events.store.act import Act
from events.store.campaign import brought, terms_of_battle
from events.store.editions import edition_of, system_of
from events.store.errors import Refused
from events.store.games import check_pairing, own_game, scenario_in
from events.store.journal import note
from events.store.players import players_by_id
from events.store.roles import fields_a_part, role_of
from events.store.verdicts import fielded_of, terms_for, verdict_of, verdict_on
from events.visitors import access
from events.visitors.access import list_open
from events.visitors.loading import (
    event_or_404,
    game_or_404,
    managed_event,
    opposes,
    own_player_or_403,
    player_or_404,
    polled,
    visitor,
)
from events.web.forms import show_at_field
from events.web.request import changing, db, id_sent, now, saving
from languages.message import joined, message
from languages.words import apart, gettext
from models.event import Event, EventState, Round
from models.play import FieldedForce, ForceList, Game, GameState, Player
from validators.contract import Document, ForceSummary, Terms, Verdict
from validators.scenario import Scenario


@dataclass(frozen=True)
class Considered:
    """A part of a roster with its verdict, and the roster's Leader if the part lacks the Leader ("" if not)."""

    document: Document
    verdict: Verdict
    left_out: str


def ends_at(event: Event, game: Game) -> datetime | None:
    """The end of the time for choosing; None before the clock is started, and in a season, which has no clock."""
    if game.choosing_since is None or event.season is not None:
        return None
    return game.choosing_since + timedelta(minutes=event.restrictions.choose_minutes)


def start_clock(act: Act, game: Game) -> None:
    """Start a table's clock; does nothing if it runs already, in a season, and before both have a list."""
    _open(act.s, act.event, game)
    if game.choosing_since is None and has_clock(act.s, act.event, game):
        game.choosing_since = act.now
        note(
            act, "start-choosing", message("Table %(table)s chooses its forces", table=game.table_number), game=game.id
        )


def has_clock(s: Session, event: Event, game: Game) -> bool:
    """Whether the time for choosing is limited: both players can choose, and the round has no window of days."""
    people = players_by_id(event)
    return event.season is None and all(brought(s, event, people[id_]) for id_ in (game.a_id, game.b_id) if id_)


def scenario_of_game(s: Session, event: Event, game: Game) -> Scenario | None:
    return scenario_in(s, event, s.get_one(Round, game.round_id), game)


def consider(s: Session, event: Event, game: Game, player: Player, places: Sequence[int], now: datetime) -> Considered:
    """The part of the player's roster at these places, with its verdict; in a role, under that role's terms.

    Raises Refused unless the player has a submitted, legal roster that is not unlocked.
    """
    roster, terms = brought(s, event, player), terms_of_battle(event)
    if roster is None and event.campaign is not None:
        raise Refused(
            gettext(
                "The group of %(player)s has open steps. Close them first: the last one is its muster.",
                player=player.name,
            )
        )
    if roster is None:
        raise Refused(gettext("There is no list to choose from. Talk to the organiser."))
    newer = set[str]()
    if event.campaign is None:
        _check_roster(event, player, roster, terms, now)
        newer = {finding.rule for finding in verdict_on(event, player, roster, terms).later}
    if not places:
        raise Refused(gettext("Please choose the models that you field."), "places")
    system, role = system_of(event), role_of(scenario_of_game(s, event, game), game, player.id)
    document = system.forces.part_of(roster.document, places)
    leader = "" if role else system.forces.summarise(roster.document, terms.edition).leader
    left_out = "" if system.forces.summarise(document, terms.edition).leader == leader else leader
    terms = terms_for(terms, player)
    verdict = verdict_of(event, document, terms.in_role(role) if role else terms.fielded)
    problems = tuple(problem for problem in verdict.problems if problem.rule not in newer)
    return Considered(document, replace(verdict, problems=problems), left_out)


def _check_roster(event: Event, player: Player, roster: ForceList, terms: Terms, now: datetime) -> None:
    if list_open(event, player, now):
        raise Refused(gettext("This list is unlocked for a change: wait until it is locked again."))
    verdict = verdict_on(event, player, roster, terms)
    if not verdict.legal:
        broken = ", ".join(dict.fromkeys(problem.rule for problem in verdict.problems))
        raise Refused(
            gettext(
                "The list itself is not legal (%(broken)s), so it cannot be fielded. Talk to the organiser.",
                broken=broken,
            )
        )
    if not roster.submitted:
        raise Refused(gettext("This list was never submitted, or is a draft again. Ask an organiser to submit it."))


def choose(act: Act, game: Game, player: Player, places: Sequence[int]) -> FieldedForce:
    """Field these models of the roster. The choice can be changed until both players have chosen.

    Raises Refused if the part is not legal at the event's size or in the role, or both have chosen. A late choice is
    stored with its time, and the organiser may give a penalty.
    """
    _open(act.s, act.event, game)
    chosen = fielded_of(act.s, game)
    if len(chosen) == 2:
        raise Refused(gettext("Both players have chosen. The forces cannot be changed now."))
    considered = consider(act.s, act.event, game, player, places, act.now)
    if considered.left_out and not considered.verdict.legal:
        raise Refused(
            gettext(
                "%(left_out)s leads the roster and is always fielded: include it and choose again.",
                left_out=considered.left_out,
            ),
            "places",
        )
    if not considered.verdict.legal:
        wrong = apart(problem.message for problem in considered.verdict.problems[:3])
        raise Refused(gettext("This is not legal yet: %(wrong)s. Nothing is chosen.", wrong=wrong), "places")
    start_clock(act, game)
    fielded = chosen.get(player.id)
    if fielded is None:
        fielded = FieldedForce(game_id=game.id, player_id=player.id, document=considered.document, chosen_at=act.now)
        act.s.add(fielded)
    elif fielded.document == considered.document:
        return fielded
    else:
        fielded.document, fielded.chosen_at = considered.document, act.now
    note(act, "field", message("%(name)s has chosen a force", name=player.name), game=game.id, player=player.id)
    return fielded


def choose_again(act: Act, game: Game) -> None:
    """Delete both choices and stop the clock, for example after a device failed."""
    _open(act.s, act.event, game)
    for fielded in fielded_of(act.s, game).values():
        act.s.delete(fielded)
    game.choosing_since = None
    names = players_by_id(act.event)
    both = joined([names[id_].name for id_ in (game.a_id, game.b_id) if id_ is not None], "and")
    note(act, "choose-again", message("%(names)s choose their forces again", names=both), game=game.id)


def _open(s: Session, event: Event, game: Game) -> None:
    if not fields_a_part(event, scenario_of_game(s, event, game), game):
        raise Refused(gettext("This game is played without a sideboard."))
    if event.state != EventState.IN_PROGRESS or game.state == GameState.CONFIRMED:
        raise Refused(gettext("This game is over."))


blueprint = Blueprint("sideboard", __name__)


@blueprint.route("/e/<slug>/me/fielded", methods=["GET", "POST"])
def own_choice(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    game = own_game(db(), event, player)
    if game is None or game.b_id is None or not fields_a_part(event, scenario_of_game(db(), event, game), game):
        abort(404)
    if request.method == "POST":
        check_pairing(id_sent("game"), game.id)
    return _choose(event, game, player)


@blueprint.route("/e/<slug>/desk/games/<int:game_id>/fielded/<int:player_id>", methods=["GET", "POST"])
def choice_for_player(slug: str, game_id: int, player_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    game = _game_of_others(event, game_id)
    player = player_or_404(event, player_id)
    if player.id not in (game.a_id, game.b_id):
        abort(404)
    if not fields_a_part(event, scenario_of_game(db(), event, game), game):
        abort(404)
    return _choose(event, game, player)


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/choose-again")
def open_choices_again(slug: str, game_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    game = _game_of_others(event, game_id)
    with saving(event, gettext("Both choose again.")) as act:
        choose_again(act, game)
    return redirect(url_for("results_desk.decide", slug=slug, game_id=game_id))


def _game_of_others(event: Event, game_id: int) -> Game:
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    return game


def _choose(event: Event, game: Game, player: Player) -> ResponseReturnValue:
    roster = brought(db(), event, player)
    form = FieldForm()
    summary = system_of(event).forces.summarise(roster.document, edition_of(event)) if roster else None
    form.places.choices = [(place, line) for place, (line, _) in enumerate(summary.lines)] if summary else []
    pressed, considered = request.form.get("do", ""), None
    if request.method == "POST" and form.validate():
        try:
            if pressed == "look":
                considered = consider(db(), event, game, player, form.places.data, now())
            else:
                with changing(event) as act:
                    if pressed == "start":
                        start_clock(act, game)
                    else:
                        choose(act, game, player, form.places.data)
                return redirect(request.path)
        except Refused as refused:
            show_at_field(form, refused)
            if pressed == "choose" and form.places.data:
                with suppress(Refused):
                    considered = consider(db(), event, game, player, form.places.data, now())
    until = ends_at(event, game)
    role, most = role_of(scenario_of_game(db(), event, game), game, player.id), terms_of_battle(event)
    ticked = _ticked(event, form, game, player)
    costs = [caps for place, (_, caps) in enumerate(summary.lines) if place in ticked] if summary else []
    page = render_template(
        "lists/fielded.html",
        form=form,
        game=game,
        player=player,
        summary=summary,
        verdict=considered.verdict if considered else None,
        ticked=ticked,
        total=considered.verdict.total if considered else sum(costs),
        overtime=until is not None and now() > until,
        sides=_sides(event, game),
        ends_at=until,
        has_clock=has_clock(db(), event, game),
        left_out=considered.left_out if considered else "",
        now_iso=now().isoformat(),
        mine=visitor().player_in(event) is player,
        secret_until="" if access.lists_shown(event, now()) else shown_when(event),
        role=role,
        size=min(role.size, most.list_size) if role else most.size,
    )
    if form.errors or form.form_errors:
        return page, 422
    # A page with a running clock is not cached, because it contains the server's time.
    return polled(page, event) if request.method == "GET" and until is None else page


def _ticked(event: Event, form: FieldForm, game: Game, player: Player) -> list[int]:
    """The ticked places: those that were sent, otherwise the stored choice, for those who may see it."""
    if request.method == "POST":
        return form.places.data or []
    roster, chosen = brought(db(), event, player), fielded_of(db(), game)
    fielded = chosen.get(player.id)
    if roster is None or fielded is None or not access.may_see_fielded(visitor(), player, len(chosen)):
        return []
    left = _parts(event, fielded.document)
    ticked = []
    for place, part in enumerate(_parts(event, roster.document)):
        if part in left:
            left.remove(part)
            ticked.append(place)
    return ticked


def _parts(event: Event, document: Document) -> list[Document]:
    """Each line of a force as a force of its own, without the name, which may have changed."""
    system = system_of(event)
    lines = system.forces.summarise(document, edition_of(event)).lines
    return [system.forces.part_of(document, [place]) | {"name": ""} for place in range(len(lines))]


@dataclass(frozen=True)
class SideOfTable:
    """One player at the table: roster and fielded force, if the visitor may see them, and the time of the choice."""

    player: Player
    roster: ForceSummary | None
    chosen_at: datetime | None
    fielded: ForceSummary | None


def _sides(event: Event, game: Game) -> list[SideOfTable]:
    people, chosen = players_by_id(event), fielded_of(db(), game)
    edition, system = edition_of(event), system_of(event)
    sides = []
    for player in (people[id_] for id_ in (game.a_id, game.b_id) if id_ is not None):
        roster, fielded = brought(db(), event, player), chosen.get(player.id)
        submitted = roster is not None and roster.submitted
        readable = access.may_see_force(
            visitor(), player, event, now(), submitted=submitted, opponent=opposes(event, player)
        )
        seen = fielded is not None and access.may_see_fielded(visitor(), player, len(chosen))
        sides.append(
            SideOfTable(
                player,
                system.forces.summarise(roster.document, edition) if roster and readable else None,
                fielded.chosen_at if fielded else None,
                system.forces.summarise(fielded.document, edition) if fielded and seen else None,
            )
        )
    return sides
