"""Teams: create, join by code, seat, disband; and registering a pasted list of players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, select

from events.accounts.limits import Client
from events.registration import actions
from events.registration.places import fill_places, settle_teams
from events.registration.sign_ups import SignUp
from events.registration.team_codes import check_code, end_code_of
from events.rounds.team_boards import follow_teams
from events.store.act import Act
from events.store.editions import factions_of, system_of
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.store.players import has_place, places_taken
from events.store.rounds import round_views
from events.store.team_queries import active, captain_of, has_room, is_team_event, members, own_match, team_of
from events.web.csv_cells import as_typed, cells_of_line
from events.web.parsing import (
    NO_WEB_ADDRESS,
    has_web_address,
    name_key,
    split_entry,
    tidy,
    unfit,
    visible,
    without_marks,
)
from languages.message import message
from languages.words import N_, apart, gettext, listed, ngettext
from models.event import Event, RoundState
from models.play import Player
from models.team import Team
from validators.names import name_table, nearest


@dataclass(frozen=True)
class Joins:
    """A player's own sign-up, and the code of a team as typed."""

    code: str
    sign_up: SignUp


def make_team(act: Act, name: str, club: str) -> Team:
    """Create a team without players. It plays from the next undrawn round. Raises Refused."""
    s, event = act.s, act.event
    _open(event)
    key = _key(s, event, name)
    views = round_views(event)
    team = Team(
        name=name,
        name_key=key,
        club=club,
        entered_round=1 + sum(view.round.state != RoundState.PLANNED for view in views),
    )
    event.teams.append(team)
    s.flush()  # assigns the team's id for its players and the journal
    note(act, "make-team", message("Created the team %(team)s", team=name), team=team.id, club=club)
    return team


def team_named(s: Session, event: Event, name: str) -> Team | None:
    """The event's team of this name, ignoring case, accents and spaces as for players."""
    return s.exec(select(Team).where(Team.event_id == event.id, Team.name_key == name_key(name))).first()


def enter_team(
    act: Act,
    name: str,
    details: Mapping[str, str],
    faction: str,
    *,
    here: bool = False,
    team: str = "",
    partner: str = "",
    joins: Joins | None = None,
) -> Player:
    """Register a player, or a pair, in the team of this name. Raises Refused; then nothing is stored.

    ``team`` "" is no team yet. ``joins`` is the sign-up of a player, with the code that an existing team needs; None
    for staff.
    """
    if joins is not None and (team or joins.code):
        _check_own(act, team, joins.code, joins.sign_up.client)
    team_id = None
    if team:
        _open(act.event)
        there = team_named(act.s, act.event, team)
        if there is not None:
            _room_in(act.event, there)
        elif not name_key(team) or not visible(team):
            raise Refused(gettext("Enter a team name with visible letters."), "team")
        team_id = there.id if there is not None else 0
    sign_up = joins.sign_up if joins is not None else None
    if sign_up is not None and team and there is not None:  # its code was checked above
        captain = captain_of(act.event.players, there)
        sign_up = replace(sign_up, by_team=True, code_of=captain.id if captain else None)
    player = actions.register(act, name, details, faction, here=here, partner=partner, sign_up=sign_up, team_id=team_id)
    if team:
        join_team(act, player, team)
    return player


def choose_team(act: Act, player: Player, name: str, code: str, client: Client) -> Team:
    """Join a team by its code, or start one of another name: a player who is in none. Raises Refused."""
    _open(act.event)
    if player.team_id is not None:
        raise Refused(gettext("You are in a team already. Ask the organiser to move you."), "team")
    _check_own(act, name, code, client)
    before = places_taken(act.event, act.event.players)
    team = join_team(act, player, name)
    settle_teams(act, before)
    return team


def _check_own(act: Act, name: str, code: str, client: Client) -> None:
    """Check the code with which players join the team of this name, or that there is none. Raises Refused."""
    if not name:
        raise Refused(gettext("Enter the name of the team that this code belongs to."), "team")
    there = team_named(act.s, act.event, name)
    if there is not None:
        check_code(act.s, there, code, client, act.now)
    elif code:
        text = N_("There is no team %(team)s. Correct the name, or leave the code empty to start it.")
        raise Refused(gettext(text, team=name), "team")


