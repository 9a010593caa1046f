"""What is true of an event after every act: small functions that yield a sentence for each breach.

They calculate from the rows, by rules of their own, what pages and the interface say. A truth that cannot be checked,
because what it reads is not where it was, is a breach too.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from events.journal.invariants import check_play
from events.tournament.endings import Ending, NotPlayed
from models.event import EventState, Round, RoundKind, RoundState
from models.play import Game, GameState, PlayerState
from models.settings import AskedBye, EventFormat
from models.team import TeamMatch
from tests.kit.odd_life import Life, players_of
from tests.kit.person import Page

DRAFT = re.compile(r"\b(is drawn|draw again|drawn again|draw round \d+ again|publish round)\b", re.IGNORECASE)
"""Words of a draft; the desk says some of them while there is one."""
Truth = Callable[[Life], Iterator[str]]


def pages_answer(life: Life) -> Iterator[str]:
    """A page that a person can open from their own navigation answers 200; a draft event is found by its desk only.

    No address is a fault of the server.
    """
    secret = life.event.state == EventState.DRAFT
    for name, page in life.seen.items():
        if page.status != (404 if secret and not life.people[name].at_desk else 200):
            yield f"{name}: {page.status} at {page.path}: {page.part('main')[:200]}"
    for link, page in life.opened:
        if page.status not in (200, 429) and (page.status, page.path) != (
            403,
            f"{life.at}/me",
        ):  # a former link, or a copy
            yield f"{link} to {page.path}: {page.status} {page.part('main')[:200]}"
    yield from (f"{page.path}: {page.status}" for page in life.typed if page.status >= 500)
    yield from life.errors


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
    done, games = life.pressed, {row.id: games_of(life, row) for row in rounds_of(life)}
    if done and not done.who.at_desk and DRAFT.search(done.page.text):
        yield f"{done.who.name} reads of a draft after {done.label!r}: {done.page.text[:300]}"
    rows = [(row.state, row.number, row.seed, [game.model_dump() for game in games[row.id]]) for row in rounds_of(life)]
    drafts, rest = (repr([row for row in rows if (row[0] == RoundState.DRAWN) == secret]) for secret in (True, False))
    rest += repr([(row.number, row.kind) for row in rounds_of(life)])  # the plan is public, also that of a cut
    rest += repr([(p.id, p.state, p.name) for p in players_of(life)]) + repr((life.event.state, life.stage.clock()))
    known, life.drafts = life.drafts, (drafts, rest)
    if drafts != "[]" and not life.event.cancelled_at and not DRAFT.search(life.seen["Olga"].text):
        yield f"a round is drawn, and the desk does not say so: {life.seen['Olga'].part('.next')}"
    if known and known[0] != drafts and known[1] == rest:
        for name, page in life.seen.items():
            if life.people[name].at_desk or name not in life.before:
                continue
            old, new = (content(page) for page in (life.before[name], page))
            if old != new:
                yield f"{name} sees that a draft changed: {' '.join(w for w in new.split() if w not in old) or old}"


def places_are_as_said(life: Life) -> Iterator[str]:
    """No place is free while somebody waits; the event's page says how many are taken, and the first get them."""
    done, event, waits = life.pressed, life.event, [p for p in players_of(life) if p.state == PlayerState.WAITING]
    if event.state != EventState.REGISTRATION or event.cancelled_at:
        return
    here = [p.team_id for p in players_of(life) if p.state in (PlayerState.REGISTERED, PlayerState.CHECKED_IN)]
    taken = here.count(None) + event.team_size * len({*here} - {None})
    if waits and event.team_size == 1 and not event.approval and (event.places is None or taken < event.places):
        yield f"{taken} of {event.places} places are taken, and {[player.name for player in waits]} wait"
    page, may_register = life.visitor.open(life.at), life.data()["registration"] == "open"
    bar = page.soup.select_one(".hero-do progress")
    said = bar and (bar["value"], bar["max"])
    if said != (
        (str(min(event.places, taken)), str(event.places)) if may_register and event.places is not None else None
    ):
        yield f"{taken} of {event.places} places are taken, but the page says {said}"
    if done is None or done.who.player is None or done.on.path != f"{life.at}/register" or not done.stored:
        return
    new = next(player for player in players_of(life) if player.id == done.who.player)
    if new.state != PlayerState.WAITING and waits:
        yield f"{new.name} gets a place before {[player.name for player in waits]}, who wait"


def games_have_acts(life: Life) -> Iterator[str]:
    """Every open game has a next act for somebody: the desk is offered one on its page."""
    if life.event.state != EventState.IN_PROGRESS or life.event.cancelled_at:
        return
    games = [game for row in published(life) for game in games_of(life, row) if is_open(game)]
    for game in games[len(life.story) % max(1, len(games)) :][:1]:
        page = Page(life.people["Olga"].person.ask("GET", f"{life.at}/desk/games/{game.id}"))
        if page.status != 200 or not page.soup.select("main form button, main .button"):
            yield f"nobody can act on game {game.id} of round {game.round_id}: {page.part('main')[:200]}"


