"""Scoresheets: for a game, blank for a spare table, and filled in as records."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from events.desk.event_pack import setup_steps, size_of_battle, table_map
from events.desk.event_pack_views import in_all
from events.desk.forces_on_paper import Forces, OnSheet
from events.leagues.queries import play_by
from events.play.editions import edition_of, system_of
from events.play.outcomes import Ended, absence, ended, ending_words, score_of, winning_side
from events.play.players import players_by_id
from events.play.roles import fields_a_part, role_of, roles_of
from events.play.rounds import RoundView
from events.play.rulings import won_by_card
from events.play.scenarios import scenarios_of
from events.play.team_queries import team_name
from events.play.verdicts import turn_order
from events.results.forms import asked_sides, grid_columns, heads, most_in, printed_label, scores_by_losses
from events.results.queries import Version
from events.web.parsing import grouped
from events.web.request import db, local, outside_url
from languages.words import apart, capital, gettext, labelled, noted
from models.endings import Ending
from models.event import Event, RoundState
from models.play import Absent, Game, GameState, Player
from pdf.sheet_data import FormRow, MarkerGrid, ScoreForm, Scoresheet, SheetPlayer, SheetResult, VpGrid, shown_vp
from pdf.table_map import TableMap
from validators.scenario import OPEN_END, SIDES, Answers, Parts, Question, Role, Scenario, Score, Side
from validators.sheet import Track

FIELDED = "F"
"""Printed in the box for what is fielded of a row."""
PLAYED = None, Ending.UNFINISHED
"""The endings of games whose VP were scored in play."""
LEAST_ROWS = 4
"""The rows to fill in by hand on a sheet for any scenario."""


def table_scenario(view: RoundView, game: Game) -> Scenario:
    """The scenario of a game at a table."""
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
    papers, edition = system_of(event).papers, edition_of(db(), event)
    found = list(blank)
    for place, (_, force, player) in enumerate(zip(blank, forces, players, strict=False)):
        if force and papers.losses:
            fielded = (FIELDED, None) if player.fielded is not None else ()
            rows = papers.losses(force.document, edition).rows
            rows = tuple((label, (*fielded, *boxes)) for label, boxes in rows)
            found[place] = Track(papers.losses_title(scenario), rows)
    if any(player.fielded is not None for player in players) and found:
        note = gettext("F: fielded (tick or number)")
        found[0] = replace(found[0], title=f"{found[0].title} · {note}")
    return tuple(found)


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
            for q in (*_choices(scenario, asked), *_figures(scenario, asked))
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


def _choices(scenario: Scenario, side: Side) -> list[Question]:
    """A side's choices, except who won, which is ticked elsewhere."""
    return [q for q in scenario.questions if q.kind == "choice" and q.key.startswith(f"{side}.")]


def _figures(scenario: Scenario, side: Side) -> list[Question]:
    """A side's figures in paper order, without its total and its objective markers."""
    return [q for q in grid_columns(scenario, side) if q.key != f"{side}.total"]


def _known(event: Event, scenario: Scenario, forces: Sequence[OnSheet | None]) -> dict[str, int]:
    """The figures of A and B that their forces give, by question: the points fielded."""
    tallies, found = system_of(event).scoring.tallies, dict[str, int]()
    for side, force in zip(SIDES, forces, strict=True):
        if tallies and force and force.costs:
            tallied = tallies(scenario, side, force.document, edition_of(db(), event))
            found |= {one.question: one.known for one in tallied if one.known is not None}
    return found


def sheet_of(event: Event, view: RoundView, game: Game, people: Mapping[int, Player], all_forces: Forces) -> Scoresheet:
    """The scoresheet of a game of a round; its code leads to the game's form."""
    assert game.b_id is not None and game.table_number is not None  # noqa: S101 - byes have no sheet
    scenario, by, forces = table_scenario(view, game), play_by(event, view, game), all_forces.of_game(game)
    blank, a, b = blank_sheet(event, view.round.number, scenario), forces.get(game.a_id), forces.get(game.b_id)
    order = turn_order(db(), event, a.document if a else None, b.document if b else None)
    said = [gettext("The order by Sequence: %(order)s.", order=apart(order))] if order else []
    players = _sheet_players(event, game, scenario, people, forces)
    is_whole = not fields_a_part(event, scenario, game)
    known = _known(event, scenario, (a, b)) if is_whole else {}
    form = score_form(scenario, roles_of(scenario, game), known) if blank.form else None
    return replace(
        blank,
        form=form,
        table=None if by else game.table_number,
        by=by,
        a=replace(players[0], writes_total=game.a_id not in all_forces.listed),
        b=replace(players[1], writes_total=game.b_id not in all_forces.listed),
        setup=setup_steps(event, scenario),
        order=(*map(gettext, scenario.turns), *said),
        url=outside_url("sheet.from_sheet", code=game.code),
        code=grouped(game.code),
        address=entry_address(),
        is_draft=view.round.state == RoundState.DRAWN,
        losses=_losses(event, scenario, blank.losses, (a, b), players),
    )


