"""Painting and sportsmanship: judged at the desk, voted on the player's page."""

from collections.abc import Callable, Mapping

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.accounts import access
from events.accounts.loading import event_or_404, managed_event, own_player_or_403, player_or_404, players_in, visitor
from events.play.act import Act
from events.play.players import by_name, players_by_id
from events.play.rounds import public_round_views
from events.play.rulings import Sports, soft_rules
from events.standings import soft_scores as standings_soft_scores
from events.standings.forms import MarkForm, PaintingForm, VoteForm
from events.standings.soft_scores import (
    candidates,
    games_to_mark,
    list_score,
    mark_opponent,
    marks_open,
    soft_scores,
    vote,
    vote_open,
    votes,
)
from events.web.forms import refusals_at
from events.web.request import changing, db, saving
from languages.words import gettext, noted
from models.event import Event
from models.play import Player, PlayerState

blueprint = Blueprint("soft", __name__)


PRESSES: Mapping[str, tuple[Callable[..., None], str]] = {
    "open-vote": (
        standings_soft_scores.open_vote,
        noted("The vote is open: every player who is here finds it on their own page."),
    ),
    "close-vote": (standings_soft_scores.close_vote, noted("The vote is closed and counted.")),
    "open-marks": (standings_soft_scores.open_marks, noted("Marks are open again.")),
    "close-marks": (standings_soft_scores.close_marks, noted("The marks are closed and now count.")),
}


@blueprint.get("/e/<slug>/desk/soft")
def overview(slug: str) -> ResponseReturnValue:
    """All scores, the players still to judge, and the state of the vote and the marks."""
    event = managed_event(slug)
    players = _judged_players(event)
    given: dict[int, list[tuple[str, int, int]]] = {}
    names = {p.id: p.name for p in players_in(event)}
    if access.may_award(visitor(), event):
        for mark in event.sports_marks:
            given.setdefault(mark.about_id, []).append((names[mark.giver_id], mark.round_number, mark.mark))
    return render_template(
        "standings/soft.html",
        players=players,
        scores=soft_scores(event, players),
        marks={mark.player_id: mark for mark in event.painting_marks},
        votes=votes(event),
        given=given,
        voted=len(event.painting_votes),
        sports_marks=len(event.sports_marks),
        voters=sum(p.state == PlayerState.CHECKED_IN for p in players),
        rules=soft_rules(event),
    )


@blueprint.post("/e/<slug>/desk/soft/<verb>")
def act_on_soft_scores(slug: str, verb: str) -> ResponseReturnValue:
    """Open or close the vote or the marks."""
    event = managed_event(slug)
    if verb not in PRESSES:
        abort(404)
    action, message = PRESSES[verb]
    with saving(event, gettext(message)) as act:
        action(act)
    return redirect(url_for("soft.overview", slug=slug))


