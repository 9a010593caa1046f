"""Words that change before a figure: "d’Ada" in French, "Ada e Inés" in Spanish, "l’8" in Italian."""

import re

import pytest
from markupsafe import Markup

from events.web.language import SAID, SCRIPTS, counted_in_page, text_in_page
from languages.catalogues import read_source, translated
from languages.message import message, worded
from languages.words import elided, gettext, ngettext, speaking

CHANGED = {"fr": r"\b(?:d|qu|jusqu)’", "it": r"\b(?:(?:l|all|dell|dall)’|(?:degli|gli) )"}
"""Words as they are before a vowel, of which a catalogue cannot know whether the figure has one."""


@pytest.mark.parametrize(
    ("code", "text", "figure", "said"),
    [
        ("fr", "Liste de %(name)s", "Ada", "Liste d’Ada"),
        ("fr", "De %(name)s", "Élodie", "D’Élodie"),
        ("fr", "Liste de %(name)s", "Bea", "Liste de Bea"),
        ("fr", "PV de %(name)s", "A", "PV de A"),
        ("fr", "plus de %(name)s", 11, "plus de 11"),
        ("fr", "Fin de «\xa0%(name)s\xa0»", "Income", "Fin d’«\xa0Income\xa0»"),
        ("fr", "mieux que %(name)s", "Ada", "mieux qu’Ada"),
        ("fr", "le code %(name)s", "Ada", "le code Ada"),
        ("es", "%(name)s y %(name)s", "Inés", "Inés e Inés"),
        ("es", "%(name)s y %(name)s", "Hielo", "Hielo y Hielo"),
        ("es", "7 o %(name)s", 8, "7 u 8"),
        ("it", "fino al %(name)s", "8 nov", "fino all’8 nov"),
        ("it", "tutti i %(name)s", 11, "tutti gli 11"),
        ("it", "tutti i %(name)s", 81, "tutti i 81"),
        ("it", "lista di %(name)s", "Ada", "lista di Ada"),
        ("de", "Liste de %(name)s", "Ada", "Liste de Ada"),
    ],
)
def test_word_before_a_figure_follows_its_first_letter(code: str, text: str, figure: object, said: str) -> None:
    assert elided(code, text, {"name": figure}) % {"name": figure} == said


def test_texts_of_code_pages_and_the_journal_elide() -> None:
    with speaking("fr"):
        assert gettext("Painting of %(name)s", name="Ada") == "Peinture d’Ada"
        assert "d’Ada" in ngettext("Left out %(num)s step set aside of %(name)s", "…", 1, name="Ada")
        page = text_in_page("Fixtures of <bdi>%(name)s</bdi>", name="Ada <3")
        assert (page, type(page)) == ("Calendrier d’<bdi>Ada &lt;3</bdi>", Markup)
        assert counted_in_page("%(name)s has %(num)s win", "…", 1, name=Markup("<b>Ada</b>")).startswith("<b>")
        assert text_in_page("Painting of %(name)s", name=Markup("<bdi>Ada</bdi>")) == "Peinture d’<bdi>Ada</bdi>"
        assert worded(message("Undid the check-in of %(name)s", name="Ada")) == "Pointage d’Ada annulé"


@pytest.mark.parametrize("code", CHANGED)
def test_catalogues_have_the_full_word_before_a_figure(code: str) -> None:
    changed = re.compile(rf"{CHANGED[code]}(?:<[^>]*>|[«“\s])*%\(", re.IGNORECASE)
    texts = [(a_message.id, str(a_message.string)) for a_message in read_source(code) if a_message.id]
    assert [(of, said) for of, said in texts if changed.search(said)] == []


def test_scripts_have_no_word_that_changes_before_a_figure() -> None:
    """A browser fills in their figures without this rule; a moment begins with a figure there."""
    texts = {text for file in SCRIPTS.glob("*.js") for text in SAID.findall(file.read_text(encoding="utf-8"))}
    assert len(texts) > 20
    for code in translated():
        with speaking(code):
            said = {gettext(text) for text in texts}
        for figure in ("Ada", "Inés", "Oda", "8"):
            figures = dict.fromkeys(re.findall(r"%\((\w+)\)s", " ".join(texts)), figure) | {"moment": "3 May"}
            assert {elided(code, text, figures) for text in said} == said
