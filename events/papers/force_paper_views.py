"""Forces on paper, and the desk's tables: check-in list, list check, team sheets, plan of the day."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from events.lists.queries import ListEntry, broken_rules, entries
from events.papers.campaign_book import campaign_book
from events.papers.campaign_paper import group_card, group_sheets, groups_on_paper
from events.papers.event_pack import check_in_words, plan_of
from events.papers.force_sheets import COPIES, card_unit, game_sheets_of, ticks_words
from events.papers.season_paper import season_sheets
from events.seasons.campaign_queries import Row
from events.seasons.loading import campaign_or_404
from events.store.editions import edition_of, system_of
from events.store.ledger import has_paid, is_settled
from events.store.players import awaits_approval, by_name, entry_state, placed
from events.store.team_queries import active, captain_of, team_name, teams_of
from events.store.verdicts import (
    forces_of,
    list_size,
    sealed_lists,
    terms_for,
    terms_of,
    verdict_sign,
    verdict_words,
)
from events.visitors import access
from events.visitors.event_loading import players_in
from events.visitors.loading import event_or_404, managed_event, opposes, player_or_404, team_event_or_404, visitor
from events.web.answers import paper_asked, pdf_answer
from events.web.parsing import stem_of
from events.web.request import db, local, now
from languages.words import apart, capital, gettext, ngettext
from models.event import Event
from models.play import ForceList, ListSeal, Player, PlayerState
from models.team import Team
from pdf.force_card import ForceCard, draw_force_cards
from pdf.game_sheet import GameSheet, draw_game_sheets
from pdf.page import Paper
from pdf.sheet_data import unit_word
from pdf.table import BELOW, TICKED, Col, filled
from pdf.table import Table as PrintedTable
from pdf.wall import draw_round_plan
from validators.campaign_history import History
from validators.contract import Terms
from validators.sheet import Lines, key_to_readings

blueprint = Blueprint("force_paper", __name__)


@blueprint.get("/e/<slug>/players/<int:player_id>/force.pdf")
def force_sheets(slug: str, player_id: int) -> ResponseReturnValue:
    """A player's force as a card, or with ``?copy=sheets`` on the game's own sheets, for visitors who may read it."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    if (campaign := groups_on_paper(event)) and (row := campaign[1].get(player.id)):
        return _group(event, campaign[0], row)
    force = player.force_list
    if force is None or not access.may_see_force(
        visitor(), player, event, now(), submitted=force.submitted, opponent=opposes(event, player)
    ):
        abort(404)
    terms, name = terms_of(event), f"{stem_of(player.name)}-force"
    if request.args.get("copy") == "sheets":
        sheets = game_sheets_of(event, player, force.document, terms_for(terms, player))
        return _answer(event, f"{name}-sheets", sheets or abort(404))
    if force.document.get("edition") != terms.edition.id:
        return _answer(event, name, [_other_edition(player)])
    mine = _cards(event, [(player, force)], terms, "player")
    return _twice(event, name, mine)


def _group(event: Event, history: History, row: Row) -> ResponseReturnValue:
    name = f"{stem_of(row.player.name)}-group"
    if request.args.get("copy") == "sheets":
        return _answer(event, f"{name}-sheets", group_sheets(event, history, row))
    return _twice(event, name, [group_card(event, history, row, "")])


def _twice(event: Event, name: str, cards: list[ForceCard]) -> ResponseReturnValue:
    """The card, and on a whole sheet the opponent's copy."""
    return pdf_answer(event, name, draw_force_cards, cards * (1 if paper_asked(event) == "a5" else 2))


def _other_edition(player: Player) -> GameSheet:
    return GameSheet(gettext("List"), (player.name,), (Lines("", (gettext("This list is of another edition."),)),))


MOST_BOARDS = 4
"""The most boards for which a team sheet has columns."""
ROW, BOX = 25.0, 13.0
"""The least sizes of rows and boxes on lists that are ticked while standing."""
NOTES, RESULT, NAME, LONG_VERDICT = 0.24, 0.12, 10.0, 25
"""The share of the width for notes, names get more; that for a result; and the least type size of names."""


