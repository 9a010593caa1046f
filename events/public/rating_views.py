"""The club's ranking, and a person's choice to be in it."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.accounts.browser import own_person_or_403
from events.charts.ratings import interval_mark
from events.public.ratings_page import has_ratings, rankings
from events.store.editions import systems_of
from events.tournament import rating
from events.web.answers import csv_answer
from events.web.csv_cells import csv_bytes
from events.web.request import changing_club, db, now
from languages.words import gettext

blueprint = Blueprint("rating", __name__)
HEADS = ("Rank", "Player", "Rating", "Low", "High", "Provisional", "Games")


@blueprint.before_request
def refuse_without_ratings() -> None:
    """404 if the club has no ranking."""
    if not has_ratings():
        abort(404)


@blueprint.get("/ranking")
@blueprint.get("/ranking/<game:system_id>")
def ranking(system_id: str = "") -> ResponseReturnValue:
    """The ranking in a game, by default the one with the most events."""
    by_game, systems = rankings(), systems_of(db())
    game = system_id or next(iter(by_game), "")
    if system_id and system_id not in by_game:
        abort(404)
    rows, events = by_game[game] if game else ([], [])
    low, high = (
        min((ranked.rating.low for ranked in rows), default=0),
        max((ranked.rating.high for ranked in rows), default=0),
    )
    return render_template(
        "people/ranking.html",
        game=systems.get(game),
        games=[systems[id_] for id_ in by_game],
        events=events,
        ranked=[ranked for ranked in rows if ranked.rank],
        provisional=sorted((ranked for ranked in rows if not ranked.rank), key=lambda ranked: -ranked.rating.games),
        mark_of=lambda row: interval_mark(row.rating.value, row.rating.low, row.rating.high, (low, high)),
        model=rating,
    )


@blueprint.get("/ranking/<game:system_id>/ranking.csv")
def ranking_csv(system_id: str) -> ResponseReturnValue:
    rows, _ = rankings().get(system_id) or abort(404)
    lines = [
        (
            ranked.rank or "", ranked.person.public_name, *ranked.rating.rounded,
            "yes" if ranked.rating.provisional else "no", ranked.rating.games,
        )
        for ranked in rows
    ]  # fmt: skip
    return csv_answer("club", f"ranking-{system_id.replace('_', '-')}", csv_bytes([HEADS, *lines]))


@blueprint.post("/me/ranking")
def choose_ranking() -> ResponseReturnValue:
    """Take the person into the ranking, or out of it."""
    person = own_person_or_403()
    joins = request.form.get("join") == "yes"
    with changing_club():
        person.rated_since = (person.rated_since or now()) if joins else None
    flash(
        gettext("You are in the ranking.")
        if joins
        else gettext("You are out of the ranking. Nobody sees your rating."),
        "success",
    )
    return redirect(url_for("people.own_page") + "#ranking")
