"""A points table: tournament points by the difference of both sides' victory points. Pure.

A table has steps, each up to a VP difference (the last without a limit), and the points of a draw and of a bye. The
winner's points rise with the difference, the loser's fall, and a draw is between them, so one more VP never costs a
point.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from languages.message import Message, Text, counted_message, joined, message
from languages.words import N_

AS_IN = N_("Write the difference, then the winner’s and the loser’s points, as in “5: 12 8”")
MOST_POINTS, MOST_DIFFERENCE, MOST_STEPS = 100, 9999, 40
OPEN_STEP = "more"
"""The text of the last step, which covers all higher differences."""
LINE = re.compile(
    rf"(?:up to )?(\d{{1,9}}|{OPEN_STEP})(?: ?[:=] ?| )(\d{{1,9}})(?: ?[:,;–-] ?| )(\d{{1,9}})", re.IGNORECASE
)
"""A step as typed, with single spaces."""

EXAMPLES = (1, 5, 10, 20)
"""The differences shown in a preview."""


class Step(NamedTuple):
    """The points of both sides for a win by up to ``up_to`` VP; None: by any higher difference."""

    up_to: int | None
    winner: int
    loser: int


@dataclass(frozen=True)
class PointsTable:
    """The steps by difference, and the points of a draw and of a bye."""

    steps: tuple[Step, ...]
    draw: int
    bye: int

    @property
    def most(self) -> int:
        return self.steps[-1].winner

    @property
    def least(self) -> int:
        return self.steps[-1].loser

    def step(self, difference: int) -> Step:
        """The step of a win by this difference; the first one for a winner who is level or behind in VP."""
        return next(step for step in self.steps if step.up_to is None or difference <= step.up_to)

    def points(self, won: Literal["a", "b", "draw"], a: int, b: int, *, conceded: bool = False) -> tuple[int, int]:
        """The points of A and of B from the winner and both victory points. A concession counts as the widest win."""
        if won == "draw":
            return self.draw, self.draw
        step = self.steps[-1] if conceded else self.step(a - b if won == "a" else b - a)
        return (step.winner, step.loser) if won == "a" else (step.loser, step.winner)


class BadTable(Exception):
    """An invalid table: ``faults`` are pairs of a field ("steps", "draw", "bye") and its error."""

    def __init__(self, *faults: tuple[str, Message]) -> None:
        super().__init__(*faults)
        self.faults = faults


def checked(table: PointsTable) -> PointsTable:
    """The checked table. Raises BadTable with every fault."""
    faults = [("steps", fault) for fault in _step_faults(table.steps)]
    if not faults:
        first, last = table.steps[0], table.steps[-1]
        if not first.loser <= table.draw <= first.winner:
            words = message(
                "Enter %(least)s to %(most)s for a draw: between the closest loss and win.",
                least=first.loser,
                most=first.winner,
            )
            faults.append(("draw", words))
        if not max(1, table.draw) <= table.bye <= last.winner:
            words = message(
                "Enter %(least)s to %(most)s for a bye: between a draw and the widest win.",
                least=max(1, table.draw),
                most=last.winner,
            )
            faults.append(("bye", words))
    if faults:
        raise BadTable(*faults)
    return table


def _step_faults(steps: Sequence[Step]) -> list[Message]:
    if not steps:
        return [message("Enter at least one line. %(as_in)s.", as_in=message(AS_IN))]
    if len(steps) > MOST_STEPS:
        return [counted_message("At most %(num)s line.", "At most %(num)s lines.", MOST_STEPS)]
    faults = []
    for number, step in enumerate(steps, 1):
        last, before = number == len(steps), steps[number - 2] if number > 1 else None
        if max(step.winner, step.loser) > MOST_POINTS:
            faults.append(
                counted_message(
                    "Line %(number)s: enter at most %(num)s point.",
                    "Line %(number)s: enter at most %(num)s points.",
                    MOST_POINTS,
                    number=number,
                )
            )
        if step.winner < step.loser:
            faults.append(message("Line %(number)s: the winner has fewer points than the loser.", number=number))
        if step.up_to is None and not last:
            faults.append(
                message("Line %(number)s: write “%(more)s” only in the last line.", number=number, more=OPEN_STEP)
            )
        if step.up_to is not None and step.up_to > MOST_DIFFERENCE:
            faults.append(
                message("Line %(number)s: enter a difference of at most %(most)s.", number=number, most=MOST_DIFFERENCE)
            )
        if before is None:
            continue
        if step.up_to is not None and before.up_to is not None and step.up_to <= before.up_to:
            faults.append(
                message(
                    "Line %(number)s: the difference must be more than %(before)s, the difference of the line before.",
                    number=number,
                    before=before.up_to,
                )
            )
        if step.winner < before.winner or step.loser > before.loser:
            faults.append(
                message(
                    "Line %(number)s: a wider win must not be worth less to the winner, nor more to the loser.",
                    number=number,
                )
            )
    if steps[-1].up_to is not None:
        faults.append(message("End with a line for all higher differences, as in “%(more)s: 20 0”.", more=OPEN_STEP))
    return faults


def typed_table(lines: str, draw: int, bye: int) -> PointsTable:
    """The table from a form, with one step a line. Raises BadTable with every fault."""
    steps, faults = list[Step](), list[Message]()
    rows = [row for row in (" ".join(line.split()) for line in lines.splitlines()) if row]
    for number, row in enumerate(rows, 1):
        match = LINE.fullmatch(row)
        if match is None:
            as_in = joined([message(AS_IN)], form="in_sentence")
            faults.append(message("Line %(number)s: %(as_in)s.", number=number, as_in=as_in))
            continue
        up_to = None if match[1].lower() == OPEN_STEP else int(match[1])
        steps.append(Step(up_to, int(match[2]), int(match[3])))
    if faults:
        raise BadTable(*(("steps", fault) for fault in faults))
    return checked(PointsTable(tuple(steps), draw, bye))


def as_lines(table: PointsTable) -> str:
    return "\n".join(
        f"{OPEN_STEP if step.up_to is None else step.up_to}: {step.winner} {step.loser}" for step in table.steps
    )


def ranges(table: PointsTable) -> list[tuple[Text, int, int]]:
    """Each step's differences in words, with both sides' points: ("1 to 5", 12, 8); level first."""
    rows, start = list[tuple[Text, int, int]](), 0
    for step in table.steps:
        end = step.up_to
        if end is None:
            words: Text = message("%(n)s or more", n=start)
        else:
            words = str(end) if start == end else message("%(first)s to %(last)s", first=start, last=end)
        rows.append((words, step.winner, step.loser))
        start = start if end is None else end + 1
    return rows


def table_in_words(table: PointsTable) -> Message:
    steps = joined(joined((words, f"VP {winner} : {loser}"), " ") for words, winner, loser in ranges(table))
    return message("A win by %(steps)s; a draw %(n)s : %(n)s.", steps=steps, n=table.draw)


def preview(table: PointsTable) -> list[tuple[int, int, int]]:
    steps = [(difference, table.step(difference)) for difference in EXAMPLES]
    return [(difference, step.winner, step.loser) for difference, step in steps]