def _sheet_players(
    event: Event, game: Game, scenario: Scenario, people: Mapping[int, Player], forces: Mapping[int, OnSheet]
) -> list[SheetPlayer]:
    """Both sides of a game of two players, as its papers show them."""
    ids = [id_ for id_ in (game.a_id, game.b_id) if id_ is not None]
    return [_sheet_player(event, people[id_], forces.get(id_), game, scenario) for id_ in ids]


def pool_of(event: Event) -> dict[str, Scenario]:
    """The scenarios that the event may play, by id; without a pool, all of its game."""
    known = scenarios_of(db(), event)
    return {id_: known[id_] for id_ in event.scenario_pool or known}


def sheet_of_any_scenario(event: Event, number: int) -> Scoresheet:
    """A blank sheet with space to write the scenario, too.

    It has the form, the objective markers and the rules that all of the event's scenarios share. If they do
    not share the form, it has as many free rows or columns as any of them needs.
    """
    pool = list(pool_of(event).values())
    table = TableMap(max(one.table_inches for one in pool), 0, ())
    turns, scoring = in_all([one.turns for one in pool]), in_all([one.scoring for one in pool])
    page = blank_sheet(event, number, pool[0])
    papers = system_of(event).papers
    title = gettext(papers.blank_losses.title) or papers.losses_title(None)
    losses = tuple(replace(one, title=title) for one in page.losses)
    page = replace(page, scenario="", setup=(), scoring=scoring, order=turns, table_map=table, losses=losses)
    if pool[0].detail != "full":
        return page
    most: tuple[int | None, ...] = (None,) * max(len(_figures(one, "a")) for one in pool)
    named = not all(_by_round(one) for one in pool)
    markers, forms = {_markers(one) for one in pool}, {score_form(one) for one in pool}
    free = ScoreForm(*((FormRow(""),) * max(LEAST_ROWS, len(most)),) * 2)
    return replace(
        page,
        grid=VpGrid(most, most),
        objectives=markers.pop() if len(markers) == 1 else MarkerGrid((), 0),
        form=(forms.pop() if len(forms) == 1 else free) if named else None,
    )


def has_result(game: Game) -> bool:
    """Whether a game of two players is over, so that its filled-in sheet can be printed."""
    return game.b_id is not None and (game.absent is not None or game.state == GameState.CONFIRMED)


def filled_sheet(
    event: Event, sheet: Scoresheet, scenario: Scenario, game: Game, versions: Sequence[Version]
) -> Scoresheet:
    """The sheet of a finished game with its result and history; it has no code.

    ``versions`` are those of the result, newest first.
    """
    how, number = ended(game), sheet.round_number
    played = game.absent is None and how.how != Ending.NOT_PLAYED
    score = score_of(event, number, scenario, game) if played else None
    nobody = how.how == Ending.NOT_PLAYED or game.absent == Absent.BOTH
    winner = None if nobody else winning_side(event, number, scenario, game)
    names = {"a": sheet.a.name, "b": sheet.b.name}
    won = gettext("Draw") if winner else gettext("Nobody has won")
    if winner in names:
        won = gettext("Winner: %(name)s", name=names[winner])
    known = score is not None and score.known
    card, gone = won_by_card(event, number, game), absence(game, players_by_id(db(), event))
    answers = game.answers if played else None
    parts = _parts(event, scenario, answers, score)
    notes = (
        _result_words(score, names, winner) if score and known and how.how in PLAYED and not card else "",
        system_of(event).scoring.explained(scenario, answers) if answers and parts[0] else "",
        f"{gone}." if gone else _ending_words(how, names),
        gettext("%(name)s has lost the game by a card.", name=names["b" if card == "a" else "a"]) if card else "",
        _by_scenario(score) if score and not card and _not_by_vp(score, how) else "",
    )
    result = SheetResult(
        reported_rows(scenario, answers, parts) if answers else (),
        (score.a, score.b) if score and known else (None, None),
        tuple(filter(None, notes)),
        tuple(_version_words(event, one, how.reason, versions[0].after.text) for one in reversed(versions)),
        won,
    )
    return replace(sheet, turns=None, losses=(), url="", code="", address="", setup=(scenario.summary,), result=result)


def _result_words(score: Score, names: Mapping[str, str], winner: str | None) -> str:
    """Who beat whom, or who drew, with the VP of both."""
    if winner not in names:
        a, b = names["a"], names["b"]
        return gettext("%(a)s and %(b)s drew with %(x)s VP to %(y)s.", a=a, b=b, x=score.a, y=score.b)
    (own, other), (x, y) = ("ab", (score.a, score.b)) if winner == "a" else ("ba", (score.b, score.a))
    return gettext("%(winner)s beat %(loser)s by %(x)s VP to %(y)s.", winner=names[own], loser=names[other], x=x, y=y)


def _not_by_vp(score: Score, how: Ended) -> bool:
    """Whether the scenario names another winner than the higher total."""
    return how.how in PLAYED and score.known and score.outcome != Score(score.a, score.b).outcome


