"""What is true of an event after every act: small functions that yield a sentence for each breach.

They calculate from the rows, by rules of their own, what the pages say.
"""

import re
from collections.abc import Callable, Iterator

from events.journal.invariants import check_play
from events.play.outcomes import lone_board
from events.play.rounds import RoundView, round_views
from models.event import EventState, RoundState
from models.play import Absent, Game, GameState, Player, PlayerState
from models.settings import AskedBye, EventFormat
from tests.kit.odd_life import Life

PRINTED = re.compile(r"printed [-\d]+ [\d:]+ UTC")
"""The time of a public page, which is kept for some minutes."""
Truth = Callable[[Life], Iterator[str]]


def pages_answer(life: Life) -> Iterator[str]:
    """A page that a person can open from their own navigation answers 200; a draft event is found by its desk only."""
    secret = life.event.state == EventState.DRAFT
    for name, page in life.seen.items():
        if page.status != (404 if secret and not life.people[name].at_desk else 200):
            yield f"{name}: {page.status} at {page.path}: {page.part('main')[:200]}"
    for link, page in life.opened:
        if page.status not in (200, 429):
            yield f"{link} to {page.path}: {page.status} {page.part('main')[:200]}"


def presses_answer(life: Life) -> Iterator[str]:
    """A person who presses an offered button succeeds, or reads a reason on the page of its form."""
    if (done := life.pressed) is None:
        return
    if done.page.status not in (200, 429) and done.page.soup.select_one(".fault"):
        yield f"{done.who.name} pressed {done.label!r}: {done.page.status} {done.page.part('.fault')[:200]}"
    elif done.stored or "preview" in done.label.lower() or done.page.soup.select_one(".errors, .error"):
        return
    elif done.page.text == done.on.text:
        yield f"{done.who.name} pressed {done.label!r} on {done.on.path}: nothing is stored, nothing said"


def drafts_are_secret(life: Life) -> Iterator[str]:
    """Only the desk learns of a draft: a change of drafts alone changes no other page, and no answer names it."""
    done = life.pressed
    if done and not done.who.at_desk and re.search(r"\b(is drawn|draft|draw again|drawn again)\b", done.page.text):
        yield f"{done.who.name} reads of a draft after {done.label!r}: {done.page.text[:300]}"
    views = round_views(life.stage.s, life.event)
    told = [(v.round.state, v.round.number, v.round.seed, [game.model_dump() for game in v.games]) for v in views]
    drafts, rest = (repr([one for one in told if (one[0] == RoundState.DRAWN) == secret]) for secret in (True, False))
    rest += repr([(p.id, p.state, p.name) for p in players_of(life)]) + repr((life.event.state, life.stage.clock()))
    known, life.drafts = life.drafts, (drafts, rest)
    if known and known[0] != drafts and known[1] == rest:
        for name, page in life.seen.items():
            if life.people[name].at_desk or name not in life.before:
                continue
            old, new = (PRINTED.sub("", one.text) for one in (life.before[name], page))
            if old != new:
                yield f"{name} sees that a draft changed: {' '.join(w for w in new.split() if w not in old) or old}"


def places_are_as_said(life: Life) -> Iterator[str]:
    """No place is free while somebody waits; the event's page says what the next sign-up gets, and after whom."""
    done, event, waits = life.pressed, life.event, [p for p in players_of(life) if p.state == PlayerState.WAITING]
    if waits and not event.approval and event.state == EventState.REGISTRATION:
        taken = sum(p.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN) for p in players_of(life))
        if event.places is None or taken < event.places:
            yield f"{taken} of {event.places} places are taken, and {[p.name for p in waits]} wait"
    page = life.before.get(done.who.name) if done else None
    if done is None or done.who.player is None or page is None or page.path != life.at or done.label != "Register":
        return
    new = next(p for p in players_of(life) if p.id == done.who.player)
    left = re.search(r"(\d+) places left", page.text)
    promised = not event.approval and (left is None or left[1] != "0")
    if (new.state == PlayerState.WAITING) == promised:
        yield f"{new.name} was promised {left and left[0]}, and is {new.state.value}"
    if new.state != PlayerState.WAITING and waits and event.state == EventState.REGISTRATION:
        yield f"{new.name} gets a place before {[p.name for p in waits]}, who wait"


def games_have_acts(life: Life) -> Iterator[str]:
    """Every open game has a next act for somebody: the desk is offered one on its page."""
    if life.event.state != EventState.IN_PROGRESS or life.event.cancelled_at:
        return
    games = [game for view in published(life) for game in view.games if is_open(game)]
    for game in games[len(life.story) % max(1, len(games)) :][:1]:
        desk = life.people["Olga"].person
        page = desk.open(f"{life.at}/desk/games/{game.id}")
        if page.status != 200 or not page.soup.select("main form button, main .button"):
            yield f"nobody can act on game {game.id} of round {game.round_id}: {page.part('main')[:200]}"


