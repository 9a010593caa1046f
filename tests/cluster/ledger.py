"""What phones saw acknowledged, and whether the database holds exactly that."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import Any

import psycopg

Figures = Mapping[str, int]
Report = tuple[int | None, dict[str, Any]]
"""Whose report, and its figures."""
SAVED, REFUSED, UNKNOWN = "saved", "refused", "unknown"
ROWS = """
SELECT report.id, report.game_id, CASE report.side WHEN 'a' THEN game.a_id WHEN 'b' THEN game.b_id END, report.answers
FROM report JOIN game ON game.id = report.game_id ORDER BY report.id
"""


@dataclass
class Sent:
    """A report with its key, until its phone knows what became of it. Times are of ``time.monotonic``."""

    game: int
    player: int
    key: str
    figures: Figures
    state: str = UNKNOWN
    tries: int = 0
    tried_at: float = 0.0
    """When the last try began."""
    answered_at: float = 0.0


@dataclass(frozen=True)
class Stored:
    """A report as the database holds it."""

    id: int
    game: int
    player: int | None
    figures: Figures


@dataclass
class Ledger:
    """All reports, in the order in which they were first sent."""

    sent: list[Sent] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)
    other_answers: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Answers that said neither saved nor refused, and failed connections, by what they were."""

    def add(self, one: Sent) -> None:
        """Keep a report before it is sent for the first time."""
        with self.lock:
            self.sent.append(one)

    def saved(self) -> list[Sent]:
        """What was acknowledged, by the time of the answer."""
        with self.lock:
            return sorted((one for one in self.sent if one.state == SAVED), key=lambda one: one.answered_at)

    def next_after(self, moment: float) -> Sent | None:
        """The first report that was accepted of those sent (or sent again) after a moment."""
        return next((one for one in self.saved() if one.tried_at > moment), None)

    def longest_pause(self, began: float, ended: float) -> float:
        """The longest time without an accepted report between two moments, in seconds."""
        times = [began, *(one.answered_at for one in self.saved() if began < one.answered_at < ended), ended]
        return max(after - before for before, after in pairwise(times))


def stored_reports(connection: psycopg.Connection[Any]) -> list[Stored]:
    """Every report of the database, in its order."""
    rows = connection.execute(ROWS).fetchall()
    return [Stored(id_, game, player, _figures(answers)) for id_, game, player, answers in rows]


def differences(sent: Sequence[Sent], stored: Sequence[Stored]) -> Iterator[str]:
    """Each acknowledged report that is lost, doubled or out of order, and each stored one that nobody acknowledged."""
    there: dict[int, list[Stored]] = defaultdict(list)
    for row in stored:
        there[row.game].append(row)
    known: dict[int, list[Sent]] = defaultdict(list)
    for one in sent:
        if one.state == UNKNOWN:
            yield f"{one.key}: nobody knows what became of it"
        elif one.state == SAVED:
            known[one.game].append(one)
    for game in sorted({*there, *known}):
        rows: list[Report] = [(row.player, dict(row.figures)) for row in there[game]]
        reports: list[Report] = [(one.player, dict(_figures(one.figures))) for one in known[game]]
        for report in reports:
            count = rows.count(report)
            if count != 1:
                yield f"game {game}: acknowledged {report}, {'lost' if count == 0 else f'stored {count} times'}"
        for found in rows:
            if found not in reports:
                yield f"game {game}: {found} is stored and was never acknowledged"
        if sorted(map(repr, rows)) == sorted(map(repr, reports)) and rows != reports:
            yield f"game {game}: stored in another order than acknowledged"


def _figures(answers: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sorted(answers.items()) if value}
