"""What phones sent and were answered, and whether the database can have come to it: nothing lost, doubled, or made up.

Each table is a register of its own: its reports in order, each made with the version before its eyes. A report that was
acknowledged with version v must stand at place v, with its figures; nothing else may stand there. So the only order in
which they can have happened is known, and it must agree with the times at which they were sent and answered.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Lock

from sqlmodel import Session, col, select

from events.journal.invariants import check_invariants, in_lines
from models.db import open_engine
from models.kept_answer import KeptAnswer
from models.play import Report
from tests.chaos.hall import Answer, Browser, Table
from tests.chaos.outcome import Outcome

Figures = Mapping[str, int]
SAVED, REFUSED, UNKNOWN = "saved", "refused", "unknown"


@dataclass
class Sent:
    """One report as a phone sent it, under one key, until it knew what became of it."""

    game_id: int
    side: str
    version: int
    figures: Figures
    key: str
    fields: Mapping[str, str]
    browser: Browser
    began: float = 0.0
    ended: float = 0.0
    state: str = UNKNOWN
    tries: int = 0


@dataclass
class History:
    """All that was sent to one database, and every answer of a page that named a game's version."""

    sent: list[Sent] = field(default_factory=list)
    seen: list[tuple[int, int, float, float]] = field(default_factory=list)
    """A game, the version that its form showed, and when that was asked and answered."""
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def add(self, one: Sent) -> None:
        """Keep what is about to be sent."""
        with self.lock:
            self.sent.append(one)

    def settle(self, one: Sent, port: int, path: str) -> str:
        """Send it, or send it again, and keep what is answered: saved, refused, or unknown."""
        one.began = one.began or time.monotonic()
        one.tries += 1
        try:
            answer = one.browser.post(port, path, one.fields, outbox=True, timeout=30)
        except (OSError, HTTPException):
            answer = None
        one.ended = time.monotonic()
        one.state = self._state(one, answer)
        with self.lock:
            self.counts[one.state] += 1
            if one.tries > 1 and one.state == SAVED:
                self.counts["answered when it was sent again"] += 1
        return one.state

    def _state(self, one: Sent, answer: Answer | None) -> str:
        if answer is None:
            return UNKNOWN
        body = answer.json
        if answer.status == 200 and body.get("state") == "saved" and body.get("key") == one.key:
            return SAVED
        if answer.status in (409, 422) and body.get("state") == "refused" and body.get("key") == one.key:
            return REFUSED
        with self.lock:
            self.counts[f"status {answer.status}"] += 1
            if answer.status not in (503, 507):
                self.wrong.append(f"a phone was answered {answer.status}: {answer.body[:200]}")
            elif "retry-after" not in answer.headers:
                self.wrong.append(f"a phone was answered {answer.status}, without the time to send again")
        return UNKNOWN


def broken_promises(history: History, s: Session, games: Sequence[int]) -> Iterator[str]:
    """G1, G3, I1, I2, I3: what of the history cannot be what the database holds, in words."""
    yield from history.wrong
    stored: dict[int, list[Report]] = defaultdict(list)
    for report in s.exec(select(Report).where(col(Report.game_id).in_(games)).order_by(col(Report.id))):
        stored[report.game_id].append(report)
    keys = Counter(s.exec(select(KeptAnswer.key)))
    by_game: dict[int, list[Sent]] = defaultdict(list)
    for one in history.sent:
        by_game[one.game_id].append(one)
        if one.state == UNKNOWN:
            yield f"{one.key}: nobody knows what became of it"
        if keys[one.key] != (one.state == SAVED):
            yield f"{one.key}: {one.state}, and stored {keys[one.key]} times"
    for game_id in games:
        yield from _of_table(game_id, by_game[game_id], stored[game_id])
        yield from _seen(game_id, by_game[game_id], history)


def _of_table(game_id: int, sent: Sequence[Sent], stored: Sequence[Report]) -> Iterator[str]:
    saved = [one for one in sent if one.state == SAVED]
    at: dict[int, Sent] = {}
    for one in saved:
        if one.version in at:
            yield f"game {game_id}: two reports of version {one.version} were acknowledged"
        at[one.version] = one
    if len(stored) != len(saved):
        yield f"game {game_id}: {len(saved)} reports were acknowledged, {len(stored)} are stored"
    for place, report in enumerate(stored):
        known = at.get(place)
        if known is None:
            yield f"game {game_id}: the report at place {place} was never acknowledged"
        elif (known.side, _figures(known.figures)) != (report.side.value, _figures(report.answers)):
            yield (
                f"game {game_id}: {known.key} was acknowledged at place {place} ({known.side}, {known.figures}), and "
                f"there stands {report.side.value}, {_figures(report.answers)}"
            )
    for place, one in at.items():
        later = at.get(place + 1)
        if later is not None and later.ended < one.began:
            yield f"game {game_id}: version {place + 1} was answered before version {place} was sent"
    for one in sent:
        winner = at.get(one.version)
        if one.state == REFUSED and (winner is None or winner.began > one.ended):
            yield f"game {game_id}: {one.key} was refused, and nobody had reported version {one.version} before"


def _seen(game_id: int, sent: Sequence[Sent], history: History) -> Iterator[str]:
    """What was acknowledged is seen by everybody from then on, and nothing before it was sent."""
    saved = [one for one in sent if one.state == SAVED]
    for game, version, asked, answered in history.seen:
        if game == game_id:
            least = sum(one.ended < asked for one in saved)
            most = sum(one.began < answered for one in saved)
            if not least <= version <= most:
                yield f"game {game_id}: its form showed version {version}, which must be from {least} to {most}"


def _figures(answers: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in answers.items() if value}


def hold_against(history: History, url: str, tables: Iterable[Table], outcome: Outcome) -> None:
    """Open the database that is left, and tell the outcome what neither the history nor the promises allow."""
    engine = open_engine(url)
    with Session(engine) as s:
        outcome.wrong += broken_promises(history, s, [table.game_id for table in tables])
        outcome.wrong += in_lines(check_invariants(s))
    engine.dispose()


def count_reports(history: History, outcome: Outcome) -> None:
    """Tell the outcome how many reports were acknowledged, and what came of all whose fate is known."""
    outcome.counts["acknowledged reports"] = sum(one.state == SAVED for one in history.sent)
    outcome.counts.update({f"reports {name}": n for name, n in history.counts.items() if name != UNKNOWN})
