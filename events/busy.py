"""Expensive requests: a limit for each kind of visitor in a process, so that no kind keeps another waiting."""

from collections.abc import Hashable
from threading import BoundedSemaphore, Lock, get_ident

_under_way: set[int] = set()
"""The threads that work on an expensive request."""


def is_under_way() -> bool:
    """Whether this process works on an expensive request at the moment."""
    return bool(_under_way)


class Slots:
    """At most ``at_once`` requests at a time. Others wait ``patience`` seconds, and are then refused."""

    def __init__(self, at_once: int, patience: float = 0) -> None:
        """All slots are free."""
        self._free = BoundedSemaphore(at_once)
        self._patience = patience

    def enter(self, _: Hashable = None) -> bool:
        """Take a slot; whether there was one. ``leave`` gives it back, from the same thread."""
        taken = self._free.acquire(timeout=self._patience) if self._patience else self._free.acquire(blocking=False)
        if taken:
            try:
                _under_way.add(get_ident())
            except MemoryError:
                self._free.release()
                raise
        return taken

    def leave(self, _: Hashable = None) -> None:
        """Give the slot back."""
        _under_way.discard(get_ident())
        self._free.release()


class OneEach(Slots):
    """Slots of which each person has at most one."""

    def __init__(self, at_once: int) -> None:
        """All slots are free."""
        super().__init__(at_once)
        self._inside = set[Hashable]()
        self._lock = Lock()

    def enter(self, person: Hashable = None) -> bool:
        """Take a slot for this person; False where there is none, or the person has one."""
        with self._lock:
            if person in self._inside or not super().enter():
                return False
            try:
                self._inside.add(person)
            except MemoryError:
                super().leave()
                raise
            return True

    def leave(self, person: Hashable = None) -> None:
        """Give the person's slot back."""
        with self._lock:
            self._inside.discard(person)
            super().leave()
