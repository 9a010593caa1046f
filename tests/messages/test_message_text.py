"""Placeholders are replaced once, whatever a name contains; unknown ones and invalid addresses are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.messages.queries import GROUPS
from events.messages.text import COMMON, PERSONAL, TEMPLATES, asked_for, filled, filled_line, pieces, unknown
from events.play.errors import Refused
from events.play.parsing import LONGEST, read_address


@pytest.mark.proves("attack 29", "attack 31", "ASVS 1.3.7", "ASVS 1.3.11")
def test_name_that_looks_like_a_placeholder_stays_a_name() -> None:
    for name in ("{link}", "{{7*7}}", "{0.__class__}", "%s%(x)s", "{% x %}", "$name", "\\1\\g<1>", "{name}"):
        text = filled("Hello {name}, look at {link}.", {"name": name, "link": "https://iron.example/p/secret"})
        assert text == f"Hello {name}, look at https://iron.example/p/secret."
    assert filled("Hello {name} at {event}", {"event": "Iron Open"}) == "Hello {name} at Iron Open"
    assert filled_line("Hi {name}\r\nBcc: all", {"name": "A\r\nBcc: x"}) == "Hi A Bcc: x Bcc: all", "one line"


@settings(max_examples=25)
@given(words=st.dictionaries(st.sampled_from([*PERSONAL, *COMMON]), st.text(max_size=20)), between=st.text(max_size=20))
def test_every_placeholder_is_replaced_in_place(words: dict[str, str], between: str) -> None:
    between = between.replace("{", "(").replace("}", ")")
    text = between.join(f"{{{name}}}" for name in words)
    assert filled(text, words) == between.join(words.values())
    assert [name for name, _ in pieces(text, words) if name] == list(words)


def test_unknown_placeholder_is_reported_with_its_line() -> None:
    for text, error in (
        ("{tabel}", "No placeholder is called “{tabel}”."),
        ("Hello\n{name}\n{{7*7}}", "No placeholder is called “{7*7}” in line 3."),
        ("{0.__class__}", "No placeholder is called “{0.__class__}”."),
        ("{}", "No placeholder is called “{}”."),
        ("{ name }", "No placeholder is called “{ name }”."),
        ("{name!r:>9999999}", "No placeholder is called “{name!r:>9999999}”."),
    ):
        assert unknown(text).startswith(error)
        assert "{name}, {game}" in unknown(text)
    for plain in ("", "100 % {name}", "a { b", "} {", "{\n}", "%s"):
        assert unknown(plain) == ""


def test_templates_use_known_placeholders_and_groups() -> None:
    for template in TEMPLATES.values():
        assert unknown(template.subject) == unknown(template.text) == ""
        assert template.recipients in GROUPS
        assert asked_for(template.subject) <= {*COMMON}, "the desk shows one subject for all players"


@pytest.mark.proves("attack 31", "ASVS 1.3.11")
def test_mail_address_is_checked() -> None:
    longest = "@".join(("a" * 64, ".".join(("b" * 60, "b" * 60, "b" * 60, "exampl"))))
    assert len(longest) == LONGEST
    for typed in ("ada@mail.example", " ada@mail.example ", "a.b+c@x-y.mail.example", "o'hara@ab.example", longest):
        assert read_address(typed) == typed.strip()
    for typed in (
        "ada", "ada@", "@mail.example", "ada@localhost", "a b@mail.example", "ada@mail..example", "ada@-mail.example",
        "ada@mail.example\r\nBcc: x@y.example", "ada@mail.example,bo@mail.example", "<ada@mail.example>",
        "ada@[127.0.0.1]", "=?utf-8?q?a?=@mail.example", "ädä@mail.example", "ada@mäil.example", "ada.@mail.example",
        "a\x00b@mail.example", f"{'a' * 65}@mail.example", f"{longest}e",
    ):  # fmt: skip
        with pytest.raises(Refused) as refused:
            read_address(typed)
        assert refused.value.field == "mail", typed
