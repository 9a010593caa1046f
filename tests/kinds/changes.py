"""What can happen in an event: each change as the desk's or a player's forms send it, and where it cannot happen."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from models.event import Round, RoundState
from tests.kinds.moments import CHOICE, KNOCKOUT, OUTCOME, Kind, Moment, simple_answers
from tests.kinds.restored import archived, take_in
from tests.kinds.world import World
from validators.report_detail import A_WINS, B_WINS

BEFORE_LOCK, PUBLISHED, COMPLETE, DRAFT, MID_ROUND, LAST, CLOSED = Moment
Act = Callable[[World], object]


def _act_on(verb: str) -> Act:
    return lambda world: world.send(f"/desk/players/{world.hero.id}/{verb}")


def _leaves_by_own_hand(world: World) -> None:
    world.send("/me/leave", by="player")


def _absent(who: str, **more: str) -> Act:
    def act(world: World) -> None:
        game = world.game
        side = ("a" if world.hero.id == game.a_id else "b") if who == "hero" else who
        world.send(f"/desk/games/{game.id}/absent", version=game.version, who=side, reason="Nobody was there", **more)

    return act


def _nobody_through(world: World) -> None:
    game = world.game
    _absent("both")(world)
    world.send(f"/desk/games/{game.id}/through", version=world.desk.now(game).version, side="nobody")


def _no_show_kept(world: World) -> None:
    _absent("hero")(world)
    world.send(f"/desk/players/{world.hero.id}/keep")


def _ruling(follows: str) -> Act:
    def act(world: World) -> None:
        number = world.desk.one(Round, id=world.game.round_id).number if follows == "game_lost" else 0
        world.send("/desk/rulings", player=world.hero.id, round_number=number, points=-1, vp=0, card="red",
                   follows=follows, sure="y", reason="Threw a die")  # fmt: skip

    return act


def _removal(world: World) -> None:
    world.send("/desk/players/selected/remove", chosen=world.hero.id, sure=1)


def _erasure(world: World) -> None:
    if world.moment != CLOSED:
        world.send(f"/desk/players/{world.hero.id}/drop")
    world.send(f"/desk/players/{world.hero.id}/erase", typed="erase")


def _late_entry(world: World) -> None:
    more = {"w-faction": "", "w-partner": ""}
    more |= (
        {"w-partner": "Nell"} if world.kind.doubles else {"w-team": "Latecomers"} if world.kind.team_size > 1 else {}
    )
    world.send("/desk/players", do="walk-in", **{"w-name": "Nora", "w-here": "y", "w-club": ""} | more)


def _loses_a_member(world: World) -> None:
    """A team puts its last player out on its own page; while it plays a match, the player leaves the event."""
    team = world.team
    ids = [player.id for player in world.players() if player.team_id == team.id]
    seats: dict[str, Any] = {f"b-board{n}": id_ for n, id_ in enumerate([*ids[:-1], 0], 1)}
    if world.rounds(RoundState.DRAWN) or world.is_playing:
        world.send(f"/desk/players/{ids[-1]}/drop")
    else:
        world.send(f"/desk/teams/{team.id}", **seats, **{"do": "boards", "b-captain": "0"})


def _team_leaves(world: World) -> None:
    world.send(f"/desk/teams/{world.team.id}/drop")


def _correction(world: World) -> None:
    """The result of a game of round 1, after its preview: turned round, or where that is no answer, one figure."""
    game, kind = world.decided[0], world.kind
    old = game.answers or {}
    if kind.report == OUTCOME or (simple_answers(kind) and not kind.is_knockout):
        new = {_other(key): TURNED.get(value, value) for key, value in old.items()}
    else:
        key, figure = max((value, key) for key, value in old.items() if isinstance(value, int))[::-1]
        new = old | {key: figure - 1}
    sent = new | {"version": game.version, "ending": "played", "awarded": "", "reason": "Misread", "sure": "y"}
    page = world.send(f"/desk/games/{game.id}", **sent).get_data(as_text=True)
    (mark,) = re.findall(r'name="seen" value="([^"]+)"', page) or [""]
    world.send(f"/desk/games/{game.id}", **sent, seen=mark)


TURNED: Mapping[object, str] = {A_WINS: B_WINS, B_WINS: A_WINS}


def _other(key: str) -> str:
    """The question about the other side."""
    return {"a.": "b.", "b.": "a."}.get(key[:2], key[:2]) + key[2:]


def _taken_back(world: World) -> None:
    game = world.decided[-1]
    world.send(f"/desk/games/{game.id}/open-again", version=game.version, reason="The wrong table")


def _unpublish(*, results: bool) -> Act:
    def act(world: World) -> None:
        number = world.newest.number
        typed = {"typed": f"round {number}"} if results else {}
        world.send(f"/desk/rounds/{number}/unpublish", **typed)

    return act


def _undo(world: World) -> None:
    """The last step of the desk that can be undone; a drop, if there was none."""
    if 'name="step"' not in world.organiser.open(f"{world.at}/desk/undo").response.text:
        world.send(f"/desk/players/{world.hero.id}/drop")
        world.organiser.open(f"{world.at}/desk/undo")
    world.send("/desk/undo", step=str(world.organiser.page.value("step")), typed="undo")


def _restore(world: World) -> None:
    """The state before the oldest of the newest three steps to go back to."""
    page = world.organiser.open(f"{world.at}/desk/ways-back")
    points = re.findall(r"/desk/ways-back/(\d+)", page.response.text)
    world.send(f"/desk/ways-back/{points[:3][-1]}")


def _setting(world: World) -> None:
    """A win counts one point more, or at the end a text changes."""
    if world.moment == CLOSED:
        world.organiser.press("Save", at=f"{world.at}/desk/settings/event", inside="main", description="Thanks")
    else:
        world.organiser.press("Save", at=f"{world.at}/desk/settings/points", inside="main", points_win="4")


def _closed(world: World) -> None:
    world.send("/desk/finish")


def _opened_again(world: World) -> None:
    if world.moment != CLOSED:
        world.send("/desk/finish")
    world.send("/desk/reopen")


def _archive(world: World) -> None:
    """The archive is taken into another club's database, and that event is looked at from here on."""
    take_in(world, archived(world))


