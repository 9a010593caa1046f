"""The sheets of a round: pairings, standings, set-ups of tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from events.papers.event_pack import listed, setup_steps, table_map
from events.papers.forces_on_paper import Forces, OnSheet, forces_on_sheets
from events.rounds.bracket import ShownMatch, ShownRound, ShownSide
from events.seasons.league_queries import play_by
from events.standings.loading import is_corrected_in, is_ranked, standings_in
from events.standings.titles import ranked_words, standings_title
from events.store.clock_queries import planned_of
from events.store.editions import edition_of, system_of
from events.store.players import players_by_id
from events.store.roles import roles_of
from events.store.rounds import RoundView, first_stage, knockout_title, why_alone
from events.store.scoring import ordered_by
from events.store.team_queries import names_of, seat_id, seat_of, teams_of
from events.store.verdicts import list_size, turn_order
from events.tournament.pairing.tables import block_tables
from events.tournament.ranking import bye_words, provisional_words, unplayed_words
from events.tournament.team_ranking import team_tie_breaks
from events.visitors.event_loading import players_in
from events.visitors.loading import event_rounds
from events.web.request import db, local, local_day
from languages import words
from languages.message import Text
from languages.words import apart, capital, gettext, labelled, minus, ngettext
from models.event import Event, Round, RoundState
from models.play import Game, Player
from models.team import TeamMatch
from pdf.bracket import Bracket, BracketMatch, Side
from pdf.scenario_page import SETUP, TableSetup
from pdf.table import BELOW, Col
from pdf.table_map import ScenerySpot
from pdf.wall import NoGame, PairedMatch, PairedPlayer, PairingRow, RoundPairings, Standings
from validators.scenario import Scenario
from validators.scenery import Kind, Piece, Scenery, layout


def round_pairings(event: Event, view: RoundView) -> RoundPairings:
    the_round, people = view.round, players_by_id(event)
    rows = tuple(_row(event, view, game, people) for game in view.games)
    starts = _starts(event, the_round)
    stage = knockout_title(the_round)
    title = gettext("Round %(number)s, %(stage)s", number=the_round.number, stage=stage) if stage else ""
    scenario, matches = view.shared.name if view.shared else "", _matches(view, rows)
    return RoundPairings(the_round.number, rows, scenario, starts, title, matches=matches)


def _matches(view: RoundView, rows: Sequence[PairingRow]) -> tuple[PairedMatch, ...]:
    """The matches of a team event with their boards; ``rows`` are those of the games."""
    names, boards = names_of(view.teams), dict[int | None, list[PairingRow]]()
    for game, row in sorted(zip(view.games, rows, strict=True), key=lambda pair: pair[0].board or 0):
        boards.setdefault(game.match_id, []).append(row)

    def tables(match: TeamMatch) -> str:
        places = list(block_tables(match.block, view.now.team_size)) if match.block else []
        return f"{places[0]}–{places[-1]}" if places else ""

    return tuple(
        PairedMatch(names[match.a_id], names[match.b_id], tuple(boards.get(match.id, ())), tables(match))
        if match.b_id else PairedMatch(names[match.a_id])
        for match in view.matches
    )  # fmt: skip


def _starts(event: Event, the_round: Round) -> str:
    """When a round started, or is planned to, and its length: "from 10:05, 90 minutes"."""
    if the_round.state == RoundState.DRAWN:
        return gettext("draft: not published yet")
    if event.season:
        return ""
    length = ngettext("%(num)s minute", "%(num)s minutes", the_round.minutes or event.round_minutes)
    if the_round.started_at:
        begun = local(the_round.started_at, event, "%H:%M")
        return gettext("from %(time)s, %(length)s", time=begun, length=length)
    planned = planned_of(event, event_rounds(event)).get(the_round.number)
    if not planned:
        return length
    return gettext("planned for %(time)s, %(length)s", time=local(planned, event, "%H:%M"), length=length)


def bracket_on_paper(event: Event, rounds: Sequence[ShownRound], third: ShownMatch | None) -> Bracket:
    """The bracket for one page; the names of rounds that are not published say so."""
    drafts = {
        round_.number: gettext("draft: not published yet")
        for round_ in event_rounds(event)
        if round_.state == RoundState.DRAWN
    }
    people = players_by_id(event)

    def side(shown_side: ShownSide, match: ShownMatch) -> Side:
        if shown_side.player_id is None:
            return Side(gettext("bye") if match.bye else "" if shown_side.waits else gettext("nobody"))
        return Side(people[shown_side.player_id].name, str(shown_side.seed or ""), shown_side.vp, shown_side.won)

    def on_paper(match: ShownMatch) -> BracketMatch:
        table = match.game.table_number if match.open and match.game else None
        return BracketMatch(
            side(match.a, match),
            side(match.b, match),
            match.note or (gettext("Table %(table)s", table=table) if table else ""),
        )

    names = (" · ".join(filter(None, (capital(round_.name), drafts.get(round_.number or 0)))) for round_ in rounds)
    named = [(name, list(map(on_paper, shown_round.matches))) for name, shown_round in zip(names, rounds, strict=True)]
    return Bracket(named, on_paper(third) if third else None)


CLUBS_APART = 40
"""From this many players on, clubs have a column, so that most rows have one line."""


def standings_after(event: Event, after: int) -> Standings:
    people, table = {str(p.id): p for p in players_in(event)}, standings_in(event)
    ranked, scheme = table.of_players(after) if is_ranked(event, after) else [], table.t.rules.scheme
    stage = first_stage(event)
    byes = "" if stage.by_ladder else bye_words(ranked, table.t.results(after), scheme)
    order = ordered_by(event)
    counted, has_points = stage.counts != "places", not stage.by_ladder  # a knockout from the start has only places
    won = gettext("tournament points")
    if not scheme.table:
        each = {"win": event.points_win, "draw": event.points_draw}
        won = gettext("tournament points: %(win)s for a win, %(draw)s for a draw", **each)
        won += gettext(", %(n)s for painting", n=event.painting_points) if event.painting_points else ""
    games = gettext("wins, draws and losses at the table")
    figures = (
        Col(gettext("W-D-L"), "centre", meaning=". ".join(map(str, filter(None, (games, byes))))),
        *[Col(gettext("TP"), "figure", strong=True, meaning=won)] * has_points,
        *(Col(gettext(t.label), "figure", meaning=gettext(t.explanation)) for t in order),
    )
    faction, apart = capital(system_of(event).words.faction), len(ranked) >= CLUBS_APART
    columns = (
        Col("#", "figure", strong=True),
        Col(gettext("Player"), strong=True),
        Col(faction),
        *[Col(gettext("Club"))] * apart,
        *(figures if counted else [Col(gettext("Result"))]),
    )
    rows = tuple(
        (
            "–" if row.disqualified else str(row.rank),
            _below(row.name, (
                row.how.get("place", "") if counted else "",
                row.gone,
                *(unplayed_words(row, why=False) if counted and has_points else ()),
                row.bonus if counted else "",
                "" if apart else people[row.id].club,
            )),
            people[row.id].faction,
            *[people[row.id].club] * apart,
            *(
                (
                    row.record.replace("-", "–"),
                    *[minus(row.points)] * has_points,
                    *(figure.marked for figure in row.figures),
                )
                if counted
                else [str(row.how.get("place", ""))]
            ),
        )
        for row in ranked
    )  # fmt: skip
    note = ranked_words(event)
    if counted and table.t.bracket(after):
        note = gettext("The knockout’s places first, then the standings of the rounds before it.")
    return Standings(
        standings_title(event, table.t, after, local_day(event), corrected=is_corrected_in(event)),
        columns,
        rows,
        (gettext("TP"), *(gettext(t.label) for t in order)) if counted and has_points else (),
        note=note,
    )


def _below(name: str, notes: Iterable[Text]) -> str:
    return BELOW.join((name, *map(str, filter(None, notes))))


def team_standings_after(event: Event, after: int) -> Standings:
    table = standings_in(event)
    tie_breaks = team_tie_breaks(table.t.rules.scheme)
    clubs = {seat_id(team.id): team.club for team in teams_of(event)}
    ranked = table.of_teams(after) if after else []
    columns = (
        Col("#", "figure", strong=True),
        Col(gettext("Team"), strong=True),
        Col(gettext("W-D-L"), "centre", meaning=gettext("matches won, drawn and lost")),
        Col(gettext("Byes"), "figure", meaning=str(provisional_words(ranked))),
        Col(gettext("TP"), "figure", strong=True, meaning=gettext("tournament points of the team")),
        *(Col(gettext(label), "figure", meaning=gettext(meaning)) for _, label, meaning in tie_breaks),
    )
    rows = tuple(
        (
            str(row.rank),
            _below(row.name, (row.gone, clubs[row.id])),
            f"{row.wins}–{row.draws}–{row.losses}",
            str(row.byes or ""),
            minus(row.points),
            *(figure.marked for figure in row.figures),
        )
        for row in ranked
    )
    return Standings(
        standings_title(event, table.t, after, local_day(event), of_teams=True, corrected=is_corrected_in(event)),
        columns,
        rows,
        (gettext("TP"), *(gettext(label) for _, label, _ in tie_breaks)),
    )


def _paired(player: Player, game: Game) -> PairedPlayer:
    seat = seat_of(db(), player, game)
    club = "" if player.club and seat.endswith(f" of {player.club}") else player.club  # a team may have its club's name
    return PairedPlayer(player.name, club, player.faction, seat)


def _row(event: Event, view: RoundView, game: Game, people: Mapping[int, Player]) -> PairingRow:
    a, b = people[game.a_id], people[game.b_id] if game.b_id else None
    scenario = view.scenario_at(game) if b and view.shared is None else None
    by = play_by(event, view, game)
    fixed = (
        not by
        and game.table_number is not None
        and game.table_number in {player.fixed_table for player in (a, b) if player}
    )
    paired_player, other = _paired(a, game), _paired(b, game) if b else None
    is_guest = b is None and any(match.id == game.match_id and match.b_id == a.team_id for match in view.matches)
    left, right = (None, paired_player) if is_guest else (paired_player, other)
    return PairingRow(
        game.table_number, left, right, NoGame[why_alone(game).upper()], scenario.name if scenario else "", fixed=fixed,
        by=by, board=game.board or 0, stage=capital(knockout_title(view.round, game)) if b else "",
    )  # fmt: skip


def table_setups_of(event: Event, view: RoundView) -> list[TableSetup]:
    """The sheets for the tables in use, by number."""
    played = sorted((game for game in view.games if game.table_number and game.b_id), key=_number)
    forces = forces_on_sheets(event)
    return [_setup(event, view, game, scenario, forces) for game in played if (scenario := view.scenario_at(game))]


def _number(game: Game) -> int:
    return game.table_number or 0


def _setup(event: Event, view: RoundView, game: Game, scenario: Scenario, forces: Forces) -> TableSetup:
    table, proposed, people = _number(game), system_of(event).scenery, players_by_id(event)
    scenery = proposed(scenario) if proposed else None
    roles = " ".join(
        gettext("Player %(side)s: %(role)s.", side=side.upper(), role=role.said)
        for side, role in roles_of(scenario, game).items()
    )
    # The layout depends on the table, not the round, so that scenery can stay in place.
    brought = forces.of_game(game)
    a, b = (brought.get(id_) for id_ in (game.a_id, game.b_id or 0))
    order = turn_order(event, a.document if a else None, b.document if b else None)
    pieces = layout(scenery, scenario, f"{event.slug}, table {table}") if scenery else ()
    steps = *setup_steps(event, scenario), *map(gettext, scenario.turns)
    requests = _asked(scenery, pieces) if scenery else ()
    ruled = len(requests) if scenery and scenery.ruler else 0
    by, number = play_by(event, view, game), gettext("Round %(number)s", number=view.round.number)
    players = f"A · {people[game.a_id].name} – B · {people[game.b_id or 0].name}"
    entry = players if by else gettext("Table %(table)s", table=table)
    last_day = by and gettext("%(scenario)s, by %(day)s", scenario=scenario.name, day=by)
    return TableSetup(
        title=last_day or labelled(entry, scenario.name),
        note=f"{number} · {gettext(SETUP)} · {players}",
        entry=entry,
        table_map=table_map(event, scenario),
        spots=tuple(
            ScenerySpot(p.x, p.y, p.kind.shape, gettext(p.kind.name).partition(",")[0] * (not ruled), p.kind.letter)
            for p in pieces
        ),
        across=scenery.across if scenery else 0.0,
        steps=(*requests[:ruled], roles, *steps[:1], *requests[ruled:], *steps[1:]),
        needs=(*map(gettext, scenario.needs), *_brought(event, a, b)),
        listed=listed(scenario),
        order=order if system_of(event).papers.turn_order else None,
    )


def _brought(event: Event, *forces: OnSheet | None) -> list[str]:
    """What each player's force puts on the table besides models, where it is known and fielded whole."""
    brings = system_of(event).papers.brings
    if brings is None or list_size(event) != event.size:
        return []
    edition, sides = edition_of(event), zip("AB", forces, strict=True)
    return [labelled(side, brings(force.document, edition)) for side, force in sides if force]


