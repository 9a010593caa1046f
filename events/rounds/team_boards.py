"""The boards of a match: set by stored order at the draw, or chosen by both captains in secret."""

from collections.abc import Iterable, Mapping, Sequence
from zoneinfo import ZoneInfo

from sqlmodel import Session

from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import entries_of_kind, note
from events.store.luck import hidden_seed
from events.store.roles import draw_roles
from events.store.team_queries import (
    checked_in_by_board,
    choosing,
    chosen_by,
    matches_of,
    names_of,
    order_at_boards,
    team_number,
    team_of,
    teams_of,
)
from events.tournament.pairing.notes import Note, NoteKind, note_rows
from events.tournament.pairing.seats import Draw
from events.tournament.team_ranking import Board, board_tables, match_boards
from events.web.parsing import sheet_code
from languages.dates import dated
from languages.message import Text, joined, message
from languages.words import N_, gettext, ngettext
from models.event import Event, EventState, Round, RoundState
from models.play import Game, GameState, Player
from models.settings import BoardsMatched
from models.team import Team, TeamMatch


def lay_matches(act: Act, the_round: Round, drawn: Draw, players: Sequence[Player]) -> None:
    """The rows of a drawn round of teams: its matches, and the boards that are already known."""
    rows = [
        TeamMatch(
            a_id=team_number(pair.a),
            b_id=team_number(pair.b),
            block=pair.table,
            notes=note_rows(pair.notes),
        )
        for pair in drawn.pairs
    ]
    if drawn.bye is not None:
        rows.append(TeamMatch(a_id=team_number(drawn.bye), notes=note_rows(drawn.notes)))
    the_round.matches.extend(rows)
    act.s.flush()  # assigns the matches' ids for their games
    lay_boards(act, the_round, sorted(rows, key=lambda row: (row.block is None, row.block or 0)), players)


def lay_boards(act: Act, the_round: Round, matches: Iterable[TeamMatch], players: Sequence[Player]) -> None:
    """Set the boards of a drawn round by the stored order, except in matches where captains choose.

    An unchanged board keeps its sheet's code.
    """
    in_order = act.event.boards == BoardsMatched.ORDER
    _settle_boards(act, the_round, [match for match in matches if in_order or match.b_id is None], players)


def follow_teams(act: Act) -> None:
    """Update the boards of a drawn round after a change in a team.

    In a published round a captain chooses again if the players who are here are no longer those at the chosen boards.
    """
    act.s.flush()  # the queries read these rows
    players, teams = act.event.players, {team.id: team for team in teams_of(act.event)}
    for the_round in act.event.schedule if teams else ():
        if the_round.state == RoundState.DRAWN:
            lay_boards(act, the_round, matches_of(the_round), players)
        for match in matches_of(the_round):
            for team in (teams[match.a_id], teams.get(match.b_id or 0)) if choosing(the_round, match) else ():
                if team is not None:
                    _end_choice(act, the_round, match, team, players)


def _end_choice(act: Act, the_round: Round, match: TeamMatch, team: Team, players: Sequence[Player]) -> None:
    """Delete a captain's order that is not of the players who are here."""
    here, chosen = {player.id for player in checked_in_by_board(players, team)}, chosen_by(match, team.id)
    if chosen is not None and here != {number for number in chosen if number is not None}:
        setattr(match, "a_order" if team.id == match.a_id else "b_order", None)
        text = N_("%(team)s choose their boards for round %(number)s again, because their players changed")
        note(act, "choose-again", message(text, team=team.name, number=the_round.number), match=match.id)


def choose_order(act: Act, match: TeamMatch, team_id: int, order: Sequence[int | None]) -> bool:
    """Store a captain's secret order of boards for a match. It can change until both captains have chosen.

    Returns whether both have: then the boards are set and visible to everyone. Until then the journal says only that a
    team has chosen. Raises Refused.
    """
    s, event = act.s, act.event
    the_round = _still_choosing(s, event, match)
    team = team_of(s, event, team_id)
    assert team is not None  # noqa: S101 - it plays this match
    players = event.players
    there = {player.id: player.name for player in checked_in_by_board(players, team)}
    chosen = [number for number in order if number is not None]
    if len(order) != event.team_size or not set(chosen) <= there.keys():
        raise Refused(gettext("Choose from the players of your team who are here."))
    if twice := {there[number] for number in chosen if chosen.count(number) > 1}:
        raise Refused(gettext("%(join)s cannot sit at two boards.", join=", ".join(sorted(twice))))
    if left := sorted(there[number] for number in there.keys() - set(chosen)):
        raise Refused(
            ngettext(
                "%(names)s is here and must have a board.",
                "%(names)s are here and must have a board.",
                len(left),
                names=", ".join(left),
            )
        )
    side = "a_order" if team_id == match.a_id else "b_order"
    changed = getattr(match, side) is not None
    setattr(match, side, list(order))
    again = N_("%(team)s changed their boards for round %(number)s")
    text = again if changed else N_("%(team)s have set their boards for round %(number)s")
    note(act, "choose-boards", message(text, team=team.name, number=the_round.number), match=match.id)
    if match.a_order is None or match.b_order is None:
        return False
    _settle_boards(act, the_round, [match], players)
    _note_boards(act, the_round, match, message("both captains have chosen"), [match.a_id, match.b_id])
    return True


