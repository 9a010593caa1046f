"""The desk's page of an event's restrictions."""

import re
from dataclasses import asdict

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import BooleanField, HiddenField, SelectMultipleField, ValidationError
from wtforms.fields import SelectChoice
from wtforms.widgets import CheckboxInput, ListWidget

from events.accounts.loading import actor, managed_event
from events.lists.actions import Affected, WouldAffect
from events.play.errors import Refused, Stale
from events.play.queries import edition_of, system_of, terms_of
from events.setup.actions import set_restrictions
from events.web.forms import lines, number, show_at_field
from events.web.request import changing, db, now
from models.event import Event
from validators.canonical import fingerprint
from validators.names import fold
from validators.restrictions import LONGEST_SHOWN, MOST_LISTED, Restrictions, from_document

blueprint = Blueprint("restriction", __name__)


MOST_LINES, LONGEST_LINE = 200, 200
_TIMES = re.compile(
    r"(?:(?P<first>\d{1,3})\s*[xX×]?\s+(?P<name>\S.*))|(?:(?P<alone>.*\S)\s*[:xX×]\s*(?P<last>\d{1,3}))"
)


class RestrictionsForm(FlaskForm):
    """The restrictions that an event can add."""

    banned = lines("Banned", 6000)
    most_copies = lines(
        "Most copies",
        6000,
    )
    same_model = number(
        "The same model", 1, 99, required=False, description="The most of any one model that is not named above."
    )
    factions = SelectMultipleField(
        "Factions that may be played",
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
        description="Tick none to allow all.",
    )
    faction_locked = BooleanField("A player keeps one faction for the whole event")
    roster_size = number(
        "Roster size",
        1,
        100_000,
        required=False,
    )
    choose_minutes = number("Minutes to choose", 1, 60)
    painted = BooleanField("Only fully painted forces")
    on_time_points = number("List on time", 0, 100, description="Submitted when lists lock.")
    error_free_points = number("List without error", 0, 100, description="On time, legal, and not changed afterwards.")
    late_points = number("Late list", 0, 100, description="Deducted if no list is submitted when lists lock.")
    was = HiddenField()
    seen = HiddenField()

    def offer(self, event: Event) -> None:
        """Fill the choices and the examples from the event's edition."""
        edition = edition_of(db(), event)
        self.factions.choices = list(map(SelectChoice, edition.factions))
        words = system_of(event).words
        self.factions.label.text = f"{words.factions.capitalize()} that may be played"
        self.faction_locked.label.text = f"A player keeps one {words.faction} for the whole event"
        self.painted.label.text = f"Only fully painted {words.forces}"
        self.roster_size.description = (
            f"Larger than the event's size: of this roster, each player fields {words.a_force} of the event's size in "
            "every game. Leave blank for no sideboard."
        )
        kinds = ", ".join(kind for kind, names in edition.names if names)
        examples = [names[0] for _, names in edition.names if names]
        self.banned.description = f"One name per line, as the force lists spell it ({kinds})."
        if examples:
            first, last = examples[0], examples[min(1, len(examples) - 1)]
            self.most_copies.description = (
                f"One per line, with how often {words.a_force} may hold it: 1 × {first}, or {last}: 1."
            )

    def validate_banned(self, field: object) -> None:
        """Check the number of lines. Raises ValidationError."""
        if len(_lines(self.banned.data)) > MOST_LINES:
            raise ValidationError(f"At most {MOST_LINES} lines.")

    def validate_most_copies(self, field: object) -> None:
        """Check each line's number, and that limits contradict neither each other nor a ban. Raises ValidationError."""
        found = _lines(self.most_copies.data)
        if len(found) > MOST_LINES:
            raise ValidationError(f"At most {MOST_LINES} lines.")
        faults = _line_faults(found, set(map(fold, _lines(self.banned.data))))
        if faults:
            more = f" And {len(faults) - MOST_LISTED} more lines." if len(faults) > MOST_LISTED else ""
            raise ValidationError(" ".join(faults[:MOST_LISTED]) + more)

    def wanted(self) -> Restrictions:
        """The rules as typed."""
        plain = {name: self[name].data for name in Restrictions.__dataclass_fields__}
        plain["banned"] = tuple(_lines(self.banned.data))
        plain["factions"] = tuple(self.factions.data or ())
        plain["most_copies"] = tuple(map(_limit, _lines(self.most_copies.data)))
        return Restrictions(**plain)


@blueprint.route("/e/<slug>/desk/restrictions", methods=["GET", "POST"])
def change(slug: str) -> ResponseReturnValue:
    """Set the event's restrictions, after showing the lists that they would change."""
    event = managed_event(slug)
    form = RestrictionsForm(data=_shown(from_document(event.restrictions)) | {"was": fingerprint(event.restrictions)})
    form.offer(event)
    status, affected = 200, list[Affected]()
    if form.validate_on_submit():
        try:
            with changing(event) as s:
                if form.was.data != fingerprint(event.restrictions):
                    raise Stale(
                        "Another person changed this after you opened it. Your entries are kept below; save again "
                        "to replace theirs."
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
        "setup/restrictions.html",
        form=form,
        affected=affected,
        names=terms.edition.names,
        added=system_of(event).checks.rules_added(terms),
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


def _line_faults(found: list[str], banned: set[str]) -> list[str]:
    """A sentence for each faulty line of most copies."""
    faults: list[str] = []
    before: dict[str, tuple[str, int]] = {}
    for line in found:
        if len(line) > LONGEST_LINE or not _TIMES.fullmatch(line):
            faults.append(f"{_quoted(line)}: how often? Write it as in the examples below.")
            continue
        name, most = _limit(line)
        first, limit = before.setdefault(fold(name), (line, most))
        if most == 0:
            faults.append(f"{_quoted(line)}: to allow none, enter it under Banned instead.")
        elif fold(name) in banned:
            faults.append(f"{_quoted(line)}: it is banned above; take out one of the two.")
        elif limit not in (most, 0):
            faults.append(f"{_quoted(first)} and {_quoted(line)} are two limits for one name; keep only one.")
    return faults


def _quoted(line: str) -> str:
    return f"“{line if len(line) <= LONGEST_SHOWN else f'{line[:LONGEST_SHOWN]}…'}”"


def _limit(line: str) -> tuple[str, int]:
    found = _TIMES.fullmatch(line)
    if found is None:  # the form has rejected such a line already
        raise ValueError(line)
    return (found["name"] or found["alone"]).strip(), int(found["first"] or found["last"])
