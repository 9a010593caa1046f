"""What is closed in a campaign, at the desk: steps opened again, and rulings on a group."""

from dataclasses import replace
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from events.seasons import campaign_actions as actions
from events.seasons import campaign_queries as queries
from events.seasons import changes
from events.seasons.forms import form_of_questions
from events.seasons.loading import campaign_or_404, chance_in
from events.store.campaign import differing
from events.store.errors import Refused
from events.visitors import access
from events.visitors.event_loading import campaign_of
from events.visitors.loading import managed_event, player_or_404, visitor
from events.web.forms import answers_in, show_at_field
from events.web.parsing import number_or_none
from events.web.request import changing, id_sent, saving
from languages.words import gettext, ngettext
from models.event import Event
from models.play import Player
from validators.calculator import Asked
from validators.campaign import BY_DESK, Answered

blueprint = Blueprint("closed", __name__)


def _group(slug: str, player_id: int) -> tuple[Event, Player]:
    event = campaign_or_404(managed_event(slug))
    return event, player_or_404(event, player_id)


@blueprint.route("/e/<slug>/desk/campaign/<int:player_id>/closed", methods=["GET", "POST"])
def open_steps_again(slug: str, player_id: int) -> ResponseReturnValue:
    """The steps of a group, to open one again: first what that would change, then a POST does it."""
    event, player = _group(slug, player_id)
    history, _ = campaign_of(event)
    number = number_or_none(request.values.get("step", ""))
    if request.method == "POST":
        with saving(event) as act:
            made = changes.open_step(act, player, number or 0, request.form.get("reason", ""), id_sent("seen") or 0)
            flash(
                ngettext(
                    "Opened again: %(num)s step is set aside, to be redone or left out.",
                    "Opened again: %(num)s steps are set aside, to be redone or left out.",
                    len(made.aside),
                ),
                "success",
            )
        return redirect(url_for("steps.desk_steps", slug=slug, player_id=player.id))
    opening, why_not = None, ""
    if number is not None:
        try:
            opening = changes.opening(history, player, number)
        except Refused as refused:
            why_not = refused.message
    return render_template(
        "campaigns/closed.html",
        of=player,
        number=number,
        opening=opening,
        why_not=why_not,
        before=queries.held(history, player.id)[0],
        after=queries.held(opening.history, player.id)[0] if opening else [],
        names=history.world.names,
        parts=queries.steps_in_words(history, player.id),
        step_words=lambda entry: queries.step_words(entry, queries.ended_by(history, entry.step)),
        fixed=changes.FIXED,
        seen=actions.newest_step(history, player),
        may_change=access.may_take_steps(visitor(), event, player),
    )


def _ruling_form(asks: tuple[Asked, ...], wanted: Answered) -> FlaskForm:
    about = gettext("Shown in the ledger and to everybody who reads the group.")
    reason = Asked("reason", gettext("Reason"), "text", most=200, help=about)
    filled = (replace(ask, default=wanted.get(ask.key, ask.default)) for ask in asks)
    return form_of_questions((reason, *filled), "")


@blueprint.route("/e/<slug>/desk/campaign/<int:player_id>/rule", methods=["GET", "POST"])
def rule_on_group(slug: str, player_id: int) -> ResponseReturnValue:
    """Rule on a group: change what it has, settle what is to be checked, found it again, or take a ruling back."""
    event, player = _group(slug, player_id)
    history, results = campaign_of(event)
    verb, settles = request.form.get("do", ""), number_or_none(request.values.get("settles", "")) or 0
    differ = next((row for row in differing(history, results) if row[0].number == settles), None)
    doubt = next((sentence for _, step, sentence in queries.doubtful(history) if step.number == settles), "")
    wanted = changes.difference(history, differ[0], differ[2]) if differ else {}
    asks = changes.asks_of(history, player)
    form = _ruling_form(asks, wanted)
    back = url_for("campaigns.group", slug=slug, player_id=player.id)
    if verb == "take-back":
        with saving(event, gettext("The ruling is taken back.")) as act:
            changes.revoke_group_ruling(act, player, id_sent("number") or 0)
        return redirect(back)
    if verb in ("settle", "refound"):
        sentence = gettext("Settled.") if verb == "settle" else gettext("The group is founded again.")
        reason, seen = request.form.get("reason", ""), id_sent("seen") or 0
        with saving(event, sentence) as act:
            if verb == "settle":
                changes.rule(act, player, {}, reason or gettext("Settled"), settles, None)
            else:
                changes.refound(act, player, reason, chance_in(event), seen)
        return redirect(back if verb == "refound" else url_for("campaigns.manage_campaign", slug=slug))
    status = 200
    if request.method == "POST":
        status = _ruled(event, player, form, asks, settles)
        if status == 302:
            flash(gettext("The ruling is recorded in the ledger."), "success")
            return redirect(back)
    return render_template(
        "campaigns/rule.html",
        of=player,
        form=form,
        asks=asks,
        filled=[ask for ask in asks if ask.key in wanted],
        differ=differ,
        doubt=doubt,
        settles=settles,
        purse=queries.held(history, player.id)[0],
        rulings=[entry for entry in history.entries_of(player.id) if entry.step.kind in BY_DESK],
        seen=actions.newest_step(history, player),
        may_change=access.may_take_steps(visitor(), event, player),
    ), status


def _ruled(event: Event, player: Player, form: Any, asks: tuple[Asked, ...], settles: int) -> int:
    """Record the ruling of a form; the status of the answer."""
    if not form.validate():
        return 422
    try:
        with changing(event) as act:
            answers = answers_in(form, asks)
            changes.rule(act, player, answers, form.reason.data, settles, id_sent("seen") or 0)
    except Refused as refused:
        return show_at_field(form, refused)
    return 302
