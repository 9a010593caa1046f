"""The texts of the scripts in browsers: each is marked for translation, and found for the catalogues."""

import re

import pytest

from events.web.language import SAID, SCRIPTS
from tests.kit import sources

FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted(SCRIPTS.glob("*.js"))}
COMMENT = re.compile(r"(?m)(^|\s)//.*$")
LITERAL = re.compile(r'(?P<before>[\w.]+\(|class: |\}, )?"(?P<text>(?:[^"\\\n]|\\.)*)"')
FOR_NOBODY = re.compile(r"(gettext|querySelector(All)?|closest|matches)\($|^class: $")
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
SELECTOR = re.compile(r"[.\[#:]\w|use strict|button \w+|no-print")


def bare(script: str) -> list[str]:
    """The texts of a script that are not marked."""
    found = [
        match for match in LITERAL.finditer(COMMENT.sub("", script)) if not FOR_NOBODY.search(match["before"] or "")
    ]
    texts = [match["text"] for match in found if match["before"] == "}, " or WORDS.match(match["text"])]
    return [text for text in texts if not SELECTOR.search(text)]


def test_each_text_of_a_script_can_be_translated() -> None:
    assert len(FILES) > 5
    assert {name: found for name, script in FILES.items() if (found := bare(script))} == {}


@pytest.mark.parametrize("script", ['say("Saved it");', 'make("p", {}, "Close")', 'off ? gettext("On") : "Switch off"'])
def test_a_text_that_is_not_marked_is_found(script: str) -> None:
    assert len(bare(script)) == 1


def test_texts_of_scripts_are_extracted() -> None:
    """``pybabel`` reads strings inside of template strings only if it is told to."""
    extracted = {message.id for message in sources.texts()}
    texts = {text for script in FILES.values() for text in SAID.findall(script)}
    assert len(texts) > 50
    assert texts - extracted == set()
