"""Shaped text on a ReportLab canvas, and the faces that it takes embedded in the document.

A face is a composite font of PDF (ISO 32000-1, 9.7) whose codes are the numbers of the glyphs. HarfBuzz cuts it down
to the glyphs that the document uses and to the one weight. ReportLab asks each font of a document for its objects when
it saves: this is one such font for all faces together.
"""

from typing import Any
from zlib import crc32

import uharfbuzz as hb
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFDocument, PDFName, PDFStream, PDFZCompress
from reportlab.pdfgen.canvas import Canvas

from pdf.text.faces import Cut
from pdf.text.shape import SetText

_DROPPED = ("GSUB", "GPOS", "GDEF", "BASE", "DSIG", "OS/2", "STAT", "VORG", "cmap", "gasp", "meta", "name", "post",
            "vhea", "vmtx")  # fmt: skip
NOTHING = "\u200b"


class Embedded:
    """The glyphs of every face that a document has used so far, and the characters that each stands for."""

    def __init__(self) -> None:
        """Begin with none."""
        self.used: dict[Cut, dict[int, str]] = {}

    def addObjects(self, document: PDFDocument) -> None:
        """ReportLab's call for the objects of this font."""
        for cut in sorted(self.used, key=lambda one: one.number):
            _embed(document, cut, self.used[cut])


def put(canvas: Canvas, x: float, y: float, line: SetText, size: float) -> None:
    """Draw a line, its left end at x and its baseline at y."""
    document: Any = vars(canvas)["_doc"]
    fonts: Embedded | None = getattr(document, "overseer_fonts", None)
    if fonts is None:
        fonts = document.overseer_fonts = Embedded()
        document.delayedFonts.append(fonts)
    code = [f"BT 1 0 0 1 {x:.2f} {y:.2f} Tm"]
    for run in line.runs:
        known = fonts.used.get(run.cut)
        if known is None:
            known = fonts.used[run.cut] = {}
        whole = run.whole
        for glyph, letters in run.glyphs:
            if known.setdefault(glyph, letters) != letters:
                whole = True
        if whole:
            code.append(f"/Span<</ActualText<FEFF{_utf16(run.text)}>>>BDC")
        code.append(f"/{run.cut.resource} {size:.4g} Tf")
        for rise, operands in run.parts:
            code.append(f"{rise * size / 1000:.2f} Ts[{operands}]TJ 0 Ts" if rise else f"[{operands}]TJ")
        if whole:
            code.append("EMC")
    code.append("ET")
    canvas.addLiteral(" ".join(code))


def _utf16(text: str) -> str:
    return text.encode("utf-16-be").hex().upper()


def _embed(document: Any, cut: Cut, glyphs: dict[int, str]) -> None:
    program, numbers = _subset(cut, glyphs)
    name = f"{_tag(glyphs)}+{cut.name}"
    places = bytearray(2 * (max(numbers) + 1))
    for glyph, place in numbers.items():
        places[2 * glyph : 2 * glyph + 2] = place.to_bytes(2, "big")
    key = f"font.{cut.resource}"

    def reference(what: str, thing: object) -> Any:
        return document.Reference(thing, f"{key}.{what}")

    extents = cut.font.get_font_extents("ltr")
    descriptor = {
        "Type": PDFName("FontDescriptor"), "FontName": PDFName(name), "Flags": 4, "ItalicAngle": 0,
        "FontBBox": f"[{' '.join(map(str, cut.box))}]", "Ascent": round(extents.ascender * cut.scale),
        "Descent": round(extents.descender * cut.scale), "CapHeight": 714, "StemV": 140 if cut.bold else 80,
        "FontFile2": reference("file", _stream(program, {"Length1": len(program)})),
    }  # fmt: skip
    descendant = {
        "Type": PDFName("Font"), "Subtype": PDFName("CIDFontType2"), "BaseFont": PDFName(name),
        "CIDSystemInfo": "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>",
        "FontDescriptor": reference("descriptor", PDFDictionary(descriptor)), "DW": 1000,
        "W": f"[{' '.join(f'{glyph}[{cut.width(glyph):g}]' for glyph in sorted(glyphs))}]",
        "CIDToGIDMap": reference("places", _stream(bytes(places))),
    }  # fmt: skip
    whole = {
        "Type": PDFName("Font"), "Subtype": PDFName("Type0"), "BaseFont": PDFName(name),
        "Encoding": PDFName("Identity-H"), "ToUnicode": reference("letters", _stream(_letters(glyphs))),
        "DescendantFonts": PDFArray([reference("glyphs", PDFDictionary(descendant))]),
    }  # fmt: skip
    fonts = document.idToObject["BasicFonts"]
    fonts.dict[cut.resource] = reference("whole", PDFDictionary(whole))


def _stream(content: bytes, entries: dict[str, int] | None = None) -> PDFStream:
    return PDFStream(PDFDictionary(entries or {}), content, [PDFZCompress])


def _subset(cut: Cut, glyphs: dict[int, str]) -> tuple[bytes, dict[int, int]]:
    """The file cut down to these glyphs in one weight, and the new number of each glyph."""
    asked = hb.SubsetInput()
    asked.glyph_set.update(glyphs)
    asked.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
    asked.drop_table_tag_set.update(int.from_bytes(tag.ljust(4).encode(), "big") for tag in _DROPPED)
    for tag, value in cut.axes.items():
        asked.pin_axis_location(cut.face, tag, value)
    plan = hb.SubsetPlan(cut.face, asked)
    return bytes(plan.execute().blob.data), dict(plan.old_to_new_glyph_mapping)


def _tag(glyphs: dict[int, str]) -> str:
    """Six letters for this choice of glyphs, as PDF asks for."""
    number = crc32(repr(sorted(glyphs)).encode())
    return "".join(chr(65 + number // 26**place % 26) for place in range(6))


def _letters(glyphs: dict[int, str]) -> bytes:
    """The table (CMap) from glyphs to characters: what is copied and searched."""
    # A glyph that is part of another's letters stands for nothing that shows (a zero width space).
    rows = [f"<{glyph:04X}> <{_utf16(letters or NOTHING)}>" for glyph, letters in sorted(glyphs.items())]
    blocks = [rows[i : i + 100] for i in range(0, len(rows), 100)]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin", "12 dict begin", "begincmap",
            "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def", "/CMapName /Letters def",
            "/CMapType 2 def", "1 begincodespacerange", "<0000> <FFFF>", "endcodespacerange",
            *(line for block in blocks for line in (f"{len(block)} beginbfchar", *block, "endbfchar")),
            "endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"
        ]
    ).encode()  # fmt: skip
