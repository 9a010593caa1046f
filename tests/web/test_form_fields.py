"""The common form fields: which values each accepts, and where errors are shown."""

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form
from wtforms.validators import ValidationError

from events.play.errors import Refused
from events.web import forms as web_forms
from validators.calculator import Asked

pytestmark = pytest.mark.fast


def read(field: Any, *values: str) -> tuple[Any, list[str]]:
    """The data and the errors of a form with only this field and these values."""
    made = type("Probe", (Form,), {"one": field})(MultiDict([("one", one) for one in values]))
    made.validate()
    return made.one.data, list(made.one.errors)


@pytest.mark.proves("ASVS 2.2.1")
def test_text_is_tidied_bounded_and_printable() -> None:
    name = web_forms.text("Name", 10)
    assert read(name, "  two \n words ") == ("two words", [])
    assert read(name, "x" * 10) == ("x" * 10, [])
    assert read(name, "x" * 11)[1] == ["At most 10 characters."]
    assert read(name, " \t ") == ("", ["Please fill in: name."])
    assert read(name) == ("", ["Please fill in: name."])
    assert read(web_forms.text("Name", 10, required=False)) == ("", [])
    asked = web_forms.asked_field(Asked("name", "Name", kind="text"))
    assert read(asked, "x" * 61)[1] == ["At most 60 characters."]
    for field in (name, web_forms.text("Name", 10, required=False)):
        assert "cannot be printed" in read(field, "a\x00b")[1][0]


@pytest.mark.proves("ASVS 2.2.1")
def test_lines_keep_their_breaks_and_are_bounded_and_printable() -> None:
    words = web_forms.lines("Note", 10)
    assert read(words, " a\r\n\tb  c ") == ("a\r\n\tb  c", [])
    assert read(words, "x" * 10) == ("x" * 10, [])
    assert read(words, "x" * 11)[1] == ["At most 10 characters."]
    assert read(words, " \n ") == read(words) == ("", [])
    assert read(web_forms.lines("Note", 10, required=True)) == ("", ["Please fill in: note."])
    assert "cannot be printed" in read(words, "a\u202eb")[1][0]


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
    made = type("Probe", (Form,), {"one": web_forms.number("Places", 1, 9, render_kw={"step": 2})})()
    assert made.one.render_kw == {"min": 1, "max": 9, "inputmode": "numeric", "step": 2}


def test_mail_address_is_valid_or_empty() -> None:
    mail = web_forms.mail_address("Mail")
    assert read(mail, " ada@example.org ") == ("ada@example.org", [])
    assert read(mail, "  ") == read(mail) == ("", [])
    assert read(mail, "ada")[1]


def test_year_is_from_2000_to_2200() -> None:
    for day in (None, date(2000, 1, 1), date(2200, 12, 31)):
        web_forms.sensible_year(Form(), SimpleNamespace(data=day))
    for day in (date(1999, 12, 31), date(2201, 1, 1)):
        with pytest.raises(ValidationError, match="2000 to 2200"):
            web_forms.sensible_year(Form(), SimpleNamespace(data=day))


@pytest.mark.proves("F16")
def test_time_of_another_century_is_refused_and_shown_again() -> None:
    for value in ("0001-01-01T00:00", "1999-12-31T23:59", "2201-01-01T00:00", "9999-12-31T23:59"):
        for zone in ("Pacific/Kiritimati", "Pacific/Honolulu"):
            made: Any = type("Probe", (Form,), {"one": web_forms.moment("Due")})(MultiDict([("one", value)]))
            made.one.zone = zone
            assert not made.validate()
            assert list(made.one.errors) == ["Enter a year from 2000 to 2200."]
            assert value in str(made.one()) and "select" not in str(made.one())


@pytest.mark.proves("F16")
def test_ambiguous_hour_keeps_the_stored_time_and_otherwise_means_the_later() -> None:
    def field(*typed: str, data: datetime | None = None) -> Any:
        made: Any = type("Probe", (Form,), {"one": web_forms.moment("Due")})(
            MultiDict(zip(("one", "one-which"), typed, strict=False)) or None, data={"one": data}
        )
        made.one.zone = "Europe/Berlin"
        return made.one

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


def test_error_is_shown_at_its_field_or_at_the_top(app: Flask) -> None:
    with app.test_request_context("/", method="POST"):
        made: Any = type("Probe", (FlaskForm,), {"one": web_forms.text("One", 9), "two": web_forms.text("Two", 9)})()
        web_forms.show_at_field(made, Refused("Not so.", "one", also=(("two", "Nor this."),)))
        web_forms.show_at_field(made, Refused("Nor at all."))
        web_forms.show_at_field(made, Refused("Nor that.", "gone"))
        assert (list(made.one.errors), list(made.two.errors)) == (["Not so."], ["Nor this."])
        assert list(made.form_errors) == ["Nor at all.", "Nor that."]
