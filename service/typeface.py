"""The typeface of pages: two small files, cut from the package of Archivo.

Archivo (by Omnibus-Type, SIL Open Font Licence 1.1) has axes for width and weight; the files keep both. Browsers load
the second file only for letters that the first lacks. Other scripts come in the platform's own typeface.
"""

import logging
import os
from importlib import resources
from pathlib import Path

LATIN = "archivo-latin-1.woff2"
EXTENDED = "archivo-extended-1.woff2"
FILES = (LATIN, EXTENDED)
"""The number is the version of this recipe: browsers keep the files for a year."""

RANGES = {
    LATIN: "20-7E A0-FF 131 152-153 2013-2014 2018-201A 201C-201E 2022 2026 2032-2033 2039-203A 20AC 2122 2212",
    EXTENDED: "100-130 132-151 154-17F 218-21B 1E9E 2C6-2C7 2D8-2DD",
}
"""The characters of each file, in hexadecimal; ``overseer.css`` gives browsers the same ranges."""
LIMITS = {"wdth": (62, 100), "wght": (400, 900)}
FEATURES = ("kern", "liga", "calt", "tnum", "lnum", "mark", "mkmk", "ccmp", "locl")

log = logging.getLogger("overseer")


def make_typeface(folder: Path) -> None:
    """Write the files that are missing in the folder, in about three seconds; if that fails, log why.

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
    found: list[int] = []
    for part in ranges.split():
        first, _, last = part.partition("-")
        found += range(int(first, 16), int(last or first, 16) + 1)
    return found


def _write(path: Path, ranges: str) -> None:
    # Four tenths of a second, and only the first start needs them.
    from fontTools.subset import Options, Subsetter  # noqa: PLC0415
    from fontTools.ttLib import TTFont  # noqa: PLC0415
    from fontTools.varLib.instancer import instantiateVariableFont  # noqa: PLC0415

    logging.getLogger("fontTools").setLevel(logging.WARNING)
    source = resources.files("fontpkg_archivo") / "files" / "Archivo[wdth,wght].ttf"
    with resources.as_file(source) as found, TTFont(found) as font:
        options = Options()
        options.layout_features = list(FEATURES)
        options.name_IDs = ["*"]  # its licence is among them
        cut = Subsetter(options)
        cut.populate(unicodes=characters(ranges))
        cut.subset(font)
        narrowed = instantiateVariableFont(font, LIMITS)
        narrowed.flavor = "woff2"
        fresh = path.with_suffix(f".{os.getpid()}")
        narrowed.save(fresh)
    fresh.replace(path)
