"""Who reads which language: the reader's choice, else the event's, else the browser's."""

from datetime import datetime

import pytest
from flask import Flask

from events.web.language import reader_language
from languages.dates import dated
from languages.words import gettext, lazy_gettext, listed, ngettext, offered, speaking
from tests.kit.people import Links
from tests.kit.person import Enter, Person
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.secrets_planted import pdf_text
from tests.kit.stage import Event, Player, Stage

FOOT = "Not affiliated with any publisher."


@pytest.fixture(autouse=True)
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    offer_pseudo(monkeypatch)


def language(person: Person) -> str:
    """The language that the page says it is in, which must be that of its text."""
    said = str(person.page.soup.select_one("html")["lang"])  # type: ignore[index]
    assert (f"{FOOT} ~" in person.page.text) == (said == CODE), person.page.text[-300:]
    return said


def open_in(person: Person, address: str, accept: str = "") -> str:
    person.http.environ_base["HTTP_ACCEPT_LANGUAGE"] = accept
    person.open(address)
    return language(person)


def test_choice_precedes_the_event_which_precedes_the_browser(stage: Stage, event: Event, visitor: Person) -> None:
    page = f"/e/{event.slug}"
    assert open_in(visitor, page) == "en"
    assert open_in(visitor, page, "xx, de;q=0.4") == "de"
    assert open_in(visitor, page, f"{CODE}, de;q=0.4") == CODE
    stage.set(event, language=CODE)
    assert open_in(visitor, page, "de") == CODE
    assert open_in(visitor, "/", "de") == "de"
    assert visitor.press("Deutsch", at=page).path == page
    assert (open_in(visitor, page), open_in(visitor, "/")) == ("de", "de")
    visitor.press("English")
    assert open_in(visitor, page, "de") == "en"


def test_hall_and_programs_read_no_visitors_language(stage: Stage, event: Event, visitor: Person) -> None:
    stage.set(event, language=CODE)
    visitor.press("Deutsch", at=f"/e/{event.slug}")
    for _ in range(2):  # from the cache, too
        assert open_in(visitor, f"/e/{event.slug}/hall", "de") == CODE
        for program in (f"/api/v1/events/{event.slug}", f"/e/{event.slug}/players.csv"):
            answer = visitor.http.get(program, headers={"Accept-Language": CODE})
            assert (answer.status_code, "⟦" in answer.text) == (200, False), program


def test_cached_pages_are_each_in_their_own_language(app: Flask, event: Event) -> None:
    person, other = Person(app), Person(app)
    page = f"/e/{event.slug}/standings"
    for _ in range(2):
        assert (open_in(person, page, "de"), open_in(other, page, CODE)) == ("de", CODE)


def test_choice_is_kept_with_the_player_and_comes_with_the_link(
    stage: Stage, app: Flask, event: Event, enter: Enter, link_of: Links
) -> None:
    [ada] = enter(event, "Ada")
    ada.press("Esperanto", at=f"/e/{event.slug}/me")
    assert language(ada) == CODE
    player = stage.one(Player, name="Ada")
    assert player.language == CODE
    phone = Person(app)
    phone.open(link_of(player))
    assert open_in(phone, "/", "de") == CODE


@pytest.mark.parametrize(
    "back", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/\tx", "/é", ""]
)
def test_choice_leads_to_no_other_site(visitor: Person, back: str) -> None:
    answer = visitor.ask("POST", "/language", {"language": "de", "back": back})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_unknown_language_changes_nothing(visitor: Person) -> None:
    visitor.ask("POST", "/language", {"language": "xx", "back": "/"})
    assert open_in(visitor, "/") == "en"


def test_scripts_have_their_texts_in_the_language(visitor: Person) -> None:
    script = 'script[src^="/texts/"]'
    open_in(visitor, "/", "en")
    assert visitor.page.soup.select_one(script) is None
    open_in(visitor, "/", CODE)
    address = str(visitor.page.soup.select_one(script)["src"])  # type: ignore[index]
    answer = visitor.ask("GET", address)
    assert answer.text.startswith('window.OVERSEER_TEXTS = {"') and '"Copied": "\\u27e6Copied ' in answer.text
    assert "immutable" in answer.headers["Cache-Control"]
    assert visitor.ask("GET", f"/texts/{CODE}.js?v=older").headers["Cache-Control"] == "no-cache"
    assert visitor.ask("GET", "/texts/xx.js").status_code == 404


def test_empty_text_stays_empty() -> None:
    """A catalogue has its own facts under the empty text."""
    for code in ("en", "de"):
        with speaking(code):
            assert (gettext(""), str(lazy_gettext(""))) == ("", "")


def test_texts_days_and_lists() -> None:
    moment = datetime(2026, 11, 28, 10, 5)  # noqa: DTZ001
    forms = ("%a %-d %b %Y, %H:%M", "%-d %B", "%H:%M", "%Y-%m-%d")
    assert [dated(moment, form) for form in forms] == [moment.strftime(form) for form in forms]
    with speaking("de"):
        assert [dated(moment, form) for form in forms] == [
            "Sa., 28. Nov. 2026, 10:05",
            "28. November",
            "10:05",
            "2026-11-28",
        ]
        assert (gettext("Unknown %(x)s", x=1), listed(["A", "B", "C"])) == ("Unknown 1", "A, B und C")
    assert (ngettext("%(num)s game", "%(num)s games", 2), listed(["A", "B"], style="or")) == ("2 games", "A or B")
    assert offered()["en"] == "English"


def test_template_words_a_number_beside_other_figures(app: Flask) -> None:
    text = "{% trans n=many, who=name %}{{ who }}: {{ n }} game{% pluralize %}{{ who }}: {{ n }} games{% endtrans %}"
    with app.test_request_context():
        worded = [app.jinja_env.from_string(text).render(many=many, name="Ada") for many in (1, 2)]
    assert worded == ["Ada: 1 game", "Ada: 2 games"]


def test_template_with_a_per_cent_sign_is_in_the_catalogue(app: Flask) -> None:
    template = app.jinja_env.from_string("{% trans %}The strength is within the bar with 95 % certainty.{% endtrans %}")
    with speaking("de"):
        assert template.render().startswith("Die Stärke")


def test_paper_is_in_the_language_of_its_event(stage: Stage, event: Event, olga: Person) -> None:
    olga.press("Deutsch", at="/")
    blank = f"/e/{event.slug}/desk/badges.pdf?for=blank"
    assert "Badges ~" not in pdf_text(olga.http.get(blank).data)
    stage.set(event, language=CODE)
    assert "Badges ~" in pdf_text(olga.http.get(blank).data)


def test_files_for_programs_are_in_english(app: Flask) -> None:
    found = {}
    for name in ("players.csv", "event.xlsx", "players"):
        with app.test_request_context(f"/e/x/{name}", headers={"Accept-Language": CODE}):
            found[name] = reader_language()
    assert found == {"players.csv": "en", "event.xlsx": "en", "players": CODE}
