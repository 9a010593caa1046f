"""The report form as browsers and a phone's outbox send it."""

from typing import Any

from tests.kit.person import Person, controls

GAME = "/e/iron-open/me/game"
OUTBOX = {"X-Outbox": "1", "Accept": "application/json"}


def filled(person: Person, address: str = GAME, **changed: str) -> dict[str, str]:
    """The fields that a browser sends for the report form, with these changes (dots as __)."""
    page = person.open(address)
    form = page.soup.select_one("form.report")
    assert form is not None, page.text
    return {str(key): str(value) for key, value in controls(form)} | {
        key.replace("__", "."): value for key, value in changed.items()
    }


def sent(person: Person, body: dict[str, str], address: str = GAME) -> tuple[int, dict[str, Any]]:
    """Send the form as a phone's outbox does; returns the status and the JSON answer."""
    answer = person.http.post(address, data=body, headers=OUTBOX)
    assert answer.is_json, answer.text
    said: dict[str, Any] = answer.get_json()
    return answer.status_code, said
