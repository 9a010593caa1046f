"""What a visitor cannot see costs no work that could be measured: a draft of a round, and a draft of an event."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask, template_rendered
from sqlalchemy import Engine

from events.web.page_cache import PageCache
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.statements import fetched, sent

PAGES = (
    "", "/rounds/1", "/rounds/2", "/standings", "/players/1", "/scenarios/hold-the-line", "/hall", "/hall/pairings",
    "/version", "/pack.pdf", "/plan.pdf", "/scenarios.pdf", "/standings.pdf", "/standings.csv", "/standings.trf",
    "/players.csv", "/lists", "/rounds/2/pairings.json", "/rounds/2/round.csv", "/rounds/2/pairings.pdf",
)  # fmt: skip
DRAFT_PAGES = ("", "/rounds/1", "/standings", "/hall", "/version", "/pack.pdf", "/register", "/lists", "/desk", "/me")
SPARE = 100
"""Characters by which short columns may differ: a state, a number, a stamp."""


@dataclass
class Work:
    """What one request made the service do."""

    status: int = 0
    statements: list[str] = field(default_factory=list)
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    templates: list[str | None] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The characters of all rows."""
        return sum(len(str(value)) for row in self.rows for value in row)


@contextmanager
def rendered(app: Flask) -> Iterator[list[str | None]]:
    """The templates that are rendered until the block ends."""
    seen: list[str | None] = []

    def note(sender: Flask, template: Any, context: dict[str, Any], **more: Any) -> None:
        seen.append(template.name)

    template_rendered.connect(note, app)
    try:
        yield seen
    finally:
        template_rendered.disconnect(note, app)


def work_for(app: Flask, address: str) -> Work:
    """What a visitor's request costs where no page is kept of an earlier one."""
    engine: Engine = app.extensions["overseer_engine"]
    app.extensions["overseer_page_cache"] = PageCache(app.extensions["overseer_clock"])
    with sent(engine) as statements, fetched(engine) as rows, rendered(app) as templates:
        status = Person(app).ask("GET", address).status_code
    return Work(status, statements, rows, templates)


@pytest.mark.proves("attack 67")
@pytest.mark.parametrize("path", PAGES)
def test_drawn_round_costs_visitors_the_same_work_as_none(app: Flask, stage: Stage, path: str) -> None:
    event = stage.event()
    stage.enter(event, *(f"Player {n}" for n in range(1, 11)))
    stage.play(event, 1)
    address = f"/e/iron-open{path}"
    work_for(app, address)  # what is read once in a process
    before = work_for(app, address)
    stage.draw(event, 2)
    after = work_for(app, address)
    assert after.status == before.status
    assert after.statements == before.statements
    assert len(after.rows) == len(before.rows)
    assert abs(after.size - before.size) < SPARE
    assert after.templates == before.templates


@pytest.mark.proves("attack 67")
@pytest.mark.parametrize("path", DRAFT_PAGES)
def test_draft_event_costs_visitors_the_same_work_as_none(app: Flask, stage: Stage, path: str) -> None:
    stage.event("Iron Open", draft=True)
    work_for(app, f"/e/no-event{path}")
    draft, nothing = (work_for(app, f"/e/{slug}{path}") for slug in ("iron-open", "no-event"))
    assert draft == nothing
    assert draft.status == 404
