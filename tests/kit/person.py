"""A person with a browser without scripts: opens addresses, fills in forms, presses buttons."""

import html
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

# The labels of buttons that the tests of several rooms press.
SIGN_IN, SET_UP, SIGN_UP, OPEN_REGISTRATION = "Sign in", "Set up and sign in", "Register", "Open registration"
ADD, ADD_ALL, DROP_PLAYER, SUBMIT_FORCE = "Add", "Add all", "Drop", "Submit this force"
DRAW, PUBLISH, START_CLOCK = "Draw round", "Publish round", "Start the clock"
SEND_RESULT, SEND_REPORT = "Send the result", "Send my report"
PREVIEW, STORE, CLOSE_EVENT, IMPORT_EVENT = "Preview the changes", "Store the correction", "Close the event", "Import"

NO_TEXT = re.compile(
    r"""<(script|style|template)\b.*?</\1>|<!--.*?-->|<(?:"[^"]*"|'[^']*'|[^'">])*>""", re.DOTALL | re.IGNORECASE
)
"""Scripts, styles, templates, comments and tags."""
File = tuple[str, bytes]
Value = str | bool | list[str] | File | list[File]
"""A text, a choice by its value or label, a tick, several ticks, a file's name and bytes, or several files."""


@dataclass(frozen=True)
class Page:
    """The answer to a request, after redirects."""

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
        """The visible text, with single spaces. Without a tree of elements, which takes as long as making the page."""
        return " ".join(html.unescape(NO_TEXT.sub(" ", self.response.text)).split())

    def part(self, selector: str) -> str:
        """The text of the first element that the CSS selector finds; "" if there is none."""
        found = self.soup.select_one(selector)
        return words(found) if found else ""

    def error_at(self, name: str) -> str:
        """The error at a field; "" if there is none."""
        control = self.soup.find(None, {"name": name})
        assert isinstance(control, Tag), f"no field {name} on {self.path}"
        group = control.find_parent("fieldset")
        described_by = [str(part.get("aria-describedby", "")).split() for part in (control, group) if part]
        found = [self.soup.find(id=text) for ids in described_by for text in ids if text.endswith("-error")]
        if not found and group:
            found = list(group.select(":scope > .error"))
        return " ".join(words(part) for part in found if part)

    @property
    def errors(self) -> str:
        """The list of errors at the top of a refused form."""
        return " ".join(words(found) for found in self.soup.select(".errors"))

    @property
    def flashes(self) -> str:
        """The messages about the last change."""
        return " ".join(filter(None, (words(found) for found in self.soup.select(".flashes, .saved"))))

    def value(self, name: str) -> str | list[str]:
        """The value or values of a field, as a browser would send them."""
        form = next(f for f in self.soup.find_all("form") if f.find(None, {"name": name}))
        values = [value for key, value in controls(form) if key == name]
        return values[0] if len(values) == 1 else values

    def rows(self, selector: str) -> list[list[str]]:
        return [
            [cell_words(cell) for cell in row.find_all(["td", "th"])]
            for row in self.soup.select(f"{selector} tbody tr")
        ]


class Person:
    def __init__(self, app: Flask) -> None:
        self.http = app.test_client()
        self.page: Page

    def open(self, address: str) -> Page:
        return self._arrive(self.http.get(address, follow_redirects=True))

    def ask(self, method: str, address: str, data: dict[str, str] | None = None) -> TestResponse:
        """Send one request without following redirects; ``page`` does not change."""
        return self.http.open(address, method=method, data=data, buffered=True)

    def post(self, address: str, **fields: str) -> TestResponse:
        """Post these fields with a valid token; ``page`` does not change."""
        token = Page(self.http.get("/sign-in", follow_redirects=True)).value("csrf_token")
        return self.ask("POST", address, fields | {"csrf_token": str(token)})

    def press(self, label: str, *, at: str = "", inside: str = "body", **values: Value) -> Page:
        """Fill in the form of a button and press it, on the open page or on the page ``at`` an address.

        ``label`` is the button's text or its name for screen readers. Of several such buttons it presses the first
        whose form has all of ``values``. ``inside`` is a CSS selector that limits the search. ``values`` replace the
        values of fields (dots in their names as __).
        """
        if at:
            self.open(at)
        return self._send(label, inside, values, forged=False)

    def agree(self) -> Page:
        """Press "Yes, 5 : 9 is right", with any figures."""
        (label,) = [words(button) for button in self.page.soup.select("button[name=do].primary")]
        assert label.startswith("Yes, "), label
        return self.press(label)

    def forge(self, label: str, *, at: str = "", inside: str = "body", **values: Value) -> Page:
        """As ``press``, but allows values that the form does not offer, as a tampered or outdated page would send."""
        if at:
            self.open(at)
        return self._send(label, inside, values, forged=True)

    def _send(self, label: str, inside: str, values: dict[str, Value], *, forged: bool) -> Page:
        button = self._button(label, inside, [key.replace("__", ".") for key in values])
        form = sending_form(button, self.page.soup)
        fields: list[tuple[str, object]] = list(controls(form))
        for key, value in values.items():
            fields = put(form, fields, key.replace("__", "."), value, forged=forged)
        return self.submit(button, fields)

    def submit(self, button: Tag, fields: list[tuple[str, object]]) -> Page:
        """Send the form of a button of the open page with these fields."""
        form = sending_form(button, self.page.soup)
        if button.get("name"):
            fields = [*fields, (str(button["name"]), str(button.get("value", "")))]
        wanted = str(button.get("formaction") or form.get("action") or "")
        query = urlsplit(self.page.response.request.url).query
        here = self.page.path + (f"?{query}" if query else "")
        address = urldefrag(urljoin(here, wanted)).url
        assert str(form.get("method", "get")).lower() == "post", f"the form of {words(button)} is not posted"
        files = form.get("enctype") == "multipart/form-data"
        data: MultiDict[str, object] = MultiDict(fields)
        return self._arrive(
            self.http.post(
                address, data=data, follow_redirects=True, content_type="multipart/form-data" if files else None
            )
        )

    def _arrive(self, response: TestResponse) -> Page:
        for answer in (*response.history, response):
            answer.request.environ["wsgi.input"].close()  # closes the file of a large upload
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


