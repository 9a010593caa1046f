"""Text of any script: what is drawn, how wide, and what stands in for what no font has."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from pdf import bidi, faces, fonts, stand_ins
from pdf.fonts import draw_text, fit, plain, text_width, wrap


def everything(_: str) -> bool:
    return True


def roboto_only(character: str) -> bool:
    return faces.faces().embedded[0].covers(character)


def test_stand_ins_for_missing_glyphs() -> None:
    for typed, printed in (
        ("💀", "[skull]"), ("☠\ufe0f", "[skull]"), ("🏳️\u200d🌈", "[rainbow flag]"), ("🏴\u200d☠️", "[pirate flag]"),
        ("👩🏿\u200d🚀", "[woman rocket]"), ("🏃🏻\u200d♀️", "[runner woman]"), ("🇵🇱🇯🇵", "[flag PL][flag JP]"),
        ("🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "[flag GBSCT]"), ("4\ufe0f\u20e3", "[4]"),
        ("𝓕𝓸𝔁", "Fox"), ("Ｆｏｘ", "Fox"), ("नमन x", "[Devanagari na, ma, na] x"), ("𠮷", "[U+20BB7]"),
        ("\ue000", "[U+E000]"), ("a\u200b\u202eb\u00adc\ufeff", "abc"), ("  a \n\r\n b\u2028c\u00a0d ", "a b c d"),
        ("e\u0301", "é"), ("", ""), ("\u200b", ""),
    ):  # fmt: skip
        assert stand_ins.readable(typed, roboto_only) == printed, ascii(typed)


def test_a_tower_of_accents_keeps_three() -> None:
    assert plain("x" + "\u0301" * 40 + "y") == "x" + "\u0301" * 3 + "y"
    assert plain("\u0301") == "\u0301"


BARE_MACHINE = """
import json, sys
from pdf import faces, fonts
faces._loaded.append(faces.load([]))
texts = json.load(sys.stdin)
print(json.dumps([[fonts.plain(t), sorted({n for n, run in fonts.set_text(t).runs if run.strip()})] for t in texts]))
"""


def on_a_bare_machine(*texts: str) -> list[tuple[str, list[str]]]:
    """What is printed of each text, and in which fonts, where the system has none: in a process of its own."""
    command = [sys.executable, "-c", BARE_MACHINE]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return [(printed, used) for printed, used in json.loads(done.stdout)]


def test_asian_text_takes_the_font_of_its_language() -> None:
    wanted = {
        "ひらがな": "HeiseiKakuGo-W5", "山田太郎": "HeiseiKakuGo-W5", "李小龙": "STSong-Light",
        "김민수": "HYGothic-Medium",
        "金 민수": "HYGothic-Medium",
    }  # fmt: skip
    assert on_a_bare_machine(*wanted) == [(text, [font]) for text, font in wanted.items()]


def test_without_system_fonts_hebrew_is_spelled_out() -> None:
    assert on_a_bare_machine("שרה Cohen") == [("[Hebrew shin, resh, he] Cohen", ["Roboto"])]


def test_a_system_font_that_cannot_be_embedded_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "DejaVuSans.ttf").write_bytes(b"not a font")
    assert [face.regular for face in faces.load([tmp_path]).embedded] == ["Roboto"]
    faces._loaded.clear()
    faces.faces()


def test_arabic_is_joined_and_turned() -> None:
    drawn = bidi.visual("مريم", everything)
    assert [f"{ord(c):04X}" for c in drawn] == ["FEE2", "FEF3", "FEAE", "FEE3"]
    # Lam and alef make one shape, and alef does not join to what follows.
    assert [f"{ord(c):04X}" for c in bidi.visual("سلام", everything)] == ["FEE1", "FEFC", "FEB3"]


def test_right_to_left_runs() -> None:
    for typed, drawn in (
        ("Fox שרה Lee", "Fox הרש Lee"), ("שרה (2)", "(2) הרש"), ("שרה 12 כהן", "ןהכ 12 הרש"), ("(שרה)", "(הרש)"),
        ("plain", "plain"),
    ):  # fmt: skip
        assert bidi.visual(typed, everything) == drawn


anything = st.text(max_size=60) | st.text(
    alphabet="aB9 -\n\u0301\u202e\u200déЯ山あ김مלש🦊🏽🏳\ufe0f🌈🇵3\u20e3ก\ud800[]()<&", max_size=60
)


@settings(max_examples=150)
@given(text=anything, size=st.floats(6, 60), room=st.floats(60, 500), lines=st.integers(1, 3), bold=st.booleans())
def test_fitted_text_is_never_wider_than_its_box(text: str, size: float, room: float, lines: int, bold: bool) -> None:
    fitted = fit(text, size, room, bold=bold, max_lines=lines)
    assert 1 <= len(fitted.lines) <= lines
    assert size * 0.7 - 1e-9 <= fitted.size <= size
    for line in fitted.lines:
        assert text_width(line, fitted.size, bold=bold) <= room + 0.01 or line == fonts.ELLIPSIS
    if fitted.cut:
        assert fitted.lines[-1].endswith("…")
    elif plain(text):
        assert "".join(fitted.lines).replace(" ", "") == plain(text).replace(" ", "")


@pytest.mark.slow
@settings(max_examples=150)
@given(text=anything)
@example(text="A\x1b\u0300")
@example(text="a\u0591\u0323\u0301")
def test_what_was_made_plain_stays_so_and_can_be_drawn(text: str) -> None:
    once = plain(text)
    assert plain(once) == once
    assert not set("\n\r\t\u202e\u200d\x00") & set(once)
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    draw_text(canvas, 10, 10, text, 12, max_width=200)
    canvas.showPage()
    canvas.save()
    assert len(PdfReader(io.BytesIO(buffer.getvalue())).pages) == 1


@settings(max_examples=60)
@given(text=anything, room=st.floats(30, 200))
def test_wrapped_lines_fit_and_lose_nothing(text: str, room: float) -> None:
    lines = wrap(text, 9, room)
    assert "".join(lines).replace(" ", "") == plain(text).replace(" ", "")
    assert all(text_width(line, 9) <= room + 0.01 for line in lines)


def test_shrinks_then_wraps_then_is_cut() -> None:
    name = "Maximiliana Featherstonehaugh"
    full = text_width(name, 14, bold=True)
    assert fit(name, 14, full, bold=True).size == 14
    shrunk = fit(name, 14, full * 0.8, bold=True)
    assert shrunk.lines == (name,) and shrunk.size == pytest.approx(11.2)
    assert fit(name, 14, full * 0.5, bold=True, max_lines=2).lines == ("Maximiliana", "Featherstonehaugh")
    assert fit(name, 14, full * 0.5, bold=True).cut


@pytest.mark.proves("attack 34")
def test_a_megabyte_of_text_is_no_burden() -> None:
    assert len(plain("山" * 1_000_000)) <= 2001
    assert plain("a " * 500_000).endswith("…")


def test_text_is_drawn_inside_its_box_in_every_alignment(
    printed_at: datetime, picture: Callable[..., Image.Image]
) -> None:
    for align, left in (("left", 200.0), ("centre", 150.0), ("right", 100.0)):
        buffer = io.BytesIO()
        canvas = Canvas(buffer, pagesize=(400, 100), invariant=1)
        draw_text(canvas, 200, 50, "Wolfeschlegelsteinhausen Я", 20, max_width=100, align=align)  # type: ignore[arg-type]
        canvas.save()
        box = picture(buffer.getvalue(), scale=4.0).point(lambda value: 255 - value).getbbox()
        assert box is not None
        assert left - 1 <= box[0] / 4 and box[2] / 4 <= left + 101
        assert (box[2] - box[0]) / 4 > 90
