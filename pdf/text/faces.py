"""The typefaces of all sheets. They come from Python packages, never from the machine's fonts.

Roboto covers Latin, Cyrillic and Greek; Noto covers all other scripts, symbols and emoji. Most Noto files are variable
fonts, from which HarfBuzz takes the regular and the bold weight. All files are opened once, before any user text is
read, so user text never decides which file is opened.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from itertools import count
from typing import Literal

import uharfbuzz as hb

Weight = bool | Literal["display"]
"""False for regular, True for bold, or the display face (bold text where that face lacks a character)."""
ROBOTO = "font_roboto/files/Roboto-Regular.ttf", "font_roboto/files/Roboto-Bold.ttf"
# Searched in this order.
SCRIPTS = (
    "", "Arabic", "Hebrew", "Devanagari", "Thai", "Georgian", "Armenian", "Bengali", "Tamil", "Telugu", "Gujarati",
    "Gurmukhi", "Kannada", "Malayalam", "Oriya", "Sinhala", "Khmer", "Lao", "Myanmar", "Ethiopic", "Symbols",
)  # fmt: skip
HAN = {"JP": "euc_jp", "SC": "gb2312", "TC": "big5", "KR": "euc_kr"}
"""Faces for Han characters by region, each with the character set that suggests the language of a text."""


@dataclass(frozen=True, eq=False)
class Cut:
    """One weight of a typeface: its index among all weights, its PostScript name and its HarfBuzz face."""

    number: int
    name: str
    face: hb.Face
    bold: bool

    @property
    def resource(self) -> str:
        return f"F{self.number}"

    @cached_property
    def font(self) -> hb.Font:
        font = hb.Font(self.face)
        font.set_variations(self.axes)
        return font

    @cached_property
    def axes(self) -> dict[str, float]:
        """The position of this weight on the variation axis of the file, which is "wght" if there is one."""
        return {axis.tag: 700.0 if self.bold else 400.0 for axis in self.face.axis_infos}

    @cached_property
    def scale(self) -> float:
        """The factor from font units to thousandths of the type size."""
        return 1000.0 / float(self.face.upem)

    @lru_cache(maxsize=4096)  # noqa: B019 - the faces live as long as the process
    def width(self, glyph: int) -> float:
        """Advance width of a glyph, in thousandths of the type size."""
        return float(round(self.font.get_glyph_h_advance(glyph) * self.scale, 1))


@dataclass(frozen=True, eq=False)
class Face:
    """A typeface: the code points that it covers, and its two weights."""

    coverage: hb.Set
    regular: Cut
    bold: Cut


@dataclass(frozen=True)
class Faces:
    """All typefaces, in the order in which they are searched for a character."""

    text: tuple[Face, ...]
    han: tuple[Face, ...]
    emoji: Face
    display: Face
    """For large words on certificates; covers Latin and Cyrillic."""


def _open(path: str) -> hb.Face:
    package, _, file = path.partition("/")
    with resources.as_file(resources.files(package) / file) as found:
        return hb.Face(hb.Blob.from_file_path(str(found)))


@lru_cache(maxsize=1)
def faces() -> Faces:
    numbers = count()

    def face(name: str, *files: str) -> Face:
        regular, *_ = opened = [_open(file) for file in files]
        cuts = Cut(next(numbers), name, regular, False), Cut(next(numbers), f"{name}-Bold", opened[-1], True)
        return Face(regular.unicodes, *cuts)

    def noto(name: str) -> Face:
        return face(name, f"manimgx_fonts/{name}[wght].ttf")

    def han(language: str) -> Face:
        name = f"NotoSans{language}"
        return face(name, f"justmytype_intl_cjk/fonts/ofl/{name.lower()}/{name}[wght].ttf")

    return Faces(
        (face("Roboto", *ROBOTO), *(noto(f"NotoSans{script}") for script in SCRIPTS)),
        tuple(map(han, HAN)),
        noto("NotoEmoji"),
        face("PlayfairDisplay", "fontpkg_playfair_display/files/PlayfairDisplay[wght].ttf"),
    )
