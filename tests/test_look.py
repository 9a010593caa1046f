"""The look: contrast, and a sign with every colour; macros for forms."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask, get_template_attribute
from flask_wtf import CSRFProtect, FlaskForm
from jinja2 import FileSystemLoader
from wtforms import FieldList, FormField, IntegerField, RadioField, StringField
from wtforms import Form as PlainForm
from wtforms.validators import InputRequired

import events
from events.rooms import TEMPLATES
from events.web.language import speak_to_readers

PACKAGE = Path(events.__file__).parent
STYLES = (PACKAGE / "web" / "static" / "overseer.css").read_text()
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", STYLES)
}
TEXT = [
    (ink, ground)
    for ink in ("ink", "soft", "good", "wait", "bad")
    for ground in ("paper", "raised", "sunk", "amber-wash")
] + [
    ("ink", "bad-wash"), ("bad", "bad-wash"), ("on-amber", "amber"), ("on-amber", "amber-press"), ("on-good", "good"),
    ("on-bad", "bad"), ("paper", "ink"),
]  # fmt: skip
LINES = [(line, ground) for line in ("line", "amber-line") for ground in ("paper", "raised", "sunk")]
STATES = (
    "legal", "query", "illegal", "draft", "submitted", "locked", "none", "registered", "waiting", "checked_in",
    "dropped", "open", "reported", "confirmed", "disputed", "decided", "drawn", "published", "playing", "complete",
    "registration", "in_progress", "finished",
)  # fmt: skip


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(text: str, other: str) -> float:
    dark, light = sorted((luminance(text), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_text_has_contrast_7_and_lines_have_contrast_3_in_both_themes() -> None:
    for least, pairs in ((7, TEXT), (3, LINES)):
        for theme in (0, 1):
            ratios = {(ink, ground): contrast(COLOURS[ink][theme], COLOURS[ground][theme]) for ink, ground in pairs}
            assert {pair: ratio for pair, ratio in ratios.items() if ratio < least} == {}


def test_browsers_without_light_dark_get_the_light_colours() -> None:
    before = STYLES.split("@supports")[0]
    plain = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", before))
    assert plain == {name: light for name, (light, _) in COLOURS.items()}


Macro = Callable[..., BeautifulSoup]


@pytest.fixture
def macro() -> Iterator[Macro]:
    """Renders a macro of a template, within a request that submits a form."""
    app = Flask("events.web")
    app.jinja_loader = FileSystemLoader(TEMPLATES)
    app.config.update(SECRET_KEY="a test")
    CSRFProtect(app)
    speak_to_readers(app)
    app.jinja_env.globals["may_follow"] = lambda address, method: "forbidden" not in address

    def drawn(called: str, *values: object, **named: object) -> BeautifulSoup:
        return BeautifulSoup(str(get_template_attribute("web/_ui.html", called)(*values, **named)), "html.parser")

    with app.test_request_context("/", method="POST", data={"name": "", "size": "<many>", "rows-0": ""}):
        yield drawn


def one(soup: Tag, selector: str) -> Tag:
    (found,) = soup.select(selector)
    return found


def test_every_state_has_a_label_and_opposite_states_have_different_signs(macro: Macro) -> None:
    for state in STATES:
        shown = macro("badge", state)
        assert shown.select(".sign svg path, .sign svg circle"), state
        assert len(shown.get_text(strip=True)) > 3 and "_" not in shown.get_text(), state
    for opposed in (("legal", "query", "illegal"), ("confirmed", "reported", "disputed")):
        assert len({str(one(macro("badge", state), "svg")) for state in opposed}) == 3


class Inner(PlainForm):
    word = StringField("Word", [InputRequired("Inner word is missing.")])


class Sample(FlaskForm):
    name = StringField("Name", [InputRequired("Please give a name.")])
    size = IntegerField("Size", [InputRequired("A size is needed.")])
    method = RadioField("Method", choices=["a", "b"], validators=[InputRequired("Choose one.")])
    inner = FormField(Inner)
    rows = FieldList(StringField("Row", [InputRequired("Row is missing.")]), min_entries=1)


def test_refused_form_links_each_error_to_its_field_and_keeps_the_input(macro: Macro) -> None:
    form = Sample(meta={"csrf": False})
    assert not form.validate()
    form.form_errors.append("All is wrong.")
    listed = macro("error_list", form)
    faults = (
        "Please give a name.",
        "Choose one.",
        "Inner word is missing.",
        "Row is missing.",
        "All is wrong.",
    )
    assert [fault for fault in faults if fault not in listed.get_text(" ")] == []
    fields = (form.name, form.size, form.method, form.inner.form.word, *form.rows.entries)
    ids = [str(tag["id"]) for field in fields for tag in macro("field", field).select("[id]")]
    assert [ids.count(str(link["href"]).removeprefix("#")) for link in listed.select("a")] == [1] * 5
    shown = macro("field", form.name, help="As on the poster.", autocomplete="name")
    box = one(shown, "input")
    assert (box["aria-invalid"], box["autocomplete"]) == ("true", "name")
    hints = [one(shown, f"[id='{id_}']").get_text(strip=True) for id_ in str(box["aria-describedby"]).split()]
    assert hints == ["As on the poster.", "Please give a name."]
    assert one(macro("field", form.size), "[data-stepper] input[type=number]")["value"] == "<many>"
    assert one(macro("field", form.method), "fieldset > legend").get_text(strip=True) == "Method"


def test_post_button_has_its_token_and_confirmation(macro: Macro) -> None:
    shown = macro("post", "/drop", "Drop", name="do", value="drop", confirm='Drops "Ann" & Co.')
    form = one(shown, "form[method=post][action='/drop']")
    assert one(form, "input[name=csrf_token]")["value"]
    assert one(form, "button[name=do][value=drop]")["data-confirm"] == 'Drops "Ann" & Co.'
    assert not macro("post", "/forbidden", "Drop").find(), "no button without permission"


def test_no_rule_of_pages_hides_a_part_of_a_chart() -> None:
    drawn = " ".join(path.read_text() for path in (PACKAGE / "charts").glob("*.py"))
    parts = set(" ".join(re.findall(r'class_=f?"([^"{]+)', drawn)).split())
    hiding = re.findall(r"([^{}]+)\{[^{}]*display: none", STYLES)
    assert parts & set(re.findall(r"\.([\w-]+)", " ".join(hiding))) == set()
