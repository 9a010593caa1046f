"""Safe ways back: the last step undone, a game opened again. What is typed to confirm is said on the page."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events import access
from events.actions import undo
from events.actions.open_again import open_again as open_game
from events.errors import Refused
from events.journal_readers import Reader
from events.typed import one_line
from events.views.press import id_sent, pressed
from events.views.request import actor, changing, db, game_or_404, managed_event, now, visitor

blueprint = Blueprint("taking_back", __name__)

TAKE_BACK = "take back"
"""What is typed before the last step is undone."""


def typed(wanted: str) -> bool:
    """Whether the visitor typed just this to confirm, in whatever case and with whatever space around it."""
    return " ".join(request.form.get("typed", "")[:200].split()).casefold() == wanted.casefold()


@blueprint.route("/e/<slug>/desk/undo", methods=["GET", "POST"])
def last_step(slug: str) -> ResponseReturnValue:
    """The last step of the desk that can be taken back, and those after it that cannot, with why."""
    event = managed_event(slug)
    wrong, status = "", 200
    if request.method == "POST":
        if not typed(TAKE_BACK):
            wrong, status = f"Type “{TAKE_BACK}” to confirm.", 422
        else:
            try:
                with changing(event) as s:
                    done = undo.undo(s, event, id_sent("step") or 0, actor(event), now())
            except Refused as refused:
                wrong, status = refused.message, refused.status
            else:
                flash(f"Taken back: {done.text}.", "success")
                return redirect(url_for("taking_back.last_step", slug=slug))
    steps = undo.last_steps(db(), event)
    last = steps[-1] if steps and not steps[-1].why_not else None
    reader = Reader(visitor(), event)
    others = [step for step in steps if step is not last and all(map(reader.reads_kind, step.verbs))]
    page = render_template("desk/undo.html", last=last, others=others[:5], wrong=wrong, word=TAKE_BACK)
    return page, status


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/open-again")
def open_again(slug: str, game_id: int) -> ResponseReturnValue:
    """Take every report of a game back."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    version = id_sent("version")
    with pressed(event, "The game waits for new reports.") as s:
        reason = one_line(request.form.get("reason", ""), 500, "The reason")
        open_game(
            s, event, game, version=-1 if version is None else version, reason=reason, actor=actor(event), now=now()
        )
    return redirect(url_for("game_desk.decide", slug=slug, game_id=game_id))