@blueprint.route("/e/<slug>/desk/painting/<int:player_id>", methods=["GET", "POST"])
def judge_painting(slug: str, player_id: int) -> ResponseReturnValue:
    """The checklist for one player; saving can continue with the next unjudged player."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    rules = soft_rules(event)
    if not rules.by_list:
        abort(404)
    mark = next((one for one in event.painting_marks if one.player_id == player.id), None)
    form = PaintingForm(data={"items": mark.items if mark else []})
    form.items.choices = [
        SelectChoice(item.id, gettext("%(text)s (%(points)s)", text=gettext(item.text), points=item.points))
        for item in rules.items
    ]
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                standings_soft_scores.judge_painting(act, player, form.items.data or ())
            waiting = _next(event, player)
            if request.form.get("then") == "next" and waiting is not None:
                return redirect(url_for("soft.judge_painting", slug=slug, player_id=waiting.id))
            return redirect(url_for("soft.overview", slug=slug, _anchor=f"player-{player.id}"))
    page = render_template(
        "standings/painting.html",
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
    """The players of the event by name, without the waiting list."""
    found = [p for p in players_in(event) if p.state != PlayerState.WAITING]
    return sorted(found, key=by_name)


def _unjudged(event: Event, player: Player) -> bool:
    here = player.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)
    return here and all(mark.player_id != player.id for mark in event.painting_marks)


def _next(event: Event, player: Player) -> Player | None:
    """The next unjudged player by name; after the last, the first again."""
    waiting = [one for one in _judged_players(event) if _unjudged(event, one) and one.id != player.id]
    return next((one for one in waiting if by_name(one) > by_name(player)), waiting[0] if waiting else None)


MARKS = {
    Sports.THUMBS: [
        ("1", noted("Thumb up: I would gladly play them again")),
        ("0", noted("Thumb down: it was no pleasure")),
    ],
    Sports.SCALE: [
        ("5", noted("5: a model opponent")),
        ("4", noted("4: a pleasure")),
        ("3", noted("3: a good game")),
        ("2", noted("2: hard going")),
        ("1", noted("1: the staff should know")),
    ],
}


@blueprint.route("/e/<slug>/me/votes", methods=["GET", "POST"])
def own_votes(slug: str) -> ResponseReturnValue:
    """The player's open votes and marks, and their painting score."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    pressed = request.form.get("do", "") if request.method == "POST" else ""
    forms = _forms(event, player, pressed)
    if request.method == "POST":
        form = forms.get(pressed)
        if form is None:
            abort(403)
        if form.validate():
            with refusals_at(form):
                with changing(event) as act:
                    _store(act, player, pressed, form)
                flash(gettext("Stored. You can change it until the staff closes it."), "success")
                return redirect(url_for("soft.own_votes", slug=slug))
    own = next((one for one in event.painting_marks if one.player_id == player.id), None)
    rules = soft_rules(event)
    page = render_template(
        "standings/votes.html",
        player=player,
        forms=forms,
        games=games_to_mark(public_round_views(db(), event), player),
        names=players_by_id(db(), event),
        rules=rules,
        own=own if rules.by_list else None,
        score=list_score(own, rules) if own else None,
    )
    return page, 422 if any(form.errors for form in forms.values()) else 200


def _forms(event: Event, player: Player, pressed: str) -> dict[str, VoteForm | MarkForm]:
    """The open forms by button: "vote", "favourite", or a round's number. Only the submitted form reads the request."""
    forms: dict[str, VoteForm | MarkForm] = {}
    sent = {pressed: request.form}
    if access.may_vote(visitor(), event, is_open=vote_open(event)):
        stored = next((one.for_id for one in event.painting_votes if one.voter_id == player.id), None)
        ballot = VoteForm(sent.get("vote"), prefix="vote-", data={"for_id": stored})
        others = [one for one in candidates(event, players_in(event)) if one.id != player.id]
        ballot.for_id.choices = [
            SelectChoice(
                str(one.id),
                gettext("%(name)s, %(faction)s", name=one.name, faction=one.faction) if one.faction else one.name,
            )
            for one in sorted(others, key=by_name)
        ]
        forms["vote"] = ballot
    if not access.may_mark_opponents(visitor(), event, is_open=marks_open(event)):
        return forms
    games = games_to_mark(public_round_views(db(), event), player)
    given = {one.round_number: one.mark for one in event.sports_marks if one.giver_id == player.id}
    way = soft_rules(event).sports
    if way == Sports.FAVOURITE and games:
        names = players_by_id(db(), event)
        form = MarkForm(sent.get("favourite"), prefix="favourite-", data={"mark": next(iter(given), None)})
        form.mark.label.text = gettext("Favourite opponent")
        form.mark.choices = [
            SelectChoice(str(n), gettext("%(name)s, round %(n)s", name=names[other].name, n=n)) for n, other in games
        ]
        forms["favourite"] = form
    for number, _ in games if way != Sports.FAVOURITE else ():
        name = str(number)
        form = MarkForm(sent.get(name), prefix=f"r{name}-", data={"mark": given.get(number)})
        form.mark.choices = [SelectChoice(value, gettext(words)) for value, words in MARKS[way]]
        forms[name] = form
    return forms


def _store(act: Act, player: Player, pressed: str, form: VoteForm | MarkForm) -> None:
    if isinstance(form, VoteForm):
        vote(act, player, form.for_id.data)
        return
    number, value = (form.mark.data, 1) if pressed == "favourite" else (int(pressed), form.mark.data)
    mark_opponent(act, player, number, value)
