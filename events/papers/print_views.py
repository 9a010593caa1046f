"""The print room: badges, certificates, pairings, standings, scoresheets and records as PDFs."""

from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.charts.drawing import ordinal
from events.papers.event_pack import check_in_words, reference_of
from events.papers.forces_on_paper import forces_on_sheets
from events.papers.records import filled_sheet, has_result
from events.papers.round_paper import round_pairings, standings_after, team_standings_after
from events.papers.scoresheets import (
    blank_sheet,
    entry_address,
    pool_of,
    sheet_of,
    sheet_of_any_scenario,
    table_scenario,
)
from events.results.queries import result_versions
from events.standings.awards import PLACES, Decided, decided, final_rows
from events.standings.loading import asked_round, is_corrected_in
from events.standings.published_awards import published_rows
from events.standings.titles import name_of_standings
from events.store.editions import system_of
from events.store.players import PUBLIC_DETAILS, by_name, players_by_id
from events.store.rounds import RoundView, days_of, is_unbegun, round_view
from events.store.team_queries import teams_of
from events.store.visitor import WORDS
from events.tournament.ranking import Row
from events.visitors import access
from events.visitors.event_loading import desk_tournament_in, players_in, tournament_in
from events.visitors.loading import (
    event_or_404,
    game_or_404,
    join_code_or_404,
    managed_event,
    private_link,
    round_or_404,
    shown_round_or_404,
    team_event_or_404,
    views_of,
    visitor,
)
from events.visitors.queries import staff_of
from events.web.answers import back_asked, each_asked, paper_asked, pdf_answer
from events.web.language import language_asked
from events.web.parsing import grouped, whole_number
from events.web.request import db, keep_paper_choices, local_day, outside_url
from languages.words import N_, capital, gettext
from models.award import AwardKind
from models.event import Event, EventState, Round
from models.play import Game, Player, PlayerState
from pdf.badges import Badge, draw_badges
from pdf.scoresheet import draw_scoresheets
from pdf.sheet_data import Scoresheet
from pdf.signs import Certificate, Poster, draw_certificates, draw_poster
from pdf.wall import RoundPairings, draw_pairings_by_name, draw_pairings_by_table, draw_standings
from validators.scenario import Scenario

blueprint = Blueprint("print", __name__)
BLANK_BADGES = 8
"""A page of A4."""


@blueprint.get("/e/<slug>/desk/badges.pdf")
def badges(slug: str) -> ResponseReturnValue:
    """Badges of all players who have not dropped, by name; with ``?player=`` one badge; of ``?for=`` staff, or blank.

    The QR code is the private link for staff who may see it. With ``?code=desk``, and for other staff, it opens
    check-in for staff and the player's public page for everyone else.
    """
    event, name = managed_event(slug), "badge" if "player" in request.args else "badges"
    made = {"players": _player_badges, "staff": _staff_badges, "blank": _blank_badges}
    of = made.get(request.args.get("for", "players")) or abort(404)
    printed = of(event)
    return pdf_answer(event, name, draw_badges, printed)


def _player_badges(event: Event) -> list[Badge]:
    wanted = request.args.get("player", type=whole_number)
    chosen = [
        player
        for player in sorted(players_in(event), key=by_name)
        if player.id == wanted or ("player" not in request.args and player.state != PlayerState.DROPPED)
    ]
    if "player" in request.args and not chosen:
        abort(404)
    private = access.may_see_private_links(visitor(), event) and request.args.get("code") != "desk"
    teams = {team.id: team.name for team in teams_of(event)}

    def badge(player: Player) -> Badge:
        team = teams.get(player.team_id or 0, "")
        seat = gettext("Board %(board)s of %(team)s", board=player.board, team=team) if team and player.board else team
        details = (getattr(player, name) for name in PUBLIC_DETAILS)
        about = " · ".join(filter(None, (seat, *(detail for detail in details if detail != team))))
        link = private_link(player) if private else outside_url("check_in.badge", slug=event.slug, player_id=player.id)
        return Badge(player.name, player.faction, about, link, private=private)

    return [badge(player) for player in chosen]


