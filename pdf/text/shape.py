"""Lines of text shaped by HarfBuzz: which glyphs of which faces are drawn where. Kept for texts that come again."""

from dataclasses import dataclass
from functools import lru_cache

import uharfbuzz as hb

from pdf.text import bidi
from pdf.text.characters import EMOJI, JOINERS, clusters, one_line
from pdf.text.faces import HAN, Cut, Face, Weight, faces

KEPT = 8192
"""Texts remembered: a page with its repeated words and names is shaped once."""
LONGEST = 2000
"""Characters looked at in one text: many times what any box holds, so that a megabyte costs no minute."""
ELLIPSIS = "…"


@dataclass(frozen=True)
class Run:
    """Glyphs of one face, ready for a page.

    ``parts`` are the operands of PDF's TJ, each with how far it is raised, in thousandths of the size. ``glyphs`` says
    which characters each glyph stands for; where the glyphs do not follow the characters one by one, ``whole`` has all
    of them, for readers and for search.
    """

    cut: Cut
    parts: tuple[tuple[float, str], ...]
    glyphs: tuple[tuple[int, str], ...]
    text: str
    whole: bool


@dataclass(frozen=True)
class SetText:
    """A line ready to draw: its runs from left to right, and its width at 1 pt."""

    runs: tuple[Run, ...]
    width: float


@lru_cache(maxsize=KEPT)
def held(character: str) -> bool:
    """Whether some face has the character."""
    code, have = ord(character), faces()
    return any(code in face.held for face in (*have.text, *have.han, have.emoji))


@lru_cache(maxsize=KEPT)
def plain(text: str) -> str:
    """The text as it will be read on paper: one line, composed, without codes."""
    head = text[:LONGEST]
    shown = " ".join(head.split()) if head.isascii() and head.isprintable() else one_line(head, held)
    return shown + ELLIPSIS if len(text) > LONGEST else shown


@lru_cache(maxsize=KEPT)
def set_text(text: str, bold: Weight = False) -> SetText:
    """The glyphs of a line. ``text`` must have come through `plain`."""
    if not text:
        return SetText((), 0.0)
    first = (faces().display,) if bold == "display" else ()
    pieces = [((*first, faces().text[0])[0], text, 0)] if text.isascii() else _pieces(text, first)
    order = bidi.visual([level for *_, level in pieces])
    runs, width = [], 0.0
    for place in order:
        face, piece, level = pieces[place]
        run, wide = _shaped(face.strong if bold else face.regular, piece, level % 2 == 1)
        runs.append(run)
        width += wide
    return SetText(tuple(runs), width / 1000)


def _pieces(text: str, first: tuple[Face, ...]) -> list[tuple[Face, str, int]]:
    """The text in the order typed, in pieces of one face and one direction."""
    levels = bidi.levels(text) if bidi.needs(text) else [0] * len(text)
    have = faces()
    order = (*first, *have.text, *_han_order(text, have.han), have.emoji)
    pieces: list[tuple[Face, str, int]] = []
    at = 0
    for cluster in clusters(text):
        face = _face_of(cluster, order)
        parts = [(face, cluster)] if face else [(_face_of(one, order) or order[0], one) for one in cluster]
        for used, part in parts:
            if pieces and pieces[-1][0] is used and pieces[-1][2] == levels[at]:
                pieces[-1] = (used, pieces[-1][1] + part, levels[at])
            else:
                pieces.append((used, part, levels[at]))
        at += len(cluster)
    return pieces


@lru_cache(maxsize=KEPT)
def _face_of(cluster: str, order: tuple[Face, ...]) -> Face | None:
    """The first face that has all of these; an emoji sequence is asked of the emoji first."""
    codes = [ord(c) for c in cluster if c not in JOINERS and c != "\ufe0f" and not "\U000e0020" <= c <= "\U000e007f"]
    if len(cluster) > 1 and EMOJI.match(cluster):
        order = (order[-1], *order)
    return next((face for face in order if all(code in face.held for code in codes)), None)


def _han_order(text: str, han: tuple[Face, ...]) -> tuple[Face, ...]:
    """By kana or hangul, else the first language whose own character set has every ideograph."""
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


def _shaped(cut: Cut, text: str, right_to_left: bool) -> tuple[Run, float]:
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.language = "en"  # else HarfBuzz takes the machine's
    buffer.direction = "rtl" if right_to_left else "ltr"
    hb.shape(cut.font, buffer, {})
    parts: list[tuple[float, str]] = []
    operands: list[str] = []
    glyphs, starts = [], []
    rise = back = total = 0.0
    scale = cut.scale
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyph, across, up = info.codepoint, place.x_offset * scale, round(place.y_offset * scale, 1)
        if up != rise:
            if operands:
                parts.append((rise, "".join(operands)))
            operands, rise = [], up
        back -= across
        if abs(back) >= 0.05:
            operands.append(f"{back:.1f}")
        operands.append(f"<{glyph:04X}>")
        advance = place.x_advance * scale
        back = cut.width(glyph) - advance + across
        total += advance
        glyphs.append(glyph)
        starts.append(info.cluster)
    if abs(back) >= 0.05:
        operands.append(f"{back:.1f}")
    parts.append((rise, "".join(operands).replace("><", "")))
    means, whole = _meanings(cut, text, glyphs, starts)
    return Run(cut, tuple(parts), means, text, whole), total


def _meanings(cut: Cut, text: str, glyphs: list[int], starts: list[int]) -> tuple[tuple[tuple[int, str], ...], bool]:
    """Which characters each glyph stands for, and whether only the whole tells them."""
    if starts == list(range(len(text))):  # one by one, as most
        one = dict(zip(glyphs, text, strict=True))
        return tuple(one.items()), len(one) < len(set(zip(glyphs, text, strict=True)))
    ends = dict(zip(sorted(set(starts)), [*sorted(set(starts))[1:], len(text)], strict=True))
    groups: dict[int, list[int]] = {}
    for glyph, start in zip(glyphs, starts, strict=True):
        groups.setdefault(start, []).append(glyph)
    means: dict[int, str] = {}
    whole = False
    for start, group in groups.items():
        letters = text[start : ends[start]]
        if len(group) > 1:
            # A letter and its accents: each glyph has its own character, in the order typed or against it.
            own = {cut.font.get_nominal_glyph(ord(letter)): letter for letter in letters}
            if len(group) == len(letters) and all(glyph in own for glyph in group):
                for glyph in group:
                    whole |= means.setdefault(glyph, own[glyph]) != own[glyph]
                continue
            whole = True
        whole |= means.setdefault(group[0], letters) != letters
        for glyph in group[1:]:
            means.setdefault(glyph, "")
    return tuple(means.items()), whole
