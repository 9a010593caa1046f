"""Parts of a whole: the ring of factions, a dial of what is done, and the victory points of each game."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from markupsafe import Markup

from events.charts.drawing import (
    WIDE,
    Chart,
    Mark,
    figure_words,
    fitted,
    frame,
    label,
    mark_badge,
    number_word,
    patterns,
    said,
    shape,
    shortened,
    surface,
    tag,
    text_width,
)  # fmt: skip
from languages.words import apart, gettext, labelled, listed, ngettext
from validators.names import alphabetical

OUTER, INNER = 94.0, 56.0


@dataclass(frozen=True)
class Share:
    name: str
    number: int
    mark: Mark


@dataclass(frozen=True)
class Game:
    """The victory points of a player's game."""

    number: int
    opponent: str
    own: float
    theirs: float


def donut(prefix: str, shares: Sequence[Share]) -> Chart | None:
    """The factions of a field, most frequent first; each slice has the shape that its row of the table has."""
    shares = sorted(
        (share for share in shares if share.number > 0), key=lambda share: (-share.number, alphabetical(share.name))
    )
    total = sum(share.number for share in shares)
    if not total:
        return None
    parts, plates, before = [patterns(prefix, [share.mark for share in shares])], [], 0
    for share in shares:
        parts.append(surface(prefix, share.mark, _slice(before / total, (before + share.number) / total)))
        turn = (before + share.number / 2) / total * 2 * pi
        x, y = 100 + 75 * sin(turn), 100 - 75 * cos(turn)
        if share.number / total > 0.055:
            plates += [tag("circle", class_="plate", cx=x, cy=y, r=13.5), shape(share.mark, x, y, 15)]
        before += share.number
    middle = [label(total, 100, 106, "t-big", "middle"), label(gettext("players"), 100, 125, "t-soft", "middle")]
    sentence = shares_finding(shares)
    parts_said = ", ".join(f"{share.name} {share.number}" for share in shares)
    about = labelled(ngettext("%(num)s player", "%(num)s players", total), f"{parts_said}.")
    svg = frame(prefix, (200, 200), sentence, about, [*parts, *plates, *middle])
    rows = tuple((share.name, str(share.number)) for share in shares)
    return Chart(
        prefix,
        sentence,
        svg,
        (gettext("Faction"), gettext("Players")),
        rows,
        tuple(mark_badge(share.mark) for share in shares),
    )


def _slice(start: float, end: float) -> str:
    """A piece of the ring between two turns. The whole ring ends just before its start, as an arc must."""
    a, b = start * 2 * pi, min(end, start + 0.9995) * 2 * pi
    far = int(end - start > 0.5)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (
        (f"{100 + r * sin(turn):.2f}", f"{100 - r * cos(turn):.2f}")
        for r, turn in ((OUTER, a), (OUTER, b), (INNER, b), (INNER, a))
    )
    return f"M{ax} {ay}A94 94 0 {far} 1 {bx} {by}L{cx} {cy}A56 56 0 {far} 0 {dx} {dy}z"


def shares_finding(shares: Sequence[Share]) -> str:
    total, most = sum(share.number for share in shares), max(share.number for share in shares)
    first = [share.name for share in shares if share.number == most]
    if len(shares) == 1 and total > 1:
        return gettext("All players bring %(faction)s.", faction=first[0])
    if most == 1:
        return ngettext(
            "%(n)s player brings %(num)s faction.",
            "%(n)s players bring %(num)s different factions.",
            total,
            n=number_word(total),
        )
    if len(first) > 3:
        return ngettext(
            "%(n)s factions are equally frequent: %(most)s of %(players)s player bring each.",
            "%(n)s factions are equally frequent: %(most)s of %(players)s players bring each.",
            total,
            n=number_word(len(first)),
            most=most,
            players=total,
        )
    if len(first) > 1:
        return ngettext(
            "%(n)s of %(players)s player bring each of %(factions)s.",
            "%(n)s of %(players)s players bring each of %(factions)s.",
            total,
            n=number_word(most),
            players=total,
            factions=listed(first),
        )
    return ngettext(
        "%(n)s of %(players)s player bring %(faction)s.",
        "%(n)s of %(players)s players bring %(faction)s.",
        total,
        n=number_word(most),
        players=total,
        faction=first[0],
    )


def dial(prefix: str, done: float, whole: float, figure: str, words: str, *, hot: bool = False) -> Markup:
    """How much of a whole is done or gone, with a short figure in its middle. ``hot``: it wants attention."""
    part = min(1.0, max(0.0, done / whole)) if whole > 0 else 0.0
    round_ = {"cx": 60, "cy": 60, "r": 52, "pathLength": 100}
    arc = tag("circle", class_=f"ring-full{' hot' if hot else ''}", **round_,
              stroke_dasharray=f"{part * 100:.1f} 100", transform="rotate(-90 60 60)")  # fmt: skip
    text = label(shortened(figure, 92, 20), 60, 69, "t-dial", "middle")
    ring = tag("circle", class_="ring-base", **round_)
    return frame(
        prefix,
        (120, 120),
        words,
        gettext("%(n)s of %(games)s", n=figure_words(float(done)), games=figure_words(float(whole))),
        [ring, arc, text],
    )


def vp_chart(prefix: str, name: str, games: Sequence[Game], *, unit: str = "VP") -> Chart:
    """A player's victory points by game with the opponent's."""
    most = max([1.0, *(max(game.own, game.theirs) for game in games)])
    parts = [tag("rect", class_="bar-own", x=4, y=6, width=14, height=12), label(fitted(name, 170), 24, 17)]
    parts += [tag("rect", class_="bar-theirs", x=204, y=6, width=14, height=12), label(gettext("Opponent"), 224, 17)]
    y = 46.0
    for game in games:
        head = gettext("Round %(number)s", number=game.number) + ": "
        words = head + said(fitted(game.opponent, WIDE - 8 - text_width(head)))
        parts.append(label(words, 4, y, "t-soft"))
        for value, css in ((game.own, "bar-own"), (game.theirs, "bar-theirs")):
            long = max(2.0, 290 * max(0, value) / most)
            parts.append(tag("rect", class_=css, x=4, y=y + 10, width=long, height=9))
            parts.append(label(figure_words(value), long + 11, y + 19))
            y += 16
        y += 30
    sentence = ngettext(
        "%(name)s scored more than the opponent in %(n)s of %(games)s game.",
        "%(name)s scored more than the opponent in %(n)s of %(games)s games.",
        len(games),
        name=said(name),
        n=sum(game.own > game.theirs for game in games),
        games=len(games),
    )
    svg = frame(prefix, (WIDE, y - 18), sentence, apart(map(_about, games)) + ".", parts)
    heads = (gettext("Round"), gettext("Opponent"), unit, gettext("Opponent’s %(unit)s", unit=unit))
    rows = tuple((str(game.number), game.opponent, figure_words(game.own), figure_words(game.theirs)) for game in games)
    return Chart(prefix, sentence, svg, heads, rows)


def _about(game: Game) -> str:
    return gettext(
        "round %(number)s, %(name)s: %(own)s to %(theirs)s",
        number=game.number,
        name=game.opponent,
        own=figure_words(game.own),
        theirs=figure_words(game.theirs),
    )
