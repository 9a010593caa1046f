"""The typeface of pages: three small files, cut from the package of Archivo.

Archivo (by Omnibus-Type, SIL Open Font Licence 1.1) has axes for width and weight; the files keep both. The first has
the letters of English and German. Browsers load the others for letters that it lacks. Other scripts come in the
platform's own typeface.
"""

import logging
import os
from importlib import resources
from pathlib import Path

import uharfbuzz as hb

LATIN = "archivo-latin-4.ttf"
WESTERN = "archivo-western-4.ttf"
EXTENDED = "archivo-extended-4.ttf"
FILES = (LATIN, WESTERN, EXTENDED)
"""The number is the version of this recipe: browsers keep the files for a year."""

RANGES = {
    LATIN: "20-7E A0 B0 B7 C4 D6-D7 DC DF E4 E7 E9 F1 F3 F6 FC 2013-2014 2018-201A 201C-201E 2022 2026 2033 20AC 2212",
    WESTERN: "A1 A3 A7 A9-AB AE B1 BA-BB BD BF-C3 C5-D5 D8-DB DD-DE E0-E3 E5-E6 E8 EA-F0 F2 F4-F5 F7-FB FD-FF 152-153 "
    "2032 2039-203A 2122",
    EXTENDED: "100-151 154-17F 218-21B 1E9E 2C6-2C7 2D8-2DD",
}
"""The characters of each file, in hexadecimal; ``overseer.css`` gives browsers the same ranges."""
LIMITS = {"wdth": (66, 100), "wght": (400, 880)}
"""The least and the most that stylesheets use."""
FEATURES = ("kern", "tnum", "locl")
NAMES = (0, 1, 2, 13, 14)
"""The entries of the files' tables of names: copyright, family, style, and the licence."""

log = logging.getLogger("overseer")


def make_typeface(folder: Path) -> None:
    """Write the files that are missing in the folder, in about a second; if that fails, log why.

    Without them, pages use the platform's typeface.
    """
    try:
        for name in FILES:
            if not (folder / name).exists():
                _write(folder / name, RANGES[name])
    except OSError as failed:
        log.warning("the typeface of pages could not be written: %s", failed)


def characters(ranges: str) -> list[int]:
    """The code points of ranges such as ``20-7E A0``."""
    numbers: list[int] = []
    for part in ranges.split():
        first, _, last = part.partition("-")
        numbers += range(int(first, 16), int(last or first, 16) + 1)
    return numbers


def _write(path: Path, ranges: str) -> None:
    data = (resources.files("fontpkg_archivo") / "files" / "Archivo[wdth,wght].ttf").read_bytes()
    face, wanted = hb.Face(data), hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING
    wanted.unicode_set.clear()
    wanted.unicode_set.update(characters(ranges))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in FEATURES)
    wanted.name_id_set.clear()
    wanted.name_id_set.update(NAMES)
    for axis, (least, most) in LIMITS.items():
        wanted.set_axis_range(face, axis, least, most)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(hb.subset(face, wanted).blob.data)
    fresh.replace(path)
