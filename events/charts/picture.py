"""Pictures drawn from a name alone: a landscape for an event, an emblem for a group, initials for a person."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import shake_256

from markupsafe import Markup

from events.charts.drawing import SHAPES, Mark, compact, mark_badge, tag

WIDE, HIGH = 1280, 300
RELICS = (
    '<path class="sil" d="M-8 0-30-92H30L8 0zM-52-108Q0-40 52-108L46-118H-46z"/><path class="wire" d="M0-80 30-150"/>',
    '<path class="wire" d="M0-178V0M-26 0 0-150 26 0M-17-50H17M-10-92H10M-60 0 0-160 60 0"/>'
    '<circle class="sil" cx="0" cy="-178" r="6"/>',
    '<path class="sil" d="M-44-150H44V-96L30-84H-30L-44-96zM-44-154 0-176 44-154z"/>'
    '<path class="wire" d="M-30-84-42 0M30-84 42 0M0-84V0M-36-44H36"/>',
    '<path class="sil" d="M-70 0V-60H-54V-40H-40V-128L-22-140V-116L-8-108V-54H10V-90H40V-72L52-66V0z"/>',
)
"""What stands on the horizon, on its middle: a dish, a mast, a water tower, a ruin."""
COLOURINGS = {
    "a": ("#f0d5a3", "#c6522d", "#d69c6d", "#a7613f", "#6a3c2d", "#2a1b16"),
    "b": ("#cedcd2", "#f1e7ca", "#92afa7", "#59817c", "#2f5553", "#14292a"),
    "c": ("#e6c8b6", "#fbf0d9", "#c08e8b", "#8c5567", "#56334b", "#231726"),
    "d": ("#d8d1a8", "#e2992c", "#b2ad6b", "#7d8242", "#4b5428", "#1d2312"),
    "e": ("#3a455b", "#e8dbbf", "#545f78", "#2f3a4f", "#20293b", "#0f141e"),
    "f": ("#c8d5e1", "#d35f39", "#9cb1c5", "#6985a2", "#3e5977", "#1a2736"),
}
"""Sky, sun and ridges, as in the stylesheet; a picture that is no part of a page has no stylesheet."""
Point = tuple[float, float]


def chances(name: str) -> Iterator[float]:
    """Numbers from 0 to 1 that a name always gives."""
    return (byte / 255 for byte in shake_256(name.encode("utf-8", "replace")).digest(256))


@dataclass(frozen=True)
class Landscape:
    """A sun, four ridges and a relic on the last of them."""

    colouring: str
    """Its letter; the stylesheet has a class for each."""
    relic: int
    sun: tuple[float, float, float]
    """Its middle and its radius."""
    ridges: tuple[tuple[Point, ...], ...]
    """Each from the left edge to the right one, the farthest first."""
    stands: float
    """Where the relic stands."""

    @property
    def colours(self) -> tuple[str, ...]:
        """Sky, sun and the four ridges."""
        return COLOURINGS[self.colouring]


def landscape(name: str) -> Landscape:
    """The landscape that a name always gives. Its sun and relic are near the middle: narrow pictures show them."""
    dice = chances(name)
    colouring, relic = "abcdef"[int(next(dice) * 5.99)], int(next(dice) * 3.99)
    off, y, size = 30 + next(dice) * 90, 80 + next(dice) * 50, 45 + next(dice) * 40
    far = [_ridge(dice, 130 + ridge * 34, 44 - ridge * 8, ridge == 2) for ridge in (1, 2, 3)]
    side = 1 if next(dice) < 0.5 else -1
    stands = WIDE / 2 - side * (50 + next(dice) * 100)
    return Landscape(colouring, relic, (WIDE / 2 + side * off, y, size), (*far, _ridge(dice, 266, 12, False)), stands)


def event_picture(name: str) -> Markup:
    """The picture of an event without one of its own: its landscape in one of six colourings."""
    land = landscape(name)
    x, y, size = land.sun
    parts = [tag("rect", class_="sky", width=WIDE, height=HIGH), tag("circle", class_="sun", cx=x, cy=y, r=size)]
    parts += [
        tag("path", class_="cut", d=f"M0 {compact(y + size * k / 5)}H{WIDE}", stroke_width=k / 2 + 1) for k in range(5)
    ]
    for number, ridge in enumerate(land.ridges, 1):
        if number == len(land.ridges):
            where = f"translate({compact(land.stands)} 276)"
            parts.append(tag("g", Markup(RELICS[land.relic]), transform=where))  # noqa: S704 (our own paths)
        outline = "L".join(f"{compact(a)} {compact(b)}" for a, b in ridge)
        parts.append(tag("path", class_=f"r{number}", d=f"M0 {HIGH}L{outline}V{HIGH}z"))
    box = f"0 0 {WIDE} {HIGH}"
    return tag("svg", Markup().join(parts), class_=f"pic k-{land.colouring}", viewBox=box,
               preserveAspectRatio="xMidYMax slice", aria_hidden="true")  # fmt: skip


def _ridge(dice: Iterator[float], level: float, rough: float, steps: bool) -> tuple[Point, ...]:
    """A ridge across the picture; with ``steps``, of roofs instead of hills."""
    points: list[Point] = [(0.0, level)]
    while points[-1][0] < WIDE:
        x, y = points[-1][0] + 30 + next(dice) * 60, level - rough / 2 + next(dice) * rough
        points += [(points[-1][0], y), (x, y)] if steps else [(x, y)]
    return tuple(points)


def emblem(name: str) -> Markup:
    """The emblem of a group or unit: one shape within another, in ink."""
    dice = chances(name)
    outer = int(next(dice) * 7.99)
    inner = (outer + 1 + int(next(dice) * 6.99)) % 8
    small = tag("path", class_="emblem-in", d=SHAPES[inner], transform="scale(.45)")
    return tag(
        "svg", tag("path", d=SHAPES[outer]) + small, class_="emblem", viewBox="-10 -10 20 20", aria_hidden="true"
    )


def initials(name: str) -> str:
    """Two letters for a person, with the signs that belong to them: of the first and last word, or of the only one."""
    words = [letters for word in name.split() if (letters := _letters(word))]
    if not words:
        return "?"
    first, second = (words[0][0], words[-1][0]) if len(words) > 1 else (words[0][0], "".join(words[0][1:2]))
    return "".join(x.upper() if len(x.upper()) == len(x) else x for x in (first, second))


def _letters(word: str) -> list[str]:
    letters: list[str] = []
    for sign in unicodedata.normalize("NFC", word):
        kind = unicodedata.category(sign)
        if kind[0] in "LN":
            letters.append(sign)
        elif kind[0] == "M" and letters:
            letters[-1] += sign
    return letters


@lru_cache(maxsize=4096)
def portrait(name: str, mark: Mark | None) -> Markup:
    """A person's initials in a ring of the faction's hue, with its shape; a quiet ring without a faction."""
    hue = f" g{mark.hue}" if mark else ""
    body = Markup().join([Markup("{}").format(initials(name)), mark_badge(mark) if mark else Markup()])
    return tag("span", body, class_=f"av{hue}", aria_hidden="true")
