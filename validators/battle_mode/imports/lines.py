"""The lines of a pasted list: from text to lines of tokens, without a name looked up.

A line is stripped of what programs and chats put around it: marks of direction and zero width, quotation marks, the
time of a message, bullets of any kind, numbering, Markdown. What is left is cut into words, numbers of copies, costs,
brackets and separators.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from languages.words import gettext, ngettext
from validators.battle_mode.imports.figures import a_cost
from validators.contract import UnreadableForce
from validators.faults import Fault, of_file

MOST_LINES = 3_000
LONGEST_LINE = 4_000
MOST_TOKENS = 400
"""The most tokens of one line; a longer line is not read."""

Kind = Literal["word", "number", "copies", "cost", "each", "open", "close", "separator"]


@dataclass(frozen=True)
class Token:
    """A piece of a line: its kind, its text, its place in ``Line.text``, and its figure, None without a whole one.

    A ``number`` has no unit: it may be copies or a cost.
    """

    kind: Kind
    text: str
    start: int
    end: int
    value: int | None = None


@dataclass(frozen=True)
class Line:
    """One line of a text. ``number`` counts from 1, ``raw`` is the line as typed, ``text`` what ``tokens`` index.

    ``dots`` is the number of bullets, ``indent`` the width of the space before them; ``stamp`` is the time of a
    message, ``place`` the number in a numbered list. ``heading`` and ``title`` say how the line is set off.
    """

    number: int
    raw: str
    text: str
    tokens: tuple[Token, ...]
    indent: int = 0
    dots: int = 0
    stamp: str = ""
    place: int | None = None
    heading: bool = False
    title: bool = False
    gap: bool = False
    """Whether a blank line stands before it."""


def lines_of(text: str, knows: Callable[[str], bool]) -> Iterator[Line]:
    """Every line that is not blank. Raises UnreadableForce if the text is far too long to be a list.

    ``knows`` says whether words name something of a list; after the time of a message, others name who wrote it.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        wrong = ngettext(
            "%(num)s line, at most %(most)s are read", "%(num)s lines, at most %(most)s are read", len(lines),
            most=MOST_LINES,
        )  # fmt: skip
        raise UnreadableForce(of_file(wrong))
    gap = False
    for number, raw in enumerate(lines, start=1):
        if len(raw) > LONGEST_LINE:
            too_long = gettext("is longer than %(most)s characters", most=LONGEST_LINE)
            raise UnreadableForce(str(Fault((), too_long, number)))
        if raw.strip():
            yield replace(_line(number, raw, knows), gap=gap)
        gap = not raw.strip()


_LEADS = re.compile(r"\s?[(\[]\s*[Ll]\s*[)\]]|(?<=\w)\s*👑|(?<=\w) L(?=\s*(?:[-–—,:;]|$))")
"""Marks of the Leader."""
NOT_MEANT = re.compile(
    r"~~.*?~~|(?<![\w~])~(?=[^\W~])[^~]*[^\s~]~(?![\w~])|\((?:proxy|proxied)\b[^)]*\)", re.IGNORECASE
)
"""Words that are struck out, or name another model that stands for the right one."""
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
_BULLET = "•"
_BREAKS = str.maketrans({"\t": " | ", "`": "", "“": "", "”": "", "„": "", '"': ""})


def _plain(raw: str) -> str:
    """A line in common characters: full width as narrow, any dash as "-", emoji and pictures as "•"."""
    kept: list[str] = []
    raw = NOT_MEANT.sub(" ", raw)
    raw = _LEADS.sub(" (Leader)", raw)
    if raw.count("*") == 1:
        raw = re.sub(r"(?<=\w)\*(?!\w)", " (Leader)", raw)
    for char in unicodedata.normalize("NFKC", re.sub(r"([①-⑳])", _circled, raw)).translate(_DASHES):
        kind = unicodedata.category(char)
        if kind in ("Cf", "Mn", "Me", "Cs", "Cn", "Co") or (kind == "Cc" and char != "\t"):
            # Marks belong to a picture, or to a letter that has none of its own after normalising.
            kept.append(char if kind == "Mn" and kept and kept[-1].isalpha() else "")
        elif kind in ("So", "Sk") or char in "∙·‣→⇒►»›":
            kept.append(f" {_BULLET} " if char not in "^`" else "")
        else:
            kept.append(char)
    return "".join(kept)


def _circled(match: re.Match[str]) -> str:
    return f"{ord(match[1]) - ord('①') + 1}. "


_STAMP = re.compile(
    r"(?:[^\[\]:|]{1,30},\s*(?=\[))?[\[(]?\s*(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}[,.]?\s+(?:at\s+)?)?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:,\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4})?"
    r"\s*(?:[ap]\.?m\b\.?)?\s*[\])]?:?(?:\s*-\s+|\s+|$|(?=[^\W\d]))",
    re.IGNORECASE,
)
"""The time of a message before it."""
_SENDER = re.compile(r"([^:\[\]]{1,40}):\s+")
_QUOTED = re.compile(r"(?:>|\|)\s?")
_BULLETS = re.compile(rf"(?:\[[ xX]?\]|[-*~{_BULLET}]+|\.(?!\d)|=+>|o(?=\s)|\+(?=\s))\s*")
_EMPHASIS = re.compile(r"([*_]{1,3})(?=[^\s*_])(.*[^\s*_])\1\s*$")
_NUMBERING = re.compile(
    r"(?:\(?(\d{1,3})[.)](?:\s+|(?=[^\W\d]))|[a-h]\)\s+|#(\d{1,3})[.:)]?\s+"
    r"|(?:char|unit|model|character|squad|slot|entry|no\.?)\s*(\d{1,2})\s*[:.)-]\s*)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s*(#{1,6}\s|\+\+|==|--+\s*\w|\+\s.*\s\+\s*$|\*\*\*+)")
