"""Leaving an event, and coming back: one rule for players and teams, however and whenever they leave.

The rule is the table in docs/changes_of_mind.md.
"""

from dataclasses import replace

from events.lists.locks import give_late_time
from events.registration.join_codes import code_for, use_code
from events.registration.places import fill_places, next_round, place_for, release
from events.registration.sign_ups import SignUp
from events.registration.team_codes import end_code_of
from events.results import challenges
from events.results.no_shows import forfeit
from events.rounds.formats import why_settled
from events.rounds.team_boards import close_choice, follow_teams
from events.store.act import Act
from events.store.campaign import stepped
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.store.last_games import Leaving, leaving_of, published_games
from events.store.outcomes import missing
from events.store.players import players_by_id
from events.store.rulings import disqualified
from events.store.team_queries import active, choosing, has_room, members, own_match, team_of
from events.store.tournaments import load
from events.tournament.boards import TournamentRound
from events.tournament.tournament import Tournament
from languages.message import counted_message, joined, message
from languages.words import N_, gettext
from models.event import EventState
from models.play import Game, Player, PlayerState
from models.team import Team


def drop(act: Act, player: Player, *, at_once: bool = True) -> None:
    """Let a player leave: no later round has them, and results stay. Raises Refused only if the event is over.

    ``at_once``: open games are lost; otherwise the player still plays them, except in a season. A drawn round with the
    player is to be drawn again. Before the event begins, the place goes to the first who waits.
    """
    if player.state == PlayerState.DROPPED:
        return
    check_not_over(act.event)
    loaded = load(act.event)
    games = published_games(loaded.views)[player.id]
    leaving = leaving_of(act.event, games, player, at_once=at_once)
    player.dropped_after = len(loaded.t.published)
    if player.state != PlayerState.CHECKED_IN and not games and act.event.season is None:  # never came
        player.entered_round = max(player.entered_round, player.dropped_after + 1)
    player.state = PlayerState.DROPPED
    end_code_of(act.s, player)
    _lose(act, player, leaving)
    newest, id_ = loaded.t.published[-1:], str(player.id)
    is_out = any(
        tournament_round.stage.one_wins and all(id_ not in (game.a, game.b) for game in tournament_round.boards)
        for tournament_round in newest
    )
    # All rounds of a season may be open, and a knockout goes on without those who are out: it is no time of leaving.
    timeless = is_out or act.event.season is not None
    text = N_("Dropped %(name)s") if timeless else N_("Dropped %(name)s after round %(number)s")
    match = own_match(loaded.views[player.dropped_after - 1].matches, player.team_id) if newest else None
    after = player.dropped_after - (match is not None and match.matched_at is None)  # not yet at a board of that round
    text = text if after else N_("%(name)s withdrew before round 1")
    sentence = message(text, name=player.name, number=after)
    if leaving.lost:
        sentence = counted_message(
            "%(said)s; lost: round %(rounds)s", "%(said)s; lost: rounds %(rounds)s", len(leaving.lost),
            said=sentence, rounds=joined(game.number for game in leaving.lost),
        )  # fmt: skip
    note(act, "drop", sentence, player=player.id)
    follow_teams(act)
    fill_places(act)


def _lose(act: Act, player: Player, leaving: Leaving) -> None:
    people = players_by_id(act.event)
    for game in leaving.lost:
        left_before = act.event.season is not None and people[game.other].state == PlayerState.DROPPED
        forfeit(act, game.game, {player.id, game.other} if left_before else {player.id})
    for game in leaving.voided:
        forfeit(act, game.game, {player.id, game.other})
    for game in leaving.cancelled:
        challenges.end_challenge(act, game.game, player)


