"""Painting and sportsmanship: judged at the desk, voted on the player's page or typed from paper."""

from collections.abc import Callable, Mapping, Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from wtforms.fields import RadioField, SelectChoice

from events.accounts import access
from events.accounts.event_loading import players_in, tournament_in
from events.accounts.loading import event_or_404, managed_event, own_player_or_403, player_or_404, visitor
from events.play.act import Act
from events.play.players import by_name, players_by_id
from events.play.rulings import Sports, soft_rules
from events.standings import soft_scores as standings_soft_scores
from events.standings.forms import MarkForm, PaintingForm, VoteForm
from events.standings.soft_scores import (
    candidates,
    games_to_mark,
    has_voted,
    list_score,
    mark_opponent,
    marks_open,
    remove_mark,
    remove_vote,
    soft_scores,
    unjudged,
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
    voted = {one.voter_id for one in event.painting_votes}  # some may have left since
    return render_template(
        "standings/soft.html",
        players=players,
        scores=soft_scores(event, players),
        marks={mark.player_id: mark for mark in event.painting_marks},
        votes=votes(event),
        given=given,
        voted=len(voted),
        sports_marks=len(event.sports_marks),
        voters=len(voted | {p.id for p in players if p.state == PlayerState.CHECKED_IN}),
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
            waiting = _after(unjudged(event, _judged_players(event)), player)
            if request.form.get("then") == "next" and waiting is not None:
                return redirect(url_for("soft.judge_painting", slug=slug, player_id=waiting.id))
            return redirect(url_for("soft.overview", slug=slug, _anchor=f"player-{player.id}"))
    left = unjudged(event, _judged_players(event))
    page = render_template(
        "standings/painting.html",
        player=player,
        form=form,
        seen=mark,
        score=list_score(mark, rules) if mark else None,
        waiting=_after(left, player),
        left=len(left),
        most=sum(item.points for item in rules.items),
    )
    return page, 422 if form.errors else 200


def _judged_players(event: Event) -> list[Player]:
    """The players of the event by name, without the waiting list."""
    found = [p for p in players_in(event) if p.state != PlayerState.WAITING]
    return sorted(found, key=by_name)


def _after(waiting: Sequence[Player], player: Player) -> Player | None:
    """The next other of these players by name; after the last, the first again."""
    others = [one for one in waiting if one.id != player.id]
    return next((one for one in others if by_name(one) > by_name(player)), others[0] if others else None)


REMOVED = -1
"""The choice on a slip that removes what is stored."""
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
        if _stored(event, player, {pressed: form}):
            flash(gettext("Stored. You can change it until the staff closes it."), "success")
            return redirect(url_for("soft.own_votes", slug=slug))
    own = next((one for one in event.painting_marks if one.player_id == player.id), None)
    rules = soft_rules(event)
    page = render_template(
        "standings/votes.html",
        player=player,
        forms=forms,
        games=games_to_mark(tournament_in(event), player),
        names=players_by_id(db(), event),
        rules=rules,
        own=own if rules.by_list else None,
        score=list_score(own, rules) if own else None,
    )
    return page, 422 if any(form.errors for form in forms.values()) else 200


@blueprint.get("/e/<slug>/desk/votes", defaults={"player_id": 0})
@blueprint.route("/e/<slug>/desk/votes/<int:player_id>", methods=["GET", "POST"])
def votes_from_paper(slug: str, player_id: int) -> ResponseReturnValue:
    """A player's votes and marks, typed from a slip of paper; 0 for the first player still to come, or else
    the first who is done.

    A stored vote stays secret from the staff too: its box is empty.
    """
    event = managed_event(slug)
    waiting, done = _still_to_give(event)
    player = player_or_404(event, player_id) if player_id else next(iter(waiting + done), None)
    forms = _forms(event, player, None) if player else {}
    if player is None or not forms:
        flash(gettext("There is nothing to vote for now."), "info")
        return redirect(url_for("soft.overview", slug=slug))
    after = _after(waiting, player)
    if request.method == "POST":
        typed = {key: form for key, form in forms.items() if request.form.get(_box(form).name)}
        if request.form.get("then") == "remove":
            with saving(event, gettext("Votes and marks of %(name)s: removed.", name=player.name)) as act:
                for key, form in forms.items():
                    if _removes(form):
                        _box(form).data = REMOVED
                        _store(act, player, key, form, from_paper=True)
            return redirect(url_for("soft.votes_from_paper", slug=slug, player_id=player.id))
        if not typed or _stored(event, player, typed, from_paper=True):
            if typed:
                flash(gettext("Votes and marks of %(name)s: stored.", name=player.name), "success")
            if request.form.get("then") == "next" and after is not None:
                return redirect(url_for("soft.votes_from_paper", slug=slug, player_id=after.id))
            return redirect(url_for("soft.overview", slug=slug, _anchor=f"player-{player.id}"))
    page = render_template(
        "standings/desk_votes.html",
        player=player,
        boxes={key: _box(form) for key, form in forms.items()},
        can_remove=any(map(_removes, forms.values())),
        wrong=[form for form in forms.values() if form.errors],
        games=dict(games_to_mark(tournament_in(event), player)),
        names=players_by_id(db(), event),
        lists=(waiting, done),
        after=after,
        voted=has_voted(db(), player),
        vote_waits=soft_rules(event).by_vote and event.painting_vote_opened_at is None,
    )
    return page, 422 if any(form.errors for form in forms.values()) else 200


def _still_to_give(event: Event) -> tuple[list[Player], list[Player]]:
    """The players by name whose open vote or marks are not all given, and those who gave all."""
    by_mark = soft_rules(event).sports != Sports.FAVOURITE
    voted = {one.voter_id for one in event.painting_votes}
    marked = {(one.giver_id, one.round_number if by_mark else 0) for one in event.sports_marks}

    def given(player: Player) -> list[bool]:
        """For each vote and mark that is open for the player, whether it is given."""
        votes = access.may_vote(visitor(), event, player, is_open=vote_open(event))
        marks = access.may_mark_opponents(visitor(), event, player, is_open=marks_open(event))
        games = games_to_mark(tournament_in(event), player) if marks else []
        return [player.id in voted] * votes + [(player.id, n if by_mark else 0) in marked for n, _ in games]

    all_given = [(player, all(found)) for player in _judged_players(event) if (found := given(player))]
    return [player for player, is_all in all_given if not is_all], [player for player, is_all in all_given if is_all]


def _box(form: VoteForm | MarkForm) -> RadioField:
    return form.for_id if isinstance(form, VoteForm) else form.mark


def _forms(event: Event, player: Player, pressed: str | None) -> dict[str, VoteForm | MarkForm]:
    """The open forms by button: "vote", "favourite", or a round's number.

    Only the submitted form reads the request; None if all are submitted together, from paper.
    """
    forms: dict[str, VoteForm | MarkForm] = {}
    from_paper = pressed is None

    def sent(key: str) -> MultiDict[str, str] | None:
        return request.form if request.method == "POST" and pressed in (key, None) else None

    if access.may_vote(visitor(), event, player, is_open=vote_open(event)):
        stored = next((one.for_id for one in event.painting_votes if one.voter_id == player.id), None)
        ballot = VoteForm(sent("vote"), prefix="vote-", data={"for_id": None if from_paper else stored})
        others = [one for one in candidates(event, players_in(event)) if one.id != player.id]
        ballot.for_id.choices = [
            SelectChoice(
                str(one.id),
                gettext("%(name)s, %(faction)s", name=one.name, faction=one.faction) if one.faction else one.name,
            )
            for one in sorted(others, key=by_name)
        ]
        _offer_removal(ballot, stored if from_paper else None)
        forms["vote"] = ballot
    if not access.may_mark_opponents(visitor(), event, player, is_open=marks_open(event)):
        return forms
    games = games_to_mark(tournament_in(event), player)
    given = {one.round_number: one.mark for one in event.sports_marks if one.giver_id == player.id}
    way = soft_rules(event).sports
    if way == Sports.FAVOURITE and games:
        names = players_by_id(db(), event)
        form = MarkForm(sent("favourite"), prefix="favourite-", data={"mark": next(iter(given), None)})
        form.mark.label.text = gettext("Favourite opponent")
        form.mark.choices = [
            SelectChoice(str(n), gettext("%(name)s, round %(n)s", name=names[other].name, n=n)) for n, other in games
        ]
        _offer_removal(form, form.mark.object_data if from_paper else None)
        forms["favourite"] = form
    for number, _ in games if way != Sports.FAVOURITE else ():
        name = str(number)
        form = MarkForm(sent(name), prefix=f"r{name}-", data={"mark": given.get(number)})
        form.mark.choices = [SelectChoice(value, gettext(words)) for value, words in MARKS[way]]
        _offer_removal(form, given.get(number) if from_paper else None)
        forms[name] = form
    return forms


def _offer_removal(form: VoteForm | MarkForm, stored: int | None) -> None:
    if stored is not None:
        _box(form).choices.append(SelectChoice(str(REMOVED), gettext("Remove")))


def _removes(form: VoteForm | MarkForm) -> bool:
    """Whether the form offers to remove what is stored."""
    return any(one.value == str(REMOVED) for one in _box(form).choices)


def _stored(
    event: Event, player: Player, forms: Mapping[str, VoteForm | MarkForm], *, from_paper: bool = False
) -> bool:
    """Store what these forms say, all or nothing. Returns whether it is stored; the forms have the reasons if not."""
    if [form for form in forms.values() if not form.validate()]:  # each shows its errors
        return False
    with refusals_at(next(iter(forms.values()))):
        with changing(event) as act:
            for pressed, form in forms.items():
                _store(act, player, pressed, form, from_paper=from_paper)
        return True
    return False


def _store(act: Act, player: Player, pressed: str, form: VoteForm | MarkForm, *, from_paper: bool) -> None:
    chosen, is_removed = _box(form).data, _box(form).data == REMOVED
    if isinstance(form, VoteForm):
        if is_removed:
            remove_vote(act, player)
        else:
            vote(act, player, chosen, from_paper=from_paper)
        return
    favourite = pressed == "favourite"
    if is_removed:
        remove_mark(act, player, form.mark.object_data if favourite else int(pressed))
    else:
        number, value = (chosen, 1) if favourite else (int(pressed), chosen)
        mark_opponent(act, player, number, value, from_paper=from_paper)
