"""Texts in the language of whoever reads them. Pure: who reads is set by ``use`` or ``speaking``.

Texts stand in the code in British English, as whole sentences; a catalogue ``<language>/messages.po`` translates them.
Whoever has no catalogue, or a text that it lacks, reads English.

Words change before what a figure begins with: in French "de %(name)s" is "d’Ada" and "de Bea". Catalogues write the
full word before a figure, and it is changed when the figure is filled in.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations
from typing import TypeVar, cast

from babel import Locale
from babel.lists import format_list
from babel.numbers import get_decimal_symbol
from babel.support import LazyProxy

from languages.catalogues import read_catalogue, translated

Text = TypeVar("Text", bound=str)
_VOWEL = r"[aeiouàâäéèêëîïôöùûü]\w"  # not a side, which is one letter: "de A"
_NUMBER = r"(?:8|11)\b"  # they begin with vowels where they are read aloud
_MARKS = r"(?:<[^>]*>|[«“„\s])*"
_RULES = {
    "fr": {"de ": ("d’", _VOWEL), "que ": ("qu’", _VOWEL)},
    "es": {"y ": ("e ", "h?[ií](?![aeo])"), "o ": ("u ", f"h?[oó]|{_NUMBER}")},
    "it": {
        "il ": ("l’", _NUMBER), "al ": ("all’", _NUMBER), "dal ": ("dall’", _NUMBER), "del ": ("dell’", _NUMBER),
        "i ": ("gli ", _NUMBER), "dei ": ("degli ", _NUMBER),
    },
}  # fmt: skip
"""By language and word: the changed word, and what the figure after it begins with."""
_BEFORE = {
    code: re.compile(rf"\b({'|'.join(rules)})(?={_MARKS}%\((\w+)\)s)", re.IGNORECASE) for code, rules in _RULES.items()
}


def elided(code: str, said: Text, figures: Mapping[str, object]) -> Text:
    """The text with each word before a figure as the language has it there."""
    if code not in _RULES:
        return said

    def changed(match: re.Match[str]) -> str:
        word, begins = _RULES[code][match[1].lower()]
        fits = re.match(_MARKS + begins, str(figures.get(match[2], "")), re.IGNORECASE)
        return (word.capitalize() if match[1].istitle() else word) if fits else match[1]

    return type(said)(_BEFORE[code].sub(changed, said))


ENGLISH = "en"
Reader = Callable[[], str]


def english() -> str:
    return ENGLISH


@cache
def always(code: str) -> Reader:
    return lambda: code


_reader: ContextVar[Reader] = ContextVar("reader", default=english)


@cache
def offered() -> dict[str, str]:
    """The languages that can be chosen, by code: each under its own name, English first."""
    codes = [ENGLISH, *translated()]
    return {code: str(Locale.parse(code).get_display_name(code)).capitalize() for code in codes}


def first_offered(*codes: str | None) -> str:
    """The first of these languages that can be chosen, else English."""
    return next((code for code in codes if code in offered()), ENGLISH)


@cache
def locale_of(code: str) -> Locale:
    """Babel's facts about a language. English is that of Britain: 28 November 2026."""
    return Locale.parse("en_GB" if code == ENGLISH else code)


def language() -> str:
    return _reader.get()()


def locale() -> Locale:
    return locale_of(language())


def use(reader: Reader) -> None:
    """Ask ``reader`` for the language from now on, in this thread."""
    _reader.set(reader)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Word texts in this language inside the block, whoever reads the page."""
    before = _reader.set(always(code))
    try:
        yield
    finally:
        _reader.reset(before)


def gettext(message: str, /, **figures: object) -> str:
    """The text in the reader's language, with its figures: ``gettext("Table %(table)s", table=3)``."""
    text = _catalogue().gettext(message) if message else ""  # under which a catalogue has its own facts
    return filled(text, figures) if figures else text


def in_every_language(message: str) -> set[str]:
    """A text without figures, in each of the languages: what was stored may be in any of them."""
    texts = set()
    for code in offered():
        with speaking(code):
            texts.add(gettext(message))
    return texts


