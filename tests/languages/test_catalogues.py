"""The catalogues: complete, with the figures and tags of the English, and of the texts that the code has."""

import ast
import re
from collections import defaultdict
from functools import cache
from string import ascii_letters

import pytest
from babel.messages.catalog import Catalog, Message

from languages.catalogues import WITH_DESK, read_source, translated
from languages.update import KEYWORDS, for_staff, is_translated, waiting
from languages.words import gettext, pgettext, speaking
from tests.kit import sources

LANGUAGES = translated()
FIGURE, TAG, QUOTED = (
    re.compile(r"%\(\w+\)s|%%"),
    re.compile(r"</?[a-z][^>]*>"),
    re.compile(r"[“„«]\s?([^“”»]+?)\s?[“”»]"),
)


@cache
def catalogue(code: str) -> Catalog:
    return read_source(code)


def forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def english(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def test_there_are_catalogues() -> None:
    assert LANGUAGES, "nothing would be tested"


@pytest.mark.parametrize("code", LANGUAGES)
def test_few_texts_wait_for_a_translator(code: str) -> None:
    """Catalogues are completed for a release; between releases new texts stay English."""
    assert len(waiting(catalogue(code), sources.texts())) < 0.05 * len(sources.texts())


def test_a_waiting_text_is_found() -> None:
    """A text for players in each language; one for staff only where the desk is translated."""
    texts = Catalog()
    texts.add("Round", locations=[("events/hall/x.html", 1)])
    texts.add("Rounds of the desk", locations=[("events/desk/x.py", 1)])
    by_language = {code: [text.id for text in waiting(Catalog(locale=code), texts)] for code in ("de", "fr")}
    assert by_language == {"de": ["Round", "Rounds of the desk"], "fr": ["Round"]}


def test_no_text_stands_in_an_f_string() -> None:
    """There ``pybabel`` does not find it, in Python 3.11."""
    found = [
        f"{path}:{call.lineno}"
        for path in sources.python_files("events/", "models/", "pdf/", "service/", "validators/")
        for string in sources.nodes(path)
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert found == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_figures_and_tags_are_those_of_the_english(code: str) -> None:
    """Of a counted text, a form may leave out its number: "one game"."""
    wrong = []
    for message in catalogue(code):
        if not message.id or not is_translated(message):
            continue
        whole = english(message)[-1]
        for said in forms(message):
            figures, wanted = sorted(FIGURE.findall(said)), sorted(FIGURE.findall(whole))
            counted = len(english(message)) > 1 and set(figures) <= set(wanted)
            if not (figures == wanted or counted) or sorted(TAG.findall(said)) != sorted(TAG.findall(whole)):
                wrong.append((message.id, said))
    assert wrong == []


@pytest.mark.parametrize("code", [language for language in LANGUAGES if language not in WITH_DESK])
def test_quoted_buttons_of_an_english_desk_stay_english(code: str) -> None:
    """Where a catalogue lacks the desk, readers find its buttons and headings in English alone."""
    by_text = defaultdict[str, list[Message]](list)
    for text in sources.texts():
        by_text[english(text)[0]].append(text)
    desk = {text for text, found in by_text.items() if all(for_staff(message.locations) for message in found)}
    quoting = [
        (message, QUOTED.findall(english(message)[-1]))
        for message in catalogue(code)
        if message.id and is_translated(message)
    ]
    quoted = [(message, name) for message, names in quoting for name in names if name in desk]
    assert len(quoted) > 2
    assert [
        (message.id, name)
        for message, name in quoted
        if not all(name in QUOTED.findall(said) for said in forms(message))
    ] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_sentences_are_not_english(code: str) -> None:
    """A catalogue that repeats the English would pass the tests above."""
    sentences = [
        message
        for message in catalogue(code)
        if message.id and is_translated(message) and english(message)[0].count(" ") > 4
    ]
    same = [sentence.id for sentence in sentences if set(forms(sentence)) & set(english(sentence))]
    assert len(sentences) > 1000
    assert len(same) <= 5, same


def test_contexts_are_needed() -> None:
    """A text has one only where a language words it otherwise than without, or in another context."""
    words: dict[str, dict[str | None, list[str]]] = {}
    for message in (a_message for code in LANGUAGES for a_message in catalogue(code)):
        words.setdefault(english(message)[0], {}).setdefault(message.context, []).extend(forms(message))
    found = {text: by for text, by in words.items() if set(by) != {None}}
    assert len(found) > 5
    assert [text for text, by in found.items() if len(by) > 1 and len({*map(tuple, by.values())}) < len(by)] == []


def test_words_of_two_meanings_are_two_words() -> None:
    with speaking("de"):
        assert (gettext("Loss"), pgettext("models", "Loss")) == ("Niederlage", "Verlust")
        assert (gettext("Losses"), gettext("Casualties")) == ("Niederlagen", "Verluste")
    with speaking("fr"):
        assert (gettext("Raiders"), pgettext("role", "Raiders")) == ("Raiders", "Pillards"), "a faction, as printed"


@pytest.mark.parametrize("code", LANGUAGES)
def test_counted_texts_have_each_form_of_the_language(code: str) -> None:
    counted = [
        message for message in catalogue(code) if message.id and len(english(message)) > 1 and is_translated(message)
    ]
    assert [message.id for message in counted if len(forms(message)) != catalogue(code).num_plurals] == []
    assert all(any(letter in ascii_letters for letter in form) for message in counted for form in forms(message))


def test_french_has_no_break_spaces_before_its_signs() -> None:
    """The glossary's rule: before ; : ! ? and %, and inside « »; in code and in what is typed there is none."""
    wrong = re.compile(r" [;:!?»]|« | %%|\w[!?;](?![\w=&/])|\w»|«\w")
    found = [
        form
        for message in catalogue("fr")
        if message.id and is_translated(message)
        for form in forms(message)
        if wrong.search(TAG.sub("", re.sub(r"<code>.*?</code>|https?:\S+|&\w+;", "", form)))
    ]
    assert found == []
