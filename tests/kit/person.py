"""A person with a browser without script: opens addresses, fills in forms as they stand, presses buttons."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

File = tuple[str, bytes]
Value = str | bool | list[str] | File | list[File]
"""A text, a choice by its value or its words, a tick, several ticks, a file's name and bytes, or several files."""


@dataclass(frozen=True)
class Page:
    """What an address answered, redirects followed."""

    response: TestResponse

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def path(self) -> str:
        return self.response.request.path

    @cached_property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self.response.text, "html.parser")

    @cached_property
    def text(self) -> str:
        """What can be read, with single spaces."""
        return words(self.soup)

    def part(self, selector: str) -> str:
        """What can be read in the first part that the CSS selector finds, "" without one."""
        found = self.soup.select_one(selector)
        return words(found) if found else ""

    def error_at(self, name: str) -> str:
        """The words at a field that could not be taken; "" where there are none."""
        control = self.soup.find(None, {"name": name})
        assert isinstance(control, Tag), f"no field {name} on {self.path}"
        group = control.find_parent("fieldset")
        described_by = [str(part.get("aria-describedby", "")).split() for part in (control, group) if part]
        found = [self.soup.find(id=one) for ids in described_by for one in ids if one.endswith("-error")]
        if not found and group:
            found = list(group.select(":scope > .error"))
        return " ".join(words(part) for part in found if part)

    @property
    def errors(self) -> str:
        """The list at the top of a form that could not be taken."""
        return " ".join(words(found) for found in self.soup.select(".errors"))

    @property
    def flashes(self) -> str:
        """What the page says of the change just made."""
        return " ".join(filter(None, (words(found) for found in self.soup.select(".flashes, .saved"))))

    def value(self, name: str) -> str | list[str]:
        """What stands in a field: the values that a browser would send."""
        form = next(f for f in self.soup.find_all("form") if f.find(None, {"name": name}))
        values = [value for key, value in controls(form) if key == name]
        return values[0] if len(values) == 1 else values

    def rows(self, selector: str) -> list[list[str]]:
        return [
            [words(cell) for cell in row.find_all(["td", "th"])] for row in self.soup.select(f"{selector} tbody tr")
        ]


class Person:
    """One browser with cookies of its own."""

    def __init__(self, app: Flask) -> None:
        self.http = app.test_client()
        self.page: Page

    def open(self, address: str) -> Page:
        return self._arrive(self.http.get(address, follow_redirects=True))

    def ask(self, method: str, address: str, data: dict[str, str] | None = None) -> TestResponse:
        """Send one bare request and stay where one is; redirects are not followed."""
        return self.http.open(address, method=method, data=data, buffered=True)

    def post(self, address: str, **fields: str) -> TestResponse:
        """Send these fields with a token of this browser, whatever page is open, and stay where one is."""
        token = Page(self.http.get("/sign-in", follow_redirects=True)).value("csrf_token")
        return self.ask("POST", address, fields | {"csrf_token": str(token)})

    def press(self, label: str, *, at: str = "", inside: str = "body", **values: Value) -> Page:
        """Fill in the form that has this button and press it, on the open page or on that ``at`` an address.

        ``label`` is what the button says, or its name for screen readers; of several such buttons the first whose
        form has all of ``values``. ``inside`` narrows the search by a CSS selector. ``values`` are changes of the
        fields as they stand (dots in their names as __).
        """
        if at:
            self.open(at)
        return self._send(label, inside, values, forged=False)

    def agree(self) -> Page:
        """Press "Yes, 5 : 9 is right", whatever the figures are."""
        (label,) = [words(button) for button in self.page.soup.select("button[name=do].primary")]
        assert label.startswith("Yes, "), label
        return self.press(label)

    def forge(self, label: str, *, at: str = "", inside: str = "body", **values: Value) -> Page:
        """The same with values that the form does not offer, as a tampered or an old page would send them."""
        if at:
            self.open(at)
        return self._send(label, inside, values, forged=True)

    def _send(self, label: str, inside: str, values: dict[str, Value], *, forged: bool) -> Page:
        button = self._button(label, inside, [key.replace("__", ".") for key in values])
        owner = button.get("form")  # a button may stand outside its form
        form = self.page.soup.find("form", id=str(owner)) if owner else button.find_parent("form")
        assert isinstance(form, Tag)
        fields: list[tuple[str, object]] = list(controls(form))
        for key, value in values.items():
            fields = put(form, fields, key.replace("__", "."), value, forged=forged)
        if button.get("name"):
            fields.append((str(button["name"]), str(button.get("value", ""))))
        wanted = str(button.get("formaction") or form.get("action") or "")
        query = urlsplit(self.page.response.request.url).query
        here = self.page.path + (f"?{query}" if query else "")
        address = urldefrag(urljoin(here, wanted)).url
        assert str(form.get("method", "get")).lower() == "post", f"the form of {label} changes nothing"
        files = form.get("enctype") == "multipart/form-data"
        data: MultiDict[str, object] = MultiDict(fields)
        return self._arrive(
            self.http.post(
                address, data=data, follow_redirects=True, content_type="multipart/form-data" if files else None
            )
        )

    def _arrive(self, response: TestResponse) -> Page:
        for answer in (*response.history, response):
            answer.request.environ["wsgi.input"].close()  # a large upload waits in a file
        self.page = Page(response)
        return self.page

    def _button(self, label: str, inside: str, fields: Sequence[str] = ()) -> Tag:
        seen, found = [], []
        for part in self.page.soup.select(inside):
            for button in part.find_all("button"):
                names = (words(button), str(button.get("aria-label", "")))
                if label in names:
                    found.append(button)
                seen.append(names[1] or names[0])
        for button in found:
            form = button.find_parent("form")
            if form is not None and all(form.find(None, {"name": name}) for name in fields):
                return button
        if found:
            return found[0]
        raise AssertionError(f"no button {label!r} on {self.page.path} ({self.page.status}), only {seen}")


