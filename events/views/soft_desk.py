"""Painting and sportsmanship at the desk: who has what, judged at the tables, votes and marks collected and closed."""

from collections.abc import Callable, Mapping

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectMultipleField
from wtforms.fields import SelectChoice
from wtforms.widgets import CheckboxInput, ListWidget

from events import access
from events.actions import soft_scores as actions
from events.errors import Refused
from events.reading import players_of
from events.soft_rules import soft_rules
from events.soft_scores import list_score, soft_scores, votes
from events.views.fields import show_at_field
from events.views.press import pressed
from events.views.request import actor, changing, db, managed_event, now, player_or_404, visitor
from models.event import Event
from models.play import Player, PlayerState

blueprint = Blueprint("soft_desk", __name__)

PRESSES: Mapping[str, tuple[Callable[..., None], str]] = {
    "open-vote": (actions.open_vote, "The vote is open: every player who is here finds it on the own page."),
    "close-vote": (actions.close_vote, "The vote is closed and counted."),
    "open-marks": (actions.open_marks, "Marks are taken again."),
    "close-marks": (actions.close_marks, "The marks are closed, and count now."),
}


class PaintingForm(FlaskForm):
    """The check list, for one player."""

    items = SelectMultipleField(
        "What the force has", option_widget=CheckboxInput(), widget=ListWidget(prefix_label=False)
    )


@blueprint.get("/e/<slug>/desk/soft")
def overview(slug: str) -> ResponseReturnValue:
    """Everybody's figures, what is still to be judged, and the votes and marks being collected."""
    event = managed_event(slug)
    players = _judged_players(event)
    given: dict[int, list[tuple[str, int, int]]] = {}
    names = {p.id: p.name for p in players_of(db(), event)}
    if access.may_award(visitor(), event):
        for mark in event.sports_marks:
            given.setdefault(mark.about_id, []).append((names[mark.giver_id], mark.round_number, mark.mark))
    return render_template(
        "desk/soft.html",
        players=players,
        scores=soft_scores(event, players),
        marks={mark.player_id: mark for mark in event.painting_marks},
        votes=votes(event),
        given=given,
        voted=len(event.painting_votes),
        voters=sum(p.state == PlayerState.CHECKED_IN for p in players),
        rules=soft_rules(event),
    )


@blueprint.post("/e/<slug>/desk/soft/<verb>")
def press(slug: str, verb: str) -> ResponseReturnValue:
    """Open or close the vote, or the marks for opponents."""
    event = managed_event(slug)
    if verb not in PRESSES:
        abort(404)
    action, said = PRESSES[verb]
    with pressed(event, said) as s:
        action(s, event, actor(event), now())
    return redirect(url_for("soft_desk.overview", slug=slug))


@blueprint.route("/e/<slug>/desk/painting/<int:player_id>", methods=["GET", "POST"])
def painting(slug: str, player_id: int) -> ResponseReturnValue:
    """The check list for one player, at the table; saved, it goes on to the next who waits."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    rules = soft_rules(event)
    if not rules.by_list:
        abort(404)
    mark = next((one for one in event.painting_marks if one.player_id == player.id), None)
    form = PaintingForm(data={"items": mark.items if mark else []})
    form.items.choices = [SelectChoice(item.id, f"{item.text} ({item.points})") for item in rules.items]
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                actions.judge_painting(s, event, player, form.items.data or (), actor(event), now())
        except Refused as refused:
            show_at_field(form, refused)
        else:
            waiting = _next(event, player)
            if request.form.get("then") == "next" and waiting is not None:
                return redirect(url_for("soft_desk.painting", slug=slug, player_id=waiting.id))
            return redirect(url_for("soft_desk.overview", slug=slug, _anchor=f"player-{player.id}"))
    page = render_template(
        "desk/painting.html",
        player=player,
        form=form,
        seen=mark,
        score=list_score(mark, rules) if mark else None,
        waiting=_next(event, player),
        left=sum(1 for one in _judged_players(event) if _unjudged(event, one)),
        most=sum(item.points for item in rules.items),
    )
    return page, 422 if form.errors else 200


def _judged_players(event: Event) -> list[Player]:
    """Everybody who is here or was, by name."""
    found = [p for p in players_of(db(), event) if p.state != PlayerState.WAITING]
    return sorted(found, key=lambda p: p.name_key)


def _unjudged(event: Event, player: Player) -> bool:
    here = player.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)
    return here and all(mark.player_id != player.id for mark in event.painting_marks)


def _next(event: Event, player: Player) -> Player | None:
    """The next by name whose force nobody has judged, from the start again after the last."""
    waiting = [one for one in _judged_players(event) if _unjudged(event, one) and one.id != player.id]
    return next((one for one in waiting if one.name_key > player.name_key), waiting[0] if waiting else None)
