"""A season: rounds drawn at once, days agreed, dates changed by the desk; players challenged."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from sqlmodel import Session, col, func, select

from events.results.no_shows import mark_absent
from events.rounds.actions import publish_round, start
from events.rounds.drawing import draw_round, draw_scenario, game_row
from events.rounds.formats import MOST_ROUNDS
from events.rounds.inputs import draws_for_each_table
from events.seasons.league_queries import fixture_of
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.journal import check_takes_place, note
from events.store.luck import hidden_seed
from events.store.notices import about_game, notify
from events.store.players import has_place, state_with_place
from events.store.roles import draw_roles
from events.store.rounds import RoundView, ends_of, first_stage, is_unbegun
from events.store.scenarios import scenarios_of
from events.store.tournaments import Loaded, load
from events.tournament.ladder import why_not_challenged
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.season import Arranged, Season, arranged_document, arranged_in
from languages.dates import dated
from languages.message import Text, message
from languages.words import N_, gettext, ngettext
from models.dispatch import Dispatch, Occasion
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.play import Absent, Game, GameState, Player, PlayerState
from validators.scenario import Side


def why_not_drawn_at_once(event: Event, rounds: Iterable[Round]) -> str:
    """Why the rounds cannot be drawn at once, in a sentence; "" where they can."""
    stage = first_stage(event)
    if not stage.by_days or stage.kind != "round_robin":
        return gettext("To draw all rounds at once, choose a season, and round robin as the format, in the settings.")
    return gettext("A play-off is drawn round by round.") if any(round_.bracket for round_ in rounds) else ""


def draw_season(act: Act, seed: int) -> int:
    """Draw and publish every round of a round robin that is not published yet. Returns how many. Raises Refused."""
    rounds = act.event.schedule
    if reason := why_not_drawn_at_once(act.event, rounds):
        raise Refused(reason)
    number = drawn = sum(round_.state == RoundState.PUBLISHED for round_ in rounds)
    while number == drawn or (number < act.event.rounds):
        number += 1
        draw_round(act, number, seed + number)  # the first draw plans the rounds
        publish_round(act, number, sure=True, quiet=number > drawn + 1)
    return number - drawn


def _last_day(s: Session, event: Event, game: Game) -> date:
    """The last day for which an open game can be arranged. Raises Refused."""
    the_round = s.get_one(Round, game.round_id)
    fixture = fixture_of(event, the_round.number, game, event.starts_on)
    if fixture is None or event.state != EventState.IN_PROGRESS:
        raise Refused(gettext("This game is not part of a season in progress."))
    if the_round.state != RoundState.PUBLISHED or not fixture.is_open:
        raise Refused(gettext("This game is decided: there is no day to agree on."))
    return fixture.last


def _check_day(day: date, first: date, last: date, field: str = "day") -> None:
    if day < first:
        raise Refused(gettext("Choose a day from %(first)s on.", first=dated(first, "%-d %B %Y")), field)
    if day > last:
        raise Refused(
            gettext("The season ends on %(last)s: choose a day no later than that.", last=dated(last, "%-d %B %Y")),
            field,
        )


def propose(act: Act, game: Game, side: Side, day: date, today: date) -> None:
    """Propose a day for a game; the same day proposed by both is agreed, and an agreed one holds until then.

    To propose the agreed day again takes back what was proposed instead. Raises Refused.
    """
    _check_day(day, today, _last_day(act.s, act.event, game))
    before = arranged_in(game.arranged)
    if before.agreed and before.day == day:
        return
    agreed = before.kept == day or (before.day == day and before.by not in ("", side))
    kept = None if agreed else before.standing
    game.arranged = arranged_document(replace(before, day=day, by=side, agreed=agreed, kept=kept))
    text = N_("Agreed on %(day)s for %(game)s") if agreed else N_("Proposed %(day)s for %(game)s")
    note(act, "propose-day", message(text, day=day, game=_names(act.s, game)), game=game.id)
    other = game.b_id if side == "a" else game.a_id
    about = about_game("day", game, "agreed" if agreed else "proposed", day, act.now)
    if _recent_days(act, game) < MOST_DAY_NOTICES:
        notify(act.s, Occasion.DAY, about, [other] if other else [], act.now)


MOST_DAY_NOTICES = 6
"""The most notices of days for a game within 24 hours: the page always shows the newest proposal."""


def _recent_days(act: Act, game: Game) -> int:
    of_game = col(Dispatch.about).startswith(f"day {game.id} ")
    since = col(Dispatch.at) > act.now - timedelta(hours=24)
    return act.s.exec(select(func.count()).where(Dispatch.occasion == Occasion.DAY, of_game, since)).one()


def agree_to_day(act: Act, game: Game, side: Side, day: date, today: date) -> None:
    """Agree to the day that the opponent proposed. Raises Refused, and Stale if another day stands now."""
    before = arranged_in(game.arranged)
    if before.day != day or before.by in ("", side):
        raise Stale(gettext("The proposed day was changed meanwhile. Check the new proposal."))
    propose(act, game, side, day, today)


def set_dates(act: Act, game: Game, day: date | None, due: date | None, reason: str) -> None:
    """Set the day of a game, and its last day with a reason; None: none, and the round's. Raises Refused."""
    last = _last_day(act.s, act.event, game)
    before = arranged_in(game.arranged)
    for name, chosen in (("day", day), ("due", due)):
        if chosen is not None:
            _check_day(chosen, act.event.starts_on, last, name)
    if due is not None and not reason:
        raise Refused(gettext("Give the reason: both players read it."), "reason")
    after = replace(before, due=due, reason=reason)
    if day != before.standing:
        answered = before.challenged is not None and before.unanswered is None
        after = replace(after, day=day, by="desk" if day else "", agreed=day is not None, kept=None, accepted=answered)
    if after != before:
        game.arranged = arranged_document(after)
        sentence = message("Changed the dates of %(game)s", game=_names(act.s, game))
        note(act, "reschedule", sentence, game=game.id, reason=reason)
        both = [id_ for id_ in (game.a_id, game.b_id) if id_ is not None]
        for verb, old, new in (("desk", before.standing, day), ("due", before.due, due)):
            if new is not None and new != old:
                notify(act.s, Occasion.DAY, about_game("day", game, verb, new, act.now), both, act.now)


