"""The desk's page of the clock: the current round, announcements, planned times, and the projector's addresses."""

import re
from dataclasses import asdict
from zoneinfo import ZoneInfo

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.messages import announcements
from events.public import clock
from events.public.forms import LASTS, AnnouncementForm, TimesForm
from events.store.clock_queries import announcements_of, clock_of, planned_of
from events.store.errors import Refused
from events.store.rounds import newest_view
from events.visitors import access
from events.visitors.loading import managed_event, polled, visitor
from events.web.forms import refusals_at
from events.web.request import changing, db, local, now, saving
from languages.words import gettext
from models.event import Event
from validators.strict_json import fingerprint

blueprint = Blueprint("clock", __name__)


BACK = {"desk": "desk.desk", "clock": "clock.clock_page"}
"""The page to return to, by the form's field ``back``; "round": the round's own."""


@blueprint.route("/e/<slug>/desk/clock", methods=["GET", "POST"])
def clock_page(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    form = _times(event)
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                form.check_unchanged(_stored_times(event))
                starts = [entry.moment for entry in form.starts]
                clock.set_times(act, form.rules, starts)
            flash(gettext("The times are saved."), "success")
            return redirect(url_for("clock.clock_page", slug=slug, _anchor="times"))
    return _page(event, times=form)


@blueprint.post("/e/<slug>/desk/clock/<int:round_number>/<verb>")
def press(slug: str, round_number: int, verb: str) -> ResponseReturnValue:
    """Act on a round's clock, or give time to all tables or to one."""
    event = managed_event(slug)
    if verb not in clock.VERBS and verb != "time":
        abort(404)
    with saving(event) as act:
        if verb == "time":
            minutes, was, table = (_whole(name) for name in ("minutes", "was", "table"))
            if minutes is None or ("table" in request.form and table is None):
                raise Refused(gettext("Enter whole minutes and a table number."))
            clock.give_time(act, round_number, minutes, was, table=table)
        else:
            clock.VERBS[verb](act, round_number)
    back = request.form.get("back", "")
    if back == "round" and access.may_see_rounds(visitor(), event):
        return redirect(url_for("rounds.manage_round", slug=slug, number=round_number))
    return redirect(url_for(BACK.get(back, "clock.clock_page"), slug=slug))


@blueprint.post("/e/<slug>/desk/announcements")
def make_announcement(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    form = AnnouncementForm()
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                announcements.announce(act, form.text.data, until=form.until(event))
            flash(gettext("Announced: it appears on all pages of the event within seconds."), "success")
            return redirect(url_for("clock.clock_page", slug=slug, _anchor="announcements"))
    return _page(event, said=form)


@blueprint.post("/e/<slug>/desk/announcements/<int:announcement_id>/take-back")
def end_announcement(slug: str, announcement_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    try:
        with changing(event) as act:
            announcements.withdraw_announcement(act, announcement_id)
    except Refused:
        abort(404)
    return redirect(url_for("clock.clock_page", slug=slug, _anchor="announcements"))


def _whole(name: str) -> int | None:
    """A form's whole number of at most four digits; None for anything else."""
    typed = request.form.get(name, "").strip()
    return int(typed) if re.fullmatch(r"-?[0-9]{1,4}", typed) else None


def _stored_times(event: Event) -> list[object]:
    starts = [round_.planned_at and round_.planned_at.isoformat() for round_ in event.schedule]
    return [asdict(event.clock_rules), starts]


def _times(event: Event) -> TimesForm:
    rules, rounds = event.clock_rules, event.schedule
    form = TimesForm(
        data={
            "break_minutes": rules.break_minutes,
            "calls": ", ".join(map(str, rules.calls)) or "0",
            "last_game_round": rules.last_game_round,
            "was": fingerprint(_stored_times(event)),
        }
    )
    planned = planned_of(event, rounds)
    if not form.is_submitted():
        for round_ in rounds:
            at = round_.planned_at  # shown without its zone
            form.starts.append_entry(at.astimezone(ZoneInfo(event.timezone)).replace(tzinfo=None) if at else None)
    for entry, round_ in zip(form.starts, rounds, strict=False):
        entry.zone = event.timezone
        entry.label.text = gettext("Round %(number)s", number=round_.number)
        start = planned.get(round_.number)
        if round_.planned_at is None and start is not None:
            hour = local(start, event, "%a %H:%M")
            entry.description = (
                gettext("Leave blank for %(hour)s, after the previous round and the break.", hour=hour)
                if round_.number > 1
                else gettext("Leave blank for %(hour)s.", hour=hour)
            )
        elif round_.number == 1:
            entry.description = gettext("Local time. The other rounds follow.")
    return form


def _page(event: Event, *, times: TimesForm | None = None, said: AnnouncementForm | None = None) -> ResponseReturnValue:
    rounds = event.schedule
    view = newest_view(db(), event)
    status = times.status if times else 422 if said and said.errors else 200
    body = render_template(
        "hall/clock.html",
        clock=clock_of(event, view, rounds, now()) if view else None,
        view=view,
        rounds=rounds,
        planned=planned_of(event, rounds),
        times=times or _times(event),
        said=said or AnnouncementForm(formdata=None),
        lasts=LASTS,
        announcements=announcements_of(db(), event, now()),
    )
    return polled(body, event) if status == 200 else (body, status)