def close_choice(act: Act, match: TeamMatch) -> None:
    """End the captains' choice; a team that has not chosen plays in its stored order."""
    s, event = act.s, act.event
    the_round = _still_choosing(s, event, match)
    names = names_of(teams_of(event))
    chosen = [team for team in (match.a_id, match.b_id) if team is not None and chosen_by(match, team) is not None]
    waiting = [names[team] for team in (match.a_id, match.b_id) if team is not None and team not in chosen]
    _settle_boards(act, the_round, [match], event.players)
    why = message("the stored order stands in for %(teams)s", teams=joined(waiting, "and"))
    _note_boards(act, the_round, match, why, chosen)


def how_matched(s: Session, event: Event, match: TeamMatch, team_id: int) -> str:
    """When the choice of a matched match ended, and whose order the team has, in a sentence for the team."""
    entries = [
        journal_entry.details
        for journal_entry in entries_of_kind(s, event, "match-boards")
        if journal_entry.details["match"] == match.id
    ]
    chosen = entries[-1].get("chosen") if entries else None  # no version before 0.4 stored it
    text = N_("The boards were matched at %(time)s.")
    if chosen is not None:
        text = N_("The choice was closed at %(time)s with your stored order.")
        if team_id in chosen:
            text = N_("The boards were matched at %(time)s in the order that your team had chosen.")
    assert match.matched_at is not None  # noqa: S101 - by the docstring
    return gettext(text, time=dated(match.matched_at.astimezone(ZoneInfo(event.timezone)), "%H:%M"))


def forget_choices(s: Session, event: Event, the_round: Round) -> None:
    """Delete the boards that captains chose, when a round is unpublished."""
    if event.boards == BoardsMatched.ORDER:
        return
    matches = [match for match in matches_of(the_round) if match.b_id is not None]
    _cleared(s, the_round, matches)
    for match in matches:
        match.a_order = match.b_order = match.matched_at = None


def _still_choosing(s: Session, event: Event, match: TeamMatch) -> Round:
    the_round = s.get_one(Round, match.round_id)
    if match.matched_at is not None:
        raise Refused(gettext("The boards of this match are matched: everybody sees them."))
    if event.state != EventState.IN_PROGRESS or not choosing(the_round, match):
        raise Refused(gettext("Boards are chosen once the round is published."))
    return the_round


def _settle_boards(act: Act, the_round: Round, matches: Sequence[TeamMatch], players: Sequence[Player]) -> None:
    """Set the boards and make their games at adjacent tables; an empty board is a walk-over."""
    s, event = act.s, act.event
    codes = _cleared(s, the_round, matches)
    fixed = {str(player.id): player.fixed_table for player in players if player.fixed_table is not None}
    for match in matches:
        sides: list[list[int | None]] = []
        for team_id, chosen in ((match.a_id, match.a_order), (match.b_id, match.b_order)):
            team = team_of(s, event, team_id)
            keep = () if chosen is None or match.matched_at is not None else chosen
            sides.append(order_at_boards(event, players, team, keep) if team else [None] * event.team_size)
        match.a_order, match.b_order, match.matched_at = sides[0], sides[1], act.now
        boards = match_boards(*([None if number is None else str(number) for number in side] for side in sides))
        tables = board_tables(match.block, event.team_size, boards, fixed) if match.block else {}
        the_round.games.extend(_board_game(the_round, match, board, tables, codes) for board in boards)
    s.flush()  # makes the ids of the games, by which byes are sorted
    draw_roles(s, event, the_round, hidden_seed(event, "roles", the_round.number, the_round.seed))


def _board_game(
    the_round: Round,
    match: TeamMatch,
    board: Board,
    tables: Mapping[int, int],
    codes: Mapping[tuple[int, ...], str],
) -> Game:
    """The game of one board; ``codes`` are those of sheets already printed."""
    ids = [int(text) for text in (board.a, board.b) if text is not None]
    both = len(ids) == 2
    confirmed = not both and the_round.state == RoundState.PUBLISHED
    return Game(
        match_id=match.id,
        board=board.number,
        a_id=ids[0],
        b_id=ids[1] if both else None,
        table_number=tables[board.number] if both else None,
        code=codes.get(tuple(ids)) or sheet_code(),
        notes=note_rows([] if both or match.b_id is None else [Note(NoteKind.EMPTY_BOARD, {"board": board.number})]),
        state=GameState.CONFIRMED if confirmed else GameState.OPEN,
    )


def _cleared(s: Session, the_round: Round, matches: Iterable[TeamMatch]) -> Mapping[tuple[int, ...], str]:
    """Delete the games of these matches. Returns their sheets' codes by the players at the board."""
    numbers = {match.id for match in matches}
    games = [game for game in the_round.games if game.match_id in numbers]
    codes = {tuple(number for number in (game.a_id, game.b_id) if number is not None): game.code for game in games}
    for game in games:
        the_round.games.remove(game)
    s.flush()  # before new games with the same codes and players are added
    return codes


def _note_boards(act: Act, the_round: Round, match: TeamMatch, why: Text, chosen: Sequence[int | None]) -> None:
    names = names_of(teams_of(act.event))
    text = N_("Round %(round)s, %(team)s against %(other)s: the boards are matched, %(why)s")
    teams = {"team": names[match.a_id], "other": names.get(match.b_id or 0, "")}
    note(
        act,
        "match-boards",
        message(text, round=the_round.number, why=why, **teams),
        match=match.id,
        a=match.a_order,
        b=match.b_order,
        chosen=chosen,
    )