def _stand_in(world: World) -> None:
    """A stand-in is entered as a player of their own."""
    _late_entry(world)
    world.send(f"/desk/players/{world.players()[-1].id}/stand-in")


CHANGES: Mapping[str, Act] = {
    "drop": _act_on("drop-later"),
    "drop now": _act_on("drop"),
    "own withdrawal": _leaves_by_own_hand,
    "no-show, kept": _no_show_kept,
    "no-show, dropped": _absent("hero", drops="1"),
    "nobody came": _absent("both"),
    "nobody goes through": _nobody_through,
    "red card": _ruling("game_lost"),
    "disqualification": _ruling("disqualified"),
    "removal": _removal,
    "erasure": _erasure,
    "late entry": _late_entry,
    "ringer": _stand_in,
    "team loses a member": _loses_a_member,
    "team leaves": _team_leaves,
    "correction of an earlier round": _correction,
    "result taken back": _taken_back,
    "round taken back": _unpublish(results=False),
    "round taken back with results": _unpublish(results=True),
    "undo": _undo,
    "restore point": _restore,
    "setting changed": _setting,
    "closed": _closed,
    "opened again": _opened_again,
    "archive out and in": _archive,
}


GROUPS: Mapping[str, str] = {
    "leaving": "drop|drop now|own withdrawal|removal|disqualification|team loses a member|team leaves",
    "not coming": "no-show, kept|no-show, dropped|nobody came|nobody goes through",
    "coming": "late entry|ringer",
    "results": "red card|correction of an earlier round|result taken back",
    "rounds": "round taken back|round taken back with results",
    "going back": "undo|restore point",
    "data": "erasure|archive out and in",
    "settings": "setting changed",
    "end": "closed|opened again",
}
GROUP_OF = {change: group for group, changes in GROUPS.items() for change in changes.split("|")}
"""The groups of changes with the same effect on pages."""