def _answer(event: Event, name: str, sheets: Sequence[GameSheet]) -> ResponseReturnValue:
    sides: Literal[1, 2] = 2 if request.args.get("sides") == "2" else 1
    return pdf_answer(event, name, draw_game_sheets, sheets, 1, sides)


@blueprint.get("/e/<slug>/desk/check-in.pdf")
def check_in_sheet(slug: str) -> ResponseReturnValue:
    """Players with a place by name, with boxes to tick at check-in; then the waiting list."""
    event = managed_event(slug)
    people = sorted(players_in(event), key=by_name)
    fee = event.fee and access.may_mark_paid(visitor(), event)
    forces = forces_of(event)
    boxes = [gettext("Here"), gettext("List"), *([gettext("Paid")] if fee else [])]
    boxes += [gettext("Painted")] if event.painting_points else []
    columns = (
        *(Col(head, "tick") for head in boxes), _named(), Col(capital(system_of(event).words.faction)),
        Col(gettext("Note"), "write", share=NOTES),
    )  # fmt: skip

    def row(player: Player) -> tuple[str, ...]:
        nothing = "–" if is_settled(event, player) else ""
        ticks = [TICKED if has_paid(event, player) else nothing] if fee else []
        ticks += [TICKED if player.painted else ""] if event.painting_points else []
        here = TICKED if player.state == PlayerState.CHECKED_IN else ""
        force = forces.get(player.id or 0)
        waived = player.list_waived_at is not None
        has_list = "–" if waived else TICKED if force and force.submitted else ""
        without = gettext("plays without a list") if waived else ""
        name = BELOW.join((player.name, *dict.fromkeys((team_name(db(), player), player.club)), without))
        return (here, has_list, *ticks, name, player.faction, "")

    expected = placed(people)
    waits = {
        gettext("Waiting for approval"): [player for player in people if awaits_approval(event, player)],
        gettext("Waiting list"): [player for player in people if entry_state(event, player) == "waiting"],
    }
    here = sum(player.state == PlayerState.CHECKED_IN for player in expected)
    notes = [
        ngettext(
            "%(num)s player, %(here)s here when printed",
            "%(num)s players, %(here)s here when printed",
            len(expected),
            here=here,
        )
    ]
    notes += [gettext("Fee: %(fee)s", fee=event.fee)] if fee else []
    notes += filter(None, [check_in_words(event)])
    parts = [("", list(map(row, expected))), *((title, list(map(row, some))) for title, some in waits.items() if some)]
    aligned = [line for _, rows in parts for line in rows]
    blocks = tuple(_to_tick(title, columns, rows, aligned) for title, rows in parts)
    return _answer(event, "check-in", [GameSheet(gettext("Check-in"), (" · ".join(notes),), blocks)])