def _asked(scenery: Scenery, pieces: Sequence[Piece]) -> tuple[str, ...]:
    """What the rules ask for, or else what we propose after the first step, and how to read the map of it."""
    if not scenery.ruler:
        many = Counter(piece.kind for piece in pieces)
        kinds = apart(
            labelled(f"{_shapes(kind, many[kind])} {kind.letter}".strip(), gettext(kind.name)) for kind in scenery.kinds
        )
        return (
            ngettext(
                "The map is a proposal: %(num)s piece, %(across)s″ across (%(kinds)s). The list has the "
                "middle of each as seen from edge A. Other pieces and places will do.",
                "The map is a proposal: %(num)s pieces, each %(across)s″ across (%(kinds)s). The list "
                "has the middle of each as seen from edge A. Other pieces and places will do.",
                len(pieces),
                across=f"{scenery.across:g}",
                kinds=kinds,
            ),
        )
    square, *others = (gettext(kind.name) for kind in scenery.kinds)
    return (
        ngettext(
            "Put %(num)s piece of terrain on the table, as many in each half, with more than "
            "%(ruler)s (%(apart)s″) between any two.",
            "Put %(num)s pieces of terrain on the table, as many in each half, with more than "
            "%(ruler)s (%(apart)s″) between any two.",
            scenery.pieces,
            ruler=scenery.ruler,
            apart=f"{scenery.apart:g}",
        ),
        gettext(
            "The map is a proposal for pieces %(across)s″ across: a square, laid straight, %(square)s, a disc "
            "%(discs)s. The list has the middle of each as seen from edge A. Other places and sizes will do if they "
            "keep this distance.",
            across=f"{scenery.across:g}",
            square=square,
            discs=words.listed(others, style="or"),
        ),
    )


def _shapes(kind: Kind, number: int) -> str:
    if kind.shape == "square":
        return ngettext("%(num)s square", "%(num)s squares", number)
    if kind.shape == "disc":
        return ngettext("%(num)s disc", "%(num)s discs", number)
    return ngettext("%(num)s bar", "%(num)s bars", number)