def _staff_badges(event: Event) -> list[Badge]:
    """The badges of staff, and for helpers without an account blank ones until the page is full."""
    named = [
        Badge(helper.account.name, capital(gettext(WORDS[helper.staff.role])), "", "")
        for helper in staff_of(db(), event)
    ]
    return [*named, *_blank_badges(event)[: -len(named) % BLANK_BADGES]]


def _blank_badges(event: Event) -> list[Badge]:
    return [Badge("", "", "", "")] * BLANK_BADGES


@blueprint.get("/e/<slug>/desk/poster.pdf")
def poster(slug: str) -> ResponseReturnValue:
    """A poster with the event page's QR code. If no phone could open the page, the print room says so."""
    event = managed_event(slug)
    call = gettext("Scan the QR code to see pairings and results")
    if is_unbegun(event):
        call = gettext("Scan the QR code to sign up and see pairings and results")
    return _poster(event, outside_url("public.event", slug=slug), call)


@blueprint.get("/e/<slug>/desk/codes/<int:code_id>/poster.pdf")
def code_poster(slug: str, code_id: int) -> ResponseReturnValue:
    """The same with a join code, which opens the sign-up with the code filled in."""
    event = managed_event(slug)
    code = join_code_or_404(event, code_id)
    call = gettext("Scan the QR code to sign up, or enter the join code %(code)s", code=grouped(code.code))
    return _poster(event, outside_url("registration.register", slug=slug, code=code.code), call)


def _poster(event: Event, address: str, call: str) -> ResponseReturnValue:
    if not address:
        flash(gettext("There is no poster yet: only this computer can open Overseer."), "error")
        return redirect(url_for("print.room", slug=event.slug))
    days = days_of(event, "%A %-d %B %Y")
    when = f"{days}, {event.starts_at}" if event.starts_at else days
    lines = system_of(event).name, when, check_in_words(event), event.place
    page = Poster(lines, call, address)
    return pdf_answer(event, "poster", draw_poster, page)


SIGNED = (N_("Organiser"), N_("Judge"))


def award_pages(event: Event, decisions: Sequence[Decided], ranked: Sequence[Row]) -> list[Certificate]:
    rows = [row for row in ranked if not row.disqualified]
    places = {row.id: gettext("%(place)s of %(count)s", place=ordinal(row.rank), count=len(rows)) for row in rows}
    return [
        Certificate(
            player.name,
            str(decision.title),
            _line(
                player.faction,
                decision,
                places.get(str(player.id), "") if decision.award.kind == AwardKind.PLACE else "",
            ),
            _when(event),
            SIGNED,
        )
        for decision in decisions
        for player in decision.winners
    ]


def participation_pages(event: Event, rows: Sequence[Row], *, ranks: bool) -> list[Certificate]:
    """A certificate for each player in the standings, best first, without disqualified players."""
    people = players_by_id(event)
    ranked = [row for row in rows if not row.disqualified]
    return [
        Certificate(
            row.name,
            gettext(PLACES[1]) if ranks and row.rank == 1 else "",
            " · ".join(
                filter(
                    None,
                    (
                        people[int(row.id)].faction,
                        gettext("%(place)s of %(count)s", place=ordinal(row.rank), count=len(ranked)) if ranks else "",
                    ),
                )
            ),
            _when(event),
            SIGNED,
        )
        for row in ranked
    ]


def _line(faction: str, decision: Decided, place: str) -> str:
    reasons = [pick.reason for pick in decision.picks]
    shared = gettext("shared") if decision.shared else ""
    return " · ".join(
        part for part in (faction if not decision.faction else "", shared, place, decision.figure, *reasons) if part
    )


def _when(event: Event) -> str:
    return " · ".join(filter(None, (system_of(event).name, event.place, days_of(event, "%-d %B %Y"))))


BLANKS = (1, 2, 4, 6, 8, 12, 20)
"""The numbers of blank sheets on offer."""


