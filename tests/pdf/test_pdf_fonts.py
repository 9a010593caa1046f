"""Text in any script: its characters, faces and width, and how it is fitted to a box."""

import io
from datetime import UTC, datetime

import bidi as unicode_bidi
import pypdfium2 as pdfium
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from pdf import fonts
from pdf.fonts import draw_text, fit, plain, text_width, wrap
from pdf.page import finish, new_paper, next_page
from pdf.text.characters import clusters
from pdf.text.faces import faces
from pdf.text.shape import levels, shape, visual_order
from tests.kit.papers import picture

SHAPED = {
    "क्षत्रिय": ["NotoSansDevanagari"], "สมชาย น้ำใจ": ["NotoSansThai", "Roboto"], "مريم": ["NotoSansArabic"],
    "שרה": ["NotoSansHebrew"], "ひらがな": ["NotoSansJP"], "山田太郎": ["NotoSansJP"], "李小龙": ["NotoSansSC"],
    "김민수": ["NotoSansKR"], "金 민수": ["NotoSansKR", "Roboto"], "Ωмега Ẫ": ["Roboto"], "🏳️\u200d🌈": ["NotoEmoji"],
    "ქეთევან": ["NotoSansGeorgian"], "→①": ["NotoSansSymbols"],
}  # fmt: skip
"""Texts, and the faces that print them."""


def drawn_line(text: str) -> bytes:
    paper = new_paper("A5", title="Line", event="Open", printed_at=datetime(2026, 11, 20, tzinfo=UTC))
    draw_text(paper.canvas, 20, 50, text, 20)
    next_page(paper)
    return finish(paper)


def test_each_script_is_printed_in_its_face_and_found_again() -> None:
    for text, wanted in SHAPED.items():
        runs = shape(plain(text)).runs
        assert sorted({run.cut.name for run in runs}) == wanted, text
        assert all(glyph for run in runs for glyph, _ in run.glyphs), "no face lacks a glyph"
        page = pdfium.PdfDocument(drawn_line(text))[0]
        read = page.get_textpage().get_text_range().strip()
        # pdfium leaves emoji sequences and the turning of Arabic to its caller.
        assert read in (text, text[::-1]) or text == "🏳️\u200d🌈", (ascii(text), ascii(read))


def test_letters_are_joined_and_emoji_are_one_picture() -> None:
    assert len(shape("سلام").runs[0].glyphs) == 4
    names = [run.cut.font.glyph_to_string(glyph) for run in shape("سلام").runs for glyph, _ in run.glyphs]
    assert "init" in "".join(names), "letters of a word take the forms that join"
    for sequence in ("🏳️\u200d🌈", "👩🏽\u200d🚀", "🇵🇱"):
        assert shape(sequence).width == shape("🦊").width, sequence


def drawn_order(text: str) -> str:
    letters = [(faces().emoji, letter, level) for letter, level in zip(text, levels(text), strict=True)]
    return "".join(letter for _, letter, _ in visual_order(letters))


@given(st.text(alphabet="aBЯ אבשعب١٢123 +-%$.,:/()[]!?·", max_size=24))
@example("שרה 3-1 כהן 5%")
@example("Fox שרה 10,5 (x)")
@example("a(ב)1")
@example("ב(a)[1]")
@example("ב levels: [ 7")
def test_pieces_are_drawn_in_the_order_of_the_library(text: str) -> None:
    assert drawn_order(text.rstrip()) == unicode_bidi.get_display(text.rstrip(), base_dir="L")


