"""Attack 59: expensive requests by visitors and by one player, while others report and the organiser prints."""

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from tests.chaos.conftest import Fresh
from tests.chaos.hall import Answer, Hall, Table, browser_of, open_hall
from tests.chaos.serving import Service, serving

PLAYERS, REPORTS, PRINTS = 24, 4, 3
COPIES = 10
"""How many times larger than the hall's round the draws are that visitors send."""
PATIENCE = 30.0
"""Seconds for any answer: generous, for a machine that does other work."""
EDGE = "----of-the-form"


def large_draw(hall: Hall, service: Service) -> dict[str, Any]:
    """The file of a round of many players: the hall's own, with each player several times."""
    file: dict[str, Any] = browser_of({}).get(service.port, f"/e/{hall.slug}/rounds/1/pairings.json").json
    inputs = file["inputs"]
    inputs["seats"] = [seat | {"id": f"{seat['id']}x{n}"} for n in range(COPIES) for seat in inputs["seats"]]
    inputs["room"]["tables"] = []  # numbered from 1
    return file


def check_draw(service: Service, file: dict[str, Any], seed: int, together: Barrier) -> Answer:
    """Send the file to be drawn again by a visitor, with a seed of its own so that it is no repetition."""
    browser = browser_of({})
    document = json.dumps(file | {"seed": seed, "inputs": file["inputs"] | {"seed": seed}})
    parts = {"csrf_token": browser.token, 'file"; filename="round.json': document}
    body = "".join(f'--{EDGE}\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in parts.items())
    together.wait()
    return browser.send(service.port, "/verify", f"{body}--{EDGE}--\r\n", f"multipart/form-data; boundary={EDGE}")


def assert_hall_is_served(hall: Hall, service: Service, tables: Sequence[Table]) -> None:
    """Players report, and the organiser prints badges."""
    with ThreadPoolExecutor(REPORTS) as pool:
        reports = [
            pool.submit(
                table.a.post, service.port, hall.report_path,
                table.report("a", 0, 3, 1, f"report-of-{table.game_id:08}"), outbox=True, timeout=PATIENCE,
            )
            for table in tables
        ]  # fmt: skip
        for _ in range(PRINTS):
            assert hall.olga.get(service.port, f"/e/{hall.slug}/desk/badges.pdf", timeout=PATIENCE).status == 200
        assert [one.result().json.get("state") for one in reports] == ["saved"] * REPORTS


def assert_surplus_is_refused(flood: list[Future[Answer]]) -> None:
    """Some requests are answered, and the others are asked to come again."""
    answers = [one.result() for one in flood]
    assert {one.status for one in answers} == {200, 429}
    assert {one.headers.get("retry-after") for one in answers if one.status == 429} == {"5"}


@pytest.mark.proves("attack 59")
def test_expensive_requests_hold_up_neither_reports_nor_printing(fresh: Fresh, tmp_path: Path) -> None:
    url = fresh()
    hall = open_hall(url, PLAYERS)
    groups = [hall.tables[n : n + REPORTS] for n in range(0, 3 * REPORTS, REPORTS)]
    with serving(url, tmp_path / "data") as service, ThreadPoolExecutor(60) as pool:
        file = large_draw(hall, service)
        for visitors, tables in zip((24, 60), groups, strict=False):
            together = Barrier(visitors + 1)
            flood = [pool.submit(check_draw, service, file, n, together) for n in range(visitors)]
            together.wait()
            assert_hall_is_served(hall, service, tables)
            assert_surplus_is_refused(flood)
        player, pack = hall.tables[-1].b, f"/e/{hall.slug}/pack.pdf"
        flood = [pool.submit(player.get, service.port, pack, timeout=PATIENCE) for _ in range(24)]
        assert_hall_is_served(hall, service, groups[-1])
        assert_surplus_is_refused(flood)