def ngettext(text: str, many: str, number: int, /, **figures: object) -> str:
    """As ``gettext``, in the form that the language uses for this number, which is ``%(num)s`` in the text."""
    return filled(form(text, many, number), {"num": number, **figures})


def form(text: str, many: str, number: int, /) -> str:
    """The form of a text for this number, without its figures: templates fill them in themselves."""
    return _catalogue().ngettext(text, many, number)


def pgettext(context: str, message: str, /, **figures: object) -> str:
    """As ``gettext``, for a short text that other languages word by its context, such as "Open"."""
    text = _catalogue().pgettext(context, message)
    return filled(text, figures) if figures else text


def lazy_gettext(message: str, /, **figures: object) -> str:
    """A text of a form or a constant, worded whenever it is shown."""
    return cast(str, LazyProxy(gettext, message, enable_cache=False, **figures))


def lazy_pgettext(context: str, message: str, /) -> str:
    return cast(str, LazyProxy(pgettext, context, message, enable_cache=False))


def N_(message: str, /) -> str:
    """The text itself: marks it for the catalogues. Where it is shown, ``gettext`` words it."""
    return message


def minus(figure: object) -> str:
    """A figure, or a text with figures, with the minus sign where a hyphen stands before a digit: "1d10−8"."""
    return _HYPHEN.sub("−", str(figure))


def signed(number: int) -> str:
    """A whole number with its sign: "+2" or "−2"."""
    return minus(f"{number:+d}")


def filled(said: Text, figures: Mapping[str, object]) -> Text:
    """The text in the reader's language with its figures, negative numbers with the minus sign."""
    signed = {
        name: minus(number) if isinstance(number, int) and number < 0 else number for name, number in figures.items()
    }
    return cast(Text, elided(language(), said, figures) % signed)


def pointed(figure: str) -> str:
    """A figure such as "0.667" with the sign for decimals of the reader's language: "0,667"."""
    return figure.replace(".", get_decimal_symbol(locale()))


def counted_points(value: float) -> str:
    """ "1 point", "6.5 points"."""
    if value != int(value):
        return gettext("%(n)s points", n=pointed(str(value)))
    return ngettext("%(num)s point", "%(num)s points", int(value))


def listed(parts: Sequence[str], *, style: str = "standard") -> str:
    """The parts as a list in a sentence: "A, B and C"; with ``style="or"``: "A, B or C"."""
    return str(format_list(list(parts), style=style, locale=locale()))  # type: ignore[arg-type]


def in_order(parts: Sequence[str]) -> str:
    sequence = parts[0] if parts else ""
    for part in parts[1:]:
        sequence = gettext("%(before)s, then %(following)s", before=sequence, following=part)
    return sequence


def labelled(label: str, text: str) -> str:
    """A text after its label, with the colon of the reader's language: "Caps: 3"."""
    return gettext(LABELLED, label=label, text=text)


def apart(parts: Iterable[str]) -> str:
    """The parts after each other, with the semicolon of the reader's language between them: "A; B; C"."""
    first, *others = [*parts] or [""]
    for part in others:
        first = gettext("%(before)s; %(following)s", before=first, following=part)
    return first


def with_nbsp(text: str) -> str:
    """The text with no-break spaces, so that it stays on one line."""
    return text.replace(" ", "\u00a0")


def capital(text: object) -> str:
    """The text with a capital at its beginning, and otherwise as it is: "eine Truppe" as "Eine Truppe"."""
    return str(text)[:1].upper() + str(text)[1:]


def in_sentence(text: object) -> str:
    """A heading inside a sentence: without its capital in English. Other languages keep it, as nouns may need it."""
    return str(text)[:1].lower() + str(text)[1:] if language() == ENGLISH else str(text)


def _catalogue() -> NullTranslations:
    code = language()
    return _NONE if code == ENGLISH else read_catalogue(code)


LABELLED = N_("%(label)s: %(text)s")
_NONE = NullTranslations()
_HYPHEN = re.compile(r"-(?=\d)")
