"""Shape lines of text with HarfBuzz, choosing a face for each character. Results are cached."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

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

    ``width`` and rises are in thousandths of the type size. ``parts`` are operands of the PDF operator TJ, each with
    its rise. ``glyphs`` has each glyph with the characters it stands for: none for all but the first of a group.
    """

    cut: Cut
    width: float
    parts: tuple[tuple[float, str], ...]
    glyphs: tuple[tuple[int, str], ...]
    text: str


@dataclass(frozen=True)
class ShapedText:
    """A shaped line: its runs from left to right, and its width in points at a type size of 1 pt."""

    runs: tuple[Run, ...]
    width: float


@lru_cache(maxsize=CACHE_SIZE)
def has_glyph(character: str) -> bool:
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
    runs = tuple(
        _shape_piece(face.bold if bold else face.regular, piece, "rtl" if level == 1 else "ltr")
        for face, piece, level in visual_order(pieces)
    )
    return ShapedText(runs, sum(run.width for run in runs) / 1000)


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
    level_of = levels(text)
    all_faces = faces()
    order = (*preferred, *all_faces.text, *_han_order(text, all_faces.han), all_faces.emoji)
    pieces: list[Piece] = []
    position = 0
    for cluster in clusters(text):
        face, level = _face_of(cluster, order), level_of[position]
        parts = [(face, cluster)] if face else [(_face_of(name, order) or order[0], name) for name in cluster]
        pieces += [(used, part, level) for used, part in parts]
        position += len(cluster)
    whole = groupby(pieces, itemgetter(0, 2))
    return [(face, "".join(part for _, part, _ in run), level) for (face, level), run in whole]


@lru_cache(maxsize=CACHE_SIZE)
def _face_of(cluster: str, order: tuple[Face, ...]) -> Face | None:
    """The first face that covers the whole cluster; for emoji sequences the emoji face is searched first."""
    codes = [ord(c) for c in cluster if c not in JOINERS and c != "\ufe0f" and not "\U000e0020" <= c <= "\U000e007f"]
    if len(cluster) > 1 and EMOJI.match(cluster):
        order = (order[-1], *order)
    return next((face for face in order if all(code in face.coverage for code in codes)), None)


def _han_order(text: str, han: tuple[Face, ...]) -> tuple[Face, ...]:
    """The Han faces, best first: by kana or hangul, or else the first region whose character set has all ideographs."""
    if re.search("[\u3040-\u30ff]", text):
        best = 0
    elif re.search("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff]", text):
        best = len(han) - 1
    else:
        written = "".join(re.findall("[\u4e00-\u9fff]", text))
        fitting = (written == written.encode(codec, "ignore").decode(codec) for codec in HAN.values())
        best = next((place for place, fits in enumerate(fitting) if fits), 0)
    return (han[best], *han[:best], *han[best + 1 :])


def _shape_piece(cut: Cut, text: str, direction: str) -> Run:
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.language = "en"  # HarfBuzz's default is the machine's language
    buffer.direction = direction
    hb.shape(cut.font, buffer, {})
    glyphs, starts = zip(*((info.codepoint, info.cluster) for info in buffer.glyph_infos), strict=True)
    scale = cut.scale
    parts: list[tuple[float, list[str]]] = [(0.0, [])]
    shift = width = 0.0
    for glyph, position in zip(glyphs, buffer.glyph_positions, strict=True):
        x_offset, advance = position.x_offset * scale, position.x_advance * scale
        rise = round(position.y_offset * scale, 1)
        if rise != parts[-1][0]:
            parts.append((rise, []))
        shift -= x_offset
        parts[-1][1].append(f"{shift:.1f}<{glyph:04X}>" if abs(shift) >= 0.05 else f"<{glyph:04X}>")
        shift = cut.width(glyph) - advance + x_offset
        width += advance
    if abs(shift) >= 0.05:
        parts[-1][1].append(f"{shift:.1f}")
    joined = tuple((rise, "".join(operands).replace("><", "")) for rise, operands in parts if operands)
    return Run(cut, width, joined, tuple(dict.fromkeys(_meanings(cut, text, glyphs, starts))), text)


def _meanings(cut: Cut, text: str, glyphs: Sequence[int], starts: Sequence[int]) -> Iterator[tuple[int, str]]:
    if starts == tuple(range(len(text))):  # one glyph for each character, the usual case
        yield from zip(glyphs, text, strict=True)
        return
    ends = dict(pairwise(sorted({*starts, len(text)})))
    for start, places in groupby(range(len(glyphs)), starts.__getitem__):
        letters, group = text[start : ends[start]], [glyphs[place] for place in places]
        several = letters if len(group) == len(letters) > 1 else ""
        nominal = {cut.font.get_nominal_glyph(ord(letter)): letter for letter in several}
        if nominal.keys() >= set(group):
            # A letter and its accents: each glyph stands for one character, in typed or reversed order.
            yield from ((glyph, nominal[glyph]) for glyph in group)
        else:
            yield group[0], letters
            yield from ((glyph, "") for glyph in group[1:])
