"""The actions that the harnesses interrupt or run concurrently: one request each, from a prepared state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Flask
from sqlalchemy import Engine
from sqlmodel import Session, select

from app import attach_database
from events.results.corrections import correction_mark
from events.rounds import actions as rounds_actions
from models.event import Event, Round, RoundState
from models.play import Game, GameState, Player, PlayerState, Report, ReportSide
from models.settings import ListsShown
from service.settings import Settings
from tests.chaos.hall import Browser, browser_of, player_browser, report_form, staff_browser, staged
from tests.chaos.outcome import Lab
from tests.chaos.serving import SECRET
from tests.conftest import Clock

PLAYERS = 6
STATES = ("entered", "drawn", "published", "reported", "confirmed")
CORRECTED = {f"{side}.r{number}": 0 for side in "ab" for number in range(2, 7)} | {"a.objectives": 1, "b.objectives": 3}
"""The figures of a correction, all of them, as a form sends them."""
LONG_AGO = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Scene:
    """An event of six players in a prepared state, with browsers of the organiser and of the players at table 1."""

    slug: str
    olga: Browser
    a: Browser
    b: Browser
    ids: Mapping[str, int]
    """Ids: the ``game`` at table 1, its players ``a`` and ``b``, an ``other`` player, and a ``late`` one."""
    seen: str
    """The field ``seen`` of the previewed correction; "" unless the game is confirmed."""


def prepared(url: str, state: str) -> Scene:
    """Create the event in an empty, migrated database, in one of STATES."""
    upto = STATES.index(state)
    with staged(url, LONG_AGO) as stage:
        olga = staff_browser(stage.set_up("Olga"))
        event = stage.event(scenarios=("hold-the-line", "", ""), list_deadline=None, places=PLAYERS + 2,
                            lists_shown=ListsShown.AFTER_EVENT)  # fmt: skip
        people = stage.enter(event, *(f"Player {n}" for n in range(1, PLAYERS + 1)))
        (late,) = stage.enter(event, "Late Larry", here=False)
        ids = {"a": people[0].id, "b": people[1].id, "other": people[2].id, "game": 0, "late": late.id}
        seen = ""
        if upto >= STATES.index("drawn"):
            stage.draw(event, 1)
        if upto >= STATES.index("published"):
            stage.do(event, rounds_actions.publish_round, 1)
            game = stage.games(event, 1)[0]
            rest = next(p.id for p in people if p.id not in (game.a_id, game.b_id))
            ids |= {"a": game.a_id, "b": game.b_id or 0, "other": rest, "game": game.id}
        for side in (ReportSide.A, ReportSide.B)[: max(0, upto - STATES.index("published"))]:
            stage.report(event, game, side, {"a.objectives": 3, "b.objectives": 1}, by=side.value)
        if state == "confirmed":
            seen = correction_mark(stage.now(game), CORRECTED)
        browsers = {id_: player_browser(stage.one(Player, id=id_)) for id_ in (ids["a"], ids["b"])}
        return Scene(event.slug, olga, browsers[ids["a"]], browsers[ids["b"]], ids, seen)


Sends = Callable[[Scene], tuple[Browser, str, Mapping[str, str]]]
"""Returns the browser, path and fields of a request."""
Done = Callable[[Session, Scene], bool]
"""Whether the database holds the result of the action."""


@dataclass(frozen=True)
class Act:
    state: str
    sends: Sends
    done: Done

    def press(self, pages: Flask, scene: Scene) -> int:
        """Send the request to ``pages``; returns the status."""
        browser, path, fields = self.sends(scene)
        client = pages.test_client()
        client.set_cookie("overseer", browser.cookie)
        return client.post(path, data=dict(fields) | {"csrf_token": browser.token}).status_code


def served(pages: Flask, lab: Lab, url: str, engine: Engine) -> None:
    """Let ``pages`` serve this database in this process."""
    attach_database(pages, Settings(lab.data, url, SECRET, "127.0.0.1", 8000), engine, Clock(LONG_AGO))


def _desk(path: str, **fields: str) -> Sends:
    return lambda scene: (scene.olga, f"/e/{scene.slug}/desk/{path.format(**scene.ids)}", fields)


def _report(side: str, of_a: int, of_b: int, version: int = 0, do: str = "report") -> Sends:
    def sends(scene: Scene) -> tuple[Browser, str, Mapping[str, str]]:
        key = f"key-of-one-press-by-{side}"
        fields = report_form(scene.ids["game"], scene.ids[side], key, version, of_a, of_b) | {"do": do}
        browser = scene.a if side == "a" else scene.b
        return browser, f"/e/{scene.slug}/me/game", dict.fromkeys(CORRECTED, "0") | fields

    return sends


def _decision(version: int, reason: str = "") -> Sends:
    def sends(scene: Scene) -> tuple[Browser, str, Mapping[str, str]]:
        fields = {key: str(value) for key, value in CORRECTED.items()} | {
            "version": str(version), "sure": "y", "ending": "played", "awarded": "", "reason": reason,
            "seen": scene.seen,
        }  # fmt: skip
        return scene.olga, f"/e/{scene.slug}/desk/games/{scene.ids['game']}", fields

    return sends


def _round(state: RoundState, games: int) -> Done:
    def done(s: Session, scene: Scene) -> bool:
        found = s.exec(select(Round).where(Round.number == 1)).one()
        return found.state == state and len(s.exec(select(Game)).all()) == games

    return done


def _reports(count: int, state: GameState) -> Done:
    def done(s: Session, scene: Scene) -> bool:
        game = s.get_one(Game, scene.ids["game"])
        reports = s.exec(select(Report).where(Report.game_id == game.id)).all()
        return (len(reports), game.state, game.version) == (count, state, count)

    return done


def _player(which: str, state: PlayerState) -> Done:
    return lambda s, scene: s.get_one(Player, scene.ids[which]).state == state


def _stands(s: Session, scene: Scene) -> bool:
    game = s.get_one(Game, scene.ids["game"])
    return game.state == GameState.CONFIRMED and (game.answers or {}).get("b.objectives") == 3


def _signs_up(name: str) -> Sends:
    fields = {"name": name, "club": "", "faction": ""}
    return lambda scene: (browser_of({}), f"/e/{scene.slug}/register", fields)


def _signed_up(s: Session, scene: Scene) -> bool:
    return len(s.exec(select(Player).where(Player.name == "Nora New")).all()) == 1


def _shown(s: Session, scene: Scene) -> bool:
    return s.exec(select(Event)).one().lists_revealed_at is not None


ACTS: dict[str, Act] = {
    "pair": Act("entered", _desk("rounds/1/draw"), _round(RoundState.DRAWN, PLAYERS // 2)),
    "discard": Act("drawn", _desk("rounds/1/discard"), _round(RoundState.PLANNED, 0)),
    "publish": Act("drawn", _desk("rounds/1/publish"), _round(RoundState.PUBLISHED, PLAYERS // 2)),
    "take back": Act("published", _desk("rounds/1/unpublish"), _round(RoundState.DRAWN, PLAYERS // 2)),
    "report": Act("published", _report("a", 3, 1), _reports(1, GameState.REPORTED)),
    "confirm": Act("reported", _report("b", 3, 1, 1, "agree-a"), _reports(2, GameState.CONFIRMED)),
    "dispute": Act("reported", _report("b", 1, 3, 1), _reports(2, GameState.DISPUTED)),
    "decide": Act("reported", _decision(1), _stands),
    "correct": Act("confirmed", _decision(2, "The sheet says so."), _stands),
    "drop": Act("entered", _desk("players/{other}/drop"), _player("other", PlayerState.DROPPED)),
    "sign up": Act("entered", _signs_up("Nora New"), _signed_up),
    "lock": Act(
        "entered", _desk("lists", do="lock"), lambda s, scene: s.exec(select(Event)).one().lists_locked_at is not None
    ),
    "reveal": Act("published", _desk("lists", do="reveal"), _shown),
    # Actions that run at the same time as others.
    "report of b": Act("published", _report("b", 1, 3), _reports(1, GameState.REPORTED)),
    "decide at once": Act("published", _decision(0), _stands),
    "check in": Act("entered", _desk("players/{late}/check-in"), _player("late", PlayerState.CHECKED_IN)),
    "sign up of another": Act("entered", _signs_up("Otto Other"), _signed_up),
    "reveal at once": Act("entered", _desk("lists", do="reveal"), _shown),
}
ALONE = tuple(name for name, act in ACTS.items() if name not in ("sign up of another", "reveal at once"))
"""The actions that are also run alone."""