@blueprint.get("/e/<slug>/desk/print")
def room(slug: str) -> ResponseReturnValue:
    """The print room; its address and the browser keep what is chosen for all sheets."""
    event = managed_event(slug)
    views = views_of(event)
    paper, each = paper_asked(event), each_asked()
    is_half = each == 2 or paper == "a5"
    back = "reference" if back_asked() and not is_half else ""
    chosen = {"paper": paper, "each": str(each), "back": back, "language": language_asked() or ""}
    keep_paper_choices(chosen)
    latest = ([view for view in views if view.state != "planned"] or views[:1])[-1:]
    return render_template(
        "papers/print.html",
        chosen=chosen,
        is_half=is_half,
        views=views,
        blanks=BLANKS,
        spare=[(view.round.number, *_for_spare_tables(event, view)) for view in latest],
        complete=desk_tournament_in(event).counted,
        moments=_moments(event, started=any(view.state != "planned" for view in views)),
        has_awards=event.state == EventState.FINISHED and bool(event.awards),
        soft=event.soft_rules,
    )


def _moments(event: Event, *, started: bool) -> tuple[str, ...]:
    """The parts of the print room, the one needed next first."""
    if event.state == EventState.FINISHED:
        return "end", "rounds", "door", "before"
    if started:
        return "rounds", "end", "door", "before"
    return ("door", "before", "rounds") if local_day(event) >= event.starts_on else ("before", "door", "rounds")


@blueprint.get("/e/<slug>/rounds/<int:number>/scoresheets.pdf")
def sheets(slug: str, number: int) -> ResponseReturnValue:
    """A scoresheet for each table of a round, or for ``?table=``. Only staff print it.

    Both players hold the sheet, so it shows no force that is secret during the round.
    """
    event = managed_event(slug)
    the_round = shown_round_or_404(event, number)
    view = round_view(event, the_round)
    people, forces = players_by_id(event), forces_on_sheets(event)
    wanted = request.args.get("table", type=whole_number)
    games = [g for g in view.games if g.b_id and wanted in (None, g.table_number)]
    pages = [sheet_of(event, view, game, people, forces) for game in games]
    return _sheets(event, pages, f"round-{number}-scoresheets")


def _sheets(event: Event, pages: Sequence[Scoresheet], name: str) -> ResponseReturnValue:
    each, back = each_asked(), reference_of(event) if back_asked() else None
    return pdf_answer(event, name, draw_scoresheets, pages, each, back)


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/blank-sheets.pdf")
def blanks(slug: str, number: int) -> ResponseReturnValue:
    """``?count=`` scoresheets for spare tables, with the round's scenario or that of ``?scenario=``; "none" has none.

    Halves are printed until the page is full. If the visitor may not see the round yet, its scenario is printed only if
    it is public.
    """
    event = managed_event(slug)
    the_round, count = round_or_404(event, number), request.args.get("count", "2")
    asked = request.args.get("scenario", "round")
    its_own, named = _for_spare_tables(event, round_view(event, the_round))
    if count not in map(str, BLANKS) or asked not in ("round", "none", *named):
        abort(404)
    chosen = its_own if asked == "round" else named.get(asked)
    page = blank_sheet(event, number, chosen) if chosen else sheet_of_any_scenario(event, number)
    pages = [replace(page, address=entry_address())] * (int(count) + int(count) % each_asked())
    return _sheets(event, pages, f"round-{number}-blank-sheets")


def _for_spare_tables(event: Event, view: RoundView) -> tuple[Scenario | None, dict[str, Scenario]]:
    """The scenario of all tables of the round, if there is one, and all that a spare table may play, by id."""
    seen = view.played if access.may_see_round(visitor(), event, view.round) else view.announced
    return (seen[0] if len(seen) == 1 else None), {scenario.id: scenario for scenario in seen} | pool_of(event)


@blueprint.get("/e/<slug>/rounds/<int:number>/pairings.pdf")
def pairings(slug: str, number: int) -> ResponseReturnValue:
    """The pairings of a round, by table or with ``?order=name`` by name."""
    event = event_or_404(slug)
    data = round_pairings(event, round_view(event, shown_round_or_404(event, number)))
    return _pairings(event, data, f"round-{number}-pairings")


