"""Every section of the settings, saved as it is and with one of its fields changed."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from bs4 import Tag

from events.setup.sections_page import FORMS
from tests.kinds.world import World
from tests.kit.person import Page, controls, put, sending_form

SAVE = "#save button"


def save_each(world: World, turn: int) -> Iterator[str]:
    """Save each section as it is, which writes nothing, then with the ``turn``-th of its fields changed.

    A change is stored, asks to be confirmed and is then stored, or a reason is shown.
    """
    for section in FORMS:
        world.organiser.open(f"{world.at}/desk/settings/{section}")
        version, stamp = world.event.version, world.event.public_stamp
        page = press(world)
        if not is_saved(page):
            yield f"{section}, unchanged: {page.status} {page.errors}"
        elif (world.event.version, world.event.public_stamp) != (version, stamp):
            yield f"{section}, unchanged: wrote {world.desk.journal(world.event)[-1:]}"
        page = press(world, turn)
        if page.status == 200 and not is_saved(page):
            page = press(world)
        if not is_saved(page) and not (page.status in (409, 422) and page.errors):
            yield f"{section}, field {turn}: {page.status} {page.errors}"


def is_saved(page: Page) -> bool:
    """Whether the form was stored, which leads to another page."""
    return bool(page.response.history) and page.status == 200


def press(world: World, turn: int = -1) -> Page:
    """The answer to the open section's form, with one of its fields changed unless ``turn`` is negative."""
    (button,) = world.organiser.page.soup.select(SAVE)
    form = sending_form(button, world.organiser.page.soup)
    fields: list[tuple[str, object]] = list(controls(form))
    changeable = [control for control in form.select("input, select, textarea") if takes_another(control)]
    if turn >= 0 and changeable:
        control = changeable[turn % len(changeable)]
        fields = put(form, fields, str(control["name"]), another(control), forged=True)
    return world.organiser.submit(button, fields)


def takes_another(control: Tag) -> bool:
    fixed = control.has_attr("readonly") or control.has_attr("disabled") or control.get("type") == "hidden"
    return not fixed and control.has_attr("name") and (control.name != "select" or len(control.select("option")) > 1)


def another(control: Tag) -> str | bool:
    """A value that the field does not have."""
    kind, value = control.get("type", "text"), str(control.get("value", ""))
    if control.name == "select":
        options = control.select("option")
        at = next((place for place, option in enumerate(options) if option.has_attr("selected")), 0)
        return str(options[(at + 1) % len(options)].get("value", ""))
    if kind in ("checkbox", "radio"):
        return not control.has_attr("checked")
    if kind in ("date", "datetime-local"):
        day = datetime.fromisoformat(value or "2026-12-20")
        return (day + timedelta(days=1)).isoformat()[: len(value) or None]
    if kind == "number":
        return str(int(value or 0) + 1)
    return f"{control.get_text() or value}1"