def _names(s: Session, game: Game) -> Text:
    text, other = (s.get_one(Player, id_).name for id_ in (game.a_id, game.b_id) if id_ is not None)
    return message("%(name)s against %(other)s", name=text, other=other)


def challenge_rules(event: Event) -> Season:
    """The rules of a season by challenge. Raises Refused for any other event."""
    season = event.season
    if season is None or not season.by_challenge:
        raise Refused(gettext("Players of this event do not challenge each other."))
    return season


def start_season(act: Act) -> None:
    """Begin the season: lists lock, and players may challenge. Raises Refused."""
    event = act.event
    challenge_rules(event)
    check_takes_place(event)
    if not is_unbegun(event):
        raise Refused(gettext("The season has begun."))
    players = [player for player in event.players if has_place(player)]
    if len(players) < 2:
        raise Refused(gettext("At least two players must be signed up."))
    del event.schedule[1:]  # rounds come with the challenges
    event.rounds = 1
    start(act)
    for player in players:
        player.state = state_with_place(event) if player.state == PlayerState.REGISTERED else player.state
    note(act, "start-season", message("Started the season"))


def challenge_obstacles(loaded: Loaded, player: Player, today: date) -> dict[int, str]:
    """For each other checked-in player why this one cannot challenge them now, "" where that is possible.

    Empty outside the season, and where this player is not checked in.
    """
    event, season = loaded.event, challenge_rules(loaded.event)
    if event.state != EventState.IN_PROGRESS or today > ends_of(event) or player.state != PlayerState.CHECKED_IN:
        return {}
    made, order = loaded.t.challenges(), loaded.t.ladder()
    above = season.above if season.kind == "ladder" else None
    others = [rival for rival in loaded.players if rival.id != player.id and rival.state == PlayerState.CHECKED_IN]
    return {rival.id: str(why_not_challenged(order, made, str(player.id), str(rival.id), above)) for rival in others}


