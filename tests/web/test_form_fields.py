"""The common form fields, and hostile text in them: refused at its field, or shown as text on every page."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import count, cycle
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from events.store.errors import Refused
from events.web import forms as web_forms
from tests.kit.every_page import addresses, made
from tests.kit.person import SIGN_IN, Person
from tests.kit.profiles import every_nth
from tests.kit.stage import PASSWORD, Stage
from validators.calculator import Asked


def form_with(field: Any, *typed: str, zone: str = "", data: object = None) -> Any:
    """A form with only this field and these values; the second is that of its choice between two times."""
    sent = MultiDict(zip(("one", "one-which"), typed, strict=False)) or None
    made: Any = type("Probe", (Form,), {"one": field})(sent, data={"one": data})
    made.one.zone = zone
    return made


def read(field: Any, *typed: str) -> tuple[Any, list[str]]:
    made = form_with(field, *typed)
    made.validate()
    return made.one.data, list(made.one.errors)


@pytest.mark.proves("ASVS 2.2.1")
def test_text_is_tidied_and_lines_keep_their_breaks_both_bounded_and_printable() -> None:
    name, words = web_forms.text("Name", 10), web_forms.lines("Note", 10)
    may_be_empty = (words, web_forms.text("Name", 10, required=False))
    assert read(name, "  two \n words ") == ("two words", [])
    assert read(words, " a\r\n\tb  c ") == ("a\r\n\tb  c", [])
    for field in (name, *may_be_empty):
        assert read(field, "x" * 10) == ("x" * 10, [])
        assert read(field, "x" * 11)[1] == ["At most 10 characters."]
        for unprintable in ("a\x00b", "a\u202eb"):
            assert "cannot be printed" in read(field, unprintable)[1][0]
    for field in (name, web_forms.lines("Note", 10, required=True)):
        assert read(field, " \t\n ") == read(field) == ("", ["Please fill this in."])
    for field in may_be_empty:
        assert read(field, " \t\n ") == read(field) == ("", [])
    asked = web_forms.asked_field(Asked("name", "Name", kind="text"))
    assert (read(asked, "x" * 61)[1], read(asked, "")[1]) == (["At most 60 characters."], ["Please fill this in."])
    assert read(web_forms.asked_field(Asked("name", "Name", kind="text", default="")), "") == ("", [])


@pytest.mark.proves("ASVS 2.2.1")
def test_number_is_whole_and_in_bounds_with_one_error() -> None:
    places = web_forms.number("Places", 1, 9)
    assert [read(places, typed) for typed in ("1", " 9 ")] == [(1, []), (9, [])]
    assert [read(places, typed)[1] for typed in ("0", "10", "9" * 400)] == [["Enter a number from 1 to 9."]] * 3
    for typed in ("x", "1.5", "1 2"):
        assert read(places, typed) == (None, ["Enter a whole number."])
    assert read(places, "")[1][-1] == read(places)[1][-1] == "Enter a number from 1 to 9."
    assert read(web_forms.number("Places", 1, 9, required=False), "") == (None, [])
    assert read(web_forms.number("Places", 1, 9, required=False), "x")[1] == ["Enter a whole number."]
    made = form_with(web_forms.number("Places", 1, 9, render_kw={"step": 2}))
    assert made.one.render_kw == {"min": 1, "max": 9, "inputmode": "numeric", "step": 2}


def test_mail_address_is_valid_or_empty() -> None:
    mail = web_forms.mail_address("Mail")
    assert read(mail, " ada@example.org ") == ("ada@example.org", [])
    assert read(mail, "  ") == read(mail) == ("", [])
    assert read(mail, "ada")[1]


@pytest.mark.proves("F16")
def test_time_of_another_century_is_refused_and_shown_again_but_not_one_in_an_unknown_zone() -> None:
    for value in ("0001-01-01T00:00", "1999-12-31T23:59", "2201-01-01T00:00", "9999-12-31T23:59"):
        for zone in ("Pacific/Kiritimati", "Pacific/Honolulu"):
            made = form_with(web_forms.moment("Due"), value, zone=zone)
            assert not made.validate()
            assert list(made.one.errors) == ["Enter a year from 2000 to 2200."]
            assert value in str(made.one()) and "select" not in str(made.one())
    made = form_with(web_forms.moment("Due"), "2027-05-01T10:00", zone="Europe/Nowhere")
    assert made.validate() and made.one.moment is None, "the zone has an error of its own"


@pytest.mark.proves("F16")
def test_ambiguous_hour_keeps_the_stored_time_and_otherwise_means_the_later() -> None:
    def field(*typed: str, data: datetime | None = None) -> Any:
        return form_with(web_forms.moment("Due"), *typed, zone="Europe/Berlin", data=data).one

    early, late = (datetime(2027, 10, 31, hour, 30, tzinfo=UTC) for hour in (0, 1))
    for fold, meant in ((0, early), (1, late)):
        assert field(data=datetime.fromisoformat("2027-10-31T02:30").replace(fold=fold)).moment == meant
    assert field("2027-10-31T02:30").moment == late
    assert field("2027-10-31T02:30", early.isoformat()).moment == early
    assert field("2027-10-31T02:30", "nonsense").moment == late
    assert field("2027-10-30T02:30").moment == datetime(2027, 10, 30, 0, 30, tzinfo=UTC)
    assert field("2027-03-28T02:30").moment is field("").moment is field().moment is None
    shown = str(field("2027-10-31T02:30", early.isoformat())())
    assert shown.index(f'value="{early.isoformat()}" selected') < shown.index(f'value="{late.isoformat()}">')
    assert "The earlier: " in shown and "Due, which of the two" in shown


def test_time_in_an_unknown_zone_has_no_error_of_its_own() -> None:
    made: Any = type("Probe", (Form,), {"one": web_forms.moment("Due")})(MultiDict([("one", "2027-05-01T10:00")]))
    made.one.zone = "Europe/Nowhere"
    assert made.validate() and made.one.moment is None


@pytest.mark.fast
def test_error_is_shown_at_its_field_or_at_the_top(app: Flask) -> None:
    with app.test_request_context("/", method="POST"):
        made: Any = type("Probe", (FlaskForm,), {"one": web_forms.text("One", 9), "two": web_forms.text("Two", 9)})()
        web_forms.show_at_field(made, Refused("Not so.", "one", also=(("two", "Nor this."),)))
        web_forms.show_at_field(made, Refused("Nor at all."))
        web_forms.show_at_field(made, Refused("Nor that.", "gone"))
        assert (list(made.one.errors), list(made.two.errors)) == (["Not so."], ["Nor this."])
        assert list(made.form_errors) == ["Nor at all.", "Nor that."]


TAG = "x27"
"""No page has this tag or attribute itself."""
HOSTILE = (
    f"<{TAG}>", f"<{TAG} onload={TAG}()>", f"</title><{TAG}>", f"</textarea><{TAG}>", f"</script><{TAG}>",
    f"--><{TAG}>",
    f"]]><{TAG}>", f'"><{TAG}>', f"'><{TAG}>", f'" onfocus={TAG}() x="', f"' onfocus={TAG}() x='",
    f"` onfocus={TAG}() x=`",
    f"</option></select><{TAG}>", f"</bdi></a><{TAG}>", f"</style><{TAG}>", f"</noscript><{TAG}>", f"</svg><{TAG}>",
    "<script>x27()</script>", "<img src=x onerror=x27()>", "<svg/onload=x27()>", "<svg><script>x27()</script></svg>",
    "<math><x27>", "<iframe srcdoc=x27>", "<base href=//x27>", "<meta http-equiv=refresh content=0>",
    "<form action=//x27>",
    "<a href=javascript:x27()>x</a>", "javascript:x27()", "JaVaScRiPt:x27()", "data:text/html,x27", "vbscript:x27()",
    "&lt;x27&gt;", "&#60;x27&#62;", "&#x3c;x27&#x3e;", "&amp;lt;x27&amp;gt;", "\\x3cx27\\x3e", "\\u003cx27\\u003e",
    "%3Cx27%3E", "+ADw-x27+AD4-", "＜x27＞", "<<x27>>", "<x27/<x27>", "<\u2060x27>", "<x27\u3000onload=x27()>",
    "{{'x27'*9}}", "{% raw %}x27", "${x27()}", "#{x27()}", "{x27.__class__}", "%(x27)s", "%n%s x27", "<%= x27() %>",
    "x27'; DROP TABLE player; --", 'x27" OR 1=1', "x27*/", "/*x27", "//x27", "<!--x27", "<?x27", "<!DOCTYPE x27>",
    "[x27](javascript:x27())", "![x27](//x27/x27)",
)  # fmt: skip
RIGHT_TO_LEFT = "שלום"
"""Part of every name: unless it is isolated, it reverses the figures after it."""
ISOLATED = {"bdi", "title", "option", "optgroup", "textarea", "text", "desc"}
"""Each text of a drawing is a paragraph of its own."""
MAP = "https://www.openstreetmap.org/search?query="
CALENDAR = "webcal://hall.lan/"
"""Elements that isolate a name, or contain only text."""
NEVER = ("iframe", "base", "object", "embed", "math", "style")
MAIL = re.compile(r"mailto:\?subject=[\w%./-]*&body=[\w%./-]*")
"""A mail that the reader may send: every character of a name that means something in an address is encoded."""
LEADS = ("href", "src", "action", "formaction", "data", "poster")


def hostile() -> Iterator[str]:
    number = count(1)
    for text in cycle(HOSTILE):
        yield f"{text} {RIGHT_TO_LEFT} {next(number)}"


def live(soup: BeautifulSoup) -> Iterator[str]:
    """The parts of a page that contain user input as mark-up."""
    for tag in soup.find_all(True):
        if TAG in tag.name or tag.name in NEVER or (tag.name == "script" and (not tag.get("src") or tag.get_text())):
            yield f"<{tag.name}>"
        for name, value in tag.attrs.items():
            if TAG in name or name.startswith("on") or name in ("style", "srcdoc") or (name, value) == ("content", "0"):
                yield f"{tag.name} {name}"
            known = MAIL.fullmatch(str(value)) or (name == "href" and str(value).startswith((MAP, CALENDAR)))
            address = "" if known else re.sub(r"\s", "", str(value)).lower()
            if name in LEADS and re.match(r"[a-z][a-z0-9+.-]*:|//", address):
                yield f"{tag.name} {name}={value}"


def turning(soup: BeautifulSoup, names: set[str]) -> Iterator[str]:
    """Right-to-left names that are not isolated from the surrounding text."""
    for text in soup.find_all(string=re.compile(RIGHT_TO_LEFT)):
        around = list(text.parents)
        if str(text).strip() in names and not any(tag.name in ISOLATED for tag in around):
            yield f"<{around[0].name}> in <{around[1].name}>: {str(text).strip()[:90]}"


@pytest.mark.proves(
    "attack 27", "attack 28", "attack 29", "ASVS 1.2.1", "ASVS 1.2.2", "ASVS 1.2.3", "ASVS 1.3.1", "ASVS 1.3.7"
)
@every_nth(9, 3)
def test_every_name_is_text_on_every_page(app: Flask, stage: Stage, step: int) -> None:
    names = hostile()
    used: set[str] = set()

    def called(usual: str) -> str:
        used.add(name := next(names))
        return name

    events = made(stage, called)
    for event in events:
        stage.set(event, description=next(names))
    owner = Person(app)
    owner.press(SIGN_IN, at="/sign-in", name="owner", password=PASSWORD)
    wrong: dict[str, str] = {}
    shown = 0
    for address in one_each(addresses(app, stage, events), {event.slug for event in events[3:6]})[::step]:
        answer = owner.ask("GET", address)
        assert answer.status_code < 500, address
        if answer.status_code != 200 or answer.mimetype != "text/html":
            continue
        assert "x27x27" not in answer.text, f"{address} evaluated a template"
        shown += RIGHT_TO_LEFT in answer.text
        page = BeautifulSoup(answer.text, "html.parser")
        for what in (*live(page), *turning(page, used)):
            wrong.setdefault(what, address)
    assert wrong == {}
    assert shown > 60 // step


def one_each(found: Iterable[tuple[str, str]], slugs: set[str]) -> list[str]:
    """One address for each page, and for each of these events if the page belongs to one."""
    kept: dict[tuple[str, str], str] = {}
    for endpoint, address in found:
        of = address.split("/")[2] if address.startswith("/e/") else ""
        if (of in slugs or not of) and not address.partition("?")[0].endswith((".pdf", ".zip")):
            kept.setdefault((endpoint, of), address)
    return list(kept.values())