@blueprint.get("/e/<slug>/desk/list-check.pdf")
def list_check(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    unit, edition = system_of(event).unit, edition_of(event)
    rows = []
    for entry in entries(event, now()):
        readable = entry.force is not None and entry.force.document.get("edition") == edition.id
        force = system_of(event).forces.summarise(entry.force.document, edition) if entry.force and readable else None
        rows.append(
            (
                TICKED if "approved" in entry.states else "",
                f"{entry.player.name}{BELOW}{force.faction if force else entry.player.faction}",
                str(force.total) if force else "",
                _stands(event, entry),
                "",
            )
        )
    long = any(len(row[3]) > LONG_VERDICT for row in rows)
    columns = (
        Col(gettext("Checked"), "tick"),
        replace(_named(), share=0.3 if long else 0.36),
        Col(unit_word(unit), "figure"),
        Col(gettext("Verdict")),
        Col(gettext("Found at the table"), "write", share=NOTES if long else 0.0),
    )
    table = _to_tick("", columns, rows)
    note = gettext("Up to %(n)s %(unit)s, by %(edition)s", n=list_size(event), unit=unit, edition=edition.name)
    grown = gettext("The lists with which groups were founded; judge’s copies show the groups of today.")
    notes = (note, *[grown] * (event.campaign is not None))
    return _answer(event, "list-check", [GameSheet(gettext("List check"), notes, (table,))])


def _named() -> Col:
    """The column of names on lists that are ticked while standing."""
    return Col(gettext("Name"), strong=True, size=NAME)


def _to_tick(
    title: str, columns: tuple[Col, ...], rows: Sequence[tuple[str, ...]], aligned: Sequence[tuple[str, ...]] = ()
) -> PrintedTable:
    """A table with large names, all of one size, rows and boxes."""
    return filled(
        PrintedTable(
            columns, rows, aligned=aligned, row_height=ROW, tick_side=BOX, title=title, keep_size=True, padding=1.5
        )
    )


def _stands(event: Event, entry: ListEntry) -> str:
    if "waived" in entry.states:
        return gettext("plays without a list")
    if entry.verdict is None:
        return gettext("no list")
    rules, asked = broken_rules(system_of(event), entry.verdict).values(), len(entry.verdict.queries)
    texts = [" ".join((gettext("Broken rules:"), ", ".join(rules))) if rules else gettext("legal")]
    texts += [gettext("%(n)s to ask about", n=asked)] if asked else []
    return apart([*texts, *([] if "submitted" in entry.states else [gettext("not submitted")])])


@blueprint.get("/e/<slug>/desk/forces.pdf")
def force_copies(slug: str) -> ResponseReturnValue:
    """Every list on paper, by ``?copy=``: the cards with all costs for the ``judge``, with boxes to tick for the
    ``opponent``, for the ``player``, or the game's own ``sheets``; with ``?sides=2`` each player begins a new leaf.
    """
    event = managed_event(slug)
    copy = request.args.get("copy", "judge")
    has_sheets = system_of(event).papers.has_sheets or event.campaign is not None
    if copy not in COPIES or (copy == "sheets" and not has_sheets):
        abort(404)
    terms = terms_of(event)
    lists = [
        (entry.player, entry.force)
        for entry in entries(event, now())
        if entry.force is not None and entry.force.document.get("edition") == terms.edition.id
    ]
    campaign = groups_on_paper(event)
    groups = campaign[1] if campaign else {}
    lists = [row for row in lists if row[0].id not in groups]
    if copy == "sheets":
        sheets = [sheet for row in groups.values() if campaign for sheet in group_sheets(event, campaign[0], row)]
        sheets += [
            sheet for player, force in lists
            for sheet in game_sheets_of(event, player, force.document, terms_for(terms, player))
        ]  # fmt: skip
        return _answer(
            event, "forces-sheets", sheets or [GameSheet(gettext("Lists"), (gettext("There is no list yet."),), ())]
        )
    cards = _cards(event, lists, terms, copy)
    if campaign:
        cards += [group_card(event, campaign[0], row, copy) for row in groups.values()]
    return pdf_answer(event, f"forces-{copy}", draw_force_cards, cards)


def _cards(event: Event, lists: Sequence[tuple[Player, ForceList]], terms: Terms, copy: str) -> list[ForceCard]:
    seals = sealed_lists(event) if event.lists_locked_at else {}
    return [_card(event, *row, terms, copy, seals.get(row[0].id, [])[-1:]) for row in lists]


def _card(
    event: Event, player: Player, force: ForceList, of_event: Terms, copy: str, seals: Sequence[ListSeal]
) -> ForceCard:
    system, terms = system_of(event), terms_for(of_event, player)
    verdict = system.checks.check(force.document, terms)
    summary = system.forces.summarise(force.document, terms.edition)
    seal = seals[0] if seals and seals[0].submitted and not access.list_open(event, player, now()) else None
    judged, state = copy == "judge", gettext("Not submitted")
    if seal:
        state = gettext("Locked %(when)s", when=_moment(seal.at, event))
    elif force.submitted_at:
        state = gettext("Submitted %(when)s", when=_moment(force.submitted_at, event))
    if force.approved_at and (judged or not seal):
        state = gettext("%(state)s, approved %(when)s", state=state, when=_moment(force.approved_at, event))
    leader = gettext("Leader: %(name)s", name=summary.leader) if summary.leader else ""
    units = tuple(card_unit(unit, copy) for unit in system.papers.card(force.document, terms.edition))
    faults = [f"{problem.message} {problem.fix * judged}".rstrip() for problem in (*verdict.problems, *verdict.queries)]
    return ForceCard(
        player=player.name,
        club=player.club,
        faction=summary.faction,
        about=" · ".join(filter(None, (force.document["name"], leader, terms.edition.name))),
        total=str(summary.total),
        allowed=gettext("of %(n)s %(unit)s", n=list_size(event), unit=system.unit),
        units=units,
        verdict=verdict_words(verdict),
        sign=verdict_sign(verdict),
        kind=gettext(COPIES[copy]),
        state=state,
        number=gettext("List no. %(number)s", number=seal.sha256[:8]) if seal else "",
        game=system.name,
        findings=() if copy == "opponent" else tuple(faults),
        signed=judged,
        ticks=ticks_words(copy),
        key=key_to_readings(units),
    )


def _moment(at: datetime, event: Event) -> str:
    return local(at, event, "%-d %b %Y, %H:%M")


@blueprint.get("/e/<slug>/desk/teams.pdf")
def team_sheets(slug: str) -> ResponseReturnValue:
    """A sheet for each team: players by board, and rounds to fill in."""
    event = team_event_or_404(managed_event(slug))
    people = players_in(event)
    teams = [(team, _in_team(team, people)) for team in teams_of(event)]
    everybody = [row for _, rows in teams for row in rows]
    sheets = [_team(event, team, rows, everybody) for team, rows in teams]
    sheets = sheets or [GameSheet(gettext("Teams"), (gettext("No team is entered yet."),), ())]
    return pdf_answer(event, "teams", draw_game_sheets, sheets, 2)


def _in_team(team: Team, people: Sequence[Player]) -> list[tuple[str, ...]]:
    members = sorted(active(people, team), key=lambda player: (player.board or 99, by_name(player)))
    captain = captain_of(people, team)

    def row(player: Player) -> tuple[str, ...]:
        leads = captain is not None and player.id == captain.id
        name = gettext("%(name)s (captain)", name=player.name) if leads else player.name
        club = player.club if player.club not in (team.club, team.name) else ""
        return str(player.board or ""), f"{name}{BELOW}{club}", player.faction

    return list(map(row, members))


def _team(event: Event, team: Team, rows: Sequence[tuple[str, ...]], everybody: Sequence[tuple[str, ...]]) -> GameSheet:
    """A team's sheet, whose columns are as wide as those of ``everybody``."""
    boards = [gettext("Board %(board)s", board=number) for number in range(1, event.team_size + 1)]
    results = (*boards, gettext("Match")) if event.team_size <= MOST_BOARDS else (gettext("Own"), gettext("Theirs"))
    rounds = tuple((str(number), *[""] * (1 + len(results))) for number in range(1, event.rounds + 1))
    faction = capital(system_of(event).words.faction)
    named = (Col(gettext("Board"), "fixed"), Col(gettext("Name")), Col(faction))
    return GameSheet(
        team.name,
        (" · ".join(filter(None, (gettext("Team sheet"), team.club))),),
        (
            filled(PrintedTable(named, rows, aligned=everybody, size=12, keep_size=True)),
            PrintedTable(
                (
                    Col(gettext("Round"), "fixed"),
                    Col(gettext("Against"), "write"),
                    *(Col(head, "write", share=RESULT) for head in results),
                ),
                rounds,
                size=12,
                write=ROW,
                boxed=True,
                title=gettext("Matches: tournament points"),
            ),
        ),
    )


@blueprint.get("/e/<slug>/plan.pdf")
def plan(slug: str) -> ResponseReturnValue:
    """The plan of the day: each round's start, length and scenario; of a season, its last day, scenario and games."""
    event = event_or_404(slug)
    sheets = season_sheets(event) if event.season else []

    def draw(paper: Paper) -> None:
        draw_round_plan(paper, plan_of(event))
        draw_game_sheets(paper, sheets)

    return pdf_answer(event, "plan", draw)


@blueprint.get("/e/<slug>/campaign/book.pdf")
def book(slug: str) -> ResponseReturnValue:
    """The book of a campaign."""
    event = campaign_or_404(event_or_404(slug))
    return pdf_answer(event, "campaign", draw_game_sheets, [campaign_book(event)])