def challenge(act: Act, player: Player, other: Player, today: date) -> Game:
    """Challenge another player: a game arises at once. Raises Refused."""
    s, event = act.s, act.event
    season, loaded = challenge_rules(event), load(event)
    none = gettext("Players who are checked in can challenge each other while the season is being played.")
    if reason := challenge_obstacles(loaded, player, today).get(other.id, none):
        raise Refused(reason)
    the_round = _round_for(s, event, loaded.views, player, other, act.now)
    tables = [game.table_number or 0 for view in loaded.views if view.round is the_round for game in view.games]
    pair, games = sorted((player.id, other.id)), [game for view in loaded.views for game in view.games]
    met = sum(sorted((game.a_id, game.b_id or 0)) == pair for game in games)
    # Nothing public tells it before, and who takes a challenge back and makes it again gets nothing new.
    table_scenario, seed = None, hidden_seed(event, "challenge", *pair, met)
    if draws_for_each_table(event, the_round):
        pool = [scenario for scenario in scenarios_of(event) if scenario in event.scenario_pool]
        table_scenario = random.Random(seed).choice(pool)  # noqa: S311 - the seed is random
    noted = [Note(NoteKind.CHALLENGE)]
    game = game_row(player.id, other.id, max(tables, default=0) + 1, noted, table_scenario)
    game.arranged = arranged_document(Arranged(challenged=today))
    the_round.games.append(game)
    s.flush()  # makes the game's id
    draw_roles(s, event, the_round, seed)
    until = today + timedelta(days=season.answer_days)
    notify(s, Occasion.CHALLENGE, about_game("challenge", game, "made", until, act.now), [other.id], act.now)
    sentence = message("%(name)s challenged %(other)s", name=player.name, other=other.name)
    note(act, "challenge", sentence, game=game.id, player=player.id, seed=seed)
    return game


def _round_for(
    s: Session, event: Event, views: Sequence[RoundView], player: Player, other: Player, now: datetime
) -> Round:
    """The first round in which neither has a game, so that each round holds a player once; else a new one."""
    both = {player.id, other.id}
    for view in views:
        taken = {id_ for game in view.games for id_ in (game.a_id, game.b_id)}
        if view.round.state == RoundState.PUBLISHED and both.isdisjoint(taken):
            return view.round
    round_ = next((view.round for view in views if view.round.state == RoundState.PLANNED), None)
    if round_ is None:
        if len(views) >= MOST_ROUNDS:
            raise Refused(
                ngettext(
                    "A season has at most %(num)s round of challenges, and you have a game in it.",
                    "A season has at most %(num)s rounds of challenges, and you have a game in each.",
                    MOST_ROUNDS,
                )
            )
        round_ = Round(number=len(views) + 1)
        event.schedule.append(round_)
    round_.kind, round_.state, round_.published_at = RoundKind.ROUND_ROBIN, RoundState.PUBLISHED, now
    round_.seed = int(hidden_seed(event, "round", round_.number)[:12], 16)  # as long as other rounds'
    event.rounds = max(event.rounds, round_.number)
    s.flush()  # assigns the round's id
    if (round_.scenario is None or round_.scenario_drawn) and not draws_for_each_table(event, round_):
        others = [view.round.scenario for view in views if view.round is not round_]
        scenarios = [*scenarios_of(event)]
        round_.scenario, round_.scenario_drawn = draw_scenario(event, scenarios, others, round_.kind, round_.seed), True
    return round_


def answer_challenge(act: Act, game: Game, player: Player, *, accept: bool) -> None:
    """Accept a challenge, or decline it, which forfeits the game. Raises Refused."""
    arranged = arranged_in(game.arranged)
    if act.event.state != EventState.IN_PROGRESS or arranged.challenged is None or game.b_id != player.id:
        raise Refused(gettext("Only the challenged player can answer, while the season is in progress."))
    if not arranged.unanswered or game.state != GameState.OPEN:
        raise Refused(gettext("This challenge is answered already."))
    if accept:
        game.arranged = arranged_document(replace(arranged, accepted=True))
    else:
        mark_absent(act.s, act.event, game, Absent.B)
    what, challenger = "accepted" if accept else "declined", act.s.get_one(Player, game.a_id)
    accepted, declined = (
        N_("%(name)s accepted the challenge of %(other)s"),
        N_("%(name)s declined the challenge of %(other)s"),
    )
    sentence = message(accepted if accept else declined, name=player.name, other=challenger.name)
    note(act, "answer-challenge", sentence, game=game.id)
    about = about_game("challenge", game, what, arranged.challenged, act.now)
    notify(act.s, Occasion.CHALLENGE, about, [game.a_id], act.now)
