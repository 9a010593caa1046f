"""Days and times in the reader's language."""

import re
from datetime import date, datetime
from functools import cache, lru_cache

from babel.dates import format_skeleton, get_timezone_name, match_skeleton

from languages.words import ENGLISH, gettext, language, locale, locale_of

_CODES = {"%A": "EEEE", "%a": "E", "%Y": "y", "%B": "MMMM", "%b": "MMM", "%-d": "d", "%d": "dd"}
_DAY = re.compile(r"^(?:%-?[AaBbdY][\s,\u00a0]*)+")
_ORDER = "yMEd"  # of the letters in the names of Babel's forms


def dated(moment: date | datetime, form: str) -> str:
    """The moment in a form of ``strftime``; in other languages than English, its day in the usual order there.

    ``dated(moment, "%a %-d %b, %H:%M")`` is "Sat 28 Nov, 10:00", in German "Sa., 28. Nov., 10:00".
    """
    day = _DAY.match(form)
    if language() == ENGLISH or day is None or "%m" in form:
        return moment.strftime(form)
    day_words = _worded(language(), day[0], date(moment.year, moment.month, moment.day))
    rest = form[day.end() :]
    return f"{day_words}, {moment.strftime(rest)}" if rest else day_words


def day_written(day: str) -> str:
    """A day kept as text, such as "2018-08-20", in the reader's usual form; other words as they are."""
    try:
        return dated(date.fromisoformat(day), "%-d %b %Y")
    except ValueError:
        return gettext(day)


def zone_name(moment: datetime) -> str:
    """The short name of the moment's time zone: "CET", in German "MEZ"; where the language has none, the usual one."""
    usual = moment.tzname() or ""
    name = usual if language() == ENGLISH else get_timezone_name(moment, width="short", locale=locale())
    return name if name.isalpha() else usual


@lru_cache(maxsize=1000)  # a page says few days, and each of them often
def _worded(code: str, form: str, day: date) -> str:
    codes = [_CODES[directive] for directive in re.findall(r"%-?\w", form)]
    skeleton = "".join(sorted(codes, key=lambda text: _ORDER.index(text[0])))
    return str(format_skeleton(_nearest(code, skeleton), day, locale=locale_of(code)))


@cache
def _nearest(code: str, skeleton: str) -> str:
    """The language's form that is nearest to these parts of a day; Babel compares all, which takes a while."""
    return match_skeleton(skeleton, locale_of(code).datetime_skeletons) or skeleton
