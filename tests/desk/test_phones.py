"""What phones will see: by the settings, and the one next thing to do."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from events.desk.phones_views import seen_by_phones
from service.settings import Settings
from tests.kit.certificates import certificate_in
from tests.kit.person import Person

NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)
HALL = "https://hall.club.example"


def said(settings: Settings, address: str) -> tuple[list[bool], str]:
    found = seen_by_phones(settings, address, NOW)
    return [sight.good for sight in found], next((sight.next for sight in found if sight.next), "")


@pytest.mark.parametrize(
    ("changed", "address", "good", "todo"),
    [
        ({"host": "127.0.0.1"}, "", [False], "HOST=0.0.0.0"),
        ({"host": "::"}, "", [False], "Connect it to the hall’s network"),
        ({"public": "http://localhost"}, "", [False], "OVERSEER_ADDRESS"),
        ({"public": "http://hall.lan"}, "http://hall.lan", [True, False], "certificate"),
        ({"public": HALL}, HALL, [True, True, True], ""),
    ],
)
def test_next_thing_to_do(
    settings: Settings, changed: dict[str, Any], address: str, good: list[bool], todo: str
) -> None:
    found, words = said(replace(settings, **changed), address)
    assert (found, todo in words, bool(todo) == bool(words)) == (good, True, True), words


@pytest.mark.parametrize(("days", "good", "todo"), [(-1, False, "Renew"), (20, False, "Renew"), (60, True, "")])
def test_certificate_that_ends(settings: Settings, tmp_path: Path, days: int, good: bool, todo: str) -> None:
    certificate_in(tmp_path, "hall.club.example", NOW + timedelta(days=days))
    found, words = said(replace(settings, public=HALL, certificate=tmp_path), HALL)
    assert (found[-1], todo in words, bool(todo) == bool(words)) == (good, True, True), words


def test_page_is_for_those_who_run_the_club_and_shows_the_way_for_a_phone(olga: Person, visitor: Person) -> None:
    assert visitor.open("/desk/phones").status == 403
    assert 'href="/desk/phones"' in olga.open("/desk").response.text
    page = olga.open("/desk/phones")
    assert (page.status, "http://hall.lan/phone" in page.text, "certificate" in page.part(".lede")) == (200, True, True)
    assert visitor.open("/phone").status == 200