def test_text_is_made_one_plain_line() -> None:
    for typed, printed in (
        ("𝓕𝓸𝔁", "Fox"), ("a\u200b\u202eb\u00adc\ufeff", "abc"), ("  a \n\r\n b\u2028c\u2003d ", "a b c d"),
        ("40\u202f\u00a0% \u00a0 of\u00a0", "40\u00a0% of"),
        ("e\u0301", "é"), ("", ""), ("\u200b", ""), ("\ud83d", "\ufffd"), ("क्\u200dष", "क्\u200dष"), ("a\u200db", "ab"),
        ("x" + "\u0301" * 40 + "y", "x" + "\u0301" * 3 + "y"), ("\u0301", "\u0301"), ("\U00013000", "\U00013000"),
    ):  # fmt: skip
        assert plain(typed) == printed, ascii(typed)
    assert wrap("Our big-gun rule: fs.big-gun-carrier", 10, 90) == ("Our big-gun rule:", "fs.big-gun-carrier")


anything = st.text(max_size=60) | st.text(
    alphabet="aB9 -\n\u0301\u202e\u200déЯ山あ김مלש🦊🏽🏳\ufe0f🌈🇵3\u20e3ก\ud800[]()<&", max_size=60
)


@example(text="0000000AA00", size=13.0, room=60.0, lines=2, bold=False)
@given(text=anything, size=st.floats(10, 60), room=st.floats(60, 500), lines=st.integers(1, 3), bold=st.booleans())
@example(text="3\ud800", size=59.0, room=60.0, lines=2, bold=False)
@example(text="🌀\u20e3", size=34.0, room=60.0, lines=2, bold=False)
@example(text="\ufdfd0", size=10.0, room=60.0, lines=3, bold=False)
def test_fitted_text_is_never_wider_than_its_box(text: str, size: float, room: float, lines: int, bold: bool) -> None:
    fitted = fit(text, size, room, bold=bold, max_lines=lines)
    assert 1 <= len(fitted.lines) <= lines
    assert max(7, size * 0.7) - 1e-9 <= fitted.size <= size
    for line in fitted.lines:
        assert text_width(line, fitted.size, bold=bold) <= room + 0.01 or line == fonts.ELLIPSIS
    if fitted.cut:
        assert fitted.lines[-1].endswith("…")
    elif plain(text):
        shown = "".join(fitted.lines)  # with hyphens in broken words
        assert shown.translate(UNSEEN) == plain(text).translate(UNSEEN)


@pytest.mark.slow
@given(text=anything)
@example(text="A\x1b\u0300")
@example(text="a\u0591\u0323\u0301")
def test_what_was_made_plain_stays_so_and_can_be_drawn(text: str) -> None:
    once = plain(text)
    assert plain(once) == once
    assert not set("\n\r\t\u202e\x00") & set(once)
    assert len(PdfReader(io.BytesIO(drawn_line(text))).pages) == 1


UNSEEN = str.maketrans("", "", " -")


@given(text=anything, room=st.floats(30, 200))
@example(text="\ufdfd\u1071", room=30.0)
@example(text="\U0001f300\U0001f3fb\u200d\U0001f300", room=30.0)
def test_wrapped_lines_fit_and_lose_nothing(text: str, room: float) -> None:
    lines = wrap(text, 9, room)
    assert "".join(lines).replace(" ", "") == plain(text).replace(" ", "")
    for line in lines:  # a letter with its marks and a joined emoji are never broken: "﷽" is a whole sentence
        assert text_width(line, 9) <= room + 0.01 or len([*clusters(line)]) == 1


def test_the_largest_size_over_one_to_n_lines() -> None:
    name = "Maximiliana Featherstonehaugh"
    full = text_width(name, 14, bold=True)
    assert fit(name, 14, full, bold=True).size == 14
    shrunk = fit(name, 14, full * 0.8, bold=True)
    assert shrunk.lines == (name,) and shrunk.size == pytest.approx(11.2)
    assert fit(name, 14, full * 0.9, bold=True, max_lines=2).lines == (name,), "nearly as large on one line"
    two = fit(name, 14, full * 0.65, bold=True, max_lines=2, min_size=7)
    assert (two.lines, two.size) == (("Maximiliana", "Featherstonehaugh"), 14)
    assert two.height == pytest.approx(2 * 14 * 1.15)
    low = fit(name, 14, full * 0.6, bold=True, max_lines=2, min_size=7, max_height=20)
    assert len(low.lines) * low.size * 1.15 <= 20 and not low.cut
    word = fit("Brotherhood of Steel", 9, 48, max_lines=3, min_size=7)
    assert word.lines == ("Brotherhood", "of Steel") and word.size < 9, "a word is made smaller, not broken"
    wall = fit("Bartholomew Featherstonehaugh", 36, 220, bold=True, min_size=7, max_lines=12)
    assert wall.lines == ("Bartholomew", "Featherstonehaugh"), "nor on a sheet for the wall"
    assert fit(name, 14, full * 0.5, bold=True).cut


