"""From a text of any shape to its lines: what programs, chats, mails, tables and pages put around them is taken off.

No name of the game is looked up here. Letters are normalised before they are counted.
"""

import csv
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from html import unescape

from languages.words import ngettext
from validators.battle_mode.imports.words import columns as columns_of
from validators.battle_mode.imports.words import form
from validators.battle_mode.imports.written import Written
from validators.contract import UnreadableForce
from validators.faults import of_file, too_large
from validators.names import normalized

MOST_LINES = 3_000
MOST_TEXT = 200_000
"""The most bytes of a text, its letters normalised; long lists have under five thousand."""
LONGEST_LINE = 1_000
"""What of a longer line is read; the rest of it is asked about."""
MOST_ROWS_ABOVE = 20
"""How far down in a text the heading of a table may stand."""
ARROW, UNTICKED, CUT = "→", "☐", "…"
"""Signs in a line that stand for more than themselves, so that the line is asked about."""

_SUPERSCRIPT = re.compile("([⁰¹²³⁴-⁹₀-₉])")
_CIRCLED = re.compile("([①-⑳])")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
_SIGNS = str.maketrans(
    {"➡": "•", "➔": ARROW, "⇒": ARROW, "»": "•", "›": "•", "‣": "•", "∙": "•", "☐": UNTICKED, "❌": UNTICKED,
     "✗": UNTICKED, "✘": UNTICKED, "\t": " | ", "`": " ", "“": " ", "”": " ", "„": " ", '"': " ", "×": "x", "✕": "x",
     "✖": "x"}
)  # fmt: skip
_LEADER = re.compile(r"[(\[]\s?[Ll]\s?[)\]]|(?<=[(\[])\s?[Ll](?=\s?,)|👑|(?<=\w) L(?=\s?(?:[-:,;]|$))")


def plain(text: str) -> str:
    """A text in common characters, so that what is counted is what is read. Raises UnreadableForce if it is long."""
    text = _SUPERSCRIPT.sub(r"^\1", text)
    text = _CIRCLED.sub(lambda match: f"{ord(match[1]) - ord('①') + 1}. ", text)
    letters = normalized("NFKC", text).translate(_DASHES)
    if (size := len(letters.encode(errors="replace"))) > MOST_TEXT:
        raise UnreadableForce(of_file(too_large(size, MOST_TEXT)))
    return letters


def _common(line: str) -> str:
    """One line without marks that are not seen; pictures are bullets."""
    kept: list[str] = []
    for letter in _LEADER.sub(" (Leader) ", line).translate(_SIGNS):
        kind = unicodedata.category(letter)
        if letter in (ARROW, UNTICKED):
            kept.append(letter)
        elif kind in ("So", "Sk") and letter != "^":
            kept.append("•")
        elif kind not in ("Cf", "Mn", "Me", "Cs", "Cn", "Co", "Cc"):
            kept.append(letter)
    return "".join(kept)


_STAMP = re.compile(
    r"(?:[^\[\]:|,]{1,30}, ?(?=\[))?[\[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s(?:at\s)?)?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:,\s\d{1,4}[./-]\d{1,2}[./-]\d{2,4})?\s?(?:[ap]\.?m\b\.?)?[\])]?:?(?: - |\s|$|(?=[^\W\d]))", re.IGNORECASE
)  # fmt: skip
"""The time of a message before it."""
_SENDER = re.compile(r"([^:\[\]\d]{1,40}):\s")
_MAIL = re.compile(r"-{3,}\s?original message|on .{4,60} wrote:$|am .{4,60} schrieb .{1,40}:$", re.IGNORECASE)
_STRUCK = re.compile(r"\W*(~{1,2})[^~]+\1\W*")
_BULLET = re.compile(
    r"(?:\[[xX]\]|[→]+(?=\s?\w)|[-*•~]+(?=[\s\w(•])|o(?=\s)|\.(?!\d)|=?>(?=\s?\w)|\+(?=\s\S)|[·▪◦])\s?"
)
_NUMBERING = re.compile(r"\(?(\d{1,2})[.)](?=\s|[^\W\d])\s?|#(\d{1,2})[.:)]?\s")
_LOST_NUMBER = re.compile(r"\d{1,2}[.)](?=\s|[^\W\d])")
"""A number as of a numbered list, that does not follow the one before."""
_EMPTY_BOX = re.compile(r"\[\s?\]\s?")
_FRAME = " \t#+=~*_-"


