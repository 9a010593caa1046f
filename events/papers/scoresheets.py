"""Scoresheets: for a game, and blank for a spare table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from events.papers.event_pack import setup_steps, size_of_battle, table_map
from events.papers.event_pack_views import in_all
from events.papers.forces_on_paper import Forces, OnSheet
from events.results.forms import asked_sides, grid_columns, heads, most_in, printed_label, scores_by_losses
from events.seasons.league_queries import play_by
from events.store.editions import edition_of, system_of
from events.store.roles import fields_a_part, role_of, roles_of
from events.store.rounds import RoundView, knockout_title
from events.store.scenarios import scenarios_of
from events.store.team_queries import team_name
from events.store.verdicts import turn_order
from events.web.parsing import grouped
from events.web.request import db, outside_url
from languages.words import apart, capital, gettext
from models.event import Event, RoundState
from models.play import Game, Player
from pdf.sheet_data import FormRow, MarkerGrid, ScoreForm, Scoresheet, SheetPlayer, VpGrid
from pdf.table_map import TableMap
from validators.scenario import OPEN_END, SIDES, Question, Role, Scenario, Side
from validators.sheet import Track

FIELDED = "F"
"""Printed in the box for what is fielded of a row."""
LEAST_ROWS = 4
"""The rows to fill in by hand on a sheet for any scenario."""


def table_scenario(view: RoundView, game: Game) -> Scenario:
    scenario = view.scenario_at(game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    return scenario


def blank_sheet(event: Event, number: int, scenario: Scenario) -> Scoresheet:
    """A sheet for a spare table of round ``number``, without table, players and code."""
    choice = next((q for q in scenario.questions if q.kind == "choice"), None)
    by_round, marked = _by_round(scenario), any(q.kind == "objectives" for q in scenario.questions)
    system = system_of(event)
    faction, leader = capital(system.words.faction), gettext("Leader") if system.words.led else ""
    player = SheetPlayer("", faction, gettext("Club"), leader=leader, fielded=size_of_battle(event))
    blank_losses = system.papers.blank_losses
    lost = replace(blank_losses, title=gettext(blank_losses.title) or system.papers.losses_title(scenario))
    return Scoresheet(
        event=event.name,
        round_number=number,
        minutes=0 if event.season else event.round_minutes,
        table=None,
        a=player,
        b=player,
        unit=system.unit,
        scenario=scenario.name,
        setup=setup_steps(event, scenario),
        scoring=tuple(map(gettext, scenario.scoring)),
        order=tuple(map(gettext, scenario.turns)),
        table_map=table_map(event, scenario),
        grid=VpGrid(
            most_in(scenario, "a") if by_round else (),
            most_in(scenario, "b") if by_round else (),
            gettext(scenario.round_note),
            tuple(map(gettext, choice.choices)) if choice else (),
        ),
        objectives=_markers(scenario) if marked else MarkerGrid((), 0),
        form=None if by_round else score_form(scenario),
        turns=_turns(system.papers.turns),
        losses=(lost, lost) if system.papers.losses else (),
    )


def _turns(track: Track | None) -> Track | None:
    return track and replace(track, rows=tuple((gettext(label), boxes) for label, boxes in track.rows))


def _losses(
    event: Event,
    scenario: Scenario,
    blank: tuple[Track, ...],
    forces: Sequence[OnSheet | None],
    players: Sequence[SheetPlayer],
) -> tuple[Track, ...]:
    """What A and B can lose; the ``blank`` lines to write on for a force that the sheet may not show.

    A force of which a part is fielded has a first box in each row for that.
    """
    papers, edition = system_of(event).papers, edition_of(event)
    tracks = list(blank)
    for place, (_, force, player) in enumerate(zip(blank, forces, players, strict=False)):
        if force and papers.losses:
            fielded = (FIELDED, None) if player.fielded is not None else ()
            rows = papers.losses(force.document, edition).rows
            rows = tuple((label, (*fielded, *boxes)) for label, boxes in rows)
            tracks[place] = Track(papers.losses_title(scenario), rows)
    if any(player.fielded is not None for player in players) and tracks:
        note = gettext("F: fielded (tick or number)")
        tracks[0] = replace(tracks[0], title=f"{tracks[0].title} · {note}")
    return tuple(tracks)


def _markers(scenario: Scenario) -> MarkerGrid:
    return MarkerGrid(
        scenario.objective_kinds,
        scenario.objectives,
        scenario.objective_note,
        min(scenario.objective_most, scenario.objectives),
    )


def entry_address() -> str:
    """The address for typing a sheet's code."""
    return outside_url("sheet.code_entry").partition("://")[2]