def join_team(act: Act, player: Player, name: str) -> Team:
    """Add a player to the team of this name, creating the team if needed. Raises Refused."""
    s, event = act.s, act.event
    team = team_named(s, event, name)
    if team is None:
        team = make_team(act, name, "")
    if player.team_id != team.id:
        _room_in(event, team)
        player.team_id, player.board, player.captain = team.id, _free_board(event, team), False
        note(
            act,
            "join-team",
            message("%(name)s joined the team %(team)s", name=player.name, team=team.name),
            player=player.id,
            team=team.id,
        )
        follow_teams(act)
    return team


def rename_team(act: Act, team: Team, name: str, club: str) -> None:
    """Correct a team's name and club. Raises Refused."""
    key = _key(act.s, act.event, name, team)
    before = [team.name, team.club]
    team.name, team.name_key, team.club = name, key, club
    if before != [name, club]:
        note(act, "rename-team", message("Changed the team %(team)s", team=name), team=team.id, before=before)


def seat_team(act: Act, team: Team, order: Sequence[Player | None], captain: Player | None) -> None:
    """Seat a team: ``order`` has the player of each board, from board 1. Raises Refused.

    Members left out leave the team; players of other teams in ``order`` move to it. ``captain`` None: the player at
    board 1. Boards of published matches stay as they are.
    """
    s, event = act.s, act.event
    _open(event)
    named = [player for player in order if player is not None]
    if len({player.id for player in named}) < len(named):
        raise Refused(gettext("Choose each player for one board only."), "boards")
    if captain is not None and captain not in named:
        raise Refused(gettext("Choose a captain from the team."), "captain")
    for player in named:
        if player.event_id != event.id or not has_place(player):
            raise Refused(gettext("%(player)s has no place in this event.", player=player.name), "boards")
        if player.team_id != team.id:
            _not_playing(s, event, player)
    everybody = event.players
    taken = places_taken(event, everybody)
    before = [[p.id, p.board, p.captain] for p in members(everybody, team)]
    for player in active(everybody, team):
        if player not in named:
            _not_playing(s, event, player)
            end_code_of(s, player)
            player.team_id, player.board, player.captain = None, None, False
    for board, seated in enumerate(order, start=1):
        if seated is not None:
            if seated.team_id != team.id:
                end_code_of(s, seated)
            seated.team_id, seated.board, seated.captain = team.id, board, seated is captain
    after = [[p.id, p.board, p.captain] for p in members(event.players, team)]
    if before != after:
        note(
            act,
            "seat-team",
            message("Put the boards of %(team)s in order", team=team.name),
            team=team.id,
            before=before,
            after=after,
        )
    follow_teams(act)
    settle_teams(act, taken)


def remove_team(act: Act, team: Team) -> None:
    """Delete a team that has played no match; its players stay in the event. Raises Refused."""
    s, event = act.s, act.event
    _open(event)
    if any(own_match(view.matches, team.id) for view in round_views(event)):
        raise Refused(gettext("%(team)s has been drawn into a round: drop the team instead.", team=team.name))
    if any(ruling.team_id == team.id for ruling in event.team_rulings):
        raise Refused(
            gettext(
                "%(team)s was given a penalty or a bonus, which stays on record: drop the team instead.", team=team.name
            )
        )
    for player in members(event.players, team):
        player.team_id, player.board, player.captain = None, None, False
    s.flush()  # no row refers to the team when its own is deleted
    event.teams.remove(team)
    note(act, "remove-team", message("Disbanded the team %(team)s", team=team.name), team=team.id)
    fill_places(act)


def _open(event: Event) -> None:
    check_not_over(event)
    if not is_team_event(event):
        raise Refused(gettext("This event has no teams. Set the team size in the settings."))


def _key(s: Session, event: Event, name: str, own: Team | None = None) -> str:
    key = name_key(name)
    if not key or not visible(name):
        raise Refused(gettext("Enter a name with visible letters."), "name")
    namesake = team_named(s, event, name)
    if namesake is not None and namesake is not own:
        raise Refused(gettext("The name %(namesake)s is taken. Choose another.", namesake=namesake.name), "name")
    return key


def _room_in(event: Event, team: Team) -> None:
    if team.dropped_after is not None:
        raise Refused(gettext("The team %(team)s has left the event.", team=team.name), "team")
    if not has_room(event, event.players, team):
        raise Refused(
            ngettext(
                "The team %(team)s has its %(num)s player already.",
                "The team %(team)s has its %(num)s players already.",
                event.team_size,
                team=team.name,
            ),
            "team",
        )