def event_can_go_on(life: Life) -> Iterator[str]:
    """Until the event is over, the desk names a next step, with a way to it, and does not offer to end too early."""
    page = life.seen["Olga"]
    if page.status == 200 and not life.event.cancelled_at and life.event.state != EventState.FINISHED:
        if not page.soup.select(".next-ways a, .next-ways button"):
            yield f"the desk names no next step: {page.part('.next')}"
        ends = re.search("Close the (event|season|campaign)", page.part(".next"))
        if ends and any(is_open(g) for v in published(life) for g in v.games):
            yield f"the desk offers to close an event with open games: {page.part('.next')}"


def ends_are_true(life: Life) -> Iterator[str]:
    """Pages call a round, all rounds, the last round or an event complete or over only when that is true."""
    views = round_views(life.stage.s, life.event)
    shown = {v.round.number: v.round.state == RoundState.PUBLISHED and not any(map(is_open, v.games)) for v in views}
    claims = {
        "All rounds are complete|That was the last round": all(shown.values()),
        "(event|season) is over": life.event.state == EventState.FINISHED,
        "No game is open": not any(is_open(game) for view in published(life) for game in view.games),
    }
    for name, page in life.seen.items() if life.event.state != EventState.DRAFT else ():
        claims |= {
            f"Round {n} is complete": bool(shown.get(int(n))) for n in re.findall(r"Round (\d+) is c", page.text)
        }
        claims |= {
            f"from round {n}": int(n) <= max(len(views), life.event.rounds)
            for n in re.findall(r"from round (\d+)", page.text)
        }
        for claim in (one for one, true in claims.items() if not true and re.search(one, page.text)):
            yield f"{name} reads {claim!r}, but rounds are complete so far: {shown}"
    for player in players_of(life):
        own = life.seen.get(player.name)
        if player.state == PlayerState.DROPPED and own and "next round" in own.text.lower():
            yield f"{player.name}, who left, reads of a next round: {own.text[:200]}"


def totals_add_up(life: Life) -> Iterator[str]:
    """Points in the standings are those of games, byes and rulings, added up a second time."""
    event, points = life.event, dict[int, int]()
    plain = event.format == EventFormat.SWISS and event.season is None and event.points_table is None
    if not plain or event.cut or event.team_size > 1 or event.late_points or event.painting_points:
        return
    worth = {"win": event.points_win, "draw": event.points_draw, "loss": event.points_loss}
    worth |= {AskedBye.WIN: worth["win"], AskedBye.DRAW: worth["draw"], AskedBye.LOSS: worth["loss"]}
    for view in published(life):
        if any(map(is_open, view.games)):
            break
        for game in view.games:
            for id_, how in outcomes(life, view, game):
                points[id_] = points.get(id_, 0) + worth[event.asked_bye if how == "asked" else how]
    for ruling in event.rulings:
        if ruling.taken_back_at is None and ruling.loses_game:
            return
        points[ruling.player_id] = points.get(ruling.player_id, 0) + ruling.points * (ruling.taken_back_at is None)
    for row in life.stage.standings(event):
        if row.points != points.get(int(row.id), 0) and not row.disqualified:
            yield f"{row.name} has {row.points} points, but {points.get(int(row.id), 0)} by games: {row.how['points']}"


def rows_are_consistent(life: Life) -> Iterator[str]:
    """Rounds, games and places agree, and the ledger of each group has its balance: its points come from its steps."""
    for promise, what in check_play(life.stage.s, life.event):
        yield f"{promise}: {what}"


TRUTHS: tuple[Truth, ...] = (
    pages_answer, presses_answer, drafts_are_secret, places_are_as_said, games_have_acts, event_can_go_on,
    ends_are_true, totals_add_up, rows_are_consistent,
)  # fmt: skip


def falsehoods(life: Life) -> Iterator[str]:
    """Some look at their pages; every breach of a truth."""
    life.look()
    for truth in TRUTHS:
        yield from truth(life)
    life.pressed, life.opened = None, []


def players_of(life: Life) -> list[Player]:
    return [*life.stage.all(Player, event_id=life.event.id)]


def published(life: Life) -> list[RoundView]:
    return [view for view in round_views(life.stage.s, life.event) if view.round.state == RoundState.PUBLISHED]


def is_open(game: Game) -> bool:
    return game.b_id is not None and game.absent is None and game.state != GameState.CONFIRMED


def outcomes(life: Life, view: RoundView, game: Game) -> Iterator[tuple[int, str]]:
    """Each player of a decided game with their outcome."""
    if game.b_id is None:
        yield game.a_id, "asked" if game.asked else "win"
    elif game.absent is not None:
        missing = {Absent.A: "a", Absent.B: "b"}.get(game.absent, "ab")
        yield game.a_id, "loss" if "a" in missing else "win"
        yield game.b_id, "loss" if "b" in missing else "win"
    else:
        won = lone_board(life.event, view.round.number, view.scenario_at(game), game).winner
        yield game.a_id, {"a": "win", "b": "loss"}.get(str(won), "draw")
        yield game.b_id, {"b": "win", "a": "loss"}.get(str(won), "draw")