_DECORATION = " \t#+=~*_-"


def _line(number: int, raw: str, knows: Callable[[str], bool]) -> Line:
    text = _plain(raw).rstrip()
    heading = _HEADING.match(text) is not None and not re.match(r"\s*--?\s*[\w]", text)
    title = text.strip().startswith("++")
    stamp, dots, indent, place = "", 0, 0, None
    rest = text
    while True:
        stripped = rest.lstrip(" \t")
        space = rest[: len(rest) - len(stripped)]
        indent += len(space.replace("\t", "    ")) if not dots else 0
        rest = stripped
        if (match := _STAMP.match(rest)) and not stamp and not dots:
            said = rest[match.end() :]
            named = ":" in match[0].rstrip()[-1:]
            if not named and (name := _SENDER.match(rest, match.end())) and not knows(name[1]) and not knows(said):
                match = re.compile(re.escape(rest[: name.end()])).match(rest) or match
            stamp = match[0].strip()
        elif (match := _QUOTED.match(rest)) or (heading and (match := re.match(r"[#+=~*-]+\s*", rest))):
            pass
        elif match := _EMPHASIS.match(rest):
            rest = match[2]
            continue
        elif match := _BULLETS.match(rest):
            dots += max(1, match[0].strip().count(_BULLET) or match[0].strip().count(".")) if match[0].strip() else 0
        elif place is None and (match := _NUMBERING.match(rest)):
            place = int(next(filter(None, match.groups()), 0)) or None
        else:
            break
        rest = rest[match.end() :]
    if heading:
        rest = rest.rstrip(_DECORATION)
    rest = " ".join(re.sub(r"\*+|_{2,}|~~", " ", rest.translate(_BREAKS).replace("_", " ")).split())
    return Line(number, raw.strip(), rest, tuple(_tokens(rest)), indent, dots, stamp, place, heading, title)


_UNIT = r"(?:caps?|pts?|points?|c|cp)\b\.?"
_FIGURE = r"\d{1,3}(?:,\d{3})+(?:\.0+)?(?!,?\d)|\d[\d.,]{0,11}(?<![.,])"
_NEGATIONS = r"\b(?:no|not|without|w/o|ohne|kein(?:e[nr]?)?|sans|bez)"
_TOKEN = re.compile(
    rf"""
      (?P<cost>[@=]?\s*-?(?:{_FIGURE})\s?{_UNIT}
        |\b(?:(?:caps|pts|points|costs?)\s*[:=]\s*|(?:costs|for)\s+)(?:{_FIGURE})(?![\w.-]))
    | (?P<each>(?:each|ea\.?|apiece|per\s+model|a\s+piece|/\s*(?:model|each|ea))(?!\w))
    | (?P<copies>\d{{1,4}}\s?[x×✕✖](?=\s|[^\W\d_]|[(\[]|$)|[x×✕✖]\s?[1-9]\d{{0,3}}(?![\w.-]))
    | (?P<open>[(\[{{])
    | (?P<close>[)\]}}])
    | (?P<separator>[,;|+&/{_BULLET}]|:(?=\s|$|\w)|\s-+(?=\s)|-+>
        |{_NEGATIONS}(?=\s)
        |(?:with|and|plus|incl\.?|including|carrying|armed|has|have|also|mit|und|as|als|w\.?)(?=\s|$|/)|w\.(?=[^\W_])|=|@)
    | (?P<number>[@=]?\s*-?(?:{_FIGURE})(?![\w.%-]))
    | (?P<word>[^\s()\[\]{{}},;:|+&/{_BULLET}=]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGITS = re.compile(_FIGURE)
_NEGATED = re.compile(_NEGATIONS, re.IGNORECASE)


def is_negation(token: Token) -> bool:
    """Whether this is a separator that says what a model has not: "no", "without"."""
    return token.kind == "separator" and _NEGATED.fullmatch(token.text) is not None


def _tokens(text: str) -> Iterator[Token]:
    """The tokens of a stripped line."""
    place = 0
    for _ in range(MOST_TOKENS):
        while text[place : place + 1] == " " and not _DASH.match(text, place):
            place += 1
        if place >= len(text):
            return
        match = _TOKEN.match(text, place)
        if match is None:
            yield Token("word", text[place], place, place + 1)
            place += 1
            continue
        kind = match.lastgroup
        figure = _DIGITS.search(match[0]) if kind in ("cost", "copies", "number") else None
        start = place + len(match[0]) - len(match[0].lstrip())
        yield Token(kind, match[0].strip(), start, match.end(), _whole(figure[0]) if figure else None)  # type: ignore[arg-type]
        place = match.end()


_DASH = re.compile(r" -+ ")


def _whole(figure: str) -> int | None:
    """The number written; None if it is not a whole one."""
    try:
        return a_cost(figure, "")
    except UnreadableForce:
        return None
