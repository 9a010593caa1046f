"""The last changes of a force, to be taken back and brought again: earlier and undone documents, bounded in number."""

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from events.reading import force_steps
from models.play import ForceList, ForceStep
from validators.contract import Document

MOST_STEPS = 50
AT_ONE_GO = timedelta(seconds=10)
"""Changes of one name or one count that follow each other so quickly are one step."""


def remember(s: Session, force: ForceList, document: Document, now: datetime, *, typed: bool) -> None:
    """Before ``document`` takes the place of the force's own: keep that, and forget what was undone before.

    What is ``typed`` may be one step with what was typed at the same place just before.
    """
    undone = force_steps(s, force, undone=True)
    steps = force_steps(s, force, undone=False)
    for step in undone:
        s.delete(step)
    place = _typed_in(force.document, document) if typed else ""
    at_one_go = steps and not undone and now - force.saved_at <= AT_ONE_GO
    if at_one_go and place and place == _typed_in(steps[-1].document, force.document):
        if steps[-1].document == document:
            s.delete(steps[-1])  # typed and taken back by hand
        return
    s.add(ForceStep(force_list_id=force.id, document=force.document, undone=False))
    for step in steps[: max(0, len(steps) + 1 - MOST_STEPS)]:
        s.delete(step)


def step(s: Session, force: ForceList, *, undone: bool) -> Document | None:
    """Take the newest step, earlier or undone, and keep the force's own document for the way back. None without one."""
    steps = force_steps(s, force, undone=undone)
    if not steps:
        return None
    document: Document = steps[-1].document
    s.delete(steps[-1])
    s.add(ForceStep(force_list_id=force.id, document=force.document, undone=not undone))
    return document


def _typed_in(before: Any, after: Any, place: str = "") -> str:
    """Where two documents differ, if it is one name of the force or one count of an item; "" otherwise."""
    if type(before) is not type(after):
        return ""
    if isinstance(before, dict):
        parts = [(f"{place}.{key}", before[key], after.get(key)) for key in before]
    elif isinstance(before, list) and len(before) == len(after):
        parts = [(f"{place}.{at}", one, other) for at, (one, other) in enumerate(zip(before, after, strict=True))]
    else:
        return place if place == ".name" or place.endswith(".count") else ""
    differ = [part for part in parts if part[1] != part[2]]
    return _typed_in(differ[0][1], differ[0][2], differ[0][0]) if len(differ) == 1 else ""
