"""Shape lines of text with HarfBuzz, choosing a face for each character. Results are cached."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby

import uharfbuzz as hb
from bidi import get_display

from pdf.text.characters import EMOJI, JOINERS, NO_BREAK, clusters, one_line
from pdf.text.faces import HAN, Cut, Face, Weight, faces

CACHE_SIZE = 8192
"""Texts in each cache: repeated words and names are shaped once."""
MAX_CHARACTERS = 2000
"""Characters of a text that are read: far more than any box holds, so that very long input stays cheap."""
ELLIPSIS = "…"
Piece = tuple[Face, str, int]
"""Text of one face and one embedding level."""


@dataclass(frozen=True)
class Run:
    """Glyphs of one face, ready to draw.

    ``parts`` are operands of the PDF operator TJ, each with its rise in thousandths of the type size. ``glyphs`` maps
    each glyph to the characters it stands for. ``needs_actual_text`` is true where that mapping does not give ``text``
    back; readers and searches then use ``text``.
    """

    cut: Cut
    parts: tuple[tuple[float, str], ...]
    glyphs: tuple[tuple[int, str], ...]
    text: str
    needs_actual_text: bool


@dataclass(frozen=True)
class ShapedText:
    """A shaped line: its runs from left to right, and its width in points at a type size of 1 pt."""

    runs: tuple[Run, ...]
    width: float


@lru_cache(maxsize=CACHE_SIZE)
def has_glyph(character: str) -> bool:
    """Whether any face covers the character."""
    code, all_faces = ord(character), faces()
    return any(code in face.coverage for face in (*all_faces.text, *all_faces.han, all_faces.emoji))


@lru_cache(maxsize=CACHE_SIZE)
def plain(text: str) -> str:
    """The text as printed: on one line, composed, without control characters, cut after `MAX_CHARACTERS`."""
    head = text[:MAX_CHARACTERS]
    cleaned = " ".join(head.split()) if head.isascii() and head.isprintable() else one_line(head, has_glyph)
    return cleaned + ELLIPSIS if len(text) > MAX_CHARACTERS else cleaned


@lru_cache(maxsize=CACHE_SIZE)
def shape(text: str, bold: Weight = False) -> ShapedText:
    """Shape a line. ``text`` must be a result of `plain`; its no-break spaces are drawn and read as spaces."""
    if not text:
        return ShapedText((), 0.0)
    text = text.replace(NO_BREAK, " ")
    preferred = (faces().display,) if bold == "display" else ()
    pieces = [((*preferred, faces().text[0])[0], text, 0)] if text.isascii() else _pieces(text, preferred)
    runs, width = [], 0.0
    for face, piece, level in visual_order(pieces):
        run, run_width = _shape_piece(face.bold if bold else face.regular, piece, level % 2 == 1)
        runs.append(run)
        width += run_width
    return ShapedText(tuple(runs), width / 1000)


def levels(text: str) -> list[int]:
    """The bidirectional embedding level of each character; even levels run from left to right."""
    if not any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text):
        return [0] * len(text)
    # Its report, the only way to the levels, repeats the text and then lists one level for each byte of UTF-8.
    *_, report = get_display(text, base_dir="L", debug=True).rpartition("levels: [")
    of_bytes = re.findall(r"\d+", report)
    starts = accumulate((len(character.encode()) for character in text[:-1]), initial=0)
    return [int(of_bytes[start]) for start in starts]


def visual_order(pieces: list[Piece]) -> list[Piece]:
    """The pieces as they are drawn, from left to right: rule L2 of the Unicode Bidirectional Algorithm."""
    for lowest in (2, 1):
        runs = groupby(pieces, lambda piece, lowest=lowest: piece[2] >= lowest)  # type: ignore[misc]
        pieces = [piece for turned, run in runs for piece in (reversed([*run]) if turned else run)]
    return pieces


def _pieces(text: str, preferred: tuple[Face, ...]) -> list[Piece]:
    """Split the text, in logical order, into pieces."""
    level_of = levels(text)
    all_faces = faces()
    order = (*preferred, *all_faces.text, *_han_order(text, all_faces.han), all_faces.emoji)
    pieces: list[Piece] = []
    position = 0
    for cluster in clusters(text):
        face = _face_of(cluster, order)
        parts = [(face, cluster)] if face else [(_face_of(one, order) or order[0], one) for one in cluster]
        for used, part in parts:
            if pieces and pieces[-1][0] is used and pieces[-1][2] == level_of[position]:
                pieces[-1] = (used, pieces[-1][1] + part, level_of[position])
            else:
                pieces.append((used, part, level_of[position]))
        position += len(cluster)
    return pieces


@lru_cache(maxsize=CACHE_SIZE)
def _face_of(cluster: str, order: tuple[Face, ...]) -> Face | None:
    """The first face that covers the whole cluster; for emoji sequences the emoji face is searched first."""
    codes = [ord(c) for c in cluster if c not in JOINERS and c != "\ufe0f" and not "\U000e0020" <= c <= "\U000e007f"]
    if len(cluster) > 1 and EMOJI.match(cluster):
        order = (order[-1], *order)
    return next((face for face in order if all(code in face.coverage for code in codes)), None)


def _han_order(text: str, han: tuple[Face, ...]) -> tuple[Face, ...]:
    """The Han faces, best first: by kana or hangul, or else the first region whose character set has all ideographs."""
    japanese, *_, korean = han
    if any("\u3040" <= c <= "\u30ff" for c in text):
        best = japanese
    elif any("\u1100" <= c <= "\u11ff" or "\u3130" <= c <= "\u318f" or "\uac00" <= c <= "\ud7ff" for c in text):
        best = korean
    else:
        written = "".join(c for c in text if "\u4e00" <= c <= "\u9fff")
        fitting = [face for face, codec in zip(han, HAN.values(), strict=True) if _encodes(written, codec)]
        best = fitting[0] if fitting else japanese
    return (best, *(face for face in han if face is not best))


def _encodes(text: str, codec: str) -> bool:
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _shape_piece(cut: Cut, text: str, right_to_left: bool) -> tuple[Run, float]:
    """Shape a piece of one face and direction; also returns its width in thousandths of the type size."""
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.language = "en"  # HarfBuzz's default is the machine's language
    buffer.direction = "rtl" if right_to_left else "ltr"
    hb.shape(cut.font, buffer, {})
    parts: list[tuple[float, str]] = []
    operands: list[str] = []
    glyphs, starts = [], []
    rise = adjustment = total = 0.0
    scale = cut.scale
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyph, x_offset, up = info.codepoint, position.x_offset * scale, round(position.y_offset * scale, 1)
        if up != rise:
            if operands:
                parts.append((rise, "".join(operands)))
            operands, rise = [], up
        adjustment -= x_offset
        if abs(adjustment) >= 0.05:
            operands.append(f"{adjustment:.1f}")
        operands.append(f"<{glyph:04X}>")
        advance = position.x_advance * scale
        adjustment = cut.width(glyph) - advance + x_offset
        total += advance
        glyphs.append(glyph)
        starts.append(info.cluster)
    if abs(adjustment) >= 0.05:
        operands.append(f"{adjustment:.1f}")
    parts.append((rise, "".join(operands).replace("><", "")))
    meanings, needs_actual_text = _meanings(cut, text, glyphs, starts)
    return Run(cut, tuple(parts), meanings, text, needs_actual_text), total


def _meanings(cut: Cut, text: str, glyphs: list[int], starts: list[int]) -> tuple[tuple[tuple[int, str], ...], bool]:
    """The characters that each glyph stands for, and whether the mapping is too ambiguous to give the text back."""
    if starts == list(range(len(text))):  # one glyph for each character, the usual case
        direct = dict(zip(glyphs, text, strict=True))
        return tuple(direct.items()), len(direct) < len(set(zip(glyphs, text, strict=True)))
    ends = dict(zip(sorted(set(starts)), [*sorted(set(starts))[1:], len(text)], strict=True))
    groups: dict[int, list[int]] = {}
    for glyph, start in zip(glyphs, starts, strict=True):
        groups.setdefault(start, []).append(glyph)
    meanings: dict[int, str] = {}
    ambiguous = False
    for start, group in groups.items():
        letters = text[start : ends[start]]
        if len(group) > 1:
            # A letter and its accents: each glyph stands for one character, in typed or reversed order.
            nominal = {cut.font.get_nominal_glyph(ord(letter)): letter for letter in letters}
            if len(group) == len(letters) and all(glyph in nominal for glyph in group):
                for glyph in group:
                    ambiguous |= meanings.setdefault(glyph, nominal[glyph]) != nominal[glyph]
                continue
            ambiguous = True
        ambiguous |= meanings.setdefault(group[0], letters) != letters
        for glyph in group[1:]:
            meanings.setdefault(glyph, "")
    return tuple(meanings.items()), ambiguous
