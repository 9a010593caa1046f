"""The language in which a request is answered.

It is the visitor's choice (kept in the cookie; a player's link brings the player's own), else the event's, else the
browser's. Programs read English, and so do staff at the desk if their language has no texts for it.
"""

import hashlib
import json
import re
from functools import cache, lru_cache
from pathlib import Path

from flask import Flask, g, has_request_context, request, session, url_for
from markupsafe import Markup

from events.web.answers import is_interface
from events.web.request import paper_choice, under
from languages import words
from languages.catalogues import WITH_DESK
from languages.dates import dated, day_written
from languages.message import worded
from languages.words import ENGLISH, always, first_offered, gettext, offered, pgettext
from models.people import Account
from models.person import Person
from models.play import Player

SCRIPTS = Path(__file__).parent / "static"
SAID = re.compile(r'\bgettext\("([^"]+)"')
"""A text in a script."""
CHOSEN = "language"
"""The name of the choice in the cookie."""
FOR_PROGRAMS = (".csv", ".json", ".trf", ".xlsx")
"""The ends of the addresses of files that programs read, whose heads and words are English."""
FOR_PEOPLE = ("journal.as_csv",)
"""Endpoints of such files that people read: only their heads are English."""
PAPER, PROJECTOR = ("/pack.zip", ".pdf"), "projector"
"""The ends of the addresses of sheets, and the blueprint of the hall's screen: in the event's language for all."""


def speak_to_readers(app: Flask) -> None:
    env = app.jinja_env
    env.add_extension("jinja2.ext.i18n")
    env.policies["ext.i18n.trimmed"] = True
    # As install_gettext_callables would, but with functions that take half the time of those it makes.
    env.newstyle_gettext = True  # type: ignore[attr-defined]
    env.globals |= {
        "_": text_in_page, "gettext": text_in_page, "ngettext": counted_in_page, "pgettext": pgettext,
        "labelled": labelled_in_page,
    }  # fmt: skip
    env.filters |= {
        "said": gettext, "worded": worded, "dated": dated, "day_written": day_written, "minus": words.minus,
        "capital": words.capital, "in_sentence": words.in_sentence, "apart": words.apart, "listed": words.listed,
        "under": under,
    }  # fmt: skip
    env.globals |= {
        "language": words.language,
        "noted": words.N_,
        "texts_address": texts_address,
        "languages_offered": offered,
        "languages_here": languages_here,
    }
    app.before_request(lambda: words.use(reader_language))
    app.teardown_request(lambda failed: words.use(words.english))


def text_in_page(message: str, /, **figures: object) -> Markup:
    """The text as HTML in the reader's language; figures that are not HTML are escaped."""
    text = _worded(words.language(), message)
    return words.filled(text, figures) if figures or "%" in text else text


def labelled_in_page(label: str, text: str) -> Markup:
    return text_in_page(words.LABELLED, label=label, text=text)


def counted_in_page(text: str, many: str, number: int, /, **figures: object) -> Markup:
    html = Markup(words.form(text, many, number))  # noqa: S704 - the code's own
    return words.filled(html, {"num": number, **figures})


@lru_cache(maxsize=10_000)  # more than the texts of two languages
def _worded(code: str, message: str) -> Markup:
    with words.speaking(code):
        return Markup(gettext(message))  # noqa: S704 - the code's own


def reader_language() -> str:
    """The language of the request's reader; English outside a request."""
    if not has_request_context():
        return ENGLISH
    if "language" not in g:
        language = _language()
        if "event" not in g and "slug" in (request.view_args or {}):
            return language  # the event, which is not loaded yet, may name another
        g.language = language
    code = str(g.language)
    words.use(always(code))  # known from here on: a page asks a thousand times
    return code


def _language() -> str:
    event = g.get("event")
    return language_for(event.language if event else None)


def answer_a_person(*, turned_away: bool) -> None:
    """Word the page of an error for whoever reads it, also at the address of a file for programs.

    Who is ``turned_away`` from the desk may be a player, and reads why in their own language.
    """
    g.is_page, g.turned_away = True, turned_away
    g.pop("language", None)
    words.use(reader_language)


def language_for(event_language: str | None) -> str:
    """The language of an answer about an event with this language; None: the event names none."""
    for_programs = request.path.endswith(FOR_PROGRAMS) and request.endpoint not in FOR_PEOPLE
    if is_interface() or (for_programs and "is_page" not in g):
        return ENGLISH
    chosen, browsers = session.get(CHOSEN), request.accept_languages.best_match(offered())
    if request.path.endswith(PAPER):
        return first_offered(language_asked(), event_language, chosen, browsers)
    if request.blueprint == PROJECTOR:
        return first_offered(event_language, chosen, browsers)
    if not _at_desk():
        return first_offered(chosen, event_language, browsers)
    wanted = (chosen,) if chosen else (event_language, browsers)
    return first_offered(*(code for code in wanted if code in WITH_DESK))


def _at_desk() -> bool:
    return "/desk" in request.path and not g.get("turned_away")


def languages_here() -> dict[str, str]:
    """The languages of this page that can be chosen, by code: at the desk, those that have its texts."""
    return {code: name for code, name in offered().items() if code in {ENGLISH, *WITH_DESK} or not _at_desk()}


def language_asked() -> str | None:
    """The language chosen for papers; None: that of the event."""
    asked = paper_choice("language")
    return asked if asked in offered() else None


def keep_language(row: Account | Person | Player) -> None:
    """At a sign-in on a new browser: use the language chosen elsewhere, unless one was chosen here."""
    if row.language in offered():
        session.setdefault(CHOSEN, row.language)


@cache
def texts_of_scripts(code: str) -> str:
    """A script with the texts of all scripts in a language, by the English."""
    texts = sorted({text for file in SCRIPTS.glob("*.js") for text in SAID.findall(file.read_text(encoding="utf-8"))})
    with words.speaking(code):
        return f"window.OVERSEER_TEXTS = {json.dumps({text: gettext(text) for text in texts})};\n"


@cache
def texts_release(code: str) -> str:
    return hashlib.sha256(texts_of_scripts(code).encode()).hexdigest()[:16]


def texts_address() -> str:
    """Its address in the reader's language; "" in English, which the scripts speak by themselves."""
    code = words.language()
    return "" if code == ENGLISH else url_for("language.texts", language=code, v=texts_release(code))
