"""The look's promises that a machine can hold: contrast, no inline style or script, a sign with every colour."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask, get_template_attribute
from flask_wtf import CSRFProtect, FlaskForm
from jinja2 import FileSystemLoader
from wtforms import (
    BooleanField,
    Field,
    FieldList,
    FormField,
    IntegerField,
    RadioField,
    SelectField,
    StringField,
)
from wtforms import (
    Form as PlainForm,
)
from wtforms.validators import InputRequired, Optional

import events
from events.rooms import TEMPLATES
from validators import SYSTEMS
from validators.measures import measured
from validators.scenario import Scenario

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
    ("ink", "bad-wash"),
    ("bad", "bad-wash"),
    ("on-amber", "amber"),
    ("on-amber", "amber-press"),
    ("on-good", "good"),
    ("on-bad", "bad"),
    ("paper", "ink"),
]
LINES = [(line, ground) for line in ("line", "amber-line") for ground in ("paper", "raised", "sunk")]
STATES = (
    "legal", "query", "illegal", "draft", "submitted", "locked", "none", "registered", "waiting", "checked_in",
    "dropped", "open", "reported", "confirmed", "disputed", "decided", "drawn", "published", "playing", "complete",
    "registration", "in_progress", "finished",
)  # fmt: skip


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, after WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, after WCAG 2.2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture
def app() -> Flask:
    app = Flask("events.web")
    app.jinja_loader = FileSystemLoader(TEMPLATES)
    app.config.update(SECRET_KEY="a test", WTF_CSRF_ENABLED=True)
    CSRFProtect(app)
    app.jinja_env.globals["may_follow"] = lambda address, method: "forbidden" not in address
    return app


def page(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")


def one(soup: Tag, selector: str) -> Tag:
    """The one element that a selector finds."""
    (found,) = soup.select(selector)
    return found


def text_of(soup: Tag, id_: str) -> str:
    return one(soup, f"[id='{id_}']").get_text(strip=True)


def number(tag: Tag, attribute: str) -> float:
    return float(str(tag[attribute]))


def macro(app: Flask, template: str, name: str) -> Any:
    with app.app_context():
        return get_template_attribute(template, name)


def test_text_has_contrast_seven_and_lines_three_in_both_themes() -> None:
    for least, pairs in ((7, TEXT), (3, LINES)):
        for theme in (0, 1):
            ratios = {(ink, ground): contrast(COLOURS[ink][theme], COLOURS[ground][theme]) for ink, ground in pairs}
            assert {pair: ratio for pair, ratio in ratios.items() if ratio < least} == {}


def test_old_browsers_get_the_same_light_page() -> None:
    before = STYLES.split("@supports")[0]
    plain = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", before))
    assert plain == {name: light for name, (light, _) in COLOURS.items()}


def test_every_state_has_a_sign_and_a_word(app: Flask) -> None:
    badge = macro(app, "web/_ui.html", "badge")
    for state in STATES:
        shown = page(badge(state))
        assert shown.select(".sign svg path, .sign svg circle"), state
        assert len(shown.get_text(strip=True)) > 3, state
        assert "_" not in shown.get_text()


def test_states_that_oppose_one_another_differ_in_sign_not_only_in_colour(app: Flask) -> None:
    badge = macro(app, "web/_ui.html", "badge")
    for opposed in (("legal", "query", "illegal"), ("confirmed", "reported", "disputed")):
        signs = {str(one(page(badge(state)), "svg")) for state in opposed}
        assert len(signs) == 3


class Inner(PlainForm):
    word = StringField("Word", [InputRequired("Inner word is missing.")])


class Sample(FlaskForm):
    name = StringField("Name", [InputRequired("Please give a name.")])
    club = StringField("Club", [Optional()])
    size = IntegerField("Size", [InputRequired("A size is needed.")])
    edition = SelectField("Edition", choices=["one", "two"])
    method = RadioField("Method", choices=["a", "b"], validators=[InputRequired("Choose one.")])
    painted = BooleanField("Painted")
    inner = FormField(Inner)
    rows = FieldList(StringField("Row", [InputRequired("Row is missing.")]), min_entries=1)


@pytest.fixture
def refused(app: Flask) -> Iterator[Sample]:
    """A form as it stands after it was refused."""
    sent = {"name": "", "size": "<many>", "rows-0": ""}
    with app.test_request_context("/", method="POST", data=sent):
        form = Sample(meta={"csrf": False})
        assert not form.validate()
        form.form_errors.append("The whole does not fit.")
        yield form


def test_a_refused_form_names_every_fault_at_the_top_with_a_link(app: Flask, refused: Sample) -> None:
    form = refused
    shown = page(macro(app, "web/_ui.html", "error_list")(form))
    drawn = page("".join(str(macro(app, "web/_ui.html", "field")(f)) for f in plain_fields(form)))
    words = shown.get_text(" ")
    for fault in (
        "Please give a name.",
        "Choose one.",
        "Inner word is missing.",
        "Row is missing.",
        "The whole does not fit.",
    ):
        assert fault in words
    for link in shown.select("a"):
        target = str(link["href"]).removeprefix("#")
        assert len(drawn.select(f"[id='{target}']")) == 1, target


def plain_fields(form: Sample) -> list[Field]:
    return [
        form.name,
        form.club,
        form.size,
        form.edition,
        form.method,
        form.painted,
        form.inner.form.word,
        *form.rows.entries,
    ]


def test_a_field_keeps_what_was_typed_and_points_to_its_words(app: Flask, refused: Sample) -> None:
    form = refused
    field = macro(app, "web/_ui.html", "field")
    shown = page(field(form.name, help="As on the poster.", autocomplete="name"))
    box = one(shown, "input")
    assert box["aria-invalid"] == "true"
    assert box["autocomplete"] == "name"
    hints = [text_of(shown, id_) for id_ in str(box["aria-describedby"]).split()]
    assert hints == ["As on the poster.", "Please give a name."]
    size = page(field(form.size, suffix="Caps"))
    assert one(size, "[data-stepper] input[type=number]")["value"] == "<many>"
    assert text_of(size, "size-suffix") == "Caps"
    assert "optional" in page(field(form.club)).get_text()
    method = page(field(form.method))
    assert one(method, "fieldset > legend").get_text(strip=True) == "Method"
    assert len(method.select("input[type=radio]")) == 2


def test_a_post_carries_its_token_and_its_warning(app: Flask) -> None:
    with app.test_request_context("/"):
        shown = page(
            macro(app, "web/_ui.html", "post")("/drop", "Drop", name="do", value="drop", confirm='Drops "Ann" & Co.')
        )
    form = one(shown, "form[method=post][action='/drop']")
    assert one(form, "input[name=csrf_token]")["value"]
    assert one(form, "button[name=do][value=drop]")["data-confirm"] == 'Drops "Ann" & Co.'
    assert str(macro(app, "web/_ui.html", "post")("/forbidden", "Drop")).strip() == "", (
        "who may not press sees no button"
    )


@pytest.mark.slow
def test_a_map_draws_every_marker_at_its_inches(app: Flask) -> None:
    scenario_map = macro(app, "lists/_map.html", "scenario_map")
    for game in SYSTEMS.values():
        for scenario in game.scenarios:
            drawn = game.scenario(scenario.id)
            check_map(drawn, page(scenario_map(drawn, measured(drawn, game.rulers), "Ann <b>", "Бо")))


def check_map(scenario: Scenario, shown: BeautifulSoup) -> None:
    """Compare the drawing's markers, numbers and description with the scenario's figures, in inches."""
    n = scenario.table_inches
    circles = [(number(c, "cx"), number(c, "cy")) for c in shown.select("circle.map-marker")]
    squares = [
        (number(r, "x") + number(r, "width") / 2, number(r, "y") + number(r, "height") / 2)
        for r in shown.select("rect.map-marker")
    ]
    k = n / 36  # inches to a unit of the drawing
    centres = sorted((round(x * k, 6), round(n - y * k, 6)) for x, y in circles + squares)
    assert centres == sorted((m.x, m.y) for m in scenario.markers), scenario.id
    assert [tick.get_text() for tick in shown.select(".map-number")][::2] == [str(i) for i in range(0, n + 1, 6)]
    named = [text_of(shown, id_) for id_ in str(one(shown, "svg[role=img]")["aria-labelledby"]).split()]
    assert scenario.name in named[0]
    assert all(f"{m.x:g}, {m.y:g}" in named[1] for m in scenario.markers), scenario.id
    assert not shown.select("b")
