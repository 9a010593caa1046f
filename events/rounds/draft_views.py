"""The page of a draft at the desk, and its forms."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlmodel import Session
from werkzeug.datastructures import MultiDict
from wtforms import SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired, NumberRange

from events.accounts.access import lists_locked
from events.accounts.loading import actor, managed_event, round_or_404
from events.lists.queries import before_lock, entries_of
from events.play.errors import Refused
from events.play.event_rules import ends_of
from events.play.parsing import MOST_TABLES, whole_number
from events.play.queries import forces_of, games_of, players_of, scenarios_of, terms_of
from events.play.rounds import RoundView, request_drawn, round_view, round_views
from events.play.team_queries import is_team_event
from events.rounds import actions, draft, drawing, formats
from events.rounds.draft import last_step, last_touched
from events.rounds.draft_rows import draft_costs, draft_rows
from events.web.forms import number as number_field
from events.web.forms import show_at_field
from events.web.idempotency import id_sent, saving
from events.web.request import changing, db, local, now
from models.event import Event, Round, RoundState
from models.play import Game, Player

blueprint = Blueprint("draft", __name__)


class SwapForm(FlaskForm):
    """Two players to exchange."""

    one = SelectField("Player", [NumberRange(min=1, message="Choose a player.")], coerce=whole_number)
    other = SelectField("changes places with", [NumberRange(min=1, message="Choose a player.")], coerce=whole_number)


class TableForm(FlaskForm):
    """A game and its new table; ``player`` is the game's first player."""

    player = SelectField("Game", [NumberRange(min=1, message="Choose a game.")], coerce=whole_number)
    table = number_field("plays at table", 1, MOST_TABLES)


class ScenarioForm(FlaskForm):
    """A game and its new scenario; ``player`` is the game's first player."""

    player = SelectField("Game", [NumberRange(min=1, message="Choose a game.")], coerce=whole_number)
    scenario = SelectField("plays", [InputRequired("Choose a scenario.")])


ByHand = SwapForm | TableForm | ScenarioForm
Form = TypeVar("Form", SwapForm, TableForm, ScenarioForm)


def swap_form(event: Event, games: Sequence[Game], sent: MultiDict[str, str] | None = None) -> SwapForm:
    """The form with the players of these games, filled in from the request or from ``sent``."""
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
    """The form with these games as choices."""
    form = TableForm()
    form.player.choices = _games(event, games)
    return form


def scenario_form(event: Event, games: Sequence[Game]) -> ScenarioForm:
    """The form with these games, and all scenarios of the event's game, as choices."""
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


def draft_page(event: Event, the_round: Round, refused: ByHand | None = None) -> ResponseReturnValue:
    """The page of a draft. A ``refused`` form is shown as submitted, with its errors."""
    view = round_view(db(), event, the_round)
    entered, views = players_of(db(), event), round_views(db(), event)
    page = render_template(
        "rounds/draft.html",
        view=view,
        views=views,
        scenario=view.shared,
        rows=draft_rows(event, view, entered, views),
        costs=draft_costs(view),
        touched=last_touched(the_round, view.games),
        last_step=last_step(the_round),
        locked=len(drawing.locked_in(the_round)),
        by_hand=request_drawn(the_round).format.kind == "swiss",
        swap=refused if isinstance(refused, SwapForm) else swap_form(event, view.games),
        table=refused if isinstance(refused, TableForm) else table_form(event, view.games),
        by_scenario=refused if isinstance(refused, ScenarioForm) else scenario_form(event, view.games),
        why_not=drawing.why_not_drawn(event, entered, views, the_round.number),
        stale=actions.STALE if is_outdated(event, entered, views, the_round.number) else "",
        question=publish_question(event, the_round.number),
    )
    return page, 422 if refused else 200


def is_outdated(event: Event, entered: Sequence[Player], views: Sequence[RoundView], number: int) -> bool:
    """Whether a new draw of this drawn round would differ."""
    return drawing.is_stale(event, entered, views, number) or formats.seeds_outdated(db(), event, entered, views)