def desk_counts_alike(life: Life) -> Iterator[str]:
    """The next step, the stages and the board count the same lists and players."""
    page = life.seen["Olga"]
    board = {str(row["id"]): int(row.select(".ready-count")[0].text) for row in page.soup.select(".attention .ready")}
    for part, words, group in (
        (".stages", r"Lists: (\d+) missing", "group-no_list"),
        (".next", r"(\d+) (?:registered )?players? not checked in", "group-not_here"),
    ):
        said = re.search(words, page.part(part)) if life.event.state != EventState.DRAFT else None
        if said and int(said[1]) != board.get(group, 0):
            yield f"{said[0]} in {part}, but {board.get(group, 0)} in {group}"


def event_can_go_on(life: Life) -> Iterator[str]:
    """Until the event is over, the desk names a next step, with a way to it, and does not offer to end too early."""
    page = life.seen["Olga"]
    if page.status == 200 and not life.event.cancelled_at and life.event.state != EventState.FINISHED:
        if not page.soup.select(".next-ways a, .next-ways button"):
            yield f"the desk names no next step: {page.part('.next')}"
        ends = page.soup.select(f'.next form[action="{life.at}/desk/finish"]')
        if ends and any(is_open(game) for row in published(life) for game in games_of(life, row)):
            yield f"the desk offers to close an event with open games: {page.part('.next')}"


def ends_are_true(life: Life) -> Iterator[str]:
    """The interface and pages call a round complete, and the event over, when that is true, and only then."""
    event = life.event
    if event.state == EventState.DRAFT:
        return
    if (state := life.data()["state"]) != event.state:
        yield f"the interface says {state}, but the event is {event.state}"
    complete = {row.number: is_complete(life, row) for row in rounds_of(life)}
    said = {item["number"]: item["complete"] for item in life.data("/rounds")["items"]}
    if said != complete:
        yield f"the interface says of complete rounds {said}, but games say {complete}"
    for name, page in life.seen.items():
        for number in re.findall(r"Round (\d+) is complete", page.text):
            if not complete.get(int(number)):
                yield f"{name} reads that round {number} is complete, but rounds are complete so far: {complete}"


def own_pages_are_true(life: Life) -> Iterator[str]:
    """A player's page says when the event is over, and between rounds that another follows; but not to who left."""
    event, newest = life.event, next(reversed(published(life)), None)
    is_plain = event.format == EventFormat.SWISS and event.season is None and event.team_size == 1 and not event.cut
    between = newest is not None and is_complete(life, newest) and rounds_of(life)[-1] != newest
    games = games_of(life, newest) if newest is not None and is_plain and between else []
    playing = {id_ for game in games for id_ in (game.a_id, game.b_id)}
    for player in players_of(life):
        own = life.seen.get(player.name)
        if own is None or event.cancelled_at or own.path != f"{life.at}/me":
            continue
        is_over = event.state == EventState.FINISHED
        if bool(re.search("is over|You came", own.part("h1"))) != is_over:
            yield f"{player.name} reads {own.part('h1')!r}, and the event is {event.state}"
        promised = "The next round is shown here" in own.text
        if promised and player.state == PlayerState.DROPPED:
            yield f"{player.name}, who left, reads of a next round: {own.text[:200]}"
        complete = newest is not None and f"Round {newest.number} is complete" in own.text
        is_here = player.id in playing and player.state == PlayerState.CHECKED_IN and not is_over
        if is_here and not (complete and promised):
            yield f"{player.name}, who plays on after round {newest and newest.number}, reads: {own.part('main')[:200]}"


def totals_add_up(life: Life) -> Iterator[str]:
    """Points in the standings are those of games, byes and rulings, added up a second time."""
    event, points = life.event, dict[int, int]()
    plain = event.format != EventFormat.KNOCKOUT and event.season is None and event.points_table is None
    more = event.late_points or event.painting_points or event.soft_rules or event.restrictions
    if not plain or event.team_size > 1 or more or event.state == EventState.DRAFT:
        return
    worth = {"win": event.points_win, "draw": event.points_draw, "loss": event.points_loss, "nothing": 0}
    results = {item["id"]: item["result"] for item in life.data("/results")["items"]}
    for row in published(life):
        if row.kind == RoundKind.KNOCKOUT or not is_complete(life, row):
            break
        for game in games_of(life, row):
            for id_, how in outcomes(game, results[game.id], event.asked_bye, event.not_played):
                points[id_] = points.get(id_, 0) + worth[how]
    for ruling in event.rulings:
        if ruling.taken_back_at is None and ruling.loses_game:
            return
        points[ruling.player_id] = points.get(ruling.player_id, 0) + ruling.points * (ruling.taken_back_at is None)
    for item in life.data("/standings")["items"]:
        if item["points"] != points.get(int(item["id"]), 0) and not item["disqualified"]:
            yield f"{item['name']} has {item['points']} points, but {points.get(int(item['id']), 0)} by games"