def _by_scenario(score: Score) -> str:
    """Why the higher total has not won."""
    if score.outcome == "draw":
        apart = abs(score.a - score.b)
        return gettext("VP differ by %(apart)s, which the scenario’s scoring counts as a draw.", apart=apart)
    return gettext("So decided by the scenario’s scoring, not by VP.")


def _parts(event: Event, scenario: Scenario, answers: Answers | None, score: Score | None) -> Parts:
    """The parts that add up to the VP of A and of B; empty if the score is not their sum, as after a concession."""
    parts_of = system_of(event).scoring.parts
    if not (parts_of and answers and score and scenario.sums and scenario.detail == "full"):
        return (), ()
    a, b = parts_of(scenario, answers)
    return (a, b) if (sum(a), sum(b)) == (score.a, score.b) else ((), ())


def reported_rows(scenario: Scenario, answers: Answers, parts: Parts) -> tuple[tuple[str, str, str], ...]:
    """What was asked, as A and as B answered it, then the parts of the sum; without what nobody can have reported."""
    asked = ((*_choices(scenario, side), *_figures(scenario, side)) for side in asked_sides(scenario))
    marked = ([q for q in scenario.questions if q.side == side and q.kind == "objectives"] for side in SIDES)
    questions = [*zip(*asked, strict=True), *zip(*marked, strict=True)]
    rows = [(_printed(scenario, a), _answer(a, answers), _answer(b, answers)) for a, b in questions]
    rows += [(gettext(words), shown_vp(a), shown_vp(b)) for words, a, b in zip(scenario.sums, *parts, strict=False)]
    return tuple(row for row in rows if any(row[1:]))


def _printed(scenario: Scenario, question: Question) -> str:
    return gettext("Markers") if question.kind == "objectives" else printed_label(scenario, question)


def _answer(question: Question, answers: Answers) -> str:
    """A choice or a number with what it is worth, "2 × 5 = 10 VP"; "yes" for what is so, "" for what cannot be."""
    worth = question.worth or (1,) * (question.for_enemy or question.kind in ("vp", "objectives"))
    if question.kind == "choice":
        choice = str(answers.get(question.key, ""))
        vp = dict(zip(question.choices, worth, strict=False)).get(choice)
        return gettext(choice) + (f": {shown_vp(vp)}" if vp is not None and any(worth) else "")
    if not question.most:
        return ""
    number, each = int(answers.get(question.key, 0)), worth[0] if worth else 0
    if question.most == 1 and question.kind == "figure":
        return gettext("yes") if number else gettext("no")
    return f"{number} × {each} = {shown_vp(number * each)}" if each > 1 else shown_vp(number) if each else str(number)


def _ending_words(how: Ended, names: Mapping[str, str]) -> str:
    match how.how:
        case Ending.CONCEDED_A | Ending.CONCEDED_B:
            return f"{ending_words(how.how, names['a'], names['b'])}."
        case Ending.UNFINISHED:
            return gettext("Unfinished when time was called: scored as it stood.")
        case Ending.NOT_PLAYED:
            return gettext("Not played: both players were present.")
        case Ending.DECIDED:
            return gettext("Decided by a judge: %(reason)s", reason=how.reason)
    return ""


def _version_words(event: Event, one: Version, known: str, final: str) -> str:
    """A version of the result in one line, without a reason or a result that the sheet says anyway."""
    did = {
        (True, True): noted("Corrected by %(name)s on %(at)s"),
        (True, False): noted("Opened again by %(name)s on %(at)s"),
        (False, True): noted("Confirmed by %(name)s on %(at)s"),
        (False, False): noted("Reported by %(name)s on %(at)s"),
    }
    at = local(one.at, event, "%a %-d %b, %H:%M")
    what = gettext(did[bool(one.corrects), bool(one.confirms)], name=one.by, at=at)
    before = " " + gettext("Before: %(result)s.", result=one.before.text) if one.corrects else ""
    why = " " + gettext("Why: %(reason)s", reason=one.why) if one.why and one.why != known else ""
    said = one.after.text  # by now it is confirmed
    return f"{what if said == final else labelled(what, said)}.{before}{why}"


def _sheet_player(event: Event, player: Player, force: OnSheet | None, game: Game, scenario: Scenario) -> SheetPlayer:
    has = role_of(scenario, game, player.id)
    role = has.said if has else ""
    club = " · ".join(dict.fromkeys(filter(None, (team_name(db(), player), player.club))))
    board = [gettext("Board %(board)s", board=game.board)] * bool(game.board)
    if force is None:
        return SheetPlayer(player.name, " · ".join(filter(None, (*board, player.faction))), club, role=role)
    summary = system_of(event).forces.summarise(force.document, edition_of(db(), event))
    leader = " · ".join(
        filter(None, (gettext("Leader: %(name)s", name=summary.leader) if summary.leader else "", *force.about))
    )
    most = (has.size if has else event.size) if fields_a_part(event, scenario, game) else summary.total
    total, part = (summary.total, most if most < summary.total else None) if force.costs else (None, None)
    return SheetPlayer(player.name, " · ".join((*board, summary.faction)), club, total, leader, role, part)