def _by_round(scenario: Scenario) -> bool:
    """Whether the questions are only VP by game round and objective markers."""
    return any(q.kind == "vp" for q in scenario.questions) and not heads(scenario)


def score_form(
    scenario: Scenario,
    drawn: Mapping[Side, Role] = MappingProxyType({}),
    known: Mapping[str, int] = MappingProxyType({}),
) -> ScoreForm:
    """The questions as the rows of the player who scores by them; a role only if none is ``drawn``.

    ``known`` has the figures that the forces give, by question.
    """
    a, b = (
        tuple(
            FormRow(
                printed_label(scenario, q),
                None if q.most >= OPEN_END else q.most,
                q.worth or (1,) * q.for_enemy,
                tuple(map(gettext, q.choices)),
                known.get(q.key),
                _hint(scenario, q, drawn),
                q.once,
            )
            for q in (*asked_choices(scenario, asked), *asked_figures(scenario, asked))
            if not drawn or q.key != f"{asked}.role"
        )
        for asked in asked_sides(scenario)
    )
    sums = tuple(map(gettext, scenario.sums)) if scenario.detail == "full" else ()
    counted = any(q.kind != "choice" for q in scenario.questions)
    of_enemy = gettext("In A’s column count B’s losses, in B’s column A’s")
    note = of_enemy if scores_by_losses(scenario) else scenario.round_note
    return ScoreForm(a, b, capital(note), sums, counted)


def _hint(scenario: Scenario, question: Question, drawn: Mapping[Side, Role]) -> str:
    """When the side answers the question, if that is not always."""
    seldom = question.seldom and drawn.get(question.side) == scenario.roles[-1]
    return gettext(question.seldom).format(scenario.roles[-1].said) if seldom else ""


def asked_choices(scenario: Scenario, side: Side) -> list[Question]:
    """A side's choices, except who won, which is ticked elsewhere."""
    return [q for q in scenario.questions if q.kind == "choice" and q.key.startswith(f"{side}.")]


def asked_figures(scenario: Scenario, side: Side) -> list[Question]:
    """A side's figures in paper order, without its total and its objective markers."""
    return [q for q in grid_columns(scenario, side) if q.key != f"{side}.total"]


def _known(event: Event, scenario: Scenario, forces: Sequence[OnSheet | None]) -> dict[str, int]:
    """The figures of A and B that their forces give, by question: the points fielded."""
    tallies, numbers = system_of(event).scoring.tallies, dict[str, int]()
    for side, force in zip(SIDES, forces, strict=True):
        if tallies and force and force.costs:
            tallied = tallies(scenario, side, force.document, edition_of(event))
            numbers |= {tally.question: tally.known for tally in tallied if tally.known is not None}
    return numbers


def sheet_of(event: Event, view: RoundView, game: Game, people: Mapping[int, Player], all_forces: Forces) -> Scoresheet:
    """The scoresheet of a game of a round; its code leads to the game's form."""
    assert game.b_id is not None and game.table_number is not None  # noqa: S101 - byes have no sheet
    scenario, by, forces = table_scenario(view, game), play_by(event, view, game), all_forces.of_game(game)
    blank, a, b = blank_sheet(event, view.round.number, scenario), forces.get(game.a_id), forces.get(game.b_id)
    order = turn_order(event, a.document if a else None, b.document if b else None)
    sequence = [gettext("The order by Sequence: %(order)s.", order=apart(order))] if order else []
    players = _sheet_players(event, game, scenario, people, forces)
    is_whole = not fields_a_part(event, scenario, game)
    figures = _known(event, scenario, (a, b)) if is_whole else {}
    form = score_form(scenario, roles_of(scenario, game), figures) if blank.form else None
    stage = capital(knockout_title(view.round, game))
    drawn = gettext("A knockout has no draws: the organiser decides who wins the game.")
    return replace(
        blank,
        form=form,
        scoring=(*blank.scoring, drawn) if stage else blank.scoring,
        table=None if by else game.table_number,
        by=by,
        a=replace(players[0], writes_total=game.a_id not in all_forces.listed),
        b=replace(players[1], writes_total=game.b_id not in all_forces.listed),
        setup=setup_steps(event, scenario),
        order=(*map(gettext, scenario.turns), *sequence),
        url=outside_url("sheet.from_sheet", code=game.code),
        code=grouped(game.code),
        address=entry_address(),
        stage=stage,
        is_draft=view.round.state == RoundState.DRAWN,
        losses=_losses(event, scenario, blank.losses, (a, b), players),
    )


