"""The typefaces that sheets are set in, and which of them can show a character.

Roboto comes from a package and is embedded; a few system fonts are embedded where they are found; Han, kana
and hangul otherwise use the Asian typefaces that PDF readers bring (ReportLab's CID fonts, not embedded).
All are loaded once, before any user text is looked at, so no text ever decides which file is opened.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from threading import Lock

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfdoc import PDFDocument, PDFStream
from reportlab.pdfbase.ttfonts import TTFError, TTFont

SYSTEM_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path("~/.local/share/fonts").expanduser(),
    Path("/Library/Fonts"),
    Path("/System/Library/Fonts/Supplemental"),
    Path("C:/Windows/Fonts"),
)
# Only scripts that read rightly without a shaping engine (Arabic is joined in `pdf.bidi`): regular, bold.
SYSTEM_FILES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("NotoSansArabic-Regular.ttf", "NotoSansArabic-Bold.ttf"),
    ("NotoSansHebrew-Regular.ttf", "NotoSansHebrew-Bold.ttf"),
    ("NotoSansGeorgian-Regular.ttf", "NotoSansGeorgian-Bold.ttf"),
    ("NotoSansArmenian-Regular.ttf", "NotoSansArmenian-Bold.ttf"),
    ("NotoSansThai-Regular.ttf", "NotoSansThai-Bold.ttf"),
    ("wqy-zenhei.ttc", "wqy-zenhei.ttc"),
    ("wqy-microhei.ttc", "wqy-microhei.ttc"),
    ("DroidSansFallbackFull.ttf", "DroidSansFallbackFull.ttf"),
)
# A CID font does not say what it holds; the national character set it was made for does.
CID_FONTS = (
    ("HeiseiKakuGo-W5", "euc_jp"),
    ("STSong-Light", "gbk"),
    ("MSung-Light", "big5"),
    ("HYGothic-Medium", "johab"),
)


@dataclass(frozen=True)
class Face:
    """A typeface by the names ReportLab knows its two weights by, and whether it holds a character."""

    regular: str
    bold: str
    covers: Callable[[str], bool]


@dataclass(frozen=True)
class Faces:
    """All faces in order of preference: ``embedded`` first, then ``asian`` by the language of a text."""

    embedded: tuple[Face, ...]
    asian: tuple[Face, ...]


def find_system_files(folders: Iterable[Path]) -> dict[str, Path]:
    """The first file of each wanted name under the folders."""
    wanted = {name for pair in SYSTEM_FILES for name in pair}
    found: dict[str, Path] = {}
    for folder in folders:
        for here, subfolders, names in os.walk(folder):
            subfolders.sort()
            for name in wanted.intersection(names):
                found.setdefault(name, Path(here) / name)
    return found


class SearchableFont(TTFont):
    """A font whose Arabic shapes are copied and searched as the letters that they stand for.

    Reading order needs no help: PDF readers turn right-to-left text round by themselves.
    """

    def addObjects(self, doc: PDFDocument) -> None:
        super().addObjects(doc)
        for name, stream in doc.idToObject.items():
            if name.startswith("toUnicodeCMap:") and isinstance(stream, PDFStream):
                stream.content = _SHAPE_CODE.sub(_letters, stream.content)


def _letters(match: re.Match[str]) -> str:
    letters = unicodedata.normalize("NFKC", chr(int(match[1], 16)))
    return f"> <{''.join(f'{ord(letter):04X}' for letter in letters)}>"


_SHAPE_CODE = re.compile("> <(F[BCDE][0-9A-F]{2})>")


def _embedded(name: str, regular: Path, bold: Path) -> Face:
    plain, strong = SearchableFont(name, str(regular)), SearchableFont(f"{name}-Bold", str(bold))
    held = frozenset(
        code
        for code, glyph in plain.face.charToGlyph.items()
        # ReportLab writes unreadable text for codes of more than 16 bits.
        if glyph and strong.face.charToGlyph.get(code) and code < 0x10000
    )
    pdfmetrics.registerFont(plain)
    pdfmetrics.registerFont(strong)
    return Face(plain.fontName, strong.fontName, lambda character: ord(character) in held)


def _asian(name: str, codec: str) -> Face:
    pdfmetrics.registerFont(UnicodeCIDFont(name))

    def covers(character: str) -> bool:
        # ASCII is Roboto's, and these fonts are addressed by 16-bit codes.
        if not 0x7F < ord(character) < 0x10000:
            return False
        try:
            character.encode(codec)
        except UnicodeEncodeError:
            return False
        return True

    return Face(name, name, covers)


def load(folders: Iterable[Path]) -> Faces:
    """Register every face with ReportLab. Files that are not TrueType outlines are passed over."""
    with resources.as_file(resources.files("font_roboto") / "files") as files:
        embedded = [_embedded("Roboto", files / "Roboto-Regular.ttf", files / "Roboto-Bold.ttf")]
    found = find_system_files(folders)
    for regular, bold in SYSTEM_FILES:
        if regular in found:
            try:
                embedded.append(_embedded(Path(regular).stem, found[regular], found.get(bold, found[regular])))
            except (TTFError, OSError):
                continue
    return Faces(tuple(embedded), tuple(_asian(name, codec) for name, codec in CID_FONTS))


_lock = Lock()
_loaded: list[Faces] = []


def faces() -> Faces:
    """The faces of this machine, loaded once for the whole process."""
    # ReportLab keys a document's glyphs by the font object: registered twice, a sheet being drawn is spoilt.
    with _lock:
        if not _loaded:
            _loaded.append(load(SYSTEM_FOLDERS))
        return _loaded[0]
