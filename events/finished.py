"""Finished answers, kept by each process: what was rendered once for everybody is sent to everybody as it is.

An answer is kept under its whole address with the state of its event. It is sent only while that state stands and
no moment has passed at which time alone changes it, so it is never old; which visitors it may be sent to is for the
caller to say (``events.views.finished``). One that is made anew again and again, as while a whole hall reports, rests a
quarter of a second each time where the caller says that nothing changed that somebody waits for.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from threading import Lock
from time import monotonic
from typing import TypeVar

MOST_BYTES = 32_000_000
MOST_ANSWERS = 400
"""Bounds of one process: the answer that was asked for the longest ago goes first."""

OFTEN, WITHIN, REST = 4, 1.0, 0.25
"""What was made so often within so many seconds rests for so many, each time."""

Other = TypeVar("Other")


@dataclass(frozen=True)
class Finished:
    """An answer as it is sent: packed once, for every visitor alike."""

    state: str
    """Of the event, read before the answer was made: what it shows is never older than that."""
    version: int
    """The event's, of that state."""
    until: datetime | None
    """From this moment on it is not sent any more."""
    mark: str
    mimetype: str
    packed: bytes
    """Its text in gzip."""


class _Kept:
    """An answer on the shelf."""

    def __init__(self, begun: int, answer: Finished, before: "_Kept | None", rest: float) -> None:
        self.begun, self.answer = begun, answer
        self.made: deque[float] = deque(before.made if before else (), maxlen=OFTEN)
        self.made.append(monotonic())
        self.rest = rest
        self.passes: set[str] = set()
        """Other states of the event while it rests, for which it will do."""

    def rests(self) -> bool:
        at = monotonic()
        return len(self.made) == OFTEN and self.made[0] > at - max(WITHIN, self.rest) and self.made[-1] > at - self.rest


class _Making:
    """One address that is being made: whoever wants it holds the lock, or waits for it."""

    def __init__(self) -> None:
        self.lock, self.wanted = Lock(), 0


class Shelf:
    """The finished answers of one process, by address; used by all of its threads."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_answers: int = MOST_ANSWERS, rest: float = REST) -> None:
        """An empty shelf with room for so much; ``rest`` in seconds."""
        self._most_bytes, self._most_answers, self._rest = most_bytes, most_answers, rest
        self._answers: OrderedDict[str, _Kept] = OrderedDict()
        self._turns = count(1)
        self._bytes = 0
        self._lock = Lock()
        self._making: dict[str, _Making] = {}

    def turn(self) -> int:
        """A number above all before it, to be taken before the state is read that an answer is asked with."""
        return next(self._turns)

    def get(self, address: str, state: str, now: datetime, turn: int) -> Finished | None:
        """The answer of an address, if it is of this state of the event or was begun after this turn, and in time."""
        with self._lock:
            kept = self._answers.get(address)
            if kept is None or (kept.answer.until is not None and now >= kept.answer.until):
                return None
            as_it_is = kept.answer.state == state or kept.begun >= turn
            if not as_it_is and not (state in kept.passes and kept.rests()):
                return None
            self._answers.move_to_end(address)
            return kept.answer

    def _good(
        self, address: str, state: str, now: datetime, turn: int, passes: Callable[[Finished], bool]
    ) -> Finished | None:
        """The answer of an address as ``get`` gives it, or one that rests and ``passes``."""
        found = self.get(address, state, now, turn)
        if found is not None:
            return found
        with self._lock:
            kept = self._answers.get(address)
        if kept is None or not kept.rests() or not passes(kept.answer):
            return None
        kept.passes.add(state)
        return self.get(address, state, now, turn)

    def get_or_make(
        self,
        address: str,
        state: str,
        now: datetime,
        turn: int,
        make: Callable[[], Finished | Other],
        passes: Callable[[Finished], bool] = lambda _: False,
    ) -> Finished | Other:
        """The answer of an address; where none is good any more, ``make`` it, while others who ask wait for it.

        ``make`` is run once at a time for one address. What it gives that is not ``Finished`` is passed on, not kept.
        Whoever read the state a moment before it changed takes the newer answer, and does not make an older one of it.
        ``passes`` says of an answer that rests whether it will do for this state too.
        """
        found = self._good(address, state, now, turn, passes)
        if found is not None:
            return found
        with self._lock:
            making = self._making.setdefault(address, _Making())
            making.wanted += 1
        try:
            with making.lock:
                found = self._good(address, state, now, turn, passes)
                if found is not None:
                    return found
                begun, made = self.turn(), make()
                if isinstance(made, Finished):
                    self._put(address, begun, made)
                return made
        finally:
            with self._lock:
                making.wanted -= 1  # a lock that is free for a moment may be one that others are just waking up to
                if not making.wanted:
                    del self._making[address]

    def _put(self, address: str, begun: int, answer: Finished) -> None:
        with self._lock:
            before = self._answers.pop(address, None)
            self._bytes += len(answer.packed) - (len(before.answer.packed) if before else 0)
            self._answers[address] = _Kept(begun, answer, before, self._rest)
            while self._answers and (self._bytes > self._most_bytes or len(self._answers) > self._most_answers):
                _, gone = self._answers.popitem(last=False)
                self._bytes -= len(gone.answer.packed)

    def __len__(self) -> int:
        """How many answers are kept."""
        return len(self._answers)