def _pairings(event: Event, data: RoundPairings, name: str) -> ResponseReturnValue:
    by_name = request.args.get("order") == "name"
    draw = draw_pairings_by_name if by_name else draw_pairings_by_table
    name = f"{name}-by-{'name' if by_name else 'table'}"
    return pdf_answer(event, name, draw, data)


@blueprint.get("/e/<slug>/standings.pdf")
def standings_pdf(slug: str) -> ResponseReturnValue:
    """The standings after the last complete round, or with ``?after=`` after an earlier one."""
    event = event_or_404(slug)
    after, _ = asked_round(event)
    name = name_of_standings(event, tournament_in(event), after, local_day(event))
    return pdf_answer(event, name, draw_standings, standings_after(event, after))


blueprint.add_app_template_global(has_result, "has_result")
blueprint.add_app_template_test(has_result, "has_result")


@blueprint.get("/e/<slug>/desk/rounds/<int:number>/records.pdf")
def record_of_round(slug: str, number: int) -> ResponseReturnValue:
    """The filled-in sheets of a round's finished games, by table; 404 if there is none."""
    event = managed_event(slug)
    the_round = round_or_404(event, number)
    over = [game for game in round_view(event, the_round).games if has_result(game)]
    if not over:
        abort(404)
    return _answer(event, the_round, over, f"round-{number}-records")


@blueprint.get("/e/<slug>/games/<int:game_id>/sheet.pdf")
def record_of_game(slug: str, game_id: int) -> ResponseReturnValue:
    """The filled-in sheet of a finished game, for its players and the desk; 404 before."""
    event = event_or_404(slug)
    game = game_or_404(event, game_id)
    if not access.may_see_versions(visitor(), event, game):
        abort(403)
    if not has_result(game):
        abort(404)
    the_round = db().get_one(Round, game.round_id)
    return _answer(event, the_round, [game], f"round-{the_round.number}-table-{game.table_number}")


def _answer(event: Event, the_round: Round, games: list[Game], name: str) -> ResponseReturnValue:
    view, people, forces = round_view(event, the_round), players_by_id(event), forces_on_sheets(event)

    def filled(game: Game) -> Scoresheet:
        scenario = table_scenario(view, game)
        sheet = sheet_of(event, view, game, people, forces)
        names = {"a": sheet.a.name, "b": sheet.b.name}
        return filled_sheet(event, sheet, scenario, game, result_versions(db(), event, game, scenario, names))

    return pdf_answer(event, name, draw_scoresheets, [filled(game) for game in games])


@blueprint.get("/e/<slug>/desk/awards/certificates.pdf")
def award_paper(slug: str) -> ResponseReturnValue:
    """Certificates: of all awards (``?for=awards``), of one award by its key, or of participation (``everybody``).

    404 until the last round is complete: before that no result is final. Ranks are those published with the awards.
    ``?rank=no`` leaves out ranks of participants.
    """
    event = managed_event(slug)
    shape, wanted, ranks = (request.args.get(*row) for row in (("shape", "wide"), ("for", "awards"), ("rank", "yes")))
    if shape not in ("wide", "upright") or ranks not in ("yes", "no"):
        abort(404)
    t, rows = desk_tournament_in(event), final_rows(event)
    if not t.final:
        abort(404)
    ranked = rows if not is_corrected_in(event) else [] if t.rules.teams else published_rows(event, t)
    everybody = wanted == "everybody"
    if everybody:
        pages = participation_pages(event, ranked or rows, ranks=ranks == "yes" and bool(ranked))
    else:
        decisions = [decision for decision in decided(db(), event) if wanted in ("awards", decision.key)]
        pages = award_pages(event, decisions, ranked)
    if not pages:
        abort(404)
    name = "certificates-of-participation" if everybody else "certificates"
    return pdf_answer(event, name, draw_certificates, pages, shape == "wide")


@blueprint.get("/e/<slug>/standings/teams.pdf")
def team_standings_pdf(slug: str) -> ResponseReturnValue:
    event = team_event_or_404(event_or_404(slug))
    after, _ = asked_round(event)
    name = f"team-{name_of_standings(event, tournament_in(event), after, local_day(event))}"
    return pdf_answer(event, name, draw_standings, team_standings_after(event, after))
