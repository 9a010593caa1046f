"""The desk's page of a round's results: every table with its state, and one press or one page to each cure."""

from collections import Counter

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events import access
from events.actions import results, sheets
from events.errors import Refused, Stale
from events.reading import players_by_id, round_view
from events.results_reading import Standing, table_rows
from events.rounds_in_short import round_in_short, rounds_in_short
from events.views.game_parts import AGREES, desk_word
from events.views.press import id_sent, pressed
from events.views.request import actor, changing, db, game_or_404, managed_event, now, polled, round_or_404, visitor
from models.event import RoundState
from models.play import ReportSide

blueprint = Blueprint("results_desk", __name__)

FILTERS = {
    "playing": ("Still playing", (Standing.PLAYING,)),
    "one-side": ("Waiting for confirmation", (Standing.ONE_SIDE,)),
    "disputed": ("Disputed", (Standing.DISPUTED,)),
    "confirmed": ("Confirmed", (Standing.CONFIRMED, Standing.NOT_PLAYED)),
    "differs": ("Second pass differs", (Standing.DIFFERS,)),
    "verified": ("Verified", (Standing.VERIFIED,)),
}


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/results")
def results_page(slug: str, number: int) -> ResponseReturnValue:
    """Every table of a round; ``?show=`` one kind of them."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    if the_round.state != RoundState.PUBLISHED:
        return redirect(url_for("rounds.manage", slug=slug, number=number))
    rows = table_rows(db(), event, round_view(db(), event, the_round))
    count = Counter(row.standing for row in rows)
    show = request.args.get("show", "")
    wanted = FILTERS[show][1] if show in FILTERS else tuple(Standing)
    page = render_template(
        "desk/results.html",
        round=the_round,
        rounds=[one for one in rounds_in_short(db(), event) if one.state == RoundState.PUBLISHED],
        rows=[row for row in rows if row.standing in wanted],
        filters=[(key, label, sum(count[one] for one in kinds)) for key, (label, kinds) in FILTERS.items()],
        show=show if show in FILTERS else "",
        tables=len(rows),
        verified=count[Standing.VERIFIED],
        to_verify=len(rows) - count[Standing.NOT_PLAYED],
        in_hand=sum(count[one] for one in Standing if one not in (Standing.PLAYING, Standing.ONE_SIDE)),
        people=players_by_id(db(), event),
        may_rule=access.may_decide(visitor(), event),
    )
    return polled(page, event)


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/confirm")
def confirm(slug: str, game_id: int) -> ResponseReturnValue:
    """Confirm the report that waits, with one press."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if not access.may_enter_result(visitor(), event, game):
        abort(403)
    version = id_sent("version")
    other = AGREES.get(f"agree-{request.form.get('side', '')}", ReportSide.A)
    number = round_in_short(db(), game.round_id).number
    try:
        with changing(event) as s:
            results.agree(
                s, event, game, ReportSide.ORGANISER, other,
                version=-1 if version is None else version, by=actor(event), now=now(), word=desk_word(event, game),
            )  # fmt: skip
    except Stale as stale:
        flash(stale.message, "error")
        page = make_response(results_page(slug, number))
        page.status_code = stale.status
        return page
    except Refused as refused:
        flash(refused.message, "error")
    else:
        flash(f"Table {game.table_number}: the result is confirmed.", "success")
    show = request.form.get("show", "")
    return redirect(
        url_for("results_desk.results_page", slug=slug, number=number, show=show if show in FILTERS else None)
    )


@blueprint.post("/e/<slug>/desk/second-pass")
def second_pass_rule(slug: str) -> ResponseReturnValue:
    """Whether the second pass may be the same person's."""
    event = managed_event(slug)
    allowed = request.form.get("alone") == "1"
    said = "The second pass may be the same person’s." if allowed else "The second pass must be another person’s."
    with pressed(event, said) as s:
        sheets.allow_alone(s, event, allowed, actor(event), now())
    number = id_sent("number")
    if number is not None:
        return redirect(url_for("results_desk.results_page", slug=slug, number=number))
    return redirect(url_for("desk.desk", slug=slug))
