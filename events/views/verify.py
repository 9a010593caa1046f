"""Check a draw: a published round's file, and a page that draws it again and says whether it comes out the same."""

import json
from dataclasses import asdict
from functools import lru_cache

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from sqlmodel import col, select
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events import access
from events.errors import Refused
from events.pairing.pairings_file import read_pairings, to_document
from events.pairing.strict_file import Unreadable
from events.pairing.verify import Check, redrawn
from events.pairings_page import pairings_of
from events.views.press import id_in
from events.views.request import db, event_or_404, shown_round_or_404, visitor
from models.event import Event, Round, RoundState

blueprint = Blueprint("verify", __name__)

MOST_BYTES = 500_000
"""Of a file: 256 players in ten rounds take 150 KB."""
MOST_SENT, MOST_OWN = 256, 1024
"""Players of a file from anywhere, which may be made to be slow, and of a round of the club. The command takes more."""
MOST_OFFERED = 200

_redrawn = lru_cache(maxsize=32)(redrawn)


class RoundForm(FlaskForm):
    """A round of this installation."""

    round = SelectField("Round", validate_choice=False)


class UploadForm(FlaskForm):
    """A round's file."""

    file = FileField("File")


@blueprint.get("/e/<slug>/rounds/<int:number>/pairings.json")
def pairings(slug: str, number: int) -> ResponseReturnValue:
    """What a published round was drawn from, and what was drawn; for everybody the same."""
    event = event_or_404(slug)
    response = Response(_file_of(event, number), mimetype="application/json")
    response.headers["Content-Disposition"] = f'inline; filename="{event.slug}-round-{number}-pairings.json"'
    return response


@blueprint.route("/verify", methods=["GET", "POST"])
def page() -> ResponseReturnValue:
    """Draw a round again: one of this installation's by its address, or any from its file."""
    upload, chosen = UploadForm(), request.args.get("round", "")
    check: Check | None = None
    try:
        if upload.validate_on_submit():
            check = _checked(_sent(upload), MOST_SENT)
        elif chosen and request.method == "GET":
            slug, _, number = chosen.rpartition("/")
            file = _file_of(event_or_404(slug), id_in(number) or 0)
            check = _checked(file, MOST_OWN)
    except Unreadable as unreadable:
        upload.file.errors = ["This file cannot be checked.", *unreadable.faults[:20]]
    except Refused as refused:
        upload.file.errors = [refused.message]
    offered = RoundForm(formdata=None, round=chosen)
    offered.round.choices = _offered()
    shown = render_template(
        "verify.html",
        upload=upload,
        offered=offered,
        check=check,
        levels=[(name.replace("_", " "), n) for name, n in asdict(check.drawn.levels).items()] if check else [],
        most_players=MOST_SENT,
    )
    return shown, 422 if upload.file.errors else 200


def _file_of(event: Event, number: int) -> bytes:
    """The file of a published round; a round that is not published is none at all, to organisers too."""
    the_round = shown_round_or_404(event, number)
    found = pairings_of(db(), event, the_round) if the_round.state == RoundState.PUBLISHED else None
    if found is None:
        abort(404)
    return json.dumps(to_document(found), ensure_ascii=False).encode()


def _sent(upload: UploadForm) -> bytes:
    if not upload.file.data:
        raise Refused("Please choose a file.")
    data: bytes = upload.file.data.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Refused(f"The file is larger than {MOST_BYTES // 1000} KB: check it with “overseer verify”.")
    return data


def _checked(data: bytes, most: int) -> Check:
    """Draw the file's round again. Raises Unreadable, and Refused where it would take too long."""
    file = read_pairings(data)
    if len(file.inputs.seats) > most:
        raise Refused(
            f"It has {len(file.inputs.seats)} players, and at most {most} are drawn here: check it with "
            "“overseer verify”."
        )
    return _redrawn(file)


def _offered() -> list[SelectChoice]:
    """The newest published rounds that the visitor may see."""
    query = (
        select(Event, Round.number)
        .join(Round, col(Round.event_id) == Event.id)
        .where(Round.state == RoundState.PUBLISHED, col(Round.inputs).is_not(None))
        .order_by(col(Event.starts_on).desc(), col(Event.id).desc(), col(Round.number).desc())
        .limit(MOST_OFFERED)
    )
    seen = [(event, number) for event, number in db().exec(query) if access.may_see_event(visitor(), event)]
    return [SelectChoice(f"{event.slug}/{number}", f"{event.name}, round {number}") for event, number in seen]