@pytest.mark.proves("attack 34")
def test_long_words_are_broken_where_a_syllable_begins() -> None:
    for word, parts in (
        ("Hohenstaufenfeatherstone", ["Ho", "hen", "stau", "fen", "fea", "ther", "stone"]),
        ("Donaudampfschifffahrt", ["Do", "nau", "dampf", "schiff", "fahrt"]),
    ):
        assert "".join(parts) == word
        starts = {sum(map(len, parts[:n])) for n in range(1, len(parts))}
        for width in range(45, 110):
            lines = fit(word, 10, width, min_size=10, max_lines=9).lines
            ends = [sum(len(line.removesuffix("-")) for line in lines[:n]) for n in range(1, len(lines))]
            assert starts >= set(ends) and all(line.endswith("-") for line in lines[:-1]), (width, lines)
    assert fit("W" * 12, 10, 60, min_size=10, max_lines=9).lines[0] == "WWWWWW-", "without a vowel as much as fits"


def test_a_megabyte_of_text_is_no_burden() -> None:
    assert len(plain("山" * 1_000_000)) <= 2001
    assert plain("a " * 500_000).endswith("…")


def test_text_is_drawn_inside_its_box_in_every_alignment() -> None:
    for align, left in (("left", 200.0), ("centre", 150.0), ("right", 100.0)):
        buffer = io.BytesIO()
        canvas = Canvas(buffer, pagesize=(400, 100), invariant=1)
        draw_text(canvas, 200, 50, "Wolfeschlegelsteinhausen Я", 20, max_width=100, align=align)  # type: ignore[arg-type]
        canvas.save()
        box = picture(buffer.getvalue(), scale=4.0).point(lambda value: 255 - value).getbbox()
        assert box is not None
        assert left - 1 <= box[0] / 4 and box[2] / 4 <= left + 101
        assert (box[2] - box[0]) / 4 > 90


def test_lines_end_where_a_reader_expects_it() -> None:
    text = "On 89 + Luck or more it fails: skill/4 + Luck − the target’s AC = 70 % of (2 × PE) − 3 × extra"
    for width in range(60, 400, 3):
        lines = wrap(text, 10, width)
        assert " ".join(lines) == text and not [line for line in lines if line[-1] in "+−=×"], width
    room = text_width("the first player", 10)
    assert wrap("the first player\u202f: 40\u00a0%", 10, room) == ("the first", "player\u00a0: 40\u00a0%")
    assert text_width("40\u00a0%", 10) == text_width("40 %", 10)
    for words, kept in (
        ("all skills are 45 % lower", "45 %"), ("hip −25, knee −27, calf −30", "calf −30"),
        ("Pebble of the Rock (A) 16; Bolt (B) 8.", "(A) 16;"), ("Grit, then Flint (B)", "Flint (B)"),
        ("S 6 · P 5 · W 4 · AP 12", "W 4"), ("S 6 · P 5 · W 4 · AP 12", "AP 12"),
    ):  # fmt: skip
        assert [room for room in range(56, 140, 2) if not any(kept in line for line in wrap(words, 8, room))] == []
    room = text_width("desk.example.org/e/wasteland-op", 7)
    address = "desk.example.org/e/", "wasteland-open/open"
    assert wrap("".join(address), 7, room) == address, "after a slash"
    assert wrap("a well-known win/loss", 7, text_width("a well-kno", 7)) == ("a well-", "known", "win/loss")
