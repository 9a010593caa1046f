"""Draw shaped text on a ReportLab canvas, and embed the fonts that a document uses.

Each face becomes a composite PDF font (ISO 32000-1, 9.7) whose character codes are glyph numbers. HarfBuzz reduces it
to the glyphs that the document uses, in one weight. When ReportLab saves a document, it asks each of its fonts for its
objects: `EmbeddedFonts` is one such font that stands for all faces.
"""

import struct
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import uharfbuzz as hb
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFDocument, PDFName, PDFStream, PDFZCompress
from reportlab.pdfgen.canvas import Canvas

from pdf.text.faces import Cut
from pdf.text.shape import ShapedText

_DROPPED = ("GSUB", "GPOS", "GDEF", "BASE", "DSIG", "OS/2", "STAT", "VORG", "cmap", "gasp", "meta", "name", "post",
            "vhea", "vmtx")  # fmt: skip
ZERO_WIDTH_SPACE = "\u200b"


@dataclass
class EmbeddedFonts:
    """The glyphs of each face that a document has used so far, and the characters that each glyph stands for."""

    used: dict[Cut, dict[int, str]] = field(default_factory=dict)

    def addObjects(self, document: PDFDocument) -> None:
        """Add the objects of all used faces to the document; ReportLab calls this method."""
        for cut in sorted(self.used, key=lambda a_cut: a_cut.number):
            _embed(document, cut, self.used[cut])


def draw_line(canvas: Canvas, x: float, y: float, line: ShapedText, size: float) -> None:
    """Draw shaped text of ``size`` points; x is its left end and y its baseline, in points."""
    document: Any = vars(canvas)["_doc"]
    fonts: EmbeddedFonts | None = getattr(document, "overseer_fonts", None)
    if fonts is None:
        fonts = document.overseer_fonts = EmbeddedFonts()
        document.delayedFonts.append(fonts)
    code = [f"BT 1 0 0 1 {x:.2f} {y:.2f} Tm"]
    for run in line.runs:
        used = fonts.used.setdefault(run.cut, {})
        # Where its glyphs do not give the text back, readers and searches use ActualText.
        reads_back = [used.setdefault(glyph, letters) == letters != "" for glyph, letters in run.glyphs]
        if not all(reads_back):
            code.append(f"/Span<</ActualText<FEFF{_utf16(run.text)}>>>BDC")
        code.append(f"/{run.cut.resource} {size:.4g} Tf")
        for rise, operands in run.parts:
            code.append(f"{rise * size / 1000:.2f} Ts[{operands}]TJ 0 Ts" if rise else f"[{operands}]TJ")
        if not all(reads_back):
            code.append("EMC")
    code.append("ET")
    canvas.addLiteral(" ".join(code))


def _utf16(text: str) -> str:
    return text.encode("utf-16-be").hex().upper()


def _embed(document: Any, cut: Cut, glyphs: dict[int, str]) -> None:
    program = _subset(cut, glyphs)
    name = f"{_tag(glyphs)}+{cut.name}"

    def reference(suffix: str, value: object) -> Any:
        return document.Reference(value, f"font.{cut.resource}.{suffix}")

    edges = struct.unpack(">4h", cut.face.reference_table("head").data[36:44])
    extents = cut.font.get_font_extents("ltr")
    descriptor = {
        "Type": PDFName("FontDescriptor"), "FontName": PDFName(name), "Flags": 4, "ItalicAngle": 0,
        "FontBBox": f"[{' '.join(f'{round(edge * cut.scale)}' for edge in edges)}]",
        "Ascent": round(extents.ascender * cut.scale), "Descent": round(extents.descender * cut.scale),
        "CapHeight": 714, "StemV": 140 if cut.bold else 80,
        "FontFile2": reference("file", _stream(program, Length1=len(program))),
    }  # fmt: skip
    descendant = {
        "Type": PDFName("Font"), "Subtype": PDFName("CIDFontType2"), "BaseFont": PDFName(name),
        "CIDSystemInfo": "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>",
        "FontDescriptor": reference("descriptor", PDFDictionary(descriptor)), "DW": 1000,
        "W": f"[{' '.join(f'{glyph}[{cut.width(glyph):g}]' for glyph in sorted(glyphs))}]",
        "CIDToGIDMap": PDFName("Identity"),
    }  # fmt: skip
    composite = {
        "Type": PDFName("Font"), "Subtype": PDFName("Type0"), "BaseFont": PDFName(name),
        "Encoding": PDFName("Identity-H"), "ToUnicode": reference("letters", _stream(_to_unicode(glyphs))),
        "DescendantFonts": PDFArray([reference("glyphs", PDFDictionary(descendant))]),
    }  # fmt: skip
    fonts = document.idToObject["BasicFonts"]
    fonts.dict[cut.resource] = reference("whole", PDFDictionary(composite))


def _stream(content: bytes, **entries: int) -> PDFStream:
    return PDFStream(PDFDictionary(entries), content, [PDFZCompress])


def _subset(cut: Cut, glyphs: dict[int, str]) -> bytes:
    """The font file reduced to these glyphs, which keep their numbers, in one weight."""
    request = hb.SubsetInput()
    request.glyph_set.update(glyphs)
    kept = hb.SubsetFlags
    request.flags = kept.RETAIN_GIDS | kept.NO_HINTING | kept.NO_LAYOUT_CLOSURE | kept.NOTDEF_OUTLINE
    request.drop_table_tag_set.update(int.from_bytes(tag.ljust(4).encode(), "big") for tag in _DROPPED)
    for tag, value in cut.axes.items():
        request.pin_axis_location(cut.face, tag, value)
    return bytes(hb.SubsetPlan(cut.face, request).execute().blob.data)


def _tag(glyphs: dict[int, str]) -> str:
    """The tag of six letters that PDF requires for a subset, derived from its glyphs."""
    number = crc32(repr(sorted(glyphs)).encode())
    return "".join(chr(65 + number // 26**place % 26) for place in range(6))


def _to_unicode(glyphs: dict[int, str]) -> bytes:
    """The table (CMap) from glyphs to characters, which readers use to copy and search text."""
    # In a group of glyphs for several letters the first one stands for all; the others map to a zero width space.
    rows = [f"<{glyph:04X}> <{_utf16(letters or ZERO_WIDTH_SPACE)}>" for glyph, letters in sorted(glyphs.items())]
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
