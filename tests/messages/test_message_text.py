"""Placeholders: replaced plainly and once, whatever stands in a name; others are refused at their place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.messages.queries import GROUPS
from events.messages.text import COMMON, PERSONAL, TEMPLATES, asked_for, filled, filled_line, pieces, unknown
from events.play.errors import Refused
from events.play.names import read_address

HOSTILE = ["{link}", "{{7*7}}", "{0.__class__}", "%s%(x)s", "{% x %}", "$name", "\\1\\g<1>", "{name}"]


@pytest.mark.proves("attack 29", "ASVS 1.3.7")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_looks_like_a_placeholder_stays_a_name(name: str) -> None:
    text = filled("Hello {name}, look at {link}.", {"name": name, "link": "https://iron.example/p/secret"})
    assert text == f"Hello {name}, look at https://iron.example/p/secret."


@given(words=st.dictionaries(st.sampled_from([*PERSONAL, *COMMON]), st.text(max_size=20)), between=st.text(max_size=20))
def test_every_word_stands_where_its_placeholder_stood(words: dict[str, str], between: str) -> None:
    between = between.replace("{", "(").replace("}", ")")
    text = between.join(f"{{{name}}}" for name in words)
    assert filled(text, words) == between.join(words.values())
    assert [name for name, _ in pieces(text, words) if name] == list(words)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{tabel}", "No placeholder is called “{tabel}”."),
        ("Hello\n{name}\n{{7*7}}", "No placeholder is called “{7*7}” in line 3."),
        ("{0.__class__}", "No placeholder is called “{0.__class__}”."),
        ("{}", "No placeholder is called “{}”."),
        ("{ name }", "No placeholder is called “{ name }”."),
        ("{name!r:>9999999}", "No placeholder is called “{name!r:>9999999}”."),
    ],
)
def test_what_is_no_placeholder_is_told_with_its_place(text: str, said: str) -> None:
    assert unknown(text).startswith(said)
    assert "{name}, {game}" in unknown(text)


@pytest.mark.parametrize("text", ["", "100 % {name}", "a { b", "} {", "{\n}", "%s"])
def test_what_is_plain_is_left_alone(text: str) -> None:
    assert unknown(text) == ""


def test_what_has_no_word_stays_as_it_was_written() -> None:
    assert filled("Hello {name} at {event}", {"event": "Iron Open"}) == "Hello {name} at Iron Open"


@pytest.mark.proves("attack 31", "ASVS 1.3.11")
def test_a_subject_is_one_line() -> None:
    assert filled_line("Hi {name}\r\nBcc: all", {"name": "A\r\nBcc: x"}) == "Hi A Bcc: x Bcc: all"


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_templates_use_what_there_is(name: str) -> None:
    template = TEMPLATES[name]
    assert unknown(template.subject) == unknown(template.text) == ""
    assert template.recipients in GROUPS
    assert asked_for(template.subject) <= {*COMMON}, "a subject with a name in it would be no event's"


@pytest.mark.parametrize(
    "typed", ["ada@mail.example", " ada@mail.example ", "a.b+c@x-y.mail.example", "o'hara@ab.example"]
)
def test_addresses_are_taken(typed: str) -> None:
    assert read_address(typed) == typed.strip()


@pytest.mark.proves("attack 31", "ASVS 1.3.11")
@pytest.mark.parametrize(
    "typed",
    ["ada", "ada@", "@mail.example", "ada@localhost", "a b@mail.example", "ada@mail..example", "ada@-mail.example",
     "ada@mail.example\r\nBcc: x@y.example", "ada@mail.example,bo@mail.example", "<ada@mail.example>",
     "ada@[127.0.0.1]",
     "=?utf-8?q?a?=@mail.example", "ädä@mail.example", "ada@mäil.example", "ada.@mail.example", "a\x00b@mail.example",
     f"{'a' * 65}@mail.example", f"ada@{'a.' * 130}example"],
)  # fmt: skip
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as refused:
        read_address(typed)
    assert refused.value.field == "mail"