Where = Callable[[Kind, Moment], bool]


def _no_games(kind: Kind, moment: Moment) -> bool:
    return moment == BEFORE_LOCK or (moment == PUBLISHED and kind.boards == CHOICE)


def _no_results(kind: Kind, moment: Moment) -> bool:
    none_yet = moment == MID_ROUND and kind.at_once and kind.players < 4
    return moment in (BEFORE_LOCK, PUBLISHED) or none_yet


def _games_open(kind: Kind, moment: Moment) -> bool:
    open_rounds = kind.at_once and moment == COMPLETE
    return moment in (BEFORE_LOCK, PUBLISHED, DRAFT, MID_ROUND) or open_rounds


NO_DRAFT = "all rounds are drawn at once, or come from challenges"
OVER: dict[str, Where] = {"the event is over: it is opened again first": lambda kind, moment: moment == CLOSED}
NO_GAME = OVER | {"no game is published, or captains still choose": _no_games}
NO_RESULT = OVER | {"no game is decided": _no_results}
NO_TEAMS: dict[str, Where] = {"the event has no teams": lambda kind, moment: kind.team_size == 1}
BY_CHALLENGE: dict[str, Where] = {"rounds are those of challenges": lambda kind, moment: kind.by_challenge}
LEFT_OUT: Mapping[str, Mapping[str, Where]] = {
    "drop": OVER,
    "drop now": OVER,
    "own withdrawal": OVER,
    "no-show, kept": NO_GAME,
    "no-show, dropped": NO_GAME,
    "nobody came": NO_GAME,
    "nobody goes through": NO_GAME | {"the round is none of a knockout": lambda kind, moment: kind.format != KNOCKOUT},
    "red card": NO_GAME,
    "disqualification": OVER,
    "removal": OVER,
    "late entry": OVER,
    "ringer": OVER,
    "erasure": {"a draft is published or discarded first": lambda kind, moment: moment == DRAFT},
    "team loses a member": OVER | NO_TEAMS,
    "team leaves": OVER | NO_TEAMS,
    "correction of an earlier round": NO_RESULT | {
        "the next round depends on who won, and reports say no more": lambda kind, moment: (
            kind.format == KNOCKOUT and kind.report == OUTCOME and moment in (MID_ROUND, LAST)
        ),
    },
    "result taken back": NO_RESULT | {
        "the only game of the newest round is not decided": lambda kind, moment: (
            kind.is_knockout and kind.in_round_2 == 1 and moment == MID_ROUND
        ),
    },
    "undo": {
        "the only step is a drop that cancels a challenge": lambda kind, moment: (
            kind.by_challenge and moment == PUBLISHED
        ),
    },
    "round taken back": OVER | BY_CHALLENGE | {
        "no round is published": lambda kind, moment: moment == BEFORE_LOCK,
        "results are in, or a later round is drawn": lambda kind, moment: (
            moment not in (BEFORE_LOCK, PUBLISHED, CLOSED)
        ),
    },
    "round taken back with results": OVER | BY_CHALLENGE | {
        "no round is published": lambda kind, moment: moment == BEFORE_LOCK,
        "a later round is drawn": lambda kind, moment: moment == DRAFT,
    },
    "restore point": {"there is no step to go back to": lambda kind, moment: moment == BEFORE_LOCK},
    "closed": {
        "a game is open, or a round is drawn": _games_open,
        "the event is closed": lambda kind, moment: moment == CLOSED,
    },
    "opened again": {"the event cannot be closed now": _games_open},
}  # fmt: skip


def why_left_out(change: str, kind: Kind, moment: Moment) -> str:
    """The reason why a combination does not exist; "" if it does."""
    if moment == DRAFT and (kind.at_once or kind.by_challenge):
        return NO_DRAFT
    return next((why for why, where in LEFT_OUT.get(change, {}).items() if where(kind, moment)), "")