def lines_of(text: str, names: Callable[[str], bool]) -> Iterator[Written]:
    """The lines of a text that say anything. ``names`` says whether words name something of the game.

    Raises UnreadableForce for a text that is far too long to be a list.
    """
    typed = plain(text).splitlines()
    rows = _without_table(typed)
    if len(rows) > MOST_LINES:
        wrong = ngettext("%(num)s line, at most %(most)s are read", "%(num)s lines, at most %(most)s are read",
                         len(rows), most=MOST_LINES)  # fmt: skip
        raise UnreadableForce(of_file(wrong))
    written = [row for row in rows if row.strip()]
    quoted = sum(row.lstrip().startswith(">") for row in written)
    stamped = _stamped(written, names)
    place, mail, gap = 0, False, False
    for number, (row, raw) in enumerate(zip(rows, typed, strict=True), start=1):
        shown = _visible(raw)
        if not any(map(str.isalnum, shown)):
            gap = gap or not shown.strip()
            continue
        mail = mail or _MAIL.match(shown.strip()) is not None
        row = stamped.get(row, row)
        is_quote = row.lstrip().startswith(">")
        if is_quote:
            row = re.sub(r"^\s*>\s?", "" if quoted == len(written) or stamped else "- ", row)
        line, place = _line(number, row, place)
        mark = line.mark
        if mail or _STRUCK.fullmatch(row.strip()):
            mark = "mail" if mail else "struck"
        elif is_quote and quoted < len(written) and not stamped:
            mark = "quoted"
        yield replace(line, shown=shown.strip(), mark=mark, gap=gap)
        gap = False


def _visible(row: str) -> str:
    return "".join(letter for letter in row if unicodedata.category(letter) not in ("Cf", "Cc", "Cs") or letter == "\t")


def _stamped(rows: Iterable[str], names: Callable[[str], bool]) -> dict[str, str]:
    """What is left of rows without the time of a message and who wrote it."""
    bare: dict[str, str] = {}
    for row in rows:
        line = _visible(row).lstrip()
        if match := _STAMP.match(line):
            rest = line[match.end() :]
            sender = _SENDER.match(rest)
            if sender and not match[0].rstrip().endswith(":") and not names(sender[1]):
                rest = rest[sender.end() :]
            bare[row] = rest
    return bare


def _line(number: int, row: str, place: int) -> tuple[Written, int]:
    """A row without bullets and numbering, and the number of it in a numbered list, 0 for none."""
    text = _common(row[:LONGEST_LINE].expandtabs(4) if not row.strip().count("\t") else
                   row[: len(row) - len(row.lstrip())].expandtabs(4) + row.lstrip()[:LONGEST_LINE])  # fmt: skip
    depth = len(text) - len(text.lstrip())
    rest, own_place, signs = text.strip(), 0, ""
    is_heading = re.match(r"#{1,6}\s|\+\+|==|--+\s?\w|\+\s.*\+$|\*\*\*", rest) is not None
    if is_heading:
        rest = rest.strip(_FRAME)
    while rest:
        rest = re.sub(r"^(\*{1,3}|_{1,3})(\S.*?)\1(?!\w)", r"\2", rest)
        if match := _EMPTY_BOX.match(rest):
            signs = UNTICKED + " "
        elif match := _BULLET.match(rest):
            depth += 2 * max(1, match[0].count(".") + match[0].count("•"))
        elif not own_place and (match := _NUMBERING.match(rest)) and int(match[1] or match[2]) in (1, place + 1):
            own_place = int(match[1] or match[2])
        else:
            break
        rest = rest[match.end() :].lstrip()
    if text.count("*") == 1 and re.search(r"\w\*(?!\w)", rest):
        rest = rest.replace("*", " (Leader) ")
    rest = " ".join(re.sub(r"\*+|_+|[•]", " ", rest).split())
    longer = f" {CUT}" if len(row) > LONGEST_LINE else ""
    heading: str = "force" if is_heading else ""
    mark = "numbered" if _LOST_NUMBER.match(rest) else ""
    return Written(number, f"{signs}{rest}{longer}", depth, kind=heading, mark=mark), own_place or place  # type: ignore[arg-type]