def sending_form(button: Tag, page: Tag) -> Tag:
    """The form that a button sends; a button may be outside its form."""
    owner = button.get("form")
    form = page.find("form", id=str(owner)) if owner else button.find_parent("form")
    assert isinstance(form, Tag)
    return form


def words(part: Tag) -> str:
    return " ".join(part.get_text(" ").split())


DRAWN = ["av", "move", "pip"]
"""Classes of what repeats a cell's text for the eye: initials, ranks moved, letters of rounds."""


def cell_words(part: Tag) -> str:
    """The text of a table's cell without what repeats it for the eye."""
    return " ".join(" ".join(string for string in part.strings if not string.find_parent(class_=DRAWN)).split())


def post_forms(person: Person, address: str) -> Iterator[tuple[Tag, str]]:
    """Each form of a page with method POST, and its address; none if the address has no HTML page."""
    answer = person.ask("GET", address)
    is_page = answer.status_code == 200 and answer.mimetype == "text/html"
    for form in BeautifulSoup(answer.text, "html.parser").find_all("form") if is_page else ():
        if str(form.get("method", "")).lower() == "post":
            yield form, urldefrag(str(form.get("action") or "")).url or address


def controls(form: Tag) -> list[tuple[str, str]]:
    """The fields that a browser sends for an unchanged form, without a button."""
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
    """The selected values of a choice; if none is selected, the first enabled value."""
    options = [option for option in select.find_all("option") if not option.has_attr("disabled")]
    marked = [option for option in options if option.has_attr("selected")]
    if not marked and not select.has_attr("multiple"):
        marked = options[:1]
    return [str(option.get("value", words(option))) for option in marked]


def put(
    form: Tag, fields: list[tuple[str, object]], name: str, value: Value, *, forged: bool
) -> list[tuple[str, object]]:
    """The fields with one of them filled in. Unless ``forged``, a choice must be offered."""
    found: list[Tag] = list(form.find_all(None, {"name": name}))
    if forged:
        found = found or [form]
    assert found, f"no field {name}, only {sorted({key for key, _ in fields})}"
    rest = [(key, old) for key, old in fields if key != name]
    if isinstance(value, tuple):
        return [*rest, (name, (io.BytesIO(value[1]), value[0]))]
    if isinstance(value, list) and any(isinstance(one, tuple) for one in value):
        return [*rest, *((name, (io.BytesIO(row[1]), row[0])) for row in value if isinstance(row, tuple))]
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
        return [*rest, *((name, text) for text in wanted)]
    assert isinstance(value, str), f"{name} takes one value"
    return [*rest, (name, line_ends(value) if found[0].name == "textarea" else value)]


def line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def offered(select: Tag, value: str) -> str:
    """The value of the option with this value, or whose label starts with it."""
    options = [option for option in select.find_all("option") if not option.has_attr("disabled")]
    for option in options:
        if str(option.get("value", words(option))) == value:
            return value
    for option in options:
        if words(option).startswith(value):
            return str(option.get("value", words(option)))
    raise AssertionError(f"{select.get('name')} offers {[words(o) for o in options]}, not {value!r}")
