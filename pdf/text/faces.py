"""The typefaces that sheets are set in. All come from packages, none from the machine.

Roboto has Latin, Cyrillic and Greek; Noto has all other scripts, signs and emoji. Most Noto files hold every weight:
HarfBuzz draws the two that we use straight from them, when it shapes and when it embeds. All are opened once, before
any user text is looked at, so no text ever decides which file is opened.
"""

import struct
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Literal

import uharfbuzz as hb

Weight = bool | Literal["display"]
"""Regular, bold, or the display face where it has the characters (else bold)."""
ROBOTO = "font_roboto/files/Roboto-Regular.ttf", "font_roboto/files/Roboto-Bold.ttf"
# Asked in this order.
SCRIPTS = (
    "", "Arabic", "Hebrew", "Devanagari", "Thai", "Georgian", "Armenian", "Bengali", "Tamil", "Telugu", "Gujarati",
    "Gurmukhi", "Kannada", "Malayalam", "Oriya", "Sinhala", "Khmer", "Lao", "Myanmar", "Ethiopic", "Symbols",
)  # fmt: skip
HAN = {"JP": "euc_jp", "SC": "gb2312", "TC": "big5", "KR": "euc_kr"}
"""Faces for Han, and the character set that tells of what language a text may be."""
WEIGHTS = {"wght": (400.0, 700.0)}


@dataclass(frozen=True, eq=False)
class Cut:
    """One weight of a typeface: its number in the list of all, its file and HarfBuzz's view of it."""

    number: int
    name: str
    face: hb.Face
    bold: bool

    @property
    def resource(self) -> str:
        """The name by which a page calls it."""
        return f"F{self.number}"

    @cached_property
    def font(self) -> hb.Font:
        """What shapes its text."""
        font = hb.Font(self.face)
        font.set_variations(self.axes)
        return font

    @cached_property
    def axes(self) -> dict[str, float]:
        """Where this weight lies on the axes of the file."""
        given = {axis.tag: axis.default_value for axis in self.face.axis_infos}
        return {tag: WEIGHTS[tag][self.bold] if tag in WEIGHTS else value for tag, value in given.items()}

    @cached_property
    def scale(self) -> float:
        """Thousandths of the size in a unit of the file."""
        return 1000.0 / float(self.face.upem)

    @cached_property
    def box(self) -> tuple[int, ...]:
        """The box around all glyphs, in thousandths of the size."""
        head = self.face.reference_table("head").data
        return tuple(round(value * self.scale) for value in struct.unpack(">4h", head[36:44]))

    @lru_cache(maxsize=4096)  # noqa: B019 - the faces live as long as the process
    def width(self, glyph: int) -> float:
        """Width of a glyph in thousandths of the size."""
        return float(round(self.font.get_glyph_h_advance(glyph) * self.scale, 1))


@dataclass(frozen=True, eq=False)
class Face:
    """A typeface: which characters it has, and its two weights."""

    held: hb.Set
    regular: Cut
    strong: Cut


@dataclass(frozen=True)
class Faces:
    """All typefaces in the order in which they are asked for a character."""

    text: tuple[Face, ...]
    han: tuple[Face, ...]
    emoji: Face
    display: Face
    """For the large words of a certificate: Latin, Cyrillic."""


def _open(path: str) -> hb.Face:
    package, _, file = path.partition("/")
    with resources.as_file(resources.files(package) / file) as found:
        return hb.Face(hb.Blob.from_file_path(str(found)))


@lru_cache(maxsize=1)
def faces() -> Faces:
    """Every typeface, opened once for the whole process."""
    numbers = iter(range(1000))

    def face(name: str, *files: str) -> Face:
        opened = [_open(file) for file in files]
        cuts = [
            Cut(next(numbers), name + ("-Bold" if bold else ""), opened[bold and len(opened) > 1], bold)
            for bold in (False, True)
        ]
        return Face(opened[0].unicodes, *cuts)

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
