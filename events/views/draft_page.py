"""The page of a draft at the desk, and the forms on it; every way to it ends here."""

from collections.abc import Sequence

from flask import render_template
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired, NumberRange

from events.access_lists import lists_locked
from events.actions import drawing, formats, rounds
from events.actions.draft import last_step, last_touched
from events.actions.drawing import request_drawn
from events.reading import (
    RoundView,
    forces_of,
    placed,
    players_of,
    round_view,
    round_views,
    scenarios_of,
    terms_of,
    verdict_on,
)
from events.table_numbers import MOST_TABLES
from events.typed import whole_number
from events.views.draft_rows import draft_costs, draft_rows
from events.views.fields import number as number_field
from events.views.request import db, local, now
from models.event import Event, ListsShown, Round
from models.play import Game, Player


class SwapForm(FlaskForm):
    """Two players who change places."""

    one = SelectField("Player", [NumberRange(min=1, message="Choose a player.")], coerce=whole_number)
    other = SelectField("changes places with", [NumberRange(min=1, message="Choose a player.")], coerce=whole_number)


class TableForm(FlaskForm):
    """A game that gets another table; ``player`` is its first player."""

    player = SelectField("Game", [NumberRange(min=1, message="Choose a game.")], coerce=whole_number)
    table = number_field("plays at table", 1, MOST_TABLES)


class ScenarioForm(FlaskForm):
    """A game that plays another scenario; ``player`` is its first player."""

    player = SelectField("Game", [NumberRange(min=1, message="Choose a game.")], coerce=whole_number)
    scenario = SelectField("plays", [InputRequired("Choose a scenario.")])


def swap_form(event: Event, games: Sequence[Game], sent: MultiDict[str, str] | None = None) -> SwapForm:
    """The form with everybody of these games to choose from, filled in as posted, or as ``sent`` says."""
    form = SwapForm() if sent is None else SwapForm(formdata=sent, meta={"csrf": False})
    names = {p.id: p.name for p in players_of(db(), event)}
    seated: list[SelectChoice] = []
    for game in games:
        where = f"table {game.table_number}" if game.table_number else "bye"
        seated += [SelectChoice(str(one), f"{names[one]} ({where})") for one in (game.a_id, game.b_id) if one]
    seated.sort(key=lambda choice: choice.label.casefold())
    form.one.choices = form.other.choices = [SelectChoice("0", "Choose a player"), *seated]
    return form


def table_form(event: Event, games: Sequence[Game]) -> TableForm:
    """The form with these games to choose from."""
    form = TableForm()
    form.player.choices = _games(event, games)
    return form


def scenario_form(event: Event, games: Sequence[Game]) -> ScenarioForm:
    """The form with these games, and all scenarios that the event's game knows."""
    form = ScenarioForm()
    form.player.choices = _games(event, games)
    known = scenarios_of(db(), event).values()
    form.scenario.choices = [SelectChoice("", "Choose a scenario"), *(SelectChoice(s.id, s.name) for s in known)]
    return form


def _games(event: Event, games: Sequence[Game]) -> list[SelectChoice]:
    names = {p.id: p.name for p in players_of(db(), event)}
    return [
        SelectChoice("0", "Choose a game"),
        *(
            SelectChoice(str(game.a_id), f"{names[game.a_id]} and {names[game.b_id]} (table {game.table_number})")
            for game in games
            if game.b_id is not None
        ),
    ]


def draft_page(
    event: Event,
    the_round: Round,
    swap: SwapForm | None = None,
    table: TableForm | None = None,
    scenario: ScenarioForm | None = None,
) -> ResponseReturnValue:
    """The draft as it stands; with a form that could not be taken, that form as it was filled in."""
    view = round_view(db(), event, the_round)
    entered, views = players_of(db(), event), round_views(db(), event)
    page = render_template(
        "desk/draft.html",
        view=view,
        views=views,
        scenario=view.shared,
        rows=draft_rows(event, view, entered, views),
        costs=draft_costs(view),
        touched=last_touched(the_round, view.games),
        last_step=last_step(the_round),
        locked=len(drawing.locked_in(the_round)),
        by_hand=request_drawn(the_round).format.kind == "swiss",
        swap=swap or swap_form(event, view.games),
        table=table or table_form(event, view.games),
        by_scenario=scenario or scenario_form(event, view.games),
        why_not=drawing.why_not_drawn(event, entered, views, the_round.number),
        stale=rounds.STALE if _outdated(event, entered, views, the_round.number) else "",
        question=publish_question(event, the_round.number, entered),
    )
    return page, 422 if swap or table or scenario else 200


def _outdated(event: Event, entered: Sequence[Player], views: Sequence[RoundView], number: int) -> bool:
    return drawing.is_stale(event, entered, views, number) or formats.seeds_outdated(db(), event, entered, views)


def publish_question(event: Event, number: int, entered: Sequence[Player]) -> str:
    """What publishing does, asked before it is done: with each round all lists lock, whatever state they are in."""
    if number > 1:
        unlocked = sum(player.list_unlocked_at is not None for player in entered)
        again = f" {unlocked} unlocked {'list is' if unlocked == 1 else 'lists are'} locked again." if unlocked else ""
        return f"Everybody sees round {number} at once.{again}"
    shown = " and shown" if event.lists_shown == ListsShown.AT_LOCK else ""
    said = [f"Everybody sees round 1 at once, the event starts, and all force lists are locked{shown}."]
    forces, terms = forces_of(db(), event), terms_of(db(), event)
    playing = placed(entered)
    missing = sum(p.id not in forces for p in playing)
    illegal = sum(p.id in forces and not verdict_on(event, p, forces[p.id], terms).legal for p in playing)
    if missing:
        said.append(f"{missing} player{' has' if missing == 1 else 's have'} no list.")
    if illegal:
        said.append(f"{illegal} list{' is' if illegal == 1 else 's are'} not legal.")
    if event.list_deadline is not None and not lists_locked(event, now()):
        said.append(f"Lists lock now, although their deadline lies ahead: {local(event.list_deadline, event)}.")
    return " ".join(said)