_PIECE = re.compile(r"""<(/?)([a-zA-Z][\w:-]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|<[!?/][^<>]*>|([^<]+|<)""")
"""A tag, or the words up to the next one. No tag has a "<" in it: a parser that looks on for its end is slow."""
DEEPEST = 20
"""The most levels of lists that are shown as indent."""


_TAGS = re.compile(rb"<(?:ul|ol|li|p|div|br|table|tr|span|h[1-4]|html|body|!doctype html)\b", re.IGNORECASE)


def is_page(data: bytes) -> bool:
    """Whether a file that begins with a tag is a page or a piece of one, rather than a roster."""
    return _TAGS.match(data[:300].removeprefix(b"\xef\xbb\xbf").lstrip()) is not None


def text_of_page(text: str) -> str:
    """The words of a page, a line for each of its blocks, with the depth of lists as indent."""
    pieces, depth = list[str](), 0
    for part in text.split("-->"):
        for end, name, words in _PIECE.findall(part.partition("<!--")[0]):
            tag = name.lower()
            if tag in ("ul", "ol"):
                depth += -(depth > 0) if end else 1
            if tag in ("li", "p", "div", "br", "tr", "h1", "h2", "h3", "h4") and not end:
                pieces.append("\n" + "  " * min(depth - 1, DEEPEST) * (tag == "li"))
            elif tag in ("td", "th") and not end:
                pieces.append(" | ")
            pieces.append(re.sub(r"\s+", " ", unescape(words)))
    return "".join(pieces)


def _without_table(rows: list[str]) -> list[str]:
    """The rows of a table as lines of a list, if it is a table whose columns are named; its heading is empty."""
    headings = columns_of()
    for start, row in enumerate(rows[:MOST_ROWS_ABOVE]):
        for mark in ("\t", ";", ",", "|"):
            cells = _cells(row, mark)
            columns = [headings.get(form(cell), "") for cell in cells]
            if len(cells) > 1 and "name" in columns and sum(map(bool, columns)) * 2 > len(cells):
                body = [_row(_cells(line, mark), columns) for line in rows[start + 1 :]]
                return [*rows[:start], "", *body]
    return rows


def text_of_json(parsed: list[object]) -> str:
    """A list of lines, or of models with fields, as a text."""
    headings = columns_of()
    rows = []
    for entry in parsed:
        fields = entry.items() if isinstance(entry, dict) else [("name", entry)]
        cells = [", ".join(map(str, value)) if isinstance(value, list) else str(value) for _, value in fields]
        rows.append(" ".join(_row(cells, [headings.get(form(key), "") for key, _ in fields]).split()))
    return "\n".join(rows)


def _cells(row: str, mark: str) -> list[str]:
    if mark == "|":
        return [cell.strip() for cell in row.strip().strip("|").split("|")]
    return [cell.strip() for cell in next(csv.reader([row[:LONGEST_LINE]], delimiter=mark), [])]


def _row(cells: list[str], columns: list[str]) -> str:
    """A row of a table in the words of a list: "2x Settler (Leader): Pipe Rifle = 96 caps"."""
    if not any(map(str.isalnum, "".join(cells))):
        return ""
    by_column = [(column, cell) for column, cell in zip([*columns, *[""] * len(cells)], cells, strict=False) if cell]
    is_led = any(column == "leader" and form(cell) in YES for column, cell in by_column)
    name = ", ".join(cell for column, cell in by_column if column == "name")
    copies = "".join(f"{cell}x " for column, cell in by_column if column == "copies")
    parts = ", ".join(cell.replace(";", ",") for column, cell in by_column if column in ("parts", ""))
    caps = "".join(f" = {cell} caps" for column, cell in by_column if column == "caps" and cell[:1].isdigit())
    return f"{copies}{name}{' (Leader)' * is_led}{f': {parts}' * bool(parts)}{caps}"


YES = frozenset(map(form, ("yes", "x", "true", "1", "ja", "oui", "sí", "tak", "sì", "leader", "✓")))