def _sheet_players(
    event: Event, game: Game, scenario: Scenario, people: Mapping[int, Player], forces: Mapping[int, OnSheet]
) -> list[SheetPlayer]:
    ids = [id_ for id_ in (game.a_id, game.b_id) if id_ is not None]
    return [_sheet_player(event, people[id_], forces.get(id_), game, scenario) for id_ in ids]


def pool_of(event: Event) -> dict[str, Scenario]:
    """The scenarios that the event may play, by id; without a pool, all of its game."""
    scenarios = scenarios_of(event)
    return {id_: scenarios[id_] for id_ in event.scenario_pool or scenarios}


def sheet_of_any_scenario(event: Event, number: int) -> Scoresheet:
    """A blank sheet with space to write the scenario, too.

    It has the form, the objective markers and the rules that all of the event's scenarios share. If they do
    not share the form, it has as many free rows or columns as any of them needs.
    """
    pool = list(pool_of(event).values())
    table = TableMap(max(scenario.table_inches for scenario in pool), 0, ())
    turns, scoring = (
        tuple(map(gettext, in_all(texts)))
        for texts in ([scenario.turns for scenario in pool], [scenario.scoring for scenario in pool])
    )
    page = blank_sheet(event, number, pool[0])
    papers = system_of(event).papers
    title = gettext(papers.blank_losses.title) or papers.losses_title(None)
    losses = tuple(replace(loss, title=title) for loss in page.losses)
    page = replace(page, scenario="", setup=(), scoring=scoring, order=turns, table_map=table, losses=losses)
    if pool[0].detail != "full":
        return page
    most: tuple[int | None, ...] = (None,) * max(len(asked_figures(scenario, "a")) for scenario in pool)
    named = not all(_by_round(scenario) for scenario in pool)
    markers, forms = {_markers(scenario) for scenario in pool}, {score_form(scenario) for scenario in pool}
    free = ScoreForm(*((FormRow(""),) * max(LEAST_ROWS, len(most)),) * 2)
    return replace(
        page,
        grid=VpGrid(most, most),
        objectives=markers.pop() if len(markers) == 1 else MarkerGrid((), 0),
        form=(forms.pop() if len(forms) == 1 else free) if named else None,
    )


def _sheet_player(event: Event, player: Player, force: OnSheet | None, game: Game, scenario: Scenario) -> SheetPlayer:
    has = role_of(scenario, game, player.id)
    role = has.said if has else ""
    club = " · ".join(dict.fromkeys(filter(None, (team_name(db(), player), player.club))))
    board = [gettext("Board %(board)s", board=game.board)] * bool(game.board)
    if force is None:
        return SheetPlayer(player.name, " · ".join(filter(None, (*board, player.faction))), club, role=role)
    summary = system_of(event).forces.summarise(force.document, edition_of(event))
    leader = " · ".join(
        filter(None, (gettext("Leader: %(name)s", name=summary.leader) if summary.leader else "", *force.about))
    )
    most = (has.size if has else event.size) if fields_a_part(event, scenario, game) else summary.total
    total, part = (summary.total, most if most < summary.total else None) if force.costs else (None, None)
    return SheetPlayer(player.name, " · ".join((*board, summary.faction)), club, total, leader, role, part)
