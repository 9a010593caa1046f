"""Painting and sportsmanship: typed at the desk, voted on the player's page."""

from collections.abc import Callable, Mapping

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from wtforms.fields import SelectChoice

from events.standings import soft_scores as standings_soft_scores
from events.standings.awards import hall_kept
from events.standings.forms import MarkForm, VoteForm, figures_form, stored_figures
from events.standings.soft_scores import (
    candidates,
    games_to_mark,
    mark_opponent,
    marks_open,
    soft_scores,
    vote,
    vote_open,
    votes,
)
from events.store.act import Act
from events.store.players import by_name, players_by_id
from events.tournament.soft_rules import Sports
from events.visitors import access
from events.visitors.event_loading import players_in, tournament_in
from events.visitors.loading import event_or_404, managed_event, own_player_or_403, visitor
from events.web.forms import refusals_at
from events.web.request import changing, saving
from languages.words import N_, gettext
from models.event import Event
from models.play import Player, PlayerState

blueprint = Blueprint("soft", __name__)


PRESSES: Mapping[str, tuple[Callable[..., None], str]] = {
    "open-vote": (
        standings_soft_scores.open_vote,
        N_("The vote is open: every player who is here finds it on their own page."),
    ),
    "close-vote": (standings_soft_scores.close_vote, N_("The vote is closed and counted.")),
    "open-marks": (standings_soft_scores.open_marks, N_("Marks are open again.")),
    "close-marks": (standings_soft_scores.close_marks, N_("The marks are closed and now count.")),
}


@blueprint.route("/e/<slug>/desk/soft", methods=["GET", "POST"])
def overview(slug: str) -> ResponseReturnValue:
    """All scores, the staff's figures to type, and the state of the vote and the marks."""
    event = managed_event(slug)
    everybody = players_in(event)
    players = sorted((player for player in everybody if player.state != PlayerState.WAITING), key=by_name)
    form = figures_form(players)
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                form.check_unchanged(stored_figures(players))
                for player in players:
                    painting, sports = (form[f"{name}-{player.id}"].data for name in ("painting", "sportsmanship"))
                    standings_soft_scores.set_figures(act, player, painting, sports)
            flash(gettext("Saved."), "success")
            return redirect(url_for("soft.overview", slug=slug))
    given: dict[int, list[tuple[str, int, int]]] = {}
    names = {player.id: player.name for player in everybody}
    for mark in event.sports_marks:
        given.setdefault(mark.about_id, []).append((names[mark.giver_id], mark.round_number, mark.mark))
    voters = {vote.voter_id for vote in event.painting_votes}  # some may have left since
    page = render_template(
        "standings/soft.html",
        form=form,
        players=players,
        scores=soft_scores(event, players),
        votes=votes(event),
        given=given,
        voted=len(voters),
        sports_marks=len(event.sports_marks),
        voters=len(voters | {player.id for player in players if player.state == PlayerState.CHECKED_IN}),
        rules=event.soft_rules,
    )
    return page, form.status


@blueprint.post("/e/<slug>/desk/soft/<verb>")
def act_on_soft_scores(slug: str, verb: str) -> ResponseReturnValue:
    event = managed_event(slug)
    if verb not in PRESSES:
        abort(404)
    action, message = PRESSES[verb]
    with saving(event, gettext(message)) as act, hall_kept(act):
        action(act)
    return redirect(url_for("soft.overview", slug=slug))


MARKS = {
    Sports.THUMBS: [
        ("1", N_("Thumb up: I would gladly play them again")),
        ("0", N_("Thumb down: it was no pleasure")),
    ],
    Sports.SCALE: [
        ("5", N_("5: a model opponent")),
        ("4", N_("4: a pleasure")),
        ("3", N_("3: a good game")),
        ("2", N_("2: hard going")),
        ("1", N_("1: the staff should know")),
    ],
}


@blueprint.route("/e/<slug>/me/votes", methods=["GET", "POST"])
def own_votes(slug: str) -> ResponseReturnValue:
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
    page = render_template(
        "standings/votes.html",
        player=player,
        forms=forms,
        games=games_to_mark(tournament_in(event), player),
        names=players_by_id(event),
        rules=event.soft_rules,
    )
    return page, 422 if any(form.errors for form in forms.values()) else 200


def _forms(event: Event, player: Player, pressed: str) -> dict[str, VoteForm | MarkForm]:
    """The open forms by button: "vote", "favourite", or a round's number. Only the submitted form reads the request."""
    forms: dict[str, VoteForm | MarkForm] = {}

    def sent(key: str) -> MultiDict[str, str] | None:
        return request.form if pressed == key else None

    if access.may_vote(visitor(), event, player, is_open=vote_open(event)):
        stored = next((vote.for_id for vote in event.painting_votes if vote.voter_id == player.id), None)
        ballot = VoteForm(sent("vote"), prefix="vote-", data={"for_id": stored})
        others = [other for other in candidates(event, players_in(event)) if other.id != player.id]
        ballot.for_id.choices = [
            SelectChoice(
                str(other.id),
                gettext("%(name)s, %(faction)s", name=other.name, faction=other.faction)
                if other.faction
                else other.name,
            )
            for other in sorted(others, key=by_name)
        ]
        forms["vote"] = ballot
    if not access.may_mark_opponents(visitor(), event, player, is_open=marks_open(event)):
        return forms
    games = games_to_mark(tournament_in(event), player)
    given = {mark.round_number: mark.mark for mark in event.sports_marks if mark.giver_id == player.id}
    way = event.soft_rules.sports
    if way == Sports.FAVOURITE and games:
        names = players_by_id(event)
        form = MarkForm(sent("favourite"), prefix="favourite-", data={"mark": next(iter(given), None)})
        form.mark.label.text = gettext("Favourite opponent")
        form.mark.choices = [
            SelectChoice(str(n), gettext("%(name)s, round %(n)s", name=names[other].name, n=n)) for n, other in games
        ]
        forms["favourite"] = form
    for number, _ in games if way != Sports.FAVOURITE else ():
        name = str(number)
        form = MarkForm(sent(name), prefix=f"r{name}-", data={"mark": given.get(number)})
        form.mark.choices = [SelectChoice(value, gettext(words)) for value, words in MARKS[way]]
        forms[name] = form
    return forms


def _store(act: Act, player: Player, pressed: str, form: VoteForm | MarkForm) -> None:
    if isinstance(form, VoteForm):
        vote(act, player, form.for_id.data)
    else:
        number, mark = (form.mark.data, 1) if pressed == "favourite" else (int(pressed), form.mark.data)
        mark_opponent(act, player, number, mark)