def _free_board(event: Event, team: Team) -> int:
    taken = {player.board for player in active(event.players, team)}
    return next(board for board in range(1, event.team_size + 2) if board not in taken)


def _not_playing(s: Session, event: Event, player: Player) -> None:
    """Check that the player's team has no match in a drawn or current round. Raises Refused."""
    for view in round_views(event):
        if view.state in ("drawn", "playing") and own_match(view.matches, player.team_id):
            team = team_of(s, event, player.team_id)
            raise Refused(
                gettext(
                    "%(player)s plays round %(round)s with %(team)s: change teams when it is complete.",
                    player=player.name,
                    round=view.round.number,
                    team=team.name if team else gettext("another team"),
                ),
                "boards",
            )


PART_LENGTH = 80
PASTED_LINES = 500


@dataclass(frozen=True)
class Pasted:
    """One line of a pasted list: the registered player, or the reason why not."""

    number: int
    """The line's number in the pasted text, from 1."""
    line: str
    player: Player | None
    refusal: str = ""


def parts_of_line(event: Event) -> tuple[str, ...]:
    """The parts of a line in order; only the first is needed."""
    names = gettext("name & partner") if event.doubles else gettext("name")
    team = (gettext("team"),) if is_team_event(event) else ()
    return (names, gettext("club"), system_of(event).words.faction, *team)


def register_pasted(act: Act, text: str) -> list[Pasted]:
    """Register every line of a pasted list: name, club, faction and team, separated by tabs, semicolons or commas.

    A refused line is returned with the reason; the other lines are entered. Blank lines are skipped. Apostrophes that
    our own CSV files put before formulas are removed (``as_typed``). Raises Refused for too many lines.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > PASTED_LINES:
        raise Refused(
            ngettext(
                "%(num)s line: paste at most %(pasted_lines)s at once.",
                "%(num)s lines: paste at most %(pasted_lines)s at once.",
                len(lines),
                pasted_lines=PASTED_LINES,
            ),
            "names",
        )
    done: list[Pasted] = []
    for number, line in lines:
        try:
            player = _register_line(act, line)
        except Refused as refusal:
            done.append(Pasted(number, line.strip(), None, refusal.message))
        else:
            done.append(Pasted(number, line.strip(), player))
    return done


def _register_line(act: Act, line: str) -> Player:
    cells = [tidy(as_typed(cell)) for cell in cells_of_line(without_marks(line))]
    parts = parts_of_line(act.event)
    if len(cells) > len(parts):
        text = N_("More than three parts. Enter only: %(parts)s. Put a name with a comma in quotes.")
        if len(parts) > 3:
            text = N_("More than four parts. Enter only: %(parts)s. Put a name with a comma in quotes.")
        raise Refused(gettext(text, parts=apart(parts)))
    if why := next(filter(None, map(unfit, cells)), ""):
        raise Refused(why)
    for part, cell in zip(parts, cells, strict=False):
        if len(cell) > PART_LENGTH:
            raise Refused(
                ngettext(
                    "The %(part)s is longer than %(num)s character.",
                    "The %(part)s is longer than %(num)s characters.",
                    PART_LENGTH,
                    part=part,
                )
            )
    entry, club, faction, team = [*cells, "", "", ""][:4]
    if any(map(has_web_address, (entry, club, team))):
        raise Refused(NO_WEB_ADDRESS)
    name, partner = split_entry(entry) if act.event.doubles else (entry, "")
    faction = _faction(act.event, faction)
    return enter_team(act, name, {"club": club}, faction, team=team, partner=partner)


def _faction(event: Event, typed: str) -> str:
    """The faction of this name, in its own spelling; "" for none. Raises Refused with the likely ones."""
    factions = factions_of(event)
    faction = name_table(factions).find(typed) if typed else ""
    if faction is None:
        likely, kind = nearest(typed, factions), system_of(event).words.said.faction
        text = N_("No %(kind)s is called %(typed)s. Type one of: %(known)s.")
        if likely:
            text = N_("No %(kind)s is called %(typed)s. Did you mean %(known)s?")
        raise Refused(gettext(text, kind=kind, typed=typed, known=listed(likely or factions, style="or")))
    return faction