Enter = Callable[..., list[Person]]
"""The fixture ``enter``: enters players and returns their browsers."""


def words(part: Tag) -> str:
    """What can be read in a part of a page."""
    return " ".join(part.get_text(" ").split())


def post_forms(person: Person, address: str) -> Iterator[tuple[Tag, str]]:
    """The forms of a page that are posted, and the address of each; none where the address is no page."""
    answer = person.ask("GET", address)
    is_page = answer.status_code == 200 and answer.mimetype == "text/html"
    for form in BeautifulSoup(answer.text, "html.parser").find_all("form") if is_page else ():
        if str(form.get("method", "")).lower() == "post":
            yield form, urldefrag(str(form.get("action") or "")).url or address


def controls(form: Tag) -> list[tuple[str, str]]:
    """What a browser sends for a form as it stands, without a button."""
    sent: list[tuple[str, str]] = []
    for control in form.find_all(["input", "select", "textarea"]):
        name, kind = str(control.get("name", "")), control.get("type", "text")
        if not name or control.has_attr("disabled") or kind in ("file", "submit"):
            continue
        if control.name == "select":
            sent += [(name, value) for value in chosen(control)]
        elif control.name == "textarea":
            sent.append((name, line_ends(control.get_text().removeprefix("\r").removeprefix("\n"))))
        elif kind not in ("checkbox", "radio"):
            sent.append((name, str(control.get("value", ""))))
        elif control.has_attr("checked"):
            sent.append((name, str(control.get("value", "on"))))
    return sent


def chosen(select: Tag) -> list[str]:
    """The values of a choice as it stands: without a mark, the first that can be chosen."""
    options = [option for option in select.find_all("option") if not option.has_attr("disabled")]
    marked = [option for option in options if option.has_attr("selected")]
    if not marked and not select.has_attr("multiple"):
        marked = options[:1]
    return [str(option.get("value", words(option))) for option in marked]


def put(
    form: Tag, fields: list[tuple[str, object]], name: str, value: Value, *, forged: bool
) -> list[tuple[str, object]]:
    """The fields with one of them filled in; a person can choose only what is offered."""
    found: list[Tag] = list(form.find_all(None, {"name": name}))
    if forged:
        found = found or [form]
    assert found, f"no field {name}, only {sorted({key for key, _ in fields})}"
    rest = [(key, old) for key, old in fields if key != name]
    if isinstance(value, tuple):
        return [*rest, (name, (io.BytesIO(value[1]), value[0]))]
    if isinstance(value, list) and any(isinstance(one, tuple) for one in value):
        return [*rest, *((name, (io.BytesIO(one[1]), one[0])) for one in value if isinstance(one, tuple))]
    if isinstance(value, bool):
        return [*rest, (name, str(found[0].get("value", "on")))] if value else rest
    if forged:
        return [*rest, *((name, one) for one in (value if isinstance(value, list) else [value]))]
    kind = found[0].get("type", "text")
    if found[0].name == "select":
        value = offered(found[0], value if isinstance(value, str) else str(value[0]))
    elif kind in ("checkbox", "radio"):
        offers = [str(box.get("value", "on")) for box in found]
        wanted = [str(one) for one in (value if isinstance(value, list) else [value])]
        assert set(wanted) <= set(offers), f"{name} offers {offers}, not {wanted}"
        return [*rest, *((name, one) for one in wanted)]
    assert isinstance(value, str), f"{name} takes one value"
    return [*rest, (name, line_ends(value) if found[0].name == "textarea" else value)]


def line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def offered(select: Tag, value: str) -> str:
    """An option's value by its value, or by how its words begin."""
    options = [option for option in select.find_all("option") if not option.has_attr("disabled")]
    for option in options:
        if str(option.get("value", words(option))) == value:
            return value
    for option in options:
        if words(option).startswith(value):
            return str(option.get("value", words(option)))
    raise AssertionError(f"{select.get('name')} offers {[words(o) for o in options]}, not {value!r}")