def reinstate(act: Act, player: Player, sign_up: SignUp | None = None) -> None:
    """Bring a player back from the next round on; missed rounds score nothing. Raises Refused.

    A player who left before round 1 is a late entry. Games lost by leaving are open again unless something was decided
    since: a later round, an advance in a knockout, or the steps of a campaign.
    ``sign_up``: the player signs up again, and gets a place, or waits, as a newcomer would.
    """
    s, event = act.s, act.event
    if player.state != PlayerState.DROPPED:
        return
    check_not_over(event)
    if player.id in disqualified(event):
        raise Refused(gettext("%(player)s is disqualified: withdraw that ruling first.", player=player.name))
    team = team_of(s, event, player.team_id)
    if team is not None and (team.dropped_after is not None or not has_room(event, event.players, team)):
        player.team_id, player.board, player.captain = None, None, False
    if sign_up is not None:
        use_code(act, code_for(act, replace(sign_up, code_of=player.id)), player)
        player.state, player.registered_at = place_for(act, player.team_id, by_player=True, held=player.held), act.now
    else:
        release(act, [player])
        player.state = place_for(act, player.team_id, by_player=False)
        if player.state == PlayerState.REGISTERED and event.state == EventState.IN_PROGRESS:
            player.state = PlayerState.CHECKED_IN
    if player.dropped_after == 0:
        player.entered_round = max(player.entered_round, next_round(event))
    player.dropped_after = None
    give_late_time(act, player)
    text = N_("%(name)s signed up again") if sign_up else N_("Reinstated %(name)s")
    sentence, again = message(text, name=player.name), _regain(act, player)
    if again:
        sentence = message("%(said)s; open again: round %(rounds)s", said=sentence, rounds=joined(again))
    note(act, "reinstate", sentence, player=player.id)
    follow_teams(act)


def _regain(act: Act, player: Player) -> list[int]:
    """Undo what a player lost by leaving, as far as nothing was decided. Returns the rounds whose games are open."""
    loaded, numbers = load(act.event), []
    people = {player.id: player for player in loaded.players}
    for view in loaded.views:
        for game in view.games:
            gone = {*missing(game, game.absent)} - {player.id}
            other = game.b_id if player.id == game.a_id else game.a_id
            if not game.forfeited or player.id not in missing(game, game.absent) or other is None:
                continue
            if not gone and people[other].state == PlayerState.DROPPED:
                continue  # nobody is left to play it
            if not _is_decided(act, loaded.t, view.now, game):
                forfeit(act, game, gone)
                numbers += [] if gone else [view.round.number]
    return numbers


def _is_decided(act: Act, t: Tournament, of: TournamentRound, game: Game) -> bool:
    """Whether something later follows from a lost game."""
    waits = t.rules.season is None and not of.stage.opens_together
    later = waits and any(round_.number > of.number for round_ in t.published)
    return later or bool(why_settled(t, of.number)) or bool(act.event.campaign and stepped(act.s, act.event, game))


def drop_team(act: Act, team: Team) -> None:
    """Let a team and its players leave, by the rule of ``drop``. Raises Refused only if the event is over."""
    if team.dropped_after is not None:
        return
    check_not_over(act.event)
    loaded = load(act.event)
    team.dropped_after = len(loaded.t.published)
    line = message("The team %(team)s withdrew before round 1", team=team.name)
    if team.dropped_after:
        line = message("Dropped the team %(team)s after round %(number)s", team=team.name, number=team.dropped_after)
    note(act, "drop-team", line, team=team.id)
    for player in active(loaded.players, team):
        drop(act, player)
    for view in loaded.views:
        match = own_match(view.matches, team.id)
        if match is not None and choosing(view.round, match):
            close_choice(act, match)


def reinstate_team(act: Act, team: Team) -> None:
    """Bring a team back from the next round on, with the players who left along with it. Raises Refused."""
    if team.dropped_after is None:
        return
    check_not_over(act.event)
    left, team.dropped_after = team.dropped_after, None
    note(act, "reinstate-team", message("Reinstated the team %(team)s", team=team.name), team=team.id)
    for player in members(act.event.players, team):
        if player.state == PlayerState.DROPPED and player.dropped_after == left:
            reinstate(act, player)