def everybody_has_a_place(life: Life) -> Iterator[str]:
    """Everybody who was drawn into a complete round has one row in the standings, and places follow each other."""
    if life.event.state == EventState.DRAFT:
        return
    items, drawn = life.data("/standings")["items"], set[str]()
    stand_ins = {player.id for player in players_of(life) if player.ringer}
    for row in published(life):
        if not is_complete(life, row):
            break
        if life.event.team_size > 1:
            drawn |= {f"t{id_}" for match in matches_of(life, row) for id_ in (match.a_id, match.b_id) if id_}
        else:
            drawn |= {str(id_) for game in games_of(life, row) for id_ in {game.a_id, game.b_id} - stand_ins if id_}
    ids, ranks = [item["id"] for item in items], [item["rank"] for item in items if item["rank"] is not None]
    if missing := drawn - {*ids}:
        yield f"no row in the standings for {sorted(missing)}, only for {ids}"
    if len({*ids}) < len(ids) or ranks != sorted(ranks) or ranks[:1] not in ([], [1]):
        yield f"the standings have {ids} in places {ranks}"


def rows_are_consistent(life: Life) -> Iterator[str]:
    """Rounds, games and places agree, and the ledger of each group has its balance: its points come from its steps."""
    for promise, what in check_play(life.stage.s, life.event):
        yield f"{promise}: {what}"


TRUTHS: tuple[Truth, ...] = (
    pages_answer, presses_answer, drafts_are_secret, places_are_as_said, games_have_acts, desk_counts_alike,
    event_can_go_on, ends_are_true, own_pages_are_true, totals_add_up, everybody_has_a_place, rows_are_consistent,
)  # fmt: skip


def falsehoods(life: Life) -> Iterator[str]:
    """Some look at their pages; every breach of a truth."""
    life.look()
    for truth in TRUTHS:
        yield from truth(life)
    life.pressed, life.opened, life.typed = None, [], []


def content(page: Page) -> str:
    """What a page says to its reader, without its foot, which says when it was made."""
    main = page.soup.select_one("main")
    assert main is not None, page.path
    return page.part("header") + page.part("nav") + main.get_text(" ")


def completed(life: Life) -> int:
    return sum(is_complete(life, row) for row in rounds_of(life))


def rounds_of(life: Life) -> list[Round]:
    return sorted(life.stage.all(Round, event_id=life.event_id), key=lambda row: row.number)


def published(life: Life) -> list[Round]:
    return [row for row in rounds_of(life) if row.state == RoundState.PUBLISHED]


def games_of(life: Life, row: Round) -> list[Game]:
    return [*life.stage.all(Game, round_id=row.id)]


def matches_of(life: Life, row: Round) -> list[TeamMatch]:
    return [*life.stage.all(TeamMatch, round_id=row.id)]


def is_open(game: Game) -> bool:
    return game.b_id is not None and game.absent is None and game.state != GameState.CONFIRMED


def is_complete(life: Life, row: Round) -> bool:
    """Whether a round is published, all boards are chosen, every game is decided, and in a knockout has a winner."""
    games, chosen = games_of(life, row), all(match.matched_at for match in matches_of(life, row))
    complete = row.state == RoundState.PUBLISHED and chosen and not any(map(is_open, games))
    if not complete or row.kind != RoundKind.KNOCKOUT:
        return complete
    results = {item["id"]: item["result"] for item in life.data("/results")["items"]}
    drawn = [game for game in games if game.b_id is not None and results[game.id]["winner"] not in ("a", "b")]
    return all(game.goes_through is not None for game in drawn)


def outcomes(
    game: Game, result: Mapping[str, Any] | None, asked: AskedBye, not_played: NotPlayed
) -> Iterator[tuple[int, str]]:
    """Each player of a decided game with their outcome."""
    if game.b_id is None or result is None:
        yield game.a_id, asked.value if game.asked else "win"
        return
    for id_, side, other in ((game.a_id, "a", "b"), (game.b_id, "b", "a")):
        if game.absent is not None:
            yield id_, "win" if game.absent.value == other else "loss"
        elif game.ending == Ending.NOT_PLAYED:
            yield id_, not_played.value
        else:
            yield id_, {side: "win", other: "loss"}.get(str(result["winner"]), "draw")
