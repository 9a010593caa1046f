"""What phones sent and were answered, and whether the database can have come to it: nothing lost, doubled, or made up.

Each phone has tables to itself and knows their versions, so nothing may ever be refused: the report that was made with
version v before its eyes stands at place v of its table, with its figures, and nothing else stands anywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Lock

from sqlmodel import Session, col, select

from events.journal.invariants import check_invariants, in_lines
from models.db import open_engine
from models.kept_answer import KeptAnswer
from models.play import Report
from tests.chaos.hall import Answer, Browser, Hall, Table
from tests.chaos.outcome import Outcome

SAVED, REFUSED, UNKNOWN = "saved", "refused", "unknown"


@dataclass
class Sent:
    """One report as a phone sent it, under one key, until it knew what became of it."""

    game_id: int
    side: str
    version: int
    figures: Mapping[str, int]
    key: str
    fields: Mapping[str, str]
    browser: Browser
    state: str = UNKNOWN
    tries: int = 0


@dataclass
class History:
    """All that was sent to one database, and every answer that no phone should get."""

    sent: list[Sent] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def next_report(self, table: Table, version: int) -> Sent:
        """The report after so many, of the two sides in turns; none of the five before it says the same."""
        side = "ab"[version % 2]
        of_a, of_b = version % 6, version // 6 % 6
        key = f"{table.game_id}-{version}-of-this-phone"
        fields = table.report(side, version, of_a, of_b, key)
        figures = {"a.objectives": of_a, "b.objectives": of_b}
        one = Sent(table.game_id, side, version, figures, key, fields, table.a if side == "a" else table.b)
        with self.lock:
            self.sent.append(one)
        return one

    def settle(self, one: Sent, port: int, path: str) -> str:
        """Send it, or send it again, and keep what is answered: saved, refused, or unknown."""
        one.tries += 1
        try:
            answer = one.browser.post(port, path, one.fields, outbox=True, timeout=30)
        except (OSError, HTTPException):
            answer = None
        one.state = self._state(one, answer)
        with self.lock:
            self.counts[f"reports {one.state}"] += one.state != UNKNOWN
            self.counts["answered when it was sent again"] += one.tries > 1 and one.state == SAVED
        return one.state

    def _state(self, one: Sent, answer: Answer | None) -> str:
        if answer is None:
            return UNKNOWN
        body = answer.json
        if body.get("key") == one.key and body.get("state") == SAVED and answer.status == 200:
            return SAVED
        if body.get("key") == one.key and body.get("state") == REFUSED and answer.status in (409, 422):
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
    keys = Counter(s.exec(select(KeptAnswer.key)))
    expected: dict[int, dict[int, Sent]] = defaultdict(dict)
    for one in history.sent:
        expected[one.game_id][one.version] = one
        if one.state != SAVED or keys[one.key] != 1:
            yield f"{one.key}: {one.state}, and stored {keys[one.key]} times"
    stored: dict[int, list[Report]] = defaultdict(list)
    for report in s.exec(select(Report).where(col(Report.game_id).in_(games)).order_by(col(Report.id))):
        stored[report.game_id].append(report)
    for game_id in games:
        if len(stored[game_id]) != len(expected[game_id]):
            yield f"game {game_id}: {len(expected[game_id])} reports were sent, {len(stored[game_id])} are stored"
        for place, report in enumerate(stored[game_id]):
            known = expected[game_id].get(place)
            if known is None or (known.side, _figures(known.figures)) != (report.side.value, _figures(report.answers)):
                yield f"game {game_id}: at place {place} stands {report.side.value}, {_figures(report.answers)}"


def _figures(answers: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in answers.items() if value}


def hold_against(history: History, hall: Hall, outcome: Outcome) -> None:
    """Open the database that is left; the outcome gets what neither the history nor the promises allow."""
    engine = open_engine(hall.url)
    with Session(engine) as s:
        outcome.wrong += broken_promises(history, s, [table.game_id for table in hall.tables])
        outcome.wrong += in_lines(check_invariants(s))
    engine.dispose()
    outcome.counts["acknowledged reports"] = sum(one.state == SAVED for one in history.sent)
    outcome.counts += history.counts