def publish_question(event: Event, number: int) -> str:
    """The question to confirm if round 1 is published on another day than the event's, or before the list deadline."""
    parts = []
    if number == 1 and not event.starts_on.isoformat() <= local(now(), event, "%Y-%m-%d") <= ends_of(event).isoformat():
        parts.append(f"The event’s date is {event.starts_on:%A %-d %B %Y}, not today.")
    if number == 1 and event.list_deadline is not None and not lists_locked(event, now()):
        parts.append(f"The lists lock now, before their deadline ({local(event.list_deadline, event)}).")
    return " ".join(parts)


def publish_notes(event: Event, number: int, entered: Sequence[Player]) -> list[str]:
    """Notes about the lists before a round is published, a sentence each; publishing locks all lists."""
    if number > 1:
        unlocked = sum(player.list_unlocked_at is not None for player in entered)
        return [f"{unlocked} unlocked {'list is' if unlocked == 1 else 'lists are'} locked again."] if unlocked else []
    return before_lock(entries_of(event, entered, forces_of(db(), event), terms_of(db(), event), now())).warnings


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/swap")
def swap(slug: str, number: int) -> ResponseReturnValue:
    """Exchange two players."""

    def change(s: Session, event: Event, form: SwapForm) -> Mapping[int, str]:
        return draft.swap(s, event, number, form.one.data, form.other.data, actor(event), now())

    return _by_hand(slug, number, swap_form, change, "Swapped.")


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/table")
def table(slug: str, number: int) -> ResponseReturnValue:
    """Move a game to another table."""

    def change(s: Session, event: Event, form: TableForm) -> Mapping[int, str]:
        return draft.set_table(s, event, number, form.player.data, form.table.data or 0, actor(event), now())

    return _by_hand(slug, number, table_form, change, "Seated.")


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/scenario")
def scenario(slug: str, number: int) -> ResponseReturnValue:
    """Change the scenario of a game."""

    def change(s: Session, event: Event, form: ScenarioForm) -> Mapping[int, str]:
        return draft.set_scenario(s, event, number, form.player.data, form.scenario.data, actor(event), now())

    return _by_hand(slug, number, scenario_form, change, "Set.")


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/lock")
def lock(slug: str, number: int) -> ResponseReturnValue:
    """Lock or unlock a pair, or the bye."""
    event = managed_event(slug)
    round_or_404(event, number)
    locked = request.form.get("locked") == "1"
    with saving(event, public=False) as s:
        one = id_sent("a") or 0  # no player has id 0
        draft.lock(s, event, number, one, id_sent("b"), actor(event), now(), locked=locked)
    return redirect(_round(event, number))


@blueprint.post("/e/<slug>/desk/rounds/<int:number>/undo")
def undo(slug: str, number: int) -> ResponseReturnValue:
    """Undo the last manual change."""
    event = managed_event(slug)
    round_or_404(event, number)
    try:
        with changing(event, public=False) as s:
            taken_back = draft.undo(s, event, number, actor(event), now())
    except Refused as refused:
        flash(refused.message, "error")
    else:
        flash(f"Taken back: {taken_back}.", "success")
    return redirect(_round(event, number))


def _by_hand(
    slug: str,
    number: int,
    form_of: Callable[[Event, Sequence[Game]], Form],
    change: Callable[[Session, Event, Form], Mapping[int, str]],
    done: str,
) -> ResponseReturnValue:
    """Change a draft by a form and show it again, with warnings or the form's errors."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    form = form_of(event, games_of(db(), the_round))
    if form.validate_on_submit():
        try:
            with changing(event, public=False) as s:
                warnings = change(s, event, form)
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash(done + (" See the warning in the marked row." if warnings else ""), "success")
            for player, words in warnings.items():
                flash(words, f"at-row-{player}")
            return redirect(_round(event, number))
    if the_round.state == RoundState.DRAWN and not is_team_event(event):
        return draft_page(event, the_round, form)
    flash(" ".join(map(str, form.form_errors)) or "This round is no draft.", "error")
    return redirect(_round(event, number))


def _round(event: Event, number: int) -> str:
    return url_for("rounds.manage", slug=event.slug, number=number)
