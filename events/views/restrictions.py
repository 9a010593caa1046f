"""What an event adds to the game's rules: one form."""

import re
from dataclasses import asdict

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import BooleanField, HiddenField, SelectMultipleField, ValidationError
from wtforms.fields import SelectChoice
from wtforms.widgets import CheckboxInput, ListWidget

from events.actions.recheck import Affected, WouldAffect
from events.actions.restrictions import set_restrictions
from events.errors import Refused, Stale
from events.reading import edition_of, system_of, terms_of
from events.views.fields import lines, number, show_at_field
from events.views.request import actor, changing, db, managed_event, now
from models.event import Event
from validators.canonical import fingerprint
from validators.restrictions import Restrictions, from_document

blueprint = Blueprint("restrictions", __name__)

MOST_LINES = 200
_TIMES = re.compile(r"(?:(?P<first>\d{1,3})\s*[x×]?\s+(?P<name>\S.*))|(?:(?P<alone>.*\S)\s*[:x×]\s*(?P<last>\d{1,3}))")


class RestrictionsForm(FlaskForm):
    """Everything that an event can add."""

    banned = lines(
        "Banned",
        6000,
        description="One name a line, as the force lists spell it: a model, item, mod, perk or Leader card.",
    )
    most_copies = lines(
        "Most copies",
        6000,
        description="One a line, with how often a force may hold it: 1 × Missile Launcher, or Missile Launcher: 1.",
    )
    same_model = number(
        "The same model", 1, 99, required=False, description="How often at most, for every model not named above."
    )
    factions = SelectMultipleField(
        "Factions that may be played",
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
        description="None ticked: all of them.",
    )
    faction_locked = BooleanField("A player keeps one faction for the whole event")
    roster_size = number(
        "Roster size",
        1,
        100_000,
        required=False,
        description="Larger than the event's size: of this roster, each player fields a force of the event's size in "
        "every game. Leave empty for no sideboard.",
    )
    choose_minutes = number("Minutes to choose", 1, 60)
    painted = BooleanField("Only fully painted forces")
    on_time_points = number("List on time", 0, 100, description="Handed in when lists lock.")
    error_free_points = number("List without error", 0, 100, description="On time, legal, and never changed after.")
    late_points = number("Late list", 0, 100, description="Taken away where no list was handed in when lists lock.")
    was = HiddenField()
    seen = HiddenField()

    def offer(self, event: Event) -> None:
        """Fill the choices from the event's edition."""
        self.factions.choices = list(map(SelectChoice, edition_of(db(), event).factions))

    def validate_banned(self, field: object) -> None:
        """Refuse more lines than anybody needs. Raises ValidationError."""
        if len(_lines(self.banned.data)) > MOST_LINES:
            raise ValidationError(f"At most {MOST_LINES} lines.")

    def validate_most_copies(self, field: object) -> None:
        """Refuse a line without its number. Raises ValidationError."""
        found = _lines(self.most_copies.data)
        if len(found) > MOST_LINES:
            raise ValidationError(f"At most {MOST_LINES} lines.")
        for line in found:
            if not _TIMES.fullmatch(line):
                raise ValidationError(
                    f"“{line[:60]}”: how often? Write it as 1 × Missile Launcher, or Missile Launcher: 1."
                )

    def wanted(self) -> Restrictions:
        """What was typed."""
        plain = {name: self[name].data for name in Restrictions.__dataclass_fields__}
        plain["banned"] = tuple(_lines(self.banned.data))
        plain["factions"] = tuple(self.factions.data or ())
        plain["most_copies"] = tuple(map(_limit, _lines(self.most_copies.data)))
        return Restrictions(**plain)


@blueprint.route("/e/<slug>/desk/restrictions", methods=["GET", "POST"])
def change(slug: str) -> ResponseReturnValue:
    """Set what the event adds; the lists that it touches are shown first."""
    event = managed_event(slug)
    form = RestrictionsForm(data=_shown(from_document(event.restrictions)) | {"was": fingerprint(event.restrictions)})
    form.offer(event)
    status, affected = 200, list[Affected]()
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                if form.was.data != fingerprint(event.restrictions):
                    raise Stale(
                        "Somebody else changed this since you opened it. What you typed is kept below; send it again "
                        "to put it in place of theirs."
                    )
                set_restrictions(s, event, form.wanted(), actor(event), now(), seen=form.seen.data or "")
        except WouldAffect as first:
            affected, form.seen.data = first.affected, first.mark
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
            form.was.data = fingerprint(event.restrictions)
        else:
            flash("Saved.", "success")
            return redirect(request.path)
    elif form.errors:
        status = 422
    terms = terms_of(db(), event)
    page = render_template(
        "desk/restrictions.html",
        form=form,
        affected=affected,
        names=terms.edition.names,
        added=system_of(event).rules_added(terms),
    )
    return page, status


def _shown(restrictions: Restrictions) -> dict[str, object]:
    return asdict(restrictions) | {
        "banned": "\n".join(restrictions.banned),
        "most_copies": "\n".join(f"{most} × {name}" for name, most in restrictions.most_copies),
        "factions": list(restrictions.factions),
    }


def _lines(text: str | None) -> list[str]:
    return [" ".join(line.split()) for line in (text or "").splitlines() if line.strip()]


def _limit(line: str) -> tuple[str, int]:
    found = _TIMES.fullmatch(line)
    if found is None:  # the form refuses such a line before
        raise ValueError(line)
    return (found["name"] or found["alone"]).strip(), int(found["first"] or found["last"])
